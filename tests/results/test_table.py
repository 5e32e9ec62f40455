"""Tables: a dict of frozen columns that other libraries take, and the accumulators of a summary."""

from __future__ import annotations

import contextlib
import copy
import csv
import json
import math
import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from refusals import refused

import meiro
from meiro.results import accumulators
from meiro.results.accumulators import QUANTILES, UNIT, Accumulator

COLUMNS: dict[str, Any] = {
    "algorithm": np.array(["wilson", "kruskal", "prim"] * 5),
    "rows": np.repeat(np.arange(8, 13), 3),
    "seed_0": np.arange(15, dtype=np.uint64) + np.uint64(2**64 - 20),
    "mean": np.linspace(0, 1, 15),
    "z": np.array([math.nan, 2.5, -1] * 5),
}


@pytest.fixture
def table() -> meiro.Table:
    return meiro.Table(COLUMNS)


def test_table_columns_are_in_order(table: meiro.Table) -> None:
    assert list(table) == list(table.keys()) == list(COLUMNS)
    assert (len(table), len(meiro.Table())) == (15, 0)
    assert "mean" in table
    assert "maen" not in table
    for name, column in COLUMNS.items():
        assert table[name].dtype == column.dtype
        assert np.array_equal(table[name], column, equal_nan=name == "z")
    assert meiro.Table(table) == meiro.Table(dict(table)) == table
    two = table[["z", "rows"]]
    assert list(two) == ["z", "rows"]
    assert np.shares_memory(two["rows"], table["rows"])
    with pytest.raises(KeyError, match="columns: no column 'a'; there are algorithm, rows"):
        table[["a"]]


def test_table_is_a_dict(table: meiro.Table) -> None:
    assert isinstance(table, dict)
    assert {name for name in dir(table) if name[0] != "_" and name not in dir(dict)} == {
        *("columns", "describe", "head", "hist", "plot", "sort"),
        *("to_csv", "to_pandas", "to_parquet"),
    }
    assert table.columns == list(table) == list(COLUMNS)
    assert type(dict(table)) is type({**table}) is dict
    for same in (dict(table), {**table}, dict(**table), dict(table.items())):
        assert meiro.Table(same) == table
    assert table.get("mean") is table["mean"]
    assert table.get("maen") is None
    assert len(table.values()) == len(COLUMNS)
    assert list(reversed(table)) == list(COLUMNS)[::-1]


def test_a_table_is_true_if_it_has_columns(table: meiro.Table) -> None:
    """As libraries ask a dict before they read it."""
    assert table
    assert table[:0]
    assert not meiro.Table()
    assert json.loads(json.dumps(table[["rows"]][:0], default=np.ndarray.tolist, indent=1)) == {"rows": []}


def test_union_of_tables(table: meiro.Table) -> None:
    wider = table | {"share": table["mean"] / 2}
    assert type(wider) is meiro.Table
    assert wider.columns == [*COLUMNS, "share"]
    assert wider[list(COLUMNS)] == table
    assert (table | {"mean": np.zeros(15)})["mean"].sum() == 0
    left = {"share": np.ones(15), "mean": np.zeros(15)} | table
    assert type(left) is meiro.Table
    assert left.columns == ["share", "mean", "algorithm", "rows", "seed_0", "z"]
    assert left["mean"] is not table["mean"]
    assert np.array_equal(left["mean"], table["mean"])
    assert table | meiro.Table() == table
    with pytest.raises(ValueError, match="column 'share' has 2 rows, and those before it have 15"):
        table | {"share": [1, 2]}
    with pytest.raises(TypeError, match="unsupported operand"):
        table | 3  # type: ignore[operator]


def test_table_is_frozen(table: meiro.Table) -> None:
    changed: Any = table
    with pytest.raises(TypeError, match=r"does not change: make a new one, table \| {name: values}"):
        changed["mean"] = 1
    changes: list[Callable[[], Any]] = [
        lambda: changed.__delitem__("mean"),
        lambda: changed.__ior__({"new": COLUMNS["mean"]}),
        lambda: changed.update(new=COLUMNS["mean"]),
        lambda: changed.setdefault("new", COLUMNS["mean"]),
        lambda: changed.pop("mean"),
        changed.popitem,
        changed.clear,
    ]
    for change in changes:
        refused(TypeError, "does not change", change)
    with pytest.raises(ValueError, match="read-only"):
        table["mean"][0] = 7
    assert table == meiro.Table(COLUMNS)
    assert list(meiro.Table({**table, "new": COLUMNS["mean"]})) == [*COLUMNS, "new"]
    assert COLUMNS["mean"].flags.writeable, "the user's own array is left as it was"


