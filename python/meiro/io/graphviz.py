"""Mazes as undirected graphs in DOT, the language of Graphviz."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro._utils.square import Cell, CellLike, existing_cell
from meiro.colors import GOAL, START
from meiro.drawing.routes import parse_routes
from meiro.drawing.svg import repeated
from meiro.io.text import write_in_pieces
from meiro.lattices.lattice import cell_of
from meiro.mazes.graph_maze import ends_of_graph_maze
from meiro.spaces.space_of import lattice_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from meiro.lattices.lattice import Lattice
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze

_STEP = 36  # points from cell to cell
_WIDTH = 16  # items of work a line


def write_dot(file: IO[bytes], maze: Any, *, solution: Any = None) -> None:
    """Write the graph of a maze of any kind; its ends are those of the solution, if a path was found."""
    if lattice_of(maze) is not None:
        (route,) = parse_routes(maze, solution)[:1]
        write_in_pieces(file, to_dot(maze, **_labelled(maze, route.ends)))
        return
    start, goal = (None, None) if solution is None or not solution.found else solution.cells[[0, -1]].tolist()
    for text in _pieces(maze, start, goal):
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
    if lattice_of(maze) is not None:
        return _graph_dot(maze, start, goal)
    require(600 * maze.passages.size, f"the DOT of {maze!r}", "save() it as a picture")
    text = ""
    for piece in _pieces(maze, start, goal):
        text += piece  # in place; a join of all would not be interruptible
    return text


def _pieces(maze: Maze, start: CellLike | None, goal: CellLike | None) -> Iterator[str]:
    rows, cols = maze.rows, maze.cols
    exists = None if maze.mask is None else maze.mask.reshape(-1)
    usual = zip((start, goal), maze.endpoints, ("start", "goal"), strict=True)
    first, last = (_endpoint(maze, given, own, name) for given, own, name in usual)
    size = 9 if rows * cols <= 1000 else 6  # three digits fit, or five
    yield (
        "graph maze {\n  graph [layout=nop2, inputscale=72];\n  edge [penwidth=2];\n"
        f"  node [shape=circle, width=0.3, height=0.3, fixedsize=true, fontsize={size}];\n"
    )
    marks = {last: f', style=filled, fillcolor="{GOAL.hex}"'}
    marks[first] = f', style=filled, fillcolor="{START.hex}", fontcolor=white'
    for band in bands(rows * cols, _WIDTH):
        cells = np.arange(band.start, band.stop)
        if exists is not None:
            cells = cells[exists[band]]
        y = (rows - 1 - cells // cols) * _STEP  # Graphviz counts upwards
        text = repeated('  %d [pos="%d,%d!"];\n', cells, cells % cols * _STEP, y)
        for cell in {*marks} & {*cells.tolist()}:
            text = re.sub(rf"(?m)^(  {cell} \[.*)\];$", rf"\1{marks[cell]}];", text)
        yield text
    edges = maze.edges()
    for band in bands(len(edges), _WIDTH):
        pairs = edges[band]
        crosses = pairs[:, 0] > pairs[:, 1]  # only an edge across the border leads back
        text = repeated("  %d -- %d;\n", *pairs.T)
        if crosses.any():
            lines = text.splitlines()
            for i in np.flatnonzero(crosses).tolist():
                lines[i] = lines[i][:-1] + " [style=dashed];"
            text = "\n".join(lines) + "\n"
        yield text
    yield "}"


def _endpoint(maze: Maze, given: CellLike | None, usual: Cell, name: str) -> int:
    row, col = usual if given is None else existing_cell(given, (maze.rows, maze.cols), maze.mask, name)
    return row * maze.cols + col


def _labelled(maze: GraphMaze, ends: tuple[int | None, int | None]) -> dict[str, Hashable]:
    labels = maze.lattice.labels
    named = (end if end is None or labels is None else labels[end] for end in ends)
    return dict(zip(("start", "goal"), named, strict=True))


def _graph_dot(maze: Any, start: Hashable, goal: Hashable) -> str:
    lattice = maze.lattice
    require(600 * lattice.n_cells, f"the DOT of {maze!r}", "save() it as a picture")
    first, last = (
        default if cell is None else cell_of(lattice, cell, name)
        for name, cell, default in zip(
            ("start", "goal"), (start, goal), ends_of_graph_maze(maze), strict=True
        )
    )
    marks = {last: f'style=filled, fillcolor="{GOAL.hex}"'}
    marks[first] = f'style=filled, fillcolor="{START.hex}", fontcolor=white'
    places = _places(lattice)
    lines = ["graph maze {", "  graph [layout=nop2, inputscale=72];"] if places else ["graph maze {"]
    lines += [
        "  edge [penwidth=2];",
        "  node [shape=circle, width=0.3, height=0.3, fixedsize=true, fontsize=9];",
    ]
    for cell in range(lattice.n_cells):
        label = [] if lattice.labels is None else [f"label={_quoted(str(lattice.labels[cell]))}"]
        words = [*label, *places[cell : cell + 1], *([marks[cell]] if cell in marks else [])]
        lines.append(f"  {cell} [{', '.join(words)}];" if words else f"  {cell};")
    lines += [f"  {one} -- {other};" for one, other in maze.edges().tolist()]
    return "\n".join([*lines, "}"])


def _places(lattice: Lattice) -> list[str]:
    """Return the positions in Graphviz's words, 36 points from cell to cell; none outside of the plane."""
    if lattice.positions is None or lattice.positions.shape[1] != 2:
        return []
    ends = lattice.positions[lattice.edges]
    lengths = np.hypot(*(ends[:, 0] - ends[:, 1]).T)
    step = float(np.median(lengths)) if len(lengths) else 1.0
    scale = _STEP / step if step > 0 else 1.0
    points = np.round(lattice.positions * (scale, -scale))  # Graphviz counts upwards
    return [f'pos="{x:.0f},{y:.0f}!"' for x, y in (points + 0.0).tolist()]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
