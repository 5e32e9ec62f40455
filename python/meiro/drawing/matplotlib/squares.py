"""A maze of squares, or an array of walls and roads, on matplotlib axes: what `meiro.plot` does not share.

The walls are an artist that gets its sizes when it is drawn: so a figure may be resized, zoomed, or saved at
any resolution, and they stay sharp. This module needs matplotlib; nothing imports it before a plot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.artist import Artist, allow_rasterization
from matplotlib.patches import PathPatch
from matplotlib.transforms import Bbox

from meiro.drawing.lines import lines_between
from meiro.drawing.matplotlib.overlays import (
    EDGE,
    axes_of,
    bare,
    color_bar,
    paths_of,
    usual_colors,
    width_points,
)
from meiro.drawing.picture import geometry_of
from meiro.drawing.raster import Span, block_means, run_boxes, wall_coverage, wall_segments
from meiro.drawing.routes import parse_routes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from matplotlib.text import Annotation
    from numpy.typing import NDArray

    from meiro._utils.paper import Outside
    from meiro.colors import Theme
    from meiro.drawing.matplotlib.overlays import CellColors, Style
    from meiro.drawing.picture import Picture
    from meiro.drawing.routes import Route
    from meiro.mazes.maze import Maze

    Grid = Any  # `Squares` or `Sites` of meiro.spaces.grids

    Masked = np.ma.MaskedArray[Any, Any]

LINES_UP_TO = 1 << 17
"""Cells in view up to which the walls are lines; more are an image."""

_CORNERS = 5 * LINES_UP_TO  # of lines and areas that are drawn at a time
_LEAST_CELL = 2.5  # pixels: below, lines would leave no road
_WALL = 0.14, 0.25, 4.0  # width of a wall: share of a cell, least, most points
_LETTER = 4.5  # points of a letter of the note
_FAINT = 0.5  # darkness of walls in a reduced picture of a maze, so that colours can be seen
_VALUES_SIDE = 1024  # more values a side are averaged: matplotlib takes 60 bytes for each to draw them


class MazeArtist(Artist):
    """Walls and explored cells: walls are lines if the cells are large enough, else an image.

    Parameters
    ----------
    space : Squares or Sites
        A maze, or an array.
    seen : ndarray of bool, optional
        The explored cells of a maze, or sites of an array.
    theme : Theme
        Their colours.
    note : Annotation
        Gets a text if the picture is reduced.
    over_values : bool
        Whether the colours below stand for numbers: a reduced picture then leaves out the walls.
    outside : {"blank", "wall"}
        Whether masked-out cells are left out, or filled with wall.
    """

    def __init__(
        self,
        space: Grid,
        seen: NDArray[np.bool_] | None,
        theme: Theme,
        note: Annotation,
        *,
        over_values: bool,
        outside: Outside,
    ) -> None:
        super().__init__()
        self.set_zorder(1.5)
        self._space, self._seen, self._note, self._over_values = space, seen, note, over_values
        self._wall, self._visited, self._outside = theme.wall.unit, theme.visited.unit, outside
        self._lines: tuple[object, list[PathPatch]] = (None, [])

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom, top in data coordinates."""
        rows, cols = self._space.shape
        edge = 0.5 if self._space.sites else 0.75
        return -edge, cols - 1 + edge, rows - 1 + edge, -edge

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:  # noqa: ARG002
        """Return the pixels that the maze takes up."""
        x0, x1, y0, y1 = self.extent
        return Bbox(axes_of(self).transData.transform([(x0, y0), (x1, y1)]))

    @allow_rasterization  # type: ignore[untyped-decorator]  # matplotlib has no types for it
    def draw(self, renderer: RendererBase) -> None:
        """Draw the part that is in view."""
        if not self.get_visible():
            return
        self._note.set_text("")
        view = self._cells_in_view()
        if view is not None:
            (top, bottom), (left, right) = view
            few = (bottom - top) * (right - left) <= LINES_UP_TO
            pixel = axes_of(self).figure.get_dpi() / 72 * renderer.get_image_magnification()
            fits = few and pixel * width_points(axes_of(self), 1, 0, np.inf) >= _LEAST_CELL
            if fits and not self._space.sites:
                self._draw_lines(self._space.x, renderer, *view)
            else:
                self._draw_image(renderer)
        self.stale = False

    def _cells_in_view(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        axes = axes_of(self)
        spans = []
        for limits, count in zip((axes.get_ylim(), axes.get_xlim()), self._space.shape, strict=True):
            first = max(int(np.floor(min(limits) + 0.5)), 0)
            last = min(int(np.ceil(max(limits) + 0.5)), count)
            if first >= last:
                return None
            spans.append((first, last))
        return spans[0], spans[1]

    # Lines

    def _draw_lines(
        self, maze: Maze, renderer: RendererBase, rows: tuple[int, int], cols: tuple[int, int]
    ) -> None:
        if self._lines[0] != (rows, cols):
            self._lines = (rows, cols), self._patches(maze, rows, cols)
        axes = axes_of(self)
        width = width_points(axes, *_WALL)
        if hasattr(renderer, "buffer_rgba"):  # pixels: a whole number of them
            pixel = axes.figure.get_dpi() / 72
            width = max(round(width * pixel), 1) / pixel
        for patch in self._lines[1]:
            if not patch.get_fill():
                patch.set_linewidth(width)
            patch.axes = axes
            patch.set_figure(axes.figure)
            patch.set_transform(axes.transData)
            patch.set_clip_path(axes.patch)
            patch.draw(renderer)

    def _patches(self, maze: Maze, rows: tuple[int, int], cols: tuple[int, int]) -> list[PathPatch]:
        place = slice(*rows), slice(*cols)
        origin = np.array([cols[0], rows[0]])
        filled = [] if self._seen is None else [(self._seen[place], self._visited)]
        if maze.mask is not None and self._outside == "wall":
            filled.append((~maze.mask[place], self._wall))
        found = []
        for cells, color in filled:
            boxes = run_boxes(cells)
            lines = boxes._replace(points=boxes.points + origin - 0.5)
            # The thin edge closes the seams between rows.
            found.append((lines, {"fill": True, "color": color, "linewidth": 0.3}))
        walls = lines_between(wall_segments(maze, rows, cols, outside=self._outside) - 0.5)
        found.append((walls, {"fill": False, "edgecolor": self._wall, "capstyle": "projecting"}))
        return [
            PathPatch(path, snap=True, **style)
            for lines, style in found
            for path in paths_of(lines, _CORNERS)
        ]

    # Image

    def _draw_image(self, renderer: RendererBase) -> None:
        scale = renderer.get_image_magnification()
        whole = self.get_window_extent()
        view = axes_of(self).bbox
        pixels = []
        for side in (0, 1):
            first, last = np.sort(whole.get_points()[:, side])
            low, high = round(first), max(round(last), round(first) + 1)
            begin = max(low, int(np.floor(view.min[side])))
            end = min(high, int(np.ceil(view.max[side])))
            if begin >= end:
                return
            pixels.append((low, high, begin, end))
        across, down = (self._span(side, pixels[side], scale) for side in (0, 1))
        walls, seen = wall_coverage(self._space, self._seen, down, across, outside=self._outside)
        if max(down.step, across.step) > 1:
            walls, seen = self._lightened(walls, seen)
            self._note.set_text(self._reduced(down, across))
        image = self._colors(walls, seen)[:: -1 if self._falls(1) else 1, :: -1 if self._falls(0) else 1]
        context = renderer.new_gc()
        context.set_clip_rectangle(view)
        renderer.draw_image(context, pixels[0][2], pixels[1][2], np.ascontiguousarray(image))
        context.restore()

    def _falls(self, side: int) -> bool:
        """Whether x or y falls to the right or upwards."""
        low, high = axes_of(self).transData.transform([(0, 0), (1, 1)])[:, side]
        return bool(high < low)

    def _span(self, side: int, pixels: tuple[int, int, int, int], scale: float) -> Span:
        """Return the sites of the pixels, in the order of the sites."""
        low, high, begin, end = pixels
        count = self._space.shape[1 - side]
        step = (count if self._space.sites else 2 * count + 1) / (high - low)
        before = high - end if self._falls(side) else begin - low
        return Span(before * step, step / scale, max(round((end - begin) * scale), 1))

    def _lightened(
        self, walls: NDArray[np.float32], seen: NDArray[np.float32] | None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Make walls lighter in a reduced picture, except where there is nothing but wall."""
        factor = 0.0 if self._over_values else 1.0 if self._space.sites else _FAINT
        light = np.where(walls < 1, walls * np.float32(factor), np.float32(1))
        if seen is not None:
            seen = seen / np.maximum(1 - walls, np.float32(1e-9)) * (1 - light)
        return light, seen

    def _colors(self, walls: NDArray[np.float32], seen: NDArray[np.float32] | None) -> NDArray[np.uint8]:
        """Return RGBA; road is transparent."""
        alpha: NDArray[Any] = walls
        color: NDArray[Any] = np.array(self._wall, np.float32)
        if seen is not None:
            alpha = walls + seen
            part = (seen / np.maximum(alpha, 1e-9))[..., None]
            color = color * (1 - part) + np.array(self._visited, np.float32) * part
        image = np.empty((*walls.shape, 4), np.uint8)
        image[..., :3], image[..., 3] = np.round(color * 255), np.round(alpha * 255)
        return image

    def _reduced(self, down: Span, across: Span) -> str:
        unit = 1 if self._space.sites else 2
        rows, cols = (int(s.step * s.pixels / unit + 1e-6) for s in (down, across))  # whole ones
        text = f"reduced: {rows} x {cols} {self._space.units} in {down.pixels} x {across.pixels} pixels"
        axes = axes_of(self)
        place = axes.get_subplotspec()
        beside = place is not None and place.get_gridspec().ncols > 1  # others, on which it would be written
        room = axes.bbox.width * 72 / axes.figure.get_dpi() / _LETTER
        return "reduced" if beside and len(text) > room else text


class SquaresPlot:
    """Draws some rows and columns of a maze, cell (row, col) at x = col, y = row."""

    def __init__(self, space: Grid, part: tuple[slice, slice], outside: Outside) -> None:
        self.space, self.part, self._outside = space, part, outside
        self._drawn: Any = space.walls if space.sites else space.x
        self.geometry = geometry_of(self._drawn)

    def routes(self, solution: Any) -> list[Route]:
        """Return the routes, without ends that are not in view."""
        routes = []
        for route in parse_routes(self._drawn, solution):
            start, goal = (end if self._in_view(end) else None for end in route.ends)
            routes.append(route._replace(ends=(start, goal)))
        return routes

    def _in_view(self, end: Any) -> bool:
        rows, cols = self.part
        return bool(end) and rows.start <= end[0] < rows.stop and cols.start <= end[1] < cols.stop

    def draw(
        self,
        ax: Axes,
        style: Style,
        values: Masked | None,
        picture: Picture,
    ) -> CellColors | None:
        """Draw walls and values; return what gives the colours of cells in view, None if they have none."""
        theme = style.colors.theme
        self._note = ax.annotate(
            "", (1, 0), (0, -4), "axes fraction", "offset points", ha="right", va="top", size="small",
            color=style.colors.faint,
        )  # fmt: skip
        has_values = values is not None
        artist = MazeArtist(
            self.space, picture.seen, theme, self._note, over_values=has_values, outside=self._outside
        )
        left, right, bottom, top = artist.extent
        rows, cols = self.part
        (low, high), (first, last) = ((s.start - 0.5 - EDGE, s.stop - 0.5 + EDGE) for s in (rows, cols))
        view = max(first, left), min(last, right), min(high, bottom), max(low, top)
        bare(ax, artist.extent, view, theme.road.unit)
        ax.add_artist(artist)
        if values is None:
            return None
        height, width = (min(side, _VALUES_SIDE) for side in values.shape)
        is_averaged = (height, width) != values.shape  # where a screen cannot show them all
        if is_averaged:
            values = block_means(values, (height, width))
        elif self.space.sites:
            values = _extended_under_walls(values, self.space.walls[self.part] == 1)
        extent = cols.start - 0.5, cols.stop - 0.5, rows.stop - 0.5, rows.start - 0.5
        cmap, (least, most) = usual_colors(style.colors, style.cmap), style.limits
        image = ax.imshow(
            values, cmap=cmap, vmin=least, vmax=most, extent=extent, interpolation="nearest", zorder=0.5
        )
        ax.set(xlim=view[:2], ylim=view[2:])
        if style.bar:
            color_bar(ax, image, (view[2] - extent[2]) / (view[2] - view[3]), style.colors)
        if is_averaged:
            return None
        fills = np.asarray(image.to_rgba(values))

        def own(numbers: NDArray[np.int64]) -> NDArray[np.float64]:
            row, col = np.divmod(numbers, self.space.shape[1])
            found = np.asarray(fills[row - rows.start, col - cols.start])
            return np.where(self.geometry.are_walls(numbers)[:, np.newaxis], 0, found)

        return own

    def make_room(self, lines: int) -> None:
        """Move what stands below for a legend of `lines` lines."""
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
