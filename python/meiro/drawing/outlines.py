"""Walls of a thickness, as closed lines around them: what lasers and mills cut, and meshes raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.interruptible import interruptible
from meiro._utils.memory import require
from meiro._utils.messages import requires_extra
from meiro.drawing.lines import Lines
from meiro.mazes._outside import outside_sites

if TYPE_CHECKING:
    from collections.abc import Callable

    from meiro.mazes.maze import Maze

GRID = 1e-5
"""Places on lattices are rounded to it, in cells."""

MITRE = 2.0
"""How far corners may be from the ends of their walls, in halves of a width."""

_MEMORY = 600  # bytes a cell
_MEMORY_ON_LATTICES = 8000  # bytes a line


def square_outlines(maze: Maze, width: float) -> Lines:
    """Return the boundary of the walls of a maze, in cells, y down; holes come before what is around them.

    Walls are those of `meiro.drawing.raster.wall_segments`, with square ends, `width` cells wide. No two
    lines touch, and lines have points where they turn only.

    Examples
    --------
    >>> outer, inner = meiro.drawing.outlines.square_outlines(meiro.Maze([[0]]), 0.25).points.reshape(2, 5, 2)
    >>> outer.tolist()
    [[0.125, 0.125], [0.875, 0.125], [0.875, 0.875], [0.125, 0.875], [0.125, 0.125]]
    >>> inner.tolist()
    [[-0.125, -0.125], [1.125, -0.125], [1.125, 1.125], [-0.125, 1.125], [-0.125, -0.125]]
    """
    require(_MEMORY * maze.passages.size, f"the outlines of {maze!r}", "crop() it")
    around = np.pad(maze.to_grid(), 1)
    sites = around[1:-1, 1:-1]
    if maze.mask is not None:
        sites[outside_sites(maze.mask, maze.wrap)] = 0
    doors = (around[:-2, 1:-1] | around[2:, 1:-1] | around[1:-1, :-2] | around[1:-1, 2:])[::2, ::2]
    sites[::2, ::2] &= doors  # a post at which no wall ends is none
    # Of the four sites around a corner two that touch there only are never walls, as the post between them is
    # one: so lines turn where one or three are walls, and run from each second turn of a line to the next.
    corners = (around[:-1, :-1] + around[:-1, 1:] + around[1:, :-1] + around[1:, 1:]) & 1
    row, col = np.nonzero(corners)
    by_column = np.lexsort((row, col))
    down = np.empty(len(row), np.int64)
    down[by_column[::2]], down[by_column[1::2]] = by_column[1::2], by_column[::2]
    order, counts = _loops(down.tolist())
    corner = np.stack([col, row], axis=1)[order]
    points = corner // 2 + (corner % 2 - 0.5) * width
    return Lines(points, np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]))


def _loops(down: list[int]) -> tuple[list[int], list[int]]:
    """Return turns in the order of lines, and how many each has, the first one twice.

    Turn i is joined to ``i ^ 1`` in its row, and to ``down[i]`` in its column.
    """
    seen = bytearray(len(down))
    loops = []
    for first in range(0, len(down), 2):
        loop, at = [], first
        while not seen[at]:
            seen[at] = seen[at ^ 1] = 1
            loop += [at, at ^ 1]
            at = down[at ^ 1]
        if loop:
            loops.append([*loop, first])
    loops.reverse()  # the first turn of a hole is below that of the line around it
    return [at for loop in loops for at in loop], [len(loop) for loop in loops]


def lattice_outlines(walls: Lines, width: float, cell: float) -> Lines:
    """Return the boundary of straight walls with square ends, in their units; needs the extra ``maps``."""
    require(_MEMORY_ON_LATTICES * len(walls.starts), "the outlines of walls", "leave out wall=")
    with requires_extra("maps", "shapely"):
        import shapely
    solid = interruptible(lambda check: thickened(walls, width, cell, check))
    parts = shapely.get_parts(solid)
    rings = [ring for part in parts for ring in (*part.interiors, part.exterior)]
    points, of = shapely.get_coordinates(rings, return_index=True)
    return Lines(points, np.concatenate([[0], np.cumsum(np.bincount(of, minlength=len(rings)))]))


def thickened(walls: Lines, width: float, cell: float, check: Callable[[], None]) -> Any:
    """Return the union of straight walls with square ends, as a geometry of shapely."""
    import shapely

    of = np.repeat(np.arange(len(walls.starts) - 1), np.diff(walls.starts))
    ways = shapely.linestrings(walls.points, indices=of)
    thick = shapely.buffer(ways, width / 2, cap_style="square", join_style="mitre", mitre_limit=MITRE)
    check()
    solid = shapely.set_precision(shapely.union_all(thick), GRID * cell)
    check()
    return solid
