"""`meiro.dask.check`: regions and loops of passages that no single memory holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from meiro._utils.set_module import set_module
from meiro.dask.parts import counted

if TYPE_CHECKING:
    import dask.array


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
    regions, (east, south, *_) = whole.regions, whole.sums
    cells, n_passages = passages.shape[0] * passages.shape[1], east + south
    loops = n_passages - cells + regions
    return Counts(regions == 1 and loops == 0, regions, loops, cells, n_passages)
