"""`meiro.compare`: exact under the null, sees what differs, and names bad input."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.container import ErrorbarContainer
from refusals import refused
from scipy.stats import kstest, ttest_ind

import meiro
from meiro.stats.compare import _tested


def sample(algorithm: str, n: int, seed: int, shape: Any = (10, 10)) -> Any:
    return meiro.generate_many(shape, algorithm, n, rng=seed)


@pytest.mark.long
def test_p_values_are_uniform_under_the_null() -> None:
    """Of 200 comparisons of samples of one law, of different sizes."""
    found = [
        meiro.compare(
            sample("wilson", 12, 2 * i, (5, 5)),
            sample("wilson", 18, 2 * i + 1, (5, 5)),
            n_resamples=999,
            rng=i,
        )
        for i in range(200)
    ]
    p_values = [one.p_value for one in found]
    assert kstest(p_values, "uniform").pvalue > 0.001
    for one in found:
        low, high, p_value = (one.table[name] for name in ("low", "high", "p_value"))
        assert (((low > 0) | (high < 0)) == (p_value <= 0.05)).all(), "intervals and p-values agree"


def test_other_samplers_are_found_in_what_is_known_to_differ() -> None:
    found = meiro.compare(sample("wilson", 200, 1), sample("kruskal", 200, 2), rng=3)
    assert found.p_value == found.table["p_value"].min() == 1 / 10_000
    assert (found.n_a, found.n_b, found.n_resamples) == (200, 200, 9999)
    by_name = dict(zip(found.table["measure"].tolist(), range(len(found.table)), strict=True))
    i = by_name["dead_ends"]
    assert 1 < found.table["low"][i] < found.table["difference"][i] < found.table["high"][i] < 3
    assert set(found.left_out) == {
        "cells", "passages", "isolated", "regions", "enclosed_regions", "loops", "islands",
    }  # fmt: skip
    assert found.left_out["passages"] == "it is 99 in all mazes"
    assert {*by_name, *found.left_out} == set(meiro.MEASURES)
    assert repr(found).splitlines()[1].startswith("They differ, p = 0.0001, in dead_ends")


def test_a_small_difference_is_not_called_none() -> None:
    found = meiro.compare(sample("wilson", 20, 1), sample("kruskal", 20, 2), ["turns", "dead_ends"], rng=3)
    text = repr(found)
    assert found.p_value > 0.05
    assert "No difference was found, p = " in text
    assert "one of `sees` is found in 9 of 10 cases" in text
    assert "same" not in text


def test_sees_is_found_in_nine_of_ten_cases() -> None:
    """Normal numbers whose means differ by as much as `sees` said."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(160, 3))
    table, _ = _tested(list("xyz"), values, 80, 999, rng)
    sees = table["sees"][table["measure"] == "x"].item()
    hits = 0
    for _ in range(300):
        values = rng.normal(size=(160, 3))
        values[80:, 0] += sees
        table, p_value = _tested(list("xyz"), values, 80, 999, rng)
        hits += table["p_value"][table["measure"] == "x"].item() <= 0.05
        assert p_value == table["p_value"].min()
    assert 250 < hits < 288  # 270 +- 5.2, and the spread of `sees` itself


def test_all_permutations_of_few_mazes_by_hand() -> None:
    """Each division of 3 + 4 mazes is one of 35; the share of those with a larger t is the p-value."""
    rng = np.random.default_rng(5)
    values = np.stack([rng.normal(size=7), rng.exponential(size=7)], axis=1)
    values[3:, 0] += 2

    def t(of_a: tuple[int, ...]) -> Any:
        rest = [i for i in range(7) if i not in of_a]
        return ttest_ind(values[rest], values[list(of_a)], equal_var=False).statistic

    own = t((0, 1, 2))
    largest = np.array([np.abs(t(of_a)).max() for of_a in itertools.combinations(range(7), 3)])
    table, _ = _tested(["x", "y"], values, 3, 99_999, rng)
    for i, name in enumerate("xy"):
        row = table[table["measure"] == name]
        assert row["t"].item() == pytest.approx(own[i])
        wanted = (largest >= abs(own[i]) - 1e-9).mean()
        assert row["p_value"].item() == pytest.approx(wanted, abs=5 * math.sqrt(wanted / 1e5))
        assert row["sd"].item() == pytest.approx(values[:, i].std(ddof=1))
        assert row["difference"].item() == pytest.approx(values[3:, i].mean() - values[:3, i].mean())
        assert row["mean_b"].item() - row["mean_a"].item() == pytest.approx(row["difference"].item())


