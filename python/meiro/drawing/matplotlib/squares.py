"""A maze of squares, or an array of walls and roads, on matplotlib axes: what `meiro.plot` does not share.

This module needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro.drawing.labels import array_of_shape, shown_numbers, texts_of
from meiro.drawing.matplotlib.cell_labels import write_labels
from meiro.drawing.matplotlib.maze_artist import MazeArtist
from meiro.drawing.matplotlib.overlays import EDGE, bare, color_bar, usual_colors
from meiro.drawing.raster import block_means
from meiro.drawing.routes import parse_routes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.paper import Outside
    from meiro.drawing.matplotlib.overlays import Point, Style
    from meiro.drawing.routes import Route

    Texts = tuple[NDArray[np.int64], NDArray[np.str_]]
    Masked = np.ma.MaskedArray[Any, Any]

    Grid = Any  # `Squares` or `Sites` of meiro.spaces.grids

_VALUES_SIDE = 1024  # more values a side are averaged: matplotlib takes 60 bytes for each to draw them


class SquaresPlot:
    """Draws a window of a maze, ((top, height), (left, width)), cell (row, col) at x = col, y = row."""

    cell = 1.0

    def __init__(
        self, space: Grid, window: tuple[tuple[int, int], tuple[int, int]], outside: Outside
    ) -> None:
        self._space, self._outside = space, outside
        (self._top, self._height), (self._left, self._width) = window
        self._part = (
            slice(self._top, self._top + self._height),
            slice(self._left, self._left + self._width),
        )

    def routes(self, solution: Any) -> list[Route]:
        """Return the routes, without ends that are not in view."""
        drawn: Any = self._space.walls if self._space.sites else self._space.x
        routes = []
        for route in parse_routes(drawn, solution):
            start, goal = (end if self._in_view(end) else None for end in route.ends)
            routes.append(route._replace(ends=(start, goal)))
        return routes

    def _in_view(self, end: Any) -> bool:
        rows, cols = self._part
        return bool(end) and rows.start <= end[0] < rows.stop and cols.start <= end[1] < cols.stop

    def point(self, end: Any) -> Point:
        """Return (x, y) of an end."""
        row, col = end
        return col, row

    def values(self, given: ArrayLike) -> Masked:
        """Return the values in view, blank ones masked, averaged where a screen cannot show them all."""
        shown = shown_numbers(array_of_shape(given, self._space.shape, "values")[self._part])
        height, width = (min(side, _VALUES_SIDE) for side in shown.shape)
        if (height, width) != shown.shape:
            return block_means(shown, (height, width))
        return (
            _extended_under_walls(shown, self._space.walls[self._part] == 1) if self._space.sites else shown
        )

    def texts(self, labels: Any, marks: Any) -> Texts | None:
        """Return the numbers of places in view, and their labels; None if there are none."""
        return texts_of(self._space, labels, marks, self._part)

    def draw(
        self, ax: Axes, style: Style, shown: Masked | None, seen: NDArray[np.bool_] | None
    ) -> NDArray[np.float64] | None:
        """Draw walls and values; return the colour of each cell in view, None if they have none."""
        theme = style.colors.theme
        self._note = ax.annotate(
            "", (1, 0), (0, -4), "axes fraction", "offset points", ha="right", va="top", size="small",
            color=style.colors.faint,
        )  # fmt: skip
        artist = MazeArtist(
            self._space,
            seen,
            wall=theme.wall.unit,
            visited=theme.visited.unit,
            note=self._note,
            over_values=shown is not None,
            outside=self._outside,
        )
        left, right, bottom, top = artist.extent
        rows, cols = self._part
        (low, high), (first, last) = ((s.start - 0.5 - EDGE, s.stop - 0.5 + EDGE) for s in (rows, cols))
        view = max(first, left), min(last, right), min(high, bottom), max(low, top)
        bare(ax, artist.extent, view, theme.road.unit)
        ax.add_artist(artist)
        if shown is None:
            return None
        extent = cols.start - 0.5, cols.stop - 0.5, rows.stop - 0.5, rows.start - 0.5
        cmap, (least, most) = usual_colors(style.colors, style.cmap), style.limits
        image = ax.imshow(
            shown, cmap=cmap, vmin=least, vmax=most, extent=extent, interpolation="nearest", zorder=0.5
        )
        ax.set(xlim=view[:2], ylim=view[2:])
        if style.bar:
            color_bar(ax, image, (view[2] - extent[2]) / (view[2] - view[3]), style.colors)
        is_averaged = shown.shape != (self._height, self._width)
        return None if is_averaged else np.asarray(image.to_rgba(shown)).reshape(-1, 4)

    def draw_over(self, ax: Axes, style: Style, routes: Sequence[Route], fills: object) -> None:
        """Draw what lies over paths: nothing."""

    def write(self, ax: Axes, texts: Texts, behind: NDArray[np.float64]) -> None:
        """Write the labels on grounds of these colours."""
        numbers, words = texts
        places = np.stack(np.divmod(numbers, self._space.shape[1])[::-1], axis=1).astype(np.float64)
        write_labels(ax, words, places, np.ones(len(places)), behind)

    def index(self, end: Any) -> int:
        """Return the number of the cell of an end."""
        row, col = end
        return int(round(row) * self._space.shape[1] + round(col))

    def behind(self, numbers: NDArray[np.int64], fills: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the colours of places, of those of all that are in view."""
        rows, cols = np.divmod(numbers, self._space.shape[1])
        return np.asarray(fills[(rows - self._top) * self._width + cols - self._left])

    def make_room(self, lines: int) -> None:
        """Move what stands below for a legend of so many lines."""
        self._note.set_position((0, -6 - 14 * lines))


def _extended_under_walls(values: Masked, walls: NDArray[np.bool_]) -> Masked:
    """Extend values to the walls beside them, so that no seam and no speckle is left around the walls."""
    filled: Masked = values.copy()
    for axis in (0, 1):
        for step in (1, -1):
            shifted = np.ma.masked_all_like(filled)  # type: ignore[no-untyped-call]
            to, of = (slice(1, None), slice(None, -1))[::step]
            whole = (slice(None),) * axis
            shifted[(*whole, to)] = filled[(*whole, of)]
            fill = walls & np.ma.getmaskarray(filled) & ~np.ma.getmaskarray(shifted)
            filled[fill] = shifted[fill]
    return filled
