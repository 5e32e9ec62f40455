"""What compares and shows the times of tests/bench."""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from refusals import refused

ROOT = Path(__file__).parents[2]
STEADY = [10.0, 10.1, 9.9, 10.05, 9.95]
NOISY = [10.0, 14.0, 9.0, 30.0, 11.0]
PAIR = {"meiro": STEADY, "yardstick": STEADY}


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "tests/bench"))
    return importlib.import_module("compare")


def _times(factor: float, times: list[float]) -> list[float]:
    return [factor * x for x in times]


def _exit_code(compare: Any, monkeypatch: pytest.MonkeyPatch, folder: Path, *tables: Any) -> int:
    files = []
    for i, rows in enumerate(tables):
        files.append(folder / f"{i}.json")
        files[-1].write_text(json.dumps({"tables": {"one core": rows}}), "utf-8")
    monkeypatch.setattr(sys, "argv", ["compare.py", *map(str, files), "--factor", "1.2"])
    return int(compare.main())


def test_compared_rows_are_sorted_by_change_with_their_band(compare: Any) -> None:
    before = {"t": {"a": {"meiro": STEADY}, "b": {"meiro": STEADY}, "gone": {"meiro": STEADY}}}
    after = {"t": {"a": {"meiro": _times(0.5, STEADY)}, "b": {"meiro": _times(2, STEADY)}}}
    slower, faster = compare.changes(before, after)
    assert (slower.name, faster.name) == ("t: b", "t: a")
    assert slower.ratio == pytest.approx(2, rel=1e-9)
    assert 1.96 < slower.low < 2 < slower.high < 2.04
    assert faster.high < 0.52


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (({"meiro": STEADY}, {"meiro": _times(1.3, STEADY)}), 1),
        (({"meiro": STEADY}, {"meiro": _times(1.1, STEADY)}), 0),  # less than the factor
        (({"meiro": NOISY}, {"meiro": _times(1.3, NOISY)}), 0),  # within the noise
        (({"meiro": [10]}, {"meiro": [13]}), 1),  # one round: no band
        ((PAIR, {name: _times(3, STEADY) for name in PAIR}), 0),  # the machine as a whole is slower
        ((PAIR, PAIR | {"yardstick": _times(0.5, STEADY)}), 1),  # hidden by a faster machine
        (({"16": STEADY, "1000": STEADY}, {"16": STEADY, "1000": _times(2, STEADY)}), 1),
    ],
)
def test_the_exit_code_tells_what_is_slower_from_noise(
    compare: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rows: tuple[Any, Any], code: int
) -> None:
    assert _exit_code(compare, monkeypatch, tmp_path, *({"x": row} for row in rows)) == code


def test_files_that_cannot_be_compared_are_named(
    compare: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert _exit_code(compare, monkeypatch, tmp_path, {"x": {"meiro": [1]}}, {"y": {"meiro": [1]}}) == 2
    other = tmp_path / "other.json"
    other.write_text("[]", "utf-8")
    monkeypatch.setattr(sys, "argv", ["compare.py", str(other), str(other)])
    refused(SystemExit, r"other.json has no tables", compare.main)


@pytest.mark.long
def test_the_results_that_are_kept_make_all_pictures_and_a_page_without_network(compare: Any) -> None:
    assert compare
    report, result_files = (importlib.import_module(name) for name in ("report", "result_files"))
    results = result_files.read(result_files.KEPT)
    assert {*results["tables"]} == {"one core", "peers", "sizes", "threads"}
    page = report.page(results)
    shown = re.findall(r'<img alt="([^"]+)" src="data:image/svg\+xml;base64,', page)
    assert shown == list(report.TITLES.values())
    assert not re.search(r"(src|href)=.?https?:", page)
    for row in result_files.shown(results, "peers"):
        assert row[1] in page
