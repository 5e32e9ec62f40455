"""What is drawn of a maze or a moment on a lattice: areas, lines and dots, each in the colour of a place.

Places are those of traces: the cells, then the edges; a place has a paint, an index into
`meiro.colors.Theme`. The shapes are the same at every moment, only their colours change. Lengths are in units
of the lattice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from meiro.drawing.graph_outline import (
    CLOSED,
    CORRIDOR,
    DOT_WIDTH,
    FAINT,
    PASSAGE,
    UNDER_BRIDGE,
    bridge_parts,
    more_walls,
    open_seams,
    polygons,
    stairs,
    wall_segments,
)
from meiro.drawing.lines import Lines, chords, lines_between
from meiro.drawing.numbers import STANDING, paints_of
from meiro.traces.events import Paint, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from meiro.drawing.graph_outline import Plane
    from meiro.lattices.lattice import Lattice, Outline

NOTHING = -1
"""The colour of a shape that is not drawn."""

_DOT = 0.76  # of a dot of a network are in the colour of its cell

# Which colour a shape has for each paint of its place.
_PAINTS = np.arange(len(paints_of("light")))
_STANDS = np.isin(_PAINTS, np.flatnonzero(STANDING))
_OPEN = np.where(_STANDS, NOTHING, _PAINTS)
_STANDING = np.where(_STANDS, _PAINTS, NOTHING)
_KEPT = np.where(_STANDS & (_PAINTS != Paint.WALL), _PAINTS, NOTHING)
_CASED = np.where(_STANDS, NOTHING, Paint.WALL)
_WALLED = np.full(len(_PAINTS), Paint.WALL)
_UNOPENED = np.where(_PAINTS == Paint.WALL, Paint.WALL, NOTHING)
_INKED = np.select(
    [np.isin(_PAINTS, [State.UNTOUCHED, State.IN_MAZE]), _PAINTS == Paint.WALL],
    [Paint.WALL, NOTHING],
    _PAINTS,
)


class Shapes(NamedTuple):
    """Areas, lines or dots, of straight lines, and the place of each."""

    lines: Lines
    places: NDArray[np.int64]


class ShapeLayer(NamedTuple):
    """Shapes that are drawn over those of the layers before.

    Attributes
    ----------
    kind : {"area", "line", "dot"}
    shapes : Shapes
        Several layers may have the same ones.
    colors : ndarray of int, shape (number of `paints_of`,)
        The paint in which a shape is drawn, by the paint of its place; `NOTHING` if it is not drawn.
    width : float
        Of lines and dots.
    caps : {"round", "butt"}
        The ends of lines.
    opacity : float
    """

    kind: Literal["area", "line", "dot"]
    shapes: Shapes
    colors: NDArray[np.int64]
    width: float = 0.0
    caps: Literal["round", "butt"] = "round"
    opacity: float = 1.0


def shape_layers(lattice: Lattice, plane: Plane, wall: float) -> list[ShapeLayer]:
    """Return the layers of a lattice with walls of a width; cells that have areas are the first layer."""
    if plane.network:
        return list(_network(lattice, plane))
    if plane.outline is None:
        return list(_corridors(lattice, plane, wall))
    return list(_walls(lattice, plane, plane.outline, wall))


def _walls(lattice: Lattice, plane: Plane, outline: Outline, wall: float) -> Iterator[ShapeLayer]:
    """Draw cells as areas and walls as lines."""
    n, m = lattice.n_cells, lattice.n_edges
    yield ShapeLayer("area", Shapes(chords(polygons(outline), plane.cell), np.arange(n)), _PAINTS)
    if plane.stairs is not None:
        own = n + np.flatnonzero(plane.stairs)
        for signs, _ in stairs(plane, lattice, np.ones(m, np.bool_)):
            yield ShapeLayer("area", Shapes(signs, own), _CASED)
    ends, arcs = wall_segments(plane, np.zeros(m, np.bool_))
    walled = np.ones(m, np.bool_) if plane.stairs is None else ~plane.stairs
    further, _ = more_walls(outline)
    edges = np.concatenate([np.flatnonzero(walled), np.full(len(outline.rim), -1), further])
    there = ~np.isnan(ends).any(axis=(1, 2))

    def lines_of(kept: NDArray[np.bool_]) -> Lines:
        return chords(lines_between(ends[kept], None if arcs is None else arcs[kept]), plane.cell)

    between, rim = there & (edges >= 0), there & (edges < 0)
    walls = Shapes(lines_of(between), n + edges[between])
    yield ShapeLayer("line", walls, _OPEN, wall, "butt")
    seams, cut = open_seams(plane, np.ones(m, np.bool_))
    if len(cut):
        yield ShapeLayer(
            "line", Shapes(lines_between(seams), n + cut), _CASED, CLOSED * plane.cell, opacity=FAINT
        )
    yield ShapeLayer("line", walls, _STANDING, wall)
    yield ShapeLayer("line", Shapes(lines_of(rim), np.zeros(rim.sum(), np.int64)), _WALLED, wall)


def _corridors(lattice: Lattice, plane: Plane, wall: float) -> Iterator[ShapeLayer]:
    """Draw passages as corridors, with bridges over those below."""
    n, every = lattice.n_cells, np.ones(lattice.n_edges, np.bool_)
    corridor = CORRIDOR * plane.cell
    cased = corridor + 2 * wall
    flat = Shapes(lines_between(plane.positions[lattice.edges]), n + np.arange(lattice.n_edges))
    over = np.zeros(n, np.bool_) if lattice.layers is None else lattice.layers > 0
    below, above = (Shapes(_dots(plane.positions[own]), np.flatnonzero(own)) for own in (~over, over))
    sides, bridges = (
        Shapes(lines_between(parts), n + of)
        for parts, of in (bridge_parts(plane, lattice, every, reach=share) for share in (UNDER_BRIDGE, 1.0))
    )
    yield ShapeLayer("line", flat, _KEPT, CLOSED * plane.cell)
    yield ShapeLayer("line", flat, _CASED, cased)
    yield ShapeLayer("dot", below, _WALLED, cased)
    yield ShapeLayer("line", flat, _OPEN, corridor)
    yield ShapeLayer("dot", below, _PAINTS, corridor)
    yield ShapeLayer("line", sides, _CASED, cased, "butt")
    yield ShapeLayer("dot", above, _WALLED, cased)
    yield ShapeLayer("line", bridges, _OPEN, corridor, "butt")
    yield ShapeLayer("dot", above, _PAINTS, corridor)


def _network(lattice: Lattice, plane: Plane) -> Iterator[ShapeLayer]:
    """Draw a graph of the user's own: cells as dots, passages as lines, closed edges faintly."""
    lines = Shapes(
        lines_between(plane.positions[lattice.edges]), lattice.n_cells + np.arange(lattice.n_edges)
    )
    dots = Shapes(_dots(plane.positions), np.arange(lattice.n_cells))
    yield ShapeLayer("line", lines, _UNOPENED, CLOSED * plane.cell, opacity=FAINT)
    yield ShapeLayer("line", lines, _INKED, PASSAGE * plane.cell)
    yield ShapeLayer("dot", dots, _WALLED, DOT_WIDTH * plane.cell)
    yield ShapeLayer("dot", dots, _PAINTS, _DOT * DOT_WIDTH * plane.cell)


def _dots(points: NDArray[np.float64]) -> Lines:
    return Lines(points, np.arange(len(points) + 1))
