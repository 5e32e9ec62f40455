"""What can be asked of many mazes: every method of `MazeBatch` that measures, picks, draws or saves them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self, cast, overload

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro.maze._validation import as_bytes, masks_left

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.progress import Progress
    from meiro._utils.square import CellLike, Wrap
    from meiro._utils.validation import Threads
    from meiro.maze.batch import MazeBatch
    from meiro.maze.maze import Maze
    from meiro.solvers.solve_many import SolutionBatch
    from meiro.stats.table import Table

    Places = CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]


class BatchWays:
    """The methods of `MazeBatch` that need more than its arrays."""

    __slots__ = ()

    passages: NDArray[np.uint8]
    mask: NDArray[np.bool_] | None
    wrap: Wrap
    _recipe: Mapping[str, object]

    def __len__(self) -> int:
        """Return how many mazes there are."""
        return len(self.passages)

    def _picked(self, numbers: NDArray[np.int64]) -> Self:
        raise NotImplementedError

    @property
    def grids(self) -> NDArray[np.uint8]:
        """The drawn grids, (n, 2 * rows + 1, 2 * cols + 1), 1 where there is a wall: built at each access."""
        n, rows, cols = self.passages.shape
        mask = masks_left(self.passages, self.mask, self._recipe)
        require(n * (2 * rows + 1) * (2 * cols + 1), f"the grids of {self!r}", "take a slice of it")
        return _core.expand_many(np.ascontiguousarray(self.passages), as_bytes(mask))

    def measure(
        self,
        measures: str | Iterable[str] | None = None,
        *,
        start: Places | None = None,
        goal: Places | None = None,
        threads: Threads = None,
        progress: Progress = False,
    ) -> Table:
        """Measure each maze: `meiro.measure` of the batch.

        Parameters
        ----------
        measures, start, goal, threads, progress
            As in `meiro.measure`.

        Returns
        -------
        Table
            A row for each maze: ``replicate``, and a column for each measure.

        Examples
        --------
        >>> meiro.generate_many(3, (8, 8), "kruskal", rng=7).measure(["dead_ends", "diameter"])
        <Table: 3 rows x 3 columns>
        replicate  dead_ends  diameter
                0         19        23
                1         16        31
                2         19        27
        """
        from meiro.stats.measure import measure

        batch = cast("MazeBatch", self)
        return measure(batch, measures, start=start, goal=goal, threads=threads, progress=progress)

    def solve(
        self,
        starts: Places | None = None,
        goals: Places | None = None,
        *,
        paths: bool = False,
        threads: Threads = None,
        progress: Progress = False,
    ) -> SolutionBatch:
        """Find a shortest way through each maze: `meiro.solve_many` of the batch.

        Parameters
        ----------
        starts, goals, paths, threads, progress
            As in `meiro.solve_many`.

        Returns
        -------
        SolutionBatch

        Examples
        --------
        >>> many = meiro.generate_many(100, (5, 5), rng=1)
        >>> many.solve(*meiro.endpoints(many, "farthest"))
        <SolutionBatch: 100 of 100 mazes, the longest of 21 steps>
        """
        from meiro.solvers.solve_many import solve_many

        batch = cast("MazeBatch", self)
        return solve_many(batch, starts, goals, paths=paths, threads=threads, progress=progress)

    @overload
    def unique(self, *, return_counts: Literal[False] = ...) -> Self: ...
    @overload
    def unique(self, *, return_counts: Literal[True]) -> tuple[Self, NDArray[np.int64]]: ...
    @overload
    def unique(self, *, return_counts: bool) -> Self | tuple[Self, NDArray[np.int64]]: ...
    def unique(self, *, return_counts: bool = False) -> Self | tuple[Self, NDArray[np.int64]]:
        """Keep the first of mazes that are equal.

        Parameters
        ----------
        return_counts : bool
            Whether to tell how often each is there, too.

        Returns
        -------
        batch : MazeBatch
            In the order of the first of each.
        counts : ndarray of int64, shape (len(batch),)
            If `return_counts`.

        Examples
        --------
        A 2 x 2 maze is open but for one of four walls:

        >>> batch, counts = meiro.generate_many(1000, (2, 2), rng=7).unique(return_counts=True)
        >>> batch, counts.sum()
        (<MazeBatch of 4: 2 rows x 2 cols, wilson>, np.int64(1000))
        """
        n, size = len(self), self.passages[:1].size
        require(3 * self.passages.size + 200 * n, f"what is different in {self!r}", "take a slice of it")
        data = np.ascontiguousarray(self.passages).reshape(-1).data
        kinds: dict[bytes, int] = {}
        numbers = (kinds.setdefault(data[i * size : (i + 1) * size].tobytes(), len(kinds)) for i in range(n))
        _, first, counts = np.unique(np.fromiter(numbers, np.int64, n), return_index=True, return_counts=True)
        batch = self._picked(first)
        return (batch, counts) if return_counts else batch

    def filter(self, condition: ArrayLike | Callable[[Maze], object]) -> Self:
        """Keep the mazes of which a condition is true.

        Parameters
        ----------
        condition : array_like of bool, shape (n,), or callable
            True for each maze to keep; or what is called with each `Maze` and tells it.

        Returns
        -------
        MazeBatch
            A copy; ``seed(i)`` and ``replicates`` still tell which mazes they are.

        Raises
        ------
        ValueError
            If the array is not of shape (n,).
        TypeError
            If it is not bool.

        Examples
        --------
        >>> many = meiro.generate_many(1000, (8, 8), rng=7)
        >>> hard = many.filter(many.solve().lengths >= 24)
        >>> hard, hard[0] == meiro.generate((8, 8), rng=hard.seed(0))
        (<MazeBatch of 92: 8 rows x 8 cols, wilson>, True)
        """
        n = len(self)
        if callable(condition):
            kept = np.fromiter((bool(condition(maze)) for maze in self), np.bool_, n)  # type: ignore[attr-defined]
        else:
            kept = np.asarray(condition)
            if kept.dtype != np.bool_ and kept.size:
                msg = f"condition must be bool or callable, not {short_repr(condition)}"
                raise TypeError(msg)
            if kept.shape != (n,):
                msg = f"condition must have shape ({n},), a bool for each maze, not {kept.shape}"
                raise ValueError(msg)
        return self._picked(np.flatnonzero(kept))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all that belongs to the batch to a file; the suffix says how.

        Parameters
        ----------
        path : path
            ``.npz``: a file of arrays as NumPy writes them. ``.zarr``: a folder in chunks of mazes, which
            ``zarr.open_group`` reads in parts; needs the extra ``dist``. It appears only when all of it is
            written, and takes the place of an older one.

        Raises
        ------
        ValueError
            If the suffix is another one.
        FileExistsError
            If there is a ``.zarr`` folder that holds no batch.

        Examples
        --------
        >>> many = meiro.generate_many(10, (4, 4), rng=7)
        >>> many.save("many.npz")
        >>> meiro.MazeBatch.open("many.npz") == many
        True
        """
        from meiro.io.batches import save_batch

        save_batch(cast("MazeBatch", self), path)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Read what `save` wrote.

        Parameters
        ----------
        path : path
            ``.npz`` or ``.zarr``.

        Returns
        -------
        MazeBatch
            With its seeds and recipe; without them, if another stream of random numbers made it.

        Raises
        ------
        ValueError
            If the file is damaged, holds no batch, or what it holds are no mazes; with its name.
        FileNotFoundError
            If it is not there.
        """
        from meiro.io.batches import open_batch

        return cls._made(*open_batch(path))

    @classmethod
    def _made(cls, *_args: Any) -> Self:
        raise NotImplementedError
