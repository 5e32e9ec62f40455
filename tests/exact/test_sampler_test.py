"""Exact laws as users have them, and `sampler_test` of users' samplers."""

from __future__ import annotations

import math
import pickle
import random
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sampling
from refusals import refused
from scipy.stats import chisquare

import meiro
from meiro.exact.goodness_of_fit import _classes
from meiro.exact.laws import laws as names

if TYPE_CHECKING:
    from numpy.typing import NDArray

WITH_LAW = [a for a in meiro.ALGORITHMS if meiro.ALGORITHMS[a].law]


@pytest.mark.parametrize("shape", sampling.SHAPES, ids=str)
@pytest.mark.parametrize("name", names())
def test_law_is_that_of_its_file(name: str, shape: tuple[int, int]) -> None:
    law, known = meiro.law(shape, name), sampling.load(name, shape)
    assert sum(law.values()) == 1
    assert all(isinstance(p, Fraction) and p > 0 for p in law.values())
    assert all(maze.is_perfect and meiro.Maze(maze.passages) == maze for maze in law)
    numbers = sampling.numbers(np.array([maze.passages for maze in law]))
    found = dict(zip(numbers.tolist(), map(float, law.values()), strict=True))
    assert found == dict(zip(known.trees.tolist(), known.probabilities.tolist(), strict=True))


