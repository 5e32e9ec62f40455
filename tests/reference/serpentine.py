"""The serpentine, slowly: each row from the side at which the one above ended."""

from __future__ import annotations


def serpentine(rows: int, cols: int) -> list[tuple[int, int]]:
    """Return the cells in the order of the way."""
    return [(row, col if row % 2 == 0 else cols - 1 - col) for row in range(rows) for col in range(cols)]
