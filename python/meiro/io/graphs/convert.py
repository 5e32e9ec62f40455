"""A maze on a lattice as a graph: of networkx, as a sparse matrix of scipy, and in Graphviz's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import requires_extra
from meiro.colors import GOAL, START
from meiro.lattices.lattice import cell_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    import networkx as nx
    import scipy.sparse

    from meiro.graphs.graph_maze import GraphMaze
    from meiro.lattices.lattice import Lattice

_STEP = 36  # points from cell to cell


def to_networkx(maze: GraphMaze) -> nx.Graph[Any]:
    """Return a maze as an undirected networkx graph; see `GraphMaze.to_networkx`.

    Parameters
    ----------
    maze : GraphMaze

    Returns
    -------
    networkx.Graph or networkx.MultiGraph
        A node for each cell, by label or number, with ``pos``, (x, y) or (x, y, z), where the lattice has
        positions; an edge for each passage, with ``id``, its number. A multigraph, keyed by number, if two
        passages are parallel.

    Raises
    ------
    ImportError
        If networkx is not installed.

    Examples
    --------
    >>> import networkx as nx
    >>> maze = meiro.generate(meiro.lattices.square(2, 2), rng=7)
    >>> nx.is_tree(maze.to_networkx())
    True
    """
    with requires_extra("graph", "networkx"):
        import networkx as nx
    lattice = maze.lattice
    require(
        800 * lattice.n_cells, f"the networkx graph of {maze!r}", "take maze.to_sparse(), 28 bytes a cell"
    )
    names = _names(lattice)
    ends, numbers = maze.edges(), maze.edge_ids().tolist()
    graph: nx.Graph[Any] = nx.MultiGraph() if _any_parallel(ends) else nx.Graph()
    graph.add_nodes_from(names)
    if lattice.positions is not None:
        positions = map(tuple, lattice.positions.tolist())
        nx.set_node_attributes(graph, dict(zip(names, positions, strict=True)), "pos")
    for (one, other), number in zip(ends.tolist(), numbers, strict=True):
        key = {"key": number} if graph.is_multigraph() else {}
        graph.add_edge(names[one], names[other], id=number, **key)
    return graph


def to_sparse(maze: GraphMaze) -> scipy.sparse.csr_array[Any, tuple[int, int]]:
    """Return the adjacency matrix over cell numbers; see `GraphMaze.to_sparse`.

    Parameters
    ----------
    maze : GraphMaze

    Returns
    -------
    scipy.sparse.csr_array of float64, shape (n_cells, n_cells)
        Symmetric; the number of passages between two cells. Column indices are in order.

    Raises
    ------
    ImportError
        If scipy is not installed.
    """
    with requires_extra("graph", "scipy"):
        from scipy.sparse import coo_array
    n = maze.n_cells
    ends = maze.edges()
    require(60 * len(ends) + 8 * n, f"the sparse matrix of {maze!r}", "take a smaller maze")
    rows, cols = np.concatenate([ends, ends[:, ::-1]]).T
    return coo_array((np.ones(len(rows)), (rows, cols)), shape=(n, n)).tocsr()


def to_dot(maze: GraphMaze, *, start: Hashable = None, goal: Hashable = None) -> str:
    """Return a maze as an undirected graph in Graphviz's language; see `GraphMaze.to_dot`.

    Parameters
    ----------
    maze : GraphMaze
    start, goal : int or hashable, optional
        Cells to colour blue and green; default: `GraphMaze.endpoints`.

    Returns
    -------
    str
        A node for each cell, named by its number, with its label, and pinned to its position if it has one
        in the plane; an edge for each passage. Start is blue, goal green.

    Raises
    ------
    ValueError
        If start or goal is no cell.
    MemoryError
        If the text cannot fit, before it is made.

    Examples
    --------
    >>> maze = meiro.GraphMaze(meiro.Lattice(2, [(0, 1)]), [True])
    >>> print(maze.to_dot())
    graph maze {
      edge [penwidth=2];
      node [shape=circle, width=0.3, height=0.3, fixedsize=true, fontsize=9];
      0 [style=filled, fillcolor="#1d3fb8", fontcolor=white];
      1 [style=filled, fillcolor="#1fb85c"];
      0 -- 1;
    }
    """
    lattice = maze.lattice
    require(600 * lattice.n_cells, f"the DOT of {maze!r}", "save() it as a picture")
    first, last = (
        default if cell is None else cell_of(lattice, cell, name)
        for name, cell, default in zip(("start", "goal"), (start, goal), maze.endpoints, strict=True)
    )
    marks = {last: f'style=filled, fillcolor="{GOAL.hex}"'}
    marks[first] = f'style=filled, fillcolor="{START.hex}", fontcolor=white'
    places = _places(lattice)
    lines = ["graph maze {", "  graph [layout=nop2, inputscale=72];"] if places else ["graph maze {"]
    lines += [
        "  edge [penwidth=2];",
        "  node [shape=circle, width=0.3, height=0.3, fixedsize=true, fontsize=9];",
    ]
    for cell in range(lattice.n_cells):
        label = [] if lattice.labels is None else [f"label={_quoted(str(lattice.labels[cell]))}"]
        words = [*label, *places[cell : cell + 1], *([marks[cell]] if cell in marks else [])]
        lines.append(f"  {cell} [{', '.join(words)}];" if words else f"  {cell};")
    lines += [f"  {one} -- {other};" for one, other in maze.edges().tolist()]
    return "\n".join([*lines, "}"])


def _places(lattice: Lattice) -> list[str]:
    """Return the positions in Graphviz's words, 36 points from cell to cell; none outside of the plane."""
    if lattice.positions is None or lattice.positions.shape[1] != 2:
        return []
    ends = lattice.positions[lattice.edges]
    lengths = np.hypot(*(ends[:, 0] - ends[:, 1]).T)
    step = float(np.median(lengths)) if len(lengths) else 1.0
    scale = _STEP / step if step > 0 else 1.0
    points = np.round(lattice.positions * (scale, -scale))  # Graphviz counts upwards
    return [f'pos="{x:.0f},{y:.0f}!"' for x, y in (points + 0.0).tolist()]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _names(lattice: Lattice) -> list[Any]:
    return list(range(lattice.n_cells) if lattice.labels is None else lattice.labels)


def _any_parallel(ends: np.ndarray[Any, np.dtype[np.int32]]) -> bool:
    pairs = np.sort(ends, axis=1)
    return len(np.unique(pairs, axis=0)) < len(pairs)
