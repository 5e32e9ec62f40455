"""The outer frame of a maze in a photograph: four straight lines, found in any light and from any side.

1. In a reduced picture, lines that are darker than the paper are walls (`light`). Components of walls are
   candidates: those inside the picture, all, and all but the largest, which may be a table or a sheet.
2. The convex hull of a candidate is simplified to four lines (edges are taken out by the least area that the
   neighbours then enclose). A hull that has no four sides is not a frame: see `outline`.
3. In the picture itself, each line is fitted to where walls begin, seen from outside.

The corners give the projective transform: P. S. Heckbert, Fundamentals of Texture Mapping and Image Warping
(1989), section 2.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.polygon import twice_area
from meiro.io.pictures.light import reduced, walls_of, without_noise
from meiro.io.pictures.speckles import sizes_of, wall_labels
from meiro.results.picture_array import Perspective

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_LONGEST = 1000  # of the reduced picture
_SMALL = 0.05  # of the largest component: smaller ones are not the frame
_SQUARE = 1.1  # of the area of the hull: a larger one has no four sides
_LEAST_PIXELS = 8  # of a side of the frame, in the reduced picture
_NEAR = 1.5  # pixels: what is farther from a line than this, and most of what is near, is an opening
_LONG, _BESIDE = 0.2, 0.5  # of the longer side of a hull: lines that may be of the maze, and how far away
_SHEET = 0.9  # of each side, at least, is the edge of a sheet
_COVERED = 0.6  # of each side, at least, is wall


class Frame(NamedTuple):
    """Where the frame is.

    Attributes
    ----------
    perspective : Perspective
    shape : (int, int)
    bright : bool
        Whether walls are brighter than roads.
    covered : float
        The share of its sides that is wall, of the side with the least.
    hull : ndarray of float64, shape (n, 2)
        Around the walls, (col, row).
    alone : bool
        Whether no other long line is near.
    """

    perspective: Perspective
    shape: tuple[int, int]
    bright: bool
    covered: float
    hull: NDArray[np.float64]
    alone: bool

    @property
    def straight(self) -> bool:
        """Whether each of its four sides is wall, nearly."""
        return self.covered >= _COVERED

    @property
    def corners(self) -> NDArray[np.float64]:
        """Those of the pixels at the corners, (row, col) in the picture, from the top left one clockwise."""
        height, width = self.shape
        ends = [[0, 0], [0, width - 1], [height - 1, width - 1], [height - 1, 0]]
        return self.perspective.in_picture(np.array(ends))


def frames(values: NDArray[Any], full: float, kinds: tuple[bool, ...] = (False, True)) -> Iterator[Frame]:
    """Yield what may be frames: of dark walls first; those that are no quadrangle have a share of 0."""
    small, side = reduced(values, _LONGEST, full)
    small, noise = without_noise(small)
    for bright in kinds:
        seen: list[NDArray[np.float64]] = []
        for hull, alone in _hulls(walls_of(1 - small if bright else small, noise)):
            placed = (hull + 0.5) * side - 0.5
            if any(np.array_equal(placed, other) for other in seen):
                continue
            seen.append(placed)
            frame = Frame(Perspective(), (0, 0), bright, 0.0, placed, alone)
            yield _fitted_frame(values, full, frame, side)


def frames_on_paper(values: NDArray[Any], full: float) -> Iterator[Frame]:
    """Yield the frames of a picture with a margin of paper around it."""
    margin = max(values.shape) // 16 + 4
    away = np.array([[1.0, 0, -margin], [0, 1, -margin], [0, 0, 1]])
    for frame in frames(np.pad(values, margin, constant_values=full), full):
        yield _moved(frame, away)


def frames_on_sheets(values: NDArray[Any], full: float) -> Iterator[Frame]:
    """Yield the frames on bright sheets of paper, which lie on a table with a pattern."""
    for sheet in frames(values, full, (True,)):
        edge = min(sheet.shape) // 40 + 2
        if sheet.covered < _SHEET or min(sheet.shape) < 4 * edge:
            continue
        seen = viewed(values, sheet.perspective, sheet.shape)[edge:-edge, edge:-edge]
        matrix = np.array(sheet.perspective.matrix) @ [[1, 0, edge], [0, 1, edge], [0, 0, 1]]
        for frame in frames(seen, full, (False,)):
            yield _moved(frame, matrix)


def _moved(frame: Frame, matrix: NDArray[np.float64]) -> Frame:
    """Return a frame as it lies in the picture that the matrix leads to, as that of a `Perspective` does."""
    outer, both = (
        Perspective(tuple(map(tuple, one.tolist()))) for one in (matrix, matrix @ frame.perspective.matrix)
    )
    return frame._replace(perspective=both, hull=outer.in_picture(frame.hull[:, ::-1])[:, ::-1])


def _hulls(walls: NDArray[np.uint8]) -> Iterator[tuple[NDArray[np.float64], bool]]:
    """Yield the convex hulls of what may be the walls of a maze, and whether no other long line is near."""
    labels = wall_labels(walls)
    sizes = sizes_of(walls, labels, 1)
    rows, cols = np.nonzero(walls)
    of = labels[rows, cols]
    least = np.full((len(sizes), 2), 1 << 30)
    most = np.full((len(sizes), 2), -1)
    for axis, at in enumerate((rows, cols)):
        np.minimum.at(least[:, axis], of, at)
        np.maximum.at(most[:, axis], of, at)
    extent = np.where(sizes > 0, np.prod(np.maximum(most - least + 1, 0), axis=1, dtype=np.float64), 0)
    inside = (least > 0).all(axis=1) & (most < np.array(walls.shape) - 1).all(axis=1)
    every = sizes > 0
    for allowed in (every & inside, every, every & (np.arange(len(sizes)) != extent.argmax())):
        for near in (1, 2, 0) if allowed.any() else ():
            chosen = _together(np.where(allowed, extent, 0), np.where(allowed, sizes, 0), least, most, near)
            kept = chosen[of]
            if np.count_nonzero(kept) > _LEAST_PIXELS:
                hull = _hull(rows[kept], cols[kept])
                low, high = hull.min(axis=0)[::-1], hull.max(axis=0)[::-1]
                longest = (high - low).max()
                if (high - low).min() >= _LEAST_PIXELS:
                    long = every & inside & ((most - least).max(axis=1) >= _LONG * longest) & ~chosen
                    away = np.maximum(least - high, low - most).max(axis=1)
                    yield hull, not (long & (away <= _BESIDE * longest)).any()


def _together(
    extent: NDArray[np.float64],
    sizes: NDArray[np.int64],
    least: NDArray[Any],
    most: NDArray[Any],
    near: float,
) -> NDArray[np.bool_]:
    """Return the component of the largest box, those whose boxes overlap it, and long ones that are near."""
    chosen = np.zeros(len(sizes), np.bool_)
    chosen[extent.argmax()] = True
    large = sizes >= _SMALL * sizes[chosen].max()
    while True:
        low, high = least[chosen].min(axis=0), most[chosen].max(axis=0)
        longest = max(1, (high - low).max())
        share = (most - least).max(axis=1) / longest
        gap = near * np.select([share >= 0.5, share >= 0.2], [0.2, 0.04], 0)[:, np.newaxis] * longest
        beside = large & (least <= high + gap).all(axis=1) & (most >= low - gap).all(axis=1) & (sizes > 0)
        if not (beside & ~chosen).any():
            return chosen
        chosen |= beside


def _hull(rows: NDArray[np.int64], cols: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the corners (col, row) of the convex hull of pixels: A. M. Andrew's monotone chain."""
    order = np.lexsort((rows, cols))
    x, y = cols[order], rows[order]
    first = np.flatnonzero(np.diff(x, prepend=-1))
    last = np.append(first[1:], len(x)) - 1
    ends = np.unique(np.concatenate([first, last]))
    points = np.stack([x[ends], y[ends]], axis=1)
    hull: list[tuple[int, int]] = []
    for line in (points.tolist(), points[::-1].tolist()):
        chain: list[tuple[int, int]] = []
        for x1, y1 in line:
            while len(chain) > 1:
                (x2, y2), (x3, y3) = chain[-2:]
                if (x3 - x2) * (y1 - y2) - (y3 - y2) * (x1 - x2) > 0:
                    break
                chain.pop()
            chain.append((x1, y1))
        hull += chain[:-1]
    return np.array(hull, np.float64)


