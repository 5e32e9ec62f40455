"""Openings in the border of a maze, and its start and goal."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import Cell, CellLike, existing_cell
from meiro._utils.validation import Threads, integers, items_of, pair, thread_count
from meiro.maze._endpoints import corners_many
from meiro.maze._from_core import maze_from_core, recipe_of
from meiro.maze._opened import changed, opened
from meiro.maze._openings import unknown_word
from meiro.maze.batch import MazeBatch
from meiro.maze.maze import Maze
from meiro.seeds import RNG, seed_of
from meiro.solvers.batch_cells import existing_cells
from meiro.transforms._common import (
    CoreArguments,
    Mazes,
    arrays_of,
    ends_or_none,
    require_mazes,
    seed_words,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.options import OpeningsWord

    Cells = CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]
    Sharing = tuple[int, Callable[[int, int], object] | None]

EndsWord = Literal["corners", "random", "farthest"]
_WORDS: tuple[str, ...] = get_args(EndsWord)


def with_openings(
    maze: Mazes,
    openings: OpeningsWord | ArrayLike = "corners",
    *,
    rng: RNG = None,
    threads: Threads = None,
    progress: Progress = False,
) -> Mazes:
    """Return a maze with other openings.

    Parameters
    ----------
    maze : Maze or MazeBatch
        It stays as it is.
    openings : str, array_like of int, shape (k, 2), or sequence of ((int, int), str)
        "corners": the first and the last site of the rim; without mask and wrap these are above the first
        cell and below the last cell. "top_bottom", "left_right": in the middle of two sides. "random": two
        sites of the rim, all pairs equally likely. "farthest": beside two cells at the rim that are far
        apart, see Notes. Or cells with a side: ``[((0, 5), "north"), ((9, 0), "south")]``; or the sites
        themselves, as in `Maze.openings`. The first is the entrance, the last the exit; an empty sequence
        closes all. For a batch the same ones in all mazes, or sites of shape (n, k, 2), as in
        `MazeBatch.openings`.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed, optional
        Draws the openings for "random". Maze `i` of a batch gets those of ``rng=meiro.replicate(rng, i)``.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze or MazeBatch
        With the same passages, mask, wrap, start, goal and seed; the recipe tells of the openings.

    Raises
    ------
    ValueError
        If an opening is inside the maze, beside masked-out cells only, in a periodic border or given twice;
        if the word is unknown, or the rim has fewer than two sites (a torus without a mask has no rim).
    TypeError
        If `maze` is neither a `Maze` nor a `MazeBatch`, or the sites are not integers.
    MemoryError
        If the search cannot fit in memory; nothing is allocated before.

    See Also
    --------
    with_ends : sets start and goal.

    Notes
    -----
    The rim is where walls separate a cell from no cell: the border, and the sides of masked-out cells. Words
    choose there but in holes, which masked-out cells make that cells enclose. With a mask, "top_bottom" takes
    the column nearest to the middle that has a cell, and "left_right" the row.

    "farthest" is a double sweep: two breadth-first searches in each component, the second from the cell where
    the first one ended. In a perfect maze no two cells at the rim are farther apart; with loops the distance
    is a lower bound.

    Examples
    --------
    >>> print(meiro.with_openings(meiro.generate((2, 3), "binary_tree", rng=7)))
    ╷ ╶───┐
    │     │
    │ ╶───┤
    │     │
    └───╴ ╵
    >>> maze = meiro.with_openings(meiro.generate((10, 12), rng=7), [((0, 5), "north"), ((9, 0), "south")])
    >>> maze.openings.tolist(), meiro.solve(maze).path[[0, -1]].tolist()
    ([[0, 11], [20, 1]], [[0, 5], [9, 0]])
    """
    require_mazes(maze)
    seed = seed_of(rng) if isinstance(openings, str) and openings == "random" else None
    return opened(maze, openings, seed, thread_count(threads), reporter(progress))


def with_ends(
    maze: Mazes,
    ends: EndsWord | Sequence[Cells] | NDArray[np.integer[Any]] = "corners",
    *,
    rng: RNG = None,
    threads: Threads = None,
    progress: Progress = False,
) -> Mazes:
    """Return a maze with another start and goal.

    Parameters
    ----------
    maze : Maze or MazeBatch
        It stays as it is.
    ends : {"corners", "random", "farthest"} or ((int, int), (int, int)) or two arrays
        "corners": the first and the last cell. "random": two cells, all pairs equally likely. "farthest":
        the two ends of a longest shortest path, see Notes. Or start and goal themselves. In a maze of one
        cell that cell is both. For a batch start and goal may each be an array of shape (n, 2), as
        `endpoints` returns them: -1 in both rows is a maze without start and goal.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed, optional
        Draws the cells for "random". Maze `i` of a batch gets those of ``rng=meiro.replicate(rng, i)``.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze or MazeBatch
        Equal to `maze`, with its seed and recipe.

    Raises
    ------
    ValueError
        If a cell is outside the maze or masked out, or the word is unknown.
    TypeError
        If `maze` is neither a `Maze` nor a `MazeBatch`, or `ends` not two cells.
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
    >>> many = meiro.generate_many((8, 8), n=1000, rng=7)
    >>> meiro.with_ends(many, meiro.endpoints(many, "dead_ends", rng=1)).solve()
    <SolutionBatch: 1,000 of 1,000 mazes, the longest of 36 steps>
    """
    arrays, sharing = _given(maze), (thread_count(threads), reporter(progress))
    if isinstance(ends, str):
        if ends not in _WORDS:
            raise ValueError(unknown_word("ends", ends, _WORDS, "two cells"))
        numbers = _two_cells(maze, arrays, ends, rng, sharing)
        cells = np.stack(np.divmod(numbers, maze.cols), axis=2)
    elif isinstance(maze, Maze):
        cells = np.array([_given_cells(maze, ends)])
    else:
        what = "start and goal, (row, col) for all mazes or an array (n, 2) each"
        given = list(islice(items_of(ends, "ends", what), 3))  # it may be endless
        if len(given) != 2:
            msg = f"ends must be {what}, or a word, not {short_repr(ends)}"
            raise TypeError(msg)
        return set_ends(maze, {"start": given[0], "goal": given[1]})
    if isinstance(maze, Maze):
        (start, goal) = map(tuple, cells[0].tolist())
        state = maze.passages, maze.mask, maze.openings, maze.seed, recipe_of(maze), maze.wrap
        return maze_from_core(*state, start=start, goal=goal)
    starts, goals = (ends_or_none(np.ascontiguousarray(cells[:, i])) for i in (0, 1))
    return changed(maze, starts=starts, goals=goals)


def _given(mazes: Maze | MazeBatch) -> CoreArguments:
    require_mazes(mazes)
    return arrays_of(mazes)


def _given_cells(maze: Maze, ends: object) -> tuple[Cell, Cell]:
    try:
        start, goal = (pair(end, "ends") for end in ends)  # type: ignore[attr-defined]  # the question itself
    except (TypeError, ValueError):
        msg = f"ends must be two cells, (row, col) each, or a word, not {short_repr(ends)}"
        raise TypeError(msg) from None
    shape = maze.rows, maze.cols
    start = existing_cell(start, shape, maze.mask, "start")
    return start, existing_cell(goal, shape, maze.mask, "goal")


def set_ends(batch: MazeBatch, ends: Mapping[str, Any]) -> MazeBatch:
    """Return a batch with start and goal of each maze, by the names of the arguments; both -1: no ends."""
    n = len(batch)
    pairs = [integers(cells, name) for name, cells in ends.items()]
    none = np.zeros(n, np.bool_)
    if pairs[0].shape == pairs[1].shape == (n, 2):
        none = (np.concatenate(pairs, axis=1) == -1).all(axis=1)
    starts, goals = (
        ends_or_none(existing_cells(batch, cells, name, none))
        for name, cells in zip(ends, pairs, strict=True)
    )
    return changed(batch, starts=starts, goals=goals)


def _two_cells(
    mazes: Maze | MazeBatch, arrays: CoreArguments, word: str, rng: RNG, sharing: Sharing
) -> NDArray[np.int64]:
    """Return the numbers of start and goal of each maze, (n, 2)."""
    if word == "farthest":
        _require_sweep(mazes, sharing[0])
        return _core.two_cells(*arrays, None, *sharing)
    if word == "random":
        return _core.two_cells(*arrays, seed_words(seed_of(rng)), *sharing)
    n, masks = (len(mazes), mazes.masks) if isinstance(mazes, MazeBatch) else (1, mazes.mask)
    return np.ascontiguousarray(corners_many(masks, n, (mazes.rows, mazes.cols)).T)


def _require_sweep(mazes: Maze | MazeBatch, threads: int) -> None:
    size = mazes.rows * mazes.cols
    count = 1 if isinstance(mazes, Maze) else min(threads, len(mazes))
    require((3 + any(mazes.wrap)) * size * count, f"a double sweep of {mazes!r}", "give the cells themselves")
