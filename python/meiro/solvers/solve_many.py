"""Many mazes solved at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import FLAT
from meiro._utils.validation import Threads, integers, thread_count
from meiro.maze.batch import MazeBatch
from meiro.maze.maze import Maze
from meiro.solvers.search_space import SearchSpace, resolve_endpoints

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import CellLike, Shape, Wrap

    Places = CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SolutionBatch:
    """What `meiro.solve_many` found, maze by maze.

    Attributes
    ----------
    lengths : ndarray of int64, shape (n,)
        Steps of a shortest path; -1 where there is no way.
    paths : ndarray of int32, shape (n, longest + 1, 2), or None
        The paths that `meiro.solve` finds, from start to goal, each filled up with -1; None if they were
        not asked for.

    Examples
    --------
    >>> solved = meiro.solve_many([meiro.Maze([[2, 10, 8]]), meiro.Maze([[2, 8, 0]])], paths=True)
    >>> solved.lengths.tolist(), solved.paths.tolist()
    ([2, -1], [[[0, 0], [0, 1], [0, 2]], [[-1, -1], [-1, -1], [-1, -1]]])
    """

    lengths: NDArray[np.int64]
    paths: NDArray[np.int32] | None

    def __post_init__(self) -> None:
        """Close what must not change."""
        for array in (self.lengths, self.paths):
            if array is not None:
                array.flags.writeable = False

    def __repr__(self) -> str:
        """Return one line."""
        solved = int(np.count_nonzero(self.lengths >= 0))
        longest = f", the longest of {self.lengths.max():,} steps" if solved else ""
        return f"<SolutionBatch: {solved:,} of {len(self.lengths):,} mazes{longest}>"


def solve_many(
    batch: MazeBatch | Sequence[Maze],
    starts: Places | None = None,
    goals: Places | None = None,
    *,
    paths: bool = False,
    threads: Threads = None,
    progress: Progress = False,
) -> SolutionBatch:
    """Find a shortest way through each of many mazes.

    Parameters
    ----------
    batch : MazeBatch or sequence of Maze
        Mazes of one shape, which all wrap or do not.
    starts, goals : (int, int) or array_like of int, shape (n, 2)
        Row and column, of all mazes or of each; negative ones count from the end. By default as in
        `meiro.solve`: those of the maze, else its first and last cell.
    paths : bool
        Whether the paths are kept, not only their lengths.
    threads : int or "all", optional
        How many threads share the mazes; the result is the same.
    progress : bool or callable
        True for a bar, or ``callable(done, total)`` in cells.

    Returns
    -------
    SolutionBatch
        A maze without a way, or without one of the two cells (a mask), has length -1; that is no error.

    Raises
    ------
    ValueError
        If a start or goal is outside, or the mazes differ in shape or wrap.

    Examples
    --------
    >>> many = meiro.generate_many(100, (5, 5), "wilson", rng=1)
    >>> solved = meiro.solve_many(many, paths=True)
    >>> solved, solved.paths.shape
    (<SolutionBatch: 100 of 100 mazes, the longest of 14 steps>, (100, 15, 2))
    """
    passages, wrap = _passages(batch)
    n, rows, cols = passages.shape
    begin = _places(starts, "starts", n, (rows, cols))
    end = _places(goals, "goals", n, (rows, cols))
    if begin is None or end is None:
        usual = default_endpoints_many(batch)
        begin = usual[0] if begin is None else begin
        end = usual[1] if end is None else end
    fewer = "solve fewer mazes at a time"
    require(bool(paths) * passages.size + 48 * n, f"what is known of {n:,} mazes", fewer)

    def ask(places: int) -> None:
        require(8 * n * places, f"the paths of {n:,} mazes", fewer)

    lengths, found = _core.solve_many(
        passages,
        wrap,
        _without_missing(begin, end, batch),
        end,
        ask if paths else None,
        thread_count(threads),
        reporter(progress),
    )
    return SolutionBatch(lengths, found)


def _passages(batch: MazeBatch | Sequence[Maze]) -> tuple[NDArray[np.uint8], Wrap]:
    """Return the passages of all mazes in one array, and their wrap."""
    if isinstance(batch, MazeBatch):
        return np.ascontiguousarray(batch.passages), batch.wrap
    if not isinstance(batch, Sequence) or not all(isinstance(maze, Maze) for maze in batch):
        msg = f"solve_many takes a MazeBatch or a sequence of Maze, not {short_repr(batch)}"
        raise TypeError(msg)
    if not batch:
        return np.empty((0, 1, 1), np.uint8), FLAT
    first = batch[0]
    for i, maze in enumerate(batch):
        if maze.passages.shape != first.passages.shape or maze.wrap != first.wrap:
            kinds = [f"{m.passages.shape} with wrap={m.wrap}" for m in (first, maze)]
            msg = f"mazes must be of one shape and wrap: maze 0 is {kinds[0]}, maze {i} is {kinds[1]}"
            raise ValueError(msg)
    require(len(batch) * first.passages.size, f"{len(batch):,} mazes in one array", "solve fewer at a time")
    return np.stack([maze.passages for maze in batch]), first.wrap


def _places(given: Any, name: str, n: int, shape: Shape) -> NDArray[np.int64] | None:
    """Return the number of a cell for each maze, as it was given."""
    if given is None:
        return None
    places = integers(given, name)
    if places.shape not in {(2,), (n, 2)}:
        msg = f"{name} must be (row, col), or of shape ({n}, 2), one of each maze, not {places.shape}"
        raise ValueError(msg)
    places = np.broadcast_to(places, (n, 2))
    inside = np.where(places < 0, places + shape, places)
    wrong = np.flatnonzero(np.any((inside < 0) | (inside >= shape), axis=1))
    if wrong.size:
        row, col = places[wrong[0]].tolist()
        msg = (
            f"{name} {row, col} of maze {wrong[0]} is outside: "
            f"rows 0..{shape[0] - 1}, cols 0..{shape[1] - 1} (cells)"
        )
        raise ValueError(msg)
    return inside[:, 0] * shape[1] + inside[:, 1]


def default_endpoints_many(batch: MazeBatch | Sequence[Maze]) -> NDArray[np.int64]:
    """Return the numbers of the usual start and goal of each maze, shape (2, n)."""
    numbers = np.zeros((2, len(batch)), np.int64)
    each: Sequence[int] | NDArray[np.int64] = range(len(batch))
    if isinstance(batch, MazeBatch) and len(batch):
        if batch._recipe.get("dead_ends") == "remove":  # each has a mask of its own
            left = batch.passages.reshape(len(batch), -1) != 0
            numbers[:] = left.argmax(axis=1), left.shape[1] - 1 - left[:, ::-1].argmax(axis=1)
            each = np.flatnonzero(~left.any(axis=1))  # these keep theirs
        else:
            numbers[:] = np.array(_ends_of(batch[0]))[:, np.newaxis]
            each = ()
    for i in each:
        numbers[:, i] = _ends_of(batch[int(i)])
    return numbers


def _ends_of(maze: Maze) -> tuple[int, int]:
    on = SearchSpace(maze.passages, maze)
    start, goals = resolve_endpoints(on, None, None)
    return on.number(start), int(goals[0])


def _without_missing(
    begin: NDArray[np.int64], end: NDArray[np.int64], batch: MazeBatch | Sequence[Maze]
) -> NDArray[np.int64]:
    """Return the starts, but -1 where start is goal and no cell: elsewhere passages tell."""
    begin = begin.copy()
    for i in np.flatnonzero(begin == end).tolist():
        mask = batch[i].mask
        if mask is not None and not mask.flat[begin[i]]:
            begin[i] = -1
    return begin