def _quadrangle(hull: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return the four corners that are left when edges are taken out, each by the least area; or None."""
    points = [*hull]
    while len(points) > 4:
        best: tuple[float, int, NDArray[np.float64]] | None = None
        for i in range(len(points)):
            before, first, second, after = (points[(i + k) % len(points)] for k in (-1, 0, 1, 2))
            met = _meeting(before, first, after, second)
            if met is not None:
                added = abs(float(np.linalg.det(np.stack([second - first, met - first])))) / 2
                if best is None or added < best[0]:
                    best = added, i, met
        if best is None:
            return None
        _, i, met = best
        points[i] = met
        del points[(i + 1) % len(points)]
    return np.array(points) if len(points) == 4 else None


def _meeting(
    before: NDArray[np.float64], first: NDArray[np.float64], after: NDArray[np.float64], second: NDArray[Any]
) -> NDArray[np.float64] | None:
    """Return where two lines meet, beyond `first` and `second`; or None."""
    ways = np.stack([first - before, after - second], axis=1)
    if abs(np.linalg.det(ways)) < 1e-9:
        return None
    along, back = np.linalg.solve(ways, after - before)
    return np.asarray(before + along * ways[:, 0]) if along >= 1 - 1e-9 and back >= 1 - 1e-9 else None


def _fitted_frame(values: NDArray[Any], full: float, frame: Frame, side: int) -> Frame:
    """Fit a frame to its hull; without a quadrangle it stays as it is."""
    corners = _quadrangle(frame.hull)
    if corners is None or abs(twice_area(corners)) > _SQUARE * abs(twice_area(frame.hull)):
        return frame
    corners = _from_the_top_left(corners)
    middle = corners.mean(axis=0)
    corners = corners + np.sign(corners - middle) * side / 2  # from the middles of pixels to their edges
    covered = 0.0
    for depth in (0.02, 0.01, 0.01):
        shape = _shape(corners)
        if min(shape) < 3:
            return frame
        reach = max(depth * max(shape), 2.0 * side, 4)
        fitted = _fitted(values, full, corners, shape, reach, bright=frame.bright)
        if fitted is None:
            return frame
        corners, covered = fitted
    shape = _shape(corners)
    covered = covered if min(shape) > 2 else 0.0
    return frame._replace(perspective=placed(corners, shape), shape=shape, covered=covered)


def _from_the_top_left(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return corners, clockwise as those of a hull, from the one after which the edge leads to the right."""
    across, down = (np.roll(corners, -1, axis=0) - corners).T
    return np.roll(corners, -int((across / np.hypot(across, down)).argmax()), axis=0)


def _shape(corners: NDArray[np.float64]) -> tuple[int, int]:
    top, right, bottom, left = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T).tolist()
    return round((left + right) / 2), round((top + bottom) / 2)


