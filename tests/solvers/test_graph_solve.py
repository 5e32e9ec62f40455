"""Solvers on lattices and graphs, compared with networkx and with the square core."""

from __future__ import annotations

import itertools
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import networkx as nx
import numpy as np
import pytest
from cell_numbers import cell_numbers
from reference.filling import on_shortest, without_blind_alleys, without_dead_ends
from reference_graphs import as_graph_maze, multigraph, random_graph_mazes
from refusals import refused

import meiro
from meiro import GraphMaze, Lattice, NoPathError, _core

pytestmark = pytest.mark.sanitize

ABLE = [facts for facts in meiro.SOLVERS.values() if facts.graphs]
WHEREVER = [facts.name for facts in ABLE if facts.name != "wall_follower"]
MAZES = list(random_graph_mazes())


def options_of(name: str) -> dict[str, Any]:
    return {"rng": 5} if name == "random_mouse" else {}


def check_solution(maze: GraphMaze, found: Any, start: int, goal: int) -> None:
    """A path without repetition, from start to goal, by open edges between its cells."""
    assert found.space == "vertices"
    assert found.path[[0, -1]].tolist() == [start, goal]
    assert len(set(found.path.tolist())) == len(found.path) == found.length + 1 == len(found.edge_ids) + 1
    assert maze.open[found.edge_ids].all()
    pairs = np.sort(np.stack([found.path[:-1], found.path[1:]], axis=1), axis=1)
    assert np.array_equal(pairs, np.sort(maze.lattice.edges[found.edge_ids], axis=1))
    assert found.explored[found.path].all()
    assert found.mask.sum() == len(found.path)


@pytest.mark.parametrize("name", WHEREVER)
@pytest.mark.parametrize("number", range(0, len(MAZES), 3))
def test_any_graph(name: str, number: int) -> None:
    maze, facts = MAZES[number], meiro.SOLVERS[name]
    graph = multigraph(maze)
    rng = np.random.default_rng(number)
    for _ in range(4):
        start, goal = rng.integers(0, maze.n_cells, 2).tolist()
        if not nx.has_path(graph, start, goal):
            with pytest.raises(NoPathError, match="there is no path"):
                meiro.solve(maze, start, goal, algorithm=name, **options_of(name))
            continue
        found: Any = meiro.solve(maze, start, goal, algorithm=name, visit_order=True, **options_of(name))
        check_solution(maze, found, start, goal)
        if facts.shortest:
            assert found.length == nx.shortest_path_length(graph, start, goal) == found.cost
        if facts.fills:
            expected = remaining(graph, start, goal, name)
            assert set(np.flatnonzero(found.remains).tolist()) == expected
        order = found.visit_order
        assert order[start] == 0 or start == goal
        numbered = order[order >= 0]
        assert len(set(numbered.tolist())) == len(numbered)
        assert np.array_equal(order >= 0, found.explored)
        if facts.walks:
            walk = found.walk
            assert (walk[0], walk[-1]) == (start, goal)
            assert all(graph.has_edge(*pair) for pair in itertools.pairwise(walk.tolist()))


def remaining(graph: nx.MultiGraph[int], start: int, goal: int, name: str) -> set[int]:
    """What a filler leaves, by its definition."""
    if start == goal:
        return {start}
    if name == "collision":
        return on_shortest(nx.Graph(graph), [start, goal])
    if name == "blind_alley_filling":
        return without_blind_alleys(nx.Graph(graph), [start, goal])
    return set(without_dead_ends(graph, [start, goal]))


@pytest.mark.parametrize("name", ["dijkstra", "a_star"])
def test_weights(name: str) -> None:
    rng = np.random.default_rng(1)
    for maze in MAZES:
        weights = rng.choice([0, 0.5, 1, 3, 10], len(maze.open)) * rng.random(len(maze.open))
        graph = multigraph(maze, weights)
        costs, _ = nx.single_source_dijkstra(graph, 0)
        distances = meiro.distances(maze, 0, weights=weights)
        assert np.allclose(distances, [costs.get(cell, np.inf) for cell in range(maze.n_cells)])
        for goal in costs:
            found = meiro.solve(maze, 0, goal, algorithm=name, weights=weights)
            assert found.cost == pytest.approx(costs[goal])
            assert found.cost == pytest.approx(weights[found.edge_ids].sum())


def test_a_star_looks_at_less() -> None:
    lattice = meiro.lattices.square(40, 40)
    maze = GraphMaze(lattice, np.ones(lattice.n_edges, bool))
    far, near = (meiro.solve(maze, 0, 39, algorithm=name) for name in ("dijkstra", "a_star"))
    assert near.length == far.length == 39
    assert near.explored.sum() < far.explored.sum() / 4


@pytest.mark.parametrize("hand", ["right", "left"])
def test_wall_follower_walks_around_the_tree(hand: Any) -> None:
    """In a tree the walk visits every cell, each passage once each way, as a depth-first search does."""
    lattice = meiro.lattices.square(9, 7)
    for seed in range(5):
        maze = meiro.generate(lattice, "wilson", rng=seed)
        square = meiro.Maze.from_wall_ids((9, 7), np.flatnonzero(~maze.open))
        found: Any = meiro.solve(maze, 31, 8, algorithm="wall_follower", hand=hand)
        expected = meiro.solve(square, (4, 3), (1, 1), algorithm="wall_follower", hand=hand)
        assert found.found
        cycle, walk = contour(square, hand), cell_numbers(lattice, found.walk).tolist()
        assert "".join(map("{},".format, walk)) in "".join(map("{},".format, cycle * 3))
        assert set(walk) <= set(range(63))
        assert found.length == expected.length


