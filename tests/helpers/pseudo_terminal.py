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
    """A process whose standard output, error or both are a terminal."""

    def __init__(self, *command: str, outputs: str, columns: int = 60, lines: int = 20) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        world = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdout=theirs if "out" in outputs else subprocess.DEVNULL,
            stderr=theirs if "err" in outputs else subprocess.DEVNULL,
            env={"TERM": "xterm-256color"} | world,
        )
        os.close(theirs)

    def read(self, until: bytes | None = None) -> str:
        seen = b""
        while until is None or until not in seen:
            try:
                piece = os.read(self.ours, 1 << 16)
            except OSError:  # all ends are closed
                break
            if not piece:
                break
            seen += piece
        return seen.decode().replace("\r\n", "\n")

    def wait(self) -> int:
        os.close(self.ours)
        return self.process.wait(timeout=60)
