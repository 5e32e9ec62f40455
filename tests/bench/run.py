"""The yardstick and meiro in turn, in nanoseconds a cell, and how many times as fast meiro is.

    python tests/bench/run.py [--side 4000] [--repeats 5] [--only kruskal bfs] [--json FILE]
    python tests/bench/run.py --peers [--side 1000]     beside other libraries, as far as they are installed
    python tests/bench/run.py --graphs [--side 1000]    a square lattice as a graph; beside libraries
    python tests/bench/run.py --agents                 steps a second of environments; beside other packages
    python tests/bench/run.py --scaling                 a cell of 16 x 16, 1000 x 1000, 16000 x 16000; threads
    python tests/bench/run.py --threads [--side 4000]   one maze shared by two threads, beside a copy
    python tests/bench/run.py --surveys [--n 1000000]   measuring with making; beside other libraries
    python tests/bench/run.py --pictures                PNG files, of 50 x 50 to 2000 x 2000 cells
    python tests/bench/run.py --small                   single calls on mazes of 10 x 10 cells, in us
    python tests/bench/run.py --all --json tests/bench/results.json     what the documentation shows

`python tests/bench/compare.py BEFORE.json AFTER.json` compares two files of --json, `report.py` draws one.
Both on one thread, side by side in each round, the median of the rounds, each round with a seed of its own
(the time of a walk to a root in the middle differs much from seed to seed). Everything a user waits for is
in it: meiro is timed through `meiro.generate`, `solve`, `distances` and `to_grid`, which take fresh
memory each time; the yardstick (yardstick.cpp, the algorithms as the textbook has them) takes fresh
memory too, and counts its passages at the end, about 0.1 ns a cell.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import agents  # type: ignore[import-not-found]  # beside this file, where python looks
import graphs  # type: ignore[import-not-found]
import numpy as np
import peers  # type: ignore[import-not-found]
import pictures  # type: ignore[import-not-found]
import result_files  # type: ignore[import-not-found]
import shared_mazes  # type: ignore[import-not-found]
import small_calls  # type: ignore[import-not-found]
import surveys  # type: ignore[import-not-found]

import meiro

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build/bench"
QUARTER = {"aldous_broder", "prim"}  # the yardstick runs these at a quarter of the side
BESIDE = {"boruvka": "kruskal"}  # the yardstick has none of its own
WALKS = {"aldous_broder", "origin_shift"}  # their time is not linear
SIZES = (16, 128, 1000, 4000, 16_000)
BATCHES = {16: 100_000, 128: 1600}  # at these sides so many mazes in one call
Times = dict[str, list[float]]
Rows = dict[str, Times]


def yardstick() -> Path:
    """Compile it, if that was not done yet."""
    source, program = HERE / "yardstick.cpp", BUILD / "yardstick"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        BUILD.mkdir(parents=True, exist_ok=True)
        compiler = os.environ.get("CXX", "g++")
        subprocess.run([compiler, "-O3", "-std=c++20", source, "-o", program], check=True)
    return program


def one_round(side: int, seed: int) -> dict[str, float]:
    """Return the nanoseconds a cell of each algorithm of the yardstick."""
    command = [str(yardstick()), str(side), "1", str(seed)]
    log = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return dict(json.loads(log))


def backtracker() -> float:
    """Return the nanoseconds a cell of the yardstick's backtracker at side 4000."""
    return one_round(4000, 1)["backtracker"]


def timed(call: Callable[[], object], cells: int) -> float:
    """Nanoseconds a cell of one call; what it made is freed within."""
    begun = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - begun) / cells


def jobs(side: int) -> dict[str, tuple[str, Callable[[int], float]]]:
    """Name -> the yardstick it is held to, and one timed run by number of the round."""
    found: dict[str, tuple[str, Callable[[int], float]]] = {}

    def generator(name: str) -> Callable[[int], float]:
        n = side // 4 if name in QUARTER else side
        return lambda i: timed(lambda: meiro.generate((n, n), name, rng=i), n * n)

    for name in meiro.ALGORITHMS:
        found[name] = (BESIDE.get(name, name), generator(name))
    return found | _ways(side)


