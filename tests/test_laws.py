"""Every sampler follows its exact law, and the same test rejects samplers that do not."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import laws
import numpy as np
import pytest

import meiro
from meiro.lattice import n_walls

if TYPE_CHECKING:
    from numpy.typing import NDArray

N = 400_000
Sampler = Callable[[int], "NDArray[np.int64]"]
WITH_LAW = [a for a in meiro.ALGORITHMS if meiro.ALGORITHMS[a].law]


def test_every_law_has_its_algorithm_and_its_files() -> None:
    named = {facts.law for facts in meiro.ALGORITHMS.values() if facts.law}
    expected = {f"{law}_{rows}x{cols}.json" for law in named for rows, cols in laws.SHAPES}
    assert {file.name for file in laws.FOLDER.iterdir()} == expected
    for algorithm, facts in meiro.ALGORITHMS.items():
        slow = Path(__file__).parent / "reference" / f"{algorithm}.py"
        assert facts.law or slow.exists(), f"{algorithm} has neither a law nor a slow version"


@pytest.mark.parametrize("shape", laws.SHAPES, ids=str)
@pytest.mark.parametrize("algorithm", WITH_LAW)
def test_law(algorithm: str, shape: tuple[int, int]) -> None:
    many = meiro.generate_many(N, shape, algorithm, rng=20261121, threads=2)
    law = laws.load(meiro.ALGORITHMS[algorithm].law, shape)
    assert laws.p_value(laws.numbers(many.passages), law) > laws.FALSE_ALARM


def kruskal_posing_as_uniform(n: int) -> NDArray[np.int64]:
    return laws.numbers(meiro.generate_many(n, (3, 3), "kruskal", rng=1).passages)


def off_by_one_shuffle(n: int) -> NDArray[np.int64]:
    """Sattolo's shuffle: each item is swapped with an earlier one, never with itself."""
    rng = random.Random(2)
    out = np.empty((n, 3, 3), np.uint8)
    for k in range(n):
        order = list(range(n_walls((3, 3))))
        for i in range(len(order) - 1, 0, -1):
            j = rng.randrange(i)
            order[i], order[j] = order[j], order[i]
        out[k] = meiro.generate((3, 3), "kruskal", order=order, rng=0).passages
    return laws.numbers(out)


def wilson_that_restarts(n: int) -> NDArray[np.int64]:
    """Wilson's walk, begun again from its start when it meets itself, instead of erasing the loop."""
    rng = random.Random(3)
    near = {
        c: [d for d, ok in ((c - 3, c > 2), (c + 3, c < 6), (c - 1, c % 3), (c + 1, c % 3 < 2)) if ok]
        for c in range(9)
    }
    bit: dict[tuple[int, int], int] = {}
    for c in range(9):
        for d, there in ((c + 1, c % 3 < 2), (c + 3, c < 6)):
            if there:
                bit[c, d] = bit[d, c] = len(bit) // 2
    out = np.empty(n, np.int64)
    for k in range(n):
        inside, tree = {0}, 0
        for begin in range(1, 9):
            walk = [begin]
            while begin not in inside and walk[-1] not in inside:
                step = rng.choice(near[walk[-1]])
                walk = [begin] if step in walk else [*walk, step]
            for a, b in pairwise(walk):
                tree |= 1 << bit[a, b]
            inside.update(walk)
        out[k] = tree
    return out


@pytest.mark.parametrize(
    ("sampler", "law", "n"),
    [
        (kruskal_posing_as_uniform, "uniform", 20_000),
        (off_by_one_shuffle, "random_mst", 40_000),
        (wilson_that_restarts, "uniform", 20_000),
    ],
)
def test_wrong_samplers_are_rejected(sampler: Sampler, law: str, n: int) -> None:
    assert laws.p_value(sampler(n), laws.load(law, (3, 3))) < laws.FALSE_ALARM
