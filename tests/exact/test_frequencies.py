"""`sampler_test` on shapes whose mazes cannot be listed: its probabilities, its p-values, its power."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from refusals import refused
from scipy.stats import ks_2samp

import meiro
from meiro.exact import frequencies
from meiro.lattices import from_graph, hexagonal, polar, square, triangular

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALL = [square(3, 3), hexagonal(2, 3), triangular(3, 4), from_graph(nx.wheel_graph(6))]
REJECTED = 0.001


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Compare with 199 samples where a test does not ask for all."""
    monkeypatch.setattr(frequencies, "_KEPT", {})
    if "all_samples" not in request.fixturenames:
        monkeypatch.setattr(frequencies, "SAMPLES", 199)


@pytest.fixture
def all_samples() -> None:
    """Compare with as many samples as users do."""


@pytest.mark.parametrize("lattice", SMALL, ids=lambda lattice: lattice.name)
def test_probabilities_and_counts_are_those_of_all_trees(lattice: meiro.Lattice) -> None:
    trees = np.array([maze.open for maze in meiro.enumerate_mazes(lattice)])
    local = frequencies._Local.of(lattice)
    degrees = np.stack(
        [np.bincount(lattice.edges[tree].reshape(-1), minlength=lattice.n_cells) for tree in trees]
    )
    pairs = [trees[:, one] & trees[:, other] for one, other in local.pairs]
    met = {frozenset(pair) for pair in local.pairs.tolist()}
    ends = [set(edge) for edge in lattice.edges.tolist()]
    assert met == {frozenset((a, b)) for a in range(len(ends)) for b in range(a) if ends[a] & ends[b]}
    counts = [trees.sum(axis=0), np.sum(pairs, axis=1)]
    counts += [(np.minimum(degrees, 4) == degree).sum(axis=0) for degree in (1, 2, 3, 4)]
    assert local.counts(trees).tolist() == np.concatenate(counts).tolist()
    assert frequencies._uniform(lattice) == pytest.approx(np.concatenate(counts) / len(trees), abs=1e-12)


@pytest.mark.parametrize(
    ("sampler", "law", "shape", "n"),
    [
        ("wilson", "uniform", (5, 6), 300),
        ("aldous_broder", "uniform", hexagonal(4, 5), 300),
        ("prim", "kruskal", (5, 5), 300),
        ("backtracker", "backtracker", (4, 6), 300),
        ("boruvka", "random_mst", polar(3), 1500),
    ],
)
def test_samplers_that_follow_a_law_are_accepted(sampler: Any, law: str, shape: Any, n: int) -> None:
    found = meiro.sampler_test(sampler, law, shape, n=n, rng=5)
    assert found.p_value > REJECTED * 5  # the least is 0.005
    assert (found.n, found.impossible) == (n, 0)
    assert found.sees is not None
    assert 0 < found.sees < 0.5


@pytest.mark.parametrize(
    ("sampler", "law", "shape", "n"),
    [
        ("kruskal", "uniform", (8, 8), 500),
        ("wilson", "kruskal", hexagonal(6, 7), 1000),
        ("hunt_and_kill", "backtracker", (6, 6), 200),
        (lambda rng: meiro.generate((6, 6), "sidewinder", rng=rng), "uniform", (6, 6), 50),
    ],
)
def test_samplers_of_another_law_are_rejected(sampler: Any, law: str, shape: Any, n: int) -> None:
    assert meiro.sampler_test(sampler, law, shape, n=n, rng=5).p_value == 1 / 200


def test_the_only_maze_of_a_row_is_accepted_though_counts_are_rounded() -> None:
    assert meiro.sampler_test("wilson", "uniform", (1, 8), n=1500, rng=5).p_value == 1


@pytest.mark.long
@pytest.mark.usefixtures("all_samples")
def test_kruskal_is_not_uniform_at_20_x_20_and_wilson_is() -> None:
    """In one test: what both are compared with is drawn once."""
    assert meiro.sampler_test("kruskal", "uniform", (20, 20), rng=1).p_value == 1 / 2000
    assert meiro.sampler_test("wilson", "uniform", (20, 20), rng=1).p_value >= REJECTED


@pytest.mark.long
@pytest.mark.usefixtures("all_samples")
@pytest.mark.parametrize(("shape", "n"), [((5, 5), 100), (hexagonal(4, 4), 60)], ids=str)
def test_p_values_of_wilson_are_uniform(shape: Any, n: int) -> None:
    # The samples compared with are the same in all runs, so that they are one more sample.
    found = [meiro.sampler_test("wilson", "uniform", shape, n=n, rng=[1, i]).p_value for i in range(1000)]
    expected = np.arange(1, 2001) / 2000
    assert ks_2samp(found, expected).pvalue > 1e-4


@pytest.mark.long
@pytest.mark.usefixtures("all_samples")
def test_a_deviation_that_is_seen_is_rejected_in_nine_cases_of_ten() -> None:
    shape, n, rejected = (5, 5), 300, 0
    sees = meiro.sampler_test("wilson", "uniform", shape, n=n, rng=1).sees
    assert sees is not None
    edge = 7
    p = meiro.edge_probabilities(shape)[edge]
    for run in range(40):
        rng = np.random.default_rng(run)
        mazes = list(meiro.generate_many(shape, "wilson", n, rng=[2, run]))
        with_it = iter(
            [m for m in meiro.generate_many(shape, "wilson", n, rng=[3, run]) if edge not in m.wall_ids()]
        )
        share = sees / (1 - p)  # of the mazes with the edge closed
        for i, maze in enumerate(mazes):
            if edge in maze.wall_ids() and rng.random() < share:
                mazes[i] = next(with_it)
        rejected += meiro.sampler_test(mazes, "uniform", n=n).p_value <= REJECTED
    assert rejected >= 30  # 36 are expected; fewer than 30 come once in 200, were it exactly so many


