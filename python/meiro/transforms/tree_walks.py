"""Random walks on the perfect mazes of one lattice: origin_shift and perturb go on from a given maze."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.validation import Threads, integer, thread_count
from meiro.seeds import seed_of
from meiro.transforms._common import MazesOrGrid, sharing, space_for, transformed

if TYPE_CHECKING:
    from meiro._utils.progress import Progress
    from meiro.seeds import RNG
    from meiro.spaces.space import MazeSpace


def origin_shift(
    maze: MazesOrGrid, steps: int, *, rng: RNG = None, threads: Threads = None, progress: Progress = False
) -> MazesOrGrid:
    """Move the root of a perfect maze step by step, so that another perfect maze comes out of it.

    Every cell has an arrow to the next one on its path to the root. A step draws a neighbour of the root,
    all equally likely, opens the wall to it, and makes it the root; its own arrow, and with it the passage
    there, is dropped [1]_. The root is drawn at the begin, in proportion to the number of its neighbours.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze, GraphBatch or array_like
        A perfect maze, or many; or the drawn grid of a perfect maze, as `Maze.grid`. Parallel edges of a
        lattice are walls of their own.
    steps : int
        The number of steps in each component of the mask or the lattice, at least 0.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`. Maze `i` of a batch is made with ``rng=meiro.replicate(rng, i)``.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch or ndarray
        Perfect, and after a step at most one passage differs. Mask, wrap, openings, start and goal stay;
        `Maze.seed` is the seed of this transform.

    Raises
    ------
    ValueError
        If a maze is not perfect, or `steps` is negative.
    TypeError
        If `maze` is no maze and no batch.
    MemoryError
        If the transform cannot fit in memory; nothing is allocated before.

    See Also
    --------
    perturb : closes a passage anywhere and mends the maze.
    generate : ``generate(shape, "origin_shift")`` begins with a fixed tree and stops when it is uniform.

    Notes
    -----
    The law of uniform mazes is stationary: a maze of ``generate(shape, "wilson")`` stays uniform after any
    number of steps, and any other maze comes nearer to it with each. A step takes about 5 ns.

    References
    ----------
    .. [1] Y. Hu, R. Lyons, P. Tang, A reverse Aldous-Broder algorithm, Ann. Inst. H. Poincare Probab.
       Statist. 57 (2021) 890. doi:10.1214/20-AIHP1101

    Examples
    --------
    >>> maze = meiro.generate((20, 30), "spiral", rng=7)
    >>> moved = meiro.origin_shift(maze, 1000, rng=7)
    >>> moved.is_perfect, moved == maze
    (True, False)
    """
    return _walked(maze, "origin_shift", steps, rng=rng, threads=threads, progress=progress)


def perturb(
    maze: MazesOrGrid, steps: int, *, rng: RNG = None, threads: Threads = None, progress: Progress = False
) -> MazesOrGrid:
    """Break a perfect maze and repair it, so many times.

    A step closes a passage, all equally likely, which leaves two parts, and opens one of the walls between
    these, all equally likely, perhaps the same: the bases-exchange walk on spanning trees [1]_.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze, GraphBatch or array_like
        A perfect maze, or many; or the drawn grid of a perfect maze, as `Maze.grid`. Parallel edges of a
        lattice are walls of their own.
    steps : int
        The number of passages to close, one after the other, at least 0.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`. Maze `i` of a batch is made with ``rng=meiro.replicate(rng, i)``.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch or ndarray
        Perfect, with at most `steps` other passages. Mask, wrap, openings, start and goal stay;
        `Maze.seed` is the seed of this transform.

    Raises
    ------
    ValueError
        If a maze is not perfect, or `steps` is negative.
    TypeError
        If `maze` is no maze and no batch.
    MemoryError
        If the transform cannot fit in memory; nothing is allocated before.

    See Also
    --------
    origin_shift : the changes of a step follow one another along a walk.
    add_loops : opens walls and closes none.

    Notes
    -----
    The law of uniform mazes is stationary, and after a number of steps in proportion to
    ``n_cells * log(n_cells)`` any maze is nearly uniform [2]_. A step takes a few ns for each wall between
    the two parts, about 1 us in uniform mazes of 1000 x 1000 cells; on periodic lattices a few ns for each
    cell of the smaller part, about 150 us; on a lattice for each of its edges.

    References
    ----------
    .. [1] T. Feder, M. Mihail, Balanced matroids, STOC (1992) 26. doi:10.1145/129712.129716
    .. [2] N. Anari, K. Liu, S. Oveis Gharan, C. Vinzant, Log-concave polynomials II, STOC (2019) 1.
       doi:10.1145/3313276.3316385

    Examples
    --------
    >>> maze = meiro.generate((20, 30), "wilson", rng=7)
    >>> other = meiro.perturb(maze, 5, rng=7)
    >>> other.is_perfect, len(np.setdiff1d(other.wall_ids(), maze.wall_ids())) <= 5
    (True, True)
    """
    return _walked(maze, "perturb", steps, rng=rng, threads=threads, progress=progress)


def _walked(
    maze: MazesOrGrid,
    name: str,
    steps: int,
    *,
    rng: RNG,
    threads: Threads,
    progress: Progress,
) -> MazesOrGrid:
    """Return perfect mazes after the steps of a walk of the core."""
    space = space_for(maze, name, threads)
    _require_perfect(space, name, thread_count(threads))
    count, seed = integer(steps, "steps", 0, 1 << 62), seed_of(rng)
    made = transformed(space, name, count, seed, sharing(threads, progress))
    return space.derive(made, [(name, {"steps": count})], seed)


def _require_perfect(space: MazeSpace[Any], transform: str, threads: int) -> None:
    """Raise a ValueError if a maze is not perfect."""
    perfect = _core.check(space.core, threads, None)[:, 0] != 0
    if not perfect.all():
        which = "maze is" if space.one else f"maze[{int(np.argmin(perfect))}] is"
        raise ValueError(
            f"{transform} takes perfect mazes, but {which} not perfect (see meiro.check): "
            "meiro.join_regions(meiro.remove_islands(maze)) is"
        )
