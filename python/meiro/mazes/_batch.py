"""What batches of mazes of any kind have: state, seeds, items, and what asks for one maze after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, SupportsIndex, TypeVar, overload

import numpy as np

from meiro._utils.arrays import read_only
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.validation import Threads, boolean, plain_array, require_shape
from meiro.mazes._batch_data import picked_number, picked_numbers
from meiro.mazes._one_maze import AnyMaze, put
from meiro.mazes._openings import NO_OPENINGS
from meiro.mazes._recipe import has_steps, recipe_after, recipe_after_many
from meiro.seeds import STREAM, Root, Seed, replicate_of, root_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator

    import xarray as xr
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.progress import Progress
    from meiro.mazes._recipe import Step
    from meiro.results.solution_batch import SolutionBatch
    from meiro.results.table import Table

    Several = slice | Sequence[SupportsIndex] | NDArray[np.integer[Any]] | NDArray[np.bool_]

M = TypeVar("M")

_WORDS = 1 << 64
_HIDDEN = {"root", "numbers", "recipe", "masks"}


def slots_of(fields: Sequence[str], *hidden: str) -> tuple[str, ...]:
    """Return the attributes of a batch that hold the fields of its data; those of some are private."""
    return tuple(f"_{name}" if name in {*_HIDDEN, *hidden} else name for name in fields)


class Batch(AnyMaze, Sequence[M]):
    """A frozen sequence of mazes with a seed each.

    The state of a kind of batch is a named tuple, `_held`, whose fields are the slots of the class in their
    order; `_of_each` names those that are arrays with an item for each maze, the passages first.
    """

    __slots__ = ()
    __hash__: ClassVar[None]  # type: ignore[assignment]  # the array given as out= may change

    _held: ClassVar[Callable[..., Any]]
    _of_each: ClassVar[tuple[str, ...]]
    _root: Root | None  # None: no seed of this version makes these mazes
    _numbers: range | NDArray[np.uint64]  # the replicates, of a range modulo 2**64
    openings: NDArray[np.int64] | None

    def _state(self) -> Any:
        """Return what the batch holds, as it is stored."""
        names: tuple[str, ...] = self.__slots__
        return self._held(*(getattr(self, name) for name in names))

    def __getstate__(self) -> tuple[Any, ...]:
        """Return the state, and the version of the stream."""
        return *self._state(), STREAM

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Set what a pickle or a file holds. Seeds of another stream make other mazes: they are dropped."""
        *values, stream = state
        self._hold(self._held(*values), stream)  # of fewer fields where an older version wrote it

    def _hold(self, data: Any, stream: int) -> None:
        names: tuple[str, ...] = self.__slots__
        for name, value in zip(names, data, strict=True):
            if isinstance(value, np.ndarray) and value.flags.writeable:
                value = value.view()  # noqa: PLW2901  # the array of the user stays as it is
                value.flags.writeable = False
            put(self, name, value)
        if stream != STREAM:
            put(self, "_root", None)
            put(self, "_recipe", None if data.recipe is None or has_steps(data.recipe) else data.recipe)

    @property
    def _passages(self) -> NDArray[Any]:
        passages: NDArray[Any] = getattr(self, self._of_each[0])
        return passages

    def __len__(self) -> int:
        """Return the number of mazes."""
        return len(self._passages)

    @overload
    def __getitem__(self, i: int | np.integer[Any]) -> M: ...
    @overload
    def __getitem__(self, i: Several) -> Self: ...
    def __getitem__(self, i: SupportsIndex | Several) -> M | Self:
        """Return one maze, or a batch of some: a slice is not a copy."""
        if isinstance(i, slice):
            return self._some(lambda array: array[i], self._numbers[i])
        if not isinstance(i, SupportsIndex) or np.ndim(i):  # type: ignore[arg-type]  # an array has __index__
            return self._pick(picked_numbers(i, len(self)))
        return self._maze(picked_number(i, len(self)))

    def _changed(self, **parts: Any) -> Self:
        return batch_of(type(self), self._state()._replace(**parts))

    def _some(
        self, taken: Callable[[NDArray[Any]], NDArray[Any]], numbers: range | NDArray[np.uint64]
    ) -> Self:
        """Return a batch of the mazes that are taken of each array, which have these replicates."""
        state = self._state()
        arrays = {name: taken(x) for name in self._of_each if (x := getattr(state, name)) is not None}
        return self._changed(numbers=numbers, **arrays)

    def _pick(self, numbers: NDArray[np.int64]) -> Self:
        """Return a batch of these mazes, with an array of its own."""
        state = self._state()
        arrays = (x for name in self._of_each if (x := getattr(state, name)) is not None)
        size = sum(x[:1].nbytes for x in arrays)
        require(len(numbers) * size, f"{len(numbers):,} of {self!r}", "take a slice of it")
        return self._some(lambda array: read_only(array.take(numbers, axis=0)), self.replicates[numbers])

    def _openings_of(self, i: int) -> NDArray[np.int64]:
        """Return the openings of maze `i`, (k, 2)."""
        if self.openings is None:
            return NO_OPENINGS
        return read_only(self.openings[i][self.openings[i, :, 0] >= 0])

    @abstractmethod
    def _maze(self, i: int) -> M:
        """Return maze `i`, which exists."""

    def __add__(self, other: Self) -> Self:
        """Return the mazes of both batches in one."""
        kind = type(self)
        if not isinstance(other, kind):
            name = kind.__name__
            raise TypeError(
                f"+ takes a {name}, not {short_repr(other)}: meiro.{name}(mazes) makes one of a list"
            )
        return batch_of(kind, self._joined(other))

    @abstractmethod
    def _joined(self, other: Self) -> Any:
        """Return the state of the mazes of both batches in one."""

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{type(self).__name__} of {len(self)}: {self.description}>"

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.rich_display import batch_html

        return batch_html(self)

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
        return map(self._maze, range(len(self)))

    @abstractmethod
    def _classes(self) -> NDArray[np.int64]:
        """Return for each maze the number of its class of equal mazes."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the batch, with seeds and recipe, to a file; the suffix selects the format.

        Parameters
        ----------
        path : path
            ``.npz``: a file of arrays as NumPy writes them. ``.zarr``: a folder in chunks of mazes, which
            ``zarr.open_group`` reads in parts; needs the extra ``dist``. It appears only when all of it is
            written, and replaces an older one. ``.zanj``: a data set of maze-dataset, square mazes with the
            path from start to goal of each, without seeds.

        Raises
        ------
        ValueError
            If the suffix is another one, or the format does not hold such mazes.
        FileExistsError
            If there is a ``.zarr`` folder that holds no batch.

        See Also
        --------
        meiro.read : The inverse.

        Examples
        --------
        >>> many = meiro.generate_many(meiro.lattices.hexagonal(3, 4), n=10, rng=7)
        >>> many.save("many.npz")
        >>> meiro.read("many.npz") == many
        True
        """
        from meiro.io.arrays.batch_files import save_batch

        save_batch(self, path)

    def to_xarray(self) -> xr.Dataset:
        """Return an ``xarray.Dataset`` of all arrays, with named dimensions; needs the extra ``data``.

        Returns
        -------
        xarray.Dataset
            Variables as far as the batch has them: ``passages`` (maze, row, col), ``replicates`` (maze),
            ``mask`` (row, col) or ``masks`` (maze, row, col), ``openings`` (maze, opening, axis), ``starts``
            and ``goals`` (maze, axis), -1 for none. On a lattice ``open`` (maze, edge), ``starts`` and
            ``goals`` (maze), and the arrays of the lattice. The attribute ``meiro_batch`` is the JSON of
            seed, recipe, wrap and versions, so that `from_xarray` gives the same batch, from files of netCDF
            and HDF5, too.

        See Also
        --------
        save : writes files that need no xarray.

        Examples
        --------
        >>> mazes = meiro.generate_many((4, 6), n=10, rng=7)
        >>> dataset = mazes.to_xarray()
        >>> dict(dataset.sizes), dataset["passages"].dtype
        ({'maze': 10, 'row': 4, 'col': 6}, dtype('uint8'))
        >>> meiro.MazeBatch.from_xarray(dataset.isel(maze=slice(2, 5))) == mazes[2:5]
        True
        """
        from meiro.io.arrays.batch_files import to_dataset

        return to_dataset(self)

    @classmethod
    def from_xarray(cls, dataset: xr.Dataset) -> Self:
        """Make the batch of a data set that `to_xarray` made.

        Parameters
        ----------
        dataset : xarray.Dataset
            With all variables, in any order of their dimensions; perhaps with fewer mazes, or read from a
            file.

        Returns
        -------
        MazeBatch or GraphBatch
            With its seeds and recipe; without them if another version of the random stream made it.

        Raises
        ------
        ValueError
            If the attribute ``meiro_batch`` is missing, or the variables are not mazes of this kind.
        TypeError
            If `dataset` is no ``xarray.Dataset``.

        Examples
        --------
        >>> mazes = meiro.generate_many((4, 6), n=10, rng=7)
        >>> meiro.MazeBatch.from_xarray(mazes.to_xarray()) == mazes
        True
        """
        from meiro.io.arrays.batch_files import from_dataset

        return of_kind(cls, from_dataset(dataset), "dataset")

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

    def plot(self, **options: Any) -> NDArray[np.object_]:
        """Draw the first mazes side by side: `meiro.plot` of the mazes, with its options for several.

        Examples
        --------
        >>> axes = meiro.generate_many((8, 8), n=100, rng=7).plot(n=6)
        >>> len(axes)
        6
        """
        from meiro.drawing.matplotlib.plot import plot

        this: Any = self  # of a class that plot() knows
        axes: NDArray[np.object_] = plot(this, **options)
        return axes

    @overload
    def unique(self, *, return_counts: Literal[False] = ..., symmetries: bool = ...) -> Self: ...
    @overload
    def unique(
        self, *, return_counts: Literal[True], symmetries: bool = ...
    ) -> tuple[Self, NDArray[np.int64]]: ...
    @overload
    def unique(
        self, *, return_counts: bool, symmetries: bool = ...
    ) -> Self | tuple[Self, NDArray[np.int64]]: ...
    def unique(
        self, *, return_counts: bool = False, symmetries: bool = False
    ) -> Self | tuple[Self, NDArray[np.int64]]:
        """Keep the first of equal mazes, whatever their start and goal.

        Parameters
        ----------
        return_counts : bool
            Whether to return the number of mazes equal to each, too.
        symmetries : bool
            Whether mazes are equal, too, if they are images of each other, as in `meiro.split`.

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
        >>> batch.unique(symmetries=True)
        <MazeBatch of 1: 2 rows x 2 cols, wilson>
        """
        counted = boolean(return_counts, "return_counts")
        need = 3 * self._passages.nbytes + 200 * len(self)
        require(need, f"the distinct mazes of {self!r}", "take a slice of it")
        if boolean(symmetries, "symmetries"):
            from meiro.datasets.forms import classes_of_images

            classes = classes_of_images(self)
        else:
            classes = self._classes()
        _, first, counts = np.unique(classes, return_index=True, return_counts=True)
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
                raise TypeError(f"condition must be bool or callable, not {short_repr(condition)}")
            require_shape(kept, (n,), "condition", "a bool for each maze")
        return self._pick(np.flatnonzero(kept))


