"""Random public operations for as long as is asked, every result checked by its invariants, memory watched.

Attempt `n` of a seed draws everything from ``numpy.random.default_rng([seed, n])``, so that
``python tests/faults/soak.py SEED N`` repeats it alone. The reference for paths is scipy. A leak is a slope
of the resident memory, by least squares, while a few attempts are repeated: new ones may still fill caches.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import tempfile
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if __name__ == "__main__":  # one attempt
    sys.path.insert(0, str(Path(__file__).parent.parent / "helpers"))

from random_requests import random_maze, random_request, random_shape, random_solver_options, random_walls
from reference_graphs import adjacency, existing
from scipy.sparse import csgraph

import meiro
from meiro import ALGORITHMS, MEASURES, SOLVERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from campaign import Campaign
    from numpy.typing import NDArray

REPEATED = 0.25  # the share of the time for repetition, in which the memory is judged
PASSES = 30  # repetitions, about
LOOKS = 9  # repetitions at least, however busy the machine is
MOST_SLOPE = 50.0  # kB per 1000 operations
LEAST_GROWTH = 1024.0  # kB; what is less may be the allocator's


def same(one: Any, other: Any, what: str) -> None:
    """Check that two results are equal."""
    equal = np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
    assert equal, f"{what}: {one!r} and {other!r}"


def n_components(x: meiro.Maze | NDArray[np.uint8], there: NDArray[np.bool_]) -> int:
    """Return the number of connected components of the places that exist, by scipy."""
    count, _ = csgraph.connected_components(adjacency(x), directed=False)
    return int(count) - int((~there).sum())


def lattice_of(maze: meiro.Maze) -> meiro.Maze:
    """Return the maze with every passage open."""
    return meiro.Maze.from_wall_ids((maze.rows, maze.cols), [], mask=maze.mask, wrap=maze.wrap)


# The operations: each takes a generator of random numbers and a folder, and asserts


def generate(draw: np.random.Generator, _: Path) -> None:
    """Check what the facts promise of a maze, and that nothing but the seed decides it."""
    request = random_request(draw)
    facts = ALGORITHMS[request["algorithm"]]
    maze = meiro.generate(**request)
    exists = existing(maze)
    assert not maze.passages[~exists].any(), "a cell that does not exist has a passage"
    edges = adjacency(maze).nnz // 2
    same(len(maze.edges()), edges, "the number of edges")
    if facts.perfect and "room" not in request:  # undivided rooms have loops
        parts = n_components(lattice_of(maze), exists)
        same(n_components(maze, exists), parts, "components of the maze and of its mask")
        same(edges, int(exists.sum()) - parts, "the passages of a perfect maze")
        assert maze.is_perfect
    if facts.threads:
        same(meiro.generate(**request, threads=int(draw.integers(2, 5))), maze, "another number of threads")
    assert maze.recipe is not None
    digests = {name for name, x in maze.recipe.items() if isinstance(x, dict) and "sha256" in x}
    same(meiro.generate(**maze.recipe | {name: request[name] for name in digests}), maze, "the recipe")
    k = int(draw.integers(5))
    given = {name: value for name, value in request.items() if name != "rng"}
    many = meiro.generate_many(n=k + 1, rng=request["rng"], threads=int(draw.integers(1, 4)), **given)
    same(many[0], maze, "maze 0 of a batch")
    same(many[k], meiro.generate(rng=meiro.replicate(request["rng"], k), **given), "maze k of a batch")


def trace(draw: np.random.Generator, _: Path) -> None:
    """Check that a traced run makes the same maze, frame by frame as from the beginning."""
    request = random_request(draw, 60)
    given = {name: value for name, value in request.items() if name not in {"shape", "algorithm"}}
    found = meiro.trace(request["shape"], request["algorithm"], **given)
    same(found.result, meiro.generate(**request), "traced and untraced")
    if len(found):
        k = int(draw.integers(len(found)))
        frame = found[k]
        again = meiro.trace(request["shape"], request["algorithm"], **given, window=(k, k + 1))[0]
        same(frame.passages, again.passages, "a frame of the whole trace and of a window")
        same(frame.state, again.state, "its states")
        same(frame.note, again.note, "its note")
        assert isinstance(found.result, meiro.Maze)
        same(found[-1].passages, found.result.passages, "the last frame")


def solve(draw: np.random.Generator, _: Path) -> None:
    """Check every solver on a maze or on an array, and distances, against scipy."""
    x: meiro.Maze | NDArray[np.uint8]
    if draw.random() < 0.6:
        x = random_maze(draw)
        exists, wrap = existing(x), x.wrap
    else:
        x = random_walls(draw)
        exists, wrap = x == 0, (False, False)
    places = np.argwhere(exists)
    start, goal = (tuple(places[i].tolist()) for i in draw.integers(len(places), size=2))
    cols = exists.shape[1]
    graph = adjacency(x)
    steps = csgraph.dijkstra(graph, unweighted=True, indices=start[0] * cols + start[1])
    least = steps[goal[0] * cols + goal[1]]
    expected = np.where(np.isinf(steps) | ~exists.reshape(-1), -1, steps).astype(int).reshape(exists.shape)
    same(meiro.distances(x, start).astype(int), expected, "distances")
    for name, facts in SOLVERS.items():
        if (any(wrap) and not facts.wraps) or (facts.random and exists.size > 400):
            continue
        options = random_solver_options(draw, name, exists.shape, sites=not isinstance(x, meiro.Maze))
        try:
            found = meiro.solve(x, start, goal, algorithm=name, **options)
        except meiro.NoPathError:
            assert np.isinf(least), f"{name} {options}: no path although there is one"
            continue
        assert not np.isinf(least), f"{name} {options}: a path although there is no path"
        assert found.found or not facts.complete, f"{name} {options}: {found.reason}"
        if found.found:
            check_path(found, graph, options)
            if facts.shortest and not {"weights", "moves"} & set(options):
                same(found.length, int(least), f"the length of the shortest path of {name}")
    if np.isinf(least):
        return
    traced = meiro.trace_solve(x, start, goal, algorithm="bfs", max_events=10**7)
    same(traced.result, meiro.solve(x, start, goal), "traced and untraced")
    ways = meiro.shortest_paths(x, start, goal)
    same(ways.length, int(least), "the length of the shortest paths")
    paths = list(zip(meiro.all_shortest_paths(x, start, goal), range(4), strict=False))
    same(len(paths), min(4, ways.count), "some of the shortest paths")


def check_path(found: meiro.Solution, graph: Any, options: dict[str, Any]) -> None:
    """Check that a path joins its ends by passages, and visits nothing twice."""
    path = found.path
    same((*path[0].tolist(),), found.start, "the first place of the path")
    same((*path[-1].tolist(),), found.goal, "the last place of the path")
    same(len(path), found.length + 1, "the length of the path")
    numbers = path @ np.array([found.shape[1], 1])
    assert len(np.unique(numbers)) == len(numbers), "the path visits a place twice"
    if options.get("moves") != 8 and len(numbers) > 1:
        assert (graph[numbers[:-1], numbers[1:]] > 0).all(), f"{found.algorithm} walks through a wall"


def measure(draw: np.random.Generator, _: Path) -> None:
    """Check the measures that scipy knows, and that a batch and a survey have the same ones."""
    maze = random_maze(draw, 100)
    exists, graph = existing(maze), adjacency(maze)
    found = meiro.measure(maze)
    degrees = np.asarray(graph.sum(axis=1)).reshape(exists.shape)[exists]
    for name, degree in (("isolated", 0), ("dead_ends", 1), ("junctions", 3), ("crossroads", 4)):
        same(found[name], int((degrees == degree).sum()), name)
    parts = n_components(maze, exists)
    same(found["regions"], parts, "regions")
    same(found["loops"], graph.nnz // 2 - int(exists.sum()) + parts, "loops")
    cells = np.flatnonzero(exists.reshape(-1))
    steps = csgraph.dijkstra(graph, unweighted=True, indices=cells[0])
    if np.isfinite(steps[cells[-1]]):
        same(found["solution_length"], int(steps[cells[-1]]), "solution_length")
        same(found["solution_length"], meiro.solve(maze).length, "solution_length and solve")
    if parts == 1 and found["loops"] == 0:
        far = csgraph.dijkstra(
            graph, unweighted=True, indices=int(np.where(np.isinf(steps), -1, steps).argmax())
        )
        diameter = int(far[np.isfinite(far)].max())
        same(found["diameter"], diameter, "diameter")
        same(meiro.longest_path(maze).length, diameter, "the longest path")
    report = meiro.check(maze)
    same(report.perfect, maze.is_perfect, "check and is_perfect")
    labels, count = meiro.components(maze)
    same(count, parts, "components")
    same(labels != 0, exists, "labels of components")


def batch(draw: np.random.Generator, folder: Path) -> None:
    """Check a batch against its mazes, one by one."""
    request = random_request(draw, 20)
    n = int(draw.integers(1, 40))
    many = meiro.generate_many(n=n, threads=2, **request)
    k = int(draw.integers(n))
    same(many[k], many[[k, 0]][0], "a maze and a selection")
    table = many.measure(threads=int(draw.integers(1, 4)))
    alone = meiro.measure(many[k])
    for name in MEASURES:
        value = alone.get(name, float("nan"))
        assert np.array_equal(float(table[name][k]), float(value), equal_nan=True), f"{name} of maze {k}"
    lengths = many.solve(threads=2).lengths
    found = [meiro.measure(m, ["solution_length"]).get("solution_length", -1) for m in many[: min(n, 5)]]
    same([int(x) if x == x else -1 for x in found], lengths[: min(n, 5)].tolist(), "solve_many")  # noqa: PLR0124
    parts = [meiro.Table({name: table[name][i::2] for name in table}) for i in range(2)]
    joined = meiro.Table({name: np.concatenate([part[name] for part in parts]) for name in table})
    same(joined.describe(), table.describe(), "the sums of the parts of a table")
    unique, counts = many.unique(return_counts=True)
    same(int(counts.sum()), n, "the counts of unique mazes")
    same(len({*many}), len(unique), "unique")
    train, test = meiro.split(many, test=float(draw.random()))
    assert not {*train} & {*test}
    same(len(train) + len(test), n, "split")
    starts, goals = meiro.endpoints(many, "random", rng=1)
    good = starts[:, 0] >= 0
    assert existing(many[0])[tuple(starts[good].T)].all() or many.masks is not many.mask
    assert (starts[good] != goals[good]).any(axis=1).all()
    path = folder / "many.npz"
    many.save(path)
    opened = meiro.MazeBatch.open(path)
    same(opened, many, "a batch from its file")
    same(opened.recipe, many.recipe, "its recipe") if not _arrays(request) else None


def _arrays(request: dict[str, Any]) -> bool:
    return any(isinstance(value, np.ndarray) for value in request.values())


def survey(draw: np.random.Generator, _: Path) -> None:
    """Check a survey on other threads, and its summary against the rows of its mazes."""
    request = random_request(draw, 12)
    n, seed = int(draw.integers(2, 60)), request.pop("rng")
    shape, name = request.pop("shape"), request.pop("algorithm")
    of = {"algorithms": [(name, request)], "shapes": shape, "n": n, "rng": seed}
    whole = meiro.survey(**of, threads=int(draw.integers(1, 4)))
    same(meiro.survey(**of), whole, "a survey on other threads")
    rows = meiro.survey(**of, by="maze").describe()
    for i, measure_name in enumerate(rows["measure"].tolist()):
        if measure_name not in MEASURES:
            continue  # a column of an option
        (j,) = np.flatnonzero(whole["measure"] == measure_name)
        for column in ("n", "mean", "sd", "min", "max"):
            one, other = whole[column][j], rows[column][i]
            assert np.array_equal(one, other, equal_nan=True), (
                f"{column} of {measure_name}: {one} and {other}"
            )


def files(draw: np.random.Generator, folder: Path) -> None:
    """Check round trips: files, texts, graphs, arrays, pickles."""
    maze = random_maze(draw, 80)
    shape = maze.rows, maze.cols
    given: dict[str, Any] = {"mask": maze.mask, "wrap": maze.wrap}
    for suffix in (".npz",) if any(maze.wrap) else (".npz", ".png", ".txt", ".csv", ".npy"):
        path = folder / f"maze{suffix}"
        maze.save(path)
        same(meiro.read(path), maze, suffix)
    same(meiro.Maze.from_edges(shape, maze.edges(), **given), maze, "edges")
    same(meiro.Maze.from_wall_ids(shape, maze.wall_ids(), **given), maze, "wall ids")
    same(meiro.wall_ids(shape, maze.edges(), wrap=maze.wrap).size, len(maze.edges()), "ids of edges")
    same(meiro.Maze.from_networkx(maze.to_networkx(), shape=shape, wrap=maze.wrap), maze, "networkx")
    same((maze.to_sparse() != adjacency(maze)).nnz, 0, "the sparse matrix")
    same(meiro.Maze.from_grid(maze.grid, wrap=maze.wrap), maze, "the grid")
    if not any(maze.wrap):
        for style in ("unicode", "ascii", "block", "posts"):
            same(meiro.Maze.from_text(maze.to_text(style)), maze, style)
        thick: dict[str, Any] = {"corridor": int(draw.integers(1, 4)), "wall": int(draw.integers(1, 4))}
        same(meiro.Maze.from_grid(maze.to_grid(**thick), **thick), maze, "thick walls")
        same(meiro.Maze.from_image((1 - maze.grid) * 255.0 / 255), maze, "a picture")
    assert maze.to_svg().startswith("<svg")
    assert maze.to_dot()


def transforms(draw: np.random.Generator, _: Path) -> None:
    """Check what transforms promise."""
    maze = random_maze(draw, 100)
    seed, exists = int(draw.integers(1 << 32)), existing(maze)
    parts = n_components(maze, exists)
    same(meiro.rotate(meiro.rotate(maze, 3)), maze, "four quarter turns")
    same(meiro.transpose(meiro.transpose(maze)), maze, "transposed twice")
    axis = int(draw.integers(2))
    same(meiro.flip(meiro.flip(maze, axis), axis), maze, "mirrored twice")
    braided = meiro.braid(maze, float(draw.random()), rng=seed)
    assert not (maze.passages & ~braided.passages).any(), "braid closed a passage"
    fuller = meiro.remove_islands(maze, rng=seed)
    same(n_components(fuller, exists), parts, "the regions after remove_islands")
    same(meiro.measure(fuller, ["loops"])["loops"], 0, "the loops after remove_islands")
    joined = meiro.join_regions(maze, rng=seed)
    same(n_components(joined, exists), n_components(lattice_of(maze), exists), "regions after join_regions")
    walls = lattice_of(maze).edges().shape[0] - len(maze.edges())
    n = int(draw.integers(walls + 1))
    same(len(meiro.add_loops(maze, n, rng=seed).edges()), len(maze.edges()) + n, "add_loops")
    filled = meiro.fill_dead_ends(maze)
    assert not (filled.passages & ~maze.passages).any(), "fill_dead_ends opened a passage"
    top, left = int(draw.integers(maze.rows)), int(draw.integers(maze.cols))
    if exists[top:, left:].any():
        part = meiro.crop(maze, (slice(top, None), slice(left, None)))
        same((part.rows, part.cols), (maze.rows - top, maze.cols - left), "the shape of a part")


def exact(draw: np.random.Generator, _: Path) -> None:
    """Check counts, ranks and cellular automata."""
    shape = random_shape(draw, 6)
    count = meiro.number_of_mazes(shape)
    k = int(draw.integers(min(count, 1 << 62)))
    same(meiro.rank(meiro.unrank(k, shape)), k, "rank of unrank")
    assert abs(meiro.log_number_of_mazes(shape) - np.log(float(count))) < 1e-6
    edges = meiro.edge_probabilities(shape)
    assert abs(edges.sum() - (shape[0] * shape[1] - 1)) < 1e-6, "the sum of edge probabilities"
    walls, steps = random_walls(draw, 60), int(draw.integers(1, 6))
    grown = meiro.cellular_automaton(initial=walls, rule="B3/S12345", steps=steps)
    now = walls
    for _step in range(steps):
        padded = np.pad(now, 1)
        near = sum(
            np.roll(padded, (r, c), (0, 1))[1:-1, 1:-1] for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c
        )
        now = ((near == 3) | ((now == 1) & (near >= 1) & (near <= 5))).astype(np.uint8)
    same(grown, now, "a cellular automaton")


def rows(draw: np.random.Generator, _: Path) -> None:
    """Check the stream of Eller's rows against whole mazes, and eller against its trace."""
    cols, n, seed = int(draw.integers(1, 80)), int(draw.integers(2, 40)), int(draw.integers(1 << 32))
    stream = meiro.eller_rows(cols, rng=seed)
    made = np.array([next(stream) for _ in range(n - 1)])
    whole = meiro.generate((n, cols), "eller", rng=seed)
    same(made, whole.passages[:-1], "the rows of eller")
    same(stream.finish(), whole.passages[-1], "its last row")
    right, lower = draw.integers(0, 2, (n, cols - 1)), draw.integers(0, 2, (n, cols))
    same(meiro.eller(right, lower), meiro.trace_eller(right, lower).result, "eller and its trace")


