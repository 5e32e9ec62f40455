"""Grids with wide corridors and thick walls, compared with NumPy's repeat on the plain grid."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import mazes
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from periodic_mazes import periodic_mazes
from refusals import refused
from timing import SILENCE, silence

import meiro
from meiro import Maze

WIDTHS = list(itertools.product((1, 2, 3, 4), (1, 2, 3)))
widths = st.tuples(st.integers(1, 9), st.integers(1, 9))


def judged(maze: Maze, corridor: int, wall: int) -> NDArray[np.uint8]:
    rows, cols = ([wall, corridor] * side + [wall] for side in (maze.rows, maze.cols))
    wide: NDArray[np.uint8] = np.repeat(np.repeat(maze.grid, rows, 0), cols, 1)
    return wide


@given(mazes() | periodic_mazes(), st.sampled_from(WIDTHS) | widths)
def test_thick_grid_round_trip(maze: Maze, width: tuple[int, int]) -> None:
    corridor, wall = width
    wide = judged(maze, corridor, wall)
    grid = maze.to_grid(corridor=corridor, wall=wall)
    assert grid.dtype == np.uint8
    assert np.array_equal(grid, wide)
    again: dict[str, Any] = {"corridor": corridor, "wall": wall, "wrap": maze.wrap}
    assert Maze.from_grid(grid, **again) == maze
    flat = Maze.from_grid(grid, corridor=corridor, wall=wall)
    assert np.array_equal(flat.grid, maze.grid)
    for road, dtype in ((1, np.uint8), (255, np.uint8), (-7, ">i2"), (0.5, np.float32), (0, "<f8"), (9, int)):
        other = maze.to_grid(corridor=corridor, wall=wall, road=road, dtype=dtype)
        assert other.dtype == np.dtype(dtype)
        assert np.array_equal(other, np.where(wide == 0, road, int(road == 0)))
        assert Maze.from_grid(other, road=road, **again) == maze
    for truth in (False, True):
        flags = maze.to_grid(corridor=corridor, wall=wall, road=truth, dtype=bool)
        assert flags.dtype == bool
        assert np.array_equal(flags, (wide == 0) == truth)
    for mark in (".", " ", "道", b"."):
        text = maze.to_grid(corridor=corridor, wall=wall, road=mark)
        assert text.dtype == ("S1" if isinstance(mark, bytes) else "U1")
        assert np.array_equal(text == mark, wide == 0)
        assert np.array_equal(text == (b"#" if isinstance(mark, bytes) else "#"), wide == 1)
        assert Maze.from_grid(text, road=mark, **again) == maze


@pytest.mark.parametrize(
    ("shape", "corridor", "wall", "dtype"),
    [
        ((1, 40_000), 1, 1, "u1"),  # many cells a piece, and many pieces
        ((40_000, 1), 2, 1, "u1"),
        ((2, 3), 700, 1, "f8"),
        ((1, 2), 1, 1100, "f8"),  # a cell is more than a piece
        ((100, 150), 5, 3, "u1"),  # a word
        ((100, 150), 5, 4, "u1"),  # and a bit more
        ((30, 150), 1, 1, "f8"),
    ],
)
def test_thick_grid_values_and_dtypes(shape: tuple[int, int], corridor: int, wall: int, dtype: str) -> None:
    maze = meiro.generate(shape, "kruskal", rng=1)
    wide = judged(maze, corridor, wall)
    grid = maze.to_grid(corridor=corridor, wall=wall, dtype=dtype)
    assert np.array_equal(grid, wide)
    assert Maze.from_grid(grid, corridor=corridor, wall=wall) == maze


@pytest.mark.parametrize("threads", [1, 2, 3, "all"])
def test_thick_grid_is_the_same_for_any_number_of_threads(threads: Any) -> None:
    maze = meiro.with_openings(meiro.generate((400, 500), "kruskal", rng=1))
    assert np.array_equal(maze.to_grid(corridor=4, threads=threads), judged(maze, 4, 1))


def test_thick_grid_out() -> None:
    maze = meiro.generate((3, 4), rng=1)
    out = np.empty((3 * 2 + 4 * 2, 4 * 2 + 5 * 2), np.float32)
    assert maze.to_grid(out, corridor=2, wall=2, dtype=np.float32) is out
    assert np.array_equal(out, judged(maze, 2, 2))
    for bad in (np.empty((14, 18)), np.empty((14, 17), np.float32)):
        refused(ValueError, r"out must be", maze.to_grid, bad, corridor=2, wall=2, dtype=np.float32)


def test_thick_grid_refuses_bad_arguments() -> None:
    for options, error, words in (
        ({"corridor": 0}, ValueError, "corridor must be at least 1, not 0"),
        ({"wall": -2}, ValueError, "wall must be at least 1, not -2"),
        ({"wall": 1 << 40}, ValueError, r"wall must be less than 2\*\*31, not 1099511627776"),
        ({"corridor": 1.0}, TypeError, "corridor must be an integer, not 1.0"),
        ({"wall": True}, TypeError, "wall must be an integer, not True"),
        ({"road": 256}, ValueError, "road=256 does not fit an array of uint8"),
        ({"road": -1}, ValueError, "road=-1 does not fit an array of uint8"),
        ({"road": 1.5}, ValueError, "road=1.5 does not fit an array of uint8"),
        ({"road": 1 << 80, "dtype": int}, ValueError, "does not fit an array of int64"),
        ({"road": 2, "dtype": bool}, ValueError, "road=2 does not fit an array of bool"),
        ({"road": float("nan"), "dtype": float}, ValueError, "road=nan does not fit an array of float64"),
        ({"road": 1e9, "dtype": np.float16}, ValueError, "does not fit an array of float16"),
        ({"road": "#"}, ValueError, "road must be one character other than .*, not '#'"),
        ({"road": "ab"}, ValueError, "road must be one character other than .*, not 'ab'"),
        ({"road": ""}, ValueError, "road must be one character other than .*, not ''"),
        ({"road": ".", "dtype": int}, TypeError, "road must be a number, for an array of int64, not '.'"),
        ({"dtype": "U1"}, TypeError, "road must be a character, as road=.*, for an array of <U1, not 0"),
        ({"dtype": "U2", "road": "."}, TypeError, "single characters, not <U2"),
        ({"dtype": complex}, TypeError, "dtype must be of booleans, .* not complex128"),
        ({"dtype": "O"}, TypeError, "dtype must be of booleans, .* not object"),
        ({"road": None}, TypeError, "road must be a number, for an array of uint8, not None"),
        ({"road": [1]}, TypeError, r"road must be a number, for an array of uint8, not \[1\]"),
    ):
        refused(error, words, meiro.generate((2, 3), rng=1).to_grid, **options)


def test_thick_grid_takes_numpy_scalars() -> None:
    maze = meiro.generate((2, 3), rng=1)
    assert maze.to_grid(dtype=str, road=" ").dtype == "U1"
    for road in (np.uint8(255), np.int64(255), np.float64(255)):
        assert np.array_equal(maze.to_grid(road=road), np.where(maze.grid == 0, 255, 0))
    assert np.array_equal(maze.to_grid(corridor=np.int64(1), road=np.False_), maze.grid)
    assert (maze.to_grid(road=np.str_(".")) == ".").sum() == (maze.grid == 0).sum()


@given(mazes(), widths, st.data())
def test_thick_grid_refuses_an_uneven_block(maze: Maze, width: tuple[int, int], data: st.DataObject) -> None:
    corridor, wall = width
    if width == (1, 1):
        return
    grid = maze.to_grid(corridor=corridor, wall=wall)
    row, col = (data.draw(st.integers(0, side - 1)) for side in grid.shape)
    block = []
    for at in (row, col):
        rest = at % (corridor + wall)
        block.append((at - rest, wall) if rest < wall else (at - rest + wall, corridor))
    if all(size == 1 for _, size in block):
        return  # a block of its own
    grid[row, col] ^= 1
    (top, _), (left, breadth) = block
    if (row, col) == (top, left):  # then the others are not as the first
        row, col = (top, left + 1) if breadth > 1 else (top + 1, left)
    names = {0: "road", 1: "wall"}
    words = (
        rf"grid\[{row}, {col}\] is {names[grid[row, col]]} and grid\[{top}, {left}\] is "
        rf"{names[grid[top, left]]}: with corridor={corridor} and wall={wall} they are of one block"
    )
    refused(ValueError, words, Maze.from_grid, grid, corridor=corridor, wall=wall)


def test_thick_grid_refuses_other_shapes() -> None:
    for shape, options, words in (
        ((9, 8), {"corridor": 3}, "width of a grid with corridor=3, wall=1 is 1 .* not 8; 5 or 9 would do"),
        ((4, 9), {"corridor": 3}, "the height of .*, not 4; 5 would do"),
        ((1, 9), {"corridor": 3, "wall": 2}, "the height of .* is 2 [+] n [*] 5, not 1; 7 would do"),
        ((2, 9), {"corridor": 3, "wall": 2}, "the height of .* not 2; 7 would do"),
        ((4, 5), {}, "the height of a maze grid is odd and at least 3, not 4; 3 or 5 would do"),
        ((1, 5), {}, "at least 3, not 1; 3 would do"),
        ((5, 5), {"corridor": 0}, "corridor must be at least 1"),
    ):
        refused(ValueError, words, Maze.from_grid, np.ones(shape, np.uint8), **options)


def test_thick_grid_refuses_what_is_not_a_maze_grid() -> None:
    grid = np.ones((10, 10), np.uint8)
    grid[4:6, 4:6] = 0  # a post
    with pytest.raises(ValueError, match=r"in the grid with corridor=1 and wall=1 .* grid\[2, 2\] is a post"):
        Maze.from_grid(grid, corridor=2, wall=2)


@pytest.mark.clock
def test_thick_grid_is_never_silent_for_long() -> None:
    for shape, corridor in (((1, 2), 7000), ((1, 600_000), 8), ((300_000, 1), 12)):
        maze = meiro.generate(shape, "binary_tree", rng=1)
        assert silence(functools.partial(maze.to_grid, corridor=corridor)) < SILENCE, shape
