"""Hexagons: three cells meet in each corner, and every cell inside has six neighbours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from meiro import _core
from meiro._utils.validation import one_of
from meiro.lattices._tiling import (
    lattice_of_polygons,
    require_rows_or_side,
    require_size,
    rows_and_cols,
    size,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

# The corners of a hexagon around its centre, clockwise from the top: in half widths and half sides.
_CORNERS = np.array([(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)])
_UNIT = math.sqrt(3) / 2, 0.5


def hexagonal(
    rows: int | None = None,
    cols: int | None = None,
    *,
    side: int | None = None,
    shape: Literal["hexagon", "triangle"] = "hexagon",
) -> Lattice:
    """Make a lattice of hexagons of side 1 that stand on a corner.

    Parameters
    ----------
    rows, cols : int
        Rows of hexagons, every second one half a cell to the right. Cell ``row * cols + col``.
    side : int
        Instead: the hexagons along each side of a large hexagon or triangle. Cells row by row.
    shape : {"hexagon", "triangle"}
        The form of the whole, with `side`.

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
    >>> meiro.lattices.hexagonal(20, 30)
    <Lattice hexagonal: 600 cells, 1,701 edges>
    >>> meiro.lattices.hexagonal(side=3)
    <Lattice hexagonal: 19 cells, 42 edges>
    """
    require_rows_or_side("hexagonal", rows, cols, side)
    if side is None:
        rows, cols = size(rows, "rows"), size(cols, "cols")
        require_size("hexagonal", rows * cols, 3 * rows * cols)
        row, col = rows_and_cols(rows, cols)
        return _hexagons({"rows": rows, "cols": cols}, 2 * col + row % 2 + 1, row)
    side = size(side, "side")
    one_of(shape, "shape", ("hexagon", "triangle"))
    recipe = {"side": side, "shape": shape}
    if shape == "triangle":
        require_size("hexagonal", side * (side + 1) // 2, 3 * side * side // 2)
        lengths = np.arange(1, side + 1)
        first = side - lengths + 1
    else:
        require_size("hexagonal", 3 * side * (side - 1) + 1, 9 * side * side)
        lengths = 2 * side - 1 - np.abs(np.arange(1 - side, side))
        first = 2 * side - lengths
    row = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return _hexagons(recipe, first[row] + 2 * place, row)


def _hexagons(recipe: dict[str, Any], x: NDArray[Any], row: NDArray[Any]) -> Lattice:
    """Return hexagons in rows, with their centres at multiples `x` of half a width."""
    y = 3 * row + 2
    corners, *polygons = _core.place_tiles(x, y, None, [_CORNERS], _UNIT)
    centres = np.stack([x, y], axis=1) * _UNIT
    return lattice_of_polygons("hexagonal", recipe, corners, polygons, positions=centres, straight=True)
