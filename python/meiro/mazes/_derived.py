"""Mazes of other parts, with all else of the mazes that they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro.mazes._batch import Batch, first_replicate
from meiro.mazes._recipe import recipe_after, recipe_after_many
from meiro.seeds import root_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro.mazes._recipe import Step
    from meiro.seeds import Seed


def provenance_after(mazes: Any, steps: Sequence[Step] | None, seed: Seed | None = None) -> dict[str, Any]:
    """Return where mazes are from that a seed made of others, a replicate of each: seeds and recipe.

    Recipes get these steps; None: no recipe tells of the change.
    """
    if not isinstance(mazes, Batch):
        return {"seed": seed, "recipe": recipe_after(mazes, steps, seed)}
    recipe = recipe_after_many(mazes, steps, seed, first_replicate(mazes))
    if seed is None:
        return {"root": None, "numbers": mazes.replicates, "recipe": recipe}
    numbers = range(seed.replicate, seed.replicate + len(mazes))
    return {"root": root_of(seed), "numbers": numbers, "recipe": recipe}


def left_in(ends: NDArray[np.int64] | None, masks: NDArray[np.bool_]) -> NDArray[np.int64] | None:
    """Return starts or goals without those that are masked out."""
    if ends is None:
        return None
    out = ends.copy()
    out[~masks[np.arange(len(ends)), ends[:, 0], ends[:, 1]]] = -1
    return ends_or_none(out)


def ends_or_none(ends: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return starts or goals as a batch has them: None if no maze has one."""
    if not (ends >= 0).any():
        return None
    ends.flags.writeable = False
    return ends
