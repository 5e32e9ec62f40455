"""DXF for CAD, laser cutters and plotters: release 12 (AC1009), layers WALLS and SOLUTION."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from meiro.io.shapes.wall_shapes import texts, wall_shapes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from meiro.graphs.graph_maze import GraphMaze
    from meiro.maze.maze import Maze
    from meiro.results.solution import Solution

    Group = tuple[int, object]

_COMMENT = 200  # letters; a line of a DXF has at most 255
_COLORS = {"WALLS": 7, "SOLUTION": 1}  # black or white, against the ground; red


def write_dxf(file: IO[bytes], maze: Maze | GraphMaze, *, solution: Solution | None = None) -> None:
    """Write a LINE for each straight line and a POLYLINE for each other; comments hold the recipe.

    References
    ----------
    https://help.autodesk.com/view/OARX/2024/ENU/?guid=GUID-235B22E0-A567-4CF6-92D3-38A2306D73F3
    """
    walls, path, facts = wall_shapes(maze, solution)
    text = "".join(f"{name}: {value}" for name, value in facts.items())
    head: list[Group] = [(999, text[i : i + _COMMENT]) for i in range(0, len(text), _COMMENT)]
    head += [(0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"), (0, "ENDSEC")]
    layers = {"WALLS": walls} | ({} if path is None else {"SOLUTION": path})
    head += [(0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LAYER"), (70, len(layers))]
    for name in layers:
        head += [(0, "LAYER"), (2, name), (70, 0), (62, _COLORS[name]), (6, "CONTINUOUS")]
    head += [(0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES")]
    file.write(_groups(head).encode())
    for name, lines in layers.items():
        for part in texts(lines, lambda n, name=name: _entity(n, name)):  # type: ignore[misc]
            file.write(part.encode())
    file.write(_groups([(0, "ENDSEC"), (0, "EOF")]).encode())


def _entity(n: int, layer: str) -> str:
    """Return the format of a line of `n` points."""
    if n == 2:
        ends: list[Group] = [(10, "%.12g"), (20, "%.12g"), (11, "%.12g"), (21, "%.12g")]
        return _groups([(0, "LINE"), (8, layer), *ends])
    head: list[Group] = [(0, "POLYLINE"), (8, layer), (66, 1), (10, 0), (20, 0), (30, 0)]
    vertex: list[Group] = [(0, "VERTEX"), (8, layer), (10, "%.12g"), (20, "%.12g")]
    return _groups(head) + n * _groups(vertex) + _groups([(0, "SEQEND"), (8, layer)])


def _groups(pairs: Iterable[Group]) -> str:
    """Return pairs of code and value as lines."""
    return "".join(f"{code:3}\n{value}\n" for code, value in pairs)
