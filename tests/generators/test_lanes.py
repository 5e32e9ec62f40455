"""Walls far apart are independent: no lane, and no block of words in a lane, is drawn from twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import meiro

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOCAL = ["binary_tree", "sidewinder", "pole_toppling", "eller", "percolation", "kruskal"]
SHAPES = [(600, 40), (300, 301), (30, 6000)]  # strips of several rows, of one row, of many blocks
MANY = 200  # rows or columns, of which the mean is hardly that of one's own cell
NEAR = 5  # rows or columns within which walls may depend on each other


def correlations(bits: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Correlation of each column with itself, over all its cells, by the number of rows between them."""
    x = bits - bits.mean(0)
    spectrum = np.fft.rfft(x, 2 * len(x), axis=0)
    products = np.fft.irfft((abs(spectrum) ** 2).sum(1))[: len(x)]
    return products / np.arange(len(x), 0, -1) * len(x) / products[0]  # type: ignore[no-any-return]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("algorithm", LOCAL)
def test_walls_far_apart_are_independent(algorithm: str, shape: tuple[int, int]) -> None:
    passages = meiro.generate(shape, algorithm, rng=3).passages
    for bit in (1, 2):  # the walls to the north and to the east
        bits = (passages[1:-1, 1:-1] & bit) != 0
        for lines in (lines for lines in (bits, bits.T) if len(lines) > MANY):
            found = correlations(lines)[NEAR : len(lines) // 2]
            assert abs(found).max() < 8 / (bits.size / 2) ** 0.5, f"lag {NEAR + abs(found).argmax()}"


def test_a_lane_drawn_from_twice_is_seen() -> None:
    """As strips of 6 rows with the words of the strip before would be, every other time."""
    bits = np.random.default_rng(1).random((600, 38)) < 0.5
    strips = bits.reshape(50, 12, 38)
    strips[:, 6:] = strips[:, :6]
    assert correlations(bits)[6] > 0.4
