"""The exact law of trees made by elimination, in fractions: every choice of the lift, with its probability.

The rule is that of src/core/graph/star_mesh.hpp. A tree on the cells that are left is a set of arrows (from,
to, part): the part is the edge of the graph, or the cell of whose mesh the arrow is.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Edge = tuple[int, int]
Part = tuple[str, int]
Arrow = tuple[int, int, Part]


def law_of_products(
    n: int, edges: Sequence[Edge], weights: Sequence[Fraction]
) -> dict[frozenset[int], Fraction]:
    """Return the spanning trees, each as likely as the product of its weights."""
    law = {}
    for tree in itertools.combinations(range(len(edges)), n - 1):
        group = list(range(n))
        for one, other in (edges[edge] for edge in tree):
            group = [group[one] if g == group[other] else g for g in group]
        if len(set(group)) == 1:
            law[frozenset(tree)] = Fraction(1)
            for edge in tree:
                law[frozenset(tree)] *= weights[edge]
    total = sum(law.values())
    return {tree: product / total for tree, product in law.items()}


class Meshes:
    """The conductances after the elimination of some cells, in order."""

    def __init__(self, edges: Sequence[Edge], weights: Sequence[Fraction], eliminated: Sequence[int]) -> None:
        self.parts: dict[frozenset[int], dict[Part, Fraction]] = defaultdict(dict)
        self.stars: dict[int, dict[int, Fraction]] = {}
        for edge, (one, other) in enumerate(edges):
            if one != other:
                self.parts[frozenset((one, other))]["edge", edge] = weights[edge]
        for cell in eliminated:
            pairs = [p for p in self.parts if cell in p and not p & self.stars.keys()]
            star = {next(iter(p - {cell})): sum(self.parts[p].values(), Fraction()) for p in pairs}
            total = sum(star.values())
            self.stars[cell] = star
            for one, other in itertools.combinations(star, 2):
                self.parts[frozenset((one, other))]["mesh", cell] = star[one] * star[other] / total

    def arrows(self, origin: int, to: int) -> list[tuple[Arrow, Fraction]]:
        """Return what an arrow may be a part of: no mesh of a later cell than the two is between them."""
        parts = self.parts[frozenset((origin, to))]
        total = sum(parts.values())
        return [((origin, to, part), weight / total) for part, weight in parts.items()]


def lifted(
    n: int, edges: Sequence[Edge], weights: Sequence[Fraction], eliminated: Sequence[int]
) -> dict[frozenset[int], Fraction]:
    """Return the law of the trees that elimination makes, of a connected graph without self loops."""
    meshes = Meshes(edges, weights, eliminated)
    left = [cell for cell in range(n) if cell not in eliminated]
    root = left[-1]
    law = _of_what_is_left(meshes, left)
    for cell in reversed(eliminated):
        star = meshes.stars[cell]
        total = sum(star.values())
        grown: dict[frozenset[Arrow], Fraction] = defaultdict(Fraction)
        for tree, probability in law.items():
            to = {origin: (head, part) for origin, head, part in tree}
            along = sorted(origin for origin, (_, part) in to.items() if part == ("mesh", cell))
            heads = {head: weight / total for head, weight in star.items()}
            if along:
                at = last = along[0]
                while at != root:
                    last = at if at in along else last
                    at = to[at][0]
                heads = {to[last][0]: Fraction(1)}
            kept = [arrow for arrow in tree if arrow[0] not in along]
            for head, share in heads.items():
                choices = [meshes.arrows(origin, cell) for origin in along] + [meshes.arrows(cell, head)]
                _add(grown, kept, choices, probability * share)
        law = grown
    out: dict[frozenset[int], Fraction] = defaultdict(Fraction)
    for tree, probability in law.items():
        assert all(kind == "edge" for _, _, (kind, _) in tree)
        out[frozenset(edge for _, _, (_, edge) in tree)] += probability
    return dict(out)


def _of_what_is_left(meshes: Meshes, left: Sequence[int]) -> dict[frozenset[Arrow], Fraction]:
    """Return the law of the arrows to the last cell on the graph that is left."""
    pairs = [p for p in meshes.parts if p <= set(left)]
    numbers = [(left.index(min(p)), left.index(max(p))) for p in pairs]
    products = law_of_products(len(left), numbers, [sum(meshes.parts[p].values(), Fraction()) for p in pairs])
    law: dict[frozenset[Arrow], Fraction] = defaultdict(Fraction)
    for tree, probability in products.items():
        ways: dict[int, int] = {}
        waiting = [left[-1]]
        while waiting:
            cell = waiting.pop()
            for near in (next(iter(pairs[edge] - {cell})) for edge in tree if cell in pairs[edge]):
                if ways.get(cell) != near:
                    ways[near] = cell
                    waiting.append(near)
        _add(law, [], [meshes.arrows(*way) for way in ways.items()], probability)
    return law


def _add(
    law: dict[frozenset[Arrow], Fraction],
    kept: Sequence[Arrow],
    choices: Sequence[Sequence[tuple[Arrow, Fraction]]],
    probability: Fraction,
) -> None:
    """Add every combination of the choices."""
    for chosen in itertools.product(*choices):
        share = probability
        for _, part in chosen:
            share *= part
        law[frozenset([*kept, *(arrow for arrow, _ in chosen)])] += share
