"""Eller's algorithm: the article's examples, given walls, and rows without end."""

from __future__ import annotations

import copy
import itertools
import pickle
import signal
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.eller import passages, told
from refusals import refused
from timing import SILENCE, silence

import meiro
from meiro.generators.eller import EllerRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

pytestmark = pytest.mark.sanitize

Bits = list[list[int]]
RIGHT = [[0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 1]]
LOWER = [[0, 1, 1, 0], [0, 1, 1, 0], [1, 1, 0, 1], [0, 0, 0, 0]]


def bits(rows: int, cols: int) -> st.SearchStrategy[Bits]:
    row = st.lists(st.integers(0, 1), min_size=cols, max_size=cols)
    return st.lists(row, min_size=rows, max_size=rows)


walls = st.tuples(st.integers(1, 6), st.integers(1, 9)).flatmap(
    lambda shape: st.tuples(bits(shape[0], shape[1] - 1), bits(*shape))
)


@given(walls=walls)
def test_eller_makes_the_maze_of_the_given_bits(walls: tuple[Bits, Bits]) -> None:
    maze = meiro.eller(*walls)
    assert maze.passages.tolist() == passages(told(*walls)), str(maze)
    assert maze.is_perfect
    assert maze.seed is None


@given(walls=walls)
def test_eller_rows_are_those_of_eller(walls: tuple[Bits, Bits]) -> None:
    right, lower = walls
    rows = meiro.eller_rows(len(lower[0]))
    made = [rows.send_row(r, b) for r, b in zip(right[:-1], lower[:-1], strict=True)]
    made.append(rows.finish(right[-1]))
    assert np.array_equal(made, meiro.eller(right, lower).passages)


def test_w5_golden_filling() -> None:
    rows = told(RIGHT, LOWER)
    assert [r.before for r in rows] == [[1, 2, 3, 4], [1, 5, 6, 3], [1, 7, 8, 6], [9, 1, 8, 10]]
    assert [r.after for r in rows] == [[1, 1, 3, 3], [1, 1, 6, 6], [1, 1, 8, 8], [9, 9, 9, 9]]
    assert rows[2].lower == [1, 0, 0, 1]
    maze = meiro.eller(RIGHT, LOWER)
    open_ = maze.passages
    assert np.flatnonzero(open_ & 2).tolist() == [0, 2, 4, 6, 8, 10, 12, 13, 14]
    assert np.flatnonzero(open_ & 4).tolist() == [0, 3, 4, 7, 9, 10]
    assert len(maze.edges()) == 15
    assert open_.tolist() == passages(rows)


def test_w5_all_fillings_of_the_lost_bits() -> None:
    mazes = set()
    agree = 0
    for lost in itertools.product((0, 1), repeat=10):
        right = [RIGHT[0], [*lost[:3]], [*lost[3:6]], RIGHT[3]]
        lower = [LOWER[0], [*lost[6:]], LOWER[2], LOWER[3]]
        rows, maze = told(right, lower), meiro.eller(right, lower)
        assert maze.passages.tolist() == passages(rows)
        assert maze.is_perfect
        assert maze.passages[0].tolist() == [6, 8, 2, 12]
        assert rows[1].before == [1, 5, 6, 3]
        third = rows[2]
        if third.after[:2] == [1, 1] and third.after.count(1) == 2:  # the article's remark on row 3
            agree += 1
            mazes.add(maze)
            assert third.lower[:3] == [1, 0, 0]
    assert (agree, len(mazes)) == (174, 40)


def test_w6_the_joining_trap() -> None:
    right = [[1, 0, 0], [0, 0, 0], [1, 1, 1]]
    lower = [[1, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    rows, maze = told(right, lower), meiro.eller(right, lower)
    assert rows[0].after == [1, 2, 2, 2]
    assert rows[0].lower == [0, 0, 1, 0]
    assert rows[1].before == [1, 2, 5, 2]
    assert [int(not p & 2) for p in maze.passages[1, :3]] == [0, 0, 1]
    assert maze.is_perfect


def test_eller_sets_nested_deeply() -> None:
    """Arcs within arcs, 300 of them: cells r .. n-1-r of row r are one set, of which the ends go on."""
    n, rows = 601, 300
    r, c = np.ogrid[:rows, :n]
    right = ~((r <= c) & (c < n - 1 - r))[:, :-1]
    lower = (r < c) & (c < n - 1 - r)
    maze = meiro.eller(right, lower)
    assert ((maze.passages[:-1, :-1] & 2 == 0) == right[:-1]).all()
    assert ((maze.passages[:-1] & 4 == 0) == lower[:-1]).all()
    assert maze.is_perfect
    stream = meiro.eller_rows(n)
    for k in range(rows - 1):
        stream.send_row(right[k], lower[k])
    stream = pickle.loads(pickle.dumps(stream))  # noqa: S301
    assert (stream.finish(right[-1]) == maze.passages[-1]).all()


def test_eller_given_walls_replace_drawn_ones() -> None:
    """A row that is given uses up the coins of its number, so the rows after it are drawn as ever."""
    cols = 40
    maze = meiro.generate((4, cols), "eller", rng=7)
    right, lower = (maze.passages & 2 == 0)[:, :-1], maze.passages & 4 == 0
    stream = meiro.eller_rows(cols, rng=7)
    made = [next(stream), stream.send_row(right[1], lower[1]), next(stream), stream.finish()]
    assert np.array_equal(made, maze.passages)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])  # noqa: S301
