"""One small valid call of everything public, found by inspection: what the campaigns break.

    for call in calls():
        function, arguments = call.prepare(folder)  # fresh objects, ready to be called
        use(function(**arguments))

`TABLE` has the arguments of whatever needs some: a function, a method, a constructor, an attribute that can
be set (``"Player.fps="``). Properties and methods without parameters need no row. `test_valid_calls` fails
while something public has no valid call.
"""

from __future__ import annotations

import inspect
import itertools
import pickle
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import meiro

Arguments = dict[str, Any]

TASKS = [((1, 1), (3, 1)), ((1, 3), (1, 1))]
GRID = [[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 0, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]]
PICTURE = np.full((9, 9, 3), 255, np.uint8)
PICTURE[[0, -1]] = PICTURE[:, [0, -1]] = 0
PICTURE[6, 6] = 255, 0, 0
TEXT = "#####\n#S..#\n###.#\n#..G#\n#####"
SHARED: Arguments = {"threads": 2, "progress": False}
MASK = [[1, 1, 0], [1, 1, 1], [1, 1, 1]]


PAGE: Arguments = {
    "margin": 5,
    "wall_width": 0.5,
    "path_width": 0.8,
    "caps": "round",
    "colors": {"wall": "navy"},
    "title": "A maze",
    "marks": True,
    "outside": "blank",
}


def maze() -> Any:
    return meiro.generate((4, 5), rng=1)


def batch() -> Any:
    return meiro.generate_many((3, 4), n=4, rng=1)


def table() -> Any:
    columns: dict[str, list[Any]] = {
        "name": ["a", "b", "a"],
        "rows": [2, 2, 3],
        "mean": [1.5, float("nan"), 3.0],
    }
    return meiro.Table(columns)


def trace() -> Any:
    return meiro.trace((3, 4), "kruskal", rng=1)


def eller_rows() -> Any:
    rows = meiro.eller_rows(4, rng=1)
    next(rows)
    return rows


def kruskal_rows() -> Any:
    rows = meiro.generators.stream("kruskal", 4, rows=3, rng=1)
    rows.rows(2)
    return rows


def endless_kruskal_rows() -> Any:
    rows = meiro.generators.stream("kruskal", 4, rng=1)
    rows.rows(2)
    return rows


def animation() -> Any:
    return meiro.animate(meiro.trace((2, 2), "kruskal", rng=1), size=24)


def figure() -> Any:
    from matplotlib.figure import Figure

    return Figure()


def axes() -> Any:
    return figure().add_subplot()


def lattice() -> meiro.Lattice:
    """Return 12 hexagons with 23 edges."""
    return meiro.lattices.hexagonal(3, 4)


def graph() -> Any:
    """Return a triangle, of networkx."""
    import networkx as nx

    found = nx.cycle_graph(3)
    nx.set_edge_attributes(found, 2.0, "weight")
    return found


def environment() -> Any:
    env = meiro.gym.MazeEnv((2, 3), render_mode="ansi")
    env.reset(seed=7)
    return env


def environments() -> Any:
    envs = meiro.gym.MazeVectorEnv(2, (2, 3), render_mode="rgb_array")
    envs.reset(seed=7)
    return envs


def graph_maze() -> meiro.GraphMaze:
    """Return a maze on a lattice of 20 cells."""
    return meiro.generate(meiro.lattices.square(4, 5), "wilson", rng=7)


def graph_batch() -> meiro.GraphBatch:
    """Return 4 of them."""
    return meiro.generate_many(meiro.lattices.square(4, 5), "wilson", 4, rng=7)


def file(folder: Path, name: str) -> Path:
    """Return a file that meiro has written."""
    path = folder / name
    (batch() if "many" in name else maze()).save(path)
    return path


def occupancy_grid(folder: Path) -> Path:
    """Return an occupancy grid of ROS."""
    path = folder / "a.yaml"
    meiro.io.save_occupancy_grid(GRID, path)
    return path


def tiled(folder: Path) -> Path:
    """Return a map of Tiled."""
    path = folder / "a.tmx"
    meiro.io.save_tiled(maze(), path)
    return path


_OWN = tempfile.TemporaryDirectory()


def shards(folder: Path | None = None) -> Path:
    """Return a folder of shards."""
    home = (folder or Path(_OWN.name)) / "shards"
    if not home.exists():
        meiro.io.write_shards(OBJECTS["SampleBatches"](), home)
    return home


def scenarios(folder: Path | None = None) -> meiro.io.Scenarios:
    """Return scenarios of `GRID`."""
    with tempfile.TemporaryDirectory() as own:
        path = (folder or Path(own)) / "a.scen"
        meiro.io.save_scenarios(GRID, TASKS, path)
        return meiro.io.read_scenarios(path)


# An object of every class that has public methods.
OBJECTS: dict[str, Callable[[], Any]] = {
    "AlgorithmFacts": lambda: meiro.ALGORITHMS["kruskal"],
    "Animation": animation,
    "CheckReport": lambda: meiro.check(GRID),
    "Room": lambda: meiro.Maze([[6, 12], [3, 9]]).rooms()[0],
    "Color": lambda: meiro.colors.PATH,
    "Counts": lambda: meiro.dask.check(meiro.dask.generate((5, 6), "kruskal", rng=1)),
    "EllerRows": eller_rows,
    "EndlessMaze": lambda: meiro.generators.endless("kruskal", rng=1),
    "KruskalRows": kruskal_rows,
    "EndlessKruskalRows": endless_kruskal_rows,
    "RowStream": lambda: meiro.generators.stream("binary_tree", 4, rng=1),
    "EventKind": lambda: meiro.EventKind.CARVE,
    "Frame": lambda: trace()[3],
    "Frames": lambda: trace()[2:5],
    "GraphFrame": lambda: meiro.trace(graph_maze().lattice, "kruskal", rng=1)[3],
    "GraphBatch": graph_batch,
    "GraphLaw": lambda: meiro.law(meiro.lattices.square(2, 2), "wilson"),
    "GraphMaze": graph_maze,
    "GraphSolution": lambda: meiro.solve(graph_maze(), visit_order=True),
    "Lattice": lambda: meiro.lattices.hexagonal(3, 4),
    "LabmazeGrid": lambda: meiro.io.from_labmaze("***\n*P*\n***\n"),
    "Law": lambda: meiro.law((2, 2), "wilson"),
    "LongestPath": lambda: meiro.longest_path(maze()),
    "Maze": maze,
    "MazeBatch": batch,
    "MazeEnv": environment,
    "MazeVectorEnv": environments,
    "OccupancyGrid": lambda: meiro.io.OccupancyGrid(
        np.eye(3, dtype=np.uint8), np.eye(3, dtype=bool), 0.5, (0, 1, 2)
    ),
    "MazelibGrid": lambda: meiro.io.to_mazelib(maze()),
    "MeasureFacts": lambda: meiro.MEASURES["dead_ends"],
    "Measures": lambda: meiro.measure(maze()),
    "PictureArray": lambda: meiro.from_image(PICTURE),
    "Play": lambda: meiro.play(maze()),
    "Player": lambda: meiro.player(trace()),
    "Registry": lambda: meiro.ALGORITHMS,
    "SamplerTest": lambda: meiro.sampler_test("wilson", shape=(2, 2), n=100, rng=1),
    "Seed": lambda: meiro.Seed((1, 2), 3),
    "ShortestPaths": lambda: meiro.shortest_paths(maze()),
    "SampleBatches": lambda: meiro.datasets.supervised((4, 5), n=6, batch_size=4, rng=1),
    "GraphInputs": lambda: meiro.datasets.supervised(graph_maze().lattice, n=3, rng=1).inputs,
    "Samples": lambda: meiro.datasets.supervised((4, 5), n=3, rng=1),
    "Scenarios": scenarios,
    "Shards": lambda: meiro.io.read_shards(shards()),
    "Solution": lambda: meiro.solve(maze(), visit_order=True),
    "SolutionBatch": lambda: batch().solve(paths=True),
    "SolverFacts": lambda: meiro.SOLVERS["bfs"],
    "State": lambda: meiro.State.WALK,
    "Table": table,
    "Theme": lambda: meiro.colors.LIGHT,
    "JoinedTrace": lambda: trace() + meiro.trace_solve(trace().result),
    "Trace": trace,
}


