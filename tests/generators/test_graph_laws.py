"""Every generator on graphs follows its law: against all trees of small graphs, by the rule tried out."""

from __future__ import annotations

from functools import cache
from typing import Any

import networkx as nx
import numpy as np
import power
import pytest
from reference.exact import RULES, graph_of_lattice
from reference_graphs import GRAPHS, MULTIGRAPH
from sampling import Law, check_law, check_same_law, p_value, samples

import meiro
from meiro.lattices import from_graph, hexagonal, square, triangular

LATTICES = GRAPHS | {
    "hexagons": hexagonal(2, 3),
    "triangles": triangular(2, 4),
    "ring": meiro.lattices.polar(1, first=4),
}
RANDOM = [
    graph
    for seed in range(60)
    if nx.is_connected(graph := nx.gnp_random_graph(6, 0.5, seed=seed)) and graph.number_of_edges() > 5
][:20]
LAWS: dict[str, tuple[str, dict[str, Any]]] = {
    "wilson": ("uniform", {}),
    "aldous_broder": ("uniform", {}),
    "origin_shift": ("uniform", {}),
    "kruskal": ("random_mst", {}),
    "backtracker": ("backtracker", {"start": 0}),
    "growing_tree_oldest": ("growing_tree_oldest", {"start": 0, "choose": "oldest"}),
    "growing_tree_random": ("growing_tree_random", {"start": 0, "choose": "random"}),
    "prim_frontier_cell": ("prim_frontier_cell", {"start": 0}),
    "prim_frontier_edge": ("prim_frontier_edge", {"start": 0}),
    "hunt_and_kill": ("hunt_and_kill", {"start": 0}),
}


def algorithm_of(name: str) -> str:
    return "growing_tree" if name.startswith("growing_tree") else name


@cache
def law_of(law: str, lattice: meiro.Lattice) -> Law:
    """Return the law of a rule on a lattice without parallel edges; a tree has a bit for each edge."""
    if law == "uniform":
        trees = np.array([maze.open for maze in meiro.enumerate_mazes(lattice)])
        return Law((1, len(lattice)), codes(trees), np.full(len(trees), 1 / len(trees)))
    bits = {(min(edge), max(edge)): 1 << i for i, edge in enumerate(map(tuple, lattice.edges.tolist()))}
    found = RULES[law](graph_of_lattice(lattice))
    trees = np.array([sum(bits[edge] for edge in tree) for tree in found])
    return Law((1, len(lattice)), trees, np.array([float(p) for p in found.values()]))


def codes(passages: Any) -> Any:
    return passages @ (1 << np.arange(passages.shape[1], dtype=np.int64))


def drawn(name: str, lattice: meiro.Lattice, n: int, **options: Any) -> Any:
    return codes(meiro.generate_many(lattice, algorithm_of(name), n, rng=11, **options).open)


# Too many states for the rules that are tried out.
LARGE = {("growing_tree_random", graph) for graph in LATTICES if LATTICES[graph].n_edges > 8}
CASES = [(name, graph) for name in LAWS for graph in LATTICES if (name, graph) not in LARGE]


@pytest.mark.laws
@pytest.mark.parametrize(("name", "graph"), CASES)
def test_law_on_a_graph(name: str, graph: str) -> None:
    lattice = LATTICES[graph]
    law, options = LAWS[name]
    exact = law_of(law, lattice)
    check_law(drawn(name, lattice, samples(400_000, exact), **options), exact)


@pytest.mark.laws
@pytest.mark.parametrize("number", range(20))
def test_uniform_and_minimum_trees_of_random_graphs(number: int) -> None:
    lattice = from_graph(RANDOM[number])
    for name in ("wilson", "aldous_broder", "origin_shift", "kruskal"):
        exact = law_of(LAWS[name][0], lattice)
        check_law(drawn(name, lattice, samples(100_000, exact)), exact)


