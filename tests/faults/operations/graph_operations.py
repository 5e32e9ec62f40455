"""Long operations on mazes of lattices; `long_operations` imports them."""

from __future__ import annotations

import functools
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from operations.rows import add, consumed

import meiro
from meiro import SOLVERS

if TYPE_CHECKING:
    from collections.abc import Callable


@functools.lru_cache(maxsize=2)
def lattice_of(side: int) -> meiro.Lattice:
    """Return a square lattice."""
    return meiro.lattices.square(side, side)


@functools.lru_cache(maxsize=2)
def graph_maze_of(side: int) -> meiro.GraphMaze:
    """Return a perfect maze on a lattice."""
    return meiro.generate(lattice_of(side), "kruskal", rng=1)


@functools.lru_cache(maxsize=2)
def open_maze_of(side: int) -> meiro.GraphMaze:
    """Return a lattice with nearly all edges open."""
    lattice = lattice_of(side)
    return meiro.GraphMaze(lattice, np.arange(lattice.n_edges) % 97 > 0)


@functools.lru_cache(maxsize=2)
def graph_batch_of(n: int) -> meiro.GraphBatch:
    """Return many small mazes on one lattice."""
    return meiro.generate_many(lattice_of(16), "kruskal", n, rng=1)


def on_graph(name: str, side: int, call: Callable[[meiro.GraphMaze], object], *, rough: bool = False) -> None:
    """Add a row for a function of a maze on a lattice."""
    make = open_maze_of if rough else graph_maze_of
    add(f"{name} graph{' room' * rough}", side, lambda n: partial(call, make(n)))


def on_graphs(name: str, side: int, call: Callable[[meiro.GraphBatch], object]) -> None:
    """Add a row for a function of a batch on a lattice."""
    add(f"{name} graphs", side, lambda n: partial(call, graph_batch_of(n * n)))


def _solve(name: str, maze: meiro.GraphMaze) -> object:
    options: dict[str, Any] = {"rng": 1} if SOLVERS[name].random else {}
    return meiro.solve(maze, algorithm=name, **options)


for facts in SOLVERS.values():
    if facts.graphs:
        size = 150 if facts.random else 1500
        on_graph(f"solve {facts.name}", size, partial(_solve, facts.name))
        on_graph(f"solve {facts.name}", size, partial(_solve, facts.name), rough=True)
on_graph("distances", 2000, meiro.distances)
on_graph("distances weights", 1000, lambda m: meiro.distances(m, weights=np.ones(len(m.open))), rough=True)
on_graph("bottlenecks", 1500, meiro.bottlenecks)
on_graph("policy", 1500, lambda m: meiro.policy(m, 0), rough=True)
on_graph("shortest_paths", 500, meiro.shortest_paths, rough=True)
on_graph("all_shortest_paths", 1500, lambda m: consumed(meiro.all_shortest_paths(m), 30), rough=True)
on_graph("longest_path", 1500, meiro.longest_path)
on_graph("longest_path exact", 150, lambda m: meiro.longest_path(m, exact=True), rough=True)
on_graph("components", 2000, meiro.components)
on_graph("check", 2000, meiro.check)
on_graph("measure", 1500, meiro.measure)
on_graph("measure", 1500, meiro.measure, rough=True)
on_graph("braid", 1500, lambda m: meiro.braid(m, rng=1))
on_graph("add_loops", 1500, lambda m: meiro.add_loops(m, share=0.5, rng=1))
on_graph("fill_dead_ends", 1500, meiro.fill_dead_ends)
on_graphs("solve_many", 100, lambda b: meiro.solve_many(b, paths=True, threads=2))
on_graphs("measure", 100, lambda b: meiro.measure(b, threads=2))
on_graphs("braid", 100, lambda b: meiro.braid(b, rng=1, threads=2))
