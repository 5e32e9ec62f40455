"""Components of few pixels: noise of a camera or scanner."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro._utils.bands import bands
from meiro._utils.memory import require

if TYPE_CHECKING:
    from numpy.typing import NDArray


def remove_speckles(walls: NDArray[np.uint8], most: int) -> tuple[int, int]:
    """Turn components of at most `most` pixels, first of wall and then of road, into the other kind.

    Pixels of wall are adjacent in eight directions (and over a gap of one pixel), those of road in four.
    Returns how many of wall and of road there were.
    """
    require(6 * walls.size, "labels of every pixel", "leave out speckles=, or scale the picture down")
    return _remove(walls, wall_labels(walls), 1, most), _remove(walls, road_labels(walls), 0, most)


def wall_labels(walls: NDArray[np.uint8]) -> NDArray[np.integer]:
    """Return the number of each wall pixel's component, 8-connected; labels lie on other pixels as well."""
    wide = walls.copy()  # to the right and down: joins diagonal neighbours
    wide[1:] |= walls[:-1]
    wide[:, 1:] |= wide[:, :-1].copy()
    np.equal(wide, 0, out=wide.view(np.bool_))
    labels, _ = _core.components((wide, 4), 1)
    return np.asarray(labels[0])


def road_labels(walls: NDArray[np.uint8]) -> NDArray[np.integer]:
    """Return the number of each road pixel's component, 4-connected, and 0 on walls."""
    labels, _ = _core.components((walls, 4), 1)
    return np.asarray(labels[0])


def sizes_of(walls: NDArray[np.uint8], labels: NDArray[np.integer], kind: int) -> NDArray[np.int64]:
    """Return the number of pixels of one kind with each label; of label 0 none."""
    n = int(labels.max()) + 1
    sizes = np.zeros(n, np.int64)
    for band in bands(*labels.shape):
        sizes += np.bincount(labels[band][walls[band] == kind], minlength=n)
    sizes[0] = 0
    return sizes


def _remove(walls: NDArray[np.uint8], labels: NDArray[np.integer], kind: int, most: int) -> int:
    sizes = sizes_of(walls, labels, kind)
    small = (sizes > 0) & (sizes <= most)
    walls[small[labels] & (walls == kind)] = 1 - kind
    return int(small.sum())
