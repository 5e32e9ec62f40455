"""Spanning trees of graphs, in the form of the graph, and the backend of networkx."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import igraph
import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from programs import printed
from sampling import Law, check_law, samples

import meiro
from meiro.io.graphs import networkx_backend

if TYPE_CHECKING:
    from numpy.typing import NDArray

GRAPH = nx.les_miserables_graph()
ROOT = Path(__file__).parents[2]


def test_a_networkx_tree_keeps_class_nodes_and_attributes() -> None:
    graph = GRAPH.copy()
    graph.graph["title"] = "people"
    graph.nodes["Valjean"]["number"] = 24601
    tree = meiro.spanning_tree(graph, rng=7)
    assert type(tree) is nx.Graph
    assert nx.is_tree(tree)
    assert list(tree.nodes) == list(graph.nodes)
    assert tree.graph == graph.graph
    assert tree.nodes["Valjean"]["number"] == 24601
    assert all(graph.edges[edge] == tree.edges[edge] for edge in tree.edges)


def test_a_multigraph_keeps_its_keys() -> None:
    graph = nx.MultiGraph()
    graph.add_edge("a", "b", key="ferry", weight=3)
    graph.add_edge("a", "b", key="bridge", weight=2)
    tree = meiro.spanning_tree(graph, "kruskal", weights="weight")
    assert list(tree.edges(keys=True, data=True)) == [("a", "b", "bridge", {"weight": 2})]


@pytest.mark.parametrize("algorithm", ["kruskal"])
def test_minimum_trees_weigh_what_those_of_networkx_do(algorithm: str) -> None:
    least = nx.minimum_spanning_tree(GRAPH).size("weight")
    assert meiro.spanning_tree(GRAPH, algorithm, weights="weight").size("weight") == least
    matrix = nx.to_scipy_sparse_array(GRAPH)
    tree = meiro.spanning_tree(matrix, algorithm, weights="data")
    assert tree.sum() == 2 * least
    assert (tree != tree.T).nnz == 0
    assert isinstance(tree, sp.csr_array)


def test_missing_weights_are_1() -> None:
    graph = nx.cycle_graph(3)
    graph.edges[0, 1]["weight"] = 5
    assert set(meiro.spanning_tree(graph, "kruskal", weights="weight").edges) == {(0, 2), (1, 2)}


@pytest.mark.parametrize("root", [None, "Javert"])
def test_search_trees_are_those_of_networkx(root: str | None) -> None:
    first = "Napoleon" if root is None else root
    breadth = meiro.spanning_tree(GRAPH, "breadth_first", root=root)
    lengths = dict(nx.single_source_shortest_path_length(GRAPH, first))
    assert nx.single_source_shortest_path_length(breadth, first) == lengths
    depth = meiro.spanning_tree(GRAPH, "depth_first", root=root)
    ordered = nx.Graph()
    ordered.add_nodes_from(GRAPH)
    ordered.add_edges_from(GRAPH.edges)  # adjacent nodes in the order of the edges
    assert {frozenset(edge) for edge in depth.edges} == {
        frozenset(edge) for edge in nx.dfs_edges(ordered, first)
    }


@pytest.mark.parametrize(
    ("word", "search"),
    [("BFS", "breadth_first"), ("breadth-first search", "breadth_first"), ("Depth first", "depth_first")],
)
def test_searches_are_found_by_other_words(word: str, search: str) -> None:
    trees = (meiro.spanning_tree(GRAPH, name, rng=1, n=2) for name in (word, search))
    np.testing.assert_array_equal(*trees)


def test_a_root_is_named_by_its_label() -> None:
    lattice = meiro.lattices.from_graph(GRAPH)
    tree = meiro.spanning_tree(GRAPH, "backtracker", root="Javert", rng=1)
    number = list(GRAPH).index("Javert")
    plain = meiro.spanning_tree(lattice.edges, "backtracker", root=number, rng=1)
    maze = meiro.generate(lattice, "backtracker", start="Javert", rng=1)
    assert np.array_equal(plain, maze.edges())
    assert {*map(frozenset, tree.edges)} == {*map(frozenset, maze.to_networkx().edges)}
    assert {*map(frozenset, tree.edges)} != {
        *map(frozenset, meiro.spanning_tree(GRAPH, "backtracker", rng=1).edges)
    }
    with pytest.raises(ValueError, match="root: 'Nobody' is no label"):
        meiro.spanning_tree(GRAPH, "backtracker", root="Nobody")


def test_a_forest_of_a_graph_in_parts() -> None:
    graph = nx.disjoint_union(nx.complete_graph(4), nx.cycle_graph(5))
    for algorithm in ("wilson", "kruskal", "breadth_first", "depth_first"):
        tree = meiro.spanning_tree(graph, algorithm, rng=3)
        assert nx.is_forest(tree)
        assert nx.number_connected_components(tree) == 2


def test_edges_give_edges() -> None:
    edges = np.array([[0, 1], [1, 2], [2, 0]])
    tree = meiro.spanning_tree(edges, rng=7)
    assert tree.shape == (2, 2)
    assert {tuple(edge) for edge in tree.tolist()} <= set(map(tuple, edges.tolist()))
    assert meiro.spanning_tree([("a", "b")]) == [("a", "b")]
    lattice = meiro.lattices.square(3, 4)
    assert np.array_equal(meiro.spanning_tree(lattice, rng=7), meiro.generate(lattice, rng=7).edges())


def test_igraph_gives_igraph() -> None:
    graph = igraph.Graph.Famous("Petersen")
    graph.es["length"] = list(range(15))
    tree = meiro.spanning_tree(graph, "kruskal", weights="length")
    assert tree.is_tree()
    assert tree.vcount() == 10
    assert sum(tree.es["length"]) == sum(graph.spanning_tree(weights="length").es["length"])


def codes_of(trees: list[tuple[int, ...]]) -> NDArray[np.int64]:
    return np.array([sum(1 << i for i in tree) for tree in trees])


def test_many_trees_are_those_of_the_replicates() -> None:
    many = meiro.spanning_tree(GRAPH, rng=7, n=5, threads=2)
    assert many.shape == (5, GRAPH.number_of_edges())
    assert many.dtype == np.bool_
    one = meiro.spanning_tree(GRAPH, rng=meiro.replicate(7, 3))
    edges = list(GRAPH.edges)
    assert [edges[i] for i in np.flatnonzero(many[3])] == list(one.edges)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"algorithm": "percolation"}, ValueError, "makes no spanning trees"),
        ({"algorithm": "eller"}, TypeError, "needs rows and columns"),
        ({"algorithm": "wilsn"}, ValueError, "did you mean 'wilson'"),
        ({"weights": "length"}, ValueError, "weights='length': no edge has this attribute; there are 'data'"),
        ({"weights": [-1.0] * 254}, ValueError, r"weights\[0\] = -1 is negative.*kruskal"),
        ({"weights": [1.0]}, ValueError, r"shape \(254,\)"),
        ({"weights": np.full(254, np.nan)}, ValueError, r"weights\[0\] is NaN"),
        ({"algorithm": "breadth_first", "weights": [1.0] * 254}, TypeError, "takes no weights"),
        ({"root": "Nobody"}, ValueError, "'Nobody' is no label"),
        ({"n": -1}, ValueError, "n must be at least 0"),
        ({"seed": 7}, TypeError, "did you mean 'rng'"),
    ],
)
def test_bad_arguments_say_what_would_do(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    named = isinstance(arguments.get("weights"), str)
    graph = nx.to_scipy_sparse_array(GRAPH) if named else GRAPH
    with pytest.raises(error, match=message):
        meiro.spanning_tree(graph, **arguments)


@pytest.mark.parametrize(
    "graph", [GRAPH, nx.MultiGraph(GRAPH), igraph.Graph.from_networkx(GRAPH)], ids=["one", "multi", "igraph"]
)
def test_a_misspelt_weight_is_refused_with_those_that_are_there(graph: Any) -> None:
    with pytest.raises(ValueError, match="weights='wieght': no edge has this attribute; there are 'weight'"):
        meiro.spanning_tree(graph, weights="wieght")


def test_edges_of_weight_0_are_in_no_random_tree_and_may_part_the_graph() -> None:
    graph = nx.Graph()
    graph.add_weighted_edges_from([(0, 1, 0), (1, 2, 1), (0, 2, 1), (2, 3, 0)])
    for tree in (
        meiro.spanning_tree(graph, weights="weight", rng=1),
        networkx_backend.random_spanning_tree(graph, "weight", seed=1),
    ):
        assert set(tree.edges) == {(1, 2), (0, 2)}
        assert set(tree) == {0, 1, 2, 3}
    taken = meiro.spanning_tree(graph, "aldous_broder", weights="weight", rng=1, n=2)
    assert taken.tolist() == [[False, True, True, False]] * 2  # in the order of graph.edges
    assert set(meiro.spanning_tree(graph, "kruskal", weights="weight").edges) >= {(0, 1), (2, 3)}


ODD_WEIGHTS = {
    "negative": [-5, 2, -1, 0],
    "beyond doubles": [2**60 + 2, 2**60 + 1, 2**60, 2**60 + 3],
    "beyond doubles, and halves": [2**60 + 2, 2**60 + 1.5, 2**60, 0.5],
    "infinite": [math.inf, -math.inf, 1, math.inf],
    "fractions": [Fraction(1, 3), Fraction(1, 4), Fraction(1, 2), 1],
    "equal": [1, 1, 1, 1],
    "numbers of no kind": [2.5, True, 10**300, -1],
}


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
@pytest.mark.parametrize("weights", ODD_WEIGHTS.values(), ids=ODD_WEIGHTS)
def test_the_backend_finds_the_minimum_tree_of_networkx(kind: type[Any], weights: list[Any]) -> None:
    graph = kind(name="odd")
    graph.add_node(("alone", 0), colour="red")
    ends = [("a", 1), (1, "b"), ("b", "a"), ("b", ("c", 2))]
    graph.add_edges_from((*pair, {"w": weight}) for pair, weight in zip(ends, weights, strict=True))
    graph.add_edge("x", "y", colour="blue")  # of weight 1, in another part
    graph.add_edge("x", "x", w=-9)
    if kind is nx.MultiGraph:
        graph.add_edge("a", 1, key="second", w=min(weights))
    tree = networkx_backend.minimum_spanning_tree(networkx_backend.convert_from_nx(graph), "w")
    expected = nx.minimum_spanning_tree(graph, "w")
    for algorithm in ("kruskal", "prim", "boruvka"):
        own = meiro.spanning_tree(graph, algorithm, weights="w")
        assert nx.utils.graphs_equal(own, expected)
    assert type(tree) is kind
    assert tree.graph == expected.graph
    assert dict(tree.nodes(data=True)) == dict(expected.nodes(data=True))
    assert nx.utils.graphs_equal(tree, expected)


def test_the_backend_takes_empty_graphs_and_refuses_nan() -> None:
    for make in (networkx_backend.minimum_spanning_tree, networkx_backend.random_spanning_tree):
        for graph in (nx.Graph(name="none"), nx.MultiGraph(), nx.empty_graph(["z"])):
            tree = make(networkx_backend.convert_from_nx(graph))
            assert nx.utils.graphs_equal(tree, graph)
            assert tree is not graph
    graph = nx.cycle_graph(3)
    graph.edges[1, 2]["weight"] = math.nan
    with pytest.raises(ValueError, match=r"NaN found as an edge weight. Edge \(1, 2\)"):
        networkx_backend.minimum_spanning_tree(graph)


@pytest.mark.laws
def test_random_trees_of_the_backend_follow_the_weights_of_parallel_edges() -> None:
    graph = nx.MultiGraph()
    for key, weight in ((0, 1), (1, 3)):
        graph.add_edge("a", "b", key, weight=weight)
    graph.add_edge("b", "b", weight=7)  # in no tree; networkx takes it
    graph.add_edges_from([("b", "c"), ("c", "a")], weight=2)
    edges = [("a", "b", 0), ("a", "b", 1), ("b", "c", 0), ("c", "a", 0)]
    shares = {(0, 2): 2, (0, 3): 2, (1, 2): 6, (1, 3): 6, (2, 3): 4}
    law = Law((1, 3), codes_of(list(shares)), np.array([share / 20 for share in shares.values()]))
    number = {frozenset(edge[:2]): i for i, edge in enumerate(edges) if edge[2] == 0}

    def code(tree: Any) -> int:
        return sum(1 << (1 if key else number[frozenset((u, v))]) for u, v, key in tree.edges(keys=True))

    trees = (
        networkx_backend.random_spanning_tree(graph, "weight", seed=meiro.replicate(3, i))
        for i in range(samples(20_000, law))
    )
    check_law(np.array([code(tree) for tree in trees]), law)


BACKEND = """
import random
import networkx as nx, numpy as np
graph = nx.les_miserables_graph()
for seed in (1, None, random.Random(3), np.random.default_rng(3), np.random.RandomState(3)):
    tree = nx.random_spanning_tree(graph, weight="weight", seed=seed, backend="meiro")
    assert nx.is_tree(tree)
    assert set(tree) == set(graph)
one, other = (nx.random_spanning_tree(graph, seed=1, backend="meiro") for _ in range(2))
assert set(one.edges) == set(other.edges)
least = nx.minimum_spanning_tree(graph, backend="meiro")
assert least.size("weight") == nx.minimum_spanning_tree(graph).size("weight") == 105
nx.config.backend_priority.generators = ["meiro"]
assert set(nx.random_spanning_tree(graph, seed=1).edges) == set(one.edges)
"""


@pytest.mark.long
def test_networkx_finds_its_backend(tmp_path: Path) -> None:
    info = tmp_path / "meiro_backend-0.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: meiro-backend\nVersion: 0\n")
    declared = (ROOT / "pyproject.toml").read_text().split('[project.entry-points."networkx.backends"]\n')[1]
    info.joinpath("entry_points.txt").write_text(
        "[networkx.backends]\n" + declared.split("\n")[0].replace('"', "")
    )
    paths = [str(tmp_path), str(Path(meiro.__file__).parents[1])]
    code = f"import sys, warnings; sys.path[:0] = {paths!r}; warnings.simplefilter('ignore')\n" + BACKEND
    printed(code)
