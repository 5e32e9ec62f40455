"""Statistics of many numbers without keeping the numbers: `Accumulator`, mergeable in any order.

Sums and sums of squares are exact: every float64 is an integer multiple of `2**-UNIT`, and Python integers
do not round. Mean and standard deviation are therefore correctly rounded, and do not depend on the order
of the numbers or on how they were divided into pieces, not even in the last bit.

Quantiles equal those of ``numpy.quantile`` as long as there are at most `DISTINCT` different numbers. Beyond
that, a number is cut to its first `DIGITS` binary digits: an error below 0.013 %, and none for integers
below 8192. Whether numbers are cut depends on the numbers only, not on the order in which they came.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNIT = 1127  # 1074 for the smallest float, 53 for the mantissa of the others
DISTINCT = 1 << 16
DIGITS = 13  # the leading digit, which is not stored, and 12 of the mantissa
QUANTILES = (5, 25, 50, 75, 95)  # in percent

_CUT = 53 - DIGITS
_LOW = (1 << 27) - 1


class ValueCounts(NamedTuple):
    """Different values in ascending order (or their first digits), and how often each one came."""

    values: NDArray[np.float64]
    counts: NDArray[np.int64]
    exact: bool

    @classmethod
    def of(cls, values: NDArray[np.float64], counts: NDArray[np.int64], *, exact: bool = True) -> ValueCounts:
        """Merge equal values; cut them to their first digits if too many are different."""
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

    def merged(self, other: ValueCounts) -> ValueCounts:
        """Return the counts of both."""
        values = np.concatenate([self.values, other.values])
        counts = np.concatenate([self.counts, other.counts])
        return ValueCounts.of(values, counts, exact=self.exact and other.exact)

    def quantile(self, percent: int, *, whole: bool) -> float:
        """Return a quantile by linear interpolation; `whole` says that all numbers were integers."""
        ends = np.cumsum(self.counts)
        low, rest = divmod((int(ends[-1]) - 1) * percent, 100)
        at = np.searchsorted(ends, [low, low + 1 if rest else low], side="right")
        a, b = self.values[at]
        if not self.exact:
            a, b = (_middle_of_cut(float(x), whole=whole) for x in (a, b))
        share = rest / 100
        return float(a + (b - a) * share if share < 0.5 else b - (b - a) * (1 - share))


def _first_digits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    bits = np.ascontiguousarray(values).view(np.uint64)
    return (bits >> np.uint64(_CUT) << np.uint64(_CUT)).view(np.float64)


def _middle_of_cut(cut: float, *, whole: bool) -> float:
    """Return the middle of the numbers that share the first digits of `cut`."""
    width = math.ulp(cut) * 2**_CUT
    return cut + math.copysign(max(width - 1, 0) if whole else width, cut) / 2


class Accumulator(NamedTuple):
    """Number, exact sums, extremes and counts of the finite values of a sample."""

    n: int
    sum: int  # in units of 2**-UNIT
    squares: int  # the sum of the squares, in squared units
    minimum: float
    maximum: float
    counts: ValueCounts

    @classmethod
    def of(cls, x: NDArray[np.float64]) -> Accumulator:
        """Accumulate an array of shape (n,); infinities and NaN are left out."""
        x = x[np.isfinite(x)] + 0.0  # and -0 is 0
        values, counts = np.unique(x, return_counts=True)
        counts = counts.astype(np.int64)
        low, high = (float(values[0]), float(values[-1])) if x.size else (math.inf, -math.inf)
        return cls(x.size, *_sums(values, counts), low, high, ValueCounts.of(values, counts))

    def merged(self, other: Accumulator) -> Accumulator:
        """Return the statistics of both samples together."""
        return Accumulator(
            self.n + other.n,
            self.sum + other.sum,
            self.squares + other.squares,
            min(self.minimum, other.minimum),
            max(self.maximum, other.maximum),
            self.counts.merged(other.counts),
        )

    @property
    def mean(self) -> float:
        """The mean, correctly rounded; NaN for an empty sample."""
        return self.sum / (self.n << UNIT) if self.n else math.nan

    @property
    def variance(self) -> float:
        """The variance of the sample (divided by n - 1), correctly rounded; NaN for fewer than two."""
        if self.n < 2:
            return math.nan
        return _ratio(self.n * self.squares - self.sum**2, self.n * (self.n - 1) << 2 * UNIT)

    @property
    def sd(self) -> float:
        """The standard deviation of the sample."""
        return math.sqrt(self.variance)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        return self.sd / math.sqrt(self.n) if self.n else math.nan

    @property
    def variance_error(self) -> float:
        """The standard error of the variance; NaN if numbers were cut, or for fewer than two.

        Its square is (m - s^4 (n - 3) / (n - 1)) / n with m the fourth central moment and s the standard
        deviation, whatever the law.
        """
        n = self.n
        if n < 2 or not self.counts.exact:
            return math.nan
        fourth = 0  # n^5 times the moment
        for x, count in zip(self.counts.values.tolist(), self.counts.counts.tolist(), strict=True):
            whole, parts = x.as_integer_ratio()
            fourth += count * (n * ((whole << UNIT) // parts) - self.sum) ** 4
        second = n * self.squares - self.sum**2  # n (n - 1) times the variance
        square = fourth * (n - 1) ** 3 - second**2 * (n - 3) * n**3
        return math.sqrt(_ratio(square, n**6 * (n - 1) ** 3 << 4 * UNIT))

    def summary(self) -> dict[str, float]:
        """Return the columns of every summary: n, mean, sd, standard_error, min, max."""
        low, high = (self.minimum, self.maximum) if self.n else (math.nan, math.nan)
        spread = {"sd": self.sd, "standard_error": self.standard_error, "min": low, "max": high}
        return {"n": self.n, "mean": self.mean, **spread}

    def quantiles(self, *, whole: bool) -> list[float]:
        """Return the `QUANTILES`; `whole` says that the numbers are integers."""
        if not self.n:
            return [math.nan] * len(QUANTILES)
        found = (self.counts.quantile(percent, whole=whole) for percent in QUANTILES)
        return [min(max(x, self.minimum), self.maximum) for x in found]


def _ratio(a: int, b: int) -> float:
    """Return a / b, correctly rounded; inf beyond 1.8e308."""
    try:
        return a / b
    except OverflowError:
        return math.inf


def _sums(values: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[int, int]:
    """Return the weighted sums of the values and of their squares, in units and squared units."""
    mantissas, exponents = np.frexp(values)
    wholes = (mantissas * 2.0**53).astype(np.int64)
    shifts = exponents.astype(np.int64) + (UNIT - 53)
    first = second = 0
    for shift in np.unique(shifts):
        chosen = shifts == shift
        whole, count = wholes[chosen], counts[chosen]
        high, low = whole >> 27, whole & _LOW
        first += _dot(whole, count) << int(shift)
        square = (_dot(high * high, count) << 54) + (_dot(high * low, count) << 28) + _dot(low * low, count)
        second += square << 2 * int(shift)
    return first, second


def _dot(a: NDArray[np.int64], counts: NDArray[np.int64]) -> int:
    """Return the sum of products in two halves, so that 64 bits hold 2**36 terms below 2**54."""
    return (int((a >> 27) @ counts) << 27) + int((a & _LOW) @ counts)
