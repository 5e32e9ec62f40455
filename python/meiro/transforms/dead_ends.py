"""Dead ends trimmed: `sparsify` some rounds, `fill_dead_ends` until none is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.progress import Progress, reporter
from meiro._utils.validation import Threads, integer, plain_array, thread_count
from meiro.graphs.graph_batch import GraphBatch
from meiro.graphs.graph_maze import GraphMaze
from meiro.maze._openings import cells_beside
from meiro.maze.batch import MazeBatch
from meiro.maze.maze import Maze
from meiro.solvers.batch_cells import common_numbers, default_numbers
from meiro.solvers.search_space import as_search_space
from meiro.transforms._common import AnyMazes, Mazes, core_arguments, derive_mazes
from meiro.transforms.graph_transforms import fill_dead_ends_of_graphs

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import CellLike

    Numbers = NDArray[np.int64]

_ALL = (1 << 62) - 1  # rounds


def sparsify(maze: Mazes, n: int = 1, *, threads: Threads = None, progress: Progress = False) -> Mazes:
    """Trim dead ends `n` times; trimmed cells are masked out.

    A round trims the cells that have degree 1 at its beginning. The maze's own start and goal stay, and so
    do cells beside openings, which lead outside. Of two cells joined only to each other, the one with the
    smaller area number stays: no region disappears.

    Parameters
    ----------
    maze : Maze or MazeBatch
        Any maze, or many.
    n : int
        The number of rounds. Rounds after the last dead end change nothing.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze or MazeBatch
        Perfect, if `maze` is; the numbers of loops and regions stay. Wrap, openings, start and goal stay;
        seed and recipe are None.

    Raises
    ------
    ValueError
        If `n` is negative.
    TypeError
        If `maze` is neither a `Maze` nor a `MazeBatch`, or `n` not an integer.
    MemoryError
        If the transform cannot fit in memory; nothing is allocated before.

    See Also
    --------
    fill_dead_ends : trims until no dead end is left.
    braid : opens dead ends instead.

    References
    ----------
    J. Buck, Theseus (2011), ``sparsify!``. https://github.com/jamis/theseus

    Examples
    --------
    >>> maze = meiro.generate((1, 5), rng=7)
    >>> meiro.sparsify(maze).mask.tolist()
    [[False, True, True, True, False]]
    """
    return _trim(maze, "sparsify", _own_ends, min(integer(n, "n", 0), _ALL), (threads, progress))


def fill_dead_ends(
    maze: AnyMazes,
    *,
    keep: CellLike | Sequence[CellLike] | Hashable | None = None,
    threads: Threads = None,
    progress: Progress = False,
) -> AnyMazes:
    """Trim dead ends until no dead end is left; trimmed cells are masked out.

    Of a perfect maze the path between start and goal is left. Of a maze with loops all paths between them
    are left, and the loops with the corridors that lead to them; of a region with neither a kept cell nor a
    loop, one cell in its middle.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze or GraphBatch
        Any maze, or many. On a lattice the passages of dead ends are closed, and all cells stay;
        `Lattice.mask` removes cells.
    keep : (int, int) or sequence of (int, int)
        The cells that stay, row and column each. Default: `Maze.endpoints`. Cells beside openings always
        stay; with ``keep=[]`` only these. In a batch, the same cells of all mazes. On a lattice a cell or a
        list of cells, by number or label.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch, or the rows of one maze; the result does not
        depend on it. One maze takes one thread on a lattice, or where a region has neither a kept cell nor a
        loop.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze or GraphBatch
        Perfect, if `maze` is; the numbers of loops and regions stay. Wrap and openings stay, start and goal
        if their cells do; seed and recipe are None. On a lattice not perfect, if a cell was filled.

    Raises
    ------
    ValueError
        If a cell is outside the maze or masked out, in any maze of a batch.
    TypeError
        If `maze` is no maze and no batch, or `keep` does not contain cells.
    MemoryError
        If the transform cannot fit in memory; nothing is allocated before.

    See Also
    --------
    sparsify : trims a number of rounds.
    solve : with ``algorithm="dead_end_filling"``, the same as a solver.

    References
    ----------
    W. D. Pullen, Think Labyrinth, "Dead end filler". https://www.astrolog.org/labyrnth/algrithm.htm

    Examples
    --------
    >>> maze = meiro.generate((20, 30), rng=7)
    >>> trimmed = meiro.fill_dead_ends(maze)
    >>> int(trimmed.mask.sum()) == len(meiro.solve(maze).path)
    True
    >>> many = meiro.generate_many((8, 8), n=100, rng=7)
    >>> sizes = meiro.fill_dead_ends(many).masks.sum(axis=(1, 2))
    >>> bool((sizes == many.solve().lengths + 1).all())
    True
    """
    if isinstance(maze, GraphMaze | GraphBatch):
        return fill_dead_ends_of_graphs(maze, keep, threads, progress)
    given = _default_numbers if keep is None else lambda mazes: _kept(mazes, keep)
    return _trim(maze, "fill_dead_ends", given, _ALL, (threads, progress))


def _trim(
    maze: Mazes,
    transform: str,
    kept: Callable[[Maze | MazeBatch], Numbers],
    rounds: int,
    shared: tuple[Threads, Progress],
) -> Mazes:
    """Fill dead ends but the cells that `kept` returns, (n, k) or (1, k), and those beside openings."""
    arguments = core_arguments(maze, transform, shared[0])
    cells = kept(maze)
    openings = maze.openings if isinstance(maze, MazeBatch) else maze.openings[np.newaxis]
    if openings is not None:
        mask = maze.masks if isinstance(maze, MazeBatch) else maze.mask
        numbers = cells_beside(openings, (maze.rows, maze.cols), mask) @ (maze.cols, 1)
        beside = np.where(openings[..., 0] < 0, -1, numbers)
        cells = np.concatenate([np.broadcast_to(cells, (len(beside), cells.shape[1])), beside], axis=1)
    each = np.ascontiguousarray(np.broadcast_to(cells, (len(arguments.passages), cells.shape[1])))
    sharing = thread_count(shared[0]), reporter(shared[1])
    passages, masks = _core.fill_dead_ends(*arguments, each, rounds, *sharing)
    return derive_mazes(maze, passages, masks=masks)


def _own_ends(mazes: Maze | MazeBatch) -> Numbers:
    """Return the starts and goals that were given; -1 for the others."""
    if isinstance(mazes, Maze):
        ends = [end for end in (mazes.start, mazes.goal) if end is not None]
        return np.array([[row * mazes.cols + col for row, col in ends]], np.int64)
    given = [ends for ends in (mazes.starts, mazes.goals) if ends is not None]
    numbers = [np.where(ends[:, 0] < 0, -1, ends[:, 0] * mazes.cols + ends[:, 1]) for ends in given]
    return np.stack(numbers, axis=1) if numbers else np.empty((1, 0), np.int64)


def _default_numbers(mazes: Maze | MazeBatch) -> Numbers:
    """Return the numbers of the endpoints of each maze."""
    return default_numbers(mazes if isinstance(mazes, MazeBatch) else [mazes]).T


def _kept(mazes: Maze | MazeBatch, keep: Any) -> Numbers:
    """Return the numbers of the cells that are given, which exist in each maze."""
    if not plain_array(keep, "keep").size:
        return np.empty((1, 0), np.int64)
    if isinstance(mazes, Maze):
        return as_search_space(mazes).numbers(keep, "keep")[np.newaxis]
    return common_numbers(mazes, keep, "keep")[np.newaxis]
