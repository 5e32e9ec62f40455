"""Pseudo-code of every algorithm: its lines, which of them is at work, and the sentences of its events."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import meiro
from meiro.traces import captions
from meiro.traces.captions import clause_and_kind, pseudocode_of
from meiro.traces.events import EventKind
from meiro.traces.trace import Trace

pytestmark = pytest.mark.sanitize

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "wilson": [{}, {"wrap": (True, True)}, {"mask": np.arange(42).reshape(6, 7) % 9 > 0}],
    "origin_shift": [{}, {"steps": 9}, {"mask": np.tri(6, 7, 2, dtype=bool), "steps": 9}],
    "backtracker": [{}, {"after_dead_end": "random"}, {"run": 2.0}],
    "hunt_and_kill": [{}, {"hunt": "random_row"}],
    "growing_tree": [{}, {"choose": "oldest"}, {"choose": {"newest": 1, "random": 1}}],
    "growing_forest": [{"trees": 6}],
    "sidewinder": [{}, {"towards": "east"}],
    "binary_tree": [{}, {"corner": "south_east"}],
    "rooms": [
        {"grid_shape": (41, 41), "doors": 0.1, "dead_ends": "remove", "fill": fill}
        for fill in ("backtracker", "wilson", "kruskal")
    ],
    "wall_extension": [{"grid_shape": (101, 101)}],
}


def generated(name: str) -> Iterator[Trace]:
    for options in OPTIONS.get(name, [{}]):
        shape: dict[str, Any] = {} if "grid_shape" in options else {"shape": (6, 7)}
        yield meiro.trace(algorithm=name, rng=5, **shape, **options)


def searched(name: str) -> Iterator[Trace]:
    percolated = meiro.generate((14, 14), "percolation", p=0.62, rng=1)
    braided = meiro.braid(meiro.generate((14, 14), rng=2), 0.3, rng=3)
    room = np.zeros((9, 9), np.uint8)
    room[3:6, 3:6] = room[0, 4] = 1
    ring = np.ones((7, 11), np.uint8)  # hangs on the corridor in the middle; beside it a square by itself
    ring[1, 1:8] = ring[2, 4] = ring[3:6, 3:6] = ring[3:5, 8:10] = 0
    ring[4, 4] = 1
    torus = meiro.Maze(np.full((5, 5), 15, np.uint8), wrap=(True, True))
    for x, start, goal in (
        (braided, (7, 7), (0, 0)),
        (percolated, (0, 0), (13, 13)),
        (room, (7, 1), (1, 7)),
        (ring, (1, 1), (1, 7)),
        (torus, (0, 0), (2, 2)),  # of odd size: fronts meet between cells
    ):
        if x is torus and not meiro.SOLVERS[name].wraps:
            continue
        try:
            yield meiro.trace_solve(x, start, goal, algorithm=name, rng=1 if name == "random_mouse" else None)
        except meiro.NoPathError:
            continue


ALL: dict[str, Callable[[str], Iterator[Trace]]] = {
    **dict.fromkeys(meiro.ALGORITHMS, generated),
    **dict.fromkeys(meiro.SOLVERS, searched),
}


@cache
def traces(name: str) -> list[Trace]:
    return list(ALL[name](name))


def missing(name: str) -> Iterator[str]:
    """Yield what pseudocode.json lacks of an algorithm: its entry, keys of it, events of its traces."""
    entry: Any = captions._table().get(name)
    needed = ", ".join(sorted(captions.Entry.__required_keys__))
    if entry is None:
        yield f"no entry {name!r} (it needs: {needed})"
    for key in sorted(captions.Entry.__required_keys__) if entry is not None else ():
        if not entry.get(key):
            yield f"no {key} in the entry {name!r}"
    unsaid = set()
    for trace in traces(name):
        code = trace._pseudocode()
        unsaid |= {clause_and_kind(word) for word in trace.packed.tolist() if code.step(word)[0] < 0}
    for kind, clause in sorted((one & 15, one >> 4) for one in unsaid):
        event = f"{EventKind(kind).name.lower()} {clause}".removesuffix(" 0")
        yield f"no event {event!r} in the entry {name!r}"


def test_pseudocode_lacks_nothing() -> None:
    lines = [line for name in ALL for line in missing(name)]
    assert not lines, f"pseudocode.json has {'; '.join(lines)}"


def test_traces_without_pseudocode_have_the_sentences_of_their_events(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = copy.deepcopy(captions._table())
    del table["kruskal"], table["bfs"]["source"], table["eller"]["events"]["close 1"]
    monkeypatch.setattr(captions, "_table", lambda: table)
    pseudocode_of.cache_clear()
    try:
        lines = [line for name in ("kruskal", "bfs", "eller", "dfs") for line in missing(name)]
        trace = meiro.trace((3, 4), "kruskal", rng=1)
        assert (trace.before.note, trace.source, trace[0].line) == (captions.BEFORE, (), None)
        assert re.fullmatch(r"The wall between cell .* and cell .* is removed\.", trace[0].note)
    finally:
        pseudocode_of.cache_clear()
    assert lines == [
        "no entry 'kruskal' (it needs: events, source)",
        "no event 'carve' in the entry 'kruskal'",
        "no event 'keep' in the entry 'kruskal'",
        "no source in the entry 'bfs'",
        "no event 'close 1' in the entry 'eller'",
    ]


@pytest.mark.parametrize("name", ALL)
def test_pseudocode_of_every_algorithm(name: str) -> None:
    for trace in traces(name):
        assert 3 <= len(trace.source) <= 11
        for line in trace.source:
            assert len(line) <= 72
            assert (len(line) - len(line.lstrip())) % 4 == 0
        lines = [line for line, _ in pseudocode_of(trace.algorithm, trace.recording.kinds()).steps]
        assert all(-1 <= line < len(trace.source) for line in lines)


@pytest.mark.parametrize("name", ALL)
def test_every_event_has_a_line_and_a_sentence(name: str) -> None:
    for trace in traces(name):
        for k in {*range(-1, min(len(trace), 80)), *range(len(trace) - 20, len(trace))}:
            frame = trace[k] if k >= 0 else trace.before
            assert (frame.line is None) == (k < 0), frame
            assert frame.line is None or trace.source[frame.line]
            assert re.fullmatch(r"[A-Z][^{}|]*\.", frame.note), frame.note
            assert "-1" not in frame.note.replace("count - 1", ""), frame.note


@pytest.mark.parametrize("name", ALL)
def test_every_event_of_the_table_happens(name: str) -> None:
    """And so each line is either reached, or one of control: a loop, a condition, or a remark."""
    happened: dict[str, set[int]] = {}
    for trace in traces(name):
        table = "on posts" if trace.recording.kinds() >> EventKind.BUILD & 1 and name == "wilson" else ""
        seen = {clause_and_kind(word) for word in trace.packed.tolist()}
        happened[table] = happened.get(table, set()) | seen
    for table, seen in happened.items():
        entry = captions._table()[f"{name} {table}".strip()]
        for keys in entry["events"]:
            wanted = set()
            for key in keys.split(", "):
                kind, _, clause = key.partition(" ")
                if kind != "other":
                    wanted.add(int(clause or 0) << 4 | EventKind[kind.upper()])
            assert not wanted or wanted & seen, (name, keys)


def labels(trace: Trace, k: int) -> NDArray[np.int32]:
    found: NDArray[np.int32] | None = (trace[k] if k >= 0 else trace.before).labels
    assert found is not None
    return found


def bits_and_sets() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    rng = np.random.default_rng(4)
    return rng.integers(0, 2, (7, 8)), rng.integers(0, 2, (7, 9))


def test_notes_of_eller_tell_the_bit_and_the_rule() -> None:
    """Against the rule as the docstring of `meiro.eller` has it, from the bits and the labels alone."""
    right, lower = bits_and_sets()
    trace = meiro.trace_eller(right, lower)
    seen = set()
    for k, (kind, r, c, d) in enumerate(trace.events.tolist()):
        row, col, note = r // 2, c // 2, trace[k].note
        if kind == EventKind.VISIT:
            assert note.endswith(f"above: it begins set {labels(trace, k)[row, col]}.")
            continue
        sets = labels(trace, k - 1)
        mine, last = sets[row, col], row == 6
        if d == 1:
            bit, equal = right[row, col], mine == sets[row, col + 1]
            assert (kind == EventKind.CLOSE) == (bit == 1 or equal) or (last and not equal)
            if kind == EventKind.CARVE and bit == 1:
                assert note.startswith("Last row, and sets "), note
            else:
                assert f"Bit {bit} on the right of cell ({row}, {col})" in note
            assert ("must be" in note) == (kind == EventKind.CLOSE and equal)
            if kind == EventKind.CARVE:
                assert f"ets {mine} and {sets[row, col + 1]} differ" in note
        else:
            assert note.startswith(f"Bit {lower[row, col]} below cell ({row}, {col})"), note
            kept = kind == EventKind.CARVE and lower[row, col] == 1
            assert ("but it is the last cell of set" in note) == kept
        seen.add(trace[k].line)
    assert seen == {3, 4, 5, 8, 9, 10}


def test_notes_of_clusters_are_their_numbers_before_and_after() -> None:
    for algorithm in ("kruskal", "boruvka"):
        trace = meiro.trace((7, 8), algorithm, rng=2)
        for k, (kind, r, c, d) in enumerate(trace.events.tolist()):
            before, after = labels(trace, k - 1), labels(trace, k)
            one = r // 2, c // 2
            other = (one[0], one[1] + 1) if d == 1 else (one[0] + 1, one[1])
            if kind == EventKind.CARVE:
                gone, kept = max(before[one], before[other]), min(before[one], before[other])
                assert trace[k].note.endswith(f"; cluster {gone} becomes {kept}.")
                assert not (after == gone).any()
            else:
                assert trace[k].note.endswith(f" are both in cluster {before[one]}: the wall stays.")
                assert before[one] == before[other]


@pytest.mark.parametrize("hand", ["right", "left"])
def test_wall_follower_turns_as_its_line_says(hand: str) -> None:
    maze = meiro.generate((9, 9), "kruskal", rng=3)
    trace = meiro.trace_solve(maze, algorithm="wall_follower", hand=hand)
    events = enumerate(trace.events.tolist())
    steps = [(d, trace.line(k)) for k, (kind, _, _, d) in events if k > 0 and kind != 10]
    side = 1 if hand == "right" else 3
    turns = {side: 4, 0: 5, 4 - side: 6, 2: 7}
    lines = {turns[(d - before) % 4] == line for (before, _), (d, line) in pairwise(steps)}
    assert lines == {True}
    assert {line for _, line in steps} == {4, 5, 6, 7}


def test_sparse_traces_have_notes_without_numbers() -> None:
    trace = meiro.trace((9, 9), "kruskal", rng=1, every=5, max_events=40)
    for frame in trace:
        assert re.search(r"are in (different clusters|one cluster): the wall (goes|stays)\.$", frame.note)


def test_pseudocode_of_unknown_events_falls_back() -> None:
    line, template = pseudocode_of("kruskal", 0).step(int(EventKind.ERASE) << 4)
    assert (line, template) == (-1, captions.SENTENCES[EventKind.ERASE])


def test_wilson_says_that_it_can_walk_through_cells() -> None:
    posts, cells = meiro.trace((4, 6), rng=7), meiro.trace((4, 6), rng=7, walks="cells")
    assert "walks='cells'" in posts.before.note
    assert cells.before.note == captions.BEFORE
    assert ": wilson on posts, 4x6 cells>" in repr(posts)
    assert ": wilson, 4x6 cells>" in repr(cells)
