"""Mazes without four straight sides, as round ones: what is outside of their outline, and the gaps in it.

If most of the rim of the convex hull is wall, the outline is the hull. Else it is found by a morphological
closing: wider than a corridor, it makes a maze one blob, and what can be reached beside the blob from the
border of the picture is outside. Where road meets the outside are the openings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro.io.pictures.light import greatest
from meiro.io.pictures.speckles import road_labels, sizes_of, wall_labels
from meiro.io.pictures.widths import width_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell

_SMALL = 0.05  # of the largest component of walls: smaller ones are not the maze
_CLOSED = 0.6  # of the rim of a hull: with less wall it is not the outline
_ROUND = 0.03  # of its radius: how far corners of a hull may be from an ellipse
_WIDE = 1.6  # corridors: as far as walls are joined
_NARROW = 0.4  # of a corridor: gaps that are narrower are no openings


def close_outline(walls: NDArray[np.uint8], hull: NDArray[np.float64]) -> list[Cell]:
    """Make what is outside of a maze wall; return a site of each opening. The hull is in (col, row)."""
    labels = wall_labels(walls)
    sizes = sizes_of(walls, labels, 1)
    maze = (walls == 1) & (sizes >= _SMALL * sizes.max())[labels]
    corridor = max(2.0, width_of(maze.view(np.uint8), 0, _between(maze)))
    openings = _close_hull(walls, maze, _rounded(hull), _NARROW * corridor)
    if openings is not None:
        return openings
    outside = _beside_blob(maze, corridor)
    walls[outside] = 1
    wide = greatest(np.pad(outside.view(np.uint8), 1, constant_values=1), 3)
    gates = wide & ~outside & ~maze
    numbers = wall_labels(gates)
    openings = []
    for number in np.flatnonzero(sizes_of(gates, numbers, 1) >= _NARROW * corridor).tolist():
        places = np.argwhere((numbers == number) & (gates == 1))
        row, col = places[((places - places.mean(axis=0)) ** 2).sum(axis=1).argmin()].tolist()
        openings.append((row, col))
    return openings


def _rounded(hull: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ellipse on which the corners of a hull lie, as a polygon; else the hull."""
    middle, size = (hull.max(axis=0) + hull.min(axis=0)) / 2, np.ptp(hull, axis=0) / 2
    x, y = ((hull - middle) / size).T
    terms = np.stack([x * x, x * y, y * y, x, y], axis=1)
    a, b, c, d, e = np.linalg.lstsq(terms, np.ones(len(hull)))[0].tolist()
    if len(hull) < 8 or 4 * a * c - b * b <= 0 or a <= 0:
        return hull
    centre = np.linalg.solve(np.array([[2 * a, b], [b, 2 * c]]), np.array([-d, -e]))
    rest = 1 + float(np.array([a, c]) @ centre**2) + b * float(centre.prod())
    roots, axes = np.linalg.eigh(np.array([[a, b / 2], [b / 2, c]]) / rest)
    radii = np.sqrt((((np.stack([x, y], axis=1) - centre) @ axes) ** 2) @ roots)
    if np.abs(radii - 1).max() > _ROUND:
        return hull
    turn = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1) / np.sqrt(roots)
    return np.asarray((circle @ axes.T + centre) * size + middle)


def _close_hull(
    walls: NDArray[np.uint8], maze: NDArray[np.bool_], hull: NDArray[np.float64], narrow: float
) -> list[Cell] | None:
    """Do so along the hull, if most of its rim is wall: seen from outside, walls begin there."""
    thickness = width_of(maze.view(np.uint8), 1)
    sides = np.hypot(*(np.roll(hull, -1, axis=0) - hull).T)
    along = np.append(0, np.cumsum(sides))
    at = np.arange(0, along[-1], 1 / 3)
    closed_hull = np.vstack([hull, hull[:1]])
    points = np.stack([np.interp(at, along, closed_hull[:, axis]) for axis in (0, 1)], axis=1)
    inwards = hull.mean(axis=0) - points
    inwards /= np.hypot(*inwards.T)[:, np.newaxis]
    depths = np.arange(-2, thickness + 2.5, 0.5)
    band = np.rint(points[:, np.newaxis] + inwards[:, np.newaxis] * depths[:, np.newaxis]).astype(np.int64)
    cols, rows = (np.clip(band[..., axis], 0, walls.shape[1 - axis] - 1) for axis in (0, 1))
    seen = maze[rows, cols]
    is_open = ~seen.any(axis=1)
    if is_open.mean() > 1 - _CLOSED:
        return None
    first = int((~is_open).argmax())
    runs = np.flatnonzero(np.diff(np.roll(is_open, -first).astype(np.int8), prepend=0, append=0))
    openings: list[Cell] = []
    for low, high in zip((runs[::2] + first).tolist(), (runs[1::2] + first).tolist(), strict=True):
        if high - low < 3 * narrow:
            is_open[np.arange(low, high) % len(is_open)] = False
        else:
            middle = (low + high) // 2 % len(is_open)
            deep = int(np.searchsorted(depths, thickness))
            openings.append((int(rows[middle, deep]), int(cols[middle, deep])))
    walls[~_inside(hull, walls.shape)] = 1
    outer = ~np.logical_or.accumulate(seen, axis=1) & ~is_open[:, np.newaxis]
    walls[rows[outer], cols[outer]] = 1
    return openings


def _inside(hull: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which places are in a convex polygon of (col, row)."""
    rows, cols = np.arange(shape[0]), np.arange(shape[1])
    ends = []
    top, bottom = int(hull[:, 1].argmin()), int(hull[:, 1].argmax())
    for way in (1, -1):
        chain = np.roll(hull[::way], -(top if way == 1 else len(hull) - 1 - top), axis=0)
        chain = chain[: 1 + (way * (bottom - top)) % len(hull)]
        ends.append(np.interp(rows, chain[:, 1], chain[:, 0]))
    low, high = np.minimum(*ends)[:, np.newaxis], np.maximum(*ends)[:, np.newaxis]
    among = (rows >= hull[top, 1]) & (rows <= hull[bottom, 1])
    return np.asarray(among[:, np.newaxis] & (cols >= low) & (cols <= high))


def _beside_blob(maze: NDArray[np.bool_], corridor: float) -> NDArray[np.bool_]:
    """Return what can be reached from the border beside walls that are joined over corridors."""
    half = round(_WIDE * corridor / 2)
    blob = greatest(np.pad(maze.view(np.uint8), 2 * half), 2 * half + 1)
    free = road_labels(np.ascontiguousarray(1 - greatest(1 - blob, 2 * half + 1)))
    border = np.unique(np.concatenate([free[0], free[-1], free[:, 0], free[:, -1]]))
    return np.isin(free, border[border > 0])


def _between(maze: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the places that have a wall on the left, on the right, above and below."""
    found = np.ones(maze.shape, np.bool_)
    for side, to in ((maze, found), (maze.T, found.T)):
        for way in (slice(None), slice(None, None, -1)):
            to[:, way] &= np.logical_or.accumulate(side[:, way], axis=1)
    return found
