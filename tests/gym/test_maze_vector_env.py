"""`meiro.gym.MazeVectorEnv`: what its environments do alone, seeds, threads, bad actions."""

from __future__ import annotations

import threading
import time
from typing import Any

import gymnasium
import numpy as np
import pytest
from refusals import refused

import meiro
from meiro.gym import MazeEnv, MazeVectorEnv

TRIANGLE = meiro._core.Graph(3, np.array([[0, 1], [1, 2], [2, 0]], np.int32), None, None)
TRIANGLE_GROUND = (TRIANGLE, np.array([0, 2, 4, 6]), np.array([0, 2, 0, 1, 1, 2], np.int32), None)
CLOSED = np.zeros((1, 3, 3), np.uint8)
CORE: dict[str, Any] = {
    "ground": (3, 3),
    "n": 2,
    "observation": "cell",
    "window": 0,
    "random_ends": False,
    "limit": 9,
    "locks": 2,
    "rewards": (0.0, 0.0, 0.0, 0.0),
    "algorithm": "wilson",
    "options": {},
    "mazes": None,
    "ends": None,
}


@pytest.mark.parametrize("observation", ["cell", "window", "grid", "sight"])
@pytest.mark.parametrize(
    "more", [{"algorithm": "percolation", "ends": "random"}, {"locks": 2, "key_reward": 0.5}], ids=str
)
def test_it_is_gymnasiums_vector_of_single_environments(observation: Any, more: dict[str, Any]) -> None:
    task: dict[str, Any] = {"num_envs": 9, "shape": (3, 4), "observation": observation, "time_limit": 12}
    task |= {"step_reward": -0.25, "wall_reward": -0.5, "goal_reward": 2, **more}
    ours: Any = gymnasium.make_vec("meiro/Maze-v0", **task)
    theirs: Any = gymnasium.make_vec("meiro/Maze-v0", **task, vectorization_mode="sync")
    assert isinstance(ours.unwrapped, MazeVectorEnv)
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert np.array_equal(ours.reset(seed=11)[0], theirs.reset(seed=11)[0])
    random, ends = np.random.default_rng(3), np.zeros((2, 9), int)
    for _ in range(100):
        best = ours.unwrapped.optimal_actions().argmax(axis=1)
        actions = np.where(random.random(9) < 0.2, random.integers(0, 4, 9), best)
        *found, infos = ours.step(actions)
        for array, right in zip(found, theirs.step(actions), strict=False):
            assert np.array_equal(array, np.asarray(right, array.dtype))
        assert found[0] in ours.observation_space
        assert [array.dtype for array in found[1:]] == [np.float32, np.bool_, np.bool_]
        assert infos == {}
        ends += found[2:]
    assert ends.sum(axis=1).min() > 9
    assert ours.unwrapped.mazes == tuple(env.unwrapped.maze for env in theirs.envs)
    for seed in (None, 3):  # the next episodes, and others
        assert np.array_equal(ours.reset(seed=seed)[0], theirs.reset(seed=seed)[0])


def test_observations_are_new_arrays() -> None:
    envs = MazeVectorEnv(3, (4, 4))
    first, _ = envs.reset(seed=1)
    kept = first.copy()
    moved = envs.step(envs.optimal_actions().argmax(axis=1))[0]
    assert np.array_equal(first, kept)
    assert not np.array_equal(first, moved)


def test_what_is_made_ahead_depends_on_the_seed_alone() -> None:
    tree: dict[str, Any] = {"algorithm": "growing_tree", "choose": {"newest": 1, "random": 1}}
    envs = MazeVectorEnv(100, (6, 6), time_limit=5, **tree)
    alone = MazeEnv((6, 6), time_limit=5, **tree)
    envs.reset(seed=50)
    for _ in range(3 * 6 + 2):  # three episodes of five steps, each begun by a step
        envs.step(np.zeros(100, int))
    for i in (0, 1, 57, 99):
        alone.reset(seed=50 + i)
        for _ in range(3):
            alone.reset()
        assert envs.mazes[i] == alone.maze
    envs.reset(seed=7)  # nothing that was made ahead is left
    assert envs.mazes == tuple(meiro.generate((6, 6), rng=7 + i, **tree) for i in range(100))
    for _ in range(6):
        envs.step(np.zeros(100, int))
    assert envs.mazes[99] == meiro.generate((6, 6), rng=meiro.replicate(7 + 99, 1), **tree)
    assert envs.mazes[99].seed == meiro.replicate(7 + 99, 1)


