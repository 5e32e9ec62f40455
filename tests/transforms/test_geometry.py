"""Mazes rotated, flipped, cropped and stitched, compared with NumPy on the drawn grid."""

from __future__ import annotations

import collections
import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import mazes, rim_of
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from periodic_mazes import WRAPS, periodic_maze, periodic_mazes
from refusals import refused
from timing import SILENCE, silence

import meiro
from meiro import Maze, _core

Change = tuple["Callable[[Maze], Maze]", "Callable[[NDArray[Any]], NDArray[Any]]"]


def rotated(k: int) -> Change:
    return lambda maze: meiro.rotate(maze, k), lambda array: np.rot90(array, k)


def flipped(axis: Any) -> Change:
    return lambda maze: meiro.flip(maze, axis), lambda array: np.flip(array, axis)


CHANGES: dict[str, Change] = {
    "transpose": (meiro.transpose, np.transpose),
    "flip": (meiro.flip, np.flip),
    **{f"rotate {k}": rotated(k) for k in range(-5, 6)},
    **{f"flip {axis}": flipped(axis) for axis in (0, 1, -1, -2, (0,), (0, 1), (-1, 0), ())},
}


@st.composite
def ended(draw: st.DrawFn) -> Maze:
    """Any maze, with ends or without."""
    maze = draw(mazes() | periodic_mazes())
    there = np.ones(maze.passages.shape, bool) if maze.mask is None else maze.mask
    cells = st.none() | st.sampled_from([(int(r), int(c)) for r, c in np.argwhere(there)])
    parts = maze.passages, maze.mask, maze.openings
    return Maze(*parts, start=draw(cells), goal=draw(cells), wrap=maze.wrap)


def marks(maze: Maze) -> NDArray[np.int64]:
    """Start and goal, as an array that NumPy can turn."""
    found = np.zeros(maze.passages.shape, np.int64)
    for mark, end in ((1, maze.start), (2, maze.goal)):
        if end is not None:
            found[end] += mark
    return found


def identical(one: Maze, other: Maze) -> bool:
    """Whether all of two mazes is the same, the order of the openings too."""
    ends = (one.start, one.goal) == (other.start, other.goal)
    return one == other and ends and one.openings.tolist() == other.openings.tolist()


@given(ended(), st.sampled_from(sorted(CHANGES)))
def test_rotate_and_flip_are_those_of_numpy(maze: Maze, name: str) -> None:
    change, judge = CHANGES[name]
    other = change(maze)
    assert (other.grid == judge(maze.grid)).all()
    assert (marks(other) == judge(marks(maze))).all()
    assert (other.mask is None) == (maze.mask is None)
    if maze.mask is not None and other.mask is not None:
        assert (other.mask == judge(maze.mask)).all()
    exchanged = judge(np.empty((2, 3))).shape == (3, 2)
    assert other.wrap == (maze.wrap[::-1] if exchanged else maze.wrap)
    again = Maze(other.passages, other.mask, other.openings, wrap=other.wrap)  # checks all
    assert again == other
    assert hash(again) == hash(other)
    assert other.is_perfect == maze.is_perfect
    assert other.seed is None
    assert other.recipe is None
    assert not other.passages.flags.writeable


@given(ended(), st.integers(-9, 9))
def test_rotate_and_flip_are_undone(maze: Maze, k: int) -> None:
    assert identical(meiro.rotate(meiro.rotate(maze, k), -k), maze)
    assert identical(meiro.rotate(maze, 4), maze)
    assert identical(meiro.transpose(meiro.transpose(maze)), maze)
    for axis in (0, 1, None):
        assert identical(meiro.flip(meiro.flip(maze, axis), axis), maze)
    assert identical(meiro.rotate(maze), meiro.flip(meiro.transpose(maze), 0))


SIDES = (1, 2, 7, 8, 9, 63, 64, 65, 130)


