"""Tables as commands print and write them."""

from __future__ import annotations

import json
import math
import shutil
import sys
import textwrap
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.atomic import atomic
from meiro.cli.shared.streams import is_stream, output_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from meiro.results.table import Table

SUFFIXES = (".csv", ".json", ".parquet")


def json_value(value: Any) -> Any:
    """Return a value as JSON has it: not a number is null."""
    plain = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain


def rows_of(table: Table) -> list[dict[str, Any]]:
    """Return a dict for each row."""
    return [{name: json_value(table[name][i]) for name in table} for i in range(len(table))]


def printed(rows: Sequence[Mapping[str, Any]], notes: Sequence[str] = ()) -> str:
    """Return rows in aligned columns: numbers to the right, a dash for what is undefined.

    Texts of the columns in `notes` stand below, and their numbers in the rows. In a terminal that is
    narrower the columns stand in blocks below each other.
    """
    if not rows:
        return "no rows"
    columns, texts, labels = [], [""], 0
    for k, name in enumerate(rows[0]):
        values = [row[name] for row in rows]
        if name in notes:
            texts += [text for text in dict.fromkeys(values) if text not in texts]
            values = [text and f"[{texts.index(text)}]" for text in values]
        number = all(not isinstance(value, str) for value in values)
        if not number and name not in notes:
            labels = k + 1  # the columns up to the last of texts say what a row is
        cells = [name, *map(_printed_value, values)]
        width = max(map(len, cells))
        columns.append([cell.rjust(width) if number else cell.ljust(width) for cell in cells])
    width = (
        shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else sys.maxsize
    )
    blocks = ["\n".join(map(_line, zip(*block, strict=True))) for block in _blocks(columns, labels, width)]
    below = [f"[{k}] {text}" for k, text in enumerate(texts) if text]
    if width < sys.maxsize:
        below = [textwrap.fill(text, width, subsequent_indent="    ") for text in below]
    return "\n".join(["\n\n".join(blocks), *below])


def _blocks(columns: list[list[str]], labels: int, width: int) -> list[list[list[str]]]:
    """Split columns into blocks that are at most as wide, each after the labels that tell rows apart."""
    again = [column for column in columns[:labels] if len(set(column[1:])) > 1]
    blocks: list[list[list[str]]] = [[]]
    for column in columns:
        if len(_line([line[0] for line in (*blocks[-1], column)])) > width and len(blocks[-1]) > len(again):
            blocks.append(list(again))
        blocks[-1].append(column)
    return blocks


def _line(cells: Sequence[str]) -> str:
    return "  ".join(cells).rstrip()


def _printed_value(value: Any) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.6g}" if isinstance(value, float) else str(value)


def check_suffix(name: str) -> str:
    """Return the suffix of a file for a table; ``-`` is CSV on standard output."""
    suffix = (name[1:] or ".csv") if is_stream(name) else PurePath(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{name}: a table is written as .csv, .json or .parquet, not as {suffix!r}")
    return suffix


def write_table(table: Table, name: str) -> None:
    """Write a table as the suffix says."""
    suffix = check_suffix(name)
    with output_file(f"-{suffix}" if is_stream(name) else name) as path:
        if suffix == ".csv":
            table.to_csv(path)
        elif suffix == ".json":
            with atomic(path, "w") as file:
                file.write(json.dumps(rows_of(table), indent=1) + "\n")
        else:
            table.to_parquet(path)
