"""Solving and distances: lengths are compared with scipy's."""

from __future__ import annotations

import copy
import functools
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import some_array, some_maze
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from path_checks import check_walk
from periodic_mazes import WRAPS
from reference_graphs import adjacency
from refusals import refused
from scipy.sparse import csgraph
from timing import SILENCE, silence

import meiro
from meiro import Maze, NoPathError, _core
from meiro._utils.square import Cell

pytestmark = pytest.mark.sanitize

W1 = np.array([[4, 6, 12], [3, 13, 5], [2, 9, 1]], np.uint8)
MARKED = ["1111111", "1919991", "1919191", "1999191", "1110191", "1000191", "1111111"]

FLAT = (False, False)


def judged(graph: Any, source: int, shape: tuple[int, int]) -> NDArray[np.int64]:
    """Steps by scipy; -1 where there is no way."""
    steps = csgraph.dijkstra(graph, directed=False, indices=source, unweighted=True)
    result: NDArray[np.int64] = np.where(np.isinf(steps), -1, steps).astype(np.int64).reshape(shape)
    return result


def gave_up(solution: meiro.Solution) -> bool:
    """Whether an incomplete solver found no path, and says why."""
    facts = meiro.SOLVERS[solution.algorithm]
    assert solution.found or not facts.complete
    assert solution.found == (not solution.reason)
    return not solution.found


@pytest.mark.parametrize("block", range(10))
def test_solve_lengths_on_arrays(solver: str, block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        walls = some_array(seed)
        roads = walls == 0
        places = np.argwhere(roads)
        rng = np.random.default_rng(seed)
        start, goal = (tuple(map(int, p)) for p in rng.choice(places, 2))
        steps = judged(adjacency(walls), start[0] * walls.shape[1] + start[1], walls.shape)
        assert (meiro.distances(walls, start) == steps).all()
        if steps[goal] < 0:
            refused(NoPathError, "no path from", meiro.solve, walls, start, goal, algorithm=solver)
            continue
        solution = meiro.solve(walls, start, goal, algorithm=solver)
        if gave_up(solution):
            continue
        assert solution.space == "sites"
        check_walk(solution, roads)
        assert solution.length >= steps[goal]
        if meiro.SOLVERS[solver].shortest:
            assert solution.length == steps[goal]
        if not meiro.SOLVERS[solver].fills:
            assert (steps[solution.explored] >= 0).all()


@pytest.mark.parametrize("block", range(10))
def test_solve_lengths_on_mazes(solver: str, block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        maze = some_maze(seed)
        if any(maze.wrap) and not meiro.SOLVERS[solver].wraps:
            refused(TypeError, "takes no periodic maze", meiro.solve, maze, algorithm=solver)
            continue
        cells = np.argwhere(maze.grid[1::2, 1::2] == 0)
        start, goal = (tuple(map(int, p)) for p in np.random.default_rng(seed).choice(cells, 2))
        shape = maze.passages.shape
        steps = judged(adjacency(maze), start[0] * maze.cols + start[1], shape)
        assert (meiro.distances(maze, start) == steps).all()
        if steps[goal] < 0:
            counted = r"(: 1 cell|: [2-9]\d* cells|: 1\d+ cells) can be reached"
            with pytest.raises(NoPathError, match=r"no path from .* to \(\d+, \d+\)(" + counted + ")?$"):
                meiro.solve(maze, start, goal, algorithm=solver)
            continue
        solution = meiro.solve(maze, start, goal, algorithm=solver)
        if gave_up(solution):
            continue
        assert solution.space == "cells"
        check_walk(solution, maze.grid == 0)
        sites = meiro.cells_to_grid(solution.path, shape=shape, wrap=maze.wrap)
        assert (solution.grid_path == sites).all()
        if meiro.SOLVERS[solver].shortest or maze.is_perfect:
            assert solution.length == steps[goal]


def test_distances_from_several_sources() -> None:
    walls = some_array(2)
    places = np.argwhere(walls == 0)[::7]
    each = [meiro.distances(walls, place) for place in places.tolist()]
    nearest = np.min([np.where(d < 0, 1 << 30, d) for d in each], axis=0)
    assert (meiro.distances(walls, places) == np.where(nearest == 1 << 30, -1, nearest)).all()
    assert (meiro.distances(walls, [*places, places[0]]) == meiro.distances(walls, places)).all()


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.longlong, np.intp])
def test_distances_write_to_out(dtype: type[np.signedinteger[Any]]) -> None:
    maze = meiro.generate((5, 7), "backtracker", rng=1)
    out = np.full((5, 7), 99, dtype)
    assert meiro.distances(maze, (0, 0), out=out) is out
    assert (out == meiro.distances(maze, (0, 0))).all()
    assert meiro.distances(maze, (-1, -1))[4, 6] == 0
    assert meiro.distances(maze, [(-1, -1), (0, 0)])[4, 6] == 0
    small = np.full((2, 2), 99, dtype)
    assert meiro.distances([[0, 0], [0, 1]], (0, 0), out=small).tolist() == [[0, 1], [1, -1]]


