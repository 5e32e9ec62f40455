"""Where a maze is entered and left: openings in its border, and the two ends to be solved for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.validation import pair
from meiro.maze._validation import as_bytes, checked_openings
from meiro.maze.maze import Maze
from meiro.seeds import RNG, seed_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike

Where = Literal["corners", "random", "farthest"]


def with_openings(maze: Maze, openings: Where | ArrayLike = "corners", *, rng: RNG = None) -> Maze:
    """Return the maze with other openings in its border.

    Parameters
    ----------
    maze : Maze
    openings : {"corners", "random", "farthest"} or array_like of int, shape (k, 2)
        "corners": the first and the last border site beside a cell, which is above the first cell and
        below the last one of a maze that has all its cells and does not wrap. "random": two of these
        sites, all pairs equally likely. "farthest": beside two border cells that are far apart, see Notes.
        Or the sites themselves, as `Maze.openings` has them; none of them closes all.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed, optional
        For "random".

    Returns
    -------
    Maze
        With the same passages, mask, wrap, start and goal. Its seed and recipe are None if they would make
        other openings.

    Raises
    ------
    ValueError
        If a site is no border site beside a cell, there is no such word, or the border does not have what
        was asked for: that of a torus has nothing.
    TypeError
        If `maze` is none, or the sites are no integers.
    MemoryError
        If the search cannot fit, before anything is taken.

    Notes
    -----
    "farthest" floods each part of the maze twice, the second time from the end that the first one found.
    In a perfect maze no two border cells are farther apart; with loops there may be some that are.

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
        rim = _rim(maze)
        if len(rim) < 2:
            over = " (it goes on at the other side)" if any(maze.wrap) else ""
            msg = f'openings="{openings}" needs two border sites beside cells; {maze!r} has {len(rim)}{over}'
            raise ValueError(msg)
        if openings == "corners":
            sites = rim[[0, -1]]
        elif openings == "random":
            sites = rim[list(_two(len(rim), rng))]
        elif openings == "farthest":
            sites = _farthest_sites(maze, rim)
        else:
            raise ValueError(_unknown("openings", openings))
    checked = checked_openings(sites, shape, maze.mask, maze.wrap)
    same = np.array_equal(checked, maze.openings)
    seed, recipe = (maze.seed, maze._recipe) if same else (None, None)
    made = Maze._made(maze.passages, maze.mask, checked, seed, recipe, maze.wrap)
    return set_endpoints(made, maze.start, maze.goal)


def with_ends(
    maze: Maze, ends: Where | Sequence[CellLike] | NDArray[np.integer] = "corners", *, rng: RNG = None
) -> Maze:
    """Return the maze with another start and goal.

    Parameters
    ----------
    maze : Maze
    ends : {"corners", "random", "farthest"} or ((int, int), (int, int))
        "corners": the first and the last cell. "random": two cells, all pairs equally likely. "farthest":
        the ends of a longest of all shortest paths, see Notes. Or start and goal themselves. A maze of one
        cell starts and ends there.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed, optional
        For "random".

    Returns
    -------
    Maze
        Equal to `maze`, with its seed and recipe.

    Raises
    ------
    ValueError
        If an end is outside or masked out, or there is no such word.
    TypeError
        If `maze` is none, or the ends are no two cells.
    MemoryError
        If the search cannot fit, before anything is taken.

    Notes
    -----
    "farthest" floods each part of the maze twice, the second time from the end that the first one found.
    In a perfect maze no two cells are farther apart; with loops there may be some that are, and what is
    found is a lower bound, at least half of the longest.

    Examples
    --------
    >>> maze = meiro.with_ends(meiro.generate((20, 30), rng=7), "farthest")
    >>> meiro.solve(maze).length == int(meiro.distances(maze, maze.start).max())
    True
    """
    require_maze(maze)
    if not isinstance(ends, str):
        start, goal = _given(maze, ends)
    elif ends == "corners":
        start, goal = _cell(maze, 0), _cell(maze, -1)
    elif ends == "random":
        cells = maze.passages.size if maze.mask is None else int(np.count_nonzero(maze.mask))
        first, second = _two(cells, rng) if cells > 1 else (0, 0)
        start, goal = _cell(maze, first), _cell(maze, second)
    elif ends == "farthest":
        one, other = _farthest(maze, as_bytes(maze.mask))
        start, goal = divmod(one, maze.cols), divmod(other, maze.cols)
    else:
        raise ValueError(_unknown("ends", ends))
    parts = maze.passages, maze.mask, maze.openings, maze.seed, maze._recipe, maze.wrap
    return set_endpoints(Maze._made(*parts), start, goal)


