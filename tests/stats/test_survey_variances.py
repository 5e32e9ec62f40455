"""Exact variances beside those of a survey: against all mazes, repeated surveys, and wrong samplers."""

from __future__ import annotations

import importlib
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.stats import kstest

import meiro
from meiro import _core
from meiro.exact._domain import Squares
from meiro.lattices import from_graph, hexagonal, square

COUNTS = ["isolated", "dead_ends", "corridors", "junctions", "crossroads", "passages", "dead_end_share"]
ACROSS = ["straights", "turns", "horizontal_passages", "vertical_passages", "horizontal_share"]
MASK = np.ones((4, 4), np.bool_)
MASK[1, 2] = MASK[3, 0] = False
HEXAGONS = hexagonal(2, 4)
WEIGHTS = np.random.default_rng(2).integers(1, 9, HEXAGONS.n_edges).astype(float)
MODULE = importlib.import_module("meiro.stats.surveys.expected_values")


def survey(place: Any, algorithm: Any = "wilson", n: int = 2, **options: Any) -> meiro.Table:
    measures = COUNTS if isinstance(place, meiro.Lattice) else COUNTS + ACROSS
    return meiro.survey(place, algorithm, n, **{"rng": 3, "measures": measures, **options})


@pytest.mark.parametrize(
    ("place", "algorithm", "same"),
    [
        pytest.param((3, 4), "wilson", None, id="squares"),
        pytest.param((2, 7), ("origin_shift", {"start": (0, 3)}), None, id="start"),
        pytest.param((4, 4), ("wilson", {"mask": MASK}), square(4, 4).mask(MASK.reshape(-1)), id="mask"),
        pytest.param(
            (3, 3),
            ("wilson", {"wrap": (True, False)}),
            Squares((3, 3), None, (True, False)).lattice,
            id="cylinder",
        ),
        pytest.param(from_graph(nx.complete_bipartite_graph(2, 9)), "wilson", None, id="wide"),
        pytest.param(HEXAGONS, ("aldous_broder", {"weights": WEIGHTS}), None, id="weights"),
        pytest.param((3, 3), "wilson", None, id="law"),
        pytest.param((3, 3), "kruskal", None, id="another law"),
    ],
)
def test_variances_are_those_of_all_mazes(place: Any, algorithm: Any, same: Any) -> None:
    given: dict[str, Any] = {"measures": COUNTS} if same else {}  # of directions a lattice knows nothing
    found = survey(place, algorithm, **given)
    every: Any = list(meiro.enumerate_mazes(same or place))
    table: Any = meiro.measure(every, found["measure"].tolist())
    shares = np.ones(len(every))
    if algorithm == "kruskal":
        shares = np.array([float(meiro.law(place, algorithm)[maze]) for maze in every])
    elif "weights" in algorithm[1]:
        shares = np.array([WEIGHTS[maze.open].prod() for maze in every])
    columns = (found[name] for name in ("measure", "expected", "expected_variance"))
    for measure, mean, variance in zip(*columns, strict=True):
        exact = np.average(table[measure], weights=shares)
        assert mean == pytest.approx(exact)
        assert variance == pytest.approx(np.average((table[measure] - exact) ** 2, weights=shares), abs=1e-12)


@pytest.mark.parametrize(
    ("place", "algorithm"),
    [
        pytest.param((5, 6), "wilson", id="squares"),
        pytest.param(HEXAGONS, ("wilson", {"weights": WEIGHTS}), id="weights"),
        pytest.param((3, 3), "kruskal", id="law"),
    ],
)
def test_deviations_of_repeated_surveys_are_normal(place: Any, algorithm: Any) -> None:
    tables = [survey(place, algorithm, 2000, rng=seed) for seed in range(150)]
    for i, measure in enumerate(tables[0]["measure"].tolist()):
        for name in ("z", "z_variance"):
            z = np.array([table[name][i] for table in tables])
            if tables[0]["sd"][i] == 0:
                assert (z == 0).all()
            else:
                assert kstest(z, "norm").pvalue > 1e-4, (measure, name)
                assert z.std() == pytest.approx(1, abs=0.2), (measure, name)


