"""The order in which chunks are merged, and the rectangles that come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")


def merge_all(grid: Sequence[Sequence[T]], merge: Callable[[T, T], T]) -> T:
    """Merge neighbours two by two until one is left; the second lies to the right of the first, or below."""
    while len(grid) > 1 or len(grid[0]) > 1:
        across = len(grid[0]) >= len(grid)
        lines = grid if across else list(zip(*grid, strict=True))
        merged = [
            [merge(*line[j : j + 2]) if j + 1 < len(line) else line[j] for j in range(0, len(line), 2)]
            for line in lines
        ]
        grid = merged if across else list(zip(*merged, strict=True))
    return grid[0][0]
