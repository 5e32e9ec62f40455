"""Chunks contracted to graphs of corridors, joined, and solved: what `solve` and `distances` compute."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro.solvers import joined as parts
from meiro.solvers.joined import Contracted, Joined, Place, Walk, Way

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import Shape

Known = dict[Place, "tuple[NDArray[np.int64], NDArray[np.int64]]"]
"""For each chunk: nodes, and their distances."""


def contracted(block: NDArray[np.uint8], at: tuple[int, int], terminals: NDArray[np.int64]) -> Contracted:
    """Return a chunk, whose first cell is `at`, as a graph; `terminals` are cells of it that are nodes."""
    require(3 * block.size, f"contracting a chunk of {block.shape}", "rechunk to smaller ones")
    return parts.contracted(np.ascontiguousarray(block), at, terminals)


def found_way(
    grid: Sequence[Sequence[Contracted]], corners: Sequence[Sequence[int]], *ends: tuple[Place, int]
) -> Way | None:
    """Return a shortest path between two cells of chunks."""
    joined = Joined(chain(*grid), corners)
    start, goal = (joined.node(*end) for end in ends)
    return joined.way(start, [goal])


def known_distances(
    grid: Sequence[Sequence[Contracted]], corners: Sequence[Sequence[int]], source: tuple[Place, int]
) -> Known:
    """Return nodes of each chunk that a cell reaches, and their distances from it."""
    joined = Joined(chain(*grid), corners)
    return dict(zip(joined.places, joined.distances([joined.node(*source)]), strict=True))


def walked(block: NDArray[np.uint8], terminals: NDArray[np.int64], walk: Walk) -> NDArray[np.uint8]:
    """Return the moves along the corridors of a path, one behind the other."""
    lengths = walk.corridors[:, 2]
    moves = np.empty(int(lengths.sum()), np.uint8)
    _core.walk_corridors(
        np.ascontiguousarray(block), terminals, walk.corridors, np.cumsum(lengths) - lengths, moves
    )
    return moves


def known_in(known: Known, i: int, j: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what is known of a chunk."""
    return known[i, j]


def spread(
    block: NDArray[np.uint8], known: tuple[NDArray[np.int64], NDArray[np.int64]], kind: np.dtype[Any]
) -> NDArray[Any]:
    """Return the distances of all cells of a chunk."""
    out = np.empty(block.shape, kind)
    _core.spread_distances(np.ascontiguousarray(block), *known, out)
    return out


def split_moves(walk: Walk) -> NDArray[np.int64]:
    """Return the places in the path of the moves that `walked` returns."""
    lengths = walk.corridors[:, 2]
    within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(walk.offsets, lengths) + within


def corners_of(chunks: tuple[tuple[int, ...], tuple[int, ...]]) -> list[list[int]]:
    """Return the first rows and the first columns of the chunks, and those after the last."""
    return [np.cumsum((0, *sizes)).tolist() for sizes in chunks]


def located(cell: tuple[int, int], corners: list[list[int]]) -> tuple[Place, Shape]:
    """Return the place of the chunk of a cell, and the cell in it."""
    i, j = (int(np.searchsorted(corners[axis], cell[axis], side="right")) - 1 for axis in (0, 1))
    return (i, j), (cell[0] - corners[0][i], cell[1] - corners[1][j])