def placed(corners: NDArray[np.float64], shape: tuple[int, int]) -> Perspective:
    """Return the transform of an array whose outer corners are at (col, row) of a picture."""
    height, width = shape
    ends = [(-0.5, -0.5), (-0.5, width - 0.5), (height - 0.5, width - 0.5), (height - 0.5, -0.5)]
    lines, right = [], []
    for (row, col), (x, y) in zip(ends, corners.tolist(), strict=True):
        lines += [[row, col, 1, 0, 0, 0, -row * y, -col * y], [0, 0, 0, row, col, 1, -row * x, -col * x]]
        right += [y, x]
    found = [*np.linalg.solve(np.array(lines), np.array(right)).tolist(), 1.0]
    return Perspective((tuple(found[:3]), tuple(found[3:6]), tuple(found[6:])))


def _fitted(
    values: NDArray[Any],
    full: float,
    corners: NDArray[np.float64],
    shape: tuple[int, int],
    depth: float,
    *,
    bright: bool,
) -> tuple[NDArray[np.float64], float] | None:
    """Return the corners where lines through the outer edge of walls meet, and the least share of a side."""
    height, width = shape
    view = placed(corners, shape)
    ends = np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)])
    lines, shares = [], []
    for i in range(4):
        first, second = ends[i], ends[(i + 1) % 4]
        along = (second - first) / np.abs(second - first).sum()
        inwards = np.array([-along[1], along[0]])
        n = int(np.abs(second - first).sum())
        steps = np.arange(-int(depth), int(depth) + 1) + 0.5
        at = first + along * (np.arange(n) + 0.5)[:, np.newaxis]
        points = at[:, np.newaxis] + inwards * steps[:, np.newaxis]
        at = view.in_picture(points.reshape(-1, 2)[:, ::-1])
        seen = sampled(values, at) / np.float32(full)
        seen = 1 - seen if bright else seen
        seen[((at < -0.5) | (at > np.array(values.shape) - 0.5)).any(axis=1)] = 1  # paper goes on
        where, edge = _crossings(seen.reshape(n, len(steps)))
        if len(where) < 2:
            return None
        slope, offset, share = _line(where + 0.5, edge - int(depth), n)
        lines.append((first + inwards * offset, along + inwards * slope))
        shares.append(share)
    met = []
    for i in range(4):
        (p, d), (q, e) = lines[i - 1], lines[i]
        ways = np.stack([d, -e], axis=1)
        if abs(np.linalg.det(ways)) < 0.1:
            return None
        met.append(p + np.linalg.solve(ways, q - p)[0] * d)
    return view.in_picture(np.array(met)[:, ::-1])[:, ::-1], min(shares)


