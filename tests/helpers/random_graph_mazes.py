"""Mazes on graphs of every kind, disconnected, with parallel edges and self loops, and on squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

import meiro

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike


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