def test_table_equality(table: meiro.Table) -> None:
    assert table == pickle.loads(pickle.dumps(table)) == copy.deepcopy(table)  # noqa: S301
    assert type(pickle.loads(pickle.dumps(table))) is meiro.Table  # noqa: S301
    assert table != dict(table)
    assert dict(table) != table
    assert (table == dict(table), dict(table) == table, table == 3) == (False, False, False)
    assert not table != meiro.Table(COLUMNS)  # noqa: SIM202  # that of a dict would compare arrays
    assert table != meiro.Table(dict(reversed(COLUMNS.items())))
    assert table != meiro.Table({**COLUMNS, "mean": COLUMNS["mean"] + 1e-16})
    assert table != table[:-1]
    assert table == table[:] == copy.copy(table) == table.copy()
    assert type(table.copy()) is type(copy.copy(table)) is type(copy.deepcopy(table)) is meiro.Table
    assert not copy.deepcopy(table)["mean"].flags.writeable
    refused(TypeError, "hash", hash, table)


def test_table_rows(table: meiro.Table) -> None:
    assert table[2:9:3]["rows"].tolist() == [8, 9, 10]
    assert set(table[table["algorithm"] == "prim"]["algorithm"]) == {"prim"}
    assert table[np.argsort(-table["mean"])[:2]]["mean"].tolist() == pytest.approx([1, 13 / 14])
    with pytest.raises(KeyError, match="no column 'maen'; there are algorithm, rows"):
        table["maen"]
    with pytest.raises(KeyError, match=r"no column 3; .*slice"):
        table[3]  # type: ignore[call-overload]
    with pytest.raises(IndexError, match="1-D array of booleans or integers, not a 2-D"):
        table[np.zeros((2, 2), int)]


@pytest.mark.parametrize("key", [slice(3, 25), np.arange(30) % 3 == 0, np.arange(-30, 30)])
def test_rows_are_those_of_each_column(key: Any) -> None:
    column = np.array([f"word {i}" for i in range(30)])
    assert meiro.Table({"a": column})[key]["a"].tolist() == column[key].tolist()


def test_head(table: meiro.Table) -> None:
    assert table.head() == table[:5]
    assert table.head(3) == table[:3]
    assert table.head(100) == table
    assert len(table.head(0)) == 0
    refused(ValueError, "n must be at least 0, not -1", table.head, -1)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("by", ["z", "algorithm", ["algorithm", "z"], ("z", "rows"), "seed_0"])
def test_sort_is_that_of_pandas(table: meiro.Table, by: Any, *, descending: bool) -> None:
    mixed = table[np.random.default_rng(7).permutation(15)]
    names = [by] if isinstance(by, str) else list(by)
    wanted = pd.DataFrame(dict(mixed)).sort_values(names, ascending=not descending, kind="stable")
    assert mixed.sort(by, descending=descending).to_pandas().equals(wanted.reset_index(drop=True))


def test_sort_of_few_rows_and_bad_names(table: meiro.Table) -> None:
    assert table[:0].sort("z", descending=True) == table[:0]
    nothing = meiro.Table([("a", [math.nan, math.nan]), ("b", [1, 2])])
    assert nothing.sort("a", descending=True) == nothing
    assert meiro.Table({"a": [True, False]}).sort("a")["a"].tolist() == [False, True]
    refused(KeyError, "by: no column 'y'", table.sort, ["z", "y"])
    refused(ValueError, "by= is an empty list", table.sort, [])


