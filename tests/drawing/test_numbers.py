"""Clusters in colours, ids of walls, and legends of traces: in animations, figures and players alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from numpy.typing import NDArray
from refusals import refused

import meiro
from meiro._utils.pixel_layout import layout_of
from meiro.colors import CLUSTERS, THEMES
from meiro.drawing.numbers import FIRST_CLUSTER, STANDING, paints_of, wall_places, with_clusters
from meiro.drawing.palette import luminance, needs_bright_ink
from meiro.traces.events import LEGEND, Paint, State
from meiro.traces.frame_deltas import frame_colors, legend_of
from meiro.traces.trace import Trace

GROUND = {State.UNTOUCHED, State.IN_MAZE, Paint.CLOSED}
KRUSKAL = meiro.trace((6, 7), "kruskal", rng=3)
JOINERS = [
    KRUSKAL,
    meiro.trace((6, 7), "eller", rng=3),
    meiro.trace((5, 5), "percolation", rng=3, p=0.6),
    meiro.trace((5, 6), "boruvka", rng=3, wrap=(True, True)),
    meiro.trace((6, 7), "kruskal", rng=2, mask=np.tri(6, 7, 2, dtype=bool)),
]
SEARCH = meiro.trace_solve(meiro.generate((5, 5), rng=1))


def obvious(trace: Trace, k: int) -> NDArray[np.uint8]:
    """Return the colours of a frame with clusters, place by place."""
    places = frame_colors(trace, k)
    labels = (trace[k] if k >= 0 else trace.before).labels
    assert labels is not None
    rows, cols = trace.shape
    out = places.copy()
    for r, c in np.ndindex(places.shape):
        if places[r, c] not in GROUND or (r % 2 == 0 and c % 2 == 0):
            continue
        across, down = (0, 0) if r % 2 and c % 2 else (0, 1) if r % 2 == 0 else (1, 0)
        ends = {int(labels[(r - 1 + s * down) // 2 % rows, (c - 1 + s * across) // 2 % cols]) for s in (0, 2)}
        if len(ends) == 1 and (number := ends.pop()) >= 0:
            first = 3 * (number // cols) + number % cols
            out[r, c] = FIRST_CLUSTER + (1 + first % 6 if number else 0)
    return out


def middle(r: int, c: int, layout: Any) -> tuple[int, int]:
    """Return the pixel in the middle of a place."""
    row, col = (np.append(0, np.cumsum(layout.lines(n + 1))) for n in (r, c))
    return int(row[r] + row[r + 1]) // 2, int(col[c] + col[c + 1]) // 2


@pytest.mark.parametrize("trace", JOINERS, ids=lambda trace: f"{trace.algorithm}{trace.wrap}")
def test_clusters_have_their_colors(trace: Trace) -> None:
    for k in (-1, 0, 3, len(trace) // 2, len(trace) - 1):
        assert np.array_equal(with_clusters(trace, frame_colors(trace, k), k), obvious(trace, k))
    joined = with_clusters(trace, frame_colors(trace, 5), 5)
    assert len(np.unique(joined[joined >= FIRST_CLUSTER])) > 2


@pytest.mark.parametrize("theme", THEMES)
def test_animation_shows_clusters_and_their_numbers(theme: str) -> None:
    pair = meiro.animate(KRUSKAL, every=1, numbers="clusters", theme=theme)
    plain = meiro.animate(KRUSKAL, every=1, theme=theme)
    assert pair.size == plain.size
    layout = layout_of(KRUSKAL.grid_shape, cells=True, size=480)
    for k in (0, 9, len(KRUSKAL) - 1):
        paints = np.array(paints_of(theme), np.uint8)
        expected = paints[layout.pixels(obvious(KRUSKAL, k))]
        inked = (pair[k + 1] != expected).any(-1)
        where = layout.pixels(np.indices(KRUSKAL.grid_shape).prod(0).astype(np.uint8) % 2)
        assert 0.005 < inked.mean() < 0.2
        assert not inked[where == 0].any()  # numbers are in cells, of which row and column are odd


def test_cluster_colors_can_be_told_from_ink() -> None:
    for name, colors in CLUSTERS.items():
        inks = THEMES[name].ink, THEMES[name].road
        dark, bright = sorted(luminance(ink) + 0.05 for ink in inks)
        grounds = luminance(colors) + 0.05
        contrast = np.where(needs_bright_ink(colors), bright / grounds, grounds / dark)
        assert np.array_equal(contrast, np.maximum(bright / grounds, grounds / dark))
        assert contrast.min() > 4


@pytest.mark.parametrize("trace", [*JOINERS, SEARCH], ids=lambda trace: f"{trace.algorithm}{trace.wrap}")
def test_wall_ids_are_between_their_cells(trace: Trace) -> None:
    rows, cols = trace.shape
    places = wall_places(trace)
    cells = meiro.wall_cells(trace.shape, places[:, 0], wrap=trace.wrap)
    for (_, r, c), pair in zip(places.tolist(), cells.tolist(), strict=True):
        ends = [(r - 1, c), (r + 1, c)] if c % 2 else [(r, c - 1), (r, c + 1)]
        assert {(a // 2 % rows) * cols + b // 2 % cols for a, b in ends} == set(pair)
        assert trace.mask is None or trace.mask.reshape(-1)[pair].all()
    assert len({(r, c) for _, r, c in places.tolist()}) == len(places)
    last = frame_colors(trace, len(trace) - 1)
    closed = [number for number, r, c in places.tolist() if STANDING[last[r, c]]]
    maze = trace.result if isinstance(trace.result, meiro.Maze) else trace.domain.maze
    assert isinstance(maze, meiro.Maze)
    assert set(closed) == set(maze.wall_ids().tolist()) & set(places[:, 0].tolist())


def test_animation_writes_wall_ids_on_standing_walls() -> None:
    animation, plain = (meiro.animate(KRUSKAL, every=1, numbers=n) for n in ("walls", False))
    layout = layout_of(KRUSKAL.grid_shape, cells=True, size=480)
    for k in (-1, 30, len(KRUSKAL) - 1):
        changed = (animation[k + 1] != plain[k + 1]).any(-1)
        paints = frame_colors(KRUSKAL, k)
        for _, r, c in wall_places(KRUSKAL).tolist():
            row, col = middle(r, c, layout)
            around = changed[row - 2 : row + 3, col - 2 : col + 3]
            assert around.any() == STANDING[paints[r, c]], (k, r, c)


def all_traces() -> list[Trace]:
    maze = meiro.braid(meiro.generate((6, 7), rng=4), 0.3, rng=1)
    return [
        *(meiro.trace((12, 12), name, rng=3) for name in meiro.ALGORITHMS),
        *(
            meiro.trace_solve(maze, algorithm=name, rng=1 if name == "random_mouse" else None)
            for name in meiro.SOLVERS
        ),
        meiro.trace((6, 7), "wilson", rng=2, wrap=(True, True)),
        meiro.trace((6, 7), "origin_shift", rng=2, steps=20),
        meiro.trace((30, 30), "rooms", rng=2, dead_ends="remove"),
        meiro.trace((30, 30), "wall_extension", rng=2),
        meiro.trace_solve(np.zeros((5, 6), np.uint8), (0, 0), (4, 5)),
    ]


def test_legends_say_what_every_color_of_a_trace_means() -> None:
    silent = {State.UNTOUCHED, State.IN_MAZE, State.BUILT, Paint.WALL}  # road and walls
    for trace in all_traces():
        seen: set[int] = set()
        for k in range(-1, len(trace)):
            seen |= set(np.unique(frame_colors(trace, k)).tolist())
        legend = legend_of(trace)
        assert seen - silent <= set(legend), trace
        # Of what may happen by its events little does not: a cell beside the tree that is next at once.
        assert set(legend) - seen <= {State.FRONTIER, State.WALK, Paint.CLOSED}, (trace, set(legend) - seen)
        assert list(legend) == [paint for paint in LEGEND if paint in legend]


def test_legends_of_clusters_leave_out_what_they_hide() -> None:
    closed = [Paint.CLOSED in legend_of(trace, clusters=True) for trace in (KRUSKAL, JOINERS[1], SEARCH)]
    assert closed == [False, True, False]
    axes = meiro.plot_trace(KRUSKAL, [0], numbers="clusters", legend=True)
    assert [text.get_text() for text in axes[0].figure.legends[0].get_texts()] == ["last step"]


def test_animation_with_a_legend_has_it_below() -> None:
    for traces in (KRUSKAL, [KRUSKAL, SEARCH]):
        with_legend, plain = (meiro.animate(traces, legend=legend, max_frames=20) for legend in (True, False))
        (tall, wide), (high, width) = with_legend.size, plain.size
        assert wide >= width
        assert high + 20 < tall < high + 120
        left = (wide - width) // 2
        assert np.array_equal(with_legend[5][:high, left : left + width], plain[5])
        below = with_legend[5][high:].reshape(-1, 3)
        legend = legend_of(KRUSKAL) | (legend_of(SEARCH) if isinstance(traces, list) else {})
        for paint in legend:
            assert (below == THEMES["light"][paint]).all(axis=1).sum() > 50, paint


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_plot_trace_with_a_legend(theme: Any) -> None:
    axes = meiro.plot_trace(SEARCH, [0, -1], theme=theme, legend=True)
    (legend,) = axes[0].figure.legends
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts == ["may come next", "visited", "last step", "path", "start", "goal"]
    colors = [tuple(patch.get_facecolor()[:3]) for patch in legend.get_patches()]
    assert colors == [THEMES[theme][paint].unit for paint, text in LEGEND.items() if text in texts]
    axes[0].figure.canvas.draw()
    assert not meiro.plot_trace(SEARCH, [0])[0].figure.legends
    figure = plt.figure()
    meiro.plot_trace(SEARCH, [0], figure=figure, legend=True)  # without a layout engine
    figure.canvas.draw()


@pytest.mark.parametrize("numbers", ["clusters", "walls"])
def test_plot_trace_shows_clusters_and_wall_ids(numbers: Any) -> None:
    figure = plt.figure(figsize=(9, 9), layout="compressed")
    (ax,) = meiro.plot_trace(KRUSKAL, [20], numbers=numbers, figure=figure)
    image = np.asarray(ax.images[0].get_array())
    plain = meiro.plot_trace(KRUSKAL, [20], numbers=False)[0]
    same = np.array_equal(image, np.asarray(plain.images[0].get_array()))
    assert same == (numbers == "walls")
    assert len(ax.patches) > 0 == len(plain.patches)


def test_numbers_that_no_trace_has_are_refused() -> None:
    array = meiro.trace_solve(np.zeros((5, 6), np.uint8), (0, 0), (4, 5))
    for show in (meiro.animate, meiro.player, meiro.plot_trace):
        words = "numbers='clusters': bfs joins no clusters of cells, as kruskal"
        refused(ValueError, words, show, SEARCH, numbers="clusters")
        with pytest.raises(ValueError, match="numbers='walls': walls of an array have no ids; trace a Maze"):
            show(array, numbers="walls")
        with pytest.raises(ValueError, match="True or False, 'clusters' or 'walls', not 'cluster'"):
            show(KRUSKAL, numbers="cluster")  # type: ignore[arg-type]
        refused(TypeError, "True or False, 'clusters' or 'walls', not 3", show, KRUSKAL, numbers=3)
    with pytest.raises(ValueError, match="cannot be read in cells this small: give size="):
        meiro.animate(KRUSKAL, numbers="walls", size=60)
    refused(TypeError, "legend must be True or False", meiro.animate, KRUSKAL, legend=1)
    assert len(meiro.animate([SEARCH, KRUSKAL], numbers="clusters", max_frames=3)) == 3
