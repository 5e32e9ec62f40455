"""Pictures of numbers: of the columns of a `Table`, of a `Scaling` and of a `Comparison`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.messages import requires_extra
from meiro._utils.validation import integer, plain_array
from meiro.colors import GROUPS
from meiro.results.table import groups

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from meiro.stats.compare import Comparison
    from meiro.stats.scaling import Scaling

_MOST_BINS = 10_000
_USUAL_BINS = 60  # at most, unless others are asked for
_EACH = 20  # groups in one panel
_MOST_PANELS = 50
_MARKERS = "o^sDv"
_SIDE = 4.5  # inches, of one of several panels
_WIDE = 6.5  # inches, of a comparison


def draw_histogram(
    name: str, hue: str | None, groups: Mapping[str, NDArray[Any]], bins: Any, ax: Any
) -> Axes:
    """Draw the numbers of each group as an outline, filled lightly; see `Table.hist`.

    Parameters
    ----------
    name : str
        The label below.
    hue : str or None
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
        raise ValueError(f"name: the column {name!r} has no finite number")
    first, last = float(values.min()), float(values.max())
    if not math.isfinite(last - first):
        ends = f"from {first:g} to {last:g}"
        raise ValueError(f"name: the values of the column {name!r}, {ends}, are too far apart")
    edges = _usual_edges(values) if bins is None else _checked_edges(bins, values)
    missing = sum(map(len, groups.values())) - values.size
    xlabel = name + (f" ({missing:,} rows without)" if missing else "")
    panels = _panels(ax, hue, list(groups), xlabel, "rows")
    for each in panels:
        for group in each.groups:
            counts = np.histogram(finite[group.label], edges)[0]
            each.axes.stairs(counts, edges, fill=True, color=group.color, alpha=0.25)
            each.axes.stairs(counts, edges, color=group.color, linewidth=1.5, label=group.label)
        each.explain(hue)
    return panels[0].axes


def draw_lines(x: str, y: str, hue: str | None, lines: Mapping[str, Sequence[NDArray[Any]]], ax: Any) -> Axes:
    """Draw a line for each group through the means at each place, with their errors; see `Table.plot`.

    Parameters
    ----------
    x, y : str
        The labels of the axes.
    hue : str or None
        The title of the legend; None draws none.
    lines : dict of str to sequence of ndarray
        The places of each group on both axes; and the standard errors, if these are known.
    ax
        As in `Table.plot`.

    Returns
    -------
    Axes
    """
    means = {label: _means(x, hue and f"{hue} {label}", *columns) for label, columns in lines.items()}
    panels = _panels(ax, hue, list(lines), x, y)
    for each in panels:
        for group in each.groups:
            draw_means(each.axes, group, *means[group.label])
        each.explain(hue)
    return panels[0].axes


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
    with requires_extra("plot", "matplotlib"):
        from meiro.drawing.matplotlib.overlays import panels
    fits, points, slopes = scaling.fits, scaling.points, scaling.slopes
    made = fits.columns[: fits.columns.index("exponent")]
    labels = [" ".join(filter(None, (str(fits[name][i]) for name in made))) for i in range(len(fits))]
    _, axes = panels(2, 4 / 3, 4, figure, None)
    left, right = axes
    drawn = groups_on(left, labels)
    if len(drawn) < len(labels):
        raise ValueError(
            f"{len(labels)} fits are too many to be told apart: select rows of the table, for {len(drawn)}"
        )
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
    with requires_extra("plot", "matplotlib"):
        from meiro.drawing.matplotlib.overlays import figure_colors, panels, rectilinear
    table = comparison.table
    high = 1.5 + 0.2 * len(table)
    axes = (
        panels(1, _WIDE / high, math.sqrt(_WIDE * high), None, None)[1][0] if ax is None else rectilinear(ax)
    )
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


def draw_means(
    axes: Axes,
    group: Group,
    across: NDArray[Any],
    up: NDArray[np.float64],
    errors: NDArray[np.float64],
    **options: Any,
) -> None:
    """Draw means and, as bars, their standard errors, which may be NaN, in the colour of a group."""
    style: dict[str, Any] = {"marker": group.marker, "markersize": 4, "color": group.color, **options}
    shown = errors if np.isfinite(errors).any() else None
    axes.errorbar(across, up, shown, label=group.label, elinewidth=1.2, **style)


