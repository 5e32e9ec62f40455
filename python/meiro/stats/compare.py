"""`compare`: whether two samples of mazes differ, and in which measures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from meiro._utils.messages import invalid_as, listed, short_repr
from meiro._utils.progress import Progress, reporter, two_pass_reporters
from meiro._utils.validation import Threads, integer, items_of, plain_array
from meiro.exact._domain import as_maze, domain_of, in_domain, is_grid
from meiro.exact._samples import Sample, checked_drawing
from meiro.mazes.batch import MazeBatch
from meiro.mazes.graph_batch import GraphBatch
from meiro.mazes.maze import Maze
from meiro.results.table import Table
from meiro.seeds import RNG, Seed, seed_of
from meiro.spaces.space_of import are_several, is_maze, mazes_of, on_lattice
from meiro.stats.measure import measure, measure_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import ShapeLike
    from meiro.exact._domain import Domain
    from meiro.lattices.lattice import Lattice
    from meiro.spaces.space import MazeSpace

    Floats = NDArray[np.float64]

_LEVEL = 0.05  # of all measures together: confidence is 95 %
_POWER = 1.2816  # standard errors: a difference so much beyond the limit is seen in 9 cases of 10
_MANY = 1000  # mazes that are drawn
_FEWEST, _MOST = 999, 10_000_000  # permutations
_AT_ONCE = 1 << 18  # labels of permuted mazes: Ctrl-C comes between
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """What `meiro.compare` found.

    Attributes
    ----------
    table : Table
        A row for each measure, the largest `t` first: ``p_value`` (adjusted for the number of measures),
        ``difference`` (of `b` from `a`), ``low`` and ``high`` (its confidence interval, 95 % for all measures
        together), ``sees`` (a difference so large is found in 9 cases of 10), ``mean_a``, ``mean_b``, ``t``
        (the difference in standard errors), ``sd`` (of all mazes of both samples).
    p_value : float
        The probability that samples of one law differ in any measure at least as much, the least of the
        table.
    n_a, n_b : int
        The numbers of mazes.
    n_resamples : int
        The number of permutations.
    left_out : dict of str to str
        Measures that were not compared, and why.

    See Also
    --------
    meiro.compare : Compares two samples.

    Examples
    --------
    >>> a, b = (meiro.generate_many((8, 8), "wilson", 50, rng=i) for i in (1, 2))
    >>> meiro.compare(a, b, "dead_ends", rng=1).n_a
    50
    """

    __module__ = "meiro"

    table: Table
    p_value: float
    n_a: int
    n_b: int
    n_resamples: int
    left_out: Mapping[str, str]

    def __repr__(self) -> str:
        """Return the verdict and the table."""
        n = len(self.table)
        head = f"<Comparison of {self.n_a:,} and {self.n_b:,} mazes in {n} measure{'s' * (n != 1)}>"
        found = self.table[self.table["p_value"] <= _LEVEL]["measure"].tolist()
        if found:
            verdict = f"They differ, p = {self.p_value:.4g}, in {listed(found)}."
        else:
            verdict = (
                f"No difference was found, p = {self.p_value:.4g}; one of `sees` is found in 9 of 10 cases."
            )
        left = [f"not compared: {listed(self.left_out)}"] if self.left_out else []
        return "\n".join([head, verdict, *repr(self.table).splitlines()[1:], *left])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the differences with their confidence intervals; needs the extra ``plot``.

        Parameters
        ----------
        ax : Axes, optional
            Default: those of a new figure.

        Returns
        -------
        Axes
            A line for each measure: the difference in standard deviations of all mazes, with its interval,
            coloured where the samples differ. Grey are differences that are not found in 9 cases of 10.

        Raises
        ------
        TypeError
            If `ax` are no axes of matplotlib.
        ImportError
            If matplotlib is not installed.

        Examples
        --------
        >>> a, b = (meiro.generate_many((8, 8), "wilson", 50, rng=i) for i in (1, 2))
        >>> ax = meiro.compare(a, b, ["dead_ends", "diameter"], rng=1).plot()
        >>> sorted(label.get_text() for label in ax.get_yticklabels())
        ['dead_ends', 'diameter']
        """
        from meiro.drawing.matplotlib.statistics import draw_comparison

        return draw_comparison(self, _LEVEL, ax)


