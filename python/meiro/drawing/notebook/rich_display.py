"""Rich displays of mazes, batches, solutions, traces and registries in notebooks, without matplotlib.

A small maze is an SVG with one path for all its walls, a larger one a PNG that shows each site, a huge one a
PNG of averages. No display has more than `MOST_BYTES` bytes of HTML, and none sets a text colour, since a
page may be light or dark: pictures stand on `meiro.drawing.card`s.
"""

from __future__ import annotations

import html
import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.pixel_layout import layout_of
from meiro.colors import LIGHT
from meiro.drawing.card import NOTE, RULES, card, note, png_of, url_of
from meiro.drawing.frame_raster import GraphRaster, SquaresRaster, ink_colors, raster_of
from meiro.drawing.graph_outline import plane_to_plot, wall_segments
from meiro.drawing.page import WALL
from meiro.drawing.palette import needs_bright_ink
from meiro.drawing.picture import picture_of
from meiro.drawing.raster import Span, block_means, lines_coverage, wall_coverage
from meiro.drawing.svg import card_svg
from meiro.mazes.coordinates import explored_sites
from meiro.mazes.graph_maze import GraphMaze
from meiro.seeds import plain_seed
from meiro.spaces.space_of import on_lattice, space_of
from meiro.traces.events import Paint, State, label_text
from meiro.traces.frame_deltas import frame_colors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.drawing.graph_outline import Plane
    from meiro.lattices.lattice import Lattice
    from meiro.mazes._batch import Batch
    from meiro.mazes._one_maze import OneMaze
    from meiro.mazes.maze import Maze
    from meiro.results.solution import Solution
    from meiro.traces.frames import Frame, GraphFrame
    from meiro.traces.trace import Trace

MOST_BYTES = 100_000
"""Bytes of HTML of any display, even of a maze that cannot be compressed."""


_SVG_CELLS, _CELL = 2500, 24  # cells up to which a maze is an SVG, and pixels of a cell at most
_MAZE_SIDE = 560  # pixels on the screen
_MAZE = 700, 360, _MAZE_SIDE  # per side: sites up to which each is seen, else pixels; and on the screen
_LEAST_CELL, _WIDEST = 5, 1200  # pixels of a cell in an SVG, and of a maze that is long and narrow
_GRAPH_EDGES, _GRAPH_PIXELS = 3500, 600  # up to which a maze on a lattice is an SVG; else pixels a side
_THUMBS = 3  # of a batch, each a third as large as one maze
_FRAMES = 4
_EXACT = 181  # sites a side up to which frames of traces show each: four fit into a display
_REDUCED = 120  # pixels a side of larger frames
_SOLUTION = 401, 240, 420  # as of mazes
_FRAME_SIDE, _FRAME_ALONE = 200, 360  # pixels on the screen that small ones grow to
_READABLE, _MOST_NUMBERS = 7, 900  # pixels of a number in a frame
_TITLE = 16  # pixels of the titles of levels, at most
_SHARP = 2  # pixels of a picture of lines at any angle for one on the screen
_LEAST_SIDE = 8  # pixels: a maze of one row is still seen
_MOST_SITES = 1 << 20  # of a trace that is drawn
_MOST_STEPS = 1 << 22  # of a path that is drawn

_SEED = "font-family:monospace;font-size:80%;opacity:0.6"
_PAINTS = np.array(LIGHT[:16], np.uint8)
_INKED = ink_colors(LIGHT)
_WEIGHTS = np.ones(16)
_WEIGHTS[[State.BUILT, Paint.WALL]] = 1 / 6  # thin, as in a larger picture
_GREYS = np.repeat(np.arange(0, 256, 17), 3).reshape(-1, 3).astype(np.uint8)
_CUBE = (51 * np.indices((6, 6, 6)).reshape(3, -1).T).astype(np.uint8)


