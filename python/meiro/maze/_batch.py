"""What batches of mazes of any kind have: seeds, and what asks for one maze after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, SupportsIndex, TypeVar, overload

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.validation import Threads, boolean, plain_array
from meiro.maze._batch_data import picked_number
from meiro.maze._frozen import refuse_change
from meiro.seeds import Root, Seed, replicate_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.progress import Progress
    from meiro.results.solution_batch import SolutionBatch
    from meiro.results.table import Table

M = TypeVar("M")

_WORDS = 1 << 64


class Batch(Sequence[M]):
    """A frozen sequence of mazes with a seed each."""

    __slots__ = ()
    __setattr__ = __delattr__ = refuse_change

    _root: Root | None  # None: no seed of this version makes these mazes
    _numbers: range | NDArray[np.uint64]  # the replicates, of a range modulo 2**64
    _recipe: Mapping[str, object] | None

    @property
    def algorithm(self) -> str | None:
        """The name of the algorithm that made the mazes, if a recipe does."""
        return None if self._recipe is None else str(self._recipe["algorithm"])

    @property
    def replicates(self) -> NDArray[np.uint64]:
        """The last word of the seed of each maze."""
        numbers = self._numbers
        if isinstance(numbers, range):
            first, step = (np.uint64(word % _WORDS) for word in (numbers.start, numbers.step))
            numbers = np.arange(len(self), dtype=np.uint64) * step + first
            numbers.flags.writeable = False
        return numbers

    def seed(self, i: SupportsIndex) -> Seed | None:
        """Return the seed of maze `i`: ``rng=batch.seed(i)`` makes it again.

        Parameters
        ----------
        i : int
            The number of the maze; negative ones count from the end.

        Returns
        -------
        Seed or None
            None if no seed makes the maze, or one of another version of the random stream.

        Raises
        ------
        IndexError
            If there is no such maze.

        Examples
        --------
        >>> many = meiro.generate_many((3, 3), "kruskal", 5, rng=7)
        >>> many.seed(3) == meiro.replicate(7, 3), many[many.seed(3).replicate] == many[3]
        (True, True)
        """
        return self._seed(int(self._numbers[picked_number(i, len(self))]))

    def _seed(self, number: int) -> Seed | None:
        return None if self._root is None else replicate_of(Seed(*self._root), number)

    def _first_replicate(self) -> int | None:
        """Return that of the first maze, if the mazes are successive replicates; else None."""
        numbers = self._numbers
        if isinstance(numbers, range):
            return numbers.start if numbers.step == 1 or len(self) < 2 else None
        successive = bool((np.diff(numbers) == 1).all())
        return (int(numbers[0]) if len(self) else 0) if successive else None

    def __iter__(self) -> Iterator[M]:
        """Yield the mazes."""
        return (self[i] for i in range(len(self)))

    @abstractmethod
    def _pick(self, numbers: NDArray[np.int64]) -> Self:
        """Return a batch of these mazes, with an array of its own."""

    @abstractmethod
    def _classes(self) -> NDArray[np.int64]:
        """Return for each maze the number of its class of equal mazes."""

    @abstractmethod
    def _bytes_of_passages(self) -> int:
        """Return the bytes of the array of passages."""

    def measure(
        self,
        measures: str | Iterable[str] | None = None,
        *,
        start: Any = None,
        goal: Any = None,
        threads: Threads = None,
        progress: Progress = False,
    ) -> Table:
        """Measure each maze.

        See Also
        --------
        meiro.measure : The function, with its parameters.

        Examples
        --------
        >>> meiro.generate_many((8, 8), "kruskal", 3, rng=7).measure(["dead_ends", "diameter"])
        <Table: 3 rows x 3 columns>
        replicate  dead_ends  diameter
                0         19        23
                1         16        31
                2         19        27
        """
        from meiro.stats.measure import measure

        this: Any = self  # of a class that measure() knows
        table: Table = measure(this, measures, start=start, goal=goal, threads=threads, progress=progress)
        return table

    def distances(self, sources: Any = None, **options: Any) -> NDArray[Any]:
        """Compute the distances of each cell: `meiro.distances` of the mazes, with its options.

        Examples
        --------
        >>> meiro.generate_many((5, 5), n=100, rng=1).distances().shape
        (100, 5, 5)
        """
        from meiro.solvers.distances import distances

        this: Any = self  # of a class that distances() knows
        return distances(this, sources, **options)

    def solve(
        self,
        starts: Any = None,
        goals: Any = None,
        *,
        paths: bool = False,
        threads: Threads = None,
        progress: Progress = False,
    ) -> SolutionBatch:
        """Find a shortest path in each maze.

        See Also
        --------
        meiro.solve_many : The function, with its parameters.

        Examples
        --------
        >>> many = meiro.generate_many((5, 5), n=100, rng=1)
        >>> many.solve(*meiro.endpoints(many, "farthest"))
        <SolutionBatch: 100 of 100 mazes, the longest of 21 steps>
        """
        from meiro.solvers.solve_many import solve_many

        this: Any = self  # of a class that solve_many() knows
        return solve_many(this, starts, goals, paths=paths, threads=threads, progress=progress)

    @overload
    def unique(self, *, return_counts: Literal[False] = ...) -> Self: ...
    @overload
    def unique(self, *, return_counts: Literal[True]) -> tuple[Self, NDArray[np.int64]]: ...
    @overload
    def unique(self, *, return_counts: bool) -> Self | tuple[Self, NDArray[np.int64]]: ...
    def unique(self, *, return_counts: bool = False) -> Self | tuple[Self, NDArray[np.int64]]:
        """Keep the first of equal mazes.

        Parameters
        ----------
        return_counts : bool
            Whether to return the number of mazes equal to each, too.

        Returns
        -------
        batch : MazeBatch or GraphBatch
            In the order of first occurrence.
        counts : ndarray of int64, shape (len(batch),)
            If `return_counts`.

        Examples
        --------
        A 2 x 2 maze is open but for one of four walls:

        >>> batch, counts = meiro.generate_many((2, 2), n=1000, rng=7).unique(return_counts=True)
        >>> batch, counts.sum()
        (<MazeBatch of 4: 2 rows x 2 cols, wilson>, np.int64(1000))
        """
        counted = boolean(return_counts, "return_counts")
        need = 3 * self._bytes_of_passages() + 200 * len(self)
        require(need, f"the distinct mazes of {self!r}", "take a slice of it")
        _, first, counts = np.unique(self._classes(), return_index=True, return_counts=True)
        batch = self._pick(first)
        return (batch, counts) if counted else batch

    def filter(self, condition: ArrayLike | Callable[[M], object]) -> Self:
        """Keep the mazes of which a condition is true.

        Parameters
        ----------
        condition : array_like of bool, shape (n,), or callable
            True for each maze to keep; or a function that is called with each maze.

        Returns
        -------
        MazeBatch or GraphBatch
            A copy; the mazes keep their seeds.

        Raises
        ------
        ValueError
            If the array is not of shape (n,).
        TypeError
            If it is not bool.

        Examples
        --------
        >>> many = meiro.generate_many((8, 8), n=1000, rng=7)
        >>> hard = many.filter(many.solve().lengths >= 24)
        >>> hard, hard[0] == meiro.generate((8, 8), rng=hard.seed(0))
        (<MazeBatch of 92: 8 rows x 8 cols, wilson>, True)
        """
        n = len(self)
        if callable(condition):
            kept = np.fromiter((bool(condition(maze)) for maze in self), np.bool_, n)
        else:
            kept = plain_array(condition, "condition")
            if kept.dtype != np.bool_ and kept.size:
                msg = f"condition must be bool or callable, not {short_repr(condition)}"
                raise TypeError(msg)
            if kept.shape != (n,):
                msg = f"condition must have shape ({n},), a bool for each maze, not {kept.shape}"
                raise ValueError(msg)
        return self._pick(np.flatnonzero(kept))
