"""Polygons of the user's own: districts of a map."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.validation import items_of, number_array
from meiro.lattices.lattice import Lattice, Outline, checked_labels, make_lattice

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

NEAR = 1e-6  # of the extent: corners and sides that are nearer are one, and what overlaps less only touches
_NAMED = 3  # components that a warning names


def from_polygons(polygons: Any) -> Lattice:
    """Make a lattice of polygons: cells are adjacent if they share a part of a side.

    Corners and sides that are nearer to each other than a millionth of the extent of the map are taken for
    one, as computed or digitised ones differ in their last digits. Where the map has several components, as
    islands, a warning names them.

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
        raise ValueError("there are no polygons, and a lattice has at least one cell")
    near = _tolerance(shapes, shapely)
    _refuse_overlaps(shapes, near, shapely)
    corners, sides = _sides(shapes, near, shapely)
    edges, walls, rim = _shared(sides)
    largest = [max(shapely.get_parts(shape), key=shapely.area).exterior for shape in shapes]
    rings = [shapely.get_coordinates(ring)[:-1] for ring in largest]
    sizes = [len(ring) for ring in rings]
    flip = np.array([1.0, -1.0])
    outline = Outline(
        np.concatenate(rings) * flip,
        np.append(0, np.cumsum(sizes)),
        np.arange(sum(sizes)),
        corners[sides.ends[walls[0]]] * flip,
        corners[sides.ends[rim]] * flip,
        sides.cells[rim],
        None,
        None,
        corners[sides.ends[walls[1]]] * flip,
        walls[2],
    )
    places = shapely.get_coordinates(shapely.point_on_surface(shapes)) * flip
    lattice = make_lattice(
        len(shapes), edges, name="polygons", positions=places, outline=outline, labels=labels
    )
    _warn_of_components(lattice)
    return lattice


def _shape(one: Any, i: int, shapely: Any) -> Any:
    """Return a polygon of shapely, valid and not empty."""
    if not hasattr(one, "geom_type"):
        if isinstance(one, str | Mapping):
            raise TypeError(
                f"polygons[{i}] must be a polygon or corners of shape (k, 2), not {short_repr(one)}: "
                "geopandas reads files, shapely.geometry.shape GeoJSON, shapely.from_wkt WKT"
            )
        corners = number_array(one, f"polygons[{i}]")
        if corners.ndim != 2 or corners.shape[1] != 2 or len(corners) < 3 or not np.isfinite(corners).all():
            raise TypeError(
                f"polygons[{i}] must be a polygon or corners of shape (k, 2), not {short_repr(one)}"
            )
        one = shapely.Polygon(corners)
    if one.geom_type not in {"Polygon", "MultiPolygon"}:
        raise TypeError(f"polygons[{i}] must be a polygon, not a {one.geom_type}")
    if one.is_empty or not one.is_valid or one.area == 0:
        mend = f"is not valid: {shapely.is_valid_reason(one)}; shapely.make_valid may mend it"
        raise ValueError(f"polygons[{i}] {'has no area: leave it out' if one.is_valid else mend}")
    return one


def _tolerance(shapes: NDArray[Any], shapely: Any) -> float:
    """Return how near corners and sides are that are taken for one."""
    box = shapely.total_bounds(shapes)
    extent = max(box[2] - box[0], box[3] - box[1])
    return float(max(NEAR * extent, 8 * np.finfo(float).eps * np.abs(box).max()))


def _refuse_overlaps(shapes: NDArray[Any], near: float, shapely: Any) -> None:
    """Refuse two polygons that overlap by more than a sliver, which is as wide as they may be inexact."""
    one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    pairs = np.stack([one, other], axis=1)[one < other]
    pairs = pairs[np.lexsort(pairs.T[::-1])]
    common = shapely.intersection(shapes[pairs[:, 0]], shapes[pairs[:, 1]])
    area, around = shapely.area(common), shapely.length(common)
    over = np.flatnonzero(area > near * around)  # a sliver is twice its area by its length wide
    if over.size:
        first, second = pairs[over[0]]
        raise ValueError(
            f"polygons[{first}] and polygons[{second}] overlap: by an area of {common[over[0]].area:g}"
        )


class _Sides(NamedTuple):
    """The sides of all polygons, cut where a corner of any polygon lies on them."""

    ends: NDArray[np.int64]  # (k, 2), numbers of corners
    cells: NDArray[np.int32]


