"""What hangs together in a maze: one way between any two cells, or loops, islands and rooms."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.arrays import refuse_road, walls
from meiro._utils.memory import require
from meiro._utils.square import FLAT
from meiro.maze._grid import border_roads
from meiro.maze._validation import mask_bytes
from meiro.maze.maze import Maze
from meiro.solvers.search_space import as_search_space

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CheckReport:
    """What `meiro.check` found; ``print(report)`` says it in words.

    Neighbours are the four straight ones, for roads and for walls.

    Attributes
    ----------
    perfect : bool
        Whether there is exactly one way between any two roads. Of a `Maze` whose mask has several
        parts: one tree a part, as `Maze.is_perfect`.
    regions : int
        Components of roads.
    parts : int
        Components of the mask; 1 where there is none. Fewer regions there cannot be.
    loops : int
        Independent cycles: passages - cells + regions (between neighbouring roads, in an array).
    islands : int
        Components of walls that do not touch the outer wall (the border of the array). A torus has no
        outer wall: components beyond the first. Loops that wind around a torus or cylinder make none.
    rooms : int
        Components of roads beyond the first.
    open_blocks : int
        Places where 2 x 2 sites are road, overlapping ones each; a maze has none.
    bare_posts : int
        Single wall sites without a wall beside them, away from the border; each is an island as well.
    openings : ndarray of int64, shape (k, 2)
        Road sites in the border, in order.
    road_labels, wall_labels : ndarray of int32, shape of the grid or array
        The components numbered 1, 2, ... in the order of their first sites, 0 elsewhere, as
        ``scipy.ndimage.label`` gives them (int64 from 2**31 sites on). Built at each access. Where a maze
        wraps, both sides of the border are one.

    Examples
    --------
    >>> report = meiro.check([[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]])
    >>> report.perfect, report.loops
    (True, 0)
    >>> print(report)
    no islands, no rooms: one way from any cell to any other
    """

    perfect: bool
    regions: int
    parts: int
    loops: int
    islands: int
    rooms: int
    open_blocks: int
    bare_posts: int
    openings: NDArray[np.int64]
    _source: Maze | NDArray[np.uint8] = field(repr=False)

    @property
    def road_labels(self) -> NDArray[np.integer[Any]]:
        """The regions, numbered."""
        return self._labels(0)

    @property
    def wall_labels(self) -> NDArray[np.integer[Any]]:
        """The walls that hang together, numbered."""
        return self._labels(1)

    def _labels(self, kind: int) -> NDArray[np.integer[Any]]:
        x = self._source
        grid, wrap = (x.grid, x.wrap) if isinstance(x, Maze) else (x, FLAT)
        require(grid.size * (4 if grid.size < 1 << 31 else 8), "labels of every site", "cut it into parts")
        labels: NDArray[np.integer[Any]] = _core.labels(grid, kind, wrap)
        return labels

    def _counts(self) -> tuple[int | bool, ...]:
        return (
            self.perfect, self.regions, self.parts, self.loops,
            self.islands, self.rooms, self.open_blocks, self.bare_posts,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        """Return whether all counts and openings are the same."""
        if not isinstance(other, CheckReport):
            return NotImplemented
        return self._counts() == other._counts() and np.array_equal(self.openings, other.openings)

    def __hash__(self) -> int:
        """Return a hash that equal reports share."""
        return hash(self._counts())

    def __str__(self) -> str:
        """Say it in words."""
        found = f"{_count(self.islands, 'island')}, {_count(self.rooms, 'room')}"
        if self.regions == 0:
            return "no road at all"
        if self.perfect:
            way = "one way from any cell to any other"
            return f"{found}: {way}" if self.parts == 1 else f"{self.parts} parts: {way} of its part"
        more = [
            _count(n, what)
            for n, what in (
                (self.loops, "loop"),
                (self.open_blocks, "open block"),
                (self.bare_posts, "bare post"),
                (self.parts if self.parts > 1 else 0, "part"),
            )
            if n
        ]
        return ", ".join([found, *more])

    def __repr__(self) -> str:
        """Return one line."""
        return f"<CheckReport {'perfect' if self.perfect else 'not perfect'}: {self}>"


def check(x: Maze | ArrayLike, *, road: object = None) -> CheckReport:
    """Tell whether a maze is perfect, and what hangs together in it.

    A maze that does not wrap is perfect exactly if it has no islands, no rooms and no open blocks.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, or a wall/road array in which 0 is road.
    road : scalar, optional
        The value of a road in `x`, if it does not hold 0 and 1 (or booleans, True a wall) alone.

    Returns
    -------
    CheckReport
        Its string says it in words.

    Raises
    ------
    ValueError
        If `x` is no wall/road array, or does not say which value is road.

    Examples
    --------
    >>> print(meiro.check(meiro.generate((20, 30), rng=7)))
    no islands, no rooms: one way from any cell to any other
    >>> print(meiro.check(["#####", "#...#", "#.#.#", "#...#", "#####"], road="."))
    1 island, no rooms, 1 loop, 1 bare post
    """
    source: Maze | NDArray[np.uint8]
    if isinstance(x, Maze):
        refuse_road(road)
        source, openings = x, x.openings
        require(9 * x.passages.size * any(x.wrap), "the sets of its cells", "take a part")
        counts = _core.check_maze(x.passages, mask_bytes(x.mask), x.wrap)
    else:
        source = walls(x, road=road)
        openings = border_roads(source)
        openings.flags.writeable = False
        counts = _core.check_walls(source)
    return CheckReport(**counts, rooms=max(counts["regions"] - 1, 0), openings=openings, _source=source)


def _count(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'s' * (n != 1)}"


def components(x: Maze | ArrayLike, *, road: object = None) -> tuple[NDArray[np.integer[Any]], int]:
    """Label connected components.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, whose cells are connected by passages; or a wall/road array in which 0 is road, whose roads
        are connected to their four neighbours.
    road : scalar, optional
        The value of a road in `x`, as in `meiro.solve`.

    Returns
    -------
    labels : ndarray of int32, shape (rows, cols) or (h, w)
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
    space = as_search_space(x, road)
    size = space.shape[0] * space.shape[1]
    require((4 if size < 1 << 31 else 8) * size, f"labels of {size:,} {space.units}", "take a smaller part")
    mask = None if space.maze is None else mask_bytes(space.maze.mask)
    return _core.components(space.array, space.sites, space.wrap, mask)
