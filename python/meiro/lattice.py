"""The square lattice in Python: shapes, cells, wall ids, and the sites of the drawn grid."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from meiro.errors import shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Cell = tuple[int, int]
Shape = tuple[int, int]
ShapeLike = Sequence[SupportsIndex]
CellLike = Sequence[SupportsIndex]

N, E, S, W = 1, 2, 4, 8
WALL, ROAD = 1, 0


def pair(value: Any, name: str) -> tuple[int, int]:
    """Return `value` as two ints, or say which argument is no such pair."""
    try:
        if isinstance(value, AbstractSet | Mapping):
            raise TypeError  # noqa: TRY301  # which is first is not said
        first, second = value
        if not isinstance(first, bool | np.bool_) and not isinstance(second, bool | np.bool_):
            return operator.index(first), operator.index(second)
    except (TypeError, ValueError):
        pass
    msg = f"{name} must be a pair of integers, not {shown(value)}"
    raise TypeError(msg)


def checked_shape(shape: ShapeLike | None, grid_shape: ShapeLike | None = None) -> Shape:
    """Return (rows, cols) in cells, from a shape in cells or one of the drawn grid."""
    if (shape is None) == (grid_shape is None):
        msg = "give either shape=(rows, cols) in cells or grid_shape=(height, width) in sites"
        raise TypeError(msg)
    if grid_shape is not None:
        height, width = pair(grid_shape, "grid_shape")
        for side in (height, width):
            if side < 3 or side % 2 == 0:
                raise ValueError(_grid_side(side))
        return (height - 1) // 2, (width - 1) // 2
    rows, cols = pair(shape, "shape")
    if rows < 1 or cols < 1:
        msg = f"shape must be at least (1, 1), not ({rows}, {cols})"
        raise ValueError(msg)
    if rows * cols >= 1 << 48:
        msg = f"shape ({rows}, {cols}) is {rows * cols:,} cells, which no memory holds"
        raise MemoryError(msg)
    return rows, cols


def _grid_side(side: int) -> str:
    if side < 3:
        return f"grid_shape: a grid side must be odd and at least 3, not {side}"
    return (
        f"grid_shape: a grid side must be odd, and {side} is even; "
        f"take {side - 1} or {side + 1} (cells: {(side - 2) // 2} or {side // 2})"
    )


def checked_cell(value: object, shape: Shape, name: str, what: str = "cell") -> Cell:
    """Return `value` as a (row, col) inside `shape`; negative numbers count from the end."""
    given = pair(value, name)
    row, col = (i + n if i < 0 else i for i, n in zip(given, shape, strict=True))
    if not (0 <= row < shape[0] and 0 <= col < shape[1]):
        msg = f"{name} {given} is outside: rows 0..{shape[0] - 1}, cols 0..{shape[1] - 1} ({what}s)"
        raise ValueError(msg)
    return row, col


def n_walls(shape: Shape) -> int:
    """Return how many inner walls a maze of `shape` can have."""
    rows, cols = shape
    return rows * (cols - 1) + (rows - 1) * cols


def wall_cells(shape: ShapeLike, ids: ArrayLike) -> NDArray[np.int64]:
    """Tell which two cells each wall parts.

    Wall ids go left to right, top to bottom: first the ``rows * (cols - 1)`` vertical walls, then the
    ``(rows - 1) * cols`` horizontal ones.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns, in cells.
    ids : array_like of int, shape (n,)
        Wall ids, 0 to ``rows * (cols - 1) + (rows - 1) * cols - 1``.

    Returns
    -------
    ndarray of int64, shape (n, 2)
        Area numbers (``row * cols + col``) of the cell left or above, and of the one right or below.

    Raises
    ------
    ValueError
        If there is no wall with such an id.

    Examples
    --------
    >>> meiro.wall_cells((3, 3), [0, 7]).tolist()
    [[0, 1], [1, 4]]
    """
    rows, cols = checked_shape(shape)
    walls = integers(ids, "ids").reshape(-1)
    count = n_walls((rows, cols))
    bad = np.flatnonzero((walls < 0) | (walls >= count))
    if bad.size:
        msg = f"there is no wall {walls[bad[0]]} in a maze of ({rows}, {cols}): ids are 0..{count - 1}"
        raise ValueError(msg)
    vertical = rows * (cols - 1)
    across = max(cols - 1, 1)  # a maze one cell wide has no vertical walls
    first = np.where(walls < vertical, walls % across + walls // across * cols, walls - vertical)
    return np.stack([first, first + np.where(walls < vertical, 1, cols)], axis=1)


def wall_ids(shape: ShapeLike, cells: ArrayLike) -> NDArray[np.int64]:
    """Tell the id of the wall between two neighbouring cells, the inverse of `wall_cells`.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns, in cells.
    cells : array_like of int, shape (n, 2)
        Area numbers of two neighbouring cells, in either order.

    Returns
    -------
    ndarray of int64, shape (n,)

    Raises
    ------
    ValueError
        If two cells are no neighbours.

    Examples
    --------
    >>> meiro.wall_ids((3, 3), [[0, 1], [4, 1]]).tolist()
    [0, 7]
    """
    rows, cols = checked_shape(shape)
    pairs = integers(cells, "cells")
    if pairs.size == 0:
        return np.empty(0, np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        msg = f"cells must have shape (n, 2), not {pairs.shape}"
        raise ValueError(msg)
    first, second = pairs.min(axis=1), pairs.max(axis=1)
    beside = (second - first == 1) & (second % cols != 0)
    below = second - first == cols
    if cols == 1:
        beside[:] = False
    bad = np.flatnonzero(~(beside | below) | (first < 0) | (second >= rows * cols))
    if bad.size:
        one, other = pairs[bad[0]]
        msg = f"cells {one} and {other} are no neighbours in a maze of ({rows}, {cols})"
        raise ValueError(msg)
    vertical = first // cols * (cols - 1) + first % cols
    ids: NDArray[np.int64] = np.where(beside, vertical, rows * (cols - 1) + first)
    return ids


def integers(values: ArrayLike, name: str) -> NDArray[np.int64]:
    """Return an int64 array of what holds integers; everything else is a TypeError."""
    array = np.asarray(values)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        msg = f"{name} must be integers, not {array.dtype}"
        raise TypeError(msg)
    return array.astype(np.int64)


def cells_to_grid(path: ArrayLike) -> NDArray[np.int64]:
    """Turn a path over cells into the path over the sites of the drawn grid, doors included.

    Parameters
    ----------
    path : array_like of int, shape (k, 2)
        Neighbouring cells, (row, col) each.

    Returns
    -------
    ndarray of int64, shape (2 * k - 1, 2)
        Sites; empty for an empty path.

    Raises
    ------
    ValueError
        If the shape is another one, or two cells that follow each other are no neighbours.
    TypeError
        If the path holds no integers.

    Examples
    --------
    >>> meiro.cells_to_grid([(0, 0), (0, 1)]).tolist()
    [[1, 1], [1, 2], [1, 3]]
    """
    cells = _path(path)
    if len(cells) == 0:
        return cells
    steps = np.diff(cells, axis=0)
    bad = np.flatnonzero(np.abs(steps).sum(axis=1) != 1)
    if bad.size:
        one, other = (tuple(map(int, cells[bad[0] + i])) for i in (0, 1))
        msg = f"path: {one} and {other} are no neighbouring cells"
        raise ValueError(msg)
    sites = np.empty((2 * len(cells) - 1, 2), np.int64)
    sites[0::2] = 2 * cells + 1
    sites[1::2] = sites[0:-1:2] + steps
    return sites


def grid_to_cells(path: ArrayLike) -> NDArray[np.int64]:
    """Turn a path over sites of the drawn grid into the cells it visits: the inverse of `cells_to_grid`.

    Parameters
    ----------
    path : array_like of int, shape (m, 2)
        Sites, (row, col) each. Doors and openings are passed over.

    Returns
    -------
    ndarray of int64, shape (k, 2)

    Raises
    ------
    ValueError
        If the shape is another one.
    TypeError
        If the path holds no integers.

    Examples
    --------
    >>> meiro.grid_to_cells([(1, 1), (1, 2), (1, 3)]).tolist()
    [[0, 0], [0, 1]]
    """
    sites = _path(path)
    cells: NDArray[np.int64] = (sites[(sites % 2 == 1).all(axis=1)] - 1) // 2
    return cells


def _path(path: ArrayLike) -> NDArray[np.int64]:
    array = integers(path, "path")
    if array.size == 0:
        return np.empty((0, 2), np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        msg = f"path must have shape (k, 2), not {array.shape}"
        raise ValueError(msg)
    return array
