"""Files and folders that appear under their name only when they are complete."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from meiro._utils.messages import short_repr

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def atomic(path: str | os.PathLike[str], mode: str = "wb") -> Iterator[IO[Any]]:
    """Open a file that appears under its name only when it is complete.

    The content goes to a temporary file in the same folder, which then replaces `path`. After an error or
    Ctrl-C the temporary file is removed and `path` is as it was. An existing file keeps its permissions, a
    symbolic link its target; a path that is not a regular file (a pipe, ``/dev/stdout``) is written directly.

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
    FileNotFoundError, PermissionError, IsADirectoryError
        As `open` does, with the name `path`.
    """
    if mode not in {"wb", "w"}:
        msg = f"mode must be 'wb' or 'w', not {short_repr(mode)}"
        raise ValueError(msg)
    text: dict[str, Any] = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    final = Path(os.path.realpath(path))
    old = final.stat() if final.exists() else None
    if old is not None and not stat.S_ISREG(old.st_mode):
        with final.open(mode, **text) as file:  # a folder: IsADirectoryError
            yield file
        return
    if old is not None and not os.access(final, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))
    temporary = _beside(final, "tmp")
    try:
        file = temporary.open(mode.replace("w", "x"), **text)
    except OSError as e:
        raise type(e)(e.errno, e.strerror, str(path)) from None
    try:
        with file:
            yield file
        if old is not None:
            with suppress(OSError):
                temporary.chmod(stat.S_IMODE(old.st_mode))
        temporary.replace(final)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


@contextmanager
def atomic_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a temporary folder to make and fill, which then replaces `path`.

    After an error or Ctrl-C the temporary folder is removed and `path` is as it was.
    """
    final = Path(os.path.realpath(path))
    if not final.parent.is_dir():
        raise FileNotFoundError(2, "No such file or directory", str(path))
    new, old = _beside(final, "tmp"), _beside(final, "old")
    try:
        yield new
        if final.exists():
            final.rename(old)
        new.rename(final)
    except BaseException:
        if old.exists() and not final.exists():
            old.rename(final)
        raise
    finally:
        for folder in (new, old):
            with suppress(OSError):
                shutil.rmtree(folder)


def _beside(final: Path, suffix: str) -> Path:
    """Return a new hidden name in the same folder; 40 characters of a name are at most 160 bytes."""
    return final.with_name(f".{final.name[:40]}.{secrets.token_hex(6)}.{suffix}")
