"""Distances from one or several sources to every place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Never

import numpy as np

from meiro import _core
from meiro._utils.arrays import check_out, weights_of
from meiro._utils.memory import require
from meiro._utils.messages import refuse_unknown
from meiro._utils.progress import Progress, reporter
from meiro._utils.validation import Threads, thread_count
from meiro.graphs.graph_batch import GraphBatch
from meiro.graphs.graph_maze import GraphMaze
from meiro.lattices.lattice import graph_of
from meiro.maze.batch import MazeBatch
from meiro.solvers.batch_cells import default_numbers, place_numbers, refuse_in_batch
from meiro.solvers.graph_cells import (
    batch_edge_weights,
    batch_places,
    edge_weights,
    graph_cells,
    one_graph,
    refuse_grid_arguments,
    require_graph_memory,
)
from meiro.solvers.search_space import Goals, as_search_space, checked_moves, resolve_endpoints

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import ArrayLike, NDArray

    from meiro.maze.maze import Maze

_FEWER = "take a slice of it, or give an int16 array as out="
_NO_WEIGHTS = np.empty((0, 0))  # of 1, for the core


def distances(
    x: Maze | MazeBatch | GraphMaze | GraphBatch | ArrayLike,
    sources: Goals | Hashable | list[Hashable] | None = None,
    *,
    weights: ArrayLike | None = None,
    moves: Literal[4, 8] = 4,
    road: object = None,
    out: NDArray[Any] | None = None,
    threads: Threads = None,
    progress: Progress = False,
    **unknown: Never,
) -> NDArray[Any]:
    """Compute the distance of every cell from the nearest source, in steps or as a cost.

    Parameters
    ----------
    x : Maze, MazeBatch, GraphMaze, GraphBatch or array_like of shape (h, w)
        A maze, many, one or many on a lattice, or a wall/road array in which 0 is road.
    sources : (int, int) or sequence of (int, int), optional
        Row and column of each source, in cells of a maze or sites of an array; by default the start, as in
        `meiro.solve`. For a batch one cell for all mazes, or an array of shape (n, 2), one for each maze, or
        (n, k, 2), several for each. Of a `GraphMaze` a cell or a list of cells: numbers, or labels. Of a
        `GraphBatch` a cell, n cells, one for each maze, or numbers of shape (n, k).
    weights : array_like of float, shape (rows, cols) or (h, w), optional
        The cost of entering each cell or site, 0 or more; distances are then costs, not steps. For a batch
        those of all mazes, or of each, (n, rows, cols). On a lattice the cost of each edge, (n_edges,), or of
        each maze, (n, n_edges).
    moves : {4, 8}
        With 8, steps in an array also go diagonally (not around corners), at sqrt(2) times the cost;
        distances are then costs, not steps.
    road : scalar or sequence of scalars, optional
        The value of a road in `x`, as in `meiro.solve`.
    out : ndarray of the shape that is returned, optional
        Array for the result, C-contiguous: any signed integers for steps, float64 for costs.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch, or the sites of one maze or array, for steps
        and where it is wide: as in a large open room, not in a maze of narrow corridors. The result does not
        depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells or sites.

    Returns
    -------
    ndarray of int32, int64 or float64, shape (rows, cols), (n, rows, cols) or (h, w)
        On a lattice (n_cells,) or (n, n_cells). Number of steps, -1 where no source is reachable; int64 from
        2**31 cells or sites on. With `weights` or ``moves=8`` costs, infinity where no source is reachable.
        `out`, if it is given.

    Raises
    ------
    ValueError
        If a source is outside the maze or in a wall, a distance does not fit `out`, or weights are negative,
        not finite, or of another shape.
    TypeError
        If `moves` is 8 for a maze: only arrays have diagonal moves.

    See Also
    --------
    solve : one shortest path.
    shortest_paths : the number of shortest paths, and the places on them.
    policy : the moves towards the nearest goal, for every place.

    References
    ----------
    Steps by breadth-first search: E. F. Moore, The shortest path through a maze (1959). Costs by Dijkstra's
    algorithm: E. W. Dijkstra, Numer. Math. 1 (1959) 269. doi:10.1007/BF01386390

    Examples
    --------
    >>> meiro.distances(meiro.generate((1, 3), rng=0)).tolist()
    [[0, 1, 2]]
    >>> meiro.distances([[0, 0], [0, 0]], (0, 0), moves=8).round(3).tolist()
    [[0.0, 1.0], [1.0, 1.414]]
    >>> many = meiro.generate_many((8, 8), n=1000, rng=7)
    >>> goals = meiro.endpoints(many, "farthest")[1]
    >>> meiro.distances(many, goals).shape
    (1000, 8, 8)
    """
    refuse_unknown("distances", unknown, distances.__annotations__)
    n_threads = thread_count(threads)
    if isinstance(x, MazeBatch):
        refuse_in_batch(moves, road)
        return _distances_many(x, sources, weights, out, n_threads, progress)  # type: ignore[arg-type]
    if isinstance(x, GraphMaze):
        refuse_grid_arguments(x, moves=moves, road=road)
        return _distances_on_graph(x, sources, weights, out, progress)
    if isinstance(x, GraphBatch):
        refuse_grid_arguments(x, moves=moves, road=road)
        return _distances_on_graphs(x, sources, weights, out, n_threads, progress)
    space = as_search_space(x, road)
    moves = checked_moves(moves, space)
    if sources is None:
        sources = resolve_endpoints(space, None, None, "sources=")[0]
    numbers = space.numbers(sources, "sources")
    costs = _NO_WEIGHTS if weights is None else weights_of(weights, space.shape, space.units)
    weighted = weights is not None or moves == 8
    if out is None:
        size = space.shape[0] * space.shape[1]
        item = np.dtype(np.float64 if weighted else np.int32 if size < 1 << 31 else np.int64)
        heap = 24 * weighted  # bytes of a heap item, one a place
        instead = "crop it" if weighted else "give an int16 array as out="
        space.require(2 + item.itemsize + heap, "distances", instead)
        out = np.empty(space.shape, item)
    else:
        check_out(out, space.shape, np.dtype(np.float64) if weighted else np.signedinteger)
    try:
        _core.distances(
            space.array, space.sites, space.wrap, moves, numbers, costs, out, n_threads, reporter(progress)
        )
    except OverflowError as error:
        raise _too_narrow(error, out) from None
    return out


def _distances_on_graph(
    maze: GraphMaze,
    sources: Any,
    weights: ArrayLike | None,
    out: NDArray[Any] | None,
    progress: Progress,
) -> NDArray[Any]:
    lattice = maze.lattice
    cell = maze.endpoints[0] if sources is None else None
    numbers = graph_cells(lattice, sources, "sources") if cell is None else np.array([cell])
    costs = None if weights is None else edge_weights(lattice, weights)
    _check_graph_out(out, (lattice.n_cells,), weights)
    require_graph_memory(lattice, 24 if weights is None else 80, "distances")
    passages = maze.open.view(np.uint8)
    found = _core.distances_on_graph(graph_of(lattice), passages, numbers, costs, reporter(progress))
    return found if out is None else _copied(found, out)


def _distances_on_graphs(  # noqa: PLR0917  # as distances() has them
    batch: GraphBatch,
    sources: Any,
    weights: ArrayLike | None,
    out: NDArray[Any] | None,
    threads: int,
    progress: Progress,
) -> NDArray[Any]:
    lattice, n = batch.lattice, len(batch)
    numbers = np.zeros((1, 1), np.int64) if sources is None else batch_places(batch, sources, "sources")
    costs = None if weights is None else batch_edge_weights(batch, weights)
    _check_graph_out(out, (n, lattice.n_cells), weights)
    require_graph_memory(lattice, (24 if weights is None else 80) * min(threads, max(n, 1)), "distances")
    require((4 if weights is None else 8) * n * lattice.n_cells, f"the distances in {batch!r}", _FEWER)
    found = _core.distances_on_graphs(
        graph_of(lattice), one_graph(batch), numbers, costs, threads, reporter(progress)
    )
    return found if out is None else _copied(found, out)


def _check_graph_out(out: NDArray[Any] | None, shape: tuple[int, ...], weights: object) -> None:
    if out is not None:
        check_out(out, shape, np.dtype(np.float64) if weights is not None else np.signedinteger)


def _copied(found: NDArray[Any], out: NDArray[Any]) -> NDArray[Any]:
    """Return `out` with what was found, or raise a ValueError if a distance does not fit."""
    if out.dtype.kind == "i" and (most := int(found.max(initial=0))) > np.iinfo(out.dtype).max:
        raise _too_narrow(OverflowError(f"a distance of {most}"), out)
    out[...] = found
    return out


def _distances_many(  # noqa: PLR0917  # as distances() has them
    batch: MazeBatch,
    sources: Goals | None,
    weights: ArrayLike | None,
    out: NDArray[Any] | None,
    threads: int,
    progress: Progress,
) -> NDArray[Any]:
    if sources is None:
        numbers = np.ascontiguousarray(default_numbers(batch)[0][:, np.newaxis])
    else:
        numbers = place_numbers(batch, sources, "sources")
    size, shape = batch.rows * batch.cols, batch.passages.shape
    costs = _NO_WEIGHTS
    if weights is not None:
        each = np.ndim(weights) == 3
        costs = weights_of(weights, shape if each else batch.shape, "cells")
    kind = np.float64 if weights is not None else np.int32 if size < 1 << 31 else np.int64
    a_cell = 3 + 8 + 24 * (weights is not None)  # a copy, marks and levels or a heap, of a thread
    need = size * a_cell * min(threads, len(batch))
    if out is None:
        require(need + batch.passages.size * np.dtype(kind).itemsize, f"the distances in {batch!r}", _FEWER)
        out = np.empty(shape, kind)
    else:
        check_out(out, shape, np.dtype(np.float64) if weights is not None else np.signedinteger)
    passages = np.ascontiguousarray(batch.passages)
    try:
        _core.distances_many(passages, batch.wrap, numbers, costs, out, threads, reporter(progress))
    except OverflowError as error:
        raise _too_narrow(error, out) from None
    return out


def _too_narrow(error: OverflowError, out: NDArray[Any]) -> ValueError:
    return ValueError(f"{error} does not fit out= of {out.dtype}: give a wider dtype")
