"""The maze as a value, and every way to construct it."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import mazes
from hypothesis import given
from periodic_mazes import WRAPS, periodic_maze, periodic_mazes
from refusals import refused

import meiro
from meiro._utils import memory
from meiro._utils.messages import refuse_change
from meiro.mazes._grid import expand_rows
from meiro.mazes.maze import KEPT_GRID, maze_from_core

pytestmark = pytest.mark.sanitize

W1 = [[4, 6, 12], [3, 13, 5], [2, 9, 1]]


@given(mazes() | periodic_mazes())
def test_maze_round_trips(maze: meiro.Maze) -> None:
    assert meiro.Maze.from_grid(maze.grid, wrap=maze.wrap) == maze
    assert meiro.Maze.from_grid(maze.grid == 1, wrap=maze.wrap) == maze
    assert meiro.Maze.from_grid(np.where(maze.grid == 0, 255, 0), road=255, wrap=maze.wrap) == maze
    bare = meiro.Maze(maze.passages, maze.mask, wrap=maze.wrap)
    shape = (maze.rows, maze.cols)
    assert meiro.Maze.from_edges(shape, maze.edges(), mask=maze.mask, wrap=maze.wrap) == bare
    assert meiro.Maze.from_wall_ids(shape, maze.wall_ids(), mask=maze.mask, wrap=maze.wrap) == bare
    assert meiro.Maze.from_passages(maze.passages, mask=maze.mask, wrap=maze.wrap) == bare
    assert pickle.loads(pickle.dumps(maze)) == maze  # noqa: S301
    assert hash(pickle.loads(pickle.dumps(maze))) == hash(maze)  # noqa: S301


@given(mazes() | periodic_mazes())
def test_maze_grid_has_the_walls_of_its_passages(maze: meiro.Maze) -> None:
    grid = maze.grid
    there = np.ones((maze.rows, maze.cols), bool) if maze.mask is None else maze.mask
    assert (grid[1::2, 1::2] == ~there).all()
    assert (grid[::2, ::2] == 1).all()
    assert (grid[1::2, 2:-1:2] == ((maze.passages[:, :-1] & 2) == 0)).all()
    assert (grid[2:-1:2, 1::2] == ((maze.passages[:-1] & 4) == 0)).all()
    rim = {
        tuple(s)
        for s in np.argwhere(grid == 0)
        if s[0] in (0, len(grid) - 1) or s[1] in (0, len(grid[0]) - 1)
    }
    over = [(0, 2 * int(c) + 1) for c in np.flatnonzero(maze.passages[0] & 1)]
    over += [(2 * maze.rows, 2 * int(c) + 1) for c in np.flatnonzero(maze.passages[-1] & 4)]
    over += [(2 * int(r) + 1, 0) for r in np.flatnonzero(maze.passages[:, 0] & 8)]
    over += [(2 * int(r) + 1, 2 * maze.cols) for r in np.flatnonzero(maze.passages[:, -1] & 2)]
    assert rim == {tuple(s) for s in maze.openings} | set(over)
    for first in range(len(grid)):
        band = np.empty((min(2, len(grid) - first), grid.shape[1]), np.uint8)
        expand_rows(maze, first, band)
        assert (band == grid[first : first + 2]).all()


def test_worked_example_1_as_a_maze() -> None:
    maze = meiro.Maze(W1)
    assert maze.wall_ids().tolist() == [0, 3, 5, 9]
    assert maze.edges().tolist() == [[0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [4, 7], [5, 8], [6, 7]]


def test_maze_is_frozen() -> None:
    maze = meiro.generate((3, 4), rng=1)
    with pytest.raises(AttributeError, match="a Maze does not change"):
        maze.start = (0, 0)
    with pytest.raises(AttributeError):
        maze.more = 1  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="a Maze does not change"):
        del maze.start
    for array in (maze.passages, maze.grid, maze.openings):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    mine = np.array(W1, np.uint8)
    copied = meiro.Maze(mine)
    mine[:] = 0
    assert copied.is_perfect


def test_maze_equality() -> None:
    maze = meiro.Maze(W1)
    assert maze != meiro.Maze(W1, openings=[(0, 1)])
    assert maze != meiro.Maze(np.zeros((3, 3), int))
    assert maze != "maze"
    assert len({maze, meiro.Maze(W1), meiro.Maze(W1, start=(0, 0))}) == 1
    assert hash(maze) != hash(meiro.Maze(W1, openings=[(0, 1)]))
    masked = np.ones((3, 3), bool)
    masked[0, 0] = False
    lone = np.zeros((3, 3), int)
    assert meiro.Maze(lone) != meiro.Maze(lone, masked)


def test_maze_equality_compares_wrap() -> None:
    flat = meiro.Maze(W1)
    around = [meiro.Maze(W1, wrap=wrap) for wrap in WRAPS]
    assert len({flat, *around, *(copy.copy(maze) for maze in around)}) == 4
    assert [maze.wrap for maze in around] == WRAPS
    assert flat.wrap == (False, False)
    assert len({hash(maze) for maze in (flat, *around)}) == 4
    torus, rows, cols = map(repr, around)
    assert torus == "<Maze 3 rows x 3 cols, torus>"
    assert rows == "<Maze 3 rows x 3 cols, cylinder (rows wrap)>"
    assert cols == "<Maze 3 rows x 3 cols, cylinder (cols wrap)>"
    refused(TypeError, "wrap must be two bools", meiro.Maze, W1, wrap=True)
    refused(ValueError, "at least 3, not 1", meiro.Maze, [[2, 8]], wrap=(True, False))


@pytest.mark.parametrize("wrap", WRAPS)
def test_maze_passages_over_the_border_need_both_sides_and_the_wrap(wrap: tuple[bool, bool]) -> None:
    empty = np.zeros((3, 4), np.uint8)
    for (row, col), bit, axis in [((0, 2), 1, 0), ((2, 1), 4, 0), ((1, 0), 8, 1), ((2, 3), 2, 1)]:
        other = (2 - row, col) if axis == 0 else (row, 3 - col)
        lone = empty.copy()
        lone[row, col] = bit
        words = "is not open on its side" if wrap[axis] else "over the border"
        refused(ValueError, rf"passages\[{row}, {col}\] = {bit} opens .*{words}", meiro.Maze, lone, wrap=wrap)
        both = lone.copy()
        both[other] = {1: 4, 4: 1, 2: 8, 8: 2}[bit]
        if wrap[axis]:
            assert meiro.Maze(both, wrap=wrap).edges().shape == (1, 2)
            mask = np.ones((3, 4), bool)
            mask[other] = False
            refused(ValueError, r"masked out|no cell", meiro.Maze, both, mask, wrap=wrap)
        else:
            refused(ValueError, "over the border", meiro.Maze, both, wrap=wrap)


@pytest.mark.parametrize("wrap", WRAPS)
def test_maze_grid_border_of_a_periodic_maze_comes_in_pairs(wrap: tuple[bool, bool]) -> None:
    maze = periodic_maze((4, 5), wrap, 3, 1)
    sites = [((0, 3), (8, 3))] * wrap[0] + [((5, 0), (5, 10))] * wrap[1]
    for one, other in sites:
        for site in (one, other):
            grid = maze.grid.copy()
            grid[site] ^= 1
            here, there = ("road" if grid[s] == 0 else "wall" for s in (one, other))
            words = f"grid[{one[0]}, {one[1]}] is {here} and grid[{other[0]}, {other[1]}] is {there}"
            refused(ValueError, re.escape(words), meiro.Maze.from_grid, grid, wrap=wrap)
            with pytest.raises(ValueError, match=r"openings: .* is in a border that is periodic"):
                meiro.Maze(maze.passages, openings=[site], wrap=wrap)
    for site in [(0, 3)] * (not wrap[0]) + [(5, 10)] * (not wrap[1]):  # the other rim is as ever
        opened = meiro.Maze(maze.passages, openings=[site], wrap=wrap)
        assert opened.openings.tolist() == [list(site)]
        assert meiro.Maze.from_grid(opened.grid, wrap=wrap) == opened
        assert pickle.loads(pickle.dumps(opened)) == opened  # noqa: S301


@pytest.mark.parametrize("threads", [1, 2, 3, "all"])
def test_maze_grid_is_the_same_for_any_number_of_threads(threads: Any) -> None:
    for shape in ((700, 900), (1, 1), (1, 2_000_000), (300_000, 1)):
        passages = np.random.default_rng(1).integers(0, 16, shape, np.uint8)
        maze = maze_from_core(passages, passages != 7)
        out = np.full((2 * shape[0] + 1, 2 * shape[1] + 1), 9, np.uint8)
        assert maze.to_grid(out, threads=threads) is out
        assert (out == maze.to_grid()).all()
        assert out.max() == 1


def test_maze_start_and_goal() -> None:
    maze = meiro.Maze(W1, start=(0, 0), goal=(-1, -1))
    assert (maze.start, maze.goal) == ((0, 0), (2, 2))
    refused(ValueError, r"goal \(3, 3\) is outside", meiro.Maze, W1, goal=(3, 3))
    refused(ValueError, r"start \(0, 0\) is masked out", meiro.Maze, [[0, 0]], [[False, True]], start=(0, 0))


def test_maze_refuses_bad_passages() -> None:
    refused(ValueError, r"passages\[0, 0\] = 2 opens E, but passages\[0, 1\] = 0", meiro.Maze, [[2, 0]])
    refused(ValueError, r"passages\[0, 1\] = 8 opens W, but passages\[0, 0\] = 0", meiro.Maze, [[0, 8]])
    refused(ValueError, r"opens N, over the border", meiro.Maze, [[1, 0]])
    refused(ValueError, r"passages\[1, 0\] = 4 opens S, over the border", meiro.Maze, [[0], [4]])
    refused(ValueError, r"over the border", meiro.Maze, [[8, 2]])
    refused(ValueError, "not a set of directions", meiro.Maze, [[16]])
    refused(ValueError, "not a set of directions", meiro.Maze, [[-1]])
    with pytest.raises(ValueError, match=r"passages\[0, 1\] = 31 is not a set of directions"):
        meiro.Maze(np.array([[0, 31]], np.uint8))
    refused(ValueError, "2-D", meiro.Maze, [1, 2])
    refused(ValueError, "2-D", meiro.Maze, np.empty((0, 3), int))


def test_maze_of_a_maze() -> None:
    maze = meiro.Maze(W1)
    for make in (meiro.Maze, meiro.Maze.from_passages):
        refused(TypeError, r"passages is already a Maze: .*\.passages", make, maze)
    with pytest.raises(TypeError, match=r"passages is already a MazeBatch"):
        meiro.Maze(meiro.generate_many((2, 2), n=1, rng=1))
    assert meiro.Maze(maze.passages) == maze


def test_maze_finds_faults_in_large_passages() -> None:
    good = meiro.generate((300, 400), rng=3).passages
    rng = np.random.default_rng(5)
    for _ in range(200):
        bad = good.copy()
        at = tuple(rng.integers(0, (300, 400)))
        bad[at] ^= 1 << rng.integers(0, 4)
        refused(ValueError, "opens", meiro.Maze, bad)


def test_maze_refuses_passages_into_the_mask() -> None:
    refused(ValueError, r"the mask says that there is no cell", meiro.Maze, [[2, 8]], [[False, True]])
    refused(ValueError, r"masked out|no cell", meiro.Maze, [[2, 8]], [[True, False]])
    refused(TypeError, "passages must be integers", meiro.Maze, [[0.5]])


def test_maze_refuses_bad_grids() -> None:
    for grid, words in (
        (np.ones((4, 5), int), "the height of a maze grid is odd and at least 3, not 4; 3 or 5 would do"),
        (np.ones((5, 6), int), "width .* not 6; 5 or 7"),
        (np.ones((1, 5), int), "height"),
        (np.ones((5, 5), int), "holds no cell"),
        (np.zeros((5, 5), int), r"grid\[0, 0\] is a post"),
    ):
        refused(ValueError, words, meiro.Maze.from_grid, grid)


def test_maze_refuses_a_door_to_a_masked_out_cell() -> None:
    grid = np.ones((3, 5), int)
    grid[1, 1:3] = 0
    refused(ValueError, r"grid\[1, 2\] is road and leads to a cell that is wall", meiro.Maze.from_grid, grid)


def test_maze_arrays_are_read_only() -> None:
    maze = meiro.generate((3, 4), rng=1)
    assert np.asarray(maze) is maze.grid
    assert np.array(maze, dtype=bool).dtype == bool
    assert np.array(maze).flags.writeable
    refused(ValueError, "copy", np.array, maze, dtype=float, copy=False)
    out = np.empty((7, 9), np.uint8)
    assert maze.to_grid(out=out) is out
    assert (out == maze.grid).all()
    for bad in (np.empty((7, 8), np.uint8), np.empty((7, 9)), np.empty((7, 18), np.uint8)[:, ::2], 7):
        refused(ValueError, "out must be", maze.to_grid, out=bad)


def test_maze_keeps_a_small_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    maze = meiro.generate((3, 4), rng=1)
    assert maze.grid is maze.grid
    assert KEPT_GRID == 2**24
    large = meiro.generate((6000, 6000), "pole_toppling", rng=1)
    assert large.grid is not large.grid
    monkeypatch.setattr(memory, "available", lambda: 10**6)
    with pytest.raises(MemoryError, match=r"the grid of <Maze 6000 rows .* takes 144,024,001 bytes"):
        _ = large.grid


def test_maze_repr() -> None:
    assert repr(meiro.Maze(W1)) == "<Maze 3 rows x 3 cols>"
    assert repr(meiro.generate((1, 1), rng=1)) == "<Maze 1 row x 1 col, wilson>"
    assert len(repr([meiro.generate((100, 100), rng=1)] * 3)) < 200
    assert repr(meiro.generate_many((2, 3), n=3, rng=1)) == "<MazeBatch of 3: 2 rows x 3 cols, wilson>"


def test_maze_mask_is_read_only() -> None:
    mask = np.eye(3, dtype=bool)
    batch = meiro.generate_many(n=2, mask=mask, rng=1)
    maze = batch[0]
    others = (copy.copy(maze), meiro.Maze(maze.passages, mask), meiro.Maze.from_grid(maze.grid))
    for kept in (maze.mask, batch.mask, *(other.mask for other in others)):
        assert kept is not None
        assert not kept.flags.writeable
    assert mask.flags.writeable


RECIPES: list[dict[str, Any]] = [
    {"shape": (3, 4)},
    {"shape": (3, 4), "algorithm": "kruskal", "rng": None, "openings": "corners"},
    {"shape": (3, 4), "algorithm": "kruskal", "rng": [1, 2**70], "wrap": (False, True)},
    {"shape": (3, 4), "algorithm": "backtracker", "rng": np.random.default_rng(3), "start": (1, -1)},
    {"shape": (2, 2), "algorithm": "pole_toppling", "falls": [[2]], "rng": meiro.replicate(7, 3)},
    {"mask": np.eye(4, dtype=bool) | np.eye(4, k=1, dtype=bool), "rng": np.random.SeedSequence((4, 5))},
    {"shape": (3, 3), "algorithm": "prim", "weights": np.arange(12) / 7, "rng": np.uint8(3)},
    {"shape": (9, 9), "algorithm": "rooms", "sides": np.array([2, 3]), "rng": 2},
    {"shape": (9, 9), "algorithm": "growing_tree", "choose": {"newest": 1, "random": 2}, "rng": 2**5000},
]


@pytest.mark.parametrize("given", RECIPES, ids=[str(i) for i in range(len(RECIPES))])
def test_recipe_is_plain_and_makes_the_maze_again(given: dict[str, Any]) -> None:
    maze = meiro.generate(**given)
    recipe = maze.recipe
    assert recipe is not None
    again = meiro.generate(**json.loads(json.dumps(recipe)))
    assert again == maze
    assert json.dumps(again.recipe) == json.dumps(recipe)
    many = meiro.generate_many(**given, n=3)[1:]
    several = meiro.generate_many(**json.loads(json.dumps(many.recipe)))
    assert several == many
    assert [x.recipe for x in several] == [x.recipe for x in many]


@pytest.mark.parametrize(("rng", "plain"), [(7, 7), ((3, 4), [3, 4]), (np.random.SeedSequence(9), 9)])
def test_recipe_shows_the_seed_as_it_was_given(rng: Any, plain: object) -> None:
    maze = meiro.generate((2, 2), rng=rng)
    assert maze.recipe == {"shape": (2, 2), "algorithm": "wilson", "rng": plain}
    third = meiro.generate((2, 2), rng=meiro.replicate(rng, 2))
    assert third.recipe == maze.recipe | {"rng": {"entropy": plain, "replicate": 2}}


def test_recipe_holds_a_digest_of_a_large_array() -> None:
    weights = np.arange(19_999.0)
    maze = meiro.generate((100, 101), "kruskal", weights=weights, rng=1)
    recipe = maze.recipe
    assert recipe is not None
    assert recipe["weights"]["array"] == [19_999]
    assert len(json.dumps(recipe)) < 300
    with pytest.raises(TypeError, match=r"weights of this recipe is only the digest.*shape \(19999,\).*give"):
        meiro.generate(**recipe)
    assert meiro.generate(**recipe | {"weights": weights}) == maze
    mask = np.arange(101**2).reshape(101, 101) > 0
    again: Any = meiro.generate(mask=mask, rng=1).recipe
    refused(TypeError, "mask of this recipe is only the digest", meiro.generate, **again)


def test_shape_and_algorithm_of_a_maze() -> None:
    maze = meiro.generate((3, 4), "kruskal", rng=1)
    assert (maze.shape, maze.algorithm) == ((3, 4), "kruskal")
    assert meiro.Maze(maze.passages).algorithm is None
    many = meiro.generate_many((3, 4), "prim", 2, rng=1)
    assert (many.algorithm, many[1].algorithm, meiro.transpose(many).algorithm) == ("prim", "prim", None)


@pytest.mark.parametrize("cls", [meiro.Maze, meiro.MazeBatch, meiro.GraphMaze, meiro.GraphBatch])
def test_methods_belong_to_the_class_itself(cls: type) -> None:
    for name, member in vars(cls).items():
        function = getattr(member, "fget", None) or getattr(member, "__func__", member)
        if inspect.isfunction(function) and function is not refuse_change:
            assert function.__qualname__ == f"{cls.__name__}.{name}"


def test_errors_name_the_class_that_users_know() -> None:
    with pytest.raises(TypeError, match=r"^OneMaze\.save\(\) missing 1 required positional argument: 'path'"):
        meiro.Maze([[2, 8]]).save()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^Maze\.to_text\(\) got an unexpected keyword argument 'stile'"):
        meiro.Maze([[2, 8]]).to_text(stile="ascii")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^Batch\.measure\(\) got an unexpected keyword argument 'of'"):
        meiro.generate_many((2, 2), n=2, rng=1).measure(of="diameter")  # type: ignore[call-arg]


def test_save_takes_what_the_function_takes(tmp_path: Path) -> None:
    maze = meiro.generate((2, 3), rng=1)
    maze.save(tmp_path / "maze.txt", style="ascii")
    assert (tmp_path / "maze.txt").read_text("utf-8").rstrip("\n") == maze.to_text("ascii")
    function, method = (list(inspect.signature(f).parameters) for f in (meiro.save, meiro.Maze.save))
    assert method[1:] == ["path", "solution", "options"]
    assert {*function[1:]} == {*method[1:], "road", "rows", "progress", "resume"}


def test_passages_in_a_file_that_is_only_read_are_not_copied(tmp_path: Path) -> None:
    maze = meiro.generate((30, 40), rng=7, openings="top_bottom")
    np.save(tmp_path / "passages.npy", maze.passages)
    shared = {}
    for mode in ("r", "r+", "c"):
        there = np.load(tmp_path / "passages.npy", mmap_mode=mode)
        same = meiro.Maze(there, openings=maze.openings)
        assert same == maze
        assert not same.passages.flags.writeable
        assert pickle.loads(pickle.dumps(same)) == maze  # noqa: S301
        shared[mode] = np.shares_memory(same.passages, there)
    assert shared == {"r": True, "r+": False, "c": False}
    np.save(tmp_path / "closed.npy", np.zeros((8, 9), np.uint8))
    closed = np.load(tmp_path / "closed.npy", mmap_mode="r")
    assert np.shares_memory(meiro.Maze(closed[2:5]).passages, closed)
    for part in (closed[:, 1:], closed.view(np.int8), closed.T):
        assert not np.shares_memory(meiro.Maze(part).passages, closed)
    np.save(tmp_path / "grid.npy", maze.grid)
    refused(ValueError, r"Maze\.from_grid", meiro.Maze, np.load(tmp_path / "grid.npy", mmap_mode="r"))
