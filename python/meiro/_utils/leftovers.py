"""Temporary files: locked by their writer, and removed by a later one if that was killed.

A file that is not complete lies beside its place as ``.NAME.meiro-MACHINE-RANDOM.tmp``, which its writer
keeps locked; the parts of a folder lie in ``.NAME.meiro-MACHINE-RANDOM.d``, for which such a file stands. A
writer that is killed leaves them behind, and the next one in the same folder removes them. So it does with
such a folder without its file: a library may still write into one that Ctrl-C has ended. It goes by this:

- what is locked is never removed;
- MACHINE is of the boot id of Linux: what this machine made since it was started and is not locked, is dead;
- locks may not reach other machines that share the folder over a network. What one of them made, or this one
  before it was started, is dead if nobody wrote to it for a day, by the clock of the file system.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where what is open cannot be removed
    fcntl = None  # type: ignore[assignment]

LOCKS = fcntl is not None
_TEMPORARY = re.compile(r"\..*\.meiro-([0-9a-f]{8})-[0-9a-f]{12}\.(tmp|d)", re.DOTALL)
_UNKNOWN = "0" * 8
_DAY = 86_400.0
_PAUSE = 5e-5  # seconds for each name in a folder until it is searched again: a twentieth of the time at most
_searched: dict[Path, float] = {}  # folders, and until when they are not searched again


def temporary_name(final: Path) -> Path:
    """Return a new name beside `final`; 20 characters of a name are at most 80 bytes."""
    return final.with_name(f".{final.name[:20]}.meiro-{_machine()}-{secrets.token_hex(6)}.tmp")


def folder_of(temporary: Path) -> Path:
    """Return the folder for which a temporary file stands."""
    return temporary.with_suffix(".d")


def lock(descriptor: int, *, shared: bool = False) -> bool | None:
    """Lock an open file or folder until it is closed; False if another one has it, None without locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # not on this file system
        return None
    return True


def sweep(own: Path, now: float) -> None:
    """Remove what dead writers left in a folder, unless it was searched a short while ago.

    Parameters
    ----------
    own : Path
        A temporary file in that folder, of this writer.
    now : float
        The time by the clock of the file system.
    """
    folder = own.parent
    if time.monotonic() < _searched.get(folder, 0):
        return
    names = []
    with suppress(OSError):
        names = os.listdir(folder)  # noqa: PTH208  # no Path for each of many files
    for name in names:
        if name != own.name and (found := _TEMPORARY.fullmatch(name)):
            remove = _remove_if_dead if found[2] == "tmp" else _remove_if_alone
            with suppress(OSError):
                remove(folder / name, found[1], now)
    if len(_searched) >= 1000:
        _searched.clear()
    _searched[folder] = time.monotonic() + _PAUSE * len(names)


@cache
def _machine() -> str:
    """Return eight digits of this machine since it was started."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii")[:8]
    except OSError:
        return _UNKNOWN


def _is_dead(machine: str, modified: float, now: float) -> bool:
    """Return whether nobody can be writing what is not locked."""
    return machine == _machine() != _UNKNOWN or modified < now - _DAY


def _remove_if_alone(work: Path, machine: str, now: float) -> None:
    """Remove a folder whose file is gone: its writer removes the file after the folder."""
    if not work.with_suffix(".tmp").exists() and _is_dead(machine, work.stat().st_mtime, now):
        shutil.rmtree(work)


def _remove_if_dead(file: Path, machine: str, now: float) -> None:
    descriptor = os.open(file, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        locked = lock(descriptor)
        here = machine if locked else _UNKNOWN  # without locks only the time says
        if locked is False or not _is_dead(here, os.fstat(descriptor).st_mtime, now):
            return
        work = folder_of(file)
        if work.is_dir():
            final = file.with_name(os.fsdecode(os.read(descriptor, 4096)))
            for old in work.glob("old-*"):  # its writer died between two renames
                if not final.exists():
                    old.rename(final)
            shutil.rmtree(work)
        file.unlink()
    finally:
        os.close(descriptor)
