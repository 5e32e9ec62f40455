"""The pictures that environments render: the maze, the goal and the agent."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.pixel_layout import layout_of
from meiro.colors import LIGHT
from meiro.drawing.frame_raster import GraphRaster, ink_colors
from meiro.drawing.graph_outline import plane_to_plot
from meiro.spaces.space_of import mazes_of
from meiro.traces.events import Paint, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

_LONGER_SIDE = 480  # pixels
_CELLS = ((1, Paint.GOAL), (0, State.CURRENT))  # the agent is drawn over its goal
_DOOR, _KEY = State.GROWING, Paint.START


def picture(maze: Any, ends: tuple[int, int], locks: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return red, green and blue of the pixels of a maze with an agent and its goal, numbers of cells.

    `locks` are those that are left, (k, 4), as the core tells them.
    """
    space = mazes_of(maze)
    if space.on_lattice:
        closed = space.passages[0] == 0
        paints = np.zeros(space.size + len(closed), np.uint8)
        paints[space.size :][closed] = Paint.WALL
        paints[space.size + locks[:, 2]], paints[locks[:, 3]] = _DOOR, _KEY
        for end, paint in _CELLS:
            paints[ends[end]] = paint
        return np.take(ink_colors(LIGHT), _raster(space.lattice).draw(paints), axis=0)
    sites = np.where(maze.to_grid(), np.uint8(Paint.WALL), np.uint8(Paint.ROAD))
    (before, behind, keys) = (2 * np.array(np.divmod(locks[:, i], space.shape[1])) + 1 for i in (0, 1, 3))
    sites[*((before + behind) // 2)], sites[*keys] = _DOOR, _KEY
    for end, paint in _CELLS:
        row, col = divmod(ends[end], space.shape[1])
        sites[2 * row + 1, 2 * col + 1] = paint
    colors = np.array(LIGHT, np.uint8)
    layout = layout_of((sites.shape[0], sites.shape[1]), cells=True, size=_LONGER_SIDE)
    found: NDArray[np.uint8] = colors[layout.pixels(sites)]
    return found


@lru_cache(maxsize=2)
def _raster(lattice: Lattice) -> GraphRaster:
    """Return what draws a lattice, which takes a while to make."""
    return GraphRaster(lattice, plane_to_plot(lattice), _LONGER_SIDE)
