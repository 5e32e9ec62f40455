"""`meiro.gym` on lattices: actions, episodes, observations, pictures, and an exact mean of random walks."""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from reference.agents.maze_env import ReferenceEnvOnLattice
from refusals import refused
from some_lattices import EVERY

import meiro
from meiro.gym import MazeEnv, MazeVectorEnv
from meiro.gym._sides import sides_of

lattices = meiro.lattices
LATTICES = {name: lattice for name, lattice in EVERY.items() if lattice.n_cells > 1}


@pytest.mark.parametrize("name", LATTICES)
def test_the_actions_of_a_cell_take_each_of_its_edges_once(name: str) -> None:
    lattice = LATTICES[name]
    indptr, edges = sides_of(lattice)
    assert indptr[0] == 0
    assert indptr[-1] == len(edges)
    for cell in lattice:
        own = edges[indptr[cell] : indptr[cell + 1]]
        beside = lattice.neighbor_edges[lattice.indptr[cell] : lattice.indptr[cell + 1]]
        assert sorted(own[own >= 0]) == sorted(beside)


def test_the_actions_of_squares_on_a_lattice_are_those_of_squares() -> None:
    for observation in ("cell", "sight"):
        task: dict[str, Any] = {"ends": "random", "observation": observation, "time_limit": 40}
        squares = MazeVectorEnv(9, (4, 5), "kruskal", **task)
        graph = MazeVectorEnv(9, lattices.square(4, 5), "kruskal", **task)
        assert squares.action_space == graph.action_space
        assert np.array_equal(squares.reset(seed=1)[0], graph.reset(seed=1)[0])
        for actions in np.random.default_rng(1).integers(0, 4, (200, 9)):
            assert np.array_equal(squares.optimal_actions(), graph.optimal_actions())
            assert np.array_equal(squares.optimal_return(0.9), graph.optimal_return(0.9))
            for one, other in zip(squares.step(actions)[:4], graph.step(actions)[:4], strict=True):
                assert np.array_equal(one, other)


def test_an_action_of_hexagons_is_the_side_of_the_polygon_and_of_the_rim() -> None:
    lattice = lattices.hexagonal(4, 5)
    indptr, edges = sides_of(lattice)
    assert np.array_equal(indptr, 6 * np.arange(lattice.n_cells + 1))
    rim = set(map(tuple, lattice.rim.tolist()))
    for cell in lattice:
        corners = lattice.polygon(cell)
        for side, edge in enumerate(edges[6 * cell : 6 * cell + 6].tolist()):
            assert (edge < 0) == ((cell, side) in rim)
            if edge >= 0:
                middle = corners[[side, (side + 1) % 6]].mean(axis=0)
                assert np.allclose(lattice.outline.walls[edge].mean(axis=0), middle)  # type: ignore[union-attr]


def test_the_actions_of_a_box_are_steps_along_its_axes() -> None:
    lattice = lattices.box(3, 3, 3)
    middle = lattice.cell((1, 1, 1))
    edges = sides_of(lattice).edges[6 * middle : 6 * middle + 6]
    to = lattice.edges[edges].sum(axis=1) - middle
    at = lattice.coordinates
    assert at is not None
    assert (at[to] - at[middle]).tolist() == [
        [-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, 0, 1], [0, 1, 0], [1, 0, 0]
    ]  # fmt: skip
    assert MazeEnv(lattice).action_space == gymnasium.spaces.Discrete(6)


@pytest.mark.parametrize("name", LATTICES)
@pytest.mark.parametrize("observation", ["cell", "sight"])
def test_gymnasium_finds_nothing_wrong(name: str, observation: str) -> None:
    env = gymnasium.make(
        "meiro/Maze-v0", shape=LATTICES[name], observation=observation, ends="random", render_mode="rgb_array"
    )
    check_env(env.unwrapped)


