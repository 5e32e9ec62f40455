"""Calls on mazes of 10 x 10 cells, one at a time, in microseconds: what a training loop pays for a maze.

The limits hold on a machine where the yardstick's backtracker takes 32 ns a cell at side 4000; they are
scaled by what it takes here, in the same run. Processor time, so that other work on the machine counts less.
"""

from __future__ import annotations

import statistics
import time
import timeit
from typing import TYPE_CHECKING

import meiro

if TYPE_CHECKING:
    from collections.abc import Callable

YARDSTICK = 32.0
"""Nanoseconds a cell of the yardstick's backtracker where the limits hold as they are."""


def calls() -> dict[str, tuple[float, Callable[[], object]]]:
    """Name -> limit in microseconds, and the call."""
    maze = meiro.generate((10, 10), rng=7)
    seed, passages, grid = maze.seed, maze.passages.copy(), maze.grid.copy()
    return {
        "generate((10, 10), rng=seed)": (8, lambda: meiro.generate((10, 10), rng=seed)),
        "generate((10, 10), rng=7)": (14, lambda: meiro.generate((10, 10), rng=7)),
        "solve(maze)": (15, lambda: meiro.solve(maze)),
        "distances(maze, (0, 0))": (15, lambda: meiro.distances(maze, (0, 0))),
        "solve(grid, start, goal)": (25, lambda: meiro.solve(grid, (1, 1), (19, 19))),
        "Maze(passages)": (10, lambda: meiro.Maze(passages)),
        "maze.to_grid()": (6, maze.to_grid),
    }


def report(repeats: int, yardstick: Callable[[], float]) -> None:
    """Print the table; `yardstick()` returns the nanoseconds a cell of the yardstick's backtracker."""
    scale = yardstick() / YARDSTICK
    print(f"yardstick {scale * YARDSTICK:.1f} ns a cell: limits times {scale:.2f}; median of {repeats}\n")
    print("| call | us | limit, us |\n|---|--:|--:|")
    for name, (limit, call) in calls().items():
        times = timeit.repeat(call, number=2000, repeat=repeats, timer=time.process_time)
        print(f"| `{name}` | {statistics.median(times) / 2000 * 1e6:.1f} | {limit * scale:.1f} |")
