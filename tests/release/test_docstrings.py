"""Docstrings of public names are what numpydoc asks for, but for the rules below."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

import pytest

import meiro
from meiro._utils.options import SaveOptions

if TYPE_CHECKING:
    from collections.abc import Callable

OFF = {
    "ES01": "a summary that says all needs no second paragraph",
    "SA01": "what belongs together is found in README.md and in the pages of each namespace",
    "SA03": "names in See Also that say enough: `rotate`, `transpose`",
    "RT01": "a property, or one sentence that begins with Return and says it",
    "RT02": "two arrays that are returned together have names",
    "GL02": "a docstring that ends with a table ends where the table does",
    "GL07": "References stand where they are referred to",
    "PR03": "parameters that another function explains are named together, first",
    "YD01": "one sentence that begins with Yield says it",
}
ELSEWHERE = r"`(meiro\.\w+|Maze\.to_text)`|``Maze\(|: The function, with its parameters"
WITHOUT_EXAMPLE = {
    "NoPathError": "`solve` has it",
    "Maze.from_passages": "is `Maze` itself",
    "Maze.rooms": "`Room` has it",
    **{f"AnyMaze.{name}": "`Maze` has it" for name in ("solve", "measure", "plot", "save")},
}


def public() -> dict[str, Any]:
    """Return what is public in `meiro` and its folders, methods and properties included."""
    found: dict[str, Any] = {}
    folders = [(f"{folder}.", getattr(meiro, folder)) for folder in meiro._FOLDERS]
    for name, thing in (
        (prefix + name, getattr(module, name))
        for prefix, module in [("", meiro), *folders]
        for name in getattr(module, "__all__", ())
    ):
        if not callable(thing) or thing in found.values():
            continue
        found[name] = thing
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            members = {n: m for n, m in vars(thing).items() if not n.startswith("_")}
            kinds = (property, classmethod, staticmethod)
            found |= {
                f"{name}.{n}": m for n, m in members.items() if inspect.isfunction(m) or isinstance(m, kinds)
            }
    return found


PUBLIC = public()


def says_elsewhere(message: str, doc: str) -> bool:
    """Whether the parameters are named in a sentence, or are those of a function that is named."""
    missing = re.findall(r"'([^']+)'", message)
    if missing == ["**unknown"]:  # takes wrong words, to say the right ones
        return True
    return bool(re.search(ELSEWHERE, doc)) or all(f"`{name}`" in doc for name in missing)


def is_option(message: str) -> bool:
    """Whether the parameters that a signature does not name are those of ``**options`` of `meiro.save`."""
    return {*re.findall(r"'([^']+)'", message)} <= {*SaveOptions.__annotations__}


def faults(name: str, validate: Callable[[str], dict[str, Any]]) -> list[tuple[str, str]]:
    """Return what numpydoc finds in the docstring of a public name, but for the rules that are off."""
    thing = PUBLIC[name]
    off = {*OFF}
    if isinstance(thing, property):
        off |= {"EX01", "RT03"}  # an attribute: the class has the example
    if inspect.isclass(thing):
        off |= {"PR01"}  # what functions return has Attributes; nobody makes it by hand
    if name in WITHOUT_EXAMPLE:
        off |= {"EX01"}
    doc = inspect.getdoc(thing) or ""
    return [
        (code, message)
        for code, message in validate(f"meiro.{name}")["errors"]
        if code not in off
        and not (code == "PR01" and says_elsewhere(message, doc))
        and not (code == "PR02" and name == "save" and is_option(message))
    ]


@pytest.mark.dev
def test_numpydoc_finds_nothing() -> None:
    validate = pytest.importorskip("numpydoc.validate").validate
    assert {name: found for name in PUBLIC if (found := faults(name, validate))} == {}


def test_exceptions_are_of_names_that_are_there() -> None:
    assert {*WITHOUT_EXAMPLE} <= {*PUBLIC}
    for name in WITHOUT_EXAMPLE:
        assert ">>>" not in (PUBLIC[name].__doc__ or ""), name


def test_a_docstring_that_lacks_something_is_found() -> None:
    assert not says_elsewhere("Parameters {'k', 'size'} not documented", "Return the row `k`.")
    assert says_elsewhere("Parameters {'k'} not documented", "Return the row `k`.")
    assert len(PUBLIC) > 200
