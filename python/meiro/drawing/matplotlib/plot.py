"""`plot`: a maze on matplotlib axes, with solutions, values and labels."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Never, SupportsIndex, overload

import numpy as np

from meiro._utils import arrays
from meiro._utils.messages import refuse_unknown, requires_extra, short_repr
from meiro._utils.validation import boolean, items_of, number, window_of
from meiro.colors import ROUTES
from meiro.drawing.labels import MOST_LABELS, array_of_shape, label_texts
from meiro.drawing.raster import block_means
from meiro.mazes._outside import checked_outside
from meiro.mazes.graph_maze import GraphMaze
from meiro.mazes.maze import Maze
from meiro.spaces.space_of import are_several
from meiro.traces.frames import Frame, GraphFrame
from meiro.traces.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.typing import ColorType
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.paper import Outside
    from meiro._utils.square import Shape
    from meiro.drawing.matplotlib.maze_artist import MazeArtist, Rgb
    from meiro.drawing.matplotlib.overlays import FigureColors
    from meiro.drawing.routes import Route
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch
    from meiro.results.solution import Solution
    from meiro.results.solution_batch import SolutionBatch

    Solutions = Solution | ArrayLike | Sequence[Solution | ArrayLike] | Mapping[str, Solution | ArrayLike]
    Part = tuple[slice, slice]

_EDGE = 0.25  # of a cell: margin around the maze, or around a region of it
_VALUES_SIDE = 1024  # more values a side are averaged: matplotlib takes 60 bytes for each to draw them


@overload
def plot(
    maze: MazeBatch | GraphBatch | Sequence[Maze] | Sequence[GraphMaze],
    *,
    n: SupportsIndex = ...,
    solution: SolutionBatch | Iterable[Solution | ArrayLike | None] | None = ...,
    figure: Figure | SubFigure | None = ...,
    theme: Literal["light", "dark"] | None = ...,
    outside: Outside = ...,
) -> NDArray[np.object_]: ...
@overload
def plot(
    maze: Maze | GraphMaze | ArrayLike | Frame,
    *,
    ax: Axes | None = ...,
    solution: Solutions | None = ...,
    explored: bool = ...,
    values: ArrayLike | None = ...,
    cmap: str | Colormap | None = ...,
    vmin: float | None = ...,
    vmax: float | None = ...,
    colorbar: bool = ...,
    labels: ArrayLike | None = ...,
    path_color: ColorType | Sequence[ColorType] | None = ...,
    wall_color: ColorType | None = ...,
    legend: bool | None = ...,
    region: slice | tuple[slice, slice] | None = ...,
    theme: Literal["light", "dark"] | None = ...,
    outside: Outside = ...,
    road: object = ...,
    three_d: bool = ...,
    **unknown: Never,
) -> Axes: ...
def plot(
    maze: Any,
    *,
    ax: Axes | None = None,
    solution: Any = None,
    explored: bool = True,
    values: ArrayLike | None = None,
    cmap: str | Colormap | None = None,
    vmin: float | None = None,
    vmax: float | None = None,
    colorbar: bool = True,
    labels: ArrayLike | None = None,
    path_color: ColorType | Sequence[ColorType] | None = None,
    wall_color: ColorType | None = None,
    legend: bool | None = None,
    region: slice | tuple[slice, slice] | None = None,
    theme: Literal["light", "dark"] | None = None,
    outside: Outside = "blank",
    road: object = None,
    three_d: bool = False,
    n: SupportsIndex = 12,
    figure: Figure | SubFigure | None = None,
    **unknown: Never,
) -> Axes | NDArray[np.object_]:
    """Draw a maze, any array of walls and roads, or a frame of a trace, on matplotlib axes; or several mazes.

    Cell (row, col) is at x = col, y = row, and y points down, so ``ax.plot(path[:, 1], path[:, 0])`` and
    ``nx.draw(graph, pos, ax=ax)`` lie on the maze. In an array the same holds for sites.

    Parameters
    ----------
    maze : Maze, GraphMaze, array_like of shape (h, w), or Frame
        A frame shows the `State` of each place, and the numbers in its cells if these are large enough.
        It takes `ax`, `theme`, `outside` and `region`, and nothing else. A GraphMaze is drawn in the
        coordinates of its lattice, a box level beside level; without positions networkx finds some. Paths are
        those of cells, `values` and `labels` have shape (n_cells,); no `region`, `outside` and `road`. Of a
        batch or a list of mazes the first ones are drawn side by side, as `plot_many` does; that takes
        `solution`, of each maze, `n`, `figure`, `theme` and `outside`, and nothing else.
    ax : Axes, optional
        Default: the current axes. The figure is not shown: call ``plt.show()``, unless a notebook does.
    solution : Solution or array_like of shape (k, 2), a list of them, or a mapping, optional
        A solution of the maze or of its grid, or a path of adjacent (row, col), in cells of a maze or sites
        of an array. Several are drawn beside each other, each in its own colour; the legend names them by
        their algorithms or by the keys of the mapping.
    explored : bool
        Whether the cells that the search explored are coloured, if there is one solution and no `values`.
    values : array_like, shape (rows, cols), or of the array
        Numbers to colour the cells by. NaN, masked entries, and in arrays of integers negative numbers are
        blank.
    cmap : str or Colormap, optional
        The colours for `values`.
    vmin, vmax : float, optional
        The values of the first and the last colour. Default: the least and the greatest.
    colorbar : bool
        Whether a colour bar is drawn for `values`.
    labels : array_like, shape (rows, cols), or of the array
        Numbers, short words or dates to write into the cells, at most 10,000. None, NaN, NaT, masked entries
        and negative integers are blank.
    path_color : color, optional
        For several solutions a list, one colour each.
    wall_color : color, optional
        Default: that of the theme.
    legend : bool, optional
        Whether a legend is drawn below the axes. Default: if there are several solutions.
    region : slice or (slice, slice), optional
        The part to show, rows and columns as NumPy slices them: ``np.s_[2:5, 3:9]``; in cells of a maze or
        sites of an array. Coordinates are those of the whole maze.
    theme : {"light", "dark"}, optional
        Default: dark on a dark figure, as ``plt.style.use("dark_background")`` gives, else light.
    outside : {"blank", "wall"}
        How cells that do not exist, of a mask, are drawn: as paper, or as wall.
    road : scalar or sequence of scalars, optional
        The value of a road, if `maze` is an array that is not boolean or of 0 (road) and 1 (wall).
    three_d : bool
        Whether the passages of a GraphMaze in space are drawn as lines in space; `ax` then has the projection
        "3d".
    n : int
        The most mazes of several that are drawn.
    figure : Figure or SubFigure, optional
        For several mazes. Default: a new one.

    Returns
    -------
    Axes, or ndarray of Axes, shape (m,)
        What was drawn on: `ax`, or the current axes; of several mazes those of each.

    Raises
    ------
    ValueError
        If a solution goes through a wall or is of another maze, `values` or `labels` have another shape, the
        region is empty, the theme is unknown, or there are more solutions than colours.
    TypeError
        If an argument has another type than listed above, or is not for frames.
    ImportError
        If matplotlib is not installed.

    Notes
    -----
    Walls are lines if the cells are large enough, and get their width when the figure is drawn, which may be
    resized, zoomed, and saved at any resolution. Otherwise they are an image with the pixels of the output.
    An image of fewer pixels than the maze has sites shows averages, and a note below the axes says so; walls
    are then half as dark, or left out over `values`, so that the colours can be seen.

    A periodic border is drawn open, and a path that crosses it reaches it on both sides. The cut around a
    region is open as well; the walls that it cuts extend beyond it. Values and labels are drawn for the
    region only; the rest of the maze comes into view if the limits of the axes are moved.

    The colours are those of `meiro.colors`.

    See Also
    --------
    plot_many : many mazes in one figure.
    plot_trace : the steps of an algorithm.
    meiro.Maze.to_svg : a maze as SVG, without matplotlib.

    Examples
    --------
    >>> ax = meiro.plot(meiro.generate((10, 20), rng=7))
    >>> ax.get_aspect()
    1.0
    >>> meiro.plot(meiro.generate_many(meiro.lattices.hexagonal(5, 6), n=100, rng=7), n=4).shape
    (4,)
    """
    refuse_unknown("plot", unknown, plot.__annotations__)
    of_one: dict[str, object] = {
        "ax": ax,
        "explored": None if explored is True else explored,
        "values": values,
        "cmap": cmap,
        "vmin": vmin,
        "vmax": vmax,
        "colorbar": None if colorbar is True else colorbar,
        "labels": labels,
        "path_color": path_color,
        "wall_color": wall_color,
        "legend": legend,
        "region": region,
        "road": road,
        "three_d": boolean(three_d, "three_d") or None,
    }
    several = {"n": None if isinstance(n, int) and n == 12 else n, "figure": figure}
    if are_several(maze) or isinstance(maze, Frame | GraphFrame | Trace):
        drawn: Axes | NDArray[np.object_] = _plot_several_or_frame(
            maze, of_one, several, solution, theme, outside
        )
        return drawn
    _refuse(several, "is for several mazes, and this is one")
    with requires_extra("plot", "matplotlib"):
        from matplotlib import pyplot as plt
    from meiro.drawing.matplotlib.cell_labels import draw_labels
    from meiro.drawing.matplotlib.maze_artist import MazeArtist
    from meiro.drawing.matplotlib.overlays import draw_legend, draw_routes, draw_values, figure_colors
    from meiro.drawing.routes import parse_routes

    if isinstance(maze, GraphMaze):
        refused = {"region": region is not None, "outside": outside != "blank", "road": road is not None}
        return _plot_graph(
            maze,
            ax,
            solution,
            refused,
            (explored, values, labels, cmap, (vmin, vmax), colorbar, legend),
            (path_color, wall_color, theme),
            in_space=boolean(three_d, "three_d"),
        )
    _require_flat(three_d=three_d)
    x = maze if isinstance(maze, Maze) else arrays.walls(maze, road=road, name="maze")
    shape = (x.rows, x.cols) if isinstance(x, Maze) else (x.shape[0], x.shape[1])
    (top, height), (left, width) = window_of(slice(None) if region is None else region, shape, "region")
    part = slice(top, top + height), slice(left, left + width)
    routes = [_without_hidden_ends(route, part) for route in parse_routes(x, solution)]
    shown = None if values is None else _values_shown(values, shape, part)
    if shown is not None and not isinstance(x, Maze) and shown.shape == (height, width):
        shown = extend_under_walls(shown, x[part] == 1)
    texts = None if labels is None else _labels_shown(labels, shape, part)
    ax = plt.gca() if ax is None else rectilinear(ax)
    colors = figure_colors(ax.figure, theme)
    paints = _path_colors(path_color, routes, colors)
    wall = colors.theme.wall.unit if wall_color is None else _color(wall_color, "wall_color")
    shows_explored = boolean(explored, "explored")
    limits = _limits(vmin, vmax)
    shows_legend = len(routes) > 1 if legend is None else boolean(legend, "legend")

    note = ax.annotate(
        "", (1, 0), (0, -4), "axes fraction", "offset points", ha="right", va="top", size="small",
        color=colors.faint,
    )  # fmt: skip
    seen = routes[0].seen if shows_explored and shown is None and len(routes) == 1 else None
    artist = MazeArtist(
        x,
        seen,
        wall=wall,
        visited=colors.theme.visited.unit,
        note=note,
        over_values=shown is not None,
        outside=checked_outside(outside),
    )
    _frame(ax, artist, part, colors)
    extent = left - 0.5, left + width - 0.5, top + height - 0.5, top - 0.5
    bar = boolean(colorbar, "colorbar")
    shades: NDArray[np.float64] | None = None
    if shown is not None:
        image = draw_values(ax, shown, extent, colors, cmap=cmap, limits=(limits[0], limits[1]), bar=bar)
        if texts is not None and texts.shape == shown.shape:  # not averaged
            shades = np.asarray(image.to_rgba(shown))
    draw_routes(ax, routes, paints, colors, labelled=texts is not None)
    if texts is not None:
        behind = _colors_behind(texts.shape, (top, left), shades, routes, colors)
        draw_labels(ax, texts, (top, left), behind)
    if shows_legend:
        lines = draw_legend(ax, routes, paints, colors, seen=seen is not None)
        note.set_position((0, -6 - 14 * lines))
    return ax


def _plot_several_or_frame(  # noqa: PLR0917  # as plot() has them
    maze: Any,
    of_one: Mapping[str, Any],
    of_several: Mapping[str, Any],
    solution: Any,
    theme: Literal["light", "dark"] | None,
    outside: Outside,
) -> Any:
    """Draw mazes side by side, or a frame of a trace; arguments for other things must be None."""
    if are_several(maze):
        from meiro.drawing.matplotlib.figures import plot_many

        _refuse(of_one, "is for one maze: draw the mazes one by one, as meiro.plot(mazes[0])")
        given = {name: x for name, x in of_several.items() if x is not None}
        return plot_many(maze, solutions=solution, theme=theme, outside=outside, **given)
    others = {**of_one, **of_several, "solution": solution}
    ax, region = others.pop("ax"), others.pop("region")
    return _plot_frame(maze, ax, checked_outside(outside), region=region, theme=theme, others=others)


def _refuse(given: Mapping[str, object], why: str) -> None:
    """Raise a TypeError if one of these arguments is given."""
    for name, value in given.items():
        if value is not None:
            msg = f"{name}= {why}"
            raise TypeError(msg)


def _limits(vmin: object, vmax: object) -> tuple[float | None, float | None]:
    low, high = (
        None if limit is None else number(limit, name) for name, limit in (("vmin", vmin), ("vmax", vmax))
    )
    return low, high


def _require_flat(*, three_d: bool) -> None:
    if boolean(three_d, "three_d"):
        msg = "three_d= is for a GraphMaze in space, as of meiro.lattices.box(4, 20, 30)"
        raise TypeError(msg)


def _plot_graph(  # noqa: PLR0917  # as plot() has them
    maze: GraphMaze,
    ax: Axes | None,
    solution: object,
    refused: Mapping[str, bool],
    options: tuple[Any, ...],
    colored: tuple[Any, Any, Literal["light", "dark"] | None],
    *,
    in_space: bool,
) -> Axes:
    """Draw a maze on a lattice; `options` are those of `GraphOptions`, unchecked."""
    from matplotlib import pyplot as plt

    from meiro.drawing.graph_layout import plane_to_plot
    from meiro.drawing.matplotlib.graph_plot import GraphOptions, plot_graph, plot_in_space
    from meiro.drawing.matplotlib.overlays import figure_colors
    from meiro.drawing.routes import parse_routes

    for name, is_given in refused.items():
        if is_given:
            msg = f"{name}= is not for a GraphMaze: lattice.mask(cells) makes a lattice of some of its cells"
            raise TypeError(msg)
    path_color, wall_color, theme = colored
    given = GraphOptions(*options)
    given = given._replace(
        explored=boolean(given.explored, "explored"),
        limits=_limits(*given.limits),
        colorbar=boolean(given.colorbar, "colorbar"),
        legend=None if given.legend is None else boolean(given.legend, "legend"),
    )
    routes = parse_routes(maze, solution, None if in_space else plane_to_plot(maze.lattice, maze.openings))
    if in_space:
        ax = plt.figure().add_subplot(projection="3d") if ax is None else ax
        if getattr(ax, "name", "") != "3d":
            msg = f"ax must be axes of matplotlib with projection='3d', not {short_repr(ax)}"
            raise TypeError(msg)
    else:
        ax = plt.gca() if ax is None else rectilinear(ax)
    colors = figure_colors(ax.figure, theme)
    paints = _path_colors(path_color, routes, colors)
    wall = colors.theme.wall.unit if wall_color is None else _color(wall_color, "wall_color")
    if in_space:
        plot_in_space(ax, maze, routes, wall, paints, colors)
    else:
        plot_graph(ax, maze, routes, colors, wall=wall, paints=paints, options=given)
    return ax


def _plot_frame(
    frame: Frame | GraphFrame | Trace,
    ax: Axes | None,
    outside: Outside,
    *,
    region: slice | Part | None,
    theme: Literal["light", "dark"] | None,
    others: Mapping[str, object],
) -> Axes:
    """Draw a frame of a trace; `others` are arguments for mazes, which must be None."""
    from matplotlib import pyplot as plt

    from meiro.drawing.matplotlib.frame_axes import draw_frames
    from meiro.drawing.matplotlib.overlays import figure_colors

    if isinstance(frame, Trace):
        msg = "maze is a Trace: meiro.plot_trace draws its frames, and plot(trace[k]) one of them"
        raise TypeError(msg)
    why = (
        "is not for a Frame, which shows its own colours and numbers; "
        "plot the maze (trace.result, say), or frames by meiro.plot_trace"
    )
    _refuse(others, why)
    trace = frame.trace
    if trace.lattice is not None and region is not None:
        msg = "region= is for mazes with rows and columns; set the limits of the axes instead"
        raise TypeError(msg)
    shown = None if region is None else window_of(region, trace.shape, "region")
    ax = plt.gca() if ax is None else rectilinear(ax)
    colors = figure_colors(ax.figure, theme)
    draw_frames([ax], trace, [frame.number], colors, numbers=True, outside=outside)
    if shown is not None:
        (low, high), (first, last) = ((start - 0.75, start + n - 0.25) for start, n in shown)
        ax.set(xlim=(first, last), ylim=(high, low))
    return ax


def _values_shown(values: ArrayLike, shape: Shape, part: Part) -> np.ma.MaskedArray[Any, Any]:
    """Return the values of a part, blank ones masked, averaged where a screen cannot show them all."""
    given = array_of_shape(values, shape, "values")[part]
    if given.dtype.kind not in "biuf":
        msg = f"values must be numbers, not {given.dtype}"
        raise TypeError(msg)
    blank = given.data < 0 if given.dtype.kind == "i" else ~np.isfinite(given.data)
    given = np.ma.masked_array(given.data, np.ma.getmaskarray(given) | blank)
    height, width = (min(side, _VALUES_SIDE) for side in given.shape)
    return given if (height, width) == given.shape else block_means(given, (height, width))


def extend_under_walls(
    values: np.ma.MaskedArray[Any, Any], walls: NDArray[np.bool_]
) -> np.ma.MaskedArray[Any, Any]:
    """Extend values to the walls beside them, so that no seam and no speckle is left around the walls."""
    filled: np.ma.MaskedArray[Any, Any] = values.copy()
    for axis in (0, 1):
        for step in (1, -1):
            shifted = np.ma.masked_all_like(filled)  # type: ignore[no-untyped-call]
            to, of = (slice(1, None), slice(None, -1))[::step]
            whole = (slice(None),) * axis
            shifted[(*whole, to)] = filled[(*whole, of)]
            fill = walls & np.ma.getmaskarray(filled) & ~np.ma.getmaskarray(shifted)
            filled[fill] = shifted[fill]
    return filled


def _labels_shown(labels: ArrayLike, shape: Shape, part: Part) -> NDArray[np.str_]:
    given = array_of_shape(labels, shape, "labels")[part]
    if given.size > MOST_LABELS:
        msg = (
            f"labels: {given.size:,} are too many to read, {MOST_LABELS:,} at most; show numbers by values=, "
            "or a part of the maze by region="
        )
        raise ValueError(msg)
    return label_texts(given)


def rectilinear(ax: object) -> Axes:
    """Return axes, checked: matplotlib's ordinary ones."""
    from matplotlib.axes import Axes as AxesType

    if not isinstance(ax, AxesType) or ax.name != "rectilinear":
        msg = f"ax must be ordinary matplotlib axes, not {short_repr(ax)}"
        raise TypeError(msg)
    return ax


