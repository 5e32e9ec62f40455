"""Mazes as mazelib has them: its grid of int8, with start and end as sites."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.messages import invalid_as
from meiro._utils.square import FLAT, checked_cell
from meiro._utils.validation import items_of, plain_array
from meiro.mazes._endpoints import ends_of
from meiro.mazes.maze import Maze, require_maze

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell


class MazelibGrid(NamedTuple):
    """What a ``mazelib.Maze`` holds.

    Attributes
    ----------
    grid : ndarray of int8, shape (2 * rows + 1, 2 * cols + 1)
        0 for road, 1 for wall; its border is wall, even where the maze begins.
    start, end : (int, int)
        Sites: of cells, or in the border.

    Examples
    --------
    >>> found = meiro.io.to_mazelib(meiro.generate((4, 5), rng=7))
    >>> found.grid.shape, found.start, found.end
    ((9, 11), (1, 1), (7, 9))
    """

    grid: NDArray[np.int8]
    start: Cell
    end: Cell


def to_mazelib(maze: Maze) -> MazelibGrid:
    """Return a maze as the fields of a ``mazelib.Maze``.

    Parameters
    ----------
    maze : Maze
        Its two openings become start and end in the border; else its endpoints are sites of cells.

    Raises
    ------
    ValueError
        If the maze is periodic or has more than two openings, which mazelib has not.

    References
    ----------
    mazelib 0.9.16, https://github.com/john-science/mazelib

    Examples
    --------
    >>> grid, start, end = meiro.io.to_mazelib(meiro.generate((3, 4), rng=7))
    >>> grid.dtype, start, end
    (dtype('int8'), (1, 1), (5, 7))

    ``theirs = mazelib.Maze(); theirs.grid, theirs.start, theirs.end = meiro.io.to_mazelib(maze)`` makes it
    theirs.
    """
    require_maze(maze)
    if maze.wrap != FLAT:
        raise ValueError("maze is periodic, and mazelib has no such mazes: take one without wrap")
    if len(maze.openings) > 2:
        raise ValueError(f"mazelib has a start and an end, and the maze {len(maze.openings)} openings")
    grid = maze.to_grid().astype(np.int8)
    grid[tuple(maze.openings.T)] = 1
    start, end = ((2 * e.cell[0] + 1, 2 * e.cell[1] + 1) if e.site is None else e.site for e in ends_of(maze))
    return MazelibGrid(grid, start, end)


def from_mazelib(x: Any) -> Maze:
    """Return the maze of a ``mazelib.Maze``.

    Parameters
    ----------
    x : mazelib.Maze or (grid, start, end)
        Start and end may be None. In the border they become openings, else the start and the goal.

    Raises
    ------
    ValueError
        If the grid is not that of a maze, or start or end is no cell and no site of the border beside one.

    Examples
    --------
    >>> maze = meiro.generate((3, 4), rng=7, openings="top_bottom")
    >>> meiro.io.from_mazelib(meiro.io.to_mazelib(maze)).openings.tolist() == maze.openings.tolist()
    True
    """
    if not (hasattr(x, "start") and hasattr(x, "end")):
        parts = tuple(islice(items_of(x, "x", "grid, start and end"), 4))
        if len(parts) != 3:
            many = "more" if len(parts) > 3 else len(parts)
            raise ValueError(f"x must be a mazelib.Maze, or a grid, a start and an end: three, not {many}")
        x = MazelibGrid(*parts)
    if x.grid is None:
        raise ValueError("x: the mazelib.Maze has no grid yet: call its generate()")
    with invalid_as("x", ValueError, TypeError):
        closed = Maze.from_grid(plain_array(x.grid, "grid"))
    ends: list[Cell | None] = []
    openings = []
    for name in ("start", "end"):
        if (given := getattr(x, name)) is None:
            ends.append(None)
            continue
        row, col = site = checked_cell(given, closed.grid.shape, name, "site")
        ends.append((row // 2, col // 2) if row % 2 and col % 2 else None)
        if ends[-1] is None:
            openings.append(site)
    return Maze(closed.passages, closed.mask, openings, start=ends[0], goal=ends[1])
