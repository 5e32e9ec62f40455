"""What `meiro.plot` draws around the walls: values, paths with their ends, a legend.

This module needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.colors import Colormap, ListedColormap, to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon, Rectangle
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from meiro._utils.messages import short_repr
from meiro._utils.paper import checked_colors
from meiro._utils.validation import one_of
from meiro.colors import THEMES, Color, Theme
from meiro.drawing.lines import with_gaps
from meiro.drawing.matplotlib.scaled_lines import PathLine, ScaledLine
from meiro.drawing.page import WALL
from meiro.drawing.picture import COLORS, TILE, fitting_width

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import FigureBase
    from numpy.typing import NDArray

    from meiro.drawing.matplotlib.maze_artist import Rgb
    from meiro.drawing.routes import Route

    Point = tuple[float, float]
    Box = tuple[float, float, float, float]
    Ends = Mapping[str, Sequence[tuple[Point, bool]]]  # each with whether it is a square behind a label

PATH_WIDTH = 0.28, 0.7, 6.0
"""Of a path: share of a cell, least, most points."""

_DOT = 0.55, 5.0, 16.0
_RIM = 0.1, 0.28  # of the diameter of the start and of the goal, a ring
_FIELDS = {"text": "ink", "door": "growing"}  # colours that a theme calls by other names
_LEGEND_COLUMNS = 4


EDGE = 0.25
"""Margin around a maze, as a share of a cell."""


class FigureColors(NamedTuple):
    """The colours of a picture, and those of words on the figure around it, which may have another theme."""

    name: str
    theme: Theme
    ink: Rgb
    faint: Rgb


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
    usual = {word: getattr(THEMES[name], _FIELDS.get(word, word)).hex for word in COLORS}
    given = checked_colors(own, usual)
    changed = {
        _FIELDS.get(word, word): Color(*bytes.fromhex(given[word][1:]))
        for word in COLORS
        if given[word] != usual[word]
    }
    ink = changed.get("ink", THEMES[around].ink)
    return FigureColors(name, THEMES[name]._replace(**changed), ink.unit, (grey, grey, grey))


def _is_dark(figure: Any) -> bool:
    """Return whether a figure, or the figure it is a part of, is opaque and dark."""
    for part in (figure, figure.figure):
        *rgb, alpha = to_rgba(part.patch.get_facecolor())
        if part.patch.get_visible() and alpha > 0.5:
            return bool(brightness(np.array(rgb)) < 0.5)
    return False


def brightness(rgb: NDArray[np.float64]) -> Any:
    """Return how bright colours look, from 0 to 1."""
    return rgb @ (0.299, 0.587, 0.114)


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
        msg = f"cmap must be a colour map of matplotlib or its name, not {short_repr(cmap)}"
        raise TypeError(msg)
    return cmap


def color_bar(ax: Axes, values: ScalarMappable, pad: float, colors: FigureColors) -> None:
    """Draw a colour bar at the right of axes; `pad` is left out at both ends, as a share of their height."""
    at_right = ScaledTranslation(1, 0, ax.transAxes)  # type: ignore[arg-type]  # any transform will do
    inches_by_share = blended_transform_factory(ax.figure.dpi_scale_trans + at_right, ax.transAxes)
    bar_axes = ax.inset_axes((0.08, pad, 0.12, 1 - 2 * pad), transform=inches_by_share)
    bar_axes.tick_params(labelsize="small", color=colors.ink, labelcolor=colors.ink)
    drawn = ax.figure.colorbar(values, cax=bar_axes)
    drawn.outline.set_visible(False)


def draw_routes(ax: Axes, routes: Sequence[Route], ends: Ends, style: Style, *, cell: float) -> None:
    """Draw paths and their ends: as dots, or behind labels as squares.

    Several paths are drawn beside each other. Where cells are too small for that the first path is the widest
    and the last one lies on top, so that each is seen. A cell has the side `cell` in data coordinates.
    """
    count = len(routes)
    share, least, most = PATH_WIDTH
    share *= cell
    lane = 0.84 * cell / max(count, 3)
    tile, dots = TILE * cell, (_DOT[0] * cell, *_DOT[1:])
    for i, (route, paint) in enumerate(zip(routes, style.paints, strict=True)):
        if not len(route.line.points):
            continue
        corners = with_gaps(route.line)
        corners = corners + np.float32(lane * (i - (count - 1) / 2)) if count > 1 else corners
        fits = cell * fitting_width(PATH_WIDTH[0], route.room / cell, WALL)
        width = min(fits, share if count == 1 else 0.75 * lane), least, most
        crowded = None if count == 1 else least + 1.6 * (count - 1 - i)
        line = PathLine(corners, line=width, crowded=crowded, color=paint)
        line.set(solid_capstyle="round", solid_joinstyle="round", zorder=2.1, label=route.name)
        ax.add_line(line)
    theme = style.colors.theme
    for name, places in ends.items():
        fill = getattr(theme, name).unit
        for (x, y), is_tile in places:
            if is_tile:
                square = Rectangle((x - tile / 2, y - tile / 2), tile, tile, zorder=2.2)
                square.set(facecolor=fill, edgecolor="none", label=name)
                ax.add_patch(square)
                continue
            is_ring = name == "goal"
            inside, edge = (theme.road.unit, fill) if is_ring else (fill, theme.road.unit)
            dot = ScaledLine(
                [x], [y], mark=dots, edge=_RIM[is_ring], marker="o", color=inside, markeredgecolor=edge
            )
            dot.set(zorder=2.2, clip_on=False, label=name)
            ax.add_line(dot)


def draw_arrows(ax: Axes, arrows: Mapping[str, NDArray[np.float64]], style: Style) -> None:
    """Draw the arrows at openings, and make room for them."""
    for name, corners in arrows.items():
        color = getattr(style.colors.theme, name).unit
        ax.add_patch(Polygon(corners, facecolor=color, edgecolor="none", zorder=2.2, clip_on=False))
        (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()  # y points down
        (low_x, low_y), (high_x, high_y) = corners.min(axis=0), corners.max(axis=0)
        ax.set(xlim=(min(left, low_x), max(right, high_x)), ylim=(max(bottom, high_y), min(top, low_y)))


def draw_legend(ax: Axes, routes: Sequence[Route], ends: Ends, style: Style, *, seen: bool) -> int:
    """Draw a legend of the colours below the axes; return its number of lines."""
    colors = style.colors
    handles: list[Line2D | Patch] = []
    for name, places in ends.items():
        if places:
            fill = getattr(colors.theme, name).unit
            inside = colors.theme.road.unit if name == "goal" else fill
            dot = Line2D([], [], marker="o", linestyle="", color=fill, label=name)
            dot.set(markerfacecolor=inside, markeredgewidth=2)
            handles.append(dot)
    for route, paint in zip(routes, style.paints, strict=True):
        if len(route.line.points):
            handles.append(Line2D([], [], color=paint, linewidth=3, label=route.name))
        elif len(routes) > 1:
            handles.append(Line2D([], [], linestyle="", label=f"{route.name}: no path"))
    if seen:
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
