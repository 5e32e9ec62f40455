"""Solvers that walk, compared with slow versions of their rules."""

from __future__ import annotations

import collections
import functools
import itertools
import math
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import pytest
import scipy.stats
from arbitrary_mazes import some_array, some_maze
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from periodic_mazes import WRAPS, periodic_maze
from reference_graphs import graph_of
from refusals import refused

import meiro
from meiro import Maze, NoPathError, _core
from meiro._utils.square import Cell

Ways = dict[Cell, dict[int, Cell]]  # of each place, where N (0), E, S, W lead to
Case = tuple[Maze | NDArray[np.uint8], Ways, Cell, Cell, set[Cell]]

COMPASS = ((-1, 0), (0, 1), (1, 0), (0, -1))
WALKERS = [
    ("wall_follower", {"hand": "right"}),
    ("wall_follower", {"hand": "left"}),
    ("pledge", {"hand": "right"}),
    ("pledge", {"hand": "left"}),
    ("tremaux", {}),
    ("tremaux", {"directions": "WSEN"}),
    ("tremaux", {"rng": 3}),
    ("random_mouse", {"rng": 4, "max_steps": 3000}),
    ("chain", {}),
]


def ways_of(x: Maze | NDArray[np.uint8]) -> Ways:
    shape = x.passages.shape if isinstance(x, Maze) else x.shape
    ways: Ways = {}
    for row, col in np.ndindex(*shape):
        ways[row, col] = {}
        for d, (down, right) in enumerate(COMPASS):
            if isinstance(x, Maze):
                there = (row + down) % shape[0], (col + right) % shape[1]
                is_open = bool(x.passages[row, col] >> d & 1)
            else:
                there = row + down, col + right
                inside = 0 <= there[0] < shape[0] and 0 <= there[1] < shape[1]
                is_open = inside and x[row, col] == 0 and x[there] == 0
            if is_open:
                ways[row, col][d] = there
    return ways


@functools.cache
def case(seed: int, kind: Callable[[int], Any]) -> Case:
    x: Any = kind(seed)
    places = np.argwhere((x.grid[1::2, 1::2] if isinstance(x, Maze) else x) == 0)
    start, goal = np.random.default_rng(seed).choice(places, 2).tolist()
    start, goal = tuple(start), tuple(goal)
    ways = ways_of(x)
    return x, ways, start, goal, nx.node_connected_component(graph_of(x), start)


def cases(count: int, *, flat: bool = False) -> Iterator[Case]:
    """Mazes and arrays of all kinds: two places in each, and what can be reached from the first."""
    for seed, kind in itertools.product(range(count), (some_maze, some_array)):
        if not (flat and kind is some_maze and seed % 4 == 1):  # those that wrap
            yield case(seed, kind)


def solve(x: Any, start: Cell, goal: Any, algorithm: str, **options: Any) -> meiro.Solution | None:
    """The solution; None if there is no way."""
    try:
        return meiro.solve(x, start, goal, algorithm=algorithm, **options)
    except NoPathError:
        return None


def walk_of(solution: meiro.Solution) -> list[Cell]:
    assert solution.walk is not None
    return [(row, col) for row, col in solution.walk.tolist()]


