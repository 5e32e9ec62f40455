"""A maze as an undirected graph in DOT, the language of Graphviz."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

import numpy as np

from meiro._utils.memory import require
from meiro._utils.square import Cell, CellLike, existing_cell
from meiro.colors import GOAL, START

if TYPE_CHECKING:
    from collections.abc import Iterator

    from meiro.maze.maze import Maze
    from meiro.results.solution import Solution

_STEP = 36  # points from cell to cell


def write_dot(file: IO[bytes], maze: Maze, *, solution: Solution | None = None) -> None:
    """Write the graph as `to_dot` returns it; its ends are those of the solution, if a path was found."""
    start, goal = (None, None) if solution is None or not solution.found else solution.cells[[0, -1]].tolist()
    for line in _lines(maze, start, goal):
        file.write(line.encode() + b"\n")


def to_dot(maze: Maze, *, start: CellLike | None = None, goal: CellLike | None = None) -> str:
    """Return the maze as an undirected graph in DOT.

    Every cell is a node, named by its number (``row * cols + col``) and pinned to its position, so that
    ``dot``, ``neato`` and ``neato -n2`` all draw the maze as it lies. Start is blue, goal green; an edge
    across the border of a periodic maze is dashed.

    Parameters
    ----------
    maze : Maze
    start, goal : (int, int), optional
        Default: those of the maze, else its first and last cell.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If start or goal is outside or masked out.
    MemoryError
        If the text cannot fit, before it is made.

    Examples
    --------
    >>> print(meiro.Maze([[2, 8]]).to_dot())
    graph maze {
      graph [layout=nop2, inputscale=72];
      edge [penwidth=2];
      node [shape=circle, width=0.3, height=0.3, fixedsize=true, fontsize=9];
      0 [pos="0,0!", style=filled, fillcolor="#1d3fb8", fontcolor=white];
      1 [pos="36,0!", style=filled, fillcolor="#1fb85c"];
      0 -- 1;
    }
    """
    require(600 * maze.passages.size, f"the DOT of {maze!r}", "save() it as a picture")
    return "\n".join(_lines(maze, start, goal))


def _lines(maze: Maze, start: CellLike | None, goal: CellLike | None) -> Iterator[str]:
    rows, cols = maze.rows, maze.cols
    cells = np.arange(rows * cols) if maze.mask is None else np.flatnonzero(maze.mask)
    first = _endpoint(maze, start, maze.start, int(cells[0]), "start")
    last = _endpoint(maze, goal, maze.goal, int(cells[-1]), "goal")
    size = 9 if rows * cols <= 1000 else 6  # three digits fit, or five
    yield "graph maze {"
    yield "  graph [layout=nop2, inputscale=72];"
    yield "  edge [penwidth=2];"
    yield f"  node [shape=circle, width=0.3, height=0.3, fixedsize=true, fontsize={size}];"
    marks = {last: f', style=filled, fillcolor="{GOAL.hex}"'}
    marks[first] = f', style=filled, fillcolor="{START.hex}", fontcolor=white'
    x = (cells % cols * _STEP).tolist()
    y = ((rows - 1 - cells // cols) * _STEP).tolist()  # Graphviz counts upwards
    for cell, left, up in zip(cells.tolist(), x, y, strict=True):
        yield f'  {cell} [pos="{left},{up}!"{marks.get(cell, "")}];'
    for one, other in maze.edges().tolist():
        crosses = one > other  # only an edge across the border leads back
        yield f"  {one} -- {other}{' [style=dashed]' if crosses else ''};"
    yield "}"


def _endpoint(maze: Maze, given: CellLike | None, own: Cell | None, default: int, name: str) -> int:
    if given is None:
        return default if own is None else own[0] * maze.cols + own[1]
    cell = existing_cell(given, (maze.rows, maze.cols), maze.mask, name)
    return cell[0] * maze.cols + cell[1]
