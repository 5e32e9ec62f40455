"""Time limits for tests marked `clock`: the best of some tries counts, as other processes take time too."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from meiro import _core

TRIES = 5
ANSWER = 0.1  # seconds from Ctrl-C to the handler
SILENCE = 0.03  # seconds between two polls of a long call


def best(measure: Callable[[], float], enough: float) -> float:
    """Return the least of some measurements; the first one below `enough` is the last."""
    least = math.inf
    for _ in range(TRIES):
        least = min(least, measure())
        if least < enough:
            break
    return least


def seconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def silence(call: Callable[[], object]) -> float:
    """Return the longest time between two polls of a call."""

    def longest() -> float:
        call()
        return _core.last_call()[0]

    return best(longest, SILENCE)
