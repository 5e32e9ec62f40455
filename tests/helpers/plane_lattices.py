"""A lattice of each kind that lies in the plane, districts of any shape among them."""

from __future__ import annotations

import numpy as np
import shapely
from some_lattices import EVERY

from meiro import Lattice
from meiro import lattices as la

COMBS = [  # cells that reach round one another
    [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (4, 3), (4, 4), (0, 4)],
    [(1, 1), (4, 1), (4, 3), (3, 3), (3, 2), (2, 2), (2, 3), (1, 3)],
    [(2, 2), (3, 2), (3, 3), (2, 3)],
    [(4, 0), (8, 0), (8, 4), (6, 4), (6, 1), (5, 1), (5, 4), (4, 4), (4, 3), (4, 1)],
    [(5, 1), (6, 1), (6, 4), (5, 4)],
    [(0, 4), (4, 4), (5, 4), (6, 4), (8, 4), (8, 5), (0, 5)],
]


def districts(cells: int, count: int) -> Lattice:
    """Join Voronoi cells at random: polygons of any shape."""
    fine = la.voronoi(n=cells, rng=1)
    rng = np.random.default_rng(1)
    owner = np.full(cells, -1)
    owner[rng.choice(cells, count, replace=False)] = np.arange(count)
    while (owner < 0).any():
        one, other = fine.edges[rng.integers(fine.n_edges)]
        one, other = (one, other) if owner[other] < 0 else (other, one)
        if owner[other] < 0 <= owner[one]:
            owner[other] = owner[one]
    parts = [
        [shapely.Polygon(fine.polygon(i)) for i in np.flatnonzero(owner == k).tolist()] for k in range(count)
    ]
    return la.from_polygons([shapely.union_all(part) for part in parts])


PLANE = {
    "combs": la.from_polygons(COMBS),
    "districts": districts(600, 20),
    "masked rings": la.polar(5).mask(np.arange(10, 80)),
    **{name: one for name, one in EVERY.items() if one.outline is not None or name == "box"},
}
