"""Means and variances of counts of cells: against generated mazes, laws between them, and their limits.

`test_local_degrees.py` and `test_local_patterns.py` have them against all trees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from refusals import refused

import meiro
from meiro.exact import count_variances
from meiro.exact._domain import Graph
from meiro.exact.count_variances import uniform_variances
from meiro.exact.local_patterns import counted_sides
from meiro.lattices import box, from_graph, hexagonal, polar, square, triangular
from meiro.mazes.maze import maze_from_core
from meiro.registry import MEASURES

if TYPE_CHECKING:
    from numpy.typing import NDArray


def deviations(found: NDArray[Any], mean: float, variance: float) -> tuple[float, float]:
    """Return how many standard errors a sample is off in its mean and its variance."""
    n, spread = len(found), found.var(ddof=1)
    fourth = ((found - found.mean()) ** 4).mean()
    error = np.sqrt((fourth - spread**2 * (n - 3) / (n - 1)) / n)
    return float((found.mean() - mean) / np.sqrt(variance / n)), float((spread - variance) / error)


def torus(side: int, neighbours: int) -> meiro.Lattice:
    """Return cells with the neighbours of kings and knights."""
    steps = [(0, 1), (1, 0), (1, 1), (1, -1), (1, 2), (2, 1), (1, -2), (2, -1)][: neighbours // 2]
    rows, cols = np.divmod(np.arange(side**2), side)
    ends = [(rows + down) % side * side + (cols + right) % side for down, right in steps]
    return meiro.Lattice(
        side**2, np.concatenate([np.stack([rows * side + cols, end], axis=1) for end in ends])
    )


MASK = np.add.outer(np.arange(20) ** 2, np.arange(20) ** 2) % 7 > 0
K29 = from_graph(nx.complete_bipartite_graph(2, 9))
SAMPLED: dict[str, tuple[Any, dict[str, Any]]] = {
    "squares": ((20, 20), {}),
    "torus": ((12, 20), {"wrap": (True, True)}),
    "mask": (None, {"mask": MASK}),
    "polar": (polar(9), {}),
    "wide": (torus(12, 8), {}),
    "box": (box(6, 6, 6), {}),
    "weights": (hexagonal(12, 12), {"weights": np.random.default_rng(1).uniform(0.1, 10, 385)}),
}


@pytest.mark.long
@pytest.mark.parametrize("name", SAMPLED)
def test_generated_mazes_scatter_as_expected(name: str) -> None:
    shape, options = SAMPLED[name]
    table = meiro.expected_counts(shape, **options)
    many = meiro.generate_many(shape, "wilson", 20_000, rng=38, **options)
    found = many.measure([*table["measure"]])
    for measure, mean, variance in zip(*table.values(), strict=True):
        if variance < 1e-9:
            assert found[measure] == pytest.approx(mean)
        else:
            assert np.abs(deviations(found[measure], mean, variance)).max() < 5, measure


@pytest.mark.long
def test_the_spread_of_other_laws_is_told_apart() -> None:
    mean, variance = (meiro.expected_counts((20, 20))[name][3] for name in ("mean", "variance"))
    found = meiro.generate_many((20, 20), "backtracker", 2000, rng=38).measure("dead_ends")["dead_ends"]
    assert max(deviations(found, mean, variance)) < -30


def test_names_are_those_of_measures() -> None:
    assert list(counted_sides()) == [name for name, facts in MEASURES.items() if facts.local]
    on_lattices = [name for name, facts in MEASURES.items() if facts.local and facts.graphs]
    assert meiro.expected_counts(square(2, 3))["measure"].tolist() == on_lattices
    cells = maze_from_core(np.arange(16, dtype=np.uint8)[np.newaxis])  # no maze, but a cell of each kind
    for name, counts in counted_sides().items():
        assert meiro.position_map(cells, name)[0].tolist() == counts.tolist()


@pytest.mark.long
@pytest.mark.parametrize(
    "lattice", [hexagonal(7, 8), box(4, 4, 4), from_graph(nx.wheel_graph(9)), K29, torus(5, 10)], ids=str
)
@pytest.mark.parametrize("spread", [0.3, 2])
def test_inverses_and_determinants_give_what_minors_give(
    lattice: meiro.Lattice, spread: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    domain = Graph(lattice)
    weights = 10.0 ** np.random.default_rng(2).uniform(-spread, spread, lattice.n_edges)
    found = []
    for most, singular in ((1 << 40, 10), (0, 10), (0, 1)):  # by minors, by inverses, by determinants
        monkeypatch.setattr(count_variances, "_MOST_MINORS", most)
        monkeypatch.setattr(count_variances, "_SINGULAR", singular)
        found.append(list(uniform_variances(domain, weights).values()))
    near = 1e-12 if spread < 1 else 1e-10
    assert found[1:] == [pytest.approx(found[0], rel=near, abs=near)] * 2


def test_blocks_of_pairs_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = meiro.expected_counts((9, 7))["variance"]
    monkeypatch.setattr(count_variances, "_CELLS", 5)
    monkeypatch.setattr(count_variances, "_BLOCK", 1)
    assert meiro.expected_counts((9, 7))["variance"] == pytest.approx(whole, rel=1e-12)
    assert meiro.expected_counts((7, 9))["variance"][2:] == pytest.approx(whole[2:], rel=1e-12)


def test_parts_vary_independently() -> None:
    one, other = meiro.expected_counts((5, 6)), meiro.expected_counts((5, 4))
    both = meiro.expected_counts(mask=np.arange(11) * np.ones((5, 1)) != 6)
    for name in ("mean", "variance"):
        assert both[name] == pytest.approx(one[name] + other[name], rel=1e-10)


def test_dead_ends_are_two_more_than_junctions_of_three_sides() -> None:
    found = meiro.expected_counts(triangular(12, 12))
    rows = {name: (mean, variance) for name, mean, variance in zip(*found.values(), strict=True)}
    assert rows["dead_ends"][1] == pytest.approx(rows["junctions"][1], rel=1e-11)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((65, 64), r"variances of \(65, 64\), with 4,160 cells of up to 4 edges, would take [0-9,]+ bytes"),
        (from_graph(nx.star_graph(17)), r"with 18 cells of up to 17 edges.* 4,096 cells of 16 edges"),
        (square(91, 91), r"no expected counts of .*8,281 cells.*: they are computed up to 8,192 cells"),
    ],
    ids=str,
)
def test_what_is_too_large_says_so(shape: Any, message: str) -> None:
    refused(ValueError, message, meiro.expected_counts, shape)


@pytest.mark.long
def test_what_takes_hours_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wide stars are quick but where edges are almost certain."""
    lattice = torus(8, 14)
    weights = 10.0 ** np.random.default_rng(1).uniform(-3, 3, lattice.n_edges)
    monkeypatch.setattr(count_variances, "_MOST_SECONDS", 0.01)
    uniform_variances(Graph(lattice))
    with pytest.raises(ValueError, match="weights: variances would take about 1 hours, as edges of many"):
        uniform_variances(Graph(lattice), weights)


