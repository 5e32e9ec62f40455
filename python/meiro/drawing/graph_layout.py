"""Where graphs without positions are drawn: networkx lays them out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.messages import requires_extra
from meiro.drawing.graph_outline import Plane, plane_of
from meiro.lattices.lattice import Lattice
from meiro.mazes._openings import NO_OPENINGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_LAID_OUT, _MOST_EXACT = 2000, 300  # cells without positions


def plane_to_plot(lattice: Lattice, openings: NDArray[np.int64] = NO_OPENINGS) -> Plane:
    """Return where a lattice lies in the plane, as `plane_of`; without positions networkx lays it out."""
    if lattice.positions is not None:
        return plane_of(lattice, openings)
    return plane_of(_laid_out(lattice))


@lru_cache(maxsize=2)
def _laid_out(lattice: Lattice) -> Lattice:
    """Return a lattice with positions, which takes a while."""
    n = lattice.n_cells
    if n > _MOST_LAID_OUT:
        msg = (
            f"{lattice!r} has no positions, and more than {_MOST_LAID_OUT:,} cells are not laid out: give "
            "positions, as meiro.lattices.from_graph(graph, positions=) takes them"
        )
        raise ValueError(msg)
    with requires_extra("graph", "networkx"):
        import networkx as nx
    graph: Any = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(lattice.edges.tolist())
    exact = n <= _MOST_EXACT and lattice.n_components == 1
    layout = nx.kamada_kawai_layout(graph) if exact else nx.spring_layout(graph, seed=0)
    places = np.array([layout[cell] for cell in range(n)], np.float64)
    return Lattice(n, lattice.edges, places)
