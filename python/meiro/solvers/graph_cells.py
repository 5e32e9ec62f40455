"""Cells of a `GraphMaze` as arguments: numbers, or labels where its lattice has labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import CHECKED_FROM, require
from meiro._utils.messages import short_repr
from meiro._utils.validation import plain_array
from meiro.errors import NoPathError
from meiro.graphs.graph_batch import GraphBatch
from meiro.lattices.lattice import cell_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.graphs.graph_maze import GraphMaze
    from meiro.lattices.lattice import Lattice


def graph_cell(lattice: Lattice, value: Any, name: str) -> int:
    """Return the number of a cell."""
    if lattice.labels is None and isinstance(value, tuple):
        msg = (
            f"{name} must be the number of a cell, 0..{lattice.n_cells - 1}, not {short_repr(value)}: cells "
            "of a lattice have no row and column"
        )
        raise TypeError(msg)
    return cell_of(lattice, value, name)


def graph_cells(lattice: Lattice, values: Any, name: str) -> NDArray[np.int64]:
    """Return the numbers of one cell, or of several in a list or array."""
    several = isinstance(values, list | range) or (isinstance(values, np.ndarray) and values.ndim > 0)
    if isinstance(values, range):
        values = plain_array(values, name)
    if not several:
        return np.array([graph_cell(lattice, values, name)])
    if len(values) == 0:
        msg = f"{name} must be one cell or more, not {short_repr(values)}"
        raise ValueError(msg)
    array = plain_array(values, name) if lattice.labels is None else None
    if array is not None and array.ndim == 1 and array.dtype.kind in "iu":
        inside = (array >= 0) & (array < lattice.n_cells)
        if inside.all():
            return array.astype(np.int64)
        values = array[~inside][:1].tolist()  # raises
    return np.array([graph_cell(lattice, value, name) for value in values], np.int64)


def graph_ends(maze: GraphMaze, start: Any, goal: Any) -> tuple[int, NDArray[np.int64]]:
    """Return the start and the goals; by default those of the maze."""
    first, last = maze.endpoints
    begin = first if start is None else graph_cell(maze.lattice, start, "start")
    return begin, np.array([last]) if goal is None else graph_cells(maze.lattice, goal, "goal")


def edge_weights(lattice: Lattice, weights: ArrayLike) -> NDArray[np.float64]:
    """Return the cost of each edge: finite, 0 or more."""
    array = plain_array(weights, "weights")
    if array.dtype.kind not in "biuf":
        msg = f"weights must be numbers, not {array.dtype}"
        raise TypeError(msg)
    if array.shape != (lattice.n_edges,):
        msg = f"weights must have shape ({lattice.n_edges},), one for each edge, not {array.shape}"
        raise ValueError(msg)
    costs = np.ascontiguousarray(array, np.float64)
    bad = np.flatnonzero(~((costs >= 0) & (costs < np.inf)))
    if bad.size:
        msg = f"weights[{bad[0]}] is {costs[bad[0]]}: weights are finite and not negative"
        raise ValueError(msg)
    return costs


def batch_cells(batch: GraphBatch, given: Any, name: str, which: int) -> NDArray[np.int64]:
    """Return a cell for each maze: one for all, an array of one for each, or by default the first or last."""
    n, lattice = len(batch), batch.lattice
    if given is None:
        return np.full(n, (0, lattice.n_cells - 1)[which], np.int64)
    return np.ascontiguousarray(np.broadcast_to(_one_or_each(batch, given, name), (n,)))


def _one_or_each(batch: GraphBatch, given: Any, name: str) -> NDArray[np.int64]:
    cells = graph_cells(batch.lattice, given, name)
    if len(cells) not in {1, len(batch)}:
        msg = f"{name} must be one cell, or {len(batch)}, one for each maze, not {len(cells)}"
        raise ValueError(msg)
    return cells


def batch_places(batch: GraphBatch, given: Any, name: str) -> NDArray[np.int64]:
    """Return a cell for all mazes, (1, 1), one for each, (n, 1), or several for each, (n, k)."""
    n, lattice = len(batch), batch.lattice
    if lattice.labels is None and isinstance(given, list | np.ndarray):
        array = plain_array(given, name)
        if array.ndim == 2 and len(array) == n and array.shape[1]:
            return np.ascontiguousarray(graph_cells(lattice, array.reshape(-1), name).reshape(array.shape))
        if array.ndim > 1:
            msg = (
                f"{name} must be a cell, {n}, one for each maze, or of shape ({n}, k), several for each, not "
                f"{array.shape}"
            )
            raise ValueError(msg)
    return _one_or_each(batch, given, name)[:, np.newaxis]


def batch_edge_weights(batch: GraphBatch, weights: ArrayLike) -> NDArray[np.float64]:
    """Return the cost of each edge, for all mazes or, (n, n_edges), for each."""
    array = plain_array(weights, "weights")
    if array.ndim != 2:
        return edge_weights(batch.lattice, weights)
    if array.shape != batch.open.shape:
        msg = f"weights must have shape ({batch.lattice.n_edges},) or {batch.open.shape}, not {array.shape}"
        raise ValueError(msg)
    return np.stack([edge_weights(batch.lattice, each) for each in array])


def one_graph(x: GraphMaze | GraphBatch) -> NDArray[np.uint8]:
    """Return the open edges of a maze or a batch as the core takes many: shape (n, n_edges)."""
    array = x.open if isinstance(x, GraphBatch) else x.open[np.newaxis]
    return np.ascontiguousarray(array).view(np.uint8)


def require_graph_memory(lattice: Lattice, bytes_a_place: float, what: str) -> None:
    """Raise MemoryError unless this many bytes a cell and edge fit."""
    need = int(bytes_a_place * (lattice.n_cells + lattice.n_edges))
    if need >= CHECKED_FROM:
        require(need, f"{what} on {lattice!r}", "take a smaller lattice")


def no_graph_path(maze: GraphMaze, begin: int, goals: NDArray[np.int64], explored: int = 0) -> NoPathError:
    """Build a NoPathError that says how many cells are reachable, if that is known."""
    labels = maze.lattice.labels or range(maze.n_cells)
    to = short_repr(labels[int(goals[0])]) if len(goals) == 1 else f"any of {len(goals)} goals"
    reachable = f": {explored:,} cell{'s' * (explored != 1)} can be reached" if explored else ""
    return NoPathError(f"there is no path from {short_repr(labels[begin])} to {to}{reachable}")


def refuse_grid_arguments(x: GraphMaze | GraphBatch, **given: object) -> None:
    """Raise a TypeError for an argument that only mazes of rows and columns and arrays take."""
    for name, value in given.items():
        if value is not None and not (name == "moves" and value == 4) and value is not False:
            msg = f"a {type(x).__name__} takes no {name}=: its cells have no rows and columns"
            raise TypeError(msg)
