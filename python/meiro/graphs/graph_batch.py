"""Many mazes on one lattice, in one array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, SupportsIndex, overload

import numpy as np

from meiro._utils.arrays import read_only
from meiro._utils.bands import equal
from meiro._utils.memory import require
from meiro._utils.messages import printable, short_repr
from meiro._utils.set_module import set_module
from meiro._utils.validation import items_of
from meiro.graphs._openings import plain_openings
from meiro.graphs.graph_maze import GraphMaze, graph_maze_from_core, recipe_of_graph_maze
from meiro.maze._batch import Batch
from meiro.maze._batch_data import (
    common_provenance,
    ends_of_each,
    equal_recipes,
    joined_ends,
    joined_sites,
    padded_sites,
    picked_number,
    picked_numbers,
    same_openings,
)
from meiro.maze._frozen import put
from meiro.maze._openings import NO_OPENINGS, sorted_sites
from meiro.maze._recipe import plain_recipe
from meiro.seeds import STREAM, Root

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice
    from meiro.maze.batch import Several

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


@set_module("meiro")
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
    starts, goals : ndarray of int64, shape (n,), or None
        Numbers of cells, -1 for mazes without one; None if no maze has one.
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

    __slots__ = ("_numbers", "_recipe", "_root", "goals", "lattice", "open", "openings", "starts")

    lattice: Lattice
    open: NDArray[np.bool_]
    starts: Numbers | None
    goals: Numbers | None
    openings: Numbers | None

    __hash__: ClassVar[None]  # type: ignore[assignment]  # as MazeBatch

    def __init__(self, mazes: Iterable[GraphMaze]) -> None:
        _set_fields(self, _data_of_mazes(mazes))

    @property
    def recipe(self) -> dict[str, Any] | None:
        """The arguments of `meiro.generate_many`, if it made the mazes and they are successive replicates."""
        first = self._first_replicate()
        if self._recipe is None or first is None:
            return None
        kept = {**self._recipe, "shape": self.lattice.recipe}
        same = self.openings
        if same is not None and (same == same[0]).all():
            same = same[0]
        return plain_recipe(kept, self._seed(first), plain_openings(self.lattice, same), len(self))

    @property
    def endpoints(self) -> tuple[Numbers, Numbers]:
        """Where `meiro.solve` begins and ends, (n,) each, as `GraphMaze.endpoints`."""
        n, sites = len(self), self.openings
        counts = np.zeros(n, np.int64) if sites is None else (sites[..., 0] >= 0).sum(axis=1)
        ends = []
        for i, given in enumerate((self.starts, self.goals)):
            cells = np.full(n, i * (self.lattice.n_cells - 1), np.int64)
            opened = np.flatnonzero(counts > i)
            if sites is not None:
                cells[opened] = sites[opened, i * (counts[opened] - 1), 0]
            ends.append(cells if given is None else np.where(given < 0, cells, given))
        return ends[0], ends[1]

    def __len__(self) -> int:
        """Return the number of mazes."""
        return len(self.open)

    @overload
    def __getitem__(self, i: int | np.integer[Any]) -> GraphMaze: ...
    @overload
    def __getitem__(self, i: Several) -> GraphBatch: ...
    def __getitem__(self, i: SupportsIndex | Several) -> GraphMaze | GraphBatch:
        """Return one maze, or a batch of some: a slice is not a copy."""
        if isinstance(i, slice):
            return self._some(i, self._numbers[i])
        if not isinstance(i, SupportsIndex) or np.ndim(i):  # type: ignore[arg-type]  # an array has __index__
            return self._pick(picked_numbers(i, len(self)))
        number = picked_number(i, len(self))
        seed = self.seed(number)
        start, goal = (
            None if ends is None or ends[number] < 0 else int(ends[number])
            for ends in (self.starts, self.goals)
        )
        passages = self.open[number].copy().view(np.uint8)
        sites = NO_OPENINGS
        if self.openings is not None:
            sites = read_only(self.openings[number][self.openings[number, :, 0] >= 0])
        recipe = self._recipe if seed else None
        return graph_maze_from_core(self.lattice, passages, seed, recipe, start, goal, sites)

    def _pick(self, numbers: Numbers) -> GraphBatch:
        require(len(numbers) * self.open[:1].size, f"{len(numbers):,} of {self!r}", "take a slice of it")
        return self._some(numbers, self.replicates[numbers])

    def _some(self, i: slice | Numbers, numbers: range | NDArray[np.uint64]) -> GraphBatch:
        ends = (None if of is None else of[i] for of in (self.starts, self.goals, self.openings))
        data = GraphBatchData(self.lattice, self.open[i], self._root, numbers, self._recipe, *ends)
        return graph_batch(data)

    def _bytes_of_passages(self) -> int:
        return self.open.size

    def _classes(self) -> Numbers:
        rows = np.packbits(self.open, axis=1)
        if self.openings is not None:
            sites = sorted_sites(self.openings).reshape(len(self), -1)
            rows = np.concatenate([rows, sites.view(np.uint8)], axis=1)
        classes: dict[bytes, int] = {}
        numbers = (classes.setdefault(row.tobytes(), len(classes)) for row in rows)
        return np.fromiter(numbers, np.int64, len(self))

    def __eq__(self, other: object) -> bool:
        """Return whether lattice, open edges and openings are the same."""
        if not isinstance(other, GraphBatch):
            return NotImplemented
        same = self.open.shape == other.open.shape and self.lattice == other.lattice
        same = same and same_openings(self.openings, other.openings)
        return same and equal(self.open.view(np.uint8), other.open.view(np.uint8))

    def __add__(self, other: GraphBatch) -> GraphBatch:
        """Return the mazes of both batches in one."""
        if not isinstance(other, GraphBatch):
            msg = (
                f"+ takes a GraphBatch, not {short_repr(other)}: meiro.GraphBatch(mazes) makes one of a list"
            )
            raise TypeError(msg)
        if self.lattice != other.lattice:
            msg = f"+ takes batches on one lattice, not {self.lattice!r} and {other.lattice!r}"
            raise ValueError(msg)
        return joined_batches([self, other])

    def __getstate__(self) -> tuple[Any, ...]:
        """Return a `GraphBatchData`, and the version of the stream."""
        return *_data(self), STREAM

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Set what a pickle holds. Seeds of another stream make other mazes: they are dropped."""
        *values, stream = state
        data = GraphBatchData(*values)
        _set_fields(self, data if stream == STREAM else data._replace(root=None))

    def __repr__(self) -> str:
        """Return one line."""
        lattice = f"{self.lattice.name}: {self.lattice.n_cells:,} cells"
        algorithm = f", {printable(self.algorithm)}" if self.algorithm else ""
        return f"<GraphBatch of {len(self):,}: {lattice}{algorithm}>"

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.rich_display import graph_batch_html

        return graph_batch_html(self)


