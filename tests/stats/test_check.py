"""Check: connected components, loops and islands; scipy's labels are the reference."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from periodic_mazes import WRAPS, lattice_of, periodic_mazes
from refusals import refused
from scipy import ndimage

import meiro
from meiro import Maze

pytestmark = pytest.mark.sanitize

ISLAND = ["#######", "#.....#", "#.###.#", "#.....#", "#.#.###", "#.#...#", "#######"]
ROOM = ["#######", "#.#...#", "#.###.#", "#.#...#", "#.#.###", "#.#...#", "#######"]
BOTH = ["#######", "#...#.#", "#.#.#.#", "#...#.#", "#####.#", "#.....#", "#######"]


def as_array(rows: list[str]) -> NDArray[np.uint8]:
    result: NDArray[np.uint8] = (np.array([list(row) for row in rows]) == "#").astype(np.uint8)
    return result


def judged(grid: NDArray[np.uint8]) -> dict[str, int]:
    """The same counts by scipy and NumPy."""
    roads = grid == 0
    labels, n_walls = ndimage.label(grid)
    inside = np.ones(grid.shape, np.bool_)
    inside[1:-1, 1:-1] = False
    touching = set(np.unique(labels[inside])) - {0}
    regions = ndimage.label(roads)[1]
    edges = (roads[:, 1:] & roads[:, :-1]).sum() + (roads[1:] & roads[:-1]).sum()
    padded = np.pad(grid, 1, constant_values=1)
    beside = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return {
        "regions": regions,
        "enclosed_regions": max(regions - 1, 0),
        "loops": int(edges - roads.sum() + regions),
        "islands": n_walls - len(touching),
        "open_blocks": int((roads[1:, 1:] & roads[1:, :-1] & roads[:-1, 1:] & roads[:-1, :-1]).sum()),
        "bare_posts": int(((grid == 1) & (beside == 0) & ~inside).sum()),
    }


def check_counts(report: meiro.CheckReport, grid: NDArray[np.uint8]) -> None:
    for name, expected in judged(grid).items():
        assert getattr(report, name) == expected, name
    labels, count = ndimage.label(grid == 0)
    assert (report.road_labels == labels).all()
    assert report.road_labels.max(initial=0) == count
    assert (report.wall_labels == ndimage.label(grid)[0]).all()


def test_check_report_in_words() -> None:
    assert str(meiro.check(ISLAND, road=".")) == "1 island, no enclosed regions, 1 loop"
    assert str(meiro.check(as_array(ROOM))) == "no islands, 1 enclosed region"
    assert str(meiro.check(as_array(BOTH))) == "1 island, 1 enclosed region, 1 loop, 1 bare post"
    assert (
        str(meiro.check(np.zeros((2, 3), np.uint8)))
        == "no islands, no enclosed regions, 2 loops, 2 open blocks"
    )
    assert str(meiro.check([[1, 1]])) == "no road at all"
    maze = meiro.generate((4, 4), "backtracker", rng=1)
    assert str(meiro.check(maze)) == "no islands, no enclosed regions: one way from any cell to any other"
    assert repr(meiro.check(maze)).startswith("<CheckReport perfect: no islands")
    parts = meiro.generate(mask=[[1, 0, 1]], algorithm="backtracker", rng=1)
    assert str(meiro.check(parts)) == "2 parts: one way from any cell to any other of its part"
    assert (
        str(meiro.check(Maze([[0, 0, 0, 0]], mask=[[1, 0, 1, 1]])))
        == "no islands, 2 enclosed regions, 2 parts"
    )


@given(
    hnp.arrays(np.uint8, hnp.array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.integers(0, 1))
)
def test_check_of_any_array(grid: NDArray[np.uint8]) -> None:
    report = meiro.check(grid)
    check_counts(report, grid)
    assert report.perfect == (report.regions == 1 and report.loops == 0)
    border = np.ones(grid.shape, np.bool_)
    border[1:-1, 1:-1] = False
    assert report.openings.tolist() == np.argwhere(border & (grid == 0)).tolist()


@pytest.mark.parametrize("density", [0.0, 0.1, 0.4, 0.5, 0.9, 1.0])
def test_check_of_large_arrays(density: float) -> None:
    for shape in ((300, 257), (1, 70001), (70001, 1)):
        grid = (np.random.default_rng(5).random(shape) < density).astype(np.uint8)
        check_counts(meiro.check(grid), grid)


def test_check_of_a_maze_is_that_of_its_grid() -> None:
    rng = np.random.default_rng(3)
    for seed in range(100):
        rows, cols = (int(n) for n in rng.integers(1, 14, 2))
        mask = rng.random((rows, cols)) < 0.85
        mask[0, 0] = True
        maze = meiro.generate(mask=mask, algorithm="backtracker", rng=seed)
        report = meiro.check(maze)
        assert report.perfect
        assert maze.is_perfect
        assert report.parts == report.regions == ndimage.label(mask)[1]
        check_counts(report, maze.grid)
        grid = maze.grid.copy()
        cells = grid[1::2, 1::2] == 0
        grid[1::2, 2:-1:2][cells[:, 1:] & cells[:, :-1] & (rng.random((rows, cols - 1)) < 0.3)] ^= 1
        other = Maze.from_grid(grid)
        check_counts(meiro.check(other), grid)
        assert other.is_perfect == meiro.check(other).perfect


def sewn(grid: NDArray[np.uint8], wrap: tuple[bool, bool], kind: int) -> tuple[NDArray[np.int64], int]:
    """Scipy's labels, those of both sides of the border made one, in the order of first sites."""
    labels, count = ndimage.label(grid == kind)
    joined = nx.Graph([(i, i) for i in range(1, count + 1)])
    for one, other, around in ((labels[0], labels[-1], wrap[0]), (labels[:, 0], labels[:, -1], wrap[1])):
        joined.add_edges_from(
            (a, b) for a, b in zip(one.tolist(), other.tolist(), strict=True) if around and a
        )
    sets = sorted(nx.connected_components(joined), key=min)
    number = {old: new for new, those in enumerate(sets, 1) for old in those} | {0: 0}
    return np.vectorize(number.__getitem__, otypes=[np.int64])(labels), len(sets)


