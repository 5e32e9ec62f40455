"""Coordinates of the cells of a lattice: (row, col), (ring, sector), or a number for each axis of a box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.arrays import read_only
from meiro.lattices.polar import cells_of_rings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

_IN_ROWS = {"square", "hexagonal", "triangular", "moebius", "zeta"}


def find_coordinates(lattice: Lattice) -> NDArray[np.int64] | None:
    """Return the coordinates of each cell, (n_cells, k); None for a lattice that has none."""
    recipe = lattice.recipe
    if recipe["lattice"] == "box":
        shape = tuple(recipe["shape"])
        found = np.indices(shape).reshape(len(shape), -1).T
    elif (lengths := _lengths(recipe)) is not None:
        row = np.repeat(np.arange(len(lengths)), lengths)
        found = np.stack([row, np.arange(len(row)) - (np.cumsum(lengths) - lengths)[row]], axis=1)
    else:
        return None
    if "mask" in recipe:
        found = found[recipe["mask"]]
    return read_only(found.astype(np.int64))


def _lengths(recipe: dict[str, Any]) -> NDArray[np.int64] | None:
    """Return how many cells there are in each row, or in each ring; None if there are no rows."""
    name, side = recipe["lattice"], recipe.get("side")
    if name == "polar":
        return np.array(cells_of_rings(recipe["rings"], recipe["first"]))
    if name not in _IN_ROWS:
        return None
    if side is None:
        return np.full(recipe["rows"], recipe["cols"])
    if name == "triangular":
        return 2 * np.arange(side) + 1
    if recipe["shape"] == "triangle":
        return np.arange(1, side + 1)
    return np.asarray(2 * side - 1 - np.abs(np.arange(1 - side, side)))
