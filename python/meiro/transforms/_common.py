"""Shared by the transforms: the space of the mazes, its memory, and words for messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from meiro import _core
from meiro._utils.arrays import refuse_graph
from meiro._utils.memory import require
from meiro._utils.progress import Progress, reporter
from meiro._utils.validation import Threads, thread_count
from meiro.mazes._openings import cells_beside
from meiro.mazes.batch import MazeBatch
from meiro.mazes.graph_batch import GraphBatch
from meiro.mazes.graph_maze import GraphMaze
from meiro.mazes.maze import Maze
from meiro.spaces.space_of import mazes_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from meiro.seeds import Seed
    from meiro.spaces.space import MazeSpace

X = TypeVar("X")

Mazes = TypeVar("Mazes", Maze, MazeBatch)
"""One maze or many: a transform returns what it is given."""

AnyMazes = TypeVar("AnyMazes", Maze, MazeBatch, GraphMaze, GraphBatch)
"""The same, also on a lattice."""

_GRAPH_BYTES = 26  # of a transform, a cell of a lattice


class Sharing(NamedTuple):
    """How the core works: on so many threads, and with whom it speaks."""

    threads: int
    report: Callable[[int, int], object] | None


def sharing(threads: Threads, progress: Progress) -> Sharing:
    """Return the last two arguments of most functions of the core."""
    return Sharing(thread_count(threads), reporter(progress))


def space_for(mazes: X, transform: str, threads: Threads = None) -> MazeSpace[X]:
    """Return the space of mazes; MemoryError if the transform cannot fit."""
    space = mazes_of(mazes)
    at_once, size, copies = min(thread_count(threads), max(space.n, 1)), space.size, 2 * space.n * space.size
    if space.on_lattice:
        need = space.passages.size + _GRAPH_BYTES * size * at_once
        smaller = "take a smaller lattice, or a slice of a batch"
    else:
        wide = 1 if size < 1 << 31 else 2  # cell numbers of 8 bytes
        need = _core.TRANSFORM_BYTES[transform] * wide * size * at_once + copies * (not space.one)
        smaller = "crop the maze" if space.one else "take a slice of it"
    require(need, f"{transform} of {mazes!r}", smaller)
    return space


def require_squares(mazes: Any) -> None:
    """Refuse what is neither a Maze nor a MazeBatch."""
    refuse_graph(mazes)
    if not isinstance(mazes, Maze | MazeBatch):
        msg = (
            f"maze must be a Maze or a MazeBatch, not {type(mazes).__name__}: meiro.Maze.from_grid makes one "
            "of an array, meiro.MazeBatch many of a list of mazes"
        )
        raise TypeError(msg)


def squares_for(mazes: X, transform: str, threads: Threads = None) -> MazeSpace[X]:
    """Return the space of mazes of squares, as `space_for`; a TypeError for others."""
    require_squares(mazes)
    return space_for(mazes, transform, threads)


def seed_words(seed: Seed) -> tuple[int, int, int]:
    """Return a seed as the core takes it."""
    return (*seed.key, seed.replicate)


def cells_at_openings(maze: Maze) -> tuple[NDArray[np.int64], ...]:
    """Return the rows and the columns of the cells beside the openings."""
    return tuple(cells_beside(maze.openings, (maze.rows, maze.cols), maze.mask).T)
