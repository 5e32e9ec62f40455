"""Paths of least cost: weights, diagonal steps, several goals; scipy is the reference."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import some_array, some_maze
from numpy.typing import NDArray
from path_checks import check_walk, step_graph
from reference_graphs import adjacency
from refusals import refused
from scipy.sparse import csgraph

import meiro
from meiro import NoPathError

CHEAPEST = [name for name, facts in meiro.SOLVERS.items() if "weights" in facts.options]
ROOT = math.sqrt(2)


def some_weights(shape: tuple[int, ...], seed: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    return rng.random(shape) + 0.01 if seed % 2 else rng.integers(1, 5, shape).astype(np.float64)


@pytest.mark.parametrize("block", range(6))
def test_best_first_costs_with_weights(block: int) -> None:
    for seed in range(50 * block, 50 * block + 50):
        moves: Any = 8 if seed % 3 else 4
        x: Any = some_array(seed)[:18, :18].copy() if seed % 2 else some_maze(seed)
        is_maze = isinstance(x, meiro.Maze)
        roads = x.grid[1::2, 1::2] == 0 if is_maze else x == 0
        weights = some_weights(roads.shape, seed)
        if is_maze:
            graph = adjacency(x).multiply(weights.reshape(-1)).tocsr()
        else:
            graph = step_graph(roads, weights, moves)
        moves = 4 if is_maze else moves
        places = np.argwhere(roads)
        rng = np.random.default_rng(seed)
        start, *goals = (tuple(map(int, p)) for p in rng.choice(places, 1 + seed % 3 + 1))
        best = csgraph.dijkstra(graph, indices=start[0] * roads.shape[1] + start[1]).reshape(roads.shape)
        given = {"weights": weights, "moves": moves}
        assert np.allclose(meiro.distances(x, start, **given), best, rtol=1e-12)
        least = min(best[g] for g in goals)
        for algorithm in CHEAPEST:
            if np.isinf(least):
                refused(NoPathError, "no path", meiro.solve, x, start, goals, algorithm=algorithm, **given)
                continue
            solution = meiro.solve(x, start, goals, algorithm=algorithm, **given)
            assert solution.cost == pytest.approx(least, rel=1e-12)
            assert best[solution.goal] == pytest.approx(least, rel=1e-12)
            assert (
                solution.explored.sum()
                == meiro.solve(x, start, goals, algorithm=algorithm, visit_order=True, **given).explored.sum()
            )
            path = solution.path
            spent = weights[tuple(path[1:].T)] * np.where(
                np.abs(np.diff(path, axis=0)).sum(axis=1) == 2, ROOT, 1
            )
            if not is_maze:
                assert spent.sum() == pytest.approx(least, rel=1e-12)
            if moves == 4:
                check_walk(solution, x.grid == 0 if is_maze else roads)


def test_best_first_several_goals() -> None:
    for seed in range(60):
        x: Any = some_array(seed) if seed % 2 else some_maze(seed)
        roads = x.grid[1::2, 1::2] == 0 if isinstance(x, meiro.Maze) else x == 0
        start, *goals = np.random.default_rng(seed).choice(np.argwhere(roads), 4).tolist()
        far = meiro.distances(x, start)
        ways = [int(far[tuple(g)]) for g in goals if far[tuple(g)] >= 0]
        for algorithm, facts in meiro.SOLVERS.items():
            if isinstance(x, meiro.Maze) and any(x.wrap) and not facts.wraps:
                continue
            if not ways:
                with pytest.raises(NoPathError, match=r"no path from .* to any of 3 goals"):
                    meiro.solve(x, start, goals, algorithm=algorithm)
                continue
            solution = meiro.solve(x, start, goals, algorithm=algorithm)
            if not solution.found:
                assert not facts.complete
                continue
            assert list(solution.goal) in goals
            if facts.shortest:
                assert solution.length == min(ways), algorithm
    room = np.zeros((5, 5), int)
    assert meiro.solve(room, (2, 2), [(2, 2), (0, 0)]).length == 0
    assert meiro.solve(room, (2, 2), np.array([[0, 0], [2, 4]])).goal == (2, 4)


def test_a_star_explores_no_more_than_dijkstra() -> None:
    for seed in range(100):
        x: Any = some_array(seed) if seed % 2 else some_maze(seed)
        roads = x.grid[1::2, 1::2] == 0 if isinstance(x, meiro.Maze) else x == 0
        start, goal = np.random.default_rng(seed).choice(np.argwhere(roads), 2).tolist()
        if meiro.distances(x, start)[tuple(goal)] < 0:
            continue
        guided = meiro.solve(x, start, goal, algorithm="a_star")
        assert guided.explored.sum() <= meiro.solve(x, start, goal).explored.sum()
    room = np.zeros((100, 100), np.uint8)
    assert meiro.solve(room, (10, 20), (80, 90), algorithm="a_star").explored.sum() == 141


def test_best_first_cost_loses_no_small_weight_beside_a_large_one() -> None:
    corridor = np.zeros((1, 1002), np.uint8)
    weights = np.ones(corridor.shape)
    weights[0, 1] = 2.0**53  # to which a single 1 adds nothing
    found = meiro.solve(corridor, (0, 0), (0, -1), algorithm="dijkstra", weights=weights)
    assert found.cost == math.fsum(weights[0, 1:]) == 2.0**53 + 1000
    torus = meiro.Maze.from_wall_ids((3, 4), [], wrap=(True, True))
    weights = np.random.default_rng(7).random((3, 4))
    for goal in np.ndindex(3, 4):
        found = meiro.solve(torus, (0, 0), goal, algorithm="dijkstra", weights=weights)
        assert found.cost == pytest.approx(math.fsum(weights[tuple(found.path[1:].T)]), rel=1e-15)


def test_best_first_cost_on_mazes() -> None:
    maze = meiro.Maze([[2, 10, 8]])
    assert meiro.solve(maze).cost == 2
    toll = meiro.solve(maze, algorithm="dijkstra", weights=[[9, 1.5, 2]])
    assert toll.cost == 3.5  # the start is free
    assert meiro.solve(maze, algorithm="dijkstra", weights=np.zeros((1, 3))).cost == 0
    whole = np.asfortranarray([[9, 2, 3]], dtype=">i8")
    assert meiro.distances(maze, (0, 0), weights=whole).tolist() == [[0, 2, 5]]
    out = np.empty((1, 3))
    assert meiro.distances(maze, (0, 0), weights=whole, out=out) is out


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"weights": [[1, -1, 1]]}, ValueError, r"weights\[0, 1\] is -1.0: weights are numbers, 0 or more"),
        ({"weights": [[1, 1, math.nan]]}, ValueError, r"weights\[0, 2\] is nan"),
        ({"weights": [[-math.inf, 1, 1]]}, ValueError, r"weights\[0, 0\] is -inf"),
        ({"weights": [[1, 1]]}, ValueError, r"weights has shape \(1, 2\), x has \(1, 3\) \(cells\)"),
        ({"weights": [["a", "b", "c"]]}, TypeError, r"weights must be numbers, not \[\['a', 'b', 'c'\]\]"),
        ({"weights": [[10**400, 1, 1]]}, ValueError, "weights must be numbers that a float holds"),
        ({"moves": 8}, TypeError, "moves=8 is for arrays"),
        ({"moves": 5}, ValueError, "moves must be 4 or 8, not 5"),
        ({"hand": "left"}, TypeError, "'dijkstra' takes no option 'hand'"),
    ],
)
def test_best_first_refuses_bad_arguments(given: dict[str, Any], error: type[Exception], words: str) -> None:
    refused(error, words, meiro.solve, meiro.Maze([[2, 10, 8]]), algorithm="dijkstra", **given)
    if "hand" not in given:
        refused(error, words, meiro.distances, meiro.Maze([[2, 10, 8]]), (0, 0), **given)


def test_distances_refuse_bad_out() -> None:
    maze = meiro.Maze([[2, 8]])
    for out in (np.empty((1, 2), np.int32), np.empty((1, 2), np.float32), np.empty((2, 2))):
        with pytest.raises(ValueError, match=r"out must be a float64 array of shape \(1, 2\)"):
            meiro.distances(maze, (0, 0), weights=[[1, 1]], out=out)
