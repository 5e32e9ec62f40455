"""Coordinates of the cells of a lattice: (row, col), (ring, sector), or a number for each axis of a box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.arrays import read_only
from meiro._utils.cell_words import Coordinates
from meiro.lattices._archimedean import triangles_of_kagome
from meiro.lattices._polar import cells_of_rings

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
    elif (places := _strips(recipe)) is not None:
        strip, along = places
        order = np.lexsort((along, strip))
        _, row, counts = np.unique(strip, return_inverse=True, return_counts=True)  # none is empty
        col = np.empty(len(order), np.int64)
        col[order] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        found = np.stack([row, col], axis=1)
    elif (lengths := _lengths(recipe)) is not None:
        row = np.repeat(np.arange(len(lengths)), lengths)
        found = np.stack([row, np.arange(len(row)) - (np.cumsum(lengths) - lengths)[row]], axis=1)
    else:
        return None
    if "mask" in recipe:
        found = found[recipe["mask"]]
    return read_only(found.astype(np.int64).view(Coordinates))


def _strips(recipe: dict[str, Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Return the height of each cell and how far it is to the right, if rows of two kinds take turns."""
    name = recipe["lattice"]
    if name not in {"upsilon", "kagome", "cairo"}:
        return None
    rows, cols = recipe["rows"], recipe["cols"]
    if name == "kagome":
        y, x = np.divmod(np.arange(rows * cols), cols)
        x, y = 4 * x + 2 * (y % 2), 2 * y
        above, below = triangles_of_kagome(rows, cols)
        return np.concatenate([y, y[above] - 1, y[below] + 1]), np.concatenate([x, x[above], x[below]])
    less = int(name == "cairo")  # of the first kind there are as many columns less, of the other 1 - less
    first = np.indices((rows, cols - less)).reshape(2, -1)
    other = np.indices((rows - 1, cols - 1 + less)).reshape(2, -1)
    y = np.concatenate([2 * first[0], 2 * other[0] + 1])
    return y, np.concatenate([first[1], other[1]])


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
