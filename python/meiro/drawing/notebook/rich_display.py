"""What a notebook shows of a maze and of a batch: small, quick, and without matplotlib.

A small maze is an SVG with one path for all its walls, a larger one a PNG with one pixel a site, a huge one a
PNG of averages. Whatever the size of the maze, the HTML stays under `MOST_BYTES`.
"""

from __future__ import annotations

import base64
import html
import io
import re
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from meiro._utils import png
from meiro.drawing.raster import Span, wall_coverage
from meiro.drawing.svg import WALL, about, svg

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.maze.batch import MazeBatch
    from meiro.maze.maze import Maze

MOST_BYTES = 100_000
"""No display has more bytes of HTML, even if the maze is made to be incompressible."""


class _Size(NamedTuple):
    """How large a picture may become."""

    svg: int  # cells, up to which it is an SVG
    sites: int  # per side, up to which every site is a pixel
    reduced: int  # pixels per side beyond that
    screen: int  # pixels per side on the screen that a small maze grows to
    cell: int  # pixels of a cell on the screen, at most


_WHOLE = _Size(svg=2500, sites=700, reduced=360, screen=560, cell=24)
_THUMB = _Size(svg=400, sites=250, reduced=160, screen=160, cell=16)
_THUMBS = 3
_LEAST_SIDE = 8  # pixels of a reduced picture: a maze of one row is still seen

BOX = "display:inline-block;background:#fff;padding:6px;border-radius:4px;line-height:0;max-width:100%"
NOTE = "font-size:90%;opacity:0.75;margin-top:2px"
_SEED = "font-family:monospace;font-size:80%;opacity:0.6"


def maze_html(maze: Maze) -> str:
    """Return a picture of a maze with a line that says what it is.

    Parameters
    ----------
    maze : Maze

    Returns
    -------
    str
        HTML of less than `MOST_BYTES` bytes, on a white ground so that it can be seen on a dark page.

    Examples
    --------
    >>> html = meiro.drawing.notebook.rich_display.maze_html(meiro.Maze([[2, 8]]))
    >>> "1 row x 2 cols" in html, len(html) < 1000
    (True, True)
    """
    picture, reduced = _picture(maze, _WHOLE)
    words = repr(maze).strip("<>").removeprefix("Maze ")
    if reduced:
        words += f"; reduced to {reduced[0]} x {reduced[1]} pixels"
    seed = "" if maze.seed is None else f'<div style="{_SEED}">{html.escape(repr(maze.seed))}</div>'
    note = f'<div style="{NOTE}">{html.escape(words)}</div>'
    return f'<div><div style="{BOX}">{picture}</div>{note}{seed}</div>'


def batch_html(batch: MazeBatch) -> str:
    """Return small pictures of the first mazes of a batch, with a line that says what it is.

    Parameters
    ----------
    batch : MazeBatch

    Returns
    -------
    str
        HTML of less than `MOST_BYTES` bytes.
    """
    count = min(len(batch), _THUMBS)
    pictures = [_picture(maze, _THUMB)[0] for maze in batch[:count]]
    boxes = "".join(f'<div style="{BOX};margin-right:8px">{picture}</div>' for picture in pictures)
    words = repr(batch).strip("<>").removeprefix("MazeBatch of ")
    number, _, rest = words.partition(": ")
    text = f"{int(number):,} maze{'s' * (len(batch) != 1)}, {rest}"
    if len(batch) > count:
        text += f"; the first {count} are shown"
    return f'<div><div>{boxes}</div><div style="{NOTE}">{html.escape(text)}</div></div>'


def _picture(maze: Maze, size: _Size) -> tuple[str, tuple[int, int] | None]:
    """Return HTML of the picture, and the pixels that it was reduced to, if it was."""
    longest = max(maze.rows, maze.cols)
    if maze.rows * maze.cols <= size.svg and longest * 5 <= size.screen:
        return _svg(maze, min(size.cell, size.screen // longest)), None
    height, width = 2 * maze.rows + 1, 2 * maze.cols + 1
    if max(height, width) <= size.sites:
        scale = max(size.screen // max(height, width), 1)
        return image(about(maze), _packed(maze.grid), (height, width), 1, scale=scale), None
    part = size.reduced / max(height, width)
    pixels = max(round(height * part), _LEAST_SIDE), max(round(width * part), _LEAST_SIDE)
    return image(about(maze), _averages(maze, pixels), pixels, 4), pixels


def _svg(maze: Maze, cell: int) -> str:
    thick = max(round(cell * WALL), 1) / cell  # whole pixels
    ends = {"start": maze.start, "goal": maze.goal}
    return svg(maze, (cell, ""), thick=thick, ends=ends, style="max-width:100%;height:auto", crisp=True)


def image(
    words: str,
    rows: NDArray[np.uint8],
    size: tuple[int, int],
    depth: Literal[1, 4, 8],
    *,
    scale: int = 1,
    palette: bytes | None = None,
) -> str:
    """Return an image of rows as `meiro._utils.png.write` takes them, each pixel `scale` pixels wide."""
    file = io.BytesIO()
    png.write(file, size, [rows], depth=depth, palette=palette)
    data = base64.b64encode(file.getvalue()).decode("ascii")
    return (
        f'<img alt="{html.escape(words)}" width="{size[1] * scale}" height="{size[0] * scale}" '
        f'style="max-width:100%;height:auto;image-rendering:pixelated" src="data:image/png;base64,{data}">'
    )


def _packed(grid: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.packbits(grid ^ 1, axis=1)


def _averages(maze: Maze, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return 16 greys, two pixels a byte; as in `meiro.plot`, walls are half as dark as they would be."""
    height, width = size
    walls, _ = wall_coverage(
        maze, None, Span(0, (2 * maze.rows + 1) / height, height), Span(0, (2 * maze.cols + 1) / width, width)
    )
    return png.pack_nibbles(np.round(15 * (1 - np.where(walls < 1, walls / 2, 1))).astype(np.uint8))


_COLUMN_STYLES = {
    "good_for": "min-width:10em",
    "about": "min-width:16em",
    "options": "",
    "aliases": "min-width:7em",
    "reference": "min-width:9em",
    "source": "min-width:9em",
}  # of the columns with more than a word, where a line may also break within one


def registry_html(rows: list[list[str]]) -> str:
    """Return the table of a registry, the header first."""
    columns = rows[0]
    style = {c: f"text-align:left;vertical-align:top;{_COLUMN_STYLES.get(c, '')}" for c in columns}
    header = "".join(f'<th style="{style[c]}">{c}</th>' for c in columns)
    lines = ""
    for row in rows[1:]:
        words = {c: html.escape(word) for c, word in zip(columns, row, strict=True)}
        for c in _COLUMN_STYLES.keys() & words.keys():
            words[c] = re.sub("[_/]", r"\g<0><wbr/>", words[c])
        cells = "".join(f'<td style="{style[c]}">{word}</td>' for c, word in words.items())
        lines += f"<tr>{cells}</tr>"
    return f"<table><thead><tr>{header}</tr></thead><tbody>{lines}</tbody></table>"