def _without_hidden_ends(route: Route, part: Part) -> Route:
    """Drop the ends that are not in view."""
    rows, cols = part
    start, goal = (
        end if end and rows.start <= end[0] < rows.stop and cols.start <= end[1] < cols.stop else None
        for end in route.ends
    )
    return route._replace(ends=(start, goal))


def _path_colors(given: Any, routes: Sequence[object], colors: FigureColors) -> list[Rgb]:
    """Return the colours of the routes."""
    from matplotlib.colors import is_color_like

    if given is None:
        usual = ROUTES[colors.name]
        if len(routes) > len(usual):
            msg = (
                f"solution= holds {len(routes)} paths, and {len(usual)} colours can be told apart: "
                "draw fewer, or give a list as path_color="
            )
            raise ValueError(msg)
        return [color.unit for color in usual[: len(routes)]]
    several = [given]
    if len(routes) > 1 or (isinstance(given, list | np.ndarray) and not is_color_like(given)):
        several = list(islice(items_of(given, "path_color", "a list of colours"), len(routes) + 1))
    if len(several) != len(routes):
        msg = f"path_color= must be a list of {len(routes)} colours, one a solution, not {short_repr(given)}"
        raise ValueError(msg)
    return [_color(color, "path_color") for color in several]


def _color(given: Any, name: str) -> Rgb:
    from matplotlib.colors import to_rgb

    try:
        return to_rgb(given)
    except (TypeError, ValueError, OverflowError) as error:
        msg = f"{name} must be a colour of matplotlib, not {short_repr(given)}"
        raise ValueError(msg) from error


