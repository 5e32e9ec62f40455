"""`Trace`: how a maze was generated or searched, with random access to every moment."""

from __future__ import annotations

import bisect
import dataclasses
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.set_module import set_module
from meiro._utils.validation import integer, integers, items_of
from meiro.maze._validation import same_mask
from meiro.traces.captions import (
    NO_EVENTS,
    PLACE_BITS,
    Pseudocode,
    describe_event,
    pseudocode_of,
)
from meiro.traces.frames import Frame, TraceDomain, frame_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._core import Recording
    from meiro._utils.square import Shape, Wrap
    from meiro.maze.maze import Maze
    from meiro.results.solution import Solution


class Frames(Sequence[Frame]):
    """A selection of the frames of a trace, each made when it is accessed."""

    __slots__ = ("_numbers", "_trace")

    def __init__(self, trace: Trace, numbers: range) -> None:
        self._trace, self._numbers = trace, numbers

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self._numbers)

    @overload
    def __getitem__(self, k: SupportsIndex) -> Frame: ...
    @overload
    def __getitem__(self, k: slice) -> Frames: ...
    def __getitem__(self, k: SupportsIndex | slice) -> Frame | Frames:
        """Return a frame, or a selection of frames."""
        if isinstance(k, slice):
            return Frames(self._trace, self._numbers[k])
        return self._trace.frame(self._numbers[frame_number(k, len(self))])

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{_count(len(self), 'Frame')} of {self._trace!r}>"