@pytest.mark.laws
def test_biased_samplers_are_rejected() -> None:
    exact = law_of("uniform", LATTICES["3 x 3"])
    for name in ("kruskal", "backtracker", "hunt_and_kill", "growing_tree_random", "prim_frontier_cell"):
        assert p_value(drawn(name, LATTICES["3 x 3"], samples(400_000, exact)), exact) < power.FALSE_ALARM


@pytest.mark.laws
@pytest.mark.parametrize("name", ["wilson", "aldous_broder"])
@pytest.mark.parametrize("lattice", [LATTICES["K5"], LATTICES["hexagons"], MULTIGRAPH], ids=str)
@pytest.mark.parametrize("unit", [1, 5e-324])  # the least number, whose halves are 0 or 1
def test_conductances_follow_the_matrix_tree_theorem(name: str, lattice: meiro.Lattice, unit: float) -> None:
    weights = np.array([1 + i % 4 for i in range(lattice.n_edges)], float)
    trees = np.array([maze.open for maze in meiro.enumerate_mazes(lattice)])
    shares = np.where(trees, weights, 1).prod(axis=1)
    exact = Law((1, len(lattice)), codes(trees), shares / shares.sum())
    n = samples(400_000, exact)
    check_law(drawn(name, lattice, n, weights=unit * weights), exact)
    assert p_value(drawn(name, lattice, n), exact) < power.FALSE_ALARM


@pytest.mark.laws
@pytest.mark.parametrize("name", ["wilson", "aldous_broder", "origin_shift", "kruskal"])
def test_parallel_edges_are_told_apart(name: str) -> None:
    law = meiro.law(MULTIGRAPH, "kruskal" if name == "kruskal" else "uniform")
    exact = Law((1, 4), codes(np.array([maze.open for maze in law])), np.array([*map(float, law.values())]))
    check_law(drawn(name, MULTIGRAPH, samples(400_000, exact)), exact)


MASK = np.array([[1, 1, 0, 1], [1, 0, 0, 1], [1, 1, 0, 1]], bool)
OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("backtracker", {"after_dead_end": "random"}),
    ("backtracker", {"run": 3.0}),
    ("backtracker", {"start": "random"}),
    ("hunt_and_kill", {"run": 0.3}),
    ("growing_tree", {"choose": "middle"}),
    ("growing_tree", {"choose": {"newest": 2, "random": 1, "oldest": 1}}),
    ("growing_tree", {"choose": {"newest": 1, "random": 1}, "run": 3.0}),
    ("growing_forest", {"trees": 2}),
    ("growing_forest", {"trees": 3, "choose": "random"}),
    ("growing_forest", {}),
    ("percolation", {"p": 0.3}),
    ("prim_frontier_cell", {"start": "random"}),
]


def square_codes(batch: meiro.MazeBatch) -> Any:
    shape = batch.shape
    walls = meiro.wall_cells(shape, np.arange(shape[0] * (shape[1] - 1) + (shape[0] - 1) * shape[1]))
    row, col = np.divmod(walls[:, 0], shape[1])
    bits = batch.passages[:, row, col] & np.where(walls[:, 1] - walls[:, 0] == 1, 2, 4)
    return codes(bits != 0)


@pytest.mark.laws
@pytest.mark.parametrize(("name", "options"), OPTIONS, ids=str)
def test_options_have_the_law_of_the_square_core(name: str, options: dict[str, Any]) -> None:
    n = power.samples(100_000)
    one = drawn(name, LATTICES["2 x 3"], n, **options)
    other = square_codes(meiro.generate_many((2, 3), name, n, rng=12, **options))
    check_same_law(one, other)


