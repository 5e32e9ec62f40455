"""Exact laws of the rules that grow trees, on any small graph, by trying every choice they can make.

A rule is a function from a state to the states that may come next, each with its probability. All that is
reached is kept with its exact probability, so that different ways to the same state count once. The laws of
`meiro.exact` come out of it to the last fraction (test_laws.py), and those with a mask or a wrap besides.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    import meiro

Edge = tuple[int, int]
Tree = frozenset[Edge]
Law = dict[Tree, Fraction]


class Graph(NamedTuple):
    """Cells by their area numbers, in order, and for each its neighbours."""

    near: dict[int, tuple[int, ...]]

    @property
    def edges(self) -> list[Edge]:
        """The pairs of neighbours, the smaller number first, in order."""
        return sorted((a, b) for a, others in self.near.items() for b in others if a < b)


class State(NamedTuple):
    """The passages so far, and what else a rule knows: its visited cells, in an order if it needs one."""

    tree: Tree
    cells: tuple[int, ...] | frozenset[int]
    extra: object = None


Next = list[tuple[Fraction, State]]


def graph(mask: NDArray[np.bool_], wrap: tuple[bool, bool] = (False, False)) -> Graph:
    """Return the lattice of a mask."""
    rows, cols = mask.shape
    near: dict[int, tuple[int, ...]] = {}
    for cell in map(int, mask.ravel().nonzero()[0]):
        r, c = divmod(cell, cols)
        found = []
        for row, col in ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)):
            there = (wrap[0] or 0 <= row < rows) and (wrap[1] or 0 <= col < cols)
            if there and mask[row % rows, col % cols]:
                found.append(row % rows * cols + col % cols)
        near[cell] = tuple(found)
    return Graph(near)


def graph_of_lattice(lattice: meiro.Lattice) -> Graph:
    """Return the graph of a lattice without parallel edges."""
    ends = pairwise(lattice.indptr.tolist())
    return Graph({i: tuple(lattice.neighbors[a:b].tolist()) for i, (a, b) in enumerate(ends)})


def law(begin: State, step: Callable[[State], Next]) -> Law:
    """Go on from the beginning by every way until nothing comes next."""
    now, ended = {begin: Fraction(1)}, defaultdict[Tree, Fraction](Fraction)
    while now:
        later = defaultdict[State, Fraction](Fraction)
        for state, p in now.items():
            ways = step(state)
            for share, to in ways:
                later[to] += p * share
            if not ways:
                ended[state.tree] += p
        now = later
    return dict(ended)


def edge(a: int, b: int) -> Edge:
    return min(a, b), max(a, b)


def evenly(states: Iterable[State]) -> Next:
    found = list(states)
    return [(Fraction(1, len(found)), state) for state in found]


def random_mst(g: Graph) -> Law:
    """Walls in uniform order, opened when they part two regions."""
    edges = g.edges

    def step(s: State) -> Next:
        left = [e for e in edges if not joined(s.tree, *e)]
        return evenly(State(s.tree | {e}, frozenset()) for e in left)

    return law(State(frozenset(), frozenset()), step)


def joined(tree: Tree, a: int, b: int) -> bool:
    """Return whether passages lead from `a` to `b`."""
    seen, todo = {a}, [a]
    for at in todo:
        for e in tree:
            if at in e and (to := e[0] + e[1] - at) not in seen:
                seen.add(to)
                todo.append(to)
    return b in seen


def uniform(g: Graph) -> Law:
    """Every set of passages without a loop that joins what can be joined."""
    edges = g.edges
    trees = [frozenset(edges[i] for i in tree) for tree in spanning_forests(edges)]
    return dict.fromkeys(trees, Fraction(1, len(trees)))


def spanning_forests(ends: Sequence[Any]) -> list[tuple[int, ...]]:
    """Return the edge numbers of every spanning forest of a multigraph, by trying every choice."""
    one: list[Any] = []
    for edge in ends:
        one += [edge] * without_loop([*one, edge])
    chosen = combinations(range(len(ends)), len(one))
    return [edges for edges in chosen if without_loop(ends[i] for i in edges)]


def without_loop(passages: Iterable[Any]) -> bool:
    """Return whether no passage joins cells that the others before it join."""
    area: dict[Any, Any] = {}
    for a, b in passages:
        one, other = area.setdefault(a, a), area.setdefault(b, b)
        if one == other:
            return False
        for cell, at in area.items():
            if at == other:
                area[cell] = one
    return True


def elsewhere(g: Graph, visited: Iterable[int]) -> list[int]:
    """Return the cells from which to go on when a part is done: those left that have a neighbour."""
    inside = set(visited)
    return [cell for cell in g.near if cell not in inside and g.near[cell]]


def prim_frontier_cell(g: Graph) -> Law:
    """A uniform cell beside the tree joins a uniform one of its neighbours in the tree."""

    def step(s: State) -> Next:
        frontier = [c for c in g.near if c not in s.cells and any(n in s.cells for n in g.near[c])]
        found = []
        for cell in frontier:
            inside = [n for n in g.near[cell] if n in s.cells]
            share = Fraction(1, len(frontier) * len(inside))
            found += [(share, State(s.tree | {edge(cell, n)}, frozenset({cell, *s.cells}))) for n in inside]
        fresh = elsewhere(g, s.cells)
        return found or evenly(State(s.tree, frozenset({c, *s.cells})) for c in fresh)

    return law(State(frozenset(), frozenset({min(g.near)})), step)


def prim_frontier_edge(g: Graph) -> Law:
    """A uniform one of the walls between the tree and the rest is opened."""

    def step(s: State) -> Next:
        ways = [(a, b) for a in s.cells for b in g.near[a] if b not in s.cells]
        found = [State(s.tree | {edge(a, b)}, frozenset({b, *s.cells})) for a, b in ways]
        return evenly(found or (State(s.tree, frozenset({c, *s.cells})) for c in elsewhere(g, s.cells)))

    return law(State(frozenset(), frozenset({min(g.near)})), step)


def growing(g: Graph, places: Callable[[int], Iterable[int]]) -> Law:
    """Growing tree; `places` of the list of active cells are alike likely."""

    def step(s: State) -> Next:
        visited: frozenset[int] = s.extra  # type: ignore[assignment]  # the cells are the active ones
        active = tuple(s.cells)
        if not active:
            return evenly(State(s.tree, (c,), visited | {c}) for c in elsewhere(g, visited))
        found: Next = []
        at = list(places(len(active)))
        for i in at:
            ways = [n for n in g.near[active[i]] if n not in visited]
            for n in ways:
                to = State(s.tree | {edge(active[i], n)}, (*active, n), visited | {n})
                found.append((Fraction(1, len(at) * len(ways)), to))
            if not ways:
                found.append((Fraction(1, len(at)), State(s.tree, active[:i] + active[i + 1 :], visited)))
        return found

    first = min(g.near)
    return law(State(frozenset(), (first,), frozenset({first})), step)


def hunt_and_kill(g: Graph) -> Law:
    """Walk until stuck; then the first cell beside the tree joins it, and the walk goes on there."""

    def step(s: State) -> Next:
        at = s.extra
        assert isinstance(at, int)
        ways = [n for n in g.near[at] if n not in s.cells]
        if ways:
            return evenly(State(s.tree | {edge(at, n)}, frozenset({n, *s.cells}), n) for n in ways)
        for cell in g.near:
            inside = [n for n in g.near[cell] if n in s.cells]
            if cell not in s.cells and inside:
                seen = frozenset({cell, *s.cells})
                return evenly(State(s.tree | {edge(cell, n)}, seen, cell) for n in inside)
        return evenly(State(s.tree, frozenset({c, *s.cells}), c) for c in elsewhere(g, s.cells))

    first = min(g.near)
    return law(State(frozenset(), frozenset({first}), first), step)


RULES: dict[str, Callable[[Graph], Law]] = {
    "uniform": uniform,
    "random_mst": random_mst,
    "backtracker": lambda g: growing(g, lambda n: [n - 1]),
    "growing_tree_oldest": lambda g: growing(g, lambda _: [0]),
    "growing_tree_random": lambda g: growing(g, range),
    "prim_frontier_cell": prim_frontier_cell,
    "prim_frontier_edge": prim_frontier_edge,
    "hunt_and_kill": hunt_and_kill,
}
