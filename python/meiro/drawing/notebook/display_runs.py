"""What a notebook shows of a solution and of a trace: small pictures with the palette of `meiro.colors`."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np

from meiro._utils import png
from meiro._utils.pixel_layout import layout_of
from meiro.colors import LIGHT, Paint
from meiro.drawing.notebook.rich_display import BOX, NOTE, image
from meiro.maze.coordinates import explored_sites
from meiro.traces.events import State
from meiro.traces.frame_deltas import frame_colors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.results.solution import Solution
    from meiro.traces.trace import Trace

_FRAMES = 4
_EXACT = 181  # places a side, up to which each is a pixel at least: four such pictures fit into the display
_REDUCED = 120  # pixels a side beyond that
_LEAST_SIDE = 8
_SIDE = {"solution": 320, "trace": 200}  # pixels that a small picture grows to
_PLACES = 1 << 20  # of a trace, up to which it is drawn
_STEPS = 1 << 22  # of a path, likewise
_PALETTE = bytes(channel for color in LIGHT[:16] for channel in color)
_WEIGHED = np.array([(*color, 1) for color in LIGHT[:16]], np.float32)  # of red, green, blue and one
_WEIGHED[[State.BUILT, Paint.WALL]] /= 6  # thin, as in a larger picture
_CUBE = bytes(51 * (i // step % 6) for i in range(216) for step in (36, 6, 1))  # of colours that are mixed


def solution_html(solution: Solution) -> str:
    """Return a picture of the path and of what was explored, with a line that says how it went.

    The maze is not in it, since a solution does not know it: `meiro.plot` draws both.

    Parameters
    ----------
    solution : Solution

    Returns
    -------
    str
        HTML of less than `meiro.drawing.notebook.rich_display.MOST_BYTES` bytes, on a white ground.

    Examples
    --------
    >>> html = meiro.solve(meiro.Maze([[2, 8]]))._repr_html_()
    >>> "1 step in cells, bfs from (0, 0) to (0, 1), 2 explored" in html
    True
    """
    words = repr(solution).strip("<>").removeprefix("Solution of ")
    cells = solution.space == "cells"
    rows, cols = solution.shape
    if max(2 * rows + 1, 2 * cols + 1) <= _EXACT or (not cells and max(rows, cols) <= _EXACT):
        picture = _exact(_places_of(solution), cells=cells, size=_SIDE["solution"], about=f"path: {words}")
    else:
        places = _sampled(solution)
        if solution.length > _STEPS:
            words += "; the path is too long to be drawn here"
        words += f"; reduced to {places.shape[0]} x {places.shape[1]} pixels"
        scale = max(_SIDE["solution"] // max(places.shape), 1)
        size = places.shape[0], places.shape[1]
        picture = image(f"path: {words}", png.pack_nibbles(places), size, 4, scale=scale, palette=_PALETTE)
    return f'<div><div style="{BOX}">{picture}</div><div style="{NOTE}">{html.escape(words)}</div></div>'


def trace_html(trace: Trace) -> str:
    """Return some frames of a trace, each with a line of what happened.

    Parameters
    ----------
    trace : Trace

    Returns
    -------
    str
        HTML of less than `meiro.drawing.notebook.rich_display.MOST_BYTES` bytes, on a white ground.

    Examples
    --------
    >>> html = meiro.trace((3, 4), "kruskal", rng=7)._repr_html_()
    >>> html.count("<img"), "meiro.player(trace)" in html
    (4, True)
    """
    words = repr(trace).strip("<>").removeprefix("Trace of ")
    height, width = trace.grid_shape
    if height * width > _PLACES:
        words += "; too large to be drawn here: trace a smaller maze, or meiro.plot its result"
        return f'<div style="{NOTE}">{html.escape(words)}</div>'
    count = min(_FRAMES, len(trace))
    frames = [len(trace) * (i + 1) // count - 1 for i in range(count)]
    boxes = "".join(_frame(trace, k) for k in frames)
    note = f"{html.escape(words)}; <code>meiro.player(trace)</code> plays it"
    return (
        f'<div><div style="display:flex;flex-wrap:wrap;gap:12px">{boxes}</div>'
        f'<div style="{NOTE}">{note}</div></div>'
    )


def _frame(trace: Trace, k: int) -> str:
    note = trace.caption(k)
    paints = frame_colors(trace, k)
    if max(paints.shape) <= _EXACT:
        picture = _exact(paints, cells=trace.space == "cells", size=_SIDE["trace"], about=note)
    else:
        picture = _mixed(paints, cells=trace.space == "cells", about=note)
    number = f"<code>trace[{k}]</code> " if k >= 0 else ""
    words = f"{NOTE};line-height:1.3;max-width:{_SIDE['trace'] + 20}px"
    return (
        f'<div><div style="{BOX}">{picture}</div><div style="{words}">{number}{html.escape(note)}</div></div>'
    )


def _places_of(solution: Solution) -> NDArray[np.uint8]:
    """Return how the places of a small grid or array are drawn."""
    path = solution.mask
    places = np.full(path.shape, Paint.CLOSED, np.uint8)
    seen = solution.explored
    places[explored_sites(seen, 0, len(path), solution.wrap) if solution.space == "cells" else seen] = (
        State.VISITED
    )
    places[path] = State.PATH
    stride, first = (2, 1) if solution.space == "cells" else (1, 0)
    for (row, col), paint in ((solution.goal, Paint.GOAL), (solution.start, Paint.START)):
        places[stride * row + first, stride * col + first] = paint
    return places


def _sampled(solution: Solution) -> NDArray[np.uint8]:
    """Return how one in so many places of a large one is drawn, with the whole path."""
    rows, cols = solution.shape
    apart = -(-max(rows, cols) // _EXACT)
    first = min(apart // 2, rows - 1), min(apart // 2, cols - 1)
    places = np.where(solution.explored[first[0] :: apart, first[1] :: apart], State.VISITED, Paint.CLOSED)
    last = np.array(places.shape) - 1
    if solution.length <= _STEPS:
        places[tuple(np.minimum(solution.path // apart, last).T)] = State.PATH
    for end, paint in ((solution.goal, Paint.GOAL), (solution.start, Paint.START)):
        places[tuple(np.minimum(np.array(end) // apart, last))] = paint
    for axis in (0, 1):  # a maze of one row is still seen
        places = places.repeat(-(-_LEAST_SIDE // places.shape[axis]), axis=axis)
    return places.astype(np.uint8)


def _exact(paints: NDArray[np.uint8], *, cells: bool, size: int, about: str) -> str:
    """Return a picture with a pixel a place at least."""
    pixels = layout_of((paints.shape[0], paints.shape[1]), cells=cells, size=size).pixels(paints)
    return image(about, png.pack_nibbles(pixels), (pixels.shape[0], pixels.shape[1]), 4, palette=_PALETTE)


def _mixed(paints: NDArray[np.uint8], *, cells: bool, about: str) -> str:
    """Return a picture in which the colours of many places become one."""
    unit = 2 if cells else 1
    paints = paints[unit - 1 :, unit - 1 :]  # so that each pixel has whole cells
    apart = unit * -(-max(paints.shape) // (unit * _REDUCED))
    mixed = _WEIGHED[paints]
    for axis in (0, 1):
        mixed = np.add.reduceat(mixed, np.arange(0, paints.shape[axis], apart), axis=axis)
        mixed = mixed.repeat(-(-_LEAST_SIDE // mixed.shape[axis]), axis=axis)
    levels = np.round(mixed[..., :3] / (51 * mixed[..., 3:])).astype(np.uint8)
    height, width = levels.shape[:2]
    rows = levels @ np.array([36, 6, 1], np.uint8)
    scale = max(_SIDE["trace"] // max(height, width), 1)
    return image(about, rows, (height, width), 8, scale=scale, palette=_CUBE)