def test_table_refuses_bad_columns() -> None:
    with pytest.raises(ValueError, match="column 'b' has 2 rows, and those before it have 3"):
        meiro.Table({"a": [1, 2, 3], "b": [1, 2]})
    refused(ValueError, "column 'a' must be 1-D, not 2-D", meiro.Table, {"a": [[1]]})
    names: Any = {1: [1]}
    refused(TypeError, "name of a column must be a string, not 1", meiro.Table, names)
    pairs: Any = [("a", [1]), "bc"]
    refused(TypeError, "columns must be pairs of a name and an array, not 'bc'", meiro.Table, pairs)


def test_table_conversions(table: meiro.Table, tmp_path: Path) -> None:
    frame = pd.DataFrame(table)
    assert frame.equals(table.to_pandas())
    assert frame.equals(pd.DataFrame(COLUMNS))
    assert frame["seed_0"].dtype == np.uint64
    assert frame["algorithm"].tolist() == COLUMNS["algorithm"].tolist()
    assert pd.DataFrame(table, columns=["z", "rows"]).equals(frame[["z", "rows"]])
    assert pd.DataFrame.from_dict(table).equals(frame)
    assert pl.DataFrame(table).equals(pl.from_pandas(frame, nan_to_null=False), null_equal=True)
    assert pl.DataFrame(table)["seed_0"].to_list() == COLUMNS["seed_0"].tolist()
    table.to_parquet(tmp_path / "t.parquet")
    assert pd.read_parquet(tmp_path / "t.parquet").equals(frame)
    assert pa.table(table)["mean"].to_pylist() == COLUMNS["mean"].tolist()
    table.to_csv(tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert [float(row["mean"]) for row in read] == COLUMNS["mean"].tolist(), "to the last bit"
    assert [int(row["seed_0"]) for row in read] == COLUMNS["seed_0"].tolist()
    assert [row["z"] for row in read[:3]] == ["", "2.5", "-1.0"]
    assert pd.read_csv(tmp_path / "t.csv")["z"].isna().sum() == 5
    meiro.Table({"a": ['1,"2"', "Маза"]}).to_csv(str(tmp_path / "u.csv"))
    assert pd.read_csv(tmp_path / "u.csv")["a"].tolist() == ['1,"2"', "Маза"]


KINDS: dict[str, Any] = {
    "text": np.array(["a", "Маза", ""]),
    "bool": np.array([True, False, True]),
    **{kind: np.array([0, 1, 7], kind) for kind in ("int8", "int32", "int64", "uint8", "uint64", "float32")},
    "float64": np.array([math.nan, -0.0, 1e300]),
}


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_libraries_keep_types_and_numbers(rows: int) -> None:
    columns: dict[str, Any] = {name: column[:rows] for name, column in KINDS.items()}
    table = meiro.Table(columns)
    frame, polar, arrow = pd.DataFrame(table), pl.DataFrame(table), pa.table(table)
    assert frame.equals(pd.DataFrame(columns))
    assert {name: frame[name].dtype for name in list(KINDS)[1:]} == {
        name: column.dtype for name, column in list(columns.items())[1:]
    }
    assert [str(kind).lower() for kind in polar.dtypes] == [
        {"text": "string", "bool": "boolean"}.get(name, name) for name in KINDS
    ]
    assert [str(kind) for kind in arrow.schema.types] == [
        {"text": "string", "float32": "float", "float64": "double"}.get(name, name) for name in KINDS
    ]
    rec = np.asarray(table)
    assert rec.dtype == np.dtype([(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        for found in (polar[name].to_numpy(), arrow[name].to_numpy(), rec[name]):
            assert np.array_equal(found, column, equal_nan=name == "float64")
    assert pd.DataFrame(rec).equals(frame)
    assert meiro.Table({name: polar[name].to_numpy() for name in list(KINDS)[1:]}) == table[list(KINDS)[1:]]
    refused(ValueError, "copy=False cannot be", np.asarray, table, copy=False)


def test_a_frame_of_a_table_is_a_copy(table: meiro.Table) -> None:
    frame = pd.DataFrame(table)
    frame.loc[0, "mean"] = 7
    assert table == meiro.Table(COLUMNS)


def test_describe_is_that_of_pandas(table: meiro.Table) -> None:
    found = table.describe()
    assert list(found) == ["measure", "n", "mean", "sd", "standard_error", "min", "max"]
    assert found["measure"].tolist() == ["mean", "z"], "seeds, rows and texts have no mean"
    assert found["n"].tolist() == [15, 10]
    frame = table.to_pandas()
    for row in zip(*found.values(), strict=True):
        line = dict(zip(found, row, strict=True))
        column = frame[line["measure"]]
        wanted = [column.count(), column.mean(), column.std(), column.sem(), column.min(), column.max()]
        got = [line[k] for k in ("n", "mean", "sd", "standard_error", "min", "max")]
        assert got == pytest.approx(wanted, rel=1e-14)
    nothing = table[:0].describe()
    assert nothing["n"].tolist() == [0, 0]
    assert np.isnan(nothing["mean"]).all()
    assert {k: nothing[k].dtype.kind for k in nothing} == {k: found[k].dtype.kind for k in found}
    assert len(table[["algorithm"]].describe()) == 0


def test_table_views_are_bounded() -> None:
    column = np.full(2000, "<b>\n" + "x" * 1000)
    wide = meiro.Table({f"column {i} <&>": column for i in range(500)})
    text, html = repr(wide), wide._repr_html_()
    assert text.startswith("<Table: 2,000 rows x 500 columns>\ncolumn 0 <&>")
    assert re.search(r"\n... 1,990 more rows\n... 49\d more columns$", text)
    assert len(text.splitlines()) == 14
    assert max(map(len, text.splitlines())) < 120
    assert len(html) < 100_000
    assert "<b>" not in html
    assert "column 0 &lt;&amp;&gt;" in html
    assert "2,000 rows x 500 columns; 1,990 more rows; 490 more columns<" in html
    assert not re.search(r"[^-]color|background|#[0-9a-f]{3}", html), (
        "the page has its own colours, light or dark"
    )
    assert html.count("<tr>") == 11
    assert html.count(f'title="&lt;b&gt;\n{"x" * 496}">&lt;b&gt; xxx') == 100  # what is shortened
    assert "title" not in meiro.Table({"a": ["short"]})._repr_html_()
    assert repr(meiro.Table()) == "<Table: 0 rows x 0 columns>"
    assert "0 rows" in meiro.Table()._repr_html_()
    many = meiro.Table({f"c{i}": [i] for i in range(60)})
    assert repr(many).splitlines()[1].split() == [*(f"c{i}" for i in range(7)), "...", "c57", "c58", "c59"]
    assert repr(many).endswith("\n... 50 more columns")
    assert "..." not in repr(many[[f"c{i}" for i in range(10)]])
    assert html.count("<th ") == 10


def test_seeds_are_shown_after_measures_and_where_there_is_room() -> None:
    names = ["algorithm", "replicate", "seed_0", "seed_1", "stream", "version"]
    measures = [f"m{i}" for i in range(12)]
    for count, shown in (
        (2, ["algorithm", "replicate", "m0", "m1", "seed_0", "seed_1", "stream", "version"]),
        (6, ["algorithm", "replicate", *measures[:6], "seed_0", "seed_1", "..."]),
        (8, ["algorithm", "replicate", *measures[:8], "..."]),
        (12, ["algorithm", "replicate", *measures[:5], "...", "m9", "m10", "m11"]),
    ):
        table = meiro.Table({name: [1] for name in [*names, *measures[:count]]})
        assert repr(table).splitlines()[1].split() == shown
        html = table._repr_html_()
        assert re.findall(r"<t[hd] [^>]*>([^<]+)", html.partition("</thead>")[0]) == shown
        hidden = len(table.columns) - sum(name != "..." for name in shown)
        assert (
            (f"... {hidden} more columns" in repr(table))
            == (f"{hidden} more columns" in html)
            == (hidden > 0)
        )
    assert table.columns == [*names, *measures], "the columns keep their order"


numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(numbers | st.integers(-50, 50).map(float), min_size=2, max_size=40), st.data())
def test_accumulators_are_exact_whatever_the_pieces(x: list[float], data: st.DataObject) -> None:
    whole = Accumulator.of(np.array(x))
    assert whole.sum == sum(map(Fraction, x)) * 2**UNIT
    assert whole.squares == sum(Fraction(i) ** 2 for i in x) * 2 ** (2 * UNIT)
    n, mean = len(x), sum(map(Fraction, x)) / len(x)
    second, fourth = (sum((Fraction(i) - mean) ** power for i in x) / n for power in (2, 4))
    variance = second * n / (n - 1)
    with contextlib.suppress(OverflowError):  # beyond 1.8e308
        assert whole.variance == float(variance)
        assert whole.variance_error == math.sqrt((fourth - variance**2 * (n - 3) / (n - 1)) / n)
    order = data.draw(st.permutations(x))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(x)), max_size=4)))
    pieces = Accumulator.of(np.empty(0))
    for first, last in zip([0, *cuts], [*cuts, len(x)], strict=True):
        pieces = pieces.merged(Accumulator.of(np.array(order[first:last])))
    assert statistics(pieces) == statistics(whole)


