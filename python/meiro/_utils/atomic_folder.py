"""Folders that appear under their name only when they are complete, and are read while they are replaced."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from meiro._utils.atomic import keep_permissions, temporary_file
from meiro._utils.leftovers import LOCKS, folder_of, lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_T = TypeVar("_T")
_READING = 1.0  # seconds for which a replaced folder is kept for its readers
_PATIENCE = 10.0  # seconds for which a folder that is replaced again and again is read again
_AWAY = 0.1  # seconds for which a folder may have no name while two are renamed
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2
_DESCRIPTORS = Path("/proc/self/fd")


@contextmanager
def atomic_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a temporary folder to make and fill, which then replaces `path`.

    On Linux the two are exchanged in one step if the file system can do that: `path` is always the old folder
    or the new one. Elsewhere `path` is renamed first, and is missing for a moment. After an error or Ctrl-C
    the temporary folder is removed and `path` is as it was. Permissions and owners are kept as by `atomic`.
    """
    final = Path(os.path.realpath(path))
    with temporary_file(final, path, "wb") as file:
        file.write(os.fsencode(final.name))  # to restore it if this process dies between two renames
        file.flush()
        work = folder_of(Path(file.name))
        new = work / "new"
        try:
            work.mkdir()
            yield new
            with suppress(FileNotFoundError):
                _keep_permissions(new, final.stat())
            replace_folder(work, final)
        finally:
            try:
                _remove_unread(new)
            finally:  # after Ctrl-C, too
                shutil.rmtree(work, ignore_errors=True)


def read_folder(path: str | os.PathLike[str], read: Callable[[Path], _T]) -> _T:
    """Return ``read(folder)`` for a folder that `atomic_folder` may replace at any time.

    On Linux `folder` is one and the same folder throughout, which is kept for a second. If `read` fails and
    `path` was replaced meanwhile, it is called again, for some seconds.
    """
    began = time.monotonic()
    while True:
        before = _stamp(path)
        try:
            if before is None:
                raise FileNotFoundError(2, "No such file or directory", os.fspath(path))
            with _held(path) as folder:
                return read(folder)
        except (OSError, ValueError):
            replaced = before is None or _stamp(path) != before
            if not replaced or time.monotonic() - began > (_AWAY if before is None else _PATIENCE):
                raise
            time.sleep(0.001)


def _keep_permissions(new: Path, old: os.stat_result) -> None:
    """Give a new folder the owner and permissions of the old one, and all that it holds the owner."""
    if os.name != "posix":
        return
    made = new.stat()
    if (made.st_uid, made.st_gid) != (old.st_uid, old.st_gid):
        for inner in new.rglob("*"):
            with suppress(OSError):
                os.chown(inner, old.st_uid, old.st_gid, follow_symlinks=False)
    with _opened(new) as descriptor:
        keep_permissions(descriptor, old)


def replace_folder(work: Path, final: Path) -> None:
    """Give ``work/new`` the name `final`; a folder of that name comes into `work`."""
    new = work / "new"
    while not _exchanged(new, final):
        old = work / f"old-{secrets.token_hex(4)}"
        try:
            with suppress(FileNotFoundError):
                final.rename(old)
            new.rename(final)
        except BaseException as e:
            with suppress(OSError):  # another writer was faster
                if old.exists() and not final.exists():
                    old.rename(final)
            if isinstance(e, OSError) and e.errno in {errno.ENOTEMPTY, errno.EEXIST}:
                continue  # another writer was faster
            raise
        return


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange the names of two folders at once; False if the system cannot, or `other` does not exist."""
    import ctypes

    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if os.name == "posix" else None
    if rename is None:
        return False
    anywhere = -100  # AT_FDCWD; the paths are absolute
    if rename(anywhere, os.fsencode(one), anywhere, os.fsencode(other), _EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in {errno.ENOENT, errno.ENOSYS, errno.EINVAL, errno.ENOTSUP}:
        return False
    raise OSError(number, os.strerror(number), os.fspath(other))


def _remove_unread(folder: Path) -> None:
    """Remove a folder that was replaced, when its readers have closed it, or a second later."""
    with suppress(OSError):
        if not LOCKS:
            shutil.rmtree(folder)
            return
        with _opened(folder) as descriptor:
            until = time.monotonic() + _READING
            while lock(descriptor) is False and time.monotonic() < until:
                time.sleep(0.002)
            shutil.rmtree(folder)


def _stamp(path: str | os.PathLike[str]) -> tuple[int, ...] | None:
    """Return what changes when a folder is replaced; None without a folder of that name."""
    try:
        found = Path(path).stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_ctime_ns


@contextmanager
def _opened(folder: str | os.PathLike[str]) -> Iterator[int]:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _held(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a path that leads to the folder that has the name `path` now, even if it loses the name."""
    if not (LOCKS and _DESCRIPTORS.is_dir() and Path(path).is_dir()):
        yield Path(path)
        return
    with _opened(path) as descriptor:
        folder = _DESCRIPTORS / str(descriptor)
        if lock(descriptor, shared=True) is False or _stamp(path) != _stamp(folder):
            raise FileNotFoundError(2, "No such file or directory", os.fspath(path))  # replaced: read again
        yield folder
