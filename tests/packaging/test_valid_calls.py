"""The table of `tests/faults/valid_calls.py` has a valid call of everything that is public."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from valid_calls import TABLE, Call, calls, classes, public_names, use

import meiro

if TYPE_CHECKING:
    from pathlib import Path


def test_every_row_is_of_something_public() -> None:
    names = public_names()
    assert set(TABLE) <= set(names)
    assert len(names) == len(set(names))


def test_public_names_are_found() -> None:
    functions = {name for name in meiro.__all__ if not isinstance(getattr(meiro, name), type)}
    assert functions - {"__version__", "ALGORITHMS", "MEASURES", "SOLVERS"} <= set(public_names())
    public_classes = {name for name in meiro.__all__ if isinstance(getattr(meiro, name), type)}
    assert public_classes - {"NoPathError"} <= set(classes())


@pytest.mark.filterwarnings("ignore:Animation was deleted:UserWarning")
@pytest.mark.parametrize("call", calls(), ids=lambda call: call.name)
def test_call_is_valid(call: Call, tmp_path: Path) -> None:
    function, arguments = call.prepare(tmp_path)
    before = set(tmp_path.iterdir())
    result = use(function(**arguments))
    assert call.writes or set(tmp_path.iterdir()) == before
    kind = type(result)
    if kind.__module__.startswith("meiro"):
        assert kind.__name__ in classes(), "its methods have no valid calls"
