"""A trace: how a maze was made or searched, and any moment of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro.traces.captions import NOTHING, describe_event
from meiro.traces.frames import Frame, TraceDomain, frame_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._core import Recording
    from meiro._utils.square import Shape, Wrap
    from meiro.maze.maze import Maze
    from meiro.solvers.solution import Solution


class Frames(Sequence[Frame]):
    """Some frames of a trace, made when they are asked for."""

    __slots__ = ("_places", "_trace")

    def __init__(self, trace: Trace, places: range) -> None:
        self._trace, self._places = trace, places

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._places)

    @overload
    def __getitem__(self, k: SupportsIndex) -> Frame: ...
    @overload
    def __getitem__(self, k: slice) -> Frames: ...
    def __getitem__(self, k: SupportsIndex | slice) -> Frame | Frames:
        """Return a frame, or some of them."""
        if isinstance(k, slice):
            return Frames(self._trace, self._places[k])
        return self._trace._frame(self._places[frame_number(k, len(self))])

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames."""
        return map(self._trace._frame, self._places)

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{len(self):,} Frames of {self._trace!r}>"


class Trace(Sequence[Frame]):
    """How a maze was made or searched, event by event.

    Made by `meiro.trace`, `meiro.trace_solve` and `meiro.trace_eller`. ``trace[k]`` is the `Frame` after
    ``k + 1`` of its events (with `every`: after so many times `every`), negative k count from the end, and
    slices are made when they are looked at.

    Attributes
    ----------
    result : Maze or Solution
        What came out; the same as without watching.
    algorithm : str
    shape : (int, int)
        Of the maze in cells, or of the array.
    space : "cells" or "sites"
        Whether a maze was made or searched, or an array searched as it is.
    grid_shape : (int, int)
        Height and width of what is drawn, in which events have their places.
    wrap : (bool, bool)
    mask : ndarray of bool, shape `shape`, or None
    events : structured ndarray with fields kind, row, col, direction
        What happened, an event a frame: an `EventKind`; the place in the drawn grid (cell (r, c) at
        (2 r + 1, 2 c + 1), post (i, j) at (2 i, 2 j)) or array; 0 to 7 for N, E, S, W, NE, SE, SW, NW,
        -1 for none.
    packed : ndarray of uint64
        The events that were kept, a word each: place << 8 | kind << 4 | direction (15: none).
    n_events : int
        How many the whole run had.
    window : (int, int)
        Which of them this trace has: from the first number up to the second.
    every : int
        How many happen from frame to frame.
    before : Frame
        How it was before the first of them.

    Examples
    --------
    >>> trace = meiro.trace((3, 3), "kruskal", order=[7, 2, 11, 6, 1, 10, 4, 8, 0, 3, 5, 9])
    >>> trace[0].note
    'The wall between cell (0, 1) and cell (1, 1) falls.'
    >>> trace[0].labels.tolist()
    [[0, 1, 2], [3, 1, 5], [6, 7, 8]]
    """

    def __init__(  # noqa: PLR0917  # it is not for users
        self,
        algorithm: str,
        result: Any,
        domain: TraceDomain,
        recording: Recording,
        packed: NDArray[np.uint64],
        window: tuple[int, int],
        every: int,
        again: Callable[[], Trace],
    ) -> None:
        packed.flags.writeable = False
        self.algorithm: str = algorithm
        self.result: Maze | Solution = result
        self.packed: NDArray[np.uint64] = packed
        self.n_events: int = recording.count()
        self.window: tuple[int, int] = window
        self.every: int = every
        self.domain = domain
        self.recording = recording
        self._again = again

    @property
    def shape(self) -> Shape:
        """Of the maze in cells, or of the array."""
        return self.domain.shape

    @property
    def space(self) -> Literal["cells", "sites"]:
        """Whether a maze was made or searched, or an array."""
        return self.domain.space

    @property
    def grid_shape(self) -> Shape:
        """Height and width of what is drawn."""
        return self.domain.grid

    @property
    def wrap(self) -> Wrap:
        """Whether rows and columns go on at the other side."""
        return self.domain.wrap

    @property
    def mask(self) -> NDArray[np.bool_] | None:
        """Which cells exist; None: all."""
        return self.domain.mask

    @property
    def before(self) -> Frame:
        """How it was before the first event."""
        return self._at(0, None)

    @property
    def events(self) -> NDArray[np.void]:
        """What happened, an event a frame."""
        whole = len(self.packed) == len(self)
        words = self.packed if whole else self._words(np.arange(len(self)))
        side = "<i4" if max(self.grid_shape) < 1 << 31 else "<i8"
        kind = np.dtype([("kind", "u1"), ("row", side), ("col", side), ("direction", "i1")])
        require(len(words) * (kind.itemsize + 16), "the events", "take a window")
        events: NDArray[np.void] = np.empty(len(words), kind)
        events["row"], events["col"] = np.divmod(words >> np.uint64(8), np.uint64(self.grid_shape[1]))
        events["kind"] = words >> np.uint64(4) & np.uint64(15)
        direction = (words & np.uint64(15)).astype(np.int8)
        events["direction"] = np.where(direction == 15, -1, direction)
        return events

    def __len__(self) -> int:
        """Return how many frames there are."""
        return (self.window[1] - self.window[0] + self.every - 1) // self.every

    @overload
    def __getitem__(self, k: SupportsIndex) -> Frame: ...
    @overload
    def __getitem__(self, k: slice) -> Frames: ...
    def __getitem__(self, k: SupportsIndex | slice) -> Frame | Frames:
        """Return a frame, or some of them."""
        if isinstance(k, slice):
            return Frames(self, range(len(self))[k])
        return self._frame(self._number(k))

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames."""
        return map(self._frame, range(len(self)))

    def __reduce__(self) -> tuple[Callable[[], Trace], tuple[()]]:
        """Pickle what makes it again, which is little: the run is the same for the same seed."""
        return self._again, ()

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.display_runs import trace_html

        return trace_html(self)

    def __repr__(self) -> str:
        """Return one line."""
        what, (rows, cols) = "x".join(map(str, self.shape)), self.window
        part = "" if cols - rows == self.n_events else f" ({rows:,} to {cols:,} of {self.n_events:,} events)"
        return f"<Trace of {len(self):,} frames{part}: {self.algorithm}, {what} {self.space}>"

    def _number(self, k: SupportsIndex) -> int:
        """Return the number of a frame; negative ones count from the end."""
        return frame_number(k, len(self))

    def _last(self, k: Any) -> Any:
        """Return which word is the last event of a frame."""
        return np.minimum((k + 1) * self.every, len(self.packed)) - 1

    def _frame(self, k: int) -> Frame:
        return self._at(min((k + 1) * self.every, self.window[1] - self.window[0]), self._word(k))

    def _words(self, k: Any) -> Any:
        """Return the last events of frames, which may be all that was kept."""
        return self.packed[k if len(self.packed) == len(self) else self._last(k)]

    def _word(self, k: int) -> int:
        """Return the last event of a frame."""
        return int(self._words(k))

    def _note(self, word: int) -> str:
        direction = word & 15
        cells = self.domain.shape if self.space == "cells" else None
        at = divmod(word >> 8, self.domain.grid[1])
        return describe_event(word >> 4 & 15, at, -1 if direction == 15 else direction, cells)

    def _at(self, position: int, word: int | None) -> Frame:
        rows, cols = self.domain.shape
        height, width = self.domain.grid
        what = f"a frame of {height} x {width} places"
        require(height * width + 5 * rows * cols, what, "watch a smaller maze")
        passages, state, labels, head = self.recording.at(position)
        if self.domain.maze is not None:
            passages = self.domain.maze.passages
        note = NOTHING
        if word is not None:
            note = self._note(word)
        elif head >= 0:
            note = f"{self.window[0]:,} events have happened."
        place = None if head < 0 else divmod(head, width)
        return Frame(passages, state, labels, place, note, self.domain)


def named_traces(traces: Any) -> list[tuple[str | None, Trace]]:
    """Return one trace or several, with the titles that a mapping gives them."""
    if isinstance(traces, Trace):
        return [(None, traces)]
    if isinstance(traces, Mapping):
        pairs: list[tuple[str | None, Trace]] = [(str(title), trace) for title, trace in traces.items()]
    elif isinstance(traces, Iterable):
        pairs = [(None, trace) for trace in traces]
    else:
        pairs = [(None, traces)]
    for _, trace in pairs:
        if not isinstance(trace, Trace):
            msg = f"give a Trace (see meiro.trace and meiro.trace_solve), or several, not {short_repr(trace)}"
            raise TypeError(msg)
    if not pairs:
        msg = "there is no trace to be shown: give one at least"
        raise ValueError(msg)
    return pairs
