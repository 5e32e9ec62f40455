"""What is drawn of a frame of a trace on a lattice: areas and strokes that take the colours of places.

The shapes are the same in all frames; only the colours change. Lengths are in units of the lattice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro.drawing.graph_outline import (
    CLOSED,
    CORRIDOR,
    DOT_WIDTH,
    PASSAGE,
    Lines,
    Plane,
    chords,
    more_walls,
    stairs,
)
from meiro.traces.events import Paint, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

    Points = NDArray[np.float64]
    Places = NDArray[np.int64]
    Paints = NDArray[np.uint8]

NOTHING = 255
"""The paint of a stroke that is not drawn."""

WALL = 0.11
"""How wide walls are, as a share of a cell."""

_SHUT = Paint.WALL, State.KEPT, State.BUILT
_PLAIN = 0, State.IN_MAZE  # in the colour of the ground


class Strokes(NamedTuple):
    """Lines of one width, one after the other over those before.

    Attributes
    ----------
    places : ndarray of int64, shape (k,)
        The place whose colour each line takes.
    segments : ndarray of float64, shape (k, 2, 2)
        Their ends; both are the same of a dot.
    width : float
    paint : callable
        Makes the colours of strokes of those of their places; `NOTHING` for none.
    round : bool
        Whether the lines have round ends.
    """

    places: Places
    segments: Points
    width: float
    paint: Callable[[Paints], Paints]
    round: bool = True

    def colors(self, paints: Paints) -> Paints:
        """Return the colours of the strokes: indices into `meiro.colors.Theme`, or `NOTHING`."""
        return self.paint(paints[self.places])


def strokes_of(lattice: Lattice, plane: Plane) -> list[Strokes]:
    """Return the strokes of a lattice, from below; the rim is a stroke of the place behind the last one."""
    if plane.network:
        return _network(lattice, plane)
    return _corridors(lattice, plane) if plane.outline is None else _walls(lattice, plane)


def with_rim(paints: Paints) -> Paints:
    """Return the colours of places, and that of the rim behind them."""
    return np.append(paints, np.uint8(Paint.WALL))


def grounds(plane: Plane, paints: Paints, n_cells: int) -> Paints:
    """Return the colours of the polygons of cells; there are none for networks and corridors."""
    return paints[:n_cells] if plane.outline is not None else paints[:0]


def _walls(lattice: Lattice, plane: Plane) -> list[Strokes]:
    outline, n = plane.outline, lattice.n_cells
    assert outline is not None  # noqa: S101  # the caller has looked
    own, more = more_walls(outline)
    m = lattice.n_edges
    places = np.concatenate([np.arange(n, n + m), n + own, np.full(len(outline.rim), n + m)])
    segments = np.concatenate([outline.walls, more, outline.rim])
    bent = np.zeros(len(segments), np.bool_)
    if outline.wall_arcs is not None:
        bent[:m] = outline.wall_arcs
    if outline.rim_arcs is not None:
        bent[m + len(own) :] = outline.rim_arcs
    there = np.isfinite(segments).all(axis=(1, 2))
    places, segments = _straight(plane, places[there], segments[there], bent[there])
    walls = Strokes(places, segments, WALL * plane.cell, _of_walls)
    return [walls] if plane.stairs is None else [walls, _stairs(lattice, plane, plane.stairs)]


def _stairs(lattice: Lattice, plane: Plane, between: NDArray[np.bool_]) -> Strokes:
    """Return the signs of the stairs between levels."""
    signs = [lines.points.reshape(-1, 4, 2) for lines, _ in stairs(plane, lattice, between)]
    sides = np.concatenate([np.stack([sign[:, :3], sign[:, 1:]], axis=2) for sign in signs])
    places = lattice.n_cells + np.tile(np.flatnonzero(between), len(signs))
    return Strokes(np.repeat(places, 3), sides.reshape(-1, 2, 2), WALL * plane.cell, _casing)


def _straight(
    plane: Plane, places: Places, segments: Points, bent: NDArray[np.bool_]
) -> tuple[Places, Points]:
    """Replace arcs by chords."""
    kinds = np.stack([np.zeros_like(bent), bent], axis=1).reshape(-1)
    lines = chords(Lines(segments.reshape(-1, 2), np.arange(0, 2 * len(segments) + 1, 2), kinds), plane.cell)
    begins = np.ones(len(lines.points), np.bool_)
    begins[lines.starts[1:] - 1] = False
    first = np.flatnonzero(begins)
    of = np.repeat(places, np.diff(lines.starts) - 1)
    return of, np.stack([lines.points[first], lines.points[first + 1]], axis=1)


def _corridors(lattice: Lattice, plane: Plane) -> list[Strokes]:
    n, ends = lattice.n_cells, plane.positions[lattice.edges]
    edges = np.arange(n, n + lattice.n_edges)
    dots = np.stack([plane.positions, plane.positions], axis=1)
    inner, outer = CORRIDOR * plane.cell, (CORRIDOR + 2 * WALL) * plane.cell
    found = [
        Strokes(edges, ends, outer, _casing),
        Strokes(np.arange(n), dots, outer, _always),
        Strokes(edges, ends, inner, _floor),
        Strokes(np.arange(n), dots, inner, _as_it_is),
    ]
    over, segments = _bridges(lattice, plane, ends)
    if len(over):
        found += [
            Strokes(n + over, segments, outer, _casing, round=False),
            Strokes(n + over, segments, inner, _floor, round=False),
            Strokes(*_on_top(lattice, plane), inner, _as_it_is),
        ]
    return found


def _bridges(lattice: Lattice, plane: Plane, ends: Points) -> tuple[Places, Points]:
    """Return the edges that lead over others, and the part of each that does."""
    middles = ends.mean(axis=1)
    keys = np.round(middles / (1e-4 * plane.cell)) @ np.array([1, 1j])
    crossing = np.ones(len(ends), np.bool_)
    crossing[np.unique(keys, return_index=True)[1]] = False
    across = np.flatnonzero(crossing)
    third = ends[across]
    places, parts = [across], [0.75 * third + 0.25 * third[:, ::-1]]
    if lattice.layers is not None:
        for side in (0, 1):
            above = np.flatnonzero(lattice.layers[lattice.edges[:, side]] > 0)
            places.append(above)
            parts.append(np.stack([ends[above, side], middles[above]], axis=1))
    return np.concatenate(places), np.concatenate(parts)


def _on_top(lattice: Lattice, plane: Plane) -> tuple[Places, Points]:
    """Return the cells of higher layers, as dots."""
    layers = np.zeros(lattice.n_cells) if lattice.layers is None else lattice.layers
    cells = np.flatnonzero(layers > 0)
    return cells, np.stack([plane.positions[cells], plane.positions[cells]], axis=1)


def _network(lattice: Lattice, plane: Plane) -> list[Strokes]:
    n, ends = lattice.n_cells, plane.positions[lattice.edges]
    edges = np.arange(n, n + lattice.n_edges)
    dots = np.stack([plane.positions, plane.positions], axis=1)
    return [
        Strokes(edges, ends, CLOSED * plane.cell, _faint),
        Strokes(edges, ends, PASSAGE * plane.cell, _link),
        Strokes(np.arange(n), dots, 1.3 * DOT_WIDTH * plane.cell, _always),
        Strokes(np.arange(n), dots, DOT_WIDTH * plane.cell, _as_it_is),
    ]


def _of_walls(paints: Paints) -> Paints:
    return np.where(np.isin(paints, _PLAIN), NOTHING, paints).astype(np.uint8)


def _always(paints: Paints) -> Paints:
    return np.full_like(paints, Paint.WALL)


def _as_it_is(paints: Paints) -> Paints:
    return paints


def _casing(paints: Paints) -> Paints:
    return np.where(np.isin(paints, _SHUT), NOTHING, Paint.WALL).astype(np.uint8)


def _floor(paints: Paints) -> Paints:
    return np.where(np.isin(paints, _SHUT), NOTHING, paints).astype(np.uint8)


def _faint(paints: Paints) -> Paints:
    return np.where(paints == Paint.WALL, Paint.CLOSED, NOTHING).astype(np.uint8)


def _link(paints: Paints) -> Paints:
    found = np.where(np.isin(paints, _PLAIN), Paint.WALL, paints)
    return np.where(paints == Paint.WALL, NOTHING, found).astype(np.uint8)
