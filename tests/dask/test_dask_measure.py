"""`meiro.dask.measure` and `check`: the same as of `meiro`, for any chunks."""

from __future__ import annotations

import math
from typing import Any

import dask.array
import numpy as np
import pytest
from refusals import refused

import meiro
import meiro.dask

ARRAYS: Any = dask.array  # parts of it have no types
CHUNKS = [-1, 1, (3, 5), ((1, 10, 1), (7, 8)), (12, 1), (1, 15), ((5, 7), (1, 13, 1))]
MADE: dict[str, Any] = {
    **{name: {} for name in ("kruskal", "wilson", "eller", "sidewinder", "recursive_division", "spiral")},
    "percolation": {"p": 0.55},
    "growing_forest": {"trees": 4},
}


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("algorithm", MADE)
def test_values_are_those_of_measure(algorithm: str, chunks: object) -> None:
    maze = meiro.generate((12, 15), algorithm, rng=3, **MADE[algorithm])
    found = meiro.dask.measure(ARRAYS.from_array(maze.passages, chunks=chunks))
    assert len(found) == 17
    assert found == meiro.measure(maze, list(found))
    assert [type(value) for value in found.values()] == [
        int if meiro.MEASURES[name].kind == "int" else float for name in found
    ]


def test_a_maze_in_memory_of_no_one_process() -> None:
    made = meiro.dask.generate((700, 900), "prim", rng=4, chunks=((130, 1, 569), 170))
    whole = meiro.generate((700, 900), "prim", rng=4)
    found = meiro.dask.measure(made, ["leaves", "straights", "crossroads"])
    assert list(found) == ["dead_ends", "straights", "crossroads"]
    assert found == meiro.measure(whole, list(found))


@pytest.mark.parametrize("shape", [(1, 1), (2, 3)])
def test_undefined_measures_have_reasons(shape: tuple[int, int]) -> None:
    cells = np.zeros(shape, np.uint8)
    found = meiro.dask.measure(ARRAYS.from_array(cells, chunks=1))
    assert math.isnan(found.pop("horizontal_share"))
    assert found.reasons == {"horizontal_share": "there are no passages"}
    assert found == meiro.measure(meiro.Maze(cells), list(found))


# Checked


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 0.7, 1.0])
def test_counts_are_those_of_check(chunks: object, p: float) -> None:
    for seed in range(2):
        maze = meiro.generate((12, 15), "percolation", rng=seed, p=p)
        found = meiro.dask.check(ARRAYS.from_array(maze.passages, chunks=chunks))
        report = meiro.check(maze)
        assert found[:3] == (report.perfect, report.regions, report.loops)
        assert found.cells == 180
        assert found.passages == int(np.bitwise_count(maze.passages).sum()) // 2


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1)])
def test_small_mazes_are_perfect(shape: tuple[int, int]) -> None:
    made = meiro.dask.generate(shape, "kruskal", rng=4, chunks=2)
    assert meiro.dask.check(made).perfect


def test_what_is_not_a_maze() -> None:
    for cell, byte, message in (
        ((1, 1), 2, "chunk of .* at .0, 0.* open on one side only"),
        ((1, 1), 4, "across the border of the chunks at .2, 0.* open on one side only"),
        ((0, 1), 1, "one leads out of the maze"),
        ((0, 1), 16, "is not of a maze"),
    ):
        passages = np.zeros((4, 6), np.uint8)
        passages[cell] = byte
        refused(ValueError, message, meiro.dask.check, ARRAYS.from_array(passages, chunks=(2, 3)))


def test_wrong_arguments() -> None:
    made = meiro.dask.generate((5, 6), "kruskal", rng=1, chunks=3)
    measure, check = meiro.dask.measure, meiro.dask.check
    refused(ValueError, "'diameter' needs the whole maze in memory; of an arra", measure, made, "diameter")
    refused(ValueError, "no measure 'deadends'; did you mean 'dead_ends'", measure, made, "deadends")
    refused(ValueError, "one leads out of the maze", measure, ARRAYS.full((1, 4), 1, dtype=np.uint8), "cells")
    for call in (measure, check):
        refused(TypeError, "passages must be an array of Dask, not", call, np.zeros((3, 4), np.uint8))
    refused(TypeError, "passages must be uint8, not int64", check, ARRAYS.zeros((3, 4), dtype=np.int64))
    refused(ValueError, r"passages must have shape .* not \(3,\)", check, ARRAYS.zeros(3, dtype=np.uint8))


@pytest.mark.long
@pytest.mark.usefixtures("client")
def test_on_a_cluster_of_processes() -> None:
    made = meiro.dask.generate((900, 700), "kruskal", rng=4, chunks=(200, 150))
    whole = meiro.generate((900, 700), "kruskal", rng=4)
    found = meiro.dask.measure(made)
    assert found == meiro.measure(whole, list(found))
    assert meiro.dask.check(made).perfect
