"""Many mazes of one kind, in one array."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import describe_size
from meiro._utils.square import FLAT, CellLike, Wrap
from meiro.mazes._batch import Batch, batch_of, of_kind, slots_of
from meiro.mazes._batch_data import (
    BatchData,
    classes_of,
    data_of_mazes,
    data_of_passages,
    joined_data,
    same_masks,
    same_openings,
)
from meiro.mazes._endpoints import ends_of_many
from meiro.mazes._one_maze import OnSquares
from meiro.mazes._openings import sorted_sites
from meiro.mazes._recipe import moved, plain_recipe, recipe_of_one
from meiro.mazes._validation import has_own_mask, surviving_mask
from meiro.mazes.maze import Maze, maze_from_core
from meiro.seeds import STREAM

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    Endpoints = CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]


class MazeBatch(OnSquares, Batch[Maze]):
    """A sequence of mazes of one shape in one array, from `meiro.generate_many`, or of a list of mazes.

    Frozen; two batches are equal if passages, masks, wraps and openings are. ``batch[i]`` is a `Maze`. A
    slice is a batch on the same array; a list or array of integers, or a boolean mask, picks mazes into an
    array of their own. Each maze keeps its seed. ``one + other`` has the mazes of both, and
    ``np.asarray(batch)`` is `grids`. Transforms such as `meiro.braid` take a batch and return one.

    Parameters
    ----------
    mazes : iterable of Maze
        Of one shape and wrap; copied. Openings, starts and goals stay, and seeds and recipe if the mazes have
        one recipe and one key.

    Attributes
    ----------
    passages : ndarray of uint8, shape (n, rows, cols)
        Read-only, unless it is the ``out=`` that was given.
    mask : ndarray of bool, shape (rows, cols), or None
        The mask of all mazes.
    wrap : (bool, bool)
        Whether the mazes are periodic along rows and columns.
    openings : ndarray of int64, shape (n, k, 2), or None
        Those of each maze, in the order given, then -1; None if no maze has any.
    starts, goals : ndarray of int64, shape (n, 2), or None
        Row and column, -1 for mazes without one; None if no maze has one.

    Raises
    ------
    ValueError
        If there is no maze, or they differ in shape or wrap.
    TypeError
        If something else is among them.

    See Also
    --------
    generate_many : Makes batches.

    Examples
    --------
    >>> many = meiro.generate_many((3, 3), "kruskal", 5, rng=7)
    >>> len(many), many.passages.shape, many[1:3]
    (5, (5, 3, 3), <MazeBatch of 2: 3 rows x 3 cols, kruskal>)
    >>> many[[4, 0]].replicates.tolist(), many[::2].seed(1) == meiro.replicate(7, 2)
    ([4, 0], True)
    >>> meiro.MazeBatch([many[4], many[0]]) == many[[4, 0]], len(many + many)
    (True, 10)
    """

    __module__ = "meiro"

    __slots__ = slots_of(BatchData._fields)
    _held = BatchData
    _of_each = ("passages", "masks", "openings", "starts", "goals")

    passages: NDArray[np.uint8]
    mask: NDArray[np.bool_] | None
    wrap: Wrap
    _masks: NDArray[np.bool_] | None  # of each maze, unless the recipe says that they follow from passages
    openings: NDArray[np.int64] | None
    starts: NDArray[np.int64] | None
    goals: NDArray[np.int64] | None

    def __init__(self, mazes: Iterable[Maze]) -> None:
        self._hold(data_of_mazes(mazes), STREAM)

    @staticmethod
    def from_passages(passages: ArrayLike, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT) -> MazeBatch:
        """Make a batch of the open directions of each cell, as in `Maze`.

        Parameters
        ----------
        passages : array_like of uint8, shape (n, rows, cols)
            N=1, E=2, S=4, W=8, set on both sides of a passage. Copied.
        mask : array_like of bool, shape (rows, cols) or (n, rows, cols), optional
            True where a cell exists, in all mazes or in each.
        wrap : (bool, bool), optional
            As in `Maze`.

        Raises
        ------
        ValueError
            If the passages of a maze do not agree with each other; with its number and cell.
        TypeError
            If they are not integers.

        Examples
        --------
        >>> meiro.MazeBatch.from_passages([[[2, 8]], [[0, 0]]])
        <MazeBatch of 2: 1 row x 2 cols>
        """
        return batch_of_data(data_of_passages(passages, mask, wrap))

    @property
    def masks(self) -> NDArray[np.bool_] | None:
        """The masks of the mazes, (n, rows, cols), if they differ; else `mask`."""
        if self._masks is not None or self._recipe is None or not has_own_mask(self._recipe):
            return self.mask if self._masks is None else self._masks
        left = self.passages != 0
        count = left.sum(axis=(1, 2), keepdims=True)
        removed = (count > 0) & (count < left[:1].size)
        return np.where(removed, left, True if self.mask is None else self.mask)

    @property
    def grids(self) -> NDArray[np.uint8]:
        """The drawn grids, (n, 2 * rows + 1, 2 * cols + 1), 1 where there is a wall: built at each access."""
        n, rows, cols = self.passages.shape
        require(n * (2 * rows + 1) * (2 * cols + 1), f"the grids of {self!r}", "take a slice of it")
        grids = np.empty((n, 2 * rows + 1, 2 * cols + 1), np.uint8)
        _core.expand_rows(np.ascontiguousarray(self.passages), self.masks, 0, grids, True, 1)  # noqa: FBT003
        if self.openings is not None:
            maze, i = (self.openings[..., 0] >= 0).nonzero()
            grids[maze, *self.openings[maze, i].T] = 0
        return grids

    @property
    def endpoints(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The cells where the path of each maze begins and ends, (n, 2) each, as `Maze.endpoints`.

        Examples
        --------
        >>> many = meiro.generate_many((3, 4), n=2, rng=7, openings="left_right")
        >>> [cells.tolist() for cells in many.endpoints]
        [[[1, 0], [1, 0]], [[1, 3], [1, 3]]]
        """
        start, goal = ends_of_many(self.passages, self.masks, self.openings, self.starts, self.goals)
        return start.cells, goal.cells

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001
        """Return the grids."""
        if copy is False:
            raise ValueError(
                "copy=False: the grids of a batch are built at each access, and so always a copy"
            )
        grids = self.grids
        return grids if dtype is None or np.dtype(dtype) == grids.dtype else grids.astype(dtype)

    @property
    def recipe(self) -> dict[str, Any] | None:
        """The arguments of `meiro.generate_many`, if the mazes are successive replicates."""
        first = self._first_replicate()
        if first is None:
            return None
        return plain_recipe(moved(self._recipe, first), self._seed(first), self.openings, len(self))

    def _is_same(self, other: MazeBatch) -> bool:
        return (
            self.wrap == other.wrap
            and np.array_equal(self.passages, other.passages)
            and same_masks(self.masks, other.masks, self.passages.shape)
            and same_openings(self.openings, other.openings)
        )

    def _joined(self, other: MazeBatch) -> BatchData:
        return joined_data(self._data(), other._data())

    def _data(self) -> BatchData:
        """Return what the batch holds, with the numbers and masks of single mazes."""
        masks = self.masks
        own = None if masks is self.mask else masks
        data: BatchData = self._state()
        return data._replace(numbers=self.replicates, masks=own)

    def _maze(self, number: int) -> Maze:
        seed = self.seed(number)
        # A copy: what is written into out= later must not change a maze.
        passages = self.passages[number].copy()
        if self._masks is not None:
            mask = None if self._masks[number].all() else self._masks[number].copy()
        else:
            mask = surviving_mask(passages, self.mask, self._recipe or {})
        recipe = recipe_of_one(self._recipe, seed, int(self._numbers[number]))
        sites = self._openings_of(number)
        start, goal = (
            None if ends is None or ends[number, 0] < 0 else (int(ends[number, 0]), int(ends[number, 1]))
            for ends in (self.starts, self.goals)
        )
        return maze_from_core(passages, mask, sites, seed, recipe, self.wrap, start=start, goal=goal)

    def _size(self) -> str:
        return describe_size(self.rows, self.cols)

    def _classes(self) -> NDArray[np.int64]:
        masks = self.masks
        openings = None if self.openings is None else sorted_sites(self.openings)
        return classes_of(self.passages, None if masks is self.mask else masks, openings)

    @staticmethod
    def open(path: str | os.PathLike[str]) -> MazeBatch:
        """Read a batch that `save` wrote.

        Parameters
        ----------
        path : path
            ``.npz``, ``.zarr``, or ``.zanj`` of maze-dataset.

        Returns
        -------
        MazeBatch
            With its seeds and recipe; without them if another version of the random stream made it.

        Raises
        ------
        ValueError
            If the file is damaged, holds no batch, or its arrays are not mazes; the message has its name.
        FileNotFoundError
            If there is no such file.

        Examples
        --------
        >>> many = meiro.generate_many((4, 4), n=3, rng=7)
        >>> many.save("many.npz")
        >>> meiro.MazeBatch.open("many.npz") == many
        True
        """
        from meiro.io.arrays.batch_files import open_batch

        return of_kind(MazeBatch, open_batch(path), repr(os.fspath(path)))


def batch_of_data(data: BatchData, stream: int = STREAM) -> MazeBatch:
    """Return a batch of arrays that are checked, as `batch_of`."""
    return batch_of(MazeBatch, data, stream)
