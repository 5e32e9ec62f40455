"""Recursive division: its rule read back from the maze, rooms by room=, and chambers of every size."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
import sampling
from hypothesis import given
from hypothesis import strategies as st
from power import samples
from reference.recursive_division import recursive_division
from scipy.stats import chi2_contingency, chisquare

import meiro
from meiro._utils.square import E, S

if TYPE_CHECKING:
    from numpy.typing import NDArray

SLOW = samples(12_000)


def divided(passages: NDArray[np.uint8], room: int) -> bool:
    """Tell whether cuts as the rule has them make this maze."""
    down, right = (passages & S) != 0, (passages & E) != 0

    @cache
    def sound(row: int, col: int, height: int, width: int) -> bool:
        if min(height, width) < room:
            inner = down[row : row + height - 1, col : col + width]
            return bool(inner.all() and right[row : row + height, col : col + width - 1].all())
        across = height >= width and any(
            down[row + k - 1, col : col + width].sum() == 1
            and sound(row, col, k, width)
            and sound(row + k, col, height - k, width)
            for k in range(1, height)
        )
        return across or (
            height <= width
            and any(
                right[row : row + height, col + k - 1].sum() == 1
                and sound(row, col, height, k)
                and sound(row, col + k, height, width - k)
                for k in range(1, width)
            )
        )

    return sound(0, 0, *passages.shape)


@given(rows=st.integers(1, 11), cols=st.integers(1, 11), room=st.integers(2, 12), seed=st.integers(0, 99))
def test_division_follows_its_rule(rows: int, cols: int, room: int, seed: int) -> None:
    maze = meiro.generate((rows, cols), "recursive_division", room=room, rng=seed)
    assert divided(maze.passages, room), str(maze)


def test_division_rule_rejects_other_mazes() -> None:
    assert not all(divided(meiro.generate((4, 4), "wilson", rng=seed).passages, 2) for seed in range(20))
    plain = meiro.generate((6, 6), "recursive_division", rng=1).passages
    assert divided(plain, 2)
    assert not divided(plain, 3)


@pytest.mark.laws
@pytest.mark.parametrize(
    ("shape", "room"), [((2, 4), 2), ((4, 2), 2), ((3, 4), 2), ((3, 3), 3), ((4, 4), 3), ((3, 5), 3)]
)
def test_division_has_the_law_of_the_slow_one(shape: tuple[int, int], room: int) -> None:
    rng = random.Random(5)
    slow = sampling.tree_numbers(shape, (recursive_division(*shape, room, rng) for _ in range(SLOW)))
    many = meiro.generate_many(shape, "recursive_division", samples(200_000), room=room, rng=3)
    sampling.check_same_law(sampling.numbers(many.passages), slow)


def first_wall(passages: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the place of the westernmost wall from north to south of each maze, and its gap; -1: none."""
    open_ = (passages[:, :, :-1] & E) != 0
    walls = open_.sum(axis=1) == 1
    place = np.where(walls.any(axis=1), walls.argmax(axis=1), -1)
    gap = open_[np.arange(len(place)), :, place].argmax(axis=1)
    assert open_[place < 0].all()
    return place, gap


def slow_places(length: int, room: int, rng: random.Random) -> list[int]:
    if length < room or (length == room and rng.random() < 0.5):
        return []
    before = rng.randrange(1, length)
    rest = slow_places(length - before, room, rng)
    return [*slow_places(before, room, rng), before - 1, *(before + place for place in rest)]


@pytest.mark.laws
@pytest.mark.parametrize("along", ["rows", "columns"])
@pytest.mark.parametrize(("room", "length"), [(70, 100), (50, 60), (50, 50), (70, 70)])
def test_division_walls_and_gaps_are_where_the_slow_one_has_them(room: int, length: int, along: str) -> None:
    """In chambers that fit a tile of the core, and in those that do not."""
    shape = (length, room) if along == "columns" else (room, length)
    many = meiro.generate_many(shape, "recursive_division", samples(10_000), room=room, rng=4).passages
    if along == "columns":
        many = np.where((many & S) != 0, np.uint8(E), np.uint8(0)).swapaxes(1, 2)
    place, gap = first_wall(many)
    rng = random.Random(6)
    slow = np.array([min(slow_places(length, room, rng), default=-1) for _ in range(samples(20_000))])
    counts = [np.bincount(sample + 1, minlength=length) for sample in (place, slow)]
    table = np.array(counts)[:, np.sum(counts, axis=0) > 0]
    assert chi2_contingency(table).pvalue > sampling.FALSE_ALARM
    assert {0, room - 1} <= set(gap[place >= 0].tolist())
    assert chisquare(np.bincount(gap[place >= 0], minlength=room)).pvalue > sampling.FALSE_ALARM
