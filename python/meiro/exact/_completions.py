"""The number of perfect mazes that agree with a partial decision of the walls.

How many perfect mazes continue a partial decision depends on which cells of the row are connected already.
Of the undecided walls `ForestCompletions` keeps an integer matrix over the cells of that row: its Laplacian
after the elimination of all later cells, times their determinant (E. H. Bareiss, Math. Comp. 22 (1968) 565,
doi:10.1090/S0025-5718-1968-0226829-0; every division is without remainder). With connected cells merged,
elimination goes on to the number itself: at most side^3 / 6 operations a wall, with side the shorter one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Wall = tuple[int, int, bool]
"""The row and column of a cell, and whether it is its wall to the row before, or to the cell before."""


class ForestCompletions:
    """The undecided walls, as an electrical network seen from the row that is being decided.

    `scale` is the determinant of the later cells, `response` the matrix.
    """

    __slots__ = ("response", "scale")

    def __init__(self, response: list[list[int]], scale: int) -> None:
        self.response, self.scale = response, scale

    def toggle_wall(self, col: int, sign: int) -> None:
        """Add (1) or remove (-1) the edge between a cell and the cell before."""
        a, change = self.response, sign * self.scale
        a[col - 1][col - 1] += change
        a[col][col] += change
        a[col - 1][col] -= change
        a[col][col - 1] -= change

    def eliminate_cell(self, col: int) -> None:
        """Replace a cell of the row by the cell above, and eliminate it."""
        a, scale = self.response, self.scale
        own = a[col]
        pivot = own[col] + scale
        for i, line in enumerate(a):
            if i != col:
                factor = own[i]
                a[i] = [(pivot * x - factor * y) // scale for x, y in zip(line, own, strict=True)]
                a[i][col] = factor
        self.scale = pivot

    def restore_cell(self, col: int) -> None:
        """Undo `eliminate_cell`."""
        a, pivot = self.response, self.scale
        own = a[col]
        scale = pivot - own[col]
        for i, line in enumerate(a):
            if i != col:
                factor = own[i]
                a[i] = [(scale * x + factor * y) // pivot for x, y in zip(line, own, strict=True)]
                a[i][col] = factor
        self.scale = scale

    def count_completions(self, label: list[int]) -> int:
        """Return the number of spanning trees if cells with the same label are connected already."""
        groups = {own: i for i, own in enumerate(set(label) - {label[-1]})}
        size = len(groups)
        m = [[0] * size for _ in range(size)]
        places = [groups.get(own, -1) for own in label]
        for i, line in zip(places, self.response, strict=True):
            if i >= 0:
                into = m[i]
                for j, x in zip(places, line, strict=True):
                    if j >= 0:
                        into[j] += x
        before = self.scale
        for k, top in enumerate(m):
            pivot = top[k]
            if pivot == 0:  # these cells are separated from the rest
                return 0
            for i in range(k + 1, size):
                line, factor = m[i], top[i]
                for j in range(i, size):  # it stays symmetric
                    line[j] = (pivot * line[j] - factor * top[j]) // before
            before = pivot
        return before


@lru_cache(maxsize=16)
def initial_response(rows: int, cols: int) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Return the response and scale of `ForestCompletions` before any decision."""
    rest = ForestCompletions([[0] * cols for _ in range(cols)], 1)
    for row in range(rows - 1, -1, -1):
        for col in range(cols - 1, -1, -1):
            if col > 0:
                rest.toggle_wall(col, 1)
            if row > 0:
                rest.eliminate_cell(col)
    return tuple(map(tuple, rest.response)), rest.scale


def decide(rows: int, cols: int, choose: Callable[[Wall, int], bool]) -> None:
    """Decide all walls in order: `choose(wall, standing)` returns whether the wall is open.

    `standing` is the number of mazes that agree so far and have the wall. A wall that all of them have is
    closed without asking.
    """
    response, scale = initial_response(rows, cols)
    rest = ForestCompletions([list(line) for line in response], scale)
    label = list(range(cols))
    left, fresh = rest.count_completions(label), cols
    for row, col, above in walls_of(rows, cols):
        if above:
            rest.restore_cell(col)
            alone = label.count(label[col]) == 1
            opened = left if alone else rest.count_completions(label)
            if choose((row, col, above), left - opened):
                left = opened
            else:
                label[col], fresh, left = fresh, fresh + 1, left - opened
        else:
            rest.toggle_wall(col, -1)
            if label[col - 1] == label[col]:
                continue
            joined = [label[col] if own == label[col - 1] else own for own in label]
            opened = rest.count_completions(joined)
            if choose((row, col, above), left - opened):
                label, left = joined, opened
            else:
                left -= opened


def walls_of(rows: int, cols: int) -> Iterator[Wall]:
    """Iterate over the walls in the order of ranks."""
    for row in range(rows):
        for col in range(cols):
            if row > 0:
                yield row, col, True
            if col > 0:
                yield row, col, False
