"""``meiro --watch``: play the traces of a maze and of its search on the terminal."""

from __future__ import annotations

import math
import os
import sys
import textwrap
import time
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from meiro.colors import Theme
from meiro.drawing.frame_raster import INKS, GraphRaster
from meiro.drawing.graph_outline import plane_to_plot
from meiro.drawing.numbers import STANDING
from meiro.drawing.terminal.ansi import can_write, has_colors, width_of
from meiro.drawing.terminal.screen import BLANK, OWN, Screen, packed, screen, size
from meiro.drawing.text.render import Style, wall_chars
from meiro.mazes._recipe import kept_recipe
from meiro.spaces.space_of import is_maze, lattice_of
from meiro.traces.events import Paint, State
from meiro.traces.frame_deltas import frame_colors
from meiro.traces.record import trace, trace_solve

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice
    from meiro.traces.trace import Trace

    _Frames = Callable[[Trace, int], NDArray[np.uint32]]

_FPS = 30.0
_SECONDS = 10  # of a trace, at most
_MOST = 10_000  # frames of a trace
_HELD = 10, 0.5  # frames for which the last one stays, and its longest time in seconds
_CAPTION = 2  # lines, at most
_LOOK = 0.05  # seconds between two checks of the size of the terminal

BLOCK = "▀"  # of which a lattice has two pixels a character, one above the other
_EDGE = 0.15  # of a cell of a lattice: so that outer walls are not cut
_LEAST = 2.3  # pixels of the side of a square in a cell, below which walls hide what happens

_INK, _MASKED = (Theme._fields.index(name) for name in ("ink", "masked"))
_MARKED = {State.PATH: "•", Paint.START: "S", Paint.GOAL: "G"}
_PLAIN = {State.WALK: "o", State.FRONTIER: "?", State.VISITED: ".", State.FILLED: "x", State.CURRENT: "@"}


def watch(
    x: Any,
    search: Mapping[str, Any] | None,
    style: Style,
    *,
    generated: bool,
    fps: float | None = None,
) -> str:
    """Play how a maze was generated and how it is searched, and restore the terminal.

    Parameters
    ----------
    x : Maze, GraphMaze or ndarray of uint8
        What is drawn.
    search : mapping, optional
        The arguments of `meiro.solve`. Default: it is not searched.
    style : str
        How the maze will be printed.
    generated : bool
        Whether `x` was generated here, not read from a file.
    fps : float, optional
        Frames a second; 30 if not given.

    Returns
    -------
    str
        Why nothing was played, or an empty string.
    """
    out: TextIO | None = sys.stdout
    runs = _generated(x) if generated else []
    runs += [] if search is None else [partial(trace_solve, **search)]
    if not runs:
        return "there is nothing to watch: of a maze from a file only the search is shown, with --solve"
    if out is None or not out.isatty() or os.environ.get("TERM") == "dumb":
        return "--watch needs a terminal: only the result is printed"
    room = size(out)
    frames = _frames_of(x, style, out, room)
    if isinstance(frames, str):
        return f"{frames}: only the result is printed"

    def drawing(kept: Trace, k: int) -> NDArray[np.uint32]:
        return _captioned(frames(kept, k), kept, k, room)

    with screen(out) as shown:
        for run in runs:
            _play(run, drawing, shown, fps or _FPS)
    return ""


def _generated(x: Any) -> list[Callable[..., Trace]]:
    """Return how the generator of a maze is traced, if there is one."""
    if not is_maze(x) or x.algorithm is None:
        return []
    lattice = lattice_of(x)
    if lattice is not None:
        return [partial(trace, **{**x.recipe, "shape": lattice})]
    arguments: dict[str, Any] = {**(kept_recipe(x) or {}), "rng": x.seed, "openings": x.openings}
    return [partial(trace, **arguments)]


def sites_shape(x: Any) -> tuple[int, int]:
    """Return the rows and columns of the sites of a maze with rows and columns, or of an array."""
    height, width = (2 * x.rows + 1, 2 * x.cols + 1) if is_maze(x) else x.shape
    return height, width


def _frames_of(x: Any, style: Style, out: TextIO, room: tuple[int, int]) -> _Frames | str:
    """Return how frames are drawn, or why they are not."""
    (columns, lines), colors, lattice = room, has_colors(out), lattice_of(x)
    drawn: _Frames
    if lattice is None:
        height, width = sites_shape(x)
        wide, high = width_of(width, style, maze=is_maze(x)), height + 1
        drawn = _SiteFrames(style, lined=is_maze(x), colors=colors)
    elif not (colors and can_write(BLOCK, out)):
        return "--watch of a lattice needs a terminal with colours and half blocks"
    else:
        try:
            drawn = on_lattice = LatticeFrames(lattice, columns, max(lines - _CAPTION, 1))
        except (ValueError, ImportError) as error:
            return f"--watch: {error}"
        wide, high = (math.ceil(on_lattice.lacks * side) for side in room)
    if wide > columns or high > lines:
        return f"--watch needs {wide} columns and {high} lines, and the terminal has {columns} and {lines}"
    return drawn


