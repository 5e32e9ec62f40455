"""A maze on a lattice on matplotlib axes: `meiro.plot` of a `GraphMaze`.

This module needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.artist import allow_rasterization
from matplotlib.collections import PolyCollection
from matplotlib.colors import Colormap, Normalize
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from meiro.colors import DARK, LIGHT
from meiro.drawing.graph_layout import plane_to_plot
from meiro.drawing.graph_outline import (
    CLOSED,
    CORRIDOR,
    DOT_WIDTH,
    FAINT,
    PASSAGE,
    Plane,
    bridge_parts,
    bridges,
    corridors,
    merged,
    network,
    open_seams,
    polygons,
    rooms,
    stairs,
    wall_segments,
)
from meiro.drawing.labels import MOST_LABELS, array_of_shape, label_texts
from meiro.drawing.lines import NEAR, Lines, chords, dots_seen
from meiro.drawing.matplotlib.cell_labels import DIGIT, CellLabels, label_height
from meiro.drawing.matplotlib.overlays import (
    FigureColors,
    brightness,
    color_bar,
    draw_legend,
    draw_routes,
    usual_colors,
)
from meiro.drawing.matplotlib.scaled_lines import axes_of, width_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from numpy.typing import ArrayLike, NDArray

    from meiro.drawing.matplotlib.maze_artist import Rgb
    from meiro.drawing.routes import Route
    from meiro.mazes.graph_maze import GraphMaze

_WALL = 0.14, 0.05, 4.0  # width: share of a cell, least, most points
_EDGE = 0.25  # of a cell, around the maze
_CHUNK = 1 << 15  # points that are drawn at a time
_STEP, _LEAST_ROOM = 1.2, 0.1  # from size to size of labels, and the smallest of cells, as shares
_DISC = 24  # corners of what is drawn for a cell without a polygon


class GraphOptions(NamedTuple):
    """What `meiro.plot` takes for a maze on a lattice, checked where it is the same for all mazes."""

    explored: bool
    values: ArrayLike | None
    labels: ArrayLike | None
    cmap: str | Colormap | None
    limits: tuple[float | None, float | None]
    colorbar: bool
    legend: bool | None


def plot_graph(
    ax: Axes,
    maze: GraphMaze,
    routes: Sequence[Route],
    colors: FigureColors,
    *,
    wall: Rgb,
    paints: Sequence[Rgb],
    options: GraphOptions,
) -> None:
    """Draw a maze on a lattice in the coordinates of the lattice, y down."""
    plane = plane_to_plot(maze.lattice, maze.openings)
    shown = None if options.values is None else _values(options.values, maze.n_cells)
    texts = None if options.labels is None else _texts(options.labels, maze.n_cells)
    _frame(ax, plane, colors)
    seen = routes[0].seen if options.explored and shown is None and len(routes) == 1 else None
    fills = _cell_colors(ax, plane, shown, seen, colors, options)
    ground = colors.theme.road.unit
    if plane.network:
        _draw_network(ax, plane, maze, wall, fills)
    elif plane.outline is None:
        _draw_corridors(ax, plane, maze, ground, wall, fills)
    else:
        if fills is not None:
            _fill(ax, plane, fills)
        segments, arcs = wall_segments(plane, maze.open)
        kinds = None if arcs is None else np.stack([np.zeros_like(arcs), arcs], axis=1).reshape(-1)
        lines = Lines(segments.reshape(-1, 2), np.arange(0, 2 * len(segments) + 1, 2), kinds)
        seams = merged(open_seams(plane, maze.open)[0], None, plane.cell)
        _stroke(ax, seams, (*wall, FAINT), (CLOSED, 0.05, 10.0), plane.cell, 1.4)
        _stroke(ax, chords(lines, plane.cell), wall, _WALL, plane.cell, 1.5)
        for signs, _ in stairs(plane, maze.lattice, maze.open):
            ax.add_patch(PathPatch(_path(signs), facecolor=wall, edgecolor="none", zorder=2.15))
        write_titles(ax, plane, colors)
    drawn = [_as_route(plane, route) for route in routes]
    draw_routes(ax, drawn, paints, colors, labelled=texts is not None, cell=plane.cell)
    if plane.outline is None and not plane.network and any(len(route.edges) for route in routes):
        _draw_bridges(ax, plane, maze, routes, ground, wall, paints, fills)
    if texts is not None:
        behind = np.tile(np.array(ground, np.float64), (maze.n_cells, 1))
        if fills is not None:
            behind = np.where(fills[:, 3:] > 0.5, fills[:, :3], behind)
        write_labels(ax, plane, texts, behind)
    if len(routes) > 1 if options.legend is None else options.legend:
        draw_legend(ax, drawn, paints, colors, seen=seen is not None)


def _cell_colors(  # noqa: PLR0917  # what is drawn, and how
    ax: Axes,
    plane: Plane,
    shown: np.ma.MaskedArray[Any, Any] | None,
    seen: NDArray[np.bool_] | None,
    colors: FigureColors,
    options: GraphOptions,
) -> NDArray[np.float64] | None:
    """Return the colour of each cell, transparent where it has none; None if no cell has one."""
    if shown is None:
        return None if seen is None else np.where(seen[:, None], (*colors.theme.visited.unit, 1.0), 0.0)
    low, high = options.limits
    there = shown.compressed()
    least, most = (there.min(), there.max()) if len(there) else (0, 1)
    norm = Normalize(least if low is None else low, most if high is None else high)
    mappable = mpl.cm.ScalarMappable(norm, usual_colors(colors, options.cmap))
    fills = np.asarray(mappable.to_rgba(shown), np.float64)
    fills[np.ma.getmaskarray(shown)] = 0
    if options.colorbar:
        color_bar(ax, mappable, _EDGE * plane.cell / abs(np.ptp(ax.get_ylim())), colors)
    return fills


def plot_in_space(  # noqa: PLR0917  # what is drawn, and how
    ax: Any,
    maze: GraphMaze,
    routes: Sequence[Route],
    wall: Rgb,
    paints: Sequence[Rgb],
    colors: FigureColors,
) -> None:
    """Draw the passages of a maze in space as lines, on axes with three dimensions; z goes up."""
    from mpl_toolkits.mplot3d.art3d import Line3DCollection  # type: ignore[import-untyped]

    places = maze.lattice.positions
    if places is None or places.shape[1] != 3:
        msg = f"three_d= is for lattices in space, as meiro.lattices.box makes them, not for {maze.lattice!r}"
        raise ValueError(msg)
    ax.add_collection3d(
        Line3DCollection(
            places[maze.edges()],
            colors=[wall],
            linewidths=2.5,
            alpha=0.3 if any(len(route.cells) > 1 for route in routes) else 1,
            capstyle="round",
        )
    )
    for route, paint in zip(routes, paints, strict=True):
        if len(route.cells) > 1:
            line = places[route.cells]
            ax.plot(*line.T, color=paint, linewidth=4, solid_capstyle="round", label=route.name)
        for name, cell in zip(("start", "goal"), route.ends, strict=True):
            if cell is not None:
                ax.scatter(
                    *places[cell],
                    color=[getattr(colors.theme, name).unit],
                    s=60,
                    depthshade=False,
                    label=name,
                )
    low, high = places.min(axis=0) - 0.5, places.max(axis=0) + 0.5
    ax.set(xlim=(low[0], high[0]), ylim=(high[1], low[1]), zlim=(low[2], high[2]))
    ax.set_box_aspect(high - low)
    ax.set_axis_off()


class _ScaledPath(PathPatch):
    """Lines as wide as a share of a cell; `cell` is its length in data coordinates."""

    def __init__(self, path: Path, widths: tuple[float, float, float], cell: float, **style: Any) -> None:
        path.should_simplify = False
        super().__init__(path, fill=False, **style)
        self._widths = (widths[0] * cell, *widths[1:])

    @allow_rasterization  # type: ignore[untyped-decorator]  # matplotlib has no types for it
    def draw(self, renderer: RendererBase) -> None:
        """Set the width and draw."""
        self.set_linewidth(width_points(axes_of(self), *self._widths))
        super().draw(renderer)


def _stroke(  # noqa: PLR0917  # what is drawn, and how
    ax: Axes,
    lines: Lines,
    color: Any,
    widths: tuple[float, float, float],
    cell: float,
    zorder: float,
    caps: str = "round",
) -> None:
    lines, first = dots_seen(lines, cell), 0
    starts = lines.starts
    while first < len(starts) - 1:
        last = max(int(np.searchsorted(starts, starts[first] + _CHUNK, side="right")) - 1, first + 1)
        part = Lines(lines.points[starts[first] : starts[last]], starts[first : last + 1] - starts[first])
        style = {"edgecolor": color, "capstyle": caps, "joinstyle": "round", "zorder": zorder}
        ax.add_artist(_ScaledPath(_path(part), widths, cell, **style))
        first = last


def _path(lines: Lines) -> Path:
    codes = np.full(len(lines.points), Path.LINETO, Path.code_type)
    codes[lines.starts[:-1][np.diff(lines.starts) > 0]] = Path.MOVETO
    return Path(lines.points, codes)


def _fill(ax: Axes, plane: Plane, fills: NDArray[np.float64]) -> None:
    assert plane.outline is not None  # noqa: S101  # corridors are no polygons
    kept = np.flatnonzero(fills[:, 3] > 0)
    lines = chords(polygons(plane.outline), plane.cell)
    parts = [lines.points[lines.starts[cell] : lines.starts[cell + 1]] for cell in kept.tolist()]
    ax.add_collection(_collection(parts, fills[kept]), autolim=False)


def _collection(parts: Any, colors: NDArray[np.float64]) -> PolyCollection:
    """Return areas; the thin edges close the seams between them."""
    return PolyCollection(parts, facecolors=colors, edgecolors=colors, linewidths=0.4, zorder=0.5)


def _draw_network(
    ax: Axes, plane: Plane, maze: GraphMaze, wall: Rgb, fills: NDArray[np.float64] | None
) -> None:
    closed, open_, _ = network(plane, maze.lattice, maze.open)
    for lines, color, share, zorder in (
        (closed, (*wall, FAINT), CLOSED, 1.2),
        (open_, wall, PASSAGE, 1.3),
    ):
        _stroke(ax, lines, color, (share, 0.05, 10.0), plane.cell, zorder)
    _fill_discs(ax, plane, np.tile((*wall, 1.0), (maze.n_cells, 1)), DOT_WIDTH, 2.15)
    if fills is not None:
        _fill_discs(ax, plane, fills, 0.8 * DOT_WIDTH, 2.16)


def _fill_discs(ax: Axes, plane: Plane, fills: NDArray[np.float64], width: float, zorder: float) -> None:
    """Colour cells without polygons."""
    kept = np.flatnonzero(fills[:, 3] > 0)
    turns = np.arange(_DISC) * (2 * np.pi / _DISC)
    disc = width / 2 * plane.cell * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    discs = _collection(plane.positions[kept][:, None] + disc, fills[kept])
    discs.set_zorder(zorder)
    ax.add_collection(discs, autolim=False)


def _draw_corridors(  # noqa: PLR0917  # what is drawn, and how
    ax: Axes, plane: Plane, maze: GraphMaze, ground: Rgb, wall: Rgb, fills: NDArray[np.float64] | None
) -> None:
    flat, _ = corridors(plane, maze.lattice, maze.open)
    cell = plane.cell
    outer, inner = (CORRIDOR + 2 * _WALL[0], 0.1, np.inf), (CORRIDOR, 0.05, np.inf)
    _stroke(ax, flat, wall, outer, cell, 1.2)
    _stroke(ax, flat, ground, inner, cell, 1.3)
    if fills is not None:
        _fill_discs(ax, plane, fills, CORRIDOR, 1.4)
        _fill_passages(ax, plane, maze, plane.positions[maze.edges()], maze.edge_ids(), fills, 1.41)
    sides, over = bridges(plane, maze, _WALL[0])
    _stroke(ax, sides, wall, outer, cell, 1.5, "butt")
    _stroke(ax, over, ground, inner, cell, 1.6, "butt")
    if fills is not None:
        _fill_bridges(ax, plane, maze, fills, 1.61)


def _fill_bridges(ax: Axes, plane: Plane, maze: GraphMaze, fills: NDArray[np.float64], zorder: float) -> None:
    parts, edges = bridge_parts(plane, maze.lattice, maze.open, beyond=CORRIDOR / 2)
    _fill_passages(ax, plane, maze, parts, edges, fills, zorder)


def _fill_passages(  # noqa: PLR0917  # what is drawn, and how
    ax: Axes,
    plane: Plane,
    maze: GraphMaze,
    parts: NDArray[np.float64],
    edges: NDArray[Any],
    fills: NDArray[np.float64],
    zorder: float,
) -> None:
    """Colour parts of passages, those of these edges, up to the middle as the cell on that side."""
    cells = maze.lattice.edges[edges]
    places = plane.positions[cells]
    middles = places.mean(axis=1)
    rectangles, colors = [], []
    for end in parts.transpose(1, 0, 2):
        nearer = np.argmin(np.hypot(*(places - end[:, None]).transpose(2, 0, 1)), axis=1)
        color = fills[np.take_along_axis(cells, nearer[:, None], axis=1)[:, 0]]
        along = middles - end
        length = np.hypot(*along.T)
        kept = (color[:, 3] > 0) & (length > NEAR * plane.cell)
        half = CORRIDOR / 2 * plane.cell * along[kept] / length[kept, None]
        beside = np.stack([-half[:, 1], half[:, 0]], axis=1)
        one, other = end[kept], middles[kept]
        rectangles.append(np.stack([one + beside, other + beside, other - beside, one - beside], axis=1))
        colors.append(color[kept])
    drawn = _collection(np.concatenate(rectangles), np.concatenate(colors))
    drawn.set_zorder(zorder)
    ax.add_collection(drawn, autolim=False)


def _draw_bridges(  # noqa: PLR0917  # what is drawn, and how
    ax: Axes,
    plane: Plane,
    maze: GraphMaze,
    routes: Sequence[Route],
    ground: Rgb,
    wall: Rgb,
    paints: Sequence[Rgb],
    fills: NDArray[np.float64] | None,
) -> None:
    """Draw the bridges again over paths below, and the paths over them."""
    sides, over = bridges(plane, maze, _WALL[0])
    if not len(over.points):
        return
    cell = plane.cell
    _stroke(ax, sides, wall, (CORRIDOR + 2 * _WALL[0], 0.1, np.inf), cell, 2.12, "butt")
    _stroke(ax, over, ground, (CORRIDOR, 0.05, np.inf), cell, 2.13, "butt")
    if fills is not None:
        _fill_bridges(ax, plane, maze, fills, 2.135)
    if len(routes) == 1:
        on_path = np.zeros(len(maze.open), np.bool_)
        on_path[routes[0].edges] = True
        above = corridors(plane, maze.lattice, maze.open, on_path)[1]
        _stroke(ax, above, paints[0], (0.28, 0.7, 6.0), cell, 2.14)


def _as_route(plane: Plane, route: Route) -> Route:
    """Return a path as those of other mazes are drawn: (x, y) of its corners, NaN where it is broken."""
    lines = dots_seen(chords(route.line, plane.cell), plane.cell)
    start, goal = (None if end is None else tuple(plane.positions[end][::-1].tolist()) for end in route.ends)
    return route._replace(line=lines._replace(points=lines.points.astype(np.float32)), ends=(start, goal))


def _frame(ax: Axes, plane: Plane, colors: FigureColors) -> None:
    left, top, right, bottom = plane.box
    edge = _EDGE * plane.cell
    size = right - left + 2 * edge, bottom - top + 2 * edge
    road = Rectangle((left - edge, top - edge), *size, edgecolor="none", zorder=0)
    road.set_facecolor(colors.theme.road.unit)
    ax.add_patch(road)
    ax.set(xlim=(left - edge, right + edge), ylim=(bottom + edge, top - edge))
    ax.set_aspect("equal")
    ax.tick_params(left=False, bottom=False, labelleft=False, labelbottom=False)
    ax.spines[:].set_visible(False)


def _values(values: ArrayLike, n: int) -> np.ma.MaskedArray[Any, Any]:
    given = array_of_shape(values, (n,), "values")
    if given.dtype.kind not in "biuf":
        msg = f"values must be numbers, not {given.dtype}"
        raise TypeError(msg)
    blank = given.data < 0 if given.dtype.kind == "i" else ~np.isfinite(given.data)
    return np.ma.masked_array(given.data, np.ma.getmaskarray(given) | blank)


def _texts(labels: ArrayLike, n: int) -> NDArray[np.str_]:
    if n > MOST_LABELS:
        msg = f"labels: {n:,} are too many to read, {MOST_LABELS:,} at most; show numbers by values="
        raise ValueError(msg)
    return label_texts(array_of_shape(labels, (n,), "labels"))


def write_titles(ax: Axes, plane: Plane, colors: FigureColors) -> None:
    """Write the titles of levels, where they can be read."""
    for text, x, y, size in plane.titles:
        digit = size * DIGIT
        label = (text, x, y - digit / 2)
        ax.add_artist(CellLabels([label], digit, colors.theme.ink.unit, optional=True))


def write_labels(
    ax: Axes, plane: Plane, texts: NDArray[np.str_], behind: NDArray[np.float64], *, optional: bool = False
) -> None:
    """Write texts into cells, on grounds of these colours; `optional` ones only where they can be read."""
    room = rooms(plane)
    common = float(np.median(room))
    texts = np.where(room > 0, texts, "") if optional else texts
    room[room == 0] = common
    # Numbers have one size, and smaller ones, in steps, where cells are smaller.
    steps = np.ceil(np.log(common / np.clip(room, _LEAST_ROOM * common, common)) / np.log(_STEP) - 1e-9)
    digit = label_height(texts)
    dark = brightness(behind) < 0.5
    for step in np.unique(steps).tolist():
        for pick, ink in ((~dark, LIGHT.ink), (dark, DARK.ink)):
            written = np.flatnonzero(pick & (texts != "") & (steps == step))
            labels = [(str(texts[i]), *plane.positions[i].tolist()) for i in written.tolist()]
            if labels:
                high = digit * common / _STEP**step
                ax.add_artist(CellLabels(labels, high, ink.unit, optional=optional))
