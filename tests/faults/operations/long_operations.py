"""The table of operations that take long on a large input, for the campaign `interrupts`.

The name of a row begins with the public callable that it calls, as in `valid_calls`. ``build(side)`` prepares
the input and returns the call; with `SMALL` in place of the row's side it takes a moment, and its result is
compared with that of the same call before.
"""

from __future__ import annotations

import fnmatch
import io
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import operations.agent_operations  # noqa: F401  # adds its rows
from operations.graph_operations import graph_maze_of, on_graph
from operations.large_inputs import (
    batch_of,
    holes,
    marked_photograph_of,
    maze_of,
    noise,
    photograph_of,
    picture_of,
    room_of,
    solution_of,
    table_of,
    trace_of,
    weights,
)
from operations.rows import (
    add,
    consumed,
    on_batch,
    on_maze,
    on_picture,
    on_room,
    on_table,
    on_trace,
)

import meiro
from meiro import ALGORITHMS, SOLVERS

if TYPE_CHECKING:
    from collections.abc import Callable


FOLDER = Path(tempfile.gettempdir())  # the campaign has one of its own


def saved(name: str, write: Callable[[Path], object]) -> Path:
    """Return a file that is written once."""
    path = FOLDER / "input" / name
    path.parent.mkdir(exist_ok=True)
    if not path.exists():
        write(path)
    return path


# The side of a maze that takes about half a second.
SIDES = {
    "aldous_broder": 2000, "binary_tree": 16_000, "boruvka": 3000, "growing_forest": 1500, "kruskal": 3000,
    "origin_shift": 2000, "percolation": 16_000, "pole_toppling": 16_000, "prim": 3000, "rooms": 2500,
    "serpentine": 20_000, "sidewinder": 16_000, "spiral": 20_000, "prim_frontier_edge": 4000, "wilson": 5000,
    "wall_extension": 4000,
}  # fmt: skip

