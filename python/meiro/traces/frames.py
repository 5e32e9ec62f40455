"""A moment of a trace: what may happen, and what a place may be."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, SupportsIndex

from meiro._utils.messages import short_repr
from meiro.maze._validation import NO_OPENINGS
from meiro.maze.maze import Maze

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from meiro._utils.square import Cell, Shape, Wrap


@dataclass(frozen=True, slots=True)
class TraceDomain:
    """Where a trace takes place.

    `maze` is the one that is searched, `walls` the array that is; of a generator both are None.
    """

    shape: Shape
    mask: NDArray[np.bool_] | None
    wrap: Wrap
    maze: Maze | None = None
    walls: NDArray[np.uint8] | None = None

    @property
    def space(self) -> Literal["cells", "sites"]:
        """What the places of its events lie between."""
        return "cells" if self.walls is None else "sites"

    @property
    def grid(self) -> Shape:
        """Height and width of what is drawn."""
        rows, cols = self.shape
        return self.shape if self.space == "sites" else (2 * rows + 1, 2 * cols + 1)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Frame:
    """A moment of a trace.

    Attributes
    ----------
    passages : ndarray of uint8, shape (rows, cols), or None
        Which ways are open now: N=1, E=2, S=4, W=8. None in the search of an array.
    state : ndarray of uint8, shape of the drawn grid or of the array
        A `State` for every place.
    labels : ndarray of int32, a cell or site each, or None
        The numbers in the cells, -1 where there is none. None where no cell is entered, but walls are built.
    head : (int, int) or None
        The place of the grid, or of the array, where it happened.
    note : str
        What happened, in a sentence.
    grid : ndarray of uint8, shape of `state`
        1 where a wall is drawn now, 0 where there is road.

    Examples
    --------
    >>> frame = meiro.trace((1, 2), "kruskal", rng=7)[-1]
    >>> frame.grid[1].tolist(), frame.labels.tolist(), frame.note
    ([1, 0, 0, 0, 1], [[0, 0]], 'The wall between cell (0, 0) and cell (0, 1) falls.')
    """

    passages: NDArray[np.uint8] | None
    state: NDArray[np.uint8]
    labels: NDArray[np.int32] | None
    head: Cell | None
    note: str
    domain: TraceDomain

    @property
    def grid(self) -> NDArray[np.uint8]:
        """What is drawn."""
        if self.domain.walls is not None:
            return self.domain.walls
        if self.domain.maze is not None:
            return self.domain.maze.grid
        made = (self.passages, self.domain.mask, NO_OPENINGS, None, None, self.domain.wrap)
        return Maze._made(*made).grid  # type: ignore[arg-type]  # of a generator there are passages

    def __repr__(self) -> str:
        """Return one line."""
        height, width = self.domain.grid
        return f"<Frame {height} x {width}: {self.note}>"


def frame_number(k: SupportsIndex, n: int) -> int:
    """Return which of `n` frames `k` is; negative ones count from the end."""
    try:
        place = operator.index(k)
    except TypeError:
        msg = f"frames are found by an integer or a slice, not {short_repr(k)}"
        raise TypeError(msg) from None
    if not -n <= place < n:
        msg = f"there is no frame {place}: there are {n:,}"
        raise IndexError(msg)
    return place % n
