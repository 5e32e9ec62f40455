"""Pentagons: the Cairo tiling, four or three of which meet in each corner."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from meiro.lattices._tiling import lattice_of_polygons, require_size, rows_and_cols, size

if TYPE_CHECKING:
    from meiro.lattices.lattice import Lattice

_D = (math.sqrt(7) - 1) / 6  # so far from the middle of a square its bar ends: all sides are equal


def cairo(rows: int, cols: int) -> Lattice:
    """Make a lattice of equal pentagons, the Cairo tiling.

    A bar lies in the middle of each of rows x cols unit squares, by turns along and across; its ends are
    joined to the corners of the square. A cell lies around each side between two squares::

        +---+---+
        |>-<| v |     the cell around the side in the middle has the corners of this side,
        |   | ^ |     the right end of the left bar, and both ends of the right one
        +---+---+

    Parameters
    ----------
    rows, cols : int
        Of squares: two at least.

    Returns
    -------
    Lattice
        The cells around vertical sides row by row, then those around horizontal ones. In
        `Lattice.coordinates` rows of both kinds take turns: those of row r of squares, then those between it
        and the next, each from the left. A row without cells, of a single row or column of squares, has no
        number.

    Examples
    --------
    >>> meiro.lattices.cairo(10, 20)
    <Lattice cairo: 370 cells, 854 edges>
    >>> lattice = meiro.lattices.cairo(2, 2)  # rows of 1, 2 and 1 cells
    >>> lattice.coordinates.tolist()
    [[0, 0], [2, 0], [1, 0], [1, 1]]
    """
    rows, cols = size(rows, "rows"), size(cols, "cols")
    if rows * cols < 2:
        raise ValueError("cairo needs two squares at least, (1, 2) or (2, 1), not (1, 1)")
    require_size("cairo", 2 * rows * cols, 5 * rows * cols)
    at = np.arange((rows + 1) * (cols + 1)).reshape(rows + 1, cols + 1)
    # The ends of the bars: left and right where row + col is even, else upper and lower.
    one = at.size + 2 * np.arange(rows * cols).reshape(rows, cols)
    other = one + 1
    along = (np.arange(rows)[:, np.newaxis] + np.arange(cols)) % 2 == 0

    top, bottom = at[:-1, 1:-1], at[1:, 1:-1]
    west, east = np.s_[:, :-1], np.s_[:, 1:]
    vertical = np.where(
        along[west][..., np.newaxis],
        np.stack([top, one[east], other[east], bottom, other[west]], axis=-1),
        np.stack([top, one[east], bottom, other[west], one[west]], axis=-1),
    )
    left, right = at[1:-1, :-1], at[1:-1, 1:]
    north, south = np.s_[:-1], np.s_[1:]
    horizontal = np.where(
        along[north][..., np.newaxis],
        np.stack([left, one[north], other[north], right, one[south]], axis=-1),
        np.stack([left, other[north], right, other[south], one[south]], axis=-1),
    )
    polygons = np.concatenate([vertical.reshape(-1, 5), horizontal.reshape(-1, 5)])
    row, col = rows_and_cols(rows + 1, cols + 1)
    posts = np.stack([col, row], axis=1).astype(np.float64)
    row, col = rows_and_cols(rows, cols)
    middle = np.stack([col + 0.5, row + 0.5], axis=1)
    step = np.where(along.reshape(-1, 1), np.array([_D, 0]), np.array([0, _D]))
    bars = np.stack([middle - step, middle + step], axis=1).reshape(-1, 2)
    corners = np.concatenate([posts, bars])
    return lattice_of_polygons("cairo", {"rows": rows, "cols": cols}, corners, polygons)
