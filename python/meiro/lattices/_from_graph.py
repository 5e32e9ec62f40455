"""Graphs of other libraries as lattices."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.validation import is_masked, items_of
from meiro.lattices.lattice import MOST_EDGES, Lattice

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


_DENSE = ", as numpy.maximum(graph, graph.T) is of a dense one"


class GraphParts(NamedTuple):
    """Cells, edges and what else a graph says.

    Attributes
    ----------
    n_cells : int
    edges : ndarray of int64, shape (n_edges, 2)
    labels : list or None
        The nodes, unless they are 0 .. n_cells - 1 in order.
    positions : ndarray of float64, shape (n_cells, 2) or (n_cells, 3), or None
    """

    n_cells: int
    edges: NDArray[np.int64]
    labels: list[Hashable] | None = None
    positions: NDArray[np.float64] | None = None


def from_graph(graph: Any, *, positions: ArrayLike | Mapping[Any, Any] | None = None) -> Lattice:
    """Make a lattice of a graph: of networkx, igraph, an adjacency matrix, or of edges.

    Parameters
    ----------
    graph : networkx.Graph or MultiGraph, igraph.Graph, adjacency matrix, edges, mapping or pandas.DataFrame
        Undirected. An adjacency matrix is a sparse array of scipy, each entry of which is an edge, or a dense
        square array, in which 0, NaN, infinity and what is masked is not an edge; both halves must be equal.
        Edges are pairs of nodes: of integers from 0 on, shape (n_edges, 2), or of anything hashable. A
        mapping of nodes to their neighbours and a frame of pandas or polars, with edges in two columns or in
        ``source`` and ``target``, or with an adjacency matrix, are what networkx makes of them.
    positions : array_like of float, shape (n_cells, 2) or (n_cells, 3), or mapping of nodes to such, optional
        Where the cells lie; x goes right, y down. Default: of networkx the node attributes ``pos``, or ``x``
        and ``y``, in space also ``z``, if every node has them.

    Returns
    -------
    Lattice
        Edges in the order in which the graph yields them; of a matrix row by row, its upper triangle.
        Nodes that are not 0 .. n_cells - 1 in order are its `Lattice.labels`.

    Raises
    ------
    TypeError
        If the graph is directed, as a matrix is that is not symmetric, or of another kind.
    ValueError
        If it has no nodes, the halves of a matrix hold other values, or an array of shape (2, 2) may be
        edges as well as a matrix.

    See Also
    --------
    meiro.spanning_tree : A spanning tree of such a graph.

    Examples
    --------
    >>> import networkx as nx
    >>> lattice = meiro.lattices.from_graph(nx.karate_club_graph())
    >>> lattice
    <Lattice graph: 34 cells, 78 edges>
    >>> meiro.generate(lattice, "kruskal", rng=7).is_perfect
    True
    >>> meiro.lattices.from_graph([("home", "school"), ("school", "shop")]).labels
    ('home', 'school', 'shop')
    """
    parts = graph_parts(graph)
    places: Any = parts.positions if positions is None else positions
    if isinstance(places, Mapping):
        nodes = range(parts.n_cells) if parts.labels is None else parts.labels
        try:
            places = [places[node] for node in nodes]
        except KeyError as error:
            raise ValueError(f"positions has no place for node {short_repr(error.args[0])}") from None
    return Lattice(parts.n_cells, parts.edges, places, parts.labels)


def known_graph(graph: Any) -> Any:
    """Return a graph of a kind that `graph_parts` takes: matrices sparse, mappings and frames of networkx."""
    if hasattr(graph, "columns") and hasattr(graph, "to_numpy"):
        return _of_frame(graph.to_pandas() if hasattr(graph, "to_pandas") else graph)
    if isinstance(graph, Mapping) and not isinstance(graph, AbstractSet):  # edges of networkx are both
        nx = _networkx()
        try:
            return nx.Graph(dict(graph))
        except (nx.NetworkXError, TypeError, ValueError) as error:
            raise TypeError(
                "graph is a mapping, and not of nodes to their neighbours: list(graph) may be edges, and "
                "list(graph.values()) their weights"
            ) from error
    is_rows = isinstance(graph, list) and len(graph) > 2 and isinstance(graph[0], list)
    if isinstance(graph, np.ndarray) or (is_rows and len(graph[0]) == len(graph)):
        return _matrix_or_edges(graph)
    return graph


def _networkx() -> Any:
    with requires_extra("graph", "networkx"):
        import networkx as nx
    return nx


def _of_frame(frame: Any) -> Any:
    """Return the graph of networkx of a pandas frame: of two columns, or of an adjacency matrix."""
    nx, names = _networkx(), list(frame.columns)
    ends = ["source", "target"] if {"source", "target"} <= set(names) else names
    if len(ends) == 2 and set(names) != set(frame.index):
        return nx.from_pandas_edgelist(frame, *ends, [name for name in names if name not in ends] or None)
    if set(names) != set(frame.index):
        raise TypeError(
            "graph is a frame: it needs columns 'source' and 'target', or two columns, or the same names of "
            f"rows and of columns, as an adjacency matrix has, not columns {short_repr(names)}"
        )
    matrix = frame.loc[names].to_numpy()
    require_symmetric(_sparse(matrix))
    return nx.from_pandas_adjacency(frame)


def _matrix_or_edges(given: Any) -> Any:
    """Return a square array as a sparse one, an adjacency matrix; edges as they are."""
    array = np.asanyarray(given)
    square = array.ndim == 2 and array.shape[0] == array.shape[1] > 0 and array.dtype.kind in "biuf"
    is_matrix = is_masked(array) or array.dtype.kind == "b" or array.shape != (2, 2)
    if square and is_matrix:
        return _sparse(array)
    if square and not array.diagonal().any():
        raise ValueError(
            f"graph {short_repr(array.tolist())} may be two edges or an adjacency matrix of two nodes: give "
            "list(graph), pairs, or a sparse matrix, scipy.sparse.csr_array(graph)"
        )
    if is_masked(array):
        raise TypeError(
            "graph is a numpy.ma array, and no adjacency matrix: give a plain array, or a list of edges"
        )
    return given


def _sparse(array: NDArray[Any]) -> Any:
    with requires_extra("graph", "scipy"):
        from scipy.sparse import csr_array
    exists = np.isfinite(array)
    return csr_array(np.where(np.ma.filled(exists, False) if is_masked(array) else exists, array, 0))  # noqa: FBT003


def graph_parts(graph: Any) -> GraphParts:
    """Return cells, edges, labels and positions of a graph of any kind that `from_graph` takes."""
    graph = known_graph(graph)
    if isinstance(graph, Lattice):
        labels = None if graph.labels is None else list(graph.labels)
        return GraphParts(graph.n_cells, graph.edges.astype(np.int64), labels, graph.positions)
    if is_networkx(graph):
        return _of_networkx(graph)
    if hasattr(graph, "is_directed") and hasattr(graph, "get_edgelist"):
        return _of_igraph(graph)
    if hasattr(graph, "tocoo"):
        return _of_sparse(graph)
    if isinstance(graph, Collection) and not isinstance(graph, str | bytes):
        return _of_edges(graph)
    raise TypeError(
        "graph must be a graph of networkx or igraph, an adjacency matrix, or a list of edges, not "
        f"{type(graph).__name__}"
    )


def require_undirected(graph: Any) -> None:
    """Raise a TypeError for what is no undirected graph of networkx."""
    if not is_networkx(graph):
        raise TypeError(f"graph must be a networkx graph, not {type(graph).__name__}")
    if graph.is_directed():
        raise TypeError("graph is directed, but passages are not: give graph.to_undirected()")


def is_networkx(graph: Any) -> bool:
    """Return whether a graph is one of networkx."""
    return hasattr(graph, "is_directed") and hasattr(graph, "adj")


def _of_networkx(graph: Any) -> GraphParts:
    require_undirected(graph)
    nodes = list(graph.nodes)
    _require_nodes(nodes)
    numbers = {node: i for i, node in enumerate(nodes)}
    edges = np.array([(numbers[one], numbers[other]) for one, other in graph.edges()], np.int64)
    places = [_place(attributes) for _, attributes in graph.nodes(data=True)]
    try:
        positions = np.array(places, np.float64)
    except (TypeError, ValueError):  # not all nodes have places, or it is another thing of that name
        positions = None
    if positions is not None and (positions.ndim != 2 or positions.shape[1] not in {2, 3}):
        positions = None
    return GraphParts(len(nodes), edges.reshape(-1, 2), _labels(nodes), positions)


def _place(attributes: Mapping[str, Any]) -> Any:
    """Return ``pos`` of a node, or x and y, in space z."""
    place = attributes.get("pos")
    return [attributes[axis] for axis in "xyz" if axis in attributes] if place is None else place


def _of_igraph(graph: Any) -> GraphParts:
    if graph.is_directed():
        raise TypeError("graph is directed, but passages are not: give graph.as_undirected()")
    n = graph.vcount()
    _require_nodes(range(n))
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None
    edges = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    return GraphParts(n, edges, names if names is None or len(set(names)) == n else None)


def _of_sparse(graph: Any) -> GraphParts:
    rows, cols = graph.shape
    if rows != cols:
        raise ValueError(f"graph must be square, as an adjacency matrix is, not of shape {graph.shape}")
    _require_nodes(range(rows))
    entries = sparse_entries(graph)
    require_symmetric(entries.tocsr())
    keep = entries.row <= entries.col
    return GraphParts(rows, np.stack([entries.row[keep], entries.col[keep]], axis=1).astype(np.int64))


def require_symmetric(matrix: Any) -> None:
    mirrored = matrix.T.tocsr()
    mirrored.sort_indices()
    if not all(
        np.array_equal(getattr(matrix, name), getattr(mirrored, name)) for name in ("indptr", "indices")
    ):
        msg = "graph is not symmetric, so it is directed, but passages are not: give graph.maximum(graph.T)"
        raise TypeError(msg + _DENSE)
    with np.errstate(invalid="ignore"):
        unequal = (matrix.data != mirrored.data) & ~(
            (matrix.data != matrix.data) & (mirrored.data != mirrored.data)
        )
    if unequal.any():
        at = int(unequal.argmax())
        row, col = int(np.searchsorted(matrix.indptr, at, "right")) - 1, int(matrix.indices[at])
        msg = (
            f"graph[{row}, {col}] is {matrix.data[at]} and graph[{col}, {row}] is {mirrored.data[at]}, but a "
            "passage has one weight: give graph.minimum(graph.T), or graph.maximum(graph.T)"
        )
        raise ValueError(msg + _DENSE)


def sparse_entries(graph: Any) -> Any:
    """Return the entries of a sparse array row by row, as coordinates; each is there once."""
    entries = graph.tocsr().copy()
    entries.sum_duplicates()
    return entries.tocoo()


def _of_edges(graph: Any) -> GraphParts:
    if isinstance(graph, np.ndarray) and graph.dtype.kind in "iu":
        if graph.size > 2 * MOST_EDGES:
            raise ValueError(f"graph: at most {MOST_EDGES:,} edges, not an array of shape {graph.shape}")
        edges = graph
    else:
        pairs = []
        for i, pair in enumerate(items_of(graph, "graph", "edges")):
            if (
                not isinstance(pair, tuple | list | np.ndarray | AbstractSet)
                or len(pair) != 2
                or i >= MOST_EDGES
            ):
                msg = f"graph[{i}] must be a pair of nodes, an edge, not {short_repr(pair)}"
                if isinstance(pair, tuple | list | np.ndarray) and len(pair) == 3:
                    msg += ": a graph of networkx holds weights, by add_weighted_edges_from or add_edges_from"
                raise TypeError(msg)
            pairs.append(pair)
        try:
            edges = np.array(pairs)
        except ValueError:
            edges = np.array("")
        if edges.dtype.kind not in "iu" or edges.ndim != 2:
            try:
                nodes = list(dict.fromkeys(node for pair in pairs for node in pair))
            except TypeError as error:
                raise TypeError(f"graph: nodes must be hashable: {error}") from None
            _require_nodes(nodes)
            numbers = {node: i for i, node in enumerate(nodes)}
            found = np.array([(numbers[one], numbers[other]) for one, other in pairs], np.int64)
            return GraphParts(len(nodes), found.reshape(-1, 2), nodes)
    if edges.ndim != 2 or edges.shape[1] != 2:
        other = ": give graph.T" if edges.ndim == 2 and len(edges) == 2 else ", and weights beside them"
        raise ValueError(f"graph: edges must have shape (n_edges, 2), not {edges.shape}{other}")
    _require_nodes(edges)
    return GraphParts(int(edges.max()) + 1, edges.astype(np.int64))


def _require_nodes(nodes: Any) -> None:
    if len(nodes) == 0:
        raise ValueError("graph has no nodes; a lattice has at least one cell")


def _labels(nodes: list[Hashable]) -> list[Hashable] | None:
    numbered = all(type(node) is int and node == i for i, node in enumerate(nodes))
    return None if numbered else nodes
