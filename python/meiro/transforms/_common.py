"""What transforms share: a maze on its way into the core, and the new one on its way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.memory import require
from meiro.maze._validation import as_bytes
from meiro.maze.maze import Maze

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell, Wrap
    from meiro.seeds import Seed

CoreArguments = tuple["NDArray[np.uint8]", "NDArray[np.uint8] | None", "Wrap"]


def core_arguments(maze: object, need: int, what: str) -> CoreArguments:
    """Return a maze as the core takes it, if there are `need` bytes a cell; twice that for huge ones."""
    if not isinstance(maze, Maze):
        msg = f"maze must be a Maze, not {type(maze).__name__}: meiro.Maze.from_grid makes one of an array"
        raise TypeError(msg)
    cells = maze.passages.size
    require(need * cells * (1 if cells < 1 << 31 else 2), f"{what} of {maze!r}", "take a part")
    return maze.passages, as_bytes(maze.mask), maze.wrap


def seed_words(seed: Seed) -> tuple[int, int, int]:
    """Return a seed as the core takes it."""
    return (*seed.key, seed.replicate)


def derive_maze(
    maze: Maze,
    passages: NDArray[np.uint8],
    seed: Seed | None = None,
    there: NDArray[np.uint8] | None = None,
    openings: NDArray[np.int64] | None = None,
) -> Maze:
    """Return a maze like `maze` of other passages and, if that is given, of other cells."""
    mask = maze.mask
    if there is not None:
        mask = None if there.all() else there.view(np.bool_)
    borders = maze.openings if openings is None else openings
    borders.flags.writeable = False
    made = Maze._made(passages, mask, borders, seed, None, maze.wrap)
    return set_endpoints(made, maze.start, maze.goal)


def set_endpoints(made: Maze, start: Cell | None, goal: Cell | None) -> Maze:
    """Give a maze that no one has seen yet its ends, where they exist."""
    for name, end in (("start", start), ("goal", goal)):
        if end is not None and (made.mask is None or made.mask[end]):
            object.__setattr__(made, name, end)
    return made


def cells_at_openings(maze: Maze) -> tuple[NDArray[np.int64], ...]:
    """Return the rows and the columns of the cells that the openings lead to."""
    last = np.array(maze.passages.shape) - 1
    return tuple(np.clip((maze.openings - 1) // 2, 0, last).T)