def test_seeds_can_be_given_one_by_one() -> None:
    envs = MazeVectorEnv(3, (4, 4))
    envs.reset(seed=[5, 1, 5])
    assert envs.mazes[0] == envs.mazes[2] == meiro.generate((4, 4), rng=5)
    assert envs.mazes[1] == meiro.generate((4, 4), rng=1)
    refused(ValueError, "seed has 2 items, but there are 3 environments", envs.reset, seed=[1, 2])
    refused(TypeError, "seed must be an integer", envs.reset, seed="12")
    with pytest.raises(TypeError, match="seed must be an integer"):
        envs.reset(seed=np.broadcast_to(np.uint8(1), (1 << 40, 1 << 20)))  # type: ignore[arg-type]
    refused(ValueError, "seed must be at least 0", envs.reset, seed=[1, 2, -3])
    drawn = MazeVectorEnv(3, (9, 9))
    drawn.reset()
    before = drawn.mazes
    drawn.reset()
    assert len({*before, *drawn.mazes}) == 6


def test_an_environment_without_a_seed_goes_on_with_its_episodes() -> None:
    envs = MazeVectorEnv(3, (4, 5), observation="grid")
    first = envs.reset(seed=[None, 7, None])[0]
    assert not np.array_equal(first[0], first[2])
    alone = [MazeEnv((4, 5), observation="grid") for _ in range(3)]
    for seeds in ([4, 5, 6], [1, None, 2], [None, None, 3], [None] * 3, None):
        observed = envs.reset(seed=seeds)[0]
        expected = [one.reset(seed=seed)[0] for one, seed in zip(alone, seeds or [None] * 3, strict=True)]
        assert np.array_equal(observed, expected)
        for _ in range(3):
            envs.step([1, 1, 1])


def test_the_optimal_policy_has_the_optimal_return() -> None:
    mazes = meiro.datasets.by_measure((8, 8), "backtracker", "solution_length", 30, n=5, rng=7)
    envs = MazeVectorEnv(200, mazes=mazes, time_limit=40, wall_reward=-1)
    envs.reset(seed=1)
    promised, total = envs.optimal_return(), np.zeros(200)
    running = np.ones(200, bool)
    for _ in range(40):
        _, rewards, terminated, truncated, _ = envs.step(envs.optimal_actions().argmax(axis=1))
        total += np.where(running, rewards, 0)
        assert not truncated[running].any()
        running &= ~terminated
    assert not running.any()
    assert np.allclose(total, promised, atol=1e-5)


def test_two_threads_may_step_one_object() -> None:
    envs = MazeVectorEnv(300, (8, 8), observation="grid", time_limit=500)
    alone = MazeVectorEnv(300, (8, 8), observation="grid", time_limit=500)
    for one in (envs, alone):
        one.reset(seed=2)
    south = np.full(300, 2)
    failed: list[BaseException] = []

    def walk() -> None:
        try:
            for _ in range(200):
                envs.step(south)
                envs.optimal_return()
        except BaseException as e:  # noqa: BLE001  # the assertion below shows it
            failed.append(e)

    threads = [threading.Thread(target=walk) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    for _ in range(400):
        alone.step(south)
    for i in range(300):
        assert envs._task.agents.state(i)[:5] == alone._task.agents.state(i)[:5]
    assert np.array_equal(envs.optimal_return(), alone.optimal_return())  # also as many steps are left


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([0, 1, 4], ValueError, "actions must be 0 to 3, not 4"),
        ([0, 1, -1], ValueError, "actions must be 0 to 3, not -1"),
        (np.array([0, 1, 2**64 - 1], np.uint64), ValueError, "actions"),
        ([0, 1], ValueError, r"actions must have the shape \(3,\), not \(2,\)"),
        ([[0, 1, 2]], ValueError, r"actions must have the shape \(3,\), not \(1, 3\)"),
        (2, ValueError, "actions must have the shape"),
        ([0.0, 1.0, 2.5], TypeError, "actions must be integers"),
        ([True, False, True], TypeError, "actions must be integers"),
        (["a", "b", "c"], TypeError, "actions must be integers"),
        (None, TypeError, "actions must be integers"),
    ],
)
def test_bad_actions_move_no_agent(actions: Any, error: type[Exception], message: str) -> None:
    envs = MazeVectorEnv(3, (1, 5), "serpentine")
    refused(gymnasium.error.ResetNeeded, r"call reset\(\) before step", envs.step, [1, 1, 1])
    envs.reset(seed=1)
    refused(error, message, envs.step, actions)
    assert envs.step(np.array([1, 1, 1], np.uint8))[0].tolist() == [[0, 1, 0, 4]] * 3


def test_render_shows_each_agent() -> None:
    envs = MazeVectorEnv(2, (1, 3), "serpentine", render_mode="ansi")
    envs.reset(seed=1)
    envs.step([1, 0])
    assert envs.render() == ("┌─────┐\n│  S G│\n└─────┘\n", "┌─────┐\n│S   G│\n└─────┘\n")
    assert MazeVectorEnv(2).render() is None


