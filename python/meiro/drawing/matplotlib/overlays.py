"""What `meiro.plot` draws around the walls: values, paths with their ends, labels, a legend.

Lines, markers and labels are as large as a share of a cell, whatever the size of the figure. This module
needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

import copy
import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist, allow_rasterization
from matplotlib.axes import Axes as AxesType
from matplotlib.colors import Colormap, ListedColormap, to_rgba
from matplotlib.figure import Figure, SubFigure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch, Polygon, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from meiro._utils.messages import short_repr
from meiro._utils.paper import text_width
from meiro._utils.validation import one_of
from meiro.colors import CLUSTERS, DARK, LIGHT, THEMES, Color, Theme
from meiro.drawing.labels import DIGIT
from meiro.drawing.lines import chords, dots_seen, pieces_of, with_gaps
from meiro.drawing.matplotlib.fonts import fonts_for
from meiro.drawing.page import WALL
from meiro.drawing.palette import needs_bright_ink, theme_color, themed
from meiro.drawing.picture import SQUARE, fitting_width

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import FigureBase
    from numpy.typing import ArrayLike, NDArray

    from meiro.drawing.graph_outline import Plane
    from meiro.drawing.lines import Lines
    from meiro.drawing.picture import Picture
    from meiro.drawing.routes import Route

    CellColors = Callable[[NDArray[np.int64]], NDArray[np.float64]]  # RGBA of the numbers of cells
    Rgb = tuple[float, float, float]
    Box = tuple[float, float, float, float]

Scale = tuple[float, float, float]
"""A share of a cell, and the least and the most points."""

_NONE = 0.0, 0.0, 0.0
_CHUNK = 1 << 16  # corners that are drawn at a time: Agg may refuse a path of millions

_FONT = "DejaVu Sans Mono"  # part of matplotlib; all its letters have one width
_LETTER = 0.602  # width of a letter, as a share of the size of the font
_READABLE = 3.2  # points of a digit
PATH_WIDTH = 0.28, 0.7, 6.0
"""Of a path: share of a cell, least, most points."""

_DOT = 0.55, 5.0, 16.0
_RIM = 0.1, 0.28  # of the diameter of the start and of the goal, a ring
_LEGEND_COLUMNS = 4
_MOST_ASPECT = 5.0
_TITLE = 0.28  # inches above a picture
_WIDTH = 10.0  # inches of a figure, about

EDGE = 0.25
"""Margin around a maze, as a share of a cell."""


def width_points(axes: Axes, share: float, least: float, most: float) -> float:
    """Return the width of a line that takes up a share of a cell, in points."""
    (x0, y0), (x1, y1) = axes.transData.transform([(0, 0), (1, 1)])
    cell = min(abs(x1 - x0), abs(y1 - y0)) * 72 / axes.figure.get_dpi()
    return float(np.clip(share * cell, least, most))


def axes_of(artist: Artist) -> Axes:
    """Return the axes of an artist that is drawn."""
    return cast("Axes", artist.axes)  # nothing is drawn before it is on axes


def rectilinear(ax: object) -> Axes:
    """Return axes, checked: matplotlib's ordinary ones; None stands for the current ones."""
    from matplotlib import pyplot as plt

    found = plt.gca() if ax is None else ax
    if not isinstance(found, AxesType) or found.name != "rectilinear":
        raise TypeError(f"ax must be ordinary matplotlib axes, not {short_repr(found)}")
    return found