def statistics(stat: Accumulator) -> list[str]:
    """Return all statistics of an accumulator, to the last bit."""
    spread = [stat.n, stat.mean, stat.sd, stat.standard_error, stat.variance_error, *stat.summary().values()]
    with np.errstate(over="ignore", invalid="ignore"):  # between -1.7e308 and 1.7e308
        return [*map(repr, spread + stat.quantiles(whole=False))]


@pytest.mark.parametrize("n", [1, 2, 5, 19, 20, 21, 1000])
def test_accumulators_have_the_quantiles_of_numpy(n: int) -> None:
    rng = np.random.default_rng(n)
    for x in (rng.normal(size=n), rng.integers(0, 9, n).astype(float)):
        assert Accumulator.of(x).quantiles(whole=False) == pytest.approx(
            np.quantile(x, np.array(QUANTILES) / 100), rel=1e-12
        )


def test_accumulators_round_means_correctly() -> None:
    x = np.array([1e16, 1, -1e16, 3])
    assert Accumulator.of(x).mean == 1
    assert Accumulator.of(np.array([0.1] * 10)).sd == 0
    assert Accumulator.of(np.array([1e9, 1e9 + 1, 1e9 + 2])).sd == 1
    huge = Accumulator.of(np.array([-1e300, 1e300]))
    assert (huge.mean, huge.sd, huge.variance_error) == (0, math.inf, math.inf)
    empty = Accumulator.of(np.array([math.nan, math.inf]))
    assert empty.n == 0
    assert all(
        map(
            math.isnan,
            (
                empty.mean,
                empty.sd,
                empty.variance_error,
                *list(empty.summary().values())[1:],
                *empty.quantiles(whole=True),
            ),
        )
    )


