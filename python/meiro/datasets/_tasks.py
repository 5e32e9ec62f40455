"""What `endpoints` asks of many mazes: cells that may be ends, distances, and the longest paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from meiro import _core
from meiro.lattices.lattice import graph_of
from meiro.maze._endpoints import OnlyOpenings, corners_many, ends_of_many
from meiro.solvers.distances import distances
from meiro.solvers.graph_cells import one_graph
from meiro.solvers.solve_many import solve_many

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.graphs.graph_batch import GraphBatch
    from meiro.maze.batch import MazeBatch

    Numbers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

_DEAD_ENDS = np.array([(byte & 15).bit_count() == 1 for byte in range(256)])


class Tasks(Protocol):
    """Many mazes, whose cells are numbers."""

    n_cells: int
    bytes_a_maze: int

    def __len__(self) -> int: ...
    def some(self, which: slice | Numbers) -> Tasks:
        """Return some of the mazes."""

    def allowed(self, *, dead_ends: bool) -> Flags | None:
        """Return which cells exist or are dead ends, of all mazes or (n, n_cells); None: all exist."""

    def given_pairs(self, how: str) -> tuple[Numbers, Flags]:
        """Return the first and the last cell, or those at the openings, (n, 2), and where there are two."""

    def farthest(self, threads: int) -> Numbers:
        """Return the ends of a longest shortest path and its length, (n, 3)."""

    def lengths(self, pairs: Numbers, threads: int) -> Numbers:
        """Return the steps between two cells of each maze, (n,)."""

    def steps(self, maze: int, start: int) -> NDArray[Any]:
        """Return the steps to all cells of one maze."""

    def far_counts(self, maze: int, candidates: Flags, least: int) -> Numbers:
        """Return for each cell the number of candidates at least so far; 0 for other cells."""


class GridTasks:
    """Mazes of rows and columns."""

    def __init__(self, batch: MazeBatch) -> None:
        self.batch = batch
        self.n_cells = self.bytes_a_maze = batch.rows * batch.cols

    def __len__(self) -> int:
        return len(self.batch)

    def some(self, which: slice | Numbers) -> GridTasks:
        return GridTasks(self.batch[which])

    def allowed(self, *, dead_ends: bool) -> Flags | None:
        found = _DEAD_ENDS[self.batch.passages] if dead_ends else self.batch.masks
        return None if found is None else found.reshape(-1, self.n_cells)

    def given_pairs(self, how: str) -> tuple[Numbers, Flags]:
        batch = self.batch
        if how == "corners":
            pairs = corners_many(batch.masks, len(batch), batch.shape).T
            return pairs, pairs[:, 0] != pairs[:, 1]
        ends = ends_of_many(OnlyOpenings(batch.passages, batch.masks, batch.openings))
        pairs = np.stack([end.cells @ (batch.cols, 1) for end in ends], axis=1)
        opened = np.logical_and(*(end.sites[:, 0] >= 0 for end in ends))
        return pairs, opened & (pairs[:, 0] != pairs[:, 1])

    def farthest(self, threads: int) -> Numbers:
        return _core.farthest_of_many(np.ascontiguousarray(self.batch.passages), self.batch.wrap, threads)

    def lengths(self, pairs: Numbers, threads: int) -> Numbers:
        starts, goals = np.moveaxis(np.stack(np.divmod(pairs, self.batch.cols), axis=-1), 1, 0)
        return solve_many(self.batch, starts, goals, threads=threads).lengths

    def steps(self, maze: int, start: int) -> NDArray[Any]:
        return distances(self.batch[maze], divmod(start, self.batch.cols)).reshape(-1)

    def far_counts(self, maze: int, candidates: Flags, least: int) -> Numbers:
        batch = self.batch
        return _core.far_counts(batch.passages[maze], batch.wrap, candidates.view(np.uint8), least)


class GraphTasks:
    """Mazes on a lattice."""

    def __init__(self, batch: GraphBatch) -> None:
        self.batch = batch
        self.n_cells, self.bytes_a_maze = batch.lattice.n_cells, batch.lattice.n_cells + batch.lattice.n_edges

    def __len__(self) -> int:
        return len(self.batch)

    def some(self, which: slice | Numbers) -> GraphTasks:
        return GraphTasks(self.batch[which])

    def allowed(self, *, dead_ends: bool) -> Flags | None:
        if not dead_ends:
            return None
        lattice, open_ = self.batch.lattice, self.batch.open
        ends = lattice.edges[lattice.edges[:, 0] != lattice.edges[:, 1]]  # a self loop is never open
        own = np.flatnonzero(lattice.edges[:, 0] != lattice.edges[:, 1])
        found = np.zeros((len(open_), self.n_cells), np.bool_)
        for maze, passages in enumerate(open_):
            degrees = np.bincount(ends[passages[own]].reshape(-1), minlength=self.n_cells)
            found[maze] = degrees == 1
        return found

    def given_pairs(self, how: str) -> tuple[Numbers, Flags]:
        if how == "openings":
            msg = 'how="openings" is for mazes of rows and columns: mazes on a lattice have no openings'
            raise ValueError(msg)
        pairs = np.tile(np.array([0, self.n_cells - 1], np.int64), (len(self), 1))
        return pairs, pairs[:, 0] != pairs[:, 1]

    def farthest(self, threads: int) -> Numbers:
        return _core.farthest_on_graphs(graph_of(self.batch.lattice), one_graph(self.batch), threads)

    def lengths(self, pairs: Numbers, threads: int) -> Numbers:
        starts, goals = np.ascontiguousarray(pairs.T)
        graph = graph_of(self.batch.lattice)
        return _core.solve_graphs(graph, one_graph(self.batch), starts, goals, None, threads, None)[0]

    def steps(self, maze: int, start: int) -> NDArray[Any]:
        passages = one_graph(self.batch[maze])[0]
        return _core.distances_on_graph(graph_of(self.batch.lattice), passages, np.array([start]), None, None)

    def far_counts(self, maze: int, candidates: Flags, least: int) -> Numbers:
        counts = np.zeros(self.n_cells, np.int64)
        for start in np.flatnonzero(candidates).tolist():
            counts[start] = np.count_nonzero((self.steps(maze, start) >= least) & candidates)
        return counts
