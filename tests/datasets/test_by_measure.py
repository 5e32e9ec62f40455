"""Mazes of nearly equal difficulty: against all candidates, sorted."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

import meiro
from meiro.datasets import by_measure

MASK = np.tri(6, 7, 2, dtype=bool)


def obvious(target: float, values: list[float], n: int) -> list[int]:
    """Return the numbers of the nearest candidates, nearest first; undefined ones are never near."""
    defined = [i for i, value in enumerate(values) if not math.isnan(value)]
    if math.isinf(target):
        return sorted(defined, key=lambda i: -values[i] if target > 0 else values[i])[:n]
    return sorted(defined, key=lambda i: abs(values[i] - target))[:n]


@settings(max_examples=30, deadline=None)
@given(
    shape=st.sampled_from([(5, 6), meiro.lattices.hexagonal(5, 5)]),
    algorithm=st.sampled_from(["wilson", "backtracker", "kruskal"]),
    measure=st.sampled_from(["dead_ends", "solution_length", "mean_dead_end"]),
    target=st.integers(0, 40) | st.floats(0, 30) | st.sampled_from([math.inf, -math.inf]),
    n=st.integers(1, 20),
    seed=st.integers(0, 99),
)
def test_the_nearest_of_all_candidates_are_kept(
    *, shape: Any, algorithm: str, measure: str, target: float, n: int, seed: int
) -> None:
    found = by_measure(shape, algorithm, measure, target, n=n, candidates=60, rng=seed)
    every = meiro.generate_many(shape, algorithm, 60, rng=seed)
    values = meiro.measure(every, measure)[measure].tolist()
    wanted = obvious(target, values, n)
    assert found.replicates.tolist() == wanted
    assert found == every[np.array(wanted)]
    assert found[0] == meiro.generate(shape, algorithm, rng=found.seed(0))


def test_candidates_are_measured_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    given: dict[str, Any] = {"n": 7, "candidates": 90, "rng": meiro.replicate(3, 1000)}
    whole = by_measure((5, 6), "wilson", "difficulty", 8, **given)
    monkeypatch.setattr("meiro._utils.bands.BAND", 300)
    given |= {"threads": 2, "progress": lambda *at: told.append(at)}
    parts = by_measure((5, 6), "wilson", "difficulty", 8, **given)
    assert whole == parts
    assert (whole.replicates >= 1000).all()
    assert told == [(10 * i, 90) for i in range(1, 10)]


def test_candidates_are_1000_by_default_and_20_for_each_maze() -> None:
    told: list[int] = []
    for n, total in ((1, 1000), (50, 1000), (60, 1200)):
        by_measure((2, 2), "wilson", "dead_ends", 2, n=n, rng=1, progress=lambda _, of: told.append(of))
        assert told[-1] == total


@pytest.mark.parametrize(
    "options", [{"mask": MASK}, {"wrap": (True, True)}, {"run": 0.5}, {"dead_ends": "remove"}], ids=str
)
def test_options_reach_the_generator(options: dict[str, Any]) -> None:
    shape = None if "mask" in options else (9, 9)
    algorithm = "rooms" if "dead_ends" in options else "backtracker"
    found = by_measure(shape, algorithm, "solution_length", 20, n=3, candidates=50, rng=5, **options)
    assert found[1] == meiro.generate(shape, algorithm, rng=found.seed(1), **options)


def test_undefined_measures_are_never_kept() -> None:
    every = meiro.generate_many((3, 3), "percolation", 200, rng=1, p=0.8)
    defined = int((~np.isnan(meiro.measure(every, "diameter")["diameter"].astype(float))).sum())
    assert 0 < defined < 200
    given: dict[str, Any] = {"candidates": 200, "rng": 1, "p": 0.8}
    found = by_measure((3, 3), "percolation", "diameter", 5, n=defined, **given)
    assert np.isfinite(meiro.measure(found, "diameter")["diameter"].astype(float)).all()
    message = rf"measure 'diameter' is defined for {defined} of 200 candidates, fewer than n={defined + 1}"
    refused(ValueError, message, by_measure, (3, 3), "percolation", "diameter", 5, n=defined + 1, **given)


BAD: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"measure": "dificulty"}, ValueError, "measure: there is no measure .dificulty."),
    ({"measure": 3}, TypeError, "measure must be a name such as"),
    ({"target": math.nan}, ValueError, "target must be finite, not nan"),
    ({"target": "greatest"}, TypeError, "target must be a number, not 'greatest'"),
    ({"n": 0}, ValueError, "n must be at least 1, not 0"),
    ({"n": 2.5}, TypeError, "n must be an integer"),
    ({"candidates": 5, "n": 6}, ValueError, "n=6 mazes cannot be chosen from candidates=5"),
    ({"candidates": 0}, ValueError, "candidates must be at least 1"),
    ({"candidates": 1 << 60}, MemoryError, "candidates"),
    ({"algorithm": "wilsn"}, ValueError, "algorithm: there is no algorithm 'wilsn'"),
    ({"corner": "north_west"}, TypeError, "corner"),
    ({"progress": 3}, TypeError, "progress must be"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "kind", "message"), BAD, ids=str)
def test_bad_arguments_are_refused(options: dict[str, Any], kind: type[Exception], message: str) -> None:
    given: dict[str, Any] = {"shape": (4, 4), "algorithm": "wilson", "measure": "dead_ends", "target": 4}
    refused(kind, message, by_measure, **{**given, **options})
