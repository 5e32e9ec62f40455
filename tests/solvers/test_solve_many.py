"""Many mazes solved at once, compared with one by one."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from refusals import refused
from some_batches import SQUARES

import meiro
from meiro import Maze
from meiro._utils import memory

BATCHES = SQUARES | {
    "in several portions": lambda: meiro.generate_many((70, 70), "sidewinder", 50, rng=3),
}


def alone(maze: Maze, start: Any, goal: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The path of meiro.solve, in cells and in sites."""
    try:
        found = meiro.solve(maze, start, goal)
    except ValueError:  # no path, or an end that is masked out
        return np.empty((0, 2), np.int64), np.empty((0, 2), np.int64)
    return found.path, found.grid_path


@pytest.mark.parametrize("threads", [None, 3])
@pytest.mark.parametrize("kind", BATCHES)
def test_solve_many_is_solve_of_each(kind: str, threads: int | None) -> None:
    batch = BATCHES[kind]()
    n = len(batch)
    starts, goals = np.random.default_rng(0).integers(0, batch.shape, (2, n, 2))
    given: tuple[tuple[Any, Any], ...] = ((None, None), (starts, goals), ((-1, 0), None), ((0, 0), (0, 0)))
    for ends in given:
        many = meiro.solve_many(batch, *ends, paths=True, threads=threads)
        assert (many.lengths == meiro.solve_many(batch, *ends).lengths).all()
        paths, grid_paths, masks = many.paths, many.grid_paths, many.masks
        assert paths is not None
        assert grid_paths is not None
        assert masks is not None
        assert (many.shape, masks.shape) == (batch.shape, batch.grids.shape)
        assert [str(array.dtype) for array in (grid_paths, masks)] == ["int32", "bool"]
        each = [end if isinstance(end, np.ndarray) else [end] * n for end in ends]
        wanted = [alone(*one) for one in zip(batch, *each, strict=True)]
        assert many.lengths.tolist() == [len(path) - 1 for path, _ in wanted]
        for found, slow in (
            (paths, [path for path, _ in wanted]),
            (grid_paths, [sites for _, sites in wanted]),
        ):
            assert found.shape == (n, max(map(len, slow), default=0), 2)
            for one, path in zip(found, slow, strict=True):
                assert (one[: len(path)] == path).all()
                assert (one[len(path) :] == -1).all()
        for mask, (_, sites) in zip(masks, wanted, strict=True):
            assert set(map(tuple, np.argwhere(mask).tolist())) == set(map(tuple, sites.tolist()))
    unasked = meiro.solve_many(batch)
    assert (unasked.paths, unasked.grid_paths, unasked.masks) == (None, None, None)


def test_solve_many_of_an_empty_batch() -> None:
    nothing: list[Maze] = []
    for empty in (nothing, meiro.generate_many((3, 3), n=0, rng=1)):
        found = meiro.solve_many(empty, paths=True)
        assert found.lengths.shape == (0,)
        assert found.paths is not None
        assert found.paths.shape == (0, 0, 2)
        assert repr(found) == "<SolutionBatch: 0 of 0 mazes>"


def test_solution_batch_says_how_many_mazes_are_solved() -> None:
    mazes = [Maze([[2, 10, 8]]), Maze([[2, 8, 0]]), Maze([[2, 10, 8]])]
    assert repr(meiro.solve_many(mazes)) == "<SolutionBatch: 2 of 3 mazes, the longest of 2 steps>"
    assert repr(meiro.solve_many(mazes[1:2])) == "<SolutionBatch: 0 of 1 mazes>"


def test_solution_batch_is_frozen_and_pickled() -> None:
    found = meiro.solve_many(meiro.generate_many((3, 3), n=3, rng=1), paths=True)
    assert found.paths is not None
    assert found.masks is not None
    for array in (found.lengths, found.paths, found.masks):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert (pickle.loads(pickle.dumps(found)).paths == found.paths).all()  # noqa: S301  # our own


def test_solve_many_asks_for_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = meiro.generate_many((1, 90_000), "sidewinder", 200, rng=1)
    monkeypatch.setattr(memory, "available", lambda: 1 << 20)
    refused(MemoryError, "the paths of 200 mazes takes", meiro.solve_many, batch, paths=True)


def test_solve_many_refuses_bad_arguments() -> None:
    batch = meiro.generate_many((2, 2), n=3, rng=1)
    for starts, error, words in (
        ((0, 2), ValueError, r"starts \(0, 2\) of maze 0 is outside: rows 0\.\.1, cols 0\.\.1 \(cells\)"),
        ([(0, 0), (-3, 0), (5, 5)], ValueError, r"starts \(-3, 0\) of maze 1 is outside"),
        ([(0, 0), (1, 1)], ValueError, r"of shape \(3, 2\), one for each maze, not \(2, 2\)"),
        (7, ValueError, r"not \(\)"),
        ((0.5, 1), TypeError, "starts must be integers, not float64"),
        ((True, False), TypeError, "starts must be integers, not bool"),
    ):
        refused(error, words, meiro.solve_many, batch, starts)
    with pytest.raises(TypeError, match=r"batch\[1\] is 1, and batch\[0\] <Maze .*: not of one kind"):
        meiro.solve_many([batch[0], 1])  # type: ignore[arg-type]
    for mazes in (batch[0], np.zeros((3, 3)), None):
        with pytest.raises(TypeError, match="batch must be a MazeBatch, a GraphBatch, or a sequence of"):
            meiro.solve_many(mazes)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"mazes\[0\] is \(1, 2\) with wrap.*, mazes\[1\] is \(1, 3\)"):
        meiro.solve_many([Maze([[2, 8]]), Maze([[2, 10, 8]])])
    with pytest.raises(
        ValueError, match=r"wrap=\(False, True\), mazes\[1\] is .* with wrap=\(False, False\)"
    ):
        meiro.solve_many([Maze([[2, 10, 8]], wrap=(False, True)), Maze([[2, 10, 8]])])
