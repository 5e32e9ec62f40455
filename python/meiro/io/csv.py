"""Walls and roads as text: 1 and 0 between commas, a line a row."""

from __future__ import annotations

import os
import re
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro._utils.arrays import road_values
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro.io.arrays.site_bands import site_bands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.arrays import Scalar
    from meiro.generators.row_stream import StreamedMaze
    from meiro.mazes.maze import Maze

_BAND = 1 << 22  # bytes checked at a time
_ZERO, _COMMA, _NEWLINE = b"0,\n"
_MARK = b"\xef\xbb\xbf"  # of UTF-8
_RAGGED = re.compile(r"number of columns changed from (\d+) to (\d+) at row (\d+)")
_NO_NUMBER = re.compile(r"could not convert string (.*) to float64 at row (\d+), column (\d+)", re.DOTALL)
_INSTEAD = "cut it into parts"
_NEITHER = "is neither 0 (road) nor 1 (wall); other values are read with road="


def write_csv(file: IO[bytes], x: Maze | StreamedMaze | ArrayLike) -> None:
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
    road : scalar or sequence of scalars, optional
        The value of a road, if not 0, or several; all others are walls.

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
    roads = None if road is None else road_values(road)
    name = repr(os.fspath(path))
    size = Path(path).stat().st_size
    sites = None
    if roads is None:
        require(2 * size, name, _INSTEAD)  # measured, as the 8 below
        sites = _digits(path, size)
    if sites is None:
        require(8 * size, name, _INSTEAD)
        sites = _load(path, roads, name)
    return sites


def _digits(path: str | os.PathLike[str], size: int) -> NDArray[np.uint8] | None:
    """Read lines of 0 and 1 with one separator between; None if there is anything else."""
    data = np.empty(size + 2, np.uint8)
    last = 0
    with Path(path).open("rb") as file:
        while n := file.readinto(data[last : min(last + _BAND, size)].data):
            last += n
    begin = len(_MARK) if data[: len(_MARK)].tobytes() == _MARK else 0
    last = _stripped(data, begin, last)
    newline = _first_newline(data, begin, last)
    ending = b"\r\n" if data[max(begin, newline - 1) : newline + 1].tobytes() == b"\r\n" else b"\n"
    data[last : last + len(ending)] = list(ending)  # of the last line, which may have none
    data = data[begin : last + len(ending)]
    length = newline + 1 - begin
    if len(data) % length or (length - len(ending)) % 2 == 0:
        return None
    lines = data.reshape(-1, length)
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


def _stripped(data: NDArray[np.uint8], begin: int, last: int) -> int:
    """Return where the white space at the end begins."""
    while last > begin:
        first = max(begin, last - _BAND)
        bare = len(data[first:last].tobytes().rstrip())
        if bare:
            return first + bare
        last = first
    return last


def _first_newline(data: NDArray[np.uint8], begin: int, last: int) -> int:
    r"""Return where the first ``\n`` is, `last` without one."""
    for first in range(begin, last, _BAND):
        found = data[first : min(first + _BAND, last)].tobytes().find(_NEWLINE)
        if found >= 0:
            return first + found
    return last


def _load(path: str | os.PathLike[str], roads: tuple[Scalar, ...] | None, name: str) -> NDArray[np.uint8]:
    kind: type = str if roads is not None and any(isinstance(road, str) for road in roads) else float
    fields: NDArray[Any] | None = None
    with Path(path).open(encoding="utf-8-sig", errors="replace") as file:
        head = file.readline().strip()
        separator = next((mark for mark in ",;\t" if mark in head), None)  # None: any spaces
        file.seek(0)
        lines = _lines(file, separator)
        try:
            for first in lines:
                every = chain([first], lines)
                fields = np.loadtxt(every, kind, comments=None, delimiter=separator, quotechar='"', ndmin=2)
        except ValueError as e:
            raise ValueError(f"{name}, {_place_of(str(e))}") from e  # noqa: EM102, TRY003
    if fields is None:
        msg = f"{name} is empty"
        raise ValueError(msg)
    if kind is str:
        fields = np.char.strip(fields)
    if roads is None:
        wrong = (fields != 0) & (fields != 1)
    else:
        wrong = fields == "" if kind is str else np.isnan(fields)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        value = fields[row, column] if kind is str else f"{fields[row, column]:g}"
        what = _NEITHER if roads is None else "is not a value"
        msg = f"{name}, line {row + 1}, column {column + 1}: '{value}' {what}"
        raise ValueError(msg)
    sites: NDArray[np.uint8] = (fields != _as_field(0 if roads is None else roads[0], kind)).view(np.uint8)
    for road in (roads or ())[1:]:
        sites &= fields != _as_field(road, kind)
    if roads is not None and sites.all():
        msg = f"{name} has no road: no field is road={short_repr(roads[0] if len(roads) == 1 else roads)}"
        raise ValueError(msg)
    return sites


def _as_field(road: Scalar, kind: type) -> Scalar:
    return str(road) if kind is str else road


def _lines(file: IO[str], separator: str | None) -> Iterator[str]:
    empty = 0
    for number, line in enumerate(file, 1):
        bare = line.strip()
        if not bare:
            empty = empty or number
            continue
        if empty:
            msg = f"line {empty}: empty, with more after it"
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