B = TypeVar("B", bound=Batch[Any])


def batch_of(kind: type[B], data: Any, stream: int = STREAM) -> B:
    """Return a batch of arrays that are checked: they are not copied.

    Parameters
    ----------
    kind : type
        The class of the batch.
    data : BatchData or GraphBatchData
        With the `Root` of the seeds, None if no seed makes the mazes; their replicates, those of a range
        taken modulo 2**64; and the arguments of `meiro.generate_many` but `n` and `rng`, or None.
    stream : int
        The version of the random stream of the seeds.
    """
    batch = object.__new__(kind)
    batch._hold(data, stream)
    return batch


X = TypeVar("X")


def changed(mazes: X, **parts: Any) -> X:
    """Return a maze, or mazes, with other arrays, ends, seeds or recipe, by the names of what it holds."""
    this: Any = mazes  # of a class of this folder
    made: X = this._changed(**parts)  # noqa: SLF001
    return made


def state_of(batch: Batch[Any]) -> Any:
    """Return what a batch holds, as it is stored."""
    return batch._state()  # noqa: SLF001  # of this module's own class


def first_replicate(batch: Batch[Any]) -> int | None:
    """Return the replicate of the first maze, if the mazes are successive replicates; else None."""
    return batch._first_replicate()  # noqa: SLF001  # of this module's own class


