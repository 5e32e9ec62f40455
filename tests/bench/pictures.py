"""Pictures: nanoseconds of CPU time a pixel and bytes a file, by the size of the maze."""

from __future__ import annotations

import io
import time
from typing import TYPE_CHECKING

import meiro
from meiro.io.png import write_png

if TYPE_CHECKING:
    from meiro.results.solution import Solution

SIDES = (50, 100, 200, 300, 500, 700, 1000, 1400, 2000)


def report(repeats: int) -> None:
    """Print the table: each size plain and solved, the least of the rounds."""
    print("A picture of side x side cells, one pixel a site\n")
    print("| side | plain, ns a pixel | kB | solved, ns a pixel | kB |\n|--:|--:|--:|--:|--:|")
    for side in SIDES:
        maze = meiro.generate((side, side), "backtracker", rng=1)
        row = [f"{side}"]
        for solution in (None, meiro.solve(maze)):
            ns, size = _least(maze, solution, repeats)
            row += [f"{ns / (2 * side + 1) ** 2:.1f}", f"{size / 1000:,.0f}"]
        print("| " + " | ".join(row) + " |", flush=True)


def _least(maze: meiro.Maze, solution: Solution | None, repeats: int) -> tuple[int, int]:
    times = []
    for _ in range(repeats):
        file = io.BytesIO()
        begun = time.process_time_ns()
        write_png(file, maze, solution=solution)
        times.append(time.process_time_ns() - begun)
    return min(times), file.getbuffer().nbytes
