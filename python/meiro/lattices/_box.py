"""Boxes of any dimension: levels of rows and columns with stairs, and beyond."""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.validation import items_of
from meiro.lattices._square import grid_edges, grid_outline, grid_straight
from meiro.lattices._tiling import require_size, size
from meiro.lattices.lattice import Lattice, make_lattice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def box(*sides: int, shape: Sequence[int] | None = None) -> Lattice:
    """Make a lattice of any dimension: ``box(4, 20, 30)`` has 4 levels of 20 rows and 30 columns.

    Parameters
    ----------
    *sides : int
        The number of cells along each axis, levels first.
    shape : sequence of int
        The same as one argument.

    Returns
    -------
    Lattice
        Cells in C order, the last axis fastest; first the edges along the last axis, then those along the one
        before. With three axes positions are (x, y, z) and `Lattice.layers` the levels; with more there are
        no positions.

    Raises
    ------
    ValueError
        If a side is less than 1, or no side is given.

    Examples
    --------
    >>> meiro.lattices.box(4, 20, 30)
    <Lattice box: 2,400 cells, 6,400 edges>
    >>> meiro.lattices.box(2, 2, 2, 2)
    <Lattice box: 16 cells, 32 edges>
    """
    given = (
        sides
        if shape is None
        else tuple(islice(items_of(shape, "shape", "the sides of a box", ordered=True), 33))
    )
    counts = tuple(size(side, "shape") for side in given)
    if not 0 < len(counts) <= 32 or (sides and shape is not None):
        raise ValueError("box needs its sides, 32 at most, as in box(4, 20, 30) or box(shape=(4, 20, 30))")
    n = math.prod(counts)
    require_size("box", n, len(counts) * n)
    places = np.indices(counts).reshape(len(counts), -1).T
    flat = (1, *counts)[-2:]
    return make_lattice(
        n,
        grid_edges(counts),
        name="box",
        recipe={"shape": list(counts)},
        positions=_positions(places),
        outline=grid_outline(*flat) if len(counts) <= 2 else None,
        layers=places[:, 0].astype(np.int32) if len(counts) == 3 else None,
        straight=grid_straight(counts),
    )


def _positions(places: NDArray[np.int64]) -> NDArray[np.float64] | None:
    axes = places.shape[1]
    if axes > 3:
        return None
    middles: NDArray[np.float64] = places[:, ::-1].astype(np.float64) + 0.5
    if axes == 1:
        return np.column_stack([middles, np.full(len(middles), 0.5)])
    if axes == 3:
        middles[:, 2] = places[:, 0]
    return middles
