"""What is shown of a table: its first rows, as text or HTML, however many there are."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from meiro.stats.table import Table

_ROWS = 10
_COLUMNS = 40
_WIDTH = 100  # letters of a line
_FIELD = 24  # letters of a field
_GAP = "..."


def table_text(table: Table) -> str:
    """Return a line that says how large the table is, and its first rows in lines of about 100 letters.

    Columns that do not fit are left out, in the last third.

    Parameters
    ----------
    table : Table

    Returns
    -------
    str

    Examples
    --------
    >>> meiro.Table({"cells": [4, 16], "mean": [2.5, 7 / 9]})
    <Table: 2 rows x 2 columns>
    cells      mean
        4       2.5
       16  0.777778
    """
    names = kept = _first_and_last(list(table), _COLUMNS)
    fields = {name: _fields(name, table[name][:_ROWS]) for name in names}
    while sum(len(fields[name][0]) + 2 for name in kept) > _WIDTH and len(kept) > 2:
        kept = _first_and_last(names, len(kept) - 1)
    lines = [[fields[name][i] for name in kept] for i in range(min(_ROWS, table.n_rows) + 1)] if kept else []
    if len(kept) < len(table):
        for line in lines:
            line.insert(_gap(kept), _GAP)
    rows = ["  ".join(line).rstrip() for line in lines]
    return "\n".join([f"<{_size(table)}>", *rows, *(f"... {more}" for more in _more(table))])


def table_html(table: Table) -> str:
    """Return the first rows as HTML that takes its colours from the page.

    Parameters
    ----------
    table : Table

    Returns
    -------
    str
    """
    kept = _first_and_last(list(table), _COLUMNS)
    rows: list[list[str]] = [[] for _ in range(min(_ROWS, table.n_rows) + 1)]
    for i, name in enumerate(kept):
        if i == _gap(kept) and len(kept) < len(table):
            for row in rows:
                row.append(f"<td>{_GAP}</td>")
        side = "right" if _is_number(table[name]) else "left"
        style = f'style="text-align:{side};white-space:nowrap"'
        for row, word in zip(rows, [name, *map(_word, table[name][:_ROWS])], strict=True):
            tag = "td" if row is not rows[0] else "th"
            row.append(f"<{tag} {style}>{html.escape(_short(word))}</{tag}>")
    head, *body = ("<tr>" + "".join(row) + "</tr>" for row in rows)
    note = html.escape("; ".join([_size(table), *_more(table)]))
    return (
        f'<div style="overflow-x:auto;max-width:100%"><table><thead>{head}</thead>'
        f"<tbody>{''.join(body)}</tbody></table>"
        f'<div style="font-size:90%;opacity:0.75;margin-top:2px">{note}</div></div>'
    )


def _size(table: Table) -> str:
    rows, columns = table.n_rows, len(table)
    return f"Table: {rows:,} row{'s' * (rows != 1)} x {columns} column{'s' * (columns != 1)}"


def _more(table: Table) -> list[str]:
    more = table.n_rows - _ROWS
    return [f"{more:,} more row{'s' * (more != 1)}"] if more > 0 else []


def _first_and_last(names: list[str], most: int) -> list[str]:
    more = max(len(names) - most, 0)
    gap = _gap(names[more:])
    return names[:gap] + names[gap + more :]


def _gap(kept: list[str]) -> int:
    """Return where columns are left out: what a table begins with says more."""
    return -(-2 * len(kept) // 3)


def _fields(name: str, column: np.ndarray[Any, Any]) -> list[str]:
    """Return the name and the values of a column, all of one width."""
    words = [_short(name), *map(_word, column)]
    wide = max(map(len, words))
    return [word.rjust(wide) if _is_number(column) else word.ljust(wide) for word in words]


def _is_number(column: np.ndarray[Any, Any]) -> bool:
    return column.dtype.kind in "biuf"


def _word(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float | np.floating) else _short(str(value))


def _short(word: str) -> str:
    line = " ".join(word.split())
    return line if len(line) <= _FIELD else line[: _FIELD - 3] + "..."
