"""A maze on a lattice on matplotlib axes: `meiro.plot` of a `GraphMaze`.

This module needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import Normalize

from meiro._utils.messages import short_repr
from meiro.drawing.graph_outline import CORRIDOR
from meiro.drawing.lattice_layers import drawn_of, shape_layers, still_paints
from meiro.drawing.lines import NEAR, Lines
from meiro.drawing.matplotlib.overlays import (
    EDGE,
    PATH_WIDTH,
    bare,
    color_bar,
    stroke,
    usual_colors,
    write_titles,
)
from meiro.drawing.page import WALL
from meiro.drawing.palette import theme_color
from meiro.drawing.picture import geometry_of, path_over_bridges
from meiro.drawing.routes import Route, parse_routes
from meiro.spaces.space_of import space_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from meiro.drawing.lattice_layers import ShapeLayer
    from meiro.drawing.matplotlib.overlays import CellColors, Style
    from meiro.drawing.picture import Picture
    from meiro.mazes.graph_maze import GraphMaze

_LEAST, _MOST = 0.05, (4.0, 10.0)  # points of lines: walls, and edges of a network

_DISC = 24  # corners of what is drawn for a cell without a polygon


class LatticePlot:
    """Draws a maze in the coordinates of its lattice, y down."""

    part = None

    def __init__(self, maze: GraphMaze) -> None:
        self.geometry = geometry_of(maze)
        plane: Any = self.geometry.plane
        self._maze, self._plane, self.space = maze, plane, space_of(maze)

    def routes(self, solution: Any) -> list[Route]:
        """Return the routes."""
        return parse_routes(self._maze, solution, self._plane)

    def draw(
        self,
        ax: Axes,
        style: Style,
        shown: np.ma.MaskedArray[Any, Any] | None,
        picture: Picture,
    ) -> CellColors | None:
        """Draw walls and values; return what gives the colours of cells, None if they have none."""
        maze, plane, theme = self._maze, self._plane, style.colors.theme
        (left, top, right, bottom), edge = plane.box, EDGE * plane.cell
        box = left - edge, right + edge, bottom + edge, top - edge
        bare(ax, box, box, theme.road.unit)
        fills = None if shown is None else self._cell_colors(ax, style, shown)
        paints = still_paints(maze.lattice, plane, maze.open, picture.seen)
        most = _MOST[1 if plane.network else 0] if plane.network or plane.outline is not None else np.inf
        areas = fills is not None or picture.seen is not None
        layers = shape_layers(maze.lattice, plane, WALL * plane.cell, maze.open, areas=areas)
        for i, layer in enumerate(layers):
            zorder = (2.11 if layer.over_paths else 1.2) + 0.001 * i
            for name, lines in drawn_of(layer, paints):
                color: Any = theme_color(theme, name)
                if layer.kind == "area":
                    _add_areas(ax, _parts_of(lines), color, zorder)
                    continue
                color = color if layer.opacity == 1 else (*color, layer.opacity)
                widths = layer.width / plane.cell, _LEAST, most
                stroke(ax, lines, color, widths, plane.cell, zorder, layer.caps)
            if fills is not None and layer.of_cells:
                self._fill(ax, layer, fills, 0.5 if layer.kind == "area" else zorder)
        if len(picture.routes) == 1 and plane.outline is None and not plane.network:
            above = path_over_bridges(plane, maze, picture.routes[0])
            stroke(ax, above, style.paints[0], PATH_WIDTH, plane.cell, 2.14)
        write_titles(ax, plane, style.colors)
        return None if fills is None else lambda numbers: fills[numbers]

    def _fill(self, ax: Axes, layer: ShapeLayer, fills: NDArray[np.float64], zorder: float) -> None:
        """Colour shapes as their cells, passages up to the middle."""
        lines, places = layer.shapes
        if layer.kind == "area":
            parts: Any = _parts_of(lines)
        elif layer.kind == "dot":
            turns = np.arange(_DISC) * (2 * np.pi / _DISC)
            disc = layer.width / 2 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
            parts = lines.points[:, None] + disc
        else:
            parts, places = self._halves(lines, places - self._maze.n_cells)
        colors = fills[places]
        kept = np.flatnonzero(colors[:, 3] > 0)
        _add_areas(ax, [parts[i] for i in kept.tolist()], colors[kept], zorder)

    def _halves(
        self, lines: Lines, edges: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return parts of passages as rectangles from each end to the middle, and the cell on that side."""
        cells = self._maze.lattice.edges[edges]
        places = self._plane.positions[cells]
        middles = places.mean(axis=1)
        rectangles, of = [], []
        for end in lines.points.reshape(-1, 2, 2).transpose(1, 0, 2):
            nearer = np.argmin(np.hypot(*(places - end[:, None]).transpose(2, 0, 1)), axis=1)
            along = middles - end
            length = np.hypot(*along.T)
            kept = length > NEAR * self._plane.cell
            half = CORRIDOR / 2 * self._plane.cell * along[kept] / length[kept, None]
            beside = np.stack([-half[:, 1], half[:, 0]], axis=1)
            one, other = end[kept], middles[kept]
            rectangles.append(np.stack([one + beside, other + beside, other - beside, one - beside], axis=1))
            of.append(np.take_along_axis(cells, nearer[:, None], axis=1)[kept, 0])
        return np.concatenate(rectangles), np.concatenate(of)

    def _cell_colors(self, ax: Axes, style: Style, shown: np.ma.MaskedArray[Any, Any]) -> NDArray[np.float64]:
        """Return the colours of the values of cells, transparent where a cell has none."""
        mappable = mpl.cm.ScalarMappable(Normalize(*style.limits), usual_colors(style.colors, style.cmap))
        mappable.set_array(shown)
        mappable.autoscale_None()
        fills = np.asarray(mappable.to_rgba(shown), np.float64)
        fills[np.ma.getmaskarray(shown)] = 0
        if style.bar:
            color_bar(ax, mappable, EDGE * self._plane.cell / abs(np.ptp(ax.get_ylim())), style.colors)
        return fills

    def make_room(self, lines: int) -> None:
        """Move what stands below for a legend: nothing does."""


