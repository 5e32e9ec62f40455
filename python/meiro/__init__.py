"""meiro (迷路, "maze"): perfect mazes drawn from exactly known laws, solved and measured, at C++ speed.

Make a maze with `generate`, many with `generate_many`; solve any maze or wall/road array with `solve`;
look at it with ``print(maze)`` and `plot`. `ALGORITHMS` and `SOLVERS` tell what there is.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from meiro._core import __version__
from meiro._utils.square import wall_cells, wall_ids
from meiro.datasets.endpoints import endpoints
from meiro.datasets.split import split
from meiro.drawing.matplotlib.plot import plot
from meiro.errors import NoPathError
from meiro.generators.cellular_automaton import cellular_automaton
from meiro.generators.eller import EllerRows, eller, eller_rows
from meiro.generators.generate import generate, generate_many
from meiro.maze.batch import MazeBatch
from meiro.maze.coordinates import cells_to_grid, grid_to_cells
from meiro.maze.maze import Maze
from meiro.registry import ALGORITHMS, MEASURES, SOLVERS
from meiro.results.solution import Solution
from meiro.results.solution_batch import SolutionBatch
from meiro.results.table import Table
from meiro.seeds import Seed, replicate
from meiro.solvers.distances import distances
from meiro.solvers.shortest_paths import ShortestPaths, all_shortest_paths, shortest_paths
from meiro.solvers.solve import solve
from meiro.solvers.solve_many import solve_many
from meiro.stats.check import CheckReport, check, components
from meiro.stats.measure import Measures, measure
from meiro.traces.events import EventKind, State
from meiro.traces.frames import Frame
from meiro.traces.record import trace, trace_eller, trace_solve
from meiro.traces.trace import Trace
from meiro.transforms.stitch import stitch

if TYPE_CHECKING:
    from meiro.drawing.animation.animation import Animation, animate
    from meiro.drawing.matplotlib.figures import plot_many, plot_trace
    from meiro.drawing.notebook.player import play, player
    from meiro.exact.counting import log_number_of_mazes, number_of_mazes
    from meiro.exact.edge_probabilities import edge_probabilities
    from meiro.exact.goodness_of_fit import SamplerTest, sampler_test
    from meiro.exact.laws import Law, law
    from meiro.exact.ranking import enumerate_mazes, rank, unrank
    from meiro.io.files import read, save
    from meiro.io.image import from_image
    from meiro.io.masks import brightness, mask_from_image, mask_from_text
    from meiro.solvers.path_queries import LongestPath, bottlenecks, longest_path, policy
    from meiro.stats.position_map import position_map
    from meiro.stats.surveys.survey import survey
    from meiro.transforms.dead_ends import fill_dead_ends, sparsify
    from meiro.transforms.geometry import crop, flip, rotate, transpose
    from meiro.transforms.loops import add_loops, braid, join_regions, remove_islands
    from meiro.transforms.openings import with_ends, with_openings
    from meiro.transforms.symmetric import symmetric
    from meiro.transforms.unicursal import unicursal

__all__ = [
    "ALGORITHMS",
    "MEASURES",
    "SOLVERS",
    "Animation",
    "CheckReport",
    "EllerRows",
    "EventKind",
    "Frame",
    "Law",
    "LongestPath",
    "Maze",
    "MazeBatch",
    "Measures",
    "NoPathError",
    "SamplerTest",
    "Seed",
    "ShortestPaths",
    "Solution",
    "SolutionBatch",
    "State",
    "Table",
    "Trace",
    "__version__",
    "add_loops",
    "all_shortest_paths",
    "animate",
    "bottlenecks",
    "braid",
    "brightness",
    "cells_to_grid",
    "cellular_automaton",
    "check",
    "components",
    "crop",
    "distances",
    "edge_probabilities",
    "eller",
    "eller_rows",
    "endpoints",
    "enumerate_mazes",
    "fill_dead_ends",
    "flip",
    "from_image",
    "generate",
    "generate_many",
    "grid_to_cells",
    "join_regions",
    "law",
    "log_number_of_mazes",
    "longest_path",
    "mask_from_image",
    "mask_from_text",
    "measure",
    "number_of_mazes",
    "play",
    "player",
    "plot",
    "plot_many",
    "plot_trace",
    "policy",
    "position_map",
    "rank",
    "read",
    "remove_islands",
    "replicate",
    "rotate",
    "sampler_test",
    "save",
    "shortest_paths",
    "solve",
    "solve_many",
    "sparsify",
    "split",
    "stitch",
    "survey",
    "symmetric",
    "trace",
    "trace_eller",
    "trace_solve",
    "transpose",
    "unicursal",
    "unrank",
    "wall_cells",
    "wall_ids",
    "with_ends",
    "with_openings",
]

# What few need is imported when it is first asked for, so that `import meiro` stays quick. None of these
# modules has the name of what is in it, which it would hide.
_LATER = {
        "drawing.animation.animation": ("Animation", "animate"),
    "exact.goodness_of_fit": ("SamplerTest", "sampler_test"),
    "exact.counting": ("log_number_of_mazes", "number_of_mazes"),
    "transforms.openings": ("with_ends", "with_openings"),
    "exact.laws": ("Law", "law"),
    "transforms.geometry": ("crop", "flip", "rotate", "transpose"),
    "stats.position_map": ("position_map",),
    "stats.surveys.survey": ("survey",),
    "io.files": ("read", "save"),
    "io.image": ("from_image",),
    "io.masks": ("brightness", "mask_from_image", "mask_from_text"),
    "drawing.notebook.player": ("play", "player"),
    "drawing.matplotlib.figures": ("plot_many", "plot_trace"),
    "exact.ranking": ("enumerate_mazes", "rank", "unrank"),
    "exact.edge_probabilities": ("edge_probabilities",),
    "transforms.dead_ends": ("fill_dead_ends", "sparsify"),
    "transforms.loops": ("add_loops", "braid", "join_regions", "remove_islands"),
    "transforms.symmetric": ("symmetric",),
    "transforms.unicursal": ("unicursal",),
    "solvers.path_queries": ("LongestPath", "bottlenecks", "longest_path", "policy"),
}
_WHERE = {name: module for module, names in _LATER.items() for name in names}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _WHERE:
            msg = f"module 'meiro' has no attribute {name!r}"
            raise AttributeError(msg)
        found = globals()[name] = getattr(import_module(f"meiro.{_WHERE[name]}"), name)
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
