"""Options of backtracker and hunt_and_kill, compared with slow versions."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
import pytest
import sampling
from numpy.typing import NDArray
from power import samples
from reference.backtracker import backtracker
from reference.hunt_and_kill import hunt_and_kill

import meiro

pytestmark = pytest.mark.sanitize

ROWS, COLS = 3, 3
# The algorithm of each way, the option that has it, and the slow version.
WAYS: dict[str, tuple[str, str, Callable[..., set[tuple[int, int]]]]] = {
    **dict.fromkeys(("newest", "random"), ("backtracker", "after_dead_end", backtracker)),
    **dict.fromkeys(("row_major", "random_row"), ("hunt_and_kill", "hunt", hunt_and_kill)),
}


class Case(NamedTuple):
    """Options of a walk, as `generate` and as the slow versions take them."""

    way: str
    run: float = 1
    bias: float = 1
    start: tuple[int, int] | Literal["random"] = (0, 0)
    wrap: tuple[bool, bool] = (False, False)

    def fast(self) -> NDArray[np.int64]:
        algorithm, option, _ = WAYS[self.way]
        options: dict[str, Any] = self._asdict()
        options[option] = options.pop("way")
        n = samples(200_000)
        return sampling.codes(
            meiro.generate_many((ROWS, COLS), algorithm, n, rng=4, threads=2, **options).passages
        )

    def slow(self) -> NDArray[np.int64]:
        rng, maze = random.Random(6), WAYS[self.way][2]
        likes = {"run": self.run, "bias": self.bias, "wrap": self.wrap}
        found = []
        n = samples(12_000, least=6000 if all(self.wrap) else 2000)  # a torus has many trees
        for _ in range(n):
            start = (
                rng.randrange(ROWS * COLS) if self.start == "random" else self.start[0] * COLS + self.start[1]
            )
            found.append(code(maze(ROWS, COLS, self.way, rng, start=start, **likes)))
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


@pytest.mark.laws
@pytest.mark.parametrize(
    ("case", "unlike"),
    [
        (Case("random"), Case("newest")),
        (Case("newest", run=4), Case("newest")),
        (Case("random", run=4), Case("random")),
        (Case("newest", run=0.5, bias=3), Case("newest", bias=3)),
        (Case("newest", start=(1, 2)), Case("newest")),
        (Case("random", start="random"), Case("random")),
        (Case("newest", run=4, wrap=(True, True)), Case("newest", wrap=(True, True))),
        (Case("random", run=4, bias=0.5, wrap=(False, True)), Case("random", run=4, bias=0.5)),
        (Case("random_row"), Case("row_major")),
        (Case("row_major", run=4), Case("row_major")),
        (Case("random_row", run=0.25, bias=3), Case("random_row", bias=3)),
        (Case("row_major", start=(1, 2)), Case("row_major")),
        (Case("random_row", start="random"), Case("random_row")),
        (Case("row_major", run=4, wrap=(True, True)), Case("row_major", wrap=(True, True))),
        (Case("random_row", wrap=(True, False)), Case("random_row")),
    ],
)
def test_options_of_walks_have_the_law_of_the_slow_ones(case: Case, unlike: Case) -> None:
    sample = case.slow()
    sampling.check_same_law(case.fast(), sample)
    assert sampling.same_law(unlike.fast(), sample) < sampling.FALSE_ALARM
