"""Rooms and corridors, slowly; the corridors by depth-first search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.backtracker import near

if TYPE_CHECKING:
    import random

Wall = tuple[int, int]


def rooms(  # noqa: C901  # one step after the other, as the rule has them
    rows: int,
    cols: int,
    *,
    tries: int,
    sides: tuple[int, int],
    doors: float,
    remove: bool,
    rng: random.Random,
) -> set[Wall]:
    """Return the passages as pairs of area numbers."""
    walls = [(r * cols + c, r * cols + c + 1) for r in range(rows) for c in range(cols - 1)]
    walls += [(r * cols + c, r * cols + c + cols) for r in range(rows - 1) for c in range(cols)]
    region = [-1] * (rows * cols)
    for number in range(tries):
        height, width = (rng.randint(min(sides[0], whole), min(sides[1], whole)) for whole in (rows, cols))
        row, col = rng.randint(0, rows - height), rng.randint(0, cols - width)
        cells = [r * cols + c for r in range(row, row + height) for c in range(col, col + width)]
        if all(region[cell] < 0 for cell in cells):
            for cell in cells:
                region[cell] = number
    open_ = {(a, b) for a, b in walls if region[a] == region[b] >= 0}
    rooms_ = [number >= 0 for number in region]

    first_corridor = min((cell for cell in range(rows * cols) if region[cell] < 0), default=-1)
    # Corridors: each connected component is a region and a maze of its own.
    for first in range(rows * cols):
        if region[first] < 0:
            part = _part(first, region, rows, cols)
            for cell in part:
                region[cell] = tries + first
            open_ |= _maze(first if first == first_corridor else rng.choice(part), part, rows, cols, rng)

    # Doors: walls between regions in random order, where they part what is not joined.
    joined = {number: {number} for number in region}
    between = [(a, b) for a, b in walls if region[a] != region[b]]
    rng.shuffle(between)
    for a, b in between:
        one, other = joined[region[a]], joined[region[b]]
        if one is not other:
            open_.add((a, b))
            one |= other
            for number in other:
                joined[number] = one
        elif rng.random() < doors:
            open_.add((a, b))

    if remove and any(rooms_):
        for cell in range(rows * cols):
            _close(cell, open_, rooms_)
    return open_


def _part(first: int, region: list[int], rows: int, cols: int) -> list[int]:
    part = [first]
    for at in part:
        part += [to for to in near(at, rows, cols) if region[to] < 0 and to not in part]
    return part


def _maze(start: int, part: list[int], rows: int, cols: int, rng: random.Random) -> set[Wall]:
    open_, seen, stack = set(), {start}, [start]
    while stack:
        choices = [to for to in near(stack[-1], rows, cols) if to in part and to not in seen]
        if not choices:
            stack.pop()
            continue
        to = rng.choice(choices)
        open_.add((min(stack[-1], to), max(stack[-1], to)))
        seen.add(to)
        stack.append(to)
    return open_


def _close(at: int, open_: set[Wall], rooms_: list[bool]) -> None:
    """Close the corridor that ends in a cell, as far as it leads nowhere; the last passage stays."""
    while len(open_) > 1 and not rooms_[at]:
        ways = [wall for wall in open_ if at in wall]
        if len(ways) != 1:
            return
        open_.remove(ways[0])
        at = sum(ways[0]) - at
