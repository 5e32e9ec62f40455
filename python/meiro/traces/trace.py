"""`Trace`: how a maze was generated or searched, with random access to every moment."""

from __future__ import annotations

import bisect
import dataclasses
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

import numpy as np

from meiro._utils.messages import short_repr
from meiro._utils.validation import integer, integers, items_of
from meiro.traces.captions import NO_EVENTS, Pseudocode, pseudocode_of
from meiro.traces.frames import frame_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._core import GraphRecording, Recording
    from meiro._utils.square import Shape, Wrap
    from meiro.lattices.lattice import Lattice
    from meiro.traces.domain import TraceDomain
    from meiro.traces.frames import Frame, GraphFrame


class Frames(Sequence[Any]):
    """A selection of the frames of a trace, each made when it is accessed."""

    __slots__ = ("_numbers", "_trace")

    def __init__(self, trace: Trace, numbers: range) -> None:
        self._trace, self._numbers = trace, numbers

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self._numbers)

    @overload
    def __getitem__(self, k: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, k: slice) -> Frames: ...
    def __getitem__(self, k: SupportsIndex | slice) -> Any:
        """Return a frame, or a selection of frames."""
        if isinstance(k, slice):
            return Frames(self._trace, self._numbers[k])
        return self._trace.frame(self._numbers[frame_number(k, len(self))])

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{_count(len(self), 'Frame')} of {self._trace!r}>"


