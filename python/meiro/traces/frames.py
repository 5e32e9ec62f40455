"""A moment of a trace: what may happen, and what a place may be."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Literal, SupportsIndex

from meiro.errors import shown
from meiro.maze._validation import NO_OPENINGS
from meiro.maze.maze import Maze

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from meiro._utils.square import Cell, Shape, Wrap


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


@dataclass(frozen=True, slots=True)
class Stage:
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
    _stage: Stage

    @property
    def grid(self) -> NDArray[np.uint8]:
        """What is drawn."""
        if self._stage.walls is not None:
            return self._stage.walls
        if self._stage.maze is not None:
            return self._stage.maze.grid
        made = (self.passages, self._stage.mask, NO_OPENINGS, None, None, self._stage.wrap)
        return Maze._made(*made).grid  # type: ignore[arg-type]  # of a generator there are passages

    def __repr__(self) -> str:
        """Return one line."""
        height, width = self._stage.grid
        return f"<Frame {height} x {width}: {self.note}>"


def frame_number(k: SupportsIndex, n: int) -> int:
    """Return which of `n` frames `k` is; negative ones count from the end."""
    try:
        place = operator.index(k)
    except TypeError:
        msg = f"frames are found by an integer or a slice, not {shown(k)}"
        raise TypeError(msg) from None
    if not -n <= place < n:
        msg = f"there is no frame {place}: there are {n:,}"
        raise IndexError(msg)
    return place % n
