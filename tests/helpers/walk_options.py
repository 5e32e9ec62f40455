"""Options of backtracker and hunt_and_kill, for the sampler and for its slow version."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
import sampling
from numpy.typing import NDArray
from power import samples

import meiro

SHAPE = (3, 3)


SLOW = samples(12_000)


class Case(NamedTuple):
    """Options of a walk, as `generate` and as the slow versions take them."""

    run: float = 1
    bias: float = 1
    start: tuple[int, int] | Literal["random"] = (0, 0)
    wrap: tuple[bool, bool] = (False, False)

    def fast(self, algorithm: str, **options: Any) -> NDArray[np.int64]:
        many = meiro.generate_many(
            SHAPE, algorithm, samples(200_000), rng=4, threads=2, **self._asdict(), **options
        )
        return sampling.codes(many.passages)

    def slow(self, maze: Callable[..., set[tuple[int, int]]], way: str) -> NDArray[np.int64]:
        rows, cols = SHAPE
        rng = random.Random(6)
        found = []
        n = samples(6000, least=6000 if all(self.wrap) else 2000)  # a torus has many trees
        for _ in range(n):
            start = (
                rng.randrange(rows * cols) if self.start == "random" else self.start[0] * cols + self.start[1]
            )
            likes = {"run": self.run, "bias": self.bias, "wrap": self.wrap}
            found.append(code(maze(rows, cols, way, rng, start=start, **likes)))
        return np.array(found)


def code(tree: set[tuple[int, int]]) -> int:
    """Return the number that `sampling.codes` gives to a maze of 3 x 3, wrapped or not."""
    number = 0
    for pair in tree:
        for a, b in (pair, pair[::-1]):
            if b == a // 3 * 3 + (a + 1) % 3:
                number |= 1 << 2 * a
            elif b == (a + 3) % 9:
                number |= 2 << 2 * a
    return number
