"""Histograms and lines of the columns of a `Table`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.messages import requires_extra
from meiro._utils.validation import integer, plain_array
from meiro.colors import ROUTES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

_MOST_BINS = 10_000
_USUAL_BINS = 60  # at most, unless others are asked for


def draw_histogram(name: str, by: str | None, groups: Mapping[str, NDArray[Any]], bins: Any, ax: Any) -> Axes:
    """Draw the numbers of each group as an outline, filled lightly; see `Table.hist`.

    Parameters
    ----------
    name : str
        The label below.
    by : str or None
        The title of the legend; None draws none.
    groups : dict of str to ndarray
        Integers, floats or booleans, which need not be finite.
    bins, ax
        As in `Table.hist`.

    Returns
    -------
    Axes
    """
    finite = {label: column[np.isfinite(column)].astype(np.float64) for label, column in groups.items()}
    values = np.concatenate([np.empty(0), *finite.values()])
    if values.size == 0:
        msg = f"name: the column {name!r} has no finite number"
        raise ValueError(msg)
    first, last = float(values.min()), float(values.max())
    if not math.isfinite(last - first):
        ends = f"from {first:g} to {last:g}"
        msg = f"name: the values of the column {name!r}, {ends}, are too far apart"
        raise ValueError(msg)
    edges = _usual_edges(values) if bins is None else _checked_edges(bins, values)
    axes, colors = _axes_and_colors(ax, by, len(groups))
    for (label, column), color in zip(finite.items(), colors, strict=False):
        counts = np.histogram(column, edges)[0]
        axes.stairs(counts, edges, fill=True, color=color, alpha=0.25)
        axes.stairs(counts, edges, color=color, linewidth=1.5, label=label)
    missing = sum(map(len, groups.values())) - values.size
    axes.set(xlabel=name + (f" ({missing:,} rows without)" if missing else ""), ylabel="rows")
    if by is not None:
        axes.legend(title=by, frameon=False)
    return axes


def draw_lines(
    x: str, y: str, by: str | None, lines: Mapping[str, tuple[NDArray[Any], NDArray[Any]]], ax: Any
) -> Axes:
    """Draw a line for each group, with its places in ascending order; see `Table.plot`.

    Parameters
    ----------
    x, y : str
        The labels of the axes.
    by : str or None
        The title of the legend; None draws none.
    lines : dict of str to pair of ndarray
        The places of each group on both axes.
    ax
        As in `Table.plot`.

    Returns
    -------
    Axes
    """
    axes, colors = _axes_and_colors(ax, by, len(lines))
    for (label, (across, up)), color in zip(lines.items(), colors, strict=False):
        order = np.argsort(across, kind="stable")
        axes.plot(across[order], up[order], marker=".", color=color, label=label)
    axes.set(xlabel=x, ylabel=y)
    if by is not None:
        axes.legend(title=by, frameon=False)
    return axes


def _axes_and_colors(ax: Any, by: str | None, n_groups: int) -> tuple[Axes, list[Any]]:
    """Return the axes to draw on, and colours of groups that can be told apart on them."""
    with requires_extra("plot", "matplotlib"):
        from matplotlib import pyplot as plt
    from meiro.drawing.matplotlib.overlays import figure_colors
    from meiro.drawing.matplotlib.plot import rectilinear

    axes: Axes = plt.gca() if ax is None else rectilinear(ax)
    colors = [color.unit for color in ROUTES[figure_colors(axes.figure, None).name]]
    if n_groups > len(colors):
        msg = f"by: {by!r} has {n_groups} values, and {len(colors)} colours can be told apart: select rows"
        raise ValueError(msg)
    return axes, colors


def _usual_edges(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the edges of bins of equal width, centred on the values if they are multiples of a step."""
    distinct = np.unique(values)
    if distinct.size == 1:
        return np.histogram_bin_edges(values, 1)
    spread = np.subtract(*np.quantile(values, [0.75, 0.25])).item()
    width = 2 * spread / values.size ** (1 / 3)  # D. Freedman, P. Diaconis (1981), doi:10.1007/BF01025868
    span = distinct[-1] - distinct[0]
    n = min(max(math.ceil(span / width), 1) if width > 0 else _USUAL_BINS, _USUAL_BINS)
    steps = (distinct - distinct[0]) / np.diff(distinct).min()
    if steps[-1] < 1 << 40 and np.abs(steps - np.rint(steps)).max() < 1e-6:
        count = round(steps[-1]) + 1
        each = 1 if count <= _USUAL_BINS else math.ceil(count / n)
        edges: NDArray[np.float64] = distinct[0] + span / (count - 1) * (
            np.arange(0, count + each, each) - 0.5
        )
        return edges
    return np.histogram_bin_edges(values, n)


def _checked_edges(bins: Any, values: NDArray[Any]) -> NDArray[np.float64]:
    if hasattr(bins, "__index__") and np.ndim(bins) == 0:
        return np.histogram_bin_edges(values, integer(bins, "bins", 1, _MOST_BINS + 1))
    edges = plain_array(bins, "bins")
    if edges.dtype.kind not in "iuf" or edges.ndim != 1 or not 2 <= edges.size <= _MOST_BINS + 1:
        what = f"an array of {edges.dtype} of shape {edges.shape}"
        msg = f"bins must be a number or a list of 2 to {_MOST_BINS + 1:,} edges, not {what}"
        raise ValueError(msg)
    if not (np.isfinite(edges).all() and (np.diff(edges) > 0).all()):
        msg = "bins: the edges must be finite and increase"
        raise ValueError(msg)
    return edges.astype(np.float64)
