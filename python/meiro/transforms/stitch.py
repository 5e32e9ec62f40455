"""Mazes joined edge to edge."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.square import close_border
from meiro._utils.validation import integer
from meiro.mazes._openings import on_rim
from meiro.mazes._recipe import recipe_after
from meiro.mazes.maze import Maze, maze_from_core, require_maze
from meiro.seeds import RNG, plain_seed, seed_of, seed_words
from meiro.spaces.space_of import is_maze
from meiro.transforms._common import drawn_like, require_squares

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WHY = "mazes are joined along whole borders, which have to be straight and of one length"
Squares = TypeVar("Squares", Maze, "NDArray[Any]")


def stitch(
    mazes: Sequence[Squares] | Sequence[Sequence[Squares]], n_doors: SupportsIndex = 1, *, rng: RNG = None
) -> Squares:
    """Join mazes edge to edge, with doors between each two adjacent mazes.

    Parameters
    ----------
    mazes : sequence of Maze or ndarray, or sequence of sequences of these
        A row of mazes, or several rows; arrays are the drawn grids of mazes. Mazes in one row have the same
        number of rows of cells, mazes in one column the same number of columns.
    n_doors : int
        Number of passages between each two adjacent mazes, chosen uniformly among the walls between two
        cells.
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed, optional
        Draws the doors.

    Returns
    -------
    Maze or ndarray
        Of arrays alone the drawn grid. Openings in the outer border stay, all others are closed. Passages
        across the border of periodic mazes are closed too, except along an axis with a single maze where all
        are periodic. The start is that of the first maze, the goal that of the last. The recipe is that of
        the first maze, with those of the others in its last step.

    Raises
    ------
    ValueError
        If the shapes do not fit, `n_doors` is negative, or two adjacent mazes have fewer walls between them.
    TypeError
        If `mazes` does not contain mazes of squares, or `n_doors` is not an integer.
    MemoryError
        If the maze cannot fit in memory; nothing is allocated before.

    See Also
    --------
    crop : cuts a rectangle out of a maze.
    join_regions : opens walls until every component of the mask is one region.

    Notes
    -----
    With one door, perfect mazes without masks in one row or one column become a perfect maze. m rows of n
    mazes get one door for each of their ``m * (n - 1) + (m - 1) * n`` adjacent pairs, which makes
    ``(m - 1) * (n - 1)`` loops; to avoid loops, stitch each row first, then the rows.

    Examples
    --------
    >>> parts = meiro.generate_many((8, 8), n=4, rng=7)
    >>> meiro.stitch(parts, rng=1).is_perfect
    True
    >>> meiro.check(meiro.stitch([parts[:2], parts[2:]], rng=1)).loops
    1
    >>> rows = [meiro.stitch(parts[:2], rng=1), meiro.stitch(parts[2:], rng=2)]
    >>> meiro.stitch([[row] for row in rows], rng=3).is_perfect
    True
    """
    n_doors = integer(n_doors, "n_doors", 0, 1 << 62)
    parts: list[list[Maze]]
    parts, drawn = _rows_of(mazes)
    seed = seed_of(rng)
    recipes = [[one.recipe for one in row] for row in parts]
    steps = None
    if all(recipe is not None for row in recipes for recipe in row):
        recipes[0][0] = None  # the maze so far
        steps = [("stitch", {"mazes": recipes, "n_doors": n_doors, "rng": plain_seed(seed)})]
    tops = np.cumsum([0, *(row[0].rows for row in parts)]).tolist()
    lefts = np.cumsum([0, *(maze.cols for maze in parts[0])]).tolist()
    shape = tops[-1], lefts[-1]
    masked = any(maze.mask is not None for row in parts for maze in row)
    require((1 + masked) * shape[0] * shape[1], f"a maze of {shape}", "join fewer mazes")
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
            part = passages[top : top + size[0], left : left + size[1]]
            part[:] = maze.passages
            close_border(part, wrap)
            if mask is not None and maze.mask is not None:
                mask[top : top + size[0], left : left + size[1]] = maze.mask
            openings.append(np.add(maze.openings, (2 * top, 2 * left)))
    _join(passages, mask, tops, lefts, n_doors=n_doors, seed=seed_words(seed))
    sites = np.concatenate(openings)
    sites = read_only(sites[on_rim(sites, shape, mask, wrap)])
    start, goal = parts[0][0].start, parts[-1][-1].goal
    if goal is not None:
        goal = goal[0] + tops[-2], goal[1] + lefts[-2]
    recipe = recipe_after(parts[0][0], steps)
    made: Any = maze_from_core(passages, mask, sites, None, recipe, wrap, start=start, goal=goal)
    found: Squares = made if drawn is None else drawn_like(drawn, made)
    return found


def _join(
    passages: NDArray[np.uint8],
    mask: NDArray[np.bool_] | None,
    tops: list[int],
    lefts: list[int],
    *,
    n_doors: int,
    seed: tuple[int, int, int],
) -> None:
    """Open the doors of every seam; each seam draws from a stream of its own."""
    lane = 0
    for i, (top, bottom) in enumerate(pairwise(tops)):
        for j, (left, right) in enumerate(pairwise(lefts)):
            for below, first, size, last in (
                (False, (top, right - 1), bottom - top, right == lefts[-1]),
                (True, (bottom - 1, left), right - left, bottom == tops[-1]),
            ):
                if last:
                    continue
                walls = _core.open_seam(passages, mask, first, size, below, n_doors, seed, lane)
                lane += 1
                if walls < n_doors:
                    other = (i + 1, j) if below else (i, j + 1)
                    pair = f"mazes {i, j} and {other}"
                    raise ValueError(f"n_doors={n_doors}, but only {walls} walls separate cells of {pair}")


def _rows_of(mazes: object) -> tuple[list[list[Maze]], Any]:
    """Return rows of mazes whose shapes fit, and the first drawn grid if there are only such."""
    given = list(mazes) if isinstance(mazes, Sequence) and not isinstance(mazes, range) else []
    one_row = bool(given) and all(is_maze(maze) or isinstance(maze, np.ndarray) for maze in given)
    wrong = not given or not (one_row or all(isinstance(row, Sequence) and len(row) > 0 for row in given))
    rows = (
        [] if wrong or isinstance(mazes, str | bytes) else [given] if one_row else [[*row] for row in given]
    )
    if not rows:
        raise TypeError(
            f"mazes must be a list of mazes, or a list of such lists, not empty, not {short_repr(mazes)}"
        )
    drawn = rows[0][0] if all(isinstance(maze, np.ndarray) for row in rows for maze in row) else None
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(f"mazes: row {i} has {len(row)} mazes, row 0 has {len(rows[0])}")
        for j, maze in enumerate(row):
            require_squares(maze, "stitch", _WHY)
            if isinstance(maze, np.ndarray):
                row[j] = maze = Maze.from_grid(maze)  # noqa: PLW2901  # the maze that is drawn
            require_maze(maze, f"mazes[{i}][{j}]")
            wanted = row[0].rows, rows[0][j].cols
            if (maze.rows, maze.cols) != wanted:
                raise ValueError(
                    f"mazes[{i}][{j}] has shape {maze.rows, maze.cols}; its row and column need {wanted}"
                )
    return rows, drawn
