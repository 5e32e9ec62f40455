"""The routes that `meiro.plot` draws: solutions and paths, checked, in the units of what is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.square import FLAT, Wrap
from meiro._utils.validation import integers
from meiro.maze.coordinates import seen_sites, steps_of
from meiro.maze.maze import Maze
from meiro.solvers.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Shape

    End = tuple[float, float] | None

_AT_ONCE = 1 << 18  # steps of a path


class Route(NamedTuple):
    """A route in the units of what is drawn.

    Attributes
    ----------
    corners : ndarray of float32, shape (k, 2)
        (x, y) of its ends and of where it turns; NaN where it is broken, as it goes over the rim.
    seen : ndarray of bool, or None
        What was visited to find it.
    ends : (start, goal)
        Row and column of each, or None.
    name : str
    """

    corners: NDArray[np.float32]
    seen: NDArray[np.bool_] | None
    ends: tuple[End, End]
    name: str


def parse_routes(x: Maze | NDArray[np.uint8], given: Any) -> list[Route]:
    """Return the routes of one solution or path, of several, or of a mapping from names to them.

    Raises
    ------
    ValueError
        If one does not fit what is drawn.
    TypeError
        If a path holds no integers.
    """
    if given is None:
        ends = (x.start, x.goal) if isinstance(x, Maze) else (None, None)
        return [Route(np.empty((0, 2), np.float32), None, ends, "")]
    if isinstance(given, Mapping):
        return [_parse_route(x, one, str(name), f"solution[{name!r}]") for name, one in given.items()]
    if not _are_several(given):
        return [_parse_route(x, given, "path", "solution")]
    names = [one.algorithm if isinstance(one, Solution) else "path" for one in given]
    often, told = Counter(names), Counter[str]()
    for i, name in enumerate(names):
        told[name] += 1
        if often[name] > 1:
            names[i] = f"{name} {told[name]}"
    return [
        _parse_route(x, one, name, f"solution[{i}]")
        for i, (one, name) in enumerate(zip(given, names, strict=True))
    ]


def _are_several(given: Any) -> bool:
    """Tell a list of solutions and paths from a path, which is a list of places."""
    if not isinstance(given, list | tuple) or not given:
        return False
    first = next((one for one in given if isinstance(one, Solution) or np.size(one)), None)
    return isinstance(first, Solution) or np.ndim(first) == 2  # type: ignore[arg-type]  # None has 0


def _parse_route(x: Maze | NDArray[np.uint8], given: Any, name: str, argument: str) -> Route:
    in_cells = isinstance(x, Maze)
    shape = (x.rows, x.cols) if isinstance(x, Maze) else x.shape
    if not isinstance(given, Solution):
        path = _path(given, shape, argument, in_cells=in_cells)
        corners = _corners(_parts(path), shape, x.wrap if isinstance(x, Maze) else FLAT)
        first, last = (None, None) if len(path) == 0 else (tuple(p) for p in path[[0, -1]].tolist())
        return Route(corners, None, (first, last), name)
    own = given.space == "cells"
    if in_cells and not own:
        expected = 2 * shape[0] + 1, 2 * shape[1] + 1
    elif own and not in_cells:
        expected = (shape[0] - 1) // 2, (shape[1] - 1) // 2
    else:
        expected = shape
    if tuple(given.shape) != expected:
        msg = f"{argument} was found in {tuple(given.shape)} {given.space}; what is drawn has {expected}"
        raise ValueError(msg)
    scale, shift = (1.0, 0.0) if own == in_cells else (2.0, 1.0) if own else (0.5, -0.5)
    seen = given.explored
    if own != in_cells:
        seen = seen_sites(seen, 0, 2 * len(seen) + 1, given.wrap) if own else seen[1::2, 1::2]
    corners = _corners(_walked(given), given.shape, given.wrap) * np.float32(scale) + np.float32(shift)
    start, goal = ((row * scale + shift, col * scale + shift) for row, col in (given.start, given.goal))
    return Route(corners, seen, (start, goal), name)


def _walked(solution: Solution) -> Iterator[NDArray[np.int64]]:
    """Yield the path in parts, each beginning where the one before ends: a long one takes much memory."""
    row, col = solution.start
    height, width = solution.shape
    steps = solution._steps
    for first in range(0, len(steps), _AT_ONCE):
        part = _core.walk(steps[first : first + _AT_ONCE], row, col, 1, height, width, solution.moves)
        row, col = part[-1].tolist()
        yield part


def _parts(path: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    cuts = [*range(0, max(len(path) - 1, 0), _AT_ONCE), len(path) - 1]
    return (path[first : last + 1] for first, last in pairwise(cuts))


def _corners(parts: Iterable[NDArray[np.int64]], shape: Shape, wrap: Wrap) -> NDArray[np.float32]:
    """Return (x, y) of the ends of a path and of where it turns."""
    found = [np.empty((0, 2), np.float32)]
    for part in parts:
        route = _split_at_border(part, shape, wrap)
        kept = np.ones(len(route), np.bool_)
        down, across = np.diff(route, 2, axis=0).T
        kept[1:-1] = (down != 0) | (across != 0)
        kept[0] = len(found) == 1
        found.append(route[kept][:, ::-1].astype(np.float32))
    return np.concatenate(found)


def _split_at_border(path: NDArray[np.int64], shape: Shape, wrap: Wrap) -> NDArray[np.floating[Any]]:
    """Break a path over cells where it goes over the rim: it reaches the border on both sides."""
    if not any(wrap):
        return path.astype(np.float32)
    steps, over = steps_of(path, shape, wrap)
    before = np.flatnonzero(over)
    half = steps[before] / 2
    rim = np.stack([path[before] + half, np.full_like(half, np.nan), path[before + 1] - half], axis=1)
    return np.insert(path.astype(np.float64), np.repeat(before + 1, 3), rim.reshape(-1, 2), axis=0)


def _path(path: ArrayLike, shape: Shape, argument: str, *, in_cells: bool) -> NDArray[np.int64]:
    places = integers(path, argument)
    if places.size == 0:
        return np.empty((0, 2), np.int64)
    if places.ndim != 2 or places.shape[1] != 2:
        msg = f"{argument} must be a Solution or a path of shape (k, 2), not an array of {places.shape}"
        raise ValueError(msg)
    outside = ((places < 0) | (places >= shape)).any(axis=1)
    if outside.any():
        what, place = "cells" if in_cells else "sites", tuple(places[outside.argmax()].tolist())
        msg = f"{argument}: {place} is outside the {shape} {what} that are drawn"
        raise ValueError(msg)
    return places
