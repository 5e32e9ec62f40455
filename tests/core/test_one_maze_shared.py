"""One maze shared by threads: the same result for any number of them, also of more threads than rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from arbitrary_mazes import loose_maze
from periodic_mazes import WRAPS

import meiro

if TYPE_CHECKING:
    from collections.abc import Iterator

THREADS = (2, 3, 40)
SHAPES = ((1, 1), (1, 50), (17, 1), (31, 5), (33, 4), (64, 9), (150, 37))  # bands have 16 rows at least


def mazes(shape: tuple[int, int]) -> Iterator[meiro.Maze]:
    """Yield mazes of a shape: perfect, with loops, of several parts, masked, periodic."""
    rows, cols = shape
    for algorithm in ("wilson", "backtracker", "kruskal"):
        yield meiro.generate(shape, algorithm, rng=rows)
    yield meiro.braid(meiro.generate(shape, rng=cols), rng=1)
    for seed in range(3):
        yield loose_maze(rows, cols, seed)
        yield loose_maze(rows, cols, seed, holes=True)
    if min(shape) >= 3:
        for wrap in WRAPS:
            yield meiro.generate(shape, "kruskal", rng=2, wrap=wrap)
            yield meiro.generate(shape, "percolation", rng=3, wrap=wrap)
            mask = np.random.default_rng(rows).random(shape) < 0.9
            yield meiro.generate(shape, "percolation", rng=4, wrap=wrap, p=0.7, mask=mask)


@pytest.mark.parametrize("shape", SHAPES)
def test_check_is_the_same_for_any_number_of_threads(shape: tuple[int, int]) -> None:
    """Counts of mazes, and of arrays with rooms and islands across the borders of bands."""
    given: list[Any] = [x for maze in mazes(shape) for x in (maze, maze.grid)]
    given += [(np.random.default_rng(k).random(shape) < k / 8).astype(np.uint8) for k in range(9)]
    for x in given:
        alone = meiro.check(x)
        for threads in THREADS:
            assert meiro.check(x, threads=threads) == alone