def compare(
    a: str | Callable[[np.random.Generator], Any] | MazeBatch | GraphBatch | Iterable[Any] | ArrayLike,
    b: str | Callable[[np.random.Generator], Any] | MazeBatch | GraphBatch | Iterable[Any] | ArrayLike,
    measures: str | Sequence[str] | None = None,
    shape: ShapeLike | Lattice | None = None,
    *,
    n: SupportsIndex | None = None,
    n_resamples: SupportsIndex = 9999,
    rng: RNG = None,
    seconds: float | None = None,
    threads: Threads = None,
    progress: Progress = False,
) -> Comparison:
    """Test whether two samplers make mazes with different measures, from a sample of each.

    The mazes of both samples are permuted, and in each permutation the largest t of all measures is kept: the
    adjusted p-value of a measure is the share of permutations whose largest t is at least its own.

    Parameters
    ----------
    a, b : str, callable, MazeBatch, GraphBatch, iterable of mazes, or array_like of shape (n, rows, cols)
        As `sampler_test` takes a sampler: the name of a generator in `meiro.ALGORITHMS`; a callable that
        takes a `numpy.random.Generator` and returns a maze; or two mazes or more, of one shape, or on one
        lattice: `Maze` or `GraphMaze`, 0/1 grids, passages, text, graphs of networkx, or with `shape` lists
        of edges. Samples that are given are to be independent: of different seeds.
    measures : str or sequence of str
        Names from ``meiro.MEASURES``. By default all that vary and that are defined for every maze.
    shape : (int, int) or Lattice, optional
        Rows and columns, in cells. By default those of the mazes; two names need it.
    n : int, optional
        Number of mazes to draw of each name and callable, 1,000 by default.
    n_resamples : int
        The number of permutations, 999 or more.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        Seed of the permutations, and of the mazes that are drawn, of `a` others than of `b`.
    seconds : float, optional
        Time after which a callable is called no more: the comparison has the mazes drawn until then.
    threads : int or "all"
        Number of threads that measure, 1 by default.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in mazes drawn.

    Returns
    -------
    Comparison
        ``table``, ``p_value``, ``left_out``; and ``plot()``. If both samplers follow one law, the p-value is
        below 0.05 in one comparison of twenty. A large p-value does not say that the laws are one: a
        difference below ``sees`` is easily missed, and no measure sees all differences.

    Raises
    ------
    ValueError
        If a sample has fewer than two mazes, shapes or lattices differ, an algorithm or a measure does not
        exist, or a measure that is named is the same in all mazes or undefined for some.
    TypeError
        If `a` or `b` holds no mazes, or nothing tells the shape.

    See Also
    --------
    sampler_test : A sampler against an exact law.
    survey : The means of many mazes that are not kept.

    Notes
    -----
    t is that of Welch, the difference of the means in standard errors that need not be equal in both samples.
    p-values are (1 + number of permutations with a t at least as large) / (1 + number of permutations), so
    they are exact if both samples have one law. Intervals have the width that 95 % of the largest t of the
    permutations do not exceed.

    References
    ----------
    P. H. Westfall, S. S. Young, "Resampling-Based Multiple Testing" (Wiley, 1993), section 2.4.

    Examples
    --------
    >>> wilson = meiro.generate_many((10, 10), "wilson", 300, rng=1)
    >>> kruskal = meiro.generate_many((10, 10), "kruskal", 300, rng=2)
    >>> found = meiro.compare(wilson, kruskal, ["dead_ends", "solution_length"], rng=3)
    >>> found.table[["measure", "p_value", "difference", "low", "high"]]
    <Table: 2 rows x 5 columns>
    measure          p_value  difference       low      high
    dead_ends         0.0001     1.67333   1.20379   2.14287
    solution_length   0.2585   -0.533333  -1.33522  0.268549

    The same of other mazes that are drawn for it, and a sampler of your own against one of meiro:

    >>> names = meiro.compare("wilson", "kruskal", "dead_ends", (10, 10), n=300, rng=3)
    >>> own = lambda rng: meiro.braid(meiro.generate((10, 10), "wilson", rng=rng), p=0.1, rng=rng)
    >>> names.p_value, meiro.compare(own, "wilson", "dead_ends", n=300, rng=3).p_value
    (0.0001, 0.0001)
    """
    count = integer(n_resamples, "n_resamples", _FEWEST, _MOST + 1)
    generator = np.random.default_rng([*(seed := seed_of(rng)).key, seed.replicate])
    domain = None if shape is None else domain_of(shape)
    spaces = _samples((a, b), domain, checked_drawing(n, seconds), seed, progress)
    if domain is not None and (own := _shape(spaces[0])) != domain.shape:
        raise ValueError(f"shape must be that of the mazes of a, {own}, not {domain.shape}")
    one, other = ((_shape(space), space.wrap) for space in spaces)
    if one != other:
        mazes = [short_repr(space.x) for space in spaces]
        raise ValueError(f"b: its mazes differ from those of a in shape: {mazes[1]}, and {mazes[0]}")
    names = measure_names(measures, on_lattice=spaces[0].on_lattice)
    columns = [measure(space.x, names, threads=threads) for space in spaces]
    left_out = {}
    for name in names:
        reason = _reason(name, [table[name] for table in columns], spaces)
        if reason and measures is not None:
            raise ValueError(f"measures: {name!r} cannot be compared: {reason}")
        if reason:
            left_out[name] = reason
    names = [name for name in names if name not in left_out]
    if not names:
        why = f"{listed(left_out)} cannot be compared" if left_out else "no measure was given"
        raise ValueError(f"measures: name some that vary: {why}")
    values = np.stack([np.concatenate([table[name] for table in columns]) for name in names], axis=1)
    n_a, n_b = (space.n for space in spaces)
    table, p_value = _tested(names, values.astype(np.float64), n_a, count, generator)
    return Comparison(table, p_value, n_a, n_b, count, left_out)