def maze_html(maze: OneMaze) -> str:
    """Return a picture of a maze, its size and algorithm, and its seed.

    Examples
    --------
    >>> maze_html = meiro.drawing.notebook.rich_display.maze_html
    >>> html = maze_html(meiro.Maze([[2, 8]]))
    >>> "1 row x 2 cols" in html, len(html) < 2000
    (True, True)
    >>> html = maze_html(meiro.generate(meiro.lattices.square(3, 4), rng=7))
    >>> "square: 12 cells, wilson" in html, len(html) < 4000
    (True, True)
    """
    picture, words = _picture(maze)
    seed = f'<div style="{_SEED}">{html.escape(f"rng={plain_seed(maze.seed)}")}</div>' if maze.seed else ""
    return _shown(picture, maze.description + words, seed)


def batch_html(batch: Batch[Any]) -> str:
    """Return pictures of the first mazes of a batch, and its size and algorithm."""
    count = min(len(batch), _THUMBS)
    shown = [_picture(maze, _THUMBS)[0] for maze in batch[:count]]
    boxes = "".join(card(one, "margin-right:8px") for one in shown if one)
    text = f"{len(batch):,} maze{'s' * (len(batch) != 1)}, {batch.description}"
    more = f"; the first {count} are shown" if len(batch) > count and boxes else ""
    return f"<div>{RULES}<div>{boxes}</div>{note(text + more)}</div>"


def lattice_html(lattice: Lattice) -> str:
    """Return a picture of a lattice, with all walls or, where it has no walls, with all edges; and its size.

    Examples
    --------
    >>> html = meiro.drawing.notebook.rich_display.lattice_html(meiro.lattices.square(3, 4))
    >>> "square: 12 cells, 17 edges" in html, html.count("<svg")
    (True, 1)
    """
    places = lattice.positions
    in_levels = places is not None and places.shape[1] == 3
    drawn_by_walls = lattice.outline is not None or in_levels
    one, other = lattice.edges.T  # equal in a self loop, which is never open
    every = GraphMaze(lattice, (one != other) & (not drawn_by_walls))
    picture, words = _graph_picture(every, network=not drawn_by_walls and lattice.layers is None)
    return _shown(picture, lattice.description + (words if picture else "; it has no place in the plane"))


def _shown(picture: str, words: str, more: str = "") -> str:
    """Return a picture, if there is one, above words."""
    return f"<div>{RULES}{card(picture) if picture else ''}{note(words)}{more}</div>"


def _picture(maze: Any, share: int = 1) -> tuple[str, str]:
    """Return the picture of a maze, and what to say of it; `share` pictures fit beside each other."""
    if on_lattice(maze):
        return _graph_picture(maze, share)
    return _squares_picture(maze, f"maze, {maze.description}", share)


def _graph_picture(
    maze: GraphMaze, share: int = 1, *, solution: Solution | None = None, network: bool = False
) -> tuple[str, str]:
    """Return the picture of a maze on a lattice, and what to say of it; `share` fit beside each other.

    With `network` edges are lines from dot to dot, of which all are seen where they cross.
    """
    try:
        picture = picture_of(maze, solution, explored=solution is not None, network=network)
    except (ValueError, ImportError):  # networkx, which lays out graphs without positions
        return "", "; meiro.plot(maze) draws it"
    plane: Any = picture.geometry.plane
    width, height = picture.geometry.size
    screen = _MAZE_SIDE / share
    side = min(_CELL, screen / width, screen / height)
    style = "max-width:100%;height:auto"
    if maze.lattice.n_edges <= _GRAPH_EDGES // share**2 and side >= 5:
        return card_svg(picture, (side, ""), max(WALL * side, 1.0), style), ""
    if plane.outline is None:
        segments = plane.positions[maze.edges()]
    else:
        segments, _ = wall_segments(plane, maze.open)
    left, top, *_ = plane.box
    pixels = _GRAPH_PIXELS // share
    shades = lines_coverage((segments - (left, top)) / plane.cell, (width, height), pixels)
    light = np.round(15 * (1 - shades)).astype(np.uint8)
    rows, cols = light.shape
    return _image(f"maze, {maze.description}", light, _GREYS), f"; reduced to {rows} x {cols} pixels"


