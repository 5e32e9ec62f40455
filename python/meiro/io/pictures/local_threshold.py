"""A threshold that follows the light: of one square after another, interpolated between their middles.

In each square N. Otsu's threshold separates dark from bright. It counts where the two are far apart: squares
that are all road, or all wall, take the threshold of those around.

N. Otsu, IEEE Trans. Syst. Man Cybern. 9 (1979) 62. doi:10.1109/TSMC.1979.4310076
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.bands import bands

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SQUARES = 16  # along the longer side
_LEAST_SIDE = 16  # pixels
_SAMPLES = 64  # pixels of a square that are read, each way
_SEPARATION = 0.8  # variance between dark and bright, of all variance; 0.75 in a plain gradient
_CONTRAST = 0.2  # of the greatest difference between dark and bright


class LocalThreshold(NamedTuple):
    """The threshold in the middle of each square."""

    thresholds: NDArray[np.float64]
    side: int

    def rows(self, band: slice, width: int) -> NDArray[Any]:
        """Return the threshold of each pixel of some rows."""
        down, across = (
            _weights(np.arange(first, last), self.side, n)
            for first, last, n in zip((band.start, 0), (band.stop, width), self.thresholds.shape, strict=True)
        )
        limits: NDArray[Any] = (down @ self.thresholds.astype(np.float32)) @ across.T
        return limits


def _weights(pixels: NDArray[np.int64], side: int, n: int) -> NDArray[np.float32]:
    """Return the share of each square in the threshold of each pixel: of the two next to it, else 0."""
    at = np.clip((pixels + 0.5) / side - 0.5, 0, n - 1)
    away = np.abs(at[:, np.newaxis] - np.arange(n))
    weights: NDArray[np.float32] = np.maximum(1 - away, 0).astype(np.float32)
    return weights


def local_threshold(values: NDArray[Any], full: float) -> LocalThreshold:
    """Return the threshold for luminance, which is `full` at most."""
    height, width = values.shape
    side = max(_LEAST_SIDE, -(-max(height, width) // _SQUARES))
    shape = max(1, round(height / side)), max(1, round(width / side))
    found, contrast, separation = np.zeros((3, *shape))
    step = max(1, side // _SAMPLES)
    for row, col in np.ndindex(shape):
        last = [None if at == n - 1 else (at + 1) * side for at, n in zip((row, col), shape, strict=True)]
        part = values[row * side : last[0] : step, col * side : last[1] : step]
        found[row, col], contrast[row, col], separation[row, col] = _otsu(part / full)
    known = (separation >= _SEPARATION) & (
        contrast >= _CONTRAST * contrast[separation >= _SEPARATION].max(initial=0)
    )
    known &= contrast > 0
    if not known.any():
        found[:], known[:] = 0.5, True
    _fill(found, known)
    return LocalThreshold(found * full, side)


def _otsu(values: NDArray[Any]) -> tuple[float, float, float]:
    """Return the threshold, the difference of dark and bright on the mean, and their share of variance."""
    levels = np.clip(np.rint(values * 255), 0, 255).astype(np.int64)
    counts = np.bincount(levels.reshape(-1), minlength=256) / levels.size
    level = np.arange(256)
    dark, sums = np.cumsum(counts), np.cumsum(counts * level)
    mean = sums[-1]
    variance = (counts * (level - mean) ** 2).sum()
    inside = (dark > 1e-9) & (dark < 1 - 1e-9)
    if not inside.any():
        return mean / 255, 0.0, 0.0
    low = sums[inside] / dark[inside]
    high = (mean - sums[inside]) / (1 - dark[inside])
    between = dark[inside] * (1 - dark[inside]) * (high - low) ** 2
    best = int(between.argmax())
    return (low[best] + high[best]) / 510, (high[best] - low[best]) / 255, between[best] / variance


def _fill(found: NDArray[np.float64], known: NDArray[np.bool_]) -> None:
    """Give unknown squares the mean of the known ones around them, until all are known."""
    while not known.all():
        rows, cols = found.shape
        total, n = np.zeros((2, rows, cols))
        for part, sums in ((found * known, total), (known.astype(np.float64), n)):
            wide = np.pad(part, 1)
            for row, col in np.ndindex(3, 3):
                np.add(sums, wide[row : row + rows, col : col + cols], out=sums)
        new = ~known & (n > 0)
        found[new] = total[new] / n[new]
        known |= new


def is_wall(values: NDArray[Any], threshold: LocalThreshold | float, out: NDArray[np.bool_]) -> None:
    """Write which pixels are darker than their threshold."""
    for band in bands(*values.shape):
        least = threshold.rows(band, values.shape[1]) if isinstance(threshold, LocalThreshold) else threshold
        np.less(values[band], least, out=out[band])
