"""Kruskal as the rule says it, slowly: with the weights given, or drawn with a liking for rows (bias=).

And its walls in the plane, one by one (`in_forest`).
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from meiro import _core

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Sequence

    from meiro import Seed

Wall = tuple[int, int]
PlaneWall = tuple[int, int, bool]  # to the south (True) or to the east of cell (row, col)
WORD = 1 << 64


def walls(rows: int, cols: int, wrap: tuple[bool, bool] = (False, False)) -> list[Wall]:
    """Return the two area numbers that each wall parts, left or upper one first, in the order of the ids."""
    cell = [[row * cols + col for col in range(cols)] for row in range(rows)]
    return (
        [(cell[r][c], cell[r][c + 1]) for r in range(rows) for c in range(cols - 1)]
        + [(cell[r][c], cell[r + 1][c]) for r in range(rows - 1) for c in range(cols)]
        + [(cell[r][-1], cell[r][0]) for r in range(rows) if wrap[1]]
        + [(cell[-1][c], cell[0][c]) for c in range(cols) if wrap[0]]
    )


def kruskal(between: Sequence[Wall], weights: Sequence[float]) -> set[int]:
    """Return the ids of the walls that are opened: the lightest first, ties by the lower id."""
    area = {cell: cell for wall in between for cell in wall}
    opened = set()
    for wall in sorted(range(len(between)), key=lambda wall: (weights[wall], wall)):
        a, b = (area[cell] for cell in between[wall])
        if a != b:
            opened.add(wall)
            area = {cell: a if label == b else label for cell, label in area.items()}
    return opened


def biased(rows: int, cols: int, bias: float, rng: random.Random) -> set[Wall]:
    """Return the passages of one maze whose walls across a row weigh `bias` times less."""
    between = walls(rows, cols)
    weights = [rng.random() / (bias if b == a + 1 else 1) for a, b in between]
    return {between[wall] for wall in kruskal(between, weights)}


@functools.lru_cache(1 << 18)
def weight(seed: Seed, row: int, col: int, south: bool) -> int:  # noqa: FBT001
    """Return the weight of a wall: a word of `meiro.generate`, rows and columns as two's complement."""
    word = (2 * col + south) % WORD
    return int(_core.random_words((*seed.key, seed.replicate, row % WORD), 1, word, 1)[0])


def beside(row: int, col: int) -> Iterator[tuple[tuple[int, int], PlaneWall]]:
    """Yield the cells beside a cell, and the walls between."""
    yield (row, col + 1), (row, col, False)
    yield (row + 1, col), (row, col, True)
    yield (row - 1, col), (row - 1, col, True)
    yield (row, col - 1), (row, col - 1, False)


def posts_beside(row: int, col: int) -> Iterator[tuple[tuple[int, int], PlaneWall]]:
    """Yield the posts beside a post, and the walls between; post (r, c) is north-west of cell (r, c)."""
    yield (row, col + 1), (row - 1, col, True)
    yield (row + 1, col), (row, col - 1, False)
    yield (row - 1, col), (row - 1, col - 1, False)
    yield (row, col - 1), (row - 1, col - 1, True)


def search(
    start: Any, goal: Any, near: Callable[..., Any], may: Callable[[PlaneWall], bool]
) -> Iterator[bool | None]:
    """Yield None for each place that is visited, then whether the goal was found."""
    seen, queue = {start}, [start]
    for place in queue:
        yield None
        for other, wall in near(*place):
            if other not in seen and may(wall):
                if other == goal:
                    yield True
                seen.add(other)
                queue.append(other)
    yield False


def in_forest(seed: Seed, row: int, col: int, south: bool) -> bool:  # noqa: FBT001
    """Return whether a wall opens in the minimal spanning forest of the plane.

    It does if walls that are heavier connect its two posts, and does not if lighter ones connect its two
    cells. Both are searched for, a step at a time.
    """

    def key(wall: PlaneWall) -> tuple[object, ...]:
        r, c, s = wall
        return weight(seed, r, c, s), s, r, c

    own = key((row, col, south))
    cells = search((row, col), (row + south, col + (not south)), beside, lambda wall: key(wall) < own)
    first, second = ((row + 1, col), (row, col + 1))[not south], (row + 1, col + 1)
    posts = search(first, second, posts_beside, lambda wall: key(wall) > own)
    while True:
        lighter, heavier = next(cells), next(posts)
        assert not (lighter and heavier)
        if lighter or heavier is False:
            return False
        if heavier or lighter is False:
            return True
