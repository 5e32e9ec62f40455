"""Ctrl-C is answered at once while large mazes are converted, written and read."""

from __future__ import annotations

import functools
import itertools
import signal
import time
from typing import TYPE_CHECKING

import pytest
import timing

import meiro

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

SIDE = 1200


@functools.cache
def maze() -> meiro.Maze:
    return meiro.generate((SIDE, SIDE), "kruskal", rng=1)


@functools.cache
def batch() -> meiro.MazeBatch:
    return meiro.generate_many((10, 10), "wilson", SIDE**2 // 100, rng=1, threads=2)


@functools.cache
def numbers(name: str) -> NDArray[np.int64]:
    """Return the edges or walls of the maze."""
    found: NDArray[np.int64] = getattr(maze(), name)()
    return found


def reopened(folder: Path, suffix: str) -> meiro.MazeBatch:
    path = folder / f"kept{suffix}"
    if not path.exists():
        batch().save(path)
    return meiro.MazeBatch.open(path)


CALLS: dict[str, Callable[[Path], object]] = {
    "to_dot": lambda _: maze().to_dot(),
    "to_svg": lambda _: maze().to_svg(),
    "edges": lambda _: maze().edges(),
    "from_edges": lambda _: meiro.Maze.from_edges((SIDE, SIDE), numbers("edges")),
    "from_wall_ids": lambda _: meiro.Maze.from_wall_ids((SIDE, SIDE), numbers("wall_ids")),
    **{
        f"save {suffix}": lambda folder, suffix=suffix: maze().save(folder / f"x{suffix}")  # type: ignore[misc]
        for suffix in (".dot", ".npz", ".npy", ".csv", ".svg", ".png")
    },
    "save .pdf": lambda folder: maze().save(folder / "x.pdf", page="fit", mm=0.5),
    **{
        f"save a batch {suffix}": lambda folder, suffix=suffix: batch().save(folder / f"many{suffix}")  # type: ignore[misc]
        for suffix in (".npz", ".zarr")
    },
    **{
        f"open a batch {suffix}": lambda folder, suffix=suffix: reopened(folder, suffix)  # type: ignore[misc]
        for suffix in (".npz", ".zarr")
    },
}


def longest_pause(call: Callable[[], object]) -> float:
    """Return the longest time between two runs of a signal handler of Python."""
    ticks: list[float] = []
    before = signal.signal(signal.SIGALRM, lambda *_: ticks.append(time.perf_counter()))
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    ticks.append(time.perf_counter())
    try:
        call()
    finally:
        ticks.append(time.perf_counter())
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return max(later - tick for tick, later in itertools.pairwise(ticks))


@pytest.mark.clock
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="timers of POSIX")
@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_does_not_wait_for_a_file(name: str, tmp_path: Path) -> None:
    CALLS[name](tmp_path)  # what it needs is made
    assert timing.best(lambda: longest_pause(lambda: CALLS[name](tmp_path)), timing.ANSWER) < timing.ANSWER
