"""Mazes on matplotlib axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import arrays, colors
from meiro.errors import missing, shown
from meiro.lattice import FLAT, Wrap, integers
from meiro.maze import Maze
from meiro.paths import seen_sites, steps_of
from meiro.solution import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.typing import ColorType
    from numpy.typing import ArrayLike, NDArray

    from meiro.layers import Way

LABELS_UP_TO = 10_000
"""Cells of a maze up to which labels can be drawn."""

_VALUES_SIDE = 2048  # values above it are averaged: no screen shows more
_BAND = 1 << 21  # of them at a time


def plot(
    maze: Maze | ArrayLike,
    *,
    ax: Axes | None = None,
    solution: Solution | ArrayLike | None = None,
    explored: bool = True,
    values: ArrayLike | None = None,
    cmap: str | Colormap | None = None,
    vmin: float | None = None,
    vmax: float | None = None,
    colorbar: bool = True,
    labels: ArrayLike | None = None,
    path_color: ColorType | None = None,
    wall_color: ColorType | None = None,
    legend: bool = False,
    road: object = None,
) -> Axes:
    """Draw a maze, or any array of walls and roads, on matplotlib axes.

    Cell (row, col) stands at x = col, y = row, and y points down. So ``ax.plot(path[:, 1], path[:, 0])`` and
    ``nx.draw(graph, pos, ax=ax)`` lie on the maze. In an array the sites stand so.

    Parameters
    ----------
    maze : Maze or array_like of shape (h, w)
    ax : Axes, optional
        Default: the current axes. Nothing is shown: that is left to you, or to the notebook.
    solution : Solution or array_like of shape (k, 2), optional
        What `meiro.solve` found in the maze, or in its grid; or a path of (row, col), in cells of a maze or
        sites of an array.
    explored : bool
        Whether the places that the search visited are coloured, where there are no `values`.
    values : array_like, shape (rows, cols), or of the array
        Numbers to colour the cells by, with a colour bar. NaN, masked entries, and in arrays of integers
        negative numbers are left blank.
    cmap : str or Colormap, optional
        The colours for `values`.
    vmin, vmax : float, optional
        The values that the first and the last colour stand for. Default: the least and the greatest.
    colorbar : bool
        Whether a colour bar tells the colours of `values`.
    labels : array_like, shape (rows, cols), or of the array
        Numbers or short words to write into the cells. None, NaN, masked entries and negative integers are
        left blank.
    path_color, wall_color : color, optional
    legend : bool
        Whether a legend below the axes tells the colours.
    road : scalar, optional
        The value of a road, if `maze` is an array that is not boolean or of 0 (road) and 1 (wall).

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If solution, values or labels do not fit what is drawn.
    ImportError
        If matplotlib is not installed.

    Notes
    -----
    Walls are lines when there is room for them, and sized when the figure is drawn: it may be resized,
    zoomed, and saved at any resolution. Else they are an image with the pixels of the output. If it has
    fewer pixels than the maze has sites it shows averages, and a note below the axes says so. In a maze the
    walls are then half as dark as they would be, and left away over `values`, so that the colours show.

    A maze that wraps is drawn with an open border; a path over the rim reaches it on both sides.

    The colours are those of `meiro.colors`.

    Examples
    --------
    >>> ax = meiro.plot(meiro.generate((10, 20), rng=7))
    >>> ax.get_aspect()
    1.0
    """
    try:
        from matplotlib import pyplot as plt
        from matplotlib.axes import Axes as AxesType
        from matplotlib.colors import to_rgb
        from matplotlib.patches import Rectangle
    except ImportError as e:
        raise missing("plot", "matplotlib") from e  # noqa: EM101
    from meiro.artists import MazePicture
    from meiro.layers import draw_legend, draw_values, draw_way, draw_words

    x = maze if isinstance(maze, Maze) else arrays.walls(maze, road=road, name="maze")
    shape = (x.rows, x.cols) if isinstance(x, Maze) else x.shape
    way = _way_of(x, shape, solution)
    numbers = None if values is None else _numbers(values, shape)
    if numbers is not None and not isinstance(x, Maze) and numbers.shape == x.shape:
        numbers = _under_walls(numbers, x == 1)
    words = None if labels is None else _words(labels, shape)
    path_rgb = colors.PATH.unit if path_color is None else to_rgb(path_color)
    wall_rgb = colors.WALL.unit if wall_color is None else to_rgb(wall_color)
    if ax is None:
        ax = plt.gca()
    elif not isinstance(ax, AxesType) or ax.name != "rectilinear":
        msg = f"ax must be ordinary matplotlib axes, not {shown(ax)}"
        raise TypeError(msg)

    note = ax.annotate(
        "", (1, 0), (0, -20 if legend else -4), "axes fraction", "offset points",
        ha="right", va="top", size="small", color="0.45",
    )  # fmt: skip
    seen = way.seen if explored and numbers is None else None
    picture = MazePicture(x, seen, wall=wall_rgb, note=note, over_values=numbers is not None)
    left, right, bottom, top = picture.extent
    ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    ax.tick_params(left=False, bottom=False, labelleft=False, labelbottom=False)
    ax.spines[:].set_visible(False)
    size = right - left, bottom - top
    ax.add_patch(Rectangle((left, top), *size, facecolor=colors.ROAD.unit, edgecolor="none", zorder=0))
    ax.add_artist(picture)
    shades = None
    if numbers is not None:
        shades = draw_values(ax, numbers, shape, cmap, (vmin, vmax), bar=colorbar)
    draw_way(ax, way, path_rgb, labelled=words is not None)
    if words is not None:
        draw_words(ax, words, way, shades)
    if legend:
        draw_legend(ax, way, path_rgb, seen=seen is not None)
    return ax


def _way_of(
    x: Maze | NDArray[np.uint8], shape: tuple[int, int], solution: Solution | ArrayLike | None
) -> Way:
    from meiro.layers import Way

    in_cells = isinstance(x, Maze)
    if solution is None:
        return Way(np.empty((0, 2)), None, [x.start, x.goal] if isinstance(x, Maze) else [None, None])
    if not isinstance(solution, Solution):
        places = _path(solution, shape, in_cells=in_cells)
        way = _broken(places, shape, x.wrap if isinstance(x, Maze) else FLAT)
        return Way(way, None, [(p[0], p[1]) for p in (way[0], way[-1])] if len(way) else [None, None])
    own = solution.space == "cells"
    if in_cells and not own:
        expected = 2 * shape[0] + 1, 2 * shape[1] + 1
    elif own and not in_cells:
        expected = (shape[0] - 1) // 2, (shape[1] - 1) // 2
    else:
        expected = shape
    if tuple(solution.shape) != expected:
        msg = f"solution was found in {tuple(solution.shape)} {solution.space}; what is drawn has {expected}"
        raise ValueError(msg)
    scale, shift = (1.0, 0.0) if own == in_cells else (2.0, 1.0) if own else (0.5, -0.5)
    seen = solution.explored
    if seen is not None and own != in_cells:
        seen = seen_sites(seen, 0, 2 * len(seen) + 1, solution.wrap) if own else seen[1::2, 1::2]
    path = _broken(solution.path, solution.shape, solution.wrap)
    ends = [(row * scale + shift, col * scale + shift) for row, col in (solution.start, solution.goal)]
    return Way(path * np.float64(scale) + shift, seen, [*ends])


def _broken(path: NDArray[np.int64], shape: tuple[int, int], wrap: Wrap) -> NDArray[np.float64]:
    """Break a path over cells where it goes over the rim: it reaches the border on both sides."""
    steps, over = steps_of(path, shape, wrap)
    before = np.flatnonzero(over)
    half = steps[before] / 2
    rim = np.stack([path[before] + half, np.full_like(half, np.nan), path[before + 1] - half], axis=1)
    return np.insert(path.astype(np.float64), np.repeat(before + 1, 3), rim.reshape(-1, 2), axis=0)


def _path(path: ArrayLike, shape: tuple[int, int], *, in_cells: bool) -> NDArray[np.int64]:
    places = integers(path, "solution")
    if places.size == 0:
        return np.empty((0, 2), np.int64)
    if places.ndim != 2 or places.shape[1] != 2:
        msg = f"solution must be a Solution or a path of shape (k, 2), not an array of {places.shape}"
        raise ValueError(msg)
    outside = ((places < 0) | (places >= shape)).any(axis=1)
    if outside.any():
        what, place = "cells" if in_cells else "sites", tuple(places[outside.argmax()].tolist())
        msg = f"solution: {place} is outside the {shape} {what} that are drawn"
        raise ValueError(msg)
    return places


def _numbers(values: ArrayLike, shape: tuple[int, int]) -> np.ma.MaskedArray[Any, Any]:
    """Return masked numbers, averaged where no screen could show them all."""
    given = _fitting(values, shape, "values")
    if given.dtype.kind not in "biuf":
        msg = f"values must be numbers, not {given.dtype}"
        raise TypeError(msg)
    if max(shape) <= _VALUES_SIDE:
        return _blanked(given)
    downs, across = (np.arange(n + 1) * side // n for side in shape for n in [min(side, _VALUES_SIDE)])
    means: np.ma.MaskedArray[Any, Any] = np.ma.empty((len(downs) - 1, len(across) - 1))
    at_once = max(_BAND * len(downs) // given.size, 1)
    for begin in range(0, len(downs) - 1, at_once):
        cuts = downs[begin : begin + at_once + 1]
        part = _blanked(given[cuts[0] : cuts[-1]])
        there = ~np.ma.getmaskarray(part)
        total, count = (
            np.add.reduceat(np.add.reduceat(x, cuts[:-1] - cuts[0], axis=0, dtype=t), across[:-1], axis=1)
            for x, t in ((part.filled(0), np.float64), (there, np.int64))
        )
        means[begin : begin + at_once] = np.ma.masked_array(total / np.maximum(count, 1), count == 0)
    return means


def _under_walls(
    numbers: np.ma.MaskedArray[Any, Any], walls: NDArray[np.bool_]
) -> np.ma.MaskedArray[Any, Any]:
    """Go on with the numbers below the walls beside them, so that no seam and no speckle is left."""
    filled: np.ma.MaskedArray[Any, Any] = numbers.copy()
    for axis in (0, 1):
        for step in (1, -1):
            beside = np.ma.masked_all_like(filled)  # type: ignore[no-untyped-call]
            to, of = (slice(1, None), slice(None, -1))[::step]
            whole = (slice(None),) * axis
            beside[(*whole, to)] = filled[(*whole, of)]
            fill = walls & np.ma.getmaskarray(filled) & ~np.ma.getmaskarray(beside)
            filled[fill] = beside[fill]
    return filled


def _words(labels: ArrayLike, shape: tuple[int, int]) -> NDArray[np.str_]:
    given = _fitting(labels, shape, "labels")
    if given.size > LABELS_UP_TO:
        msg = (
            f"labels: {given.size:,} are too many to read, {LABELS_UP_TO:,} at most; take values= for numbers"
        )
        raise ValueError(msg)
    given = _blanked(given)
    blank = np.ma.getmaskarray(given).ravel().tolist()
    texts = [
        "" if there or word is None else f"{word:g}" if isinstance(word, float) else str(word).strip()
        for word, there in zip(given.data.ravel().tolist(), blank, strict=True)
    ]
    return np.array(texts, dtype=str).reshape(shape)


def _fitting(given: ArrayLike, shape: tuple[int, int], name: str) -> np.ma.MaskedArray[Any, Any]:
    array: np.ma.MaskedArray[Any, Any] = np.ma.asarray(given)
    if array.shape != shape:
        msg = f"{name} must have shape {shape}, one for each place, not {array.shape}"
        raise ValueError(msg)
    return array


def _blanked(array: np.ma.MaskedArray[Any, Any]) -> np.ma.MaskedArray[Any, Any]:
    """Mask what says that there is nothing: NaN, and negative integers."""
    if array.dtype.kind == "i":
        return np.ma.masked_less(array, 0)
    return np.ma.masked_invalid(array) if array.dtype.kind == "f" else array
