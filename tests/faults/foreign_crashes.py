"""Crashes of other libraries where memory is short, each repeated by a small program without meiro.

    LD_PRELOAD=system_faults.so python tests/faults/foreign_crashes.py FUNCTION

runs the program of `PROGRAMS` that crashes in this function, or this library, as CPython's allocations fail
one by one, each alone and with the next 20. A crash of a campaign is one of another library only if meiro's
module is not on the stack, its innermost exported function is listed here, and the program crashes in the
same one: see `is_repeated`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))

from system_faults import SCOPES, SystemFaults

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRAMS: Final = {
    # The token that could not be made is released. NumPy's errstate sets such a variable.
    "PyContextVar_Set": """
from contextvars import ContextVar
variable = ContextVar("variable")
value = False
def call():
    global value
    value = not value
    variable.set(value)
""",
    # dictiter_new releases its iterator, which is not yet tracked, if it cannot make a pair for the items.
    # Pairs are often there already: those that were released are kept for the next ones.
    "PyObject_GetIter": """
held = [(n, n) for n in range(3000)]
def call():
    more = [(n, n) for n in range(9)]
    for name, value in {1: 2}.items():
        pass
""",
    # Arrow asks sys.modules for a name that it could not make.
    "PyDict_Contains": """
import numpy
import pyarrow
names = numpy.array(["a", "b", "a"], object)
def call():
    pyarrow.array(names, from_pandas=True)
""",
    # mypyc, which compiled psygnal, aborts where it cannot make an integer. Anywidget needs psygnal.
    "CPyTagged_StealAsObject": """
from psygnal import Signal
class Source:
    changed = Signal(int)
class Target:
    def change(self, value):
        pass
def call():
    source, target = Source(), Target()
    source.changed.connect(target.change)
    source.changed.emit(1)
    source.changed.disconnect(target.change)
""",
    # The place of a warning is looked up in a frame that has no memory. Animations warn at their end.
    "PyObject_Vectorcall": """
import warnings
warnings.simplefilter("ignore")
def call():
    warnings.warn("words")
""",
    # The interface of an array, for which Pillow asks.
    "_multiarray_umath.so": """
import numpy
array = numpy.zeros(3)
def call():
    array.__array_interface__
""",
    # A path as the text of a PDF or SVG.
    "_path.so": """
from matplotlib import _path
from matplotlib.path import Path
path = Path([[0, 0], [1, 1], [2, 0]])
def call():
    _path.convert_to_string(path, None, None, False, None, 6, [b"m", b"l", b"", b"c", b"h"], True)
""",
    # The destructor of a GIL guard panics.
    "_polars_runtime.abi3.so": """
import polars
def call():
    polars.DataFrame({"name": ["a", "b", "a"], "rows": [2, 2, 3], "mean": [1.5, 0.5, 3.0]})
""",
}
"""Each defines ``call``; the key is what `crashed_in` returns."""
BURST: Final = 20


def crashed_in(errors: str) -> str | None:
    """Return the function that the library of `system_faults` named in the last lines of a process.

    None if it named none, or meiro's module was on the stack.
    """
    found: list[str] = re.findall(r"^crash in (\S+)$", errors, re.MULTILINE)
    return re.sub(r"\.cpython-[\w-]+", "", found[-1]) if found else None


def is_repeated(function: str, environment: dict[str, str]) -> bool:
    """Return whether the program of this function crashes in it; False without a program of it."""
    if function not in PROGRAMS:
        return False
    command = [sys.executable, __file__, function]
    run = subprocess.run(
        command, check=False, env=os.environ | environment, capture_output=True, text=True, timeout=100
    )
    return run.returncode < 0 and crashed_in(run.stderr) == function


def main(function: str) -> None:
    """Run the program of a function while allocations fail."""
    defined: dict[str, Callable[[], object]] = {}
    exec(PROGRAMS[function], defined)  # noqa: S102  # our own text
    call = defined["call"]
    faults = SystemFaults()
    call()
    assert "meiro" not in sys.modules
    for many in (BURST, 1):
        counted, n = 1, 0
        while n < counted:
            n += 1
            faults.arm(SCOPES.index("python"), n, many)
            try:
                call()
            except BaseException:  # noqa: BLE001  # whatever it is
                counted = faults.disarm() + BURST
            else:
                counted = faults.disarm()


if __name__ == "__main__":
    main(sys.argv[1])
