"""Open files and buffers instead of paths: of a pipe, of the web, of an archive.

Formats read and write files by their names, so what comes or goes lies in a temporary folder meanwhile.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meiro.io.formats import FORMATS, beside_of, suffix_of_content

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed import SupportsRead, SupportsWrite

_PIECE = 1 << 20
_GUESSED = ".csv", ".txt", ".json"  # what has no mark of its own: the name of the file says more


def is_open(x: object) -> bool:
    """Return whether `x` is an open file, or a buffer, and no path."""
    return (hasattr(x, "read") or hasattr(x, "write")) and not isinstance(x, str | os.PathLike)


def name_of(x: Any) -> str:
    """Return what messages call a path or an open file."""
    return "the open file" if is_open(x) else repr(os.fspath(x))


@contextmanager
def input_path(file: SupportsRead[Any], form: str | None, name: str) -> Iterator[str]:
    """Give the path of a file that holds what is read; errors call it `name`.

    Raises
    ------
    ValueError
        If it is empty, of a format of two files, or a text where the format has bytes.
    """
    with tempfile.TemporaryDirectory(prefix="meiro-") as folder:
        raw = Path(folder, "input")
        with raw.open("wb") as copy:
            try:
                while piece := file.read(_PIECE):
                    copy.write(piece.encode() if isinstance(piece, str) else piece)
            except UnicodeDecodeError as error:
                msg = f'{name} is read as text, and holds bytes: open it with mode "rb"'
                raise ValueError(msg) from error
        with raw.open("rb") as copy:
            start = copy.read(4096)
        if not start.strip():
            msg = f"{name} is empty"
            raise ValueError(msg)
        suffix = _suffix(form) or suffix_of_content(start)
        if form is None and suffix in _GUESSED:
            suffix = _suffix_of_name(file) or suffix
        if suffix in {".yaml", ".yml"}:
            msg = f"{name}: an occupancy grid is two files, of which {name} holds one: name the .yaml file"
            raise ValueError(msg)
        path = str(raw.rename(raw.with_suffix(suffix)))
        with _called(path, name):
            yield path


@contextmanager
def output_path(file: SupportsWrite[Any], form: str | None, name: str) -> Iterator[str]:
    """Give a path to write to; what is there in the end is written to the open file, as a text if it is one.

    Without a format it is that of the name of the file, else ``.npz``, which holds everything, or of texts
    ``.txt``.
    """
    is_text = hasattr(file, "encoding")
    suffix = _suffix(form) or _suffix_of_name(file) or (".txt" if is_text else ".npz")
    beside = beside_of(suffix)
    if beside or suffix == ".zarr":
        what = f"comes with a {beside} file beside it" if beside else "is a folder"
        msg = f"{name}: {suffix} {what}, which {name} cannot hold: write a file"
        raise ValueError(msg)
    with tempfile.TemporaryDirectory(prefix="meiro-") as folder:
        path = str(Path(folder, f"output{suffix}"))
        with _called(path, name):
            yield path
        if not is_text:
            with Path(path).open("rb") as made:
                shutil.copyfileobj(made, file)
            return
        try:
            text = Path(path).read_text("utf-8")
        except UnicodeDecodeError as error:
            msg = f'{name} takes text, and {suffix} is none: open it with mode "wb", or give io.BytesIO()'
            raise TypeError(msg) from error
        file.write(text)


def _suffix(form: str | None) -> str:
    if form is not None and not isinstance(form, str):
        msg = f'format must be a suffix, such as "png", not {form!r}'
        raise TypeError(msg)
    return "" if form is None else f".{form.lower().removeprefix('.')}"


def _suffix_of_name(file: object) -> str:
    name = getattr(file, "name", None)
    suffix = Path(name).suffix.lower() if isinstance(name, str) else ""
    return suffix if suffix in FORMATS else ""


@contextmanager
def _called(path: str, name: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, OSError) as error:
        if path not in str(error):
            raise
        kind = ValueError if isinstance(error, OSError) else type(error)
        raise kind(str(error).replace(repr(path), name).replace(path, name)) from error