def _parts_of(lines: Lines) -> list[NDArray[np.float64]]:
    """Return the points of each line."""
    return [lines.points[slice(*ends)] for ends in pairwise(lines.starts.tolist())]


def _add_areas(ax: Axes, parts: list[NDArray[np.float64]], colors: Any, zorder: float) -> None:
    """Fill polygons, each in its colour or all in one; thin edges close the seams between them."""
    areas = PolyCollection(parts, facecolors=colors, edgecolors=colors, linewidths=0.4, zorder=zorder)
    ax.add_collection(areas, autolim=False)


def plot_in_space(
    maze: GraphMaze, solution: Any, ax: Any, style_of: Callable[[Any, Sequence[Route]], Style]
) -> Any:
    """Draw the passages of a maze in space as lines, on axes with three dimensions; z goes up."""
    from matplotlib import pyplot as plt
    from mpl_toolkits.mplot3d.art3d import Line3DCollection  # type: ignore[import-untyped]

    places = maze.lattice.positions
    if places is None or places.shape[1] != 3:
        raise ValueError(
            f"three_d= is for lattices in space, as meiro.lattices.box makes them, not for {maze.lattice!r}"
        )
    routes = parse_routes(maze, solution)
    ax = plt.figure().add_subplot(projection="3d") if ax is None else ax
    if getattr(ax, "name", "") != "3d":
        raise TypeError(f"ax must be axes of matplotlib with projection='3d', not {short_repr(ax)}")
    style = style_of(ax, routes)
    ax.add_collection3d(
        Line3DCollection(
            places[maze.edges()],
            colors=[style.colors.theme.wall.unit],
            linewidths=2.5,
            alpha=0.3 if any(len(route.cells) > 1 for route in routes) else 1,
            capstyle="round",
        )
    )
    for route, paint in zip(routes, style.paints, strict=True):
        if len(route.cells) > 1:
            line = places[route.cells]
            ax.plot(*line.T, color=paint, linewidth=4, solid_capstyle="round", label=route.name)
        for name, cell in zip(("start", "goal"), route.ends, strict=True):
            if cell is not None:
                color = getattr(style.colors.theme, name).unit
                ax.scatter(*places[cell], color=[color], s=60, depthshade=False, label=name)
    low, high = places.min(axis=0) - 0.5, places.max(axis=0) + 0.5
    ax.set(xlim=(low[0], high[0]), ylim=(high[1], low[1]), zlim=(low[2], high[2]))
    ax.set_box_aspect(high - low)
    ax.set_axis_off()
    return ax
