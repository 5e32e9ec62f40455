"""Rules of path searches: infinite weights, fewest steps, corners, turns, borders that wrap, clearance."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from numpy.typing import NDArray
from path_checks import ROOT, step_graph, steps_from
from refusals import refused
from scipy.sparse import csgraph

import meiro

DIAGONAL = [name for name, facts in meiro.SOLVERS.items() if "moves" in facts.options]
CORNERS = ("never", "one_free", "always")
TINY = 1 << 20  # steps that weigh 1 in sums of scaled costs


def best_costs(
    roads: NDArray[np.bool_],
    start: tuple[int, int],
    weights: NDArray[np.float64] | None = None,
    *,
    moves: int = 4,
    corners: str = "never",
    wrap: tuple[bool, bool] = (False, False),
    turn_cost: float = 0,
    diagonal: float = ROOT,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The least cost of each site, and the fewest steps at that cost; states are sites x headings."""
    width = roads.shape[1]
    headings = 9 if turn_cost else 1
    one, other, cost = [], [], []
    for place in map(tuple, np.argwhere(roads).tolist()):
        for heading in range(headings):
            for direction, to in steps_from(roads, place, moves, corners, wrap):
                weight = 1.0 if weights is None else weights[to]
                if weight == math.inf:
                    continue
                turns = turn_cost and heading not in {8, direction}
                one.append((place[0] * width + place[1]) * headings + heading)
                other.append((to[0] * width + to[1]) * headings + (direction if turn_cost else 0))
                cost.append(weight * (diagonal if direction > 3 else 1) + (turn_cost if turns else 0))
    size = roads.size * headings
    # Costs first, then steps: a step adds less than what costs differ by.
    scaled = np.array(cost) * TINY + 1
    graph = scipy.sparse.csr_array((scaled, (one, other)), shape=(size, size))
    source = (start[0] * width + start[1]) * headings + headings - 1
    far = csgraph.dijkstra(graph, indices=source).reshape(*roads.shape, headings).min(axis=2)
    if diagonal == ROOT and moves == 8:
        return far / TINY, np.full(roads.shape, np.nan)
    none = np.isinf(far)
    total, steps = np.divmod(np.where(none, 0, far), TINY)
    total[none] = steps[none] = np.inf
    return total, steps


def case(seed: int, *, most: int = 9) -> tuple[NDArray[np.bool_], NDArray[np.float64], list[tuple[int, int]]]:
    """A small array, whole weights from 0 on, and three places."""
    rng = np.random.default_rng(seed)
    shape = rng.integers(3, most, 2)
    roads = rng.random(shape) < rng.choice([0.6, 0.8, 1])
    roads[0, 0] = True
    weights = rng.choice([0.0, 0, 1, 2, 5], shape) if seed % 2 else rng.integers(1, 4, shape).astype(float)
    places = rng.choice(np.argwhere(roads), 3).tolist()
    return roads, weights, [(row, col) for row, col in places]


def solved(roads: NDArray[np.bool_], start: Any, goal: Any, **given: Any) -> Any:
    try:
        return meiro.solve(~roads, start, goal, **given)
    except meiro.NoPathError:
        return None


@pytest.mark.parametrize("algorithm", ["dijkstra", "a_star"])
@pytest.mark.parametrize("block", range(4))
def test_among_the_cheapest_paths_one_has_the_fewest_steps(algorithm: str, block: int) -> None:
    for seed in range(60 * block, 60 * block + 60):
        roads, weights, (start, *goals) = case(seed)
        total, steps = best_costs(roads, start, weights)
        least = min((total[goal], steps[goal]) for goal in goals)
        found = solved(roads, start, goals, algorithm=algorithm, weights=weights)
        assert (math.inf, math.inf) if found is None else (found.cost, found.length) == least
        assert found is not None or least == (math.inf, math.inf)


