"""What solvers walk on, a maze or an array, and where they begin and end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from meiro._utils.arrays import refuse_road, walls
from meiro._utils.messages import short_repr
from meiro._utils.square import FLAT, Cell, CellLike, Shape, Wrap, checked_cell
from meiro._utils.validation import integers
from meiro.errors import NoPathError
from meiro.maze._validation import border_roads
from meiro.maze.maze import Maze

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

Goals: TypeAlias = "CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]"

_NAMED = 8  # openings in an error message


@dataclass(frozen=True, slots=True)
class SearchSpace:
    """What is walked: passages, or walls and roads."""

    array: NDArray[np.uint8]
    maze: Maze | None

    @property
    def sites(self) -> bool:
        """Whether it is walked from site to site, not from cell to cell."""
        return self.maze is None

    @property
    def wrap(self) -> Wrap:
        """Whether rows and columns go on at the other side."""
        return FLAT if self.maze is None else self.maze.wrap

    @property
    def copied(self) -> bool:
        """Whether the core makes bytes of its own of it, one a place."""
        return self.sites or any(self.wrap)

    @property
    def space(self) -> Any:  # a Literal to those who read it
        """In words."""
        return "sites" if self.sites else "cells"

    @property
    def shape(self) -> Shape:
        """In cells or sites."""
        return self.array.shape[0], self.array.shape[1]

    def number(self, place: Cell) -> int:
        """Return the number of a place, as the core counts."""
        return place[0] * self.shape[1] + place[1]

    def place(self, value: object, name: str) -> Cell:
        """Return a place that exists, or say why it does not."""
        place = checked_cell(value, self.shape, name, self.space[:-1])
        if self.maze is None:
            if self.array[place]:
                msg = f"{name} {place} is in a wall"
                raise ValueError(msg)
        elif self.maze.mask is not None and not self.maze.mask[place]:
            msg = f"{name} {place} is masked out"
            raise ValueError(msg)
        return place

    def goals(self, given: Goals) -> NDArray[np.int64]:
        """Return the numbers of one goal or several."""
        try:
            several = np.ndim(given) == 2  # type: ignore[arg-type]  # anything may come
        except ValueError:  # of different lengths
            several = False
        if several:
            return self.numbers(given, "goal")
        return np.array([self.number(self.place(given, "goal"))])

    def numbers(self, values: Any, name: str) -> NDArray[np.int64]:
        """Return the numbers of one place or several."""
        given = integers(values, name)
        places = given[np.newaxis] if given.ndim == 1 else given
        if places.ndim != 2 or places.shape[1] != 2:
            msg = f"{name} must be (row, col), or several of them, not of shape {given.shape}"
            raise ValueError(msg)
        inside = np.where(places < 0, places + self.shape, places)
        wrong: NDArray[np.bool_] = np.any((inside < 0) | (inside >= self.shape), axis=1)
        rows, cols = np.where(wrong[:, np.newaxis], 0, inside).T
        if self.maze is None:
            wrong |= self.array[rows, cols].astype(np.bool_)
        elif self.maze.mask is not None:
            wrong |= ~self.maze.mask[rows, cols]
        if wrong.any():
            self.place(places[wrong.argmax()].tolist(), name)  # says what is wrong with it
        numbers: NDArray[np.int64] = rows * self.shape[1] + cols
        return numbers


def as_search_space(x: Maze | ArrayLike, road: object) -> SearchSpace:
    """Read what is to be walked."""
    if isinstance(x, Maze):
        refuse_road(road)
        return SearchSpace(x.passages, x)
    return SearchSpace(walls(x, road=road), None)


def checked_moves(moves: object, on: SearchSpace) -> int:
    """Return 4 or 8, or say why not."""
    if moves not in {4, 8} or isinstance(moves, bool):
        msg = f"moves must be 4 or 8, not {short_repr(moves)}"
        raise ValueError(msg)
    if moves == 8 and not on.sites:
        msg = "moves=8 is for arrays: a Maze has no diagonal passages; its grid is an array, x.grid"
        raise TypeError(msg)
    return int(moves)


def resolve_endpoints(
    on: SearchSpace, start: CellLike | None, goal: Goals | None
) -> tuple[Cell, NDArray[np.int64]]:
    """Return the start, and the number of each goal: as given or the usual one."""
    begin = None if start is None else on.place(start, "start")
    goals = None if goal is None else on.goals(goal)
    if begin is None or goals is None:
        usual = _openings(on.array) if on.maze is None else default_endpoints(on.maze)
        numbers = [on.number(place) for place in usual]
        if begin is None:
            begin = usual[1] if goals is not None and numbers[0] in goals and on.sites else usual[0]
        if goals is None:
            goals = np.array([numbers[0] if begin == usual[1] and on.sites else numbers[1]])
    return begin, goals


def default_endpoints(maze: Maze) -> tuple[Cell, Cell]:
    """Return the ends of a maze: its own, else its first and last cell."""
    first, last = 0, maze.passages.size - 1
    if maze.mask is not None:
        there = maze.mask.reshape(-1)
        first, last = int(there.argmax()), last - int(there[::-1].argmax())
    corners = divmod(first, maze.cols), divmod(last, maze.cols)
    return maze.start or corners[0], maze.goal or corners[1]


def _openings(array: NDArray[np.uint8]) -> tuple[Cell, Cell]:
    """Return the two openings of an array, if it has two."""
    openings = [(row, col) for row, col in border_roads(array).tolist()]
    if len(openings) == 2:
        return openings[0], openings[1]
    count = f"{len(openings)} openings" if openings else "no opening"
    named = ", ".join(map(str, openings[:_NAMED])) + (", ..." if len(openings) > _NAMED else "")
    msg = f"give start= and goal=: the border has {count}, not two" + (f": {named}" if named else "")
    raise ValueError(msg)


def no_path_error(begin: Cell, goals: NDArray[np.int64], on: SearchSpace, explored: int = 0) -> NoPathError:
    """Return the error of those who need a way, and were at so many places where it is known."""
    end = divmod(int(goals[0]), on.shape[1])
    to = f"{end}" if len(goals) == 1 else f"any of {len(goals)} goals"
    can = f": {explored:,} {on.space if explored > 1 else on.space[:-1]} can be reached" if explored else ""
    return NoPathError(f"there is no way from {begin} to {to}{can}")
