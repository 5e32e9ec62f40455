"""What is asked of all that moves: which traces, and how quickly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from meiro.errors import shown
from meiro.traces.trace import Trace

PLAYER_FPS = (0.5, 10_000.0)
"""Frames a second of players; animations have others."""


def titled(traces: Any) -> list[tuple[str | None, Trace]]:
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
            msg = f"a Trace is shown (see meiro.trace and meiro.trace_solve), or several, not {shown(trace)}"
            raise TypeError(msg)
    if not pairs:
        msg = "there is no trace to be shown: give one at least"
        raise ValueError(msg)
    return pairs


def frames_a_second(value: Any, least: float, most: float) -> float:
    """Return frames a second, or say why they are none."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        msg = f"fps must be a number, not {shown(value)}"
        raise TypeError(msg)
    if not least <= value <= most:
        msg = f"fps must be from {least:g} to {most:,.0f} frames a second, not {shown(value)}"
        raise ValueError(msg)
    return float(value)
