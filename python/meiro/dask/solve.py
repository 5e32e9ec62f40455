"""`meiro.dask.solve` and `meiro.dask.distances`: paths in mazes that no single memory holds."""

from __future__ import annotations

from bisect import bisect_right
from itertools import chain
from operator import getitem
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import requires_extra
from meiro._utils.square import checked_cell
from meiro.dask.tasks import check_array, corners_of, keys_of_chunks, made_again, with_tasks
from meiro.errors import NoPathError
from meiro.solvers import joined as parts
from meiro.solvers.joined import Contracted, Joined, Place, Walk, Way, moves_between

with requires_extra("dist", "dask"):
    import dask.array
    from dask.base import tokenize
    from dask.graph_manipulation import checkpoint
    from dask.highlevelgraph import HighLevelGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import Cell, CellLike

Known = dict[Place, "tuple[NDArray[np.int64], NDArray[np.int64]]"]
"""For each chunk: nodes, and their distances."""


def solve(passages: dask.array.Array, start: CellLike, goal: CellLike) -> NDArray[np.int64]:
    """Find a shortest path through a maze that is an array of Dask.

    Parameters
    ----------
    passages : dask.array.Array of uint8, shape (rows, cols)
        The passages of each cell, N=1, E=2, S=4, W=8, of `meiro.dask.generate`, of zarr or any other source.
    start, goal : (int, int)
        Row and column, in cells; negative numbers count from the end.

    Returns
    -------
    ndarray of int64, shape (k, 2)
        Row and column of each cell, from `start` to `goal`. It is computed at once, by the scheduler that is
        set.

    Raises
    ------
    NoPathError
        If there is no path from `start` to `goal`.
    TypeError
        If `passages` is not an array of Dask, or of another dtype.
    ValueError
        If a cell is outside; or `passages` is not 2-D, has chunks of unknown size, or is not a maze.
    MemoryError
        If the graph of all chunks does not fit in the memory of one worker, or the path not in this one.

    See Also
    --------
    meiro.solve : The same in memory, with other algorithms and the cells that were searched.
    meiro.dask.distances : The distance of every cell.

    Notes
    -----
    Dead ends of each chunk are filled; what is left are corridors between forks and the borders of chunks:
    the edges of a graph, which one task joins and searches. Then the chunks with a part of the path are made
    or read once more; what is dear to make is better kept before (``passages.to_zarr``). A perfect maze has
    fewer than four nodes for each cell on the rims of chunks; in one with many loops nearly each cell is one.
    A chunk of n x n cells of Kruskal's has 1.4 n corridors: it sends 90 n bytes, and the task that joins all
    needs some 200 n bytes for each of them.
    The path is as short as that of `meiro.solve`, and the same if there is only one.

    References
    ----------
    W. D. Pullen, Think Labyrinth, "Dead end filler". E. W. Dijkstra, Numer. Math. 1 (1959) 269.
    doi:10.1007/BF01386390

    Examples
    --------
    >>> import meiro.dask
    >>> passages = meiro.dask.generate((300, 500), "kruskal", rng=7, chunks=100)
    >>> path = meiro.dask.solve(passages, (0, 0), (299, 499))
    >>> whole = meiro.generate((300, 500), "kruskal", rng=7)
    >>> bool((path == meiro.solve(whole, (0, 0), (299, 499)).path).all())
    True
    """
    check_array(passages)
    ends = [checked_cell(cell, passages.shape, name) for cell, name in ((start, "start"), (goal, "goal"))]
    corners = corners_of(passages.chunks)
    terminals, places = _terminals(passages, corners, *ends)
    name = f"meiro-solve-{tokenize(passages.name, ends)}"
    tasks, grid = _contracted(name, passages, corners, terminals)
    tasks[name] = (found_way, grid, corners, *places)
    way: Way | None = with_tasks(passages, name, tasks).compute()
    if way is None:
        raise NoPathError(f"there is no path from {ends[0]} to {ends[1]}")
    moves = moves_between(way)
    name = f"{name}-walked"
    walks = {
        (name, k): (walked, (passages.name, *place), terminals[place], of)
        for k, (place, of) in enumerate(way.walks.items())
    }
    parts = with_tasks(passages, name, {**walks, name: list(walks)}).compute()
    for of, part in zip(way.walks.values(), parts, strict=True):
        moves[split_moves(of)] = part
    (row, col), (rows, cols) = ends[0], passages.shape
    return _core.walk(moves, row, col, 1, rows, cols, 4)


