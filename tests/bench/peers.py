"""Other libraries that make spanning trees of a lattice, as far as they are installed.

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

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

Runs = dict[tuple[str, str], "Callable[[], object]"]

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


def runs(side: int) -> Runs:
    """Return (our name, peer) -> one run, for those that are installed."""
    found: Runs = {}
    cells = meiro.wall_cells((side, side), np.arange(meiro.lattice.n_walls((side, side))))
    weights = np.random.default_rng(7).random(len(cells)) + 1e-9
    for peer, make in (("scipy", _scipy), ("igraph", _igraph), ("rustworkx", _rustworkx)):
        try:
            found["kruskal", peer] = make(cells, weights, side * side)
        except ImportError:
            continue
    try:
        daedalus = importlib.import_module("daedalus")
    except ImportError:
        return found
    for name, method in DAEDALUS.items():
        found[name, "pydaedalus"] = _daedalus(daedalus, method, side)
    return found


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


def _daedalus(daedalus: Any, method: str, side: int) -> Callable[[], object]:
    def run() -> object:
        maze = daedalus.Maze(2 * side + 1, 2 * side + 1)
        return getattr(maze, method)()

    return run
