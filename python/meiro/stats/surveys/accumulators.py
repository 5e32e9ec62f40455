"""What is known of many numbers without keeping them: `Stat`, which can be merged in any order.

Sums and sums of squares are exact: every float64 is a whole number of `2**-UNIT`, and Python's integers
do not round. So mean and standard deviation are the correctly rounded ones, and numbers may come in any
order and in any pieces: nothing of it is seen in the result, not even in the last bit.

Quantiles are those of ``numpy.quantile`` as long as there are at most `DISTINCT` different numbers. With
more, a number counts as its first `DIGITS` binary digits, which is off by less than 0.013 % of it, and by
nothing for integers below 8192. Which of the two depends on the numbers only, not on how they came.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNIT = 1127  # 1074 for the least float, 53 for the mantissa of the others
DISTINCT = 1 << 16
DIGITS = 13  # the leading one, which is not written, and 12 of the mantissa
QUANTILES = (5, 25, 50, 75, 95)  # in percent

_CUT = 53 - DIGITS
_LOW = (1 << 27) - 1


class Tally(NamedTuple):
    """How often each number came: different ones in order, or the first digits of them."""

    values: NDArray[np.float64]
    counts: NDArray[np.int64]
    exact: bool

    @classmethod
    def of(cls, values: NDArray[np.float64], counts: NDArray[np.int64], *, exact: bool = True) -> Tally:
        """Return the tally of numbers, each of which came so often."""
        if not exact:
            values = _first_digits(values)
        order = np.argsort(values, kind="stable")
        values, counts = values[order], counts[order]
        new = np.ones(values.size, np.bool_)
        new[1:] = values[1:] != values[:-1]
        first = np.flatnonzero(new)
        if first.size < values.size:
            values, counts = values[first], np.add.reduceat(counts, first)
        if exact and values.size > DISTINCT:
            return cls.of(values, counts, exact=False)
        return cls(values, counts, exact)

    def merged(self, other: Tally) -> Tally:
        """Return the tally of both."""
        values = np.concatenate([self.values, other.values])
        counts = np.concatenate([self.counts, other.counts])
        return Tally.of(values, counts, exact=self.exact and other.exact)

    def quantile(self, percent: int, *, whole: bool) -> float:
        """Return a quantile, between two numbers by their distance; `whole` if all numbers were integers."""
        ends = np.cumsum(self.counts)
        low, rest = divmod((int(ends[-1]) - 1) * percent, 100)
        at = np.searchsorted(ends, [low, low + 1 if rest else low], side="right")
        a, b = self.values[at]
        if not self.exact:
            a, b = (_middle(float(x), whole=whole) for x in (a, b))
        share = rest / 100
        return float(a + (b - a) * share if share < 0.5 else b - (b - a) * (1 - share))


def _first_digits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    bits = np.ascontiguousarray(values).view(np.uint64)
    return (bits >> np.uint64(_CUT) << np.uint64(_CUT)).view(np.float64)


def _middle(cut: float, *, whole: bool) -> float:
    """Return the middle of the numbers that begin with these digits."""
    room = math.ulp(cut) * 2**_CUT
    return cut + math.copysign(max(room - 1, 0) if whole else room, cut) / 2


class Stat(NamedTuple):
    """Count, exact sums, extremes and tally of numbers."""

    n: int
    sum: int  # in units
    squares: int  # the sum of the squares, in squared units
    least: float
    most: float
    tally: Tally

    @classmethod
    def of(cls, x: NDArray[np.float64]) -> Stat:
        """Return that of an array of shape (n,), without what is not finite."""
        x = x[np.isfinite(x)] + 0.0  # and -0 is 0
        values, counts = np.unique(x, return_counts=True)
        counts = counts.astype(np.int64)
        least, most = (float(values[0]), float(values[-1])) if x.size else (math.inf, -math.inf)
        return cls(x.size, *_sums(values, counts), least, most, Tally.of(values, counts))

    def merged(self, other: Stat) -> Stat:
        """Return that of both."""
        return Stat(
            self.n + other.n,
            self.sum + other.sum,
            self.squares + other.squares,
            min(self.least, other.least),
            max(self.most, other.most),
            self.tally.merged(other.tally),
        )

    @property
    def mean(self) -> float:
        """The mean, correctly rounded; NaN of nothing."""
        return self.sum / (self.n << UNIT) if self.n else math.nan

    @property
    def sd(self) -> float:
        """The standard deviation of the sample (divided by n - 1); NaN of fewer than two."""
        if self.n < 2:
            return math.nan
        try:
            return math.sqrt((self.n * self.squares - self.sum**2) / (self.n * (self.n - 1) << 2 * UNIT))
        except OverflowError:  # the variance is beyond 1.8e308
            return math.inf

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        return self.sd / math.sqrt(self.n) if self.n else math.nan

    def extremes(self) -> tuple[float, float]:
        """Return least and most; NaN of nothing."""
        return (self.least, self.most) if self.n else (math.nan, math.nan)

    def quantiles(self, *, whole: bool) -> list[float]:
        """Return the `QUANTILES`; `whole` if the numbers are integers."""
        if not self.n:
            return [math.nan] * len(QUANTILES)
        found = (self.tally.quantile(percent, whole=whole) for percent in QUANTILES)
        return [min(max(x, self.least), self.most) for x in found]


def _sums(values: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[int, int]:
    """Return the sum of so many of each, and that of their squares, in units and squared units."""
    mantissas, exponents = np.frexp(values)
    wholes = (mantissas * 2.0**53).astype(np.int64)
    shifts = exponents.astype(np.int64) + (UNIT - 53)
    first = second = 0
    for shift in np.unique(shifts):
        here = shifts == shift
        whole, count = wholes[here], counts[here]
        high, low = whole >> 27, whole & _LOW
        first += _dot(whole, count) << int(shift)
        square = (_dot(high * high, count) << 54) + (_dot(high * low, count) << 28) + _dot(low * low, count)
        second += square << 2 * int(shift)
    return first, second


def _dot(a: NDArray[np.int64], counts: NDArray[np.int64]) -> int:
    """Return the sum of products in halves, so that 64 bits hold 2**36 terms below 2**54."""
    return (int((a >> 27) @ counts) << 27) + int((a & _LOW) @ counts)
