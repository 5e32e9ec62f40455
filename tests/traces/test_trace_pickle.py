"""Traces are pickled as their recipes; they report progress and can be stopped."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import meiro

MASK = np.tri(5, 7, 3, dtype=bool)
LARGE = 20_000  # bytes of events


def same(a: meiro.Trace, b: meiro.Trace) -> None:
    assert repr(a) == repr(b)
    assert a.result == b.result
    for name in ("window", "every", "n_events", "shape", "wrap"):
        assert getattr(a, name) == getattr(b, name)
    assert (a.events == b.events).all()
    for k in {*range(0, len(a), max(len(a) // 5, 1)), len(a) - 1} if len(a) else ():
        assert (a[k].state == b[k].state).all()
        assert (a[k].grid == b[k].grid).all()
        assert a[k].note == b[k].note
        assert np.array_equal(a[k].labels, b[k].labels)


def check_again(trace: meiro.Trace) -> int:
    """Pickle and copy it, and return how many bytes that took."""
    data = pickle.dumps(trace)
    same(trace, pickle.loads(data))  # noqa: S301
    same(trace, copy.copy(trace))
    same(trace, copy.deepcopy(trace))
    return len(data)


@pytest.mark.parametrize("kept", [{}, {"window": (3, -2)}, {"every": 4}, {"every": 50, "max_events": 200}])
def test_trace_of_a_generator_is_unpickled(algorithm: str, kept: dict[str, Any]) -> None:
    facts = meiro.ALGORITHMS[algorithm]
    rngs: list[Any] = [None, 7, np.random.default_rng(3), meiro.Seed((1, 2), 3)]
    size = max(check_again(meiro.trace((5, 7), algorithm, rng=rng, **kept)) for rng in rngs)
    assert size < 1000
    if facts.masks and facts.wraps:
        check_again(meiro.trace(algorithm=algorithm, mask=MASK, wrap=(True, False), **kept))


def test_trace_with_options_is_unpickled() -> None:
    walls = 2 * 5 * 7 - 5 - 7
    order = np.random.default_rng(1).permutation(walls)
    check_again(meiro.trace((5, 7), "kruskal", order=order))
    check_again(meiro.trace((5, 7), "kruskal", weights=order / 3))
    check_again(meiro.trace((5, 7), "growing_tree", choose={"random": 1, "newest": 2}, start="random"))
    right, lower = order[:30].reshape(5, 6) % 2, order[:35].reshape(5, 7) % 2
    trace = meiro.trace_eller(right, lower, every=2)
    assert check_again(trace) < 1500


def test_trace_of_a_search_is_unpickled(solver: str) -> None:
    maze = meiro.generate((5, 7), "kruskal", rng=3)
    rngs: list[Any] = [None]
    if meiro.SOLVERS[solver].random or solver == "dfs":
        rngs += [5, np.random.default_rng(4)]
    room = np.zeros((6, 8), np.uint8)
    room[2, 1:7] = 255
    for rng in rngs:
        assert check_again(meiro.trace_solve(maze, algorithm=solver, rng=rng)) < 1500
        check_again(meiro.trace_solve(room, (-1, 0), (0, 7), algorithm=solver, rng=rng, road=0, every=3))
    if "weights" in meiro.SOLVERS[solver].options:
        check_again(meiro.trace_solve(maze, algorithm=solver, weights=np.arange(35.0).reshape(5, 7)))
    if "max_steps" in meiro.SOLVERS[solver].options:
        check_again(meiro.trace_solve(maze, (0, 0), [(4, 6), (0, 6)], algorithm=solver, max_steps=9))


def test_trace_pickle_is_small_and_independent_of_arrays() -> None:
    trace = meiro.trace((60, 60), "aldous_broder")
    assert trace.packed.nbytes > LARGE
    assert check_again(trace) < 1000
    room = np.zeros((6, 8), np.uint8)
    costs = np.ones((6, 8))
    trace = meiro.trace_solve(room, (0, 0), (5, 7), algorithm="dijkstra", weights=costs)
    room[:] = 1
    costs[:] = np.nan
    assert trace[0].grid.max() == 0
    check_again(trace)


# Progress


def calls() -> dict[str, Callable[..., meiro.Trace]]:
    """What takes a while, each with the cells or sites that it has."""
    maze = meiro.generate((400, 500), "kruskal", rng=1)
    bits = np.random.default_rng(1).integers(0, 2, (400, 500))
    return {
        "trace": lambda **more: meiro.trace((400, 500), "kruskal", rng=1, **more),
        "trace_solve": lambda **more: meiro.trace_solve(maze, **more),
        "trace_eller": lambda **more: meiro.trace_eller(bits[:, 1:], bits, **more),
    }


@pytest.mark.parametrize("name", ["trace", "trace_solve", "trace_eller"])
def test_trace_progress_is_over_both_runs(name: str) -> None:
    call = calls()[name]
    told: list[tuple[int, int]] = []
    trace = call(progress=lambda *now: told.append(now))
    assert {total for _, total in told} == {2 * 400 * 500}
    done = [now for now, _ in told]
    assert done == sorted(done)
    assert 400 * 500 in done
    assert done[-1] == 2 * 400 * 500
    same(trace, call())


class StopError(Exception):
    pass


@pytest.mark.parametrize("name", ["trace", "trace_solve", "trace_eller"])
@pytest.mark.parametrize("half", [0, 1])
def test_trace_progress_that_raises_stops_it(name: str, half: int) -> None:
    def stop(done: int, total: int) -> None:
        if done >= (1 + half) * total // 2:
            raise StopError

    with pytest.raises(StopError):
        calls()[name](progress=stop)
