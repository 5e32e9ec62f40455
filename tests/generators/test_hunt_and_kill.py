"""Hunt and kill: its law around holes, its fast form and the general one, and how long a hunt takes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest
import sampling
from holed_masks import MASKS
from timing import SILENCE, silence

import meiro

if TYPE_CHECKING:
    from numpy.typing import NDArray

Way = Literal["row_major", "random_row"]


@pytest.mark.laws
@pytest.mark.parametrize("name", MASKS)
def test_hunt_and_kill_around_holes(name: str) -> None:
    law = sampling.exact("hunt_and_kill", MASKS[name])
    n = sampling.samples(200_000, law)
    many = meiro.generate_many(None, "hunt_and_kill", n, mask=MASKS[name], rng=20261127, threads=2)
    sampling.check_law(sampling.codes(many.passages), law)


@pytest.mark.parametrize("shape", [(1, 1), (1, 70), (70, 1), (2, 2), (3, 31), (5, 64), (33, 2), (90, 110)])
def test_hunt_and_kill_fast_form_is_the_general_one(shape: tuple[int, int]) -> None:
    """A mask leads to the form that looks back; where it takes away a last row or column, nothing changes."""
    rows, cols = shape
    for more in ((1, 0), (0, 1)):
        mask = np.zeros((rows + more[0], cols + more[1]), bool)
        mask[:rows, :cols] = True
        for seed in range(20):
            plain = meiro.generate(shape, "hunt_and_kill", rng=seed)
            masked = meiro.generate(None, "hunt_and_kill", mask=mask, rng=seed)
            assert (masked.passages[:rows, :cols] == plain.passages).all()
            assert meiro.generate(shape, "hunt_and_kill", start=(0, 0), rng=seed) == plain


def comb(side: int) -> NDArray[np.bool_]:
    """Return a last row and every other column: each tooth is entered from below."""
    mask = np.zeros((side, side), bool)
    mask[-1] = mask[:, ::2] = True
    return mask


@pytest.mark.parametrize("hunt", ["row_major", "random_row"])
def test_hunt_and_kill_on_a_mask_of_many_components(hunt: Way) -> None:
    mask = np.random.default_rng(1).random((60, 70)) < 0.6
    for seed in range(20):
        assert meiro.generate(None, "hunt_and_kill", mask=mask, rng=seed, hunt=hunt).is_perfect


@pytest.mark.clock
@pytest.mark.parametrize("hunt", ["row_major", "random_row"])
def test_hunt_and_kill_in_a_comb_takes_no_longer_than_a_square(hunt: Way) -> None:
    """A hunt that looks through the rows takes forty times as long."""

    def took(mask: NDArray[np.bool_]) -> float:
        begun = time.process_time()
        meiro.generate(None, "hunt_and_kill", mask=mask, rng=1, hunt=hunt, start="random")
        return time.process_time() - begun

    teeth, square = comb(1000), np.ones((1000, 1000), bool)
    assert min(took(teeth) for _ in range(3)) < 4 * min(took(square) for _ in range(3))


@pytest.mark.clock
@pytest.mark.parametrize("shape", [(2048, 2048), (3, 1 << 20), (1 << 20, 3)], ids=str)
def test_hunt_and_kill_in_a_random_row_is_never_silent_for_long(shape: tuple[int, int]) -> None:
    assert silence(lambda: meiro.generate(shape, "hunt_and_kill", rng=1, hunt="random_row")) < SILENCE
