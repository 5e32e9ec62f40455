"""The drawn grid of a maze, both ways: plain, and with wide corridors and thick walls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.arrays import BYTES, check_out, marked_walls, mask_of
from meiro._utils.memory import CHECKED_FROM, require
from meiro._utils.messages import short_repr
from meiro._utils.square import Wrap, checked_wrap
from meiro._utils.validation import Threads, boolean, checked_dtype, integer, thread_count
from meiro.mazes._openings import checked_openings, on_rim, order_of_sites
from meiro.mazes._validation import MazeData

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray


class MazeArrays(Protocol):
    """A `Maze`, or its arrays."""

    @property
    def passages(self) -> NDArray[np.uint8]: ...
    @property
    def mask(self) -> NDArray[np.bool_] | None: ...
    @property
    def openings(self) -> NDArray[np.int64]: ...


class GridScale(NamedTuple):
    """The width of corridors and the thickness of walls, in sites."""

    corridor: int
    wall: int

    def side(self, cells: int) -> int:
        """Return the sites along a side of `cells` cells."""
        return cells * (self.corridor + self.wall) + self.wall

    def cells(self, side: int, name: str) -> int:
        """Return the cells along a side of the grid; a ValueError names the sides that are possible."""
        cells = (side - self.wall) // sum(self)
        if cells >= 1 and self.side(cells) == side:
            return cells
        plain = "a maze grid is odd and at least 3"
        wide = f"a grid with corridor={self.corridor}, wall={self.wall} is {self.wall} + n * {sum(self)}"
        near = " or ".join(str(self.side(n)) for n in (cells, cells + 1) if n >= 1) or str(self.side(1))
        raise ValueError(f"the {name} of {plain if self == PLAIN else wide}, not {side}; {near} would do")

    def sites(self, i: int) -> slice:
        """Return the position of row or column `i` of the plain grid."""
        first = i // 2 * sum(self) + i % 2 * self.wall
        return slice(first, first + (self.corridor if i % 2 else self.wall))

    def first(self, at: int) -> int:
        """Return the first site of the block of site `at`."""
        rest = at % sum(self)
        return at - rest + (self.wall if rest >= self.wall else 0)


PLAIN = GridScale(1, 1)
_MOST = 1 << 31


def grid_scale(corridor: SupportsIndex, wall: SupportsIndex) -> GridScale:
    """Return the widths, checked."""
    if type(corridor) is type(wall) is int and corridor == wall == 1:
        return PLAIN
    return GridScale(integer(corridor, "corridor", 1, _MOST), integer(wall, "wall", 1, _MOST))


class GridValues(NamedTuple):
    """The values of road and of wall, of one dtype."""

    dtype: np.dtype[Any]
    road: NDArray[Any]
    wall: NDArray[Any]


def grid_values(road: object, dtype: DTypeLike | None) -> GridValues:
    """Return the values of road and wall, checked."""
    if isinstance(road, np.generic):
        road = road.item()
    character = isinstance(road, str | bytes)
    usual = ("U1" if isinstance(road, str) else "S1") if character else "u1"
    kind = checked_dtype(usual if dtype is None else dtype)
    if kind in {np.dtype(str), np.dtype(bytes)}:
        kind = np.dtype(kind.kind + "1")
    if kind.kind not in "biufUS" or kind.str[1:] in {"U", "S"} or (kind.kind in "US" and kind.str[2:] != "1"):
        raise TypeError(f"dtype must be of booleans, integers, floats or single characters, not {kind}")
    if character != (kind.kind in "US") or not isinstance(road, str | bytes | int | float):
        wanted = 'a character, as road="."' if kind.kind in "US" else "a number"
        raise TypeError(f"road must be {wanted}, for an array of {kind}, not {short_repr(road)}")
    item = _character(road, kind) if isinstance(road, str | bytes) else _number(road, kind)
    if character:
        return GridValues(kind, item, np.array("#", kind))
    return GridValues(kind, item, np.array(0 if item else 1, kind))


def _character(road: str | bytes, kind: np.dtype[Any]) -> NDArray[Any]:
    given = road if isinstance(road, str) else road.decode("latin-1")
    if len(given) != 1 or given in "#\0" or (kind.kind == "S" and not given.isascii()):
        raise ValueError(
            f'road must be one character other than "#", which is a wall, not {short_repr(road)}'
        )
    return np.array(road, kind)


def _number(road: float, kind: np.dtype[Any]) -> NDArray[Any]:
    try:
        with np.errstate(all="ignore"):
            item = np.array(road).astype(kind)
        fits = np.isfinite(item) and bool(item) == bool(road) if kind.kind == "f" else item.item() == road
    except OverflowError:
        fits = False
    if not fits:
        raise ValueError(f"road={short_repr(road)} does not fit an array of {kind}")
    return item


def read_grid(
    grid: ArrayLike,
    *,
    road: object,
    corridor: SupportsIndex,
    wall: SupportsIndex,
    wrap: Wrap,
    mask: ArrayLike | None = None,
) -> MazeData:
    """Return the maze of a drawn grid: see `Maze.from_grid`."""
    (sites, *marks), scale, where = marked_walls(grid, road=road, name="grid"), grid_scale(corridor, wall), ""
    height, width = sites.shape
    shape = scale.cells(height, "height"), scale.cells(width, "width")
    wrap = checked_wrap(wrap, shape)
    if scale != PLAIN:
        sites, where = downscale_grid(sites, scale), "in the grid with corridor=1 and wall=1 that this is: "
    cells = None if mask is None else mask_of(mask, shape)
    rim = np.empty((0, 2), np.int64)
    if cells is not None:
        _check_cells(sites, cells, where)
        sites, rim = _close_rim(sites, cells, wrap)
    passages, exists, fault = _core.contract_grid(sites, wrap)
    if fault is not None:
        raise ValueError(where + _grid_fault(*fault, sites))
    if exists is not None and not exists.any():
        raise ValueError("grid holds no cell: every site that could be one is wall")
    roads = border_roads(sites)
    if any(wrap):
        passage = ((roads % (2 * np.array(shape)) == 0) & wrap).any(axis=1)
        roads = roads[~passage]
    if len(rim):
        roads = np.concatenate([roads, rim])
        roads = roads[order_of_sites(roads)]
    ends = [
        None if site is None else _cell_of(site, shape, scale, name)
        for site, name in zip(marks, "SG", strict=True)
    ]
    openings = checked_openings(roads, shape, exists, wrap)[0]
    return MazeData(passages, exists, openings, wrap, *ends)


def _cell_of(site: tuple[int, int], shape: tuple[int, int], scale: GridScale, mark: str) -> tuple[int, int]:
    """Return the cell of a mark in a grid; of a mark in an opening, the cell inside."""
    cell = []
    for at, side in zip(site, shape, strict=True):
        number, rest = divmod(at, sum(scale))
        outside = at < scale.wall or at >= scale.side(side) - scale.wall
        if rest < scale.wall and not outside:
            raise ValueError(f"grid: {mark} at {site} lies between two cells: put it into one of them")
        cell.append(min(number, side - 1))
    return cell[0], cell[1]


def _check_cells(sites: NDArray[np.uint8], mask: NDArray[np.bool_], where: str) -> None:
    """Refuse a grid whose cells are not those of the mask."""
    wrong = (sites[1::2, 1::2] == 0) != mask
    if wrong.any():
        row, col = np.argwhere(wrong)[0].tolist()
        kinds = ("wall", "exists") if mask[row, col] else ("road", "does not exist")
        site = f"grid[{2 * row + 1}, {2 * col + 1}]"
        raise ValueError(f"{where}{site} is {kinds[0]}, and by the mask its cell {row, col} {kinds[1]}")


def _close_rim(
    sites: NDArray[np.uint8], mask: NDArray[np.bool_], wrap: Wrap
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return a grid without the openings beside masked-out cells, and these."""
    doors = [
        2 * np.argwhere(sites[2:-1:2, 1::2] == 0) + (2, 1),
        2 * np.argwhere(sites[1::2, 2:-1:2] == 0) + (1, 2),
    ]
    roads = np.concatenate(doors)
    rim = roads[on_rim(roads, mask.shape, mask, wrap)]
    if not len(rim):
        return sites, rim
    closed = sites.copy()
    closed[tuple(rim.T)] = 1
    return closed, rim


