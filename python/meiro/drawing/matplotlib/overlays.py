"""What `meiro.plot` draws around the walls: values, paths with their ends, a legend.

This module needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.colors import ListedColormap, to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from meiro._utils.messages import short_repr
from meiro.colors import THEMES
from meiro.drawing.matplotlib.scaled_lines import RouteLine, ScaledLine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import FigureBase
    from matplotlib.image import AxesImage
    from numpy.typing import NDArray

    from meiro.colors import Theme
    from meiro.drawing.matplotlib.maze_artist import Rgb
    from meiro.drawing.routes import Route

_PATH = 0.28, 0.7, 6.0  # width: share of a cell, least, most points
_DOT = 0.55, 5.0, 16.0
_TILE = 0.8  # of a cell
_IN_A_LINE = 4  # of a legend
_NONE = 0.0, 0.0, 0.0


class Ground(NamedTuple):
    """What is drawn on: the theme of the picture, and of the figure around it, which may differ."""

    theme: str
    colors: Theme
    ink: Rgb
    """Of words around the picture."""
    faint: Rgb


def ground_of(figure: FigureBase, theme: str | None) -> Ground:
    """Return the colours that are asked for, or those that go with a figure.

    Raises
    ------
    ValueError
        If there is no such theme.
    """
    around = "dark" if _is_dark(figure) else "light"
    if theme is not None and theme not in THEMES:
        msg = f"theme must be 'light', 'dark' or None, which follows the figure, not {short_repr(theme)}"
        raise ValueError(msg)
    grey = 0.68 if around == "dark" else 0.45
    name = theme or around
    return Ground(name, THEMES[name], THEMES[around].ink.unit, (grey, grey, grey))


def _is_dark(figure: Any) -> bool:
    """Tell whether a figure, or the one it is a part of, is opaque and dark."""
    for part in (figure, figure.figure):
        *rgb, alpha = to_rgba(part.patch.get_facecolor())
        if part.patch.get_visible() and alpha > 0.5:
            return bool(brightness(np.array(rgb)) < 0.5)
    return False


def brightness(rgb: NDArray[np.float64]) -> Any:
    """Return how bright colours look, from 0 to 1."""
    return rgb @ (0.299, 0.587, 0.114)


def draw_values(
    ax: Axes,
    numbers: NDArray[Any],
    extent: tuple[float, float, float, float],
    ground: Ground,
    *,
    cmap: str | Colormap | None,
    limits: tuple[float | None, float | None],
    bar: bool,
) -> AxesImage:
    """Draw them, with their colour bar if it is asked for."""
    if cmap is None:  # viridis without what could not be told from walls
        first, last = (0.2, 1.0) if ground.theme == "light" else (0.1, 0.85)
        cmap = ListedColormap(mpl.colormaps["viridis"](np.linspace(first, last, 256)), "meiro")
    right_left, (bottom, top) = ax.get_xlim(), ax.get_ylim()
    low, high = limits
    image = ax.imshow(
        numbers, cmap=cmap, vmin=low, vmax=high, extent=extent, interpolation="nearest", zorder=0.5
    )
    ax.set(xlim=right_left, ylim=(bottom, top))
    if not bar:
        return image
    pad = (bottom - extent[2]) / (bottom - top)  # as high as the values
    at_right = ScaledTranslation(1, 0, ax.transAxes)  # type: ignore[arg-type]  # any transform will do
    inches_by_share = blended_transform_factory(ax.figure.dpi_scale_trans + at_right, ax.transAxes)
    beside = ax.inset_axes((0.08, pad, 0.12, 1 - 2 * pad), transform=inches_by_share)
    beside.tick_params(labelsize="small", color=ground.ink, labelcolor=ground.ink)
    drawn = ax.figure.colorbar(image, cax=beside)
    drawn.outline.set_visible(False)
    return image


def draw_routes(
    ax: Axes, routes: Sequence[Route], paints: Sequence[Rgb], ground: Ground, *, labelled: bool
) -> None:
    """Draw paths and their ends: as dots, or below labels as tiles.

    Several keep to lanes of their own. Where cells are too small for lanes the first is the widest and the
    last lies on it, so that each is seen.
    """
    count = len(routes)
    share, least, most = _PATH
    lane = 0.84 / max(count, 3)
    for i, (route, paint) in enumerate(zip(routes, paints, strict=True)):
        if len(route.corners) < 2:
            continue
        line = RouteLine(
            route.corners + np.float32(lane * (i - (count - 1) / 2)),
            (share if count == 1 else 0.75 * lane, least, most),
            None if count == 1 else least + 1.6 * (count - 1 - i),
            color=paint,
            alpha=0.5 if labelled else 1,
            solid_capstyle="round",
            solid_joinstyle="round",
            zorder=2.1,
            label=route.name,
        )
        ax.add_line(line)
    for name, ends in ends_of(routes).items():
        fill = getattr(ground.colors, name).unit
        for end in ends:
            if labelled:
                corner = end[1] - _TILE / 2, end[0] - _TILE / 2
                facts: dict[str, Any] = {"facecolor": fill, "edgecolor": "none", "label": name}
                ax.add_patch(Rectangle(corner, _TILE, _TILE, zorder=2.2, **facts))
                continue
            dot = ScaledLine(
                [end[1]],
                [end[0]],
                line=_NONE,
                mark=_DOT,
                marker="o",
                color=fill,
                markeredgecolor=ground.colors.road.unit,
                zorder=2.2,
                clip_on=False,
                label=name,
            )
            ax.add_line(dot)


def ends_of(routes: Sequence[Route]) -> dict[str, list[tuple[float, float]]]:
    """Return the places of all starts and of all goals, each once."""
    return {
        name: list(dict.fromkeys(end for route in routes if (end := route.ends[i]) is not None))
        for i, name in enumerate(("start", "goal"))
    }


def draw_legend(
    ax: Axes, routes: Sequence[Route], paints: Sequence[Rgb], ground: Ground, *, seen: bool
) -> int:
    """Tell the colours below the axes; return in how many lines."""
    handles: list[Line2D | Patch] = []
    for name, ends in ends_of(routes).items():
        if ends:
            fill = getattr(ground.colors, name).unit
            handles.append(Line2D([], [], marker="o", linestyle="", color=fill, label=name))
    for route, paint in zip(routes, paints, strict=True):
        if len(route.corners) > 1:
            handles.append(Line2D([], [], color=paint, linewidth=3, label=route.name))
        elif len(routes) > 1:
            handles.append(Line2D([], [], linestyle="", label=f"{route.name}: no path"))
    if seen:
        handles.append(Patch(facecolor=ground.colors.visited.unit, label="visited"))
    ax.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        ncols=_IN_A_LINE,
        frameon=False,
        fontsize="small",
        labelcolor=ground.ink,
        borderaxespad=0.2,
        handlelength=1.2,
        columnspacing=1.4,
    )
    return -(-len(handles) // _IN_A_LINE)
