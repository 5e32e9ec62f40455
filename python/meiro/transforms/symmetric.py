"""Symmetric mazes: one half of a maze, and its image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from meiro import _core
from meiro._utils.validation import one_of
from meiro.mazes._batch import changed
from meiro.mazes._openings import on_rim
from meiro.mazes.maze import require_maze
from meiro.seeds import RNG, seed_of, seed_words
from meiro.transforms._common import cells_at_openings, require_squares, space_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.mazes.maze import Maze

_WHY = "the half that stays, and the corridor in the middle, are of rows and columns"
_SYMMETRIES = ("left_right", "top_bottom", "half_turn")


def symmetric(
    maze: Maze,
    how: Literal["left_right", "top_bottom", "half_turn"] = "left_right",
    *,
    rng: RNG = None,
) -> Maze:
    """Make a symmetric maze from one half of a maze.

    The half stays, and its image replaces the other half. The middle column (or row) of a mirror, or the
    middle cell of a half turn, becomes a corridor, and passages between it and the half are closed. Regions
    within the half are joined, as by `join_regions`. Finally the half and its image are joined where they are
    not connected yet: by doors in random order, first those that are their own image; any other door is
    opened together with its image.

    Parameters
    ----------
    maze : Maze
        Any maze.
    how : {"left_right", "top_bottom", "half_turn"}
        The left half is mirrored to the right; the upper half is mirrored downwards; or the half that comes
        first, row by row, is turned by 180 degrees.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        As in `meiro.generate`.

    Returns
    -------
    Maze
        Without a mask, a perfect maze stays perfect, except after a half turn of an even number of rows and
        of columns: that has no middle, so it gets two doors and one loop. The same holds with a mask, if
        the cells of the middle column or row are connected; for a half turn, if the half is connected. Mask
        and openings are those of the half and their images; start and goal stay, if their cells do.
        `Maze.seed` is the seed of this transform.

    Raises
    ------
    ValueError
        If `how` is not one of these, or the half contains no cell.
    TypeError
        If `maze` is not a `Maze`.
    MemoryError
        If the transform cannot fit in memory; nothing is allocated before.

    See Also
    --------
    flip, rotate : the whole maze mirrored or turned.

    Examples
    --------
    >>> maze = meiro.symmetric(meiro.generate((4, 6), rng=7), rng=7)
    >>> bool((maze.grid == maze.grid[:, ::-1]).all())
    True
    >>> maze.is_perfect
    True
    """
    require_squares(maze, "symmetric", _WHY)
    require_maze(maze)
    space = space_for(maze, "symmetric")
    (passages,), mask, wrap = space.core
    one_of(how, "how", _SYMMETRIES)
    if maze.mask is not None and not _half(maze.mask, how).any():
        raise ValueError(f"the half that {how!r} takes contains no cell: turn the maze first")
    seed = seed_of(rng)
    made, mask = _core.symmetric(passages, mask, wrap, seed_words(seed), _SYMMETRIES.index(how))
    half = np.zeros(maze.passages.shape, np.bool_)
    _half(half, how)[...] = True
    kept = maze.openings[half[cells_at_openings(maze)]]
    mirrored = (how != "left_right", how != "top_bottom")
    images = np.where(mirrored, 2 * np.array(half.shape) - kept, kept)
    new = ~(images[:, np.newaxis] == kept).all(axis=2).any(axis=1)
    openings = np.concatenate([kept, images[new]])
    exists = None if mask.all() else mask
    openings = openings[on_rim(openings, (maze.rows, maze.cols), exists, maze.wrap)]
    derived = space.derive(made[np.newaxis], [("symmetric", {"how": how})], seed, mask[np.newaxis])
    return changed(derived, openings=openings)


def _half(cells: NDArray[np.bool_], how: str) -> NDArray[np.bool_]:
    """Return the half that stays, with the axis, as a view."""
    rows, cols = cells.shape
    if how == "left_right":
        return cells[:, : (cols + 1) // 2]
    if how == "top_bottom":
        return cells[: (rows + 1) // 2]
    return cells.reshape(-1)[: (cells.size + 1) // 2]