class Group(NamedTuple):
    """How the rows of one value of a column are drawn."""

    label: str
    color: tuple[float, float, float]
    marker: str


class _Panel(NamedTuple):
    """Axes, and the groups that are drawn there."""

    axes: Axes
    groups: list[Group]

    def explain(self, title: str | None) -> None:
        """Add a legend with a title, a long one beside the axes where they make room; None adds none."""
        if title is None:
            return
        if len(self.groups) <= _EACH // 4:
            self.axes.legend(title=title, frameon=False)
        elif self.axes.figure.get_layout_engine() is None:
            self.axes.legend(title=title, fontsize="small", ncols=2)
        else:
            beside: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1, 1)}
            self.axes.legend(title=title, frameon=False, fontsize="small", **beside)


def groups_on(axes: Axes, labels: Sequence[str]) -> list[Group]:
    """Return colours, and markers, of up to twenty groups that can be told apart on the axes."""
    from meiro.drawing.matplotlib.overlays import figure_colors

    colors = GROUPS[figure_colors(axes.figure, None).name]
    return [
        Group(label, color.unit, _MARKERS[i % len(_MARKERS)])
        for i, (label, color) in enumerate(zip(labels, colors, strict=False))
    ]


def _panels(ax: Any, hue: str | None, labels: list[str], x: str, y: str) -> list[_Panel]:
    """Return axes with labels to draw all groups on, one unless there are too many."""
    with requires_extra("plot", "matplotlib"):
        from meiro.drawing.matplotlib.overlays import panels, rectilinear

    count = max(1, math.ceil(len(labels) / _EACH))
    if count > _MOST_PANELS or (count > 1 and ax is not None):
        most = _EACH if ax is not None else _EACH * _MOST_PANELS
        instead = "leave ax= out, for several panels, or select rows" if ax is not None else "select rows"
        raise ValueError(
            f"hue: {hue!r} has {len(labels):,} values, and at most {most:,} can be told apart: {instead}"
        )
    if count == 1:
        every = [rectilinear(ax)]
    else:
        every = panels(count, 4 / 3, _SIDE, None, None)[1].tolist()
        for other in every[1:]:
            other.sharex(every[0])
            other.sharey(every[0])
    found = []
    for axes, some in zip(every, np.array_split(np.array(labels, object), count), strict=True):
        axes.set(xlabel=x, ylabel=y)
        found.append(_Panel(axes, groups_on(axes, some.tolist())))
    return found


def _means(
    x: str, group: str | None, across: NDArray[Any], up: NDArray[Any], errors: NDArray[Any] | None = None
) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.float64]]:
    """Return each place once, in ascending order, the mean there, and its standard error, or NaN."""
    there = np.isfinite(across)
    across, up = across[there], up[there].astype(np.float64)
    places, which, count = np.unique(across, return_inverse=True, return_counts=True)
    if errors is not None:
        if count.size and count.max() > 1:
            i = int(count.argmax())
            where = f"{x} {places[i]:g}" + (f" and {group}" if group else "")
            raise ValueError(
                f"y: {count[i]} rows have {where}; their means have no common one: select rows, as "
                "table[table['measure'] == 'dead_ends'], or give hue="
            )
        order = np.argsort(across)
        return places, up[order], errors[there][order].astype(np.float64)
    finite = np.isfinite(up)
    which, up, size = which[finite], up[finite], places.size
    with np.errstate(divide="ignore", invalid="ignore"):
        n = np.bincount(which, minlength=size)
        mean = np.bincount(which, up, size) / n
        variance = np.bincount(which, (up - mean[which]) ** 2, size) / (n - 1)
        return places, mean, np.sqrt(variance / n)


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
        raise ValueError(f"bins must be a number or a list of 2 to {_MOST_BINS + 1:,} edges, not {what}")
    if not (np.isfinite(edges).all() and (np.diff(edges) > 0).all()):
        raise ValueError("bins: the edges must be finite and increase")
    return edges.astype(np.float64)
