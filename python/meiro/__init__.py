"""meiro (迷路, "maze"): makes, solves, measures and prints mazes, by exactly known laws, at C++ speed.

Make a maze with `generate`, many with `generate_many`; solve any maze or wall/road array with `solve`;
look at it with ``print(maze)`` and `plot`. `ALGORITHMS`, `SOLVERS` and `MEASURES` list what is available.
"""

from __future__ import annotations

from meiro._public_names import import_late

# The public names by module, imported when first asked for. `tests/helpers/public_names.py` writes
# `__init__.pyi` from this table, for type checkers and editors.
_PUBLIC = {
    "_core": "__version__",
    "_utils.square": "wall_cells wall_ids",
    "datasets.endpoints": "endpoints",
    "datasets.split": "split",
    "drawing.animation.animation": "Animation animate",
    "drawing.matplotlib.figures": "plot_many plot_trace",
    "drawing.matplotlib.plot": "plot",
    "drawing.notebook.player": "play player",
    "errors": "NoPathError",
    "exact.counting": "log_number_of_mazes number_of_mazes",
    "exact.edge_probabilities": "edge_probabilities",
    "exact.goodness_of_fit": "SamplerTest sampler_test",
    "exact.laws": "Law law",
    "exact.ranking": "enumerate_mazes rank unrank",
    "generators.cellular_automaton": "cellular_automaton",
    "generators.eller": "EllerRows eller eller_rows",
    "generators.generate": "generate generate_many",
    "generators.spanning_tree": "spanning_tree",
    "io.files": "read save",
    "io.image": "from_image",
    "io.masks": "brightness mask_from_image mask_from_text",
    "io.networkx": "positions",
    "lattices.lattice": "Lattice",
    "mazes._one_maze": "AnyMaze",
    "mazes.batch": "MazeBatch",
    "mazes.coordinates": "cells_to_grid grid_to_cells",
    "mazes.graph_batch": "GraphBatch",
    "mazes.graph_maze": "GraphMaze",
    "mazes.maze": "Maze",
    "mazes.rooms": "Room",
    "registry": "ALGORITHMS MEASURES SOLVERS",
    "results.locks": "Locks",
    "results.measures": "Measures",
    "results.solution": "Solution",
    "results.solution_batch": "SolutionBatch",
    "results.table": "Table",
    "seeds": "Seed replicate",
    "solvers.distances": "distances",
    "solvers.path_queries": "LongestPath bottlenecks longest_path policy",
    "solvers.shortest_paths": "ShortestPaths all_shortest_paths shortest_paths",
    "solvers.solve": "solve",
    "solvers.solve_many": "solve_many",
    "stats.check": "CheckReport check components",
    "stats.measure": "measure",
    "stats.position_map": "position_map",
    "stats.surveys.survey": "survey",
    "traces.events": "EventKind State",
    "traces.frames": "Frame GraphFrame",
    "traces.record": "trace trace_eller trace_solve",
    "traces.trace": "Trace",
    "transforms.dead_ends": "fill_dead_ends sparsify",
    "transforms.geometry": "crop flip rotate transpose",
    "transforms.locks": "locks",
    "transforms.loops": "add_loops braid join_regions remove_islands",
    "transforms.openings": "with_ends with_openings",
    "transforms.passages": "with_passages",
    "transforms.stitch": "stitch",
    "transforms.symmetric": "symmetric",
    "transforms.tree_walks": "origin_shift perturb",
    "transforms.unicursal": "unicursal",
}
_FOLDERS = (
    "colors",
    "dask",
    "datasets",
    "exact",
    "generators",
    "gym",
    "io",
    "lattices",
    "seeds",
    "solvers",
    "stats",
    "transforms",
)
__all__, __getattr__, __dir__ = import_late(globals(), _PUBLIC, _FOLDERS)
