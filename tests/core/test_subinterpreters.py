"""A subinterpreter is refused at once, with what to do, whatever the main interpreter has imported."""

from __future__ import annotations

import os
import sys

import pytest
from programs import run_python

SCRIPT = """
{first}
inside = '''
import warnings
warnings.simplefilter("ignore")  # NumPy warns, too
try:
    import meiro
    meiro.{name}
except ImportError as error:
    print(error, flush=True)
'''
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
    interpreters.run_string(interpreters.create(isolated={isolated}), inside)
else:
    interpreters.exec(interpreters.create("isolated" if {isolated} else "legacy"), inside)
"""


@pytest.mark.parametrize("isolated", [True, False])
@pytest.mark.parametrize("first", ["", "import meiro\nmeiro.generate((3, 3))"])
@pytest.mark.parametrize("name", ["generate", "io"])
def test_subinterpreter_is_refused(first: str, name: str, isolated: bool) -> None:  # noqa: FBT001  # a parameter
    code = SCRIPT.format(first=first, name=name, isolated=isolated)
    run = run_python(code, env={"PYTHONPATH": os.pathsep.join(sys.path)})  # it was a deadlock
    assert "meiro does not run in subinterpreters: import it in the main" in run.stdout, run.stderr
