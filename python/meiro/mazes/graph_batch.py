"""Many mazes on one lattice, in one array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.arrays import read_only
from meiro._utils.cell_words import names_or_none
from meiro.lattices.lattice import words_of
from meiro.mazes._batch import Batch, slots_of, state_of
from meiro.mazes._batch_data import classes_of, common_parts, given_mazes, joined, same_openings
from meiro.mazes._graph_openings import cells_at_ends, plain_openings
from meiro.mazes._openings import sorted_sites
from meiro.mazes._recipe import moved, plain_recipe, recipe_of_one, recipe_on
from meiro.mazes.graph_maze import GraphMaze, given_ends_of, graph_maze_from_core
from meiro.seeds import STREAM, Root

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

    Numbers = NDArray[np.int64]


class GraphBatchData(NamedTuple):
    """What a batch holds, in the order of its pickles."""

    lattice: Lattice
    open: NDArray[np.bool_]
    root: Root | None
    numbers: range | NDArray[np.uint64]
    recipe: Mapping[str, object] | None
    starts: Numbers | None = None
    goals: Numbers | None = None
    openings: Numbers | None = None


class GraphBatch(Batch[GraphMaze]):
    """A sequence of mazes on one lattice, from `meiro.generate_many`, or of a list of mazes.

    Frozen; ``batch[i]`` is a `GraphMaze`. A slice is a batch on the same array; a list or array of integers,
    or a boolean mask, picks mazes into an array of their own. Two are equal if lattice, open edges and
    openings are. ``one + other`` has the mazes of both. Transforms such as `meiro.braid` take a batch and
    return one.

    Parameters
    ----------
    mazes : iterable of GraphMaze
        On one lattice; copied. Starts and goals stay, and seeds and recipe if the mazes have one recipe and
        one key.

    Attributes
    ----------
    lattice : Lattice
    open : ndarray of bool, shape (n, n_edges)
        Whether each edge of each maze is a passage. Read-only.
    starts, goals : ndarray, or None
        In the words of the lattice: coordinates, int64 of shape (n, axes), or numbers, (n,), -1 for mazes
        without one; or labels, (n,), None for these. None if no maze has one.
    openings : ndarray of int64, shape (n, k, 2), or None
        Cell and side of each, in their order, then -1 for mazes that have fewer; None if no maze has one.

    Raises
    ------
    ValueError
        If there is no maze, or they are on different lattices.
    TypeError
        If something else is among them.

    See Also
    --------
    generate_many : Makes batches.

    Examples
    --------
    >>> many = meiro.generate_many(meiro.lattices.square(3, 3), "kruskal", 5, rng=7)
    >>> many
    <GraphBatch of 5: square: 9 cells, kruskal>
    >>> many.open.shape, many[3].seed == meiro.replicate(7, 3)
    ((5, 12), True)
    >>> meiro.GraphBatch([many[4], many[0]]) == many[[4, 0]], len(many + many)
    (True, 10)
    """

    __module__ = "meiro"

    __slots__ = slots_of(GraphBatchData._fields, "starts", "goals")
    _held = GraphBatchData
    _of_each = ("open", "starts", "goals", "openings")

    lattice: Lattice
    open: NDArray[np.bool_]
    openings: Numbers | None
    _starts: Numbers | None
    _goals: Numbers | None

    def __init__(self, mazes: Iterable[GraphMaze]) -> None:
        self._hold(_data_of_mazes(mazes), STREAM)

    @property
    def recipe(self) -> dict[str, Any] | None:
        """The arguments of `meiro.generate_many`, if it made the mazes and they are successive replicates."""
        first = self._first_replicate()
        if self._recipe is None or first is None:
            return None
        kept = moved(recipe_on(self._recipe, self.lattice.recipe), first)
        return plain_recipe(kept, self._seed(first), plain_openings(self.lattice, self.openings), len(self))

    @property
    def starts(self) -> NDArray[Any] | None:
        """The start of each maze that was given."""
        return None if self._starts is None else self._names(self._starts)

    @property
    def goals(self) -> NDArray[Any] | None:
        """The goal of each maze that was given."""
        return None if self._goals is None else self._names(self._goals)

    @property
    def endpoints(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Where `meiro.solve` begins and ends, as `GraphMaze.endpoints`; as `starts` and `goals`."""
        first, last = ends_of_graph_batch(self)
        return self._names(first), self._names(last)

    def _names(self, numbers: Numbers) -> NDArray[Any]:
        return read_only(names_or_none(words_of(self.lattice), numbers))

    def _maze(self, number: int) -> GraphMaze:
        seed = self.seed(number)
        start, goal = (
            None if ends is None or ends[number] < 0 else int(ends[number])
            for ends in (self._starts, self._goals)
        )
        passages = self.open[number].copy().view(np.uint8)
        sites = self._openings_of(number)
        recipe = recipe_of_one(self._recipe, seed, int(self._numbers[number]))
        return graph_maze_from_core(self.lattice, passages, seed, recipe, start, goal, sites)

    def _classes(self) -> Numbers:
        openings = None if self.openings is None else sorted_sites(self.openings)
        return classes_of(np.packbits(self.open, axis=1), openings)

    def _is_same(self, other: GraphBatch) -> bool:
        same = self.open.shape == other.open.shape and self.lattice == other.lattice
        same = same and same_openings(self.openings, other.openings)
        return same and np.array_equal(self.open, other.open)

    def _joined(self, other: GraphBatch) -> GraphBatchData:
        if self.lattice != other.lattice:
            raise ValueError(f"+ takes batches on one lattice, not {self.lattice!r} and {other.lattice!r}")
        one, two = (state_of(batch)._replace(numbers=batch.replicates) for batch in (self, other))
        data: GraphBatchData = joined(one, two, "open")
        return data

    def _size(self) -> str:
        return f"{self.lattice.name}: {self.lattice.n_cells:,} cells"


def given_ends_of_each(batch: GraphBatch) -> tuple[Numbers | None, Numbers | None]:
    """Return the numbers of `GraphBatch.starts` and `GraphBatch.goals`."""
    return batch._starts, batch._goals  # noqa: SLF001  # of this module's own class


def ends_of_graph_batch(batch: GraphBatch) -> tuple[Numbers, Numbers]:
    """Return the numbers of `GraphBatch.endpoints`."""
    pairs, counts = cells_at_ends(batch.openings, len(batch))
    ends = []
    for i, given in enumerate(given_ends_of_each(batch)):
        cells = np.where(counts > i, pairs[:, i], i * (batch.lattice.n_cells - 1))
        ends.append(cells if given is None else np.where(given < 0, cells, given))
    return ends[0], ends[1]


def _data_of_mazes(mazes: Iterable[GraphMaze]) -> GraphBatchData:
    """Return the arrays of several mazes; an error names the first one that does not belong to them."""
    what = "several mazes on one lattice"
    given = given_mazes(mazes, GraphMaze, what, lambda maze: maze.lattice.n_edges)
    if not given:
        raise ValueError("mazes is empty, so there is no lattice")
    lattice = given[0].lattice
    for i, maze in enumerate(given):
        if maze.lattice != lattice:
            raise ValueError(
                f"mazes[{i}] is on {maze.lattice!r}, and mazes[0] on {lattice!r}: one lattice is needed"
            )
    parts = common_parts(given, list(map(given_ends_of, given)))
    return GraphBatchData(lattice, np.stack([maze.open for maze in given]), **parts)
