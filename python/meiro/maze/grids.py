"""The drawn grid, both ways: plain, and with wide corridors and thick walls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, SupportsIndex, overload

import numpy as np

from meiro import _core
from meiro._utils.arrays import BYTES, check_out, walls
from meiro._utils.memory import require
from meiro._utils.square import FLAT, Wrap, checked_wrap
from meiro._utils.validation import thread_count
from meiro.maze._validation import as_bytes, border_roads, checked_openings, grid_fault
from meiro.maze.wide import PLAIN, inks, narrowed, widths

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from meiro._utils.validation import Threads


class Grids:
    """The methods of `Maze` that draw its grid and read one."""

    __slots__ = ()

    _passages: NDArray[np.uint8]
    _mask: NDArray[np.bool_] | None
    _openings: NDArray[np.int64]

    @classmethod
    def _made(cls, *_args: Any, **_kwargs: Any) -> Self:
        raise NotImplementedError

    @classmethod
    def from_grid(
        cls,
        grid: ArrayLike,
        *,
        road: object = None,
        corridor: SupportsIndex = 1,
        wall: SupportsIndex = 1,
        wrap: Wrap = FLAT,
    ) -> Self:
        """Make a maze of its drawn grid: cells at odd places, walls and doors between, posts at even ones.

        Loops, isolated and masked-out cells (walls where a cell could be) and separate parts are allowed.

        Parameters
        ----------
        grid : array_like, shape (2 * rows + 1, 2 * cols + 1)
            0 for road and 1 for wall, or bool (True = wall); anything else needs `road`. Wide corridors and
            thick walls: as `Maze.to_grid` draws them.
        road : scalar, optional
            The value of road sites.
        corridor, wall : int
            How many sites wide corridors are, and how many thick walls are.
        wrap : (bool, bool), optional
            Whether rows and columns go on at the other side: two opposite border sites are then one, and
            road on both sides is a passage. Else it is an opening.

        Returns
        -------
        Maze

        Raises
        ------
        ValueError
            If it is no maze grid, with the site that makes it none. Such an array can still be solved as
            it is.
        TypeError
            If `corridor` or `wall` is no integer.

        Examples
        --------
        >>> meiro.Maze.from_grid([[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]])
        <Maze 1 row x 2 cols>
        >>> meiro.Maze.from_grid(["####", "#..#", "#..#", "####"], road=".", corridor=2)
        <Maze 1 row x 1 col>
        """
        sites, thick, where = walls(grid, road=road, name="grid"), widths(corridor, wall), ""
        height, width = sites.shape
        shape = thick.cells(height, "height"), thick.cells(width, "width")
        around = checked_wrap(wrap, shape)
        if thick != PLAIN:
            sites, where = narrowed(sites, thick), "in the grid with corridor=1 and wall=1 that this is: "
        passages, there, fault = _core.contract_grid(sites, around)
        if fault is not None:
            raise ValueError(where + grid_fault(*fault, sites))
        mask = None if there is None else there.view(np.bool_)
        if mask is not None and not mask.any():
            msg = "grid holds no cell: every site that could be one is wall"
            raise ValueError(msg)
        roads = border_roads(sites)
        roads = roads[~((roads % (2 * np.array(shape)) == 0) & around).any(axis=1)]  # those are passages
        return cls._made(passages, mask, checked_openings(roads, shape, mask, around), wrap=around)

    @overload
    def to_grid(
        self,
        out: NDArray[np.uint8] | None = None,
        *,
        corridor: SupportsIndex = 1,
        wall: SupportsIndex = 1,
        road: int = 0,
        threads: Threads = None,
    ) -> NDArray[np.uint8]: ...

    @overload
    def to_grid(
        self,
        out: NDArray[Any] | None = None,
        *,
        corridor: SupportsIndex = 1,
        wall: SupportsIndex = 1,
        road: object = 0,
        dtype: DTypeLike | None = None,
        threads: Threads = None,
    ) -> NDArray[Any]: ...

    def to_grid(
        self,
        out: NDArray[Any] | None = None,
        *,
        corridor: SupportsIndex = 1,
        wall: SupportsIndex = 1,
        road: object = 0,
        dtype: DTypeLike | None = None,
        threads: Threads = None,
    ) -> NDArray[Any]:
        """Return the drawn grid as a new array, or fill `out`.

        Parameters
        ----------
        out : ndarray of `dtype`, optional
            Of the shape that is returned; C-contiguous and writable.
        corridor, wall : int
            How many sites wide corridors are, and how many thick walls are.
        road : scalar
            The value of roads. Walls are then 0, or 1 where roads are 0; ``"#"`` where it is a character.
        dtype : dtype, optional
            Default: uint8; a character (U1) where `road` is one. In bool arrays True is a wall, unless
            ``road=True``.
        threads : int or "all"
            How many threads share the rows; 1 by default.

        Returns
        -------
        ndarray, shape (rows * corridor + (rows + 1) * wall, cols * corridor + (cols + 1) * wall)
            Plainly (2 * rows + 1, 2 * cols + 1): 1 where there is a wall, 0 where there is road. Where the
            maze wraps, what is open there is road on both sides.

        Raises
        ------
        ValueError
            If `out` is another array than it must be, `road` does not fit the dtype, or a corridor or wall
            is less than 1 wide.
        TypeError
            If a width is no integer, or `road` or the dtype is no number or character.
        MemoryError
            If a new array cannot fit, before it is taken.

        Examples
        --------
        >>> meiro.Maze([[2, 8]]).to_grid().tolist()
        [[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]]
        >>> for row in meiro.Maze([[4, 0], [1, 0]]).to_grid(corridor=2, road=" "):
        ...     print("".join(row))
        #######
        #  #  #
        #  #  #
        #  ####
        #  #  #
        #  #  #
        #######
        """
        rows, cols = self._passages.shape
        thick, team = widths(corridor, wall), thread_count(threads)
        shape, kind, of = (2 * rows + 1, 2 * cols + 1), BYTES, None
        if thick is not PLAIN or dtype is not None or type(road) is not int or road != 0:
            of = inks(road, dtype)
            shape, kind = (thick.side(rows), thick.side(cols)), of.dtype
        if out is None:
            require(
                shape[0] * shape[1] * kind.itemsize,
                f"the grid of {self!r}",
                "fill parts, or save() the maze as a picture",
            )
            out = np.empty(shape, kind)
        else:
            check_out(out, shape, kind)
        if of is None:
            self._expand(0, out, team)
            return out
        items = of.road.tobytes(), of.wall.tobytes()
        _core.widen(self._passages, as_bytes(self._mask), thick, *items, out, team)
        for row, col in self._openings.tolist():
            out[thick.sites(row), thick.sites(col)] = of.road
        return out

    def _expand(self, first: int, out: NDArray[np.uint8], threads: int = 1) -> None:
        """Fill `out` with rows of the grid, from row `first` on."""
        _core.expand_rows(self._passages, as_bytes(self._mask), first, out, threads)
        rows, cols = self._openings.T
        here = (rows >= first) & (rows < first + len(out))
        out[rows[here] - first, cols[here]] = 0
