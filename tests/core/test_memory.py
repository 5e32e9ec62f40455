"""Memory: arrays that do not fit are refused beforehand, and scratch is as stated."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro import _core
from meiro._utils import memory

MAZE = meiro.generate((3, 4), rng=1)
LARGE = meiro.generate((1000, 1000), "binary_tree", rng=1)
HEXAGONS = meiro.generate(meiro.lattices.hexagonal(3, 4), rng=1)
MANY = meiro.generate_many((3, 4), n=5, rng=1)
ROOM = np.zeros((5, 5), np.uint8)
ENDS = (0, 0), (1, 1)
ANY = r"takes [\d,]+ bytes, and 0 are free"


def test_what_does_not_fit_is_refused_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 0)
    monkeypatch.setattr(memory, "CHECKED_FROM", 0)
    with pytest.raises(MemoryError, match=r"a maze of .*takes 134,217,728 bytes, and 0"):
        meiro.Maze(np.zeros((1 << 14, 1 << 13), np.uint8))
    refused(MemoryError, r"a maze of \(3, 4\) takes", meiro.Maze.from_wall_ids, (3, 4), [])
    refused(MemoryError, r"a maze of \(3, 4\) takes", meiro.Maze.from_edges, (3, 4), [])
    refused(MemoryError, "the text of the picture takes", MAZE.to_svg)
    with pytest.raises(MemoryError, match=r"the grid of <Maze 1000 rows .* takes 968,176,008"):
        LARGE.to_grid(corridor=10, dtype=float)
    refused(MemoryError, ANY, LARGE.to_grid, corridor=2**30, wall=2**30)
    refused(MemoryError, f"{ANY}; leave out visit_order=", meiro.solve, ROOM, *ENDS, visit_order=True)
    refused(MemoryError, f"{ANY}; take a smaller part", meiro.solve, ROOM, *ENDS)
    refused(MemoryError, rf"{ANY}; meiro\.solvers\.solve_by_bands takes less", meiro.solve, MAZE)
    refused(MemoryError, "int16 array as out=", meiro.distances, ROOM, (0, 0))
    refused(MemoryError, "the lengths of <MazeBatch of 5", meiro.solve_many, MANY)
    refused(MemoryError, ANY, meiro.rotate, MAZE)
    refused(MemoryError, ANY, meiro.crop, MAZE, np.s_[1:, 1:])
    refused(MemoryError, ANY, meiro.stitch, [MAZE, MAZE])
    refused(MemoryError, ANY, meiro.with_ends, MAZE, "farthest")
    refused(MemoryError, ANY, meiro.with_openings, MAZE, "farthest")
    refused(MemoryError, "with_passages of <", MAZE.with_passages)
    refused(MemoryError, "with_passages of <", HEXAGONS.with_passages)


def files(folder: Path, limit: str, used: str) -> tuple[str, str]:
    (folder / "limit").write_text(limit, encoding="ascii")
    (folder / "used").write_text(used, encoding="ascii")
    return str(folder / "limit"), str(folder / "used")


@pytest.mark.parametrize("version", ["_V1", "_V2"])
def test_memory_of_a_container_is_its_limit(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, version, files(tmp_path, "3000000\n", "1000000\n"))
    assert memory.available() == 2_000_000
    words = r"a pile takes 200,000,000 bytes, and 2,000,000 are free; take less"
    refused(MemoryError, words, memory.require, 200_000_000, "a pile", "take less")
    memory.require(1_000_000, "a crumb", "take less")  # not worth the question


def test_memory_is_refused_from_one_byte_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 1 << 28)
    memory.require(1 << 28, "a pile", "take less")
    with pytest.raises(MemoryError):
        memory.require((1 << 28) + 1, "a pile", "take less")
    monkeypatch.setattr(memory, "available", lambda: 0)
    memory.require(memory.CHECKED_FROM - 1, "a crumb", "take less")
    with pytest.raises(MemoryError):
        memory.require(memory.CHECKED_FROM, "a pile", "take less")


def test_memory_without_a_limit_is_that_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = memory._of_the_machine()
    assert free is not None
    monkeypatch.setattr(memory, "_V2", files(tmp_path, "max\n", "1000000\n"))
    there = memory.available()
    assert there is not None
    assert there > 10**6


def test_memory_of_a_machine_without_proc_is_asked_of_sysconf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_MACHINE", str(tmp_path / "meminfo"))
    sizes = {"SC_AVPHYS_PAGES": 3, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr("os.sysconf", sizes.__getitem__)
    assert memory._of_the_machine() == 3 * 4096
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\n", encoding="ascii")  # an old kernel's
    assert memory._of_the_machine() == 3 * 4096
    monkeypatch.delattr("os.sysconf")
    assert memory._of_the_machine() is None


def test_memory_of_an_unknown_system_is_unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object) -> None:
        return None

    silent: Callable[..., None] = nothing
    monkeypatch.setattr(memory, "_of_the_machine", silent)
    monkeypatch.setattr(memory, "_V1", ("/nowhere", "/nowhere"))
    monkeypatch.setattr(memory, "_V2", ("/nowhere", "/nowhere"))
    assert memory.available() is None
    memory.require(1 << 60, "a mountain", "take less")


# What these need depends on the maze: a stack or a list that grows by doubling. The rest needs what it says.
DEPENDS = {"backtracker", "hunt_and_kill", "growing_tree", "growing_forest", "rooms", "wall_extension"}
DEPENDS |= {"prim_frontier_cell", "prim_frontier_edge"}
WALKS = {"wilson", "aldous_broder", "origin_shift"}  # across a long thin maze these take the square of it
MILLION = 10**6


def most(algorithm: str, *, wrap: bool) -> tuple[float, tuple[int, int]]:
    """Return the most bytes a cell that shapes and masks of a million cells make it take, and the shape."""
    facts = meiro.ALGORITHMS[algorithm]
    shapes = [(1000, 1000), (MILLION // 3, 3), (3, MILLION // 3)]
    if not wrap:
        shapes += [(1, MILLION), (MILLION, 1), (2, MILLION // 2)]
    if algorithm in WALKS:
        shapes = [(1000, 1000)] if wrap or algorithm != "wilson" else [(1000, 1000), (1, MILLION)]
    found = []
    for rows, cols in shapes:
        masks: list[Any] = [None]
        if facts.masks and not wrap and algorithm not in WALKS - {"wilson"}:
            holes = np.ones((rows, cols), bool)
            holes[::7, ::3] = False  # in one column: many parts
            masks.append(holes)
        for mask in masks:
            meiro.generate((rows, cols), algorithm, rng=1, wrap=(wrap, wrap), mask=mask)
            masked = facts.masked if mask is not None else 0
            found.append((_core.last_call()[1] / (rows * cols) - masked, (rows, cols)))
    return max(found)


@pytest.mark.long
@pytest.mark.parametrize(
    ("algorithm", "wrap"),
    [(a, wrap) for a, facts in meiro.ALGORITHMS.items() for wrap in (False, True)[: 1 + facts.wraps]],
)
def test_scratch_of_generators_is_as_stated(algorithm: str, wrap: bool) -> None:  # noqa: FBT001  # a parameter
    facts = meiro.ALGORITHMS[algorithm]
    taken, shape = most(algorithm, wrap=wrap)
    stated = facts.scratch + facts.wrapped * wrap
    small_change = 0.6  # megabytes: tables, a tile
    assert taken < stated + small_change, shape
    if algorithm not in DEPENDS and not (wrap and algorithm in WALKS | {"percolation"}):
        assert taken > 0.85 * stated - 0.2, shape


@functools.cache
def places(kind: str) -> tuple[Any, tuple[int, int], tuple[int, int]]:
    """Return about a million places to be searched, from where to where."""
    room = np.zeros((1000, 1000), np.uint8)
    if kind == "holes":
        room[np.random.default_rng(1).random(room.shape) < 0.3] = 1
        room[0, 0] = room[-1, -1] = 0
    elif kind == "shut":  # all is looked at before the goal is given up
        room[-2, -2:] = room[-2:, -2] = 1
    elif kind == "comb":  # a frontier in every gap
        room[1:, 1:-1:2] = 1
    elif kind == "strip":
        room = room.reshape(1, -1)
    elif kind == "maze":
        return meiro.generate((1000, 1000), "kruskal", rng=1), (0, 0), (999, 999)
    elif kind == "torus":
        maze = meiro.generate((1000, 1000), "percolation", p=0.9, wrap=(True, True), rng=1)
        return maze, (0, 0), (500, 500)
    return room, (0, 0), (room.shape[0] - 1, room.shape[1] - 1)


KINDS = ("room", "holes", "shut", "comb", "strip", "maze", "torus")


@pytest.mark.long
def test_scratch_of_solvers_is_as_stated(solver: str) -> None:
    facts = meiro.SOLVERS[solver]
    taken = {}
    for kind in KINDS[: None if facts.wraps else -1]:
        x, start, goal = places(kind)
        walked = 0
        try:
            given: dict[str, Any] = {"rng": 1} if facts.random else {}
            walk = meiro.solve(x, start, goal, algorithm=solver, **given)._walk
            # A walk at random is as long as it is, and the memory for it grows by doubling.
            walked = 2 * len(walk) if facts.random and walk is not None else 0
        except meiro.NoPathError:  # all was looked at, all the same
            assert kind in {"holes", "shut"}
        taken[kind] = (_core.last_call()[1] - walked) / MILLION
        if "weights" in facts.options and kind not in {"holes", "shut"}:
            shape = x.passages.shape if isinstance(x, meiro.Maze) else x.shape
            weights = np.random.default_rng(2).random(shape)
            meiro.solve(x, start, goal, algorithm=solver, weights=weights)
            taken[kind + ", weights"] = _core.last_call()[1] / MILLION
    assert max(taken.values()) < facts.scratch + 0.6, str(taken)
