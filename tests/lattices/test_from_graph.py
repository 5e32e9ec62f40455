"""Graphs of networkx, igraph and scipy, and edges, as lattices."""

from __future__ import annotations

import re
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from refusals import refused

from meiro.lattices import Lattice, from_graph

KARATE = nx.karate_club_graph()


def pairs_of(lattice: Lattice) -> set[frozenset[Any]]:
    names = range(len(lattice)) if lattice.labels is None else lattice.labels
    return {frozenset((names[one], names[other])) for one, other in lattice.edges.tolist()}


def pairs(graph: Any) -> set[frozenset[Any]]:
    return {frozenset(edge[:2]) for edge in graph.edges()}


def test_networkx_nodes_are_labels_and_edges_keep_their_order() -> None:
    graph = nx.les_miserables_graph()
    lattice = from_graph(graph)
    assert lattice.labels == tuple(graph.nodes)
    assert [(lattice.labels[a], lattice.labels[b]) for a, b in lattice.edges.tolist()] == list(graph.edges)
    assert lattice.cell("Valjean") == list(graph.nodes).index("Valjean")
    assert lattice.positions is None


def test_nodes_in_order_are_no_labels() -> None:
    assert from_graph(KARATE).labels is None
    assert from_graph(nx.relabel_nodes(KARATE, {0: "0"})).labels is not None


def test_positions_are_those_of_the_nodes_or_given() -> None:
    graph = nx.random_geometric_graph(20, 0.5, seed=1)
    places = np.array([graph.nodes[node]["pos"] for node in graph])
    found = from_graph(graph).positions
    assert found is not None
    assert np.array_equal(found, places)
    layout = nx.circular_layout(KARATE)
    positions = from_graph(KARATE, positions=layout).positions
    assert positions is not None
    assert np.array_equal(positions[3], layout[3])
    with pytest.raises(ValueError, match="positions has no place for node 33"):
        from_graph(KARATE, positions=dict.fromkeys(range(33), (0, 0)))


def test_parallel_edges_are_told_apart_and_self_loops_have_no_slot() -> None:
    graph = nx.MultiGraph([(0, 1), (0, 1), (1, 1), (1, 2)])
    lattice = from_graph(graph)
    assert lattice.n_edges == 4
    assert lattice.degrees.tolist() == [2, 3, 1]
    assert lattice.neighbor_edges.tolist() == [0, 1, 0, 1, 3, 3]


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_matrix, sp.coo_array, sp.lil_array])
def test_sparse_arrays_of_any_kind(kind: Any) -> None:
    lattice = from_graph(kind(nx.to_scipy_sparse_array(KARATE)))
    assert pairs_of(lattice) == pairs(KARATE)
    assert lattice.n_edges == KARATE.number_of_edges()


def test_igraph() -> None:
    graph = igraph.Graph.from_networkx(nx.les_miserables_graph())
    graph.vs["name"] = graph.vs["_nx_name"]
    assert pairs_of(from_graph(graph)) == pairs(nx.les_miserables_graph())
    refused(TypeError, r"directed.*as_undirected", from_graph, igraph.Graph(3, [(0, 1)], directed=True))


def test_edges_of_numbers_and_of_anything() -> None:
    assert from_graph(np.array([[0, 1], [3, 1]])).n_cells == 4
    lattice = from_graph([("a", (1, 2)), ((1, 2), False)])
    assert lattice.labels == ("a", (1, 2), False)
    assert lattice.edges.tolist() == [[0, 1], [1, 2]]


SQUARE = np.array([[0, 1, 4], [1, 0, 2], [4, 2, 0]])
FRAME = pd.DataFrame({"source": list("abc"), "target": list("bca"), "weight": [1, 2, 4]})


