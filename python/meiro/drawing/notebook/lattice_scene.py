"""Mazes on lattices as lattice_picture.js draws them: areas, lines and dots, each in the colour of a place.

Places are those of traces: the cells, then the edges; a place has a paint, an index into
`meiro.colors.Theme`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro.colors import Theme
from meiro.drawing.graph_outline import plane_to_plot, rooms
from meiro.drawing.graph_paths import door_places
from meiro.drawing.lattice_layers import NOTHING, shape_layers
from meiro.drawing.lines import Lines, some_lines
from meiro.drawing.page import Label
from meiro.drawing.picture import Layer
from meiro.drawing.svg import path_element, svg_element, text_element
from meiro.traces.events import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from meiro.drawing.lattice_layers import ShapeLayer, Shapes
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.graph_maze import GraphMaze

MOST_PLACES = 1 << 18
"""Cells and edges of a lattice that a page can draw at every step."""

_SIDE = 16_000  # pixels that every browser's canvas can have
_MOST = 40  # pixels of the side of a cell: a small maze need not fill the screen
_WALL = 0.14  # of the side of a cell, and at least a pixel
_LETTERS = 18  # pixels of the titles of levels, at most
_FINEST = (1 << 16) - 1  # points are 16-bit integers
_INK = Theme._fields.index("ink")


def lattice_scene(
    lattice: Lattice, openings: NDArray[np.int64], first: NDArray[np.uint8], size: int
) -> dict[str, Any]:
    """Return a picture of a lattice for lattice_picture.js; arrays as bytes, little-endian.

    Parameters
    ----------
    lattice : Lattice
    openings : ndarray of int64, shape (k, 2)
        Places of its rim that are open.
    first : ndarray of uint8, shape (n_cells + n_edges,)
        The paint of each place.
    size : int
        Pixels of the longer side, about.

    Raises
    ------
    ValueError
        If the lattice has no place in the plane, or the picture is too large.
    ImportError
        If it has no positions, and networkx, which finds some, is not installed.
    """
    if len(first) > MOST_PLACES:
        raise ValueError(
            f"{lattice!r} has more than {MOST_PLACES:,} cells and edges: take a smaller one to show it"
        )
    plane = plane_to_plot(lattice, openings)
    left, top, right, bottom = plane.box
    scale = min((size - 2) / max(right - left, bottom - top), _MOST / plane.cell)
    wall = max(_WALL * plane.cell, 1 / scale)
    edge = scale * wall / 2 + 1
    width, height = (math.ceil(scale * side + 2 * edge) for side in (right - left, bottom - top))
    require_shown(height, width, "size=")
    fine = _FINEST / max(width, height)
    shapes, layers = _numbered(shape_layers(lattice, plane, wall), scale)
    points, room = np.concatenate([one.lines.points for one in shapes]), rooms(plane)
    arrays: dict[str, NDArray[Any]] = {
        "points": np.rint(fine * (scale * (points - (left, top)) + edge)).astype(np.uint16),
        "counts": np.concatenate([np.diff(one.lines.starts) for one in shapes]).astype(np.uint16),
        "places": np.concatenate([one.places for one in shapes]).astype(np.int32),
        "spots": np.rint(fine * (scale * (plane.positions - (left, top)) + edge)).astype(np.uint16),
        "rooms": np.rint(fine * scale * room).astype(np.uint16),
        "first": first,
    }
    return {
        "size": (width, height),
        "fine": fine,
        "side": float(np.median(room)) * scale,
        "titles": [
            (
                text,
                *(round(scale * at + edge, 1) for at in (x - left, y - top)),
                round(min(scale * high, _LETTERS), 1),
            )
            for text, x, y, high in plane.titles
        ],
        "cells": lattice.n_cells,
        "layers": layers,
        **packed(arrays),
    }


def require_shown(height: int, width: int, smaller: str) -> None:
    """Raise a ValueError for a picture that browsers cannot show; `smaller` is what else to take."""
    if max(height, width) > _SIDE:
        raise ValueError(
            f"a picture of {height:,} x {width:,} pixels is too large to be shown, where {_SIDE:,} a side is "
            f"the most: take a smaller {smaller}"
        )


def _numbered(layers: Iterable[ShapeLayer], scale: float) -> tuple[list[Shapes], list[dict[str, Any]]]:
    """Return the shapes of all layers, each once, and the layers with the numbers of theirs."""
    first: dict[int, int] = {}
    shapes: list[Shapes] = []
    found: list[dict[str, Any]] = []
    count = 0
    for layer in layers:
        if id(layer.shapes) not in first:
            first[id(layer.shapes)] = count
            shapes.append(layer.shapes)
            count += len(layer.shapes.places)
        begin = first[id(layer.shapes)]
        colors = layer.colors
        if layer.kind == "area" and layer.of_cells:  # cells need not be drawn in the colour of the ground
            colors = np.where(np.isin(colors, [State.UNTOUCHED, State.IN_MAZE]), NOTHING, colors)
        found.append(
            {
                "begin": begin,
                "end": begin + len(layer.shapes.places),
                "kind": layer.kind,
                "colors": colors.tolist(),
                "width": round(layer.width * scale, 3),
                "caps": layer.caps,
                "opacity": layer.opacity,
            }
        )
    return shapes, found


def steps_from(maze: GraphMaze) -> dict[str, bytes]:
    """Return the passages of a maze to walk through: those of cell i are ``starts[i]:starts[i + 1]``.

    Of each passage the cell that it leads to, its edge, its heading in radians from the right, clockwise
    (NaN between levels), and whether it leads up (1) or down (-1) to another level.
    """
    lattice = maze.lattice
    plane = plane_to_plot(lattice)
    kept = maze.open[lattice.neighbor_edges]
    cells = np.repeat(np.arange(lattice.n_cells), lattice.degrees)[kept]
    to, edges = lattice.neighbors[kept], lattice.neighbor_edges[kept]
    ahead = plane.positions[to] - plane.positions[cells]
    if plane.outline is not None and not plane.districts:
        out, back = (
            door_places(plane, plane.outline, of.astype(np.int64), edges.astype(np.int64))
            for of in (cells, to)
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
    arrays: dict[str, NDArray[Any]] = {
        "ways": starts.astype(np.uint32),
        "neighbors": to,
        "doors": edges,
        "headings": headings.astype(np.float32),
        "climbs": climbs,
    }
    return packed(arrays)


def packed(arrays: Mapping[str, NDArray[Any]]) -> dict[str, bytes]:
    """Return the bytes of arrays, little-endian."""
    return {name: x.astype(x.dtype.newbyteorder("<"), copy=False).tobytes() for name, x in arrays.items()}


def still_svg(scene: Mapping[str, Any], paints: NDArray[np.uint8], colors: Sequence[str]) -> str:
    """Return a scene as SVG, with these paints of its places, in the colours of a theme."""
    points = np.frombuffer(scene["points"], "<u2").reshape(-1, 2) / scene["fine"]
    counts, places = np.frombuffer(scene["counts"], "<u2"), np.frombuffer(scene["places"], "<i4")
    starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    inner = ""
    for layer in scene["layers"]:
        begin, end = layer["begin"], layer["end"]
        lines = Lines(points[starts[begin] : starts[end]], starts[begin : end + 1] - starts[begin])
        found = np.array(layer["colors"])[paints[places[begin:end]]]
        width = None if layer["kind"] == "area" else layer["width"]
        for color in np.unique(found[found >= 0]).tolist():
            shown = Layer(some_lines(lines, found == color), "", width, layer["caps"], layer["opacity"])
            inner += path_element(shown, colors[color], 1)
    for text, x, y, size in scene["titles"]:
        inner += text_element(Label(text, x, y, size, colors[_INK]))
    return svg_element((0, 0, *scene["size"]), (1, ""), "", "", inner)