def test_distances_that_do_not_fit() -> None:
    road = np.zeros((1, 200), np.uint8)
    with pytest.raises(ValueError, match="a distance of 128 does not fit out= of int8"):
        meiro.distances(road, (0, 0), out=np.empty((1, 200), np.int8))
    assert meiro.distances(road, (0, 72), out=np.empty((1, 200), np.int8)).max() == 127
    words = r"signed integer array of shape \(1, 200\), not float64 \(1, 2\)"
    refused(ValueError, words, meiro.distances, road, (0, 0), out=np.empty((1, 2)))


def test_distances_refuse_bad_sources() -> None:
    maze = Maze([[2, 8]])
    with pytest.raises(ValueError, match=r"sources \(0, 2\) is outside: rows 0\.\.0, cols 0\.\.1"):
        meiro.distances(maze, [(0, 0), (0, 2)])
    refused(ValueError, r"sources \(0, 1\) is in a wall", meiro.distances, [[0, 1]], (0, 1))
    with pytest.raises(ValueError, match=r"sources \(0, 1\) is masked out"):
        meiro.distances(Maze([[0, 0]], mask=[[1, 0]]), (0, 1))
    refused(TypeError, r"or several of them, not \(0, 1, 2\)", meiro.distances, maze, (0, 1, 2))
    refused(TypeError, r"or several of them, not \[\]", meiro.distances, maze, [])
    refused(ValueError, r"or several of them, not of shape \(1, 3\)", meiro.distances, maze, [(0, 1, 2)])
    refused(TypeError, r"or several of them, not \(0.0, 1.0\)", meiro.distances, maze, (0.0, 1.0))
    refused(TypeError, "sources must be integers, not float64", meiro.distances, maze, [(0.0, 1.0)])


# The worked examples


def test_solve_worked_example_4() -> None:
    maze = meiro.generate((12, 15), "backtracker", rng=4)
    shortest = meiro.solve(maze).path
    for seed in range(100):
        wandered = meiro.solve(maze, algorithm="dfs", rng=seed)
        assert (wandered.path == shortest).all()
        check_walk(wandered, maze.grid == 0)
    walled = maze.grid.copy()
    walled[21:24, 27:30] = 1
    walled[23, 29] = 0
    refused(NoPathError, "no path", meiro.solve, walled, (1, 1), (23, 29))


def test_solve_worked_example_10() -> None:
    maze = Maze(W1)
    for of, start, goal in ((maze, (0, 0), (2, 2)), (maze.grid, (1, 1), (5, 5))):
        found = {
            a: meiro.solve(of, start, goal, algorithm=a, directions="NSWE", visit_order=True)
            for a in ("bfs", "dfs")
        }
        for solution in found.values():
            assert solution.cells.tolist() == [[0, 0], [1, 0], [1, 1], [0, 1], [0, 2], [1, 2], [2, 2]]
            assert len(solution.grid_path) == 13
            marks = np.where(solution.mask, 9, maze.grid)
            assert ["".join(map(str, row)) for row in marks.tolist()] == MARKED
    assert found["bfs"].explored.sum() == 17  # the article, which does not count the goal: 16
    assert found["dfs"].explored.sum() == 13  # the article: 12 calls
    order = found["dfs"].visit_order
    assert order is not None
    assert (order[tuple(found["dfs"].path.T)] == np.arange(13)).all()  # it never goes wrong here
    assert order.max() == 12
    assert (order == -1).sum() == 49 - 13


