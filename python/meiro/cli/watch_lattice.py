"""Frames of traces on lattices for ``meiro --watch``: two pixels a character, one above the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro.colors import Theme
from meiro.drawing.graph_outline import plane_to_plot
from meiro.drawing.graph_raster import INKS, GraphRaster
from meiro.drawing.terminal.screen import packed
from meiro.traces.events import Paint
from meiro.traces.frame_deltas import frame_colors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice
    from meiro.traces.trace import Trace

BLOCK = "▀"
_INK = Theme._fields.index("ink")
_EDGE = 0.15  # of a cell: so that outer walls are not cut
_LEAST = 2.3  # pixels of the side of a square in a cell, below which walls hide what happens


class LatticeFrames:
    """Draws frames of traces on a lattice, as large as some columns and lines of a terminal allow.

    Attributes
    ----------
    lacks : float
        How much larger the terminal must be for its cells to be seen; 1 if it is large enough.

    Raises
    ------
    ValueError
        If the lattice has no positions and is not laid out, or is too large to be drawn.
    """

    def __init__(self, lattice: Lattice, columns: int, lines: int) -> None:
        plane = plane_to_plot(lattice)
        left, top, right, bottom = plane.box
        edge = _EDGE * plane.cell
        plane = plane._replace(box=(left - edge, top - edge, right + edge, bottom + edge))
        wide, high = columns, 2 * lines
        tried = GraphRaster(lattice, plane, max(wide, high))
        share = min(high / tried.size[0], wide / tried.size[1])
        self._raster = GraphRaster(lattice, plane, max(int(max(tried.size) * share), 1))
        self.lacks = max(_LEAST / float(np.median(self._raster.rooms)), 1.0)

    def __call__(self, shown: Trace, k: int) -> NDArray[np.uint32]:
        """Return the characters of frame `k` with their colours."""
        pixels = self._raster.draw(frame_colors(shown, k))
        paints = np.where(pixels >> 4 >= INKS // 2, Paint.WALL, pixels & 15)
        paints = np.pad(paints, ((0, len(paints) % 2), (0, 0)))
        picture = packed(ord(BLOCK), paints[::2], paints[1::2])
        for text, x, y, _ in self._raster.titles:
            row, left = max(int(y / 2) - 1, 0), max(round(x - len(text) / 2), 0)
            place = picture[row : row + 1, left : left + len(text)]
            place[:] = packed([*map(ord, text[: place.shape[1]])], _INK, 0)
        return picture
