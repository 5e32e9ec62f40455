"""The result of `meiro.solve` on a lattice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Never

import numpy as np

from meiro._utils.arrays import read_only
from meiro._utils.cell_words import names_of
from meiro.results.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GraphSolution(Solution):
    """A `Solution` whose places are the cells of a lattice: ``space`` is "vertices".

    `start`, `goal`, `path` and `walk` are in the words of the lattice: labels, else coordinates, else numbers
    of cells. `explored`, `remains`, `visit_order` and `mask` have shape (n_cells,). There is no `grid_path`,
    and no picture to `save`.

    Attributes
    ----------
    path_numbers : ndarray of int64, shape (k,)
        The numbers of the cells of the path.
    edge_ids : ndarray of int32, shape (k - 1,)
        The edges of the path.
    """

    _path_cells: Any = None
    _words: Any = None  # of `words_of` the lattice

    @property
    def edge_ids(self) -> NDArray[np.int32]:
        """The edges of the path."""
        return self._steps  # type: ignore[return-value]  # here the steps are edges

    @property
    def path_numbers(self) -> NDArray[np.int64]:
        """The numbers of the cells from start to goal, both included."""
        return read_only(self._path_cells)

    @property
    def path(self) -> NDArray[Any]:
        """The cells from start to goal, both included."""
        return read_only(names_of(self._words, self._path_cells))

    @property
    def cells(self) -> NDArray[Any]:
        """The same as `path`."""
        return self.path

    @property
    def walk(self) -> NDArray[Any] | None:
        """The cells of the walk, in order; None for solvers that do not walk."""
        return None if self._walk is None else read_only(names_of(self._words, self._walk))

    @property
    def mask(self) -> NDArray[np.bool_]:
        """True on the cells of the path."""
        mask = np.zeros(self.shape, np.bool_)
        mask[self.path_numbers] = True
        return read_only(mask)

    @property
    def grid_path(self) -> Never:
        """An AttributeError: cells of a lattice have no grid."""
        msg = "a path on a lattice has no sites of a grid: use .path, its cells"
        raise AttributeError(msg)

    def path_chunks(self) -> Iterator[NDArray[np.int64]]:
        """Yield the path."""
        yield self.path