def test_solve_order_of_the_article_fails() -> None:
    """Up, down, left, right from (1, 3): down to the end, then left, at last right."""
    walls = np.array([list(row) for row in ("11111", "10001", "11011", "11111")]).astype(np.uint8)
    solution = meiro.solve(walls, (1, 2), (1, 3), algorithm="dfs", directions="NSWE", visit_order=True)
    expected = [[-1] * 5, [-1, 2, 0, 3, -1], [-1, -1, 1, -1, -1], [-1] * 5]
    assert solution.visit_order is not None
    assert solution.visit_order.tolist() == expected
    other = meiro.solve(
        walls, (1, 2), (1, 3), algorithm="dfs", directions=["E", "n", "s", "W"], visit_order=True
    )
    assert other.visit_order is not None
    assert other.visit_order.max() == 1


def test_solve_in_an_open_room() -> None:
    room = np.pad(np.zeros((7, 13), np.uint8), 1, constant_values=1)
    solution = meiro.solve(room, (1, 1), (7, 13), visit_order=True)
    assert len(solution.path) == 19
    assert solution.explored.sum() <= 91
    assert solution.visit_order is not None
    steps = meiro.distances(room, (1, 1))
    when = solution.visit_order
    inside = when >= 0
    assert (np.diff(steps[inside][np.argsort(when[inside])]) >= 0).all()  # the nearer ones first
    assert when[7, 13] == solution.explored.sum() - 1


def test_solve_where_start_is_goal(solver: str) -> None:
    for x in (Maze(W1), Maze(W1).grid):
        solution = meiro.solve(x, (1, 1), (1, 1), algorithm=solver)
        assert solution.path.tolist() == [[1, 1]]
        assert solution.length == 0
        assert solution.explored.sum() == 1
        assert solution.mask.sum() == 1
    assert meiro.solve(Maze([[0]])).path.tolist() == [[0, 0]]


# Start and goal


def test_solve_default_start_and_goal_of_a_maze() -> None:
    maze = Maze(W1)
    assert (meiro.solve(maze).start, meiro.solve(maze).goal) == ((0, 0), (2, 2))
    assert meiro.solve(Maze(W1, start=(2, 0), goal=(0, 2))).path[[0, -1]].tolist() == [[2, 0], [0, 2]]
    masked = meiro.generate(mask=[[0, 1, 1], [1, 1, 0]], algorithm="backtracker", rng=0)
    assert meiro.solve(masked).path[[0, -1]].tolist() == [[0, 1], [1, 1]]
    assert meiro.solve(maze, (-1, 0), np.array([0, -1], np.int8)).goal == (0, 2)


def test_solution_keeps_a_short_path_and_not_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = meiro.solve(np.zeros((1, 9), np.uint8), (0, 0), (0, 8))
    monkeypatch.setattr("meiro.results.solution.KEPT_PATH", 7)
    long = solution.path
    assert long.tolist() == [[0, col] for col in range(9)]
    assert solution.path is not long
    monkeypatch.setattr("meiro.results.solution.KEPT_PATH", 8)
    assert solution.path is solution.path
    assert np.array_equal(solution.path, long)


