"""Passages as pairs of cell numbers and as ids of the walls that stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.arrays import mask_of
from meiro._utils.memory import require
from meiro._utils.square import (
    E,
    S,
    ShapeLike,
    Wrap,
    checked_shape,
    checked_wall_ids,
    checked_wrap,
    n_walls,
    passages_of,
    wall_cells,
)
from meiro._utils.validation import integers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def passages_from_edges(shape: ShapeLike, edges: ArrayLike, wrap: Wrap) -> NDArray[np.uint8]:
    """Return the passages of a maze with these edges: see `Maze.from_edges`."""
    sides = rows, cols = checked_shape(shape)
    require(20 * rows * cols, f"a maze of {sides}", "take a smaller shape")
    wrap = checked_wrap(wrap, sides)
    open_ = np.zeros(n_walls(sides, wrap), np.bool_)
    open_[checked_wall_ids(sides, edges, wrap, "edges")] = True
    return passages_of(sides, open_, wrap)


def passages_from_wall_ids(
    shape: ShapeLike, ids: ArrayLike, mask: ArrayLike | None, wrap: Wrap
) -> NDArray[np.uint8]:
    """Return the passages of a maze with these inner walls: see `Maze.from_wall_ids`."""
    rows, cols = checked_shape(shape)
    require(36 * rows * cols, f"a maze of ({rows}, {cols})", "take a smaller shape")
    wrap = checked_wrap(wrap, (rows, cols))
    wall_cells((rows, cols), ids, wrap=wrap)  # for its errors
    open_ = np.ones(n_walls((rows, cols), wrap), np.bool_)
    open_[integers(ids, "ids").reshape(-1)] = False
    exists = None if mask is None else mask_of(mask, (rows, cols))
    if exists is not None:
        numbers = np.flatnonzero(open_)
        cells = wall_cells((rows, cols), numbers, wrap=wrap)
        open_[numbers] = exists.reshape(-1)[cells].all(axis=1)
    return passages_of((rows, cols), open_, wrap)


def edges_of(passages: NDArray[np.uint8], wrap: Wrap) -> NDArray[np.int64]:
    """Return the passages as pairs of cell numbers: see `Maze.edges`."""
    open_ = passages.reshape(-1)
    ends = np.flatnonzero(open_ & (E | S))
    bits = open_[ends]
    cols = passages.shape[1]
    first = np.repeat(ends, ((bits & E) >> 1) + ((bits & S) >> 2))
    adjacent = np.stack([ends + 1, ends + cols], axis=1)
    if any(wrap):
        adjacent[:, 0] -= np.where((ends + 1) % cols == 0, cols, 0)
        adjacent[:, 1] %= passages.size
    second = adjacent[np.stack([bits & E, bits & S], axis=1) != 0]
    return np.stack([first, second], axis=1)


def standing_wall_ids(passages: NDArray[np.uint8], wrap: Wrap) -> NDArray[np.int64]:
    """Return the ids of the inner walls: see `Maze.wall_ids`."""
    rows, cols = passages.shape
    vertical = np.flatnonzero((passages[:, :-1] & E) == 0)
    horizontal = np.flatnonzero((passages[:-1] & S) == 0)
    east = np.flatnonzero((passages[: rows * wrap[1], -1] & E) == 0)
    south = np.flatnonzero((passages[-1, : cols * wrap[0]] & S) == 0)
    before = np.cumsum([rows * (cols - 1), (rows - 1) * cols, rows * wrap[1]])
    return np.concatenate([vertical, horizontal + before[0], east + before[1], south + before[2]])
