"""Measuring mazes: a flat mapping of one maze, columns of many."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import checked_cell
from meiro._utils.validation import Threads, integers, thread_count
from meiro.maze._validation import mask_bytes
from meiro.maze.batch import MazeBatch
from meiro.maze.maze import Maze
from meiro.registry import MEASURES
from meiro.results.table import Table
from meiro.solvers.search_space import as_search_space, resolve_endpoints

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import CellLike
    from meiro.registry import MeasureFacts

_EXACT = 1 << 53  # whole floats from here on may be rounded


class Measures(dict[str, int | float]):
    """What `meiro.measure` tells of a maze: a number for each name, NaN where there is none.

    Attributes
    ----------
    reasons : dict of str to str
        Why there is no number, for each name that has none.

    Examples
    --------
    >>> found = meiro.measure(meiro.Maze([[6, 12], [3, 9]]), ["turns", "diameter"])
    >>> found, found.reasons
    ({'turns': 4, 'diameter': nan}, {'diameter': 'the maze has loops'})
    """

    __slots__ = ("reasons",)

    def __init__(self, values: Mapping[str, int | float], reasons: Mapping[str, str]) -> None:
        super().__init__(values)
        self.reasons: dict[str, str] = dict(reasons)


@overload
def measure(
    x: MazeBatch,
    measures: str | Iterable[str] | None = None,
    *,
    start: CellLike | Sequence[CellLike] | NDArray[np.integer[Any]] | None = None,
    goal: CellLike | Sequence[CellLike] | NDArray[np.integer[Any]] | None = None,
    road: object = None,
    threads: Threads = None,
    progress: Progress = False,
) -> Table: ...
@overload
def measure(
    x: Maze | ArrayLike,
    measures: str | Iterable[str] | None = None,
    *,
    start: CellLike | None = None,
    goal: CellLike | None = None,
    road: object = None,
    threads: Threads = None,
    progress: Progress = False,
) -> Measures: ...
def measure(
    x: Any,
    measures: str | Iterable[str] | None = None,
    *,
    start: Any = None,
    goal: Any = None,
    road: object = None,
    threads: Threads = None,
    progress: Progress = False,
) -> Measures | Table:
    """Tell numbers of a maze, or of many.

    Only what is asked for is computed. ``meiro.MEASURES`` has the formula, unit and source of each.

    Parameters
    ----------
    x : Maze, MazeBatch or array_like, shape (2 * rows + 1, 2 * cols + 1)
        An array must be a maze grid, 0 for road and 1 for wall.
    measures : str or iterable of str, optional
        Names from ``meiro.MEASURES``; all by default.
    start, goal : (int, int), optional
        The ends that the maze is solved for; those of a `Maze` by default, else its first and last cell. For
        a batch also an array of shape (n, 2), a cell for each maze.
    road : scalar, optional
        The value of a road in an array, as in `Maze.from_grid`.
    threads : int or "all"
        How many threads share the mazes of a batch; 1 by default.
    progress : bool or callable
        True for a bar, or ``callable(done, total)``, in mazes.

    Returns
    -------
    Measures or Table
        Of one maze a dict of int and float, with ``.reasons``. Of a batch a row for each maze: ``replicate``
        (uint64; ``batch.seed(i)`` has the rest of its seed) and the measures, int64, or float64 if one is no
        whole number or NaN for some maze.

    Raises
    ------
    ValueError
        If there is no such measure, the ends are not in the maze, or the array is no maze grid.

    Notes
    -----
    What cannot be told is NaN, never a wrong number: what needs a tree is not told of a maze with loops or
    in several parts, what needs a way not where there is none. All are exact but those that are no whole
    number (rounded once or twice), and whole ones from 2**53 on, which come as floats, the nearest there is.

    {measures}

    Examples
    --------
    >>> maze = meiro.generate((20, 30), rng=7)
    >>> meiro.measure(maze, ["dead_ends", "junctions", "crossroads", "diameter"])
    {'dead_ends': 169, 'junctions': 117, 'crossroads': 25, 'diameter': 104}
    >>> many = meiro.generate_many(1000, (8, 8), "kruskal", rng=7)
    >>> float(meiro.measure(many, "dead_ends")["dead_ends"].mean())
    19.63
    """
    names = measure_names(measures)
    n_threads = thread_count(threads)
    if isinstance(x, MazeBatch):
        _refuse_road(road)
        return _columns(x, names, (start, goal), n_threads, progress)
    if isinstance(x, Maze):
        _refuse_road(road)
        maze = x
    else:
        maze = Maze.from_grid(x, road=road)
    begin, goals = resolve_endpoints(as_search_space(maze), start, goal)
    if len(goals) != 1:
        msg = f"goal must be one cell, not {len(goals)}"
        raise ValueError(msg)
    require_memory(maze.passages.size, 1)
    number = np.array([begin[0] * maze.cols + begin[1]])
    asked = (maze.passages[np.newaxis], mask_bytes(maze.mask), maze.wrap, number, goals)
    (found,) = _core.measure_passages(*asked, names, 1, reporter(progress, maze.passages.size))
    values = {name: _number(value, MEASURES[name]) for name, value in zip(names, found.tolist(), strict=True)}
    missing = [name for name, value in values.items() if math.isnan(value)]
    reasons = _core.measure_reasons(*asked, missing) if missing else []
    return Measures(values, dict(zip(missing, reasons, strict=True)))


def measure_names(measures: str | Iterable[str] | None) -> list[str]:
    """Return names of measures, each once, or say which there is not."""
    if measures is None:
        return list(MEASURES)
    given = [measures] if isinstance(measures, str) else measures
    try:
        return list(dict.fromkeys(MEASURES.find(name).name for name in given))
    except TypeError:
        msg = f"measures must be names such as 'dead_ends', not {short_repr(measures)}"
        raise TypeError(msg) from None


def measure_columns(values: NDArray[np.float64], names: list[str]) -> dict[str, NDArray[Any]]:
    """Return what the core measured, (n, names), as a column for each name."""
    return {name: _column(values[:, k], MEASURES[name]) for k, name in enumerate(names)}


def _columns(
    batch: MazeBatch, names: list[str], given: tuple[Any, Any], n_threads: int, progress: Progress
) -> Table:
    masks = batch.masks
    size = batch.rows * batch.cols
    require_memory(size, min(n_threads, len(batch)))
    starts, goals = (
        _cells(end, name, batch, masks) for end, name in zip(given, ("start", "goal"), strict=True)
    )
    told = reporter(progress, size)
    passages = np.ascontiguousarray(batch.passages)
    values = _core.measure_passages(
        passages, mask_bytes(masks), batch.wrap, starts, goals, names, n_threads, told
    )
    return Table({"replicate": batch.replicates, **measure_columns(values, names)})


def _cells(end: Any, name: str, batch: MazeBatch, masks: NDArray[np.bool_] | None) -> NDArray[np.int64]:
    """Return the number of an end in each maze: one for all, one for each, or the usual ones."""
    n, shape = len(batch), (batch.rows, batch.cols)
    there = np.ones((1, *shape), np.bool_) if masks is None else masks.reshape(-1, *shape)
    flat = there.reshape(len(there), -1)
    if end is None:
        first = flat.argmax(axis=1) if name == "start" else flat.shape[1] - 1 - flat[:, ::-1].argmax(axis=1)
        return np.broadcast_to(first.astype(np.int64), (n,)).copy()
    if np.ndim(end) == 2:
        cells = integers(end, name)
        if cells.shape != (n, 2):
            msg = f"{name} must be one cell, or of shape ({n}, 2), one for each maze, not {cells.shape}"
            raise ValueError(msg)
    else:
        cells = np.broadcast_to(np.array(checked_cell(end, shape, name)), (n, 2))
    cells = np.where(cells < 0, cells + shape, cells)
    outside = ((cells < 0) | (cells >= shape)).any(axis=1)
    if outside.any():
        checked_cell(cells[outside.argmax()].tolist(), shape, f"{name} of maze {outside.argmax()}")
    numbers: NDArray[np.int64] = cells[:, 0] * shape[1] + cells[:, 1]
    gone = ~flat[np.arange(n) if len(flat) == n else np.zeros(n, np.int64), numbers]
    if gone.any():
        at = int(gone.argmax())
        msg = f"{name} {tuple(cells[at].tolist())} is masked out in maze {at}"
        raise ValueError(msg)
    return np.ascontiguousarray(numbers)


def _number(value: float, facts: MeasureFacts) -> int | float:
    return int(value) if facts.kind == "int" and abs(value) < _EXACT else value


def _column(values: NDArray[np.float64], facts: MeasureFacts) -> NDArray[Any]:
    whole = facts.kind == "int" and bool((np.abs(values) < _EXACT).all())
    return cast("NDArray[Any]", values.astype(np.int64) if whole else values.copy())


def require_memory(size: int, mazes: int) -> None:
    """Ask for the worst scratch that a measure needs: a copy, two bytes, three ids and a census."""
    a_cell = 25 if size < 1 << 32 else 41
    require(a_cell * size * mazes, f"measuring {size:,} cells", "ask for less, or take fewer threads")


def _refuse_road(road: object) -> None:
    if road is not None:
        msg = f"road= is for arrays: leave out road={road!r}"
        raise TypeError(msg)


def _formulas() -> str:
    """Return a line of the docstring for each measure."""
    lines = []
    for m in MEASURES.values():
        needs = f"; needs a {m.needs}" if m.needs else ""
        source = f" [{m.source}]" if m.source else ""
        lines.append(f"``{m.name}`` ({m.unit}{needs}): {m.about}.{source}")
    return "\n\n    ".join(lines)


if measure.__doc__:
    measure.__doc__ = measure.__doc__.replace("{measures}", _formulas())
