"""A lattice as layers of areas, lines and dots, each the shape of a cell or an edge: what renderers draw.

Places are those of traces: the cells, then the edges; a place has a paint, an index into
`meiro.colors.Theme`, and a layer says in which colour it shows each paint. Frames and players of traces draw
all shapes, and only paints change; SVG, PDF and plots draw what `drawn_of` a maze. Lengths are in units of
the lattice.
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
    Plane,
    bridge_parts,
    open_seams,
    polygons,
    stairs,
    standing_walls,
)
from meiro.drawing.lines import Lines, chords, dots_at, lines_between, no_lines, some_lines
from meiro.drawing.numbers import STANDING, paints_of
from meiro.traces.events import Paint, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

NOTHING = -1
"""The colour of a shape that is not drawn."""

_DOT = 0.8  # of a dot of a network are in the colour of its cell

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

# What a maze shows: a road, what was seen of it, and walls; cells that passages reach need no shape.
_HIDDEN, _ROAD, _SEEN = State.UNTOUCHED, State.IN_MAZE, State.VISITED
_NAMES = {_ROAD: "road", _SEEN: "visited", Paint.WALL: "wall"}


class Shapes(NamedTuple):
    """Areas, lines or dots, and the place of each."""

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
    hides : bool
        Whether a road is drawn, too, since walls are below.
    over_paths : bool
        Whether paths are drawn before.
    """

    kind: Literal["area", "line", "dot"]
    shapes: Shapes
    colors: NDArray[np.int64]
    width: float = 0.0
    caps: Literal["round", "butt"] = "round"
    opacity: float = 1.0
    hides: bool = False
    over_paths: bool = False

    @property
    def of_cells(self) -> bool:
        """Whether shapes are as bright as the values of cells are."""
        return self.hides or self.colors is _PAINTS


def shape_layers(
    lattice: Lattice,
    plane: Plane,
    wall: float,
    passages: NDArray[np.bool_] | None = None,
    *,
    areas: bool = True,
    arcs: bool = False,
) -> Iterator[ShapeLayer]:
    """Yield the layers of a lattice with walls of a width; cells that have areas are the first layer.

    With `passages` only what is needed where these edges are open and the others are not. With `arcs` lines
    are not straight where walls are arcs.
    """
    if plane.network:
        return _network(lattice, plane)
    may_open, may_close = np.ones((2, lattice.n_edges), np.bool_)
    if passages is not None:
        may_open, may_close = passages, ~passages
    if plane.outline is None:
        return _corridors(lattice, plane, wall, may_open)
    cells = polygons(plane.outline) if areas else no_lines()
    return _walls(lattice, plane, wall, cells, may_open, may_close, arcs=arcs)


def _walls(  # noqa: PLR0917  # what is drawn, and how
    lattice: Lattice,
    plane: Plane,
    wall: float,
    cells: Lines,
    may_open: NDArray[np.bool_],
    may_close: NDArray[np.bool_],
    *,
    arcs: bool,
) -> Iterator[ShapeLayer]:
    """Draw cells as areas and walls as lines."""
    n = lattice.n_cells

    def shapes(lines: Lines, places: NDArray[np.int64]) -> Shapes:
        return Shapes(lines if arcs else chords(lines, plane.cell), places)

    if len(cells.points):
        yield ShapeLayer("area", shapes(cells, np.arange(n)), _PAINTS)
    edges, ends, bent = standing_walls(plane, ~may_close)
    places = np.where(edges < 0, 0, n + edges)  # a rim is drawn as if it were that of cell 0
    there = ~np.isnan(ends).any(axis=(1, 2))
    walls, rim = (
        shapes(lines_between(ends[kept], bent[kept]), places[kept])
        for kept in (there & (edges >= 0), there & (edges < 0))
    )
    yield ShapeLayer("line", walls, _OPEN, wall, "butt")
    seams, cut = open_seams(plane, may_open)
    if len(cut):
        shape = Shapes(lines_between(seams), n + cut)
        yield ShapeLayer("line", shape, _CASED, CLOSED * plane.cell, opacity=FAINT)
    yield ShapeLayer("line", walls, _STANDING, wall)
    yield ShapeLayer("line", rim, _WALLED, wall)
    if plane.stairs is not None:
        own = n + np.flatnonzero(plane.stairs & may_open)
        for signs, _ in stairs(plane, lattice, may_open):
            yield ShapeLayer("area", Shapes(signs, own), _CASED, over_paths=True)