@pytest.mark.parametrize("algorithm", WITH_LAW)
def test_law_of_one_row_or_column_has_one_maze(algorithm: str) -> None:
    for shape in ((1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (1, 7)):
        law = meiro.law(shape, algorithm)
        assert law.shape == shape
        assert dict(law) == {meiro.generate(shape, algorithm, rng=1): 1}


def test_law_is_a_mapping() -> None:
    law = meiro.law((2, 3), "prim")
    assert repr(law) == "<Law of prim: 15 mazes of (2, 3)>"
    assert (law.algorithm, law.shape, len(law), len(set(law))) == ("prim", (2, 3), 15, 15)
    assert law == meiro.law((2, 3), "random_mst")
    assert law != meiro.law((2, 3), "uniform")
    assert law.rule.startswith("Minimum spanning tree")
    maze = meiro.generate((2, 3), "prim", rng=1)
    assert law[maze] == law.probability(maze) == law.get(maze)
    loops = meiro.generate((2, 3), "percolation", p=1, rng=1)
    assert loops not in law
    assert law.probability(loops) == 0
    with pytest.raises(KeyError):
        law[loops]
    assert pickle.loads(pickle.dumps(law)) == law  # noqa: S301 - it is our own
    with pytest.raises(AttributeError):
        law.shape = (3, 3)  # type: ignore[misc]
    refused(TypeError, "maze must be a Maze or a GraphMaze, not ndarray", law.probability, maze.passages)
    refused(ValueError, r"shape of the law, \(2, 3\)", law.probability, meiro.generate((3, 2), rng=1))


def test_law_names_are_found_and_suggested() -> None:
    assert meiro.law((3, 3), "uniform") == meiro.law((3, 3), "WILSON") == meiro.law((3, 3), "aldous_broder")
    assert meiro.law((3, 3), "growing_tree") == meiro.law((3, 3), "backtracker")
    assert meiro.law((3, 3), "growing_tree_oldest") != meiro.law((3, 3), "growing_tree_random")
    refused(ValueError, r"no algorithm or law 'krusk'; did you mean 'kruskal'", meiro.law, (3, 3), "krusk")
    words = r"did you mean 'random_mst'\?.*have one: wilson.*further laws: grow"
    refused(ValueError, words, meiro.law, (3, 3), "random_ms")
    refused(ValueError, r"no exact law of 'percolation'.*have one: wilson", meiro.law, (3, 3), "percolation")
    refused(TypeError, "must be a name", meiro.law, (3, 3), 3)
    refused(ValueError, r"'eller' goes up to \(4, 4\) cells, not \(3, 5\)$", meiro.law, (3, 5), "eller")
    refused(ValueError, r"not \(3, 5\): the law is 1 . meiro.number_of_mazes", meiro.law, (3, 5), "uniform")
    refused(ValueError, "at least", meiro.law, (0, 3), "uniform")


# The test of a sampler


@pytest.mark.parametrize("algorithm", WITH_LAW)
def test_sampler_test_accepts_our_samplers(algorithm: str) -> None:
    found = meiro.sampler_test(algorithm, algorithm, rng=20261121)
    assert found.p_value > sampling.FALSE_ALARM
    assert (found.n, found.impossible) == (100_000, 0)


@pytest.mark.parametrize(("algorithm", "law"), [("kruskal", "uniform"), ("wilson", "random_mst")])
def test_sampler_test_rejects_samplers_of_other_laws(algorithm: str, law: str) -> None:
    for n in (20_000, 100_000):
        found = meiro.sampler_test(algorithm, law, n=n, rng=1)
        assert found.p_value < sampling.FALSE_ALARM
        assert math.isfinite(found.statistic)
        assert found.impossible == 0


@pytest.mark.long
def test_sampler_test_agrees_with_the_tests_of_laws() -> None:
    for seed, law in enumerate(("uniform", "random_mst", "backtracker", "wall_extension")):
        for shape in sampling.SHAPES:
            many = meiro.generate_many(shape, "kruskal", 50_000, rng=seed)
            found = meiro.sampler_test(many, law, shape)
            known = sampling.p_value(sampling.numbers(many.passages), sampling.load(law, shape))
            assert found.p_value == pytest.approx(known, rel=1e-9, abs=1e-300)


def test_sampler_test_statistic_is_that_of_scipy() -> None:
    """With probabilities from 1/20 to 1/400,000, so that many mazes are counted together."""
    mazes = list(meiro.enumerate_mazes((3, 3)))
    weights = [0.95**i for i in range(len(mazes))]
    mapping = {maze: weight / sum(weights) for maze, weight in zip(mazes, weights, strict=True)}
    draw = random.Random(1)
    sample = draw.choices(mazes, weights, k=5000)
    found = meiro.sampler_test(sample, mapping)
    seen, expected, classes = Counter(sample), 0.0, []
    together = 0
    for maze in mazes:  # the most likely come first
        expected, together = expected + mapping[maze] * 5000, together + seen[maze]
        if expected >= 10:
            classes.append((together, expected))
            expected, together = 0.0, 0
    classes[-1] = (classes[-1][0] + together, classes[-1][1] + expected)
    known = chisquare(*np.array(classes).T)
    assert found.statistic == pytest.approx(known.statistic)
    assert found.p_value == pytest.approx(known.pvalue)
    assert found.dof == len(classes) - 1 < 150
    assert found.p_value > sampling.FALSE_ALARM
    assert (
        meiro.sampler_test(draw.choices(mazes, [weight**1.2 for weight in weights], k=5000), mapping).p_value
        < sampling.FALSE_ALARM
    )


def test_sampler_test_classes_by_hand() -> None:
    for expected, starts in (
        ([30.0, 20.0, 10.0], [0, 1, 2]),
        ([30.0, 6.0, 5.0, 5.0, 5.0], [0, 1, 3]),
        ([30.0, 6.0, 3.0], [0]),
        ([6.0, 3.0], [0]),
        ([3.0, 12.0, 11.0], [0, 1]),
    ):
        assert _classes(np.array(expected)) == starts


def test_sampler_test_p_values_are_uniform() -> None:
    """Of 200 samplers that follow the law, the p-values are spread evenly over 0..1."""
    found = sorted(meiro.sampler_test("wilson", n=5000, rng=seed).p_value for seed in range(200))
    gaps = np.abs(np.array(found) - (np.arange(200) + 0.5) / 200)
    assert gaps.max() < 0.19  # Kolmogorov: 1e-6 by chance


def test_sampler_test_takes_every_kind_of_sampler() -> None:
    many = meiro.generate_many((3, 3), n=4000, rng=3)
    same = [
        meiro.sampler_test(x)
        for x in (many, list(many), many.passages, many.passages.tolist(), np.asfortranarray(many.passages))
    ]
    assert len(set(same)) == 1
    assert same[0].p_value > sampling.FALSE_ALARM
    assert same[0].n == 4000

    def wilson(rng: np.random.Generator) -> meiro.Maze:
        return meiro.generate((2, 3), rng=rng)

    assert meiro.sampler_test(wilson, "uniform", (2, 3), n=3000, rng=1).p_value > sampling.FALSE_ALARM
    passages = meiro.sampler_test(lambda rng: wilson(rng).passages, "uniform", (2, 3), n=3000, rng=1)
    assert passages == meiro.sampler_test(wilson, "uniform", (2, 3), n=3000, rng=meiro.replicate(1, 0))
    third: dict[meiro.Maze, Fraction] = dict.fromkeys(meiro.enumerate_mazes((2, 3)), Fraction(1, 15))
    assert meiro.sampler_test(wilson, third, n=3000, rng=1).statistic == pytest.approx(passages.statistic)


def test_sampler_test_counts_impossible_mazes() -> None:
    passages = meiro.generate_many((3, 3), n=5000, rng=1).passages.copy()
    passages[7] = 15  # no maze at all
    found = meiro.sampler_test(passages)
    assert (found.p_value, found.statistic, found.impossible) == (0, math.inf, 1)
    loops = meiro.sampler_test("percolation", n=1000, rng=1)
    assert loops.p_value == 0
    assert 900 < loops.impossible < 1000
    assert meiro.sampler_test("wilson", "binary_tree", n=1000, rng=1).impossible > 900
    assert meiro.sampler_test(passages[7:8]).p_value == 0
    roads = meiro.sampler_test(lambda rng: 1 - meiro.generate((3, 3), rng=rng).grid, n=100, rng=1)
    assert (roads.p_value, roads.impossible) == (0, 100)  # which are read as 7 x 7 passages


def test_sampler_test_takes_lattices_without_edges() -> None:
    for n_cells in (1, 2):
        lattice = meiro.Lattice(n_cells, [])
        assert meiro.sampler_test("wilson", shape=lattice, n=100, rng=1).p_value == 1


def some_mazes(n: int) -> NDArray[np.uint8]:
    return meiro.generate_many((3, 3), n=n, rng=1).passages


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        ((5,), {}, TypeError, "must be a callable, a name, or many mazes, not 5"),
        ((meiro.generate((3, 3), rng=1),), {}, TypeError, "many mazes"),
        (([],), {}, ValueError, r"\(n, 3, 3\) with n > 0"),
        ((lambda _: None,), {}, TypeError, r"the sampler made None, not a maze of \(3, 3\)"),
        ((some_mazes(0),), {}, ValueError, r"with n > 0, not \(0, 3, 3\)"),
        ((some_mazes(19),), {}, ValueError, "19 mazes are too few to tell: take 21 or more"),
        ((some_mazes(20),), {}, ValueError, "20 mazes are too few to tell: take 21 or more"),
        (("binary_tree", "binary_tree", (2, 2)), {"n": 9}, ValueError, "9 mazes are too few"),
        ((some_mazes(50)[:, :2], "uniform", (3, 3)), {}, ValueError, r"\(n, 3, 3\).*not \(50, 2, 3\)"),
        ((some_mazes(50) * 20,), {}, ValueError, "from 0 to 15"),
        ((some_mazes(50) / 2,), {}, TypeError, "must be integers"),
        (
            ([meiro.generate((3, 4), rng=1)] * 50, "uniform", (3, 3)),
            {},
            ValueError,
            r"of \(3, 4\), not of \(3, 3\)",
        ),
        (
            (lambda _: meiro.generate((2, 2), rng=1), "uniform", (3, 3)),
            *({"n": 30}, ValueError, r"made a maze of \(2, 2\)"),
        ),
        ((meiro.generate_many((3, 3), n=50, mask=~np.eye(3, dtype=bool), rng=1),), {}, ValueError, "a mask"),
        (
            (lambda rng: meiro.generate((6, 6), wrap=(True, False), rng=rng),),
            {"n": 200},
            ValueError,
            "periodic",
        ),
        (("wilson",), {"n": 0}, ValueError, "n must be at least 1, not 0"),
        (("wilson",), {"n": 1.5}, TypeError, "n must be an integer, not 1.5"),
        (("wislon",), {}, ValueError, "did you mean 'wilson'"),
        (("wilson", "unifrom"), {}, ValueError, "did you mean"),
        (("wilson", {}), {}, TypeError, "law must be a name or a mapping from Maze to probability"),
        (("wilson", {1: 1.0}), {}, TypeError, "law must be a name or a mapping"),
        (
            ("wilson", meiro.law((2, 2), "wilson"), (3, 3)),
            {},
            ValueError,
            r"shape must be that of the law, \(2, 2\), not",
        ),
        (("wilson", {meiro.generate((2, 2), rng=1): 0.5}), {}, ValueError, r"least 0.5, sum 0.5"),
        (
            ("wilson", {meiro.generate((1, 2), rng=1): 0.5, meiro.generate((1, 3), rng=1): 0.5}),
            *({}, ValueError, "have one shape"),
        ),
    ],
)
def test_sampler_test_refuses_bad_arguments(
    arguments: tuple[Any, ...], options: dict[str, Any], error: type, words: str
) -> None:
    refused(error, words, meiro.sampler_test, *arguments, **options)


def test_pytest_does_not_take_it_for_a_test() -> None:
    assert meiro.sampler_test.__test__ is False  # type: ignore[attr-defined]
