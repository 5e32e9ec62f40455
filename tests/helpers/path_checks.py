"""Checks of a Solution, and the steps there are in an array."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

import meiro

ROOT = math.sqrt(2)
DIRECTIONS = [(-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1)]


def check_walk(solution: meiro.Solution, roads: NDArray[np.bool_]) -> None:
    """Check a path: over roads of the grid, a step each time, nothing twice, within what was explored."""
    path, sites = solution.path, solution.grid_path
    assert tuple(path[0]) == solution.start
    assert tuple(path[-1]) == solution.goal
    assert len(path) == solution.length + 1
    hops = np.abs(np.diff(sites, axis=0))
    over = (hops == np.array(roads.shape) - 1) & solution.wrap  # over the periodic border
    assert (np.where(over, 1, hops).sum(axis=1) == 1).all()
    assert len(sites) == (1 if solution.space == "sites" else 2) * solution.length + 1 + over.sum()
    assert roads[tuple(sites.T)].all()
    assert len({tuple(p) for p in path.tolist()}) == len(path)
    assert solution.explored[tuple(path.T)].all()
    assert solution.mask.sum() == len(sites)
    assert solution.mask[tuple(sites.T)].all()


def steps_from(
    roads: NDArray[np.bool_], place: tuple[int, ...], moves: int, corners: str, wrap: tuple[bool, bool]
) -> list[tuple[int, tuple[int, int]]]:
    """Every step from a site: its direction, and where it leads."""
    found = []
    for direction, (down, right) in enumerate(DIRECTIONS[:moves]):
        row, col = place[0] + down, place[1] + right
        row, col = (row % roads.shape[0] if wrap[0] else row), (col % roads.shape[1] if wrap[1] else col)
        if not (0 <= row < roads.shape[0] and 0 <= col < roads.shape[1]) or not roads[row, col]:
            continue
        free = [roads[place[0], col], roads[row, place[1]]]
        if direction < 4 or {"never": all(free), "one_free": any(free), "always": True}[corners]:
            found.append((direction, (row, col)))
    return found


def step_graph(
    roads: NDArray[np.bool_],
    weights: NDArray[np.float64] | None = None,
    moves: int = 8,
    corners: str = "never",
) -> scipy.sparse.csr_array[Any, tuple[int, int]]:
    """The costs of all steps: a diagonal one is longer, and the weight is that of the site it leads to."""
    numbers = np.arange(roads.size).reshape(roads.shape)
    ends, costs = [(0, 0)], [0.0]  # and none, where there is no other
    for place in map(tuple, np.argwhere(roads).tolist()):
        for direction, to in steps_from(roads, place, moves, corners, (False, False)):
            ends.append((numbers[place], numbers[to]))
            costs.append((ROOT if direction > 3 else 1.0) * (1.0 if weights is None else weights[to]))
    places = np.transpose(ends).astype(np.int32)  # csgraph of old scipy takes no others
    return scipy.sparse.csr_array((costs, places), shape=(roads.size, roads.size))
