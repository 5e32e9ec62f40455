"""Distances from one or several sources to every place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Never

import numpy as np

from meiro import _core
from meiro._utils.messages import refuse_unknown
from meiro._utils.progress import Progress, reporter
from meiro._utils.validation import Threads, thread_count
from meiro.spaces.space_of import space_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import ArrayLike, NDArray

    from meiro.spaces.space import EitherMaze, Goals, ManyMazes

_NO_WEIGHTS = np.empty(0)  # of 1, for the core


def distances(
    x: EitherMaze | ManyMazes | ArrayLike,
    sources: Goals | Hashable | list[Hashable] | None = None,
    *,
    weights: ArrayLike | None = None,
    moves: Literal[4, 8] = 4,
    corners: Literal["never", "one_free", "always"] = "never",
    wrap: tuple[bool, bool] | None = None,
    clearance: float | None = None,
    road: object = None,
    out: NDArray[Any] | None = None,
    threads: Threads = None,
    progress: Progress = False,
    **unknown: Never,
) -> NDArray[Any]:
    """Compute the distance of every cell from the nearest source, in steps or as a cost.

    Parameters
    ----------
    x : Maze, MazeBatch, GraphMaze, GraphBatch or array_like of shape (h, w)
        A maze, many, one or many on a lattice, or a wall/road array in which 0 is road.
    sources : (int, int) or sequence of (int, int), optional
        Row and column of each source, in cells of a maze or sites of an array; by default the start, as in
        `meiro.solve`. For a batch one cell for all mazes, or an array of shape (n, 2), one for each maze, or
        (n, k, 2), several for each. Of a `GraphMaze` a cell or a list of cells: numbers, or labels. Of a
        `GraphBatch` a cell, n cells, one for each maze, or numbers of shape (n, k).
    weights : array_like of float, shape (rows, cols) or (h, w), optional
        The cost of entering each cell or site, 0 or more, infinite for an obstacle; distances are then costs,
        not steps. For a batch
        those of all mazes, or of each, (n, rows, cols). On a lattice the cost of each edge, (n_edges,), or of
        each maze, (n, n_edges).
    moves : {4, 8}
        With 8, steps in an array also go diagonally, at sqrt(2) times the cost; distances are then costs, not
        steps.
    corners, wrap, clearance : various, optional
        As in `meiro.solve`, of an array.
    road : scalar or sequence of scalars, optional
        The value of a road in `x`, as in `meiro.solve`.
    out : ndarray of the shape that is returned, optional
        Array for the result, C-contiguous: any signed integers for steps, float64 for costs.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch, or the sites of one maze or array, for steps
        and where it is wide: as in a large open room, not in a maze of narrow corridors. The result does not
        depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells or sites.

    Returns
    -------
    ndarray of int32, int64 or float64, shape (rows, cols), (n, rows, cols) or (h, w)
        On a lattice (n_cells,) or (n, n_cells). Number of steps, -1 where no source is reachable; int64 from
        2**31 cells or sites on. With `weights` or ``moves=8`` costs, infinity where no source is reachable.
        `out`, if it is given.

    Raises
    ------
    ValueError
        If a source is outside the maze or in a wall, a distance does not fit `out`, or weights are negative,
        NaN, or of another shape.
    TypeError
        If `moves` is 8 for a maze: only arrays have diagonal moves.

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
    >>> meiro.distances(meiro.generate((1, 3), rng=0)).tolist()
    [[0, 1, 2]]
    >>> meiro.distances([[0, 0], [0, 0]], (0, 0), moves=8).round(3).tolist()
    [[0.0, 1.0], [1.0, 1.414]]
    >>> many = meiro.generate_many((8, 8), n=1000, rng=7)
    >>> goals = meiro.endpoints(many, "farthest")[1]
    >>> meiro.distances(many, goals).shape
    (1000, 8, 8)
    """
    refuse_unknown("distances", unknown, distances.__annotations__)
    space = space_of(x, road=road, moves=moves, corners=corners, wrap=wrap, clearance=clearance)
    n_threads = thread_count(threads)
    numbers = space.sources(sources)
    costs = _NO_WEIGHTS if weights is None else space.weights(weights)
    weighted = weights is not None or moves == 8
    item = np.dtype(np.float64 if weighted else space.counts)
    instead = "" if weighted or space.on_lattice else "give an int16 array as out="
    new = item.itemsize if out is None else 0
    space.require(
        "costs" if weighted else "distances", n_threads, result=new, what="distances", instead=instead
    )
    out = space.result(out, item)
    try:
        _core.distances(space.core, numbers, costs, out, n_threads, reporter(progress))
    except OverflowError as error:
        raise ValueError(f"{error} does not fit out= of {out.dtype}: give a wider dtype") from None
    return out
