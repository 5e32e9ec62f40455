"""How thick walls are and how wide corridors: by runs of places of one kind, along rows and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SAMPLE = 2000  # rows and columns in the middle, where runs are measured


def width_of(walls: NDArray[np.uint8], kind: int, inside: NDArray[np.bool_] | None = None) -> float:
    """Return how thick walls (1) are, or how wide roads: the shorter way along rows or columns, mostly."""
    part = _middle_of(walls) == kind
    counted = part if inside is None else part & _middle_of(inside)
    if not counted.any():
        return 0.0
    return float(np.median(np.minimum(_runs(part), _runs(part.T).T)[counted]))


def _middle_of(x: NDArray[Any]) -> NDArray[Any]:
    rows, cols = (max(0, (side - _SAMPLE) // 2) for side in x.shape)
    return x[rows : rows + _SAMPLE, cols : cols + _SAMPLE]


def _runs(part: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the length of the run along its row in which each place lies; 0 where no run is."""
    out = np.zeros(part.shape, np.int32)
    ends = np.flatnonzero(np.diff(np.pad(part, ((0, 0), (1, 1))).reshape(-1).view(np.int8)))
    lengths = (ends[1::2] - ends[::2]).astype(np.int32)
    out[part] = np.repeat(lengths, lengths)
    return out
