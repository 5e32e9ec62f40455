"""Walls of endless mazes, one by one: slow and obvious."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from meiro import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from meiro import Seed

Wall = tuple[int, int, bool]  # to the south (True) or to the east of cell (row, col)
WORD = 1 << 64


@functools.lru_cache(1 << 18)
def weight(seed: Seed, row: int, col: int, south: bool) -> int:  # noqa: FBT001
    """Return the weight of a wall: a word of `meiro.generate`, rows and columns as two's complement."""
    word = (2 * col + south) % WORD
    return int(_core.random_words((*seed.key, seed.replicate, row % WORD), 1, word, 1)[0])


def beside(row: int, col: int) -> Iterator[tuple[tuple[int, int], Wall]]:
    """Yield the cells beside a cell, and the walls between."""
    yield (row, col + 1), (row, col, False)
    yield (row + 1, col), (row, col, True)
    yield (row - 1, col), (row - 1, col, True)
    yield (row, col - 1), (row, col - 1, False)


def posts_beside(row: int, col: int) -> Iterator[tuple[tuple[int, int], Wall]]:
    """Yield the posts beside a post, and the walls between; post (r, c) is north-west of cell (r, c)."""
    yield (row, col + 1), (row - 1, col, True)
    yield (row + 1, col), (row, col - 1, False)
    yield (row - 1, col), (row - 1, col - 1, False)
    yield (row, col - 1), (row - 1, col - 1, True)


def search(
    start: Any, goal: Any, near: Callable[..., Any], may: Callable[[Wall], bool]
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

    def key(wall: Wall) -> tuple[object, ...]:
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
