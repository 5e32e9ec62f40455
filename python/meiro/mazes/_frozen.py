"""Objects that do not change once they are made."""

from __future__ import annotations

from typing import NoReturn, TypeVar

import numpy as np

put = object.__setattr__
_MAZE = ("_passages", "_mask", "_openings", "seed", "_recipe", "wrap", "start", "goal")
_KEPT = ("_grid", "_perfect", "_hash")  # what a maze computes when it is asked

F = TypeVar("F")


def refuse_change(frozen: object, name: str, _value: object = None) -> NoReturn:
    """Refuse to set or delete an attribute: the ``__setattr__`` and ``__delattr__`` of frozen classes."""
    msg = f"a {type(frozen).__name__} does not change: make a new one instead of setting {name!r}"
    raise AttributeError(msg)


def set_fields(maze: F, *values: object) -> F:
    """Set what a new maze holds, in the order of `_MAZE`; its arrays become read-only."""
    for name, value in zip(_MAZE, values, strict=True):
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
        put(maze, name, value)
    for name in _KEPT:
        put(maze, name, None)
    return maze
