"""Memory that is refused ends in MemoryError: whichever allocation it is, nothing crashes or is lost."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import foreign_crashes
import numpy as np
import pytest
import system_faults
from programs import run_python

from meiro import _core

FAULTS = Path(system_faults.__file__).parent
SCRIPT = """
import gc, sys
from pathlib import Path
import numpy as np
import meiro
from meiro._utils.validation import checked_path
from meiro import _core
from system_faults import SCOPES, SystemFaults

room = np.zeros((4, 5), np.uint8)
maze = meiro.generate((4, 5), rng=1)
lattice = meiro.lattices.hexagonal(2, 3)
faults = SystemFaults(_core.__file__)
call = lambda: {call}
call(), call()
for scope in {scopes}:
    for many in (1, 20 if scope == "python" else 1000):
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
NESTED = """
import pickle
import numpy as np
import meiro
from meiro import _core
from system_faults import SCOPES, SystemFaults

n, row = 601, 250
r, c = np.ogrid[:row + 2, :n]
short = np.random.default_rng(0).random((2, row + 2, 40)) < 0.5  # sets that end before memory is asked for
right = np.hstack([short[0], ~((r <= c) & (c < n - 1 - r))[:, :-1]])
lower = np.hstack([short[1], (r < c) & (c < n - 1 - r)])
expected = meiro.eller(right, lower).passages
begun = meiro.eller_rows(n + 40)
for k in range(row):
    begun.send_row(right[k], lower[k])
begun = pickle.dumps(begun)  # its copies have room for fewer sets within sets
faults = SystemFaults(_core.__file__)
calls = [lambda rows: rows.send_row(right[row], lower[row]), lambda rows: rows.finish(right[-1])]
for last, call in enumerate(calls):
    wanted, failures = call(pickle.loads(begun)), 0
    assert last or (wanted == expected[row]).all()
    for many in (1, 1000):
        for first in range(1, 1000):
            rows = pickle.loads(begun)
            faults.arm(SCOPES.index("core"), first, many)
            try:
                made = call(rows)
                counted = faults.disarm()
            except MemoryError:
                counted = faults.disarm()
                failures += 1
                assert (rows.row, rows.finished) == (row, False)
                made = call(rows)
            assert (made == wanted).all(), (many, first)
            assert (rows.row, rows.finished) == (row + 1, bool(last))
            assert last or (rows.finish(right[-1]) == expected[-1]).all(), (many, first)
            if counted < first:
                break
    assert failures, last
print("done")
"""


STRINGS = """
#include <cstddef>
#include <string>
extern "C" std::size_t join(const char* a) {
    std::string joined(a);
    return joined.append(1000, 'b').size();
}
"""
JOINING = """
import ctypes
from meiro import _core
from system_faults import SCOPES, SystemFaults

other = {path!r}
join = ctypes.CDLL(other).join
join(b"a")
for module, expected in ((other, True), (_core.__file__, False)):
    faults = SystemFaults(module)
    for scope in ("core", "border"):
        faults.arm(SCOPES.index(scope), 0, 0)
        join(b"a")
        counted = faults.disarm()
        assert (counted > 0) is expected, (module, scope, counted)
print("done")
"""
CRASH = """
import ctypes
from system_faults import SystemFaults

call_it = ctypes.CDLL({path!r}).call_it
SystemFaults({path!r} if {is_meiro} else "")
call_it(ctypes.CDLL(None).abort)
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("CPython without a GIL takes no PYTHONMALLOC=malloc, so its allocations cannot fail")
    built = system_faults.build(tmp_path_factory.mktemp("faults"))
    if built is None:
        pytest.skip("no g++, or not Linux")
    return built


@pytest.mark.long
@pytest.mark.parametrize(
    "call",
    [
        "_core.Recording()",
        "meiro.eller_rows(4, rng=1)",
        "_core.ShortestPaths((room, 4), 0, np.array([19]), None)",
        "meiro.solve(maze, visit_order=True)",  # gives away the memory of the core
        "meiro.generate((4, 5), rng=1)",  # casts a pair
        "meiro.trace((2, 3), 'wilson', rng=1)[3]",
        "meiro.trace(lattice, 'wilson', rng=1)[3]",
    ],
)
def test_each_allocation_may_fail(call: str, library: Path) -> None:
    run_with_faults(SCRIPT.format(call=call, scopes=("core", "border")), library)


def test_row_of_eller_without_memory_was_never_begun(library: Path) -> None:
    run_with_faults(NESTED, library)


if sys.version_info < (3, 13):  # which frees code twice where it has no memory

    @pytest.mark.parametrize("call", ["checked_path(Path('a'))", "checked_path('a')"])
    def test_each_allocation_of_the_interpreter_may_fail(call: str, library: Path) -> None:
        run_with_faults(SCRIPT.format(call=call, scopes=("python",)), library)

    def test_crash_of_the_interpreter_is_repeated_without_meiro(library: Path) -> None:
        """In a static function of the named one: Debian has that of PyContextVar_Set elsewhere."""
        environment = {"LD_PRELOAD": str(library), "PYTHONMALLOC": "malloc"}
        assert foreign_crashes.is_repeated("PyObject_GetIter", environment)
        assert not foreign_crashes.is_repeated("PyObject_Call", environment)  # there is no program for it


@pytest.mark.parametrize("is_meiro", [False, True])
def test_crash_is_told_with_its_function_and_whether_meiro_called_it(
    *, is_meiro: bool, library: Path, tmp_path: Path
) -> None:
    source, module = tmp_path / "calls.cpp", tmp_path / "calls.so"
    source.write_text('extern "C" void call_it(void (*function)()) { function(); }', "utf-8")
    subprocess.run(["g++", "-shared", "-fPIC", source, "-o", module], check=True)
    code = CRASH.format(path=str(module), is_meiro=is_meiro)
    run = run_python(code, env={"LD_PRELOAD": str(library), "PYTHONPATH": str(FAULTS)})
    assert run.returncode < 0
    assert "crash in call_it" in run.stderr
    assert foreign_crashes.crashed_in(run.stderr) == (None if is_meiro else "call_it")


def test_strings_of_another_library_are_not_of_the_core(library: Path, tmp_path: Path) -> None:
    source, other = tmp_path / "strings.cpp", tmp_path / "strings.so"
    source.write_text(STRINGS, "utf-8")
    subprocess.run(["g++", "-std=c++20", "-shared", "-fPIC", source, "-o", other], check=True)
    run_with_faults(JOINING.format(path=str(other)), library)


def run_with_faults(script: str, library: Path) -> None:
    """Run a script that ends with done, under the library that makes allocations fail."""
    path = os.pathsep.join([str(FAULTS), *sys.path])
    environment = {"LD_PRELOAD": str(library), "PYTHONMALLOC": "malloc", "PYTHONPATH": path}
    run = run_python(script, timeout=100, env=environment)
    assert run.stdout == "done\n", run.stderr


def test_memory_error_says_how_many_bytes() -> None:
    with pytest.raises(MemoryError, match=r"^cannot allocate [0-9]{15,} bytes$"):
        _core.EllerRows(1 << 46, (0, 0, 0), 0, None, finished=False)  # more than addresses


def test_wrong_argument_of_the_core_is_named() -> None:
    out: Any = [[0, 0]]
    with pytest.raises(TypeError, match=r"^out must not be this list$"):
        _core.eller_given(np.zeros((2, 1), np.uint8), np.zeros((2, 2), np.uint8), out, None, None)
