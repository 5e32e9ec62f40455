"""Pictures of what `meiro.stats.scaling` and `meiro.compare` found."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro.drawing.matplotlib.columns import axes_of, draw_means, groups_on
from meiro.results.table import groups

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from meiro.stats.compare import Comparison
    from meiro.stats.scaling import Scaling


_WIDE = 6.5  # inches, of a comparison


def draw_scaling(scaling: Scaling, figure: Any) -> NDArray[np.object_]:
    """Draw the means over the sizes with the fitted lines, and the local slopes; see `Scaling.plot`.

    Parameters
    ----------
    scaling : Scaling
    figure : Figure, SubFigure or None

    Returns
    -------
    ndarray of Axes, shape (2,)
    """
    from meiro.drawing.matplotlib.figures import panels

    fits, points, slopes = scaling.fits, scaling.points, scaling.slopes
    made = fits.columns[: fits.columns.index("exponent")]
    labels = [" ".join(filter(None, (str(fits[name][i]) for name in made))) for i in range(len(fits))]
    _, axes = panels(2, 4 / 3, 4, figure, None)
    left, right = axes
    drawn = groups_on(left, labels)
    if len(drawn) < len(labels):
        msg = f"{len(labels)} fits are too many to be told apart: select rows of the table, for {len(drawn)}"
        raise ValueError(msg)
    parts = zip(drawn, groups(points, made), groups(slopes, made), strict=True)
    for i, (group, at, between) in enumerate(parts):
        exponent, error = fits["exponent"][i], fits["standard_error"][i]
        size = points["size"][at]
        means = size, points["mean"][at], points["standard_error"][at]
        draw_means(left, group._replace(label=""), *means, linestyle="none")
        name = f"{group.label}: {exponent:.3f} ± {error:.3f}".removeprefix(": ")
        left.plot(size, fits["prefactor"][i] * size**exponent, color=group.color, linewidth=1, label=name)
        middle = np.sqrt(slopes["size"][between] * slopes["next_size"][between])
        draw_means(right, group, middle, slopes["slope"][between], slopes["standard_error"][between])
        right.axhline(exponent, color=group.color, linewidth=1, linestyle="dashed")
        right.axhspan(exponent - error, exponent + error, color=group.color, alpha=0.2, linewidth=0)
    for ax in axes:
        ax.set(xscale="log", xlabel="size")
        ax.set_xticks(np.unique(points["size"]), [f"{size:.4g}" for size in np.unique(points["size"])])
        ax.minorticks_off()
    left.set(yscale="log", ylabel=f"mean {scaling.measure}")
    right.set(ylabel="slope", xlim=left.get_xlim())
    left.legend(title="exponent", frameon=False)
    return axes


def draw_comparison(comparison: Comparison, level: float, ax: Any) -> Axes:
    """Draw the differences of all measures with their confidence intervals; see `Comparison.plot`.

    Parameters
    ----------
    comparison : Comparison
    level : float
        The adjusted p-value up to which the samples differ.
    ax : Axes or None

    Returns
    -------
    Axes
    """
    from meiro.drawing.matplotlib.figures import panels
    from meiro.drawing.matplotlib.overlays import figure_colors

    table = comparison.table
    high = 1.5 + 0.2 * len(table)
    axes = panels(1, _WIDE / high, math.sqrt(_WIDE * high), None, None)[1][0] if ax is None else axes_of(ax)
    (group,), grey = groups_on(axes, [""]), figure_colors(axes.figure, None).faint
    differs = table["p_value"] <= level
    low, middle, high, sees = (table[name] / table["sd"] for name in ("low", "difference", "high", "sees"))
    end = 1 + 2 * np.abs(middle).max()  # of what is infinite, with a few mazes
    low, high, sees = (np.nan_to_num(x, posinf=end, neginf=-end) for x in (low, high, sees))
    at = np.arange(len(table))
    axes.barh(at, 2 * sees, left=-sees, height=1, color=grey, alpha=0.2, linewidth=0)
    axes.axvline(0, color=grey, linewidth=1)
    for some, color in ((differs, group.color), (~differs, grey)):
        if some.any():
            bars = np.stack([middle - low, high - middle])[:, some]
            axes.errorbar(middle[some], at[some], xerr=bars, fmt="o", color=color, markersize=4)
    axes.set_yticks(at, table["measure"].tolist(), fontsize="small")
    axes.set_ylim(len(table) - 0.5, -0.5)
    axes.set_xlabel("difference of b from a, in standard deviations\ngrey: found in fewer than 9 of 10 cases")
    axes.set_title(f"p = {comparison.p_value:.4g}", fontsize="medium")
    return axes
