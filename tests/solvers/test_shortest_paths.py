"""Shortest paths: counted by powers of the adjacency matrix, listed by networkx."""

from __future__ import annotations

import functools
import itertools
import math
import pickle

import networkx as nx
import numpy as np
import pytest
from reference_graphs import graph_of, some_ends, some_space
from refusals import refused

import meiro
from meiro import NoPathError, _core
from meiro._utils.square import Cell


def count_by_powers(ways: nx.Graph[Cell], start: Cell, goals: set[Cell], length: int) -> int:
    """Count walks of `length` steps, which are shortest paths, by powers of the adjacency matrix."""
    count = {start: 1}
    for _ in range(length):
        after: dict[Cell, int] = {}
        for place, number in count.items():
            for beside in ways[place]:
                after[beside] = after.get(beside, 0) + number
        count = after
    return sum(count.get(goal, 0) for goal in goals)


def letters(path: list[Cell]) -> list[int]:
    """Directions of a path, N 0 to W 3, over the rim as well."""
    steps = {(-1, 0): 0, (0, 1): 1, (1, 0): 2, (0, -1): 3}
    hops = np.diff(path, axis=0)
    hops = np.where(np.abs(hops) > 1, -np.sign(hops), hops)
    return [steps[int(row), int(col)] for row, col in hops]


@pytest.mark.parametrize("block", range(8))
def test_shortest_paths_are_counted_and_listed(block: int) -> None:
    for seed in range(40 * block, 40 * block + 40):
        x = some_space(seed)
        ways = graph_of(x)
        start, goal, *more = some_ends(ways, seed)
        goals = [goal, *more][: 1 + seed % 3]
        steps = {g: meiro.distances(x, start)[g] for g in goals}
        length = min(n for n in steps.values() if n >= 0)
        nearest = [g for g in goals if steps[g] == length]
        found = meiro.shortest_paths(x, start, goals if len(goals) > 1 else goal)
        assert (found.start, found.goal, found.length) == (start, nearest[0], length)
        assert found.count == count_by_powers(ways, start, set(nearest), length)
        there, back = meiro.distances(x, start), meiro.distances(x, nearest)
        assert (found.mask == ((there >= 0) & (back >= 0) & (there + back == length))).all()
        listed = [
            [tuple(p) for p in path.tolist()]
            for path in itertools.islice(meiro.all_shortest_paths(x, start, goals), 50)
        ]
        assert len(listed) == min(found.count, 50)
        for path in listed:
            assert path[0] == start
            assert path[-1] in nearest
            assert len(path) == length + 1
            assert all(ways.has_edge(*step) for step in itertools.pairwise(path))
        order = [letters(path) for path in listed]
        assert all(one < other for one, other in itertools.pairwise(order))
        if found.count <= 50:
            slow = [path for g in set(nearest) for path in nx.all_shortest_paths(ways, start, g)]
            assert sorted(listed) == sorted(slow)


@pytest.mark.parametrize("shape", [(1, 9), (2, 2), (7, 7), (40, 70), (300, 200), (1000, 1000)])
def test_shortest_paths_in_open_rooms(shape: tuple[int, int]) -> None:
    rows, cols = shape
    found = meiro.shortest_paths(np.zeros(shape, np.uint8), (0, 0), (-1, -1))
    assert found.count == math.comb(rows + cols - 2, rows - 1)
    assert found.length == rows + cols - 2
    assert found.mask.all()


def test_shortest_paths_counts_beyond_64_bits() -> None:
    """Rooms in a row, with a door between: what is multiplied needs one limb more now and then."""
    room, rooms = 12, 40
    walls = np.zeros((room, rooms * (room + 1) - 1), np.uint8)
    walls[:, room :: room + 1] = 1
    row = 0
    for door in range(room, walls.shape[1], room + 1):
        row = room - 1 - row
        walls[row, door] = 0
    end = (room - 1 - row, walls.shape[1] - 1)
    assert meiro.shortest_paths(walls, (0, 0), end).count == math.comb(2 * room - 2, room - 1) ** rooms


def test_shortest_paths_where_start_is_goal() -> None:
    for x in (np.zeros((2, 3), np.uint8), meiro.generate((2, 3), rng=0)):
        found = meiro.shortest_paths(x, (1, 1), [(0, 0), (1, 1)])
        assert (found.count, found.length, found.goal) == (1, 0, (1, 1))
        assert np.argwhere(found.mask).tolist() == [[1, 1]]
        assert [p.tolist() for p in meiro.all_shortest_paths(x, (1, 1), (1, 1))] == [[[1, 1]]]