def forms(maze: meiro.Maze) -> dict[str, Any]:
    graph = maze.to_networkx()
    return {
        "maze": maze,
        "passages": maze.passages,
        "grid": maze.grid,
        "text": maze.to_text("ascii"),
        "networkx": graph,
        "edges": maze.edges(),
        "pairs of cells": list(graph.edges),
    }


@pytest.mark.parametrize("form", forms(meiro.generate((3, 3), rng=1)))
@pytest.mark.parametrize("shape", [(3, 3), (4, 5)], ids=str)
def test_mazes_come_in_every_form(form: str, shape: tuple[int, int]) -> None:
    def sampler(rng: np.random.Generator) -> Any:
        return forms(meiro.generate(shape, "aldous_broder", rng=rng))[form]

    told = shape if form == "edges" else None
    expected = meiro.sampler_test(lambda rng: meiro.generate(shape, "aldous_broder", rng=rng), n=60, rng=1)
    assert meiro.sampler_test(sampler, shape=told, n=60, rng=1) == expected
    rng = np.random.default_rng([*meiro.replicate(1, 0).key, 0])
    assert meiro.sampler_test([sampler(rng) for _ in range(60)], shape=told) == expected


def test_mazes_of_lattices_come_as_graphs_and_edges() -> None:
    lattice = hexagonal(4, 4)
    mazes = meiro.generate_many(lattice, "wilson", 60, rng=1)
    expected = meiro.sampler_test(mazes)
    assert expected.dof == frequencies._Local.of(lattice).counts(mazes.open).size
    for given in (
        mazes.open,
        list(mazes),
        [maze.to_networkx() for maze in mazes],
        [maze.edges() for maze in mazes],
    ):
        assert meiro.sampler_test(given, shape=lattice) == expected


def broken(passages: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Open one side of a wall only; close a passage; open a wall to the outside."""
    broken = passages.copy()
    broken[3, 0, 0] ^= 2
    broken[5] = 0
    broken[7, 0, 0] |= 1
    return broken


def test_what_is_no_spanning_tree_is_impossible() -> None:
    passages = meiro.generate_many((4, 5), "wilson", 30, rng=1).passages
    assert meiro.sampler_test(passages, shape=(4, 5)).impossible == 0
    found = meiro.sampler_test(broken(passages), shape=(4, 5))
    assert (found.p_value, found.statistic, found.impossible) == (0, np.inf, 3)
    loop = [np.ones(hexagonal(3, 3).n_edges, bool)] * 20
    assert meiro.sampler_test(loop, shape=hexagonal(3, 3)).impossible == 20


def test_the_first_maze_is_looked_at_before_the_others_are_drawn() -> None:
    drawn = []

    def wrong(rng: np.random.Generator) -> Any:
        drawn.append(1)
        return meiro.generate((4, 4), rng=rng)

    refused(ValueError, r"of \(4, 4\), not of \(5, 5\)", meiro.sampler_test, wrong, shape=(5, 5))
    assert len(drawn) == 1
    refused(ValueError, "here it is none", meiro.sampler_test, wrong, "growing_tree_oldest", (4, 4))
    assert len(drawn) == 2


def test_a_budget_ends_the_drawing_and_progress_ends_with_it() -> None:
    seen: list[tuple[int, int]] = []
    found = meiro.sampler_test(
        lambda rng: meiro.generate((4, 5), rng=rng),
        n=10**6,
        rng=1,
        seconds=0.3,
        progress=lambda *now: seen.append(now),
    )
    assert 20 <= found.n < 10**6
    assert seen[-1] == (found.n + 199, found.n + 199)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("eller", "eller", (4, 4)), {}, "only 'eller', which would judge itself"),
        (("wilson", "growing_tree_oldest", (4, 4)), {}, "here it is none"),
        (("wilson", "eller", hexagonal(3, 3)), {}, "here it is none"),
        (("wilson", "uniform", (4, 4)), {"n": 19}, "19 mazes are too few to tell: take 20 or more"),
        (("wilson", "uniform", (4, 4)), {"seconds": -1}, "seconds must be at least 0 and finite, not -1"),
    ],
)
def test_what_cannot_be_judged_is_refused(arguments: tuple[Any, ...], options: Any, words: str) -> None:
    refused(ValueError, words, meiro.sampler_test, *arguments, **options)


def test_samples_are_kept_for_the_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    first = meiro.sampler_test("kruskal", "uniform", (4, 4), n=50, rng=1)
    monkeypatch.setattr(frequencies, "_samples", None)
    seen: list[tuple[int, int]] = []
    again = meiro.sampler_test(
        "kruskal", "uniform", (4, 4), n=50, rng=1, progress=lambda *now: seen.append(now)
    )
    assert again == first
    assert seen[-1] == (249, 249)


def test_samples_of_1000_mazes_of_12_cells_tell_kruskal_from_uniform() -> None:
    # Of 2,415 mazes each is drawn too seldom to be counted by itself.
    assert meiro.sampler_test("kruskal", "uniform", (3, 4), n=1000, rng=1).p_value == 1 / 200
