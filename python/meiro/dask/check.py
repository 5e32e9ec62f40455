"""`meiro.dask.check`: regions and loops of passages that no single memory holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.set_module import set_module
from meiro._utils.square import E, N, S, W
from meiro.dask.merging import merge_all
from meiro.generators.pieces import joined_size

with requires_extra("dist", "dask"):
    import dask.array
    from dask.base import compute
    from dask.delayed import delayed

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIDES = (N, E, S, W)


@set_module("meiro.dask")
class Counts(NamedTuple):
    """What `meiro.dask.check` counts.

    Attributes
    ----------
    perfect : bool
        Whether there is exactly one path between any two cells.
    regions : int
        Number of connected components.
    loops : int
        Number of independent cycles: passages - cells + regions.
    cells, passages : int
        The number of cells, and of passages between them.

    Examples
    --------
    >>> meiro.dask.check(meiro.dask.generate((40, 60), "kruskal", rng=7, chunks=16))
    Counts(perfect=True, regions=1, loops=0, cells=2400, passages=2399)
    """

    perfect: bool
    regions: int
    loops: int
    cells: int
    passages: int


class _Part(NamedTuple):
    """A rectangle of passages: what its neighbours must know, and counts of what is inside.

    For each side (north, east, south, west): the component of each cell, and whether a passage leads out.
    """

    at: tuple[int, int]
    size: tuple[int, int]
    rims: tuple[tuple[NDArray[np.int64], NDArray[np.bool_]], ...]
    inside: int
    passages: int


def check(passages: dask.array.Array) -> Counts:
    """Count the regions and loops of a maze that is an array of Dask.

    Each chunk is reduced to the components of the cells on its rim; two neighbours are merged, then two of
    these. No worker holds more than the chunks it works on and their borders.

    Parameters
    ----------
    passages : dask.array.Array of uint8, shape (rows, cols)
        The passages of each cell, N=1, E=2, S=4, W=8, of `meiro.dask.generate`, of zarr or any other source.

    Returns
    -------
    Counts
        `perfect`, `regions`, `loops`, `cells` and `passages`. They are computed at once, by the scheduler
        that is set.

    Raises
    ------
    TypeError
        If `passages` is not an array of Dask, or of another dtype.
    ValueError
        If it is not 2-D, has chunks of unknown size, or is not a maze: a passage is open on one side only, or
        leads out.

    See Also
    --------
    meiro.check : The same in memory, with islands, blocks and labels.
    meiro.dask.generate : Generates such an array.

    References
    ----------
    Union-find: R. E. Tarjan, J. ACM 22 (1975) 215. doi:10.1145/321879.321884

    Examples
    --------
    >>> import meiro.dask
    >>> meiro.dask.check(meiro.dask.generate((300, 500), "kruskal", rng=7, chunks=100))
    Counts(perfect=True, regions=1, loops=0, cells=150000, passages=149999)
    """
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
    reduce, merge = delayed(_reduced), delayed(_merged)
    blocks = passages.to_delayed()  # type: ignore[no-untyped-call]
    corners = [np.cumsum((0, *sizes[:-1])).tolist() for sizes in passages.chunks]
    parts = [
        [reduce(block, (row, col)) for block, col in zip(line, corners[1], strict=True)]
        for line, row in zip(blocks, corners[0], strict=True)
    ]
    (whole,) = compute(merge_all(parts, merge))  # type: ignore[no-untyped-call]
    for _, leads_out in whole.rims:
        if leads_out.any():
            raise ValueError("passages: one leads out of the maze")  # noqa: EM101, TRY003
    rim = np.concatenate([labels for labels, _ in whole.rims])
    regions, cells = whole.inside + len(np.unique(rim)), passages.shape[0] * passages.shape[1]
    loops = whole.passages - cells + regions
    return Counts(regions == 1 and loops == 0, regions, loops, cells, whole.passages)


def _reduced(block: NDArray[np.uint8], at: tuple[int, int]) -> _Part:
    require(8 * block.size, f"checking a chunk of {block.shape}", "rechunk to smaller ones")
    block = np.ascontiguousarray(block)
    east, south = (block & E) != 0, (block & S) != 0
    if (
        block.max() > 15
        or (east[:, :-1] != ((block[:, 1:] & W) != 0)).any()
        or (south[:-1] != ((block[1:] & N) != 0)).any()
    ):
        msg = f"passages: the chunk of {block.shape} at {at} is not of a maze: one is open on one side only"
        raise ValueError(msg)
    n_passages = int(east[:, :-1].sum() + south[:-1].sum())
    inner = block.copy()
    inner[0] &= ~np.uint8(N)
    inner[-1] &= ~np.uint8(S)
    inner[:, 0] &= ~np.uint8(W)
    inner[:, -1] &= ~np.uint8(E)
    labels, n = _core.components(inner, False, (False, False), None)  # noqa: FBT003  # cells, not sites
    lines: tuple[Any, ...] = (np.s_[0], np.s_[:, -1], np.s_[-1], np.s_[:, 0])
    rims = [
        (labels[line].astype(np.int64), (block[line] & side) != 0)
        for line, side in zip(lines, _SIDES, strict=True)
    ]
    return _numbered(at, block.shape, rims, n, n_passages)


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
    return _numbered(a.at, size, rims, regions, a.passages + b.passages + int(out.sum()))


def _numbered(at: Any, size: Any, rims: Any, regions: int, n_passages: int) -> _Part:
    """Return a part whose components on the rim have the numbers 0, 1, ...; `regions` are all of it."""
    names, numbers = np.unique(np.concatenate([labels for labels, _ in rims]), return_inverse=True)
    ends = np.cumsum([len(labels) for labels, _ in rims])[:-1]
    sides = zip(np.split(numbers.astype(np.int64), ends), (leads for _, leads in rims), strict=True)
    return _Part(at, size, tuple(sides), regions - len(names), n_passages)


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
