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
from matplotlib.patches import PathPatch

from meiro._utils.messages import short_repr
from meiro.drawing.graph_outline import CORRIDOR
from meiro.drawing.labels import array_of_shape, shown_numbers
from meiro.drawing.lattice_layers import drawn_of, shape_layers, still_paints
from meiro.drawing.lines import NEAR, Lines, chords, dots_seen
from meiro.drawing.matplotlib.overlays import (
    EDGE,
    PATH_WIDTH,
    bare,
    color_bar,
    paths_of,
    stroke,
    usual_colors,
    write_titles,
)
from meiro.drawing.page import WALL
from meiro.drawing.picture import geometry_of, path_over_bridges
from meiro.drawing.routes import Route, parse_routes
from meiro.spaces.space_of import space_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

    from meiro.drawing.lattice_layers import ShapeLayer
    from meiro.drawing.matplotlib.overlays import Style
    from meiro.mazes.graph_maze import GraphMaze

_LEAST, _MOST = 0.05, (4.0, 10.0)  # points of lines: walls, and edges of a network

_DISC = 24  # corners of what is drawn for a cell without a polygon


class LatticePlot:
    """Draws a maze in the coordinates of its lattice, y down."""

    part = None

    def __init__(self, maze: GraphMaze) -> None:
        self.geometry = geometry_of(maze)
        plane: Any = self.geometry.plane
        self._maze, self._plane = maze, plane
        self.space, self.cell = space_of(maze), plane.cell

    def routes(self, solution: Any) -> list[Route]:
        """Return the routes, their lines straight."""
        routes = parse_routes(self._maze, solution, self._plane)
        return [route._replace(line=dots_seen(chords(route.line, self.cell), self.cell)) for route in routes]

    def values(self, given: ArrayLike) -> np.ma.MaskedArray[Any, Any]:
        """Return values, blank ones masked."""
        return shown_numbers(array_of_shape(given, (self._maze.n_cells,), "values"))

    def draw(
        self,
        ax: Axes,
        style: Style,
        shown: np.ma.MaskedArray[Any, Any] | None,
        routes: Sequence[Route],
        seen: NDArray[np.bool_] | None,
    ) -> NDArray[np.float64] | None:
        """Draw walls and values; return the colour of each cell, None if they have none."""
        maze, plane, theme = self._maze, self._plane, style.colors.theme
        (left, top, right, bottom), edge = plane.box, EDGE * plane.cell
        box = left - edge, right + edge, bottom + edge, top - edge
        bare(ax, box, box, theme.road.unit)
        fills = self._cell_colors(ax, style, shown, seen)
        paints = still_paints(maze.lattice, plane, maze.open)
        most = _MOST[1 if plane.network else 0] if plane.network or plane.outline is not None else np.inf
        layers = shape_layers(maze.lattice, plane, WALL * plane.cell, maze.open, areas=fills is not None)
        for i, layer in enumerate(layers):
            zorder = (2.11 if layer.over_paths else 1.2) + 0.001 * i
            for name, lines in drawn_of(layer, paints):
                color: Any = getattr(theme, name).unit
                if layer.kind == "area":
                    for path in paths_of(lines):
                        ax.add_patch(PathPatch(path, facecolor=color, edgecolor="none", zorder=zorder))
                    continue
                color = color if layer.opacity == 1 else (*color, layer.opacity)
                widths = layer.width / plane.cell, _LEAST, most
                stroke(ax, lines, color, widths, plane.cell, zorder, layer.caps)
            if fills is not None and layer.of_cells:
                self._fill(ax, layer, fills, 0.5 if layer.kind == "area" else zorder)
        if len(routes) == 1 and plane.outline is None and not plane.network:
            above = path_over_bridges(plane, maze, routes[0])
            stroke(ax, above, style.paints[0], PATH_WIDTH, plane.cell, 2.14)
        write_titles(ax, plane, style.colors)
        return fills

    def _fill(self, ax: Axes, layer: ShapeLayer, fills: NDArray[np.float64], zorder: float) -> None:
        """Colour shapes as their cells, passages up to the middle; the thin edges close seams."""
        lines, places = layer.shapes
        if layer.kind == "area":
            parts: Any = [lines.points[slice(*ends)] for ends in pairwise(lines.starts.tolist())]
        elif layer.kind == "dot":
            turns = np.arange(_DISC) * (2 * np.pi / _DISC)
            disc = layer.width / 2 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
            parts = lines.points[:, None] + disc
        else:
            parts, places = self._halves(lines, places - self._maze.n_cells)
        colors = fills[places]
        kept = np.flatnonzero(colors[:, 3] > 0)
        parts = [parts[i] for i in kept.tolist()]
        areas = PolyCollection(parts, facecolors=colors[kept], edgecolors=colors[kept], linewidths=0.4)
        areas.set_zorder(zorder)
        ax.add_collection(areas, autolim=False)

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
            kept = length > NEAR * self.cell
            half = CORRIDOR / 2 * self.cell * along[kept] / length[kept, None]
            beside = np.stack([-half[:, 1], half[:, 0]], axis=1)
            one, other = end[kept], middles[kept]
            rectangles.append(np.stack([one + beside, other + beside, other - beside, one - beside], axis=1))
            of.append(np.take_along_axis(cells, nearer[:, None], axis=1)[kept, 0])
        return np.concatenate(rectangles), np.concatenate(of)

    def _cell_colors(
        self,
        ax: Axes,
        style: Style,
        shown: np.ma.MaskedArray[Any, Any] | None,
        seen: NDArray[np.bool_] | None,
    ) -> NDArray[np.float64] | None:
        """Return the colour of each cell, transparent where it has none; None if no cell has one."""
        if shown is None:
            visited = (*style.colors.theme.visited.unit, 1.0)
            return None if seen is None else np.where(seen[:, None], visited, 0.0)
        mappable = mpl.cm.ScalarMappable(Normalize(*style.limits), usual_colors(style.colors, style.cmap))
        mappable.set_array(shown)
        mappable.autoscale_None()
        fills = np.asarray(mappable.to_rgba(shown), np.float64)
        fills[np.ma.getmaskarray(shown)] = 0
        if style.bar:
            color_bar(ax, mappable, EDGE * self.cell / abs(np.ptp(ax.get_ylim())), style.colors)
        return fills

    def behind(self, numbers: NDArray[np.int64], fills: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the colours of cells, of those of all."""
        return fills[numbers]

    def make_room(self, lines: int) -> None:
        """Move what stands below for a legend: nothing does."""


def plot_in_space(
    maze: GraphMaze, solution: Any, ax: Any, style_of: Callable[[Any, Sequence[Route]], Style]
) -> Any:
    """Draw the passages of a maze in space as lines, on axes with three dimensions; z goes up."""
    from matplotlib import pyplot as plt
    from mpl_toolkits.mplot3d.art3d import Line3DCollection  # type: ignore[import-untyped]

    places = maze.lattice.positions
    if places is None or places.shape[1] != 3:
        msg = f"three_d= is for lattices in space, as meiro.lattices.box makes them, not for {maze.lattice!r}"
        raise ValueError(msg)
    routes = parse_routes(maze, solution)
    ax = plt.figure().add_subplot(projection="3d") if ax is None else ax
    if getattr(ax, "name", "") != "3d":
        msg = f"ax must be axes of matplotlib with projection='3d', not {short_repr(ax)}"
        raise TypeError(msg)
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
