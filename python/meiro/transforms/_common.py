"""Shared by the transforms: a maze on its way into the core, and the new maze on its way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro.maze._validation import mask_bytes
from meiro.maze.maze import Maze, maze_from_core, require_maze

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell, Wrap
    from meiro.seeds import Seed

CoreArguments = tuple["NDArray[np.uint8]", "NDArray[np.uint8] | None", "Wrap"]


def core_arguments(maze: Maze, transform: str) -> CoreArguments:
    """Return a maze as the core takes it; MemoryError if the transform cannot fit."""
    require_maze(maze)
    cells = maze.passages.size
    wide = 1 if cells < 1 << 31 else 2  # cell numbers of 8 bytes
    need = _core.TRANSFORM_BYTES[transform] * wide * cells
    require(need, f"{transform} of {maze!r}", "crop the maze")
    return maze.passages, mask_bytes(maze.mask), maze.wrap


def seed_words(seed: Seed) -> tuple[int, int, int]:
    """Return a seed as the core takes it."""
    return (*seed.key, seed.replicate)


def derive_maze(
    maze: Maze,
    passages: NDArray[np.uint8],
    seed: Seed | None = None,
    mask: NDArray[np.uint8] | None = None,
    openings: NDArray[np.int64] | None = None,
) -> Maze:
    """Return a maze of other passages that keeps the mask, openings, wrap and endpoints of `maze`."""
    cells = maze.mask
    if mask is not None:
        cells = None if mask.all() else mask.view(np.bool_)
    sites = maze.openings if openings is None else openings
    sites.flags.writeable = False
    return set_endpoints(maze_from_core(passages, cells, sites, seed, None, maze.wrap), maze.start, maze.goal)


def set_endpoints(made: Maze, start: Cell | None, goal: Cell | None) -> Maze:
    """Set start and goal of a maze that nobody holds yet; an endpoint that is masked out is dropped."""
    for name, end in (("start", start), ("goal", goal)):
        if end is not None and (made.mask is None or made.mask[end]):
            object.__setattr__(made, name, end)
    return made


def cells_at_openings(maze: Maze) -> tuple[NDArray[np.int64], ...]:
    """Return the rows and the columns of the cells that the openings lead to."""
    last = np.array(maze.passages.shape) - 1
    return tuple(np.clip((maze.openings - 1) // 2, 0, last).T)
