"""`Table.hist` and `Table.plot`: histograms and lines of columns."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

import meiro
from meiro.colors import ROUTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

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


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


def drawn(ax: Axes) -> list[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    """Return counts and edges of each outline."""
    outlines: list[Any] = [patch for patch in ax.patches if not patch.get_fill()]
    return [patch.get_data()[:2] for patch in outlines]


@pytest.mark.parametrize(
    ("name", "step", "centred"),
    [
        ("integer", 1, True),
        ("even", 2, True),
        ("share", 1 / 144, True),
        ("flag", 1, True),
        ("real", 0, False),
    ],
)
def test_every_row_is_counted_in_bins_of_the_step_of_the_values(
    name: str, step: float, *, centred: bool
) -> None:
    ((counts, edges),) = drawn(TABLE.hist(name))
    values = TABLE[name].astype(float)
    assert counts.sum() == 500
    assert counts.tolist() == np.histogram(values, edges)[0].tolist()
    assert 2 <= counts.size <= 60
    if centred:
        assert np.diff(edges) == pytest.approx(step)
        assert edges[:-1] + step / 2 == pytest.approx(np.arange(values.min(), values.max() + step / 2, step))


def test_bins_of_many_integers_hold_equally_many_of_them() -> None:
    ((counts, edges),) = drawn(TABLE.hist("many"))
    assert counts.sum() == 500
    (width,) = set(np.diff(edges))
    assert width == round(width) > 1
    assert edges[0] % 1 == 0.5


def test_bins_by_hand() -> None:
    ((counts, edges),) = drawn(TABLE.hist("real", bins=7))
    assert counts.tolist() == np.histogram(TABLE["real"], 7)[0].tolist()
    plt.figure()
    ((counts, edges),) = drawn(TABLE.hist("real", bins=[-1, 0, 2]))
    assert edges.tolist() == [-1, 0, 2]
    plt.figure()
    ((counts, _),) = drawn(TABLE.hist("one"))
    assert counts.tolist() == [500]


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_groups_have_outlines_of_their_own(style: str) -> None:
    with plt.style.context(style):
        ax = plt.figure().add_subplot()
        assert TABLE.hist("integer", by="algorithm", ax=ax) is ax
    (first, edges), (second, other) = drawn(ax)
    assert edges.tolist() == other.tolist()
    assert [first.sum(), second.sum()] == [300, 200]
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["wilson", "kruskal"]
    assert legend.get_title().get_text() == "algorithm"
    colors = [to_rgb(p.get_edgecolor()) for p in ax.patches if not p.get_fill()]
    assert colors == [color.unit for color in ROUTES["light" if style == "default" else "dark"][:2]]


def test_rows_without_a_number_are_counted_below() -> None:
    ax = TABLE.hist("holes")
    assert ax.get_xlabel() == "holes (20 rows without)"
    assert drawn(ax)[0][0].sum() == 480


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"name": "a"}, KeyError, "name: no column 'a'; there are algorithm, integer"),
        ({"name": "algorithm"}, TypeError, "name: the column 'algorithm' holds <U7, not numbers"),
        ({"name": "nothing"}, ValueError, "name: the column 'nothing' has no finite number"),
        ({"name": "far"}, ValueError, "from -1.7e\\+308 to 1.7e\\+308, are too far apart"),
        ({"name": "real", "by": "b"}, KeyError, "by: no column 'b'"),
        ({"name": "real", "by": "many"}, ValueError, r"by: 'many' has \d+ values, and 5 colours can be told"),
        ({"name": "real", "bins": 0}, ValueError, "bins must be at least 1, not 0"),
        (
            {"name": "real", "bins": "auto"},
            ValueError,
            "bins must be a number or a list of 2 to 10,001 edges",
        ),
        ({"name": "real", "bins": [2, 1]}, ValueError, "bins: the edges must be finite and increase"),
        ({"name": "real", "ax": 3}, TypeError, "ax must be ordinary matplotlib axes, not 3"),
    ],
)
def test_hist_refuses(given: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        TABLE.hist(**given)


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
        assert MEANS.plot("rows", "mean", by="algorithm", ax=ax) is ax
    assert [np.asarray(line.get_xdata()).tolist() for line in ax.lines] == [[8, 16, 32]] * 2
    first, second = (np.asarray(line.get_ydata()) for line in ax.lines)
    assert np.array_equal(first, [1, math.nan, 3], equal_nan=True), "a gap where no number is"
    assert second.tolist() == [10, 20, 30]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("rows", "mean")
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["wilson", "kruskal"]
    assert legend.get_title().get_text() == "algorithm"
    colors = [to_rgb(line.get_color()) for line in ax.lines]
    assert colors == [color.unit for color in ROUTES["light" if style == "default" else "dark"][:2]]


def test_one_line_on_the_current_axes() -> None:
    ax = MEANS.plot("rows", "mean")
    assert ax is plt.gca()
    assert np.asarray(ax.lines[0].get_ydata())[:2].tolist() == [10, 1], "rows of one place keep their order"
    assert ax.get_legend() is None
    assert len(MEANS[:0].plot("rows", "mean").lines) == 2


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"x": "a", "y": "real"}, KeyError, "x: no column 'a'; there are algorithm, integer"),
        ({"x": "real", "y": "algorithm"}, TypeError, "y: the column 'algorithm' holds <U7, not numbers"),
        ({"x": "real", "y": "one", "by": "b"}, KeyError, "by: no column 'b'"),
        (
            {"x": "real", "y": "one", "by": "many"},
            ValueError,
            r"by: 'many' has \d+ values, and 5 colours can be",
        ),
        ({"x": "real", "y": "one", "ax": 3}, TypeError, "ax must be ordinary matplotlib axes, not 3"),
    ],
)
def test_plot_refuses(given: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        TABLE.plot(**given)


@pytest.mark.parametrize("call", [lambda: TABLE.hist("real"), lambda: TABLE.plot("real", "one")])
def test_without_matplotlib_the_extra_is_named(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="this needs matplotlib: pip install 'meiro"):
        call()
