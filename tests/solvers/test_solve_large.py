"""More than 2**31 sites."""

from __future__ import annotations

import numpy as np
import pytest

import meiro
from meiro._utils import memory

pytestmark = pytest.mark.long

SIDE = 46_342  # squared it is beyond 2**31; with less than 16 GB free a smaller one must do


def test_solve_of_more_than_2_31_sites() -> None:
    free = memory.available()
    side = SIDE if free is None or free > 16e9 else 2000
    walls = np.ones((side, side), np.uint8)
    walls[0] = walls[:, -1] = 0
    solution = meiro.solve(walls, (0, 0), (-1, -1))
    assert solution.length == 2 * side - 2
    assert solution.path[-1].tolist() == [side - 1, side - 1]
    assert (np.abs(np.diff(solution.path, axis=0)).sum(axis=1) == 1).all()
