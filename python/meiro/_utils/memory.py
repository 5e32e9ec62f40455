"""Whether an array still fits, asked before it is made."""

from __future__ import annotations

import os
from pathlib import Path


def available() -> int | None:
    """Return the bytes of memory that can be had now, or None where the system does not tell.

    What the machine has free, or what the limits of a container leave, whichever is less.
    """
    sizes = [size for size in (_of_the_machine(), _left(_V2), _left(_V1)) if size is not None]
    return min(sizes, default=None)


_V2 = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current")
_V1 = ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes")


def _left(files: tuple[str, str]) -> int | None:
    try:
        limit, used = (int(Path(file).read_text(encoding="ascii")) for file in files)
    except (OSError, ValueError):  # no such limit, or the word "max"
        return None
    return max(limit - used, 0)


def _of_the_machine() -> int | None:
    try:
        with Path("/proc/meminfo").open(encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


CHECKED_FROM = 1 << 27
"""Fewer bytes than these are not checked: the question costs more than the answer is worth."""


def require(needed: int, what: str, instead: str) -> None:
    """Raise MemoryError, before anything is taken, if `needed` bytes cannot be had.

    Small needs are not looked up: the question costs more than the answer is worth.
    """
    if needed < CHECKED_FROM:
        return
    there = available()
    if there is not None and needed > there:
        msg = f"{what} takes {needed:,} bytes, and {there:,} are free; {instead}"
        raise MemoryError(msg)