@pytest.mark.parametrize("algorithm", ["dijkstra", "a_star"])
@pytest.mark.parametrize("moves", [4, 8])
def test_free_steps_make_no_detours(algorithm: str, moves: Any) -> None:
    room = np.ones((10, 10), np.bool_)
    found = solved(room, (5, 0), (5, 9), algorithm=algorithm, moves=moves, weights=np.zeros((10, 10)))
    assert (found.cost, found.length) == (0, 9)
    maze = meiro.braid(meiro.generate(meiro.lattices.square(9, 9), rng=3), 1, rng=1)
    free = meiro.solve(maze, 0, 80, algorithm=algorithm, weights=np.zeros(maze.lattice.n_edges))
    assert free.length == meiro.solve(maze, 0, 80).length


def test_of_equal_costs_by_diagonal_steps_the_fewest_are_taken() -> None:
    """Costs of whole weights are equal in whatever order the steps are."""
    for seed in range(150):
        roads, weights, (start, goal, _) = case(seed)
        best, _ = best_costs(roads, start, weights, moves=8)
        lengths = {}
        for algorithm in ("dijkstra", "a_star"):
            found = solved(roads, start, goal, algorithm=algorithm, moves=8, weights=weights)
            if found is None:
                assert math.isinf(best[goal])
                continue
            lengths[algorithm] = found.length
            # The steps, 2**-20 each, are in the reference as well.
            assert found.cost + found.length / TINY == pytest.approx(best[goal], abs=1e-9)
        assert len(set(lengths.values())) < 2


@pytest.mark.parametrize("algorithm", ["dijkstra", "a_star"])
@pytest.mark.parametrize("moves", [4, 8])
def test_an_infinite_weight_is_an_obstacle(algorithm: str, moves: Any) -> None:
    for seed in range(100):
        roads, weights, (start, *goals) = case(seed)
        hidden = np.random.default_rng(seed).random(roads.shape) < 0.3
        hidden[start] = False
        open_ = roads & ~hidden
        costs = np.where(hidden, np.inf, weights)
        one = solved(roads, start, goals, algorithm=algorithm, moves=moves, weights=costs)
        there = [goal for goal in goals if open_[goal]]
        two = (
            solved(open_, start, there, algorithm=algorithm, moves=moves, weights=weights) if there else None
        )
        if moves == 4:  # an obstacle is no wall, beside which no diagonal step goes
            assert (one and (one.cost, one.length)) == (two and (two.cost, two.length))
            far = meiro.distances(~roads, start, weights=costs)
            assert np.array_equal(far, meiro.distances(~open_, start, weights=weights))
        assert one is None or not hidden[tuple(one.path.T)].any()
    start_is_one = np.array([[np.inf, 1, 1]])
    assert meiro.solve([[0, 0, 0]], (0, 0), (0, 2), algorithm=algorithm, weights=start_is_one).cost == 2
    with pytest.raises(meiro.NoPathError):
        meiro.solve([[0, 0]], (0, 0), (0, 1), algorithm=algorithm, weights=np.full((1, 2), np.inf))


@pytest.mark.parametrize("algorithm", ["dijkstra", "a_star"])
def test_an_infinite_weight_closes_passages_of_mazes_and_edges_of_graphs(algorithm: str) -> None:
    maze = meiro.Maze.from_wall_ids((3, 3), [])
    barred = np.ones((3, 3))
    barred[1, :2] = np.inf
    assert meiro.solve(maze, algorithm=algorithm, weights=barred).path.tolist() == [
        [0, 0], [0, 1], [0, 2], [1, 2], [2, 2]
    ]  # fmt: skip
    ring = meiro.GraphMaze(meiro.Lattice(4, [(0, 1), (1, 2), (2, 3), (3, 0)]), np.ones(4, np.bool_))
    edge = [1, np.inf, 1e300, 1e308]
    found = meiro.solve(ring, 0, 2, algorithm=algorithm, weights=edge)
    assert found.path_numbers.tolist() == [0, 3, 2]
    assert np.isinf(meiro.distances(ring, 0, weights=[np.inf] * 4)[1:]).all()
    many = meiro.generate_many((3, 3), "wilson", 4, rng=1)
    costs = np.ones((4, 3, 3))
    costs[2, 0, 1] = costs[2, 1, 0] = np.inf
    far = meiro.distances(many, (0, 0), weights=costs)
    assert np.isinf(far[2]).sum() == 8
    assert np.isfinite(far[[0, 1, 3]]).all()


