"""Eller's algorithm as the article tells it: numbers in the cells of a row, a counter for new ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = list[int]


@dataclass
class Told:
    """One row: its numbers before and after the joins, and the walls that stand."""

    before: Row
    after: Row
    right: Row
    lower: Row


def told(right: Sequence[Sequence[int]], lower: Sequence[Sequence[int]]) -> list[Told]:
    """Go through all rows. When sets join, all of the right cell's set takes the current cell's number."""
    cols = len(lower[0])
    numbers = list(range(1, cols + 1))
    counter = cols
    out = []
    for row, (put_right, put_lower) in enumerate(zip(right, lower, strict=True)):
        before = numbers.copy()
        walls = [0] * (cols - 1)
        for c in range(cols - 1):
            if put_right[c] or numbers[c] == numbers[c + 1]:
                walls[c] = 1
            else:
                joined = numbers[c + 1]
                numbers = [numbers[c] if n == joined else n for n in numbers]
        if row == len(lower) - 1:
            for c in range(cols - 1):
                if numbers[c] != numbers[c + 1]:
                    walls[c] = 0
                    joined = numbers[c + 1]
                    numbers = [numbers[c] if n == joined else n for n in numbers]
            out.append(Told(before, numbers, walls, [1] * cols))
            return out
        below = [0] * cols
        for c in range(cols):
            others = [k for k in range(cols) if k != c and numbers[k] == numbers[c] and not below[k]]
            below[c] = int(bool(put_lower[c] and others))
        out.append(Told(before, numbers.copy(), walls, below))
        for c in range(cols):
            if below[c]:
                counter += 1
                numbers[c] = counter
    return out


def passages(rows: list[Told]) -> list[list[int]]:
    """Return the open directions, N=1, E=2, S=4, W=8."""
    cols = len(rows[0].lower)
    out = []
    above = [1] * cols
    for row in rows:
        east = [*(1 - w for w in row.right), 0]
        out.append(
            [
                (1 - above[c]) | east[c] << 1 | (1 - row.lower[c]) << 2 | (east[c - 1] << 3 if c else 0)
                for c in range(cols)
            ]
        )
        above = row.lower
    return out
