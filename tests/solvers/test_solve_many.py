"""Many mazes solved at once, compared with one by one."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from periodic_mazes import WRAPS, periodic_maze
from refusals import refused

import meiro
from meiro import Maze, MazeBatch, NoPathError
from meiro._utils import memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def check(batch: MazeBatch | Sequence[Maze], found: meiro.SolutionBatch, starts: Any, goals: Any) -> None:
    """Every one as meiro.solve has it."""
    assert found.paths is not None
    assert found.lengths.shape == (len(batch),)
    assert found.paths.shape == (len(batch), max(found.lengths) + 1, 2)
    for maze, length, path, start, goal in zip(batch, found.lengths, found.paths, starts, goals, strict=True):
        try:
            slow = meiro.solve(maze, start, goal).path
        except NoPathError:
            slow = np.empty((0, 2), int)
        assert length == len(slow) - 1
        assert (path[: length + 1] == slow).all()
        assert (path[length + 1 :] == -1).all()


@pytest.mark.parametrize("threads", [None, 3])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (9, 1), (6, 8)])
def test_solve_many_is_solve_of_each(shape: tuple[int, int], threads: int | None) -> None:
    batch = meiro.generate_many(shape, "wilson", 60, rng=2)
    rng = np.random.default_rng(0)
    starts, goals = rng.integers(0, shape, (60, 2)), rng.integers(0, shape, (60, 2))
    check(batch, meiro.solve_many(batch, paths=True, threads=threads), [None] * 60, [None] * 60)
    check(batch, meiro.solve_many(batch, starts, goals, paths=True, threads=threads), starts, goals)
    check(batch[::-3], meiro.solve_many(batch[::-3], (-1, 0), paths=True), [(-1, 0)] * 20, [None] * 20)
    lengths = meiro.solve_many(batch, starts, goals)
    assert lengths.paths is None
    assert (lengths.lengths == meiro.solve_many(batch, starts, goals, paths=True).lengths).all()


@pytest.mark.parametrize("threads", [None, 3])
def test_solve_many_in_several_portions(threads: int | None) -> None:
    batch = meiro.generate_many((70, 70), "sidewinder", 50, rng=3)
    found = meiro.solve_many(batch, paths=True, threads=threads)
    check(batch, found, [None] * 50, [None] * 50)


@pytest.mark.parametrize("wrap", WRAPS)
def test_solve_many_of_periodic_mazes(wrap: tuple[bool, bool]) -> None:
    mazes = [periodic_maze((4, 5), wrap, seed, seed % 3) for seed in range(60)]
    found = meiro.solve_many(mazes, (0, 0), (2, 3), paths=True)
    check(mazes, found, [(0, 0)] * 60, [(2, 3)] * 60)
    assert found.lengths.min() == -1


def test_solve_many_with_start_and_goal_per_maze() -> None:
    passages = [[2, 10, 8]]
    mazes = [
        Maze(passages),
        Maze(passages, start=(0, 2), goal=(0, 1)),
        Maze(passages, mask=None, goal=(0, 0)),
    ]
    assert meiro.solve_many(mazes).lengths.tolist() == [2, 1, 0]
    assert meiro.solve_many(mazes, goals=(0, 0)).lengths.tolist() == [0, 2, 0]


def test_solve_many_with_masks() -> None:
    mask = np.ones((4, 5), bool)
    mask[0, 0] = mask[2, 2] = False
    batch = meiro.generate_many(n=10, mask=mask, algorithm="wilson", rng=1)
    check(batch, meiro.solve_many(batch, paths=True), [None] * 10, [None] * 10)
    for start, goal in (((0, 0), (0, 0)), ((0, 0), (1, 1)), ((1, 1), (2, 2))):
        found = meiro.solve_many(batch, start, goal, paths=True)
        assert (found.lengths == -1).all()
        assert found.paths is not None
        assert found.paths.shape == (10, 0, 2)
    assert (meiro.solve_many(batch, (1, 1), (1, 1)).lengths == 0).all()


def test_solve_many_without_dead_ends() -> None:
    batch = meiro.generate_many((6, 6), "rooms", 40, rng=3, dead_ends="remove")
    check(batch, meiro.solve_many(batch, paths=True), [None] * 40, [None] * 40)
    same = meiro.solve_many(batch, (0, 0), (0, 0)).lengths
    there = [maze.mask is None or bool(maze.mask[0, 0]) for maze in batch]
    assert (same == np.where(there, 0, -1)).all()
    assert not all(there)


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
    for array in (found.lengths, found.paths):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert (pickle.loads(pickle.dumps(found)).paths == found.paths).all()  # noqa: S301  # our own


PATHS = {
    "perfect": lambda: meiro.generate_many((5, 7), n=30, rng=1),
    "torus": lambda: meiro.generate_many((4, 3), n=30, wrap=(True, True), rng=1),
    "cylinder": lambda: meiro.generate_many((3, 9), n=30, wrap=(False, True), rng=1),
    "other cylinder": lambda: meiro.generate_many((9, 3), n=30, wrap=(True, False), rng=1),
    "some without a path": lambda: meiro.generate_many((4, 4), "percolation", 30, p=0.5, rng=1),
    "one cell": lambda: meiro.generate_many((1, 1), n=2, rng=1),
    "empty": lambda: meiro.generate_many((3, 4), n=0, rng=1),
}


def path_in_sites(maze: Maze, start: Any, goal: Any) -> NDArray[np.int64]:
    try:
        return meiro.solve(maze, start, goal).grid_path
    except meiro.NoPathError:
        return np.empty((0, 2), np.int64)


@pytest.mark.parametrize("name", PATHS)
def test_paths_of_many_mazes_in_sites(name: str) -> None:
    batch = PATHS[name]()
    starts, goals = meiro.endpoints(batch, rng=1)
    there = starts[:, 0] >= 0
    batch, starts, goals = batch[there] if name != "one cell" else batch, starts[there], goals[there]
    ends = (None, None) if name == "one cell" else (starts, goals)
    solved = batch.solve(*ends, paths=True)
    paths, masks = solved.grid_paths, solved.masks
    assert paths is not None
    assert masks is not None
    assert solved.shape == batch.shape
    assert paths.dtype == np.int32
    assert masks.dtype == np.bool_
    assert masks.shape == batch.grids.shape
    alone = [
        path_in_sites(maze, *(None if end is None else end[i] for end in ends))
        for i, maze in enumerate(batch)
    ]
    assert paths.shape == (len(batch), max(map(len, alone), default=0), 2)
    for path, mask, wanted in zip(paths, masks, alone, strict=True):
        assert (path[: len(wanted)] == wanted).all()
        assert (path[len(wanted) :] == -1).all()
        assert {tuple(site) for site in np.argwhere(mask).tolist()} == {
            tuple(site) for site in wanted.tolist()
        }
    if len(batch):
        with pytest.raises(ValueError, match="read-only"):
            masks[...] = False
    assert batch.solve().masks is None
    assert batch.solve().grid_paths is None


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
