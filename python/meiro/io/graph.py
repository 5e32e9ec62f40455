"""A maze as a graph: networkx, a sparse matrix, and Graphviz's language."""

from __future__ import annotations

import gc
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro._utils.square import FLAT, E, N, S, W, checked_cell, checked_shape, checked_wrap, ids_between
from meiro.colors import GOAL, START
from meiro.errors import missing, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    import networkx as nx
    import scipy.sparse
    from numpy.typing import NDArray

    from meiro._utils.square import Cell, CellLike, Shape, ShapeLike, Wrap
    from meiro.maze.maze import Maze

_STEP = 36  # points from cell to cell in a DOT drawing
_BAND = 1 << 18  # cells turned into matrix rows at a time


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
    try:
        import networkx as nx
    except ImportError as e:
        raise missing("graph", "networkx") from e  # noqa: EM101
    rows, cols = maze.rows, maze.cols
    require(800 * rows * cols, f"the networkx graph of {maze!r}", "take maze.to_sparse(), 28 bytes a cell")
    nodes = [(row, col) for row in range(rows) for col in range(cols)]
    there = nodes if maze.mask is None else [nodes[i] for i in np.flatnonzero(maze.mask).tolist()]
    ends = maze.edges().T
    graph: nx.Graph[Cell] = nx.Graph()
    collecting = gc.isenabled()
    gc.disable()  # a million small dicts: looking for cycles among them takes longer than making them
    try:
        graph.add_nodes_from(there)
        for node, facts in graph.nodes(data=True):
            facts["pos"] = node[::-1]
        graph.add_edges_from(zip(*([nodes[i] for i in end.tolist()] for end in ends), strict=True))
    finally:
        if collecting:
            gc.enable()
    return graph


def edges_of(
    graph: nx.Graph[Any], shape: ShapeLike | None = None, wrap: Wrap = FLAT
) -> tuple[Shape, NDArray[np.int64], NDArray[np.bool_] | None]:
    """Return what `Maze.from_edges` takes, of a graph with nodes (row, col).

    Parameters
    ----------
    graph : networkx.Graph
        Undirected; edges join neighbouring cells. Parallel edges of a multigraph count once.
    shape : (int, int), optional
        Rows and columns, in cells. Default: what the nodes need.
    wrap : (bool, bool), optional
        Whether edges may go over the rim.

    Returns
    -------
    shape : (int, int)
    edges : ndarray of int64, shape (n, 2)
        Area numbers.
    mask : ndarray of bool, shape (rows, cols), or None
        True where the graph has a node; None if it has all.

    Raises
    ------
    TypeError
        If the graph is directed, or a node is no pair of integers.
    ValueError
        If it has no nodes, a node is outside `shape`, or an edge joins cells that are no neighbours.

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
        msg = "graph is directed, and a passage goes both ways: give graph.to_undirected()"
        raise TypeError(msg)
    nodes = list(graph.nodes)
    if not nodes:
        msg = "graph has no nodes, and a maze has at least one cell"
        raise ValueError(msg)
    places = np.array([_place(node) for node in nodes], np.int64)
    first = places.min(axis=0)
    if shape is None:
        rows, cols = (int(i) for i in places.max(axis=0) + 1)
        if (first < 0).any():
            rows = cols = 1 << 49  # the node is named below
    else:
        rows, cols = shape = checked_shape(shape)
    outside = np.flatnonzero(((places < 0) | (places >= (rows, cols))).any(axis=1))
    if outside.size:
        where = f"outside the shape ({rows}, {cols})" if shape is not None else "negative"
        msg = f"graph: node {shown(nodes[outside[0]])} is {where}"
        raise ValueError(msg)
    rows, cols = checked_shape((rows, cols))
    around = checked_wrap(wrap, (rows, cols))
    require(10 * rows * cols, f"a maze of ({rows}, {cols})", "number the nodes of graph from (0, 0) on")
    numbers = dict(zip(nodes, (places @ (cols, 1)).tolist(), strict=True))
    pairs = [(numbers[one], numbers[other]) for one, other in graph.edges()]
    edges = np.array(pairs, np.int64).reshape(-1, 2)
    bad = np.flatnonzero(ids_between(edges, (rows, cols), around) < 0)
    if bad.size:
        one, other = list(graph.edges())[bad[0]]
        msg = f"graph: edge {shown(one)} - {shown(other)} does not join two neighbouring cells"
        raise ValueError(msg)
    mask = np.zeros((rows, cols), np.bool_)
    mask[tuple(places.T)] = True
    return (rows, cols), edges, None if mask.all() else mask


def _place(node: Any) -> Cell:
    try:
        row, col = node
        place = operator.index(row), operator.index(col)
    except (TypeError, ValueError):
        msg = f"graph: node {shown(node)} is no pair of integers (row, col)"
        raise TypeError(msg) from None
    if max(place) >= 1 << 48:
        msg = f"graph: node {shown(node)} is in a maze that no memory holds"
        raise MemoryError(msg)
    return max(place[0], -1), max(place[1], -1)


def to_sparse(maze: Maze) -> scipy.sparse.csr_array[Any, tuple[int, int]]:
    """Return the adjacency matrix over area numbers (``row * cols + col``).

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
    try:
        from scipy.sparse import csr_array
    except ImportError as e:
        raise missing("graph", "scipy") from e  # noqa: EM101
    cells, cols = maze.passages.size, maze.cols
    require(32 * cells, f"the sparse matrix of {maze!r}", "take a smaller maze")
    whole = np.int32 if cells < 1 << 29 else np.int64  # four entries a cell at most
    open_ = maze.passages.reshape(-1)
    starts = np.zeros(cells + 1, whole)
    np.cumsum(_DEGREE[open_], out=starts[1:], dtype=whole)
    targets = np.empty(int(starts[-1]), whole)
    steps: NDArray[Any] = np.array([-cols, -1, 1, cols], whole)  # N, W, E, S: in order of area numbers
    bits = np.array([N, W, E, S], np.uint8)
    for first in range(0, cells, _BAND):
        part = open_[first : first + _BAND]
        last = first + len(part)
        here: NDArray[Any] = np.arange(first, last, dtype=whole)
        beside = here[:, None] + steps
        if any(maze.wrap):
            beside[:, 1] += np.where(here % cols == 0, cols, 0)
            beside[:, 2] -= np.where(here % cols == cols - 1, cols, 0)
            beside %= cells  # over the north and south
        targets[starts[first] : starts[last]] = beside[(part[:, None] & bits) != 0]
    matrix = csr_array((np.ones(len(targets)), targets, starts), shape=(cells, cells))
    if any(maze.wrap):
        matrix.sort_indices()
    return matrix


