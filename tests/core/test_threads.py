"""Two threads on one object that the core holds: neither waits for ever, both get what one would get."""

from __future__ import annotations

import subprocess
import sys
from enum import IntEnum

import pytest

from meiro import _core

# For each bound class: an object, and calls of it that several threads make at once. A call may refuse to
# share the object, by a ValueError that speaks of threads.
BOUND = {
    "Recording": """
maze = meiro.generate((60, 60), "backtracker", rng=1)
trace = meiro.trace((60, 60), "backtracker", rng=1)
search = meiro.trace_solve(maze, algorithm="bfs")
calls = [
    lambda k: trace[k * 37 % len(trace)].passages.sum(),
    lambda k: compute_deltas(trace).changes.size,
    lambda k: search[k * 53 % len(search)].state.sum(),
    lambda k: compute_deltas(search).changes.size,
    lambda k: meiro.plot_trace(trace, frames=2)[0].figure.clear(),
    lambda k: trace.recording.count(),
    lambda k: trace.recording.kinds(),
]
""",
    "ShortestPaths": """
room = np.zeros((40, 40), np.uint8)
paths = _core.ShortestPaths(room, True, (False, False), 0, np.array([1599]), None)
calls = [lambda k: [paths.next() for _ in range(50)], lambda k: paths.length()]
""",
    "EllerRows": """
rows = meiro.eller_rows(40_000, rng=1)
calls = [lambda k: next(rows).size, lambda k: len(pickle.dumps(rows)), lambda k: rows.row >= 0]
""",
}
SCRIPT = """
import pickle, sys, threading
import matplotlib
import numpy as np
matplotlib.use("Agg")
import meiro
from meiro import _core
from meiro.traces.frame_deltas import compute_deltas
sys.setswitchinterval(1e-5)
{setup}
def use(call):
    for k in range({times}):
        try:
            call(k)
        except ValueError as error:
            assert "thread" in str(error), error
        except BaseException as error:
            failures.append(repr(error))
            raise

failures = []
threads = [threading.Thread(target=use, args=(calls[i % len(calls)],)) for i in range({threads})]
[t.start() for t in threads]
[t.join() for t in threads]
assert not failures, failures
print("done")
"""


def test_every_bound_class_is_called_from_threads() -> None:
    classes = {name for name, value in vars(_core).items() if isinstance(value, type)}
    enumerations = {name for name in classes if issubclass(getattr(_core, name), IntEnum)}
    assert classes - enumerations == {*BOUND}


@pytest.mark.parametrize("threads", [2, 8])
@pytest.mark.parametrize("name", BOUND)
def test_threads_on_one_object_never_wait_for_ever(name: str, threads: int) -> None:
    script = SCRIPT.format(setup=BOUND[name], threads=threads, times=40)
    run = subprocess.run(  # a thread that waits with the GIL stops every other one, pytest's included
        [sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=60
    )
    assert run.stdout == "done\n", run.stderr
