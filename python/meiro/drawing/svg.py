"""Mazes as SVG: all walls of a maze are one path, each line as long as it can be."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro.drawing.graph_picture import GraphPicture, graph_picture_of, layers
from meiro.drawing.page import (
    COLORS,
    DOT,
    EDGE,
    PATH,
    RING,
    WALL,
    Page,
    Pen,
    Picture,
    Placed,
    format_of,
    lay_out,
    marks_of,
    pen_of,
    picture_of,
    title_of,
)
from meiro.drawing.raster import runs_of, wall_segments
from meiro.mazes.maze import Maze
from meiro.spaces.space_of import mazes_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import Cell
    from meiro.drawing.graph_outline import Lines
    from meiro.mazes.graph_maze import GraphMaze

_TEXT = 64  # bytes a cell while it is written; 55 were measured


def to_svg(maze: Maze | GraphMaze, **options: Any) -> str:
    """Return a maze as SVG: see `Maze.to_svg` and `GraphMaze.to_svg`."""
    ends = (options.pop(name, None) for name in ("solution", "start", "goal"))
    puzzle = options.get("page") is not None
    return pictures_svg([shown(maze, *ends, marks=marks_of(options), puzzle=puzzle)], options)


def shown(
    maze: Any,
    path: Any = None,
    start: Any = None,
    goal: Any = None,
    *,
    marks: bool = True,
    puzzle: bool = False,
    name: str = "solution",
) -> Picture | GraphPicture:
    """Return a maze of any kind with its path and the ends of it, checked, as `picture_of`."""
    if mazes_of(maze).on_lattice:
        return graph_picture_of(maze, path, start, goal, marks=marks, puzzle=puzzle)
    return picture_of(maze, path, start, goal, marks=marks, puzzle=puzzle, name=name)


def pictures_svg(pictures: Sequence[Picture | GraphPicture], options: Mapping[str, Any]) -> str:
    """Return mazes as SVG; a single one on a page of its own size is drawn in cells, else in millimetres."""
    for one in pictures:
        _require(one.maze)
    pen, form, title = pen_for(pictures, options), format_of(options, "fit"), title_of(options)
    page = lay_out(pictures, pen, form, title)
    if form.paper is None and form.margin == 0 and not title and len(pictures) == 1:
        return _alone(page.mazes[0], pen, "mm", "background:#fff")
    return page_svg(page)


def pen_for(pictures: Sequence[Picture | GraphPicture], options: Mapping[str, Any]) -> Pen:
    """Return the pen of pictures: walls that meet at any angle have round ends, if nobody wants others."""
    return pen_of(options, "square" if isinstance(pictures[0], Picture) else "round")


def svg(
    maze: Maze,
    cell: tuple[float, str],
    *,
    ends: Mapping[str, Cell | None],
    style: str,
    thick: float = WALL,
) -> str:
    """Return a maze and its ends as an SVG element for a screen, with walls aligned to whole pixels.

    Parameters
    ----------
    cell : (float, str)
        The side of a cell, and its unit.
    ends : mapping of str to (int, int) or None
        Cells with a mark in the colour of that name: "start", "goal".
    style : str
        CSS of the element.
    thick : float
        Width of a wall, as a share of a cell.
    """
    _require(maze)
    side, unit = cell
    shown = Placed(Picture(maze, None, ends), 0, 0, side, thick * side, PATH * side)
    return _alone(shown, Pen(None, None, "square", COLORS, "blank"), unit, style, crisp=True)


def graph_card_svg(picture: GraphPicture, side: float, style: str) -> str:
    """Return a maze on a lattice as an SVG element for a screen; a cell has `side` pixels."""
    _require(picture.maze)
    shown = Placed(picture, 0, 0, side, max(WALL * side, 1.0), PATH * side)
    return _alone(shown, Pen(None, None, "round", COLORS, "blank"), "", style)


def page_svg(page: Page) -> str:
    """Return a page as SVG, in millimetres."""
    inner = [
        f'<g transform="translate({one.left:.6g} {one.top:.6g}) scale({one.cell:.8g})">'
        f"{_elements(one, page.pen)}</g>"
        for one in page.mazes
    ]
    inner += [_text(one.text, one.x, one.y, one.size, one.color) for one in page.labels]
    about = "; ".join(dict.fromkeys(f"maze, {one.picture.maze.description}" for one in page.mazes))
    box = 0.0, 0.0, page.width, page.height
    return _element(box, (1, "mm"), about, "background:#fff", "".join(inner))


def _text(text: str, x: float, y: float, size: float, color: str) -> str:
    return (
        f'<text x="{x:.6g}" y="{y:.6g}" font-size="{size:.4g}" text-anchor="middle" '
        f'font-family="DejaVu Sans, sans-serif" fill="{color}">{html.escape(text)}</text>'
    )


def _require(maze: Maze | GraphMaze) -> None:
    places = maze.passages.size if isinstance(maze, Maze) else maze.lattice.n_edges + maze.n_cells
    require(_TEXT * places, "the text of the picture", "write a .png, or draw a part")


def _alone(one: Placed, pen: Pen, unit: str, style: str, *, crisp: bool = False) -> str:
    """Return a maze as an element whose unit is a cell, with cell (0, 0) at 0, 0."""
    edge = max(EDGE, one.wall / one.cell / 2)
    width, height = one.picture.size
    box = -edge, -edge, width + 2 * edge, height + 2 * edge
    inner = _elements(one, pen, crisp=crisp)
    return _element(box, (one.cell, unit), f"maze, {one.picture.maze.description}", style, inner)


def _element(box: tuple[float, ...], unit: tuple[float, str], about: str, style: str, inner: str) -> str:
    """Return the element; a unit of its coordinates has the length `unit`."""
    left, top, width, height = box
    scale, name = unit
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{html.escape(about)}" '
        f'width="{width * scale:.10g}{name}" height="{height * scale:.10g}{name}" '
        f'viewBox="{left:.10g} {top:.10g} {width:.10g} {height:.10g}" style="{style}">{inner}</svg>'
    )


def _elements(one: Placed, pen: Pen, *, crisp: bool = False) -> str:
    """Return what is drawn of a maze, in cells."""
    drawn = (
        _of_lattice(one, one.picture, pen)
        if isinstance(one.picture, GraphPicture)
        else _of_squares(one, one.picture, pen, crisp=crisp)
    )
    return drawn + _marks(one.picture.middles(), pen.colors)


def _of_squares(one: Placed, picture: Picture, pen: Pen, *, crisp: bool) -> str:
    maze, corners, *_ = picture
    colors, inner = pen.colors, ""
    if colors["road"] != COLORS["road"]:
        inner += _filled(
            np.ones(maze.passages.shape, np.bool_) if maze.mask is None else maze.mask, colors["road"]
        )
    if maze.mask is not None and pen.outside == "wall":
        inner += _filled(~maze.mask, colors["wall"])
    (x, y), (x1, y1) = wall_segments(maze, outside=pen.outside).transpose(1, 2, 0)
    flat = y == y1
    walls = repeated("M%d %dh%d", x[flat], y[flat], (x1 - x)[flat])
    walls += repeated("M%d %dv%d", x[~flat], y[~flat], (y1 - y)[~flat])
    how = ' shape-rendering="crispEdges"' if crisp else ""
    inner += (
        f'<path fill="none" stroke="{colors["wall"]}" stroke-width="{one.wall / one.cell:.3g}" '
        f'stroke-linecap="{pen.caps}"{how} d="{walls}"/>'
    )
    if corners is not None and len(corners) > 1:
        inner += (
            f'<path fill="none" stroke="{colors["path"]}" stroke-width="{one.path / one.cell:.3g}" '
            f'stroke-linecap="round" stroke-linejoin="round" d="{_polyline(corners)}"/>'
        )
    return inner


def _of_lattice(one: Placed, picture: GraphPicture, pen: Pen) -> str:
    """Return what is drawn of a maze on a lattice: a path for each layer."""
    inner = ""
    road = pen.colors["road"] != COLORS["road"]
    for lines, name, width, caps, opacity in layers(
        picture, wall=one.wall / one.cell, path=one.path / one.cell, caps=pen.caps, road=road
    ):
        color, data = pen.colors[name], lines_data(lines)
        if data and width is None:
            inner += f'<path fill="{color}" d="{data}"/>'
        elif data:
            join = "" if caps == "square" else ' stroke-linejoin="round"'
            join += "" if opacity == 1 else f' stroke-opacity="{opacity:g}"'
            inner += (
                f'<path fill="none" stroke="{color}" stroke-width="{width:.3g}" '
                f'stroke-linecap="{caps}"{join} d="{data}"/>'
            )
    left, top, *_ = picture.plane.box
    cell = picture.plane.cell
    titles = "".join(_text(*title, pen.colors["text"]) for title in picture.titles())
    return f'<g transform="translate({-left / cell:.6g} {-top / cell:.6g})">{inner}</g>{titles}'


def lines_data(lines: Lines) -> str:
    """Return lines as path data, relative and in thousandths of a unit."""
    numbers: list[list[int]] = np.round(1000 * lines.points).astype(np.int64).tolist()
    arcs = [False] * len(numbers) if lines.arcs is None else lines.arcs.tolist()
    text = []
    first = 0
    for last in lines.starts[1:].tolist():
        (x, y), begin, letter = numbers[first], numbers[first], ""
        part = [f"M{_number(x)}{_number(y, after=True)}"]
        closes = last - first > 2 and numbers[last - 1] == begin and not arcs[last - 1]
        for i in range(first + 1, last - closes):
            x1, y1 = numbers[i]
            if arcs[i]:
                part.append(_arc(x, y, x1, y1))
                letter = ""
            elif y1 == y:
                part.append(f"h{_number(x1 - x)}")
                letter = ""
            elif x1 == x:
                part.append(f"v{_number(y1 - y)}")
                letter = ""
            else:
                dx = _number(x1 - x)
                part.append(
                    ("l" if not letter else "" if dx[0] == "-" else " ") + dx + _number(y1 - y, after=True)
                )
                letter = "l"
            x, y = x1, y1
        if len(part) == 1:  # a dot
            part.append("h0")
        text.append("".join(part) + "z" * closes)
        first = last
    return "".join(text)


def _arc(x: int, y: int, x1: int, y1: int) -> str:
    """Return an arc around the origin, the shorter way; a whole circle if the ends are equal."""
    radius = math.hypot(x, y) / 1000
    if (x, y) == (x1, y1):
        half = f"a{radius:.6g} {radius:.6g} 0 0 1"
        return f"{half} {-2 * x / 1000:g} {-2 * y / 1000:g}{half} {2 * x / 1000:g} {2 * y / 1000:g}"
    sweep = int(x * y1 - y * x1 > 0)
    return f"a{radius:.6g} {radius:.6g} 0 0 {sweep}{_number(x1 - x, after=True)}{_number(y1 - y, after=True)}"


def _number(thousandths: int, *, after: bool = False) -> str:
    """Return a number as short as SVG takes it; `after` another one, with what parts them."""
    whole, rest = divmod(abs(thousandths), 1000)
    text = f"{whole or ''}.{rest:03d}".rstrip("0") if rest else str(whole)
    return f"-{text}" if thousandths < 0 else f" {text}" if after else text


def _marks(middles: Mapping[str, tuple[float, float]], colors: Mapping[str, str]) -> str:
    """Return the dot of the start and the ring of the goal."""
    inner = ""
    for name, (x, y) in middles.items():
        place = f'cx="{x:.6g}" cy="{y:.6g}"'
        radius, width = RING
        inner += (
            f'<circle {place} r="{DOT}" fill="{colors[name]}"/>'
            if name == "start"
            else f'<circle {place} r="{radius}" fill="#fff" stroke="{colors[name]}" stroke-width="{width}"/>'
        )
    return inner


def _filled(cells: NDArray[np.bool_], color: str) -> str:
    row, first, last = runs_of(cells).T
    return f'<path fill="{color}" d="{repeated("M%d %dh%dv1h%dz", first, row, last - first, first - last)}"/>'


def repeated(form: str, *columns: NDArray[np.int64]) -> str:
    """Return one text for all rows of numbers: much faster than a text for each."""
    pieces = bands(len(columns[0]), 64)
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
