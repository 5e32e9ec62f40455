"""Batches that the user makes: of a list of mazes, of passages, of two batches; and as an array."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import loose_maze
from periodic_mazes import WRAPS, periodic_maze
from refusals import refused
from timing import best, seconds

import meiro
from meiro import Maze, MazeBatch
from meiro._utils import memory

MANY = meiro.generate_many((3, 4), "kruskal", 6, rng=7)
ANYTHING: Any = MazeBatch


LISTS: dict[str, Callable[[], list[Maze]]] = {
    "of a batch": lambda: list(MANY),
    "loose": lambda: [loose_maze(4, 5, seed) for seed in range(6)],
    "masks": lambda: [loose_maze(4, 5, seed, holes=seed % 3 > 0) for seed in range(6)],
    "the last has a mask": lambda: [loose_maze(4, 5, seed, holes=seed == 5) for seed in range(6)],
    "one mask": lambda: list(meiro.generate_many(n=3, mask=[[1, 0, 1], [1, 1, 1]], rng=1)),
    "openings": lambda: [Maze([[2, 8]], openings=[(0, 1), (0, 3)][:k]) for k in (0, 2, 1)],
    "ends": lambda: [Maze([[2, 8]], start=(0, 1)), Maze([[2, 8]], goal=(0, 0)), Maze([[0, 0]])],
    "one": lambda: [Maze([[0]])],
    **{
        f"wrap {wrap}": lambda wrap=wrap: [periodic_maze((3, 4), wrap, i, i % 4) for i in range(6)]  # type: ignore[misc]
        for wrap in WRAPS
    },
}


@pytest.mark.parametrize("name", LISTS)
def test_a_batch_of_a_list_has_its_mazes(name: str) -> None:
    mazes = LISTS[name]()
    batch = MazeBatch(mazes)
    others = (MazeBatch(iter(mazes)), MazeBatch(batch), batch + batch[:0], batch[:1] + batch[1:])
    stored = (copy.copy(batch), pickle.loads(pickle.dumps(batch)))  # noqa: S301
    for same in (batch, *others, *stored):
        assert same == batch
        assert list(same) == mazes
        assert [(m.start, m.goal, m.seed) for m in same] == [(m.start, m.goal, m.seed) for m in mazes]
        assert [m.mask is None for m in same] == [m.mask is None for m in mazes]
    back = batch[::-1]
    assert list(back) == mazes[::-1]
    assert (back == batch) == (mazes[::-1] == mazes)
    assert list(batch[[0, -1, 0]]) == [mazes[0], mazes[-1], mazes[0]]
    assert not batch.passages.flags.writeable
    assert batch.shape == (batch.rows, batch.cols) == mazes[0].passages.shape


def test_a_list_of_generated_mazes_keeps_seeds_and_recipe() -> None:
    assert MazeBatch(MANY).recipe == MANY.recipe
    assert MazeBatch(list(MANY)[::2]).recipe is None  # not successive
    assert MazeBatch(list(MANY)[::2]).replicates.tolist() == [0, 2, 4]
    weights = meiro.generate_many((2, 2), "kruskal", 3, weights=[3.0, 1.0, 4.0, 1.0], rng=3)
    assert MazeBatch(list(weights)).recipe is not None
    mixed = MazeBatch([MANY[0], meiro.generate((3, 4), rng=7)])
    assert mixed.recipe is None
    keys = MazeBatch([MANY[0], meiro.generate((3, 4), "kruskal", rng=8)])
    assert (keys.seed(0), keys.recipe) == (None, None)
    assert mixed.seed(0) is None
    assert mixed.replicates.tolist() == [0, 1]
    assert repr(mixed) == "<MazeBatch of 2: 3 rows x 4 cols>"
    assert "3 rows x 4 cols" in mixed._repr_html_()


def test_what_a_list_must_hold() -> None:
    refused(
        ValueError, r"mazes is empty.*MazeBatch.from_passages takes an array \(0, rows, cols\)", ANYTHING, []
    )
    refused(TypeError, "mazes must be several mazes, not 7", ANYTHING, 7)
    refused(TypeError, "mazes must be several mazes, not <Maze", ANYTHING, MANY[0])
    refused(TypeError, "mazes must be several mazes, not 'maze'", ANYTHING, "maze")
    refused(TypeError, r"mazes\[1\] must be a Maze, not array", ANYTHING, [MANY[0], MANY[0].grid])
    refused(ValueError, r"mazes\[0\] is \(3, 4\) .*mazes\[1\] is \(1, 1\)", ANYTHING, [MANY[0], Maze([[0]])])
    with pytest.raises(ValueError, match=r"mazes\[1\] is \(3, 3\) with wrap=\(True, False\)"):
        ANYTHING([Maze(np.zeros((3, 3), int)), Maze(np.zeros((3, 3), int), wrap=(True, False))])


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.int8])
@pytest.mark.parametrize("name", LISTS)
def test_a_batch_of_passages(name: str, dtype: Any) -> None:
    batch = MazeBatch(LISTS[name]())
    passages = batch.passages.astype(dtype)
    made = MazeBatch.from_passages(passages, mask=batch.masks, wrap=batch.wrap)
    assert list(made) == [Maze(maze.passages, maze.mask, wrap=maze.wrap) for maze in batch]
    passages[...] = 0
    assert (made.passages == batch.passages).all()
    assert made.recipe is None
    assert made.seed(0) is None
    assert len(MazeBatch.from_passages(passages[:0])) == 0
    assert MazeBatch.from_passages(passages[:0]).shape == batch.shape


GOOD = [[2, 8], [0, 0]]
LEFT, RIGHT = [[1, 0], [1, 1]], [[1, 1], [1, 1]]  # masks


def test_passages_that_are_no_mazes() -> None:
    made = MazeBatch.from_passages
    refused(ValueError, r"of shape \(n, rows, cols\).*not \(2, 2\)", made, passages=GOOD)
    refused(ValueError, r"not \(3, 0, 2\)", made, passages=np.zeros((3, 0, 2), int))
    refused(ValueError, r"maze 1: passages\[0, 0\] = 2 opens E, but", made, passages=[GOOD, [[2, 0], [0, 0]]])
    with pytest.raises(ValueError, match=r"maze 1: passages\[1, 1\] = 16 is not a set of"):
        made(passages=[GOOD, [[0, 0], [0, 16]]])
    with pytest.raises(ValueError, match=r"maze 1: passages\[1, 1\] = -1 is not a set of"):
        made(passages=[GOOD, [[0, 0], [0, -1]]])
    with pytest.raises(ValueError, match=r"maze 1: passages\[1, 1\] = 256 is not a set of"):
        made(passages=[GOOD, [[0, 0], [0, 256]]])
    with pytest.raises(ValueError, match=r"maze 1: .* opens E, to a cell that"):
        made(passages=[GOOD, GOOD], mask=[RIGHT, LEFT])
    with pytest.raises(ValueError, match=r"maze 0: .* opens E, to a cell that"):
        made(passages=[GOOD, GOOD], mask=[LEFT, RIGHT])
    refused(TypeError, "passages must be integers", made, passages=[[[1.0]]])
    with pytest.raises(ValueError, match=r"maze 0: .* opens E, to a cell that is masked out"):
        made(passages=[GOOD], mask=[[1, 0], [1, 1]])
    refused(ValueError, "mask has shape", made, passages=[GOOD], mask=[[1, 1, 1]])
    with pytest.raises(ValueError, match=r"or one for each, \(1, 2, 2\), not \(1, 1, 2\)"):
        made(passages=[GOOD], mask=[[[1, 1]]])
    refused(ValueError, r"mask\[0\] is False everywhere", made, passages=[GOOD], mask=[[[0, 0], [0, 0]]])
    refused(ValueError, "periodic rows are at least 3", made, passages=[GOOD], wrap=(True, False))


def test_batches_add_up() -> None:
    both = MANY[:2] + MANY[2:]
    assert both == MANY
    assert both.recipe == MANY.recipe
    assert (MANY[3:] + MANY[:3]).recipe is None
    assert (MANY[3:] + MANY[:3]).replicates.tolist() == [3, 4, 5, 0, 1, 2]
    other = meiro.generate_many((3, 4), "kruskal", 2, rng=8)
    assert list(MANY + other) == [*MANY, *other]
    assert (MANY + other).seed(0) is None
    assert (MANY + other).description == "3 rows x 4 cols, kruskal"
    assert (MANY + meiro.generate_many((3, 4), n=2, rng=8)).description == "3 rows x 4 cols"
    last = meiro.generate_many((3, 4), "kruskal", 2, rng=meiro.replicate(7, (1 << 64) - 1))
    assert (last[:1] + last[1:]).replicates.tolist() == [(1 << 64) - 1, 0]
    assert (last[:1] + last[1:]).recipe == last.recipe
    filled, ended = meiro.fill_dead_ends(MANY), meiro.with_ends(MANY)
    opened, none = meiro.with_openings(MANY), meiro.with_openings(MANY, [(0, 1)])
    all_three = meiro.with_openings(meiro.with_ends(filled, "farthest"))
    parts = [filled, ended, MANY, opened, none, all_three]
    for one in parts:
        for two in parts:
            joined = one + two
            mazes = [*one, *two]
            assert list(joined) == mazes
            assert [(m.start, m.goal) for m in joined] == [(m.start, m.goal) for m in mazes]
    disc = meiro.generate_many(n=3, mask=[[0, 1, 1], [1, 1, 1], [1, 1, 0]], rng=1)
    for one, two in ((disc, meiro.fill_dead_ends(disc)), (meiro.fill_dead_ends(disc), disc)):
        assert list(one + two) == [*one, *two]


def test_batches_that_differ_in_openings_are_not_equal() -> None:
    sites = [[], [(0, 1)], [(0, 1), (0, 3)], [(0, 3)]]
    batches = [meiro.with_openings(MANY, some) for some in sites]
    for i, one in enumerate(batches):
        assert [one == other for other in batches] == [i == j for j in range(4)]
    padded = np.full((6, 2, 2), -1)
    padded[:, 1] = 0, 1
    assert meiro.with_openings(MANY, padded) == batches[1]


def test_what_does_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    masked = meiro.generate_many(n=2, mask=np.array([[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 0, 1]]), rng=1)
    moved = meiro.generate_many(n=2, mask=np.array([[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 0]]), rng=1)
    any_: Any = MANY
    for call, error, words in (
        (lambda: any_ + LISTS["one"](), TypeError, r"\+ takes a MazeBatch, not \[.*meiro.MazeBatch\(mazes\)"),
        (lambda: any_ + meiro.transpose(MANY), ValueError, r"one shape, not \(3, 4\) and \(4, 3\)"),
        (
            lambda: any_ + meiro.generate_many((3, 4), n=1, wrap=(True, False)),
            ValueError,
            r"one wrap, not \(False, False\) and \(True, False\)",
        ),
        (lambda: any_ + masked, ValueError, r"not no mask and a mask of 11 cells: meiro.MazeBatch\(\[\*one"),
        (lambda: masked + moved, ValueError, "not a mask of 11 cells and another of 11 cells"),
    ):
        refused(error, words, call)
    assert list(MazeBatch([*masked, *moved])) == [*masked, *moved]
    wide = meiro.generate_many((33, 32), n=1, rng=1)[[0] * 80_000]
    monkeypatch.setattr(memory, "available", lambda: 1 << 20)
    with pytest.raises(MemoryError, match="160,000 mazes in one array"):
        _ = wide + wide


def test_an_endless_iterator_of_mazes_ends_where_memory_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 1 << 27)
    with pytest.raises(MemoryError, match=r"\d mazes takes .* bytes, and .* are free; take fewer"):
        MazeBatch(itertools.repeat(meiro.generate((3, 3), rng=1)))


def test_a_batch_as_an_array_is_its_grids() -> None:
    for batch in (MANY, MANY[:0], meiro.fill_dead_ends(MANY)):
        assert (np.asarray(batch) == batch.grids).all()
        assert np.asarray(batch).dtype == np.uint8
        assert np.asarray(batch).shape == batch.grids.shape
        assert (np.array(batch, float) == batch.grids).all()
        assert np.array(batch, np.bool_).dtype == np.bool_
        refused(ValueError, "copy=False: the grids of a batch are built", np.asarray, batch, copy=False)


@pytest.mark.clock
def test_a_batch_as_an_array_takes_the_time_of_grids() -> None:
    batch = meiro.generate_many((16, 16), n=20_000, rng=1)
    grids = best(lambda: seconds(lambda: batch.grids), 0)
    assert best(lambda: seconds(lambda: np.asarray(batch)), 1.3 * grids) < 1.3 * grids
