"""`rank`, `unrank` and `enumerate_mazes`: a bijection between perfect mazes and integers.

The order: walls are decided cell by cell, row by row (column by column if the maze is wider than high), for
each cell first the wall to the row before, then the wall to the cell before. Of two mazes, the one whose
first differing wall is closed comes first. The rank of a maze is the number of mazes before it: the sum over
its passages of the mazes that agree up to there and have a wall instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np

from meiro._utils.progress import Progress, paced, reporter, two_pass_reporters
from meiro._utils.square import E, N, S, Shape, ShapeLike, W, checked_shape
from meiro._utils.validation import integer
from meiro.exact._completions import Elimination, Wall, decide, elimination, require_ranks, walls_of
from meiro.exact.graph_trees import (
    count_trees,
    enumerate_trees,
    rank_tree,
    require_tree_ranks,
    unrank_tree,
)
from meiro.lattices.lattice import Lattice
from meiro.mazes._from_core import maze_from_core, require_maze
from meiro.mazes.graph_maze import GraphMaze

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from meiro.mazes.maze import Maze


_TURNED = np.array(
    [(b & N and W) | (b & W and N) | (b & E and S) | (b & S and E) for b in range(16)], np.uint8
)


def rank(maze: Maze | GraphMaze, *, progress: Progress = False) -> int:
    """Return the rank of a perfect maze among all perfect mazes of its shape.

    Parameters
    ----------
    maze : Maze or GraphMaze
        A perfect maze without mask or periodic sides. Openings are ignored. Or one on a lattice.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``; each cell is counted twice.

    Returns
    -------
    int
        From 0 to ``number_of_mazes((maze.rows, maze.cols)) - 1``.

    Raises
    ------
    ValueError
        If the maze is not perfect, has a mask, is periodic, or is too large: ``(rows * cols)**2 * min(rows,
        cols)`` may be at most 2**28, as for 48 x 48 cells.
    TypeError
        If `maze` is not a `Maze`.

    See Also
    --------
    unrank : The inverse.
    enumerate_mazes : All mazes in this order.

    Notes
    -----
    The order: walls are decided cell by cell, row by row (column by column if there are more columns than
    rows), for each cell first the wall to the row before, then the wall to the cell before. Of two mazes, the
    one whose first differing wall is closed comes first. On a lattice edges are decided in the order of their
    numbers; the cost grows as the cells to the power of 4. The first call for a shape takes 4 ms at 8 x 8
    cells, 0.1 s at 20 x 20, 0.6 s at 30 x 30, 15 s and 100 MB at 48 x 48; the next about half as long.

    Examples
    --------
    >>> [meiro.rank(maze) for maze in meiro.enumerate_mazes((2, 2))]
    [0, 1, 2, 3]
    """
    if isinstance(maze, GraphMaze):
        return rank_tree(maze)
    require_maze(maze)
    if maze.mask is not None or any(maze.wrap):
        why = "is periodic" if maze.mask is None else "has a mask"
        msg = f"rank takes mazes of whole rectangles, but this maze {why}"
        raise ValueError(msg)
    if not maze.is_perfect:
        msg = "this maze is not perfect (see meiro.check): only perfect ones have a rank"
        raise ValueError(msg)
    require_ranks(maze.rows, maze.cols)
    open_ = _upright(maze.passages, wide=maze.rows < maze.cols).tolist()
    before = 0

    def choose(wall: Wall, standing: int) -> bool:
        nonlocal before
        row, col, above = wall
        if not open_[row][col] & (N if above else W):
            return False
        before += standing
        return True

    rest, tell = _eliminated(len(open_), len(open_[0]), progress)
    decide(rest, choose, tell)
    return before


@overload
def unrank(k: SupportsIndex, shape: Lattice, *, progress: Progress = False) -> GraphMaze: ...
@overload
def unrank(k: SupportsIndex, shape: ShapeLike, *, progress: Progress = False) -> Maze: ...
def unrank(k: SupportsIndex, shape: ShapeLike | Lattice, *, progress: Progress = False) -> Maze | GraphMaze:
    """Return the perfect maze of a given rank.

    A uniform random rank gives a uniform random maze.

    Parameters
    ----------
    k : int
        From 0 to ``number_of_mazes(shape) - 1``.
    shape : (int, int) or Lattice
        Rows and columns, in cells.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``; each cell is counted twice.

    Returns
    -------
    Maze or GraphMaze
        A `GraphMaze` on a lattice.

    Raises
    ------
    ValueError
        If the shape is invalid or too large (see `rank`), or `k` is out of range.
    TypeError
        If `k` is not an integer.

    See Also
    --------
    rank : The inverse, with a description of the order and its cost.

    Examples
    --------
    >>> print(meiro.unrank(123_456_789, (5, 5)))
    ┌─┬───────┐
    │ │       │
    │ ├─╴ ╷ ╷ │
    │ │   │ │ │
    │ ╵ ┌─┼─┘ │
    │   │ │   │
    │ ┌─┤ ╵ ┌─┤
    │ │ │   │ │
    │ │ ╵ ╷ ╵ │
    │ │   │   │
    └─┴───┴───┘
    """
    left = integer(k, "k")
    if isinstance(shape, Lattice):
        require_tree_ranks(shape)
        _require_rank(left, count_trees(shape), repr(shape))
        return unrank_tree(left, shape)
    rows, cols = checked_shape(shape)
    high, wide = max(rows, cols), min(rows, cols)
    require_ranks(rows, cols)
    rest, tell = _eliminated(high, wide, progress)
    _require_rank(left, rest.number, f"({rows}, {cols})")
    passages = np.zeros((high, wide), np.uint8)

    def choose(wall: Wall, standing: int) -> bool:
        nonlocal left
        if left < standing:
            return False
        left -= standing
        _open(passages, wall)
        return True

    decide(rest, choose, tell)
    return maze_from_core(_upright(passages, wide=rows < cols))


def _require_rank(k: int, many: int, lattice: str) -> None:
    if not 0 <= k < many:
        most = f"{many - 1:,}" if many < 10**30 else "meiro.number_of_mazes(shape) - 1"
        long = k.bit_length() > 400  # Python may refuse to write it
        it = f"a number of {k.bit_length():,} bits" if long else f"{k:,}"
        msg = f"k must be from 0 to {most} for {lattice}, not {it}"
        raise ValueError(msg)


@overload
def enumerate_mazes(shape: Lattice) -> Iterator[GraphMaze]: ...
@overload
def enumerate_mazes(shape: ShapeLike) -> Iterator[Maze]: ...
def enumerate_mazes(shape: ShapeLike | Lattice) -> Iterator[Maze] | Iterator[GraphMaze]:
    """Iterate over all perfect mazes of a shape, in the order of their rank.

    Parameters
    ----------
    shape : (int, int) or Lattice
        Rows and columns, in cells.

    Yields
    ------
    Maze or GraphMaze

    Raises
    ------
    ValueError
        If the shape is invalid or too large (see `rank`).

    See Also
    --------
    number_of_mazes : The number of mazes of any shape.
    rank : The order.

    Notes
    -----
    There are 192 of 3 x 3 cells, 100,352 of 4 x 4 and 557,568,000 of 5 x 5.

    Examples
    --------
    >>> [len(list(meiro.enumerate_mazes((2, cols)))) for cols in (1, 2, 3, 4)]
    [1, 4, 15, 56]
    """
    if isinstance(shape, Lattice):
        require_tree_ranks(shape)
        return enumerate_trees(shape)
    rows, cols = checked_shape(shape)
    require_ranks(rows, cols)
    return _all((rows, cols))  # checked before the first maze is asked for


def _eliminated(
    rows: int, cols: int, progress: Progress
) -> tuple[Elimination, Callable[[int, int], object] | None]:
    """Return what `decide` takes: all cells eliminated, and a progress callback for its half of the work."""
    report = reporter(progress)
    first, second = two_pass_reporters(paced(report) if report else None)
    rest = elimination(rows, cols)
    rest.run(first)
    return rest, second


def _all(shape: Shape) -> Iterator[Maze]:
    rows, cols = max(shape), min(shape)
    walls = list(walls_of(rows, cols))
    # The open walls are a pair of the last one and those before it.
    todo: list[tuple[int, tuple[int, ...], Any]] = [(0, tuple(range(cols)), None)]
    while todo:
        step, label, open_ = todo.pop()
        if step == len(walls):
            passages = np.zeros((rows, cols), np.uint8)
            while open_ is not None:
                wall, open_ = open_
                _open(passages, wall)
            yield maze_from_core(_upright(passages, wide=shape[0] < shape[1]))
            continue
        row, col, above = walls[step]
        last = row == rows - 1
        # Cells that later walls can still connect: in the last row, not the cells before this one.
        alive = label[max(col - 1, 0) if last else 0 : col] + label[col + 1 :]
        if above:
            todo.append((step + 1, label, (walls[step], open_)))
            if label[col] in alive:
                todo.append((step + 1, (*label[:col], cols + step, *label[col + 1 :]), open_))
            continue
        one, other = label[col - 1], label[col]
        if one != other:
            joined = tuple(other if own == one else own for own in label)
            todo.append((step + 1, joined, (walls[step], open_)))
        if not last or one in label[col:]:
            todo.append((step + 1, label, open_))


def _open(passages: NDArray[np.uint8], wall: Wall) -> None:
    row, col, above = wall
    passages[row, col] |= N if above else W
    passages[(row - 1, col) if above else (row, col - 1)] |= S if above else E


def _upright(passages: NDArray[np.uint8], *, wide: bool) -> NDArray[np.uint8]:
    """Transpose passages if they are `wide`, that is wider than high."""
    return np.ascontiguousarray(_TURNED[passages.T]) if wide else passages
