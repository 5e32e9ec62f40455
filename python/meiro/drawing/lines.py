"""Lines and areas of a picture, as arrays: walls, corridors, paths."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

NEAR = 1e-6
"""Points that are closer than this are one, in cells."""

_SAGITTA = 0.004  # of a cell: how far a chord may be from its arc


class Lines(NamedTuple):
    """Lines from point to point, straight or along arcs around the origin of the lattice, the shorter way.

    Attributes
    ----------
    points : ndarray of float64, shape (k, 2)
    starts : ndarray of int64, shape (n + 1,)
        Line i has the points ``starts[i]:starts[i + 1]``; it is closed if the last is the first.
    arcs : ndarray of bool, shape (k,), or None
        Whether the step to each point is an arc.
    """

    points: NDArray[Any]
    starts: NDArray[np.int64]
    arcs: NDArray[np.bool_] | None = None


def no_lines() -> Lines:
    """Return lines of which there are none."""
    return Lines(np.empty((0, 2)), np.zeros(1, np.int64))


def broken_lines(points: NDArray[Any]) -> Lines:
    """Return points as lines that end, and begin anew, at rows of NaN."""
    gap = np.isnan(points[:, 0])
    starts = np.concatenate([[0], np.cumsum(~gap)[gap], [int((~gap).sum())]])
    return Lines(points[~gap] if gap.any() else points, starts)


def lines_between(ends: NDArray[Any], arcs: NDArray[np.bool_] | None = None) -> Lines:
    """Return lines from one end to the other, of shape (n, 2, 2); `arcs` are not straight."""
    bent = None if arcs is None else np.stack([np.zeros_like(arcs), arcs], axis=1).reshape(-1)
    return Lines(ends.reshape(-1, 2), np.arange(0, 2 * len(ends) + 1, 2), bent)


def dots_at(places: NDArray[np.float64]) -> Lines:
    """Return lines of no length."""
    return lines_between(np.stack([places, places], axis=1))


def some_lines(lines: Lines, kept: NDArray[np.bool_]) -> Lines:
    """Return some of the lines."""
    sizes = np.diff(lines.starts)
    points = np.repeat(kept, sizes)
    arcs = None if lines.arcs is None else lines.arcs[points]
    return Lines(lines.points[points], np.append(0, np.cumsum(sizes[kept])), arcs)


def with_gaps(lines: Lines) -> NDArray[Any]:
    """Return the points of lines, with a row of NaN between two: the inverse of `broken_lines`."""
    points: NDArray[Any] = lines.points
    return points if len(lines.starts) < 3 else np.insert(points, lines.starts[1:-1], np.nan, axis=0)


def pieces_of(lines: Lines, most: int) -> Iterator[Lines]:
    """Yield straight lines, about `most` points at a time; each part of a long one begins where one ends."""
    starts, first = lines.starts, 0
    while first < len(starts) - 1:
        last = max(int(np.searchsorted(starts, starts[first] + most, side="right")) - 1, first + 1)
        begin, end = int(starts[first]), int(starts[last])
        if last == first + 1 and end - begin > most:
            for at in range(begin, end - 1, most):
                points = lines.points[at : min(at + most + 1, end)]
                yield Lines(points, np.array([0, len(points)]))
        else:
            yield Lines(lines.points[begin:end], starts[first : last + 1] - begin)
        first = last


def chords(lines: Lines, cell: float) -> Lines:
    """Replace arcs by chords that a picture cannot tell from them."""
    if lines.arcs is None or not lines.arcs.any():
        return lines._replace(arcs=None)
    last = lines.points
    before = np.concatenate([last[:1], last[:-1]])
    radius = np.hypot(*last.T)
    first, to = np.arctan2(before[:, 1], before[:, 0]), np.arctan2(last[:, 1], last[:, 0])
    turn = (to - first + math.pi) % math.tau - math.pi
    same = np.hypot(*(last - before).T) < 10 * NEAR * cell
    turn[same] = math.tau
    widest = 2 * np.sqrt(2 * _SAGITTA * cell / np.maximum(radius, 2 * _SAGITTA * cell))
    counts = np.where(lines.arcs, np.ceil(np.abs(turn) / widest), 1).astype(np.int64)
    counts[lines.starts[:-1]] = 1
    number = np.repeat(np.arange(len(last)), counts)
    ends = np.cumsum(counts)
    part = (np.arange(len(number)) - np.repeat(ends - counts, counts) + 1) / counts[number]
    angle = first[number] + part * turn[number]
    points = last[number].copy()
    inner = part < 1
    points[inner] = radius[number[inner], None] * np.stack(
        [np.cos(angle[inner]), np.sin(angle[inner])], axis=1
    )
    starts = np.concatenate([[0], ends])[lines.starts]
    return Lines(points, starts)


def dots_seen(lines: Lines, cell: float) -> Lines:
    """Give a length to lines of no length, which Agg leaves out: a slanting one, as it snaps others."""
    ends = lines.starts[1:] - 1
    dots = ends[(np.diff(lines.starts) == 2) & (lines.points[ends] == lines.points[ends - 1]).all(axis=1)]
    if not len(dots):
        return lines
    points = lines.points.copy()
    points[dots] += 0.004 * cell
    return lines._replace(points=points)
