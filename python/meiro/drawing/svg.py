"""A maze as SVG: all its walls are one path, each line as long as it can be."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.square import Cell, CellLike, existing_cell
from meiro._utils.validation import number
from meiro.colors import LIGHT
from meiro.drawing.raster import runs_of, wall_segments
from meiro.drawing.routes import parse_route, parse_routes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from meiro.maze.maze import Maze
    from meiro.results.solution import Solution

WALL = 0.14
"""How wide a wall is, as a share of a cell."""

_PATH = 0.28
_DOT = 0.28
_EDGE = 0.125  # beyond the middle of the outer wall
_TEXT = 64  # bytes a cell while it is written; 55 were measured

_MOST_MM = 1_000_000


def to_svg(
    maze: Maze,
    *,
    mm: float = 5.0,
    path: Solution | ArrayLike | None = None,
    start: CellLike | None = None,
    goal: CellLike | None = None,
) -> str:
    """Return a maze as SVG: see `Maze.to_svg`."""
    side = _millimetres(mm)
    (route,) = parse_routes(maze, path) if path is None else [parse_route(maze, path, "path")]
    ends = dict(zip(("start", "goal"), (_cell_at(maze, end) for end in route.ends), strict=True))
    for name, cell in (("start", start), ("goal", goal)):
        if cell is not None:
            ends[name] = existing_cell(cell, (maze.rows, maze.cols), maze.mask, name)
    return svg(maze, (side, "mm"), ends=ends, corners=route.corners, style="background:#fff")


def svg(
    maze: Maze,
    cell: tuple[float, str],
    *,
    ends: Mapping[str, Cell | None],
    style: str,
    corners: NDArray[np.float32] | None = None,
    thick: float = WALL,
    crisp: bool = False,
) -> str:
    """Return a maze, a path and its ends as an SVG element.

    Parameters
    ----------
    cell : (float, str)
        The side of a cell, and its unit.
    ends : mapping of str to (int, int) or None
        Cells with a dot in the colour of that name: "start", "goal".
    corners : ndarray of float32, shape (k, 2), optional
        (x, y) of the corners of a path, in cells; NaN where it is split.
    style : str
        CSS of the element.
    thick : float
        Width of a wall, as a share of a cell.
    crisp : bool
        Whether walls are aligned to whole pixels.
    """
    require(_TEXT * maze.passages.size, "the text of the picture", "write a .png, or crop a part")
    inner = ""
    if maze.mask is not None:
        row, first, last = runs_of(~maze.mask).T
        filled = repeated("M%d %dh%dv1h%dz", first, row, last - first, first - last)
        inner = f'<path fill="{LIGHT.wall.hex}" d="{filled}"/>'
    (x, y), (x1, y1) = wall_segments(maze).transpose(1, 2, 0)
    flat = y == y1
    walls = repeated("M%d %dh%d", x[flat], y[flat], (x1 - x)[flat])
    walls += repeated("M%d %dv%d", x[~flat], y[~flat], (y1 - y)[~flat])
    how = ' shape-rendering="crispEdges"' if crisp else ""
    inner += (
        f'<path fill="none" stroke="{LIGHT.wall.hex}" stroke-width="{thick:.3g}" '
        f'stroke-linecap="square"{how} d="{walls}"/>'
    )
    if corners is not None and len(corners) > 1:
        inner += (
            f'<path fill="none" stroke="{LIGHT.path.hex}" stroke-width="{_PATH}" '
            f'stroke-linecap="round" stroke-linejoin="round" d="{_polyline(corners)}"/>'
        )
    for name, end in ends.items():
        if end is not None:
            fill = getattr(LIGHT, name).hex
            inner += f'<circle cx="{end[1] + 0.5}" cy="{end[0] + 0.5}" r="{_DOT}" fill="{fill}"/>'
    width, height = maze.cols + 2 * _EDGE, maze.rows + 2 * _EDGE
    side, unit = cell
    label = html.escape(f"maze, {maze.description}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" '
        f'width="{width * side:.10g}{unit}" height="{height * side:.10g}{unit}" '
        f'viewBox="{-_EDGE} {-_EDGE} {width} {height}" style="{style}">{inner}</svg>'
    )


def repeated(form: str, *columns: NDArray[np.int64]) -> str:
    """Return one text for all rows of numbers: much faster than a text for each."""
    pieces = bands(len(columns[0]), 16)
    parts = (np.stack([column[band] for column in columns], axis=1) for band in pieces)
    return "".join(form * len(part) % tuple(part.reshape(-1).tolist()) for part in parts)


def _polyline(corners: NDArray[np.float32]) -> str:
    """Return the path data of lines from corner to corner; NaN starts a new line."""
    text = []
    x = y = math.nan
    for band in bands(len(corners), 16):
        part = []
        for x1, y1 in (corners[band] + np.float32(0.5)).tolist():
            if math.isnan(x):
                part.append(f"M{x1:g} {y1:g}")
            elif not math.isnan(x1):
                straight = f"h{x1 - x:g}" if y1 == y else f"v{y1 - y:g}"
                part.append(straight if x1 == x or y1 == y else f"l{x1 - x:g} {y1 - y:g}")
            x, y = x1, y1
        text.append("".join(part))
    return "".join(text)


def _cell_at(maze: Maze, end: tuple[float, float] | None) -> Cell | None:
    """Return the cell of an end that may lie in an opening of the border, or between two cells."""
    if end is None:
        return None
    row, col = (math.ceil(at) for at in end)
    return min(max(row, 0), maze.rows - 1), min(max(col, 0), maze.cols - 1)


def _millimetres(mm: Any) -> float:
    side = number(mm, "mm")
    if not 0 < side <= _MOST_MM:
        msg = (
            f"mm must be a positive number up to {_MOST_MM:,}, the side of a cell in millimetres, "
            f"not {short_repr(mm)}"
        )
        raise ValueError(msg)
    return side
