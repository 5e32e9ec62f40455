"""What is asked of many mazes on a lattice is what is asked of each alone."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from cell_numbers import cell_numbers
from power import samples
from refusals import refused
from scipy import stats

import meiro

LATTICES = {
    "hexagonal": meiro.lattices.hexagonal(5, 6),
    "labels": meiro.lattices.from_graph(nx.les_miserables_graph()),
    "parts": meiro.Lattice(9, [(0, 1), (1, 2), (2, 0), (2, 2), (4, 5), (4, 5), (5, 6)]),
    "cell": meiro.Lattice(1, []),
}


@pytest.fixture(params=LATTICES)
def batch(request: pytest.FixtureRequest) -> meiro.GraphBatch:
    """Mazes with loops and with parts."""
    lattice = LATTICES[request.param]
    return meiro.generate_many(lattice, "percolation", 40, rng=3, p=0.7)


def cells_of(batch: meiro.GraphBatch, numbers: Any) -> Any:
    """Return numbers as what names cells: labels, where there are such."""
    labels = batch.lattice.labels
    return numbers if labels is None else [labels[i] for i in numbers]


@pytest.mark.parametrize("threads", [1, 2])
def test_distances_and_policies(batch: meiro.GraphBatch, threads: int) -> None:
    n, cells = len(batch), batch.lattice.n_cells
    each = np.random.default_rng(1).integers(0, cells, n)
    weights = np.random.default_rng(2).random((n, batch.lattice.n_edges))
    for sources, of in (
        (None, lambda _: None),
        (cells_of(batch, each), lambda i: cells_of(batch, each[[i]])),
    ):
        found = meiro.distances(batch, sources, threads=threads)
        costs = meiro.distances(batch, sources, weights=weights, threads=threads)
        shared = meiro.distances(batch, sources, weights=weights[0], threads=threads)
        assert found.dtype == np.int32
        for i, maze in enumerate(batch):
            np.testing.assert_array_equal(found[i], meiro.distances(maze, of(i)))
            np.testing.assert_array_equal(costs[i], meiro.distances(maze, of(i), weights=weights[i]))
            np.testing.assert_array_equal(shared[i], meiro.distances(maze, of(i), weights=weights[0]))
    goals = cells_of(batch, each)
    moves = meiro.policy(batch, goals, threads=threads)
    for i, maze in enumerate(batch):
        np.testing.assert_array_equal(moves[i], meiro.policy(maze, cells_of(batch, each[[i]])))


def test_several_sources_of_each_and_out() -> None:
    batch = meiro.generate_many(LATTICES["hexagonal"], "wilson", 7, rng=1)
    sources = np.random.default_rng(4).integers(0, 30, (7, 3))
    out = np.empty((7, 30), np.int16)
    places: Any = batch.lattice.coordinates
    assert meiro.distances(batch, places[sources], out=out) is out
    for i, maze in enumerate(batch):
        np.testing.assert_array_equal(out[i], meiro.distances(maze, sources[i]))
        np.testing.assert_array_equal(
            meiro.policy(batch, places[sources])[i], meiro.policy(maze, list(sources[i]))
        )


def test_bad_arguments_are_named() -> None:
    batch = meiro.generate_many(LATTICES["hexagonal"], "wilson", 4, rng=1)
    other = meiro.generate(meiro.lattices.square(2, 2))
    with pytest.raises(ValueError, match="sources must be one cell, or 4, one for each maze, not 2"):
        meiro.distances(batch, [1, 2])
    with pytest.raises(ValueError, match=r"or of shape \(4, k, 2\), several for each"):
        meiro.distances(batch, np.zeros((3, 2), int))
    refused(ValueError, "30", meiro.distances, batch, 30)
    refused(ValueError, "weights must have shape", meiro.distances, batch, weights=np.ones((3, 4)))
    refused(ValueError, "out", meiro.distances, batch, out=np.empty((4, 29), np.int32))
    refused(ValueError, "0 or more", meiro.distances, batch, weights=-np.ones(batch.lattice.n_edges))
    refused(ValueError, r"goal must be a cell, 4", meiro.policy, batch, np.array([[0, 1]]))
    refused(ValueError, r"mazes\[1\] is on <Lattice square", meiro.solve_many, [batch[0], other])
    mixed: Any = [batch[0], meiro.generate((2, 2))]
    refused(TypeError, "a GraphBatch takes no moves=", meiro.distances, batch, moves=8)
    refused(TypeError, "not of one kind", meiro.solve_many, mixed)


@pytest.mark.parametrize("how", ["random", "dead_ends", "farthest", "corners"])
@pytest.mark.parametrize("least", [None, 1, 4])
def test_endpoints_are_far_enough(batch: meiro.GraphBatch, how: Any, least: int | None) -> None:
    starts, goals = meiro.endpoints(batch, how, min_length=least, rng=5)
    again = meiro.endpoints(batch, how, min_length=least, rng=5, threads=2)
    np.testing.assert_array_equal(np.stack(again), np.stack((starts, goals)))
    starts, goals = (cell_numbers(batch.lattice, cells) for cells in (starts, goals))
    for i, maze in enumerate(batch):
        steps = np.stack([meiro.distances(maze, cells_of(batch, [c])) for c in range(batch.lattice.n_cells)])
        may = ~np.eye(len(steps), dtype=bool)
        if how == "dead_ends":
            dead_end = (steps == 1).sum(axis=1) == 1
            if len(set(map(tuple, np.sort(maze.edges(), axis=1).tolist()))) == len(maze.edges()):
                may &= dead_end & dead_end[:, np.newaxis]
        elif how == "farthest":
            may &= steps == steps.max()
        elif how == "corners":
            may[:] = False
            may[0, -1] = len(may) > 1
        may &= steps >= (least or (1 if how == "farthest" else -1))
        if starts[i] < 0:
            assert goals[i] < 0
            assert not may.any() or how == "dead_ends"
        else:
            assert may[starts[i], goals[i]] or may[goals[i], starts[i]]


@pytest.mark.laws
@pytest.mark.parametrize("least", [None, 3, pytest.param(5, marks=pytest.mark.long)])
def test_pairs_are_equally_likely(least: int | None) -> None:
    maze = meiro.generate(meiro.lattices.hexagonal(3, 3), "wilson", rng=2)
    n = samples(100_000)
    many = meiro.generate_many(maze.lattice, "wilson", 1, rng=2)[[0] * n]
    starts, goals = (
        3 * cells[:, 0] + cells[:, 1] for cells in meiro.endpoints(many, min_length=least, rng=1)
    )
    steps = np.stack([meiro.distances(many[0], cell) for cell in range(9)])
    counts = np.zeros((9, 9), np.int64)
    np.add.at(counts, (starts, goals), 1)
    far = steps >= (least or 1)
    assert counts[~far].sum() == 0
    assert stats.chisquare(counts[far]).pvalue > 1e-3
