"""The order of the walls around each cell of a lattice in the plane, for solvers that follow walls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice


def clockwise_slots(lattice: Lattice) -> NDArray[np.int32]:
    """Return for each slot of `Lattice.neighbors` the next one clockwise around its cell.

    A wall lies where the middle of a side of the cell's polygon is nearest to its own, so cells need not be
    convex.

    Raises
    ------
    TypeError
        If the lattice does not lie in the plane.
    """
    outline = lattice.outline
    if outline is None:
        raise _not_plane(lattice, "has no polygons")
    begins, sizes = outline.indptr[:-1], np.diff(outline.indptr)
    corners = outline.corners[outline.indices]
    following = np.arange(1, len(corners) + 1)
    following[outline.indptr[1:] - 1] = begins
    middles = (corners + corners[following]) / 2
    # y goes down: twice the area is positive where corners go clockwise.
    area = corners[:, 0] * corners[following, 1] - corners[:, 1] * corners[following, 0]
    turn = np.where(np.add.reduceat(area, begins) >= 0, 1, -1)
    cells = np.repeat(np.arange(lattice.n_cells), lattice.degrees)
    walls = outline.walls[lattice.neighbor_edges].mean(axis=1)
    side = np.zeros(len(cells), np.int64)
    nearest = np.full(len(cells), np.inf)
    for k in range(int(sizes.max(initial=0))):
        some = np.flatnonzero(sizes[cells] > k)
        off = middles[begins[cells[some]] + k] - walls[some]
        distance = np.einsum("ij,ij->i", off, off)
        nearer = distance < nearest[some]
        nearest[some[nearer]], side[some[nearer]] = distance[nearer], k
    corner_cells = np.repeat(np.arange(lattice.n_cells), sizes)
    sums = np.add.reduceat(corners, begins)
    off = corners - (sums / sizes[:, np.newaxis])[corner_cells]
    radius = np.maximum.reduceat(np.einsum("ij,ij->i", off, off), begins)  # squared, as the distances
    if (nearest > radius[cells]).any():
        raise _not_plane(lattice, "has walls that are not beside both of their cells")
    order = np.lexsort((side * turn[cells], cells))
    following = np.arange(1, len(order) + 1)
    has = lattice.degrees > 0
    following[lattice.indptr[1:][has] - 1] = lattice.indptr[:-1][has]
    clockwise = np.empty(len(order), np.int32)
    clockwise[order] = order[following]
    return clockwise


def _not_plane(lattice: Lattice, why: str) -> TypeError:
    return TypeError(
        f"'wall_follower' needs cells that lie in the plane, and {lattice!r} {why}; 'tremaux', 'dfs' and "
        "'random_mouse' walk on any graph"
    )
