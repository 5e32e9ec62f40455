"""Openings in the border of a maze, and its start and goal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.square import Cell, CellLike, existing_cell
from meiro._utils.validation import pair
from meiro.maze._validation import mask_bytes, validate_openings
from meiro.maze.maze import Maze, maze_from_core, require_maze
from meiro.seeds import RNG, seed_of
from meiro.transforms._common import cells_at_openings, seed_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray


Where = Literal["corners", "random", "farthest"]


def with_openings(maze: Maze, openings: Where | ArrayLike = "corners", *, rng: RNG = None) -> Maze:
    """Return a maze with other openings in its border.

    Parameters
    ----------
    maze : Maze
    openings : {"corners", "random", "farthest"} or array_like of int, shape (k, 2)
        "corners": the first and the last border site beside a cell; without mask and wrap these are above
        the first cell and below the last cell. "random": two such sites, all pairs equally likely.
        "farthest": beside two border cells that are far apart, see Notes. Or the sites themselves, as in
        `Maze.openings`; an empty sequence closes all openings.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed, optional
        Draws the openings for "random".

    Returns
    -------
    Maze
        With the same passages, mask, wrap, start and goal. Its seed and recipe are None if the openings
        differ from those of `maze`.

    Raises
    ------
    ValueError
        If a site is not a border site beside a cell, the word is unknown, or the border has fewer than two
        such sites (a torus has no border).
    TypeError
        If `maze` is not a `Maze`, or the sites are not integers.
    MemoryError
        If the search cannot fit in memory; nothing is allocated before.

    See Also
    --------
    with_ends : sets start and goal.

    Notes
    -----
    "farthest" is a double sweep: two breadth-first searches in each component, the second from the cell where
    the first one ended. In a perfect maze no two border cells are farther apart; with loops the distance is
    a lower bound.

    Examples
    --------
    >>> print(meiro.with_openings(meiro.generate((2, 3), "binary_tree", rng=7)))
    ╷ ╶───┐
    │     │
    │ ╶───┤
    │     │
    └───╴ ╵
    """
    require_maze(maze)
    shape = maze.rows, maze.cols
    sites: ArrayLike = openings
    if isinstance(openings, str):
        border = _border_sites(maze)
        if len(border) < 2:
            over = " (its border is periodic)" if any(maze.wrap) else ""
            count = f"{len(border)}{over}"
            msg = f'openings="{openings}" needs two border sites beside cells; {maze!r} has {count}'
            raise ValueError(msg)
        if openings == "corners":
            sites = border[[0, -1]]
        elif openings == "random":
            sites = border[list(_two(len(border), rng))]
        elif openings == "farthest":
            sites = _farthest_sites(maze, border)
        else:
            raise ValueError(_unknown("openings", openings, "border sites"))
    checked = validate_openings(sites, shape, maze.mask, maze.wrap)
    same = np.array_equal(checked, maze.openings)
    seed, recipe = (maze.seed, maze.recipe) if same else (None, None)
    state = maze.passages, maze.mask, checked, seed, recipe, maze.wrap
    return maze_from_core(*state, start=maze.start, goal=maze.goal)


def with_ends(
    maze: Maze, ends: Where | Sequence[CellLike] | NDArray[np.integer] = "corners", *, rng: RNG = None
) -> Maze:
    """Return a maze with another start and goal.

    Parameters
    ----------
    maze : Maze
    ends : {"corners", "random", "farthest"} or ((int, int), (int, int))
        "corners": the first and the last cell. "random": two cells, all pairs equally likely. "farthest":
        the two ends of a longest shortest path, see Notes. Or start and goal themselves. In a maze of one
        cell that cell is both.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed, optional
        Draws the cells for "random".

    Returns
    -------
    Maze
        Equal to `maze`, with its seed and recipe.

    Raises
    ------
    ValueError
        If a cell is outside the maze or masked out, or the word is unknown.
    TypeError
        If `maze` is not a `Maze`, or `ends` not two cells.
    MemoryError
        If the search cannot fit in memory; nothing is allocated before.

    See Also
    --------
    with_openings : sets the openings in the border.
    endpoints : start and goal for each maze of a batch.
    longest_path : the exact longest shortest path.

    Notes
    -----
    "farthest" is a double sweep: two breadth-first searches in each component, the second from the cell where
    the first one ended. In a perfect maze no two cells are farther apart; with loops the distance is a lower
    bound, at least half of the diameter.

    Examples
    --------
    >>> maze = meiro.with_ends(meiro.generate((20, 30), rng=7), "farthest")
    >>> meiro.solve(maze).length == int(meiro.distances(maze, maze.start).max())
    True
    """
    require_maze(maze)
    if not isinstance(ends, str):
        start, goal = _two_cells(maze, ends)
    elif ends == "corners":
        start, goal = _cell(maze, 0), _cell(maze, -1)
    elif ends == "random":
        cells = maze.passages.size if maze.mask is None else int(np.count_nonzero(maze.mask))
        first, second = _two(cells, rng) if cells > 1 else (0, 0)
        start, goal = _cell(maze, first), _cell(maze, second)
    elif ends == "farthest":
        one, other = _farthest(maze, mask_bytes(maze.mask))
        start, goal = divmod(one, maze.cols), divmod(other, maze.cols)
    else:
        raise ValueError(_unknown("ends", ends, "two cells"))
    state = maze.passages, maze.mask, maze.openings, maze.seed, maze.recipe, maze.wrap
    return maze_from_core(*state, start=start, goal=goal)


def _unknown(name: str, value: str, what: str) -> str:
    return f'{name} must be "corners", "random", "farthest" or {what}, not {short_repr(value)}'


def _two(n: int, rng: RNG) -> tuple[int, int]:
    """Return two different numbers below n."""
    return _core.two(n, seed_words(seed_of(rng)))


def _cell(maze: Maze, i: int) -> Cell:
    """Return the i-th cell that exists."""
    number = i % maze.passages.size if maze.mask is None else int(np.flatnonzero(maze.mask)[i])
    return divmod(number, maze.cols)


def _two_cells(maze: Maze, ends: object) -> tuple[Cell, Cell]:
    try:
        start, goal = (pair(end, "ends") for end in ends)  # type: ignore[attr-defined]  # the question itself
    except (TypeError, ValueError):
        msg = f"ends must be two cells, (row, col) each, or a word, not {short_repr(ends)}"
        raise TypeError(msg) from None
    shape = maze.rows, maze.cols
    start = existing_cell(start, shape, maze.mask, "start")
    return start, existing_cell(goal, shape, maze.mask, "goal")


def _farthest(maze: Maze, among: NDArray[np.uint8] | None) -> tuple[int, int]:
    """Return the numbers of two cells far apart, in order."""
    size = maze.passages.size
    require((2 + any(maze.wrap)) * size, f"a double sweep of {maze!r}", "give the cells themselves")
    one, other, _ = _core.farthest(maze.passages, maze.wrap, among)
    return min(one, other), max(one, other)


def _border_sites(maze: Maze) -> NDArray[np.int64]:
    """Return the border sites beside cells, in order."""
    cells = np.broadcast_to(np.True_, (maze.rows, maze.cols)) if maze.mask is None else maze.mask
    sides = [np.empty((0, 2), np.int64)]
    for axis, lines in enumerate((cells, cells.T)):
        for across, line in ((0, lines[0]), (2 * len(lines), lines[-1])):
            along = 2 * np.flatnonzero(line) + 1
            site = np.stack([np.full_like(along, across), along], axis=1)
            if not maze.wrap[axis]:
                sides.append(site[:, :: -1 if axis else 1])
    sites = np.concatenate(sides)
    return sites[np.lexsort(sites.T[::-1])]


def _farthest_sites(maze: Maze, border: NDArray[np.int64]) -> NDArray[np.int64]:
    rows, cols = cells_at_openings(maze, border)
    cells = rows * maze.cols + cols
    among = np.zeros((maze.rows, maze.cols), np.uint8)
    among[rows, cols] = 1
    one, other = _farthest(maze, among)
    first, second = np.flatnonzero(cells == one)[0], np.flatnonzero(cells == other)[-1]
    if first == second:
        msg = f'openings="farthest": no path in {maze!r} connects two border sites'
        raise ValueError(msg)
    return border[[first, second]]
