"""Prim by the frontier of cells as the rule says it, slowly, from any start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.backtracker import near

if TYPE_CHECKING:
    import random


def prim_frontier_cell(rows: int, cols: int, start: int | None, rng: random.Random) -> set[tuple[int, int]]:
    """Return the passages of one maze, as pairs of area numbers, the smaller one first.

    From `start`, or a uniform cell: a uniform cell beside the tree joins a uniform neighbour in the tree.
    """
    tree = {rng.randrange(rows * cols) if start is None else start}
    passages: set[tuple[int, int]] = set()
    while len(tree) < rows * cols:
        frontier = [c for c in range(rows * cols) if c not in tree and tree & set(near(c, rows, cols))]
        cell = rng.choice(frontier)
        to = rng.choice([c for c in near(cell, rows, cols) if c in tree])
        passages.add((min(cell, to), max(cell, to)))
        tree.add(cell)
    return passages