def _sides(shapes: NDArray[Any], near: float, shapely: Any) -> tuple[NDArray[np.float64], _Sides]:
    """Return the corners of all polygons, (n, 2), and their sides, in the order of the polygons."""
    parts, cell_of_part = shapely.get_parts(shapes, return_index=True)
    rings, part_of_ring = shapely.get_rings(parts, return_index=True)
    points, ring = shapely.get_coordinates(rings, return_index=True)
    corners, numbers = _one_of_near(points, near, shapely)
    # Sides of rings: the last point of a ring is its first.
    inner = ring[1:] == ring[:-1]
    ends = np.stack([numbers[:-1], numbers[1:]], axis=1)[inner]
    ring = ring[1:][inner]
    long = ends[:, 0] != ends[:, 1]
    ends, ring = ends[long], ring[long]
    # Corners that lie on a side cut it.
    lines = shapely.linestrings(corners[ends])
    used = np.unique(ends)
    at, side = shapely.STRtree(lines).query(shapely.points(corners[used]), predicate="dwithin", distance=near)
    corner = used[at]
    first, last = corners[ends[side, 0]], corners[ends[side, 1]]
    along = last - first
    share = ((corners[corner] - first) * along).sum(axis=1) / (along * along).sum(axis=1)
    on = (corner != ends[side, 0]) & (corner != ends[side, 1]) & (share > 0) & (share < 1)
    begins = np.concatenate([ends[:, 0], corner[on]])
    sides, shares = (
        np.concatenate([np.arange(len(ends)), side[on]]),
        np.append(np.zeros(len(ends)), share[on]),
    )
    order = np.lexsort((shares, sides))
    begins, ring = begins[order], ring[sides[order]]
    last_of_ring = np.flatnonzero(np.append(ring[1:] != ring[:-1], True))
    ends_at = np.append(begins[1:], 0)
    ends_at[last_of_ring] = begins[np.append(0, last_of_ring[:-1] + 1)]
    cells = cell_of_part[part_of_ring[ring]].astype(np.int32)
    return corners, _Sides(np.stack([begins, ends_at], axis=1), cells)


def _one_of_near(
    points: NDArray[np.float64], near: float, shapely: Any
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return points, and for each of `points` the one of them that stands for it.

    A point stands for those that are near to it, but not for what is near to these only: a coast of short
    sides is not drawn together.
    """
    different, numbers = np.unique(points, axis=0, return_inverse=True)
    own = shapely.points(different)
    one, other = shapely.STRtree(own).query(own, predicate="dwithin", distance=near)
    later = one < other
    pairs = np.stack([one[later], other[later]], axis=1)
    stands_for = np.arange(len(different))
    for i, j in pairs[np.lexsort(pairs.T[::-1])].tolist():
        if stands_for[i] == i and stands_for[j] == j:
            stands_for[j] = i
    return different, stands_for[numbers.reshape(-1)]


def _shared(
    sides: _Sides,
) -> tuple[
    NDArray[np.int32], tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]], NDArray[np.int64]
]:
    """Return the pairs of adjacent polygons, the sides between them, and the sides that are one polygon's.

    The sides between two polygons are one for each pair, the others, and of which pair these are.
    """
    low, high = np.sort(sides.ends, axis=1).T
    order = np.lexsort((sides.cells, high, low))
    low, high, cells = low[order], high[order], sides.cells[order]
    alike = (low[1:] == low[:-1]) & (high[1:] == high[:-1])
    doubled = alike & (cells[1:] == cells[:-1])  # a polygon on both sides of it: the end of a spike
    left = ~(np.append(doubled, False) | np.append(False, doubled))
    order, low, high, cells = order[left], low[left], high[left], cells[left]
    alike = (low[1:] == low[:-1]) & (high[1:] == high[:-1])
    first = np.flatnonzero(alike)
    both = np.append(alike, False) | np.append(False, alike)
    rim = np.sort(order[~both])
    by_pair = np.lexsort((order[first], cells[first + 1], cells[first]))
    first = first[by_pair]
    pairs = np.stack([cells[first], cells[first + 1]], axis=1).astype(np.int32).reshape(-1, 2)
    new = np.append(True, (pairs[1:] != pairs[:-1]).any(axis=1))[: len(pairs)]
    of = (np.cumsum(new) - 1).astype(np.int32)
    walls = order[first]
    return pairs[new], (walls[new], walls[~new], of[~new]), rim


def _warn_of_components(lattice: Lattice) -> None:
    """Warn of a map that falls into parts between which there is no common side."""
    if lattice.n_components == 1:
        return
    cells, sizes = np.unique(lattice.components, return_index=True, return_counts=True)[1:]
    named = [
        f"{short_repr(lattice.labels[cell]) if lattice.labels else f'polygons[{cell}]'}"
        + (f" and {size - 1:,} more" if size > 1 else "")
        for cell, size in zip(cells[:_NAMED].tolist(), sizes[:_NAMED].tolist(), strict=True)
    ]
    rest = f"; and {len(cells) - _NAMED:,} others" if len(cells) > _NAMED else ""
    msg = (
        f"the map has {len(cells):,} components, with no side in common: {'; '.join(named)}{rest}. "
        "No path leads from one to another"
    )
    warnings.warn(msg, UserWarning, stacklevel=3)
