"""Openings: how they are said, where they may lie, and who keeps them."""

from __future__ import annotations

import pickle
from functools import partial
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from arbitrary_mazes import mazes, outer_rim_of, rim_of
from hypothesis import given, settings
from hypothesis import strategies as st
from periodic_mazes import periodic_mazes
from refusals import refused

import meiro
from meiro import Maze, MazeBatch
from meiro._utils.options import OpeningsWord
from meiro.drawing.raster import wall_segments
from meiro.mazes._openings import outer_rim
from meiro.traces.frame_deltas import frame_colors

HEART = (
    np.array([[*row] for row in ("0110110", "1111111", "1111111", "0111110", "0011100", "0001000")]) == "1"
)
RING = np.pad(np.zeros((2, 2), bool), 2, constant_values=True)
WORDS = get_args(OpeningsWord)
FEW = settings(max_examples=25)


def heart(openings: Any = "top_bottom", rng: int = 3) -> Maze:
    return meiro.generate(None, "backtracker", rng=rng, mask=HEART, openings=openings)


@st.composite
def opened_mazes(draw: st.DrawFn) -> Maze:
    """Any maze with openings anywhere on its rim, in any order."""
    maze = draw(mazes())
    sites = draw(st.lists(st.sampled_from(rim_of(maze)), unique=True, max_size=4))
    return meiro.with_openings(maze, sites)


# How openings are said


@pytest.mark.parametrize(
    "sides", [("north", "south"), ("N", "S"), ("up", "down"), ("Up", "s"), ("top", "Bottom")]
)
def test_openings_are_said_in_cells_with_a_side(sides: tuple[str, str]) -> None:
    maze = meiro.generate((10, 8), rng=1)
    said = [((0, 5), sides[0]), ((-1, 0), sides[1])]
    opened = meiro.with_openings(maze, said)
    assert opened.openings.tolist() == [[0, 11], [20, 1]]
    assert opened == meiro.generate((10, 8), rng=1, openings=said) == Maze(maze.passages, openings=said)
    assert meiro.with_openings(maze, [((3, 0), "west"), ((3, 7), "right")]).openings.tolist() == [
        [7, 0],
        [7, 16],
    ]


@FEW
@given(opened_mazes())
def test_a_maze_with_its_own_openings_is_itself(maze: Maze) -> None:
    again = meiro.with_openings(maze, maze.openings)
    assert again == maze
    assert (again.openings == maze.openings).all()
    assert meiro.with_openings(maze, []).openings.shape == (0, 2)


@FEW
@given(opened_mazes(), st.randoms(use_true_random=False))
def test_openings_keep_their_order_and_equality_ignores_it(maze: Maze, random: Any) -> None:
    order = random.sample(range(len(maze.openings)), len(maze.openings))
    other = meiro.with_openings(maze, maze.openings[order])
    assert (other.openings == maze.openings[order]).all()
    assert other == maze
    assert hash(other) == hash(maze)
    assert MazeBatch([maze, maze]) == MazeBatch([other, other])
    assert len(MazeBatch([maze, other]).unique()) == 1
    assert (pickle.loads(pickle.dumps(other)).openings == other.openings).all()  # noqa: S301
    if len(maze.openings):
        assert meiro.with_openings(maze, maze.openings[1:]) != maze
        assert hash(meiro.with_openings(maze, maze.openings[1:])) != hash(maze)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("algorithm", ["wilson", "backtracker"])
def test_words_of_generate_are_those_of_with_openings(word: str, algorithm: str) -> None:
    maze = meiro.generate((5, 7), algorithm, rng=7)
    opened = meiro.generate((5, 7), algorithm, rng=7, openings=word)
    assert (opened.passages == maze.passages).all()
    assert (opened.openings == meiro.with_openings(maze, word, rng=7).openings).all()
    assert opened.openings.shape == (2, 2)
    assert (meiro.generate(**opened.recipe or {}).openings == opened.openings).all()
    assert opened.seed == maze.seed
    traced = meiro.trace((5, 7), algorithm, rng=7, openings=word)
    assert traced.result == opened
    assert isinstance(traced.result, Maze)
    assert traced.result.recipe == opened.recipe
    assert (traced[0].grid[tuple(opened.openings.T)] == 0).all()
    assert (traced[-1].grid == opened.grid).all()
    assert (frame_colors(traced, 0)[tuple(opened.openings.T)] == 0).all()
    assert pickle.loads(pickle.dumps(traced)).result == opened  # noqa: S301


