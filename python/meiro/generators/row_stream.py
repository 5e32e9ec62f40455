"""Mazes as streams of rows, and whole mazes made of them band by band."""

from __future__ import annotations

import copy
import threading
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Self, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import describe_size, short_repr
from meiro._utils.progress import Progress, paced, reporter
from meiro._utils.validation import integer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from meiro.generators.region import LargeMaze
    from meiro.seeds import Seed

MOST_ROWS = 1 << 30
"""Of a stream whose rows are windows of a maze: see `meiro.generators.region`."""

_BAND = 1 << 20  # cells


class Made(NamedTuple):
    """How far a stream is: one object, which threads see whole."""

    row: int  # rows made
    finished: bool  # whether the last one was
    ahead: Any = None  # what else is known then


class RowStream:
    """A maze that is made row by row, in the memory of the rows asked for: `stream` returns it.

    Iteration makes one row after the other, `rows` several at a time, `finish` the last one. Copies and
    pickles continue from the row where they were taken, and two streams are equal if what follows is. Rows
    for which there is no memory, or that Ctrl-C interrupts, were never begun: the next call makes them.

    Examples
    --------
    >>> stream = meiro.generators.stream("binary_tree", 4, rng=7)
    >>> stream.rows(3).shape, stream
    ((3, 4), <RowStream 3 rows x 4 cols, binary_tree>)
    """

    __module__ = "meiro.generators"

    __slots__ = ("_busy", "_maze", "_so_far", "_threads")

    _maze: LargeMaze
    _threads: int
    _so_far: Made
    _usual = ""  # the algorithm that goes without saying

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __init__(self, maze: LargeMaze, threads: int = 1) -> None:
        self.__setstate__((maze, threads, 0, False))

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
        return self._maze.algorithm

    @property
    def cols(self) -> int:
        """Number of cells in a row."""
        return self._maze.shape[1]

    @property
    def row(self) -> int:
        """Number of rows made so far."""
        return self._so_far.row

    @property
    def height(self) -> int | None:
        """Number of rows of the maze; None if it may have any number."""
        return None

    @property
    def seed(self) -> Seed:
        """The seed of the rows."""
        return self._maze.seed

    @property
    def finished(self) -> bool:
        """Whether the last row has been made."""
        return self._so_far.finished

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what the stream goes on from."""
        return self._maze, self._threads, *self._so_far

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Go on where the pickled stream was."""
        self._maze, self._threads, *so_far = state
        self._so_far = Made(*so_far)
        self._busy = threading.Lock()

    def _followed_by(self) -> tuple[Any, ...]:
        """Return what decides the rows that follow."""
        return self._maze, self.row, self.finished

    def _facts(self) -> dict[str, Any]:
        """Return what decides all rows, as JSON can hold it."""
        options = repr(sorted(self._maze.options.items()))
        return {
            "algorithm": self.algorithm,
            "cols": self.cols,
            "words": list(self._maze.words),
            "by": options,
        }

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Return what a stream of the same facts goes on from, as arrays."""
        return {"row": np.array(self.row)}

    def _resume(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on where the stream of these arrays was."""
        self._so_far = Made(integer(arrays["row"].item(), "row", 0, MOST_ROWS + 1), finished=False)

    @property
    def _cells_before(self) -> int:
        """The cells that are looked at before the first row is made."""
        return 0

    def _prepare(self, tell: Callable[[int], object] | None) -> None:
        """Look at them, and tell how many are done."""

    def _fill(self, out: NDArray[np.uint8], *, last: bool = False) -> None:
        """Make the next rows in `out`, uint8 (n, cols), C-contiguous; `last` ends the maze with them."""
        if not self._busy.acquire(blocking=False):
            raise ValueError(f"another thread is making rows of this {type(self).__name__}")
        try:
            self._check_unfinished()
            row = self.row
            end = row + len(out)
            self._so_far = self._put_rows(out, row, end, last=last)
        finally:
            self._busy.release()

    def _put_rows(self, out: NDArray[np.uint8], row: int, end: int, *, last: bool) -> Made:
        """Make the rows from `row` on; return the state of the stream then."""
        maze = self._maze
        self._check_end(row, end)
        given = maze.algorithm, (end if last else MOST_ROWS, self.cols), (row, 0), out, maze.words
        _core.generate_window(*given, maze.options, self._threads, None)
        return Made(end, last)

    def _check_end(self, row: int, end: int) -> None:
        if end > MOST_ROWS:
            raise ValueError(
                f"{end - row:,} rows would make {end:,}: a stream by {self.algorithm} has {MOST_ROWS:,}"
            )

    def _of_height(self, _rows: int, /) -> RowStream:
        """Return the stream, at its beginning, of the maze that has this number of rows."""
        return self

    def __repr__(self) -> str:
        """Return one line."""
        size = describe_size(self.height or self.row, self.cols)
        size = size if self.height is None else f"{self.row:,} of {size}"
        by = "" if self.algorithm == self._usual else f", {self.algorithm}"
        return f"<{type(self).__name__} {size}{by}{', finished' * self.finished}>"

    def __array__(self, dtype: object = None, copy: object = None) -> NoReturn:
        """Refuse: what takes arrays needs all rows at once."""
        raise TypeError(
            f"{self!r} makes its rows one after the other: meiro.measure, meiro.save and "
            "meiro.solvers.solve_by_bands and distances_by_bands take it with rows=; what needs the whole "
            "maze takes meiro.Maze(passages) of the rows that rows() and finish() make"
        )

    def __eq__(self, other: object) -> bool:
        """Return whether the rows that follow are the same."""
        if not isinstance(other, RowStream):
            return NotImplemented
        if self is other:  # even if another thread makes rows
            return True
        mine, its = self._followed_by(), other._followed_by()
        return type(self) is type(other) and len(mine) == len(its) and all(map(np.array_equal, mine, its))

    def __iter__(self) -> Self:
        """Return itself."""
        return self

    def __next__(self) -> NDArray[np.uint8]:
        """Make the next row.

        Returns
        -------
        ndarray of uint8, shape (cols,)
            The open directions of its cells, N=1, E=2, S=4, W=8.
        """
        if not self.finished:
            try:
                return self._made(1).reshape(-1)
            except ValueError:
                if not self.finished:  # by another thread, meanwhile
                    raise
        raise StopIteration

    def rows(self, n: SupportsIndex) -> NDArray[np.uint8]:
        """Make the next `n` rows.

        Parameters
        ----------
        n : int
            Not negative.

        Returns
        -------
        ndarray of uint8, shape (n, cols)
            The open directions of their cells, N=1, E=2, S=4, W=8. The last row is open to the next.

        Raises
        ------
        ValueError
            If the maze is finished, or `n` is negative.

        Examples
        --------
        >>> stream = meiro.generators.stream("eller", 6, rng=7)
        >>> bool((stream.rows(9) == meiro.generate((30, 6), "eller", rng=7).passages[:9]).all())
        True
        """
        count = integer(n, "n", 0, 1 << 62)
        self._check_unfinished()
        return self._made(count)

    def finish(self) -> NDArray[np.uint8]:
        """Make one more row, the last.

        Returns
        -------
        ndarray of uint8, shape (cols,)
            The open directions of its cells, N=1, E=2, S=4, W=8.

        Raises
        ------
        ValueError
            If the maze is finished.

        Examples
        --------
        >>> stream = meiro.generators.stream("sidewinder", 6, rng=7)
        >>> passages = np.vstack([stream.rows(9), stream.finish()])
        >>> meiro.Maze(passages) == meiro.generate((10, 6), "sidewinder", rng=7)
        True
        """
        self._check_unfinished()
        return self._made(1, last=True).reshape(-1)

    def _made(self, n: int, *, last: bool = False) -> NDArray[np.uint8]:
        require(n * self.cols, f"{n:,} rows of {self.cols:,} cells", "make fewer at a time")
        out = np.empty((n, self.cols), np.uint8)
        if n:
            self._fill(out, last=last)
        return out

    def _check_unfinished(self) -> None:
        if self.finished:
            raise ValueError(
                f"the maze is finished: its last row was made as number {self.row}; begin a new stream"
            )


