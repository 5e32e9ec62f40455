"""Policies, bottlenecks, components and longest paths, compared with networkx and scipy."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.ndimage
from arbitrary_mazes import some_array
from numpy.typing import NDArray
from power import samples
from reference_graphs import graph_of, some_ends, some_space
from refusals import refused
from scipy.sparse import csgraph

import meiro
from meiro import Maze, NoPathError
from meiro._utils.square import Cell

HOPS = [(-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1)]  # as the bits are


# policy


def test_policy_is_what_distances_say() -> None:
    for seed in range(200):
        x = some_space(seed)
        ways = graph_of(x)
        goals = some_ends(ways, seed)[: 1 + seed % 3]
        steps, shape = meiro.distances(x, goals), meiro.components(x)[0].shape
        expected = np.zeros(shape, np.uint8)
        for place in ways:
            for beside in ways[place]:
                if steps[place] == steps[beside] + 1 and steps[beside] >= 0:
                    down, right = (
                        int(-np.sign(b - a)) if abs(b - a) > 1 else b - a
                        for a, b in zip(place, beside, strict=True)
                    )
                    expected[place] |= 1 << HOPS.index((down, right))
        found = meiro.policy(x, goals)
        assert found.dtype == np.uint8
        assert (found == expected).all()


def test_octile_policy_of_a_large_room() -> None:
    """In a room every move that shortens the longer side is best; floating sums would lose some ties."""
    rows, cols = np.indices((150, 211))
    row, col = 70, 90
    found = meiro.policy(np.zeros(rows.shape, np.uint8), (row, col), moves=8)
    down, right = row - rows, col - cols
    expected = np.zeros(rows.shape, np.uint8)
    for way, hop in enumerate(HOPS):
        along = np.abs(down) > np.abs(right) if hop[1] == 0 else np.abs(right) > np.abs(down)
        if way > 3:
            along = (down != 0) & (right != 0)
        same = (np.sign(down) == hop[0]) | (hop[0] == 0), (np.sign(right) == hop[1]) | (hop[1] == 0)
        expected |= ((along & same[0] & same[1]) << way).astype(np.uint8)
    assert (found == expected).all()


def test_policy_by_hand() -> None:
    assert meiro.policy(Maze([[2, 10, 8]]), (0, -1)).tolist() == [[2, 2, 0]]
    assert meiro.policy(Maze([[10, 10, 10]], wrap=(False, True)), (0, 2)).tolist() == [[8, 2, 0]]
    assert meiro.policy([[0, 0], [0, 0]], (0, 0), moves=8).tolist() == [[0, 8], [1, 128]]
    assert meiro.policy([[0, 1], [0, 0]], (0, 0), moves=8).tolist() == [[0, 0], [1, 8]]  # no corner is cut
    assert meiro.policy([[0, 1, 0, 0]], [(0, 2), (0, 2)]).tolist() == [[0, 0, 0, 8]]


@pytest.mark.parametrize(
    "x",
    [
        meiro.generate((4, 5), rng=1, openings="top_bottom"),
        meiro.generate(meiro.lattices.hexagonal(3, 4), rng=1),
        meiro.generate((4, 5), rng=1, openings="top_bottom").grid,
    ],
    ids=["squares", "hexagons", "grid"],
)
def test_policy_goes_to_the_goal_of_solve(x: Any) -> None:
    assert np.array_equal(meiro.policy(x), meiro.policy(x, meiro.solve(x).goal))


def test_policy_refuses_bad_arguments() -> None:
    refused(ValueError, "moves must be 4 or 8, not 6", meiro.policy, [[0, 0]], (0, 0), moves=6)
    refused(TypeError, "a Maze has no diagonal passages", meiro.policy, Maze([[2, 8]]), (0, 0), moves=8)
    refused(ValueError, r"goal \(0, 1\) is in a wall", meiro.policy, [[0, 1]], (0, 1))
    refused(ValueError, "or several of them", meiro.policy, [[0, 1]], np.empty((0, 2), int))


# bottlenecks


def test_bottlenecks_are_what_parts_start_from_goal() -> None:
    checked, n = 0, samples(200)
    for seed in range(n):
        x = some_space(seed)
        if not isinstance(x, Maze):
            x = x[:16, :16]
        ways = graph_of(x)
        start, goal, *more = some_ends(ways, seed)
        goals = [goal, *more][: 1 + seed % 2]
        found = [tuple(p) for p in meiro.bottlenecks(x, start, goals).tolist()]
        expected = set()
        for place in nx.shortest_path(ways, start, goal):
            if place != start and place not in goals:
                left = nx.restricted_view(ways, [place], [])
                near = nx.node_connected_component(left, start)
                expected |= {place} if near.isdisjoint(goals) else set()
        if start in goals:
            expected = set()
        assert set(found) == expected
        assert len(found) == len(expected)
        steps = meiro.distances(x, start)
        assert all(steps[a] < steps[b] for a, b in itertools.pairwise(found))
        checked += len(found)
    assert checked > n


def test_bottlenecks_of_a_perfect_maze_are_its_path() -> None:
    maze = meiro.generate((30, 40), "wilson", rng=1)
    assert (meiro.bottlenecks(maze) == meiro.solve(maze).path[1:-1]).all()
    assert meiro.bottlenecks(maze, (3, 3), (3, 3)).shape == (0, 2)
    assert meiro.bottlenecks(np.zeros((5, 5), np.uint8), (0, 0), (4, 4)).shape == (0, 2)
    refused(NoPathError, r"no path from \(0, 0\) to \(0, 2\)", meiro.bottlenecks, [[0, 1, 0]], (0, 0), (0, 2))


# components


def test_components_of_arrays() -> None:
    for seed in range(60):
        walls = some_array(seed)
        labels, n = meiro.components(walls)
        expected, count = scipy.ndimage.label(walls == 0)
        assert labels.dtype == np.int32
        assert n == count
        assert (labels == expected).all()
    assert meiro.components(np.ones((2, 2), bool))[1] == 0
    assert meiro.components([[5, 5], [6, 5]], road=6)[1] == 1


def test_components_of_mazes() -> None:
    for seed in range(200):
        maze = some_space(2 * seed + 1)
        assert isinstance(maze, Maze)
        expected = np.zeros(maze.passages.shape, int)
        parts = sorted(nx.connected_components(graph_of(maze)), key=min)
        for i, part in enumerate(parts):
            expected[tuple(np.transpose([*part]))] = i + 1
        labels, n = meiro.components(maze)
        assert n == len(parts)
        assert (labels == expected).all()
    labels, n = meiro.components(Maze([[0, 4], [2, 9]], [[False, True], [True, True]]))
    assert (labels.tolist(), n) == ([[0, 1], [1, 1]], 1)


# longest_path


def diameter(ways: nx.Graph[Cell]) -> int:
    """The most steps between two places, over all parts."""
    steps = csgraph.shortest_path(nx.to_scipy_sparse_array(ways), unweighted=True)
    return int(steps[np.isfinite(steps)].max())


def check_longest(x: Maze | NDArray[Any], found: meiro.LongestPath) -> None:
    steps = meiro.distances(x, found.start)
    assert steps[found.goal] == found.length == len(found.path) - 1
    assert (steps[tuple(found.path.T)] == np.arange(found.length + 1)).all()
    assert tuple(found.path[0]) == found.start
    assert tuple(found.path[-1]) == found.goal
    assert found.exact == (found.length == found.at_most)


def test_longest_paths() -> None:
    inexact = 0
    for seed in range(150):
        x = some_space(seed)
        if not isinstance(x, Maze):
            x = x[:20, :20]
        ways = graph_of(x)
        longest = diameter(ways)
        found = meiro.longest_path(x)
        check_longest(x, found)
        assert found.length <= longest <= found.at_most
        if nx.is_forest(ways):
            assert found.exact
        inexact += not found.exact
        exact = meiro.longest_path(x, exact=True)
        check_longest(x, exact)
        assert exact.exact
        assert exact.length == longest
    assert inexact > 10


def test_longest_path_by_hand() -> None:
    maze = meiro.generate((20, 30), "wilson", rng=1)
    assert meiro.longest_path(maze).length == diameter(graph_of(maze))
    room = meiro.longest_path(np.zeros((31, 31), np.uint8), exact=True)
    assert (room.length, room.at_most) == (60, 60)
    assert meiro.longest_path(np.zeros((31, 31), np.uint8)).at_most == 60  # the middle of it is found
    parts = meiro.longest_path([[0, 1, 0, 0, 0], [1, 1, 1, 1, 1], [0, 0, 1, 1, 0]])
    assert (parts.start, parts.goal, parts.length) == ((0, 4), (0, 2), 2)
    torus = Maze(np.full((5, 8), 15, np.uint8), wrap=(True, True))
    assert meiro.longest_path(torus, exact=True).length == 6
    assert repr(parts) == "<LongestPath of 2 steps, from (0, 4) to (0, 2)>"
    assert "at most" in repr(meiro.longest_path(torus))
    assert pickle.loads(pickle.dumps(parts)).length == 2  # noqa: S301  # our own


def test_longest_path_without_passages() -> None:
    for x, place in (
        (np.array([[1, 1], [1, 0]]), (1, 1)),
        (Maze([[0, 0]], mask=[[False, True]]), (0, 1)),
        (Maze([[0]]), (0, 0)),
    ):
        found = meiro.longest_path(x)
        assert found.path.tolist() == [list(place)]
        assert (found.start, found.goal, found.length, found.exact) == (place, place, 0, True)
    with pytest.raises(ValueError, match=r"x contains no road: all 4 sites are walls"):
        meiro.longest_path(np.ones((2, 2), np.uint8))


def test_longest_path_after_many_sweeps_is_exact() -> None:
    """More sweeps than there are marks for them, in one part and over several."""
    torus = Maze(np.full((18, 18), 15, np.uint8), wrap=(True, True))
    assert meiro.longest_path(torus, exact=True).length == 18
    for seed in itertools.count():
        walls = (np.random.default_rng(seed).random((20, 20)) < 0.3).astype(np.uint8)
        exact = meiro.longest_path(walls, exact=True)
        if meiro.longest_path(walls).length < exact.length:  # here it takes more sweeps
            break
    for pairs in range(230, 260):  # one sweep each
        below = np.ones((2 * pairs, 20), np.uint8)
        below[1::2, :2] = 0
        assert meiro.longest_path(np.concatenate([walls, below]), exact=True).length == exact.length
