# Written by tests/helpers/public_names.py from the table in __init__.py: change that instead.
from meiro import colors as colors
from meiro import dask as dask
from meiro import datasets as datasets
from meiro import exact as exact
from meiro import generators as generators
from meiro import gym as gym
from meiro import io as io
from meiro import lattices as lattices
from meiro import seeds as seeds
from meiro import solvers as solvers
from meiro import stats as stats
from meiro import transforms as transforms
from meiro._core import __version__ as __version__
from meiro._utils.square import wall_cells as wall_cells
from meiro._utils.square import wall_ids as wall_ids
from meiro.datasets.endpoints import endpoints as endpoints
from meiro.datasets.split import split as split
from meiro.drawing.animation.animation import Animation as Animation
from meiro.drawing.animation.animation import animate as animate
from meiro.drawing.matplotlib.figures import plot_many as plot_many
from meiro.drawing.matplotlib.figures import plot_trace as plot_trace
from meiro.drawing.matplotlib.plot import plot as plot
from meiro.drawing.notebook.player import play as play
from meiro.drawing.notebook.player import player as player
from meiro.errors import NoPathError as NoPathError
from meiro.exact.counting import log_number_of_mazes as log_number_of_mazes
from meiro.exact.counting import number_of_mazes as number_of_mazes
from meiro.exact.edge_probabilities import edge_probabilities as edge_probabilities
from meiro.exact.expected_counts import expected_counts as expected_counts
from meiro.exact.goodness_of_fit import SamplerTest as SamplerTest
from meiro.exact.goodness_of_fit import sampler_test as sampler_test
from meiro.exact.laws import Law as Law
from meiro.exact.laws import law as law
from meiro.exact.ranking import enumerate_mazes as enumerate_mazes
from meiro.exact.ranking import rank as rank
from meiro.exact.ranking import unrank as unrank
from meiro.generators.cellular_automaton import cellular_automaton as cellular_automaton
from meiro.generators.eller import EllerRows as EllerRows
from meiro.generators.eller import eller as eller
from meiro.generators.eller import eller_rows as eller_rows
from meiro.generators.generate import generate as generate
from meiro.generators.generate import generate_many as generate_many
from meiro.generators.spanning_tree import spanning_tree as spanning_tree
from meiro.io.files import read as read
from meiro.io.files import save as save
from meiro.io.image import from_image as from_image
from meiro.io.masks import brightness as brightness
from meiro.io.masks import mask_from_image as mask_from_image
from meiro.io.masks import mask_from_text as mask_from_text
from meiro.io.networkx import positions as positions
from meiro.lattices.lattice import Lattice as Lattice
from meiro.mazes._one_maze import AnyMaze as AnyMaze
from meiro.mazes.batch import MazeBatch as MazeBatch
from meiro.mazes.coordinates import cells_to_grid as cells_to_grid
from meiro.mazes.coordinates import grid_to_cells as grid_to_cells
from meiro.mazes.graph_batch import GraphBatch as GraphBatch
from meiro.mazes.graph_maze import GraphMaze as GraphMaze
from meiro.mazes.maze import Maze as Maze
from meiro.mazes.rooms import Room as Room
from meiro.registry import ALGORITHMS as ALGORITHMS
from meiro.registry import MEASURES as MEASURES
from meiro.registry import SOLVERS as SOLVERS
from meiro.results.locks import Locks as Locks
from meiro.results.measures import Measures as Measures
from meiro.results.solution import Solution as Solution
from meiro.results.solution_batch import SolutionBatch as SolutionBatch
from meiro.results.table import Table as Table
from meiro.seeds import Seed as Seed
from meiro.seeds import replicate as replicate
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
from meiro.stats.check import CheckReport as CheckReport
from meiro.stats.check import check as check
from meiro.stats.check import components as components
from meiro.stats.compare import Comparison as Comparison
from meiro.stats.compare import compare as compare
from meiro.stats.measure import measure as measure
from meiro.stats.position_map import position_map as position_map
from meiro.stats.surveys.survey import survey as survey
from meiro.traces.events import EventKind as EventKind
from meiro.traces.events import State as State
from meiro.traces.frames import Frame as Frame
from meiro.traces.frames import GraphFrame as GraphFrame
from meiro.traces.record import trace as trace
from meiro.traces.record import trace_eller as trace_eller
from meiro.traces.record import trace_solve as trace_solve
from meiro.traces.trace import Trace as Trace
from meiro.transforms.dead_ends import fill_dead_ends as fill_dead_ends
from meiro.transforms.dead_ends import sparsify as sparsify
from meiro.transforms.geometry import crop as crop
from meiro.transforms.geometry import flip as flip
from meiro.transforms.geometry import rotate as rotate
from meiro.transforms.geometry import transpose as transpose
from meiro.transforms.locks import locks as locks
from meiro.transforms.loops import add_loops as add_loops
from meiro.transforms.loops import braid as braid
from meiro.transforms.loops import join_regions as join_regions
from meiro.transforms.loops import remove_islands as remove_islands
from meiro.transforms.openings import with_ends as with_ends
from meiro.transforms.openings import with_openings as with_openings
from meiro.transforms.passages import with_passages as with_passages
from meiro.transforms.stitch import stitch as stitch
from meiro.transforms.symmetric import symmetric as symmetric
from meiro.transforms.tree_walks import origin_shift as origin_shift
from meiro.transforms.tree_walks import perturb as perturb
from meiro.transforms.unicursal import unicursal as unicursal

_PUBLIC: dict[str, str]
_FOLDERS: tuple[str, ...]

__all__ = [
    "ALGORITHMS",
    "MEASURES",
    "SOLVERS",
    "Animation",
    "AnyMaze",
    "CheckReport",
    "Comparison",
    "EllerRows",
    "EventKind",
    "Frame",
    "GraphBatch",
    "GraphFrame",
    "GraphMaze",
    "Lattice",
    "Law",
    "Locks",
    "LongestPath",
    "Maze",
    "MazeBatch",
    "Measures",
    "NoPathError",
    "Room",
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
    "compare",
    "components",
    "crop",
    "distances",
    "edge_probabilities",
    "eller",
    "eller_rows",
    "endpoints",
    "enumerate_mazes",
    "expected_counts",
    "fill_dead_ends",
    "flip",
    "from_image",
    "generate",
    "generate_many",
    "grid_to_cells",
    "join_regions",
    "law",
    "locks",
    "log_number_of_mazes",
    "longest_path",
    "mask_from_image",
    "mask_from_text",
    "measure",
    "number_of_mazes",
    "origin_shift",
    "perturb",
    "play",
    "player",
    "plot",
    "plot_many",
    "plot_trace",
    "policy",
    "position_map",
    "positions",
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
    "spanning_tree",
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
    "with_passages",
]
