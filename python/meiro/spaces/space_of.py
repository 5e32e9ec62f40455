"""The one place where it is decided what a verb was given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeGuard, TypeVar

import numpy as np

from meiro._utils.arrays import refuse_road, walls
from meiro._utils.messages import held, short_repr
from meiro._utils.validation import integer, items_of
from meiro.lattices._recipes import from_recipe
from meiro.lattices.lattice import Lattice
from meiro.mazes.batch import MazeBatch
from meiro.mazes.graph_batch import GraphBatch
from meiro.mazes.graph_maze import GraphMaze
from meiro.mazes.maze import Maze
from meiro.spaces.graphs import LatticeCells
from meiro.spaces.grids import NEVER, Sites, Squares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from meiro.spaces.space import MazeSpace, Space

X = TypeVar("X")

_ONE = (Maze, GraphMaze)
_SEVERAL = (MazeBatch, GraphBatch)
_DEFAULTS = {"algorithm": "bfs", "moves": 4, "corners": NEVER, "visit_order": False, "centre": False}


def is_maze(x: Any) -> bool:
    """Return whether `x` is one maze."""
    return isinstance(x, _ONE)


def lattice_of(x: Any) -> Any:
    """Return the lattice of mazes; None of those of rows and columns, and of what are no mazes."""
    return getattr(x, "lattice", None)


def on_lattice(x: Any) -> TypeGuard[GraphMaze]:
    """Return whether a maze is on a lattice."""
    return lattice_of(x) is not None


def sites_of(x: Any, road: object = None) -> NDArray[np.uint8]:
    """Return the grid of a maze, or the walls and roads of an array; what is on a lattice is refused."""
    if not is_maze(x) or lattice_of(x) is not None:
        return walls(x, road=road)
    refuse_road(road)
    grid: NDArray[np.uint8] = x.to_grid()
    return grid


def listed_mazes(x: Any, name: str, what: str, instead: str = "") -> Iterator[Any]:
    """Yield the mazes of a batch or of an iterable, of any kinds; to give one maze is an error."""
    if is_maze(x) or isinstance(x, str):  # both are iterable in other ways
        raise TypeError(f"{name} must be {what}, not {short_repr(x)}{instead}")
    for i, maze in enumerate(items_of(x, name, what)):
        if not is_maze(maze):
            raise TypeError(f"{name}[{i}] must be a Maze or a GraphMaze, not {short_repr(maze)}")
        yield maze


def are_several(x: Any) -> bool:
    """Return whether `x` is a batch or a list of mazes."""
    if isinstance(x, _ONE) or type(x) is np.ndarray:  # first, as batches are slow to tell
        return False
    if isinstance(x, list | tuple):
        return bool(x) and isinstance(x[0], _ONE)
    return isinstance(x, _SEVERAL)


def lattice_of_shape(shape: Any) -> Lattice | None:
    """Return the lattice that is given for a shape, or that of a recipe; None for rows and columns."""
    if isinstance(shape, Mapping):
        return from_recipe(shape)
    return shape if isinstance(shape, Lattice) else None


def space_of(
    x: Any,
    *,
    road: object = None,
    moves: object = 4,
    corners: object = NEVER,
    wrap: object = None,
    clearance: object = None,
    centre: bool = False,
    name: str = "x",
) -> Space[Any]:
    """Return the space of a maze, of a batch or a list of mazes, or of a wall/road array.

    Parameters
    ----------
    x : Maze, MazeBatch, GraphMaze, GraphBatch, list of mazes, or array_like of shape (h, w)
    road : scalar or sequence of scalars, optional
        The value of a road, of an array only.
    moves : {4, 8}
        The moves, 8 of an array only.
    corners, wrap, clearance : various
        As in `meiro.solve`, of an array only.
    centre : bool
        Whether paths are wanted in the middle of wide corridors, of an array only.
    name : str
        The name of the argument, for messages.

    Raises
    ------
    TypeError
        If `road`, `corners`, `wrap`, `clearance` or ``moves=8`` is given for mazes.
    ValueError
        If `moves` is neither 4 nor 8, another argument is wrong, or the array does not hold walls and roads.
    """
    if are_several(x):
        x = _batch(x, name)
    elif not isinstance(x, _ONE):
        return Sites(x, road, _checked_moves(moves), corners=corners, wrap=wrap, clearance=clearance)
    if not isinstance(x, Maze) and isinstance(x, GraphMaze | GraphBatch):
        given = {"road": road, "moves": moves, "corners": corners, "wrap": wrap, "clearance": clearance}
        refuse_grid_arguments(x, centre=centre, **given)
        return LatticeCells(x)
    if road is not None:
        refuse_road(road)
    if wrap is not None:
        raise TypeError("wrap= is for arrays: a maze has its own, maze.wrap")
    for rule, value in (("corners", corners), ("clearance", clearance)):
        if not is_default(rule, value):
            raise TypeError(f"{rule}= is for arrays: the grid of a maze is one, maze.grid")
    if _checked_moves(moves) == 8:
        one = "a Maze has no diagonal passages; its grid is an array, x.grid"
        many = "mazes have no diagonal passages; their grids are arrays, x.grids"
        raise TypeError(f"moves=8 is for arrays: {one if isinstance(x, Maze) else many}")
    return Squares(x)


def mazes_of(x: X, name: str = "maze", *, many: bool = False) -> MazeSpace[X]:
    """Return the space of a maze, or of `many`; a TypeError for anything else."""
    if are_several(x):
        x = _batch(x, name)  # type: ignore[assignment]  # a batch stands for the list
    if isinstance(x, MazeBatch if many else Maze | MazeBatch):
        return Squares(x)
    if isinstance(x, GraphBatch if many else GraphMaze | GraphBatch):
        return LatticeCells(x)
    if many:
        several = "a MazeBatch, a GraphBatch, or a sequence of Maze or GraphMaze"
        raise TypeError(f"{name} must be {several}, not {short_repr(x)}")
    what = f"a maze or many (Maze, MazeBatch, GraphMaze, GraphBatch), not {type(x).__name__}"
    makes = "meiro.Maze.from_grid makes one of an array, meiro.MazeBatch many of a list of mazes"
    raise TypeError(held(x, name) or f"{name} must be {what}: {makes}")


def _checked_moves(moves: object) -> Literal[4, 8]:
    number = integer(moves, "moves")
    if number not in {4, 8}:
        raise ValueError(f"moves must be 4 or 8, not {short_repr(moves)}")
    return 8 if number == 8 else 4


def _batch(mazes: Any, name: str) -> MazeBatch | GraphBatch:
    """Return the batch of several mazes of one kind, or that it is."""
    if isinstance(mazes, _SEVERAL):
        return mazes
    kind = type(mazes[0])
    for i, maze in enumerate(mazes):
        if not isinstance(maze, kind):
            raise TypeError(
                f"{name}[{i}] is {short_repr(maze)}, and {name}[0] {short_repr(mazes[0])}: not of one kind"
            )
    return MazeBatch(mazes) if kind is Maze else GraphBatch(mazes)


def is_default(name: str, value: object) -> bool:
    """Return whether an argument of `meiro.solve` is its default, which no array is, whatever it equals."""
    usual = _DEFAULTS.get(name)
    return value is usual or (isinstance(value, str | int) and value == usual)


def refuse_grid_arguments(x: GraphMaze | GraphBatch, **given: object) -> None:
    """Raise a TypeError for an argument that only mazes of rows and columns and arrays take."""
    for name, value in given.items():
        if not (value is None or value is False or is_default(name, value)):
            raise TypeError(f"a {type(x).__name__} takes no {name}=: its cells have no rows and columns")
