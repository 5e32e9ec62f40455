"""Recipes: the keywords with which `meiro.generate` makes a maze again, as plain values.

A maze keeps the arrays of its options as they are; the recipe that users see holds what JSON can hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.arrays import LISTED, array_digest
from meiro.mazes._openings import openings_of_all
from meiro.seeds import Seed, plain_seed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


def plain_recipe(
    recipe: Mapping[str, object] | None,
    seed: Seed | None,
    openings: NDArray[np.int64] | list[Any] | None,
    n: int | None = None,
) -> dict[str, Any] | None:
    """Return a recipe that ``json.dumps`` takes, with the seed and the openings; `n` is for a batch.

    Openings are not part of what a seed makes, and may be set later. An array of more than 10,000 numbers is
    replaced by what `array_digest` returns.
    """
    if recipe is None or seed is None:
        return None
    own = {name: value for name, value in recipe.items() if name not in {"shape", "algorithm"}}
    kept = {"shape": recipe["shape"], "algorithm": recipe["algorithm"]}
    kept |= ({} if n is None else {"n": n}) | {"rng": plain_seed(seed)} | own
    if openings is not None and len(openings):
        kept["openings"] = openings_of_all(openings) if isinstance(openings, np.ndarray) else openings
    return {name: _plain(value) for name, value in kept.items()}


def refuse_digests(given: Mapping[str, object]) -> None:
    """Raise a TypeError if an option is only the digest of an array, as a recipe holds it."""
    for name, value in given.items():
        if isinstance(value, dict) and "sha256" in value:
            msg = (
                f"{name} of this recipe is only the digest of an array of shape {tuple(value['array'])}, "
                f"which is too large to list: give the array, generate(**{{**recipe, {name!r}: array}})"
            )
            raise TypeError(msg)


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.tolist() if value.size <= LISTED else array_digest(value)
    if isinstance(value, tuple):
        return tuple(_plain(item) for item in value)
    return value.item() if isinstance(value, np.generic) else value
