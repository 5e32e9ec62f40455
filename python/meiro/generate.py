"""Making mazes: one, or many."""

from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from meiro import _core
from meiro.arrays import mask_of
from meiro.batch import MazeBatch
from meiro.errors import shown
from meiro.lattice import CellLike, Shape, ShapeLike, checked_shape
from meiro.maze import Maze
from meiro.memory import require
from meiro.options import FACTS, prepare
from meiro.progress import Progress, reporter
from meiro.registry import ALGORITHMS, Algorithm, AlgorithmFacts
from meiro.seeds import RNG, Seed, seed_of
from meiro.valid import NO_OPENINGS, as_bytes, check_out

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Threads = int | Literal["all"] | None


def generate(
    shape: ShapeLike | None = None,
    algorithm: Algorithm | str = "wilson",
    *,
    rng: RNG = None,
    grid_shape: ShapeLike | None = None,
    mask: ArrayLike | None = None,
    threads: Threads = None,
    progress: Progress = False,
    start: CellLike | None = None,
    after_dead_end: Literal["newest", "random"] | None = None,
    order: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    falls: ArrayLike | None = None,
) -> Maze:
    """Make a maze.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns, in cells. May be left out if `grid_shape` or `mask` says it.
    algorithm : str
        One of `meiro.ALGORITHMS`. The default is uniform: every perfect maze is equally likely.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The same seed makes the same maze everywhere. None takes entropy from the system; ``maze.seed``
        tells afterwards.
    grid_shape : (int, int)
        Height and width of the drawn grid in sites, both odd, instead of `shape`.
    mask : array_like of bool, shape (rows, cols)
        True where the maze may go. Every part becomes a tree of its own.
    threads : int or "all"
        For the algorithms that can use them; 1 by default. The maze is the same.
    progress : bool or callable
        True for a bar, or ``callable(done, total)`` in cells.
    start : (int, int)
        The cell to begin from, where the law depends on it.
    after_dead_end : "newest" or "random"
        Backtracker: where to go on after a dead end.
    order : array_like of int, shape (walls,)
        Kruskal: every wall id once, in the order they are looked at.
    weights : array_like of float, shape (walls,)
        Kruskal: by wall id; the lightest is looked at first, ties by the lower id.
    falls : array_like of int, shape (rows - 1, cols - 1)
        Pole toppling: direction bits N=1, E=2, S=4, W=8 of each inner post.

    Returns
    -------
    Maze

    Raises
    ------
    ValueError
        If there is no such algorithm, shape, mask or value of an option.
    TypeError
        If the algorithm does not take an option.
    MemoryError
        If the maze cannot fit, before anything is taken.

    Examples
    --------
    >>> maze = meiro.generate((3, 4), "kruskal", rng=7)
    >>> maze
    <Maze 3 rows x 4 cols, kruskal>
    >>> maze.is_perfect
    True
    """
    facts = ALGORITHMS.find(algorithm)
    given: dict[str, object] = {
        name: value
        for name, value in (
            ("start", start),
            ("after_dead_end", after_dead_end),
            ("order", order),
            ("weights", weights),
            ("falls", falls),
        )
        if value is not None
    }
    plan = _plan(facts, shape, grid_shape, mask, given)
    seed = seed_of(rng)
    team = threads_of(threads)
    out = _room(1, plan, team)
    _core.generate(
        facts.name,
        out,
        (*seed.key, seed.replicate),
        as_bytes(plan.mask),
        plan.options,
        team,
        reporter(progress),
    )
    return Maze._made(out[0], plan.mask, NO_OPENINGS, seed, plan.recipe(seed))


