"""Places outside the mask of a maze, which pictures leave blank or fill with wall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Wrap


def outside_sites(
    mask: NDArray[np.bool_], wrap: Wrap, first: int = 0, last: int | None = None
) -> NDArray[np.bool_]:
    """Return which sites of the drawn grid touch no cell: neither cells nor the walls and posts around them.

    Parameters
    ----------
    mask : ndarray of bool, shape (rows, cols)
        True where a cell exists.
    wrap : (bool, bool)
        Over a periodic border a site touches the cells of the other side.
    first, last : int
        The rows of sites, first and past the last; all by default.

    Returns
    -------
    ndarray of bool, shape (last - first, 2 * cols + 1)

    Examples
    --------
    >>> mask = np.array([[True, False, False]])
    >>> meiro.mazes._outside.outside_sites(mask, (False, False))[1].tolist()
    [False, False, False, True, True, True, True]
    """
    rows, cols = mask.shape
    beside = _cells_beside(np.arange(first, 2 * rows + 1 if last is None else last), rows, wrap[0])
    touched = np.logical_or(*(mask[line] & inside[:, None] for line, inside in beside))
    beside = _cells_beside(np.arange(2 * cols + 1), cols, wrap[1])
    untouched: NDArray[np.bool_] = ~np.logical_or(*(touched[:, line] & inside for line, inside in beside))
    return untouched


def _cells_beside(
    sites: NDArray[np.int64],
    side: int,
    periodic: bool,  # noqa: FBT001  # of one axis
) -> list[tuple[NDArray[np.int64], NDArray[np.bool_]]]:
    """Return the row of cells before and after each row of sites, and whether there is one."""
    lines = (sites - 1) // 2, sites // 2
    return [(line % side, ((line >= 0) & (line < side)) | periodic) for line in lines]
