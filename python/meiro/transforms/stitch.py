"""Mazes joined edge to edge."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.validation import integer
from meiro.maze._validation import as_bytes, checked_openings
from meiro.maze.maze import Maze
from meiro.seeds import RNG, seed_of
from meiro.transforms.geometry import closed
from meiro.transforms.openings import require_maze, set_endpoints

if TYPE_CHECKING:
    from numpy.typing import NDArray


def stitch(
    mazes: Sequence[Maze] | Sequence[Sequence[Maze]], doors: SupportsIndex = 1, *, rng: RNG = None
) -> Maze:
    """Join mazes edge to edge, with doors between each two neighbours.

    Parameters
    ----------
    mazes : sequence of Maze, or sequence of sequences of Maze
        Side by side, or rows of such. Those of one row have the same number of rows of cells, those above
        each other the same number of columns.
    doors : int
        How many passages join each two neighbours, chosen among the walls between two cells, all choices
        equally likely.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed, optional
        For the doors.

    Returns
    -------
    Maze
        Openings in the outer border stay, others are closed; so is what leads over the rim of mazes that
        wrap, but along a side where there is one maze only and all wrap. The start is that of the first
        maze, the goal that of the last.

    Raises
    ------
    ValueError
        If the shapes do not fit, `doors` is negative, or two neighbours have less walls between cells.
    TypeError
        If what is to be joined are no mazes, or `doors` is no integer.
    MemoryError
        If the maze cannot fit, before anything is taken.

    Notes
    -----
    With one door, perfect mazes without masks that stand in one row or one column become a perfect maze.
    m rows of n mazes get one door for each of their ``m * (n - 1) + (m - 1) * n`` pairs of neighbours, which
    makes ``(m - 1) * (n - 1)`` loops; for none, stitch each row, and then the rows.

    Examples
    --------
    >>> parts = meiro.generate_many(4, (8, 8), rng=7)
    >>> meiro.stitch(parts, rng=1).is_perfect
    True
    >>> meiro.check(meiro.stitch([parts[:2], parts[2:]], rng=1)).loops
    1
    >>> rows = [meiro.stitch(parts[:2], rng=1), meiro.stitch(parts[2:], rng=2)]
    >>> meiro.stitch([[row] for row in rows], rng=3).is_perfect
    True
    """
    wanted = integer(doors, "doors", 0)
    parts = _rows_of(mazes)
    seed = seed_of(rng)
    tops = np.cumsum([0, *(row[0].rows for row in parts)]).tolist()
    lefts = np.cumsum([0, *(maze.cols for maze in parts[0])]).tolist()
    shape = tops[-1], lefts[-1]
    masked = any(maze.mask is not None for row in parts for maze in row)
    require((1 + masked) * shape[0] * shape[1], f"a maze of {shape}", "join fewer")
    passages = np.empty(shape, np.uint8)
    mask = np.ones(shape, np.bool_) if masked else None
    wrap = (
        len(parts) == 1 and all(maze.wrap[0] for maze in parts[0]),
        len(parts[0]) == 1 and all(row[0].wrap[1] for row in parts),
    )
    openings = []
    for top, row in zip(tops, parts, strict=False):
        for left, maze in zip(lefts, row, strict=False):
            size = maze.rows, maze.cols
            _core.copy_cells(maze.passages, (0, 0), passages, (top, left), size, closed(wrap))
            if mask is not None and maze.mask is not None:
                mask[top : top + size[0], left : left + size[1]] = maze.mask
            openings.append(np.add(maze.openings, (2 * top, 2 * left)))
    _join(passages, mask, tops, lefts, doors=wanted, seed=(*seed.key, seed.replicate))
    sites = np.concatenate(openings)
    outside = ((sites == 0) | (sites == (2 * shape[0], 2 * shape[1]))).any(axis=1)
    made = Maze._made(passages, mask, checked_openings(sites[outside], shape, mask, wrap), wrap=wrap)
    goal = parts[-1][-1].goal
    return set_endpoints(made, parts[0][0].start, goal and (goal[0] + tops[-2], goal[1] + lefts[-2]))


def _join(
    passages: NDArray[np.uint8],
    mask: NDArray[np.bool_] | None,
    tops: list[int],
    lefts: list[int],
    *,
    doors: int,
    seed: tuple[int, int, int],
) -> None:
    """Open the doors of every seam; each has a stream of its own."""
    lane, there = 0, as_bytes(mask)
    for i, (top, bottom) in enumerate(pairwise(tops)):
        for j, (left, right) in enumerate(pairwise(lefts)):
            for below, first, size, last in (
                (False, (top, right - 1), bottom - top, right == lefts[-1]),
                (True, (bottom - 1, left), right - left, bottom == tops[-1]),
            ):
                if last:
                    continue
                walls = _core.open_seam(passages, there, first, size, below, doors, seed, lane)
                lane += 1
                if walls < doors:
                    other = (i + 1, j) if below else (i, j + 1)
                    msg = f"doors={doors}: between mazes {i, j} and {other} are only {walls} walls"
                    raise ValueError(msg)


def _rows_of(mazes: object) -> list[list[Maze]]:
    """Return rows of mazes that fit, or say which one does not."""
    given = list(mazes) if isinstance(mazes, Sequence) else []
    one_row = bool(given) and all(isinstance(maze, Maze) for maze in given)
    rows = [given] if one_row else [list(row) if isinstance(row, Sequence) else [] for row in given]
    if not rows or not all(rows):
        msg = f"mazes must be a list of mazes, or of lists of them, none empty, not {short_repr(mazes)}"
        raise TypeError(msg)
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            msg = f"row {i} has {len(row)} mazes, row 0 has {len(rows[0])}"
            raise ValueError(msg)
        for j, maze in enumerate(row):
            require_maze(maze)
            wanted = row[0].rows, rows[0][j].cols
            if (maze.rows, maze.cols) != wanted:
                msg = f"maze {i, j} is of {maze.rows, maze.cols} cells, beside its neighbours {wanted} fits"
                raise ValueError(msg)
    return rows