def _given(arguments: Arguments, _: Path) -> Arguments:
    """Return arguments that are the same in each folder."""
    return dict(arguments)


# The arguments of each call, by keyword, in a folder of its own; several calls where they exclude each other.
TABLE: dict[str, list[Callable[[Path], Arguments]]] = {
    # generate
    "generate": [
        lambda _: {"shape": (4, 5), "algorithm": "wilson", "rng": 1, "threads": 1, "progress": False},
        lambda _: {"grid_shape": (9, 11), "mask": np.ones((4, 5), bool), "wrap": (False, True), "rng": 1},
        lambda _: {"shape": (4, 5), "openings": [((0, 1), "north"), (8, 9)], "rng": 1},
        lambda _: {"shape": (4, 5), "out": np.empty((4, 5), np.uint8), "rng": 1},
        lambda _: {"shape": (4, 5), "algorithm": "backtracker", "start": (1, 1), "rng": 1},
        lambda _: {"shape": (4, 5), "algorithm": "backtracker", "after_dead_end": "random", "rng": 1},
        lambda _: {"shape": (2, 2), "algorithm": "kruskal", "order": [3, 1, 0, 2], "rng": 1},
        lambda _: {"shape": (2, 2), "algorithm": "kruskal", "weights": [0.5, 0.1, 0.7, 0.9], "rng": 1},
        lambda _: {"shape": (3, 3), "algorithm": "pole_toppling", "falls": [[1, 2], [4, 8]], "rng": 1},
        lambda _: {"shape": (4, 5), "algorithm": "binary_tree", "corner": "north_west", "rng": 1},
        lambda _: {"shape": (4, 5), "algorithm": "sidewinder", "towards": "north", "rng": 1},
        lambda _: {"shape": (4, 5), "algorithm": "growing_tree", "choose": {"newest": 0.5}, "rng": 1},
        lambda _: {"shape": (4, 5), "algorithm": "hunt_and_kill", "hunt": "random_row", "rng": 1},
        lambda _: {"shape": (8, 9), "algorithm": "recursive_division", "room": 2, "rng": 1},
        lambda _: {"shape": (4, 5), "algorithm": "backtracker", "run": 0.5, "bias": 0.5, "rng": 1},
        lambda _: {"shape": (4, 5), "algorithm": "percolation", "p": 0.5, "rng": 1},
        lambda _: {"shape": (4, 5), "algorithm": "origin_shift", "steps": 30, "rng": 1},
        lambda _: {"shape": (4, 5), "algorithm": "growing_forest", "trees": 3, "rng": 1},
        lambda _: {
            "shape": lattice(),
            "algorithm": "backtracker",
            "start": 3,
            "run": 2,
            "rng": 1,
            "threads": 1,
        },
        lambda _: {"shape": lattice(), "algorithm": "kruskal", "weights": np.ones(23), "progress": False},
        lambda _: {"shape": lattice().recipe, "algorithm": "growing_tree", "choose": "oldest", "rng": 1},
        lambda _: {
            "shape": (9, 9),
            "algorithm": "rooms",
            "tries": 5,
            "sides": (1, 3),
            "doors": 0.1,
            "dead_ends": "remove",
            "fill": "wilson",
            "rng": 1,
        },
    ],
    "generate_many": [
        lambda _: {"n": 3, "shape": (3, 4), "algorithm": "wilson", "rng": 1, "threads": 1, "progress": False},
        lambda _: {"n": 3, "grid_shape": (7, 9), "mask": np.ones((3, 4), bool), "wrap": (False, True)},
        lambda _: {"n": 3, "shape": (3, 4), "rng": 1, "out": np.empty((3, 3, 4), np.uint8)},
        lambda _: {"n": 3, "shape": (3, 4), "rng": 1, "openings": "random"},
        lambda _: {"n": 3, "shape": lattice(), "rng": 1, "out": np.empty((3, 23), np.bool_), **SHARED},
    ],
    "spanning_tree": [
        lambda _: {"graph": graph(), "algorithm": "wilson", "weights": "weight", "rng": 1},
        lambda _: {"graph": graph(), "algorithm": "backtracker", "root": 2, "rng": 1},
        lambda _: {"graph": [(0, 1), (1, 2), (2, 0)], "weights": [1.0, 2.0, 3.0], "n": 5, "rng": 1, **SHARED},
        lambda _: {"graph": graph(), "algorithm": "breadth_first", "root": 2},
    ],
    "Lattice": [
        lambda _: {"n_cells": 2, "edges": [(0, 1)], "positions": [(0, 0), (1, 0)], "labels": ["a", "b"]}
    ],
    "Lattice.cell": [lambda _: {"label": 3}],
    "Lattice.mask": [lambda _: {"cells": [0, 1, 4]}, lambda _: {"cells": np.arange(12) > 2}],
    "Lattice.polygon": [lambda _: {"cell": 3}],
    "lattices.square": [lambda _: {"rows": 3, "cols": 4}],
    "lattices.hexagonal": [lambda _: {"rows": 3, "cols": 4}, lambda _: {"side": 3, "shape": "triangle"}],
    "lattices.triangular": [lambda _: {"rows": 3, "cols": 4}, lambda _: {"side": 3}],
    "lattices.polar": [lambda _: {"rings": 3, "first": 5}],
    "lattices.upsilon": [lambda _: {"rows": 3, "cols": 4}],
    "lattices.zeta": [lambda _: {"rows": 3, "cols": 4}],
    "lattices.kagome": [lambda _: {"rows": 3, "cols": 4}],
    "lattices.cairo": [lambda _: {"rows": 3, "cols": 4}],
    "lattices.voronoi": [
        lambda _: {"points": [(0, 0), (1, 0), (0, 1), (1, 2)]},
        lambda _: {"n": 9, "rng": 1},
    ],
    "lattices.box": [lambda _: {"shape": (2, 3, 4)}],
    "lattices.cube": [lambda _: {"n": 3}],
    "lattices.moebius": [lambda _: {"rows": 3, "cols": 4}],
    "lattices.weave": [lambda _: {"rows": 5, "cols": 6, "crossings": 0.2, "rng": 1}],
    "lattices.from_graph": [lambda _: {"graph": graph(), "positions": {0: (0, 0), 1: (1, 0), 2: (1, 1)}}],
    "lattices.from_polygons": [lambda _: {"polygons": [[(0, 0), (1, 0), (0, 1)], [(1, 0), (1, 1), (0, 1)]]}],
    "lattices.from_recipe": [lambda _: {"recipe": lattice().recipe}],
    "GraphMaze": [lambda _: {"lattice": lattice(), "open": np.ones(23, np.bool_), "start": 1, "goal": 3}],
    "GraphMaze.solve": [lambda _: {"start": 1, "goal": 3}],
    "GraphMaze.save": [lambda folder: {"path": folder / "a.svg"}, lambda folder: {"path": folder / "a.npz"}],
    "GraphMaze.to_svg": [lambda _: {"solution": meiro.solve(graph_maze()).path[:2].tolist()}],
    "GraphMaze.to_text": [lambda _: {"style": "ascii", "solution": meiro.solve(graph_maze()), "start": 1}],
    "GraphMaze.plot": [lambda _: {"ax": axes()}],
    "GraphMaze.__eq__": [lambda _: {"other": graph_maze()}],
    "GraphBatch.__eq__": [lambda _: {"other": graph_batch()}],
    "GraphSolution.__eq__": [lambda _: {"other": meiro.solve(graph_maze(), visit_order=True)}],
    "Lattice.__eq__": [lambda _: {"other": lattice()}],
    "GraphMaze.to_dot": [lambda _: {"start": 1, "goal": 3}],
    "GraphBatch.__getitem__": [lambda _: {"i": 1}, lambda _: {"i": [0, 2]}],
    "GraphLaw.__getitem__": [lambda _: {"maze": meiro.generate(meiro.lattices.square(2, 2), rng=1)}],
    "GraphBatch.seed": [lambda _: {"i": 1}],
    "GraphLaw.probability": [
        lambda _: {"maze": meiro.generate(meiro.lattices.square(2, 2), "wilson", rng=1)}
    ],
    "cellular_automaton": [
        lambda _: {"shape": (5, 6), "rule": "B3/S12345", "rng": 1, "p": 0.5, "steps": 3, "outside": 0},
        lambda _: {"initial": GRID, "road": 0, "wrap": (True, True)},
    ],
    "dask.check": [
        lambda _: {"passages": meiro.dask.generate((5, 6), "kruskal", rng=1, chunks=3)},
    ],
    "dask.distances": [
        lambda _: {"passages": meiro.dask.generate((5, 6), "kruskal", rng=1, chunks=3), "start": (0, 0)},
    ],
    "dask.solve": [
        lambda _: {
            "passages": meiro.dask.generate((5, 6), "kruskal", rng=1, chunks=3),
            "start": (0, 0),
            "goal": (4, 5),
        },
    ],
    "dask.generate": [
        lambda _: {"shape": (5, 6), "algorithm": "kruskal", "rng": 1, "chunks": (2, 4), "bias": 2},
        lambda _: {"shape": (5, 6), "algorithm": "pole_toppling", "rng": 1, "towards": "west"},
    ],
    "dask.measure": [
        lambda _: {"passages": meiro.dask.generate((5, 6), "kruskal", rng=1, chunks=3)},
        lambda _: {"passages": meiro.dask.generate((5, 6), "kruskal", rng=1), "measures": "turns"},
    ],
    "generators.region": [
        lambda _: {
            "shape": (5, 6),
            "algorithm": "sidewinder",
            "rng": 1,
            "rows": slice(2, 4),
            "cols": slice(1, 5),
            **SHARED,
            "towards": "east",
        },
        lambda _: {"shape": (5, 6), "algorithm": "percolation", "rng": 1, "p": 0.3},
        lambda _: {"shape": (5, 6), "algorithm": "kruskal", "rng": 1, "bias": 2},
        lambda _: {"shape": (5, 6), "algorithm": "binary_tree", "rng": 1, "corner": "south_east"},
    ],
    "generators.endless": [
        lambda _: {"algorithm": "kruskal", "rng": 1},
        lambda _: {"algorithm": "percolation", "rng": 1, "p": 0.3},
    ],
    "EndlessMaze": [lambda _: {"algorithm": "percolation", "seed": meiro.replicate(1, 2), "p": 0.3}],
    "EndlessMaze.__array__": [],  # refuses
    "EndlessMaze.window": [lambda _: {"rows": slice(-2, 3), "cols": slice(9, 14), **SHARED}],
    "EndlessMaze.chunk": [lambda _: {"i": -1, "j": 2, "size": 4}],
    "EndlessMaze.solve": [lambda _: {"start": (0, 0), "goal": (-3, 2), "max_cells": 10_000}],
    "eller": [lambda _: {"right": [[0, 1], [1, 0]], "lower": [[0, 1, 1], [0, 0, 0]]}],
    "generators.stream": [
        lambda _: {"algorithm": "binary_tree", "cols": 4, "rng": 1, "corner": "south_east"},
        lambda _: {"algorithm": "percolation", "cols": 4, "rng": 1, "p": 0.3},
        lambda _: {"algorithm": "prim", "cols": 4, "rows": 3, "rng": 1, "bias": 2, "threads": 2},
        lambda _: {"algorithm": "boruvka", "cols": 4, "rng": 1},
    ],
    "KruskalRows.rows": [lambda _: {"n": 1}],
    "KruskalRows.__eq__": [lambda _: {"other": kruskal_rows()}],
    "EndlessKruskalRows.rows": [lambda _: {"n": 1}],
    "EndlessKruskalRows.__eq__": [lambda _: {"other": endless_kruskal_rows()}],
    "RowStream.rows": [lambda _: {"n": 3}],
    "RowStream.__eq__": [lambda _: {"other": meiro.generators.stream("binary_tree", 4, rng=1)}],
    "EllerRows.rows": [lambda _: {"n": 3}],
    "EllerRows.__eq__": [lambda _: {"other": eller_rows()}],
    "eller_rows": [lambda _: {"cols": 4, "rng": 1}],
    "EllerRows": [lambda _: {"cols": 4, "rng": 1}],
    "EllerRows.send_row": [lambda _: {"right": [0, 1, 0], "lower": [0, 1, 1, 0]}],
    "EllerRows.finish": [lambda _: {"right": [0, 1, 0]}],
    # mazes
    "Maze": [
        lambda _: {
            "passages": [[2, 8], [2, 8]],
            "mask": [[1, 1], [1, 1]],
            "openings": [(0, 1)],
            "start": (0, 0),
            "goal": (0, 1),
            "wrap": (False, False),
        }
    ],
    "Maze.from_passages": [lambda _: {"passages": [[2, 8]], "mask": [[1, 1]], "wrap": (False, False)}],
    "Maze.from_edges": [lambda _: {"shape": (1, 2), "edges": [(0, 1)], "mask": [[1, 1]]}],
    "Maze.from_wall_ids": [lambda _: {"shape": (2, 2), "ids": [0], "mask": np.ones((2, 2), bool)}],
    "Maze.from_grid": [
        lambda _: {"grid": GRID, "road": 0, "corridor": 1, "wall": 1},
        lambda _: {"grid": [[1, 1, 1, 1, 1], [1, 0, 0, 1, 1], [1, 1, 1, 1, 1]], "mask": [[1, 0]]},
    ],
    "Maze.from_networkx": [lambda _: {"graph": maze().to_networkx(), "shape": (4, 5)}],
    "Maze.from_text": [lambda _: {"text": TEXT, "style": "plain"}],
    "Maze.from_image": [lambda _: {"file": 1 - np.array(GRID, float), "threshold": 0.5}],
    "Maze.to_grid": [
        lambda _: {"out": np.empty((9, 11), np.uint8), "threads": 1},
        lambda _: {"corridor": 2, "wall": 1, "road": 0, "dtype": np.int16, "posts": False},
    ],
    "Maze.to_text": [
        lambda _: {"style": "unicode", "solution": meiro.solve(maze()), "start": (0, 0), "goal": (3, 4)},
        lambda _: {"style": "ascii", "labels": np.arange(20).reshape(4, 5)},
    ],
    "Maze.to_dot": [lambda _: {"start": (0, 0), "goal": (3, 4)}],
    "Maze.solve": [lambda _: {"start": (1, 1), "goal": (2, 2), "algorithm": "dfs"}],
    "Maze.plot": [lambda _: {"theme": "dark"}],
    "Maze.to_svg": [
        lambda _: {"mm": 5.0, "solution": meiro.solve(maze()), "start": (0, 0), "goal": (3, 4)},
        lambda _: {"page": "A4", **PAGE},
    ],
    "Maze.save": [
        lambda folder: {"path": folder / "a.png", "solution": meiro.solve(maze()), "scale": 2},
        lambda folder: {"path": folder / "a.txt", "style": "ascii"},
        *(
            lambda folder, suffix=suffix: {"path": folder / f"a{suffix}"}
            for suffix in (".npz", ".svg", ".dot")
        ),
        lambda folder: {"path": folder / "a.svg", "page": (100, 80), **PAGE},
    ],
    "Maze.__eq__": [lambda _: {"other": maze()}],
    "Maze.__array__": [lambda _: {"dtype": np.uint8, "copy": True}],
    "MazeBatch": [lambda _: {"mazes": [maze(), maze()]}],
    "MazeBatch.from_passages": [
        lambda _: {"passages": [[[2, 8]], [[0, 0]]], "mask": [[1, 1]], "wrap": (False, False)}
    ],
    "MazeBatch.__array__": [lambda _: {"dtype": np.uint8, "copy": True}],
    "MazeBatch.__add__": [lambda _: {"other": batch()}],
    "MazeBatch.seed": [lambda _: {"i": 1}],
    "MazeBatch.__eq__": [lambda _: {"other": batch()}],
    "MazeBatch.__getitem__": [lambda _: {"i": 1}, lambda _: {"i": [0, 2]}],
    "MazeBatch.measure": [
        lambda _: {"measures": ["dead_ends"], "threads": 1, "progress": False},
        lambda _: {"measures": ["solution_length"], "start": (0, 0), "goal": (2, 3)},
    ],
    "MazeBatch.solve": [lambda _: {"starts": (0, 0), "goals": (2, 3), "paths": True, "threads": 1}],
    "MazeBatch.unique": [lambda _: {"return_counts": True}],
    "MazeBatch.filter": [lambda _: {"condition": [True, False, True, False]}],
    "MazeBatch.save": [
        lambda folder: {"path": folder / "many.npz"},
        lambda folder: {"path": folder / "b.zarr"},
    ],
    "MazeBatch.open": [lambda folder: {"path": file(folder, "many.npz")}],
    "OccupancyGrid.metres": [lambda _: {"sites": [(0, 1), (1, 1)]}],
    "datasets.partial_mazes": [
        lambda _: {
            "shape": (4, 5),
            "n": 3,
            "cells": 8,
            "depth": 0.5,
            "forks": True,
            "start": (1, 1),
            "rng": 1,
        }
    ],
    "io.pyramid": [
        lambda folder: {"x": maze(), "folder": folder / "tiles", "tile": 256, "progress": False},
        lambda folder: {"x": OBJECTS["RowStream"](), "folder": folder / "tiles", "rows": 9},
    ],
    "io.open_memmap": [lambda folder: {"path": folder / "a.npy", "shape": (4, 5), "dtype": "i4"}],
    "io.write_shards": [
        lambda folder: {"samples": OBJECTS["SampleBatches"](), "folder": folder / "new", "format": "arrow"}
    ],
    "io.read_shards": [lambda folder: {"folder": shards(folder)}],
    "Shards": [lambda folder: {"folder": shards(folder)}],
    "Shards.__eq__": [lambda _: {"other": OBJECTS["Shards"]()}],
    "Shards.__getitem__": [lambda _: {"k": 1}],
    "MazeBatch.from_xarray": [lambda _: {"dataset": batch().to_xarray()}],
    "cells_to_grid": [lambda _: {"path": [(0, 0), (0, 1)], "shape": (4, 5), "wrap": (False, True)}],
    "grid_to_cells": [lambda _: {"path": [(1, 1), (1, 2), (1, 3)]}],
    "wall_cells": [lambda _: {"shape": (2, 2), "ids": [0, 1], "wrap": (False, False)}],
    "wall_ids": [lambda _: {"shape": (2, 2), "cells": [(0, 1)], "wrap": (False, False)}],
    # solve
    "solve": [
        lambda _: {"x": maze(), "start": (0, 0), "goal": (3, 4), "algorithm": "bfs", "directions": "NESW"},
        lambda _: {
            "x": GRID,
            "road": 0,
            "start": (1, 1),
            "goal": (3, 1),
            "algorithm": "dijkstra",
            "weights": np.ones((5, 5)),
            "moves": 8,
        },
        lambda _: {"x": maze(), "algorithm": "random_mouse", "rng": 1, "max_steps": 1000},
        lambda _: {"x": maze(), "algorithm": "wall_follower", "hand": "left", "visit_order": True},
    ],
    "solve_many": [
        lambda _: {"batch": graph_batch(), "starts": 3, "goals": [1, 2, 3, 4], **SHARED},
        lambda _: {"batch": batch(), "starts": (0, 0), "goals": (2, 3), "paths": True, "threads": 1},
        lambda _: {"batch": [graph_maze()], "starts": 3, "goals": 1},
    ],
    "solvers.solve_by_bands": [
        lambda _: {"x": maze(), "start": (0, 0), "goal": (2, 3)},
        lambda _: {"x": maze().passages, "start": (0, 0), "goal": (2, 3)},
        lambda _: {"x": meiro.generators.stream("eller", 5, rng=1), "rows": 4},
    ],
    "solvers.distances_by_bands": [
        lambda _: {"x": maze(), "sources": [(0, 0), (1, 2)], "out": np.empty((4, 5), np.int64)},
        lambda _: {"x": meiro.generators.stream("eller", 5, rng=1), "rows": 4},
    ],
    "distances": [
        lambda _: {"x": graph_maze(), "sources": [1, 2], "weights": np.ones(31)},
        lambda _: {"x": maze(), "sources": (0, 0), "weights": np.ones((4, 5))},
        lambda _: {"x": maze()},
        lambda _: {"x": GRID, "sources": [(1, 1)], "road": 0, "moves": 8},
        lambda _: {"x": maze(), "sources": (0, 0), "out": np.empty((4, 5), np.int64)},
        lambda _: {"x": batch(), "sources": [(0, 0)] * 4, "weights": np.ones((3, 4)), **SHARED},
        lambda _: {"x": graph_batch(), "sources": [1, 2, 3, 4], "weights": np.ones(31), **SHARED},
    ],
    "bottlenecks": [
        lambda _: {"x": GRID, "start": (1, 1), "goal": (3, 1), "road": 0},
        lambda _: {"x": graph_maze(), "start": 3, "goal": 7},
    ],
    "longest_path": [
        lambda _: {"x": GRID, "exact": False, "road": 0},
        lambda _: {"x": graph_maze(), "exact": True},
    ],
    "policy": [
        lambda _: {"x": graph_maze(), "goal": [1, 2]},
        lambda _: {"x": GRID, "goal": (1, 1), "moves": 4, "road": 0},
        lambda _: {"x": batch(), "goal": [[(0, 0), (1, 1)]] * 4, **SHARED},
        lambda _: {"x": graph_batch(), "goal": [1, 2, 3, 4], **SHARED},
    ],
    "all_shortest_paths": [
        lambda _: {"x": GRID, "start": (1, 1), "goal": (3, 1), "road": 0},
        lambda _: {"x": graph_maze(), "start": 3, "goal": 7},
    ],
    "shortest_paths": [
        lambda _: {"x": GRID, "start": (1, 1), "goal": (3, 1), "road": 0},
        lambda _: {"x": graph_maze(), "start": 3, "goal": [7, 8]},
    ],
    "Solution.save": [
        lambda folder: {
            "path": folder / "a.png",
            "picture": 255 - 255 * maze().grid,
            "color": "blue",
            "width": 1.5,
        }
    ],
    "Solution.__eq__": [lambda _: {"other": meiro.solve(maze(), visit_order=True)}],
    # exact
    **{
        name: [
            lambda _: {"shape": (3, 3)},
            lambda _: {"mask": MASK},
            lambda _: {"shape": (3, 3), "wrap": (True, False)},
        ]
        for name in ("edge_probabilities", "log_number_of_mazes", "number_of_mazes")
    },
    "enumerate_mazes": [lambda _: {"shape": (2, 2)}],
    "law": [lambda _: {"algorithm": "wilson", "shape": (2, 2)}],
    "Law.__getitem__": [lambda _: {"maze": meiro.generate((2, 2), rng=1)}],
    "Law.probability": [lambda _: {"maze": meiro.generate((2, 2), rng=1)}],
    "rank": [lambda _: {"maze": maze()}],
    "unrank": [lambda _: {"k": 5, "shape": (3, 3)}],
    "sampler_test": [
        lambda _: {"sampler": "wilson", "law": "uniform", "shape": (2, 2), "n": 100, "rng": 1},
        lambda _: {"sampler": meiro.generate_many((2, 2), n=100, rng=1), "law": meiro.law((2, 2), "wilson")},
    ],
    # measure
    "measure": [
        lambda _: {"x": graph_maze(), "measures": "river", "start": 3, "goal": 7},
        lambda _: {"x": maze(), "measures": ["dead_ends"]},
        lambda _: {"x": GRID, "road": 0, "start": (0, 0), "goal": (1, 1)},
        lambda _: {"x": batch(), "measures": "dead_ends", "threads": 1},
        lambda _: {"x": OBJECTS["RowStream"](), "measures": ["turns"], "rows": 9},
    ],
    "check": [
        lambda _: {"x": GRID, "road": 0},
        lambda _: {"x": batch(), **SHARED},
        lambda _: {"x": graph_batch(), **SHARED},
    ],
    "CheckReport.__eq__": [lambda _: {"other": meiro.check(GRID)}],
    "components": [lambda _: {"x": GRID, "road": 0}, lambda _: {"x": graph_maze()}],
    "position_map": [lambda _: {"x": batch(), "measure": "dead_ends"}],
    "survey": [
        lambda _: {
            "algorithms": [("wilson", {"weights": np.ones(17)}), ("percolation", {"p": 0.3})],
            "shapes": [meiro.lattices.square(3, 4)],
            "n": 4,
            "rng": 1,
            "measures": ["dead_ends", "passages"],
        },
        lambda _: {
            "algorithms": ["wilson", ("backtracker", {})],
            "shapes": [(2, 2), (3, 3)],
            "n": 4,
            "rng": 1,
            "measures": ["dead_ends"],
            "threads": 1,
            "executor": None,
        },
        lambda folder: {
            "algorithms": "wilson",
            "shapes": (2, 2),
            "n": 4,
            "rng": 1,
            "by": "maze",
            "out": folder / "rows",
            "resume": False,
        },
    ],
    "Table": [lambda _: {"columns": {"a": [1, 2]}}],
    "Table.__getitem__": [lambda _: {"key": "mean"}, lambda _: {"key": slice(1)}],
    "Table.__eq__": [lambda _: {"other": table()}],
    "Table.head": [lambda _: {"n": 2}],
    "Table.sort": [lambda _: {"by": "name", "descending": True}],
    "Table.hist": [lambda _: {"name": "rows", "by": "name", "bins": 3, "ax": None}],
    "Table.summary": [lambda _: {"by": "name"}],
    "Table.to_csv": [lambda folder: {"path": folder / "t.csv"}],
    "Table.to_xarray": [lambda _: {"dims": ("name", "rows")}],
    # datasets, seeds, registry, colors
    "endpoints": [
        lambda _: {"batch": batch(), "how": "random", "min_length": 2, "rng": 1, "threads": 1},
        lambda _: {"batch": batch(), "how": "farthest"},
        lambda _: {"batch": graph_batch(), "how": "dead_ends", "min_length": 2, "rng": 1, "threads": 1},
    ],
    "datasets.by_measure": [
        lambda _: {
            "shape": graph_maze().lattice,
            "algorithm": "wilson",
            "measure": "dead_ends",
            "target": 5,
            "n": 2,
            "candidates": 9,
        },
        lambda _: {
            "shape": (4, 5),
            "algorithm": "wilson",
            "measure": "dead_ends",
            "target": 5,
            "n": 2,
            "candidates": 9,
            "rng": 1,
            "threads": 1,
            "progress": False,
        },
    ],
    "datasets.supervised": [
        lambda _: {
            "shape": (4, 5),
            "algorithm": "wilson",
            "n": 6,
            "inputs": "passages",
            "target": "policy",
            "ends": "dead_ends",
            "min_length": 2,
            "rng": 1,
            "threads": 1,
        },
        lambda _: {"shape": batch(), "batch_size": 3, "rng": 1},
        lambda _: {
            "shape": (4, 5),
            "n": 9,
            "inputs": "tokens",
            "target": "tokens",
            "part": "train",
            "test": 0.5,
        },
        lambda _: {
            "shape": graph_maze().lattice,
            "algorithm": "wilson",
            "n": 6,
            "target": "policy",
            "min_length": 2,
            "rng": 1,
        },
        lambda _: {"shape": graph_batch(), "inputs": "tokens", "target": "tokens", "batch_size": 2},
    ],
    "datasets.vocabulary": [lambda _: {"shape": (4, 5)}, lambda _: {"shape": graph_maze().lattice}],
    "SampleBatches": [lambda _: {"plan": OBJECTS["SampleBatches"]()._plan, "batch_size": 2}],
    "SampleBatches.__getitem__": [lambda _: {"k": 1}],
    "split": [lambda _: {"batch": batch(), "starts": (0, 0), "goals": [(1, 1)] * 4, "test": 0.5}],
    "replicate": [lambda _: {"root": 7, "i": 3}],
    "Seed": [lambda _: {"key": (1, 2), "replicate": 3}],
    "seeds.seed_of": [lambda _: {"rng": 7}, lambda _: {"rng": {"entropy": [1, 2], "replicate": 3}}],
    "Registry.find": [lambda _: {"name": "kruskal"}],
    "Registry.__getitem__": [lambda _: {"name": "kruskal"}],
    # gym
    "MazeEnv": [
        lambda _: {"shape": (2, 3), "algorithm": "backtracker", "observation": "window", "window": 3},
        lambda _: {"mazes": batch(), "observation": "grid", "ends": "random", "time_limit": 9},
        lambda _: {"goal_reward": 2.0, "step_reward": -1.0, "wall_reward": -0.5, "render_mode": "ansi"},
    ],
    "MazeVectorEnv": [
        lambda _: {"num_envs": 2, "shape": (2, 3), "algorithm": "backtracker", "observation": "sight"},
        lambda _: {"mazes": batch(), "observation": "window", "window": 3, "ends": "own", "time_limit": 9},
        lambda _: {"goal_reward": 2.0, "step_reward": -1.0, "wall_reward": -0.5, "render_mode": "ansi"},
    ],
    **{
        f"{name}.{method}": [partial(_given, given)]
        for name, action in (("MazeEnv", {"action": 1}), ("MazeVectorEnv", {"actions": [1, 2]}))
        for method, given in (
            ("reset", {"seed": 7, "options": None}),
            ("step", action),
            ("optimal_return", {"gamma": 0.5}),
        )
    },
    # traces
    "trace": [
        lambda _: {"shape": (3, 4), "algorithm": "kruskal", "rng": 1, "max_events": 1000, "every": 2},
        lambda _: {"grid_shape": (7, 7), "mask": MASK, "window": (0, 4)},
        lambda _: {"shape": (3, 4), "wrap": (False, True), "rng": 1},
        lambda _: {"shape": (3, 4), "openings": [(0, 1), (6, 7)], "rng": 1},
        lambda _: {"shape": graph_maze().lattice, "algorithm": "wilson", "rng": 1, "window": (0, 9)},
    ],
    "trace_eller": [
        lambda _: {"right": [[0, 1], [1, 0]], "lower": [[0, 1, 1], [0, 0, 0]], "window": (0, 4), "every": 1}
    ],
    "trace_solve": [
        lambda _: {"x": maze(), "start": (0, 0), "goal": (3, 4), "algorithm": "bfs", "max_events": 1000},
        lambda _: {"x": GRID, "start": (1, 1), "goal": (3, 1), "window": (0, 4), "every": 1},
        lambda _: {"x": graph_maze(), "start": 0, "goal": 2, "algorithm": "dfs", "every": 1},
    ],
    "Trace.__getitem__": [lambda _: {"k": 3}, lambda _: {"k": slice(2, 4)}],
    "Trace.__add__": [lambda _: {"other": meiro.trace_solve(trace().result)}],
    "Trace.part_of": [lambda _: {"k": 3}],
    "Trace.position": [lambda _: {"k": 3}],
    "Trace.last_events": [lambda _: {"k": np.array([1, 2])}],
    "Trace.caption": [lambda _: {"k": 3}],
    "Trace.line": [lambda _: {"k": 3}],
    "Trace.frame": [lambda _: {"k": 3}],
    "Frames.__getitem__": [lambda _: {"k": 1}, lambda _: {"k": slice(1)}],
    # transforms
    "transpose": [lambda _: {"maze": maze()}, lambda _: {"maze": batch(), **SHARED}],
    "unicursal": [lambda _: {"maze": maze()}],
    **{
        name: [lambda _: {"maze": maze(), "rng": 1}, lambda _: {"maze": batch(), "rng": 1, **SHARED}]
        for name in ("join_regions", "remove_islands")
    },
    **{
        name: [
            lambda _: {"maze": maze(), "rng": 1, "steps": 3},
            lambda _: {"maze": batch(), "rng": 1, "steps": 3, **SHARED},
        ]
        for name in ("origin_shift", "perturb")
    },
    "fill_dead_ends": [
        lambda _: {"maze": maze(), "keep": [(0, 0), (3, 4)]},
        lambda _: {"maze": batch(), "keep": (0, 0), **SHARED},
    ],
    "sparsify": [lambda _: {"maze": maze(), "n": 1}, lambda _: {"maze": batch(), "n": 1, **SHARED}],
    "crop": [lambda _: {"maze": maze(), "window": np.s_[1:3, 1:4]}],
    "flip": [lambda _: {"maze": maze(), "axis": 0}, lambda _: {"maze": batch(), "axis": 0, **SHARED}],
    "rotate": [lambda _: {"maze": maze(), "k": 1}, lambda _: {"maze": batch(), "k": 1, **SHARED}],
    "add_loops": [
        lambda _: {"maze": maze(), "n": 2, "rng": 1},
        lambda _: {"maze": maze(), "share": 0.5, "rng": 1},
        lambda _: {"maze": batch(), "share": 0.5, "rng": 1, **SHARED},
    ],
    "braid": [
        lambda _: {"maze": maze(), "p": 0.5, "rng": 1},
        lambda _: {"maze": batch(), "p": 0.5, "rng": 1, **SHARED},
    ],
    "with_ends": [
        lambda _: {"maze": maze(), "ends": [(0, 0), (3, 4)], "rng": 1},
        lambda _: {"maze": batch(), "ends": ([(0, 0)] * 4, (2, 3)), "rng": 1, **SHARED},
    ],
    "with_openings": [
        lambda _: {"maze": maze(), "openings": [(0, 1), (8, 9)], "rng": 1},
        lambda _: {"maze": batch(), "openings": [[(0, 1)]] * 4, "rng": 1, **SHARED},
    ],
    "stitch": [lambda _: {"mazes": [maze(), maze()], "n_doors": 1, "rng": 1}],
    "symmetric": [lambda _: {"maze": maze(), "how": "left_right", "rng": 1}],
    # files and pictures
    "read": [
        lambda folder: {"path": file(folder, "a.npz")},
        lambda folder: {"path": file(folder, "a.csv"), "road": 0},
        lambda folder: {"path": file(folder, "many.npz")},
    ],
    "save": [
        lambda folder: {"x": maze(), "path": folder / "a.png", "solution": meiro.solve(maze()), "scale": 2},
        lambda folder: {"x": maze(), "path": folder / "a.png", "posts": False},
        lambda folder: {"x": GRID, "path": folder / "a.csv", "road": 0},
        lambda folder: {"x": OBJECTS["RowStream"](), "path": folder / "a.png", "rows": 9, "progress": False},
        lambda folder: {"x": OBJECTS["RowStream"](), "path": folder / "a.zarr", "rows": 9, "resume": True},
        lambda folder: {"x": maze(), "path": folder / "a.txt", "style": "ascii"},
        lambda folder: {"x": batch(), "path": folder / "a.svg", "page": "letter", **PAGE},
        lambda folder: {"x": [maze()] * 2, "path": folder / "a.svg", "solution": [None, meiro.solve(maze())]},
        lambda folder: {"x": maze(), "path": folder / "a.svg", "mm": 5, "start": (0, 0), "goal": (3, 4)},
    ],
    "io.puzzle_book": [
        lambda folder: {
            "path": folder / "a.pdf",
            "mazes": batch(),
            "per_page": 2,
            "solutions": "after",
            "heading": "Solutions",
            "progress": False,
        },
    ],
    "io.to_maze_dataset": [
        lambda _: {"maze": maze(), "form": "tokens", "solution": meiro.solve(maze()), "rng": 7},
        lambda _: {"maze": maze(), "form": "ascii", "solution": [(0, 0)]},
        lambda _: {"maze": batch()},
    ],
    "io.from_maze_dataset": [
        lambda _: {"x": meiro.io.to_maze_dataset(maze()), "start": (0, 0), "goal": (3, 4)},
        lambda _: {"x": meiro.io.to_maze_dataset(maze(), "tokens")},
        lambda _: {"x": meiro.io.to_maze_dataset(maze(), "pixels")},
        lambda _: {"x": "###\n# #\n###"},
    ],
    "io.to_mazelib": [lambda _: {"maze": maze()}],
    "io.from_mazelib": [lambda _: {"x": (np.array(GRID, np.int8), (1, 1), (1, 1))}],
    "io.to_labmaze": [lambda _: {"x": maze()}, lambda _: {"x": GRID}],
    "io.from_labmaze": [lambda _: {"text": "****\n*PG*\n****\n"}],
    "io.save_occupancy_grid": [
        lambda folder: {"x": maze(), "path": folder / "a.yaml", "resolution": 0.1, "origin": (0, 0, 0)},
        lambda folder: {"x": GRID, "path": folder / "a.yaml", "road": 0},
    ],
    "io.read_occupancy_grid": [lambda folder: {"path": occupancy_grid(folder)}],
    "io.save_mesh": [
        lambda folder: {
            "maze": maze(),
            "path": folder / "a.stl",
            "cell": 8,
            "wall": 1.5,
            "height": 5,
            "base": 0,
            "carved": True,
        },
        lambda folder: {"maze": maze(), "path": folder / "a.obj"},
        lambda folder: {"maze": maze(), "path": folder / "a.glb"},
    ],
    "io.save_tiled": [
        lambda folder: {"maze": maze(), "path": folder / "a.tmx", "tiles": "wide", "tile_size": 8},
    ],
    "io.read_tiled": [
        lambda folder: {"path": tiled(folder)},
        lambda folder: {"path": tiled(folder), "layer": "maze", "wall": [1, 2]},
    ],
    "io.save_scenarios": [
        lambda folder: {"x": maze(), "tasks": [((0, 0), (3, 4))], "path": folder / "a.scen"},
        lambda folder: {"x": GRID, "tasks": TASKS, "path": folder / "a.scen", "map_name": "a", "road": 0},
    ],
    "io.read_scenarios": [lambda folder: {"path": scenarios(folder) and folder / "a.scen"}],
    "from_image": [
        lambda _: {"picture": PICTURE, "threshold": 99.5, "speckles": 1, "deskew": True},
        lambda _: {"picture": PICTURE, "threshold": "local", "start": "red", "goal": (3, 3)},
    ],
    "brightness": [lambda folder: {"picture": file(folder, "a.png"), "shape": (3, 3)}],
    "mask_from_image": [
        lambda _: {"picture": np.array(GRID, float), "shape": (3, 3), "threshold": 0.4, "inside": "bright"}
    ],
    "mask_from_text": [lambda _: {"text": "##.\n###\n###", "inside": "#"}],
    # drawing
    "plot": [
        lambda _: {
            "maze": maze(),
            "ax": axes(),
            "solution": meiro.solve(maze()),
            "explored": True,
            "path_color": "red",
            "legend": False,
            "region": np.s_[0:3, 0:4],
            "theme": "light",
            "outside": "blank",
        },
        lambda _: {
            "maze": maze(),
            "ax": axes(),
            "values": np.arange(20).reshape(4, 5),
            "cmap": "viridis",
            "vmin": 0,
            "vmax": 20,
            "colorbar": True,
        },
        lambda _: {
            "maze": GRID,
            "ax": axes(),
            "labels": np.arange(25).reshape(5, 5),
            "road": 0,
            "wall_color": "k",
        },
    ],
    "plot_many": [
        lambda _: {"batch": batch(), "n": 2, "figure": figure(), "theme": "light", "outside": "wall"}
    ],
    "plot_trace": [
        lambda _: {"trace": trace(), "frames": 2, "numbers": True, "figure": figure(), "legend": True}
    ],
    "animate": [
        lambda _: {
            "traces": trace(),
            "fps": 20,
            "max_frames": 5,
            "numbers": False,
            "size": 24,
            "theme": "light",
            "outside": "blank",
            "legend": False,
        },
        lambda _: {"traces": trace(), "every": 2, "size": 24, "legend": True},
    ],
    "Animation.__getitem__": [lambda _: {"k": 1}],
    "Animation.save": [
        *(
            lambda folder, suffix=suffix: {"path": folder / f"a{suffix}"}
            for suffix in (".gif", ".png", ".webp")
        )
    ],
    "Animation.save_frames": [lambda folder: {"pattern": folder / "a_{:04}.png"}],
    "Animation.to_matplotlib": [lambda _: {"ax": axes()}],
    "player": [lambda _: {"traces": trace(), "every": 1, "fps": 10, "numbers": False, "size": 100}],
    "Player.save": [lambda folder: {"path": folder / "a.html"}],
    "Player.frame=": [lambda _: {"frame": 1}],
    "Player.playing=": [lambda _: {"playing": True}],
    "Player.fps=": [lambda _: {"fps": 5.0}],
    "Player.numbers=": [lambda _: {"numbers": True}],
    "play": [lambda _: {"x": GRID, "start": (1, 1), "goal": (3, 1), "road": 0, "size": 100}],
    "Play.save": [lambda folder: {"path": folder / "a.html"}],
    "Play.position=": [lambda _: {"position": (0, 0)}],
    "Play.steps=": [lambda _: {"steps": 3}],
    "Play.solved=": [lambda _: {"solved": True}],
}

