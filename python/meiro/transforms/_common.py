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

    from meiro._utils.square import Wrap
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
    """Return a maze of other passages with the mask, openings, wrap, start and goal of `maze`.

    A start or goal that `mask` removes is dropped.
    """
    cells = maze.mask
    if mask is not None:
        cells = None if mask.all() else mask.view(np.bool_)
    sites = maze.openings if openings is None else openings
    sites.flags.writeable = False
    start, goal = (
        end if end is None or cells is None or cells[end] else None for end in (maze.start, maze.goal)
    )
    return maze_from_core(passages, cells, sites, seed, None, maze.wrap, start=start, goal=goal)


def cells_at_openings(maze: Maze, sites: NDArray[np.int64] | None = None) -> tuple[NDArray[np.int64], ...]:
    """Return the rows and the columns of the cells beside the openings, or beside other border sites."""
    last = np.array(maze.passages.shape) - 1
    return tuple(np.clip(((maze.openings if sites is None else sites) - 1) // 2, 0, last).T)
