"""Mazes on lattices with other openings, start or goal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro.mazes._batch import changed
from meiro.mazes._graph_openings import (
    checked_graph_openings,
    checked_graph_openings_many,
    graph_openings_by_word,
)
from meiro.mazes._one_maze import recipe_of
from meiro.mazes._openings import Choice
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
    if isinstance(mazes, GraphMaze):
        return changed_graph_maze(mazes, openings=checked_graph_openings(lattice, openings))
    return changed(mazes, openings=checked_graph_openings_many(lattice, openings, len(mazes)))


def changed_graph_maze(maze: GraphMaze, **changes: Any) -> GraphMaze:
    """Return a maze with other openings, or the numbers of another start or goal."""
    start, goal = given_ends_of(maze)
    kept: dict[str, Any] = {"start": start, "goal": goal, "openings": maze.openings} | changes
    open_ = maze.open.view(np.uint8)
    return graph_maze_from_core(maze.lattice, open_, maze.seed, recipe_of(maze), **kept)
