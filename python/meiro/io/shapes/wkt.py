"""WKT, well-known text: walls as one MULTILINESTRING, with a path as the second of a collection."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from meiro.io.shapes.wall_shapes import texts, wall_shapes

if TYPE_CHECKING:
    from meiro.drawing.graph_outline import Lines
    from meiro.graphs.graph_maze import GraphMaze
    from meiro.maze.maze import Maze
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
