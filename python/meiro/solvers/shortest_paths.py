"""How many shortest paths there are, and which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.progress import Progress, reporter
from meiro.solvers.search_space import Goals, SearchSpace, as_search_space, no_path_error, resolve_endpoints

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike
    from meiro.maze.maze import Maze

_SPOKEN = 10**9  # a larger number is told by its power of 2


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShortestPaths:
    """All shortest paths from a start to the nearest goal, as `meiro.shortest_paths` counts them.

    Attributes
    ----------
    count : int
        How many there are, exactly, however many.
    length : int
        Steps of each.
    mask : ndarray of bool, shape of the maze in cells or of the array
        True where at least one of them goes.
    start, goal : (int, int)
        The goal that is nearest. Of several as near, whose paths count together, the first that was given.

    Examples
    --------
    >>> import math
    >>> room = np.zeros((1000, 1000))
    >>> meiro.shortest_paths(room, (0, 0), (-1, -1)).count == math.comb(1998, 999)
    True
    """

    count: int
    length: int
    mask: NDArray[np.bool_]
    start: Cell
    goal: Cell

    def __post_init__(self) -> None:
        """Close what must not change."""
        self.mask.flags.writeable = False

    def __repr__(self) -> str:
        """Return one line."""
        number = f"{self.count:,}" if self.count < _SPOKEN else f"about 2**{self.count.bit_length() - 1}"
        steps = f"{self.length:,} step{'s' * (self.length != 1)}"
        return f"<ShortestPaths: {number} of {steps} from {self.start} to {self.goal}>"


def shortest_paths(
    x: Maze | ArrayLike,
    start: CellLike | None = None,
    goal: Goals | None = None,
    *,
    road: object = None,
    progress: Progress = False,
) -> ShortestPaths:
    """Count the shortest paths from start to goal, and tell where they go.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, or a wall/road array in which 0 is road. Steps go to the four neighbours.
    start, goal : (int, int)
        As in `meiro.solve`. Of several goals, those that are nearest count together.
    road : scalar, optional
        The value of a road in `x`, as in `meiro.solve`.
    progress : bool or callable
        True for a bar, or ``callable(done, total)`` in cells or sites, of which not all may be needed.

    Returns
    -------
    ShortestPaths
        If start is goal, one path of no step.

    Raises
    ------
    NoPathError
        If there is no way.
    ValueError
        If start or goal is outside or in a wall, or must be given.

    Examples
    --------
    >>> found = meiro.shortest_paths([[0, 0, 0], [0, 1, 0], [0, 0, 0]], (0, 0), (2, 2))
    >>> found
    <ShortestPaths: 2 of 4 steps from (0, 0) to (2, 2)>
    >>> found.mask.astype(int).tolist()
    [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
    """
    on, begin, goals = parse_query(x, start, goal, road, 5)
    given = on.array, on.sites, on.wrap, on.number(begin), goals
    length, limbs, mask = _core.shortest_paths(*given, reporter(progress))
    if limbs is None or mask is None:
        raise no_path_error(begin, goals, on)
    nearest = goals[np.flatnonzero(mask.reshape(-1)[goals])[0]]
    return ShortestPaths(
        int.from_bytes(limbs.astype("<u8").tobytes(), "little"),
        length,
        mask.view(np.bool_),
        begin,
        divmod(int(nearest), on.shape[1]),
    )


def all_shortest_paths(
    x: Maze | ArrayLike,
    start: CellLike | None = None,
    goal: Goals | None = None,
    *,
    road: object = None,
    progress: Progress = False,
) -> Iterator[NDArray[np.int64]]:
    """List the shortest paths from start to goal, each when it is asked for.

    Parameters
    ----------
    x, start, goal, road, progress
        As in `meiro.shortest_paths`, which tells how many there are. Of several goals, the paths to all
        that are nearest.

    Returns
    -------
    iterator of ndarray of int64, shape (k, 2)
        From start to goal, both included, in the order of their directions: at the first place where two
        paths part, N comes before E, S and W. It holds a byte a cell or site, and one path.

    Raises
    ------
    NoPathError
        If there is no way.
    ValueError
        If start or goal is outside or in a wall, or must be given.

    Examples
    --------
    >>> paths = meiro.all_shortest_paths([[0, 0], [0, 0]], (0, 0), (1, 1))
    >>> [path.tolist() for path in paths]
    [[[0, 0], [0, 1], [1, 1]], [[0, 0], [1, 0], [1, 1]]]
    """
    on, begin, goals = parse_query(x, start, goal, road, 1)
    given = on.array, on.sites, on.wrap, on.number(begin), goals
    listed = _core.ShortestPaths(*given, reporter(progress))
    if listed.length() < 0:
        raise no_path_error(begin, goals, on)
    require(17 * (listed.length() + 1), f"a path of {listed.length():,} steps", "take a smaller part")

    def paths() -> Iterator[NDArray[np.int64]]:
        while (steps := listed.next()) is not None:
            yield _core.walk(steps, *begin, 1, *on.shape, 4)

    return paths()


def parse_query(
    x: Maze | ArrayLike, start: CellLike | None, goal: Goals | None, road: object, scratch: int
) -> tuple[SearchSpace, Cell, NDArray[np.int64]]:
    """Read what is walked and where, if there are `scratch` bytes for each place."""
    on = as_search_space(x, road)
    begin, goals = resolve_endpoints(on, start, goal)
    size = on.shape[0] * on.shape[1]
    require((scratch + on.copied) * size, f"the ways over {size:,} {on.space}", "take a smaller part")
    return on, begin, goals
