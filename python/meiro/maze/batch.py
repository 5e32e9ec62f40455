"""Many mazes of one kind, in one array."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, SupportsIndex, overload

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.square import FLAT, Wrap
from meiro.maze._validation import NO_OPENINGS, mask_left, same_mask
from meiro.maze.batch_ways import BatchWays
from meiro.maze.maze import Maze
from meiro.seeds import Seed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Several = slice | Sequence[SupportsIndex] | NDArray[np.integer[Any]] | NDArray[np.bool_]

_WORDS = 1 << 64


class MazeBatch(BatchWays, Sequence[Maze]):
    """Many mazes of one kind, from `meiro.generate_many`: a sequence of `Maze`.

    Frozen; two batches are equal if their passages, masks and wraps are. ``batch[i]`` is a `Maze`. A slice is
    a batch on the same array; a list or array of numbers, or a mask, picks mazes into an array of their own.
    Each still tells which maze it is.

    Attributes
    ----------
    passages : ndarray of uint8, shape (n, rows, cols)
        Read-only, unless it is the ``out=`` that was given.
    grids : ndarray of uint8, shape (n, 2 * rows + 1, 2 * cols + 1)
        A new array at each access.
    rows, cols : int
    mask : ndarray of bool, shape (rows, cols), or None
    wrap : (bool, bool)
        Whether rows and columns go on at the other side.
    replicates : ndarray of uint64, shape (n,)
        The last word of the seed of each.
    recipe : dict or None
        ``meiro.generate_many(**batch.recipe)`` makes the batch again; None if its mazes do not follow one
        another.

    Examples
    --------
    >>> many = meiro.generate_many(5, (3, 3), "kruskal", rng=7)
    >>> len(many), many.passages.shape, many[1:3]
    (5, (5, 3, 3), <MazeBatch of 2: 3 rows x 3 cols, kruskal>)
    >>> many[[4, 0]].replicates.tolist(), many[::2].seed(1) == meiro.replicate(7, 2)
    ([4, 0], True)
    """

    __slots__ = ("_key", "_numbers", "_recipe", "mask", "passages", "wrap")

    passages: NDArray[np.uint8]
    mask: NDArray[np.bool_] | None
    wrap: Wrap
    _key: tuple[int, int] | None  # None: no seed of this version makes these mazes
    _numbers: range | NDArray[np.uint64]  # the replicates, of a range modulo 2**64
    _recipe: Mapping[str, object]

    __hash__: ClassVar[None]  # type: ignore[assignment]  # what is in out= may change

    def __init__(self) -> None:
        msg = "meiro.generate_many makes batches, and MazeBatch.open reads them"
        raise TypeError(msg)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse: a batch does not change."""
        msg = f"a MazeBatch does not change: make a new one instead of setting {name!r}"
        raise AttributeError(msg)

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse: a batch does not change."""
        self.__setattr__(name, None)

    @classmethod
    def _made(  # noqa: PLR0917  # pickle has no keywords
        cls,
        passages: NDArray[np.uint8],
        mask: NDArray[np.bool_] | None,
        key: tuple[int, int] | None,
        numbers: range | NDArray[np.uint64],
        recipe: Mapping[str, object],
        wrap: Wrap = FLAT,
    ) -> Self:
        batch = cls.__new__(cls)
        view = passages.view()
        view.flags.writeable = False
        put = object.__setattr__
        put(batch, "passages", view)
        put(batch, "mask", mask)
        put(batch, "wrap", wrap)
        put(batch, "_key", key)
        put(batch, "_numbers", numbers)
        put(batch, "_recipe", recipe)
        return batch

    @property
    def rows(self) -> int:
        """Number of rows of cells, of each."""
        return int(self.passages.shape[1])

    @property
    def cols(self) -> int:
        """Number of columns of cells, of each."""
        return int(self.passages.shape[2])

    @property
    def replicates(self) -> NDArray[np.uint64]:
        """The last word of the seed of each maze."""
        numbers = self._numbers
        if isinstance(numbers, range):
            first, step = (np.uint64(word % _WORDS) for word in (numbers.start, numbers.step))
            numbers = np.arange(len(self), dtype=np.uint64) * step + first
            numbers.flags.writeable = False
        return numbers

    @property
    def recipe(self) -> dict[str, Any] | None:
        """What `meiro.generate_many` takes to make it again, if its mazes follow one another."""
        numbers = self._numbers
        if isinstance(numbers, range):
            following, first = numbers.step == 1 or len(self) < 2, numbers.start
        else:
            following, first = bool((np.diff(numbers) == 1).all()), int(numbers[0]) if len(self) else 0
        if self._key is None or not following:
            return None
        return {"n": len(self), **self._recipe, "rng": Seed(self._key, first % _WORDS)}

    def seed(self, i: SupportsIndex) -> Seed | None:
        """Return the seed of maze `i`: ``rng=batch.seed(i)`` makes it again.

        Parameters
        ----------
        i : int
            Which maze; negative ones count from the end.

        Returns
        -------
        Seed or None
            None if another stream of random numbers made the maze, in a file that was read.

        Raises
        ------
        IndexError
            If there is no such maze.

        Examples
        --------
        >>> many = meiro.generate_many(5, (3, 3), "kruskal", rng=7)
        >>> many.seed(3) == meiro.replicate(7, 3), many[many.seed(3).replicate] == many[3]
        (True, True)
        """
        number = self._number(i)
        return None if self._key is None else Seed(self._key, int(self._numbers[number]) % _WORDS)

    def __eq__(self, other: object) -> bool:
        """Return whether passages, mask and wrap are the same."""
        if not isinstance(other, MazeBatch):
            return NotImplemented
        return (
            same_mask(self.mask, other.mask)
            and self.wrap == other.wrap
            and np.array_equal(self.passages, other.passages)
        )

    def __len__(self) -> int:
        """Return how many mazes there are."""
        return len(self.passages)

    @overload
    def __getitem__(self, i: int | np.integer[Any]) -> Maze: ...
    @overload
    def __getitem__(self, i: Several) -> Self: ...
    def __getitem__(self, i: SupportsIndex | Several) -> Maze | Self:
        """Return one maze, or a batch of some: of a slice without copying them."""
        if isinstance(i, slice):
            return self._like(self.passages[i], self._numbers[i])
        if not isinstance(i, SupportsIndex) or np.ndim(i):  # type: ignore[arg-type]  # an array has __index__
            return self._picked(self._several(i))
        number = self._number(i)
        seed = self.seed(number)
        # A copy: what is written into out= later must not change a maze.
        passages = self.passages[number].copy()
        mask = mask_left(passages, self.mask, self._recipe)
        recipe = {**self._recipe, "rng": seed} if seed else None
        return Maze._made(passages, mask, NO_OPENINGS, seed, recipe, self.wrap)

    def _like(self, passages: NDArray[np.uint8], numbers: range | NDArray[np.uint64]) -> Self:
        return self._made(passages, self.mask, self._key, numbers, self._recipe, self.wrap)

    def _picked(self, numbers: NDArray[np.int64]) -> Self:
        """Return a batch of its own of some of the mazes."""
        require(len(numbers) * self.passages[:1].size, f"{len(numbers):,} of {self!r}", "take a slice of it")
        return self._like(self.passages[numbers], self.replicates[numbers])

    def _number(self, i: SupportsIndex) -> int:
        number = operator.index(i)
        if not -len(self) <= number < len(self):
            msg = f"there is no maze {number} in a batch of {len(self)}"
            raise IndexError(msg)
        return number % len(self)

    def _several(self, given: object) -> NDArray[np.int64]:
        """Return the numbers that a list or an array picks, or say why it picks none."""
        array = np.asarray(given) if isinstance(given, list | range | np.ndarray) else np.array("")
        if array.ndim != 1 or (array.dtype.kind not in "biu" and array.size):
            msg = f"a batch takes an integer, a slice, several integers or a mask, not {short_repr(given)}"
            raise TypeError(msg)
        if array.dtype == np.bool_:
            if len(array) != len(self):
                msg = f"a mask of a batch of {len(self)} must have as many values, not {len(array)}"
                raise IndexError(msg)
            return np.flatnonzero(array)
        for end in (array.min(), array.max()) if array.size else ():
            self._number(end)
        numbers = array.astype(np.int64)
        return np.where(numbers < 0, numbers + len(self), numbers)

    def __iter__(self) -> Iterator[Maze]:
        """Yield the mazes."""
        return (self[i] for i in range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the passages once."""
        parts = (self.passages, self.mask, self._key, self._numbers, self._recipe, self.wrap)
        return MazeBatch._made, parts

    def __repr__(self) -> str:
        """Return one line."""
        rows = f"{self.rows} row{'s' * (self.rows != 1)} x {self.cols} col{'s' * (self.cols != 1)}"
        return f"<MazeBatch of {len(self)}: {rows}, {self._recipe['algorithm']}>"

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.rich_display import batch_html

        return batch_html(self)
