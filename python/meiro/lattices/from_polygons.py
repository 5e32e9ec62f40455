"""Polygons of the user's own: districts of a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.validation import items_of
from meiro.lattices.lattice import Lattice, Outline, checked_labels, make_lattice, number_array

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

_NEAR = 1e-9  # of the extent: what is less is rounding


def from_polygons(polygons: Any) -> Lattice:
    """Make a lattice of polygons: cells are adjacent if they share a part of a side.

    Parameters
    ----------
    polygons : GeoDataFrame, GeoSeries, or sequence of shapely polygons or arrays of shape (k, 2)
        They must not overlap. A multipolygon is one cell. y goes up, as on maps.

    Returns
    -------
    Lattice
        Cells in the order given; the index of a GeoDataFrame is `Lattice.labels`, unless it is 0 .. n-1.
        Positions lie inside, y goes down. A wall that is bent has further segments in `Outline.more_walls`.

    Raises
    ------
    ValueError
        If there is no polygon, one is not valid, or two overlap; with their numbers.
    TypeError
        If one is something else.
    ImportError
        If shapely is not installed.

    Examples
    --------
    >>> squares = [[(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 0), (2, 0), (2, 2), (1, 2)]]
    >>> meiro.lattices.from_polygons(squares)
    <Lattice polygons: 2 cells, 1 edges>
    """
    with requires_extra("maps", "shapely"):
        import shapely
    labels: tuple[Hashable, ...] | None = None
    if hasattr(polygons, "geometry"):
        names = list(polygons.index)
        labels = None if names == list(range(len(names))) else checked_labels(names, len(names))
        polygons = list(polygons.geometry)
    shapes = np.array(
        [_shape(one, i, shapely) for i, one in enumerate(items_of(polygons, "polygons", "polygons"))], object
    )
    if not len(shapes):
        msg = "there are no polygons, and a lattice has at least one cell"
        raise ValueError(msg)
    box = shapely.total_bounds(shapes)
    extent = max(box[2] - box[0], box[3] - box[1])
    edges, walls, more_walls, more_edges = _shared(shapes, extent, shapely)
    rim, rim_cells = _rim(shapes, edges, extent, shapely)
    largest = [max(shapely.get_parts(shape), key=shapely.area).exterior for shape in shapes]
    rings = [shapely.get_coordinates(ring)[:-1] for ring in largest]
    sizes = [len(ring) for ring in rings]
    flip = np.array([1.0, -1.0])
    outline = Outline(
        np.concatenate(rings) * flip,
        np.append(0, np.cumsum(sizes)),
        np.arange(sum(sizes)),
        walls * flip,
        rim * flip,
        rim_cells,
        None,
        None,
        more_walls * flip,
        more_edges,
    )
    places = shapely.get_coordinates(shapely.point_on_surface(shapes)) * flip
    return make_lattice(len(shapes), edges, name="polygons", positions=places, outline=outline, labels=labels)


def _shape(one: Any, i: int, shapely: Any) -> Any:
    """Return a polygon of shapely, valid and not empty."""
    if not hasattr(one, "geom_type"):
        corners = number_array(one, f"polygons[{i}]")
        if corners.ndim != 2 or corners.shape[1] != 2 or len(corners) < 3 or not np.isfinite(corners).all():
            msg = f"polygons[{i}] must be a polygon or corners of shape (k, 2), not {short_repr(one)}"
            raise TypeError(msg)
        one = shapely.Polygon(corners)
    if one.geom_type not in {"Polygon", "MultiPolygon"}:
        msg = f"polygons[{i}] must be a polygon, not a {one.geom_type}"
        raise TypeError(msg)
    if one.is_empty or not one.is_valid or one.area == 0:
        msg = f"polygons[{i}] is not valid: {shapely.is_valid_reason(one)}; shapely.make_valid may mend it"
        raise ValueError(msg)
    return one


def _shared(
    shapes: NDArray[Any], extent: float, shapely: Any
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], NDArray[np.int32]]:
    """Return the pairs of adjacent polygons and the segments of their walls; refuse polygons that overlap."""
    one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    pairs = np.stack([one, other], axis=1)[one < other]
    pairs = pairs[np.lexsort(pairs.T[::-1])]
    common = shapely.intersection(shapes[pairs[:, 0]], shapes[pairs[:, 1]])
    smaller = np.minimum(*shapely.area(shapes[pairs]).T) if len(pairs) else np.empty(0)
    over = np.flatnonzero(shapely.area(common) > 1e-6 * smaller)
    if over.size:
        first, second = pairs[over[0]]
        msg = f"polygons[{first}] and polygons[{second}] overlap: by an area of {common[over[0]].area:g}"
        raise ValueError(msg)
    edges: list[list[int]] = []
    firsts, more, owners = [], [], []
    for pair, shape in zip(pairs.tolist(), common, strict=True):
        segments = _segments(shape, extent, shapely)
        if len(segments):
            more.append(segments[1:])
            owners.append(np.full(len(segments) - 1, len(edges), np.int32))
            edges.append(pair)
            firsts.append(segments[0])
    empty = np.empty((0, 2, 2))
    return (
        np.array(edges, np.int32).reshape(-1, 2),
        np.array(firsts).reshape(-1, 2, 2),
        np.concatenate([empty, *more]),
        np.concatenate([np.empty(0, np.int32), *owners]),
    )


def _rim(
    shapes: NDArray[Any], edges: NDArray[np.int32], extent: float, shapely: Any
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return the segments of the boundaries that no other polygon shares, and their polygons."""
    near: list[list[int]] = [[] for _ in shapes]
    for one, other in edges.tolist():
        near[one].append(other)
        near[other].append(one)
    parts, owners = [np.empty((0, 2, 2))], [np.empty(0, np.int32)]
    for i, shape in enumerate(shapes):
        left = shape.boundary
        if near[i]:
            around = shapely.union_all(shapely.boundary(shapes[near[i]])).buffer(_NEAR * extent)
            left = shapely.difference(left, around)
        segments = _segments(left, 100 * extent, shapely)
        parts.append(segments)
        owners.append(np.full(len(segments), i, np.int32))
    return np.concatenate(parts), np.concatenate(owners)


def _segments(shape: Any, extent: float, shapely: Any) -> NDArray[np.float64]:
    """Return the segments of the lines of a shape, shape (k, 2, 2); without single points."""
    lines = [part for part in shapely.get_parts(shape) if part.geom_type in {"LineString", "LinearRing"}]
    if sum(line.length for line in lines) <= _NEAR * extent:
        return np.empty((0, 2, 2))
    merged = shapely.get_parts(shapely.line_merge(shapely.MultiLineString(lines)))
    points = [shapely.get_coordinates(line) for line in merged]
    return np.concatenate([np.stack([each[:-1], each[1:]], axis=1) for each in points])
