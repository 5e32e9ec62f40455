"""Mazes on lattices as lattice_picture.js draws them: areas, lines and dots, each in the colour of a place.

Places are those of traces: the cells, then the edges; a place has a paint, an index into
`meiro.colors.Theme`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from meiro.drawing.graph_outline import (
    CLOSED,
    CORRIDOR,
    DOT_WIDTH,
    FAINT,
    PASSAGE,
    UNDER_BRIDGE,
    Lines,
    bridge_parts,
    chords,
    more_walls,
    plane_of,
    polygons,
    stairs,
    wall_segments,
)
from meiro.drawing.graph_paths import doors
from meiro.drawing.numbers import STANDING
from meiro.traces.events import Paint, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from meiro.colors import Color
    from meiro.drawing.graph_outline import Plane
    from meiro.graphs.graph_maze import GraphMaze
    from meiro.lattices.lattice import Lattice

MOST_PLACES = 1 << 18
"""Cells and edges of a lattice that a page can draw at every step."""

_MOST = 40  # pixels of the side of a cell: a small maze need not fill the screen
_WALL = 0.14  # of the side of a cell, and at least a pixel
_DOT = 0.76  # of a dot of a network are in the colour of its cell
_FINEST = (1 << 16) - 1  # points are 16-bit integers

# Which colour a shape has for each paint of its place; -1: it is not drawn.
_PAINTS = np.arange(16)
_SAME = _PAINTS.tolist()
_ON_ROAD = np.where(np.isin(_PAINTS, [State.UNTOUCHED, State.IN_MAZE]), -1, _PAINTS).tolist()
_OPEN = np.where(STANDING, -1, _PAINTS).tolist()
_STANDING = np.where(STANDING, _PAINTS, -1).tolist()
_KEPT = np.where(STANDING & (_PAINTS != Paint.WALL), _PAINTS, -1).tolist()
_CASED = np.where(STANDING, -1, Paint.WALL).tolist()
_WALLED = [int(Paint.WALL)] * 16
_UNOPENED = np.where(_PAINTS == Paint.WALL, Paint.WALL, -1).tolist()
_INKED = np.select(
    [np.isin(_PAINTS, [State.UNTOUCHED, State.IN_MAZE]), _PAINTS == Paint.WALL], [Paint.WALL, -1], _PAINTS
).tolist()

_Kind = Literal["area", "line", "dot"]


class _Drawing:
    """Shapes, and layers of them: a layer draws some shapes, each in the colour of its place."""

    def __init__(self) -> None:
        self.points: list[NDArray[np.float64]] = [np.empty((0, 2))]
        self.counts: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        self.places: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
        self.layers: list[dict[str, Any]] = []
        self.n = 0

    def shapes(self, lines: Lines, places: NDArray[np.int64]) -> tuple[int, int]:
        """Add shapes, of a place each; return the numbers of the first and of the one behind the last."""
        self.points.append(lines.points)
        self.counts.append(np.diff(lines.starts))
        self.places.append(places)
        self.n += len(places)
        return self.n - len(places), self.n

    def layer(
        self,
        shapes: tuple[int, int],
        kind: _Kind,
        colors: list[int],
        width: float = 0.0,
        *,
        caps: str = "round",
        opacity: float = 1.0,
    ) -> None:
        """Draw shapes; `width` in the units of the lattice."""
        begin, end = shapes
        layer = {"begin": begin, "end": end, "kind": kind, "colors": colors, "width": width}
        self.layers.append({**layer, "caps": caps, "opacity": opacity})


def lattice_scene(lattice: Lattice, first: NDArray[np.uint8], size: int, most: int) -> dict[str, Any]:
    """Return a picture of a lattice for lattice_picture.js; arrays as bytes, little-endian.

    Parameters
    ----------
    lattice : Lattice
    first : ndarray of uint8, shape (n_cells + n_edges,)
        The paint of each place.
    size, most : int
        Pixels of the longer side, about; and how many every browser can show.

    Raises
    ------
    ValueError
        If the lattice does not lie in the plane, or the picture is too large.
    """
    if len(first) > MOST_PLACES:
        msg = f"{lattice!r} has more than {MOST_PLACES:,} cells and edges: take a smaller one to show it"
        raise ValueError(msg)
    plane = plane_of(lattice)
    left, top, right, bottom = plane.box
    scale = min((size - 2) / max(right - left, bottom - top), _MOST / plane.cell)
    wall = max(_WALL * plane.cell, 1 / scale)
    drawing = _Drawing()
    draw = _draw_network if plane.network else _draw_walls if plane.outline else _draw_corridors
    reach = draw(drawing, plane, lattice, wall)
    edge = scale * wall / 2 + 1
    width, height = (math.ceil(scale * side + 2 * edge) for side in (right - left, bottom - top))
    if max(width, height) > most:
        msg = (
            f"a picture of {height:,} x {width:,} pixels is too large to be shown, where {most:,} a side is "
            "the most: take a smaller size="
        )
        raise ValueError(msg)
    fine = _FINEST / max(width, height)
    arrays: dict[str, tuple[NDArray[Any], str]] = {
        "points": (fine * (scale * (np.concatenate(drawing.points) - (left, top)) + edge), "<u2"),
        "counts": (np.concatenate(drawing.counts), "<u2"),
        "places": (np.concatenate(drawing.places), "<i4"),
        "spots": (fine * (scale * (plane.positions - (left, top)) + edge), "<u2"),
        "first": (first, "u1"),
    }
    for layer in drawing.layers:
        layer["width"] = round(layer["width"] * scale, 3)
    return {
        "size": (width, height),
        "fine": fine,
        "side": reach * scale,
        "cells": lattice.n_cells,
        "layers": drawing.layers,
        **{
            name: np.rint(array).astype(kind).tobytes()
            if array.dtype.kind == "f"
            else array.astype(kind).tobytes()
            for name, (array, kind) in arrays.items()
        },
    }


def _draw_walls(drawing: _Drawing, plane: Plane, lattice: Lattice, wall: float) -> float:
    """Draw cells as areas and walls as lines; return how wide a number in a cell may be."""
    outline = plane.outline
    assert outline is not None  # noqa: S101  # whoever calls has looked
    m = lattice.n_edges
    drawing.layer(drawing.shapes(polygons(outline), np.arange(lattice.n_cells)), "area", _ON_ROAD)
    if plane.stairs is not None:
        own = lattice.n_cells + np.flatnonzero(plane.stairs)
        for signs, _ in stairs(plane, lattice, np.ones(m, np.bool_)):
            drawing.layer(drawing.shapes(signs, own), "area", _CASED)
    segments, arcs = wall_segments(plane, np.zeros(m, np.bool_))
    walled = np.ones(m, np.bool_) if plane.stairs is None else ~plane.stairs
    further, _ = more_walls(outline)
    rim = np.full(len(outline.rim), -1)
    edges = np.concatenate([np.flatnonzero(walled), rim, further])
    for on_rim in (False, True):
        kept = ((edges < 0) == on_rim) & ~np.isnan(segments).any(axis=(1, 2))
        lines = _segments(segments[kept], None if arcs is None else arcs[kept])
        places = np.where(on_rim, 0, lattice.n_cells + edges[kept])
        shapes = drawing.shapes(chords(lines, plane.cell), places)
        if on_rim:
            drawing.layer(shapes, "line", _WALLED, wall)
        else:
            drawing.layer(shapes, "line", _OPEN, wall, caps="butt")
            drawing.layer(shapes, "line", _STANDING, wall)
    pairs = lattice.edges[walled]
    apart = np.hypot(*(plane.positions[pairs[:, 0]] - plane.positions[pairs[:, 1]]).T)
    return float(np.median(apart)) if len(apart) else plane.cell


def _draw_corridors(drawing: _Drawing, plane: Plane, lattice: Lattice, wall: float) -> float:
    """Draw passages as corridors, with bridges over those below."""
    n, every = lattice.n_cells, np.ones(lattice.n_edges, np.bool_)
    corridor = CORRIDOR * plane.cell
    cased = corridor + 2 * wall
    flat = drawing.shapes(_segments(plane.positions[lattice.edges]), n + np.arange(lattice.n_edges))
    over = np.zeros(n, np.bool_) if lattice.layers is None else lattice.layers > 0
    below, above = (drawing.shapes(_dots(plane.positions[own]), np.flatnonzero(own)) for own in (~over, over))
    (sides, of), (bridges, _) = (
        bridge_parts(plane, lattice, every, reach=share) for share in (UNDER_BRIDGE, 1.0)
    )
    drawing.layer(flat, "line", _KEPT, CLOSED * plane.cell)
    drawing.layer(flat, "line", _CASED, cased)
    drawing.layer(below, "dot", _WALLED, cased)
    drawing.layer(flat, "line", _OPEN, corridor)
    drawing.layer(below, "dot", _SAME, corridor)
    drawing.layer(drawing.shapes(_segments(sides), n + of), "line", _CASED, cased, caps="butt")
    drawing.layer(above, "dot", _WALLED, cased)
    drawing.layer(drawing.shapes(_segments(bridges), n + of), "line", _OPEN, corridor, caps="butt")
    drawing.layer(above, "dot", _SAME, corridor)
    return corridor


def _draw_network(drawing: _Drawing, plane: Plane, lattice: Lattice, _wall: float) -> float:
    """Draw a graph of the user's own: cells as dots, passages as lines, closed edges faintly."""
    lines = drawing.shapes(
        _segments(plane.positions[lattice.edges]), lattice.n_cells + np.arange(lattice.n_edges)
    )
    dots = drawing.shapes(_dots(plane.positions), np.arange(lattice.n_cells))
    drawing.layer(lines, "line", _UNOPENED, CLOSED * plane.cell, opacity=FAINT)
    drawing.layer(lines, "line", _INKED, PASSAGE * plane.cell)
    drawing.layer(dots, "dot", _WALLED, DOT_WIDTH * plane.cell)
    drawing.layer(dots, "dot", _SAME, _DOT * DOT_WIDTH * plane.cell)
    return DOT_WIDTH * plane.cell


