"""`meiro.dask.check` and `meiro.dask.measure`: what passages count that no single memory holds.

A chunk is reduced to counts: of what is inside, and of what the rims join.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.messages import requires_extra
from meiro._utils.set_module import set_module
from meiro._utils.square import E, N, S, W
from meiro.dask.tasks import check_array, corners_of, keys_of_chunks, merge_all, with_tasks
from meiro.stats.in_parts import Part, measures_of, merged, reduced
from meiro.stats.measure import measures_in_parts

with requires_extra("dist", "dask"):
    from dask.base import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable

    import dask.array
    from numpy.typing import NDArray

    from meiro.results.measures import Measures


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
    meiro.dask.measure : Dead ends, junctions, turns and their like as well.
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
    whole = counted(passages)
    found: Any = measures_of(whole.sums, passages.shape[0] * passages.shape[1], whole.regions)
    counts = [found[name] for name in Counts._fields[1:]]
    return Counts(found["regions"] == 1 and found["loops"] == 0, *counts)


def measure(passages: dask.array.Array, measures: str | Iterable[str] | None = None) -> Measures:
    """Measure a maze that is an array of Dask.

    Each chunk is reduced to sums over its cells and to the components of the cells on its rim; two neighbours
    are merged, then two of these. No worker holds more than the chunks it works on and their borders.

    Parameters
    ----------
    passages : dask.array.Array of uint8, shape (rows, cols)
        The passages of each cell, N=1, E=2, S=4, W=8, of `meiro.dask.generate`, of zarr or any other source.
    measures : str or iterable of str, optional
        Names from ``meiro.MEASURES``: those that count cells and passages (cells, passages,
        horizontal_passages, vertical_passages, isolated, dead_ends, corridors, junctions, crossroads,
        straights, turns), horizontal_share and dead_end_share, and regions, enclosed_regions, loops and
        islands. All of these by default.

    Returns
    -------
    Measures
        A dict of int and float with ``.reasons``, equal to that of `meiro.measure` of the whole maze. It is
        computed at once, by the scheduler that is set.

    Raises
    ------
    TypeError
        If `passages` is not an array of Dask, or of another dtype; or `measures` does not hold names.
    ValueError
        If a measure does not exist, or is one of paths, dead ends' lengths and distances, which need the
        whole maze in memory; or `passages` is not 2-D, has chunks of unknown size, or is not a maze.

    See Also
    --------
    meiro.measure : All measures, in memory.
    meiro.dask.check : Regions and loops alone.

    References
    ----------
    Union-find: R. E. Tarjan, J. ACM 22 (1975) 215. doi:10.1145/321879.321884

    Examples
    --------
    >>> import meiro.dask
    >>> passages = meiro.dask.generate((300, 500), "kruskal", rng=7, chunks=100)
    >>> meiro.dask.measure(passages, ["dead_ends", "turns", "islands"])
    {'dead_ends': 45947, 'turns': 40339, 'islands': 0}
    """

    def find(_: list[str]) -> tuple[tuple[int, ...], int, int]:
        whole = counted(passages)
        return whole.sums, passages.shape[0] * passages.shape[1], whole.regions

    return measures_in_parts(measures, "an array of Dask", find)


def counted(passages: dask.array.Array) -> Part:
    """Return the whole as one part, with its regions and sums over cells; an error if it is not a maze."""
    check_array(passages)
    rows, cols = corners_of(passages.chunks)
    name = f"meiro-counts-{tokenize(passages.name)}"
    tasks: dict[Any, tuple[Any, ...]] = {
        (name, i, j): (_reduced, (passages.name, i, j), (row, col))
        for i, row in enumerate(rows[:-1])
        for j, col in enumerate(cols[:-1])
    }

    def merge(a: Any, b: Any) -> Any:
        tasks[name, "merge", len(tasks)] = (merged, a, b)
        return next(reversed(tasks))

    last = merge_all(keys_of_chunks(passages, name), merge)
    whole: Part = with_tasks(passages, last, tasks).compute()
    for _, leads_out in whole.rims:
        if leads_out.any():
            raise ValueError("passages: one leads out of the maze")
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
        raise ValueError(
            f"passages: the chunk of {block.shape} at {at} is not of a maze: one is open on one side only"
        )
    return block
