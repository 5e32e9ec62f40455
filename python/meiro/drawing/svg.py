"""Mazes as SVG: all walls of a maze are one path, each line as long as it can be."""

from __future__ import annotations

import html
import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro._utils.messages import refuse_unknown
from meiro._utils.options import PictureOptions
from meiro.drawing.page import (
    EDGE,
    PATH,
    Label,
    Page,
    Placed,
    format_of,
    label_of,
    outline_edge,
    page_of,
    shown_of,
    title_of,
)
from meiro.drawing.palette import COLORS
from meiro.drawing.picture import MARKS, Pen, picture_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from meiro.drawing.lines import Lines
    from meiro.drawing.picture import Geometry, Layer, Picture
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze

_TEXT = 64  # bytes a cell while it is written; 55 were measured


def to_svg(maze: Maze | GraphMaze, **options: Any) -> str:
    """Return a maze as SVG: see `Maze.to_svg` and `GraphMaze.to_svg`."""
    ends = [options.pop(name, None) for name in ("solution", "start", "goal")]
    takes = PictureOptions.__annotations__
    refuse_unknown("to_svg", (name for name in options if name not in takes), ("solution", *takes))
    puzzle = options.get("page") is not None
    return pictures_svg([picture_of(maze, *ends, **shown_of(options), puzzle=puzzle)], options)


def pictures_svg(pictures: Sequence[Picture], options: Mapping[str, Any]) -> str:
    """Return mazes as SVG; a single one on a page of its own size is drawn in cells, else in millimetres."""
    for one in pictures:
        _require(one.geometry)
    page, form = page_of(pictures, options, "fit"), format_of(options, "fit")
    if form.paper is None and form.margin == 0 and not title_of(options) and len(pictures) == 1:
        return _alone(page.mazes[0], page.pen, "mm", ground=True)
    return page_svg(page)


def card_svg(picture: Picture, cell: tuple[float, str], wall: float, style: str) -> str:
    """Return a maze as an SVG element for a screen, with straight walls aligned to whole pixels.

    Parameters
    ----------
    picture : Picture
    cell : (float, str)
        The side of a cell, and its unit.
    wall : float
        Width of a wall, in this unit.
    style : str
        CSS of the element.
    """
    _require(picture.geometry)
    side, unit = cell
    pen = Pen(None, None, picture.geometry.caps, COLORS, "blank")
    return _alone(Placed(picture, 0, 0, side, wall, PATH * side), pen, unit, style, crisp=True)


def page_svg(page: Page) -> str:
    """Return a page as SVG, in millimetres."""
    inner = [
        f'<g transform="translate({one.left:.6g} {one.top:.6g}) scale({one.cell:.8g})">'
        f"{_elements(one, page.pen)}</g>"
        for one in page.mazes
    ]
    inner += [text_element(one) for one in page.labels]
    about = "; ".join(dict.fromkeys(f"maze, {one.picture.geometry.maze.description}" for one in page.mazes))
    box = 0.0, 0.0, page.width, page.height
    return svg_element(box, (1, "mm"), about, "", _ground(box) + "".join(inner))


def _ground(box: tuple[float, ...]) -> str:
    """Return white paper: not every program knows backgrounds of CSS."""
    left, top, width, height = (f"{side:.10g}" for side in box)
    return f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#fff"/>'


def text_element(label: Label) -> str:
    """Return a line of text."""
    text, x, y, size, color, anchor = label
    return (
        f'<text x="{x:.6g}" y="{y:.6g}" font-size="{size:.4g}" text-anchor="{anchor}" '
        f'font-family="DejaVu Sans, sans-serif" fill="{color}">{html.escape(text)}</text>'
    )


def _require(geometry: Geometry) -> None:
    require(_TEXT * geometry.places, "the text of the picture", "write a .png, or draw a part")


def _alone(
    one: Placed, pen: Pen, unit: str, style: str = "", *, crisp: bool = False, ground: bool = False
) -> str:
    """Return a maze as an element whose unit is a cell, with cell (0, 0) at 0, 0."""
    edge = max(EDGE, one.wall / one.cell / 2 + outline_edge(one.picture, pen, one.cell))
    left, top, *_ = one.picture.box
    width, height = one.picture.size
    box = left - edge, top - edge, width + 2 * edge, height + 2 * edge
    inner = _ground(box) * ground + _elements(one, pen, crisp=crisp)
    return svg_element(box, (one.cell, unit), f"maze, {one.picture.geometry.maze.description}", style, inner)


def svg_element(box: tuple[float, ...], unit: tuple[float, str], about: str, style: str, inner: str) -> str:
    """Return the element; a unit of its coordinates has the length `unit`."""
    left, top, width, height = box
    scale, name = unit
    how = f' style="{style}"' if style else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{html.escape(about)}" '
        f'width="{width * scale:.10g}{name}" height="{height * scale:.10g}{name}" '
        f'viewBox="{left:.10g} {top:.10g} {width:.10g} {height:.10g}"{how}>{inner}</svg>'
    )


def _elements(one: Placed, pen: Pen, *, crisp: bool = False) -> str:
    """Return what is drawn of a maze, in cells: a path for each layer."""
    digits = 3 if pen.outline is None else 6
    inner = "".join(
        path_element(layer, pen.colors[layer.color], digits, crisp=crisp) for layer in one.layers(pen)
    )
    x, y = one.picture.geometry.corner
    if x or y:
        inner = f'<g transform="translate({x:.6g} {y:.6g})">{inner}</g>'
    inner += "".join(text_element(Label(*title, pen.colors["text"])) for title in one.picture.geometry.titles)
    return inner + _marks(one.picture, pen.colors)