def distances(passages: dask.array.Array, start: CellLike) -> dask.array.Array:
    """Compute the distance of every cell from a cell, in steps.

    Parameters
    ----------
    passages : dask.array.Array of uint8, shape (rows, cols)
        As in `meiro.dask.solve`.
    start : (int, int)
        Row and column, in cells; negative numbers count from the end.

    Returns
    -------
    dask.array.Array of int32 or int64, shape (rows, cols)
        Number of steps, -1 where the start is not reachable, in the chunks of `passages`; int64 from 2**31
        cells on. Nothing is computed yet; each chunk of `passages` is made or read twice, as no worker keeps
        it in between.

    Raises
    ------
    TypeError
        If `passages` is not an array of Dask, or of another dtype.
    ValueError
        If the cell is outside, or `passages` is not 2-D or has chunks of unknown size; when it is computed,
        if it is not a maze.
    MemoryError
        When it is computed, if the graph of all chunks does not fit in the memory of one worker.

    See Also
    --------
    meiro.distances : The same in memory.
    meiro.dask.solve : One shortest path, with notes on how it is found.

    References
    ----------
    As of `meiro.dask.solve`.

    Examples
    --------
    >>> import meiro.dask
    >>> passages = meiro.dask.generate((300, 500), "kruskal", rng=7, chunks=100)
    >>> steps = meiro.dask.distances(passages, (0, 0))
    >>> whole = meiro.generate((300, 500), "kruskal", rng=7)
    >>> bool((steps.compute() == meiro.distances(whole, (0, 0))).all())
    True
    """
    check_array(passages)
    cell = checked_cell(start, passages.shape, "start")
    corners = corners_of(passages.chunks)
    terminals, places = _terminals(passages, corners, cell)
    name = f"meiro-distances-{tokenize(passages.name, cell)}"
    tasks, grid = _contracted(f"{name}-contracted", passages, corners, terminals)
    known_key = f"{name}-known"
    known = with_tasks(passages, known_key, {**tasks, known_key: (known_distances, grid, corners, *places)})
    again: Any = made_again(passages, checkpoint(known))
    kind = np.dtype(np.int32 if passages.shape[0] * passages.shape[1] < 1 << 31 else np.int64)
    graph: dict[Any, tuple[Any, ...]] = {}
    for i, j in np.ndindex(*passages.numblocks):
        graph[known_key, i, j] = (getitem, known_key, (i, j))
        graph[name, i, j] = (spread, (again.name, i, j), (known_key, i, j), kind)
    layers = HighLevelGraph.from_collections(name, graph, dependencies=[again, known])
    return dask.array.Array(layers, name, chunks=passages.chunks, dtype=kind)  # type: ignore[no-untyped-call]


def _terminals(
    passages: dask.array.Array, corners: list[list[int]], *cells: Cell
) -> tuple[dict[Place, NDArray[np.int64]], list[tuple[Place, int]]]:
    """Return those of some cells that lie in each chunk; and of each its chunk and its number there."""
    places: list[tuple[Place, int]] = []
    terminals = {place: np.empty(0, np.int64) for place in np.ndindex(*passages.numblocks)}
    for cell in cells:
        i, j = place = bisect_right(corners[0], cell[0]) - 1, bisect_right(corners[1], cell[1]) - 1
        number = (cell[0] - corners[0][i]) * passages.chunks[1][j] + cell[1] - corners[1][j]
        places.append((place, number))
        terminals[place] = np.unique(np.append(terminals[place], number))
    return terminals, places


def _contracted(
    name: str, passages: dask.array.Array, corners: list[list[int]], terminals: dict[Place, NDArray[np.int64]]
) -> tuple[dict[Any, Any], list[list[Any]]]:
    """Return tasks that contract the chunks, and their keys in rows."""
    tasks = {
        (name, i, j): (contracted, (passages.name, i, j), (corners[0][i], corners[1][j]), cells)
        for (i, j), cells in terminals.items()
    }
    return tasks, keys_of_chunks(passages, name)


# Tasks.


def contracted(block: NDArray[np.uint8], at: tuple[int, int], terminals: NDArray[np.int64]) -> Contracted:
    """Return a chunk, whose first cell is `at`, as a graph; `terminals` are cells of it that are nodes."""
    require(3 * block.size, f"contracting a chunk of {block.shape}", "rechunk to smaller ones")
    return parts.contracted(np.ascontiguousarray(block), at, terminals)


def found_way(
    grid: Sequence[Sequence[Contracted]], corners: Sequence[Sequence[int]], *ends: tuple[Place, int]
) -> Way | None:
    """Return a shortest path between two cells of chunks."""
    joined = Joined(chain(*grid), corners)
    start, goal = (joined.node(*end) for end in ends)
    return joined.way(start, [goal])


def known_distances(
    grid: Sequence[Sequence[Contracted]], corners: Sequence[Sequence[int]], source: tuple[Place, int]
) -> Known:
    """Return nodes of each chunk that a cell reaches, and their distances from it."""
    joined = Joined(chain(*grid), corners)
    return dict(zip(joined.places, joined.distances([joined.node(*source)]), strict=True))


def walked(block: NDArray[np.uint8], terminals: NDArray[np.int64], walk: Walk) -> NDArray[np.uint8]:
    """Return the moves along the corridors of a path, one behind the other."""
    lengths = walk.corridors[:, 2]
    moves = np.empty(int(lengths.sum()), np.uint8)
    _core.walk_corridors(
        np.ascontiguousarray(block), terminals, walk.corridors, np.cumsum(lengths) - lengths, moves
    )
    return moves


def spread(
    block: NDArray[np.uint8], known: tuple[NDArray[np.int64], NDArray[np.int64]], kind: np.dtype[Any]
) -> NDArray[Any]:
    """Return the distances of all cells of a chunk."""
    out = np.empty(block.shape, kind)
    _core.spread_distances(np.ascontiguousarray(block), *known, out)
    return out


def split_moves(walk: Walk) -> NDArray[np.int64]:
    """Return the places in the path of the moves that `walked` returns."""
    lengths = walk.corridors[:, 2]
    within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(walk.offsets, lengths) + within
