"""`Table`: columns of equal length, with conversions to pandas, polars, Arrow, xarray and CSV."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, SupportsIndex, overload

import numpy as np

from meiro._utils.atomic import atomic
from meiro._utils.bands import BAND, bands, joined
from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.set_module import set_module
from meiro._utils.validation import boolean, integer, items_of, plain_array
from meiro.results.accumulators import Accumulator

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, KeysView, Sequence

    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import xarray as xr
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, DTypeLike, NDArray

MAZE_COLUMNS = ("rows", "cols", "replicate", "seed_0", "seed_1", "stream")
"""Numeric columns that identify a maze; a summary leaves them out."""

_ROWS = 10  # of a repr
_COLUMNS = 10
_LINE = 100  # characters
_FIELD = 24  # characters
_TITLE = 500  # characters that are shown of a shortened word where the mouse is
_GAP = "..."


@set_module("meiro")
class Table:
    """Columns by name: 1-D NumPy arrays of equal length, such as `meiro.survey` returns.

    A Table does not change, and its columns are read-only. ``table["mean"]`` is a column, and a list of names
    selects several; slices, boolean masks and arrays of indices select rows: ``table[:5]``,
    ``table[table["rows"] == 16]``. ``len(table)`` is the number of rows, iteration yields the names.
    ``pd.DataFrame(table)``, ``pl.DataFrame(table)``, ``pa.table(table)``, ``dict(table)`` and
    ``np.asarray(table)``, a structured array, keep names and types. Two tables are equal if names, their
    order and all values are equal (NaN equals NaN).

    Parameters
    ----------
    columns : mapping of str to array_like, Table, or iterable of pairs
        Each column is 1-D; all have the same length.

    Raises
    ------
    ValueError
        If a column is not 1-D, or the lengths differ.
    TypeError
        If a name is not a string.

    See Also
    --------
    meiro.survey : Make and measure many mazes.
    meiro.measure : Measure the mazes of a batch.

    Notes
    -----
    Repr and HTML show ten rows and ten columns, and long texts by their beginning.

    Examples
    --------
    >>> table = meiro.Table({"algorithm": ["wilson", "kruskal"], "mean": [18.9, 20.5]})
    >>> table["mean"].max(), len(table), list(table)
    (np.float64(20.5), 2, ['algorithm', 'mean'])
    >>> table[table["mean"] > 20]
    <Table: 1 row x 2 columns>
    algorithm  mean
    kruskal    20.5
    """

    __slots__ = ("_columns",)

    __hash__: ClassVar[None]  # type: ignore[assignment]

    def __init__(
        self, columns: Mapping[str, ArrayLike] | Table | Iterable[tuple[str, ArrayLike]] = ()
    ) -> None:
        self._columns: dict[str, NDArray[Any]] = {}
        length = -1
        for name, values in _pairs(columns):
            if not isinstance(name, str):
                msg = f"columns: the name of a column must be a string, not {short_repr(name)}"
                raise TypeError(msg)
            column = plain_array(values, f"column {short_repr(name)}").view()
            if column.ndim != 1:
                msg = f"column {name!r} must be 1-D, not {column.ndim}-D"
                raise ValueError(msg)
            if length not in {-1, column.size}:
                msg = f"column {name!r} has {column.size} rows, and those before it have {length}"
                raise ValueError(msg)
            length = column.size
            column.flags.writeable = False
            self._columns[name] = column

    def __setitem__(self, name: object, values: object) -> NoReturn:
        """Refuse to change the table."""
        msg = "a Table does not change: make a new one, meiro.Table({**table, name: values})"
        raise TypeError(msg)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the columns."""
        return Table, (self._columns,)

    def __eq__(self, other: object) -> bool:
        """Return whether names, their order, and values are the same; NaN equals NaN."""
        if not isinstance(other, Table) or list(self) != list(other):
            return False
        return all(map(_equal, self._columns.values(), other._columns.values()))

    def keys(self) -> KeysView[str]:
        """Return the names of the columns.

        Examples
        --------
        >>> list(meiro.Table({"rows": [8, 16], "mean": [18.9, 85.0]}).keys())
        ['rows', 'mean']
        """
        return self._columns.keys()

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the columns."""
        return iter(self._columns)

    def __contains__(self, name: object) -> bool:
        """Return whether there is a column of this name."""
        return isinstance(name, str) and name in self._columns

    def __len__(self) -> int:
        """Return the number of rows."""
        return next((column.size for column in self._columns.values()), 0)

    @property
    def dtype(self) -> np.dtype[np.void]:
        """Names and types of the columns, as of a structured array."""
        return np.dtype([(name, column.dtype) for name, column in self._columns.items()])

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001
        """Return a structured array, a copy of the columns, for ``np.asarray(table)``."""
        if copy is False:
            msg = "a structured array of a Table is a copy: copy=False cannot be"
            raise ValueError(msg)
        rows = np.empty(len(self), self.dtype)
        for name, column in zip(self.dtype.names or (), self._columns.values(), strict=True):
            for band in bands(column.size):
                rows[name][band] = column[band]
        return rows if dtype is None else rows.astype(dtype)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the columns as a stream of Arrow (the PyCapsule interface); needs the extra ``data``."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Tell pandas, where it is in use, that this is an array with named fields, as it asks by isinstance.

        ``pd.DataFrame`` takes columns from a dict, or from an array of its own kinds or of NumPy with
        ``dtype.names``; it knows no protocol for others, up to pandas 3 (2026).
        """
        pandas = sys.modules.get("pandas.api.extensions")
        return getattr(pandas, "ExtensionArray", None) or type(self)

    def __dir__(self) -> list[str]:
        """Return the names of a Table, whatever `__class__` tells pandas."""
        return dir(type(self))

    @overload
    def __getitem__(self, key: str) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, key: slice | list[str] | NDArray[Any]) -> Table: ...
    def __getitem__(self, key: str | slice | list[str] | NDArray[Any]) -> NDArray[Any] | Table:
        """Return a column by its name, or a table of columns, or of rows: a slice, mask or index array."""
        if isinstance(key, slice | np.ndarray):
            if isinstance(key, np.ndarray):
                key = plain_array(key, "rows")
                key = key if key.size else key.astype(np.intp)
            if isinstance(key, np.ndarray) and (key.ndim != 1 or (key.size and key.dtype.kind not in "biu")):
                what = f"a {key.ndim}-D one of {key.dtype}"
                msg = f"rows are selected by a 1-D array of booleans or integers, not {what}"
                raise IndexError(msg)
            return Table({name: _taken(column, key) for name, column in self._columns.items()})
        if isinstance(key, list):
            return Table({name: self._columns[name] for name in self._names(key, "columns")})
        if key in self:
            return self._columns[key]
        names = ", ".join(self)
        msg = f"no column {short_repr(key)}; there are {names}; rows are selected by a slice or an array"
        raise KeyError(msg)

    def __repr__(self) -> str:
        """Return the size and the first rows; columns that do not fit are left out after two thirds."""
        most = min(_COLUMNS, len(self._columns))
        names = _visible(list(self), most)
        fields = {name: self._fields(name) for name in names if name is not None}
        while most > 2 and sum(len(fields[name][0]) + 2 for name in names if name is not None) > _LINE:
            most -= 1
            names = _visible(list(self), most)
        gap = [_GAP] * (min(_ROWS, len(self)) + 1)
        lines = zip(*(gap if name is None else fields[name] for name in names), strict=True)
        rows = ["  ".join(line).rstrip() for line in lines]
        hidden = len(self._columns) - sum(name is not None for name in names)
        return "\n".join([f"<{self._size()}>", *rows, *(f"... {rest}" for rest in self._rest(hidden))])

    def _repr_html_(self) -> str:
        """Return the first rows as HTML that takes its colours from the page."""
        import html

        rows: list[str] = [""] * (min(_ROWS, len(self)) + 1)
        for name in _visible(list(self), _COLUMNS):
            side = "right" if name is not None and _is_numeric(self[name]) else "left"
            style = f'style="text-align:{side};white-space:nowrap"'
            words = [_GAP] * len(rows) if name is None else self._fields(name)
            whole = words if name is None else [name, *map(str, self[name][:_ROWS])]
            for i, word in enumerate(map(str.strip, words)):
                tag = "td" if i or name is None else "th"
                title = f' title="{html.escape(whole[i][:_TITLE])}"' if len(whole[i]) > _FIELD else ""
                rows[i] += f"<{tag} {style}{title}>{html.escape(word)}</{tag}>"
        head, *body = (f"<tr>{row}</tr>" for row in rows)
        note = "; ".join([self._size(), *self._rest(len(self._columns) - _COLUMNS)])
        return (
            f'<div style="overflow-x:auto;max-width:100%"><table><thead>{head}</thead>'
            f"<tbody>{''.join(body)}</tbody></table>"
            f'<div style="font-size:90%;opacity:0.75;margin-top:2px">{note}</div></div>'
        )

    def _fields(self, name: str) -> list[str]:
        """Return the name and the first values of a column, padded to one width."""
        column = self[name]
        words = [_short(name), *map(_word, column[:_ROWS])]
        width = max(map(len, words))
        return [word.rjust(width) if _is_numeric(column) else word.ljust(width) for word in words]

    def _size(self) -> str:
        rows, columns = len(self), len(self._columns)
        return f"Table: {rows:,} row{'s' * (rows != 1)} x {columns} column{'s' * (columns != 1)}"

    def _rest(self, columns: int) -> list[str]:
        """Return how many rows, and how many of the columns, are not shown."""
        counts = {"row": len(self) - _ROWS, "column": columns}
        return [f"{rest:,} more {what}{'s' * (rest != 1)}" for what, rest in counts.items() if rest > 0]

    def _names(self, given: str | Sequence[str], argument: str) -> list[str]:
        """Return the names of columns, checked."""
        names = []
        what = "the name of a column, or several"
        for name in [given] if isinstance(given, str) else items_of(given, argument, what):
            if not isinstance(name, str):
                msg = f"{argument} must be {what}, not {short_repr(given)}"
                raise TypeError(msg)
            if name not in self:
                msg = f"{argument}: no column {short_repr(name)}; there are {', '.join(self)}"
                raise KeyError(msg)
            names.append(name)
        return names

    def head(self, n: SupportsIndex = 5) -> Table:
        """Return the first `n` rows, or all if there are fewer.

        Examples
        --------
        >>> meiro.Table({"rows": [8, 16, 32]}).head(2)["rows"].tolist()
        [8, 16]
        """
        return self[: integer(n, "n", 0)]

    def sort(self, by: str | Sequence[str], *, descending: bool = False) -> Table:
        """Return the rows in the order of one column, or of several: the second decides among equals, ...

        Parameters
        ----------
        by : str or sequence of str
            Names of columns.
        descending : bool
            Whether the largest values come first.

        Returns
        -------
        Table
            Rows with equal values keep their order; those with NaN come last, both ways.

        Raises
        ------
        KeyError
            If `by` is not a column.
        ValueError
            If `by` is empty.

        Examples
        --------
        >>> table = meiro.Table({"algorithm": ["wilson", "kruskal"], "mean": [18.9, 20.5]})
        >>> table.sort("mean", descending=True)
        <Table: 2 rows x 2 columns>
        algorithm  mean
        kruskal    20.5
        wilson     18.9
        """
        names = self._names(by, "by")
        if not names:
            msg = "by= is an empty list: name a column"
            raise ValueError(msg)
        falling = boolean(descending, "descending")
        return self[np.lexsort([_ranks(self[name], falling=falling) for name in reversed(names)])]

    def hist(
        self,
        name: str,
        *,
        by: str | None = None,
        bins: SupportsIndex | Sequence[float] | None = None,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw the histogram of a numeric column on matplotlib axes; needs the extra ``plot``.

        Parameters
        ----------
        name : str
            A column of numbers. Rows without a finite one are left out, and counted in the label below.
        by : str, optional
            A column: rows of each of its values get an outline and a colour of their own.
        bins : int or sequence of float, optional
            The number of bins, or their edges. Default: by the spread and number of the values; multiples
            of a step, as integers are, get bins of one or several steps.
        ax : Axes, optional
            Default: the current axes.

        Returns
        -------
        Axes
            What was drawn on.

        Raises
        ------
        KeyError
            If `name` or `by` is not a column.
        TypeError
            If the column is not numeric.
        ValueError
            If there is no finite number, `by` has more values than there are colours, or `bins` is invalid.
        ImportError
            If matplotlib is not installed.

        Examples
        --------
        >>> table = meiro.survey((8, 8), "wilson", 500, rng=7, measures=["dead_ends"], by="maze")
        >>> table.hist("dead_ends").get_xlabel()
        'dead_ends'
        """
        from meiro.drawing.matplotlib.histogram import draw_histogram

        (name,) = self._names([name], "name")
        column = self[name]
        if not _is_numeric(column):
            msg = f"name: the column {short_repr(name)} holds {column.dtype}, not numbers"
            raise TypeError(msg)
        groups = {"": column}
        if by is not None:
            (by,) = self._names([by], "by")
            rows = _group_rows([self[by]], len(self))
            groups = {_word(self[by][one[0]]): column[one] for one in rows}
        return draw_histogram(name, by, groups, bins, ax)

    def summary(self, by: str | Sequence[str] = ()) -> Table:
        """Summarize every numeric column: count, mean, spread and extremes, for each group of rows.

        Parameters
        ----------
        by : str or sequence of str
            Columns whose values define the groups, which keep the order of their first rows.

        Returns
        -------
        Table
            The columns of `by`, ``measure`` (the name of the column), ``n`` (finite numbers), ``mean``,
            ``sd`` (of the sample), ``standard_error``, ``min``, ``max``. Columns that identify a maze
            (``rows``, ``cols``, ``replicate``, ``seed_0``, ``seed_1``, ``stream``) are left out. Means are
            correctly rounded.

        Raises
        ------
        KeyError
            If `by` is not a column.

        Examples
        --------
        >>> table = meiro.Table({"algorithm": ["wilson", "kruskal"] * 2, "dead_ends": [18, 20, 19, 21]})
        >>> table.summary(by="algorithm")
        <Table: 2 rows x 8 columns>
        algorithm  measure    n  mean        sd  standard_error  min  max
        wilson     dead_ends  2  18.5  0.707107             0.5   18   19
        kruskal    dead_ends  2  20.5  0.707107             0.5   20   21
        """
        names = self._names(by, "by")
        skipped = {*names, *MAZE_COLUMNS}
        numeric = [
            name for name, column in self._columns.items() if _is_numeric(column) and name not in skipped
        ]
        out: list[dict[str, Any]] = []
        for rows in _group_rows([self[name] for name in names], len(self)):
            for name in numeric:
                found = Accumulator.of(self[name][rows].astype(np.float64)).summary()
                out.append({**{key: self[key][rows[0]] for key in names}, "measure": name, **found})
        if out:
            return Table({name: np.array([row[name] for row in out]) for name in out[0]})
        columns = {name: self[name][:0] for name in names} | {"measure": np.empty(0, "<U1")}
        empty = Accumulator.of(np.empty(0)).summary()
        return Table(columns | {name: np.array([x])[:0] for name, x in empty.items()})

    def to_pandas(self) -> pd.DataFrame:
        """Return a ``pandas.DataFrame``; needs the extra ``data``.

        Examples
        --------
        >>> meiro.Table({"rows": [8, 16], "mean": [18.9, 85.0]}).to_pandas().shape
        (2, 2)
        """
        return _optional("pandas").DataFrame(self._columns)

    def to_polars(self) -> pl.DataFrame:
        """Return a ``polars.DataFrame``; needs the extra ``data``."""
        frame: pl.DataFrame = _optional("polars").DataFrame(self._columns)
        return frame

    def to_arrow(self) -> pa.Table:
        """Return a ``pyarrow.Table``; needs the extra ``data``."""
        return _optional("pyarrow").table(self._columns)

    def to_xarray(self, dims: str | Sequence[str] = ()) -> xr.Dataset:
        """Return an ``xarray.Dataset``; needs the extra ``data``.

        Parameters
        ----------
        dims : str or sequence of str
            Columns that become dimensions; their different values, in the order of their first rows, are the
            coordinates. Where no row belongs, numbers are NaN and texts are empty. By default there is one
            dimension, ``row``.

        Returns
        -------
        xarray.Dataset
            A variable for each of the other columns.

        Raises
        ------
        ValueError
            If two rows have the same values in all of `dims`.
        KeyError
            If one of `dims` is not a column.

        Examples
        --------
        >>> table = meiro.Table({"algorithm": ["wilson", "kruskal"], "rows": [8, 16], "mean": [18.9, 85.0]})
        >>> table.to_xarray(dims=("algorithm", "rows"))["mean"].sel(algorithm="kruskal", rows=16).item()
        85.0
        """
        dataset = _optional("xarray").Dataset
        names = self._names(dims, "dims")
        out: xr.Dataset
        if not names:
            out = dataset({name: ("row", column) for name, column in self._columns.items()})
            return out
        found = [_factorize(self[name]) for name in names]
        shape = tuple(values.size for values, _ in found)
        place = np.zeros(len(self), np.intp)
        for side, (_, codes) in zip(shape, found, strict=True):
            place = place * side + codes
        order = np.argsort(place, kind="stable")
        twice = np.flatnonzero(place[order][1:] == place[order][:-1])
        if twice.size:
            a, b = order[twice[0]], order[twice[0] + 1]
            others = [name for name in self if name not in names and self[name][a] != self[name][b]]
            same = f"dims: rows {a} and {b} are the same in {', '.join(names)}"
            msg = f"{same}; they differ in {', '.join(others)}"
            raise ValueError(msg)
        data = {name: (names, _scatter(self[name], place, shape)) for name in self if name not in names}
        out = dataset(data, {name: values for name, (values, _) in zip(names, found, strict=True)})
        return out

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a CSV file in UTF-8: a header line, then a line for each row; NaN is an empty field.

        Parameters
        ----------
        path : str or path-like
            An existing file is replaced only when all rows are written.

        Examples
        --------
        >>> meiro.Table({"rows": [8, 16], "mean": [18.9, 85.0]}).to_csv("table.csv")
        """
        import csv

        with atomic(path, "w") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self)
            for first in range(0, len(self), 1 << 12):
                block = [column[first : first + (1 << 12)].tolist() for column in self._columns.values()]
                writer.writerows([["" if x != x else x for x in row] for row in zip(*block, strict=True)])  # noqa: PLR0124


