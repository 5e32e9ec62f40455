"""Batches of every kind, on squares and on lattices: of recipes, changed, picked, with ends and openings."""

from __future__ import annotations

from typing import Any

import numpy as np
from some_lattices import LATTICES

import meiro

MASK = np.array([[1, 1, 1, 1], [1, 0, 1, 1], [1, 1, 1, 1]], bool)
PAIR = meiro.Maze([[2, 8]], openings=[(0, 1)])
MANY = meiro.generate_many((3, 4), "kruskal", 10, rng=7)
HEXAGONS: Any = meiro.generate_many(meiro.lattices.hexagonal(3, 4), "kruskal", 10, rng=7)
BATCHES: dict[str, Any] = {
    "plain": MANY,
    "braided": meiro.braid(MANY, rng=1),
    "filled": meiro.fill_dead_ends(meiro.with_ends(MANY[2:7], ((0, 0), (1, 1)))),
    "openings": meiro.with_openings(MANY, "farthest"),
    "some ends": meiro.with_ends(MANY[:2], (np.array([(0, 0), (-1, -1)]), np.array([(0, 1), (-1, -1)]))),
    "of a list": meiro.MazeBatch([PAIR, meiro.Maze([[2, 8]], start=(0, 1))]),
    "slice": MANY[::-3],
    "picked": MANY[[7, 2, 2]],
    "none": MANY[:0],
    "mask": meiro.generate_many(n=4, mask=MASK, rng=meiro.replicate(1, (1 << 64) - 2)),
    "masks": meiro.generate_many((7, 7), "rooms", 6, dead_ends="remove", rng=3),
    "wrap": meiro.generate_many((4, 5), n=3, wrap=(False, True), rng=3),
    "weights": meiro.generate_many((2, 2), "kruskal", 3, weights=[3.0, 1.0, 4.0, 1.0], rng=3),
    "choose": meiro.generate_many((5, 5), "growing_tree", 3, choose={"newest": 2, "random": 1}, rng=3),
    **{f"on {name}": meiro.generate_many(lattice, n=4, rng=3) for name, lattice in LATTICES.items()},
    "braided hexagons": meiro.braid(HEXAGONS, rng=1),
    "hexagons with ends": meiro.with_ends(HEXAGONS, meiro.endpoints(HEXAGONS, rng=1))[:3],
    "some ends of hexagons": meiro.GraphBatch([HEXAGONS[0], meiro.with_ends(HEXAGONS[1], "farthest")]),
    "slice of hexagons": HEXAGONS[::-3],
    "picked hexagons": HEXAGONS[[7, 2, 2]],
    "no hexagons": HEXAGONS[:0],
    "weights of edges": meiro.generate_many(HEXAGONS.lattice, "kruskal", 3, weights=np.arange(23.0), rng=3),
}
