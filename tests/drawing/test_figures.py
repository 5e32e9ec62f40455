"""Figures of many mazes and of the steps of a trace: pixels are compared with the mazes."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import pytest
from drawn_axes import at, axes, grid_of, line_of, note_of, pixels
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from refusals import refused

import meiro
from meiro.colors import DARK, LIGHT, THEMES
from meiro.drawing.matplotlib.overlays import CellLabels
from meiro.traces.frame_deltas import frame_colors
from meiro.traces.trace import Trace


def titles(drawn: Any) -> list[str]:
    return [ax.get_title() for ax in drawn]


def canvas_of(drawn: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    figure = drawn[0].figure
    if not hasattr(figure.canvas, "buffer_rgba"):
        FigureCanvasAgg(figure)
    return pixels(drawn[0])


# Many mazes


@pytest.mark.parametrize(("n", "there"), [(12, 5), (3, 5), (1, 5), (1, 1), (np.int64(4), 5)])
def test_plot_many_draws_the_first_mazes(n: int, there: int) -> None:
    many = meiro.generate_many((4, 6), "kruskal", there, rng=2)
    for batch in (many, list(many), iter(many)):
        drawn = meiro.plot_many(batch, n)
        assert titles(drawn) == [f"maze {i}" for i in range(min(n, there))]
        assert drawn.shape == (min(n, there),)
        image = canvas_of(drawn)
        for ax, maze in zip(drawn, many, strict=False):
            found = grid_of(ax, image, maze.grid.shape)
            found[::2, ::2] = maze.grid[::2, ::2]
            assert np.array_equal(found, maze.grid == 1)
        assert len(drawn[0].figure.axes) == len(drawn)
        plt.close("all")


def test_plot_many_draws_solutions_in_their_mazes() -> None:
    many = meiro.generate_many((5, 5), "kruskal", 4, rng=2)
    ways = [meiro.solve(many[0]), None, meiro.solve(many[2]).path, None]
    drawn = meiro.plot_many(many, 3, solutions=ways)
    assert [sum(line.get_label() == "path" for line in ax.lines) for ax in drawn] == [1, 0, 1]
    solved = meiro.solve_many(many, paths=True)
    for ax, maze in zip(meiro.plot_many(many, solutions=solved), many, strict=True):
        assert line_of(ax, "goal").tolist() == [[4, 4]]
        corners = line_of(meiro.plot(maze, ax=axes(), solution=meiro.solve(maze)), "path")
        assert np.array_equal(line_of(ax, "path"), corners)
    with pytest.raises(ValueError, match=r"holds no paths: ask for them by .*paths=True"):
        meiro.plot_many(many, solutions=meiro.solve_many(many))
    with pytest.raises(ValueError, match=r"solutions= holds 2, and 3 mazes are drawn"):
        meiro.plot_many(many, 3, solutions=ways[:2])


@pytest.mark.parametrize("shape", [(5, 5), meiro.lattices.hexagonal(4, 5)], ids=["squares", "hexagons"])
def test_plot_of_several_mazes_is_plot_many(shape: Any) -> None:
    many = meiro.generate_many(shape, "kruskal", 4, rng=2)
    solved = meiro.solve_many(many, paths=True)
    wanted = meiro.plot_many(many, 3, solutions=solved)
    given: Any
    for given in (many, list(many)):
        for drawn in (meiro.plot(given, n=3, solution=solved), many.plot(n=3, solution=solved)):
            assert titles(drawn) == titles(wanted)
            for ax, other in zip(drawn, wanted, strict=True):
                assert np.array_equal(line_of(ax, "path"), line_of(other, "path"))
        assert len(meiro.plot(given, figure=Figure())) == 4
        with pytest.raises(TypeError, match=r"values= is for one maze: draw the mazes one by one"):
            meiro.plot(given, values=np.ones((5, 5)))
        refused(TypeError, r"ax= is for one maze", meiro.plot, given, ax=axes())
        refused(TypeError, r"plot takes no argument 'nn'", meiro.plot, given, nn=3)
    refused(TypeError, r"n= is for several mazes, and this is one", meiro.plot, many[0], n=3)


def test_plot_many_refuses_other_types() -> None:
    many = meiro.generate_many((3, 3), "kruskal", 2, rng=2)
    refused(ValueError, "there is no maze to draw in <MazeBatch of 0", meiro.plot_many, many[:0])
    refused(ValueError, r"n must be at least 1, not 0", meiro.plot_many, many, 0)
    refused(TypeError, r"n must be an integer, not 1\.5", meiro.plot_many, many, 1.5)
    for bad in (many[0], 7):
        refused(TypeError, r"batch must be a MazeBatch or several mazes, not ", meiro.plot_many, bad)
    refused(TypeError, "figure must be a Figure or SubFigure", meiro.plot_many, many, figure=axes())
    assert not plt.get_fignums()


def test_plot_many_says_that_large_mazes_are_reduced() -> None:
    drawn = meiro.plot_many(meiro.generate_many((250, 250), "kruskal", 3, rng=2))
    canvas_of(drawn)
    assert {note_of(ax) for ax in drawn} == {"reduced"}


def test_plot_many_uses_a_given_figure() -> None:
    many = meiro.generate_many((4, 4), "kruskal", 6, rng=2)
    whole = Figure(figsize=(9, 2))
    left, right = (whole.add_subfigure(whole.add_gridspec(1, 2)[i]) for i in (0, 1))
    drawn = meiro.plot_many(many, figure=left, theme="dark")
    assert {ax.figure for ax in drawn} == {left}
    steps = meiro.plot_trace(meiro.trace((4, 4), rng=1), 3, figure=right)
    assert {ax.get_subplotspec().get_gridspec().ncols for ax in steps} == {3}
    assert not plt.get_fignums()


# A trace


def traces() -> list[Trace]:
    room = np.zeros((6, 9), np.uint8)
    room[2:4, 3] = 1
    return [
        meiro.trace((3, 3), "kruskal", order=[7, 2, 11, 6, 1, 10, 4, 8, 0, 3, 5, 9]),
        meiro.trace((4, 5), "wall_extension", rng=1),
        meiro.trace((4, 5), "wilson", rng=1, wrap=(True, True)),
        meiro.trace((6, 7), "backtracker", rng=2, mask=np.tri(6, 7, 2, dtype=bool)),
        meiro.trace_solve(meiro.generate((5, 8), rng=3)),
        meiro.trace_solve(room, (0, 0), (5, 8)),
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_plot_trace_colors_every_cell(theme: Any) -> None:
    table = np.array(THEMES[theme][:16])
    for trace in traces():
        cells = trace.space == "cells"
        drawn = meiro.plot_trace(trace, 3, numbers=False, theme=theme)
        image = canvas_of(drawn)
        for ax, title in zip(drawn, titles(drawn), strict=True):
            paints = frame_colors(trace, int(title.removeprefix("frame ")))
            for (row, col), paint in np.ndenumerate(paints):
                place = ((col - 1) / 2, (row - 1) / 2) if cells else (col, row)
                assert at(ax, image, *place).tolist() == table[paint].tolist(), (trace, row, col)
        plt.close("all")


def test_plot_trace_walls_have_one_width() -> None:
    ax = axes(3.37, 3.37)
    trace = meiro.trace((7, 7), "kruskal", rng=1)
    meiro.plot_trace(trace, [None], figure=ax.figure, numbers=False)
    (drawn,) = [a for a in ax.figure.axes if a is not ax]
    drawn.set_position((0, 0, 1, 1))
    drawn.set_title("")
    image = pixels(drawn)
    middle = image[len(image) - 1 - int(drawn.transData.transform((3, 3))[1])]
    dark = middle.sum(axis=1) < 300
    starts, ends = (np.flatnonzero(np.diff(dark.astype(int)) == step) for step in (1, -1))
    assert len(starts) == 8
    assert np.ptp(ends - starts) <= 1
    assert np.ptp(np.diff(starts)) <= 1


def test_plot_trace_spreads_frames_up_to_the_last() -> None:
    trace = meiro.trace((3, 3), "eller", rng=1)
    assert titles(meiro.plot_trace(trace)) == [f"frame {(i + 1) * len(trace) // 6 - 1}" for i in range(6)]
    assert titles(meiro.plot_trace(trace, 1)) == [f"frame {len(trace) - 1}"]
    assert titles(meiro.plot_trace(trace, 10_000)) == [f"frame {k}" for k in range(len(trace))]
    assert titles(meiro.plot_trace(trace, [None, 0, -1])) == ["before", "frame 0", f"frame {len(trace) - 1}"]
    many = meiro.plot_trace(meiro.trace((3, 3), "kruskal", rng=1), 12)
    assert {ax.get_subplotspec().get_gridspec().get_geometry() for ax in many} == {(2, 6)}
    nothing = meiro.trace((1, 1), "kruskal", rng=1)
    assert titles(meiro.plot_trace(nothing)) == ["frame 0"]


def test_plot_trace_refuses_missing_frames() -> None:
    trace = meiro.trace((3, 3), "kruskal", rng=1)
    for bad in (len(trace), -len(trace) - 1):
        with pytest.raises(IndexError, match=rf"there is no frame {bad}: there are {len(trace)}"):
            meiro.plot_trace(trace, [0, bad])
    with pytest.raises(ValueError, match=r"frames must be from 1 to 1,000, or a list of frames, not 0"):
        meiro.plot_trace(trace, 0)
    refused(ValueError, r"frames= is an empty list", meiro.plot_trace, trace, [])
    refused(ValueError, r"frames: too many for a figure, 1,000 at most", meiro.plot_trace, trace, [0] * 1001)
    with pytest.raises(TypeError, match=r"frames must be a number or a sequence of them, not \{0, 1\}"):
        meiro.plot_trace(trace, {0, 1})  # type: ignore[arg-type]
    refused(TypeError, r"frames must be an integer, not 0\.5", meiro.plot_trace, trace, [0.5])
    refused(TypeError, r"trace must be a Trace .*, not <Frame", meiro.plot_trace, trace[0])
    with pytest.raises(ValueError, match=r"theme must be 'light' or 'dark', not 'sepia'"):
        meiro.plot_trace(trace, theme="sepia")  # type: ignore[arg-type]


def inked(ax: Axes, image: np.ndarray[Any, Any], row: int, col: int) -> bool:
    """Tell whether something is written into a cell."""
    left, up = ax.transData.transform((col - 0.35, row + 0.35)).astype(int)
    right, top = ax.transData.transform((col + 0.35, row - 0.35)).astype(int)
    part = image[len(image) - top : len(image) - up, left:right].reshape(-1, 3)
    return len({tuple(c) for c in part.tolist()}) > 1


def test_plot_trace_numbers_are_in_their_cells() -> None:
    trace = meiro.trace_eller([[0, 1, 0], [0, 0, 0]], [[0, 1, 1, 0], [0, 0, 0, 0]])
    drawn = meiro.plot_trace(trace, [None, 3, -1])
    image = canvas_of(drawn)
    for ax, frame in zip(drawn, (trace.before, trace[3], trace[-1]), strict=True):
        assert frame.labels is not None
        for (row, col), label in np.ndenumerate(frame.labels):
            assert inked(ax, image, row, col) == (label >= 0)
    plain = meiro.plot_trace(trace, [3], numbers=False)
    assert not inked(plain[0], canvas_of(plain), 0, 0)


def test_plot_trace_leaves_out_numbers_without_room() -> None:
    for side, words in ((4, 1), (16, 1), (60, 0)):
        (ax,) = meiro.plot_trace(meiro.trace((side, side), "backtracker", rng=1), 1)
        assert (sum(isinstance(p, CellLabels) for p in ax.get_children()) >= 1) == bool(words)
    trace = meiro.trace((16, 16), "backtracker", rng=1)
    pair = [meiro.plot_trace(trace, 1, numbers=numbers)[0] for numbers in (True, False)]
    for size, seen in ((1.6, False), (6, True)):  # too small to be read, and large enough
        for ax in pair:
            ax.figure.set_size_inches(size, size)
        written, plain = (canvas_of([ax]) for ax in pair)
        assert (written != plain).any() == seen


@pytest.mark.parametrize("suffix", ["svg", "pdf"])
@pytest.mark.parametrize("side", [5, 40, 200])
def test_plot_trace_is_saved_for_print(suffix: str, side: int) -> None:
    drawn = meiro.plot_trace(meiro.trace((side, side), "binary_tree", rng=1), 2)
    file = io.BytesIO()
    drawn[0].figure.savefig(file, format=suffix)
    assert 3000 < len(file.getvalue()) < 3_000_000


def test_plot_trace_averages_large_frames_without_a_pattern() -> None:
    ax = axes(2, 2)
    meiro.plot_trace(meiro.trace((300, 300), "serpentine"), [-1], figure=ax.figure)  # rows of roads
    (drawn,) = [a for a in ax.figure.axes if a is not ax]
    drawn.set_position((0, 0, 1, 1))
    drawn.set_title("")
    image = pixels(drawn)[4:-4, 4:-4, 0]
    assert np.ptp(image) < 12
    assert 180 < image.mean() < 230
    drawn.set(xlim=(9.5, 29.5), ylim=(29.5, 9.5))  # zoomed in, it is crisp
    image = pixels(drawn)
    for row in range(10, 29):
        assert at(drawn, image, 15, row).tolist() == list(LIGHT.in_maze)
        assert at(drawn, image, 15, row + 0.5).sum() < 300


@pytest.mark.parametrize("flip", ["x", "y", "xy"])
def test_plot_trace_axes_may_be_inverted(flip: str) -> None:
    trace = meiro.trace_solve(meiro.generate((4, 6), rng=3))
    (ax,) = meiro.plot_trace(trace, 1, numbers=False)
    for side in flip:
        limits = {f"{side}lim": getattr(ax, f"get_{side}lim")()[::-1]}
        ax.set(**limits)
    image = canvas_of([ax])
    for (row, col), paint in np.ndenumerate(frame_colors(trace, len(trace) - 1)):
        assert at(ax, image, (col - 1) / 2, (row - 1) / 2).tolist() == list(LIGHT[paint])


def test_plot_trace_theme_follows_the_figure() -> None:
    many = meiro.generate_many((3, 3), "kruskal", 2, rng=2)
    trace = meiro.trace((3, 3), "kruskal", rng=2)
    with plt.style.context("dark_background"):
        for drawn in (meiro.plot_many(many), meiro.plot_trace(trace, 2)):
            image = canvas_of(drawn)
            assert at(drawn[0], image, 0, -0.5).tolist() == list(DARK.wall)
            assert np.allclose(drawn[0].title.get_color(), DARK.ink.unit)
    drawn = meiro.plot_trace(trace, 2, theme="dark")  # a figure of its own is dark altogether
    assert canvas_of(drawn)[0, 0].tolist() == list(DARK.road)
    assert math.isclose(drawn[0].figure.get_figwidth(), 3.2)