@pytest.mark.parametrize("name", LATTICES)
@pytest.mark.parametrize("random_ends", [False, True])
@pytest.mark.parametrize("algorithm", ["wilson", "percolation"])
def test_each_environment_does_what_it_does_alone_and_what_the_reference_does(
    name: str, random_ends: Any, algorithm: str
) -> None:
    lattice, n = LATTICES[name], 5
    task: dict[str, Any] = {"step_reward": -0.25, "wall_reward": -0.5, "goal_reward": 2, "time_limit": 9}
    task["ends"] = "random" if random_ends else "own"
    envs = MazeVectorEnv(n, lattice, algorithm, **task)
    alone = [MazeEnv(lattice, algorithm, **task) for _ in range(n)]
    given = {"rewards": (-0.25, -0.5, 2), "time_limit": 9, "ends": task["ends"]}
    references = [ReferenceEnvOnLattice(lattice, algorithm, **given) for _ in range(n)]
    for i, (one, reference) in enumerate(zip(alone, references, strict=True)):
        one.reset(seed=3 + i)
        reference.reset(3 + i)
    assert np.array_equal(envs.reset(seed=3)[0], [reference.observe() for reference in references])
    over = [False] * n
    actions = np.random.default_rng(2).integers(0, envs.single_action_space.n, (60, n))  # type: ignore[attr-defined]
    for some in actions:
        best = envs.optimal_actions()
        steps = [meiro.distances(r.maze, np.array([r.goal[1]])) for r in references]
        for i, reference in enumerate(references):
            for action in range(best.shape[1]):
                edge, far = reference.edge(action), steps[i][reference.cell[1]]
                to = lattice.edges[edge].sum() - reference.cell[1]
                nearer = edge >= 0 and reference.maze.open[edge] and steps[i][to] == far - 1 and far > 0
                assert best[i, action] == nearer
        seen, rewards, ended, cut, _ = envs.step(some)
        for i, (one, reference) in enumerate(zip(alone, references, strict=True)):
            found = (one.reset()[0], 0.0, False, False) if over[i] else one.step(some[i])[:4]
            assert found[1:] == (float(rewards[i]), ended[i], cut[i])
            assert tuple(reference.step(some[i])[1:]) == found[1:]
            assert np.array_equal(found[0], seen[i])
            assert np.array_equal(found[0], reference.observe())
            assert one.observation_space.contains(found[0])
            assert one.maze == reference.maze == envs.mazes[i]
            assert one._task.agents.state(0)[:2] == (reference.cell[1], reference.goal[1])
            over[i] = reference.over


