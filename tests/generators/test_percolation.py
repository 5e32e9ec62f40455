"""Percolation: independent walls, each open with exactly the given probability."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
import sampling
from power import samples
from reference.percolation import percolation
from scipy.stats import chi2

import meiro
from meiro._utils.square import E, N, S, W, n_walls

if TYPE_CHECKING:
    from numpy.typing import NDArray

PS = (0.5, 0.3, 1 / 3, 0.9, 2**-5)
TORUS = (True, True)
Z = 6.0


def product_law(shape: tuple[int, int], p: float) -> sampling.Law:
    exact = percolation(n_walls(shape), Fraction(p))
    return sampling.Law(shape, np.array(list(exact)), np.array([float(q) for q in exact.values()]))


@pytest.mark.laws
@pytest.mark.parametrize("shape", [(2, 2), (1, 3), (3, 2)], ids=str)
@pytest.mark.parametrize("p", PS)
def test_percolation_walls_are_independent(shape: tuple[int, int], p: float) -> None:
    many = meiro.generate_many(shape, "percolation", samples(200_000), p=p, rng=4)
    sampling.check_law(sampling.numbers(many.passages), product_law(shape, p))


@pytest.mark.parametrize("shape", [(700, 900), (3, 100_001), (100_000, 3), (2000, 250)], ids=str)
@pytest.mark.parametrize("p", [*PS, 1e-4, 0.75])
def test_percolation_opens_a_share_of_p(shape: tuple[int, int], p: float) -> None:
    passages = meiro.generate(shape, "percolation", p=p, rng=5).passages
    for bit, walls in ((E, shape[0] * (shape[1] - 1)), (S, (shape[0] - 1) * shape[1])):
        z = (np.count_nonzero(passages & bit) - walls * p) / np.sqrt(walls * p * (1 - p))
        assert abs(z) < Z


@pytest.mark.parametrize("wrap", [(False, False), (True, False), (False, True), TORUS], ids=str)
def test_percolation_with_p_0_and_1(wrap: tuple[bool, bool]) -> None:
    shape = (5, 70)
    none = meiro.generate(shape, "percolation", p=0, wrap=wrap, rng=1).passages
    assert not none.any()
    every = meiro.generate(shape, "percolation", p=1, wrap=wrap, rng=1).passages
    expected = np.full(shape, 15)
    if not wrap[0]:
        expected[0] &= 15 - N
        expected[-1] &= 15 - S
    if not wrap[1]:
        expected[:, 0] &= 15 - W
        expected[:, -1] &= 15 - E
    assert (every == expected).all()
    # The least and the greatest p that are neither draw all their digits.
    assert not meiro.generate(shape, "percolation", p=2.0**-63, wrap=wrap, rng=1).passages.any()
    near = meiro.generate(shape, "percolation", p=1 - 2.0**-53, wrap=wrap, rng=1).passages
    assert (near == expected).all()


def open_walls(passages: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return (n, 2 * cells) walls of a torus: those to the east and to the south; both sides agree."""
    east, south = (passages & E) != 0, (passages & S) != 0
    assert (east == np.roll((passages & W) != 0, -1, axis=-1)).all()
    assert (south == np.roll((passages & N) != 0, -1, axis=-2)).all()
    return np.stack([east, south], axis=-1).reshape(len(passages), -1)


@pytest.mark.laws
@pytest.mark.parametrize("shape", [(3, 3), (3, 5), (4, 65)], ids=str)
def test_percolation_walls_over_the_periodic_border(shape: tuple[int, int]) -> None:
    """Each wall of a torus, and each pair of walls, by its frequency."""
    n, p = samples(100_000) if shape[1] < 60 else samples(4000, least=1000), 0.3
    walls = open_walls(meiro.generate_many(shape, "percolation", n, p=p, wrap=TORUS, rng=6).passages)
    assert walls.shape[1] == n_walls(shape, TORUS)
    scaled = (walls - p) / np.sqrt(p * (1 - p))
    assert (np.abs(scaled.sum(axis=0)) < Z * np.sqrt(n)).all()
    pairs = scaled.T @ scaled / np.sqrt(n)
    z = pairs[np.triu_indices(len(pairs), 1)]
    assert np.abs(z).max() < Z + 1
    assert chi2.sf((z**2).sum(), len(z)) > sampling.FALSE_ALARM


@pytest.mark.parametrize("shape", [(300, 7), (5, 40_000), (1030, 1030)], ids=str)
@pytest.mark.parametrize("wrap", [(False, True), (True, False), TORUS], ids=str)
def test_percolation_wrap_adds_walls_and_changes_none(
    shape: tuple[int, int], wrap: tuple[bool, bool]
) -> None:
    plain = meiro.generate(shape, "percolation", rng=7).passages
    wrapped = meiro.generate(shape, "percolation", rng=7, wrap=wrap).passages
    open_walls(wrapped[None])
    inside = np.full(shape, 15, np.uint8)
    inside[0] &= 15 - N
    inside[-1] &= 15 - S
    inside[:, 0] &= 15 - W
    inside[:, -1] &= 15 - E
    assert (wrapped & inside == plain).all()
    assert ((wrapped & ~inside) != 0).any(axis=(1 - wrap.index(True))).any()
    if not wrap[0]:
        assert not (wrapped[0] & N).any()
    if not wrap[1]:
        assert not (wrapped[:, 0] & W).any()


@pytest.mark.parametrize("wrap", [(False, False), TORUS], ids=str)
@pytest.mark.parametrize("shape", [(9, 8), (40, 300), (300, 3)], ids=str)
def test_percolation_mask_closes_walls_and_opens_none(
    shape: tuple[int, int], wrap: tuple[bool, bool]
) -> None:
    mask = np.random.default_rng(3).random(shape) < 0.7
    plain = meiro.generate(shape, "percolation", rng=8, wrap=wrap, p=0.6).passages
    masked = meiro.generate(None, "percolation", mask=mask, rng=8, wrap=wrap, p=0.6).passages
    there = np.zeros(shape, np.uint8)
    for bit, steps, axis in ((N, 1, 0), (E, -1, 1), (S, -1, 0), (W, 1, 1)):
        there |= np.where(mask & np.roll(mask, steps, axis), np.uint8(bit), np.uint8(0))
    assert (masked == (plain & there)).all()  # over the rim nothing is open in `plain` but by the wrap
