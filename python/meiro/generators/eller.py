"""Eller's algorithm from given wall bits, and as a stream of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.validation import integer, plain_array
from meiro.generators.region import LargeMaze
from meiro.generators.row_stream import RowStream
from meiro.mazes.maze import maze_from_core
from meiro.seeds import RNG, Seed, seed_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from meiro.mazes.maze import Maze


def eller(right: ArrayLike, lower: ArrayLike) -> Maze:
    """Generate a maze by Eller's algorithm from given wall bits instead of random ones.

    Each row is processed from left to right: a wall is put on the right of a cell where `right` is True, and
    always between two cells of the same set; otherwise the two sets are merged. Then, from left to right, a
    wall is put below a cell where `lower` is True, provided that another cell of its set has none. The last
    row puts its right walls in the same way; then every wall between two different sets is removed.

    Parameters
    ----------
    right : array_like of bool, shape (rows, cols - 1)
        True where a wall is put on the right of a cell.
    lower : array_like of bool, shape (rows, cols)
        True where a wall is put below a cell. The last row is ignored.

    Returns
    -------
    Maze
        A perfect maze for any bits. It has no seed.

    Raises
    ------
    ValueError
        If the shapes do not match, or a value is neither 0 nor 1.
    TypeError
        If the arrays hold neither booleans nor integers.

    See Also
    --------
    eller_rows : The same algorithm as a stream of rows.
    trace_eller : The same, event by event.

    Examples
    --------
    >>> maze = meiro.eller([[0, 1, 0], [0, 0, 0]], [[0, 1, 1, 0], [0, 0, 0, 0]])
    >>> print(maze)
    ┌───┬───┐
    │   │   │
    │ ╶─┴─╴ │
    │       │
    └───────┘
    """
    beside, below, out = walls_given(right, lower)
    _core.eller_given(beside, below, out, None, None)
    return maze_from_core(out)


def walls_given(right: ArrayLike, lower: ArrayLike) -> tuple[NDArray[np.uint8], ...]:
    """Return the wall bits, checked, and an empty array for the passages."""
    beside, below = _bits(right, "right"), _bits(lower, "lower")
    if below.ndim != 2 or below.size == 0 or beside.shape != (below.shape[0], below.shape[1] - 1):
        shapes = f"right has shape {beside.shape}, lower has shape {below.shape}"
        raise ValueError(
            f"right must be (rows, cols - 1) and lower (rows, cols), with at least one cell; {shapes}"
        )
    require(below.size, f"a maze of {below.shape}", "take fewer rows, or meiro.eller_rows")
    return beside, below, np.empty(below.shape, np.uint8)


class EllerRows(RowStream):
    """An endless maze by Eller's algorithm, row by row, in the memory of one row.

    Created by `meiro.eller_rows`, and by `meiro.generators.stream`. Iteration draws rows, `rows` several;
    `send_row` makes a row from given wall bits, and `finish` makes the last row. Copies and pickles continue
    from the row where they were taken. Rows for which there is no memory, or that Ctrl-C interrupts, were
    never begun: the next call makes them.

    Attributes
    ----------
    cols : int
    row : int
        Number of rows made so far.
    seed : Seed
        ``meiro.generate((n, cols), "eller", rng=seed)`` has the same rows, except the last.
    finished : bool
        Whether the last row has been made.

    Examples
    --------
    >>> rows = meiro.eller_rows(4, rng=7)
    >>> next(rows).shape, rows
    ((4,), <EllerRows 1 row x 4 cols>)
    """

    __module__ = "meiro"

    __slots__ = ("_rows",)  # of the core, which counts them
    _usual = "eller"

    def __init__(self, cols: SupportsIndex, rng: RNG = None) -> None:
        width = integer(cols, "cols", 1, 1 << 48)
        require(width * 4, f"a row of {width:,} cells", "take fewer cols")
        self._begin(width, seed_of(rng), 0, None, finished=False)

    def _begin(
        self, cols: int, seed: Seed, row: int, state: NDArray[np.uint8] | None, *, finished: bool
    ) -> None:
        self._maze = LargeMaze((row, cols), "eller", seed, {})
        self._rows = _core.EllerRows(cols, self._maze.words, row, state, finished)

    @property
    def row(self) -> int:
        """Number of rows made so far."""
        return self._rows.row()

    @property
    def finished(self) -> bool:
        """Whether the last row has been made."""
        return self._rows.finished()

    def send_row(self, right: ArrayLike, lower: ArrayLike) -> NDArray[np.uint8]:
        """Make the next row from given wall bits, instead of drawing it.

        Parameters
        ----------
        right : array_like of bool, shape (cols - 1,)
            True where a wall is put on the right of a cell.
        lower : array_like of bool, shape (cols,)
            True where a wall is put below a cell.

        Returns
        -------
        ndarray of uint8, shape (cols,)
            The open directions of its cells, N=1, E=2, S=4, W=8.

        Raises
        ------
        ValueError
            If a shape does not match `cols`, or the maze is finished.

        Examples
        --------
        >>> rows = meiro.eller_rows(4)
        >>> rows.send_row([0, 1, 0], [0, 1, 1, 0]).tolist()
        [6, 8, 2, 12]
        """
        self._check_unfinished()
        return self._make(self._given(right, "right", -1), self._given(lower, "lower", 0))

    def finish(self, right: ArrayLike | None = None) -> NDArray[np.uint8]:
        """Make one more row, the last: all remaining sets are merged.

        Parameters
        ----------
        right : array_like of bool, shape (cols - 1,), optional
            True where a wall is to be put on the right of a cell; drawn by default.

        Returns
        -------
        ndarray of uint8, shape (cols,)
            The open directions of its cells, N=1, E=2, S=4, W=8.

        Raises
        ------
        ValueError
            If the shape does not match `cols`, or the maze is finished.

        Examples
        --------
        >>> rows = meiro.eller_rows(4)
        >>> rows.send_row([0, 1, 0], [0, 1, 1, 0]).tolist(), rows.finish([0, 0, 0]).tolist()
        ([6, 8, 2, 12], [3, 10, 10, 9])
        """
        self._check_unfinished()
        beside = None if right is None else self._given(right, "right", -1)
        return self._make(beside, None, last=True)

    def _fill(self, out: NDArray[np.uint8], *, last: bool = False) -> None:
        """Make the next rows in `out`, uint8 (n, cols), C-contiguous; `last` ends the maze with them."""
        self._rows.make(out, None, None, last)

    def _make(
        self, right: NDArray[np.uint8] | None, lower: NDArray[np.uint8] | None, *, last: bool = False
    ) -> NDArray[np.uint8]:
        out = np.empty((1, self.cols), np.uint8)
        row = out.reshape(-1)
        self._rows.make(out, right, lower, last)  # after it nothing is allocated: no row is lost
        return row

    def _given(self, walls: ArrayLike, name: str, more: int) -> NDArray[np.uint8]:
        bits = _bits(walls, name)
        if bits.shape != (self.cols + more,):
            wanted = "cols - 1" if more else "cols"
            raise ValueError(
                f"{name} must have shape ({self.cols + more},), that is ({wanted},), not {bits.shape}"
            )
        return bits.reshape(1, -1)

    def __getstate__(self) -> tuple[Any, ...]:
        """Return the seed, the row number and the sets of the row."""
        return self.cols, self.seed, *self._rows.state()

    def _followed_by(self) -> tuple[Any, ...]:
        return self.__getstate__()

    def _arrays(self) -> dict[str, NDArray[Any]]:
        row, _, sets = self._rows.state()
        return {"row": np.array(row), "sets": sets}

    def _resume(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        row = integer(arrays["row"].item(), "row", 0, 1 << 62)
        self._begin(self.cols, self.seed, row, arrays["sets"], finished=False)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Go on where the pickled stream was."""
        cols, seed, row, finished, sets = state
        self._begin(cols, seed, row, None if finished else sets, finished=finished)


