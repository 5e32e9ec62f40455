"""Mazes on periodic lattices, built by hand from a networkx graph, which has cylinders and tori by itself."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import strategies as st

import meiro

WRAPS = [(True, True), (True, False), (False, True)]
_BITS = {(-1, 0): 1, (0, 1): 2, (1, 0): 4, (0, -1): 8}


def lattice_of(shape: tuple[int, int], wrap: tuple[bool, bool]) -> nx.Graph[tuple[int, int]]:
    """The graph of all cells and all neighbours."""
    graph: nx.Graph[tuple[int, int]] = nx.grid_2d_graph(*shape, periodic=wrap)
    return graph


def maze_of(graph: nx.Graph[tuple[int, int]], shape: tuple[int, int], wrap: tuple[bool, bool]) -> meiro.Maze:
    """The maze of a graph of cells, bit by bit."""
    passages, mask = np.zeros(shape, np.uint8), np.zeros(shape, bool)
    for cell in graph:
        mask[cell] = True
        for beside in graph[cell]:
            step = [b - a for a, b in zip(cell, beside, strict=True)]
            row, col = (-np.sign(d) if abs(d) > 1 else d for d in step)
            passages[cell] |= _BITS[int(row), int(col)]
    return meiro.Maze(passages, mask, wrap=wrap)


def periodic_maze(shape: tuple[int, int], wrap: tuple[bool, bool], seed: int, kind: int = 0) -> meiro.Maze:
    """Perfect (kind 0), with loops and components (1), with few walls (2), with masked-out cells (3)."""
    graph, rng = lattice_of(shape, wrap), np.random.default_rng(seed)
    if kind == 0:
        weights = {edge: rng.random() for edge in graph.edges}
        nx.set_edge_attributes(graph, weights, "weight")
        return maze_of(nx.minimum_spanning_tree(graph), shape, wrap)
    if kind == 3:
        graph.remove_nodes_from([cell for cell in list(graph)[1:] if rng.random() < 0.2])
    graph.remove_edges_from([edge for edge in list(graph.edges) if rng.random() < (0.4, 0.1, 0.4)[kind - 1]])
    return maze_of(graph, shape, wrap)


@st.composite
def periodic_mazes(draw: st.DrawFn) -> meiro.Maze:
    """Any maze on a periodic lattice."""
    wrap = draw(st.sampled_from(WRAPS))
    rows, cols = (draw(st.integers(3 if around else 1, 6)) for around in wrap)
    return periodic_maze((rows, cols), wrap, draw(st.integers(0, 999)), draw(st.integers(0, 3)))
