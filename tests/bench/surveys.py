"""Surveys: what counting adds to making, a million mazes, and the same task done by other libraries.

maze-dataset and mazelib are asked if they are installed (``pip install maze-dataset mazelib``, and
``'muutils<0.9'``, without which maze-dataset 1.4.2 cannot be imported). Their mazes are made one at a time;
the means of both are shown, so that one can see that it is the same task.
"""

from __future__ import annotations

import importlib
import statistics
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import meiro

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

DEGREES = ["dead_ends", "corridors", "junctions", "crossroads"]
TEN = [*DEGREES, "straights", "turns", "mean_dead_end", "river", "solution_length", "diameter"]
BOTH = ["dead_ends", "solution_length"]
SIDE = 10  # of the mazes of other libraries,
FEW = 100  # of which they make so many a round,
MANY = 50_000  # and meiro so many
SLOW = {"aldous_broder", "origin_shift", "growing_forest"}  # fewer mazes of these


def report(n: int, repeats: int, only: list[str]) -> None:
    """Print the three tables; `n` mazes in the second."""
    _fused(repeats, only)
    _many(n, repeats, only)
    _beside(repeats, only)


def _seconds(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def _fused(repeats: int, only: list[str]) -> None:
    """Making alone into memory that is there, and a survey of degrees, in turn; the median ratio."""
    print("Degrees counted with making, one thread: ns a cell made, and times as long when counted")
    print("\n| | 16 x 16 | counted | 1000 x 1000 | counted |\n|---|--:|--:|--:|--:|")
    for name in [x for x in meiro.ALGORITHMS if not only or x in only]:
        words = [name]
        for side, n in ((16, 60_000), (1000, 8)):
            count = max(n // 8, 1) if name in SLOW else n
            room = np.ones((count, side, side), np.uint8)
            made, ratios = [], []
            for i in range(repeats):
                alone = _seconds(partial(meiro.generate_many, (side, side), name, count, rng=i, out=room))
                asked = partial(meiro.survey, (side, side), name, count, rng=i, measures=DEGREES)
                ratios.append(_seconds(asked) / alone)
                made.append(alone / room.size * 1e9)
            words += [f"{statistics.median(made):.2f}", f"{statistics.median(ratios):.2f}"]
        print(f"| {' | '.join(words)} |", flush=True)


def _many(n: int, repeats: int, only: list[str]) -> None:
    """Ten measures of many mazes, on one thread and on two in turn."""
    print(f"\n{n:,} mazes of 16 x 16, ten measures: seconds")
    print("\n| | 1 thread | 2 threads | times as fast |\n|---|--:|--:|--:|")
    for name in [x for x in ("wilson", "kruskal") if not only or x in only]:
        times: dict[int, list[float]] = {1: [], 2: []}
        for i in range(repeats):
            for threads, taken in times.items():
                asked = partial(meiro.survey, (16, 16), name, n, rng=i, measures=TEN, threads=threads)
                taken.append(_seconds(asked))
        one, two = map(statistics.median, times.values())
        ratio = statistics.median(a / b for a, b in zip(*times.values(), strict=True))
        print(f"| {name} | {one:.1f} | {two:.1f} | {ratio:.2f} |", flush=True)


def _beside(repeats: int, only: list[str]) -> None:
    """Dead ends and length of the solution of mazes of 10 x 10: microseconds a maze."""
    made = {key: make for key, make in _peers().items() if not only or key[0] in only}
    if not made:
        print("\nNeither maze-dataset nor mazelib is installed.")
        return
    print(f"\nDead ends and length of the solution, {SIDE} x {SIDE}, one thread: microseconds a maze")
    print("\n| | theirs | meiro | times as fast | means of theirs | of meiro |\n|---|--:|--:|--:|--:|--:|")
    for (name, peer), make in made.items():
        theirs, ours, ratios = [], [], []
        found: list[tuple[int, int]] = []
        for i in range(repeats):
            theirs.append(_seconds(partial(_several, make, found)) / FEW)
            asked = partial(meiro.survey, (SIDE, SIDE), name, MANY, rng=i, measures=BOTH)
            ours.append(_seconds(asked) / MANY)
            ratios.append(theirs[-1] / ours[-1])
        words = [f"{statistics.median(x) * 1e6:.2f}" for x in (theirs, ours)]
        words += [f"{statistics.median(ratios):,.0f}"]
        means = meiro.survey((SIDE, SIDE), name, MANY, rng=7, measures=BOTH)["mean"]
        words += [" and ".join(f"{x:.1f}" for x in pair) for pair in (np.mean(found, axis=0), means)]
        print(f"| {name}, {peer} | {' | '.join(words)} |", flush=True)


def _several(make: Callable[[], tuple[int, int]], found: list[tuple[int, int]]) -> None:
    found += (make() for _ in range(FEW))


def _peers() -> dict[tuple[str, str], Callable[[], tuple[int, int]]]:
    """Return (our name, peer) -> dead ends and length of the solution of one maze of theirs."""
    found: dict[tuple[str, str], Callable[[], tuple[int, int]]] = {}
    for name, method, module in (("wilson", "gen_wilson", "Wilsons"), ("kruskal", "gen_kruskal", "Kruskal")):
        for peer, make, which in (("maze-dataset", _dataset, method), ("mazelib", _mazelib, module)):
            try:
                found[name, peer] = make(which)
            except ImportError:
                continue
    return found


def _dataset(method: str) -> Callable[[], tuple[int, int]]:
    library = importlib.import_module("maze_dataset.generation")
    make, shape = getattr(library.LatticeMazeGenerators, method), np.array([SIDE, SIDE])

    def run() -> tuple[int, int]:
        maze = make(shape)
        path = maze.find_shortest_path((0, 0), (SIDE - 1, SIDE - 1))
        return int((maze.coord_degrees() == 1).sum()), len(path) - 1

    return run


def _mazelib(module: str) -> Callable[[], tuple[int, int]]:
    library = importlib.import_module("mazelib")
    generator = getattr(importlib.import_module(f"mazelib.generate.{module}"), module)
    solver = importlib.import_module("mazelib.solve.ShortestPath").ShortestPath

    def run() -> tuple[int, int]:
        maze = library.Maze()
        maze.generator, maze.solver = generator(SIDE, SIDE), solver()
        maze.generate()
        maze.start, maze.end = (1, 0), (2 * SIDE - 1, 2 * SIDE)  # in the rim, beside the corners
        maze.solve()
        return _dead_ends(maze.grid), (len(maze.solutions[0]) - 1) // 2  # two sites a step

    return run


def _dead_ends(grid: NDArray[Any]) -> int:
    road = (grid == 0).astype(np.int8)
    ways = road[:-1:2, 1::2] + road[2::2, 1::2] + road[1::2, :-1:2] + road[1::2, 2::2]
    return int((ways == 1).sum())
