"""Walls and roads as text: 1 and 0 between commas, a line a row. `read_text` reads what else people have."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from meiro._utils.memory import require
from meiro.io.arrays.site_bands import site_bands

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.generators.row_stream import StreamedMaze
    from meiro.mazes.maze import Maze

_BAND = 1 << 22  # bytes checked at a time
_ZERO, _COMMA, _NEWLINE = b"0,\n"
_MARK = b"\xef\xbb\xbf"  # of UTF-8


def write_csv(file: IO[bytes], x: Maze | StreamedMaze | ArrayLike) -> None:
    """Write the sites of a maze or array in bands of rows."""
    _, width, source = site_bands(x)
    for _, band in source:
        text = np.full((len(band), width, 2), _COMMA, np.uint8)
        np.add(band, _ZERO, out=text[:, :, 0])
        text[:, -1, 1] = _NEWLINE
        file.write(text.data)


def single_digits(path: str | os.PathLike[str], size: int) -> NDArray[np.uint8] | None:
    """Read a file of lines of 0 and 1 with one separator between; None if there is anything else."""
    require(2 * size, repr(os.fspath(path)), "cut it into parts")  # measured
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
