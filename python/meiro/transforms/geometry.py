"""Mazes turned, mirrored and cropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.arrays import mask_of, read_only
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import Cell, E, N, S, W, Wrap
from meiro._utils.validation import Threads, integer, thread_count, window_of
from meiro.mazes._batch_data import BatchData
from meiro.mazes._from_core import maze_from_core, require_maze
from meiro.mazes._openings import on_rim
from meiro.mazes.batch import batch_of_data
from meiro.mazes.maze import Maze
from meiro.spaces.space_of import mazes_of
from meiro.transforms._common import Mazes, require_squares

if TYPE_CHECKING:
    from numpy.typing import NDArray


_SIDES = N | S, E | W
"""The directions across the border of rows, of columns."""


def rotate(
    maze: Mazes, k: SupportsIndex = 1, *, threads: Threads = None, progress: Progress = False
) -> Mazes:
    """Rotate a maze by quarter turns, counterclockwise, as ``np.rot90`` rotates its grid.

    Mask, openings, wrap, start and goal are rotated as well; a perfect maze stays perfect.

    Parameters
    ----------
    maze : Maze or MazeBatch
        It stays as it is.
    k : int
        Number of quarter turns; negative numbers turn clockwise.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze or MazeBatch
        The rotated one, without recipe.

    Raises
    ------
    TypeError
        If `maze` is neither a `Maze` nor a `MazeBatch`, or `k` not an integer.
    MemoryError
        If the maze cannot fit in memory; nothing is allocated before.

    See Also
    --------
    flip, transpose : the other symmetries of the square.
    symmetric : a maze that is its own image.

    Examples
    --------
    >>> maze = meiro.generate((2, 3), rng=7)
    >>> bool((meiro.rotate(maze).grid == np.rot90(maze.grid)).all())
    True
    """
    quarters = integer(k, "k") % 4
    return _turned(maze, (quarters in {2, 3}, quarters in {1, 2}, quarters % 2 == 1), (threads, progress))


def flip(
    maze: Mazes,
    axis: SupportsIndex | tuple[SupportsIndex, ...] | None = None,
    *,
    threads: Threads = None,
    progress: Progress = False,
) -> Mazes:
    """Mirror a maze, as ``np.flip`` mirrors its grid.

    Mask, openings, wrap, start and goal are mirrored as well; a perfect maze stays perfect.

    Parameters
    ----------
    maze : Maze or MazeBatch
        It stays as it is.
    axis : int or tuple of int, optional
        0 reverses the rows, 1 the columns. Default: both.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze or MazeBatch
        The mirrored one, without recipe.

    Raises
    ------
    ValueError
        If an axis does not exist or is given twice.
    TypeError
        If `maze` is neither a `Maze` nor a `MazeBatch`, or an axis not an integer.
    MemoryError
        If the maze cannot fit in memory; nothing is allocated before.

    See Also
    --------
    rotate, transpose : the other symmetries of the square.
    symmetric : a maze that is its own image.

    Examples
    --------
    >>> meiro.flip(meiro.Maze([[2, 10, 8, 0]]), 1).passages.tolist()
    [[0, 2, 10, 8]]
    """
    axes = (0, 1) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    mirrored = [integer(one, "axis") for one in axes]
    if not all(-2 <= one < 2 for one in mirrored) or len({one % 2 for one in mirrored}) < len(mirrored):
        msg = f"axis must be 0 (rows), 1 (columns), or both, not {short_repr(axis)}"
        raise ValueError(msg)
    sides = {one % 2 for one in mirrored}
    return _turned(maze, (0 in sides, 1 in sides, False), (threads, progress))


def transpose(maze: Mazes, *, threads: Threads = None, progress: Progress = False) -> Mazes:
    """Exchange rows and columns of a maze, as ``np.transpose`` does for its grid.

    Mask, openings, wrap, start and goal are transposed as well; a perfect maze stays perfect.

    Parameters
    ----------
    maze : Maze or MazeBatch
        It stays as it is.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze or MazeBatch
        The transposed one, without recipe.

    Raises
    ------
    TypeError
        If `maze` is neither a `Maze` nor a `MazeBatch`.
    MemoryError
        If the maze cannot fit in memory; nothing is allocated before.

    See Also
    --------
    rotate, flip : the other symmetries of the square.

    Examples
    --------
    >>> meiro.transpose(meiro.Maze([[2, 8]])).passages.tolist()
    [[4], [1]]
    >>> meiro.transpose(meiro.generate_many((8, 16), n=1000, rng=7))
    <MazeBatch of 1000: 16 rows x 8 cols>
    """
    return _turned(maze, (False, False, True), (threads, progress))


def crop(maze: Maze, window: slice | tuple[slice, slice]) -> Maze:
    """Cut a rectangle out of a maze.

    Passages across the cut are closed, so a perfect maze may become a forest. Openings, start and goal
    inside the window stay; others are dropped. An axis stays periodic only if the window covers all of it.

    Parameters
    ----------
    maze : Maze
        It stays as it is.
    window : slice or (slice, slice)
        Rows and columns, in cells, as NumPy slices ``maze.passages``: ``np.s_[2:5, 3:9]``.

    Returns
    -------
    Maze
        The cells of the window, without recipe.

    Raises
    ------
    ValueError
        If no cell is left, or a slice has a step other than 1.
    TypeError
        If `maze` is not a `Maze`, or `window` not one or two slices.
    MemoryError
        If the maze cannot fit in memory; nothing is allocated before.

    See Also
    --------
    stitch : joins mazes edge to edge.

    Examples
    --------
    >>> meiro.crop(meiro.generate((20, 30), rng=7), np.s_[2:5, -9:])
    <Maze 3 rows x 9 cols>
    """
    require_maze(maze)
    shape = maze.rows, maze.cols
    (top, rows), (left, cols) = window_of(window, shape)
    require(2 * rows * cols, f"a maze of ({rows}, {cols})", "take a smaller part")
    wrap = maze.wrap[0] and rows == shape[0], maze.wrap[1] and cols == shape[1]
    mask = None
    if maze.mask is not None:
        cells = maze.mask[top : top + rows, left : left + cols]
        if not cells.any():
            msg = f"window {short_repr(window)} holds no cell of {maze!r}: all are masked out"
            raise ValueError(msg)
        mask = mask_of(cells, (rows, cols))
    passages = np.empty((rows, cols), np.uint8)
    _core.copy_cells(maze.passages, (top, left), passages, (0, 0), (rows, cols), closed_sides(wrap))
    sites = maze.openings - (2 * top, 2 * left)
    openings = read_only(sites[on_rim(sites, (rows, cols), mask, wrap)])

    def inside(end: Cell | None) -> Cell | None:
        row, col = (-1, -1) if end is None else (end[0] - top, end[1] - left)
        return (row, col) if 0 <= row < rows and 0 <= col < cols else None

    start, goal = inside(maze.start), inside(maze.goal)
    return maze_from_core(passages, mask, openings, wrap=wrap, start=start, goal=goal)


def closed_sides(wrap: Wrap) -> int:
    """Return the directions in which the border is closed, as bits."""
    return sum(sides for sides, around in zip(_SIDES, wrap, strict=True) if not around)


def _turned(mazes: Mazes, how: tuple[bool, bool, bool], shared: tuple[Threads, Progress]) -> Mazes:
    """Return mazes with rows reversed, columns reversed, rows and columns exchanged, in this order."""
    require_squares(mazes)
    masks = mazes.mask if isinstance(mazes, Maze) else mazes.masks
    size, smaller = mazes.passages.size, "crop the maze" if isinstance(mazes, Maze) else "take a slice of it"
    require((1 + (masks is not None)) * size, f"a copy of {mazes!r}", smaller)
    sharing = thread_count(shared[0]), reporter(shared[1])
    passages = _core.turned(mazes_of(mazes).passages, how, True, *sharing)  # noqa: FBT003  # they are passages

    def image(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        layers = np.ascontiguousarray(mask).reshape(-1, mazes.rows, mazes.cols).view(np.uint8)
        turned = _core.turned(layers, how, False, sharing[0], None).view(np.bool_)  # noqa: FBT003
        return read_only(turned.reshape(*mask.shape[:-2], *passages.shape[1:]))

    def places(at: NDArray[np.int64], last: tuple[int, int]) -> NDArray[np.int64]:
        mirrored = np.where(how[:2], np.subtract(last, at), at)
        mirrored = np.where(at < 0, -1, mirrored)  # no place
        return read_only(np.ascontiguousarray(mirrored[..., ::-1] if how[2] else mirrored))

    mask = None if mazes.mask is None else image(mazes.mask)
    wrap = (mazes.wrap[1], mazes.wrap[0]) if how[2] else mazes.wrap
    corner, rim = (mazes.rows - 1, mazes.cols - 1), (2 * mazes.rows, 2 * mazes.cols)
    if isinstance(mazes, Maze):
        start, goal = (
            None if cell is None else tuple(places(np.array(cell), corner).tolist())
            for cell in (mazes.start, mazes.goal)
        )
        openings = places(mazes.openings, rim)
        return maze_from_core(passages[0], mask, openings, wrap=wrap, start=start, goal=goal)
    own = None if masks is mazes.mask or masks is None else image(masks)
    sites = None if mazes.openings is None else places(mazes.openings, rim)
    starts, goals = (None if ends is None else places(ends, corner) for ends in (mazes.starts, mazes.goals))
    data = BatchData(passages, mask, None, mazes.replicates, None, wrap, own, sites, starts, goals)
    return batch_of_data(data)
