"""The colours of a trace's places, and how they change from frame to frame.

`meiro.animate`, `meiro.player` and the terminal draw traces from these and a `meiro.colors.Theme` alone:
they know neither events nor algorithms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro.mazes._outside import outside_sites
from meiro.traces.events import LEGEND, EventKind, LabelKind, Paint, State, label_kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from meiro._utils.paper import Outside
    from meiro.traces.trace import Trace

MOST_CHANGES = 8_000_000
"""Of all frames together: 32 MB."""

_MOST_PLACES = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class FrameDeltas:
    """The first picture of a trace, and what changes in each frame.

    Attributes
    ----------
    first : ndarray of uint8, shape of the drawn grid; of a lattice (n_cells + n_edges,)
        The picture before the first event: for each place an index into `meiro.colors.Theme`.
    changes : ndarray of uint32
        ``place << 4 | index`` for all frames, one after the other.
    ends : ndarray of uint32, shape (frames,)
        The number of changes up to the end of each frame.
    numbers : ndarray of int32, shape (cells,) or (0,)
        The first numbers of the cells, -1 for none; empty if there are no numbers.
    renumbered : ndarray of int32, shape (k, 2)
        Cell and new number, for all frames, one after the other.
    number_ends : ndarray of uint32, shape (frames,) or (0,)
        The number of renumbered cells up to the end of each frame.
    words : ndarray of uint64, shape (frames,) or (0,)
        The last event of each frame, as in `Trace.packed`; empty if there are no events.
    sides : ndarray of int32, shape (frames, 2) or (0, 2)
        The numbers of the cells on the two sides of this event before it, -1 for none; empty if numbers do
        not say which cells are joined.
    starts : tuple of int
        The first frame of each part of the trace.
    """

    first: NDArray[np.uint8]
    changes: NDArray[np.uint32]
    ends: NDArray[np.uint32]
    numbers: NDArray[np.int32]
    renumbered: NDArray[np.int32]
    number_ends: NDArray[np.uint32]
    words: NDArray[np.uint64]
    sides: NDArray[np.int32]
    starts: tuple[int, ...] = (0,)

    def __len__(self) -> int:
        """Return the number of frames after the first picture."""
        return len(self.ends)


def compute_deltas(
    trace: Trace, every: int = 1, *, numbers: bool = False, outside: Outside = "blank"
) -> FrameDeltas:
    """Return the changes of a trace, with one frame for `every` frames of the trace.

    Raises
    ------
    ValueError
        If there are more than `MOST_CHANGES` changes, or more places than a screen can show.
    """
    if len(trace.parts) > 1:
        deltas = (compute_deltas(part, every, numbers=numbers, outside=outside) for part in trace.parts)
        return reduce(_joined, deltas)
    if math.prod(trace.grid_shape) > _MOST_PLACES:
        places = " x ".join(map(str, trace.grid_shape))
        raise ValueError(f"a picture of {places} places is too large to be played: watch a smaller maze")
    scene: Any = trace.domain.scene(trace.result)
    parts = trace.recording.film(every * trace.every, *scene, numbers, MOST_CHANGES)  # type: ignore[call-arg]
    if parts is None:
        raise ValueError(
            f"in {len(trace):,} frames more than {MOST_CHANGES:,} places change, too many to be played: "
            f"show fewer frames by every=, more than {every}"
        )
    first, changes, ends, initial, renumbered, number_ends, sides = parts
    if not len(ends):  # without events the only frame is the first picture
        ends, number_ends = np.zeros(1, np.uint32), np.zeros(min(initial.size, 1), np.uint32)
    words = trace.last_events(np.minimum((np.arange(len(ends)) + 1) * every, len(trace)) - 1)
    first, renumbered = first.reshape(trace.grid_shape), renumbered.reshape(-1, 2)
    first = _without_outside(trace, first, outside)  # no event happens there
    return FrameDeltas(first, changes, ends, initial, renumbered, number_ends, words, sides.reshape(-1, 2))


def _joined(one: FrameDeltas, other: FrameDeltas) -> FrameDeltas:
    """Return the frames of both: the first one of `other` changes what differs from the last of `one`."""
    if one.changes.size + other.changes.size > MOST_CHANGES:
        raise ValueError(
            f"together more than {MOST_CHANGES:,} places change, too many to be played: give every="
        )
    picture, next_picture = one.first.ravel().copy(), other.first.ravel()
    picture[one.changes >> 4] = one.changes & 15  # the last change of a place counts
    differs = np.flatnonzero(picture != next_picture)
    between = differs.astype(np.uint32) << 4 | next_picture[differs]
    changes = np.concatenate([one.changes, between, other.changes])
    ends = np.concatenate([one.ends, other.ends + np.uint32(one.changes.size + between.size)])
    numbers, next_numbers = _numbered(one, other.numbers.size), _numbered(other, one.numbers.size)
    last = numbers.copy()
    last[one.renumbered[:, 0]] = one.renumbered[:, 1]
    cells = np.flatnonzero(last != next_numbers)
    bridge = np.stack([cells, next_numbers[cells]], axis=1).astype(np.int32)
    number_ends = np.empty(0, np.uint32)
    if numbers.size:
        mine, theirs = (
            deltas.number_ends if deltas.numbers.size else np.zeros(len(deltas), np.uint32)
            for deltas in (one, other)
        )
        number_ends = np.concatenate([mine, theirs + np.uint32(len(one.renumbered) + len(bridge))])
    return FrameDeltas(
        one.first,
        changes,
        ends,
        numbers,
        np.concatenate([one.renumbered, bridge, other.renumbered]),
        number_ends,
        np.concatenate([one.words, other.words]),
        np.concatenate([_sides(one), _sides(other)]),
        (*one.starts, *(len(one) + start for start in other.starts)),
    )


def _numbered(deltas: FrameDeltas, cells: int) -> NDArray[np.int32]:
    """Return the first numbers: -1 for each of the cells if only another part has numbers."""
    return deltas.numbers if deltas.numbers.size else np.full(cells, -1, np.int32)


def _sides(deltas: FrameDeltas) -> NDArray[np.int32]:
    """Return the numbers beside the event of each frame, -1 if the numbers do not say what is joined."""
    return deltas.sides if len(deltas.sides) else np.full((len(deltas), 2), -1, np.int32)


def frame_colors(trace: Trace, k: int, *, outside: Outside = "blank") -> NDArray[np.uint8]:
    """Return the index into `meiro.colors.Theme` of each place in frame `k`; -1: before the first event."""
    trace, k = trace.part_of(k)
    scene: Any = trace.domain.scene(trace.result)
    return _without_outside(trace, trace.recording.paints(trace.position(k), *scene), outside)


def _without_outside(trace: Trace, places: NDArray[np.uint8], outside: Outside) -> NDArray[np.uint8]:
    """Leave places that touch no cell blank, in the colour of the paper, and openings of a generated maze."""
    domain = trace.domain
    if domain.lattice is not None:
        return places
    places[tuple(domain.openings.T)] = 0
    if domain.mask is not None and outside == "blank":
        places[outside_sites(domain.mask, domain.wrap)] = 0
    return places


def legend_of(trace: Trace, *, clusters: bool = False) -> dict[int, str]:
    """Return the colours that the events of a run can make, and what they mean.

    With `clusters` cells that have a number show the colour of their cluster instead.
    """
    if len(trace.parts) > 1:
        return common_legend(trace.parts, clusters=clusters)
    kinds = trace.recording.kinds()
    happens = {kind for kind in EventKind if kinds >> kind & 1}
    search = trace.domain.search
    labels = label_kind(trace.algorithm, kinds)
    numbered = clusters and labels == LabelKind.AREAS  # all cells, from the first moment on
    builds = {EventKind.WALK, EventKind.BUILD, EventKind.CLOSE} & happens
    start, goal = trace.domain.endpoints(trace.result)
    made: dict[int, bool] = {
        Paint.CLOSED: not search and not numbered and EventKind.CARVE in happens,
        State.FRONTIER: labels in {LabelKind.ORDER, LabelKind.DISTANCE}
        and EventKind.VISIT in happens
        and not builds,
        State.WALK: EventKind.WALK in happens and trace.algorithm != "origin_shift",
        State.VISITED: search and EventKind.VISIT in happens,
        State.FILLED: EventKind.FILL in happens,
        State.KEPT: EventKind.KEEP in happens,
        State.GROWING: {EventKind.BUILD, EventKind.COMMIT} <= happens,
        State.TORN_DOWN: EventKind.ERASE in happens,
        State.CURRENT: bool(happens),
        State.PATH: EventKind.PATH in happens,
        Paint.START: start >= 0,
        Paint.GOAL: goal >= 0,
    }
    return {paint: text for paint, text in LEGEND.items() if made[paint]}


def common_legend(traces: Iterable[Trace], *, clusters: bool = False) -> dict[int, str]:
    """Return the colours of all these traces, and what they mean."""
    found = {paint for trace in traces for paint in legend_of(trace, clusters=clusters)}
    return {paint: text for paint, text in LEGEND.items() if paint in found}
