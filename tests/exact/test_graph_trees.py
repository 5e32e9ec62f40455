"""Counts, ranks, laws and edge probabilities of the spanning trees of lattices."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import power
import pytest
from reference.exact import RULES, graph_of_lattice, spanning_forests
from reference_graphs import GRAPHS, MULTIGRAPH

import meiro
from meiro.lattices import from_graph, square

SMALL = GRAPHS | {
    "multigraph": MULTIGRAPH,
    "two parts": from_graph(nx.disjoint_union(nx.cycle_graph(4), nx.complete_graph(3))),
    "one cell": meiro.Lattice(1, []),
}
RANDOM = [from_graph(nx.gnp_random_graph(6, 0.6, seed=seed)) for seed in range(20)]
ALL = [*SMALL.values(), *RANDOM]


@pytest.mark.parametrize("lattice", ALL, ids=str)
def test_every_tree_has_its_rank(lattice: meiro.Lattice) -> None:
    every = list(meiro.enumerate_mazes(lattice))
    assert meiro.number_of_mazes(lattice) == len(every)
    assert {tuple(maze.edge_ids().tolist()) for maze in every} == set(
        spanning_forests(lattice.edges.tolist())
    )
    assert [tuple(maze.open) for maze in every] == sorted(tuple(maze.open) for maze in every)  # closed first
    for k, maze in list(enumerate(every))[:: max(1, len(every) // 20)]:
        assert meiro.rank(maze) == k
        assert meiro.unrank(k, lattice) == maze


@pytest.mark.parametrize("lattice", ALL, ids=str)
def test_edge_probabilities_are_the_shares_of_the_trees(lattice: meiro.Lattice) -> None:
    rng = np.random.default_rng(3)
    weights = rng.integers(1, 9, lattice.n_edges).astype(float)
    every = np.array([maze.open for maze in meiro.enumerate_mazes(lattice)])
    for given in (None, weights):
        shares = np.ones(len(every)) if given is None else np.where(every, given, 1).prod(axis=1)
        wanted = shares @ every / shares.sum()
        assert meiro.edge_probabilities(lattice, weights=given) == pytest.approx(wanted, abs=1e-12)
    assert meiro.log_number_of_mazes(lattice) == pytest.approx(math.log(len(every)), abs=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (5, 8), (20, 31)])
def test_square_lattices_agree_with_shapes(shape: tuple[int, int]) -> None:
    lattice = square(*shape)
    assert meiro.number_of_mazes(lattice) == meiro.number_of_mazes(shape)
    assert meiro.log_number_of_mazes(lattice) == pytest.approx(meiro.log_number_of_mazes(shape), rel=1e-12)
    assert meiro.edge_probabilities(lattice) == pytest.approx(meiro.edge_probabilities(shape), abs=1e-12)


@pytest.mark.laws
def test_wilson_has_the_edge_probabilities_of_larger_graphs() -> None:
    lattice = from_graph(nx.random_regular_graph(4, 60, seed=2))
    weights = np.random.default_rng(5).uniform(0.2, 5, lattice.n_edges)
    n = power.samples(100_000)
    for given in (None, weights):
        options: dict[str, Any] = {} if given is None else {"weights": given}
        expected = meiro.edge_probabilities(lattice, weights=given)
        seen = meiro.generate_many(lattice, "wilson", n, rng=7, **options).open.mean(axis=0)
        z = (seen - expected) / np.sqrt(expected * (1 - expected) / n)
        assert np.abs(z).max() < 6
    other = meiro.generate_many(lattice, "kruskal", n, rng=7).open.mean(axis=0)
    assert np.abs((other - expected) / np.sqrt(expected * (1 - expected) / n)).max() > 10


def test_ranks_of_larger_lattices_are_inverse() -> None:
    lattice = from_graph(nx.random_regular_graph(3, 30, seed=1))
    for maze in meiro.generate_many(lattice, "wilson", 3, rng=7):
        k = meiro.rank(maze)
        assert 0 <= k < meiro.number_of_mazes(lattice)
        assert meiro.unrank(k, lattice) == maze


@pytest.mark.parametrize("name", ["K4", "W6", "2 x 3", "3 x 3", "multigraph"])
def test_laws_are_those_of_the_reference(name: str) -> None:
    lattice = SMALL[name]
    law = meiro.law(lattice, "kruskal")
    assert sum(law.values()) == 1
    if name != "multigraph":  # the reference has simple graphs
        wanted = RULES["random_mst"](graph_of_lattice(lattice))
        for maze, p in law.items():
            assert wanted[frozenset((min(edge), max(edge)) for edge in maze.edges().tolist())] == p
    uniform = meiro.law(lattice, "uniform")
    assert set(uniform.values()) == {Fraction(1, len(uniform))}
    assert uniform.probability(next(iter(law))) == Fraction(1, len(uniform))


@pytest.mark.laws
@pytest.mark.parametrize("name", ["K4", "K33", "Petersen", "multigraph", "two parts"])
def test_sampler_test_judges_lattices(name: str) -> None:
    lattice = SMALL[name]
    n = power.samples(100_000)
    assert meiro.sampler_test("wilson", "uniform", lattice, n=n, rng=1).p_value > power.FALSE_ALARM
    many = meiro.generate_many(lattice, "kruskal", n, rng=1)
    assert meiro.sampler_test(many, meiro.law(lattice, "kruskal")).p_value > power.FALSE_ALARM
    if name == "multigraph":
        assert meiro.sampler_test(many, "uniform", lattice).p_value < power.FALSE_ALARM


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: meiro.number_of_mazes(square(2, 2), mask=[[1]]), TypeError, "a lattice takes no mask"),
        (lambda: meiro.unrank(16, SMALL["K4"]), ValueError, "k must be from 0 to 15 for <Lattice graph"),
        (lambda: meiro.rank(meiro.GraphMaze(SMALL["K4"], [0])), ValueError, "not perfect"),
        (lambda: meiro.unrank(0, square(60, 60)), ValueError, "too large for ranks"),
        (lambda: meiro.law(square(8, 8), "uniform"), ValueError, "too many to list"),
        (lambda: meiro.law(square(2, 2), "eller"), ValueError, "'uniform' and 'random_mst'"),
        (lambda: meiro.edge_probabilities((2, 2), weights=[1]), TypeError, "give a lattice"),
        (
            lambda: meiro.sampler_test("wilson", meiro.law(SMALL["K4"], "wilson"), (2, 2)),
            ValueError,
            "that of",
        ),
        (lambda: meiro.sampler_test([[1, 0]], "uniform", SMALL["K4"]), ValueError, r"\(2,\), not of \(6,\)"),
    ],
)
def test_bad_arguments_say_what_would_do(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
