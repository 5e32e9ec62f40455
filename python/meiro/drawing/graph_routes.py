"""Paths to draw in mazes on lattices: the one reader of their ``solution=``."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.cell_words import Coordinates
from meiro._utils.messages import short_repr
from meiro.lattices._rim import rim_of
from meiro.lattices.lattice import cell_of, words_of
from meiro.mazes.graph_maze import given_ends_of
from meiro.results.solution import Solution
from meiro.spaces.space_of import mazes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.mazes.graph_maze import GraphMaze


class GraphRoute(NamedTuple):
    """A path through cells of a lattice.

    Attributes
    ----------
    cells : ndarray of int64, shape (k,)
    edges : ndarray of int64, shape (k - 1,)
        The open edge of each step.
    seen : ndarray of bool, shape (n_cells,), or None
        The cells that the search explored.
    ends : (start, goal)
        Cells, or None.
    name : str
    doors : (ndarray or None, ndarray or None)
        The middles, (x, y), of the openings through which it comes in and goes out.
    """

    cells: NDArray[np.int64]
    edges: NDArray[np.int64]
    seen: NDArray[np.bool_] | None
    ends: tuple[int | None, int | None]
    name: str
    doors: tuple[NDArray[np.float64] | None, NDArray[np.float64] | None] = (None, None)


def graph_routes(maze: GraphMaze, given: Any) -> list[GraphRoute]:
    """Return the routes of one solution or path, of several, or of a mapping from names to them.

    Raises
    ------
    ValueError
        If a path is not one of the maze.
    """
    none = np.empty(0, np.int64)
    if given is None:
        return [GraphRoute(none, none, None, given_ends_of(maze), "")]
    if isinstance(given, Mapping):
        return [graph_route(maze, one, f"solution[{name!r}]", str(name)) for name, one in given.items()]
    if not _are_several(maze, given):
        return [graph_route(maze, given, "solution")]
    names = [one.algorithm if isinstance(one, Solution) else "path" for one in given]
    return [
        graph_route(
            maze,
            one,
            f"solution[{i}]",
            name if names.count(name) == 1 else f"{name} {names[: i + 1].count(name)}",
        )
        for i, (one, name) in enumerate(zip(given, names, strict=True))
    ]


def _are_several(maze: GraphMaze, given: Any) -> bool:
    """Return whether a list holds solutions or paths, not cells; a label may be a tuple."""
    if not isinstance(given, list | tuple) or not given:
        return False
    first = given[0]
    if isinstance(first, Solution):
        return True
    if isinstance(first, tuple):
        words = words_of(maze.lattice)
        return words is None or (isinstance(words, tuple) and first not in words)
    one = isinstance(first, Coordinates) and first.ndim == 1  # cell
    return isinstance(first, list | np.ndarray) and not one


def graph_route(maze: GraphMaze, given: Any, argument: str, name: str = "path") -> GraphRoute:
    """Return the route of one solution or path; ValueError if it is not a path in the maze.

    A path is several cells in the words of the lattice, or an array of their numbers.
    """
    if isinstance(given, Solution):
        if str(given.space) != "vertices" or np.shape(given.explored) != (maze.n_cells,):
            msg = f"{argument} is of another maze: {given!r}, not of {maze!r}"
            raise ValueError(msg)
        cells = given.path_numbers
        ends = cell_of(maze.lattice, given.start, argument), cell_of(maze.lattice, given.goal, argument)
        edges = _edges_along(maze, cells, argument)
        return GraphRoute(cells, edges, given.explored, ends, name, _doors(maze, given))
    if isinstance(given, str | bytes | Mapping | np.ma.MaskedArray) or not np.iterable(given):
        msg = f"{argument} must be a Solution or a path of adjacent cells, not {short_repr(given)}"
        raise TypeError(msg)
    several = given if isinstance(given, np.ndarray) else list(islice(given, maze.n_cells + 1))
    if len(several) > maze.n_cells:
        msg = f"{argument} has {len(several):,} cells, and {maze!r} only {maze.n_cells:,}"
        raise ValueError(msg)
    cells = mazes_of(maze).numbers(several, argument) if len(several) else np.empty(0, np.int64)
    first = (int(cells[0]), int(cells[-1])) if len(cells) else (None, None)
    return GraphRoute(cells, _edges_along(maze, cells, argument), None, first, name)


def _doors(maze: GraphMaze, given: Solution) -> tuple[Any, Any]:
    """Return the middles of the openings of a solution that are open in a maze, None for none."""
    sites = set(map(tuple, maze.openings.tolist()))
    rim = rim_of(maze.lattice)
    places: list[Any] = [
        None if one is None else (cell_of(maze.lattice, one[0], "opening"), one[1]) for one in given.openings
    ]
    first, last = (
        rim.middles[rim.find(np.array([place]))[0]] if given.found and place in sites else None
        for place in places
    )
    return first, last


def _edges_along(maze: GraphMaze, cells: NDArray[np.int64], argument: str) -> NDArray[np.int64]:
    """Return the open edge of each step of a path: the first one, of parallel edges."""
    n = maze.n_cells
    if cells.size and not (cells.min() >= 0 and cells.max() < n):
        msg = f"{argument} names a cell that is not there: cells are 0..{n - 1}"
        raise ValueError(msg)
    numbers = maze.edge_ids()
    pairs = np.sort(maze.edges().astype(np.int64), axis=1) @ (n, 1)
    order = np.argsort(pairs, kind="stable")
    steps = np.sort(np.stack([cells[:-1], cells[1:]], axis=1), axis=1) @ (n, 1)
    at = np.searchsorted(pairs[order], steps)
    inside = np.minimum(at, max(len(order) - 1, 0))
    known = (
        (at < len(order)) & (pairs[order][inside] == steps) if len(order) else np.zeros(len(steps), np.bool_)
    )
    if not known.all():
        i = int(np.flatnonzero(~known)[0])
        msg = f"{argument} goes through a wall: no passage joins cells {cells[i]} and {cells[i + 1]}"
        raise ValueError(msg)
    return numbers[order[inside]] if len(steps) else np.empty(0, np.int64)
