"""Passages as pairs of cell numbers, on squares and on a lattice, and as ids of the walls that stand."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.arrays import mask_of, refuse_graph
from meiro._utils.memory import require
from meiro._utils.square import (
    ShapeLike,
    Wrap,
    checked_shape,
    checked_wall_ids,
    checked_wrap,
    n_walls,
    passages_of,
    refuse_other_ids,
)
from meiro._utils.validation import integers, plain_array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.lattices.lattice import Lattice


def passages_from_edges(shape: ShapeLike, edges: ArrayLike, wrap: Wrap) -> NDArray[np.uint8]:
    """Return the passages of a maze with these edges: see `Maze.from_edges`."""
    sides = rows, cols = checked_shape(shape)
    require(20 * rows * cols, f"a maze of {sides}", "take a smaller shape")
    wrap = checked_wrap(wrap, sides)
    open_ = np.zeros(n_walls(sides, wrap), np.bool_)
    walls = checked_wall_ids(sides, _numbered(edges, sides, 4 * len(open_)), wrap, "edges")
    open_[walls] = True
    return passages_of(sides, open_, wrap)


def _numbered(edges: ArrayLike, shape: tuple[int, int], most: int) -> NDArray[Any]:
    """Return pairs of cell numbers, of those or of pairs of cells; an iterator may have so many at `most`."""
    refuse_graph(edges, "edges")
    known = isinstance(edges, list | tuple | range | str | bytes) or hasattr(edges, "__array__")
    listed: Any = edges
    if isinstance(edges, Iterable) and not known:  # graph.edges, say
        listed = list(islice(edges, most + 1))
        if len(listed) > most:
            raise ValueError(f"edges holds more than {most:,} pairs, four for each wall of a maze of {shape}")
    pairs = plain_array(listed, "edges")
    if pairs.ndim != 3 or pairs.shape[1:] != (2, 2):
        return pairs
    cells = integers(pairs, "edges")
    outside = ((cells < 0) | (cells >= shape)).any(axis=2)
    if outside.any():
        edge, end = map(int, np.argwhere(outside)[0])
        cell = tuple(cells[edge, end].tolist())
        raise ValueError(f"edges[{edge}]: there is no cell {cell} in a maze of {shape}")
    numbers: NDArray[np.int64] = cells @ np.array([shape[1], 1])
    return numbers


def passages_from_wall_ids(
    shape: ShapeLike, ids: ArrayLike, mask: ArrayLike | None, wrap: Wrap
) -> NDArray[np.uint8]:
    """Return the passages of a maze with these inner walls: see `Maze.from_wall_ids`."""
    rows, cols = checked_shape(shape)
    require(36 * rows * cols, f"a maze of ({rows}, {cols})", "take a smaller shape")
    wrap = checked_wrap(wrap, (rows, cols))
    open_ = np.ones(n_walls((rows, cols), wrap), np.bool_)
    walls = integers(ids, "ids").reshape(-1)
    refuse_other_ids(walls, (rows, cols), wrap)
    open_[walls] = False
    return passages_of((rows, cols), open_, wrap, None if mask is None else mask_of(mask, (rows, cols)))


def edge_numbers(
    lattice: Lattice, pairs: NDArray[np.integer[Any]], ids: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Return the number of the edge between each two cells.

    Parameters
    ----------
    lattice : Lattice
    pairs : ndarray of int, shape (k, 2)
        Numbers of cells, in any order.
    ids : ndarray of int64, shape (k,), optional
        Which edge is meant where several are parallel; another number says nothing. Else a pair that comes
        several times means the first edge, the second and so on, and the last one from then on.

    Returns
    -------
    ndarray of int64, shape (k,)

    Raises
    ------
    ValueError
        If two cells are not adjacent.
    """
    keys, wanted = pair_keys(lattice.edges, lattice.n_cells), pair_keys(pairs, lattice.n_cells)
    order = np.argsort(keys, kind="stable")
    first, end = (np.searchsorted(keys[order], wanted, side) for side in ("left", "right"))
    bad = np.flatnonzero(first == end)
    if bad.size:
        one, other = pairs[bad[0]].tolist()
        raise ValueError(f"edges[{bad[0]}]: cells {one} and {other} are not adjacent in {lattice!r}")
    by_pair = np.argsort(wanted, kind="stable")
    times = np.empty_like(first)  # how often the pair came before
    times[by_pair] = np.arange(len(pairs)) - np.searchsorted(wanted[by_pair], wanted[by_pair])
    found: NDArray[np.int64] = order[np.minimum(first + times, end - 1)]
    if ids is not None:
        meant = (ids >= 0) & (ids < len(keys))
        meant[meant] = keys[ids[meant]] == wanted[meant]
        found[meant] = ids[meant]
    return found


def pair_keys(pairs: NDArray[np.integer[Any]], n: int) -> NDArray[np.int64]:
    """Return a number for each two cells, whatever their order; -1 if there is no such cell."""
    one, other = pairs.T.astype(np.int64)
    low, high = np.minimum(one, other), np.maximum(one, other)
    return np.where((low >= 0) & (high < n), low * n + high, -1)
