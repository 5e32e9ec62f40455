"""The outer frame of a maze in a picture: its tilt, and the picture turned upright and cut to it.

The rectangle of least area around the walls (one side of it lies on a side of their convex hull; H. Freeman,
R. Shapira, CACM 18 (1975) 409, doi:10.1145/360881.360919) says where the frame is. The tilt is then corrected
by straight lines through the outer edge of the frame, fitted to each of its four sides.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro.io.pictures.speckles import sizes_of, wall_labels
from meiro.results.picture_array import Turned

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_DEGREES = 10.0

_SMALL = 0.05  # of the largest component of walls: smaller ones are not the frame
_DEPTH = 0.05  # of a side: how far inside the rectangle the frame is looked for
_LEAST_DEPTH = 8
_SAMPLE = 2000  # rows and columns in the middle, where the width of corridors is looked at
_STRAIGHT = 0.1  # of the road, at least: neither in a turn, where both ways are long, nor where noise is
_NEAR = 2.5  # pixels: what is farther from the line than this is an opening


class Frame(NamedTuple):
    """Walls inside the frame, turned upright, and where they were."""

    walls: NDArray[np.uint8]
    turned: Turned
    angle: float
    corners: tuple[tuple[float, float], ...]


class _Edge(NamedTuple):
    """The outer edge of the frame on one side."""

    depth: float
    slope: float
    n: int
    thickness: int


def cut_to_frame(walls: NDArray[np.uint8]) -> Frame:
    """Turn walls upright and cut them to the frame; a ValueError if they are tilted too far."""
    require(8 * walls.size, "turning the picture", "leave out deskew=, or scale the picture down")
    hull = _hull(_outer_pixels(walls))
    angle = _least_rectangle(hull)
    for _ in range(2):
        _check(angle)
        turned, shape = _rectangle(hull, angle)
        edges = _edges(_upright(walls, turned, shape))
        n = sum(edge.n for edge in edges)
        tilt = sum(sign * edge.n * edge.slope for sign, edge in zip((1, 1, -1, -1), edges, strict=True)) / n
        angle += math.degrees(math.atan(tilt))
    _check(angle)
    turned, shape = _rectangle(hull, angle)
    upright = _upright(walls, turned, shape)
    edges = _edges(upright)
    top, right, bottom, left = (round(edge.depth) for edge in edges)
    inside = np.ascontiguousarray(upright[top : shape[0] - bottom, left : shape[1] - right])
    if min(inside.shape) < 3:
        msg = "the picture has no frame: walls around the maze, with openings"
        raise ValueError(msg)
    _close_gaps(inside, [edge.thickness for edge in edges])
    origin = turned.in_picture(np.array([[top, left]]))[0]
    turned = turned._replace(origin=(float(origin[0]), float(origin[1])))
    height, width = inside.shape
    ends = turned.in_picture(np.array([[0, 0], [0, width - 1], [height - 1, width - 1], [height - 1, 0]]))
    corners = tuple((round(row, 1), round(col, 1)) for row, col in ends.tolist())
    return Frame(inside, turned, angle, corners)


def _check(angle: float) -> None:
    if abs(angle) > MOST_DEGREES:
        msg = (
            f"deskew: the frame is tilted by {angle:.1f} degrees, more than {MOST_DEGREES:g}: turn the "
            "picture first, or give deskew=False"
        )
        raise ValueError(msg)


def _outer_pixels(walls: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the first and the last wall pixel of each row, (col, row), of the large components."""
    labels = wall_labels(walls)
    sizes = sizes_of(walls, labels, 1)
    if not sizes.any():
        msg = "deskew: the picture has no wall, and so no frame: give another threshold="
        raise ValueError(msg)
    large = sizes >= _SMALL * sizes.max()
    part = large[labels] & (walls == 1)
    rows = np.flatnonzero(part.any(axis=1))
    ends = part.argmax(axis=1), part.shape[1] - 1 - part[:, ::-1].argmax(axis=1)
    found = np.concatenate([np.stack([cols[rows], rows], axis=1) for cols in ends])
    return found[np.lexsort((found[:, 1], found[:, 0]))]


