"""`measure`: numbers that describe a maze, or each maze of a batch."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, SupportsIndex, cast, overload

import numpy as np

from meiro import _core
from meiro._utils.arrays import refuse_road
from meiro._utils.memory import fits, require
from meiro._utils.messages import listed
from meiro._utils.progress import Progress, reporter
from meiro._utils.set_module import set_module
from meiro._utils.validation import Threads, items_of, thread_count
from meiro.generators.row_stream import RowStream, refuse_ends, refuse_rows, streamed
from meiro.graphs.graph_batch import GraphBatch
from meiro.graphs.graph_maze import GraphMaze
from meiro.lattices.lattice import graph_of
from meiro.maze._validation import mask_bytes
from meiro.maze.batch import MazeBatch
from meiro.maze.maze import Maze
from meiro.registry import MEASURES, MeasureFacts
from meiro.results.table import Table
from meiro.solvers.batch_cells import cell_numbers, default_numbers
from meiro.solvers.graph_cells import batch_cells, graph_ends, one_graph, require_graph_memory
from meiro.solvers.search_space import as_search_space, resolve_endpoints
from meiro.stats.stream_sums import LOCAL, local_measures, refuse_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import CellLike, Shape, Wrap
    from meiro.lattices.lattice import Lattice

_EXACT = 1 << 53  # from here on, integers in float64 may be rounded


@set_module("meiro")
class Measures(dict[str, int | float]):
    """The measures of a maze: a number for each name, NaN where the measure is undefined.

    Attributes
    ----------
    reasons : dict of str to str
        For each undefined measure, why it is undefined.

    See Also
    --------
    meiro.measure : Measure a maze.

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
    x: MazeBatch | GraphBatch,
    measures: str | Iterable[str] | None = None,
    *,
    start: Hashable | Sequence[CellLike] | NDArray[np.integer[Any]] | None = None,
    goal: Hashable | Sequence[CellLike] | NDArray[np.integer[Any]] | None = None,
    road: object = None,
    threads: Threads = None,
    progress: Progress = False,
) -> Table: ...
@overload
def measure(
    x: Maze | GraphMaze | RowStream | ArrayLike,
    measures: str | Iterable[str] | None = None,
    *,
    start: CellLike | Hashable | None = None,
    goal: CellLike | Hashable | None = None,
    road: object = None,
    rows: SupportsIndex | None = None,
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
    rows: SupportsIndex | None = None,
    threads: Threads = None,
    progress: Progress = False,
) -> Measures | Table:
    """Measure a maze, or every maze of a batch.

    Only the requested measures are computed. ``meiro.MEASURES`` has the formula, unit and source of each.

    Parameters
    ----------
    x : Maze, MazeBatch, GraphMaze, GraphBatch, RowStream or array_like, shape (2 * rows + 1, 2 * cols + 1)
        An array must be the grid of a maze, 0 for road and 1 for wall. A stream is measured in the memory of
        some rows, and goes on afterwards from where it is: its beginning.
    measures : str or iterable of str, optional
        Names from ``meiro.MEASURES``; all by default. On a lattice those whose ``graphs`` is true: they speak
        of no rows, columns, turns and walls. Of a stream those that count cells and passages, or their
        shares.
    start, goal : (int, int), optional
        The cells between which the maze is solved; `Maze.endpoints` by default. For a batch also an array of
        shape (n, 2), a cell for each maze. On a lattice numbers of cells, or labels; for a `GraphBatch` one
        for all mazes, or n of them.
    road : scalar or sequence of scalars, optional
        The value of a road in an array, as in `Maze.from_grid`.
    rows : int, optional
        The number of rows of the maze of a stream.
    threads : int or "all"
        Number of threads, 1 by default, that share the mazes of a batch, or the rows of one maze; the values
        do not depend on it. A maze on a lattice and a stream take one.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``: in mazes of a batch, in cells of one maze or
        a stream.

    Returns
    -------
    Measures or Table
        For one maze a dict of int and float, with ``.reasons``. For a batch a table with a row for each maze:
        ``replicate`` (uint64; ``batch.seed(i)`` is the whole seed) and the measures, as int64, or float64 if
        a value is not an integer or NaN.

    Raises
    ------
    ValueError
        If a measure does not exist, start or goal is not a cell of the maze, or the array is not the grid of
        a maze.
    TypeError
        If `measures` does not hold names, `road` is given for a maze, or a maze on a lattice does not have a
        measure.
    MemoryError
        If there is too little memory; the message says which of the measures need it.

    See Also
    --------
    meiro.survey : Generate and measure many mazes without keeping them.
    meiro.check : Components, loops and islands of any array.
    meiro.dask.measure : Mazes that no single memory holds.
    meiro.position_map : The mean of a local measure in each cell.

    Notes
    -----
    An undefined measure is NaN: measures of trees are undefined for a maze with loops or several components,
    measures of a path if the goal is not reachable. All values are exact, except that fractions are rounded
    once or twice and integers from 2**53 on are the nearest float64.

    Memory is taken for what is asked. Measures that count cells and passages, from ``cells`` to
    ``dead_end_share`` below, need none, so a maze in a file (`meiro.io.open_memmap`) may be larger than
    memory. Nor do ``regions``, ``enclosed_regions``, ``loops`` and ``islands``, if these are asked alone of a
    large maze without `wrap`, but for some rows. The lengths of dead ends take a byte a cell, all measures 19
    to 25, and nearly twice as many from 2**32 cells on.

    {measures}

    References
    ----------
    .. [1] M. S. McClendon, "The complexity and difficulty of a maze", Bridges (2001) 213.
    .. [2] W. D. Pullen, "Maze Algorithms", Think Labyrinth!, https://www.astrolog.org/labyrnth/algrithm.htm
    .. [3] H. Wiener, "Structural determination of paraffin boiling points", J. Am. Chem. Soc. 69 (1947)
       17-20. doi:10.1021/ja01193a005
    .. [4] C. Jordan, "Sur les assemblages de lignes", J. Reine Angew. Math. 70 (1869) 185-190.
       doi:10.1515/crll.1869.70.185
    .. [5] S. S. Manna, D. Dhar and S. N. Majumdar, "Spanning trees in two dimensions", Phys. Rev. A 46 (1992)
       R4471-R4474. doi:10.1103/PhysRevA.46.R4471
    .. [6] D. Aldous and J. A. Fill, "Reversible Markov Chains and Random Walks on Graphs" (2002), chapter 5.

    Examples
    --------
    >>> maze = meiro.generate((20, 30), rng=7)
    >>> meiro.measure(maze, ["dead_ends", "junctions", "crossroads", "diameter"])
    {'dead_ends': 169, 'junctions': 117, 'crossroads': 25, 'diameter': 104}
    >>> many = meiro.generate_many((8, 8), "kruskal", 1000, rng=7)
    >>> float(meiro.measure(many, "dead_ends")["dead_ends"].mean())
    19.63
    """
    n_threads = thread_count(threads)
    if isinstance(x, RowStream):
        refuse_ends(x, road=road, start=start, goal=goal)
        names = list(LOCAL) if measures is None else measure_names(measures)
        refuse_whole(names)
        values = local_measures(streamed(x, rows, "measure")._replace(progress=progress), names)
        return with_reasons(values, lambda undefined: ["there are no passages"] * len(undefined))
    refuse_rows(rows)
    if isinstance(x, GraphMaze | GraphBatch):
        refuse_road(road)
        return _measure_graphs(x, measures, (start, goal), n_threads, progress)
    names = measure_names(measures)
    if isinstance(x, Maze | MazeBatch):
        refuse_road(road)
    if isinstance(x, MazeBatch):
        return _measure_batch(x, names, (start, goal), n_threads, progress)
    maze = x if isinstance(x, Maze) else Maze.from_grid(x, road=road)
    begin, goals = resolve_endpoints(as_search_space(maze), start, goal)
    if len(goals) != 1:
        msg = f"goal must be one cell, not {len(goals)}"
        raise ValueError(msg)
    require_memory((maze.rows, maze.cols), maze.wrap, names, 1, n_threads)
    number = np.array([begin[0] * maze.cols + begin[1]])
    given = (maze.passages[np.newaxis], mask_bytes(maze.mask), maze.wrap, number, goals)
    (found,) = _core.measure_passages(*given, names, n_threads, reporter(progress))
    return with_reasons(_numbers(found, names), lambda undefined: _core.measure_reasons(*given, undefined))


