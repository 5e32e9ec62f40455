"""The class SolutionBatch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only
from meiro._utils.memory import require
from meiro._utils.set_module import set_module

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Shape


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
    shape : (int, int)
        Of each maze, in cells.
    grid_paths : ndarray of int32, shape (n, longest, 2), or None
        The paths in sites of the grids, as `Solution.grid_path`, padded with -1; None unless ``paths=True``.
        A new array at each access.
    masks : ndarray of bool, shape (n, 2 * rows + 1, 2 * cols + 1), or None
        True on the sites of the path, as `Solution.mask`; None unless ``paths=True``. A new array at each
        access.

    Examples
    --------
    >>> solved = meiro.solve_many([meiro.Maze([[2, 10, 8]]), meiro.Maze([[2, 8, 0]])], paths=True)
    >>> solved.lengths.tolist(), solved.paths.tolist()
    ([2, -1], [[[0, 0], [0, 1], [0, 2]], [[-1, -1], [-1, -1], [-1, -1]]])
    >>> solved.masks[0].astype(int).tolist()
    [[0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0]]
    """

    lengths: NDArray[np.int64]
    paths: NDArray[np.int32] | None
    shape: Shape

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.lengths, self.paths):
            if array is not None:
                array.flags.writeable = False

    @property
    def grid_paths(self) -> NDArray[np.int32] | None:
        """The paths in sites of the grids."""
        if self.paths is None:
            return None
        n = len(self.paths)

        def ask(most: int) -> None:
            require(8 * n * most, f"the paths of {self!r} in sites", "solve fewer mazes at a time")

        return read_only(_core.grid_paths(self.paths, self.lengths, self.shape, ask))

    @property
    def masks(self) -> NDArray[np.bool_] | None:
        """True on the sites of the path of each maze."""
        if self.paths is None:
            return None
        rows, cols = self.shape
        sites = len(self.paths) * (2 * rows + 1) * (2 * cols + 1)
        require(sites, f"the masks of {self!r}", "solve fewer mazes at a time")
        return read_only(_core.path_masks(self.paths, self.lengths, self.shape).view(np.bool_))

    def __repr__(self) -> str:
        """Return a summary of one line."""
        solved = int(np.count_nonzero(self.lengths >= 0))
        longest = f", the longest of {self.lengths.max():,} steps" if solved else ""
        return f"<SolutionBatch: {solved:,} of {len(self.lengths):,} mazes{longest}>"
