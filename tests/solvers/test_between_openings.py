"""A maze with openings and no given ends is solved, measured, drawn and saved from opening to opening."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import loose_maze
from refusals import refused

import meiro
from meiro import Maze, MazeBatch
from meiro.drawing.routes import parse_routes, path_sites
from meiro.mazes._openings import outer_rim

Cell = tuple[int, int]
FIRST, LAST = ((0, 5), "north"), ((9, 0), "south")


def opened(*openings: Any, start: Cell | None = None, goal: Cell | None = None) -> Maze:
    maze = meiro.generate((10, 8), rng=4, openings=openings)
    return Maze(maze.passages, None, maze.openings, start=start, goal=goal)


MIDDLE = ((4, 7), "east")
CASES = [
    ((), None, None, (0, 0), (9, 7)),
    ((FIRST,), None, None, (0, 5), (9, 7)),
    ((FIRST, LAST), None, None, (0, 5), (9, 0)),
    ((LAST, FIRST), None, None, (9, 0), (0, 5)),
    ((FIRST, MIDDLE, LAST), None, None, (0, 5), (9, 0)),
    ((FIRST, LAST), (3, 3), None, (3, 3), (9, 0)),
    ((FIRST, LAST), None, (3, 3), (0, 5), (3, 3)),
    ((FIRST, LAST), (2, 1), (3, 3), (2, 1), (3, 3)),
    ((FIRST,), (2, 1), None, (2, 1), (9, 7)),
]


@pytest.mark.parametrize(("openings", "start", "goal", "first", "last"), CASES)
def test_endpoints_and_all_that_goes_by_them(
    openings: tuple[Any, ...], start: Cell | None, goal: Cell | None, first: Cell, last: Cell
) -> None:
    maze = opened(*openings, start=start, goal=goal)
    assert (maze.start, maze.goal) == (start, goal)
    assert maze.endpoints == (first, last)
    solution = meiro.solve(maze)
    assert (solution.start, solution.goal) == (first, last)
    assert solution.path[[0, -1]].tolist() == [list(first), list(last)]
    assert solution.length == len(solution.path) - 1 == meiro.solve(maze, first, last).length
    assert meiro.trace_solve(maze).result == solution
    assert meiro.measure(maze, "solution_length")["solution_length"] == solution.length
    assert meiro.shortest_paths(maze).length == solution.length
    assert meiro.bottlenecks(maze).tolist() == meiro.bottlenecks(maze, first, last).tolist()
    assert meiro.fill_dead_ends(maze).mask[tuple(solution.path.T)].all()  # type: ignore[index]
    assert maze.to_dot() == maze.to_dot(start=first, goal=last)
    batch = MazeBatch([maze, maze])
    assert [ends.tolist() for ends in batch.endpoints] == [[list(first)] * 2, [list(last)] * 2]
    assert batch.solve().lengths.tolist() == [solution.length] * 2
    assert meiro.solve_many([maze, maze]).lengths.tolist() == [solution.length] * 2
    assert batch.measure("solution_length")["solution_length"].tolist() == [solution.length] * 2


@pytest.mark.parametrize(("openings", "start", "goal", "first", "last"), CASES)
def test_grid_paths_go_through_the_openings_that_are_used(
    openings: tuple[Any, ...], start: Cell | None, goal: Cell | None, first: Cell, last: Cell
) -> None:
    maze = opened(*openings, start=start, goal=goal)
    solution = meiro.solve(maze)
    sites = maze.openings.tolist()
    before = sites[:1] if start is None else []
    after = sites[-1:] if goal is None and len(sites) > 1 else []
    expected = [*before, *meiro.cells_to_grid(solution.path).tolist(), *after]
    assert solution.grid_path.tolist() == expected
    assert solution.openings == tuple(tuple(x[0]) if x else None for x in (before, after))
    assert (np.abs(np.diff(solution.grid_path, axis=0)).sum(axis=1) == 1).all()
    assert not maze.grid[tuple(solution.grid_path.T)].any()
    assert solution.mask.sum() == len(expected)
    assert path_sites(maze, solution, "path").tolist() == expected
    assert path_sites(maze.grid, solution, "path").tolist() == expected
    assert meiro.grid_to_cells(solution.grid_path).tolist() == solution.path.tolist()
    (route,) = parse_routes(maze, solution)
    corners = [[(site[1] - 1) / 2, (site[0] - 1) / 2] for site in (expected[0], expected[-1])]
    assert route.line.points[[0, -1]].tolist() == corners
    assert route.ends == (first, last)
    batch = MazeBatch([maze, meiro.with_openings(maze, []), maze])
    many = meiro.solve_many(batch, paths=True)
    assert many.masks is not None
    assert many.grid_paths is not None
    for i, one in enumerate(batch):
        alone = meiro.solve(one)
        assert (many.masks[i] == alone.mask).all()
        path = many.grid_paths[i]
        assert path[path[:, 0] >= 0].tolist() == alone.grid_path.tolist()


def test_ends_given_to_a_call_win() -> None:
    maze = opened(FIRST, LAST)
    assert meiro.solve(maze, (0, 5), (9, 0)).openings == (None, None)
    assert meiro.solve(maze, (1, 1)).openings == (None, (20, 1))
    assert meiro.solve(maze, None, [(1, 1), (2, 2)]).openings == ((0, 11), None)
    assert meiro.solve(maze) != meiro.solve(maze, (0, 5), (9, 0))
    many = meiro.solve_many([maze], starts=(1, 1), paths=True)
    assert many.openings is not None
    assert many.openings.tolist() == [[[-1, -1], [20, 1]]]
    assert meiro.solve_many([maze], (1, 1), (2, 2)).openings is None


def test_two_openings_of_one_cell_make_a_path_of_one() -> None:
    maze = opened(((0, 0), "north"), ((0, 0), "west"))
    solution = meiro.solve(maze)
    assert (solution.length, solution.path.tolist()) == (0, [[0, 0]])
    assert solution.grid_path.tolist() == [[0, 1], [1, 1], [1, 0]]
    assert parse_routes(maze, solution)[0].line.points.tolist() == [[0, -0.5], [0, 0], [-0.5, 0]]


def test_a_path_through_openings_fits_the_maze_without_them() -> None:
    maze = opened(FIRST, LAST)
    solution = meiro.solve(maze)
    closed = meiro.with_openings(maze, [])
    inside = meiro.cells_to_grid(solution.path).tolist()
    assert path_sites(closed, solution, "path").tolist() == inside
    assert path_sites(closed.grid, solution, "path").tolist() == inside


@pytest.mark.parametrize("algorithm", [*meiro.SOLVERS])
def test_every_solver_goes_from_opening_to_opening(algorithm: str) -> None:
    maze = opened(FIRST, LAST)
    options: Any = {"rng": 1} if meiro.SOLVERS[algorithm].random else {}
    solution = meiro.solve(maze, algorithm=algorithm, **options)
    assert solution.grid_path[[0, -1]].tolist() == maze.openings.tolist()
    assert meiro.trace_solve(maze, algorithm=algorithm, **options).result == solution


@pytest.mark.parametrize(("masked", "ends"), [*product([False, True], repeat=2)])
def test_the_rule_for_a_batch_is_that_of_its_mazes(masked: bool, ends: bool) -> None:  # noqa: FBT001
    rng, listed = np.random.default_rng(1), []
    for seed in range(12):
        maze = loose_maze(5, 6, seed, holes=masked)
        cells = np.argwhere(np.ones((5, 6), bool) if maze.mask is None else maze.mask)
        rim = outer_rim((5, 6), maze.mask, (False, False))
        sites = rng.permutation(rim)[: seed % 4]
        start, goal = (tuple(rng.choice(cells).tolist()) if ends and seed % k else None for k in (2, 3))
        listed.append(Maze(maze.passages, maze.mask, sites, start=start, goal=goal))
    found = MazeBatch(listed).endpoints
    assert [maze.endpoints for maze in listed] == [
        (tuple(one), tuple(other)) for one, other in zip(*(cells.tolist() for cells in found), strict=True)
    ]
    lengths = meiro.solve_many(MazeBatch(listed)).lengths.tolist()
    assert lengths == meiro.solve_many(listed).lengths.tolist()


def test_endpoints_of_tasks_may_be_the_openings() -> None:
    batch = MazeBatch([opened(LAST, FIRST, start=(1, 1)), opened(FIRST), opened()])
    starts, goals = meiro.endpoints(batch, "openings")
    assert starts.tolist() == [[9, 0], [-1, -1], [-1, -1]]
    assert goals.tolist() == [[0, 5], [-1, -1], [-1, -1]]


def test_pictures_show_the_path_up_to_the_border(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    from PIL import Image

    maze = opened(FIRST, LAST)
    solution = meiro.solve(maze)
    meiro.save(maze, tmp_path / "solved.png", solution=solution)
    pixels = np.asarray(Image.open(tmp_path / "solved.png").convert("RGB")).astype(int)
    colored = pixels.max(axis=2) - pixels.min(axis=2) > 30
    assert colored[tuple(maze.openings.T)].all()
    lines = maze.to_text(solution=solution).splitlines()
    assert [lines[row][col] for row, col in maze.openings.tolist()] == ["•", "•"]
    drawn = maze.to_svg(solution=solution)
    assert "M5.5 0" in drawn
    assert meiro.plot(maze, solution=solution) is not None


def test_a_walk_begins_at_the_entrance() -> None:
    pytest.importorskip("anywidget")
    game = meiro.play(opened(FIRST, LAST))
    assert (game.start, game.goal) == ((0, 5), (9, 0))


def test_distances_begin_at_the_start() -> None:
    maze = meiro.generate((5, 6), rng=3)
    assert (meiro.distances(maze) == meiro.distances(maze, (0, 0))).all()
    opened = meiro.generate((5, 6), rng=3, openings="top_bottom")
    assert (meiro.distances(opened) == meiro.distances(opened, opened.endpoints[0])).all()
    started = meiro.with_ends(maze, ((2, 3), (0, 0)))
    assert (meiro.distances(started) == meiro.distances(maze, (2, 3))).all()
    assert (meiro.distances(opened.grid) == meiro.distances(opened.grid, opened.openings[0])).all()
    refused(ValueError, r"give sources=: the border has no opening, not two", meiro.distances, maze.grid)


def test_distances_in_a_batch_begin_at_the_starts() -> None:
    many = meiro.generate_many((4, 5), "kruskal", 6, rng=3, openings="random")
    for found, maze in zip(meiro.distances(many), many, strict=True):
        assert (found == meiro.distances(maze)).all()
