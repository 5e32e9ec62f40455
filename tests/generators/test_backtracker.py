"""The backtracker compared with a slow version: both rules after a dead end, and its options."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest
import sampling
from power import samples
from reference.backtracker import backtracker
from walk_options import SHAPE, SLOW, Case

import meiro

if TYPE_CHECKING:
    from numpy.typing import NDArray

pytestmark = pytest.mark.sanitize

Way = Literal["newest", "random"]
WAYS: tuple[Way, ...] = ("newest", "random")


def slow(way: Way) -> NDArray[np.int64]:
    rng = random.Random(5)
    return sampling.tree_numbers(SHAPE, (backtracker(*SHAPE, way, rng) for _ in range(SLOW)))


@pytest.fixture(scope="module", name="reference")
def reference_samples() -> dict[Way, NDArray[np.int64]]:
    return {way: slow(way) for way in WAYS}


def fast(way: Way) -> NDArray[np.int64]:
    return sampling.numbers(
        meiro.generate_many(SHAPE, "backtracker", samples(400_000), rng=3, after_dead_end=way).passages
    )


@pytest.mark.laws
@pytest.mark.parametrize("way", WAYS)
def test_backtracker_has_the_law_of_the_slow_one(way: Way, reference: dict[Way, NDArray[np.int64]]) -> None:
    sampling.check_same_law(fast(way), reference[way])


@pytest.mark.laws
def test_backtracker_after_dead_end_changes_the_law(reference: dict[Way, NDArray[np.int64]]) -> None:
    assert sampling.same_law(fast("newest"), reference["random"]) < sampling.FALSE_ALARM
    sampling.check_law(reference["newest"], sampling.load("backtracker", SHAPE))
    assert sampling.p_value(reference["random"], sampling.load("backtracker", SHAPE)) < sampling.FALSE_ALARM


@pytest.mark.laws
@pytest.mark.parametrize(
    ("way", "case", "unlike"),
    [
        ("newest", Case(run=4), Case()),
        ("random", Case(run=4), Case()),
        ("newest", Case(run=0.5, bias=3), Case(bias=3)),
        ("newest", Case(start=(1, 2)), Case()),
        ("random", Case(start="random"), Case()),
        ("newest", Case(run=4, wrap=(True, True)), Case(wrap=(True, True))),
        ("random", Case(run=4, bias=0.5, wrap=(False, True)), Case(run=4, bias=0.5)),
    ],
)
def test_backtracker_options_have_the_law_of_the_slow_one(way: Way, case: Case, unlike: Case) -> None:
    sample = case.slow(backtracker, way)
    sampling.check_same_law(case.fast("backtracker", after_dead_end=way), sample)
    assert sampling.same_law(unlike.fast("backtracker", after_dead_end=way), sample) < sampling.FALSE_ALARM


@pytest.mark.parametrize("algorithm", ["backtracker", "hunt_and_kill"])
def test_backtracker_run_and_bias_are_seen(algorithm: str) -> None:
    def steps(**likes: float) -> tuple[float, float]:
        open_ = meiro.generate((200, 200), algorithm, rng=1, **likes).passages  # type: ignore[call-overload]
        return float(np.isin(open_, (5, 10)).mean()), float((open_ & 2 != 0).mean())

    straight, level = steps()
    assert steps(run=8)[0] > straight + 0.1
    assert steps(run=0.125)[0] < straight - 0.1
    assert steps(bias=8)[1] > level + 0.1
    assert steps(bias=0.125)[1] < level - 0.1


def test_backtracker_remembers_its_direction_after_a_dead_end() -> None:
    """With a small run= it hardly goes straight on, from where it has come back to neither."""
    shape = (60, 60)
    trace = meiro.trace(shape, "backtracker", rng=5, run=1 / 1024)
    entered: dict[tuple[int, int], int] = {(0, 0): -1}
    straight, other, returned = 0, 0, False
    for kind, row, col, direction in trace.events.tolist():
        at = row // 2, col // 2
        if kind == meiro.EventKind.CARVE:
            ways = [(at[0] - 1, at[1]), (at[0], at[1] + 1), (at[0] + 1, at[1]), (at[0], at[1] - 1)]
            free = [
                d for d, to in enumerate(ways) if to not in entered and min(to) >= 0 and max(to) < shape[0]
            ]
            if returned and len(free) > 1 and entered[at] in free:
                straight += direction == entered[at]
                other += direction != entered[at]
            entered[ways[direction]] = direction
        returned = kind == meiro.EventKind.BACK
    assert other > 20
    assert straight < 5