@pytest.mark.parametrize(
    ("shape", "word", "sites"),
    [
        ((3, 5), "corners", [[0, 1], [6, 9]]),
        ((3, 5), "top_bottom", [[0, 5], [6, 5]]),
        ((3, 4), "top_bottom", [[0, 3], [6, 3]]),
        ((3, 5), "left_right", [[3, 0], [3, 10]]),
        ((1, 1), "left_right", [[1, 0], [1, 2]]),
    ],
)
def test_words_of_a_whole_maze(shape: tuple[int, int], word: str, sites: list[list[int]]) -> None:
    assert meiro.generate(shape, rng=1, openings=word).openings.tolist() == sites


@pytest.mark.parametrize(
    ("word", "sites"),
    [("corners", [[0, 3], [12, 7]]), ("top_bottom", [[2, 7], [12, 7]]), ("left_right", [[5, 0], [5, 14]])],
)
def test_words_of_a_heart(word: str, sites: list[list[int]]) -> None:
    assert heart(word).openings.tolist() == sites


@FEW
@given(maze=mazes() | periodic_mazes())
def test_words_choose_on_the_outer_rim(maze: Maze) -> None:
    found = outer_rim((maze.rows, maze.cols), maze.mask, maze.wrap)
    assert list(map(tuple, found.tolist())) == outer_rim_of(maze)


def test_a_part_reached_over_a_periodic_border_lies_around_the_maze() -> None:
    mask = np.ones((5, 6), bool)
    mask[:2, 5] = mask[1, :2] = False  # from the border to the last column, over the seam, to a pocket
    rim = [tuple(site) for site in outer_rim((5, 6), mask, (False, True)).tolist()]
    assert {(3, 4), (2, 3), (4, 1), (4, 11)} <= set(rim)
    assert rim == outer_rim_of(Maze(np.zeros((5, 6), np.uint8), mask, wrap=(False, True)))


def test_words_do_not_open_holes_and_sites_may() -> None:
    ring = meiro.generate(None, "backtracker", rng=1, mask=RING)
    for seed in range(40):
        sites = meiro.with_openings(ring, "random", rng=seed).openings
        assert ((sites == 0) | (sites == 12)).any(axis=1).all()
    opened = meiro.with_openings(ring, [((1, 2), "south"), ((0, 0), "north")])
    assert opened.openings.tolist() == [[4, 5], [0, 1]]
    assert opened.endpoints == ((1, 2), (0, 0))


@pytest.mark.parametrize("word", WORDS)
def test_a_batch_opens_as_its_mazes_do(word: str) -> None:
    many = meiro.generate_many((4, 5), "backtracker", 6, rng=7, openings=word)
    alone = [
        meiro.generate((4, 5), "backtracker", rng=meiro.replicate(7, i), openings=word) for i in range(6)
    ]
    assert many == MazeBatch(alone)
    assert [maze.openings.tolist() for maze in many] == [maze.openings.tolist() for maze in alone]
    assert (many.grids == np.stack([maze.grid for maze in alone])).all()
    assert meiro.generate_many(**many.recipe or {}) == many
    assert meiro.generate_many(**many[2:4].recipe or {}) == many[2:4]
    assert [maze.recipe for maze in many] == [maze.recipe for maze in alone]
    trimmed = meiro.fill_dead_ends(meiro.generate_many((4, 5), "backtracker", 6, rng=7))  # each has a mask
    own = meiro.with_openings(trimmed, word, rng=5)
    for i, maze in enumerate(trimmed):
        expected = meiro.with_openings(maze, word, rng=meiro.replicate(5, i))
        assert own[i].openings.tolist() == expected.openings.tolist()


