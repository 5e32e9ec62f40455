"""Measures of mazes in parts, bands of rows or chunks: sums over cells, and regions joined at the rims."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.square import FLAT, E, N, S, W, close_border
from meiro.generators.pieces import joined_size
from meiro.lattices.lattice import Lattice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro.generators.row_stream import StreamedMaze

_SIDES = (N, E, S, W)
_OF_REGIONS = ("regions", "enclosed_regions", "loops", "islands")


def sums_of_stream(maze: StreamedMaze, names: list[str]) -> tuple[Sequence[int], int, int]:
    """Return sums, cells and regions of a maze; the regions are counted where a measure needs them."""
    sums: Sequence[int] = [0] * 6
    whole, first = None, 0
    for band in maze.bands():
        rows = band[1:]
        if not set(names).isdisjoint(_OF_REGIONS):
            part = reduced(rows, (first, 0))
            whole = part if whole is None else merged(whole, part)
        else:
            sums = [x + y for x, y in zip(sums, _core.cell_sums(rows), strict=True)]
        first += len(rows)
    cells = maze.rows * maze.cols
    return (sums, cells, 1) if whole is None else (whole.sums, cells, whole.regions)


def measures_of(sums: Sequence[int], cells: int, regions: int) -> dict[str, int | float]:
    """Return the measures that follow from the sums that `_core.cell_sums` finds, which add up over parts."""
    east, south, ends, junctions, crossroads, straights = sums
    passages = east + south
    corridors = passages - (ends + 3 * junctions) // 2 - 2 * crossroads  # the degrees add up to 2 passages
    loops = passages - cells + regions
    return {
        "cells": cells,
        "passages": passages,
        "horizontal_passages": east,
        "vertical_passages": south,
        "horizontal_share": east / passages if passages else math.nan,
        "isolated": cells - ends - corridors - junctions - crossroads,
        "dead_ends": ends,
        "corridors": corridors,
        "junctions": junctions,
        "crossroads": crossroads,
        "straights": straights,
        "turns": corridors - straights,
        "dead_end_share": ends / cells,
        "regions": regions,
        "enclosed_regions": regions - 1,
        "loops": loops,
        "islands": loops,  # without a periodic border there is an island of walls in each independent cycle
    }


IN_PARTS = tuple(measures_of((0,) * 6, 1, 1))
"""The measures of a maze in parts."""


class Part(NamedTuple):
    """A rectangle of passages: what its neighbours must know, and counts of what is inside.

    For each side (north, east, south, west): the component of each cell, and whether a passage leads out.
    """

    at: tuple[int, int]
    size: tuple[int, int]
    rims: tuple[tuple[NDArray[np.int64], NDArray[np.bool_]], ...]
    inside: int
    sums: tuple[int, ...]  # of `_core.cell_sums`, which add up

    @property
    def regions(self) -> int:
        """The number of regions, of which none goes on outside."""
        return self.inside + len(np.unique(np.concatenate([labels for labels, _ in self.rims])))


def reduced(block: NDArray[np.uint8], at: tuple[int, int]) -> Part:
    """Return a rectangle of passages, whose first cell is `at`, as a part."""
    require(8 * block.size, f"counting in a part of {block.shape}", "take smaller ones")
    inner = block.copy()
    close_border(inner)
    (labels,), (n,) = _core.components((inner[np.newaxis], None, FLAT), 1)
    lines: tuple[Any, ...] = (np.s_[0], np.s_[:, -1], np.s_[-1], np.s_[:, 0])
    rims = [
        (labels[line].astype(np.int64), (block[line] & side) != 0)
        for line, side in zip(lines, _SIDES, strict=True)
    ]
    return _numbered(at, block.shape, rims, int(n), tuple(_core.cell_sums(block)))


def merged(a: Part, b: Part) -> Part:
    """Return two parts, the second below or to the right of the first, as one."""
    below = a.at[1] == b.at[1]
    near, far = (2, 0) if below else (1, 3)
    (one, out), (other, back) = a.rims[near], b.rims[far]
    if (out != back).any():
        row, col = b.at
        raise ValueError(
            f"passages: one across the border of the chunks at ({row}, {col}) is open on one side only"
        )
    counts = [1 + max(int(labels.max()) for labels, _ in part.rims) for part in (a, b)]
    across = np.stack([one[out], other[out] + counts[0]], axis=1)
    joined = Lattice(sum(counts), across).components
    ours = [(joined[labels], leads) for labels, leads in a.rims]
    theirs = [(joined[labels + counts[0]], leads) for labels, leads in b.rims]
    rims: list[Any] = []
    for side in range(4):
        if side == near:
            rims.append(theirs[side])
        elif side == far:
            rims.append(ours[side])
        else:
            rims.append(tuple(np.concatenate(two) for two in zip(ours[side], theirs[side], strict=True)))
    size = joined_size(a.at, a.size, b.at, b.size)
    regions = a.inside + b.inside + len(np.unique(joined))
    sums = tuple(x + y for x, y in zip(a.sums, b.sums, strict=True))
    return _numbered(a.at, size, rims, regions, sums)


def _numbered(at: Any, size: Any, rims: Any, regions: int, sums: tuple[int, ...]) -> Part:
    """Return a part whose components on the rim have the numbers 0, 1, ...; `regions` are all of it."""
    names, numbers = np.unique(np.concatenate([labels for labels, _ in rims]), return_inverse=True)
    ends = np.cumsum([len(labels) for labels, _ in rims])[:-1]
    sides = zip(np.split(numbers.astype(np.int64), ends), (leads for _, leads in rims), strict=True)
    return Part(at, size, tuple(sides), regions - len(names), sums)
