"""The bindings check again what would be unsafe in C++, whatever the package has checked before."""

from __future__ import annotations

import sys
import threading
from typing import Any

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro import _core
from meiro.lattices.lattice import graph_of

FLAT = (False, False)
LATTICE = graph_of(meiro.lattices.square(2, 2))
SEED = (1, 2, 0)
CELL = np.zeros(1, np.int64)
NONE = np.empty(0, np.int64)
PATH = np.array([[[0, 0], [0, 1]]], np.int32)
FREE = np.empty(0)


def cells(*shape: int) -> Any:
    """Return closed cells, or sites that are roads."""
    return np.zeros(shape, np.uint8)


def exist(*shape: int) -> Any:
    return np.ones(shape, np.bool_)


def generate(
    algorithm: str = "backtracker", out: Any = None, mask: Any = None, wrap: Any = FLAT, **given: object
) -> None:
    out = cells(1, 3, 4) if out is None else out
    _core.generate(algorithm, (mask, wrap), out, SEED, given, 1, None, None)


def solve(x: Any, goals: Any = CELL, algorithm: str = "bfs", **given: Any) -> Any:
    start, moves = given.pop("start", 0), given.pop("moves", 4)
    space = (x, moves) if given.pop("sites", True) else (x[np.newaxis], None, given.pop("wrap", FLAT))
    return _core.solve(algorithm, space, start, goals, given, None, None)


def distances(out: Any, weights: Any = FREE) -> None:
    _core.distances((cells(3, 4), 4), CELL[np.newaxis], weights, out, 1, None)


def eller_rows(sets: list[int]) -> None:
    _core.EllerRows(3, SEED, 4, np.array([sets], np.uint8), finished=False)


MAZES = (cells(1, 3, 4), None, FLAT)


