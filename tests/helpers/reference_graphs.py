"""Graphs of mazes and arrays for scipy and networkx, and connected components without the core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import scipy.sparse
from arbitrary_mazes import some_array, some_maze

import meiro
from meiro import Maze

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell


def graph_of(roads: NDArray[np.bool_]) -> scipy.sparse.csr_array[Any, tuple[int, int]]:
    """The adjacency matrix of a wall/road array, slowly and obviously."""
    number = np.arange(roads.size).reshape(roads.shape)
    pairs = []
    for one, other in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])):
        both = roads[one] & roads[other]
        pairs.append(np.stack([number[one][both], number[other][both]]))
    rows, cols = np.concatenate(pairs, axis=1)
    return scipy.sparse.csr_array((np.ones(len(rows)), (rows, cols)), shape=(roads.size, roads.size))


def graph_of_maze(maze: Maze) -> scipy.sparse.csr_array[Any, tuple[int, int]]:
    size = maze.passages.size
    ends = maze.edges().T
    return scipy.sparse.csr_array((np.ones(ends.shape[1]), tuple(ends)), shape=(size, size))


def graph(x: Maze | NDArray[Any]) -> nx.Graph[Cell]:
    """The graph of the places of a maze or an array, from the adjacency matrices."""
    roads = meiro.components(x)[0] != 0
    edges = graph_of_maze(x) if isinstance(x, Maze) else graph_of(x == 0)
    found: nx.Graph[Cell] = nx.Graph()
    found.add_nodes_from(map(tuple, np.argwhere(roads).tolist()))
    cols = roads.shape[1]
    ends = np.stack(edges.nonzero(), axis=1).tolist()
    found.add_edges_from((divmod(one, cols), divmod(other, cols)) for one, other in ends)
    return found


def some_space(seed: int) -> Maze | NDArray[np.uint8]:
    """Mazes and arrays in turn."""
    return some_maze(seed) if seed % 2 else some_array(seed)


def some_ends(ways: nx.Graph[Cell], seed: int) -> list[Cell]:
    """Four places; the first two are connected."""
    rng = np.random.default_rng(seed)
    places = list(ways)
    chosen = [places[i] for i in rng.integers(len(places), size=4)]
    near = sorted(nx.node_connected_component(ways, chosen[0]))
    chosen[1] = near[rng.integers(len(near))]
    return chosen


def pieces(maze: meiro.Maze) -> int:
    """Return the number of connected components, by a flood fill in Python."""
    left = {
        tuple(c) for c in np.argwhere(np.ones((maze.rows, maze.cols)) if maze.mask is None else maze.mask)
    }
    count = 0
    while left:
        count += 1
        todo = [left.pop()]
        while todo:
            r, c = todo.pop()
            for bit, to in ((1, (r - 1, c)), (2, (r, c + 1)), (4, (r + 1, c)), (8, (r, c - 1))):
                if maze.passages[r, c] & bit and to in left:
                    left.remove(to)
                    todo.append(to)
    return count


def parts_of(mask: NDArray[np.bool_]) -> int:
    full = meiro.Maze.from_wall_ids(mask.shape, [], mask=mask)
    return pieces(full)
