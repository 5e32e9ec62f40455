"""The way from start to goal, and how far it is to everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro.errors import NoPathError, shown
from meiro.memory import require
from meiro.options import unknown
from meiro.progress import Progress, reporter
from meiro.registry import SOLVERS, Solver
from meiro.seeds import RNG, seed_of
from meiro.solution import Solution
from meiro.walked import ends, walked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro.lattice import CellLike, Shape
    from meiro.maze import Maze

_LETTERS = "NESW"


def solve(
    x: Maze | ArrayLike,
    start: CellLike | None = None,
    goal: CellLike | None = None,
    *,
    algorithm: Solver | str = "bfs",
    directions: str | Sequence[str] | None = None,
    rng: RNG = None,
    order: bool = False,
    road: object = None,
    progress: Progress = False,
) -> Solution:
    """Find a way through a maze, or through any two-dimensional array of walls and roads.

    Parameters
    ----------
    x : Maze or array_like of shape (h, w)
        A maze, which is walked from cell to cell; or a wall/road array (0 is road), which is walked
        from site to site, with all its rooms, loops and wide corridors.
    start, goal : (int, int)
        Row and column, in cells of a maze or sites of an array; negative ones count from the end. By
        default those of the maze, else its first and last cell; of an array its two openings, if it
        has exactly two.
    algorithm : str
        One of `meiro.SOLVERS`. The default finds a shortest way.
    directions : str or sequence of str
        The order in which directions are looked at: each of N, E, S, W once. "NESW" by default;
        "NSWE" is up, down, left, right. It decides which of several ways is found.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        "dfs": go on in a random direction, instead of the first.
    order : bool
        Whether `Solution.order` is kept, which takes 8 bytes a cell or site.
    road : scalar
        The value of a road in an array that does not hold 0 and 1 (or booleans, True a wall) alone.
    progress : bool or callable
        True for a bar, or ``callable(done, total)`` in cells or sites, of which not all may be needed.

    Returns
    -------
    Solution
        In the units of `x`. If start is goal, a path of one.

    Raises
    ------
    NoPathError
        If there is no way.
    ValueError
        If start or goal is outside or in a wall, or must be given; if `x` is no wall/road array.
    TypeError
        If the algorithm does not take an option.

    Examples
    --------
    >>> maze = meiro.generate((20, 30), rng=7)
    >>> meiro.solve(maze).path[[0, -1]].tolist()
    [[0, 0], [19, 29]]
    >>> meiro.solve([[1, 0, 1], [1, 0, 0], [1, 1, 1]])
    <Solution of 2 steps in sites, bfs from (0, 1) to (1, 2), 3 explored>
    """
    facts = SOLVERS.find(algorithm)
    for name, value in (("directions", directions), ("rng", rng)):
        if value is not None and name not in facts.options:
            raise TypeError(unknown(facts.name, name, facts.options))
    if directions is not None and rng is not None:
        msg = "directions and rng both say where to go first: give one of them"
        raise TypeError(msg)
    first = _order(directions)
    seed = None if rng is None else seed_of(rng)
    on = walked(x, road)
    begin, end = ends(on, start, goal)
    size = on.shape[0] * on.shape[1]
    need = facts.scratch + on.copied + 8 * bool(order)
    require(int(size * need), f"{facts.name} on {size:,} {on.space}", "leave out order= or take a part")
    found, explored, steps, reached, when = _core.solve(
        facts.name,
        on.array,
        on.sites,
        on.wrap,
        on.number(begin),
        on.number(end),
        first,
        None if seed is None else (*seed.key, seed.replicate),
        bool(order),
        reporter(progress),
    )
    if not found:
        reached_ = f"{explored:,} {on.space if explored > 1 else on.space[:-1]}"
        msg = f"there is no way from {begin} to {end}: {reached_} can be reached"
        raise NoPathError(msg)
    return Solution(
        facts.name,
        on.space,
        on.shape,
        begin,
        end,
        found=True,
        order=when,
        _steps=steps,
        _reached=reached,
        _n_explored=explored,
        wrap=on.wrap,
    )


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


def _order(directions: str | Sequence[str] | None) -> list[int]:
    """Return 0 (N), 1 (E), 2 (S), 3 (W) in the order that is asked for."""
    if directions is None:
        return [0, 1, 2, 3]
    try:
        found = [_LETTERS.index(letter.upper()) for letter in directions]
    except (AttributeError, TypeError, ValueError):
        found = []
    if sorted(found) != [0, 1, 2, 3]:
        msg = f"directions must hold each of N, E, S, W once, as in 'NSWE', not {shown(directions)}"
        raise ValueError(msg)
    return found


def _check_out(out: object, shape: Shape) -> None:
    if not isinstance(out, np.ndarray) or out.dtype.kind != "i" or out.shape != shape:
        got = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        msg = f"out must be an array of signed integers (-1 is no way) of shape {shape}, not {got}"
        raise ValueError(msg)
    if not (out.flags.c_contiguous and out.flags.writeable and out.dtype.isnative):
        msg = "out must be C-contiguous, writable and of the machine's byte order"
        raise ValueError(msg)
