# Written by tests/helpers/public_names.py from the table in __init__.py: change that instead.
from meiro.solvers.by_bands import distances_by_bands as distances_by_bands
from meiro.solvers.by_bands import solve_by_bands as solve_by_bands
from meiro.solvers.distances import distances as distances
from meiro.solvers.path_queries import LongestPath as LongestPath
from meiro.solvers.path_queries import bottlenecks as bottlenecks
from meiro.solvers.path_queries import longest_path as longest_path
from meiro.solvers.path_queries import policy as policy
from meiro.solvers.shortest_paths import ShortestPaths as ShortestPaths
from meiro.solvers.shortest_paths import all_shortest_paths as all_shortest_paths
from meiro.solvers.shortest_paths import shortest_paths as shortest_paths
from meiro.solvers.solve import solve as solve
from meiro.solvers.solve_many import solve_many as solve_many

_PUBLIC: dict[str, str]

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
