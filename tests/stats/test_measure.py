"""Measures, compared with networkx and scipy."""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import Any

import numpy as np
import power
import pytest
from periodic_mazes import WRAPS, periodic_maze
from reference.measures import measured
from refusals import refused
from scipy import ndimage
from timing import SILENCE, silence

import meiro
from meiro import MEASURES, Maze, _core
from meiro.generators.request import parse_request

FLAT = (False, False)


def some_maze(seed: int) -> Maze:
    """Trees, loops, masks, cylinders and tori, one row: something else for every seed."""
    rng = np.random.default_rng(seed)
    rows, cols = (int(side) for side in rng.integers(1, 9, 2))
    if seed % 10 == 0:
        rows, cols = (1, cols) if seed % 20 else (rows, 1)
    if seed % 4 == 1:
        wrap = WRAPS[seed // 4 % 3]
        return periodic_maze((max(rows, 3), max(cols, 3)), wrap, seed, seed // 12 % 4)
    mask = None
    if seed % 3 == 0:
        mask = rng.random((rows, cols)) < 0.85
        mask[rng.integers(rows), rng.integers(cols)] = True
    if seed % 4 == 2:
        return meiro.generate((rows, cols), "percolation", p=float(rng.random()), rng=seed, mask=mask)
    return meiro.generate((rows, cols), ("wilson", "backtracker")[seed % 2], rng=seed, mask=mask)


def some_ends(maze: Maze, seed: int) -> tuple[tuple[int, int], tuple[int, int]]:
    there = np.argwhere(np.ones((maze.rows, maze.cols)) if maze.mask is None else maze.mask)
    rng = np.random.default_rng(seed)
    one, other = (there[0], there[-1]) if seed % 3 else there[rng.integers(len(there), size=2)]
    return (int(one[0]), int(one[1])), (int(other[0]), int(other[1]))


def judged(maze: Maze, start: tuple[int, int], goal: tuple[int, int]) -> dict[str, float]:
    try:
        path = [(int(r), int(c)) for r, c in meiro.solve(maze, start, goal, algorithm="bfs").path]
    except meiro.NoPathError:
        path = None
    if any(maze.wrap):
        found = meiro.check(maze).islands  # tests/test_check.py has its judge
        assert found is not None
        islands = found
    else:
        labels, count = ndimage.label(maze.grid)
        rim = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
        islands = count - len(set(rim.tolist()) - {0})
    return measured(maze, start, goal, path, islands)


def check_same(found: dict[str, Any], expected: dict[str, float], maze: Maze) -> None:
    for name, value in found.items():
        assert value == pytest.approx(expected[name], rel=1e-9, abs=1e-12, nan_ok=True), f"{name}\n{maze}"
        whole = MEASURES[name].kind == "int" and not math.isnan(value)
        assert type(value) is (int if whole else float), name


def test_measure_of_some_mazes_by_networkx() -> None:
    trees, n = 0, power.samples(300, 60)
    for seed in range(n):
        maze = some_maze(seed)
        start, goal = some_ends(maze, seed)
        found = meiro.measure(maze, start=start, goal=goal)
        assert list(found) == list(MEASURES)
        check_same(found, judged(maze, start, goal), maze)
        assert set(found.reasons) == {name for name, value in found.items() if math.isnan(value)}
        assert all(found.reasons.values())
        trees += not math.isnan(found["diameter"])
    assert n / 3 < trees < n * 5 / 6


def test_measure_alone_is_as_with_all_others() -> None:
    for seed in (0, 1, 2, 3, 13, 14, 25):
        maze = some_maze(seed)
        together = meiro.measure(maze)
        for name in MEASURES:
            np.testing.assert_equal(meiro.measure(maze, name), {name: together[name]})


def test_measure_of_long_rows() -> None:
    """The counters of eight cells at a time: pieces of 255 words, and what is left over."""
    for side in (1, 2, 7, 8, 9, 2039, 2040, 2041, 2047, 2049, 5000):
        ring = Maze(np.full((3, max(side, 3)), 15, np.uint8), wrap=(True, True))
        assert meiro.measure(ring, "crossroads") == {"crossroads": 3 * max(side, 3)}
        row = np.full((1, side), 10, np.uint8)
        row[0, 0], row[0, -1] = (2, 8) if side > 1 else (0, 0)
        found = meiro.measure(Maze(row), ["straights", "wiener_index", "absorption_time", "longest_dead_end"])
        wiener, walk = (side**3 - side) // 6, (side - 1) ** 2
        expected = (max(side - 2, 0), wiener, walk, side - 1 if side > 1 else math.nan)
        np.testing.assert_equal(tuple(found.values()), expected)


@pytest.mark.parametrize(("n", "kind"), [(370_000, int), (400_000, float)])
def test_measure_sums_are_integers_below_2_to_the_53(n: int, kind: type) -> None:
    row = np.full((1, n), 10, np.uint8)
    row[0, 0], row[0, -1] = 2, 8
    found = meiro.measure(Maze(row), ["wiener_index"])["wiener_index"]
    assert isinstance(found, kind)
    assert found == float((n**3 - n) // 6)


def test_measure_sums_beyond_64_bits_are_rounded_once() -> None:
    n = 4_000_000
    row = np.full((1, n), 10, np.uint8)
    row[0, 0], row[0, -1] = 2, 8
    found = meiro.measure(Maze(row), ["wiener_index", "mean_distance"])
    assert (n**3 - n) // 6 > 1 << 63
    assert found["wiener_index"] == float((n**3 - n) // 6)
    assert isinstance(found["wiener_index"], float)
    assert found["mean_distance"] == pytest.approx((n + 1) / 3)


# Many


MIXED: list[tuple[str, tuple[int, int], dict[str, Any]]] = [
    ("wilson", (6, 7), {}),
    ("percolation", (5, 5), {"p": 0.6}),
    ("backtracker", (5, 6), {"mask": np.arange(30).reshape(5, 6) % 7 != 3}),
    ("kruskal", (4, 5), {"wrap": (True, False)}),
    ("rooms", (12, 12), {"dead_ends": "remove", "doors": 0.2, "tries": 9}),
]


def batch_and_fused(
    algorithm: str, shape: tuple[int, int], options: dict[str, Any], n: int = 40, threads: int = 1
) -> tuple[meiro.MazeBatch, Any]:
    """Mazes that are kept, and what is measured of the same without keeping them."""
    batch = meiro.generate_many(shape, algorithm, n, rng=5, **options)
    ground = {name: options[name] for name in ("mask", "wrap") if name in options}
    given = {name: value for name, value in options.items() if name not in ground}
    plan = parse_request(meiro.ALGORITHMS.find(algorithm), shape, None, ground.get("mask"), FLAT, given)
    seed = meiro.replicate(5, 0)
    words = (*seed.key, seed.replicate)
    mask, wrap = plan.mask, ground.get("wrap", FLAT)
    names = list(MEASURES)
    fused = _core.measure_many(algorithm, n, shape, words, mask, wrap, plan.options, names, threads, None)
    return batch, fused


@pytest.mark.parametrize(("algorithm", "shape", "options"), MIXED, ids=[m[0] for m in MIXED])
def test_measure_of_many_is_that_of_each(
    algorithm: str, shape: tuple[int, int], options: dict[str, Any]
) -> None:
    batch, fused = batch_and_fused(algorithm, shape, options)
    table = meiro.measure(batch)
    assert list(table) == ["replicate", *MEASURES]
    assert table["replicate"].tolist() == list(range(len(batch)))
    for k, name in enumerate(MEASURES):
        column = table[name]
        alone = [meiro.measure(maze)[name] for maze in batch]
        np.testing.assert_array_equal(column, alone, err_msg=name)
        np.testing.assert_array_equal(column, fused[:, k], err_msg=name)
        whole = MEASURES[name].kind == "int" and not np.isnan(fused[:, k]).any()
        assert column.dtype == (np.int64 if whole else np.float64), name
        assert column.shape == (len(batch),)


@pytest.mark.parametrize(("algorithm", "shape", "options"), MIXED, ids=[m[0] for m in MIXED])
def test_measure_is_the_same_for_any_number_of_threads(
    algorithm: str, shape: tuple[int, int], options: dict[str, Any]
) -> None:
    batch, fused = batch_and_fused(algorithm, shape, options, n=2000)
    assert batch_and_fused(algorithm, shape, options, n=2000, threads=2)[1].tobytes() == fused.tobytes()
    one, two = (meiro.measure(batch, threads=threads) for threads in (1, 2))
    for name in MEASURES:
        np.testing.assert_array_equal(one[name], two[name])


def test_measure_with_start_and_goal_per_maze() -> None:
    batch = meiro.generate_many((5, 7), "wilson", 6, rng=3)
    cells = np.random.default_rng(0).integers(0, (5, 7), (6, 2))
    for start, goal in ((None, (0, 3)), ((-1, 0), None), (cells, cells[::-1]), (None, cells)):
        lengths = meiro.measure(batch[::-1], "solution_length", start=start, goal=goal)["solution_length"]
        for i, maze in enumerate(batch[::-1]):
            ends = ((0, 0) if start is None else start, (4, 6) if goal is None else goal)
            one, other = (np.broadcast_to(end, (6, 2))[i].tolist() for end in ends)
            assert lengths[i] == meiro.solve(maze, one, other).length
    mask = np.ones((5, 7), bool)
    mask[2, 2:5] = False
    masked = meiro.generate_many(n=6, algorithm="wilson", mask=mask, rng=3)
    lengths = meiro.measure(masked, "solution_length", start=(1, 3), goal=(3, 3))["solution_length"]
    assert lengths.tolist() == [meiro.solve(maze, (1, 3), (3, 3)).length for maze in masked]
    mine = Maze(batch[0].passages, start=(2, 2), goal=(3, 3))
    assert meiro.measure(mine)["solution_length"] == meiro.solve(batch[0], (2, 2), (3, 3)).length


def test_measure_of_an_empty_batch() -> None:
    table = meiro.measure(meiro.generate_many((5, 7), "wilson", 0, rng=3))
    assert {table[name].shape for name in table} == {(0,)}
    assert table["diameter"].dtype == np.int64
    assert np.isnan(meiro.position_map(meiro.generate_many((5, 7), n=0, rng=3), "turns")).all()


# Maps


def test_position_map_of_pole_toppling() -> None:
    n, shape = 40_000, (7, 16)  # the shares are those far from the west, where no pole stands beside
    many = meiro.generate_many(shape, "pole_toppling", n, rng=8, threads=2)
    walls = 1 - meiro.position_map(many, "horizontal_passages")[:, 6:-1]
    for row, standing in enumerate([3 / 11, 3 / 11, *[2 / 5] * 5]):
        error = math.sqrt(standing * (1 - standing) / (n * walls.shape[1]))
        assert abs(walls[row].mean() - standing) < 6 * error * math.sqrt(2), row


@pytest.mark.parametrize(("algorithm", "shape", "options"), MIXED, ids=[m[0] for m in MIXED])
def test_position_map_adds_up_to_the_measure(
    algorithm: str, shape: tuple[int, int], options: dict[str, Any]
) -> None:
    batch = meiro.generate_many(shape, algorithm, 30, rng=5, **options)
    total = np.zeros(shape)
    there = np.array([np.ones(shape) if maze.mask is None else maze.mask for maze in batch]).sum(axis=0)
    for facts in MEASURES.values():
        if not facts.local:
            refused(ValueError, "is not a sum over cells; these are: ", meiro.position_map, batch, facts.name)
            continue
        found = meiro.position_map(batch, facts.name)
        assert (np.isnan(found) == (there == 0)).all()
        mean = meiro.measure(batch, facts.name)[facts.name].mean()
        assert np.nansum(found * there) / len(batch) == pytest.approx(mean), facts.name
        if facts.name in {"isolated", "dead_ends", "corridors", "junctions", "crossroads"}:
            total += np.nan_to_num(found)
    assert total == pytest.approx((there > 0).astype(float))
    assert (meiro.position_map(batch[0], "turns") == meiro.position_map(batch[:1], "turns"))[there > 0].any()


# The table, and bad input


def test_measures_table() -> None:
    assert MEASURES["leaves"] is MEASURES["dead_ends"]
    assert len({facts.name for facts in MEASURES.values()}) == len(MEASURES)
    for facts in MEASURES.values():
        assert facts.kind in {"int", "float"}
        assert facts.needs in {"", "tree", "path"}
        assert facts.unit
        assert facts.about
        assert f"``{facts.name}`` ({facts.unit}" in str(meiro.measure.__doc__)
        assert facts.about in str(meiro.measure.__doc__)
    assert "dead_ends" in repr(MEASURES)


def test_measure_reads_arrays_as_grids() -> None:
    maze = meiro.generate((4, 5), rng=2)
    assert meiro.measure(maze.grid) == meiro.measure(maze)
    assert meiro.measure(maze.grid * 255, road=0) == meiro.measure(maze)
    refused(ValueError, "odd", meiro.measure, np.zeros((4, 4), np.uint8))


def test_measure_refuses_bad_arguments() -> None:
    maze = meiro.generate((4, 5), rng=2)
    many = meiro.generate_many((4, 5), n=3, rng=2)
    refused(ValueError, "no measure 'dead_end'; did you mean 'dead_ends'", meiro.measure, maze, "dead_end")
    refused(TypeError, "measures must be names such as 'dead_ends', not 3", meiro.measure, maze, 3)
    refused(TypeError, "measures must be a name such as 'cells', not 3", meiro.measure, maze, [3])
    assert meiro.measure(maze, []) == {}
    assert list(meiro.measure(maze, ["leaves", "dead_ends"])) == ["dead_ends"]
    for x in (maze, many):
        refused(ValueError, r"start.*\(9, 9\) (of maze 0 )?is outside", meiro.measure, x, start=(9, 9))
        refused(TypeError, "leave out road=1", meiro.measure, x, road=1)
    with pytest.raises(ValueError, match=r"goal must be \(row, col\), or of shape \(3, 2\)"):
        meiro.measure(many, goal=[(0, 0), (1, 1)])
    with pytest.raises(ValueError, match=r"goal \(0, 7\) of maze 1 is outside"):
        meiro.measure(many, goal=[(0, 0), (0, 7), (9, 9)])
    refused(ValueError, "goal must be one cell, not 2", meiro.measure, maze, goal=[(0, 0), (1, 1)])
    masked = meiro.generate_many((1, 3), "backtracker", 2, mask=[[1, 0, 1]], rng=1)
    refused(ValueError, r"start \(0, 1\) is masked out in maze 0", meiro.measure, masked, start=(0, 1))
    refused(TypeError, r"must be a maze or many .*, not list", meiro.position_map, [[1]], "turns")


def test_measure_refuses_bytes_that_are_not_a_maze() -> None:
    """A batch shows the array that was given as out=, which may have changed."""
    out = np.empty((3, 4, 5), np.uint8)
    many = meiro.generate_many((4, 5), n=3, rng=2, out=out)
    out[1] = 15
    refused(ValueError, "maze 1: cell 0 does not agree with its neighbours", meiro.measure, many, "diameter")
    rng = np.random.default_rng(1)
    for _ in range(200):
        junk = rng.integers(0, 256, (2, 3, 4), dtype=np.uint8)
        ends = np.zeros(2, np.int64)
        with pytest.raises(ValueError, match="does not agree"):
            _core.measure((junk, None, FLAT), ends, ends, list(MEASURES), 1, None)


def large_mazes() -> dict[str, Maze]:
    """Return mazes with more than 2**16 cells: their regions are counted row by row, if that is enough."""
    mask = np.random.default_rng(3).random((270, 280)) < 0.9
    mask[:, 100] = False
    mask[0, 0] = mask[-1, -1] = True
    torus: dict[str, Any] = {"wrap": (True, True), "rng": 3}
    return {
        "tree": meiro.generate((270, 280), "wilson", rng=3),
        "loops": meiro.generate((270, 280), "percolation", p=0.55, rng=3),
        "mask": meiro.generate(None, "backtracker", mask=mask, rng=3),
        "loops in a mask": meiro.generate(None, "percolation", p=0.8, mask=mask, rng=3),
        "torus": meiro.generate((270, 280), "kruskal", **torus),
        "loops on a torus": meiro.generate((270, 280), "percolation", p=0.55, **torus),
        "masked torus": meiro.generate(None, "percolation", p=0.9, mask=mask, **torus),
        "two rows": meiro.generate((2, 40_000), "percolation", p=0.9, rng=3),
        "two columns": meiro.generate((40_000, 2), "percolation", p=0.9, rng=3),
    }


COUNTS = [  # measures that follow no passage
    *("cells", "passages", "horizontal_passages", "vertical_passages", "horizontal_share", "isolated"),
    *("dead_ends", "corridors", "junctions", "crossroads", "straights", "turns", "dead_end_share"),
]
REGIONS = ["regions", "enclosed_regions", "loops", "islands"]


@pytest.mark.parametrize("kind", large_mazes())
def test_measures_of_a_large_maze_alone_are_as_with_all_others(kind: str) -> None:
    maze = large_mazes()[kind]
    together = meiro.measure(maze)
    for threads in (1, 3):
        for names in (COUNTS, REGIONS, [*REGIONS, "mean_dead_end"], *([name] for name in MEASURES)):
            found = meiro.measure(maze, names, threads=threads)
            np.testing.assert_equal(found, {name: together[name] for name in names})
            assert found.reasons == {n: why for n, why in together.reasons.items() if n in names}


def scratch(maze: Maze, names: list[str]) -> tuple[int, int]:
    """Return the bytes that measures took beside a maze, and those that are asked for beforehand."""
    start, goal = (np.array([cell[0] * maze.cols + cell[1]]) for cell in maze.endpoints)
    mask = maze.mask
    _core.measure((maze.passages[np.newaxis], mask, maze.wrap), start, goal, names, 1, None)
    return _core.last_call()[1], _core.measure_scratch((maze.rows, maze.cols), maze.wrap, names, 1)


@pytest.mark.parametrize("kind", large_mazes())
def test_measures_take_no_more_than_is_asked_for(kind: str) -> None:
    maze = large_mazes()[kind]
    for names in (COUNTS, REGIONS, list(MEASURES), *([name] for name in MEASURES)):
        took, asked = scratch(maze, names)
        assert took <= asked + (1 << 14), names
        assert 3 * took >= asked or set(names) <= {*REGIONS}, names


def test_measures_of_10_to_the_10_cells_ask_for_what_they_use() -> None:
    shape, size = (100_000, 100_000), 10**10
    assert _core.measure_scratch(shape, (True, True), COUNTS, 2) == 0
    assert _core.measure_scratch(shape, FLAT, REGIONS, 2) < size // 50
    assert _core.measure_scratch(shape, FLAT, ["longest_dead_end"], 2) == size
    assert _core.measure_scratch(shape, FLAT, ["longest_dead_end", *REGIONS], 2) < 1.1 * size
    assert _core.measure_scratch(shape, FLAT, ["diameter"], 2) == 19 * size  # ids of 64 bits


def test_measures_that_count_need_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shape = (300, 400)
    passages = meiro.io.open_memmap(tmp_path / "passages.npy", shape)
    maze = meiro.generate(shape, "kruskal", rng=7, out=passages)
    assert np.shares_memory(maze.passages, passages)
    expected = meiro.measure(meiro.generate(shape, "kruskal", rng=7))
    many = meiro.MazeBatch.from_passages(np.stack([maze.passages] * 3))
    monkeypatch.setattr("meiro._utils.memory.CHECKED_FROM", 0)
    monkeypatch.setattr("meiro._utils.memory.available", lambda: 200 * shape[1])
    for names in (COUNTS, REGIONS):
        assert meiro.measure(maze, names) == {name: expected[name] for name in names}
    with pytest.raises(MemoryError) as error:
        meiro.measure(maze, ["diameter", "turns", "longest_dead_end", "loops", "dead_ends"])
    text = "measuring 120,000 cells takes 1,371,200 bytes, and 80,000 are free; this is for diameter "
    assert str(error.value).startswith(text + "and longest_dead_end: ask for fewer measures, or ask for ")
    assert str(error.value).endswith("turns, loops and dead_ends alone")
    refused(MemoryError, "; this is for diameter: measure a smaller maze", meiro.measure, maze, "diameter")
    with pytest.raises(MemoryError, match="; this is for river: ask for cells alone, or take fewer threads"):
        meiro.measure(many, ["river", "cells"], threads=2)
    assert (meiro.measure(many, "cells", threads=2)["cells"] == maze.passages.size).all()


@pytest.mark.clock
def test_measure_is_never_silent_for_long() -> None:
    row = np.full((1, 6_000_000), 10, np.uint8)
    row[0, 0], row[0, -1] = 2, 8
    for maze in (Maze(row), meiro.generate((2000, 2000), "backtracker", rng=1)):
        for names in (list(MEASURES), ["islands"], ["turns"]):
            assert silence(functools.partial(meiro.measure, maze, names)) < SILENCE
