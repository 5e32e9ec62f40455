"""Rings around a cell in the middle: a circular maze."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.validation import integer
from meiro.lattices._tiling import require_size, size
from meiro.lattices.lattice import Lattice, Outline, make_lattice

if TYPE_CHECKING:
    from numpy.typing import NDArray


def polar(rings: int, first: int = 6) -> Lattice:
    """Make a lattice of rings around one cell in the middle.

    A ring is 1 wide. It has as many cells as the ring inside it, or twice as many where the cells would be
    wider than 10/7: then two cells lie outside of each.

    Parameters
    ----------
    rings : int
        The rings around the middle.
    first : int
        The cells of the first ring, 3 at least.

    Returns
    -------
    Lattice
        Cell 0 is in the middle; then the rings, each clockwise from the top. Edges ring by ring: first those
        to the ring inside, one for each cell, then those to the next cell of the ring.

    References
    ----------
    J. Buck, Mazes for Programmers (2015), ch. 7

    Examples
    --------
    >>> meiro.lattices.polar(4)
    <Lattice polar: 67 cells, 132 edges>
    """
    rings, first = size(rings, "rings"), integer(first, "first", 3, 1 << 20)
    counts = cells_of_rings(rings, first)
    require_size("polar", sum(counts), 2 * sum(counts))
    begins = np.append(0, np.cumsum(counts))
    edges, walls, arcs, middles = [], [], [], [np.zeros((1, 2))]
    for band, n in _bands(counts):  # a row of each array is a ring
        cells = begins[band] + np.arange(n)
        inside = begins[band - 1] + np.arange(n) * np.take(counts, band - 1) // n
        inward = np.stack([inside, cells], axis=-1)
        around = np.stack([cells, np.roll(cells, -1, axis=1)], axis=-1)
        edges.append(np.stack([inward, around], axis=1).reshape(-1, 2))
        points, outer = _circle(band, n), _circle(band + 1, n)
        arc = np.stack([points, np.roll(points, -1, axis=1)], axis=2)
        spoke = np.roll(np.stack([points, outer], axis=2), -1, axis=1)
        walls.append(np.stack([arc, spoke], axis=1).reshape(-1, 2, 2))
        arcs.append(np.tile(np.repeat([True, False], n), len(band)))
        middles.append(_circle(band + 0.5, n, 0.5).reshape(-1, 2))
    last = _circle(rings + 1, counts[-1])
    rim = np.stack([last, np.roll(last, -1, axis=0)], axis=1)
    rim_cells = (begins[rings] + np.arange(counts[-1])).astype(np.int32)
    outline = Outline(
        *_polygons(counts),
        np.concatenate(walls),
        rim,
        rim_cells,
        np.concatenate(arcs),
        np.ones(len(rim), np.bool_),
    )
    return make_lattice(
        sum(counts),
        np.concatenate(edges),
        name="polar",
        recipe={"rings": rings, "first": first},
        positions=np.concatenate(middles),
        outline=outline,
        straight=_straight(counts),
    )


def cells_of_rings(rings: int, first: int) -> list[int]:
    """Return the number of cells of each ring, 1 in the middle."""
    counts = [1, first]
    for ring in range(2, rings + 1):
        wide = 44 * ring >= 10 * counts[-1]  # 2 pi ring / n >= 10 / 7, with pi = 22 / 7
        counts.append(counts[-1] * (2 if wide else 1))
        if counts[-1] > 1 << 31:
            break  # refused by its size
    return counts


def _bands(counts: list[int]) -> list[tuple[NDArray[np.int64], int]]:
    """Return the rings of as many cells each, as a column, and these cells."""
    begins = [*(np.flatnonzero(np.diff(counts)) + 1).tolist(), len(counts)]
    return [(np.arange(begin, end)[:, np.newaxis], counts[begin]) for begin, end in pairwise(begins)]


def _circle(radius: float | NDArray[Any], n: int, shift: float = 0.0) -> NDArray[np.float64]:
    """Return n points on a circle, clockwise from the top; a row for each of a column of radii."""
    turns = (np.arange(n) + shift) * (2 * math.pi / n)
    return np.stack([radius * np.sin(turns), -radius * np.cos(turns)], axis=-1)


def _polygons(counts: list[int]) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Return corners and polygons whose arcs are made of short segments, 60 or more a circle."""
    corners: list[NDArray[Any]] = []
    polygons: list[NDArray[Any]] = []
    begin, before, before_n = 0, 0, 0
    for ring, n in enumerate(counts):
        outer = counts[ring + 1] if ring + 1 < len(counts) else n
        points = outer * -(-60 // outer)
        corners.append(_circle(ring + 1, points))
        own = points // n
        out = begin + (np.arange(n)[:, np.newaxis] * own + np.arange(own + 1)) % points
        if ring == 0:
            polygons.append(out[:, :-1])
        else:
            own = before_n // n
            inside = before + (np.arange(n)[:, np.newaxis] * own + np.arange(own + 1)) % before_n
            polygons.append(np.concatenate([out, inside[:, ::-1]], axis=1))
        before, before_n, begin = begin, points, begin + points
    sizes = np.concatenate([np.full(len(each), each.shape[1]) for each in polygons])
    indices = np.concatenate([each.reshape(-1) for each in polygons])
    return np.concatenate(corners), np.append(0, np.cumsum(sizes)), indices


def _straight(counts: list[int]) -> NDArray[np.int32]:
    """Return the steps that go straight on: around a ring, and in and out where one cell is behind one."""
    parts, first = [], 0
    for band, n in _bands(counts):
        inward = first + 2 * n * np.arange(len(band))[:, np.newaxis] + np.arange(n)
        around = inward + n
        on = np.full((len(band), 2, n, 2), -1, np.int32)
        on[:, 1, :, 0] = 2 * np.roll(around, -1, axis=1)
        on[:, 1, :, 1] = 2 * np.roll(around, 1, axis=1) + 1
        on[:-1, 0, :, 0] = 2 * inward[1:]  # out, to the next ring
        on[1:, 0, :, 1] = 2 * inward[:-1] + 1
        if first == 0 and n % 2 == 0:
            on[0, 0, :, 1] = 2 * np.roll(inward[0], n // 2)  # through the middle
        parts.append(on.reshape(-1, 2))
        first += 2 * inward.size
    return np.concatenate(parts)
