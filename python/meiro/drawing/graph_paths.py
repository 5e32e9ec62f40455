"""Paths in mazes on lattices as lines: through the middles of walls, around rings, inside of districts."""

from __future__ import annotations

import heapq
import math
from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.polygon import distances, twice_area
from meiro.drawing.graph_outline import all_walls, more_walls
from meiro.drawing.lines import NEAR, Lines, broken_lines, no_lines
from meiro.lattices._rim import point_at, points_along

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.drawing.graph_outline import Plane
    from meiro.lattices.lattice import Outline

    Door = NDArray[np.float64] | None

_ROOM = 0.25, 0.4  # from a corner that a path goes round: shares of a cell, and of the way to the wall behind
_LARGE = 0.4  # of the side of a square of its area: the cell that a larger district counts as
_CLEAR, _TIGHT = 0.7, 4.0  # what is far enough from corners, and how much longer a way close to them counts
_AT_ONCE = 64  # segments of a path
_MOST_PAIRS = 1 << 22  # corners by sides of a district, beyond which a path goes straight


def path_line(
    plane: Plane, cells: NDArray[np.int64], edges: NDArray[np.int64], doors: tuple[Door, Door] = (None, None)
) -> Lines:
    """Return a path from opening to opening through cells and the middles of walls.

    It is in pieces at stairs and seams. `doors` are the middles (x, y) of the openings.
    """
    line = _between_cells(plane, cells, edges)
    if not len(cells) or not any(door is not None for door in doors):
        return line
    points, starts, arcs = line
    if not len(points):
        points, starts = plane.positions[cells], np.array([0, 1])
        arcs = None if plane.outline is None or plane.outline.wall_arcs is None else np.zeros(1, np.bool_)
    first, last = (
        _from_door(plane, door, int(cell)) for door, cell in zip(doors, cells[[0, -1]], strict=True)
    )
    starts = np.concatenate([[0], starts[1:] + len(first)])
    starts[-1] += len(last)
    if arcs is not None:
        arcs = np.concatenate([np.zeros(len(first), np.bool_), arcs, np.zeros(len(last), np.bool_)])
    return Lines(np.concatenate([first, points, last[::-1]]), starts, arcs)


def _from_door(plane: Plane, door: Door, cell: int) -> NDArray[np.float64]:
    """Return the points of the way from an opening to the middle of its cell, without the middle."""
    if door is None:
        return np.empty((0, 2))
    turns: list[NDArray[np.float64]] = []
    if plane.districts and plane.outline is not None:
        corners = plane.outline.corners[plane.outline.indices[slice(*plane.outline.indptr[cell : cell + 2])]]
        turns = _inside(corners, [door, plane.positions[cell]], plane.cell)
    return np.array([door, *turns])


def _between_cells(plane: Plane, cells: NDArray[np.int64], edges: NDArray[np.int64]) -> Lines:
    """Return the part of a path between the middles of its first and its last cell."""
    outline = plane.outline
    if len(cells) < 2:
        return no_lines()
    if outline is not None and outline.wall_arcs is not None:
        return _along_rings(plane, outline, cells, edges)
    if outline is not None and plane.districts:
        return _through_districts(plane, outline, cells, edges)
    places = plane.positions[cells]
    points = np.full((len(edges), 4, 2), np.nan)  # out at a wall, a gap, in at a wall, the cell
    points[:, 3] = places[1:]
    kept = np.zeros((len(edges), 4), np.bool_)
    kept[:, 3] = True
    if outline is not None:
        for side, of in ((0, cells[:-1]), (2, cells[1:])):
            points[:, side] = door_places(plane, outline, of, edges)
            kept[:, side] = ~np.isnan(points[:, side, 0])
        joined = kept[:, 0] & kept[:, 2] & (points[:, 0] == points[:, 2]).all(axis=1)
        kept[joined, 2] = False
        kept[:, 1] = ~joined
    found = np.concatenate([places[:1], points[kept]])
    line, starts, _ = broken_lines(found)
    alone = starts[:-1][np.diff(starts) == 1]  # cells between two stairs: dots
    times = np.ones(int(starts[-1]), np.int64)
    times[alone] = 2
    return Lines(line.repeat(times, axis=0), np.append(0, np.cumsum(times))[starts])


