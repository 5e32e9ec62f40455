"""Optimal moves towards a goal, bottlenecks between two places, and the longest shortest path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.progress import Progress, reporter
from meiro._utils.validation import Threads, boolean, thread_count
from meiro.spaces.space_of import space_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike
    from meiro.spaces.space import EitherMaze, Goals, ManyMazes


def policy(
    x: EitherMaze | ManyMazes | ArrayLike,
    goal: Goals | Hashable | list[Hashable] = None,
    *,
    moves: Literal[4, 8] = 4,
    corners: Literal["never", "one_free", "always"] = "never",
    wrap: tuple[bool, bool] | None = None,
    clearance: float | None = None,
    road: object = None,
    threads: Threads = None,
    progress: Progress = False,
) -> NDArray[np.integer[Any]]:
    """Compute, for every place, all moves that begin a shortest path to the nearest goal.

    Parameters
    ----------
    x : Maze, MazeBatch, GraphMaze, GraphBatch or array_like of shape (h, w)
        A maze, many, one or many on a lattice, or a wall/road array in which 0 is road.
    goal : (int, int) or sequence of (int, int), optional
        Row and column of each goal, in cells of a maze or sites of an array; by default the goal, as in
        `meiro.solve`. For a batch one cell for all mazes, or an array of shape (n, 2), one for each maze, or
        (n, k, 2), several for each. On a lattice cells, as `sources` of `meiro.distances`.
    moves : {4, 8}
        With 8, steps in an array also go diagonally, at a cost of sqrt(2). Costs are compared exactly.
    corners, wrap, clearance : various, optional
        As in `meiro.solve`, of an array.
    road : scalar or sequence of scalars, optional
        The value of a road in `x`, as in `meiro.solve`.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells or sites.

    Returns
    -------
    ndarray of uint8, shape (rows, cols), (n, rows, cols) or (h, w)
        The sum of the bits of the moves: N 1, E 2, S 4, W 8, as in `Maze.passages`, and NE 16, SE 32, SW 64,
        NW 128. 0 at goals, in walls, and where no goal is reachable. On a lattice an array of int32, shape
        (n_cells,) or (n, n_cells): the next cell on a shortest path, of several the one behind the edge with
        the lowest number; -1 at goals and where no goal is reachable.

    Raises
    ------
    ValueError
        If a goal is outside the maze or in a wall, or `moves` is neither 4 nor 8.
    TypeError
        If `moves` is 8 for a maze: only arrays have diagonal moves.

    See Also
    --------
    distances : the number of steps to the nearest goal.
    shortest_paths : the number of shortest paths from one start.

    Examples
    --------
    >>> meiro.policy([[0, 0, 0], [0, 1, 0], [0, 0, 0]], (2, 2)).tolist()
    [[6, 2, 4], [4, 0, 4], [2, 2, 0]]
    >>> many = meiro.generate_many((8, 8), n=1000, rng=7)
    >>> meiro.policy(many, meiro.endpoints(many, rng=1)[1]).shape
    (1000, 8, 8)
    """
    space = space_of(x, road=road, moves=moves, corners=corners, wrap=wrap, clearance=clearance)
    n_threads = thread_count(threads)
    given = None if goal is None else space.numbers_of_each(goal, "goal")
    goals = space.ends()[1].numbers[:, np.newaxis] if given is None else given
    query = "octile_policy" if moves == 8 else "policy"
    space.require(query, n_threads, result=4 if space.on_lattice else 1, what="a policy")
    return space.shaped(_core.policy(space.core, goals, n_threads, reporter(progress)))


@overload
def bottlenecks(
    x: ManyMazes,
    start: CellLike | Hashable | None = None,
    goal: Goals | Hashable | list[Hashable] | None = None,
    *,
    road: object = None,
) -> list[NDArray[np.int64]]: ...
@overload
def bottlenecks(
    x: EitherMaze | ArrayLike,
    start: CellLike | Hashable | None = None,
    goal: Goals | Hashable | list[Hashable] | None = None,
    *,
    road: object = None,
) -> NDArray[np.int64]: ...
def bottlenecks(
    x: Any,
    start: CellLike | Hashable | None = None,
    goal: Goals | Hashable | list[Hashable] | None = None,
    *,
    road: object = None,
) -> NDArray[np.int64] | list[NDArray[np.int64]]:
    """Find the places that every path from start to goal passes.

    Removing any one of them disconnects start and goal: they are the articulation points between the two. In
    a perfect maze these are all places strictly between the ends of the only path.

    Parameters
    ----------
    x : Maze, GraphMaze or array_like of shape (h, w)
        A maze, or a wall/road array in which 0 is road. Steps go to the four neighbours.
    start, goal : (int, int)
        As in `meiro.solve`. Of several goals: the places without which no goal is reachable.
    road : scalar or sequence of scalars, optional
        The value of a road in `x`, as in `meiro.solve`.

    Returns
    -------
    ndarray of int64, shape (k, 2); of a `GraphMaze` in the words of its lattice
        In order from start to goal, both excluded.

    Raises
    ------
    NoPathError
        If no goal is reachable.
    ValueError
        If start or goal is outside the maze or in a wall, or has no default.

    See Also
    --------
    shortest_paths : the places on at least one shortest path.

    Examples
    --------
    >>> meiro.bottlenecks([[0, 0, 1, 0, 0], [0, 0, 0, 0, 0]], (0, 0), (0, 4)).tolist()
    [[1, 1], [1, 2], [1, 3]]
    """
    space = space_of(x, road=road)
    if not space.one:
        return [bottlenecks(maze, start, goal) for maze in space]
    begin, goals = space.endpoints(start, goal)
    space.require("bottlenecks", what="the bottlenecks")
    numbers = _core.bottlenecks(space.core, begin, goals)
    if numbers is None:
        raise space.no_path(begin, goals)
    return space.names(numbers)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LongestPath:
    """A longest shortest path, or a long one with an upper bound: the result of `meiro.longest_path`.

    Attributes
    ----------
    path : ndarray of int64, shape (k, 2); on a lattice in its words, as `Solution.path`
        A shortest path between `start` and `goal`, both included.
    length : int
        Its steps, ``k - 1``.
    at_most : int
        An upper bound on the distance of any two connected places; equal to `length` if `exact`.
    exact : bool
        Whether `length` is known to be the diameter.
    start, goal : (int, int), or a cell of a lattice

    Examples
    --------
    >>> found = meiro.longest_path(meiro.Maze([[4, 6, 8], [3, 9, 0]]))
    >>> found.path.tolist(), found.exact
    ([[0, 2], [0, 1], [1, 1], [1, 0], [0, 0]], True)
    """

    __module__ = "meiro"

    path: NDArray[np.int64]
    length: int
    at_most: int
    exact: bool
    start: Cell
    goal: Cell

    def __post_init__(self) -> None:
        """Make the array read-only."""
        self.path.flags.writeable = False

    def __repr__(self) -> str:
        """Return a summary of one line."""
        steps = f"{self.length:,} step{'s' * (self.length != 1)}"
        most = "" if self.exact else f", at most {self.at_most:,}"
        return f"<LongestPath of {steps}{most}, from {self.start} to {self.goal}>"


@overload
def longest_path(
    x: ManyMazes,
    *,
    exact: bool = False,
    road: object = None,
) -> list[LongestPath]: ...
@overload
def longest_path(x: EitherMaze | ArrayLike, *, exact: bool = False, road: object = None) -> LongestPath: ...
def longest_path(x: Any, *, exact: bool = False, road: object = None) -> LongestPath | list[LongestPath]:
    """Find two places farthest apart, and a shortest path between them (a diameter of the graph).

    In a perfect maze, where any two places are joined by one path, this is the longest path of all; there,
    and in any forest, the result is exact and takes linear time. With loops a few breadth-first searches
    give a path and an upper bound.

    Parameters
    ----------
    x : Maze, GraphMaze or array_like of shape (h, w)
        A maze, or a wall/road array in which 0 is road. Steps go to the four neighbours. Of several
        components, the longest path of all.
    exact : bool
        With loops, continue until the path is proven to be the longest, by iFUB [1]_. That mostly takes a few
        more searches; at worst, as on a torus without walls, one from every place.
    road : scalar or sequence of scalars, optional
        The value of a road in `x`, as in `meiro.solve`.

    Returns
    -------
    LongestPath
        The two ends, a path between them, its length, and what is proven of it.

    Raises
    ------
    ValueError
        If the array contains no road.

    See Also
    --------
    distances : the distance of every place from a source.
    with_ends : with "farthest", sets start and goal of a maze by a double sweep.

    References
    ----------
    .. [1] P. Crescenzi, R. Grossi, M. Habib, L. Lanzi, A. Marino, Theor. Comput. Sci. 514 (2013) 84.
       doi:10.1016/j.tcs.2012.09.018

    Examples
    --------
    >>> meiro.longest_path([[0, 0, 0], [1, 0, 1], [1, 0, 1], [1, 0, 1]])
    <LongestPath of 4 steps, from (3, 1) to (0, 2)>
    """
    space, surely = space_of(x, road=road), boolean(exact, "exact")
    if not space.one:
        return [longest_path(maze, exact=surely) for maze in space]
    space.require("exact_longest_path" if surely else "longest_path", what="the longest path")
    found = _core.longest_path(space.core, surely)
    start, goal, length, at_most, numbers = found
    require(24 * (length + 1), f"a path of {length:,} steps", space.smaller)
    if start < 0:  # no two places are connected
        start = goal = int(space.first_place())
        numbers = np.array([start])
    path = space.names(numbers)
    return LongestPath(path, length, at_most, length == at_most, space.cell(start), space.cell(goal))
