"""The space of mazes on a lattice: cells are labels, if the lattice has labels, else coordinates or numbers.

An array of integers with one axis holds numbers in any case, unless it is a row of `Coordinates`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from meiro._utils.arrays import checked_costs
from meiro._utils.cell_words import Coordinates, names_of, names_or_none
from meiro._utils.messages import short_repr
from meiro._utils.square import FLAT
from meiro._utils.validation import integer, number_array, plain_array
from meiro.lattices.lattice import cell_of, cells_at, graph_of, name_of_cell, words_of
from meiro.mazes._batch import changed, ends_or_none, provenance_after
from meiro.mazes._graph_openings import (
    cells_at_ends,
    checked_graph_openings,
    graph_openings_by_word,
    plain_openings,
)
from meiro.mazes.graph_batch import ends_of_graph_batch, given_ends_of_each
from meiro.mazes.graph_maze import GraphMaze, ends_of_graph_maze, given_ends_of
from meiro.spaces.space import EndsOfEach, MazeSpace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell
    from meiro.mazes._openings import Choice
    from meiro.mazes._recipe import Step
    from meiro.mazes.graph_batch import GraphBatch
    from meiro.seeds import Seed
    from meiro.spaces.space import Numbers


class LatticeCells(MazeSpace[Any]):
    """The cells of a `GraphMaze` or of a `GraphBatch`."""

    on_lattice: ClassVar[bool] = True
    space = "vertices"
    smaller = "take a smaller lattice"

    def __init__(self, x: GraphMaze | GraphBatch) -> None:
        self.x, self.lattice, self.wrap = x, x.lattice, FLAT
        self.one = x.open.ndim == 1
        open_ = (x.open[np.newaxis] if self.one else np.ascontiguousarray(x.open)).view(np.uint8)
        self.n, self.size = len(open_), self.lattice.n_cells
        self.shape = (self.size,)
        self.passages = open_
        self.core = graph_of(self.lattice), open_

    @property
    def axes(self) -> int:
        """How many coordinates a cell has; 0 for none."""
        coordinates = self.lattice.coordinates
        return 0 if coordinates is None else coordinates.shape[1]

    def number(self, cell: Any, name: str) -> int:
        if self.lattice.labels is None and isinstance(cell, tuple) and not self.axes:
            raise TypeError(
                f"{name} must be the number of a cell, 0..{self.size - 1}, not {short_repr(cell)}: cells "
                f"of {self.lattice!r} have no row and column"
            )
        return cell_of(self.lattice, cell, name)

    def numbers(self, cells: Any, name: str) -> Numbers:
        if isinstance(cells, range):
            cells = plain_array(cells, name)
        one = 1 if isinstance(cells, Coordinates) else 0  # the axes of one cell
        if not isinstance(cells, list) and not (isinstance(cells, np.ndarray) and cells.ndim > one):
            return np.array([self.number(cells, name)])
        if len(cells) == 0:
            raise ValueError(f"{name} must be one cell or more, not {short_repr(cells)}")
        listed = self.lattice.labels is not None or isinstance(cells[0], tuple | str)
        array = None if listed and not _are_numbers(cells) else plain_array(cells, name)
        if array is not None and array.dtype.kind in "iu":
            if array.ndim == 2 and array.shape[1] == self.axes:
                return cells_at(self.lattice, array, name)
            inside = (array >= 0) & (array < self.size)
            if array.ndim == 1 and inside.all():
                return array.astype(np.int64)
            if array.ndim == 1:
                hint = (
                    ""
                    if self.lattice.labels is None
                    else ": labels are given as a list; a number in an array"
                )
                integer(array[~inside][0].tolist(), name + hint, 0, self.size)  # raises
        return np.array([self.number(cell, name) for cell in cells], np.int64)

    def numbers_of_each(self, cells: Any, name: str) -> Numbers:
        if self.one:
            return self.numbers(cells, name)[np.newaxis]
        array = cells
        if isinstance(cells, list) and self.lattice.labels is None:
            array = plain_array(cells, name)
        if not isinstance(array, np.ndarray) or array.ndim < 2:
            return self._one_or_each(cells, name)[:, np.newaxis]
        cell = (self.axes,) if self.axes and array.dtype != object else ()
        shape = array.shape[: array.ndim - len(cell)]
        if (*shape, *cell) != array.shape or len(shape) > 2 or shape[0] != self.n or 0 in shape:
            each = f", {self.axes}" if cell else ""  # lattice.coordinates[numbers] is of this shape
            raise ValueError(
                f"{name} must be a cell, {self.n}, one for each maze, or of shape ({self.n}, k{each}), "
                f"several for each, not {array.shape}"
            )
        numbers = self.numbers(array.reshape(-1, *cell), name)
        return np.ascontiguousarray(numbers.reshape(self.n, -1))

    def number_of_each(
        self,
        cells: Any,
        name: str,
        *,
        missing: bool = False,  # noqa: ARG002  # all cells exist
        none: NDArray[np.bool_] | None = None,
    ) -> Numbers:
        if none is None:
            return np.array(np.broadcast_to(self._one_or_each(cells, name), (self.n,)))
        found = np.full(self.n, -1, np.int64)
        if not none.all():
            # Objects are labels, which may be integers; as an array of integers they were numbers of cells.
            given = cells if isinstance(cells, np.ndarray) else plain_array(cells, name)
            found[~none] = self.numbers(given[~none], name)
        return found

    def _one_or_each(self, cells: Any, name: str) -> Numbers:
        found = self.numbers(cells, name)
        if len(found) not in {1, self.n}:
            raise ValueError(f"{name} must be one cell, or {self.n}, one for each maze, not {len(found)}")
        return found

    def names(self, numbers: Numbers) -> NDArray[Any]:
        return names_of(words_of(self.lattice), numbers)

    def names_or_none(self, numbers: NDArray[np.integer[Any]]) -> NDArray[Any]:
        return names_or_none(words_of(self.lattice), numbers)

    def cell(self, number: int) -> Any:
        return name_of_cell(self.lattice, number)

    def first_and_last(self) -> tuple[int, int]:
        return ends_of_graph_maze(self.x)

    def ends(self) -> tuple[EndsOfEach, EndsOfEach]:
        ends = self.first_and_last() if self.one else ends_of_graph_batch(self.x)
        first, last = (EndsOfEach(np.atleast_1d(np.asarray(end, np.int64))) for end in ends)
        return first, last

    def weights(self, weights: ArrayLike) -> NDArray[np.float64]:
        edges = self.lattice.n_edges
        array = number_array(weights, "weights")
        each = not self.one and array.ndim == 2
        if array.shape != ((self.n, edges) if each else (edges,)):
            wanted = f"({edges},)" if self.one else f"({edges},) or ({self.n}, {edges})"
            raise ValueError(f"weights must have shape {wanted}, one for each edge, not {array.shape}")
        return checked_costs(array)

    @property
    def description(self) -> str:
        return f"on {self.lattice!r}" if self.one else f"of {self.x!r}"

    def scratch(self, squares: float, graph: float) -> float:  # noqa: ARG002  # of squares
        return graph * (self.size + self.lattice.n_edges)

    def dead_ends(self) -> NDArray[np.bool_]:
        lattice, open_ = self.lattice, self.passages.view(np.bool_)
        own = np.flatnonzero(lattice.edges[:, 0] != lattice.edges[:, 1])  # a self loop is never open
        ends = lattice.edges[own]
        found = np.zeros((self.n, self.size), np.bool_)
        for maze, passages in enumerate(open_):
            found[maze] = np.bincount(ends[passages[own]].reshape(-1), minlength=self.size) == 1
        return found

    def sides_between(self, cell: Any, other: Any, name: str) -> list[tuple[int, int]]:
        if isinstance(other, str) and self.lattice.labels is None:
            raise TypeError(
                f"{name}: on a lattice a wall is named by the two cells beside it, not by {short_repr(other)}"
            )
        a, b = self.number(cell, name), self.number(other, name)
        beside = slice(*self.lattice.indptr[a : a + 2].tolist())
        edges = self.lattice.neighbor_edges[beside][self.lattice.neighbors[beside] == b]
        if not edges.size:
            raise ValueError(
                f"{name}: cells {short_repr(self.cell(a))} and {short_repr(self.cell(b))} are not adjacent"
            )
        return [(edge, 1) for edge in edges.tolist()]

    def openings_used(self, start: Any, goal: Any) -> tuple[Cell | None, Cell | None]:
        first, last = (
            None if given is not None or place is None else (self.cell(place[0]), place[1])
            for given, place in zip((start, goal), self.x.end_openings, strict=True)
        )
        return first, last

    def cells_at_openings(self) -> tuple[Numbers, NDArray[np.bool_]]:
        pairs, counts = cells_at_ends(self.openings_of_each(), self.n)
        return pairs, counts > 1

    def _openings_by_word(self, word: str, choice: Choice) -> Numbers:
        return graph_openings_by_word(self.lattice, self.passages, word, choice)

    def checked_openings(self, openings: Any) -> Numbers:
        return checked_graph_openings(self.lattice, openings, None if self.one else self.n)

    def _plain_openings(self, openings: Numbers) -> Any:
        return plain_openings(self.lattice, openings) or []

    def corners(self) -> Numbers:
        return np.tile(np.array([0, self.size - 1], np.int64), (self.n, 1))

    def given_starts_and_goals(self) -> tuple[Numbers, Numbers]:
        starts, goals = (
            np.full(self.n, -1, np.int64) if cells is None else np.atleast_1d(cells)
            for cells in (given_ends_of(self.x) if self.one else given_ends_of_each(self.x))
        )
        return starts, goals

    def without_ends(self, *ends: tuple[str, Any]) -> NDArray[np.bool_] | None:
        first, last = (self._without(cells, name) for name, cells in ends)
        return None if first is None or last is None else first & last

    def _without(self, cells: Any, name: str) -> NDArray[np.bool_] | None:
        """Return for which mazes no cell is given; None unless there is one for each."""
        if not isinstance(cells, np.ndarray) and (self.lattice.labels is not None or isinstance(cells, str)):
            return None  # -1 may be a label
        array = plain_array(cells, name)
        if array.shape == (self.n,):
            return np.array([cell is None for cell in array]) if array.dtype == object else array == -1
        found: NDArray[np.bool_] = (array == -1).all(axis=-1)
        return found if self.axes and array.shape == (self.n, self.axes) else None

    def _held(self, numbers: Numbers) -> Any:
        return int(numbers[0]) if self.one else ends_or_none(np.array(numbers))

    def derive(
        self,
        passages: NDArray[np.uint8],
        steps: Sequence[Step] | None,
        seed: Seed | None = None,
        masks: Any = None,  # noqa: ARG002  # all cells exist
    ) -> Any:
        open_ = self.shaped(passages.view(np.bool_))
        return changed(self.x, open=open_, **provenance_after(self.x, steps, seed))


def _are_numbers(cells: Any) -> bool:
    """Return whether cells are given by their numbers, whatever their labels: in an array of integers."""
    return isinstance(cells, np.ndarray) and cells.ndim > 0 and cells.dtype.kind in "iu"
