"""A trace as it is shown: how each place is drawn, and what changes from frame to frame.

Who shows a trace (`meiro.animate`, `meiro.player`, the terminal) needs this and the colours of
`meiro.colors.Theme`, and knows neither events nor algorithms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell
    from meiro.traces.trace import Trace

MOST_CHANGES = 8_000_000
"""Of a film: 32 MB."""

_MOST_PLACES = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class FrameDeltas:
    """The first picture, and what changes from frame to frame.

    Attributes
    ----------
    first : ndarray of uint8, shape of the drawn grid
        Before anything happened: an index into `meiro.colors.Theme` for each place.
    changes : ndarray of uint32
        ``place << 4 | index`` of all frames one after the other.
    ends : ndarray of uint32, shape (frames,)
        How many changes have happened at the end of each frame.
    numbers : ndarray of int32, shape (cells,) or (0,)
        First, -1 where there is none; empty if there are no numbers.
    renumbered : ndarray of int32, shape (k, 2)
        Cell and number, of all frames one after the other.
    number_ends : ndarray of uint32, shape (frames,) or (0,)
        How many of them have happened at the end of each frame.
    words : ndarray of uint64, shape (frames,)
        The last event of each frame, as in `Trace.packed`.
    """

    first: NDArray[np.uint8]
    changes: NDArray[np.uint32]
    ends: NDArray[np.uint32]
    numbers: NDArray[np.int32]
    renumbered: NDArray[np.int32]
    number_ends: NDArray[np.uint32]
    words: NDArray[np.uint64]

    def __len__(self) -> int:
        """Return how many frames come after the first picture."""
        return len(self.ends)


def compute_deltas(trace: Trace, every: int = 1, *, numbers: bool = False) -> FrameDeltas:
    """Return a trace with one frame for `every` of its own.

    Raises
    ------
    ValueError
        If it would have more than `MOST_CHANGES` changes, or more places than a screen can show.
    """
    height, width = trace.grid_shape
    if height * width > _MOST_PLACES:
        msg = f"a picture of {height} x {width} places is too large to be played: watch a smaller maze"
        raise ValueError(msg)
    parts = trace.recording.film(every * trace.every, *_scene(trace), numbers, MOST_CHANGES)
    if parts is None:
        msg = (
            f"in {len(trace):,} frames more than {MOST_CHANGES:,} places change, which is too much to be "
            f"played: show fewer by every=, more than {every}"
        )
        raise ValueError(msg)
    first, changes, ends, given, renumbered, number_ends = parts
    last = np.minimum((np.arange(len(ends)) + 1) * every, len(trace)) - 1
    shape = trace.grid_shape
    return FrameDeltas(
        first.reshape(shape), changes, ends, given, renumbered.reshape(-1, 2), number_ends, trace._words(last)
    )


def frame_colors(trace: Trace, k: int) -> NDArray[np.uint8]:
    """Return how each place of the drawn grid is drawn in frame `k`; -1: before anything happened."""
    position = min((k + 1) * trace.every, trace.window[1] - trace.window[0])
    return trace.recording.paints(position, *_scene(trace))


def drawn_endpoints(trace: Trace) -> tuple[Cell | None, Cell | None]:
    """Return the places of the drawn grid where a search starts and where it shall end."""
    start, goal = trace.result.start, trace.result.goal
    if trace.space == "sites":
        return start, goal
    at = [None if end is None else (2 * end[0] + 1, 2 * end[1] + 1) for end in (start, goal)]
    return at[0], at[1]


def _scene(trace: Trace) -> tuple[NDArray[np.uint8] | None, tuple[int, int]]:
    """Return the walls of what is searched, and the places of its ends."""
    domain = trace.domain
    walls = domain.walls if domain.maze is None else domain.maze.grid
    width = trace.grid_shape[1]
    start, goal = (-1 if end is None else end[0] * width + end[1] for end in drawn_endpoints(trace))
    return walls, (start, goal)