def _segments(ends: NDArray[np.float64], arcs: NDArray[np.bool_] | None = None) -> Lines:
    bent = None if arcs is None else np.stack([np.zeros_like(arcs), arcs], axis=1).reshape(-1)
    return Lines(ends.reshape(-1, 2), np.arange(0, 2 * len(ends) + 1, 2), bent)


def _dots(points: NDArray[np.float64]) -> Lines:
    return Lines(points, np.arange(len(points) + 1))


def steps_from(maze: GraphMaze) -> dict[str, bytes]:
    """Return the passages of a maze to walk through: those of cell i are ``starts[i]:starts[i + 1]``.

    Of each passage the cell that it leads to, its edge, its heading in radians from the right, clockwise
    (NaN between levels), and whether it leads up (1) or down (-1) to another level.
    """
    lattice = maze.lattice
    plane = plane_of(lattice)
    kept = maze.open[lattice.neighbor_edges]
    cells = np.repeat(np.arange(lattice.n_cells), lattice.degrees)[kept]
    to, edges = lattice.neighbors[kept], lattice.neighbor_edges[kept]
    ahead = plane.positions[to] - plane.positions[cells]
    if plane.outline is not None and not plane.districts:
        out, back = (
            doors(plane, plane.outline, of.astype(np.int64), edges.astype(np.int64)) for of in (cells, to)
        )
        seam = ~np.isnan(out[:, 0]) & (out != back).any(axis=1)
        ahead[seam] = (out - plane.positions[cells])[seam]
    headings = np.arctan2(ahead[:, 1], ahead[:, 0])
    climbs = np.zeros(len(to), np.int8)
    if plane.stairs is not None:
        heights = lattice.positions[:, 2]  # type: ignore[index]  # it has levels
        climbs = (plane.stairs[edges] * np.sign(heights[to] - heights[cells])).astype(np.int8)
        headings[climbs != 0] = np.nan
    starts = np.concatenate([[0], np.cumsum(np.bincount(cells, minlength=lattice.n_cells))])
    arrays = {
        "ways": (starts, "<u4"),
        "neighbors": (to, "<u4"),
        "doors": (edges, "<u4"),
        "headings": (headings, "<f4"),
        "climbs": (climbs, "i1"),
    }
    return {name: array.astype(kind).tobytes() for name, (array, kind) in arrays.items()}


