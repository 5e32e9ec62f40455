"""Arrays as users have them: wide openings, S and G, wide corridors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from refusals import refused

import meiro


@pytest.mark.parametrize(
    ("rows", "start", "goal"),
    [
        (["#...##", "#....#", "###..#"], (0, 2), (2, 3)),
        (["#....#", "#....#", "######", "###..#"], (0, 2), None),
        (["....##", ".....#", ".##...", "######"], (0, 0), (2, 5)),  # one around the corner
        (["..##", "#..#", "#..."], (0, 0), (2, 2)),
        (["#.#", "#..", "##."], (0, 1), (1, 2)),
    ],
)
def test_adjacent_roads_in_the_border_are_one_opening(
    rows: list[str], start: tuple[int, int], goal: tuple[int, int] | None
) -> None:
    """The path begins and ends in their middles."""
    if goal is None:
        with pytest.raises(meiro.NoPathError):
            meiro.solve(rows)
        return
    found = meiro.solve(rows)
    assert (found.start, found.goal) == (start, goal)
    assert meiro.solve(rows, goal).goal == start
    assert meiro.solve(rows, goal=start).start == goal
    near = meiro.solve(rows, (1, 2))
    assert near.goal in {start, goal}


@pytest.mark.parametrize("road", [None, ".SG", [".", "S", "G"]])
@pytest.mark.parametrize("kind", ["strings", "bytes", "frame", "characters"])
def test_characters_s_and_g_are_start_and_goal(road: object, kind: str) -> None:
    rows = ["#######", "#S.#..#", "##...G#", "#.....#", "##.#.##"]
    x: Any = {
        "strings": rows,
        "bytes": np.array([row.encode() for row in rows]),
        "frame": pd.DataFrame([list(row) for row in rows]),
        "characters": np.array([list(row) for row in rows]),
    }[kind]
    found = meiro.solve(x, road=road)
    assert (found.start, found.goal, found.length) == ((1, 1), (2, 5), 5)
    assert meiro.solve(x, goal=(3, 1), road=road).goal == (3, 1)
    meiro.plot(x, solution=found, road=road)


def test_s_and_g_are_walls_if_road_leaves_them_out() -> None:
    rows = ["S..", "###", "..G"]
    found = meiro.solve(rows, (0, 1), (0, 2), road=".")
    assert found.path.tolist() == [[0, 1], [0, 2]]
    refused(meiro.NoPathError, "no path", meiro.solve, rows)


WIDE = meiro.generate((6, 9), "backtracker", rng=3)


@pytest.mark.parametrize("algorithm", ["bfs", "dijkstra", "a_star"])
@pytest.mark.parametrize("corridor", [1, 2, 5, 9])
def test_centre_keeps_a_path_in_the_middle_of_corridors(algorithm: str, corridor: int) -> None:
    grid = WIDE.to_grid(corridor=corridor, wall=2)
    first, last = (corridor // 2 + 2,) * 2, tuple(side - corridor // 2 - 3 for side in grid.shape)
    found = meiro.solve(grid, first, last, algorithm=algorithm, centre=True)
    assert found.algorithm == ("a_star" if algorithm == "a_star" else "dijkstra")
    path = found.path
    assert (np.abs(np.diff(path, axis=0)).sum(axis=1) == 1).all()
    assert not grid[tuple(path.T)].any()
    walls = np.argwhere(grid == 1)

    def from_walls(path: Any) -> Any:
        """Return the distances from their edges, and 1/2 more."""
        off = [np.maximum(np.abs(walls - place) - 0.5, 0) for place in path]
        return np.array([np.sqrt((each**2).sum(axis=1)).min() for each in off]) + 0.5

    away = from_walls(path)
    assert found.cost == pytest.approx((1 / away[1:] ** 2).sum())
    straight = meiro.solve(grid, first, last)
    beside = from_walls(straight.path)
    assert found.cost <= (1 / beside[1:] ** 2).sum() * (1 + 1e-12)
    if corridor == 9:
        assert np.median(away) == 5
        assert away.min() >= 3
    cells = np.unique((path - 2) // (corridor + 2), axis=0).tolist()
    assert cells == np.unique(meiro.solve(WIDE).path, axis=0).tolist()


def test_centre_needs_an_array_and_a_solver_of_least_cost() -> None:
    grid = WIDE.grid
    refused(TypeError, r"centre=True is for arrays.*x\.grid", meiro.solve, WIDE, centre=True)
    with pytest.raises(TypeError, match=r"'dfs' finds no path of least cost.*'dijkstra' and 'a_star' do"):
        meiro.solve(grid, (1, 1), (3, 3), centre=True, algorithm="dfs")
    with pytest.raises(TypeError, match="weights= and centre= both"):
        meiro.solve(grid, (1, 1), (3, 3), centre=True, weights=np.ones(grid.shape))
    refused(TypeError, "centre must be True or False, not 1", meiro.solve, grid, (1, 1), (3, 3), centre=1)


@pytest.mark.parametrize("rows", [["....", "...."], ["....#", "....#", "#####", "....."]])
def test_centre_without_walls_nearby(rows: list[str]) -> None:
    found = meiro.solve(rows, (0, 0), (1, 3), centre=True)
    assert found.path[[0, -1]].tolist() == [[0, 0], [1, 3]]


@pytest.mark.parametrize("goal", [(-1, -1), (5, 640), [(0, 0), (899, 3)]])
@pytest.mark.parametrize("obstacles", [0.0, 0.05, 0.3])
def test_bfs_of_a_room_does_not_depend_on_threads(obstacles: float, goal: Any) -> None:
    walls = np.random.default_rng(3).random((900, 1200)) < obstacles
    for row, col in [(450, 600), *([goal] if isinstance(goal, tuple) else goal)]:
        walls[row, col] = False
    alone = meiro.solve(walls, (450, 600), goal, algorithm="bfs")
    for threads in (2, 5):
        shared = meiro.solve(walls, (450, 600), goal, algorithm="bfs", threads=threads)
        np.testing.assert_array_equal(shared.path, alone.path)
        np.testing.assert_array_equal(shared.explored, alone.explored)
        assert repr(shared) == repr(alone)
