"""`meiro.dask.check`: the counts of `meiro.check`, for any chunks."""

from __future__ import annotations

from typing import Any

import dask.array
import numpy as np
import pytest

import meiro
import meiro.dask

ARRAYS: Any = dask.array  # parts of it have no types


@pytest.mark.parametrize("chunks", [-1, 1, (3, 5), ((1, 10, 1), (7, 8)), (12, 1), (1, 15)])
@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 0.7, 1.0])
def test_counts_are_those_of_check(chunks: object, p: float) -> None:
    for seed in range(2):
        maze = meiro.generate((12, 15), "percolation", rng=seed, p=p)
        found = meiro.dask.check(ARRAYS.from_array(maze.passages, chunks=chunks))
        report = meiro.check(maze)
        assert found[:3] == (report.perfect, report.regions, report.loops)
        assert found.cells == 180
        assert found.passages == int(np.bitwise_count(maze.passages).sum()) // 2


def test_a_generated_maze_is_perfect() -> None:
    made = meiro.dask.generate((700, 900), "prim", rng=4, chunks=(130, 170))
    assert meiro.dask.check(made) == (True, 1, 0, 630_000, 629_999)


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1)])
def test_small_mazes(shape: tuple[int, int]) -> None:
    made = meiro.dask.generate(shape, "kruskal", rng=4, chunks=2)
    assert meiro.dask.check(made).perfect


@pytest.mark.parametrize(
    ("cell", "byte", "message"),
    [
        ((1, 1), 2, "chunk of .* at .0, 0.* open on one side only"),
        ((1, 1), 4, "across the border of the chunks at .2, 0.* open on one side only"),
        ((0, 1), 1, "one leads out of the maze"),
        ((0, 1), 16, "is not of a maze"),
    ],
)
def test_what_is_not_a_maze(cell: tuple[int, int], byte: int, message: str) -> None:
    passages = np.zeros((4, 6), np.uint8)
    passages[cell] = byte
    with pytest.raises(ValueError, match=message):
        meiro.dask.check(ARRAYS.from_array(passages, chunks=(2, 3)))


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError, match="passages must be an array of Dask, not"):
        meiro.dask.check(np.zeros((3, 4), np.uint8))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="passages must be uint8, not int64"):
        meiro.dask.check(ARRAYS.zeros((3, 4), dtype=np.int64))
    with pytest.raises(ValueError, match=r"passages must have shape .* not \(3,\)"):
        meiro.dask.check(ARRAYS.zeros(3, dtype=np.uint8))
