"""Unfinished mazes: depth-first searches that stop early."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.progress import reporter
from meiro._utils.square import FLAT, checked_cell, checked_shape
from meiro._utils.validation import Threads, boolean, integer, number, thread_count
from meiro.mazes._batch_data import BatchData
from meiro.mazes.batch import MazeBatch, batch_of_data
from meiro.seeds import root_of, seed_of, seed_words
from meiro.spaces.space_of import lattice_of_shape

if TYPE_CHECKING:
    from meiro._utils.progress import Progress
    from meiro._utils.square import CellLike, ShapeLike
    from meiro.seeds import RNG


def partial_mazes(
    shape: ShapeLike,
    n: SupportsIndex,
    *,
    cells: float | None = None,
    depth: float | None = None,
    forks: bool = True,
    start: CellLike | None = None,
    rng: RNG = None,
    threads: Threads = None,
    progress: Progress = False,
) -> MazeBatch:
    """Make mazes by a depth-first search that stops early; cells that it did not visit do not exist.

    The search begins at `start`, moves to a neighbour that was not visited, all equally likely, and goes
    back from a cell without such a neighbour.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns.
    n : int
        The number of mazes.
    cells : int or float, optional
        The search ends when it has visited so many cells; a float is a share of them, above 0 and at most 1.
    depth : int or float, optional
        Cells so many steps from `start` lead to no others; a float is a share of ``rows + cols``.
    forks : bool
        Whether the search turns back. Without forks a maze is a path that ends where it is caught.
    start : (int, int), optional
        By default a random cell, all equally likely.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`. Maze `i` is made with replicate `i` of the seed.
    threads : int or "all", optional
        The number of threads; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    MazeBatch
        Perfect on the cells of its `masks`, without goals; `MazeBatch.starts` has the starts.

    Raises
    ------
    ValueError
        If `cells` or `depth` is out of range, or `start` outside of `shape`.
    TypeError
        If an argument is of another type.
    MemoryError
        If the mazes cannot fit in memory; nothing is allocated before.

    See Also
    --------
    meiro.generate_many : ``"backtracker"`` is the same search without limits.
    supervised : takes the mazes as inputs.

    Notes
    -----
    These are ``accessible_cells``, ``max_tree_depth`` and ``do_forks`` of ``gen_dfs`` in maze-dataset 1.4.2
    [1]_ with two differences: `depth` is the distance from the start, where theirs counts cells carved less
    retreats and compares that with half of the limit; and starts are drawn among all cells, where theirs are
    never in the last row or column.

    References
    ----------
    .. [1] M. I. Ivanitskiy et al., A Configurable Library for Generating and Manipulating Maze Datasets
       (2023). arXiv:2309.10498

    Examples
    --------
    >>> mazes = meiro.datasets.partial_mazes((6, 8), 100, cells=20, rng=7)
    >>> set(mazes.masks.sum(axis=(1, 2)).tolist())
    {20}
    >>> paths = meiro.datasets.partial_mazes((6, 8), 100, forks=False, start=(0, 0), rng=7)
    >>> (paths.measure(["dead_ends"])["dead_ends"] == 2).all().item()
    True
    """
    if (lattice := lattice_of_shape(shape)) is not None:
        raise TypeError(
            f"mazes on {lattice!r} have no masks for cells that are not visited: give rows and columns"
        )
    rows, cols = checked_shape(shape)
    count, size = integer(n, "n", 0, 1 << 62), rows * cols
    most_cells = _limit(cells, "cells", size, 1)
    most_depth = _limit(depth, "depth", rows + cols, 0)
    begin = -1
    if start is not None:
        row, col = checked_cell(start, (rows, cols), "start")
        begin = row * cols + col
    boolean(forks, "forks")
    require(3 * count * size, f"{count:,} mazes of {rows} x {cols} cells", "make fewer at a time")
    seed = seed_of(rng)
    sharing = thread_count(threads), reporter(progress)
    passages, visited, starts = _core.partial_mazes(
        count, rows, cols, seed_words(seed), begin, most_cells, most_depth, forks, *sharing
    )
    masks = visited.view(np.bool_)
    ends = np.stack(np.divmod(starts, cols), axis=1)
    for array in (masks, ends):
        array.flags.writeable = False
    numbers = range(seed.replicate, seed.replicate + count)
    whole = bool(masks.all())
    data = BatchData(passages, None, root_of(seed), numbers, None, FLAT, None if whole else masks, None, ends)
    return batch_of_data(data)


def _limit(limit: float | None, name: str, whole: int, least: int) -> int:
    """Return a limit as a number: as it is, a share of `whole` rounded up, or none."""
    if limit is None:
        return 1 << 62
    if isinstance(limit, float | np.floating):
        share = number(limit, name, 0, 1)
        return max(least, int(np.ceil(share * whole)))
    return min(integer(limit, name, least), 1 << 62)
