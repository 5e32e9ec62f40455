"""Mazes as undirected graphs in DOT, the language of Graphviz."""

from __future__ import annotations

import math
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro.colors import GOAL, START
from meiro.drawing.routes import parse_routes
from meiro.drawing.svg import repeated
from meiro.spaces.space_of import lattice_of, space_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

_STEP = 36  # points from cell to cell
_WIDTH = 16  # items of work a line


def write_dot(file: IO[bytes], maze: Any, *, solution: Any = None) -> None:
    """Write the graph of a maze of any kind; its ends are those of the solution, if a path was found."""
    ends: Any = None, None
    if lattice_of(maze) is not None:
        ends = parse_routes(maze, solution)[0].ends
    elif solution is not None and solution.found:
        ends = solution.cells[[0, -1]] @ (maze.cols, 1)
    for text in _pieces(maze, ends):
        file.write(text.encode())
    file.write(b"\n")


def to_dot(maze: Any, *, start: Any = None, goal: Any = None) -> str:
    """Return the maze as an undirected graph in DOT.

    Every cell is a node, named by its number (``row * cols + col`` on squares), with its label if it has one.
    It is pinned to its position if that is in the plane, so that ``dot``, ``neato`` and ``neato -n2`` all
    draw the maze as it lies. Start is blue, goal green; an edge across the border of a periodic maze is
    dashed.

    Parameters
    ----------
    maze : Maze or GraphMaze
    start, goal : cell, optional
        Default: `Maze.endpoints`.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If start or goal is no cell.
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
    >>> maze = meiro.GraphMaze(meiro.Lattice(2, [(0, 1)]), [True])
    >>> print(maze.to_dot())
    graph maze {
      edge [penwidth=2];
      node [shape=circle, width=0.3, height=0.3, fixedsize=true, fontsize=9];
      0 [style=filled, fillcolor="#1d3fb8", fontcolor=white];
      1 [style=filled, fillcolor="#1fb85c"];
      0 -- 1;
    }
    """
    space: Any = space_of(maze)
    require(600 * math.prod(space.shape), f"the DOT of {maze!r}", "save() it as a picture")
    given = (("start", start), ("goal", goal))
    text = ""
    for piece in _pieces(maze, [None if cell is None else space.number(cell, name) for name, cell in given]):
        text += piece  # in place; a join of all would not be interruptible
    return text


def _pieces(maze: Any, ends: Iterable[int | None]) -> Iterator[str]:
    """Yield the text; the ends are numbers, None for those of the maze."""
    lattice, space = lattice_of(maze), space_of(maze)
    first, last = (
        space.number(usual, "endpoints") if end is None else int(end)
        for end, usual in zip(ends, maze.endpoints, strict=True)
    )
    cells, places = _cells_and_places(maze)
    size = 6 if lattice is None and maze.passages.size > 1000 else 9  # five digits fit, or three
    yield (
        "graph maze {\n"
        + "  graph [layout=nop2, inputscale=72];\n" * (places is not None)
        + "  edge [penwidth=2];\n"
        f"  node [shape=circle, width=0.3, height=0.3, fixedsize=true, fontsize={size}];\n"
    )
    marks = {last: f'style=filled, fillcolor="{GOAL.hex}"'}
    marks[first] = f'style=filled, fillcolor="{START.hex}", fontcolor=white'
    labels = None if lattice is None else lattice.labels
    for band in bands(len(cells), _WIDTH):
        text = ""
        points = [] if places is None else places[band].tolist()
        for i, cell in enumerate(cells[band].tolist()):
            words = [] if labels is None else [f"label={_quoted(str(labels[cell]))}"]
            words += [f'pos="{x:.0f},{y:.0f}!"' for x, y in points[i : i + 1]]
            words += [marks[cell]] if cell in marks else []
            text += f"  {cell} [{', '.join(words)}];\n" if words else f"  {cell};\n"
        yield text
    edges = maze.edges()
    for band in bands(len(edges), _WIDTH):
        pairs = edges[band]
        text = repeated("  %d -- %d;\n", *pairs.T)
        crosses = pairs[:, 0] > pairs[:, 1]  # only an edge across the border leads back
        if lattice is None and crosses.any():
            lines = text.splitlines()
            for i in np.flatnonzero(crosses).tolist():
                lines[i] = lines[i][:-1] + " [style=dashed];"
            text = "\n".join(lines) + "\n"
        yield text
    yield "}"


def _cells_and_places(maze: Any) -> tuple[NDArray[np.int64], NDArray[Any] | None]:
    """Return the cells, and their places in points, counted upwards; None for what is not in the plane."""
    lattice = lattice_of(maze)
    if lattice is None:
        cells = np.arange(maze.passages.size) if maze.mask is None else np.flatnonzero(maze.mask)
        row, col = np.divmod(cells, maze.cols)
        return cells, _STEP * np.stack([col, maze.rows - 1 - row], axis=1)
    cells = np.arange(lattice.n_cells)
    if lattice.positions is None or lattice.positions.shape[1] != 2:
        return cells, None
    ends = lattice.positions[lattice.edges]
    lengths = np.hypot(*(ends[:, 0] - ends[:, 1]).T)
    step = float(np.median(lengths)) if len(lengths) else 1.0
    scale = _STEP / step if step > 0 else 1.0
    return cells, np.round(lattice.positions * (scale, -scale)) + 0.0


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
