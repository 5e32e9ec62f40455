"""Shared by the lattices: checks of sizes, random words, and cells that are adjacent if they share a side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.validation import integer
from meiro.lattices.lattice import MOST_CELLS, MOST_EDGES, Lattice, Outline, make_lattice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
        raise TypeError(f"{name} takes rows and cols, or side=")


def require_size(name: str, cells: int, edges: int) -> None:
    """Refuse a lattice that the core cannot number, or that does not fit in memory."""
    if cells > MOST_CELLS or edges > MOST_EDGES:
        raise ValueError(
            f"a {name} lattice of {cells:,} cells and {edges:,} edges is too large: at most {MOST_CELLS:,} "
            f"cells and {MOST_EDGES:,} edges"
        )
    needed = cells * _BYTES_A_CELL + edges * _BYTES_AN_EDGE
    require(needed, f"a {name} lattice of {cells:,} cells", "make a smaller one")


def rows_and_cols(rows: int, cols: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the row and the column of each cell, row by row."""
    return np.repeat(np.arange(rows), cols), np.tile(np.arange(cols), rows)


def random_words(seed: Seed, n: int) -> NDArray[np.uint64]:
    """Return the first n words of the stream for lattices."""
    return _core.random_words((*seed.key, seed.replicate, 0), _PURPOSE, 0, n)


def lattice_of_polygons(
    name: str,
    recipe: Mapping[str, Any] | None,
    corners: NDArray[np.float64],
    polygons: NDArray[Any] | Sequence[NDArray[np.int64]],
    *,
    joined: NDArray[np.int64] | None = None,
    positions: NDArray[np.float64] | None = None,
    straight: bool = False,
) -> Lattice:
    """Return the lattice of polygons, whose cells are adjacent where they share a side.

    A ValueError if three cells share one. Edges are in the order of their lower cells and of the sides of
    these, the lower cell first.

    Parameters
    ----------
    name, recipe
        As in `make_lattice`.
    corners : ndarray of float64, shape (k, 2)
    polygons : ndarray of int, shape (n_cells, sides), or (indptr, indices)
        The corners of each cell, in order around it.
    joined : ndarray of int64, of the size of `polygons`, optional
        Numbers instead of the corners by which sides are shared, on a surface that was cut open to lie flat:
        there walls are drawn on both sides of the cut.
    positions : ndarray of float64, shape (n_cells, 2), optional
        Default: the mean of the corners of each cell.
    straight : bool
        Whether going straight on has a meaning: to the opposite side of a cell with an even number of sides.
    """
    if isinstance(polygons, np.ndarray):
        n, k = polygons.shape
        polygons = np.arange(0, n * k + 1, k), polygons.reshape(-1)
    indptr, indices = polygons
    joints = 0 if joined is None else int(joined.max()) + 1
    edges, walls, rim, rim_cells, middles, on, more_walls, more_edges = _core.match_polygons(
        indptr, indices, corners, joined, joints, positions is None, straight
    )
    more = None if more_walls is None else corners[more_walls]
    return make_lattice(
        len(indptr) - 1,
        edges,
        name=name,
        recipe=recipe,
        positions=middles if positions is None else positions,
        outline=Outline(corners, indptr, indices, walls, rim, rim_cells, None, None, more, more_edges),
        straight=on,
    )
