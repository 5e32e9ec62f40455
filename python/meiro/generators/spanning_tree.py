"""`spanning_tree`: a spanning tree of any graph, in the form of that graph."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.messages import listed, refuse_unknown, short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import FLAT
from meiro._utils.validation import Threads, integer, thread_count
from meiro.generators.request import parse_request
from meiro.lattices._from_graph import graph_parts, known_graph, sparse_entries
from meiro.lattices.lattice import Lattice, cell_of, graph_of
from meiro.registry import ALGORITHMS, Algorithm, AlgorithmFacts, plain_name
from meiro.seeds import RNG, seed_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import ArrayLike, NDArray


_SEARCHES = {"breadth_first": False, "bfs": False, "depth_first": True}


def spanning_tree(
    graph: Any,
    algorithm: Algorithm | str = "wilson",
    *,
    weights: str | ArrayLike | None = None,
    root: Hashable = None,
    rng: RNG = None,
    n: int | None = None,
    threads: Threads = None,
    progress: Progress = False,
    **unknown: object,
) -> Any:
    """Return a spanning tree of a graph: uniform, weighted, minimum, or by another algorithm.

    Of a graph with several components the tree of each, a spanning forest.

    Parameters
    ----------
    graph : networkx.Graph or MultiGraph, igraph.Graph, adjacency matrix, Lattice, edges, mapping or frame
        As `meiro.lattices.from_graph` takes it.
    algorithm : str
        "wilson", the default, is uniform: every spanning tree is equally likely; with `weights` its
        probability is proportional to the product of the weights of its edges. "kruskal" is the minimum
        spanning tree of the `weights`, and without them that of random weights. "breadth_first" and
        "depth_first" are the trees of these searches, in the order of the edges. Or any other of
        `meiro.ALGORITHMS` that takes a lattice.
    weights : str, or array_like of float, shape (n_edges,), optional
        One for each edge, or the name of the edge attribute that holds them (networkx, igraph); 1 where an
        edge has none. Of an adjacency matrix "data" names its values. Minimum trees compare them as Python
        does: they may be negative, and integers and fractions of any size. Uniform trees take no negative
        ones, and no edge of weight 0;
        they may be as unequal as 1e300 and 1e-200: `meiro.generate` says how long it takes.
    root : node, optional
        The node where an algorithm begins whose law depends on it; the first node by default.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The same seed gives the same tree on every machine.
    n : int, optional
        So many trees, as an array.
    threads : int or "all"
        The number of threads that share the `n` trees; 1 by default.
    progress : bool or callable
        As in `meiro.generate_many`.

    Returns
    -------
    graph of the same kind, or ndarray
        A networkx graph of the same class with all nodes, the edges of the tree, and their attributes, of
        mappings and frames, too; an igraph.Graph; of a matrix a sparse array with the entries of the tree; of
        a `Lattice` and of edges those edges, shape (k, 2).
        With `n` an array of bool, shape (n, n_edges): whether each edge is in each tree, in the order in
        which the graph yields its edges.

    Raises
    ------
    ValueError
        If the algorithm is unknown or makes no trees, the graph is empty, no edge has the attribute, or the
        weights are not one for each edge, NaN, or negative for uniform trees; or so unequal that the
        trees of a large graph would take too long.
    TypeError
        If the graph is directed, or of another kind.

    See Also
    --------
    generate : The same on a `Lattice`, with all options, as a maze.
    number_of_mazes : The number of spanning trees.

    References
    ----------
    D. B. Wilson, Generating random spanning trees more quickly than the cover time, STOC 1996, 296-303.
    doi:10.1145/237814.237880

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.les_miserables_graph()
    >>> tree = meiro.spanning_tree(graph, rng=7)
    >>> nx.is_tree(tree), tree.number_of_nodes()
    (True, 77)
    >>> least = meiro.spanning_tree(graph, "kruskal", weights="weight")
    >>> least.size("weight") == nx.minimum_spanning_tree(graph).size("weight")
    True
    >>> meiro.spanning_tree([(0, 1), (1, 2), (2, 0)], rng=7, n=4).sum(axis=1)
    array([2, 2, 2, 2])
    """
    refuse_unknown("spanning_tree", unknown, spanning_tree.__annotations__)
    graph = known_graph(graph)
    parts = graph_parts(graph)
    lattice = graph if isinstance(graph, Lattice) else Lattice(parts.n_cells, parts.edges, None, parts.labels)
    given: dict[str, object] = {}
    if weights is not None:
        given["weights"] = _weights(graph, weights, lattice.n_edges)
    count = None if n is None else integer(n, "n", 0, 1 << 62)
    depth_first = _SEARCHES.get(plain_name(algorithm)) if isinstance(algorithm, str) else None
    if depth_first is not None:
        if given:
            raise TypeError(f"{algorithm!r} takes no weights: meiro.solve finds the paths of least cost")
        found = _search_tree(lattice, depth_first, root)
        taken: NDArray[np.bool_] = np.repeat(found[np.newaxis], 1 if count is None else count, axis=0)
    else:
        facts = ALGORITHMS.find(algorithm, "algorithm")
        if not facts.perfect:
            able = ", ".join(f.name for f in ALGORITHMS.values() if f.graphs and f.perfect)
            raise ValueError(
                f"{facts.name!r} makes no spanning trees; these do: {able}, breadth_first, depth_first"
            )
        if root is not None:
            cell_of(lattice, root, "root")  # of the others the law is the same for every root
            given |= {"start": root} if "start" in facts.graph_options else {}
        kept = _conducting(given.get("weights"), facts, lattice)
        part = lattice
        if kept is not None:
            part = Lattice(lattice.n_cells, lattice.edges[kept], None, lattice.labels)
            given["weights"] = np.asarray(given["weights"])[kept]
        report = reporter(progress, unit=1 if count is None else lattice.n_cells)
        request, many = parse_request(facts, part, None, None, FLAT, given), 1 if count is None else count
        made = request.make(many, seed_of(rng), thread_count(threads), report)
        if kept is None:
            taken = made
        else:
            taken = np.zeros((len(made), lattice.n_edges), np.bool_)
            taken[:, kept] = made
    return taken if n is not None else _part(graph, lattice, taken[0])


def _search_tree(lattice: Lattice, depth_first: bool, root: Hashable) -> NDArray[np.bool_]:  # noqa: FBT001
    out = np.empty((1, lattice.n_edges), np.uint8)
    start = -1 if root is None else cell_of(lattice, root, "root")
    _core.graph_search_tree(graph_of(lattice), start, depth_first, out)
    found: NDArray[np.bool_] = out[0].view(np.bool_)
    return found


def _weights(graph: Any, weights: Any, n_edges: int) -> Any:
    """Return the weights of the edges, in their order."""
    if not isinstance(weights, str):
        return weights
    if not n_edges:
        return []
    names: Any = ()
    if hasattr(graph, "adj"):
        names = dict.fromkeys(name for *_, own in graph.edges(data=True) for name in own)
    elif hasattr(graph, "get_edgelist"):
        names = graph.es.attributes()
    elif hasattr(graph, "tocoo"):
        names = ("data",)
    if weights not in names:
        there = listed(map(repr, names)) if names else "none: give one number for each edge"
        raise ValueError(f"weights={short_repr(weights)}: no edge has this attribute; there are {there}")
    if hasattr(graph, "tocoo"):
        entries = sparse_entries(graph)
        return entries.data[entries.row <= entries.col]
    held = graph.edges(data=weights) if hasattr(graph, "adj") else zip(graph.es[weights], strict=True)
    return [1 if value is None else value for *_, value in held]


def _conducting(weights: Any, facts: AlgorithmFacts, lattice: Lattice) -> NDArray[np.bool_] | None:
    """Return which edges have other weights than 0, if some have not and weights are conductances."""
    if weights is None or facts.law != "uniform":
        return None
    try:
        array = np.asarray(weights, np.float64)
    except (TypeError, ValueError, OverflowError):  # of which the check of the option tells
        return None
    sound = array.shape == (lattice.n_edges,) and array.min(initial=0) >= 0
    return array > 0 if sound and not array.all() else None


def _part(graph: Any, lattice: Lattice, taken: NDArray[np.bool_]) -> Any:
    """Return a graph of the same kind, with all nodes and some of its edges."""
    if hasattr(graph, "adj"):
        tree = graph.__class__()
        tree.graph.update(graph.graph)
        tree.add_nodes_from(graph.nodes(data=True))
        keyed = graph.is_multigraph()
        every = graph.edges(keys=True, data=True) if keyed else graph.edges(data=True)
        tree.add_edges_from(compress(every, taken.tolist()))
        return tree
    edges = np.flatnonzero(taken)
    if hasattr(graph, "get_edgelist"):
        return graph.subgraph_edges(edges.tolist(), delete_vertices=False)
    if hasattr(graph, "tocoo"):
        return _sparse_part(graph, lattice.edges[edges])
    if isinstance(graph, np.ndarray | Lattice) or lattice.labels is None:
        return lattice.edges[edges]
    return list(compress(graph, taken.tolist()))


def _sparse_part(graph: Any, ends: NDArray[np.int32]) -> Any:
    """Return a sparse array with those entries of a symmetric one that belong to edges of the tree."""
    every = sparse_entries(graph)
    n = np.int64(every.shape[0])
    low, high = np.minimum(every.row, every.col), np.maximum(every.row, every.col)
    kept = np.isin(low * n + high, np.sort(ends, axis=1) @ np.array([n, 1]))
    return type(graph.tocsr())((every.data[kept], (every.row[kept], every.col[kept])), shape=every.shape)
