"""`Table`: columns of equal length, which go as they are to pandas, polars, Arrow, xarray and CSV."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, overload

import numpy as np

from meiro._utils.messages import missing_extra, short_repr

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import xarray as xr
    from numpy.typing import ArrayLike, NDArray

    from meiro.stats.surveys.accumulators import Stat

NAMES_OF_A_MAZE = ("rows", "cols", "replicate", "seed_0", "seed_1")
"""Columns of numbers that say which maze it is: they have no mean."""


class Table(dict[str, "NDArray[Any]"]):
    """Columns by name, 1-D NumPy arrays of equal length; what `meiro.survey` returns.

    A frozen mapping: ``table["mean"]`` is a column, read-only, and ``pd.DataFrame(table)`` works, as do
    ``pl.DataFrame(table)`` and ``pa.table(table)``. Slices, masks and arrays of numbers pick rows:
    ``table[:5]``, ``table[table["rows"] == 16]``. Two tables are equal if names, order and values are (NaN
    equals NaN).

    Parameters
    ----------
    columns : mapping of str to array_like, or iterable of pairs
        Each 1-D and of the same length.

    Attributes
    ----------
    n_rows : int

    Raises
    ------
    ValueError
        If a column is not 1-D, or their lengths differ.
    TypeError
        If a name is no string.

    Examples
    --------
    >>> table = meiro.Table({"algorithm": ["wilson", "kruskal"], "mean": [18.9, 20.5]})
    >>> table["mean"].max(), table.n_rows, list(table)
    (np.float64(20.5), 2, ['algorithm', 'mean'])
    >>> table[table["mean"] > 20]
    <Table: 1 row x 2 columns>
    algorithm  mean
    kruskal    20.5
    """

    __slots__ = ()

    __hash__: ClassVar[None]

    def __init__(self, columns: Mapping[str, ArrayLike] | Iterable[tuple[str, ArrayLike]] = ()) -> None:
        super().__init__()
        length = -1
        for name, values in dict(columns).items():
            if not isinstance(name, str):
                msg = f"the name of a column must be a string, not {short_repr(name)}"
                raise TypeError(msg)
            column = np.asarray(values).view()
            if column.ndim != 1:
                msg = f"column {name!r} must be 1-D, not {column.ndim}-D"
                raise ValueError(msg)
            if length not in {-1, column.size}:
                msg = f"column {name!r} has {column.size} rows, and those before it have {length}"
                raise ValueError(msg)
            length = column.size
            column.flags.writeable = False
            super().__setitem__(name, column)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        """Refuse: a table does not change."""
        msg = "a Table does not change: make a new one, meiro.Table({**table, name: values})"
        raise TypeError(msg)

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = pop = popitem = clear = setdefault = _refuse

    def copy(self) -> Self:
        """Return the table itself: it does not change."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the columns."""
        return type(self), (dict(self),)

    def __eq__(self, other: object) -> bool:
        """Return whether names, their order, and values are the same; NaN equals NaN."""
        if not isinstance(other, Table) or list(self) != list(other):
            return False
        return all(map(_same, self.values(), other.values()))

    def __ne__(self, other: object) -> bool:
        """Return whether they are not equal; that of dict would compare the arrays."""
        return not self == other

    @property
    def n_rows(self) -> int:
        """Number of rows; ``len(table)`` is that of columns, as of any mapping."""
        return next((column.size for column in self.values()), 0)

    @overload
    def __getitem__(self, key: str) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, key: slice | NDArray[Any]) -> Table: ...
    def __getitem__(self, key: str | slice | NDArray[Any]) -> NDArray[Any] | Table:
        """Return a column by its name, or a table of some rows by a slice, a mask or an array of numbers."""
        if isinstance(key, slice | np.ndarray):
            if isinstance(key, np.ndarray) and key.ndim != 1:
                msg = f"rows are picked by a 1-D array, not a {key.ndim}-D one"
                raise IndexError(msg)
            return Table({name: column[key] for name, column in self.items()})
        try:
            return super().__getitem__(key)
        except (KeyError, TypeError):
            msg = f"no column {short_repr(key)}; there are {', '.join(self)}; pick rows by slice or array"
            raise KeyError(msg) from None

    def __repr__(self) -> str:
        """Return the first rows, and how many there are."""
        from meiro.stats.table_view import table_text

        return table_text(self)

    def _repr_html_(self) -> str:
        from meiro.stats.table_view import table_html

        return table_html(self)

    def summary(self, by: str | Sequence[str] = ()) -> Table:
        """Count, mean and spread of every column of numbers, for each group of rows.

        Parameters
        ----------
        by : str or sequence of str
            The columns whose values make the groups, in the order in which they first come.

        Returns
        -------
        Table
            The columns of `by`, ``measure`` (the name of the column), ``n`` (finite numbers), ``mean``,
            ``sd`` (of the sample), ``standard_error``, ``min``, ``max``. Columns that name a maze (``rows``,
            ``cols``, ``replicate``, ``seed_0``, ``seed_1``) are left out.

        Raises
        ------
        KeyError
            If there is no column of that name.

        Examples
        --------
        >>> table = meiro.Table({"algorithm": ["wilson", "kruskal"] * 2, "dead_ends": [18, 20, 19, 21]})
        >>> table.summary(by="algorithm")
        <Table: 2 rows x 8 columns>
        algorithm  measure    n  mean        sd  standard_error  min  max
        wilson     dead_ends  2  18.5  0.707107             0.5   18   19
        kruskal    dead_ends  2  20.5  0.707107             0.5   20   21
        """
        from meiro.stats.surveys.accumulators import Stat
        from meiro.stats.table_groups import groups_of

        names = [by] if isinstance(by, str) else list(by)
        groups = groups_of([self[name] for name in names], self.n_rows)
        out: list[dict[str, Any]] = []
        skipped = {*names, *NAMES_OF_A_MAZE}
        numbers = [
            name for name, column in self.items() if column.dtype.kind in "biuf" and name not in skipped
        ]
        for rows in groups:
            for name in numbers:
                stat = Stat.of(self[name][rows].astype(np.float64))
                out.append({**{key: self[key][rows[0]] for key in names}, "measure": name, **stat_row(stat)})
        if out:
            return Table({name: np.array([row[name] for row in out]) for name in out[0]})
        empty = Stat.of(np.empty(0))
        columns = {name: self[name][:0] for name in names} | {"measure": np.empty(0, "<U1")}
        return Table(columns | {name: np.array([x])[:0] for name, x in stat_row(empty).items()})

    def to_pandas(self) -> pd.DataFrame:
        """Return a ``pandas.DataFrame``; needs the extra ``data``."""
        try:
            import pandas as pd
        except ImportError as e:
            raise missing_extra("data", "pandas") from e  # noqa: EM101
        return pd.DataFrame(dict(self))

    def to_polars(self) -> pl.DataFrame:
        """Return a ``polars.DataFrame``; needs the extra ``data``."""
        try:
            import polars as pl
        except ImportError as e:
            raise missing_extra("data", "polars") from e  # noqa: EM101
        return pl.DataFrame(dict(self))

    def to_arrow(self) -> pa.Table:
        """Return a ``pyarrow.Table``; needs the extra ``data``."""
        try:
            import pyarrow as pa
        except ImportError as e:
            raise missing_extra("data", "pyarrow") from e  # noqa: EM101
        return pa.table(dict(self))

    def to_xarray(self, dims: str | Sequence[str] = ()) -> xr.Dataset:
        """Return an ``xarray.Dataset``; needs the extra ``data``.

        Parameters
        ----------
        dims : str or sequence of str
            Columns that become dimensions, with their different values as coordinates in the order in which
            they first come. Where there is no row, numbers are NaN and texts empty. By default there is one
            dimension, ``row``.

        Returns
        -------
        xarray.Dataset

        Raises
        ------
        ValueError
            If two rows have the same values in all of `dims`.
        KeyError
            If there is no column of that name.

        Examples
        --------
        >>> table = meiro.Table({"algorithm": ["wilson", "kruskal"], "rows": [8, 16], "mean": [18.9, 85.0]})
        >>> table.to_xarray(dims=("algorithm", "rows"))["mean"].sel(algorithm="kruskal", rows=16).item()
        85.0
        """
        from meiro.stats.table_groups import dataset

        return dataset(self, [dims] if isinstance(dims, str) else list(dims))

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a CSV file in UTF-8: a line of names, then one for each row; NaN is an empty field.

        Parameters
        ----------
        path : str or path-like
        """
        import csv

        with Path(path).open("w", encoding="utf-8", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            lines.writerow(self)
            for first in range(0, self.n_rows, 1 << 14):
                part = [column[first : first + (1 << 14)].tolist() for column in self.values()]
                lines.writerows([["" if x != x else x for x in row] for row in zip(*part, strict=True)])  # noqa: PLR0124


def stat_row(stat: Stat) -> dict[str, float]:
    """Return the columns that every summary has."""
    least, most = stat.extremes()
    error = stat.standard_error
    return {"n": stat.n, "mean": stat.mean, "sd": stat.sd, "standard_error": error, "min": least, "max": most}


def _same(a: NDArray[Any], b: NDArray[Any]) -> bool:
    return np.array_equal(a, b, equal_nan=a.dtype.kind == b.dtype.kind == "f")