def test_a_measure_without_spread_in_either_sample_differs() -> None:
    trees = sample("wilson", 20, 1)
    loops = meiro.braid(sample("wilson", 20, 2), rng=1)
    loose = meiro.compare(trees, [loops[0]] * 20, ["dead_ends", "loops"], rng=1)
    row = loose.table[loose.table["measure"] == "loops"]
    assert row["t"].item() == math.inf
    assert row["p_value"].item() == 1 / 10_000
    assert row["low"].item() == row["high"].item() == row["difference"].item()
    loose.plot().figure.canvas.draw()
    plt.close("all")
    whole = meiro.compare(trees, loops, rng=1)
    assert whole.left_out["diameter"] == "it is undefined for 20 of the 20 mazes of b (the maze has loops)"


def test_lattices_lists_texts_grids_and_graphs_are_taken() -> None:
    batch, other = sample("wilson", 6, 1, (4, 5)), sample("kruskal", 5, 2, (4, 5))
    wanted = meiro.compare(batch, other, "turns", n_resamples=999, rng=1).table
    for given in (
        list(batch),
        iter(batch),
        batch.passages,
        batch.grids,
        [str(maze) for maze in batch],
        [maze.grid.tolist() for maze in batch],
        [maze.to_networkx() for maze in batch],
    ):
        assert meiro.compare(given, other, "turns", n_resamples=999, rng=1).table == wanted
    lattice = meiro.lattices.hexagonal(4, 4)
    mazes = sample("wilson", 6, 1, lattice)
    found = meiro.compare(mazes, list(sample("prim", 7, 2, lattice)), rng=1, threads=2)
    assert set(found.table["measure"]) < {name for name, facts in meiro.MEASURES.items() if facts.graphs}


@pytest.mark.parametrize("shape", [(4, 5), meiro.lattices.hexagonal(4, 4)], ids=["squares", "hexagons"])
def test_names_and_callables_are_drawn(shape: Any) -> None:
    """Each of a seed of its own; a sampler may return what it likes, here a maze, passages, edges."""
    names = meiro.compare("wilson", "prim", "dead_ends", shape, n=40, n_resamples=999, rng=1)
    assert (names.n_a, names.n_b) == (40, 40)
    again = meiro.compare("wilson", "wilson", "dead_ends", shape, n=40, n_resamples=999, rng=1).table
    assert again["mean_a"] == names.table["mean_a"] != again["mean_b"]
    many = sample("prim", 30, 5, shape)
    ways: dict[str, Callable[[Any], Any]] = {
        "edges": lambda maze: maze.edges().tolist(),
        "passages": lambda maze: maze.passages if isinstance(maze, meiro.Maze) else maze.open,
        "maze": lambda maze: maze,
    }
    for read in ways.values():
        batch: list[Any] = []

        def own(rng: np.random.Generator, read: Any = read, batch: Any = batch) -> Any:
            batch.append(meiro.generate(shape, "kruskal", rng=rng))
            return read(batch[-1])

        found = meiro.compare(own, many, "dead_ends", shape, n=20, n_resamples=999, rng=2)
        assert (found.n_a, found.n_b, len(batch)) == (20, 30, 20)
        assert found.table == meiro.compare(batch, many, "dead_ends", n_resamples=999, rng=2).table
    assert meiro.compare(own, "wilson", "dead_ends", n=20, rng=2).n_b == 20, "a name has the other's shape"
    few = meiro.compare(own, many, "dead_ends", n=10**9, seconds=0.3, rng=2)
    assert 2 <= few.n_a < 10**6


def test_progress_is_in_mazes_drawn() -> None:
    told: list[tuple[int, int]] = []

    def own(rng: np.random.Generator) -> meiro.Maze:
        return meiro.generate((4, 4), rng=rng)

    meiro.compare(own, "kruskal", "turns", n=50, rng=1, progress=lambda *at: told.append(at))
    assert told[-1] == (100, 100)
    assert (50, 100) in told
    assert told == sorted(told)


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_plot_has_a_line_for_each_measure(style: str) -> None:
    found = meiro.compare(sample("wilson", 60, 1), sample("kruskal", 60, 2), rng=3)
    with plt.style.context(style):
        ax = found.plot()
        ax.figure.canvas.draw()
    assert [label.get_text() for label in ax.get_yticklabels()] == found.table["measure"].tolist()
    assert ax.get_title() == f"p = {found.p_value:.4g}"
    containers: list[Any] = ax.containers
    lines = [container[0] for container in containers if isinstance(container, ErrorbarContainer)]
    assert len(lines) == 2, "what differs, and the others"
    places = {float(y): float(x) for line in lines for x, y in line.get_xydata()}
    wanted = found.table["difference"] / found.table["sd"]
    assert [places[i] for i in range(len(wanted))] == pytest.approx(wanted)
    refused(TypeError, "ax must be ordinary matplotlib axes, not 3", found.plot, 3)
    plt.close("all")


