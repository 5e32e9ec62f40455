"""The space a search runs in, a maze or a wall/road array, and the start and goals of the search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from meiro._utils.arrays import refuse_road, walls
from meiro._utils.memory import CHECKED_FROM, require
from meiro._utils.messages import short_repr
from meiro._utils.square import FLAT, Cell, CellLike, Shape, Wrap, checked_cell, existing_cell
from meiro._utils.validation import integer, integers, plain_array
from meiro.errors import NoPathError
from meiro.maze._grid import border_roads
from meiro.maze.maze import Maze

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

Goals: TypeAlias = "CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]"

_LISTED = 8  # openings in an error message


@dataclass(slots=True)
class SearchSpace:
    """The places of a search: cells joined by passages, or the road sites of an array."""

    array: NDArray[np.uint8]
    maze: Maze | None
    shape: Shape
    wrap: Wrap = FLAT

    @property
    def sites(self) -> bool:
        """Whether the places are sites of an array, not cells of a maze."""
        return self.maze is None

    @property
    def units(self) -> Literal["cells", "sites"]:
        """The word for the places."""
        return "cells" if self.maze is not None else "sites"

    def number(self, place: Cell) -> int:
        """Return the number of a place, row by row."""
        return place[0] * self.shape[1] + place[1]

    def place(self, value: object, name: str) -> Cell:
        """Return a place that exists and is no wall."""
        if self.maze is not None:
            return existing_cell(value, self.shape, self.maze.mask, name)
        place = checked_cell(value, self.shape, name, "site")
        if self.array[place]:
            msg = f"{name} {place} is in a wall"
            raise ValueError(msg)
        return place

    def numbers(self, values: Any, name: str) -> NDArray[np.int64]:
        """Return the numbers of one place or of several."""
        if _is_one_place(values, name):
            try:
                return np.array([self.number(self.place(values, name))])
            except TypeError:
                msg = f"{name} must be (row, col), or several of them, not {short_repr(values)}"
                raise TypeError(msg) from None
        places = integers(values, name)
        if places.shape[1] != 2 or len(places) == 0:
            msg = f"{name} must be (row, col), or several of them, not of shape {places.shape}"
            raise ValueError(msg)
        inside = np.where(places < 0, places + self.shape, places)
        wrong: NDArray[np.bool_] = np.any((inside < 0) | (inside >= self.shape), axis=1)
        rows, cols = np.where(wrong[:, np.newaxis], 0, inside).T
        if self.maze is None:
            wrong |= self.array[rows, cols].astype(np.bool_)
        elif self.maze.mask is not None:
            wrong |= ~self.maze.mask[rows, cols]
        if wrong.any():
            self.place(places[wrong.argmax()].tolist(), name)  # raises
        numbers: NDArray[np.int64] = rows * self.shape[1] + cols
        return numbers

    def require(self, bytes_per_place: float, what: str, instead: str = "take a smaller part") -> None:
        """Raise MemoryError unless this many bytes a place fit beside the core's copy of the space."""
        copied = self.maze is None or any(self.wrap)
        size = self.shape[0] * self.shape[1]
        need = int((bytes_per_place + copied) * size)
        if need >= CHECKED_FROM:
            require(need, f"{what} of {size:,} {self.units}", instead)


def _is_one_place(values: Any, name: str) -> bool:
    if isinstance(values, tuple) and len(values) == 2 and isinstance(values[0], int):
        return True
    try:
        return plain_array(values, name).ndim != 2
    except (TypeError, ValueError):  # rows of different lengths, say
        return True


def as_search_space(x: Maze | ArrayLike, road: object = None) -> SearchSpace:
    """Return the space of a maze or of a wall/road array."""
    if isinstance(x, Maze):
        refuse_road(road)
        return SearchSpace(x.passages, x, (x.rows, x.cols), x.wrap)
    array = walls(x, road=road)
    return SearchSpace(array, None, (array.shape[0], array.shape[1]))


def checked_moves(moves: object, space: SearchSpace) -> Literal[4, 8]:
    """Return 4 or 8."""
    number = integer(moves, "moves")
    if number not in {4, 8}:
        msg = f"moves must be 4 or 8, not {short_repr(moves)}"
        raise ValueError(msg)
    if number == 8 and not space.sites:
        msg = "moves=8 is for arrays: a Maze has no diagonal passages; its grid is an array, x.grid"
        raise TypeError(msg)
    return 8 if number == 8 else 4


def resolve_endpoints(
    space: SearchSpace, start: CellLike | None, goal: Goals | None
) -> tuple[Cell, NDArray[np.int64]]:
    """Return the start, and the number of each goal; an endpoint that is None gets its default."""
    begin = None if start is None else space.place(start, "start")
    goals = None if goal is None else space.numbers(goal, "goal")
    if begin is not None and goals is not None:
        return begin, goals
    if space.maze is not None:
        first, last = default_endpoints(space.maze)
    else:
        first, last = _openings(space.array)
        if begin == last or (goals is not None and space.number(first) in goals):
            first, last = last, first
    return begin or first, np.array([space.number(last)]) if goals is None else goals


def default_endpoints(maze: Maze) -> tuple[Cell, Cell]:
    """Return start and goal of a maze, else its first and last cell."""
    first, last = (0, 0), (maze.rows - 1, maze.cols - 1)
    if maze.mask is not None and (maze.start is None or maze.goal is None):
        cells = maze.mask.reshape(-1)
        first = divmod(int(cells.argmax()), maze.cols)
        last = divmod(cells.size - 1 - int(cells[::-1].argmax()), maze.cols)
    return maze.start or first, maze.goal or last


def _openings(array: NDArray[np.uint8]) -> tuple[Cell, Cell]:
    """Return the two openings of an array, if it has two."""
    openings = [(row, col) for row, col in border_roads(array).tolist()]
    if len(openings) == 2:
        return openings[0], openings[1]
    count = f"{len(openings)} openings" if openings else "no opening"
    listed = ", ".join(map(str, openings[:_LISTED])) + (", ..." if len(openings) > _LISTED else "")
    msg = f"give start= and goal=: the border has {count}, not two" + (f": {listed}" if listed else "")
    raise ValueError(msg)


def no_path_error(
    begin: Cell, goals: NDArray[np.int64], space: SearchSpace, explored: int = 0
) -> NoPathError:
    """Build a NoPathError that says how many places are reachable, if that is known."""
    end = divmod(int(goals[0]), space.shape[1])
    to = f"{end}" if len(goals) == 1 else f"any of {len(goals)} goals"
    units = space.units if explored > 1 else space.units[:-1]
    reachable = f": {explored:,} {units} can be reached" if explored else ""
    return NoPathError(f"there is no path from {begin} to {to}{reachable}")
