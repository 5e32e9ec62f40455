"""Unicursal mazes: one path through all cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro import _core
from meiro._utils.square import Cell, E, N, S, W
from meiro.mazes._openings import NO_OPENINGS
from meiro.mazes._recipe import recipe_after
from meiro.mazes.batch import MazeBatch
from meiro.mazes.maze import Maze, maze_from_core
from meiro.spaces.space_of import mazes_of
from meiro.transforms._common import (
    cells_at_openings,
    drawn_like,
    is_grid,
    maze_drawn,
    own_ends,
    require_squares,
    space_for,
    with_ends_before,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

Squares = TypeVar("Squares", Maze, MazeBatch, "NDArray[Any]")

_WHY = (
    "each cell is cut into four, and of the shapes of cells only squares have quarters that are cells beside "
    "those of their neighbours"
)


def unicursal(maze: Squares) -> Squares:
    """Make one path through all cells, by a wall along the middle of every passage.

    Each cell becomes four, and the path runs once around all walls, as a wall follower does. The closed path
    is cut at the start of `maze` (else at the cell beside its first opening, else at its first cell): at an
    opening, which becomes two; else at its first side that is a wall, in the order N, E, S, W; at a cell
    open on all sides, on its north side.

    Parameters
    ----------
    maze : Maze, MazeBatch or array_like
        A perfect maze of one component, or many; or the drawn grid of one.

    Returns
    -------
    Maze, MazeBatch or ndarray
        Of shape (2 * rows, 2 * cols), with the mask and the wrap of `maze`. Perfect: every cell has degree 2,
        except start and goal, the ends of the path, with degree 1. Other openings are closed; the
        seed is None.

    Raises
    ------
    ValueError
        If `maze` has loops or more than one region.
    TypeError
        If `maze` is anything else. Cells of a lattice cannot be cut into four as squares can.
    MemoryError
        If the transform cannot fit in memory; nothing is allocated before.

    See Also
    --------
    fill_dead_ends : the path between start and goal alone.

    References
    ----------
    W. D. Pullen, Think Labyrinth, "Unicursal". https://www.astrolog.org/labyrnth/algrithm.htm

    Examples
    --------
    >>> path = meiro.unicursal(meiro.generate((20, 30), rng=7))
    >>> meiro.solve(path).length
    2399
    """
    require_squares(maze, "unicursal", _WHY)
    found: Squares = _of_each(maze)
    return found


def _of_each(maze: Any) -> Any:
    """Return the paths through all cells of one maze or of many."""
    if is_grid(maze):
        return drawn_like(maze, _doubled(maze_drawn(maze)))
    space = space_for(maze, "unicursal")
    made = [_doubled(one) for one in space]
    if space.one:
        return made[0]
    rows, cols = space.shape
    return MazeBatch(made) if made else MazeBatch.from_passages(np.empty((0, 2 * rows, 2 * cols), np.uint8))


def _doubled(maze: Maze) -> Maze:
    """Return the path through all cells of one maze."""
    space = mazes_of(maze)
    (passages,), mask, _ = space.core
    _, regions, loops, *_ = _core.check(space.core, 1, None)[0].tolist()
    for count, most, what, how in (
        (loops, 0, "loop", "meiro.remove_islands"),
        (regions, 1, "region", "meiro.join_regions, or a connected mask,"),
    ):
        if count > most:
            raise ValueError(
                f"unicursal needs a perfect maze of one component, not one of {count} {what}s: {how} helps"
            )
    out, exists = _core.unicursal(passages, mask)
    start, goal, openings = _cut(maze, out)
    recipe = recipe_after(maze, with_ends_before(space, own_ends(space), [("unicursal", {})]))
    return maze_from_core(out, exists, openings, None, recipe, maze.wrap, start=start, goal=goal)


def _cut(maze: Maze, out: NDArray[np.uint8]) -> tuple[Cell, Cell, NDArray[np.int64]]:
    """Close one passage of the closed path: return the ends, and the openings beside them."""
    rows, cols = cells_at_openings(maze)
    cell = maze.endpoints[0]
    own = maze.openings[(rows == cell[0]) & (cols == cell[1])].tolist()
    row, col = 2 * cell[0], 2 * cell[1]
    sides = (  # the site of an opening, two quarters of the cell, and the direction from one to the other
        (N, [row, col + 1], (row, col), (row, col + 1), E),
        (E, [row + 1, col + 2], (row, col + 1), (row + 1, col + 1), S),
        (S, [row + 2, col + 1], (row + 1, col), (row + 1, col + 1), E),
        (W, [row + 1, col], (row, col), (row + 1, col), S),
    )
    doors = [side for side in sides if side[1] in own]
    walls = [side for side in sides if not int(maze.passages[cell]) & side[0]]
    if not walls:
        start, goal, direction = (row, col), ((row - 1) % len(out), col), N
    else:
        _, _, start, goal, direction = (doors or walls)[0]
    out[start] &= 15 - direction
    out[goal] &= 15 - {N: S, E: W, S: N}[direction]
    if not doors:
        return start, goal, NO_OPENINGS
    outwards = np.array(doors[0][1]) - np.array([row + 1, col + 1])
    return start, goal, 2 * np.array([start, goal]) + 1 + outwards
