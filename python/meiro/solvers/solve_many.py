"""Shortest paths through many mazes at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.progress import Progress, reporter
from meiro._utils.validation import Threads, boolean, thread_count
from meiro.results.solution_batch import SolutionBatch
from meiro.spaces.space_of import mazes_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import CellLike
    from meiro.spaces.space import EndsOfEach, ManyMazes

    Cells = CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]


def solve_many(
    batch: ManyMazes,
    starts: Cells | Hashable | list[Hashable] | None = None,
    goals: Cells | Hashable | list[Hashable] | None = None,
    *,
    paths: bool = False,
    threads: Threads = None,
    progress: Progress = False,
) -> SolutionBatch:
    """Find a shortest path through each of many mazes.

    Parameters
    ----------
    batch : MazeBatch, GraphBatch or sequence of Maze or GraphMaze
        Mazes of one shape and one wrap, or on one lattice.
    starts, goals : (int, int) or array_like of int, shape (n, 2)
        Row and column, one for all mazes or one for each; negative numbers count from the end. By default as
        in `meiro.solve`: `MazeBatch.endpoints`. On a lattice one cell, or one for each, as paths have
        them: coordinates, shape (n, axes), or labels or numbers, shape (n,).
    paths : bool
        Whether the paths are kept, not only their lengths.
    threads : int or "all", optional
        The number of threads that share the mazes; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    SolutionBatch
        A maze without a path, or with a start or goal that is masked out, has length -1; that is no error.

    Raises
    ------
    ValueError
        If a start or goal is outside the maze, or the mazes differ in shape or wrap.
    TypeError
        If `batch` holds no mazes, or mazes of both kinds, or starts and goals are not integers.

    See Also
    --------
    solve : one maze, by any algorithm.
    endpoints : chooses starts and goals.

    References
    ----------
    Breadth-first search: E. F. Moore, The shortest path through a maze (1959).

    Examples
    --------
    >>> many = meiro.generate_many((5, 5), "wilson", 100, rng=1)
    >>> solved = meiro.solve_many(many, paths=True)
    >>> solved, solved.paths.shape
    (<SolutionBatch: 100 of 100 mazes, the longest of 14 steps>, (100, 15, 2))
    """
    if isinstance(batch, list | tuple) and not batch:
        return SolutionBatch(np.empty(0, np.int64), np.empty((0, 0, 2), np.int32) if paths else None, (1, 1))
    space = mazes_of(batch, "batch", many=True)
    n, n_threads, wanted = space.n, thread_count(threads), boolean(paths, "paths")
    ends = space.endpoint_of_each(starts, goals, ("starts", "goals"), missing=True)
    first, last = (np.broadcast_to(end.numbers, (n,)) for end in ends)
    fewer = "solve fewer mazes at a time"
    moves = (4 if space.on_lattice else 1) * int(wanted)  # bytes of the steps of a path, a place
    space.require("solve_many", n_threads, result=moves, what="the lengths", instead=fewer)

    def require_paths(places: int) -> None:
        named = 16 * space.on_lattice  # in words, beside the numbers
        require((8 + named) * n * places, f"the paths of {n:,} mazes", fewer)

    lengths, found = _core.solve_many(
        space.core,
        np.where(last < 0, -1, first),
        np.maximum(last, 0),
        require_paths if wanted else None,
        n_threads,
        reporter(progress),
    )
    shape: Any = space.shape  # rows and columns, or the number of cells
    if found is None or not space.on_lattice:
        return SolutionBatch(lengths, found, shape, _sites(ends, n))
    return SolutionBatch(lengths, space.names_or_none(found), shape, _sites(ends, n), found)


def _sites(ends: tuple[EndsOfEach, EndsOfEach], n: int) -> NDArray[np.int64] | None:
    """Return the openings at which the paths come in and go out, (n, 2, 2); None where all are in cells."""
    sites = [end.sites for end in ends]
    if all(each is None for each in sites):
        return None
    return np.stack([np.full((n, 2), -1) if each is None else each for each in sites], axis=1)
