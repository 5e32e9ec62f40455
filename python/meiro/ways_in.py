"""Ways into a maze: every constructor of `Maze` beside its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from meiro import _core
from meiro.arrays import mask_of, walls
from meiro.lattice import E, N, S, ShapeLike, W, checked_shape, integers, n_walls, wall_cells, wall_ids
from meiro.memory import require

if TYPE_CHECKING:
    import os

    import networkx as nx
    from numpy.typing import ArrayLike, NDArray

NO_OPENINGS = np.empty((0, 2), np.int64)
NO_OPENINGS.flags.writeable = False


def as_bytes(mask: NDArray[np.bool_] | None) -> NDArray[np.uint8] | None:
    """Return a mask as the core takes it, without a copy."""
    return None if mask is None else mask.view(np.uint8)


def checked(
    passages: ArrayLike, mask: ArrayLike | None, openings: ArrayLike
) -> tuple[NDArray[np.uint8], NDArray[np.bool_] | None, NDArray[np.int64]]:
    """Return copies of what makes a maze, or say where it does not."""
    given = integers(passages, "passages")
    if given.ndim != 2 or given.size == 0:
        msg = f"passages must be 2-D with at least one cell, not of shape {given.shape}"
        raise ValueError(msg)
    bad = np.argwhere((given < 0) | (given > 15))
    if len(bad):
        cell = tuple(map(int, bad[0]))
        msg = f"passages{list(cell)} = {given[cell]} is no set of directions N=1, E=2, S=4, W=8"
        raise ValueError(msg)
    bytes_ = given.astype(np.uint8, order="C")
    there = None if mask is None else mask_of(mask, bytes_.shape)
    fault = _core.first_fault(bytes_, as_bytes(there))
    if fault >= 0:
        raise ValueError(_fault(bytes_, there, divmod(fault, bytes_.shape[1])))
    return bytes_, there, checked_openings(openings, bytes_.shape, there)


def _fault(passages: NDArray[np.uint8], mask: NDArray[np.bool_] | None, cell: tuple[int, int]) -> str:
    row, col = cell
    if mask is not None and not mask[cell]:
        return f"passages{list(cell)} = {passages[cell]}, but the mask says that there is no cell"
    for name, bit, dr, dc in (("N", N, -1, 0), ("E", E, 0, 1), ("S", S, 1, 0), ("W", W, 0, -1)):
        if passages[cell] & bit:
            r, c = row + dr, col + dc
            if not (0 <= r < passages.shape[0] and 0 <= c < passages.shape[1]):
                return f"passages{list(cell)} = {passages[cell]} opens {name}, over the rim"
            if mask is not None and not mask[r, c]:
                return f"passages{list(cell)} = {passages[cell]} opens {name}, to a cell that is masked out"
            back = {N: S, S: N, E: W, W: E}[bit]
            if not passages[r, c] & back:
                return (
                    f"passages{list(cell)} = {passages[cell]} opens {name}, "
                    f"but passages[{r}, {c}] = {passages[r, c]} is not open on its side"
                )
    return f"passages{list(cell)} = {passages[cell]} does not agree with its neighbours"


def checked_openings(
    openings: ArrayLike, shape: tuple[int, int], mask: NDArray[np.bool_] | None
) -> NDArray[np.int64]:
    """Return border sites in order, each once, or say which one is none beside a cell."""
    sites = integers(openings, "openings")
    if sites.size == 0:
        return NO_OPENINGS
    if sites.ndim != 2 or sites.shape[1] != 2:
        msg = f"openings must have shape (k, 2), one site each, not {sites.shape}"
        raise ValueError(msg)
    last = np.array([2 * shape[0], 2 * shape[1]])
    inside = ((sites >= 0) & (sites <= last)).all(axis=1)
    on_rim = ((sites == 0) | (sites == last)).sum(axis=1) == 1
    beside = (sites % 2).sum(axis=1) == 1
    good = inside & on_rim & beside
    if mask is not None and good.all():
        cells = np.clip((sites - 1) // 2, 0, np.array(shape) - 1)
        good = mask[tuple(cells.T)]
    if not good.all():
        bad = tuple(map(int, sites[np.flatnonzero(~good)[0]]))
        msg = f"openings: {bad} is no border site of the grid beside a cell of a maze of {shape}"
        raise ValueError(msg)
    unique = np.unique(sites, axis=0)
    unique.flags.writeable = False
    return unique


class WaysIn:
    """The constructors of `Maze` that read other forms."""

    __slots__ = ()

    @classmethod
    def _made(cls, *_args: Any, **_kwargs: Any) -> Self:
        raise NotImplementedError

    @classmethod
    def from_passages(cls, passages: ArrayLike, *, mask: ArrayLike | None = None) -> Self:
        """Make a maze of the open directions of each cell.

        Parameters
        ----------
        passages : array_like of uint8, shape (rows, cols)
            N=1, E=2, S=4, W=8, set on both sides of a passage. Copied.
        mask : array_like of bool, shape (rows, cols), optional
            True where a cell exists.

        Raises
        ------
        ValueError
            If the two sides of a passage disagree, or one leads over the rim or out of the mask.

        Examples
        --------
        >>> meiro.Maze.from_passages([[2, 8]]).edges().tolist()
        [[0, 1]]
        """
        return cls._made(*checked(passages, mask, ()))

    @classmethod
    def from_grid(cls, grid: ArrayLike, *, road: object = None) -> Self:
        """Make a maze of its drawn grid: cells at odd places, walls and doors between, posts at even ones.

        Loops, isolated and masked-out cells (walls where a cell could be) and separate parts are allowed.

        Parameters
        ----------
        grid : array_like, shape (2 * rows + 1, 2 * cols + 1)
            0 for road and 1 for wall, or bool (True = wall); anything else needs `road`.
        road : scalar, optional
            The value of road sites.

        Raises
        ------
        ValueError
            If it is no maze grid, with the site that makes it none. Such an array can still be solved as
            it is.

        Examples
        --------
        >>> meiro.Maze.from_grid([[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]])
        <Maze 1 row x 2 cols>
        """
        sites = walls(grid, road=road, name="grid")
        for side, name in zip(sites.shape, ("height", "width"), strict=True):
            if side % 2 == 0 or side < 3:
                near = f"{side - 1} or {side + 1}" if side > 2 else "3"
                msg = f"the {name} of a maze grid is odd and at least 3, not {side}; {near} would do"
                raise ValueError(msg)
        passages, there, fault = _core.contract_grid(sites)
        if fault is not None:
            raise ValueError(_grid_fault(*fault))
        mask = None if there is None else there.view(np.bool_)
        if mask is not None and not mask.any():
            msg = "grid holds no cell: every site that could be one is wall"
            raise ValueError(msg)
        border = sites.copy()
        border[1:-1, 1:-1] = 1
        openings = np.argwhere(border == 0)
        return cls._made(passages, mask, checked_openings(openings, passages.shape, mask))

    @classmethod
    def from_edges(cls, shape: ShapeLike, edges: ArrayLike, *, mask: ArrayLike | None = None) -> Self:
        """Make a maze of its passages.

        Parameters
        ----------
        shape : (int, int)
            Rows and columns, in cells.
        edges : array_like of int, shape (n, 2)
            Area numbers (``row * cols + col``) of two neighbouring cells each, as `Maze.edges` gives.
        mask : array_like of bool, shape (rows, cols), optional

        Examples
        --------
        >>> meiro.Maze.from_edges((1, 3), [(0, 1), (2, 1)]).passages.tolist()
        [[2, 10, 8]]
        """
        rows, cols = checked_shape(shape)
        require(20 * rows * cols, f"a maze of ({rows}, {cols})", "take a smaller shape")
        ids = wall_ids((rows, cols), edges)
        return cls._of_open_walls((rows, cols), ids, mask)

    @classmethod
    def from_wall_ids(cls, shape: ShapeLike, ids: ArrayLike, *, mask: ArrayLike | None = None) -> Self:
        """Make a maze of the inner walls that stand; all others are open.

        Parameters
        ----------
        shape : (int, int)
            Rows and columns, in cells.
        ids : array_like of int, shape (n,)
            Wall ids, as `Maze.wall_ids` gives.
        mask : array_like of bool, shape (rows, cols), optional

        Examples
        --------
        >>> meiro.Maze.from_wall_ids((1, 3), [1]).edges().tolist()
        [[0, 1]]
        """
        rows, cols = checked_shape(shape)
        require(36 * rows * cols, f"a maze of ({rows}, {cols})", "take a smaller shape")
        wall_cells((rows, cols), ids)  # for its errors
        stands = np.zeros(n_walls((rows, cols)), bool)
        stands[integers(ids, "ids").reshape(-1)] = True
        open_ids = np.flatnonzero(~stands)
        if mask is not None:  # a wall beside a cell that does not exist stands, said or not
            there = mask_of(mask, (rows, cols))
            if there is not None:
                open_ids = open_ids[there.reshape(-1)[wall_cells((rows, cols), open_ids)].all(axis=1)]
        return cls._of_open_walls((rows, cols), open_ids, mask)

    @classmethod
    def _of_open_walls(cls, shape: tuple[int, int], ids: NDArray[np.int64], mask: ArrayLike | None) -> Self:
        rows, cols = shape
        open_ = np.zeros(n_walls(shape), bool)
        open_[ids] = True
        vertical = open_[: rows * (cols - 1)].reshape(rows, cols - 1)
        horizontal = open_[rows * (cols - 1) :].reshape(rows - 1, cols)
        passages = np.zeros(shape, np.uint8)
        passages[:, :-1] |= vertical * np.uint8(E)
        passages[:, 1:] |= vertical * np.uint8(W)
        passages[:-1] |= horizontal * np.uint8(S)
        passages[1:] |= horizontal * np.uint8(N)
        return cls._made(*checked(passages, mask, ()))

    @classmethod
    def from_networkx(cls, graph: nx.Graph[Any], *, shape: ShapeLike | None = None) -> Self:
        """Make a maze of a networkx graph with nodes (row, col); see `meiro.graph.edges_of`."""
        from meiro.graph import edges_of

        rows_cols, edges, mask = edges_of(graph, shape)
        return cls.from_edges(rows_cols, edges, mask=mask)

    @classmethod
    def from_text(cls, text: str, *, style: str | None = None) -> Self:
        """Make a maze of its text, in any style that `Maze.to_text` writes; see `meiro.text.from_text`."""
        from meiro.text import from_text

        return from_text(text, style=style)  # type: ignore[return-value]  # Maze has no subclasses

    @classmethod
    def from_image(cls, file: str | os.PathLike[str] | ArrayLike, *, threshold: float | None = None) -> Self:
        """Make a maze of a picture with one pixel a site; see `meiro.from_image`."""
        from meiro.image import from_image

        return cls.from_grid(from_image(file, threshold=threshold))


def _grid_fault(kind: str, row: int, col: int) -> str:
    if kind == "post":
        return (
            f"grid[{row}, {col}] is a post (both even) and road: this is no maze grid; "
            "meiro.solve and meiro.check take it as it is"
        )
    return f"grid[{row}, {col}] is road and leads to a cell that is wall: this is no maze grid"