@pytest.mark.parametrize("made", [0, 1, 5])
def test_eller_rows_copied_continue(again: Any, made: int) -> None:
    one = meiro.eller_rows(70, rng=[1, 2])
    for _ in range(made):
        next(one)
    two = again(one)
    assert type(two) is EllerRows
    assert (two.row, two.cols, two.seed, two.finished) == (made, 70, one.seed, False)
    for _ in range(4):
        assert (next(one) == next(two)).all()
    last = one.finish()
    assert (two.row, two.finished) == (made + 4, False)
    assert (two.finish() == last).all()
    assert again(two).finished


def test_eller_rows_finished_refuse_more() -> None:
    rows = meiro.eller_rows(3, rng=0)
    assert iter(rows) is rows
    assert repr(rows) == "<EllerRows 0 rows x 3 cols>"
    next(rows)
    assert repr(rows) == "<EllerRows 1 row x 3 cols>"
    rows.finish()
    assert list(rows) == []
    assert repr(rows) == "<EllerRows 2 rows x 3 cols, finished>"
    refused(ValueError, "finished: its last row was made as number 2", rows.finish)
    refused(ValueError, "finished: its last row was made as number 2", rows.send_row, [0, 0], [0, 0, 0])


def test_eller_rows_without_rng_differ() -> None:
    one, two = meiro.eller_rows(100), meiro.eller_rows(100)
    assert one.seed != two.seed
    assert (next(one) != next(two)).any()


@pytest.mark.parametrize(
    ("right", "lower"),
    [
        (np.zeros((2, 3)), np.zeros((2, 3))),
        (np.zeros((3, 2)), np.zeros((2, 3))),
        (np.zeros(2), np.zeros((1, 3))),
        (np.zeros((2, 2)), np.zeros(3)),
        (np.zeros((0, 2)), np.zeros((0, 3))),
        (np.zeros((1, 2)), np.zeros((3, 1))),
    ],
)
def test_eller_refuses_shapes_that_do_not_match(
    right: NDArray[np.float64], lower: NDArray[np.float64]
) -> None:
    with pytest.raises(ValueError, match="right must be") as e:
        meiro.eller(right.astype(bool), lower.astype(bool))
    assert f"right has shape {right.shape}, lower has shape {lower.shape}" in str(e.value)


def test_eller_refuses_bad_walls() -> None:
    refused(ValueError, "right holds 0 to 255", meiro.eller, [[0, 255]], [[0, 0, 0]])
    refused(TypeError, "lower holds float64: give booleans", meiro.eller, [[0, 1]], [[0, 0.5, 0]])
    refused(ValueError, "lower is not an array", meiro.eller, [[0, 1], [0, 1]], [[0, 0, 0], [0, 0]])
    rows = meiro.eller_rows(3)
    with pytest.raises(ValueError, match=r"right must have shape \(2,\), that is \(cols - 1,\), not \(3,\)"):
        rows.send_row([0, 0, 0], [0, 0, 0])
    with pytest.raises(ValueError, match=r"lower must have shape \(3,\), that is \(cols,\), not \(2, 3\)"):
        rows.send_row([0, 0], [[0, 0, 0]] * 2)
    refused(ValueError, r"right must have shape \(2,\)", rows.finish, [True])
    assert rows.row == 0


def test_eller_rows_refuse_bad_cols() -> None:
    for cols in (0, -3):
        refused(ValueError, f"cols must be at least 1, not {cols}", meiro.eller_rows, cols)
    for what in (2.0, "3", None, True):
        refused(TypeError, "cols must be an integer", meiro.eller_rows, what)
    refused(MemoryError, "a row of 140,737,488,355,328 cells takes", meiro.eller_rows, 1 << 47)


@pytest.mark.clock
def test_eller_is_never_silent_for_long() -> None:
    wide = 3_000_000
    lower = np.random.default_rng(0).random((2, wide)) < 0.5
    assert silence(lambda: meiro.eller(lower[:, 1:], lower)) < SILENCE

    def finish() -> None:
        rows = meiro.eller_rows(wide, rng=0)
        next(rows)
        rows.finish()

    assert silence(finish) < SILENCE


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a timer of POSIX")
@pytest.mark.parametrize(("cols", "times", "most_lost"), [(40, 60, 60), (10_000, 60, 20), (300_000, 20, 6)])
def test_eller_rows_interrupted_go_on_with_the_row_of_their_number(
    cols: int, times: int, most_lost: int
) -> None:
    """Wherever the signal comes: a row is lost only if it is made and on its way to the caller."""

    def ring(*_: object) -> None:
        raise TimeoutError

    whole = meiro.eller_rows(cols, rng=7)
    expected = list(itertools.islice(whole, 4))
    before = signal.signal(signal.SIGVTALRM, ring)
    lost = 0
    try:
        for _ in range(times):
            rows = meiro.eller_rows(cols, rng=7)
            made = 0
            with pytest.raises(TimeoutError):  # noqa: PT012  # the timer and what it interrupts
                signal.setitimer(signal.ITIMER_VIRTUAL, 0.001)
                while True:
                    next(rows)
                    made += 1
            lost += rows.row - made
            while len(expected) <= rows.row:
                expected.append(next(whole))
            for each in (copy.copy(rows), rows):  # a copy asks for the sets, which may have to be restored
                assert (next(each) == expected[each.row - 1]).all()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    assert lost <= most_lost
