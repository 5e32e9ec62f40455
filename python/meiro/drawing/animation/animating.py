"""Traces put into motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.validation import frames_per_second, integer
from meiro.drawing.animation.animation import Animation
from meiro.drawing.animation.frame_renderer import FrameRenderer, checked_theme
from meiro.traces.trace import named_traces

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from meiro.traces.trace import Trace

_SLOWEST, _QUICKEST = 0.02, 1000.0  # frames a second


def animate(
    traces: Trace | Iterable[Trace] | Mapping[str, Trace],
    *,
    fps: float = 20,
    every: int | None = None,
    max_frames: int = 300,
    numbers: bool = False,
    size: int = 480,
    theme: str = "light",
) -> Animation:
    """Return a moving picture of how mazes were made or searched.

    Its first frame is how it was before anything happened, its last one the end, which stays for 2 seconds.

    Parameters
    ----------
    traces : Trace, list of Trace, or dict of str to Trace
        From `meiro.trace`, `meiro.trace_solve` or `meiro.trace_eller`. Several are shown side by side, below
        their algorithms (or the names that a dict gives them) and the counts of the events that have
        happened. All go on by the same number of events, and who is finished waits.
    fps : float
        Frames a second, 0.02 to 1000.
    every : int, optional
        Events from frame to frame. Default: the fewest that come to no more than `max_frames` frames.
    max_frames : int
        The most frames, where `every` is not given.
    numbers : bool
        Write the numbers of the articles into the cells, as `Frame.labels` has them.
    size : int
        Pixels that the longer side of each maze has, about; a cell has 40 at most.
    theme : "light" or "dark"
        The colours: `meiro.colors.THEMES`.

    Returns
    -------
    Animation
        Nothing is drawn before it is asked for.

    Raises
    ------
    ValueError
        If there is no trace, a number is out of its range, or the cells are too small for `numbers`: the
        message says from which `size` on they can be read.
    TypeError
        If something is no trace, or a number is none.
    ImportError
        If there is something to write and Pillow is not installed.
    MemoryError
        If a picture cannot fit, before anything is taken.

    Examples
    --------
    >>> maze = meiro.generate((8, 12), rng=7)
    >>> searches = [meiro.trace_solve(maze, algorithm=name) for name in ("dfs", "bfs")]
    >>> animation = meiro.animate(searches)
    >>> animation
    <Animation of 137 frames, 365 x 1,006 pixels, 20 a second>
    >>> animation.save("search.gif")
    """
    pairs = named_traces(traces)
    listed = [trace for _, trace in pairs]
    alone = len(pairs) == 1 and pairs[0][0] is None
    titles = None if alone else [title or trace.algorithm for title, trace in pairs]
    speed = frames_per_second(fps, _SLOWEST, _QUICKEST)
    most = integer(max_frames, "max_frames", 1)
    span = max(trace.window[1] - trace.window[0] for trace in listed)
    if every is None:
        unit = min(trace.every for trace in listed)
        step = unit * max(-(-span // (unit * max(most - 1, 1))), 1)
    else:
        step = integer(every, "every", 1)
        most = span + 1
    moments = np.append(np.arange(0, span if most > 1 else 0, step), span)
    renderer = FrameRenderer(
        listed, titles, numbers=bool(numbers), size=integer(size, "size", 1), theme=checked_theme(theme)
    )
    return Animation(renderer, moments, speed)
