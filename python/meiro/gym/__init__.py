"""Mazes as environments of Gymnasium: one, or many stepped together in C++.

Importing this registers "meiro/Maze-v0", which ``gymnasium.make`` and ``gymnasium.make_vec`` then know.
"""

from __future__ import annotations

from meiro._utils.messages import requires_extra

with requires_extra("gym", "gymnasium"):
    import gymnasium

from meiro.gym.environments import MazeEnv, MazeVectorEnv

__all__ = ["MazeEnv", "MazeVectorEnv"]

if "meiro/Maze-v0" not in gymnasium.registry:
    gymnasium.register(
        "meiro/Maze-v0",
        "meiro.gym.environments:MazeEnv",
        vector_entry_point="meiro.gym.environments:MazeVectorEnv",
    )
