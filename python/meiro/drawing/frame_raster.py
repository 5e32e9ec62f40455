"""The pixels of frames: on lattices what each shape of `lattice_layers` covers is found once.

A pixel is ``paint + 16 * ink``: the paint, and how much of a wall lies over it, 0 to `INKS` - 1, so that
walls at any angle are smooth. With colours of clusters there are more than 16 paints.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro._utils.memory import require
from meiro._utils.pixel_layout import Layout, layout_of
from meiro.drawing.graph_outline import Plane, Title, plane_to_plot, rooms
from meiro.drawing.lattice_layers import NOTHING, ShapeLayer, shape_layers
from meiro.traces.events import Paint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from meiro.colors import Color
    from meiro.drawing.lines import Lines
    from meiro.lattices.lattice import Lattice
    from meiro.traces.trace import Trace

INKS = 8
"""How many amounts of a wall a pixel can have, 0 included."""

MOST_PLACES = 60_000
"""Cells and edges of a lattice whose frames are drawn: each takes 20 to 50 microseconds once."""

_WALL = 0.11  # how wide walls are, as a share of a cell
_LONGEST = 14.0  # pixels of a piece of a line
_THINNEST = 0.55  # pixels: half the width of a line
_AT_A_TIME = 2048  # pieces of lines
_SOLID = INKS // 2  # of a line without a ground of its own, from which a pixel has its colour


class SquaresRaster:
    """Draws the places of a trace of rows and columns; its attributes are those of `GraphRaster`."""

    titles: Sequence[Title] = ()
    plane = None

    def __init__(self, trace: Trace, side: int) -> None:
        in_cells = trace.space == "cells"
        self._shape, self.cells = trace.shape, np.s_[1::2, 1::2] if in_cells else np.s_[:, :]
        self.layout = layout_of(trace.grid_shape, cells=in_cells, size=side)
        self.size = self.layout.size(trace.grid_shape)
        self._wall = self.layout.wall if in_cells else 0
        edge = 0.5 + 0.5 * self._wall / (self._wall + self.layout.cell)
        rows, cols = trace.shape
        self.extent = -edge, cols - 1 + edge, rows - 1 + edge, -edge

    @property
    def spots(self) -> NDArray[np.float64]:
        """Where the cells lie, (x, y), a unit from cell to cell."""
        return np.indices(self._shape).reshape(2, -1).T[:, ::-1].astype(np.float64)

    @property
    def room(self) -> NDArray[np.float64]:
        """Units of the sides of cells with their walls."""
        return np.ones(math.prod(self._shape))

    @property
    def centers(self) -> NDArray[np.float64]:
        """Where the cells lie, (x, y) in pixels."""
        wall, cell = self._wall, self.layout.cell
        return wall + cell / 2 + (wall + cell) * self.spots

    @property
    def rooms(self) -> NDArray[np.float64]:
        """Pixels of the sides of squares in cells, beside which a pixel is free."""
        return free_side(self.layout) * self.room

    def draw(self, paints: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the pixels of places in their colours."""
        return self.layout.pixels(paints)


def free_side(layout: Layout) -> int:
    """Return the pixels of the side of a square in a cell, beside which a pixel is free."""
    return max(layout.cell - 2, 1)


def raster_of(trace: Trace, side: int, paints: int = 16) -> SquaresRaster | GraphRaster:
    """Return what draws the places of a trace, about `side` pixels wide or high.

    Raises
    ------
    ValueError
        If a lattice has no place in the plane, or is too large.
    ImportError
        If it has no positions, and networkx, which finds some, is not installed.
    """
    if trace.lattice is None:
        return SquaresRaster(trace, side)
    return GraphRaster(trace.lattice, plane_to_plot(trace.lattice, trace.domain.openings), side, paints)


class _Stamps(NamedTuple):
    """The pixels of a layer: rows of pixel, amount and number of the shape, smaller amounts first."""

    layer: ShapeLayer
    pixels: NDArray[np.int64]
    amounts: NDArray[np.uint8]
    numbers: NDArray[np.int64]


