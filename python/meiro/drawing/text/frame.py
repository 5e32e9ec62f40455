"""A frame of a trace as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro.drawing.numbers import frame_texts
from meiro.traces.events import Paint, State
from meiro.traces.frame_deltas import frame_colors

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from meiro.traces.frames import Frame

_SITES = np.full(16, ord("."), "<u4")
_SITES[[Paint.WALL, State.VISITED, State.FRONTIER, State.PATH, State.FILLED]] = [*map(ord, "#o+*x")]
_SITES[[State.CURRENT, Paint.START, Paint.GOAL]] = [*map(ord, "@SG")]


def frame_text(frame: Frame) -> str:
    """Return the walls at this moment with the numbers in the cells, or the sites of a searched array.

    Of an array # is a wall, o a site that was visited, * the path, @ the last event.

    Examples
    --------
    >>> print(meiro.trace((2, 2), "kruskal", order=[0, 1, 2, 3])[1])
    ┌─┬─┐
    │0 0│
    ├─┼─┤
    │2 2│
    └─┴─┘
    Cell (1, 0) is in cluster 2, cell (1, 1) in cluster 3: the wall goes; cluster 3 becomes 2.
    """
    if frame.trace.space == "cells":
        labels: ArrayLike | None = frame.labels
        if frame.labels is not None and frame.labels.min() < -1:
            texts = frame_texts(frame.labels)
            labels = np.char.rjust(texts, texts.dtype.itemsize // 4)
        return frame.maze().to_text("posts", labels=labels)
    chars = _SITES[frame_colors(frame.trace, frame.number)]
    return "\n".join("".join(map(chr, line)) for line in chars.tolist())
