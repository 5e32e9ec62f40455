"""Mazes of arrays that the core has made, and what modules below ask of a maze."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meiro._utils.arrays import refuse_graph
from meiro._utils.square import FLAT, Cell, Wrap
from meiro.mazes._one_maze import maze_of
from meiro.mazes._openings import NO_OPENINGS
from meiro.mazes.maze import Maze

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from meiro.seeds import Seed


def maze_from_core(  # noqa: PLR0917  # the arrays of a maze, and then where it is from
    passages: NDArray[np.uint8],
    mask: NDArray[np.bool_] | None = None,
    openings: NDArray[np.int64] = NO_OPENINGS,
    seed: Seed | None = None,
    recipe: Mapping[str, object] | None = None,
    wrap: Wrap = FLAT,
    *,
    start: Cell | None = None,
    goal: Cell | None = None,
) -> Maze:
    """Return a maze of arrays that the core has made: nothing is checked or copied."""
    return maze_of(Maze, passages, mask, openings, seed, recipe, wrap, start, goal)


def require_maze(maze: object, name: str = "maze") -> Maze:
    """Return a Maze; anything else is a TypeError."""
    refuse_graph(maze, name)
    if not isinstance(maze, Maze):
        msg = f"{name} must be a Maze, not {type(maze).__name__}: meiro.Maze.from_grid makes one of an array"
        raise TypeError(msg)
    return maze