# The package that a call needs, by the start of its name.
PACKAGES = {
    "plot": "matplotlib",
    "Animation.to_matplotlib": "matplotlib",
    "play": "anywidget",
    "Play": "anywidget",
    "MazeEnv": "gymnasium",
    "MazeVectorEnv": "gymnasium",
    "Maze.to_networkx": "networkx",
    "Maze.from_networkx": "networkx",
    "Maze.to_sparse": "scipy",
    "Table.hist": "matplotlib",
    "Table.to_pandas": "pandas",
    "Table.to_polars": "polars",
    "Table.to_arrow": "pyarrow",
    "Table.to_xarray": "xarray",
    "Animation.save": "PIL",
    "io.puzzle_book": "matplotlib",
}
WRITING = (
    "save",
    "open_memmap",
    "pyramid",
    "save_mesh",
    "save_scenarios",
    "save_tiled",
    "write_shards",
    "save_occupancy_grid",
    "save_frames",
    "to_csv",
    "survey",
    "puzzle_book",
)
SPECIAL = (
    *("__eq__", "__ne__", "__hash__", "__repr__", "__str__", "_repr_html_", "__array__"),
    *("__getitem__", "__len__", "__iter__", "__next__", "__add__"),
)


class Call(NamedTuple):
    """A valid call of something public.

    Attributes
    ----------
    name : str
        ``"generate"``, ``"Maze.to_svg"``, ``"Maze.grid"`` (a property), ``"Player.fps="`` (set) or
        ``"pickle Maze"`` (dumped and loaded).
    arguments : callable
        ``arguments(folder)`` returns the keywords of the call, made anew; files are in that folder.
    writes : bool
        Whether it may write files, into the folder.
    package : str
        What must be installed for it besides NumPy; empty for nothing.
    """

    name: str
    arguments: Callable[[Path], Arguments]
    writes: bool
    package: str

    def bind(self) -> Callable[..., object]:
        """Return the callable, of an object of its own if it is a method or a property."""
        return _bound(self.name)

    def prepare(self, folder: Path) -> tuple[Callable[..., object], Arguments]:
        """Return the callable and its keywords."""
        return self.bind(), self.arguments(folder)


