"""Grids without the posts at which no wall ends, compared with a rule applied site by site, and read back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import mazes, open_maze, open_mazes
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from periodic_mazes import periodic_mazes
from refusals import refused

import meiro
from meiro import Maze
from meiro.mazes._grid import expand_rows


def judged(maze: Maze) -> NDArray[np.uint8]:
    """Open each post of the grid whose four neighbours are passages; periodic borders are one line."""
    bare = Maze(maze.passages, maze.mask, wrap=maze.wrap)
    grid = bare.to_grid()
    height, width = grid.shape
    found: NDArray[np.uint8] = maze.to_grid()
    for row in range(0, height, 2):
        for col in range(0, width, 2):
            sites = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
            if not maze.wrap[0] and row in {0, height - 1}:
                continue
            if not maze.wrap[1] and col in {0, width - 1}:
                continue
            if not any(grid[r % (height - 1), c % (width - 1)] for r, c in sites):
                found[row, col] = 0
    return found


widths = st.tuples(st.integers(1, 9), st.integers(1, 9))


@given(open_mazes | mazes() | periodic_mazes(), widths, st.integers(1, 3))
def test_grids_without_free_posts(maze: Maze, width: tuple[int, int], threads: int) -> None:
    plain = judged(maze)
    grid = maze.to_grid(posts=False, threads=threads)
    assert np.array_equal(grid, plain)
    assert np.array_equal(maze.to_grid(posts=True), maze.grid)
    assert Maze.from_grid(grid, wrap=maze.wrap) == maze
    corridor, wall = width
    rows, cols = ([wall, corridor] * side + [wall] for side in (maze.rows, maze.cols))
    wide = np.repeat(np.repeat(plain, rows, 0), cols, 1)
    given_: dict[str, Any] = {"corridor": corridor, "wall": wall}
    assert np.array_equal(maze.to_grid(posts=False, **given_), wide)
    text = maze.to_grid(posts=False, road=".", threads=threads, **given_)
    assert np.array_equal(text == "#", wide == 1)
    assert Maze.from_grid(wide, wrap=maze.wrap, **given_) == maze


@given(open_mazes, st.integers(1, 30))
def test_bands_of_rows_without_free_posts(maze: Maze, rows: int) -> None:
    grid = judged(maze)
    for first in range(0, len(grid), rows):
        band = np.full((min(rows, len(grid) - first), grid.shape[1]), 9, np.uint8)
        expand_rows(maze, first, band, posts=False)
        assert np.array_equal(band, grid[first : first + rows])


def test_long_rows_without_free_posts() -> None:
    """Rows longer than the pieces in which they are written; wide ones are written in pieces of 8 kB."""
    maze = meiro.generate((3, 100_000), "percolation", p=0.9, rng=7, wrap=(True, True))
    sites = maze.grid
    grid = maze.to_grid(posts=False)
    around = [np.roll(sites[:-1, :-1], *step) for step in ((1, 0), (-1, 0), (1, 1), (-1, 1))]
    free = (np.sum(around, axis=0) == 0)[::2, ::2]
    assert free.sum() == pytest.approx(300_000 * 0.9**4, rel=0.01)
    assert np.array_equal(grid[:-1:2, :-1:2] == 0, free)
    assert np.array_equal(maze.to_grid(posts=False, corridor=2)[::3, ::3], grid[::2, ::2])


def test_grids_with_a_road_post_that_is_not_free_are_refused() -> None:
    room = meiro.generate((2, 2), "percolation", p=1.0).to_grid(posts=False)
    assert room.tolist() == [[1] * 5, *[[1, 0, 0, 0, 1]] * 3, [1] * 5]
    for side in ((1, 2), (2, 1), (3, 2), (2, 3)):
        walled = room.copy()
        walled[side] = 1
        words = r"grid\[2, 2\] is a post .* and road, and a site beside it is not"
        refused(ValueError, words, Maze.from_grid, walled)
    torus = meiro.generate((3, 3), "percolation", p=1.0, wrap=(True, True)).to_grid(posts=False)
    assert not torus.any()
    torus[0, 2] = 1
    with pytest.raises(ValueError, match=r"grid\[0, 2\] is wall and grid\[6, 2\] is road: .* one site"):
        Maze.from_grid(torus, wrap=(True, True))
    refused(ValueError, r"grid\[0, 0\] is a post", Maze.from_grid, torus)
    refused(TypeError, "posts must be True or False, not 0", open_maze(1).to_grid, posts=0)


@pytest.mark.parametrize("scale", [1, 3])
@pytest.mark.parametrize("holes", [False, True])
def test_png_without_free_posts(scale: int, tmp_path: Path, *, holes: bool) -> None:
    maze = open_maze(5, holes=holes)
    path = tmp_path / "maze.png"
    meiro.save(maze, path, posts=False, scale=scale, outside="wall")
    picture = meiro.from_image(path)
    assert np.array_equal(picture[::scale, ::scale], judged(maze))
    assert Maze.from_image(path) == maze
    maze.save(path, posts=False, scale=scale)
    assert Maze.from_image(path) == maze
    assert not isinstance(meiro.read(path), Maze), "an open room that somebody drew is no maze of pillars"


def test_explored_rooms_have_no_pillars_in_a_png(tmp_path: Path) -> None:
    pillow = pytest.importorskip("PIL.Image")
    for wrap in ((False, False), (True, True)):
        maze = meiro.generate((20, 20), "percolation", p=0.9, rng=7, wrap=wrap)
        solution = meiro.solve(maze, (0, 0), (5, 5), algorithm="bfs")
        meiro.save(maze, tmp_path / "a.png", solution=solution, posts=False)
        meiro.save(maze, tmp_path / "b.png", solution=solution)
        one, other = (np.asarray(pillow.open(tmp_path / name)) for name in ("a.png", "b.png"))
        free = judged(maze) != maze.grid
        assert np.array_equal(one[~free], other[~free])
        sides = np.pad(solution.explored, 1, mode="wrap" if wrap[0] else "constant")
        seen = sides[:-1, :-1] & sides[1:, :-1] & sides[:-1, 1:] & sides[1:, 1:]
        posts = one[::2, ::2][free[::2, ::2]]
        assert np.array_equal(posts == 2, seen[free[::2, ::2]])
        assert set(posts.tolist()) == {1, 2}


@pytest.mark.parametrize("suffix", [".tmx", ".tmj", ".map", ".yaml", ".csv", ".npy"])
def test_files_of_sites_have_no_pillars(suffix: str, tmp_path: Path) -> None:
    for name in ("yaml", "PIL") if suffix == ".yaml" else ():
        pytest.importorskip(name)
    path = tmp_path / f"a{suffix}"
    maze = open_maze(1)
    maze.save(path, posts=False)
    found = meiro.read(path)
    assert isinstance(found, np.ndarray)
    assert np.array_equal(found, judged(maze))
    assert Maze.from_grid(found) == maze
    perfect = meiro.generate((4, 5), rng=1)
    perfect.save(path, posts=False)
    assert meiro.read(path) == perfect
    maze.save(path, posts=True)
    assert meiro.read(path) == maze
    refused(TypeError, "posts must be", maze.save, path, posts=1)


def test_posts_are_for_mazes_and_sites(tmp_path: Path) -> None:
    maze = open_maze(1)
    with pytest.raises(ValueError, match=r"posts= is for \.png, .* and \.npy files, not for"):
        meiro.save(maze, tmp_path / "a.svg", posts=False)
    for suffix in (".png", ".csv", ".map"):
        with pytest.raises(ValueError, match="posts=False is for a Maze"):
            meiro.save(maze.grid, tmp_path / f"a{suffix}", posts=False)
