"""Which numbers a trace writes into the cells."""

from __future__ import annotations

from enum import IntEnum

from meiro.traces.frames import EventKind


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
