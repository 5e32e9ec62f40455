"""Record how a maze is generated or searched: `trace`, `trace_eller`, `trace_solve`.

A run is done twice with the same seed: the first run counts the events, the second stores them.
"""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.progress import Progress, two_pass_reporters
from meiro._utils.set_module import set_module
from meiro._utils.square import FLAT, CellLike, ShapeLike, require_shape_first
from meiro._utils.validation import integer
from meiro.generators.eller import walls_given
from meiro.generators.options import given_options
from meiro.generators.request import parse_request
from meiro.mazes.maze import maze_from_core
from meiro.registry import ALGORITHMS, Algorithm, Solver
from meiro.seeds import RNG, seed_of
from meiro.solvers.solve import parse_query
from meiro.spaces.graphs import LatticeCells
from meiro.spaces.grids import Sites
from meiro.spaces.space_of import mazes_of
from meiro.traces.domain import GraphDomain, SquareDomain, TraceDomain
from meiro.traces.events import label_kind
from meiro.traces.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.options import OpeningsWord
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.spaces.space import Goals, Space

_MAX_EVENTS = 5_000_000
_SNAPSHOT_INTERVAL = 1 << 16  # events, which are replayed in less than a millisecond
_SNAPSHOT_BYTES = 1 << 27  # of all snapshots; if they would take more, there are fewer


@set_module("meiro")  # pickles of traces name it
def trace(
    shape: ShapeLike | Lattice | Mapping[str, Any] | None = None,
    algorithm: Algorithm | str = "wilson",
    *,
    rng: RNG = None,
    grid_shape: ShapeLike | None = None,
    mask: ArrayLike | None = None,
    wrap: tuple[bool, bool] = FLAT,
    openings: OpeningsWord | ArrayLike | None = None,
    max_events: int = _MAX_EVENTS,
    window: tuple[int | None, int | None] | None = None,
    every: int | None = None,
    progress: Progress = False,
    **options: Any,
) -> Trace:
    """Generate a maze and record every step of the algorithm.

    Parameters
    ----------
    shape, algorithm, rng, grid_shape, mask, wrap, openings, progress : various, optional
        As in `meiro.generate`, lattices included. It is generated twice: the first run counts the events.
    max_events : int
        The maximum number of stored events, of 8 bytes each.
    window : (int, int)
        Store only the events from the first number up to the second, which are the ends of a slice: None is
        allowed, and negative numbers count from the end.
    every : int
        One frame for `every` events; 1 by default. If all events would be more than `max_events`, only the
        last event of each frame is stored, together with a snapshot of the maze.
    **options
        As in `meiro.generate`: ``start=`` and so on.

    Returns
    -------
    Trace
        Its ``result`` is the maze that `meiro.generate` returns for the same arguments.

    Raises
    ------
    ValueError
        If there are more than `max_events` events (the message says how many bytes they take); if
        `max_events` or `every` is less than 1; and as `meiro.generate` does.
    TypeError
        If the algorithm does not take an option, or a number is not an integer.
    MemoryError
        If the events do not fit in memory; checked before allocation.

    See Also
    --------
    meiro.trace_solve : Record a search.
    meiro.trace_eller : Record Eller's algorithm with given walls.
    meiro.animate : Make an animated picture of a trace.
    meiro.player : Play a trace in a notebook.

    Notes
    -----
    Wilson's walks go from post to post, and walls grow. ``walks="cells"`` shows the walks through cells of
    textbooks, whose loops are erased; the law is the same, the maze of a seed is not.

    Examples
    --------
    >>> trace = meiro.trace((4, 6), "backtracker", rng=7)
    >>> trace
    <Trace of 37 frames: backtracker, 4x6 cells>
    >>> trace[0].note
    'Cell (0, 0) is entered: the maze begins here.'
    >>> trace[-1].passages.tolist() == trace.result.passages.tolist()
    True
    """
    kept = _RecordingWindow(max_events, window, every)
    require_shape_first(shape, algorithm, "trace(shape, algorithm)")
    facts = ALGORITHMS.find(algorithm, "algorithm")
    request = parse_request(facts, shape, grid_shape, mask, wrap, given_options(options))
    domain: TraceDomain
    if request.lattice is not None:
        domain = GraphDomain(request.lattice)
    else:
        domain = SquareDomain(request.shape, request.mask, request.wrap)
    seed, out = seed_of(rng), request.allocate(1, 1)
    run = partial(request.run, out, seed, 1)
    recording, packed, _ = kept.record(facts.name, domain, run, out.view(np.uint8)[0], progress)
    result: Any = request.maze(out[0], seed)
    arguments: dict[str, Any] = {**request.recipe(), "rng": seed}
    if request.lattice is not None:
        arguments["shape"] = request.lattice
    if openings is not None:
        result = mazes_of(result).with_openings(openings, seed)
        domain.openings = arguments["openings"] = result.openings
    repeat = partial(trace, **arguments, **kept.arguments)
    return Trace(facts.name, result, domain, recording, packed, kept.bounds, kept.every, repeat)