def test_solve_default_start_and_goal_of_an_array() -> None:
    array = np.array([[1, 0, 1], [1, 0, 0], [1, 1, 1]])
    assert meiro.solve(array).path.tolist() == [[0, 1], [1, 1], [1, 2]]
    assert meiro.solve(array, goal=(0, 1)).start == (1, 2)
    assert meiro.solve(array, (1, 2)).goal == (0, 1)
    assert meiro.solve(array, (1, 1)).goal == (1, 2)
    assert meiro.solve([[0, 0]]).length == 1
    words = r"start= and goal=: the border has 3 openings, not two: \(0, 0\), \(0, 1\)"
    refused(ValueError, words, meiro.solve, [[0, 0, 0]])
    refused(ValueError, r"the border has no opening, not two$", meiro.solve, Maze(W1).grid)
    words = r"one opening, not two: \(\d+, \d+\) \(all of it is road; .*deskew=True\)"
    refused(ValueError, words, meiro.solve, np.zeros((100, 100), np.uint8))
    with pytest.raises(ValueError, match=r"22 openings, not two: (\(\d, \d+\), ){8}\.\.\.$"):
        meiro.solve(np.tile([0, 1], (3, 12))[:, :-1])


def test_solve_refuses_bad_start_and_goal() -> None:
    for ends, error, words in (
        (((0, 1), (5, 5)), ValueError, r"start \(0, 1\) is in a wall"),
        (((1, 1), (2, 2)), ValueError, r"goal \(2, 2\) is in a wall"),
        (((1, 1), (7, 1)), ValueError, r"goal \(7, 1\) is outside: rows 0\.\.6, cols 0\.\.6 \(sites\)"),
        (((-8, 1), (1, 1)), ValueError, r"start \(-8, 1\) is outside"),
        (((1 << 70, 1), (1, 1)), ValueError, "is outside"),
        (((1.0, 1), (1, 1)), TypeError, "start must be a pair of integers"),
        (((1, 1), 5), TypeError, r"goal must be \(row, col\), or several of them"),
        (((1, 1), [(1, 2), (3,)]), TypeError, r"goal must be \(row, col\), or several of them"),
        (((1, 1), (True, 1)), TypeError, r"goal must be \(row, col\), or several of them"),
        (("11", (1, 1)), TypeError, "start must be a pair of integers"),
    ):
        refused(error, words, meiro.solve, Maze(W1).grid, *ends)


def test_solve_refuses_a_masked_out_end() -> None:
    with pytest.raises(ValueError, match=r"goal \(0, 1\) is masked out"):
        meiro.solve(Maze([[0, 0]], mask=[[1, 0]]), goal=(0, 1))
    with pytest.raises(NoPathError, match=r"no path from \(0, 0\) to \(0, 1\): 1 cell can be reached"):
        meiro.solve(Maze([[0, 0]]))


# Options


def test_solve_refuses_bad_options() -> None:
    maze = Maze(W1)
    refused(TypeError, "'bfs' takes no option 'rng'; it takes directions", meiro.solve, maze, rng=1)
    refused(TypeError, "give one of them", meiro.solve, maze, algorithm="dfs", rng=1, directions="NESW")
    refused(ValueError, "no solver 'bsf'; did you mean 'bfs'", meiro.solve, maze, algorithm="bsf")
    refused(TypeError, "road= is for arrays", meiro.solve, maze, road=0)
    for bad in ("NES", "NESWN", "NNSS", "up", 5, ["N", "E", "S", 4], b"NESW"):
        refused(ValueError, r"each direction once, as in .*'NSWE', not", meiro.solve, maze, directions=bad)


@pytest.mark.parametrize(
    ("name", "solver"),
    [
        ("深さ優先探索", "dfs"),
        ("幅優先探索", "bfs"),
        ("wave", "bfs"),
        ("Волновой", "bfs"),
        ("breadth-first", "bfs"),
    ],
)
def test_solve_takes_names_and_aliases(name: str, solver: str) -> None:
    assert meiro.solve(Maze(W1), algorithm=name).algorithm == solver


def test_solve_by_random_walks_follows_the_seed() -> None:
    room = np.zeros((20, 20), np.uint8)
    one, same, other = (meiro.solve(room, (0, 0), (19, 19), algorithm="dfs", rng=r) for r in (1, 1, 2))
    assert one == same
    assert one != other
    first = {tuple(meiro.solve(room, (9, 9), (0, 0), algorithm="dfs", rng=i).path[1]) for i in range(60)}
    assert first == {(8, 9), (10, 9), (9, 8), (9, 10)}


