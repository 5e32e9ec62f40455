"""How many samples the tests marked `laws` draw, and the smallest deviation that each would see.

They draw a tenth of their samples, and all of them with `pytest --all`.
"""

from __future__ import annotations

import functools
import math

FALSE_ALARM = 1e-6  # probability that a test of a right sampler fails
SEEN = 0.99  # probability with which a deviation is seen

full = False  # set by conftest.py
found: dict[str, float] = {}  # the weakest statement of the test that runs


def samples(n: int, least: int = 0) -> int:
    """Return how many of `n` samples to draw, at least `least`."""
    return n if full else max(n // 10, min(n, least))


@functools.cache
def noncentrality(df: int) -> float:
    """Return the noncentrality of chi-square at which the test rejects with probability `SEEN`."""
    from scipy.optimize import brentq
    from scipy.stats import chi2, ncx2

    limit = chi2.isf(FALSE_ALARM, df)
    return float(brentq(lambda x: ncx2.sf(limit, df, x) - SEEN, 1, 100 + 10 * df))


def total_variation(n: float, df: int) -> float:
    """Return a total variation distance that a chi-square test of `n` samples sees, whatever its form.

    A distance of t has a chi-square distance, the sum of (q - p)^2 / p, of at least 4 t^2.
    """
    return math.sqrt(noncentrality(df) / n) / 2


def say(what: str, deviation: float) -> None:
    """Note the deviation that a check sees; the report of the test has the greatest of each kind."""
    found[what] = max(found.get(what, 0.0), deviation)
