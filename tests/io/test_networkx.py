from __future__ import annotations

import gc
from typing import Any, NoReturn

import networkx as nx
import numpy as np
import pytest
from arbitrary_mazes import ROUND, loose_maze, loose_mazes
from hypothesis import given
from matplotlib.figure import Figure
from periodic_mazes import lattice_of
from refusals import refused
from scipy.sparse import csgraph
from some_lattices import LATTICES
from timing import best, seconds

import meiro
from meiro.io import networkx

MAZES = loose_mazes(7)


@given(MAZES)
def test_networkx_there_and_back(maze: meiro.Maze) -> None:
    found = maze.to_networkx()
    there = np.ones((maze.rows, maze.cols), bool) if maze.mask is None else maze.mask
    assert list(found) == [(int(r), int(c)) for r, c in np.argwhere(there)]
    assert all(str(own) == str({"x": float(c), "y": float(r)}) for (r, c), own in found.nodes(data=True))
    numbers = {tuple(sorted((a * maze.cols + b, c * maze.cols + d))) for (a, b), (c, d) in found.edges}
    assert numbers == {tuple(sorted(pair)) for pair in maze.edges().tolist()}
    assert meiro.Maze.from_networkx(found, shape=(maze.rows, maze.cols), wrap=maze.wrap) == maze


def test_networkx_of_a_mask_takes_the_smallest_shape_unless_told() -> None:
    maze = meiro.generate(algorithm="backtracker", mask=np.pad(ROUND, ((0, 2), (0, 3))), rng=1)
    assert meiro.Maze.from_networkx(maze.to_networkx()).passages.shape == (9, 9)
    assert meiro.Maze.from_networkx(maze.to_networkx(), shape=(11, 12)) == maze


def graph_of(*edges: tuple[Any, Any], nodes: Any = ()) -> nx.Graph[Any]:
    made: nx.Graph[Any] = nx.Graph(edges)
    made.add_nodes_from(nodes)
    return made


def test_networkx_of_other_graphs_is_refused_with_the_place() -> None:
    for made, shape, error, words in (
        (graph_of(), None, ValueError, "no nodes"),
        (graph_of(nodes=[3]), None, TypeError, "a node must be a pair of integers, not 3"),
        (graph_of(nodes=[(0, 0), ("a", 1)]), None, TypeError, r"must be a pair of integers, not \('a', 1\)"),
        (graph_of(nodes=[(0, 0.5)]), None, TypeError, r"a node must be a pair of integers, not \(0, 0.5\)"),
        (graph_of(nodes=[(0, 0), (-1, 2)]), None, ValueError, r"node \(-1, 2\) is negative"),
        (graph_of(nodes=[(0, -(10**30))]), None, ValueError, "is negative"),
        (graph_of(nodes=[(0, 0), (2, 1)]), (2, 2), ValueError, r"node \(2, 1\) is outside the shape \(2, 2"),
        (graph_of(((0, 0), (1, 1))), None, ValueError, r"edge \(0, 0\) - \(1, 1\) does not join"),
        (graph_of(((0, 0), (0, 0))), None, ValueError, r"edge \(0, 0\) - \(0, 0\) does not join"),
        (graph_of(((0, 2), (1, 0)), nodes=[(0, 0)]), None, ValueError, r"edge \(0, 2\) - \(1, 0\)"),
        (graph_of(nodes=[(10**40, 0)]), None, MemoryError, "no memory"),
        (graph_of(nodes=[(10**8, 10**7)]), None, MemoryError, "no memory"),
        (graph_of(nodes=[(10**7, 10**7)]), None, MemoryError, "bytes"),
    ):
        refused(error, words, meiro.Maze.from_networkx, made, shape=shape)


def test_networkx_takes_numpy_integers_and_parallel_edges() -> None:
    made: nx.MultiGraph[Any] = nx.MultiGraph()
    one, other = (np.int64(0), np.int64(0)), (np.int64(0), np.int64(1))
    made.add_edges_from([(one, other), (other, one)])
    assert meiro.Maze.from_networkx(made).passages.tolist() == [[2, 8]]


@given(MAZES)
def test_sparse_matrix_is_the_adjacency_matrix_and_makes_the_maze(maze: meiro.Maze) -> None:
    matrix = maze.to_sparse()
    matrix.check_format(full_check=True)
    expected = np.zeros(matrix.shape)
    for one, other in maze.edges().tolist():
        expected[one, other] = expected[other, one] = 1
    assert np.array_equal(matrix.toarray(), expected)
    assert matrix.has_sorted_indices
    assert meiro.Maze.from_sparse(maze.shape, matrix, mask=maze.mask, wrap=maze.wrap) == maze