def test_sight_is_as_far_as_straight_on_is_open() -> None:
    env = MazeEnv(mazes=meiro.generate(lattices.hexagonal(1, 6)), observation="sight")
    sights = [env.reset(seed=1)[0]]
    sights.extend(env.step(int(env.optimal_actions().argmax()))[0] for _ in range(5))
    wanted = [[5], [1, 4], [2, 3], [2, 3], [1, 4], [5]]
    assert [sorted(sight[sight > 0].tolist()) for sight in sights] == wanted
    ring = meiro.Lattice(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    env = MazeEnv(mazes=meiro.GraphMaze(ring, np.ones(4, bool)), observation="sight")
    assert env.reset(seed=1)[0].tolist() == [1, 1]  # a graph does not know what is straight on
    torus = lattices.moebius(2, 5)
    assert torus.knows_straight
    env = MazeEnv(mazes=meiro.GraphMaze(torus, np.ones(torus.n_edges, bool)), observation="sight")
    assert env.reset(seed=1)[0].max() == 2 * 5  # once along the edge of the strip


def test_levels_are_given_as_one_maze_as_a_list_or_as_a_batch() -> None:
    many = meiro.generate_many(lattices.polar(4), "backtracker", 6, rng=3)
    for mazes in (many, list(many)):
        env = MazeEnv(mazes=mazes)
        env.reset(seed=1)
        met = set()
        for _ in range(60):
            met.add(env.maze)
            env.reset()
        assert met == set(many)
    env = MazeEnv(mazes=many[2])
    env.reset(seed=1)
    assert env.maze == many[2]
    squares = meiro.generate_many((3, 4), n=4, rng=1)
    envs = MazeVectorEnv(3, mazes=list(squares))
    envs.reset(seed=1)
    assert set(envs.mazes) <= set(squares)
    refused(ValueError, "lattice", MazeEnv, mazes=[many[0], meiro.generate(lattices.polar(3))])
    refused(TypeError, "not of one kind", MazeEnv, mazes=[many[0], squares[0]])


def test_own_ends_and_openings_of_lattices_are_those_of_the_mazes() -> None:
    maze = meiro.with_openings(meiro.generate(lattices.hexagonal(3, 4), rng=1), "random", rng=2)
    env = MazeEnv(mazes=[maze, meiro.with_ends(maze, np.array([5, 2]))])
    env.reset(seed=1)
    pairs = set()
    for _ in range(20):
        pairs.add((maze.lattice.cell(env.cell), maze.lattice.cell(env.goal)))
        env.reset()
    assert pairs == {tuple(map(maze.lattice.cell, maze.endpoints)), (5, 2)}


def test_a_random_walk_takes_as_long_as_the_linear_system_says() -> None:
    maze = meiro.generate(lattices.hexagonal(3, 3), "kruskal", rng=4)
    n, most = maze.lattice.n_cells, 6
    ends = [maze.lattice.edges[edge].tolist() for edge in np.flatnonzero(maze.open)]
    moves = np.zeros((n, n))
    for one, other in ends:
        moves[one, other] = moves[other, one] = 1 / most
    np.fill_diagonal(moves, 1 - moves.sum(axis=1))  # walls
    inner = moves[: n - 1, : n - 1]  # the last cell is the goal
    first = np.linalg.solve(np.eye(n - 1) - inner, np.ones(n - 1))
    second = np.linalg.solve(np.eye(n - 1) - inner, 1 + 2 * inner @ first)  # of the square
    mean, variance = first[0], second[0] - first[0] ** 2
    count = 4000
    envs = MazeVectorEnv(count, mazes=maze, time_limit=1 << 30)
    assert envs.single_action_space == gymnasium.spaces.Discrete(most)
    envs.reset(seed=5)
    random, steps, running = np.random.default_rng(6), np.zeros(count), np.ones(count, bool)
    while running.any():
        ended = envs.step(random.integers(0, most, count))[2]
        steps += running
        running &= ~ended
    z = (steps.mean() - mean) / math.sqrt(variance / count)
    assert abs(z) < 5  # exceeded with probability 6e-7


def test_pictures_show_the_agent_and_the_goal() -> None:
    lattice = lattices.hexagonal(3, 4)
    env = MazeEnv(lattice, render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.dtype == np.uint8
    assert max(picture.shape) == 480
    light = meiro.colors.LIGHT
    share = {
        name: (picture == np.array(getattr(light, name), np.uint8)).all(axis=-1).mean()
        for name in ("current", "goal", "wall", "road")
    }
    assert share["current"] == pytest.approx(share["goal"], rel=0.1)
    assert 10 * share["current"] == pytest.approx(share["road"], rel=0.4)
    assert share["wall"] > 0.02
    place = np.argwhere((picture == np.array(light.current, np.uint8)).all(axis=-1)).mean(axis=0)
    assert place.max() < 150  # the first cell, at the top left
    env.step(int(env.optimal_actions().argmax()))
    assert not np.array_equal(env.render(), picture)
    text = MazeEnv(lattices.box(2, 2, 2), render_mode="ansi")
    text.reset(seed=1)
    assert "S" in text.render()
    assert "G" in text.render()


def test_bad_arguments() -> None:
    for given, error, message in (
        ({"observation": "window"}, ValueError, "observation='window' is a picture of rows and columns"),
        ({"observation": "grid"}, ValueError, "observation='grid' is a picture of rows and columns"),
        ({"algorithm": "eller"}, TypeError, "takes no lattice"),
        ({"render_mode": "ansi"}, ValueError, "have no text"),
        ({"shape": meiro.Lattice(1, np.empty((0, 2), int))}, ValueError, "take 2 cells or more"),
        ({"shape": meiro.Lattice(2, np.empty((0, 2), int))}, ValueError, "has no edges"),
        ({"shape": meiro.Lattice(2, [(0, 0)])}, ValueError, "has no edges"),
        ({"mask": np.ones(12, bool)}, TypeError, "the environments take no mask="),
        ({"mazes": meiro.generate(lattices.polar(3))}, TypeError, "either mazes= or shape="),
    ):
        refused(error, message, MazeEnv, **{"shape": lattices.hexagonal(3, 4), **given})


def test_a_recipe_makes_the_lattice() -> None:
    recipe = lattices.hexagonal(3, 4).recipe
    env = gymnasium.make("meiro/Maze-v0", shape=recipe, algorithm="backtracker")
    env.reset(seed=3)
    assert env.unwrapped.maze == meiro.generate(recipe, "backtracker", rng=3)  # type: ignore[attr-defined]
    refused(ValueError, "action must be", env.unwrapped.step, 6)