def test_means_alone_go_further() -> None:
    found = meiro.expected_counts((65, 64), variances=False)
    assert list(found) == ["measure", "mean"]
    assert found["mean"][:2].sum() == pytest.approx(65 * 64 - 1)
    refused(TypeError, "variances must be", meiro.expected_counts, (3, 3), variances="no")


@pytest.mark.parametrize("weight", [1e-300, 1e12, 1e300])
def test_only_ratios_of_weights_matter(weight: float) -> None:
    plain, heavy = (meiro.expected_counts(hexagonal(4, 4), weights=np.full(33, w)) for w in (1, weight))
    for name in ("mean", "variance"):
        assert heavy[name] == pytest.approx(plain[name], rel=1e-10)
    probabilities = meiro.edge_probabilities(hexagonal(4, 4), weights=np.full(33, weight))
    assert probabilities == pytest.approx(meiro.edge_probabilities(hexagonal(4, 4)), rel=1e-10)


def test_weights_too_unlike_each_other_are_refused() -> None:
    lattice = hexagonal(10, 10)
    weights = 10.0 ** np.random.default_rng(1).uniform(-300, 300, lattice.n_edges)
    for each in (meiro.expected_counts, meiro.edge_probabilities):
        refused(ValueError, "weights are too unlike each other", each, lattice, weights=weights)
    two = meiro.Lattice(3, [(0, 1), (1, 2), (1, 2)])
    refused(ValueError, "weights are too", meiro.expected_counts, two, weights=[1e300, 1e-300, 1e-300])
    refused(ValueError, "weights are too unlike each other", uniform_variances, Graph(lattice), weights)
    refused(TypeError, "weights: give a lattice", meiro.expected_counts, (3, 3), weights=np.ones(12))


@pytest.mark.parametrize("seed", [1, 9, 10, 15])
def test_weights_too_unlike_for_floats_are_refused_without_a_warning_or_taken_rightly(seed: int) -> None:
    powers = np.random.default_rng(seed).choice([-1, 0, 1], hexagonal(5, 5).n_edges)

    def variances(power: int) -> dict[str, float]:
        return uniform_variances(Graph(hexagonal(5, 5)), 10.0 ** (power * powers))

    try:
        found = variances(300)
    except ValueError as error:
        assert "weights are too unlike each other" in str(error)  # noqa: PT017  # either is right
    else:
        assert found == pytest.approx(variances(8), abs=1e-5)  # near their limit
