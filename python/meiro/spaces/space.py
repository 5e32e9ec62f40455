"""What a verb asks of the mazes or the array that it is given: a `Space`.

A verb knows no kind of maze. It takes anything that has places, asks `meiro.spaces.space_of` for its space,
and calls one function of the core:

    space = space_of(x, road=road, moves=moves)
    numbers = space.sources(sources)
    space.require("distances", threads)
    out = space.result(out, np.int32)
    _core.distances(space.core, numbers, ...)

A place is a number in the core, and a cell in the words of its user outside: (row, col), a label, a number.
One maze is a space of one; `results` are without the first axis then.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from meiro import _core
from meiro._utils import memory
from meiro._utils.arrays import check_out
from meiro._utils.messages import short_repr
from meiro.errors import NoPathError
from meiro.mazes._batch import changed
from meiro.mazes._openings import Choice, alike, openings_or_none
from meiro.mazes._recipe import kept_recipe, recipe_with_openings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike, Wrap
    from meiro.lattices.lattice import Lattice
    from meiro.mazes._recipe import Step
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze
    from meiro.seeds import Seed

    EitherMaze: TypeAlias = Maze | GraphMaze
    ManyMazes: TypeAlias = MazeBatch | GraphBatch | Sequence[Maze] | Sequence[GraphMaze]
    Numbers = NDArray[np.int64]
    Report = Callable[[int, int], object] | None
    Goals = CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]


X = TypeVar("X")


class EndsOfEach(NamedTuple):
    """Where the paths of each maze begin or end, (n,), and the sites of the openings there, (n, 2), or None.

    A site is -1 where a path ends at no opening.
    """

    numbers: Numbers
    sites: Numbers | None = None


class Space(ABC, Generic[X]):
    """The places of one maze or of many, or the sites of an array.

    Attributes
    ----------
    x : object
        The maze, batch or array itself.
    one : bool
        Whether it is one maze, or an array: results have no axis of mazes.
    n, size : int
        The number of mazes, and of the places of each.
    shape : tuple of int
        Of an array with an item for each place of one maze.
    wrap : (bool, bool)
    core : tuple
        The space as the core takes it: `src/bindings/held_space.hpp`.
    """

    on_lattice: ClassVar[bool] = False
    sites: ClassVar[bool] = False
    units: ClassVar[Literal["cells", "sites"]] = "cells"
    space: ClassVar[Literal["cells", "sites", "vertices"]] = "cells"  # the word of solutions for the places
    smaller: ClassVar[str]  # what to do where memory is short

    x: X
    one: bool
    n: int
    size: int
    shape: tuple[int, ...]
    wrap: Wrap
    core: tuple[Any, ...]
    lattice: Lattice  # of cells on a lattice only

    # Cells in, cells out.

    @abstractmethod
    def number(self, cell: Any, name: str) -> int:
        """Return the number of a cell of one maze; an error calls the argument `name`."""

    @abstractmethod
    def numbers(self, cells: Any, name: str) -> Numbers:
        """Return the numbers of one place or of several of one maze, or that all mazes have, (k,)."""

    @abstractmethod
    def numbers_of_each(self, cells: Any, name: str) -> Numbers:
        """Return the numbers of one or more places of every maze: (n, k), or (1, k) of all."""

    @abstractmethod
    def number_of_each(
        self, cells: Any, name: str, *, missing: bool = False, none: NDArray[np.bool_] | None = None
    ) -> Numbers:
        """Return the number of one place of every maze, (n,), of one cell for all or one for each.

        With `missing`, -1 for a place that a mask removes; else that is an error. -1 where there is `none`.
        """

    @abstractmethod
    def names(self, numbers: Numbers) -> NDArray[Any]:
        """Return cells as users have them: (..., 2) of coordinates, (...) of labels or numbers."""

    def names_or_none(self, numbers: NDArray[np.integer[Any]]) -> NDArray[Any]:
        """Return cells as users have them, -1 where a number is -1; among labels None."""
        cells = self.names(np.maximum(numbers, 0, dtype=np.int64))
        cells[numbers < 0] = -1
        return cells

    @abstractmethod
    def cell(self, number: int) -> Any:
        """Return one cell as users have it."""

    @abstractmethod
    def ends(self) -> tuple[EndsOfEach, EndsOfEach]:
        """Return where the paths of each maze begin and end, unless others are given."""

    def first_and_last(self) -> tuple[int, int]:
        """Return where the paths of one maze begin and end, unless others are given."""
        first, last = self.ends()
        return int(first.numbers[0]), int(last.numbers[0])

    def sources(self, sources: Any) -> Numbers:
        """Return the numbers of the sources of every maze, by default the start of each."""
        if sources is not None:
            return self.numbers_of_each(sources, "sources")
        if self.one:
            return np.array([[self.first_and_last()[0]]])
        return self.ends()[0].numbers[:, np.newaxis]

    def endpoints(self, start: Any, goal: Any) -> tuple[int, Numbers]:
        """Return the start and the goals of one maze; one that is None gets its default."""
        begin = None if start is None else self.number(start, "start")
        goals = None if goal is None else self.numbers(goal, "goal")
        if begin is None or goals is None:
            first, last = self.first_and_last()
            begin = first if begin is None else begin
            goals = np.array([last]) if goals is None else goals
        return begin, goals

    def endpoint_of_each(
        self, start: Any, goal: Any, names: tuple[str, str], *, missing: bool = False
    ) -> tuple[EndsOfEach, EndsOfEach]:
        """Return a start and a goal of every maze; those that are None get their default.

        With `missing`, cells may be given that a mask removes: -1 is the start of their mazes then.
        """
        defaults = self.ends() if start is None or goal is None else (None, None)
        first, last = (
            EndsOfEach(self.number_of_each(cells, name, missing=missing)) if cells is not None else default
            for cells, name, default in zip((start, goal), names, defaults, strict=True)
        )
        return first, last  # type: ignore[return-value]  # a default is there where cells are not

    def openings_used(self, start: Any, goal: Any) -> tuple[Cell | None, Cell | None]:  # noqa: ARG002
        """Return the openings at which the path of one maze comes in and goes out; None at a given cell."""
        return None, None

    def openings(self) -> Numbers:
        """Return the sites of the openings of one maze, or of an array, (k, 2)."""
        return np.empty((0, 2), np.int64)

    @property
    def searched(self) -> Any:
        """What a solution keeps of its space."""
        return self.x

    def first_place(self) -> int:
        """Return the first place of one maze that exists."""
        return 0

    # Numbers for places, and results.

    @abstractmethod
    def weights(self, weights: ArrayLike) -> NDArray[np.float64]:
        """Return costs, 0 or more, infinite for an obstacle: of all mazes or of each."""

    @property
    def counts(self) -> type[np.int32 | np.int64]:
        """The integers that hold a number of places."""
        return np.int32 if self.size < 1 << 31 else np.int64

    @property
    def result_shape(self) -> tuple[int, ...]:
        """The shape of a result with an item for each place."""
        return self.shape if self.one else (self.n, *self.shape)

    def result(self, out: NDArray[Any] | None, dtype: Any) -> NDArray[Any]:
        """Return `out`, checked, or a new array; of integers any signed ones will do."""
        if out is None:
            return np.empty(self.result_shape, dtype)
        integers = np.issubdtype(dtype, np.integer)
        check_out(out, self.result_shape, np.signedinteger if integers else np.dtype(dtype))
        return out

    def shaped(self, found: NDArray[Any]) -> NDArray[Any]:
        """Return what the core gives for n mazes as a result."""
        return found[0] if self.one else found

    # Memory, and what to say.

    @property
    @abstractmethod
    def description(self) -> str:
        """What it is, for a message about memory: "of 1,000,000 cells"."""

    @abstractmethod
    def scratch(self, squares: float, graph: float) -> float:
        """Return the bytes that a query takes, by those of a place of squares, and of a cell and edge."""

    def require(
        self, query: str, threads: int = 1, *, result: int = 0, what: str | None = None, instead: str = ""
    ) -> None:
        """Raise MemoryError unless a query, a row of the table of the core, and its result fit."""
        self.require_scratch(*_core.QUERY_BYTES[query], threads, result, (what or query, instead))

    def require_scratch(
        self, squares: float, graph: float, threads: int, result: int, words: tuple[str, str]
    ) -> None:
        """Raise MemoryError unless these bytes fit, and a result of `result` bytes a place."""
        need = self.scratch(squares, graph) * min(threads, self.n or 1) + result * self.n * self.size
        if need >= memory.CHECKED_FROM:
            what, instead = words
            memory.require(int(need), f"{what} {self.description}", instead or self.smaller)

    def no_path(self, start: int, goals: Numbers, explored: int = 0) -> NoPathError:
        """Build a NoPathError that says how many places are reachable, if that is known."""
        to = short_repr(self.cell(int(goals[0]))) if len(goals) == 1 else f"any of {len(goals)} goals"
        units = self.units if explored != 1 else self.units[:-1]
        reachable = f": {explored:,} {units} can be reached" if explored else ""
        return NoPathError(f"there is no path from {short_repr(self.cell(start))} to {to}{reachable}")

    def keep(self) -> None:  # mazes do not change
        """Copy what its user may change later."""

    # One maze after the other.

    def __iter__(self) -> Iterator[Any]:
        """Return the mazes of a batch, or the only one."""
        several: Any = (self.x,) if self.one else self.x
        return iter(several)


class MazeSpace(Space[X]):
    """The cells of mazes, which a transform makes other mazes of.

    Attributes
    ----------
    passages : ndarray of uint8, (n, ...)
        As the core has them: the open directions of each cell of squares, on a lattice whether each edge is
        open.
    """

    passages: NDArray[np.uint8]

    def existing(self) -> NDArray[np.bool_] | None:
        """Return which places of mazes exist, (n, size) or (1, size) of all; None if all do."""
        return None

    def openings_of_each(self) -> Numbers | None:
        """Return the openings of each maze, (n, k, 2), padded with -1; None if no maze has openings."""
        this: Any = self.x
        openings: Numbers | None = this.openings[np.newaxis] if self.one else this.openings
        return None if openings is None or not openings.size else openings

    @abstractmethod
    def dead_ends(self) -> NDArray[np.bool_]:
        """Return which cells of mazes are dead ends, (n, size)."""

    @abstractmethod
    def sides_between(self, cell: Any, other: Any, name: str) -> list[tuple[int, int]]:
        """Return which bits of `passages`, (place, bit), are of the wall between two adjacent cells.

        `other` may be the side of a cell where cells have sides.
        """

    @abstractmethod
    def cells_at_openings(self) -> tuple[Numbers, NDArray[np.bool_]]:
        """Return the cells at the first and the last opening, (n, 2), and where there are two."""

    @abstractmethod
    def corners(self) -> Numbers:
        """Return the first and the last cell of each maze, (n, 2)."""

    @abstractmethod
    def given_starts_and_goals(self) -> tuple[Numbers, Numbers]:
        """Return the start and the goal that each maze has of its own, (n,); -1 for none."""

    def given_ends(self, ends: Mapping[str, Any]) -> tuple[Numbers, Numbers]:
        """Return the starts and goals, (n,), that are given by the names of arguments; -1 for none."""
        none = None if self.one else self.without_ends(*ends.items())
        starts, goals = (self.number_of_each(cells, name, none=none) for name, cells in ends.items())
        return starts, goals

    def with_openings(
        self, openings: Any, seed: Seed | None = None, threads: int = 1, report: Report = None
    ) -> X:
        """Return the same mazes with other openings, as `meiro.with_openings` takes them.

        Maze i of a batch draws from replicate i of the seed.
        """
        if isinstance(openings, str):
            choice = Choice.for_mazes(self.x, seed, threads, report)
            chosen = self._openings_by_word(openings, choice)
            openings = chosen[0] if len(chosen) == 1 else chosen
        each = self.checked_openings(openings)
        sites = each[0] if self.one else openings_or_none(each)
        shared = alike(sites)
        named = None if shared is None else self._plain_openings(shared)
        return changed(self.x, openings=sites, recipe=recipe_with_openings(kept_recipe(self.x), named))

    @abstractmethod
    def _openings_by_word(self, word: str, choice: Choice) -> Numbers:
        """Return the two openings that a word chooses in each maze, (n, 2, 2), or (1, 2, 2) for all."""

    @abstractmethod
    def checked_openings(self, openings: Any) -> Numbers:
        """Return openings of each maze, (n, k, 2), in their order, -1 for none."""

    def _plain_openings(self, openings: Numbers) -> Any:
        """Return the openings of all mazes as a recipe has them."""
        return openings

    @abstractmethod
    def without_ends(self, *ends: tuple[str, Any]) -> NDArray[np.bool_] | None:
        """Return for which mazes start and goal are given as -1: they have none; None if that is not said."""

    def with_ends(self, starts: Numbers, goals: Numbers) -> X:
        """Return the same mazes with these starts and goals, -1 for none."""
        first, last = (self._held(numbers) for numbers in (starts, goals))
        ends = {"start": first, "goal": last} if self.one else {"starts": first, "goals": last}
        return changed(self.x, **ends)

    @abstractmethod
    def _held(self, numbers: Numbers) -> Any:
        """Return starts or goals as one maze, or a batch, holds them."""

    @abstractmethod
    def derive(
        self,
        passages: NDArray[np.uint8],
        steps: Sequence[Step] | None,
        seed: Seed | None = None,
        masks: Any = None,
    ) -> X:
        """Return mazes of other passages, as the core gives them, with all else of these.

        Starts and goals that `masks`, the new masks of each, remove are dropped. Maze i has replicate i of
        the seed. Recipes get these steps; None: no recipe tells of the change.
        """