_DEGREE = np.array([i.bit_count() for i in range(16)], np.uint8)


def to_dot(maze: Maze, *, start: CellLike | None = None, goal: CellLike | None = None) -> str:
    """Return the maze as an undirected graph in Graphviz's language.

    Every cell is a node named by its area number (``row * cols + col``) and pinned to its place, so that
    ``dot``, ``neato`` and ``neato -n2`` all draw the maze as it lies. Start is blue, goal green; an edge
    over the rim of a maze that wraps is dashed.

    Parameters
    ----------
    maze : Maze
    start, goal : (int, int), optional
        Default: those of the maze, else its first and last cell.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If start or goal is outside or masked out.

    Examples
    --------
    >>> print(meiro.Maze([[2, 8]]).to_dot())
    graph maze {
      graph [layout=nop2, inputscale=72];
      edge [penwidth=2];
      node [shape=circle, width=0.3, height=0.3, fixedsize=true, fontsize=9];
      0 [pos="0,0!", style=filled, fillcolor="#1d3fb8", fontcolor=white];
      1 [pos="36,0!", style=filled, fillcolor="#1fb85c"];
      0 -- 1;
    }
    """
    return "\n".join(_dot_lines(maze, start, goal))


def _dot_lines(maze: Maze, start: CellLike | None, goal: CellLike | None) -> Iterator[str]:
    rows, cols = maze.rows, maze.cols
    there = np.arange(rows * cols) if maze.mask is None else np.flatnonzero(maze.mask)
    require(600 * len(there), f"the DOT of {maze!r}", "save() it as a picture")
    first = _end(maze, start, maze.start, int(there[0]), "start")
    last = _end(maze, goal, maze.goal, int(there[-1]), "goal")
    size = 9 if rows * cols <= 1000 else 6  # three digits fit, or five
    yield "graph maze {"
    yield "  graph [layout=nop2, inputscale=72];"
    yield "  edge [penwidth=2];"
    yield f"  node [shape=circle, width=0.3, height=0.3, fixedsize=true, fontsize={size}];"
    marks = {last: f', style=filled, fillcolor="{GOAL.hex}"'}
    marks[first] = f', style=filled, fillcolor="{START.hex}", fontcolor=white'
    x = (there % cols * _STEP).tolist()
    y = ((rows - 1 - there // cols) * _STEP).tolist()  # Graphviz counts upwards
    for cell, left, up in zip(there.tolist(), x, y, strict=True):
        yield f'  {cell} [pos="{left},{up}!"{marks.get(cell, "")}];'
    for one, other in maze.edges().tolist():
        over = one > other  # only over the rim does an edge lead back
        yield f"  {one} -- {other}{' [style=dashed]' if over else ''};"
    yield "}"


def _end(maze: Maze, given: CellLike | None, own: Cell | None, otherwise: int, name: str) -> int:
    if given is None:
        return otherwise if own is None else own[0] * maze.cols + own[1]
    cell = checked_cell(given, (maze.rows, maze.cols), name)
    if maze.mask is not None and not maze.mask[cell]:
        msg = f"{name} {cell} is masked out"
        raise ValueError(msg)
    return cell[0] * maze.cols + cell[1]
