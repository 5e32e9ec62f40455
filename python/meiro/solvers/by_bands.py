"""`solve_by_bands` and `distances_by_bands`: paths in mazes that are larger than memory."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.arrays import check_out, refuse_graph
from meiro._utils.atomic import atomic
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.progress import Progress, paced, reporter
from meiro._utils.square import FLAT, Cell, CellLike, Shape, Wrap, checked_cell
from meiro._utils.validation import checked_path, integers, is_masked, plain_array
from meiro.errors import NoPathError
from meiro.generators.row_stream import RowStream, StreamedMaze, refuse_rows, streamed
from meiro.mazes.maze import Maze
from meiro.solvers.joined import Joined, contracted, moves_between
from meiro.spaces.grids import Squares

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray

    from meiro.spaces.space import Goals

    _Corridors = tuple[NDArray[np.int64], NDArray[np.int64]]


_LEAST_BAND, _LARGEST_BAND = 1 << 20, 1 << 28  # cells
_FORMAT = b"meiro band 2"  # of files of corridors
_DIGEST = 20  # bytes


def solve_by_bands(
    x: Maze | RowStream | ArrayLike,
    start: CellLike | None = None,
    goal: CellLike | None = None,
    *,
    rows: SupportsIndex | None = None,
    parts: str | os.PathLike[str] | None = None,
    progress: Progress = False,
) -> NDArray[np.int64]:
    """Find a shortest path through a maze of which memory need hold only a band of rows.

    Parameters
    ----------
    x : Maze, RowStream, or array of passages of shape (rows, cols)
        A maze; a stream that has not begun, of which two copies are made; or its passages (N=1, E=2, S=4,
        W=8; not walls), in whatever gives rows as ``x[first:last]``: a memory-mapped file, zarr, HDF5, Dask.
    start, goal : (int, int), optional
        Row and column in cells; by default those of a `Maze`, else the first and the last cell.
    rows : int, optional
        Of a stream: the number of rows of its maze.
    parts : path, optional
        Folder that keeps the corridors of each band, and is made if it is not there: a call that was
        interrupted, and the next one on the same maze, with other ends as well, read the rows of a band in
        place of searching them. Remove it afterwards; it has 48 bytes for each corridor that is left.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells, each of which is read twice; those of
        a stream by Kruskal are made once before.

    Returns
    -------
    ndarray of int64, shape (k, 2)
        Row and column of each cell, from `start` to `goal`.

    Raises
    ------
    NoPathError
        If there is no path from `start` to `goal`.
    ValueError
        If a cell is outside, the stream has begun, or `x` is not a maze: it holds no passages,
        or one that is open on one side only or leads out.
    MemoryError
        If what must be known of all bands does not fit, or the path does not.
    OSError
        If `parts` is a file, or nothing can be written there.

    See Also
    --------
    solve : with everything in memory: other algorithms, walls and roads, the cells that were searched.
    distances_by_bands : the distance of every cell.
    meiro.generators.stream : mazes row by row.
    meiro.io.open_memmap : a maze in a file.

    Notes
    -----
    Dead ends of each band are filled; what is left are corridors between forks and the borders of bands: the
    edges of a graph, on which Dijkstra's algorithm runs. Then the bands with a part of the path are read once
    more. A perfect maze has fewer than four nodes for each place on a border of two bands; in a maze with
    many loops nearly each cell is one, and all of them must fit in memory. A path passage by passage is as
    short as that of `solve`, and the same if there is only one.

    References
    ----------
    W. D. Pullen, Think Labyrinth, "Dead end filler". E. W. Dijkstra, Numer. Math. 1 (1959) 269.
    doi:10.1007/BF01386390

    Examples
    --------
    >>> maze = meiro.generate((40, 60), rng=7)
    >>> bool((meiro.solvers.solve_by_bands(maze) == maze.solve().path).all())
    True
    >>> stream = meiro.generators.stream("eller", 100, rng=7)
    >>> meiro.solvers.solve_by_bands(stream, (0, 0), (9999, 99), rows=10**4)[-1]
    array([9999,   99])
    """
    bands = _bands_of(x, rows, "solve_by_bands", progress)
    first, last = bands.ends
    begin = bands.numbers(first if start is None else start, "start")
    end = bands.numbers(last if goal is None else goal, "goal")
    terminals = np.unique(np.concatenate([begin[:1], end]))
    joined = _joined(bands, terminals, ContractedBands(parts))
    way = joined.way(bands.nodes(joined, begin[:1])[0], bands.nodes(joined, end))
    if way is None:
        ends = [divmod(int(number), bands.shape[1]) for number in (begin[0], end[0])]
        raise NoPathError(f"there is no path from {ends[0]} to {ends[1]}")
    moves = moves_between(way)
    for band in bands.bands(bands.size, {place[0] for place in way.walks}) if way.walks else ():
        if (walk := way.walks.get((band.number, 0))) is not None:
            _core.walk_corridors(band.passages, bands.within(band.number, terminals), *walk, moves)
    row, col = divmod(int(begin[0]), bands.shape[1])
    path = _core.walk(moves, row, col, 1, *bands.shape, 4)
    for axis in np.flatnonzero(bands.wrap):
        path[:, axis] %= bands.shape[axis]
    return path


def distances_by_bands(
    x: Maze | RowStream | ArrayLike,
    sources: Goals | None = None,
    *,
    rows: SupportsIndex | None = None,
    out: NDArray[Any] | None = None,
    parts: str | os.PathLike[str] | None = None,
    progress: Progress = False,
) -> NDArray[Any]:
    """Compute the distance of every cell from the nearest source, in steps, a band of rows at a time.

    Parameters
    ----------
    x : Maze, RowStream, or array of passages of shape (rows, cols)
        As in `meiro.solvers.solve_by_bands`.
    sources : (int, int) or sequence of (int, int), optional
        Row and column of each source, in cells; by default the start of a `Maze`, else the first cell.
    rows : int, optional
        Of a stream: the number of rows of its maze.
    out : ndarray of int32 or int64, shape (rows, cols), optional
        Array for the result, C-contiguous, such as a memory-mapped file (`meiro.io.open_memmap`).
    parts : path, optional
        As in `meiro.solvers.solve_by_bands`.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells, each of which is read twice; those of
        a stream by Kruskal are made once before.

    Returns
    -------
    ndarray of int32 or int64, shape (rows, cols)
        Number of steps, -1 where no source is reachable; int64 from 2**31 cells on. `out`, if it is given.

    Raises
    ------
    ValueError
        If a cell is outside, the stream has begun, `x` is not a maze, or a distance does not fit `out`.
    MemoryError
        If what must be known of all bands does not fit.
    OSError
        If `parts` is a file, or nothing can be written there.

    See Also
    --------
    distances : with everything in memory; of walls and roads, weights, batches.
    solve_by_bands : one shortest path, with notes on how it is found.

    References
    ----------
    As of `meiro.solvers.solve_by_bands`.

    Examples
    --------
    >>> maze = meiro.generate((300, 400), rng=7)
    >>> steps = meiro.io.open_memmap("steps.npy", (300, 400), "int32")
    >>> steps = meiro.solvers.distances_by_bands(maze, out=steps)
    >>> bool((steps == meiro.distances(maze)).all())
    True
    """
    bands = _bands_of(x, rows, "distances_by_bands", progress)
    numbers = bands.numbers(bands.ends[0] if sources is None else sources, "sources")
    if out is None:
        kind = np.dtype(np.int32 if bands.size < 1 << 31 else np.int64)
        require(kind.itemsize * bands.size, f"the distances of {bands.size:,} cells", "give a file as out=")
        out = np.empty(bands.shape, kind)
    else:
        check_out(out, bands.shape, np.signedinteger)
        if out.dtype.itemsize < 4:
            raise ValueError(f"out is of {out.dtype}: distances_by_bands takes int32 or int64")
    joined = _joined(bands, np.unique(numbers), ContractedBands(parts))
    known = joined.distances(bands.nodes(joined, numbers))
    try:
        for band in bands.bands(bands.size):
            part = out[band.first : band.first + len(band.passages)]
            _core.spread_distances(band.passages, *known[band.number], part)
    except OverflowError as error:
        raise ValueError(f"{error} does not fit out= of {out.dtype}: give a wider dtype") from None
    return out


class _Band(NamedTuple):
    """Some rows of a maze, from row `first` on: the band of some number."""

    number: int
    first: int
    passages: NDArray[np.uint8]


@dataclass(slots=True)
class _Bands:
    """A maze that is read in bands of rows, the same in each pass: of a stream, or of an array of passages.

    A stream may look at its cells before it makes the first row.
    """

    shape: Shape
    tell: Callable[[int, int], object]
    stream: StreamedMaze | None = None
    array: Any = None
    wrap: Wrap = FLAT
    maze: Maze | None = None

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.shape[0] * self.shape[1]

    @property
    def ends(self) -> tuple[Cell, Cell]:
        """The default start and goal."""
        rows, cols = self.shape
        return ((0, 0), (rows - 1, cols - 1)) if self.maze is None else self.maze.endpoints

    @property
    def height(self) -> int:
        """Rows of a band: larger ones make a smaller graph of their borders, and take more memory."""
        cells = min(max(self.size // 32, _LEAST_BAND), _LARGEST_BAND)
        return min(max(1, cells // self.shape[1]), self.shape[0])

    @property
    def corners(self) -> list[list[int]]:
        """The first row of each band and the number of rows, and the same of columns."""
        return [[*range(0, self.shape[0], self.height), self.shape[0]], [0, self.shape[1]]]

    def within(self, band: int, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return those of some cells, in order, that lie in a band, by their numbers there."""
        first = band * self.height * self.shape[1]
        low, high = np.searchsorted(cells, [first, first + self.height * self.shape[1]])
        return cells[low:high] - first

    def nodes(self, joined: Joined, cells: NDArray[np.int64]) -> list[int]:
        """Return the nodes at some cells."""
        at = (divmod(cell, self.height * self.shape[1]) for cell in cells.tolist())
        return [joined.node((band, 0), cell) for band, cell in at]

    def numbers(self, cells: Any, name: str) -> NDArray[np.int64]:
        """Return the number of each cell, row by row."""
        if self.maze is not None:
            return Squares(self.maze).numbers(cells, name)
        array = plain_array(cells, name)
        several = integers(array, name) if array.ndim == 2 and len(array) else [cells]
        places = [checked_cell(cell, self.shape, name, "cell") for cell in several]
        return np.array([row * self.shape[1] + col for row, col in places], np.int64)

    def bands(self, done: int, wanted: Collection[int] | None = None) -> Iterator[_Band]:
        """Yield the bands of one pass, those `wanted` at least; `done` cells were read before it."""
        cols, total = self.shape[1], 2 * self.size
        require(2 * self.height * cols, f"a band of {self.height:,} rows of {cols:,} cells", "free memory")
        if self.stream is not None:
            done += self.stream.cells_before
            total += self.stream.cells_before
            self.stream.prepare(lambda n: self.tell(n, total))
        for band in self._read_bands(wanted):
            yield band
            self.tell(done + (band.first + len(band.passages)) * cols, total)
        self.tell(done + self.size, total)

    def _read_bands(self, wanted: Collection[int] | None) -> Iterator[_Band]:
        if self.stream is not None:
            for k, held in enumerate(self.stream.bands(self.height * self.shape[1])):
                yield _Band(k, k * self.height, held[1:])
                if wanted is not None and k == max(wanted):
                    return
            return
        for k, first in enumerate(range(0, self.shape[0], self.height)):
            if wanted is None or k in wanted:
                yield _Band(
                    k, first, _checked_band(np.asarray(self.array[first : first + self.height]), first)
                )


