"""The maze itself."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.square import FLAT, Cell, CellLike, Wrap, checked_cell
from meiro.maze._validation import NO_OPENINGS, as_bytes, checked, same_mask
from meiro.maze.ways_in import WaysIn
from meiro.maze.ways_out import WaysOut

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from meiro.seeds import Seed

KEPT_GRID = 1 << 24
"""Below this many cells a maze keeps its grid; above it is built anew at each access."""


class Maze(WaysIn, WaysOut):
    """A maze on the square lattice: which walls between neighbouring cells are open.

    Frozen: its arrays are read-only, and two mazes are equal if their passages, mask, wrap and openings
    are. It shows itself as text (``print(maze)``) and as a picture in a notebook; ``np.asarray(maze)``
    is its grid.

    Parameters
    ----------
    passages : array_like of uint8, shape (rows, cols)
        The open directions of each cell, N=1, E=2, S=4, W=8, set on both sides of a passage.
    mask : array_like of bool, shape (rows, cols), optional
        True where a cell exists; all by default.
    openings : array_like of int, shape (k, 2), optional
        Border sites of the grid that are road.
    start, goal : (int, int), optional
        The ends to be solved for.
    wrap : (bool, bool), optional
        Whether rows and columns go on at the other side, which takes 3 of them or more: to the north of
        row 0 is then the last row, and bits there agree with those over the rim. One: a cylinder; both:
        a torus.

    Attributes
    ----------
    rows, cols : int
    passages : ndarray of uint8, shape (rows, cols)
    grid : ndarray of uint8, shape (2 * rows + 1, 2 * cols + 1)
        1 where there is a wall, 0 where there is road; cell (r, c) stands at (2 r + 1, 2 c + 1).
    mask : ndarray of bool, shape (rows, cols), or None
    openings : ndarray of int64, shape (k, 2)
    wrap : (bool, bool)
        Whether rows and columns go on at the other side. What is open there is road on both sides of the
        grid, and no opening.
    start, goal : (int, int) or None
    seed : Seed or None
        ``rng=maze.seed`` makes the maze again.
    recipe : dict or None
        ``meiro.generate(**maze.recipe)`` makes the maze again.
    is_perfect : bool
        Whether there is exactly one way between any two cells (of a part, if the mask has several).

    Raises
    ------
    ValueError
        If the passages are no maze, with the first cell where they are not.
    TypeError
        If they are no integers, or a `Maze` already.

    Examples
    --------
    >>> maze = meiro.Maze([[2, 8]])
    >>> maze
    <Maze 1 row x 2 cols>
    >>> print(maze)
    ┌───┐
    │   │
    └───┘
    """

    __slots__ = (
        *("seed", "start", "goal", "wrap", "_passages", "_mask", "_openings", "_recipe"),
        *("_grid", "_perfect", "_hash", "__weakref__"),
    )

    seed: Seed | None
    start: Cell | None
    goal: Cell | None
    wrap: Wrap
    _passages: NDArray[np.uint8]
    _mask: NDArray[np.bool_] | None
    _openings: NDArray[np.int64]
    _recipe: Mapping[str, object] | None
    _grid: NDArray[np.uint8] | None
    _perfect: bool | None
    _hash: int | None

    def __init__(
        self,
        passages: ArrayLike,
        mask: ArrayLike | None = None,
        openings: ArrayLike = (),
        *,
        start: CellLike | None = None,
        goal: CellLike | None = None,
        wrap: Wrap = FLAT,
    ) -> None:
        self._fill(**checked(passages, mask, openings, wrap)._asdict())
        for name, end in (("start", start), ("goal", goal)):
            if end is not None:
                object.__setattr__(self, name, self._cell(end, name))

    def _cell(self, value: object, name: str) -> Cell:
        cell = checked_cell(value, self._passages.shape, name)
        if self._mask is not None and not self._mask[cell]:
            msg = f"{name} {cell} is masked out"
            raise ValueError(msg)
        return cell

    def _fill(  # noqa: PLR0917  # as _made
        self,
        passages: NDArray[np.uint8],
        mask: NDArray[np.bool_] | None,
        openings: NDArray[np.int64],
        seed: Seed | None = None,
        recipe: Mapping[str, object] | None = None,
        wrap: Wrap = FLAT,
    ) -> None:
        for array in (passages, mask):
            if array is not None:
                array.flags.writeable = False
        put = object.__setattr__
        put(self, "_passages", passages)
        put(self, "_mask", mask)
        put(self, "_openings", openings)
        put(self, "seed", seed)
        put(self, "_recipe", recipe)
        for name in ("start", "goal", "_grid", "_perfect", "_hash"):
            put(self, name, None)
        put(self, "wrap", wrap)

    @classmethod
    def _made(  # noqa: PLR0917  # in the order of what makes a maze, and what tells how
        cls,
        passages: NDArray[np.uint8],
        mask: NDArray[np.bool_] | None = None,
        openings: NDArray[np.int64] = NO_OPENINGS,
        seed: Seed | None = None,
        recipe: Mapping[str, object] | None = None,
        wrap: Wrap = FLAT,
    ) -> Self:
        """Return a maze of bytes that the core has made: nothing is checked or copied."""
        maze = cls.__new__(cls)
        maze._fill(passages, mask, openings, seed, recipe, wrap)
        return maze

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse: a maze does not change."""
        msg = f"a Maze does not change: make a new one instead of setting {name!r}"
        raise AttributeError(msg)

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse: a maze does not change."""
        self.__setattr__(name, None)

    # What it is

    @property
    def rows(self) -> int:
        """Number of rows of cells."""
        return int(self._passages.shape[0])

    @property
    def cols(self) -> int:
        """Number of columns of cells."""
        return int(self._passages.shape[1])

    @property
    def passages(self) -> NDArray[np.uint8]:
        """Open directions of each cell: N=1, E=2, S=4, W=8."""
        return self._passages

    @property
    def mask(self) -> NDArray[np.bool_] | None:
        """True where a cell exists; None if all do."""
        return self._mask

    @property
    def openings(self) -> NDArray[np.int64]:
        """Border sites of the grid that are road, (row, col) each, in order."""
        return self._openings

    @property
    def recipe(self) -> dict[str, Any] | None:
        """What `meiro.generate` was given, or None for a maze from elsewhere."""
        return None if self._recipe is None else dict(self._recipe)

    @property
    def grid(self) -> NDArray[np.uint8]:
        """The drawn grid, 1 where there is a wall; read-only."""
        if self._grid is not None:
            return self._grid
        grid = self.to_grid()
        grid.flags.writeable = False
        if self._passages.size < KEPT_GRID:
            object.__setattr__(self, "_grid", grid)
        return grid

    @property
    def is_perfect(self) -> bool:
        """Whether its passages form one tree a part."""
        if self._perfect is None:
            require(9 * self._passages.size * any(self.wrap), "the sets of its cells", "take a part")
            perfect = _core.is_perfect(self._passages, as_bytes(self._mask), self.wrap)
            object.__setattr__(self, "_perfect", perfect)
        return bool(self._perfect)

    def __eq__(self, other: object) -> bool:
        """Return whether passages, mask, wrap and openings are the same."""
        if not isinstance(other, Maze):
            return NotImplemented
        return (
            same_mask(self._mask, other._mask)
            and self.wrap == other.wrap
            and np.array_equal(self._openings, other._openings)
            and np.array_equal(self._passages, other._passages)
        )

    def __hash__(self) -> int:
        """Return a hash that equal mazes share, in any process."""
        if self._hash is None:
            digest = hashlib.blake2b(repr(self._passages.shape).encode(), digest_size=8)
            digest.update(self._passages.data)
            if self._mask is not None:
                digest.update(self._mask.data)
            digest.update(self._openings.data)
            if any(self.wrap):
                digest.update(bytes(self.wrap))
            object.__setattr__(self, "_hash", int.from_bytes(digest.digest(), "little") >> 3)
        return int(self._hash)  # type: ignore[arg-type]  # it is set by now

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what the maze is, not the grid it may keep."""
        state = (self._passages, self._mask, self._openings, self.seed, self._recipe)
        return _unpickled, (type(self), *state, self.start, self.goal, self.wrap)

    def __repr__(self) -> str:
        """Return one line."""
        name = self._recipe["algorithm"] if self._recipe else None
        size = f"{self.rows} row{'s' * (self.rows != 1)} x {self.cols} col{'s' * (self.cols != 1)}"
        surface = {(True, True): "torus", (True, False): "cylinder (rows wrap)", FLAT: None}
        words = (size, surface.get(self.wrap, "cylinder (cols wrap)"), name)
        return f"<Maze {', '.join(str(word) for word in words if word)}>"

    def __str__(self) -> str:
        """Return the maze as text."""
        return self.to_text()

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.rich_display import maze_html

        return maze_html(self)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001
        """Return the grid."""
        grid = self.grid
        if dtype is not None and np.dtype(dtype) != grid.dtype:
            if copy is False:
                msg = f"the grid is uint8: as {np.dtype(dtype)} it is a copy"
                raise ValueError(msg)
            return grid.astype(dtype)
        return grid.copy() if copy else grid


def _unpickled(  # noqa: PLR0917  # pickle has no keywords
    cls: type[Maze],
    passages: NDArray[np.uint8],
    mask: NDArray[np.bool_] | None,
    openings: NDArray[np.int64],
    seed: Seed | None,
    recipe: Mapping[str, object] | None,
    start: Cell | None,
    goal: Cell | None,
    wrap: Wrap = FLAT,
) -> Maze:
    """Check what a pickle holds, as anything that comes from outside."""
    maze = cls(passages, mask, openings, start=start, goal=goal, wrap=wrap)
    object.__setattr__(maze, "seed", seed)
    object.__setattr__(maze, "_recipe", recipe)
    return maze
