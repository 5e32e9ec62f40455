"""Recursive division, slowly."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random


def recursive_division(rows: int, cols: int, room: int, rng: random.Random) -> set[tuple[int, int]]:
    """Return the passages as pairs of area numbers."""
    open_ = {(r * cols + c, r * cols + c + 1) for r in range(rows) for c in range(cols - 1)}
    open_ |= {(r * cols + c, r * cols + c + cols) for r in range(rows - 1) for c in range(cols)}

    def divide(row: int, col: int, height: int, width: int) -> None:
        if min(height, width) < room:
            return
        if height > width or (height == width and rng.random() < 0.5):
            before, gap = rng.randrange(1, height), rng.randrange(width)
            for c in range(col, col + width):
                if c != col + gap:
                    at = (row + before) * cols + c
                    open_.remove((at - cols, at))
            divide(row, col, before, width)
            divide(row + before, col, height - before, width)
        else:
            before, gap = rng.randrange(1, width), rng.randrange(height)
            for r in range(row, row + height):
                if r != row + gap:
                    at = r * cols + col + before
                    open_.remove((at - 1, at))
            divide(row, col, height, before)
            divide(row, col + before, height, width - before)

    divide(0, 0, rows, cols)
    return open_