def calls() -> list[Call]:
    """Return the calls of everything public, several of some."""
    return [
        Call(name, arguments, name.split(".")[-1] in WRITING, _package(name))
        for name in public_names()
        for arguments in TABLE.get(name.replace("JoinedTrace", "Trace"), [lambda _: {}])
    ]


def use(result: Any) -> Any:
    """Take the first items of an iterator, which does its work only then; return anything else.

    An array of Dask is computed.
    """
    if hasattr(result, "dask"):
        return result.compute(scheduler="sync")
    return list(itertools.islice(result, 3)) if isinstance(result, Iterator) else result


def public_names() -> list[str]:
    """Return the names of all public functions, constructors, methods, properties and settable attributes."""
    found = []
    for prefix, module in [("", meiro), *((f"{name}.", getattr(meiro, name)) for name in meiro._FOLDERS)]:
        for name in getattr(module, "__all__", vars(module)):
            thing = getattr(module, name)
            home = str(getattr(thing, "__module__", ""))
            ours = home == "meiro" or f"{home}.".startswith(f"{module.__name__}.") or prefix == ""
            if prefix and getattr(meiro, name, None) is thing:
                continue
            if ours and inspect.isfunction(thing) and not name.startswith("_"):
                found.append(prefix + name)
    for name, thing in classes().items():
        if "\nParameters\n" in inspect.cleandoc(thing.__doc__ or "") or name == "EllerRows":
            found.append(name)
        found += [f"{name}.{member}" for member in _members(thing)]
        found += [f"{name}.{member}=" for member in getattr(thing, "_values", ())]
        if name not in {"Animation", "Frames", "MazeEnv", "MazeVectorEnv", "Play", "Player", "Registry"}:
            found.append(f"pickle {name}")
    return found


