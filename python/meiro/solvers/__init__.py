"""Solvers, distances and other questions about paths, in mazes and in arrays of walls and roads."""

from __future__ import annotations

from meiro._public_names import import_late

# Imported when first asked for. `tests/helpers/public_names.py` writes `__init__.pyi` from this table.
_PUBLIC = {
    "solvers.by_bands": "distances_by_bands solve_by_bands",
    "solvers.distances": "distances",
    "solvers.path_queries": "LongestPath bottlenecks longest_path policy",
    "solvers.shortest_paths": "ShortestPaths all_shortest_paths shortest_paths",
    "solvers.solve": "solve",
    "solvers.solve_many": "solve_many",
}
__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC)
