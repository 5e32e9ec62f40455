"""Properties of every algorithm of the registry."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import goldens
import numpy as np
import pytest
from arbitrary_mazes import masks
from hypothesis import given
from hypothesis import strategies as st
from power import FALSE_ALARM, samples
from reference_graphs import parts_of, pieces
from refusals import refused
from scipy import stats

import meiro
from meiro._utils import memory
from meiro.generators.options import _KINDS, FACTS
from meiro.generators.request import parse_request

if TYPE_CHECKING:
    from numpy.typing import NDArray

pytestmark = pytest.mark.sanitize

ALGORITHMS = list(meiro.ALGORITHMS)
MASKED = [a for a in ALGORITHMS if meiro.ALGORITHMS[a].masks]
SHAPES = [(1, 1), (1, 2), (2, 1), (1, 9), (9, 1), (2, 2), (5, 7), (3, 255), (256, 2), (2, 257), (1, 1000)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_generate_makes_a_tree_of_every_shape(algorithm: str, shape: tuple[int, int]) -> None:
    for seed in range(3):
        maze = meiro.generate(shape, algorithm, rng=seed)
        assert maze.passages.shape == shape
        meiro.Maze(maze.passages)  # checks every bit
        if not meiro.ALGORITHMS[algorithm].perfect:
            continue
        assert len(maze.edges()) == shape[0] * shape[1] - 1, str(maze)
        assert pieces(maze) == 1, str(maze)
        assert maze.is_perfect


@pytest.mark.parametrize("algorithm", MASKED)
@given(mask=masks, seed=st.integers(0, 1000))
def test_generate_makes_one_tree_per_component(algorithm: str, mask: NDArray[np.bool_], seed: int) -> None:
    maze = meiro.generate(None, algorithm, mask=mask, rng=seed)
    meiro.Maze(maze.passages, mask)
    if not meiro.ALGORITHMS[algorithm].perfect:
        return
    parts = parts_of(mask)
    assert len(maze.edges()) == mask.sum() - parts, str(maze)
    assert pieces(maze) == parts, str(maze)
    assert maze.is_perfect


@pytest.mark.parametrize("algorithm", [a for a in ALGORITHMS if a not in MASKED])
def test_generate_refuses_masks_where_unsupported(algorithm: str) -> None:
    with pytest.raises(TypeError, match=f"'{algorithm}' takes no mask; these do: .*wilson"):
        meiro.generate((3, 3), algorithm, mask=np.eye(3, dtype=bool))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_generate_makes_one_maze_per_seed(algorithm: str) -> None:
    maze = meiro.generate((20, 30), algorithm, rng=7)
    assert (
        maze
        == meiro.generate((20, 30), algorithm, rng=7)
        == meiro.generate((20, 30), algorithm, rng=maze.seed)
    )
    assert (maze != meiro.generate((20, 30), algorithm, rng=8)) == meiro.ALGORITHMS[algorithm].random
    assert maze.recipe is not None
    assert meiro.generate(**maze.recipe) == maze


@pytest.mark.parametrize("threads", [1, 2, 5, "all"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_generate_many_makes_maze_i_the_same_anywhere(algorithm: str, threads: Any) -> None:
    for shape in ((1, 1), (6, 9), (70, 65)):
        many = meiro.generate_many(shape, algorithm, 40, rng=7, threads=threads)
        assert many.passages.shape == (40, *shape)
        for i in (0, 1, 17, 39):
            alone = meiro.generate(shape, algorithm, rng=meiro.replicate(7, i))
            assert many[i] == alone
            assert meiro.generate(**many[i].recipe) == alone  # type: ignore[arg-type]
        later = meiro.generate_many(shape, algorithm, 5, rng=meiro.replicate(7, 13))
        assert (later.passages == many.passages[13:18]).all()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_goldens(algorithm: str) -> None:
    """The same maze for a seed everywhere: hashes that only a new stream may change."""
    known = {key: value for key, value in goldens.read().items() if key.startswith(f"generate/{algorithm}/")}
    options = {option.split("=")[0] for key in known for option in key.split("/") if "=" in option}
    assert options == set(meiro.ALGORITHMS[algorithm].options), "when all else holds: meiro_goldens --write"
    assert {key: goldens.digest(key) for key in known} == known


@pytest.mark.parametrize(
    "algorithm", [facts for facts in meiro.ALGORITHMS.values() if facts.graphs], ids=lambda facts: facts.name
)
def test_options_on_graphs_have_goldens(algorithm: Any) -> None:
    """The C++ program computes them: tests/cpp/goldens/graphs.cpp."""
    keys = [key for key in goldens.read() if key.startswith(f"graph/{algorithm.name}/")]
    options = {option.split("=")[0] for key in keys for option in key.split("/") if "=" in option}
    assert options == set(algorithm.graph_options)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_generate_many_writes_to_out(algorithm: str) -> None:
    out = np.full((4, 5, 6), 255, np.uint8)
    many = meiro.generate_many((5, 6), algorithm, 4, rng=7, out=out)
    assert np.shares_memory(many.passages, out)
    assert (out == meiro.generate_many((5, 6), algorithm, 4, rng=7).passages).all()
    one = many[1]
    bits = one.passages.copy()
    out[:] = 0
    assert (one.passages == bits).all()  # a maze does not change with the array it came from


def test_the_docstring_lists_the_options_by_algorithm() -> None:
    found = {
        name: tuple(options.strip("`").split("`, `"))
        for name, options in re.findall(r"^ *- (\w+): (.*)$", meiro.generate.__doc__ or "", re.MULTILINE)
    }
    assert found == {name: tuple(facts.options) for name, facts in meiro.ALGORITHMS.items() if facts.options}


def test_generate_options_are_those_of_the_core() -> None:
    keywords = inspect.signature(meiro.generate).parameters
    general = ["shape", "algorithm", "rng", "grid_shape", "mask", "wrap", "openings"]
    general += ["transforms", "threads", "progress", "out"]
    assert list(keywords) == [*general, *FACTS]
    assert all(keywords[name].default is None for name in FACTS)
    taken = {option for facts in meiro.ALGORITHMS.values() for option in facts.options}
    assert taken == set(FACTS), "an option that no algorithm reads, or one without facts"
    assert {facts["kind"] for facts in FACTS.values()} == set(_KINDS)


@pytest.mark.parametrize(
    ("algorithm", "option"),
    [(a, o) for a in ALGORITHMS for o in meiro.ALGORITHMS[a].options if FACTS[o]["kind"] == "choice"],
)
def test_generate_choices_make_a_difference(algorithm: str, option: str) -> None:
    choices: list[dict[str, Any]] = [{option: choice} for choice in FACTS[option]["choices"]]
    mazes = [meiro.generate((20, 30), algorithm, rng=1, **choice) for choice in choices]
    assert len(set(mazes)) == len(mazes)
    assert mazes[0] == meiro.generate((20, 30), algorithm, rng=1), "the first choice is the default"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_generate_refuses_options_of_other_algorithms(algorithm: str) -> None:
    for option in set(FACTS) - set(meiro.ALGORITHMS[algorithm].options):
        other: dict[str, Any] = {option: 1}
        with pytest.raises(TypeError, match=f"'{algorithm}' takes no option '{option}'"):
            meiro.generate((3, 3), algorithm, **other)
        with pytest.raises(TypeError, match=f"'{algorithm}' takes no option '{option}'"):
            meiro.generate_many((3, 3), algorithm, 2, **other)


def test_generate_start() -> None:
    walls = [meiro.generate((1, 3), "backtracker", start=(0, 1), rng=s).is_perfect for s in range(5)]
    assert all(walls)
    # From a corner of 2 x 2 the way goes round: the start is an end of it.
    for start in ((0, 0), (0, 1), (1, 0), (1, 1)):
        for seed in range(20):
            assert meiro.generate((2, 2), "backtracker", start=start, rng=seed).passages[start] in (
                1,
                2,
                4,
                8,
            )


@pytest.mark.laws
@pytest.mark.parametrize("mask", [None, np.array([[1, 0, 1], [1, 1, 1]], bool)], ids=["whole", "masked"])
def test_generate_start_at_random_is_any_cell(mask: NDArray[np.bool_] | None) -> None:
    """The first event of a trace enters it."""
    seen: Counter[tuple[int, int]] = Counter()
    for seed in range(samples(5000)):
        trace = meiro.trace((2, 3), "backtracker", mask=mask, start="random", rng=seed, window=(0, 1))
        _, row, col, _ = trace.events[0]
        seen[int(row), int(col)] += 1
    assert len(seen) == (6 if mask is None else mask.sum())
    assert stats.chisquare([*seen.values()]).pvalue > FALSE_ALARM


def test_generate_odds_are_shares() -> None:
    maze = meiro.generate((20, 20), "growing_tree", rng=4, choose={"newest": 3, "random": 1})
    several: list[Any] = [{"newest": 0.75, "random": 0.25}, {"newest": 1.5, "random": 0.5, "oldest": 0}]
    for odds in several:
        assert maze == meiro.generate((20, 20), "growing_tree", rng=4, choose=odds)
    assert maze != meiro.generate((20, 20), "growing_tree", rng=4, choose={"newest": 1, "random": 1})
    third: Any = {"newest": 1 / 3, "random": 1e9}  # a common denominator would be beyond 32 bits
    assert maze != meiro.generate((20, 20), "growing_tree", rng=4, choose=third)


def test_weights_of_any_size_and_sign_are_compared_exactly() -> None:
    plain = meiro.generate((3, 3), "kruskal", weights=range(12))
    for odd in ([2**70 + i for i in range(12)], np.arange(12) - 7.5, [*range(11), np.inf]):
        assert meiro.generate((3, 3), "kruskal", weights=odd) == plain


BAD: list[tuple[str, dict[str, Any], type[Exception], str]] = [
    ("backtracker", {"start": "anywhere"}, ValueError, "a cell .* or \"random\", not 'anywhere'"),
    ("backtracker", {"run": 0}, ValueError, r"run must be in \[1/1024, 1024\], not 0"),
    ("backtracker", {"bias": float("nan")}, ValueError, "bias must be in .*, not nan"),
    ("backtracker", {"run": "fast"}, TypeError, "run must be a number, not 'fast'"),
    ("growing_tree", {"choose": "latest"}, ValueError, "choose must be 'newest' or .*, not 'latest'"),
    ("growing_tree", {"choose": {"newest": 0}}, ValueError, "must give something a chance"),
    ("growing_tree", {"choose": {"newest": -1, "random": 2}}, ValueError, r"choose\['newest'\] .*, not -1"),
    ("growing_tree", {"choose": 3}, ValueError, "choose must be .*, not 3"),
    ("hunt_and_kill", {"hunt": "left"}, ValueError, "'row_major' or 'random_row', not 'left'"),
    ("binary_tree", {"corner": "north"}, ValueError, "corner must be 'north_west' or .*, not 'north'"),
    ("sidewinder", {"towards": "upp"}, ValueError, "towards must be 'north' or .*, not 'upp'"),
    ("recursive_division", {"room": 1}, ValueError, "room must be at least 2, not 1"),
    ("recursive_division", {"room": 2.5}, TypeError, "room must be an integer, not 2.5"),
    ("percolation", {"p": 1.5}, ValueError, r"p must be in \[0, 1\], not 1.5"),
    ("percolation", {"p": -0.1}, ValueError, r"p must be in \[0, 1\], not -0.1"),
    ("percolation", {"p": True}, TypeError, "p must be a number, not True"),
    ("origin_shift", {"steps": -1}, ValueError, "steps must be at least 0, not -1"),
    ("growing_forest", {"trees": 0}, ValueError, "trees must be at least 1, not 0"),
    ("growing_forest", {"trees": 10}, ValueError, "trees"),
    ("rooms", {"tries": -1}, ValueError, "tries must be at least 0, not -1"),
    ("rooms", {"sides": (5, 2)}, ValueError, r"sides must be \(least, greatest\), not \(5, 2\)"),
    ("rooms", {"sides": 3}, TypeError, "sides must be a pair of integers"),
    ("rooms", {"fill": "eller"}, ValueError, "fill must make perfect mazes and take a mask, not 'eller'"),
    ("rooms", {"fill": "backtraker"}, ValueError, "did you mean 'backtracker'"),
    ("wilson", {"weights": [0, 1, -2, *range(9)]}, ValueError, r"weights\[2\] = -2 is negative"),
    ("wilson", {"weights": [1] * 11}, ValueError, r"shape \(12,\).* not \(11,\)"),
    ("wilson", {"weights": [1, 0, *[1] * 10]}, ValueError, r"weights\[1\] = 0 conducts nothing"),
    ("wilson", {"weights": [np.inf] * 12}, ValueError, r"weights\[0\] = inf is more than the 1e\+300"),
    ("wilson", {"weights": [1] * 12, "bias": 2}, TypeError, "weights and bias both set"),
    (
        "pole_toppling",
        {"falls": [[4, 4], [4, 4]], "towards": "east"},
        TypeError,
        "falls and towards both set",
    ),
    ("eller", {"wrap": (True, False)}, TypeError, "'eller' takes no wrap; these do: .*wilson"),
    ("wilson", {"wrap": True}, TypeError, "wrap must be two bools"),
    ("kruskall", {}, ValueError, "did you mean 'kruskal'"),
    ("backtracker", {"start": (9, 0)}, ValueError, r"start \(9, 0\) is outside"),
    (
        "backtracker",
        {"start": (0, 1), "mask": np.eye(3, dtype=bool)},
        ValueError,
        r"start \(0, 1\) is masked",
    ),
    ("backtracker", {"after_dead_end": "oldest"}, ValueError, "'newest' or 'random', not 'oldest'"),
    ("kruskal", {"order": [1, 2, 3]}, ValueError, r"each of the 12 wall ids .* not 3"),
    ("kruskal", {"order": [0, *range(11)]}, ValueError, "0 comes more than once"),
    ("kruskal", {"order": [*range(11), 12]}, ValueError, r"order\[11\] = 12 is no wall id"),
    ("kruskal", {"order": np.arange(12.0)}, TypeError, "order must be integers, not float64"),
    ("kruskal", {"weights": [0, 1, 2, np.nan, *range(8)]}, ValueError, r"weights\[3\] is NaN"),
    ("kruskal", {"weights": ["a"] * 12}, TypeError, "weights must be numbers"),
    ("kruskal", {"weights": np.ones(12), "order": range(12)}, TypeError, "give one of them"),
    ("kruskal", {"weights": np.ones(11)}, ValueError, r"shape \(12,\).* not \(11,\)"),
    ("pole_toppling", {"falls": [1, 2]}, ValueError, r"falls must have shape \(2, 2\).* not \(2,\)"),
    ("pole_toppling", {"falls": [[1, 3], [4, 4]]}, ValueError, r"falls\[0, 1\] = 3 is no direction"),
    ("growing_tree", {"chose": "oldest"}, TypeError, r"takes no option 'chose' \(did you mean 'choose'\?\)"),
    ("growing_tree", {"seed": 3}, TypeError, r"takes no option 'seed' \(did you mean 'rng'\?\); it takes"),
    ("growing_tree", {"n": 3}, TypeError, r"takes no option 'n' \(meiro.generate_many makes n mazes\)"),
    (
        "growing_tree",
        {"count": 3},
        TypeError,
        r"takes no option 'count' \(meiro.generate_many makes n mazes\)",
    ),
]


@pytest.mark.parametrize(("algorithm", "options", "error", "message"), BAD)
def test_generate_refuses_bad_values_of_options(
    algorithm: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    refused(error, message, meiro.generate, (3, 3), algorithm, **options)


def test_generate_wrap_needs_three_cells() -> None:
    refused(ValueError, "at least 3, not 2", meiro.generate, (2, 5), wrap=(True, False))
    assert meiro.generate((2, 5), wrap=(False, True), rng=1).wrap == (False, True)


def test_generate_refuses_bad_calls() -> None:
    refused(TypeError, "algorithm must be a name", meiro.generate, (3, 3), 7)
    refused(TypeError, "either shape", meiro.generate)
    with pytest.raises(ValueError, match=r"mask has shape \(2, 2\), the maze has \(3, 3\)"):
        meiro.generate((3, 3), mask=np.ones((2, 2), bool))
    refused(ValueError, "mask", meiro.generate, (3, 3), mask=np.zeros((3, 3), bool))
    refused(ValueError, "n must be at least 0, not -1", meiro.generate_many, (3, 3), n=-1)
    refused(TypeError, "n must be an integer", meiro.generate_many, (3, 3), n=2.0)
    refused(ValueError, "out must be", meiro.generate_many, (5, 6), n=4, out=np.empty((4, 5, 7), np.uint8))
    for truth in (True, np.True_):
        refused(TypeError, r"n must be an integer, not .*True", meiro.generate_many, (3, 3), n=truth)
    for value in (None, 1):
        with pytest.raises(TypeError, match=r"no option 'wieghts' \(did you mean 'weights'\?\)"):
            meiro.generate_many((3, 3), "kruskal", 2, wieghts=value)
    assert len(meiro.generate_many((3, 3), "eller", 2, start=None)) == 2  # as in generate


def test_generate_takes_aliases() -> None:
    maze = meiro.generate((5, 5), "kruskal", rng=1)
    for name in ("Kruskal", "clustering", "クラスタリング法", "краскал"):
        assert meiro.generate((5, 5), name, rng=1) == maze
    assert meiro.generate((5, 5), "棒倒し法", rng=1).recipe["algorithm"] == "pole_toppling"  # type: ignore[index]
    assert meiro.generate((5, 5), "Pole-Toppling", rng=1).recipe["algorithm"] == "pole_toppling"  # type: ignore[index]


def test_generate_treats_a_full_mask_as_none() -> None:
    maze = meiro.generate((4, 4), mask=np.ones((4, 4), bool), rng=1)
    assert maze.mask is None
    assert maze == meiro.generate((4, 4), rng=1)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_generate_without_memory_says_so(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 10**9)
    words = r"takes [\d,]+ bytes, and 1,000,000,000 are free; take a smaller shape"
    refused(MemoryError, words, meiro.generate, (40_000, 40_000), algorithm)
    refused(MemoryError, "fewer at a time", meiro.generate_many, (40, 40), algorithm, 10**6)


def test_generate_counts_the_scratch_of_every_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    request = parse_request(meiro.ALGORITHMS["backtracker"], (4000, 4000), None, None, (False, False), {})
    monkeypatch.setattr(memory, "available", lambda: 300_000_000)
    assert request.allocate(8, 1).nbytes == 128_000_000  # and as many for the stack of one maze
    refused(MemoryError, "make fewer at a time", request.allocate, 8, 2)


def test_generate_many_of_nothing() -> None:
    none = meiro.generate_many((3, 4), n=0, rng=1)
    assert len(none) == 0
    assert list(none) == []


def test_generate_progress(capsys: pytest.CaptureFixture[str]) -> None:
    meiro.generate((500, 500), progress=True)
    assert capsys.readouterr().err.strip(" \r\n#[]0123456789%s") == ""
