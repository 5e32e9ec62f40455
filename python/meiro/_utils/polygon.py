"""The area of a polygon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def twice_area(corners: NDArray[np.float64]) -> float:
    """Return twice the area of a polygon, negative if it goes round the other way."""
    x, y = (corners - corners[0]).T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