def pictures(draw: np.random.Generator, folder: Path) -> None:
    """Draw: films of a trace, HTML of everything, a page."""
    found = meiro.trace(random_shape(draw, 12), str(draw.choice(list(ALGORITHMS))), rng=1)
    film = meiro.animate(found, size=60, max_frames=10)
    same(len(film), len([*film]), "frames of a film")
    film.save(folder / "film.gif")
    maze = random_maze(draw, 30)
    for thing in (maze, found, meiro.generate_many((3, 3), n=3)):
        assert "<" in thing._repr_html_()


OPERATIONS: dict[str, Callable[[np.random.Generator, Path], None]] = {
    operation.__name__: operation
    for operation in (
        *(generate, generate, generate, trace, solve, solve, measure, batch, survey, files, transforms),
        *(exact, rows, pictures),
    )
}
WEIGHTS = {"generate": 3, "solve": 3, "pictures": 1}


def memory() -> float:
    """Return the resident memory in kB, after everything that is free was given back."""
    gc.collect()
    if hasattr(ctypes.CDLL(None), "malloc_trim"):
        ctypes.CDLL(None).malloc_trim(0)
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS"):
            return float(line.split()[1])
    return 0.0


def slope_of(looks: list[tuple[int, float]]) -> tuple[float, float]:
    """Return the slope of memory in kB per 1000 operations, and its standard error."""
    x, y = np.array(looks).T
    x = x / 1000
    x -= x.mean()
    slope = (x @ y) / (x @ x)
    rest = y - y.mean() - slope * x
    return float(slope), float(np.sqrt(rest @ rest / max(len(x) - 2, 1) / (x @ x)))