def contour(square: meiro.Maze, hand: str) -> list[int]:
    """The closed walk around all walls of a perfect maze, from cell 0, by the definition."""
    steps = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    side = 1 if hand == "right" else 3
    heading = next(d for d in range(4) if square.passages[0, 0] >> d & 1)
    at, first = (0, 0), None
    walk: list[int] = []
    while (at, heading) != first:
        if walk:
            turns = (side, 0, 4 - side, 2)
            heading = next(h for t in turns if square.passages[at] >> (h := (heading + t) % 4) & 1)
            if (at, heading) == first:
                break
        first = first or (at, heading)
        walk.append(at[0] * square.cols + at[1])
        at = (at[0] + steps[heading][0], at[1] + steps[heading][1])
    return walk


def test_wall_follower_needs_the_plane() -> None:
    with pytest.raises(TypeError, match=r"no polygons; 'tremaux'"):
        meiro.solve(GraphMaze(Lattice(2, [(0, 1)]), [True]), algorithm="wall_follower")


def test_random_choices() -> None:
    lattice = Lattice(5, [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)])
    maze = GraphMaze(lattice, np.ones(6, bool))
    for name in ("dfs", "tremaux", "random_mouse"):
        second = [meiro.solve(maze, 0, 4, algorithm=name, rng=seed).path[1] for seed in range(300)]
        assert np.bincount(second, minlength=4)[1:4].min() > 60, name
        again = meiro.solve(maze, 0, 4, algorithm=name, rng=7)
        assert again == meiro.solve(maze, 0, 4, algorithm=name, rng=7)


def test_parallel_passages_and_one_cell() -> None:
    maze = GraphMaze(Lattice(2, [(0, 1), (1, 0), (0, 0)]), [False, True, False])
    for name in WHEREVER:
        found: Any = meiro.solve(maze, algorithm=name, **options_of(name))
        assert found.edge_ids.tolist() == [1]
    alone = GraphMaze(Lattice(1, np.empty((0, 2), int)), np.empty(0, bool))
    for name in WHEREVER:
        assert meiro.solve(alone, algorithm=name, **options_of(name)).path.tolist() == [0]


def test_labels_and_several_goals() -> None:
    lattice = Lattice(4, [(0, 1), (1, 2), (2, 3)], labels=["a", ("b", 1), "c", "d"])
    maze = GraphMaze(lattice, [True, True, False], start="c", goal=("b", 1))
    assert meiro.solve(maze).path.tolist() == ["c", ("b", 1)]
    assert meiro.solve(maze, "a", "c").path_numbers.tolist() == [0, 1, 2]
    assert meiro.solve(maze, "a", ["c", ("b", 1)]).path.tolist() == ["a", ("b", 1)]
    refused(NoPathError, r"from 'a' to 'd': 3 cells can be reached", meiro.solve, maze, "a", "d")
    refused(ValueError, "goal: 'x' is no label", meiro.solve, maze, "a", "x")
    refused(TypeError, "no row and column", meiro.solve, GraphMaze(Lattice(2, [(0, 1)]), [True]), (0, 0))


def test_solution() -> None:
    maze = as_graph_maze(meiro.generate((5, 5), rng=1))
    found = maze.solve(visit_order=True)
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301
    assert hash(found) == hash(maze.solve(visit_order=True))
    assert found != maze.solve(0, 23)
    assert found.searched() is maze
    assert not found.path.flags.writeable
    assert "steps in vertices" in repr(found)
    assert not hasattr(found, "grid_path")
    with pytest.raises(AttributeError, match=r"has no sites of a grid: use \.path"):
        _ = found.grid_path
    with pytest.raises(TypeError):
        found.save("x.png", picture="y.png")


def test_refused_options() -> None:
    maze = as_graph_maze(meiro.generate((3, 3), rng=1))
    for name in ("pledge", "chain", "cul_de_sac_filling"):
        with pytest.raises(TypeError, match=rf"'{name}' needs rows and columns.*these do: bfs"):
            meiro.solve(maze, algorithm=name)
    refused(TypeError, "takes no moves=", meiro.solve, maze, moves=8)
    refused(TypeError, "directions", meiro.solve, maze, directions="NSWE")
    refused(ValueError, r"shape \(12,\)", meiro.solve, maze, algorithm="dijkstra", weights=[1, 2])
    with pytest.raises(ValueError, match=r"weights\[3\] is nan"):
        meiro.solve(maze, algorithm="dijkstra", weights=np.where(np.arange(12) == 3, np.nan, 1))


def test_the_rows_of_a_maze_are_made_once() -> None:
    lattice = meiro.lattices.hexagonal(40, 50)
    mazes = [meiro.generate(lattice, rng=seed) for seed in (1, 2)]
    first, again, other, back = (
        (meiro.distances(mazes[k], 0).tolist(), _core.last_call()[1]) for k in (0, 0, 1, 0)
    )
    assert first[0] == again[0] == back[0] != other[0]
    assert again[1] <= first[1] - 20 * (lattice.n_cells - 1)
    assert meiro.distances(meiro.GraphMaze(lattice, ~mazes[0].open), 0).tolist() != first[0]
    assert meiro.solve(mazes[0], 0, lattice.n_cells - 1).length == first[0][-1]


def test_threads_that_ask_about_several_mazes_at_once_are_told_apart() -> None:
    lattice = meiro.lattices.hexagonal(60, 60)
    mazes = [meiro.generate(lattice, rng=seed) for seed in range(3)]
    alone = [meiro.distances(maze, 0).tolist() for maze in mazes]
    with ThreadPoolExecutor(3) as pool:
        asked = [k % 3 for k in range(90)]
        assert list(pool.map(lambda k: meiro.distances(mazes[k], 0).tolist(), asked)) == [
            alone[k] for k in asked
        ]
