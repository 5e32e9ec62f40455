"""Spaces of rows and columns: the cells of square mazes, and the sites of a wall/road array."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from meiro import _core
from meiro._utils.arrays import marked_walls, read_only, weights_of
from meiro._utils.cell_words import MIDDLE
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.square import FLAT, STEPS, Cell, E, N, S, Shape, W, checked_cell, checked_wrap, side_step
from meiro._utils.validation import integers, number, one_of, plain_array
from meiro.errors import NoPathError
from meiro.mazes._batch import changed, ends_or_none, left_in, provenance_after
from meiro.mazes._endpoints import corners_many, ends_of, ends_of_many
from meiro.mazes._grid import border_roads
from meiro.mazes._openings import BatchArrays, checked_openings, openings_by_word
from meiro.results.picture_array import PictureArray
from meiro.spaces.space import EndsOfEach, MazeSpace, Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro.mazes._openings import Choice
    from meiro.mazes._recipe import Step
    from meiro.seeds import Seed
    from meiro.spaces.space import Numbers

_DEAD_ENDS = np.array([(byte & 15).bit_count() == 1 for byte in range(256)])
_BITS = dict(zip(STEPS, ((N, S), (E, W), (S, N), (W, E)), strict=True))  # of a cell, and of that a step away
_LISTED = 8  # openings in an error message
NEVER = "never"
CORNERS = (NEVER, "one_free", "always")
_ROUNDING = 1e-9  # of a clearance whose square is whole in half sites, as that of a diagonal


class Grid(Space[Any]):
    """Places of rows and columns, numbered row by row."""

    shape: Shape

    @abstractmethod
    def missing(self, numbers: Numbers) -> NDArray[np.bool_] | None:
        """Return which places of each maze, (n, k), do not exist or are walls; None if all are there."""

    @abstractmethod
    def _wrong(self, number: int, maze: int, name: str) -> str:
        """Return what is wrong with a missing place."""

    def number(self, cell: Any, name: str) -> int:
        there = self._there() if isinstance(cell, str) else None
        row, col = place = checked_cell(cell, self.shape, name, self.units[:-1], there)
        number = row * self.shape[1] + col
        if not self.one:
            self._refuse_missing(np.array([[number]]), name)
        elif self._is_missing(place):
            raise ValueError(self._wrong(number, 0, name))
        return number

    @abstractmethod
    def _there(self) -> NDArray[np.bool_] | None:
        """Return which places are there in all mazes; None if all are, or mazes differ."""

    @abstractmethod
    def _is_missing(self, place: Cell) -> bool:
        """Return whether a place of one maze does not exist or is a wall."""

    def numbers(self, cells: Any, name: str) -> Numbers:
        if _is_one_place(cells, name):
            try:
                return np.array([self.number(cells, name)])
            except TypeError:
                middle = f' or "{MIDDLE}"' if isinstance(cells, str) else ""
                raise TypeError(
                    f"{name} must be (row, col){middle}, or several of them, not {short_repr(cells)}"
                ) from None
        places = integers(cells, name)
        if places.ndim != 2 or places.shape[1] != 2 or len(places) == 0:
            raise ValueError(f"{name} must be (row, col), or several of them, not of shape {places.shape}")
        inside: Numbers = np.where(places < 0, places + self.shape, places)
        wrong = np.any((inside < 0) | (inside >= self.shape), axis=1)
        if wrong.any():
            self.number(places[wrong.argmax()].tolist(), name)  # raises
        numbers: Numbers = inside @ (self.shape[1], 1)
        self._refuse_missing(numbers[np.newaxis], name)
        return numbers

    def numbers_of_each(self, cells: Any, name: str) -> Numbers:
        if self.one:
            return self.numbers(cells, name)[np.newaxis]
        n = self.n
        given = integers(self._plain(cells, name), name)
        if given.shape not in {(2,), (n, 2)} and (
            given.ndim != 3 or len(given) != n or not given.shape[1] or given.shape[2] != 2
        ):
            raise ValueError(
                f"{name} must be (row, col), for all mazes, or of shape ({n}, 2), one for each maze, or "
                f"({n}, k, 2), several for each, not {given.shape}"
            )
        if given.ndim < 3:
            given = np.broadcast_to(given, (n, 2))[:, np.newaxis]
        each = [self.number_of_each(given[:, i], name) for i in range(given.shape[1])]
        return np.stack(each, axis=1)

    def number_of_each(
        self, cells: Any, name: str, *, missing: bool = False, none: NDArray[np.bool_] | None = None
    ) -> Numbers:
        n, (rows, cols) = self.n, self.shape
        if self.one:
            return np.array([self.number(cells, name)])
        given = integers(self._plain(cells, name), name)
        if given.shape not in {(2,), (n, 2)}:
            raise ValueError(
                f"{name} must be (row, col), or of shape ({n}, 2), one for each maze, not {given.shape}"
            )
        given = np.broadcast_to(given, (n, 2))
        if none is not None:
            given = np.where(none[:, np.newaxis], 0, given)
        inside: Numbers = np.where(given < 0, given + self.shape, given)
        wrong = np.flatnonzero(np.any((inside < 0) | (inside >= self.shape), axis=1))
        if wrong.size:
            row, col = given[wrong[0]].tolist()
            limits = f"rows 0..{rows - 1}, cols 0..{cols - 1} (cells)"
            raise ValueError(f"{name} {row, col} of maze {wrong[0]} is outside: {limits}")
        numbers: Numbers = inside @ (cols, 1)
        if missing:
            none = self.missing(numbers[:, np.newaxis])
            none = None if none is None else none[:, 0]
        else:
            self._refuse_missing(numbers[:, np.newaxis], name, none)
        if none is not None:
            numbers[none] = -1
        return numbers

    def _plain(self, cells: Any, name: str) -> Any:
        """Return the cell that the word for it names, or what is given."""
        is_word = isinstance(cells, str) and cells == MIDDLE
        return self.cell(self.number(cells, name)) if is_word else cells

    def _refuse_missing(self, numbers: Numbers, name: str, none: NDArray[np.bool_] | None = None) -> None:
        missing = self.missing(numbers)
        if missing is None:
            return
        if none is not None:
            missing = missing & ~none[:, np.newaxis]
        if missing.any():
            maze, i = np.argwhere(missing)[0].tolist()
            number = int(numbers[maze if len(numbers) > 1 else 0, i])
            raise ValueError(self._wrong(number, maze, name))

    def names(self, numbers: Numbers) -> Numbers:
        found = np.empty((*numbers.shape, 2), np.int64)
        np.divmod(numbers, self.shape[1], out=(found[..., 0], found[..., 1]))
        return found

    def cell(self, number: int) -> Cell:
        return divmod(number, self.shape[1])

    def scratch(self, squares: float, graph: float) -> float:  # noqa: ARG002  # of a lattice
        copied = self.sites or any(self.wrap) or not self.one
        return (squares + copied) * self.size


class Squares(Grid, MazeSpace[Any]):
    """The cells of square mazes: of a `Maze` or a `MazeBatch`."""

    def __init__(self, x: Any) -> None:
        self.x, self.wrap = x, x.wrap
        self.one = x.passages.ndim == 2
        if self.one:
            masks, passages, self.smaller = x.mask, x.passages[np.newaxis], "take a smaller part"
        else:
            masks, passages, self.smaller = x.masks, np.ascontiguousarray(x.passages), "take a slice of it"
        self.masks, self.passages = masks, passages
        self.n, rows, cols = passages.shape
        self.shape, self.size = (rows, cols), rows * cols
        self.core = passages, None if masks is None else np.ascontiguousarray(masks), self.wrap

    smaller: str  # type: ignore[misc]  # by what it is

    def _there(self) -> NDArray[np.bool_] | None:
        return None if self.masks is None or self.masks.ndim == 3 else self.masks

    def _is_missing(self, place: Cell) -> bool:
        return self.masks is not None and not self.masks[place]

    def missing(self, numbers: Numbers) -> NDArray[np.bool_] | None:
        if self.masks is None:
            return None
        exists = self.masks.reshape(-1, self.size)
        each = np.arange(len(exists))[:, np.newaxis]
        found: NDArray[np.bool_] = ~exists[each, numbers]
        return found

    def _wrong(self, number: int, maze: int, name: str) -> str:
        which = "" if self.one else f" in maze {maze}"
        return f"{name} {self.cell(number)} is masked out{which}"

    def first_and_last(self) -> tuple[int, int]:
        cols = self.shape[1]
        first, last = (row * cols + col for row, col in self.x.endpoints)
        return first, last

    def ends(self) -> tuple[EndsOfEach, EndsOfEach]:
        x = self.x
        if self.one:
            cols = self.shape[1]
            first, last = (
                EndsOfEach(
                    np.array([end.cell[0] * cols + end.cell[1]]),
                    None if end.site is None else np.array([end.site], np.int64),
                )
                for end in ends_of(x)
            )
            return first, last
        first, last = (
            EndsOfEach(end.cells @ (self.shape[1], 1), end.sites if (end.sites >= 0).any() else None)
            for end in ends_of_many(self.passages, self.masks, x.openings, x.starts, x.goals)
        )
        return first, last

    def openings_used(self, start: Any, goal: Any) -> tuple[Cell | None, Cell | None]:
        if (start is not None and goal is not None) or not len(self.x.openings):
            return None, None
        first, last = ends_of(self.x)
        return first.site if start is None else None, last.site if goal is None else None

    def openings(self) -> Numbers:
        found: Numbers = self.x.openings
        return found

    def first_place(self) -> int:
        return 0 if self.masks is None else int(self.masks.argmax())

    def weights(self, weights: ArrayLike) -> NDArray[np.float64]:
        each = not self.one and plain_array(weights, "weights").ndim == 3
        shape: tuple[int, ...] = (self.n, *self.shape) if each else self.shape
        return weights_of(weights, shape, "cells")

    @property
    def description(self) -> str:
        return f"of {self.size:,} cells" if self.one else f"of {self.x!r}"

    def existing(self) -> NDArray[np.bool_] | None:
        return None if self.masks is None else self.masks.reshape(-1, self.size)

    def dead_ends(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = _DEAD_ENDS[self.passages].reshape(-1, self.size)
        return found

    def sides_between(self, cell: Any, other: Any, name: str) -> list[tuple[int, int]]:
        a = self.number(cell, name)
        step: Cell | None
        if isinstance(other, str):
            step = side_step(other, name)
            b = self._beside(a, step)
            if b is None:
                raise ValueError(
                    f"{name}: no cell is {other} of {self.cell(a)}; meiro.with_openings opens the border"
                )
            self.number(self.cell(b), name)  # raises where it is masked out
        else:
            b = self.number(other, name)
            step = next((step for step in _BITS if self._beside(a, step) == b), None)
            if step is None:
                raise ValueError(f"{name}: cells {self.cell(a)} and {self.cell(b)} are not adjacent")
        return list(zip((a, b), _BITS[step], strict=True))

    def _beside(self, number: int, step: Cell) -> int | None:
        """Return the cell one step away; None outside."""
        (row, col), (rows, cols) = self.cell(number), self.shape
        row, col = row + step[0], col + step[1]
        row, col = (row % rows if self.wrap[0] else row), (col % cols if self.wrap[1] else col)
        return row * cols + col if 0 <= row < rows and 0 <= col < cols else None

    def cells_at_openings(self) -> tuple[Numbers, NDArray[np.bool_]]:
        ends = ends_of_many(self.passages, self.masks, self.openings_of_each())
        pairs = np.stack([end.cells @ (self.shape[1], 1) for end in ends], axis=1)
        return pairs, np.logical_and(*(end.sites[:, 0] >= 0 for end in ends))

    def corners(self) -> Numbers:
        return np.ascontiguousarray(corners_many(self.masks, self.n, self.shape).T)

    def given_starts_and_goals(self) -> tuple[Numbers, Numbers]:
        x, cols = self.x, self.shape[1]
        starts, goals = (
            np.full((self.n, 2), -1, np.int64) if cells is None else np.atleast_2d(cells)
            for cells in ((x.start, x.goal) if self.one else (x.starts, x.goals))
        )
        return np.maximum(starts @ (cols, 1), -1), np.maximum(goals @ (cols, 1), -1)

    def without_ends(self, *ends: tuple[str, Any]) -> NDArray[np.bool_] | None:
        if any(isinstance(cells, str) for _, cells in ends):
            return None
        first, last = (integers(cells, name) for name, cells in ends)
        each = first.shape == last.shape == (self.n, 2)
        return (np.concatenate([first, last], axis=1) == -1).all(axis=1) if each else None

    def _held(self, numbers: Numbers) -> Any:
        return self.cell(int(numbers[0])) if self.one else ends_or_none(self.names_or_none(numbers))

    def _openings_by_word(self, word: str, choice: Choice) -> Numbers:
        masks = None if self.masks is None else np.ascontiguousarray(self.masks)
        return openings_by_word(word, BatchArrays(self.passages, masks, self.wrap), choice)

    def checked_openings(self, openings: Any) -> Numbers:
        return checked_openings(openings, self.shape, self.masks, self.wrap, None if self.one else self.n)

    def derive(
        self,
        passages: NDArray[np.uint8],
        steps: Sequence[Step] | None,
        seed: Seed | None = None,
        masks: Any = None,
    ) -> Any:
        x, exist = self.x, self.masks
        provenance = provenance_after(x, steps, seed)
        if self.one:
            if masks is not None:
                exist = None if masks.all() else masks[0]
            start, goal = (
                end if end is None or exist is None or exist[end] else None for end in (x.start, x.goal)
            )
            return changed(x, passages=passages[0], mask=exist, start=start, goal=goal, **provenance)
        ends = {"starts": x.starts, "goals": x.goals}
        if masks is not None:
            exist = masks
            ends = {name: left_in(cells, exist) for name, cells in ends.items()}
        own = None if exist is x.mask else exist
        return changed(x, passages=passages, masks=own, **ends, **provenance)


_DESKEW = "; meiro.from_image(..., deskew=True) finds a maze on a page or a table, of dark or bright walls"
_DARK = "; the picture is mostly dark"
_MOSTLY = 0.6  # in a maze whose walls are as thick as corridors are wide, half of it is wall


class Sites(Grid):
    """The road sites of a wall/road array."""

    sites: ClassVar[bool] = True
    units = space = "sites"
    smaller = "take a smaller part"

    def __init__(
        self,
        x: Any,
        road: object,
        moves: Literal[4, 8],
        *,
        corners: object = NEVER,
        wrap: object = None,
        clearance: object = None,
    ) -> None:
        walls, start, goal = marked_walls(x, road=road)
        decided = x.decisions if isinstance(x, PictureArray) else {}
        self.unframed = "threshold" in decided and "frame" not in decided  # that of texts and maps is neither
        if isinstance(x, PictureArray):
            start, goal = x.start, x.goal
        self.x, self.walls, self.moves = x, walls, moves
        self.one, self.n = True, 1
        self.shape = walls.shape[0], walls.shape[1]
        self.size = walls.size
        self.marked = start, goal
        self.wrap = FLAT if wrap is None else checked_wrap(wrap, self.shape)
        self.corners = one_of(corners, "corners", CORNERS)
        if moves == 4 and self.corners != NEVER:
            raise TypeError(f"corners={self.corners!r} is for moves=8: four moves cut no corner")
        if moves == 8 and any(self.wrap):
            raise TypeError("wrap= is for moves=4: no diagonal step crosses a border")
        self.clearance = 0.0 if clearance is None else number(clearance, "clearance", 0)
        self.blocked = walls if self.clearance == 0 else self._too_narrow()
        self.core = self.blocked, moves, self.wrap, self.corners

    def _too_narrow(self) -> NDArray[np.uint8]:
        """Return the walls and all sites that are nearer to one than the clearance."""
        require(10 * self.size, f"the distance from walls of {self.size:,} sites", self.smaller)
        squared = _core.clearance(self.walls, self.wrap, None)
        near = squared < (2 * self.clearance) ** 2 * (1 - _ROUNDING)
        blocked: NDArray[np.uint8] = (near | (self.walls != 0)).view(np.uint8)
        return blocked

    def no_path(self, start: int, goals: Numbers, explored: int = 0) -> NoPathError:
        return NoPathError(f"{super().no_path(start, goals, explored)}{self._hint()}")

    def _hint(self) -> str:
        """Return what an error adds where a picture was read without looking for the frame of the maze."""
        if not self.unframed:
            return ""
        return (_DARK if np.mean(self.walls) > _MOSTLY else "") + _DESKEW

    def _there(self) -> NDArray[np.bool_]:
        roads: NDArray[np.bool_] = self.blocked == 0
        return roads

    def _is_missing(self, place: Cell) -> bool:
        return bool(self.blocked[place])

    def missing(self, numbers: Numbers) -> NDArray[np.bool_] | None:
        found: NDArray[np.bool_] = self.blocked.reshape(-1)[numbers] != 0
        return found

    def _wrong(self, number: int, maze: int, name: str) -> str:  # noqa: ARG002  # there is one array
        place = self.cell(number)
        if self.walls[place]:
            return f"{name} {place} is in a wall: road= says which values are roads, if not 0"
        return f"{name} {place} is nearer to a wall than clearance={self.clearance:g}"

    def ends(self) -> tuple[EndsOfEach, EndsOfEach]:
        start, goals = self.endpoints(None, None)
        return EndsOfEach(np.array([start])), EndsOfEach(goals)

    def sources(self, sources: Any) -> Numbers:
        if sources is None:
            return np.array([[self.endpoints(None, None, "sources=")[0]]])
        return self.numbers_of_each(sources, "sources")

    def endpoints(self, start: Any, goal: Any, names: str = "start= and goal=") -> tuple[int, Numbers]:
        """Return start and goals: given ones, those that the array marks, else its two openings."""
        first, last = self.marked
        start, goal = first if start is None else start, last if goal is None else goal
        begin = None if start is None else self.number(start, "start")
        goals = None if goal is None else self.numbers(goal, "goal")
        if begin is not None and goals is not None:
            return begin, goals
        return self._ends_at_openings(begin, goals, names)

    def _ends_at_openings(self, begin: int | None, goals: Numbers | None, names: str) -> tuple[int, Numbers]:
        """Return the ends that are given, and for the others the openings: there must be as many."""
        openings = _openings(self.blocked)
        given = set() if begin is None else {begin}
        given |= set() if goals is None else set(goals.tolist())
        numbers = [[row * self.shape[1] + col for row, col in opening] for opening in openings]
        free = [i for i, sites in enumerate(numbers) if given.isdisjoint(sites)]
        wanted = 2 - (begin is not None) - (goals is not None)
        if len(openings) == 2 and len(free) > wanted:  # the end that is given is elsewhere
            free = free[:1] if begin is None else free[1:]
        chosen = free if len(free) == wanted else range(len(openings))
        middles = [_middle_of_opening(openings[i]) for i in chosen]
        if len(free) != wanted:
            raise ValueError(_no_ends(self.blocked, middles, names) + self._hint())
        first, last = (row * self.shape[1] + col for row, col in (middles[0], middles[-1]))
        return first if begin is None else begin, np.array([last]) if goals is None else goals

    def openings(self) -> Numbers:
        return read_only(border_roads(self.blocked))

    @property
    def searched(self) -> Any:
        return np.packbits(self.walls)

    def first_place(self) -> int:
        roads = self.blocked == 0
        if not roads.any():
            near = f", or nearer to one than clearance={self.clearance:g}" if self.clearance else ""
            raise ValueError(f"x contains no road: all {roads.size} sites are walls{near}")
        return int(roads.argmax())

    def weights(self, weights: ArrayLike) -> NDArray[np.float64]:
        return weights_of(weights, self.shape, "sites")

    @property
    def description(self) -> str:
        return f"of {self.size:,} sites"

    def keep(self) -> None:
        same = self.blocked is self.walls
        self.x = self.walls = self.walls.copy()
        self.blocked = self.walls if same else self.blocked
        self.core = self.blocked, *self.core[1:]


def _is_one_place(values: Any, name: str) -> bool:
    if isinstance(values, tuple) and len(values) == 2 and isinstance(values[0], int):
        return True
    try:
        return plain_array(values, name).ndim != 2
    except (TypeError, ValueError):  # rows of different lengths, say
        return True


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
    return sorted(openings, key=_middle_of_opening)


def _middle_of_opening(opening: list[Cell]) -> Cell:
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
