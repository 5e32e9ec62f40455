"""Measures of mazes in bands or chunks: sums over cells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from meiro import _core
from meiro._utils.square import FLAT
from meiro.registry import MEASURES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from meiro.generators.row_stream import StreamedMaze

# Of a band these are right although passages lead out of it: the others follow from their sums.
_SUMS = ("horizontal_passages", "vertical_passages", "dead_ends", "junctions", "crossroads", "straights")
LOCAL = tuple(name for name in MEASURES if not _core.measure_scratch((3, 3), FLAT, [name], 1))
"""What needs nothing but these sums: no memory beside the maze."""


def refuse_whole(names: Iterable[str], known: Sequence[str] = LOCAL, what: str = "a stream") -> None:
    """Raise a ValueError for a measure that needs the whole maze."""
    for name in names:
        if name not in known:
            msg = f"measures: {name!r} needs the whole maze in memory; of {what} there are {', '.join(known)}"
            raise ValueError(msg)


def local_measures(maze: StreamedMaze, names: list[str]) -> dict[str, int | float]:
    """Return measures of a maze, equal to those of `meiro.measure` of the whole."""
    sums = dict.fromkeys(_SUMS, 0)
    for band in maze.bands():
        for name, value in zip(_SUMS, _core.cell_sums(band[1:]), strict=True):
            sums[name] += value
    values = measures_of_sums(list(sums.values()), maze.rows * maze.cols)
    return {name: values[MEASURES[name].name] for name in names}


def measures_of_sums(found: Sequence[int], cells: int) -> dict[str, int | float]:
    """Return the measures in `LOCAL` of a maze by the sums that `_core.cell_sums` finds in its cells."""
    sums = dict(zip(_SUMS, found, strict=True))
    passages = sums["horizontal_passages"] + sums["vertical_passages"]
    ends, junctions, crossroads = sums["dead_ends"], sums["junctions"], sums["crossroads"]
    corridors = passages - (ends + 3 * junctions) // 2 - 2 * crossroads  # the degrees add up to 2 passages
    return {
        **sums,
        "cells": cells,
        "passages": passages,
        "corridors": corridors,
        "isolated": cells - ends - corridors - junctions - crossroads,
        "turns": corridors - sums["straights"],
        "dead_end_share": ends / cells,
        "horizontal_share": sums["horizontal_passages"] / passages if passages else math.nan,
    }