def test_even_coins_and_equal_mazes_deviate_by_little() -> None:
    """The variance of a fair coin has no error of first order, and that of few equal mazes none at all."""
    of = partial(survey, (2, 2), measures="horizontal_passages")
    z = np.concatenate([of(n=1000, rng=seed)["z_variance"] for seed in range(200)])
    assert np.abs(z).max() < 3
    few = next(found for found in (of(n=5, rng=seed) for seed in range(200)) if found["sd"] == 0)
    assert few["expected_variance"] == 0.25
    assert few["z_variance"] == pytest.approx(-np.sqrt(10))
    paths = survey((6, 6), ("wilson", {"mask": np.eye(6) + np.eye(6, k=1) * [0, 1, 0, 0, 1, 0] > 0}))
    assert (paths["z_variance"] == 0).all(), "one maze, whose variance is 0 but for rounding"


@pytest.mark.parametrize(("wrong", "n", "least"), [("kruskal", 100_000, 7), ("backtracker", 2000, 50)])
def test_wrong_samplers_have_other_variances(
    wrong: str, n: int, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = survey((8, 8), n=n)
    assert np.abs(right["z_variance"]).max() < 5
    measure_many = _core.measure_many
    monkeypatch.setattr(_core, "measure_many", lambda _, *given: measure_many(wrong, *given))
    found = survey((8, 8), n=n)
    assert np.array_equal(found["expected_variance"], right["expected_variance"])
    assert np.abs(found["z_variance"]).max() > least
    i = found["measure"].tolist().index("dead_ends")
    values = meiro.generate_many((8, 8), wrong, n, rng=3).measure("dead_ends")["dead_ends"]
    spread, fourth = values.var(ddof=1), ((values - values.mean()) ** 4).mean()
    error = np.sqrt((fourth - spread**2 * (n - 3) / (n - 1)) / n)
    assert found["z_variance"][i] == pytest.approx((spread - found["expected_variance"][i]) / error)


@pytest.mark.parametrize(
    ("place", "algorithm", "why"),
    [
        ((33, 32), "wilson", "no variance beyond 1,024 cells"),
        (from_graph(nx.complete_graph(40)), "wilson", "no variance, cells have too many edges"),
        (from_graph(nx.star_graph(17)), "wilson", "no variance, cells have too many edges"),
        ((6, 6), ("percolation", {"p": 0.3}), "each wall draws by itself"),
        ((6, 6), "sidewinder", "draw one by one"),
        ((100, 100), "kruskal", "Pullen"),
        ((6, 6), "kruskal", ""),
    ],
    ids=str,
)
def test_means_without_variances_say_why(place: Any, algorithm: Any, why: str) -> None:
    found = survey(place, algorithm, measures="dead_end_share")
    assert np.isnan(found["expected_variance"]).all()
    assert np.isnan(found["z_variance"]).all()
    assert np.isnan(found["expected"]).all() == (not why)
    assert why in found["source"][0]


def test_weights_too_unlike_for_variances_leave_the_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("weights")

    monkeypatch.setattr(MODULE, "uniform_variances", refuse)
    found = survey(HEXAGONS, ("wilson", {"weights": WEIGHTS + 0.5}))
    assert not np.isnan(found["expected"]).any()
    assert np.isnan(found["expected_variance"]).all()
    assert found["source"][0].endswith("; no variance, weights are too unlike each other")


def test_variances_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def compute(domain: Any, weights: Any) -> Any:
        asked.append(domain)
        return uniform_variances(domain, weights)

    uniform_variances = MODULE.uniform_variances
    monkeypatch.setattr(MODULE, "uniform_variances", compute)
    MODULE._variances.cache_clear()
    ways: list[Any] = ["wilson", "aldous_broder", ("wilson", {"mask": MASK})]
    for place, algorithms, n in (
        ((4, 4), ways, 2),
        (square(4, 4), [*ways[:2], ("wilson", {"weights": np.full(24, 2.0)})], 2),
    ):
        for _ in range(2):
            survey(place, algorithms, n)
    assert len(asked) == 4, "of the shape, the mask, the lattice, and the weights"


def test_changes_of_the_law_leave_no_variance() -> None:
    of = partial(survey, (4, 4), n=300)
    braided = of(transforms=[("braid", {"p": 0.5})])
    assert np.isnan(braided["expected_variance"]).all()
    plain, opened = of(), of(openings="random")
    assert np.array_equal(plain["z_variance"], opened["z_variance"])
    assert not np.isnan(opened["z_variance"]).any()
    everything = meiro.survey((4, 4), "wilson", 300, rng=3)
    known = ~np.isnan(everything["expected_variance"])
    assert set(everything["measure"][known]) == {*COUNTS, *ACROSS}