def _samples(
    given: tuple[Any, Any],
    domain: Domain | None,
    drawing: tuple[int | None, float],
    seed: Seed,
    progress: Progress,
) -> list[MazeSpace[Any]]:
    """Return the mazes of both samples, those that are drawn of seeds of their own."""
    drawn = [k for k in (0, 1) if isinstance(given[k], str) or callable(given[k])]
    reports = two_pass_reporters(progress) if len(drawn) == 2 else [reporter(progress)]
    n, seconds = drawing
    samples = {
        k: Sample(
            given[k],
            "ab"[k],
            n=n,
            seed=seed_of([*seed.key, seed.replicate, k]),
            seconds=seconds,
            report=report,
        )
        for k, report in zip(drawn, reports, strict=False)
    }
    found: dict[int, MazeSpace[Any]] = {}
    for k in sorted((0, 1), key=lambda k: isinstance(given[k], str)):  # a name makes mazes of the other shape
        mazes = given[k]
        if k in samples:
            shape = domain.shape if domain else next(map(_shape, found.values()), None)
            if shape is None and isinstance(mazes, str):
                raise TypeError(
                    f"shape: give rows and columns, or a lattice, on which {mazes!r} is to make mazes"
                )
            mazes = samples[k].mazes(shape, _MANY)
        found[k] = _sample(mazes, "ab"[k], domain)
    return [found[0], found[1]]


def _shape(space: MazeSpace[Any]) -> Any:
    return space.lattice if space.on_lattice else space.shape


def _sample(x: Any, name: str, domain: Domain | None) -> MazeSpace[Any]:
    """Return the space of two mazes or more."""
    what = "several mazes, as meiro.generate_many makes"
    if is_maze(x) or isinstance(x, bytes):
        raise TypeError(f"{name} must be {what}, not {short_repr(x)}")
    if not are_several(x):
        mazes = (_maze(item, f"{name}[{i}]", domain) for i, item in enumerate(items_of(x, name, what)))
        first = [*islice(mazes, 1)]
        kind = GraphBatch if any(map(on_lattice, first)) else MazeBatch
        with invalid_as(name, ValueError):
            x = kind(chain(first, mazes)) if first else ()
    if len(x) < 2:
        few = "is one maze" if len(x) == 1 else "are no mazes"
        raise ValueError(f"{name}: there {few}, and two or more have a spread")
    with invalid_as(name, ValueError):
        return mazes_of(x, name, many=True)


