"""Solvers that fill dead ends: what remains of the maze, by networkx."""

from __future__ import annotations

from typing import Any, TypeAlias

import networkx as nx
import numpy as np
import pytest
from arbitrary_mazes import some_array, some_maze
from numpy.typing import NDArray
from reference.filling import on_shortest, without_blind_alleys, without_dead_ends
from reference_graphs import graph_of

import meiro
from meiro import Maze, NoPathError
from meiro._utils.square import Cell

Graph: TypeAlias = "nx.Graph[Cell]"

FILLERS = [name for name, facts in meiro.SOLVERS.items() if facts.fills]


def without_cul_de_sacs(graph: Graph, ends: list[Cell]) -> Graph:
    """Rings of which all places but one lead on in the ring only are taken away, one after the other."""
    graph = graph.subgraph(nx.node_connected_component(graph, ends[0])).copy()
    while True:
        graph = without_dead_ends(graph, ends)
        for block in nx.biconnected_components(graph):
            meets = [n for n in block if graph.degree[n] > 2 or n in ends]
            if graph.subgraph(block).number_of_edges() == len(block) and len(meets) < 2:
                graph.remove_nodes_from(block - set(meets))
                break
        else:
            return graph


def remains(x: Any, ends: list[Cell], algorithm: str) -> set[Cell]:
    """Solve, and look at what is there on every side: the path, what was explored and in which order."""
    solution = meiro.solve(x, ends[0], ends[1:], algorithm=algorithm, visit_order=True)
    assert solution.remains is not None
    assert solution.visit_order is not None
    assert solution.remains.dtype == bool
    assert solution.length == meiro.solve(x, ends[0], ends[1:]).length
    assert solution.remains[tuple(solution.path.T)].all()
    assert ((solution.visit_order >= 0) == solution.explored).all()
    seen = solution.visit_order[solution.explored]
    assert sorted(seen) == list(range(seen.size))
    filled = solution.explored & ~solution.remains
    if filled.any():  # first all is filled, then a way is looked for in what remains
        assert sorted(solution.visit_order[filled]) == list(range(1, filled.sum() + 1))
    return {(int(r), int(c)) for r, c in np.argwhere(solution.remains)}


def judge(x: Maze | NDArray[np.uint8], ends: list[Cell]) -> None:
    graph = graph_of(x)
    graph.add_nodes_from(ends)
    if not any(nx.has_path(graph, ends[0], goal) for goal in ends[1:]):
        for algorithm in FILLERS:
            with pytest.raises(NoPathError):
                meiro.solve(x, ends[0], ends[1:], algorithm=algorithm)
        return
    dead, sacs, alleys, short = (
        remains(x, ends, name)
        for name in ("dead_end_filling", "cul_de_sac_filling", "blind_alley_filling", "collision")
    )
    if ends[0] in ends[1:]:
        assert dead == sacs == alleys == short == {ends[0]}
        return
    assert dead == set(without_dead_ends(graph, ends))
    assert sacs == set(without_cul_de_sacs(graph, ends)) | set(ends)
    assert alleys == without_blind_alleys(graph, ends) | set(ends)
    assert short == on_shortest(graph, ends) | set(ends)
    assert dead >= sacs >= alleys >= short


def some_ends(roads: NDArray[np.bool_], seed: int) -> list[Cell]:
    rng = np.random.default_rng(seed)
    places = rng.choice(np.argwhere(roads), 2 + int(rng.integers(3)) * (seed % 2))
    return [(int(r), int(c)) for r, c in places]


@pytest.mark.parametrize("block", range(10))
def test_filling_remains_of_arrays(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        walls = some_array(seed)[:16, :16]
        judge(walls, some_ends(walls == 0, seed))


@pytest.mark.parametrize("block", range(10))
def test_filling_remains_of_mazes(block: int) -> None:
    for seed in range(30 * block, 30 * block + 30):
        maze = some_maze(seed)
        judge(maze, some_ends(maze.grid[1::2, 1::2] == 0, seed))


def test_filling_of_blind_alleys_leaves_every_path() -> None:
    """Every path that repeats nothing, one by one: no site of them is filled, and all others are."""
    for seed in range(60):
        walls = (np.random.default_rng(seed).random((4, 6)) < 0.25).astype(np.uint8)
        walls[0, 0] = walls[3, 5] = 0
        graph = graph_of(walls)
        paths = [set(path) for path in nx.all_simple_paths(graph, (0, 0), (3, 5))]
        if paths:
            assert remains(walls, [(0, 0), (3, 5)], "blind_alley_filling") == set().union(*paths)


def test_filling_facts() -> None:
    assert sorted(FILLERS) == ["blind_alley_filling", "collision", "cul_de_sac_filling", "dead_end_filling"]
    for name in FILLERS:
        facts = meiro.SOLVERS[name]
        assert facts.shortest
        assert facts.complete
        assert facts.solutions == ("all shortest" if name == "collision" else "all")