@pytest.mark.parametrize("corners", CORNERS)
@pytest.mark.parametrize("block", range(3))
def test_corners_are_cut_as_the_rule_says(corners: Any, block: int) -> None:
    for seed in range(50 * block, 50 * block + 50):
        roads, _, (start, goal, other) = case(seed, most=9 if seed % 5 else 20)
        matrix = step_graph(roads, corners=corners)
        bits = np.zeros(roads.shape, int)
        numbers = np.arange(roads.size).reshape(roads.shape)
        fewest = csgraph.dijkstra(matrix, indices=numbers[start], unweighted=True).reshape(roads.shape)
        back = csgraph.dijkstra(matrix, indices=numbers[start]).reshape(roads.shape)
        sources = [start, other] if seed % 2 else [start]
        from_any = csgraph.dijkstra(matrix, indices=[numbers[place] for place in sources], min_only=True)
        near = from_any.reshape(roads.shape)
        assert np.allclose(meiro.distances(~roads, sources, moves=8, corners=corners), near)
        for place in map(tuple, np.argwhere(roads & np.isfinite(near)).tolist()):
            for direction, to in steps_from(roads, place, 8, corners, (False, False)):
                if abs(near[to] + (ROOT if direction > 3 else 1) - near[place]) < 1e-9:
                    bits[place] |= 1 << direction
        assert np.array_equal(meiro.policy(~roads, sources, moves=8, corners=corners), bits)
        for algorithm in DIAGONAL:
            found = solved(roads, start, goal, algorithm=algorithm, moves=8, corners=corners)
            assert (found is None) == math.isinf(back[goal])
            if found is not None:
                path = list(map(tuple, found.path.tolist()))
                for one, to in itertools.pairwise(path):
                    assert to in [step for _, step in steps_from(roads, one, 8, corners, (False, False))]
                spent = sum(matrix[numbers[one], numbers[to]] for one, to in itertools.pairwise(path))
                assert (found.cost, found.moves) == (pytest.approx(spent, rel=1e-12), 8)
                assert (
                    found.length == fewest[goal] if algorithm == "bfs" else spent == pytest.approx(back[goal])
                )


@pytest.mark.parametrize("wrap", [(True, False), (False, True), (True, True)])
def test_arrays_wrap_around(wrap: tuple[bool, bool]) -> None:
    for seed in range(40):
        roads, weights, (start, goal, _) = case(seed)
        total, steps = best_costs(roads, start, weights, wrap=wrap)
        plain, _ = best_costs(roads, start, wrap=wrap)
        given: dict[str, Any] = {"wrap": wrap}
        far = meiro.distances(~roads, start, **given)
        assert np.array_equal(np.where(far < 0, np.inf, far), plain)
        assert np.array_equal(meiro.distances(~roads, start, weights=weights, **given), total)
        policy = meiro.policy(~roads, start, **given)
        for name, facts in meiro.SOLVERS.items():
            if not facts.wraps or math.isinf(plain[goal]):
                continue
            found = meiro.solve(~roads, start, goal, algorithm=name, **given)
            assert found.wrap == wrap
            places = [start, *map(tuple, found.path.tolist()[1:])]
            for one, other in itertools.pairwise(places):
                assert other in [to for _, to in steps_from(roads, one, 4, "never", wrap)]
            assert not found.found or places[-1] == goal
            assert not facts.shortest or found.length == plain[goal]
        for place in map(tuple, np.argwhere(np.isfinite(plain)).tolist()):
            nearer = [d for d, to in steps_from(roads, place, 4, "never", wrap) if plain[to] < plain[place]]
            assert policy[place] == sum(1 << d for d in nearer)
        found = solved(roads, start, goal, algorithm="dijkstra", weights=weights, **given)
        assert found is None or (found.cost, found.length) == (total[goal], steps[goal])
    assert meiro.solve([[0, 0, 0, 0]], (0, 0), (0, 3), wrap=(False, True)).length == 1