def _maze(x: Any, name: str, domain: Domain | None) -> Any:
    """Return the maze of what `in_domain` takes; an array that is nowhere said to lie tells its shape."""
    with invalid_as(name, ValueError, TypeError):
        x = as_maze(x, domain)
    if is_maze(x):
        return x
    array = plain_array(x, name)
    if array.dtype.kind not in "biuf" or (array.ndim != 2 and domain is None):
        raise TypeError(f"{name} must be a maze, or its grid or passages, not {short_repr(x)}")
    with invalid_as(name, ValueError, TypeError):
        if domain is None:
            return Maze.from_grid(array) if is_grid(array) else Maze(array)
        found = in_domain(array, domain, name)
        return found if is_maze(found) else domain.from_passages(found)


def _reason(name: str, columns: list[NDArray[Any]], spaces: Sequence[MazeSpace[Any]]) -> str | None:
    """Return why a measure cannot be compared, if it cannot."""
    for sample, column, space in zip("ab", columns, spaces, strict=True):
        undefined = np.flatnonzero(~np.isfinite(column))
        if undefined.size:
            found = measure(space.x[int(undefined[0])], name)
            why = getattr(found, "reasons", {}).get(name, "it is not finite")
            return f"it is undefined for {undefined.size:,} of the {len(column):,} mazes of {sample} ({why})"
    values = np.concatenate(columns)
    return f"it is {values[0]:g} in all mazes" if (values == values[0]).all() else None


def _tested(
    names: list[str], values: Floats, n_a: int, count: int, generator: np.random.Generator
) -> tuple[Table, float]:
    """Return the table and the least adjusted p-value, of values with a row a maze, those of `a` first."""
    n = len(values)
    mean, sd = values.mean(axis=0), values.std(axis=0, ddof=1)
    scaled = (values - mean) / sd
    both = np.concatenate([scaled, scaled**2], axis=1)
    of_a = (np.arange(n) < n_a).astype(np.float64)
    difference, error = (row[0] for row in _differences(of_a[None], both, n_a))
    t = _t(difference, error)
    largest = np.empty(count)
    step = max(1, _AT_ONCE // n)
    for first in range(0, count, step):
        labels = np.broadcast_to(of_a, (min(step, count - first), n))
        permuted = _t(*_differences(generator.permuted(labels, axis=1), both, n_a))
        largest[first : first + step] = np.abs(permuted).max(axis=1)
    largest.sort()
    reached = count - np.searchsorted(largest, np.abs(t) * (1 - _ROUNDING))
    p_values = (1 + reached) / (1 + count)
    limit = largest[count - math.floor(_LEVEL * (count + 1))]
    half = limit * error if math.isfinite(limit) else np.full(t.size, math.inf)
    order = np.argsort(-np.abs(t), kind="stable")
    columns = {
        "p_value": p_values,
        "difference": difference * sd,
        "low": (difference - half) * sd,
        "high": (difference + half) * sd,
        "sees": (half + _POWER * error) * sd,
        "mean_a": values[:n_a].mean(axis=0),
        "mean_b": values[n_a:].mean(axis=0),
        "t": t,
        "sd": sd,
    }
    table = Table({"measure": np.array(names)[order], **{name: x[order] for name, x in columns.items()}})
    return table, float(p_values.min())


def _differences(of_a: Floats, both: Floats, n_a: int) -> tuple[Floats, Floats]:
    """Return the differences of the means of `b` from those of `a`, and their standard errors.

    Parameters
    ----------
    of_a : ndarray, shape (m, n)
        1 for the mazes of `a`, in each of m divisions.
    both : ndarray, shape (n, 2 * k)
        The values of k measures, with mean 0, and their squares.
    n_a : int

    Returns
    -------
    tuple of ndarray, shape (m, k)
    """
    sums = of_a @ both
    means, variances = [], []
    for total, n in ((sums, n_a), (both.sum(axis=0) - sums, len(both) - n_a)):
        first, squares = np.split(total / n, 2, axis=1)
        means.append(first)
        spread = squares - first**2
        variances.append(np.where(spread < _ROUNDING, 0, spread) / (n - 1))
    return means[1] - means[0], np.sqrt(variances[0] + variances[1])


def _t(difference: Floats, error: Floats) -> Floats:
    """Return differences in standard errors, infinite where there is a difference and no error."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t: Floats = np.where(np.abs(difference) < _ROUNDING, 0, difference / error)
    return t