def _numbers(found: NDArray[np.float64], names: list[str]) -> dict[str, int | float]:
    return {name: _number(value, MEASURES[name]) for name, value in zip(names, found.tolist(), strict=True)}


def with_reasons(values: Mapping[str, int | float], explain: Callable[[list[str]], list[str]]) -> Measures:
    """Return measures; `explain` says of those that are undefined why."""
    undefined = [name for name, value in values.items() if math.isnan(value)]
    reasons = explain(undefined) if undefined else []
    return Measures(values, dict(zip(undefined, reasons, strict=True)))


def _measure_graphs(
    x: GraphMaze | GraphBatch,
    measures: str | Iterable[str] | None,
    endpoints: tuple[Any, Any],
    n_threads: int,
    progress: Progress,
) -> Measures | Table:
    names = graph_measure_names(measures)
    lattice, mazes = x.lattice, one_graph(x)
    require_memory_on(lattice, min(n_threads, max(len(mazes), 1)))
    if isinstance(x, GraphMaze):
        begin, ends = graph_ends(x, *endpoints)
        if len(ends) != 1:
            msg = f"goal must be one cell, not {len(ends)}"
            raise ValueError(msg)
        starts, goals = np.array([begin]), ends
    else:
        starts, goals = (batch_cells(x, endpoints[i], ("start", "goal")[i], i) for i in (0, 1))
    given = graph_of(lattice), mazes, starts, goals
    told = reporter(progress, 1 if isinstance(x, GraphMaze) else lattice.n_cells)
    values = _core.measure_on_graph(*given, names, n_threads, told)
    if isinstance(x, GraphMaze):
        return with_reasons(_numbers(values[0], names), lambda some: _core.reasons_on_graph(*given, some))
    return Table({"replicate": x.replicates, **measure_columns(values, names)})


