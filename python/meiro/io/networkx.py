"""A maze as a graph of networkx and as a sparse adjacency matrix of scipy."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.square import FLAT, E, N, S, W, checked_shape, checked_wrap, ids_between
from meiro._utils.validation import pair

if TYPE_CHECKING:
    import networkx as nx
    import scipy.sparse
    from numpy.typing import NDArray

    from meiro._utils.square import Cell, Shape, ShapeLike, Wrap
    from meiro.maze.maze import Maze

_BAND = 1 << 18  # cells turned into matrix rows at a time
_DEGREE = np.array([bits.bit_count() for bits in range(16)], np.uint8)


def to_networkx(maze: Maze) -> nx.Graph[Cell]:
    """Return the maze as an undirected networkx graph.

    Parameters
    ----------
    maze : Maze

    Returns
    -------
    networkx.Graph
        A node (row, col) for each cell that exists, an edge for each passage, row by row. Each node has an
        attribute ``pos``, (x, y) = (col, row): where `meiro.plot` draws the cell.

    Raises
    ------
    ImportError
        If networkx is not installed.

    Notes
    -----
    In the plot y points down. ``nx.draw`` onto the same axes lies on the maze; onto axes of its own it is
    upside down until ``ax.invert_yaxis()``.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = meiro.Maze([[2, 12], [2, 9]]).to_networkx()
    >>> nx.shortest_path(graph, (0, 0), (1, 0))
    [(0, 0), (0, 1), (1, 1), (1, 0)]
    >>> nx.get_node_attributes(graph, "pos")[0, 1]
    (1, 0)
    """
    with requires_extra("graph", "networkx"):
        import networkx as nx
    rows, cols = maze.rows, maze.cols
    require(800 * rows * cols, f"the networkx graph of {maze!r}", "take maze.to_sparse(), 28 bytes a cell")
    nodes = [(row, col) for row in range(rows) for col in range(cols)]
    existing = nodes if maze.mask is None else [nodes[i] for i in np.flatnonzero(maze.mask).tolist()]
    ends = maze.edges().T
    graph: nx.Graph[Cell] = nx.Graph()
    collecting = gc.isenabled()
    gc.disable()  # of a million small dicts: the search for cycles takes longer than making them
    try:
        graph.add_nodes_from(existing)
        for node, attributes in graph.nodes(data=True):
            attributes["pos"] = node[::-1]
        graph.add_edges_from(zip(*([nodes[i] for i in end.tolist()] for end in ends), strict=True))
    finally:
        if collecting:
            gc.enable()
    return graph


def edges_from_networkx(
    graph: nx.Graph[Any], shape: ShapeLike | None = None, wrap: Wrap = FLAT
) -> tuple[Shape, NDArray[np.int64], NDArray[np.bool_] | None]:
    """Return shape, edges and mask of a graph with nodes (row, col), as `Maze.from_edges` takes them.

    Parameters
    ----------
    graph : networkx.Graph
        Undirected; edges join adjacent cells. Parallel edges of a multigraph count once.
    shape : (int, int), optional
        Rows and columns, in cells. Default: what the nodes need.
    wrap : (bool, bool), optional
        Whether the lattice is periodic along rows and columns: edges may cross the border.

    Returns
    -------
    shape : (int, int)
    edges : ndarray of int64, shape (n, 2)
        Cell numbers, ``row * cols + col``.
    mask : ndarray of bool, shape (rows, cols), or None
        True where the graph has a node; None if it has all.

    Raises
    ------
    TypeError
        If `graph` is not an undirected networkx graph, or a node is not a pair of integers.
    ValueError
        If it has no nodes, a node is outside `shape`, or an edge joins cells that are not adjacent.

    Examples
    --------
    >>> import networkx as nx
    >>> meiro.Maze.from_networkx(nx.grid_2d_graph(1, 3)).passages.tolist()
    [[2, 10, 8]]
    """
    if not hasattr(graph, "is_directed"):
        msg = f"graph must be a networkx graph, not {type(graph).__name__}"
        raise TypeError(msg)
    if graph.is_directed():
        msg = "graph is directed, but passages are not: give graph.to_undirected()"
        raise TypeError(msg)
    nodes = list(graph.nodes)
    if not nodes:
        msg = "graph has no nodes; a maze has at least one cell"
        raise ValueError(msg)
    positions = np.array([_position(node) for node in nodes], np.int64)
    if shape is None:
        rows, cols = (int(i) for i in positions.max(axis=0) + 1)
    else:
        rows, cols = shape = checked_shape(shape)
    outside = np.flatnonzero(((positions < 0) | (positions >= (rows, cols))).any(axis=1))
    if outside.size:
        where = f"outside the shape ({rows}, {cols})" if shape is not None else "negative"
        msg = f"graph: node {short_repr(nodes[outside[0]])} is {where}"
        raise ValueError(msg)
    rows, cols = checked_shape((rows, cols))
    wrap = checked_wrap(wrap, (rows, cols))
    require(10 * rows * cols, f"a maze of ({rows}, {cols})", "number the nodes of graph from (0, 0)")
    numbers = dict(zip(nodes, (positions @ (cols, 1)).tolist(), strict=True))
    pairs = [(numbers[one], numbers[other]) for one, other in graph.edges()]
    edges = np.array(pairs, np.int64).reshape(-1, 2)
    bad = np.flatnonzero(ids_between(edges, (rows, cols), wrap) < 0)
    if bad.size:
        one, other = list(graph.edges())[bad[0]]
        msg = f"graph: edge {short_repr(one)} - {short_repr(other)} does not join two adjacent cells"
        raise ValueError(msg)
    mask = np.zeros((rows, cols), np.bool_)
    mask[tuple(positions.T)] = True
    return (rows, cols), edges, None if mask.all() else mask


def _position(node: Any) -> Cell:
    position = pair(node, "graph: a node")
    if max(position) >= 1 << 48:
        msg = f"graph: node {short_repr(node)} needs a maze that no memory can hold"
        raise MemoryError(msg)
    return max(position[0], -1), max(position[1], -1)


def to_sparse(maze: Maze) -> scipy.sparse.csr_array[Any, tuple[int, int]]:
    """Return the adjacency matrix over cell numbers (``row * cols + col``).

    Parameters
    ----------
    maze : Maze

    Returns
    -------
    scipy.sparse.csr_array of float64, shape (rows * cols, rows * cols)
        Symmetric, 1 for a passage, column indices in order. A cell that does not exist has no entries.

    Raises
    ------
    ImportError
        If scipy is not installed.

    Notes
    -----
    float64 with indices of 32 bits (64 only above 2^29 cells) is what `scipy.sparse.csgraph` computes with:
    it takes the matrix as it is, without a copy, and powers of it do not overflow. About 28 bytes a cell.

    Examples
    --------
    >>> from scipy.sparse import csgraph
    >>> matrix = meiro.Maze([[2, 12], [2, 9]]).to_sparse()
    >>> csgraph.shortest_path(matrix, indices=0)
    array([0., 1., 3., 2.])
    """
    with requires_extra("graph", "scipy"):
        from scipy.sparse import csr_array
    cells, cols = maze.passages.size, maze.cols
    require(32 * cells, f"the sparse matrix of {maze!r}", "take a smaller maze")
    index = np.int32 if cells < 1 << 29 else np.int64  # four entries a cell at most
    open_ = maze.passages.reshape(-1)
    starts = np.zeros(cells + 1, index)
    np.cumsum(_DEGREE[open_], out=starts[1:], dtype=index)
    targets = np.empty(int(starts[-1]), index)
    steps: NDArray[Any] = np.array([-cols, -1, 1, cols], index)  # N, W, E, S: cell numbers in rising order
    bits = np.array([N, W, E, S], np.uint8)
    for first in range(0, cells, _BAND):
        part = open_[first : first + _BAND]
        last = first + len(part)
        here: NDArray[Any] = np.arange(first, last, dtype=index)
        beside = here[:, None] + steps
        if any(maze.wrap):
            beside[:, 1] += np.where(here % cols == 0, cols, 0)
            beside[:, 2] -= np.where(here % cols == cols - 1, cols, 0)
            beside %= cells  # across the north and south border
        targets[starts[first] : starts[last]] = beside[(part[:, None] & bits) != 0]
    matrix = csr_array((np.ones(len(targets)), targets, starts), shape=(cells, cells))
    if any(maze.wrap):
        matrix.sort_indices()
    return matrix
