"""Graphs of mazes and arrays for scipy and networkx, without the core."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse
from arbitrary_mazes import some_array, some_maze
from numpy.typing import ArrayLike, NDArray

import meiro
from meiro import Maze, lattices
from meiro._utils.square import Cell

GRAPHS = {
    "2 x 3": lattices.square(2, 3),
    "3 x 3": lattices.square(3, 3),
    "K4": lattices.from_graph(nx.complete_graph(4)),
    "K5": lattices.from_graph(nx.complete_graph(5)),
    "K33": lattices.from_graph(nx.complete_bipartite_graph(3, 3)),
    "W6": lattices.from_graph(nx.wheel_graph(6)),
    "Petersen": lattices.from_graph(nx.petersen_graph()),
}
MULTIGRAPH = meiro.Lattice(4, [(0, 1), (1, 0), (1, 2), (2, 2), (3, 2), (0, 3), (0, 2)])


def existing(x: Maze | NDArray[Any]) -> NDArray[np.bool_]:
    """Where a maze has cells, or an array has road."""
    if not isinstance(x, Maze):
        return np.asarray(x == 0)
    return np.ones(x.passages.shape, bool) if x.mask is None else x.mask


def adjacency(x: Maze | NDArray[Any]) -> scipy.sparse.csr_array[Any, tuple[int, int]]:
    """The adjacency matrix of the places of a maze or an array, without the core."""
    places = x.passages if isinstance(x, Maze) else existing(x)
    number = np.arange(places.size).reshape(places.shape)
    ends = []
    if isinstance(x, Maze):
        for bit, opposite, axis in ((2, 8, 1), (4, 1, 0)):
            there = np.roll(number, -1, axis)
            is_open = x.passages & bit != 0
            assert (is_open == (np.roll(x.passages, -1, axis) & opposite != 0)).all(), "a side of a passage"
            assert x.wrap[axis] or not is_open.take(-1, axis).any(), "a passage leads out"
            ends.append((number[is_open], there[is_open]))
    else:
        for first, second in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])):
            both = places[first] & places[second]
            ends.append((number[first][both], number[second][both]))
    one, other = (np.concatenate(side) for side in zip(*ends, strict=True))
    matrix = scipy.sparse.csr_array((np.ones(len(one)), (one, other)), shape=(number.size, number.size))
    return matrix + matrix.T


def graph_of(x: Maze | NDArray[Any]) -> nx.Graph[Cell]:
    """The graph of the places of a maze or an array."""
    roads = existing(x)
    found: nx.Graph[Cell] = nx.Graph()
    found.add_nodes_from(map(tuple, np.argwhere(roads).tolist()))
    cols = roads.shape[1]
    ends = np.stack(adjacency(x).nonzero(), axis=1).tolist()
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


def pieces(maze: Maze) -> int:
    """The number of connected components, by networkx."""
    return int(nx.number_connected_components(graph_of(maze)))


def parts_of(mask: NDArray[np.bool_]) -> int:
    """The number of components of the cells that exist."""
    return int(nx.number_connected_components(graph_of(~mask)))


def random_graph_mazes(n: int = 60, seed: int = 0) -> Iterator[meiro.GraphMaze]:
    """Yield `n` mazes on random multigraphs with positions, each with its own share of open edges."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        cells = int(rng.integers(1, 30))
        edges = rng.integers(0, cells, (int(rng.integers(0, 3 * cells)), 2))
        positions = rng.random((cells, int(rng.integers(2, 4)))) if rng.random() < 0.7 else None
        lattice = meiro.Lattice(cells, edges, positions=positions)
        passages = rng.random(len(edges)) < rng.choice([0.4, 0.7, 1.0])
        passages[edges[:, 0] == edges[:, 1]] = False
        yield meiro.GraphMaze(lattice, passages)


def square_pairs(n: int = 20, seed: int = 0) -> Iterator[tuple[meiro.GraphMaze, Maze]]:
    """Yield `n` pairs of a GraphMaze on a square lattice and the Maze with the same passages."""
    rng = np.random.default_rng(seed)
    for i in range(n):
        rows, cols = (int(side) for side in rng.integers(1, 9, 2))
        maze = meiro.generate((rows, cols), "wilson", rng=i)
        if i % 3 == 1:
            maze = meiro.add_loops(maze, share=0.3, rng=i)
        elif i % 3 == 2:
            n_walls = rows * (cols - 1) + (rows - 1) * cols
            maze = Maze.from_wall_ids((rows, cols), np.flatnonzero(rng.random(n_walls) < 0.5))
        yield as_graph_maze(maze), maze


def as_graph_maze(maze: Maze) -> meiro.GraphMaze:
    """Return the GraphMaze with the passages of a Maze without mask and wrap."""
    lattice = meiro.lattices.square(maze.rows, maze.cols)
    passages = np.ones(lattice.n_edges, bool)
    passages[maze.wall_ids()] = False
    return meiro.GraphMaze(lattice, passages)


def multigraph(maze: meiro.GraphMaze, weights: ArrayLike | None = None) -> nx.MultiGraph[int]:
    """Return the passages as a networkx multigraph."""
    graph: nx.MultiGraph[int] = nx.MultiGraph()
    costs = np.ones(len(maze.open)) if weights is None else np.asarray(weights)
    graph.add_nodes_from(range(maze.n_cells))
    for edge in maze.edge_ids().tolist():
        one, other = maze.lattice.edges[edge].tolist()
        graph.add_edge(one, other, edge, weight=costs[edge])
    return graph
