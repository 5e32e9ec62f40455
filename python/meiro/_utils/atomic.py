"""Files and folders that appear under their name only when they are complete.

What is not complete lies beside its place as ``.NAME.RANDOM.tmp``, and takes the name at the end. An error
or Ctrl-C removes it; a writer that is killed may leave it, and nothing but the user removes it then.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from meiro._utils.interruptible import result_of
from meiro._utils.validation import checked_path, one_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import ThreadPoolExecutor

_T = TypeVar("_T")
_TRIES = 100  # to read a folder that is replaced meanwhile, a millisecond apart


@contextmanager
def atomic(path: str | os.PathLike[str], mode: str = "wb") -> Iterator[IO[Any]]:
    """Open a file that appears under its name only when it is complete.

    After an error or Ctrl-C `path` is as it was. An existing file keeps its permissions, but not set-uid and
    set-gid; its group; and its owner, if root saves. A symbolic link keeps its target; a path that is not a
    regular file (a pipe, ``/dev/stdout``) is written directly.

    Parameters
    ----------
    path : path
    mode : {"wb", "w"}
        Bytes, or text in UTF-8.

    Yields
    ------
    file

    Raises
    ------
    OSError
        As `open` and writing do, with the name `path`.
    """
    one_of(mode, "mode", ("wb", "w"))
    text: dict[str, Any] = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    final = Path(os.path.realpath(checked_path(path)))
    old = _stat(final)
    if old is not None and not stat.S_ISREG(old.st_mode):
        with final.open(mode, **text) as file:  # a folder: IsADirectoryError
            yield file
        return
    if old is not None and not os.access(final, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    with _beside(final, path) as temporary:
        with open(temporary, mode.replace("w", "x"), **text) as file:  # noqa: PTH123
            _keep(temporary, old)
            yield file
        os.replace(temporary, final)  # noqa: PTH105


@contextmanager
def atomic_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary folder to fill, which then replaces `path`.

    After an error or Ctrl-C `path` is as it was. While two folders change their names `path` is missing for a
    moment, for which `read_folder` waits; a writer that is killed then leaves the old folder beside it.
    Its permissions and its owner are kept as by `atomic`, not those of what it holds.
    """
    final = Path(os.path.realpath(path))
    with _beside(final, path) as temporary:
        new = Path(temporary)
        new.mkdir()
        yield new
        _keep(temporary, _stat(final))
        replace_folder(new, final)


def replace_folder(new: Path, final: Path) -> None:
    """Give the folder `new` the name `final`; a folder of that name is moved away and removed."""
    old = Path(_temporary_name(final))
    try:
        with suppress(FileNotFoundError):
            final.rename(old)
        new.rename(final)
        remove_folder(old)
    except OSError as e:
        if e.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise
        replace_folder(new, final)  # another writer was faster
    finally:  # after an error or Ctrl-C; what cannot get its name back is not removed
        with suppress(OSError):
            if not final.exists():
                old.rename(final)
            remove_folder(old)


def remove_folder(path: str | os.PathLike[str]) -> None:
    """Remove a folder, or what can be removed of it."""
    try:
        shutil.rmtree(path, ignore_errors=True)
    except OSError as e:  # Ctrl-C while a folder was closed, which shutil then closes again
        if isinstance(e.__context__, KeyboardInterrupt):
            raise e.__context__ from None
        raise


@contextmanager
def worker() -> Iterator[ThreadPoolExecutor]:
    """Yield a thread whose work ends after Ctrl-C, too: zarr would make a folder again that was removed."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        result_of(pool.submit(int))  # one that Ctrl-C interrupts while it begins is not waited for
        yield pool


def read_folder(path: str | os.PathLike[str], read: Callable[[Path], _T]) -> _T:
    """Return ``read(path)``, which is called again if `atomic_folder` replaced the folder meanwhile."""
    for left in reversed(range(_TRIES)):
        before = _stamp(path)
        try:
            if before is None:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
            found = read(Path(path))
        except (OSError, ValueError):
            if left == 0 or (before is not None and _stamp(path) == before):
                raise
        else:
            if _stamp(path) == before:
                return found
        time.sleep(0.001)
    raise BlockingIOError(f"{os.fspath(path)!r} is replaced again and again while it is read")


def _temporary_name(final: Path) -> str:
    """Return a new name beside `final`; 20 characters of a name are at most 80 bytes."""
    return os.fspath(final.with_name(f".{final.name[:20]}.{secrets.token_hex(6)}.tmp"))


@contextmanager
def _beside(final: Path, path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield a name beside `final`; what has it at the end is removed, and errors name `path` instead."""
    temporary = _temporary_name(final)  # a string: without memory a Path raises TypeError in the cleanup
    try:
        yield temporary
    except OSError as e:
        if e.errno is None or not (e.filename is None or str(e.filename).startswith(temporary)):
            raise
        raise OSError(e.errno, e.strerror, os.fspath(path)) from e
    finally:
        with suppress(OSError):
            remove_folder(temporary) if os.path.isdir(temporary) else os.unlink(temporary)  # noqa: PTH108, PTH112


def _keep(temporary: str, old: os.stat_result | None) -> None:
    """Give a new file or folder the permissions of the old one, and the owner, if that is allowed."""
    if old is not None:
        for owner, group in ((-1, old.st_gid), (old.st_uid, -1)):  # the owner can be given by root only
            with suppress(OSError, AttributeError):  # Windows has no `chown`
                os.chown(temporary, owner, group)
        with suppress(OSError):
            os.chmod(temporary, stat.S_IMODE(old.st_mode) & ~(stat.S_ISUID | stat.S_ISGID))  # noqa: PTH101


def _stamp(path: str | os.PathLike[str]) -> tuple[int, ...] | None:
    """Return what changes when a folder is replaced; None without a folder of that name."""
    found = _stat(path)
    return None if found is None else (found.st_dev, found.st_ino, found.st_ctime_ns)


def _stat(path: str | os.PathLike[str]) -> os.stat_result | None:
    with suppress(OSError):
        return Path(path).stat()
    return None