def still_svg(scene: Mapping[str, Any], paints: NDArray[np.uint8], theme: tuple[Color, ...]) -> str:
    """Return a scene as SVG, with these paints of its places."""
    width, height = scene["size"]
    points = np.frombuffer(scene["points"], "<u2").reshape(-1, 2) / scene["fine"]
    counts, places = np.frombuffer(scene["counts"], "<u2"), np.frombuffer(scene["places"], "<i4")
    starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    parts = []
    for layer in scene["layers"]:
        found = np.array(layer["colors"])[paints[places[layer["begin"] : layer["end"]]]]
        end = "z" if layer["kind"] == "area" else ""
        for color in np.unique(found[found >= 0]).tolist():
            d = ""
            for i in (layer["begin"] + np.flatnonzero(found == color)).tolist():
                line = points[starts[i] : starts[i + 1]]
                line = np.repeat(line, 2, axis=0) if len(line) == 1 else line
                d += "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line.tolist()) + end
            fill = f'fill="{theme[color].hex}"'
            if not end:
                pen = f'stroke="{theme[color].hex}" stroke-width="{layer["width"]:.3g}"'
                fill = f'fill="none" {pen} stroke-linecap="{layer["caps"]}" opacity="{layer["opacity"]}"'
            parts.append(f'<path {fill} d="{d}"/>')
    box = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{"".join(parts)}</svg>'
