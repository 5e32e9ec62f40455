"""The backtracker: run and bias, and the direction it had before a dead end."""

from __future__ import annotations

import numpy as np
import pytest

import meiro

pytestmark = pytest.mark.sanitize


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
