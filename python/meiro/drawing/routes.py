"""Paths to draw: the one reader of ``solution=``, for text, SVG, PDF, PNG and plots.

A path is given as a `Solution` or as its places: cells of a maze, or sites of an array. It is checked against
the walls of what is drawn. Of rows and columns it is read in pieces, since a long one takes much memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

import numpy as np

from meiro._utils.cell_words import Coordinates
from meiro._utils.messages import short_repr
from meiro._utils.square import FLAT, ROAD, Cell, E, N, S, Shape, W, Wrap
from meiro._utils.validation import integers, plain_array
from meiro.drawing.graph_outline import wall_segments
from meiro.drawing.graph_paths import path_line, room_along
from meiro.drawing.lines import Lines, broken_lines, no_lines
from meiro.lattices._rim import rim_of
from meiro.lattices.lattice import cell_of, words_of
from meiro.mazes._edges import pair_keys
from meiro.mazes.coordinates import explored_sites, sites_along, split_at_border, steps_between
from meiro.mazes.graph_maze import given_ends_of
from meiro.results.solution import Solution
from meiro.spaces.space_of import mazes_of, on_lattice

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.drawing.graph_outline import Plane
    from meiro.drawing.graph_paths import Door
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze

    Drawn = Maze | GraphMaze | NDArray[np.uint8]

_AT_ONCE = 1 << 18  # steps of a path
_DOOR = np.array([0, N, 0, W, 0, E, 0, S, 0], np.uint8)  # of the step (row, col), at 3 * row + col + 4
_NONE = np.empty(0, np.int64)


class Route(NamedTuple):
    """A path in what is drawn.

    Attributes
    ----------
    line : Lines
        (x, y) of where it turns, in cells of a maze, in sites of an array, or in units of the lattice; from
        opening to opening, and in pieces where it crosses a periodic border, a seam or stairs.
    seen : ndarray of bool, or None
        The places that the search explored.
    ends : (start, goal)
        (row, col), or the number of a cell of a lattice; or None.
    name : str
    cells, edges : ndarray of int64, shapes (k,) and (k - 1,)
        Of a path on a lattice; else empty.
    doors : (ndarray or None, ndarray or None)
        The middles, (x, y), of the openings through which it comes in and goes out.
    room : float
        The width of its narrowest place, where cells may have any shape.
    """

    line: Lines
    seen: NDArray[np.bool_] | None
    ends: tuple[Any, Any]
    name: str
    cells: NDArray[np.int64] = _NONE
    edges: NDArray[np.int64] = _NONE
    doors: tuple[Door, Door] = (None, None)
    room: float = math.inf


def parse_routes(x: Drawn, given: Any, plane: Plane | None = None, argument: str = "solution") -> list[Route]:
    """Return the routes of one solution or path, of several, or of a mapping from names to them.

    Without the `plane` of its lattice a route has no line.

    Raises
    ------
    ValueError
        If a path is not one of what is drawn.
    TypeError
        If a path does not hold places.
    """
    if given is None:
        of_squares = getattr(x, "start", None), getattr(x, "goal", None)
        return [Route(no_lines(), None, given_ends_of(x) if on_lattice(x) else of_squares, "")]
    if isinstance(given, bool):
        raise TypeError(f"{argument} must be a Solution (see meiro.solve) or a path, not {given}")
    if isinstance(given, Mapping):
        return [parse_route(x, one, f"{argument}[{name!r}]", str(name), plane) for name, one in given.items()]
    if not _are_several(x, given):
        return [parse_route(x, given, argument, plane=plane)]
    names = [one.algorithm if isinstance(one, Solution) else "path" for one in given]
    routes = []
    for i, (one, name) in enumerate(zip(given, names, strict=True)):
        unique = name if names.count(name) == 1 else f"{name} {names[: i + 1].count(name)}"
        routes.append(parse_route(x, one, f"{argument}[{i}]", unique, plane))
    return routes


def parse_route(x: Drawn, given: Any, argument: str, name: str = "path", plane: Plane | None = None) -> Route:
    """Return the route of one solution or path; ValueError or TypeError if it is not a path in `x`."""
    if on_lattice(x):
        return _route_on_lattice(x, given, argument, name, plane)
    return _route_on_squares(x, given, argument, name)


def _are_several(x: Drawn, given: Any) -> bool:
    """Tell a list of solutions and paths from a path, which is a list of places; a label may be a tuple."""
    if not isinstance(given, list | tuple) or not given:
        return False
    if on_lattice(x):
        return _are_paths_on_lattice(x, given[0])
    for one in given:
        if isinstance(one, Solution):
            return True
        if (array := plain_array(one, "solution")).size:
            return array.ndim == 2
    return False


# On a lattice


def _are_paths_on_lattice(maze: GraphMaze, first: Any) -> bool:
    """Tell a path, the first of several, from a cell, which may be a tuple."""
    if isinstance(first, Solution):
        return True
    if isinstance(first, tuple):
        words = words_of(maze.lattice)
        return words is None or (isinstance(words, tuple) and first not in words)
    axes = maze.lattice.coordinates
    if axes is not None and isinstance(first, list) and len(first) == axes.shape[1]:
        return not all(isinstance(at, int | np.integer) for at in first)  # else a cell, as tolist() gives it
    one = isinstance(first, Coordinates) and first.ndim == 1  # cell
    return isinstance(first, list | np.ndarray) and not one


def _route_on_lattice(maze: GraphMaze, given: Any, argument: str, name: str, plane: Plane | None) -> Route:
    """Return the route of one solution or path: several cells in the words of the lattice, or numbers."""
    doors: tuple[Door, Door] = (None, None)
    seen = None
    if isinstance(given, Solution):
        if str(given.space) != "vertices" or np.shape(given.explored) != (maze.n_cells,):
            raise ValueError(f"{argument} is of another maze: {given!r}, not of {maze!r}")
        cells, seen, doors = given.path_numbers, given.explored, _doors(maze, given)
        first, last = (cell_of(maze.lattice, end, argument) for end in (given.start, given.goal))
        ends: tuple[Any, Any] = first, last
    else:
        cells = _cells_of(maze, given, argument)
        ends = (int(cells[0]), int(cells[-1])) if len(cells) else (None, None)
    edges = _edges_along(maze, cells, argument)
    line = no_lines() if plane is None else path_line(plane, cells, edges, doors)
    return Route(line, seen, ends, name, cells, edges, doors, _room(maze, plane, line, cells))


def _room(maze: GraphMaze, plane: Plane | None, line: Lines, cells: NDArray[np.int64]) -> float:
    """Return how wide the narrowest place of a path is, where cells may have any shape."""
    lattice = maze.lattice
    if plane is None or plane.outline is None or not (lattice.has_bent_walls or lattice.has_own_points):
        return math.inf
    on_path = np.zeros(maze.n_cells, np.bool_)
    on_path[cells] = True
    beside = on_path[lattice.edges].any(axis=1)
    outline = plane.outline
    outline = outline._replace(rim=outline.rim[on_path[outline.rim_cells]])
    walls, _ = wall_segments(plane._replace(outline=outline), maze.open | ~beside)
    return room_along(line, walls, plane.cell) if len(line.points) else math.inf


def _cells_of(maze: GraphMaze, given: Any, argument: str) -> NDArray[np.int64]:
    """Return the numbers of the cells of a path that is no solution."""
    if isinstance(given, str | bytes | Mapping | np.ma.MaskedArray) or not np.iterable(given):
        raise TypeError(f"{argument} must be a Solution or a path of adjacent cells, not {short_repr(given)}")
    several: Any = given
    if not isinstance(given, np.ndarray):
        several = [tuple(one) if isinstance(one, list) else one for one in islice(given, maze.n_cells + 1)]
    count = len(several)
    if count > maze.n_cells:
        raise ValueError(f"{argument} has {count:,} cells, and {maze!r} only {maze.n_cells:,}")
    return _NONE if count == 0 else mazes_of(maze).numbers(several, argument)


def _doors(maze: GraphMaze, given: Solution) -> tuple[Door, Door]:
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
    pairs = maze.edges(), np.stack([cells[:-1], cells[1:]], axis=1)
    passages, steps = (pair_keys(ends, maze.n_cells) for ends in pairs)
    order = np.argsort(passages, kind="stable")
    first, end = (np.searchsorted(passages[order], steps, side) for side in ("left", "right"))
    if (first == end).any():
        i = int((first == end).argmax())
        raise ValueError(
            f"{argument} goes through a wall: no passage joins cells {cells[i]} and {cells[i + 1]}"
        )
    return maze.edge_ids()[order[first]]


# Of rows and columns


class _Path(NamedTuple):
    """A path as it was given, in pieces that each begin where the piece before ends."""

    pieces: Iterator[NDArray[np.int64]]
    shape: Shape
    wrap: Wrap
    in_cells: bool
    cuts_corners: bool = False  # a solver may have been allowed to


def _are_sites(x: Any) -> TypeGuard[NDArray[np.uint8]]:
    """Return whether an array is drawn, not a maze."""
    return isinstance(x, np.ndarray)


def _route_on_squares(x: Any, given: Solution | ArrayLike, argument: str, name: str) -> Route:
    path = _parsed_path(x, given, argument)
    scale, shift = 1.0, 0.0
    if path.in_cells == _are_sites(x):
        scale, shift = (2.0, 1.0) if path.in_cells else (0.5, -0.5)
    corners = _corners(path, scale, shift)
    if not isinstance(given, Solution):
        ends = [tuple(place[::-1]) for place in corners[[0, -1]].tolist()] if len(corners) else [None, None]
        return Route(_line(corners), None, (ends[0], ends[1]), name)
    corners, doors = _through_openings(x, corners, given)
    start, goal = ((row * scale + shift, col * scale + shift) for row, col in (given.start, given.goal))
    seen = given.explored
    if path.in_cells == _are_sites(x):
        seen = explored_sites(seen, 0, 2 * len(seen) + 1, given.wrap) if path.in_cells else seen[1::2, 1::2]
    return Route(_line(corners), seen, (start, goal), name, doors=doors)


def _line(corners: NDArray[np.float32]) -> Lines:
    """Return corners, with a row of NaN where a path crosses a border, as lines; none of a single place."""
    return broken_lines(corners) if len(corners) > 1 else no_lines()


def _openings_shown(x: Any, given: object) -> list[Cell | None]:
    """Return the sites at which the path of a solution comes in and goes out, where they are open."""
    if not isinstance(given, Solution) or not given.found:
        return [None, None]
    if _are_sites(x):
        return [None if site is None or x[site] != ROAD else site for site in given.openings]
    sites = set(map(tuple, x.openings.tolist()))
    return [site if site in sites else None for site in given.openings]


def _through_openings(
    x: Any, corners: NDArray[np.float32], given: Solution
) -> tuple[NDArray[np.float32], tuple[Door, Door]]:
    """Return the corners (x, y) of a path from opening to opening, and these."""
    scale, shift = (1, 0) if _are_sites(x) else (0.5, -0.5)
    first, last = (
        None if site is None else np.array(site[::-1], np.float64) * scale + shift
        for site in _openings_shown(x, given)
    )
    before, after = (corners[:0] if door is None else door[None].astype(np.float32) for door in (first, last))
    return np.concatenate([before, corners, after]), (first, last)


def path_sites(x: Maze | NDArray[np.uint8], given: Solution | ArrayLike, argument: str) -> NDArray[np.int64]:
    """Return the sites of a path in the grid of a maze, or in an array, shape (k, 2).

    Raises
    ------
    ValueError
        If it is not a path in what is drawn.
    TypeError
        If it does not hold integers.
    """
    pieces = [piece[i > 0 :] for i, piece in enumerate(site_pieces(x, given, argument))]
    return np.concatenate([np.empty((0, 2), np.int64), *pieces])


def site_pieces(
    x: Maze | NDArray[np.uint8], given: Solution | ArrayLike, argument: str
) -> Iterator[NDArray[np.int64]]:
    """Yield the sites of `path_sites` in pieces, each beginning where the piece before ends."""
    path = _parsed_path(x, given, argument)
    before, after = _openings_shown(x, given)
    piece = np.empty((0, 2), np.int64)
    for piece in path.pieces:
        sites = sites_along(piece, path.shape, path.wrap) if path.in_cells else piece
        yield sites if before is None else np.concatenate([[before], sites])
        before = None
    if after is not None:
        yield np.array([2 * piece[-1] + 1, after])


def _parsed_path(x: Any, given: Solution | ArrayLike, argument: str) -> _Path:
    """Return a path whose pieces are checked against the walls as they are taken."""
    rows, cols = x.shape
    if isinstance(given, Solution):
        in_cells = given.space == "cells"
        if in_cells == _are_sites(x):
            even = in_cells and (rows % 2 == 0 or cols % 2 == 0)  # no grid of a maze
            rows, cols = ((side - 1) // 2 if in_cells else 2 * side + 1 for side in (rows, cols))
            if even:
                raise ValueError(f"{argument} was found in a maze, and what is drawn is not its grid")
        if given.shape != (rows, cols):
            raise ValueError(
                f"{argument} was found in {given.shape} {given.space}; what is drawn has {(rows, cols)}"
            )
        path = _Path(given.path_chunks(), given.shape, given.wrap, in_cells, cuts_corners=True)
    else:
        wrap, in_cells = (FLAT, False) if _are_sites(x) else (x.wrap, True)
        path = _Path(_array_pieces(given, argument), (rows, cols), wrap, in_cells)
    return path._replace(pieces=_checked_pieces(x, path, argument))


def _array_pieces(given: ArrayLike, argument: str) -> Iterator[NDArray[np.int64]]:
    places = integers(given, argument)
    if places.size == 0:
        return iter(())
    if places.ndim != 2 or places.shape[1] != 2:
        raise ValueError(
            f"{argument} must be a Solution or a path of shape (k, 2), not an array of {places.shape}"
        )
    cuts = [*range(0, max(len(places) - 1, 1), _AT_ONCE), len(places) - 1]
    return (places[first : last + 1] for first, last in pairwise(cuts))


def _checked_pieces(x: Any, path: _Path, argument: str) -> Iterator[NDArray[np.int64]]:
    """Yield the pieces of a path, or raise a ValueError that says where it is not one."""
    through_doors = path.in_cells and not _are_sites(x)
    walls: Any = x if _are_sites(x) else None if through_doors else x.grid
    what = "cell" if path.in_cells else "site"
    done = 0
    for piece in path.pieces:
        steps, _ = steps_between(piece, path.shape, path.wrap)
        down, across = np.abs(steps).T
        far = (down + across if path.in_cells else np.maximum(down, across)) != 1
        outside = ((piece < 0) | (piece >= path.shape)).any(axis=1)
        if outside.any():
            i = int(outside.argmax())
            raise ValueError(
                f"{argument}[{done + i}] is outside: there is no {what} {_place(piece[i])} in {path.shape}"
            )
        if far.any():
            i = int(far.argmax())
            places = f"{what}s {_place(piece[i])} and {_place(piece[i + 1])}"
            raise ValueError(
                f"{argument}[{done + i}] and {argument}[{done + i + 1}] are not adjacent: {places}"
            )
        blocked = _closed(x, piece, steps) if through_doors else _in_wall(walls, piece, steps, path)
        if blocked.any():
            i = int(blocked.argmax())
            to = f", on the way to {_place(piece[i + 1])}" if i + 1 < len(piece) else ""
            raise ValueError(f"{argument}[{done + i}] goes through a wall, at {what} {_place(piece[i])}{to}")
        done += len(piece) - 1
        yield piece


def _closed(maze: Maze, cells: NDArray[np.int64], steps: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which cells of a path do not exist, or are left through a wall."""
    doors = _DOOR[steps @ (3, 1) + 4]
    closed = np.zeros(len(cells), np.bool_)
    closed[:-1] = maze.passages[cells[:-1, 0], cells[:-1, 1]] & doors == 0
    return closed if maze.mask is None else closed | ~maze.mask[cells[:, 0], cells[:, 1]]


