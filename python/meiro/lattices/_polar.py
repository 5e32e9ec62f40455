"""Rings around a cell in the middle: a circular maze."""

from __future__ import annotations

import math
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
    begins = np.append([0, 1], 1 + np.cumsum(counts[1:])).tolist()
    edges, walls, arcs = [], [], []
    for ring in range(1, rings + 1):
        n, inner = counts[ring], counts[ring - 1]
        cells = begins[ring] + np.arange(n)
        inside = begins[ring - 1] + np.arange(n) * inner // n
        edges += [np.stack([inside, cells], axis=1), np.stack([cells, np.roll(cells, -1)], axis=1)]
        points = _circle(ring, n)
        outer = _circle(ring + 1, n)
        walls += [
            np.stack([points, np.roll(points, -1, axis=0)], axis=1),
            np.roll(np.stack([points, outer], axis=1), -1, axis=0),
        ]
        arcs += [np.ones(n, np.bool_), np.zeros(n, np.bool_)]
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
    middles = [np.zeros((1, 2))]
    middles += [_circle(ring + 0.5, counts[ring], 0.5) for ring in range(1, rings + 1)]
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


def _circle(radius: float, n: int, shift: float = 0.0) -> NDArray[np.float64]:
    """Return n points on a circle, clockwise from the top."""
    turns = (np.arange(n) + shift) * (2 * math.pi / n)
    return np.stack([radius * np.sin(turns), -radius * np.cos(turns)], axis=1)


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
    for ring, n in enumerate(counts[1:], 1):
        inward = first + np.arange(n)
        around = inward + n
        on = np.full((2 * n, 2), -1, np.int32)
        on[n:, 0] = 2 * np.roll(around, -1)
        on[n:, 1] = 2 * np.roll(around, 1) + 1
        if ring + 1 < len(counts) and counts[ring + 1] == n:
            on[:n, 0] = 2 * (inward + 2 * n)  # out, to the next ring
        if ring > 1 and counts[ring - 1] == n:
            on[:n, 1] = 2 * (inward - 2 * n) + 1
        if ring == 1 and n % 2 == 0:
            on[:n, 1] = 2 * np.roll(inward, n // 2)  # through the middle
        parts.append(on)
        first += 2 * n
    return np.concatenate(parts)
