"""Mazes of other passages, with all else of the mazes that they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro.mazes._batch import changed, first_replicate
from meiro.mazes._from_core import maze_from_core
from meiro.mazes._recipe import recipe_after, recipe_after_many
from meiro.mazes.batch import MazeBatch
from meiro.mazes.maze import Maze
from meiro.seeds import root_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro.mazes._batch import Batch
    from meiro.mazes._recipe import Step
    from meiro.seeds import Seed

Mazes = TypeVar("Mazes", Maze, MazeBatch)


def derive_mazes(
    mazes: Mazes,
    passages: NDArray[np.uint8],
    steps: Sequence[Step] | None,
    seed: Seed | None = None,
    masks: NDArray[np.uint8] | None = None,
) -> Mazes:
    """Return mazes of other passages, (n, rows, cols), with openings, wrap, starts and goals of `mazes`.

    Starts and goals that `masks`, the new masks of each, remove are dropped. Maze i of a batch has replicate
    i of the seed. Recipes get these steps; None: no recipe tells of the change.
    """
    if isinstance(mazes, Maze):
        mask = None if masks is None else masks[0]
        return derive_maze(mazes, passages[0], steps, seed, mask)
    return derive_batch(mazes, passages, steps, seed, masks)


def derive_maze(  # noqa: PLR0917  # the parts of a maze
    maze: Maze,
    passages: NDArray[np.uint8],
    steps: Sequence[Step] | None,
    seed: Seed | None = None,
    mask: NDArray[np.uint8] | None = None,
    openings: NDArray[np.int64] | None = None,
) -> Maze:
    """Return a maze of other passages with the mask, openings, wrap, start and goal of `maze`.

    A start or goal that `mask` removes is dropped.
    """
    cells = maze.mask
    if mask is not None:
        cells = None if mask.all() else mask.view(np.bool_)
    sites = maze.openings if openings is None else openings
    sites.flags.writeable = False
    start, goal = (
        end if end is None or cells is None or cells[end] else None for end in (maze.start, maze.goal)
    )
    recipe = recipe_after(maze, steps, seed)
    return maze_from_core(passages, cells, sites, seed, recipe, maze.wrap, start=start, goal=goal)


def derive_batch(
    batch: MazeBatch,
    passages: NDArray[np.uint8],
    steps: Sequence[Step] | None,
    seed: Seed | None = None,
    masks: NDArray[np.uint8] | None = None,
) -> MazeBatch:
    """Return a batch of other passages, as `derive_maze`."""
    own = batch.masks if masks is None else masks.view(np.bool_)
    if own is batch.mask:
        own = None
    starts, goals = batch.starts, batch.goals
    if masks is not None and own is not None:
        own.flags.writeable = False
        starts, goals = (_left(cells, own) for cells in (starts, goals))
    changes = {"passages": passages, "masks": own, "starts": starts, "goals": goals}
    return changed(batch, **changes, **provenance_after(batch, steps, seed))


def provenance_after(
    batch: Batch[Any], steps: Sequence[Step] | None, seed: Seed | None = None
) -> dict[str, Any]:
    """Return root, numbers and recipe of mazes that a seed made of those of a batch: a replicate each."""
    recipe = recipe_after_many(batch, steps, seed, first_replicate(batch))
    if seed is None:
        return {"root": None, "numbers": batch.replicates, "recipe": recipe}
    numbers = range(seed.replicate, seed.replicate + len(batch))
    return {"root": root_of(seed), "numbers": numbers, "recipe": recipe}


def _left(ends: NDArray[np.int64] | None, masks: NDArray[np.bool_]) -> NDArray[np.int64] | None:
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