def _in_wall(
    drawn: NDArray[np.uint8], piece: NDArray[np.int64], steps: NDArray[np.int64], path: _Path
) -> NDArray[np.bool_]:
    """Return which places of a path are walls of an array, or are left through one."""
    if path.in_cells:
        sites = sites_along(piece, path.shape, path.wrap)
        blocked = drawn[sites[:, 0], sites[:, 1]] != ROAD
        cell = np.cumsum((sites % 2 == 1).all(axis=1)) - 1
        return np.asarray(np.bincount(cell, blocked, len(piece)) > 0)
    wall: NDArray[np.bool_] = drawn[piece[:, 0], piece[:, 1]] != ROAD
    if path.cuts_corners:
        return wall
    diagonal = np.flatnonzero((steps != 0).all(axis=1))  # these may not go around a corner
    (row, col), (row1, col1) = piece[diagonal].T, piece[diagonal + 1].T
    wall[diagonal] |= (drawn[row, col1] != ROAD) | (drawn[row1, col] != ROAD)
    return wall


def _place(place: NDArray[np.int64]) -> str:
    return f"({place[0]}, {place[1]})"


def _corners(path: _Path, scale: float, shift: float) -> NDArray[np.float32]:
    """Return (x, y) of the ends of a path and of where it turns, times `scale` plus `shift`."""
    found: list[NDArray[np.float32]] = []
    for piece in path.pieces:
        line = split_at_border(piece, path.shape, path.wrap)
        kept = np.ones(len(line), np.bool_)
        down, across = (np.diff(np.sign(np.diff(side))) for side in line.T)
        kept[1:-1] = (down != 0) | (across != 0)
        kept[0] = not found
        corners = line[kept][:, ::-1].astype(np.float32) * np.float32(scale) + np.float32(shift)
        found.append(corners.reshape(-1))
    return np.concatenate([np.empty(0, np.float32), *found]).reshape(-1, 2)
