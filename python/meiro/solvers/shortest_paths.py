"""All shortest paths between two places: their number, their union, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.progress import Progress, reporter
from meiro.spaces.space_of import space_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike
    from meiro.spaces.space import EitherMaze, Goals, ManyMazes

_WRITTEN_OUT = 10**9  # a larger count is shown as a power of 2


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShortestPaths:
    """The shortest paths from a start to the nearest goal, counted: the result of `meiro.shortest_paths`.

    Attributes
    ----------
    count : int
        The exact number of shortest paths, of any size.
    length : int
        The steps of each path.
    mask : ndarray of bool, shape of the maze in cells or of the array, or (n_cells,)
        True on every place that lies on at least one of the paths.
    start, goal : (int, int), or a cell of a lattice
        `goal` is the nearest goal. If several goals are equally near, their paths count together, and
        `goal` is the first of them.

    Examples
    --------
    >>> import math
    >>> room = np.zeros((1000, 1000))
    >>> meiro.shortest_paths(room, (0, 0), (-1, -1)).count == math.comb(1998, 999)
    True
    """

    __module__ = "meiro"

    count: int
    length: int
    mask: NDArray[np.bool_]
    start: Cell
    goal: Cell

    def __post_init__(self) -> None:
        """Make the array read-only."""
        self.mask.flags.writeable = False

    def __repr__(self) -> str:
        """Return a summary of one line."""
        number = f"{self.count:,}" if self.count < _WRITTEN_OUT else f"about 2**{self.count.bit_length() - 1}"
        steps = f"{self.length:,} step{'s' * (self.length != 1)}"
        return f"<ShortestPaths: {number} of {steps} from {self.start} to {self.goal}>"


@overload
def shortest_paths(
    x: ManyMazes,
    start: CellLike | Hashable | None = None,
    goal: Goals | Hashable | list[Hashable] | None = None,
    *,
    road: object = None,
    progress: Progress = False,
) -> list[ShortestPaths]: ...
@overload
def shortest_paths(
    x: EitherMaze | ArrayLike,
    start: CellLike | Hashable | None = None,
    goal: Goals | Hashable | list[Hashable] | None = None,
    *,
    road: object = None,
    progress: Progress = False,
) -> ShortestPaths: ...
def shortest_paths(
    x: Any,
    start: CellLike | Hashable | None = None,
    goal: Goals | Hashable | list[Hashable] | None = None,
    *,
    road: object = None,
    progress: Progress = False,
) -> ShortestPaths | list[ShortestPaths]:
    """Count the shortest paths from start to goal, and mark the places on them.

    Parameters
    ----------
    x : Maze, GraphMaze or array_like of shape (h, w)
        A maze, or a wall/road array in which 0 is road. Steps go to the four neighbours. Parallel passages of
        a `GraphMaze` make different paths.
    start, goal : (int, int)
        As in `meiro.solve`. Of several goals, the nearest ones count together.
    road : scalar or sequence of scalars, optional
        The value of a road in `x`, as in `meiro.solve`.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells or sites; the search may end early.

    Returns
    -------
    ShortestPaths
        If start is goal, one path without a step.

    Raises
    ------
    NoPathError
        If no goal is reachable.
    ValueError
        If start or goal is outside the maze or in a wall, or has no default.

    See Also
    --------
    all_shortest_paths : the paths themselves.
    solve : one shortest path.
    distances : the distance of every place.
    bottlenecks : the places on every path.

    References
    ----------
    Counts add up along the layers of a breadth-first search, as in U. Brandes, J. Math. Sociol. 25 (2001)
    163. doi:10.1080/0022250X.2001.9990249

    Examples
    --------
    >>> found = meiro.shortest_paths([[0, 0, 0], [0, 1, 0], [0, 0, 0]], (0, 0), (2, 2))
    >>> found
    <ShortestPaths: 2 of 4 steps from (0, 0) to (2, 2)>
    >>> found.mask.astype(int).tolist()
    [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
    """
    space = space_of(x, road=road)
    if not space.one:
        return [shortest_paths(maze, start, goal, progress=progress) for maze in space]
    begin, goals = space.endpoints(start, goal)
    space.require("shortest_paths", what="the shortest paths")
    length, limbs, mask = _core.shortest_paths(space.core, begin, goals, reporter(progress))
    if limbs is None or mask is None:
        raise space.no_path(begin, goals)
    count = int.from_bytes(limbs.astype("<u8").tobytes(), "little")
    nearest = int(goals[np.flatnonzero(mask.reshape(-1)[goals])[0]])
    return ShortestPaths(count, length, mask, space.cell(begin), space.cell(nearest))


def all_shortest_paths(
    x: EitherMaze | ArrayLike,
    start: CellLike | Hashable | None = None,
    goal: Goals | Hashable | list[Hashable] | None = None,
    *,
    road: object = None,
    progress: Progress = False,
) -> Iterator[NDArray[np.int64]]:
    """Iterate over the shortest paths from start to goal.

    Parameters
    ----------
    x, start, goal, road, progress : various
        As in `meiro.shortest_paths`, which gives their number. Of several goals, the paths to all nearest
        ones.

    Returns
    -------
    iterator of ndarray of int64, shape (k, 2); of a `GraphMaze` in the words of its lattice
        From start to goal, both included, in lexicographic order of their directions: where two paths first
        differ, N comes before E, S and W, and on a lattice the edge with the lower number comes first. The
        iterator holds a byte a cell or site, and one path.

    Raises
    ------
    NoPathError
        If no goal is reachable.
    ValueError
        If start or goal is outside the maze or in a wall, or has no default.

    See Also
    --------
    shortest_paths : their number, and the places on them.
    solve : one shortest path.

    Examples
    --------
    >>> paths = meiro.all_shortest_paths([[0, 0], [0, 0]], (0, 0), (1, 1))
    >>> [path.tolist() for path in paths]
    [[[0, 0], [0, 1], [1, 1]], [[0, 0], [1, 0], [1, 1]]]
    """
    space = space_of(x, road=road)
    if not space.one:
        raise TypeError(f"x is {space.x!r}: take the paths of one maze, x[i], at a time")
    begin, goals = space.endpoints(start, goal)
    space.require("all_shortest_paths", what="the shortest paths")
    found = _core.ShortestPaths(space.core, begin, goals, reporter(progress))
    if found.length() < 0:
        raise space.no_path(begin, goals)
    require(25 * (found.length() + 1), f"a path of {found.length():,} steps", space.smaller)

    def paths() -> Iterator[NDArray[np.int64]]:
        while (numbers := found.next()) is not None:
            yield space.names(numbers)

    return paths()
