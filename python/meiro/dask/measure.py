"""`meiro.dask.measure`: measures of passages that no single memory holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meiro.dask.parts import counted
from meiro.stats.measure import measures_in_parts

if TYPE_CHECKING:
    from collections.abc import Iterable

    import dask.array

    from meiro.results.measures import Measures


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
