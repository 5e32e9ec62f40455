"""Symmetries of graphs that lie on a torus or a cylinder, as periodic lattices of other libraries do.

Such a graph has places in the plane, and edges around it that are drawn right across. These become as short
as the others when a period is added to them. Then the neighbours of a cell have an order around it, and a
symmetry is a map of the graph to itself that keeps all these orders, or turns all of them round. So places
need not be exact: networkx bends its periodic lattices to show the edges around them.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

    Numbers = NDArray[np.integer[Any]]
    Points = NDArray[np.float64]

# In lengths of a usual edge: a longer one may lead around, with a period it is so long at most; least period.
_LONG, _SHORT, _PERIOD = 1.5, 1.7, 2.2
_SAME = 0.25  # short edges that differ less are tried as one
_LOOKED_AT = 32  # long edges, the longest and others, that choose the periods
_TURNS = np.array(list(itertools.product(range(-2, 3), repeat=2)))  # how often an edge leads around both ways
_BYTES = 16  # of a step along an edge, of an image


def symmetries_around(lattice: Lattice) -> tuple[Numbers, Numbers] | None:
    """Return where each symmetry takes the cells and the edges, (k, n) each; None if nothing leads around."""
    edges = lattice.edges
    if lattice.n_components > 1 or lattice.n_cells < 3 or (edges[:, 0] == edges[:, 1]).any():
        return None
    places: Points = lattice.positions  # type: ignore[assignment]  # it has places
    steps = np.repeat(places[edges[:, 1]] - places[edges[:, 0]], 2, axis=0)
    steps[1::2] *= -1  # step 2 e is along edge e, 2 e + 1 its way back
    begins = edges.reshape(-1)
    short = _shortened(steps, begins)
    if short is None:
        return None
    maps = _maps(begins, short, lattice)
    cells = np.empty((len(maps), lattice.n_cells), np.int32)
    cells[:, begins] = begins[maps]
    return cells, maps[:, ::2] >> 1


def _shortened(steps: Points, begins: Numbers) -> Points | None:
    """Return the steps with periods added to the long ones; None if there are no such periods."""
    lengths = np.hypot(*steps.T)
    unit = float(np.median(lengths))
    is_long = lengths > _LONG * unit
    if unit == 0 or not is_long.any():
        return None
    long, short = steps[is_long], steps[~is_long]
    _, first = np.unique(np.round(short / (_SAME * unit)), axis=0, return_index=True)
    n = int(begins.max()) + 1
    least, found = math.inf, None
    for around in _times_around(long / unit, short[np.sort(first)] / unit):
        times = np.zeros((len(steps), around.shape[1]))
        times[is_long] = around
        # The periods with which the steps from each cell are nearest to balance, as in a lattice they do; and
        # of several ways around that with which long steps become most like the others.
        sums = [np.stack([np.bincount(begins, of, n) for of in each.T], axis=1) for each in (times, steps)]
        periods, _, rank, _ = np.linalg.lstsq(sums[0], -sums[1], rcond=None)
        exact = steps + times @ periods
        off = np.hypot(*exact[is_long].T) - unit, sums[1] + sums[0] @ periods
        far = sum(float((of**2).sum()) for of in off) * int(rank) ** 2  # rather one period than two
        if rank == len(periods) and far < least:
            least, found = far, exact
    return found


def _times_around(long: Points, short: Points) -> Iterator[Numbers]:
    """Yield how often each long step may lead around: (k, 1) or (k, 2) times periods that make all short."""
    by_length = long[np.argsort(-np.hypot(*long.T), kind="stable")]
    looked_at = np.concatenate([by_length[:_LOOKED_AT], by_length[:: max(1, len(long) // _LOOKED_AT)]])
    known = set()
    for first in _periods(looked_at[0], short):
        far = _nearest(looked_at, first)[1]
        tried = [first] if (far <= _SHORT).all() else _pairs(first, looked_at[far > _SHORT][0], short)
        for periods in tried:
            for some in (looked_at, long):
                times, far = _nearest(some, periods)
                if (far > _SHORT).any():
                    break
            else:
                if times.tobytes() not in known:
                    known.add(times.tobytes())
                    yield times


def _periods(step: Points, short: Points) -> Points:
    """Return periods that make a step one of the short ones, (k, 1, 2)."""
    periods = (short - step)[:, np.newaxis]
    long: Points = periods[np.hypot(*periods[:, 0].T) > _PERIOD]
    return long


def _pairs(first: Points, step: Points, short: Points) -> Points:
    """Return pairs of periods, the second of which makes a step one of the short ones, (k, 2, 2)."""
    seconds = _periods(step, short)
    pairs: Points = np.concatenate([np.broadcast_to(first, seconds.shape), seconds], axis=1)
    apart: Points = pairs[np.abs(np.linalg.det(pairs)) > 1]
    return apart


def _nearest(steps: Points, periods: Points) -> tuple[Numbers, NDArray[np.float64]]:
    """Return how often to add each period to each step to make it as short as can be, and how long it is."""
    turns = _TURNS if len(periods) == 2 else _TURNS[_TURNS[:, 1] == 0, :1]
    far = np.linalg.norm(steps[:, np.newaxis] + turns @ periods, axis=2)
    return turns[far.argmin(axis=1)], far.min(axis=1)


def _maps(begins: Numbers, steps: Points, lattice: Lattice) -> Numbers:
    """Return where each map that keeps the orders around the cells, or turns them round, takes the steps."""
    n = len(begins)
    order = np.lexsort((np.arctan2(steps[:, 1], steps[:, 0]), begins))
    # The places of the steps around each cell; then the next one is one place on, or the first again.
    first = np.searchsorted(begins[order], begins[order], side="left")
    last = np.searchsorted(begins[order], begins[order], side="right") - 1
    at = np.arange(n)
    after = np.empty(n, np.int32)
    after[order] = order[np.where(at == last, first, at + 1)]
    before = np.empty(n, np.int32)
    before[after] = at
    # Each step is there twice: from n on it is one that is seen from the other side of the surface.
    back = at ^ 1
    moves = np.stack([np.append(after, n + before), np.append(back, n + back)]).astype(np.int32)
    kinds = _kinds(moves, np.tile(np.bincount(begins)[begins], 2))
    rare = np.bincount(kinds)[kinds[:n]].argmin()
    targets = np.flatnonzero(kinds == kinds[rare])
    require(
        _BYTES * len(targets) * n, f"the {len(targets):,} symmetries of {lattice!r}", "take a smaller lattice"
    )
    maps = np.empty((len(targets), n), np.int32)
    maps[:, rare] = targets
    reached = np.zeros(n, np.bool_)
    reached[rare] = True
    queue = [int(rare)]
    for step in queue:
        for move in moves:
            if not reached[to := int(move[step])]:
                reached[to] = True
                maps[:, to] = move[maps[:, step]]
                queue.append(to)
    kept = np.all([(move[maps] == maps[:, move[:n]]).all(axis=1) for move in moves], axis=0)
    return maps[kept] % n


def _kinds(moves: Numbers, kinds: Numbers) -> Numbers:
    """Return the coarsest classes, finer than those given, that each move takes to one class each."""
    count = 0
    while True:
        for move in moves:
            _, kinds = np.unique(kinds * (len(kinds) + 1) + kinds[move], return_inverse=True)
        if kinds.max() < count:
            return kinds
        count = kinds.max() + 1