@pytest.mark.parametrize("algorithm", ["bfs", "dijkstra", "a_star"])
@pytest.mark.parametrize("moves", [4, 8])
@pytest.mark.parametrize("turn_cost", [1, 3, 0.5])
def test_turns_cost(algorithm: str, moves: Any, turn_cost: float) -> None:
    for seed in range(25):
        roads, weights, (start, *goals) = case(seed, most=8)
        wrap = (False, seed % 3 == 0) if moves == 4 else (False, False)
        weighted = algorithm != "bfs" and seed % 4 > 0
        given: dict[str, Any] = {"moves": moves, "turn_cost": turn_cost}
        if moves == 4:
            given["wrap"] = wrap
        diagonal = 1.0 if algorithm == "bfs" else ROOT
        total, steps = best_costs(
            roads, start, 2 * weights if weighted else np.full(roads.shape, 2.0), moves=moves, wrap=wrap,
            turn_cost=2 * turn_cost, diagonal=diagonal,
        )  # fmt: skip
        if weighted:
            given["weights"] = weights
        found = solved(roads, start, goals, algorithm=algorithm, **given)
        least = min((total[goal], steps[goal]) for goal in goals)
        if found is None:
            assert math.isinf(least[0])
            continue
        hops = np.diff(found.path, axis=0)
        hops -= np.sign(hops) * (np.abs(hops) > 1) * roads.shape  # across the border
        turns = int(np.any(hops[1:] != hops[:-1], axis=1).sum())
        spent = weights[tuple(found.path[1:].T)] if weighted else np.ones(found.length)
        lengths = np.where(np.abs(hops).sum(axis=1) == 2, diagonal, 1)
        cost = (spent * lengths).sum() + turn_cost * turns
        if moves == 8 and diagonal == ROOT:
            assert 2 * cost + found.length / TINY == pytest.approx(least[0], abs=1e-9)
        else:
            assert (2 * cost, found.length) == (pytest.approx(least[0]), least[1])
        lengths = np.where(np.abs(hops).sum(axis=1) == 2, ROOT, 1)
        assert found.cost == pytest.approx((spent * lengths).sum() + turn_cost * turns)
        order = meiro.solve(~roads, start, goals, algorithm=algorithm, visit_order=True, **given)
        assert order.visit_order is not None
        assert np.array_equal(order.visit_order >= 0, order.explored)
        assert order.explored[tuple(found.path.T)].all()
        trace = meiro.trace_solve(~roads, start, goals, algorithm=algorithm, **given)
        assert trace.result == meiro.solve(~roads, start, goals, algorithm=algorithm, **given)


def test_a_turn_costs_in_mazes_as_well() -> None:
    maze = meiro.Maze.from_wall_ids((6, 6), [])
    turns = {}
    for turn_cost in (0, 0.001):
        found = meiro.solve(maze, algorithm="dijkstra", turn_cost=turn_cost, weights=np.ones((6, 6)))
        hops = np.diff(found.path, axis=0)
        turns[turn_cost] = int(np.any(hops[1:] != hops[:-1], axis=1).sum())
        assert found.length == 10
    assert turns[0.001] == 1
    large = np.zeros((400, 400), np.bool_)
    for algorithm in ("bfs", "a_star"):
        found = meiro.solve(large, (0, 0), (-1, -1), algorithm=algorithm, moves=8, turn_cost=2)
        assert found.length == 399


