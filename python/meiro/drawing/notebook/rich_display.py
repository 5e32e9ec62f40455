"""Rich displays of mazes, batches, solutions, traces and registries in notebooks, without matplotlib.

A small maze is an SVG with one path for all its walls, a larger one a PNG with one pixel per site, a huge one
a PNG of averages. No display has more than `MOST_BYTES` bytes of HTML, and none sets a text colour, since a
page may be light or dark: pictures have a white background of their own.
"""

from __future__ import annotations

import base64
import html
import io
import re
from typing import TYPE_CHECKING

import numpy as np

from meiro._utils import png
from meiro._utils.pixel_layout import layout_of
from meiro.colors import LIGHT
from meiro.drawing.page import WALL
from meiro.drawing.raster import Span, block_means, wall_coverage
from meiro.drawing.svg import svg
from meiro.maze._outside import outside_sites
from meiro.maze.coordinates import explored_sites
from meiro.seeds import plain_seed
from meiro.traces.events import Paint, State
from meiro.traces.frame_deltas import frame_colors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.maze.batch import MazeBatch
    from meiro.maze.maze import Maze
    from meiro.results.solution import Solution
    from meiro.traces.trace import Trace

MOST_BYTES = 100_000
"""Bytes of HTML of any display, even of a maze that cannot be compressed."""


_SVG_CELLS, _CELL = 2500, 24  # cells up to which a maze is an SVG, and pixels of a cell at most
_MAZE_SITES, _MAZE_REDUCED = 700, 360  # per side: sites that are pixels, else pixels
_MAZE_SIDE = 560  # pixels on the screen
_THUMBS = 3  # of a batch, each a third as large as one maze
_FRAMES = 4
_EXACT = 181  # sites a side up to which solutions and frames of traces show each: four fit into a display
_REDUCED = 120  # pixels a side of larger frames
_SOLUTION_SIDE, _FRAME_SIDE = 320, 200  # pixels on the screen that small ones grow to
_LEAST_SIDE = 8  # pixels: a maze of one row is still seen
_MOST_SITES = 1 << 20  # of a trace that is drawn
_MOST_STEPS = 1 << 22  # of a path that is drawn

_BOX = "display:inline-block;background:#fff;padding:6px;border-radius:4px;line-height:0;max-width:100%"
_NOTE = "font-size:90%;opacity:0.75;margin-top:2px"
_SEED = "font-family:monospace;font-size:80%;opacity:0.6"
_PAINTS = np.array(LIGHT[:16], np.uint8)
_WEIGHTS = np.ones(16)
_WEIGHTS[[State.BUILT, Paint.WALL]] = 1 / 6  # thin, as in a larger picture
_GREYS = np.repeat(np.arange(0, 256, 17), 3).reshape(-1, 3).astype(np.uint8)
_CUBE = (51 * np.indices((6, 6, 6)).reshape(3, -1).T).astype(np.uint8)


def maze_html(maze: Maze) -> str:
    """Return a picture of a maze, its size and algorithm, and its seed.

    Examples
    --------
    >>> html = meiro.drawing.notebook.rich_display.maze_html(meiro.Maze([[2, 8]]))
    >>> "1 row x 2 cols" in html, len(html) < 1000
    (True, True)
    """
    picture, reduced = _maze_picture(maze)
    seed = (
        ""
        if maze.seed is None
        else f'<div style="{_SEED}">{html.escape(f"rng={plain_seed(maze.seed)}")}</div>'
    )
    return f"<div>{_box(picture)}{_note(maze.description + reduced)}{seed}</div>"


def batch_html(batch: MazeBatch) -> str:
    """Return pictures of the first mazes of a batch, and its size and algorithm."""
    count = min(len(batch), _THUMBS)
    boxes = "".join(_box(_maze_picture(maze, _THUMBS)[0], "margin-right:8px") for maze in batch[:count])
    text = f"{len(batch):,} maze{'s' * (len(batch) != 1)}, {batch.description}"
    more = f"; the first {count} are shown" if len(batch) > count else ""
    return f"<div><div>{boxes}</div>{_note(text + more)}</div>"