# The Solution


def test_solution_is_frozen() -> None:
    solution = meiro.solve(Maze(W1), visit_order=True)
    with pytest.raises(AttributeError):
        solution.start = (1, 1)  # type: ignore[misc]
    for array in (
        solution.path,
        solution.grid_path,
        solution.cells,
        solution.mask,
        solution.explored,
        solution.visit_order,
    ):
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0
    assert solution.explored.dtype == bool
    assert solution.path.dtype == solution.visit_order.dtype == np.int64  # type: ignore[union-attr]
    assert repr(solution) == "<Solution of 6 steps in cells, bfs from (0, 0) to (2, 2), 9 explored>"
    assert meiro.solve(Maze(W1)).visit_order is None


def test_solution_cells_of_openings_and_doors() -> None:
    grid = meiro.generate((3, 4), rng=1).to_grid()
    grid[0, 1] = grid[6, 7] = 0
    solution = meiro.solve(grid)
    assert solution.cells[[0, -1]].tolist() == [[0, 0], [2, 3]]
    assert (meiro.cells_to_grid(solution.cells) == solution.path[1:-1]).all()
    corridor = [[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]]
    assert meiro.solve(corridor, (1, 2), (1, 3)).cells.tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("array", "start", "goal", "words"),
    [
        (np.zeros((3, 4), np.uint8), (1, 1), (1, 2), r"\(3, 4\) sites is not a maze grid"),
        (np.zeros((4, 3), np.uint8), (1, 1), (1, 1), r"\(4, 3\) sites is not a maze grid"),
        (np.zeros((1, 5), np.uint8), (0, 1), (0, 1), r"\(1, 5\) sites is not a maze grid"),
        (np.zeros((5, 5), np.uint8), (1, 1), (2, 2), r"site \(2, 2\), a post"),
        (np.zeros((5, 5), np.uint8), (0, 0), (0, 1), r"site \(0, 0\), a post"),
        (np.eye(5, k=-1, dtype=np.uint8), (0, 1), (0, 3), r"site \(0, 2\), a post"),
    ],
)
def test_solution_of_an_array_has_no_cells(
    array: NDArray[np.uint8], start: Cell, goal: Cell, words: str
) -> None:
    solution = meiro.solve(array, start, goal)
    with pytest.raises(ValueError, match=f"{words}.*path"):
        _ = solution.cells
    assert len(solution.grid_path) == solution.length + 1


def test_solution_equality() -> None:
    maze = Maze(W1)
    solution = meiro.solve(maze)
    assert solution == meiro.solve(maze)
    assert hash(solution) == hash(meiro.solve(maze))
    for other in (
        meiro.solve(maze, algorithm="dfs"),
        meiro.solve(maze, (0, 1)),
        meiro.solve(maze.grid, (1, 1), (5, 5)),
        meiro.solve(maze, visit_order=True),
        "something else",
    ):
        assert solution != other
    for same in (pickle.loads(pickle.dumps(solution)), copy.copy(solution), copy.deepcopy(solution)):  # noqa: S301
        assert same == solution
        assert same.path.tolist() == solution.path.tolist()
        assert (same.explored == solution.explored).all()
    assert pickle.dumps(meiro.solve(maze)) == pickle.dumps(solution), "where `explored` was looked at"


@given(st.integers(0, 1 << 30), st.integers(1, 12), st.integers(1, 12))
def test_solve_any_maze(seed: int, rows: int, cols: int) -> None:
    maze = meiro.generate((rows, cols), "backtracker", rng=seed)
    solution = meiro.solve(maze, visit_order=True)
    check_walk(solution, maze.grid == 0)
    assert solution.visit_order is not None
    assert ((solution.visit_order >= 0) == solution.explored).all()
    assert meiro.distances(maze, solution.start)[solution.goal] == solution.length
    sites = meiro.solve(maze.grid, (1, 1), (2 * rows - 1, 2 * cols - 1))
    assert (sites.path == solution.grid_path).all()
    assert (sites.cells == solution.path).all()


