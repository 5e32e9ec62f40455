"""The actions of an agent on a lattice: which edge of a cell each one takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro.drawing.graph_outline import all_walls
from meiro.lattices._rim import middles_of, nearest_sides

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice


class Sides(NamedTuple):
    """The edge that each action takes, -1 for none: of cell i ``edges[indptr[i]:indptr[i + 1]]``."""

    indptr: NDArray[np.int64]
    edges: NDArray[np.int32]


def sides_of(lattice: Lattice) -> Sides:
    """Return the actions of a lattice.

    Action k goes through the k-th side of a cell, in the order of its polygon. A side is what lies between
    it and a neighbour, or the rim. Where cells have coordinates and no polygons, action k is the k-th of the
    steps that lead from any cell to another, in the order of what they add to the coordinates. Elsewhere it
    leads to the k-th neighbour.
    """
    return (
        _sides_of_polygons(lattice)
        or _steps(lattice)
        or Sides(lattice.indptr.astype(np.int64), lattice.neighbor_edges)
    )


def _sides_of_polygons(lattice: Lattice) -> Sides | None:
    """Return the edges at the sides of polygons; None where two of a cell are at one side."""
    outline = lattice.outline
    if outline is None:
        return None
    edges, walls, arcs = all_walls(outline)
    known = np.isfinite(walls).all(axis=(1, 2)) & (lattice.edges[edges, 0] != lattice.edges[edges, 1])
    edges, walls, arcs = edges[known], walls[known], arcs[known]
    if not len(edges):
        return None
    unit = float(np.median(np.hypot(*(walls[:, 1] - walls[:, 0]).T)))
    middles = np.tile(middles_of(walls, arcs), (2, 1))
    cells, edges = lattice.edges[edges].T.reshape(-1).astype(np.int64), np.tile(edges, 2)
    sides, far = nearest_sides(outline, cells, middles, unit)
    # Of the walls of an edge each of its cells has the nearest.
    order = np.lexsort((far, cells, edges))
    first = (np.diff(edges[order], prepend=-1) != 0) | (np.diff(cells[order], prepend=-1) != 0)
    chosen = order[first]
    places, rim = np.stack([cells, sides], axis=1)[chosen], lattice.rim
    if len(np.unique(places, axis=0)) < len(places) or len(places) < 2 * len(np.unique(edges)):
        return None
    both, numbers = np.unique(np.concatenate([places, rim]), axis=0, return_index=True)
    found = np.where(numbers < len(places), edges[chosen][np.minimum(numbers, len(places) - 1)], -1)
    return Sides(np.searchsorted(both[:, 0], np.arange(lattice.n_cells + 1)), found.astype(np.int32))


def _steps(lattice: Lattice) -> Sides | None:
    """Return the edge of each step of coordinates; None for a lattice that has no coordinates."""
    at = lattice.coordinates
    if at is None or lattice.outline is not None:
        return None
    own = np.flatnonzero(lattice.edges[:, 0] != lattice.edges[:, 1])
    one, other = lattice.edges[own].T
    added = np.concatenate([at[other] - at[one], at[one] - at[other]])
    steps, which = np.unique(added, axis=0, return_inverse=True)
    edges = np.full((lattice.n_cells, len(steps)), -1, np.int32)
    edges[np.concatenate([one, other]), which.reshape(-1)] = np.tile(own, 2)
    if np.count_nonzero(edges >= 0) < 2 * len(own):  # parallel edges
        return None
    return Sides(len(steps) * np.arange(lattice.n_cells + 1), edges.reshape(-1))
