"""How far it is to everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from meiro import _core
from meiro._utils.arrays import check_out, weights_of
from meiro._utils.memory import require
from meiro._utils.progress import Progress, reporter
from meiro.solvers.search_space import Goals, as_search_space, checked_moves

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.maze.maze import Maze


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
    """Tell how many steps it is to every cell, or what it costs, from the nearest of the sources.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, or a wall/road array in which 0 is road.
    sources : (int, int) or sequence of (int, int)
        Row and column, each; in cells of a maze or sites of an array.
    weights : array_like of float, shape (rows, cols) or (h, w), optional
        What it costs to enter each place, 0 or more; then costs are told, not steps.
    moves : {4, 8}
        With 8, an array is also walked diagonally (not around corners), at the square root of 2 times the
        cost; then costs are told, not steps.
    road : scalar, optional
        The value of a road in `x`, as in `meiro.solve`.
    out : ndarray, shape (rows, cols) or (h, w), optional
        Where the result goes, C-contiguous: signed integers of any size for steps, float64 for costs.
    progress : bool or callable
        True for a bar, or ``callable(done, total)`` in cells or sites.

    Returns
    -------
    ndarray of int32, int64 or float64, shape (rows, cols) or (h, w)
        Number of steps, -1 where there is no way; int64 from 2**31 cells or sites on. With `weights` or
        ``moves=8`` costs, infinity where there is no way. `out`, if it is given.

    Raises
    ------
    ValueError
        If a source is outside the maze or in a wall, a distance does not fit `out`, or weights are negative,
        not finite, or of another shape.

    Examples
    --------
    >>> meiro.distances(meiro.generate((1, 3), rng=0), (0, 0)).tolist()
    [[0, 1, 2]]
    >>> meiro.distances([[0, 0], [0, 0]], (0, 0), moves=8).round(3).tolist()
    [[0.0, 1.0], [1.0, 1.414]]
    """
    on = as_search_space(x, road)
    ways = checked_moves(moves, on)
    numbers = on.numbers(sources, "sources")
    size = on.shape[0] * on.shape[1]
    costs = np.empty((0, 0)) if weights is None else weights_of(weights, on.shape, on.space)
    weighed = weights is not None or ways == 8
    if out is None:
        item = np.dtype(np.float64 if weighed else np.int32 if size < 1 << 31 else np.int64)
        heap = 24 * weighed  # an item of it for every place
        require(
            (2 + item.itemsize + heap + on.copied) * size,
            f"distances to {size:,} {on.space}",
            "take a part" if weighed else "give an int16 array as out=",
        )
        out = np.empty(on.shape, item)
    else:
        check_out(out, on.shape, np.dtype(np.float64) if weighed else np.signedinteger)
    try:
        _core.distances(on.array, on.sites, on.wrap, ways, numbers, costs, out, reporter(progress))
    except OverflowError as error:
        msg = f"{error} does not fit out= of {out.dtype}: take a wider one"
        raise ValueError(msg) from None
    return out
