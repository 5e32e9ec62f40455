"""The square lattice as a Lattice, for what works on any; `meiro.generate((rows, cols))` is faster."""

from __future__ import annotations

import numpy as np

from meiro._utils.validation import integer
from meiro.lattices._tiling import require_size, tiling
from meiro.lattices.lattice import Lattice, make_lattice


def square(rows: int, cols: int) -> Lattice:
    """Make a square lattice.

    Cell ``row * cols + col`` is at (col + 0.5, row + 0.5), and the number of an edge is the id of its wall in
    a `meiro.Maze`. Kruskal, Prim and Boruvka make the same maze of a seed as on the shape ``(rows, cols)``.

    Parameters
    ----------
    rows, cols : int

    Returns
    -------
    Lattice

    Examples
    --------
    >>> meiro.lattices.square(2, 3)
    <Lattice square: 6 cells, 7 edges>
    """
    rows, cols = integer(rows, "rows", 1), integer(cols, "cols", 1)
    require_size("square", rows * cols, rows * (cols - 1) + (rows - 1) * cols)
    cells = np.arange(rows * cols).reshape(rows, cols)
    east = np.stack([cells[:, :-1], cells[:, 1:]], axis=-1).reshape(-1, 2)
    south = np.stack([cells[:-1], cells[1:]], axis=-1).reshape(-1, 2)
    edges = np.concatenate([east, south])
    corners = np.stack(np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0)), axis=-1).reshape(-1, 2)
    at = np.arange((rows + 1) * (cols + 1)).reshape(rows + 1, cols + 1)
    polygons = np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]], axis=-1).reshape(-1, 4)
    # Lane = row, words 2 * col (east) and 2 * col + 1 (south): as the square core has them.
    row, col = np.divmod(edges[:, 0], cols)
    addresses = np.stack([row, 2 * col + (np.arange(len(edges)) >= len(east))], axis=1).astype(np.uint64)
    return make_lattice(
        rows * cols,
        edges,
        name="square",
        recipe={"rows": rows, "cols": cols},
        positions=corners[polygons].mean(axis=1),
        outline=tiling(corners, polygons, edges),
        weight_addresses=addresses,
        straight=_straight(rows, cols, len(east)),
    )


def _straight(rows: int, cols: int, vertical: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """Return the edge that goes straight on: the next one in the row, or in the column."""
    east = np.arange(vertical).reshape(rows, cols - 1)
    south = vertical + np.arange((rows - 1) * cols).reshape(rows - 1, cols)
    on = np.full((vertical + (rows - 1) * cols, 2), -1, np.int32)
    on[east[:, :-1], 0] = 2 * east[:, 1:]
    on[east[:, 1:], 1] = 2 * east[:, :-1] + 1
    on[south[:-1], 0] = 2 * south[1:]
    on[south[1:], 1] = 2 * south[:-1] + 1
    return on
