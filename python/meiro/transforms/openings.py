"""Openings in the border of a maze, and its start and goal."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from meiro import _core
from meiro._utils.messages import short_repr
from meiro._utils.validation import Threads, items_of
from meiro.mazes._openings import unknown_word
from meiro.seeds import RNG, seed_of, seed_words
from meiro.spaces.space_of import mazes_of
from meiro.transforms._common import AnyMazes, Sharing, sharing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.options import OpeningsWord
    from meiro._utils.progress import Progress
    from meiro._utils.square import CellLike
    from meiro.spaces.space import MazeSpace

    Cells = CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]

EndsWord = Literal["corners", "random", "farthest"]
_WORDS: tuple[str, ...] = get_args(EndsWord)


def with_openings(
    maze: AnyMazes,
    openings: OpeningsWord | ArrayLike | Sequence[Any] = "corners",
    *,
    rng: RNG = None,
    threads: Threads = None,
    progress: Progress = False,
) -> AnyMazes:
    """Return a maze with other openings.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze or GraphBatch
        It stays as it is.
    openings : str, array_like of int, shape (k, 2), or sequence of (cell, side)
        "corners": the first and the last site of the rim; without mask and wrap these are above the first
        cell and below the last cell. "top_bottom", "left_right": in the middle of two sides. "random": two
        sites of the rim, all pairs equally likely. "farthest": beside two cells at the rim that are far
        apart, see Notes. Or cells with a side: ``[((0, 5), "north"), ((9, 0), "south")]``; or the sites
        themselves, as in `Maze.openings`. On a lattice cells have more sides: ``[(0, "north_west")]``, or
        the numbers of `Lattice.rim`, ``[(0, 5)]``. The first is the entrance, the last the exit; an empty
        sequence closes all. For a batch the same ones in all mazes, or sites of shape (n, k, 2), as in
        `MazeBatch.openings`.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed, optional
        Draws the openings for "random". Maze `i` of a batch gets those of ``rng=meiro.replicate(rng, i)``.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze or GraphBatch
        With the same passages, mask, wrap, start, goal and seed; the recipe tells of the openings.

    Raises
    ------
    ValueError
        If an opening is inside the maze, beside masked-out cells only, in a periodic border or given twice;
        if the word is unknown, or the rim has fewer than two sites. A torus without a mask, a cube, a box
        and a graph without outline have no rim.
    TypeError
        If `maze` is no maze and no batch, or the sites are not integers.
    MemoryError
        If the search cannot fit in memory; nothing is allocated before.

    See Also
    --------
    with_ends : sets start and goal.

    Notes
    -----
    The rim is where walls separate a cell from no cell: the border, and the sides of masked-out cells. Words
    choose there but in holes, which masked-out cells make that cells enclose. With a mask, "top_bottom" takes
    the column nearest to the middle that has a cell, and "left_right" the row.

    "farthest" is a double sweep: two breadth-first searches in each component, the second from the cell where
    the first one ended. In a perfect maze no two cells at the rim are farther apart; with loops the distance
    is a lower bound.

    On a lattice "top_bottom" and "left_right" take the places of the rim that are farthest in that direction
    and near to the middle.

    Examples
    --------
    >>> print(meiro.with_openings(meiro.generate((2, 3), "binary_tree", rng=7)))
    ╷ ╶───┐
    │     │
    │ ╶───┤
    │     │
    └───╴ ╵
    >>> maze = meiro.with_openings(meiro.generate((10, 12), rng=7), [((0, 5), "north"), ((9, 0), "south")])
    >>> maze.openings.tolist(), meiro.solve(maze).path[[0, -1]].tolist()
    ([[0, 11], [20, 1]], [[0, 5], [9, 0]])
    >>> ring = meiro.with_openings(meiro.generate(meiro.lattices.polar(8), rng=7), "top_bottom")
    >>> ring.openings.tolist(), ring.solve().openings  # numbers of cells; (ring, sector), and the side
    ([[234, 0], [211, 0]], (((8, 47), 0), ((8, 24), 0)))
    """
    seed = seed_of(rng) if isinstance(openings, str) and openings == "random" else None
    return mazes_of(maze).with_openings(openings, seed, *sharing(threads, progress))


def with_ends(
    maze: AnyMazes,
    ends: EndsWord | Sequence[Any] | NDArray[np.integer[Any]] = "corners",
    *,
    rng: RNG = None,
    threads: Threads = None,
    progress: Progress = False,
) -> AnyMazes:
    """Return a maze with another start and goal.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze or GraphBatch
        It stays as it is.
    ends : {"corners", "random", "farthest"} or ((int, int), (int, int)) or two arrays
        "corners": the first and the last cell. "random": two cells, all pairs equally likely. "farthest":
        the two ends of a longest shortest path, see Notes. Or start and goal themselves, "middle" for the
        cell in the middle. In a maze of one cell that cell is both. For a batch start and goal may each be an
        array of shape (n, 2), as `endpoints` returns them: -1 in both rows is a maze without start and goal.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed, optional
        Draws the cells for "random". Maze `i` of a batch gets those of ``rng=meiro.replicate(rng, i)``.
    threads : int or "all", optional
        The number of threads that share the mazes of a batch; the result does not depend on it.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in cells.

    Returns
    -------
    Maze, MazeBatch, GraphMaze or GraphBatch
        Equal to `maze`, with its seed and recipe.

    Raises
    ------
    ValueError
        If a cell is outside the maze or masked out, or the word is unknown.
    TypeError
        If `maze` is no maze and no batch, or `ends` not two cells.
    MemoryError
        If the search cannot fit in memory; nothing is allocated before.

    See Also
    --------
    with_openings : sets the openings in the border.
    endpoints : start and goal for each maze of a batch.
    longest_path : the exact longest shortest path.

    Notes
    -----
    "farthest" is a double sweep: two breadth-first searches in each component, the second from the cell where
    the first one ended. In a perfect maze no two cells are farther apart; with loops the distance is a lower
    bound, at least half of the diameter.

    Examples
    --------
    >>> maze = meiro.with_ends(meiro.generate((20, 30), rng=7), "farthest")
    >>> meiro.solve(maze).length == int(meiro.distances(maze, maze.start).max())
    True
    >>> many = meiro.generate_many((8, 8), n=1000, rng=7)
    >>> meiro.with_ends(many, meiro.endpoints(many, "dead_ends", rng=1)).solve()
    <SolutionBatch: 1,000 of 1,000 mazes, the longest of 36 steps>
    """
    space, shared = mazes_of(maze), sharing(threads, progress)
    if isinstance(ends, str):
        if ends not in _WORDS:
            raise ValueError(unknown_word("ends", ends, _WORDS, "two cells"))
        starts, goals = np.ascontiguousarray(_two_cells(space, ends, rng, shared).T)
    else:
        what = "start and goal, a cell for all mazes or an array of one for each"
        if space.one:
            what = "two cells" if space.on_lattice else "two cells, (row, col) each"
        given = list(islice(items_of(ends, "ends", what, ordered=True), 3))  # it may be endless
        msg = f"ends must be {what}, or a word, not {short_repr(ends)}"
        if len(given) != 2:
            raise TypeError(msg)
        try:
            return set_ends(maze, {"start": given[0], "goal": given[1]})
        except TypeError:
            if not space.one:
                raise
            raise TypeError(msg) from None
    return space.with_ends(starts, goals)


def set_ends(mazes: AnyMazes, ends: Mapping[str, Any]) -> AnyMazes:
    """Return mazes with a start and a goal, by the names of the arguments; both -1 in a batch: none."""
    space = mazes_of(mazes)
    return space.with_ends(*space.given_ends(ends))


def _two_cells(space: MazeSpace[Any], word: str, rng: RNG, shared: Sharing) -> NDArray[np.int64]:
    """Return the numbers of start and goal of each maze, (n, 2)."""
    if word == "farthest":
        space.require("two_cells", shared.threads, what="a double sweep", instead="give the cells themselves")
        return _core.two_cells(space.core, None, *shared)
    if word == "random":
        return _core.two_cells(space.core, seed_words(seed_of(rng)), *shared)
    return space.corners()