def test_by_measure_measures_between_openings() -> None:
    options: Any = {"n": 3, "candidates": 40, "rng": 7, "openings": "random"}
    best = meiro.datasets.by_measure((6, 6), "wilson", "solution_length", 30, **options)
    assert best.openings is not None
    assert [meiro.solve(maze).length for maze in best] == meiro.measure(best)["solution_length"].tolist()
    assert best[0] == meiro.generate((6, 6), rng=best.seed(0), openings="random")


# Bad input


@pytest.mark.parametrize(
    ("openings", "error", "words"),
    [
        (
            [(1, 2)],
            ValueError,
            r"\(1, 2\) is inside the maze, between cells \(0, 0\) and \(0, 1\): an opening is",
        ),
        ([((0, 0), "east")], ValueError, r"\(1, 2\) is inside the maze"),
        (
            [(5, 6), (0, 1)],
            ValueError,
            r"\(5, 6\) is beside no cell but masked-out ones: an opening is on the rim",
        ),
        ([(0, 1), (6, 3), (0, 1)], ValueError, r"\(0, 1\) is given twice: give each once"),
        ([((0, 0), "north"), (0, 1)], ValueError, r"\(0, 1\) is given twice"),
        (
            [(1, 1)],
            ValueError,
            r'\(1, 1\) is not the site of a wall .* its row is 0 to 6, .* \(\(0, 0\), "north"\)',
        ),
        ([(-1, 1)], ValueError, r"\(-1, 1\) is not the site of a wall"),
        ([((2, 2), "north")], ValueError, r"openings\[0\] \(2, 2\) is masked out"),
        ([((3, 2), "north")], ValueError, r"openings\[0\] \(3, 2\) is outside: rows 0\.\.2"),
        ([((0, 0), "above")], ValueError, """openings.0.: the side of a cell is "north", .* not 'above'"""),
        (((0, 0), "north"), TypeError, r"give \[\(\(0, 0\), 'north'\)\] for one"),
        ((0, 1), ValueError, r"openings must have shape \(k, 2\), one site each, not \(2,\)"),
        (
            "middle",
            ValueError,
            '"top_bottom", "left_right", "random", "farthest" or sites, .* not \'middle\'',
        ),
    ],
)
@pytest.mark.parametrize("many", [False, True])
def test_bad_openings_are_refused(openings: Any, error: type[Exception], words: str, many: bool) -> None:  # noqa: FBT001
    mask = np.ones((3, 4), bool)
    mask[2, 2:] = False
    maze: Any = meiro.generate(None, "backtracker", rng=1, mask=mask)
    several = words.replace("each, not", "each, or .*, not")
    with pytest.raises(error, match=several if many else words):
        meiro.with_openings(MazeBatch([maze, maze]) if many else maze, openings)
    refused(error, several, meiro.generate_many, None, "backtracker", 2, rng=1, mask=mask, openings=openings)
    if not many and openings != "middle":
        refused(error, words, Maze, maze.passages, maze.mask, openings)


@pytest.mark.parametrize("word", ["top_bottom", (0, 1)])
def test_openings_in_a_periodic_border_are_refused(word: Any) -> None:
    words = "needs two sides that are not periodic" if word == "top_bottom" else "a border that is periodic"
    for many in (False, True):
        given_openings = word if isinstance(word, str) else [word]
        arguments: Any = {"wrap": (True, False), "openings": given_openings, "rng": 1}
        call = partial(meiro.generate_many, n=2) if many else meiro.generate
        refused(ValueError, words, call, (4, 5), **arguments)


def test_a_grid_needs_its_mask_for_openings_beside_masked_out_cells() -> None:
    maze = heart()
    with pytest.raises(ValueError, match=r"leads to a cell that is wall: .* for an opening .* give mask="):
        Maze.from_grid(maze.grid)
    assert Maze.from_grid(maze.grid, mask=HEART) == maze
    wrong = HEART.copy()
    wrong[0, 0] = True
    with pytest.raises(ValueError, match=r"grid\[1, 1\] is wall, and by the mask its cell \(0, 0\) exists"):
        Maze.from_grid(maze.grid, mask=wrong)
    wrong[:2] = False
    with pytest.raises(ValueError, match=r"is road, and by the mask its cell \(0, 1\) does not exist"):
        Maze.from_grid(maze.grid, mask=wrong)


