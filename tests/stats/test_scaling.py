"""`meiro.stats.scaling`: exponents of known powers, of mazes, their errors, and what it refuses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from refusals import refused

import meiro

SIDES = (32, 64, 128, 256)
LARGE = SIDES[1:]


@pytest.fixture(scope="module")
def survey() -> meiro.Table:
    """Return the lengths of solutions of 400 mazes of each size: small ones are not on the line."""
    shapes, algorithms = [(side, side) for side in LARGE], ["wilson", "kruskal"]
    return meiro.survey(shapes, algorithms, 400, rng=3, measures="solution_length", by="maze")


def made(exponent: float, n: int, seed: int, sides: tuple[int, ...] = SIDES, drift: float = 0) -> meiro.Table:
    """Return rows of mazes whose measure grows with a known exponent, with a spread of a third."""
    rng = np.random.default_rng(seed)
    size = np.repeat(sides, n).astype(float)
    values = 2 * size**exponent * (1 + drift / size) * rng.gamma(9, 1 / 9, size.size)
    return meiro.Table({"rows": size / 2, "cols": size * 2, "length": values})


GOOD = made(1, 40, 1)
TWICE = meiro.Table([("rows", [2, 2]), ("cols", [2, 2]), ("measure", ["length"] * 2), ("mean", [1, 2])])


@pytest.mark.long
def test_published_exponents_are_found(survey: meiro.Table) -> None:
    """5/4 exactly (Kenyon 2000); 1.22 with an error of 0.01 (Cieplak, Maritan and Banavar 1994)."""
    fits = meiro.stats.scaling(survey, "solution_length").fits
    assert fits["algorithm"].tolist() == ["wilson", "kruskal"]
    assert fits["dof"].tolist() == [1, 1]
    for exponent, error, chi_square, (published, doubt) in zip(
        *(fits[name] for name in ("exponent", "standard_error", "chi_square_per_dof")),
        [(1.25, 0), (1.22, 0.01)],
        strict=True,
    ):
        assert 0.002 < error < 0.02
        assert abs(exponent - published) < 2 * math.hypot(error, doubt)
        assert chi_square < 4


@pytest.mark.long
def test_a_summary_and_its_mazes_have_one_exponent() -> None:
    shapes, names = [(8, 8), (16, 16), (32, 32)], ["wilson", "kruskal"]
    each, summary = (
        meiro.stats.scaling(table, "diameter")
        for table in (
            meiro.survey(shapes, names, 200, rng=3, measures="diameter", by="maze"),
            meiro.survey(shapes, names, 200, rng=3, measures=["diameter", "dead_ends"]),
        )
    )
    for name in ("fits", "slopes", "points"):
        one, other = getattr(each, name), getattr(summary, name)
        assert one.columns == other.columns
        for column in one.columns:
            if one[column].dtype.kind == "f":  # the errors are estimates of the same
                rel = 0.6 if column == "standard_error" and name != "points" else 1e-9
                assert one[column] == pytest.approx(other[column], rel=rel)
    assert each.measure == summary.measure == "diameter"


def test_the_fit_is_that_of_numpy() -> None:
    table = made(1.25, 40, 5)
    found = meiro.stats.scaling(table, "length")
    size, mean, error = found.points.values()
    assert size.tolist() == list(SIDES)
    coefficients, covariance = np.polyfit(np.log(size), np.log(mean), 1, w=mean / error, cov="unscaled")
    assert found.fits["exponent"][0] == pytest.approx(coefficients[0])
    assert found.fits["prefactor"][0] == pytest.approx(np.exp(coefficients[1]))
    summary = meiro.Table(
        {"rows": size, "cols": size, "measure": np.repeat("length", 4), "mean": mean, "standard_error": error}
    )
    fit = meiro.stats.scaling(summary, "length").fits
    assert fit["standard_error"][0] == pytest.approx(math.sqrt(covariance[0, 0]))
    residuals = (np.log(mean) - np.polyval(coefficients, np.log(size))) * mean / error
    assert fit["chi_square_per_dof"][0] == pytest.approx((residuals**2).sum() / 2)
    slopes = meiro.stats.scaling(summary, "length").slopes
    assert slopes["slope"] == pytest.approx(np.diff(np.log(mean)) / np.log(2))
    assert slopes["standard_error"] == pytest.approx(
        np.hypot(*[error[i:][:3] / mean[i:][:3] for i in (0, 1)]) / math.log(2)
    )


def test_errors_are_those_of_repetition() -> None:
    """The jackknife says how exponents and slopes of further surveys spread, and chi-square is near 1."""
    found = [meiro.stats.scaling(made(1.25, 60, seed), "length") for seed in range(200)]
    exponents = np.array([one.fits["exponent"][0] for one in found])
    errors = np.array([one.fits["standard_error"][0] for one in found])
    assert np.sqrt((errors**2).mean()) == pytest.approx(exponents.std(), rel=0.15)
    z = (exponents - 1.25) / errors
    assert abs(z.mean()) < 0.3
    assert z.std() == pytest.approx(1, abs=0.15)
    assert np.mean([one.fits["chi_square_per_dof"][0] for one in found]) == pytest.approx(1, abs=0.2)
    slopes = np.array([one.slopes["slope"] for one in found])
    spread = np.array([one.slopes["standard_error"] for one in found])
    assert np.sqrt((spread**2).mean(axis=0)) == pytest.approx(slopes.std(axis=0), rel=0.2)


def test_mazes_with_one_seed_are_left_out_together() -> None:
    """Sizes that vary together have a surer exponent than independent ones, and the jackknife knows it."""
    table = made(1.25, 400, 1)
    spread = np.tile(np.random.default_rng(2).gamma(9, 1 / 9, 400), len(SIDES))
    size = np.repeat(SIDES, 400)
    noise = np.random.default_rng(3).gamma(900, 1 / 900, size.size)
    together = table | {"length": size**1.25 * spread * noise}
    one, other = (meiro.stats.scaling(each, "length").fits["standard_error"][0] for each in (table, together))
    assert other < one / 4


def test_corrections_to_scaling_are_seen() -> None:
    found = meiro.stats.scaling(made(1.25, 2000, 4, (4, 8, 16, 32, 64), drift=2), "length")
    assert found.fits["chi_square_per_dof"][0] > 10
    assert (np.diff(found.slopes["slope"]) > 0).all()
    assert found.slopes["slope"][0] < 1.1
    assert found.slopes["slope"][-1] > 1.2


def test_lattices_and_options_have_fits_of_their_own() -> None:
    shapes = [meiro.lattices.hexagonal(side, side) for side in (6, 12, 24)] + [(6, 6), (12, 12)]
    algorithms = [("growing_tree", {"choose": choose}) for choose in ("random", "newest")]
    table = meiro.survey(shapes, algorithms, 40, rng=1, measures="diameter", by="maze")
    found = meiro.stats.scaling(table, "diameter")
    assert found.fits["option_choose"].tolist() == ["random", "random", "newest", "newest"]
    assert found.fits["lattice"].tolist() == ["hexagonal", "", "hexagonal", ""]
    assert found.fits["dof"].tolist() == [1, 0, 1, 0]
    assert found.points["size"][:3].tolist() == [6, 12, 24]
    random, newest = found.fits["exponent"][::2]
    assert 0.9 < random < 1.4 < newest < 2.1


def test_repr_and_plot(survey: meiro.Table) -> None:
    found = meiro.stats.scaling(survey, "solution_length")
    lines = repr(found).splitlines()
    assert lines[0] == "<Scaling of solution_length: mean = prefactor * size ** exponent>"
    assert lines[1].split() == found.fits.columns
    assert lines[4] == "slopes between neighbouring sizes:"
    assert len(lines) == 6 + 2 * (len(LARGE) - 1)
    for style in ("default", "dark_background"):
        with plt.style.context(style):
            left, right = found.plot()
            left.figure.canvas.draw()
        legend = left.get_legend()
        assert [text.get_text().split(":")[0] for text in legend.get_texts()] == ["wilson", "kruskal"]
        assert f"{found.fits['exponent'][0]:.3f} ±" in legend.get_texts()[0].get_text()
        assert (left.get_xscale(), left.get_yscale(), right.get_xscale()) == ("log",) * 2 + ("log",)
        assert [text.get_text() for text in right.get_xticklabels()] == [str(side) for side in LARGE]
    plt.close("all")
    many = meiro.Table({"algorithm": np.repeat([f"a{i}" for i in range(21)], 160)})
    many = many | {name: np.tile(column, 21) for name, column in GOOD.items()}
    refused(ValueError, "21 fits are too many to be told apart", meiro.stats.scaling(many, "length").plot)
    refused(TypeError, "figure must be a Figure", found.plot, 3)
    plt.close("all")


def test_scaling_refuses() -> None:
    scaling: Any = meiro.stats.scaling
    refused(TypeError, r"table must be a Table, as meiro.survey returns it, not 3", scaling, 3, "length")
    with pytest.raises(ValueError, match="measure: the table has no measure 'length'; there are c"):
        scaling(GOOD[["rows", "cols"]], "length")
    with pytest.raises(TypeError, match="'length' holds <U1, not numbers"):
        scaling(GOOD | {"length": np.repeat("x", 160)}, "length")
    refused(ValueError, "no columns rows and cols, which say the sizes", scaling, GOOD[["length"]], "length")
    refused(ValueError, "table: it has no rows of 'length'", scaling, GOOD[:0], "length")
    with pytest.raises(ValueError, match=r"needs two shapes or more, and there is rows=16.0 cols=64.0 alone"):
        scaling(GOOD[:40], "length")
    refused(
        ValueError,
        "two shapes have equally many cells, take shapes of one proportion: rows=16 cols=64, rows=4 cols",
        scaling,
        GOOD | {"rows": np.where(GOOD["rows"] > 16, 4, 16), "cols": np.where(GOOD["rows"] > 16, 256, 64)},
        "length",
    )
    with pytest.raises(ValueError, match=r"of rows=16.0 cols=64.0 the mean of 'length' is .*, its error nan"):
        scaling(GOOD[np.array([0, 40, 41])], "length")
    with pytest.raises(ValueError, match=r"rows=16.0 cols=64.0 the mean of 'length' is 7, its error 0"):
        scaling(GOOD | {"length": np.full(160, 7)}, "length")
    with pytest.raises(ValueError, match="is nan, its error nan: both must be"):
        scaling(GOOD | {"length": np.full(160, math.nan)}, "length")
    refused(ValueError, "both must be positive", scaling, GOOD | {"length": -GOOD["length"]}, "length")
    refused(ValueError, "it has 2 means of rows=2 cols=2: give one survey", scaling, TWICE, "length")
