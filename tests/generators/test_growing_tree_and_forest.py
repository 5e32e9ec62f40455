"""Growing tree, growing forest and Prim's frontiers, compared with slow versions."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
import sampling
from power import samples
from reference.growing_forest import growing_forest
from reference.growing_tree import growing_tree
from reference.prim_frontier_cell import prim_frontier_cell
from reference_graphs import graph_of

import meiro
from meiro.generators.options import FACTS, OptionContext, _mix

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

SHAPE = (3, 3)
FAST, SLOW = samples(200_000), samples(8000)
Tree = set[tuple[int, int]]


def fast(algorithm: str, **options: Any) -> NDArray[np.int64]:
    return sampling.numbers(meiro.generate_many(SHAPE, algorithm, FAST, rng=3, **options).passages)


def slow(make: Callable[[random.Random], Tree], n: int = SLOW) -> NDArray[np.int64]:
    rng = random.Random(5)
    return sampling.tree_numbers(SHAPE, (make(rng) for _ in range(n)))


MIXES: list[dict[str, Any]] = [
    {"choose": "middle"},
    {"choose": {"newest": 1, "random": 1}},
    {"choose": {"newest": 1, "oldest": 3}},
    {"choose": {"oldest": 1, "random": 1, "middle": 2}},
    {"choose": {"newest": 2, "oldest": 1, "random": 3, "middle": 1}},
    {"choose": "oldest", "run": 4, "bias": 0.25},
    {"choose": "random", "run": 8},
    {"choose": {"newest": 1, "middle": 1}, "run": 0.125, "bias": 3},
    {"choose": "oldest", "run": 8, "start": (1, 1)},
]


@pytest.mark.laws
@pytest.mark.parametrize("options", MIXES, ids=str)
def test_growing_tree_has_the_law_of_the_slow_one(options: dict[str, Any]) -> None:
    sample = slow(lambda rng: growing_tree(*SHAPE, rng=rng, **options))
    sampling.check_same_law(fast("growing_tree", **options), sample)


def test_growing_tree_newest_is_the_backtracker() -> None:
    for options in ({}, {"run": 3, "bias": 0.5}, {"start": (4, 7)}):
        maze = meiro.generate((20, 30), "growing_tree", rng=1, **options)
        assert maze == meiro.generate((20, 30), "backtracker", rng=1, **options)


@pytest.mark.parametrize("choose", ["random", "oldest", "middle", {"newest": 1, "random": 1}], ids=str)
def test_growing_tree_of_many_active_cells_is_the_one_that_is_traced(choose: Any) -> None:
    maze = meiro.generate((300, 200), "growing_tree", rng=1, choose=choose)
    trace = meiro.trace((300, 200), "growing_tree", rng=1, choose=choose)
    assert maze.is_perfect
    made = trace[-1].passages
    assert made is not None
    assert (made == maze.passages).all()


@pytest.mark.parametrize(("shape", "start"), [((70, 90), (30, 40)), ((2200, 2200), (1100, 1100))])
def test_growing_tree_oldest_has_shortest_paths(shape: tuple[int, int], start: tuple[int, int]) -> None:
    maze = meiro.generate(shape, "growing_tree", rng=1, choose="oldest", start=start)
    rows, cols = np.ogrid[: shape[0], : shape[1]]
    assert (meiro.distances(maze, start) == abs(rows - start[0]) + abs(cols - start[1])).all()


@pytest.mark.laws
@pytest.mark.parametrize("start", [(1, 1), (0, 1), "random"], ids=str)
def test_prim_frontier_cell_has_the_law_of_the_slow_one(start: Any) -> None:
    cell = None if start == "random" else 3 * start[0] + start[1]
    sample = slow(lambda rng: prim_frontier_cell(*SHAPE, cell, rng))
    sampling.check_same_law(fast("prim_frontier_cell", start=start), sample)


FORESTS: list[tuple[int, Any]] = [
    (1, "middle"),
    (2, "newest"),
    (2, {"newest": 1, "random": 2}),
    (3, {"oldest": 1, "middle": 1}),
    (4, "random"),
    (6, "oldest"),
    (9, "newest"),
]


@pytest.mark.laws
@pytest.mark.parametrize(("trees", "choose"), FORESTS, ids=str)
def test_growing_forest_has_the_law_of_the_slow_one(trees: int, choose: Any) -> None:
    sample = slow(lambda rng: growing_forest(*SHAPE, trees, choose, rng))
    sampling.check_same_law(fast("growing_forest", trees=trees, choose=choose), sample)


def test_growing_forest_of_single_cells_is_kruskals_maze() -> None:
    """Then all walls are opened in the order of their weights."""
    for shape, wrap in (((40, 30), (False, False)), ((7, 9), (True, True))):
        forest = meiro.generate(shape, "growing_forest", trees=shape[0] * shape[1], rng=5, wrap=wrap)
        assert (forest.passages == meiro.generate(shape, "kruskal", rng=5, wrap=wrap).passages).all()


def test_growing_forest_has_n_trees() -> None:
    mask = np.array([[1, 1, 0, 1], [1, 1, 0, 1]], bool)
    for trees in range(1, 7):
        maze = meiro.generate(None, "growing_forest", mask=mask, trees=trees, rng=trees)
        assert maze.is_perfect
        assert len(maze.edges()) == 4
    message = "trees must be at most 6, the number of cells, not 7"
    with pytest.raises(ValueError, match=message):
        meiro.generate(None, "growing_forest", mask=mask, trees=7)
    by_default = meiro.generate((30, 40), "growing_forest", rng=1)
    assert by_default == meiro.generate((30, 40), "growing_forest", trees=12, rng=1)
    assert by_default != meiro.generate((30, 40), "growing_forest", trees=11, rng=1)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("shape", [(300, 200), (1, 500), (500, 1), (6, 7), (15, 14), (9, 600)], ids=str)
def test_growing_forest_of_newest_cells_is_the_one_that_is_traced(
    shape: tuple[int, int], *, masked: bool
) -> None:
    """Untraced, trees go back at once and rest for the turns, and only the lightest walls are kept."""
    mask = np.random.default_rng(1).random(shape) < (0.7 if masked else 1)
    cells = int(mask.sum())
    for trees in sorted({1, 2, 7, max(1, cells // 20), cells // 2, cells}):
        how: dict[str, Any] = {"trees": trees, "rng": 3}
        how |= {"mask": mask} if masked else {"shape": shape}
        made = meiro.trace(algorithm="growing_forest", **how)[-1].passages
        assert made is not None
        assert (made == meiro.generate(algorithm="growing_forest", **how).passages).all()


OPTIONS = [
    *(("growing_tree", mix) for mix in MIXES),
    *(("growing_forest", {"trees": t, "choose": c}) for t in (1, 7, 60, 600) for c in ("random", "middle")),
    ("growing_forest", {"trees": 30, "choose": {"newest": 1, "oldest": 1, "random": 1, "middle": 1}}),
    ("growing_tree", {"choose": "random", "start": "random"}),
    ("growing_tree", {"choose": "oldest", "start": "random"}),
    ("prim_frontier_cell", {"start": "random"}),
    ("prim_frontier_edge", {"start": (9, 9)}),
    *(
        (name, {way: choice, **likes})
        for name in ("backtracker", "hunt_and_kill")
        for way in meiro.ALGORITHMS[name].options
        for choice in FACTS[way]["choices"]
        for likes in ({}, {"run": 5}, {"bias": 0.01})
    ),
]


@pytest.mark.parametrize(("algorithm", "options"), OPTIONS, ids=str)
@pytest.mark.parametrize("wrap", [(False, False), (True, False), (False, True), (True, True)], ids=str)
def test_trees_grow_perfect_with_any_options(
    algorithm: str, options: dict[str, Any], wrap: tuple[bool, bool]
) -> None:
    thin = [(5, 1)] * (wrap == (True, False)) + [(1, 7)] * (wrap == (False, True))
    small = [] if {"trees", "start"} & {*options} else [(3, 3), *thin]
    for shape in ((24, 25), *small):
        many = meiro.generate_many(shape, algorithm, 10, rng=2, wrap=wrap, **options)
        again = meiro.generate_many(shape, algorithm, 10, rng=2, wrap=wrap, threads=3, **options)
        assert (many.passages == again.passages).all()
        assert all(nx.is_tree(graph_of(meiro.Maze(passages, wrap=wrap))) for passages in many.passages)
        assert (many.passages[:, 0] & 1).any() == wrap[0], "some ways lead over the rim"
        assert (many.passages[:, :, 0] & 8).any() == wrap[1]


def test_growing_tree_takes_odds_of_any_fraction() -> None:
    """Odds whose common denominator does not fit 32 bits are rounded to 31 bits."""
    odds: dict[Any, float] = {"newest": 0.1, "random": 1 / 3}
    context = OptionContext(meiro.ALGORITHMS["growing_tree"], (3, 3), None, (False, False))
    counts: Any = _mix("choose", odds, context)[0]
    assert counts[0] / counts[2] == pytest.approx(0.3, rel=1e-8)
    assert counts[1] == counts[3] == 0
    assert sum(counts) <= 1 << 31
    assert meiro.generate((9, 9), "growing_tree", choose=odds, rng=1).is_perfect
