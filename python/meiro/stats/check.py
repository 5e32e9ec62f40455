"""`check` and `components`: connected components, loops, islands and enclosed regions of a maze or array."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only, refuse_road, walls
from meiro._utils.memory import require
from meiro._utils.progress import Progress, reporter
from meiro._utils.set_module import set_module
from meiro._utils.square import FLAT
from meiro._utils.validation import Threads, thread_count
from meiro.graphs.graph_batch import GraphBatch
from meiro.graphs.graph_maze import GraphMaze
from meiro.lattices.lattice import graph_of
from meiro.maze._grid import border_roads
from meiro.maze._validation import mask_bytes
from meiro.maze.batch import MazeBatch
from meiro.maze.maze import Maze
from meiro.results.table import Table
from meiro.solvers.graph_cells import one_graph, require_graph_memory
from meiro.solvers.search_space import as_search_space

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray


@set_module("meiro")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CheckReport:
    """The result of `meiro.check`; ``print(report)`` describes it in words.

    Roads, and walls, are adjacent in the four straight directions.

    Attributes
    ----------
    perfect : bool
        Whether there is exactly one path between any two roads. For a `Maze` whose mask has several
        components: whether each of them is a tree, as `Maze.is_perfect`.
    regions : int
        Number of connected components of roads.
    parts : int
        Number of connected components of the mask, 1 without a mask: the minimum of `regions`.
    loops : int
        Number of independent cycles: passages - cells + regions (in an array, pairs of adjacent roads count
        as passages).
    islands : int
        Number of connected components of walls that do not touch the outer wall (the border of the array). A
        torus has no outer wall: components beyond the first. Loops that wind around a torus or cylinder
        enclose no island.
    enclosed_regions : int
        Number of regions beyond the first.
    open_blocks : int
        Number of 2 x 2 blocks of sites that are all road, overlapping blocks included; 0 in a maze.
    bare_posts : int
        Number of single wall sites without an adjacent wall, away from the border; each is also an island.
    openings : ndarray of int64, shape (k, 2)
        Road sites in the border, in order.
    road_labels, wall_labels : ndarray of int32, shape of the grid or array
        The components, numbered 1, 2, ... in the order of their first sites, 0 elsewhere, as
        ``scipy.ndimage.label`` numbers them (int64 from 2**31 sites on). Computed at each access. If a maze
        is periodic, both sides of the border are one site.

    See Also
    --------
    meiro.check : Returns a report.

    Examples
    --------
    >>> report = meiro.check([[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]])
    >>> report.perfect, report.loops
    (True, 0)
    >>> print(report)
    no islands, no enclosed regions: one way from any cell to any other
    """

    perfect: bool
    regions: int
    parts: int
    loops: int
    islands: int
    enclosed_regions: int
    open_blocks: int
    bare_posts: int
    openings: NDArray[np.int64]
    _source: Maze | GraphMaze | NDArray[np.uint8] = field(repr=False)

    @property
    def road_labels(self) -> NDArray[np.integer[Any]]:
        """The number of each road's component."""
        return self._labels(0)

    @property
    def wall_labels(self) -> NDArray[np.integer[Any]]:
        """The number of each wall's component."""
        return self._labels(1)

    def _labels(self, kind: int) -> NDArray[np.integer[Any]]:
        x = self._source
        if isinstance(x, GraphMaze):
            msg = "a maze on a lattice has no sites: meiro.components labels its cells"
            raise TypeError(msg)
        grid, wrap = (x.grid, x.wrap) if isinstance(x, Maze) else (x, FLAT)
        require(grid.size * (4 if grid.size < 1 << 31 else 8), "labels of every site", "cut it into parts")
        labels: NDArray[np.integer[Any]] = _core.labels(grid, kind, wrap)
        return labels

    def _counts(self) -> tuple[int | bool, ...]:
        return (
            self.perfect, self.regions, self.parts, self.loops,
            self.islands, self.enclosed_regions, self.open_blocks, self.bare_posts,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        """Return whether all counts and openings are the same."""
        if not isinstance(other, CheckReport):
            return NotImplemented
        return self._counts() == other._counts() and np.array_equal(self.openings, other.openings)

    def __hash__(self) -> int:
        """Return a hash of the counts."""
        return hash(self._counts())

    def __str__(self) -> str:
        """Return a description in words."""
        found = _count(self.enclosed_regions, "enclosed region")
        if not isinstance(self._source, GraphMaze):
            found = f"{_count(self.islands, 'island')}, {found}"
        if self.regions == 0:
            return "no road at all"
        if self.perfect:
            way = "one way from any cell to any other"
            return f"{found}: {way}" if self.parts == 1 else f"{self.parts} parts: {way} of its part"
        more = {"loop": self.loops, "open block": self.open_blocks, "bare post": self.bare_posts}
        more |= {"part": self.parts} if self.parts > 1 else {}
        return ", ".join([found, *(_count(n, what) for what, n in more.items() if n)])

    def __repr__(self) -> str:
        """Return one line."""
        return f"<CheckReport {'perfect' if self.perfect else 'not perfect'}: {self}>"


@overload
def check(
    x: MazeBatch | GraphBatch, *, road: object = None, threads: Threads = None, progress: Progress = False
) -> Table: ...
@overload
def check(
    x: Maze | GraphMaze | ArrayLike,
    *,
    road: object = None,
    threads: Threads = None,
    progress: Progress = False,
) -> CheckReport: ...
def check(
    x: Maze | MazeBatch | GraphMaze | GraphBatch | ArrayLike,
    *,
    road: object = None,
    threads: Threads = None,
    progress: Progress = False,
) -> CheckReport | Table:
    """Check whether a maze is perfect, and count its components, loops, islands and enclosed regions.

    A maze that is not periodic is perfect if and only if it has no islands, no enclosed regions and no open
    blocks.

    Parameters
    ----------
    x : Maze, MazeBatch, GraphMaze, GraphBatch or array_like of shape (h, w)
        A maze, many, or a wall/road array in which 0 is road. Of a maze on a lattice islands, open blocks,
        bare posts and openings are not counted.
    road : scalar or sequence of scalars, optional
        The value of a road in `x`, if `x` has other values than 0 and 1 (or booleans, True for a wall).
    threads : int or "all", optional
        The number of threads that share the mazes of a batch, or the rows of one maze or array; the result
        does not depend on it. A maze on a lattice takes one.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells of mazes.

    Returns
    -------
    CheckReport or Table
        The string of a report describes the counts in words. For a batch a table with a row for each maze:
        ``replicate`` and the counts of its report.

    Raises
    ------
    ValueError
        If `x` is not a wall/road array, or does not tell which value is road.

    See Also
    --------
    meiro.components : Label the connected components.
    meiro.remove_islands, meiro.join_regions : Repair what the report counts.

    Notes
    -----
    The counts satisfy Euler's formula for planar graphs: a maze that is not periodic has as many loops as
    islands.

    Examples
    --------
    >>> print(meiro.check(meiro.generate((20, 30), rng=7)))
    no islands, no enclosed regions: one way from any cell to any other
    >>> print(meiro.check(["#####", "#...#", "#.#.#", "#...#", "#####"], road="."))
    1 island, no enclosed regions, 1 loop, 1 bare post
    >>> many = meiro.generate_many((8, 8), n=1000, rng=7)
    >>> bool(meiro.check(many)["perfect"].all())
    True
    """
    shared = thread_count(threads), reporter(progress)
    if isinstance(x, GraphMaze | GraphBatch):
        refuse_road(road)
        return _check_graphs(x, *shared)
    if isinstance(x, MazeBatch):
        refuse_road(road)
        return _check_batch(x, *shared)
    source: Maze | NDArray[np.uint8]
    if isinstance(x, Maze):
        refuse_road(road)
        source, openings = x, x.openings
        require(9 * x.passages.size * any(x.wrap), "the sets of its cells", "take a part")
        counts = census_of(x, *shared)
    else:
        source = walls(x, road=road)
        openings = read_only(border_roads(source))
        counts = _core.check_walls(source, *shared)
    return CheckReport(
        **counts, enclosed_regions=max(counts["regions"] - 1, 0), openings=openings, _source=source
    )


def _check_graphs(
    x: GraphMaze | GraphBatch, threads: int, report: Callable[[int, int], object] | None
) -> CheckReport | Table:
    lattice, mazes = x.lattice, one_graph(x)
    require_graph_memory(lattice, 40 * min(threads, max(len(mazes), 1)), "checking mazes")
    ends = np.zeros(len(mazes), np.int64)
    names = ["regions", "loops"]
    counts = _core.measure_on_graph(graph_of(lattice), mazes, ends, ends, names, threads, report)
    regions, loops = counts.astype(np.int64).T
    perfect = (regions == lattice.n_components) & (loops == 0)
    if isinstance(x, GraphBatch):
        parts = np.full(len(x), lattice.n_components)
        columns = {"perfect": perfect, "regions": regions.copy(), "parts": parts, "loops": loops.copy()}
        return Table({"replicate": x.replicates, **columns, "enclosed_regions": regions - 1})
    return CheckReport(
        *(bool(perfect[0]), int(regions[0]), lattice.n_components, int(loops[0])),
        islands=0,
        enclosed_regions=int(regions[0]) - 1,
        open_blocks=0,
        bare_posts=0,
        openings=read_only(np.empty((0, 2), np.int64)),
        _source=x,
    )


_COUNTS = ("perfect", "regions", "loops", "islands", "open_blocks", "bare_posts", "parts")  # of the core


def census_of(
    maze: Maze, threads: int = 1, report: Callable[[int, int], object] | None = None
) -> dict[str, Any]:
    """Return the counts of a maze."""
    found = _core.check_mazes(maze.passages[np.newaxis], mask_bytes(maze.mask), maze.wrap, threads, report)
    counts = dict(zip(_COUNTS, found[0].tolist(), strict=True))
    return {**counts, "perfect": bool(counts["perfect"])}


def _check_batch(batch: MazeBatch, threads: int, report: Callable[[int, int], object] | None) -> Table:
    size, n = batch.rows * batch.cols, len(batch)
    need = (9 if any(batch.wrap) else 4) * size * min(threads, n) + 200 * n
    require(need, f"checking {batch!r}", "take a slice of it")
    masks = batch.masks
    mask = None if masks is None else mask_bytes(np.ascontiguousarray(masks))
    found = _core.check_mazes(np.ascontiguousarray(batch.passages), mask, batch.wrap, threads, report)
    counts = dict(zip(_COUNTS, found.T, strict=True))
    columns = {
        "perfect": counts["perfect"].astype(np.bool_),
        **{name: counts[name].copy() for name in ("regions", "parts", "loops", "islands")},
        "enclosed_regions": np.maximum(counts["regions"] - 1, 0),
        **{name: counts[name].copy() for name in ("open_blocks", "bare_posts")},
    }
    return Table({"replicate": batch.replicates, **columns})


def _count(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'s' * (n != 1)}"


def components(
    x: Maze | GraphMaze | ArrayLike, *, road: object = None
) -> tuple[NDArray[np.integer[Any]], int]:
    """Label connected components.

    Parameters
    ----------
    x : Maze, GraphMaze or array_like of shape (h, w)
        A maze, whose cells are connected by passages; or a wall/road array in which 0 is road, whose roads
        are connected to their four neighbours.
    road : scalar or sequence of scalars, optional
        The value of a road in `x`, as in `meiro.solve`.

    Returns
    -------
    labels : ndarray of int32, shape (rows, cols), (n_cells,) or (h, w)
        1, 2, ... in the order of the first place of each component, 0 in walls and on masked cells, as
        ``scipy.ndimage.label`` gives them; int64 from 2**31 places on.
    n : int
        The number of components.

    See Also
    --------
    check : the number of components, loops and islands.
    join_regions : opens walls until every component of the mask is one region.

    References
    ----------
    Union-find: R. E. Tarjan, J. ACM 22 (1975) 215. doi:10.1145/321879.321884

    Examples
    --------
    >>> labels, n = meiro.components([[0, 1, 0], [0, 1, 1], [1, 0, 0]])
    >>> n, labels.tolist()
    (3, [[1, 0, 2], [1, 0, 0], [0, 3, 3]])
    """
    if isinstance(x, GraphMaze):
        refuse_road(road)
        require_graph_memory(x.lattice, 24, "labels")
        return _core.components_of_graph(graph_of(x.lattice), x.open.view(np.uint8))
    space = as_search_space(x, road)
    size = space.shape[0] * space.shape[1]
    require((4 if size < 1 << 31 else 8) * size, f"labels of {size:,} {space.units}", "take a smaller part")
    mask = None if space.maze is None else mask_bytes(space.maze.mask)
    return _core.components(space.array, space.sites, space.wrap, mask)
