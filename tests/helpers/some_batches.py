"""Batches of every kind, on squares and on lattices: of recipes, changed, picked, with ends and openings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from arbitrary_mazes import loose_maze
from periodic_mazes import WRAPS, periodic_maze
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


def with_ends_of_some(mazes: list[meiro.Maze]) -> meiro.MazeBatch:
    """Mazes with openings, starts and goals: all, some, or none of them."""
    made = []
    for i, maze in enumerate(mazes):
        there = np.argwhere(np.ones(maze.passages.shape, bool) if maze.mask is None else maze.mask)
        sides = []
        if not maze.wrap[0]:
            sides = [(0, 2 * c + 1) for r, c in there.tolist() if r == 0]
            sides += [(2 * maze.rows, 2 * c + 1) for r, c in there.tolist() if r == maze.rows - 1]
        ends = {"start": there[0].tolist()} if i % 3 else {}
        ends |= {"goal": there[-1].tolist()} if i % 2 else {}
        made.append(meiro.Maze(maze.passages, maze.mask, sides[: i % 4], wrap=maze.wrap, **ends))
    return meiro.MazeBatch(made)


DISC = np.hypot(*(np.mgrid[:7, :9] - [[[3]], [[4]]])) < 4.2
SQUARES: dict[str, Callable[[], meiro.MazeBatch]] = {
    "perfect": lambda: meiro.generate_many((4, 6), n=23, rng=1),
    "masked": lambda: meiro.generate_many(n=9, mask=DISC, rng=2),
    "masks of their own": lambda: meiro.generate_many(
        (9, 9), "rooms", 9, dead_ends="remove", tries=9, sides=(1, 3), rng=3
    ),
    "percolation": lambda: meiro.generate_many((5, 5), "percolation", 9, p=0.4, rng=4),
    "torus": lambda: meiro.generate_many((5, 4), n=9, wrap=(True, True), rng=5),
    "cylinder with a mask": lambda: meiro.generate_many(n=9, mask=DISC, wrap=(False, True), rng=6),
    "other cylinder": lambda: meiro.generate_many((3, 8), "kruskal", 9, wrap=(True, False), rng=7),
    "one cell": lambda: meiro.generate_many((1, 1), n=3, rng=8),
    "one row": lambda: meiro.generate_many((1, 70), n=3, rng=9),
    "one column": lambda: meiro.generate_many((9, 1), n=3, rng=9),
    "wide": lambda: meiro.generate_many((66, 70), n=7, rng=10),  # three at a time
    "backwards": lambda: meiro.generate_many((4, 5), n=20, rng=11)[::-3],
    "loose, with ends": lambda: with_ends_of_some([loose_maze(5, 6, seed) for seed in range(12)]),
    "loose masks, with ends": lambda: with_ends_of_some([loose_maze(4, 7, i, holes=True) for i in range(12)]),
    **{
        f"periodic {wrap}, with ends": lambda wrap=wrap: with_ends_of_some(  # type: ignore[misc]
            [periodic_maze((4, 5), wrap, seed, seed % 4) for seed in range(12)]
        )
        for wrap in WRAPS
    },
    "empty": lambda: meiro.generate_many((3, 4), n=0, rng=1),
}
"""Batches of squares, made when they are asked for."""
