"""Recursive backtracker as the rule says it, slowly, with either way of going on after a dead end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random


def near(cell: int, rows: int, cols: int) -> list[int]:
    """Return the neighbours of an area number."""
    row, col = divmod(cell, cols)
    return (
        [cell - cols] * (row > 0)
        + [cell + 1] * (col + 1 < cols)
        + [cell + cols] * (row + 1 < rows)
        + [cell - 1] * (col > 0)
    )


def backtracker(rows: int, cols: int, after_dead_end: str, rng: random.Random) -> set[tuple[int, int]]:
    """Return the passages of one maze, as pairs of area numbers, the smaller one first."""
    at = 0
    carved = [0]  # in the order in which they were
    passages: set[tuple[int, int]] = set()
    while True:
        choices = [cell for cell in near(at, rows, cols) if cell not in carved]
        if choices:
            to = rng.choice(choices)
            passages.add((min(at, to), max(at, to)))
            carved.append(to)
            at = to
            continue
        grow = [cell for cell in carved if any(n not in carved for n in near(cell, rows, cols))]
        if not grow:
            return passages
        at = rng.choice(grow) if after_dead_end == "random" else _newest(grow, at, passages)


def _newest(grow: list[int], dead_end: int, passages: set[tuple[int, int]]) -> int:
    """Return the first cell on the way back from a dead end that can grow."""
    came_from = {dead_end: dead_end}
    todo = [dead_end]
    for cell in todo:
        if cell in grow:
            return cell
        for a, b in passages:
            for here, there in ((a, b), (b, a)):
                if here == cell and there not in came_from:
                    came_from[there] = cell
                    todo.append(there)
    raise AssertionError(grow)
