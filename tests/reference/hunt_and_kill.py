"""Hunt and kill as the rule says it, slowly, with both ways of hunting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.backtracker import near
from reference.straight import pick

if TYPE_CHECKING:
    import random


def hunt_and_kill(
    rows: int,
    cols: int,
    hunt: str,
    rng: random.Random,
    *,
    run: float = 1,
    bias: float = 1,
    start: int = 0,
    wrap: tuple[bool, bool] = (False, False),
) -> set[tuple[int, int]]:
    """Return the passages of one maze, as pairs of area numbers, the smaller one first.

    Walk from `start` to unvisited neighbours until there is none. Then hunt for an unvisited cell next to a
    visited one: the first in row-major order, or with hunt="random_row" the first from the left in a row that
    is uniform among those that have such a cell. It is joined to a uniform visited neighbour, whatever `run`
    and `bias` are, and the walk begins anew there, without a direction.
    """
    at = start
    came: int | None = None
    visited = {at}
    passages: set[tuple[int, int]] = set()
    while True:
        choices = [cell for cell in near(at, rows, cols, wrap) if cell not in visited]
        if choices:
            came, at = at, pick(came, at, choices, cols, run=run, bias=bias, rng=rng, rows=rows)
            passages.add((min(came, at), max(came, at)))
        else:
            rim = [
                cell
                for cell in range(rows * cols)
                if cell not in visited and any(n in visited for n in near(cell, rows, cols, wrap))
            ]
            if not rim:
                return passages
            if hunt == "random_row":
                row = rng.choice(sorted({cell // cols for cell in rim}))
                rim = [cell for cell in rim if cell // cols == row]
            came, at = None, rim[0]
            to = rng.choice([cell for cell in near(at, rows, cols, wrap) if cell in visited])
            passages.add((min(at, to), max(at, to)))
        visited.add(at)
