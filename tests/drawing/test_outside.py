"""What is outside a mask, in every picture of a trace and of a walk: blank, or wall on request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from arbitrary_mazes import ROUND, drawn_grid
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray
from refusals import refused

import meiro
from meiro.colors import DARK, LIGHT
from meiro.mazes._outside import outside_sites
from meiro.traces.events import Paint

MAZE = meiro.generate(algorithm="backtracker", mask=ROUND, rng=1)
TRACE = meiro.trace(algorithm="backtracker", mask=ROUND, rng=1)
SEARCH = meiro.trace_solve(MAZE)
BEYOND = drawn_grid(MAZE) < MAZE.grid  # sites that touch no cell
WHITE, INK = tuple(LIGHT.road), tuple(LIGHT.wall)


def by_site(pixels: NDArray[Any], wall: int, cell: int) -> NDArray[Any]:
    """Return one pixel of each site."""
    lines = np.cumsum([0, *([wall, cell] * 9)])
    found: NDArray[Any] = pixels[np.ix_(lines, lines)]
    return found


def scene(widget: Any) -> NDArray[np.uint8]:
    (given,) = widget.given["scenes"]
    return np.frombuffer(given["first"], np.uint8).reshape(given["grid"])


def animated(**options: Any) -> NDArray[Any]:
    return by_site(meiro.animate(TRACE, size=90, **options)[-1], 2, 8)


PICTURES: dict[str, Callable[..., NDArray[Any]]] = {
    "animate": animated,
    "player": lambda **options: scene(meiro.player(TRACE, **options)),
    "player of a search": lambda **options: scene(meiro.player(SEARCH, **options)),
    "play": lambda **options: scene(meiro.play(MAZE, **options)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_leave_blank_what_is_outside_a_mask(name: str) -> None:
    blank, filled = PICTURES[name](), PICTURES[name](outside="wall")
    paper, wall = (WHITE, INK) if blank.ndim == 3 else (0, Paint.WALL)
    assert (blank[BEYOND] == paper).all()
    assert (filled[BEYOND] == wall).all()
    assert np.array_equal(blank[~BEYOND], filled[~BEYOND])
    assert np.array_equal(PICTURES[name](outside="blank"), blank)
    refused(ValueError, "outside must be 'blank' or 'wall', not 'dark'", PICTURES[name], outside="dark")


def test_frames_side_by_side_leave_it_blank() -> None:
    for outside, color in (("blank", WHITE), ("wall", INK)):
        (ax,) = meiro.plot_trace(TRACE, [-1], figure=Figure(), outside=outside)  # type: ignore[arg-type]
        pixels = np.asarray(ax.images[0].get_array())
        assert tuple(pixels[0, 0]) == tuple(pixels[-1, -1]) == color
    for outside, filled in (("blank", 0), ("wall", 1)):
        (ax,) = meiro.plot_many([MAZE], figure=Figure((8, 8)), outside=outside)  # type: ignore[arg-type]
        (artist,) = [one for one in ax.artists if hasattr(one, "extent")]
        FigureCanvasAgg(artist.axes.figure).draw()  # type: ignore[no-untyped-call]
        assert sum(bool(patch.get_fill()) for patch in artist._lines[1]) == filled


def test_a_dark_animation_leaves_it_dark() -> None:
    assert tuple(meiro.animate(TRACE, theme="dark")[-1][0, 0]) == tuple(DARK.road)


@pytest.mark.parametrize("wrap", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("seed", range(5))
def test_outside_sites_touch_no_cell(seed: int, wrap: tuple[bool, bool]) -> None:
    mask = np.random.default_rng(seed).random((5, 7)) < 0.3
    mask[0, 0] = True
    maze = meiro.Maze(np.zeros((5, 7), np.uint8), mask, wrap=wrap)
    wanted = drawn_grid(maze) < maze.grid
    assert np.array_equal(outside_sites(mask, wrap), wanted)
    for first in range(11):
        for last in range(first, 12):
            assert np.array_equal(outside_sites(mask, wrap, first, last), wanted[first:last])
