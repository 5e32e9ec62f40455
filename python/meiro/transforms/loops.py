"""More passages or fewer: braid mazes, loops added and removed, regions joined.

The new maze has the mask, openings, wrap, start and goal of the old one, and as `Maze.seed` the seed of the
transform: the same seed gives the same maze. Its recipe is that of the old one with a step more. Each
transform draws from a stream of its own, so ``rng=maze.seed`` is as good as any other seed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro._utils.validation import Threads, integer, number
from meiro.seeds import RNG, seed_of
from meiro.transforms._common import MazesOrGrid, sharing, space_for, transformed

if TYPE_CHECKING:
    from meiro._utils.progress import Progress


def braid(
    maze: MazesOrGrid, p: float = 1.0, *, rng: RNG = None, threads: Threads = None, progress: Progress = False
) -> MazesOrGrid:
    """Open a wall of each dead end, or of a share of the dead ends.

    Each dead end is selected with probability `p`, independently of the others. Selected dead ends that are
    adjacent, with a wall between them, are joined in pairs: in each round every one proposes to one of its
    adjacent selected dead ends, chosen uniformly, and two that propose to each other are joined. A selected
    dead end without such a neighbour opens one of its walls, chosen uniformly. That wall may lead to a dead
    end that was not selected, so slightly more than the share `p` disappears.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze, GraphBatch or array_like
        Any maze, or many; or the drawn grid of a maze, as `Maze.grid`.
    p : float
        The probability that a dead end is selected, exact to 2**-63. With 1 all dead ends disappear but
        those without a wall to open, such as the ends of a corridor of one row, and those whose walls all
        lead to cells without passages, as percolation has: such cells stay apart.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`. Maze `i` of a batch is made with ``rng=meiro.replicate(rng, i)``.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch, or the rows of one maze; the result does not
        depend on it. One maze on a lattice takes one thread.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch or ndarray
        Not perfect, if any wall was opened: each closes a loop or joins two regions. Mask, wrap, openings,
        start and goal stay; `Maze.seed` is the seed of this transform.

    Raises
    ------
    ValueError
        If `p` is not in [0, 1].
    TypeError
        If `maze` is no maze and no batch, or `p` not a number.
    MemoryError
        If the transform cannot fit in memory; nothing is allocated before.

    See Also
    --------
    add_loops : opens walls anywhere.
    sparsify, fill_dead_ends : mask dead ends out.

    References
    ----------
    J. Buck, Mazes for Programmers, Pragmatic Bookshelf (2015), chapter 9.

    Examples
    --------
    >>> maze = meiro.braid(meiro.generate((20, 30), rng=7), rng=7)
    >>> dead_ends = np.isin(maze.passages, (1, 2, 4, 8))
    >>> int(dead_ends.sum())
    0
    >>> many = meiro.braid(meiro.generate_many((8, 8), n=1000, rng=7), rng=7, threads=2)
    >>> int(many.measure("dead_ends")["dead_ends"].max())
    0
    """
    chance = round(Fraction(number(p, "p", 0, 1)) * (1 << 63))
    seed, space = seed_of(rng), space_for(maze, "braid", threads)
    made = transformed(space, "braid", chance, seed, sharing(threads, progress))
    return space.derive(made, [("braid", {"p": float(p)})], seed)


def add_loops(
    maze: MazesOrGrid,
    n: int | None = None,
    *,
    share: float | None = None,
    rng: RNG = None,
    threads: Threads = None,
    progress: Progress = False,
) -> MazesOrGrid:
    """Open `n` walls, chosen uniformly without replacement.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze, GraphBatch or array_like
        Any maze, or many; or the drawn grid of a maze, as `Maze.grid`.
    n : int
        The number of walls, out of all closed walls between two cells that exist.
    share : float
        Instead of `n`, the share of these walls, in [0, 1]; the number is rounded half to even.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`. Maze `i` of a batch is made with ``rng=meiro.replicate(rng, i)``.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch or ndarray
        With `n` loops more, if every component of the mask was one region; else a wall may join two regions
        instead. Mask, wrap, openings, start and goal stay; `Maze.seed` is the seed of this transform.

    Raises
    ------
    ValueError
        If the maze has fewer than `n` walls, or `share` is not in [0, 1].
    TypeError
        If `maze` is no maze and no batch, if both or neither of `n` and `share` are given, or
        if they are not numbers.
    MemoryError
        If the transform cannot fit in memory; nothing is allocated before.

    See Also
    --------
    braid : opens walls at dead ends only.
    remove_islands : the inverse, closes passages until no loop is left.

    Examples
    --------
    >>> maze = meiro.add_loops(meiro.generate((20, 30), rng=7), 5, rng=7)
    >>> meiro.check(maze).loops
    5
    """
    if (n is None) == (share is None):
        raise TypeError("give either n, a number of walls, or share=, a share of them")
    part = None if share is None else Fraction(number(share, "share", 0, 1))
    count = 0 if n is None else integer(n, "n", 0, 1 << 62)

    space, shared = space_for(maze, "add_loops", threads), sharing(threads, progress)
    walls = _core.count_walls(space.core, shared.threads)
    if part is not None:
        numbers, which = np.unique(walls, return_inverse=True)
        counts = np.array([round(part * i) for i in numbers.tolist()], np.int64)[which]
    else:
        few = np.flatnonzero(walls < count)
        if few.size:
            which_maze = "the maze" if space.one else f"maze {few[0]}"
            raise ValueError(f"n is {count}, but {which_maze} has only {walls[few[0]]} walls between cells")
        counts = np.full(len(walls), count, np.int64)
    seed = seed_of(rng)
    given = {"n": count} if part is None else {"share": float(part)}
    made = transformed(space, "add_loops", counts, seed, shared)
    return space.derive(made, [("add_loops", given)], seed)


def join_regions(
    maze: MazesOrGrid, *, rng: RNG = None, threads: Threads = None, progress: Progress = False
) -> MazesOrGrid:
    """Open walls between regions until every component of the mask is one region.

    Walls are visited in a random order, all orders equally likely; a wall that still separates two regions
    is opened (Kruskal's algorithm [1]_).

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze, GraphBatch or array_like
        Any maze, or many; or the drawn grid of a maze, as `Maze.grid`.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`. Maze `i` of a batch is made with ``rng=meiro.replicate(rng, i)``.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch or ndarray
        With the same loops and no new ones: perfect, if `maze` had none. Mask, wrap, openings, start and
        goal stay; `Maze.seed` is the seed of this transform.

    Raises
    ------
    TypeError
        If `maze` is no maze and no batch.
    MemoryError
        If the transform cannot fit in memory; nothing is allocated before.

    See Also
    --------
    remove_islands : closes passages until no loop is left.
    components : labels the regions.

    References
    ----------
    .. [1] J. B. Kruskal, Proc. Amer. Math. Soc. 7 (1956) 48. doi:10.1090/S0002-9939-1956-0078686-7

    Examples
    --------
    >>> maze = meiro.Maze(np.zeros((4, 4), np.uint8))
    >>> meiro.join_regions(maze, rng=7).is_perfect
    True
    """
    seed, space = seed_of(rng), space_for(maze, "join_regions", threads)
    made = transformed(space, "join_regions", 0, seed, sharing(threads, progress))
    return space.derive(made, [("join_regions", {})], seed)


def remove_islands(
    maze: MazesOrGrid, *, rng: RNG = None, threads: Threads = None, progress: Progress = False
) -> MazesOrGrid:
    """Close passages until no loop is left, and so no island of walls.

    A spanning tree of each region is left: passages are visited in a random order, all orders equally
    likely, and a passage that closes a loop is closed (Kruskal's algorithm [1]_). So
    ``join_regions(remove_islands(maze))`` is perfect for any maze.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze, GraphBatch or array_like
        Any maze, or many; or the drawn grid of a maze, as `Maze.grid`.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`. Maze `i` of a batch is made with ``rng=meiro.replicate(rng, i)``.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch, or the tiles of one maze; the result does not
        depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze, GraphBatch or ndarray
        With the same regions and no loop: perfect, if every component of the mask is one region. Mask, wrap,
        openings, start and goal stay; `Maze.seed` is the seed of this transform.

    Raises
    ------
    TypeError
        If `maze` is no maze and no batch.
    MemoryError
        If the transform cannot fit in memory; nothing is allocated before.

    See Also
    --------
    join_regions : opens walls until every component of the mask is one region.
    add_loops : opens walls anywhere.

    References
    ----------
    .. [1] J. B. Kruskal, Proc. Amer. Math. Soc. 7 (1956) 48. doi:10.1090/S0002-9939-1956-0078686-7

    Examples
    --------
    >>> room = meiro.Maze.from_wall_ids((4, 4), [])
    >>> meiro.remove_islands(room, rng=7).is_perfect
    True
    """
    seed, space = seed_of(rng), space_for(maze, "remove_islands", threads)
    made = transformed(space, "remove_islands", 0, seed, sharing(threads, progress))
    return space.derive(made, [("remove_islands", {})], seed)