class Trace(Sequence[Any]):
    """How a maze was generated or searched, event by event.

    Returned by `meiro.trace`, `meiro.trace_solve` and `meiro.trace_eller`. ``trace[k]`` is the `Frame` after
    the first ``k + 1`` events (with `every`: after ``(k + 1) * every`` events); negative k count from the
    end; slices are lazy. There is at least one frame: without events it shows the result.

    Attributes
    ----------
    result : Maze, Solution, GraphMaze or GraphSolution
        The same as of the untraced call.
    algorithm : str
    shape : (int, int), or (int,)
        Of the maze in cells, or of the array in sites; on a lattice the number of cells.
    space : "cells", "sites" or "graph"
        Whether a maze was generated or searched, or an array of walls and roads was searched, or a maze on a
        lattice was generated or searched.
    lattice : Lattice or None
        Where cells have no rows and columns. Frames are `GraphFrame` then.
    grid_shape : (int, int), or (int,)
        Height and width of the drawn grid, which is the coordinate system of the events; on a lattice the
        number of places: cells, then edges.
    wrap : (bool, bool)
        Whether the lattice is periodic along rows and columns.
    mask : ndarray of bool, shape `shape`, or None
        The cells that exist; None for all.
    events : structured ndarray with fields kind, row, col, direction
        The last event of each frame: an `EventKind`; the place in the array, or in the drawn grid (cell
        (r, c) at (2 r + 1, 2 c + 1), post (i, j) at (2 i, 2 j)); 0 to 7 for N, E, S, W, NE, SE, SW, NW, and
        -1 for no direction. On a lattice the fields are kind, edge, origin and cell: the edge and the two
        cells that it leads from and to, or the cell alone, with -1 for the others.
    packed : ndarray of uint64
        The stored events, a word each: clause << 60 | place << 8 | kind << 4 | direction (15: none). The
        clause is the part of the algorithm's rule that was at work.
    source : tuple of str
        The algorithm as pseudo-code, in about ten lines; `Frame.line` is the index of the line at work.
    n_events : int
        Number of events of the whole run.
    window : (int, int)
        The first event of this trace, and the first event after it.
    every : int
        Number of events from frame to frame.
    parts : tuple of Trace
        What was added by ``+``: ``meiro.trace(...) + meiro.trace_solve(maze)`` is how a maze is made, and
        then searched.
    before : Frame
        The moment before the first event of `window`.

    See Also
    --------
    meiro.animate : A trace as an animated picture.
    meiro.player : A trace with buttons, in a notebook.
    meiro.plot_trace : Frames of a trace side by side.

    Examples
    --------
    >>> trace = meiro.trace((3, 3), "kruskal", order=[7, 2, 11, 6, 1, 10, 4, 8, 0, 3, 5, 9])
    >>> trace[0].note
    'Cell (0, 1) is in cluster 1, cell (1, 1) in cluster 4: the wall goes; cluster 4 becomes 1.'
    >>> trace.source[trace[0].line]
    '        remove the wall;'
    >>> trace[0].labels.tolist()
    [[0, 1, 2], [3, 1, 5], [6, 7, 8]]
    """

    __module__ = "meiro"

    def __init__(  # noqa: PLR0917  # users do not call it
        self,
        algorithm: str,
        result: Any,
        domain: TraceDomain,
        recording: Recording | GraphRecording,
        packed: NDArray[np.uint64],
        window: tuple[int, int],
        every: int,
        repeat: Callable[[], Trace],
    ) -> None:
        packed.flags.writeable = False
        self.algorithm: str = algorithm
        self.result: Any = result
        self.packed: NDArray[np.uint64] = packed
        self.n_events: int = recording.count()
        self.window: tuple[int, int] = window
        self.every: int = every
        shape: Any = domain.shape
        grid_shape: Any = domain.grid_shape
        self.shape: Shape = shape
        self.space: Literal["cells", "sites", "graph"] = domain.space
        self.grid_shape: Shape = grid_shape
        self.lattice: Lattice | None = domain.lattice
        self.wrap: Wrap = domain.wrap
        self.mask: NDArray[np.bool_] | None = domain.mask
        self.domain = domain
        self.recording = recording
        self._repeat = repeat

    @property
    def source(self) -> tuple[str, ...]:
        """The lines of the algorithm as pseudo-code."""
        return self._pseudocode().source

    @property
    def before(self) -> Any:
        """The moment before the first event of the window."""
        return self.frame(-1)

    @property
    def events(self) -> NDArray[np.void]:
        """The last event of each frame; empty if there are no events."""
        return self.domain.events(self.packed if self.every == 1 else self.last_events(np.arange(len(self))))

    def __len__(self) -> int:
        """Return the number of frames, which is at least 1."""
        return max(-(-(self.window[1] - self.window[0]) // self.every), 1)

    @overload
    def __getitem__(self, k: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, k: slice) -> Frames: ...
    def __getitem__(self, k: SupportsIndex | slice) -> Any:
        """Return a frame, or a selection of frames."""
        return Frames(self, range(len(self)))[k]

    def __add__(self, other: Trace) -> Trace:
        """Return the frames of this trace, then those of `other`: made, then searched."""
        if not isinstance(other, Trace):
            return NotImplemented
        _require_fit(self.parts[-1], other.parts[0])
        parts = tuple(part for part in (*self.parts, *other.parts) if part.n_events)
        return JoinedTrace(parts) if len(parts) > 1 else (*parts, other)[0]

    @property
    def parts(self) -> tuple[Trace, ...]:
        """The traces that were added, in order; the trace itself if none were."""
        return (self,)

    def part_of(self, k: int) -> tuple[Trace, int]:
        """Return the part that has frame `k`, and its number there; -1 is before the first frame of all.

        Parameters
        ----------
        k : int
            The number of a frame; -1: before the first event.

        Examples
        --------
        >>> first = meiro.trace((3, 4), "prim", rng=7)
        >>> (first + meiro.trace_solve(first.result)).part_of(len(first))[1]
        0
        """
        return self, integer(k, "k", -1, len(self))

    def __reduce__(self) -> tuple[Callable[..., Trace], tuple[object, ...]]:
        """Pickle the call that repeats the run with the same seed, which is small."""
        return self._repeat, ()

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.rich_display import trace_html

        return trace_html(self)

    @property
    def description(self) -> str:
        """Number of frames, algorithm and size in one line, as in the repr."""
        first, stop = self.window
        part = (
            "" if stop - first == self.n_events else f" ({first:,} to {stop:,} of {self.n_events:,} events)"
        )
        return f"{_count(len(self), 'frame')}{part}: {self._pseudocode().name}, {self.domain.size}"

    def __repr__(self) -> str:
        """Return one line."""
        return f"<Trace of {self.description}>"

    def position(self, k: int) -> int:
        """Return the number of events of the window up to frame `k`; -1 is the moment before the first.

        Parameters
        ----------
        k : int
            The number of a frame; -1: before the first event.

        Examples
        --------
        >>> meiro.trace((3, 4), "prim", rng=7).position(0)
        1
        """
        return min((integer(k, "k", -1) + 1) * self.every, self.window[1] - self.window[0])

    def last_events(self, k: NDArray[np.intp]) -> NDArray[np.uint64]:
        """Return the last events of frames, packed; empty if there are no events.

        Parameters
        ----------
        k : ndarray of int
            The numbers of frames.

        Examples
        --------
        >>> meiro.trace((3, 4), "prim", rng=7).last_events(np.arange(2)).shape
        (2,)
        """
        size = len(self.packed)
        k = _frame_numbers(k, len(self))
        if size != len(self):  # all events are stored, not only the last one of each frame
            k = np.minimum((k + 1) * self.every, size) - 1
        return self.packed[k] if size else self.packed

    def caption(self, k: int) -> str:
        """Return the sentence of frame `k` without making the frame; -1: before the first event.

        Parameters
        ----------
        k : int
            The number of a frame; -1: before the first event.

        Examples
        --------
        >>> trace = meiro.trace((3, 4), "prim", rng=7)
        >>> trace.caption(5) == trace[5].note
        True
        """
        number = integer(k, "k", -1, len(self))
        if not self.n_events:
            return NO_EVENTS
        if number < 0 or not len(self.packed):
            return (
                f"{self.window[0]:,} events have happened." if self.window[0] else self._pseudocode().before
            )
        word = int(self.last_events(np.array(number)))
        _, template = self._pseudocode().step(word)
        sides = self.recording.sides(self.position(number)) if "|" in template else (-1, -1)
        return self.domain.describe(word, template, sides)

    def line(self, k: int) -> int | None:
        """Return the index of the line of `source` at work in frame `k`; None if nothing has happened.

        Parameters
        ----------
        k : int
            The number of a frame; -1: before the first event.

        Examples
        --------
        >>> trace = meiro.trace((3, 4), "prim", rng=7)
        >>> trace.line(5) == trace[5].line
        True
        """
        number = integer(k, "k", -1, len(self))
        if number < 0 or not len(self.packed):
            return None
        line, _ = self._pseudocode().step(int(self.last_events(np.array(number))))
        return line if line >= 0 else None

    def _pseudocode(self) -> Pseudocode:
        """Return the lines of the algorithm, and which of them makes which event."""
        kinds = self.recording.kinds()
        return pseudocode_of(self.algorithm, kinds, directions=self.domain.directions)

    def frame(self, k: int) -> Frame | GraphFrame:
        """Return frame `k`, which must be in range; -1 is the moment before the first event.

        Parameters
        ----------
        k : int
            The number of a frame; -1: before the first event.

        Examples
        --------
        >>> trace = meiro.trace((3, 4), "prim", rng=7)
        >>> bool(trace.frame(-1).passages.any()), bool(trace.frame(5).passages.any())
        (False, True)
        """
        return self.domain.frame(self, integer(k, "k", -1, len(self)))


class JoinedTrace(Trace):
    """Several traces of one maze, one after the other; each frame is one step of its timeline."""

    def __init__(self, parts: tuple[Trace, ...]) -> None:
        first, last = parts[0], parts[-1]
        self._parts = parts
        self._starts = [0, *itertools.accumulate(map(len, parts))]
        self.algorithm = " + ".join(part.algorithm for part in parts)
        self.result = last.result
        self.n_events = sum(part.position(len(part) - 1) for part in parts)
        self.window, self.every = (0, self._starts[-1]), 1
        self.shape, self.space, self.grid_shape = first.shape, first.space, first.grid_shape
        self.wrap, self.mask, self.lattice = first.wrap, first.mask, first.lattice
        self.domain = first.domain
        words = [part.last_events(np.arange(len(part))) for part in parts]
        self.packed = np.concatenate(words)
        self.packed.flags.writeable = False

    @property
    def parts(self) -> tuple[Trace, ...]:
        """The traces that were added, in order."""
        return self._parts

    def part_of(self, k: int) -> tuple[Trace, int]:
        """Return the part that has frame `k`, and its number there."""
        k = integer(k, "k", -1, len(self))
        i = max(bisect.bisect_right(self._starts, k) - 1, 0)
        return self._parts[i], k - self._starts[i]

    def __reduce__(self) -> tuple[Callable[..., Trace], tuple[object, ...]]:
        """Pickle the parts."""
        return JoinedTrace, (self._parts,)

    @property
    def description(self) -> str:
        """Number of frames, algorithms and size in one line, as in the repr."""
        names = " + ".join(code_of(part).name for part in self._parts)
        return f"{_count(len(self), 'frame')}: {names}, {self.domain.size}"

    def _pseudocode(self) -> Pseudocode:
        """Return the lines of all parts, one after the other."""
        source: list[str] = []
        steps: list[tuple[int, str]] = []
        which = b""
        for part in self._parts:
            code = code_of(part)
            source += [f"then {part.algorithm}:"] if source else []
            which += bytes(step + len(steps) for step in code.which)
            steps += [(line + len(source) if line >= 0 else line, text) for line, text in code.steps]
            source += code.source
        first = code_of(self._parts[0])
        return Pseudocode(first.name, first.before, tuple(source), tuple(steps), which)

    def position(self, k: int) -> int:
        """Return the number of events of all parts up to frame `k`."""
        part, number = self.part_of(k)
        done = itertools.takewhile(lambda other: other is not part, self._parts)
        return sum(other.position(len(other) - 1) for other in done) + part.position(number)

    def last_events(self, k: NDArray[np.intp]) -> NDArray[np.uint64]:
        """Return the last events of frames, packed."""
        return self.packed[_frame_numbers(k, len(self))]

    def caption(self, k: int) -> str:
        """Return the sentence of frame `k`."""
        part, number = self.part_of(k)
        return part.caption(number)

    def line(self, k: int) -> int | None:
        """Return the index of the line of `source` at work in frame `k`."""
        part, number = self.part_of(k)
        line = part.line(number)
        before = itertools.takewhile(lambda other: other is not part, self._parts)
        return None if line is None else line + sum(len(other.source) + 1 for other in before)

    def frame(self, k: int) -> Frame | GraphFrame:
        """Return frame `k`; -1 is the moment before the first event."""
        part, number = self.part_of(k)
        return dataclasses.replace(part.frame(number), line=self.line(k))


def _frame_numbers(k: NDArray[np.intp], n: int) -> NDArray[np.int64]:
    numbers = integers(k, "k")
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < n):
        raise ValueError(f"k must be from 0 to {n - 1:,}, the numbers of the frames")
    return numbers


def code_of(trace: Trace) -> Pseudocode:
    """Return the lines of a trace's algorithm, and which of them makes which event."""
    return trace._pseudocode()  # noqa: SLF001  # of this module's own classes


def _require_fit(before: Trace, after: Trace) -> None:
    """Raise a ValueError unless `after` is a search of what `before` made or searched."""
    if not after.domain.search:
        raise ValueError(
            f"{after!r} is of a generator, which begins with an empty grid: it comes first in a sum"
        )
    domain = before.domain
    made = before.result if not domain.search else domain.walls if domain.maze is None else domain.maze
    if not after.domain.is_result(made):
        hint = ""
        if domain.walls is None and after.domain.walls is not None:
            hint = ": search the Maze, meiro.trace_solve(trace.result), not its grid"
        elif domain.walls is None:
            hint = ": they are of different mazes; meiro.trace_solve(trace.result) searches that of a trace"
        raise ValueError(f"{after!r} does not fit behind {before!r}{hint}")


_TRACES = "a Trace (see meiro.trace) or several"


def named_traces(traces: Any) -> list[tuple[str | None, Trace]]:
    """Return one trace or several as pairs of title and trace; only a mapping gives titles."""
    if isinstance(traces, Trace):
        return [(None, traces)]
    if isinstance(traces, Mapping):
        pairs: list[tuple[str | None, Trace]] = [
            (str(title), _checked_trace(trace)) for title, trace in traces.items()
        ]
    else:
        pairs = [(None, trace) for trace in map(_checked_trace, items_of(traces, "traces", _TRACES))]
    if not pairs:
        raise ValueError("traces must hold at least one Trace; it is empty")
    return pairs


def _checked_trace(trace: object) -> Trace:
    if not isinstance(trace, Trace):
        raise TypeError(f"traces must be {_TRACES}, not {short_repr(trace)}")
    return trace


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"
