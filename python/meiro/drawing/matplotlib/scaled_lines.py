"""Lines and markers on matplotlib axes whose width is a share of a cell, whatever the size of the figure.

This module needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from matplotlib.artist import Artist, allow_rasterization
from matplotlib.lines import Line2D
from matplotlib.path import Path

from meiro.drawing.lines import pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from numpy.typing import ArrayLike, NDArray

    from meiro.drawing.lines import Lines

Scale = tuple[float, float, float]
"""A share of a cell, and the least and the most points."""

_NONE = 0.0, 0.0, 0.0
_CHUNK = 1 << 16  # corners that are drawn at a time: Agg may refuse a path of millions


def cell_pixels(axes: Axes, renderer: RendererBase) -> float:
    """Return the side of a cell (or site) in pixels of the output."""
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
    """A line and markers as wide as a share of a cell.

    Parameters
    ----------
    x, y : array_like
        The corners of the line, any number of them.
    line, mark : (float, float, float)
        The width of the line and the size of the markers: share of a cell, least and most points.
    crowded : float, optional
        Points of the line where its share of a cell is less than one point.
    edge : float
        The width of the edges of markers, as a share of their size.
    """

    def __init__(
        self,
        x: Any,
        y: Any,
        *,
        line: Scale = _NONE,
        mark: Scale = _NONE,
        crowded: float | None = None,
        edge: float = 0.1,
        **style: Any,
    ) -> None:
        super().__init__(x, y, **style)
        self._line, self._mark, self._crowded, self._edge = line, mark, crowded, edge

    @allow_rasterization  # type: ignore[untyped-decorator]  # matplotlib has no types for it
    def draw(self, renderer: RendererBase) -> None:
        """Set the sizes and draw."""
        axes = axes_of(self)
        if self._crowded is not None and width_points(axes, self._line[0], 0, 1) < 1:
            self.set_linewidth(self._crowded)
        else:
            self.set_linewidth(width_points(axes, *self._line))
        size = width_points(axes, *self._mark)
        self.set_markersize(size * (1 - self._edge + 0.1))
        self.set_markeredgewidth(size * self._edge)
        self._draw_pieces(renderer)

    def _draw_pieces(self, renderer: RendererBase) -> None:
        super().draw(renderer)


class PathLine(ScaledLine):
    """A path as a line, drawn some corners at a time: matplotlib would copy all of them several times.

    Parameters
    ----------
    corners : ndarray of float32, shape (k, 2)
        (x, y) of each.
    style
        As of `ScaledLine`.
    """

    def __init__(self, corners: NDArray[np.float32], **style: Any) -> None:
        self._corners = corners if len(corners) > _CHUNK else None
        if self._corners is not None:
            corners = np.stack([np.nanmin(corners, axis=0), np.nanmax(corners, axis=0)])
        super().__init__(corners[:, 0], corners[:, 1], **style)

    def get_xydata(self) -> ArrayLike:
        """Return all corners."""
        return super().get_xydata() if self._corners is None else self._corners

    def get_xdata(self, orig: bool = True) -> ArrayLike:  # noqa: FBT001, FBT002  # as matplotlib has it
        """Return x of all corners."""
        return super().get_xdata(orig) if self._corners is None else self._corners[:, 0]

    def get_ydata(self, orig: bool = True) -> ArrayLike:  # noqa: FBT001, FBT002
        """Return y of all corners."""
        return super().get_ydata(orig) if self._corners is None else self._corners[:, 1]

    def _draw_pieces(self, renderer: RendererBase) -> None:
        if self._corners is None:
            super()._draw_pieces(renderer)
            return
        piece = copy.copy(self)
        piece.stale_callback = None
        for first in range(0, len(self._corners) - 1, _CHUNK):
            piece.set_data(*self._corners[first : first + _CHUNK + 1].T)
            piece.get_path().simplify_threshold = 0.5  # pixels
            Line2D.draw(piece, renderer)
        self.stale = False


def paths_of(lines: Lines, most: int) -> Iterator[Path]:
    """Yield straight lines as paths, about `most` points at a time: long ones are cut, closed ones closed."""
    for points, starts, _ in pieces_of(lines, most):
        codes = np.full(len(points), Path.LINETO, Path.code_type)
        first, last = starts[:-1], starts[1:] - 1
        codes[first] = Path.MOVETO
        closed = last[(points[first] == points[last]).all(axis=1) & (last > first)]
        codes[closed] = Path.CLOSEPOLY
        path = Path(points, codes)
        path.should_simplify = False  # every line counts
        yield path
