"""From polygons to lattices: cells that share a side are adjacent, and the side is their wall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro.lattices.lattice import MOST_CELLS, MOST_EDGES, Outline

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BYTES_A_CELL, _BYTES_AN_EDGE = 200, 200  # while a lattice is made


def require_size(name: str, cells: int, edges: int) -> None:
    """Refuse a lattice that the core cannot number, or that does not fit in memory."""
    if cells > MOST_CELLS or edges > MOST_EDGES:
        msg = (
            f"a {name} lattice of {cells:,} cells and {edges:,} edges is too large: at most {MOST_CELLS:,} "
            f"cells and {MOST_EDGES:,} edges"
        )
        raise ValueError(msg)
    needed = cells * _BYTES_A_CELL + edges * _BYTES_AN_EDGE
    require(needed, f"a {name} lattice of {cells:,} cells", "make a smaller one")


class Sides:
    """The sides of polygons, matched in pairs.

    Attributes
    ----------
    edges : ndarray of int64, shape (m, 2)
        The two cells of each shared side, ordered by the first cell, then by the second; the lower first.
    walls : ndarray of int64, shape (m, 2)
        The two corners of each shared side.
    rim, rim_cells : ndarray of int64, shapes (r, 2) and (r,)
        The sides of one cell alone, in the order of the cells.
    """

    def __init__(self, indptr: NDArray[np.int64], indices: NDArray[np.int64]) -> None:
        sizes = np.diff(indptr)
        cells = np.repeat(np.arange(len(sizes)), sizes)
        following = np.arange(1, len(indices) + 1)
        following[indptr[1:] - 1] = indptr[:-1]
        ends = np.stack([indices, indices[following]], axis=1)
        low, high = ends.min(axis=1), ends.max(axis=1)
        order = np.lexsort((cells, high, low))
        low, high = low[order], high[order]
        again = np.flatnonzero((low[1:] == low[:-1]) & (high[1:] == high[:-1]))
        if len(again) > 1 and (thrice := np.flatnonzero(np.diff(again) == 1)).size:
            three = cells[order[again[thrice[0]] : again[thrice[0]] + 3]]
            msg = f"cells {', '.join(map(str, three))} share one side: a wall has two sides"
            raise ValueError(msg)
        first, second = order[again], order[again + 1]
        edges = np.stack([cells[first], cells[second]], axis=1)
        by_cells = np.lexsort((edges[:, 1], edges[:, 0]))
        self.edges = edges[by_cells]
        self.walls = ends[first[by_cells]]
        alone = np.ones(len(indices), np.bool_)
        alone[first] = alone[second] = False
        self.rim = ends[alone]
        self.rim_cells = cells[alone]


def tiling(
    corners: NDArray[np.float64], polygons: NDArray[Any], edges: NDArray[Any] | None = None
) -> Outline:
    """Return the outline of polygons with one number of corners, shape (n_cells, k).

    With `edges` the walls are in the order of these, which are the adjacent cells in any order.
    """
    n, k = polygons.shape
    indptr, indices = np.arange(0, n * k + 1, k), polygons.reshape(-1).astype(np.int64)
    return outline_of(corners, indptr, indices, Sides(indptr, indices), edges)


def outline_of(
    corners: NDArray[np.float64],
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    sides: Sides,
    edges: NDArray[Any] | None = None,
) -> Outline:
    """Return the outline of polygons whose sides are matched; with `edges` walls in the order of these."""
    walls = sides.walls
    if edges is not None:
        low, high = edges.min(axis=1), edges.max(axis=1)
        place = np.empty(len(edges), np.int64)
        place[np.lexsort((high, low))] = np.arange(len(edges))
        walls = walls[place]
    return Outline(
        corners, indptr, indices, corners[walls], corners[sides.rim], sides.rim_cells.astype(np.int32)
    )
