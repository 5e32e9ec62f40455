"""How bright the paper is at each place: shadows and what is far from the maze are taken out.

A morphological closing, the least of the greatest values around each pixel, paints over dark lines that are
narrower than its square, and keeps the edges of larger shadows. What is darker than the closing by much is
wall: the black top-hat transform of J. Serra, Image Analysis and Mathematical Morphology (1982), by maxima
over squares of any size in steps of doubled length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.bands import bands
from meiro.io.pictures.local_threshold import LocalThreshold, local_threshold
from meiro.io.pictures.otsu import histogram, otsu
from meiro.io.pictures.widths import width_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LINES = 0.1  # of the longer side: walls are thinner than that
_FLOOR = 0.3  # of the brightest paper: what is darker over a large area is wall and no shadow
_LEAST_HAT = 0.05  # of white: less is noise
_NOISY = 0.004  # of white
_LEAST_NOISE = 7.0  # standard deviations: the greatest of many values around is 3 or 4 of them too bright
_LEAST_OF_MOST = 0.2  # of the darkest walls, which are in the light
_LEAST_SHARE = 0.12  # of the paper's light that a wall takes at least


class Light(NamedTuple):
    """The light of paper in squares of `side` pixels, and which share of it (of 255) roads have at least."""

    paper: NDArray[np.float32]
    side: int
    shares: LocalThreshold

    def rows(self, band: slice, width: int) -> NDArray[Any]:
        """Return the threshold of each pixel of some rows."""
        return np.asarray(self.paper_rows(band, width) * (self.shares.rows(band, width) / 255))

    def paper_rows(self, band: slice, width: int) -> NDArray[Any]:
        """Return the light of paper of each pixel of some rows."""
        down = np.minimum(np.arange(band.start, band.stop) // self.side, len(self.paper) - 1)
        across = np.minimum(np.arange(width) // self.side, self.paper.shape[1] - 1)
        return np.asarray(self.paper[down][:, across])

    def ends(self, scale: float) -> tuple[float, float]:
        """Return the least and the greatest threshold, times `scale`."""
        limits = self.rows(slice(0, len(self.paper) * self.side), self.paper.shape[1] * self.side)
        return float(limits.min()) * scale, float(limits.max()) * scale


def reduced(values: NDArray[Any], longest: int, full: float) -> tuple[NDArray[np.float32], int]:
    """Return means of squares, from 0 to 1, with at most `longest` of them along a side, and their side."""
    height, width = values.shape
    side = max(1, -(-max(height, width) // longest))
    rows, cols = max(1, height // side), max(1, width // side)
    out = np.empty((rows, cols), np.float32)
    tall, wide = min(side, height), min(side, width)
    for band in bands(rows, cols * side * side):
        part = values[band.start * tall : band.stop * tall, : cols * wide]
        sums = part.reshape(-1, tall, cols * wide).sum(axis=1, dtype=np.float32)
        out[band] = sums.reshape(-1, cols, wide).sum(axis=2) / (tall * wide * full)
    return out, side


def without_noise(small: NDArray[np.float32]) -> tuple[NDArray[np.float32], float]:
    """Return a reduced picture, blurred where it is noisy, and the standard deviation of noise that is left.

    Noise is estimated by J. Immerkaer, Comput. Vis. Image Underst. 64 (1996) 300, with a median.
    """
    if min(small.shape) < 5:
        return small, 0.0
    rows = small[:-2] - 2 * small[1:-1] + small[2:]
    both = rows[:, :-2] - 2 * rows[:, 1:-1] + rows[:, 2:]
    noise = float(np.median(np.abs(both))) / (0.6745 * 6)
    if noise < _NOISY:
        return small, noise
    wide = np.pad(small, 1, mode="edge")
    rows = wide[:-2] + wide[1:-1] + wide[2:]
    return (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) / 9, noise / 3


def _paper_of(small: NDArray[np.float32], width: float) -> NDArray[np.float32]:
    """Return the light of the paper at each place of a reduced picture, without lines of at most a width."""
    half = int(width / 2) + 1
    dilated = greatest(np.pad(small, half, constant_values=-1), 2 * half + 1)
    return np.asarray(-greatest(np.pad(-dilated, half, constant_values=-2), 2 * half + 1))


def greatest(values: NDArray[Any], size: int) -> NDArray[Any]:
    """Return the greatest of each square of `size` places a side that is in the array as a whole."""
    for _ in range(2):
        n, done = len(values) - size + 1, 1
        while 2 * done <= size:
            values = np.maximum(values[:-done], values[done:])
            done *= 2
        values = np.maximum(values[:n], values[size - done : size - done + n]).T
    return values


def walls_of(small: NDArray[np.float32], noise: float) -> NDArray[np.uint8]:
    """Return which places of a reduced picture are darker than the paper by much: lines, not large areas."""
    width = _LINES * max(small.shape)
    for _ in range(2):  # roughly, then by the width of lines
        paper = _paper_of(small, width)
        hat = paper - small
        least = max(_LEAST_HAT, _LEAST_NOISE * noise, _LEAST_OF_MOST * float(np.quantile(hat, 0.999)))
        taken = np.where(hat < least, 0, 1 - small / np.maximum(paper, 1e-6)).astype(np.float32)
        if not taken.any():
            break
        split = otsu(histogram(taken, 1.0))
        walls = (taken >= max(_LEAST_SHARE, split.threshold / 255)).astype(np.uint8)
        width = min(width, 2 * width_of(walls, 1) + 5)
    else:
        return walls
    return np.zeros(small.shape, np.uint8)


def light_of(values: NDArray[Any], full: float) -> Light:
    """Return the light in a picture that was cut to its frame: roughly, then by the width of its walls."""
    small, side = reduced(values, 500, full)
    small = without_noise(small)[0]
    width = _LINES * max(small.shape)
    for _ in range(2):
        paper = _paper_of(small, width)
        paper = np.maximum(paper, _FLOOR * np.quantile(paper, 0.95))
        split = otsu(histogram(small / np.maximum(paper, 1e-6), 1.0))
        walls = (small < paper * (split.threshold / 255)).astype(np.uint8)
        width = min(width, 2 * width_of(walls, 1) + 3)
    light = Light(paper * np.float32(full), side, LocalThreshold(np.full((1, 1), 255.0), side))
    shares = np.empty(values.shape, np.uint8)
    for band in bands(*values.shape):
        lit = values[band] / np.maximum(light.paper_rows(band, values.shape[1]), 1e-6)
        shares[band] = np.clip(np.rint(lit * 255), 0, 255)
    usual = otsu(histogram(shares, 255.0)).threshold / 255
    return light._replace(shares=local_threshold(shares, 255.0, usual))