def test_few_mazes_tell_nothing() -> None:
    """Of two and two there are three divisions, and in all some measure has no spread."""
    many = sample("wilson", 4, 1, (4, 4))
    found = meiro.compare(many[:2], many[2:], rng=1)
    assert found.p_value > 0.3
    assert np.isinf(found.table["sees"]).all()
    ax = found.plot()
    ax.figure.canvas.draw()
    assert np.isfinite(ax.get_xlim()).all()
    plt.close("all")


MANY = sample("wilson", 4, 1, (4, 4))
BRAIDED = meiro.braid(MANY, rng=1)
STRING: Any = "x"


def test_compare_refuses() -> None:
    refused(TypeError, r"^a must be several mazes, .* not <Maze", meiro.compare, MANY[0], MANY)
    refused(ValueError, "^b.*'wilsn'.*did you mean 'wilson'", meiro.compare, MANY, "wilsn")
    refused(TypeError, "^shape: give rows .* on which 'wilson' is to", meiro.compare, "wilson", "prim")
    with pytest.raises(ValueError, match=r"^shape must be that of the mazes of a, \(4, 4\), not \(5, 5\)"):
        meiro.compare(MANY, "wilson", None, (5, 5))
    refused(TypeError, r"^b\[0\] must be a maze, or its grid", meiro.compare, MANY, lambda _: 3, n=3)
    refused(ValueError, "^b: there is one maze, and two", meiro.compare, MANY, lambda _: MANY[0], n=1)
    refused(ValueError, "^n must be at least 1, not 0", meiro.compare, MANY, "wilson", n=0)
    refused(ValueError, "^seconds must be .*, not -1", meiro.compare, MANY, MANY, seconds=-1)
    refused(TypeError, "^b must be several mazes.*, not 3", meiro.compare, MANY, 3)
    refused(TypeError, r"^a\[1\] is 3, and a\[0\] <Maze", meiro.compare, [MANY[0], 3], MANY)
    refused(ValueError, r"^b\[0\]: ", meiro.compare, MANY, ["x"])
    refused(TypeError, r"^b\[0\] must be a maze, or its grid or passages, not 3", meiro.compare, MANY, [3, 4])
    refused(ValueError, "^a: there is one maze, and two or more have a spread", meiro.compare, MANY[:1], MANY)
    refused(ValueError, "^b: there are no mazes, and", meiro.compare, MANY, [])
    refused(
        ValueError,
        r"^b: its mazes differ from those of a in shape: <MazeBatch of 4: 4 rows x 5 cols",
        meiro.compare,
        MANY,
        sample("wilson", 4, 1, (4, 5)),
    )
    with pytest.raises(ValueError, match=r"^b: its mazes differ from those of a in shape: <GraphBatch"):
        meiro.compare(MANY, sample("wilson", 4, 1, meiro.lattices.hexagonal(4, 4)))
    refused(ValueError, "measures.*'turnz'.*did you mean 'turns'", meiro.compare, MANY, MANY, "turnz")
    with pytest.raises(ValueError, match="measures: 'cells' cannot be compared: it is 16 in all mazes"):
        meiro.compare(MANY, MANY, ["turns", "cells"])
    refused(
        ValueError,
        r"measures: 'diameter' cannot be compared: it is undefined for 4 of the 4 mazes of b \(the m",
        meiro.compare,
        MANY,
        BRAIDED,
        ["diameter"],
    )
    with pytest.raises(ValueError, match=r"measures: name some that vary: cells, .* cannot"):
        meiro.compare([MANY[0]] * 3, [MANY[0]] * 3)
    refused(ValueError, "measures: name some .*: no measure was given", meiro.compare, MANY, MANY, [])
    refused(TypeError, r"^b\[0\] must be a maze, or its grid", meiro.compare, MANY, np.full((2, 3, 3), 1j))
    refused(ValueError, r"^a\[0\]: ", meiro.compare, np.full((2, 3, 3), 7), MANY)
    refused(ValueError, "n_resamples must be at least 999, not 99", meiro.compare, MANY, MANY, n_resamples=99)
    refused(TypeError, "rng", meiro.compare, MANY, MANY, rng=STRING)