def _ways(side: int) -> dict[str, tuple[str, Callable[[int], float]]]:
    """What is asked of a maze that is there: in nanoseconds a cell, a step, or a road pixel."""
    maze = meiro.generate((side, side), "backtracker", rng=7)
    # The yardstick's search visits every cell; so does ours where the goal is a farthest one.
    far = divmod(int(meiro.distances(maze, (0, 0)).argmax()), side)
    half = meiro.generate((side // 2, side // 2), "backtracker", rng=7)
    pixels, roads = half.grid, int((half.grid == 0).sum())
    end = divmod(int(meiro.distances(pixels, (1, 1)).argmax()), pixels.shape[1])
    room = np.zeros((side // 2, side // 2), np.uint8)
    weights = np.random.default_rng(7).random(room.shape)
    walk = meiro.solve(maze, algorithm="wall_follower").walk
    steps, cells, sites = 0 if walk is None else len(walk), side * side, room.size
    across = ((0, 0), (side // 2 - 1, side // 2 - 1))

    def job(unit: str, call: Callable[..., object], places: int, *args: Any, **given: Any) -> Any:
        return unit, lambda _: timed(lambda: call(*args, **given), places)

    solve = meiro.solve
    return {
        "bfs": job("bfs", solve, cells, maze, (0, 0), far),
        "bfs, a road pixel": job("", solve, roads, pixels, (1, 1), end),
        "bfs, an open room": job("", solve, sites, room, *across),
        "a_star, an open room": job("", solve, sites, room, *across, algorithm="a_star"),
        "dijkstra, an open room": job("", solve, sites, room, *across, algorithm="dijkstra", weights=weights),
        "dead_end_filling": job("bfs", solve, cells, maze, (0, 0), far, algorithm="dead_end_filling"),
        "wall_follower, a step": job("", solve, steps, maze, algorithm="wall_follower"),
        "distances": job("bfs", meiro.distances, cells, maze, (0, 0)),
        "shortest_paths": job("bfs", meiro.shortest_paths, cells, maze, (0, 0), far),
        "braid": job("bfs", meiro.braid, cells, maze, rng=7),
        "grid": job("grid", maze.to_grid, cells),
    }


def measure(side: int, repeats: int, only: list[str]) -> Rows:
    """Return the times of both in each round, by job."""
    todo = jobs(side)
    if unknown := set(only) - set(todo):
        raise SystemExit(f"no such job: {', '.join(sorted(unknown))}; there are {', '.join(todo)}")
    if only:
        todo = {name: todo[name] for name in only}
    theirs: Times = {}
    ours: Times = {}
    for i in range(repeats):
        for name, ns in one_round(side, i + 1).items():
            theirs.setdefault(name, []).append(ns)
        for name, (_, run) in todo.items():
            ours.setdefault(name, []).append(run(i))
    rows = {}
    for name, (unit, _) in todo.items():
        rows[name] = {"meiro": ours[name]}
        if unit in theirs:
            rows[name]["yardstick"] = theirs[unit]
    for name in ("touch_new_byte", "copy_byte"):
        rows[name] = {"yardstick": theirs[name]}
    return rows


def table(rows: Rows) -> str:
    """Return the medians as Markdown."""
    lines = ["| | theirs, ns a cell | meiro, ns a cell | times as fast |", "|---|--:|--:|--:|"]
    for name, row in rows.items():
        yard, ours = (statistics.median(row.get(key, [0])) for key in ("yardstick", "meiro"))
        ratio = f"{yard / ours:.1f}" if yard and ours else ""
        lines.append(f"| {name} | {yard:.2f} | {ours:.2f} | {ratio} |".replace(" 0.00 ", "  "))
    return "\n".join(lines)


def beside_peers(side: int, repeats: int, only: list[str]) -> Rows:
    """Return the times of ours and of other libraries, in turn, by "name, peer"."""
    cells = side * side
    rows: Rows = {}
    for (name, peer), (run, their_run) in peers.pairs(side).items():
        if only and name not in only:
            continue
        row: Times = {"meiro": [], "yardstick": []}
        for i in range(repeats):
            row["meiro"].append(timed(partial(run, i), cells))
            row["yardstick"].append(timed(their_run, cells))
        rows[f"{name}, {peer}"] = row
    return rows


def scaling(repeats: int, only: list[str]) -> tuple[Rows, Rows]:
    """Nanoseconds a cell by the side, many small ones in one call; and of 4000 x 4000 by the threads."""
    sizes: Rows = {}
    threads: Rows = {}
    print(f"| | {' | '.join(f'{side}' for side in SIZES)} | 4000, on 2 threads |\n|---" + "|--:" * 6 + "|")
    for name, facts in meiro.ALGORITHMS.items():
        if only and name not in only:
            continue

        def one(side: int, threads: int = 1, name: str = name) -> list[float]:
            shape, n = (side, side), BATCHES.get(side, 1)
            runs = min(repeats, 1 if side > 4000 or name in QUARTER else 3 if n > 1 else repeats)
            if n > 1:
                return [
                    timed(partial(meiro.generate_many, shape, name, n, rng=i), n * side**2)
                    for i in range(runs)
                ]
            call = partial(meiro.generate, shape, name, threads=threads)
            return [timed(partial(call, rng=i), side**2) for i in range(runs)]

        sizes[name] = {f"{side}": one(side) for side in SIZES if side <= 1000 or name not in WALKS}
        if facts.threads:
            threads[name] = {"1": sizes[name]["4000"], "2": one(4000, 2)}
        shown = [sizes[name].get(f"{side}") for side in SIZES] + [threads.get(name, {}).get("2")]
        print(
            f"| {name} | " + " | ".join(f"{statistics.median(x):.2f}" if x else "" for x in shown) + " |",
            flush=True,
        )
    return sizes, threads


def main() -> None:
    """Measure, or compare what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--side", type=int)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--graphs", action="store_true")
    parser.add_argument("--agents", action="store_true")
    parser.add_argument("--scaling", action="store_true")
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--surveys", action="store_true")
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--all", action="store_true", help="the two, --peers and --scaling")
    asked = parser.parse_args()
    reports: dict[str, Callable[[], object]] = {
        "agents": lambda: agents.report(asked.repeats),
        "graphs": lambda: graphs.report(asked.side or 1000, asked.repeats, one_round),
        "threads": lambda: shared_mazes.report(asked.side or 4000, asked.repeats, asked.only),
        "surveys": lambda: surveys.report(asked.n, asked.repeats, asked.only),
        "pictures": lambda: pictures.report(asked.repeats),
        "small": lambda: small_calls.report(asked.repeats, backtracker),
    }
    for name, report in reports.items():
        if getattr(asked, name):
            report()
            return
    tables: dict[str, Rows] = {}
    if asked.all or not (asked.peers or asked.scaling):
        tables["one core"] = measure(asked.side or 4000, asked.repeats, asked.only)
    if asked.all or asked.peers:
        tables["peers"] = beside_peers(asked.side or 1000, asked.repeats, asked.only)
    for title, rows in tables.items():
        print(f"{title}, median of {asked.repeats} rounds, one thread\n\n{table(rows)}\n")
    if asked.all or asked.scaling:
        tables["sizes"], tables["threads"] = scaling(asked.repeats, asked.only)
        shared = shared_mazes.report(4000, asked.repeats, asked.only)
        tables["threads"] |= {name: row for name, row in shared.items() if name not in tables["threads"]}
    if asked.json:
        result_files.write(asked.json, asked.repeats, tables)


if __name__ == "__main__":
    main()
