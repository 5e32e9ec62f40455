"""Traces on lattices: what is replayed is the maze, and the same as on the grid where both exist."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from refusals import refused
from replay import replayed
from some_lattices import EVERY

import meiro
from meiro.traces.events import EventKind
from meiro.traces.frame_deltas import compute_deltas, frame_colors

LATTICES = {
    **{name: EVERY[name] for name in ("square", "hexagonal", "box", "weave")},
    "two parts": meiro.lattices.from_graph([(0, 1), (1, 2), (0, 2), (3, 4), (3, 4), (4, 4)]),
    "one cell": meiro.lattices.hexagonal(1, 1),
}
GENERATORS = [facts.name for facts in meiro.ALGORITHMS.values() if facts.graphs]
SEARCHES = [
    (name, facts.name)
    for name in LATTICES
    for facts in meiro.SOLVERS.values()
    if facts.graphs and (facts.name != "wall_follower" or name in {"square", "hexagonal", "one cell"})
]


@pytest.fixture(params=list(LATTICES))
def lattice(request: pytest.FixtureRequest) -> meiro.Lattice:
    return LATTICES[request.param]


@pytest.mark.parametrize("algorithm", GENERATORS)
def test_the_last_frame_is_the_maze_that_generate_returns(lattice: meiro.Lattice, algorithm: str) -> None:
    trace = meiro.trace(lattice, algorithm, rng=3)
    maze = meiro.generate(lattice, algorithm, rng=3)
    assert trace.result == maze
    np.testing.assert_array_equal(trace[-1].open, maze.open)
    assert trace[-1].maze() == maze
    assert not trace.before.open.any()
    assert copy.copy(trace).result == maze


@pytest.mark.parametrize("algorithm", GENERATORS)
def test_edges_open_and_close_as_the_events_say(lattice: meiro.Lattice, algorithm: str) -> None:
    trace = meiro.trace(lattice, algorithm, rng=4)
    passages = np.zeros(lattice.n_edges, np.bool_)
    for frame, event in zip(trace, trace.events, strict=False):
        if event["kind"] in {EventKind.CARVE, EventKind.CLOSE}:
            passages[event["edge"]] = event["kind"] == EventKind.CARVE
        np.testing.assert_array_equal(frame.open, passages)
        if event["edge"] >= 0:
            assert {event["origin"], event["cell"]} == set(lattice.edges[event["edge"]].tolist())


def test_events_go_from_the_cell_that_is_left() -> None:
    line = meiro.lattices.from_graph([(1, 0), (1, 2)])
    trace = meiro.trace(line, "backtracker", start=2, rng=1)
    carved = trace.events[trace.events["kind"] == EventKind.CARVE]
    assert carved[["edge", "origin", "cell"]].tolist() == [(1, 2, 1), (0, 1, 0)]


@pytest.mark.parametrize(("name", "algorithm"), SEARCHES)
def test_a_traced_search_is_the_search(name: str, algorithm: str) -> None:
    lattice = LATTICES[name]
    maze = meiro.generate(lattice, rng=5)
    if lattice.n_components > 1:
        refused(meiro.NoPathError, "no path", meiro.trace_solve, maze, algorithm=algorithm)
        maze = meiro.GraphMaze(lattice, maze.open, goal=2)
    options: dict[str, Any] = {"rng": 8} if meiro.SOLVERS[algorithm].random else {}
    trace = meiro.trace_solve(maze, algorithm=algorithm, **options)
    solution = meiro.solve(maze, algorithm=algorithm, **options)
    assert trace.result == solution
    last = trace[-1]
    assert last.open is None
    assert last.maze() == maze
    if solution.found:
        on_path = np.isin(last.state[: lattice.n_cells], [meiro.State.PATH, meiro.State.CURRENT])
        assert set(np.flatnonzero(on_path)) == set(solution.path_numbers.tolist())
    assert copy.copy(trace)[-1].note == last.note


@pytest.mark.parametrize(
    ("name", "algorithm"), [*((name, algorithm) for name in LATTICES for algorithm in GENERATORS), *SEARCHES]
)
def test_deltas_show_the_frames(name: str, algorithm: str) -> None:
    lattice = LATTICES[name]
    if algorithm in GENERATORS:
        trace = meiro.trace(lattice, algorithm, rng=6)
    else:
        maze = meiro.generate(lattice, rng=6)
        trace = meiro.trace_solve(maze, goal=min(lattice.n_cells - 1, 2), algorithm=algorithm)
    deltas = compute_deltas(trace, numbers=True)
    np.testing.assert_array_equal(deltas.first, frame_colors(trace, -1))
    assert len(deltas) == len(trace)
    for k, (picture, numbers) in enumerate(replayed(deltas)):
        np.testing.assert_array_equal(picture, frame_colors(trace, k))
        np.testing.assert_array_equal(numbers, trace[k].labels)


@pytest.mark.parametrize("algorithm", ["wilson", "kruskal", "hunt_and_kill"])
def test_windows_and_sparse_traces_show_the_same_moments(algorithm: str) -> None:
    lattice = LATTICES["hexagonal"]
    whole = meiro.trace(lattice, algorithm, rng=7)
    part = meiro.trace(lattice, algorithm, rng=7, window=(5, 15))
    sparse = meiro.trace(lattice, algorithm, rng=7, every=4, max_events=len(whole) // 2)
    for k in range(10):
        np.testing.assert_array_equal(part[k].state, whole[5 + k].state)
    for k in range(len(sparse)):
        moment = min(4 * k + 3, len(whole) - 1)
        np.testing.assert_array_equal(sparse[k].state, whole[moment].state)
        np.testing.assert_array_equal(sparse[k].open, whole[moment].open)


@pytest.mark.parametrize("algorithm", ["kruskal", "boruvka", "prim"])
def test_a_square_lattice_is_replayed_as_the_grid(algorithm: str) -> None:
    """Cells and walls have the states that they have where cells have rows and columns."""
    on_lattice = meiro.trace(LATTICES["square"], algorithm, rng=9)
    on_grid = meiro.trace((4, 5), algorithm, rng=9)
    assert len(on_lattice) == len(on_grid)
    pairs = np.asarray(meiro.wall_cells((4, 5), np.arange(LATTICES["square"].n_edges)))
    row, col = (pairs // 5).sum(axis=-1) + 1, (pairs % 5).sum(axis=-1) + 1
    for one, other in zip(on_lattice, on_grid, strict=True):
        state = other.state
        np.testing.assert_array_equal(one.state[:20], state[1::2, 1::2].reshape(-1))
        np.testing.assert_array_equal(one.state[20:], state[row, col])
        np.testing.assert_array_equal(one.labels, other.labels.reshape(-1))


def test_sentences_name_cells_by_their_labels() -> None:
    graph = meiro.lattices.from_graph([("ann", "bob"), ("bob", "x" * 60)])
    notes = [frame.note for frame in meiro.trace(graph, "backtracker", start="ann", rng=1)]
    assert notes[0] == "Cell ann is entered: the maze begins here."
    assert notes[1].startswith("Cell bob is unvisited: the wall of cell ann to cell bob goes")
    maze = meiro.generate(graph, rng=1)
    found = [frame.note for frame in meiro.trace_solve(maze, start="ann", goal="bob")]
    assert found[1] == "Cell bob is reached for the first time from cell ann."
    assert all(len(note) < 300 for note in notes)
    assert not any("{" in note for note in notes)


def test_made_and_then_searched() -> None:
    made = meiro.trace(LATTICES["hexagonal"], rng=2)
    both = made + meiro.trace_solve(made.result)
    assert len(both) == len(made) + len(both.parts[1])
    assert both[len(made)].note == both.parts[1][0].note
    other = meiro.trace_solve(meiro.generate(LATTICES["hexagonal"], rng=3))
    with pytest.raises(ValueError, match="does not fit behind"):
        made + other
    with pytest.raises(ValueError, match="does not fit behind"):
        made + meiro.trace_solve(meiro.generate((4, 5), rng=3))


def test_arguments_of_grids_are_refused() -> None:
    refused(TypeError, "a lattice takes no mask", meiro.trace, LATTICES["hexagonal"], mask=[[True]])
    refused(TypeError, "'eller' needs rows and columns", meiro.trace, LATTICES["hexagonal"], "eller")
    refused(TypeError, "takes no road=", meiro.trace_solve, meiro.generate(LATTICES["hexagonal"]), road=0)
    refused(ValueError, "more than max_events=3", meiro.trace, LATTICES["hexagonal"], max_events=3)
