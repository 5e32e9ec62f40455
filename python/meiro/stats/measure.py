"""`measure`: numbers that describe a maze, or each maze of a batch."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, SupportsIndex, cast, overload

import numpy as np

from meiro import _core
from meiro._utils.memory import fits, require
from meiro._utils.messages import listed
from meiro._utils.progress import Progress, reporter
from meiro._utils.validation import Threads, items_of, thread_count
from meiro.generators.row_stream import RowStream, refuse_ends, refuse_rows, streamed
from meiro.mazes.maze import Maze
from meiro.registry import MEASURES, MeasureFacts
from meiro.results.measures import Measures
from meiro.results.table import Table
from meiro.spaces.space_of import space_of
from meiro.stats.in_parts import IN_PARTS, measures_of, sums_of_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import CellLike, Wrap
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.spaces.space import ManyMazes, Space

_MEASURE_BYTES = 40  # a cell and edge of a lattice
_EXACT = 1 << 53  # from here on, integers in float64 may be rounded


@overload
def measure(
    x: ManyMazes,
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
        shares, and regions, enclosed_regions, loops and islands.
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
        return measures_in_parts(
            measures,
            "a stream",
            lambda names: sums_of_stream(streamed(x, rows, "measure")._replace(progress=progress), names),
        )
    refuse_rows(rows)
    space = _space(x, road)
    names = measure_names(measures, on_lattice=space.on_lattice)
    if space.one:
        begin, goals = space.endpoints(start, goal)
        if len(goals) != 1:
            raise ValueError(f"goal must be one cell, not {len(goals)}")
        starts = np.array([begin])
    else:
        ends = space.endpoint_of_each(start, goal, ("start", "goal"))
        starts, goals = (np.ascontiguousarray(np.broadcast_to(end.numbers, (space.n,))) for end in ends)
    place = space.lattice if space.on_lattice else space.shape
    require_memory(place, space.wrap, names, min(n_threads, max(space.n, 1)), n_threads if space.one else 1)
    given = space.core, starts, goals
    found = _core.measure(*given, names, n_threads, reporter(progress, 1 if space.one else space.size))
    if space.one:
        values = _numbers(found[0], names)
        return _with_reasons(values, lambda undefined: _core.measure_reasons(*given, undefined))
    return Table({"replicate": space.x.replicates, **measure_columns(found, names)})


def _space(x: Any, road: object) -> Space[Any]:
    """Return the space of mazes; an array must be the grid of one."""
    space = space_of(x, road=road)
    return space_of(Maze.from_grid(x, road=road)) if space.sites else space


def _numbers(found: NDArray[np.float64], names: list[str]) -> dict[str, int | float]:
    return {name: _number(value, MEASURES[name]) for name, value in zip(names, found.tolist(), strict=True)}


def measures_in_parts(
    measures: str | Iterable[str] | None,
    what: str,
    find: Callable[[list[str]], tuple[Sequence[int], int, int]],
) -> Measures:
    """Return measures of a maze in parts; `find` returns its sums, cells and regions, for their names."""
    names = list(IN_PARTS) if measures is None else measure_names(measures)
    for name in names:
        if name not in IN_PARTS:
            known = ", ".join(IN_PARTS)
            raise ValueError(
                f"measures: {name!r} needs the whole maze in memory; of {what} there are {known}"
            )
    values = measures_of(*find(names))
    found = {name: values[name] for name in names}
    return _with_reasons(found, lambda undefined: ["there are no passages"] * len(undefined))


def _with_reasons(values: Mapping[str, int | float], explain: Callable[[list[str]], list[str]]) -> Measures:
    """Return measures; `explain` says of those that are undefined why."""
    undefined = [name for name, value in values.items() if math.isnan(value)]
    reasons = explain(undefined) if undefined else []
    return Measures(values, dict(zip(undefined, reasons, strict=True)))


def measure_names(measures: str | Iterable[str] | None, *, on_lattice: bool = False) -> list[str]:
    """Return the names of measures, all that there are by default; on a lattice those that it has."""
    if measures is None:
        return [name for name, facts in MEASURES.items() if facts.graphs or not on_lattice]
    given = [measures] if isinstance(measures, str | bytes) else measures
    several = items_of(given, "measures", "names such as 'dead_ends'")
    names = list(dict.fromkeys(MEASURES.find(name, "measures").name for name in several))
    for name in names:
        if on_lattice and not MEASURES[name].graphs:
            able = ", ".join(measure_names(None, on_lattice=True))
            raise TypeError(
                f"{name!r} needs rows and columns, and no maze on a lattice has it; it has {able}"
            )
    return names


def measure_columns(values: NDArray[np.float64], names: list[str]) -> dict[str, NDArray[Any]]:
    """Return the values of the core, shape (n, names), as a column for each measure."""
    return {name: _column(values[:, k], MEASURES[name]) for k, name in enumerate(names)}


def require_memory(
    place: tuple[int, ...] | Lattice, wrap: Wrap, names: list[str], mazes: int, threads: int = 1
) -> None:
    """Check the memory of measures of `mazes` mazes at a time; the error says which of them need any."""
    if not isinstance(place, tuple):
        need = int(_MEASURE_BYTES * mazes * (place.n_cells + place.n_edges))
        require(need, f"measures on {place!r}", "take a smaller lattice")
        return

    def scratch(names: list[str]) -> int:
        return _core.measure_scratch((rows, cols), wrap, names, threads)

    rows, cols = place
    need = mazes * scratch(names)
    if fits(need):
        return
    needy = [name for name in names if scratch([name]) >= rows * cols]
    others = [name for name in names if name not in needy]
    ways = ["ask for fewer measures"] if len(needy) > 1 else []
    if others:
        ways.append(f"ask for {listed(others)} alone")
    if mazes > 1:
        ways.append("take fewer threads")
    msg = f"measuring {rows * cols:,} cells"
    require(need, msg, f"this is for {listed(needy)}: {', or '.join(ways) or 'measure a smaller maze'}")


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
