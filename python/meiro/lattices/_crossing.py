"""Lattices whose edges cross: squares with diagonals, and bridges."""

from __future__ import annotations

import numpy as np

from meiro._utils.validation import number
from meiro.lattices._tiling import random_words, require_size, size
from meiro.lattices.lattice import Lattice, make_lattice
from meiro.seeds import RNG, Seed, plain_seed, seed_of


def zeta(rows: int, cols: int) -> Lattice:
    """Make a square lattice with diagonals: eight neighbours a cell, and diagonals that cross.

    Parameters
    ----------
    rows, cols : int
        The number of cells, at least 1.

    Returns
    -------
    Lattice
        Cell ``row * cols + col``. First the edges of `square`, then the diagonals down to the right, then
        those down to the left. It has positions and no outline: it is drawn as corridors.

    References
    ----------
    W. D. Pullen, Think Labyrinth, "zeta mazes". astrolog.org/labyrnth/algrithm.htm

    Examples
    --------
    >>> meiro.lattices.zeta(3, 4)
    <Lattice zeta: 12 cells, 29 edges>
    """
    rows, cols = size(rows, "rows"), size(cols, "cols")
    require_size("zeta", rows * cols, 4 * rows * cols)
    cells = np.arange(rows * cols, dtype=np.int32).reshape(rows, cols)
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    parts, straight, first = [], [], 0
    for down, right in steps:
        row = slice(0, rows - down)
        col = slice(max(-right, 0), cols - max(right, 0))
        begin = cells[row, col]
        parts.append(np.stack([begin, begin + down * cols + right], axis=-1).reshape(-1, 2))
        ids = np.full((rows + 2, cols + 2), -1)  # by the first cell, with a border
        ids[1 : rows + 1, 1 : cols + 1][row, col] = first + np.arange(begin.size).reshape(begin.shape)
        first += begin.size
        r, c = begin.reshape(-1) // cols + 1, begin.reshape(-1) % cols + 1
        ahead, behind = ids[r + down, c + right], ids[r - down, c - right]
        straight.append(
            np.stack([np.where(ahead < 0, -1, 2 * ahead), np.where(behind < 0, -1, 2 * behind + 1)], axis=1)
        )
    return make_lattice(
        rows * cols,
        np.concatenate(parts),
        name="zeta",
        recipe={"rows": rows, "cols": cols},
        positions=np.stack([cells % cols + 0.5, cells // cols + 0.5], axis=-1).reshape(-1, 2),
        straight=np.concatenate(straight).astype(np.int32),
    )


def weave(rows: int, cols: int, *, crossings: float = 0.2, rng: RNG = None) -> Lattice:
    """Make a square lattice with bridges, under which other passages lead.

    At a crossing there are two cells, one above the other: the bridge leads from west to east and the way
    below from north to south, or the other way round.

    Parameters
    ----------
    rows, cols : int
        The number of places, at least 1.
    crossings : float
        The share of the cells that become crossings, as far as there is room: never two of them side by side,
        none in the border. 0 to 1.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The same seed gives the same crossings on every machine.

    Returns
    -------
    Lattice
        Cell ``row * cols + col`` is the only one there, or the one below; then come the bridges, row by row.
        `Lattice.layers` is 1 for bridges and 0 for all other cells. It has positions and no outline: it is
        drawn as corridors.

    Examples
    --------
    >>> lattice = meiro.lattices.weave(10, 20, rng=7)
    >>> lattice, int(lattice.layers.sum())
    (<Lattice weave: 240 cells, 370 edges>, 40)
    """
    rows, cols = size(rows, "rows"), size(cols, "cols")
    share = number(crossings, "crossings", 0, 1)
    require_size("weave", 2 * rows * cols, 3 * rows * cols)
    seed = seed_of(rng)
    crossed, across = _crossings(rows, cols, round(share * rows * cols), seed)
    n = rows * cols
    bridges = np.flatnonzero(crossed.reshape(-1))
    bridge = np.full(n, -1)
    bridge[bridges] = n + np.arange(len(bridges))
    cells = np.arange(n)
    # The cell that leads from west to east there, and the one that leads from north to south.
    bridge_across = across.reshape(-1)
    crosses = crossed.reshape(-1)
    level = np.where(crosses & bridge_across, bridge, cells).reshape(rows, cols)
    upright = np.where(crosses & ~bridge_across, bridge, cells).reshape(rows, cols)
    edges = np.concatenate(
        [
            np.stack([level[:, :-1], level[:, 1:]], axis=-1).reshape(-1, 2),
            np.stack([upright[:-1], upright[1:]], axis=-1).reshape(-1, 2),
        ]
    )
    squares = np.concatenate([cells, bridges])
    return make_lattice(
        n + len(bridges),
        edges,
        name="weave",
        recipe={"rows": rows, "cols": cols, "crossings": share, "rng": plain_seed(seed)},
        positions=np.stack([squares % cols + 0.5, squares // cols + 0.5], axis=1),
        layers=(np.arange(n + len(bridges)) >= n).astype(np.int32),
    )


def _crossings(
    rows: int, cols: int, most: int, seed: Seed
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.bool_]], np.ndarray[tuple[int, int], np.dtype[np.bool_]]]:
    """Return where crossings are, and whether their bridges lead from west to east.

    The inner cells are tried in a random order, that of their words of the stream; a cell becomes a crossing
    if no neighbour is one.
    """
    crossed, waiting = np.zeros((rows, cols), np.bool_), np.zeros((rows, cols), np.bool_)
    waiting[1:-1, 1:-1] = rows > 2 and cols > 2
    words = random_words(seed, rows * cols).reshape(rows, cols)
    north, south, west, east = np.s_[:-1], np.s_[1:], np.s_[:, :-1], np.s_[:, 1:]
    pairs = [(one, other, words[one] <= words[other]) for one, other in ((north, south), (west, east))]
    while waiting.any():  # all at once that come before their waiting neighbours: about ten times
        first = waiting.copy()
        for one, other, before in pairs:
            first[one] &= before | ~waiting[other]
            first[other] &= ~before | ~waiting[one]
        crossed |= first
        waiting &= ~first
        for one, other, _ in pairs:
            waiting[one] &= ~first[other]
            waiting[other] &= ~first[one]
    found = np.flatnonzero(crossed)
    late = found[np.argsort(words.reshape(-1)[found], kind="stable")[most:]]
    crossed.reshape(-1)[late] = False
    return crossed, crossed & (words & np.uint64(1) == 1)
