"""Traces that are added: a maze is made, and then searched."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np
import pytest
from replay import replayed

import meiro
from meiro.traces.events import LEGEND
from meiro.traces.frame_deltas import compute_deltas, frame_colors, legend_of

MASK = np.arange(30).reshape(5, 6) % 8 > 0
KINDS: dict[str, dict[str, Any]] = {
    "walks": {"shape": (5, 6), "walks": "cells"},
    "clusters": {"shape": (4, 5), "algorithm": "kruskal"},
    "walls": {"shape": (4, 5), "algorithm": "recursive_division"},
    "sets": {"shape": (4, 5), "algorithm": "eller", "every": 3},
    "mask": {"mask": MASK, "algorithm": "backtracker"},
    "torus": {"shape": (4, 5), "wrap": (True, True)},
    "openings": {"shape": (4, 5), "openings": "corners"},
}


def parts_of(kind: str) -> list[meiro.Trace]:
    made = meiro.trace(rng=3, **KINDS[kind])
    assert isinstance(made.result, meiro.Maze)
    return [made, *(meiro.trace_solve(made.result, algorithm=name) for name in ("dfs", "bfs"))]


@pytest.mark.parametrize("kind", KINDS)
def test_frames_of_a_sum_are_those_of_its_parts(kind: str) -> None:
    parts = parts_of(kind)
    joined = parts[0] + parts[1] + parts[2]
    assert joined.parts == tuple(parts) == (parts[0] + (parts[1] + parts[2])).parts
    alone = list(itertools.chain(*parts))
    assert len(joined) == len(alone)
    assert joined.result is parts[-1].result
    done, numbers = 0, []
    for part in parts:
        numbers += [done + part.position(k) for k in range(len(part))]
        done = numbers[-1]
    assert joined.n_events == done
    for k, (frame, own) in enumerate(zip(joined, alone, strict=True)):
        assert (frame.note, frame.head) == (own.note, own.head)
        np.testing.assert_array_equal(frame.state, own.state)
        np.testing.assert_array_equal(frame.grid, own.grid)
        assert joined.position(k) == numbers[k]
        assert own.line is not None
        assert joined.source[frame.line or 0] == own.trace.source[own.line]
        assert joined.events[k].tolist() == own.trace.events[own.number].tolist()
        np.testing.assert_array_equal(frame_colors(joined, k), frame_colors(own.trace, own.number))
    assert joined[-1].note == alone[-1].note
    assert joined.before.note == parts[0].before.note
    assert str(joined.before.state.tolist()) == str(parts[0].before.state.tolist())


@pytest.mark.parametrize("every", [1, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_deltas_of_a_sum_give_the_colours_of_its_frames(kind: str, every: int) -> None:
    parts = parts_of(kind)
    joined = parts[0] + parts[1] + parts[2]
    deltas = compute_deltas(joined, every, numbers=True)
    alone = [compute_deltas(part, every, numbers=True) for part in parts]
    assert deltas.starts == tuple(np.cumsum([0, *map(len, alone)])[:-1].tolist())
    assert len(deltas.words) == len(deltas) == sum(map(len, alone))
    for k, (picture, numbers) in enumerate(replayed(deltas)):
        i = int(np.searchsorted(deltas.starts, k, "right")) - 1
        part = parts[i]
        frame = part[min((k - deltas.starts[i] + 1) * every, len(part)) - 1]
        np.testing.assert_array_equal(picture, frame_colors(part, frame.number))
        wanted = np.full(part.shape, -1) if frame.labels is None else frame.labels
        assert (numbers == wanted.ravel()).all()


def test_sum_is_drawn_and_pickled() -> None:
    parts = parts_of("clusters")
    joined = parts[0] + parts[1]
    assert repr(joined) == f"<Trace of {len(parts[0]) + len(parts[1])} frames: kruskal + dfs, 4x5 cells>"
    again = copy.deepcopy(joined)
    assert [frame.note for frame in again] == [frame.note for frame in joined]
    assert legend_of(joined) == {**legend_of(parts[0]), **legend_of(parts[1])}
    assert list(legend_of(joined)) == [paint for paint in LEGEND if paint in legend_of(joined)]
    animation = meiro.animate(joined, numbers="clusters")
    assert "frames" in repr(animation)
    assert meiro.player(joined).n_frames == len(joined)
    assert "kruskal + dfs" in joined._repr_html_()


def test_parts_without_events_are_left_out() -> None:
    maze = meiro.generate((1, 2), rng=1)
    one = meiro.trace((1, 2), "spiral") + meiro.trace_solve(maze)
    assert len(one.parts) == 1 + bool(meiro.trace((1, 2), "spiral").n_events)
    none = meiro.trace((1, 1), rng=1)
    both = none + meiro.trace_solve(none.result)
    assert len(both) == sum(len(part) for part in both.parts)
    assert isinstance(both[-1].note, str)
    assert meiro.player(both).n_frames == len(both)


def test_traces_that_do_not_fit_are_refused() -> None:
    made = meiro.trace((4, 5), rng=3)
    maze = made.result
    assert isinstance(maze, meiro.Maze)
    search = meiro.trace_solve(maze)
    with pytest.raises(ValueError, match=r"4x5 cells> is of a generator, .* it comes first in a sum"):
        search + made
    with pytest.raises(
        ValueError, match=r"bfs, 4x5 cells> does not fit behind <.*: they are of different mazes"
    ):
        made + meiro.trace_solve(meiro.generate((4, 5), rng=4))
    with pytest.raises(ValueError, match="of different mazes"):
        search + meiro.trace_solve(meiro.generate((5, 4), rng=3))
    with pytest.raises(ValueError, match=r"search the Maze, meiro.trace_solve\(trace.result\), not its grid"):
        made + meiro.trace_solve(maze.grid, (1, 1), (1, 3))
    grids = [meiro.trace_solve(maze.grid, (1, 1), (1, 3), algorithm=name) for name in ("bfs", "dfs")]
    assert len(grids[0] + grids[1]) == len(grids[0]) + len(grids[1])
    with pytest.raises(ValueError, match="does not fit behind"):
        grids[0] + search
    with pytest.raises(TypeError, match="unsupported operand"):
        made + maze  # type: ignore[operator]
    opened = meiro.with_openings(maze, "corners")
    assert len(made + meiro.trace_solve(opened)) > len(made)