# Everything that shows, stores and changes mazes


@FEW
@given(opened_mazes(), st.integers(1, 3), st.integers(1, 2))
def test_grids_go_both_ways(maze: Maze, corridor: int, wall: int) -> None:
    grid = maze.to_grid(corridor=corridor, wall=wall)
    again = Maze.from_grid(grid, corridor=corridor, wall=wall, mask=maze.mask)
    assert again == maze
    rows = maze.openings.tolist()
    assert again.openings.tolist() == sorted(rows)


@pytest.mark.parametrize("style", ["unicode", "ascii", "block", "posts"])
@FEW
@given(maze=opened_mazes())
def test_text_goes_both_ways(maze: Maze, style: Any) -> None:
    again = Maze.from_text(maze.to_text(style))
    assert again == maze
    assert again.openings.tolist() == sorted(maze.openings.tolist())


@pytest.mark.parametrize("suffix", [".npz", ".txt"])
def test_files_keep_openings_and_their_order(suffix: str, tmp_path: Path) -> None:
    maze = meiro.with_openings(heart(), heart().openings[::-1])
    maze.save(tmp_path / f"heart{suffix}")
    again = meiro.read(tmp_path / f"heart{suffix}")
    assert again == maze
    assert isinstance(again, Maze)
    if suffix == ".npz":
        assert again.openings.tolist() == maze.openings.tolist()
        assert again.recipe == maze.recipe | {"mask": again.recipe["mask"]}  # type: ignore[index, operator]


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_a_picture_of_any_scale_is_read_in_sites(scale: int, tmp_path: Path) -> None:
    heart().save(tmp_path / "heart.png", scale=scale)
    np.testing.assert_array_equal(meiro.read(tmp_path / "heart.png"), heart().grid)


@pytest.mark.parametrize("suffix", [".npz", ".zarr"])
def test_files_of_batches_keep_openings_and_their_order(suffix: str, tmp_path: Path) -> None:
    batch = MazeBatch([heart(), meiro.with_openings(heart(), heart().openings[::-1]), heart([])])
    batch.save(tmp_path / f"hearts{suffix}")
    again = MazeBatch.open(tmp_path / f"hearts{suffix}")
    assert again == batch
    assert [maze.openings.tolist() for maze in again] == [maze.openings.tolist() for maze in batch]


@pytest.mark.parametrize("suffix", [".csv", ".npy", ".png"])
def test_files_of_grids_show_the_openings(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    maze = heart()
    drawn: Any = {"outside": "wall"} if suffix == ".png" else {}
    maze.save(tmp_path / f"heart{suffix}", **drawn)
    grid = meiro.read(tmp_path / f"heart{suffix}")
    assert isinstance(grid, np.ndarray)
    assert Maze.from_grid(grid, mask=HEART) == maze


@FEW
@given(opened_mazes(), opened_mazes())
def test_stitch_keeps_the_openings_that_are_still_on_the_rim(one: Maze, other: Maze) -> None:
    if one.rows != other.rows:
        other = one
    joined = meiro.stitch([one, other], n_doors=0)
    rim = set(rim_of(joined))
    moved = [*one.openings.tolist(), *([row, col + 2 * one.cols] for row, col in other.openings.tolist())]
    assert joined.openings.tolist() == [site for site in moved if tuple(site) in rim]
    assert Maze(joined.passages, joined.mask, joined.openings) == joined


def test_check_and_wall_segments_see_the_openings() -> None:
    maze, closed = heart(), heart([])
    assert meiro.check(maze).openings.tolist() == maze.openings.tolist()
    lines = [wall_segments(m) for m in (maze, closed)]
    covered = [np.abs(ends[:, 0] - ends[:, 1]).sum() for ends in lines]
    assert covered[1] - covered[0] == 2
    assert len(maze.to_svg()) != len(closed.to_svg())
