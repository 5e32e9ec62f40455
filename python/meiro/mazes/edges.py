"""The edges of a lattice that pairs of cells name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice


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
        msg = f"edges[{bad[0]}]: cells {one} and {other} are not adjacent in {lattice!r}"
        raise ValueError(msg)
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
