"""Locks on matplotlib axes: the plot of their maze, and doors over it.

This module needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro.drawing.doors import with_keys
from meiro.drawing.labels import DIGIT, label_height
from meiro.drawing.lines import chords
from meiro.drawing.matplotlib.cell_labels import write_labels
from meiro.drawing.matplotlib.lattices import stroke
from meiro.drawing.matplotlib.overlays import figure_colors
from meiro.drawing.matplotlib.plot import plot
from meiro.drawing.picture import doors_in, geometry_of
from meiro.transforms.locks import maze_with_ends

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from meiro.results.locks import Locks


def plot_locks(locks: Locks, **options: Any) -> Axes:
    """Draw locks: see `Locks.plot`."""
    maze = maze_with_ends(locks)
    ax: Axes = plot(maze, **{**options, "labels": with_keys(locks, options.get("labels"))})
    theme = figure_colors(ax.figure, options.get("theme"), options.get("colors")).theme
    geometry = geometry_of(maze)
    layers, letters = doors_in(geometry, locks)
    cell = 1.0 if geometry.plane is None else geometry.plane.cell
    for layer in layers:
        lines = chords(layer.lines, 1)
        lines = lines._replace(points=geometry.back(lines.points + geometry.corner))
        stroke(ax, lines, theme.growing.unit, (layer.width or 0.0, 0.5, np.inf), cell, 2.25, layer.caps)
    if letters:
        texts, x, y, size, _ = map(np.array, zip(*letters, strict=True))
        places = geometry.back(np.stack([x, y], axis=1))
        room = np.full(len(texts), size / label_height(texts) * DIGIT)
        write_labels(ax, texts, places, room, np.tile(theme.growing.unit, (len(texts), 1)), optional=True)
    return ax
