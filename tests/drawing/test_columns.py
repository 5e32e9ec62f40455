"""`Table.hist` and `Table.plot`: histograms and lines of columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from drawn_axes import legend_of
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from refusals import refused

import meiro
from meiro.colors import GROUPS

RNG = np.random.default_rng(7)
TABLE = meiro.Table(
    {
        "algorithm": np.repeat(["wilson", "kruskal"], [300, 200]),
        "integer": RNG.binomial(40, 0.5, 500),
        "even": 2 * RNG.binomial(40, 0.5, 500),
        "share": RNG.binomial(40, 0.5, 500) / 144,
        "many": RNG.integers(0, 10_000, 500),
        "real": RNG.normal(size=500),
        "holes": np.where(np.arange(500) < 20, math.nan, RNG.normal(size=500)),
        "flag": RNG.random(500) < 0.5,
        "nothing": np.full(500, math.inf),
        "far": np.linspace(-1, 1, 500) * 1.7e308,
        "one": np.full(500, 3.5),
    }
)


def drawn_on(ax: Axes) -> list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    """Return counts and edges of each outline."""
    outlines: list[Any] = [patch for patch in ax.patches if not patch.get_fill()]
    return [patch.get_data()[:2] for patch in outlines]


STEPS = {"integer": 1, "even": 2, "share": 1 / 144, "flag": 1}


@pytest.mark.parametrize(
    ("name", "step", "centred"),
    [*((name, step, True) for name, step in STEPS.items()), ("real", 0, False)],
)
def test_every_row_is_counted_in_bins_of_the_step_of_the_values(
    name: str, step: float, *, centred: bool
) -> None:
    ((counts, edges),) = drawn_on(TABLE.hist(name))
    values = TABLE[name].astype(float)
    assert counts.sum() == 500
    assert counts.tolist() == np.histogram(values, edges)[0].tolist()
    assert 2 <= counts.size <= 60
    if centred:
        assert np.diff(edges) == pytest.approx(step)
        assert edges[:-1] + step / 2 == pytest.approx(np.arange(values.min(), values.max() + step / 2, step))


def test_bins_of_many_integers_hold_equally_many_of_them() -> None:
    ((counts, edges),) = drawn_on(TABLE.hist("many"))
    assert counts.sum() == 500
    (width,) = set(np.diff(edges))
    assert width == round(width) > 1
    assert edges[0] % 1 == 0.5


def test_bins_by_hand() -> None:
    ((counts, edges),) = drawn_on(TABLE.hist("real", bins=7))
    assert counts.tolist() == np.histogram(TABLE["real"], 7)[0].tolist()
    plt.figure()
    ((counts, edges),) = drawn_on(TABLE.hist("real", bins=[-1, 0, 2]))
    assert edges.tolist() == [-1, 0, 2]
    plt.figure()
    ((counts, _),) = drawn_on(TABLE.hist("one"))
    assert counts.tolist() == [500]


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_groups_have_outlines_of_their_own(style: str) -> None:
    with plt.style.context(style):
        ax = plt.figure().add_subplot()
        assert TABLE.hist("integer", hue="algorithm", ax=ax) is ax
    (first, edges), (second, other) = drawn_on(ax)
    assert edges.tolist() == other.tolist()
    assert [first.sum(), second.sum()] == [300, 200]
    assert legend_of(ax) == ["algorithm", "wilson", "kruskal"]
    colors = [to_rgb(p.get_edgecolor()) for p in ax.patches if not p.get_fill()]
    assert colors == [color.unit for color in GROUPS["light" if style == "default" else "dark"][:2]]


def test_rows_without_a_number_are_counted_below() -> None:
    ax = TABLE.hist("holes")
    assert ax.get_xlabel() == "holes (20 rows without)"
    assert drawn_on(ax)[0][0].sum() == 480


def test_hist_refuses() -> None:
    refused(KeyError, "name: no column 'a'; there are algorithm, integer", TABLE.hist, name="a")
    refused(TypeError, "name: the column 'algorithm' holds <U7, not numbers", TABLE.hist, name="algorithm")
    refused(ValueError, "name: the column 'nothing' has no finite number", TABLE.hist, name="nothing")
    refused(ValueError, "from -1.7e\\+308 to 1.7e\\+308, are too far apart", TABLE.hist, name="far")
    refused(KeyError, "hue: no column 'b'", TABLE.hist, name="real", hue="b")
    with pytest.raises(ValueError, match=r"'many' has \d+ values, .*: leave a"):
        TABLE.hist(name="real", hue="many", ax=plt.gca())
    refused(ValueError, "bins must be at least 1, not 0", TABLE.hist, name="real", bins=0)
    words = "bins must be a number or a list of 2 to 10,001 e"
    refused(ValueError, words, TABLE.hist, name="real", bins="auto")
    refused(ValueError, "bins: the edges must be finite and increase", TABLE.hist, name="real", bins=[2, 1])
    refused(TypeError, "ax must be ordinary matplotlib axes, not 3", TABLE.hist, name="real", ax=3)


MEANS = meiro.Table(
    {
        "algorithm": np.array(["wilson", "kruskal"] * 3),
        "rows": np.array([32, 8, 8, 16, 16, 32]),
        "mean": np.array([3, 10, 1, 20, math.nan, 30]),
    }
)


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_a_line_for_each_group_from_left_to_right(style: str) -> None:
    with plt.style.context(style):
        ax = plt.figure().add_subplot()
        assert MEANS.plot("rows", "mean", hue="algorithm", ax=ax) is ax
    assert [np.asarray(line.get_xdata()).tolist() for line in ax.lines] == [[8, 16, 32]] * 2
    first, second = (np.asarray(line.get_ydata()) for line in ax.lines)
    assert np.array_equal(first, [1, math.nan, 3], equal_nan=True), "a gap where no number is"
    assert second.tolist() == [10, 20, 30]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("rows", "mean")
    assert legend_of(ax) == ["algorithm", "wilson", "kruskal"]
    colors = [to_rgb(line.get_color()) for line in ax.lines]
    assert colors == [color.unit for color in GROUPS["light" if style == "default" else "dark"][:2]]


def test_one_line_on_the_current_axes() -> None:
    ax = MEANS.plot("rows", "mean")
    assert ax is plt.gca()
    assert np.asarray(ax.lines[0].get_xdata()).tolist() == [8, 16, 32]
    assert np.asarray(ax.lines[0].get_ydata()).tolist() == [5.5, 20, 16.5], "means of the numbers there are"
    assert ax.get_legend() is None
    assert len(MEANS[:0].plot("rows", "mean").lines) == 2


def bars(ax: Axes) -> list[list[float]]:
    """Return half the length of each error bar, of each line that has any."""
    shown: list[Any] = ax.containers
    lines = [container[2][0].get_segments() for container in shown if container.has_yerr]
    return [[np.ptp(segment[:, 1]) / 2 for segment in segments if len(segment)] for segments in lines]


def test_bars_are_standard_errors_of_the_mean() -> None:
    ax = TABLE.plot("flag", "real", hue="algorithm")
    frame = TABLE.to_pandas().groupby(["algorithm", "flag"])["real"]
    for line, found, name in zip(ax.lines, bars(ax), ["wilson", "kruskal"], strict=True):
        assert np.asarray(line.get_ydata()) == pytest.approx(frame.mean()[name])
        assert found == pytest.approx(frame.sem()[name])
    plt.figure()
    alone = meiro.Table([("x", [1, 1, 2, math.nan]), ("y", [1, 3, 4, 5])]).plot("x", "y")
    assert np.asarray(alone.lines[0].get_ydata()).tolist() == [2, 4]
    assert bars(alone) == [pytest.approx([1])], "of one row there is no error"
    plt.figure()
    survey = meiro.survey([(4, 4), (6, 6)], ["wilson", "kruskal"], 20, rng=1, measures=["turns", "radius"])
    turns = survey[survey["measure"] == "turns"]
    ax = turns.plot("rows", "mean", hue="algorithm")
    assert np.ravel(bars(ax)) == pytest.approx(turns.sort("algorithm", descending=True)["standard_error"])
    words = r"y: 2 rows have rows 4 and algorithm wilson; .* select rows, as .* or give"
    refused(ValueError, words, survey.plot, "rows", "mean", hue="algorithm")


@pytest.mark.parametrize("style", ["default", "dark_background"])
@pytest.mark.parametrize("layout", ["constrained", None])
def test_twenty_groups_have_a_colour_each_and_more_several_panels(style: str, layout: Any) -> None:
    table = meiro.Table({"of": np.repeat(np.arange(45) / 3, 2), "x": np.arange(90) % 2, "y": np.arange(90)})
    with plt.style.context(style):
        ax = plt.figure(layout=layout).add_subplot()
        assert table[:40].plot("x", "y", hue="of", ax=ax) is ax
        first, histogram = table.plot("x", "y", hue="of"), table.hist("y", hue="of")
        for axes in (ax, first, histogram):
            axes.figure.canvas.draw()
    theme = GROUPS["light" if style == "default" else "dark"]
    assert [to_rgb(line.get_color()) for line in ax.lines] == [color.unit for color in theme]
    assert len(set(theme)) == 20
    for panels in (first.figure.axes, histogram.figure.axes):
        assert len(panels) == 3
        words = [word for panel in panels for word in legend_of(panel)[1:]]
        assert words == [f"{i / 3:.6g}" for i in range(45)]
        assert len({panel.get_xlim() for panel in panels}) == len({panel.get_ylim() for panel in panels}) == 1
    assert sum(len(panel.lines) for panel in first.figure.axes) == 45
    assert sum(counts.sum() for panel in histogram.figure.axes for counts, _ in drawn_on(panel)) == 90


def test_groups_whose_words_are_shortened_alike_stay_apart() -> None:
    table = meiro.Table([("of", ["a" * 40 + end for end in "xyz"]), ("x", [1, 2, 3])])
    assert len(table.plot("x", "x", hue="of").lines) == 3


def test_plot_refuses() -> None:
    refused(KeyError, "x: no column 'a'; there are algorithm, integer", TABLE.plot, "a", "real")
    refused(TypeError, "y: the column 'algorithm' holds <U7, not numbers", TABLE.plot, "real", "algorithm")
    refused(KeyError, "hue: no column 'b'", TABLE.plot, "real", "one", hue="b")
    refused(TypeError, "ax must be ordinary matplotlib axes, not 3", TABLE.plot, "real", "one", ax=3)


def test_more_than_fifty_panels_are_refused() -> None:
    table = meiro.Table({"x": np.arange(1001)})
    words = "hue: 'x' has 1,001 values, and at most 1,000 can be told apart: s"
    refused(ValueError, words, table.hist, "x", hue="x")
    refused(ValueError, words, table.plot, "x", "x", hue="x")
