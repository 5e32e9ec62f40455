"""Origin shift as the rule says it, slowly: arrows that all lead to a root, and a root that walks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.backtracker import near

if TYPE_CHECKING:
    import random


def origin_shift(rows: int, cols: int, steps: int, rng: random.Random) -> set[tuple[int, int]]:
    """Return the passages of one maze, as pairs of area numbers, the smaller one first.

    At first every cell points at the one west of it, those of column 0 at the one north, and the root is cell
    0. In a step the root points at a uniform neighbour, which becomes the root and loses its arrow. A lone
    cell has no neighbour and stays.
    """
    arrow = {cell: cell - 1 if cell % cols else cell - cols for cell in range(1, rows * cols)}
    root = 0
    for _ in range(steps if rows * cols > 1 else 0):
        to = rng.choice(near(root, rows, cols))
        arrow[root] = to
        del arrow[to]
        root = to
    return {(min(pair), max(pair)) for pair in arrow.items()}
