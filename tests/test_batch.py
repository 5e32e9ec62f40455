"""Batches as values: what makes them again, what they are equal to, and what they refuse."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import meiro

MANY = meiro.generate_many(10, (3, 4), "kruskal", rng=7)
DIAGONAL = np.eye(4, dtype=bool) | np.eye(4, k=1, dtype=bool)
KINDS: list[dict[str, Any]] = [
    {"shape": (3, 4), "algorithm": "wilson", "rng": 1},
    {"mask": DIAGONAL, "rng": meiro.replicate(2, 5)},
    {"grid_shape": (5, 7), "algorithm": "backtracker", "start": (1, 1), "after_dead_end": "random"},
    {"shape": (2, 2), "algorithm": "kruskal", "weights": [3.0, 1.0, 4.0, 1.0]},
    {"shape": (2, 3), "algorithm": "pole_toppling", "falls": [[2, 4]]},
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.get("algorithm", "masked"))
def test_a_recipe_makes_the_batch_again(kind: dict[str, Any]) -> None:
    many = meiro.generate_many(6, **kind)
    for part in (many, many[2:5], many[1:][1:], many[:0], many[9:], many[4:0:-9], many[::2][1:2]):
        recipe = part.recipe
        assert recipe is not None
        assert next(iter(recipe)) == "n"
        assert recipe["n"] == len(part)
        assert meiro.generate_many(**recipe) == part


def test_no_call_makes_every_second_maze_again() -> None:
    assert MANY[::2].recipe is None
    assert MANY[::-1].recipe is None
    again = MANY[::-1][::-1]
    assert again == MANY
    assert again.recipe == MANY.recipe


def test_a_recipe_is_a_copy() -> None:
    recipe = MANY.recipe
    assert recipe is not None
    recipe["shape"] = (1, 1)
    assert MANY.recipe == {"n": 10, "shape": (3, 4), "algorithm": "kruskal", "rng": meiro.replicate(7, 0)}


def test_equality() -> None:
    assert meiro.generate_many(10, (3, 4), "kruskal", rng=7) == MANY
    assert MANY[2:5] == meiro.generate_many(3, (3, 4), "kruskal", rng=meiro.replicate(7, 2))
    for same in (copy.copy(MANY), copy.deepcopy(MANY), pickle.loads(pickle.dumps(MANY))):  # noqa: S301
        assert same == MANY
        assert same.recipe == MANY.recipe
    for other in (MANY[:9], MANY[::-1], meiro.generate_many(10, (3, 4), rng=7), list(MANY), None):
        assert other != MANY


def test_masks_are_compared() -> None:
    one = meiro.generate_many(2, mask=[[1, 0, 1]], rng=1)
    other = meiro.generate_many(2, mask=[[1, 0, 0]], rng=1)
    none = meiro.generate_many(2, mask=[[1, 1, 1]], rng=1)
    assert (one.passages == other.passages).all()
    assert one != other
    assert one != none
    assert none != one
    assert one == meiro.generate_many(2, mask=[[1, 0, 1]], rng=2)


def test_a_batch_is_frozen() -> None:
    for name in (*("passages", "mask", "seed", "rows", "recipe"), "of_my_own"):
        with pytest.raises(AttributeError, match=f"a MazeBatch does not change.*{name!r}"):
            setattr(MANY, name, None)
        with pytest.raises(AttributeError, match="does not change"):
            delattr(MANY, name)
    with pytest.raises(TypeError, match="unhashable"):  # out= can still be written to
        hash(MANY)


NO_INDEX = [1.0, [1.0], (0, 1), None, "1", [[1]], ["1"], np.array([[1, 2]]), {1}, [1 << 70]]


@pytest.mark.parametrize("index", NO_INDEX, ids=repr)
def test_what_is_no_index(index: Any) -> None:
    with pytest.raises(
        TypeError, match="a batch takes an integer, a slice, several integers or a mask, not "
    ):
        MANY[index]


def test_integers_of_numpy_are_indices() -> None:
    assert MANY[np.int64(3)] == MANY[np.uint8(3)] == MANY[3]
