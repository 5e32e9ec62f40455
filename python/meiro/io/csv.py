"""Walls and roads as text: 1 and 0 between commas, a line a row."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro._utils.arrays import scalar_road
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro.io.png_writer import site_bands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from meiro.maze.maze import Maze

_BAND = 1 << 22  # bytes checked at a time
_ZERO, _COMMA, _NEWLINE = b"0,\n"
_RAGGED = re.compile(r"number of columns changed from (\d+) to (\d+) at row (\d+)")
_NO_NUMBER = re.compile(r"could not convert string (.*) to float64 at row (\d+), column (\d+)", re.DOTALL)
_INSTEAD = "cut it into parts"
_NEITHER = "is neither 0 (road) nor 1 (wall); other values are read with road="


def write_csv(file: IO[bytes], x: Maze | ArrayLike) -> None:
    """Write the sites of a maze or array in bands of rows."""
    _, width, source = site_bands(x)
    for _, band in source:
        text = np.full((len(band), width, 2), _COMMA, np.uint8)
        np.add(band, _ZERO, out=text[:, :, 0])
        text[:, -1, 1] = _NEWLINE
        file.write(text.data)


def read_csv(path: str | os.PathLike[str], *, road: object = None) -> NDArray[np.uint8]:
    r"""Read walls and roads between commas, semicolons, tabs or spaces, whichever the first line has.

    Files of single digits without spaces are read at once, all others by `numpy.loadtxt`: numbers such as
    ``1.0``, quoted ones, spaces around them, a separator at the end of lines. A byte order mark, ``\r\n`` and
    empty lines at the end are accepted in both.

    Parameters
    ----------
    path : path
    road : scalar, optional
        The value of a road, if not 0; all others are walls.

    Returns
    -------
    ndarray of uint8, shape (h, w)
        0 for a road, 1 for a wall.

    Raises
    ------
    ValueError
        If a line is longer or shorter than the first, a field is foreign, or the file is empty; with line
        and column, both counted from 1, the column in fields.
    """
    road = None if road is None else scalar_road(road)
    name = repr(os.fspath(path))
    size = Path(path).stat().st_size
    require(3 * size, name, _INSTEAD)  # measured, as the 8 below
    data = Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf").rstrip()
    if not data:
        msg = f"{name} is empty"
        raise ValueError(msg)
    sites = _digits(data) if road is None else None
    if sites is None:
        require(8 * size, name, _INSTEAD)
    return _load(data, road, name) if sites is None else sites


def _digits(data: bytes) -> NDArray[np.uint8] | None:
    """Read lines of 0 and 1 with one separator between; None if there is anything else."""
    ending = b"\r\n" if data[: data.find(b"\n") + 1].endswith(b"\r\n") else b"\n"
    data += ending
    length = data.index(b"\n") + 1
    if len(data) % length or (length - len(ending)) % 2 == 0:
        return None
    lines = np.frombuffer(data, np.uint8).reshape(-1, length)
    separator = lines[0, 1] if length > 1 + len(ending) else _COMMA
    sites = np.empty((len(lines), (length - len(ending) + 1) // 2), np.uint8)
    rows = max(1, _BAND // length)
    for first in range(0, len(lines), rows):
        part = lines[first : first + rows]
        digits = np.subtract(part[:, 0 : -len(ending) : 2], _ZERO, out=sites[first : first + rows])
        if (
            digits.max() > 1  # below "0" the difference wraps around to more than 1
            or (part[:, 1 : -len(ending) : 2] != separator).any()
            or (part[:, -len(ending) :] != list(ending)).any()
        ):
            return None
    return sites if separator in b",;\t " else None


def _load(data: bytes, road: object, name: str) -> NDArray[np.uint8]:
    head = data.partition(b"\n")[0].decode(errors="replace").strip()
    separator = next((mark for mark in ",;\t" if mark in head), None)  # None: any spaces
    kind: type = str if isinstance(road, str) else float
    try:
        fields: NDArray[Any] = np.loadtxt(
            _lines(data, separator), kind, comments=None, delimiter=separator, quotechar='"', ndmin=2
        )
    except ValueError as e:
        raise ValueError(f"{name}, {_place_of(str(e))}") from e  # noqa: EM102, TRY003
    if kind is str:
        fields = np.char.strip(fields)
    if road is None:
        wrong = (fields != 0) & (fields != 1)
    else:
        wrong = fields == "" if kind is str else np.isnan(fields)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        value = fields[row, column] if kind is str else f"{fields[row, column]:g}"
        what = _NEITHER if road is None else "is not a value"
        msg = f"{name}, line {row + 1}, column {column + 1}: '{value}' {what}"
        raise ValueError(msg)
    sites: NDArray[np.uint8] = (fields != (0 if road is None else road)).view(np.uint8)
    if road is not None and sites.all():
        msg = f"{name} has no road: no field is road={short_repr(road)}"
        raise ValueError(msg)
    return sites


def _lines(data: bytes, separator: str | None) -> Iterator[str]:
    for number, line in enumerate(io.TextIOWrapper(io.BytesIO(data), "utf-8", "replace"), 1):
        bare = line.strip()
        if not bare:
            msg = f"line {number}: empty, with more after it"
            raise ValueError(msg)
        yield (bare.removesuffix(separator) if separator else bare) or bare


def _place_of(message: str) -> str:
    """Return an error of `numpy.loadtxt` with line and column counted from 1."""
    if found := _RAGGED.search(message):
        before, fields, line = found.groups()
        return f"line {line}: {fields} fields, the lines before have {before}"
    if found := _NO_NUMBER.search(message):
        text, row, column = found.groups()
        return f"line {int(row) + 1}, column {column}: {text} {_NEITHER}"
    return message