la = meiro.lattices
lattices = pytest.mark.parametrize("name", sorted({*LATTICES} - {"labels"}))  # None is no node


@lattices
def test_networkx_has_names_numbers_and_places(name: str) -> None:
    lattice = LATTICES[name]
    maze = meiro.braid(meiro.generate(lattice, "wilson", rng=7), rng=1)
    graph = maze.to_networkx()
    assert nx.utils.graphs_equal(graph, nx.node_link_graph(nx.node_link_data(graph)))
    names = range(maze.n_cells) if lattice.labels is None else lattice.labels
    assert list(graph) == list(names)
    ends = sorted((*sorted(map(list(names).index, edge[:2])), edge[2]) for edge in graph.edges(data="id"))
    wanted = zip(np.sort(maze.edges(), axis=1).tolist(), maze.edge_ids().tolist(), strict=True)
    assert ends == sorted((*pair, number) for pair, number in wanted)
    if lattice.positions is not None:
        places = [[own[axis] for axis in "xyz" if axis in own] for _, own in graph.nodes(data=True)]
        assert places == lattice.positions.tolist()
        assert {type(at) for place in places for at in place} == {float}


@lattices
def test_lattices_there_and_back(name: str) -> None:
    lattice = LATTICES[name]
    for maze in (meiro.generate(lattice, "wilson", rng=7), meiro.GraphMaze(lattice, []), every(lattice)):
        made = meiro.GraphMaze
        assert made.from_networkx(maze.to_networkx(), lattice=lattice) == maze
        assert (made.from_sparse(lattice, maze.to_sparse()).to_sparse() != maze.to_sparse()).nnz == 0
        again = made.from_edges(lattice, maze.edges())
        assert np.array_equal(np.sort(again.edges(), axis=1), np.sort(maze.edges(), axis=1))
        alone = made.from_networkx(maze.to_networkx())
        assert alone.open.all()
        assert alone.lattice.n_edges == len(maze.edges())
        assert alone.lattice.labels == lattice.labels
        assert np.array_equal(alone.lattice.positions, lattice.positions)  # type: ignore[arg-type]


def every(lattice: meiro.Lattice) -> meiro.GraphMaze:
    return meiro.GraphMaze(lattice, lattice.edges[:, 0] != lattice.edges[:, 1])


def test_edges_that_are_closed_are_walls() -> None:
    graph = nx.grid_2d_graph(2, 3)
    graph.edges[(0, 0), (0, 1)]["open"] = False
    graph.edges[(0, 1), (0, 2)]["open"] = 1
    assert len(meiro.Maze.from_networkx(graph).edges()) == 6
    maze = meiro.GraphMaze.from_networkx(graph)
    assert maze.lattice.n_edges == 7
    assert maze.lattice.edges[~maze.open].tolist() == [[0, 1]]
    graph.edges[(0, 0), (0, 1)]["open"] = "no"
    for made in (meiro.Maze, meiro.GraphMaze):
        refused(TypeError, "open must be true or false, not 'no'", made.from_networkx, graph)


def test_a_pair_of_parallel_edges_names_one_after_the_other() -> None:
    lattice = LATTICES["parallel"]
    made = meiro.GraphMaze.from_edges
    assert made(lattice, [(1, 0)]).edge_ids().tolist() == [0]
    assert made(lattice, [(1, 0), (2, 1), (0, 1), (1, 0)]).edge_ids().tolist() == [0, 1, 2]
    assert made(lattice, []).edge_ids().tolist() == []


def test_what_is_no_maze_of_the_lattice_is_named() -> None:
    lattice, made = LATTICES["hexagonal"], meiro.GraphMaze
    matrix = made(lattice, []).to_sparse()
    far = r"cells 0 and 19 are not adjacent in <Lattice"
    refused(ValueError, rf"edges\[1\]: {far}", made.from_edges, lattice, [(0, 1), (0, 19)])
    refused(ValueError, r"edges\[0\]: cells 0 and 20 are not adjacent", made.from_edges, lattice, [(0, 20)])
    refused(ValueError, r"edges must have shape \(n, 2\)", made.from_edges, lattice, [(0, 1, 2)])
    refused(TypeError, "lattice must be a Lattice, not tuple", made.from_edges, (4, 5), [])
    words = "must be a sparse array of scipy, not ndarray"
    refused(TypeError, words, made.from_sparse, lattice, matrix.toarray())
    words = r"must have shape \(20, 20\), .* not \(19, 20\)"
    refused(ValueError, words, made.from_sparse, lattice, matrix[1:])
    refused(ValueError, r"must have shape \(12, 12\)", meiro.Maze.from_sparse, (3, 4), matrix)
    for read in (made.from_networkx, meiro.Maze.from_networkx):
        refused(TypeError, "must be a networkx graph, not int", read, 3)
        refused(TypeError, "directed", read, nx.DiGraph([(0, 1)]))
    refused(ValueError, "graph: node", made.from_networkx, nx.Graph([(0, 20)]), lattice=lattice)
    refused(ValueError, "cells 0 and 3 are not", made.from_networkx, nx.Graph([(0, 3)]), lattice=lattice)
    words = "x must be a Maze or a GraphMaze, not MazeBatch"
    refused(TypeError, words, meiro.positions, meiro.generate_many((2, 2), n=2))
    refused(ValueError, "in space", meiro.positions, every(meiro.Lattice(2, [(0, 1)], np.eye(3)[:2])))


