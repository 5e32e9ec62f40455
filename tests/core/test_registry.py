"""The registries of algorithms, solvers and measures."""

from __future__ import annotations

import contextlib
import copy
import json
import typing

import guide_tables
import numpy as np
import pytest
from refusals import refused

import meiro
from meiro import _core
from meiro import registry as tables
from meiro.registry import Algorithm, Solver


def test_registry_names_are_the_literals() -> None:
    assert sorted(meiro.ALGORITHMS) == sorted(typing.get_args(Algorithm))
    assert sorted(meiro.SOLVERS) == sorted(typing.get_args(Solver))


@pytest.mark.parametrize("name", meiro.ALGORITHMS)
def test_parts_are_those_that_the_core_makes(name: str) -> None:
    out, seed, made = np.empty((2, 3), np.uint8), (1, 2, 0), []
    with contextlib.suppress(ValueError):
        _core.generate_window(name, (4, 5), (1, 1), out, seed, {}, 1, None)
        made.append("windows")
    with contextlib.suppress(ValueError):
        _core.endless_window(name, out, (0, 0), seed, 1 << 62, 1, None)
        made.append("endless")
    assert [part for part in meiro.ALGORITHMS[name].parts if part != "rows"] == made


def test_texts_that_are_missing_are_named_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = copy.deepcopy(tables._TEXTS)
    assert tables.missing_texts(texts) == []
    del (
        texts["algorithms"]["wilson"],
        texts["solvers"]["bfs"]["promise"],
        texts["measures"]["cells"]["source"],
    )
    texts["measures"]["loops"] |= {
        "about": "",
        "unit": "",
        "aliases": [],
        "source": "",
    }  # it is a plain count
    texts["options"]["steps"] = ""
    del texts["solver_options"]
    lines = [
        "no entry 'wilson' under 'algorithms' (it needs: good_for, aliases, reference)",
        "no entry 'steps' under 'options' (it needs: a line)",
        "no promise in the entry 'bfs' under 'solvers'",
        *(
            f"no entry {option!r} under 'solver_options' (it needs: a line)"
            for option in tables._TEXTS["solver_options"]
        ),
        "no source in the entry 'cells' under 'measures'",
        "no unit and about in the entry 'loops' under 'measures'",
    ]
    assert sorted(tables.missing_texts(texts)) == sorted(lines)
    monkeypatch.setattr(json, "loads", lambda _: texts)
    with pytest.raises(ImportError) as error:
        tables._read_texts()
    assert str(error.value) == f"descriptions.json has {'; '.join(tables.missing_texts(texts))}"


def test_texts_are_of_something() -> None:
    for section, (_, rows, options) in tables._SECTIONS.items():
        assert set(tables._TEXTS[section]) == {row["name"] for row in rows}
        taken = {option for row in rows for option in row.get("options", ())}
        assert set(tables._TEXTS.get(options, ())) == taken


@pytest.mark.parametrize("registry", [meiro.ALGORITHMS, meiro.SOLVERS, meiro.MEASURES])
def test_registry_finds_names_and_aliases(registry: meiro.registry.Registry) -> None:  # type: ignore[type-arg]
    names = [name for facts in registry.values() for name in (facts.name, *facts.aliases)]
    assert len(names) == len(set(names)), "an alias belongs to two"
    for facts in registry.values():
        assert registry.find(facts.name) is registry[facts.name.upper()] is facts
        for alias in facts.aliases:
            assert registry[alias] is facts
    assert all(name in repr(registry) for name in registry)
    html = registry._repr_html_()
    assert html.count("<tr>") == len(registry) + 1


def test_facts_say_what_each_option_does() -> None:
    shown = repr(meiro.ALGORITHMS["backtracker"])
    assert shown.startswith("backtracker\n  good_for: long winding corridors")
    assert "\n  options:\n    start: the first cell" in shown
    assert "options" not in repr(meiro.ALGORITHMS["eller"])


def test_best_first_is_not_a_star() -> None:
    refused(ValueError, "there is no solver 'best_first'", meiro.SOLVERS.find, "best_first")


@pytest.mark.parametrize(
    ("names", "registry", "name"),
    [
        (
            "recursive backtracking, depth first search, Randomized depth-first search",
            "ALGORITHMS",
            "backtracker",
        ),
        ("Prim's, Prim\u2019s algorithm, randomised Prim's algorithm", "ALGORITHMS", "prim"),
        ("Breadth-first search, breadth first", "SOLVERS", "bfs"),
        ("Dijkstra's algorithm", "SOLVERS", "dijkstra"),
    ],
)
def test_names_as_books_write_them(names: str, registry: str, name: str) -> None:
    for word in names.split(", "):
        assert getattr(meiro, registry).find(word).name == name


def test_registry_refuses_unknown_names() -> None:
    with pytest.raises(KeyError, match="there is no algorithm 'elller'"):
        meiro.ALGORITHMS["elller"]
    refused(ValueError, r"did you mean 'eller'\?", meiro.ALGORITHMS.find, "elller")
    with pytest.raises(TypeError):
        meiro.ALGORITHMS["eller"] = 1  # type: ignore[index]
    assert "nonsense" not in meiro.ALGORITHMS


@pytest.mark.skipif(not guide_tables.GUIDE.exists(), reason="an sdist has no guide")
@pytest.mark.parametrize("name", guide_tables.TABLES)
def test_registry_tables_are_those_of_the_guide(name: str) -> None:
    page, table = guide_tables.TABLES[name]
    if page == "clusters.md":
        pytest.importorskip("distributed")
    text = (guide_tables.GUIDE / page).read_text("utf-8")
    assert guide_tables.parts(text, name)[1] == table(), "run tests/helpers/guide_tables.py"
