"""Shared by the lattices: checks of sizes, random words, and cells that are adjacent if they share a side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.validation import integer
from meiro.lattices.lattice import MOST_CELLS, MOST_EDGES, Lattice, Outline, make_lattice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from meiro.seeds import Seed

_PURPOSE = 7  # lattice, in core/random.hpp
_BYTES_A_CELL, _BYTES_AN_EDGE = 300, 200  # while a lattice is made


def size(value: object, name: str) -> int:
    """Return a number of rows, columns or rings."""
    return integer(value, name, 1, 1 << 31)


def require_rows_or_side(name: str, rows: object, cols: object, side: object) -> None:
    """Raise a TypeError unless either rows and cols are given, or side."""
    if (rows is None) != (cols is None) or (rows is None) == (side is None):
        msg = f"{name} takes rows and cols, or side="
        raise TypeError(msg)


def require_size(name: str, cells: int, edges: int) -> None:
    """Refuse a lattice that the core cannot number, or that does not fit in memory."""
    if cells > MOST_CELLS or edges > MOST_EDGES:
        msg = (
            f"a {name} lattice of {cells:,} cells and {edges:,} edges is too large: at most {MOST_CELLS:,} "
            f"cells and {MOST_EDGES:,} edges"
        )
        raise ValueError(msg)
    needed = cells * _BYTES_A_CELL + edges * _BYTES_AN_EDGE
    require(needed, f"a {name} lattice of {cells:,} cells", "make a smaller one")


def random_words(seed: Seed, n: int) -> NDArray[np.uint64]:
    """Return the first n words of the stream for lattices."""
    return _core.random_words((*seed.key, seed.replicate, 0), _PURPOSE, 0, n)


class Sides(NamedTuple):
    """The sides of polygons, matched in pairs.

    Attributes
    ----------
    edges : ndarray of int32, shape (m, 2)
        The two cells of each shared side, the lower first; ordered by it, then by its side.
    walls : ndarray of int64, shape (m, 2)
        The two corners of each shared side.
    rim, rim_cells : ndarray of int64 and int32, shapes (r, 2) and (r,)
        The sides of one cell alone, in the order of the cells.
    steps : ndarray of int32, shape (sides,)
        The step out of the cell through each side: twice the edge for the lower cell, plus 1 for the other;
        -1 in the rim.
    """

    edges: NDArray[np.int32]
    walls: NDArray[np.int64]
    rim: NDArray[np.int64]
    rim_cells: NDArray[np.int32]
    steps: NDArray[np.int32]


def matched_sides(indptr: NDArray[np.int64], indices: NDArray[np.int64], corners: int) -> Sides:
    """Match the sides of polygons; a ValueError if three cells share one."""
    return Sides(*_core.match_polygons(indptr, indices, corners))


def lattice_of_polygons(
    name: str,
    recipe: Mapping[str, Any] | None,
    corners: NDArray[np.float64],
    polygons: NDArray[Any] | tuple[NDArray[np.int64], NDArray[np.int64]],
    *,
    positions: NDArray[np.float64] | None = None,
    straight: bool = False,
) -> Lattice:
    """Return the lattice of polygons, whose cells are adjacent where they share a side.

    Parameters
    ----------
    name, recipe
        As in `make_lattice`.
    corners : ndarray of float64, shape (k, 2)
    polygons : ndarray of int, shape (n_cells, sides), or (indptr, indices)
        The corners of each cell, in order around it.
    positions : ndarray of float64, shape (n_cells, 2), optional
        Default: the mean of the corners of each cell.
    straight : bool
        Whether going straight on has a meaning: to the opposite side of a cell with an even number of sides.
    """
    if isinstance(polygons, tuple):
        indptr, indices = polygons
    else:
        n, k = polygons.shape
        indptr, indices = np.arange(0, n * k + 1, k), polygons.reshape(-1).astype(np.int64)
    sides = matched_sides(indptr, indices, len(corners))
    if positions is None:
        sums = np.add.reduceat(corners[indices], indptr[:-1], axis=0)
        positions = sums / np.diff(indptr)[:, np.newaxis]
    outline = Outline(corners, indptr, indices, corners[sides.walls], corners[sides.rim], sides.rim_cells)
    return make_lattice(
        len(indptr) - 1,
        sides.edges,
        name=name,
        recipe=recipe,
        positions=positions,
        outline=outline,
        straight=opposite_steps(indptr, sides) if straight else None,
    )


def opposite_steps(indptr: NDArray[np.int64], sides: Sides) -> NDArray[np.int32]:
    """Return the steps that go straight on: through the side opposite to that of the entrance."""
    count = np.diff(indptr)
    if (count == count[0]).all():
        opposite = np.roll(sides.steps.reshape(-1, count[0]), -(count[0] // 2), axis=1).reshape(-1)
        even: NDArray[np.bool_] | bool = bool(count[0] % 2 == 0)
    else:
        begin, each = np.repeat(indptr[:-1], count), np.repeat(count, count)
        opposite = sides.steps[begin + (np.arange(len(begin)) - begin + each // 2) % each]
        even = each % 2 == 0
    # Who leaves a cell through a side enters it there on the way back.
    straight = np.empty(2 * len(sides.edges), np.int32)
    shared = sides.steps >= 0
    straight[sides.steps[shared] ^ 1] = np.where(even, opposite, -1)[shared]
    return straight.reshape(-1, 2)


def numbered(
    x: NDArray[Any], y: NDArray[Any], unit: tuple[float, float]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return numbers for corners of given integer coordinates, from 0 on; equal ones have one number.

    Returns
    -------
    corners : ndarray of float64, shape (k, 2)
        The coordinates times the units, row by row.
    numbers : ndarray of int64, of the shape of `x`
    """
    width = int(x.max()) + 1
    last = width * (int(y.max()) + 1)
    keys: NDArray[np.signedinteger[Any]] = y.astype(np.int32 if last < 1 << 31 else np.int64)
    keys *= width
    keys += x
    used = np.zeros(last, np.bool_)
    used[keys] = True
    places = np.flatnonzero(used)
    corners = np.stack([places % width * unit[0], places // width * unit[1]], axis=1)
    return corners, (np.cumsum(used) - 1)[keys]
