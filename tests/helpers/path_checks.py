"""Checks of a Solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    import meiro


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
