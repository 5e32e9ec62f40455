"""Shared by the transforms: the space of the mazes, its memory, and the steps that recipes keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.progress import Progress, reporter
from meiro._utils.validation import Threads, thread_count
from meiro.mazes._openings import cells_beside
from meiro.mazes.batch import MazeBatch
from meiro.mazes.graph_batch import GraphBatch
from meiro.mazes.graph_maze import GraphMaze
from meiro.mazes.maze import Maze
from meiro.seeds import seed_words
from meiro.spaces.grids import Squares
from meiro.spaces.space_of import are_several, is_maze, mazes_of, on_lattice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from meiro.mazes._recipe import Step
    from meiro.seeds import Seed
    from meiro.spaces.space import MazeSpace, Numbers

X = TypeVar("X")

AnyMazes = TypeVar("AnyMazes", Maze, MazeBatch, GraphMaze, GraphBatch)
"""One maze or many: a transform returns what it is given."""

MazesOrGrid = TypeVar("MazesOrGrid", Maze, MazeBatch, GraphMaze, GraphBatch, "NDArray[Any]")
"""The same, or the drawn grid of a maze."""

_GRAPH_BYTES = 26  # of a transform, a cell of a lattice


class Sharing(NamedTuple):
    """How the core works: on so many threads, and with whom it speaks."""

    threads: int
    report: Callable[[int, int], object] | None


def sharing(threads: Threads, progress: Progress) -> Sharing:
    """Return the last two arguments of most functions of the core."""
    return Sharing(thread_count(threads), reporter(progress))


def transformed(
    space: MazeSpace[Any], name: str, numbers: Any, seed: Seed, shared: Sharing
) -> NDArray[np.uint8]:
    """Return the passages after a transform of the core, by a number for each maze or one for all."""
    given = np.array(numbers, np.uint64, ndmin=1)
    return _core.transform(name, space.core, seed_words(seed), given, *shared)


def is_grid(x: object) -> bool:
    """Return whether something that a transform is given is an array, and no maze and no list of mazes."""
    an_array = isinstance(x, list | tuple) or hasattr(x, "__array__")
    return an_array and not is_maze(x) and not are_several(x)


def drawn_like(given: Any, maze: Maze) -> Any:
    """Return the grid of a maze as the grid that it was read from: bool or numbers; 0 and 1 for letters."""
    kind = given.dtype if isinstance(given, np.ndarray) and given.dtype.kind in "biuf" else np.uint8
    return maze.to_grid().astype(kind)


def maze_drawn(grid: Any) -> Maze:
    """Return the maze of a drawn grid that is given for a maze."""
    try:
        return Maze.from_grid(grid)
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"maze, an array that is taken as a drawn grid: {error}") from None


class _DrawnSquares(Squares):
    """The cells of the maze of a drawn grid; other passages are drawn again."""

    def __init__(self, given: Any) -> None:
        super().__init__(maze_drawn(given))
        self.given = given

    def derive(self, *made: Any) -> Any:
        return drawn_like(self.given, super().derive(*made))


def space_for(mazes: X, transform: str, threads: Threads = None, *, grids: bool = True) -> MazeSpace[X]:
    """Return the space of mazes, or of the maze of a drawn grid; MemoryError if the transform cannot fit."""
    space: MazeSpace[Any] = _DrawnSquares(mazes) if grids and is_grid(mazes) else mazes_of(mazes)
    at_once, size, copies = min(thread_count(threads), max(space.n, 1)), space.size, 2 * space.n * space.size
    if space.on_lattice:
        need = space.passages.size + _GRAPH_BYTES * size * at_once
        smaller = "take a smaller lattice, or a slice of a batch"
    else:
        wide = 1 if size < 1 << 31 else 2  # cell numbers of 8 bytes
        need = _core.TRANSFORM_BYTES[transform] * wide * size * at_once + copies * (not space.one)
        smaller = "crop the maze" if space.one else "take a slice of it"
    require(need, f"{transform} of {space.x!r}", smaller)
    return space


def require_squares(x: Any, transform: str, why: str) -> None:
    """Raise a TypeError for what lies on a lattice, which says why the transform needs squares."""
    if on_lattice(x):
        raise TypeError(f"{transform} takes mazes of squares, and not {x!r}: {why}")


def cells_at_openings(maze: Maze) -> tuple[NDArray[np.int64], ...]:
    """Return the rows and the columns of the cells beside the openings."""
    return tuple(cells_beside(maze.openings, (maze.rows, maze.cols), maze.mask).T)


def plain_cells(space: MazeSpace[Any], numbers: NDArray[Any]) -> NDArray[Any]:
    """Return cells as steps of recipes have them: as numbers, on the lattice that a recipe makes.

    That has no labels but those of a mask, the numbers on the whole lattice, where it has no coordinates.
    """
    if not space.on_lattice:
        return space.names(numbers)
    mask = None if space.lattice.coordinates is not None else space.lattice.recipe.get("mask")
    return numbers if mask is None else np.array(mask)[numbers]


def own_ends(space: MazeSpace[Any]) -> Numbers:
    """Return the ends of mazes that have a start or a goal of their own, (n, 2); -1 where they follow."""
    ends = np.stack([end.numbers for end in space.ends()], axis=1)
    given = np.stack(space.given_starts_and_goals(), axis=1)
    found: Numbers = np.where((given < 0).all(axis=1, keepdims=True), -1, ends)
    return found


def with_ends_before(space: MazeSpace[Any], ends: Numbers, steps: Sequence[Step]) -> Sequence[Step] | None:
    """Return steps that depend on starts and goals, (n, 2), -1 for none, which come first.

    None if mazes have different ones.
    """
    if not ends.size or (ends < 0).all():
        return steps  # those of a step before are still there, if a mask has not removed them
    if (ends != ends[0]).any():
        return None
    start, goal = ends[0].tolist()
    both = np.array([goal if start < 0 else start, start if goal < 0 else goal])
    return [("with_ends", {"ends": plain_cells(space, both)}), *steps]
