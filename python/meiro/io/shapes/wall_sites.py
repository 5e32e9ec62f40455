"""The maze whose walls are given as lines: the inverse of `wall_shapes`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import invalid_as
from meiro._utils.square import FLAT, checked_shape, checked_wrap
from meiro.mazes.maze import Maze

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

_MEMORY = 16  # bytes a cell
_EXACT = 0.02  # of a cell: how far from its corners the ends of a line may be
_NOISE = 1e-11  # of the largest coordinate: differences that are rounding
_ROUNDING = 1e-6  # of a cell: places that are nearer to multiples of it are these
_MOST_SIDE = 1 << 31


class WallLines(NamedTuple):
    """What a reader found.

    Attributes
    ----------
    segments : ndarray of float64, shape (n, 2, 2)
        Both ends (x, y) of straight lines, y up.
    place : callable
        ``place(i)`` says where in the file segment i stands.
    facts : mapping of str
        As of `meiro.io.shapes.wall_shapes.WallShapes`; empty if another program wrote the file.
    """

    segments: NDArray[np.float64]
    place: Callable[[int], str]
    facts: Mapping[str, str]


def segments_of(
    points: NDArray[np.float64], of: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the straight pieces of lines, shape (n, 2, 2), and their lines; `of` has that of each point."""
    within = of[1:] == of[:-1]
    pieces = np.stack([points[:-1], points[1:]], axis=1)[within]
    dots = (pieces[:, 0] == pieces[:, 1]).all(axis=1)
    return pieces[~dots], of[1:][within][~dots]


def maze_of_lines(lines: WallLines, name: str) -> Maze | NDArray[np.uint8]:
    """Return the maze of lines with facts, or the walls (1) and roads (0) of other lines.

    Raises
    ------
    ValueError
        If a line is not parallel to an axis, or an end is no corner of a cell; with its place.
    MemoryError
        If the maze is too large.
    """
    segments, place, facts = lines
    wrong = ~np.isfinite(segments).all(axis=(1, 2))
    if wrong.any():
        msg = f"{name}, {place(int(wrong.argmax()))}: a coordinate is not finite"
        raise ValueError(msg)
    shape, unit, low = None, 1.0, np.zeros(2)
    if "shape" in facts:
        shape, unit = _told(facts, name)
    else:
        if not len(segments):
            msg = f"{name} has no lines, so that nothing says how large its maze is"
            raise ValueError(msg)
        low = segments.min(axis=(0, 1))
        unit = _cell(segments - low, _NOISE * float(np.abs(segments).max()))
    corners = (segments - low) / unit
    ends = np.rint(corners)
    slanted = (ends[:, 0] != ends[:, 1]).all(axis=1)
    off = (np.abs(corners - ends) > _EXACT).any(axis=(1, 2))
    if (off | slanted).any():
        i = int((off | slanted).argmax())
        (x, y), (x1, y1) = segments[i].tolist()
        line = f"{name}, {place(i)}: the line from ({x:.12g}, {y:.12g}) to ({x1:.12g}, {y1:.12g})"
        why = (
            "is not parallel to an axis; a GraphMaze is read from .npz"
            if slanted[i]
            else "ends inside a cell"
        )
        msg = f"{line} {why}" if slanted[i] else f"{line} {why}: cells have a side of {unit:g}"
        raise ValueError(msg)
    if shape is None:
        cols, rows = (int(side) for side in np.clip(ends.max(axis=(0, 1)), 0, _MOST_SIDE))
        if rows == 0 or cols == 0:
            msg = f"{name}: its lines lie in one row, so that there is no cell between them"
            raise ValueError(msg)
        shape = rows, cols
    outside = ((ends < 0) | (ends > shape[::-1])).any(axis=(1, 2))
    if outside.any():
        i = int(outside.argmax())
        msg = f"{name}, {place(i)}: the line leaves the maze, of {shape[0]:,} x {shape[1]:,} cells"
        raise ValueError(msg)
    require(_MEMORY * shape[0] * shape[1], f"{name}, a maze of {shape}", "cut it into parts")
    sites = _sites(ends.astype(np.int64), shape)
    if "shape" not in facts:
        return sites
    with invalid_as(f"{name}: what it says of its maze is damaged", ValueError, TypeError, RecursionError):
        wrap = checked_wrap(json.loads(facts["wrap"]), shape) if "wrap" in facts else FLAT
        mask = _unpacked(json.loads(facts["mask"]), shape) if "mask" in facts else None
        if mask is not None:
            _fill_outside(sites, mask, wrap)
        return Maze.from_grid(sites, mask=mask, wrap=wrap)


def _told(facts: Mapping[str, str], name: str) -> tuple[tuple[int, int], float]:
    """Return the shape of a maze, and the side of its cells."""
    with invalid_as(f"{name}: what it says of its maze is damaged", ValueError, TypeError, RecursionError):
        unit = float(json.loads(facts.get("mm", "1")))
        if not 0 < unit < np.inf:
            msg = f"mm is {unit:g}"
            raise ValueError(msg)
        return checked_shape(json.loads(facts["shape"])), unit


