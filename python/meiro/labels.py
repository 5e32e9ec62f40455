"""Which numbers a trace writes into the cells."""

from __future__ import annotations

from enum import IntEnum


class Labels(IntEnum):
    """As the core counts them."""

    NONE = 0
    ORDER = 1
    AREAS = 2
    SETS = 3
    DISTANCE = 4


_OF = {
    "kruskal": Labels.AREAS,
    "boruvka": Labels.AREAS,
    "percolation": Labels.AREAS,
    "eller": Labels.SETS,
    "bfs": Labels.DISTANCE,
}
"""What the articles write; of all others it is the order in which cells are entered."""


def labels_of(algorithm: str, kinds: int) -> Labels:
    """Return the labels of a trace with events of these kinds (bits); none where no cell is entered."""
    entered = kinds & (1 << EventKind.VISIT | 1 << EventKind.CARVE | 1 << EventKind.FILL)
    labels = _OF.get(algorithm, Labels.ORDER)
    return labels if entered or labels == Labels.AREAS else Labels.NONE


class EventKind(IntEnum):
    """What may happen, as ``trace.events["kind"]`` tells."""

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
