"""Mazes on lattices with other openings, start or goal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro.mazes._batch import changed
from meiro.mazes._graph_openings import (
    checked_graph_openings,
    checked_graph_openings_many,
    graph_openings_by_word,
    plain_openings,
)
from meiro.mazes._openings import Choice, alike
from meiro.mazes._recipe import kept_recipe, recipe_with_openings
from meiro.mazes.graph_batch import GraphBatch
from meiro.mazes.graph_maze import GraphMaze, given_ends_of, graph_maze_from_core

if TYPE_CHECKING:
    from collections.abc import Callable

    from meiro.seeds import Seed

Mazes = TypeVar("Mazes", GraphMaze, GraphBatch)


def opened_on_lattice(
    mazes: Mazes,
    openings: Any,
    seed: Seed | None = None,
    threads: int = 1,
    report: Callable[[int, int], object] | None = None,
) -> Mazes:
    """Return a maze, or mazes, with these openings; maze i of a batch draws from replicate i of the seed."""
    lattice = mazes.lattice
    if isinstance(openings, str):
        open_ = np.ascontiguousarray(np.atleast_2d(mazes.open)).view(np.uint8)
        choice = Choice.for_mazes(mazes, seed, threads, report)
        openings = graph_openings_by_word(lattice, open_, openings, choice)
        openings = openings[0] if len(openings) == 1 else openings
    recipe = kept_recipe(mazes)
    if isinstance(mazes, GraphMaze):
        sites = checked_graph_openings(lattice, openings)
        named = plain_openings(lattice, sites) or []
        return changed_graph_maze(mazes, openings=sites, recipe=recipe_with_openings(recipe, named))
    of_each = checked_graph_openings_many(lattice, openings, len(mazes))
    shared = alike(of_each)
    named = None if shared is None else plain_openings(lattice, shared) or []
    return changed(mazes, openings=of_each, recipe=recipe_with_openings(recipe, named))


def changed_graph_maze(maze: GraphMaze, **changes: Any) -> GraphMaze:
    """Return a maze with other openings or recipe, or the numbers of another start or goal."""
    start, goal = given_ends_of(maze)
    own = {"start": start, "goal": goal, "openings": maze.openings, "recipe": kept_recipe(maze)}
    return graph_maze_from_core(maze.lattice, maze.open.view(np.uint8), maze.seed, **own | changes)