def test_positions_are_where_plot_draws() -> None:
    maze = meiro.generate((3, 4), mask=np.arange(12).reshape(3, 4) > 0, rng=1)
    assert meiro.positions(maze) == {(i // 4, i % 4): (i % 4, i // 4) for i in range(1, 12)}
    box = every(la.box(2, 3, 4))
    assert {len(place) for place in meiro.positions(box).values()} == {2}
    assert len(set(meiro.positions(box).values())) == 24, "levels lie beside each other"
    named = every(LATTICES["karate"])
    assert list(meiro.positions(named)) == list(nx.karate_club_graph())
    for x in (maze, box, named):
        nx.draw(x.to_networkx(), meiro.positions(x), ax=Figure().add_subplot(), node_size=9)


def test_ctrl_c_does_not_wait_for_the_garbage_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    maze, young = meiro.generate((100, 100), rng=1), list[int]()
    gc.enable()  # tests of Dask can leave it off
    monkeypatch.setattr(nx.Graph, "add_edges_from", stop)
    monkeypatch.setattr(gc, "get_freeze_count", lambda: 0)  # conftest.py has frozen what was imported
    monkeypatch.setattr(gc, "enable", lambda: young.append(gc.get_count()[0]))
    try:
        with pytest.raises(KeyboardInterrupt):
            maze.to_networkx()
    finally:
        monkeypatch.undo()
        gc.freeze()
        gc.enable()
    assert max(young) < 1000 < 100 * 100, "what is left of the graph is searched for cycles at once"


def test_networkx_leaves_the_garbage_collector_as_it_was() -> None:
    gc.enable()  # tests of Dask can leave it off
    meiro.generate((3, 3)).to_networkx()
    assert gc.isenabled()
    gc.disable()
    try:
        meiro.generate((3, 3)).to_networkx()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_sparse_matrix_in_bands_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    maze = loose_maze(20, 30, 1, holes=True)
    whole = maze.to_sparse()
    monkeypatch.setattr(networkx, "_BAND", 37)
    assert abs(maze.to_sparse() - whole).nnz == 0


def test_sparse_matrix_is_taken_by_csgraph_without_a_copy() -> None:
    maze = meiro.generate((40, 50), "kruskal", rng=2)
    matrix = maze.to_sparse()
    assert matrix.dtype == np.float64
    assert matrix.indices.dtype == matrix.indptr.dtype == np.int32
    taken = csgraph._validation.validate_graph(matrix, directed=True, dense_output=False)
    assert np.shares_memory(taken.data, matrix.data)
    assert np.shares_memory(taken.indices, matrix.indices)
    steps = csgraph.dijkstra(matrix, indices=0, unweighted=True).reshape(40, 50)
    assert np.array_equal(steps, meiro.distances(maze, (0, 0)))


def test_networkx_of_a_periodic_graph_needs_the_wrap() -> None:
    torus = lattice_of((3, 4), (True, True))
    assert meiro.Maze.from_networkx(torus, wrap=(True, True)).passages.tolist() == [[15] * 4] * 3
    for wrap, edge in (((False, True), r"\(0, 0\) - \(2, 0\)"), ((True, False), r"\(0, 0\) - \(0, 3\)")):
        with pytest.raises(ValueError, match=rf"edge {edge} does not join two adjacent cells"):
            meiro.Maze.from_networkx(torus, wrap=wrap)
    with pytest.raises(ValueError, match="at least 3, not 2"):
        meiro.Maze.from_networkx(nx.grid_2d_graph(2, 3), wrap=(True, False))


@pytest.mark.clock
def test_graphs_of_a_hundred_thousand_cells_take_less_than_10_s() -> None:
    maze = meiro.generate((320, 320), "backtracker", rng=0)

    def convert() -> None:
        maze.to_dot()
        maze.to_sparse()
        meiro.Maze.from_networkx(maze.to_networkx())

    assert best(lambda: seconds(convert), 5) < 10  # 1 s on two slow cores
