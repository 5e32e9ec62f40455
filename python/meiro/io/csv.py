"""Walls and roads as comma-separated 0 and 1."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from meiro._utils.messages import short_repr
from meiro.io.png_writer import site_bands

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.maze.maze import Maze

_PIECE = 1 << 24
_ZERO, _COMMA, _NEWLINE = ord("0"), ord(","), ord("\n")


def write_csv(file: IO[bytes], x: Maze | ArrayLike) -> None:
    """Write the sites of a maze, a line a row, some rows at a time."""
    _, width, source = site_bands(x)
    for _, band in source:
        text = np.full((len(band), width, 2), _COMMA, np.uint8)
        np.add(band, _ZERO, out=text[:, :, 0])
        text[:, -1, 1] = _NEWLINE
        file.write(text.data)


def read_csv(path: str | os.PathLike[str], *, road: object = None) -> NDArray[np.uint8]:
    r"""Read walls and roads.

    The fast way is for lines of 0, 1 and commas; semicolons, tabs or spaces will do as well, whichever the
    first line has. Everything else is read line by line: numbers such as ``1.0``, quoted ones, spaces around
    them, one separator too many at the end of a line, ``\r\n``, a byte order mark, empty lines at the end.

    Parameters
    ----------
    path : path
        The file.
    road : scalar, optional
        What a road looks like, if not 0; all else is a wall.

    Returns
    -------
    ndarray of uint8, shape (h, w)
        0 for a road, 1 for a wall.

    Raises
    ------
    ValueError
        If a line is longer or shorter than the first, a field is foreign, or there is nothing; with line
        and column, both counted from 1, the column in fields.
    """
    lines = _Lines(os.fspath(path), road)
    with Path(path).open("rb") as file:
        if file.read(3) != b"\xef\xbb\xbf":
            file.seek(0)
        rest = b""
        while piece := file.read(_PIECE):
            cut = piece.rfind(b"\n") + 1
            if cut:
                lines.add(rest + piece[:cut])
                rest = piece[cut:]
            else:
                rest += piece
        if rest:
            lines.add(rest + b"\n")
    return lines.array()


class _Lines:
    """The rows read so far."""

    def __init__(self, name: str, road: object) -> None:
        self._name = name
        self._road = road
        self._text = str(road)
        self._number = _number(str(road).encode()) if road is not None else None
        self._separator: bytes | None = None
        self._width = 0
        self._line = 0
        self._empty = 0  # the first of the empty lines at the end
        self._parts: list[NDArray[np.uint8]] = []

    def add(self, text: bytes) -> None:
        """Take whole lines."""
        if self._separator is None:
            head = text.split(b"\n", 1)[0].strip()
            self._separator = next((mark for mark in (b",", b";", b"\t", b" ") if mark in head), b",")
        plain = text if self._separator == b"," else text.replace(self._separator, b",")
        if not self._fast(plain) and (b" " not in plain or not self._fast(plain.replace(b" ", b""))):
            self._slow(text)

    def array(self) -> NDArray[np.uint8]:
        """Return all rows."""
        if not self._parts:
            msg = f"{self._name!r} is empty"
            raise ValueError(msg)
        sites = np.concatenate(self._parts) if len(self._parts) > 1 else self._parts[0]
        if self._road is not None and sites.all():
            msg = f"{self._name!r} has no road: no field is road={short_repr(self._road)}"
            raise ValueError(msg)
        return sites

    def _fast(self, text: bytes) -> bool:
        length = text.find(b"\n") + 1
        ending = 2 if text[:length].endswith(b"\r\n") else 1
        width = (length - ending + 1) // 2
        if (
            width == 0
            or self._empty
            or len(text) % length
            or self._width not in {0, width}
            or self._road is not None
        ):
            return False
        table = np.frombuffer(text, np.uint8).reshape(-1, length)
        fields, marks = table[:, 0 : length - ending : 2], table[:, 1 : length - ending : 2]
        if fields.shape[1] != width or (table[:, -1] != _NEWLINE).any() or (marks != _COMMA).any():
            return False
        if ending == 2 and (table[:, -2] != ord("\r")).any():
            return False
        sites = fields - np.uint8(_ZERO)  # below "0" wraps around to more than 1
        if (sites > 1).any():
            return False
        self._parts.append(sites)
        self._width = width
        self._line += len(sites)
        return True

    def _slow(self, text: bytes) -> None:
        rows = []
        for line in text.split(b"\n")[:-1]:
            self._line += 1
            bare = line.strip()
            if not bare:
                self._empty = self._empty or self._line
                continue
            if self._empty:
                msg = f"{self._name!r}, line {self._empty}: empty, with more after it"
                raise ValueError(msg)
            rows.append(self._row(bare))
        if rows:
            self._parts.append(np.array(rows, np.uint8))

    def _row(self, bare: bytes) -> list[int]:
        fields = bare.split(None if self._separator == b" " else self._separator)
        if len(fields) > 1 and not fields[-1].strip():
            fields.pop()
        row = [self._site(field, column) for column, field in enumerate(fields, 1)]
        self._width = self._width or len(row)
        if len(row) != self._width:
            msg = f"{self._name!r}, line {self._line}: {len(row)} fields, the lines before have {self._width}"
            raise ValueError(msg)
        return row

    def _site(self, field: bytes, column: int) -> int:
        token = field.strip().strip(b"\"'").strip()
        value = _number(token)
        if self._road is not None:
            if not token:
                self._foreign(token, column, "nothing between separators")
            same = (
                value == self._number
                if self._number is not None
                else token.decode(errors="replace") == self._text
            )
            return 0 if same else 1
        if value == 0:
            return 0
        if value != 1:
            self._foreign(token, column, "neither 0 (road) nor 1 (wall); other values are read with road=")
        return 1

    def _foreign(self, token: bytes, column: int, what: str) -> None:
        found = short_repr(token.decode(errors="replace"))
        msg = f"{self._name!r}, line {self._line}, column {column}: {found} is {what}"
        raise ValueError(msg)


def _number(token: bytes) -> float | None:
    if token in {b"0", b"1"}:
        return token == b"1"
    try:
        return float(token)
    except ValueError:
        return None