@pytest.mark.parametrize(
    "graph",
    [
        SQUARE,
        SQUARE > 0,
        SQUARE.tolist(),
        np.where(SQUARE == 0, np.inf, SQUARE),
        np.ma.masked_equal(np.where(SQUARE == 0, -1, SQUARE), -1),
        np.array([[0.0, 1], [1, 2], [2, 0]]),
        {"a": ["b", "c"], "b": {"a", "c"}, "c": []},
        {"a": {"b": {"weight": 3}, "c": {}}, "b": {"c": {}}},
        nx.complete_graph(3).adj,
        nx.complete_graph(3).edges,
        {frozenset("ab"), frozenset("bc"), frozenset("ac")},
        np.array([["a", "b"], ["b", "c"], ["c", "a"]], object),
        FRAME,
        FRAME[["source", "target"]],
        FRAME.rename(columns={"source": "u", "target": "v"})[["u", "v"]],
        pl.DataFrame({"source": [0, 1, 2], "target": [1, 2, 0], "w": [1.0, 2, 3]}),
        nx.to_pandas_adjacency(nx.complete_graph(["x", "y", "z"])),
    ],
)
def test_triangles_in_the_forms_that_people_have(graph: Any) -> None:
    lattice = from_graph(graph)
    assert lattice.n_cells == 3
    assert sorted(map(sorted, lattice.edges.tolist())) == [[0, 1], [0, 2], [1, 2]]


def test_two_rows_of_two_are_edges_unless_they_may_be_a_matrix() -> None:
    assert from_graph(np.array([[0, 1], [1, 2]])).n_cells == 3
    assert from_graph([[0, 1], [1, 0]]).n_edges == 2
    assert from_graph(np.array([[False, True], [True, False]])).n_edges == 1
    with pytest.raises(ValueError, match=r"two edges or an adjacency matrix.*csr_array\(graph\)"):
        from_graph(np.array([[0, 1], [1, 0]]))


def test_what_is_no_graph_says_why() -> None:
    with pytest.raises(ValueError, match=r"graph\[0, 1\] is 9 and .* is 5.*graph.minimum"):
        from_graph(sp.csr_array([[0, 9], [5, 0]]))
    with pytest.raises(ValueError, match=r"numpy.maximum\(graph, graph.T\)"):
        from_graph(np.array([[0, 9, 1], [5, 0, 1], [1, 1, 0]]))
    refused(ValueError, r"graph\[0, 1\] is 1", from_graph, pd.DataFrame([[0, 1], [2, 0]]))
    refused(TypeError, "not symmetric", from_graph, np.triu(SQUARE))
    refused(TypeError, "numpy.ma array", from_graph, np.ma.array([[1, 2], [3, 4], [5, 6]], mask=True))
    refused(ValueError, "give graph.T", from_graph, np.array([[0, 1, 2, 3], [1, 2, 3, 0]]))
    refused(TypeError, "a list of edges, not zip", from_graph, zip("ab", "bc", strict=True))
    refused(TypeError, "add_weighted_edges_from", from_graph, [(0, 1, 5), (1, 2, 3), (0, 2, 1)])
    refused(TypeError, r"list\(graph\) may be edges", from_graph, {("a", "b"): 3})
    refused(TypeError, "columns 'source' and 'target'", from_graph, FRAME.rename(columns={"source": "from"}))
    refused(TypeError, "directed.*to_undirected", from_graph, nx.DiGraph([(0, 1)]))
    refused(ValueError, "no nodes", from_graph, nx.Graph())
    refused(ValueError, "no nodes", from_graph, [])
    refused(ValueError, r"square.*\(2, 3\)", from_graph, sp.csr_array((2, 3)))
    refused(TypeError, "not symmetric", from_graph, sp.csr_array(([1], ([0], [1])), shape=(2, 2)))
    refused(TypeError, "not str", from_graph, "abc")
    refused(TypeError, "not int", from_graph, 7)
    refused(TypeError, r"graph\[1\] must be a pair of nodes, an edge, not 5", from_graph, [(0, 1), 5])
    for shape in ((2, 3), ()):
        refused(
            ValueError,
            rf"shape \(n_edges, 2\), not {re.escape(str(shape))}",
            from_graph,
            np.zeros(shape, int),
        )
    refused(ValueError, r"edges\[0\] = \(0, -1\) names a cell that is not there", from_graph, [(0, -1)])
