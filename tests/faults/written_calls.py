"""What no docstring says: an object of each public class, and valid calls that no example makes."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import meiro

if TYPE_CHECKING:
    from collections.abc import Callable

Arguments = dict[str, Any]

GRID = [[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 0, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]]
MASK = [[1, 1, 0], [1, 1, 1], [1, 1, 1]]


def maze() -> meiro.Maze:
    return meiro.generate((4, 5), rng=1)


def batch() -> meiro.MazeBatch:
    return meiro.generate_many((3, 4), n=4, rng=1)


def table() -> meiro.Table:
    columns: dict[str, list[Any]] = {
        "name": ["a", "b", "a"],
        "rows": [2, 2, 3],
        "mean": [1.5, float("nan"), 3.0],
    }
    return meiro.Table(columns)


def trace() -> meiro.Trace:
    return meiro.trace((3, 4), "kruskal", rng=1)


def graph_maze() -> meiro.GraphMaze:
    """Return a maze on a lattice of 20 cells."""
    return meiro.generate(meiro.lattices.square(4, 5), "wilson", rng=7)


def rows(algorithm: str, **options: Any) -> Any:
    """Return a stream of rows, of which two have been taken."""
    stream = meiro.generators.stream(algorithm, 4, rng=1, **options)
    stream.rows(2)
    return stream


def eller_rows() -> Any:
    found = meiro.eller_rows(4, rng=1)
    next(found)
    return found


def environment(kind: Any, *given: Any, mode: str) -> Any:
    env = kind(*given, (2, 3), render_mode=mode)
    env.reset(seed=7)
    return env


_OWN = tempfile.TemporaryDirectory()


def saved(x: Any, name: str, save: Callable[..., object] = meiro.save) -> str:
    """Return the name of a file that holds this."""
    save(x, name)
    return name


def shards() -> Path:
    """Return a folder of shards."""
    home = Path(_OWN.name) / "shards"
    if not home.exists():
        meiro.io.write_shards(OBJECTS["SampleBatches"](), home)
    return home


def scenarios() -> meiro.io.Scenarios:
    path = Path(_OWN.name) / "a.scen"
    meiro.io.save_scenarios(GRID, [((1, 1), (3, 1)), ((1, 3), (1, 1))], path)
    return meiro.io.read_scenarios(path)


# An object of every class that has public methods.
OBJECTS: dict[str, Callable[[], Any]] = {
    "AlgorithmFacts": lambda: meiro.ALGORITHMS["kruskal"],
    "Animation": lambda: meiro.animate(meiro.trace((2, 2), "kruskal", rng=1), size=24),
    "CheckReport": lambda: meiro.check(GRID),
    "Room": lambda: meiro.Maze([[6, 12], [3, 9]]).rooms()[0],
    "Color": lambda: meiro.colors.PATH,
    "Counts": lambda: meiro.dask.check(meiro.dask.generate((5, 6), "kruskal", rng=1)),
    "EllerRows": eller_rows,
    "EndlessMaze": lambda: meiro.generators.endless("kruskal", rng=1),
    "KruskalRows": partial(rows, "kruskal", rows=3),
    "EndlessKruskalRows": partial(rows, "kruskal"),
    "RowStream": lambda: meiro.generators.stream("binary_tree", 4, rng=1),
    "Comparison": lambda: meiro.compare(
        batch(), meiro.braid(batch(), rng=1), "dead_ends", n_resamples=999, rng=1
    ),
    "EventKind": lambda: meiro.EventKind.CARVE,
    "Frame": lambda: trace()[3],
    "Frames": lambda: trace()[2:5],
    "GraphFrame": lambda: meiro.trace(graph_maze().lattice, "kruskal", rng=1)[3],
    "GraphBatch": lambda: meiro.generate_many(meiro.lattices.square(4, 5), "wilson", 4, rng=7),
    "GraphMaze": graph_maze,
    "GraphSolution": lambda: meiro.solve(graph_maze(), visit_order=True),
    "Lattice": lambda: meiro.lattices.hexagonal(3, 4),
    "LabmazeGrid": lambda: meiro.io.from_labmaze("***\n*P*\n***\n"),
    "Law": lambda: meiro.law((2, 2), "wilson"),
    "LongestPath": lambda: meiro.longest_path(maze()),
    "Locks": lambda: meiro.locks(maze(), 1, rng=1),
    "Maze": maze,
    "MazeBatch": batch,
    "MazeEnv": lambda: environment(meiro.gym.MazeEnv, mode="ansi"),
    "MazeVectorEnv": lambda: environment(meiro.gym.MazeVectorEnv, 2, mode="rgb_array"),
    "OccupancyGrid": lambda: meiro.io.OccupancyGrid(
        np.eye(4, dtype=np.uint8), np.eye(4, dtype=bool), 0.5, (0, 0, 0)
    ),
    "MazelibGrid": lambda: meiro.io.to_mazelib(maze()),
    "MeasureFacts": lambda: meiro.MEASURES["dead_ends"],
    "Measures": lambda: meiro.measure(maze()),
    "PictureArray": lambda: meiro.from_image(np.kron(1.0 - np.array(GRID), np.ones((3, 3)))),
    "Play": lambda: meiro.play(maze()),
    "Player": lambda: meiro.player(trace()),
    "Registry": lambda: meiro.ALGORITHMS,
    "SamplerTest": lambda: meiro.sampler_test("wilson", shape=(2, 2), n=100, rng=1),
    "Scaling": lambda: meiro.stats.scaling(
        meiro.survey([(4, 4), (6, 6)], "wilson", 20, rng=1, measures="turns"), "turns"
    ),
    "Seed": lambda: meiro.Seed((1, 2), 3),
    "ShortestPaths": lambda: meiro.shortest_paths(maze()),
    "SampleBatches": lambda: meiro.datasets.supervised((4, 5), n=6, batch_size=4, rng=1),
    "GraphInputs": lambda: meiro.datasets.supervised(graph_maze().lattice, n=3, rng=1).inputs,
    "Samples": lambda: meiro.datasets.supervised(graph_maze().lattice, n=3, rng=1),
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


# Calls that no example makes: of special methods, of what takes files, and of options with code of their own.
MORE = r"""
generate((4, 5), "backtracker", start=(1, 1), after_dead_end="random", rng=1, wrap=(False, True))
generate(grid_shape=(9, 11), mask=np.ones((4, 5), bool), rng=1)
generate((4, 5), openings=[((0, 1), "north"), (8, 9)], out=np.empty((4, 5), np.uint8), rng=1)
generate((2, 2), "kruskal", order=[3, 1, 0, 2])
generate((2, 2), "kruskal", weights=[0.5, 0.1, 0.7, 0.9], rng=1)
generate((3, 3), "pole_toppling", falls=[[1, 2], [4, 8]], rng=1)
generate((4, 5), "binary_tree", corner="north_west", rng=1)
generate((4, 5), "sidewinder", towards="north", rng=1)
generate((4, 5), "growing_tree", choose={"newest": 0.5}, rng=1)
generate((4, 5), "hunt_and_kill", hunt="random_row", rng=1)
generate((8, 9), "recursive_division", room=2, rng=1)
generate((4, 5), "backtracker", run=0.5, bias=0.5, rng=1)
generate((4, 5), "percolation", p=0.5, rng=1)
generate((4, 5), "origin_shift", steps=30, rng=1)
generate((4, 5), "growing_forest", trees=3, rng=1)
generate((9, 9), "rooms", tries=5, sides=(1, 3), doors=0.1, dead_ends="remove", fill="wilson", rng=1)
generate(meiro.lattices.hexagonal(3, 4), "backtracker", start=3, run=2, rng=1, threads=1)
generate(meiro.lattices.hexagonal(3, 4).recipe, "kruskal", weights=np.ones(23), progress=False)
generate_many(grid_shape=(7, 9), n=3, mask=np.ones((3, 4), bool), wrap=(False, True), openings="random")
generate_many((3, 4), n=3, rng=1, out=np.empty((3, 3, 4), np.uint8))
generate_many(meiro.lattices.hexagonal(3, 4), n=3, out=np.empty((3, 23), np.bool_))
spanning_tree([(0, 1), (1, 2), (2, 0)], weights=[1.0, 2.0, 3.0], n=5, rng=1)
spanning_tree([(0, 1), (1, 2), (2, 0)], "backtracker", root=2, rng=1)
generators.region((5, 6), "sidewinder", rng=1, rows=slice(2, 4), cols=slice(1, 5), towards="east")
generators.region((5, 6), "percolation", rng=1, rows=slice(2), cols=slice(3), p=0.3)
generators.region((5, 6), "kruskal", rng=1, bias=2)
generators.region((5, 6), "binary_tree", rng=1, corner="south_east")
generators.endless("percolation", rng=1, p=0.3)
generators.stream("binary_tree", 4, rng=1, corner="south_east")
generators.stream("percolation", 4, rng=1, p=0.3)
generators.stream("prim", 4, rows=3, rng=1, bias=2)
GraphBatch.from_xarray(OBJECTS["GraphBatch"]().to_xarray())
dask.generate((5, 6), "kruskal", rng=1, chunks=(2, 4), bias=2)
dask.generate((5, 6), "pole_toppling", rng=1, towards="west")
cellular_automaton(initial=GRID, road=0, wrap=(True, True))
EndlessMaze("percolation", meiro.replicate(1, 2), p=0.3)
EllerRows(4, rng=1)
EllerRows.finish([0, 1, 0])
KruskalRows.rows(1)
lattices.box(shape=(2, 3, 4))
lattices.hexagonal(side=3, shape="triangle")
lattices.polar(3, first=5)
lattices.voronoi([(0, 0), (1, 0), (0, 1), (1, 2)])
lattices.weave(5, 6, crossings=0.2, rng=1)
lattices.from_graph([(0, 1), (1, 2), (2, 0)], positions={0: (0, 0), 1: (1, 0), 2: (1, 1)})
Lattice(2, [(0, 1)], positions=[(0, 0), (1, 0)], labels=["a", "b"])
Lattice.cell(3)
GraphMaze(meiro.lattices.hexagonal(3, 4), np.ones(23, np.bool_), start=1, goal=3)
GraphMaze.save("a.npz")
GraphMaze.to_svg(solution=meiro.solve(graph_maze()).path[:2].tolist())
GraphMaze.to_text("ascii", solution=meiro.solve(graph_maze()), start=1)
GraphMaze.to_dot(start=1, goal=3)
GraphBatch([graph_maze()])
GraphBatch.__add__(OBJECTS["GraphBatch"]())
GraphBatch.__getitem__([0, 2])
GraphBatch.filter([True, False, True, False])
GraphBatch.solve(1, 5, paths=True, threads=1)
Law.__getitem__(meiro.generate((2, 2), rng=1))
Law.probability(meiro.generate((2, 2), rng=1))
Maze([[2, 8], [2, 8]], [[1, 1], [1, 1]], openings=[(0, 1)], start=(0, 0), goal=(0, 1), wrap=(False, False))
Maze.__array__(dtype=np.uint8, copy=True)
Maze.from_passages([[2, 8]], mask=[[1, 1]], wrap=(False, False))
Maze.from_edges((1, 2), [(0, 1)], mask=[[1, 1]])
Maze.from_grid(GRID, road=0, corridor=1, wall=1)
Maze.from_grid([[1, 1, 1, 1, 1], [1, 0, 0, 1, 1], [1, 1, 1, 1, 1]], mask=[[1, 0]])
Maze.from_image(1 - np.array(GRID, float), threshold=0.5, deskew=False)
Maze.from_wall_ids((2, 2), [0], mask=np.ones((2, 2), bool))
Maze.plot(theme="dark")
Maze.save("a.png", solution=meiro.solve(maze()), scale=2)
Maze.save("a.dot")
Maze.save("a.svg", page=(100, 80), **PAGE)
Maze.solve((1, 1), (2, 2), algorithm="dfs")
Maze.to_dot(start=(0, 0), goal=(3, 4))
Maze.to_grid(out=np.empty((9, 11), np.uint8), threads=1)
Maze.to_grid(corridor=2, wall=1, road=0, dtype=np.int16, posts=False)
Maze.to_svg(page="A4", solution=meiro.solve(maze()), **PAGE)
Maze.to_text("ascii", labels=np.arange(20).reshape(4, 5))
Maze.to_text(solution=meiro.solve(maze()), start=(0, 0), goal=(3, 4))
MazeBatch.__add__(batch())
MazeBatch.__array__(dtype=np.uint8, copy=True)
MazeBatch.__getitem__([0, 2])
MazeBatch.filter([True, False, True, False])
MazeBatch.measure("solution_length", start=(0, 0), goal=(2, 3), threads=1, progress=False)
MazeBatch.save("b.zarr")
MazeBatch.solve((0, 0), (2, 3), paths=True, threads=1)
SampleBatches(OBJECTS["SampleBatches"]()._plan, 2)
SampleBatches.__getitem__(1)
Shards(shards())
Shards.__getitem__(1)
Seed((1, 2), 3)
Registry.__getitem__("kruskal")
Registry.find("kruskal")
Table.__getitem__(slice(1))
Table.hist("rows", hue="name", bins=3)
Table.plot("rows", "mean", hue="name")
solve(GRID, (1, 1), (3, 1), algorithm="dijkstra", weights=np.ones((5, 5)), moves=8, road=0)
solve(maze(), algorithm="random_mouse", rng=1, max_steps=1000)
solve(maze(), algorithm="wall_follower", hand="left", visit_order=True)
solve(maze(), (0, 0), (3, 4), directions="NESW")
distances(GRID, [(1, 1)], road=0, moves=8)
distances(maze(), (0, 0), weights=np.ones((4, 5)))
distances(maze(), (0, 0), out=np.empty((4, 5), np.int64))
distances(graph_maze(), [1, 2], weights=np.ones(31))
distances(batch(), weights=np.ones((3, 4)))
solve_many([graph_maze()], 3, 1)
solvers.distances_by_bands(maze(), [(0, 0), (1, 2)], out=np.empty((4, 5), np.int64))
solvers.solve_by_bands(maze().passages, (0, 0), (2, 3))
log_number_of_mazes((3, 3), wrap=(True, False))
log_number_of_mazes(mask=MASK)
edge_probabilities((3, 3), wrap=(True, False))
compare(batch().grids, [str(maze) for maze in batch()[:3]], ["turns"], n_resamples=999, rng=1, threads=1)
stats.scaling(meiro.survey([(4, 4), (6, 6)], "wilson", 20, rng=1, measures="turns", by="maze"), "turns")
expected_counts(mask=MASK, wrap=(False, False), variances=False)
expected_counts(meiro.lattices.square(2, 3), weights=np.ones(7))
sampler_test("wilson", "uniform", (2, 2), n=100, rng=1)
sampler_test(meiro.generate_many((2, 2), n=100, rng=1), meiro.law((2, 2), "wilson"))
measure(OBJECTS["RowStream"](), ["turns"], rows=9)
measure(GRID, start=(0, 0), goal=(1, 1), road=0)
position_map(batch(), "dead_ends")
survey([meiro.lattices.square(3, 4)], [("wilson", {"weights": np.ones(17)})], n=4, measures=["dead_ends"])
survey(shapes=(2, 2), algorithms="wilson", n=4, rng=1, by="maze", out="rows", resume=False)
datasets.by_measure(meiro.lattices.square(4, 5), "wilson", "dead_ends", 5, n=2, candidates=9)
datasets.partial_mazes((4, 5), 3, cells=8, depth=0.5, forks=True, start=(1, 1), rng=1)
datasets.supervised((4, 5), "wilson", 6, target="policy", ends="dead_ends", min_length=2, rng=1)
datasets.supervised((4, 5), n=9, inputs="tokens", target="tokens", part="train", test=0.5)
datasets.supervised(meiro.lattices.square(4, 5), "wilson", 6, target="policy", min_length=2, rng=1)
read(saved(maze(), "a.npz"))
read(saved(maze(), "a.csv"), road=0)
read(saved(batch(), "many.npz", meiro.MazeBatch.save))
brightness(saved(maze(), "a.png"), (3, 3))
save(OBJECTS["RowStream"](), "a.png", rows=9, progress=False)
save(OBJECTS["RowStream"](), "a.zarr", rows=9, resume=True)
save(GRID, "a.csv", road=0)
save(maze(), "a.png", posts=False, scale=2)
save([maze()] * 2, "a.svg", solution=[None, meiro.solve(maze())], **PAGE)
save(maze(), "a.svg", mm=5, start=(0, 0), goal=(3, 4))
Solution.save("a.png", picture=255 - 255 * maze().grid, color="blue", width=1.5)
GraphSolution.save("a.svg", mm=8, marks=True)
io.puzzle_book("a.pdf", batch(), per_page=2, solutions="after", heading="Solutions", progress=False)
io.pyramid(OBJECTS["RowStream"](), "tiles", rows=9)
io.from_maze_dataset(meiro.io.to_maze_dataset(maze(), "pixels"))
io.from_maze_dataset("###\n# #\n###")
io.to_maze_dataset(maze(), "tokens", solution=[(0, 0)], rng=7)
io.read_tiled(saved(maze(), "a.tmx", meiro.io.save_tiled), layer="maze", wall=[1, 2])
io.save_tiled(maze(), "a.tmj", tiles="blob", tile_size=8, posts=False)
io.save_mesh(maze(), "a.stl", mm=8, wall=1.5, height=5, base=0, carved=True)
from_image(np.kron(1.0 - maze().grid, np.ones((6, 6))), threshold="local", speckles=1, deskew=True)
mask_from_image(np.array(GRID, float), (3, 3), threshold=0.4, inside="bright")
plot(maze(), values=np.arange(20).reshape(4, 5), cmap="viridis", vmin=0, vmax=20, colorbar=True)
plot(GRID, labels=np.arange(25).reshape(5, 5), road=0, wall_color="k")
plot(maze(), solution=meiro.solve(maze()), path_color="red", legend=False, region=np.s_[0:3, 0:4])
plot_many(batch(), 2, theme="light", outside="wall")
plot_trace(trace(), 2, numbers=True, legend=True)
animate(trace(), every=2, fps=20, max_frames=5, size=56, numbers=True, theme="light", outside="blank")
player(trace(), every=1, fps=10, numbers=False, size=100)
Animation.__getitem__(1)
Play.save("a.html")
Player.save("a.html")
trace(grid_shape=(7, 7), mask=MASK, window=(0, 4))
trace((3, 4), "kruskal", wrap=(False, True), openings=[(0, 1), (6, 7)], rng=1, max_events=1000, every=2)
trace(meiro.lattices.square(4, 5), rng=1, window=(0, 9))
trace_solve(GRID, (1, 1), (3, 1), window=(0, 4), every=1)
trace_solve(graph_maze(), 0, 2, algorithm="dfs", every=1)
Trace.__add__(meiro.trace_solve(trace().result))
Trace.__getitem__(slice(2, 4))
Trace.part_of(3)
Frames.__getitem__(1)
add_loops(maze(), share=0.5, rng=1)
add_loops(batch(), share=0.5, rng=1, threads=2, progress=False)
with_openings(maze(), [(0, 1), (8, 9)], rng=1)
MazeEnv((2, 3), "backtracker", observation="window", window=3, goal_reward=2.0, step_reward=-1.0)
MazeEnv(mazes=batch(), observation="grid", ends="random", time_limit=9)
MazeVectorEnv(2, (2, 3), "backtracker", observation="sight", render_mode="ansi")
MazeVectorEnv(mazes=batch(), observation="window", window=3, ends="own", time_limit=9, wall_reward=-0.5)
MazeVectorEnv.step([1, 2])
"""
# Their examples are too slow to be repeated a thousand times, name files that do not exist, or need another
# object than that of `OBJECTS`.
UNFIT = """
sampler_test read GraphBatch.solve GraphBatch.filter lattices.box log_number_of_mazes plot_many
Lattice.cell Law.probability KruskalRows.rows Maze.plot MazeBatch.solve MazeBatch.filter
MazeVectorEnv.step Solution.save GraphSolution.save Table.hist Table.plot Trace.part_of
""".split()  # noqa: SIM905  # of many names
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
# What takes another thing than a maze first, that thing, and arguments that fit it; `USUAL` fit all.
KINDS: dict[str, tuple[Callable[[], Any], Arguments]] = {
    """
    braid check distances endpoints fill_dead_ends flip join_regions origin_shift perturb policy
    remove_islands rotate solve_many sparsify transpose with_ends with_openings io.to_maze_dataset
    """: (lambda: OBJECTS["MazeBatch"](), {"goal": (2, 3)}),  # noqa: PLW0108  # tests replace some of `OBJECTS`
    """
    all_shortest_paths bottlenecks components longest_path measure policy shortest_paths
    """: (graph_maze, {"start": 3, "goal": 7}),
    """
    check distances endpoints policy solve_many datasets.supervised
    """: (lambda: OBJECTS["GraphBatch"](), {"goal": [1, 2, 3, 4]}),  # noqa: PLW0108
    """
    all_shortest_paths bottlenecks check components io.save_occupancy_grid io.to_labmaze longest_path
    play policy shortest_paths
    """: (lambda: GRID, {"road": 0, "start": (1, 1), "goal": (3, 1)}),
}
USUAL: Arguments = {
    "rng": 1, "threads": 2, "progress": False, "n": 1, "axis": 0, "k": 1, "steps": 3, "p": 0.5,
    "path": "a.yaml",
}  # fmt: skip
