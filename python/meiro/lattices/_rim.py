"""The rim of a lattice: the sides of cells with no cell behind them, where a maze may have openings.

A side is a segment of the outline; of districts it is all that lies between two neighbours. The outer rim
comes first, then holes; both go from top to bottom and from left to right.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro._utils.arrays import read_only
from meiro._utils.polygon import distances
from meiro.lattices.lattice import Lattice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.lattices.lattice import Outline

    Points = NDArray[np.float64]

_NEAR = 1e-5
"""Points that are closer than this are one, in sides of a cell."""
_INEXACT = 4e-6
"""How far the rim of a map of inexact polygons may be from these, in extents of the map."""


class Rim(NamedTuple):
    """Places of the rim.

    Attributes
    ----------
    places : ndarray of int64, shape (k, 2)
        Cell and side: side j runs from corner j to corner j + 1 of `Lattice.polygon`.
    n_outer : int
        How many of them, the first ones, are not in holes.
    middles : ndarray of float64, shape (k, 2)
    lines : tuple of ndarray of int64
        The segments of `Outline.rim` that make each of them, from one end to the other.
    """

    places: NDArray[np.int64]
    n_outer: int
    middles: Points
    lines: tuple[NDArray[np.int64], ...]

    def find(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of each place, -1 for one that is not in the rim."""
        if not len(self.places):
            return np.full(len(places), -1)
        order = np.lexsort(self.places.T[::-1])
        keys = self.places[order].view([("cell", np.int64), ("side", np.int64)]).reshape(-1)
        wanted = np.ascontiguousarray(places).view(keys.dtype).reshape(-1)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[at] == wanted, order[at], -1)


def rim_of(lattice: Lattice) -> Rim:
    """Return the rim of a lattice, found once."""
    rim: Rim | None = lattice._rim  # noqa: SLF001  # of this folder's own class
    if rim is None:
        rim = find_rim(lattice)
        object.__setattr__(lattice, "_rim", rim)
    return rim


def find_rim(lattice: Lattice) -> Rim:
    """Return the rim of a lattice; empty where it has no outline, or no end."""
    outline = lattice.outline
    if outline is None or not len(outline.rim):
        return Rim(read_only(np.empty((0, 2), np.int64)), 0, np.empty((0, 2)), ())
    extent = float(np.ptp(outline.rim, axis=(0, 1)).max())
    scale = 2.0 ** math.frexp(extent)[1]  # a power of two, so that no place changes but by its exponent
    outline = outline._replace(corners=outline.corners / scale, rim=outline.rim / scale)
    segments, cells = outline.rim, outline.rim_cells.astype(np.int64)
    lengths = np.hypot(*(segments[:, 1] - segments[:, 0]).T)
    unit = float(np.median(lengths[lengths > 0])) if lengths.any() else 1.0
    ends = _vertices(segments, unit)
    lines = _chains(ends, cells) if lattice.has_bent_walls else [np.array([i]) for i in range(len(segments))]
    arcs = np.zeros(len(segments), np.bool_) if outline.rim_arcs is None else outline.rim_arcs
    bows = middles_of(segments, arcs)
    first = np.array([line[0] for line in lines])
    middles = bows[first]
    for i, line in enumerate(lines):
        if len(line) > 1:
            points, way = points_along(segments[line])
            middles[i] = point_at(points, way, way[-1] / 2)
    sides, far = nearest_sides(outline, cells[first], middles, unit)
    places = np.stack([cells[first], sides], axis=1)
    size = np.array([lengths[line].sum() for line in lines])
    kept = _without_doubles(places, size)
    if not arcs.any():  # the coasts of islands are beside the polygon, which is the largest part
        kept &= far <= _NEAR * unit + _INEXACT * extent / scale
    loops = _loops(outline, ends, bows)
    in_hole = _holes(segments, loops, arcs, lattice.components[cells])[first]
    row, col = np.round(middles / (10 * _NEAR * unit)).T[::-1]
    order = np.lexsort((col, row, in_hole))
    order = order[kept[order]]
    chosen = tuple(lines[i] for i in order.tolist())
    return Rim(read_only(places[order]), int((~in_hole[order]).sum()), scale * middles[order], chosen)


def _vertices(segments: Points, unit: float) -> NDArray[np.int64]:
    """Return the numbers of the ends of segments, (r, 2): one number for ends at one point."""
    rounded = np.round((segments.reshape(-1, 2) - segments[0, 0]) / (unit * _NEAR))
    _, numbers = np.unique(rounded @ np.array([1, 1j]), return_inverse=True)
    return numbers.reshape(-1, 2)


