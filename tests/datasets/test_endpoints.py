"""Endpoints and the split: laws by chi-square, possible pairs by all distances."""

from __future__ import annotations

import importlib
import itertools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from scipy import stats

import meiro
from meiro import MazeBatch
from meiro.datasets.split import hashes

MODULE = importlib.import_module("meiro.datasets.endpoints")
HOW = ["random", "dead_ends", "farthest", "corners"]
MASK = np.array([[1, 1, 0, 1], [1, 0, 1, 1], [1, 1, 1, 0], [0, 1, 1, 1]], bool)
KINDS: dict[str, dict[str, Any]] = {
    "perfect": {"shape": (4, 5)},
    "loops and parts": {"shape": (4, 4), "algorithm": "percolation"},
    "masked": {"mask": MASK},
    "masks": {"shape": (6, 6), "algorithm": "rooms", "dead_ends": "remove", "tries": 4, "sides": (2, 3)},
    "torus": {"shape": (3, 4), "wrap": (True, True)},
    "line": {"shape": (1, 6)},
    "openings": {"shape": (2, 2), "openings": "random"},
    "one cell": {"shape": (1, 1)},
}


def pairs_of(maze: meiro.Maze, how: str, least: int | None) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """All ordered pairs that may come, by every distance."""
    cells = list(itertools.product(range(maze.rows), range(maze.cols)))
    there = [cell for cell in cells if maze.mask is None or maze.mask[cell]]
    steps = {cell: meiro.distances(maze, cell) for cell in there}
    if how == "dead_ends":
        there = [cell for cell in there if int(maze.passages[cell]).bit_count() == 1]
    found = {(a, b) for a in there for b in there if a != b and (least is None or steps[a][b] >= least)}
    if how == "farthest":
        most = max((steps[a][b] for a, b in found), default=0)
        return {(a, b) for a, b in found if steps[a][b] == most >= max(least or 1, 1)}
    return found & {(there[0], there[-1])} if how == "corners" else found


def rows_of(ends: tuple[Any, Any]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return [(tuple(a), tuple(b)) for a, b in zip(ends[0].tolist(), ends[1].tolist(), strict=True)]


@pytest.mark.parametrize("least", [None, 1, 4, 9])
@pytest.mark.parametrize("kind", KINDS)
def test_endpoints_are_possible_pairs(kind: str, least: int | None) -> None:
    many = meiro.generate_many(n=24, **KINDS[kind], rng=3)
    for how in HOW:
        starts, goals = meiro.endpoints(many, how, min_length=least, rng=5)  # type: ignore[arg-type]
        assert starts.dtype == goals.dtype == np.int64
        assert starts.shape == goals.shape == (24, 2)
        for maze, pair in zip(many, rows_of((starts, goals)), strict=True):
            possible = pairs_of(maze, how, least)
            assert pair in possible if possible else pair == ((-1, -1), (-1, -1)), f"{how}\n{maze}"
        lengths = many.solve(starts, goals).lengths
        assert (lengths[starts[:, 0] < 0] <= 0).all()
        assert (lengths[starts[:, 0] >= 0] != 0).all()
        assert least is None or (lengths[starts[:, 0] >= 0] >= least).all()


def same_maze(n: int, **kind: Any) -> MazeBatch:
    one: MazeBatch = meiro.generate_many(n=1, **kind)
    return one[[0] * n]


@pytest.mark.parametrize("rounds", ["as many as cells", "two", "none"])
@pytest.mark.parametrize(
    ("how", "least"), [("random", None), ("random", 5), ("dead_ends", 4), ("random", 8), ("random", 9)]
)
def test_endpoints_are_uniform_over_pairs(
    how: Any, least: int | None, rounds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MODULE, "_MAX_ROUNDS", {"as many as cells": 256, "two": 2, "none": 0}[rounds])
    many = same_maze(4000, shape=(3, 4), rng=12)
    possible = sorted(pairs_of(many[0], how, least))
    assert len(possible) >= 2
    found = Counter(rows_of(meiro.endpoints(many, how, min_length=least, rng=8)))
    counts = [found[pair] for pair in possible]
    assert sum(counts) == len(many)
    assert stats.chisquare(counts).pvalue > 1e-3


def test_endpoints_depend_on_seed_place_and_maze_only(monkeypatch: pytest.MonkeyPatch) -> None:
    many = meiro.generate_many((6, 6), n=50, rng=1)
    whole = rows_of(meiro.endpoints(many, min_length=12, rng=4))
    assert whole == rows_of(meiro.endpoints(many, min_length=12, rng=4, threads=3))
    assert whole != rows_of(meiro.endpoints(many, min_length=12, rng=5))
    assert whole[:7] == rows_of(meiro.endpoints(many[:7], min_length=12, rng=4))
    monkeypatch.setattr(MODULE, "_PIECE", 36 * 4 + 1)
    assert whole == rows_of(meiro.endpoints(many, min_length=12, rng=4))


def test_endpoints_of_an_empty_batch() -> None:
    none = meiro.generate_many((4, 4), n=0, rng=1)
    for how in HOW:
        starts, goals = meiro.endpoints(none, how, min_length=3)  # type: ignore[arg-type]
        assert starts.shape == goals.shape == (0, 2)
        assert len(none.solve(starts, goals).lengths) == 0


def test_endpoints_refuse_bad_arguments() -> None:
    many = meiro.generate_many((4, 4), n=2, rng=1)
    with pytest.raises(ValueError, match=r"how must be 'random' or 'dead_ends' or .*, not 'deadends'"):
        meiro.endpoints(many, "deadends")  # type: ignore[arg-type]
    refused(ValueError, "min_length must be at least 1, not 0", meiro.endpoints, many, min_length=0)
    refused(TypeError, "batch must be a MazeBatch", meiro.endpoints, many[0])


# The split


@pytest.mark.parametrize("kind", KINDS)
def test_split_hashes_are_those_of_the_mazes(kind: str) -> None:
    many = meiro.generate_many(n=20, **KINDS[kind], rng=3)[::-2]
    assert hashes(many).tolist() == [hash(maze) for maze in many]


def test_split_hash_is_pinned() -> None:
    """Else mazes that were for training would be for testing."""
    found = [hash(meiro.Maze(rows)) for rows in ([[0]], [[2, 8]], [[6, 12], [3, 9]])]
    assert found == [705237677311949305, 2260763335402176888, 2195457662008722074]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 99), st.floats(0, 1), st.floats(0, 1), st.randoms(use_true_random=False))
