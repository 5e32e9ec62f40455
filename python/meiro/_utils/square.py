"""The square lattice in Python: shapes, cells, wall ids, and the sites of the drawn grid."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import TYPE_CHECKING, Literal, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.cell_words import MIDDLE
from meiro._utils.messages import short_repr
from meiro._utils.validation import integer_pairs, integers, items_of, pair

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Cell = tuple[int, int]
Shape = tuple[int, int]
Wrap = tuple[bool, bool]
ShapeLike = Sequence[SupportsIndex]
CellLike = Sequence[SupportsIndex] | Literal["middle"]

N, E, S, W = 1, 2, 4, 8
WALL, ROAD = 1, 0

FLAT: Wrap = (False, False)
_LEAST_WRAP = 3


def close_border(passages: NDArray[np.uint8], wrap: Wrap = FLAT) -> None:
    """Close the border of mazes, (..., rows, cols), where it is not periodic."""
    if not wrap[0]:
        passages[..., 0, :] &= E | S | W
        passages[..., -1, :] &= N | E | W
    if not wrap[1]:
        passages[..., 0] &= N | E | S
        passages[..., -1] &= N | S | W


def checked_shape(shape: ShapeLike | None, grid_shape: ShapeLike | None = None) -> Shape:
    """Return (rows, cols) in cells, from a shape in cells or one of the drawn grid."""
    if (shape is None) == (grid_shape is None):
        raise TypeError("give either shape=(rows, cols) in cells or grid_shape=(height, width) in sites")
    if grid_shape is not None:
        height, width = pair(grid_shape, "grid_shape")
        for side in (height, width):
            if side < 3 or side % 2 == 0:
                raise ValueError(_grid_side(side))
        return (height - 1) // 2, (width - 1) // 2
    rows, cols = pair(shape, "shape")
    if rows < 1 or cols < 1:
        raise ValueError(f"shape must be at least (1, 1), not ({rows}, {cols})")
    if rows * cols >= 1 << 48:
        raise MemoryError(f"shape ({rows}, {cols}) is {rows * cols:,} cells, which no memory can hold")
    return rows, cols


_NUMBERS = (int, float, np.number)


def require_shape_first(shape: object, algorithm: object, call: str) -> None:
    """Raise a TypeError that names the order of the arguments of `call` if they come in another one."""
    if isinstance(shape, _NUMBERS) and isinstance(algorithm, _NUMBERS):
        raise TypeError(f"shape is one argument, a pair: ({shape}, {algorithm}), not {shape}, {algorithm}")
    numbers = isinstance(algorithm, tuple | list) and not any(isinstance(each, str) for each in algorithm)
    if isinstance(shape, str) or numbers:
        given = f"{short_repr(shape)} first, then {short_repr(algorithm)}"
        raise TypeError(
            f"the order is {call} with shape=(rows, cols), as in ((20, 30), 'kruskal'); not {given}"
        )


def _grid_side(side: int) -> str:
    if side < 3:
        return f"grid_shape: a grid side must be odd and at least 3, not {side}"
    return (
        f"grid_shape: a grid side must be odd, and {side} is even; "
        f"take {side - 1} or {side + 1} (cells: {(side - 2) // 2} or {side // 2})"
    )


def checked_cell(
    value: object, shape: Shape, name: str, what: str = "cell", there: NDArray[np.bool_] | None = None
) -> Cell:
    """Return `value` as a (row, col) inside `shape`; negative numbers count from the end.

    "middle" is the cell nearest to the middle, of those that are `there`, and of several the first.
    """
    if isinstance(value, str) and value == MIDDLE:
        return _middle_cell(shape, there)
    given = row, col = pair(value, name)
    rows, cols = shape
    if row < 0:
        row += rows
    if col < 0:
        col += cols
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(f"{name} {given} is outside: rows 0..{rows - 1}, cols 0..{cols - 1} ({what}s)")
    return row, col


def _middle_cell(shape: Shape, there: NDArray[np.bool_] | None) -> Cell:
    rows, cols = shape
    if there is None or not there.any():
        return (rows - 1) // 2, (cols - 1) // 2
    row, col = there.nonzero()
    nearest = ((2 * row - rows + 1) ** 2 + (2 * col - cols + 1) ** 2).argmin()
    return int(row[nearest]), int(col[nearest])


def existing_cell(value: object, shape: Shape, mask: NDArray[np.bool_] | None, name: str) -> Cell:
    """Return `value` as a (row, col) inside `shape` that is not masked out."""
    cell = checked_cell(value, shape, name, there=mask)
    if mask is not None and not mask[cell]:
        raise ValueError(f"{name} {cell} is masked out")
    return cell


_SIDES = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
DIRECTIONS, STEPS = tuple(_SIDES), tuple(_SIDES.values())
_SPELLINGS = {
    word: direction
    for words in ("nesw", ("up", "right", "down", "left"), ("top", "right", "bottom", "left"))
    for word, direction in zip(words, DIRECTIONS, strict=True)
}


def direction_word(given: str) -> str:
    """Return "north" for "N", "up" or "top", "north_west" for "NW", in any case; else the word."""
    word = given.lower().replace("-", "_")
    if len(word) == 2 and set(word) <= set("nesw"):
        word = "_".join(word)
    return "_".join(_SPELLINGS.get(part, part) for part in word.split("_"))


def side_step(side: str, name: str) -> Cell:
    """Return the step (row, col) to a side of a cell: "north", "N", "up" and so on, in any case."""
    word = direction_word(side)
    if word not in _SIDES:
        raise ValueError(
            f'{name}: the side of a cell is "north", "east", "south" or "west", not {short_repr(side)}'
        )
    return _SIDES[word]


def checked_wrap(wrap: object, shape: Shape) -> Wrap:
    """Return whether the lattice is periodic along rows and columns, checked."""
    what = "two bools, (rows, cols)"
    sides = tuple(islice(items_of(wrap, "wrap", what), 3))  # it may be endless
    if (
        isinstance(wrap, AbstractSet | Mapping)
        or len(sides) != 2
        or not all(isinstance(side, bool | np.bool_) for side in sides)
    ):
        raise TypeError(f"wrap must be {what}, not {short_repr(wrap)}")
    rows, cols = map(bool, sides)
    for side, wraps, name in zip(shape, (rows, cols), ("rows", "cols"), strict=True):
        if wraps and side < _LEAST_WRAP:
            raise ValueError(
                f"wrap={rows, cols}: periodic {name} are at least {_LEAST_WRAP}, not {side}: "
                "with fewer, two walls would separate the same two cells"
            )
    return rows, cols


def n_walls(shape: Shape, wrap: Wrap = FLAT) -> int:
    """Return the number of walls between cells of a maze of `shape`."""
    rows, cols = shape
    return rows * (cols - 1 + wrap[1]) + (rows - 1 + wrap[0]) * cols


def wall_cells(shape: ShapeLike, ids: ArrayLike, *, wrap: Wrap = FLAT) -> NDArray[np.int64]:
    """Return the two cells that each wall separates.

    Wall ids run from left to right and top to bottom: first the ``rows * (cols - 1)`` vertical walls, then
    the ``(rows - 1) * cols`` horizontal ones. If columns are periodic, the walls on the east border follow,
    one a row; if rows are, those on the south border come last, one a column.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns, in cells.
    ids : array_like of int, shape (n,)
        Wall ids, from 0.
    wrap : (bool, bool), optional
        Whether the lattice is periodic along rows and columns.

    Returns
    -------
    ndarray of int64, shape (n, 2)
        Cell numbers (``row * cols + col``) of the cell to the left or above, and of the one to the right or
        below: over the east border the first of the row, over the south border that of the column.

    Raises
    ------
    ValueError
        If there is no wall with such an id.

    See Also
    --------
    wall_ids : The inverse.

    Examples
    --------
    >>> meiro.wall_cells((3, 3), [0, 7]).tolist()
    [[0, 1], [1, 4]]
    >>> meiro.wall_cells((3, 3), [12, 17], wrap=(True, True)).tolist()
    [[2, 0], [8, 2]]
    """
    rows, cols = checked_shape(shape)
    periodic = checked_wrap(wrap, (rows, cols))
    walls = integers(ids, "ids").reshape(-1)
    refuse_other_ids(walls, (rows, cols), periodic)
    return _core.wall_cells(walls, (rows, cols), periodic)


def refuse_other_ids(walls: NDArray[np.int64], shape: Shape, wrap: Wrap) -> None:
    """Raise a ValueError for an id that is not one of a wall."""
    count = n_walls(shape, wrap)
    bad = np.flatnonzero((walls < 0) | (walls >= count))
    if bad.size:
        raise ValueError(
            f"ids: there is no wall {walls[bad[0]]} in a maze of {shape}: ids are 0..{count - 1}"
        )


def wall_ids(shape: ShapeLike, cells: ArrayLike, *, wrap: Wrap = FLAT) -> NDArray[np.int64]:
    """Return the id of the wall between two adjacent cells.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns, in cells.
    cells : array_like of int, shape (n, 2)
        Cell numbers (``row * cols + col``) of two adjacent cells, in either order.
    wrap : (bool, bool), optional
        Whether the lattice is periodic along rows and columns.

    Returns
    -------
    ndarray of int64, shape (n,)
        The id for each pair of cells, in their order.

    Raises
    ------
    ValueError
        If two cells are not adjacent.

    See Also
    --------
    wall_cells : The inverse, and the order of the ids.

    Examples
    --------
    >>> meiro.wall_ids((3, 3), [[0, 1], [4, 1]]).tolist()
    [0, 7]
    """
    cell_shape = checked_shape(shape)
    return checked_wall_ids(cell_shape, cells, checked_wrap(wrap, cell_shape), "cells")


def checked_wall_ids(shape: Shape, cells: ArrayLike, wrap: Wrap, name: str) -> NDArray[np.int64]:
    """Return the id of the wall between each two cells; a ValueError names two that are not adjacent."""
    pairs = integer_pairs(cells, name)
    ids = _core.wall_ids(pairs, shape, wrap)
    bad = np.flatnonzero(ids < 0)
    if bad.size:
        one, other = pairs[bad[0]]
        raise ValueError(f"{name}: cells {one} and {other} are not adjacent in a maze of {shape}")
    return ids


def passages_of(
    shape: Shape, open_: NDArray[np.bool_], wrap: Wrap, mask: NDArray[np.bool_] | None = None
) -> NDArray[np.uint8]:
    """Return the passages of one maze or many; `open_`, (..., walls), says whether each wall id is open."""
    rows, cols = shape
    sizes = np.cumsum([rows * (cols - 1), (rows - 1) * cols, rows * wrap[1]])
    vertical, horizontal, east, south = np.split(open_, sizes, axis=-1)
    many = open_.shape[:-1]
    vertical = vertical.reshape(*many, rows, cols - 1)
    horizontal = horizontal.reshape(*many, rows - 1, cols)
    if mask is not None:
        vertical = vertical & mask[:, :-1] & mask[:, 1:]
        horizontal = horizontal & mask[:-1] & mask[1:]
        east = east & mask[: east.shape[-1], [0, -1]].all(axis=1)
        south = south & mask[[0, -1], : south.shape[-1]].all(axis=0)
    passages = np.zeros((*many, *shape), np.uint8)
    passages[..., :-1] |= vertical * np.uint8(E)
    passages[..., 1:] |= vertical * np.uint8(W)
    passages[..., :-1, :] |= horizontal * np.uint8(S)
    passages[..., 1:, :] |= horizontal * np.uint8(N)
    if wrap[1]:
        passages[..., -1] |= east * np.uint8(E)
        passages[..., 0] |= east * np.uint8(W)
    if wrap[0]:
        passages[..., -1, :] |= south * np.uint8(S)
        passages[..., 0, :] |= south * np.uint8(N)
    return passages


def open_walls(passages: NDArray[np.uint8], wrap: Wrap = FLAT) -> NDArray[np.bool_]:
    """Return for each wall id, of one maze or many, whether it is open: the inverse of `passages_of`."""
    *many, rows, cols = passages.shape
    east, south = passages[..., : rows * wrap[1], -1] & E, passages[..., -1, : cols * wrap[0]] & S
    sides = (passages[..., :-1] & E, passages[..., :-1, :] & S, east, south)
    lists = [side.reshape(*many, math.prod(side.shape[len(many) :])) for side in sides]
    return np.asarray(np.concatenate(lists, axis=-1) != 0)
