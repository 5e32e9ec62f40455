"""Mazes of all kinds as graphs of networkx and as sparse adjacency matrices of scipy, and back."""

from __future__ import annotations

import gc
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.set_module import set_module
from meiro._utils.square import FLAT, E, N, S, W, checked_shape, checked_wrap
from meiro._utils.validation import pair, require_shape
from meiro.drawing.graph_outline import plane_to_plot
from meiro.lattices._from_graph import from_graph, graph_parts, require_undirected, sparse_entries
from meiro.lattices.lattice import cell_of, require_lattice
from meiro.mazes._edges import edge_numbers, pair_keys
from meiro.mazes.graph_maze import GraphMaze
from meiro.spaces.space_of import is_maze, lattice_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    import networkx as nx
    import scipy.sparse
    from numpy.typing import NDArray

    from meiro._utils.square import Cell, Shape, ShapeLike, Wrap
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.maze import Maze

_BAND = 1 << 18  # cells turned into matrix rows, or items into Python's, at a time
_DEGREE = np.array([bits.bit_count() for bits in range(16)], np.uint8)


class Nodes(NamedTuple):
    """The cells of a maze that exist.

    Attributes
    ----------
    numbers : ndarray of int64, shape (n,)
        Of the cells: ``row * cols + col``, or as the lattice counts them.
    names : list of hashable
        (row, col), or the labels of a lattice, or the numbers.
    places : ndarray of float64, shape (n, 2) or (n, 3), or None
        x right, y down.
    """

    numbers: NDArray[np.int64]
    names: list[Hashable]
    places: NDArray[np.float64] | None


def nodes_of(maze: Any) -> Nodes:
    """Return the cells of a maze as nodes of a graph."""
    lattice = lattice_of(maze)
    if lattice is not None:
        labels = list(range(lattice.n_cells) if lattice.labels is None else lattice.labels)
        return Nodes(np.arange(lattice.n_cells), labels, lattice.positions)
    numbers = np.arange(maze.passages.size) if maze.mask is None else np.flatnonzero(maze.mask)
    row, col = np.divmod(numbers, maze.cols)
    names: list[Hashable] = [(r, c) for r, c in zip(_each(row), _each(col), strict=True)]
    return Nodes(numbers, names, np.stack([col, row], axis=1).astype(np.float64))


def to_networkx(maze: Maze | GraphMaze) -> nx.Graph[Any]:
    """Return a maze as an undirected networkx graph.

    Parameters
    ----------
    maze : Maze or GraphMaze

    Returns
    -------
    networkx.Graph or networkx.MultiGraph
        A node for each cell: (row, col), or the label or number on a lattice; with ``x``, ``y`` and in space
        ``z``, floats, if the cells have places. An edge for each passage, with ``id``, the number of the wall
        that is open there. A multigraph, keyed by these, if two passages are parallel.

    Raises
    ------
    ImportError
        If networkx is not installed.

    Notes
    -----
    In plots of meiro y points down. ``nx.draw(graph, meiro.positions(maze))`` onto the same axes lies on the
    maze; onto axes of its own it is upside down until ``ax.invert_yaxis()``.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = meiro.Maze([[2, 12], [2, 9]]).to_networkx()
    >>> nx.shortest_path(graph, (0, 0), (1, 0))
    [(0, 0), (0, 1), (1, 1), (1, 0)]
    >>> graph.nodes[0, 1]
    {'x': 1.0, 'y': 0.0}
    """
    nodes = nodes_of(maze)
    return graph_of(maze, nodes, nodes.names)


def graph_of(maze: Any, nodes: Nodes, names: list[Any]) -> nx.Graph[Any]:
    """Return the graph of `to_networkx` with other names."""
    with requires_extra("graph", "networkx"):
        import networkx as nx
    require(1000 * len(names), f"the networkx graph of {maze!r}", "take maze.to_sparse(), 28 bytes a cell")
    edges, ids = passages_of(maze)
    index = np.empty(nodes.numbers.max(initial=-1) + 1, np.int64)
    index[nodes.numbers] = np.arange(len(names))
    ends = index[edges]
    columns: Any = [[names[i] for i in _each(end)] for end in ends.T]
    if lattice_of(maze) is not None and len(np.unique(pair_keys(ends, len(names)))) < len(ends):
        graph: nx.Graph[Any] = nx.MultiGraph()
        columns.append(_each(ids))
    else:
        graph = nx.Graph()
    collecting = gc.isenabled()
    gc.disable()  # of a million small dicts: the search for cycles takes longer than making them
    try:
        graph.add_nodes_from(names)
        for axis, column in zip("xyz", [] if nodes.places is None else nodes.places.T, strict=False):
            for (_, attributes), place in zip(graph.nodes(data=True), _each(column), strict=True):
                attributes[axis] = place
        graph.add_edges_from(zip(*columns, ({"id": number} for number in _each(ids)), strict=True))
    except BaseException:
        if not gc.get_freeze_count():
            gc.freeze()  # half a graph counts as old from now on, so that Ctrl-C waits for no search in it
            gc.unfreeze()
        raise
    finally:
        if collecting:
            gc.enable()
    return graph


