"""The order of the walls around each cell of a lattice in the plane, for solvers that follow walls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice, Outline

_BAND = 1 << 15  # cells at a time: their arrays stay in the cache, and Ctrl-C comes in between


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
    clockwise = np.empty(len(lattice.neighbors), np.int32)
    for first in range(0, lattice.n_cells, _BAND):
        cells = slice(first, min(first + _BAND, lattice.n_cells))
        slots = slice(lattice.indptr[cells.start], lattice.indptr[cells.stop])
        order = _slots_around(lattice, outline, cells, slots)
        following = np.arange(1, len(order) + 1)
        ends = lattice.indptr[cells.start : cells.stop + 1] - slots.start
        has = np.diff(ends) > 0
        following[ends[1:][has] - 1] = ends[:-1][has]
        clockwise[slots][order] = order[following] + slots.start
    return clockwise


def _slots_around(lattice: Lattice, outline: Outline, cells: slice, slots: slice) -> NDArray[np.intp]:
    """Return the slots of some cells, counted from the first, in clockwise order around each of them."""
    begins, ends = outline.indptr[cells], outline.indptr[cells.start + 1 : cells.stop + 1]
    corners = outline.corners[outline.indices[begins[0] : ends[-1]]]
    begins, ends = begins - begins[0], ends - begins[0]
    sizes = ends - begins
    following = np.arange(1, len(corners) + 1)
    following[ends - 1] = begins
    middles = (corners + corners[following]) / 2
    # y goes down: twice the area is positive where corners go clockwise.
    area = corners[:, 0] * corners[following, 1] - corners[:, 1] * corners[following, 0]
    is_clockwise = np.add.reduceat(area, begins) >= 0
    owners = np.repeat(np.arange(len(sizes)), lattice.degrees[cells])
    walls = outline.walls[lattice.neighbor_edges[slots]]
    walls = (walls[:, 0] + walls[:, 1]) / 2
    side = np.zeros(len(owners), np.int64)
    nearest = np.full(len(owners), np.inf)
    most = int(sizes.max())
    for k in range(most):
        # Cells with fewer sides look at their last one again.
        off = middles[(begins + np.minimum(k, sizes - 1))[owners]] - walls
        distance = off[:, 0] ** 2 + off[:, 1] ** 2
        nearer = distance < nearest
        np.copyto(nearest, distance, where=nearer)
        np.copyto(side, k, where=nearer)
    centres = np.add.reduceat(corners, begins) / sizes[:, np.newaxis]
    off = corners - np.repeat(centres, sizes, axis=0)
    radius = np.maximum.reduceat(off[:, 0] ** 2 + off[:, 1] ** 2, begins)  # squared, as the distances
    if (nearest > radius[owners]).any():
        raise _not_plane(lattice, "has walls that are not beside both of their cells")
    turned = np.where(is_clockwise[owners], side, most - 1 - side)
    return np.argsort(owners * most + turned, kind="stable")


def _not_plane(lattice: Lattice, why: str) -> TypeError:
    return TypeError(
        f"'wall_follower' needs cells that lie in the plane, and {lattice!r} {why}; 'tremaux', 'dfs' and "
        "'random_mouse' walk on any graph"
    )
