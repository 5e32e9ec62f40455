"""The registries of algorithms and solvers."""

from __future__ import annotations

import typing

import pytest
import readme_tables

import meiro
from meiro.registry import Algorithm, Solver


def test_registry_names_are_the_literals() -> None:
    assert sorted(meiro.ALGORITHMS) == sorted(typing.get_args(Algorithm))
    assert sorted(meiro.SOLVERS) == sorted(typing.get_args(Solver))


@pytest.mark.parametrize("registry", [meiro.ALGORITHMS, meiro.SOLVERS])
def test_registry_facts_are_complete(registry: meiro.registry.Registry) -> None:  # type: ignore[type-arg]
    names = [name for facts in registry.values() for name in (facts.name, *facts.aliases)]
    assert len(names) == len(set(names)), "an alias belongs to two"
    for facts in registry.values():
        assert facts.reference
        assert facts.good_for
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
    assert all(text for facts in meiro.ALGORITHMS.values() for text in facts.options.values())


def test_best_first_is_not_a_star() -> None:
    with pytest.raises(ValueError, match="there is no solver 'best_first'"):
        meiro.SOLVERS.find("best_first")


def test_registry_refuses_unknown_names() -> None:
    with pytest.raises(KeyError, match="there is no algorithm 'elller'"):
        meiro.ALGORITHMS["elller"]
    with pytest.raises(ValueError, match=r"did you mean 'eller'\?"):
        meiro.ALGORITHMS.find("elller")
    with pytest.raises(TypeError):
        meiro.ALGORITHMS["eller"] = 1  # type: ignore[index]
    assert "nonsense" not in meiro.ALGORITHMS


@pytest.mark.parametrize("name", readme_tables.TABLES)
def test_registry_tables_are_those_of_the_readme(name: str) -> None:
    text = readme_tables.README.read_text(encoding="utf-8")
    assert readme_tables.parts(text, name)[1] == readme_tables.TABLES[name](), (
        "run tests/helpers/readme_tables.py"
    )
