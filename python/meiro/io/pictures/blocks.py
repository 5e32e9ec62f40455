"""Pictures with several pixels a site: blocks of one kind, shrunk to a site each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def pixels_a_site(walls: NDArray[np.uint8]) -> int:
    """Return the side of the largest square blocks of one kind that an array consists of.

    Two rows, or columns, differ only where blocks end: the side is the greatest common divisor of these
    places and of height and width. In the drawing of a maze every cell ends in a site of its own, so that
    this is the scale at which it was drawn.
    """
    height, width = walls.shape
    down, across = (walls[1:] != walls[:-1]).any(axis=1), (walls[:, 1:] != walls[:, :-1]).any(axis=0)
    changes = [*np.flatnonzero(down).tolist(), *np.flatnonzero(across).tolist()]
    return math.gcd(height, width, *(place + 1 for place in changes))


def shrunk(walls: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return an array with a site for each block of pixels."""
    side = pixels_a_site(walls)
    if side == min(walls.shape):  # of one kind: no maze
        return walls
    return np.ascontiguousarray(walls[::side, ::side]) if side > 1 else walls
