"""Tilings of two kinds of regular polygons: octagons with squares, hexagons with triangles."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro.lattices._tiling import lattice_of_polygons, require_size, rows_and_cols, size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

_T = (math.sqrt(2) - 1) / 2  # half a side of an octagon that is 1 wide


def upsilon(rows: int, cols: int) -> Lattice:
    """Make a lattice of octagons and squares: the truncated square tiling, 4.8.8.

    Parameters
    ----------
    rows, cols : int
        Rows and columns of octagons; a square lies between each four of them.

    Returns
    -------
    Lattice
        The octagons row by row, then the squares. In `Lattice.coordinates` rows of octagons, 0, 2, ..., and
        of squares, 1, 3, ..., take turns: square (2 r + 1, c) lies to the lower right of octagon (2 r, c).

    References
    ----------
    W. D. Pullen, Think Labyrinth, "upsilon mazes". astrolog.org/labyrnth/algrithm.htm

    Examples
    --------
    >>> meiro.lattices.upsilon(10, 20)
    <Lattice upsilon: 371 cells, 1,054 edges>
    >>> lattice = meiro.lattices.upsilon(2, 3)  # rows of 3 octagons, 2 squares, 3 octagons
    >>> lattice.coordinates.tolist()
    [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2], [1, 0], [1, 1]]
    """
    rows, cols = size(rows, "rows"), size(cols, "cols")
    require_size("upsilon", 2 * rows * cols, 6 * rows * cols)
    # Every side of the unit squares has two corners, at 1/2 - T and 1/2 + T.
    across = 2 * np.arange((rows + 1) * cols).reshape(rows + 1, cols)
    down = across.size * 2 + 2 * np.arange(rows * (cols + 1)).reshape(rows, cols + 1)
    octagons = np.stack(
        [
            *(across[:-1], across[:-1] + 1, down[:, 1:], down[:, 1:] + 1),
            *(across[1:] + 1, across[1:], down[:, :-1] + 1, down[:, :-1]),
        ],
        axis=-1,
    ).reshape(-1, 8)
    middle = down[:, 1:-1]
    squares = np.stack(
        [middle[:-1] + 1, across[1:-1, 1:], middle[1:], across[1:-1, :-1] + 1], axis=-1
    ).reshape(-1, 4)
    row, col = rows_and_cols(rows + 1, cols)
    over = np.stack([np.stack([col + 0.5 - _T, row], -1), np.stack([col + 0.5 + _T, row], -1)], axis=1)
    row, col = rows_and_cols(rows, cols + 1)
    beside = np.stack([np.stack([col, row + 0.5 - _T], -1), np.stack([col, row + 0.5 + _T], -1)], axis=1)
    corners = np.concatenate([over.reshape(-1, 2), beside.reshape(-1, 2)])
    indptr = np.concatenate(
        [np.arange(0, 8 * len(octagons) + 1, 8), 8 * len(octagons) + 4 * np.arange(1, len(squares) + 1)]
    )
    indices = np.concatenate([octagons.reshape(-1), squares.reshape(-1)])
    recipe = {"rows": rows, "cols": cols}
    return lattice_of_polygons("upsilon", recipe, corners, (indptr, indices), straight=True)


# The corners of a hexagon around its centre, and of the triangles above and below it.
_FORMS = (
    np.array([(-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0)]),
    np.array([(0, -2), (1, -1), (-1, -1)]),
    np.array([(-1, 1), (1, 1), (0, 2)]),
)


def kagome(rows: int, cols: int) -> Lattice:
    """Make a lattice of hexagons and triangles: the trihexagonal tiling, 3.6.3.6.

    Parameters
    ----------
    rows, cols : int
        Rows of hexagons, every second one half a cell to the right; triangles lie between them, where two
        hexagons meet at least.

    Returns
    -------
    Lattice
        The hexagons row by row, then the triangles above hexagons, then those below. In
        `Lattice.coordinates` rows of hexagons, 0, 2, ..., and of triangles, 1, 3, ..., take turns; columns
        count the cells of a row from the left, triangles that point up and down alike.

    Examples
    --------
    >>> meiro.lattices.kagome(10, 20)
    <Lattice kagome: 560 cells, 1,062 edges>
    >>> lattice = meiro.lattices.kagome(2, 2)  # rows of 2 hexagons, 4 triangles, 2 hexagons
    >>> lattice.coordinates.tolist()
    [[0, 0], [0, 1], [2, 0], [2, 1], [1, 1], [1, 3], [1, 0], [1, 2]]
    """
    rows, cols = size(rows, "rows"), size(cols, "cols")
    require_size("kagome", 3 * rows * cols, 6 * rows * cols)
    row, col = rows_and_cols(rows, cols)
    x, y = 4 * col + 2 * (row % 2) + 2, 2 * row + 2

    above, below = triangles_of_kagome(rows, cols)
    kind = np.repeat(np.arange(3, dtype=np.uint8), [len(x), above.sum(), below.sum()])
    x, y = (np.concatenate([at, at[above], at[below]]) for at in (x, y))
    corners, *polygons = _core.place_tiles(x, y, kind, _FORMS, (0.5, math.sqrt(3) / 2))
    return lattice_of_polygons("kagome", {"rows": rows, "cols": cols}, corners, polygons)


def triangles_of_kagome(rows: int, cols: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return for each hexagon whether a triangle lies above it, and below: if one of the two there is."""
    row, col = rows_and_cols(rows, cols)
    left = col - 1 + row % 2
    some: NDArray[np.bool_] = np.maximum(left, 0) <= np.minimum(left + 1, cols - 1)
    return some & (row > 0), some & (row < rows - 1)
