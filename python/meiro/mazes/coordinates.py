"""Paths and explored cells, from cells to the sites of the drawn grid and back, over periodic borders too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.square import FLAT, ShapeLike, Wrap, checked_shape, checked_wrap
from meiro._utils.validation import integer_pairs

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_PER_SITE = 8  # numbers for a place of a path, in `bands`


def cells_to_grid(path: ArrayLike, *, shape: ShapeLike | None = None, wrap: Wrap = FLAT) -> NDArray[np.int64]:
    """Convert a path over cells to the path over the sites of the drawn grid, doors included.

    Parameters
    ----------
    path : array_like of int, shape (k, 2)
        Adjacent cells, (row, col) each.
    shape : (int, int), optional
        Rows and columns of the maze, in cells. Only needed if it is periodic.
    wrap : (bool, bool), optional
        Whether the lattice is periodic along rows and columns. A step over the border goes to the border
        site and comes in at the opposite one, which is the same door: it is one site longer.

    Returns
    -------
    ndarray of int64, shape (2 * k - 1, 2)
        Sites; empty for an empty path. One more for each step over the border.

    Raises
    ------
    ValueError
        If the array has another shape, or two successive cells are not adjacent.
    TypeError
        If the path does not hold integers, or `wrap` is given without `shape`.

    See Also
    --------
    grid_to_cells : The inverse.

    Examples
    --------
    >>> meiro.cells_to_grid([(0, 0), (0, 1)]).tolist()
    [[1, 1], [1, 2], [1, 3]]
    >>> meiro.cells_to_grid([(0, 0), (0, 2)], shape=(1, 3), wrap=(False, True)).tolist()
    [[1, 1], [1, 0], [1, 6], [1, 5]]
    """
    cells = integer_pairs(path, "path")
    periodic = FLAT
    sides = (0, 0)
    if shape is not None:
        sides = checked_shape(shape)
        periodic = checked_wrap(wrap, sides)
        outside = np.flatnonzero(((cells < 0) | (cells >= sides)).any(axis=1))
        if outside.size:
            raise ValueError(f"path: {tuple(cells[outside[0]].tolist())} is not a cell of a maze of {sides}")
    elif any(checked_wrap(wrap, (3, 3))):
        raise TypeError("wrap= needs shape=: the path does not show which border a step goes over")
    if len(cells) == 0:
        return cells
    pieces = [slice(band.start, band.stop + 1) for band in bands(max(len(cells) - 1, 1), _PER_SITE)]
    longer = [int(np.count_nonzero(steps_between(cells[piece], sides, periodic)[1])) for piece in pieces]
    sites = np.empty((2 * len(cells) - 1 + sum(longer), 2), np.int64)
    left = sites
    for piece, more in zip(pieces, longer, strict=True):
        n = _write_sites(left, cells[piece], sides, periodic, more)
        left = left[n - 1 :]
    return sites


def sites_along(cells: NDArray[np.int64], shape: tuple[int, int], wrap: Wrap) -> NDArray[np.int64]:
    """Return the sites of `cells_to_grid` for some cells of a path that was checked."""
    if not len(cells):
        return cells
    over = int(np.count_nonzero(steps_between(cells, shape, wrap)[1]))
    sites = np.empty((2 * len(cells) - 1 + over, 2), np.int64)
    _write_sites(sites, cells, shape, wrap, over)
    return sites


def _write_sites(
    out: NDArray[np.int64], cells: NDArray[np.int64], shape: tuple[int, int], wrap: Wrap, over_border: int
) -> int:
    """Write the sites of some cells of a path and return their number."""
    steps, over = steps_between(cells, shape, wrap)
    bad = np.flatnonzero(np.abs(steps).sum(axis=1) != 1)
    if bad.size:
        one, other = (tuple(map(int, cells[bad[0] + i])) for i in (0, 1))
        raise ValueError(f"path: {one} and {other} are not adjacent cells")
    at = np.concatenate([[0], np.cumsum(2 + over)])
    sites = out[: 2 * len(cells) - 1 + over_border]
    sites[at] = 2 * cells + 1
    sites[at[:-1] + 1] = sites[at[:-1]] + steps
    sites[at[1:] - 1] = sites[at[1:]] - steps  # the same door, or its other side
    return len(sites)


def grid_to_cells(path: ArrayLike) -> NDArray[np.int64]:
    """Convert a path over the sites of the drawn grid to the cells that it visits.

    Parameters
    ----------
    path : array_like of int, shape (m, 2)
        Sites, (row, col) each. Doors and openings are left out.

    Returns
    -------
    ndarray of int64, shape (k, 2)
        Cells, without the sites between them.

    Raises
    ------
    ValueError
        If the array has another shape.
    TypeError
        If the path does not hold integers.

    See Also
    --------
    cells_to_grid : The inverse.

    Examples
    --------
    >>> meiro.grid_to_cells([(1, 1), (1, 2), (1, 3)]).tolist()
    [[0, 0], [0, 1]]
    """
    sites = integer_pairs(path, "path")
    odd = (sites[:, 0] & sites[:, 1] & 1).astype(np.bool_)
    cells: NDArray[np.int64] = sites[odd]
    cells >>= 1
    return cells


def steps_between(
    cells: NDArray[np.int64], shape: tuple[int, int], wrap: Wrap
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the steps of a path, and whether each goes over a periodic border.

    A step over the border is one cell long, in its true direction: from the last column to the first it is
    (0, 1).
    """
    steps = np.diff(cells, axis=0)
    if not any(wrap):
        return steps, np.zeros(len(steps), np.bool_)
    over = (np.abs(steps) == np.array(shape) - 1) & np.array(wrap) & (steps == 0)[:, ::-1]
    at: NDArray[np.bool_] = np.any(over, axis=1)
    return np.where(over, -np.sign(steps), steps), at


def split_at_border(path: NDArray[np.int64], shape: tuple[int, int], wrap: Wrap) -> NDArray[np.floating[Any]]:
    """Return a path over cells with a break where it goes over a periodic border.

    The path reaches the border, half a cell on; then comes NaN; then it goes on half a cell before the next
    cell.
    """
    if not any(wrap):
        return path.astype(np.float32)
    steps, over = steps_between(path, shape, wrap)
    before = np.flatnonzero(over)
    half = steps[before] / 2
    border = np.stack([path[before] + half, np.full_like(half, np.nan), path[before + 1] - half], axis=1)
    return np.insert(path.astype(np.float64), np.repeat(before + 1, 3), border.reshape(-1, 2), axis=0)


def explored_sites(
    explored: NDArray[np.bool_], first: int, last: int, wrap: Wrap = FLAT
) -> NDArray[np.bool_]:
    """Return rows `first` to `last` of the grid, True in explored cells and between two of them."""
    rows, cols = explored.shape
    sites = np.zeros((last - first, 2 * cols + 1), np.bool_)
    top = max(first // 2 - 1, 0)  # with a row of cells above the band, for the sites between
    cells = explored[top : (last + 1) // 2]
    odd = slice((first | 1) - first, None, 2)
    inside = cells[first // 2 - top : last // 2 - top]
    sites[odd, 1::2] = inside
    sites[odd, 2:-1:2] = inside[:, 1:] & inside[:, :-1]
    if wrap[1]:
        sites[odd, 0] = sites[odd, -1] = inside[:, 0] & inside[:, -1]
    for row in range(first + first % 2, last, 2):
        if 0 < row < 2 * rows:
            sites[row - first, 1::2] = cells[row // 2 - 1 - top] & cells[row // 2 - top]
        elif wrap[0]:
            sites[row - first, 1::2] = explored[0] & explored[-1]
    return sites