def _play(run: Callable[..., Trace], drawing: _Frames, shown: Screen, fps: float) -> None:
    """Play one trace in time; frames are skipped if the terminal is too slow."""
    fps = max(fps, 1 / _SECONDS)
    frames = int(min(_SECONDS * fps, _MOST))
    kept = run(every=max(-(-run(window=(0, 0)).n_events // frames), 1))
    last, k, begun = len(kept) - 1, -2, time.monotonic()
    while True:
        now = min(int((time.monotonic() - begun) * fps) - 1, last)
        if now != k or shown.stale():
            k = now
            shown.show(drawing(kept, k))
        until = (k + 2) / fps if k < last else (last + 1) / fps + min(_HELD[0] / fps, _HELD[1])
        left = begun + until - time.monotonic()
        if k == last and left <= 0:
            return
        time.sleep(min(max(left, 0), _LOOK))


class _SiteFrames:
    """How a frame looks: walls as in the usual drawing, the colour of each site behind it."""

    def __init__(self, style: Style, *, lined: bool, colors: bool) -> None:
        self._style, self._lined, self._colors = style, lined, colors
        self._width = width_of(1, style, maze=lined)
        marks = _MARKED if colors else _MARKED | _PLAIN
        self._glyphs = np.full(16, ord(" "), np.uint32)
        for paint, glyph in marks.items():
            self._glyphs[paint] = ord("*" if style == "ascii" and glyph == "•" else glyph)

    def __call__(self, shown: Trace, k: int) -> NDArray[np.uint32]:
        """Return the characters of frame `k` with their colours."""
        paints = frame_colors(shown, k, outside="wall")  # text has a mark for it
        standing = STANDING[paints]
        walls = standing.copy()
        chars = self._glyphs[paints]
        if self._lined:
            lines = wall_chars(walls.astype(np.uint8), self._style)
            walls[::2, ::2] = True  # posts, whatever happens there
            chars = np.where(walls & (self._colors | (chars == ord(" "))), lines, chars)
        else:
            chars[walls] = ord("#" if self._style == "ascii" else "█")
        front = np.where(walls, np.where(standing, paints, Paint.WALL), 0)
        front[chars == ord("░")] = _MASKED
        back = np.where(standing, 0, paints)
        if self._lined:  # so do walls between cells that are not in the maze yet
            closed = np.pad(paints[1::2, 1::2] == Paint.CLOSED, 1, mode="edge")
            across, down = closed[:-1] & closed[1:], closed[:, :-1] & closed[:, 1:]
            for part, both in (
                (np.s_[::2, 1::2], across[:, 1:-1]),
                (np.s_[1::2, ::2], down[1:-1]),
                (np.s_[::2, ::2], across[:, :-1] & across[:, 1:]),
            ):
                back[part][both & (back[part] == 0)] = Paint.CLOSED
        if self._width == 2:
            chars, front, back, walls = (np.repeat(a, 2, axis=1) for a in (chars, front, back, walls))
            chars[:, 1::2][~walls[:, 1::2]] = ord(" ")
        if not self._colors:
            front = back = np.full(chars.shape, OWN)
        return packed(chars, front, back)


def _captioned(
    picture: NDArray[np.uint32], shown: Trace, k: int, room: tuple[int, int]
) -> NDArray[np.uint32]:
    """Return the picture of a frame with a caption below; `room`: columns and lines."""
    columns, lines = room
    done = min((k + 1) * shown.every, shown.n_events)
    note = f"{shown.algorithm} {done:,}/{shown.n_events:,}  {shown.caption(k)}"
    high = min(max(lines - len(picture), 1), _CAPTION)
    told = textwrap.wrap(note, columns)[:high]
    wide = max(picture.shape[1], *map(len, told))
    whole = np.full((len(picture) + high, wide), BLANK, np.uint32)
    whole[: len(picture), : picture.shape[1]] = picture
    for row, line in zip(whole[len(picture) :], told, strict=False):
        row[: len(line)] = packed([*map(ord, line)], OWN, OWN)
    return whole


class LatticeFrames:
    """Draws frames of traces on a lattice, as large as some columns and lines of a terminal allow.

    Attributes
    ----------
    lacks : float
        How much larger the terminal must be for its cells to be seen; 1 if it is large enough.

    Raises
    ------
    ValueError
        If the lattice has no positions and is not laid out, or is too large to be drawn.
    """

    def __init__(self, lattice: Lattice, columns: int, lines: int) -> None:
        plane = plane_to_plot(lattice)
        left, top, right, bottom = plane.box
        edge = _EDGE * plane.cell
        plane = plane._replace(box=(left - edge, top - edge, right + edge, bottom + edge))
        wide, high = columns, 2 * lines
        tried = GraphRaster(lattice, plane, max(wide, high))
        share = min(high / tried.size[0], wide / tried.size[1])
        self._raster = GraphRaster(lattice, plane, max(int(max(tried.size) * share), 1))
        self.lacks = max(_LEAST / float(np.median(self._raster.rooms)), 1.0)

    def __call__(self, shown: Trace, k: int) -> NDArray[np.uint32]:
        """Return the characters of frame `k` with their colours."""
        pixels = self._raster.draw(frame_colors(shown, k))
        paints = np.where(pixels >> 4 >= INKS // 2, Paint.WALL, pixels & 15)
        paints = np.pad(paints, ((0, len(paints) % 2), (0, 0)))
        picture = packed(ord(BLOCK), paints[::2], paints[1::2])
        for text, x, y, _ in self._raster.titles:
            row, left = max(int(y / 2) - 1, 0), max(round(x - len(text) / 2), 0)
            place = picture[row : row + 1, left : left + len(text)]
            place[:] = packed([*map(ord, text[: place.shape[1]])], _INK, 0)
        return picture
