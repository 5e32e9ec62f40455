"""What is seen on matplotlib axes."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from numpy.typing import NDArray


def axes(width: float = 4, height: float = 4, dpi: int = 100) -> Axes:
    """Return axes that fill a figure of their own."""
    figure = Figure(figsize=(width, height), dpi=dpi)
    FigureCanvasAgg(figure)
    return figure.add_axes((0, 0, 1, 1))


def pixels(ax: Axes) -> NDArray[np.int64]:
    """Draw; return red, green, blue, the top row first."""
    canvas = ax.figure.canvas
    assert isinstance(canvas, FigureCanvasAgg)
    canvas.draw()  # type: ignore[no-untyped-call]
    shown = canvas.buffer_rgba()  # type: ignore[no-untyped-call]
    return np.asarray(shown)[..., :3].astype(np.int64)


def at(ax: Axes, image: NDArray[np.int64], x: float, y: float) -> NDArray[np.int64]:
    """Return the pixel at a place of the data."""
    across, up = ax.transData.transform((x, y))
    found: NDArray[np.int64] = image[len(image) - 1 - int(up), int(across)]
    return found


def grid_of(ax: Axes, image: NDArray[np.int64], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Return what is dark at the sites of a maze."""
    return np.array([
        [at(ax, image, (col - 1) / 2, (row - 1) / 2).sum() < 100 for col in range(shape[1])]
        for row in range(shape[0])
    ])  # fmt: skip


def note_of(ax: Axes) -> str:
    (note,) = (t for t in ax.texts if isinstance(t, Annotation))
    return note.get_text()


def line_of(ax: Axes, label: str) -> NDArray[np.float64]:
    (line,) = (line for line in ax.lines if line.get_label() == label)
    return np.asarray(line.get_xydata())


def legend_of(ax: Axes) -> list[str]:
    """Return the title of a legend, if it has any, and what it names."""
    legend = ax.get_legend()
    if legend is None:
        return []
    words = [text.get_text() for text in legend.get_texts()]
    return [title, *words] if (title := legend.get_title().get_text()) else words
