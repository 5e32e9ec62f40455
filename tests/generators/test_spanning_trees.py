"""Kruskal, Prim, Boruvka: one maze for a seed, which is the minimum spanning tree."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sampling
from power import samples
from reference.kruskal import biased, kruskal, walls
from scipy.sparse import coo_array
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.stats import binom

import meiro
from meiro import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

THREE = ("kruskal", "prim", "boruvka")
OTHERS = THREE[1:]
FLAT, TORUS = (False, False), (True, True)
WRAPS = (FLAT, (False, True), (True, False), TORUS)
BIASES = (1 / 1024, 0.3, 1.5, 1024)


def opened(passages: NDArray[np.uint8], wrap: tuple[bool, bool] = FLAT) -> NDArray[np.bool_]:
    """Tell of each wall id whether it is open."""
    east, south = (passages & 2) != 0, (passages & 4) != 0
    rims = [east[:, -1]] * wrap[1] + [south[-1]] * wrap[0]
    return np.concatenate([east[:, :-1].ravel(), south[:-1].ravel(), *rims])


def words(seed: meiro.Seed, shape: tuple[int, int], wrap: tuple[bool, bool] = FLAT) -> NDArray[np.uint64]:
    """Return the weights of the walls, by wall id."""
    address = (*seed.key, seed.replicate)
    rows = np.array([_core.random_words((*address, row), 1, 0, 2 * shape[1]) for row in range(shape[0])])
    east, south = rows[:, ::2], rows[:, 1::2]
    rims = [east[:, -1]] * wrap[1] + [south[-1]] * wrap[0]
    return np.concatenate([east[:, :-1].ravel(), south[:-1].ravel(), *rims])


def scipy_tree(shape: tuple[int, int], wrap: tuple[bool, bool], weights: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell of each wall id whether scipy's tree opens it; weights are distinct."""
    a, b = np.array(walls(*shape, wrap)).T
    ranks = np.argsort(np.argsort(weights)) + 1.0  # 0 is no edge to scipy
    cells = shape[0] * shape[1]
    tree = minimum_spanning_tree(coo_array((ranks, (a, b)), shape=(cells, cells)).tocsr())
    found: NDArray[np.bool_] = np.isin(ranks, tree.data)
    return found


@pytest.mark.parametrize("wrap", WRAPS, ids=str)
@pytest.mark.parametrize("share", [1.0, 0.8], ids=["whole", "masked"])
@pytest.mark.parametrize("shape", [(3, 3), (7, 12), (3, 300), (130, 3), (140, 131)], ids=str)
def test_kruskal_prim_and_boruvka_make_one_maze(
    shape: tuple[int, int], share: float, wrap: tuple[bool, bool]
) -> None:
    rng = np.random.default_rng(2)
    mask = rng.random(shape) < share
    count = len(walls(*shape, wrap))
    options: list[dict[str, Any]] = [
        {},
        *({"bias": bias} for bias in BIASES),
        {"weights": rng.random(count)},
        {"weights": rng.integers(0, 3, count)},
    ]
    for given in options:
        expected = meiro.generate(shape, "kruskal", rng=5, mask=mask, wrap=wrap, **given)
        for algorithm in THREE:
            for threads in (1, 2):
                maze = meiro.generate(shape, algorithm, rng=5, mask=mask, wrap=wrap, threads=threads, **given)
                assert (maze.passages == expected.passages).all(), (algorithm, threads, given)


@pytest.mark.parametrize("algorithm", OTHERS)
def test_kruskal_prim_and_boruvka_make_one_batch(algorithm: str) -> None:
    expected = meiro.generate_many((9, 11), "kruskal", 500, rng=3, bias=2.5, wrap=TORUS)
    many = meiro.generate_many((9, 11), algorithm, 500, rng=3, bias=2.5, wrap=TORUS, threads=2)
    assert (many.passages == expected.passages).all()


