"""Weights so unequal that walks would hardly end: trees by elimination follow the law, and soon."""

from __future__ import annotations

import itertools
import time
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from reference.star_mesh import law_of_products, lifted
from sampling import Law, check_law, samples

import meiro
from meiro.lattices import from_graph, hexagonal, square

WALKS = ("wilson", "aldous_broder")
GRAPHS: dict[str, list[tuple[int, int]]] = {
    "triangle": [(0, 1), (1, 2), (0, 2)],
    "K4": [*itertools.combinations(range(4), 2)],
    "parallel edges": [(0, 1), (1, 0), (1, 2), (3, 2), (0, 3), (0, 2), (2, 0)],
    "K33": [(i, j) for i in range(3) for j in range(3, 6)],
}
# Trees that matter leave heavy edges out, since others of their kind are beside them.
UNEQUAL: dict[str, tuple[meiro.Lattice, list[float]]] = {
    "two heavy edges": (square(2, 3), [1e12, 1, 2, 3, 1, 1e12, 2]),
    "heavy triangle": (from_graph(nx.wheel_graph(5)), [1e12, 2e12, 1, 2, 3e12, 1, 2, 3]),
    "behind a light edge": (
        from_graph([(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)]),
        [2, 1, 3, 1e-12, 1, 2, 3],
    ),
    "all heavy": (hexagonal(2, 3), [1e300 / (1 + i % 4) for i in range(9)]),
    "many orders": (square(3, 3), [10.0 ** (12 * (i % 3)) * (1 + i % 5) for i in range(12)]),
}


def two_walls() -> Any:
    weights = np.ones(112)
    weights[20], weights[60] = 1e8, 1e-8
    return weights


@pytest.mark.parametrize("name", GRAPHS)
def test_the_rule_in_fractions(name: str) -> None:
    edges = GRAPHS[name]
    n = 1 + max(map(max, edges))
    weights = [Fraction(10) ** (7 * i % 5) * (1 + i % 3) for i in range(len(edges))]
    law = law_of_products(n, edges, weights)
    for k in range(n):
        assert lifted(n, edges, weights, [(2 * i + 1) % n if n % 2 else i for i in range(k)]) == law


@pytest.mark.laws
@pytest.mark.parametrize("name", UNEQUAL)
@pytest.mark.parametrize("algorithm", WALKS)
def test_the_law_of_unequal_weights(algorithm: str, name: str) -> None:
    lattice, given = UNEQUAL[name]
    weights = np.array(given)
    trees = np.array([maze.open for maze in meiro.enumerate_mazes(lattice)])
    logs = np.where(trees, np.log(weights), 0).sum(axis=1)
    shares = np.exp(logs - logs.max())
    law = Law((1, len(lattice)), trees @ (1 << np.arange(lattice.n_edges)), shares / shares.sum())
    n = samples(20_000, law)
    drawn = meiro.generate_many(lattice, algorithm, n, weights=weights, rng=5).open
    check_law(drawn @ (1 << np.arange(lattice.n_edges)), law)


@pytest.mark.parametrize("algorithm", WALKS)
@pytest.mark.parametrize("weight", [1e9, 1e12, 1e300])
def test_one_heavy_edge_takes_no_time(algorithm: str, weight: float) -> None:
    tree = meiro.spanning_tree([(0, 1), (1, 2), (0, 2)], algorithm, weights=[weight, 1, 1], rng=1, n=50)
    assert tree[:, 0].all()
    wheel = nx.wheel_graph(9)
    spokes = [1e13 if 0 in edge else 1.0 for edge in wheel.edges]
    assert (meiro.spanning_tree(wheel, algorithm, weights=spokes, rng=1, n=50).sum(axis=1) == 8).all()
    for place in ((8, 8), square(8, 8)):
        assert meiro.generate(place, algorithm, weights=two_walls(), rng=1).is_perfect


@pytest.mark.parametrize("algorithm", WALKS)
@pytest.mark.parametrize(
    "options", [{}, {"wrap": (True, True)}, {"wrap": (False, True)}, {"mask": True}], ids=str
)
def test_squares_of_any_kind(algorithm: str, options: dict[str, Any]) -> None:
    given = dict(options)
    if "mask" in given:
        given["mask"] = np.ones((12, 12), bool)
        given["mask"][5], given["mask"][8, :7] = False, False
    walls = 264 + 12 * sum(given.get("wrap", ()))
    weights = 10.0 ** np.random.default_rng(3).integers(-9, 9, walls)
    batch = meiro.generate_many((12, 12), algorithm, 5, weights=weights, rng=2, **given)
    assert batch == meiro.generate_many((12, 12), algorithm, 5, weights=weights, rng=2, threads=2, **given)
    assert all(maze.is_perfect for maze in batch)
    trace = meiro.trace((12, 12), algorithm, weights=weights, rng=meiro.replicate(2, 3), **given)
    assert trace.result == batch[3] == trace[-1].maze()


@pytest.mark.parametrize("algorithm", WALKS)
def test_the_same_alone_in_a_batch_and_traced(algorithm: str) -> None:
    lattice = hexagonal(9, 9)
    weights = 10.0 ** np.random.default_rng(3).integers(-15, 15, lattice.n_edges)
    batch = meiro.generate_many(lattice, algorithm, 9, weights=weights, rng=2)
    assert batch == meiro.generate_many(lattice, algorithm, 9, weights=weights, rng=2, threads=2)
    assert len(batch.unique()) > 5
    trace = meiro.trace(lattice, algorithm, weights=weights, rng=meiro.replicate(2, 3))
    assert trace.result == batch[3] == trace[-1].maze()


def test_weights_beyond_all_orders_are_refused() -> None:
    lattice = square(3, 3)
    weights = 10.0 ** (300 * (np.arange(12) % 3 - 1))
    with pytest.raises(ValueError, match=r"weights from 1e-300 to 1e\+300 are too unequal"):
        meiro.generate(lattice, weights=weights, rng=1)


@pytest.mark.clock
@pytest.mark.long
def test_large_graphs() -> None:
    rng = np.random.default_rng(1)
    for lattice in (square(300, 300), from_graph(nx.random_regular_graph(4, 10_000, seed=1))):
        weights = np.exp(6 * rng.normal(size=lattice.n_edges))
        begin = time.process_time()
        assert meiro.generate(lattice, weights=weights, rng=1).is_perfect
        assert time.process_time() - begin < 40