@set_module("meiro")  # pickles of traces name it
def trace_eller(
    right: ArrayLike,
    lower: ArrayLike,
    *,
    max_events: int = _MAX_EVENTS,
    window: tuple[int | None, int | None] | None = None,
    every: int | None = None,
    progress: Progress = False,
) -> Trace:
    """Record how Eller's algorithm generates a maze from given walls.

    Parameters
    ----------
    right, lower : array_like
        As in `meiro.eller`.
    max_events, window, every, progress : various, optional
        As in `meiro.trace`.

    Returns
    -------
    Trace
        Its ``result`` is the maze that `meiro.eller` returns for the same walls.

    Raises
    ------
    ValueError, TypeError, MemoryError
        As `meiro.eller` and `meiro.trace` do.

    See Also
    --------
    meiro.eller : The maze alone.
    meiro.trace : Record any algorithm with random choices.

    Examples
    --------
    >>> trace = meiro.trace_eller([[0, 1, 0], [0, 0, 0]], [[0, 1, 1, 0], [0, 0, 0, 0]])
    >>> trace[3].labels.tolist()
    [[1, 2, 3, 4], [-1, -1, -1, -1]]
    """
    kept = _RecordingWindow(max_events, window, every)
    beside, below, out = walls_given(right, lower)
    domain = SquareDomain((out.shape[0], out.shape[1]))
    run = partial(_core.eller_given, beside, below, out)
    recording, packed, _ = kept.record("eller", domain, run, out, progress)
    repeat = partial(trace_eller, beside.copy(), below.copy(), **kept.arguments)
    return Trace("eller", maze_from_core(out), domain, recording, packed, kept.bounds, kept.every, repeat)


@set_module("meiro")  # pickles of traces name it
def trace_solve(
    x: Maze | GraphMaze | ArrayLike,
    start: CellLike | Hashable | None = None,
    goal: Goals | Hashable | list[Hashable] | None = None,
    *,
    algorithm: Solver | str = "bfs",
    max_events: int = _MAX_EVENTS,
    window: tuple[int | None, int | None] | None = None,
    every: int | None = None,
    progress: Progress = False,
    **options: Any,
) -> Trace:
    """Search a maze, or an array of walls and roads, and record every step of the search.

    Parameters
    ----------
    x, start, goal, algorithm, progress : various
        As in `meiro.solve`.
    max_events, window, every : various, optional
        As in `meiro.trace`.
    **options
        As in `meiro.solve`: ``directions=`` and so on.

    Returns
    -------
    Trace
        Its ``result`` is the `Solution` that `meiro.solve` returns for the same arguments.

    Raises
    ------
    ValueError
        If there are more than `max_events` events (the message says how many bytes they take); and as
        `meiro.solve` does.
    NoPathError, TypeError, MemoryError
        As `meiro.solve` and `meiro.trace` do.

    See Also
    --------
    meiro.solve : The solution alone.
    meiro.trace : Record a generator.

    Examples
    --------
    >>> maze = meiro.generate((4, 6), rng=7)
    >>> trace = meiro.trace_solve(maze, algorithm="dfs")
    >>> trace.result == meiro.solve(maze, algorithm="dfs")
    True
    >>> trace[-1].note
    'Cell (3, 5) is on the path.'
    """
    kept = _RecordingWindow(max_events, window, every)
    query = parse_query(x, start, goal, algorithm, options)
    query.space.keep()
    domain, array = _searched(query.space)
    recording, packed, found = kept.record(query.facts.name, domain, query.run, array, progress)
    result = query.solution(found)
    given = {name: deepcopy(value) for name, value in options.items() if name not in {"rng", "road"}}
    if options.get("rng") is not None or query.facts.random:
        given["rng"] = query.seed
    given |= {"x": query.space.x, "algorithm": result.algorithm}
    repeat = partial(trace_solve, start=deepcopy(start), goal=deepcopy(goal), **given, **kept.arguments)
    return Trace(result.algorithm, result, domain, recording, packed, kept.bounds, kept.every, repeat)


