"""WKT, well-known text: walls as one MULTILINESTRING; with a path, or a mask, the first of a collection.

A collection ends with a MULTIPOINT of the middles of masked-out cells, by which walls are read as the maze.
"""

from __future__ import annotations

import json
import os
import re
from typing import IO, TYPE_CHECKING

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import invalid_as
from meiro.drawing.lines import Lines
from meiro.io.shapes.geometries import maze_of_geometries, shapely_and_text
from meiro.io.shapes.wall_shapes import texts, wall_shapes
from meiro.io.shapes.wall_sites import packed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.results.solution import Solution


# Ends of lines and semicolons between geometries, and the numbers of their coordinate systems (EWKT).
_SYSTEM = r"(?:SRID\s*=\s*\d+\s*;\s*)?"
_BETWEEN = re.compile(rf"^\s*{_SYSTEM}|(?<=[)Y])[\s;]+{_SYSTEM}(?=[A-Z]|$)", re.IGNORECASE)


def write_wkt(file: IO[bytes], maze: Maze | GraphMaze, *, solution: Solution | None = None) -> None:
    """Write the walls; with a solution or a mask a GEOMETRYCOLLECTION."""
    walls, path, _ = wall_shapes(maze, solution)
    mask: NDArray[np.bool_] | None = getattr(maze, "mask", None)  # a GraphMaze has none
    collected = path is not None or mask is not None
    file.write(b"GEOMETRYCOLLECTION (" if collected else b"")
    _write(file, b"MULTILINESTRING", walls)
    if path is not None:
        file.write(b",\n")
        _write(file, b"MULTILINESTRING", path)
    if mask is not None:
        rows, cols = np.nonzero(~mask)
        middles = np.stack([cols + 0.5, len(mask) - 0.5 - rows], axis=1)
        file.write(b",\n")
        _write(file, b"MULTIPOINT", Lines(middles, np.arange(len(middles) + 1)))
    file.write(b")\n" if collected else b"\n")


def _write(file: IO[bytes], kind: bytes, lines: Lines) -> None:
    if len(lines.starts) == 1:
        file.write(kind + b" EMPTY")
        return
    file.write(kind + b" (")
    for text in texts(lines, lambda n: f"({', '.join(['%.12g %.12g'] * n)})", ", "):
        file.write(text.encode())
    file.write(b")")


def read_wkt(path: str | os.PathLike[str]) -> Maze | NDArray[np.uint8]:
    """Read walls: the first MULTILINESTRING, or the lines of a collection; needs the extra ``maps``.

    Of several geometries, one after another as databases write them, all lines are walls. A MULTIPOINT of
    middles of cells after the first names those that do not exist.

    Raises
    ------
    ValueError
        If the file holds something else, or its lines are no walls of a maze; with the number of the line.
    ImportError
        If shapely is not installed.
    """
    name = repr(os.fspath(path))
    shapely, text = shapely_and_text(path, "()")
    with (
        invalid_as(f"{name} is not well-known text", shapely.errors.ShapelyError, NotImplementedError),
        np.errstate(all="ignore"),
    ):
        found = shapely.from_wkt([one for one in _BETWEEN.split(text) if one] or [""])
    parts = shapely.get_parts(found) if len(found) == 1 else []
    several = [part for part in parts if part.geom_type == "MultiLineString"]
    points = [shapely.get_coordinates(part) for part in parts if part.geom_type == "MultiPoint"]
    facts = _facts(shapely.get_coordinates(several[0]), points[0]) if several and points else {}
    return maze_of_geometries(several[:1] or found, lambda _, line: f"line {line:,}", facts, name)


def _facts(corners: NDArray[np.float64], middles: NDArray[np.float64]) -> dict[str, str]:
    """Return shape and mask, by the ends of walls and the middles of cells that do not exist."""
    places = np.floor(middles)
    if not len(middles) or (middles != places + 0.5).any() or (places < 0).any():
        return {}
    cols, rows = np.concatenate([corners, places + 1]).max(axis=0).astype(int).tolist()
    require(2 * rows * cols, f"a maze of ({rows}, {cols})", "cut it into parts")
    mask = np.ones((rows, cols), np.bool_)
    x, y = places.astype(int).T
    mask[rows - 1 - y, x] = False
    return {"shape": json.dumps((rows, cols)), "mask": json.dumps(packed(mask))}
