"""What `endpoints` asks of many mazes: cells that may be ends, distances, and the longest paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro.spaces.space_of import mazes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch
    from meiro.spaces.space import MazeSpace

    Numbers = NDArray[np.int64]
    Flags = NDArray[np.bool_]


class Tasks:
    """Many mazes, whose cells are numbers."""

    def __init__(self, batch: MazeBatch | GraphBatch) -> None:
        self.batch = batch
        self.space: MazeSpace[Any] = mazes_of(batch, "batch")
        self.n_cells = self.space.size

    def __len__(self) -> int:
        return self.space.n

    def some(self, which: slice | Numbers) -> Tasks:
        """Return some of the mazes."""
        return Tasks(self.batch[which])

    def allowed(self, *, dead_ends: bool) -> Flags | None:
        """Return which cells exist or are dead ends, of all mazes or (n, n_cells); None: all exist."""
        return self.space.dead_ends() if dead_ends else self.space.existing()

    def given_pairs(self, how: str) -> tuple[Numbers, Flags]:
        """Return the first and the last cell, or those at the openings, (n, 2), and where there are two."""
        if how == "corners":
            pairs = self.space.corners()
            return pairs, pairs[:, 0] != pairs[:, 1]
        pairs, opened = self.space.cells_at_openings()
        return pairs, opened & (pairs[:, 0] != pairs[:, 1])

    def farthest(self, threads: int) -> Numbers:
        """Return the ends of a longest shortest path and its length, (n, 3)."""
        return _core.farthest(self.space.core, threads)

    def lengths(self, pairs: Numbers, threads: int) -> Numbers:
        """Return the steps between two cells of each maze, (n,)."""
        starts, goals = np.ascontiguousarray(pairs.T)
        return _core.solve_many(
            self.space.core, np.where(goals < 0, -1, starts), np.maximum(goals, 0), None, threads, None
        )[0]

    def steps(self, maze: int, start: int) -> NDArray[np.signedinteger]:
        """Return the steps to all cells of one maze."""
        one = mazes_of(self.batch[maze])
        found = np.empty(one.size, one.counts)
        _core.distances(one.core, np.array([[start]]), np.empty(0), found, 1, None)
        return found

    def far_counts(self, maze: int, candidates: Flags, least: int) -> Numbers:
        """Return for each cell the number of candidates at least so far; 0 for other cells."""
        return _core.far_counts(mazes_of(self.batch[maze]).core, candidates.view(np.uint8), least)
