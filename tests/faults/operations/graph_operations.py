"""Long operations on mazes of lattices; `long_operations` imports them."""

from __future__ import annotations

import functools
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from operations.rows import add, consumed

import meiro
from meiro import ALGORITHMS, SOLVERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


@functools.lru_cache(maxsize=2)
def lattice_of(side: int) -> meiro.Lattice:
    """Return a square lattice."""
    return meiro.lattices.square(side, side)


def polygons_of(side: int) -> list[NDArray[np.float64]]:
    """Return the hexagons of a lattice."""
    lattice = meiro.lattices.hexagonal(side, side)
    return [lattice.polygon(cell) for cell in lattice]


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


@functools.lru_cache(maxsize=2)
def graph_trace_of(side: int) -> meiro.Trace:
    """Return a trace on a lattice."""
    return meiro.trace(lattice_of(side), "kruskal", rng=1)


def _solve(name: str, maze: meiro.GraphMaze) -> object:
    options: dict[str, Any] = {"rng": 1} if SOLVERS[name].random else {}
    return meiro.solve(maze, algorithm=name, **options)


for generator in ALGORITHMS.values():
    if generator.graphs:
        slow = generator.name in {"aldous_broder", "origin_shift", "wilson"}
        add(
            f"generate {generator.name} graph",
            500 if slow else 1000,
            lambda n, name=generator.name: partial(meiro.generate, lattice_of(n), name, rng=1),
        )
add("GraphMaze.to_text", 700, lambda n: partial(lambda m: len(m.to_text()), graph_maze_of(n)))
add("GraphMaze.__str__", 700, lambda n: partial(lambda m: len(str(m)), graph_maze_of(n)))
add("Lattice._repr_html_", 100, lambda n: partial(lambda one: one._repr_html_(), lattice_of(n)))
add("trace graph", 500, lambda n: partial(meiro.trace, lattice_of(n), "kruskal", rng=1))
add("trace_solve graph", 500, lambda n: partial(meiro.trace_solve, graph_maze_of(n)))
add("GraphFrame.maze", 500, lambda n: partial(lambda t: t[-1].maze(), graph_trace_of(n)))
add("GraphFrame.__str__", 500, lambda n: partial(lambda t: str(t[-1]), graph_trace_of(n)))
add("GraphFrame._repr_html_", 140, lambda n: partial(lambda t: t[-1]._repr_html_(), graph_trace_of(n)))
add("animate graph", 140, lambda n: partial(lambda t: meiro.animate(t)[-1], graph_trace_of(n)))
add(
    "generate_many graph",
    200,
    lambda n: partial(meiro.generate_many, lattice_of(16), "kruskal", n * n, rng=1),
)
add("spanning_tree", 1000, lambda n: partial(meiro.spanning_tree, lattice_of(n), "kruskal", rng=1))
add("number_of_mazes graph", 60, lambda n: partial(meiro.number_of_mazes, lattice_of(n)))
add("log_number_of_mazes graph", 300, lambda n: partial(meiro.log_number_of_mazes, lattice_of(n)))
add("edge_probabilities graph", 300, lambda n: partial(meiro.edge_probabilities, lattice_of(n)))
add(
    "survey graph means",
    90,
    lambda n: partial(meiro.survey, lattice_of(n), "wilson", 1, rng=1, measures=["dead_ends"]),
)
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
on_graphs("distances batch", 100, lambda b: meiro.distances(b, threads=2))
on_graphs("distances batch weights", 60, lambda b: meiro.distances(b, weights=np.ones(b.lattice.n_edges)))
on_graphs("policy batch", 100, lambda b: meiro.policy(b, 0))
on_graphs("endpoints random", 80, lambda b: meiro.endpoints(b, rng=1))
on_graphs("endpoints farthest", 80, lambda b: meiro.endpoints(b, "farthest", threads=2))
on_graphs("endpoints min_length", 40, lambda b: meiro.endpoints(b, "dead_ends", min_length=50, rng=1))
on_graphs("solve_many", 100, lambda b: meiro.solve_many(b, paths=True, threads=2))
on_graphs("measure", 100, lambda b: meiro.measure(b, threads=2))
on_graphs("braid", 100, lambda b: meiro.braid(b, rng=1, threads=2))
for name in ("edges", "edge_ids", "to_sparse", "to_dot", "_repr_html_", "solve"):
    on_graph(f"GraphMaze.{name}", 700, lambda m, name=name: getattr(m, name)())  # type: ignore[misc]
on_graph("GraphMaze.to_networkx", 200, lambda m: m.to_networkx())
on_graph("GraphMaze.to_svg", 200, lambda m: m.to_svg())
on_graph("GraphMaze.plot", 200, lambda m: m.plot())
on_graph("GraphMaze.is_perfect", 1500, lambda m: meiro.GraphMaze(m.lattice, m.open).is_perfect)
on_graph("GraphMaze", 1500, lambda m: meiro.GraphMaze(m.lattice, m.open))
on_graph("GraphMaze.__hash__", 1500, lambda m: hash(meiro.GraphMaze(m.lattice, m.open)))
on_graph("GraphMaze.__eq__", 1500, lambda m: m == meiro.GraphMaze(m.lattice, m.open.copy()))
on_graphs("GraphBatch.__eq__", 100, lambda b: b == b[:])
on_graphs("GraphBatch.__iter__", 50, lambda b: sum(1 for _ in b))
on_graphs("GraphBatch._repr_html_", 50, lambda b: b._repr_html_())
add("Lattice", 1000, lambda n: partial(meiro.Lattice, n * n, lattice_of(n).edges))
add("Lattice.mask", 1000, lambda n: partial(lattice_of(n).mask, np.arange(n * n) % 3 > 0))
add("Lattice.degrees", 1000, lambda n: partial(lambda lattice: lattice.degrees, lattice_of(n)))
add("Lattice.components", 1000, lambda n: partial(lambda lattice: lattice.components, lattice_of(n)))
add("Lattice.cell", 1000, lambda n: partial(lattice_of(n).cell, n - 1))
add("Lattice.__eq__", 1000, lambda n: partial(lambda one, other: one == other, lattice_of(n), lattice_of(n)))
add("Lattice.__hash__", 1000, lambda n: partial(hash, lattice_of(n)))
add("lattices.from_recipe", 700, lambda n: partial(meiro.lattices.from_recipe, lattice_of(n).recipe))
for name in ("square", "hexagonal", "triangular", "upsilon", "zeta", "kagome", "cairo", "moebius", "weave"):
    add(f"lattices.{name}", 300, lambda n, name=name: partial(getattr(meiro.lattices, name), n + 2, n + 2))
add("lattices.polar", 100, lambda n: partial(meiro.lattices.polar, n))
add("lattices.box", 40, lambda n: partial(meiro.lattices.box, n, n, n))
add("lattices.cube", 100, lambda n: partial(meiro.lattices.cube, n))
add("lattices.voronoi", 60, lambda n: partial(meiro.lattices.voronoi, n=n * n, rng=1))
add("lattices.from_graph", 200, lambda n: partial(meiro.lattices.from_graph, lattice_of(n).edges))
add("lattices.from_polygons", 12, lambda n: partial(meiro.lattices.from_polygons, polygons_of(n)))