def eller_rows(cols: SupportsIndex, rng: RNG = None) -> EllerRows:
    """Start an endless maze by Eller's algorithm: a stream of rows, in the memory of one row.

    Parameters
    ----------
    cols : int
        Number of cells in a row.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The rows are those of ``meiro.generate((rows, cols), "eller", rng=rng)`` for any number of rows;
        `EllerRows.finish` makes its last row.

    Returns
    -------
    EllerRows
        An iterator of rows: uint8, shape (cols,), open directions N=1, E=2, S=4, W=8. Its ``send_row``
        makes a row from given wall bits, its ``finish`` the last row.

    Raises
    ------
    TypeError, ValueError
        If `cols` is not a positive integer.

    See Also
    --------
    eller : A whole maze from given wall bits.
    generate : ``generate(shape, "eller")``, a whole maze.

    Examples
    --------
    >>> rows = meiro.eller_rows(6, rng=7)
    >>> passages = [next(rows) for _ in range(3)] + [rows.finish()]
    >>> meiro.Maze(passages) == meiro.generate((4, 6), "eller", rng=7)
    True
    """
    return EllerRows(cols, rng)


def _bits(walls: ArrayLike, name: str) -> NDArray[np.uint8]:
    """Return wall bits as bytes, 1 where a wall is put."""
    array = plain_array(walls, name)
    if array.dtype.kind not in "biu" and array.size:
        raise TypeError(f"{name} holds {array.dtype}: give booleans, True where a wall is put")
    if array.dtype.kind in "iu" and not ((array == 0) | (array == 1)).all():
        raise ValueError(
            f"{name} holds {array.min()} to {array.max()}: give booleans, or 1 where a wall is put"
        )
    return np.ascontiguousarray(array.view(np.uint8) if array.dtype.kind == "b" else array, dtype=np.uint8)
