"""``meiro --watch``: play the traces of a maze and of its search on the terminal."""

from __future__ import annotations

import os
import sys
import textwrap
import time
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from meiro.colors import Theme
from meiro.drawing.terminal.ansi import has_colors, width_of
from meiro.drawing.terminal.screen import BLANK, OWN, Screen, packed, screen, size
from meiro.drawing.text.render import Style, wall_chars
from meiro.maze._from_core import recipe_of
from meiro.maze.maze import Maze
from meiro.traces.events import Paint, State
from meiro.traces.frame_deltas import frame_colors
from meiro.traces.record import trace, trace_solve

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from meiro.traces.trace import Trace

_FPS = 30.0
_SECONDS = 10  # of a trace, at most
_MOST = 10_000  # frames of a trace
_HELD = 10, 0.5  # frames for which the last one stays, and its longest time in seconds
_LOOK = 0.05  # seconds between two checks of the size of the terminal

_MASKED = Theme._fields.index("masked")
_WALLS = np.isin(np.arange(16), [Paint.WALL, State.KEPT, State.GROWING, State.BUILT])
_MARKED = {State.PATH: "•", Paint.START: "S", Paint.GOAL: "G"}
_PLAIN = {State.WALK: "o", State.FRONTIER: "?", State.VISITED: ".", State.FILLED: "x", State.CURRENT: "@"}


def watch(
    x: Maze | NDArray[np.uint8],
    search: Mapping[str, Any] | None,
    style: Style,
    *,
    generated: bool,
    fps: float | None = None,
) -> str:
    """Play how a maze was generated and how it is searched, and restore the terminal.

    Parameters
    ----------
    x : Maze or ndarray of uint8
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
    lined = isinstance(x, Maze)
    height, width = (2 * x.rows + 1, 2 * x.cols + 1) if isinstance(x, Maze) else x.shape
    runs: list[Callable[..., Trace]] = []
    if generated and isinstance(x, Maze) and (recipe := recipe_of(x)) is not None:
        arguments: dict[str, Any] = {**recipe, "rng": x.seed, "openings": x.openings}
        runs.append(partial(trace, **arguments))
    runs += [] if search is None else [partial(trace_solve, **search)]
    if not runs:
        return "there is nothing to watch: of a maze from a file only the search is shown, with --solve"
    if out is None or not out.isatty() or os.environ.get("TERM") == "dumb":
        return "--watch needs a terminal: only the result is printed"
    columns, lines = size(out)
    wide, high = width_of(width, style, maze=lined), height + 1
    if wide > columns or high > lines:
        return (
            f"--watch needs {wide} columns and {high} lines, and the terminal has {columns} and {lines}: "
            "only the result is printed"
        )
    drawing = _Drawing(style, lined=lined, colors=has_colors(out), room=(columns, lines))
    with screen(out) as shown:
        for run in runs:
            _play(run, drawing, shown, fps or _FPS)
    return ""


def _play(run: Callable[..., Trace], drawing: _Drawing, shown: Screen, fps: float) -> None:
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


class _Drawing:
    """How a frame looks: walls as in the usual drawing, the colour of each site behind it."""

    def __init__(self, style: Style, *, lined: bool, colors: bool, room: tuple[int, int]) -> None:
        self._style, self._lined, self._colors = style, lined, colors
        self._columns, self._lines = room
        self._width = width_of(1, style, maze=lined)
        marks = _MARKED if colors else _MARKED | _PLAIN
        self._glyphs = np.full(16, ord(" "), np.uint32)
        for paint, glyph in marks.items():
            self._glyphs[paint] = ord("*" if style == "ascii" and glyph == "•" else glyph)

    def __call__(self, shown: Trace, k: int) -> NDArray[np.uint32]:
        """Return frame `k` with a caption below."""
        paints = frame_colors(shown, k, outside="wall")  # text has a mark for it
        walls = _WALLS[paints]
        chars = self._glyphs[paints]
        if self._lined:
            lines = wall_chars(walls.astype(np.uint8), self._style)
            walls[::2, ::2] = True  # posts, whatever happens there
            chars = np.where(walls & (self._colors | (chars == ord(" "))), lines, chars)
        else:
            chars[walls] = ord("#" if self._style == "ascii" else "█")
        front = np.where(walls, np.where(_WALLS[paints], paints, Paint.WALL), 0)
        front[chars == ord("░")] = _MASKED
        back = np.where(_WALLS[paints], 0, paints)
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
        done = min((k + 1) * shown.every, shown.n_events)
        note = f"{shown.algorithm} {done:,}/{shown.n_events:,}  {shown.caption(k)}"
        high = min(max(self._lines - len(chars), 1), 2)  # lines for the caption
        told = textwrap.wrap(note, self._columns)[:high]
        wide = max(chars.shape[1], *map(len, told))
        picture = np.full((len(chars) + high, wide), BLANK, np.uint32)
        if not self._colors:
            front = back = np.full(chars.shape, OWN)
        picture[: len(chars), : chars.shape[1]] = packed(chars, front, back)
        for row, line in zip(picture[len(chars) :], told, strict=False):
            row[: len(line)] = packed([*map(ord, line)], OWN, OWN)
        return picture
