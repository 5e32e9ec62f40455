"""Passages in chunks, reduced to counts: of what is inside, and of what the rims join."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.square import FLAT, E, N, S, W
from meiro.dask.merging import merge_all
from meiro.dask.tasks import keys_of_chunks, with_tasks
from meiro.generators.pieces import joined_size

with requires_extra("dist", "dask"):
    import dask.array
    from dask.base import tokenize

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIDES = (N, E, S, W)

CellSums = tuple[int, ...]
"""The sums of `_core.cell_sums`, which add up."""


class _Part(NamedTuple):
    """A rectangle of passages: what its neighbours must know, and counts of what is inside.

    For each side (north, east, south, west): the component of each cell, and whether a passage leads out.
    """

    at: tuple[int, int]
    size: tuple[int, int]
    rims: tuple[tuple[NDArray[np.int64], NDArray[np.bool_]], ...]
    inside: int
    sums: CellSums


def check_array(passages: Any) -> None:
    """Raise an error if something is not an array of Dask of passages, by its type and shape."""
    if not isinstance(passages, dask.array.Array):
        msg = (
            f"passages must be an array of Dask, not {short_repr(passages)}; dask.array.from_array makes one"
        )
        raise TypeError(msg)
    if passages.dtype != np.uint8:
        msg = f"passages must be uint8, not {passages.dtype}"
        raise TypeError(msg)
    if passages.ndim != 2 or 0 in passages.shape or any(np.isnan(n) for n in passages.shape):
        msg = f"passages must have shape (rows, cols), at least (1, 1), not {passages.shape}"
        raise ValueError(msg)


def counted(passages: dask.array.Array) -> tuple[int, CellSums]:
    """Return the number of regions, and sums over the cells; an error if it is not a maze."""
    check_array(passages)
    corners = [np.cumsum((0, *sizes[:-1])).tolist() for sizes in passages.chunks]
    name = f"meiro-counts-{tokenize(passages.name)}"
    tasks: dict[Any, tuple[Any, ...]] = {
        (name, i, j): (_reduced, (passages.name, i, j), (row, col))
        for i, row in enumerate(corners[0])
        for j, col in enumerate(corners[1])
    }

    def merged(a: Any, b: Any) -> Any:
        tasks[name, "merge", len(tasks)] = (_merged, a, b)
        return next(reversed(tasks))

    last = merge_all(keys_of_chunks(passages, name), merged)
    whole = with_tasks(passages, last, tasks).compute()
    for _, leads_out in whole.rims:
        if leads_out.any():
            raise ValueError("passages: one leads out of the maze")  # noqa: EM101, TRY003
    rim = np.concatenate([labels for labels, _ in whole.rims])
    return whole.inside + len(np.unique(rim)), whole.sums


def _reduced(block: NDArray[np.uint8], at: tuple[int, int]) -> _Part:
    require(8 * block.size, f"counting in a chunk of {block.shape}", "rechunk to smaller ones")
    block = checked_block(block, at)
    inner = block.copy()
    inner[0] &= ~np.uint8(N)
    inner[-1] &= ~np.uint8(S)
    inner[:, 0] &= ~np.uint8(W)
    inner[:, -1] &= ~np.uint8(E)
    (labels,), (n,) = _core.components((inner[np.newaxis], None, FLAT), 1)
    lines: tuple[Any, ...] = (np.s_[0], np.s_[:, -1], np.s_[-1], np.s_[:, 0])
    rims = [
        (labels[line].astype(np.int64), (block[line] & side) != 0)
        for line, side in zip(lines, _SIDES, strict=True)
    ]
    return _numbered(at, block.shape, rims, int(n), tuple(_core.cell_sums(block)))


def checked_block(block: NDArray[np.uint8], at: tuple[int, int]) -> NDArray[np.uint8]:
    """Return a chunk, whose first cell is `at`, with rows in a row; an error if it is not of a maze."""
    block = np.ascontiguousarray(block)
    east, south = (block & E) != 0, (block & S) != 0
    if (
        block.max() > 15
        or (east[:, :-1] != ((block[:, 1:] & W) != 0)).any()
        or (south[:-1] != ((block[1:] & N) != 0)).any()
    ):
        msg = f"passages: the chunk of {block.shape} at {at} is not of a maze: one is open on one side only"
        raise ValueError(msg)
    return block


def _merged(a: _Part, b: _Part) -> _Part:
    below = a.at[1] == b.at[1]
    near, far = (2, 0) if below else (1, 3)
    (one, out), (other, back) = a.rims[near], b.rims[far]
    if (out != back).any():
        row, col = b.at
        msg = f"passages: one across the border of the chunks at ({row}, {col}) is open on one side only"
        raise ValueError(msg)
    counts = [1 + max(int(labels.max()) for labels, _ in part.rims) for part in (a, b)]
    joined = _joined(sum(counts), one[out], other[out] + counts[0])
    ours = [(joined[labels], leads) for labels, leads in a.rims]
    theirs = [(joined[labels + counts[0]], leads) for labels, leads in b.rims]
    rims: list[Any] = []
    for side in range(4):
        if side == near:
            rims.append(theirs[side])
        elif side == far:
            rims.append(ours[side])
        else:
            rims.append(tuple(np.concatenate(two) for two in zip(ours[side], theirs[side], strict=True)))
    size = joined_size(a.at, a.size, b.at, b.size)
    regions = a.inside + b.inside + len(np.unique(joined))
    sums = tuple(x + y for x, y in zip(a.sums, b.sums, strict=True))
    return _numbered(a.at, size, rims, regions, sums)


def _numbered(at: Any, size: Any, rims: Any, regions: int, sums: CellSums) -> _Part:
    """Return a part whose components on the rim have the numbers 0, 1, ...; `regions` are all of it."""
    names, numbers = np.unique(np.concatenate([labels for labels, _ in rims]), return_inverse=True)
    ends = np.cumsum([len(labels) for labels, _ in rims])[:-1]
    sides = zip(np.split(numbers.astype(np.int64), ends), (leads for _, leads in rims), strict=True)
    return _Part(at, size, tuple(sides), regions - len(names), sums)


def _joined(n: int, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the least number in the set of each of 0 .. n - 1, when a[k] and b[k] are in one set."""
    least = np.arange(n)
    while True:
        one, other = least[a], least[b]
        if (one == other).all():
            return least
        np.minimum.at(least, np.maximum(one, other), np.minimum(one, other))
        while (least != least[least]).any():
            least = least[least]
