"""Distances from one or several sources to every place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from meiro import _core
from meiro._utils.arrays import check_out, weights_of
from meiro._utils.progress import Progress, reporter
from meiro.solvers.search_space import Goals, as_search_space, checked_moves

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.maze.maze import Maze

_NO_WEIGHTS = np.empty((0, 0))  # of 1, for the core


def distances(
    x: Maze | ArrayLike,
    sources: Goals,
    *,
    weights: ArrayLike | None = None,
    moves: Literal[4, 8] = 4,
    road: object = None,
    out: NDArray[Any] | None = None,
    progress: Progress = False,
) -> NDArray[Any]:
    """Compute the distance of every cell from the nearest source, in steps or as a cost.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, or a wall/road array in which 0 is road.
    sources : (int, int) or sequence of (int, int)
        Row and column of each source, in cells of a maze or sites of an array.
    weights : array_like of float, shape (rows, cols) or (h, w), optional
        The cost of entering each cell or site, 0 or more; distances are then costs, not steps.
    moves : {4, 8}
        With 8, steps in an array also go diagonally (not around corners), at sqrt(2) times the cost;
        distances are then costs, not steps.
    road : scalar, optional
        The value of a road in `x`, as in `meiro.solve`.
    out : ndarray, shape (rows, cols) or (h, w), optional
        Array for the result, C-contiguous: any signed integers for steps, float64 for costs.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells or sites.

    Returns
    -------
    ndarray of int32, int64 or float64, shape (rows, cols) or (h, w)
        Number of steps, -1 where no source is reachable; int64 from 2**31 cells or sites on. With `weights`
        or ``moves=8`` costs, infinity where no source is reachable. `out`, if it is given.

    Raises
    ------
    ValueError
        If a source is outside the maze or in a wall, a distance does not fit `out`, or weights are negative,
        not finite, or of another shape.
    TypeError
        If `moves` is 8 for a `Maze`.

    See Also
    --------
    solve : one shortest path.
    shortest_paths : the number of shortest paths, and the places on them.
    policy : the moves towards the nearest goal, for every place.

    References
    ----------
    Steps by breadth-first search: E. F. Moore, The shortest path through a maze (1959). Costs by Dijkstra's
    algorithm: E. W. Dijkstra, Numer. Math. 1 (1959) 269. doi:10.1007/BF01386390

    Examples
    --------
    >>> meiro.distances(meiro.generate((1, 3), rng=0), (0, 0)).tolist()
    [[0, 1, 2]]
    >>> meiro.distances([[0, 0], [0, 0]], (0, 0), moves=8).round(3).tolist()
    [[0.0, 1.0], [1.0, 1.414]]
    """
    space = as_search_space(x, road)
    moves = checked_moves(moves, space)
    numbers = space.numbers(sources, "sources")
    costs = _NO_WEIGHTS if weights is None else weights_of(weights, space.shape, space.units)
    weighted = weights is not None or moves == 8
    if out is None:
        size = space.shape[0] * space.shape[1]
        item = np.dtype(np.float64 if weighted else np.int32 if size < 1 << 31 else np.int64)
        heap = 24 * weighted  # bytes of a heap item, one a place
        instead = "crop it" if weighted else "give an int16 array as out="
        space.require(2 + item.itemsize + heap, "distances", instead)
        out = np.empty(space.shape, item)
    else:
        check_out(out, space.shape, np.dtype(np.float64) if weighted else np.signedinteger)
    try:
        _core.distances(space.array, space.sites, space.wrap, moves, numbers, costs, out, reporter(progress))
    except OverflowError as error:
        msg = f"{error} does not fit out= of {out.dtype}: give a wider dtype"
        raise ValueError(msg) from None
    return out
