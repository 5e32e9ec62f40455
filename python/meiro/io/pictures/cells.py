"""The rows and columns of cells in a picture of walls that was cut to its frame, and each wall between them.

How much of each column is wall has a peak at every line of walls. The number of columns is that of equal
steps, from the first line to the last, whose peaks correlate best with it (Pearson); rows likewise. Where few
walls are on some lines, every second or third may correlate better: steps as short as those of the other axis
go first. Then each wall is voted: the share of its length, between its posts, that is blocked. A picture has
such cells if nearly all votes are clear, and the middles of cells are road, or wall where there is no cell.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro.io.pictures.speckles import road_labels
from meiro.io.pictures.widths import width_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_LEAST_CORRELATION = 0.3
_UNCLEAR = (0.3, 0.7)  # votes between these
_MOST_UNCLEAR = 0.1, 0.03, 0.03  # of all cells, in which marks may be, and of the walls across and down
_SLACK = 0.15  # of a step: how far a wall may be from its line
_HALF = 0.49  # of the lines inside, and more, are in the middle of cells if there are two or more a cell
_FEW = 6  # lines, of which so many may have no wall in a maze
_PEAK = 0.8  # of the best correlation: another that is less is no number of steps
_ALIKE = 1.3  # steps whose ratio is less: cells that are seen as squares


class Cells(NamedTuple):
    """A maze of square cells in a picture.

    Attributes
    ----------
    grid : ndarray of uint8, shape (2 * rows + 1, 2 * cols + 1)
        Walls and roads, one site each.
    down, across : ndarray of float64, shape (rows + 1,) or (cols + 1,)
        The row of each line of walls in the picture, and the column of each.
    thickness : float
        That of walls.
    unclear : int
        The number of walls whose votes are not clear.
    """

    grid: NDArray[np.uint8]
    down: NDArray[np.float64]
    across: NDArray[np.float64]
    thickness: float
    unclear: int

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns of cells."""
        return len(self.down) - 1, len(self.across) - 1

    @property
    def openings(self) -> int:
        """The number of gaps in the frame."""
        grid = self.grid
        return sum(int((side == 0).sum()) for side in (grid[0], grid[-1], grid[:, 0], grid[:, -1]))

    @property
    def connected(self) -> bool:
        """Whether every cell can be reached from every other."""
        return int(road_labels(self.grid).max()) == 1

    @property
    def is_tree(self) -> bool:
        """Whether there is one way from each cell to each other, as in most mazes."""
        inside = self.grid[1:-1, 1:-1] == 0
        cells = int(inside[::2, ::2].sum())
        return self.connected and int(inside.sum()) == 2 * cells - 1


def find_cells(walls: NDArray[np.uint8]) -> Cells | None:
    """Return the cells of a picture that was cut to its frame; None if it has none that are clear."""
    if min(walls.shape) < 3:
        return None
    thickness = max(1.0, width_of(walls, 1))
    found = (voted(walls, down, across, thickness) for down, across in _lines(walls, thickness))
    return next((cells for cells in found if cells is not None), None)


def voted(
    walls: NDArray[np.uint8],
    down: NDArray[np.float64],
    across: NDArray[np.float64],
    thickness: float,
    edge: int = 0,
) -> Cells | None:
    """Return the cells between lines; None if they are not clear.

    Walls may go on around the frame, by `edge` pixels: those of its sides may bend outwards.
    """
    inside = slice(edge, -edge or None)
    middles = _middles(walls[inside, inside], down, across, thickness)
    grid = np.ones((2 * len(down) - 1, 2 * len(across) - 1), np.uint8)
    unclear = [_is_unclear(middles)]
    for x, to, here, there in ((walls, grid, down, across), (walls.T, grid.T, across, down)):
        votes = _votes(x, here + edge, there + edge, thickness)
        to[1::2, ::2] = votes > 0.5
        unclear.append(_is_unclear(votes))
        if len(there) > _FEW and _HALF < (votes[:, 1:-1].max(axis=0) <= 0.5).mean() < 1:
            return None  # as lines are in the middle of cells; all are empty in a maze of straight corridors
    doors = grid[:-1:2, 1::2] & grid[2::2, 1::2] & grid[1::2, :-1:2] & grid[1::2, 2::2]
    grid[1::2, 1::2] = (middles > 0.5) & (doors == 1)  # a dark mark has doors around it
    if any(part.mean() > most for part, most in zip(unclear, _MOST_UNCLEAR, strict=True)):
        return None
    return Cells(grid, down, across, thickness, sum(int(part.sum()) for part in unclear[1:]))


