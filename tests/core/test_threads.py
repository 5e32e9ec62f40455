"""Threads on one object: none waits for ever, each gets what one alone would get."""

from __future__ import annotations

import json
import os
import sys
from enum import IntEnum

import pytest
from programs import run_python
from written_calls import OBJECTS

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
    "GraphRecording": """
maze = meiro.generate(meiro.lattices.hexagonal(40, 40), "backtracker", rng=1)
trace = meiro.trace(maze.lattice, "wilson", rng=1)
search = meiro.trace_solve(maze, algorithm="bfs")
calls = [
    lambda k: trace[k * 37 % len(trace)].open.sum(),
    lambda k: compute_deltas(trace).changes.size,
    lambda k: search[k * 53 % len(search)].state.sum(),
    lambda k: compute_deltas(search).changes.size,
    lambda k: trace.recording.count(),
]
""",
    "Agents": """
envs = meiro.gym.MazeVectorEnv(64, (8, 8), "backtracker")
envs.reset(seed=1)
calls = [
    lambda k: envs.step(np.full(64, k % 4)),
    lambda k: envs.optimal_actions().sum(),
    lambda k: envs.reset(seed=k),
    lambda k: envs.optimal_return().sum(),
    lambda k: len(envs.mazes),
]
""",
    "ShortestPaths": """
room = np.zeros((40, 40), np.uint8)
paths = _core.ShortestPaths((room, 4), 0, np.array([1599]), None)
lattice = meiro.all_shortest_paths(meiro.GraphMaze(meiro.lattices.square(6, 6), np.ones(60, bool)))
calls = [
    lambda k: [paths.next() for _ in range(50)],
    lambda k: paths.length(),
    lambda k: next(lattice, None),
    lambda k: next(lattice, None),
]
""",
    "Graph": """
lattice = meiro.lattices.square(60, 60)
graph, out = lattice._graph, np.empty((8, lattice.n_edges), np.uint8)
calls = [
    lambda k: _core.generate("wilson", graph, out[k % 8 : k % 8 + 1], (1, 2, k), {}, 1, None, None),
    lambda k: _core.graph_arrays(graph)[0].sum(),
    lambda k: _core.forests_modulo(graph, np.array([2147483647], np.uint64)),
]
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


@pytest.mark.long
@pytest.mark.parametrize("threads", [2, 8])
@pytest.mark.parametrize("name", BOUND)
def test_threads_on_one_object_never_wait_for_ever(name: str, threads: int) -> None:
    # A thread that waits with the GIL stops every other one, pytest's included.
    run = run_python(SCRIPT.format(setup=BOUND[name], threads=threads, times=40))
    assert run.stdout == "done\n", run.stderr


# The stack of a thread is as large as the limit of the stack: here twice what a process can address.
WITHOUT_HELPERS = """
import threading
import numpy as np
import meiro
try:
    threading.Thread(target=print).start()
except RuntimeError:
    print("no thread can be started")
batch = meiro.generate_many((30, 30), "wilson", 20, rng=1)
results = {{
    "generate": lambda n: meiro.generate((300, 300), "kruskal", rng=1, threads=n).passages,
    "generate_many": lambda n: meiro.generate_many((30, 30), "wilson", 20, rng=1, threads=n).passages,
    "solve_many": lambda n: meiro.solve_many(batch, threads=n).lengths,
    "measure": lambda n: meiro.measure(batch, threads=n)["dead_ends"],
}}
print(np.array_equal(results["{name}"](4), results["{name}"](1)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the stack of a thread has another size")
@pytest.mark.parametrize("name", ["generate", "generate_many", "solve_many", "measure"])
def test_a_call_needs_no_second_thread(name: str) -> None:
    resource = pytest.importorskip("resource")
    run = run_python(
        WITHOUT_HELPERS.format(name=name),
        env={"OPENBLAS_NUM_THREADS": "1"},  # NumPy would start some
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (1 << 47, -1)),
    )
    assert run.stdout == "no thread can be started\nTrue\n", run.stderr


SHARED = """
import faulthandler, json, pickle, sys, threading, warnings
from functools import partial
from importlib.util import find_spec
from pathlib import Path
import matplotlib
matplotlib.use("Agg")
import valid_calls
import meiro
faulthandler.dump_traceback_later(200, exit=True)  # 40 s on an idle machine
warnings.simplefilter("ignore")
sys.setswitchinterval(1e-6)

def attempt(call):
    # What a call returns, so that it can be compared.
    function, arguments = call.prepare(Path())
    result = valid_calls.use(function(**arguments))
    try:
        return pickle.dumps(result)
    except Exception:
        return type(result)

def use(k):
    barrier.wait()
    for i in range(2 * len(calls)):
        call = calls[(i + 3 * k) % len(calls)]
        try:
            result = attempt(call)
        except Exception as error:
            if "thread" not in str(error):
                failures.add(f"{call.name}: {error!r}")
        else:
            if expected[call] not in (None, result):
                failures.add(f"{call.name}: another result")

ends = ("EllerRows.finish", "RowStream.finish", "Play.close", "Player.close")
ends += ("KruskalRows.finish", "KruskalRows.rows", "KruskalRows.__next__", "EndlessKruskalRows.finish")
every = [call for call in valid_calls.calls() if not call.writes and call.name not in ends]
every = [call for call in every if not call.package or find_spec(call.package)]
for name, make in valid_calls.OBJECTS.items():
    names = (f"{name}.", f"pickle {name}")
    calls = [call for call in every if call.name.startswith(names)]
    expected, failures, new = {}, set(), {}
    for call in calls:
        valid_calls.OBJECTS[name] = partial(lambda thing: thing, make())
        new[call] = attempt(call)
    valid_calls.OBJECTS[name] = partial(lambda thing: thing, make())
    rounds = [new, *({call: attempt(call) for call in order} for order in (calls, calls[::-1], calls))]
    for call in calls:
        results = {found[call] for found in rounds}
        changes = len(results) > 1 or name.endswith("Env")  # the object has a state
        expected[call] = None if changes else results.pop()
    valid_calls.OBJECTS[name] = partial(lambda thing: thing, make())
    barrier = threading.Barrier(8)
    threads = [threading.Thread(target=use, args=(k,)) for k in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    print(json.dumps([name, len(calls), sorted(failures)]), flush=True)
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, list[str]]]:
    """Return for each class how many of its methods 8 threads called, and what went wrong."""
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    run = run_python(SHARED, timeout=220, cwd=tmp_path_factory.mktemp("shared"), env=path)
    found = {name: (calls, failures) for name, calls, failures in map(json.loads, run.stdout.splitlines())}
    return {name: found.get(name, (0, [run.stderr])) for name in OBJECTS}


@pytest.mark.long
@pytest.mark.timeout(240)
@pytest.mark.parametrize("name", OBJECTS)
def test_threads_share_an_object(name: str, shared: dict[str, tuple[int, list[str]]]) -> None:
    calls, failures = shared[name]
    assert failures == []
    assert calls > 0
