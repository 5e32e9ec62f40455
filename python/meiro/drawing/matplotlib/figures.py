"""Several pictures in one figure: many mazes, or the steps of a trace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, Unpack

import numpy as np

from meiro._utils.arrays import walls as wall_array
from meiro._utils.messages import refuse_unknown, requires_extra, short_repr
from meiro._utils.options import PlotOptions
from meiro._utils.paper import checked_title
from meiro._utils.validation import boolean, checked_outside, integer, items_of
from meiro.drawing.frame_raster import ink_colors, raster_of
from meiro.drawing.graph_outline import plane_to_plot
from meiro.drawing.labels import MOST_LABELS, digit_heights
from meiro.drawing.matplotlib.plot import plot
from meiro.drawing.numbers import (
    STANDING,
    Numbers,
    checked_numbers,
    wall_places,
    with_clusters,
)
from meiro.results.solution_batch import SolutionBatch
from meiro.spaces.space_of import is_maze, on_lattice
from meiro.traces.events import LEGEND
from meiro.traces.frame_deltas import frame_colors
from meiro.traces.frames import frame_number, frame_texts
from meiro.traces.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.typing import ColorType
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.paper import Outside
    from meiro.drawing.matplotlib.overlays import FigureColors
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.results.solution import Solution

_MOST_PANELS = 1000
_PIXELS, _MOST_PIXELS = 960, 4096  # a side of the image of a frame, about: matplotlib reduces it


def plot_many(
    batch: MazeBatch | GraphBatch | Iterable[Maze | GraphMaze | ArrayLike],
    n: SupportsIndex = 12,
    *,
    solutions: SolutionBatch | Iterable[Solution | ArrayLike | None] | None = None,
    titles: Iterable[str] | None = None,
    figure: Figure | SubFigure | None = None,
    **options: Unpack[PlotOptions],
) -> NDArray[np.object_]:
    """Draw the first mazes of a batch side by side.

    Parameters
    ----------
    batch : MazeBatch, GraphBatch, or iterable of Maze and GraphMaze
        Arrays of walls and roads are drawn as well.
    n : int
        The most mazes that are drawn.
    solutions : SolutionBatch or iterable of Solution or array_like, optional
        From `meiro.solve_many` with ``paths=True``; or for each maze that is drawn a solution, as in
        `meiro.plot`, or None.
    titles : list of str, optional
        One for each maze that is drawn. Default: "maze 0" and so on.
    figure : Figure or SubFigure, optional
        Default: a new figure of pyplot of a suitable size. It is not shown: call ``plt.show()``, unless a
        notebook does.
    **options
        ``explored=``, ``marks=``, ``colors=``, ``theme=`` and ``outside=``, as in `meiro.plot`.

    Returns
    -------
    ndarray of Axes, shape (m,)
        One for each maze, in order, with its title; ``axes[0].figure`` is the figure.

    Raises
    ------
    ValueError
        If there is no maze, `n` is less than 1, or there are fewer solutions or titles than mazes.
    TypeError
        If `batch` is one maze, or not an iterable of mazes.
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> many = meiro.generate_many((8, 8), "kruskal", 100, rng=7)
    >>> axes = meiro.plot_many(many, 6)
    >>> [a.get_title() for a in axes[:2]], len(axes)
    (['maze 0', 'maze 1'], 6)
    """
    takes = PlotOptions.__annotations__
    unknown = [name for name in options if name not in takes]
    refuse_unknown("plot_many", unknown, (*plot_many.__annotations__, *takes))
    if is_maze(batch):
        raise TypeError(
            f"batch must be a MazeBatch or several mazes, not {short_repr(batch)}; meiro.plot draws one"
        )
    mazes = list(
        islice(items_of(batch, "batch", "a MazeBatch or several mazes"), integer(n, "n", 1, _MOST_PANELS + 1))
    )
    if not mazes:
        raise ValueError(f"batch: there is no maze to draw in {short_repr(batch)}")
    routes = [None] * len(mazes) if solutions is None else list(islice(_ways(solutions), len(mazes)))
    several: Any = (f"maze {i}" for i in count()) if titles is None else items_of(titles, "titles", "a list")
    words = list(islice(several, len(mazes)))
    for name, given, each in (("solutions", routes, "one, or None,"), ("titles", words, "one")):
        if len(given) < len(mazes):
            raise ValueError(
                f"{name}= holds {len(given)}, and {len(mazes)} mazes are drawn: give {each} for each"
            )
    checked: list[Any] = [x if is_maze(x) else wall_array(x, name=f"batch[{i}]") for i, x in enumerate(mazes)]
    sides = [_sides(x.lattice) if on_lattice(x) else x.shape for x in checked]
    aspect = max(width for _, width in sides) / max(1e-9, *(height for height, _ in sides))
    with requires_extra("plot", "matplotlib"):
        from meiro.drawing.matplotlib.overlays import panels
    colors, axes = panels(len(mazes), aspect, 2.2, figure, options.get("theme"))
    for i, (maze, route, word, ax) in enumerate(zip(checked, routes, words, axes, strict=True)):
        plot(maze, ax=ax, solution=route, **options)
        _entitle(ax, checked_title(word, f"titles[{i}]"), colors)
    return axes


def plot_trace(
    trace: Trace,
    frames: SupportsIndex | Sequence[SupportsIndex | None] = 6,
    *,
    numbers: Numbers = True,
    figure: Figure | SubFigure | None = None,
    theme: Literal["light", "dark"] | None = None,
    outside: Outside = "blank",
    legend: bool = False,
    colors: Mapping[str, ColorType] | None = None,
) -> NDArray[np.object_]:
    """Draw frames of a trace side by side.

    Parameters
    ----------
    trace : Trace
        From `meiro.trace` or `meiro.trace_solve`.
    frames : int or sequence of int
        The number of frames, spread evenly up to the last; or their indices, as in ``trace[k]``. None in a
        sequence stands for the state before the first event.
    numbers : bool, "clusters" or "walls"
        Whether the numbers of `Frame.labels` are written into the cells, if these are large enough.
        "clusters" gives each cluster of joined cells its colour as well (kruskal, boruvka, eller,
        percolation); "walls" writes instead the ids of `meiro.wall_ids` on the walls that stand.
    figure, theme, outside : various, optional
        As in `plot_many`.
    legend : bool
        Whether a legend below says what the colours mean.
    colors : mapping of str to color, optional
        Colours for "wall", "road", "visited", "path", "start", "goal" and "text", in place of those of the
        theme, as in `meiro.plot`.

    Returns
    -------
    ndarray of Axes, shape (m,)
        One for each frame, with its number as title; ``axes[0].figure`` is the figure.

    Raises
    ------
    IndexError
        If there is no frame of such an index.
    ValueError
        If `frames` is 0 or empty.
    TypeError
        If `trace` is not a Trace, or `frames` does not hold integers.
    ImportError
        If matplotlib is not installed.

    Notes
    -----
    Cell (row, col) is at x = col, y = row, as in `meiro.plot`. The colours, those of `meiro.colors`, show the
    `State` of each cell, wall and post. Each frame is an image, in vector formats too.

    See Also
    --------
    animate : the trace as GIF, APNG, WebP or MP4.
    player : the trace with buttons, in notebooks and web pages.

    Examples
    --------
    >>> trace = meiro.trace((4, 4), "eller", rng=7)
    >>> [ax.get_title() for ax in meiro.plot_trace(trace, [None, 0, -1])]
    ['before', 'frame 0', 'frame 31']
    """
    if not isinstance(trace, Trace):
        raise TypeError(
            f"trace must be a Trace (see meiro.trace and meiro.trace_solve), not {short_repr(trace)}"
        )
    which, wanted, blank = _which(trace, frames), checked_numbers(numbers, [trace]), checked_outside(outside)
    explained = boolean(legend, "legend")
    height, width = trace.grid_shape if trace.lattice is None else _sides(trace.lattice)
    with requires_extra("plot", "matplotlib"):
        from meiro.drawing.matplotlib.overlays import panels
    looks, axes = panels(len(which), width / height, 1.6, figure, theme, own=colors)
    drawn = draw_frames(axes.tolist(), trace, which, looks, numbers=wanted, outside=blank)
    for k, ax in zip(which, axes, strict=True):
        _entitle(ax, f"frame {k:,}" if k >= 0 else "before", looks)
    if explained:
        seen = {paint for places in drawn for paint in np.unique(places).tolist()}
        _explain(axes[0].figure, {paint: text for paint, text in LEGEND.items() if paint in seen}, looks)
    return axes


def _sides(lattice: Lattice) -> tuple[float, float]:
    """Return the height and width of what is drawn of a lattice."""
    left, top, right, bottom = plane_to_plot(lattice).box
    return bottom - top, right - left


def _explain(figure: Any, entries: dict[int, str], colors: FigureColors) -> None:
    """Put a legend of the colours of places below the axes of a figure."""
    from matplotlib.patches import Patch

    squares = [
        Patch(facecolor=colors.theme[paint].unit, edgecolor=colors.theme.wall.unit, linewidth=0.6, label=text)
        for paint, text in entries.items()
    ]
    columns = max(min(len(squares), int(figure.bbox.width / figure.dpi / 1.3)), 1)
    arranged = figure.get_layout_engine() is not None or not hasattr(figure, "canvas")
    figure.legend(
        handles=squares,
        loc="outside lower center" if arranged else "lower center",
        ncols=columns,
        fontsize="small",
        labelcolor=colors.ink,
        frameon=False,
        handlelength=1,
        handleheight=1,
    )


def _ways(solutions: Any) -> Iterable[Any]:
    if not isinstance(solutions, SolutionBatch):
        return items_of(solutions, "solutions", "a SolutionBatch, or several solutions and paths")
    if solutions.paths is None:
        raise ValueError("solutions= holds no paths: ask for them by meiro.solve_many(..., paths=True)")
    return (path[: n + 1] for path, n in zip(solutions.paths, solutions.lengths.tolist(), strict=True))


def _which(trace: Trace, frames: Any) -> list[int]:
    """Return the indices of the frames; -1 is the state before the first event."""
    if hasattr(frames, "__index__") and np.ndim(frames) == 0:
        count = integer(frames, "frames")
        if not 1 <= min(count, len(trace)) <= _MOST_PANELS:
            raise ValueError(
                f"frames must be from 1 to {_MOST_PANELS:,}, or a list of frames, not {short_repr(count)}"
            )
        count = min(count, len(trace))
        return [(i + 1) * len(trace) // count - 1 for i in range(count)]
    if not isinstance(frames, Sequence | np.ndarray):
        raise TypeError(f"frames must be a number or a sequence of them, not {short_repr(frames)}")
    if len(frames[: _MOST_PANELS + 1]) > _MOST_PANELS:
        raise ValueError(f"frames: too many for a figure, {_MOST_PANELS:,} at most")
    which = [-1 if k is None else frame_number(integer(k, "frames"), len(trace)) for k in frames]
    if not which:
        raise ValueError("frames= is an empty list: nothing is asked for")
    return which


def _entitle(ax: Axes, title: str, colors: FigureColors) -> None:
    ax.set_title(title, fontsize="small", color=colors.ink, pad=3)


def draw_frames(
    axes: Sequence[Axes],
    trace: Trace,
    which: Sequence[int],
    colors: FigureColors,
    *,
    numbers: Numbers,
    outside: Outside,
) -> list[NDArray[np.uint8]]:
    """Draw frames on axes each, -1 for the state before the first; return the colours of their places."""
    from meiro.drawing.matplotlib.overlays import draw_wall_ids, without_ticks, write_labels, write_titles

    longest = 0 if trace.lattice is not None else 6 * max(trace.shape)
    paints = len(colors.paints) if numbers == "clusters" else 16
    raster = raster_of(trace, min(max(_PIXELS, longest), _MOST_PIXELS), paints)
    table, room = ink_colors(colors.paints, paints), raster.room
    # Large frames are averaged, the default. Small squares would be blurred by it up to matplotlib 3.10.
    interpolation = "nearest" if 0 < longest <= _PIXELS else None
    drawn = []
    for ax, k in zip(axes, which, strict=True):
        places = frame_colors(trace, k, outside=outside)
        if numbers == "walls":
            walls = wall_places(trace)
            draw_wall_ids(ax, walls[STANDING[places[*walls[:, 1:].T]]], colors.theme)
        elif numbers == "clusters":
            places = with_clusters(trace, places, k)
        drawn.append(places)
        image = table[raster.draw(places)]
        ax.imshow(image, extent=raster.extent, aspect="equal", interpolation=interpolation)
        is_array = trace.space == "sites"  # which need have no border
        ax.spines[:].set(visible=is_array, color=colors.faint, linewidth=0.6)
        if raster.plane is not None:
            write_titles(ax, raster.plane, colors)
        elif not is_array:  # a quarter of a cell around the maze, as `plot` has it
            ax.set(xlim=(-0.75, trace.shape[1] - 0.25), ylim=(trace.shape[0] - 0.25, -0.75))
        ax.set_facecolor(colors.theme.road.unit)
        without_ticks(ax)
        labels = (
            trace.frame(k).labels if numbers and numbers != "walls" and len(room) <= MOST_LABELS else None
        )
        if labels is not None:
            behind = (table[places[raster.cells]] / 255).reshape(-1, 3)
            texts = frame_texts(labels).reshape(-1)
            digits, seen = digit_heights(texts, room), np.where(room > 0, texts, "").tolist()
            write_labels(ax, seen, raster.spots, digits, behind, colors=colors, optional=True)
    return drawn
