"""A threshold that follows the light: of one square after another, interpolated between their middles.

In each square N. Otsu's threshold separates dark from bright. It counts where the two are far apart: squares
that are all road, or all wall, take the threshold of those around.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from meiro._utils.bands import bands
from meiro.io.pictures.otsu import SEPARATION, histogram, otsu

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SQUARES = 16  # along the longer side
_LEAST_SIDE = 16  # pixels
_SAMPLES = 64  # pixels of a square that are read, each way
_CONTRAST = 0.2  # of the greatest difference between dark and bright


class Thresholds(Protocol):
    """What has a threshold for each pixel."""

    def rows(self, band: slice, width: int) -> NDArray[Any]:
        """Return the threshold of each pixel of some rows."""


class LocalThreshold(NamedTuple):
    """The threshold in the middle of each square."""

    thresholds: NDArray[np.float64]
    side: int

    def ends(self, scale: float) -> tuple[float, float]:
        """Return the least and the greatest threshold, times `scale`."""
        return float(self.thresholds.min()) * scale, float(self.thresholds.max()) * scale

    def rows(self, band: slice, width: int) -> NDArray[Any]:
        """Return the threshold of each pixel of some rows."""
        down, across = (
            _weights(np.arange(first, last), self.side, n)
            for first, last, n in zip((band.start, 0), (band.stop, width), self.thresholds.shape, strict=True)
        )
        return np.asarray((down @ self.thresholds.astype(np.float32)) @ across.T)


def _weights(pixels: NDArray[np.int64], side: int, n: int) -> NDArray[np.float32]:
    """Return the share of each square in the threshold of each pixel: of the two next to it, else 0."""
    at = np.clip((pixels + 0.5) / side - 0.5, 0, n - 1)
    away = np.abs(at[:, np.newaxis] - np.arange(n))
    return np.asarray(np.maximum(1 - away, 0).astype(np.float32))


def local_threshold(values: NDArray[Any], full: float, otherwise: float = 0.5) -> LocalThreshold:
    """Return the threshold for luminance, which is `full` at most: a share of it where no square tells."""
    height, width = values.shape
    side = max(_LEAST_SIDE, -(-max(height, width) // _SQUARES))
    shape = max(1, round(height / side)), max(1, round(width / side))
    found, contrast, separation = np.zeros((3, *shape))
    step = max(1, side // _SAMPLES)
    for row, col in np.ndindex(shape):
        last = [None if at == n - 1 else (at + 1) * side for at, n in zip((row, col), shape, strict=True)]
        part = values[row * side : last[0] : step, col * side : last[1] : step]
        split = otsu(histogram(part, full))
        found[row, col] = (split.low + split.high) / 510
        contrast[row, col], separation[row, col] = (split.high - split.low) / 255, split.separation
    known = (separation >= SEPARATION) & (
        contrast >= _CONTRAST * contrast[separation >= SEPARATION].max(initial=0)
    )
    known &= contrast > 0
    if not known.any():
        found[:], known[:] = otherwise, True
    _fill(found, known)
    return LocalThreshold(found * full, side)


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


def is_wall(values: NDArray[Any], threshold: Thresholds | float, out: NDArray[np.bool_]) -> None:
    """Write which pixels are darker than their threshold."""
    for band in bands(*values.shape):
        least = threshold if isinstance(threshold, float) else threshold.rows(band, values.shape[1])
        np.less(values[band], least, out=out[band])
