"""The tables of mutants (`tests/mutants/run.py`) fit the code: each can be applied, and has tests."""

from __future__ import annotations

import fnmatch
import re
from collections import Counter
from pathlib import Path

import pytest
from mutants.mutant import Mutant, tables

ROOT = Path(__file__).parents[2]
TABLES = tables()
ALL = [mutant for table in TABLES.values() for mutant in table]


def test_mutants_have_names_of_their_own() -> None:
    assert len(ALL) >= 120
    assert [name for name, n in Counter(mutant.name for mutant in ALL).items() if n > 1] == []


@pytest.mark.parametrize("table", TABLES)
def test_mutants_fit_their_files(table: str) -> None:
    """The old text of each occurs once: where code has changed, the mutant is to be written anew."""
    for mutant in TABLES[table]:
        text = (ROOT / mutant.file).read_text("utf-8")
        assert mutant.applied(text) != text


def missing(test: str) -> bool:
    """Tell whether a test that a mutant names does not exist."""
    if found := re.fullmatch(r"C\+\+ (\S+): (.+)", test):
        text = (ROOT / "tests/cpp" / found[1]).read_text("utf-8")
        return not fnmatch.filter(re.findall(r'TEST_CASE\("([^"]+)"', text), found[2])
    path, _, name = test.partition(" -k ")[0].partition("::")
    if not name:
        return not (ROOT / path).exists()
    return f"def {name.partition('[')[0]}(" not in (ROOT / path).read_text("utf-8")


@pytest.mark.parametrize("table", TABLES)
def test_mutants_name_tests_that_exist(table: str) -> None:
    assert [test for mutant in TABLES[table] for test in mutant.tests if missing(test)] == []


def test_a_mutant_that_fits_no_more_is_seen() -> None:
    mutant = Mutant("name", "file", "old", "new", [])
    assert mutant.applied("an old text") == "an new text"
    for text in ("a text", "old and old"):
        with pytest.raises(LookupError, match="has to occur once"):
            mutant.applied(text)
    assert missing("C++ test_random.cpp: no such case")
    assert missing("tests/packaging/test_mutants.py::test_that_does_not_exist")
