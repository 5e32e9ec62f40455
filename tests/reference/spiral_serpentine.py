"""The spiral, slowly: go straight on; where that is not possible, turn right."""

from __future__ import annotations


def spiral(rows: int, cols: int) -> list[tuple[int, int]]:
    """Return the cells in the order of the way."""
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
