"""`scaling`: how the mean of a measure grows with the size of mazes, from a survey of several shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.messages import short_repr
from meiro._utils.validation import require_type
from meiro.results.accumulators import Accumulator
from meiro.results.table import Table, groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure, SubFigure
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_BLOCKS = 20  # of the jackknife; fewer if there are fewer mazes
_SHAPE = ("shape", "rows", "cols")


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """The exponents of a measure, from `meiro.stats.scaling`.

    Attributes
    ----------
    measure : str
        Its name.
    fits : Table
        A row for each algorithm with its options, and each value of an argument of a transform, on each kind
        of lattice: ``exponent``, its ``standard_error``, ``prefactor`` (the line is
        ``prefactor * size ** exponent``),
        ``chi_square_per_dof``, ``dof`` (sizes beyond the two that a line needs). Where chi-square per degree
        of freedom is far above 1 the means are on no line: leave out small sizes.
    slopes : Table
        The exponents between neighbouring sizes, ``size`` to ``next_size``: ``slope``, ``standard_error``.
        Corrections to scaling are seen where they drift.
    points : Table
        The means: ``size``, ``mean``, ``standard_error``.

    See Also
    --------
    meiro.stats.scaling : Makes one.

    Examples
    --------
    >>> table = meiro.survey([(8, 8), (16, 16)], "wilson", 200, rng=7, measures="diameter")
    >>> meiro.stats.scaling(table, "diameter").points["size"].tolist()
    [8.0, 16.0]
    """

    __module__ = "meiro.stats"

    measure: str
    fits: Table
    slopes: Table
    points: Table

    def __repr__(self) -> str:
        """Return the fits and the local slopes."""
        lines = [f"<Scaling of {self.measure}: mean = prefactor * size ** exponent>"]
        lines += repr(self.fits).splitlines()[1:]
        lines += ["slopes between neighbouring sizes:", *repr(self.slopes).splitlines()[1:]]
        return "\n".join(lines)

    def plot(self, figure: Figure | SubFigure | None = None) -> NDArray[np.object_]:
        """Draw the means over the sizes, and the local slopes; needs the extra ``plot``.

        Parameters
        ----------
        figure : Figure or SubFigure, optional
            Default: a new figure of pyplot. It is not shown: call ``plt.show()``, unless a notebook does.

        Returns
        -------
        ndarray of Axes, shape (2,)
            Left the means and the fitted lines, both axes logarithmic; right the slopes between neighbouring
            sizes, and the exponents as lines. Bars and bands are standard errors.

        Raises
        ------
        ValueError
            If there are more than twenty fits, which no colours tell apart.
        TypeError
            If `figure` is not one of matplotlib.
        ImportError
            If matplotlib is not installed.

        Examples
        --------
        >>> table = meiro.survey([(8, 8), (16, 16)], "wilson", 200, rng=7, measures="diameter")
        >>> [ax.get_ylabel() for ax in meiro.stats.scaling(table, "diameter").plot()]
        ['mean diameter', 'slope']
        """
        from meiro.drawing.matplotlib.statistics import draw_scaling

        return draw_scaling(self, figure)


def scaling(table: Table, measure: str) -> Scaling:
    """Find the exponents with which the mean of a measure grows with the size of the mazes.

    The logarithm of the mean is fitted by a straight line in the logarithm of the size, each mean weighted by
    its standard error. The size is the square root of the number of cells.

    Parameters
    ----------
    table : Table
        A survey of two shapes or more: `meiro.survey`, with either ``by=``.
    measure : str
        The name of the measure.

    Returns
    -------
    Scaling
        ``fits``, ``slopes``, ``points``; and ``plot()``.

    Raises
    ------
    TypeError
        If `table` is not a `Table`, or the column of the measure holds no numbers.
    ValueError
        If the table has no such measure or no sizes, fewer than two sizes, two means of one shape, or a mean
        that is not positive or has no error, as that of a single maze or of a measure that does not vary.

    See Also
    --------
    meiro.survey : Makes the table.

    Notes
    -----
    With a row for each maze (``by="maze"``) the errors of exponents and slopes are those of the jackknife:
    the mazes of every shape are cut into twenty blocks in their order, and all is fitted again without each.
    A maze of one shape may be like the maze of another that has the same seed; the jackknife counts that.
    From a summary, means of different shapes are taken as independent.

    On a lattice of d dimensions multiply an exponent by 2 / d for one in the length of a side.

    Small mazes are known best and deviate most. The solutions of 1,500 uniform mazes of each of 8, 16, ...,
    256 cells a side have the slope 1.323, with an error of 0.009, from 8 to 16, and 1.251 from 128 to 256;
    chi-square per degree of freedom is 12. Leave such sizes out: ``scaling(table[table["rows"] >= 64],
    measure)``.

    The solution of uniform mazes ("wilson") is a loop-erased random walk, whose exponent is 5/4 [1]_. The
    paths of minimum spanning trees ("kruskal", "prim", "boruvka") are optimal paths in the limit of strong
    disorder; their exponent is known from simulations only, 1.22 with an error of 0.01 [2]_.

    References
    ----------
    .. [1] R. Kenyon, "The asymptotic determinant of the discrete Laplacian", Acta Math. 185 (2000) 239-286.
       doi:10.1007/BF02392811
    .. [2] M. Cieplak, A. Maritan, J. R. Banavar, "Optimal paths and domain walls in the strong disorder
       limit", Phys. Rev. Lett. 72 (1994) 2320-2323. doi:10.1103/PhysRevLett.72.2320

    Examples
    --------
    >>> shapes = [(32, 32), (64, 64), (128, 128)]
    >>> table = meiro.survey(shapes, "wilson", 300, rng=7, measures="solution_length", by="maze")
    >>> found = meiro.stats.scaling(table, "solution_length")
    >>> found.fits["exponent"].round(2), found.fits["standard_error"].round(2)
    (array([1.26]), array([0.01]))
    """
    require_type(table, Table, "table", "a Table, as meiro.survey returns it")
    summary = "measure" in table and "mean" in table
    names = set(table["measure"].tolist()) if summary else set(table)
    if not isinstance(measure, str) or measure not in names:
        known = ", ".join(sorted(map(str, names)))
        raise ValueError(f"measure: the table has no measure {short_repr(measure)}; there are {known}")
    if summary:
        table = table[table["measure"] == measure]
    elif table[measure].dtype.kind not in "biuf":
        raise TypeError(f"measure: the column {measure!r} holds {table[measure].dtype}, not numbers")
    if "lattice" in table:
        families = np.char.partition(table["lattice"].astype(np.str_), "(")[:, 0]
        table = table | {"shape": table["lattice"], "lattice": families}
    made = [
        name
        for name in table
        if name in {"algorithm", "lattice"} or name.startswith(("option_", "transform_"))
    ]
    each = [_fit(table[rows], measure, made, summary=summary) for rows in groups(table, made)]
    if not each:
        raise ValueError(f"table: it has no rows of {measure!r}: give two shapes or more")
    return Scaling(measure, *map(_joined, zip(*each, strict=True)))


class _Point(NamedTuple):
    """The mean at one size, its standard error, and the means without each block of mazes."""

    size: float
    mean: float
    error: float
    left: Floats


def _fit(table: Table, measure: str, made: list[str], *, summary: bool) -> tuple[Table, Table, Table]:
    """Return the fit, the slopes and the points of one algorithm with its options."""
    shapes = groups(table, [column for column in _SHAPE if column in table])
    blocks = min(_BLOCKS, *map(len, shapes))
    points = [_point(table[rows], measure, made, blocks, summary=summary) for rows in shapes]
    size, mean, error = np.array(sorted(point[:3] for point in points)).T
    if size.size < 2:
        raise ValueError(
            f"table: an exponent needs two shapes or more, and there is {_mazes(table[:1], made)} alone"
        )
    if (size[1:] == size[:-1]).any():
        twice = ", ".join(_mazes(table[rows], made) for rows in shapes)
        raise ValueError(f"table: two shapes have equally many cells, take shapes of one proportion: {twice}")
    x, y, relative = np.log(size), np.log(mean), error / mean
    left = np.log([point.left for point in sorted(points, key=lambda point: point.size)])
    design = np.stack([np.ones(x.size), x], axis=1) / relative[:, None]
    inverse = np.linalg.pinv(design)  # of least squares, each mean weighted by its error
    intercept, exponent = inverse @ (y / relative)
    if summary:
        exponent_error = float(np.linalg.norm(inverse[1]))
        slope_errors = np.hypot(relative[1:], relative[:-1]) / np.diff(x)
    else:
        exponent_error = float(_jackknife(inverse[1] @ (left / relative[:, None])))
        slope_errors = _jackknife(np.diff(left, axis=0) / np.diff(x)[:, None])
    dof = x.size - 2
    chi_square = ((design @ [intercept, exponent] - y / relative) ** 2).sum()

    def named(**columns: Any) -> Table:
        """Return a table whose first columns say what the mazes are."""
        n = len(next(iter(columns.values())))
        return Table({name: np.repeat(table[name][:1], n) for name in made} | columns)

    return (
        named(
            exponent=[exponent],
            standard_error=[exponent_error],
            prefactor=[np.exp(intercept)],
            chi_square_per_dof=[chi_square / dof if dof else np.nan],
            dof=[dof],
        ),
        named(size=size[:-1], next_size=size[1:], slope=np.diff(y) / np.diff(x), standard_error=slope_errors),
        named(size=size, mean=mean, standard_error=error),
    )


def _point(table: Table, measure: str, made: list[str], blocks: int, *, summary: bool) -> _Point:
    """Return the mean of the mazes of one shape."""
    if summary:
        if len(table) > 1:
            raise ValueError(f"table: it has {len(table)} means of {_mazes(table, made)}: give one survey")
        mean, error = (float(table[name][0]) for name in ("mean", "standard_error"))
        left = np.full(1, mean)
    else:
        values = table[measure].astype(np.float64)
        block = np.arange(values.size) * blocks // values.size
        values, block = values[np.isfinite(values)], block[np.isfinite(values)]
        found = Accumulator.of(values)
        mean, error = found.mean, found.standard_error
        with np.errstate(invalid="ignore"):
            left = values.sum() - np.bincount(block, values, blocks)
            left /= values.size - np.bincount(block, minlength=blocks)
    if not (mean > 0 and (left > 0).all() and 0 < error < np.inf):
        what = f"the mean of {measure!r} is {mean:g}, its error {error:g}"
        raise ValueError(
            f"measure: of {_mazes(table, made)} {what}: both must be positive, as those of mazes that differ"
        )
    return _Point(_size(table), mean, error, left)


def _size(table: Table) -> float:
    """Return the square root of the number of cells of mazes of one shape."""
    if "cells" in table:
        return float(np.sqrt(table["cells"].mean()))
    if "rows" in table and "cols" in table:
        return float(np.sqrt(float(table["rows"][0]) * float(table["cols"][0])))
    raise ValueError(
        "table: it has no columns rows and cols, which say the sizes of the mazes: give that of meiro.survey"
    )


def _mazes(table: Table, made: list[str]) -> str:
    """Return what the mazes of one shape are, for messages."""
    columns = [name for name in (*made, *_SHAPE) if name in table]
    words = [f"{name}={table[name][0]}" for name in columns if table[name][0] == table[name][0]]
    return " ".join(words)


def _jackknife(left: Floats) -> Floats:
    """Return the standard errors of what was found without each block of mazes, the last axis."""
    error: Floats = np.sqrt((left.shape[-1] - 1) * left.var(axis=-1))
    return error


def _joined(tables: Sequence[Table]) -> Table:
    """Return the rows of tables with the same columns."""
    return Table({name: np.concatenate([table[name] for table in tables]) for name in tables[0]})
