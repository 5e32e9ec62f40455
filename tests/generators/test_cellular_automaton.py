"""Cellular automata compared with a slow version and with known still lifes and oscillators."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import meiro
from meiro import _core
from meiro.seeds import seed_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

LIFE = "B3/S23"


def slow(
    start: list[list[int]], born: set[int], survive: set[int], wrap: tuple[bool, bool], outside: int
) -> list[list[int]]:
    """Return the next generation."""
    height, width = len(start), len(start[0])

    def at(row: int, col: int) -> int:
        row = row % height if wrap[0] else row
        col = col % width if wrap[1] else col
        return start[row][col] if 0 <= row < height and 0 <= col < width else outside

    def after(row: int, col: int) -> int:
        around = [at(row + i, col + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        return int(sum(around) in (survive if at(row, col) else born))

    return [[after(row, col) for col in range(width)] for row in range(height)]


def rule_of(born: set[int], survive: set[int]) -> str:
    return f"B{''.join(map(str, sorted(born)))}/S{''.join(map(str, sorted(survive)))}"


counts = st.sets(st.integers(0, 8))


@dataclass(frozen=True)
class Case:
    born: set[int]
    survive: set[int]
    shape: tuple[int, int]
    wrap: tuple[bool, bool] = (False, False)
    outside: int = 0
    seed: int = 1


cases = st.builds(
    Case,
    counts,
    counts,
    st.tuples(st.integers(1, 7), st.sampled_from([1, 2, 3, 4, 30, 61, 62, 63, 64, 65, 66, 126, 127, 128])),
    st.tuples(st.booleans(), st.booleans()),
    st.integers(0, 1),
    st.integers(0, 2**32 - 1),
).filter(lambda case: all(side > 2 for side, around in zip(case.shape, case.wrap, strict=True) if around))


@settings(deadline=None)
@example(Case({0, 8}, {0, 8}, (3, 64), (True, True)))  # empty after the first step, and not for ever
@example(Case({3}, {1, 2, 3, 4, 5}, (5, 62), (False, True), 1))
@example(Case({3}, {2, 3}, (3, 63), (True, False), 1))
@example(Case({1, 2}, {1}, (200, 1), outside=1))
@given(cases)
def test_automaton_is_the_slow_one(case: Case) -> None:
    rule = rule_of(case.born, case.survive)
    initial = np.random.default_rng(case.seed).integers(0, 2, case.shape)
    expected = initial.tolist()
    for steps in range(4):
        found = meiro.cellular_automaton(
            None, rule, initial=initial, steps=steps, wrap=case.wrap, outside=case.outside
        )
        assert found.tolist() == expected
        expected = slow(expected, case.born, case.survive, case.wrap, case.outside)


def test_automaton_still_lifes_and_oscillators() -> None:
    block = np.zeros((6, 6), int)
    block[2:4, 2:4] = 1
    blinker = np.zeros((5, 5), int)
    blinker[2, 1:4] = 1
    glider = np.zeros((20, 20), int)
    glider[[0, 1, 2, 2, 2], [1, 2, 0, 1, 2]] = 1
    for steps in (0, 1, 2, 7, 10**12, 10**12 + 1):
        still = meiro.cellular_automaton(rule=LIFE, initial=block, steps=steps)
        np.testing.assert_array_equal(still, block)
        turned = meiro.cellular_automaton(rule=LIFE, initial=blinker, steps=steps)
        np.testing.assert_array_equal(turned, blinker.T if steps % 2 else blinker)
    flown = meiro.cellular_automaton(rule=LIFE, initial=glider, steps=80, wrap=(True, True))
    np.testing.assert_array_equal(flown, glider)  # 20 down and 20 to the right: home again
    flown = meiro.cellular_automaton(rule=LIFE, initial=glider, steps=12)
    np.testing.assert_array_equal(flown, np.roll(glider, (3, 3), (0, 1)))


def test_automaton_of_many_words_has_no_seams() -> None:
    steps, shape = 3, (3, 1_200_000)
    whole = meiro.cellular_automaton(shape, rng=4, p=0.3, steps=steps)
    start = meiro.cellular_automaton(shape, rng=4, p=0.3, steps=0)
    for first in (0, 65_000, 350_000, 1_048_550, 1_100_000):
        part = meiro.cellular_automaton(initial=start[:, first : first + 1000], steps=steps)
        inside = slice(steps if first else 0, 1000 - steps)
        np.testing.assert_array_equal(part[:, inside], whole[:, first : first + 1000][:, inside])


def test_automaton_first_walls_are_words_of_the_stream() -> None:
    p = 0.3
    found = meiro.cellular_automaton((9, 70), rng=7, p=p, steps=0)
    seed = seed_of(7)
    for row in range(9):
        words = _core.random_words((*seed.key, seed.replicate, row), 0, 0, 70).tolist()
        assert found[row].tolist() == [int(Fraction(word, 2**64) < Fraction(p)) for word in words]
    wider = meiro.cellular_automaton((4, 99), rng=meiro.replicate(7, 0), p=p, steps=0)
    np.testing.assert_array_equal(wider[:, :70], found[:4])


def test_automaton_share_of_first_walls() -> None:
    for p, expected in ((0, 0), (0.0, 0), (1, 1), (1.0, 1), (2.0**-70, 0)):
        assert (meiro.cellular_automaton((30, 40), rng=1, p=p, steps=0) == expected).all()
    share = meiro.cellular_automaton((1000, 1000), rng=1, p=0.3, steps=0).mean()
    assert abs(share - 0.3) < 5 * (0.3 * 0.7 / 1e6) ** 0.5


def sha256(array: NDArray[np.uint8]) -> str:
    return hashlib.sha256(array.tobytes()).hexdigest()


def test_automaton_default_is_pinned() -> None:
    found = meiro.cellular_automaton((101, 151), rng=7)
    assert found.dtype == np.uint8
    assert found.flags.c_contiguous
    assert 0.5 < found.mean() < 0.6
    windows = np.lib.stride_tricks.sliding_window_view(found, (8, 8))
    assert ((windows == 0).all(axis=(2, 3))).mean() < 0.02, "hardly any bare place"
    assert sha256(found) == "8d1bf19c6b36261c8570d3e64a0ebe95750bb20777e84ccfdd8e96f47e2c88b3"
    caves = meiro.cellular_automaton((60, 80), "B5678/S45678", rng=7, p=0.5, steps=5, outside=1)
    assert sha256(caves) == "a4925a07b7d8a7799179ae66b5bfeb8856f93dd3cbdad39d93f6640cb6e7c519"


def test_automaton_takes_given_walls() -> None:
    text = ["#.#", ".#.", "#.#"]
    found = meiro.cellular_automaton((3, 3), "b3s23", initial=text, road=".", steps=1)
    assert found.tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    given = np.eye(3, dtype=np.uint8)
    found = meiro.cellular_automaton(initial=given, steps=0)
    found[:] = 7
    np.testing.assert_array_equal(given, np.eye(3))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"p": 1.5}, ValueError, r"p must be in \[0, 1\], not 1.5"),
        ({"p": -0.1}, ValueError, r"p must be in \[0, 1\], not -0.1"),
        ({"p": float("nan")}, ValueError, r"p must be in \[0, 1\], not nan"),
        ({"p": "0.5"}, TypeError, "p must be a number, not '0.5'"),
        ({"rule": "B9/S1"}, ValueError, "rule must be like 'B3/S12345'.*not 'B9/S1'"),
        ({"rule": "3/12345"}, ValueError, "rule must be like"),
        ({"rule": "B3/S23 "}, ValueError, "rule must be like"),
        ({"rule": 3}, ValueError, "rule must be like"),
        ({"steps": -1}, ValueError, "steps must be at least 0, not -1"),
        ({"steps": 1.5}, TypeError, "steps must be an integer, not 1.5"),
        ({"steps": True}, TypeError, "steps must be an integer, not True"),
        ({"outside": 2}, ValueError, r"outside must be 0 \(road\) or 1 \(wall\), not 2"),
        ({"wrap": True}, TypeError, "wrap must be two bools"),
        ({"shape": (0, 5)}, ValueError, r"shape must be at least \(1, 1\), not \(0, 5\)"),
        ({"shape": None}, TypeError, r"give shape=\(h, w\) or initial="),
        ({"shape": (10**6, 10**7)}, MemoryError, "an automaton of 1000000 x 10000000 sites"),
        ({"initial": [[0, 1]]}, ValueError, r"initial has shape \(1, 2\), but shape is \(5, 5\)"),
        ({"initial": [[0, 255]]}, ValueError, "initial holds.*say road="),
        ({"initial": np.eye(5), "p": 0.5}, TypeError, "initial and p both set the first generation"),
        ({"initial": np.eye(5), "rng": 1}, TypeError, "initial and rng both set"),
    ],
)
def test_automaton_refuses_bad_arguments(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        meiro.cellular_automaton(**{"shape": (5, 5), **options})
