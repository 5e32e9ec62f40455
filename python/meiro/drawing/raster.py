"""Mazes in pictures of limited size: merged wall lines, and averages over the sites that a pixel covers.

Neither matplotlib nor the whole grid is needed. `meiro.plot`, SVG and the displays of notebooks draw with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.square import E, N, S, Shape, W
from meiro.drawing.lines import Lines
from meiro.mazes._grid import expand_rows
from meiro.mazes._outside import outside_sites
from meiro.mazes.coordinates import explored_sites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from meiro._utils.paper import Outside
    from meiro.mazes.maze import Maze

    Grid = Any  # `Squares` or `Sites` of meiro.spaces.grids


_BAND = 1 << 20  # values added up at a time: they stay in the cache


class Span(NamedTuple):
    """The pixels along one side: the first begins at site `start`, each covers `step` sites."""

    start: float
    step: float
    pixels: int

    def sites(self) -> NDArray[np.int64]:
        """Return the site at the middle of each pixel."""
        middles: NDArray[np.float64] = np.floor(self.start + self.step * (np.arange(self.pixels) + 0.5))
        return middles.astype(np.int64)


class _Blocks(NamedTuple):
    """Runs of rows (or columns) that are averaged, and the run that each pixel shows."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    shown: NDArray[np.int64]