def graph_measure_names(measures: str | Iterable[str] | None) -> list[str]:
    """Return the names of measures of mazes on lattices; TypeError for one that needs rows and columns."""
    able = [m.name for m in MEASURES.values() if m.graphs]
    names = able if measures is None else measure_names(measures)
    for name in names:
        if name not in able:
            msg = (
                f"{name!r} needs rows and columns, and no maze on a lattice has it; it has {', '.join(able)}"
            )
            raise TypeError(msg)
    return names


def measure_names(measures: str | Iterable[str] | None) -> list[str]:
    """Return the names of measures without duplicates; ValueError for an unknown name."""
    if measures is None:
        return list(MEASURES)
    given = [measures] if isinstance(measures, str) else measures
    several = items_of(given, "measures", "names such as 'dead_ends'")
    return list(dict.fromkeys(MEASURES.find(name, "measures").name for name in several))


def measure_columns(values: NDArray[np.float64], names: list[str]) -> dict[str, NDArray[Any]]:
    """Return the values of the core, shape (n, names), as a column for each measure."""
    return {name: _column(values[:, k], MEASURES[name]) for k, name in enumerate(names)}


def require_memory(shape: Shape, wrap: Wrap, names: list[str], mazes: int, threads: int = 1) -> None:
    """Check the memory of measures of `mazes` mazes at a time; the error says which of them need any."""
    need = mazes * _core.measure_scratch(shape, wrap, names, threads)
    if fits(need):
        return
    size = shape[0] * shape[1]
    needy = [name for name in names if _core.measure_scratch(shape, wrap, [name], threads) >= size]
    others = [name for name in names if name not in needy]
    ways = ["ask for fewer measures"] if len(needy) > 1 else []
    if others:
        ways.append(f"ask for {listed(others)} alone")
    if mazes > 1:
        ways.append("take fewer threads")
    msg = f"measuring {size:,} cells"
    require(need, msg, f"this is for {listed(needy)}: {', or '.join(ways) or 'measure a smaller maze'}")


def require_memory_on(lattice: Lattice, mazes: int) -> None:
    """Check the memory of measures of `mazes` mazes at a time on a lattice."""
    require_graph_memory(lattice, 40 * mazes, "measures")


def _measure_batch(
    batch: MazeBatch, names: list[str], endpoints: tuple[Any, Any], n_threads: int, progress: Progress
) -> Table:
    masks, size = batch.masks, batch.rows * batch.cols
    each = n_threads if len(batch) == 1 else 1
    require_memory((batch.rows, batch.cols), batch.wrap, names, min(n_threads, len(batch)), each)
    start, goal = endpoints
    starts = _endpoint_numbers(start, "start", batch, masks)
    goals = _endpoint_numbers(goal, "goal", batch, masks)
    given = np.ascontiguousarray(batch.passages), mask_bytes(masks), batch.wrap, starts, goals
    values = _core.measure_passages(*given, names, n_threads, reporter(progress, size))
    return Table({"replicate": batch.replicates, **measure_columns(values, names)})


def _endpoint_numbers(
    given: Any, name: str, batch: MazeBatch, masks: NDArray[np.bool_] | None
) -> NDArray[np.int64]:
    """Return the cell number of start or goal in each maze."""
    numbers = cell_numbers(given, name, len(batch), (batch.rows, batch.cols))
    if numbers is None:
        numbers = default_numbers(batch)[0 if name == "start" else 1]
    elif masks is not None:
        size = batch.rows * batch.cols
        exists = np.broadcast_to(masks.reshape(-1, size), (len(batch), size))
        outside = ~exists[np.arange(len(batch)), numbers]
        if outside.any():
            i = int(outside.argmax())
            msg = f"{name} {divmod(int(numbers[i]), batch.cols)} is masked out in maze {i}"
            raise ValueError(msg)
    return np.ascontiguousarray(numbers)


def _number(value: float, facts: MeasureFacts) -> int | float:
    return int(value) if facts.kind == "int" and abs(value) < _EXACT else value


def _column(values: NDArray[np.float64], facts: MeasureFacts) -> NDArray[Any]:
    whole = facts.kind == "int" and bool((np.abs(values) < _EXACT).all())
    return cast("NDArray[Any]", values.astype(np.int64) if whole else values.copy())


def _formulas() -> str:
    """Return a line of the docstring of `measure` for each measure."""
    lines = []
    for m in MEASURES.values():
        needs = f"; needs a {m.needs}" if m.needs else ""
        source = f" [{m.source}]" if m.source else ""
        lines.append(f"``{m.name}`` ({m.unit}{needs}): {m.about}.{source}")
    return "\n\n    ".join(lines)


if measure.__doc__:
    measure.__doc__ = measure.__doc__.replace("{measures}", _formulas())
