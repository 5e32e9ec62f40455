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
from meiro.maze._batch_data import BatchData, checked_sites, same_openings
from meiro.maze._validation import validate_openings
from meiro.maze.batch import MazeBatch, batch_of_data
from meiro.maze.maze import Maze, maze_from_core
from meiro.seeds import RNG, seed_of
from meiro.solvers.batch_cells import corners_many, existing_cells
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

    Cells = CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]
    Sharing = tuple[int, Callable[[int, int], object] | None]

Where = Literal["corners", "random", "farthest"]
_WORDS: tuple[str, ...] = get_args(Where)  # in the order of the core
_NO_PATH = -2  # from the core


def with_openings(
    maze: Mazes,
    openings: Where | ArrayLike = "corners",
    *,
    rng: RNG = None,
    threads: Threads = None,
    progress: Progress = False,
) -> Mazes:
    """Return a maze with other openings in its border.

    Parameters
    ----------
    maze : Maze or MazeBatch
    openings : {"corners", "random", "farthest"} or array_like of int, shape (k, 2)
        "corners": the first and the last border site beside a cell; without mask and wrap these are above
        the first cell and below the last cell. "random": two such sites, all pairs equally likely.
        "farthest": beside two border cells that are far apart, see Notes. Or the sites themselves, as in
        `Maze.openings`; an empty sequence closes all openings. For a batch the same sites in all mazes, or an
        array of shape (n, k, 2), as in `MazeBatch.openings`.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed, optional
        Draws the openings for "random". Maze `i` of a batch gets those of ``rng=meiro.replicate(rng, i)``.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze or MazeBatch
        With the same passages, mask, wrap, start and goal. Its seed and recipe are None if the openings, of
        any maze of a batch, differ from those of `maze`.

    Raises
    ------
    ValueError
        If a site is not a border site beside a cell, the word is unknown, or the border has fewer than two
        such sites (a torus has no border).
    TypeError
        If `maze` is neither a `Maze` nor a `MazeBatch`, or the sites are not integers.
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
    arrays, sharing = _given(maze), (thread_count(threads), reporter(progress))
    sites: ArrayLike = openings
    if isinstance(openings, str):
        if openings not in _WORDS:
            raise ValueError(_unknown("openings", openings, "border sites"))
        border = _border_sites(maze)
        sites = border[_two_sites(maze, arrays, openings, border, rng, sharing)]
    if isinstance(maze, Maze):
        sites = sites[0] if isinstance(openings, str) else sites  # type: ignore[index]  # (1, 2, 2)
        checked = validate_openings(sites, maze.passages.shape, maze.mask, maze.wrap)
        same = np.array_equal(checked, maze.openings)
        seed, recipe = (maze.seed, maze.recipe) if same else (None, None)
        state = maze.passages, maze.mask, checked, seed, recipe, maze.wrap
        return maze_from_core(*state, start=maze.start, goal=maze.goal)
    of_each = checked_sites(sites, maze.passages.shape, maze.masks, maze.wrap)
    return _with(maze, openings=of_each, seeds=same_openings(of_each, maze.openings))


def with_ends(
    maze: Mazes,
    ends: Where | Sequence[Cells] | NDArray[np.integer[Any]] = "corners",
    *,
    rng: RNG = None,
    threads: Threads = None,
    progress: Progress = False,
) -> Mazes:
    """Return a maze with another start and goal.

    Parameters
    ----------
    maze : Maze or MazeBatch
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
    >>> many = meiro.generate_many(1000, (8, 8), rng=7)
    >>> meiro.with_ends(many, meiro.endpoints(many, "dead_ends", rng=1)).solve()
    <SolutionBatch: 1,000 of 1,000 mazes, the longest of 36 steps>
    """
    arrays, sharing = _given(maze), (thread_count(threads), reporter(progress))
    if isinstance(ends, str):
        if ends not in _WORDS:
            raise ValueError(_unknown("ends", ends, "two cells"))
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
        state = maze.passages, maze.mask, maze.openings, maze.seed, maze.recipe, maze.wrap
        return maze_from_core(*state, start=start, goal=goal)
    starts, goals = (ends_or_none(np.ascontiguousarray(cells[:, i])) for i in (0, 1))
    return _with(maze, starts=starts, goals=goals)


def _given(mazes: Maze | MazeBatch) -> CoreArguments:
    require_mazes(mazes)
    return arrays_of(mazes)


def _with(batch: MazeBatch, *, seeds: bool = True, **changes: Any) -> MazeBatch:
    """Return a batch with other openings, starts or goals."""
    data = BatchData(*batch.__getstate__()[:-1])
    if not seeds:
        masks = batch.masks  # where the recipe tells of them
        own = None if masks is batch.mask else masks
        data = data._replace(key=None, numbers=batch.replicates, recipe=None, masks=own)
    return batch_of_data(data._replace(**changes))


def _unknown(name: str, value: str, what: str) -> str:
    return f'{name} must be "corners", "random", "farthest" or {what}, not {short_repr(value)}'


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
    return _with(batch, starts=starts, goals=goals)


def _two_cells(
    mazes: Maze | MazeBatch, arrays: CoreArguments, word: str, rng: RNG, sharing: Sharing
) -> NDArray[np.int64]:
    """Return the numbers of start and goal of each maze, (n, 2)."""
    if word == "farthest":
        _require_sweep(mazes, sharing[0])
        return _core.two_cells(*arrays, None, *sharing)
    if word == "random":
        return _core.two_cells(*arrays, seed_words(seed_of(rng)), *sharing)
    if isinstance(mazes, MazeBatch):
        return np.ascontiguousarray(corners_many(mazes).T)
    size = mazes.passages.size
    if mazes.mask is None:
        return np.array([[0, size - 1]])
    return np.flatnonzero(mazes.mask)[[0, -1]][np.newaxis]


def _two_sites(  # noqa: PLR0917  # as _two_cells
    mazes: Maze | MazeBatch,
    arrays: CoreArguments,
    word: str,
    border: NDArray[np.int64],
    rng: RNG,
    sharing: Sharing,
) -> NDArray[np.int64]:
    """Return which two of the border sites each maze gets, (n, 2)."""
    if word == "farthest":
        _require_sweep(mazes, sharing[0])
    rows, cols = np.clip((border - 1) // 2, 0, (mazes.rows - 1, mazes.cols - 1)).T
    seed = seed_words(seed_of(rng)) if word == "random" else (0, 0, 0)
    found = _core.two_sites(*arrays, rows * mazes.cols + cols, _WORDS.index(word), seed, *sharing)
    wrong = np.flatnonzero(found[:, 0] < 0)
    if wrong.size:
        i = int(wrong[0])
        which = f"{mazes!r}" if isinstance(mazes, Maze) else f"maze {i} of {mazes!r}"
        if found[i, 0] == _NO_PATH:
            msg = f'openings="farthest": no path in {which} connects two border sites'
            raise ValueError(msg)
        over = " (its border is periodic)" if any(mazes.wrap) else ""
        msg = f'openings="{word}" needs two border sites beside cells; {which} has {found[i, 1]}{over}'
        raise ValueError(msg)
    return found


def _require_sweep(mazes: Maze | MazeBatch, threads: int) -> None:
    size = mazes.rows * mazes.cols
    count = 1 if isinstance(mazes, Maze) else min(threads, len(mazes))
    require((3 + any(mazes.wrap)) * size * count, f"a double sweep of {mazes!r}", "give the cells themselves")


def _border_sites(mazes: Maze | MazeBatch) -> NDArray[np.int64]:
    """Return the border sites, in order; of one maze only those beside cells."""
    mask = mazes.mask if isinstance(mazes, Maze) else None
    cells = np.broadcast_to(np.True_, (mazes.rows, mazes.cols)) if mask is None else mask
    sides = [np.empty((0, 2), np.int64)]
    for axis, lines in enumerate((cells, cells.T)):
        for across, line in ((0, lines[0]), (2 * len(lines), lines[-1])):
            along = 2 * np.flatnonzero(line) + 1
            site = np.stack([np.full_like(along, across), along], axis=1)
            if not mazes.wrap[axis]:
                sides.append(site[:, :: -1 if axis else 1])
    sites = np.concatenate(sides)
    return sites[np.lexsort(sites.T[::-1])]
