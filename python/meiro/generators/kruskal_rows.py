"""Mazes by Kruskal band by band: those that are larger than memory, on one machine.

A band of rows is reduced to its critical walls, whose fate is decided by other bands, and merged with the
bands above it. When that is done for the last band, each of them is made once more, with the walls that the
merges have opened: see `pieces`.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import describe_size
from meiro._utils.validation import integer
from meiro.generators.pieces import SCRATCH, Piece, apply, merge, reduce_piece
from meiro.generators.row_stream import Made, RowStream

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from meiro.generators.region import LargeMaze

_LEAST_BAND, _LARGEST_BAND = 1 << 22, (1 << 31) - 1  # cells
_OF_A_COLUMN = 16  # bytes: two walls of each border between bands are open
_OF_A_MERGE = 400  # bytes a column, while two pieces are merged
_COPIED = 1 << 26  # bytes: Ctrl-C waits for them


def band_height(shape: tuple[int, int]) -> int:
    """Return the rows of a band: as many as take about the memory of what is kept of all bands."""
    rows, cols = shape
    return min(height_of_bands(cols, _LEAST_BAND, rows), rows)


def height_of_bands(cols: int, least: int, rows: int) -> int:
    """Return the rows of a band, of at least `least` cells if it may have them, where `rows` are kept."""
    wanted = max(least // cols, 2 * math.isqrt(rows))
    return max(1, min(wanted, _LARGEST_BAND // cols))


def memory_needed(shape: tuple[int, int]) -> int:
    """Return the bytes that the rows of a maze take at most, whatever its algorithm."""
    height = band_height(shape)
    n_bands = -(-shape[0] // height)
    return memory_of_bands(shape[1], height, n_bands if n_bands > 1 else 0)


def memory_of_bands(cols: int, height: int, n_merged: int) -> int:
    """Return the bytes of a band, and of what is kept of those that are merged."""
    merged = _OF_A_COLUMN * n_merged + _OF_A_MERGE if n_merged else 0
    return ((SCRATCH + 1) * height + merged) * cols


class _Merges(NamedTuple):
    """What is known of the rows above `row`: all as one piece, and the walls that each merge has opened."""

    row: int
    above: Piece | None
    opened: tuple[NDArray[np.int64], ...]


class _FirstPass:
    """How far the bands of a maze are merged. Copies of a stream share it; nothing in it is changed."""

    __slots__ = ("merges",)

    def __init__(self) -> None:
        self.merges = _Merges(0, None, ())


class KruskalBands(RowStream):
    """Rows that are made in bands of whole rows; of one that is asked for in part, the passages are kept."""

    __slots__ = ("_band",)

    _band: tuple[int, NDArray[np.uint8]] | None  # the band of which rows are asked for, and its first row

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Go on where the pickled stream was."""
        super().__setstate__(state)
        self._band = None

    @property
    def _band_height(self) -> int:
        return band_height(self._maze.shape)

    def _describe(self, size: str) -> str:
        """Return one line about rows, or some of all."""
        by = "" if self.algorithm == "kruskal" else f", {self.algorithm}"
        return f"<{type(self).__name__} {size}{by}{', finished' * self.finished}>"

    def _put_bands(
        self, out: NDArray[np.uint8], row: int, end: int, make: Callable[[int, NDArray[np.uint8]], object]
    ) -> None:
        """Make the rows from `row` on in `out`, by ``make(first, band)`` for whole bands."""
        (height, cols), at_once = self._maze.shape, self._band_height
        most, at = max(1, _COPIED // cols), row
        while at < end:
            first = at // at_once * at_once
            n = min(at_once, height - first)
            into = out[at - row : first + n - row]
            if len(into) == n:  # a whole band
                make(first, into)
                at += n
                continue
            into = into[:most]
            band = self._band
            if band is None or band[0] != first:
                self._band = None  # no two of them
                band = first, np.empty((n, cols), np.uint8)
                make(*band)
                self._band = band
            into[:] = band[1][at - first : at - first + len(into)]
            at += len(into)
        if end % at_once == 0 or end == height:
            self._band = None

    def _apply(
        self,
        first: int,
        out: NDArray[np.uint8],
        all_opened: tuple[NDArray[np.int64], ...],
        report: Callable[[int, int], object] | None = None,
    ) -> None:
        """Make a band in `out`, from its first row on; `all_opened`: by merges, each array in order."""
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

    __slots__ = ("_first_pass",)

    _first_pass: _FirstPass

    def __init__(self, maze: LargeMaze, threads: int = 1) -> None:
        what = f"{maze.algorithm} of {maze.shape} in bands of {band_height(maze.shape):,} rows"
        require(memory_needed(maze.shape), what, "take fewer cols")
        self.__setstate__((maze, threads, 0, False, _FirstPass()))

    @property
    def height(self) -> int:
        """Number of rows of the maze."""
        return self._maze.shape[0]

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what the stream goes on from, with what is known of all rows."""
        return *super().__getstate__(), self._first_pass

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Go on where the pickled stream was."""
        *rest, self._first_pass = state
        super().__setstate__(tuple(rest))

    def __repr__(self) -> str:
        """Return one line."""
        return self._describe(f"{self.row:,} of {describe_size(self.height, self.cols)}")

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
        self._first_pass = _FirstPass()
        self._first_pass.merges = _Merges(row, above, walls)

    @property
    def _cells_before(self) -> int:
        return 0 if self._band_height == self.height else self.height * self.cols

    def _prepare(self, tell: Callable[[int], object] | None) -> None:
        """Merge all bands, or those that are not merged yet."""
        if not self._cells_before:
            return
        maze, cols = self._maze, self.cols
        at_once = self._band_height
        while (done := self._first_pass.merges).row < self.height:
            row = done.row
            report = None if tell is None else (lambda n, _, row=row: tell(row * cols + n))
            n = min(at_once, self.height - row)
            piece = reduce_piece(maze, (row, 0), (n, cols), self._threads, report)
            opened = done.opened
            if done.above is not None:
                piece, more = merge(maze, done.above, piece)
                opened = (*opened, more)
            self._first_pass.merges = _Merges(row + n, piece, opened)

    def _put_rows(self, out: NDArray[np.uint8], row: int, end: int, *, last: bool) -> Made:
        height = self.height
        if end > height or (last and end < height):
            rest = height - row
            msg = f"n must be at most {rest:,}, the rows that are left, not {end - row:,}"
            if last:
                msg = f"{end - row:,} rows were asked for as the last ones: {rest:,} are left"
            raise ValueError(msg)
        self._prepare(None)
        self._put_bands(out, row, end, self._make_band)
        return Made(end, end == height)

    def _make_band(
        self, first: int, out: NDArray[np.uint8], report: Callable[[int, int], object] | None = None
    ) -> None:
        self._apply(first, out, self._first_pass.merges.opened, report)


def make_all(
    maze: LargeMaze, out: NDArray[np.uint8], threads: int, report: Callable[[int, int], object] | None
) -> None:
    """Make all rows of a maze in `out`, of which a band at a time is written."""
    rows = KruskalRows(maze, threads)
    before, size = rows._cells_before, out.size  # noqa: SLF001  # of this module
    rows._prepare(None if report is None else lambda done: report(done, before + size))  # noqa: SLF001
    at_once = band_height(maze.shape)
    for first in range(0, rows.height, at_once):
        begin = before + first * rows.cols
        told = None if report is None else (lambda n, _, begin=begin: report(begin + n, before + size))
        rows._make_band(first, out[first : first + at_once], told)  # noqa: SLF001
