"""The law of minimum spanning trees: against each step of Kruskal's rule, all orders of a tree, and mazes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from power import samples

import meiro
from meiro.exact._minimum_trees import blocks, minimum_trees
from meiro.exact._rules import edges_of, law_by_rule
from meiro.lattices import from_graph

if TYPE_CHECKING:
    from collections.abc import Sequence


def labels(edges: Sequence[Sequence[int]], open_: int) -> list[int]:
    """Return the region of each cell where these edges are open."""
    label = list(range(max(map(max, edges)) + 1))
    for i, (one, other) in enumerate(edges):
        if open_ >> i & 1 and label[one] != label[other]:
            label = [label[one] if own == label[other] else own for own in label]
    return label


def parting(edges: Sequence[Sequence[int]], open_: int) -> list[int]:
    """Return the edges between two regions."""
    label = labels(edges, open_)
    return [i for i, (one, other) in enumerate(edges) if label[one] != label[other]]


def by_every_step(edges: Sequence[Sequence[int]]) -> dict[int, Fraction]:
    """Return the law of Kruskal's rule: the next edge that joins two regions is uniform among these."""
    forests = {0: Fraction(1)}
    while True:
        following: dict[int, Fraction] = {}
        for forest, share in forests.items():
            joining = parting(edges, forest)
            for i in joining:
                grown = forest | 1 << i
                following[grown] = following.get(grown, Fraction(0)) + share / len(joining)
        if not following:
            return forests
        forests = following


def by_all_orders(edges: Sequence[Sequence[int]], tree: int) -> Fraction:
    """Return the probability of one tree: the sum over all orders in which its edges can come."""
    found = {tree: Fraction(1)}
    own = [1 << i for i in range(len(edges)) if tree >> i & 1]
    for _ in own:  # from the sets of k edges to those of k - 1
        fewer: dict[int, Fraction] = {}
        for some, p in found.items():
            for bit in own:
                if some & bit:
                    fewer[some ^ bit] = fewer.get(some ^ bit, Fraction(0)) + p
        found = {some: p / len(parting(edges, some)) for some, p in fewer.items()}
    return found[0]


GRAPHS: dict[str, list[tuple[int, int]]] = {
    "3 x 3": edges_of((3, 3)),
    "2 x 5": edges_of((2, 5)),
    "K5": list(nx.complete_graph(5).edges),
    "K24": list(nx.complete_bipartite_graph(2, 4).edges),
    "W6": list(nx.wheel_graph(6).edges),
    "Petersen": list(nx.petersen_graph().edges),
    "multigraph": [(0, 1), (1, 0), (1, 2), (2, 2), (3, 2), (0, 3), (0, 2), (0, 2)],
    "three alike": [(0, 1)] * 3,
    "parts": [(0, 1), (1, 2), (4, 5), (2, 0), (4, 5), (5, 6), (7, 7)],
    "two squares at a cell": [(0, 1), (1, 2), (2, 3), (3, 0), (2, 4), (4, 5), (5, 6), (6, 2), (6, 7)],
    "one edge": [(0, 1)],
    "one loop": [(0, 0)],
}


@pytest.mark.parametrize("name", [name for name in GRAPHS if name != "Petersen"])
def test_trees_are_those_of_every_step(name: str) -> None:
    assert minimum_trees(GRAPHS[name]) == by_every_step(GRAPHS[name])


@pytest.mark.long
@pytest.mark.parametrize(
    ("edges", "every"), [(edges_of((3, 4)), 200), (GRAPHS["Petersen"], 80)], ids=["3 x 4", "Petersen"]
)
def test_trees_have_the_probability_of_all_their_orders(edges: Any, every: int) -> None:
    law = minimum_trees(edges)
    if len(edges) == 17:
        assert law == law_by_rule("random_mst", (3, 4)), "with symmetries"
    assert len(law) == {17: 2415, 15: 2000}[len(edges)]
    assert sum(law.values()) == 1
    for tree in list(law)[::every]:
        assert law[tree] == by_all_orders(edges, tree)


def test_blocks_have_no_cycle_in_common() -> None:
    found = [sorted(block) for block in blocks(GRAPHS["two squares at a cell"])]
    assert sorted(found) == [[0, 1, 2, 3], [4, 5, 6, 7], [8]]
    assert sorted(map(sorted, blocks(GRAPHS["parts"]))) == [[0, 1, 3], [2, 4], [5], [6]]
    for graph in (nx.gnm_random_graph(30, 40, seed=seed) for seed in range(10)):
        edges = [(min(ends), max(ends)) for ends in graph.edges]
        wanted = {frozenset((min(e), max(e)) for e in some) for some in nx.biconnected_component_edges(graph)}
        assert {frozenset(edges[i] for i in block) for block in blocks(edges)} == wanted


@pytest.mark.long
def test_long_ways_are_no_cycles() -> None:
    """Of a star and a ring with a tail the law is known at once; of a ring beyond 63 edges it is not."""
    assert set(meiro.law(from_graph(nx.star_graph(300)), "kruskal").values()) == {1}
    tailed = nx.cycle_graph(30)
    nx.add_path(tailed, range(29, 200))
    assert set(meiro.law(from_graph(tailed), "kruskal").values()) == {Fraction(1, 30)}
    ring = from_graph(nx.cycle_graph(64))
    with pytest.raises(ValueError, match="too many edges with cycles in common for the law of 'kruskal'"):
        meiro.law(ring, "kruskal")
    found = meiro.sampler_test("kruskal", "random_mst", ring, n=200, rng=1)
    assert found.p_value > 1e-6


@pytest.mark.long
def test_law_of_16_cells() -> None:
    """Against the orders of one tree, and mazes of Kruskal's algorithm; a uniform sampler is told apart."""
    law = meiro.law((4, 4), "kruskal")
    assert len(law) == 100_352
    orders = math.factorial(24)
    assert sum(p.numerator * (orders // p.denominator) for p in law.values()) == orders
    most = max(law, key=law.__getitem__)
    edges = edges_of((4, 4))
    pairs = set(map(tuple, np.sort(most.edges(), axis=-1).tolist()))
    tree = sum(1 << i for i, ends in enumerate(edges) if ends in pairs)
    assert law[most] == by_all_orders(edges, tree)
    assert law.probability(meiro.transpose(most)) == law[most]
    n = samples(400_000)
    assert meiro.sampler_test("kruskal", law, n=n, rng=20261127).p_value > 1e-6
    assert meiro.sampler_test("wilson", law, n=n, rng=20261127).p_value < 1e-6
