"""Walks on perfect mazes: one and several steps have the exact law of a slow version; what they keep."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import power
import pytest
from periodic_mazes import WRAPS, lattice_of, maze_of
from reference.exact import spanning_forests
from refusals import refused
from sampling import check_counts, codes

import meiro

Cell = tuple[int, int]
Tree = frozenset[int]  # numbers of edges
Law = dict[Tree, Fraction]

WALKS: dict[str, Any] = {"origin_shift": meiro.origin_shift, "perturb": meiro.perturb}
walks = pytest.mark.parametrize("name", WALKS)

HOLED = np.array([[1, 1, 1, 1], [1, 0, 1, 0], [1, 1, 1, 1]], bool)
# A ring of cells around a ring of none around two cells, whose passage is the only one between them.
NESTED = np.pad(np.pad(np.ones((1, 2), bool), 1), 1, constant_values=True)
PARTS = np.array([[1, 1, 0, 1], [1, 1, 0, 1], [0, 0, 0, 0], [1, 0, 1, 1]], bool)


def tree_of(maze: meiro.Maze) -> frozenset[frozenset[Cell]]:
    return frozenset(frozenset(divmod(cell, maze.cols) for cell in edge) for edge in maze.edges().tolist())


def exchange(ends: list[Any], law: Law) -> Law:
    """One step of `perturb`: a uniform edge leaves, a uniform one between the parts enters."""
    after: Law = defaultdict(Fraction)
    for tree, share in law.items():
        for out in tree:
            rest = nx.MultiGraph([ends[edge] for edge in tree - {out}])
            rest.add_nodes_from(itertools.chain(*ends))
            part = nx.node_connected_component(rest, ends[out][0])
            between = [edge for edge, (a, b) in enumerate(ends) if (a in part) != (b in part)]
            for edge in between:
                after[tree - {out} | {edge}] += share / len(tree) / len(between)
    return after


def shifts(ends: list[Any], tree: Tree, steps: int) -> Law:
    """The steps of `origin_shift` of a connected graph, from a root in proportion to its degree."""
    degrees = Counter(itertools.chain.from_iterable((a, b) for a, b in ends if a != b))
    states = {(tree, root): Fraction(degree, degrees.total()) for root, degree in degrees.items()}
    for _ in range(steps):
        after: dict[tuple[Tree, Any], Fraction] = defaultdict(Fraction)
        for (now, root), share in states.items():
            for edge, (a, b) in enumerate(ends):
                if a == b or root not in {a, b}:
                    continue
                to = b if a == root else a
                graph = nx.Graph((*ends[one], {"edge": one}) for one in now)
                first, second, *_ = nx.shortest_path(graph, to, root)
                after[now - {graph[first][second]["edge"]} | {edge}, to] += share / degrees[root]
        states = after
    trees: Law = defaultdict(Fraction)
    for (now, _), share in states.items():
        trees[now] += share
    return trees


def law_of(name: str, ends: list[Any], tree: Tree, steps: int) -> Law:
    """The law of trees, by the numbers of their edges, after some steps from one."""
    if name == "origin_shift":
        return shifts(ends, tree, steps)
    law = {tree: Fraction(1)}
    for _ in range(steps):
        law = exchange(ends, law)
    return law


@pytest.mark.laws
@pytest.mark.parametrize(
    ("name", "which", "steps"),
    [
        *itertools.product(WALKS, ["rectangle", "masked", "cylinder"], [1, 2, 5]),
        *itertools.product(WALKS, ["torus"], [1, 2]),
        ("perturb", "nested", 1),  # origin_shift would walk in both components
        ("perturb", "nested", 2),
    ],
)
def test_steps_have_the_exact_law(name: str, which: str, steps: int) -> None:
    begins: dict[str, Callable[[], meiro.Maze]] = {
        "rectangle": lambda: meiro.generate((3, 3), "spiral", rng=1),
        "nested": lambda: meiro.generate(NESTED.shape, "backtracker", mask=NESTED, rng=5),
        "masked": lambda: meiro.generate((3, 4), "backtracker", mask=HOLED, rng=2),
        "torus": lambda: meiro.generate((3, 3), "wilson", wrap=(True, True), rng=3),
        "cylinder": lambda: meiro.generate((2, 4), "wilson", wrap=(False, True), rng=4),
    }
    maze = begins[which]()
    graph = lattice_of(maze.shape, maze.wrap)
    if maze.mask is not None:
        graph = graph.subgraph(map(tuple, np.argwhere(maze.mask).tolist())).copy()
    n = power.samples(200_000)
    batch = meiro.MazeBatch.from_passages(
        np.repeat(maze.passages[np.newaxis], n, axis=0), mask=maze.mask, wrap=maze.wrap
    )
    moved = WALKS[name](batch, steps, rng=17 + steps)
    _, at, counts = np.unique(codes(moved.passages), return_index=True, return_counts=True)
    ends = list(graph.edges)
    number = {frozenset(edge): i for i, edge in enumerate(ends)}
    first, *trees = (frozenset(map(number.__getitem__, tree_of(each))) for each in (maze, *moved[at]))
    found = Counter(dict(zip(trees, counts.tolist(), strict=True)))
    check_counts(found, law_of(name, ends, first, steps), n)


LATTICES = {
    "hexagons": meiro.lattices.hexagonal(side=2),
    "parallel edges": meiro.Lattice(4, [(0, 1), (1, 0), (1, 2), (2, 0), (2, 2), (2, 3), (3, 0)]),
    "parts": meiro.Lattice(
        8, [(0, 1), (1, 2), (2, 0), (2, 0), (3, 3), (4, 5), (5, 6), (6, 7), (7, 4), (4, 6)]
    ),
}


@pytest.mark.laws
@walks
@pytest.mark.parametrize("which", LATTICES)
def test_uniform_mazes_of_any_graph_stay_uniform(name: str, which: str) -> None:
    lattice = LATTICES[which]
    trees = [*map(frozenset, spanning_forests(lattice.edges.tolist()))]
    n = power.samples(100_000, 20_000)
    mazes = meiro.generate_many(lattice, "wilson", n, rng=5)
    moved = WALKS[name](mazes, 3, rng=6, threads=2)
    found = Counter(frozenset(np.flatnonzero(edges).tolist()) for edges in moved.open)
    check_counts(found, dict.fromkeys(trees, Fraction(1, len(trees))), n)
    assert (mazes.open != moved.open).any()


@pytest.mark.laws
@walks
@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize("which", ["hexagons", "parallel edges"])
def test_steps_on_a_graph_have_the_exact_law(name: str, which: str, steps: int) -> None:
    lattice = LATTICES[which]
    maze = meiro.generate(lattice, "backtracker", rng=1)
    tree = frozenset(maze.edge_ids().tolist())
    law = law_of(name, lattice.edges.tolist(), tree, steps)
    n = power.samples(100_000, 20_000)
    moved = WALKS[name](meiro.GraphBatch([maze] * n), steps, rng=3)
    numbers = moved.open @ (1 << np.arange(lattice.n_edges))
    _, at, counts = np.unique(numbers, return_index=True, return_counts=True)
    trees = (frozenset(np.flatnonzero(edges).tolist()) for edges in moved.open[at])
    check_counts(Counter(dict(zip(trees, counts.tolist(), strict=True))), law, n)


@walks
def test_walks_on_lattices(name: str) -> None:
    for lattice in (meiro.lattices.polar(6), meiro.lattices.box(3, 4, 5), *LATTICES.values()):
        maze = meiro.with_ends(meiro.generate(lattice, "kruskal", rng=1), np.array([0, lattice.n_cells - 1]))
        moved = WALKS[name](maze, 60, rng=2)
        assert moved.is_perfect
        assert (moved.start, moved.goal) == (maze.start, maze.goal)
        assert WALKS[name](maze, 0, rng=2) == maze
        few = WALKS[name](maze, 1, rng=3)
        assert (few.open != maze.open).sum() <= 2 * lattice.n_components
        many = meiro.GraphBatch([maze, moved, few])
        assert list(WALKS[name](many, 5, rng=4, threads=2)) == [
            WALKS[name](one, 5, rng=meiro.replicate(4, i)) for i, one in enumerate(many)
        ]
    with pytest.raises(ValueError, match="maze is not perfect"):
        WALKS[name](meiro.GraphMaze(meiro.lattices.square(2, 2), [0, 1, 2, 3]), 1)


@walks
@pytest.mark.parametrize("wrap", WRAPS)
def test_a_walk_keeps_mazes_perfect(name: str, wrap: tuple[bool, bool]) -> None:
    for seed, shape in enumerate([(3, 3), (3, 40), (17, 23), (64, 65)]):
        maze = maze_of(lattice_of(shape, wrap), shape, wrap)
        maze = meiro.with_ends(meiro.join_regions(meiro.remove_islands(maze, rng=seed), rng=seed), "farthest")
        moved = WALKS[name](maze, 100, rng=seed)
        assert moved.is_perfect
        assert moved != maze
        assert (moved.wrap, moved.start, moved.goal) == (maze.wrap, maze.start, maze.goal)
        assert WALKS[name](maze, 0, rng=seed) == maze


@walks
def test_each_component_of_a_mask_has_its_own_walk(name: str) -> None:
    maze = meiro.generate(PARTS.shape, "wilson", mask=PARTS, rng=1)
    moved = WALKS[name](maze, 50, rng=2)
    assert moved.is_perfect
    assert moved.mask is not None
    assert np.array_equal(moved.mask, PARTS)
    alone = meiro.generate((1, 1), "wilson")
    assert WALKS[name](alone, 50, rng=2) == alone


@walks
def test_a_walk_refuses_what_is_not_perfect(name: str) -> None:
    room = meiro.Maze.from_wall_ids((3, 4), [])
    batch = meiro.MazeBatch([meiro.generate((3, 4), rng=1), room])
    refused(ValueError, r"maze is not perfect .*join_regions", WALKS[name], room, 1)
    refused(ValueError, r"maze\[1\] is not perfect", WALKS[name], batch, 1)
    refused(ValueError, "steps", WALKS[name], batch[:1], -1)
