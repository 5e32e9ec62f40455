"""A process on a pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios


class Screen:
    """A process whose standard input, output and error, as far as they are named, are a terminal."""

    def __init__(self, *command: str, outputs: str, columns: int = 60, lines: int = 20) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        world = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdin=theirs if "in" in outputs else None,
            stdout=theirs if "out" in outputs else subprocess.DEVNULL,
            stderr=theirs if "err" in outputs else subprocess.DEVNULL,
            env={"TERM": "xterm-256color"} | world,
        )
        os.close(theirs)
        self._rest = b""  # what was read behind the last `until`

    def read(self, until: bytes | None = None) -> str:
        """Return what is written up to a word, or up to the end."""
        seen = self._rest
        while until is None or until not in seen:
            try:
                piece = os.read(self.ours, 1 << 16)
            except OSError:  # all ends are closed
                break
            if not piece:
                break
            seen += piece
        whole = len(seen) if until is None else seen.find(until) + len(until)
        self._rest = seen[whole:]
        return seen[:whole].decode().replace("\r\n", "\n")

    def wait(self) -> int:
        os.close(self.ours)
        return self.process.wait(timeout=60)
