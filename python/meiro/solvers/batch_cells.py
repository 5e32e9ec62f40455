"""Cells in each maze of a batch: given ones as numbers, and the default start and goal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.arrays import refuse_road
from meiro._utils.messages import short_repr
from meiro._utils.validation import integer, integers
from meiro.maze._endpoints import Ends, ends_of, ends_of_many
from meiro.maze._from_core import maze_from_core
from meiro.maze.batch import MazeBatch
from meiro.solvers.search_space import as_search_space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import Shape
    from meiro.maze.maze import Maze


def cell_numbers(given: Any, name: str, n: int, shape: Shape) -> NDArray[np.int64] | None:
    """Return the number of one cell for each maze."""
    if given is None:
        return None
    cells = integers(given, name)
    if cells.shape not in {(2,), (n, 2)}:
        msg = f"{name} must be (row, col), or of shape ({n}, 2), one for each maze, not {cells.shape}"
        raise ValueError(msg)
    cells = np.broadcast_to(cells, (n, 2))
    inside = np.where(cells < 0, cells + shape, cells)
    wrong = np.flatnonzero(np.any((inside < 0) | (inside >= shape), axis=1))
    if wrong.size:
        row, col = cells[wrong[0]].tolist()
        msg = (
            f"{name} {row, col} of maze {wrong[0]} is outside: "
            f"rows 0..{shape[0] - 1}, cols 0..{shape[1] - 1} (cells)"
        )
        raise ValueError(msg)
    return inside[:, 0] * shape[1] + inside[:, 1]


def place_numbers(batch: MazeBatch, given: Any, name: str) -> NDArray[np.int64]:
    """Return the numbers of one or several existing cells of each maze, shape (n, k)."""
    n = len(batch)
    cells = integers(given, name)
    if cells.shape not in {(2,), (n, 2)} and (
        cells.ndim != 3 or len(cells) != n or not cells.shape[1] or cells.shape[2] != 2
    ):
        msg = (
            f"{name} must be (row, col), for all mazes, or of shape ({n}, 2), one for each maze, or "
            f"({n}, k, 2), several for each, not {cells.shape}"
        )
        raise ValueError(msg)
    if cells.ndim < 3:
        cells = np.broadcast_to(cells, (n, 2))[:, np.newaxis]
    each = [existing_cells(batch, cells[:, i], name) for i in range(cells.shape[1])]
    found: NDArray[np.int64] = np.stack(each, axis=1)
    return np.ascontiguousarray(found[..., 0] * batch.cols + found[..., 1])


def existing_cells(
    batch: MazeBatch, given: NDArray[np.int64], name: str, none: NDArray[np.bool_] | None = None
) -> NDArray[np.int64]:
    """Return an existing cell of each maze, (n, 2), of one cell or one for each; -1 where there is `none`."""
    n, shape = len(batch), batch.shape
    if none is not None and none.any():
        given = np.where(none[:, np.newaxis], 0, given)  # of shape (n, 2) then
    numbers = cell_numbers(given, name, n, shape)
    assert numbers is not None  # noqa: S101  # cells are given
    wrong = np.zeros(n, np.bool_)
    masks = batch.masks
    if masks is not None:
        cells = masks.reshape(n if masks.ndim == 3 else 1, -1)
        wrong = ~cells[np.arange(n) if masks.ndim == 3 else 0, numbers]
    if none is not None:
        wrong &= ~none
    if wrong.any():
        maze = int(wrong.argmax())
        msg = f"{name} {divmod(int(numbers[maze]), shape[1])} is masked out in maze {maze}"
        raise ValueError(msg)
    found: NDArray[np.int64] = np.stack(np.divmod(numbers, shape[1]), axis=1)
    if none is not None:
        found[none] = -1
    return found


def common_numbers(batch: MazeBatch, given: Any, name: str) -> NDArray[np.int64]:
    """Return the numbers of cells that exist in all mazes."""
    shared = maze_from_core(np.zeros(batch.shape, np.uint8), batch.mask)
    numbers = as_search_space(shared).numbers(given, name)
    masks = batch.masks
    if masks is not None and masks.ndim == 3:
        there = masks.reshape(len(masks), -1)[:, numbers]
        if not there.all():
            maze, i = np.argwhere(~there)[0].tolist()
            msg = f"{name} {divmod(int(numbers[i]), batch.cols)} is masked out in maze {maze}"
            raise ValueError(msg)
    return numbers


def batch_ends(batch: MazeBatch | Sequence[Maze]) -> tuple[Ends, Ends]:
    """Return where the paths of each maze begin and end, unless cells are given."""
    if isinstance(batch, MazeBatch):
        return ends_of_many(batch)
    pairs = [ends_of(maze) for maze in batch]
    found = [
        Ends(*(np.array(places, np.int64).reshape(-1, 2) for places in (cells, sites)))
        for cells, sites in (
            ([end.cell for end in ends], [end.site or (-1, -1) for end in ends])
            for ends in ([pair[i] for pair in pairs] for i in (0, 1))
        )
    ]
    return found[0], found[1]


def default_numbers(batch: MazeBatch | Sequence[Maze]) -> NDArray[np.int64]:
    """Return the numbers of the cells where the path of each maze begins and ends, shape (2, n)."""
    cols = batch.cols if isinstance(batch, MazeBatch) else batch[0].cols if batch else 1
    return np.stack([ends.cells @ (cols, 1) for ends in batch_ends(batch)])


def refuse_in_batch(moves: object, road: object) -> None:
    """Refuse what is for arrays: mazes have no diagonal moves and no value of roads."""
    refuse_road(road)
    if integer(moves, "moves") == 8:
        msg = "moves=8 is for arrays: mazes have no diagonal passages; their grids are arrays, x.grids"
        raise TypeError(msg)
    if moves != 4:
        msg = f"moves must be 4 or 8, not {short_repr(moves)}"
        raise ValueError(msg)
