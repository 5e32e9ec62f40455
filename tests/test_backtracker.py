"""The backtracker against the slow obvious one: both ways of going on after a dead end."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Literal

import laws
import numpy as np
import pytest
from reference.backtracker import backtracker
from scipy.stats import chi2_contingency

import meiro

if TYPE_CHECKING:
    from numpy.typing import NDArray

Way = Literal["newest", "random"]
WAYS: tuple[Way, ...] = ("newest", "random")
SHAPE = (3, 3)
SLOW = 12_000


def slow(way: Way) -> NDArray[np.int64]:
    rng = random.Random(5)
    mazes = [meiro.Maze.from_edges(SHAPE, sorted(backtracker(*SHAPE, way, rng))) for _ in range(SLOW)]
    return laws.numbers(np.array([maze.passages for maze in mazes]))


@pytest.fixture(scope="module", name="reference")
def reference_samples() -> dict[Way, NDArray[np.int64]]:
    return {way: slow(way) for way in WAYS}


def fast(way: Way) -> NDArray[np.int64]:
    return laws.numbers(
        meiro.generate_many(400_000, SHAPE, "backtracker", rng=3, after_dead_end=way).passages
    )


def same_law(a: NDArray[np.int64], b: NDArray[np.int64]) -> float:
    """Return the p-value of two samples being of one law; trees that are rare in both count as one."""
    trees = np.unique(np.concatenate([a, b]))
    table = np.array([[np.sum(sample == tree) for tree in trees] for sample in (a, b)])
    rare = table.sum(axis=0) * min(len(a), len(b)) / (len(a) + len(b)) < 10
    if rare.any():
        table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    return float(chi2_contingency(table).pvalue)


@pytest.mark.parametrize("way", WAYS)
def test_the_law_is_that_of_the_slow_one(way: Way, reference: dict[Way, NDArray[np.int64]]) -> None:
    assert same_law(fast(way), reference[way]) > laws.FALSE_ALARM


def test_the_two_ways_are_two_laws(reference: dict[Way, NDArray[np.int64]]) -> None:
    assert same_law(fast("newest"), reference["random"]) < laws.FALSE_ALARM
    assert laws.p_value(reference["newest"], laws.load("backtracker", SHAPE)) > laws.FALSE_ALARM
    assert laws.p_value(reference["random"], laws.load("backtracker", SHAPE)) < laws.FALSE_ALARM