def attempt(seed: int, number: int, folder: Path) -> tuple[str, str]:
    """Make attempt `number` and return its operation, and what went wrong or nothing."""
    draw = np.random.default_rng([seed, number])
    names = [name for name in OPERATIONS for _ in range(WEIGHTS.get(name, 2))]
    name = names[draw.integers(len(names))]
    try:
        OPERATIONS[name](draw, folder)
    except AssertionError as error:
        return name, f"wrong answer: {error}"[:400]
    except Exception as error:  # noqa: BLE001  # whatever it is, it is a finding
        lines = [f"{Path(f.filename).name}:{f.lineno}" for f in traceback.extract_tb(error.__traceback__)]
        return name, f"undocumented exception: {error!r} at {' '.join(lines[-4:])}"[:400]
    return name, ""


class Soak:
    """Attempts with their counts; `after_each` is called after each of them (a test plants a leak there)."""

    def __init__(self, campaign: Campaign, folder: Path, after_each: Callable[[], object]) -> None:
        self.campaign, self.folder, self.after_each = campaign, folder, after_each
        self.tried: dict[str, int] = {}

    def attempt(self, number: int) -> None:
        """Make attempt `number`."""
        campaign = self.campaign
        campaign.attempt(f"python tests/faults/soak.py {campaign.seed} {number}")
        operation, wrong = attempt(campaign.seed, number, self.folder)
        self.tried[operation] = self.tried.get(operation, 0) + 1
        if wrong:
            kind, _, what = wrong.partition(": ")
            campaign.found(kind, f"soak.py {campaign.seed} {number} ({operation}): {what}")
        self.after_each()

    def explore(self, seconds: float) -> None:
        """Make new attempts for a while."""
        end = self.campaign.time_left() - seconds
        number = 0
        while self.campaign.time_left() > end:
            self.attempt(number)
            number += 1

    def repeat(self) -> list[tuple[int, float]]:
        """Make the first attempts again and again; return the attempts so far and the memory, each time."""
        looks: list[tuple[int, float]] = []
        left = self.campaign.time_left()
        n = max(1, int(self.campaign.tried / max(self.campaign.seconds - left, 0.1) * left / PASSES))
        while self.campaign.time_left() > 0 or len(looks) < LOOKS:
            for number in range(n):
                self.attempt(number)
            looks.append((self.campaign.tried, memory()))
        return looks[len(looks) // 3 :]


def run(campaign: Campaign, after_each: Callable[[], object] = lambda: None) -> None:
    """Make new attempts for three quarters of the time, then the same few ones, whose memory is constant."""
    with tempfile.TemporaryDirectory() as name:
        soak = Soak(campaign, Path(name), after_each)
        warm = memory()
        soak.explore(campaign.seconds * (1 - REPEATED))
        explored = memory()
        looks = soak.repeat()
    campaign.note("operations", soak.tried)
    campaign.note("resident memory", f"{warm / 1024:.0f} MB at first, {explored / 1024:.0f} MB at the end")
    if len(looks) >= 3:
        slope, error = slope_of(looks)
        campaign.note("slope of memory", f"{slope:.1f} +- {error:.1f} kB per 1000 repeated operations")
        if slope - 3 * error > MOST_SLOPE and looks[-1][1] - looks[0][1] > LEAST_GROWTH:
            campaign.found("wrong answer", f"memory grows by {slope:.0f} kB per 1000 operations")


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    with tempfile.TemporaryDirectory() as where:
        print(*attempt(int(sys.argv[1]), int(sys.argv[2]), Path(where)))
