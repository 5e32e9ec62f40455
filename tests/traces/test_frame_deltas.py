"""Frame deltas: applying the changes gives every frame as drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import drawn_grid
from numpy.typing import NDArray
from refusals import refused
from replay import replayed

import meiro
from meiro._utils.pixel_layout import layout_of
from meiro.colors import Theme
from meiro.traces import frame_deltas
from meiro.traces.events import State
from meiro.traces.frame_deltas import compute_deltas, frame_colors
from meiro.traces.trace import Trace

pytestmark = pytest.mark.sanitize

WALL, CLOSED, START, GOAL = (Theme._fields.index(name) for name in ("wall", "closed", "start", "goal"))
KEPT = [{}, {"every": 3}, {"window": (5, 40)}, {"every": 4, "max_events": 120}]


def traces(**kept: Any) -> list[Trace]:
    maze = meiro.generate((6, 7), rng=4)
    torus = meiro.braid(meiro.generate((6, 7), rng=2, wrap=(True, True)), 1.0, rng=1)
    hall = meiro.generate((6, 7), "rooms", rng=1, doors=0.3)
    room = np.zeros((9, 8), np.uint8)
    bounded: dict[str, dict[str, Any]] = {"random_mouse": {"max_steps": 40}}
    return [
        *(meiro.trace((6, 7), name, rng=3, **kept) for name in meiro.ALGORITHMS),
        *(meiro.trace_solve(maze, algorithm=name, **kept, **bounded.get(name, {})) for name in meiro.SOLVERS),
        *(meiro.trace_solve(room, (0, 0), (8, 7), algorithm=name, **kept) for name in ("bfs", "a_star")),
        meiro.trace((6, 7), "wilson", rng=2, wrap=(True, True), **kept),
        meiro.trace_solve(torus, (2, 3), (5, 0), **kept),
        *(meiro.trace_solve(hall, algorithm=a, **kept) for a in ("bfs", "cul_de_sac_filling", "tremaux")),
        meiro.trace((6, 7), "kruskal", rng=2, mask=np.tri(6, 7, 2, dtype=bool), **kept),
    ]


def obvious(trace: Trace, k: int, *, blank: bool = True) -> NDArray[np.uint8]:
    """Return how the places of a frame are drawn, from the frame itself."""
    frame = trace[k] if k >= 0 else trace.before
    paints = np.where(frame.grid == 1, WALL, 0).astype(np.uint8)
    if frame.passages is not None and not isinstance(trace.result, meiro.Solution):
        cells = paints[1::2, 1::2]
        cells[(frame.passages == 0) & (cells == 0)] = CLOSED
    mask = trace.domain.mask
    if mask is not None and blank:
        everywhere = meiro.Maze(np.zeros(mask.shape, np.uint8), mask, wrap=trace.domain.wrap)
        paints[drawn_grid(everywhere) < everywhere.grid] = 0
    bare = frame.state == State.UNTOUCHED
    paints = np.where(bare, paints, frame.state)
    for end, paint in zip(trace.domain.endpoints(trace.result), (START, GOAL), strict=True):
        if end >= 0 and (frame.state.flat[end] != State.CURRENT or frame.note.endswith("is on the path.")):
            paints.flat[end] = paint
    if isinstance(trace.result, meiro.Solution) and trace.space == "cells":
        state = frame.state.copy()  # where the head is not
        if frame.head is not None:
            state[frame.head] = state_below(trace, k)
        row, col = np.indices(state.shape)
        for r, c in np.argwhere(bare & (frame.grid == 0) & ((row + col) % 2 == 1)).tolist():
            down, right = (0, 1) if r % 2 else (1, 0)
            height, width = (side - 1 for side in trace.grid_shape)  # places over the border are one
            ends = [((r + s * down) % height, (c + s * right) % width) for s in (-1, 1)]
            paints[r, c] = open_between({State(state[end]) for end in ends})
        for r, c in np.argwhere(bare[1:-1, 1:-1] & (frame.grid[1:-1, 1:-1] == 1)).tolist():
            post, around = (r + 1, c + 1), np.s_[r : r + 3, c : c + 3]
            walls = (frame.grid[around] == 1) | (frame.state[around] == State.BUILT)
            if post[0] % 2 == post[1] % 2 == 0 and walls.sum() == 1:
                paints[post] = open_between({State(int(one)) for one in state[around][::2, ::2].flat})
    return paints


def state_below(trace: Trace, k: int) -> int:
    """Return the state of the place of the head, which hides it."""
    if k >= 0:
        kind = meiro.EventKind(trace.events["kind"][k]).name
    else:
        kind = "WALK" if trace.algorithm == "collision" else "FILL" * trace.algorithm.endswith("filling")
    return {"PATH": State.PATH, "WALK": State.WALK, "FILL": State.FILLED}.get(kind, State.VISITED)


def open_between(ends: set[State]) -> State:
    """Return how an open place is drawn over which no step has led, by the states on its two sides."""
    if State.UNTOUCHED in ends:
        return State.UNTOUCHED
    for one in (State.FRONTIER, State.FILLED):
        if one in ends:
            return one
    return State.WALK if ends == {State.WALK} else State.VISITED


@pytest.mark.parametrize(
    "kept", [*(pytest.param(kept, marks=pytest.mark.long) for kept in KEPT[:3]), KEPT[3]], ids=str
)
def test_frame_deltas_applied_are_the_frames(kept: dict[str, Any]) -> None:
    for trace in traces(**kept):
        for every in (1, 4):
            shown = compute_deltas(trace, every, numbers=True)
            assert len(shown) == -(-len(trace) // every)
            assert (shown.first == obvious(trace, -1)).all(), trace
            kept_frames = [min(k, len(trace)) - 1 for k in range(every, len(trace) + every, every)]
            for k, (places, numbers) in zip(kept_frames, replayed(shown), strict=True):
                assert (places == obvious(trace, k)).all(), (trace, k)
                assert (places == frame_colors(trace, k)).all()
                assert (obvious(trace, k, blank=False) == frame_colors(trace, k, outside="wall")).all()
                labels = trace[k].labels
                assert labels is None or (numbers == labels.reshape(-1)).all(), (trace, k)
            assert shown.words.tolist() == compute_deltas(trace).words[kept_frames].tolist()


def test_frame_deltas_fill_what_is_outside_on_request() -> None:
    trace = meiro.trace(None, "backtracker", rng=1, mask=np.tri(6, 7, 2, dtype=bool))
    first = compute_deltas(trace, outside="wall").first
    assert (first == obvious(trace, -1, blank=False)).all()
    maze = trace.result
    assert isinstance(maze, meiro.Maze)
    assert ((first != compute_deltas(trace).first) == (drawn_grid(maze) != maze.grid)).all()


def test_frame_deltas_end_with_the_result() -> None:
    for trace in traces():
        last = frame_colors(trace, len(trace) - 1)
        if isinstance(trace.result, meiro.Maze):
            walls = np.isin(last, [WALL, State.KEPT, State.GROWING, State.BUILT])
            walls |= (last == State.CURRENT) & (trace.result.grid == 1)
            assert (walls == (drawn_grid(trace.result) == 1)).all(), trace
        elif trace.result.found and trace.algorithm != "random_mouse":
            drawn = np.argwhere(np.isin(last, [State.PATH, State.CURRENT, START, GOAL]))
            path = trace.result.grid_path if trace.space == "cells" else trace.result.path
            assert {tuple(p) for p in path.tolist()} <= {tuple(p) for p in drawn.tolist()}, trace


def test_frame_deltas_that_are_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_deltas, "MOST_CHANGES", 100)
    trace = meiro.trace((20, 20), "backtracker", rng=1)
    refused(ValueError, r"more than 100 places change.* by every=, more than 1", compute_deltas, trace)
    monkeypatch.setattr(frame_deltas, "_MOST_PLACES", 1000)
    refused(ValueError, r"41 x 41 places is too large to be played", compute_deltas, trace)


@pytest.mark.parametrize(
    ("grid", "cells", "size", "expected"),
    [
        ((201, 201), True, 480, (1, 3)),
        ((9, 9), True, 480, (7, 33)),
        ((4001, 3), True, 480, (1, 1)),
        ((100, 50), False, 480, (4, 4)),
        ((1000, 50), False, 480, (1, 1)),
    ],
)
def test_pixel_layout(grid: tuple[int, int], *, cells: bool, size: int, expected: tuple[int, int]) -> None:
    layout = layout_of(grid, cells=cells, size=size)
    assert tuple(layout) == expected
    assert layout.pixels(np.zeros(grid, np.uint8)).shape == layout.size(grid)
