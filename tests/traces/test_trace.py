"""Traces: the same mazes and solutions as without, and frames compared with a slow replay."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import W1_AREAS, W1_ORDER, some_array
from numpy.typing import NDArray
from periodic_mazes import WRAPS, periodic_maze
from refusals import refused
from scipy.ndimage import label

import meiro
from meiro import EventKind, State
from meiro.traces.frame_deltas import compute_deltas, frame_colors

pytestmark = pytest.mark.sanitize

Event = tuple[int, int, int, int]
STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1)]
SHAPES = [(1, 1), (1, 6), (6, 1), (2, 2), (5, 7), (11, 8)]
MASK = np.array([list(row) for row in ("##.##", "#..##", "###.#", "..#.#", "###.#")]) == "#"
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "wilson": [{"bias": 2}, {"walks": "cells"}, {"walks": "cells", "bias": 0.5}],
    "backtracker": [{"start": (2, 3), "after_dead_end": "random"}, {"run": 3}],
    "hunt_and_kill": [{"hunt": "random_row"}],
    "growing_tree": [{"choose": "oldest"}, {"choose": {"random": 1, "middle": 2}}],
    "growing_forest": [{"trees": 4}],
    "origin_shift": [{"steps": 40, "start": (1, 1)}],
    "pole_toppling": [{"towards": "east"}, {"towards": "south"}, {"towards": "west"}],
    "sidewinder": [{"towards": "east"}, {"towards": "south"}, {"towards": "west"}],
    "binary_tree": [{"corner": "south_east"}, {"corner": "north_east"}, {"corner": "south_west"}],
    "recursive_division": [{"room": 3}],
    "rooms": [{"doors": 0.3}, {"dead_ends": "remove", "tries": 9}, {"fill": "kruskal"}],
    "percolation": [{"p": 0}, {"p": 1}],
}


def traces(algorithm: str) -> Iterator[tuple[meiro.Trace, meiro.Maze]]:
    """All the kinds of mazes that an algorithm makes, watched and not."""
    facts = meiro.ALGORITHMS[algorithm]
    asked: list[dict[str, Any]] = [{"shape": shape} for shape in SHAPES]
    asked += [{"shape": (6, 8), **options} for options in OPTIONS.get(algorithm, [])]
    if facts.masks:
        asked += [{"mask": MASK}, {"mask": np.ones((3, 4), bool)}]
    if facts.wraps:
        asked += [{"shape": (3, 3), "wrap": (True, True)}, {"shape": (4, 6), "wrap": (False, True)}]
        asked += [{"shape": (6, 5), "wrap": (True, False), "mask": np.arange(30).reshape(6, 5) % 7 > 0}]
    for seed, given in enumerate(asked):
        given |= {"algorithm": algorithm, "rng": seed}
        yield meiro.trace(**given), meiro.generate(**given)


def neighbour(at: tuple[int, int], direction: int, trace: meiro.Trace) -> tuple[int, int]:
    return tuple((a + d) % n for a, d, n in zip(at, STEPS[direction], trace.shape, strict=True))  # type: ignore[return-value]


def passages_after(trace: meiro.Trace) -> Iterator[NDArray[np.uint8]]:
    """What is open before and after every event, event by event, in Python."""
    now = trace.before.passages
    assert now is not None
    now = now.copy()
    yield now.copy()
    for kind, row, col, direction in trace.events.tolist():
        cell, d, opens = (row // 2, col // 2), direction, kind in {EventKind.CARVE, EventKind.ERASE}
        if kind in {EventKind.BUILD, EventKind.ERASE}:
            wall = row + STEPS[d][0], col + STEPS[d][1]
            cell, d = ((wall[0] - 1) // 2, (wall[1] - 1) // 2), 2 if d in {1, 3} else 1
        elif kind not in {EventKind.CARVE, EventKind.CLOSE}:
            d = -1
        if d >= 0:
            other = neighbour(cell, d, trace)
            for end, bit in ((cell, 1 << d), (other, 1 << (d ^ 2))):
                now[end] = now[end] | bit if opens else now[end] & (15 ^ bit)
        yield now.copy()


def test_trace_is_untraced_and_ends_in_the_result(algorithm: str) -> None:
    for trace, maze in traces(algorithm):
        assert trace.result == maze
        assert isinstance(trace.result, meiro.Maze)
        assert trace.result.seed == maze.seed
        assert meiro.generate(**trace.result.recipe or {}) == maze
        assert len(trace.events) == trace.n_events
        assert len(trace) == max(trace.n_events, 1)
        frame = trace[-1]
        assert frame.passages is not None
        assert (frame.passages == maze.passages).all(), f"{frame.passages}\n{maze}"
        if maze.mask is None or trace.mask is not None:
            assert (frame.grid == maze.grid).all()
        assert frame.state.shape == maze.grid.shape == trace.grid_shape
        if frame.labels is not None and maze.passages.size > 1:
            assert ((frame.labels >= 0) == (True if trace.mask is None else trace.mask)).all()


def test_trace_frames_have_the_passages_of_a_slow_replay(algorithm: str) -> None:
    for trace, _ in traces(algorithm):
        if len(trace) > 1500 or trace.n_events == 0:
            continue
        slow = passages_after(trace)
        next(slow)
        for frame, expected, event in zip(trace, slow, trace.events.tolist(), strict=True):
            assert frame.passages is not None
            assert (frame.passages == expected).all(), frame
            assert frame.head is not None
            assert frame.state[frame.head] == State.CURRENT
            assert frame.note.endswith(".")
            if event[0] not in {EventKind.CARVE, EventKind.WALK}:
                assert frame.head == event[1:3]


@pytest.fixture(name="apart")
def _apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards that lie 7 events apart, so that short traces have many."""
    monkeypatch.setattr(importlib.import_module("meiro.traces.record"), "_SNAPSHOT_INTERVAL", 7)


