"""The spiral and the serpentine, slowly."""

from __future__ import annotations


def spiral(rows: int, cols: int) -> list[tuple[int, int]]:
    """Return the cells in order: go straight on; where that is not possible, turn right."""
    row, col, down, right = 0, 0, 0, 1
    way = [(0, 0)]
    while len(way) < rows * cols:
        ahead = (row + down, col + right)
        if not (0 <= ahead[0] < rows and 0 <= ahead[1] < cols) or ahead in way:
            down, right = right, -down
            continue
        row, col = ahead
        way.append(ahead)
    return way


def serpentine(rows: int, cols: int) -> list[tuple[int, int]]:
    """Return the cells in order: each row from the side at which the one above ended."""
    return [(row, col if row % 2 == 0 else cols - 1 - col) for row in range(rows) for col in range(cols)]
