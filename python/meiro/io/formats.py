"""The table of file formats that `meiro.save`, `meiro.read` and the command go by.

Batches (`meiro.io.batches`) have a table of their own, for a batch is not a maze and `meiro.read` does not
read it; so have animations, whose encoders take frames.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from meiro.io import csv, graphviz, image, npz, png_writer, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from meiro.maze.maze import Maze


class Format(NamedTuple):
    """A file format.

    Attributes
    ----------
    description : str
        A line for the tables in docstrings.
    read : callable, optional
        ``read(path)`` returns a `Maze` or a wall/road array.
    write : callable, optional
        ``write(file, maze)`` writes to a binary file.
    arrays : bool
        Whether `write` takes wall/road arrays of uint8 as well.
    road : bool
        Whether `read` takes the keyword ``road``.
    solution, scale, style : bool
        Whether `write` takes these keywords.
    """

    description: str
    read: Callable[..., Maze | NDArray[Any]] | None = None
    write: Callable[..., None] | None = None
    arrays: bool = False
    road: bool = False
    solution: bool = False
    scale: bool = False
    style: bool = False


_DOT = Format(
    "Graphviz, as of `Maze.to_dot`, with the ends of the solution", write=graphviz.write_dot, solution=True
)
_PICTURE = Format("other pictures, as `meiro.from_image` reads them", read=image.from_image)
FORMATS = {
    ".png": Format(
        "a picture, one pixel a site (or `scale`), with the solution in colours; bright is road",
        read=image.from_image,
        write=png_writer.write_png,
        arrays=True,
        solution=True,
        scale=True,
    ),
    ".svg": Format("a picture for print, as of `Maze.to_svg`", write=text.write_svg, solution=True),
    ".txt": Format(
        "text, as of `Maze.to_text`", read=text.read_text, write=text.write_text, solution=True, style=True
    ),
    ".csv": Format(
        "the grid, 0 (road) and 1 (wall) between commas",
        read=csv.read_csv,
        write=csv.write_csv,
        arrays=True,
        road=True,
    ),
    ".npy": Format(
        "the grid as an array of uint8", read=npz.read_npy, write=npz.write_npy, arrays=True, road=True
    ),
    ".npz": Format(
        "everything: passages, mask, openings, wrap, start, goal, seed, recipe and version",
        read=npz.read_npz,
        write=npz.write_npz,
    ),
    ".dot": _DOT,
    ".gv": _DOT,
    **dict.fromkeys(
        (".bmp", ".gif", ".jpeg", ".jpg", ".pbm", ".pgm", ".pnm", ".ppm", ".tif", ".tiff", ".webp"), _PICTURE
    ),
}


def format_of(path: str | os.PathLike[str], use: Literal["read", "write"]) -> Format:
    """Return the format that the suffix of a path names; ValueError if it cannot be read or written."""
    suffix = Path(path).suffix.lower()
    if suffix not in suffixes(use):
        msg = f"{os.fspath(path)!r}: suffix {suffix!r} is not one of {', '.join(suffixes(use))}"
        if suffix in FORMATS:
            msg += f"; {suffix} is only {'written' if use == 'read' else 'read'}"
        raise ValueError(msg)
    return FORMATS[suffix]


def suffixes(having: str) -> list[str]:
    """Return the suffixes of the formats in which an attribute is set."""
    return [suffix for suffix, form in FORMATS.items() if getattr(form, having)]


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return words as a list in a sentence: ``"a, b and c"``."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def format_table(use: Literal["read", "write"]) -> str:
    """Return the formats for reading or writing as a list in reStructuredText."""
    lines: dict[Format, list[str]] = {}
    for suffix in suffixes(use):
        lines.setdefault(FORMATS[suffix], []).append(f"``{suffix}``")
    return "\n".join(f"- {', '.join(names)}: {form.description}" for form, names in lines.items())
