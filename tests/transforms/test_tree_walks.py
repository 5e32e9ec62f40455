"""Walks on perfect mazes: one and several steps have the exact law of a slow version; what they keep."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import power
import pytest
from periodic_mazes import WRAPS, lattice_of, maze_of
from sampling import check_counts
from scipy.stats import chisquare

import meiro

if TYPE_CHECKING:
    from collections.abc import Callable

Cell = tuple[int, int]
Tree = frozenset[frozenset[Cell]]
Law = dict[Tree, Fraction]

WALKS = {"origin_shift": meiro.origin_shift, "perturb": meiro.perturb}
walks = pytest.mark.parametrize("name", WALKS)

HOLED = np.array([[1, 1, 1, 1], [1, 0, 1, 0], [1, 1, 1, 1]], bool)
# A ring of cells around a ring of none around two cells, whose passage is the only one between them.
NESTED = np.pad(np.pad(np.ones((1, 2), bool), 1), 1, constant_values=True)
PARTS = np.array([[1, 1, 0, 1], [1, 1, 0, 1], [0, 0, 0, 0], [1, 0, 1, 1]], bool)


def tree_of(maze: meiro.Maze) -> Tree:
    return frozenset(frozenset(divmod(cell, maze.cols) for cell in edge) for edge in maze.edges().tolist())


def exchange(graph: nx.Graph[Cell], law: Law) -> Law:
    """One step of `perturb`: a uniform edge leaves, a uniform one between the parts enters."""
    after: Law = defaultdict(Fraction)
    for tree, share in law.items():
        for out in tree:
            rest = nx.Graph([tuple(edge) for edge in tree - {out}])
            rest.add_nodes_from(graph)
            part = nx.node_connected_component(rest, next(iter(out)))
            between = [frozenset(edge) for edge in nx.edge_boundary(graph, part)]
            for edge in between:
                after[tree - {out} | {edge}] += share / len(tree) / len(between)
    return after


def shifts(graph: nx.Graph[Cell], law: Law, steps: int) -> Law:
    """The steps of `origin_shift` of a connected graph, from a root in proportion to its degree."""
    states: dict[tuple[Tree, Cell], Fraction] = defaultdict(Fraction)
    whole = sum(dict(graph.degree).values())
    for tree, share in law.items():
        for root, degree in graph.degree:
            states[tree, root] += share * Fraction(degree, whole)
    for _ in range(steps):
        after: dict[tuple[Tree, Cell], Fraction] = defaultdict(Fraction)
        for (tree, root), share in states.items():
            for to in graph[root]:
                path = nx.shortest_path(nx.Graph([tuple(edge) for edge in tree]), to, root)
                grown = tree - {frozenset(path[:2])} | {frozenset((root, to))}
                after[grown, to] += share / graph.degree[root]
        states = after
    trees: Law = defaultdict(Fraction)
    for (tree, _), share in states.items():
        trees[tree] += share
    return trees


def law_of(name: str, graph: nx.Graph[Cell], tree: Tree, steps: int) -> Law:
    law = {tree: Fraction(1)}
    if name == "origin_shift":
        return shifts(graph, law, steps)
    for _ in range(steps):
        law = exchange(graph, law)
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
    codes, counts = np.unique(moved.passages.reshape(n, -1), axis=0, return_counts=True)
    mazes = [meiro.Maze(code.reshape(maze.shape), mask=maze.mask, wrap=maze.wrap) for code in codes]
    found = Counter(dict(zip(map(tree_of, mazes), counts.tolist(), strict=True)))
    check_counts(found, law_of(name, graph, tree_of(maze), steps), n)


@walks
def test_uniform_mazes_stay_uniform(name: str) -> None:
    mazes = meiro.generate_many((2, 3), "wilson", power.samples(100_000, 30_000), rng=5)
    moved = WALKS[name](mazes, 3, rng=6)
    counts = np.unique(moved.passages.reshape(len(moved), -1), axis=0, return_counts=True)[1]
    assert len(counts) == 15
    assert chisquare(counts).pvalue > power.FALSE_ALARM
    assert (mazes.passages != moved.passages).any()


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
def test_a_walk_of_a_batch_is_that_of_each_maze(name: str) -> None:
    mazes = meiro.generate_many((9, 7), "kruskal", 23, rng=1)
    told: list[tuple[int, int]] = []
    moved = WALKS[name](mazes, 30, rng=2, threads=2, progress=lambda done, total: told.append((done, total)))
    alone = [WALKS[name](maze, 30, rng=meiro.replicate(2, i)) for i, maze in enumerate(mazes)]
    assert list(moved) == alone
    assert moved[3].seed == alone[3].seed
    assert told[-1] == (23 * 63, 23 * 63)


@walks
def test_few_steps_change_few_walls(name: str) -> None:
    maze = meiro.generate((50, 50), "backtracker", rng=1)
    for steps in (1, 5, 40):
        moved = WALKS[name](maze, steps, rng=steps)
        assert len(tree_of(maze) - tree_of(moved)) <= steps


@walks
def test_a_walk_refuses_what_is_not_perfect(name: str) -> None:
    room = meiro.Maze.from_wall_ids((3, 4), [])
    batch = meiro.MazeBatch([meiro.generate((3, 4), rng=1), room])
    with pytest.raises(ValueError, match=r"maze is not perfect .*join_regions"):
        WALKS[name](room, 1)
    with pytest.raises(ValueError, match=r"maze\[1\] is not perfect"):
        WALKS[name](batch, 1)
    with pytest.raises(ValueError, match="steps"):
        WALKS[name](batch[:1], -1)
