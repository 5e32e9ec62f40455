"""Long work on arrays, band by band: Python handles Ctrl-C between two calls of NumPy, never within one.

What takes less than 0.3 s for 100 million bytes (a comparison, a copy, ``table[array]``) works on all.
Bands are for what takes longer: text, floating point, sorting, matrices; and for what would need temporary
arrays of many bytes an item (``table.take(array)`` needs eight, ``table[array]`` none).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

BAND = 1 << 19  # items: some milliseconds of work


def bands(n: int, width: int = 1) -> Iterator[slice]:
    """Yield slices of `n` rows of `width` items, at most `BAND` items (or one row) at a time."""
    rows = max(1, BAND // max(1, width))
    for first in range(0, n, rows):
        yield slice(first, min(first + rows, n))
