"""Costs that keep a path in the middle of the corridors of an array."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.square import FLAT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Wrap


def clearance(walls: NDArray[np.uint8], wrap: Wrap = FLAT) -> NDArray[np.float64]:
    """Return how far the centre of each site is from the edge of the nearest wall, and 1/2 more.

    That is the number of sites to a wall straight ahead. What is outside the array is no wall; without any
    wall all are 1.
    """
    require(24 * walls.size, f"the distance from walls of {walls.size:,} sites", "crop the array")
    squared = _core.clearance(walls, wrap, None)  # in half sites
    found: NDArray[np.float64] = np.sqrt(squared) if walls.any() else np.ones(walls.shape)
    found += 1
    found /= 2
    return found


def centre_weights(walls: NDArray[np.uint8], wrap: Wrap = FLAT) -> NDArray[np.float64]:
    """Return the cost of entering each site: 1 / d^2, where d is its clearance."""
    weights = clearance(walls, wrap)
    np.square(weights, out=weights)
    np.divide(1, weights, out=weights)
    return weights
