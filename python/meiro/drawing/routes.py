"""Paths to draw: the one reader of ``solution=``, for text, SVG, PNG and plots.

A path is given as a `Solution` or as an array, over cells or over sites. It is read in pieces, since a long
one takes much memory, and each piece is checked against the walls of what is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.square import FLAT, ROAD, Cell, E, N, S, Shape, W, Wrap
from meiro._utils.validation import integers, plain_array
from meiro.mazes.coordinates import cells_to_grid, explored_sites, split_at_border, steps_between
from meiro.mazes.maze import Maze
from meiro.results.solution import Solution

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    End = tuple[float, float] | None

_AT_ONCE = 1 << 18  # steps of a path
_DOOR = np.array([0, N, 0, W, 0, E, 0, S, 0], np.uint8)  # of the step (row, col), at 3 * row + col + 4


class Route(NamedTuple):
    """A path in the units of what is drawn: cells of a maze, or sites of an array.

    Attributes
    ----------
    corners : ndarray of float32, shape (k, 2)
        (x, y) of the ends of the path, in openings too, and of where it turns; a row of NaN where it crosses
        a periodic border.
    seen : ndarray of bool, or None
        The places that the search explored.
    ends : (start, goal)
        Row and column of each, or None.
    name : str
    """

    corners: NDArray[np.float32]
    seen: NDArray[np.bool_] | None
    ends: tuple[End, End]
    name: str


class _Path(NamedTuple):
    """A path as it was given, in pieces that each begin where the piece before ends."""

    pieces: Iterator[NDArray[np.int64]]
    shape: Shape
    wrap: Wrap
    in_cells: bool


def parse_routes(x: Maze | NDArray[np.uint8], given: Any) -> list[Route]:
    """Return the routes of one solution or path, of several, or of a mapping from names to them.

    Raises
    ------
    ValueError
        If a path is not one of what is drawn.
    TypeError
        If a path does not hold integers.
    """
    if given is None:
        ends = (x.start, x.goal) if isinstance(x, Maze) else (None, None)
        return [Route(np.empty((0, 2), np.float32), None, ends, "")]
    if isinstance(given, Mapping):
        return [parse_route(x, one, f"solution[{name!r}]", str(name)) for name, one in given.items()]
    if not _are_several(given):
        return [parse_route(x, given, "solution")]
    names = [one.algorithm if isinstance(one, Solution) else "path" for one in given]
    routes = []
    for i, (one, name) in enumerate(zip(given, names, strict=True)):
        unique = name if names.count(name) == 1 else f"{name} {names[: i + 1].count(name)}"
        routes.append(parse_route(x, one, f"solution[{i}]", unique))
    return routes


def parse_route(
    x: Maze | NDArray[np.uint8], given: Solution | ArrayLike, argument: str, name: str = "path"
) -> Route:
    """Return the route of one solution or path; ValueError or TypeError if it is not a path in `x`."""
    path = _read(x, given, argument)
    scale, shift = 1.0, 0.0
    if path.in_cells != isinstance(x, Maze):
        scale, shift = (2.0, 1.0) if path.in_cells else (0.5, -0.5)
    corners = _corners(path, scale, shift)
    if not isinstance(given, Solution):
        ends = [tuple(place[::-1]) for place in corners[[0, -1]].tolist()] if len(corners) else [None, None]
        return Route(corners, None, (ends[0], ends[1]), name)
    corners = _through_openings(x, corners, given)
    start, goal = ((row * scale + shift, col * scale + shift) for row, col in (given.start, given.goal))
    seen = given.explored
    if path.in_cells != isinstance(x, Maze):
        seen = explored_sites(seen, 0, 2 * len(seen) + 1, given.wrap) if path.in_cells else seen[1::2, 1::2]
    return Route(corners, seen, (start, goal), name)


def openings_shown(x: Maze | NDArray[np.uint8], given: object) -> list[Cell | None]:
    """Return the sites at which the path of a solution comes in and goes out, where they are open in `x`."""
    if not isinstance(given, Solution) or not given.found:
        return [None, None]
    if not isinstance(x, Maze):
        return [None if site is None or x[site] != ROAD else site for site in given.openings]
    sites = set(map(tuple, x.openings.tolist()))
    return [site if site in sites else None for site in given.openings]


def _through_openings(
    x: Maze | NDArray[np.uint8], corners: NDArray[np.float32], given: Solution
) -> NDArray[np.float32]:
    """Return the corners (x, y) of a path, and its openings before and behind them."""
    scale, shift = (0.5, -0.5) if isinstance(x, Maze) else (1, 0)
    first, last = (
        np.array([] if site is None else site[::-1], np.float32).reshape(-1, 2) * scale + np.float32(shift)
        for site in openings_shown(x, given)
    )
    return np.concatenate([first, corners, last]) if len(first) or len(last) else corners


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
    path = _read(x, given, argument)
    before, after = openings_shown(x, given)
    piece = np.empty((0, 2), np.int64)
    for piece in path.pieces:
        sites = cells_to_grid(piece, shape=path.shape, wrap=path.wrap) if path.in_cells else piece
        yield sites if before is None else np.concatenate([[before], sites])
        before = None
    if after is not None:
        yield np.array([2 * piece[-1] + 1, after])


def _read(x: Maze | NDArray[np.uint8], given: Solution | ArrayLike, argument: str) -> _Path:
    """Return a path whose pieces are checked against the walls as they are taken."""
    drawn_cells = isinstance(x, Maze)
    rows, cols = (x.rows, x.cols) if isinstance(x, Maze) else x.shape
    if isinstance(given, Solution):
        in_cells = given.space == "cells"
        if in_cells != drawn_cells:
            even = in_cells and (rows % 2 == 0 or cols % 2 == 0)  # no grid of a maze
            rows, cols = ((side - 1) // 2 if in_cells else 2 * side + 1 for side in (rows, cols))
            if even:
                msg = f"{argument} was found in a maze, and what is drawn is not its grid"
                raise ValueError(msg)
        if given.shape != (rows, cols):
            msg = f"{argument} was found in {given.shape} {given.space}; what is drawn has {(rows, cols)}"
            raise ValueError(msg)
        path = _Path(given.path_chunks(), given.shape, given.wrap, in_cells)
    else:
        wrap = x.wrap if isinstance(x, Maze) else FLAT
        path = _Path(_array_pieces(given, argument), (rows, cols), wrap, drawn_cells)
    return path._replace(pieces=_checked(x, path, argument))


def _are_several(given: Any) -> bool:
    """Tell a list of solutions and paths from a path, which is a list of places."""
    if not isinstance(given, list | tuple) or not given:
        return False
    for one in given:
        if isinstance(one, Solution):
            return True
        if (array := plain_array(one, "solution")).size:
            return array.ndim == 2
    return False


def _array_pieces(given: ArrayLike, argument: str) -> Iterator[NDArray[np.int64]]:
    places = integers(given, argument)
    if places.size == 0:
        return iter(())
    if places.ndim != 2 or places.shape[1] != 2:
        msg = f"{argument} must be a Solution or a path of shape (k, 2), not an array of {places.shape}"
        raise ValueError(msg)
    cuts = [*range(0, max(len(places) - 1, 1), _AT_ONCE), len(places) - 1]
    return (places[first : last + 1] for first, last in pairwise(cuts))


def _checked(x: Maze | NDArray[np.uint8], path: _Path, argument: str) -> Iterator[NDArray[np.int64]]:
    """Yield the pieces of a path, or raise a ValueError that says where it is not one."""
    walls = x.grid if isinstance(x, Maze) and not path.in_cells else x
    what = "cell" if path.in_cells else "site"
    done = 0
    for piece in path.pieces:
        steps, _ = steps_between(piece, path.shape, path.wrap)
        down, across = np.abs(steps).T
        far = (down + across if path.in_cells else np.maximum(down, across)) != 1
        outside = ((piece < 0) | (piece >= path.shape)).any(axis=1)
        if outside.any():
            i = int(outside.argmax())
            msg = f"{argument}[{done + i}] is outside: there is no {what} {_place(piece[i])} in {path.shape}"
            raise ValueError(msg)
        if far.any():
            i = int(far.argmax())
            places = f"{what}s {_place(piece[i])} and {_place(piece[i + 1])}"
            msg = f"{argument}[{done + i}] and {argument}[{done + i + 1}] are not adjacent: {places}"
            raise ValueError(msg)
        blocked = _blocked(walls, piece, steps, path)
        if blocked.any():
            i = int(blocked.argmax())
            to = f", on the way to {_place(piece[i + 1])}" if i + 1 < len(piece) else ""
            msg = f"{argument}[{done + i}] goes through a wall, at {what} {_place(piece[i])}{to}"
            raise ValueError(msg)
        done += len(piece) - 1
        yield piece


def _blocked(
    drawn: Maze | NDArray[np.uint8], piece: NDArray[np.int64], steps: NDArray[np.int64], path: _Path
) -> NDArray[np.bool_]:
    """Return which places of a path are walls, or are left through a wall."""
    if isinstance(drawn, Maze):
        doors = _DOOR[steps @ (3, 1) + 4]
        closed = np.zeros(len(piece), np.bool_)
        closed[:-1] = drawn.passages[piece[:-1, 0], piece[:-1, 1]] & doors == 0
        return closed if drawn.mask is None else closed | ~drawn.mask[piece[:, 0], piece[:, 1]]
    if path.in_cells:
        sites = cells_to_grid(piece, shape=path.shape, wrap=path.wrap)
        blocked = drawn[sites[:, 0], sites[:, 1]] != ROAD
        cell = np.cumsum((sites % 2 == 1).all(axis=1)) - 1
        return np.asarray(np.bincount(cell, blocked, len(piece)) > 0)
    wall: NDArray[np.bool_] = drawn[piece[:, 0], piece[:, 1]] != ROAD
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
