"""Dead ends trimmed: `sparsify` some rounds, `fill_dead_ends` until none is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro._utils.validation import integer, plain_array
from meiro.solvers.search_space import as_search_space, default_endpoints
from meiro.transforms._common import cells_at_openings, core_arguments, derive_maze

if TYPE_CHECKING:
    from collections.abc import Sequence

    from meiro._utils.square import CellLike
    from meiro.maze.maze import Maze

_ALL = (1 << 62) - 1  # rounds


def sparsify(maze: Maze, n: int = 1) -> Maze:
    """Trim dead ends `n` times; trimmed cells are masked out.

    A round trims the cells that have degree 1 at its beginning. The maze's own start and goal stay, and so
    do cells beside openings, which lead outside. Of two cells joined only to each other, the one with the
    smaller area number stays: no region disappears.

    Parameters
    ----------
    maze : Maze
        Any maze.
    n : int
        The number of rounds. Rounds after the last dead end change nothing.

    Returns
    -------
    Maze
        Perfect, if `maze` is; the numbers of loops and regions stay. Wrap, openings, start and goal stay;
        seed and recipe are None.

    Raises
    ------
    ValueError
        If `n` is negative.
    TypeError
        If `maze` is not a `Maze`, or `n` not an integer.
    MemoryError
        If the transform cannot fit in memory; nothing is allocated before.

    See Also
    --------
    fill_dead_ends : trims until no dead end is left.
    braid : opens dead ends instead.

    References
    ----------
    J. Buck, Theseus (2011), ``sparsify!``. https://github.com/jamis/theseus

    Examples
    --------
    >>> maze = meiro.generate((1, 5), rng=7)
    >>> meiro.sparsify(maze).mask.tolist()
    [[False, True, True, True, False]]
    """
    own = [end for end in (getattr(maze, "start", None), getattr(maze, "goal", None)) if end is not None]
    return _trim(maze, "sparsify", own, min(integer(n, "n", 0), _ALL))


def fill_dead_ends(maze: Maze, *, keep: CellLike | Sequence[CellLike] | None = None) -> Maze:
    """Trim dead ends until none is left; trimmed cells are masked out.

    Of a perfect maze the path between start and goal is left. Of a maze with loops all paths between them
    are left, and the loops with the corridors that lead to them; of a region with neither a kept cell nor a
    loop, one cell in its middle.

    Parameters
    ----------
    maze : Maze
        Any maze.
    keep : (int, int) or sequence of (int, int)
        The cells that stay, row and column each. By default start and goal of the maze, else its first and
        last cell. Cells beside openings always stay; with ``keep=[]`` only these.

    Returns
    -------
    Maze
        Perfect, if `maze` is; the numbers of loops and regions stay. Wrap and openings stay, start and goal
        if their cells do; seed and recipe are None.

    Raises
    ------
    ValueError
        If a cell is outside the maze or masked out.
    TypeError
        If `maze` is not a `Maze`, or `keep` does not contain cells.
    MemoryError
        If the transform cannot fit in memory; nothing is allocated before.

    See Also
    --------
    sparsify : trims a number of rounds.
    solve : with ``algorithm="dead_end_filling"``, the same as a solver.

    References
    ----------
    W. D. Pullen, Think Labyrinth, "Dead end filler". https://www.astrolog.org/labyrnth/algrithm.htm

    Examples
    --------
    >>> maze = meiro.generate((20, 30), rng=7)
    >>> trimmed = meiro.fill_dead_ends(maze)
    >>> int(trimmed.mask.sum()) == len(meiro.solve(maze).path)
    True
    """
    return _trim(maze, "fill_dead_ends", keep, _ALL)


def _trim(maze: Maze, transform: str, keep: CellLike | Sequence[CellLike] | None, rounds: int) -> Maze:
    arguments = core_arguments(maze, transform)
    kept = default_endpoints(maze) if keep is None else keep
    own = np.empty(0, np.int64)
    if plain_array(kept, "keep").size:
        own = as_search_space(maze).numbers(kept, "keep")
    rows, cols = cells_at_openings(maze)
    cells = np.concatenate([own, rows * maze.cols + cols])
    passages, mask = _core.fill_dead_ends(*arguments, cells, rounds)
    return derive_maze(maze, passages, mask=mask)
