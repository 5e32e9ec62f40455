"""The table of operations that take long on a large input, for the campaign `interrupts`.

A row has a name, which begins with the public callable that it calls, as in `valid_calls`; the side ``n`` of
its input; how the input ``x`` is made; and the call. With `SMALL` in place of the side it takes a moment, and
its result is compared with that of the same call before. What has no row is quick on the largest input that
fits in memory, or does its work in a call that has one.
"""

from __future__ import annotations

import io
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from operations import large_inputs

import meiro
from meiro import ALGORITHMS, SOLVERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SMALL = 10
FOLDER = Path(tempfile.gettempdir())  # the campaign has one of its own


class Operation(NamedTuple):
    """A public operation that takes long: its name, the side of its input, and what prepares a call."""

    name: str
    side: int
    build: Callable[[int], Callable[[], object]]
    waits: bool = False  # for other threads or processes: the time of the wall is judged, not that of the CPU
    numpy: bool = False  # works alone, for a part of the time


NUMPY = {
    "Maze.__array__", "Maze.__hash__", "Maze.from_edges list", "Maze.from_grid list", "Maze.to_svg",
    "Maze.to_svg path", "Maze.to_text path block", "Maze.to_text path unicode", "MazeBatch.__add__",
    "MazeBatch.save .zanj", "MazeBatch.unique", "MazeEnv.render", "Solution.mask", "brightness",
    "cells_to_grid list", "distances transposed", "grid_to_cells", "io.read_occupancy_grid",
    "io.save_occupancy_grid", "read .map", "save .map",
}  # fmt: skip
WAITS = {"Animation.save .mp4", "MazeBatch.open .zarr", "MazeBatch.save .zarr", "Shards.__getitem__"}
WAITS |= {"io.write_shards", "survey threads"}
TASKS = [((0, 0), (0, i % 10)) for i in range(200_000)]

OPERATIONS: dict[str, Operation] = {}


def add(name: str, side: int, given: str, call: str, a: str) -> None:
    """Add a row; the texts are evaluated with its names, the first when the call is prepared."""
    assert name not in OPERATIONS, name

    def build(n: int) -> Callable[[], object]:
        names = vars(large_inputs) | globals() | {"a": a, "n": n}
        x = eval(given, names) if given else None  # noqa: S307  # our own, as the next
        return partial(eval, compile(call, name, "eval"), names | {"x": x})

    OPERATIONS[name] = Operation(name, side, build, name in WAITS, name in NUMPY)


def consumed(items: Iterator[object], n: int) -> object:
    """Return the last of `n` items."""
    item = None
    for item, _ in zip(items, range(n), strict=False):  # noqa: B007
        pass
    return item


def saved(name: str, write: Callable[[Path], object]) -> Path:
    """Return a file that is written once."""
    path = FOLDER / "input" / name
    path.parent.mkdir(exist_ok=True)
    if not path.exists():
        write(path)
    return path


def _drawn(solver: str) -> dict[str, Any]:
    return {"rng": 1} if SOLVERS[solver].random else {}


def _survey_on_threads(n: int) -> meiro.Table:
    with ThreadPoolExecutor(2) as workers:
        return meiro.survey((16, 16), "wilson", n * n, rng=1, executor=workers)


def _survey_out(n: int) -> meiro.Table:
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        return meiro.survey((16, 16), "wilson", n * n, rng=1, by="maze", out=Path(folder, "survey"))


def _frames(trace: meiro.Trace) -> int:
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        return len(meiro.animate(trace, max_frames=100).save_frames(Path(folder, "{:04}.png")))


def _shown(animation: meiro.Animation) -> None:
    import matplotlib.pyplot as plt

    film = animation.to_matplotlib()
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:  # matplotlib leaves half a file
        film.save(Path(folder, "film.gif"), writer="pillow")
    plt.close("all")


def _drawn_figure(draw: Callable[[], object], dpi: int = 100) -> None:
    import matplotlib.pyplot as plt

    try:
        draw()
        plt.gcf().savefig(io.BytesIO(), dpi=dpi)
    finally:
        plt.close("all")


def shards_of(n: int) -> meiro.io.Shards:
    """Return a folder of one shard."""
    samples = meiro.datasets.supervised((20, 20), n=n * n, batch_size=n * n, rng=1)
    return meiro.io.read_shards(saved(f"shards{n}", partial(meiro.io.write_shards, samples)))


def _step(env: Any, action: object) -> object:
    return env.reset(seed=1), env.step(action)