def test_mazes_that_change_under_the_environment_do_no_harm() -> None:
    passages = meiro.generate_many((3, 3), n=2, rng=1).passages.copy()
    agents = meiro._core.Agents(**{**CORE, "observation": "sight", "algorithm": None, "mazes": passages})
    passages[:] = 255
    agents.begin(np.array([[1, 2, 1], [3, 4, 1]], np.uint64), None)
    for d in (0, 1, 2, 3) * 20:
        observed = agents.step(np.full(2, d))[0]
        assert observed.max() <= 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 0}, "n must be 1 or more"),
        ({"n": 1 << 50}, "n is too large"),
        ({"locks": -1}, "locks must be 0 to 64"),
        ({"ground": (1, 1)}, "2 cells or more"),
        ({"ground": (0, 5)}, "at least"),
        ({"observation": "all"}, "no such observation"),
        ({"observation": "window", "window": 4}, "window must be odd"),
        ({"observation": "window", "window": 99999}, "window must be at most"),
        ({"limit": 0}, "limit must be 1 or more"),
        ({"algorithm": None}, "mazes must have the shape"),
        ({"algorithm": None, "mazes": np.zeros((1, 2, 3), np.uint8)}, "mazes must have the shape"),
        ({"algorithm": None, "mazes": CLOSED, "ends": np.array([[0, 9]])}, "ends are not cells"),
        ({"algorithm": None, "mazes": CLOSED, "ends": np.array([[0]])}, "ends must have 2 items"),
        ({"ground": (3, 3, 3)}, "two or four parts"),
        ({"ground": (TRIANGLE, [0, 2, 4, 6], [0, 2, 0, 1, 2, 3], None)}, "sides are not edges"),
        ({"ground": (TRIANGLE, [0, 2, 4, 6], [0, 1, 0, 1, 2, 1], None)}, "sides are not edges"),
        ({"ground": (TRIANGLE, [0, 2, 5, 4], [0, 2, 0, 1], None)}, "sides are not edges"),
        ({"ground": (TRIANGLE, [0, 2, 4], [0, 2, 0, 1], None)}, "first must have 4 items"),
        ({"ground": (TRIANGLE, [0, 0, 0, 0], [], None)}, "sides are not edges"),
        ({"ground": (*TRIANGLE_GROUND[:3], [0, 1])}, "coordinates must have"),
        ({"ground": TRIANGLE_GROUND, "observation": "grid"}, "a graph has no grid"),
        ({"ground": TRIANGLE_GROUND, "algorithm": "eller"}, "eller takes no graph"),
        ({"ground": TRIANGLE_GROUND, "algorithm": None, "mazes": CLOSED}, "mazes must have the shape"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_the_core_refuses_what_would_be_unsafe(change: dict[str, Any], message: str) -> None:
    agents = meiro._core.Agents(**CORE)
    for call in (lambda: agents.step(np.zeros(2, int)), lambda: agents.state(0), agents.saved, agents.best):
        refused(ValueError, r"no episode has begun: call reset\(\)", call)
    refused(ValueError, message, meiro._core.Agents, **{**CORE, **change})


@pytest.mark.parametrize("ground", [(3, 3), TRIANGLE_GROUND], ids=["squares", "graph"])
def test_the_core_refuses_states_and_ends_that_are_none(ground: Any) -> None:
    agents = meiro._core.Agents(**{**CORE, "ground": ground})
    keys = np.array([[1, 2, 1], [3, 4, 1]], np.uint64)
    for ends in ([[0, 9], [0, 1]], [[-2, 1], [0, 1]], [[0, 1], [1, 1]]):
        refused(ValueError, "ends are not two cells", agents.begin, keys, np.array(ends))
    agents.begin(keys, np.array([[0, 1], [-1, -1]]))
    saved = agents.saved()
    for column, wrong in ((3, 9), (4, 9), (5, 9), (6, 3), (7, 11)):
        bad = saved.copy()
        bad[1, column] = wrong
        refused(ValueError, "no state of these agents", agents.resume, bad)
    refused(ValueError, "saved must have 18 items", agents.resume, saved[:1])
    agents.resume(saved)
    assert np.array_equal(agents.saved(), saved)


@pytest.mark.clock
@pytest.mark.parametrize(("observation", "least"), [("cell", 10e6), ("window", 5e6), ("grid", 1e6)])
def test_steps_a_second(observation: Any, least: float) -> None:
    envs = MazeVectorEnv(1024, (16, 16), "backtracker", observation=observation, time_limit=512)
    envs.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 4, (600, 1024))  # all begin a new episode once
    best = 0.0
    for _ in range(5):
        start = time.perf_counter()
        for some in actions:
            envs.step(some)
        best = max(best, actions.size / (time.perf_counter() - start))
    assert best > least