def _corridors(
    lattice: Lattice, plane: Plane, wall: float, passages: NDArray[np.bool_]
) -> Iterator[ShapeLayer]:
    """Draw passages as corridors, with bridges over those below."""
    n, edges = lattice.n_cells, np.flatnonzero(passages)
    corridor = CORRIDOR * plane.cell
    cased = corridor + 2 * wall
    flat = Shapes(lines_between(plane.positions[lattice.edges[edges]]), n + edges)
    above = np.zeros(n, np.bool_) if lattice.layers is None else lattice.layers > 0
    low, high = (Shapes(_dots(plane.positions[own]), np.flatnonzero(own)) for own in (~above, above))
    sides, bridges = (
        Shapes(lines_between(parts), n + of)
        for parts, of in (bridge_parts(plane, lattice, passages, share) for share in (UNDER_BRIDGE, 1.0))
    )
    yield ShapeLayer("line", flat, _KEPT, CLOSED * plane.cell)
    yield ShapeLayer("line", flat, _CASED, cased)
    yield ShapeLayer("dot", low, _WALLED, cased)
    yield ShapeLayer("line", flat, _OPEN, corridor, hides=True)
    yield ShapeLayer("dot", low, _PAINTS, corridor, hides=True)
    yield ShapeLayer("line", sides, _CASED, cased, "butt", over_paths=True)
    yield ShapeLayer("dot", high, _WALLED, cased, over_paths=True)
    yield ShapeLayer("line", bridges, _OPEN, corridor, "butt", hides=True, over_paths=True)
    yield ShapeLayer("dot", high, _PAINTS, corridor, hides=True, over_paths=True)


def _network(lattice: Lattice, plane: Plane) -> Iterator[ShapeLayer]:
    """Draw a graph of the user's own: cells as dots, passages as lines, closed edges faintly."""
    lines = Shapes(
        lines_between(plane.positions[lattice.edges]), lattice.n_cells + np.arange(lattice.n_edges)
    )
    dots = Shapes(_dots(plane.positions), np.arange(lattice.n_cells))
    width = DOT_WIDTH * plane.cell
    yield ShapeLayer("line", lines, _UNOPENED, CLOSED * plane.cell, opacity=FAINT)
    yield ShapeLayer("line", lines, _INKED, PASSAGE * plane.cell)
    yield ShapeLayer("dot", dots, _WALLED, width, over_paths=True)
    yield ShapeLayer("dot", dots, _PAINTS, _DOT * width, over_paths=True)


def _dots(points: NDArray[np.float64]) -> Lines:
    return Lines(points, np.arange(len(points) + 1))


def still_paints(
    lattice: Lattice, plane: Plane, passages: NDArray[np.bool_], seen: NDArray[np.bool_] | None = None
) -> NDArray[np.uint8]:
    """Return the paints of the places of a maze, with the cells that a search has seen."""
    cells, edges = np.full(lattice.n_cells, _ROAD, np.uint8), np.where(passages, _ROAD, Paint.WALL)
    if plane.outline is None and not plane.network:
        reached = np.bincount(lattice.edges[passages].reshape(-1), minlength=lattice.n_cells)
        ends = np.zeros(lattice.n_cells, np.bool_) if lattice.layers is None else lattice.layers > 0
        cells[reached > ends] = _HIDDEN  # but the ends of bridges
        if seen is not None:
            edges[passages & seen[lattice.edges].all(axis=1)] = _SEEN
    if seen is not None:
        cells[seen] = _SEEN
    return np.concatenate([cells, edges]).astype(np.uint8)


def drawn_of(
    layer: ShapeLayer, paints: NDArray[np.uint8], *, roads: bool = False
) -> Iterator[tuple[str, Lines]]:
    """Yield what a layer shows of a maze: names of colours, and the shapes in each.

    With `roads` these are not as the paper is: all areas have their colour below others.
    """
    lines, places = layer.shapes
    here = paints[places]
    colors = np.where(here == _HIDDEN, NOTHING, layer.colors[here])
    if roads and layer.kind == "area" and layer.of_cells:
        yield "road", lines
    for color, name in _NAMES.items():
        kept = colors == color
        if kept.any() and (color != _ROAD or layer.hides):
            yield name, dots_at(lines.points[kept]) if layer.kind == "dot" else some_lines(lines, kept)
