"""Doors in a maze and their keys."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

if TYPE_CHECKING:
    import os

    from _typeshed import SupportsWrite
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from meiro._utils.options import SaveOptions


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Locks:
    """Doors in a maze and their keys: the result of `meiro.locks`.

    Attributes
    ----------
    maze : Maze or GraphMaze
        As it was: doors are passages of it.
    doors : ndarray of int64, shape (n, 2, 2); on a lattice (n, 2), or as its cells are named
        The cell before each door and the cell behind it, in order from the start.
    keys : ndarray of int64, shape (n, 2); on a lattice likewise
        The cell of the key of each door.
    start, goal : (int, int), or a cell of a lattice

    Examples
    --------
    >>> locks = meiro.locks(meiro.generate((4, 10), rng=7), 2, rng=7)
    >>> locks
    <Locks: 2 doors from (0, 0) to (3, 9)>
    >>> locks.keys.tolist(), locks.doors[0].tolist()
    ([[1, 0], [2, 5]], [[0, 0], [0, 1]])
    """

    __module__ = "meiro"

    maze: Any
    doors: NDArray[Any]
    keys: NDArray[Any]
    start: Any
    goal: Any

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        self.doors.flags.writeable = self.keys.flags.writeable = False

    def __len__(self) -> int:
        """Return the number of doors."""
        return len(self.doors)

    @property
    def closed(self) -> Any:
        """The maze with a wall in place of each door.

        With the first k doors open it is ``meiro.with_passages(locks.maze, close=locks.doors[k:])``.

        Examples
        --------
        >>> locks = meiro.locks(meiro.generate((4, 10), rng=7), 2, rng=7)
        >>> locks.closed.is_perfect, meiro.check(locks.closed).regions
        (False, 3)
        """
        from meiro.transforms.passages import with_passages

        return with_passages(self.maze, close=self.doors)

    @property
    def route(self) -> NDArray[Any]:
        """The cells of a shortest way from the start over all keys, in their order, to the goal.

        Examples
        --------
        >>> locks = meiro.locks(meiro.generate((4, 10), rng=7), 2, rng=7)
        >>> len(locks.route), len(locks.maze.solve().path)
        (29, 15)
        """
        from meiro.solvers.solve import solve
        from meiro.spaces.space_of import mazes_of

        space = mazes_of(self.maze)
        stops = [self.start, *map(space.cell, space.numbers(self.keys, "keys").tolist()), self.goal]
        ways = [solve(self.maze, here, there).path for here, there in pairwise(stops)]
        return np.concatenate([ways[0][:1], *(way[1:] for way in ways)])

    def plot(self, **options: Any) -> Axes:
        """Draw the maze on matplotlib axes: `meiro.plot` of it, with doors A, B, ... and keys a, b, ...

        Start and goal are marked; doors are drawn over the path of a ``solution=``. `options` are those of
        `meiro.plot`.

        Examples
        --------
        >>> locks = meiro.locks(meiro.generate((10, 20), rng=7), 2, rng=7)
        >>> axes = locks.plot()
        """
        from meiro.drawing.matplotlib.plot import plot

        axes: Axes = plot(self, **options)
        return axes

    def save(
        self,
        path: str | os.PathLike[str] | SupportsWrite[Any],
        *,
        solution: Any = None,
        **options: Unpack[SaveOptions],
    ) -> None:
        """Write the maze with doors and keys to a file, as `meiro.save`; the suffix selects the format.

        Pictures, ``.svg``, ``.pdf`` and ``.png``, are as of `plot`. Maps of Tiled, ``.tmx`` and ``.tmj``,
        have objects "door 1", "key 1" and so on of the classes "door" and "key", with a property "number";
        their passages are open, and `meiro.read` finds the maze.

        Raises
        ------
        ValueError
            If the format is another.

        Examples
        --------
        >>> locks = meiro.locks(meiro.generate((10, 20), rng=7), 2, rng=7)
        >>> locks.save("locks.svg")
        >>> locks.save("level.tmx")
        >>> meiro.read("level.tmx") == locks.maze
        True
        """
        from meiro.io.files import save

        save(self, path, solution=solution, **options)

    def __repr__(self) -> str:
        """Return a summary of one line."""
        return f"<Locks: {len(self)} door{'s' * (len(self) != 1)} from {self.start} to {self.goal}>"