def packed(mask: NDArray[np.bool_]) -> str:
    """Return a mask as hexadecimal digits, eight cells a pair, row by row."""
    return np.packbits(mask).tobytes().hex()


def _unpacked(text: str, shape: tuple[int, int]) -> NDArray[np.bool_]:
    size = shape[0] * shape[1]
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(text), np.uint8))
    if not 0 <= len(bits) - size < 8:
        msg = f"its mask has {len(text)} digits, and {size:,} cells need {-(-size // 8) * 2}"
        raise ValueError(msg)
    return bits[:size].reshape(shape).view(np.bool_)


def _cell(segments: NDArray[np.float64], noise: float) -> float:
    """Return the side of the largest cells at whose corners all lines end, up to `_EXACT` of it.

    Places that are much nearer to each other than others are taken for one, written inexactly, if that gives
    larger cells and they are not exact multiples of small ones.
    """
    places = np.unique(segments)
    gaps = np.unique(np.diff(places))
    gaps = gaps[gaps > noise]
    if not len(gaps):
        return 1.0
    finest = _common_divisor(_one_of_near(places, noise), noise)
    far = np.abs(places - finest * np.rint(places / finest))
    if finest >= gaps[0] / 2 and (far <= _ROUNDING * finest).all():
        return finest  # small ones, but what is multiples of them is not noise
    coarser = np.flatnonzero(gaps[:-1] <= 2 * _EXACT * gaps[1:])
    for inexact in gaps[coarser][::-1].tolist():
        unit = _common_divisor(_one_of_near(places, inexact), max(noise, inexact))
        far = np.abs(places - unit * np.rint(places / unit))
        if inexact <= 2 * _EXACT * unit and (far <= max(_EXACT * unit, noise)).all():
            return unit
    return finest


def _one_of_near(places: NDArray[np.float64], near: float) -> NDArray[np.float64]:
    """Return the middle of each run of places of which each is near to the next; the first one is 0."""
    ends = np.flatnonzero(np.append(np.diff(places) > near, True))
    middles: NDArray[np.float64] = (places[np.append(0, ends[:-1] + 1)] + places[ends]) / 2
    middles[0] = 0.0
    return middles


def _common_divisor(places: NDArray[np.float64], noise: float) -> float:
    """Return the largest number of which all places are multiples, by Euclid's algorithm."""
    gaps = np.diff(places)
    unit = float(np.median(gaps[gaps <= (1 + 4 * _EXACT) * gaps.min()]))
    reach = 1.0
    while True:
        near = places[places <= reach * unit]
        steps = np.rint(near / unit)
        rest = np.abs(near - unit * steps)
        left = rest[rest > max(_EXACT * unit, noise)]
        if len(left):
            unit, reach = float(left.min()), 1.0
            continue
        if steps.any():  # what is rounded in the file adds up: from near to far
            unit = float(near @ steps / (steps @ steps))
        if len(near) == len(places):
            return unit
        reach *= 2


def _sites(ends: NDArray[np.int64], shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return the grid of a maze with the walls between corners (x, y), y up."""
    rows, cols = shape
    sites = np.zeros((2 * rows + 1, 2 * cols + 1), np.uint8)
    sites[::2, ::2] = 1
    x, y = np.sort(ends, axis=1).transpose(2, 1, 0)
    flat = y[0] == y[1]
    across, down = np.zeros((rows + 1, cols + 1), np.int32), np.zeros((rows + 1, cols + 1), np.int32)
    np.add.at(across, (rows - y[0][flat], x[0][flat]), 1)
    np.add.at(across, (rows - y[0][flat], x[1][flat]), -1)
    np.add.at(down, (rows - y[1][~flat], x[0][~flat]), 1)
    np.add.at(down, (rows - y[0][~flat], x[0][~flat]), -1)
    sites[::2, 1::2] = across.cumsum(axis=1)[:, :-1] > 0
    sites[1::2, ::2] = down.cumsum(axis=0)[:-1] > 0
    return sites


def _fill_outside(sites: NDArray[np.uint8], mask: NDArray[np.bool_], wrap: Any) -> None:
    """Fill cells that do not exist, and the sites between two of them, which `wall_shapes` leaves out."""
    sites[1::2, 1::2][~mask] = 1
    for axis, doors in ((0, sites[::2, 1::2]), (1, sites[1::2, ::2])):
        ends = [(1, 1) if along == axis else (0, 0) for along in (0, 1)]
        cells = np.pad(mask, ends, mode="wrap") if wrap[axis] else np.pad(mask, ends)
        before, after = (cells[:-1], cells[1:]) if axis == 0 else (cells[:, :-1], cells[:, 1:])
        doors[~(before | after)] = 1
