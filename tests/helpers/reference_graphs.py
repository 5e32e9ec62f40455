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
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

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
            for bit, row, col in ((1, r - 1, c), (2, r, c + 1), (4, r + 1, c), (8, r, c - 1)):
                to = row % maze.rows, col % maze.cols  # over a rim that wraps
                if maze.passages[r, c] & bit and to in left:
                    left.remove(to)
                    todo.append(to)
    return count


def is_tree(maze: meiro.Maze) -> bool:
    """Return whether all cells are joined, each in one way; `Maze` has checked both sides of each wall."""
    return pieces(maze) == 1 and len(maze.edges()) == maze.passages.size - 1


def parts_of(mask: NDArray[np.bool_]) -> int:
    full = meiro.Maze.from_wall_ids(mask.shape, [], mask=mask)
    return pieces(full)


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


def square_pairs(n: int = 20, seed: int = 0) -> Iterator[tuple[meiro.GraphMaze, meiro.Maze]]:
    """Yield `n` pairs of a GraphMaze on a square lattice and the Maze with the same passages."""
    rng = np.random.default_rng(seed)
    for i in range(n):
        rows, cols = (int(side) for side in rng.integers(1, 9, 2))
        maze = meiro.generate((rows, cols), "wilson", rng=i)
        if i % 3 == 1:
            maze = meiro.add_loops(maze, share=0.3, rng=i)
        elif i % 3 == 2:
            n_walls = rows * (cols - 1) + (rows - 1) * cols
            maze = meiro.Maze.from_wall_ids((rows, cols), np.flatnonzero(rng.random(n_walls) < 0.5))
        yield as_graph_maze(maze), maze


def as_graph_maze(maze: meiro.Maze) -> meiro.GraphMaze:
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
