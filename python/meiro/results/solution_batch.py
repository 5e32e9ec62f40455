"""The class SolutionBatch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.set_module import set_module

if TYPE_CHECKING:
    from numpy.typing import NDArray


@set_module("meiro")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SolutionBatch:
    """Shortest paths of many mazes: the result of `meiro.solve_many`.

    Attributes
    ----------
    lengths : ndarray of int64, shape (n,)
        Steps of a shortest path; -1 if the goal is not reachable.
    paths : ndarray of int32, shape (n, longest + 1, 2), or None
        The paths that `meiro.solve` finds, from start to goal, padded with -1; None unless ``paths=True``.

    Examples
    --------
    >>> solved = meiro.solve_many([meiro.Maze([[2, 10, 8]]), meiro.Maze([[2, 8, 0]])], paths=True)
    >>> solved.lengths.tolist(), solved.paths.tolist()
    ([2, -1], [[[0, 0], [0, 1], [0, 2]], [[-1, -1], [-1, -1], [-1, -1]]])
    """

    lengths: NDArray[np.int64]
    paths: NDArray[np.int32] | None

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.lengths, self.paths):
            if array is not None:
                array.flags.writeable = False

    def __repr__(self) -> str:
        """Return a summary of one line."""
        solved = int(np.count_nonzero(self.lengths >= 0))
        longest = f", the longest of {self.lengths.max():,} steps" if solved else ""
        return f"<SolutionBatch: {solved:,} of {len(self.lengths):,} mazes{longest}>"