@pytest.mark.laws
@pytest.mark.parametrize("name", [f.name for f in meiro.ALGORITHMS.values() if f.graphs and f.perfect])
def test_parts_have_the_law_of_masks(name: str) -> None:
    n = power.samples(100_000)
    lattice = square(*MASK.shape).mask(np.flatnonzero(MASK))
    assert lattice.n_components == 2
    batch = meiro.generate_many(lattice, name, n, rng=11)
    assert all(maze.is_perfect for maze in batch[:20])
    inside = np.flatnonzero(MASK.reshape(-1)[square(*MASK.shape).edges].all(axis=1))
    whole = np.zeros((n, square(*MASK.shape).n_edges), bool)
    whole[:, inside] = batch.open
    other = square_codes(meiro.generate_many(MASK.shape, name, n, rng=12, mask=MASK))
    check_same_law(codes(whole), other)


@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (7, 1), (9, 2), (4, 9), (31, 17)])
@pytest.mark.parametrize("name", ["kruskal", "prim", "boruvka"])
def test_square_lattices_have_the_mazes_of_shapes(name: str, shape: tuple[int, int]) -> None:
    lattice = square(*shape)
    rng = np.random.default_rng(2)
    for weights in (None, rng.integers(0, 5, lattice.n_edges)):
        options: dict[str, Any] = {} if weights is None else {"weights": weights}
        for seed in range(5):
            maze = meiro.generate(shape, name, rng=seed, **options)
            passages = meiro.generate(lattice, name, rng=seed, **options)
            assert np.array_equal(np.flatnonzero(~passages.open), maze.wall_ids())


@pytest.mark.parametrize("name", [f.name for f in meiro.ALGORITHMS.values() if f.graphs])
def test_every_kind_of_graph(name: str) -> None:
    star = from_graph(nx.star_graph(50))
    wheel = from_graph(nx.wheel_graph(40))
    parts = from_graph(nx.disjoint_union_all([nx.path_graph(1), nx.cycle_graph(3), nx.wheel_graph(30)]))
    perfect = meiro.ALGORITHMS[name].perfect
    for lattice in (star, wheel, parts, MULTIGRAPH, meiro.Lattice(1, []), meiro.Lattice(3, [(1, 1)])):
        alone = meiro.generate_many(lattice, name, 20, rng=3)
        assert alone == meiro.generate_many(lattice, name, 20, rng=3, threads=2)
        assert all(maze.is_perfect for maze in alone) or not perfect
        assert not alone.open[:, lattice.edges[:, 0] == lattice.edges[:, 1]].any()


def test_steps_move_the_root_of_a_search_tree() -> None:
    lattice = LATTICES["3 x 3"]
    still = meiro.generate(lattice, "origin_shift", start=4, steps=0)
    assert np.array_equal(still.open, meiro.spanning_tree(lattice, "breadth_first", root=4, n=1)[0])
    for steps in (1, 2, 50):
        assert meiro.generate(lattice, "origin_shift", steps=steps, rng=1).is_perfect


def test_run_makes_straight_passages() -> None:
    lattice = hexagonal(30, 30)
    shares = []
    for run in (0.01, 1.0, 100.0):
        maze = meiro.generate(lattice, "backtracker", rng=1, run=run)
        two = np.bincount(maze.edges().reshape(-1), minlength=len(lattice)) == 2
        ends = lattice.positions[lattice.edges[maze.open]]  # type: ignore[index]
        steps = ends[:, 1] - ends[:, 0]
        lines = np.round(np.degrees(np.arctan2(steps[:, 1], steps[:, 0])) % 180) % 180
        first: dict[int, float] = {}
        straight = []
        for (one, other), line in zip(maze.edges().tolist(), lines.tolist(), strict=True):
            for cell in (one, other):
                if two[cell] and cell in first:
                    straight.append(first[cell] == line)
                first[cell] = line
        shares.append(np.mean(straight))
    assert shares[0] < shares[1] < shares[2]
    with pytest.raises(ValueError, match="run needs to know which step goes straight on"):
        meiro.generate(LATTICES["K5"], "backtracker", run=2)