def _crossings(strips: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return in which strips a wall begins, and where: half-way from bright to dark, nearest the middle."""
    dark, bright = strips.min(axis=1), strips.max(axis=1)
    contrast = bright - dark
    limit = ((bright + dark) / 2)[:, np.newaxis]
    begins = (strips[:, :-1] >= limit) & (strips[:, 1:] < limit)
    known = (contrast >= 0.4 * np.quantile(contrast, 0.75)) & begins.any(axis=1)
    away = np.abs(np.arange(1, strips.shape[1]) - strips.shape[1] / 2)
    where = np.flatnonzero(known)
    at = np.where(begins[where], away, np.inf).argmin(axis=1)
    before, after = strips[where, at], strips[where, at + 1]
    return where, at + 0.5 + (before - limit[where, 0]) / np.maximum(before - after, 1e-9)


def _line(x: NDArray[Any], y: NDArray[Any], n: int) -> tuple[float, float, float]:
    """Fit a line robustly: its slope, where it begins, and the share of `n` places that lie on it."""
    slope, offset = 0.0, float(np.median(y))
    third = max(1, len(x) // 3)
    low, high = float(np.median(y[:third])), float(np.median(y[-third:]))
    run = float(np.median(x[-third:]) - np.median(x[:third]))
    if run > 0:
        slope = (high - low) / run
        offset = float(np.median(y - slope * x))
    for _ in range(5):
        away = np.abs(y - slope * x - offset)
        near = away <= max(_NEAR, 2 * float(np.median(away)))  # at least two
        mean, level = x[near].mean(), y[near].mean()
        spread = ((x[near] - mean) ** 2).sum()
        slope = float(((x[near] - mean) * (y[near] - level)).sum() / spread) if spread else 0.0
        offset = float(level - slope * mean)
    on = np.abs(y - slope * x - offset) <= max(2 * _NEAR, 0.01 * n)
    return slope, offset, float(np.count_nonzero(on)) / n


def sampled(values: NDArray[Any], at: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return values at places (row, col) of a picture, bilinearly; outside of it those at its edge."""
    height, width = values.shape
    row = np.clip(at[:, 0], 0, height - 1)
    col = np.clip(at[:, 1], 0, width - 1)
    top, left = (
        np.minimum(row.astype(np.int64), max(height - 2, 0)),
        np.minimum(col.astype(np.int64), max(width - 2, 0)),
    )
    down, across = (row - top).astype(np.float32), (col - left).astype(np.float32)
    below, right = np.minimum(top + 1, height - 1), np.minimum(left + 1, width - 1)
    upper = values[top, left] * (1 - across) + values[top, right] * across
    lower = values[below, left] * (1 - across) + values[below, right] * across
    return np.asarray(upper * (1 - down) + lower * down, np.float32)


def viewed(
    values: NDArray[Any], perspective: Perspective, shape: tuple[int, int], *, nearest: bool = False
) -> NDArray[Any]:
    """Return what an array of a shape shows of a picture, bilinearly or the nearest pixels."""
    out = np.empty(shape, values.dtype if nearest or values.dtype.kind == "u" else np.float32)
    cols = np.arange(shape[1])
    for band in bands(*shape):
        rows = np.arange(band.start, band.stop)[:, np.newaxis]
        down, across, far = (x * rows + (y * cols + z) for x, y, z in perspective.matrix)
        at = np.stack([down / far, across / far], axis=-1).reshape(-1, 2)
        if nearest:
            row, col = np.rint(at).astype(np.int64).T
            part = values[np.clip(row, 0, values.shape[0] - 1), np.clip(col, 0, values.shape[1] - 1)]
        else:
            part = sampled(values, at)
            if values.dtype.kind == "u":
                part = np.rint(part)
        out[band] = part.reshape(len(rows), -1)
    return out