@set_module("meiro")
class Trace(Sequence[Frame]):
    """How a maze was generated or searched, event by event.

    Returned by `meiro.trace`, `meiro.trace_solve` and `meiro.trace_eller`. ``trace[k]`` is the `Frame` after
    the first ``k + 1`` events (with `every`: after ``(k + 1) * every`` events); negative k count from the
    end; slices are lazy. There is at least one frame: without events it shows the result.

    Attributes
    ----------
    result : Maze or Solution
        The same as of the untraced call.
    algorithm : str
    shape : (int, int)
        Of the maze in cells, or of the array in sites.
    space : "cells" or "sites"
        Whether a maze was generated or searched, or an array of walls and roads was searched.
    grid_shape : (int, int)
        Height and width of the drawn grid, which is the coordinate system of the events.
    wrap : (bool, bool)
        Whether the lattice is periodic along rows and columns.
    mask : ndarray of bool, shape `shape`, or None
        The cells that exist; None for all.
    events : structured ndarray with fields kind, row, col, direction
        The last event of each frame: an `EventKind`; the place in the array, or in the drawn grid (cell
        (r, c) at (2 r + 1, 2 c + 1), post (i, j) at (2 i, 2 j)); 0 to 7 for N, E, S, W, NE, SE, SW, NW, and
        -1 for no direction.
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

    def __init__(  # noqa: PLR0917  # users do not call it
        self,
        algorithm: str,
        result: Any,
        domain: TraceDomain,
        recording: Recording,
        packed: NDArray[np.uint64],
        window: tuple[int, int],
        every: int,
        repeat: Callable[[], Trace],
    ) -> None:
        packed.flags.writeable = False
        self.algorithm: str = algorithm
        self.result: Maze | Solution = result
        self.packed: NDArray[np.uint64] = packed
        self.n_events: int = recording.count()
        self.window: tuple[int, int] = window
        self.every: int = every
        self.shape: Shape = domain.shape
        self.space: Literal["cells", "sites"] = domain.space
        self.grid_shape: Shape = domain.grid_shape
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
    def before(self) -> Frame:
        """The moment before the first event of the window."""
        return self.frame(-1)

    @property
    def events(self) -> NDArray[np.void]:
        """The last event of each frame; empty if there are no events."""
        words = self.packed if self.every == 1 else self.last_events(np.arange(len(self)))
        side = "<i4" if max(self.grid_shape) < 1 << 31 else "<i8"
        kind = np.dtype([("kind", "u1"), ("row", side), ("col", side), ("direction", "i1")])
        require(len(words) * (kind.itemsize + 16), "the events", "take a window")
        events: NDArray[np.void] = np.empty(len(words), kind)
        places = words >> np.uint64(8) & np.uint64((1 << PLACE_BITS) - 1)
        events["row"], events["col"] = np.divmod(places, np.uint64(self.grid_shape[1]))
        events["kind"] = words >> np.uint64(4) & np.uint64(15)
        direction = (words & np.uint64(15)).astype(np.int8)
        events["direction"] = np.where(direction == 15, -1, direction)
        return events

    def __len__(self) -> int:
        """Return the number of frames, which is at least 1."""
        return max(-(-(self.window[1] - self.window[0]) // self.every), 1)

    @overload
    def __getitem__(self, k: SupportsIndex) -> Frame: ...
    @overload
    def __getitem__(self, k: slice) -> Frames: ...
    def __getitem__(self, k: SupportsIndex | slice) -> Frame | Frames:
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
        """Return the part that has frame `k`, and its number there; -1 is before the first frame of all."""
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
        size, (first, stop) = "x".join(map(str, self.shape)), self.window
        part = (
            "" if stop - first == self.n_events else f" ({first:,} to {stop:,} of {self.n_events:,} events)"
        )
        return f"{_count(len(self), 'frame')}{part}: {self._pseudocode().name}, {size} {self.space}"

    def __repr__(self) -> str:
        """Return one line."""
        return f"<Trace of {self.description}>"

    def position(self, k: int) -> int:
        """Return the number of events of the window up to frame `k`; -1 is the moment before the first."""
        return min((integer(k, "k", -1) + 1) * self.every, self.window[1] - self.window[0])

    def last_events(self, k: NDArray[np.intp]) -> NDArray[np.uint64]:
        """Return the last events of frames, packed; empty if there are no events."""
        size = len(self.packed)
        k = _frame_numbers(k, len(self))
        if size != len(self):  # all events are stored, not only the last one of each frame
            k = np.minimum((k + 1) * self.every, size) - 1
        return self.packed[k] if size else self.packed

    def caption(self, k: int) -> str:
        """Return the sentence of frame `k` without making the frame; -1: before the first event."""
        number = integer(k, "k", -1, len(self))
        if not self.n_events:
            return NO_EVENTS
        if number < 0 or not len(self.packed):
            return (
                f"{self.window[0]:,} events have happened." if self.window[0] else self._pseudocode().before
            )
        word = int(self.last_events(np.array(number)))
        direction = word & 15
        cells = self.shape if self.space == "cells" else None
        at = divmod(word >> 8 & (1 << PLACE_BITS) - 1, self.grid_shape[1])
        _, template = self._pseudocode().step(word)
        sides = self.recording.sides(self.position(number)) if "|" in template else (-1, -1)
        return describe_event(template, at, -1 if direction == 15 else direction, cells, sides)

    def line(self, k: int) -> int | None:
        """Return the index of the line of `source` at work in frame `k`; None if nothing has happened."""
        number = integer(k, "k", -1, len(self))
        if number < 0 or not len(self.packed):
            return None
        line, _ = self._pseudocode().step(int(self.last_events(np.array(number))))
        return line if line >= 0 else None

    def _pseudocode(self) -> Pseudocode:
        """Return the lines of the algorithm, and which of them makes which event."""
        return pseudocode_of(self.algorithm, self.recording.kinds())

    def frame(self, k: int) -> Frame:
        """Return frame `k`, which must be in range; -1 is the moment before the first event."""
        integer(k, "k", -1, len(self))
        rows, cols = self.shape
        height, width = self.grid_shape
        what = f"a frame of {height} x {width} places"
        require(height * width + 5 * rows * cols, what, "watch a smaller maze")
        note, line = self.caption(k), self.line(k)  # the moment before, so that it is replayed once
        passages, state, labels, head = self.recording.at(self.position(k))
        if self.domain.maze is not None:
            passages = self.domain.maze.passages
        place = None if head < 0 else divmod(head, width)
        return Frame(passages, state, labels, place, note, line, self, k)


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
        self.wrap, self.mask, self.domain = first.wrap, first.mask, first.domain
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
        size = "x".join(map(str, self.shape))
        names = " + ".join(code_of(part).name for part in self._parts)
        return f"{_count(len(self), 'frame')}: {names}, {size} {self.space}"

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
        part, number = self.part_of(integer(k, "k", -1, len(self)))
        done = itertools.takewhile(lambda other: other is not part, self._parts)
        return sum(other.position(len(other) - 1) for other in done) + part.position(number)

    def last_events(self, k: NDArray[np.intp]) -> NDArray[np.uint64]:
        """Return the last events of frames, packed."""
        return self.packed[_frame_numbers(k, len(self))]

    def caption(self, k: int) -> str:
        """Return the sentence of frame `k`."""
        part, number = self.part_of(integer(k, "k", -1, len(self)))
        return part.caption(number)

    def line(self, k: int) -> int | None:
        """Return the index of the line of `source` at work in frame `k`."""
        part, number = self.part_of(integer(k, "k", -1, len(self)))
        line = part.line(number)
        before = itertools.takewhile(lambda other: other is not part, self._parts)
        return None if line is None else line + sum(len(other.source) + 1 for other in before)

    def frame(self, k: int) -> Frame:
        """Return frame `k`; -1 is the moment before the first event."""
        part, number = self.part_of(integer(k, "k", -1, len(self)))
        return dataclasses.replace(part.frame(number), line=self.line(k))


def _frame_numbers(k: NDArray[np.intp], n: int) -> NDArray[np.int64]:
    numbers = integers(k, "k")
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < n):
        msg = f"k must be from 0 to {n - 1:,}, the numbers of the frames"
        raise ValueError(msg)
    return numbers


def code_of(trace: Trace) -> Pseudocode:
    """Return the lines of a trace's algorithm, and which of them makes which event."""
    return trace._pseudocode()  # noqa: SLF001  # of this module's own classes


