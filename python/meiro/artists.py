"""What `meiro.plot` puts on matplotlib axes: everything is sized when it is drawn.

So a figure may be resized, zoomed, or saved at any resolution, and the walls stay crisp. This module needs
matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.artist import Artist, allow_rasterization
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Bbox

from meiro.maze import Maze
from meiro.raster import Span, runs_of, shares, wall_segments

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from matplotlib.text import Annotation
    from numpy.typing import NDArray

Rgb = tuple[float, float, float]

LINES_UP_TO = 1 << 17
"""Cells in view up to which the walls are lines; more are an image."""

_LEAST_CELL = 2.5  # pixels: below, lines would leave no road
_WALL, _WALL_MOST = 0.14, 4.0  # width of a wall: share of a cell, at most so many points


def cell_pixels(axes: Axes, renderer: RendererBase) -> float:
    """Return the side of a cell (or site) on the screen, in pixels of the output."""
    (x0, y0), (x1, y1) = axes.transData.transform([(0, 0), (1, 1)])
    return float(min(abs(x1 - x0), abs(y1 - y0))) * renderer.get_image_magnification()


def width_points(axes: Axes, share: float, least: float, most: float) -> float:
    """Return the width of a line that takes up a share of a cell, in points."""
    (x0, y0), (x1, y1) = axes.transData.transform([(0, 0), (1, 1)])
    cell = min(abs(x1 - x0), abs(y1 - y0)) * 72 / axes.figure.get_dpi()  # type: ignore[union-attr]
    return float(np.clip(share * cell, least, most))


class ScaledLine(Line2D):
    """A line and markers as wide as a share of a cell."""

    def __init__(
        self, x: Any, y: Any, *, line: tuple[float, float, float], mark: tuple[float, float, float], **facts: Any
    ) -> None:
        super().__init__(x, y, **facts)
        self._line, self._mark = line, mark

    @allow_rasterization
    def draw(self, renderer: RendererBase) -> None:
        """Set the sizes and draw."""
        if self.axes is not None:
            self.set_linewidth(width_points(self.axes, *self._line))
            self.set_markersize(width_points(self.axes, *self._mark))
        super().draw(renderer)


class MazePicture(Artist):
    """Walls and what was seen, as lines where they fit and as an image where they do not.

    Parameters
    ----------
    x : Maze or ndarray of uint8, shape (h, w)
    seen : ndarray of bool, optional
        Cells of a maze, sites of an array.
    wall, visited : (float, float, float)
        Colours.
    note : Annotation
        Says so when the picture is reduced.
    """

    def __init__(
        self, x: Maze | NDArray[np.uint8], seen: NDArray[np.bool_] | None, *, wall: Rgb, visited: Rgb, note: Annotation
    ) -> None:
        super().__init__()
        self.set_zorder(1.5)
        self._x, self._seen, self._wall, self._visited, self._note = x, seen, wall, visited, note
        self._lines: tuple[object, list[PathPatch]] = (None, [])

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom, top in data coordinates."""
        if isinstance(self._x, Maze):
            return -0.75, self._x.cols - 0.25, self._x.rows - 0.25, -0.75
        height, width = self._x.shape
        return -0.5, width - 0.5, height - 0.5, -0.5

    def get_window_extent(self, renderer: RendererBase | None = None) -> Bbox:  # noqa: ARG002
        """Return where it is drawn."""
        x0, x1, y0, y1 = self.extent
        return Bbox(self._axes().transData.transform([(x0, y0), (x1, y1)]))

    def _axes(self) -> Axes:
        if self.axes is None:
            msg = "the picture is on no axes"
            raise ValueError(msg)
        return self.axes

    @allow_rasterization
    def draw(self, renderer: RendererBase) -> None:
        """Draw the part that is in view."""
        if not self.get_visible():
            return
        self._note.set_text("")
        view = self._cells_in_view()
        if isinstance(self._x, Maze) and view is not None:
            (top, bottom), (left, right) = view
            cells = (bottom - top) * (right - left)
            if cells <= LINES_UP_TO and cell_pixels(self._axes(), renderer) >= _LEAST_CELL:
                self._draw_lines(self._x, renderer, *view)
            else:
                self._draw_image(renderer)
        elif view is not None:
            self._draw_image(renderer)
        self.stale = False

    def _cells_in_view(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        rows, cols = (self._x.rows, self._x.cols) if isinstance(self._x, Maze) else self._x.shape
        axes = self._axes()
        spans = []
        for limits, count in ((axes.get_ylim(), rows), (axes.get_xlim(), cols)):
            first = max(int(np.floor(min(limits) + 0.5)), 0)
            last = min(int(np.ceil(max(limits) + 0.5)), count)
            if first >= last:
                return None
            spans.append((first, last))
        return spans[0], spans[1]

    # Lines

    def _draw_lines(self, maze: Maze, renderer: RendererBase, rows: tuple[int, int], cols: tuple[int, int]) -> None:
        if self._lines[0] != (rows, cols):
            self._lines = (rows, cols), self._patches(maze, rows, cols)
        axes = self._axes()
        width = width_points(axes, _WALL, 0.25, _WALL_MOST)
        if hasattr(renderer, "buffer_rgba"):  # pixels: a whole number of them
            pixel = renderer.points_to_pixels(1.0)
            width = max(round(width * pixel), 1) / pixel
        for patch in self._lines[1]:
            if not patch.get_fill():
                patch.set_linewidth(width)
            patch.axes = axes
            patch.set_figure(axes.figure)  # type: ignore[arg-type]  # or of a subfigure
            patch.set_transform(axes.transData)
            patch.set_clip_path(axes.patch)
            patch.draw(renderer)

    def _patches(self, maze: Maze, rows: tuple[int, int], cols: tuple[int, int]) -> list[PathPatch]:
        place = slice(*rows), slice(*cols)
        origin = np.array([cols[0], rows[0]])
        patches = []
        if self._seen is not None:
            patches.append(_filled(self._seen[place], origin, self._visited))
        if maze.mask is not None:
            patches.append(_filled(~maze.mask[place], origin, self._wall))
        lines = wall_segments(maze, rows, cols) - 0.5
        codes = np.tile(np.array([Path.MOVETO, Path.LINETO], Path.code_type), len(lines))
        path = Path(lines.reshape(-1, 2), codes)
        path.should_simplify = False  # every line counts
        walls = PathPatch(path, fill=False, edgecolor=self._wall, capstyle="projecting", snap=True)
        return [*patches, walls]

    # Image

    def _draw_image(self, renderer: RendererBase) -> None:
        scale = renderer.get_image_magnification()
        whole = self.get_window_extent()
        view = self._axes().bbox
        pixels = []
        for side in (0, 1):
            first, last = np.sort(whole.get_points()[:, side])
            low, high = round(first), max(round(last), round(first) + 1)
            begin = max(low, int(np.floor(view.min[side])))
            end = min(high, int(np.ceil(view.max[side])))
            if begin >= end:
                return
            pixels.append((low, high, begin, end))
        across, down = (self._span(side, *pixels[side], scale) for side in (0, 1))
        walls, seen = shares(self._x, self._seen, down, across)
        image = self._colors(walls, seen)
        if (self._axes().transData.transform([(0, 0), (0, 1)])[1] @ (0, 1)) > (
            self._axes().transData.transform((0, 0))[1]
        ):
            image = image[::-1]  # y points up
        if max(down.step, across.step) > 1:
            self._note.set_text(self._reduced(down, across))
        context = renderer.new_gc()  # type: ignore[no-untyped-call]
        context.set_clip_rectangle(view)
        renderer.draw_image(context, pixels[0][2], pixels[1][2], np.ascontiguousarray(image))
        context.restore()

    def _span(self, side: int, low: int, high: int, begin: int, end: int, scale: float) -> Span:
        """Return the sites of the pixels from the left, or from the top, which is the high end of a figure."""
        if isinstance(self._x, Maze):
            sites = 2 * (self._x.rows if side else self._x.cols) + 1
        else:
            sites = self._x.shape[0 if side else 1]
        step = sites / (high - low)
        before = high - end if side else begin - low
        return Span(before * step, step / scale, max(round((end - begin) * scale), 1))

    def _colors(self, walls: NDArray[np.float32], seen: NDArray[np.float32] | None) -> NDArray[np.uint8]:
        """Return RGBA: road is left clear, what lies below shows."""
        image = np.empty((*walls.shape, 4), np.uint8)
        image[..., :3] = np.round(np.array(self._wall) * 255)
        alpha = walls
        if seen is not None:
            alpha = walls + seen
            part = (seen / np.maximum(alpha, 1e-9))[..., None]
            mixed = np.array(self._wall, np.float32) * (1 - part) + np.array(self._visited, np.float32) * part
            image[..., :3] = np.round(mixed * 255)
        image[..., 3] = np.round(alpha * 255)
        return image

    def _reduced(self, down: Span, across: Span) -> str:
        in_cells = isinstance(self._x, Maze)
        rows, cols = (round(s.step * s.pixels / (2 if in_cells else 1)) for s in (down, across))
        what = "cells" if in_cells else "sites"
        return f"reduced: {rows} x {cols} {what} in {down.pixels} x {across.pixels} pixels"


def _filled(cells: NDArray[np.bool_], origin: NDArray[np.int64], color: Rgb) -> PathPatch:
    """Fill whole cells; the hair-thin edge closes the seams between rows."""
    row, first, last = runs_of(cells).T
    corners = np.stack([(first, row), (last, row), (last, row + 1), (first, row + 1), (first, row)], axis=0)
    vertices = corners.transpose(2, 0, 1).reshape(-1, 2) + origin - 0.5
    codes = np.tile(np.array([1, 2, 2, 2, 79], Path.code_type), len(row))
    path = Path(vertices, codes)
    path.should_simplify = False
    return PathPatch(path, facecolor=color, edgecolor=color, linewidth=0.3, snap=True)


def written(labels: NDArray[np.str_], pick: NDArray[np.bool_], color: Rgb, transform: Any) -> PathPatch | None:
    """Return the labels that are picked as one filled path: they scale with the cells."""
    width, height = _extent({str(label) for label in labels[labels != ""]})
    scale = min(0.62 / width, 0.42 / height) if width else 0.0
    glyphs: dict[str, Path] = {}
    parts = []
    for row, col in np.argwhere(pick & (labels != "")).tolist():
        text = str(labels[row, col])
        if text not in glyphs:
            glyphs[text] = _glyphs(text, scale, height)
        glyph = glyphs[text]
        parts.append(Path(glyph.vertices + np.array([col, row]), glyph.codes))
    if not parts:
        return None
    return PathPatch(Path.make_compound_path(*parts), facecolor=color, edgecolor="none", transform=transform)


_FONT = FontProperties(family="DejaVu Sans")  # matplotlib brings it along
_SIZE = 10


def _extent(texts: set[str]) -> tuple[float, float]:
    paths = [TextPath((0, 0), text, size=_SIZE, prop=_FONT) for text in texts]
    boxes = [path.get_extents() for path in paths if len(path.vertices)]
    return max((box.x1 for box in boxes), default=0.0), TextPath((0, 0), "0", size=_SIZE, prop=_FONT).get_extents().y1


def _glyphs(text: str, scale: float, height: float) -> Path:
    path = TextPath((0, 0), text, size=_SIZE, prop=_FONT)
    box = path.get_extents()
    vertices = (path.vertices - ((box.x0 + box.x1) / 2, height / 2)) * (scale, -scale)
    return Path(vertices, path.codes)