def _pairs(columns: Any) -> Iterable[tuple[Any, Any]]:
    """Return the names and values of columns; each pair is read, and checked, before the next."""
    if isinstance(columns, Table | Mapping):
        return dict(columns).items()
    return map(_pair, items_of(columns, "columns", "a mapping of names to arrays"))


def _pair(pair: Any) -> tuple[Any, Any]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        msg = f"columns must be pairs of a name and an array, not {short_repr(pair)}"
        raise TypeError(msg)
    return pair[0], pair[1]


def _taken(column: NDArray[Any], key: slice | NDArray[Any]) -> NDArray[Any]:
    """Return the rows of a column that a slice, mask or index array selects."""
    if isinstance(key, slice) or key.size <= BAND or (key.dtype == np.bool_ and key.size != column.size):
        return column[key]
    masked = key.dtype == np.bool_
    parts = [(column[band] if masked else column)[key[band]] for band in bands(key.size)]
    return joined(parts, column.dtype)


def _optional(package: str) -> Any:
    with requires_extra("data", package):
        return importlib.import_module(package)


def _equal(a: NDArray[Any], b: NDArray[Any]) -> bool:
    return np.array_equal(a, b, equal_nan=a.dtype.kind == b.dtype.kind == "f")


def _factorize(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the different values in the order of their first rows, and the index of each row's value."""
    values, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(order.size, np.intp)
    rank[order] = np.arange(order.size)
    return values[order], rank[inverse]


def _ranks(column: NDArray[Any], *, falling: bool) -> NDArray[np.intp]:
    """Return numbers that sort as the values do, or the other way if `falling`; NaN is last."""
    values, ranks = np.unique(column, return_inverse=True)
    if not falling:
        return ranks
    missing = values.size > 0 and values.dtype.kind == "f" and bool(np.isnan(values[-1]))
    last = values.size - 1
    return np.where(ranks == last, last, last - 1 - ranks) if missing else last - ranks


def _group_rows(columns: list[NDArray[Any]], n_rows: int) -> list[NDArray[np.intp]]:
    """Return the row numbers of each group of rows with the same values in all columns."""
    group = np.zeros(n_rows, np.intp)
    for column in columns:
        values, codes = _factorize(column)
        group = _factorize(group * max(values.size, 1) + codes)[1]
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1) if n_rows else []


def _scatter(column: NDArray[Any], place: NDArray[np.intp], shape: tuple[int, ...]) -> NDArray[Any]:
    """Return an array of shape `shape` with the values of a column at their flat indices."""
    size = int(np.prod(shape))
    kind = np.float64 if place.size < size and column.dtype.kind in "biu" else column.dtype
    out = np.full(size, "" if column.dtype.kind == "U" else np.nan if place.size < size else 0, kind)
    out[place] = column
    return out.reshape(shape)


def _visible(names: list[str], most: int) -> list[str | None]:
    """Return the first two thirds and the last third of `most` names; None stands for those between."""
    if len(names) <= most:
        return [*names]
    first = -(-2 * most // 3)
    return [*names[:first], None, *names[len(names) - most + first :]]


def _is_numeric(column: NDArray[Any]) -> bool:
    return column.dtype.kind in "biuf"


def _word(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float | np.floating) else _short(str(value))


def _short(word: str) -> str:
    line = " ".join(word.split())
    return line if len(line) <= _FIELD else line[: _FIELD - 3] + "..."
