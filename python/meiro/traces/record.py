"""Watching: how a maze is made or searched, event by event."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.progress import Progress, two_pass_reporters
from meiro._utils.square import FLAT
from meiro._utils.validation import integer
from meiro.generators.eller import walls_given
from meiro.generators.options import FACTS
from meiro.generators.request import parse_request
from meiro.maze._validation import NO_OPENINGS, as_bytes, mask_left
from meiro.maze.maze import Maze
from meiro.registry import ALGORITHMS, SOLVERS, Algorithm, Solver
from meiro.seeds import RNG, Seed, seed_of
from meiro.solvers.solve import run_solver
from meiro.traces.events import EventKind, label_kind
from meiro.traces.frames import TraceDomain
from meiro.traces.trace import Trace

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import CellLike, ShapeLike
    from meiro.solvers.search_space import Goals

_MOST = 5_000_000  # events
_APART = 1 << 16  # events from board to board, which are replayed in less than a millisecond
_BOARDS = 1 << 27  # bytes of boards; where they would take more they lie further apart


def trace(
    shape: ShapeLike | None = None,
    algorithm: Algorithm | str = "wilson",
    *,
    rng: RNG = None,
    grid_shape: ShapeLike | None = None,
    mask: ArrayLike | None = None,
    wrap: tuple[bool, bool] = FLAT,
    max_events: int = _MOST,
    window: tuple[int | None, int | None] | None = None,
    every: int | None = None,
    progress: Progress = False,
    **options: Any,
) -> Trace:
    """Make a maze and keep how it came into being.

    Parameters
    ----------
    shape, algorithm, rng, grid_shape, mask, wrap, progress
        As in `meiro.generate`; it is made twice: once to count the events.
    max_events : int
        How many events, of 8 bytes each, are kept at most.
    window : (int, int)
        Keep the events from the first number up to the second alone; both as in a slice: None, and negative
        ones that count from the end.
    every : int
        One frame for so many events. If that is what makes the frames few enough, no event between them is
        kept, and each frame takes the memory of a picture.
    **options
        As in `meiro.generate`: ``start=`` and so on.

    Returns
    -------
    Trace
        Its ``result`` is the maze that `meiro.generate` makes of the same arguments.

    Raises
    ------
    ValueError
        If there are too many events, with the bytes they would take; if `window` or `every` is none; and as
        `meiro.generate` does.
    TypeError
        If the algorithm does not take an option, or a number is no integer.
    MemoryError
        If the events cannot fit, before anything is taken.

    Examples
    --------
    >>> trace = meiro.trace((4, 6), "backtracker", rng=7)
    >>> trace
    <Trace of 37 frames: backtracker, 4x6 cells>
    >>> trace[0].note
    'Cell (0, 0) is entered.'
    >>> trace[-1].passages.tolist() == trace.result.passages.tolist()
    True
    """
    keep = _RecordingWindow(max_events, window, every)
    facts = ALGORITHMS.find(algorithm)
    given = {name: value for name, value in options.items() if value is not None or name not in FACTS}
    request = parse_request(facts, shape, grid_shape, mask, wrap, given)
    seed = seed_of(rng)
    out = request.allocate(1, 1)[0]
    there = as_bytes(request.mask)
    run = (facts.name, out, (*seed.key, seed.replicate), there, request.wrap, request.options)
    recording, told = _core.Recording(), two_pass_reporters(progress)
    _core.trace_generate(*run, told[0], recording)
    domain = TraceDomain(request.shape, request.mask, request.wrap)
    packed = keep(facts.name, recording, domain, _before(out, recording.kinds()))
    _core.trace_generate(*run, told[1], recording)
    recipe: dict[str, Any] = request.recipe(seed)
    result = Maze._made(out, mask_left(out, request.mask, recipe), NO_OPENINGS, seed, recipe, request.wrap)
    again = partial(trace, **recipe, **keep.arguments)
    return Trace(facts.name, result, domain, recording, packed, keep.bounds, keep.every, again)


def trace_eller(
    right: ArrayLike,
    lower: ArrayLike,
    *,
    max_events: int = _MOST,
    window: tuple[int | None, int | None] | None = None,
    every: int | None = None,
    progress: Progress = False,
) -> Trace:
    """Keep how Eller's algorithm makes a maze of the walls that it is told to put.

    Parameters
    ----------
    right, lower
        As in `meiro.eller`.
    max_events, window, every, progress
        As in `meiro.trace`.

    Returns
    -------
    Trace
        Its ``result`` is the maze that `meiro.eller` makes of the same walls.

    Raises
    ------
    ValueError, TypeError, MemoryError
        As `meiro.eller` and `meiro.trace` do.

    Examples
    --------
    >>> trace = meiro.trace_eller([[0, 1, 0], [0, 0, 0]], [[0, 1, 1, 0], [0, 0, 0, 0]])
    >>> trace[3].labels.tolist()
    [[1, 2, 3, 4], [-1, -1, -1, -1]]
    """
    keep = _RecordingWindow(max_events, window, every)
    beside, below, out = walls_given(right, lower)
    recording, told = _core.Recording(), two_pass_reporters(progress)
    _core.trace_eller(beside, below, out, told[0], recording)
    domain = TraceDomain((out.shape[0], out.shape[1]), None, FLAT)
    packed = keep("eller", recording, domain, _before(out, recording.kinds()))
    _core.trace_eller(beside, below, out, told[1], recording)
    again = partial(trace_eller, beside.copy(), below.copy(), **keep.arguments)
    return Trace("eller", Maze._made(out), domain, recording, packed, keep.bounds, keep.every, again)


def trace_solve(
    x: Maze | ArrayLike,
    start: CellLike | None = None,
    goal: Goals | None = None,
    *,
    algorithm: Solver | str = "bfs",
    max_events: int = _MOST,
    window: tuple[int | None, int | None] | None = None,
    every: int | None = None,
    progress: Progress = False,
    **options: Any,
) -> Trace:
    """Search a maze, or an array of walls and roads, and keep how it was searched.

    Parameters
    ----------
    x, start, goal, algorithm, progress
        As in `meiro.solve`.
    max_events, window, every
        As in `meiro.trace`.
    **options
        As in `meiro.solve`: ``directions=`` and so on.

    Returns
    -------
    Trace
        Its ``result`` is the `Solution` that `meiro.solve` finds with the same arguments.

    Raises
    ------
    ValueError
        If there are too many events, with the bytes they would take; and as `meiro.solve` does.
    NoPathError, TypeError, MemoryError
        As `meiro.solve` and `meiro.trace` do.

    Examples
    --------
    >>> maze = meiro.generate((4, 6), rng=7)
    >>> trace = meiro.trace_solve(maze, algorithm="dfs")
    >>> trace.result == meiro.solve(maze, algorithm="dfs")
    True
    >>> trace[-1].note
    'Cell (3, 5) is on the way.'
    """
    keep = _RecordingWindow(max_events, window, every)
    recording, told = _core.Recording(), two_pass_reporters(progress)
    kept: list[tuple[TraceDomain, NDArray[np.uint64], Seed]] = []

    def run(*asked: Any) -> dict[str, Any]:
        name, array, sites, wrap = asked[:4]
        array = array.copy() if sites else array  # the user's may change
        first, second = ((*asked[:-1], half, recording) for half in told)
        _core.solve(*first)
        maze = x if isinstance(x, Maze) else None
        there = None if maze is None else maze.mask
        domain = TraceDomain((array.shape[0], array.shape[1]), there, wrap, maze, array if sites else None)
        kept.append((domain, keep(name, recording, domain, array), Seed(asked[8][:2], asked[8][2])))
        return _core.solve(*second)

    result = run_solver(run, x, start, goal, algorithm=algorithm, **options)
    (domain, packed, seed) = kept[0]
    given = {name: deepcopy(value) for name, value in options.items() if name not in {"rng", "road"}}
    if options.get("rng") is not None or SOLVERS[result.algorithm].random:
        given["rng"] = seed
    given |= {"x": x if domain.walls is None else domain.walls, "algorithm": result.algorithm}
    again = partial(trace_solve, start=deepcopy(start), goal=deepcopy(goal), **given, **keep.arguments)
    return Trace(result.algorithm, result, domain, recording, packed, keep.bounds, keep.every, again)


class _RecordingWindow:
    """What of a run is kept."""

    def __init__(self, most: object, window: Any, every: object) -> None:
        self.most = integer(most, "max_events", 1)
        self.every = 1 if every is None else integer(every, "every", 1)
        self.bounds = (0, 0)
        try:
            first, stop = (None, None) if window is None else window
            self._slice = slice(*(None if end is None else integer(end, "window") for end in (first, stop)))
        except (TypeError, ValueError):
            msg = f"window must be two numbers of events, from and up to which, not {short_repr(window)}"
            raise TypeError(msg) from None

    @property
    def arguments(self) -> dict[str, Any]:
        """What keeps the same again."""
        return {"max_events": self.most, "window": self.bounds, "every": self.every}

    def __call__(
        self, name: str, recording: _core.Recording, domain: TraceDomain, start: NDArray[np.uint8]
    ) -> NDArray[np.uint64]:
        """Say what the next run keeps, if it fits; return where its events will be."""
        first, stop, _ = self._slice.indices(recording.count())
        stop = max(first, stop)
        self.bounds = (first, stop)
        size, frames = stop - first, -(-(stop - first) // self.every)
        search = domain.maze is not None or domain.space == "sites"
        board = _core.trace_bytes(domain.shape, domain.space == "sites", search)
        sparse = size > self.most and self.every > 1
        words = frames if sparse else size
        apart = self.every if sparse else max(_APART, -(-size * board // _BOARDS))
        bytes_ = 8 * words + board * (3 + size // apart)
        if words > self.most:
            what = f"{size:,} events" + (f" and {frames:,} frames" if sparse else "")
            msg = (
                f"{name} on {domain.shape} has {what}, more than max_events={self.most:,}; they take "
                f"{bytes_:,} bytes: keep a part by window=(first, stop), a frame of many by every=, or give "
                "a larger max_events"
            )
            raise ValueError(msg)
        require(bytes_, f"the trace of {words:,} events", "keep a part by window=, or less by every=")
        packed = np.empty(words, np.uint64)
        labels = label_kind(name, recording.kinds())
        mask = as_bytes(domain.mask)
        window = (first, size, apart)
        sites = domain.space == "sites"
        recording.keep(start, sites, domain.wrap, mask, search, labels, window, sparse, packed)
        return packed


def _before(made: NDArray[np.uint8], kinds: int) -> NDArray[np.uint8]:
    """Return the passages before the first event: none, or all where walls are put and nothing is opened."""
    if kinds >> EventKind.CARVE & 1:
        return np.zeros_like(made)
    if not (kinds >> EventKind.BUILD | kinds >> EventKind.CLOSE) & 1:
        return made.copy()
    start = np.full_like(made, 15)
    for rim, bit in ((np.s_[0], 1), (np.s_[:, -1], 2), (np.s_[-1], 4), (np.s_[:, 0], 8)):
        start[rim] &= np.uint8(15 - bit)
    return start
