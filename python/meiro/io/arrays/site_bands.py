"""The sites of mazes, arrays and streams, band by band: what files of sites are written from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro._utils.arrays import walls
from meiro.generators.row_stream import StreamedMaze
from meiro.mazes._grid import expand_rows
from meiro.mazes._openings import NO_OPENINGS
from meiro.mazes.maze import Maze

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    Band = tuple[int, NDArray[np.uint8]]  # its first row, and rows of sites: 0 road, 1 wall

SITES = 1 << 22
"""In a band."""


def site_bands(
    x: Maze | StreamedMaze | ArrayLike, sites: int = SITES, *, posts: bool = True
) -> tuple[int, int, Iterator[Band]]:
    """Cut a maze or an array into bands of rows.

    Returns
    -------
    height, width : int
        In sites.
    iterator of (int, ndarray of uint8, shape (n, width))
        The first row of a band and its sites: 0 road, 1 wall. A band may be a view: do not write to it.
    """
    if isinstance(x, StreamedMaze):
        return 2 * x.rows + 1, 2 * x.cols + 1, _stream_bands(x, sites)
    if isinstance(x, Maze):
        height, width = 2 * x.rows + 1, 2 * x.cols + 1
        return height, width, _maze_bands(x, height, width, sites, posts=posts)
    array = walls(x)
    rows = max(1, sites // array.shape[1])
    return *array.shape, ((first, array[first : first + rows]) for first in range(0, len(array), rows))


def _maze_bands(maze: Maze, height: int, width: int, sites: int, *, posts: bool) -> Iterator[Band]:
    rows = max(1, sites // width)
    for first in range(0, height, rows):
        band = np.empty((min(rows, height - first), width), np.uint8)
        expand_rows(maze, first, band, posts=posts)
        yield first, band


class _Band(NamedTuple):
    """Some rows of cells, as `expand_rows` takes them."""

    passages: NDArray[np.uint8]
    mask: None = None
    openings: NDArray[np.int64] = NO_OPENINGS


def _stream_bands(maze: StreamedMaze, sites: int) -> Iterator[Band]:
    first = 0
    for cells in maze.bands(cells=sites // 4):
        band = np.empty((2 * len(cells) - 2, 2 * maze.cols + 1), np.uint8)
        expand_rows(_Band(cells), 2, band)  # the sites above and in each row of cells but the first
        yield first, band
        first += len(band)
    yield first, np.ones((1, 2 * maze.cols + 1), np.uint8)