class StreamedMaze(NamedTuple):
    """The maze of the first `rows` rows of a stream, of which a band at a time is made."""

    stream: RowStream
    rows: int
    progress: Progress = False

    @property
    def cols(self) -> int:
        """Number of columns of cells."""
        return self.stream.cols

    @property
    def facts(self) -> dict[str, Any]:
        """What decides the rows of the stream, as JSON can hold it."""
        return self.stream._facts()  # noqa: SLF001  # of this module

    @property
    def cells_before(self) -> int:
        """Cells that are looked at before the first band is made."""
        return self.stream._cells_before  # noqa: SLF001  # of this module

    def prepare(self, tell: Callable[[int], object] | None) -> None:
        """Look at them; what is known then, all later bands know."""
        self.stream._prepare(tell)  # noqa: SLF001  # of this module

    def bands(self, cells: int | None = None) -> Iterator[NDArray[np.uint8]]:
        """Yield passages (1 + n, cols), of n rows and before them the row above: all closed at first.

        An array is overwritten when the next one is asked for.
        """
        stream, tell = copy.copy(self.stream), paced(reporter(self.progress))
        before = self.cells_before
        total = before + self.rows * self.cols
        most = min(max(1, (cells or _BAND) // self.cols), self.rows)
        require((1 + most) * self.cols, f"a band of {self.stream!r}", "take fewer cols")
        held = np.zeros((1 + most, self.cols), np.uint8)
        self.prepare(lambda done: tell(done, total))
        for first in range(0, self.rows, most):
            n = min(most, self.rows - first)
            last = first + n == self.rows
            stream._fill(held[1 : 1 + n], last=last)  # noqa: SLF001  # of this module
            yield held[: 1 + n]
            tell(before + (first + n) * self.cols, total)
            held[0] = held[n]


def fill(stream: RowStream, out: NDArray[np.uint8], *, last: bool) -> None:
    """Make the next rows of a stream in `out`, and end its maze with them if they are the last ones."""
    stream._fill(out, last=last)  # noqa: SLF001  # of this module


def arrays_of(stream: RowStream) -> dict[str, NDArray[Any]]:
    """Return what the stream goes on from, for files: `resume_from` takes it."""
    return stream._arrays()  # noqa: SLF001  # of this module


def resume_from(stream: RowStream, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Let a stream at its beginning go on where another one of the same facts was."""
    stream._resume(arrays)  # noqa: SLF001  # of this module


def streamed(stream: RowStream, rows: SupportsIndex | None, call: str) -> StreamedMaze:
    """Return the maze of a stream that has not begun, and its height, checked."""
    if rows is None:
        rows = stream.height
    if rows is None:
        raise TypeError(f"x is a stream: {call} needs rows=, the number of rows of its maze")
    height = integer(rows, "rows", 1, MOST_ROWS + 1)
    if stream.height not in {None, height}:
        raise ValueError(f"rows={height} is not the height of {stream!r}: leave it out")
    if stream.row:
        raise ValueError(f"the stream has made {stream.row:,} rows: {call} takes one that has not begun")
    return StreamedMaze(stream._of_height(height), height)  # noqa: SLF001  # of this module


def refuse_rows(rows: object) -> None:
    """Raise a TypeError for ``rows=`` of what has rows of its own."""
    if rows is not None:
        raise TypeError(f"rows={short_repr(rows)} is for a stream: a maze or an array has its rows")


def refuse_ends(stream: RowStream, **given: object) -> None:
    """Raise a TypeError for an argument that a stream does not take."""
    for name, value in given.items():
        if value is not None:
            raise TypeError(
                f"{name}={short_repr(value)} is of a maze or an array: {stream!r} takes no {name}"
            )
