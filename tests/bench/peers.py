"""Other libraries that make spanning trees of a lattice, or find ways, as far as they are installed.

scipy, igraph and rustworkx find the minimum spanning tree of random weights, which is Kruskal's law. Their
graphs are built and weighed outside of the time that is taken; meiro draws its weights within.
pydaedalus (``pip install Cython setuptools wheel``, then ``pip install --no-build-isolation pydaedalus``) has
algorithms of its own; its Kruskal and Prim2 are left out, since they are not what their names say (1 % dead
ends where 30 % belong).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

import meiro
from meiro._utils.square import n_walls

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

Pairs = dict[tuple[str, str], tuple["Callable[[int], object]", "Callable[[], object]"]]

DAEDALUS = {
    "wilson": "create_wilson",
    "aldous_broder": "create_aldous_broder",
    "backtracker": "create_recursive",
    "hunt_and_kill": "create_perfect",
    "growing_tree": "create_tree",
    "prim_frontier_cell": "create_prim",  # by its dead ends, 35 %
    "eller": "create_eller",
    "binary_tree": "create_binary",
    "sidewinder": "create_sidewinder",
    "recursive_division": "create_division",
    "spiral": "create_spiral",
}


def pairs(side: int) -> Pairs:
    """Return (our name, peer) -> one run of ours, by number of the round, and one of theirs."""
    return _generators(side) | _solvers(side)


def _generators(side: int) -> Pairs:
    found: Pairs = {}

    def ours(name: str) -> Callable[[int], object]:
        return lambda i: meiro.generate((side, side), name, rng=i)

    cells = meiro.wall_cells((side, side), np.arange(n_walls((side, side))))
    weights = np.random.default_rng(7).random(len(cells)) + 1e-9
    for peer, make in TREES.items():
        try:
            found["kruskal", peer] = ours("kruskal"), make(cells, weights, side * side)
        except ImportError:
            continue
    try:
        daedalus = importlib.import_module("daedalus")
    except ImportError:
        return found
    for name, method in DAEDALUS.items():
        found[name, "pydaedalus"] = ours(name), _daedalus(daedalus, method, side)
    return found


def _solvers(side: int) -> Pairs:
    """A way across the same perfect maze, to the cell that is farthest from the first one."""
    maze = meiro.generate((side, side), "backtracker", rng=7)
    row, col = divmod(int(meiro.distances(maze, (0, 0)).argmax()), side)
    grid, ends = maze.grid, ((1, 1), (2 * row + 1, 2 * col + 1))
    found: Pairs = {}

    def pair(name: str, peer: str, module: str, theirs: Callable[[Any], object], *, cells: bool) -> None:
        x, start, goal = (maze, (0, 0), (row, col)) if cells else (grid, *ends)
        try:
            library = importlib.import_module(module)
        except ImportError:
            return
        found[name, peer] = lambda _: meiro.solve(x, start, goal, algorithm=name), lambda: theirs(library)

    def from_array(csgraph: Any) -> object:
        return csgraph.breadth_first_order(_pixels(grid), ends[0][0] * grid.shape[1] + ends[0][1])

    pair("bfs", "scipy, from an array", "scipy.sparse.csgraph", from_array, cells=False)
    graph = maze.to_sparse()
    pair(
        "bfs",
        "scipy, its graph given",
        "scipy.sparse.csgraph",
        lambda c: c.breadth_first_order(graph, 0),
        cells=True,
    )
    costs = np.where(grid == 0, 1, np.inf).astype(np.float32)
    pair("a_star", "pyastar2d", "pyastar2d", lambda p: p.astar_path(costs, *ends), cells=False)
    pair("bfs", "pyastar2d", "pyastar2d", lambda p: p.astar_path(costs, *ends), cells=False)
    barred = np.where(grid == 0, 1, -1)

    def route(skimage: Any) -> object:
        return skimage.route_through_array(barred, *ends, fully_connected=False)

    pair("bfs", "scikit-image", "skimage.graph", route, cells=False)
    if side <= 2000:
        nodes = maze.to_networkx()
        pair(
            "bfs", "networkx", "networkx", lambda nx: nx.shortest_path(nodes, (0, 0), (row, col)), cells=True
        )
    return found


def _pixels(walls: NDArray[np.uint8]) -> Any:
    """Return the graph of the roads of an array, as one makes it with NumPy."""
    from scipy.sparse import csr_array

    roads, number = walls == 0, np.arange(walls.size, dtype=np.int32).reshape(walls.shape)
    beside, below = roads[:, 1:] & roads[:, :-1], roads[1:] & roads[:-1]
    one = np.concatenate([number[:, :-1][beside], number[:-1][below]])
    other = np.concatenate([number[:, 1:][beside], number[1:][below]])
    ends = np.concatenate([one, other]), np.concatenate([other, one])
    return csr_array((np.ones(2 * len(one), np.int8), ends), shape=(walls.size, walls.size))


def _scipy(cells: NDArray[np.int64], weights: NDArray[np.float64], n: int) -> Callable[[], object]:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    graph = csr_array((weights, (cells[:, 0], cells[:, 1])), shape=(n, n))
    return lambda: minimum_spanning_tree(graph)


def _igraph(cells: NDArray[np.int64], weights: NDArray[np.float64], n: int) -> Callable[[], object]:
    igraph = importlib.import_module("igraph")
    graph = igraph.Graph(n, cells)
    listed = weights.tolist()
    return lambda: graph.spanning_tree(weights=listed, return_tree=False)


def _rustworkx(cells: NDArray[np.int64], weights: NDArray[np.float64], n: int) -> Callable[[], object]:
    rustworkx = importlib.import_module("rustworkx")
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from([(a, b, w) for (a, b), w in zip(cells.tolist(), weights.tolist(), strict=True)])
    return lambda: rustworkx.minimum_spanning_tree(graph, weight_fn=float)


TREES = {"scipy": _scipy, "igraph": _igraph, "rustworkx": _rustworkx}


def _daedalus(daedalus: Any, method: str, side: int) -> Callable[[], object]:
    def run() -> object:
        maze = daedalus.Maze(2 * side + 1, 2 * side + 1)
        return getattr(maze, method)()

    return run
