"""Where a lattice lies in a picture, and the parts of a maze on it: standing walls, corridors, paths, stairs.

Lengths are in units of the lattice, x to the right and y down. `lattice_layers` says what of it is drawn.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.messages import requires_extra
from meiro._utils.paper import text_width
from meiro._utils.polygon import distances
from meiro.drawing.lines import NEAR, Lines, chords, no_lines
from meiro.lattices._rim import point_at, points_along, rim_of
from meiro.lattices.lattice import Lattice, Outline
from meiro.mazes._openings import NO_OPENINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro.mazes.graph_maze import GraphMaze

    Walls = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]

DOT_WIDTH, PASSAGE, CLOSED = 0.34, 0.14, 0.06
"""How wide cells, passages and closed edges of a network are, as shares of a cell."""

FAINT = 0.25
"""How opaque closed edges of a network are, and open seams; both are `CLOSED` wide."""

CORRIDOR = 0.4
"""How wide a corridor is between cells without polygons, as a share of a cell."""

UNDER_BRIDGE = 0.94
"""The share of a bridge that has edges: no seam is left at their ends."""

_OPENING = 0.8, 0.7  # of a cell, and of the rim of a district: the most that an opening is wide
_STAIR = 0.14, 0.25  # half the width of the sign of a stair, and how far its middle is from that of the cell
_ROOM = 0.8  # of a cell with walls: the most that a number may take
_GAP = 1.0  # of a cell between levels
_TITLE = 0.7, 0.05  # size of the title of a level: cells, or a share of its longer side
_LONGEST_ARC = 2.8  # radians; the shorter way must stay unique
_ROUND = 1e-9  # by how much of it the distances of the ends of an arc from the origin may differ
_MOST_LAID_OUT, _MOST_EXACT = 2000, 300  # cells without positions


class Title(NamedTuple):
    """A line of text in a picture: the middle of its base line, and the size of its letters."""

    text: str
    x: float
    y: float
    size: float


class Plane(NamedTuple):
    """A lattice in the plane.

    Attributes
    ----------
    positions : ndarray of float64, shape (n_cells, 2)
    outline : Outline or None
        None: passages are drawn as corridors, or as lines of a network.
    cell : float
        The length that stands for the side of a cell: of a wall, and from cell to cell.
    box : (float, float, float, float)
        Left, top, right, bottom.
    stairs : ndarray of bool, shape (n_edges,), or None
        Edges between levels, which have signs instead of walls.
    network : bool
        Whether it is a graph of the user's own, whose cells may lie anywhere: drawn as dots and lines.
    districts : bool
        Whether cells have any shape, and walls are borders of several segments.
    titles : tuple of Title
        Of levels, if it has several.
    """

    positions: NDArray[np.float64]
    outline: Outline | None
    cell: float
    box: tuple[float, float, float, float]
    stairs: NDArray[np.bool_] | None = None
    network: bool = False
    districts: bool = False
    titles: tuple[Title, ...] = ()


def plane_of(lattice: Lattice, openings: NDArray[np.int64] = NO_OPENINGS) -> Plane:
    """Return where a lattice lies in the plane; the rim of its outline is without openings.

    Raises
    ------
    ValueError
        If it has no positions, or lies in space and is no box.
    """
    positions = lattice.positions
    if positions is None:
        raise ValueError(
            f"{lattice!r} has no positions to draw it by: give some, as "
            "meiro.lattices.from_graph(graph, positions=) takes them, or call meiro.plot, which finds some"
        )
    if positions.shape[1] == 3 and lattice.outline is None:
        return _levels(lattice, positions)
    flat = np.ascontiguousarray(positions[:, :2])
    apart = _apart(flat, lattice.edges)
    outline = lattice.outline
    if lattice.is_network:
        width, height = np.ptp(flat, axis=0).tolist()
        room = math.sqrt(width * height / len(flat)) or apart
        cell = 0.7 * min(apart, room)
        return Plane(flat, None, cell, _box(flat, 0.5 * cell), None, network=True)
    if outline is None:
        return Plane(flat, None, apart, _box(flat, 0.5 * apart))
    lines = outline.walls if len(outline.walls) else outline.rim
    lengths = np.hypot(*(lines[:, 0] - lines[:, 1]).T)
    lengths = lengths[lengths > 0]
    wall = float(np.median(lengths)) if len(lengths) else 1.0
    cell = math.sqrt(wall * (apart if lattice.n_edges else wall))
    ends = outline.corners if outline.wall_arcs is None else _around_arcs(outline)
    box = _box(ends if len(ends) else flat, 0.0)
    if lattice.has_own_points:
        flat = _centroids(outline, flat)
    if len(openings):
        outline = _opened(lattice, outline, openings, cell)
    return Plane(flat, outline, cell, box, districts=lattice.has_bent_walls)


def plane_to_plot(lattice: Lattice, openings: NDArray[np.int64] = NO_OPENINGS) -> Plane:
    """Return where a lattice lies in the plane, as `plane_of`; without positions networkx lays it out."""
    if lattice.positions is not None:
        return plane_of(lattice, openings)
    return plane_of(_laid_out(lattice))


@lru_cache(maxsize=2)
def _laid_out(lattice: Lattice) -> Lattice:
    """Return a lattice with positions, which takes a while."""
    n = lattice.n_cells
    if n > _MOST_LAID_OUT:
        raise ValueError(
            f"{lattice!r} has no positions, and more than {_MOST_LAID_OUT:,} cells are not laid out: give "
            "positions, as meiro.lattices.from_graph(graph, positions=) takes them"
        )
    with requires_extra("graph", "networkx"):
        import networkx as nx
    graph: Any = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(lattice.edges.tolist())
    exact = n <= _MOST_EXACT and lattice.n_components == 1
    layout = nx.kamada_kawai_layout(graph) if exact else nx.spring_layout(graph, seed=0)
    places = np.array([layout[cell] for cell in range(n)], np.float64)
    return Lattice(n, lattice.edges, places)


def _opened(lattice: Lattice, outline: Outline, openings: NDArray[np.int64], cell: float) -> Outline:
    """Return an outline whose rim has gaps: sides of cells, or the middles of the sides of districts."""
    rim = rim_of(lattice)
    lines = [rim.lines[i] for i in rim.find(openings).tolist()]
    stays = np.ones(len(outline.rim), np.bool_)
    stays[np.concatenate(lines)] = False
    rests, owners = [outline.rim[stays]], [outline.rim_cells[stays]]
    for line in lines if lattice.has_bent_walls else ():
        points, far = points_along(outline.rim[line])
        for before, end in zip((True, False), _ends_of_opening(far, cell), strict=True):
            there = (far < end) if before else (far > end)
            rest = np.insert(points[there], int(there.sum()) if before else 0, point_at(points, far, end), 0)
            rests.append(np.stack([rest[:-1], rest[1:]], axis=1))
            owners.append(np.full(len(rest) - 1, outline.rim_cells[line[0]]))
    arcs = None if outline.rim_arcs is None else outline.rim_arcs[stays]
    return outline._replace(rim=np.concatenate(rests), rim_cells=np.concatenate(owners), rim_arcs=arcs)


def _ends_of_opening(far: NDArray[np.float64], cell: float) -> tuple[float, float]:
    """Return how far along a side its opening begins and ends; `far` are the ways to its points."""
    middle, half = far[-1] / 2, min(_OPENING[0] * cell, _OPENING[1] * far[-1]) / 2
    return middle - half, middle + half


def ways_in(maze: GraphMaze, plane: Plane) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the middles of the openings of a maze, and the directions that lead in through them."""
    outline = maze.lattice.outline
    if outline is None or not len(maze.openings):
        return np.empty((0, 2)), np.empty((0, 2))
    rim = rim_of(maze.lattice)
    numbers = rim.find(maze.openings)
    middles, ways = rim.middles[numbers], []
    for middle, number, cell in zip(middles, numbers.tolist(), maze.openings[:, 0].tolist(), strict=True):
        points, far = points_along(outline.rim[rim.lines[number]])
        one, other = (point_at(points, far, end) for end in _ends_of_opening(far, plane.cell))
        along = other - one
        way = np.array([-along[1], along[0]]) if along.any() else -middle  # a whole circle: to the middle
        way /= np.hypot(*way)
        ways.append(way if way @ (plane.positions[cell] - middle) > 0 else -way)
    return middles, np.array(ways)


