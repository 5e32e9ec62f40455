"""The spiral and the serpentine: one corridor through every cell, the same for every seed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.spiral_serpentine import serpentine, spiral

import meiro

SLOW = {"spiral": spiral, "serpentine": serpentine}
sides = st.integers(1, 40)


def test_spiral_and_serpentine_alone_are_not_random() -> None:
    assert {name for name, facts in meiro.ALGORITHMS.items() if not facts.random} == set(SLOW)


@pytest.mark.parametrize("name", SLOW)
def test_spiral_and_serpentine_are_the_slow_ones(name: str) -> None:
    for rows, cols in np.ndindex(12, 12):
        shape = (rows + 1, cols + 1)
        way = [r * shape[1] + c for r, c in SLOW[name](*shape)]
        passages = meiro.Maze.from_edges(shape, np.array([*pairwise(way)]).reshape(-1, 2)).passages
        assert (meiro.generate(shape, name).passages == passages).all(), shape


@pytest.mark.parametrize("name", SLOW)
@given(rows=sides, cols=sides, seed=st.integers(0, 1000))
def test_spiral_and_serpentine_visit_every_cell(name: str, rows: int, cols: int, seed: int) -> None:
    maze = meiro.generate((rows, cols), name, rng=seed)
    assert maze == meiro.generate((rows, cols), name, rng=seed + 1)
    assert maze.is_perfect
    ends = [divmod(int(at), cols) for at in np.flatnonzero(np.isin(maze.passages, (0, 1, 2, 4, 8)))]
    assert len(ends) == (2 if rows * cols > 1 else 1)
    assert ends[0] == (0, 0) or maze.passages[0, 0] in {1, 2, 4, 8}
    first, last = (ends[0], ends[-1]) if ends[0] == (0, 0) else (ends[-1], ends[0])
    assert first == (0, 0)
    assert meiro.solve(maze, first, last).length == rows * cols - 1


@pytest.mark.parametrize("shape", [(3, 1_200_000), (1_200_000, 3), (1100, 1101)], ids=str)
def test_spiral_and_serpentine_of_large_shapes(shape: tuple[int, int]) -> None:
    for name in SLOW:
        maze = meiro.generate(shape, name)
        assert maze.is_perfect
        assert (maze.passages != 0).all()
        assert np.isin(maze.passages, (1, 2, 4, 8)).sum() == 2
