"""Recursive backtracker as the rule says it, slowly, with either way of going on after a dead end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.straight import pick

if TYPE_CHECKING:
    import random


def near(cell: int, rows: int, cols: int, wrap: tuple[bool, bool] = (False, False)) -> list[int]:
    """Return the neighbours of an area number."""
    row, col = divmod(cell, cols)
    around = [(row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)]
    return [
        r % rows * cols + c % cols
        for r, c in around
        if (wrap[0] or 0 <= r < rows) and (wrap[1] or 0 <= c < cols)
    ]


def backtracker(
    rows: int,
    cols: int,
    after_dead_end: str,
    rng: random.Random,
    *,
    run: float = 1,
    bias: float = 1,
    start: int = 0,
    wrap: tuple[bool, bool] = (False, False),
) -> set[tuple[int, int]]:
    """Return the passages of one maze, as pairs of area numbers, the smaller one first.

    Every cell but the start keeps the direction in which it was entered, for `run`, after a dead end as well.
    """
    at = start
    carved: dict[int, int | None] = {at: None}  # in the order in which they were; where each came from
    passages: set[tuple[int, int]] = set()
    while True:
        choices = [cell for cell in near(at, rows, cols, wrap) if cell not in carved]
        if choices:
            to = pick(carved[at], at, choices, cols, run=run, bias=bias, rng=rng, rows=rows)
            passages.add((min(at, to), max(at, to)))
            carved[to] = at
            at = to
            continue
        grow = [cell for cell in carved if any(n not in carved for n in near(cell, rows, cols, wrap))]
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
