"""Numbers of cells by their passages on lattices, means and variances: against all trees, and squares."""

from __future__ import annotations

import itertools
import math

import networkx as nx
import numpy as np
import pytest

import meiro
from meiro import _core
from meiro.exact._domain import Graph, Squares
from meiro.exact.count_variances import DEGREES, uniform_variances
from meiro.exact.local_degrees import percolation_degrees, uniform_degrees
from meiro.exact.local_patterns import uniform_patterns
from meiro.lattices import box, cube, from_graph, hexagonal, polar, square, triangular

SMALL = {
    "K5": from_graph(nx.complete_graph(5)),
    "W6": from_graph(nx.wheel_graph(6)),
    "K23": from_graph(nx.complete_bipartite_graph(2, 3)),
    "K29": from_graph(nx.complete_bipartite_graph(2, 9)),
    "star": from_graph(nx.star_graph(5)),
    "multigraph": meiro.Lattice(4, [(0, 1), (1, 0), (1, 2), (2, 2), (3, 2), (0, 3), (0, 2)]),
    "parts": meiro.Lattice(8, [(0, 1), (1, 2), (2, 0), (4, 5), (4, 5), (5, 6), (7, 7)]),
    "hexagonal": hexagonal(2, 3),
    "hexagonal with all sides": hexagonal(3, 3),
    "triangular": triangular(3, 4),
    "torus": Squares((3, 3), None, (True, True)).lattice,
    "no edge": meiro.Lattice(2, []),
}


def degree_counts(lattice: meiro.Lattice, open_: np.ndarray) -> np.ndarray:
    """Return the number of cells with 0, 1, 2, 3 and more passages."""
    degrees = np.bincount(lattice.edges[open_].reshape(-1), minlength=lattice.n_cells)
    return np.bincount(np.minimum(degrees, 4), minlength=5)


@pytest.mark.parametrize("name", SMALL)
def test_uniform_degrees_are_the_mean_of_all_trees(name: str) -> None:
    lattice = SMALL[name]
    trees = np.array([maze.open for maze in meiro.enumerate_mazes(lattice)])
    counts = np.array([degree_counts(lattice, tree) for tree in trees])
    assert uniform_degrees(lattice) == pytest.approx(counts.mean(axis=0), abs=1e-12)
    variances = uniform_variances(Graph(lattice))
    assert [variances[name] for name in DEGREES] == pytest.approx(counts.var(axis=0)[1:], abs=1e-12)
    weights = np.random.default_rng(3).integers(1, 9, lattice.n_edges).astype(float)
    shares = np.where(trees, weights, 1).prod(axis=1)
    means = shares @ counts / shares.sum()
    assert uniform_degrees(lattice, weights) == pytest.approx(means, abs=1e-11)
    variances = uniform_variances(Graph(lattice), weights)
    wanted = shares @ (counts - means) ** 2 / shares.sum()
    assert [variances[name] for name in DEGREES] == pytest.approx(wanted[1:], abs=1e-11)


@pytest.mark.parametrize("name", SMALL)
def test_degrees_of_dense_graphs_are_those_of_all_potentials(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the elimination of one cell after the other is refused, as of 64 x 64 cells of 16 edges."""
    lattice = SMALL[name]
    weights = np.random.default_rng(3).integers(1, 9, lattice.n_edges).astype(float)
    wanted = [uniform_degrees(lattice), uniform_degrees(lattice, weights)]

    def too_dense(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr(_core, "log_forests", too_dense)
    for found, means in zip(
        [uniform_degrees(lattice), uniform_degrees(lattice, weights)], wanted, strict=True
    ):
        assert found == pytest.approx(means, abs=1e-11)


@pytest.mark.parametrize("name", [name for name, lattice in SMALL.items() if lattice.n_edges < 12])
@pytest.mark.parametrize("p", [0, 0.3, 1])
def test_percolation_degrees_are_the_mean_of_all_mazes(name: str, p: float) -> None:
    lattice = SMALL[name]
    loops = lattice.edges[:, 0] == lattice.edges[:, 1]
    found = np.zeros(5)
    for choice in itertools.product((False, True), repeat=lattice.n_edges):
        open_ = np.array(choice, np.bool_)
        if not (loops & open_).any():  # loops stay closed
            share = math.prod(p if one else 1 - p for one in open_[~loops])
            found += share * degree_counts(lattice, open_)
    assert percolation_degrees(lattice, p) == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("shape", [(1, 7), (5, 8), (20, 31)])
def test_square_lattices_agree_with_rows_and_columns(shape: tuple[int, int]) -> None:
    patterns = uniform_patterns(Squares(shape, None, (False, False)))
    degrees = np.array([bits.bit_count() for bits in range(16)])
    wanted = np.bincount(degrees, patterns, minlength=5)
    assert uniform_degrees(square(*shape)) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("lattice", [polar(8), cube(6), box(4, 5, 6), hexagonal(20, 20)], ids=str)
def test_degrees_sum_up(lattice: meiro.Lattice) -> None:
    found = uniform_degrees(lattice, np.random.default_rng(1).uniform(0.1, 10, lattice.n_edges))
    assert found is not None
    assert found.sum() == pytest.approx(lattice.n_cells)
    assert found[0] == 0


def test_what_takes_long_or_cannot_be_computed_is_not_said() -> None:
    assert uniform_degrees(square(100, 100)) is None
    assert uniform_degrees(from_graph(nx.star_graph(1000))) is None
    lattice = hexagonal(10, 10)
    weights = 10.0 ** np.random.default_rng(1).uniform(-300, 300, lattice.n_edges)
    assert uniform_degrees(lattice, weights) is None


@pytest.mark.long
def test_too_dense_lattices_are_given_up() -> None:
    assert uniform_degrees(from_graph(nx.random_regular_graph(6, 4200, seed=1))) is None
