"""The pixels of the rows and columns of a drawn grid: walls of a maze are thinner than its cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Shape

_MOST = 40  # pixels of a cell with a wall: a maze of 3 x 3 need not fill the screen
_WALL = 6  # a wall has a sixth of the pixels of a cell with its wall


class Layout(NamedTuple):
    """The pixels of even rows and columns (walls) and of odd ones (cells); in an array both are the same."""

    wall: int
    cell: int

    def lines(self, count: int) -> NDArray[np.int64]:
        """Return the pixels of each of `count` rows or columns."""
        lines = np.full(count, self.cell)
        lines[::2] = self.wall
        return lines

    def size(self, grid: Shape) -> Shape:
        """Return the height and width of the picture of a grid, in pixels."""
        rows, cols = (self.cell * (n // 2) + self.wall * (n - n // 2) for n in grid)
        return rows, cols

    def pixels(self, places: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a picture that repeats the value of each place in all its pixels."""
        height, width = places.shape
        return places.repeat(self.lines(width), axis=1).repeat(self.lines(height), axis=0)


def layout_of(grid: Shape, *, cells: bool, size: int) -> Layout:
    """Return the layout of a grid with about `size` pixels along its longer side, at least one a place."""
    if not cells:
        side = min(max(size // max(grid), 1), _MOST)
        return Layout(side, side)
    pitch = min(max(size // (max(grid) // 2), 2), _MOST)
    wall = max(round(pitch / _WALL), 1)
    return Layout(wall, pitch - wall)
