"""WKT, well-known text: walls as one MULTILINESTRING, with a path as the second of a collection."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING

import numpy as np

from meiro._utils.messages import invalid_as
from meiro.io.shapes.geometries import maze_of_geometries, shapely_and_text
from meiro.io.shapes.wall_shapes import texts, wall_shapes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.drawing.lines import Lines
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.results.solution import Solution


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
    """Read walls: the first MULTILINESTRING, or the lines of a collection; needs the extra ``maps``.

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
        found = shapely.from_wkt(text)
    several = [part for part in shapely.get_parts(found) if part.geom_type == "MultiLineString"]
    return maze_of_geometries(several[:1] or [found], lambda _, line: f"line {line:,}", {}, name)
