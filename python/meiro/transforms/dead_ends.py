"""Mazes made of mazes, nothing at random: without their dead ends, and the way around all walls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro._utils.square import E, N, S, W
from meiro._utils.validation import integer
from meiro.maze._validation import NO_OPENINGS
from meiro.maze.maze import Maze
from meiro.solvers.search_space import as_search_space, default_endpoints
from meiro.transforms._common import (
    CoreArguments,
    cells_at_openings,
    core_arguments,
    derive_maze,
    set_endpoints,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import Cell, CellLike

_ALL = (1 << 62) - 1  # rounds


def sparsify(maze: Maze, n: int = 1) -> Maze:
    """Close all dead ends, and what then is one, so many times; their cells are masked out.

    In a round go the cells of degree 1 that there are at its beginning. The maze's own start and goal stay,
    and so do cells beside openings, which lead on. Of two cells that have only each other, the one with the
    lesser area number stays: no region is ever lost.

    Parameters
    ----------
    maze : Maze
        Any maze.
    n : int
        How many rounds. No more than there is to close: any large number is as good.

    Returns
    -------
    Maze
        Perfect, if `maze` is; loops and regions stay as many. Wrap, openings, start and goal are the same,
        seed and recipe None.

    Raises
    ------
    ValueError
        If `n` is negative.
    TypeError
        If `maze` is no `Maze`, or `n` no integer.
    MemoryError
        If there is no room for it, before anything is taken.

    Examples
    --------
    >>> maze = meiro.generate((1, 5), rng=7)
    >>> meiro.sparsify(maze).mask.tolist()
    [[False, True, True, True, False]]
    """
    ground = core_arguments(maze, 6, "sparsify")
    return _filled(maze, ground, _own_ends(maze), min(integer(n, "n", 0), _ALL))


def fill_dead_ends(maze: Maze, *, keep: CellLike | Sequence[CellLike] | None = None) -> Maze:
    """Fill dead ends until there are none; their cells are masked out.

    Of a perfect maze the way between start and goal is left alone. Where there are loops all ways between
    them are left, and the loops, with what leads to them; of a part without any cell to keep and without
    loops, one cell in its middle.

    Parameters
    ----------
    maze : Maze
        Any maze.
    keep : (int, int) or sequence of (int, int)
        The cells that stay, row and column each. By default start and goal of the maze, else its first and
        last cell; so do cells beside openings. ``keep=[]``: none beyond these.

    Returns
    -------
    Maze
        Perfect, if `maze` is; loops and regions stay as many. Wrap and openings are the same; start and goal,
        if their cells stayed; seed and recipe are None.

    Raises
    ------
    ValueError
        If a cell is outside, or masked out.
    TypeError
        If `maze` is no `Maze`, or `keep` holds no cells.
    MemoryError
        If there is no room for it, before anything is taken.

    Examples
    --------
    >>> maze = meiro.generate((20, 30), rng=7)
    >>> way = meiro.fill_dead_ends(maze)
    >>> int(way.mask.sum()) == len(meiro.solve(maze).path)
    True
    """
    ground = core_arguments(maze, 6, "fill_dead_ends")
    on = as_search_space(maze, None)
    if keep is None:
        kept = np.array([on.number(cell) for cell in default_endpoints(maze)])
    else:
        kept = on.numbers(keep, "keep") if len(keep) else np.empty(0, np.int64)
    return _filled(maze, ground, kept, _ALL)


def unicursal(maze: Maze) -> Maze:
    """Make one path through all cells, by a wall down the middle of every passage.

    Each cell becomes four, and the path goes once around all walls, as one hand of a wall follower does. It
    is cut in the start of `maze` (else the cell beside its first opening, else its first cell): at
    an opening, which becomes two; else at its first side that is a wall, in the order N, E, S, W; of a
    cell open on all sides, on the way to the north.

    Parameters
    ----------
    maze : Maze
        A perfect maze in one part.

    Returns
    -------
    Maze
        Of shape (2 * rows, 2 * cols), with the mask and the wrap of `maze`. Perfect: every cell has two ways,
        but start and goal, the ends of the path, have one. Other openings are closed; seed and recipe are
        None.

    Raises
    ------
    ValueError
        If `maze` has loops or more than one region.
    TypeError
        If it is no `Maze`.
    MemoryError
        If there is no room for it, before anything is taken.

    Examples
    --------
    >>> path = meiro.unicursal(meiro.generate((20, 30), rng=7))
    >>> meiro.solve(path).length
    2399
    """
    passages, mask, wrap = core_arguments(maze, 8, "unicursal")
    census = _core.check_maze(passages, mask, wrap)
    for count, few, what, how in (
        (census["loops"], 0, "loop", "meiro.remove_islands"),
        (census["regions"], 1, "region", "meiro.join_regions, or a mask of one part,"),
    ):
        if count > few:
            msg = f"unicursal needs a perfect maze in one part, not one of {count} {what}s: {how} helps"
            raise ValueError(msg)
    out, there = _core.unicursal(passages, mask)
    start, goal, openings = _cut(maze, out)
    made = Maze._made(out, None if there is None else there.view(np.bool_), openings, wrap=maze.wrap)
    return set_endpoints(made, start, goal)


def _cut(maze: Maze, out: NDArray[np.uint8]) -> tuple[Cell, Cell, NDArray[np.int64]]:
    """Close one passage of the way around: return its ends, and the openings beside them."""
    rows, cols = cells_at_openings(maze)
    cell = maze.start or ((int(rows[0]), int(cols[0])) if len(rows) else default_endpoints(maze)[0])
    here = maze.openings[(rows == cell[0]) & (cols == cell[1])]
    row, col = 2 * cell[0], 2 * cell[1]
    sides = (  # where an opening would be, two quarters of the cell, and the way from one to the other
        (N, (row, col + 1), (row, col), (row, col + 1), E),
        (E, (row + 1, col + 2), (row, col + 1), (row + 1, col + 1), S),
        (S, (row + 2, col + 1), (row + 1, col), (row + 1, col + 1), E),
        (W, (row + 1, col), (row, col), (row + 1, col), S),
    )
    open_ = int(maze.passages[cell])
    doors = [side for side in sides if list(side[1]) in here.tolist()]
    walls = [side for side in sides if not open_ & side[0]]
    if not walls:
        start, goal, way = (row, col), ((row - 1) % len(out), col), N
    else:
        _, _, start, goal, way = (doors or walls)[0]
    out[start] &= 15 - way
    out[goal] &= 15 - {N: S, E: W, S: N}[way]
    if not doors:
        return start, goal, NO_OPENINGS
    outwards = np.array(doors[0][1]) - np.array([row + 1, col + 1])
    openings = 2 * np.array([start, goal]) + 1 + outwards
    return start, goal, openings


def _own_ends(maze: Maze) -> NDArray[np.int64]:
    ends = [end for end in (maze.start, maze.goal) if end is not None]
    return np.array([row * maze.cols + col for row, col in ends], np.int64)


def _filled(maze: Maze, ground: CoreArguments, kept: NDArray[np.int64], rounds: int) -> Maze:
    rows, cols = cells_at_openings(maze)
    cells = np.concatenate([kept, rows * maze.cols + cols])
    passages, there = _core.fill_dead_ends(*ground, cells, rounds)
    return derive_maze(maze, passages, there=there)
