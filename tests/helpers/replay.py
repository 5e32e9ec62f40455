"""Frame deltas, applied."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from meiro.traces.frame_deltas import FrameDeltas


def replayed(deltas: FrameDeltas) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield the places and the numbers of the cells that the changes make, frame by frame."""
    places, numbers = deltas.first.copy(), deltas.numbers.copy()
    begin = begun = 0
    for end, ended in zip(deltas.ends.tolist(), deltas.number_ends.tolist(), strict=True):
        changes, new = deltas.changes[begin:end], deltas.renumbered[begun:ended]
        places.reshape(-1)[changes >> 4] = changes & 15
        numbers[new[:, 0]] = new[:, 1]
        yield places, numbers
        begin, begun = end, ended
