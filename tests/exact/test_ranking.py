"""A number for every perfect maze: rank, unrank, and enumeration in order."""

from __future__ import annotations

import json
import random
import re
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sampling
import timing
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

import meiro
from meiro.exact import _completions

KNOWN: dict[str, int] = json.loads(
    (Path(meiro.__file__).parent / "exact/data/known_values.json").read_text("utf-8")
)["uniform"]["number_of_trees"]
SMALL = [(1, 1), (1, 5), (5, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
LARGER = [(2, 6), (3, 4), (4, 3)]


def decisions(maze: meiro.Maze) -> list[bool]:
    """What the order compares, one wall after the other: whether it is open."""
    bits = np.asarray(maze.passages)
    found = []
    if maze.rows >= maze.cols:
        for row, col in product(range(maze.rows), range(maze.cols)):
            found += [bool(bits[row, col] & 1)] * (row > 0) + [bool(bits[row, col] & 8)] * (col > 0)
    else:
        for col, row in product(range(maze.cols), range(maze.rows)):
            found += [bool(bits[row, col] & 8)] * (col > 0) + [bool(bits[row, col] & 1)] * (row > 0)
    return found


@pytest.mark.parametrize(
    "shape", [*SMALL, *(pytest.param(shape, marks=pytest.mark.long) for shape in LARGER)], ids=str
)
def test_unrank_gives_all_mazes_in_order(shape: tuple[int, int]) -> None:
    mazes = list(meiro.enumerate_mazes(shape))
    n = meiro.number_of_mazes(shape)
    assert len(mazes) == len(set(mazes)) == n
    assert all(maze.is_perfect and (maze.rows, maze.cols) == shape for maze in mazes)
    assert all(meiro.Maze(maze.passages) == maze for maze in mazes)  # checked as what users bring
    order = [decisions(maze) for maze in mazes]
    assert order == sorted(order)
    some = range(0, n, 1 + n // 1000)  # every third of 3 x 4, and all of the smaller ones
    assert [meiro.rank(mazes[k]) for k in some] == list(some)
    assert [meiro.unrank(k, shape) for k in some] == [mazes[k] for k in some]


@pytest.mark.parametrize("shape", sampling.SHAPES, ids=str)
def test_enumerate_mazes_gives_the_uniform_law(shape: tuple[int, int]) -> None:
    assert set(meiro.enumerate_mazes(shape)) == set(meiro.law(shape, "uniform"))


@pytest.mark.long
def test_enumerate_mazes_of_large_shapes_begins_in_order() -> None:
    for shape in ((8, 8), (4, 30)):
        first = list(islice(meiro.enumerate_mazes(shape), 50))
        assert [meiro.rank(maze) for maze in first] == list(range(50))


@pytest.mark.parametrize("shape", [text for text, number in KNOWN.items() if number > 10**4])
def test_rank_and_unrank_are_inverse(shape: str) -> None:
    rows, cols = map(int, shape.split("x"))
    last = KNOWN[shape] - 1
    draw = random.Random(shape)
    for k in (0, 1, last - 1, last, *(draw.randrange(last) for _ in range(10))):
        maze = meiro.unrank(k, (rows, cols))
        assert maze.is_perfect
        assert meiro.rank(maze) == k
    refused(ValueError, re.escape(f"({rows}, {cols})"), meiro.unrank, last + 1, (rows, cols))


@pytest.mark.parametrize("shape", [(8, 20), (20, 8), (13, 13), (1, 300), (2, 100)], ids=str)
def test_rank_and_unrank_are_inverse_on_large_shapes(shape: tuple[int, int]) -> None:
    n = meiro.number_of_mazes(shape)
    for k in (0, n - 1, random.Random(1).randrange(n)):
        assert meiro.rank(meiro.unrank(k, shape)) == k
    for algorithm in ("wilson", "kruskal", "serpentine"):
        maze = meiro.generate(shape, algorithm, rng=3)
        assert meiro.unrank(meiro.rank(maze), shape) == maze


@given(st.integers(1, 7), st.integers(1, 7), st.data())
@settings(max_examples=30, deadline=None)
def test_rank_follows_the_order(rows: int, cols: int, data: st.DataObject) -> None:
    last = meiro.number_of_mazes((rows, cols)) - 1
    numbers = sorted(data.draw(st.lists(st.integers(0, last), min_size=2, max_size=4)))
    mazes = [meiro.unrank(k, (rows, cols)) for k in numbers]
    assert [meiro.rank(maze) for maze in mazes] == numbers
    order = [decisions(maze) for maze in mazes]
    assert order == sorted(order)
    assert len(set(map(tuple, order))) == len(set(numbers))


@pytest.mark.long
def test_unrank_of_a_uniform_number_is_uniform() -> None:
    draw = random.Random(7)
    found = meiro.sampler_test(lambda _: meiro.unrank(draw.randrange(192), (3, 3)), n=1500)
    assert found.p_value > sampling.FALSE_ALARM
    skewed = meiro.sampler_test(lambda _: meiro.unrank(min(draw.choices(range(192), k=2)), (3, 3)), n=1500)
    assert skewed.p_value < sampling.FALSE_ALARM


def walls_of(rows: int, cols: int) -> list[tuple[int, int, bool]]:
    """The walls in the order of ranks: row and column of a cell, and whether to the row before it."""
    cells = ((row, col) for row in range(rows) for col in range(cols))
    both = ((row, col, above) for row, col in cells for above in (True, False))
    return [wall for wall in both if wall[0 if wall[2] else 1] > 0]


def forests(shape: tuple[int, int], decided: dict[tuple[int, int, bool], bool]) -> int:
    """The number of perfect mazes that have the decided walls, as a determinant in floating point."""
    rows, cols = shape
    laplacian = np.zeros((rows * cols, rows * cols))
    place = list(range(rows * cols))  # cells that are connected have one place
    ends = {
        wall: (wall[0] * cols + wall[1], (wall[0] - wall[2]) * cols + wall[1] - (not wall[2]))
        for wall in walls_of(rows, cols)
    }
    for wall, is_open in decided.items():
        a, b = (place[end] for end in ends[wall])
        if is_open:
            assert a != b, "no cycle"
            place = [a if x == b else x for x in place]
    for wall, (a, b) in ends.items():
        if wall not in decided and place[a] != place[b]:
            laplacian[[place[a], place[b]], [place[a], place[b]]] += 1
            laplacian[[place[a], place[b]], [place[b], place[a]]] -= 1
    kept = sorted(set(place))[1:]
    return round(float(np.linalg.det(laplacian[np.ix_(kept, kept)])))


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (7, 2)], ids=str)
def test_completions_are_counted(shape: tuple[int, int]) -> None:
    rest = _completions.elimination(*shape)
    rest.run(None)
    draw = random.Random(1)
    for _ in range(5):
        decided: dict[tuple[int, int, bool], bool] = {}

        def choose(place: int, standing: int, decided: Any = decided) -> bool:
            wall = walls_of(*shape)[place]
            before = forests(shape, decided)
            assert forests(shape, {**decided, wall: False}) == standing
            decided[wall] = standing < before and (not standing or draw.random() < 0.5)
            return bool(decided[wall])

        rest.decide(choose)
        assert sum(decided.values()) == shape[0] * shape[1] - 1, "a tree"


def test_primes_that_divide_a_denominator_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """With small primes this happens all the time; with those below 2^24 in one large maze of a hundred."""
    monkeypatch.setattr(_completions, "TOP", 1 << 8)
    monkeypatch.setattr(_completions, "SPARE", 35)
    _completions.elimination.cache_clear()
    n = meiro.number_of_mazes((3, 4))
    mazes = list(meiro.enumerate_mazes((3, 4)))
    assert [meiro.unrank(k, (3, 4)) for k in range(0, n, 23)] == mazes[::23]
    assert [meiro.rank(maze) for maze in mazes[::31]] == list(range(0, n, 31))
    rest = _completions.elimination(4, 3)
    assert len(rest.primes) < 20 * 27 // 16 // 7 + 1 + 35, "some are left out"
    _completions.elimination.cache_clear()


@pytest.mark.clock
def test_unrank_of_30_x_30_cells_takes_less_than_2_s() -> None:
    def first() -> None:
        _completions.elimination.cache_clear()
        meiro.unrank(0, (30, 30))

    assert timing.best(lambda: timing.seconds(first), 2) < 2


@pytest.mark.parametrize("shape", [(60_000, 60_000), (49, 49), (10**9, 1), (1, 16_385)], ids=str)
def test_shapes_too_large_for_ranks_are_refused_at_once(shape: tuple[int, int]) -> None:
    words = rf"shape \({shape[0]}, {shape[1]}\) is too large for ranks: .* at most 2\*\*28, as for \(48, 48\)"
    refused(ValueError, words, meiro.unrank, 0, shape)
    refused(ValueError, words, meiro.enumerate_mazes, shape)
    if shape[0] * shape[1] < 10**5:
        maze = meiro.generate(shape, "kruskal", rng=1)
        refused(ValueError, words, meiro.rank, maze)
    assert next(meiro.enumerate_mazes((48, 48))).is_perfect


def test_rank_refuses_other_mazes() -> None:
    refused(TypeError, "must be a Maze or a GraphMaze, not ndarray", meiro.rank, np.zeros((2, 2), np.uint8))
    refused(ValueError, "not perfect", meiro.rank, meiro.Maze(np.zeros((2, 2), np.uint8)))
    refused(ValueError, "has a mask", meiro.rank, meiro.generate(mask=[[1, 1], [1, 0]]))
    refused(ValueError, "is periodic", meiro.rank, meiro.generate((3, 3), "kruskal", wrap=(True, False)))
    entrance = meiro.Maze([[2, 8]], openings=[(0, 1)])
    assert meiro.rank(entrance) == 0


def test_unrank_refuses_bad_numbers_and_shapes() -> None:
    for k in (-1, 192):
        refused(ValueError, rf"k must be from 0 to 191 for \(3, 3\), not {k}", meiro.unrank, k, (3, 3))
    with pytest.raises(ValueError, match=r"- 1 for \(20, 20\), not a number of 33,220 bits"):
        meiro.unrank(10**10_000, (20, 20))
    for bad in (1.0, "1", True, None):
        refused(TypeError, "k must be an integer", meiro.unrank, bad, (3, 3))
    assert meiro.unrank(np.int64(5), (3, 3)) == meiro.unrank(5, (3, 3))
    for function in (lambda shape: meiro.unrank(0, shape), meiro.enumerate_mazes):
        refused(ValueError, "at least", function, (0, 3))
        refused(TypeError, "pair of integers", function, 9)
