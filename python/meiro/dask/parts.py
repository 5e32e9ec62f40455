"""Passages in chunks, reduced to counts: of what is inside, and of what the rims join."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.square import E, N, S, W
from meiro.dask.tasks import keys_of_chunks, merge_all, with_tasks
from meiro.stats.in_parts import Part, merged, reduced

with requires_extra("dist", "dask"):
    import dask.array
    from dask.base import tokenize

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


def counted(passages: dask.array.Array) -> Part:
    """Return the whole as one part, with its regions and sums over cells; an error if it is not a maze."""
    check_array(passages)
    corners = [np.cumsum((0, *sizes[:-1])).tolist() for sizes in passages.chunks]
    name = f"meiro-counts-{tokenize(passages.name)}"
    tasks: dict[Any, tuple[Any, ...]] = {
        (name, i, j): (_reduced, (passages.name, i, j), (row, col))
        for i, row in enumerate(corners[0])
        for j, col in enumerate(corners[1])
    }

    def merge(a: Any, b: Any) -> Any:
        tasks[name, "merge", len(tasks)] = (merged, a, b)
        return next(reversed(tasks))

    last = merge_all(keys_of_chunks(passages, name), merge)
    whole: Part = with_tasks(passages, last, tasks).compute()
    for _, leads_out in whole.rims:
        if leads_out.any():
            raise ValueError("passages: one leads out of the maze")  # noqa: EM101, TRY003
    return whole


def _reduced(block: NDArray[np.uint8], at: tuple[int, int]) -> Part:
    return reduced(checked_block(block, at), at)


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