def core(
    name: str,
    x: NDArray[np.uint8],
    goals: list[int],
    wrap: tuple[bool, bool] = (False, False),
    *,
    sites: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """What the core finds from the first place on, with nothing of Python between."""
    query = {"order": True, "seed": (1, 2, 3)} | options
    space = (x, 4) if sites else (x[np.newaxis], None, wrap)
    return _core.solve(name, space, 0, np.array(goals), query, None, None)


# The slow ones


def by_hand(ways: Ways, start: Cell, goal: Cell, hand: str) -> list[Cell]:
    """Hand on the wall, until a place is left as it was left before."""
    side, other = (1, 3) if hand == "right" else (3, 1)
    walk = [start]
    while walk[-1] != goal and len(ways[walk[-1]]) == 4:  # north until there is a wall
        walk.append(ways[walk[-1]][0])
        if walk[-1] == start:
            return walk
    heading = next((d for d in range(4) if (d + side) % 4 not in ways[walk[-1]]), 0)
    left = set()
    while walk[-1] != goal:
        here = walk[-1]
        heading = next(
            ((heading + t) % 4 for t in (side, 0, other, 2) if (heading + t) % 4 in ways[here]), -1
        )
        if heading < 0 or (here, heading) in left:
            break
        left.add((here, heading))
        walk.append(ways[here][heading])
    return walk


def by_turns(ways: Ways, start: Cell, goal: Cell, hand: str, most: int) -> list[Cell]:
    """Pledge's algorithm for a number of steps, never giving up."""
    towards, away = (1, -1) if hand == "right" else (-1, 1)
    walk, heading, count = [start], 0, 0  # count: quarter turns away from the hand
    while walk[-1] != goal and len(walk) <= most and ways[walk[-1]]:
        open_ways = ways[walk[-1]]
        if count != 0:  # feel for the wall
            heading, count = (heading + towards) % 4, count - 1
        while heading not in open_ways:
            heading, count = (heading + away) % 4, count + 1
        walk.append(open_ways[heading])
    return walk


def by_chalk(ways: Ways, start: Cell, goal: Cell, order: list[int]) -> list[Cell]:
    """Tremaux: marks on passages, counted."""
    marks: collections.Counter[frozenset[Cell]] = collections.Counter()
    walk = [start]
    while walk[-1] != goal:
        here = walk[-1]
        marked = {d: marks[frozenset({here, ways[here][d]})] for d in order if d in ways[here]}
        back = [d for d in marked if len(walk) > 1 and ways[here][d] == walk[-2]]
        fresh = [d for d, m in marked.items() if m == 0]
        once = [d for d, m in marked.items() if m == 1]
        seen = here in walk[:-1]
        choice = back if seen and back and marked[back[0]] == 1 else fresh or once
        if not choice:
            break
        there = ways[here][choice[0]]
        marks[frozenset({here, there})] += 1
        walk.append(there)
    return walk


@pytest.mark.parametrize("hand", ["right", "left"])
def test_wall_follower_is_the_slow_one(hand: str) -> None:
    lost = 0
    for x, ways, start, goal, there in cases(60):
        solution = solve(x, start, goal, "wall_follower", hand=hand)
        expected = by_hand(ways, start, goal, hand)
        assert (solution is None) == (goal not in there)
        if solution is None:
            continue
        assert walk_of(solution) == expected
        assert solution.found == (expected[-1] == goal)
        lost += not solution.found
        if isinstance(x, Maze) and x.is_perfect and x.wrap == (False, False):
            assert solution.found
            assert len(expected) < 2 * x.passages.size
    assert lost > 10


@pytest.mark.parametrize("hand", ["right", "left"])
def test_pledge_is_the_slow_one(hand: str) -> None:
    lost = 0
    for x, ways, start, goal, there in cases(60):
        solution = solve(x, start, goal, "pledge", hand=hand)
        assert (solution is None) == (goal not in there)
        if solution is None:
            continue
        walk = walk_of(solution)
        expected = by_turns(ways, start, goal, hand, 6 * len(ways))
        lost += not solution.found
        if solution.found:
            assert walk == expected
        else:  # it would never have come there
            assert expected[-1] != goal
            assert walk == expected[: len(walk)]
    assert lost > 10


@pytest.mark.parametrize("hand", ["right", "left"])
def test_pledge_reaches_every_goal_at_the_border(hand: Any) -> None:
    """And when it gives up, it has been round the outer wall: in the plane no other state comes again."""
    for x, _, start, goal, there in cases(60, flat=True):
        height, width = x.passages.shape if isinstance(x, Maze) else x.shape
        rim = [(r, c) for r, c in sorted(there) if r in {0, height - 1} or c in {0, width - 1}]
        for end in rim[:: max(1, len(rim) // 4)]:
            assert meiro.solve(x, start, end, algorithm="pledge", hand=hand).found
        solution = solve(x, start, goal, "pledge", hand=hand)
        if solution is not None and not solution.found:
            assert solution.reason == "it came round a wall, and so it would for ever"
            assert set(rim) <= set(walk_of(solution))


@pytest.mark.parametrize("letters", ["NESW", "WSEN"])
def test_tremaux_is_the_slow_one(letters: str) -> None:
    for x, ways, start, goal, there in cases(60):
        solution = solve(x, start, goal, "tremaux", directions=letters)
        assert (solution is None) == (goal not in there)
        if solution is None:
            continue
        assert walk_of(solution) == by_chalk(ways, start, goal, ["NESW".index(d) for d in letters])


def test_tremaux_takes_no_passage_twice_the_same_way_and_its_path_has_one_mark() -> None:
    for x, _, start, goal, _ in cases(60):
        solution = solve(x, start, goal, "tremaux", rng=5)
        if solution is None:
            continue
        walk = walk_of(solution)
        steps = list(itertools.pairwise(walk))
        assert len(set(steps)) == len(steps)
        marks = collections.Counter(frozenset(step) for step in steps)
        once = {passage for passage, m in marks.items() if m == 1}
        assert once == {frozenset(step) for step in itertools.pairwise(map(tuple, solution.path.tolist()))}
        if isinstance(x, Maze) and x.is_perfect:
            assert len(steps) <= 2 * (x.passages.size - 1)


def test_tremaux_without_a_path_has_taken_every_passage_twice() -> None:
    maze = Maze([[6, 12, 0], [3, 9, 0]])
    found = core("tremaux", maze.passages, [2])
    assert (found["found"], found["reason"]) == (False, "")
    assert found["walk"].tolist() == [1, 2, 3, 0, 2, 1, 0, 3]  # round, and back


# The random mouse


def test_random_mouse_is_fair_at_every_junction() -> None:
    room = np.zeros((31, 31), np.uint8)
    first: collections.Counter[Cell] = collections.Counter()
    turns: collections.Counter[int] = collections.Counter()
    for seed in range(800):
        solution = meiro.solve(room, (15, 15), (0, 0), algorithm="random_mouse", rng=seed, max_steps=8)
        steps = np.diff(walk_of(solution), axis=0).tolist()
        first[steps[0][0], steps[0][1]] += 1
        for (a, b), (c, d) in itertools.pairwise(steps):
            turns[a * d - b * c if (a, b) != (-c, -d) else 2] += 1
    assert set(first) == set(COMPASS)
    assert scipy.stats.chisquare(list(first.values())).pvalue > 1e-6
    assert sorted(turns) == [-1, 0, 1]  # never back
    assert scipy.stats.chisquare(list(turns.values())).pvalue > 1e-6


def mean_steps(ways: Ways, start: Cell, goal: Cell) -> float:
    """How many steps the mouse takes on average, by linear equations over where it is and was."""
    states = [(here, there) for there in ways for here in ways[there].values()]
    number = {state: i for i, state in enumerate(states)}
    moves = np.eye(len(states))
    for (here, before), i in number.items():
        onward = [to for to in ways[here].values() if to != before] or [before]
        if here != goal:
            for to in onward:
                moves[i, number[to, here]] -= 1 / len(onward)
    steps = np.linalg.solve(moves, [float(here != goal) for here, _ in states])
    return float(1 + np.mean([steps[number[to, start]] for to in ways[start].values()]))


@pytest.mark.parametrize("name", ["maze", "loops", "torus"])
def test_random_mouse_takes_the_expected_number_of_steps(name: str) -> None:
    maze = {
        "maze": meiro.generate((3, 4), rng=1),
        "loops": Maze([[6, 14, 12], [7, 13, 5], [3, 11, 9]]),
        "torus": periodic_maze((3, 4), (True, True), 0, 2),
    }[name]
    start, goal = (0, 0), (2, 2)
    taken = [
        len(meiro.solve(maze, start, goal, algorithm="random_mouse", rng=seed)._walk)  # type: ignore[arg-type]
        for seed in range(1500)
    ]
    error = np.std(taken) / np.sqrt(len(taken))
    assert abs(np.mean(taken) - mean_steps(ways_of(maze), start, goal)) < 5 * error


def test_random_mouse_gives_up_where_no_path_exists() -> None:
    room = np.zeros((50, 50), np.uint8)
    solution = meiro.solve(room, (0, 0), (49, 49), algorithm="random_mouse", rng=1, max_steps=90)
    assert not solution.found
    assert solution.reason == "it has taken all the steps it may (max_steps)"
    assert len(walk_of(solution)) == 91
    assert not meiro.solve(room, (0, 0), (0, 1), algorithm="random_mouse", rng=1, max_steps=0).found
    usual = meiro.solve(np.zeros((2, 2), np.uint8), (0, 0), (1, 1), algorithm="random_mouse", rng=1)
    assert len(walk_of(usual)) == 3  # round a ring; 16 would be the most
    room[:, 25] = 1
    with pytest.raises(NoPathError, match="1,250 sites can be reached"):
        meiro.solve(room, (0, 0), (49, 49), algorithm="random_mouse", rng=1)
    assert core("random_mouse", room, [49], sites=True, max_steps=1 << 60)["walk"].size == 0
    with pytest.raises(MemoryError, match="a walk of 100,000"):
        meiro.solve(room, (0, 0), (0, 1), algorithm="random_mouse", rng=1, max_steps=10**17)


# Chain


def test_chain_finds_a_path_exactly_when_one_exists() -> None:
    some = none = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        x: Any = some_array(seed) if seed % 2 else (rng.random((25, 25)) < (0.3, 0.37, 0.4)[seed % 3]) * 1
        if seed % 4 == 0:  # islands in an open room, and closed rooms in them
            x[:] = 0
            for _ in range(8):
                r, c, h, w = rng.integers((0, 0, 2, 2), (20, 20, 9, 9))
                x[r : r + h, c : c + w] = 1
                x[r + 1 : r + h - 1, c + 1 : c + w - 1] = 0
                if rng.random() < 0.5:
                    x[r + h - 1 : r + h, c + 1 : c + 2] = 0
        places = np.argwhere(x == 0)
        start, *goals = [(int(row), int(col)) for row, col in rng.choice(places, 1 + seed % 3 + 1)]
        steps = meiro.distances(x, start)
        solution = solve(x, start, goals, "chain", visit_order=True)
        assert (solution is not None) == any(steps[goal] >= 0 for goal in goals)
        some, none = some + (solution is not None), none + (solution is None)
        if solution is not None:
            assert solution.goal in goals
            assert solution.visit_order is not None
            assert (
                np.sort(solution.visit_order[solution.explored]) == np.arange(solution.explored.sum())
            ).all()
    assert min(some, none) > 80


def test_chain_tries_the_nearest_goal_and_takes_the_next_if_it_is_shut_in() -> None:
    x = np.zeros((9, 20), np.uint8)
    x[2:7, 5:10] = 1
    x[4, 7] = 0
    solution = meiro.solve(x, (4, 0), [(4, 7), (4, 19), (4, 19)], algorithm="chain")
    assert solution.goal == (4, 19)
    assert walk_of(solution)[:6] == [
        *((4, col) for col in range(5)),
        (3, 4),
    ]  # both are as far: the right hand
    assert meiro.solve(x, (4, 0), [(4, 19), (4, 3)], algorithm="chain").goal == (4, 3)
    refused(NoPathError, "155 sites can be reached", meiro.solve, x, (4, 0), (4, 7), algorithm="chain")


def test_chain_goes_to_the_nearest_goal_and_to_the_first_of_equally_near_ones() -> None:
    assert meiro.solve(np.zeros((5, 5)), (2, 2), [(2, 4), (3, 2)], algorithm="chain").goal == (3, 2)
    for goals in ([(2, 4), (2, 0), (4, 2)], [(2, 0), (4, 2), (2, 4)]):
        solution = meiro.solve(np.zeros((5, 5)), (2, 2), goals, algorithm="chain")
        assert solution.goal == (2, 0)  # in the order of rows, whatever the order in which they are given


def test_chain_line_steps_down_first_where_both_steps_are_equally_near() -> None:
    room = np.zeros((4, 5))
    diagonal = meiro.solve(room, (0, 0), (3, 3), algorithm="chain")
    assert walk_of(diagonal) == [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3)]
    flat = meiro.solve(room, (0, 0), (2, 4), algorithm="chain")
    assert walk_of(flat) == [(0, 0), (0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (2, 4)]


def test_chain_forgets_the_line_to_a_goal_that_is_shut_in() -> None:
    """The robot that turns back meets the old line at once, but only the new line ends the way around."""
    rows = [".........", "....###..", "....#.#..", ".######..", "........."]
    x = np.array([[c == "#" for c in row] for row in rows])
    solution = meiro.solve(x, (2, 0), [(2, 5), (2, 8)], algorithm="chain")
    above = [(1, 3), (0, 3), (0, 4), (0, 5), (0, 6), (0, 7), (1, 7), (2, 7)]
    assert walk_of(solution) == [(2, 0), (2, 1), (2, 2), (2, 3), *above, (2, 8)]


def test_chain_by_hand() -> None:
    """Along the line to the wall; the right hand finds the gap above, four steps sooner than the left."""
    rows = ["..#...", "..#...", ".S#.G.", "..#...", "..#...", "..#...", "......"]
    x = np.array([[c == "#" for c in row] for row in rows])
    x[0, 2] = False
    solution = meiro.solve(x, (2, 1), (2, 4), algorithm="chain", visit_order=True)
    around = [(2, 1), (1, 1), (0, 1), (0, 2), (0, 3), (1, 3), (2, 3), (2, 4)]
    assert walk_of(solution) == around
    assert solution.path.tolist() == [list(p) for p in around]
    seen = {(r, 1) for r in range(3, 7)} | {(6, 2)}  # by the robot with the left hand on the wall
    assert {tuple(p) for p in np.argwhere(solution.explored).tolist()} == {*around, *seen}
    assert solution.visit_order is not None
    assert solution.visit_order[1, 1] == 1
    assert solution.visit_order[3, 1] == 2  # they take their steps in turn


# What holds for all of them


@pytest.mark.parametrize(("name", "options"), WALKERS)
def test_walkers_path_is_part_of_the_walk(name: str, options: dict[str, Any]) -> None:
    for x, ways, start, goal, there in cases(60, flat=name == "chain"):
        solution = solve(x, start, goal, name, visit_order=True, **options)
        assert (solution is None) == (goal not in there)
        if solution is None:
            continue
        walk = walk_of(solution)
        path = [(row, col) for row, col in solution.path.tolist()]
        assert walk[0] == start
        steps = set(itertools.pairwise(walk))
        assert all(there in ways[here].values() for here, there in steps)
        assert solution.found == (goal in walk) == (not solution.reason)
        if name != "chain":  # whose robots see more
            assert {tuple(p) for p in np.argwhere(solution.explored).tolist()} == set(walk)
            first = {place: i for i, place in enumerate(dict.fromkeys(walk))}
            assert solution.visit_order is not None
            assert all(solution.visit_order[place] == i for place, i in first.items())
        if solution.found:
            assert walk[-1] == goal
            assert walk.index(goal) == len(walk) - 1
            assert (path[0], path[-1], len(set(path))) == (start, goal, len(path))
            assert set(itertools.pairwise(path)) <= steps
            nearest = solve(x, start, [goal, goal], name, **options)
            assert nearest is not None
            assert walk_of(nearest) == walk
        else:
            assert not meiro.SOLVERS[name].complete


def test_walkers_are_named_by_the_facts() -> None:
    assert {name for name, facts in meiro.SOLVERS.items() if facts.walks} == {name for name, _ in WALKERS}
    assert meiro.solve(Maze([[2, 8]])).walk is None


def test_wall_follower_and_pledge_are_caught_inside_an_island() -> None:
    """The goal stands at a post in a room: there is a way, and no hand at the outer wall comes by."""
    x = np.zeros((9, 9), np.uint8)
    x[4, 4] = 1
    for hand in ("right", "left"):
        follower = meiro.solve(x, (0, 0), (4, 5), algorithm="wall_follower", hand=hand)
        assert not follower.found
        assert follower.reason == "it came round to where it had put its hand on the wall"
        assert len(walk_of(follower)) == 33  # round the outer wall
        assert follower.path.shape == (0, 2)
        assert not meiro.solve(x, (0, 0), (4, 5), algorithm="pledge", hand=hand).found
        # From the island the follower never leaves, and pledge does.
        assert not meiro.solve(x, (5, 4), (0, 0), algorithm="wall_follower", hand=hand).found
        assert meiro.solve(x, (5, 4), (0, 0), algorithm="pledge", hand=hand).found
    x[:, 2] = 1
    for name in ("wall_follower", "pledge", "tremaux", "random_mouse", "chain"):
        refused(NoPathError, "no path", meiro.solve, x, (0, 0), (4, 5), algorithm=name)
        alone = np.array([[0, 1, 0]])
        refused(NoPathError, "1 site can be reached", meiro.solve, alone, (0, 0), (0, 2), algorithm=name)


def test_walkers_without_a_wall_to_follow() -> None:
    torus = Maze(np.full((4, 5), 15), wrap=(True, True))
    follower = meiro.solve(torus, (1, 1), (0, 4), algorithm="wall_follower")
    assert follower.reason == "straight on there is no wall to put a hand on"
    assert walk_of(follower) == [(1, 1), (0, 1), (3, 1), (2, 1), (1, 1)]
    pledge = meiro.solve(torus, (1, 1), (0, 4), algorithm="pledge")
    assert pledge.reason == "it came again to where it had been with no turns left to undo"
    assert walk_of(pledge) == walk_of(follower)
    assert meiro.solve(torus, (1, 1), (2, 1), algorithm="pledge").found


class Asked(NamedTuple):
    """Passages, and some of the arguments of `_core.solve`."""

    passages: NDArray[np.uint8]
    wrap: tuple[bool, bool]
    goals: list[int]


@st.composite
def any_bytes(draw: st.DrawFn) -> Asked:
    """Bytes that lead somewhere without a way back, though never over a rim that is shut."""
    wrap = draw(st.sampled_from([(False, False), *WRAPS]))
    sides = hnp.array_shapes(min_dims=2, max_dims=2, min_side=3 if any(wrap) else 1, max_side=6)
    passages = draw(hnp.arrays(np.uint8, sides))
    if not wrap[0]:
        passages[0] &= 0xFE
        passages[-1] &= 0xFB
    if not wrap[1]:
        passages[:, 0] &= 0xF7
        passages[:, -1] &= 0xFD
    return Asked(passages, wrap, draw(st.lists(st.integers(0, passages.size - 1), min_size=1, max_size=3)))


@given(any_bytes(), st.booleans(), st.booleans())
def test_walkers_end_for_any_bytes(asked: Asked, left: bool, by_chance: bool) -> None:  # noqa: FBT001
    shape = asked.passages.shape
    for name in {name for name, _ in WALKERS}:
        options: dict[str, Any] = {"random": by_chance, "left": left, "max_steps": 99}
        found = core(name, asked.passages, asked.goals, wrap=asked.wrap, **options)
        row = col = 0
        for way in found["walk"].tolist():
            assert asked.passages[row, col] >> (way & 3) & 1
            row, col = (row + COMPASS[way & 3][0]) % shape[0], (col + COMPASS[way & 3][1]) % shape[1]
        if found["found"]:
            assert row * shape[1] + col == found["goal"]
            assert found["goal"] in asked.goals
        assert (
            np.count_nonzero(found["reached"]) == found["explored"] == np.count_nonzero(found["order"] >= 0)
        )


def test_walkers_without_a_path_have_a_walk(tmp_path: Path) -> None:
    maze = meiro.add_loops(meiro.generate((6, 8), "kruskal", rng=3), 10, rng=3)
    lost = meiro.solve(maze, (0, 0), (3, 4), algorithm="wall_follower")
    assert not lost.found
    assert lost.path.shape == lost.grid_path.shape == lost.cells.shape == (0, 2)
    assert (lost.length, lost.cost) == (-1, math.inf)
    assert not lost.mask.any()
    assert repr(lost).startswith("<Solution without a path in cells, wall_follower from (0, 0) to (3, 4), ")
    assert pickle.loads(pickle.dumps(lost)) == lost  # noqa: S301
    text = maze.to_text("ascii", solution=lost)
    assert [text.count(c) for c in "SG*"] == [1, 1, 0]
    maze.save(tmp_path / "lost.png", solution=lost)
    meiro.plot(maze, solution=lost, legend=True)
    np.savetxt(tmp_path / "lost.csv", maze.grid, "%d", ",")
    words = ["--input", "lost.csv", "--solve", "--solver", "wall_follower", "-q"]
    words += ["--start", "1", "1", "--goal", "7", "9"]
    told = subprocess.run(
        [sys.executable, "-m", "meiro", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert told.returncode == 1
    assert "wall_follower found no path from (1, 1) to (7, 9): it came round" in told.stderr


def test_walkers_refuse_another_hand() -> None:
    for hand in ("Left", ""):
        with pytest.raises(ValueError, match=r"^hand must be .*right.*left.*, not "):
            meiro.solve(meiro.generate((2, 2), rng=1), algorithm="pledge", hand=hand)  # type: ignore[call-overload]
