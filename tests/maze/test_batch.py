"""Batches as values: recipes, equality, indexing, and refused arguments."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from refusals import refused

import meiro
from meiro._utils import memory

MANY = meiro.generate_many((3, 4), "kruskal", 10, rng=7)
DIAGONAL = np.eye(4, dtype=bool) | np.eye(4, k=1, dtype=bool)
KINDS: list[dict[str, Any]] = [
    {"shape": (3, 4), "algorithm": "wilson", "rng": 1},
    {"mask": DIAGONAL, "rng": meiro.replicate(2, 5)},
    {"grid_shape": (5, 7), "algorithm": "backtracker", "start": (1, 1), "after_dead_end": "random"},
    {"shape": (2, 2), "algorithm": "kruskal", "weights": [3.0, 1.0, 4.0, 1.0]},
    {"shape": (2, 3), "algorithm": "pole_toppling", "falls": [[2, 4]]},
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.get("algorithm", "masked"))
def test_batch_recipe_makes_the_batch_again(kind: dict[str, Any]) -> None:
    many = meiro.generate_many(n=6, **kind)
    for part in (many, many[2:5], many[1:][1:], many[:0], many[9:], many[4:0:-9], many[::2][1:2]):
        recipe = part.recipe
        assert recipe is not None
        assert list(recipe)[:3] == ["shape", "algorithm", "n"]
        assert recipe["n"] == len(part)
        assert meiro.generate_many(**recipe) == part


def test_batch_of_every_second_maze_has_no_recipe() -> None:
    assert np.shares_memory(MANY[2:5].passages, MANY.passages)
    assert MANY[::2].recipe is None
    assert MANY[::-1].recipe is None
    again = MANY[::-1][::-1]
    assert again == MANY
    assert again.recipe == MANY.recipe


def test_batch_recipe_is_a_copy() -> None:
    recipe = MANY.recipe
    assert recipe is not None
    recipe["shape"] = (1, 1)
    assert MANY.recipe == {"n": 10, "shape": (3, 4), "algorithm": "kruskal", "rng": 7}


def test_batch_equality() -> None:
    assert meiro.generate_many((3, 4), "kruskal", 10, rng=7) == MANY
    assert MANY[2:5] == meiro.generate_many((3, 4), "kruskal", 3, rng=meiro.replicate(7, 2))
    for same in (copy.copy(MANY), copy.deepcopy(MANY), pickle.loads(pickle.dumps(MANY))):  # noqa: S301
        assert same == MANY
        assert same.recipe == MANY.recipe
    for other in (MANY[:9], MANY[::-1], meiro.generate_many((3, 4), n=10, rng=7), list(MANY), None):
        assert other != MANY


def test_batch_equality_compares_masks() -> None:
    one = meiro.generate_many(n=2, mask=[[1, 0, 1]], rng=1)
    other = meiro.generate_many(n=2, mask=[[1, 0, 0]], rng=1)
    none = meiro.generate_many(n=2, mask=[[1, 1, 1]], rng=1)
    assert (one.passages == other.passages).all()
    assert one != other
    assert one != none
    assert none != one
    assert one == meiro.generate_many(n=2, mask=[[1, 0, 1]], rng=2)


def test_a_batch_is_frozen() -> None:
    for name in (*("passages", "mask", "seed", "rows", "recipe"), "of_my_own"):
        refused(AttributeError, f"a MazeBatch does not change.*{name!r}", setattr, MANY, name, None)
        refused(AttributeError, "does not change", delattr, MANY, name)
    refused(TypeError, "unhashable", hash, MANY)  # out= can still be written to


NO_INDEX = [1.0, [1.0], (0, 1), None, "1", [[1]], ["1"], np.array([[1, 2]]), {1}, [1 << 70]]


@pytest.mark.parametrize("index", NO_INDEX, ids=repr)
def test_batch_refuses_bad_indices(index: Any) -> None:
    with pytest.raises(
        TypeError, match="a batch takes an integer, a slice, several integers or a mask, not "
    ):
        MANY[index]


def test_batch_takes_numpy_integers_as_indices() -> None:
    assert MANY[np.int64(3)] == MANY[np.uint8(3)] == MANY[3]


NUMBERS = [[3, 1, 1, -1], np.array([0, 9], np.uint8), np.array([-10, 5]), [], range(0, 9, 4)]
MASKS = [MANY.replicates % 3 == 1, np.zeros(10, bool), [True] * 10]


@pytest.mark.parametrize("picked", [*NUMBERS, *MASKS], ids=repr)
def test_batch_of_picked_mazes_keeps_replicates(picked: Any) -> None:
    for many in (MANY, MANY[::-1], MANY[[5, 5, 0, 1, 2, 3, 4, 6, 7, 8]]):
        wanted = np.arange(10)[np.asarray(picked, None if len(picked) else int)].tolist()
        part = many[picked]
        assert list(part) == [many[i] for i in wanted]
        assert [part.seed(i) for i in range(len(part))] == [many.seed(i) for i in wanted]
        assert part.replicates.tolist() == many.replicates[wanted].tolist()
        assert not np.shares_memory(part.passages, many.passages)
        assert pickle.loads(pickle.dumps(part))[::-1].replicates.tolist() == part.replicates[::-1].tolist()  # noqa: S301


def test_batch_seeds_round_trip() -> None:
    last = meiro.replicate(7, (1 << 64) - 2)
    many = meiro.generate_many((3, 4), "kruskal", 4, rng=last)
    assert many.replicates.tolist() == [(1 << 64) - 2, (1 << 64) - 1, 0, 1]
    assert many[::-2].replicates.tolist() == [1, (1 << 64) - 1]
    for part in (many, many[::-1], many[[3, 0]]):
        for i, maze in enumerate(part):
            assert part.seed(i) == maze.seed
            assert meiro.generate((3, 4), "kruskal", rng=part.seed(i)) == maze
    assert many[[1, 2]].recipe == many[1:3].recipe
    assert meiro.generate_many(**many[[1, 2]].recipe) == many[1:3]  # type: ignore[arg-type]
    assert many[[2, 1]].recipe is None


def test_batch_refuses_bad_picks() -> None:
    for wrong in ([3, 10], np.array([-11]), np.array([1 << 63], np.uint64)):
        with pytest.raises(IndexError, match="there is no maze"):
            MANY[wrong]
    with pytest.raises(IndexError, match="a mask of a batch of 10 must have as many values, not 9"):
        MANY[np.ones(9, bool)]
    refused(IndexError, "there is no maze 10", MANY.seed, 10)
    with pytest.raises(IndexError, match="no maze 10 in a batch of 10"):
        MANY[10]


@pytest.mark.parametrize("kind", [*KINDS, {"shape": (3, 5), "wrap": (True, True)}, {"shape": (1, 1)}])
def test_batch_grids(kind: dict[str, Any]) -> None:
    many = meiro.generate_many(n=5, **kind)
    for part in (many, many[::-2], many[:0]):
        grids = part.grids
        assert grids.dtype == np.uint8
        assert grids.shape == (len(part), 2 * part.rows + 1, 2 * part.cols + 1)
        for grid, maze in zip(grids, part, strict=True):
            assert (grid == maze.grid).all()


def test_batch_grids_of_different_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    many = meiro.generate_many((9, 9), "rooms", 8, dead_ends="remove", rng=3)
    assert all((grid == maze.grid).all() for grid, maze in zip(many.grids, many, strict=True))
    wide = meiro.generate_many((33, 32), n=1, rng=1)[[0] * 40_000]
    monkeypatch.setattr(memory, "available", lambda: 1 << 20)
    with pytest.raises(MemoryError, match=r"the grids of <MazeBatch of 40000: .* takes 174,200,000 bytes"):
        _ = wide.grids


def test_batch_unique_keeps_the_first_of_equal_mazes() -> None:
    many = meiro.generate_many((2, 3), n=400, rng=3)
    for part in (many, many[::-1], many[:0]):
        seen = list(dict.fromkeys(part))
        batch, counts = part.unique(return_counts=True)
        assert list(batch) == list(part.unique()) == seen
        assert counts.tolist() == [part.count(maze) for maze in seen]
        assert batch.replicates.tolist() == [part.replicates[part.index(maze)] for maze in seen]


def test_batch_filter() -> None:
    lengths = MANY.solve().lengths
    kept = MANY.filter(lengths > 5)
    assert kept == MANY.filter((lengths > 5).tolist()) == MANY[lengths > 5]
    assert kept == MANY.filter(lambda maze: meiro.solve(maze).length > 5)
    assert 0 < len(kept) < 10
    assert len(MANY[:0].filter([])) == 0
    refused(TypeError, "condition must be bool or callable", MANY.filter, lengths)
    refused(ValueError, r"condition must have shape \(10,\).*not \(1,\)", MANY.filter, [True])
    refused(ValueError, r"condition must have shape \(10,\).*not \(\)", MANY.filter, True)  # noqa: FBT003
