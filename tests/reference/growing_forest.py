"""Growing forest as the rule says it, slowly: trees that grow by turns, and are joined at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.backtracker import near
from reference.growing_tree import Choose, place

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping


def growing_forest(
    rows: int, cols: int, trees: int, choose: Choose | Mapping[Choose, float], rng: random.Random
) -> set[tuple[int, int]]:
    """Return the passages of one maze, as pairs of area numbers, the smaller one first.

    `trees` different cells are drawn, each set equally likely. The trees take turns, 0 to trees - 1 again and
    again. A turn is one step of growing tree on the tree's own list: a cell is carved, or one is removed from
    the list. A tree with an empty list has no turn. In the end the walls between different trees, in uniform
    order, are opened where they still part two.
    """
    active = [[cell] for cell in rng.sample(range(rows * cols), trees)]
    tree = {cells[0]: number for number, cells in enumerate(active)}
    passages: set[tuple[int, int]] = set()
    while any(active):
        for number, cells in enumerate(active):
            if not cells:
                continue
            i = place(cells, choose, rng)
            at = cells[i]
            choices = [cell for cell in near(at, rows, cols) if cell not in tree]
            if not choices:
                del cells[i]
                continue
            to = rng.choice(choices)
            passages.add((min(at, to), max(at, to)))
            tree[to] = number
            cells.append(to)
    walls = [(a, b) for a in range(rows * cols) for b in near(a, rows, cols) if a < b and tree[a] != tree[b]]
    rng.shuffle(walls)
    for a, b in walls:
        if tree[a] != tree[b]:
            passages.add((a, b))
            joined = tree[b]
            tree = {cell: tree[a] if number == joined else number for cell, number in tree.items()}
    return passages
