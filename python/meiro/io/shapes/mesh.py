"""Mazes as closed meshes for printers and games: walls on a plate, or corridors cut into a block."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro._utils.atomic import atomic
from meiro._utils.bands import BAND, bands
from meiro._utils.memory import require
from meiro._utils.paper import CELL
from meiro._utils.validation import boolean, number, path_ending_in
from meiro.io.shapes.lattice_mesh import lattice_mesh
from meiro.io.shapes.mesh_files import WRITERS, Mesh, Sizes, heights, placed, upright
from meiro.mazes._grid import expand_rows
from meiro.mazes._outside import outside_sites
from meiro.mazes.graph_maze import GraphMaze
from meiro.mazes.maze import require_maze

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator
    from typing import IO, Any

    from numpy.typing import NDArray

    from meiro.mazes.maze import Maze

    Faces = Iterator[NDArray[np.int64]]

_MEMORY = 40  # bytes a site; 30 were measured
_NOTHING, _FLOOR, _WALL = 0, 1, 2
_LEAST, _MOST = 0.001, 1_000_000  # millimetres
_MOST_SITES = 600_000_000  # numbers of vertices are 32 bits wide


def save_mesh(
    maze: Maze | GraphMaze,
    path: str | os.PathLike[str],
    *,
    mm: float | None = None,
    wall: float | None = None,
    height: float | None = None,
    base: float | None = None,
    carved: bool = False,
) -> None:
    """Write a maze as a closed mesh, to be printed or walked through: walls on a plate, or cut into a block.

    Parameters
    ----------
    maze : Maze or GraphMaze
        A GraphMaze on a lattice with outlines needs shapely 2.1 (extra ``maps``).
    path : path
        ``.stl`` (binary), ``.obj``, ``.glb`` (glTF 2.0, binary) or ``.gltf`` (the same as text).
    mm : float
        The side of a cell, from the middle of a wall to that of the next one, in millimetres, as all lengths
        here; on a lattice the usual side. Default: 10. glTF has metres, which is said in the format.
    wall : float
        How thick walls are; less than `mm`. Default: a fifth of `mm`.
    height : float
        How high walls are above the floor, or how deep corridors are cut. Default: `mm`.
    base : float
        How thick the plate below the walls is, or the floor of corridors; 0: walls alone, which stand in
        several pieces if the maze has islands or openings. Default: a fifth of `mm`.
    carved : bool
        Whether cells outside of a mask are full as high as walls, so that corridors are cut into a block.
        Otherwise nothing is where no cell is.

    Raises
    ------
    ValueError
        If a length is not in its range, lengths are too different for the numbers of the file, walls touch
        only at an edge, or a lattice has no walls in the plane.
    ImportError
        If a mesh of a lattice needs shapely.
    MemoryError
        If the maze is too large, before anything is written.

    See Also
    --------
    meiro.save : the same with the default of height and base, and walls as lines: ``.dxf``, ``.wkt``.

    Notes
    -----
    x goes right, y to the upper rows, z up (in glTF y goes up, as it says). The lower left corner is at 0.
    Each edge has two triangles, in opposite directions, and outsides are seen counterclockwise.
    A periodic maze is open where passages cross the border.

    References
    ----------
    https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html

    Examples
    --------
    >>> maze = meiro.generate((3, 4), rng=7)
    >>> meiro.io.save_mesh(maze, "maze.stl", mm=12, wall=1.6, height=8, base=1)
    """
    if not isinstance(maze, GraphMaze):
        require_maze(maze)
    suffix = path_ending_in(WRITERS, path).suffix.lower()
    mesh = mesh_of(maze, _sizes(mm, wall, height, base), carved=boolean(carved, "carved"))
    with atomic(path) as file:
        WRITERS[suffix](file, mesh)


def _sizes(
    mm: float | None = None, wall: float | None = None, height: float | None = None, base: float | None = None
) -> Sizes:
    """Return lengths, checked; those that are not given follow from the side of a cell."""
    cell = CELL if mm is None else _length(mm, "mm")
    given = zip((wall, height, base), Sizes._fields[1:], (cell / 5, cell, cell / 5), strict=True)
    sizes = Sizes(cell, *(usual if value is None else _length(value, name) for value, name, usual in given))
    if sizes.wall >= sizes.mm:
        raise ValueError(f"wall={sizes.wall:g} must be less than mm={sizes.mm:g}: no corridor is left")
    return sizes


def _length(value: object, name: str) -> float:
    found = number(value, name)
    if not (_LEAST <= found <= _MOST or (name == "base" and found == 0)):
        zero = "0, or " if name == "base" else ""
        raise ValueError(f"{name} must be {zero}from {_LEAST} to {_MOST:,} millimetres, not {found:g}")
    return found


def _writer(suffix: str) -> Callable[..., None]:
    """Return what writes walls on a plate in a format, `mm` a cell."""

    def write(file: IO[bytes], maze: Maze | GraphMaze, **sizes: float) -> None:
        WRITERS[suffix](file, mesh_of(maze, _sizes(**sizes)))

    return write


write_stl, write_obj, write_glb, write_gltf = map(_writer, (".stl", ".obj", ".glb", ".gltf"))


def mesh_of(maze: Maze | GraphMaze, sizes: Sizes, *, carved: bool = False) -> Mesh:
    """Return the mesh of a maze."""
    if isinstance(maze, GraphMaze):
        return lattice_mesh(maze, sizes, carved=carved)
    height, width = 2 * maze.rows + 1, 2 * maze.cols + 1
    require(_MEMORY * height * width, f"the mesh of {maze!r}", "crop() it")
    if height * width > _MOST_SITES:
        raise ValueError(f"the mesh of {maze!r} has too many vertices; crop() it")
    solid = _Sites(maze, floor=sizes.base > 0, carved=carved)
    used = np.zeros((height + 1) * (width + 1) * 3, np.bool_)
    n = 0
    for faces in solid.triangles():
        used[faces] = True
        n += len(faces)
    numbers = np.cumsum(used, dtype=np.uint32)
    numbers -= 1
    x, y = (_lines(side, sizes) for side in (maze.cols, maze.rows))
    z = heights(sizes)
    vertices = np.empty((int(numbers[-1]) + 1, 3), np.float32)
    for band in bands(height + 1, 3 * (width + 1)):
        begin = band.start * (width + 1) * 3
        shape = band.stop - band.start, width + 1, 3
        line, column, level = np.nonzero(used[begin : begin + math.prod(shape)].reshape(shape))
        first = int(numbers[begin - 1]) + 1 if begin else 0
        part = vertices[first : first + len(line)]
        part[:, 0], part[:, 1], part[:, 2] = x[column], y[height - band.start - line], z[level]
    del used
    return Mesh(vertices, n, lambda: (numbers[faces] for faces in solid.triangles()))


def _lines(side: int, sizes: Sizes) -> NDArray[np.float32]:
    """Return where the sites of one side begin and end."""
    begins = np.arange(side + 1) * sizes.mm
    return placed(np.stack([begins, begins + sizes.wall], axis=1).reshape(-1), sizes)


class _Sites(NamedTuple):
    """The sites of a maze as a landscape of two heights, whose surface is cut into triangles row by row.

    A vertex lies at the upper left corner of site (row, column) on level 0, 1 or 2, and its number is
    ``(row * (width + 1) + column) * 3 + level``. It is there where heights change beside it, along its row of
    corners; so neighbours share all vertices between them.
    """

    maze: Maze
    floor: bool
    carved: bool = False

    def levels(self, first: int, last: int) -> NDArray[np.uint8]:
        """Return what stands on rows of sites, with nothing around the grid."""
        height, width = 2 * self.maze.rows + 1, 2 * self.maze.cols + 1
        found = np.zeros((last - first, width + 2), np.uint8)
        top, bottom = max(first, 0), min(last, height)
        sites = np.empty((bottom - top, width), np.uint8)
        expand_rows(self.maze, top, sites)
        part = found[top - first : bottom - first, 1:-1]
        part[:] = np.where(sites == 1, _WALL, _FLOOR if self.floor else _NOTHING)
        if self.maze.mask is not None and not self.carved:
            part[outside_sites(self.maze.mask, self.maze.wrap, top, bottom)] = _NOTHING
        return found

    def triangles(self) -> Faces:
        """Yield the triangles of the surface in pieces, as numbers of vertices, shape (k, 3)."""
        height, width = 2 * self.maze.rows + 1, 2 * self.maze.cols + 1
        rows = max(1, BAND // (8 * width))
        for first in range(0, height, rows):
            last = min(first + rows, height)
            yield from self._band(first, last, width, end=last == height)

    def _band(self, first: int, last: int, width: int, *, end: bool) -> Faces:
        """Yield the triangles of rows of sites, and of the sides above them (below them, too, at the end)."""
        levels = self.levels(first - 1, last + 1)
        walls = levels == _WALL
        self._require_edges(walls, first)
        marks = _breaks(levels)  # on the upper line of each row, and on the lower one of the last
        origin = first * (width + 1)
        slabs = [(walls, 0, 2, marks, marks)]
        inside = slice(1, -1)
        yield _flat(walls[inside], marks, 2, origin)
        if self.floor:
            yield _flat(levels[inside] == _FLOOR, marks, 1, origin)
            ground = levels != _NOTHING
            low = _breaks(ground)
            yield _flat(ground[inside], low, 0, origin)[:, ::-1]
            slabs = [(ground, 0, 1, low, marks), (walls, 1, 2, marks, marks)]
        else:
            yield _flat(walls[inside], marks, 0, origin)[:, ::-1]
        lines = slice(0, None if end else -1)
        for solid, below, above, low, high in slabs:
            yield from _across(solid, (below, above), (low[lines], high[lines]), origin)
            yield from _down(solid[inside], (below, above), origin)

    def _require_edges(self, walls: NDArray[np.bool_], first: int) -> None:
        """Refuse walls that touch only at an edge: around openings of a cell that does not exist."""
        diagonal, other = walls[:-1, :-1] == walls[1:, 1:], walls[:-1, 1:] == walls[1:, :-1]
        some = diagonal & other & (walls[:-1, :-1] != walls[:-1, 1:])
        if some.any():
            row, col = np.argwhere(some)[0]
            raise ValueError(
                f"{self.maze!r}: at site ({row + first}, {col}) walls touch only at an edge, between two "
                "openings of a cell that does not exist: no closed surface; leave out carved=True"
            )


def _breaks(levels: NDArray[Any]) -> NDArray[np.bool_]:
    """Return the corners on each line between two rows at which the height changes along either."""
    change = levels[:, 1:] != levels[:, :-1]
    return np.asarray(change[1:] | change[:-1])


def _segments(
    marks: NDArray[np.bool_], sites: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return both ends of the segments between marks along lines that begin at one of `sites`."""
    places = np.flatnonzero(marks)
    begins = np.zeros(marks.shape, np.bool_)
    begins[:, :-1] = sites
    kept = np.flatnonzero(begins.reshape(-1)[places])
    return places[kept], places[kept + 1]


