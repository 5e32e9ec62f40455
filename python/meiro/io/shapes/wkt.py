"""WKT, well-known text: walls as one MULTILINESTRING, with a path as the second of a collection."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro.io.shapes.wall_shapes import texts, wall_shapes
from meiro.io.shapes.wall_sites import WallLines, maze_of_lines, segments_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.drawing.graph_outline import Lines
    from meiro.graphs.graph_maze import GraphMaze
    from meiro.maze.maze import Maze
    from meiro.results.solution import Solution


_MEMORY = 60  # bytes a byte of the file
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_LINE = re.compile(rf"\s*\(((?:\s*{_NUMBER}\s+{_NUMBER}\s*,)+\s*{_NUMBER}\s+{_NUMBER}\s*)\)\s*")
_END = re.compile(r"\)\s*")
_COLLECTION = re.compile(r"\s*GEOMETRYCOLLECTION\s*\(", re.IGNORECASE)
_BEGIN = re.compile(r"\s*(MULTI)?LINESTRING\s*(?:(EMPTY)\s*|(?=\())", re.IGNORECASE)


def write_wkt(file: IO[bytes], maze: Maze | GraphMaze, *, solution: Solution | None = None) -> None:
    """Write the walls; with a solution a GEOMETRYCOLLECTION of walls and path."""
    walls, path, _ = wall_shapes(maze, solution)
    if path is None:
        _write_lines(file, walls)
    else:
        file.write(b"GEOMETRYCOLLECTION (")
        _write_lines(file, walls)
        file.write(b",\n")
        _write_lines(file, path)
        file.write(b")")
    file.write(b"\n")


def _write_lines(file: IO[bytes], lines: Lines) -> None:
    if len(lines.starts) == 1:
        file.write(b"MULTILINESTRING EMPTY")
        return
    file.write(b"MULTILINESTRING (")
    for text in texts(lines, lambda n: f"({', '.join(['%.12g %.12g'] * n)})", ", "):
        file.write(text.encode())
    file.write(b")")


def read_wkt(path: str | os.PathLike[str]) -> Maze | NDArray[np.uint8]:
    """Read walls: the first MULTILINESTRING, or the lines of a collection of LINESTRINGs.

    Raises
    ------
    ValueError
        If the file holds something else, or its lines are no walls of a maze; with the character.
    """
    name = repr(os.fspath(path))
    require(_MEMORY * Path(path).stat().st_size, name, "cut it into parts")
    data = Path(path).read_bytes()
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError as e:
        msg = f"{name} is not well-known text: byte {e.start} is {data[e.start]:#04x}"
        raise ValueError(msg) from e
    geometries: list[_Lines] = []
    at, opened = 0, _COLLECTION.match(text)
    if opened:
        at = opened.end()
    while True:
        found, at = _geometry(text, at, name)
        geometries.append(found)
        if not opened or not text.startswith(",", at):
            break
        at += 1
    if opened:
        if not text.startswith(")", at):
            raise ValueError(_unexpected(name, text, at, ", or )"))
        at += 1
    if text[at:].strip():
        raise ValueError(_unexpected(name, text, at, "the end"))
    several = [found.lines for found in geometries if found.several]
    lines = several[0] if several else [line for found in geometries for line in found.lines]
    segments, of = segments_of([points for _, points in lines])
    return maze_of_lines(WallLines(segments, lambda i: f"character {lines[of[i]][0]:,}", {}), name)


class _Lines(NamedTuple):
    """A MULTILINESTRING or a LINESTRING: where in the text each line begins, and its points."""

    several: bool
    lines: list[tuple[int, NDArray[np.float64]]]


def _geometry(text: str, at: int, name: str) -> tuple[_Lines, int]:
    """Return the lines that begin at a character, and where they end."""
    begin = _BEGIN.match(text, at)
    if begin is None:
        raise ValueError(_unexpected(name, text, at, "LINESTRING or MULTILINESTRING"))
    found, at = _Lines(begin[1] is not None, []), begin.end()
    if begin[2] is not None:
        return found, at
    at += found.several
    while True:
        line = _LINE.match(text, at)
        if line is None:
            raise ValueError(_unexpected(name, text, at, "a line, (x y, x y)"))
        points = np.array(line[1].replace(",", " ").split(), np.float64).reshape(-1, 2)
        found.lines.append((at, points))
        at = line.end()
        if not found.several:
            return found, at
        if not text.startswith(",", at):
            break
        at += 1
    end = _END.match(text, at)
    if end is None:
        raise ValueError(_unexpected(name, text, at, ", or )"))
    return found, end.end()


def _unexpected(name: str, text: str, at: int, wanted: str) -> str:
    found = short_repr(text[at : at + 20]) if at < len(text) else "the end"
    return f"{name}, character {at:,}: {found} is not {wanted}"
