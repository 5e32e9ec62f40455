"""A frame of a trace on matplotlib axes: each place in the colour of its state, numbers in the cells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.pixel_layout import layout_of
from meiro.drawing.graph_outline import plane_to_plot, rooms
from meiro.drawing.graph_raster import GraphRaster, ink_colors
from meiro.drawing.labels import MOST_LABELS
from meiro.drawing.matplotlib.lattices import write_titles
from meiro.drawing.matplotlib.overlays import draw_wall_ids, without_ticks, write_labels
from meiro.drawing.numbers import STANDING, Numbers, frame_texts, paints_of, wall_places, with_clusters
from meiro.traces.frame_deltas import frame_colors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from meiro._utils.paper import Outside
    from meiro.drawing.matplotlib.overlays import FigureColors
    from meiro.lattices.lattice import Lattice
    from meiro.traces.trace import Trace

_PIXELS, _MOST_PIXELS = 960, 4096  # a side of the image of a frame, about: matplotlib reduces it


def draw_frames(
    axes: Sequence[Axes],
    trace: Trace,
    which: Sequence[int],
    colors: FigureColors,
    *,
    numbers: Numbers,
    outside: Outside,
) -> list[NDArray[np.uint8]]:
    """Draw frames on axes each, -1 for the state before the first; return the colours of their places."""
    if trace.lattice is not None:
        return _draw_on_lattice(axes, trace, trace.lattice, which, colors, numbers=numbers)
    return [
        _draw_frame(ax, trace, k, colors, numbers=numbers, outside=outside)
        for ax, k in zip(axes, which, strict=True)
    ]


def _draw_frame(
    ax: Axes, trace: Trace, k: int, colors: FigureColors, *, numbers: Numbers, outside: Outside
) -> NDArray[np.uint8]:
    cells = trace.space == "cells"
    table = np.array(paints_of(colors.name), np.uint8)
    longest = max(trace.shape)
    layout = layout_of(trace.grid_shape, cells=cells, size=min(max(_PIXELS, 6 * longest), _MOST_PIXELS))
    # Large frames are averaged, the default. Small ones would be blurred by it up to matplotlib 3.10.
    interpolation = "nearest" if 6 * longest <= _PIXELS else None
    edge = 0.5 * layout.wall / (layout.wall + layout.cell) if cells else 0.0  # half a wall, in cells
    places = frame_colors(trace, k, outside=outside)
    if numbers == "walls":
        walls = wall_places(trace)
        draw_wall_ids(ax, walls[STANDING[places[*walls[:, 1:].T]]], colors.theme)
    elif numbers == "clusters":
        places = with_clusters(trace, places, k)
    right, bottom = (side - 0.5 + edge for side in trace.shape[::-1])
    extent = -0.5 - edge, right, bottom, -0.5 - edge
    ax.imshow(table[layout.pixels(places)], extent=extent, aspect="equal", interpolation=interpolation)
    if cells:  # a quarter of a cell around the maze, as `plot` has it
        ax.set(xlim=(-0.75, trace.shape[1] - 0.25), ylim=(trace.shape[0] - 0.25, -0.75))
    ax.set_facecolor(colors.theme.road.unit)
    without_ticks(ax)
    ax.spines[:].set(visible=not cells, color=colors.faint, linewidth=0.6)  # an array need have no border
    if numbers and numbers != "walls" and math.prod(trace.shape) <= MOST_LABELS:
        labels = trace.frame(k).labels
        if labels is not None:
            behind = (table[places[1::2, 1::2] if cells else places] / 255).reshape(-1, 3)
            at = np.indices(labels.shape).reshape(2, -1).T[:, ::-1].astype(np.float64)
            texts = frame_texts(labels).reshape(-1)
            write_labels(ax, texts, at, np.ones(len(at)), behind, optional=True)
    return places


def _draw_on_lattice(  # as draw_frames() has them
    axes: Sequence[Axes],
    trace: Trace,
    lattice: Lattice,
    which: Sequence[int],
    colors: FigureColors,
    *,
    numbers: Numbers,
) -> list[NDArray[np.uint8]]:
    """Draw frames of a trace on a lattice, in the coordinates of the lattice."""
    plane, n = plane_to_plot(lattice, trace.domain.openings), lattice.n_cells
    every = paints_of(colors.name)
    count = len(every) if numbers == "clusters" else 16
    raster, table = GraphRaster(lattice, plane, _PIXELS, count), ink_colors(every, count)
    drawn = []
    for ax, k in zip(axes, which, strict=True):
        paints = frame_colors(trace, k)
        if numbers == "clusters":
            paints = with_clusters(trace, paints, k)
        drawn.append(paints)
        image = table[raster.draw(paints)]
        ax.imshow(image, extent=raster.extent, aspect="equal", interpolation="antialiased")
        ax.set_facecolor(colors.theme.road.unit)
        without_ticks(ax)
        ax.spines[:].set_visible(False)
        write_titles(ax, plane, colors)
        labels = trace.frame(k).labels if numbers and n <= MOST_LABELS else None
        if labels is not None:
            texts = np.where(labels >= 0, labels.astype(str), "")
            behind = table[paints[:n]] / 255
            write_labels(ax, texts, plane.positions, rooms(plane), behind, optional=True)
    return drawn