@pytest.mark.parametrize("how", list(itertools.product((False, True), repeat=3)), ids=str)
def test_rotate_and_flip_bytes_of_any_shape(how: tuple[bool, bool, bool]) -> None:
    """At the edges of words and tiles; each bit where it must be."""
    rng = np.random.default_rng(1)
    table = np.zeros(16, np.uint8)
    order = np.array([0, 1, 2, 3])  # N E S W
    for flipped, two in zip(how, ([2, 1, 0, 3], [0, 3, 2, 1]), strict=False):
        order = np.array(two)[order] if flipped else order
    order = 3 - order if how[2] else order
    for byte in range(16):
        table[byte] = sum(1 << int(order[d]) for d in range(4) if byte >> d & 1)
    for shape in (*itertools.product(SIDES, SIDES), (3, 5000), (5000, 3), (1, 5000)):
        cells = rng.integers(0, 16, shape, np.uint8)
        judged = cells[:: -1 if how[0] else 1, :: -1 if how[1] else 1]
        judged = judged.T if how[2] else judged
        layers = np.stack([cells, cells[::-1, ::-1]])
        for n in (1, 2):
            for passages, wanted in ((True, table[judged]), (False, judged)):
                made = _core.turned(layers[:n], how, passages, 2, None)
                assert (made[0] == wanted).all(), shape
        made = _core.turned(layers, how, False, 1, None)  # noqa: FBT003
        assert (made[1] == judged[::-1, ::-1]).all(), shape


def cut(maze: Maze, top: int, bottom: int, left: int, right: int) -> NDArray[np.uint8]:
    """The grid of a part: the sites of the whole, with a wall around where it was cut."""
    grid = maze.grid[2 * top : 2 * bottom + 1, 2 * left : 2 * right + 1].copy()
    whole = bottom - top == maze.rows, right - left == maze.cols
    for side, at_rim, axis in (
        (np.s_[0], top == 0, 0),
        (np.s_[-1], bottom == maze.rows, 0),
        (np.s_[:, 0], left == 0, 1),
        (np.s_[:, -1], right == maze.cols, 1),
    ):
        if not (whole[axis] if maze.wrap[axis] else at_rim):
            grid[side] = 1
    return grid


@given(ended(), st.data())
def test_crop(maze: Maze, data: st.DataObject) -> None:
    top, left = (data.draw(st.integers(0, side - 1)) for side in (maze.rows, maze.cols))
    bottom = data.draw(st.integers(top + 1, maze.rows))
    right = data.draw(st.integers(left + 1, maze.cols))
    window = np.s_[top - maze.rows : bottom, left:right]  # as NumPy: from the end as well
    if maze.mask is not None and not maze.mask[window].any():
        refused(ValueError, "holds no cell", meiro.crop, maze, window)
        return
    part = meiro.crop(maze, window)
    assert (part.grid == cut(maze, top, bottom, left, right)).all()
    assert part.wrap == (
        maze.wrap[0] and bottom - top == maze.rows,
        maze.wrap[1] and right - left == maze.cols,
    )
    assert (marks(part) == marks(maze)[window]).all()
    moved = [(row - 2 * top, col - 2 * left) for row, col in maze.openings.tolist()]
    assert part.openings.tolist() == [list(site) for site in moved if site in rim_of(part)]
    assert Maze(part.passages, part.mask, part.openings, wrap=part.wrap) == part
    assert part.recipe is None
    assert identical(meiro.crop(maze, np.s_[:, :]), maze)
    assert identical(meiro.crop(maze, slice(None)), maze)


def test_crop_refuses_bad_windows() -> None:
    for window, error, words in (
        (np.s_[3:3], ValueError, r"window slice\(3, 3, None\) holds no cell: rows are 0..5"),
        (np.s_[:, 9:12], ValueError, r"holds no cell: columns are 0..7"),
        (np.s_[::2], ValueError, "rows are cut in steps of 1, not 2"),
        (np.s_[:, ::-1], ValueError, "columns are cut in steps of 1, not -1; meiro.flip mirrors"),
        (3, TypeError, r"window must be slices of rows and columns, as np.s_\[2:5, 3:9\], not 3"),
        (np.s_[1:2, 3], TypeError, "window must be slices"),
        (np.s_[1:2, 3:4, 5:6], TypeError, "window must be slices"),
        (np.s_["a":"b"], TypeError, "window must be slices of rows and columns"),
    ):
        refused(error, words, meiro.crop, meiro.generate((6, 8), rng=1), window)


@st.composite
def parts(draw: st.DrawFn) -> list[list[Maze]]:
    """Rows of mazes that fit, perfect or not, masked or not, no openings."""
    heights = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    widths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    masked = draw(st.booleans())
    rows = []
    for height in heights:
        row = []
        for width in widths:
            seed = draw(st.integers(0, 99))
            mask = np.random.default_rng(seed).random((height, width)) < 0.8 if masked else None
            if mask is not None:
                mask[0, 0] = True
            row.append(meiro.generate((height, width), "kruskal", rng=seed, mask=mask))
        rows.append(row)
    return rows


