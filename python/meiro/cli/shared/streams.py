"""Standard input and output instead of files: ``-``."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from meiro.io.formats import beside_of, suffix_of_content

if TYPE_CHECKING:
    from collections.abc import Iterator


def is_stream(name: str | None) -> bool:
    """Return whether a name is that of a standard stream: ``-``, or ``-.svg`` for a format."""
    return name is not None and (name == "-" or name.startswith("-."))


@contextmanager
def input_file(name: str) -> Iterator[str]:
    """Give a file that can be read by its suffix; errors of a pipe name standard input."""
    if not is_stream(name):
        yield name
        return
    if sys.stdin is None:
        msg = "-: there is no standard input"
        raise ValueError(msg)
    with tempfile.TemporaryDirectory(prefix="meiro-") as folder:
        raw = Path(folder, "input")
        with raw.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        with raw.open("rb") as file:
            start = file.read(4096)
        if not start.strip():
            msg = "-: standard input is empty"
            raise ValueError(msg)
        suffix = suffix_of_content(start)
        if suffix == ".yaml":
            msg = "-: an occupancy grid is two files, of which standard input holds one: name the .yaml file"
            raise ValueError(msg)
        path = str(raw.rename(raw.with_suffix(suffix)))
        try:
            yield path
        except (ValueError, OSError) as error:
            raise ValueError(str(error).replace(path, "standard input")) from error


@contextmanager
def output_file(name: str) -> Iterator[str]:
    """Give a file to be written; for ``-`` it is copied to standard output when it is complete."""
    if not is_stream(name):
        yield name
        return
    suffix = name[1:] or ".npz"
    if beside := beside_of(suffix):
        msg = f"{name}: {suffix} comes with a {beside} file beside it, which standard output cannot hold: "
        msg += "write a file"
        raise ValueError(msg)
    if sys.stdout is None:
        msg = "-: there is no standard output"
        raise ValueError(msg)
    if sys.stdout.isatty() and suffix in {".npz", ".npy", ".png", ".pdf"}:
        msg = f"-: {suffix} is not for a terminal: write a file, or a pipe"
        raise ValueError(msg)
    with tempfile.TemporaryDirectory(prefix="meiro-") as folder:
        path = str(Path(folder, f"output{suffix}"))
        yield path
        sys.stdout.flush()
        with Path(path).open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
