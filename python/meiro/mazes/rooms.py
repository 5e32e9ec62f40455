"""`Room`: the rooms of a maze, floors without posts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro.mazes._grid import expand_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell, Wrap
    from meiro.mazes._grid import MazeArrays

_SIDES = (("north", 1, -1, 0), ("east", 2, 0, 1), ("south", 4, 1, 0), ("west", 8, 0, -1))


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """A room of a maze: cells around posts at which no wall ends.

    Two cells are in the same room if squares of 2 x 2 cells whose four inner walls are open lead from one to
    the other. So a room of the algorithm ``rooms`` is one if its sides are 2 or more; two rooms with doors
    side by side have a floor in common and are one. A corridor is no room.

    Attributes
    ----------
    row, col : int
        The first row and column of the smallest rectangle around the room. Where the maze is periodic, the
        rectangle may continue at the other side.
    height, width : int
        The sides of this rectangle, in cells.
    is_rectangle : bool
        Whether the room fills the rectangle, without a wall inside.
    cells : ndarray of int64, shape (k, 2)
        The cells of the room, (row, col), in order. Read-only.
    doors : tuple of ((int, int), str)
        The passages out of the room: the cell inside and the side, as ``((2, 3), "north")``, in order.

    See Also
    --------
    meiro.Maze.rooms : All rooms of a maze, in the order of their first cells.

    Examples
    --------
    >>> maze = meiro.generate((3, 6), "rooms", sides=(2, 3), tries=1, rng=3)
    >>> print(maze.to_text("ascii"))
    +-+-+-+-+-+-+
    |           |
    +-+ +-+-+ + +
    |   |     | |
    + +-+ + + + +
    |   |     | |
    +-+-+-+-+-+-+
    >>> maze.rooms()
    [<Room 2 x 3 at (1, 2), 1 door>]
    >>> maze.rooms()[0].doors
    (((1, 4), 'north'),)
    """

    __module__ = "meiro"

    row: int
    col: int
    height: int
    width: int
    is_rectangle: bool
    cells: NDArray[np.int64]
    doors: tuple[tuple[Cell, str], ...]

    def __repr__(self) -> str:
        """Return place, size and number of doors."""
        shape = "" if self.is_rectangle else f", {len(self.cells)} cells"
        doors = f"{len(self.doors)} door{'s' * (len(self.doors) != 1)}"
        return f"<Room {self.height} x {self.width} at ({self.row}, {self.col}){shape}, {doors}>"


def rooms_of(maze: MazeArrays, wrap: Wrap) -> list[Room]:
    """Return the rooms of a maze, in the order of their first cells."""
    rows, cols = maze.passages.shape
    require(24 * rows * cols, f"the floors of {maze!r}", "crop() it")
    sites = np.empty((2 * rows + 1, 2 * cols + 1), np.uint8)
    expand_rows(maze, 0, sites, posts=False)
    posts = np.argwhere(sites[:-1:2, :-1:2] == 0)
    sites.fill(1)
    for step in np.ndindex(3, 3):  # the floors: eight sites around each post, over a periodic border too
        sites[tuple(((2 * posts + step - (1, 1)) % (2 * rows, 2 * cols)).T)] = 0
    if wrap[0]:
        sites[-1] = sites[0]
    if wrap[1]:
        sites[:, -1] = sites[:, 0]
    (labels,), _ = _core.components((sites, 4, wrap, "never"), 1)
    of_cell = labels[1::2, 1::2]
    cells, posts = _by_label(np.argwhere(of_cell > 0), of_cell), _by_label(posts, labels[:-1:2, :-1:2])
    if not len(posts):
        return []
    starts = np.flatnonzero(np.diff(posts[:, 0], prepend=0))
    boxes = [_extents(posts[:, 1 + axis], starts, maze.passages.shape[axis]) for axis in (0, 1)]
    counts = np.diff(starts, append=len(posts))
    doors = _doors(cells, maze.passages, of_cell)
    places = np.split(np.ascontiguousarray(cells[:, 1:]), np.flatnonzero(np.diff(cells[:, 0])) + 1)
    rooms = []
    for label, inside, count, (row, high), (col, wide) in zip(
        posts[starts, 0].tolist(), places, counts.tolist(), *boxes, strict=True
    ):
        inside.flags.writeable = False
        size = min(high + 1, rows), min(wide + 1, cols)
        rooms.append(Room(row, col, *size, count == high * wide, inside, tuple(doors.get(label, ()))))
    return sorted(rooms, key=lambda room: tuple(room.cells[0].tolist()))


def _by_label(places: NDArray[np.int64], labels: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return label, row and column of places, those of each label together."""
    number = labels[tuple(places.T)]
    order = np.argsort(number, kind="stable")
    return np.column_stack([number[order], places[order]])


def _doors(
    cells: NDArray[np.int64], passages: NDArray[np.uint8], labels: NDArray[np.integer[Any]]
) -> dict[int, list[tuple[Cell, str]]]:
    """Return the doors of each room, by its label."""
    found = []
    for number, (_, bit, *step) in enumerate(_SIDES):
        beyond = labels[tuple(((cells[:, 1:] + step) % passages.shape).T)]
        out = cells[(passages[tuple(cells[:, 1:].T)] & bit != 0) & (beyond != cells[:, 0])]
        found.append(np.column_stack([out, np.full(len(out), number)]))
    doors: dict[int, list[tuple[Cell, str]]] = {}
    for label, row, col, side in sorted(np.concatenate(found).tolist()):
        doors.setdefault(label, []).append(((row, col), _SIDES[side][0]))
    return doors


def _extents(posts: NDArray[np.int64], starts: NDArray[np.intp], side: int) -> list[tuple[int, int]]:
    """Return for each room the first row (or column) of its cells, and the number of its rows of posts."""
    first, last = np.minimum.reduceat(posts, starts), np.maximum.reduceat(posts, starts)
    found = list(zip((first - 1).tolist(), (last - first + 1).tolist(), strict=True))
    for i in np.flatnonzero(first == 0):  # a row of posts in a periodic border
        places = np.unique(posts[starts[i] : starts[i + 1] if i + 1 < len(starts) else None])
        gaps = np.diff(places, append=side)
        beyond = gaps.argmax() + 1
        start = 0 if places.size == side else int(places[beyond % places.size] - 1) % side
        found[i] = start, places.size
    return found