def classes() -> dict[str, type]:
    """Return the public classes, and those of the objects that they and the public functions return."""
    return {name: type(make()) for name, make in OBJECTS.items()}


def _members(kind: type) -> list[str]:
    """Return the public methods and properties that meiro defines, and the special methods of `SPECIAL`."""
    found: dict[str, None] = {}
    refused: set[str] = set()
    for base in kind.__mro__:
        if not base.__module__.startswith("meiro"):
            continue
        for name, raw in vars(base).items():
            member = raw.__func__ if isinstance(raw, staticmethod | classmethod) else raw
            function = member.fget if isinstance(member, property) else member
            if getattr(function, "__annotations__", {}).get("return") in {"NoReturn", "Never"}:
                refused.add(name)
            if isinstance(member, property) and not name.startswith("_"):
                found[name] = None
            elif inspect.isfunction(member) and member.__name__ == name:
                if member.__code__.co_filename == "<string>":  # made by dataclasses
                    continue
                if not name.startswith("_") or name in SPECIAL:
                    found[name] = None
    return [name for name in found if name not in refused]


def _bound(name: str) -> Callable[..., object]:
    if name.startswith("pickle "):
        thing = OBJECTS[name.removeprefix("pickle ")]()
        return lambda: pickle.loads(pickle.dumps(thing))  # noqa: S301  # our own
    if name.endswith("="):
        return partial(_assign, OBJECTS[name.partition(".")[0]]())
    if name in OBJECTS:
        return type(OBJECTS[name]())
    owner, _, member = name.rpartition(".")
    if owner in OBJECTS:
        thing = OBJECTS[owner]()
        if isinstance(inspect.getattr_static(type(thing), member, None), property):
            return partial(getattr, thing, member)
        bound: Callable[..., object] = getattr(thing, member)
        return bound
    module = import_module(f"meiro.{owner}") if owner else meiro
    function: Callable[..., object] = getattr(module, member)
    return function


def _assign(thing: object, **values: object) -> None:
    for name, value in values.items():
        setattr(thing, name, value)


def _package(name: str) -> str:
    return next((package for start, package in PACKAGES.items() if name.startswith(start)), "")
