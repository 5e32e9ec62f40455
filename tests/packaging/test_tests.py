"""The tests themselves: files that stand alone, what `clock` keeps apart, and which parameters run."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
FILES = sorted(TESTS.glob("*/test_*.py"))
HELPERS = sorted((TESTS / "helpers").glob("*.py"))
CLOCKS = re.compile(r"\btime\.(perf_counter|monotonic|process_time)\(|_core\.last_call\(\)\[0\]|\btiming\.")


def modules(source: str) -> set[str]:
    """Return the top-level names of the modules that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_files_have_unique_names() -> None:
    """Pytest imports them by their base names; helpers are imported so as well."""
    names = Counter(path.stem for path in (*FILES, *HELPERS, TESTS / "conftest.py"))
    assert len(names) > 80
    assert [name for name, n in names.items() if n > 1] == []
    assert not list(TESTS.glob("test_*.py")), "each belongs to a folder"


@pytest.mark.long
def test_no_test_file_is_imported() -> None:
    found = {
        path.name: names
        for path in (*FILES, *HELPERS)
        if (names := [n for n in modules(path.read_text("utf-8")) if n.startswith(("test_", "conftest"))])
    }
    assert found == {}


def unmarked(source: str) -> list[str]:
    """Return the tests that read a clock, or use a helper that does, and are not marked `clock`."""
    body = ast.parse(source).body
    timing = [node for node in body if isinstance(node, ast.ImportFrom) and node.module == "timing"]
    helpers = {alias.name for node in timing for alias in node.names}
    found = []
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            reads = names & helpers or CLOCKS.search(ast.unparse(node))
            if reads and "pytest.mark.clock" not in map(ast.unparse, node.decorator_list):
                found.append(node.name)
    return found


@pytest.mark.long
def test_what_reads_a_clock_is_marked() -> None:
    found = {path.name: tests for path in FILES if (tests := unmarked(path.read_text("utf-8")))}
    assert found == {}


def test_few_of_the_calls_have_each_value_and_none_is_long(request: pytest.FixtureRequest) -> None:
    few = request.config.pluginmanager.get_plugin(str(TESTS / "conftest.py")).few  # type: ignore[union-attr]

    def call(*marks: str, **params: object) -> Any:
        return SimpleNamespace(params=params, marks=[SimpleNamespace(name=name) for name in marks])

    calls = [call(a=a, b=b, c=c) for a in range(5) for b in range(3) for c in range(2)]
    kept = few(calls)
    assert len(kept) == 5
    assert {pair for one in kept for pair in one.params.items()} == {
        pair for one in calls for pair in one.params.items()
    }
    first, other = [0], [0]
    unhashable = [call(a=first, b=1), call(a=first, b=True), call(a=first, b=1), call(a=other, b=1)]
    assert few(unhashable) == [unhashable[0], unhashable[1], unhashable[3]]
    alone = [call(a=0), call("long", a=1), call(a=2)]
    assert few(alone) == [alone[0], alone[2]]
    assert few(alone[1:2]) == alone[1:2], "pytest would run the test without parameters"
    assert few([]) == []


def test_these_tests_see_an_import_and_a_clock() -> None:
    assert modules("from test_a import b\ndef f():\n    import test_c.d, e") == {"test_a", "test_c", "e"}
    body = "def test_{0}() -> None:\n    assert time.{1}() < 1\n"
    source = body.format("a", "monotonic") + "@pytest.mark.clock\n" + body.format("b", "perf_counter")
    source += "from timing import best\ndef test_c() -> None:\n    best(3)\n"
    assert unmarked(source + body.format("d", "ctime")) == ["test_a", "test_c"]
