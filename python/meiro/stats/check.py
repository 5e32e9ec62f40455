"""`check` and `components`: connected components, loops, islands and enclosed regions of a maze or array."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import FLAT
from meiro._utils.validation import Threads, thread_count
from meiro.results.table import Table
from meiro.spaces.space_of import space_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.spaces.space import EitherMaze, ManyMazes


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
    islands : int or None
        Number of connected components of walls that do not touch the outer wall (the border of the array). A
        torus has no outer wall: components beyond the first. Loops that wind around a torus or cylinder
        enclose no island. None, as are the two counts of sites below, of a maze on a lattice: they are not
        counted.
    enclosed_regions : int
        Number of regions beyond the first.
    open_blocks : int or None
        Number of 2 x 2 blocks of sites that are all road, overlapping blocks included; 0 in a maze.
    bare_posts : int or None
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

    __module__ = "meiro"

    perfect: bool
    regions: int
    parts: int
    loops: int
    islands: int | None
    enclosed_regions: int
    open_blocks: int | None
    bare_posts: int | None
    openings: NDArray[np.int64]
    _source: Any = field(repr=False)  # a maze, or an array of sites

    @property
    def road_labels(self) -> NDArray[np.integer[Any]]:
        """The number of each road's component."""
        return self._labels(0)

    @property
    def wall_labels(self) -> NDArray[np.integer[Any]]:
        """The number of each wall's component."""
        return self._labels(1)

    def _labels(self, kind: int) -> NDArray[np.integer[Any]]:
        if self.islands is None:
            raise TypeError("a maze on a lattice has no sites: meiro.components labels its cells")
        x = self._source
        grid, wrap = getattr(x, "grid", x), getattr(x, "wrap", FLAT)
        require(grid.size * (5 if grid.size < 1 << 31 else 9), "labels of every site", "cut it into parts")
        others = (grid != kind).view(np.uint8)
        (labels,), _ = _core.components((others, 4, wrap, "never"), 1)
        made: NDArray[np.integer[Any]] = labels
        return made

    def _counts(self) -> tuple[int | bool | None, ...]:
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
        if self.islands is not None:
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
    x: ManyMazes, *, road: object = None, threads: Threads = None, progress: Progress = False
) -> Table: ...
@overload
def check(
    x: EitherMaze | ArrayLike,
    *,
    road: object = None,
    threads: Threads = None,
    progress: Progress = False,
) -> CheckReport: ...
def check(
    x: Any,
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
    n_threads, space = thread_count(threads), space_of(x, road=road)
    query = "check_sites" if space.sites else "check_periodic" if any(space.wrap) else "check"
    space.require(query, n_threads, what="checking")
    found = _core.check(space.core, n_threads, reporter(progress))
    if space.one:
        perfect, regions, loops, *sites, parts = found[0].tolist()
        islands, blocks, posts = (None if n < 0 else n for n in sites)  # -1: unknown
        return CheckReport(
            *(bool(perfect), regions, parts, loops, islands, max(regions - 1, 0), blocks, posts),
            openings=space.openings(),
            _source=space.core[0] if space.sites else x,
        )
    columns = {name: np.ascontiguousarray(column) for name, column in zip(_COUNTS, found.T, strict=True)}
    columns["perfect"] = columns["perfect"].astype(np.bool_)
    columns["enclosed_regions"] = np.maximum(columns["regions"] - 1, 0)
    order = _GRAPH_COLUMNS if space.on_lattice else _COLUMNS
    return Table({"replicate": space.x.replicates, **{name: columns[name] for name in order}})


_COUNTS = ("perfect", "regions", "loops", "islands", "open_blocks", "bare_posts", "parts")  # of the core
_GRAPH_COLUMNS = ("perfect", "regions", "parts", "loops", "enclosed_regions")
_COLUMNS = (*_GRAPH_COLUMNS[:4], "islands", "enclosed_regions", "open_blocks", "bare_posts")


def _count(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'s' * (n != 1)}"


@overload
def components(
    x: ManyMazes,
) -> tuple[NDArray[np.integer[Any]], NDArray[np.int64]]: ...
@overload
def components(x: EitherMaze | ArrayLike, *, road: object = None) -> tuple[NDArray[np.integer[Any]], int]: ...
def components(x: Any, *, road: object = None) -> tuple[NDArray[np.integer[Any]], int | NDArray[np.int64]]:
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
    space = space_of(x, road=road)
    space.require("components", result=np.dtype(space.counts).itemsize, what="labels")
    labels, counts = _core.components(space.core, 1)
    return space.shaped(labels), (int(counts[0]) if space.one else counts)
