"""Files that appear under their name only when they are complete."""

from __future__ import annotations

import os
import secrets
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

    A temporary file in the same folder replaces `path` at the end. After an error or Ctrl-C the temporary
    file is gone and `path` is unchanged. An existing file keeps its permissions, a link its target; a pipe or
    device such as ``/dev/stdout`` is written directly.

    Parameters
    ----------
    path : path
        Where the file goes.
    mode : {"wb", "w"}
        Bytes, or text in UTF-8.

    Yields
    ------
    file

    Raises
    ------
    FileNotFoundError, PermissionError, IsADirectoryError
        As `open` does; the name is that of `path`.
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
    temporary = final.with_name(f".{final.name[:100]}.{secrets.token_hex(6)}.tmp")
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
