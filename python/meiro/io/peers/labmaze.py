"""Text mazes of DeepMind Lab, as labmaze has them: an entity layer and a layer of variations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.messages import short_repr
from meiro._utils.square import ROAD, WALL
from meiro.spaces.space_of import is_maze, sites_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.mazes.maze import Maze


_WALL, _SPAWN, _GOAL, _SPACE = "*PG "


class LabmazeGrid(NamedTuple):
    r"""What the entity layer of a text maze says.

    Attributes
    ----------
    grid : ndarray of uint8, shape (h, w)
        0 for road, 1 for wall. Doors (``I`` and ``H``), objects and all other marks are road.
    spawns, goals : ndarray of int64, shape (k, 2)
        The sites with ``P`` and with ``G``.

    Examples
    --------
    >>> found = meiro.io.from_labmaze("*****\n*P G*\n*****\n")
    >>> found.spawns.tolist(), found.goals.tolist()
    ([[1, 1]], [[1, 3]])
    """

    grid: NDArray[np.uint8]
    spawns: NDArray[np.int64]
    goals: NDArray[np.int64]


def to_labmaze(x: Maze | ArrayLike) -> str:
    r"""Return the entity layer of a text maze: ``*`` wall, space road, ``P`` start, ``G`` goal.

    Parameters
    ----------
    x : Maze or array_like of int, shape (h, w)
        A maze, in sites, with its endpoints; or a wall/road array, without.

    Returns
    -------
    str
        Lines of one length, each with a newline at its end, as ``labmaze.FixedMazeWithRandomGoals`` takes it.

    References
    ----------
    C. Beattie et al., DeepMind Lab (2016). arXiv:1612.03801

    Examples
    --------
    >>> print(meiro.io.to_labmaze(meiro.generate((2, 3), rng=7)))
    *******
    *P    *
    * *** *
    * *  G*
    *******
    <BLANKLINE>
    """
    grid = sites_of(x)
    text = np.where(grid == ROAD, _SPACE, _WALL)
    maze: Any = x
    if is_maze(x):
        for cell, mark in zip(maze.endpoints, (_SPAWN, _GOAL), strict=True):
            text[2 * cell[0] + 1, 2 * cell[1] + 1] = mark
    return "".join("".join(row) + "\n" for row in text.tolist())


def from_labmaze(text: str) -> LabmazeGrid:
    r"""Return walls and roads, starts and goals of the entity layer of a text maze.

    Parameters
    ----------
    text : str
        As of `to_labmaze`, or ``str(maze.entity_layer)`` of any maze of labmaze. Where its sides are odd and
        roads are cells and doors, ``meiro.Maze.from_grid(from_labmaze(text).grid)`` is the maze.

    Raises
    ------
    ValueError
        If there is no line, or one is longer or shorter than the first or holds what is not ASCII.

    Examples
    --------
    >>> meiro.io.from_labmaze("****\n*PG*\n****\n")
    LabmazeGrid(grid=array([[1, 1, 1, 1],
           [1, 0, 0, 1],
           [1, 1, 1, 1]], dtype=uint8), spawns=array([[1, 1]]), goals=array([[1, 2]]))
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}: str(maze.entity_layer)")
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    for i, line in enumerate(lines):
        if not line or len(line) != len(lines[0]):
            raise ValueError(
                f"line {i + 1}, {short_repr(line)}, has {len(line)} characters, and line 1 {len(lines[0])}"
            )
        strange = [k for k, mark in enumerate(line) if not " " <= mark <= "~"]
        if strange:
            raise ValueError(
                f"line {i + 1}, column {strange[0] + 1}: {line[strange[0]]!r} is no mark of labmaze"
            )
    marks = np.array([list(line) for line in lines])
    sites = np.where(marks == _WALL, WALL, ROAD).astype(np.uint8)
    return LabmazeGrid(sites, np.argwhere(marks == _SPAWN), np.argwhere(marks == _GOAL))
