"""The vocabulary of a trace: kinds of events, states of places, kinds of labels."""

from __future__ import annotations

from enum import IntEnum


class EventKind(IntEnum):
    """What may happen, as ``trace.events["kind"]`` tells.

    Examples
    --------
    >>> trace = meiro.trace((1, 2), "kruskal", rng=7)
    >>> meiro.EventKind(trace.events["kind"][0])
    <EventKind.CARVE: 2>
    """

    VISIT = 0
    """A place is entered for good; the direction is the one it was entered by."""
    WALK = 1
    """A step from a place in a direction, which may be undone."""
    CARVE = 2
    """The wall from a cell in a direction is opened."""
    KEEP = 3
    """The wall from a cell in a direction was looked at and stays."""
    BUILD = 4
    """A wall is built from a post in a direction."""
    ERASE = 5
    """The wall from a post in a direction is torn down again."""
    COMMIT = 6
    """What was walked or built from a place on is part of the maze now."""
    BACK = 7
    """The head goes back to a place, or comes again where it was."""
    MERGE = 8
    """The sets of a cell and of its neighbour in a direction become one."""
    CLOSE = 9
    """A wall is put from a cell in a direction."""
    PATH = 10
    """A place is on the way from start to goal; the direction is the one it is entered by."""
    FILL = 11
    """A place leads nowhere and is filled."""


class State(IntEnum):
    """What a place of the drawn grid is, in `Frame.state`.

    Examples
    --------
    >>> frame = meiro.trace((1, 2), "kruskal", rng=7)[0]
    >>> [meiro.State(place).name for place in frame.state[1]]
    ['UNTOUCHED', 'IN_MAZE', 'IN_MAZE', 'CURRENT', 'UNTOUCHED']
    """

    UNTOUCHED = 0
    FRONTIER = 1
    """Not entered, beside a place that was: it may be next."""
    WALK = 2
    """Walked on, and not yet for good."""
    IN_MAZE = 3
    """A cell or a passage of the maze that is made."""
    VISITED = 4
    """Reached by a search."""
    FILLED = 5
    """Leads nowhere."""
    PATH = 6
    """Of the way from start to goal."""
    KEPT = 7
    """A wall that was looked at and stays."""
    GROWING = 8
    """A wall that is built, and hangs on nothing yet."""
    BUILT = 9
    """A wall that was built."""
    TORN_DOWN = 10
    """A wall that was torn down, until the next one is finished."""
    CURRENT = 11
    """Where it happens."""


class LabelKind(IntEnum):
    """As the core counts them."""

    NONE = 0
    ORDER = 1
    AREAS = 2
    SETS = 3
    DISTANCE = 4


_OF = {
    "kruskal": LabelKind.AREAS,
    "boruvka": LabelKind.AREAS,
    "percolation": LabelKind.AREAS,
    "eller": LabelKind.SETS,
    "bfs": LabelKind.DISTANCE,
}
"""What the articles write; of all others it is the order in which cells are entered."""


def label_kind(algorithm: str, kinds: int) -> LabelKind:
    """Return the labels of a trace with events of these kinds (bits); none where no cell is entered."""
    entered = kinds & (1 << EventKind.VISIT | 1 << EventKind.CARVE | 1 << EventKind.FILL)
    labels = _OF.get(algorithm, LabelKind.ORDER)
    return labels if entered or labels == LabelKind.AREAS else LabelKind.NONE
