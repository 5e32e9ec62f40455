"""Dead ends trimmed: `sparsify` some rounds, `fill_dead_ends` until none is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.validation import Threads, integer, plain_array
from meiro.mazes._openings import cells_beside
from meiro.transforms._common import (
    MazesOrGrid,
    Sharing,
    own_ends,
    plain_cells,
    sharing,
    space_for,
    with_ends_before,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from meiro._utils.progress import Progress
    from meiro._utils.square import CellLike
    from meiro.mazes._recipe import Step
    from meiro.spaces.space import MazeSpace
    from meiro.transforms._common import X

    Numbers = NDArray[np.int64]

_ALL = (1 << 62) - 1  # rounds


def sparsify(
    maze: MazesOrGrid, n: int = 1, *, threads: Threads = None, progress: Progress = False
) -> MazesOrGrid:
    """Trim dead ends `n` times; trimmed cells are masked out.

    A round trims the cells that have degree 1 at its beginning. The maze's own start and goal stay, and so
    do cells beside openings, which lead outside. Of two cells joined only to each other, the one with the
    smaller area number stays: no region disappears.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze, GraphBatch or array_like
        Any maze, or many; or the drawn grid of a maze, as `Maze.grid`. On a lattice the passages of trimmed
        cells are closed, and all cells stay.
    n : int
        The number of rounds. Rounds after the last dead end change nothing.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch or ndarray
        Perfect, if `maze` is; the numbers of loops and regions stay. Wrap, openings, start and goal stay;
        the seed is None. On a lattice not perfect, if a cell was trimmed.

    Raises
    ------
    ValueError
        If `n` is negative.
    TypeError
        If `maze` is no maze and no batch, or `n` not an integer.
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
    rounds, space = min(integer(n, "n", 0), _ALL), space_for(maze, "sparsify", threads)
    kept = np.stack(space.given_starts_and_goals(), axis=1)
    steps = with_ends_before(space, kept, [("sparsify", {"n": rounds})])
    return _trim(space, kept, rounds, steps, sharing(threads, progress))


def fill_dead_ends(
    maze: MazesOrGrid,
    *,
    keep: CellLike | Sequence[CellLike] | Hashable | None = None,
    threads: Threads = None,
    progress: Progress = False,
) -> MazesOrGrid:
    """Trim dead ends until no dead end is left; trimmed cells are masked out.

    Of a perfect maze the path between start and goal is left. Of a maze with loops all paths between them
    are left, and the loops with the corridors that lead to them; of a region with neither a kept cell nor a
    loop, one cell in its middle.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze, GraphBatch or array_like
        Any maze, or many; or the drawn grid of a maze, as `Maze.grid`. On a lattice the passages of dead ends
        are closed, and all cells stay; `Lattice.mask` removes cells.
    keep : (int, int) or sequence of (int, int)
        The cells that stay, row and column each. Default: `Maze.endpoints`. Cells beside openings always
        stay; with ``keep=[]`` only these. In a batch, the same cells of all mazes. On a lattice a cell or a
        list of cells, by number or label.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch, or the rows of one maze; the result does not
        depend on it. One maze takes one thread on a lattice, or where a region has neither a kept cell nor a
        loop.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch or ndarray
        Perfect, if `maze` is; the numbers of loops and regions stay. Wrap and openings stay, start and goal
        if their cells do; the seed is None. On a lattice not perfect, if a cell was filled.

    Raises
    ------
    ValueError
        If a cell is outside the maze or masked out, in any maze of a batch.
    TypeError
        If `maze` is no maze and no batch, or `keep` does not contain cells.
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
    >>> many = meiro.generate_many((8, 8), n=100, rng=7)
    >>> sizes = meiro.fill_dead_ends(many).masks.sum(axis=(1, 2))
    >>> bool((sizes == many.solve().lengths + 1).all())
    True
    """
    space = space_for(maze, "fill_dead_ends", threads)
    steps: Sequence[Step] | None
    if keep is None:
        kept = np.stack([end.numbers for end in space.ends()], axis=1)
        steps = with_ends_before(space, own_ends(space), [("fill_dead_ends", {})])
    else:
        empty = _is_empty(keep, space)
        kept = np.empty((1, 0), np.int64) if empty else space.numbers(keep, "keep")[np.newaxis]
        steps = [("fill_dead_ends", {"keep": plain_cells(space, kept[0])})]
    return _trim(space, kept, _ALL, steps, sharing(threads, progress))


def _is_empty(keep: Any, space: MazeSpace[Any]) -> bool:
    """Return whether no cells are given."""
    if space.on_lattice:
        return isinstance(keep, list) and not keep
    return not plain_array(keep, "keep").size


def _trim(
    space: MazeSpace[X], kept: Numbers, rounds: int, steps: Sequence[Step] | None, shared: Sharing
) -> X:
    """Fill dead ends, but not the cells that are kept, (n, k) or (1, k), and those beside openings."""
    beside = _beside_openings(space)
    if beside is not None:
        kept = np.concatenate([np.broadcast_to(kept, (space.n, kept.shape[1])), beside], axis=1)
    each = np.ascontiguousarray(np.broadcast_to(kept, (space.n, kept.shape[1])))
    passages, masks = _core.fill_dead_ends(space.core, each, rounds, *shared)
    return space.derive(passages, steps, None, masks)


def _beside_openings(space: MazeSpace[Any]) -> Numbers | None:
    """Return the numbers of the cells beside the openings of each maze, -1 for none."""
    openings = space.openings_of_each()
    if openings is None:
        return None
    if space.on_lattice:
        return openings[..., 0]  # of cells and sides
    exists = space.existing()
    masks = None if exists is None else exists.reshape(-1, *space.shape)
    rows, cols = space.shape
    numbers = cells_beside(openings, (rows, cols), masks) @ (cols, 1)
    return np.where(openings[..., 0] < 0, -1, numbers)