def downscale_grid(sites: NDArray[np.uint8], scale: GridScale) -> NDArray[np.uint8]:
    """Return the plain grid of a wide one; a ValueError names a site unlike the rest of its block."""
    require(sites.size // sum(scale) ** 2 * 4, "the plain grid", "read it in parts")
    plain, fault = _core.narrow(sites, scale)
    if fault is not None:
        first = [scale.first(at) for at in fault]
        kinds = ["wall" if sites[tuple(at)] else "road" for at in (fault, first)]
        raise ValueError(
            f"grid{list(fault)} is {kinds[0]} and grid{first} is {kinds[1]}: with corridor={scale.corridor} "
            f"and wall={scale.wall} they are of one block"
        )
    return plain


def border_roads(array: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the road sites in the border of a wall/road array, (row, col) each, in order."""
    height, width = array.shape
    sides = []
    for row in sorted({0, height - 1}):
        cols = np.flatnonzero(array[row] == 0)
        sides.append(np.stack([np.full_like(cols, row), cols], axis=1))
    ends = sorted({0, width - 1})
    rows, which = np.nonzero(array[1:-1, ends] == 0)
    between = np.stack([rows + 1, np.array(ends)[which]], axis=1)
    return np.concatenate([sides[0], between, *sides[1:]]).astype(np.int64, copy=False)


def roads_beside_filled(grid: NDArray[np.uint8], *, marked: bool) -> NDArray[np.bool_]:
    """Return the roads beside a filled cell; if these are `marked`, those that are beside no cell at all."""
    filled = np.pad(grid[1::2, 1::2], 1, constant_values=marked) != 0
    both = np.logical_and if marked else np.logical_or
    wrong = np.zeros(grid.shape, bool)
    wrong[0::2, 1::2] = both(filled[:-1, 1:-1], filled[1:, 1:-1]) & (grid[0::2, 1::2] == 0)
    wrong[1::2, 0::2] = both(filled[1:-1, :-1], filled[1:-1, 1:]) & (grid[1::2, 0::2] == 0)
    return wrong


def _grid_fault(kind: str, row: int, col: int, sites: NDArray[np.uint8]) -> str:
    """Say why a site shows that an array is not a maze grid."""
    if kind == "seam":
        other = (len(sites) - 1, col) if row == 0 else (row, sites.shape[1] - 1)
        kinds = ["road" if sites[site] == 0 else "wall" for site in ((row, col), other)]
        return (
            f"grid[{row}, {col}] is {kinds[0]} and grid[{other[0]}, {other[1]}] is {kinds[1]}: "
            "where the maze is periodic they are one site"
        )
    if kind == "post":
        return (
            f"grid[{row}, {col}] is a post (both even) and road, and a site beside it is not: this is not a "
            "maze grid; meiro.solve and meiro.check take it as it is"
        )
    return (
        f"grid[{row}, {col}] is road and leads to a cell that is wall: this is not a maze grid; for an "
        "opening beside a masked-out cell, give mask="
    )


def draw_grid(
    maze: MazeArrays,
    out: NDArray[Any] | None,
    *,
    corridor: SupportsIndex,
    wall: SupportsIndex,
    road: object,
    dtype: DTypeLike | None,
    posts: bool,
    threads: Threads,
) -> NDArray[Any]:
    """Return the grid of a maze, in `out` if that is given: see `Maze.to_grid`."""
    rows, cols = maze.passages.shape
    scale, n_threads, all_posts = grid_scale(corridor, wall), thread_count(threads), boolean(posts, "posts")
    shape, kind, values = (2 * rows + 1, 2 * cols + 1), BYTES, None
    if scale is not PLAIN or dtype is not None or type(road) is not int or road != 0:
        values = grid_values(road, dtype)
        shape, kind = (scale.side(rows), scale.side(cols)), values.dtype
    if out is None:
        needed = shape[0] * shape[1] * kind.itemsize
        if needed >= CHECKED_FROM:
            require(needed, f"the grid of {maze!r}", "fill parts, or save() the maze as a picture")
        out = np.empty(shape, kind)
    else:
        check_out(out, shape, kind)
    if values is None:
        expand_rows(maze, 0, out, n_threads, posts=all_posts)
        return out
    items = values.road.tobytes(), values.wall.tobytes()
    _core.widen(maze.passages, maze.mask, scale, *items, out, all_posts, n_threads)
    for row, col in maze.openings.tolist():
        out[scale.sites(row), scale.sites(col)] = values.road
    return out


def expand_rows(
    maze: MazeArrays, first: int, out: NDArray[np.uint8], n_threads: int = 1, *, posts: bool = True
) -> None:
    """Fill `out` with rows of the plain grid, from row `first` on."""
    _core.expand_rows(maze.passages[np.newaxis], maze.mask, first, out[np.newaxis], posts, n_threads)
    if len(maze.openings):
        rows, cols = maze.openings.T
        inside = (rows >= first) & (rows < first + len(out))
        out[rows[inside] - first, cols[inside]] = 0
