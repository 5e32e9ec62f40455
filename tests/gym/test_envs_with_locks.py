"""Environments with locks: what is seen, what is rewarded, and what is the best."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro import lattices
from meiro.gym import MazeEnv

HEXAGONS = lattices.hexagonal(6, 7)
LOCKS: Any = {"locks": 2, "key_reward": 0.5}


SEEN = [((6, 7), "cell"), ((6, 7), "window"), ((6, 7), "grid"), ((6, 7), "sight"), (HEXAGONS, "cell")]


@pytest.mark.parametrize(("shape", "observation"), [*SEEN, (HEXAGONS, "sight")])
@pytest.mark.parametrize("ends", ["own", "random"])
@pytest.mark.parametrize("more", [LOCKS, {"wall_reward": -1}], ids=["locks", "no locks"])
def test_the_best_return_is_that_of_the_best_actions(
    shape: Any, observation: Any, ends: Any, more: dict[str, Any]
) -> None:
    env = MazeEnv(shape, "kruskal", observation=observation, ends=ends, **more)
    for seed in range(8):
        seen, _ = env.reset(seed=seed)
        best, discounted = env.optimal_return(), env.optimal_return(0.9)
        rewards: list[float] = []
        over = False
        while not over:
            assert env.observation_space.contains(seen)
            if len(rewards) == 5:
                env = copy.deepcopy(env)
            seen, reward, terminated, truncated, _ = env.step(int(env.optimal_actions().argmax()))
            rewards.append(reward)
            over = terminated or truncated
        assert terminated
        assert sum(rewards) == pytest.approx(best, abs=1e-5)
        assert sum(reward * 0.9**t for t, reward in enumerate(rewards)) == pytest.approx(discounted, abs=1e-5)


def value_of(env: MazeEnv, left: int) -> float:
    """The greatest return by trying all actions, of a copy of the environment each."""
    if left == 0:
        return 0.0
    best = -np.inf
    for action in range(env.action_space.n):  # type: ignore[attr-defined]
        trial = copy.deepcopy(env)
        _, reward, terminated, truncated, _ = trial.step(action)
        best = max(best, reward + (0 if terminated or truncated else value_of(trial, left - 1)))
    return best


@pytest.mark.parametrize(("shape", "time_limit"), [((2, 3), 2), ((2, 2), 4)])
def test_the_best_return_by_trying_everything(shape: tuple[int, int], time_limit: int) -> None:
    env = MazeEnv(shape, "wilson", locks=1, key_reward=0.5, time_limit=time_limit)
    for seed in range(5):
        env.reset(seed=seed)
        assert env.optimal_return() == pytest.approx(value_of(env, time_limit), abs=1e-5)


def test_doors_are_walls_until_the_agent_was_at_their_key() -> None:
    env = MazeEnv((6, 7), "wilson", observation="grid", time_limit=1000, **LOCKS)
    for seed in range(5):
        seen, _ = env.reset(seed=seed)
        assert ((seen == 4).sum(), (seen == 5).sum()) == (2, 2)
        doors, held, terminated = 2, 0, False
        while not terminated:
            before = seen
            seen, reward, terminated, _, _ = env.step(int(env.optimal_actions().argmax()))
            held += reward > 0 and not terminated
            assert (seen == 4).sum() == 2 - held
            ((row, col),) = np.argwhere(seen == 3)
            assert before[row, col] in {0, 2, 5}  # no wall and no door
            doors = int((seen == 4).sum())
        assert (doors, held) == (0, 2)


def test_cells_end_with_the_next_key_and_then_the_goal() -> None:
    env = MazeEnv((6, 7), "wilson", **LOCKS)
    seen, _ = env.reset(seed=1)
    aims = [tuple(seen[4:])]
    terminated = False
    while not terminated:
        seen, _, terminated, _, _ = env.step(int(env.optimal_actions().argmax()))
        aims += [tuple(seen[4:])] * (tuple(seen[4:]) != aims[-1])
    assert len(aims) == 3
    assert aims[-1] == (5, 6)


def test_a_start_that_is_given_has_locks_of_its_own_and_mazes_without_room_have_fewer() -> None:
    env = MazeEnv((6, 7), "wilson", observation="grid", **LOCKS)
    seen, _ = env.reset(seed=1, options={"start": (5, 6), "goal": (0, 0)})
    assert ((seen == 4).sum(), seen[11, 13], seen[1, 1]) == (2, 3, 2)
    tiny = MazeEnv(mazes=meiro.Maze([[2, 10, 8]]), observation="grid", locks=3)
    assert (tiny.reset(seed=1)[0][1] == [1, 3, 0, 5, 4, 2, 1]).all()
    room = MazeEnv(mazes=meiro.Maze.from_wall_ids((3, 3), []), observation="grid", locks=3)
    assert not (room.reset(seed=1)[0] > 3).any()


@pytest.mark.parametrize("shape", [(5, 6), HEXAGONS])
def test_locks_are_drawn(shape: Any) -> None:
    frames = [_frame(shape, locks) for locks in (0, 2)]
    assert (frames[0] != frames[1]).any()
    env = MazeEnv((5, 6), "wilson", render_mode="ansi", locks=2)
    env.reset(seed=1)
    assert env.render().count("K") == 2


def _frame(shape: Any, locks: int) -> Any:
    env = MazeEnv(shape, "wilson", render_mode="rgb_array", locks=locks)
    env.reset(seed=1)
    return env.render()


@pytest.mark.parametrize("wrong", [{"locks": -1}, {"locks": 65}, {"locks": 1, "key_reward": -1}])
def test_what_is_wrong_is_named(wrong: Any) -> None:
    refused(ValueError, list(wrong)[-1], MazeEnv, (5, 6), **wrong)
