"""Mazes by Kruskal band by band: those that are larger than memory, on one machine.

A band of rows is reduced to its critical walls, whose fate is decided by other bands, and merged with the
bands above it. When that is done for the last band, each of them is made once more, with the walls that the
merges have opened: see `pieces`.

Where the height is not given, the maze may go on below, and each row is made as soon as it is decided. The
rows above the first wall that still waits for what is below are the same in each such maze: as measured for
10 to 10,000 columns, all but a quarter of the number of columns in the median, and one and a half times that
number at most.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.memory import require
from meiro._utils.validation import integer
from meiro.generators.pieces import SCRATCH, Piece, apply, merge, reduce_piece
from meiro.generators.row_stream import MOST_ROWS, Made, RowStream

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from meiro.generators.region import LargeMaze

    Report = Callable[[int, int], object] | None

_LEAST_BAND, _LARGEST_BAND = 1 << 22, (1 << 31) - 1  # cells
_LEAST_AHEAD = 1 << 12  # cells of a band where the height is not given
_OF_A_COLUMN = 16  # bytes: two walls of each border between bands are open
_OF_A_MERGE = 400  # bytes a column, while two pieces are merged
_COPIED = 1 << 26  # bytes: Ctrl-C waits for them


def band_height(shape: tuple[int, int]) -> int:
    """Return the rows of a band: as many as take about the memory of what is kept of all bands."""
    rows, cols = shape
    return min(_height_of_bands(cols, _LEAST_BAND, rows), rows)


def band_height_ahead(cols: int) -> int:
    """Return the rows of a band: as many as take about the memory of what is kept of rows that wait."""
    return _height_of_bands(cols, _LEAST_AHEAD, cols)


def _height_of_bands(cols: int, least: int, rows: int) -> int:
    """Return the rows of a band, of at least `least` cells if it may have them, where `rows` are kept."""
    wanted = max(least // cols, 2 * math.isqrt(rows))
    return max(1, min(wanted, _LARGEST_BAND // cols))


def memory_needed(shape: tuple[int, int]) -> int:
    """Return the bytes that the rows of a maze take at most, whatever its algorithm."""
    height = band_height(shape)
    n_bands = -(-shape[0] // height)
    return _memory_of_bands(shape[1], height, n_bands if n_bands > 1 else 0)


def memory_needed_ahead(cols: int) -> int:
    """Return the bytes that the rows of a maze take, with twice as many that wait as were ever seen."""
    height = band_height_ahead(cols)
    return _memory_of_bands(cols, height, 3 * cols // height + 2)


def _memory_of_bands(cols: int, height: int, n_merged: int) -> int:
    """Return the bytes of a band, and of what is kept of those that are merged."""
    merged = _OF_A_COLUMN * n_merged + _OF_A_MERGE if n_merged else 0
    return ((SCRATCH + 1) * height + merged) * cols


class _Merges(NamedTuple):
    """What is known of the rows above `row`: all as one piece, and the walls that each merge has opened."""

    row: int
    above: Piece | None
    opened: tuple[NDArray[np.int64], ...]  # each in order


_NOTHING = _Merges(0, None, ())


class _FirstPass:
    """How far the bands of a maze are merged. Copies of a stream share it; nothing in it is changed."""

    __slots__ = ("merges",)

    def __init__(self) -> None:
        self.merges = _NOTHING


class KruskalBands(RowStream):
    """Rows that are made in bands of whole rows; of one that is asked for in part, the passages are kept."""

    __slots__ = ("_band",)

    _usual = "kruskal"
    _band: tuple[int, NDArray[np.uint8]] | None  # the band of which rows are asked for, and its first row

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Go on where the pickled stream was."""
        super().__setstate__(state)
        self._band = None

    @property
    def _band_height(self) -> int:
        return band_height(self._maze.shape)

    @abstractmethod
    def _make_band(self, first: int, out: NDArray[np.uint8]) -> None:
        """Make a whole band in `out`, from its first row on."""

    def _put_bands(self, out: NDArray[np.uint8], row: int, end: int) -> None:
        """Make the rows from `row` on in `out`."""
        (height, cols), at_once = self._maze.shape, self._band_height
        most, at = max(1, _COPIED // cols), row
        while at < end:
            first = at // at_once * at_once
            n = min(at_once, height - first)
            into = out[at - row : first + n - row]
            if len(into) == n:  # a whole band
                self._make_band(first, into)
                at += n
                continue
            into = into[:most]
            band = self._band
            if band is None or band[0] != first:
                self._band = None  # no two of them
                band = first, np.empty((n, cols), np.uint8)
                self._make_band(*band)
                self._band = band
            into[:] = band[1][at - first : at - first + len(into)]
            at += len(into)
        if end % at_once == 0 or end == height:
            self._band = None

    def _with_a_band(self, known: _Merges, report: Report = None) -> _Merges:
        """Return what is known with the next band."""
        row, above, opened = known
        n = min(self._band_height, self._maze.shape[0] - row)
        piece = reduce_piece(self._maze, (row, 0), (n, self.cols), self._threads, report)
        if above is not None:
            piece, more = merge(self._maze, above, piece)
            opened = (*opened, more)
        return _Merges(row + n, piece, opened)

    def _apply(
        self,
        first: int,
        out: NDArray[np.uint8],
        all_opened: tuple[NDArray[np.int64], ...],
        report: Report = None,
    ) -> None:
        """Make a band in `out`, from its first row on, with the walls that merges have opened."""
        low, high = 2 * (first - 1) * self.cols, 2 * (first + len(out)) * self.cols  # wall ids
        walls = [
            opened[bisect_left(opened, low) : bisect_left(opened, high)]
            for opened in all_opened
            if len(opened) and opened[0] < high and opened[-1] >= low
        ]
        known = np.concatenate([np.empty(0, np.int64), *walls])
        apply(self._maze, (first, 0), out.shape, known, self._threads, report, out)


class KruskalRows(KruskalBands):
    """A maze by Kruskal's law that is made row by row: `stream` returns it.

    The first rows take as long as the whole maze does, for each wall depends on all others: what is kept of
    that are two walls for each column and each border between bands. `rows` may make the last row as well,
    which is known here.

    Examples
    --------
    >>> stream = meiro.generators.stream("kruskal", 4, rows=9, rng=7)
    >>> stream.rows(3).shape, stream
    ((3, 4), <KruskalRows 3 of 9 rows x 4 cols>)
    """

    __module__ = "meiro.generators"

    __slots__ = ()

    def __init__(self, maze: LargeMaze, threads: int = 1) -> None:
        what = f"{maze.algorithm} of {maze.shape} in bands of {band_height(maze.shape):,} rows"
        require(memory_needed(maze.shape), what, "take fewer cols")
        self.__setstate__((maze, threads, 0, False, _FirstPass()))

    @property
    def height(self) -> int:
        """Number of rows of the maze."""
        return self._maze.shape[0]

    @property
    def _first_pass(self) -> _FirstPass:
        first_pass: _FirstPass = self._so_far.ahead
        return first_pass

    def _facts(self) -> dict[str, Any]:
        return {**super()._facts(), "height": self.height, "band": self._band_height}

    def _arrays(self) -> dict[str, NDArray[Any]]:
        row, above, opened = self._first_pass.merges
        none = np.empty(0, np.int64)
        return {
            **super()._arrays(),
            "merged": np.array(row),
            "critical": none.reshape(0, 4) if above is None else above.critical,
            "opened": np.concatenate([none, *opened]),
            "ends": np.cumsum([len(walls) for walls in opened], dtype=np.int64),
        }

    def _resume(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super()._resume(arrays)
        row = integer(arrays["merged"].item(), "merged", 0, self.height + 1)
        critical, opened = (np.ascontiguousarray(arrays[name], np.int64) for name in ("critical", "opened"))
        above = Piece((0, 0), (row, self.cols), critical) if row else None
        walls = tuple(np.split(opened, arrays["ends"])[:-1])
        self._so_far = self._so_far._replace(ahead=_FirstPass())
        self._first_pass.merges = _Merges(row, above, walls)

    @property
    def _cells_before(self) -> int:
        return 0 if self._band_height == self.height else self.height * self.cols

    def _prepare(self, tell: Callable[[int], object] | None) -> None:
        """Merge all bands, or those that are not merged yet."""
        if not self._cells_before:
            return
        while (known := self._first_pass.merges).row < self.height:
            done = known.row * self.cols
            report = None if tell is None else (lambda n, _, done=done: tell(done + n))
            self._first_pass.merges = self._with_a_band(known, report)

    def _put_rows(self, out: NDArray[np.uint8], row: int, end: int, *, last: bool) -> Made:
        height = self.height
        if end > height or (last and end < height):
            rest = height - row
            msg = f"n must be at most {rest:,}, the rows that are left, not {end - row:,}"
            if last:
                msg = f"{end - row:,} rows were asked for as the last ones: {rest:,} are left"
            raise ValueError(msg)
        self._prepare(None)
        self._put_bands(out, row, end)
        return Made(end, end == height, self._first_pass)

    def _make_band(self, first: int, out: NDArray[np.uint8], report: Report = None) -> None:
        self._apply(first, out, self._first_pass.merges.opened, report)


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

    _ahead: _Merges  # while rows are made; of walls that merges opened, those of the rows that follow

    def __init__(self, maze: LargeMaze, threads: int = 1) -> None:
        cols = maze.shape[1]
        what = f"{maze.algorithm} of {cols:,} columns in bands of {band_height_ahead(cols):,} rows"
        require(memory_needed_ahead(cols), what, "take fewer cols")
        self.__setstate__((maze, threads, 0, False, _NOTHING))

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

    def _last_row(self, ahead: _Merges) -> int:
        return max(ahead.row, self._band_height)

    @property
    def _band_height(self) -> int:
        return band_height_ahead(self.cols)

    def _of_height(self, rows: int, /) -> KruskalRows:
        return KruskalRows(replace(self._maze, shape=(rows, self.cols)), self._threads)

    def _put_rows(self, out: NDArray[np.uint8], row: int, end: int, *, last: bool) -> Made:
        self._check_end(row, end)
        self._ahead = self._so_far.ahead
        if last:
            if end != self._last_row(self._ahead):
                raise ValueError("another thread has made rows meanwhile: call finish again")
            self._end_maze(end)
        self._put_bands(out, row, end)
        return Made(end, last or end == MOST_ROWS, self._ahead)

    def _make_band(self, first: int, out: NDArray[np.uint8]) -> None:
        while self._decided() < first + len(out):
            self._ahead = self._with_a_band(self._ahead)
        low = 2 * (first - 1) * self.cols
        kept = (walls[bisect_left(walls, low) :] for walls in self._ahead.opened)
        self._ahead = self._ahead._replace(opened=tuple(walls.copy() for walls in kept if len(walls)))
        self._apply(first, out, self._ahead.opened)

    def _decided(self) -> int:
        """Return the number of rows, from the first on, of which no wall depends on those below."""
        rows, above, _ = self._ahead
        if above is None or rows == MOST_ROWS:
            return rows
        return min(int(above.critical[:, 1].min(initial=2 * rows * self.cols)) // (2 * self.cols), rows - 1)

    def _end_maze(self, rows: int) -> None:
        """Open what waits for more rows: without any, it is the lightest on its cycle."""
        while self._ahead.row < rows:
            self._ahead = self._with_a_band(self._ahead)
        _, above, opened = self._ahead
        waiting = np.empty(0, np.int64) if above is None else np.sort(above.critical[:, 1])
        self._ahead = _Merges(rows, None, (*opened, waiting))


def make_all(maze: LargeMaze, out: NDArray[np.uint8], threads: int, report: Report) -> None:
    """Make all rows of a maze in `out`, of which a band at a time is written."""
    rows = KruskalRows(maze, threads)
    before, size = rows._cells_before, out.size  # noqa: SLF001  # of this module
    rows._prepare(None if report is None else lambda done: report(done, before + size))  # noqa: SLF001
    at_once = band_height(maze.shape)
    for first in range(0, rows.height, at_once):
        begin = before + first * rows.cols
        told = None if report is None else (lambda n, _, begin=begin: report(begin + n, before + size))
        rows._make_band(first, out[first : first + at_once], told)  # noqa: SLF001
