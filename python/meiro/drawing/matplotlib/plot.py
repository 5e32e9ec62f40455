"""`plot`: a maze on matplotlib axes, with solutions, values and labels."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Never, SupportsIndex, Unpack, overload

import numpy as np

from meiro._utils import arrays
from meiro._utils.messages import refuse_unknown, requires_extra, short_repr
from meiro._utils.options import PlotOptions
from meiro._utils.paper import checked_color, checked_title
from meiro._utils.validation import boolean, checked_outside, items_of, number, window_of
from meiro.colors import ROUTES, Color
from meiro.drawing.labels import array_of_shape, checked_marks, shown_numbers
from meiro.drawing.picture import BEHIND_LABELS, picture_on
from meiro.results.locks import Locks
from meiro.spaces.space_of import are_several, is_maze, on_lattice, space_of
from meiro.traces.frames import Frame, GraphFrame
from meiro.traces.trace import Trace
from meiro.transforms.locks import maze_with_ends

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.typing import ColorType
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.paper import Outside
    from meiro.drawing.matplotlib.lattices import LatticePlot
    from meiro.drawing.matplotlib.overlays import FigureColors, Rgb, Style
    from meiro.drawing.matplotlib.squares import SquaresPlot
    from meiro.drawing.routes import Route
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.results.solution import Solution
    from meiro.results.solution_batch import SolutionBatch

    Solutions = Solution | ArrayLike | Sequence[Solution | ArrayLike] | Mapping[str, Solution | ArrayLike]

_OF_SEVERAL = {"n", "titles", "figure"}


@overload
def plot(
    maze: MazeBatch | GraphBatch | Sequence[Maze | GraphMaze],
    *,
    n: SupportsIndex = ...,
    solution: SolutionBatch | Iterable[Solution | ArrayLike | None] | None = ...,
    titles: Iterable[str] | None = ...,
    figure: Figure | SubFigure | None = ...,
    **options: Unpack[PlotOptions],
) -> NDArray[np.object_]: ...
@overload
def plot(
    maze: Maze | GraphMaze | Locks | ArrayLike | Frame,
    *,
    ax: Axes | None = ...,
    solution: Solutions | None = ...,
    values: ArrayLike | None = ...,
    cmap: str | Colormap | None = ...,
    vmin: float | None = ...,
    vmax: float | None = ...,
    colorbar: bool = ...,
    labels: ArrayLike | Mapping[Any, object] | None = ...,
    title: str | None = ...,
    path_color: ColorType | Sequence[ColorType] | None = ...,
    wall_color: ColorType | None = ...,
    legend: bool | None = ...,
    region: slice | tuple[slice, slice] | None = ...,
    road: object = ...,
    three_d: bool = ...,
    **options: Unpack[PlotOptions],
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
    labels: ArrayLike | Mapping[Any, object] | None = None,
    marks: bool | Mapping[Any, object] | None = None,
    colors: Mapping[str, ColorType] | None = None,
    title: str | None = None,
    path_color: ColorType | Sequence[ColorType] | None = None,
    wall_color: ColorType | None = None,
    legend: bool | None = None,
    region: slice | tuple[slice, slice] | None = None,
    theme: Literal["light", "dark"] | None = None,
    outside: Outside = "blank",
    road: object = None,
    three_d: bool = False,
    n: SupportsIndex = 12,
    titles: Iterable[str] | None = None,
    figure: Figure | SubFigure | None = None,
    **unknown: Never,
) -> Axes | NDArray[np.object_]:
    """Draw a maze, any array of walls and roads, or a frame of a trace, on matplotlib axes; or several mazes.

    Cell (row, col) is at x = col, y = row, and y points down, so ``ax.plot(path[:, 1], path[:, 0])`` and
    ``nx.draw(graph, pos, ax=ax)`` lie on the maze. In an array the same holds for sites.

    Parameters
    ----------
    maze : Maze, GraphMaze, Locks, array_like of shape (h, w), or Frame
        Of Locks doors have letters A, B, ... and keys a, b, ... A frame shows the `State` of each place, and
        the numbers in its cells if these are large enough; it takes `ax`, `theme`, `outside` and `region`,
        and nothing else. A GraphMaze is drawn in the coordinates of its lattice, a box level beside level;
        without positions networkx finds some. Paths are those of cells, `values` and `labels` have shape
        (n_cells,); no `region`, `outside` and `road`. Of a batch or a list of mazes the first ones are drawn
        side by side, as `plot_many` does; that takes `solution`, of each maze, `n`, `titles`, `figure`,
        `explored`, `marks`, `colors`, `theme` and `outside`, and nothing else.
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
    labels : array_like, shape (rows, cols), or of the array, or mapping, optional
        Numbers, short words or dates to write into the cells, at most 10,000, or into some of them as
        ``{cell: text}``. None, NaN, NaT, masked entries and negative integers are blank.
    marks : bool or mapping, optional
        Whether start and goal are marked, the start by a dot and the goal by a ring. Default: those of the
        solution, or of the maze. True marks also where `solve` would begin and end, and openings by arrows.
        Texts as ``{cell: "S"}`` stand in their place.
    colors : mapping of str to color, optional
        Colours for "wall", "road", "visited", "path", "start", "goal", "text" and "door" (of `Locks`), in
        place of those of the theme.
    title : str, optional
        A line above the maze.
    path_color : color, optional
        For several solutions a list, one colour each.
    wall_color : color, optional
        The same as ``colors={"wall": ...}``.
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
    titles : list of str, optional
        For several mazes, one each.
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
    three_d, marks = boolean(three_d, "three_d"), checked_marks(marks)
    explored, outside = boolean(explored, "explored"), checked_outside(outside)
    given = _given(locals())
    locks = maze if isinstance(maze, Locks) else None
    maze = maze if locks is None else maze_with_ends(locks)
    _refuse_others(maze, given)
    with requires_extra("plot", "matplotlib"):
        from meiro.drawing.matplotlib import overlays as on
    if are_several(maze):
        from meiro.drawing.matplotlib.figures import plot_many

        return plot_many(maze, solutions=given.pop("solution", None), **given)
    if isinstance(maze, Frame | GraphFrame):
        return _plot_frame(maze, given)

    def style_of(ax: Any, routes: Sequence[Route]) -> Style:
        paints = _with_wall(on.figure_colors(ax.figure, theme, colors), wall_color)
        paths = _path_colors(path_color, routes, paints)
        low, high = (x if x is None else number(x, name) for name, x in (("vmin", vmin), ("vmax", vmax)))
        return on.Style(paints, paths, cmap, (low, high), boolean(colorbar, "colorbar"))

    if three_d:
        from meiro.drawing.matplotlib.lattices import plot_in_space

        return plot_in_space(maze, solution, ax, style_of)  # type: ignore[no-any-return]  # of 3 dimensions
    subject = _subject(maze, region, outside, road)
    routes = subject.routes(solution)
    shown = None
    if values is not None:
        shown = shown_numbers(array_of_shape(values, subject.space.shape, "values")[subject.part or ...])
    if not (explored and shown is None and len(routes) == 1):
        routes = [route._replace(seen=None) for route in routes]
    picture = picture_on(
        subject.geometry,
        subject.space,
        routes,
        marks=marks if region is None or marks is not True else None,
        labels=labels,
        locks=locks,
        part=subject.part,
    )
    shows_legend = len(routes) > 1 if legend is None else boolean(legend, "legend")
    ax = on.rectilinear(ax)
    style = style_of(ax, routes)
    if picture.words:
        style = style._replace(paints=[(*paint, BEHIND_LABELS) for paint in style.paints])
    own = subject.draw(ax, style, shown, picture)
    on.draw_routes(ax, routes, style, subject.geometry.side)
    on.draw_over(ax, picture, style)
    on.write_words(ax, picture, style, own)
    if title is not None:
        ax.set_title(checked_title(title), color=style.colors.ink)
    if shows_legend:
        subject.make_room(on.draw_legend(ax, picture, style))
    return ax


