"""How far it is to everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro.memory import require
from meiro.progress import Progress, reporter
from meiro.walked import walked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro.lattice import CellLike, Shape
    from meiro.maze import Maze


def distances(
    x: Maze | ArrayLike,
    sources: CellLike | Sequence[CellLike] | NDArray[np.integer[Any]],
    *,
    road: object = None,
    out: NDArray[np.signedinteger[Any]] | None = None,
    progress: Progress = False,
) -> NDArray[np.signedinteger[Any]]:
    """Tell how many steps it is to every cell, from the nearest of the sources.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, or a wall/road array in which 0 is road.
    sources : (int, int) or sequence of (int, int)
        Row and column, each; in cells of a maze or sites of an array.
    road : scalar, optional
        The value of a road in `x`, as in `meiro.solve`.
    out : ndarray of signed integers, shape (rows, cols) or (h, w), optional
        Where the result goes, C-contiguous; int16 or int32 take less memory than a new int64 array.
    progress : bool or callable
        True for a bar, or ``callable(done, total)`` in cells or sites.

    Returns
    -------
    ndarray of int64, shape (rows, cols) or (h, w)
        Number of steps; -1 where there is no way. `out`, if it is given.

    Raises
    ------
    ValueError
        If a source is outside the maze or in a wall, or a distance does not fit `out`.

    Examples
    --------
    >>> meiro.distances(meiro.generate((1, 3), rng=0), (0, 0)).tolist()
    [[0, 1, 2]]
    """
    on = walked(x, road)
    numbers = on.numbers(sources, "sources")
    size = on.shape[0] * on.shape[1]
    if out is None:
        require(
            (10 + on.copied) * size,
            f"distances to {size:,} {on.space}",
            "give an int32 or int16 array as out=",
        )
        out = np.empty(on.shape, np.int64)
    else:
        _check_out(out, on.shape)
    try:
        _core.distances(on.array, on.sites, on.wrap, numbers, out, reporter(progress))
    except OverflowError as error:
        msg = f"{error} does not fit out= of {out.dtype}: take a wider one"
        raise ValueError(msg) from None
    return out


def _check_out(out: object, shape: Shape) -> None:
    if not isinstance(out, np.ndarray) or out.dtype.kind != "i" or out.shape != shape:
        got = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        msg = f"out must be an array of signed integers (-1 is no way) of shape {shape}, not {got}"
        raise ValueError(msg)
    if not (out.flags.c_contiguous and out.flags.writeable and out.dtype.isnative):
        msg = "out must be C-contiguous, writable and of the machine's byte order"
        raise ValueError(msg)