def _centroids(outline: Outline, otherwise: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the centroid of each polygon."""
    lines = polygons(outline)
    if (np.diff(lines.starts) < 4).any():
        return otherwise
    points = lines.points - lines.points.mean(axis=0)
    before, after = points[:-1], points[1:]
    areas = (before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0])[:, None]
    areas[lines.starts[1:-1] - 1] = 0  # from a polygon to the next one
    whole = 3 * np.add.reduceat(areas, lines.starts[:-1])
    moments = np.add.reduceat((before + after) * areas, lines.starts[:-1])
    centroids = moments / np.where(whole == 0, 1, whole) + lines.points.mean(axis=0)
    return np.where(whole == 0, otherwise, centroids)


def _apart(positions: NDArray[np.float64], edges: NDArray[np.int32]) -> float:
    """Return how far adjacent cells are from each other, in the middle."""
    if not len(edges):
        return 1.0
    lengths = np.linalg.norm(positions[edges[:, 0]] - positions[edges[:, 1]], axis=1)
    lengths = lengths[lengths > 0]
    return float(np.median(lengths)) if len(lengths) else 1.0


def _box(points: NDArray[np.float64], edge: float) -> tuple[float, float, float, float]:
    (left, top), (right, bottom) = points.min(axis=0) - edge, points.max(axis=0) + edge
    return float(left), float(top), float(right), float(bottom)


def _around_arcs(outline: Outline) -> NDArray[np.float64]:
    """Return the corners, and the outermost points of the arcs of the rim."""
    rim = outline.rim if outline.rim_arcs is None else outline.rim[outline.rim_arcs]
    far = math.sqrt(float((rim**2).sum(axis=2).max(initial=0.0)))
    whole = np.array([(-far, -far), (far, far)])
    return whole if far else outline.corners


def _levels(lattice: Lattice, positions: NDArray[np.float64]) -> Plane:
    """Lay the levels of a box side by side, lowest first, each below its number."""
    unit = _apart(positions, lattice.edges)
    steps = np.abs(np.diff(positions[lattice.edges], axis=1)[:, 0])
    if (np.abs(np.sort(steps, axis=1) - (0, 0, unit)) > NEAR * unit).any():
        raise ValueError(f"{lattice!r} lies in space: meiro.plot(maze, three_d=True) draws it")
    places = np.round((positions - positions.min(axis=0)) / unit)
    width, height, levels = (int(side) + 1 for side in places.max(axis=0))
    lowest = 1 if lattice.layers is None else 1 + int(lattice.layers.min())
    size = _title_size(width, height, lowest + levels) if levels > 1 else 0.0
    columns = min(max(1, round(math.sqrt(levels * height / width))), levels)
    row, column = np.divmod(np.arange(levels), columns)
    corners = np.stack([column * (width + _GAP), row * (height + _GAP + size)], axis=1)
    middles = places[:, :2] + corners[places[:, 2].astype(np.int64)] + 0.5
    titles = [
        Title(f"level {lowest + level}", x + width / 2, y - 0.4 * size, size)
        for level, (x, y) in enumerate(corners.tolist())
        if size
    ]
    stairs = steps[:, 2] > 0.5 * unit
    outline = _unit_squares(middles, lattice.edges, stairs)
    left, top, right, bottom = _box(outline.corners, 0.0)
    over = max((text_width(title.text) * size - width for title in titles), default=0.0)
    beyond = max(over, 0.0) / 2  # of titles that are wider than their levels
    box = left - beyond, top - 1.2 * size, right + beyond, bottom
    return Plane(middles, outline, 1.0, box, stairs, titles=tuple(titles))


def _unit_squares(
    middles: NDArray[np.float64], edges: NDArray[np.int32], stairs: NDArray[np.bool_]
) -> Outline:
    """Return the outline of squares of side 1; edges but stairs have walls, and the other sides are rim."""
    corners = middles[:, None] + 0.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    one, other = middles[edges].transpose(1, 0, 2)
    ahead = np.where(stairs[:, None], np.nan, (other - one) / 2)  # from the first cell to the wall
    between, beside = (one + other) / 2, np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    walls = np.stack([between - beside, between + beside], axis=1)
    has_neighbor = np.zeros((len(middles), 4), np.bool_)
    for side, direction in enumerate([(0, -1), (1, 0), (0, 1), (-1, 0)]):  # north, east, south, west
        along = ahead @ direction
        has_neighbor[edges[along > 0.25, 0], side] = True
        has_neighbor[edges[along < -0.25, 1], side] = True
    cells, sides = np.nonzero(~has_neighbor)
    rim = np.stack([corners[cells, sides], corners[cells, (sides + 1) % 4]], axis=1)
    starts, indices = np.arange(0, 4 * len(middles) + 1, 4), np.arange(4 * len(middles))
    return Outline(corners.reshape(-1, 2), starts, indices, walls, rim, cells.astype(np.int32))


def _title_size(width: int, height: int, number: int) -> float:
    """Return the size of letters at which the title of a level fits above it."""
    least, share = _TITLE
    return min(max(least, share * max(width, height)), (width + 0.6 * _GAP) / text_width(f"level {number}"))


def wall_segments(plane: Plane, passages: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the walls that stand, of closed edges and of the rim, shape (k, 2, 2), and which are arcs."""
    return standing_walls(plane, passages)[1:]


def standing_walls(plane: Plane, passages: NDArray[np.bool_]) -> Walls:
    """Return the walls that stand, those of the rim as of edge -1."""
    outline = plane.outline
    assert outline is not None  # noqa: S101  # corridors have no walls
    edges, walls, arcs = all_walls(outline)
    kept = ~(passages if plane.stairs is None else passages | plane.stairs)[edges]
    rim_arcs = np.zeros(len(outline.rim), np.bool_) if outline.rim_arcs is None else outline.rim_arcs
    return (
        np.concatenate([edges[kept], np.full(len(outline.rim), -1)]),
        np.concatenate([walls[kept], outline.rim]),
        np.concatenate([arcs[kept], rim_arcs]),
    )


def all_walls(outline: Outline) -> Walls:
    """Return the edge of each segment of a wall, its ends, shape (k, 2, 2), and which segments are arcs."""
    own, more = more_walls(outline)
    edges, arcs = np.arange(len(outline.walls)), np.zeros(len(outline.walls), np.bool_)
    arcs = arcs if outline.wall_arcs is None else outline.wall_arcs
    return (
        np.concatenate([edges, own]),
        np.concatenate([outline.walls, more]),
        np.concatenate([arcs, np.zeros(len(own), np.bool_)]),
    )


def more_walls(outline: Outline) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return the edges and segments of walls that have more than one."""
    if outline.more_walls is None or outline.more_edges is None:
        return np.empty(0, np.int32), np.empty((0, 2, 2))
    return outline.more_edges, outline.more_walls


def open_seams(plane: Plane, passages: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the sides of passages where a surface was cut open, shape (k, 2, 2), and the edge of each."""
    outline = plane.outline
    if outline is None or plane.districts:
        return np.empty((0, 2, 2)), np.empty(0, np.int64)
    own, more = more_walls(outline)
    walls = outline.walls[own]
    apart = np.abs(walls.mean(axis=1) - more.mean(axis=1)).max(axis=1, initial=0.0) > NEAR * plane.cell
    cut = apart & passages[own]
    edges = own[cut].astype(np.int64)
    return np.concatenate([walls[cut], more[cut]]), np.concatenate([edges, edges])


def merged(segments: NDArray[np.float64], arcs: NDArray[np.bool_], cell: float) -> Lines:
    """Join segments that share an end into long lines, straight on where there is a choice."""
    if not len(segments):
        return no_lines()
    rounded = np.round(segments.reshape(-1, 2) / (cell * NEAR * 10))
    keys, first, vertex = np.unique(rounded @ np.array([1, 1j]), return_index=True, return_inverse=True)
    points = segments.reshape(-1, 2)[first]
    ends = vertex.reshape(-1, 2)
    whole = arcs & (ends[:, 0] == ends[:, 1])
    kept = np.flatnonzero(whole | (ends[:, 0] != ends[:, 1]))  # without walls of no length
    trails = _trails(ends[kept], _headings(points[ends[kept]], arcs[kept]), len(keys))
    numbers: list[int] = []
    steps: list[bool] = []
    starts = [0]
    bent = arcs[kept].tolist()
    for trail, used in trails:
        way, how = _thinned(trail, [bent[i] for i in used], points)
        numbers += way
        steps += how
        starts.append(len(numbers))
    return Lines(points[np.array(numbers, np.int64)], np.array(starts), np.array(steps, np.bool_))


def joined(parts: Sequence[Lines], cell: float) -> Lines:
    """Return lines of two points each, `merged`."""
    segments = np.concatenate([lines.points for lines in parts]).reshape(-1, 2, 2)
    bent = [np.zeros(len(lines.points), np.bool_) if lines.arcs is None else lines.arcs for lines in parts]
    return merged(segments, np.concatenate(bent)[1::2], cell)


def _headings(ends: NDArray[np.float64], curved: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the directions in which segments leave their first and their second end, shape (n, 2, 2)."""
    along = ends[:, 1] - ends[:, 0]
    leaving = np.stack([along, -along], axis=1)
    if curved.any():
        (x, y), (x1, y1) = ends[curved].transpose(1, 2, 0)
        turn = np.where(x * y1 - y * x1 >= 0, 1.0, -1.0)[:, None, None]
        leaving[curved] = turn * np.stack([np.stack([-y, x], axis=1), np.stack([y1, -x1], axis=1)], axis=1)
    length = np.hypot(leaving[..., 0], leaving[..., 1])[..., None]
    found: NDArray[np.float64] = leaving / np.where(length > 0, length, 1)
    return found


def _trails(
    ends: NDArray[np.int64], headings: NDArray[np.float64], n: int
) -> list[tuple[list[int], list[int]]]:
    """Return trails over all segments, each once: the vertices of each trail, and its segments."""
    at: list[list[int]] = [[] for _ in range(n)]
    pairs: list[list[int]] = ends.tolist()
    leaving: list[list[list[float]]] = headings.tolist()
    for i, (one, other) in enumerate(pairs):
        at[one].append(i)
        if other != one:
            at[other].append(i)

    def trail_from(here: int) -> tuple[list[int], list[int]]:
        trail, used = [here], []
        dx = dy = 0.0
        while at[here]:
            best, chosen = -2.0, -1
            for i in at[here]:
                x, y = leaving[i][pairs[i][0] != here]
                if x * dx + y * dy > best:
                    best, chosen = x * dx + y * dy, i
            second = pairs[chosen][0] != here
            at[here].remove(chosen)
            here = pairs[chosen][not second]
            if chosen in at[here]:
                at[here].remove(chosen)
            dx, dy = (-x for x in leaving[chosen][not second])
            trail.append(here)
            used.append(chosen)
        return trail, used

    trails = [trail_from(vertex) for vertex in range(n) if len(at[vertex]) % 2]
    for vertex in range(n):
        while at[vertex]:
            trails.append(trail_from(vertex))
    return trails


def _thinned(
    trail: list[int], curved: list[bool], points: NDArray[np.float64]
) -> tuple[list[int], list[bool]]:
    """Leave out points at which a line goes straight on, or an arc around the same circle."""
    places: list[list[float]] = points[trail].tolist()
    kept, how = [0], [False]
    turned = 0.0
    for i in range(1, len(trail)):
        bent = curved[i - 1]
        (x0, y0), (x1, y1) = places[i - 1], places[i]
        angle = math.atan2(x0 * y1 - y0 * x1, x0 * x1 + y0 * y1) if bent else 0.0
        joins = False
        if len(kept) > 1 and how[-1] == bent:
            x, y = places[kept[-2]]
            if bent:
                joins = angle * turned > 0 and abs(angle + turned) < _LONGEST_ARC
                joins = joins and abs(math.hypot(x, y) - math.hypot(x1, y1)) < _ROUND * (1 + math.hypot(x, y))
            else:
                ax, ay, bx, by = x0 - x, y0 - y, x1 - x0, y1 - y0
                joins = abs(ax * by - ay * bx) <= 1e-9 * (abs(ax * bx + ay * by)) and ax * bx + ay * by > 0
        if joins:
            kept[-1] = i
            turned += angle
        else:
            kept.append(i)
            how.append(bent)
            turned = angle
    return [trail[i] for i in kept], how


def polygons(outline: Outline) -> Lines:
    """Return the cells as closed lines; sides that go around the origin are arcs.

    Arcs have the same ends in both of the cells that share them, so that their `chords` are the same, too.
    """
    sizes = np.diff(outline.indptr)
    closed = sizes + (sizes > 0)
    starts = np.concatenate([[0], np.cumsum(closed)])
    into = np.arange(starts[-1])
    cell = np.repeat(np.arange(len(sizes)), closed)
    at = into - starts[cell]
    begins = at == 0
    at[at == sizes[cell]] = 0
    points = outline.corners[outline.indices[outline.indptr[cell] + at]]
    if outline.wall_arcs is None and outline.rim_arcs is None:
        return Lines(points, starts)
    radius = np.hypot(*points.T)
    arcs = np.abs(np.diff(radius, prepend=0.0)) < _ROUND * radius
    return Lines(points, starts, arcs & ~begins)


def rooms(plane: Plane) -> NDArray[np.float64]:
    """Return the side of a square in the middle of each cell, about, where a number can be written.

    It is 0 where another cell lies above.
    """
    if plane.outline is None:
        found = np.full(len(plane.positions), (DOT_WIDTH if plane.network else CORRIDOR) * plane.cell)
        found[len(found) - 1 - _later(plane.positions[::-1], plane.cell)] = 0
        return found
    points, starts, _ = chords(polygons(plane.outline), plane.cell)
    inside = np.ones(len(points), np.bool_)
    inside[starts[:-1][np.diff(starts) > 0]] = False
    after = np.flatnonzero(inside)  # the ends of sides
    cell = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[after]
    side = points[after] - points[after - 1]
    found = np.full(len(plane.positions), _ROOM * plane.cell)
    np.minimum.at(found, cell, 2 * distances(plane.positions[cell] - points[after - 1], side))
    return found


def long_arcs(lines: Lines) -> Lines:
    """Join arcs that follow one another, less than half a circle together or a whole one."""
    if lines.arcs is None:
        return lines
    kept = ~(lines.arcs & np.append(lines.arcs[1:], False))
    return Lines(lines.points[kept], np.append(0, np.cumsum(kept))[lines.starts], lines.arcs[kept])


def bridge_parts(
    plane: Plane, lattice: Lattice, passages: NDArray[np.bool_], reach: float = 1.0
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the parts of passages that are bridges over others, shape (k, 2, 2), and the edge of each.

    A cell of a higher layer is over those at its place; of two passages with one middle the later one is.
    Bridges are as long as a cell, times `reach`.
    """
    edges = np.flatnonzero(passages)
    pairs = lattice.edges[edges]
    ends = plane.positions[pairs]
    middles = ends.mean(axis=1)
    later = _later(middles, plane.cell)
    third = ends[later]
    share = 0.5 + 0.25 * reach
    parts = [np.stack([share * third[:, i] + (1 - share) * third[:, 1 - i] for i in (0, 1)], axis=1)]
    own = [edges[later]]
    over = np.zeros(lattice.n_cells, np.bool_) if lattice.layers is None else lattice.layers > 0
    for side in (0, 1):
        above = over[pairs[:, side]]
        begin = ends[above, side]
        parts.append(np.stack([begin, begin + reach * (middles[above] - begin)], axis=1))
        own.append(edges[above])
    return np.concatenate(parts), np.concatenate(own)


def _later(points: NDArray[np.float64], cell: float) -> NDArray[np.int64]:
    """Return the numbers of points at which an earlier point lies."""
    keys = np.round(points / (100 * NEAR * cell)) @ np.array([1, 1j])
    first = np.unique(keys, return_index=True)[1]
    again = np.ones(len(points), np.bool_)
    again[first] = False
    return np.flatnonzero(again)


def stairs(plane: Plane, lattice: Lattice, passages: NDArray[np.bool_]) -> list[tuple[Lines, bool]]:
    """Return triangles at the stairs of levels, those up and those down, each with whether it leads up.

    They point at the middle of a cell, beside paths and marks: up from below, down from above.
    """
    if plane.stairs is None:
        return []
    edges = lattice.edges[plane.stairs & passages]
    heights = lattice.positions[:, 2]  # type: ignore[index]  # it has levels
    low = np.where(heights[edges[:, 0]] < heights[edges[:, 1]], edges[:, 0], edges[:, 1])
    high = edges.sum(axis=1) - low
    wide, off = (share * plane.cell for share in _STAIR)
    up = np.array([(-wide, wide), (0, -wide), (wide, wide), (-wide, wide)]) + off
    found = []
    for cells, sign, leads_up in ((low, up, True), (high, -up, False)):
        points = (plane.positions[cells][:, None] + sign).reshape(-1, 2)
        found.append((Lines(points, np.arange(0, len(points) + 1, 4)), leads_up))
    return found