def doors_of(whole: Maze, rows: list[list[Maze]]) -> list[tuple[int, int]]:
    """How many passages lead over each seam, and how many could."""
    found = []
    there = np.ones(whole.passages.shape, bool) if whole.mask is None else whole.mask
    tops = np.cumsum([0, *(row[0].rows for row in rows)])
    lefts = np.cumsum([0, *(maze.cols for maze in rows[0])])
    for top, bottom in itertools.pairwise(tops):
        for right in lefts[1:-1]:
            band = np.s_[top:bottom, right - 1]
            walls = (there[band] & there[top:bottom, right]).sum()
            found.append((int((whole.passages[band] & 2 > 0).sum()), int(walls)))
    for left, right in itertools.pairwise(lefts):
        for bottom in tops[1:-1]:
            band = np.s_[bottom - 1, left:right]
            walls = (there[band] & there[bottom, left:right]).sum()
            found.append((int((whole.passages[band] & 4 > 0).sum()), int(walls)))
    return found


@given(parts(), st.integers(0, 3), st.integers(0, 9))
def test_stitch(rows: list[list[Maze]], doors: int, seed: int) -> None:
    walls = [there for _, there in doors_of(meiro.stitch(rows, 0), rows)]
    if min(walls, default=doors) < doors:
        refused(ValueError, rf"doors={doors}, but only \d walls", meiro.stitch, rows, doors, rng=seed)
        return
    whole = meiro.stitch(rows, doors, rng=seed)
    assert Maze(whole.passages, whole.mask) == whole
    assert doors_of(whole, rows) == [(doors, there) for there in walls]
    top = 0
    for row in rows:
        left = 0
        for maze in row:
            window = np.s_[top : top + maze.rows, left : left + maze.cols]
            assert meiro.crop(whole, window) == maze
            left += maze.cols
        top += row[0].rows
    if doors == 1 and whole.mask is None:
        m, n = len(rows), len(rows[0])
        report = meiro.check(whole)
        assert report.loops == (m - 1) * (n - 1)
        assert report.regions == 1
        assert whole.is_perfect == (m == 1 or n == 1)
    assert identical(whole, meiro.stitch(rows, doors, rng=seed))


def test_stitch_of_a_row_and_of_a_batch() -> None:
    many = meiro.generate_many((4, 5), n=3, rng=1)
    whole = meiro.stitch(many, rng=2)
    assert (whole.rows, whole.cols) == (4, 15)
    assert whole == meiro.stitch([list(many)], rng=2) == meiro.stitch(tuple(many), rng=2)
    assert whole.is_perfect
    assert whole.recipe is not None
    assert meiro.generate(**whole.recipe) == whole
    assert whole.seed is None
    assert meiro.stitch([many[0]]) == many[0]


@pytest.mark.parametrize(("walls", "doors"), [(3, 1), (4, 2), (5, 5), (5, 0)])
def test_stitch_doors_are_uniform(walls: int, doors: int) -> None:
    maze = meiro.generate((walls, 1), rng=0)
    runs = 1500
    found = collections.Counter(
        tuple(np.flatnonzero(meiro.stitch([maze, maze], doors, rng=seed).passages[:, 0] & 2).tolist())
        for seed in range(runs)
    )
    choices = list(itertools.combinations(range(walls), doors))
    assert set(found) == set(choices)
    expected = runs / len(choices)
    chi2 = sum((found[choice] - expected) ** 2 / expected for choice in choices)
    assert chi2 < 5 * len(choices) + 10  # seeds are fixed: this never fails by chance


def test_stitch_seams_have_doors_of_their_own() -> None:
    line = meiro.generate((30, 1), rng=0)
    whole = meiro.stitch([line] * 20, rng=1)
    rows = [int(np.flatnonzero(whole.passages[:, c] & 2)[0]) for c in range(19)]
    assert len(set(rows)) > 8


def test_stitch_keeps_openings_and_ends() -> None:
    maze = Maze(meiro.generate((3, 4), rng=1).passages, openings=[(0, 1), (6, 7), (1, 0), (3, 8)])
    maze = meiro.with_ends(maze, ((1, 1), (2, 3)))
    whole = meiro.stitch([[maze, maze], [maze, maze]], rng=1)
    sites = [(0, 1), (1, 0), (0, 9), (3, 16), (12, 7), (7, 0), (12, 15), (9, 16)]
    assert [tuple(s) for s in whole.openings.tolist()] == sites
    assert (whole.start, whole.goal) == ((1, 1), (5, 7))
    bare = meiro.generate((3, 4), rng=1)
    assert meiro.stitch([maze, bare], rng=1).goal is None
    assert meiro.stitch([bare, maze], rng=1).start is None


