"""Surfaces that are cut open to lie flat: the surface of a cube, and the Moebius strip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.validation import integer
from meiro.lattices._tiling import lattice_of_polygons, require_size, rows_and_cols, size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

# Of each face: where it lies in the net, in faces (column, row); and in the cube, in units of n: its first
# corner, and the directions of its columns and rows.
_FACES = (
    ((1, 0), (0, 1, 1), (1, 0, 0), (0, -1, 0)),  # top
    ((0, 1), (0, 1, 1), (0, -1, 0), (0, 0, -1)),  # left
    ((1, 1), (0, 0, 1), (1, 0, 0), (0, 0, -1)),  # front
    ((2, 1), (1, 0, 1), (0, 1, 0), (0, 0, -1)),  # right
    ((3, 1), (1, 1, 1), (-1, 0, 0), (0, 0, -1)),  # back
    ((1, 2), (0, 0, 0), (1, 0, 0), (0, 1, 0)),  # bottom
)


def cube(n: int) -> Lattice:
    """Make the surface of a cube: six faces of n x n squares.

    Parameters
    ----------
    n : int
        Cells along an edge of the cube, at least 1.

    Returns
    -------
    Lattice
        The faces top, left, front, right, back, bottom, each row by row, lying as a net::

              T
            L F R B
              D

        Where the net is cut a wall is drawn on both sides: twice, in `Outline.more_walls`.

    Examples
    --------
    >>> meiro.lattices.cube(4)
    <Lattice cube: 96 cells, 192 edges>
    """
    n = size(n, "n")
    require_size("cube", 6 * n * n, 12 * n * n)
    at = np.arange(n + 1)
    flat = [
        np.stack(np.broadcast_arrays(left * n + at, top * n + at[:, np.newaxis]), axis=-1)
        for (left, top), *_ in _FACES
    ]
    solid = _number_on_cube(_on_faces(n, at), n)
    corners = np.array(flat, np.float64).reshape(-1, 2)
    number = np.arange(len(corners)).reshape(6, n + 1, n + 1)
    polygons = _squares(number)
    # Cells are adjacent where their sides are one side of the cube.
    joined = solid.reshape(-1)[polygons].reshape(-1)
    return lattice_of_polygons("cube", {"n": n}, corners, polygons, joined=joined, straight=True)


def _on_faces(n: int, at: NDArray[Any]) -> NDArray[Any]:
    """Return points of the faces of a cube of side n, (6, k, k, 3): `at` so far along its sides."""
    u, v = at[:, np.newaxis], at[:, np.newaxis, np.newaxis]
    return np.stack([np.array(origin) * n + u * across + v * down for _, origin, across, down in _FACES])


def middles_on_cube(n: int) -> NDArray[np.float64]:
    """Return the middles of the cells of `cube` in space, (6 n n, 3)."""
    middles: NDArray[np.float64] = _on_faces(n, np.arange(n) + 0.5).reshape(-1, 3)
    return middles


def moebius(rows: int, cols: int) -> Lattice:
    """Make a Moebius strip: the last column is glued to the first, upside down.

    Parameters
    ----------
    rows, cols : int
        Three columns at least.

    Returns
    -------
    Lattice
        Cell ``row * cols + col``; the cell at the end of a row is adjacent to the first of row
        ``rows - 1 - row``. Where the strip is cut a wall is drawn at both ends, in `Outline.more_walls`.

    Examples
    --------
    >>> meiro.lattices.moebius(4, 20)
    <Lattice moebius: 80 cells, 140 edges>
    """
    rows, cols = size(rows, "rows"), integer(cols, "cols", 3, 1 << 31)
    require_size("moebius", rows * cols, 2 * rows * cols)
    at = np.arange((rows + 1) * (cols + 1)).reshape(1, rows + 1, cols + 1)
    polygons = _squares(at)
    corners = np.stack(rows_and_cols(rows + 1, cols + 1)[::-1], axis=1).astype(np.float64)
    glued = at.copy()
    glued[0, :, -1] = at[0, ::-1, 0]
    joined = glued.reshape(-1)[polygons].reshape(-1)
    recipe = {"rows": rows, "cols": cols}
    return lattice_of_polygons("moebius", recipe, corners, polygons, joined=joined, straight=True)


def _number_on_cube(place: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return a number below 6 (n + 1)^2 for each point of the surface of a cube, (..., 3)."""
    x, y, z = np.moveaxis(place, -1, 0)
    of_x, of_y, of_z = (((2 * axis + (at == n)) * (n + 1), at % n == 0) for axis, at in enumerate((x, y, z)))
    first = np.where(of_x[1], of_x[0] + y, np.where(of_y[1], of_y[0] + x, of_z[0] + x))
    number: NDArray[np.int64] = first * (n + 1) + np.where(of_x[1] | of_y[1], z, y)
    return number


def _squares(number: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the corners of squares, face by face and row by row, of those of the faces."""
    parts = (number[:, :-1, :-1], number[:, :-1, 1:], number[:, 1:, 1:], number[:, 1:, :-1])
    return np.stack(parts, axis=-1).reshape(-1, 4)