def _flat(sites: NDArray[np.bool_], marks: NDArray[np.bool_], level: int, origin: int) -> NDArray[np.int64]:
    """Return the triangles of a level, seen from above: each run of a row is cut from corner to corner."""
    inner = sites[:, 1:-1]
    starts = np.flatnonzero(sites[:, 1:] & ~sites[:, :-1])  # of runs: corners on the upper line
    ends = np.flatnonzero(~sites[:, 1:] & sites[:, :-1])
    width = sites.shape[1] - 1
    left, right = _segments(marks[:-1], inner)
    corner = starts[np.searchsorted(starts, left, side="right") - 1] + width
    upper = np.stack([corner, right, left], axis=1)
    left, right = _segments(marks[1:], inner)
    corner = ends[np.searchsorted(starts, left, side="right") - 1]
    lower = np.stack([left + width, right + width, corner], axis=1)
    return (np.concatenate([upper, lower]) + origin) * 3 + level


def _across(
    solid: NDArray[np.bool_],
    levels: tuple[int, int],
    marks: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    origin: int,
) -> Faces:
    """Yield the sides between two rows; the upper edge may have more corners than the lower one."""
    (below, above), (low, high) = levels, marks
    n = len(low)
    upper, lower = solid[:n, 1:-1], solid[1 : n + 1, 1:-1]
    for sides, order in ((upper & ~lower, 1), (lower & ~upper, -1)):  # to the south, to the north
        left, right = _segments(low, sides)
        one = np.stack([left * 3 + below, right * 3 + below, right * 3 + above], axis=1)
        first, last = _segments(high, sides)
        corner = left[np.searchsorted(left, first, side="right") - 1] if len(left) else first
        other = np.stack([corner * 3 + below, last * 3 + above, first * 3 + above], axis=1)
        yield (np.concatenate([one, other]) + 3 * origin)[:, ::order]


def _down(solid: NDArray[np.bool_], levels: tuple[int, int], origin: int) -> Faces:
    """Yield the sides between two columns."""
    width = solid.shape[1] - 1
    for sides, order in (
        (solid[:, :-1] & ~solid[:, 1:], 1),
        (solid[:, 1:] & ~solid[:, :-1], -1),
    ):  # east, west
        north = np.flatnonzero(sides) + origin
        yield upright((north + width) * 3, north * 3, *levels)[:, ::order]
