"""The class SolutionBatch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only
from meiro._utils.bands import bands
from meiro._utils.memory import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Shape


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SolutionBatch:
    """Shortest paths of many mazes: the result of `meiro.solve_many`.

    Attributes
    ----------
    lengths : ndarray of int64, shape (n,)
        Steps of a shortest path; -1 if the goal is not reachable.
    paths : ndarray of int32, shape (n, longest + 1, 2), or None
        The paths that `meiro.solve` finds, from start to goal, padded with -1; None unless ``paths=True``.
        Of a `GraphBatch` in the words of its lattice: coordinates, shape (n, longest + 1, axes); or labels,
        padded with None, or numbers, shape (n, longest + 1).
    path_numbers : ndarray of int32, shape (n, longest + 1), or None
        The paths in numbers of cells, as `Solution.path_numbers`, padded with -1.
    shape : (int, int)
        Of each maze, in cells; ``(n_cells,)`` of a `GraphBatch`.
    openings : ndarray of int64, shape (n, 2, 2), or None
        The openings at which each path comes in and goes out, as `Solution.openings`, -1 for None; None if no
        path uses an opening.
    grid_paths : ndarray of int32, shape (n, longest, 2), or None
        The paths in sites of the grids, as `Solution.grid_path`, padded with -1; None unless ``paths=True``.
        A new array at each access.
    masks : ndarray of bool, shape (n, 2 * rows + 1, 2 * cols + 1), or None
        True on the sites of the path, as `Solution.mask`; None unless ``paths=True``. Shape (n, n_cells) of a
        `GraphBatch`, True in the cells of the path. A new array at each access.

    Examples
    --------
    >>> solved = meiro.solve_many([meiro.Maze([[2, 10, 8]]), meiro.Maze([[2, 8, 0]])], paths=True)
    >>> solved.lengths.tolist(), solved.paths.tolist()
    ([2, -1], [[[0, 0], [0, 1], [0, 2]], [[-1, -1], [-1, -1], [-1, -1]]])
    >>> solved.masks[0].astype(int).tolist()
    [[0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0]]
    """

    __module__ = "meiro"

    lengths: NDArray[np.int64]
    paths: NDArray[Any] | None
    shape: Shape
    openings: NDArray[np.int64] | None = None
    _numbers: NDArray[np.int32] | None = None  # of the cells of the paths on a lattice

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for array in (self.lengths, self.paths, self.openings, self._numbers):
            if array is not None:
                array.flags.writeable = False

    @property
    def path_numbers(self) -> NDArray[np.int32] | None:
        """The paths in numbers of cells, padded with -1."""
        if self.paths is None or self._numbers is not None:
            return self._numbers
        numbers = self.paths @ np.array([self.shape[1], 1], np.int32)
        numbers[self.paths[..., 0] < 0] = -1
        return read_only(numbers)

    @property
    def grid_paths(self) -> NDArray[np.int32] | None:
        """The paths in sites of the grids."""
        if len(self.shape) == 1:
            raise AttributeError("paths on a lattice have no sites of a grid: use .paths, their cells")
        if self.paths is None:
            return None
        n = len(self.paths)

        def ask(most: int) -> None:
            require(8 * n * most, f"the paths of {self!r} in sites", "solve fewer mazes at a time")

        found = _core.grid_paths(self.paths, self.lengths, self.shape, ask)
        return read_only(found if self.openings is None else self._through_openings(found, self.openings))

    def _through_openings(self, found: NDArray[np.int32], openings: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return paths in sites with the openings before the first and behind the last site."""
        opened = (openings[..., 0] >= 0) & (self.lengths >= 0)[:, np.newaxis]
        sites = (found[..., 0] >= 0).sum(axis=1) + opened[:, 0]
        longest = int((sites + opened[:, 1]).max(initial=0))
        require(8 * len(found) * longest, f"the paths of {self!r} in sites", "solve fewer mazes at a time")
        out = np.full((len(found), max(longest, found.shape[1]), 2), -1, np.int32)
        for begins in (False, True):
            rows = np.flatnonzero(opened[:, 0] == begins)
            least = min(found.shape[1], out.shape[1] - begins)
            out[rows, int(begins) : least + begins] = found[rows, :least]
        first, last = (np.flatnonzero(opened[:, i]) for i in (0, 1))
        out[first, 0] = openings[first, 0]
        out[last, sites[last]] = openings[last, 1]
        return out[:, :longest]

    @property
    def masks(self) -> NDArray[np.bool_] | None:
        """True on the sites of the path of each maze, on a lattice in its cells."""
        if self.paths is None:
            return None
        if self._numbers is not None:
            require(len(self.paths) * self.shape[0], f"the masks of {self!r}", "solve fewer mazes at a time")
            return read_only(cells_on(self._numbers, self.shape))
        rows, cols = self.shape
        sites = len(self.paths) * (2 * rows + 1) * (2 * cols + 1)
        require(sites, f"the masks of {self!r}", "solve fewer mazes at a time")
        masks = _core.path_masks(self.paths, self.lengths, self.shape)
        if self.openings is not None:
            maze, i = ((self.openings[..., 0] >= 0) & (self.lengths >= 0)[:, np.newaxis]).nonzero()
            masks[maze, *self.openings[maze, i].T] = True
        return read_only(masks)

    def __repr__(self) -> str:
        """Return a summary of one line."""
        solved = int(np.count_nonzero(self.lengths >= 0))
        longest = f", the longest of {self.lengths.max():,} steps" if solved else ""
        return f"<SolutionBatch: {solved:,} of {len(self.lengths):,} mazes{longest}>"


def cells_on(paths: NDArray[np.integer[Any]], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which cells of each maze, (n, *shape), are on its path; a path is padded with -1."""
    n, steps = paths.shape[:2]
    cells = paths.reshape(n, steps, len(shape))
    found = np.zeros((n, *shape), np.bool_)
    for band in bands(n, cells[:1].size):
        maze, step = (cells[band][..., 0] >= 0).nonzero()
        found[band][maze, *cells[band][maze, step].T] = True
    return found
