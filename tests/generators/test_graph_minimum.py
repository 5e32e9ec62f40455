"""Minimum spanning forests of lattices, equal weights: those of a stable sort."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest

import meiro

if TYPE_CHECKING:
    from numpy.typing import NDArray

LATTICES = {
    "square": meiro.lattices.square(23, 17),
    "hexagonal": meiro.lattices.hexagonal(9, 14),
    "voronoi": meiro.lattices.voronoi(n=200, rng=3),
    "star": meiro.Lattice(40, [(0, i) for i in range(1, 40)] + [(0, i) for i in range(1, 40)]),
    "parts": meiro.Lattice(
        30, np.random.default_rng(5).integers(0, 30, (25, 2))
    ),  # with cells of no edge, self loops and parallel edges
    "complete": meiro.Lattice(25, [(i, j) for i in range(25) for j in range(i)]),
}


def forest(lattice: meiro.Lattice, weights: NDArray[np.float64]) -> NDArray[np.bool_]:
    """That of networkx; of edges of one weight the one with the lower number comes first."""
    graph = nx.MultiGraph()
    for place, edge in enumerate(np.argsort(weights, kind="stable").tolist()):
        graph.add_edge(*lattice.edges[edge].tolist(), edge, weight=place)
    kept = [edge for *_, edge in nx.minimum_spanning_edges(graph, data=False)]
    return np.isin(np.arange(lattice.n_edges), kept)


@pytest.mark.parametrize("algorithm", ["kruskal", "prim", "boruvka"])
@pytest.mark.parametrize("kinds", [1, 2, 5, 1000])
@pytest.mark.parametrize("name", LATTICES)
def test_equal_weights_go_by_the_numbers_of_the_edges(name: str, kinds: int, algorithm: str) -> None:
    lattice = LATTICES[name]
    for seed in range(5):
        weights = np.random.default_rng(seed).integers(0, kinds, lattice.n_edges).astype(np.float64)
        maze = meiro.generate(lattice, algorithm, weights=weights, rng=1)
        np.testing.assert_array_equal(maze.open, forest(lattice, weights))


def test_infinite_weights_are_weights() -> None:
    lattice = LATTICES["square"]
    weights = np.where(np.arange(lattice.n_edges) % 3 == 0, np.inf, 1.0)
    maze = meiro.generate(lattice, "kruskal", weights=weights)
    np.testing.assert_array_equal(maze.open, forest(lattice, weights))
