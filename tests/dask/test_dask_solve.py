"""`meiro.dask.solve` and `meiro.dask.distances`: as `meiro.solve` and `meiro.distances`, for any chunks."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import dask.array
import numpy as np
import pytest

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
            with pytest.raises(meiro.NoPathError, match="there is no path from"):
                meiro.dask.solve(passages, start, goal)
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


def test_wrong_arguments() -> None:
    passages = meiro.dask.generate((5, 6), "kruskal", rng=1, chunks=3)
    with pytest.raises(ValueError, match=r"start \(5, 0\) is outside: rows 0..4, cols 0..5"):
        meiro.dask.solve(passages, (5, 0), (0, 0))
    with pytest.raises(ValueError, match=r"goal \(0, 6\) is outside"):
        meiro.dask.solve(passages, (0, 0), (0, 6))
    with pytest.raises(ValueError, match=r"start \(0, -7\) is outside"):
        meiro.dask.distances(passages, (0, -7))
    with pytest.raises(TypeError, match="passages must be an array of Dask, not"):
        meiro.dask.solve(np.zeros((3, 4), np.uint8), (0, 0), (0, 0))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cell", "byte", "message"),
    [
        ((1, 1), 2, "chunk of .* at .0, 0.* open on one side only"),
        ((1, 2), 2, "across the border of the chunks at .0, 3.* open on one side only"),
        ((1, 1), 4, "across the border of the chunks at .2, 0.* open on one side only"),
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
    with pytest.raises(ValueError, match=message):
        meiro.dask.solve(ARRAYS.from_array(cells, chunks=(2, 3)), (0, 0), (0, 0))
    steps: Any = meiro.dask.distances(ARRAYS.from_array(cells, chunks=(2, 3)), (0, 0))
    with pytest.raises(ValueError, match=message):
        steps.compute(scheduler="sync")


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
