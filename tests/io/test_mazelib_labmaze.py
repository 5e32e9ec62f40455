"""Grids of mazelib and text mazes of labmaze: round trips, and both as judges (`pytest -m peers`)."""

from __future__ import annotations

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro.io import from_labmaze, from_mazelib, to_labmaze, to_mazelib

MAZES = [
    meiro.generate((1, 1)),
    meiro.generate((5, 8), "wilson", rng=1),
    meiro.generate((5, 8), rng=2, openings="top_bottom"),
    meiro.generate((4, 6), rng=3, openings=[((1, 5), "east")]),
    meiro.generate((4, 4), rng=3, mask=[[1, 1, 1, 0], [1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1]]),
]


@pytest.mark.parametrize("maze", MAZES, ids=map(str, range(len(MAZES))))
def test_mazelib_round_trip(maze: meiro.Maze) -> None:
    there = to_mazelib(maze)
    assert there.grid.dtype == np.int8
    assert there.grid[0].all()
    assert there.grid[:, -1].all()
    again = from_mazelib(there)
    np.testing.assert_array_equal(again.passages, maze.passages)
    np.testing.assert_array_equal(again.openings, maze.openings)
    assert again.endpoints == maze.endpoints


def test_mazelib_has_no_other_mazes() -> None:
    refused(ValueError, "maze is periodic", to_mazelib, meiro.generate((4, 4), wrap=(True, False)))
    with pytest.raises(ValueError, match="the maze 3 openings"):
        to_mazelib(meiro.generate((4, 4), openings=[((0, 0), "n"), ((0, 0), "w"), ((3, 3), "s")]))
    refused(ValueError, "call its generate", from_mazelib, (None, None, None))
    grid = to_mazelib(MAZES[1]).grid
    refused(ValueError, r"end \(99, 0\) is outside", from_mazelib, (grid, (1, 1), (99, 0)))
    refused(ValueError, r"\(2, 2\)", from_mazelib, (grid, (2, 2), None))


@pytest.mark.parametrize("maze", MAZES[:2], ids=["0", "1"])
def test_labmaze_round_trip(maze: meiro.Maze) -> None:
    there = from_labmaze(to_labmaze(maze))
    np.testing.assert_array_equal(there.grid, maze.grid)
    start, goal = maze.endpoints
    assert there.goals.tolist() == [[2 * goal[0] + 1, 2 * goal[1] + 1]]
    assert start == goal or there.spawns.tolist() == [[2 * start[0] + 1, 2 * start[1] + 1]]


def test_labmaze_takes_arrays() -> None:
    sites = np.random.default_rng(3).integers(0, 2, (6, 9))
    np.testing.assert_array_equal(from_labmaze(to_labmaze(sites)).grid, sites)
    np.testing.assert_array_equal(from_labmaze(to_labmaze(sites).replace("\n", "\r\n")).grid, sites)
    refused(ValueError, "line 2, '\\*', has 1 characters", from_labmaze, "**\n*\n")
    refused(TypeError, "must be a str", from_labmaze, b"**")
    for strange in ("\0", "\t", "\x7f", "█"):
        with pytest.raises(ValueError, match=r"line 2, column 3: .* is no mark of labmaze"):
            from_labmaze(f"****\n* {strange}*\n****\n")


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
def test_mazelib_solves_ours_and_we_its_mazes() -> None:
    from mazelib import Maze
    from mazelib.generate.Prims import Prims
    from mazelib.solve.BacktrackingSolver import BacktrackingSolver

    for maze in MAZES[1:4]:
        theirs = Maze()
        theirs.grid, theirs.start, theirs.end = to_mazelib(maze)
        theirs.solver = BacktrackingSolver()
        theirs.solve()
        sites = [tuple(site) for site in maze.solve().grid_path.tolist()]
        assert [site for site in sites if site not in {theirs.start, theirs.end}] == [
            tuple(site) for site in theirs.solutions[0] if tuple(site) not in {theirs.start, theirs.end}
        ]
    for inner in (False, True):
        theirs = Maze(5)
        theirs.generator = Prims(6, 9)
        theirs.generate()
        theirs.generate_entrances(not inner, not inner)
        theirs.solver = BacktrackingSolver()
        theirs.solve()
        ours = from_mazelib(theirs)
        assert ours.is_perfect
        assert len(ours.openings) == (0 if inner else 2)
        length = ours.solve().grid_path.tolist()
        assert {tuple(s) for s in length} >= {tuple(s) for s in theirs.solutions[0]}


@pytest.mark.peers
def test_labmaze_takes_ours_and_we_its_mazes() -> None:
    import labmaze

    maze = MAZES[1]
    theirs = labmaze.FixedMazeWithRandomGoals(entity_layer=to_labmaze(maze))
    assert str(theirs.entity_layer) == to_labmaze(maze)
    assert (theirs.height, theirs.width) == maze.grid.shape
    random = labmaze.RandomMaze(height=11, width=13, random_seed=7, extra_connection_probability=0.1)
    ours = from_labmaze(str(random.entity_layer))
    np.testing.assert_array_equal(ours.grid == 1, np.array(random.entity_layer) == "*")
    there = from_labmaze("****\n*P*G\n* **\n")
    assert (there.spawns.tolist(), there.goals.tolist()) == ([[1, 1]], [[1, 3]])