def panels(
    n: int, aspect: float, side: float, figure: Any, theme: str | None, *, own: Any = None
) -> tuple[FigureColors, NDArray[np.object_]]:
    """Return the colours of a figure and `n` axes in it, about `side` inches wide and high."""
    from matplotlib import pyplot as plt

    if figure is not None and not isinstance(figure, Figure | SubFigure):
        raise TypeError(f"figure must be a Figure or SubFigure of matplotlib, not {short_repr(figure)}")
    aspect = min(max(aspect, 1 / _MOST_ASPECT), _MOST_ASPECT)
    wide, high = side * math.sqrt(aspect), side / math.sqrt(aspect) + _TITLE
    if figure is None:
        cols = _balanced(n, max(int(_WIDTH / wide), 1))
        size = (cols * wide, math.ceil(n / cols) * high)
        figure = plt.figure(figsize=size, layout="compressed")
        if theme is not None:
            figure.set_facecolor(THEMES[one_of(theme, "theme", THEMES)].road.unit)
    else:
        across, down = figure.bbox.width / wide, figure.bbox.height / high
        cols = _balanced(n, max(range(1, n + 1), key=lambda c: min(across / c, down / math.ceil(n / c))))
    grid = figure.add_gridspec(math.ceil(n / cols), cols)
    axes = [figure.add_subplot(grid[divmod(i, cols)]) for i in range(n)]
    return figure_colors(figure, theme, own), np.array(axes, object)


def _balanced(n: int, cols: int) -> int:
    """Return the number of columns, at most `cols`, that fills the rows most evenly."""
    return math.ceil(n / math.ceil(n / cols))


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


def paths_of(lines: Lines, most: int = 1 << 15) -> Iterator[Path]:
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


class _ScaledPath(PathPatch):
    """Lines as wide as a share of a cell; `cell` is its length in data coordinates."""

    def __init__(self, path: Path, widths: tuple[float, float, float], cell: float, **style: Any) -> None:
        super().__init__(path, fill=False, **style)
        self._widths = (widths[0] * cell, *widths[1:])

    @allow_rasterization  # type: ignore[untyped-decorator]  # matplotlib has no types for it
    def draw(self, renderer: RendererBase) -> None:
        """Set the width and draw."""
        self.set_linewidth(width_points(axes_of(self), *self._widths))
        super().draw(renderer)


def stroke(  # noqa: PLR0917  # what is drawn, and how
    ax: Axes,
    lines: Lines,
    color: Any,
    widths: tuple[float, float, float],
    cell: float,
    zorder: float,
    caps: str = "round",
) -> None:
    """Draw lines as wide as a share of a cell; least and most points."""
    for path in paths_of(dots_seen(lines, cell)):
        style = {"edgecolor": color, "capstyle": caps, "joinstyle": "round", "zorder": zorder}
        ax.add_artist(_ScaledPath(path, widths, cell, **style))


class _Legible(PathPatch):
    """What is left out, if `optional`, where a digit of this height, in cells, cannot be read."""

    def __init__(
        self, path: Path, color: tuple[float, float, float], digit: float, *, optional: bool
    ) -> None:
        super().__init__(path, facecolor=color, edgecolor="none", zorder=2.3)
        self._digit, self._optional = digit, optional

    @allow_rasterization  # type: ignore[untyped-decorator]  # matplotlib has no types for it
    def draw(self, renderer: RendererBase) -> None:
        """Draw it if the labels can be read."""
        if not self._optional or width_points(axes_of(self), self._digit, 0, np.inf) >= _READABLE:
            super().draw(renderer)


class CellLabels(_Legible):
    """Labels of one colour.

    Parameters
    ----------
    labels : list of (str, float, float)
        Text, x and y of the centre.
    digit : float
        Height of a digit, as a share of a cell.
    color : (float, float, float)
    optional : bool
        Whether labels are left out where cells are too small for them to be read.
    """

    def __init__(
        self,
        labels: list[tuple[str, float, float]],
        digit: float,
        color: tuple[float, float, float],
        *,
        optional: bool,
    ) -> None:
        scale = digit / DIGIT
        vertices, codes = [np.empty((0, 2))], [np.empty(0, np.uint8)]
        for text, x, y in labels:
            lefts = np.cumsum([0.0, *map(text_width, text)]) * (_LETTER / text_width("0"))
            for left, char in zip(lefts - lefts[-1] / 2, text, strict=False):
                outline, kinds = _outline(char)
                corner = left, -DIGIT / 2
                vertices.append((outline + corner) * (scale, -scale) + (x, y))
                codes.append(kinds)
        path = Path(np.concatenate(vertices), np.concatenate(codes))
        super().__init__(path, color, digit, optional=optional)


