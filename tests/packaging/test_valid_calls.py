"""Everything public has a valid call in `tests/faults`, from an example of its docstring or written there."""

from __future__ import annotations

from pathlib import Path

import pytest
from valid_calls import Call, Example, calls, classes, has_methods, public_names, use, written
from written_calls import UNFIT

import meiro


def test_what_is_written_is_of_something_public() -> None:
    names = public_names()
    assert len(names) == len(set(names))
    assert {*written(), *UNFIT} <= set(names)
    assert set(names) - {call.name for call in calls()} == {"EndlessMaze.__array__"}  # which refuses


def test_public_names_are_found() -> None:
    functions = {name for name in meiro.__all__ if not isinstance(getattr(meiro, name), type)}
    assert functions - {"__version__", "ALGORITHMS", "MEASURES", "SOLVERS"} <= set(public_names())
    public_classes = {name for name in meiro.__all__ if isinstance(getattr(meiro, name), type)}
    assert public_classes - {"NoPathError", "AnyMaze"} <= set(classes())


def test_an_example_runs_as_far_as_a_call() -> None:
    example = Example(">>> side = 3\n>>> len(str(meiro.Maze([[0] * side], wrap=(True, True))))\n>>> 1 / 0")
    assert example.called == ["meiro.Maze", "str", "len"]
    assert example.arguments(0) == {"passages": [[0, 0, 0]], "wrap": (True, True)}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:Animation was deleted:UserWarning")
@pytest.mark.parametrize("call", calls(), ids=lambda call: call.name)
def test_call_is_valid(call: Call, tmp_path: Path) -> None:
    function, arguments = call.prepare(tmp_path)
    before = set(tmp_path.iterdir())
    result = use(function(**arguments))
    assert call.writes or set(tmp_path.iterdir()) == before
    kind = type(result)
    if kind.__module__.startswith("meiro") and has_methods(kind):
        assert kind.__name__ in classes(), "its methods have no valid calls"
