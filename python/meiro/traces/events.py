"""Kinds of events, states of places, and which numbers a trace writes into the cells."""

from __future__ import annotations

from meiro._core import EventKind, LabelKind, Paint, State

__all__ = ["LEGEND", "EventKind", "LabelKind", "Paint", "State", "label_kind", "label_text"]

EventKind.__doc__ = """Kind of an event, as in ``trace.events["kind"]``.

See Also
--------
meiro.Trace : The events of a run.
meiro.State : What the events make of each place.

Examples
--------
>>> trace = meiro.trace((1, 2), "kruskal", rng=7)
>>> meiro.EventKind(trace.events["kind"][0])
<EventKind.CARVE: 2>
>>> meiro.EventKind.CARVE.__doc__
'The wall of a cell in a direction is opened.'
"""

State.__doc__ = """State of a place of the drawn grid, as in `Frame.state`.

See Also
--------
meiro.Frame : A moment of a trace.

Examples
--------
>>> frame = meiro.trace((1, 2), "kruskal", rng=7)[0]
>>> [meiro.State(place).name for place in frame.state[1]]
['UNTOUCHED', 'IN_MAZE', 'IN_MAZE', 'CURRENT', 'UNTOUCHED']
"""

Paint.__doc__ = """How an untouched place, start and goal are drawn: an index into `meiro.colors.Theme`."""

EventKind.__module__ = State.__module__ = "meiro"

LEGEND: dict[int, str] = {
    Paint.CLOSED: "not in the maze yet",
    State.FRONTIER: "may come next",
    State.WALK: "on a walk",
    State.VISITED: "visited",
    State.FILLED: "filled",
    State.KEPT: "wall that stays",
    State.GROWING: "growing wall",
    State.TORN_DOWN: "torn down",
    State.CURRENT: "last step",
    State.PATH: "path",
    Paint.START: "start",
    Paint.GOAL: "goal",
}
"""What the colours of places mean, in the order of legends; walls and the maze need no words."""

_ARROWS = "↑→↓←"


def label_text(number: int) -> str:
    """Return the number of a cell, its arrow if a walk has left it, or nothing."""
    return str(number) if number >= 0 else "" if number == -1 else _ARROWS[-2 - number]


_LABELS = {
    "kruskal": LabelKind.AREAS,
    "boruvka": LabelKind.AREAS,
    "percolation": LabelKind.AREAS,
    "eller": LabelKind.SETS,
    "bfs": LabelKind.DISTANCE,
}
"""As in the textbooks; all other algorithms number the cells in the order in which they are entered."""


def label_kind(algorithm: str, kinds: int) -> LabelKind:
    """Return the labels of a trace; NONE if no cell is entered.

    `kinds` has bit ``1 << kind`` for each `EventKind` of the trace.
    """
    entered = kinds & (1 << EventKind.VISIT | 1 << EventKind.CARVE | 1 << EventKind.FILL)
    labels = _LABELS.get(algorithm, LabelKind.ORDER)
    return labels if entered or labels == LabelKind.AREAS else LabelKind.NONE
