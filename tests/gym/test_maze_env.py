"""`meiro.gym.MazeEnv`: Gymnasium's own check, episodes, returns, pictures, bad arguments."""

from __future__ import annotations

import itertools
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from programs import printed
from reference.agents.maze_env import MOVES, ReferenceEnv
from refusals import refused

import meiro
from meiro.gym import MazeEnv

OBSERVATIONS = ("cell", "window", "grid", "sight")
ENDED = meiro.with_ends(meiro.generate_many((3, 3), n=2), ([(0, 0), (1, 1)], [(2, 2), (1, 1)]))


@pytest.mark.parametrize("observation", OBSERVATIONS)
@pytest.mark.parametrize("mode", ["rgb_array", "ansi"])
def test_gymnasium_finds_nothing_wrong(observation: str, mode: str) -> None:
    env = gymnasium.make("meiro/Maze-v0", shape=(5, 7), observation=observation, render_mode=mode)
    check_env(env.unwrapped)


def test_the_id_is_found_by_the_name_of_the_module() -> None:
    code = "import gymnasium; print(gymnasium.make('meiro.gym:meiro/Maze-v0').reset(seed=7)[0].tolist())"
    assert printed(code).strip() == "[0, 0, 15, 15]"


@pytest.mark.parametrize("observation", OBSERVATIONS)
@pytest.mark.parametrize("ends", ["own", "random"])
@pytest.mark.parametrize("given", ["generated", "given"])
def test_it_does_what_the_reference_does(observation: str, ends: Any, given: str) -> None:
    mazes = None
    levels: dict[str, Any] = {"shape": (3, 4), "algorithm": "kruskal"}
    if given == "given":
        mazes = meiro.generate_many((3, 4), "backtracker", 5, rng=1, openings="random")
        levels = {"mazes": mazes}
    task: dict[str, Any] = {"observation": observation, "ends": ends, "time_limit": 25, "window": 7}
    env = MazeEnv(**levels, **task, step_reward=-0.25, wall_reward=-0.5, goal_reward=2)
    reference = ReferenceEnv((3, 4), "kruskal", mazes=mazes, rewards=(-0.25, -0.5, 2), **task)
    actions = np.random.default_rng(1).integers(0, 4, 1000)
    ended = set()
    for seed in (7, 8):
        assert np.array_equal(env.reset(seed=seed)[0], reference.reset(seed))
        for action in actions:
            observed, reward, terminated, truncated, info = env.step(action)
            assert env.observation_space.contains(observed)
            assert info == {}
            wanted = reference.step(action)
            assert np.array_equal(observed, wanted[0])
            assert (reward, terminated, truncated) == (float(wanted[1]), *wanted[2:])
            assert (env.cell, env.goal) == (reference.cell, reference.goal)
            if terminated or truncated:
                ended.add(terminated)
                refused(gymnasium.error.ResetNeeded, "the episode has ended", env.step, 0)
                assert np.array_equal(env.reset()[0], reference.reset())
                assert env.maze == reference.maze
    assert ended == {True, False}


def test_without_a_seed_the_first_reset_draws_one() -> None:
    mazes = []
    for _ in range(3):
        env = MazeEnv((16, 16))
        env.reset()
        mazes.append(env.maze)
    assert len(set(mazes)) == 3


def test_ends_are_any_two_different_cells() -> None:
    env = MazeEnv((2, 3), ends="random")
    counts: dict[Any, int] = {}
    env.reset(seed=5)
    n = 6000
    for _ in range(n):
        env.reset()
        pair = env.cell, env.goal
        counts[pair] = counts.get(pair, 0) + 1
    assert set(counts) == set(itertools.permutations(np.ndindex(2, 3), 2))
    chi = sum((count - n / 30) ** 2 for count in counts.values()) / (n / 30)
    assert chi < 80  # 29 degrees of freedom: exceeded with probability 1e-6


