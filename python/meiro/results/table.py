"""`Table`: a dict of columns of equal length, which pandas, polars and Arrow take as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex, overload

import numpy as np

from meiro._utils.atomic import atomic
from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.validation import boolean, integer, items_of, plain_array, require_type
from meiro.results.accumulators import Accumulator

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, DTypeLike, NDArray

_SEED_COLUMNS = ("seed_0", "seed_1", "stream", "version")  # they make a maze again
_MAZE_COLUMNS = ("rows", "cols", "replicate", *_SEED_COLUMNS)  # they identify it
_ROWS = 10  # of a repr
_COLUMNS = 10
_LINE = 100  # characters
_FIELD = 24  # characters
_TITLE = 500  # characters that are shown of a shortened word where the mouse is
_GAP = "..."


class _Frozen(dict[str, "NDArray[Any]"]):
    """A dict that does not change once it is made."""

    __slots__ = ()

    def _refuse(self, *_given: object, **_columns: object) -> NoReturn:
        raise TypeError("a Table does not change: make a new one, table | {name: values}")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


class Table(_Frozen):
    """Columns by name: a dict of 1-D NumPy arrays of equal length, such as `meiro.survey` returns.

    A Table does not change, and its columns are read-only. ``table["mean"]`` is a column, and a list of names
    selects several; slices, boolean masks and arrays of indices select rows: ``table[:5]``,
    ``table[table["rows"] == 16]``. ``len(table)`` is the number of rows, iteration yields the names, and
    ``table | {"share": x}`` is a table with a further column. What takes a dict takes a table, with names and
    types: ``pd.DataFrame(table)``, ``pl.DataFrame(table)``, ``pa.table(table)``; ``np.asarray(table)`` is a
    structured array. Two tables are equal if names, their order and all values are equal (NaN equals NaN).

    Parameters
    ----------
    columns : mapping of str to array_like, or iterable of pairs
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
    Groups, pivots and joins are those of pandas or polars: ``pd.DataFrame(table).groupby("algorithm")``.
    Repr and HTML show ten rows and ten columns, and long texts by their beginning; seeds come after what was
    measured, and only where there is room. A table that has columns is true, as a dict is, even if it has no
    rows.

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

    __module__ = "meiro"

    __slots__ = ()

    def __init__(self, columns: Mapping[str, ArrayLike] | Iterable[tuple[str, ArrayLike]] = ()) -> None:
        checked: dict[str, NDArray[Any]] = {}
        length = -1
        for name, values in _pairs(columns):
            require_type(name, str, "columns: the name of a column", "a string")
            column = plain_array(values, f"column {short_repr(name)}").view()
            if column.ndim != 1:
                raise ValueError(f"column {name!r} must be 1-D, not {column.ndim}-D")
            if length not in {-1, column.size}:
                raise ValueError(f"column {name!r} has {column.size} rows, and those before it have {length}")
            length = column.size
            column.flags.writeable = False
            checked[name] = column
        super().__init__(checked)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the columns."""
        return Table, (dict(self),)

    def copy(self) -> Table:
        """Return a table of the same columns.

        Examples
        --------
        >>> table = meiro.Table({"rows": [8, 16]})
        >>> table.copy() == table
        True
        """
        return Table(self)

    def __or__(self, other: Mapping[str, ArrayLike]) -> Table:  # type: ignore[override]
        """Return a table with the columns of both; where a name is in both, that of the right one."""
        return Table({**self, **other}) if isinstance(other, Mapping) else NotImplemented

    def __ror__(self, other: Mapping[str, ArrayLike]) -> Table:  # type: ignore[override]
        """Return a table with the columns of both."""
        return Table({**other, **self}) if isinstance(other, Mapping) else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Return whether names, their order, and values are the same; NaN equals NaN."""
        if not isinstance(other, Table) or list(self) != list(other):
            return False
        return all(map(_equal, self.values(), other.values()))

    def __ne__(self, other: object) -> bool:
        """Return whether the tables differ; that of a dict would compare arrays."""
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        """Return the number of rows."""
        return next((column.size for column in self.values()), 0)

    def __bool__(self) -> bool:
        """Return whether there is a column, which libraries ask before they read a dict."""
        return bool(self.keys())

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001
        """Return a structured array, a copy of the columns, for ``np.asarray(table)``."""
        if copy is False:
            raise ValueError("a structured array of a Table is a copy: copy=False cannot be")
        rows = np.empty(len(self), [(name, column.dtype) for name, column in self.items()])
        for name, column in self.items():
            rows[name] = column
        return rows if dtype is None else rows.astype(dtype)

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
                raise IndexError(f"rows are selected by a 1-D array of booleans or integers, not {what}")
            return Table({name: column[key] for name, column in self.items()})
        if isinstance(key, list):
            return Table({name: self[name] for name in self._names(key, "columns")})
        if isinstance(key, str) and key in self:
            return super().__getitem__(key)
        names = ", ".join(self)
        raise KeyError(
            f"no column {short_repr(key)}; there are {names}; rows are selected by a slice or an array"
        )

    def __repr__(self) -> str:
        """Return the size and the first rows; columns that do not fit are left out after two thirds."""
        most = min(_COLUMNS, len(self.keys()))
        names = _visible(list(self), most)
        fields = {name: self._fields(name) for name in names if name is not None}
        while most > 2 and sum(len(fields[name][0]) + 2 for name in names if name is not None) > _LINE:
            most -= 1
            names = _visible(list(self), most)
        gap = [_GAP] * (min(_ROWS, len(self)) + 1)
        lines = zip(*(gap if name is None else fields[name] for name in names), strict=True)
        rows = ["  ".join(line).rstrip() for line in lines]
        hidden = len(self.keys()) - sum(name is not None for name in names)
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
        note = "; ".join([self._size(), *self._rest(len(self.keys()) - _COLUMNS)])
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
        rows, columns = len(self), len(self.keys())
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
                raise TypeError(f"{argument} must be {what}, not {short_repr(given)}")
            if name not in self:
                raise KeyError(f"{argument}: no column {short_repr(name)}; there are {', '.join(self)}")
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
            raise ValueError("by= is an empty list: name a column")
        falling = boolean(descending, "descending")
        return self[np.lexsort([_ranks(self[name], falling=falling) for name in reversed(names)])]

    def hist(
        self,
        name: str,
        *,
        hue: str | None = None,
        bins: SupportsIndex | Sequence[float] | None = None,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw the histogram of a numeric column on matplotlib axes; needs the extra ``plot``.

        Parameters
        ----------
        name : str
            A column of numbers. Rows without a finite one are left out, and counted in the label below.
        hue : str, optional
            A column: rows of each of its values get an outline and a colour of their own, one of the twenty
            of `meiro.colors.GROUPS`. More than twenty values are spread over several panels.
        bins : int or sequence of float, optional
            The number of bins, or their edges. Default: by the spread and number of the values; multiples
            of a step, as integers are, get bins of one or several steps.
        ax : Axes, optional
            Default: the current axes; for several panels a new figure.

        Returns
        -------
        Axes
            What was drawn on, the first of several panels: ``ax.figure.axes`` has them all.

        Raises
        ------
        KeyError
            If `name` or `hue` is not a column.
        TypeError
            If the column is not numeric.
        ValueError
            If there is no finite number, `hue` has more values than one of the `ax` has colours, or than
            fifty panels have, or `bins` is invalid.
        ImportError
            If matplotlib is not installed.

        Examples
        --------
        >>> table = meiro.survey((8, 8), "wilson", 500, rng=7, measures=["dead_ends"], by="maze")
        >>> table.hist("dead_ends").get_xlabel()
        'dead_ends'
        """
        from meiro.drawing.matplotlib.statistics import draw_histogram

        column = self._numbers(name, "name")
        groups = {label: column[rows] for label, rows in self._groups(hue).items()}
        return draw_histogram(name, hue, groups, bins, ax)

    def plot(self, x: str, y: str, *, hue: str | None = None, ax: Axes | None = None) -> Axes:
        """Draw means of a numeric column over another as a line, with errors; needs the extra ``plot``.

        Parameters
        ----------
        x, y : str
            Columns of numbers. The line goes from left to right through the mean of `y` at each `x`, of the
            rows where both are finite; at an `x` without such rows the line has a gap. Bars show the
            standard error of the mean: of several rows that of their values, of a survey's ``"mean"`` the
            column ``standard_error``.
        hue : str, optional
            A column: rows of each of its values get a line and a colour of their own, one of the twenty of
            `meiro.colors.GROUPS`. More than twenty values are spread over several panels.
        ax : Axes, optional
            Default: the current axes; for several panels a new figure.

        Returns
        -------
        Axes
            What was drawn on, the first of several panels: ``ax.figure.axes`` has them all.

        Raises
        ------
        KeyError
            If `x`, `y` or `hue` is not a column.
        TypeError
            If a column is not numeric.
        ValueError
            If `hue` has more values than one of the `ax` has colours, or than fifty panels have; or if a line
            has several means of a survey, with errors of their own, at one place.
        ImportError
            If matplotlib is not installed.

        Examples
        --------
        >>> table = meiro.survey([(8, 8), (16, 16)], ["wilson", "kruskal"], 50, rng=7, measures="diameter")
        >>> len(table.plot("rows", "mean", hue="algorithm").lines)
        2
        """
        from meiro.drawing.matplotlib.statistics import draw_lines

        columns = [self._numbers(x, "x"), self._numbers(y, "y")]
        if y == "mean" and "standard_error" in self:
            columns.append(self._numbers("standard_error", "y"))
        lines = {label: [column[rows] for column in columns] for label, rows in self._groups(hue).items()}
        return draw_lines(x, y, hue, lines, ax)

    def _numbers(self, name: str, argument: str) -> NDArray[Any]:
        """Return a column of numbers."""
        (name,) = self._names([name], argument)
        column = self[name]
        if not _is_numeric(column):
            raise TypeError(f"{argument}: the column {short_repr(name)} holds {column.dtype}, not numbers")
        return column

    def _groups(self, hue: str | None) -> dict[str, Any]:
        """Return the rows of each value of a column, in the order of their first rows; or all rows."""
        if hue is None:
            return {"": slice(None)}
        found: dict[str, Any] = {}
        for rows in groups(self, self._names([hue], "hue")):
            value = self[hue][rows[0]]
            found[str(value) if _word(value) in found else _word(value)] = rows
        return found

    def describe(self) -> Table:
        """Summarize every numeric column: count, mean, spread and extremes.

        Returns
        -------
        Table
            ``measure`` (the name of the column), ``n`` (finite numbers), ``mean``, ``sd`` (of the sample),
            ``standard_error``, ``min``, ``max``. Columns that identify a maze (``rows``, ``cols``,
            ``replicate``, ``seed_0``, ``seed_1``, ``stream``) are left out. Means are correctly rounded.

        Examples
        --------
        >>> meiro.Table({"algorithm": ["wilson", "kruskal"] * 2, "dead_ends": [18, 20, 19, 21]}).describe()
        <Table: 1 row x 7 columns>
        measure    n  mean       sd  standard_error  min  max
        dead_ends  4  19.5  1.29099        0.645497   18   21
        """
        names = [name for name, column in self.items() if _is_numeric(column) and name not in _MAZE_COLUMNS]
        found = [Accumulator.of(self[name].astype(np.float64)).summary() for name in names]
        columns: dict[str, Any] = {
            key: [one[key] for one in found] for key in Accumulator.of(np.empty(0)).summary()
        }
        return Table({"measure": np.array(names, np.str_), **columns})

    def to_pandas(self) -> pd.DataFrame:
        """Return a ``pandas.DataFrame``; needs the extra ``data``.

        Examples
        --------
        >>> meiro.Table({"rows": [8, 16], "mean": [18.9, 85.0]}).to_pandas().shape
        (2, 2)
        """
        with requires_extra("data", "pandas"):
            import pandas as pd
        return pd.DataFrame(self)

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
            writer.writerow(self.columns)
            for first in range(0, len(self), 1 << 12):
                block = [column[first : first + (1 << 12)].tolist() for column in self.values()]
                writer.writerows([["" if x != x else x for x in row] for row in zip(*block, strict=True)])  # noqa: PLR0124

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write a Parquet file, with the types of the columns; needs the extra ``data``.

        Parameters
        ----------
        path : str or path-like
            An existing file is replaced only when all rows are written.

        Examples
        --------
        >>> meiro.Table({"rows": [8, 16], "mean": [18.9, 85.0]}).to_parquet("table.parquet")
        """
        with requires_extra("data", "pyarrow"):
            import pyarrow as pa
            import pyarrow.parquet
        with atomic(path) as file:
            pa.parquet.write_table(pa.table(self), file)


def _pairs(columns: Any) -> Iterable[tuple[Any, Any]]:
    """Return the names and values of columns; each pair is read, and checked, before the next."""
    if isinstance(columns, Mapping):
        return columns.items()
    return map(_pair, items_of(columns, "columns", "a mapping of names to arrays"))


def _pair(pair: Any) -> tuple[Any, Any]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise TypeError(f"columns must be pairs of a name and an array, not {short_repr(pair)}")
    return pair[0], pair[1]


def groups(table: Table, names: Sequence[str]) -> list[NDArray[np.intp]]:
    """Return the rows of each combination of values, in the order of their first rows; NaN equals NaN."""
    if len(table) == 0:
        return []
    codes = np.zeros(len(table), np.intp)
    for name in names:
        values, own = np.unique(table[name], return_inverse=True)
        codes = np.unique(codes * values.size + own, return_inverse=True)[1]
    rows = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
    return sorted(rows, key=lambda some: int(some[0]))


def _equal(a: NDArray[Any], b: NDArray[Any]) -> bool:
    return np.array_equal(a, b, equal_nan=a.dtype.kind == b.dtype.kind == "f")


def _ranks(column: NDArray[Any], *, falling: bool) -> NDArray[np.intp]:
    """Return numbers that sort as the values do, or the other way if `falling`; NaN is last."""
    values, ranks = np.unique(column, return_inverse=True)
    if not falling:
        return ranks
    missing = values.size > 0 and values.dtype.kind == "f" and bool(np.isnan(values[-1]))
    last = values.size - 1
    return np.where(ranks == last, last, last - 1 - ranks) if missing else last - ranks


def _visible(names: list[str], most: int) -> list[str | None]:
    """Return at most as many names, seeds last, and None where others are left out.

    Seeds are left out first, then what is between the first two thirds and the last third.
    """
    seeds = [name for name in names if name in _SEED_COLUMNS]
    others = [name for name in names if name not in _SEED_COLUMNS]
    if len(names) <= most:
        return [*others, *seeds]
    if len(others) <= most:
        return [*others, *seeds[: most - len(others)], None]
    first = -(-2 * most // 3)
    return [*others[:first], None, *others[len(others) - most + first :]]


def _is_numeric(column: NDArray[Any]) -> bool:
    return column.dtype.kind in "biuf"


def _word(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float | np.floating) else _short(str(value))


def _short(word: str) -> str:
    line = " ".join(word.split())
    return line if len(line) <= _FIELD else line[: _FIELD - 3] + "..."
