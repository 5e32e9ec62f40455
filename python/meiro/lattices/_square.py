"""The square lattice as a Lattice, for what works on any; `meiro.generate((rows, cols))` is faster."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro.lattices._tiling import require_size, size
from meiro.lattices.lattice import Lattice, Outline, make_lattice

if TYPE_CHECKING:
    from numpy.typing import NDArray


def square(rows: int, cols: int) -> Lattice:
    """Make a square lattice.

    Cell ``row * cols + col`` is at (col + 0.5, row + 0.5), and the number of an edge is the id of its wall in
    a `meiro.Maze`. Kruskal, Prim and Boruvka make the same maze of a seed as on the shape ``(rows, cols)``.

    Parameters
    ----------
    rows, cols : int
        How many there are.

    Returns
    -------
    Lattice
        Cells row by row, with (row, col) as `Lattice.coordinates`.

    Examples
    --------
    >>> meiro.lattices.square(2, 3)
    <Lattice square: 6 cells, 7 edges>
    """
    rows, cols = size(rows, "rows"), size(cols, "cols")
    require_size("square", rows * cols, rows * (cols - 1) + (rows - 1) * cols)
    cells = np.arange(rows * cols)
    edges = grid_edges((rows, cols))
    # Lane = row, words 2 * col (east) and 2 * col + 1 (south): as the square core has them.
    addresses = np.empty((len(edges), 2), np.uint64)
    for south, part in enumerate(_east_and_south(addresses, rows, cols)):
        part[..., 0] = np.arange(part.shape[0])[:, np.newaxis]
        part[..., 1] = 2 * np.arange(part.shape[1]) + south
    return make_lattice(
        rows * cols,
        edges,
        name="square",
        recipe={"rows": rows, "cols": cols},
        positions=np.stack([cells % cols + 0.5, cells // cols + 0.5], axis=1),
        outline=grid_outline(rows, cols),
        weight_addresses=addresses,
        straight=grid_straight((rows, cols)),
    )


def grid_outline(rows: int, cols: int) -> Outline:
    """Return the outline of rows and columns of unit squares, walls in the order of `square`."""
    corners = np.stack(np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0)), axis=-1).reshape(-1, 2)
    at = np.arange((rows + 1) * (cols + 1)).reshape(rows + 1, cols + 1)
    polygons = np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]], axis=-1)
    walls = np.empty((rows * (cols - 1) + (rows - 1) * cols, 2, 2))
    east, south = _east_and_south(walls, rows, cols)
    east[..., 0] = np.arange(1, cols)[:, np.newaxis]
    east[..., 1] = np.arange(rows)[:, np.newaxis, np.newaxis] + [0, 1]
    south[..., 0] = np.arange(cols)[:, np.newaxis] + [0, 1]
    south[..., 1] = np.arange(1, rows)[:, np.newaxis, np.newaxis]
    sides = (at[0], at[:, -1], at[-1], at[:, 0])
    rim = np.concatenate([np.stack([side[:-1], side[1:]], axis=1) for side in sides])
    cells = np.arange(rows * cols, dtype=np.int32).reshape(rows, cols)
    rim_cells = np.concatenate([cells[0], cells[:, -1], cells[-1], cells[:, 0]])
    indptr = np.arange(0, 4 * rows * cols + 1, 4)
    return Outline(corners, indptr, polygons.reshape(-1), walls, corners[rim], rim_cells)


def _east_and_south(of_edges: NDArray[Any], rows: int, cols: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the parts of an array that are of edges to the east and to the south, by row and column."""
    east, south = np.split(of_edges, [rows * (cols - 1)])
    more = of_edges.shape[1:]
    return east.reshape(rows, cols - 1, *more), south.reshape(rows - 1, cols, *more)


def grid_edges(shape: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """Return the edges of a box along its axes, those of the last axis first."""
    cells = np.arange(math.prod(shape), dtype=np.int32).reshape(shape)
    parts = []
    for axis in reversed(range(len(shape))):
        ahead, behind = _neighbours(axis)
        parts.append(np.stack([cells[behind], cells[ahead]], axis=-1).reshape(-1, 2))
    return np.concatenate(parts)


def _neighbours(axis: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the indices of what has a neighbour before it along an axis, and of what has one behind it."""
    before = (slice(None),) * axis
    return (*before, slice(1, None)), (*before, slice(None, -1))


def grid_straight(shape: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """Return the steps that go straight on along the axes of a box, the edges of the last axis first."""
    parts, first = [], 0
    for axis in reversed(range(len(shape))):
        count = (*shape[:axis], shape[axis] - 1, *shape[axis + 1 :])
        ids = first + np.arange(int(np.prod(count, dtype=np.int64))).reshape(count)
        first += ids.size
        on = np.full((*count, 2), -1, np.int32)
        ahead, behind = _neighbours(axis)
        on[(*behind, ..., 0)] = 2 * ids[ahead]
        on[(*ahead, ..., 1)] = 2 * ids[behind] + 1
        parts.append(on.reshape(-1, 2))
    return np.concatenate(parts)
