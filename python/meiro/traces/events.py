"""Kinds of events, states of places, and the kind of numbers that a trace writes into the cells."""

from __future__ import annotations

from enum import IntEnum

from meiro._utils.set_module import set_module


@set_module("meiro")
class EventKind(IntEnum):
    """Kind of an event, as in ``trace.events["kind"]``.

    See Also
    --------
    meiro.Trace : The events of a run.
    meiro.State : What the events make of each place.

    Examples
    --------
    >>> trace = meiro.trace((1, 2), "kruskal", rng=7)
    >>> meiro.EventKind(trace.events["kind"][0])
    <EventKind.CARVE: 2>
    """

    VISIT = 0
    """A place is entered for good; the direction is the one in which it was entered."""
    WALK = 1
    """A step from a place in a direction, which may be undone."""
    CARVE = 2
    """The wall of a cell in a direction is opened."""
    KEEP = 3
    """The wall of a cell in a direction is considered and stays."""
    BUILD = 4
    """A wall is built from a post in a direction."""
    ERASE = 5
    """The wall from a post in a direction is torn down again."""
    COMMIT = 6
    """The walk or wall that began at a place is now part of the maze."""
    BACK = 7
    """The head returns to a place."""
    MERGE = 8
    """The set of a cell and the set of its neighbour in a direction are joined."""
    CLOSE = 9
    """A wall is put beside a cell in a direction."""
    PATH = 10
    """A place is on the path from start to goal; the direction is the one in which it is entered."""
    FILL = 11
    """A place is recognized as part of a dead end and filled."""


@set_module("meiro")
class State(IntEnum):
    """State of a place of the drawn grid, as in `Frame.state`.

    See Also
    --------
    meiro.Frame : A moment of a trace.

    Examples
    --------
    >>> frame = meiro.trace((1, 2), "kruskal", rng=7)[0]
    >>> [meiro.State(place).name for place in frame.state[1]]
    ['UNTOUCHED', 'IN_MAZE', 'IN_MAZE', 'CURRENT', 'UNTOUCHED']
    """

    UNTOUCHED = 0
    FRONTIER = 1
    """Not entered, but adjacent to an entered place: it may be next."""
    WALK = 2
    """Part of a walk that may still be undone."""
    IN_MAZE = 3
    """A cell or passage of the maze under construction."""
    VISITED = 4
    """Reached by a search."""
    FILLED = 5
    """A filled part of a dead end."""
    PATH = 6
    """On the path from start to goal."""
    KEPT = 7
    """A wall that was considered and stays."""
    GROWING = 8
    """A wall that is being built, not yet connected to the other walls."""
    BUILT = 9
    """A wall that was built."""
    TORN_DOWN = 10
    """A wall that was torn down, until the next one is finished."""
    CURRENT = 11
    """The place of the last event."""


class LabelKind(IntEnum):
    """Meaning of the numbers in the cells."""

    NONE = 0
    ORDER = 1
    AREAS = 2
    SETS = 3
    DISTANCE = 4


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