@pytest.mark.parametrize("wrap", [(False, False), (True, False), (False, True), (True, True)])
def test_clearance_is_the_distance_to_the_edge_of_a_wall(wrap: tuple[bool, bool]) -> None:
    for seed in range(30):
        roads, _, _ = case(seed, most=14)
        periods = [(-side, 0, side) if wraps else (0,) for side, wraps in zip(roads.shape, wrap, strict=True)]
        walls = np.concatenate([np.argwhere(~roads) + period for period in itertools.product(*periods)])
        exact = np.full(roads.shape, np.inf)
        for place in np.ndindex(*roads.shape):
            if len(walls):
                off = np.maximum(np.abs(walls - place) - 0.5, 0)
                exact[place] = np.sqrt((off**2).sum(axis=1)).min()
        for radius in (0.5, 0.6, 0.70710678, math.sqrt(0.5), 1.5, math.sqrt(2.5), 2.2, 3.5):
            free = exact >= radius - 1e-7
            starts = np.argwhere(free)
            if not len(starts):
                continue
            start = tuple(starts[0].tolist())
            far = meiro.distances(~roads, start, clearance=radius, wrap=wrap)
            assert np.array_equal(far, meiro.distances(~free, start, wrap=wrap)), radius
            goal = np.unravel_index(far.argmax(), far.shape)
            assert meiro.solve(~roads, start, goal, clearance=radius, wrap=wrap).length == far.max()
    assert meiro.solve(np.zeros((3, 3)), (0, 0), (2, 2), clearance=9).length == 4


GRAPH = meiro.generate(meiro.lattices.polar(4), rng=1)


def test_rules_without_meaning_are_refused() -> None:
    room = np.zeros((4, 4))
    room[1, 1] = 1
    for x, given, error, words in (
        ("room", {"corners": "always"}, TypeError, "corners='always' is for moves=8"),
        ("room", {"moves": 8, "corners": "cut"}, ValueError, "'never' or 'one_free' or 'always', not 'cut'"),
        ("room", {"moves": 8, "wrap": (True, False)}, TypeError, "no diagonal step crosses a border"),
        ("room", {"wrap": True}, TypeError, "wrap must be two bools"),
        ("room", {"clearance": -1}, ValueError, "clearance must be at least 0 and finite, not -1"),
        ("room", {"clearance": 1}, ValueError, r"start \(0, 0\) is nearer to a wall than clearance=1"),
        ("room", {"turn_cost": math.inf}, ValueError, "turn_cost must be at least 0 and finite"),
        ("room", {"turn_cost": 1, "directions": "NSWE"}, TypeError, "directions= and turn_cost= both choose"),
        ("room", {"turn_cost": 1, "algorithm": "dfs"}, TypeError, "'dfs' takes no option 'turn_cost'"),
        ("room", {"wrap": (False, True), "algorithm": "chain"}, TypeError, "'chain' takes no periodic"),
        ("maze", {"wrap": (False, True)}, TypeError, r"a maze has its own, maze\.wrap"),
        ("maze", {"corners": "always"}, TypeError, r"corners= is for arrays.*maze\.grid"),
        ("maze", {"clearance": 1}, TypeError, r"clearance= is for arrays.*maze\.grid"),
        ("graph", {"turn_cost": 1}, TypeError, "a GraphMaze takes no turn_cost=: its cells have no rows"),
        ("graph", {"corners": "always"}, TypeError, "a GraphMaze takes no corners="),
        ("graph", {"clearance": 1}, TypeError, "a GraphMaze takes no clearance="),
        ("graph", {"wrap": (False, True)}, TypeError, "a GraphMaze takes no wrap="),
    ):
        kinds: dict[str, Any] = {"room": room, "maze": meiro.Maze([[2, 10, 8]]), "graph": GRAPH}
        ends = ((0, 0), (3, 3)) if x == "room" else ()
        refused(error, words, meiro.solve, kinds[x], *ends, **given)
