"""`stream`: mazes row by row, larger than memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, SupportsIndex

from meiro._utils.validation import integer
from meiro.generators.eller import EllerRows
from meiro.generators.region import BY_ROW, large_maze
from meiro.generators.row_stream import MOST_ROWS, RowStream
from meiro.registry import ALGORITHMS

if TYPE_CHECKING:
    from meiro.seeds import RNG


def stream(
    algorithm: str,
    cols: SupportsIndex,
    *,
    rng: RNG = None,
    corner: Literal["north_west", "north_east", "south_east", "south_west"] | None = None,
    p: float | None = None,
) -> RowStream:
    """Start a maze that is made row by row, in the memory of the rows asked for.

    The rows are byte for byte those of ``meiro.generate((rows, cols), algorithm, rng=rng)`` for any number of
    rows: the height matters in the last row alone, which `RowStream.finish` makes.

    Parameters
    ----------
    algorithm : str
        "eller", "binary_tree", "percolation", "pole_toppling" or "sidewinder".
    cols : int
        Number of cells in a row: up to 2**30, in "eller" as many as fit in memory.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The same seed gives the same rows on every machine. None takes entropy from the system.
    corner : "north_west", "north_east", "south_east" or "south_west"
        As in `meiro.generate`, of "binary_tree".
    p : float
        As in `meiro.generate`, of "percolation".

    Returns
    -------
    RowStream
        Its ``rows(n)`` makes the next rows, up to 2**30 ("eller" has no end), its ``finish()`` the last one;
        it can be pickled. An `EllerRows` for "eller".

    Raises
    ------
    ValueError
        If rows of the algorithm cannot be made one after the other, or `cols` is out of range.
    TypeError
        If the algorithm does not take an option.

    See Also
    --------
    meiro.save, meiro.measure : take a stream, and the number of its rows.
    meiro.io.pyramid : a picture of it, at any scale.
    meiro.generators.region : windows of such mazes.

    Examples
    --------
    >>> stream = meiro.generators.stream("sidewinder", 1000, rng=7)
    >>> stream.rows(500).shape
    (500, 1000)
    >>> meiro.measure(meiro.generators.stream("eller", 100, rng=7), "dead_ends", rows=10**4)
    {'dead_ends': 294857}
    """
    facts = ALGORITHMS.find(algorithm, "algorithm")
    able = ("eller", *BY_ROW)
    if facts.name not in able:
        msg = f"algorithm {facts.name!r} does not make rows one after the other; these do: {', '.join(able)}"
        raise ValueError(msg)
    given = {name: value for name, value in (("corner", corner), ("p", p)) if value is not None}
    if facts.name == "eller":
        for name in given:
            msg = f"'eller' takes no option {name!r}"
            raise TypeError(msg)
        return EllerRows(cols, rng)
    width = integer(cols, "cols", 1, MOST_ROWS + 1)
    return RowStream(large_maze((MOST_ROWS, width), facts.name, rng, given, "stream(algorithm, cols)"))
