"""What `meiro.plot` draws around the walls: values, a path with its ends, labels, a legend.

This module needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from meiro import colors
from meiro.artists import ScaledLine

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.transforms import Transform
    from numpy.typing import NDArray

    from meiro.artists import Rgb

_PATH = 0.28, 0.7, 6.0  # width: share of a cell, least, most points
_DOT = 0.55, 5.0, 16.0
_TILE = 0.8  # of a cell
_NONE = 0.0, 0.0, 0.0


class Way(NamedTuple):
    """A solution in the units of what is drawn."""

    path: NDArray[np.float64]
    seen: NDArray[np.bool_] | None
    ends: list[tuple[float, float] | None]


def draw_values(
    ax: Axes,
    numbers: NDArray[Any],
    shape: tuple[int, int],
    cmap: str | Colormap | None,
    limits: tuple[float | None, float | None],
    *,
    bar: bool,
) -> NDArray[np.float64]:
    """Draw them, with their colour bar if it is asked for; return RGBA of each."""
    if cmap is None:  # viridis without its darkest part, which could not be told from walls
        cmap = ListedColormap(mpl.colormaps["viridis"](np.linspace(0.2, 1, 256)), "meiro")
    extent = -0.5, shape[1] - 0.5, shape[0] - 0.5, -0.5
    right_left, (bottom, top) = ax.get_xlim(), ax.get_ylim()
    low, high = limits
    image = ax.imshow(
        numbers, cmap=cmap, vmin=low, vmax=high, extent=extent, interpolation="nearest", zorder=0.5
    )
    ax.set(xlim=right_left, ylim=(bottom, top))
    shades: NDArray[np.float64] = np.asarray(image.to_rgba(numbers))
    if not bar:
        return shades
    pad = (bottom - extent[2]) / (bottom - top)  # as high as the values
    at_right = ScaledTranslation(1, 0, ax.transAxes)  # type: ignore[arg-type]  # any transform will do
    inches_by_share = blended_transform_factory(ax.figure.dpi_scale_trans + at_right, ax.transAxes)
    beside = ax.inset_axes((0.08, pad, 0.12, 1 - 2 * pad), transform=inches_by_share)
    beside.tick_params(labelsize="small")
    drawn = ax.figure.colorbar(image, cax=beside)
    drawn.outline.set_visible(False)
    return shades


def draw_way(ax: Axes, way: Way, color: Rgb, *, labelled: bool) -> None:
    """Draw the path and its two ends: as dots, or below labels as tiles."""
    if len(way.path) > 1:
        bends = np.diff(way.path, 2, axis=0).any(axis=1)
        corners = way.path[np.concatenate([[True], bends, [True]])]
        line = ScaledLine(
            corners[:, 1],
            corners[:, 0],
            line=_PATH,
            mark=_NONE,
            color=color,
            alpha=0.5 if labelled else 1,
            solid_capstyle="round",
            solid_joinstyle="round",
            zorder=2.1,
            label="path",
        )
        ax.add_line(line)
    for end, fill, name in zip(way.ends, (colors.START, colors.GOAL), ("start", "goal"), strict=True):
        if end is not None and labelled:
            corner = end[1] - _TILE / 2, end[0] - _TILE / 2
            facts: dict[str, Any] = {"facecolor": fill.unit, "edgecolor": "none", "label": name}
            ax.add_patch(Rectangle(corner, _TILE, _TILE, zorder=2.2, **facts))
        elif end is not None:
            dot = ScaledLine(
                [end[1]],
                [end[0]],
                line=_NONE,
                mark=_DOT,
                marker="o",
                color=fill.unit,
                markeredgecolor=colors.ROAD.unit,
                zorder=2.2,
                clip_on=False,
                label=name,
            )
            ax.add_line(dot)


def draw_words(ax: Axes, words: NDArray[np.str_], way: Way, shades: NDArray[np.float64] | None) -> None:
    """Write dark words on what is bright and bright ones on what is dark."""
    dark = np.zeros(words.shape, np.bool_)
    if shades is not None:
        dark = (shades[..., :3] @ (0.299, 0.587, 0.114) < 0.5) & (shades[..., 3] > 0.5)
    if (start := way.ends[0]) is not None:
        dark[round(start[0]), round(start[1])] = True
    for pick, color in ((~dark, colors.WALL), (dark, colors.ROAD)):
        patch = _written(words, pick, color.unit, ax.transData)
        if patch is not None:
            patch.set_zorder(2.3)
            ax.add_artist(patch)


def draw_legend(ax: Axes, way: Way, path_color: Rgb, *, seen: bool) -> None:
    """Tell the colours below the axes."""
    handles: list[Line2D | Patch] = []
    for end, fill, name in zip(way.ends, (colors.START, colors.GOAL), ("start", "goal"), strict=True):
        if end is not None:
            handles.append(Line2D([], [], marker="o", linestyle="", color=fill.unit, label=name))
    if len(way.path) > 1:
        handles.append(Line2D([], [], color=path_color, linewidth=3, label="path"))
    if seen:
        handles.append(Patch(facecolor=colors.VISITED.unit, label="visited"))
    ax.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        ncols=4,
        frameon=False,
        fontsize="small",
        borderaxespad=0.2,
        handlelength=1.2,
        columnspacing=1.4,
    )


def _written(
    labels: NDArray[np.str_], pick: NDArray[np.bool_], color: Rgb, transform: Transform
) -> PathPatch | None:
    """Return the labels that are picked as one filled path: they scale with the cells."""
    width = max(
        (_outline(label).get_extents().x1 for label in set(labels[labels != ""].tolist())), default=0.0
    )
    height = _outline("0").get_extents().y1
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


def _outline(text: str) -> Path:
    return TextPath((0, 0), text, size=_SIZE, prop=_FONT)


def _glyphs(text: str, scale: float, height: float) -> Path:
    path = _outline(text)
    box = path.get_extents()
    vertices = (np.asarray(path.vertices) - ((box.x0 + box.x1) / 2, height / 2)) * (scale, -scale)
    return Path(vertices, path.codes)
