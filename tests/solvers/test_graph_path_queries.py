"""Distances, components and questions about paths on graphs, compared with networkx and squares."""

from __future__ import annotations

import itertools
import math

import networkx as nx
import numpy as np
import pytest
from reference_graphs import multigraph, random_graph_mazes
from refusals import refused

import meiro
from meiro import GraphMaze, Lattice, NoPathError

pytestmark = pytest.mark.sanitize

MAZES = list(random_graph_mazes(seed=9))


@pytest.mark.parametrize("maze", MAZES[::2], ids=repr)
def test_any_graph(maze: GraphMaze) -> None:
    graph = multigraph(maze)
    rng = np.random.default_rng(maze.n_cells)
    sources = rng.integers(0, maze.n_cells, 3).tolist()
    nearest = nx.multi_source_dijkstra_path_length(graph, set(sources))
    distances = meiro.distances(maze, sources)
    assert distances.tolist() == [nearest.get(cell, -1) for cell in range(maze.n_cells)]

    labels, n = meiro.components(maze)
    parts = sorted(map(sorted, nx.connected_components(graph)))
    assert n == len(parts)
    for number, part in enumerate(parts, 1):
        assert np.flatnonzero(labels == number).tolist() == part

    steps = meiro.policy(maze, sources)
    for cell in range(maze.n_cells):
        nearer = [c for c in graph[cell] if distances[c] == distances[cell] - 1]
        if nearer:
            assert steps[cell] in nearer
        else:
            assert steps[cell] == -1

    start, goal = rng.integers(0, maze.n_cells, 2).tolist()
    if nx.has_path(graph, start, goal):
        check_paths(maze, graph, start, goal)
    else:
        for query in (meiro.shortest_paths, meiro.all_shortest_paths, meiro.bottlenecks):
            refused(NoPathError, "no path", query, maze, start, goal)

    found = meiro.longest_path(maze, exact=True)
    lengths = dict(nx.all_pairs_shortest_path_length(graph))
    diameter = max(max(to.values()) for to in lengths.values())
    assert found.length == found.at_most == diameter == len(found.path) - 1
    assert all(graph.has_edge(*pair) for pair in itertools.pairwise(found.path.tolist()))
    quick = meiro.longest_path(maze)
    assert quick.length <= diameter <= quick.at_most
    assert lengths[quick.start][quick.goal] == quick.length


def check_paths(maze: GraphMaze, graph: nx.MultiGraph[int], start: int, goal: int) -> None:
    expected = sorted(
        path
        for path in map(list, nx.all_shortest_paths(nx.Graph(graph), start, goal))
        for _ in range(math.prod(graph.number_of_edges(*pair) for pair in itertools.pairwise(path)))
    )
    found = meiro.shortest_paths(maze, start, goal)
    assert (found.count, found.length) == (len(expected), len(expected[0]) - 1)
    assert set(np.flatnonzero(found.mask).tolist()) == set(itertools.chain.from_iterable(expected))
    assert sorted(path.tolist() for path in meiro.all_shortest_paths(maze, start, goal)) == expected
    cuts = [
        cell
        for cell in graph
        if cell not in {start, goal} and not nx.has_path(graph.subgraph(set(graph) - {cell}), start, goal)
    ]
    between = meiro.bottlenecks(maze, start, goal).tolist()
    assert sorted(between) == sorted(cuts)
    steps = nx.single_source_shortest_path_length(graph, start)
    assert between == sorted(between, key=steps.__getitem__)


def test_counts_of_any_size() -> None:
    lattice = meiro.lattices.square(80, 80)
    room = GraphMaze(lattice, np.ones(lattice.n_edges, bool))
    assert meiro.shortest_paths(room).count == math.comb(158, 79)
    edges = [(i, i + 1) for i in range(40) for _ in range(9)]
    many = GraphMaze(Lattice(41, edges), np.ones(len(edges), bool))
    assert meiro.shortest_paths(many).count == 9**40


def test_distances_into_out() -> None:
    maze = meiro.generate(meiro.lattices.square(1, 200), "wilson", rng=1)
    out = np.empty(200, np.int16)
    assert meiro.distances(maze, out=out) is out
    assert out.tolist() == list(range(200))
    refused(ValueError, "does not fit out= of int8", meiro.distances, maze, out=np.empty(200, np.int8))
    refused(TypeError, "takes no moves=", meiro.distances, maze, moves=8)
