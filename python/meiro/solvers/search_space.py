"""The space a search runs in, a maze or a wall/road array, and the start and goals of the search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from meiro._utils.arrays import marked_walls, refuse_road
from meiro._utils.memory import CHECKED_FROM, require
from meiro._utils.messages import short_repr
from meiro._utils.square import FLAT, Cell, CellLike, Shape, Wrap, checked_cell, existing_cell
from meiro._utils.validation import integer, integers, plain_array
from meiro.errors import NoPathError
from meiro.maze._endpoints import ends_of
from meiro.maze._grid import border_roads
from meiro.maze.maze import Maze
from meiro.results.picture_array import PictureArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

Goals: TypeAlias = "CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]"

_LISTED = 8  # openings in an error message


@dataclass(slots=True)
class SearchSpace:
    """The places of a search: cells joined by passages, or the road sites of an array.

    `start` and `goal` are those that an array has marked, if any.
    """

    array: NDArray[np.uint8]
    maze: Maze | None
    shape: Shape
    wrap: Wrap = FLAT
    start: Cell | None = None
    goal: Cell | None = None

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
    array, start, goal = marked_walls(x, road=road)
    if isinstance(x, PictureArray):
        start, goal = x.start, x.goal
    return SearchSpace(array, None, (array.shape[0], array.shape[1]), start=start, goal=goal)


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
    space: SearchSpace, start: CellLike | None, goal: Goals | None, names: str = "start= and goal="
) -> tuple[Cell, NDArray[np.int64]]:
    """Return the start, and the number of each goal; an endpoint that is None gets its default.

    `names` is what messages call the arguments.
    """
    start, goal = space.start if start is None else start, space.goal if goal is None else goal
    begin = None if start is None else space.place(start, "start")
    goals = None if goal is None else space.numbers(goal, "goal")
    if begin is not None and goals is not None:
        return begin, goals
    if space.maze is not None:
        first, last = space.maze.endpoints
        return begin or first, np.array([space.number(last)]) if goals is None else goals
    return _ends_at_openings(space, begin, goals, names)


def _ends_at_openings(
    space: SearchSpace, begin: Cell | None, goals: NDArray[np.int64] | None, names: str
) -> tuple[Cell, NDArray[np.int64]]:
    """Return the ends that are given, and for the others the openings of an array: there must be as many."""
    openings = _openings(space.array)
    given = set() if begin is None else {space.number(begin)}
    given |= set() if goals is None else set(goals.tolist())
    free = [opening for opening in openings if given.isdisjoint(space.number(site) for site in opening)]
    wanted = 2 - (begin is not None) - (goals is not None)
    if len(openings) == 2 and len(free) > wanted:  # the end that is given is elsewhere
        free = free[:1] if begin is None else free[1:]
    middles = [_middle(opening) for opening in (free if len(free) == wanted else openings)]
    if len(free) != wanted:
        raise ValueError(_no_ends(space.array, middles, names))
    first = begin or middles[0]
    return first, np.array([space.number(middles[-1])]) if goals is None else goals


def openings_used(maze: Maze | None, start: object, goal: object) -> tuple[Cell | None, Cell | None]:
    """Return the openings at which the path of a maze comes in and goes out; None at a given cell."""
    if maze is None or (start is not None and goal is not None):
        return None, None
    first, last = ends_of(maze)
    return first.site if start is None else None, last.site if goal is None else None


def _openings(array: NDArray[np.uint8]) -> list[list[Cell]]:
    """Return the openings of an array, each as its adjacent road sites in the border, in order along it.

    In an array of one row or column, all of which is border, each road site is an opening.
    """
    height, width = array.shape
    if min(height, width) == 1:
        return [[(row, col)] for row, col in border_roads(array).tolist()]
    around = [(0, col) for col in range(width)] + [(row, width - 1) for row in range(1, height)]
    around += [(height - 1, col) for col in range(width - 2, -1, -1)]
    around += [(row, 0) for row in range(height - 2, 0, -1)]
    sites = np.array(around)
    road = array[tuple(sites.T)] == 0
    ends = np.flatnonzero(np.diff(road, prepend=False, append=False))
    runs = [sites[first:last].tolist() for first, last in zip(ends[::2], ends[1::2], strict=True)]
    if len(runs) > 1 and road[0] and road[-1]:
        runs[0] = runs.pop() + runs[0]  # around the first corner
    openings = [[(row, col) for row, col in run] for run in runs]
    return sorted(openings, key=_middle)


def _middle(opening: list[Cell]) -> Cell:
    """Return the site in the middle, of two the upper or left one."""
    return min(opening[(len(opening) - 1) // 2], opening[len(opening) // 2])


def _no_ends(array: NDArray[np.uint8], openings: list[Cell], names: str) -> str:
    count = f"{len(openings)} openings" if len(openings) > 1 else "one opening" if openings else "no opening"
    listed = ", ".join(map(str, openings[:_LISTED])) + (", ..." if len(openings) > _LISTED else "")
    msg = f"give {names}: the border has {count}, not two" + (f": {listed}" if listed else "")
    if (
        len(openings) == 1
        and min(array.shape) > 1
        and not (array[0].any() or array[-1].any() or array[:, [0, -1]].any())
    ):
        msg += " (all of it is road; meiro.from_image(..., deskew=True) cuts a picture to its frame)"
    return msg


def no_path_error(
    begin: Cell, goals: NDArray[np.int64], space: SearchSpace, explored: int = 0
) -> NoPathError:
    """Build a NoPathError that says how many places are reachable, if that is known."""
    end = divmod(int(goals[0]), space.shape[1])
    to = f"{end}" if len(goals) == 1 else f"any of {len(goals)} goals"
    units = space.units if explored > 1 else space.units[:-1]
    reachable = f": {explored:,} {units} can be reached" if explored else ""
    return NoPathError(f"there is no path from {begin} to {to}{reachable}")