def _parts(n: int, pairs: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the component of each of n things, some pairs of which are joined."""
    return Lattice(n, pairs).components


def _chains(ends: NDArray[np.int64], cells: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the segments of each line along one cell, from one end to the other."""
    own = np.tile(np.arange(len(ends)), 2)
    vertex, cell = ends.T.reshape(-1), np.tile(cells, 2)
    order = np.lexsort((own, vertex, cell))
    vertex, cell, own = vertex[order], cell[order], own[order]
    joined = (vertex[1:] == vertex[:-1]) & (cell[1:] == cell[:-1])
    parts = _parts(len(ends), np.stack([own[:-1], own[1:]], axis=1)[joined])
    by_part = np.argsort(parts, kind="stable")
    chains = []
    for chain in np.split(by_part, np.flatnonzero(np.diff(parts[by_part])) + 1):
        beside: dict[int, list[int]] = {}
        for i in chain.tolist():
            for at in ends[i].tolist():
                beside.setdefault(at, []).append(i)
        loose = [at for at, near in beside.items() if len(near) == 1]
        at = min(loose, key=lambda at: beside[at][0]) if loose else int(ends[chain[0], 0])
        line: list[int] = []
        left = set(chain.tolist())
        while following := [i for i in beside[at] if i in left]:
            line.append(following[0])
            left.discard(following[0])
            one, other = ends[following[0]].tolist()
            at = other if one == at else one
        chains.append(np.array(line))
    return chains


def middles_of(segments: Points, arcs: NDArray[np.bool_]) -> Points:
    """Return the points in the middle of segments and of arcs around the origin, which go clockwise."""
    middles: Points = segments.mean(axis=1)
    (x, y), (x1, y1) = segments[arcs].transpose(1, 2, 0)
    begin = np.arctan2(y, x)
    turn = (np.arctan2(y1, x1) - begin) % (2 * np.pi)
    half = begin + np.where(turn == 0, 2 * np.pi, turn) / 2
    middles[arcs] = np.hypot(x, y)[:, None] * np.stack([np.cos(half), np.sin(half)], axis=1)
    return middles


def points_along(segments: Points) -> tuple[Points, NDArray[np.float64]]:
    """Return the points of a line from one end to the other, and how far each is from the first."""
    first, *others = segments
    if others and _apart(first[0], others[0]) < _apart(first[1], others[0]):
        first = first[::-1]
    points = [*first]
    for one, other in others:
        nearer = _apart(points[-1], one[None]) <= _apart(points[-1], other[None])
        points.append(other if nearer else one)
    line = np.array(points)
    return line, np.append(0.0, np.cumsum(np.hypot(*np.diff(line, axis=0).T)))


def point_at(points: Points, far: NDArray[np.float64], way: float) -> Points:
    """Return the point of a line that is so far from its first one."""
    return np.array([np.interp(way, far, of) for of in points.T])


def _apart(point: Points, ends: Points) -> float:
    """Return how far a point is from the nearer end."""
    return float(np.hypot(*(ends - point).T).min())


def nearest_sides(
    outline: Outline, cells: NDArray[np.int64], points: Points, unit: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the side of its cell that each point is nearest to, and how far it is; the first of equals."""
    sizes = np.diff(outline.indptr)[cells]
    first = np.cumsum(sizes) - sizes
    place = np.arange(int(sizes.sum())) - np.repeat(first, sizes)
    begins = np.repeat(outline.indptr[cells], sizes)
    a = outline.corners[outline.indices[begins + place]]
    b = outline.corners[outline.indices[begins + (place + 1) % np.repeat(sizes, sizes)]]
    far = distances(np.repeat(points, sizes, axis=0) - a, b - a)
    least = np.minimum.reduceat(far, first)
    near = far <= np.repeat(least, sizes) + _NEAR * unit
    sides = np.minimum.reduceat(np.where(near, place, np.iinfo(np.int64).max), first)
    return sides, least


def _without_doubles(places: NDArray[np.int64], size: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which places stay if the longest line stands for all at one side."""
    order = np.lexsort((-size, *places.T[::-1]))
    again = (places[order][1:] == places[order][:-1]).all(axis=1)
    kept = np.ones(len(places), np.bool_)
    kept[order[1:][again]] = False
    return kept


def _loops(outline: Outline, ends: NDArray[np.int64], middles: Points) -> NDArray[np.int32]:
    """Return the number of the loop that each segment belongs to, around the rim or around a hole.

    Where loops meet in a corner, two segments go on if there is no cell between them.
    """
    own = np.tile(np.arange(len(ends)), 2)
    order = np.lexsort((own, ends.T.reshape(-1)))
    own, vertex = own[order], ends.T.reshape(-1)[order]
    corners = outline.rim.transpose(1, 0, 2).reshape(-1, 2)[order]
    _, first, count = np.unique(vertex, return_index=True, return_counts=True)
    plain = first[count == 2]
    pairs = [np.stack([own[plain], own[plain + 1]], axis=1)]
    for begin, n in zip(first[count > 2].tolist(), count[count > 2].tolist(), strict=True):
        here = own[begin : begin + n]
        x, y = (middles[here] - corners[begin]).T
        around = np.argsort(np.arctan2(y, x), kind="stable")
        here, x, y = here[around], x[around], y[around]
        cells = outline.rim_cells[here]
        to = [outline.corners[outline.indices[slice(*outline.indptr[i : i + 2])]].mean(axis=0) for i in cells]
        dx, dy = (np.array(to) - corners[begin]).T
        before = x * dy - y * dx < 0  # the cell: no cell is behind the segment
        pairs.append(np.stack([here, np.roll(here, -1)], axis=1)[before])
    return _parts(len(ends), np.concatenate(pairs))


def _holes(
    segments: Points, loops: NDArray[np.int32], arcs: NDArray[np.bool_], components: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Return which segments lie around a hole: in a loop that is inside the largest of the same cells.

    Cells of several components may lie around a hole together, where they meet in corners.
    """
    n = int(loops.max()) + 1
    low, high = np.full((n, 2), np.inf), np.full((n, 2), -np.inf)
    around = np.hypot(*segments[:, 0].T)[:, None]
    np.minimum.at(low, loops, np.where(arcs[:, None], -around, segments.min(axis=1)))
    np.maximum.at(high, loops, np.where(arcs[:, None], around, segments.max(axis=1)))
    pairs = np.unique(np.stack([loops, n + components], axis=1), axis=0)
    of = _parts(n + int(components.max()) + 1, pairs)[:n]
    order = np.lexsort((np.hypot(*(high - low).T), of))
    largest = np.zeros(int(of.max()) + 1, np.int64)
    largest[of[order]] = order  # the last one of each part is written last
    outer = largest[of]
    inside = np.all((low > low[outer]) & (high < high[outer]), axis=1)
    return np.asarray(inside[loops])
