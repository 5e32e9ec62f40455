"""Corners with integer coordinates: cells that are made of multiples of two units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def numbered(
    x: NDArray[Any], y: NDArray[Any], unit: tuple[float, float]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Number corners that are given by integer coordinates, not negative, equal ones alike.

    Returns
    -------
    corners : ndarray of float64, shape (k, 2)
        The coordinates times the units, row by row.
    numbers : ndarray of int64, of the shape of `x`
    """
    width = int(x.max()) + 1
    keys = y.astype(np.int64) * width + x
    used = np.zeros(int(keys.max()) + 1, np.bool_)
    used[keys] = True
    places = np.flatnonzero(used)
    corners = np.stack([places % width * unit[0], places // width * unit[1]], axis=1)
    return corners, (np.cumsum(used) - 1)[keys]
