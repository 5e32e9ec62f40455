"""Mazes by Kruskal of any height: each row is made as soon as it is decided.

Band after band is reduced and merged with all rows above it, as in `kruskal_rows`, where the maze may go on
below. The rows above the first wall that still waits for what is below are the same in each such maze: as
measured for 10 to 10,000 columns, all but a quarter of the number of columns in the median, and one and a
half times that number at most.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import describe_size
from meiro.generators.kruskal_rows import KruskalBands, KruskalRows, height_of_bands, memory_of_bands
from meiro.generators.pieces import Piece, merge, reduce_piece
from meiro.generators.row_stream import MOST_ROWS, Made

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.generators.region import LargeMaze

_LEAST_BAND = 1 << 12  # cells


def band_height(cols: int) -> int:
    """Return the rows of a band: as many as take about the memory of what is kept of rows that wait."""
    return height_of_bands(cols, _LEAST_BAND, cols)


def memory_needed(cols: int) -> int:
    """Return the bytes that the rows of a maze take, with twice as many that wait as were ever seen."""
    height = band_height(cols)
    return memory_of_bands(cols, height, 3 * cols // height + 2)


class _Ahead(NamedTuple):
    """What is known of the first `rows` rows: all as one piece, and the walls that merges have opened."""

    rows: int
    above: Piece | None
    opened: NDArray[np.int64]  # in order; those above the last band that was made are left out


class EndlessKruskalRows(KruskalBands):
    """A maze by Kruskal's law of any height, row by row: `stream` returns it if it is not told the height.

    Rows are looked at ahead, until no wall of those asked for depends on more. `finish` ends the maze with
    all rows that were looked at.

    Examples
    --------
    >>> stream = meiro.generators.stream("kruskal", 50, rng=7)
    >>> passages = np.vstack([stream.rows(9), stream.finish()])
    >>> meiro.Maze(passages) == meiro.generate(passages.shape, "kruskal", rng=7)
    True
    """

    __module__ = "meiro.generators"

    __slots__ = ("_ahead",)

    _ahead: _Ahead  # while rows are made

    def __init__(self, maze: LargeMaze, threads: int = 1) -> None:
        what = (
            f"{maze.algorithm} of {maze.shape[1]:,} columns in bands of {band_height(maze.shape[1]):,} rows"
        )
        require(memory_needed(maze.shape[1]), what, "take fewer cols")
        self.__setstate__((maze, threads, 0, False, _Ahead(0, None, np.empty(0, np.int64))))

    def __repr__(self) -> str:
        """Return one line."""
        return self._describe(describe_size(self.row, self.cols))

    def finish(self) -> NDArray[np.uint8]:
        """Make all rows that were looked at, and end the maze with them.

        Returns
        -------
        ndarray of uint8, shape (n, cols)
            The open directions of their cells, N=1, E=2, S=4, W=8; n is not 0. How many they are depends on
            the rows made before, not on the calls that made them.

        Raises
        ------
        ValueError
            If the maze is finished.

        Examples
        --------
        >>> stream = meiro.generators.stream("kruskal", 1000, rng=7)
        >>> stream.rows(500).shape, stream.finish().shape
        ((500, 1000), (430, 1000))
        """
        self._check_unfinished()
        row, _, ahead = self._so_far
        return self._made(self._last_row(ahead) - row, last=True)

    def _last_row(self, ahead: _Ahead) -> int:
        return max(ahead.rows, self._band_height)

    @property
    def _band_height(self) -> int:
        return band_height(self.cols)

    def _of_height(self, rows: int, /) -> KruskalRows:
        return KruskalRows(replace(self._maze, shape=(rows, self.cols)), self._threads)

    def _put_rows(self, out: NDArray[np.uint8], row: int, end: int, *, last: bool) -> Made:
        self._check_end(row, end)
        self._ahead = self._so_far.ahead
        if last:
            if end != self._last_row(self._ahead):
                msg = "another thread has made rows meanwhile: call finish again"
                raise ValueError(msg)
            self._end_maze(end)
        self._put_bands(out, row, end, self._make_band)
        return Made(end, last or end == MOST_ROWS, self._ahead)

    def _make_band(self, first: int, out: NDArray[np.uint8]) -> None:
        while self._decided() < first + len(out):
            self._look_at_a_band()
        rows, above, opened = self._ahead
        kept = opened[np.searchsorted(opened, 2 * (first - 1) * self.cols) :]
        self._ahead = _Ahead(rows, above, kept.copy())
        self._apply(first, out, (self._ahead.opened,))

    def _decided(self) -> int:
        """Return the number of rows, from the first on, of which no wall depends on those below."""
        rows, above, _ = self._ahead
        if above is None or rows == MOST_ROWS:
            return rows
        return min(int(above.critical[:, 1].min(initial=2 * rows * self.cols)) // (2 * self.cols), rows - 1)

    def _look_at_a_band(self) -> None:
        rows, above, opened = self._ahead
        n = min(self._band_height, MOST_ROWS - rows)
        piece = reduce_piece(self._maze, (rows, 0), (n, self.cols), self._threads)
        if above is not None:
            piece, more = merge(self._maze, above, piece)
            opened = np.sort(np.concatenate([opened, more]), kind="stable")
        self._ahead = _Ahead(rows + n, piece, opened)

    def _end_maze(self, rows: int) -> None:
        """Open what waits for more rows: without any, it is the lightest on its cycle."""
        while self._ahead.rows < rows:
            self._look_at_a_band()
        _, above, opened = self._ahead
        waiting = np.empty(0, np.int64) if above is None else above.critical[:, 1]
        self._ahead = _Ahead(rows, None, np.sort(np.concatenate([opened, waiting])))
