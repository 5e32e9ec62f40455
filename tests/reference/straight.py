"""One step to a neighbour, with a liking for going straight (run=) and for rows (bias=)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random


def step(at: int, to: int, cols: int, rows: int | None) -> tuple[int, int]:
    """Return how far a neighbour is in rows and columns; with `rows`, both as the lattice wraps."""
    down, right = to // cols - at // cols, to % cols - at % cols
    return (down % rows, right % cols) if rows else (down, right)


def pick(
    came: int | None,
    at: int,
    choices: list[int],
    cols: int,
    *,
    run: float,
    bias: float,
    rng: random.Random,
    rows: int | None = None,
) -> int:
    """Return one of the neighbours `choices` of `at`; `came` is the cell from which `at` was entered, if any.

    The weight of a neighbour is (`bias` if the step is along the row, else 1), times (`run` if it goes on in
    the direction in which `at` was entered, else 1). `rows` is given where the lattice may wrap.
    """
    weights = [
        (bias if to // cols == at // cols else 1)
        * (run if came is not None and step(at, to, cols, rows) == step(came, at, cols, rows) else 1)
        for to in choices
    ]
    return rng.choices(choices, weights)[0]