def _frame(ax: Axes, artist: MazeArtist, part: Part, colors: FigureColors) -> None:
    """Put the artist on the axes, and a part of the maze in view."""
    from matplotlib.patches import Rectangle

    left, right, bottom, top = artist.extent
    road = Rectangle((left, top), right - left, bottom - top, edgecolor="none", zorder=0)
    road.set_facecolor(colors.theme.road.unit)
    ax.add_patch(road)
    ax.add_artist(artist)
    (low, high), (first, last) = ((s.start - 0.5 - _EDGE, s.stop - 0.5 + _EDGE) for s in part)
    ax.set(xlim=(max(first, left), min(last, right)), ylim=(min(high, bottom), max(low, top)))
    ax.set_aspect("equal")
    ax.tick_params(left=False, bottom=False, labelleft=False, labelbottom=False)
    ax.spines[:].set_visible(False)


def _colors_behind(
    shape: tuple[int, ...],
    corner: tuple[int, int],
    shades: NDArray[np.float64] | None,
    routes: Sequence[Route],
    colors: FigureColors,
) -> NDArray[np.float64]:
    """Return the colours behind the labels."""
    behind = np.full((*shape, 3), colors.theme.road.unit)
    if shades is not None:
        behind = np.where(shades[..., 3:] > 0.5, shades[..., :3], behind)
    for route in routes:
        for end, color in zip(route.ends, (colors.theme.start, colors.theme.goal), strict=True):
            if end is not None:
                behind[round(end[0]) - corner[0], round(end[1]) - corner[1]] = color.unit
    return behind
