"""Many mazes on one lattice, in one array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex, overload

import numpy as np

from meiro._utils.bands import equal
from meiro._utils.messages import printable
from meiro._utils.set_module import set_module
from meiro.graphs.graph_maze import GraphMaze, graph_maze_from_core
from meiro.maze._batch_data import SeededMazes, picked_number, picked_numbers
from meiro.maze._frozen import put
from meiro.maze._recipe import plain_recipe
from meiro.seeds import STREAM, Root

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice
    from meiro.maze.batch import Several


@set_module("meiro")
class GraphBatch(SeededMazes[GraphMaze]):
    """A sequence of mazes on one lattice, from `meiro.generate_many`.

    Frozen; ``batch[i]`` is a `GraphMaze`. A slice is a batch on the same array; a list or array of integers,
    or a boolean mask, picks mazes into an array of their own. Two are equal if lattice and open edges are.

    Attributes
    ----------
    lattice : Lattice
    open : ndarray of bool, shape (n, n_edges)
        Whether each edge of each maze is a passage. Read-only.

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
    """

    __slots__ = ("_numbers", "_recipe", "_root", "lattice", "open")

    lattice: Lattice
    open: NDArray[np.bool_]
    _numbers: NDArray[np.uint64]

    __hash__: ClassVar[None]  # type: ignore[assignment]  # as MazeBatch

    def __init__(self) -> None:
        raise TypeError("meiro.generate_many(lattice, algorithm, n) makes a GraphBatch")  # noqa: EM101, TRY003

    @property
    def recipe(self) -> dict[str, Any] | None:
        """The arguments of `meiro.generate_many`, if it made the mazes and they are successive replicates."""
        first = self._first_replicate()
        if self._recipe is None or first is None:
            return None
        kept = {**self._recipe, "shape": self.lattice.recipe}
        return plain_recipe(kept, self._seed(first), None, len(self))

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
            return graph_batch(self.lattice, self.open[i], self._root, self._numbers[i], self._recipe)
        if not isinstance(i, SupportsIndex) or np.ndim(i):  # type: ignore[arg-type]  # an array has __index__
            some = picked_numbers(i, len(self))
            return graph_batch(self.lattice, self.open[some], self._root, self._numbers[some], self._recipe)
        number = picked_number(i, len(self))
        seed = self.seed(number)
        return graph_maze_from_core(
            self.lattice, self.open[number].copy().view(np.uint8), seed, self._recipe if seed else None
        )

    def __eq__(self, other: object) -> bool:
        """Return whether lattice and open edges are the same."""
        if not isinstance(other, GraphBatch):
            return NotImplemented
        same = self.open.shape == other.open.shape and self.lattice == other.lattice
        return same and equal(self.open.view(np.uint8), other.open.view(np.uint8))

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what the batch holds, and the version of the stream."""
        return self.lattice, self.open, self._root, self._numbers, self._recipe, STREAM

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Set what a pickle holds. Seeds of another stream make other mazes: they are dropped."""
        lattice, passages, root, numbers, recipe, stream = state
        _set_fields(self, lattice, passages, root if stream == STREAM else None, numbers, recipe)

    def __repr__(self) -> str:
        """Return one line."""
        lattice = f"{self.lattice.name}: {self.lattice.n_cells:,} cells"
        algorithm = f", {printable(self.algorithm)}" if self.algorithm else ""
        return f"<GraphBatch of {len(self):,}: {lattice}{algorithm}>"

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.rich_display import graph_batch_html

        return graph_batch_html(self)


def graph_batch(
    lattice: Lattice,
    passages: NDArray[np.bool_],
    root: Root | None,
    numbers: NDArray[np.uint64],
    recipe: Mapping[str, object] | None,
) -> GraphBatch:
    """Return a batch of arrays that the core has made: they are not copied."""
    batch: GraphBatch = object.__new__(GraphBatch)
    _set_fields(batch, lattice, passages, root, numbers, recipe)
    return batch


def joined_batches(batches: Sequence[GraphBatch]) -> GraphBatch:
    """Return the mazes of several batches that differ in their replicates only."""
    one = batches[0]
    return graph_batch(
        one.lattice,
        np.concatenate([batch.open for batch in batches]),
        one._root,  # noqa: SLF001  # of this module's own class
        np.concatenate([batch.replicates for batch in batches]),
        one._recipe,  # noqa: SLF001
    )


def _set_fields(  # noqa: PLR0917  # the parts of a batch
    batch: GraphBatch,
    lattice: Lattice,
    passages: NDArray[np.bool_],
    root: Root | None,
    numbers: NDArray[np.uint64],
    recipe: Mapping[str, object] | None,
) -> None:
    view = passages.view()
    view.flags.writeable = False
    values = {"lattice": lattice, "open": view, "_root": root, "_numbers": numbers, "_recipe": recipe}
    for name, value in values.items():
        put(batch, name, value)
