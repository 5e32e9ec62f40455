"""The area of a polygon, and how far points are from its sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def twice_area(corners: NDArray[np.float64]) -> float:
    """Return twice the area of a polygon, negative if it goes round the other way."""
    x, y = (corners - corners[0]).T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())


def distances(to: NDArray[np.float64], way: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far points are from segments; both are given as vectors from where a segment begins."""
    share = np.clip((to * way).sum(axis=-1) / np.maximum((way * way).sum(axis=-1), 1e-300), 0, 1)
    return np.asarray(np.hypot(*np.moveaxis(to - share[..., None] * way, -1, 0)))
