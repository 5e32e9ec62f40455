"""Shortest paths through many mazes at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import FLAT, CellLike, Wrap
from meiro._utils.validation import Threads, boolean, thread_count
from meiro.graphs.graph_batch import GraphBatch
from meiro.graphs.graph_maze import GraphMaze
from meiro.maze._batch_data import stacked
from meiro.maze.batch import MazeBatch
from meiro.maze.maze import Maze
from meiro.results.solution_batch import SolutionBatch
from meiro.solvers.batch_cells import batch_ends, cell_numbers
from meiro.solvers.graph_solve import solve_graphs

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    Cells = CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]


def solve_many(
    batch: MazeBatch | GraphBatch | Sequence[Maze] | Sequence[GraphMaze],
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
        in `meiro.solve`: `MazeBatch.endpoints`. On a lattice numbers or labels of cells, shape (n,); by
        default the first cell and the last, or those of each `GraphMaze`.
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
    if isinstance(batch, GraphBatch) or _are_graph_mazes(batch):
        return solve_graphs(batch, (starts, goals), paths, threads, progress)
    mazes: MazeBatch | Sequence[Maze] = batch  # type: ignore[assignment]  # what is left
    passages, wrap = _passages(mazes)
    wanted = boolean(paths, "paths")
    n, rows, cols = passages.shape
    begin = cell_numbers(starts, "starts", n, (rows, cols))
    end = cell_numbers(goals, "goals", n, (rows, cols))
    opened = None
    if begin is None or end is None:
        ends = batch_ends(mazes)
        sites = [
            x.sites if cells is None else np.full((n, 2), -1)
            for cells, x in zip((begin, end), ends, strict=True)
        ]
        opened = np.stack(sites, axis=1) if max(site.max(initial=-1) for site in sites) >= 0 else None
        begin, end = (
            x.cells @ (cols, 1) if cells is None else cells
            for cells, x in zip((begin, end), ends, strict=True)
        )
    fewer = "solve fewer mazes at a time"
    require(wanted * passages.size + 48 * n, f"the lengths of {n:,} mazes", fewer)

    def require_paths(places: int) -> None:
        require(8 * n * places, f"the paths of {n:,} mazes", fewer)

    lengths, found = _core.solve_many(
        passages,
        wrap,
        _drop_missing(begin, end, mazes),
        end,
        require_paths if wanted else None,
        thread_count(threads),
        reporter(progress),
    )
    return SolutionBatch(lengths, found, (rows, cols), opened)


def _are_graph_mazes(batch: object) -> TypeGuard[Sequence[GraphMaze]]:
    """Return whether this is a sequence of mazes on lattices; one of both kinds is a TypeError."""
    if isinstance(batch, MazeBatch) or not isinstance(batch, Sequence) or not batch:
        return False
    if not isinstance(batch[0], GraphMaze):
        return False
    for i, maze in enumerate(batch):
        if not isinstance(maze, GraphMaze):
            msg = f"batch[{i}] is {short_repr(maze)}, and batch[0] {short_repr(batch[0])}: not of one kind"
            raise TypeError(msg)
    return True


def _passages(batch: MazeBatch | Sequence[Maze]) -> tuple[NDArray[np.uint8], Wrap]:
    """Return the passages of all mazes in one array, and their wrap."""
    if isinstance(batch, MazeBatch):
        return np.ascontiguousarray(batch.passages), batch.wrap
    if not isinstance(batch, Sequence) or not all(isinstance(maze, Maze) for maze in batch):
        what = "a MazeBatch, a GraphBatch, or a sequence of Maze or GraphMaze"
        msg = f"batch must be {what}, not {short_repr(batch)}"
        raise TypeError(msg)
    if not batch:
        return np.empty((0, 1, 1), np.uint8), FLAT
    return stacked(batch, "batch")


def _drop_missing(
    begin: NDArray[np.int64], end: NDArray[np.int64], batch: MazeBatch | Sequence[Maze]
) -> NDArray[np.int64]:
    """Return the starts, -1 where start and goal are one masked cell: other masked cells have no passages."""
    begin = begin.copy()
    for i in np.flatnonzero(begin == end).tolist():
        mask = batch[i].mask
        if mask is not None and not mask.flat[begin[i]]:
            begin[i] = -1
    return begin