def write_words(ax: Axes, picture: Picture, style: Style, own: CellColors | None) -> None:
    """Write the labels of a picture; `own` are the colours of the values of cells, if there are any."""
    words, geometry = picture.words, picture.geometry
    behind = np.array([theme_color(style.colors.theme, word.ground) for word in words]).reshape(-1, 3)
    if own is not None:
        plain = [i for i, word in enumerate(words) if word.ground in {"road", "wall"}]
        colors = own(np.array([words[i].number for i in plain], np.int64))
        behind[plain] = np.where(colors[:, 3:] > 0.5, colors[:, :3], behind[plain])
    numbers = np.array([word[1:4] for word in words]).reshape(-1, 3)
    places, digits = geometry.back(numbers[:, :2]), DIGIT * geometry.side * numbers[:, 2]
    write_labels(ax, [word.text for word in words], places, digits, behind, colors=style.colors)


def write_labels(
    ax: Axes,
    texts: Sequence[str],
    places: NDArray[np.float64],
    digits: NDArray[np.float64],
    behind: NDArray[np.float64],
    *,
    colors: FigureColors,
    optional: bool = False,
) -> None:
    """Write labels into cells, dark on bright colours and bright on dark ones.

    Parameters
    ----------
    texts : sequence of str
        Empty where a cell has no label.
    places : ndarray, shape (n, 2)
        (x, y) of the middle of each cell.
    digits : ndarray of float64, shape (n,)
        The heights of their digits.
    behind : ndarray, shape (n, 3)
        The colours that the labels stand on.
    colors : FigureColors
        Of letters on what is as bright or dark as the theme is.
    optional : bool
        Whether labels are left out where they cannot be read.
    """
    if optional and width_points(ax, 3 * digits.max(initial=0), 0, np.inf) < _READABLE:
        return  # not even in a figure three times as large
    dark, own = needs_bright_ink(255 * behind), colors.theme.ink
    inks = (own, DARK.ink) if colors.name == "light" else (LIGHT.ink, own)
    for digit in np.unique(digits).tolist():
        for pick, ink in zip((~dark, dark), inks, strict=True):
            written = np.flatnonzero(pick & (digits == digit)).tolist()
            labels = [(texts[i], *places[i].tolist()) for i in written if texts[i]]
            if labels:
                ax.add_artist(CellLabels(labels, digit, ink.unit, optional=optional))


def write_titles(ax: Axes, plane: Plane, colors: FigureColors) -> None:
    """Write the titles of levels, where they can be read."""
    for text, x, y, size in plane.titles:
        digit = size * DIGIT
        label = (text, x, y - digit / 2)
        ax.add_artist(CellLabels([label], digit, colors.theme.ink.unit, optional=True))


def draw_wall_ids(ax: Axes, walls: NDArray[np.int64], theme: Theme) -> None:
    """Write the ids of walls on a piece of ground in their middle.

    Parameters
    ----------
    ax : Axes
    walls : ndarray of int64, shape (n, 3)
        Id, row and column in the drawn grid.
    theme : Theme
    """
    digits = len(str(walls[:, 0].max(initial=0)))
    digit = min(0.3, 0.62 * DIGIT / (_LETTER * digits))
    if not len(walls) or width_points(ax, 3 * digit, 0, np.inf) < _READABLE:
        return
    labels = [(str(number), (col - 1) / 2, (row - 1) / 2) for number, row, col in walls.tolist()]
    wide = digit / DIGIT * _LETTER
    boxes = [SQUARE * (wide * (len(text) + 0.3) / 2, 0.62 * digit) + (x, y) for text, x, y in labels]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(boxes)
    ax.add_artist(_Legible(Path(np.concatenate(boxes), codes), theme.road.unit, digit, optional=True))
    ax.add_artist(CellLabels(labels, digit, theme.ink.unit, optional=True))


