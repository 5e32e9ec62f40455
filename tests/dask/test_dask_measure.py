"""`meiro.dask.measure`: the measures of `meiro.measure`, for any chunks."""

from __future__ import annotations

import math
from typing import Any

import dask.array
import numpy as np
import pytest

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


def test_wrong_arguments() -> None:
    made = meiro.dask.generate((5, 6), "kruskal", rng=1, chunks=3)
    with pytest.raises(ValueError, match="'diameter' needs the whole maze in memory; of an array of Dask"):
        meiro.dask.measure(made, ["cells", "diameter"])
    with pytest.raises(ValueError, match="no measure 'deadends'; did you mean 'dead_ends'"):
        meiro.dask.measure(made, "deadends")
    with pytest.raises(TypeError, match="passages must be an array of Dask, not"):
        meiro.dask.measure(np.zeros((3, 4), np.uint8))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one leads out of the maze"):
        meiro.dask.measure(ARRAYS.full((1, 4), 1, dtype=np.uint8), "cells")


@pytest.mark.long
@pytest.mark.usefixtures("client")
def test_on_a_cluster_of_processes() -> None:
    made = meiro.dask.generate((900, 700), "kruskal", rng=4, chunks=(200, 150))
    whole = meiro.generate((900, 700), "kruskal", rng=4)
    found = meiro.dask.measure(made)
    assert found == meiro.measure(whole, list(found))
    assert meiro.dask.check(made).perfect