for name in ALGORITHMS:
    add(
        f"generate {name}", SIDES.get(name, 7000), lambda n, a: lambda: meiro.generate((n, n), a, rng=1), name
    )
    add(
        f"generate_many {name}",
        SIDES.get(name, 7000) // 10,
        lambda n, a: lambda: meiro.generate_many((20, 20), a, n * n // 2, rng=1, threads=2),
        name,
    )
    add(
        f"trace {name}",
        1500 if name not in {"origin_shift", "aldous_broder", "kruskal", "prim", "boruvka"} else 500,
        lambda n, a: lambda: meiro.trace((n, n), a, rng=1, max_events=10**8),
        name,
    )
    if ALGORITHMS[name].masks:
        add(
            f"generate {name} masked",
            min(SIDES.get(name, 3500), 3500)
            // (3 if name in {"wilson", "aldous_broder", "origin_shift"} else 1),
            lambda n, a: partial(meiro.generate, None, a, mask=holes(n), rng=1),
            name,
        )
    if ALGORITHMS[name].wraps:
        add(
            f"generate {name} torus",
            min(SIDES.get(name, 4000), 4000) // (2 if name == "wilson" else 1),
            lambda n, a: lambda: meiro.generate((n, n), a, wrap=(True, True), rng=1),
            name,
        )
for name in ("wilson", "kruskal"):
    add(
        f"generate {name} weights",
        3000,
        lambda n, a: partial(
            meiro.generate,
            (n, n),
            a,
            rng=1,
            weights=np.random.default_rng(1).integers(1, 9, 2 * n * (n - 1)).astype(float),
        ),
        name,
    )
SLOW_SOLVERS = {"random_mouse": 150, "blind_alley_filling": 2500, "a_star": 4000, "tremaux": 3000}
for name in SOLVERS:
    side = SLOW_SOLVERS.get(name, 5000)
    add(
        f"solve {name}",
        side,
        lambda n, a: partial(lambda m: meiro.solve(m, algorithm=a, **_drawn(a)), maze_of(n)),
        name,
    )
    add(
        f"solve {name} room",
        side,
        lambda n, a: partial(
            lambda r: meiro.solve(r, (0, 0), (n - 1, n - 1), algorithm=a, **_drawn(a)), room_of(n)
        ),
        name,
    )
    add(
        f"trace_solve {name}",
        min(side, 600),
        lambda n, a: partial(
            lambda m: meiro.trace_solve(m, algorithm=a, max_events=10**8, **_drawn(a)), maze_of(n)
        ),
        name,
    )
add(
    "solve centre",
    1500,
    lambda n: partial(meiro.solve, marked_photograph_of(n), centre=True),
)
for name, road in (("several", ".o"), ("known", None)):
    add(
        f"solve characters {name}",
        2500,
        lambda n, road: partial(
            meiro.solve, np.array(["#", "."])[1 - room_of(n)], (0, 0), (n - 1, n - 1), road=road
        ),
        road,
    )


def _drawn(solver: str) -> dict[str, Any]:
    return {"rng": 1} if SOLVERS[solver].random else {}


# Paths
add(
    "solve a_star moves",
    2000,
    lambda n: partial(
        lambda r, w: meiro.solve(r, (0, 0), (n - 1, n - 1), algorithm="a_star", moves=8, weights=w),
        room_of(n),
        weights(n),
    ),
)
on_maze("solve order", 4000, lambda m: meiro.solve(m, visit_order=True))
on_maze("distances", 4000, lambda m: meiro.distances(m, (0, 0)))
on_maze("solvers.solve_by_bands", 4000, meiro.solvers.solve_by_bands)
add(
    "solvers.solve_by_bands stream",
    4000,
    lambda n: lambda: meiro.solvers.solve_by_bands(meiro.generators.stream("eller", n, rng=1), rows=n),
)
on_maze("solvers.distances_by_bands", 4000, meiro.solvers.distances_by_bands)
on_room("distances room", 5000, lambda r: meiro.distances(r, (0, 0)))
on_room("distances transposed", 5000, lambda r: meiro.distances(r.T, (0, 0)))
on_room("distances weights", 1500, lambda r: meiro.distances(r, (0, 0), weights=weights(len(r)), moves=8))
on_maze("bottlenecks", 4000, meiro.bottlenecks)
on_room("bottlenecks room", 3000, lambda r: meiro.bottlenecks(r, (0, 0), (len(r) - 1, len(r) - 1)))
on_maze("policy", 4000, lambda m: meiro.policy(m, (0, 0)))
on_room("policy moves", 3000, lambda r: meiro.policy(r, (0, 0), moves=8))
on_maze("shortest_paths", 4000, meiro.shortest_paths)
on_room("shortest_paths room", 700, lambda r: meiro.shortest_paths(r, (0, 0), (len(r) - 1, len(r) - 1)).mask)
on_room(
    "all_shortest_paths",
    3000,
    lambda r: consumed(meiro.all_shortest_paths(r, (0, 0), (len(r) - 1, len(r) - 1)), 30),
)
on_maze("longest_path", 4000, meiro.longest_path)
on_room("longest_path room", 1500, meiro.longest_path, rough=True)
on_room("longest_path exact", 200, lambda r: meiro.longest_path(r, exact=True), rough=True)
on_maze("components", 5000, meiro.components)
on_room("components room", 6000, meiro.components, rough=True)
on_maze("check", 4000, meiro.check)
on_room("check room", 6000, meiro.check, rough=True)
on_room("CheckReport.road_labels", 5000, lambda r: meiro.check(r).road_labels, rough=True)
on_room("CheckReport.wall_labels", 5000, lambda r: meiro.check(r).wall_labels, rough=True)
on_room("CheckReport.__hash__", 4000, lambda r: hash(meiro.check(r)), rough=True)
on_room("CheckReport.__eq__", 4000, lambda r: meiro.check(r) == meiro.check(r.copy()), rough=True)
on_maze("measure", 3000, meiro.measure)
add("measure room", 3001, lambda n: partial(meiro.measure, maze_of(n // 2).grid))
on_batch("measure batch", 220, lambda b: meiro.measure(b, threads=2))
on_maze("position_map maze", 3000, lambda m: meiro.position_map(m, "dead_ends"))
on_batch("position_map", 350, lambda b: meiro.position_map(b, "dead_ends"))
on_batch("solve_many", 300, meiro.solve_many)
on_batch("solve_many paths", 200, lambda b: meiro.solve_many(b, paths=True, threads=2))
on_batch("solve_many list", 100, lambda b: meiro.solve_many(list(b)))

# Solutions
for name in ("path", "grid_path", "walk", "cells", "mask", "explored"):
    add(f"Solution.{name}", 3000, lambda n, a: partial(getattr, solution_of(n), a), name)
add(
    "Solution.path_chunks",
    3000,
    lambda n: partial(lambda s: [len(c) for c in s.path_chunks()], solution_of(n)),
)
add(
    "Solution.__eq__",
    3000,
    lambda n: partial(
        lambda a, b: a == b, solution_of(n), meiro.solve(maze_of(n, "serpentine"), algorithm="wall_follower")
    ),
)
add("Solution.__hash__", 3000, lambda n: partial(hash, solution_of(n)))
add("Solution.searched", 3000, lambda n: partial(lambda s: s.searched(), solution_of(n)))
add("Solution._repr_html_", 3000, lambda n: partial(lambda s: s._repr_html_(), solution_of(n)))

# Mazes
on_maze("Maze", 6000, lambda m: meiro.Maze(m.passages))
add(
    "Maze masked",
    4000,
    lambda n: partial(
        lambda m: meiro.Maze(m.passages, m.mask), meiro.generate(mask=holes(n), algorithm="kruskal", rng=1)
    ),
)
on_maze("Maze.from_passages", 6000, lambda m: meiro.Maze.from_passages(m.passages))
add(
    "Maze.from_edges",
    1500,
    lambda n: partial(lambda e: meiro.Maze.from_edges((n, n), e), maze_of(n).edges()),
)
add(
    "Maze.from_wall_ids",
    3000,
    lambda n: partial(lambda w: meiro.Maze.from_wall_ids((n, n), w), maze_of(n).wall_ids()),
)
add("Maze.from_grid", 4000, lambda n: partial(meiro.Maze.from_grid, maze_of(n).grid))
add(
    "Maze.from_grid thick",
    2000,
    lambda n: partial(
        lambda g: meiro.Maze.from_grid(g, corridor=3, wall=2), maze_of(n).to_grid(corridor=3, wall=2)
    ),
)
add(
    "Maze.from_networkx",
    200,
    lambda n: partial(meiro.Maze.from_networkx, maze_of(n).to_networkx()),
)
for style in ("unicode", "ascii", "block", "posts"):
    add(
        f"Maze.from_text {style}",
        1500,
        lambda n, s: partial(meiro.Maze.from_text, maze_of(n).to_text(s)),
        style,
    )
    on_maze(f"Maze.to_text {style}", 2000, lambda m, s: m.to_text(s), style)
for style in ("unicode", "block"):
    add(
        f"Maze.to_text path {style}",
        2000,
        lambda n, s: partial(maze_of(n, "serpentine").to_text, s, solution=solution_of(n)),
        style,
    )
on_maze("Maze.to_text labels", 700, lambda m: m.to_text(labels=meiro.distances(m, (0, 0))))
on_maze("Maze.__str__", 2000, str)
add(
    "Maze.from_image",
    4000,
    lambda n: partial(meiro.Maze.from_image, (1 - maze_of(n).grid) * 255),
)
add("Maze.from_grid list", 3000, lambda n: partial(meiro.Maze.from_grid, maze_of(n // 2).grid.tolist()))
add(
    "Maze.from_edges list",
    1500,
    lambda n: partial(lambda e: meiro.Maze.from_edges((n, n), e), maze_of(n).edges().tolist()),
)
on_maze("Maze.to_grid", 9000, lambda m: m.to_grid())
add("Maze.rooms", 700, lambda n: partial(lambda m: len(m.rooms()), meiro.generate((n, n), "rooms", rng=1)))
on_maze("Maze.to_grid posts", 9000, lambda m: m.to_grid(posts=False))
on_maze("Maze.to_grid thick", 4000, lambda m: m.to_grid(corridor=3, wall=2))
on_maze("Maze.to_grid dtype", 4000, lambda m: m.to_grid(dtype=np.float64, road=5))
on_maze("Maze.grid", 9000, lambda m: m.grid)
on_maze("Maze.is_perfect", 4000, lambda m: meiro.Maze(m.passages).is_perfect)
on_maze("Maze.edges", 4000, lambda m: m.edges())
on_maze("Maze.wall_ids", 6000, lambda m: m.wall_ids())
on_maze("Maze.solve", 3000, lambda m: m.solve())
on_maze("Maze.plot", 1000, lambda m: _drawn_figure(m.plot))
on_maze("Maze.to_dot", 1000, lambda m: m.to_dot())
on_maze("Maze.to_svg", 2000, lambda m: m.to_svg())
on_maze("Maze.to_svg path", 2000, lambda m: m.to_svg(solution=meiro.solve(m)))
on_maze("Maze.to_svg page", 1500, lambda m: m.to_svg(page=(4000, 4000), title="x"))
on_maze("Maze.to_networkx", 400, lambda m: len(m.to_networkx()))
on_maze("Maze.to_sparse", 3000, lambda m: m.to_sparse().nnz)
on_maze("Maze.__hash__", 9000, lambda m: hash(meiro.Maze(m.passages)))
on_maze("Maze.__eq__", 9000, lambda m: m == meiro.Maze(m.passages.copy()))
on_maze("Maze.__array__", 6000, lambda m: np.asarray(m, np.float32))
on_maze("Maze._repr_html_", 4000, lambda m: m._repr_html_())
on_maze("Maze.mask", 4000, lambda m: m.mask)
add("wall_ids", 3000, lambda n: partial(lambda e: meiro.wall_ids((n, n), e), maze_of(n).edges()))
add("wall_cells", 3000, lambda n: partial(lambda w: meiro.wall_cells((n, n), w), maze_of(n).wall_ids()))
add("wall_cells range", 2500, lambda n: lambda: meiro.wall_cells((n, n), range(2 * n * (n - 1))))
add("cells_to_grid list", 1500, lambda n: partial(meiro.cells_to_grid, solution_of(n).path.tolist()))
add("cells_to_grid", 3000, lambda n: partial(meiro.cells_to_grid, solution_of(n).path))
add(
    "grid_to_cells",
    3000,
    lambda n: partial(meiro.grid_to_cells, meiro.cells_to_grid(solution_of(n).path)),
)

# Mazes from mazes
on_maze("braid", 6000, lambda m: meiro.braid(m, rng=1), algorithm="kruskal")
on_maze("add_loops", 4000, lambda m: meiro.add_loops(m, share=0.5, rng=1))
on_maze("fill_dead_ends", 4000, meiro.fill_dead_ends, algorithm="kruskal")
on_maze("sparsify", 4000, lambda m: meiro.sparsify(m, 30), algorithm="kruskal")
on_maze("unicursal", 3000, meiro.unicursal)
on_maze("symmetric", 4000, lambda m: meiro.symmetric(m, rng=1))
on_maze("join_regions", 4000, lambda m: meiro.join_regions(m, rng=1), algorithm="percolation")
on_maze("remove_islands", 4000, lambda m: meiro.remove_islands(m, rng=1), algorithm="percolation")
on_maze("origin_shift", 2000, lambda m: meiro.origin_shift(m, 10**7, rng=1))
on_maze("perturb", 2000, lambda m: meiro.perturb(m, 1000, rng=1))
on_maze("rotate", 7000, meiro.rotate)
on_maze("flip", 9000, meiro.flip)
on_maze("transpose", 7000, meiro.transpose)
on_maze("crop", 9000, lambda m: meiro.crop(m, (slice(1, -1), slice(1, -1))))
on_maze("stitch", 3000, lambda m: meiro.stitch([[m, m], [m, m]], rng=1))
on_maze("with_openings", 4000, lambda m: meiro.with_openings(m, "farthest"))
on_maze("with_openings random", 4000, lambda m: meiro.with_openings(m, "random", rng=1))
on_maze("with_ends", 4000, lambda m: meiro.with_ends(m, "farthest"))
on_maze("with_ends random", 4000, lambda m: meiro.with_ends(m, "random", rng=1))

# Batches
on_batch("MazeBatch.__getitem__ mask", 700, lambda b: b[np.arange(len(b)) % 2 == 0])
on_batch("MazeBatch.__eq__", 900, lambda b: b == b[:])
on_batch("MazeBatch.__iter__", 250, lambda b: sum(1 for _ in b))
on_batch("MazeBatch.grids", 600, lambda b: b.grids)
on_batch("MazeBatch.replicates", 2000, lambda b: b.replicates.sum())
add(
    "MazeBatch.masks",
    150,
    lambda n: partial(lambda b: b.masks, meiro.generate_many((30, 30), "rooms", n * n, rng=1)),
)
on_batch("MazeBatch", 100, lambda b: meiro.MazeBatch(list(b)))
on_batch("MazeBatch.from_passages", 600, lambda b: meiro.MazeBatch.from_passages(b.passages))
on_batch("MazeBatch.__array__", 600, np.asarray)
on_batch("MazeBatch.__add__", 600, lambda b: b + b)
add(
    "OccupancyGrid.metres",
    2000,
    lambda n: partial(
        meiro.io.OccupancyGrid(np.zeros((2, 2), np.uint8), np.zeros((2, 2), np.bool_), 0.5, (0, 0, 1)).metres,
        np.zeros((n * n, 2), np.int64),
    ),
)
add(
    "io.write_shards",
    300,
    lambda n: (
        lambda: meiro.io.write_shards(
            meiro.datasets.supervised((20, 20), n=n * n // 10, batch_size=1000, rng=1),
            tempfile.mkdtemp(dir=FOLDER),
        )
    ),
    waits=True,
)
add(
    "Shards.__getitem__",
    100,
    lambda n: partial(
        meiro.io.read_shards(
            saved(
                f"shards{n}",
                partial(
                    meiro.io.write_shards,
                    meiro.datasets.supervised((20, 20), n=n * n, batch_size=n * n, rng=1),
                ),
            )
        ).__getitem__,
        0,
    ),
    waits=True,
)
on_batch("MazeBatch.to_xarray", 700, lambda b: b.to_xarray().sizes)
add(
    "MazeBatch.from_xarray",
    500,
    lambda n: partial(meiro.MazeBatch.from_xarray, batch_of(n * n).to_xarray()),
)
for _how in ("origin_shift", "perturb"):
    on_batch(f"{_how} batch", 300, lambda b, how: getattr(meiro, how)(b, 10, rng=1, threads=2), _how)
for _how in ("braid", "join_regions", "remove_islands"):
    on_batch(f"{_how} batch", 300, lambda b, how: getattr(meiro, how)(b, rng=1, threads=2), _how)
for _how in ("sparsify", "fill_dead_ends", "rotate", "flip", "transpose", "check"):
    on_batch(f"{_how} batch", 300, lambda b, how: getattr(meiro, how)(b), _how)
on_batch("add_loops batch", 300, lambda b: meiro.add_loops(b, share=0.2, rng=1))
for _how in ("random", "farthest"):
    on_batch(f"with_ends batch {_how}", 300, lambda b, how: meiro.with_ends(b, how, rng=1), _how)
    on_batch(f"with_openings batch {_how}", 300, lambda b, how: meiro.with_openings(b, how, rng=1), _how)
on_batch("distances batch", 300, lambda b: meiro.distances(b, (0, 0)))
on_batch("policy batch", 300, lambda b: meiro.policy(b, (0, 0)))
on_batch("SolutionBatch.masks", 300, lambda b: meiro.solve_many(b, paths=True).masks)
on_batch("SolutionBatch.grid_paths", 300, lambda b: meiro.solve_many(b, paths=True).grid_paths)
on_batch("MazeBatch.measure", 220, lambda b: b.measure(threads=2))
on_batch("MazeBatch.solve", 300, lambda b: b.solve())
on_batch("MazeBatch.unique", 700, lambda b: b.unique())
on_batch("MazeBatch.filter", 200, lambda b: b.filter(lambda m: m.passages[0, 0] == 2))
on_batch("MazeBatch.filter array", 700, lambda b: b.filter(np.arange(len(b)) % 2 == 0))
on_batch("MazeBatch._repr_html_", 700, lambda b: b._repr_html_())
for suffix in (".npz", ".zarr", ".zanj"):
    on_batch(
        f"MazeBatch.save {suffix}",
        500,
        lambda b, s: b.save(FOLDER / f"output{s}"),
        suffix,
        waits=suffix == ".zarr",
    )
    add(
        f"MazeBatch.open {suffix}",
        700,
        lambda n, s: partial(meiro.MazeBatch.open, saved(f"many{n}{s}", lambda p: batch_of(n * n).save(p))),
        suffix,
        waits=suffix == ".zarr",
    )
on_batch("split", 400, meiro.split)
add(
    "datasets.by_measure",
    100,
    lambda n: (
        lambda: meiro.datasets.by_measure(
            (20, 20), "wilson", "solution_length", 80, n=10, candidates=n * n, rng=1
        )
    ),
)
add(
    "datasets.supervised",
    100,
    lambda n: lambda: meiro.datasets.supervised((20, 20), "wilson", n * n, target="policy", rng=1),
)
add(
    "datasets.supervised lattice",
    100,
    lambda n: (
        lambda: meiro.datasets.supervised(
            meiro.lattices.square(20, 20), "wilson", n * n, target="policy", rng=1
        )
    ),
)
add(
    "datasets.supervised tokens",
    100,
    lambda n: lambda: meiro.datasets.supervised((20, 20), n=n * n, inputs="tokens", target="tokens", rng=1),
)
add("datasets.vocabulary", 1000, lambda n: lambda: meiro.datasets.vocabulary((n, n)))
add(
    "datasets.partial_mazes",
    300,
    lambda n: lambda: meiro.datasets.partial_mazes((20, 20), n * n, depth=30, rng=1),
)
add(
    "SampleBatches.__getitem__",
    100,
    lambda n: partial(
        meiro.datasets.supervised((20, 20), n=n * n, target="policy", rng=1, batch_size=n * n).__getitem__, 0
    ),
)
for how in ("random", "dead_ends", "farthest", "corners"):
    on_batch(f"endpoints {how}", 300, lambda b, h: meiro.endpoints(b, h, rng=1), how)
on_batch("endpoints min_length", 150, lambda b: meiro.endpoints(b, "dead_ends", min_length=100, rng=1))

# Files
LINES = (".geojson", ".wkt", ".dxf")
for suffix in (".png", ".svg", ".txt", ".csv", ".map", ".npy", ".npz", ".dot", *LINES):
    side = {**dict.fromkeys(LINES, 1500), ".svg": 2000, ".txt": 2000, ".dot": 1000, ".npy": 9000}.get(
        suffix, 4000
    )
    on_maze(f"save {suffix}", side, lambda m, s: meiro.save(m, FOLDER / f"output{s}"), suffix)
    if suffix not in {".svg", ".dot", *LINES}:
        add(
            f"read {suffix}",
            side,
            lambda n, s: partial(meiro.read, saved(f"maze{n}{s}", lambda p: maze_of(n).save(p))),
            suffix,
        )
add("GraphMaze.save", 200, lambda n: partial(graph_maze_of(n).save, FOLDER / "output.svg"))
on_maze("save .pdf", 400, lambda m: meiro.save(m, FOLDER / "output.pdf", page="fit", mm=2))
on_batch("io.puzzle_book", 20, lambda b: meiro.io.puzzle_book(FOLDER / "output.pdf", b[:100], per_page=4))
on_maze("Maze.save", 2500, lambda m: m.save(FOLDER / "output.png", solution=meiro.solve(m), scale=2))
on_maze("save .png solution", 4000, lambda m: m.save(FOLDER / "output.png", solution=meiro.solve(m)))
on_room("save .csv array", 5000, lambda r: meiro.save(r, FOLDER / "output.csv"))
for suffix in (".gif", ".bmp", ".tif", ".pgm", ".jpg", ".webp"):
    add(
        f"read {suffix}",
        2500,
        lambda n, s: partial(meiro.read, saved(f"picture{n}{s}", lambda p: picture_of(n).save(p))),
        suffix,
    )


on_picture("from_image", 4000, lambda p: meiro.from_image(p, threshold=0.5))
for name, more in (
    ("local", {"threshold": "local"}),
    ("colours", {"start": "red", "goal": "#00ff00"}),
    ("speckles", {"speckles": 9}),
    ("deskew", {"deskew": True}),
):
    add(
        f"from_image {name}",
        4000,
        lambda n, more: partial(meiro.from_image, photograph_of(n), **more),
        more,
    )
add(
    "read .png scale",
    600,
    lambda n: partial(meiro.read, saved(f"x{n}.png", lambda p: maze_of(n).save(p, scale=8))),
)
add(
    "Solution.save",
    2000,
    lambda n: partial(
        meiro.solve(marked_photograph_of(n), centre=True).save,
        FOLDER / "output.png",
        picture=photograph_of(n),
    ),
)
on_picture("brightness", 4000, meiro.brightness)
on_picture("brightness shape", 4000, lambda p: meiro.brightness(p, (len(p) // 3, len(p) // 3)))
on_picture(
    "mask_from_image", 4000, lambda p: meiro.mask_from_image(p, (len(p) // 3, len(p) // 3), threshold=0.5)
)
add(
    "mask_from_text",
    4000,
    lambda n: partial(
        meiro.mask_from_text,
        "\n".join("".join(".#"[x] for x in row) for row in noise(n).tolist()),
    ),
)

# Other libraries of mazes
for form in ("connections", "pixels", "ascii", "tokens"):
    side = 600 if form == "tokens" else 2500
    on_maze(f"io.to_maze_dataset {form}", side, meiro.io.to_maze_dataset, form)
    add(
        f"io.from_maze_dataset {form}",
        side,
        lambda n, f: partial(meiro.io.from_maze_dataset, meiro.io.to_maze_dataset(maze_of(n), f)),
        form,
    )
on_maze("io.to_maze_dataset rng", 600, lambda m: meiro.io.to_maze_dataset(m, "tokens", rng=1))
on_maze("io.to_mazelib", 4000, meiro.io.to_mazelib)
add("io.from_mazelib", 3000, lambda n: partial(meiro.io.from_mazelib, meiro.io.to_mazelib(maze_of(n))))
on_maze("io.to_labmaze", 1500, meiro.io.to_labmaze)
add("io.from_labmaze", 1500, lambda n: partial(meiro.io.from_labmaze, meiro.io.to_labmaze(maze_of(n))))
add(
    "io.save_scenarios",
    2000,
    lambda n: partial(
        meiro.io.save_scenarios, maze_of(n), [((0, 0), (n - 1, n - 1))], FOLDER / "output.scen"
    ),
)
tasks = [((0, 0), (0, i % 10)) for i in range(200_000)]
add(
    "io.read_scenarios",
    40,
    lambda n, t: partial(
        meiro.io.read_scenarios,
        saved(f"tasks{n}.scen", lambda p: meiro.io.save_scenarios(maze_of(n), t, p)),
    ),
    tasks,
)
on_maze("io.save_occupancy_grid", 4000, lambda m: meiro.io.save_occupancy_grid(m, FOLDER / "output.yaml"))
add(
    "io.read_occupancy_grid",
    4000,
    lambda n: partial(
        meiro.io.read_occupancy_grid,
        saved(f"map{n}.yaml", lambda p: meiro.io.save_occupancy_grid(maze_of(n), p)),
    ),
)
for suffix in (".stl", ".obj", ".glb", ".gltf"):
    on_maze(f"io.save_mesh {suffix}", 700, lambda m, s: meiro.io.save_mesh(m, FOLDER / f"output{s}"), suffix)
on_graph("io.save_mesh", 60, lambda m: meiro.io.save_mesh(m, FOLDER / "output.stl"))
for suffix in (".tmx", ".tmj"):
    on_maze(
        f"io.save_tiled {suffix}", 700, lambda m, s: meiro.io.save_tiled(m, FOLDER / f"output{s}"), suffix
    )
    add(
        f"io.read_tiled {suffix}",
        700,
        lambda n, s: partial(
            meiro.io.read_tiled, saved(f"tiled{n}{s}", lambda p: meiro.io.save_tiled(maze_of(n), p))
        ),
        suffix,
    )

# Generators with given walls, cellular automata
add("eller", 4000, lambda n: partial(meiro.eller, noise(n)[:, 1:], noise(n)))
add(
    "trace_eller",
    700,
    lambda n: partial(lambda r, b: meiro.trace_eller(r, b, max_events=10**8), noise(n)[:, 1:], noise(n)),
)
for algorithm in ("binary_tree", "kruskal", "percolation", "pole_toppling", "sidewinder"):
    add(
        f"generators.region ({algorithm})",
        10000,
        lambda n, algorithm=algorithm: partial(
            meiro.generators.region,
            (n + 9, n * n),
            algorithm,
            rng=1,
            rows=slice(9, None),
            cols=slice(n, 2 * n),
        ),
    )
for algorithm, side in (("kruskal", 900), ("percolation", 8000), ("pole_toppling", 5000)):
    add(
        f"EndlessMaze.window ({algorithm})",
        side,
        lambda n, a=algorithm: lambda: meiro.generators.endless(a, rng=1).window(slice(0, n), slice(-n, 0)),
    )
add(
    "EndlessMaze.chunk",
    900,
    lambda n: lambda: meiro.generators.endless("kruskal", rng=1).chunk(-1, 0, size=n),
)
add(
    "EndlessMaze.solve",
    1000,
    lambda n: lambda: meiro.generators.endless("percolation", rng=1, p=0.6).solve((0, 0), (n, -n)),
)
for name in ("eller", "binary_tree"):
    add(
        f"generators.stream {name}",
        9000,
        lambda n, a: lambda: meiro.generators.stream(a, n, rng=1).rows(n),
        name,
    )
add(
    "generators.stream kruskal",
    3000,
    lambda n: lambda: meiro.generators.stream("kruskal", n, rows=n, rng=1).rows(n),
)
add("EndlessKruskalRows.__next__", 9000, lambda n: lambda: next(meiro.generators.stream("kruskal", n, rng=1)))
add(
    "EndlessKruskalRows.finish",
    20_000,
    lambda n: lambda: meiro.generators.stream("kruskal", n, rng=1).finish(),
)
add("KruskalRows.__next__", 1500, lambda n: lambda: next(meiro.generators.stream("kruskal", n * n, rows=2)))
add("KruskalRows.finish", 3000, lambda n: lambda: meiro.generators.stream("kruskal", n * n, rows=1).finish())
add(
    "generators.stream sidewinder",
    9000,
    lambda n: lambda: meiro.generators.stream("sidewinder", n, rng=1).rows(n),
)
add("RowStream.__next__", 9000, lambda n: lambda: next(meiro.generators.stream("sidewinder", n * n, rng=1)))
add("RowStream.finish", 9000, lambda n: lambda: meiro.generators.stream("sidewinder", n * n, rng=1).finish())
add(
    "measure stream",
    12_000,
    lambda n: lambda: meiro.measure(meiro.generators.stream("binary_tree", n, rng=1), rows=n),
)
add("eller_rows rows", 5000, lambda n: lambda: meiro.eller_rows(n, rng=1).rows(n))
add(
    "io.pyramid",
    1500,
    lambda n: lambda: meiro.io.pyramid(meiro.generators.stream("eller", n, rng=1), FOLDER / "tiles", rows=n),
)
for suffix in (".png", ".npy", ".csv", ".zarr"):
    add(
        f"save stream {suffix}",
        3000,
        lambda n, s: (
            lambda: meiro.save(meiro.generators.stream("eller", n, rng=1), FOLDER / f"output{s}", rows=n)
        ),
        suffix,
    )
add("eller_rows", 7000, lambda n: lambda: consumed(meiro.eller_rows(n * n, rng=1), 1))
add("EllerRows.__next__", 5000, lambda n: lambda: consumed(meiro.eller_rows(n * n, rng=1), 2))
add(
    "EllerRows.send_row",
    5000,
    lambda n: (
        lambda: meiro.eller_rows(n * n, rng=1).send_row(
            np.zeros(n * n - 1, np.uint8), np.zeros(n * n, np.uint8)
        )
    ),
)
add("EllerRows.finish", 5000, lambda n: lambda: meiro.eller_rows(n * n, rng=1).finish())
add("cellular_automaton", 1500, lambda n: lambda: meiro.cellular_automaton((n, n), rng=1, p=0.4))
add(
    "cellular_automaton one step",
    9000,
    lambda n: lambda: meiro.cellular_automaton((n, n), rng=1, p=0.4, steps=1),
)
add(
    "cellular_automaton torus",
    1500,
    lambda n: lambda: meiro.cellular_automaton((n, n), rng=1, wrap=(True, True)),
)

# Exact
add("number_of_mazes", 300, lambda n: lambda: meiro.number_of_mazes((n, n)))
add("number_of_mazes masked", 60, lambda n: partial(lambda m: meiro.number_of_mazes(mask=m), holes(n)))
add(
    "log_number_of_mazes masked",
    150,
    lambda n: partial(lambda m: meiro.log_number_of_mazes(mask=m), holes(n)),
)
add("edge_probabilities", 1200, lambda n: lambda: meiro.edge_probabilities((n, n)))
add("edge_probabilities masked", 120, lambda n: partial(lambda m: meiro.edge_probabilities(mask=m), holes(n)))
add(
    "edge_probabilities masked torus",
    200,
    lambda n: partial(lambda m: meiro.edge_probabilities(mask=m, wrap=(True, True)), holes(n)),
)
add("enumerate_mazes", 200, lambda n: lambda: consumed(meiro.enumerate_mazes((4, 4)), n * 500))
add("rank", 22, lambda n: partial(meiro.rank, meiro.generate((n, n), rng=1)))
add("unrank", 22, lambda n: partial(lambda k: meiro.unrank(k, (n, n)), meiro.number_of_mazes((n, n)) // 3))
add(
    "sampler_test",
    1000,
    lambda n: lambda: meiro.sampler_test("kruskal", "uniform", (3, 3), n=max(n, 200) ** 2, rng=1),
)
add(
    "sampler_test callable",
    180,
    lambda n: (
        lambda: meiro.sampler_test(
            lambda rng: meiro.generate((2, 2), rng=rng), "uniform", (2, 2), n=max(n, 20) ** 2, rng=1
        )
    ),
)
on_batch(
    "sampler_test batch",
    200,
    lambda b: meiro.sampler_test(meiro.generate_many((3, 3), n=len(b) * 8, rng=1), "uniform"),
)

# Surveys and tables
add(
    "survey",
    200,
    lambda n: lambda: meiro.survey((16, 16), ["wilson", "kruskal"], n * n // 2, rng=1, threads=2),
)
add("survey maze", 200, lambda n: lambda: meiro.survey((16, 16), "wilson", n * n, rng=1, by="maze"))


def _survey_on(executor: Any, n: int) -> meiro.Table:
    with executor(2) as workers:
        return meiro.survey((16, 16), "wilson", n * n, rng=1, executor=workers)


add("survey threads", 200, lambda n: lambda: _survey_on(ThreadPoolExecutor, n), waits=True)


def _survey_out(n: int) -> meiro.Table:
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        return meiro.survey((16, 16), "wilson", n * n, rng=1, by="maze", out=Path(folder, "survey"))


add("survey out", 200, lambda n: lambda: _survey_out(n))


add("Table", 1500, lambda n: partial(meiro.Table, {k: v.tolist() for k, v in dict(table_of(n * n)).items()}))
on_table("Table.summary", 1000, lambda t: t.summary())
on_table("Table.summary by", 700, lambda t: t.summary("algorithm"))
on_table("Table.to_csv", 700, lambda t: t.to_csv(FOLDER / "output.csv"))
on_table("Table.to_pandas", 1000, lambda t: len(t.to_pandas()))
on_table("Table.to_polars", 1000, lambda t: len(t.to_polars()))
on_table("Table.to_arrow", 1000, lambda t: len(t.to_arrow()))
on_table("Table.to_xarray", 1000, lambda t: t.to_xarray().sizes)
on_table("Table.to_xarray dims", 500, lambda t: t.to_xarray(("algorithm", "i")).sizes)
on_table("Table.__getitem__ mask", 2500, lambda t: t[t["x"] > 0.5])
on_table("Table.__eq__", 1500, lambda t: t == meiro.Table({k: t[k].copy() for k in t}))
on_table("Table.__array__", 1000, np.asarray)
on_table("Table.sort", 700, lambda t: len(t.sort("x")))
on_table("Table.hist", 1000, lambda t: _drawn_figure(lambda: t.hist("x")))


# Traces, pictures and pages
on_trace("Trace.__getitem__", 700, lambda t: t[len(t) // 2])
on_trace("Trace.__getitem__ many", 200, lambda t: [f.note for f in t[:: max(1, len(t) // 3000)]])
on_trace("Trace.__getitem__ labels", 700, lambda t: t[-1].labels, solve=True)
on_trace("Trace.__add__", 700, lambda t: t + t, solve=True)
on_trace("Trace.events", 2500, lambda t: t.events)
on_trace("Trace.last_events", 700, lambda t: t.last_events(np.arange(len(t))))
on_trace("Trace.position", 700, lambda t: t.position(len(t) // 2))
on_trace("Trace._repr_html_", 700, lambda t: t._repr_html_())
on_trace("Frame.grid", 1500, lambda t: t[-1].grid)
on_trace("Frame.maze", 1500, lambda t: t[-1].maze())
on_trace("Frame.__str__", 700, lambda t: len(str(t[-1])))
on_trace("Frame._repr_html_", 700, lambda t: t[-1]._repr_html_())
on_trace("animate", 300, meiro.animate)
on_trace("Animation.__getitem__", 300, lambda t: [p.sum() for p in meiro.animate(t)[::3]])
on_trace("Animation.__iter__", 300, lambda t: sum(1 for _ in meiro.animate(t, max_frames=100)))
for suffix in (".gif", ".png", ".webp", ".mp4"):
    add(
        f"Animation.save {suffix}",
        200,
        lambda n, s: partial(lambda t: meiro.animate(t).save(FOLDER / f"output{s}"), trace_of(n)),
        suffix,
        waits=suffix == ".mp4",
    )
on_trace(
    "Animation.save numbers",
    30,
    lambda t: meiro.animate(t, numbers=True, size=700).save(FOLDER / "output.gif"),
    solve=True,
)


def _frames(trace: meiro.Trace) -> int:
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        return len(meiro.animate(trace, max_frames=100).save_frames(Path(folder, "{:04}.png")))


on_trace("Animation.save_frames", 300, _frames)
on_trace("Animation.to_matplotlib", 60, lambda t: _shown(meiro.animate(t, max_frames=8)))
on_trace("Animation._repr_html_", 200, lambda t: len(meiro.animate(t)._repr_html_()))


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


on_maze("plot", 2000, lambda m: _drawn_figure(lambda: meiro.plot(m)))
on_maze("plot solution", 2000, lambda m: _drawn_figure(lambda: meiro.plot(m, solution=meiro.solve(m))))
on_maze(
    "plot values", 1000, lambda m: _drawn_figure(lambda: meiro.plot(m, values=meiro.distances(m, (0, 0))))
)
on_maze("plot region", 2000, lambda m: _drawn_figure(lambda: meiro.plot(m, region=slice(0, 300))))
on_maze("plot labels", 30, lambda m: _drawn_figure(lambda: meiro.plot(m, labels=meiro.distances(m, (0, 0)))))
on_room("plot room", 3000, lambda r: _drawn_figure(lambda: meiro.plot(r)), rough=True)
on_batch("plot_many", 30, lambda b: _drawn_figure(lambda: meiro.plot_many(b, 12)))
on_trace("plot_trace", 300, lambda t: _drawn_figure(lambda: meiro.plot_trace(t)))
on_trace("player", 200, lambda t: meiro.player(t).n_frames)
on_trace("Player.save", 200, lambda t: meiro.player(t).save(FOLDER / "output.html"))
on_maze("Play.restart", 400, lambda m: meiro.play(m).restart())
on_maze("play", 400, lambda m: meiro.play(m).shortest)
on_maze("Play.save", 400, lambda m: meiro.play(m).save(FOLDER / "output.html"))

# What takes less than 100 ms on the largest input that fits in memory, and why. "*" stands for
# any text.
FAST = {
    "a line or some lines of text": [
        "*.__repr__",
        "SampleBatches",
        "Shards",
        "Shards.__eq__",
        "Shards.__iter__",
        "io.read_shards",
        "SampleBatches.__iter__",
        "CheckReport.__str__",
        "*.description",
        "Table._repr_html_",
    ],
    "a stored value or a number of things": [
        *(
            "*.__len__",
            "*.size",
            "*.rows",
            "*.cols",
            "*.shape",
            "*.algorithm",
            "*.recipe",
            "*.length",
            "Color.*",
            "Seed*",
        ),
        *("EndlessMaze", "EndlessMaze.__array__", "generators.endless"),
        *(
            "*Row*.__eq__",
            "*Row*.__iter__",
            "*Row*.row",
            "*Row*.height",
            "*Row*.seed",
            "*Row*.finished",
            "EllerRows",
        ),
        *(
            "*.endpoints",
            "Solution.edge_ids",
            "Maze.openings",
            "Maze.passages",
            "MazeBatch.seed",
            "Table.dtype",
            "Table.head",
            "Table.__iter__",
            "Table.keys",
            "Trace.before",
            "Trace.line",
            "Trace.parts",
            "Trace.part_of",
            "Trace.source",
        ),
        *(
            "Play.start",
            "Play.goal",
            "Play.shortest",
            "Play.*=",
            "Play.close",
            "Player.n_frames",
            "Player.*=",
        ),
        *("MazeEnv.cell", "MazeEnv.goal", "Player.close", "replicate", "seeds.*"),
        *("GraphBatch.replicates", "GraphBatch.seed", "GraphBatch.__getitem__", "*.n_cells", "*.n_edges"),
        *("Lattice.knows_straight", "Lattice.n_components", "Lattice.polygon", "Lattice.__iter__"),
    ],
    "a table of the package, of some dozens of rows": [
        "Registry.*",
        "*Facts.good_for",
        "law",
        "Law.*",
        "GraphLaw.*",
    ],
    "one frame, made from the nearest snapshot": ["Frames.__getitem__", "Trace.frame", "Trace.caption"],
    "a graph of tasks: Dask does the work, in threads of its own": ["dask.*"],
    "as the parts, whose methods have rows above": ["JoinedTrace.*"],
    "as Solution, whose methods have rows above": ["GraphSolution.*"],
    "the bytes of a file are reserved, not written": ["io.open_memmap"],
    "one call of pickle; what it calls of ours has rows above": ["pickle *"],
}


def is_fast(name: str) -> bool:
    """Return whether a public name is one of `FAST`."""
    return any(fnmatch.fnmatchcase(name, pattern) for names in FAST.values() for pattern in names)
