"""Solvers, distances and other questions about paths, in mazes and in arrays of walls and roads."""

from __future__ import annotations

from meiro.solvers.by_bands import distances_by_bands, solve_by_bands
from meiro.solvers.distances import distances
from meiro.solvers.path_queries import LongestPath, bottlenecks, longest_path, policy
from meiro.solvers.shortest_paths import ShortestPaths, all_shortest_paths, shortest_paths
from meiro.solvers.solve import solve
from meiro.solvers.solve_many import solve_many

__all__ = [
    "LongestPath",
    "ShortestPaths",
    "all_shortest_paths",
    "bottlenecks",
    "distances",
    "distances_by_bands",
    "longest_path",
    "policy",
    "shortest_paths",
    "solve",
    "solve_by_bands",
    "solve_many",
]
