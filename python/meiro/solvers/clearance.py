"""How far the roads of an array are from its walls, and costs that keep a path in the middle of corridors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require

if TYPE_CHECKING:
    from numpy.typing import NDArray


def clearance(walls: NDArray[np.uint8]) -> NDArray[np.signedinteger[Any]]:
    """Return the steps from each road site to the nearest wall, at least 1; 0 on walls.

    What is outside the array is no wall. Without any wall all distances are 1.
    """
    size = walls.size
    what = f"the distance from walls of {size:,} sites"
    require((12 if size < 1 << 31 else 16) * size, what, "crop the array")
    numbers = _beside_walls(walls)
    steps: NDArray[np.signedinteger[Any]] = np.empty(walls.shape, np.int32 if size < 1 << 31 else np.int64)
    if numbers.size == 0:
        np.equal(walls, 0, out=steps)
        return steps
    _core.distances((walls, 4), numbers[np.newaxis], np.empty(0), steps, 1, None)
    steps += 1  # -1 on walls
    steps[(steps == 0) & (walls == 0)] = 1  # of a room without walls
    return steps


def _beside_walls(walls: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the numbers of the road sites that a wall is adjacent to."""
    beside = np.zeros(walls.shape, np.uint8)
    beside[1:] |= walls[:-1]
    beside[:-1] |= walls[1:]
    beside[:, 1:] |= walls[:, :-1]
    beside[:, :-1] |= walls[:, 1:]
    beside &= walls == 0
    return np.flatnonzero(beside)


def centre_weights(walls: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the cost of entering each site: 1 / d^2, where d is its distance from the nearest wall."""
    steps = clearance(walls)
    np.maximum(steps, 1, out=steps)
    weights: NDArray[np.float64] = np.square(steps, dtype=np.float64)
    np.divide(1, weights, out=weights)
    return weights