def of_kind(kind: type[B], batch: Batch[Any], where: str) -> B:
    """Return a batch that was read, or raise an error if it is of another kind."""
    if not isinstance(batch, kind):
        raise ValueError(  # noqa: TRY004  # what was read is of another kind, not what was given
            f"{where} holds {batch!r}, and no {kind.__name__}: meiro.read reads batches of both kinds"
        )
    return batch


def provenance_after(mazes: Any, steps: Sequence[Step] | None, seed: Seed | None = None) -> dict[str, Any]:
    """Return where mazes are from that a seed made of others, a replicate of each: seeds and recipe.

    Recipes get these steps; None: no recipe tells of the change.
    """
    if not isinstance(mazes, Batch):
        return {"seed": seed, "recipe": recipe_after(mazes, steps, seed)}
    recipe = recipe_after_many(mazes, steps, seed, first_replicate(mazes))
    if seed is None:
        return {"root": None, "numbers": mazes.replicates, "recipe": recipe}
    numbers = range(seed.replicate, seed.replicate + len(mazes))
    return {"root": root_of(seed), "numbers": numbers, "recipe": recipe}


def left_in(ends: NDArray[np.int64] | None, masks: NDArray[np.bool_]) -> NDArray[np.int64] | None:
    """Return starts or goals without those that are masked out."""
    if ends is None:
        return None
    out = ends.copy()
    out[~masks[np.arange(len(ends)), ends[:, 0], ends[:, 1]]] = -1
    return ends_or_none(out)


def ends_or_none(ends: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return starts or goals as a batch has them: None if no maze has one."""
    if not (ends >= 0).any():
        return None
    ends.flags.writeable = False
    return ends
