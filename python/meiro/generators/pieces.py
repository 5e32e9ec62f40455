"""Mazes by Kruskal in pieces, for those larger than the memory of one machine.

`reduce_piece` tells what of a rectangle is not known without the rest, `merge` joins two pieces side by side,
and `apply` makes the passages of a rectangle when the open walls have come back. What they take and return
can be pickled; cells and walls have their numbers in the whole maze.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.memory import require

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from meiro._utils.square import Shape
    from meiro.generators.region import LargeMaze


class Piece(NamedTuple):
    """A rectangle of a maze, reduced to its critical walls: those whose fate is decided outside.

    Their array has a row (weight, wall, a, b) for each, with places on the rim of the rectangle.
    """

    first: tuple[int, int]
    size: Shape
    critical: NDArray[np.int64]


class Merged(NamedTuple):
    """Two pieces as one, and the critical walls of both that are open, whatever lies outside, in order."""

    piece: Piece
    open: NDArray[np.int64]


def joined_size(first: tuple[int, int], size: Shape, other_first: tuple[int, int], other: Shape) -> Shape:
    """Return the size of a rectangle and another one below or to the right of it."""
    below = first[1] == other_first[1]
    return (size[0] + other[0], size[1]) if below else (size[0], size[1] + other[1])


SCRATCH = 4
"""Bytes a cell of a piece that is reduced, or whose passages are made."""


def reduce_piece(
    maze: LargeMaze,
    first: tuple[int, int],
    size: Shape,
    threads: int = 1,
    report: Callable[[int, int], object] | None = None,
) -> Piece:
    """Return a rectangle of a maze as a piece."""
    require(SCRATCH * size[0] * size[1], f"a piece of {size}", "take smaller ones")
    critical = _core.tile_reduce(maze.shape, first, size, maze.words, maze.options, threads, report)
    return Piece(first, size, critical)


def merge(maze: LargeMaze, a: Piece, b: Piece) -> Merged:
    """Return two pieces, the second below or to the right of the first, as one."""
    critical, open_walls = _core.tile_merge(maze.shape, maze.words, maze.options, *a, *b)
    return Merged(Piece(a.first, joined_size(a.first, a.size, b.first, b.size), critical), open_walls)


def open_within(
    maze: LargeMaze, first: tuple[int, int], size: Shape, *open_walls: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return those of some open walls that a rectangle must know: within it and around it."""
    walls = np.concatenate([np.empty(0, np.int64), *open_walls])
    row, col = np.divmod(walls >> 1, maze.shape[1])
    row -= first[0]
    col -= first[1]
    south = walls & 1
    here = (row >= -south) & (row < size[0]) & (col >= south - 1) & (col < size[1])
    return walls[here]


def apply(  # noqa: PLR0917  # as reduce_piece has them, and what it does not
    maze: LargeMaze,
    first: tuple[int, int],
    size: Shape,
    open_walls: NDArray[np.int64],
    threads: int = 1,
    report: Callable[[int, int], object] | None = None,
    out: NDArray[np.uint8] | None = None,
) -> NDArray[np.uint8]:
    """Return the passages of a rectangle, in `out` if given; `open_walls`: those within it and around it."""
    require(SCRATCH * size[0] * size[1], f"a piece of {size}", "take smaller ones")
    made = np.empty(size, np.uint8) if out is None else out
    _core.tile_apply(maze.shape, first, made, maze.words, maze.options, open_walls, threads, report)
    return made