class GraphRaster:
    """Draws the places of a lattice.

    Attributes
    ----------
    size : (int, int)
        Height and width in pixels.
    scale : float
        Pixels of a unit of the lattice.
    centers : ndarray of float64, shape (n_cells, 2)
        Where the cells lie, (x, y) in pixels.
    cells : slice
        Which places are the cells.
    rooms : ndarray of float64, shape (n_cells,)
        Pixels of the side of a square in the middle of each cell, about, where a number can be written.
    titles : list of Title
        Of levels, in pixels.
    plane : Plane or None
        Where the lattice lies.
    extent : (float, float, float, float)
        Left, right, bottom and top in units of the lattice; of squares these are from cell to cell.
    spots : ndarray of float64, shape (n_cells, 2)
        Where the cells lie in these units.
    room : ndarray of float64, shape (n_cells,)
        As `rooms`, in these units.
    """

    def __init__(self, lattice: Lattice, plane: Plane, side: int, paints: int = 16) -> None:
        self._paints, self.cells = paints, slice(lattice.n_cells)
        places = lattice.n_cells + lattice.n_edges
        if places > MOST_PLACES:
            raise ValueError(
                f"{lattice!r} has {places:,} cells and edges, more than the {MOST_PLACES:,} of which frames "
                "are drawn: trace a smaller maze; meiro.plot draws its result"
            )
        require(40 * side * side, f"pictures of {side:,} pixels a side", "give a smaller size=")
        left, top, right, bottom = plane.box
        edge = 0.12 * plane.cell
        wide, high = right - left + 2 * edge, bottom - top + 2 * edge
        self.scale = side / max(wide, high)
        self.size = max(round(high * self.scale), 1), max(round(wide * self.scale), 1)
        self._corner = np.array([left - edge, top - edge])
        self.plane, self.spots, self.room = plane, plane.positions, rooms(plane)
        self.centers: NDArray[np.float64] = self._placed(self.spots)
        self.titles = [
            Title(text, (x - left + edge) * self.scale, (y - top + edge) * self.scale, size * self.scale)
            for text, x, y, size in plane.titles
        ]
        self.rooms: NDArray[np.float64] = self.room * self.scale
        self.extent = left - edge, right + edge, bottom + edge, top - edge
        layers = [*shape_layers(lattice, plane, _WALL * plane.cell)]
        self._ground = self._areas(layers.pop(0)) if layers[0].kind == "area" else None
        self._stamps = [self._stamped(layer) for layer in layers]

    def _placed(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = (points - self._corner) * self.scale
        return found

    def draw(self, paints: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the pixels of places in their colours."""
        inks = np.zeros(self.size, np.uint8).reshape(-1)
        picture: NDArray[np.uint8] = np.zeros(self.size, np.uint8).reshape(-1)
        if self._ground is not None:
            picture = np.append(paints, np.uint8(0))[self._ground]
        for layer, pixels, amounts, numbers in self._stamps:
            colors = layer.colors[paints[layer.shapes.places]][numbers]
            plain = (colors != NOTHING) & (colors != Paint.WALL)
            at = pixels[plain]
            solid = amounts[plain] >= _SOLID
            picture[at[solid]] = colors[plain][solid]
            inks[at] = np.minimum(inks[at], INKS - 1 - amounts[plain])
            wall = colors == Paint.WALL
            at = pixels[wall]
            inks[at] = np.maximum(inks[at], amounts[wall])
        inked: NDArray[np.uint8] = (picture + np.uint8(self._paints) * inks).astype(np.uint8)
        return inked.reshape(self.size)

    def _areas(self, layer: ShapeLayer) -> NDArray[np.int64]:
        """Return the place of each pixel, -1 for none."""
        found = np.full(self.size, -1, np.int64)
        lines, places = layer.shapes
        starts = lines.starts.tolist()
        for place, begin, end in zip(places.tolist(), starts[:-1], starts[1:], strict=True):
            if end - begin < 3:
                continue
            points = self._placed(lines.points[begin:end])
            (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
            first, last = max(int(x0), 0), min(int(x1) + 1, self.size[1])
            above, below = max(int(y0), 0), min(int(y1) + 1, self.size[0])
            x, y = np.arange(first, last) + 0.5, (np.arange(above, below) + 0.5)[:, np.newaxis]
            inside = np.zeros((below - above, last - first), np.bool_)
            for (ax, ay), (bx, by) in zip(points.tolist(), np.roll(points, -1, axis=0).tolist(), strict=True):
                if ay != by:
                    crossed = (y >= ay) != (y >= by)
                    inside ^= crossed & (x < ax + (y - ay) * ((bx - ax) / (by - ay)))
            found[above:below, first:last][inside] = place
        return found.reshape(-1)

    def _stamped(self, layer: ShapeLayer) -> _Stamps:
        """Return the pixels of shapes."""
        if layer.kind == "area":
            return self._filled(layer)
        segments, of = _segments_of(layer.shapes.lines)
        half = max(layer.width * self.scale / 2, _THINNEST)
        ends = self._placed(segments)
        pieces, numbers = _pieces(ends) if layer.caps == "round" else (ends, np.arange(len(ends)))
        found = list(self._covered(pieces, of[numbers], half, round_=layer.caps == "round"))
        pixels, covered, shapes = (np.concatenate([part[i] for part in found]) for i in range(3))
        amounts = np.rint((INKS - 1) * layer.opacity * covered).astype(np.uint8)
        order = np.argsort(amounts, kind="stable")
        order = order[amounts[order] > 0]
        return _Stamps(layer, pixels[order], amounts[order], shapes[order])

    def _filled(self, layer: ShapeLayer) -> _Stamps:
        numbered = layer._replace(shapes=layer.shapes._replace(places=np.arange(len(layer.shapes.places))))
        found = self._areas(numbered)
        pixels = np.flatnonzero(found >= 0)
        return _Stamps(layer, pixels, np.full(len(pixels), INKS - 1, np.uint8), found[pixels])

    def _covered(
        self, pieces: NDArray[np.float64], numbers: NDArray[np.int64], half: float, *, round_: bool
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]]:
        """Yield pixels, how much of each is covered, and numbers, of some pieces of lines at a time."""
        height, width = self.size
        yield np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64)
        for begin in range(0, len(pieces), _AT_A_TIME):
            one, other = pieces[begin : begin + _AT_A_TIME].transpose(1, 0, 2)
            low = np.floor(np.minimum(one, other) - half - 0.5)
            side = int((np.maximum(one, other) - low).max() + half + 2)
            steps = np.arange(side)
            x = low[:, 0, None, None] + steps
            y = low[:, 1, None, None] + steps[:, np.newaxis]
            dx, dy = x + 0.5 - one[:, 0, None, None], y + 0.5 - one[:, 1, None, None]
            ux, uy = (other - one).T[:, :, None, None]
            length = np.maximum(ux * ux + uy * uy, 1e-12)
            along = (dx * ux + dy * uy) / length
            part = np.clip(along, 0, 1)
            amount = np.clip(half + 0.5 - np.hypot(dx - part * ux, dy - part * uy), 0, 1)
            if not round_:
                amount[(along < 0) | (along > 1)] = 0
            at = (amount > 0) & (x >= 0) & (x < width) & (y >= 0) & (y < height)
            piece, row, col = np.nonzero(at)
            pixel = (low[piece, 1].astype(np.int64) + row) * width + low[piece, 0].astype(np.int64) + col
            yield pixel, amount[at], numbers[begin + piece]


def ink_colors(colors: Sequence[Color], paints: int = 16) -> NDArray[np.uint8]:
    """Return red, green and blue of the pixels of a `GraphRaster`, shape (paints * INKS, 3)."""
    plain = np.array(colors[:paints], np.float64)
    share = np.linspace(0, 1, INKS)[:, None, None]
    mixed: NDArray[np.float64] = plain + (plain[Paint.WALL] - plain) * share
    return np.rint(mixed).astype(np.uint8).reshape(-1, 3)


def _pieces(segments: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Cut long lines into short ones; return them and of which line each is."""
    along = segments[:, 1] - segments[:, 0]
    counts = np.maximum(np.ceil(np.hypot(*along.T) / _LONGEST), 1).astype(np.int64)
    numbers = np.repeat(np.arange(len(segments)), counts)
    into = np.arange(len(numbers)) - np.repeat(np.cumsum(counts) - counts, counts)
    ends = [
        segments[numbers, 0] + along[numbers] * ((into + i) / counts[numbers])[:, np.newaxis] for i in (0, 1)
    ]
    return np.stack(ends, axis=1), numbers


def _segments_of(lines: Lines) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the straight parts of lines, both ends the same of a dot, and of which line each is."""
    counts = np.diff(lines.starts)
    last = np.zeros(len(lines.points), np.bool_)
    last[lines.starts[1:][counts > 1] - 1] = True
    begin = np.flatnonzero(~last)
    of = np.repeat(np.arange(len(counts)), counts)[begin]
    end = np.where(counts[of] > 1, begin + 1, begin)
    return np.stack([lines.points[begin], lines.points[end]], axis=1), of