def _hull(points: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the corners of the convex hull of points in order: A. M. Andrew's monotone chain."""
    hull: list[tuple[int, int]] = []
    for line in (points.tolist(), points[::-1].tolist()):
        chain: list[tuple[int, int]] = []
        for x, y in line:
            while len(chain) > 1:
                (x0, y0), (x1, y1) = chain[-2:]
                if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0:
                    break
                chain.pop()
            chain.append((x, y))
        hull += chain[:-1]
    return np.array(hull or points[:1], np.float64)


def _least_rectangle(hull: NDArray[np.float64]) -> float:
    """Return the tilt in degrees, from -45 to 45, of the rectangle of least area around a hull."""
    across, down = (np.roll(hull, -1, axis=0) - hull).T
    angles = (np.arctan2(down, across) + np.pi / 4) % (np.pi / 2) - np.pi / 4
    sides = [
        np.ptp(hull @ np.stack(axis), axis=0)
        for axis in ((np.cos(angles), np.sin(angles)), (-np.sin(angles), np.cos(angles)))
    ]
    return math.degrees(angles[int((sides[0] * sides[1]).argmin())])


def _rectangle(hull: NDArray[np.float64], angle: float) -> tuple[Turned, tuple[int, int]]:
    """Return the rectangle around the hull that is tilted by an angle, and its height and width."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    placed = Turned(cos=cos, sin=sin).in_array(hull[:, ::-1])
    least, most = np.floor(placed.min(axis=0)), np.ceil(placed.max(axis=0))
    origin = Turned(cos=cos, sin=sin).in_picture(least[np.newaxis])[0].tolist()
    height, width = (most - least + 1).astype(int).tolist()
    return Turned((origin[0], origin[1]), cos, sin), (height, width)


def _upright(walls: NDArray[np.uint8], turned: Turned, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return the nearest pixel of each site; what is outside of the picture is road."""
    out = np.zeros(shape, np.uint8)
    cols = np.arange(shape[1])
    for band in bands(*shape):
        rows = np.arange(band.start, band.stop)[:, np.newaxis]
        down = np.rint(turned.origin[0] + rows * turned.cos + cols * turned.sin).astype(np.int64)
        across = np.rint(turned.origin[1] - rows * turned.sin + cols * turned.cos).astype(np.int64)
        inside = (down >= 0) & (down < walls.shape[0]) & (across >= 0) & (across < walls.shape[1])
        out[band][inside] = walls[down[inside], across[inside]]
    return out


def _edges(upright: NDArray[np.uint8]) -> list[_Edge]:
    """Return the outer edge of the frame at the top, on the right, at the bottom and on the left."""
    return [_edge(side) for side in (upright, upright.T[::-1], upright[::-1], upright.T)]


def _edge(side: NDArray[np.uint8]) -> _Edge:
    """Fit a straight line to the first walls from above."""
    strip = side[: max(_LEAST_DEPTH, int(_DEPTH * len(side)))]
    at = np.flatnonzero(strip.any(axis=0)).astype(np.float64)
    first = strip.argmax(axis=0)[at.astype(np.int64)].astype(np.float64)
    near = np.abs(first - np.median(first)) <= max(_NEAR, len(strip) / 2)
    slope, middle = 0.0, float(np.median(first))
    for _ in range(3):
        x, y = at[near], first[near]
        if len(x) > 1:
            mean = x.mean()
            slope = float(((x - mean) * (y - y.mean())).sum() / ((x - mean) ** 2).sum())
            middle = float(np.median(y - slope * (x - mean)))
            near = np.abs(first - middle - slope * (at - mean)) <= _NEAR
    columns = at[near].astype(np.int64)
    runs = [
        int(strip[row:, col].argmin()) or len(strip) - row
        for row, col in zip(first[near].astype(int).tolist(), columns.tolist(), strict=True)
    ]
    return _Edge(middle, slope, len(columns), int(np.median(runs)) if runs else 1)


def _close_gaps(walls: NDArray[np.uint8], thickness: list[int]) -> None:
    """Make the border a wall where the frame has one, and where a gap is narrower than half a corridor."""
    least = _corridor(walls) / 2
    for side, thick in zip((walls, walls.T[::-1], walls[::-1], walls.T), thickness, strict=True):
        line: NDArray[np.bool_] = np.any(side[: 1 + max(3 * thick // 4, 2)], axis=0)
        ends = np.flatnonzero(np.diff(line, prepend=True, append=True))
        for first, last in zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True):
            if last - first < least:
                line[first:last] = True
        side[0] = line


def _corridor(walls: NDArray[np.uint8]) -> float:
    """Return how wide straight corridors are: the shorter way between walls, along rows or columns."""
    rows, cols = (max(0, (side - _SAMPLE) // 2) for side in walls.shape)
    part = walls[rows : rows + _SAMPLE, cols : cols + _SAMPLE] == 0
    if not part.any():
        return 0.0
    return float(np.quantile(np.minimum(_runs(part), _runs(part.T).T)[part], _STRAIGHT))


def _runs(road: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the length of the run of road along its row in which each pixel lies; 0 in walls."""
    ends = np.flatnonzero(np.diff(np.pad(road, ((0, 0), (1, 1))).reshape(-1).view(np.int8)))
    lengths = (ends[1::2] - ends[::2]).astype(np.int32)
    out = np.zeros(road.shape, np.int32)
    out[road] = np.repeat(lengths, lengths)
    return out
