"""Kruskal as the rule says it, slowly: with the weights given, or drawn with a liking for rows (bias=)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

Wall = tuple[int, int]


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
