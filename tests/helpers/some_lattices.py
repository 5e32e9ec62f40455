"""A lattice of every kind: in the plane, in space, of corridors, masked, with labels, with parallel edges."""

from __future__ import annotations

import networkx as nx
import numpy as np

from meiro import Lattice
from meiro import lattices as la

LATTICES = {
    "square": la.square(4, 5),
    "hexagonal": la.hexagonal(4, 5),
    "polar": la.polar(4),
    "voronoi": la.voronoi(30, rng=1),
    "moebius": la.moebius(3, 6),
    "cube": la.cube(2),
    "zeta": la.zeta(5, 6),
    "weave": la.weave(5, 5, rng=1),
    "box": la.box(2, 3, 4),
    "four dimensions": la.box(2, 2, 2, 2),
    "masked": la.hexagonal(4, 5).mask(np.arange(15)),
    "karate": la.from_graph(nx.karate_club_graph()),
    "labels": la.from_graph([("a", (1, "b")), ((1, "b"), False), (False, 2.5)]),
    "parallel": Lattice(3, [(0, 1), (1, 0), (1, 2), (2, 2), (2, 1)]),
    "one": Lattice(1, np.empty((0, 2), int)),
}
EVERY = LATTICES | {  # and the kinds that differ from these in the shapes of their cells
    "hexagon": la.hexagonal(side=3),
    "triangular": la.triangular(5, 6),
    "upsilon": la.upsilon(3, 4),
    "kagome": la.kagome(3, 4),
    "cairo": la.cairo(3, 4),
    "masked cells": la.voronoi(30, rng=1).mask(range(3, 28)),
}
