"""Hunt and kill: its options compared with a slow version, its fast form with the general one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest
import sampling
from holed_masks import MASKS
from reference.hunt_and_kill import hunt_and_kill
from timing import SILENCE, silence
from walk_options import Case

import meiro

if TYPE_CHECKING:
    from numpy.typing import NDArray

Way = Literal["row_major", "random_row"]


@pytest.mark.laws
@pytest.mark.parametrize(
    ("way", "case", "unlike"),
    [
        ("row_major", Case(run=4), Case()),
        ("random_row", Case(run=0.25, bias=3), Case(bias=3)),
        ("row_major", Case(start=(1, 2)), Case()),
        ("random_row", Case(start="random"), Case()),
        ("row_major", Case(run=4, wrap=(True, True)), Case(wrap=(True, True))),
        ("random_row", Case(wrap=(True, False)), Case()),
    ],
)
def test_hunt_and_kill_options_have_the_law_of_the_slow_one(way: Way, case: Case, unlike: Case) -> None:
    sample = case.slow(hunt_and_kill, way)
    sampling.check_same_law(case.fast("hunt_and_kill", hunt=way), sample)
    assert sampling.same_law(unlike.fast("hunt_and_kill", hunt=way), sample) < sampling.FALSE_ALARM


@pytest.mark.laws
@pytest.mark.parametrize("name", MASKS)
def test_hunt_and_kill_around_holes(name: str) -> None:
    law = sampling.exact("hunt_and_kill", MASKS[name])
    n = sampling.samples(200_000, law)
    many = meiro.generate_many(None, "hunt_and_kill", n, mask=MASKS[name], rng=20261127, threads=2)
    sampling.check_law(sampling.codes(many.passages), law)


@pytest.mark.laws
def test_hunt_and_kill_hunt_changes_the_law() -> None:
    sample = Case().slow(hunt_and_kill, "random_row")
    sampling.check_same_law(Case().fast("hunt_and_kill", hunt="random_row"), sample)
    assert sampling.same_law(Case().fast("hunt_and_kill", hunt="row_major"), sample) < sampling.FALSE_ALARM


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
