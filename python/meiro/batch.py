"""Many mazes of one kind, in one array."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, SupportsIndex, overload

import numpy as np

from meiro.errors import shown
from meiro.maze import Maze
from meiro.seeds import Seed
from meiro.valid import NO_OPENINGS, same_mask

if TYPE_CHECKING:
    from numpy.typing import NDArray


def mask_left(
    passages: NDArray[np.uint8], mask: NDArray[np.bool_] | None, recipe: Mapping[str, object]
) -> NDArray[np.bool_] | None:
    """Return the mask of a maze that was made: without its dead ends, where they are removed."""
    if recipe.get("dead_ends") != "remove":
        return mask
    left = passages != 0
    return mask if left.all() or not left.any() else left


def masks_left(
    passages: NDArray[np.uint8], mask: NDArray[np.bool_] | None, recipe: Mapping[str, object]
) -> NDArray[np.bool_] | None:
    """Return the mask of many mazes that were made: (rows, cols), or if they differ (n, rows, cols)."""
    if recipe.get("dead_ends") != "remove":
        return mask
    left = passages != 0
    count = left.sum(axis=(1, 2), keepdims=True)
    some = (count > 0) & (count < left[:1].size)
    return np.where(some, left, True if mask is None else mask)


class MazeBatch(Sequence[Maze]):
    """Many mazes of one kind, from `meiro.generate_many`: a sequence of `Maze`.

    Frozen; two batches are equal if their passages, masks and wraps are. A slice is a batch on
    the same array.

    Attributes
    ----------
    passages : ndarray of uint8, shape (n, rows, cols)
        Read-only, unless it is the ``out=`` that was given.
    rows, cols : int
    mask : ndarray of bool, shape (rows, cols), or None
    wrap : (bool, bool)
        Whether rows and columns go on at the other side.
    seed : Seed
        Of the first maze.
    recipe : dict or None
        ``meiro.generate_many(**batch.recipe)`` makes the batch again.

    Examples
    --------
    >>> many = meiro.generate_many(5, (3, 3), "kruskal", rng=7)
    >>> len(many), many.passages.shape, many[1:3]
    (5, (5, 3, 3), <MazeBatch of 2: 3 rows x 3 cols, kruskal>)
    """

    __slots__ = ("_recipe", "_step", "mask", "passages", "seed", "wrap")

    passages: NDArray[np.uint8]
    mask: NDArray[np.bool_] | None
    wrap: tuple[bool, bool]
    seed: Seed
    _recipe: Mapping[str, object]
    _step: int

    __hash__: ClassVar[None]  # type: ignore[assignment]  # what is in out= may change

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
        seed: Seed,
        recipe: Mapping[str, object],
        wrap: tuple[bool, bool] = (False, False),
        step: int = 1,
    ) -> Self:
        batch = cls()
        view = passages.view()
        view.flags.writeable = False
        put = object.__setattr__
        put(batch, "passages", view)
        put(batch, "mask", mask)
        put(batch, "wrap", wrap)
        put(batch, "seed", seed)
        put(batch, "_recipe", recipe)
        put(batch, "_step", step)
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
    def recipe(self) -> dict[str, Any] | None:
        """What `meiro.generate_many` takes to make it again; None for a slice with other steps than 1."""
        if self._step != 1 and len(self) > 1:
            return None
        return {"n": len(self), **self._recipe, "rng": self.seed}

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
    def __getitem__(self, i: SupportsIndex) -> Maze: ...
    @overload
    def __getitem__(self, i: slice) -> MazeBatch: ...
    def __getitem__(self, i: SupportsIndex | slice) -> Maze | MazeBatch:
        """Return one maze, or a batch of some without copying them."""
        if isinstance(i, slice):
            begin, _, step = i.indices(len(self))
            seed = self._seed(begin)
            return MazeBatch._made(
                self.passages[i], self.mask, seed, self._recipe, self.wrap, self._step * step
            )
        try:
            number = operator.index(i)
        except TypeError:
            msg = f"a batch takes an integer or a slice, not {shown(i)}"
            raise TypeError(msg) from None
        if not -len(self) <= number < len(self):
            msg = f"there is no maze {number} in a batch of {len(self)}"
            raise IndexError(msg)
        number %= len(self)
        seed = self._seed(number)
        # A copy: what is written into out= later must not change a maze.
        passages, recipe = self.passages[number].copy(), {**self._recipe, "rng": seed}
        mask = mask_left(passages, self.mask, recipe)
        return Maze._made(passages, mask, NO_OPENINGS, seed, recipe, self.wrap)

    def _seed(self, i: int) -> Seed:
        return Seed(self.seed.key, (self.seed.replicate + i * self._step) % (1 << 64))

    def __iter__(self) -> Iterator[Maze]:
        """Yield the mazes."""
        return (self[i] for i in range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the passages once."""
        return MazeBatch._made, (
            self.passages,
            self.mask,
            self.seed,
            self._recipe,
            self.wrap,
            self._step,
        )

    def __repr__(self) -> str:
        """Return one line."""
        rows = f"{self.rows} row{'s' * (self.rows != 1)} x {self.cols} col{'s' * (self.cols != 1)}"
        return f"<MazeBatch of {len(self)}: {rows}, {self._recipe['algorithm']}>"

    def _repr_html_(self) -> str:
        from meiro.display import batch_html

        return batch_html(self)
