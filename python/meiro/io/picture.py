"""The rows of a picture of a maze, some at a time: walls, or colours with a solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.arrays import walls
from meiro._utils.messages import short_repr
from meiro.colors import COLORS
from meiro.maze.coordinates import seen_sites
from meiro.maze.maze import Maze

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from meiro.solvers.solution import Solution

_SITES = 1 << 22  # in a band

_INDEX = {name: index for index, name in enumerate(COLORS)}
_VISITED, _PATH, _START, _GOAL = (np.uint8(_INDEX[name]) for name in ("visited", "path", "start", "goal"))


def bands(
    x: Maze | ArrayLike,
    road: object = None,
    scale: int = 1,
) -> tuple[int, int, Iterator[tuple[int, NDArray[np.uint8]]]]:
    """Cut what is drawn into bands of rows, the smaller the larger the scale.

    Returns
    -------
    height, width : int
        In sites.
    iterator of (int, ndarray of uint8, shape (n, width))
        The first row of a band and its sites: 0 road, 1 wall. A band may be a view: it is read only.
    """
    if isinstance(x, Maze):
        height, width = 2 * x.rows + 1, 2 * x.cols + 1
        return height, width, _of_maze(x, height, width, _SITES // scale)
    array = walls(x, road=road)
    return *array.shape, _of_array(array, _SITES // scale)


def palette_bands(
    source: Iterator[tuple[int, NDArray[np.uint8]]],
    size: tuple[int, int],
    solution: Solution,
) -> Iterator[NDArray[np.uint8]]:
    """Colour bands: wall 0, road 1, visited 2, path 3, start 4, goal 5."""
    height, width = size
    in_cells = solution.space == "cells"
    shape = (height // 2, width // 2) if in_cells else size
    if tuple(solution.shape) != shape:
        what = "cells" if in_cells else "sites"
        msg = f"solution= was found in {short_repr(tuple(solution.shape))} {what}; what is drawn has {shape}"
        raise ValueError(msg)
    return _colored(source, width, solution, in_cells=in_cells)


def _colored(
    source: Iterator[tuple[int, NDArray[np.uint8]]],
    width: int,
    solution: Solution,
    *,
    in_cells: bool,
) -> Iterator[NDArray[np.uint8]]:
    path = _path_sites(solution, width, in_cells=in_cells)
    for first, band in source:
        last = first + len(band)
        if in_cells:
            seen = seen_sites(solution.explored, first, last, solution.wrap)
        else:
            seen = solution.explored[first:last]
        colors = band ^ np.uint8(1)
        colors += seen & colors  # a road that was seen: 2, as the palette has it
        flat = colors.reshape(-1)
        begin, end = np.searchsorted(path, [first * width, last * width])
        flat[path[begin:end] - first * width] = _PATH
        for place, color in ((solution.start, _START), (solution.goal, _GOAL)):
            row, col = (2 * place[0] + 1, 2 * place[1] + 1) if in_cells else place
            if first <= row < last:
                colors[row - first, col] = color
        yield colors


def _path_sites(solution: Solution, width: int, *, in_cells: bool) -> NDArray[np.int64]:
    """Return the sites of the path as row * width + col, in rising order."""
    path: NDArray[np.int64] = solution.path
    if any(solution.wrap):
        in_cells, path = False, solution.grid_path
    if in_cells:
        places = (2 * path[:, 0] + 1) * width + (2 * path[:, 1] + 1)
        between = (places[1:] + places[:-1]) // 2
        places = np.concatenate([places, between])
    else:
        places = path[:, 0] * width + path[:, 1]
    places.sort()
    return places


def _of_array(array: NDArray[np.uint8], sites: int) -> Iterator[tuple[int, NDArray[np.uint8]]]:
    at_once = max(1, sites // array.shape[1])
    for first in range(0, len(array), at_once):
        yield first, array[first : first + at_once]


def _of_maze(maze: Maze, height: int, width: int, sites: int) -> Iterator[tuple[int, NDArray[np.uint8]]]:
    at_once = max(1, sites // width)
    for first in range(0, height, at_once):
        band = np.empty((min(at_once, height - first), width), np.uint8)
        maze._expand(first, band)
        yield first, band
