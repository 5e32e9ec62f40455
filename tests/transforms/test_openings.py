"""Openings, start and goal: corners, random and farthest ones, compared with scipy."""

from __future__ import annotations

import collections
import itertools
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import beside, mazes, outer_rim_of, some_maze
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from periodic_mazes import WRAPS, periodic_maze, periodic_mazes
from reference_graphs import adjacency
from refusals import refused
from scipy.sparse import csgraph

import meiro
from meiro import Maze
from meiro._utils.square import existing_cell

Cell = tuple[int, int]

any_: Any = meiro  # what is wrong on purpose


def distances(maze: Maze) -> NDArray[np.int64]:
    """From every cell to every other, by scipy; -1 where there is no way."""
    steps = csgraph.shortest_path(adjacency(maze), directed=False, unweighted=True)
    found: NDArray[np.int64] = np.where(np.isinf(steps), -1, steps).astype(np.int64)
    return found


def number(maze: Maze, cell: Cell | None) -> int:
    assert cell is not None
    return cell[0] * maze.cols + cell[1]


def sites_of(maze: Maze) -> list[Cell]:
    return [(row, col) for row, col in maze.openings.tolist()]


@pytest.mark.parametrize("block", range(8))
def test_with_ends_farthest(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        maze = some_maze(seed)
        far = meiro.with_ends(maze, "farthest")
        assert (far, far.seed, far.recipe) == (maze, maze.seed, maze.recipe)
        steps = distances(maze)
        found = steps[number(maze, far.start), number(maze, far.goal)]
        if maze.is_perfect:
            assert found == steps.max()
        else:
            assert steps.max() <= 2 * found
        if maze.mask is not None:
            assert maze.mask[far.start]
            assert maze.mask[far.goal]
        if found:
            assert meiro.solve(far).length == found


@pytest.mark.parametrize("block", range(8))
def test_with_openings_farthest(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        maze = some_maze(seed)
        sites = outer_rim_of(maze)
        cells = [number(maze, beside(maze, site)) for site in sites]
        steps = distances(maze)
        among = steps[np.ix_(cells, cells)]
        if len(sites) < 2:
            words = r'openings="farthest" needs two sites .* on the rim; the maze <Maze'
            refused(ValueError, words, meiro.with_openings, maze, "farthest")
            continue
        far = meiro.with_openings(maze, "farthest")
        assert set(sites_of(far)) <= set(sites)
        one, other = (number(maze, beside(maze, site)) for site in sites_of(far))
        if maze.is_perfect:
            assert steps[one, other] == among.max()
        else:
            assert among.max() <= 2 * steps[one, other]
        assert (far.passages == maze.passages).all()


@given(mazes() | periodic_mazes())
def test_with_ends_corners(maze: Maze) -> None:
    sites = outer_rim_of(maze)
    ended = meiro.with_ends(maze)
    there = np.ones(maze.passages.shape, bool) if maze.mask is None else maze.mask
    cells = np.argwhere(there).tolist()
    assert ended == maze
    assert [list(ended.start or ()), list(ended.goal or ())] == [cells[0], cells[-1]]
    if len(sites) < 2:
        with pytest.raises(ValueError, match=rf'openings="corners" needs two sites .* has {len(sites)}'):
            meiro.with_openings(maze)
        return
    opened = meiro.with_openings(ended)
    assert sites_of(opened) == [sites[0], sites[-1]]
    assert Maze(maze.passages, maze.mask, [sites[0], sites[-1]], wrap=maze.wrap) == opened
    assert (opened.start, opened.goal) == (ended.start, ended.goal)


def test_random_ends_and_openings_are_uniform() -> None:
    mask = np.array([[1, 1], [0, 1]], bool)
    maze = meiro.generate((2, 2), "backtracker", rng=1, mask=mask)
    runs = 1800
    ends = collections.Counter(
        (far.start, far.goal) for far in (meiro.with_ends(maze, "random", rng=seed) for seed in range(runs))
    )
    assert set(ends) == set(itertools.permutations([(0, 0), (0, 1), (1, 1)], 2))
    assert max(abs(count - runs / 6) for count in ends.values()) < 5 * (runs / 6) ** 0.5
    pairs = collections.Counter(
        tuple(sites_of(meiro.with_openings(maze, "random", rng=seed))) for seed in range(runs)
    )
    sites = outer_rim_of(maze)
    assert set(pairs) == set(itertools.combinations(sites, 2))
    expected = runs / len(pairs)
    assert max(abs(count - expected) for count in pairs.values()) < 5 * expected**0.5


@given(mazes() | periodic_mazes(), st.integers(0, 99))
def test_with_ends_random(maze: Maze, seed: int) -> None:
    ended = meiro.with_ends(maze, "random", rng=seed)
    assert ended == maze
    cells = maze.passages.size if maze.mask is None else maze.mask.sum()
    assert (ended.start == ended.goal) == (cells == 1)
    assert existing_cell(ended.start, (maze.rows, maze.cols), maze.mask, "start") == ended.start
    again = meiro.with_ends(maze, "random", rng=meiro.Seed(meiro.seeds.seed_of(seed).key))
    assert (again.start, again.goal) == (ended.start, ended.goal)
    if len(outer_rim_of(maze)) > 1:
        opened = meiro.with_openings(maze, "random", rng=seed)
        assert len(opened.openings) == 2
        assert set(sites_of(opened)) <= set(outer_rim_of(maze))


def test_with_ends_given() -> None:
    maze = meiro.generate((4, 5), rng=1)
    ended = meiro.with_ends(maze, ((1, 2), (-1, -1)))
    assert (ended.start, ended.goal) == ((1, 2), (3, 4))
    assert meiro.with_ends(maze, np.array([[1, 2], [3, 4]])).goal == (3, 4)
    opened = meiro.with_openings(ended, [(0, 5), (0, 1)])
    assert sites_of(opened) == [(0, 5), (0, 1)]
    assert (opened.start, opened.goal) == ((1, 2), (3, 4))
    assert len(meiro.with_openings(opened, []).openings) == 0
    assert meiro.with_openings(opened, ()) == maze


def test_with_ends_keeps_the_recipe_of_the_same_maze() -> None:
    maze = meiro.generate((4, 5), rng=1)
    ended = meiro.with_ends(maze, "farthest")
    assert ended.recipe == maze.recipe
    assert meiro.generate(**ended.recipe) == ended  # type: ignore[arg-type]
    assert meiro.with_openings(maze, []).recipe == maze.recipe
    opened = meiro.with_openings(ended)
    assert opened.recipe == {**(maze.recipe or {}), "openings": [[0, 1], [8, 9]]}
    assert opened.seed == maze.seed
    assert meiro.generate(**opened.recipe) == opened != maze
    assert meiro.with_ends(opened).recipe == opened.recipe
    assert meiro.with_openings(opened, []).recipe == maze.recipe


def test_with_ends_farthest_in_all_components() -> None:
    """A part of one cell, one of two, one of three: the first is where a single sweep would end."""
    maze = Maze([[0, 2, 8, 0, 2, 10, 8]], [[1, 1, 1, 0, 1, 1, 1]])
    far = meiro.with_ends(maze, "farthest")
    assert {far.start, far.goal} == {(0, 4), (0, 6)}
    assert [beside(maze, s) for s in sites_of(meiro.with_openings(maze, "farthest"))] == [(0, 4), (0, 6)]


def test_with_ends_refuse_bad_arguments() -> None:
    maze = meiro.generate((4, 5), rng=1)
    refused(ValueError, '"random", "farthest" or two cells, not \'far', any_.with_ends, maze, "far")
    with pytest.raises(ValueError, match=r"openings must be .* or sites, or cells with a side, not 'no'"):
        any_.with_openings(maze, "no")
    refused(ValueError, r"goal \(4, 0\) is outside", any_.with_ends, maze, ((0, 0), (4, 0)))
    refused(TypeError, r"ends must be two cells, .* not \(\(0, 0\),\)", any_.with_ends, maze, ((0, 0),))
    refused(TypeError, r"ends must be two cells, .* not \(0, 1\)", any_.with_ends, maze, (0, 1))
    refused(TypeError, "ends must be two cells, .* not None", any_.with_ends, maze, None)
    refused(TypeError, "ends must be two cells", any_.with_ends, maze, ((0, 0.5), (1, 1)))
    refused(TypeError, "ends must be two cells, .* not {", any_.with_ends, maze, {(0, 0), (2, 3)})
    refused(TypeError, "openings must be", any_.with_openings, maze, {((0, 0), "north")})
    with pytest.raises(TypeError, match=r"openings must be a cell and its side each, .* not {"):
        any_.with_openings(meiro.generate(meiro.lattices.polar(1), rng=1), {(1, 0): "north"})
    refused(TypeError, r"maze must be a .*, not ndarray", any_.with_ends, maze.grid)
    refused(TypeError, r"maze must be a .*, not ndarray", any_.with_openings, maze.grid)
    refused(ValueError, r"openings: \(1, 1\) is not the site of a wall", any_.with_openings, maze, [(1, 1)])
    refused(TypeError, "openings must be integers, not float64", any_.with_openings, maze, [(0.5, 1)])
    refused(ValueError, r"openings must have shape \(k, 2\)", any_.with_openings, maze, (0, 1))
    refused(TypeError, "rng must be None, an integer", any_.with_openings, maze, "random", rng="x")


def test_with_ends_refuse_masked_out_cells_and_closed_borders() -> None:
    mask = np.zeros((5, 5), bool)
    mask[1:4, 1:4] = True
    mask[2, 2] = False
    inside = meiro.generate((5, 5), "backtracker", rng=1, mask=mask)
    refused(ValueError, r"start \(2, 2\) is masked out", meiro.with_ends, inside, ((2, 2), (1, 1)))
    assert set(sites_of(meiro.with_openings(inside, "random", rng=1))) < set(outer_rim_of(inside))
    for wrap in WRAPS:
        words = rf'openings="{"corners"}" needs .* has 0 \(its border is periodic\)'
        if all(wrap):
            refused(ValueError, words, meiro.with_openings, periodic_maze((4, 5), wrap, 1))
    apart = Maze([[0, 0, 0]], [[1, 0, 1]], wrap=(False, False))
    assert len(meiro.with_openings(apart, "farthest").openings) == 2  # of one cell: it has three
    alone = Maze(np.zeros((3, 3), np.uint8), wrap=(False, True))
    with pytest.raises(
        ValueError, match=r'openings="farthest": no path in the maze <Maze .*cylinder.*> connects two'
    ):
        meiro.with_openings(alone, "farthest")