def _each(values: NDArray[Any]) -> Iterator[Any]:
    """Return the items of an array, which become Python's some at a time, so that Ctrl-C is seen between."""
    parts = (values[first : first + _BAND] for first in range(0, len(values), _BAND))
    return chain.from_iterable(part.tolist() for part in parts)


def passages_of(maze: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the cells of each passage, and the numbers of the walls that are open there."""
    edges = maze.edges()
    if lattice_of(maze) is not None:
        return edges, maze.edge_ids()
    return edges, _core.wall_ids(edges, maze.shape, maze.wrap)


@set_module("meiro")
def positions(x: Maze | GraphMaze) -> dict[Any, tuple[float, float]]:
    """Return where `meiro.plot` draws the cells, for ``nx.draw(maze.to_networkx(), meiro.positions(maze))``.

    Parameters
    ----------
    x : Maze or GraphMaze
        Without positions networkx lays its cells out, up to 2,000, as `meiro.plot` has it.

    Returns
    -------
    dict
        (x, y) for each node of `to_networkx`; x goes right, y down. On axes of its own ``nx.draw`` is upside
        down until ``ax.invert_yaxis()``. Levels lie beside each other.

    Raises
    ------
    TypeError
        If `x` is neither a Maze nor a GraphMaze.
    ValueError
        If it lies in space and is no `meiro.lattices.box`, or has no positions and too many cells.

    See Also
    --------
    Maze.to_networkx, GraphMaze.to_networkx : the graph.

    Examples
    --------
    >>> import networkx as nx
    >>> maze = meiro.generate(meiro.lattices.polar(4), rng=7)
    >>> places = meiro.positions(maze)
    >>> len(places) == maze.n_cells
    True
    >>> axes = maze.plot()
    >>> nx.draw(maze.to_networkx(), places, ax=axes, node_size=9)
    """
    if not is_maze(x):
        raise TypeError(f"x must be a Maze or a GraphMaze, not {type(x).__name__}: of a batch take batch[i]")
    nodes, lattice = nodes_of(x), lattice_of(x)
    places: Any = nodes.places if lattice is None else plane_to_plot(lattice).positions
    return dict(zip(nodes.names, map(tuple, places.tolist()), strict=True))


def graph_maze_from_networkx(graph: nx.Graph[Any], lattice: Lattice | None = None) -> GraphMaze:
    """Return the maze of a graph: see `GraphMaze.from_networkx`.

    Parameters
    ----------
    graph : networkx.Graph or networkx.MultiGraph
    lattice : Lattice, optional

    Returns
    -------
    GraphMaze
    """
    require_undirected(graph)
    if lattice is None:
        lattice = from_graph(graph)
        is_open = np.array([_truth(value) for *_, value in graph.edges(data="open", default=True)], np.bool_)
        return GraphMaze(lattice, is_open & (lattice.edges[:, 0] != lattice.edges[:, 1]))
    require_lattice(lattice)
    numbers = {node: cell_of(lattice, node, "graph: node") for node in graph}
    return GraphMaze(lattice, edge_numbers(lattice, *open_edges(graph, numbers)))


def open_edges(
    graph: nx.Graph[Any], numbers: Mapping[Any, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells of each edge that is open, and its ``id``, -1 where it has none."""
    found = []
    for one, other, data in graph.edges(data=True):
        is_open = data.get("open", True)
        if is_open is True or _truth(is_open):
            found.append((numbers[one], numbers[other], numbered(data.get("id"))))
    table = np.array(found, np.int64).reshape(-1, 3)
    return table[:, :2], table[:, 2]


def numbered(value: Any) -> int:
    """Return the number that an attribute holds, also as a text; -1 if it holds another thing."""
    if type(value) is float and value.is_integer():
        value = int(value)  # of igraph
    if type(value) is int:
        return value if 0 <= value < 1 << 62 else -1
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else -1


def _truth(value: Any) -> bool:
    if not isinstance(value, bool) and value not in {0, 1}:  # GML has no booleans
        raise TypeError(f"open must be true or false, not {short_repr(value)}")
    return bool(value)


def edges_from_networkx(
    graph: nx.Graph[Any], shape: ShapeLike | None = None, wrap: Wrap = FLAT
) -> tuple[Shape, NDArray[np.int64], NDArray[np.bool_] | None]:
    """Return shape, edges and mask of a graph with nodes (row, col), as `Maze.from_edges` takes them.

    Parameters
    ----------
    graph : networkx.Graph
        Undirected; edges join adjacent cells. Parallel edges of a multigraph count once; those with
        ``open=False`` are walls.
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
    require_undirected(graph)
    nodes = list(graph.nodes)
    if not nodes:
        raise ValueError("graph has no nodes; a maze has at least one cell")
    positions = np.array([_position(node) for node in nodes], np.int64)
    if shape is None:
        rows, cols = (int(i) for i in positions.max(axis=0) + 1)
    else:
        rows, cols = shape = checked_shape(shape)
    outside = np.flatnonzero(((positions < 0) | (positions >= (rows, cols))).any(axis=1))
    if outside.size:
        where = f"outside the shape ({rows}, {cols})" if shape is not None else "negative"
        raise ValueError(f"graph: node {short_repr(nodes[outside[0]])} is {where}")
    rows, cols = checked_shape((rows, cols))
    wrap = checked_wrap(wrap, (rows, cols))
    require(10 * rows * cols, f"a maze of ({rows}, {cols})", "number the nodes of graph from (0, 0)")
    numbers = dict(zip(nodes, (positions @ (cols, 1)).tolist(), strict=True))
    edges, _ = open_edges(graph, numbers)
    bad = np.flatnonzero(_core.wall_ids(edges, (rows, cols), wrap) < 0)
    if bad.size:
        one, other = (divmod(number, cols) for number in edges[bad[0]].tolist())
        raise ValueError(f"graph: edge {one} - {other} does not join two adjacent cells")
    mask = np.zeros((rows, cols), np.bool_)
    mask[tuple(positions.T)] = True
    return (rows, cols), edges, None if mask.all() else mask


def _position(node: Any) -> Cell:
    position = pair(node, "graph: a node")
    if max(position) >= 1 << 48:
        raise MemoryError(f"graph: node {short_repr(node)} needs a maze that no memory can hold")
    return max(position[0], -1), max(position[1], -1)


def to_sparse(maze: Any) -> scipy.sparse.csr_array[Any, tuple[int, int]]:
    """Return the adjacency matrix over cell numbers (``row * cols + col``, or those of the lattice).

    Parameters
    ----------
    maze : Maze or GraphMaze

    Returns
    -------
    scipy.sparse.csr_array of float64, shape (n, n)
        Symmetric, 1 for a passage (k for k parallel ones), column indices in order. A cell that does not
        exist has no entries.

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
        from scipy.sparse import coo_array, csr_array
    if lattice_of(maze) is not None:
        n, ends = maze.n_cells, maze.edges()
        require(60 * len(ends) + 8 * n, f"the sparse matrix of {maze!r}", "take a smaller maze")
        rows, columns = np.concatenate([ends, ends[:, ::-1]]).T
        return coo_array((np.ones(len(rows)), (rows, columns)), shape=(n, n)).tocsr()
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


def edges_of_sparse(matrix: Any, n_cells: int) -> NDArray[np.int64]:
    """Return the cells of each entry of an adjacency matrix, k times where it is k.

    Parameters
    ----------
    matrix : scipy sparse array or matrix
        Symmetric, with a row for each cell.
    n_cells : int

    Returns
    -------
    ndarray of int64, shape (k, 2)

    Raises
    ------
    TypeError
        If it is not sparse, or not symmetric.
    ValueError
        If it has another shape.
    """
    if not hasattr(matrix, "tocoo"):
        raise TypeError(
            f"matrix must be a sparse array of scipy, not {type(matrix).__name__}: csr_array(matrix) is one"
        )
    require_shape(matrix, (n_cells, n_cells), "matrix", "a row for each cell")
    edges = graph_parts(matrix).edges
    entries = sparse_entries(matrix)
    times = entries.data[entries.row <= entries.col]
    return np.repeat(edges, np.maximum(times, 1).astype(np.int64), axis=0)