# A name, a side, what is given and what is called; and the words that stand for `a`, an operation each. What
# is indented continues the line before.
ROWS = """
solve centre | 1500 | marked_photograph_of(n) | meiro.solve(x, centre=True)
solve order | 4000 | maze_of(n) | meiro.solve(x, visit_order=True)
distances | 4000 | maze_of(n) | meiro.distances(x, (0, 0))
solvers.solve_by_bands | 4000 | maze_of(n) | meiro.solvers.solve_by_bands(x)
solvers.distances_by_bands | 4000 | maze_of(n) | meiro.solvers.distances_by_bands(x)
distances room | 5000 | room_of(n) | meiro.distances(x, (0, 0))
distances room threads | 5000 | room_of(n) | meiro.distances(x, (n // 2, n // 2), threads=3)
distances transposed | 5000 | room_of(n) | meiro.distances(x.T, (0, 0))
distances weights | 1500 | room_of(n) | meiro.distances(x, (0, 0), weights=weights(len(x)), moves=8)
bottlenecks | 4000 | maze_of(n) | meiro.bottlenecks(x)
bottlenecks room | 3000 | room_of(n) | meiro.bottlenecks(x, (0, 0), (len(x) - 1, len(x) - 1))
policy | 4000 | maze_of(n) | meiro.policy(x, (0, 0))
locks | 4000 | maze_of(n) | meiro.locks(x, 1, rng=1)
policy moves | 3000 | room_of(n) | meiro.policy(x, (0, 0), moves=8)
shortest_paths | 4000 | maze_of(n) | meiro.shortest_paths(x)
shortest_paths room | 700 | room_of(n) | meiro.shortest_paths(x, (0, 0), (len(x) - 1, len(x) - 1)).mask
longest_path | 4000 | maze_of(n) | meiro.longest_path(x)
longest_path room | 1500 | noise(n) | meiro.longest_path(x)
longest_path exact | 200 | noise(n) | meiro.longest_path(x, exact=True)
components | 5000 | maze_of(n) | meiro.components(x)
components room | 6000 | noise(n) | meiro.components(x)
check | 4000 | maze_of(n) | meiro.check(x)
check room | 6000 | noise(n) | meiro.check(x)
CheckReport.road_labels | 5000 | noise(n) | meiro.check(x).road_labels
CheckReport.wall_labels | 5000 | noise(n) | meiro.check(x).wall_labels
CheckReport.__hash__ | 4000 | noise(n) | hash(meiro.check(x))
CheckReport.__eq__ | 4000 | noise(n) | meiro.check(x) == meiro.check(x.copy())
measure | 3000 | maze_of(n) | meiro.measure(x)
measure room | 3001 | maze_of(n // 2).grid | meiro.measure(x)
measure batch | 220 | batch_of(n * n) | meiro.measure(x, threads=2)
position_map maze | 3000 | maze_of(n) | meiro.position_map(x, 'dead_ends')
position_map | 350 | batch_of(n * n) | meiro.position_map(x, 'dead_ends')
solve_many | 300 | batch_of(n * n) | meiro.solve_many(x)
solve_many paths | 200 | batch_of(n * n) | meiro.solve_many(x, paths=True, threads=2)
solve_many list | 100 | batch_of(n * n) | meiro.solve_many(list(x))
Solution.path_chunks | 3000 | solution_of(n) | [len(c) for c in x.path_chunks()]
Solution.__hash__ | 3000 | solution_of(n) | hash(x)
Solution.searched | 3000 | solution_of(n) | x.searched()
Solution._repr_html_ | 3000 | solution_of(n) | x._repr_html_()
Maze | 6000 | maze_of(n) | meiro.Maze(x.passages)
Maze.from_passages | 6000 | maze_of(n) | meiro.Maze.from_passages(x.passages)
Maze.from_edges | 1500 | maze_of(n).edges() | meiro.Maze.from_edges((n, n), x)
Maze.from_wall_ids | 3000 | maze_of(n).wall_ids() | meiro.Maze.from_wall_ids((n, n), x)
Maze.from_grid | 4000 | maze_of(n).grid | meiro.Maze.from_grid(x)
Maze.from_networkx | 200 | maze_of(n).to_networkx() | meiro.Maze.from_networkx(x)
Maze.from_sparse | 700 | maze_of(n).to_sparse() | meiro.Maze.from_sparse((n, n), x)
positions | 400 | maze_of(n) | len(meiro.positions(x))
Maze.to_text labels | 700 | maze_of(n) | x.to_text(labels=meiro.distances(x, (0, 0)))
Maze.__str__ | 2000 | maze_of(n) | str(x)
Maze.from_image | 4000 | (1 - maze_of(n).grid) * 255 | meiro.Maze.from_image(x)
Maze.from_grid list | 2000 | maze_of(n // 2).grid.tolist() | meiro.Maze.from_grid(x)
Maze.from_edges list | 1000 | maze_of(n).edges().tolist() | meiro.Maze.from_edges((n, n), x)
Maze.to_grid | 9000 | maze_of(n) | x.to_grid()
Maze.rooms | 700 | meiro.generate((n, n), 'rooms', rng=1) | len(x.rooms())
Maze.to_grid posts | 9000 | maze_of(n) | x.to_grid(posts=False)
Maze.to_grid thick | 4000 | maze_of(n) | x.to_grid(corridor=3, wall=2)
Maze.to_grid dtype | 4000 | maze_of(n) | x.to_grid(dtype=np.float64, road=5)
Maze.grid | 9000 | maze_of(n) | x.grid
Maze.is_perfect | 4000 | maze_of(n) | meiro.Maze(x.passages).is_perfect
Maze.edges | 4000 | maze_of(n) | x.edges()
Maze.wall_ids | 6000 | maze_of(n) | x.wall_ids()
Maze.solve | 3000 | maze_of(n) | x.solve()
Maze.plot | 1000 | maze_of(n) | _drawn_figure(x.plot)
Maze.to_dot | 1000 | maze_of(n) | x.to_dot()
Maze.to_svg | 2000 | maze_of(n) | x.to_svg()
Maze.to_svg path | 2000 | maze_of(n) | x.to_svg(solution=meiro.solve(x))
Maze.to_svg page | 1500 | maze_of(n) | x.to_svg(page=(4000, 4000), title='x')
Maze.to_networkx | 400 | maze_of(n) | len(x.to_networkx())
Maze.to_sparse | 3000 | maze_of(n) | x.to_sparse().nnz
Maze.__hash__ | 9000 | maze_of(n) | hash(meiro.Maze(x.passages))
Maze.__eq__ | 9000 | maze_of(n) | x == meiro.Maze(x.passages.copy())
Maze.__array__ | 4000 | maze_of(n) | np.asarray(x, np.float32)
Maze._repr_html_ | 4000 | maze_of(n) | x._repr_html_()
wall_ids | 3000 | maze_of(n).edges() | meiro.wall_ids((n, n), x)
wall_cells | 3000 | maze_of(n).wall_ids() | meiro.wall_cells((n, n), x)
wall_cells range | 2500 | | meiro.wall_cells((n, n), range(2 * n * (n - 1)))
cells_to_grid list | 1000 | solution_of(n).path.tolist() | meiro.cells_to_grid(x)
cells_to_grid | 3000 | solution_of(n).path | meiro.cells_to_grid(x)
grid_to_cells | 3000 | meiro.cells_to_grid(solution_of(n).path) | meiro.grid_to_cells(x)
braid | 6000 | maze_of(n, 'kruskal') | meiro.braid(x, rng=1)
add_loops | 4000 | maze_of(n) | meiro.add_loops(x, share=0.5, rng=1)
fill_dead_ends | 4000 | maze_of(n, 'kruskal') | meiro.fill_dead_ends(x)
sparsify | 4000 | maze_of(n, 'kruskal') | meiro.sparsify(x, 30)
unicursal | 3000 | maze_of(n) | meiro.unicursal(x)
symmetric | 4000 | maze_of(n) | meiro.symmetric(x, rng=1)
join_regions | 4000 | maze_of(n, 'percolation') | meiro.join_regions(x, rng=1)
remove_islands | 4000 | maze_of(n, 'percolation') | meiro.remove_islands(x, rng=1)
origin_shift | 2000 | maze_of(n) | meiro.origin_shift(x, 10**7, rng=1)
perturb | 2000 | maze_of(n) | meiro.perturb(x, 1000, rng=1)
rotate | 7000 | maze_of(n) | meiro.rotate(x)
flip | 9000 | maze_of(n) | meiro.flip(x)
transpose | 7000 | maze_of(n) | meiro.transpose(x)
crop | 9000 | maze_of(n) | meiro.crop(x, (slice(1, -1), slice(1, -1)))
stitch | 3000 | maze_of(n) | meiro.stitch([[x, x], [x, x]], rng=1)
with_openings | 4000 | maze_of(n) | meiro.with_openings(x, 'farthest')
with_openings random | 4000 | maze_of(n) | meiro.with_openings(x, 'random', rng=1)
with_passages | 4000 | maze_of(n) | meiro.with_passages(x, open=[((0, 0), "east")])
with_ends | 4000 | maze_of(n) | meiro.with_ends(x, 'farthest')
with_ends random | 4000 | maze_of(n) | meiro.with_ends(x, 'random', rng=1)
MazeBatch.__getitem__ mask | 700 | batch_of(n * n) | x[np.arange(len(x)) % 2 == 0]
MazeBatch.__eq__ | 900 | batch_of(n * n) | x == x[:]
MazeBatch.__iter__ | 250 | batch_of(n * n) | sum((1 for _ in x))
MazeBatch.grids | 600 | batch_of(n * n) | x.grids
MazeBatch.replicates | 2000 | batch_of(n * n) | x.replicates.sum()
MazeBatch.masks | 150 | meiro.generate_many((30, 30), 'rooms', n * n, rng=1) | x.masks
MazeBatch | 100 | batch_of(n * n) | meiro.MazeBatch(list(x))
MazeBatch.from_passages | 600 | batch_of(n * n) | meiro.MazeBatch.from_passages(x.passages)
MazeBatch.__array__ | 600 | batch_of(n * n) | np.asarray(x)
MazeBatch.__add__ | 600 | batch_of(n * n) | x + x
MazeBatch.to_xarray | 700 | batch_of(n * n) | x.to_xarray().sizes
MazeBatch.from_xarray | 500 | batch_of(n * n).to_xarray() | meiro.MazeBatch.from_xarray(x)
add_loops batch | 300 | batch_of(n * n) | meiro.add_loops(x, share=0.2, rng=1)
distances batch | 300 | batch_of(n * n) | meiro.distances(x, (0, 0))
policy batch | 300 | batch_of(n * n) | meiro.policy(x, (0, 0))
SolutionBatch.masks | 300 | batch_of(n * n) | meiro.solve_many(x, paths=True).masks
SolutionBatch.grid_paths | 300 | batch_of(n * n) | meiro.solve_many(x, paths=True).grid_paths
MazeBatch.measure | 220 | batch_of(n * n) | x.measure(threads=2)
MazeBatch.solve | 300 | batch_of(n * n) | x.solve()
MazeBatch.unique | 500 | batch_of(n * n) | x.unique()
MazeBatch.unique symmetries | 500 | batch_of(n * n) | x.unique(symmetries=True)
MazeBatch.filter | 200 | batch_of(n * n) | x.filter(lambda m: m.passages[0, 0] == 2)
MazeBatch.filter array | 700 | batch_of(n * n) | x.filter(np.arange(len(x)) % 2 == 0)
MazeBatch._repr_html_ | 700 | batch_of(n * n) | x._repr_html_()
split | 400 | batch_of(n * n) | meiro.split(x)
split symmetries | 400 | batch_of(n * n) | meiro.split(x, parts=(0.5, 0.5), symmetries=True)
datasets.leaks | 200 | batch_of(n * n) | meiro.datasets.leaks(x, x)
datasets.supervised | 100 | | meiro.datasets.supervised((20, 20), 'wilson', n * n, target='policy', rng=1)
datasets.vocabulary | 1000 | | meiro.datasets.vocabulary((n, n))
datasets.partial_mazes | 300 | | meiro.datasets.partial_mazes((20, 20), n * n, depth=30, rng=1)
endpoints min_length | 150 | batch_of(n * n) | meiro.endpoints(x, 'dead_ends', min_length=100, rng=1)
GraphMaze.save | 200 | graph_maze_of(n) | x.save(FOLDER / 'output.svg')
save .pdf | 400 | maze_of(n) | meiro.save(x, FOLDER / 'output.pdf', page='fit', mm=2)
io.puzzle_book | 20 | batch_of(n * n) | meiro.io.puzzle_book(FOLDER / 'output.pdf', x[:100], per_page=4)
Maze.save | 2500 | maze_of(n) | x.save(FOLDER / 'output.png', solution=meiro.solve(x), scale=2)
save .png solution | 4000 | maze_of(n) | x.save(FOLDER / 'output.png', solution=meiro.solve(x))
save .csv array | 5000 | room_of(n) | meiro.save(x, FOLDER / 'output.csv')
from_image | 4000 | colours(n) | meiro.from_image(x, threshold=0.5)
read .png scale | 600 | saved(f'x{n}.png', lambda p: maze_of(n).save(p, scale=8)) | meiro.read(x)
brightness | 4000 | colours(n) | meiro.brightness(x)
brightness shape | 4000 | colours(n) | meiro.brightness(x, (len(x) // 3, len(x) // 3))
mask_from_image | 4000 | colours(n) | meiro.mask_from_image(x, (len(x) // 3, len(x) // 3), threshold=0.5)
io.to_maze_dataset rng | 600 | maze_of(n) | meiro.io.to_maze_dataset(x, 'tokens', rng=1)
io.to_mazelib | 4000 | maze_of(n) | meiro.io.to_mazelib(x)
io.from_mazelib | 3000 | meiro.io.to_mazelib(maze_of(n)) | meiro.io.from_mazelib(x)
io.to_labmaze | 1500 | maze_of(n) | meiro.io.to_labmaze(x)
io.from_labmaze | 1500 | meiro.io.to_labmaze(maze_of(n)) | meiro.io.from_labmaze(x)
io.save_occupancy_grid | 4000 | maze_of(n) | meiro.io.save_occupancy_grid(x, FOLDER / 'output.yaml')
io.save_mesh graph | 60 | graph_maze_of(n) | meiro.io.save_mesh(x, FOLDER / 'output.stl')
eller | 4000 | (noise(n)[:, 1:], noise(n)) | meiro.eller(x[0], x[1])
trace_eller | 700 | (noise(n)[:, 1:], noise(n)) | meiro.trace_eller(x[0], x[1], max_events=10**8)
EndlessMaze.chunk | 900 | | meiro.generators.endless('kruskal', rng=1).chunk(-1, 0, size=n)
EndlessMaze.solve | 1000 | | meiro.generators.endless('percolation', rng=1, p=0.6).solve((0, 0), (n, -n))
generators.stream kruskal | 3000 | | meiro.generators.stream('kruskal', n, rows=n, rng=1).rows(n)
EndlessKruskalRows.__next__ | 9000 | | next(meiro.generators.stream('kruskal', n, rng=1))
EndlessKruskalRows.finish | 20000 | | meiro.generators.stream('kruskal', n, rng=1).finish()
KruskalRows.__next__ | 1500 | | next(meiro.generators.stream('kruskal', n * n, rows=2, rng=1))
KruskalRows.finish | 3000 | | meiro.generators.stream('kruskal', n * n, rows=1, rng=1).finish()
generators.stream sidewinder | 9000 | | meiro.generators.stream('sidewinder', n, rng=1).rows(n)
RowStream.__next__ | 9000 | | next(meiro.generators.stream('sidewinder', n * n, rng=1))
RowStream.finish | 9000 | | meiro.generators.stream('sidewinder', n * n, rng=1).finish()
measure stream | 12000 | | meiro.measure(meiro.generators.stream('binary_tree', n, rng=1), rows=n)
eller_rows rows | 5000 | | meiro.eller_rows(n, rng=1).rows(n)
io.pyramid | 1500 | | meiro.io.pyramid(meiro.generators.stream('eller', n, rng=1), FOLDER / 'tiles', rows=n)
eller_rows | 7000 | | consumed(meiro.eller_rows(n * n, rng=1), 1)
EllerRows.__next__ | 5000 | | consumed(meiro.eller_rows(n * n, rng=1), 2)
EllerRows.finish | 5000 | | meiro.eller_rows(n * n, rng=1).finish()
cellular_automaton | 1500 | | meiro.cellular_automaton((n, n), rng=1, p=0.4)
cellular_automaton one step | 9000 | | meiro.cellular_automaton((n, n), rng=1, p=0.4, steps=1)
cellular_automaton torus | 1500 | | meiro.cellular_automaton((n, n), rng=1, wrap=(True, True))
number_of_mazes | 300 | | meiro.number_of_mazes((n, n))
number_of_mazes masked | 60 | holes(n) | meiro.number_of_mazes(mask=x)
log_number_of_mazes masked | 150 | holes(n) | meiro.log_number_of_mazes(mask=x)
edge_probabilities | 1200 | | meiro.edge_probabilities((n, n))
edge_probabilities masked | 120 | holes(n) | meiro.edge_probabilities(mask=x)
edge_probabilities masked torus | 200 | holes(n) | meiro.edge_probabilities(mask=x, wrap=(True, True))
expected_counts | 25 | | meiro.expected_counts((n, n))
enumerate_mazes | 200 | | consumed(meiro.enumerate_mazes((4, 4)), n * 500)
rank | 22 | meiro.generate((n, n), rng=1) | meiro.rank(x)
unrank | 22 | meiro.number_of_mazes((n, n)) // 3 | meiro.unrank(x, (n, n))
sampler_test | 1000 | | meiro.sampler_test('kruskal', 'uniform', (3, 3), n=max(n, 200) ** 2, rng=1)
compare | 200 | batch_of(n * n) | meiro.compare(x, x, ['turns', 'dead_ends'], n_resamples=999, rng=1)
survey | 200 | | meiro.survey((16, 16), ['wilson', 'kruskal'], n * n // 2, rng=1, threads=2)
survey maze | 200 | | meiro.survey((16, 16), 'wilson', n * n, rng=1, by='maze')
survey out | 200 | | _survey_out(n)
Table | 1500 | {k: v.tolist() for k, v in dict(table_of(n * n)).items()} | meiro.Table(x)
Table.describe | 1000 | table_of(n * n) | x.describe()
Table.to_csv | 700 | table_of(n * n) | x.to_csv(FOLDER / 'output.csv')
Table.to_pandas | 1000 | table_of(n * n) | len(x.to_pandas())
Table.to_parquet | 700 | table_of(n * n) | x.to_parquet(FOLDER / 'output.parquet')
Table.__getitem__ mask | 2500 | table_of(n * n) | x[x['x'] > 0.5]
Table.__eq__ | 1500 | table_of(n * n) | x == meiro.Table({k: x[k].copy() for k in x})
Table.__array__ | 1000 | table_of(n * n) | np.asarray(x)
Table.sort | 700 | table_of(n * n) | len(x.sort('x'))
Table.hist | 1000 | table_of(n * n) | _drawn_figure(lambda: x.hist('x'))
Table.plot | 200 | table_of(n * n) | _drawn_figure(lambda: x.plot('i', 'x'))
Trace.__getitem__ | 700 | trace_of(n) | x[len(x) // 2]
Trace.__getitem__ many | 200 | trace_of(n) | [f.note for f in x[::max(1, len(x) // 3000)]]
Trace.__getitem__ labels | 700 | trace_of(n, solve=True) | x[-1].labels
Trace.__add__ | 700 | trace_of(n, solve=True) | x + x
Trace.events | 2500 | trace_of(n) | x.events
Trace.last_events | 700 | trace_of(n) | x.last_events(np.arange(len(x)))
Trace.position | 700 | trace_of(n) | x.position(len(x) // 2)
Trace._repr_html_ | 700 | trace_of(n) | x._repr_html_()
Frame.grid | 1500 | trace_of(n) | x[-1].grid
Frame.maze | 1500 | trace_of(n) | x[-1].maze()
Frame.__str__ | 700 | trace_of(n) | len(str(x[-1]))
Frame._repr_html_ | 700 | trace_of(n) | x[-1]._repr_html_()
animate | 300 | trace_of(n) | meiro.animate(x)
Animation.__getitem__ | 300 | trace_of(n) | [p.sum() for p in meiro.animate(x)[::3]]
Animation.__iter__ | 300 | trace_of(n) | sum((1 for _ in meiro.animate(x, max_frames=100)))
Animation.save_frames | 300 | trace_of(n) | _frames(x)
Animation.to_matplotlib | 60 | trace_of(n) | _shown(meiro.animate(x, max_frames=8))
Animation._repr_html_ | 200 | trace_of(n) | len(meiro.animate(x)._repr_html_())
plot | 2000 | maze_of(n) | _drawn_figure(lambda: meiro.plot(x))
plot solution | 2000 | maze_of(n) | _drawn_figure(lambda: meiro.plot(x, solution=meiro.solve(x)))
plot values | 1000 | maze_of(n) | _drawn_figure(lambda: meiro.plot(x, values=meiro.distances(x, (0, 0))))
plot region | 2000 | maze_of(n) | _drawn_figure(lambda: meiro.plot(x, region=slice(0, 300)))
plot labels | 30 | maze_of(n) | _drawn_figure(lambda: meiro.plot(x, labels=meiro.distances(x, (0, 0))))
plot room | 3000 | noise(n) | _drawn_figure(lambda: meiro.plot(x))
plot_many | 30 | batch_of(n * n) | _drawn_figure(lambda: meiro.plot_many(x, 12))
plot_trace | 300 | trace_of(n) | _drawn_figure(lambda: meiro.plot_trace(x))
player | 200 | trace_of(n) | meiro.player(x).n_frames
Player.save | 200 | trace_of(n) | meiro.player(x).save(FOLDER / 'output.html')
Play.restart | 400 | maze_of(n) | meiro.play(x).restart()
play | 400 | maze_of(n) | meiro.play(x).shortest
Play.save | 400 | maze_of(n) | meiro.play(x).save(FOLDER / 'output.html')
GraphMaze.to_text | 700 | graph_maze_of(n) | len(x.to_text())
GraphMaze.__str__ | 700 | graph_maze_of(n) | len(str(x))
Lattice._repr_html_ | 100 | lattice_of(n) | x._repr_html_()
trace graph | 500 | lattice_of(n) | meiro.trace(x, 'kruskal', rng=1)
trace_solve graph | 500 | graph_maze_of(n) | meiro.trace_solve(x)
GraphFrame.maze | 500 | graph_trace_of(n) | x[-1].maze()
GraphFrame.__str__ | 500 | graph_trace_of(n) | str(x[-1])
GraphFrame._repr_html_ | 140 | graph_trace_of(n) | x[-1]._repr_html_()
animate graph | 140 | graph_trace_of(n) | meiro.animate(x)[-1]
generate_many graph | 200 | lattice_of(16) | meiro.generate_many(x, 'kruskal', n * n, rng=1)
spanning_tree | 1000 | lattice_of(n) | meiro.spanning_tree(x, 'kruskal', rng=1)
number_of_mazes graph | 60 | lattice_of(n) | meiro.number_of_mazes(x)
log_number_of_mazes graph | 300 | lattice_of(n) | meiro.log_number_of_mazes(x)
edge_probabilities graph | 300 | lattice_of(n) | meiro.edge_probabilities(x)
expected_counts graph | 20 | lattice_of(n) | meiro.expected_counts(x)
survey graph means | 90 | lattice_of(n) | meiro.survey(x, 'wilson', 1, rng=1, measures=['dead_ends'])
distances graph | 2000 | graph_maze_of(n) | meiro.distances(x)
distances weights graph room | 1000 | open_maze_of(n) | meiro.distances(x, weights=np.ones(len(x.open)))
bottlenecks graph | 1500 | graph_maze_of(n) | meiro.bottlenecks(x)
policy graph room | 1500 | open_maze_of(n) | meiro.policy(x, 0)
shortest_paths graph room | 500 | open_maze_of(n) | meiro.shortest_paths(x)
all_shortest_paths graph room | 1500 | open_maze_of(n) | consumed(meiro.all_shortest_paths(x), 30)
longest_path graph | 1500 | graph_maze_of(n) | meiro.longest_path(x)
longest_path exact graph room | 150 | open_maze_of(n) | meiro.longest_path(x, exact=True)
components graph | 2000 | graph_maze_of(n) | meiro.components(x)
check graph | 2000 | graph_maze_of(n) | meiro.check(x)
measure graph | 1500 | graph_maze_of(n) | meiro.measure(x)
measure graph room | 1500 | open_maze_of(n) | meiro.measure(x)
braid graph | 1500 | graph_maze_of(n) | meiro.braid(x, rng=1)
add_loops graph | 1500 | graph_maze_of(n) | meiro.add_loops(x, share=0.5, rng=1)
fill_dead_ends graph | 1500 | graph_maze_of(n) | meiro.fill_dead_ends(x)
distances batch graphs | 100 | graph_batch_of(n * n) | meiro.distances(x, threads=2)
policy batch graphs | 100 | graph_batch_of(n * n) | meiro.policy(x, 0)
endpoints random graphs | 80 | graph_batch_of(n * n) | meiro.endpoints(x, rng=1)
endpoints farthest graphs | 80 | graph_batch_of(n * n) | meiro.endpoints(x, 'farthest', threads=2)
solve_many graphs | 100 | graph_batch_of(n * n) | meiro.solve_many(x, paths=True, threads=2)
measure graphs | 100 | graph_batch_of(n * n) | meiro.measure(x, threads=2)
braid graphs | 100 | graph_batch_of(n * n) | meiro.braid(x, rng=1, threads=2)
GraphMaze.to_networkx graph | 200 | graph_maze_of(n) | len(x.to_networkx())
GraphMaze.from_networkx graph | 200 | graph_maze_of(n).to_networkx() | meiro.GraphMaze.from_networkx(x)
GraphMaze.from_sparse graph | 700 | graph_maze_of(n) | meiro.GraphMaze.from_sparse(x.lattice, x.to_sparse())
GraphMaze.from_edges graph | 700 | graph_maze_of(n) | meiro.GraphMaze.from_edges(x.lattice, x.edges())
GraphMaze.to_svg graph | 200 | graph_maze_of(n) | x.to_svg()
GraphMaze.plot graph | 200 | graph_maze_of(n) | x.plot()
GraphMaze.is_perfect graph | 1500 | graph_maze_of(n) | meiro.GraphMaze(x.lattice, x.open).is_perfect
GraphMaze graph | 1500 | graph_maze_of(n) | meiro.GraphMaze(x.lattice, x.open)
GraphMaze.__hash__ graph | 1500 | graph_maze_of(n) | hash(meiro.GraphMaze(x.lattice, x.open))
GraphMaze.__eq__ graph | 1500 | graph_maze_of(n) | x == meiro.GraphMaze(x.lattice, x.open.copy())
GraphBatch.__eq__ graphs | 100 | graph_batch_of(n * n) | x == x[:]
GraphBatch.__iter__ graphs | 50 | graph_batch_of(n * n) | sum((1 for _ in x))
GraphBatch._repr_html_ graphs | 50 | graph_batch_of(n * n) | x._repr_html_()
Lattice | 1000 | lattice_of(n).edges | meiro.Lattice(n * n, x)
Lattice.mask | 1000 | (lattice_of(n), np.arange(n * n) % 3 > 0) | x[0].mask(x[1])
Lattice.degrees | 1000 | lattice_of(n) | x.degrees
Lattice.components | 1000 | lattice_of(n) | x.components
Lattice.cell | 1000 | lattice_of(n) | x.cell(n - 1)
Lattice.__eq__ | 1000 | (lattice_of(n), lattice_of(n)) | x[0] == x[1]
Lattice.__hash__ | 1000 | lattice_of(n) | hash(x)
lattices.from_recipe | 700 | lattice_of(n).recipe | meiro.lattices.from_recipe(x)
lattices.polar | 100 | | meiro.lattices.polar(n)
lattices.box | 40 | | meiro.lattices.box(n, n, n)
lattices.cube | 100 | | meiro.lattices.cube(n)
lattices.voronoi | 60 | | meiro.lattices.voronoi(n=n * n, rng=1)
lattices.from_graph | 200 | lattice_of(n).edges | meiro.lattices.from_graph(x)
lattices.from_polygons | 12 | polygons_of(n) | meiro.lattices.from_polygons(x)
MazeEnv | 1000 | batch_of(n * n) | meiro.gym.MazeEnv(mazes=x) is not None
MazeVectorEnv | 1000 | batch_of(n * n) | meiro.gym.MazeVectorEnv(9, mazes=x) is not None
MazeEnv.reset | 6000 | environment_of(n) | x.reset(seed=1)
MazeVectorEnv.reset | 300 | environments_of(n) | x.reset(seed=1)
MazeEnv.step | 6000 | environment_of(n) | _step(x, 0)
MazeVectorEnv.step | 300 | environments_of(n) | _step(x, [0] * n * n)
MazeEnv.maze | 12000 | environment_of(n) | x.maze
MazeVectorEnv.mazes | 200 | environments_of(n) | x.mazes
MazeEnv.render | 1500 | environment_of(n, render_mode='rgb_array').render | x()
MazeVectorEnv.render | 12 | environments_of(n, render_mode='rgb_array').render | x()
solve a_star moves | 2000 | (room_of(n), weights(n))
    | meiro.solve(x[0], (0, 0), (n - 1, n - 1), algorithm='a_star', moves=8, weights=x[1])
solve characters several | 2500 | characters(n) | meiro.solve(x, (0, 0), (n - 1, n - 1), road='.o')
solve characters known | 2500 | characters(n) | meiro.solve(x, (0, 0), (n - 1, n - 1))
solvers.solve_by_bands stream | 4000 |
    | meiro.solvers.solve_by_bands(meiro.generators.stream('eller', n, rng=1), rows=n)
all_shortest_paths | 3000 | room_of(n)
    | consumed(meiro.all_shortest_paths(x, (0, 0), (len(x) - 1, len(x) - 1)), 30)
Solution.{a} | 3000 | solution_of(n) | getattr(x, a) | path grid_path walk cells mask explored
Solution.__eq__ | 3000 | (solution_of(n), meiro.solve(maze_of(n, 'serpentine'), algorithm='wall_follower'))
    | x[0] == x[1]
Solution.save | 2000 | (meiro.solve(marked_photograph_of(n), centre=True), photograph_of(n))
    | x[0].save(FOLDER / 'output.png', picture=x[1])
generate {a} weights | 3000 | wall_weights(n) | meiro.generate((n, n), a, rng=1, weights=x) | wilson kruskal
Maze masked | 4000 | meiro.generate(mask=holes(n), algorithm='kruskal', rng=1)
    | meiro.Maze(x.passages, x.mask)
Maze.from_grid thick | 2000 | maze_of(n).to_grid(corridor=3, wall=2)
    | meiro.Maze.from_grid(x, corridor=3, wall=2)
Maze.from_text {a} | 1500 | maze_of(n).to_text(a) | meiro.Maze.from_text(x) | unicode ascii block posts
Maze.to_text {a} | 2000 | maze_of(n) | x.to_text(a) | unicode ascii block posts
Maze.to_text path {a} | 1500 | (maze_of(n, 'serpentine'), solution_of(n)) | x[0].to_text(a, solution=x[1])
    | unicode block
origin_shift batch | 300 | batch_of(n * n) | meiro.origin_shift(x, 10, rng=1, threads=2)
perturb batch | 300 | batch_of(n * n) | meiro.perturb(x, 10, rng=1, threads=2)
{a} batch | 300 | batch_of(n * n) | getattr(meiro, a)(x, rng=1, threads=2) | braid join_regions remove_islands
{a} batch | 300 | batch_of(n * n) | getattr(meiro, a)(x) | sparsify fill_dead_ends rotate flip transpose check
with_ends batch {a} | 300 | batch_of(n * n) | meiro.with_ends(x, a, rng=1) | random farthest
with_openings batch {a} | 300 | batch_of(n * n) | meiro.with_openings(x, a, rng=1) | random farthest
endpoints {a} | 300 | batch_of(n * n) | meiro.endpoints(x, a, rng=1) | random dead_ends farthest corners
MazeBatch.save {a} | 500 | batch_of(n * n) | x.save(FOLDER / f'output{a}') | .npz .zarr .zanj
MazeBatch.open {a} | 700 | saved(f'many{n}{a}', batch_of(n * n).save) | meiro.MazeBatch.open(x)
    | .npz .zarr .zanj
save {a} | 4000 | maze_of(n) | meiro.save(x, FOLDER / f'output{a}') | .png .csv .map .npz
save {a} | 9000 | maze_of(n) | meiro.save(x, FOLDER / f'output{a}') | .npy
save {a} | 2000 | maze_of(n) | meiro.save(x, FOLDER / f'output{a}') | .svg .txt
save {a} | 1500 | maze_of(n) | meiro.save(x, FOLDER / f'output{a}') | .geojson .wkt .dxf
save {a} | 1000 | maze_of(n) | meiro.save(x, FOLDER / f'output{a}') | .dot
save stream {a} | 3000 |
    | meiro.save(meiro.generators.stream('eller', n, rng=1), FOLDER / f'output{a}', rows=n)
    | .png .npy .csv .zarr
read {a} | 4000 | saved(f'maze{n}{a}', maze_of(n).save) | meiro.read(x) | .png .csv .map .npz
read {a} | 9000 | saved(f'maze{n}{a}', maze_of(n).save) | meiro.read(x) | .npy
read {a} | 2000 | saved(f'maze{n}{a}', maze_of(n).save) | meiro.read(x) | .txt
read {a} | 2500 | saved(f'picture{n}{a}', picture_of(n).save) | meiro.read(x)
    | .gif .bmp .tif .pgm .jpg .webp
from_image local | 4000 | photograph_of(max(n, 64)) | meiro.from_image(x, threshold='local')
from_image colours | 4000 | photograph_of(max(n, 64)) | meiro.from_image(x, start='red', goal='#00ff00')
from_image speckles | 4000 | photograph_of(max(n, 64)) | meiro.from_image(x, speckles=9)
from_image deskew | 4000 | photograph_of(max(n, 64)) | meiro.from_image(x, deskew=True)
mask_from_text | 4000 | '\\n'.join((''.join(('.#'[x] for x in row)) for row in noise(n).tolist()))
    | meiro.mask_from_text(x)
OccupancyGrid.metres | 2000
    | meiro.io.OccupancyGrid(np.zeros((2, 2), np.uint8), np.zeros((2, 2), np.bool_), 0.5, (0, 0, 1))
    | x.metres(np.zeros((n * n, 2), np.int64))
io.read_occupancy_grid | 4000 | saved(f'map{n}.yaml', partial(meiro.io.save_occupancy_grid, maze_of(n)))
    | meiro.io.read_occupancy_grid(x)
io.write_shards | 300 | meiro.datasets.supervised((20, 20), n=n * n // 10, batch_size=1000, rng=1)
    | meiro.io.write_shards(x, tempfile.mkdtemp(dir=FOLDER))
Shards.__getitem__ | 100 | shards_of(n) | x[0]
io.to_maze_dataset {a} | 600 | maze_of(n) | meiro.io.to_maze_dataset(x, a) | tokens
io.to_maze_dataset {a} | 2500 | maze_of(n) | meiro.io.to_maze_dataset(x, a) | connections pixels ascii
io.from_maze_dataset {a} | 600 | meiro.io.to_maze_dataset(maze_of(n), a) | meiro.io.from_maze_dataset(x)
    | tokens
io.from_maze_dataset {a} | 2500 | meiro.io.to_maze_dataset(maze_of(n), a) | meiro.io.from_maze_dataset(x)
    | connections pixels ascii
io.save_scenarios | 2000 | maze_of(n)
    | meiro.io.save_scenarios(x, [((0, 0), (n - 1, n - 1))], FOLDER / 'output.scen')
io.read_scenarios | 40 | saved(f'tasks{n}.scen', partial(meiro.io.save_scenarios, maze_of(n), TASKS))
    | meiro.io.read_scenarios(x)
io.save_mesh {a} | 700 | maze_of(n) | meiro.io.save_mesh(x, FOLDER / f'output{a}') | .stl .obj .glb .gltf
io.save_tiled {a} | 700 | maze_of(n) | meiro.io.save_tiled(x, FOLDER / f'output{a}') | .tmx .tmj
io.read_tiled {a} | 700 | saved(f'tiled{n}{a}', partial(meiro.io.save_tiled, maze_of(n)))
    | meiro.io.read_tiled(x) | .tmx .tmj
datasets.by_measure | 100 |
    | meiro.datasets.by_measure((20, 20), 'wilson', 'solution_length', 80, n=10, candidates=n * n, rng=1)
datasets.supervised lattice | 100 | lattice_of(20)
    | meiro.datasets.supervised(x, 'wilson', n * n, target='policy', rng=1)
datasets.supervised tokens | 100 |
    | meiro.datasets.supervised((20, 20), n=n * n, inputs='tokens', target='tokens', rng=1)
SampleBatches.__getitem__ | 100
    | meiro.datasets.supervised((20, 20), n=n * n, target='policy', rng=1, batch_size=n * n) | x[0]
generators.region ({a}) | 10000 | (slice(9, None), slice(n, 2 * n))
    | meiro.generators.region((n + 9, n * n), a, rng=1, rows=x[0], cols=x[1])
    | binary_tree kruskal percolation pole_toppling sidewinder
EndlessMaze.window ({a}) | 900 | meiro.generators.endless(a, rng=1)
    | x.window(slice(0, n), slice(-n, 0)) | kruskal
EndlessMaze.window ({a}) | 8000 | meiro.generators.endless(a, rng=1)
    | x.window(slice(0, n), slice(-n, 0)) | percolation
EndlessMaze.window ({a}) | 5000 | meiro.generators.endless(a, rng=1)
    | x.window(slice(0, n), slice(-n, 0)) | pole_toppling
generators.stream {a} | 9000 | | meiro.generators.stream(a, n, rng=1).rows(n) | eller binary_tree
EllerRows.send_row | 5000 | (np.zeros(n * n - 1, np.uint8), np.zeros(n * n, np.uint8))
    | meiro.eller_rows(n * n, rng=1).send_row(*x)
sampler_test callable | 180 |
    | meiro.sampler_test(lambda rng: meiro.generate((2, 2), rng=rng), shape=(2, 2), n=max(n, 20) ** 2, rng=1)
sampler_test batch | 200 | batch_of(n * n)
    | meiro.sampler_test(meiro.generate_many((3, 3), n=len(x) * 8, rng=1), 'uniform')
survey changed | 200 | {'openings': 'random', 'measures': ['loops', meiro.stats.each(lambda maze: maze.rows)]}
    | meiro.survey((16, 16), 'wilson', n * n, rng=1, transforms=[('braid', {})], **x)
survey threads | 200 | | _survey_on_threads(n)
Animation.save {a} | 200 | trace_of(n) | meiro.animate(x).save(FOLDER / f'output{a}') | .gif .png .webp .mp4
Animation.save numbers | 30 | trace_of(n, solve=True)
    | meiro.animate(x, numbers=True, size=700).save(FOLDER / 'output.gif')
distances batch weights graphs | 60 | graph_batch_of(n * n)
    | meiro.distances(x, weights=np.ones(x.lattice.n_edges))
endpoints min_length graphs | 40 | graph_batch_of(n * n)
    | meiro.endpoints(x, 'dead_ends', min_length=50, rng=1)
GraphMaze.{a} graph | 700 | graph_maze_of(n) | getattr(x, a)()
    | edges edge_ids to_sparse to_dot _repr_html_ solve
lattices.{a} | 300 | | getattr(meiro.lattices, a)(n + 2, n + 2)
    | square hexagonal triangular upsilon zeta kagome cairo moebius
lattices.weave | 300 | | meiro.lattices.weave(n + 2, n + 2, rng=1)
MazeEnv.{a} | 6000 | getattr(environment_of(n), a) | x() | optimal_actions optimal_return
MazeVectorEnv.{a} | 300 | getattr(environments_of(n), a) | x() | optimal_actions optimal_return
"""
for row in ROWS.strip().replace("\n    ", " ").split("\n"):
    operation, length, made, called, *several = map(str.strip, row.split("|"))
    for word in several[0].split() if several else [""]:
        add(operation.format(a=word), int(length), made, called, a=word)
