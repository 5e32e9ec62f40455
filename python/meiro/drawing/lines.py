"""Lines and areas of a picture, as arrays: walls, corridors, paths; and walls of a thickness.

The outlines of these, closed lines around them, are what lasers and mills cut, and meshes raise.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.interruptible import interruptible
from meiro._utils.memory import require
from meiro._utils.messages import requires_extra
from meiro.mazes._outside import outside_sites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from meiro.mazes.maze import Maze

NEAR = 1e-6
"""Points that are closer than this are one, in cells."""

_SAGITTA = 0.004  # of a cell: how far a chord may be from its arc
GRID = 1e-5
"""Places on lattices are rounded to it, in cells."""

MITRE = 2.0
"""How far corners may be from the ends of their walls, in halves of a width."""

_MEMORY = 600  # bytes a cell
_MEMORY_ON_LATTICES = 8000  # bytes a line


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
    """Return an empty set of lines."""
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
    if kept.all():
        return lines
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


def square_outlines(maze: Maze, width: float) -> Lines:
    """Return the boundary of the walls of a maze, in cells, y down; holes come before what is around them.

    Walls are those of `meiro.drawing.raster.wall_segments`, with square ends, `width` cells wide. No two
    lines touch, and lines have points where they turn only.

    Examples
    --------
    >>> outer, inner = meiro.drawing.lines.square_outlines(meiro.Maze([[0]]), 0.25).points.reshape(2, 5, 2)
    >>> outer.tolist()
    [[0.125, 0.125], [0.875, 0.125], [0.875, 0.875], [0.125, 0.875], [0.125, 0.125]]
    >>> inner.tolist()
    [[-0.125, -0.125], [1.125, -0.125], [1.125, 1.125], [-0.125, 1.125], [-0.125, -0.125]]
    """
    require(_MEMORY * maze.passages.size, f"the outlines of {maze!r}", "crop() it")
    around = np.pad(maze.to_grid(), 1)
    sites = around[1:-1, 1:-1]
    if maze.mask is not None:
        sites[outside_sites(maze.mask, maze.wrap)] = 0
    doors = (around[:-2, 1:-1] | around[2:, 1:-1] | around[1:-1, :-2] | around[1:-1, 2:])[::2, ::2]
    sites[::2, ::2] &= doors  # a post at which no wall ends is not drawn
    # Of the four sites around a corner two that touch there only are never walls, as the post between them is
    # one: so lines turn where one or three are walls, and run from each second turn of a line to the next.
    corners = (around[:-1, :-1] + around[:-1, 1:] + around[1:, :-1] + around[1:, 1:]) & 1
    row, col = np.nonzero(corners)
    by_column = np.lexsort((row, col))
    down = np.empty(len(row), np.int64)
    down[by_column[::2]], down[by_column[1::2]] = by_column[1::2], by_column[::2]
    order, counts = _loops(down.tolist())
    corner = np.stack([col, row], axis=1)[order]
    points = corner // 2 + (corner % 2 - 0.5) * width
    return Lines(points, np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]))


def _loops(down: list[int]) -> tuple[list[int], list[int]]:
    """Return turns in the order of lines, and how many each has, the first one twice.

    Turn i is joined to ``i ^ 1`` in its row, and to ``down[i]`` in its column.
    """
    seen = bytearray(len(down))
    loops = []
    for first in range(0, len(down), 2):
        loop, at = [], first
        while not seen[at]:
            seen[at] = seen[at ^ 1] = 1
            loop += [at, at ^ 1]
            at = down[at ^ 1]
        if loop:
            loops.append([*loop, first])
    loops.reverse()  # the first turn of a hole is below that of the line around it
    return [at for loop in loops for at in loop], [len(loop) for loop in loops]


def lattice_outlines(walls: Lines, width: float, cell: float) -> Lines:
    """Return the boundary of straight walls with square ends, in their units; needs the extra ``maps``."""
    require(_MEMORY_ON_LATTICES * len(walls.starts), "the outlines of walls", "leave out wall=")
    with requires_extra("maps", "shapely"):
        import shapely
    solid = interruptible(lambda check: thickened(walls, width, cell, check))
    parts = shapely.get_parts(solid)
    rings = [ring for part in parts for ring in (*part.interiors, part.exterior)]
    points, of = shapely.get_coordinates(rings, return_index=True)
    return Lines(points, np.concatenate([[0], np.cumsum(np.bincount(of, minlength=len(rings)))]))


def thickened(walls: Lines, width: float, cell: float, check: Callable[[], None]) -> Any:
    """Return the union of straight walls with square ends, as a geometry of shapely."""
    import shapely

    of = np.repeat(np.arange(len(walls.starts) - 1), np.diff(walls.starts))
    ways = shapely.linestrings(walls.points, indices=of)
    thick = shapely.buffer(ways, width / 2, cap_style="square", join_style="mitre", mitre_limit=MITRE)
    check()
    solid = shapely.set_precision(shapely.union_all(thick), GRID * cell)
    check()
    return solid
