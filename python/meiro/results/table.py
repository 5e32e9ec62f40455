"""`Table`: columns of equal length, with conversions to pandas, polars, Arrow, xarray and CSV."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, overload

import numpy as np

from meiro._utils.atomic import atomic
from meiro._utils.bands import BAND, bands, joined
from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.set_module import set_module
from meiro._utils.validation import items_of, plain_array
from meiro.results.accumulators import Accumulator

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import xarray as xr
    from numpy.typing import ArrayLike, NDArray

MAZE_COLUMNS = ("rows", "cols", "replicate", "seed_0", "seed_1", "stream")
"""Numeric columns that identify a maze; a summary leaves them out."""

_ROWS = 10  # of a repr
_COLUMNS = 40
_LINE = 100  # characters
_FIELD = 24  # characters
_GAP = "..."


@set_module("meiro")
class Table(dict[str, "NDArray[Any]"]):
    """Columns by name: 1-D NumPy arrays of equal length, such as `meiro.survey` returns.

    A Table is a frozen mapping: ``table["mean"]`` is a read-only column, and ``pd.DataFrame(table)``,
    ``pl.DataFrame(table)`` and ``pa.table(table)`` work. Slices, boolean masks and arrays of indices select
    rows: ``table[:5]``, ``table[table["rows"] == 16]``. Two tables are equal if names, their order and all
    values are equal (NaN equals NaN).

    Parameters
    ----------
    columns : mapping of str to array_like, or iterable of pairs
        Each column is 1-D; all have the same length.

    Attributes
    ----------
    n_rows : int

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
            super().__setitem__(name, column)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        """Refuse to change the table."""
        msg = "a Table does not change: make a new one, meiro.Table({**table, name: values})"
        raise TypeError(msg)

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = pop = popitem = clear = setdefault = _refuse

    def copy(self) -> Self:
        """Return the table itself, which is immutable."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the columns."""
        return type(self), (dict(self),)

    def __eq__(self, other: object) -> bool:
        """Return whether names, their order, and values are the same; NaN equals NaN."""
        if not isinstance(other, Table) or list(self) != list(other):
            return False
        return all(map(_equal, self.values(), other.values()))

    def __ne__(self, other: object) -> bool:
        """Return whether they differ (the method of dict would compare arrays)."""
        return not self == other

    @property
    def n_rows(self) -> int:
        """Number of rows; ``len(table)`` is the number of columns, as of any mapping."""
        return next((column.size for column in self.values()), 0)

    @overload
    def __getitem__(self, key: str) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, key: slice | NDArray[Any]) -> Table: ...
    def __getitem__(self, key: str | slice | NDArray[Any]) -> NDArray[Any] | Table:
        """Return a column by its name, or a table of the rows that a slice, mask or index array selects."""
        if isinstance(key, slice | np.ndarray):
            if isinstance(key, np.ndarray):
                key = plain_array(key, "rows")
                key = key if key.size else key.astype(np.intp)
            if isinstance(key, np.ndarray) and (key.ndim != 1 or (key.size and key.dtype.kind not in "biu")):
                what = f"a {key.ndim}-D one of {key.dtype}"
                msg = f"rows are selected by a 1-D array of booleans or integers, not {what}"
                raise IndexError(msg)
            return Table({name: _taken(column, key) for name, column in self.items()})
        if isinstance(key, str) and key in self:
            return super().__getitem__(key)
        names = ", ".join(self)
        msg = f"no column {short_repr(key)}; there are {names}; rows are selected by a slice or an array"
        raise KeyError(msg)

    def __repr__(self) -> str:
        """Return the size and the first rows; columns that do not fit are left out after two thirds."""
        most = min(_COLUMNS, len(self))
        names = _visible(list(self), most)
        fields = {name: self._fields(name) for name in names if name is not None}
        while most > 2 and sum(len(fields[name][0]) + 2 for name in names if name is not None) > _LINE:
            most -= 1
            names = _visible(list(self), most)
        gap = [_GAP] * (min(_ROWS, self.n_rows) + 1)
        lines = zip(*(gap if name is None else fields[name] for name in names), strict=True)
        rows = ["  ".join(line).rstrip() for line in lines]
        return "\n".join([f"<{self._size()}>", *rows, *(f"... {rest}" for rest in self._rest())])

    def _repr_html_(self) -> str:
        """Return the first rows as HTML that takes its colours from the page."""
        import html

        rows: list[str] = [""] * (min(_ROWS, self.n_rows) + 1)
        for name in _visible(list(self), _COLUMNS):
            side = "right" if name is not None and _is_numeric(self[name]) else "left"
            style = f'style="text-align:{side};white-space:nowrap"'
            words = [_GAP] * len(rows) if name is None else self._fields(name)
            for i, word in enumerate(words):
                tag = "td" if i or name is None else "th"
                rows[i] += f"<{tag} {style}>{html.escape(word.strip())}</{tag}>"
        head, *body = (f"<tr>{row}</tr>" for row in rows)
        note = "; ".join([self._size(), *self._rest()])
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
        rows, columns = self.n_rows, len(self)
        return f"Table: {rows:,} row{'s' * (rows != 1)} x {columns} column{'s' * (columns != 1)}"

    def _rest(self) -> list[str]:
        rest = self.n_rows - _ROWS
        return [f"{rest:,} more row{'s' * (rest != 1)}"] if rest > 0 else []

    def _columns(self, given: str | Sequence[str], argument: str) -> list[str]:
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
        names = self._columns(by, "by")
        skipped = {*names, *MAZE_COLUMNS}
        numeric = [name for name, column in self.items() if _is_numeric(column) and name not in skipped]
        out: list[dict[str, Any]] = []
        for rows in _group_rows([self[name] for name in names], self.n_rows):
            for name in numeric:
                found = Accumulator.of(self[name][rows].astype(np.float64)).summary()
                out.append({**{key: self[key][rows[0]] for key in names}, "measure": name, **found})
        if out:
            return Table({name: np.array([row[name] for row in out]) for name in out[0]})
        columns = {name: self[name][:0] for name in names} | {"measure": np.empty(0, "<U1")}
        empty = Accumulator.of(np.empty(0)).summary()
        return Table(columns | {name: np.array([x])[:0] for name, x in empty.items()})

    def to_pandas(self) -> pd.DataFrame:
        """Return a ``pandas.DataFrame``; needs the extra ``data``."""
        return _optional("pandas").DataFrame(dict(self))

    def to_polars(self) -> pl.DataFrame:
        """Return a ``polars.DataFrame``; needs the extra ``data``."""
        frame: pl.DataFrame = _optional("polars").DataFrame(dict(self))
        return frame

    def to_arrow(self) -> pa.Table:
        """Return a ``pyarrow.Table``; needs the extra ``data``."""
        return _optional("pyarrow").table(dict(self))

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
        names = self._columns(dims, "dims")
        out: xr.Dataset
        if not names:
            out = dataset({name: ("row", column) for name, column in self.items()})
            return out
        found = [_factorize(self[name]) for name in names]
        shape = tuple(values.size for values, _ in found)
        place = np.zeros(self.n_rows, np.intp)
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
        """
        import csv

        with atomic(path, "w") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self)
            for first in range(0, self.n_rows, 1 << 12):
                block = [column[first : first + (1 << 12)].tolist() for column in self.values()]
                writer.writerows([["" if x != x else x for x in row] for row in zip(*block, strict=True)])  # noqa: PLR0124


def _pairs(columns: Any) -> Iterable[tuple[Any, Any]]:
    """Return the names and values of columns; each pair is read, and checked, before the next."""
    if isinstance(columns, Mapping):
        return columns.items()
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
