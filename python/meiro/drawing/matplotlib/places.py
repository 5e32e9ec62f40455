"""A frame of a trace on matplotlib axes: every place of the drawn grid in its colour.

This module needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.artist import Artist, allow_rasterization
from matplotlib.path import Path
from matplotlib.transforms import Bbox, IdentityTransform

from meiro.drawing.matplotlib.scaled_lines import axes_of
from meiro.drawing.raster import runs_of

if TYPE_CHECKING:
    from matplotlib.backend_bases import GraphicsContextBase, RendererBase
    from numpy.typing import NDArray

_WALL = 0.14  # width of a wall, as a share of a cell
_LEAST = 3  # pixels of a cell with a wall: below, colours are averaged
_FAINT = 0.25  # share of a wall where colours are averaged: it stands back
_MOST_DRAWN = 1 << 16  # places that are drawn one by one where there are no pixels
_HAIR = 0.2  # points: closes the seams between what is drawn one by one


class PlacesPicture(Artist):
    """Places and their colours, each in whole pixels where there is room.

    Parameters
    ----------
    places : ndarray of uint8, shape (h, w)
        The index of each colour.
    table : ndarray of uint8, shape (n, 3)
        Red, green and blue of each index.
    cells : bool
        Whether it is the grid of a maze: cell (0, 0) is then the place (1, 1), and walls are thin.
    """

    def __init__(self, places: NDArray[np.uint8], table: NDArray[np.uint8], *, cells: bool) -> None:
        super().__init__()
        self.set_zorder(1.5)
        self._places, self._table, self._cells = places, table, cells

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom, top in data coordinates; of a maze with a quarter of a cell around it."""
        height, width = self._places.shape
        if self._cells:
            return -0.75, width // 2 - 0.25, height // 2 - 0.25, -0.75
        return -0.5, width - 0.5, height - 0.5, -0.5

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:  # noqa: ARG002
        """Return where it is drawn."""
        x0, x1, y0, y1 = self.extent
        return Bbox(axes_of(self).transData.transform([(x0, y0), (x1, y1)]))

    @allow_rasterization  # type: ignore[untyped-decorator]  # matplotlib has no types for it
    def draw(self, renderer: RendererBase) -> None:
        """Draw the part that is in view."""
        spans = self._in_view()
        if not self.get_visible() or spans is None:
            return
        places = self._places[spans[0], spans[1]]
        whole = hasattr(renderer, "buffer_rgba")  # pixels
        (down, up), (across, left) = (self._bounds(side, spans[side], whole=whole) for side in (0, 1))
        places = places[:: -1 if up else 1, :: -1 if left else 1]
        pitch = 2 if self._cells else 1
        sides = [(bounds[-1] - bounds[0]) * pitch / (len(bounds) - 1) for bounds in (down, across)]
        context = renderer.new_gc()
        context.set_clip_rectangle(axes_of(self).bbox)
        if whole and min(sides) >= _LEAST * pitch / 2:
            tall, wide = np.diff(down).astype(int), np.diff(across).astype(int)
            image = self._colored(places.repeat(tall, axis=0).repeat(wide, axis=1))
            renderer.draw_image(context, int(across[0]), int(down[0]), image)
        elif not whole and places.size <= _MOST_DRAWN:
            self._draw_each(renderer, context, places, down, across)
        else:
            more = renderer.get_image_magnification()
            size = [max(round((b[-1] - b[0]) * more), 1) for b in (down, across)]
            image = self._averaged(places, size[0], size[1])
            renderer.draw_image(context, round(across[0]), round(down[0]), image)
        context.restore()
        self.stale = False

    def _in_view(self) -> tuple[slice, slice] | None:
        """Return the rows and columns that are seen, with the walls around them."""
        axes = axes_of(self)
        spans = []
        for limits, count in zip((axes.get_ylim(), axes.get_xlim()), self._places.shape, strict=True):
            low, high = np.floor(min(limits) + 0.5), np.ceil(max(limits) + 0.5)
            if self._cells:
                low, high = 2 * low, 2 * high + 1
            first, last = max(int(low), 0), min(int(high), count)
            if first >= last:
                return None
            spans.append(slice(first, last))
        return spans[0], spans[1]

    def _bounds(self, side: int, span: slice, *, whole: bool) -> tuple[NDArray[np.float64], bool]:
        """Return the pixels between which the rows (side 0) or columns lie, and whether they are turned."""
        first, count = span.start, span.stop - span.start
        at = (
            np.arange(count // 2 + 1) + first // 2 - 0.5
            if self._cells
            else np.arange(count + 1) + first - 0.5
        )
        points = np.zeros((len(at), 2))
        points[:, 1 - side] = at
        bounds = axes_of(self).transData.transform(points)[:, 1 - side]
        turned = bool(bounds[-1] < bounds[0])
        if turned:
            bounds = bounds[::-1]
        if whole:
            bounds = np.round(bounds)
        if not self._cells:
            return bounds, turned
        wall = _WALL * (bounds[-1] - bounds[0]) / max(len(bounds) - 1, 1)
        if whole:
            wall = max(round(wall), 1)
        begin = bounds - (wall // 2 if whole else wall / 2)
        return np.stack([begin, begin + wall], axis=1).reshape(-1), turned

    def _colored(self, places: NDArray[np.uint8]) -> NDArray[np.uint8]:
        image = np.full((*places.shape, 4), 255, np.uint8)
        image[..., :3] = self._table[places]
        return image

    def _averaged(self, places: NDArray[np.uint8], height: int, width: int) -> NDArray[np.uint8]:
        """Return the average colours: of whole cells, so that the lattice makes no pattern of its own."""
        image = np.full((height, width, 4), 255, np.uint8)
        for i in range(3):
            shade = self._table[:, i].astype(np.float32)[places]
            if self._cells:
                shade = (1 - _FAINT) * shade[:, 1::2] + _FAINT * shade[:, :-1:2]
                shade = (1 - _FAINT) * shade[1::2] + _FAINT * shade[:-1:2]
            image[..., i] = np.round(_resized(shade, height, width))
        return image

    def _draw_each(
        self,
        renderer: RendererBase,
        context: GraphicsContextBase,
        places: NDArray[np.uint8],
        down: NDArray[np.float64],
        across: NDArray[np.float64],
    ) -> None:
        for index in np.unique(places).tolist():
            row, first, last = runs_of(places == index).T
            x, x1, y, y1 = across[first], across[last], down[row], down[row + 1]
            corners = np.stack([(x, y), (x1, y), (x1, y1), (x, y1), (x, y)]).transpose(2, 0, 1)
            codes = np.tile(np.array([1, 2, 2, 2, 79], Path.code_type), len(row))
            color = tuple((self._table[index] / 255).tolist())
            context.set_foreground(color)
            context.set_linewidth(_HAIR)
            renderer.draw_path(context, Path(corners.reshape(-1, 2), codes), IdentityTransform(), color)


def _resized(shade: NDArray[np.float32], height: int, width: int) -> NDArray[np.float32]:
    """Return averages, or where there is more than a pixel for each the nearest."""
    for axis, size in enumerate((height, width)):
        count = shade.shape[axis]
        if size >= count:
            shade = shade.take(np.arange(size) * count // size, axis=axis)
            continue
        cuts = np.arange(size + 1) * count // size
        wide = np.diff(cuts).reshape((-1, 1) if axis == 0 else (1, -1))
        shade = np.add.reduceat(shade, cuts[:-1], axis=axis) / wide
    return shade