# The side of a maze that takes about half a second.
SIDES = {
    "aldous_broder": 2000, "binary_tree": 16_000, "boruvka": 3000, "growing_forest": 1500, "kruskal": 3000,
    "origin_shift": 2000, "percolation": 16_000, "pole_toppling": 16_000, "prim": 3000, "rooms": 2500,
    "serpentine": 20_000, "sidewinder": 16_000, "spiral": 20_000, "prim_frontier_edge": 4000, "wilson": 5000,
    "wall_extension": 4000,
}  # fmt: skip
for name, generator in ALGORITHMS.items():
    side, walks = SIDES.get(name, 7000), name in {"wilson", "aldous_broder", "origin_shift"}
    add(f"generate {name}", side, "", "meiro.generate((n, n), a, rng=1)", name)
    many = "meiro.generate_many((20, 20), a, n * n // 2, rng=1, threads=2)"
    add(f"generate_many {name}", side // 10, "", many, name)
    traced = 500 if name in {"origin_shift", "aldous_broder", "kruskal", "prim", "boruvka"} else 1500
    add(f"trace {name}", traced, "", "meiro.trace((n, n), a, rng=1, max_events=10**8)", name)
    if generator.masks:
        masked = min(SIDES.get(name, 3500), 3500) // (3 if walks else 1)
        add(f"generate {name} masked", masked, "holes(n)", "meiro.generate(None, a, mask=x, rng=1)", name)
    if generator.wraps:
        torus = min(SIDES.get(name, 4000), 4000) // (2 if name == "wilson" else 1)
        add(f"generate {name} torus", torus, "", "meiro.generate((n, n), a, wrap=(True, True), rng=1)", name)
    if generator.graphs:
        side = 500 if walks else 1000
        add(f"generate {name} graph", side, "lattice_of(n)", "meiro.generate(x, a, rng=1)", name)
SLOW_SOLVERS = {"random_mouse": 150, "blind_alley_filling": 2500, "a_star": 4000, "tremaux": 3000}
for name, solver in SOLVERS.items():
    side, solve = SLOW_SOLVERS.get(name, 5000), "meiro.solve(x, algorithm=a, **_drawn(a))"
    add(f"solve {name}", side, "maze_of(n)", solve, name)
    from_corner = "meiro.solve(x, (0, 0), (n - 1, n - 1), algorithm=a, **_drawn(a))"
    add(f"solve {name} room", side, "room_of(n)", from_corner, name)
    traced_search = "meiro.trace_solve(x, algorithm=a, max_events=10**8, **_drawn(a))"
    add(f"trace_solve {name}", min(side, 600), "maze_of(n)", traced_search, name)
    if solver.graphs:
        side = 150 if solver.random else 1500
        add(f"solve {name} graph", side, "graph_maze_of(n)", solve, name)
        add(f"solve {name} graph room", side, "open_maze_of(n)", solve, name)
