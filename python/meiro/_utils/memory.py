"""Free memory, checked before arrays are allocated."""

from __future__ import annotations

import os


def available() -> int | None:
    """Return the free bytes of the machine or of its container, whichever is less; None if unknown."""
    sizes = [size for size in (_of_the_machine(), _left(_V2), _left(_V1)) if size is not None]
    return min(sizes, default=None)


def limit() -> int:
    """Return the bytes that the core may take: those that are free, or any number where that is unknown."""
    free = available()
    return 1 << 62 if free is None else free


_MACHINE = "/proc/meminfo"
_V2 = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current")
_V1 = ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes")


def _left(files: tuple[str, str]) -> int | None:
    from pathlib import Path

    try:
        limit, used = (int(Path(file).read_text(encoding="ascii")) for file in files)
    except (OSError, ValueError):  # no such limit, or the word "max"
        return None
    return max(limit - used, 0)


def _of_the_machine() -> int | None:
    from pathlib import Path

    try:
        with Path(_MACHINE).open(encoding="ascii") as lines:
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
"""Fewer bytes are not checked: reading the free memory takes longer than allocating them."""


def require(needed: int, what: str, instead: str) -> None:
    """Raise MemoryError, before anything is allocated, if `needed` bytes are not free."""
    if not fits(needed):
        raise MemoryError(f"{what} takes {needed:,} bytes, and {limit():,} are free; {instead}")


def whole_file(path: str | os.PathLike[str], times: int) -> tuple[str, bytes]:
    """Return what messages call a file, and its content, if so many times its size fit in memory."""
    from pathlib import Path

    file, name = Path(path), repr(os.fspath(path))
    require(times * file.stat().st_size, name, "cut it into parts")
    return name, file.read_bytes()


def fits(needed: int) -> bool:
    """Return whether `needed` bytes are free, or it is not known."""
    return needed < CHECKED_FROM or needed <= limit()
