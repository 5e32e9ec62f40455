"""What the source articles show step by step, replayed (those of search, text and Eller are with these)."""

from __future__ import annotations

import io

import numpy as np
import pytest
from arbitrary_mazes import W1_AREAS, W1_ORDER

import meiro
from meiro._utils.square import n_walls

pytestmark = pytest.mark.sanitize

METHODS = ["kruskal", "pole_toppling", "backtracker", "wall_extension"]


def areas(order: list[int]) -> list[int]:
    """Return the area numbers after some walls of 3 x 3 have fallen, the smaller number winning."""
    number = list(range(9))
    for a, b in meiro.wall_cells((3, 3), order).tolist():
        low, high = sorted((number[a], number[b]))
        number = [low if n == high else n for n in number]
    return number


def test_w1_clustering() -> None:
    maze = meiro.generate((3, 3), "kruskal", order=W1_ORDER)
    assert maze.passages.tolist() == [[4, 6, 12], [3, 13, 5], [2, 9, 1]]
    assert maze.wall_ids().tolist() == [0, 3, 5, 9]
    assert [int(p).bit_count() for p in maze.passages.flat] == [1, 2, 2, 2, 3, 2, 1, 2, 1]
    assert meiro.solve(maze).path.tolist() == [[0, 0], [1, 0], [1, 1], [0, 1], [0, 2], [1, 2], [2, 2]]
    assert len(meiro.solve(maze).grid_path) == 13
    for k, expected in enumerate(W1_AREAS.split()):
        assert "".join(map(str, areas(W1_ORDER[:k]))) == expected


@pytest.mark.parametrize("shape", [(1, 2), (2, 1), (1, 9), (9, 1), (4, 6)])
def test_w2_the_last_cell_is_opened(shape: tuple[int, int]) -> None:
    """The article's end test skips the last cell: with its walls last in the order it stays closed."""
    walls = meiro.wall_cells(shape, range(n_walls(shape)))
    last = (walls == shape[0] * shape[1] - 1).any(axis=1)
    maze = meiro.generate(shape, "kruskal", order=np.argsort(last, kind="stable"))
    assert maze.passages[-1, -1] > 0
    assert maze.is_perfect


def test_kruskal_weights_are_an_order() -> None:
    weights = np.empty(12)
    weights[W1_ORDER] = np.linspace(0, 8, 12)
    expected = meiro.generate((3, 3), "kruskal", order=W1_ORDER)
    assert meiro.generate((3, 3), "kruskal", weights=weights) == expected
    ties = meiro.generate((3, 3), "kruskal", weights=np.zeros(12))
    assert ties == meiro.generate((3, 3), "kruskal", order=range(12))
    edge = [5, np.inf, -0.0, 0.0, 5e-324, 1e-323, 1e308, 1.7e308, 1, 1 + 2**-52, 2, 1 / 3]
    by_numpy = np.argsort(np.array(edge), kind="stable")
    assert meiro.generate((3, 3), "kruskal", weights=edge) == meiro.generate(
        (3, 3), "kruskal", order=by_numpy
    )


def test_w4_two_rooms() -> None:
    mask = np.ones((5, 9), bool)
    mask[:, 4] = False
    for seed in range(20):
        maze = meiro.generate((5, 9), "backtracker", mask=mask, rng=seed)
        assert len(maze.edges()) == 40 - 2
        assert maze.is_perfect
        assert (maze.passages[mask] > 0).all()
        with pytest.raises(meiro.NoPathError):
            meiro.solve(maze, (0, 0), (0, 8))


@pytest.mark.parametrize("algorithm", METHODS)
def test_w7_the_four_methods(algorithm: str) -> None:
    for maze in meiro.generate_many(n=100, grid_shape=(9, 15), algorithm=algorithm, rng=4):
        grid = maze.grid
        assert grid.shape == (9, 15)
        assert ((grid == 1).sum(), (grid == 0).sum()) == (80, 55)
        assert grid[[0, -1]].all()
        assert grid[:, [0, -1]].all()
        assert len(maze.wall_ids()) == 18
        report = meiro.check(maze)
        assert (report.regions, report.islands, report.enclosed_regions) == (1, 0, 0)
        text = "\n".join(",".join(map(str, row)) for row in grid)
        again = np.loadtxt(io.StringIO(text), delimiter=",", dtype=np.uint8)
        assert meiro.Maze.from_grid(again) == maze
    with pytest.raises(ValueError, match="take 15 or 17"):
        meiro.generate(grid_shape=(9, 16), algorithm=algorithm)


def test_w8_two_thin_rows() -> None:
    """Away from the sides 3/11 of the vertical walls stand in cell rows 0 and 1, and 2/5 below."""
    many = meiro.generate_many((7, 40), "pole_toppling", 40_000, rng=5, threads=2)
    stands = (many.passages[:, :, 14:25] & 2) == 0
    of_each = stands.mean(axis=2)
    expected = np.array([3 / 11, 3 / 11, *[2 / 5] * 5])
    error = of_each.std(axis=0) / np.sqrt(len(many))
    assert (np.abs(of_each.mean(axis=0) - expected) < 5 * error).all()


def test_w8_given_falls() -> None:
    falls = np.full((2, 3), 4)
    maze = meiro.generate((3, 4), "pole_toppling", falls=falls)
    assert maze.grid[2:6, 2:7:2].all()  # every pole lies to the south
    assert maze.is_perfect
    up = np.full((2, 3), 4)
    up[0, 1] = 1
    assert meiro.generate((3, 4), "pole_toppling", falls=up).grid[1, 4] == 1
    for bad, words in (([[4, 4, 4], [1, 4, 4]], "1, 0"), ([[2, 8, 4], [4, 4, 4]], "0, 1")):
        with pytest.raises(ValueError, match=words):
            meiro.generate((3, 4), "pole_toppling", falls=bad)


def test_w9_no_bare_post() -> None:
    for maze in meiro.generate_many((50, 50), "wall_extension", 300, rng=6):
        grid = maze.grid
        beside = grid[1:-2:2, 2:-1:2] + grid[3::2, 2:-1:2] + grid[2:-1:2, 1:-2:2] + grid[2:-1:2, 3::2]
        assert beside.min() > 0
        assert maze.is_perfect