def door_places(
    plane: Plane, outline: Outline, cells: NDArray[np.int64], edges: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the middles of the walls of edges, each at the side of one of its cells; NaN: it has none."""
    points = np.full((len(edges), 2), np.nan)
    for middles in _middles(outline, edges):
        reached = _reaches(plane, outline, cells, middles) & np.isnan(points[:, 0])
        points[reached] = middles[reached]
    return points


def _middles(outline: Outline, edges: NDArray[np.int64]) -> list[NDArray[np.float64]]:
    """Return the middles of the walls of edges, and of those that are drawn a second time."""
    middles = outline.walls[edges].mean(axis=1)
    own, more = more_walls(outline)
    if not len(own):
        return [middles]
    again = np.full((len(outline.walls), 2), np.nan)
    again[own] = more.mean(axis=1)
    return [middles, again[edges]]


def _reaches(
    plane: Plane, outline: Outline, cells: NDArray[np.int64], points: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return whether points lie at their cells, as the walls of cells do, but not those beyond a seam."""
    sizes = np.diff(outline.indptr)[cells]
    first = np.cumsum(sizes) - sizes
    at = np.arange(int(sizes.sum())) - np.repeat(first - outline.indptr[cells], sizes)
    corners = outline.corners[outline.indices[at]] - np.repeat(plane.positions[cells], sizes, axis=0)
    far = np.maximum.reduceat(np.hypot(*corners.T), first)
    with np.errstate(invalid="ignore"):  # NaN: there is no such wall
        reached: NDArray[np.bool_] = np.hypot(*(points - plane.positions[cells]).T) < 1.2 * far
    return reached


def _along_rings(plane: Plane, outline: Outline, cells: NDArray[np.int64], edges: NDArray[np.int64]) -> Lines:
    """Return a path that goes around in the middle of a ring, and from ring to ring straight outwards."""
    places = plane.positions[cells]
    radius = np.hypot(*places.T)
    through = outline.walls[edges].mean(axis=1)
    through /= np.hypot(*through.T)[:, None]
    points = np.concatenate(
        [
            places[:1],
            np.stack([radius[:-1, None] * through, radius[1:, None] * through], axis=1).reshape(-1, 2),
            places[-1:],
        ]
    )
    near = NEAR * plane.cell
    moves = np.append(True, np.hypot(*np.diff(points, axis=0).T) > near)
    points = points[moves]
    far = np.hypot(*points.T)
    arcs = np.append(False, np.abs(np.diff(far)) < near)
    return Lines(points, np.array([0, len(points)]), arcs)


def _through_districts(
    plane: Plane, outline: Outline, cells: NDArray[np.int64], edges: NDArray[np.int64]
) -> Lines:
    """Return a path through the middles of borders that keeps off the corners of cells of any shape."""
    of, walls, _ = all_walls(outline)
    order = np.argsort(of, kind="stable")
    first, last = (np.searchsorted(of[order], edges, side).tolist() for side in ("left", "right"))
    borders = [_middle_of_segments(walls[order[slice(*ends)]]) for ends in zip(first, last, strict=True)]
    points: list[NDArray[np.float64]] = []
    for i, cell in enumerate(cells.tolist()):
        corners = outline.corners[outline.indices[outline.indptr[cell] : outline.indptr[cell + 1]]]
        place = plane.positions[cell]
        begin = borders[i - 1] if i else place
        end = borders[i] if i < len(borders) else place
        points += [begin, *_inside(corners, [begin, end, place], plane.cell)]
    points.append(plane.positions[cells[-1]])
    return Lines(np.array(points), np.array([0, len(points)]))


def _middle_of_segments(segments: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the middle of the longest of the lines that segments make."""
    goes_on = (segments[1:, 0] == segments[:-1, 1]).all(axis=1)
    lines = map(points_along, np.split(segments, np.flatnonzero(~goes_on) + 1))
    points, far = max(lines, key=lambda line: line[1][-1])
    return point_at(points, far, far[-1] / 2)


def _inside(
    corners: NDArray[np.float64], stops: list[NDArray[np.float64]], cell: float
) -> list[NDArray[np.float64]]:
    """Return where a way inside of a polygon turns, nowhere if no way exists: short, but off the walls.

    `stops` are its begin and its end, and perhaps another place that it may lead to.
    """
    after = np.roll(corners, -1, axis=0)
    begin, end, *others = stops
    cell = max(cell, _LARGE * math.sqrt(abs(twice_area(corners))))
    room = _ROOM[0] * cell
    if _sees(begin, end[None], corners, after)[0] and _clear(begin, end[None], corners, room)[0] > _CLEAR:
        return []
    turns = _turns(corners, cell)
    if len(turns) * len(corners) > _MOST_PAIRS:
        return []
    before = _before(np.array([begin, end]), corners, after, cell)
    places = np.concatenate([begin[None], *(one[None] for one in others), before, turns, end[None]])
    last = len(places) - 1
    left = np.hypot(*(end - places).T)
    known, came = np.full(len(places), math.inf), np.full(len(places), -1)
    known[0] = 0
    done = np.zeros(len(places), np.bool_)
    heap = [(float(left[0]), 0)]
    while heap:
        here = heapq.heappop(heap)[1]
        if here == last:
            break
        if done[here]:
            continue
        done[here] = True
        to = np.flatnonzero(~done)
        to = to[_sees(places[here], places[to], corners, after)]
        tight = 1 - _clear(places[here], places[to], corners, room)
        length = known[here] + np.hypot(*(places[to] - places[here]).T) * (1 + _TIGHT * tight)
        better = length < known[to]
        known[to[better]], came[to[better]] = length[better], here
        for estimate, place in zip((length + left[to])[better].tolist(), to[better].tolist(), strict=True):
            heapq.heappush(heap, (estimate, place))
    way = []
    at = int(came[last])
    while at > 0:
        way.append(places[at])
        at = int(came[at])
    return way[::-1]


def _turns(corners: NDArray[np.float64], cell: float) -> NDArray[np.float64]:
    """Return points just inside of the corners that stick into a polygon."""
    after = np.roll(corners, -1, axis=0)
    back, on = (_unit(np.roll(corners, 1, axis=0) - corners), _unit(after - corners))
    around = np.sign(twice_area(corners))
    reflex = around * (on[:, 0] * back[:, 1] - on[:, 1] * back[:, 0]) < -NEAR
    at: NDArray[np.float64] = corners[reflex]
    into = -_unit((back + on)[reflex])
    return at if len(at) * len(corners) > _MOST_PAIRS else _shifted(at, into, corners, after, cell)


def _before(
    at: NDArray[np.float64], corners: NDArray[np.float64], after: NDArray[np.float64], cell: float
) -> NDArray[np.float64]:
    """Return points in a polygon straight before those of some places that lie on its sides."""
    side = after - corners
    far = distances(at[:, None] - corners, side)
    nearest = far.argmin(axis=1)
    on_side = far[np.arange(len(at)), nearest] < NEAR * np.abs(corners - corners[0]).max()
    into = np.sign(twice_area(corners)) * _unit(side[nearest][:, ::-1] * (-1, 1))
    return _shifted(at[on_side], into[on_side], corners, after, cell)


def _shifted(
    at: NDArray[np.float64],
    into: NDArray[np.float64],
    corners: NDArray[np.float64],
    after: NDArray[np.float64],
    cell: float,
) -> NDArray[np.float64]:
    """Move points into a polygon, by less the nearer its wall is in that direction."""
    side = after - corners
    to = corners - at[:, None]
    across = into[:, 0, None] * side[:, 1] - into[:, 1, None] * side[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        far = (to[..., 0] * side[:, 1] - to[..., 1] * side[:, 0]) / across
        share = (to[..., 0] * into[:, 1, None] - to[..., 1] * into[:, 0, None]) / across
    far[~((share >= 0) & (share <= 1) & (far > NEAR * cell))] = math.inf
    room = np.minimum(_ROOM[0] * cell, _ROOM[1] * far.min(axis=1))
    shifted: NDArray[np.float64] = at + room[:, None] * into
    return shifted


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    length = np.hypot(*vectors.T)[:, None]
    found: NDArray[np.float64] = vectors / np.where(length > 0, length, 1)
    return found


def _clear(
    place: NDArray[np.float64], targets: NDArray[np.float64], corners: NDArray[np.float64], room: float
) -> NDArray[np.float64]:
    """Return how far straight ways from a place keep off the corners of a polygon, 0 to 1.

    1 is as far as `room`, or as the ends of the way are.
    """
    way = (targets - place)[:, None]
    to = corners - place
    far = distances(to, way)
    ends = np.minimum(np.hypot(*to.T), np.hypot(*np.moveaxis(corners - targets[:, None], 2, 0)))
    clear: NDArray[np.float64] = (far / np.maximum(np.minimum(ends, room), 1e-300)).min(axis=1)
    return np.minimum(clear, 1.0)


def room_along(line: Lines, walls: NDArray[np.float64], cell: float) -> float:
    """Return how wide the narrowest place is that straight lines go through, at most a cell.

    `walls` have the shape (k, 2, 2).
    """
    ends = np.stack([line.points[:-1], line.points[1:]], axis=1)
    ends = np.delete(ends, line.starts[1:-1] - 1, axis=0)
    low, high = walls.min(axis=1), walls.max(axis=1)
    least = cell / 2
    for first in range(0, len(ends), _AT_ONCE):
        part = ends[first : first + _AT_ONCE]
        near = ((low <= part.max(axis=(0, 1)) + least) & (high >= part.min(axis=(0, 1)) - least)).all(axis=1)
        for points, of in ((part, walls[near]), (walls[near], part)):
            far = distances(points.reshape(-1, 1, 2) - of[:, 0], of[:, 1] - of[:, 0])
            least = float(far.min(initial=least))
    return 2 * least


def _sees(
    place: NDArray[np.float64],
    targets: NDArray[np.float64],
    corners: NDArray[np.float64],
    after: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Return whether the straight ways from a place to others cross no side of a polygon."""
    dx, dy = (targets - place).T[..., None]
    (ax, ay), (bx, by) = (corners - place).T, (after - place).T
    one, other = dx * ay - dy * ax, dx * by - dy * bx
    sx, sy = bx - ax, by - ay
    near, far = ay * sx - ax * sy, (ay - dy) * sx - (ax - dx) * sy
    scale = NEAR * np.abs(corners - place).max() ** 2
    crossed = (one * other < 0) & (near * far < 0)
    crossed &= (np.abs(near) > scale) & (np.abs(far) > scale)  # an end that lies on a side crosses none
    sees: NDArray[np.bool_] = ~crossed.any(axis=1)
    return sees
