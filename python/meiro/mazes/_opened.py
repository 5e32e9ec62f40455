"""Mazes with other openings: the one way to set them, for `meiro.with_openings` and for generators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro.mazes._batch import changed
from meiro.mazes._from_core import maze_from_core
from meiro.mazes._openings import (
    BatchArrays,
    Choice,
    alike,
    checked_openings,
    checked_openings_many,
    openings_by_word,
)
from meiro.mazes._recipe import kept_recipe, recipe_with_openings
from meiro.mazes.batch import MazeBatch
from meiro.mazes.maze import Maze

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from meiro.seeds import Seed

Mazes = TypeVar("Mazes", Maze, MazeBatch)


def opened(
    mazes: Mazes,
    openings: str | ArrayLike,
    seed: Seed | None = None,
    threads: int = 1,
    report: Callable[[int, int], object] | None = None,
) -> Mazes:
    """Return a maze, or mazes, with these openings; maze i of a batch draws from replicate i of the seed."""
    if isinstance(mazes, Maze):
        sites = openings
        if isinstance(openings, str):
            arrays = BatchArrays(mazes.passages[np.newaxis], mazes.mask, mazes.wrap)
            choice = Choice.for_mazes(mazes, seed, threads, report)
            (sites,) = openings_by_word(openings, arrays, choice)
        checked = checked_openings(sites, mazes.passages.shape, mazes.mask, mazes.wrap)
        recipe = recipe_with_openings(kept_recipe(mazes), checked)
        state = mazes.passages, mazes.mask, checked, mazes.seed, recipe, mazes.wrap
        return maze_from_core(*state, start=mazes.start, goal=mazes.goal)
    masks = mazes.masks
    several: Any = openings
    if isinstance(openings, str):
        kept = None if masks is None else np.ascontiguousarray(masks)
        arrays = BatchArrays(np.ascontiguousarray(mazes.passages), kept, mazes.wrap)
        several = openings_by_word(openings, arrays, Choice.for_mazes(mazes, seed, threads, report))
        several = several[0] if len(several) == 1 else several
    found = checked_openings_many(several, mazes.passages.shape, masks, mazes.wrap)
    return changed(mazes, openings=found, recipe=recipe_with_openings(kept_recipe(mazes), alike(found)))