def _bands_of(x: Any, rows: SupportsIndex | None, call: str, progress: Progress) -> _Bands:
    tell = paced(reporter(progress))
    if isinstance(x, RowStream):
        held = streamed(x, rows, call)
        return _Bands((held.rows, held.cols), tell, held)
    refuse_rows(rows)
    if isinstance(x, Maze):
        return _Bands((x.rows, x.cols), tell, array=x.passages, wrap=x.wrap, maze=x)
    refuse_graph(x, "x")
    is_array = isinstance(getattr(x, "shape", None), tuple) and hasattr(x, "dtype") and not is_masked(x)
    array = x if is_array else plain_array(x, "x")
    if len(array.shape) != 2 or 0 in array.shape:
        raise ValueError(
            f"x must be passages of shape (rows, cols), at least (1, 1), not of shape {tuple(array.shape)}"
        )
    if np.dtype(array.dtype).kind not in "iu":
        raise TypeError(f"x must be passages, integers from 0 to 15 (N=1, E=2, S=4, W=8), not {array.dtype}")
    height, width = map(int, array.shape)
    return _Bands((height, width), tell, array=array)


def _checked_band(band: NDArray[Any], first: int) -> NDArray[np.uint8]:
    if band.max(initial=0) > 15 or (band.dtype.kind == "i" and band.min(initial=0) < 0):
        wrong = np.argwhere((band < 0) | (band > 15))[0]
        place = first + int(wrong[0]), int(wrong[1])
        raise ValueError(f"x holds {short_repr(band[tuple(wrong)].item())} at {place}: passages are 0 to 15")
    if first == 0 and band.max(initial=0) == 1:  # no row above is open to the south
        msg = (
            "x holds only 0 and 1, as walls and roads do: solve and distances take these; passages are N=1, "
        )
        raise ValueError(msg + "E=2, S=4, W=8, as of Maze.passages")
    return np.ascontiguousarray(band, np.uint8)