@pytest.mark.parametrize("wrap", WRAPS, ids=str)
@pytest.mark.parametrize("shape", [(3, 3), (3, 4), (8, 5), (13, 17)], ids=str)
def test_minimum_tree_is_that_of_scipy(shape: tuple[int, int], wrap: tuple[bool, bool]) -> None:
    many = meiro.generate_many(shape, "kruskal", 100, rng=20, wrap=wrap)
    for i, passages in enumerate(many.passages):
        drawn = words(meiro.replicate(20, i), shape, wrap)
        assert (opened(passages, wrap) == scipy_tree(shape, wrap, drawn)).all(), i


@pytest.mark.parametrize("algorithm", THREE)
@pytest.mark.parametrize("wrap", [FLAT, TORUS], ids=str)
def test_minimum_tree_of_given_weights(wrap: tuple[bool, bool], algorithm: str) -> None:
    shape = (9, 14)
    between = walls(*shape, wrap)
    rng = np.random.default_rng(8)
    for seed in range(20):
        weights = rng.random(len(between)) + 0.5
        maze = meiro.generate(shape, algorithm, rng=seed, weights=weights, wrap=wrap)
        assert (opened(maze.passages, wrap) == scipy_tree(shape, wrap, weights)).all()
        ties = np.floor(6 * weights) / 4
        tied = opened(meiro.generate(shape, algorithm, rng=seed, weights=ties, wrap=wrap).passages, wrap)
        assert set(np.flatnonzero(tied)) == kruskal(between, list(ties))
        a, b = np.array(between).T
        least = minimum_spanning_tree(coo_array((ties, (a, b)), shape=(126, 126)).tocsr())
        assert ties[tied].sum() == least.sum()


@pytest.mark.parametrize("wrap", [FLAT, TORUS], ids=str)
@pytest.mark.parametrize("bias", BIASES)
def test_minimum_tree_bias_divides_the_weights(bias: float, wrap: tuple[bool, bool]) -> None:
    """In whole numbers: the high half of the word times 2^64 / bias, that one in units of 2^-20."""
    shape = (6, 7)
    unit = round(Fraction(bias) * 2**20)
    between = walls(*shape, wrap)
    across = [a // shape[1] == b // shape[1] for a, b in between]
    lean = across if bias > 1 else [not along for along in across]
    share = (1 << 84) // unit if bias > 1 else unit << 44
    for i in range(50):
        seed = meiro.replicate(4, i)
        drawn = [int(word) for word in words(seed, shape, wrap)]
        weights = [word * share >> 64 if less else word for word, less in zip(drawn, lean, strict=True)]
        maze = meiro.generate(shape, "kruskal", rng=seed, bias=bias, wrap=wrap)
        # As Fractions would be: no float holds 64 bits.
        assert set(np.flatnonzero(opened(maze.passages, wrap))) == kruskal(between, weights)


@pytest.mark.laws
@pytest.mark.parametrize("bias", [0.4, 3])
def test_kruskal_bias_has_the_law_of_the_slow_one(bias: float) -> None:
    rng = random.Random(6)
    slow = sampling.tree_numbers((3, 3), (biased(3, 3, bias, rng) for _ in range(samples(12_000))))
    fast = meiro.generate_many((3, 3), "kruskal", samples(200_000), rng=3, bias=bias).passages
    sampling.check_same_law(slow, sampling.numbers(fast))
    plain = sampling.numbers(meiro.generate_many((3, 3), "kruskal", samples(200_000), rng=3).passages)
    assert sampling.same_law(slow, plain) < sampling.FALSE_ALARM, "the test tells a bias from none"


@pytest.mark.laws
@pytest.mark.parametrize("bias", [0.2, 1, 4])
def test_boruvka_bias_has_the_exact_law_on_four_cells(bias: float) -> None:
    """The heaviest of the four walls stays: one of the two k times as light with probability 1 / (2 k^2)."""
    many = meiro.generate_many((2, 2), "boruvka", samples(400_000), rng=11, bias=bias).passages
    k = max(bias, 1 / bias)
    light = many[:, :, 0] & 2 if bias >= 1 else many[:, 0, :] & 4
    stays = int((light == 0).any(axis=1).sum())
    p = 1 / (2 * k * k)
    tail = min(binom.cdf(stays, len(many), p), binom.sf(stays - 1, len(many), p))
    assert tail > sampling.FALSE_ALARM