def values_of_many(n: int) -> dict[str, NDArray[np.float64]]:
    rng = np.random.default_rng(5)
    return {"float": rng.lognormal(3, 2, n) - 20, "int": rng.integers(-9000, 400_000, n).astype(np.float64)}


@pytest.mark.parametrize("kind", ["float", "int"])
def test_accumulators_of_more_numbers_than_are_kept(kind: str) -> None:
    """Memory is bounded, quantiles are close, and independent of the pieces in which the numbers came."""
    x = values_of_many(300_000)[kind]
    whole = Accumulator.of(x)
    assert not whole.counts.exact
    assert len(whole.counts[0]) < accumulators.DISTINCT
    near = whole.quantiles(whole=kind == "int")
    assert near == pytest.approx(np.quantile(x, np.array(QUANTILES) / 100), rel=1.3e-4)
    for size in (1000, 70_000, 299_999):
        pieces = Accumulator.of(np.empty(0))
        for first in range(0, x.size, size)[::-1]:
            pieces = pieces.merged(Accumulator.of(x[first : first + size]))
        assert statistics(pieces) == statistics(whole)
        for one, other in zip(pieces.counts[:2], whole.counts[:2], strict=True):
            assert np.array_equal(one, other)


def test_accumulators_keep_small_integers_exact() -> None:
    """Below 8192 an integer is its own first digits, so that counts in small mazes are never off."""
    x = np.concatenate([np.arange(8192.0), np.arange(1e6, 1e6 + 70_000)])
    stat = Accumulator.of(np.repeat(x, 2))
    assert not stat.counts.exact
    assert stat.counts[0][:8192].tolist() == list(range(8192))
    assert stat.quantiles(whole=True)[0] == pytest.approx(np.quantile(np.repeat(x, 2), 0.05), rel=1e-15)
