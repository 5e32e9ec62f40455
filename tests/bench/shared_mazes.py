"""Calls that share one maze among threads, on one and on two, and a copy of as many bytes by two threads.

What only moves bytes is as fast as the memory lets it be: the copy says how fast that is.
"""

from __future__ import annotations

import statistics
import time
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np

import meiro

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

MEASURES = ("cells", "mean_dead_end", "diameter", "wiener_index")


def _copy(given: NDArray[np.uint8], out: NDArray[np.uint8] | None, threads: int) -> None:
    to = np.empty_like(given) if out is None else out
    cuts = [len(given) * k // threads for k in range(threads + 1)]
    parts = [slice(*cuts[k : k + 2]) for k in range(threads)]
    workers = [Thread(target=np.copyto, args=(to[part], given[part])) for part in parts]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def calls(side: int) -> dict[str, Callable[..., object]]:
    """Name -> a call that takes ``threads=``."""
    shape = side, side
    given, held = np.ones(shape, np.uint8), np.zeros(shape, np.uint8)
    found: dict[str, Callable[..., object]] = {
        "copy, memory in use": partial(_copy, given, held),
        "copy, fresh memory": partial(_copy, given, None),
    }
    for name in ("binary_tree", "sidewinder", "percolation", "pole_toppling"):
        found[name] = partial(meiro.generate, shape, name, rng=1)
    mazes = {name: meiro.generate(shape, name, rng=1) for name in ("wilson", "backtracker")}
    mazes["braided"] = meiro.braid(mazes["wilson"], 0.5, rng=1)
    found["remove_islands, braided"] = partial(meiro.remove_islands, mazes["braided"], rng=1)
    for name, maze in mazes.items():
        found |= {
            f"braid, {name}": partial(meiro.braid, maze, rng=1),
            f"check, {name}": partial(meiro.check, maze),
            f"dead_end_filling, {name}": partial(meiro.solve, maze, algorithm="dead_end_filling"),
            f"fill_dead_ends, {name}": partial(meiro.fill_dead_ends, maze),
            f"measure, {name}": partial(meiro.measure, maze),
        }
    for measure in MEASURES:
        found[f"measure {measure}, wilson"] = partial(meiro.measure, mazes["wilson"], measure)
    rng = np.random.default_rng(1)
    rooms = {"an open room": np.zeros(shape, np.uint8), "a room of 5 % obstacles": rng.random(shape) < 0.05}
    for name, room in rooms.items():
        room[:2, :2] = room[-2:, -2:] = 0
        found[f"distances, {name}"] = partial(meiro.distances, room, (0, 0))
        found[f"bfs, {name}"] = partial(meiro.solve, room, (0, 0), (-1, -1), algorithm="bfs")
    half = meiro.generate((side // 2, side // 2), "backtracker", rng=1)
    return found | {"to_grid, of half the side": half.to_grid}


def report(side: int, repeats: int, only: list[str]) -> dict[str, dict[str, list[float]]]:
    """Print nanoseconds a cell, the best of the rounds; return those of all rounds by the threads."""
    rows: dict[str, dict[str, list[float]]] = {}
    print(
        f"\n| {side} x {side} | 1 thread, ns a cell | 2 threads | times as fast | CPU time |\n|---"
        + "|--:" * 4
        + "|"
    )
    for name, call in calls(side).items():
        if only and not any(name.startswith(word) for word in only):
            continue
        times: dict[str, list[float]] = {"1": [], "2": []}
        busy: dict[str, list[float]] = {"1": [], "2": []}
        for _ in range(repeats):
            for threads in (1, 2):
                begun, used = time.perf_counter_ns(), time.process_time_ns()
                call(threads=threads)
                times[f"{threads}"].append((time.perf_counter_ns() - begun) / side**2)
                busy[f"{threads}"].append((time.process_time_ns() - used) / side**2)
        one, two = (min(x) for x in times.values())
        cpu = statistics.median(busy["2"]) / statistics.median(busy["1"])
        print(f"| {name} | {one:.2f} | {two:.2f} | {one / two:.2f} | {cpu:.2f} |", flush=True)
        rows[name] = times
    return rows