def _joined(bands: _Bands, terminals: NDArray[np.int64], kept: ContractedBands) -> Joined:
    """Return the graph of the corridors of all bands; `terminals` are cells that are nodes, in order."""
    parts = (
        contracted(band.passages, (band.first, 0), bands.within(band.number, terminals), kept.of)
        for band in bands.bands(0)
    )
    return Joined(parts, bands.corners, bands.wrap)


class ContractedBands:
    """Bands of rows of which dead ends are filled, and corridors are the edges of a graph.

    With a folder, each is kept in a file whose name is a digest of the band and its terminals: the same rows
    are contracted once, and those of another maze are never taken for them. A file ends with the digest of
    its name and its numbers; one that is damaged, or has the content of another, is written anew.
    """

    def __init__(self, folder: str | os.PathLike[str] | None) -> None:
        self._folder = None if folder is None else checked_path(folder, "parts")
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)

    def of(self, passages: NDArray[np.uint8], terminals: NDArray[np.int64]) -> _Corridors:
        """Return the cells that are nodes, and their edges: two nodes, the length, and two moves each."""
        if self._folder is None:
            return _core.contract(passages, terminals)
        facts = np.array([*passages.shape, *terminals], "<i8")
        name = _digest_of(facts, passages)
        path = self._folder / f"{name.hex()}.band"
        if (found := _read_contracted(path, name)) is not None:
            return found
        cells, edges = _core.contract(passages, terminals)
        numbers = np.concatenate([[len(cells)], cells, edges.ravel()]).astype("<i8")
        with atomic(path) as file:
            file.write(numbers.data)
            file.write(_digest_of(name, numbers))
        return cells, edges


def _digest_of(*parts: NDArray[np.generic] | bytes) -> bytes:
    digest = hashlib.blake2b(_FORMAT, digest_size=_DIGEST)
    for part in parts:
        digest.update(part if isinstance(part, bytes) else part.data)
    return digest.digest()


def _read_contracted(path: Path, name: bytes) -> _Corridors | None:
    """Return what a file holds, or None if it is not there, or its digest is another one."""
    try:
        require(2 * path.stat().st_size, f"the corridors in {os.fspath(path)!r}", "free memory")
        content = np.fromfile(path, np.uint8)
    except FileNotFoundError:
        return None
    numbers, digest = content[:-_DIGEST], content[-_DIGEST:]
    if len(numbers) % 8 != 0 or _digest_of(name, numbers.view("<i8")) != digest.tobytes():
        return None
    found = numbers.view("<i8").astype(np.int64)
    n_cells = int(found[0])
    return found[1 : 1 + n_cells], found[1 + n_cells :].reshape(-1, 5)
