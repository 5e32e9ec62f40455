"""Locks: doors on the way through a maze, and keys that open them one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from meiro import _core
from meiro._utils.validation import integer
from meiro.results.locks import Locks
from meiro.seeds import replicate_of, seed_of, seed_words
from meiro.spaces.space_of import mazes_of
from meiro.transforms.openings import with_ends

if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy as np
    from numpy.typing import NDArray

    from meiro._utils.square import CellLike
    from meiro.seeds import RNG
    from meiro.spaces.space import EitherMaze, ManyMazes


def maze_with_ends(locks: Locks) -> Any:
    """Return the maze, whose own start and goal are those of the locks."""
    maze: Any = locks.maze
    return with_ends(maze, (locks.start, locks.goal))


def sides_of_doors(locks: Locks) -> list[list[tuple[int, int]]]:
    """Return which bits of passages, (place, bit), are of each door, as seen from both of its cells."""
    space = mazes_of(locks.maze)
    passages = space.passages.reshape(-1)
    before, behind = (map(space.cell, numbers.tolist()) for numbers in cells_at_doors(locks))
    pairs = zip(before, behind, strict=True)
    sides = (space.sides_between(*pair, name="doors") for pair in pairs)
    return [[(place, bit) for place, bit in found if passages[place] & bit] for found in sides]


def cells_at_doors(locks: Locks) -> list[NDArray[np.int64]]:
    """Return the numbers of the cells before doors, and of those behind them."""
    space = mazes_of(locks.maze)
    return [space.numbers(locks.doors[:, side], "doors") for side in (0, 1)]


@overload
def locks(
    maze: EitherMaze,
    n: SupportsIndex = 1,
    start: CellLike | Hashable | None = None,
    goal: CellLike | Hashable | None = None,
    *,
    rng: RNG = None,
) -> Locks: ...
@overload
def locks(
    maze: ManyMazes,
    n: SupportsIndex = 1,
    start: CellLike | Hashable | None = None,
    goal: CellLike | Hashable | None = None,
    *,
    rng: RNG = None,
) -> list[Locks]: ...
def locks(
    maze: Any, n: SupportsIndex = 1, start: Any = None, goal: Any = None, *, rng: RNG = None
) -> Locks | list[Locks]:
    """Put doors on the way from start to goal, and a key for each where it can be reached before its door.

    A door closes a passage that every path from start to goal takes, so the doors come one after the other,
    and divide the maze into regions. The key of a door lies in the region before it and behind the door
    before that, never at the start: whoever wants to pass must look for it.

    Parameters
    ----------
    maze : Maze, GraphMaze, MazeBatch, GraphBatch or sequence of mazes
        It stays as it is. Maze i of several has replicate i of the seed.
    n : int
        The number of doors.
    start, goal : (int, int), or a cell of a lattice, optional
        As in `meiro.solve`.
    rng : int, Generator, Seed or None
        As in `meiro.generate`.

    Returns
    -------
    Locks or list of Locks
        Of several mazes one for each.

    Raises
    ------
    NoPathError
        If no path leads from start to goal.
    ValueError
        If there are fewer than `n` passages that can be a door; loops leave few.

    See Also
    --------
    bottlenecks : the cells that every path passes.
    with_passages : opens and closes single walls.

    Notes
    -----
    Doors are drawn so that a branch of the maze lies before each of them: of the branches along the way `n`,
    uniformly, and of the passages between a branch and the next one each, uniformly. Where there are fewer
    than `n` branches, all sets of `n` passages are equally likely, but for a passage at the start before
    which there is no room for a key. The key is, uniformly, one of the dead ends of its region; without any,
    one of its cells beside the path, and else one on it. Time: linear.

    References
    ----------
    J. Dormans, Adventures in level design, Proc. PCGames (2010), for locks and keys in levels. Bridges: R. E.
    Tarjan, Inf. Process. Lett. 2 (1974) 160. doi:10.1016/0020-0190(74)90003-9

    Examples
    --------
    >>> locks = meiro.locks(meiro.generate((20, 30), rng=7), 3, rng=1)
    >>> locks.keys.tolist(), len(locks.route), len(locks.maze.solve().path)
    ([[0, 6], [0, 7], [10, 21]], 125, 77)
    >>> first_open = meiro.with_passages(locks.maze, close=locks.doors[1:])
    >>> meiro.solve(first_open, locks.keys[0], locks.keys[1])
    <Solution of 33 steps in cells, bfs from (0, 6) to (0, 7), 90 explored>
    >>> meiro.locks(meiro.generate(meiro.lattices.hexagonal(8, 8), rng=7), 2, rng=1).doors.shape
    (2, 2, 2)
    """
    space, seed = mazes_of(maze, "maze"), seed_of(rng)
    if not space.one:
        return [locks(one, n, start, goal, rng=replicate_of(seed, i)) for i, one in enumerate(space)]
    count = integer(n, "n", 1, space.size + 1)
    begin, goals = space.endpoints(start, goal)
    if len(goals) != 1:
        raise ValueError(f"goal must be one cell, not {len(goals)}")
    space.require("bottlenecks", result=16, what="locks")
    found = _core.locks(space.core, begin, int(goals[0]), count, seed_words(seed))
    if found is None:
        raise space.no_path(begin, goals)
    first, last = space.cell(begin), space.cell(int(goals[0]))
    if (doors := len(found)) < count:
        raise ValueError(
            f"n={count}, and {doors or 'no'} passage{'s' * (doors != 1)} between {first} and {last} can be a "
            "door, which every path must take: ask for fewer, other ends, or a maze with fewer loops"
        )
    return Locks(maze, space.names(found[:, :2]), space.names(found[:, 3]), first, last)
