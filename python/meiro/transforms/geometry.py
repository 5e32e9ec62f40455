"""Mazes turned, mirrored and cropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.arrays import mask_of
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.square import Cell, E, N, S, W, Wrap
from meiro._utils.validation import integer, window_of
from meiro.maze._validation import validate_openings
from meiro.maze.maze import Maze, maze_from_core, require_maze

if TYPE_CHECKING:
    from numpy.typing import NDArray


_SIDES = N | S, E | W
"""The directions across the border of rows, of columns."""


def rotate(maze: Maze, k: SupportsIndex = 1) -> Maze:
    """Rotate a maze by quarter turns, counterclockwise, as ``np.rot90`` rotates its grid.

    Mask, openings, wrap, start and goal are rotated as well; a perfect maze stays perfect.

    Parameters
    ----------
    maze : Maze
    k : int
        Number of quarter turns; negative numbers turn clockwise.

    Returns
    -------
    Maze

    Raises
    ------
    TypeError
        If `maze` is not a `Maze`, or `k` not an integer.
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
    return _turned(maze, (quarters in {2, 3}, quarters in {1, 2}, quarters % 2 == 1))


def flip(maze: Maze, axis: SupportsIndex | tuple[SupportsIndex, ...] | None = None) -> Maze:
    """Mirror a maze, as ``np.flip`` mirrors its grid.

    Mask, openings, wrap, start and goal are mirrored as well; a perfect maze stays perfect.

    Parameters
    ----------
    maze : Maze
    axis : int or tuple of int, optional
        0 reverses the rows, 1 the columns. Default: both.

    Returns
    -------
    Maze

    Raises
    ------
    ValueError
        If an axis does not exist or is given twice.
    TypeError
        If `maze` is not a `Maze`, or an axis not an integer.
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
    return _turned(maze, (0 in sides, 1 in sides, False))


def transpose(maze: Maze) -> Maze:
    """Exchange rows and columns of a maze, as ``np.transpose`` does for its grid.

    Mask, openings, wrap, start and goal are transposed as well; a perfect maze stays perfect.

    Parameters
    ----------
    maze : Maze

    Returns
    -------
    Maze

    Raises
    ------
    TypeError
        If `maze` is not a `Maze`.
    MemoryError
        If the maze cannot fit in memory; nothing is allocated before.

    See Also
    --------
    rotate, flip : the other symmetries of the square.

    Examples
    --------
    >>> meiro.transpose(meiro.Maze([[2, 8]])).passages.tolist()
    [[4], [1]]
    """
    return _turned(maze, (False, False, True))


def crop(maze: Maze, window: slice | tuple[slice, slice]) -> Maze:
    """Cut a rectangle out of a maze.

    Passages across the cut are closed, so a perfect maze may become a forest. Openings, start and goal
    inside the window stay; others are dropped. An axis stays periodic only if the window covers all of it.

    Parameters
    ----------
    maze : Maze
    window : slice or (slice, slice)
        Rows and columns, in cells, as NumPy slices ``maze.passages``: ``np.s_[2:5, 3:9]``.

    Returns
    -------
    Maze

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
    sites = sites[((sites >= 0) & (sites <= (2 * rows, 2 * cols))).all(axis=1)]
    openings = validate_openings(sites, (rows, cols), mask, wrap)

    def inside(end: Cell | None) -> Cell | None:
        row, col = (-1, -1) if end is None else (end[0] - top, end[1] - left)
        return (row, col) if 0 <= row < rows and 0 <= col < cols else None

    start, goal = inside(maze.start), inside(maze.goal)
    return maze_from_core(passages, mask, openings, wrap=wrap, start=start, goal=goal)


def closed_sides(wrap: Wrap) -> int:
    """Return the directions in which the border is closed, as bits."""
    return sum(sides for sides, around in zip(_SIDES, wrap, strict=True) if not around)


def _turned(maze: Maze, how: tuple[bool, bool, bool]) -> Maze:
    """Return the maze with rows reversed, columns reversed, rows and columns exchanged, in this order."""
    require_maze(maze)
    size = maze.passages.size
    require((1 + (maze.mask is not None)) * size, f"a copy of {maze!r}", "crop the maze")
    passages = _core.turned(maze.passages, how, True)  # noqa: FBT003  # they are passages
    mask = None
    if maze.mask is not None:
        mask = _core.turned(maze.mask.view(np.uint8), how, False).view(np.bool_)  # noqa: FBT003

    def places(at: NDArray[np.int64], last: tuple[int, int]) -> NDArray[np.int64]:
        mirrored = np.where(how[:2], np.subtract(last, at), at)
        return mirrored[:, ::-1] if how[2] else mirrored

    def moved(cell: Cell | None) -> Cell | None:
        if cell is None:
            return None
        row, col = places(np.array([cell]), (maze.rows - 1, maze.cols - 1))[0].tolist()
        return row, col

    wrap = (maze.wrap[1], maze.wrap[0]) if how[2] else maze.wrap
    sites = places(maze.openings, (2 * maze.rows, 2 * maze.cols))
    openings = validate_openings(sites, passages.shape, mask, wrap)
    start, goal = moved(maze.start), moved(maze.goal)
    return maze_from_core(passages, mask, openings, wrap=wrap, start=start, goal=goal)
