"""meiro (迷路, "maze"): perfect mazes drawn from exactly known laws, solved and measured, at C++ speed.

Make a maze with `generate`, many with `generate_many`; solve any maze or wall/road array with `solve`;
look at it with ``print(maze)`` and `plot`. `ALGORITHMS` and `SOLVERS` tell what there is.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from meiro._core import __version__
from meiro.batch import MazeBatch
from meiro.cellular_automaton import cellular_automaton
from meiro.check import Report, check
from meiro.distances import distances
from meiro.eller import EllerRows, eller, eller_rows
from meiro.endpoints import endpoints
from meiro.errors import NoPathError
from meiro.files import read, save
from meiro.frames import EventKind, Frame, State
from meiro.generate import generate, generate_many
from meiro.image import from_image
from meiro.lattice import wall_cells, wall_ids
from meiro.maze import Maze
from meiro.measure import Measures, measure
from meiro.paths import cells_to_grid, grid_to_cells
from meiro.plot import plot
from meiro.registry import ALGORITHMS, MEASURES, SOLVERS
from meiro.seeds import Seed, replicate
from meiro.shortest_paths import ShortestPaths, all_shortest_paths, shortest_paths
from meiro.solution import Solution
from meiro.solve import solve
from meiro.solve_many import ManySolutions, solve_many
from meiro.split import split
from meiro.stitch import stitch
from meiro.survey import survey
from meiro.table import Table
from meiro.trace import trace, trace_eller, trace_solve
from meiro.traces import Trace

if TYPE_CHECKING:
    from meiro.animating import animate
    from meiro.animation import Animation
    from meiro.chi_square import SamplerTest, test_sampler
    from meiro.counting import log_number_of_mazes, number_of_mazes
    from meiro.ends import with_ends, with_openings
    from meiro.exact_law import Law, law
    from meiro.geometry import crop, flip, rotate, transpose
    from meiro.maps import position_map
    from meiro.masks import brightness, mask_from_image, mask_from_text
    from meiro.panels import plot_many, plot_trace
    from meiro.playing import play, player
    from meiro.ranking import enumerate_mazes, rank, unrank
    from meiro.resistances import edge_probabilities
    from meiro.thin import fill_dead_ends, sparsify, unicursal
    from meiro.transform import add_loops, braid, join_regions, remove_islands, symmetric
    from meiro.ways import LongestPath, bottlenecks, components, longest_path, policy

__all__ = [
    "ALGORITHMS",
    "MEASURES",
    "SOLVERS",
    "Animation",
    "EllerRows",
    "EventKind",
    "Frame",
    "Law",
    "LongestPath",
    "ManySolutions",
    "Maze",
    "MazeBatch",
    "Measures",
    "NoPathError",
    "Report",
    "SamplerTest",
    "Seed",
    "ShortestPaths",
    "Solution",
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
    "save",
    "shortest_paths",
    "solve",
    "solve_many",
    "sparsify",
    "split",
    "stitch",
    "survey",
    "symmetric",
    "test_sampler",
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
    "animating": ("animate",),
    "animation": ("Animation",),
    "chi_square": ("SamplerTest", "test_sampler"),
    "counting": ("log_number_of_mazes", "number_of_mazes"),
    "ends": ("with_ends", "with_openings"),
    "exact_law": ("Law", "law"),
    "geometry": ("crop", "flip", "rotate", "transpose"),
    "maps": ("position_map",),
    "masks": ("brightness", "mask_from_image", "mask_from_text"),
    "playing": ("play", "player"),
    "panels": ("plot_many", "plot_trace"),
    "ranking": ("enumerate_mazes", "rank", "unrank"),
    "resistances": ("edge_probabilities",),
    "thin": ("fill_dead_ends", "sparsify", "unicursal"),
    "transform": ("add_loops", "braid", "join_regions", "remove_islands", "symmetric"),
    "ways": ("LongestPath", "bottlenecks", "components", "longest_path", "policy"),
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