def generate_many(
    n: int,
    shape: ShapeLike | None = None,
    algorithm: Algorithm | str = "wilson",
    *,
    rng: RNG = None,
    grid_shape: ShapeLike | None = None,
    mask: ArrayLike | None = None,
    threads: Threads = None,
    progress: Progress = False,
    out: NDArray[np.uint8] | None = None,
    **options: Any,
) -> MazeBatch:
    """Make many mazes of one kind.

    Maze ``i`` is the same alone (``generate(..., rng=meiro.replicate(rng, i))``), in any batch and on any
    number of threads.

    Parameters
    ----------
    n : int
        How many.
    shape, algorithm, rng, grid_shape, mask
        As in `meiro.generate`.
    threads : int or "all"
        How many threads share the mazes; 1 by default.
    progress : bool or callable
        True for a bar, or ``callable(done, total)`` in mazes.
    out : ndarray of uint8, shape (n, rows, cols)
        Where the passages go, C-contiguous; a new array by default.
    **options
        As in `meiro.generate`: ``start=`` and so on.

    Returns
    -------
    MazeBatch

    Raises
    ------
    ValueError
        If `n` is negative, there is no such algorithm, shape, mask or value of an option, or `out` is
        another array than it must be.
    TypeError
        If `n` is no integer, or the algorithm does not take an option.
    MemoryError
        If the mazes cannot fit, before anything is taken.

    Examples
    --------
    >>> many = meiro.generate_many(1000, (8, 8), "wilson", rng=7)
    >>> many
    <MazeBatch of 1000: 8 rows x 8 cols, wilson>
    >>> many[3] == meiro.generate((8, 8), "wilson", rng=meiro.replicate(7, 3))
    True
    """
    if isinstance(n, bool | np.bool_) or not hasattr(n, "__index__"):
        msg = f"n must be an integer, not {shown(n)}"
        raise TypeError(msg)
    count = operator.index(n)
    if count < 0:
        msg = f"n must not be negative: {count}"
        raise ValueError(msg)
    facts = ALGORITHMS.find(algorithm)
    given = {name: value for name, value in options.items() if value is not None or name not in FACTS}
    plan = _plan(facts, shape, grid_shape, mask, given)
    team = threads_of(threads)
    seed = seed_of(rng)
    if out is None:
        out = _room(count, plan, team)
    else:
        check_out(out, (count, *plan.shape))
    told = reporter(progress, unit=plan.shape[0] * plan.shape[1])
    words = (*seed.key, seed.replicate)
    _core.generate(facts.name, out, words, as_bytes(plan.mask), plan.options, team, told)
    return MazeBatch._made(out, plan.mask, seed, plan.recipe(seed))


class _Plan:
    """What is to be made, checked."""

    __slots__ = ("facts", "kept", "mask", "options", "shape")

    def __init__(
        self,
        facts: AlgorithmFacts,
        shape: Shape,
        mask: NDArray[np.bool_] | None,
        given: dict[str, object],
    ) -> None:
        self.facts, self.shape, self.mask = facts, shape, mask
        self.options, self.kept = prepare(facts, given, shape, mask) if given else ({}, {})

    def recipe(self, seed: Seed) -> dict[str, object]:
        """Return what makes the maze again."""
        recipe = {"shape": self.shape, "algorithm": self.facts.name, "rng": seed, **self.kept}
        if self.mask is not None:
            recipe["mask"] = self.mask
        return recipe


def _plan(
    facts: AlgorithmFacts,
    shape: ShapeLike | None,
    grid_shape: ShapeLike | None,
    mask: ArrayLike | None,
    given: dict[str, object],
) -> _Plan:
    if mask is not None and shape is None and grid_shape is None:
        shape = np.shape(mask)
        if len(shape) != 2:
            msg = f"mask must be 2-D, not {len(shape)}-D"
            raise ValueError(msg)
    cells = checked_shape(shape, grid_shape)
    there = None
    if mask is not None:
        if not facts.masks:
            can = ", ".join(f.name for f in ALGORITHMS.values() if f.masks)
            msg = f"{facts.name!r} takes no mask; these do: {can}"
            raise TypeError(msg)
        there = mask_of(mask, cells)
    return _Plan(facts, cells, there, given)


def _room(n: int, plan: _Plan, threads: int) -> NDArray[np.uint8]:
    rows, cols = plan.shape
    bytes_a_cell = plan.facts.scratch + sum(FACTS[name]["scratch"] for name in plan.options)
    scratch = int(rows * cols * bytes_a_cell * (min(n, threads) or 1))
    what = f"{plan.facts.name} of ({rows}, {cols})" if n == 1 else f"{n:,} mazes of ({rows}, {cols})"
    require(n * rows * cols + scratch, what, "take a smaller shape" if n == 1 else "make fewer at a time")
    return np.empty((n, rows, cols), np.uint8)


def threads_of(threads: Threads) -> int:
    """Return a number of threads: 1 for None, the process's share of the machine for "all"."""
    if threads is None:
        return 1
    if threads == "all":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        count = operator.index(threads)
    except TypeError:
        msg = f'threads must be a positive integer or "all", not {shown(threads)}'
        raise TypeError(msg) from None
    if isinstance(threads, bool) or count < 1:
        msg = f'threads must be a positive integer or "all", not {threads}'
        raise ValueError(msg)
    return min(count, 1024)
