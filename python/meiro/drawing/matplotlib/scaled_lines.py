"""Lines on matplotlib axes that are as wide as a share of a cell, whatever the figure's size.

This module needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from matplotlib.artist import Artist, allow_rasterization
from matplotlib.lines import Line2D

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from numpy.typing import NDArray

Scale = tuple[float, float, float]
"""A share of a cell, and the least and the most points."""

MOST_CORNERS = 1 << 16
"""Corners of a route in view up to which it is a line; of more only pixels can be seen."""

_AT_ONCE = 1 << 18  # corners
_NONE = 0.0, 0.0, 0.0


def cell_pixels(axes: Axes, renderer: RendererBase) -> float:
    """Return the side of a cell (or site) on the screen, in pixels of the output."""
    (x0, y0), (x1, y1) = axes.transData.transform([(0, 0), (1, 1)])
    return min(abs(float(x1 - x0)), abs(float(y1 - y0))) * renderer.get_image_magnification()


def width_points(axes: Axes, share: float, least: float, most: float) -> float:
    """Return the width of a line that takes up a share of a cell, in points."""
    (x0, y0), (x1, y1) = axes.transData.transform([(0, 0), (1, 1)])
    cell = min(abs(x1 - x0), abs(y1 - y0)) * 72 / axes.figure.get_dpi()
    return float(np.clip(share * cell, least, most))


def axes_of(artist: Artist) -> Axes:
    """Return the axes of an artist that is drawn."""
    return cast("Axes", artist.axes)  # nothing is drawn before it is on axes


class ScaledLine(Line2D):
    """A line and markers as wide as a share of a cell."""

    def __init__(self, x: Any, y: Any, *, line: Scale, mark: Scale, **facts: Any) -> None:
        super().__init__(x, y, **facts)
        self._line, self._mark = line, mark

    @allow_rasterization  # type: ignore[untyped-decorator]  # matplotlib has no types for it
    def draw(self, renderer: RendererBase) -> None:
        """Set the sizes and draw."""
        axes = axes_of(self)
        self.set_linewidth(width_points(axes, *self._line))
        size = width_points(axes, *self._mark)
        self.set_markersize(size)
        self.set_markeredgewidth(size / 10)
        super().draw(renderer)


class RouteLine(ScaledLine):
    """A route of any length: the part in view is drawn, and as pixels if it has too many corners for a line.

    Parameters
    ----------
    corners : ndarray of float32, shape (k, 2)
        (x, y) each; NaN where it is broken.
    line : (float, float, float)
        Its width.
    crowded : float, optional
        Points it takes where it would have less than one: the routes beside it are then below or above it.
    """

    def __init__(
        self, corners: NDArray[np.float32], line: Scale, crowded: float | None = None, **facts: Any
    ) -> None:
        self._usual, self._crowded = line, crowded
        self._corners = corners
        few = len(corners) <= MOST_CORNERS
        shown = corners if few else np.array([np.nanmin(corners, axis=0), np.nanmax(corners, axis=0)])
        super().__init__(shown[:, 0], shown[:, 1], line=line, mark=_NONE, **facts)

    @allow_rasterization  # type: ignore[untyped-decorator]  # matplotlib has no types for it
    def draw(self, renderer: RendererBase) -> None:
        """Draw what is in view."""
        if self._crowded is not None and width_points(axes_of(self), self._usual[0], 0, 1) < 1:
            self._line = (0.0, self._crowded, self._crowded)
        else:
            self._line = self._usual
        if len(self._corners) > MOST_CORNERS and self.get_visible():
            parts = list(self._in_view())
            if sum(map(len, parts)) > MOST_CORNERS:
                self._draw_pixels(renderer, parts)
                return
            self.set_data(*np.concatenate(parts).T)
        super().draw(renderer)

    def _in_view(self) -> Iterator[NDArray[np.float32]]:
        """Yield the corners of the pieces in view, with NaN between them."""
        axes = axes_of(self)
        low, high = np.sort([axes.get_xlim(), axes.get_ylim()], axis=1).T
        low, high = low - 1, high + 1
        for first in range(0, len(self._corners), _AT_ONCE):
            part = self._corners[first : first + _AT_ONCE + 1]
            outside = np.zeros(len(part) - 1, np.bool_)
            for i in (0, 1):
                one, other = part[:-1, i], part[1:, i]
                outside |= (np.maximum(one, other) < low[i]) | (np.minimum(one, other) > high[i])
            kept = np.zeros(len(part), np.bool_)
            kept[:-1] = ~outside
            kept[1:] |= ~outside
            gap = ~kept
            gap[1:] &= kept[:-1]
            gap[0] = False
            there = np.where(gap[:, None], np.float32(np.nan), part)[kept | gap]
            yield np.append(there, [[np.float32(np.nan)] * 2], axis=0)

    def _draw_pixels(self, renderer: RendererBase, parts: list[NDArray[np.float32]]) -> None:
        axes = axes_of(self)
        more = renderer.get_image_magnification()
        left, bottom = np.floor(axes.bbox.min).astype(int)
        width, height = np.ceil(np.subtract(axes.bbox.max, (left, bottom)) * more).astype(int)
        origin, one = axes.transData.transform([(0, 0), (1, 1)])
        scale, shift = np.subtract(one, origin) * more, np.subtract(origin, (left, bottom)) * more
        hit = np.zeros((height, width), np.bool_)
        for part in parts:
            for first in range(0, len(part), _AT_ONCE // 8):
                _mark(hit, part[first : first + _AT_ONCE // 8 + 1] * scale + shift)
        thick = round(width_points(axes, *self._line) * axes.figure.get_dpi() / 72 * more)
        for _ in range(thick - 1):
            hit[1:] |= hit[:-1]
            hit[:, 1:] |= hit[:, :-1]
        image = np.zeros((height, width, 4), np.uint8)
        image[hit] = np.round(np.array(self._rgba()) * 255)
        context = renderer.new_gc()
        context.set_clip_rectangle(axes.bbox)
        renderer.draw_image(context, left, bottom, image)
        context.restore()

    def _rgba(self) -> tuple[float, float, float, float]:
        from matplotlib.colors import to_rgba

        return to_rgba(self.get_color(), self.get_alpha())


def _mark(hit: NDArray[np.bool_], corners: NDArray[np.float64]) -> None:
    """Mark the pixels of straight lines from corner to corner."""
    x, y = np.ascontiguousarray(corners.T, np.float32)
    right, up = np.diff(x), np.diff(y)
    length = np.maximum(np.abs(right), np.abs(up))
    there = np.flatnonzero(length >= 0)  # not NaN
    counts = np.ceil(length[there]).astype(np.int64) + 1
    line = np.repeat(there, counts)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    share = (np.arange(len(line)) - first) / np.repeat(counts, counts).astype(np.float32)
    across, high = ((at[line] + step[line] * share).astype(np.int64) for at, step in ((x, right), (y, up)))
    inside = (across >= 0) & (high >= 0) & (across < hit.shape[1]) & (high < hit.shape[0])
    hit[high[inside], across[inside]] = True
