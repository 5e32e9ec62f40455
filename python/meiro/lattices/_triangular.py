"""Triangles: six cells meet in each corner, and every cell inside has three neighbours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro.lattices._tiling import (
    lattice_of_polygons,
    require_rows_or_side,
    require_size,
    rows_and_cols,
    size,
)

if TYPE_CHECKING:
    from meiro.lattices.lattice import Lattice

# The corners of a triangle that points up, the tip first, and of one that points down; clockwise.
_FORMS = np.array([(1, 0), (2, 1), (0, 1)]), np.array([(0, 0), (2, 0), (1, 1)])
_UNIT = 0.5, math.sqrt(3) / 2


def triangular(rows: int | None = None, cols: int | None = None, *, side: int | None = None) -> Lattice:
    """Make a lattice of triangles of side 1, which point up and down by turns.

    Parameters
    ----------
    rows, cols : int
        Rows of triangles; cell ``row * cols + col``, of which the first points up.
    side : int
        Instead: the triangles along each side of a large one that points up. Cells row by row.

    Returns
    -------
    Lattice
        Cells row by row, with (row, col) as `Lattice.coordinates`.

    Raises
    ------
    TypeError
        If neither rows and cols nor side is given, or both.

    Examples
    --------
    >>> meiro.lattices.triangular(10, 20)
    <Lattice triangular: 200 cells, 280 edges>
    >>> meiro.lattices.triangular(side=4)
    <Lattice triangular: 16 cells, 18 edges>
    """
    require_rows_or_side("triangular", rows, cols, side)
    if side is None:
        rows, cols = size(rows, "rows"), size(cols, "cols")
        require_size("triangular", rows * cols, 3 * rows * cols // 2)
        row, x = rows_and_cols(rows, cols)
        down = (row + x) % 2
        recipe = {"rows": rows, "cols": cols}
    else:
        side = size(side, "side")
        require_size("triangular", side * side, 3 * side * side // 2)
        lengths = 2 * np.arange(side) + 1
        row = np.repeat(np.arange(side), lengths)
        place = np.arange(side * side) - row * row
        x, down = side - 1 - row + place, place % 2
        recipe = {"side": side}
    corners, *polygons = _core.place_tiles(x, row, down.astype(np.uint8), _FORMS, _UNIT)
    return lattice_of_polygons("triangular", recipe, corners, polygons)
