"""`Maze.rooms`: against the plan of the algorithm "rooms", a slow search, and pictures."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import mazes, open_mazes
from hypothesis import given
from periodic_mazes import periodic_mazes

import meiro
from meiro import Maze, Room

Cell = tuple[int, int]
SIDES = {"north": (-1, 0, 1), "east": (0, 1, 2), "south": (1, 0, 4), "west": (0, -1, 8)}


def cells_of(room: Room) -> set[Cell]:
    return {(row, col) for row, col in room.cells.tolist()}


def slow_rooms(maze: Maze) -> dict[frozenset[Cell], int]:
    """Return the cells of each room and its number of squares of 2 x 2 cells, merged square by square."""
    rows, cols = maze.rows, maze.cols
    rooms: list[tuple[set[Cell], int]] = []
    for row in range(rows):
        for col in range(cols):
            below, right = (row + 1) % rows, (col + 1) % cols
            one, other = int(maze.passages[row, col]), int(maze.passages[below, right])
            if one & 6 != 6 or other & 9 != 9:
                continue
            square, count = {(row, col), (row, right), (below, col), (below, right)}, 1
            for room in [room for room in rooms if room[0] & square]:
                rooms.remove(room)
                square, count = square | room[0], count + room[1]
            rooms.append((square, count))
    return {frozenset(cells): count for cells, count in rooms}


def assert_room(maze: Maze, room: Room, squares: int) -> None:
    cells = cells_of(room)
    box = [
        (row % maze.rows, col % maze.cols)
        for row in range(room.row, room.row + room.height)
        for col in range(room.col, room.col + room.width)
    ]
    assert cells <= set(box)
    assert len(set(box)) == len(box)
    assert not room.cells.flags.writeable
    assert sorted(cells) == [tuple(cell) for cell in room.cells.tolist()]
    doors = {
        (cell, side)
        for cell in cells
        for side, (down, right, bit) in SIDES.items()
        if maze.passages[cell] & bit
        and ((cell[0] + down) % maze.rows, (cell[1] + right) % maze.cols) not in cells
    }
    assert set(room.doors) == doors
    assert len(room.doors) == len(doors)
    assert [cell for cell, _ in room.doors] == sorted(cell for cell, _ in doors)
    high, wide = (
        [whole, whole - 1] if around and side == whole else [side - 1]
        for side, whole, around in zip(
            (room.height, room.width), (maze.rows, maze.cols), maze.wrap, strict=True
        )
    )
    if room.is_rectangle:
        assert len(cells) == len(box)
        assert squares in [a * b for a in high for b in wide]
    else:
        assert squares < max(high) * max(wide) or len(cells) < len(box)


@given(open_mazes | mazes() | periodic_mazes())
def test_rooms_are_those_of_a_slow_search(maze: Maze) -> None:
    wanted = slow_rooms(maze)
    found = maze.rooms()
    assert {frozenset(cells_of(room)) for room in found} == set(wanted)
    assert len(found) == len(wanted)
    first = [tuple(room.cells[0].tolist()) for room in found]
    assert first == sorted(first)
    for room in found:
        assert_room(maze, room, wanted[frozenset(cells_of(room))])


def planned(**options: Any) -> list[set[Cell]]:
    """Return the cells of each room of the plan, by the notes of a trace."""
    trace = meiro.trace(algorithm="rooms", **options)
    rooms: list[set[Cell]] = []
    for k in range(len(trace)):
        note = trace.caption(k)
        cells = [(int(row), int(col)) for row, col in re.findall(r"\((\d+), (\d+)\)", note)]
        if "part of a new room" in note and not any(cells[0] in room for room in rooms):
            rooms.append(set(cells))
        elif note.startswith("Within a room"):
            next(room for room in rooms if cells[0] in room).add(cells[1])
    return rooms


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("sides", [(2, 4), (1, 3), (4, 9)])
def test_rooms_are_those_of_the_plan(seed: int, sides: tuple[int, int]) -> None:
    options: dict[str, Any] = {"shape": (12, 15), "sides": sides, "rng": seed}
    plan = [room for room in planned(**options) if all(len({cell[i] for cell in room}) > 1 for i in (0, 1))]
    rooms = meiro.generate(algorithm="rooms", **options).rooms()
    assert plan
    assert sorted(map(sorted, plan)) == sorted(map(sorted, map(cells_of, rooms)))
    for room in rooms:
        assert room.is_rectangle
        assert room.height * room.width == len(room.cells)
        assert room.doors
        if sides[0] > 1:
            assert sides[0] <= min(room.height, room.width)
        assert max(room.height, room.width) <= sides[1]


def test_rooms_of_a_picture() -> None:
    maze = meiro.Maze.from_text(
        """
+-+-+-+-+-+
|     |   |
+ + + + + +
|         |
+-+-+ +-+-+
|   |     |
+ + + + + +
|   |     |
+-+-+-+-+-+
""".strip("\n")
    )
    first, second, third, fourth = maze.rooms()
    assert [(r.row, r.col, r.height, r.width, r.is_rectangle) for r in (first, second, third)] == [
        (0, 0, 2, 3, True),
        (0, 3, 2, 2, True),
        (2, 0, 2, 2, True),
    ]
    assert first.doors == (((1, 2), "east"), ((1, 2), "south"))
    assert second.doors == (((1, 3), "west"),)
    assert third.doors == ()
    assert repr(first) == "<Room 2 x 3 at (0, 0), 2 doors>"
    assert repr(second) == "<Room 2 x 2 at (0, 3), 1 door>"
    assert fourth.is_rectangle
    assert fourth.doors == (((2, 2), "north"),)


def test_rooms_without_walls_and_without_rooms() -> None:
    assert meiro.generate((9, 9), "wilson", rng=1).rooms() == []
    assert meiro.generate((1, 9), "percolation", p=1.0).rooms() == []
    (hall,) = meiro.generate((4, 5), "percolation", p=1.0).rooms()
    assert (hall.height, hall.width, hall.is_rectangle, hall.doors) == (4, 5, True, ())
    (torus,) = meiro.generate((4, 5), "percolation", p=1.0, wrap=(True, True)).rooms()
    assert (torus.row, torus.col, torus.height, torus.width, torus.is_rectangle) == (0, 0, 4, 5, True)
    band = np.full((4, 5), 2 | 8, np.uint8)
    band[3], band[0] = 4 | 10, 1 | 10  # two rows open to each other, over the border
    (ring,) = meiro.Maze(band, wrap=(True, True)).rooms()
    assert (ring.row, ring.col, ring.height, ring.width, ring.is_rectangle) == (3, 0, 2, 5, True)
    corner = meiro.Maze.from_text("+-+-+-+\n|     |\n+ + + +\n|     |\n+ + +-+\n|   | |\n+-+-+-+").rooms()
    assert [(len(room.cells), room.is_rectangle) for room in corner] == [(8, False)]
    assert repr(corner[0]) == "<Room 3 x 3 at (0, 0), 8 cells, 0 doors>"