def set_endpoints(made: Maze, start: Cell | None, goal: Cell | None) -> Maze:
    """Set the ends of a maze that was just made, and return it."""
    object.__setattr__(made, "start", start)
    object.__setattr__(made, "goal", goal)
    return made


def require_maze(maze: object) -> None:
    """Say that something is no maze."""
    if not isinstance(maze, Maze):
        msg = f"maze must be a Maze, not {type(maze).__name__}: Maze.from_grid makes one of an array"
        raise TypeError(msg)


def _unknown(name: str, value: str) -> str:
    return f'{name} must be "corners", "random", "farthest" or given, not {short_repr(value)}'


def _two(n: int, rng: RNG) -> tuple[int, int]:
    """Return two different numbers below n."""
    seed = seed_of(rng)
    return _core.two(n, (*seed.key, seed.replicate))


def _cell(maze: Maze, i: int) -> Cell:
    """Return the i-th of the cells that exist."""
    number = i % maze.passages.size if maze.mask is None else int(np.flatnonzero(maze.mask)[i])
    return divmod(number, maze.cols)


def _given(maze: Maze, ends: object) -> tuple[Cell, Cell]:
    try:
        start, goal = (pair(end, "ends") for end in ends)  # type: ignore[attr-defined]  # asked here
    except (TypeError, ValueError):
        msg = f"ends must be two cells, (row, col) each, or a word, not {short_repr(ends)}"
        raise TypeError(msg) from None
    return maze._cell(start, "start"), maze._cell(goal, "goal")


def _farthest(maze: Maze, among: NDArray[np.uint8] | None) -> tuple[int, int]:
    """Return the numbers of two cells far apart, in order."""
    size = maze.passages.size
    require((2 + any(maze.wrap)) * size, f"two floods of {maze!r}", "give the ends themselves")
    one, other, _ = _core.farthest(maze.passages, maze.wrap, among)
    return min(one, other), max(one, other)


def _rim(maze: Maze) -> NDArray[np.int64]:
    """Return the border sites beside cells, in order."""
    there = np.broadcast_to(np.True_, (maze.rows, maze.cols)) if maze.mask is None else maze.mask
    sides = [np.empty((0, 2), np.int64)]
    for axis, lines in enumerate((there, there.T)):
        for across, line in ((0, lines[0]), (2 * len(lines), lines[-1])):
            along = 2 * np.flatnonzero(line) + 1
            site = np.stack([np.full_like(along, across), along], axis=1)
            if not maze.wrap[axis]:
                sides.append(site[:, :: -1 if axis else 1])
    sites = np.concatenate(sides)
    return sites[np.lexsort(sites.T[::-1])]


def _farthest_sites(maze: Maze, rim: NDArray[np.int64]) -> NDArray[np.int64]:
    shape = np.array((maze.rows, maze.cols))
    cells = np.clip((rim - 1) // 2, 0, shape - 1) @ (maze.cols, 1)
    among = np.zeros((maze.rows, maze.cols), np.uint8)
    among.reshape(-1)[cells] = 1
    one, other = _farthest(maze, among)
    first, second = np.flatnonzero(cells == one)[0], np.flatnonzero(cells == other)[-1]
    if first == second:
        msg = f'openings="farthest": no way in {maze!r} leads from one border site to another'
        raise ValueError(msg)
    return rim[[first, second]]