def best_by_enumeration(
    reference: ReferenceEnv, cell: tuple[int, int], left: int, gamma: float, kept: dict[Any, float]
) -> float:
    """Return the greatest return over all sequences of actions."""
    if left == 0 or cell == reference.goal:
        return 0.0
    if (cell, left) not in kept:
        step, wall, goal = (float(reward) for reward in reference.rewards)
        values = []
        for d, (dr, dc) in enumerate(MOVES):
            free = reference.maze.passages[cell] >> d & 1
            to = (cell[0] + dr, cell[1] + dc) if free else cell
            value = step + (0 if free else wall) + (goal if to == reference.goal else 0)
            values.append(value + gamma * best_by_enumeration(reference, to, left - 1, gamma, kept))
        kept[cell, left] = max(values)
    return kept[cell, left]


@pytest.mark.parametrize("gamma", [0.0, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("rewards", [(-0.25, -0.5, 2.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)])
@pytest.mark.parametrize("algorithm", ["wilson", "percolation"])
def test_the_best_return_is_that_of_all_sequences(gamma: float, rewards: Any, algorithm: str) -> None:
    step, wall, goal = rewards
    options: dict[str, Any] = {"ends": "random", "time_limit": 5}
    env = MazeEnv((3, 3), algorithm, step_reward=step, wall_reward=wall, goal_reward=goal, **options)
    reference = ReferenceEnv((3, 3), algorithm, rewards=rewards, **options)
    env.reset(seed=2)
    reference.reset(2)
    actions = np.random.default_rng(2).integers(0, 4, 300)
    kinds = set()
    for action in actions:
        kept: dict[Any, float] = {}
        wanted = best_by_enumeration(reference, reference.cell, reference.left, gamma, kept)
        assert env.optimal_return(gamma) == pytest.approx(wanted, abs=1e-6)
        best = env.optimal_actions()
        steps = meiro.distances(reference.maze, reference.goal)
        here = steps[reference.cell]
        for d, (dr, dc) in enumerate(MOVES):
            free = reference.maze.passages[reference.cell] >> d & 1
            nearer = bool(free and steps[reference.cell[0] + dr, reference.cell[1] + dc] == here - 1)
            assert best[d] == (nearer and here > 0)
        kinds.add(int(best.sum()))
        _, _, terminated, truncated, _ = env.step(action)
        reference.step(action)
        if terminated or truncated:
            assert env.optimal_return(gamma) == 0
            env.reset()
            reference.reset()
    assert kinds >= ({1} if algorithm == "wilson" else {0, 1, 2})


def test_pictures_show_the_agent_and_the_goal() -> None:
    env = MazeEnv((3, 4), render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.dtype == np.uint8
    assert picture.shape == (3 * 40 + 7, 4 * 40 + 7, 3)
    light = meiro.colors.LIGHT
    assert tuple(picture[20, 20]) == light.current
    assert tuple(picture[-20, -20]) == light.goal
    assert tuple(picture[0, 0]) == light.wall
    assert {tuple(color) for color in picture.reshape(-1, 3).tolist()} == {
        light.road,
        light.wall,
        light.goal,
        light.current,
    }
    env = MazeEnv((1, 3), render_mode="ansi", algorithm="serpentine")
    env.reset(seed=1)
    env.step(1)
    assert env.render() == "┌─────┐\n│  S G│\n└─────┘\n"
    plain = MazeEnv()
    plain.reset(seed=1)
    assert plain.render() is None


def test_bad_arguments() -> None:
    refused(ValueError, "observation must be", MazeEnv, observation="all")
    refused(ValueError, "window must be odd", MazeEnv, window=4, observation="window")
    refused(ValueError, "window must be at least 1", MazeEnv, window=0)
    refused(ValueError, "window must be less than 1024", MazeEnv, window=2001)
    refused(ValueError, "ends must be", MazeEnv, ends="corners")
    refused(ValueError, "time_limit must be at least 1", MazeEnv, time_limit=0)
    refused(ValueError, "goal_reward must be in", MazeEnv, goal_reward=-1)
    refused(ValueError, "step_reward must be in", MazeEnv, step_reward=0.5)
    refused(ValueError, "wall_reward must be in", MazeEnv, wall_reward=float("nan"))
    refused(ValueError, "render_mode must be", MazeEnv, render_mode="human")
    refused(ValueError, "a maze of 1 x 1 has no start and goal that differ: shape=", MazeEnv, shape=(1, 1))
    refused(ValueError, "a maze of 1 x 1 has no .* mazes=", MazeEnv, mazes=[meiro.Maze([[0]])])
    refused(TypeError, "give mazes as mazes=", MazeEnv, shape=meiro.generate((3, 3), rng=1))
    refused(MemoryError, "which no memory can hold", MazeEnv, shape=(1 << 40, 1 << 40))
    refused(MemoryError, "mazes of", MazeEnv, shape=(1 << 15, 1 << 16), observation="grid")
    refused(ValueError, "algorithm", MazeEnv, algorithm="dijkstra")
    refused(TypeError, "takes no option", MazeEnv, p=0.5)
    words = r"an environment takes no argument 'time_limt' .* 'time_limit'"
    refused(TypeError, words, MazeEnv, time_limt=3)
    refused(TypeError, "did you mean 'time_limit'", MazeEnv, max_steps=3)
    refused(TypeError, "did you mean 'render_mode'", MazeEnv, render_mod="ansi")
    refused(TypeError, "the environments take no wrap=", MazeEnv, wrap=(True, False))
    for more in ({}, {"mazes": meiro.generate_many((3, 3), n=2)}):
        refused(TypeError, "the environments take no mask=", MazeEnv, mask=np.ones((3, 3), bool), **more)
    refused(ValueError, "masks cells out", MazeEnv, algorithm="rooms", dead_ends="remove")
    refused(TypeError, "mazes must be a MazeBatch", MazeEnv, mazes=3)
    with pytest.raises(TypeError, match="either mazes= or shape="):
        MazeEnv(mazes=meiro.generate_many((3, 3), n=2), shape=(3, 3))
    refused(TypeError, "either mazes= or run=", MazeEnv, mazes=meiro.generate_many((3, 3), n=2), run=2)
    refused(TypeError, "mean 'time_limit'", MazeEnv, mazes=meiro.generate_many((3, 3), n=2), time_limt=3)
    refused(ValueError, "mazes has no maze", MazeEnv, mazes=meiro.generate_many((3, 3), n=0))
    with pytest.raises(ValueError, match="no mask and no wrap"):
        MazeEnv(mazes=meiro.generate_many((3, 3), n=2, wrap=(True, True)))
    refused(ValueError, "no mask and no wrap", MazeEnv, mazes=meiro.generate_many(n=2, mask=np.tri(3) > 0))
    refused(ValueError, "maze 1 begins and ends at one cell", MazeEnv, mazes=ENDED)


@pytest.mark.parametrize("action", [4, -1, 1 << 70])
def test_there_are_four_actions(action: int) -> None:
    env = MazeEnv((3, 3))
    env.reset(seed=1)
    refused(ValueError, "action must be", env.step, action)
    for wrong in ("north", 1.0, None, True, [1]):
        refused(TypeError, "action must be an integer", env.step, wrong)
    assert env.cell == (0, 0)


def test_reset_comes_first_and_checks_its_arguments() -> None:
    env = MazeEnv((3, 3))
    refused(gymnasium.error.ResetNeeded, r"call reset\(\) before step", env.step, 0)
    refused(ValueError, "seed must be at least 0", env.reset, seed=-1)
    refused(TypeError, "seed must be an integer", env.reset, seed="7")
    refused(ValueError, "no other keys than 'start' and 'goal', not 'maze'", env.reset, options={"maze": 3})
    refused(TypeError, "options must be None or a dict, not 3", env.reset, options=3)
    with pytest.raises(ValueError, match=r"start and goal are both \(1, 1\)"):
        env.reset(options={"start": (1, 1), "goal": (1, 1)})
    refused(ValueError, "goal", env.reset, options={"goal": (3, 0)})
    with pytest.raises(ValueError, match="start has 2 cells, but there are 1 environments"):
        env.reset(options={"start": [(0, 0), (0, 1)]})
    refused(gymnasium.error.ResetNeeded, r"call reset\(\) before step", env.step, 0)
    refused(ValueError, "gamma must be in", env.optimal_return, 1.5)
