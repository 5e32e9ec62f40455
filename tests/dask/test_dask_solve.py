"""`meiro.dask.solve` and `meiro.dask.distances`: as `meiro.solve` and `meiro.distances`, for any chunks."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import dask.array
import numpy as np
import pytest
from dask.base import optimize
from refusals import refused

import meiro
import meiro.dask

ARRAYS: Any = dask.array  # parts of it have no types
CHUNKS = [-1, (3, 5), ((1, 10, 1), (7, 8)), (12, 1), (1, 15), (4, 1), ((5, 7), (1, 13, 1))]
PERFECT = ("wilson", "spiral", "binary_tree")
ENDS = [((0, 0), (11, 14)), ((5, 7), (5, 8)), ((11, 0), (0, 14)), ((4, 4), (4, 4))]


def chunked(maze: meiro.Maze, chunks: object) -> Any:
    return ARRAYS.from_array(maze.passages, chunks=chunks)


def masked() -> meiro.Maze:
    mask = np.ones((12, 15), np.bool_)
    mask[3:6, 2:11] = mask[8, 8:] = False
    maze = meiro.generate((12, 15), "wilson", mask=mask, rng=3)
    return meiro.Maze(maze.passages)


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("algorithm", PERFECT)
def test_paths_and_distances_of_perfect_mazes(algorithm: str, chunks: object) -> None:
    maze = meiro.generate((12, 15), algorithm, rng=3)
    passages = chunked(maze, chunks)
    for start, goal in ENDS:
        path = meiro.dask.solve(passages, start, goal)
        assert path.dtype == np.int64
        np.testing.assert_array_equal(path, meiro.solve(maze, start, goal).path)
        steps: Any = meiro.dask.distances(passages, start)
        whole = meiro.distances(maze, start)
        assert steps.chunks == passages.chunks
        found = steps.compute(scheduler="sync")
        assert found.dtype == steps.dtype == whole.dtype
        np.testing.assert_array_equal(found, whole)


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("p", [0.45, 0.6, 1.0, None])
def test_loops_and_several_components(p: float | None, chunks: object) -> None:
    maze = masked() if p is None else meiro.generate((12, 15), "percolation", p=p, rng=5)
    passages = chunked(maze, chunks)
    for start, goal in ENDS:
        whole = meiro.distances(maze, start)
        np.testing.assert_array_equal(meiro.dask.distances(passages, start), whole)
        if whole[goal] < 0:
            refused(meiro.NoPathError, "there is no path from", meiro.dask.solve, passages, start, goal)
            continue
        path = meiro.dask.solve(passages, start, goal)
        assert len(path) == whole[goal] + 1
        assert [tuple(path[0].tolist()), tuple(path[-1].tolist())] == [start, goal]
        moves = np.diff(path, axis=0)
        bits = {(-1, 0): 1, (0, 1): 2, (1, 0): 4, (0, -1): 8}
        for (row, col), move in zip(path[:-1].tolist(), moves.tolist(), strict=True):
            assert maze.passages[row, col] & bits[tuple(move)]


def test_chunks_of_one_cell() -> None:
    maze = meiro.generate((4, 5), "wilson", rng=3)
    passages = chunked(maze, 1)
    whole = meiro.solve(maze, (0, 0), (3, 4)).path
    np.testing.assert_array_equal(meiro.dask.solve(passages, (0, 0), (3, 4)), whole)
    np.testing.assert_array_equal(meiro.dask.distances(passages, (1, 1)), meiro.distances(maze, (1, 1)))


def test_a_maze_that_is_made_by_dask() -> None:
    passages = meiro.dask.generate((300, 500), "kruskal", rng=7, chunks=((100, 1, 199), 120))
    whole = meiro.generate((300, 500), "kruskal", rng=7)
    path = meiro.dask.solve(passages, (-1, 3), (7, -2))
    np.testing.assert_array_equal(path, meiro.solve(whole, (-1, 3), (7, -2)).path)
    steps: Any = meiro.dask.distances(passages, (-1, 3))
    np.testing.assert_array_equal(steps, meiro.distances(whole, (-1, 3)))
    window = steps[100:140, 400:].compute(scheduler="sync")
    np.testing.assert_array_equal(window, meiro.distances(whole, (-1, 3))[100:140, 400:])


def of_two_halves(array: Any) -> Any:
    return ARRAYS.block([[array[:5, :8], array[:5, 8:]], [array[5:, :8], array[5:, 8:]]])


SAME: dict[str, Callable[[Any], Any]] = {
    "rechunked": lambda array: array.rechunk((7, 9)),
    "strided": lambda array: ARRAYS.repeat(array, 2, 0)[::2],
    "flipped": lambda array: array[::-1][::-1],
    "of two halves": of_two_halves,
    "one of a stack": lambda array: ARRAYS.stack([array, array])[1],
    "mapped": lambda array: array.map_blocks(np.copy),
    "in memory": lambda array: array.rechunk((7, 9)).persist(scheduler="sync"),
    "optimized": lambda array: optimize(array.rechunk((7, 9)))[0],  # type: ignore[no-untyped-call]
}


@pytest.mark.parametrize("same", SAME)
@pytest.mark.parametrize("source", ["memory", "dask.generate"])
def test_arrays_that_are_computed_from_others(source: str, same: str) -> None:
    maze = meiro.generate((12, 15), "kruskal", rng=3)
    made = meiro.dask.generate((12, 15), "kruskal", rng=3, chunks=5)
    passages = SAME[same](chunked(maze, 5) if source == "memory" else made)
    np.testing.assert_array_equal(meiro.dask.distances(passages, (0, 0)), meiro.distances(maze, (0, 0)))
    path = meiro.dask.solve(passages, (0, 0), (11, 14))
    np.testing.assert_array_equal(path, meiro.solve(maze, (0, 0), (11, 14)).path)


def test_chunks_are_made_again_when_all_are_known() -> None:
    made = []

    def noted(block: Any, block_info: Any) -> Any:
        made.append(tuple(block_info[0]["chunk-location"]))
        return block

    maze = meiro.generate((12, 15), "kruskal", rng=3)
    passages = ARRAYS.map_blocks(noted, chunked(maze, 5), dtype=np.uint8, meta=np.empty((0, 0), np.uint8))
    steps: Any = meiro.dask.distances(passages.rechunk((12, 5)), (0, 0))
    np.testing.assert_array_equal(steps.compute(scheduler="sync"), meiro.distances(maze, (0, 0)))
    places = sorted(np.ndindex(3, 3))
    assert sorted(made[:9]) == sorted(made[9:]) == places


@pytest.mark.clock
def test_time_of_the_graph_is_linear_in_the_number_of_chunks() -> None:
    import time

    def shortest(side: int) -> float:
        passages = meiro.dask.generate((10 * side, 10 * side), "kruskal", rng=3, chunks=10)
        times = []
        for _ in range(3):
            begin = time.perf_counter()
            meiro.dask.distances(passages, (0, 0))
            times.append(time.perf_counter() - begin)
        return min(times)

    assert shortest(32) < 8 * shortest(16)  # 4; it was 10 when each chunk had the whole graph optimized


def test_wrong_arguments() -> None:
    passages = meiro.dask.generate((5, 6), "kruskal", rng=1, chunks=3)
    with pytest.raises(ValueError, match=r"start \(5, 0\) is outside: rows 0..4, cols 0..5"):
        meiro.dask.solve(passages, (5, 0), (0, 0))
    refused(ValueError, r"goal \(0, 6\) is outside", meiro.dask.solve, passages, (0, 0), (0, 6))
    refused(ValueError, r"start \(0, -7\) is outside", meiro.dask.distances, passages, (0, -7))
    with pytest.raises(TypeError, match="passages must be an array of Dask, not"):
        meiro.dask.solve(np.zeros((3, 4), np.uint8), (0, 0), (0, 0))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cell", "byte", "message"),
    [
        ((1, 1), 2, "part of .* at .0, 0.* open on one side only"),
        ((1, 2), 2, "across the border of the parts at .0, 3.* open on one side only"),
        ((1, 1), 4, "across the border of the parts at .2, 0.* open on one side only"),
        ((0, 1), 1, "one leads out of the maze"),
        ((2, 5), 2, "one leads out of the maze"),
        ((3, 1), 4, "one leads out of the maze"),
        ((1, 0), 8, "one leads out of the maze"),
        ((0, 1), 16, "is not of a maze"),
    ],
)
def test_what_is_not_a_maze(cell: tuple[int, int], byte: int, message: str) -> None:
    cells = np.zeros((4, 6), np.uint8)
    cells[cell] = byte
    refused(ValueError, message, meiro.dask.solve, ARRAYS.from_array(cells, chunks=(2, 3)), (0, 0), (0, 0))
    steps: Any = meiro.dask.distances(ARRAYS.from_array(cells, chunks=(2, 3)), (0, 0))
    refused(ValueError, message, steps.compute, scheduler="sync")


@pytest.mark.long
def test_an_array_that_a_cluster_holds(client: Any) -> None:
    maze = meiro.generate((12, 15), "kruskal", rng=3)
    passages = client.persist(chunked(maze, 5).rechunk((7, 9)))
    np.testing.assert_array_equal(meiro.dask.distances(passages, (0, 0)), meiro.distances(maze, (0, 0)))


@pytest.mark.long
def test_on_a_cluster_of_processes_a_worker_may_be_killed(client: Any) -> None:
    passages: Any = meiro.dask.generate((3000, 4000), "kruskal", rng=4, chunks=(300, 500))
    whole = meiro.generate((3000, 4000), "kruskal", rng=4)
    ends = (0, 0), (2999, 3999)
    steps = client.compute(meiro.dask.distances(passages, ends[0]))
    processes = client.run(os.getpid)
    threading.Timer(0.7, os.kill, (next(iter(processes.values())), signal.SIGKILL)).start()
    path = meiro.dask.solve(passages, *ends)
    np.testing.assert_array_equal(path, meiro.solve(whole, *ends).path)
    np.testing.assert_array_equal(steps.result(timeout=100), meiro.distances(whole, ends[0]))
    assert set(client.run(os.getpid).values()) != set(processes.values())
