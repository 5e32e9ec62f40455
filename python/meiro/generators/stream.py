"""`stream`: mazes row by row, larger than memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, SupportsIndex

from meiro._utils.validation import Threads, integer, thread_count
from meiro.generators.eller import EllerRows
from meiro.generators.kruskal_rows import EndlessKruskalRows, KruskalRows
from meiro.generators.region import SAME_TREE, large_maze
from meiro.generators.row_stream import MOST_ROWS, RowStream
from meiro.registry import ALGORITHMS

if TYPE_CHECKING:
    from meiro.seeds import RNG


def stream(
    algorithm: str,
    cols: SupportsIndex,
    *,
    rows: SupportsIndex | None = None,
    rng: RNG = None,
    corner: Literal["north_west", "north_east", "south_east", "south_west"] | None = None,
    p: float | None = None,
    bias: float | None = None,
    threads: Threads = None,
) -> RowStream:
    """Start a maze that is made row by row, in the memory of the rows asked for.

    The rows are byte for byte those of ``meiro.generate((rows, cols), algorithm, rng=rng)``. There may be any
    number of them: the height matters in the last row alone, which `RowStream.finish` makes. Only by Kruskal
    it matters in more of them: give `rows`, or let `EndlessKruskalRows.finish` end the maze where it can.

    Parameters
    ----------
    algorithm : str
        "eller", "binary_tree", "percolation", "pole_toppling" or "sidewinder"; or "kruskal", "prim" or
        "boruvka" (which make the same maze).
    cols : int
        Number of cells in a row: up to 2**30, in "eller" as many as fit in memory.
    rows : int, optional
        The number of rows of the maze, up to 2**30: of "kruskal", "prim" and "boruvka" only. By default these
        go on as long as rows are asked for, too.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The same seed gives the same rows on every machine. None takes entropy from the system.
    corner : "north_west", "north_east", "south_east" or "south_west"
        As in `meiro.generate`, of "binary_tree".
    p : float
        As in `meiro.generate`, of "percolation".
    bias : float
        As in `meiro.generate`, of "kruskal", "prim" and "boruvka".
    threads : int or "all", optional
        Number of threads that share the rows; the passages do not depend on it. "eller" takes one.

    Returns
    -------
    RowStream
        Its ``rows(n)`` makes the next rows, up to 2**30 ("eller" has no end), its ``finish()`` the last one;
        it can be pickled. An `EllerRows` for "eller"; for "kruskal", "prim" and "boruvka" a `KruskalRows`
        with `rows`, an `EndlessKruskalRows` without.

    Raises
    ------
    ValueError
        If rows of the algorithm cannot be made one after the other, or `cols` or `rows` is out of range.
    TypeError
        If the algorithm does not take an option, or `rows`.
    MemoryError
        If bands of a maze by Kruskal do not fit in memory; nothing has been allocated then.

    See Also
    --------
    meiro.save, meiro.measure : take a stream, and the number of its rows.
    meiro.io.pyramid : a picture of it, at any scale.
    meiro.generators.region : windows of such mazes.

    Notes
    -----
    By Kruskal with `rows` the maze is made twice, in bands of 2 sqrt(rows) rows, or of 2**22 cells where
    these are more. In the first pass, which the first row waits for, a band is reduced to the walls whose
    fate other bands decide, and merged with the bands above; in the second the band is made. Memory: 5 bytes
    for each cell of a band, and 16 for each column and band; for 10**5 x 10**5 cells 600 MB. Copies, and
    pickles, have what the first pass has found so far.

    Without `rows` the first pass is ahead of the second by the rows that still depend on what is below: a
    quarter of the number of columns in the median, one and a half times that number at most, as measured for
    10 to 10,000 columns. Bands have 2 sqrt(cols) rows, or 2**12 cells where these are more, and the memory is
    that of 5 bytes for each cell of a band, and 16 for each column and band ahead.

    Examples
    --------
    >>> stream = meiro.generators.stream("sidewinder", 1000, rng=7)
    >>> stream.rows(500).shape
    (500, 1000)
    >>> meiro.measure(meiro.generators.stream("eller", 100, rng=7), "dead_ends", rows=10**4)
    {'dead_ends': 294857}
    """
    facts = ALGORITHMS.find(algorithm, "algorithm")
    if not {"rows", "windows"} & {*facts.parts}:
        able = [*(f.name for f in ALGORITHMS.values() if "rows" in f.parts), *SAME_TREE]
        raise ValueError(
            f"algorithm {facts.name!r} does not make rows one after the other; these do: {', '.join(able)}"
        )
    given: dict[str, object] = {"corner": corner, "p": p, "bias": bias}
    given = {name: value for name, value in given.items() if value is not None}
    n_threads, by_kruskal = thread_count(threads), facts.name in SAME_TREE
    if rows is not None and not by_kruskal:
        raise TypeError(
            f"rows= is for {', '.join(SAME_TREE)}: a stream by {facts.name!r} may have any number of rows"
        )
    if facts.name == "eller":
        for name in given:
            raise TypeError(f"'eller' takes no option {name!r}")
        return EllerRows(cols, rng)
    width = integer(cols, "cols", 1, MOST_ROWS + 1)
    height = MOST_ROWS if rows is None else integer(rows, "rows", 1, MOST_ROWS + 1)
    maze = large_maze((height, width), facts.name, rng, given, "stream(algorithm, cols)")
    if not by_kruskal:
        return RowStream(maze, n_threads)
    return EndlessKruskalRows(maze, n_threads) if rows is None else KruskalRows(maze, n_threads)