def same(a: meiro.Frame, b: meiro.Frame, *, notes: bool = True) -> bool:
    if notes and a.note != b.note:
        return False
    arrays = [(a.state, b.state), (a.passages, b.passages), (a.labels, b.labels)]
    return (a.head, a.line) == (b.head, b.line) and all(np.array_equal(x, y) for x, y in arrays)  # type: ignore[arg-type]


@pytest.mark.usefixtures("apart")
def test_trace_random_access_with_window_and_every(algorithm: str) -> None:
    rng = np.random.default_rng(1)
    whole = meiro.trace((5, 6), algorithm, rng=2)
    n = len(whole)
    frames = list(whole)
    for k in [*rng.integers(0, n, 40).tolist(), n - 1, 0, 7, 6, 8]:
        assert same(whole[k], frames[k])
        assert same(whole[k - n], frames[k])
    for first, stop in ((0, n), (n // 3, n - 2), (5, 5), (n, n), (-4, None), (None, 9)):
        part = meiro.trace((5, 6), algorithm, rng=2, window=(first, stop))
        expected = frames[first:stop] or [part.before]
        assert len(part) == len(expected)
        assert part.result == whole.result
        assert (part.events == whole.events[first:stop]).all()
        for k in rng.permutation(len(part)).tolist():
            assert same(part[k], expected[k])
        start = part.window[0]
        if start:
            assert (part.before.state == frames[start - 1].state).all()
    for every in (1, 3, 11, n, n + 5):
        expected = [frames[min(k, n) - 1] for k in range(every, n + every, every)]
        for most in (n, len(expected)):  # the events are kept; or the frames alone
            thin = meiro.trace((5, 6), algorithm, rng=2, every=every, max_events=most)
            assert len(thin) == len(thin.events) == len(expected)
            assert len(thin.packed) == (n if most == n else len(expected))
            for k in rng.permutation(len(thin)).tolist():
                assert same(thin[k], expected[k], notes=most == n)  # numbers are in what came before
    both = meiro.trace((5, 6), algorithm, rng=2, every=4, window=(3, 17), max_events=6)
    assert all(same(a, frames[b], notes=False) for a, b in zip(both, (6, 10, 14, 16), strict=True))


UNDECIDED = [
    *({"shape": shape, "algorithm": name} for name in meiro.ALGORITHMS for shape in ((1, 1), (1, 6))),
    {"shape": (4, 5), "algorithm": "origin_shift", "steps": 0},
    {"mask": np.ones((1, 3), bool), "algorithm": "wilson"},
]


@pytest.mark.parametrize("given", UNDECIDED, ids=str)
def test_a_trace_without_events_has_the_result_as_its_frame(given: dict[str, Any]) -> None:
    trace = meiro.trace(**given, rng=1)
    assert len(trace) == len(list(trace)) == max(trace.n_events, 1)
    if trace.n_events:
        return
    assert repr(trace).startswith("<Trace of 1 frame: ")
    assert len(trace.events) == len(trace.packed) == 0
    for frame in (trace[0], trace[-1], trace[:][0], next(iter(trace)), trace.before):
        assert isinstance(trace.result, meiro.Maze)
        assert frame.passages is not None
        assert (frame.passages == trace.result.passages).all()
        assert (frame.grid == trace.result.grid).all()
        assert frame.head is None
        assert frame.note == "There is nothing to decide: this is the result."
    with pytest.raises(IndexError, match="no frame 1"):
        trace[1]
    deltas = compute_deltas(trace, numbers=True)
    assert len(deltas) == 1
    assert len(deltas.changes) == len(deltas.words) == 0
    assert (deltas.first == frame_colors(trace, 0)).all()


def test_some_traces_have_no_event() -> None:
    for given in (*UNDECIDED[-1:], {"shape": (1, 6), "algorithm": "wilson"}):
        assert meiro.trace(**given).n_events == 0  # type: ignore[arg-type]


def test_a_trace_without_events_is_shown(tmp_path: Path) -> None:
    trace = meiro.trace((1, 6), "wilson", rng=1)
    animation = meiro.animate(trace, size=100)
    assert len(animation) == 1
    animation.save(tmp_path / "x.png")
    player = meiro.player(trace)
    assert repr(player) == "<Player of 1 frames: wilson>"
    assert "There is nothing to decide" in meiro.trace((1, 6))._repr_html_()
    meiro.plot_trace(trace)


def test_an_empty_window_has_one_frame() -> None:
    trace = meiro.trace((3, 3), "kruskal", rng=1, window=(4, 4))
    assert (len(trace), len(trace.events)) == (1, 0)
    assert same(trace[0], trace.before)
    assert trace[0].note == "4 events have happened."


def test_trace_slices_are_lazy() -> None:
    trace = meiro.trace((20, 20), "kruskal", rng=1)
    some = trace[3:-1:5]
    assert len(some) == len(range(3, len(trace) - 1, 5))
    assert same(some[1], trace[8])
    assert same(some[::-1][0], some[-1])
    assert [frame.head for frame in some[:4]] == [trace[k].head for k in (3, 8, 13, 18)]
    assert len(trace[5:2]) == 0
    assert len(some) < len(trace[:]) == len(trace)


@pytest.mark.clock
def test_trace_of_a_million_events_gives_a_frame_within_5_ms() -> None:
    import time

    trace = meiro.trace((700, 700), "kruskal", rng=1)
    assert 900_000 < len(trace) < 1_000_000
    rng, medians = np.random.default_rng(0), []
    for _ in range(4):
        times = []
        for k in rng.integers(0, len(trace), 15).tolist():
            begin = time.perf_counter()
            trace[k]
            times.append(time.perf_counter() - begin)
        medians.append(np.median(times))
    assert min(medians) < 0.005, medians
    assert (trace[-1].passages == trace.result.passages).all()


# The numbers


def test_w1_the_nine_states_of_clustering() -> None:
    trace = meiro.trace((3, 3), "kruskal", order=W1_ORDER)
    labels = [trace.before.labels, *(frame.labels for frame in trace[:8])]
    assert ["".join(map(str, a.ravel().tolist())) for a in labels if a is not None] == W1_AREAS.split()
    assert (trace[7].passages == [[4, 6, 12], [3, 13, 5], [2, 9, 1]]).all()
    assert trace.events[0].tolist() == (EventKind.CARVE, 1, 3, 2)
    assert trace[0].note.endswith("1, cell (1, 1) in cluster 4: the wall goes; cluster 4 becomes 1.")


def eller_rows(trace: meiro.Trace) -> Iterator[tuple[list[int], list[int]]]:
    """The sets of each row when it begins, and when its right walls are done."""
    rows, cols = trace.shape
    kinds, at = trace.events["kind"], trace.events["row"]
    for row in range(rows):
        of_row = np.flatnonzero(at == 2 * row + 1)
        fresh = int((kinds[of_row] == EventKind.VISIT).sum())
        first = of_row[0] + fresh - 1
        before, after = trace[int(first)].labels, trace[int(first) + cols - 1].labels
        assert before is not None
        assert after is not None
        yield before[row].tolist(), after[row].tolist()


def test_w5_eller_row_by_row() -> None:
    right = [[0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 1]]
    lower = [[0, 1, 1, 0], [0, 1, 1, 0], [1, 1, 0, 1], [0, 0, 0, 0]]
    trace = meiro.trace_eller(right, lower)
    assert trace.result == meiro.eller(right, lower)
    assert list(eller_rows(trace)) == [
        ([1, 2, 3, 4], [1, 1, 3, 3]),
        ([1, 5, 6, 3], [1, 1, 6, 6]),
        ([1, 7, 8, 6], [1, 1, 8, 8]),
        ([9, 1, 8, 10], [9, 9, 8, 10]),
    ]
    last = trace[-1]
    assert last.labels is not None
    assert (last.labels == 9).all()
    puts = [e for e in trace.events.tolist() if e[0] == EventKind.CLOSE and e[3] == 2 and e[1] == 5]
    assert [e[2] // 2 for e in puts] == [0, 3]  # the wall under cell 1 is refused


def test_w6_the_joining_trap() -> None:
    trace = meiro.trace_eller([[1, 0, 0], [0, 0, 0], [1, 1, 1]], [[1, 0, 1, 0], [0] * 4, [0] * 4])
    rows = list(eller_rows(trace))
    assert rows[0] == ([1, 2, 3, 4], [1, 2, 2, 2])
    assert rows[1][0] == [1, 2, 5, 2]
    assert rows[1][1] == [1, 1, 1, 1]


def test_trace_labels_are_those_of_components() -> None:
    for algorithm in ("kruskal", "boruvka", "eller", "percolation"):
        for frame in meiro.trace((5, 6), algorithm, rng=3)[::5]:
            assert frame.labels is not None
            component = meiro.components(meiro.Maze(frame.passages))[0]
            known = frame.labels >= 0
            pairs = set(zip(component[known].tolist(), frame.labels[known].tolist(), strict=True))
            assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
            if algorithm != "eller":
                least = {c: int(np.flatnonzero(component == c)[0]) for c, _ in pairs}
                assert all(label == least[c] for c, label in pairs)


def test_trace_labels_number_cells_as_they_are_entered() -> None:
    trace = meiro.trace((6, 7), "backtracker", rng=4)
    seen: list[tuple[int, int]] = []
    for _, row, col, direction in trace.events.tolist():
        cell = (row // 2, col // 2)
        for at in (cell, neighbour(cell, direction, trace)) if direction >= 0 else (cell,):
            if at not in seen:
                seen.append(at)
    labels = trace[-1].labels
    assert labels is not None
    assert [labels[cell] for cell in seen] == list(range(42))
    assert trace[0].labels is not None
    assert (trace[0].labels >= 0).sum() == 1
    assert meiro.trace((6, 7), "wall_extension", rng=4)[-1].labels is None


# The states


def test_w9_torn_down_walls() -> None:
    erased = 0
    for seed in range(6):
        trace = meiro.trace((16, 16), "wall_extension", rng=seed)
        stack: list[Event] = []
        for frame, event in zip(trace, trace.events.tolist(), strict=True):
            kind, row, col, direction = event
            door = (row + STEPS[direction][0], col + STEPS[direction][1])
            states = frame.state[row, col], frame.state[door]
            if kind == EventKind.BUILD:
                stack.append(event)
                assert states == (State.CURRENT, State.GROWING)
            elif kind == EventKind.ERASE:
                erased += 1
                assert stack.pop()[1:] == event[1:]
                assert states == (State.CURRENT, State.TORN_DOWN)
                assert frame.grid[door] == 0
            else:
                stack = []
                assert not np.isin(frame.state, [State.GROWING, State.TORN_DOWN]).any()
        grid = trace.result.grid
        inner = grid[1:-1, 1:-1].copy()
        inner[1::2, 1::2] = 0
        built = trace[-1].state[1:-1, 1:-1] == State.BUILT
        built[1::2, 1::2] = False
        assert (built == inner.astype(bool)).all()
    assert erased > 20


def two_places_on(trace: meiro.Trace, at: tuple[int, int], direction: int) -> tuple[int, int]:
    row, col = (a + 2 * d for a, d in zip(at, STEPS[direction], strict=True))
    height, width = trace.grid_shape
    return row % (height - 1) if trace.wrap[0] else row, col % (width - 1) if trace.wrap[1] else col


@pytest.mark.parametrize(
    "given",
    [{"mask": np.arange(42).reshape(6, 7) != 17}, {}, {"walks": "cells"}, *({"wrap": w} for w in WRAPS)],
    ids=str,
)
def test_trace_of_wilson_erases_loops(given: dict[str, Any]) -> None:
    trace = meiro.trace((6, 7), "wilson", rng=5, **given)
    line: list[tuple[int, int]] = []
    ways: dict[tuple[int, int], int] = {}
    loops = beyond = 0
    cells = trace.grid_shape
    missing = label(np.pad(~given.get("mask", np.ones((6, 7), bool)), 1), np.ones((3, 3)))[0]

    def vertex(place: tuple[int, int]) -> object:
        """A hole is one for all posts around it, and so is the far border of a cylinder."""
        if (trace.wrap[0] and place[1] == cells[1] - 1) or (trace.wrap[1] and place[0] == cells[0] - 1):
            return "far"
        row, col = place[0] // 2, place[1] // 2
        return int(missing[row : row + 2, col : col + 2].max() * (place[0] % 2 == 0)) or place

    kinds = trace.events["kind"].tolist()
    for k, (frame, (kind, row, col, direction)) in enumerate(zip(trace, trace.events.tolist(), strict=True)):
        if kind not in {EventKind.WALK, EventKind.ERASE}:
            line = []
            continue
        if kind == EventKind.WALK:
            at = (row, col)
            line.append(at)
            ways[at] = direction
            to = two_places_on(trace, at, direction)
            if vertex(to) in map(vertex, line):
                loops += 1
                line = line[: [*map(vertex, line)].index(vertex(to))]
            assert frame.head == to
        beyond += kind == EventKind.ERASE
        if kinds[k + 1] == EventKind.ERASE:
            continue
        shown = frame.state.copy()
        shown[frame.head] = 0
        places = np.argwhere(shown == State.WALK).tolist()
        odd = 1 if kinds.count(EventKind.CARVE) else 0
        twins = [*line, *((r, cells[1] - 1) for r, c in line if c == 0)]
        twins += [(cells[0] - 1, c) for r, c in line if r == 0]
        assert sorted(tuple(p) for p in places if p[0] % 2 == p[1] % 2 == odd) == sorted(twins)
        if odd and frame.labels is not None:
            arrows = {(r // 2, c // 2): -2 - way for (r, c), way in ways.items() if (r, c) in line}
            found = np.argwhere(frame.labels < -1).tolist()
            assert {(r, c): int(frame.labels[r, c]) for r, c in found} == arrows
    assert loops > 5
    assert beyond == 0 or "mask" in given or trace.wrap[0] != trace.wrap[1]
    assert not (trace[-1].state == State.WALK).any()
    assert trace[-1].labels is None or (trace[-1].labels >= -1).all()


def test_arrows_of_walks_are_written() -> None:
    trace = meiro.trace((3, 3), "wilson", rng=2, walks="cells")
    k = next(k for k, frame in enumerate(trace) if frame.labels is not None and frame.labels.min() < -1)
    assert any(arrow in str(trace[k]) for arrow in "↑→↓←")
    assert not any(arrow in str(trace[-1]) for arrow in "↑→↓←")


@pytest.mark.parametrize("mask", [None, np.arange(25).reshape(5, 5) % 8 > 0])
def test_trace_frontiers(mask: np.ndarray[Any, Any] | None) -> None:
    trace = meiro.trace((5, 5), "prim_frontier_cell", rng=1, start=(2, 2), mask=mask)
    assert np.argwhere(trace[0].state == State.FRONTIER).tolist() == [[3, 5], [5, 3], [5, 7], [7, 5]]
    there = np.ones((5, 5), bool) if mask is None else mask
    for frame in trace:
        inside = np.isin(frame.state, [State.IN_MAZE, State.CURRENT])[1::2, 1::2]
        beside = np.zeros_like(inside)
        beside[1:] |= inside[:-1]
        beside[:-1] |= inside[1:]
        beside[:, 1:] |= inside[:, :-1]
        beside[:, :-1] |= inside[:, 1:]
        assert ((frame.state == State.FRONTIER)[1::2, 1::2] == (beside & ~inside & there)).all()


# Searches


def searches(solver: str) -> Iterator[tuple[Any, dict[str, Any]]]:
    facts = meiro.SOLVERS[solver]
    given: dict[str, Any] = {"rng": 3} if facts.random else {}
    yield meiro.Maze([[0]]), given
    for seed, shape in enumerate([(1, 7), (7, 1), (6, 9)]):
        maze = meiro.generate(shape, rng=seed)
        yield maze, given
        yield maze.grid, {**given, "start": (1, 1), "goal": tuple(n - 2 for n in maze.grid.shape)}
    yield meiro.braid(meiro.generate((7, 7), rng=1), rng=1), given
    yield meiro.generate(mask=MASK, algorithm="kruskal", rng=1), {**given, "goal": (1, 0)}
    if facts.wraps:
        for wrap in WRAPS:
            yield periodic_maze((5, 6), wrap, 1), given
    picture = some_array(9)
    roads = np.argwhere(picture == 0).tolist()
    yield picture, {**given, "start": roads[0], "goal": roads[min(9, len(roads) - 1)]}
    if "moves" in facts.options:
        yield np.zeros((5, 6), np.uint8), {**given, "start": (0, 0), "goal": (4, 5), "moves": 8}


def test_trace_solve_is_the_untraced_search(solver: str) -> None:
    for x, given in searches(solver):
        try:
            solution = meiro.solve(x, algorithm=solver, visit_order=True, **given)
        except meiro.NoPathError:
            refused(meiro.NoPathError, "no path", meiro.trace_solve, x, algorithm=solver, **given)
            continue
        trace = meiro.trace_solve(x, algorithm=solver, visit_order=True, **given)
        assert trace.result == solution
        sites = solution.space == "sites"
        assert (trace.space, trace.shape) == (solution.space, solution.shape)
        events = trace.events
        path = events[events["kind"] == EventKind.PATH]
        places = np.stack([path["row"], path["col"]], axis=1)
        assert (places if sites else places // 2).tolist() == solution.path.tolist()
        last = trace[-1]
        assert last.labels is not None
        if solver == "bfs":
            expected = meiro.distances(x, solution.start) if trace.result.moves == 4 else last.labels
            assert (last.labels == np.where(solution.explored, expected, -1)).all()
        else:
            assert solution.visit_order is not None
            assert (last.labels == solution.visit_order).all()
        shown = last.state == State.PATH
        assert last.head is not None
        shown[last.head] = True
        if solution.found:
            assert (shown == solution.mask).all()
        assert (last.grid == (x if sites else x.grid)).all()
        assert (last.passages is None) == sites
        cells = last.state if sites else last.state[1::2, 1::2]
        looked = [State.VISITED, State.PATH, State.FILLED, State.CURRENT]
        assert (np.isin(cells, looked) == solution.explored).all()


def test_trace_solve_frontier_is_what_can_be_next() -> None:
    maze = meiro.generate((8, 8), rng=2)
    for frame in meiro.trace_solve(maze)[:40]:
        entered = np.isin(frame.state, [State.VISITED, State.CURRENT])[1::2, 1::2]
        edge = {
            tuple(end)
            for one, other in np.stack(np.divmod(maze.edges(), maze.cols), axis=2).tolist()
            for end, back in ((one, other), (other, one))
            if entered[tuple(back)] and not entered[tuple(end)]
        }
        assert {tuple(p) for p in np.argwhere((frame.state == State.FRONTIER)[1::2, 1::2]).tolist()} == edge


@pytest.mark.usefixtures("apart")
def test_trace_solve_random_access(solver: str) -> None:
    maze = meiro.braid(meiro.generate((6, 7), rng=3), 0.5, rng=3)
    given: dict[str, Any] = {"rng": 3} if meiro.SOLVERS[solver].random else {}
    trace = meiro.trace_solve(maze, algorithm=solver, **given)
    frames = list(trace)
    for k in np.random.default_rng(2).integers(0, len(trace), 30).tolist():
        assert same(trace[k], frames[k])
    thin = meiro.trace_solve(maze, algorithm=solver, every=9, window=(4, None), max_events=1000, **given)
    assert same(thin[0], frames[12])
    assert same(thin[-1], frames[-1])


def test_trace_captions() -> None:
    notes = {}
    names = "wall_extension", "eller", "kruskal", "aldous_broder"
    made = [meiro.trace((16, 16), name, rng=9) for name in names]
    for t in (*made, meiro.trace_solve(meiro.generate((9, 9), rng=1), algorithm="collision")):
        for frame, event in zip(t, t.events.tolist(), strict=True):
            notes[EventKind(event[0])] = frame.note
    assert set(notes) == set(EventKind)
    assert not any("{" in note for note in notes.values())
    assert t.before.note == "Nothing has happened yet."
    assert t[1].note.startswith("The water flows ")
    over = meiro.trace((3, 3), "kruskal", wrap=(True, True), rng=1)
    assert any(frame.note.startswith("Cell (0, 2) is in cluster 2, cell (0, 0)") for frame in over)
    east = meiro.trace_solve(meiro.Maze([[2, 10, 8]]), algorithm="bfs")
    assert east[1].note == "Cell (0, 1) is reached for the first time from the west."


# Bad input


def test_trace_of_too_many_events_is_refused_with_the_bytes() -> None:
    words = r"195 events, more than max_events=10.* [\d,]+ bytes.*window=.*every="
    refused(ValueError, words, meiro.trace, (9, 12), "kruskal", rng=1, max_events=10)
    with pytest.raises(ValueError, match=r"98 frames, more than max_events=10"):
        meiro.trace((9, 12), "kruskal", rng=1, max_events=10, every=2)
    with pytest.raises(ValueError, match="events, more than max_events=3"):
        meiro.trace_solve(meiro.generate((9, 9), rng=1), max_events=3)
    assert len(meiro.trace((9, 12), "kruskal", rng=1, max_events=10, every=20)) == 10
    assert len(meiro.trace((9, 12), "kruskal", rng=1, max_events=10, window=(50, 60))) == 10


def test_trace_asks_for_memory_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meiro._utils.memory.available", lambda: 1 << 20)
    monkeypatch.setattr("meiro.generators.request.require", lambda *_: None)
    with pytest.raises(MemoryError, match=r"the trace of [\d,]+ events takes .* bytes.*window="):
        meiro.trace((4000, 4000), "serpentine", max_events=10**9)


def test_trace_refuses_bad_arguments() -> None:
    for given, error, words in (
        ({"max_events": 0}, ValueError, "max_events must be at least 1, not 0"),
        ({"every": 0}, ValueError, "every must be at least 1"),
        ({"window": 5}, TypeError, "window must be two numbers"),
        ({"window": ("a", 2)}, TypeError, "window must be two numbers"),
        ({"threads": 2}, TypeError, "threads"),
        ({"start": (0, 0)}, TypeError, "start"),
        ({"wrap": (True, True), "algorithm": "eller"}, TypeError, "wrap"),
        ({"mask": MASK[:, :4], "algorithm": "eller"}, TypeError, "mask"),
        ({"algorithm": "no such"}, ValueError, "no algorithm"),
    ):
        refused(error, words, meiro.trace, **{"shape": (5, 4), "rng": 1, **given})


def test_trace_refuses_bad_frames_and_searches() -> None:
    trace = meiro.trace((3, 3), rng=1)
    for k in (len(trace), -len(trace) - 1, 10**20):
        with pytest.raises(IndexError, match="there is no frame"):
            trace[k]
    for bad in (1.5, "a", None):
        with pytest.raises(TypeError, match="integer or a slice"):
            trace[bad]  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="read-only"):
        trace.packed[0] = 0
    for last in (-1, len(trace)):
        words = f"k must be from 0 to {len(trace) - 1}, the numbers of the frames"
        refused(ValueError, words, trace.last_events, np.array([0, last]))
    maze = meiro.generate((3, 3), rng=1)
    refused(TypeError, "nonsense", meiro.trace_solve, maze, nonsense=1)
    refused(ValueError, "outside", meiro.trace_solve, maze, (9, 9))
    refused(meiro.NoPathError, "no path", meiro.trace_solve, np.array([[0, 1, 0]]), (0, 0), (0, 2))
    refused(ValueError, "right must be", meiro.trace_eller, [[1]], [[1, 1, 1]])


def test_trace_in_the_core_refuses_unsafe_arguments() -> None:
    from meiro import _core

    recording = _core.Recording()
    with pytest.raises(IndexError):
        recording.at(0)
    out = np.empty((2, 2), np.uint8)
    run: Any = ("backtracker", (None, (False, False)), out[np.newaxis], (1, 2, 3), {}, 1, None, recording)
    _core.generate(*run)
    n = recording.count()
    start = np.zeros((2, 2), np.uint8)
    asked = (start, False, (False, False), None, False)
    order = _core.LabelKind.ORDER
    for window, size in (((0, n + 1, 4), n + 1), ((0, n, 0), n), ((0, n, 4), 1)):
        with pytest.raises(ValueError, match=r"no such|wrong size"):
            recording.keep(*asked, order, window, every=False, words=np.empty(size, np.uint64))
    bad: Any = 9
    with pytest.raises(TypeError):
        recording.keep(*asked, bad, (0, n, 4), every=False, words=np.empty(n, np.uint64))
    words = np.empty(n - 1, np.uint64)
    recording.keep(*asked, order, (1, n - 1, 4), every=False, words=words)
    with pytest.raises(IndexError):  # it has not run yet
        recording.at(1)
    _core.generate(*run)
    words[:] = np.uint64(2**64 - 1)  # nothing that anybody writes there leads outside
    recording.at(2)
    for kind in range(16):
        for direction in range(16):
            words[:] = np.uint64(24 << 8 | kind << 4 | direction)
            recording.at(1)
            recording.at(n - 1)