def misaligned(array: Any) -> Any:
    """Return a copy at an odd address."""
    copy = np.empty(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    copy[...] = array
    assert not copy.flags.aligned
    return copy


def kept(*, search: bool = False) -> _core.Recording:
    """Return a recording of which every third event is kept."""
    recording = _core.Recording()
    run: Any = ("wilson", (None, FLAT), cells(1, 3, 4), SEED, {}, 1, None, recording)
    _core.generate(*run)  # the first counts the events
    size = recording.count()
    keep(recording, (0, size, 3), words=-(-size // 3), every=True, search=search)
    _core.generate(*run)
    return recording


def keep(
    recording: _core.Recording,
    window: tuple[int, int, int],
    *,
    words: int,
    every: bool = False,
    search: bool = False,
) -> None:
    room = np.empty(words, np.uint64)
    recording.keep(cells(3, 4), False, FLAT, None, search, _core.LabelKind.NONE, window, every, room)  # noqa: FBT003


def film(recording: _core.Recording, stride: int, walls: Any = None) -> object:
    return recording.film(stride, walls, (-1, -1), False, 1000)  # noqa: FBT003


def shortest(start: int, goals: Any) -> None:
    _core.shortest_paths((cells(2, 3), 4), start, goals, None)


def shortest_one_by_one(start: int, goals: Any) -> None:
    _core.ShortestPaths((cells(2, 3), 4), start, goals, None)


def bottlenecks(start: int, goals: Any) -> None:
    _core.bottlenecks((cells(2, 3), 4), start, goals)


def path_masks(paths: Any, lengths: Any) -> None:
    _core.path_masks(paths, np.array(lengths), (1, 2))


def grid_paths(paths: Any, lengths: Any) -> None:
    _core.grid_paths(paths, np.array(lengths), (1, 2), lambda _: None)


def test_the_bindings_refuse_unsafe_arguments() -> None:
    for call, error, words in (
        (lambda: _core.check((cells(4), 4), 1, None), ValueError, "walls must be 2-D, not 1-D"),
        (lambda: _core.check((cells(0, 3), 4), 1, None), ValueError, r"at least \(1, 1\)"),
        (lambda: _core.check((cells(3, 0), 4), 1, None), ValueError, r"at least \(1, 1\)"),
        (lambda: _core.trace_bytes((2**40, 2**40), False, False), ValueError, "shape is too large"),  # noqa: FBT003
        (lambda: check_mazes(cells(1, 3, 4), exist(1, 4, 3)), ValueError, "mask must have the shape"),
        (lambda: check_mazes(cells(1, 2, 4), wrap=(True, False)), ValueError, "at least 3 long"),
        (lambda: check_mazes(cells(1, 4, 2), wrap=(False, True)), ValueError, "at least 3 long"),
        (lambda: _core.first_fault(cells(3, 4), None, FLAT), ValueError, "passages must be 3-D"),
        (lambda: expand_many(cells(2, 3, 4), exist(3, 3, 4)), ValueError, "mask must have the shape"),
        (lambda: expand_many(cells(2, 3, 4), exist(2, 4, 4)), ValueError, "mask must have the shape"),
        (lambda: generate(out=cells(3, 4)), ValueError, "out must be 3-D"),
        (lambda: generate("no such"), KeyError, "no such"),
        (lambda: generate("eller", mask=exist(3, 4)), ValueError, "eller takes no mask"),
        (lambda: generate("eller", wrap=(True, True)), ValueError, "eller takes no wrap"),
        (lambda: generate(start=12), ValueError, "start is not a cell"),
        (lambda: generate(start=-9), ValueError, "start is not a cell"),
        (lambda: generate(start=2, mask=np.array([[True, True, False, True]] * 3)), ValueError, "not a cell"),
        (lambda: generate(mask=exist(2, 2)), ValueError, "mask must have the shape of the maze"),
        (lambda: generate(falls=np.zeros(3, np.uint8)), ValueError, "falls must have"),
        (lambda: generate("kruskal", order=np.arange(16)), ValueError, "order must have 17 items, not 16"),
        (lambda: generate("kruskal", order=np.arange(17) + 1), ValueError, "order: no such wall"),
        (lambda: generate("kruskal", order=np.arange(17) - 1), ValueError, "order: no such wall"),
        (lambda: generate("kruskal", weights=np.arange(17) - 1.0), ValueError, "must not be negative"),
        (lambda: generate("rooms", sides=(0, 3)), ValueError, "sides must be at least 1"),
        (lambda: generate("rooms", sides=(3, 2)), ValueError, "the lesser first"),
        (lambda: generate("rooms", fill="no such"), KeyError, "no such"),
        (lambda: generate("growing_tree", choose=(0, 0, 0, 0)), ValueError, "no odds above 0"),
        (lambda: generate("recursive_division", room=1), ValueError, "room is too small"),
        (lambda: widen((0, 1)), ValueError, "out must be the wide grid"),
        (lambda: widen((1, 0)), ValueError, "out must be the wide grid"),
        (lambda: widen((9, 1)), ValueError, "out must be the wide grid"),
        (lambda: widen((2**62, 2**62)), ValueError, "out must be the wide grid"),
        (lambda: widen((2**63 - 1, 1)), ValueError, "out must be the wide grid"),
        (lambda: widen((1, 1), out=cells(9, 7).T), ValueError, "C-contiguous"),
        (lambda: widen((1, 1), out=cells(7, 18)[:, ::2]), ValueError, "C-contiguous"),
        (lambda: widen((1, 1), out=cells(7, 11)), ValueError, "out must be the wide grid"),
        (lambda: widen((1, 1), road=b""), ValueError, "road and wall must be items of out"),
        (lambda: widen((1, 1), wall=b"11"), ValueError, "road and wall must be items of out"),
        (lambda: _core.narrow(cells(7, 9), (0, 1)), ValueError, "no wide grid"),
        (lambda: _core.narrow(cells(7, 9), (1, 0)), ValueError, "no wide grid"),
        (lambda: _core.narrow(cells(7, 9), (7, 1)), ValueError, "no wide grid"),
        (lambda: _core.narrow(cells(7, 9), (1, 7)), ValueError, "no wide grid"),
        (lambda: _core.narrow(cells(7, 8), (1, 1)), ValueError, "no wide grid"),
        (lambda: _core.narrow(cells(7, 9), (2**62, 2**62)), ValueError, "no wide grid"),
        (lambda: _core.narrow(cells(7, 9), (2**63 - 1, 1)), ValueError, "no wide grid"),
        (lambda: open_seam((1, 0), 3), ValueError, "the seam is not inside"),
        (lambda: open_seam((2, 0), 3, vertical=True), ValueError, "the seam is not inside"),
        (lambda: open_seam(size=2**62), ValueError, "the seam is not inside"),
        (lambda: open_seam((-1, 0)), ValueError, "the seam is not inside"),
        (lambda: open_seam((0, -1)), ValueError, "the seam is not inside"),
        (lambda: open_seam(size=-1), ValueError, "the seam is not inside"),
        (lambda: open_seam(doors=-1), ValueError, "the seam is not inside"),
        (lambda: _core.seed_key(b"12345"), ValueError, "words of 4 bytes"),
        (lambda: far_counts(cells(3, 4) + 2, 1), ValueError, "among must be 0 or 1"),
        (lambda: far_counts(cells(3, 4), 0), ValueError, "least must be 1"),
        (lambda: eller_given(cells(3, 4), cells(3, 4)), ValueError, "right must be"),
        (lambda: eller_given(cells(3, 3), cells(4, 4)), ValueError, "out must be"),
        (lambda: _core.EllerRows(4, SEED, -1, None, finished=False), ValueError, "row must not be negative"),
        (lambda: _core.EllerRows(4, SEED, 0, cells(1, 3), finished=False), ValueError, "sets are not those"),
        *(
            (lambda sets=sets: eller_rows(sets), ValueError, "sets are not those")
            for sets in ([5, 0, 0], [6, 6, 5], [0, 0, 6], [1, 2, 0], [8, 0, 0], [4, 4], [6, 5, 5], [255] * 3)
        ),
        (lambda: eller_row(finished=True), ValueError, "another thread has made the last row"),
        (lambda: eller_row(cells(1, 3)), ValueError, r"out must be \(n, cols\)"),
        (lambda: eller_row(right=cells(1, 4)), ValueError, r"right must be \(1, cols - 1\)"),
        (lambda: eller_row(lower=cells(1, 3)), ValueError, r"lower must be \(1, cols\)"),
        (lambda: trace_eller(cells(3, 4), cells(3, 4)), ValueError, "right must be"),
        (lambda: trace_eller(cells(3, 3), cells(4, 3)), ValueError, "out must be"),
        (lambda: expand_rows(0, cells(2, 8)), ValueError, "rows of the grid"),
        (lambda: expand_rows(6, cells(2, 9)), ValueError, "rows of the grid"),
        (lambda: expand_rows(-1, cells(2, 9)), ValueError, "rows of the grid"),
        (lambda: _core.contract_grid(cells(1, 3), FLAT), ValueError, "odd sides"),
        (lambda: _core.contract_grid(cells(3, 1), FLAT), ValueError, "odd sides"),
        (lambda: _core.contract_grid(cells(4, 3), FLAT), ValueError, "odd sides"),
        (lambda: _core.contract_grid(cells(3, 4), FLAT), ValueError, "odd sides"),
        (lambda: measure(CELL + 12), ValueError, "start is not a cell"),
        (lambda: measure(CELL - 1), ValueError, "start is not a cell"),
        (lambda: measure(NONE), ValueError, "start must have 1 items"),
        (lambda: measure(mask=~exist(3, 4)), ValueError, "start is not a cell"),
        (lambda: measure(mask=exist(3, 1, 1)), ValueError, "shape of the mazes"),
        (lambda: measure(names=["no_such"]), KeyError, "no_such"),
        (lambda: measure_many(2, mask=~exist(1, 1)), ValueError, "no cell"),
        (lambda: measure_many(-1), ValueError, "negative"),
        (lambda: _core.position_counts(MAZES, "diameter", None), ValueError, "not local"),
        (lambda: _core.two_cells((MAZES[0], exist(3, 3), FLAT), None, 1, None), ValueError, "shape of"),
        (lambda: measure_reasons(cells(2, 3, 4), np.zeros(2, np.int64)), ValueError, "this takes one maze"),
        (lambda: measure_reasons(cells(1, 3, 4), CELL + 12), ValueError, "start is not a cell of the maze"),
        (lambda: measure_reasons(cells(1, 3, 4), CELL - 1), ValueError, "start is not a cell of the maze"),
        (lambda: measure_reasons(cells(1, 3, 4), CELL, "no such"), KeyError, "no such"),
        (lambda: measure_reasons(cells(1, 3, 4), CELL, mask=~exist(3, 4)), ValueError, "start is not a cell"),
        (lambda: fill_dead_ends(-2), ValueError, "kept is outside"),
        (lambda: fill_dead_ends(12), ValueError, "kept is outside"),
        (lambda: fill_dead_ends(0, 12), ValueError, "kept is outside"),
        (lambda: fill_dead_ends(n=2), ValueError, "a row for each maze"),
        (lambda: transform("add_loops", MAZES, [1, 1]), ValueError, "numbers must have 1 items"),
        (lambda: transform("turn", MAZES), KeyError, "turn"),
        (lambda: transform("braid", (cells(1, 2, 3), None, (True, False))), ValueError, "least 3"),
        (lambda: transform("join_regions", (cells(1, 3, 4), exist(3, 2), FLAT)), ValueError, "shape"),
        (lambda: canonical(rows=cells(2, 11)), ValueError, "with a place for each byte"),
        (lambda: canonical(np.arange(12)), ValueError, "with a place for each byte"),
        (lambda: canonical(np.empty((0, 12), np.int64)), ValueError, "with a place for each byte"),
        (lambda: canonical(np.arange(13)[np.newaxis]), ValueError, "places must have 12 items, not 13"),
        (lambda: canonical(np.arange(12)[np.newaxis] + 1), ValueError, "a place is outside"),
        (lambda: canonical(np.arange(12)[np.newaxis] - 1), ValueError, "a place is outside"),
        (lambda: canonical(values=cells(2, 256)), ValueError, "values must have 256 items, not 512"),
        (lambda: canonical(shape=(2, 6), wrap=(True, False)), ValueError, "a side that wraps is at least 3"),
        (lambda: _core.symmetric(cells(3, 4), None, FLAT, SEED, -1), ValueError, "no such symmetry"),
        (lambda: _core.symmetric(cells(3, 4), None, FLAT, SEED, 3), ValueError, "no such symmetry"),
        (lambda: solve(cells(3, 4), algorithm="no such"), KeyError, "no such"),
        (lambda: solve(cells(3, 4), NONE), ValueError, "goals must be one or more"),
        (lambda: solve(cells(3, 4), CELL + 12), ValueError, "goals? is outside"),
        (lambda: solve(cells(3, 4), start=-1), ValueError, "start is outside"),
        (lambda: solve(cells(3, 4), moves=6), ValueError, "moves must be 4 or 8"),
        (lambda: _core.check((cells(3, 4),), 1, None), ValueError, "a space has two, three or four parts"),  # type: ignore[arg-type]
        (lambda: _core.check((cells(3, 4), None, FLAT), 1, None), ValueError, "passages must be 3-D"),
        (lambda: _core.check((LATTICE, cells(1, 5)), 1, None), ValueError, "open must have shape"),
        (lambda: solve(cells(3, 4), directions=(0, 1, 2, 4)), ValueError, r"directions must be 0\.\.3"),
        (lambda: solve(cells(3, 4), directions=(0, 1, 2, 2)), ValueError, "each direction once"),
        (lambda: solve(cells(3, 4), weights=np.ones(11)), ValueError, "weights must have 12 items, not 11"),
        (lambda: distances(np.empty((3, 5), np.int32)), ValueError, "of the shape of x"),
        (lambda: distances(np.empty((3, 8), np.int32)[:, ::2]), ValueError, "C-contiguous"),
        (lambda: distances(misaligned(np.zeros((3, 4), np.int32))), ValueError, "out must be aligned"),
        (lambda: distances(misaligned(np.zeros((3, 4)))), ValueError, "out must be aligned"),
        (lambda: distances(np.empty((3, 4), np.uint32)), TypeError, "signed integers or float64"),
        (lambda: distances(np.empty((3, 4)), np.ones(11)), ValueError, "weights must have 12 items"),
        (lambda: expand_many(cells(2, 3, 4), exist(1, 3, 4)), ValueError, "mask must have the shape"),
        (lambda: distances_many([[12], [0]]), ValueError, "sources is outside"),
        (lambda: distances_many([[0], [-1]]), ValueError, "sources is outside"),
        (lambda: distances_many([0, 0]), ValueError, "sources must have a row for each maze, or one"),
        (lambda: distances_many([[], []]), ValueError, "sources must have a row for each maze, or one"),
        (lambda: distances_many(out=np.empty((1, 3, 4), np.int8)), ValueError, "of the shape of x"),
        (lambda: distances_many(out=np.empty((2, 4, 3), np.int8)[:, ::2]), ValueError, "of the shape of x"),
        (lambda: distances_many(out=np.empty((2, 3, 8))[..., ::2]), ValueError, "must be C-contiguous"),
        (lambda: distances_many(out=np.empty((2, 3, 4), "u4")), TypeError, "signed integers or float64"),
        (lambda: distances_many(out=np.empty((2, 3, 4)), weights=np.ones(23)), ValueError, "have 24 items"),
        (lambda: two_sites([12]), ValueError, "beside is outside"),
        (lambda: two_sites([-1]), ValueError, "beside is outside"),
        (lambda: two_sites([0], 3), ValueError, "there are no such sites"),
        (lambda: policy_many([[12], [0]]), ValueError, "goals is outside"),
        (lambda: policy_many([[-1], [0]]), ValueError, "goals is outside"),
        (lambda: policy_many([[0], [0], [0]]), ValueError, "goals must have a row for each maze, or one"),
        (lambda: _core.walk(cells(2), 0, 0, 0, 3, 4, 4), ValueError, "stride must be at least 1"),
        (lambda: policy_many(np.empty((2, 0), int)), ValueError, "goals must have a row"),
        (lambda: solve_many(cells(3, 4)), ValueError, "passages must be 3-D"),
        (lambda: solve_many(cells(1, 3, 4), CELL - 2), ValueError, "starts is outside"),
        (lambda: solve_many(cells(1, 3, 4), CELL, CELL + 12), ValueError, "goals? is outside"),
        (lambda: solve_many(cells(2, 3, 4)), ValueError, "starts must have 2 items, not 1"),
        (lambda: solve_many(cells(1, 3, 4), CELL, CELL - 1), ValueError, "goals? is outside"),
        (lambda: solve_many(cells(1, 3, 4) + 1), ValueError, "lead over the rim"),
        (lambda: solve(cells(1, 1) + 15, sites=False), ValueError, "over the rim"),
        *(
            (lambda ask=ask, start=start, goals=goals: ask(start, goals), ValueError, words)
            for ask in (shortest, shortest_one_by_one, bottlenecks)
            for start, goals, words in (
                (6, CELL, "start is outside"),
                (0, CELL - 1, "goals is outside"),
                (0, NONE, "one or more"),
            )
        ),
        *(
            (lambda ask=ask, given=given: ask(*given), ValueError, words)
            for ask in (path_masks, grid_paths)
            for given, words in (
                ((PATH[0], [1]), r"must be \(n, k, 2\)"),
                ((PATH, [2]), "longer than its array"),
                ((PATH, [1, 1]), "lengths must have 1 items"),
                ((PATH + np.int32(1), [1]), "a path is outside"),
                ((-PATH, [1]), "a path is outside"),
            )
        ),
        (lambda: _core.Recording().at(0), IndexError, "no such position"),
        (lambda: _core.Recording().paints(0, None, (-1, -1)), IndexError, "no such position"),
        (lambda: film(_core.Recording(), 1), IndexError, "no such position"),
        (lambda: _core.GraphRecording().at(0), IndexError, "no such position"),
        (lambda: _core.GraphRecording().paints(0, None, (-1, -1)), IndexError, "no such position"),
        (lambda: _core.GraphRecording().film(1, None, (-1, -1), False, 9), IndexError, "no such position"),  # noqa: FBT003
        (lambda: keep_on_graph((0, 1, 1)), ValueError, "no such window"),
        (lambda: keep_on_graph((0, 0, 1), edges=7), ValueError, "open must"),
        (lambda: kept().at(-1), IndexError, "no such position"),
        (lambda: kept().paints(-1, None, (-1, -1)), IndexError, "no such position"),
        (lambda: kept().paints(10**6, None, (-1, -1)), IndexError, "no such position"),
        (lambda: film(kept(), 0), ValueError, "stride does not fit"),
        (lambda: film(kept(), 4), ValueError, "stride does not fit"),
        (lambda: film(kept(search=True), 3), ValueError, "walls are missing"),
        (lambda: film(kept(), 3, cells(7, 8)), ValueError, "walls must have the shape of the grid"),
        (lambda: keep(kept(), (0, 1, 1), words=2), ValueError, "words has a wrong size"),
        (lambda: keep(kept(), (-1, 1, 1), words=1), ValueError, "no such window"),
        (lambda: keep(kept(), (0, -1, 1), words=1), ValueError, "no such window"),
        (lambda: keep(kept(), (10**6, 1, 1), words=1), ValueError, "no such window"),
        (lambda: keep(kept(), (0, 1, 0), words=1), ValueError, "no such window"),
        (lambda: _core.wall_cells(np.array([12]), (3, 3), (False, False)), ValueError, "no such wall"),
        (lambda: _core.wall_cells(np.array([-1]), (3, 3), (True, True)), ValueError, "no such wall"),
        (lambda: _core.wall_ids(np.arange(4), (3, 3), (False, False)), ValueError, "pairs must be"),
        (lambda: _core.edges(cells(2, 2), (True, False)), ValueError, "a side that wraps"),
        (lambda: _core.check(("walls", 4), 1, None), TypeError, "walls must not be this str"),  # type: ignore[arg-type]
    ):
        refused(error, words, call)


def keep_on_graph(window: tuple[int, int, int], edges: int = 4) -> None:
    graph = graph_of(meiro.lattices.square(2, 2))
    none = _core.LabelKind.NONE
    _core.GraphRecording().keep(graph, cells(edges), none, window, False, np.empty(0, np.uint64))  # noqa: FBT003


def check_mazes(passages: Any, mask: Any = None, wrap: tuple[bool, bool] = FLAT) -> None:
    _core.check((passages, mask, wrap), 1, None)


def eller_row(out: Any = None, right: Any = None, lower: Any = None, *, finished: bool = False) -> None:
    rows = _core.EllerRows(4, SEED, 0, None, finished)
    rows.make(cells(1, 4) if out is None else out, right, lower, last=False)


def expand_rows(first: int, out: Any) -> None:
    expand_many(cells(1, 3, 4), None, out[np.newaxis], first)


def expand_many(passages: Any, mask: Any, out: Any = None, first: int = 0) -> None:
    grids = cells(len(passages), 7, 9) if out is None else out
    _core.expand_rows(passages, mask, first, grids, posts=True, threads=1)


def widen(wide: tuple[int, int], out: Any = None, road: bytes = b"0", wall: bytes = b"1") -> None:
    _core.widen(
        cells(3, 4), None, wide, road, wall, cells(7, 9) if out is None else out, posts=True, threads=1
    )


def transform(name: str, space: Any, numbers: Any = (1,)) -> None:
    _core.transform(name, space, SEED, np.array(numbers, np.uint64), 1, None)


def open_seam(
    first: tuple[int, int] = (0, 0), size: int = 2, doors: int = 1, *, vertical: bool = False
) -> None:
    _core.open_seam(cells(3, 4), None, first, size, vertical, doors, SEED, 0)


def fill_dead_ends(*kept: int, n: int = 1) -> None:
    _core.fill_dead_ends(MAZES, np.array([kept] * n, np.int64), 1, 1, None)


def measure(starts: Any = CELL, names: Any = (), mask: Any = None) -> None:
    _core.measure((cells(1, 3, 4), mask, FLAT), starts, CELL, list(names), 1, None)


def measure_many(n: int, mask: Any = None) -> None:
    _core.measure_many("backtracker", n, (1, 1), SEED, mask, FLAT, {}, [], 1, None)


def canonical(
    places: Any = None,
    rows: Any = None,
    values: Any = None,
    shape: tuple[int, int] = (3, 4),
    wrap: tuple[bool, bool] = FLAT,
) -> None:
    _core.canonical(
        cells(2, 12) if rows is None else rows,
        np.arange(12)[np.newaxis] if places is None else places,
        cells(1, 256) if values is None else values,
        *(shape, wrap, 1, None),
    )


def distances_many(sources: Any = ((0,), (0,)), out: Any = None, weights: Any = ()) -> None:
    steps = np.empty((2, 3, 4), np.int32) if out is None else out
    given = np.array(sources, np.int64), np.array(weights, np.float64)
    _core.distances((cells(2, 3, 4), None, FLAT), *given, steps, 1, None)


def far_counts(among: Any, least: int) -> None:
    _core.far_counts((cells(1, 3, 4), None, FLAT), among, least)


def two_sites(beside: list[int], how: int = 0) -> None:
    _core.two_sites((cells(1, 3, 4), None, FLAT), np.array(beside), how, SEED, 1, None)


def policy_many(goals: Any) -> None:
    _core.policy((cells(2, 3, 4), None, FLAT), np.array(goals), 1, None)


def trace_eller(right: Any, out: Any) -> None:
    _core.eller_given(right, cells(3, 4), out, None, _core.Recording())


def eller_given(right: Any, out: Any) -> None:
    _core.eller_given(right, cells(3, 4), out, None, None)


def measure_reasons(passages: Any, starts: Any, name: str = "diameter", mask: Any = None) -> None:
    _core.measure_reasons((passages, mask, FLAT), starts, 0 * starts, [name])


def solve_many(passages: Any, starts: Any = CELL, goals: Any = CELL) -> None:
    _core.solve_many((passages, None, FLAT), starts, goals, None, 1, None)


def test_a_recording_in_use_is_refused_to_its_own_thread() -> None:
    """A callback cannot wait for the call that calls it."""
    recording = _core.Recording()
    with pytest.raises(RuntimeError, match="in use by a call that has not returned"):
        _core.generate(
            "wilson", (None, FLAT), cells(1, 3, 4), SEED, {}, 1, lambda *_: recording.count(), recording
        )
    assert recording.count() > 0


def test_no_maze_takes_no_memory() -> None:
    generate(out=cells(0, 3, 4))
    assert _core.first_fault(cells(0, 3, 4), None, FLAT) == (-1, -1)


@pytest.mark.sanitize
@pytest.mark.parametrize("lattice", [None, meiro.lattices.hexagonal(4, 5)], ids=str)
def test_misaligned_numbers_are_those_of_an_aligned_array(lattice: meiro.Lattice | None) -> None:
    """They are copied: the sanitizers tell, and machines on which such an access traps."""
    rng = np.random.default_rng(3)
    where: Any = (4, 5) if lattice is None else lattice
    n_walls = 4 * 4 + 3 * 5 if lattice is None else lattice.n_edges
    for name, numbers in (("order", rng.permutation(n_walls)), ("weights", rng.random(n_walls))):
        given: list[dict[str, Any]] = [{name: misaligned(numbers)}, {name: numbers}]
        one, other = (meiro.generate(where, "kruskal", **options) for options in given)
        assert one == other
    maze: Any = meiro.generate(where, rng=1)
    costs = rng.random((4, 5) if lattice is None else n_walls)
    one, other = (
        meiro.distances(maze, 0 if lattice else (0, 0), weights=w) for w in (costs, misaligned(costs))
    )
    assert np.array_equal(one, other)
    found = [meiro.solve(maze, algorithm="dijkstra", weights=w).cost for w in (costs, misaligned(costs))]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "given", [{"order": np.full(1 << 22, -1)}, {"weights": np.full(1 << 22, -1.0)}], ids="-".join
)
def test_many_numbers_are_checked_without_the_gil(given: dict[str, Any]) -> None:
    """Another thread, which gets the GIL only from a call that gives it up, goes on meanwhile."""
    out = cells(1, 1, (1 << 22) + 1)
    ready, passed = threading.Semaphore(0), threading.Event()

    def go_on() -> None:
        ready.acquire()
        passed.set()

    went_on = False
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        for _ in range(50):
            passed.clear()
            other = threading.Thread(target=go_on)
            other.start()
            ready.release()
            refused(ValueError, r"no such wall|must not be negative", generate, "kruskal", out=out, **given)
            went_on = went_on or passed.is_set()
            other.join()
            if went_on:
                break
    finally:
        sys.setswitchinterval(before)
    assert went_on