def _require_fit(before: Trace, after: Trace) -> None:
    """Raise a ValueError unless `after` is a search of what `before` made or searched."""
    if after.domain.maze is None and after.domain.walls is None:
        msg = f"{after!r} is of a generator, which begins with an empty grid: it comes first in a sum"
        raise ValueError(msg)
    result = before.result
    maze = before.domain.maze or (result if before.domain.walls is None else None)
    if after.domain.maze is None or maze is None:
        walls = before.domain.walls, after.domain.walls
        same = walls[0] is not None and walls[1] is not None and np.array_equal(walls[0], walls[1])
        hint = "" if maze is None else ": search the Maze, meiro.trace_solve(trace.result), not its grid"
    else:
        other = after.domain.maze
        same = maze.wrap == other.wrap and same_mask(maze.mask, other.mask)
        same = same and np.array_equal(maze.passages, other.passages)  # type: ignore[union-attr]
        hint = ": they are of different mazes; meiro.trace_solve(trace.result) searches the maze of a trace"
    if not same:
        msg = f"{after!r} does not fit behind {before!r}{hint}"
        raise ValueError(msg)


_TRACES = "a Trace (see meiro.trace) or several"


def named_traces(traces: Any) -> list[tuple[str | None, Trace]]:
    """Return one trace or several as pairs of title and trace; only a mapping gives titles."""
    if isinstance(traces, Trace):
        return [(None, traces)]
    if isinstance(traces, Mapping):
        pairs: list[tuple[str | None, Trace]] = [
            (str(title), _checked(trace)) for title, trace in traces.items()
        ]
    else:
        pairs = [(None, trace) for trace in map(_checked, items_of(traces, "traces", _TRACES))]
    if not pairs:
        msg = "traces must hold at least one Trace; it is empty"
        raise ValueError(msg)
    return pairs


def _checked(trace: object) -> Trace:
    if not isinstance(trace, Trace):
        msg = f"traces must be {_TRACES}, not {short_repr(trace)}"
        raise TypeError(msg)
    return trace


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"