def graph_batch(data: GraphBatchData) -> GraphBatch:
    """Return a batch of arrays that the core has made: they are not copied."""
    batch: GraphBatch = object.__new__(GraphBatch)
    _set_fields(batch, data)
    return batch


def joined_batches(batches: Sequence[GraphBatch]) -> GraphBatch:
    """Return the mazes of several batches on one lattice; seeds stay if they have one recipe and key."""
    one = batches[0]
    alike = all(b._root == one._root and equal_recipes(b._recipe, one._recipe) for b in batches)  # noqa: SLF001
    counts = [len(batch) for batch in batches]
    return graph_batch(
        GraphBatchData(
            one.lattice,
            np.concatenate([batch.open for batch in batches]),
            one._root if alike else None,  # noqa: SLF001  # of this module's own class
            np.concatenate([batch.replicates for batch in batches]),
            one._recipe if alike else None,  # noqa: SLF001
            joined_ends([batch.starts for batch in batches], counts),
            joined_ends([batch.goals for batch in batches], counts),
            joined_sites([batch.openings for batch in batches], counts),
        )
    )


def _data_of_mazes(mazes: Iterable[GraphMaze]) -> GraphBatchData:
    """Return the arrays of several mazes; an error names the first one that does not belong to them."""
    given: list[GraphMaze] = []
    for i, maze in enumerate(items_of(mazes, "mazes", "several mazes on one lattice")):
        if not isinstance(maze, GraphMaze):
            msg = f"mazes[{i}] must be a GraphMaze, not {short_repr(maze)}"
            raise TypeError(msg)
        if given and maze.lattice != given[0].lattice:
            one, other = maze.lattice, given[0].lattice
            msg = f"mazes[{i}] is on {one!r}, and mazes[0] on {other!r}: one lattice is needed"
            raise ValueError(msg)
        if i & (i - 1) == 0:  # i is 0 or a power of two: an iterator may be endless
            require(2 * i * maze.lattice.n_edges, f"{2 * i:,} mazes", "take fewer")
        given.append(maze)
    if not given:
        msg = "mazes is empty, so there is no lattice"
        raise ValueError(msg)
    root, numbers, recipe = common_provenance(
        [maze.seed for maze in given], [recipe_of_graph_maze(maze) for maze in given]
    )
    return GraphBatchData(
        given[0].lattice,
        np.stack([maze.open for maze in given]),
        root,
        numbers,
        recipe,
        ends_of_each([maze.start for maze in given]),
        ends_of_each([maze.goal for maze in given]),
        padded_sites([maze.openings for maze in given]),
    )


def _data(batch: GraphBatch) -> GraphBatchData:
    """Return what a batch holds."""
    kept = batch._root, batch._numbers, batch._recipe  # noqa: SLF001  # of this module's own class
    return GraphBatchData(batch.lattice, batch.open, *kept, batch.starts, batch.goals, batch.openings)


def changed_graph_batch(batch: GraphBatch, **changes: Any) -> GraphBatch:
    """Return a batch with other openings, starts or goals."""
    return graph_batch(_data(batch)._replace(**changes))


def _set_fields(batch: GraphBatch, data: GraphBatchData) -> None:
    view = data.open.view()
    view.flags.writeable = False
    for ends in (data.starts, data.goals, data.openings):
        if ends is not None:
            ends.flags.writeable = False
    values = {"lattice": data.lattice, "open": view, "_root": data.root, "_numbers": data.numbers}
    values |= {"_recipe": data.recipe, "starts": data.starts, "goals": data.goals, "openings": data.openings}
    for name, value in values.items():
        put(batch, name, value)
