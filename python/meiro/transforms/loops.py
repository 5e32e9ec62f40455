"""Mazes made of mazes: more ways, fewer ways, the image of one half.

What is true of all of these: the new maze has the wrap of the old one, and mask, openings, start and
goal as far as the cells are still there; no recipe, and as `Maze.seed` what drew it: the same seed makes
the same maze of the same maze, everywhere. In the seed of a maze there is another stream of random
numbers for each transform, so that ``rng=maze.seed`` is as good as any.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np

from meiro import _core
from meiro._utils.messages import short_repr
from meiro._utils.validation import integer, number
from meiro.seeds import RNG, seed_of
from meiro.transforms._common import (
    cells_at_openings,
    core_arguments,
    derive_maze,
    seed_words,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.maze.maze import Maze

_SYMMETRIES = ("left_right", "top_bottom", "half_turn")


def braid(maze: Maze, p: float = 1.0, *, rng: RNG = None) -> Maze:
    """Open a wall of each dead end, or of a share of them.

    Each dead end is taken with probability `p`, independently of the others. Those that are beside each
    other, behind a wall, are joined in pairs as far as they can: in rounds, each asks one of those beside
    it, uniformly, and two that ask each other are joined. One that has no other beside it (any more)
    opens one of its walls, uniformly. So a few more than the share go, as a wall may lead to a dead end that
    was not taken.

    Parameters
    ----------
    maze : Maze
        Any maze.
    p : float
        The probability that a dead end goes, exact to 2**-63. With 1 none is left but those without such a
        wall: as the ends of a corridor of one row, or of one that has only cells without any passage
        beside it.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`.

    Returns
    -------
    Maze
        Not perfect, if a wall was opened: each is a loop, or joins two regions. Mask, wrap, openings, start
        and goal are the same; `Maze.seed` is what drew it, and the recipe is None.

    Raises
    ------
    ValueError
        If `p` is not in 0 to 1.
    TypeError
        If `maze` is no `Maze`, or `p` no number.
    MemoryError
        If there is no room for it, before anything is taken.

    Examples
    --------
    >>> maze = meiro.braid(meiro.generate((20, 30), rng=7), rng=7)
    >>> dead_ends = np.isin(maze.passages, (1, 2, 4, 8))
    >>> int(dead_ends.sum())
    0
    """
    ground = core_arguments(maze, 6, "braid")
    share = round(Fraction(number(p, "p", 0, 1)) * (1 << 63))
    seed = seed_of(rng)
    return derive_maze(maze, _core.braid(*ground, seed_words(seed), share), seed)


def add_loops(maze: Maze, n: int | None = None, *, share: float | None = None, rng: RNG = None) -> Maze:
    """Open so many of the walls between cells, each set of them equally likely.

    Parameters
    ----------
    maze : Maze
        Any maze.
    n : int
        How many walls, of those that stand between two cells that exist.
    share : float
        Instead of `n`, the share of them, 0 to 1: to the nearest whole number of walls, a half to the even
        one.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`.

    Returns
    -------
    Maze
        With `n` loops more, if every part of the mask was one region; else a wall may join two regions
        instead. Mask, wrap, openings, start and goal are the same; `Maze.seed` is what drew it, and the
        recipe is None.

    Raises
    ------
    ValueError
        If there are not so many walls, or `share` is not in 0 to 1.
    TypeError
        If `maze` is no `Maze`, neither or both of `n` and `share` are given, or they are no numbers.
    MemoryError
        If there is no room for it, before anything is taken.

    Examples
    --------
    >>> maze = meiro.add_loops(meiro.generate((20, 30), rng=7), 5, rng=7)
    >>> meiro.check(maze).loops
    5
    """
    ground = core_arguments(maze, 2, "add_loops")
    if (n is None) == (share is None):
        msg = "give either n, a number of walls, or share=, a part of them"
        raise TypeError(msg)
    standing = _core.count_walls(*ground)
    if share is not None:
        count = round(Fraction(number(share, "share", 0, 1)) * standing)
    else:
        count = integer(n, "n", 0)
        if count > standing:
            msg = f"n is {count}, and {standing} walls between cells stand"
            raise ValueError(msg)
    seed = seed_of(rng)
    return derive_maze(maze, _core.add_loops(*ground, seed_words(seed), count), seed)


def join_regions(maze: Maze, *, rng: RNG = None) -> Maze:
    """Open walls that part two regions, until every part of the mask is one region.

    The walls are looked at in random order, of which each is equally likely, and one that still parts two
    regions is opened (Kruskal's algorithm).

    Parameters
    ----------
    maze : Maze
        Any maze.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`.

    Returns
    -------
    Maze
        With the same loops and no new ones: perfect, if there was none. Mask, wrap, openings, start and goal
        are the same; `Maze.seed` is what drew it, and the recipe is None.

    Raises
    ------
    TypeError
        If `maze` is no `Maze`.
    MemoryError
        If there is no room for it, before anything is taken.

    Examples
    --------
    >>> maze = meiro.Maze(np.zeros((4, 4), np.uint8))
    >>> meiro.join_regions(maze, rng=7).is_perfect
    True
    """
    ground = core_arguments(maze, 21, "join_regions")
    seed = seed_of(rng)
    return derive_maze(maze, _core.join_regions(*ground, seed_words(seed)), seed)


def remove_islands(maze: Maze, *, rng: RNG = None) -> Maze:
    """Close passages until there is no loop, and so no island of walls.

    Of each region a spanning tree is left: passages are looked at in random order, of which each is equally
    likely, and one that closes a loop is closed (Kruskal's algorithm). So
    ``join_regions(remove_islands(maze))`` is perfect, whatever the maze is.

    Parameters
    ----------
    maze : Maze
        Any maze.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`.

    Returns
    -------
    Maze
        With the same regions and no loop: perfect, if every part of the mask is one region. Mask, wrap,
        openings, start and goal are the same; `Maze.seed` is what drew it, and the recipe is None.

    Raises
    ------
    TypeError
        If `maze` is no `Maze`.
    MemoryError
        If there is no room for it, before anything is taken.

    Examples
    --------
    >>> room = meiro.Maze.from_wall_ids((4, 4), [])
    >>> meiro.remove_islands(room, rng=7).is_perfect
    True
    """
    ground = core_arguments(maze, 21, "remove_islands")
    seed = seed_of(rng)
    return derive_maze(maze, _core.remove_islands(*ground, seed_words(seed)), seed)


def symmetric(
    maze: Maze,
    how: Literal["left_right", "top_bottom", "half_turn"] = "left_right",
    *,
    rng: RNG = None,
) -> Maze:
    """Make a maze that is its own image, of one half of a maze.

    The half stays, and its image takes the place of the other one. If a mirror has a middle column (or row),
    or a half turn a middle cell, it is made a corridor, and what was open between it and the half is closed.
    What hangs apart in the half is joined, as `join_regions` does. At last the half is joined with its image,
    where it is not yet: by doors in random order, first those that are their own image; any other is opened
    with its image.

    Parameters
    ----------
    maze : Maze
        Any maze.
    how : {"left_right", "top_bottom", "half_turn"}
        The left half is mirrored to the right; the upper half downwards; or the half that comes first, row
        by row, is turned by 180 degrees.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`.

    Returns
    -------
    Maze
        With no mask, one of a perfect maze is perfect, but for a half turn of an even number of rows and of
        columns: that has no middle, so there are two doors and one loop. The same holds with a mask, if the
        cells of the middle column or row hang together; of a half turn, if the half does. The mask and
        the openings are those of the half and their images; start and goal stay, if their cells do.
        `Maze.seed` is what drew it, and the recipe is None.

    Raises
    ------
    ValueError
        If there is no such symmetry, or no cell in that half.
    TypeError
        If `maze` is no `Maze`.
    MemoryError
        If there is no room for it, before anything is taken.

    Examples
    --------
    >>> maze = meiro.symmetric(meiro.generate((4, 6), rng=7), rng=7)
    >>> bool((maze.grid == maze.grid[:, ::-1]).all())
    True
    >>> maze.is_perfect
    True
    """
    ground = core_arguments(maze, 23, "symmetric")
    if how not in _SYMMETRIES:
        msg = f"how must be {' or '.join(map(repr, _SYMMETRIES))}, not {short_repr(how)}"
        raise ValueError(msg)
    if maze.mask is not None and not _half(maze.mask, how).any():
        msg = f"no cell exists in the half that {how!r} takes: turn the maze first"
        raise ValueError(msg)
    seed = seed_of(rng)
    passages, there = _core.symmetric(*ground, seed_words(seed), _SYMMETRIES.index(how))
    half = np.zeros(maze.passages.shape, np.bool_)
    _half(half, how)[...] = True
    kept = maze.openings[half[cells_at_openings(maze)]]
    turned = (how != "left_right", how != "top_bottom")
    images = np.where(turned, 2 * np.array(half.shape) - kept, kept)
    openings = np.unique(np.concatenate([kept, images]), axis=0)
    return derive_maze(maze, passages, seed, there, openings)


def _half(cells: NDArray[np.bool_], how: str) -> NDArray[np.bool_]:
    """Return the half that stays, with the axis, as a view."""
    rows, cols = cells.shape
    if how == "left_right":
        return cells[:, : (cols + 1) // 2]
    if how == "top_bottom":
        return cells[: (rows + 1) // 2]
    return cells.reshape(-1)[: (cells.size + 1) // 2]