@lru_cache(maxsize=1024)
def _outline(char: str) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Return the vertices and codes of a letter of size 1."""
    if char.isspace():  # of which TextPath makes no arrays
        return np.empty((0, 2)), np.empty(0, np.uint8)
    path = TextPath((0, 0), char, size=1, prop=FontProperties(family=fonts_for(char, _FONT)))
    return np.asarray(path.vertices, np.float64).reshape(-1, 2), np.asarray(path.codes, np.uint8)


class FigureColors(NamedTuple):
    """The colours of a picture, and those of words on the figure around it, which may have another theme."""

    name: str
    theme: Theme
    ink: Rgb
    faint: Rgb

    @property
    def paints(self) -> tuple[Color, ...]:
        """Colours of places of traces: those of the theme, then those of clusters."""
        return (*self.theme, *CLUSTERS[self.name])


class Style(NamedTuple):
    """How a maze is drawn: its colours, those of each path, and those of values."""

    colors: FigureColors
    paints: Sequence[Any]
    cmap: str | Colormap | None
    limits: tuple[float | None, float | None]
    bar: bool


def figure_colors(figure: FigureBase, theme: str | None, own: Any = None) -> FigureColors:
    """Return the colours of a theme, by default of the one that suits the figure; some may be the user's own.

    Raises
    ------
    ValueError
        If the theme is unknown.
    """
    around = "dark" if _is_dark(figure) else "light"
    if theme is not None:
        one_of(theme, "theme", THEMES)
    grey = 0.68 if around == "dark" else 0.45
    name = theme or around
    colors = themed(name, own)
    ink = THEMES[around].ink if colors.ink == THEMES[name].ink else colors.ink
    return FigureColors(name, colors, ink.unit, (grey, grey, grey))


def _is_dark(figure: Any) -> bool:
    """Return whether a figure, or the figure it is a part of, is opaque and dark."""
    for part in (figure, figure.figure):
        *rgb, alpha = to_rgba(part.patch.get_facecolor())
        if part.patch.get_visible() and alpha > 0.5:
            return bool(needs_bright_ink(255 * np.array(rgb)))
    return False


def bare(ax: Axes, ground: Box, view: Box, color: Rgb) -> None:
    """Put the ground of a maze on axes without ticks; boxes are left, right, bottom and top, y down."""
    left, right, bottom, top = ground
    ax.add_patch(
        Rectangle((left, top), right - left, bottom - top, facecolor=color, edgecolor="none", zorder=0)
    )
    ax.set(xlim=view[:2], ylim=view[2:])
    ax.set_aspect("equal")
    without_ticks(ax)
    ax.spines[:].set_visible(False)


def without_ticks(ax: Axes) -> None:
    """Leave out the ticks of axes, and their labels."""
    ax.tick_params(left=False, bottom=False, labelleft=False, labelbottom=False)


def usual_colors(colors: FigureColors, cmap: str | Colormap | None) -> str | Colormap:
    """Return the colours for values, checked."""
    if cmap is None:  # viridis without the colours that look like walls
        first, last = (0.2, 1.0) if colors.name == "light" else (0.1, 0.85)
        return ListedColormap(mpl.colormaps["viridis"](np.linspace(first, last, 256)), "meiro")
    if not isinstance(cmap, str | Colormap):
        raise TypeError(f"cmap must be a colour map of matplotlib or its name, not {short_repr(cmap)}")
    return cmap


def color_bar(ax: Axes, values: ScalarMappable, pad: float, colors: FigureColors) -> None:
    """Draw a colour bar at the right of axes; `pad` is left out at both ends, as a share of their height."""
    at_right = ScaledTranslation(1, 0, ax.transAxes)  # type: ignore[arg-type]  # any transform will do
    inches_by_share = blended_transform_factory(ax.figure.dpi_scale_trans + at_right, ax.transAxes)
    bar_axes = ax.inset_axes((0.08, pad, 0.12, 1 - 2 * pad), transform=inches_by_share)
    bar_axes.tick_params(labelsize="small", color=colors.ink, labelcolor=colors.ink)
    drawn = ax.figure.colorbar(values, cax=bar_axes)
    drawn.outline.set_visible(False)


def draw_routes(ax: Axes, routes: Sequence[Route], style: Style, cell: float) -> None:
    """Draw paths.

    Several are drawn beside each other. Where cells are too small for that the first path is the widest
    and the last one lies on top, so that each is seen. A cell has the side `cell` in data coordinates.
    """
    count = len(routes)
    share, least, most = PATH_WIDTH
    share *= cell
    lane = 0.84 * cell / max(count, 3)
    for i, (route, paint) in enumerate(zip(routes, style.paints, strict=True)):
        if not len(route.line.points):
            continue
        corners = with_gaps(dots_seen(chords(route.line, cell), cell))
        corners = corners + np.float32(lane * (i - (count - 1) / 2)) if count > 1 else corners
        fits = cell * fitting_width(PATH_WIDTH[0], route.room / cell, WALL)
        width = min(fits, share if count == 1 else 0.75 * lane), least, most
        crowded = None if count == 1 else least + 1.6 * (count - 1 - i)
        line = PathLine(corners, line=width, crowded=crowded, color=paint)
        line.set(solid_capstyle="round", solid_joinstyle="round", zorder=2.1, label=route.name)
        ax.add_line(line)


def draw_over(ax: Axes, picture: Picture, style: Style) -> None:
    """Draw arrows, for which room is made, squares behind the labels of ends, doors and marks."""
    theme, geometry = style.colors.theme, picture.geometry
    for layer in picture.over:
        lines = chords(layer.lines, 1)
        lines = lines._replace(points=geometry.back(lines.points + geometry.corner))
        color = theme_color(theme, layer.color)
        if layer.width is not None:
            stroke(ax, lines, color, (layer.width, 0.5, np.inf), geometry.side, 2.25, layer.caps)
            continue
        area = Polygon(lines.points, facecolor=color, edgecolor="none", zorder=2.2, clip_on=False)
        area.set_label(layer.color)
        ax.add_patch(area)
        (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()  # y points down
        (low_x, low_y), (high_x, high_y) = lines.points.min(axis=0), lines.points.max(axis=0)
        ax.set(xlim=(min(left, low_x), max(right, high_x)), ylim=(max(bottom, high_y), min(top, low_y)))
    size = _DOT[0] * geometry.side, *_DOT[1:]
    for name, middle in picture.middles:
        (x, y), fill, is_ring = geometry.back(np.array(middle)), theme_color(theme, name), name == "goal"
        inside, edge = (theme.road.unit, fill) if is_ring else (fill, theme.road.unit)
        dot = ScaledLine(
            [x], [y], mark=size, edge=_RIM[is_ring], marker="o", color=inside, markeredgecolor=edge
        )
        dot.set(zorder=2.2, clip_on=False, label=name)
        ax.add_line(dot)


def draw_legend(ax: Axes, picture: Picture, style: Style) -> int:
    """Draw a legend of the colours below the axes; return its number of lines."""
    colors, routes = style.colors, picture.routes
    handles: list[Line2D | Patch] = []
    for name, cells in picture.ends.items():
        if cells:
            fill = theme_color(colors.theme, name)
            inside = colors.theme.road.unit if name == "goal" else fill
            dot = Line2D([], [], marker="o", linestyle="", color=fill, label=name)
            dot.set(markerfacecolor=inside, markeredgewidth=2)
            handles.append(dot)
    for route, paint in zip(routes, style.paints, strict=True):
        if len(route.line.points):
            handles.append(Line2D([], [], color=paint, linewidth=3, label=route.name))
        elif len(routes) > 1:
            handles.append(Line2D([], [], linestyle="", label=f"{route.name}: no path"))
    if picture.seen is not None:
        handles.append(Patch(facecolor=colors.theme.visited.unit, label="visited"))
    ax.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        ncols=_LEGEND_COLUMNS,
        frameon=False,
        fontsize="small",
        labelcolor=colors.ink,
        borderaxespad=0.2,
        handlelength=1.2,
        columnspacing=1.4,
    )
    return -(-len(handles) // _LEGEND_COLUMNS)
