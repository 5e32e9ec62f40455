"""A maze as SVG: all its walls are one path, each line as long as it can be."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro.colors import LIGHT
from meiro.drawing.raster import runs_of, wall_segments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike
    from meiro.maze.maze import Maze
    from meiro.solvers.solution import Solution

WALL = 0.14
"""How wide a wall is, as a share of a cell."""

_PATH = 0.28
_DOT = 0.28
_EDGE = 0.125  # beyond the middle of the outer wall
_TEXT = 64  # bytes a cell while it is written; 55 were measured


def to_svg(
    maze: Maze,
    *,
    mm: float = 5.0,
    path: Solution | ArrayLike | None = None,
    start: CellLike | None = None,
    goal: CellLike | None = None,
) -> str:
    """Return a maze as SVG: see `Maze.to_svg`."""
    from meiro.drawing.text.render import path_sites

    side = _millimetres(mm)
    sites = None if path is None else path_sites(path, maze.grid, maze.wrap)
    ends = _ends(maze, path, sites)
    for name, cell in (("start", start), ("goal", goal)):
        if cell is not None:
            ends[name] = maze._cell(cell, name)
    return svg(maze, (side, "mm"), ends=ends, path=sites, style="background:#fff")


def svg(
    maze: Maze,
    cell: tuple[float, str],
    *,
    ends: Mapping[str, Cell | None],
    style: str,
    path: NDArray[np.int64] | None = None,
    thick: float = WALL,
    crisp: bool = False,
) -> str:
    """Write a maze, a path over the sites of its grid, and dots in the cells where they end.

    Parameters
    ----------
    cell : (float, str)
        The side of a cell, and its unit.
    style : str
        CSS of the whole.
    thick : float
        Width of a wall, as a share of a cell.
    crisp : bool
        Whether walls are drawn in whole pixels.
    """
    require(_TEXT * maze.passages.size, "the text of the picture", "write a .png, or crop a part")
    inner = ""
    if maze.mask is not None:
        row, first, last = runs_of(~maze.mask).T
        filled = _repeated("M%d %dh%dv1h%dz", first, row, last - first, first - last)
        inner = f'<path fill="{LIGHT.wall.hex}" d="{filled}"/>'
    (x, y), (x1, y1) = wall_segments(maze).transpose(1, 2, 0)
    flat = y == y1
    walls = _repeated("M%d %dh%d", x[flat], y[flat], (x1 - x)[flat])
    walls += _repeated("M%d %dv%d", x[~flat], y[~flat], (y1 - y)[~flat])
    how = ' shape-rendering="crispEdges"' if crisp else ""
    inner += (
        f'<path fill="none" stroke="{LIGHT.wall.hex}" stroke-width="{thick:.3g}" '
        f'stroke-linecap="square"{how} d="{walls}"/>'
    )
    if path is not None and len(path) > 1:
        inner += (
            f'<path fill="none" stroke="{LIGHT.path.hex}" stroke-width="{_PATH}" '
            f'stroke-linecap="round" stroke-linejoin="round" d="{_drawn(path)}"/>'
        )
    for name, end in ends.items():
        if end is not None:
            fill = getattr(LIGHT, name).hex
            inner += f'<circle cx="{end[1] + 0.5}" cy="{end[0] + 0.5}" r="{_DOT}" fill="{fill}"/>'
    width, height = maze.cols + 2 * _EDGE, maze.rows + 2 * _EDGE
    side, unit = cell
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{html.escape(about(maze))}" '
        f'width="{width * side:.10g}{unit}" height="{height * side:.10g}{unit}" '
        f'viewBox="{-_EDGE} {-_EDGE} {width} {height}" style="{style}">{inner}</svg>'
    )


def about(maze: Maze) -> str:
    """Return what is read to those who do not see the picture."""
    return f"maze, {repr(maze).strip('<>').removeprefix('Maze ')}"


def _repeated(form: str, *columns: NDArray[np.int64]) -> str:
    """Return one text for all rows of numbers: much faster than a text for each."""
    return form * len(columns[0]) % tuple(np.stack(columns, axis=1).reshape(-1).tolist())


def _drawn(sites: NDArray[np.int64]) -> str:
    """Return a path over sites, straight lines merged, and broken where it goes over the rim."""
    steps = np.diff(sites, axis=0)
    over = np.abs(steps).sum(axis=1) != 1
    ends = np.ones(len(sites), np.bool_)
    ends[1:-1] = (steps[1:] != steps[:-1]).any(axis=1)
    corners = sites[ends]
    jumps = np.concatenate([[True], over])[ends].tolist()
    text = []
    row = col = 0
    for (to, across), jump in zip(corners.tolist(), jumps, strict=True):
        if jump:
            text.append(f"M{across / 2:g} {to / 2:g}")
        else:
            text.append(f"h{(across - col) / 2:g}" if to == row else f"v{(to - row) / 2:g}")
        row, col = to, across
    return "".join(text)


def _ends(
    maze: Maze, path: Solution | ArrayLike | None, sites: NDArray[np.int64] | None
) -> dict[str, Cell | None]:
    """Return the cells to mark: the ends of the path, found or not, else those of the maze."""
    if sites is None:
        return {"start": maze.start, "goal": maze.goal}
    cells = (sites[(sites % 2 == 1).all(axis=1)] // 2).tolist()
    if cells:
        return {"start": (cells[0][0], cells[0][1]), "goal": (cells[-1][0], cells[-1][1])}
    found: Any = path
    return {"start": found.start, "goal": found.goal} if getattr(path, "space", "") == "cells" else {}


def _millimetres(mm: Any) -> float:
    try:
        side = math.nan if isinstance(mm, str) else float(mm)
    except (TypeError, ValueError):
        side = math.nan
    if not 0 < side < math.inf:
        msg = f"mm must be a positive number, the side of a cell in millimetres, not {short_repr(mm)}"
        raise ValueError(msg)
    return side
