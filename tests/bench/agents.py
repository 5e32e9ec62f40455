"""Steps a second of environments: many mazes in C++, and single environments of other packages.

1024 mazes of 16 x 16 cells, a time limit of 512 steps, new mazes whenever an episode ends. The policies are
made outside of the time that is taken. Other packages (``pip install mazegym maze-world``) step one maze of
33 x 33 sites in Python, and give the whole grid.
"""

from __future__ import annotations

import importlib
import os
import statistics
import time
from typing import Any

import numpy as np

import meiro

MAZES, SIDE, TIME_LIMIT = 1024, 16, 512
POLICIES = ("random", "optimal")
PEERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "mazegym": ("mazegym.maze_gym_env", "MazeEnvironment", {"size": (2 * SIDE + 1,) * 2}),
    "maze_world": (
        "maze_world.envs",
        "RandomMazeEnv",
        dict.fromkeys(("maze_width", "maze_height"), 2 * SIDE + 1),
    ),
}


def report(repeats: int) -> None:
    """Print the tables."""
    print(
        f"{MAZES} mazes of {SIDE} x {SIDE}, million steps a second, median of {repeats} rounds, one thread\n"
    )
    print(f"| observation | {' | '.join(f'{policy} policy' for policy in POLICIES)} |\n|---|--:|--:|")
    for observation in ("cell", "window", "sight", "grid"):
        speeds = [_vector_speed(observation, policy, repeats) for policy in POLICIES]
        print(f"| {observation} | {' | '.join(f'{speed / 1e6:.1f}' for speed in speeds)} |", flush=True)
    print("\nOne environment, random policy, thousand steps a second\n\n| | steps |\n|---|--:|")
    env = meiro.gym.MazeEnv(shape=(SIDE, SIDE), observation="grid", time_limit=TIME_LIMIT)
    print(f"| meiro.gym.MazeEnv | {_single_speed(env, repeats) / 1e3:.1f} |", flush=True)
    for package, (module, name, options) in PEERS.items():
        os.environ.setdefault("MPLBACKEND", "agg")
        try:
            env = getattr(importlib.import_module(module), name)(**options)
        except ImportError:
            continue
        print(f"| {package} | {_single_speed(env, repeats) / 1e3:.1f} |", flush=True)


def _vector_speed(observation: Any, policy: str, repeats: int) -> float:
    envs = meiro.gym.MazeVectorEnv(
        MAZES, shape=(SIDE, SIDE), observation=observation, time_limit=TIME_LIMIT, ends="random"
    )
    envs.reset(seed=7)
    drawn = np.random.default_rng(7).integers(0, 4, (64, MAZES))
    speeds = []
    for _ in range(repeats):
        steps, taken = 0, 0.0
        while taken < 0.5:
            actions = envs.optimal_actions().argmax(axis=1) if policy == "optimal" else drawn[steps % 64]
            begin = time.perf_counter()
            envs.step(actions)
            taken += time.perf_counter() - begin
            steps += 1
        speeds.append(steps * MAZES / taken)
    return statistics.median(speeds)


def _single_speed(env: Any, repeats: int) -> float:
    env.reset(seed=7)
    drawn = np.random.default_rng(7).integers(0, env.action_space.n, 1 << 12).tolist()
    speeds = []
    for _ in range(repeats):
        left, begin = len(drawn), time.perf_counter()
        steps_in_episode = 0
        for action in drawn:
            ended = env.step(action)[2]
            steps_in_episode += 1
            if ended or steps_in_episode == TIME_LIMIT:
                env.reset()
                steps_in_episode = 0
        speeds.append(left / (time.perf_counter() - begin))
    return statistics.median(speeds)