def _is_unclear(votes: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray((votes > _UNCLEAR[0]) & (votes < _UNCLEAR[1]))


def _lines(
    walls: NDArray[np.uint8], thickness: float
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Yield where the middles of lines of walls may be, of rows and of columns, likely ones first."""
    found = [_correlations(walls, axis, thickness) for axis in (1, 0)]
    best = [int(of.argmax()) for of in found]
    if not any(best):
        return
    spans = [size - thickness for size in walls.shape]
    least = min(span / n for span, n in zip(spans, best, strict=True) if n)
    alike = [_number_of_steps(of, n, span, least) for of, n, span in zip(found, best, spans, strict=True)]
    for numbers in (alike, best) if alike != best and all(best) else (alike,):
        down, across = (
            thickness / 2 + span / n * np.arange(n + 1) - 0.5 for span, n in zip(spans, numbers, strict=True)
        )
        yield down, across


def _number_of_steps(correlations: NDArray[np.float64], best: int, span: float, step: float) -> int:
    """Return the best number of steps in a span, or if these are too long one of steps like the given."""
    first, last = int(span / (_ALIKE * step)) + 1, int(span * _ALIKE / step)
    if best >= first:
        return best
    near, square = correlations[first : last + 1], max(1, round(span / step))
    if correlations[square : square + 1].sum() >= _PEAK * near.max(initial=0):
        return square  # also where there is no wall inside
    return first + int(near.argmax())


def _correlations(walls: NDArray[np.uint8], axis: int, thickness: float) -> NDArray[np.float64]:
    """Return how well each number of steps correlates with the walls along an axis; 0 if it does not."""
    profile: NDArray[np.float64] = walls.sum(axis=axis, dtype=np.int64) / walls.shape[axis]
    size = len(profile)
    spread = float(profile.std())
    found = np.zeros(max(1, int((size - thickness) / (thickness + 1)) + 1))
    at = np.arange(size) + 0.5 - thickness / 2
    for n in range(1, len(found)) if spread else ():
        step = (size - thickness) / n
        line = np.abs(at - np.rint(at / step) * step) <= thickness / 2
        share = float(line.mean())
        if not 0 < share < 1:
            continue
        covariance = float(profile[line].mean() - profile.mean()) * share
        correlation = covariance / (spread * (share * (1 - share)) ** 0.5)
        if correlation > _LEAST_CORRELATION:
            found[n] = correlation
    return found


def _votes(
    walls: NDArray[np.uint8],
    down: NDArray[np.float64],
    across: NDArray[np.float64],
    thickness: float,
) -> NDArray[np.float64]:
    """Return which share of each wall on the lines across is blocked, shape (rows, lines)."""
    least = max(1.0, 0.35 * thickness)
    votes = np.empty((len(down) - 1, len(across)))
    spans = [_span(low, high, thickness) for low, high in pairwise(down)]
    first, last = np.array(spans).T
    for line in range(len(across)):
        strip = walls[:, _strip(line, across, thickness)]
        blocked = np.append(0, np.cumsum(strip.sum(axis=1) >= least))
        votes[:, line] = (blocked[last] - blocked[first]) / (last - first)
    return votes


def _strip(line: int, across: NDArray[np.float64], thickness: float) -> slice:
    """Return where walls on a line may be; those of the frame, which may be bent, farther away."""
    step = float(across[1] - across[0])
    bent = line in {0, len(across) - 1}
    slack = reach(step, thickness) if bent else min(_SLACK * step, (step - thickness) / 2)
    x = float(across[line])
    return slice(max(0, round(x - thickness / 2 - slack)), round(x + thickness / 2 + slack) + 1)


def reach(step: float, thickness: float) -> float:
    """Return how far from its line a wall of the frame may be."""
    return min(2 * _SLACK * step, (step - thickness) / 2)


def _span(low: float, high: float, thickness: float) -> tuple[int, int]:
    """Return the places between two lines that are away from the walls on these."""
    away = thickness / 2 + 0.15 * (high - low - thickness)
    first, last = round(low + away + 0.49), round(high - away - 0.49) + 1
    middle = round((low + high) / 2)
    return min(first, middle), max(last, middle + 1)


def _middles(
    walls: NDArray[np.uint8], down: NDArray[Any], across: NDArray[Any], thickness: float
) -> NDArray[np.float64]:
    """Return which share of the middle of each cell is wall."""
    ranges = []
    for lines in (down, across):
        middle, half = (lines[1:] + lines[:-1]) / 2, 0.2 * (lines[1] - lines[0] - thickness)
        first = np.rint(middle - half).astype(np.int64)
        ranges.append((first, np.maximum(np.rint(middle + half).astype(np.int64), first) + 1))
    shares = np.empty((len(down) - 1, len(across) - 1))
    for row, (top, bottom) in enumerate(zip(*(ends.tolist() for ends in ranges[0]), strict=True)):
        sums = np.append(0, np.cumsum(walls[top:bottom].sum(axis=0, dtype=np.int64)))
        first, last = ranges[1]
        shares[row] = (sums[last] - sums[first]) / ((bottom - top) * (last - first))
    return shares


def mend(walls: NDArray[np.uint8], cells: Cells) -> None:
    """Close the gaps in walls, and take out what lies in passages, so that pictures and votes agree."""
    _close_and_open(walls, cells.grid, cells.down, cells.across, cells.thickness)
    _close_and_open(walls.T, cells.grid.T, cells.across, cells.down, cells.thickness)


def _close_and_open(
    walls: NDArray[np.uint8],
    grid: NDArray[np.uint8],
    down: NDArray[np.float64],
    across: NDArray[np.float64],
    thickness: float,
) -> None:
    """Mend the walls on lines across."""
    width = walls.shape[1]
    posts = np.rint(down).astype(np.int64)
    posts[0], posts[-1] = 0, len(walls) - 1
    spans = [_span(low, high, thickness) for low, high in pairwise(down)]
    for line, x in enumerate(across.tolist()):
        at = 0 if line == 0 else width - 1 if line == len(across) - 1 else round(x)
        border = line in {0, len(across) - 1}
        for row, span in enumerate(spans):
            first, last = span
            strip = walls[first:last, _strip(line, across, thickness)]
            low, high = posts[row], posts[row + 1] + 1
            if grid[2 * row + 1, 2 * line]:
                if border or not strip.any(axis=1).all():
                    walls[low:high, at] = 1
                continue
            strip[:] = 0
            if border:  # one opening, as wide as it is around its middle
                while first > low and not walls[first - 1, at]:
                    first -= 1
                while last < high and not walls[last, at]:
                    last += 1
                walls[low:first, at] = walls[last:high, at] = 1


def sites_of(walls: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the sites of a drawing whose corridors and walls have widths of their own; else the drawing."""
    found = find_cells(walls)
    if found is None:
        return walls
    thickness = round(found.thickness)
    drawn = found.grid
    for axis, (size, n) in enumerate(zip(walls.shape, found.shape, strict=True)):
        corridor, rest = divmod(size - thickness * (n + 1), n)
        if rest:
            return walls
        drawn = drawn.repeat([thickness, *[corridor, thickness] * n], axis=axis)
    return found.grid if np.array_equal(drawn, walls) else walls