def wall_segments(
    maze: Maze,
    rows: tuple[int, int] | None = None,
    cols: tuple[int, int] | None = None,
    *,
    outside: Outside = "blank",
) -> NDArray[np.int64]:
    """Return the walls as straight lines, each as long as it can be.

    Parameters
    ----------
    maze : Maze
    rows, cols : (int, int), optional
        Only the walls around these cells, first and past the last; all by default.
    outside : {"blank", "wall"}
        Whether walls that touch no cell, only masked-out ones, are left out.

    Returns
    -------
    ndarray of int64, shape (n, 2, 2)
        Both ends (x, y) of each line, in posts: (0, 0) is the upper left corner of cell (0, 0). Horizontal
        lines come first, row by row; then the vertical ones, column by column.

    Examples
    --------
    >>> meiro.drawing.raster.wall_segments(meiro.Maze([[2, 8]])).tolist()
    [[[0, 0], [2, 0]], [[0, 1], [2, 1]], [[0, 0], [0, 1]], [[2, 0], [2, 1]]]
    """
    top, bottom = rows or (0, maze.rows)
    left, right = cols or (0, maze.cols)
    across = np.ones((bottom - top + 1, right - left), np.bool_)
    down = np.ones((bottom - top, right - left + 1), np.bool_)
    cells = maze.passages[top:bottom, left:right]
    across[1:] = (cells & S) == 0
    across[0] = (cells[0] & N) == 0
    down[:, 1:] = (cells & E) == 0
    down[:, 0] = (cells[:, 0] & W) == 0
    for row, col in maze.openings.tolist():
        if row % 2 == 0 and top <= row // 2 <= bottom and left <= col // 2 < right:
            across[row // 2 - top, col // 2 - left] = False
        elif col % 2 == 0 and top <= row // 2 < bottom and left <= col // 2 <= right:
            down[row // 2 - top, col // 2 - left] = False
    if maze.mask is not None and outside == "blank":
        nothing = outside_sites(maze.mask, maze.wrap, 2 * top, 2 * bottom + 1)[:, 2 * left : 2 * right + 1]
        across &= ~nothing[::2, 1::2]
        down &= ~nothing[1::2, ::2]
    lines = np.concatenate([_runs(across)[..., ::-1], _runs(down.T)])
    lines += np.array([left, top])
    return lines


def _runs(here: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return (line, first) and (line, past the last) of each run of True along axis 1."""
    nothing = np.int8(0)
    change = np.diff(here.view(np.int8), axis=1, prepend=nothing, append=nothing)
    ends = np.stack([np.flatnonzero(change == 1), np.flatnonzero(change == -1)], axis=1)
    return np.stack(np.divmod(ends, change.shape[1]), axis=2)


def run_boxes(cells: NDArray[np.bool_]) -> Lines:
    """Return the runs of True, row by row, as rectangles.

    Examples
    --------
    >>> import numpy as np
    >>> boxes = meiro.drawing.raster.run_boxes(np.array([[True, True, False, True]]))
    >>> boxes.points.reshape(-1, 5, 2)[0].tolist()
    [[0, 0], [2, 0], [2, 1], [0, 1], [0, 0]]
    """
    (row, first), (_, last) = _runs(cells).transpose(1, 2, 0)
    corners = np.array([(first, row), (last, row), (last, row + 1), (first, row + 1), (first, row)])
    points = corners.transpose(2, 0, 1).reshape(-1, 2)
    return Lines(points, np.arange(0, len(points) + 1, 5))


def wall_coverage(
    space: Grid,
    seen: NDArray[np.bool_] | None,
    down: Span,
    across: Span,
    *,
    outside: Outside = "blank",
) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
    """Return the share of each pixel that is wall, and the share that is road and was seen.

    A pixel that covers one site or less shows the site at its middle. A larger one shows the average over
    whole cells (in an array over blocks of even sides), so that the lattice makes no pattern of its own.

    Parameters
    ----------
    space : Squares or Sites
        A maze, or an array.
    seen : ndarray of bool, optional
        Cells of a maze or sites of an array that were seen.
    down, across : Span
        The pixels, in sites.
    outside : {"blank", "wall"}
        Whether sites that touch no cell of a maze count as road.

    Returns
    -------
    walls : ndarray of float32, shape (down.pixels, across.pixels)
        From 0 to 1.
    seen : ndarray of float32, same shape, or None
    """
    if max(down.step, across.step) <= 1:
        return _sites(space, seen, down.sites(), across.sites(), outside)
    height, width = space.shape
    unit, full = (2, 1) if space.sites else (1, 4)  # what is counted: sites, or cells with four sites each
    rows, cols = _blocks(down, height, unit), _blocks(across, width, unit)
    area = np.multiply.outer(rows.ends - rows.starts, cols.ends - cols.starts).astype(np.float32) * full
    place = np.ix_(rows.shown, cols.shown)
    first, last = int(cols.starts[0]), int(cols.ends[-1])
    walls = np.empty(area.shape, np.float32)
    found = None if seen is None else np.empty_like(walls)
    for band, part in _bands(rows, last - first):
        begins = rows.starts[band] - part.start, cols.starts - first
        counts = _wall_counts(space, part, slice(first, last), outside)
        walls[band] = _block_sums(counts, *begins)
        if found is not None and seen is not None:
            found[band] = _block_sums((full - counts) * seen[part, first:last], *begins)
    return (walls / area)[place], None if found is None else (found / area)[place]


def block_means(
    values: np.ma.MaskedArray[Any, Any], shape: Shape, unit: int = 1, weights: NDArray[Any] | None = None
) -> np.ma.MaskedArray[Any, Any]:
    """Return the means of `shape` blocks of values, all about equal in size; masked entries do not count.

    Parameters
    ----------
    values : masked array of numbers, shape (h, w)
    shape : (int, int)
        Blocks, no more than the values have rows and columns.
    unit : 1 or 2
        Blocks begin at each row and column, or at each second one only.
    weights : ndarray, shape (h, w), optional
        How much each value counts. Default: all the same.

    Examples
    --------
    >>> import numpy as np
    >>> meiro.drawing.raster.block_means(np.ma.masked_less([[1, 3, -1, 7]], 0), (1, 2)).tolist()
    [[2.0, 7.0]]
    """
    sides = zip(shape, values.shape, strict=True)
    rows, cols = (_blocks(Span(0, 2 * side / (unit * n), n), side, unit) for n, side in sides)
    means: np.ma.MaskedArray[Any, Any] = np.ma.empty((len(rows.starts), len(cols.starts)))
    for band, part in _bands(rows, values.shape[1]):
        weight = ~np.ma.getmaskarray(values[part]) * (1.0 if weights is None else weights[part])
        begins = rows.starts[band] - part.start, cols.starts
        total, count = (_block_sums(x, *begins) for x in (values[part].filled(0) * weight, weight))
        means[band] = np.ma.masked_array(total / np.where(count > 0, count, 1), count == 0)
    return means[np.ix_(rows.shown, cols.shown)]


def _sites(
    space: Grid,
    seen: NDArray[np.bool_] | None,
    rows: NDArray[np.int64],
    cols: NDArray[np.int64],
    outside: Outside,
) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
    top, bottom = int(rows[0]), int(rows[-1]) + 1
    place = np.ix_(rows - top, cols)
    if space.sites:
        sites, seen = space.walls[top:bottom], None if seen is None else seen[top:bottom]
    else:
        x = space.x
        sites = np.empty((bottom - top, 2 * x.cols + 1), np.uint8)
        expand_rows(x, top, sites)
        if x.mask is not None and outside == "blank":
            sites[outside_sites(x.mask, x.wrap, top, bottom)] = 0
        seen = None if seen is None else explored_sites(seen, top, bottom, x.wrap)
    walls = sites[place].astype(np.float32)
    return walls, None if seen is None else seen[place] * (1 - walls)


def _wall_counts(space: Grid, rows: slice, cols: slice, outside: Outside) -> NDArray[np.uint8]:
    """Return how many sites are wall: of a cell, its post and its doors to east and south; or of a site."""
    counts: NDArray[np.uint8]
    if space.sites:
        counts = space.walls[rows, cols]
        return counts
    x = space.x
    open_ = x.passages[rows, cols] >> 1  # E, S
    counts = 3 - (open_ & 1) - (open_ >> 1 & 1)
    if x.mask is None:
        return counts
    counts += ~x.mask[rows, cols]
    if outside == "blank":
        nothing = outside_sites(x.mask, x.wrap, 2 * rows.start + 1, 2 * rows.stop + 1)
        nothing = nothing[:, 2 * cols.start + 1 : 2 * cols.stop + 1]
        for place in (np.s_[::2, ::2], np.s_[::2, 1::2], np.s_[1::2, ::2], np.s_[1::2, 1::2]):
            counts -= nothing[place]
    return counts


def _blocks(span: Span, units: int, unit: int) -> _Blocks:
    """Cut `units` at whole cells, or at every second site."""
    step = span.step / 2
    last = (units - 1) // unit
    if step >= 1:
        cuts = np.floor(span.start / 2 + step * np.arange(span.pixels + 1)).astype(np.int64)
        starts = np.clip(cuts[:-1], 0, last)
        ends = np.maximum(np.clip(cuts[1:], 0, last + 1), starts + 1)
        shown = np.arange(span.pixels)
    else:
        places = np.clip(span.sites() // 2, 0, last)
        starts = np.arange(places[0], places[-1] + 1)
        ends = starts + 1
        shown = places - places[0]
    return _Blocks(starts * unit, np.minimum(ends * unit, units), shown)


def _bands(rows: _Blocks, width: int) -> Iterator[tuple[slice, slice]]:
    """Yield runs of blocks, and the rows that they cover."""
    begin = 0
    while begin < len(rows.starts):
        end = int(np.searchsorted(rows.ends, rows.starts[begin] + _BAND // max(width, 1), side="right"))
        end = max(end, begin + 1)
        yield slice(begin, end), slice(int(rows.starts[begin]), int(rows.ends[end - 1]))
        begin = end


def _block_sums(part: NDArray[Any], rows: NDArray[np.int64], cols: NDArray[np.int64]) -> NDArray[Any]:
    """Return the sums of the blocks that begin at `rows` and `cols`."""
    small, large = (np.uint16, np.uint32) if part.dtype.kind in "bu" else (np.float64, np.float64)
    tall = np.add.reduceat(part, rows, axis=0, dtype=small if len(part) < 1 << 14 else large)
    return np.add.reduceat(tall, cols, axis=1, dtype=large)


def lines_coverage(
    segments: NDArray[np.float64], size: tuple[float, float], pixels: int
) -> NDArray[np.float64]:
    """Return how dark each pixel is where lines go through it, 0 to 1; the longer side has so many pixels.

    Parameters
    ----------
    segments : ndarray of float64, shape (n, 2, 2)
        (x, y) of both ends, from 0 to `size`; NaN is left out.
    size : (float, float)
        Width and height.
    pixels : int
    """
    scale = (pixels - 1) / max(*size, 1e-9)
    width, height = (max(round(side * scale) + 1, 1) for side in size)
    dark = np.zeros(width * height)
    steps = 2.0  # samples a pixel
    for band in bands(len(segments), 16):
        part = segments[band] * scale
        part = part[np.isfinite(part).all(axis=(1, 2))]
        lengths = np.hypot(*(part[:, 1] - part[:, 0]).T)
        counts = np.ceil(steps * lengths).astype(np.int64) + 1
        which = np.repeat(np.arange(len(part)), counts)
        at = (np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts) + 0.5) / counts[which]
        points = part[which, 0] + at[:, None] * (part[which, 1] - part[which, 0])
        col, row = np.clip(np.round(points), 0, (width - 1, height - 1)).astype(np.int64).T
        weight = lengths[which] / counts[which]
        dark += np.bincount(row * width + col, weight, minlength=width * height)
    dark /= max(1.0, 2 * dark.mean())  # where lines are dense, grey
    return np.minimum(dark, 1.0).reshape(height, width)