def path_element(layer: Layer, color: str, digits: int = 3, *, crisp: bool = False) -> str:
    """Return the element of a layer in a colour; nothing if it has no lines."""
    lines, _, width, caps, opacity = layer
    data = lines_data(lines, digits)
    if not data or width is None:
        return f'<path fill="{color}" d="{data}"/>' if data else ""
    how = "" if caps == "square" else ' stroke-linejoin="round"'
    how += ' shape-rendering="crispEdges"' if caps == "square" and crisp else ""
    how += "" if opacity == 1 else f' stroke-opacity="{opacity:g}"'
    pen = f'stroke="{color}" stroke-width="{width:.3g}" stroke-linecap="{caps}"{how}'
    return f'<path fill="none" {pen} d="{data}"/>'


def lines_data(lines: Lines, digits: int = 3) -> str:
    """Return lines as path data, relative; numbers have so many digits after the point."""
    if lines.points.dtype.kind == "i":
        return _whole_data(lines)
    numbers: list[list[int]] = (
        np.round(10**digits * lines.points.astype(np.float64)).astype(np.int64).tolist()
    )
    number = partial(_number, digits=digits)
    arcs = [False] * len(numbers) if lines.arcs is None else lines.arcs.tolist()
    text = []
    first = 0
    for last in lines.starts[1:].tolist():
        (x, y), begin, letter = numbers[first], numbers[first], ""
        part = [f"M{number(x)}{number(y, after=True)}"]
        closes = last - first > 2 and numbers[last - 1] == begin and not arcs[last - 1]
        for i in range(first + 1, last - closes):
            x1, y1 = numbers[i]
            if arcs[i]:
                part.append(_arc((x, y), (x1, y1), digits))
                letter = ""
            elif y1 == y:
                part.append(f"h{number(x1 - x)}")
                letter = ""
            elif x1 == x:
                part.append(f"v{number(y1 - y)}")
                letter = ""
            else:
                dx = number(x1 - x)
                part.append(
                    ("l" if not letter else "" if dx[0] == "-" else " ") + dx + number(y1 - y, after=True)
                )
                letter = "l"
            x, y = x1, y1
        if len(part) == 1:  # a dot
            part.append("h0")
        text.append("".join(part) + "z" * closes)
        first = last
    return "".join(text)


def _whole_data(lines: Lines) -> str:
    """Return straight lines or rectangles of whole cells as path data, much faster."""
    if len(lines.points) == 5 * (len(lines.starts) - 1):
        (x, y), _, (x1, y1), *_ = lines.points.reshape(-1, 5, 2).transpose(1, 2, 0)
        return repeated("M%d %dh%dv%dh%dz", x, y, x1 - x, y1 - y, x - x1)
    (x, y), (x1, y1) = lines.points.reshape(-1, 2, 2).transpose(1, 2, 0)
    flat = y == y1
    across = repeated("M%d %dh%d", x[flat], y[flat], (x1 - x)[flat])
    return across + repeated("M%d %dv%d", x[~flat], y[~flat], (y1 - y)[~flat])


def _arc(begin: tuple[int, int], end: tuple[int, int], digits: int) -> str:
    """Return an arc around the origin, the shorter way; a whole circle if the ends are equal."""
    (x, y), (x1, y1), unit = begin, end, 10**digits
    radius = math.hypot(x, y) / unit
    if begin == end:
        half = f"a{radius:.6g} {radius:.6g} 0 0 1"
        return f"{half} {-2 * x / unit:g} {-2 * y / unit:g}{half} {2 * x / unit:g} {2 * y / unit:g}"
    sweep = int(x * y1 - y * x1 > 0)
    dx, dy = (_number(step, after=True, digits=digits) for step in (x1 - x, y1 - y))
    return f"a{radius:.6g} {radius:.6g} 0 0 {sweep}{dx}{dy}"


def _number(value: int, *, digits: int, after: bool = False) -> str:
    """Return a number as short as SVG takes it; `after` another one, with what parts them."""
    whole, rest = divmod(abs(value), 10**digits)
    text = f"{whole or ''}.{rest:0{digits}d}".rstrip("0") if rest else str(whole)
    return f"-{text}" if value < 0 else f" {text}" if after else text


def _marks(picture: Picture, colors: Mapping[str, str]) -> str:
    """Return the dot of the start and the ring of the goal, and labels."""
    inner = ""
    for name, (x, y) in picture.middles:
        radius, rim = MARKS[name]
        fill, stroke = colors[name], ""
        if rim:
            fill, stroke = "#fff", f' stroke="{fill}" stroke-width="{rim}"'
        inner += f'<circle cx="{x:.6g}" cy="{y:.6g}" r="{radius}" fill="{fill}"{stroke}/>'
    for word in picture.words:
        inner += text_element(label_of(word, colors))
    return inner


def repeated(form: str, *columns: NDArray[np.int64]) -> str:
    """Return one text for all rows of numbers: much faster than a text for each."""
    pieces = bands(len(columns[0]), 64)
    parts = (np.stack([column[band] for column in columns], axis=1) for band in pieces)
    return "".join(form * len(part) % tuple(part.reshape(-1).tolist()) for part in parts)