def test_split_puts_no_maze_on_both_sides(
    seed: int, share: float, other: float, order: random.Random
) -> None:
    many = meiro.generate_many((2, 3), n=60, rng=seed)
    train, test = meiro.split(many, test=share)
    assert len(train) + len(test) == 60
    assert not set(train) & set(test)
    numbers = order.sample(range(60), 30)
    fewer, tested = meiro.split(many[numbers], test=share)
    assert set(fewer) <= set(train)
    assert set(tested) <= set(test)
    low, high = sorted([share, other])
    assert set(meiro.split(many, test=low)[1]) <= set(meiro.split(many, test=high)[1])
    for part in (train, test):
        assert list(part) == [many[int(i)] for i in part.replicates]


def test_split_has_the_given_share() -> None:
    many = meiro.generate_many((6, 6), n=20_000, rng=2).unique()
    for share in (0.1, 0.5, 0.9):
        n = len(meiro.split(many, test=share)[1])
        assert stats.binomtest(n, len(many), share).pvalue > 1e-3
    assert [len(part) for part in meiro.split(many, test=0)] == [len(many), 0]
    assert [len(part) for part in meiro.split(many, test=np.float64(1))] == [0, len(many)]


def test_split_refuses_bad_shares() -> None:
    many = meiro.generate_many((4, 4), n=2, rng=1)
    for share in (-0.1, 1.5, float("nan")):
        refused(ValueError, r"test must be in \[0, 1\], not", meiro.split, many, test=share)
    for bad in ("0.2", None, True):
        refused(TypeError, "test must be a number, not", meiro.split, many, test=bad)
    refused(TypeError, "batch must be a MazeBatch", meiro.split, many[0])


def test_split_names_the_ends_that_are_wrong() -> None:
    many = meiro.generate_many((4, 4), n=2, rng=1)
    for name in ("starts", "goals"):
        ends = {"starts": (0, 0), "goals": (3, 3)}
        for bad in ({1, 2}, "0", 7, [(0, 0)] * 3, (9, 0), [(0.5, 0)]):
            refused((TypeError, ValueError), f"^{name} ", meiro.split, many, **ends | {name: bad})
        refused(TypeError, "give both starts and goals", meiro.split, many, **{name: (0, 0)})


def test_endpoints_depend_on_every_bit_of_the_seed() -> None:
    many = meiro.generate_many((8, 8), n=50, rng=1)
    high = 1 << 63
    seeds = [meiro.Seed(key) for key in ((high, 1), (high + 1, 1), (1, high), (1, high + 1))]
    assert len({meiro.endpoints(many, rng=seed)[0].tobytes() for seed in seeds}) == 4
    meiro.endpoints(many, rng=meiro.Seed((2**64 - 1, 0), 2**64 - 1))