@given(periodic_mazes())
def test_check_of_periodic_mazes(maze: Maze) -> None:
    report = meiro.check(maze)
    graph = maze.to_networkx()
    roads, regions = sewn(maze.grid, maze.wrap, 0)
    walls, count = sewn(maze.grid, maze.wrap, 1)
    assert (report.road_labels == roads).all()
    assert (report.wall_labels == walls).all()
    assert report.regions == regions == nx.number_connected_components(graph)
    assert report.loops == graph.number_of_edges() - graph.number_of_nodes() + regions
    rim = [walls[[0, -1]]] * (not maze.wrap[0]) + [walls[:, [0, -1]]] * (not maze.wrap[1])
    touching = set(np.concatenate([part.ravel() for part in rim]).tolist()) - {0} if rim else {1}
    assert report.islands == count - len(touching)
    there = lattice_of((maze.rows, maze.cols), maze.wrap).subgraph(graph)
    assert report.parts == nx.number_connected_components(there)
    assert report.perfect == maze.is_perfect == (report.loops == 0 and report.regions == report.parts)
    if report.perfect:
        assert (report.islands, report.open_blocks, report.bare_posts) == (0, 0, 0)


@pytest.mark.parametrize("wrap", WRAPS)
def test_check_of_a_loop_around_a_torus_counts_no_island(wrap: tuple[bool, bool]) -> None:
    row = Maze([[0] * 4, [10] * 4, [0] * 4] if wrap[1] else [[0, 5, 0]] * 4, wrap=wrap)
    report = meiro.check(row)
    assert (report.loops, report.islands, report.regions) == (1, 0, 9)
    assert not row.is_perfect
    block = np.zeros((3, 3), np.uint8)
    block[:2, :2] = [[6, 12], [3, 9]]
    report = meiro.check(Maze(block, wrap=wrap))
    assert (report.loops, report.islands, report.bare_posts) == (1, 1, 1)
    everything = Maze(np.full((3, 3), 15), wrap=(True, True))
    assert str(meiro.check(everything)) == "8 islands, no enclosed regions, 10 loops, 9 bare posts"


def test_check_counts_openings() -> None:
    grid = as_array(ROOM)
    grid[0, 1] = grid[6, 5] = grid[3, 0] = 0
    report = meiro.check(grid)
    assert report.openings.tolist() == [[0, 1], [3, 0], [6, 5]]
    with pytest.raises(ValueError, match="read-only"):
        report.openings[0, 0] = 1
    maze = Maze.from_grid(grid)
    assert meiro.check(maze).openings.tolist() == report.openings.tolist()
    assert meiro.check(maze).islands == report.islands


def test_check_report_is_frozen_and_comparable() -> None:
    report = meiro.check(as_array(BOTH))
    with pytest.raises(AttributeError):
        report.loops = 0  # type: ignore[misc]
    assert report == meiro.check(as_array(BOTH))
    assert hash(report) == hash(meiro.check(as_array(BOTH)))
    assert report != meiro.check(as_array(ROOM))
    assert report != "something else"


def test_check_refuses_bad_arguments() -> None:
    refused(TypeError, "road= is for arrays", meiro.check, Maze([[0]]), road=0)