def test_shortest_paths_to_equally_near_goals_count_together() -> None:
    room = np.zeros((3, 3), np.uint8)
    found = meiro.shortest_paths(room, (1, 1), [(2, 2), (0, 0), (0, 0)])
    assert (found.count, found.goal) == (4, (2, 2))
    assert len(list(meiro.all_shortest_paths(room, (1, 1), [(2, 2), (0, 0)]))) == 4


def test_shortest_paths_default_start_and_goal() -> None:
    maze = meiro.generate((5, 8), rng=3)
    assert meiro.shortest_paths(maze).mask.sum() == meiro.solve(maze).length + 1
    assert meiro.shortest_paths([[1, 0, 1], [1, 0, 0], [1, 1, 1]]).goal == (1, 2)
    (path,) = meiro.all_shortest_paths(maze)
    assert (path == meiro.solve(maze).path).all()


def test_shortest_paths_repr() -> None:
    found = meiro.shortest_paths(np.zeros((2, 2), np.uint8), (0, 0), (0, 1))
    assert repr(found) == "<ShortestPaths: 1 of 1 step from (0, 0) to (0, 1)>"
    many = meiro.shortest_paths(np.zeros((200, 200), np.uint8), (0, 0), (-1, -1))
    about = math.floor(math.log2(math.comb(398, 199)))
    assert repr(many) == f"<ShortestPaths: about 2**{about} of 398 steps from (0, 0) to (199, 199)>"
    assert pickle.loads(pickle.dumps(many)).count == many.count  # noqa: S301  # our own
    with pytest.raises(ValueError, match="read-only"):
        found.mask[0, 0] = False


def test_shortest_paths_refuse_bad_arguments() -> None:
    parted = np.array([[0, 1, 0]])
    for ask in (meiro.shortest_paths, meiro.all_shortest_paths):
        refused(NoPathError, r"there is no path from \(0, 0\) to \(0, 2\)$", ask, parted, (0, 0), (0, 2))
        refused(NoPathError, r"to any of \d+ goals", ask, [[0, 1, 0, 0]], (0, 0), [(0, 2), (0, 3)])
        refused(ValueError, r"goal \(0, 1\) is in a wall", ask, parted, (0, 0), (0, 1))
        refused(ValueError, r"start \(0, 3\) is outside", ask, parted, (0, 3), (0, 0))
        refused(ValueError, "give start= and goal=", ask, np.ones((3, 3), np.uint8))
        refused(ValueError, "empty", ask, np.empty((0, 3), np.uint8))
        refused(TypeError, "road", ask, meiro.generate((2, 2), rng=0), road=1)


def test_shortest_paths_in_the_core_survive_one_way_passages() -> None:
    """No maze holds such; whatever comes, the core stays in its memory and comes to an end."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        shape = tuple(rng.integers(3, 8, 2))
        passages = rng.integers(0, 16, shape).astype(np.uint8)
        wrap = (bool(seed % 2), bool(seed % 3))
        if not wrap[0]:
            passages[0] &= 14
            passages[-1] &= 11
        if not wrap[1]:
            passages[:, 0] &= 7
            passages[:, -1] &= 13
        start, goal = rng.integers(passages.size, size=2)
        space = passages[np.newaxis], None, wrap
        asked = space, start, np.array([goal])
        _core.shortest_paths(*asked, None)
        _core.policy(space, np.array([[goal]]), 1, None)
        _core.components(space, 1)
        asks = (
            _core.ShortestPaths(*asked, None).next,
            functools.partial(_core.bottlenecks, *asked),
            functools.partial(_core.longest_path, space, exact=True),
        )
        for ask in asks:
            try:
                ask()
            except ValueError as error:
                assert "not symmetric" in str(error)  # noqa: PT017  # some of them only


def test_a_long_list_goes_back_to_its_first_step_and_ends_for_good() -> None:
    """Two paths, which differ in their first steps, some thousand steps before the goal."""
    walls = np.ones((2, 5000), np.uint8)
    walls[0] = walls[1, :2] = 0
    paths = _core.ShortestPaths((walls, 4), 5000, np.array([4999]), None)
    end = list(range(1, 5000))
    first, second = paths.next(), paths.next()
    assert first is not None
    assert second is not None
    assert sorted([first.tolist(), second.tolist()]) == [[5000, 0, *end], [5000, 5001, *end]]
    assert paths.next() is None
    assert paths.next() is None
