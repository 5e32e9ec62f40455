"""Files that appear under their name only when they are complete."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from meiro._utils.leftovers import LOCKS, folder_of, lock, sweep, temporary_name
from meiro._utils.validation import checked_path, one_of

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def atomic(path: str | os.PathLike[str], mode: str = "wb") -> Iterator[IO[Any]]:
    """Open a file that appears under its name only when it is complete.

    The content goes to a temporary file in the same folder, which then replaces `path`. After an error or
    Ctrl-C the temporary file is removed and `path` is as it was. An existing file keeps its permissions, but
    not set-uid and set-gid; its group; and its owner, if root saves. A symbolic link keeps its target; a path
    that is not a regular file (a pipe, ``/dev/stdout``) is written directly.

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
    final = Path(os.path.realpath(checked_path(path)))
    old = final.stat() if final.exists() else None
    if old is not None and not stat.S_ISREG(old.st_mode):
        with final.open(mode, **_text(mode)) as file:  # a folder: IsADirectoryError
            yield file
        return
    if old is not None and not os.access(final, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))
    with temporary_file(final, path, mode) as file:
        if old is not None:
            keep_permissions(file.fileno(), old)
        yield file
        file.close()
        Path(file.name).replace(final)


@contextmanager
def temporary_file(final: Path, path: str | os.PathLike[str], mode: str) -> Iterator[IO[Any]]:
    """Open a locked file beside `final`, removed at the end unless it was renamed; errors name `path`."""
    file: IO[Any] | None = None
    temporary = work = ""  # without memory a Path raises TypeError in the cleanup
    held = -1
    try:
        while file is None:
            name = temporary_name(final)
            temporary, work = os.fspath(name), os.fspath(folder_of(name))
            file = _new_file(name, mode)
            held = os.dup(file.fileno())  # keeps the lock when the file is closed: only then all is written
            if lock(held) is False or not name.exists():  # another writer took its own for that of a dead one
                file.close()
                os.close(held)
                file, held = None, -1
        with file:
            sweep(name, os.fstat(held).st_mtime)
            if not LOCKS:
                os.close(held)  # what is open cannot be renamed there
                held = -1
            yield file
    except OSError as e:
        if e.errno is None or e.filename not in {None, temporary}:
            raise
        raise OSError(e.errno, e.strerror, os.fspath(path)) from e
    finally:
        try:
            if file is not None:
                with suppress(OSError):
                    file.close()
                with suppress(OSError):
                    if not os.path.exists(work):  # noqa: PTH110  # else the next writer tries again
                        os.unlink(temporary)  # noqa: PTH108
        finally:  # even if there is no memory for the above
            if held >= 0:
                os.close(held)


def _new_file(name: Path, mode: str) -> IO[Any]:
    """Make and open a file; what the system made is removed if there is no memory for its Python object."""
    try:
        return name.open(mode.replace("w", "x"), **_text(mode))
    except OSError:
        raise
    except BaseException:
        name.unlink(missing_ok=True)
        raise


def keep_permissions(descriptor: int, old: os.stat_result) -> None:
    """Give a new file or folder the owner and permissions of the one that it will replace."""
    if os.name != "posix":
        return
    now = os.fstat(descriptor)
    if (now.st_uid, now.st_gid) != (old.st_uid, old.st_gid):
        for owner, group in ((-1, old.st_gid), (old.st_uid, -1)):  # the owner can be given by root only
            with suppress(OSError):
                os.chown(descriptor, owner, group)
    with suppress(OSError):
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode) & ~(stat.S_ISUID | stat.S_ISGID))


def _text(mode: str) -> dict[str, Any]:
    return {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
