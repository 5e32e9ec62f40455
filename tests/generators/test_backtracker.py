"""The backtracker compared with a slow version: both rules after a dead end, and its options."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
import sampling
from power import samples
from reference.backtracker import backtracker
from walk_options import SHAPE, SLOW, Case

import meiro
from meiro.generators.options import FACTS

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


def whole(passages: NDArray[np.uint8]) -> bool:
    """Return whether it is a spanning tree of a lattice that may wrap, with both sides of each wall alike."""
    rows, cols = passages.shape
    for bit, back, axis in ((2, 8, 1), (4, 1, 0)):
        if ((passages & bit != 0) != (np.roll(passages, -1, axis) & back != 0)).any():
            return False
    todo, seen = [(0, 0)], {(0, 0)}
    for r, c in todo:
        for bit, down, right in ((1, -1, 0), (2, 0, 1), (4, 1, 0), (8, 0, -1)):
            to = ((r + down) % rows, (c + right) % cols)
            if passages[r, c] & bit and to not in seen:
                seen.add(to)
                todo.append(to)
    ends = np.unpackbits(passages.ravel()).sum()
    return bool(len(seen) == rows * cols and ends == 2 * (rows * cols - 1))


WRAPS = [((3, 3), (True, True)), ((5, 1), (True, False)), ((1, 7), (False, True)), ((20, 33), (True, True))]


@pytest.mark.parametrize("algorithm", ["backtracker", "hunt_and_kill"])
@pytest.mark.parametrize(("shape", "wrap"), WRAPS)
@pytest.mark.parametrize("likes", [{}, {"run": 5}, {"bias": 0.01}], ids=str)
def test_backtracker_on_periodic_lattices_with_run_and_bias(
    algorithm: str, shape: tuple[int, int], wrap: tuple[bool, bool], likes: dict[str, float]
) -> None:
    for way in meiro.ALGORITHMS[algorithm].options:
        for choice in FACTS[way]["choices"]:
            options: dict[str, Any] = {way: choice, **likes}
            many = meiro.generate_many(shape, algorithm, 20, rng=2, wrap=wrap, **options)
            assert all(whole(maze) for maze in many.passages)
            again = meiro.generate_many(shape, algorithm, 20, rng=2, wrap=wrap, threads=2, **options)
            assert (again.passages == many.passages).all()
            over = many.passages[:, 0] & 1 if wrap[0] else many.passages[:, :, 0] & 8
            assert over.any(), "some ways lead over the rim"


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
