"""Walls and roads as fields between separators: numbers of NumPy and of spreadsheets, tables of pandas."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.arrays import road_values
from meiro._utils.characters import MarkedWalls, read_characters, signs_of
from meiro._utils.messages import short_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from meiro._utils.arrays import Scalar

_SEPARATORS = ",;\t"
_NUMBER = re.compile(r'\s*"?[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?"?\s*', re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
_BETWEEN_NUMBERS = re.compile(rf"(?:{_NUMBER.pattern}([|:/&])(?!\s*$))+{_NUMBER.pattern}\2?", re.IGNORECASE)
_RAGGED = re.compile(r"number of columns changed from (\d+) to (\d+) at row (\d+)")
_NO_NUMBER = re.compile(r"could not convert string (.*) to float64 at row (\d+), column (\d+)", re.DOTALL)
_NEITHER = "is neither 0 (road) nor 1 (wall); other values are read with road="
_OF_NUMBERS = '0123456789+-.eE" \n'
_FEWEST = 3  # columns or rows of which a header or an index 0, 1, 2, ... is known: 0, 1 may be road and wall


def separator_of(line: str) -> str | None:
    """Return what separates the fields of a line, a blank for any white space; None if it has no fields."""
    marks = [mark for mark in _SEPARATORS if mark in line.strip()]
    if len(marks) == 2 and all(map(_NUMBER.fullmatch, _DECIMAL_COMMA.sub(".", line).split(marks[1]))):
        return marks[1]
    if marks:
        return marks[0]
    if found := _BETWEEN_NUMBERS.fullmatch(line):
        return found[3]
    words = line.split()
    if len(words) > 1 and all(map(_NUMBER.fullmatch, words)):
        plain = all(set(word) <= {"0", "1"} for word in words)  # as in 11 11, a grid with a gap
        return None if plain and any(len(word) > 1 for word in words) else " "
    return None


def are_numbers(line: str) -> bool:
    """Return whether a line consists of numbers, with separators."""
    separator = separator_of(line)
    return separator is not None and all(map(_NUMBER.fullmatch, _split(line.strip(), separator)))


def read_fields(
    lines: Sequence[str], first: int, separator: str, road: object
) -> tuple[MarkedWalls, Callable[[int, int], str]]:
    """Tell walls and roads in lines of fields, and what says where a site is; `first` numbers the first line.

    Without `road` they are 0 and 1, or single characters. The header and the index that pandas writes are
    left out.

    Raises
    ------
    ValueError
        If a line is longer or shorter than the first or a field is foreign; with line and column, both
        counted from 1, the column in fields.
    """
    roads = None if road is None else road_values(road)
    if separator != "," and len(lines) > 1:  # one line may be several rows, as of MATLAB
        lines = [_DECIMAL_COMMA.sub(".", line) if "," in line else line for line in lines]
    rows = _bare(lines, first, separator)
    head, after = (_split(row, separator) for row in (rows[0], rows[min(1, len(rows) - 1)]))
    n = len(head)
    numbers = all(map(_NUMBER.fullmatch, after if len(rows) > 1 else head))
    counted = n >= _FEWEST and head == [*map(str, range(n))]
    named = numbers and (roads is None or not any(isinstance(value, str) for value in roads))
    has_index = len(rows) > 1 and n > 1 and head[0] == "" and all(head[1:]) and n == len(after)
    has_header = len(rows) > 1 and (
        counted or has_index or (named and not all(map(_NUMBER.fullmatch, head)) and "" not in head)
    )
    if has_index:
        rows = [_rest(row, separator) or separator for row in rows]
    rows, first = rows[has_header:], first + has_header
    if roads is None:
        inner = _split(rows[0], separator)[n > 2 :]  # the first may be an index
        words = not any(map(_NUMBER.fullmatch, inner)) or _are_signs(rows, separator)
    else:
        words = any(isinstance(value, str) for value in roads)
    fields = _load(rows, first, separator, str if words else float)
    if not has_index and len(fields) >= _FEWEST and fields.shape[1] > 1 and _counts(fields[:, 0]):
        fields, has_index = fields[:, 1:], True
    if fields.dtype.kind == "U" and not has_header and _is_header(fields):
        fields, first = fields[1:], first + 1
    if fields.dtype.kind == "U":
        fields = fields.astype(f"U{max(1, np.char.str_len(fields).max())}")
        if roads is None and np.isin(fields, ("True", "False", "TRUE", "FALSE", "true", "false")).all():
            fields = np.char.lower(fields) == "true"

    def place(row: int, col: int) -> str:
        return f"line {row + first}, column {col + 1 + has_index}"

    return _told(fields, roads, place), place


def _bare(lines: Sequence[str], first: int, separator: str) -> list[str]:
    """Return lines without white space around, and without separators at the end, where no field follows.

    A spreadsheet writes rows and columns of empty fields for cells that had no more than a format.
    """
    rows = []
    for number, line in enumerate(lines, first):
        bare = line.strip(" \r\n" if separator == "\t" else None)
        if not bare.strip():
            raise ValueError(f"line {number}: empty, with more after it")
        if bare.count('"') % 2:
            raise ValueError(f"line {number}: a quotation mark is not closed")
        rows.append(bare)
    while len(rows) > 1 and not rows[-1].strip(f'{separator} "'):
        rows.pop()
    common = min(len(row) - len(row.rstrip(separator)) for row in rows)
    if common == 0 and len({row.count(separator) for row in rows}) == 1:
        return rows
    return [row.removesuffix(max(1, common) * separator) or row for row in rows]


def _split(row: str, separator: str) -> list[str]:
    parts = row.split(None if separator == " " else separator)
    return [part.strip().strip('"') for part in parts]


def _rest(row: str, separator: str) -> str:
    """Return a row without its first field, which may be quoted."""
    if row.startswith('"'):
        row = row[row.find('"', 1) + 1 :]
    return row.partition(separator)[2]


def _are_signs(rows: Sequence[str], separator: str) -> bool:
    """Return whether fields are signs beside numbers, or 1 where nothing is road, as in a spreadsheet."""
    text = "\n".join(rows)
    empty = separator * 2 in text or any(separator in (row[0], row[-1]) for row in rows)
    odd = not {*text} <= {*_OF_NUMBERS, separator}
    if separator == " " or not (odd or (empty and "0" not in text)):
        return False
    return all(len(field) <= 1 for row in rows for field in _split(row, separator))


def _load(rows: Sequence[str], first: int, separator: str, kind: type) -> NDArray[Any]:
    if kind is str:
        return _words(rows, first, separator)
    delimiter = None if separator == " " else separator
    try:
        return np.loadtxt(rows, kind, comments=None, delimiter=delimiter, quotechar='"', ndmin=2)
    except ValueError as e:
        raise ValueError(_place_of(str(e), first)) from e


def _words(rows: Sequence[str], first: int, separator: str) -> NDArray[np.str_]:
    """Return fields as words; NumPy would take 200 bytes for each."""
    parts: Iterable[list[str]] = csv.reader(rows, delimiter=separator, skipinitialspace=separator == " ")
    table = [[word.strip() or word[:1] for word in row] for row in parts]
    for number, row in enumerate(table, first):
        if len(row) != len(table[0]):
            raise ValueError(f"line {number}: {len(row)} fields, the lines before have {len(table[0])}")
    return np.array(table, np.str_)


def _counts(values: NDArray[Any]) -> bool:
    """Return whether values are 0, 1, 2, ..., as an index."""
    numbers = np.arange(len(values))
    return bool((values == (numbers.astype(str) if values.dtype.kind == "U" else numbers)).all())


def _is_header(fields: NDArray[Any]) -> bool:
    """Return whether words in the first row are names of columns: all differ, and none is a value below."""
    head = fields[0]
    if len(fields) == 1 or head.size == 1 or len(np.unique(head)) < head.size:
        return False
    return not np.isin(head, fields[1:]).any()


def _told(
    fields: NDArray[Any], roads: tuple[Scalar, ...] | None, place: Callable[[int, int], str]
) -> MarkedWalls:
    """Return the walls and roads of fields."""
    words = fields.dtype.kind == "U"
    letters = words and fields.dtype.itemsize == np.dtype("U1").itemsize
    if roads is None:
        if letters:
            fields[fields == ""] = " "
            return read_characters(fields, None, place)
        if not words and (signs := signs_of(fields)) is not None:
            return read_characters(signs, None, place)
        _refuse_where(fields != "" if words else (fields != 0) & (fields != 1), fields, _NEITHER, place)
        return MarkedWalls((fields != 0).view(np.uint8), None, None)
    values: list[Any] = [str(value) for value in roads] if words else [*roads]
    if words and len(values) == 1 and not (fields == values[0]).any():
        values = [*values[0]]  # each letter counts
    if letters and " " in values:
        fields[fields == ""] = " "
    _refuse_where(fields == "" if words else np.isnan(fields), fields, "is not a value", place)
    walls = ~np.isin(fields, values)
    if walls.all():
        raise ValueError(
            f"there is no road: no field is road={short_repr(roads[0] if len(roads) == 1 else roads)}"
        )
    if letters:
        return read_characters(fields, values, place)
    return MarkedWalls(walls.view(np.uint8), None, None)


def _refuse_where(
    wrong: NDArray[np.bool_], fields: NDArray[Any], what: str, place: Callable[[int, int], str]
) -> None:
    if wrong.any():
        row, col = np.argwhere(wrong)[0].tolist()
        value = fields[row, col] if fields.dtype.kind == "U" else f"{fields[row, col]:g}"
        raise ValueError(f"{place(row, col)}: '{value}' {what}")


def _place_of(message: str, first: int) -> str:
    """Return an error of `numpy.loadtxt` with line and column counted from 1."""
    if found := _RAGGED.search(message):
        before, fields, line = found.groups()
        return f"line {int(line) + first - 1}: {fields} fields, the lines before have {before}"
    if found := _NO_NUMBER.search(message):
        text, row, column = found.groups()
        return f"line {int(row) + first}, column {column}: {text} {_NEITHER}"
    return message
