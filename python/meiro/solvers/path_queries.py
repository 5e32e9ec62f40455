"""Which moves are best, what must be passed, how far two places can be apart, what hangs together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.progress import Progress, reporter
from meiro.maze._validation import as_bytes
from meiro.solvers.search_space import Goals, as_search_space, checked_moves, no_path_error
from meiro.solvers.shortest_paths import parse_query

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike
    from meiro.maze.maze import Maze


def policy(
    x: Maze | ArrayLike,
    goal: Goals,
    *,
    moves: Literal[4, 8] = 4,
    road: object = None,
    progress: Progress = False,
) -> NDArray[np.uint8]:
    """Tell for every place all moves that lead to the nearest goal by a shortest way.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, or a wall/road array in which 0 is road.
    goal : (int, int) or sequence of (int, int)
        Row and column, each; in cells of a maze or sites of an array.
    moves : {4, 8}
        With 8, an array is also walked diagonally, at the cost of the square root of 2, but not around a
        corner, as in `meiro.solve`. Costs are compared exactly.
    road : scalar, optional
        The value of a road in `x`, as in `meiro.solve`.
    progress : bool or callable
        True for a bar, or ``callable(done, total)`` in cells or sites.

    Returns
    -------
    ndarray of uint8, shape (rows, cols) or (h, w)
        The sum of the bits of the moves: N 1, E 2, S 4, W 8, as passages have them, and NE 16, SE 32, SW 64,
        NW 128. 0 at goals, in walls, and where there is no way.

    Raises
    ------
    ValueError
        If a goal is outside or in a wall, or `moves` is neither 4 nor 8.
    TypeError
        If `moves` is 8 for a `Maze`.

    Examples
    --------
    >>> meiro.policy([[0, 0, 0], [0, 1, 0], [0, 0, 0]], (2, 2)).tolist()
    [[6, 2, 4], [4, 0, 4], [2, 2, 0]]
    """
    on = as_search_space(x, road)
    ways = checked_moves(moves, on)
    goals = on.goals(goal)
    size = on.shape[0] * on.shape[1]
    need = 1 + on.copied + 6 * (ways == 8)
    require(need * size, f"a policy of {size:,} {on.space}", "take a smaller part")
    return _core.policy(on.array, on.sites, on.wrap, ways, goals, reporter(progress))


def bottlenecks(
    x: Maze | ArrayLike, start: CellLike | None = None, goal: Goals | None = None, *, road: object = None
) -> NDArray[np.int64]:
    """Tell the places that every way from start to goal passes.

    Without any one of them, start and goal are parted. In a perfect maze these are all places between the
    ends of its only path.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, or a wall/road array in which 0 is road. Steps go to the four neighbours.
    start, goal : (int, int)
        As in `meiro.solve`. Of several goals: the places without which none can be reached.
    road : scalar, optional
        The value of a road in `x`, as in `meiro.solve`.

    Returns
    -------
    ndarray of int64, shape (k, 2)
        In order from start to goal, which are not among them.

    Raises
    ------
    NoPathError
        If there is no way.
    ValueError
        If start or goal is outside or in a wall, or must be given.

    Examples
    --------
    >>> meiro.bottlenecks([[0, 0, 1, 0, 0], [0, 0, 0, 0, 0]], (0, 0), (0, 4)).tolist()
    [[1, 1], [1, 2], [1, 3]]
    """
    on, begin, goals = parse_query(x, start, goal, road, 6)
    places = _core.bottlenecks(on.array, on.sites, on.wrap, on.number(begin), goals)
    if places is None:
        raise no_path_error(begin, goals, on)
    return places


def components(x: Maze | ArrayLike, *, road: object = None) -> tuple[NDArray[np.integer[Any]], int]:
    """Label what hangs together.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, whose cells hang together by passages; or a wall/road array in which 0 is road, whose roads
        do by their four neighbours.
    road : scalar, optional
        The value of a road in `x`, as in `meiro.solve`.

    Returns
    -------
    labels : ndarray of int32, shape (rows, cols) or (h, w)
        1, 2, ... in the order of their first places, 0 in walls and where no cell is, as
        ``scipy.ndimage.label`` gives them; int64 from 2**31 places on.
    n : int
        How many there are.

    Examples
    --------
    >>> labels, n = meiro.components([[0, 1, 0], [0, 1, 1], [1, 0, 0]])
    >>> n, labels.tolist()
    (3, [[1, 0, 2], [1, 0, 0], [0, 3, 3]])
    """
    on = as_search_space(x, road)
    size = on.shape[0] * on.shape[1]
    require((4 if size < 1 << 31 else 8) * size, f"labels of {size:,} {on.space}", "take a smaller part")
    mask = None if on.maze is None else as_bytes(on.maze.mask)
    return _core.components(on.array, on.sites, on.wrap, mask)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LongestPath:
    """Two places as far apart as any, as `meiro.longest_path` finds them.

    Attributes
    ----------
    path : ndarray of int64, shape (k, 2)
        A shortest path between them, both included.
    length : int
        Steps of it, ``k - 1``.
    at_most : int
        No two places that hang together are farther apart; `length`, if that is known to be the most.
    exact : bool
        Whether it is known.
    start, goal : (int, int)

    Examples
    --------
    >>> found = meiro.longest_path(meiro.Maze([[4, 6, 8], [3, 9, 0]]))
    >>> found.path.tolist(), found.exact
    ([[0, 2], [0, 1], [1, 1], [1, 0], [0, 0]], True)
    """

    path: NDArray[np.int64]
    length: int
    at_most: int
    exact: bool
    start: Cell
    goal: Cell

    def __post_init__(self) -> None:
        """Close what must not change."""
        self.path.flags.writeable = False

    def __repr__(self) -> str:
        """Return one line."""
        steps = f"{self.length:,} step{'s' * (self.length != 1)}"
        most = "" if self.exact else f", at most {self.at_most:,}"
        return f"<LongestPath of {steps}{most}, from {self.start} to {self.goal}>"


def longest_path(x: Maze | ArrayLike, *, exact: bool = False, road: object = None) -> LongestPath:
    """Find the two places that are farthest apart, and a shortest path between them.

    Where there is one way between any two places, as in a perfect maze, it is the longest path there is;
    that, and any forest, is told exactly in linear time. With loops a few floods give a path and a bound:
    no two places are farther apart.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, or a wall/road array in which 0 is road. Steps go to the four neighbours. In several parts,
        the longest of all.
    exact : bool
        Go on where there are loops until it is known to be the longest, by iFUB [1]_. That mostly takes a
        few floods more, at worst, as on a torus without walls, one from every place.
    road : scalar, optional
        The value of a road in `x`, as in `meiro.solve`.

    Returns
    -------
    LongestPath

    Raises
    ------
    ValueError
        If there is no road at all.

    References
    ----------
    .. [1] P. Crescenzi, R. Grossi, M. Habib, L. Lanzi, A. Marino, Theor. Comput. Sci. 514 (2013) 84.
       doi:10.1016/j.tcs.2012.09.018

    Examples
    --------
    >>> meiro.longest_path([[0, 0, 0], [1, 0, 1], [1, 0, 1], [1, 0, 1]])
    <LongestPath of 4 steps, from (3, 1) to (0, 2)>
    """
    on = as_search_space(x, road)
    size = on.shape[0] * on.shape[1]
    need = 2 + on.copied + 4 * bool(exact)
    require(need * size, f"the longest path over {size:,} {on.space}", "take a smaller part")
    found = _core.longest_path(on.array, on.sites, on.wrap, bool(exact))
    start, goal, length, at_most, steps = found
    if start < 0:
        start = goal = _first_place(on.array, on.maze)
    begin = divmod(start, on.shape[1])
    require(16 * (length + 1), f"a path of {length:,} steps", "take a smaller part")
    path = _core.walk(steps, *begin, 1, *on.shape, 4)
    return LongestPath(path, length, at_most, length == at_most, begin, divmod(goal, on.shape[1]))


def _first_place(array: NDArray[np.uint8], maze: Maze | None) -> int:
    """Return the first place, of those that have no way between them."""
    there = array == 0 if maze is None else np.ones(1, np.bool_) if maze.mask is None else maze.mask
    if not there.any():
        msg = f"there is no road in an array of {array.shape} walls"
        raise ValueError(msg)
    return int(there.argmax())
