"""Rows of the table of long operations for the environments of `meiro.gym`."""

from __future__ import annotations

from functools import partial
from typing import Any

from operations.rows import add, on_batch

import meiro


def _one(n: int, **options: Any) -> Any:
    """Return an environment with a large maze."""
    env = meiro.gym.MazeEnv((n, n), "backtracker", **options)
    env.reset(seed=1)
    return env


def _many(n: int, **options: Any) -> Any:
    """Return many environments with small mazes."""
    envs = meiro.gym.MazeVectorEnv(n * n, (16, 16), "backtracker", **options)
    envs.reset(seed=1)
    return envs


def _step(env: Any, action: object) -> object:
    return env.reset(seed=1), env.step(action)


on_batch("MazeEnv", 1000, lambda b: meiro.gym.MazeEnv(mazes=b) is not None)
on_batch("MazeVectorEnv", 1000, lambda b: meiro.gym.MazeVectorEnv(9, mazes=b) is not None)
add("MazeEnv.reset", 6000, lambda n: partial(_one(n).reset, seed=1))
add("MazeVectorEnv.reset", 300, lambda n: partial(_many(n).reset, seed=1))
add("MazeEnv.step", 6000, lambda n: partial(_step, _one(n), 0))
add("MazeVectorEnv.step", 300, lambda n: partial(_step, _many(n), [0] * n * n))
add("MazeEnv.maze", 12_000, lambda n: partial(getattr, _one(n), "maze"))
add("MazeVectorEnv.mazes", 200, lambda n: partial(getattr, _many(n), "mazes"))
for name in ("optimal_actions", "optimal_return"):
    add(f"MazeEnv.{name}", 6000, lambda n, m: getattr(_one(n), m), name)
    add(f"MazeVectorEnv.{name}", 300, lambda n, m: getattr(_many(n), m), name)
add("MazeEnv.render", 1500, lambda n: _one(n, render_mode="rgb_array").render)
add("MazeVectorEnv.render", 12, lambda n: _many(n, render_mode="rgb_array").render)
