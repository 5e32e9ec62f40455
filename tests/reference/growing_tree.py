"""Growing tree as the rule says it, slowly: a list of active cells, one of which is chosen each step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from reference.backtracker import near
from reference.straight import pick

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

Choose = Literal["newest", "oldest", "random", "middle"]


def place(active: list[int], choose: Choose | Mapping[Choose, float], rng: random.Random) -> int:
    """Return the place in the list of the cell to look at; weights are drawn from anew each step."""
    if not isinstance(choose, str):
        choose = rng.choices(list(choose), list(choose.values()))[0]
    places = {"newest": len(active) - 1, "oldest": 0, "middle": len(active) // 2}
    return rng.randrange(len(active)) if choose == "random" else places[choose]


def growing_tree(
    rows: int,
    cols: int,
    choose: Choose | Mapping[Choose, float],
    rng: random.Random,
    *,
    run: float = 1,
    bias: float = 1,
    start: tuple[int, int] = (0, 0),
) -> set[tuple[int, int]]:
    """Return the passages of one maze, as pairs of area numbers, the smaller one first.

    The list starts as one cell. A step chooses a cell of it. If it has unvisited neighbours, one is carved
    and appended at the end; if not, the cell is removed, and the others keep their order. "middle" is the
    place len(active) // 2, the later of the two of an even list. Every cell but the first keeps the direction
    in which it was entered, for `run`.
    """
    first = start[0] * cols + start[1]
    came: dict[int, int | None] = {first: None}
    active = [first]
    passages: set[tuple[int, int]] = set()
    while active:
        i = place(active, choose, rng)
        at = active[i]
        choices = [cell for cell in near(at, rows, cols) if cell not in came]
        if not choices:
            del active[i]
            continue
        to = pick(came[at], at, choices, cols, run=run, bias=bias, rng=rng)
        passages.add((min(at, to), max(at, to)))
        came[to] = at
        active.append(to)
    return passages