# Long work


@functools.cache
def large_maze(side: int) -> Maze:
    return meiro.generate((side, side), "backtracker", rng=1)


LINE = np.zeros((1, 4_000_000), np.uint8)


@pytest.mark.clock
def test_solve_is_never_silent_for_long(solver: str) -> None:
    works: tuple[Callable[[], object], ...] = (
        lambda: meiro.solve(large_maze(2048), algorithm=solver),
        lambda: meiro.solve(np.zeros((4096, 4096), np.uint8), (0, 0), (-1, -1), algorithm=solver),
        lambda: meiro.solve(large_maze(1500), algorithm=solver, visit_order=True),
        lambda: meiro.solve(
            np.zeros((2000, 2000), np.uint8), (0, 0), (-1, -1), algorithm=solver, visit_order=True
        ),
        lambda: meiro.solve(LINE, (0, 0), (0, -1), algorithm=solver),
    )
    for work in works:
        assert silence(work) < SILENCE


@pytest.mark.clock
def test_distances_and_check_are_never_silent_for_long() -> None:
    assert silence(lambda: meiro.distances(large_maze(1500), (0, 0))) < SILENCE
    assert silence(lambda: meiro.check(LINE)) < SILENCE


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_solution_path_chunks_join_to_the_path(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meiro.results.solution._CHUNK", chunk)
    maze = meiro.generate((9, 9), "backtracker", rng=3)
    for goal in ((0, 0), (8, 8)):
        solution = meiro.solve(maze, (0, 0), goal)
        chunks = list(solution.path_chunks())
        assert np.array_equal(np.concatenate([chunks[0][:1], *(part[1:] for part in chunks)]), solution.path)
        assert all((one[-1] == other[0]).all() for one, other in itertools.pairwise(chunks))
        assert max(map(len, chunks)) <= chunk + 1
    lost = meiro.solve(maze, (0, 0), (8, 8), algorithm="random_mouse", rng=1, max_steps=3)
    assert list(lost.path_chunks()) == []


def test_solve_progress_and_its_exceptions(solver: str) -> None:
    room = np.zeros((1000, 1000), np.uint8)
    told: list[tuple[int, int]] = []
    meiro.solve(room, (0, 0), (-1, -1), algorithm=solver, progress=lambda *t: told.append(t))
    assert told[-1] == (room.size, room.size)
    assert sorted(told) == told
    if len(told) > 8 and solver != "random_mouse":  # which explores little
        assert any(room.size / 100 < done < room.size for done, _ in told)

    def stop(_done: int, _total: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        meiro.solve(room, (0, 0), (-1, -1), algorithm=solver, progress=stop)
    with pytest.raises(ZeroDivisionError):
        meiro.distances(room, (0, 0), progress=stop)


def test_a_goal_that_is_given_twice_is_one_goal(solver: str) -> None:
    maze = meiro.generate((12, 13), rng=3)
    space, options = (maze.passages[np.newaxis], None, FLAT), {"seed": (1, 2, 3), "order": True}
    once = _core.solve(solver, space, 0, np.array([70, 155]), options, None, None)
    twice = _core.solve(solver, space, 0, np.array([70, 155, 70, 155]), options, None, None)
    assert once["found"]
    for name, value in once.items():
        np.testing.assert_array_equal(value, twice[name])


@pytest.mark.parametrize("weights", [None, np.full((5, 6), 0.75)])
def test_a_source_that_is_given_twice_is_one_source(weights: NDArray[np.float64] | None) -> None:
    maze = meiro.generate((5, 6), rng=3)
    once = meiro.distances(maze, [(0, 0), (3, 3)], weights=weights)
    np.testing.assert_array_equal(once, meiro.distances(maze, [(0, 0), (3, 3), (0, 0)], weights=weights))


def test_a_cost_beyond_the_largest_number_is_infinite() -> None:
    maze = meiro.generate((5, 6), rng=3)
    assert meiro.solve(maze, algorithm="dijkstra", weights=np.full((5, 6), 1e308)).cost == np.inf


@given(hnp.arrays(np.uint8, hnp.array_shapes(min_dims=2, max_dims=2, max_side=6)), st.sampled_from(WRAPS))
def test_solve_in_the_core_stays_inside_for_any_bytes(
    passages: NDArray[np.uint8], wrap: tuple[bool, bool]
) -> None:
    """Whatever the bytes are: with a wrap it is solved inside, or refused."""
    rows, cols = passages.shape
    thin = any(around and side < 3 for side, around in zip((rows, cols), wrap, strict=True))
    rims = [passages[0] & 1, passages[-1] & 4] * (not wrap[0])
    rims += [passages[:, 0] & 8, passages[:, -1] & 2] * (not wrap[1])
    over = any(rim.any() for rim in rims)
    out = np.empty((rows, cols), np.int64)
    words = "at least 3" if thin else "over the rim"
    space, last = (passages[np.newaxis], None, wrap), np.array([rows * cols - 1])
    query: dict[str, Any] = {"max_steps": 999, "order": True, "seed": (1, 2, 3)}
    for algorithm, facts in meiro.SOLVERS.items():
        choices: tuple[dict[str, Any], ...] = ({}, {"random": True, "left": True})
        for options in choices:
            if thin or over:
                with pytest.raises(ValueError, match=words):
                    _core.solve(algorithm, space, 0, last, query | options, None, None)
                continue
            if not facts.wraps:
                continue
            found = _core.solve(algorithm, space, 0, last, query | options, None, None)
            explored = found["explored"]
            assert np.count_nonzero(found["reached"]) == explored == np.count_nonzero(found["order"] >= 0)
    if not (thin or over):
        _core.distances(space, np.array([[0]]), np.empty(0), out, 1, None)
        graph = np.zeros((rows * cols, rows * cols))
        for row, col in np.ndindex(rows, cols):
            for bit, down, right in ((1, -1, 0), (2, 0, 1), (4, 1, 0), (8, 0, -1)):
                if passages[row, col] & bit:
                    graph[row * cols + col, (row + down) % rows * cols + (col + right) % cols] = 1
        steps = csgraph.dijkstra(graph, indices=0, unweighted=True).reshape(rows, cols)
        assert (out == np.where(np.isinf(steps), -1, steps)).all()


def test_solve_over_a_periodic_border() -> None:
    maze = Maze([[10] * 5], wrap=(False, True))
    solution = meiro.solve(maze, (0, 1), (0, 4))
    assert solution.wrap == (False, True)
    assert solution.path.tolist() == [[0, 1], [0, 0], [0, 4]]
    assert solution.grid_path.tolist() == [[1, 3], [1, 2], [1, 1], [1, 0], [1, 10], [1, 9]]
    assert solution.cells is solution.path
    assert solution.length == 2
    for again in (copy.copy(solution), pickle.loads(pickle.dumps(solution))):  # noqa: S301
        assert again == solution
        assert again.grid_path.tolist() == solution.grid_path.tolist()
    other = meiro.solve(maze, (0, 1), (0, 4), directions="ENSW")
    assert other.length == 2
    assert meiro.distances(maze, (0, 0)).tolist() == [[0, 1, 2, 2, 1]]
    ring = Maze([[10] * 9], wrap=(False, True))
    for goal in range(1, 9):
        assert meiro.solve(ring, (0, 0), (0, goal), algorithm="a_star").length == min(goal, 9 - goal)
    for seed in range(20):  # either way around, at random
        around = meiro.solve(maze, (0, 0), (0, 2), algorithm="dfs", rng=seed)
        assert around.path.tolist() in ([[0, 0], [0, 1], [0, 2]], [[0, 0], [0, 4], [0, 3], [0, 2]])
    ways = {meiro.solve(maze, (0, 0), (0, 2), algorithm="dfs", rng=seed).length for seed in range(20)}
    assert ways == {2, 3}
