"""Labels in the cells of a picture on matplotlib axes, as outlines, which scale with the cells.

This module needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.artist import allow_rasterization
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.textpath import TextPath

from meiro.colors import DARK, LIGHT
from meiro.drawing.labels import DIGIT, digit_heights
from meiro.drawing.matplotlib.overlays import brightness
from meiro.drawing.matplotlib.scaled_lines import axes_of, width_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from numpy.typing import NDArray

    from meiro.colors import Theme

_FONT = FontProperties(family="DejaVu Sans Mono")  # part of matplotlib; all its letters have one width
_LETTER = 0.602  # width of a letter, as a share of the size of the font
_READABLE = 3.2  # points of a digit


class _Legible(PathPatch):
    """What is left out, if `optional`, where a digit of this height, in cells, cannot be read."""

    def __init__(
        self, path: Path, color: tuple[float, float, float], digit: float, *, optional: bool
    ) -> None:
        super().__init__(path, facecolor=color, edgecolor="none", zorder=2.3)
        self._digit, self._optional = digit, optional

    @allow_rasterization  # type: ignore[untyped-decorator]  # matplotlib has no types for it
    def draw(self, renderer: RendererBase) -> None:
        """Draw it if the labels can be read."""
        if not self._optional or width_points(axes_of(self), self._digit, 0, np.inf) >= _READABLE:
            super().draw(renderer)


class CellLabels(_Legible):
    """Labels of one colour.

    Parameters
    ----------
    labels : list of (str, float, float)
        Text, x and y of the centre.
    digit : float
        Height of a digit, as a share of a cell.
    color : (float, float, float)
    optional : bool
        Whether labels are left out where cells are too small for them to be read.
    """

    def __init__(
        self,
        labels: list[tuple[str, float, float]],
        digit: float,
        color: tuple[float, float, float],
        *,
        optional: bool,
    ) -> None:
        scale = digit / DIGIT
        vertices, codes = [np.empty((0, 2))], [np.empty(0, np.uint8)]
        for text, x, y in labels:
            for i, char in enumerate(text):
                outline, kinds = _outline(char)
                corner = (i - len(text) / 2) * _LETTER, -DIGIT / 2
                vertices.append((outline + corner) * (scale, -scale) + (x, y))
                codes.append(kinds)
        path = Path(np.concatenate(vertices), np.concatenate(codes))
        super().__init__(path, color, digit, optional=optional)


def write_labels(
    ax: Axes,
    texts: NDArray[np.str_],
    places: NDArray[np.float64],
    room: NDArray[np.float64],
    behind: NDArray[np.float64],
    *,
    optional: bool = False,
) -> None:
    """Write labels into cells, dark on bright colours and bright on dark ones.

    They have one size, and smaller ones, in steps, where cells are smaller.

    Parameters
    ----------
    texts : ndarray of str, shape (n,)
        Empty where a cell has no label.
    places : ndarray, shape (n, 2)
        (x, y) of the middle of each cell.
    room : ndarray of float64, shape (n,)
        Sides of squares in the cells; 0 where another cell lies above.
    behind : ndarray, shape (n, 3)
        The colours that the labels stand on.
    optional : bool
        Whether labels are left out where they cannot be read.
    """
    digits = digit_heights(texts, room)
    if optional and width_points(ax, 3 * digits.max(initial=0), 0, np.inf) < _READABLE:
        return  # not even in a figure three times as large
    texts = np.where(room > 0, texts, "") if optional else texts
    dark = brightness(behind) < 0.5
    for digit in np.unique(digits).tolist():
        for pick, ink in ((~dark, LIGHT.ink), (dark, DARK.ink)):
            written = np.flatnonzero(pick & (texts != "") & (digits == digit)).tolist()
            labels = [(str(texts[i]), *places[i].tolist()) for i in written]
            if labels:
                ax.add_artist(CellLabels(labels, digit, ink.unit, optional=optional))


def draw_wall_ids(ax: Axes, walls: NDArray[np.int64], theme: Theme) -> None:
    """Write the ids of walls on a piece of ground in their middle.

    Parameters
    ----------
    ax : Axes
    walls : ndarray of int64, shape (n, 3)
        Id, row and column in the drawn grid.
    theme : Theme
    """
    digits = len(str(walls[:, 0].max(initial=0)))
    digit = min(0.3, 0.62 * DIGIT / (_LETTER * digits))
    if not len(walls) or width_points(ax, 3 * digit, 0, np.inf) < _READABLE:
        return
    labels = [(str(number), (col - 1) / 2, (row - 1) / 2) for number, row, col in walls.tolist()]
    wide = digit / DIGIT * _LETTER
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])
    boxes = [corners * (wide * (len(text) + 0.3) / 2, 0.62 * digit) + (x, y) for text, x, y in labels]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(boxes)
    ax.add_artist(_Legible(Path(np.concatenate(boxes), codes), theme.road.unit, digit, optional=True))
    ax.add_artist(CellLabels(labels, digit, theme.ink.unit, optional=True))


@lru_cache(maxsize=1024)
def _outline(char: str) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Return the vertices and codes of a letter of size 1."""
    if char.isspace():  # of which TextPath makes no arrays
        return np.empty((0, 2)), np.empty(0, np.uint8)
    path = TextPath((0, 0), char, size=1, prop=_FONT)
    return np.asarray(path.vertices, np.float64).reshape(-1, 2), np.asarray(path.codes, np.uint8)