def _searched(space: Space[Any]) -> tuple[TraceDomain, NDArray[np.uint8]]:
    """Return where the events of a search lie, and the passages or the walls that are searched."""
    if isinstance(space, LatticeCells):
        return GraphDomain(space.lattice, space.x), space.passages[0]
    if isinstance(space, Sites):
        return SquareDomain(space.shape, None, space.wrap, walls=space.walls), space.walls
    maze = space.x
    return SquareDomain(maze.shape, maze.mask, maze.wrap, maze), maze.passages


class _RecordingWindow:
    """The part of a run that is stored: `max_events`, `window` and `every`, checked."""

    def __init__(self, max_events: object, window: Any, every: object) -> None:
        self.max_events = integer(max_events, "max_events", 1, 1 << 62)
        self.every = 1 if every is None else integer(every, "every", 1, 1 << 62)
        self.bounds = (0, 0)
        try:
            first, stop = (None, None) if window is None else window
            self._slice = slice(*(None if end is None else integer(end, "window") for end in (first, stop)))
        except (TypeError, ValueError):
            raise TypeError(
                f"window must be two numbers of events, (first, stop), not {short_repr(window)}"
            ) from None

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments that store the same part again."""
        return {"max_events": self.max_events, "window": self.bounds, "every": self.every}

    def record(
        self,
        name: str,
        domain: TraceDomain,
        run: Callable[..., Any],
        array: NDArray[np.uint8],
        progress: Progress,
    ) -> tuple[Any, NDArray[np.uint64], Any]:
        """Run twice: count the events, then store them.

        Parameters
        ----------
        name : str
            The algorithm.
        domain : TraceDomain
        run : callable
            Takes a progress callback and the recording.
        array : ndarray of uint8
            The passages that a generator writes; the passages or the walls that are searched.
        progress : bool or callable

        Returns
        -------
        recording : Recording
        packed : ndarray of uint64
            The stored events.
        result : object
            What the second run returned.
        """
        recording, (first, second) = domain.recording(), two_pass_reporters(progress)
        run(first, recording)
        packed = self._allocate(name, recording, domain, array)
        return recording, packed, run(second, recording)

    def _allocate(
        self, name: str, recording: Any, domain: TraceDomain, array: NDArray[np.uint8]
    ) -> NDArray[np.uint64]:
        """Check that the events fit, and prepare the recording of the second run."""
        first, stop, _ = self._slice.indices(recording.count())
        stop = max(first, stop)
        self.bounds = (first, stop)
        size, frames = stop - first, -(-(stop - first) // self.every)
        snapshot = domain.snapshot_bytes()
        sparse = size > self.max_events and self.every > 1
        words = frames if sparse else size
        interval = self.every if sparse else max(_SNAPSHOT_INTERVAL, -(-size * snapshot // _SNAPSHOT_BYTES))
        bytes_ = 8 * words + snapshot * (3 + size // interval)
        if words > self.max_events:
            what = f"{size:,} events" + (f" and {frames:,} frames" if sparse else "")
            raise ValueError(
                f"{name} on {domain.size} has {what}, more than max_events={self.max_events:,}; they take "
                f"{bytes_:,} bytes: keep a part by window=(first, stop), one frame of several by every=, or "
                "give a larger max_events"
            )
        require(bytes_, f"the trace of {words:,} events", "keep a part by window=, or fewer frames by every=")
        packed = np.empty(words, np.uint64)
        labels = label_kind(name, recording.kinds())
        domain.keep(recording, array, labels, (first, size, interval), sparse, packed)
        return packed