def solution_html(solution: Solution) -> str:
    """Return a picture of the path and of the cells explored, and a summary.

    The maze is not in it, since a solution does not hold its maze: `meiro.plot` draws both.

    Examples
    --------
    >>> html = meiro.solve(meiro.Maze([[2, 8]]))._repr_html_()
    >>> "1 step in cells, bfs from (0, 0) to (0, 1), 2 explored" in html
    True
    """
    words = solution.description
    in_cells = solution.space == "cells"
    rows, cols = solution.shape
    ends = np.array([solution.start, solution.goal])
    exact = max(2 * rows + 1, 2 * cols + 1) <= _EXACT if in_cells else max(rows, cols) <= _EXACT
    if exact:
        seen, path = solution.explored, solution.grid_path
        if in_cells:
            seen, ends = explored_sites(seen, 0, 2 * rows + 1, solution.wrap), 2 * ends + 1
    else:
        apart = -(-max(rows, cols) // _EXACT)
        seen = solution.explored[min(apart // 2, rows - 1) :: apart, min(apart // 2, cols - 1) :: apart]
        path, ends = np.empty((0, 2), np.int64), ends // apart
        if solution.length <= _MOST_STEPS:
            path = solution.path // apart
        else:
            words += "; the path is too long to be drawn here"
    places = np.where(seen, np.uint8(State.VISITED), np.uint8(Paint.CLOSED))
    last = np.array(places.shape) - 1
    for at, paint in ((path, State.PATH), (ends[1:], Paint.GOAL), (ends[:1], Paint.START)):
        places[tuple(np.minimum(at, last).T)] = paint
    if exact:
        picture = _exact_image(f"path: {words}", places, _SOLUTION_SIDE, in_cells=in_cells)
    else:
        places = _enlarge(places)
        words += f"; reduced to {places.shape[0]} x {places.shape[1]} pixels"
        picture = _image(f"path: {words}", places, _PAINTS, _SOLUTION_SIDE)
    return f"<div>{_box(picture)}{_note(words)}</div>"


def trace_html(trace: Trace) -> str:
    """Return some frames of a trace, each with a sentence about its last event.

    Examples
    --------
    >>> html = meiro.trace((3, 4), "kruskal", rng=7)._repr_html_()
    >>> html.count("<img"), "meiro.player(trace)" in html
    (4, True)
    """
    height, width = trace.grid_shape
    if height * width > _MOST_SITES:
        return _note(
            f"{trace.description}; too large to be drawn here: trace a smaller maze, or meiro.plot its result"
        )
    count = min(_FRAMES, len(trace))
    numbers = [len(trace) * (i + 1) // count - 1 for i in range(count)] or [-1]
    frames = "".join(_frame(trace, k) for k in numbers)
    player = "; <code>meiro.player(trace)</code> plays it"
    return (
        f'<div><div style="display:flex;flex-wrap:wrap;gap:12px">{frames}</div>'
        f'<div style="{_NOTE}">{html.escape(trace.description)}{player}</div></div>'
    )


def registry_html(table: list[list[str]]) -> str:
    """Return the rows of a registry as a table, the header first."""
    head, *rows = table
    style = [f"text-align:left;vertical-align:top;{_COLUMNS.get(name, '')}" for name in head]

    def line(tag: str, words: list[str]) -> str:
        cells = (
            f'<{tag} style="{s}">{w}</{tag}>' for s, w in zip(style, map(_breakable, words), strict=True)
        )
        return f"<tr>{''.join(cells)}</tr>"

    body = "".join(line("td", words) for words in rows)
    return f"<table><thead>{line('th', head)}</thead><tbody>{body}</tbody></table>"


_COLUMNS = {
    "good_for": "min-width:10em",
    "about": "min-width:16em",
    "aliases": "min-width:7em",
    "reference": "min-width:9em",
    "source": "min-width:9em",
}


def _breakable(word: str) -> str:
    """Return text in which lines may also break after _ and /, as long URLs and options need it."""
    return re.sub("[_/]", r"\g<0><wbr/>", html.escape(word)) if len(word) > 20 else html.escape(word)


def _box(picture: str, style: str = "") -> str:
    return f'<div style="{_BOX};{style}">{picture}</div>' if style else f'<div style="{_BOX}">{picture}</div>'


def _note(text: str) -> str:
    return f'<div style="{_NOTE}">{html.escape(text)}</div>'


def _maze_picture(maze: Maze, share: int = 1) -> tuple[str, str]:
    """Return the picture of a maze, and a note if it is reduced; `share` pictures fit beside each other."""
    longest, sides = max(maze.rows, maze.cols), (2 * maze.rows + 1, 2 * maze.cols + 1)
    screen = _MAZE_SIDE // share
    if maze.rows * maze.cols <= _SVG_CELLS // share**2 and longest * 5 <= screen:
        cell = min(_CELL, screen // longest)
        thick = max(round(cell * WALL), 1) / cell  # whole pixels
        ends = {"start": maze.start, "goal": maze.goal}
        style = "max-width:100%;height:auto"
        return svg(maze, (cell, ""), thick=thick, ends=ends, style=style), ""
    alt = f"maze, {maze.description}"
    if max(sides) <= _MAZE_SITES // share:
        light = np.where(maze.grid, np.uint8(0), np.uint8(15))
        if maze.mask is not None:
            light[outside_sites(maze.mask, maze.wrap)] = 15
        return _image(alt, light, _GREYS, screen), ""
    reduced = _MAZE_REDUCED // share
    height, width = (max(round(side * reduced / max(sides)), _LEAST_SIDE) for side in sides)
    walls, _ = wall_coverage(maze, None, Span(0, sides[0] / height, height), Span(0, sides[1] / width, width))
    shades = 1 - np.where(walls < 1, walls / 2, 1)  # walls are half as dark, as in `meiro.plot`
    picture = _image(alt, np.round(15 * shades).astype(np.uint8), _GREYS)
    return picture, f"; reduced to {height} x {width} pixels"


def _frame(trace: Trace, k: int) -> str:
    """Return one frame of a trace with its caption."""
    note = trace.caption(k)
    paints = frame_colors(trace, k)
    in_cells = trace.space == "cells"
    if max(paints.shape) <= _EXACT:
        picture = _exact_image(note, paints, _FRAME_SIDE, in_cells=in_cells)
    else:
        unit = 2 if in_cells else 1  # each pixel shows whole cells
        paints = paints[unit - 1 :, unit - 1 :]
        height, width = (max(side * _REDUCED // max(paints.shape), 1) for side in paints.shape)
        channels = [
            block_means(np.ma.asarray(_PAINTS[paints, i]), (height, width), unit, _WEIGHTS[paints])
            for i in range(3)
        ]
        red, green, blue = (np.round(np.asarray(channel) / 51).astype(np.uint8) for channel in channels)
        picture = _image(note, _enlarge(36 * red + 6 * green + blue), _CUBE, _FRAME_SIDE)
    number = f"<code>trace[{k}]</code> " if k >= 0 else ""
    style = f"{_NOTE};line-height:1.3;max-width:{_FRAME_SIDE + 20}px"
    return f'<div>{_box(picture)}<div style="{style}">{number}{html.escape(note)}</div></div>'


def _enlarge(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Repeat the rows and columns of a thin picture."""
    for axis in (0, 1):
        pixels = pixels.repeat(-(-_LEAST_SIDE // pixels.shape[axis]), axis=axis)
    return pixels


def _exact_image(alt: str, paints: NDArray[np.uint8], side: int, *, in_cells: bool) -> str:
    """Return an image with at least a pixel for each site, and thin walls."""
    layout = layout_of((paints.shape[0], paints.shape[1]), cells=in_cells, size=side)
    return _image(alt, layout.pixels(paints), _PAINTS)


def _image(alt: str, pixels: NDArray[np.uint8], palette: NDArray[np.uint8], side: int = 0) -> str:
    """Return an image of indices into a palette; a small one is enlarged to `side` pixels on the screen."""
    file = io.BytesIO()
    height, width = pixels.shape
    png.write_indexed(file, pixels, palette)
    data = base64.b64encode(file.getvalue()).decode("ascii")
    scale = max(side // max(height, width), 1)
    return (
        f'<img alt="{html.escape(alt)}" width="{width * scale}" height="{height * scale}" '
        f'style="max-width:100%;height:auto;image-rendering:pixelated" src="data:image/png;base64,{data}">'
    )