@pytest.mark.parametrize("wrap", WRAPS)
def test_stitch_of_periodic_mazes(wrap: tuple[bool, bool]) -> None:
    maze = periodic_maze((4, 5), wrap, 1, 2)
    side, above = meiro.stitch([maze, maze], 2, rng=1), meiro.stitch([[maze], [maze]], 2, rng=1)
    assert side.wrap == (wrap[0], False)
    assert above.wrap == (False, wrap[1])
    for whole in (side, above):
        assert Maze(whole.passages, whole.mask, wrap=whole.wrap) == whole
    assert meiro.crop(side, np.s_[:, :5]) == Maze(
        maze.passages & np.where(np.arange(5) == 0, 7, np.where(np.arange(5) == 4, 13, 15)).astype(np.uint8)
        if wrap[1] else maze.passages, wrap=side.wrap
    )  # fmt: skip
    flat = meiro.generate((4, 5), rng=1)
    assert meiro.stitch([maze, flat], rng=1).wrap == (False, False)
    assert meiro.stitch([maze]) == maze


any_: Any = meiro  # what is wrong on purpose
A, B = meiro.generate((2, 3), rng=1), meiro.generate((3, 3), rng=1)


def test_geometry_refuses_bad_arguments() -> None:
    refused(TypeError, "k must be an integer, not 1.5", any_.rotate, A, 1.5)
    refused(ValueError, "k=90 is a number of quarter turns: give degrees=90", any_.rotate, A, 90)
    refused(ValueError, "give degrees=-180", any_.rotate, A, k=-180)
    refused(TypeError, "k must be an integer, not True", any_.rotate, A, k=True)
    refused(ValueError, r"degrees=60\): squares turn by quarters", any_.rotate, A, degrees=60)
    refused(ValueError, "grid", any_.rotate, A.grid[1:])
    refused(ValueError, "grid", any_.transpose, [[1]])
    refused(TypeError, "maze must be a maze or many .*, not str", any_.crop, "x", np.s_[:])
    refused(ValueError, r"axis must be 0 \(rows\), 1 \(columns\), or both, not 2", any_.flip, A, 2)
    refused(ValueError, r"axis must be .*, not \(0, -2\)", any_.flip, A, (0, -2))
    refused(TypeError, "axis must be an integer, not '0'", any_.flip, A, "0")
    refused(ValueError, r"mazes\[0\]\[1\] has shape \(3, 3\); .* need \(2, 3\)", any_.stitch, [A, B])
    refused(ValueError, "row 1 has 1 mazes, row 0 has 2", any_.stitch, [[A, A], [A]])
    refused(ValueError, r"mazes\[1\]\[0\] has shape \(3, 2\)", any_.stitch, [[B], [meiro.transpose(A)]])
    refused(ValueError, "n_doors must be at least 0, not -1", any_.stitch, [A, A], -1)
    refused(TypeError, "n_doors must be an integer, not 1.0", any_.stitch, [A, A], 1.0)
    refused(ValueError, r"only 2 walls .* of mazes \(0, 0\) and \(0, 1\)", any_.stitch, [A, A], 3)
    refused(ValueError, r"n_doors=4, but .* of mazes \(0, 0\) and \(1, 0\)", any_.stitch, [[A], [A]], 4)
    refused(TypeError, r"mazes must be a list of mazes, .* not \[\]", any_.stitch, [])
    refused(TypeError, "mazes must be a list of mazes", any_.stitch, [[A], []])
    refused(TypeError, "mazes must be a list of mazes", any_.stitch, A)
    refused(TypeError, r"mazes\[0\]\[1\] must be a Maze, not int", any_.stitch, [[A, 7]])
    refused(ValueError, "grid", any_.stitch, [A, A.grid[1:]])
    refused(TypeError, "mazes must be a list of mazes", any_.stitch, [A, [A]])


@pytest.mark.clock
@pytest.mark.parametrize("shape", [(2000, 2000), (2_000_000, 3), (1, 5_000_000)])
def test_geometry_is_never_silent_for_long(shape: tuple[int, int]) -> None:
    maze = meiro.generate(shape, "pole_toppling" if min(shape) > 1 else "binary_tree", rng=1)
    calls: tuple[Callable[[Maze], Maze], ...] = (
        meiro.rotate,
        meiro.flip,
        lambda maze: meiro.crop(maze, np.s_[:, :]),
        lambda maze: meiro.with_ends(maze, "farthest"),
    )
    for call in calls:
        assert silence(functools.partial(call, maze)) < SILENCE
