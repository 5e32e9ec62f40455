"""Otsu's threshold: the one that parts dark from bright pixels best.

N. Otsu, IEEE Trans. Syst. Man Cybern. 9 (1979) 62. doi:10.1109/TSMC.1979.4310076
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.bands import bands

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEPARATION = 0.8  # variance between dark and bright, of all variance; 0.75 in a plain gradient


class Split(NamedTuple):
    """Dark and bright levels.

    Attributes
    ----------
    threshold : float
        Between the levels; in the middle, where several would do.
    low, high : float
        The mean of the dark, and of the bright.
    separation : float
        The share that the difference of the means has in the variance; 0 for a single level.
    """

    threshold: float
    low: float
    high: float
    separation: float


def otsu_threshold(values: NDArray[Any], full: float) -> tuple[float, float]:
    """Return the least brightness of roads in a picture whose white is `full`, and the separation.

    Half of `full` in a picture of a single brightness, which is as separate as can be.
    """
    counts = histogram(values, full)
    if np.count_nonzero(counts) == 1:
        return full / 2, 1.0
    split = otsu(counts)
    return split.threshold * full / (len(counts) - 1), split.separation


def histogram(values: NDArray[Any], full: float) -> NDArray[np.int64]:
    """Count the pixels of each level: of whole numbers up to 65535 themselves, of others 256 equal steps."""
    whole = values.dtype.kind == "u" and full <= 0xFFFF
    most = int(full) if whole else 255
    counts = np.zeros(most + 1, np.int64)
    for band in bands(*values.shape):
        levels = values[band] if whole else np.clip(np.rint(values[band] * (255 / full)), 0, 255)
        counts += np.bincount(levels.reshape(-1).astype(np.int64), minlength=most + 1)
    return counts


def otsu(counts: NDArray[np.int64]) -> Split:
    """Return the best split of a histogram."""
    level = np.arange(len(counts))
    share = counts / counts.sum()
    dark, sums = np.cumsum(share), np.cumsum(share * level)
    mean = float(sums[-1])
    variance = float((share * (level - mean) ** 2).sum())
    inside = np.flatnonzero((dark > 1e-9) & (dark < 1 - 1e-9))
    if not inside.size:
        return Split(mean, mean, mean, 0.0)
    low = sums[inside] / dark[inside]
    high = (mean - sums[inside]) / (1 - dark[inside])
    between = dark[inside] * (1 - dark[inside]) * (high - low) ** 2
    best = np.flatnonzero(between >= between.max() * (1 - 1e-12))
    middle = (inside[best[0]] + inside[best[-1]] + 1) / 2
    first = int(best[0])
    return Split(float(middle), float(low[first]), float(high[first]), float(between[first] / variance))
