"""The one rule for where a path begins and ends: given cells, else openings, else the first and last cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from meiro.mazes._grid import MazeArrays
from meiro.mazes._openings import cells_beside

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell, Shape


class _Maze(MazeArrays, Protocol):
    """A `Maze`: what its ends depend on."""

    @property
    def start(self) -> Cell | None: ...
    @property
    def goal(self) -> Cell | None: ...


class End(NamedTuple):
    """The cell where a path begins or ends, and the site of the opening there, if that is why."""

    cell: Cell
    site: Cell | None = None


class Ends(NamedTuple):
    """Cells of many mazes, (n, 2), and the sites of the openings there, (n, 2), -1 for none."""

    cells: NDArray[np.int64]
    sites: NDArray[np.int64]


def ends_of(maze: _Maze) -> tuple[End, End]:
    """Return where the paths of a maze begin and end.

    A start or goal that was given; else the first opening, or the last one if there are two or more; else
    the first or last cell.
    """
    rows, cols = shape = maze.passages.shape[0], maze.passages.shape[1]
    sites = maze.openings
    given = [maze.start, maze.goal]
    ends: list[End] = []
    for i, cell in enumerate(given):
        if cell is not None:
            ends.append(End(cell))
        elif len(sites) > i:
            site = sites[-i]
            (row, col), (r, c) = site.tolist(), cells_beside(site, shape, maze.mask).tolist()
            ends.append(End((r, c), (row, col)))
        elif maze.mask is None:
            ends.append(End((rows - 1, cols - 1) if i else (0, 0)))
        else:
            ends.append(End(divmod(_extreme(maze.mask.reshape(-1), i), cols)))
    return ends[0], ends[1]


def _extreme(exists: NDArray[np.bool_], last: int) -> int:
    """Return the number of the first or the last cell."""
    return exists.size - 1 - int(exists[::-1].argmax()) if last else int(exists.argmax())


def ends_of_many(
    passages: NDArray[np.uint8],
    masks: NDArray[np.bool_] | None,
    openings: NDArray[np.int64] | None,
    starts: NDArray[np.int64] | None = None,
    goals: NDArray[np.int64] | None = None,
) -> tuple[Ends, Ends]:
    """Return where the paths of each maze of a batch begin and end, as `ends_of`."""
    n, shape = len(passages), (passages.shape[1], passages.shape[2])
    counts = np.zeros(n, np.int64) if openings is None else (openings[..., 0] >= 0).sum(axis=1)
    found = []
    for i, given in enumerate((starts, goals)):
        cells = _corner_cells(masks, n, shape)[i].copy()
        sites = np.full((n, 2), -1, np.int64)
        none = np.ones(n, np.bool_) if given is None else given[:, 0] < 0
        opened = np.flatnonzero(none & (counts > i))
        if openings is not None and len(opened):
            sites[opened] = openings[opened, counts[opened] - 1 if i else 0]
            own = masks[opened] if masks is not None and masks.ndim == 3 else masks
            at = sites[opened][:, np.newaxis]
            cells[opened] = cells_beside(at, shape, own)[:, 0]
        if given is not None:
            cells[~none] = given[~none]
        found.append(Ends(cells, sites))
    return found[0], found[1]


def _corner_cells(masks: NDArray[np.bool_] | None, n: int, shape: Shape) -> NDArray[np.int64]:
    """Return the first and the last cell of each maze, (2, n, 2)."""
    return np.stack(np.divmod(corners_many(masks, n, shape), shape[1]), axis=2)


def corners_many(masks: NDArray[np.bool_] | None, n: int, shape: Shape) -> NDArray[np.int64]:
    """Return the numbers of the first and the last cell of each maze, (2, n)."""
    size = shape[0] * shape[1]
    if masks is None:
        return np.broadcast_to(np.array([[0], [size - 1]]), (2, n))
    cells = masks.reshape(-1, size)
    return np.broadcast_to(np.stack([cells.argmax(axis=1), size - 1 - cells[:, ::-1].argmax(axis=1)]), (2, n))
