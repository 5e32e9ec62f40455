"""The order of walls around cells, by Euler's formula; and who follows them."""

from __future__ import annotations

import itertools
from typing import Literal

import numpy as np
import pytest

import meiro
from meiro import Lattice, lattices
from meiro.solvers.rotation import clockwise_slots

pytestmark = pytest.mark.sanitize

PLANE = [
    *(lattices.square(4, 5), lattices.square(1, 4), lattices.square(1, 1), lattices.hexagonal(4, 5)),
    *(lattices.hexagonal(side=3, shape="hexagon"), lattices.hexagonal(side=4, shape="triangle")),
    *(lattices.triangular(4, 5), lattices.polar(5), lattices.polar(4, first=3), lattices.upsilon(4, 5)),
    *(lattices.kagome(4, 5), lattices.cairo(4, 5), lattices.voronoi(60, rng=1)),
]


def count_faces(lattice: Lattice) -> int:
    """The faces of a drawing: back along each edge, then on around the cell."""
    clockwise = clockwise_slots(lattice)
    cells = np.repeat(np.arange(lattice.n_cells), lattice.degrees).tolist()
    slots = {pair: i for i, pair in enumerate(zip(cells, lattice.neighbor_edges.tolist(), strict=True))}
    across = [
        slots[pair] for pair in zip(lattice.neighbors.tolist(), lattice.neighbor_edges.tolist(), strict=True)
    ]
    left, faces = set(slots.values()), 0
    while left:
        at, faces = min(left), faces + 1
        while at in left:
            left.remove(at)
            at = int(clockwise[across[at]])
    return max(faces, 1)


@pytest.mark.parametrize("lattice", PLANE, ids=repr)
def test_plane_lattices(lattice: Lattice) -> None:
    """Euler's formula holds if and only if walls are in the order in which they lie around the cells."""
    assert lattice.n_cells - lattice.n_edges + count_faces(lattice) == 2
    maze = meiro.generate(lattice, "wilson", rng=3)
    last = lattice.n_cells - 1
    hands: list[Literal["right", "left"]] = ["right", "left"]
    for found in [meiro.solve(maze, 0, algorithm="wall_follower", hand=hand) for hand in hands]:
        assert found.found
        assert found.path.tolist() == meiro.solve(maze, 0, last).path.tolist()
        assert len(found.walk) <= 2 * lattice.n_cells  # type: ignore[arg-type]  # it walks


def test_gives_up_around_an_island() -> None:
    """A goal inside of a ring of passages is not beside the outer wall."""
    lattice = lattices.square(5, 5)
    edges = {tuple(pair): i for i, pair in enumerate(lattice.edges.tolist())}
    ring = [0, 1, 2, 3, 4, 9, 14, 19, 24, 23, 22, 21, 20, 15, 10, 5, 0]
    pairs = [*itertools.pairwise(ring), (2, 7), (7, 12)]
    maze = meiro.GraphMaze(lattice, [edges[min(pair), max(pair)] for pair in pairs])
    found = {
        hand: meiro.solve(maze, 0, 12, algorithm="wall_follower", hand=hand) for hand in ("right", "left")
    }
    assert sorted(solution.found for solution in found.values()) == [False, True]
    assert any("came round" in solution.reason for solution in found.values())


@pytest.mark.parametrize(
    "lattice", [lattices.cube(3), lattices.moebius(3, 7), lattices.box(2, 3, 3)], ids=repr
)
def test_surfaces_and_levels_are_refused(lattice: Lattice) -> None:
    maze = meiro.generate(lattice, "wilson", rng=1)
    with pytest.raises(TypeError, match=r"needs cells that lie in the plane.*'tremaux'"):
        meiro.solve(maze, algorithm="wall_follower")
    assert meiro.solve(maze, algorithm="tremaux").found
