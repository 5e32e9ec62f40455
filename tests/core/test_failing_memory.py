"""Memory that is refused ends in MemoryError: whichever allocation it is, nothing crashes or is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import system_faults

from meiro import _core

FAULTS = Path(system_faults.__file__).parent
SCRIPT = """
import gc, sys
import numpy as np
import meiro
from meiro import _core
from system_faults import SCOPES, SystemFaults

room = np.zeros((4, 5), np.uint8)
maze = meiro.generate((4, 5), rng=1)
faults = SystemFaults()
call = lambda: {call}
call(), call()
for scope in ("core", "border"):
    for many in (1, 1000):
        for n in range(1, 1000):
            faults.forget_blocks()
            faults.arm(SCOPES.index(scope), n, many)
            try:
                call()
            except MemoryError:
                pass
            if faults.disarm() < n:
                break
            call()
            if faults.live_blocks():
                gc.collect()
                assert faults.live_blocks() == 0, (scope, many, n)
        assert n > 1, scope
print("done")
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = system_faults.build(tmp_path_factory.mktemp("faults"))
    if built is None:
        pytest.skip("no g++, or not Linux")
    return built


@pytest.mark.parametrize(
    "call",
    [
        "_core.Recording()",
        "meiro.eller_rows(4, rng=1)",
        "_core.ShortestPaths(room, True, (False, False), 0, np.array([19]), None)",
        "meiro.solve(maze, order=True)",  # gives away the memory of the core
        "meiro.generate((4, 5), rng=1)",  # casts a pair
        "meiro.trace((2, 3), 'wilson', rng=1)[3]",
    ],
)
def test_each_allocation_may_fail(call: str, library: Path) -> None:
    environment = os.environ | {
        "LD_PRELOAD": str(library),
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": os.pathsep.join([str(FAULTS), *sys.path]),
    }
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(call=call)],
        check=False,
        capture_output=True,
        text=True,
        timeout=100,
        env=environment,
    )
    assert run.stdout == "done\n", run.stderr


def test_memory_error_says_how_many_bytes() -> None:
    with pytest.raises(MemoryError, match=r"^cannot allocate [0-9]{15,} bytes$"):
        _core.EllerRows(1 << 46, (0, 0, 0), 0, None)  # more than addresses


def test_wrong_argument_of_the_core_is_named() -> None:
    out: Any = [[0, 0]]
    with pytest.raises(TypeError, match=r"^out must not be this list$"):
        _core.eller_given(np.zeros((2, 1), np.uint8), np.zeros((2, 2), np.uint8), out)