def solution_html(solution: Solution) -> str:
    """Return a picture of the maze with the path and the places explored, and a summary.

    Examples
    --------
    >>> html = meiro.solve(meiro.Maze([[2, 8]]))._repr_html_()
    >>> "1 step in cells, bfs from (0, 0) to (0, 1), 2 explored" in html
    True
    """
    searched = solution.searched()
    words = solution.description + "; its walls are not in a pickle" * (searched is None)
    if solution.space == "vertices":
        if searched is None:
            return note(words)
        picture, more = _graph_picture(searched, solution=solution)
    else:
        words += "; the path is too long to be drawn here" * (solution.length > _MOST_STEPS)
        picture, more = _squares_picture(searched, f"path: {words}", solution=solution)
    return _shown(picture, words + more)


def _squares_picture(
    x: Any, alt: str, share: int = 1, *, solution: Solution | None = None
) -> tuple[str, str]:
    """Return the picture of a maze of squares or of a search, and a note if it is reduced to averages.

    `share` fit beside each other. Without `x`, the walls, only what was seen is drawn.
    """
    in_cells = solution is None or solution.space == "cells"
    if in_cells and x is not None and (drawn := _squares_svg(x, share, solution)) is not None:
        return drawn, ""
    rows, cols = x.shape if solution is None else solution.shape
    sides = (2 * rows + 1, 2 * cols + 1) if in_cells else (rows, cols)
    most, reduced, side = (limit // share for limit in (_MAZE if solution is None else _SOLUTION))
    is_exact = max(sides) <= most
    height, width = sides if is_exact else (max(n * reduced // max(sides), _LEAST_SIDE) for n in sides)
    space: Any = space_of(np.zeros(sides, np.uint8) if x is None else x)
    explored = None if solution is None else solution.explored
    if solution is not None and x is None and in_cells:
        explored = explored_sites(solution.explored, 0, sides[0], solution.wrap)
    scale = np.array([height, width]) / sides
    spans = (Span(0, 1 / part, pixels) for part, pixels in zip(scale.tolist(), (height, width), strict=True))
    walls, seen = wall_coverage(space, explored, *spans)
    pixels: NDArray[Any] = _averages(walls, seen)
    if is_exact:
        pixels = np.where(walls > 0, Paint.WALL, State.UNTOUCHED if x is not None else Paint.CLOSED)
        pixels = pixels if seen is None else np.where(seen > 0, State.VISITED, pixels)
    if solution is not None:
        ends = np.array([solution.goal, solution.start])
        ends = 2 * ends + 1 if in_cells else ends
        path = solution.grid_path if solution.length <= _MOST_STEPS else ends[:0]
        for at, paint in ((path, State.PATH), (ends[:1], Paint.GOAL), (ends[1:], Paint.START)):
            pixels[tuple(((at + 0.5) * scale).astype(np.int64).T)] = paint if is_exact else LIGHT[paint]
    if is_exact:
        layout = layout_of(sides, cells=in_cells, size=side)
        return _image(alt, layout.pixels(pixels.astype(np.uint8)), _PAINTS), ""
    words = f"; reduced to {height} x {width} pixels"
    if solution is None:
        return _image(alt, np.round(pixels[..., 0] / 17).astype(np.uint8), _GREYS), words
    return _image(alt + words, _in_cube(pixels), _CUBE, side), words


def _averages(walls: NDArray[np.float32], seen: NDArray[np.float32] | None) -> NDArray[Any]:
    """Return the colours of shares of pixels; walls are half as dark, as in `meiro.plot`."""
    white, blue, black = (np.array(color, np.float32) for color in (LIGHT.road, LIGHT.visited, LIGHT.wall))
    faint = np.where(walls < 1, walls / 2, 1)[..., None]
    part = np.minimum((0 if seen is None else seen) / np.maximum(1 - walls, 1e-6), 1)[..., None]
    colors: NDArray[Any] = (1 - faint) * ((1 - part) * white + part * blue) + faint * black
    return colors


def _in_cube(colors: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the indices of the nearest colours of `_CUBE`."""
    indices: NDArray[np.uint8] = np.round(colors / 51).astype(np.uint8) @ np.array([36, 6, 1], np.uint8)
    return indices


def frame_html(frame: Frame | GraphFrame) -> str:
    """Return a frame of a trace, with its numbers if they can be read, and its sentence.

    Examples
    --------
    >>> html = meiro.trace((2, 2), "kruskal", order=[0, 1, 2, 3])[1]._repr_html_()
    >>> html.count("<img"), html.count("<text"), "cluster 3 becomes 2" in html
    (1, 4, True)
    """
    trace, large = frame.trace, "" if frame.trace.lattice is not None else "Too large to be drawn here: "
    drawn = _frames(trace, [frame.number], _FRAME_ALONE, frame.labels)
    return f"<div>{RULES}{drawn}</div>" if drawn else note(f"{frame.note} {large}{frame!r}")


def _texts_over(
    raster: SquaresRaster | GraphRaster,
    paints: NDArray[np.uint8],
    labels: NDArray[np.int32] | None,
    part: int,
) -> str:
    """Return titles of levels and numbers of cells as an SVG over their picture; nothing if none can be read.

    A pixel on the screen is as wide as `part` of the picture.
    """
    least = part * _READABLE
    texts = [
        (text, x, y - 0.3 * size, min(size, part * _TITLE), LIGHT.ink)
        for text, x, y, size in raster.titles
        if size >= least
    ]
    if labels is not None and labels.size <= _MOST_NUMBERS:
        numbers, rooms = labels.reshape(-1), raster.rooms
        share = min(0.6, 1.2 / len(str(max(numbers.max(initial=0), 0))))
        sizes = share * np.minimum(rooms, np.median(rooms))
        dark = needs_bright_ink(_PAINTS[paints[raster.cells].reshape(-1)])
        texts += [
            (label_text(numbers[i]), *raster.centers[i], sizes[i], LIGHT.road if dark[i] else LIGHT.ink)
            for i in np.flatnonzero((numbers != -1) & (sizes >= least)).tolist()
        ]
    if not texts:
        return ""
    words = "".join(
        f'<text x="{x:.4g}" y="{y:.4g}" font-size="{size:.3g}" fill="{ink.hex}">{text}</text>'
        for text, x, y, size, ink in texts
    )
    height, width = raster.size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'style="position:absolute;left:0;top:0;width:100%;height:100%" text-anchor="middle" '
        f'dominant-baseline="central" font-family="sans-serif">{words}</svg>'
    )


def trace_html(trace: Trace) -> str:
    """Return some frames of a trace, each with a sentence about its last event.

    Examples
    --------
    >>> html = meiro.trace((3, 4), "kruskal", rng=7)._repr_html_()
    >>> html.count("<img"), "meiro.player(trace)" in html
    (4, True)
    """
    if math.prod(trace.grid_shape) > _MOST_SITES:
        return note(
            f"{trace.description}; too large to be drawn here: trace a smaller maze, or meiro.plot its result"
        )
    count = min(_FRAMES, len(trace))
    numbers = [len(trace) * (i + 1) // count - 1 for i in range(count)] or [-1]
    player = "; <code>meiro.player(trace)</code> plays it"
    if trace.lattice is not None and _plane(trace.lattice) is None:
        player = "; it has no place in the plane"
    frames = _frames(trace, numbers, _FRAME_SIDE)
    return (
        f'<div>{RULES}<div style="display:flex;flex-wrap:wrap;gap:12px">{frames}</div>'
        f'<div style="{NOTE}">{html.escape(trace.description)}{player}</div></div>'
    )


def _frames(trace: Trace, which: list[int], side: int, labels: NDArray[np.int32] | None = None) -> str:
    """Return frames of a trace with captions, and numbers if they fit; nothing if it cannot be drawn."""
    if math.prod(trace.grid_shape) > _MOST_SITES:
        return ""
    part, palette = (1, _PAINTS) if trace.lattice is None else (_SHARP, _INKED)
    try:
        raster = raster_of(trace, part * side)
    except (ValueError, ImportError):
        return ""
    shown = ""
    for k in which:
        words, paints = trace.caption(k), frame_colors(trace, k)
        if trace.lattice is None and max(paints.shape) > _EXACT:
            picture = _reduced_frame(words, paints, 2 if trace.space == "cells" else 1, side)
        else:
            picture = _image(words, raster.draw(paints), palette, part=part)
            if over := _texts_over(raster, paints, labels, part):
                picture = f'<div style="position:relative;display:inline-block">{picture}{over}</div>'
        number = f"<code>trace[{k}]</code> " if k >= 0 else ""
        style = f"{NOTE};line-height:1.3;max-width:{side + 20}px"
        shown += f'<div>{card(picture)}<div style="{style}">{number}{html.escape(words)}</div></div>'
    return shown


def _plane(lattice: Lattice) -> Plane | None:
    """Return where a lattice lies, None if it cannot be drawn."""
    try:
        return plane_to_plot(lattice)
    except (ValueError, ImportError):
        return None


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


def _squares_svg(maze: Maze, share: int = 1, solution: Solution | None = None) -> str | None:
    """Return a maze of squares with a path as lines; None if its cells would be too small."""
    longest = max(maze.rows, maze.cols)
    cell = min(_CELL, max(_MAZE_SIDE // (share * longest), _LEAST_CELL))
    widest = _MAZE_SIDE // share if share > 1 else _WIDEST
    if maze.rows * maze.cols > _SVG_CELLS // share**2 or cell * longest > widest:
        return None
    wall = max(round(cell * WALL), 1)  # whole pixels
    picture = picture_of(maze, solution, explored=solution is not None)
    return card_svg(picture, (cell, ""), wall, "max-width:100%;height:auto")


def _reduced_frame(words: str, paints: NDArray[np.uint8], unit: int, side: int) -> str:
    """Return a picture of averages, of which each pixel shows whole cells."""
    paints = paints[unit - 1 :, unit - 1 :]
    height, width = (max(length * _REDUCED // max(paints.shape), 1) for length in paints.shape)
    channels = [
        block_means(np.ma.asarray(_PAINTS[paints, i]), (height, width), unit, _WEIGHTS[paints])
        for i in range(3)
    ]
    return _image(words, _enlarge(_in_cube(np.stack(channels, axis=-1))), _CUBE, side)


def _enlarge(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Repeat the rows and columns of a thin picture."""
    for axis in (0, 1):
        pixels = pixels.repeat(-(-_LEAST_SIDE // pixels.shape[axis]), axis=axis)
    return pixels


def _image(
    alt: str, pixels: NDArray[np.uint8], palette: NDArray[np.uint8], side: int = 0, part: int = 1
) -> str:
    """Return an image of indices into a palette; a small one is enlarged to `side` pixels on the screen.

    With `part` a pixel on the screen is as wide as so many of the image, which then is smooth.
    """
    height, width = pixels.shape
    scale = max(side // max(height, width), 1)
    exact = "" if part > 1 else ";image-rendering:pixelated"
    return (
        f'<img alt="{html.escape(alt)}" width="{width * scale // part}" height="{height * scale // part}" '
        f'style="max-width:100%;height:auto{exact}" src="{url_of(png_of(pixels, palette))}">'
    )