def _given(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of `plot` that have other values than by default."""
    usual: Mapping[str, Any] = plot.__kwdefaults__ or {}
    return {
        name: arguments[name]
        for name, value in usual.items()
        if not (type(arguments[name]) is type(value) and arguments[name] == value)
    }


def _subject(maze: Any, region: Any, outside: Outside, road: object) -> SquaresPlot | LatticePlot:
    """Return what draws a maze or an array."""
    from meiro.drawing.matplotlib.lattices import LatticePlot
    from meiro.drawing.matplotlib.squares import SquaresPlot

    if on_lattice(maze):
        return LatticePlot(maze)
    space: Any = space_of(maze if is_maze(maze) else arrays.walls(maze, road=road, name="maze"))
    window = window_of(slice(None) if region is None else region, space.shape, "region")
    rows, cols = (slice(first, first + count) for first, count in window)
    return SquaresPlot(space, (rows, cols), outside)


def _refuse_others(maze: Any, given: Mapping[str, Any]) -> None:
    """Raise a TypeError for a keyword that is for mazes of another kind."""
    in_space = "three_d" in given
    refused: dict[str, set[str]] = {}
    if are_several(maze):
        others = given.keys() - {"solution", *_OF_SEVERAL, *PlotOptions.__annotations__}
        refused["is for one maze: draw the mazes one by one, as meiro.plot(mazes[0])"] = others
    elif isinstance(maze, Frame | GraphFrame | Trace):
        if isinstance(maze, Trace):
            raise TypeError(
                "maze is a Trace: meiro.plot_trace draws its frames, and plot(trace[k]) one of them"
            )
        others = given.keys() - {"ax", "region", "theme", "outside"}
        refused[
            "is not for a Frame, which shows its own colours and numbers; "
            "plot the maze (trace.result, say), or frames by meiro.plot_trace"
        ] = others
        if maze.trace.lattice is not None:
            refused["is for mazes with rows and columns; set the limits of the axes instead"] = {"region"}
    else:
        refused["is for several mazes, and this is one"] = _OF_SEVERAL
        if on_lattice(maze):
            why = "is not for a GraphMaze: lattice.mask(cells) makes a lattice of some of its cells"
            refused[why] = {"region", "outside", "road"}
            flat = {"labels", "marks", "values", "title"} if in_space else set()
            refused["is for pictures in the plane, not for three_d=True"] = flat
        else:
            refused["is for a GraphMaze in space, as of meiro.lattices.box(4, 20, 30)"] = {"three_d"}
    for why, names in refused.items():
        for name in given:
            if name in names:
                raise TypeError(f"{name}= {why}")


def _plot_frame(frame: Frame | GraphFrame, given: Mapping[str, Any]) -> Axes:
    """Draw a frame of a trace."""
    from meiro.drawing.matplotlib.figures import draw_frames
    from meiro.drawing.matplotlib.overlays import figure_colors, rectilinear

    trace, region = frame.trace, given.get("region")
    shown = None if region is None else window_of(region, trace.shape, "region")
    ax, outside = rectilinear(given.get("ax")), given.get("outside", "blank")
    colors = figure_colors(ax.figure, given.get("theme"))
    draw_frames([ax], trace, [frame.number], colors, numbers=True, outside=outside)
    if shown is not None:
        (low, high), (first, last) = ((start - 0.75, start + n - 0.25) for start, n in shown)
        ax.set(xlim=(first, last), ylim=(high, low))
    return ax


def _with_wall(colors: FigureColors, given: Any) -> FigureColors:
    """Return colours with the wall of ``wall_color=``."""
    if given is None:
        return colors
    return colors._replace(theme=colors.theme._replace(wall=_color(given, "wall_color")))


def _path_colors(given: Any, routes: Sequence[object], colors: FigureColors) -> list[Rgb]:
    """Return the colours of the routes."""
    from matplotlib.colors import is_color_like

    if given is None:
        usual = (colors.theme.path, *ROUTES[colors.name][1:])
        if len(routes) > len(usual):
            raise ValueError(
                f"solution= holds {len(routes)} paths, and {len(usual)} colours can be told apart: "
                "draw fewer, or give a list as path_color="
            )
        return [color.unit for color in usual[: len(routes)]]
    several = [given]
    if len(routes) > 1 or (isinstance(given, list | np.ndarray) and not is_color_like(given)):
        several = list(islice(items_of(given, "path_color", "a list of colours"), len(routes) + 1))
    if len(several) != len(routes):
        raise ValueError(
            f"path_color= must be a list of {len(routes)} colours, one a solution, not {short_repr(given)}"
        )
    return [_color(color, "path_color").unit for color in several]


def _color(given: Any, name: str) -> Color:
    return Color(*bytes.fromhex(checked_color(given, name)[1:]))
