"""Long calls respond: Ctrl-C, progress, the end of the interpreter, and short silences."""

from __future__ import annotations

import contextlib
import functools
import math
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import timing
from timing import SILENCE

import meiro

PAUSE = 0.02  # seconds between two tellings
BUDGET = 2**31  # bytes that a long call may want here; it is stopped before it touches most of them


def side_for(scratch: float) -> int:
    """Return the side of a square maze that takes the budget with `scratch` bytes a cell."""
    return math.isqrt(int(min(BUDGET / (2 + scratch), 3e8)))


@functools.cache
def seconds(algorithm: str, cells: int) -> float:
    """Return about how long a maze of `cells` cells takes; the fastest take 0.2 ns a cell."""
    took = min(timing.seconds(lambda: meiro.generate((700, 700), algorithm, rng=1)) for _ in range(3))
    return took * cells / 700**2


END = """
import threading, time
import meiro

class Slow:
    def __del__(self, sleep=time.sleep):
        sleep(0.3)

keep = Slow()  # the modules go, and the thread is still in the call
def work():
    {call}
threading.Thread(target=work, daemon=True).start()
time.sleep(0.1)
"""


@pytest.mark.parametrize(
    "call",
    [
        "meiro.generate((9000, 9000), 'wilson', rng=1)",
        "meiro.generate((9000, 9000), 'wilson', rng=1, progress=lambda done, total: None)",
        "meiro.generate_many((16, 16), 'wilson', 1_000_000, rng=1, threads=2)",
        "while True: meiro.generate((40, 40), 'wilson', rng=1)",
    ],
)
def test_interpreter_ends_cleanly_while_a_thread_is_inside_a_call(call: str) -> None:
    code = END.format(call=call)
    runs = [
        subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) for _ in range(4)
    ]
    ends = [(run.communicate(timeout=60)[1], run.returncode) for run in runs]
    assert ends == [("", 0)] * 4


def test_progress_ends_with_the_total(algorithm: str) -> None:
    calls: list[tuple[int, int]] = []
    maze = meiro.generate((1500, 1500), algorithm, rng=1, progress=lambda *told: calls.append(told))
    assert {total for _, total in calls} == {1500 * 1500}
    done = [d for d, _ in calls]
    assert done == sorted(done)
    assert min(done) >= 0
    assert done[-1] == 1500 * 1500
    assert maze == meiro.generate((1500, 1500), algorithm, rng=1)


@pytest.mark.clock
def test_progress_is_called_before_the_end(algorithm: str) -> None:
    """Called about fifty times a second with the cells done by then; the first such call ends the test."""
    side = 5000
    if seconds(algorithm, side**2) < 0.1:
        side = side_for(meiro.ALGORITHMS[algorithm].scratch)

    def stop(done: int, total: int) -> None:
        if 0 < done < total:
            raise StopError

    begun = time.monotonic()
    try:
        meiro.generate((side, side), algorithm, rng=1, progress=stop)
    except StopError:
        return
    assert time.monotonic() - begun < 3 * PAUSE


class StopError(Exception):
    pass


def call_stopped_by_progress(threads: int) -> None:
    def stop(*_: int) -> None:
        raise StopError

    with pytest.raises(StopError):
        meiro.generate((12_000, 12_000), "backtracker", rng=1, progress=stop)
    with pytest.raises(StopError):
        meiro.generate_many((12, 12), "backtracker", 1_000_000, rng=1, threads=threads, progress=stop)


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_that_raises_stops_the_call(threads: int) -> None:
    call_stopped_by_progress(threads)


@pytest.mark.clock
@pytest.mark.parametrize("threads", [1, 2])
def test_progress_that_raises_stops_the_call_within_2_s(threads: int) -> None:
    assert timing.best(lambda: timing.seconds(lambda: call_stopped_by_progress(threads)), 1) < 2


def test_progress_is_called_in_the_calling_thread() -> None:
    threads: set[int] = set()

    def work() -> None:
        meiro.generate((2000, 2000), "backtracker", progress=lambda *_: threads.add(threading.get_ident()))

    worker = threading.Thread(target=work)
    worker.start()
    ident = worker.ident
    worker.join()
    assert threads == {ident}


SIDE = 4096
SHAPES = {"square": (SIDE, SIDE), "wide": (3, SIDE * SIDE // 16), "masked": (SIDE // 2, SIDE // 2)}


@pytest.mark.clock
@pytest.mark.parametrize("shape", SHAPES)
def test_no_generator_is_silent_for_long(algorithm: str, shape: str) -> None:
    facts, (rows, cols) = meiro.ALGORITHMS[algorithm], SHAPES[shape]
    options: dict[str, Any] = {}
    if shape == "masked" and facts.masks:
        options["mask"] = np.random.default_rng(1).random((rows, cols)) < 0.8
    if shape == "square" and facts.wraps:
        rows, cols, options["wrap"] = rows // 2, cols // 2, (True, True)

    def some_seconds() -> None:  # a walk across a long thin maze takes the square of it
        enough = time.monotonic() + 1.5

        def stop(*_: int) -> None:
            if time.monotonic() > enough:
                raise StopError

        with contextlib.suppress(StopError):
            meiro.generate((rows, cols), algorithm, rng=1, progress=stop, **options)

    assert 0 < timing.silence(some_seconds) < SILENCE


@pytest.mark.clock
@pytest.mark.parametrize("cells_a_tree", [1, 2, 100])
def test_no_forest_on_a_lattice_is_silent_for_long(cells_a_tree: int) -> None:
    lattice = meiro.lattices.square(1200, 1200)
    trees = lattice.n_cells // cells_a_tree
    call = lambda: meiro.generate(lattice, "growing_forest", trees=trees, rng=1)  # noqa: E731
    assert 0 < timing.silence(call) < SILENCE


class Alarm(Exception):  # noqa: N818  # the user's own
    """What a user's signal handler raises."""


# If it rings in a callback of the collector, Python prints the exception and goes on: it rings again.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "what",
    ["generate", "generate_many", "solve_many", "measure", "survey", "distances", "distances in a room"],
)
def test_the_exception_of_a_signal_handler_passes_through(what: str, threads: int) -> None:
    """It is raised while threads work; they end, and the next call is right."""
    big = meiro.generate((400, 400), "kruskal", rng=1)
    room = np.zeros((1500, 1500), np.uint8)
    batch = meiro.generate_many((100, 100), "kruskal", 100, rng=1)
    calls: dict[str, Callable[[], object]] = {
        "generate": lambda: meiro.generate((900, 900), "wilson", rng=1),
        "generate_many": lambda: meiro.generate_many((100, 100), "wilson", 3000, rng=1, threads=threads),
        "solve_many": lambda: meiro.solve_many(batch, threads=threads),
        "measure": lambda: meiro.measure(batch, threads=threads),
        "survey": lambda: meiro.survey((100, 100), "wilson", 300, rng=1, threads=threads),
        "distances": lambda: meiro.distances(big, (0, 0)),
        "distances in a room": lambda: meiro.distances(room, (0, 0), threads=threads),
    }
    raised = Alarm("ring")

    def ring(_signal: int, _frame: object) -> None:
        raise raised

    def call() -> None:
        while True:
            calls[what]()

    old = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.1, 1)
    try:
        with pytest.raises(Alarm) as found:
            call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert found.value is raised
    assert meiro.generate((400, 400), "kruskal", rng=1) == big
