"""Whether two tables are the same to the last bit."""

from __future__ import annotations

import meiro


def same(one: meiro.Table, other: meiro.Table) -> bool:
    """Return whether two tables have the same columns in the same order, NaN equal to itself."""
    return list(one) == list(other) and all(
        one[x].tobytes() == other[x].tobytes() and one[x].dtype == other[x].dtype for x in one
    )
