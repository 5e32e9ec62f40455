"""Numbers and words in the cells of a picture on matplotlib axes: outlines, which scale with the cells.

This module needs matplotlib; nothing imports it before a plot is asked for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.artist import allow_rasterization
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.textpath import TextPath

from meiro.colors import DARK, LIGHT
from meiro.drawing.matplotlib.overlays import brightness
from meiro.drawing.matplotlib.scaled_lines import axes_of, width_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from numpy.typing import NDArray

_FONT = FontProperties(family="DejaVu Sans")  # matplotlib brings it along
_SIZE = 10
_WIDTH, _HEIGHT = 0.62, 0.42  # of the longest word and of a digit, as a share of a cell


class _Outline(NamedTuple):
    """A word as matplotlib draws it, its ink from left to right, and where the next letter begins."""

    vertices: NDArray[np.float64]
    codes: NDArray[np.uint8]
    left: float
    right: float
    next: float


class RoomyPatch(PathPatch):
    """Words that are left away where they would be too small to be read.

    Parameters
    ----------
    path : Path
    height : float
        Of a digit, as a share of a cell.
    """

    LEAST = 3.2
    """Points of a digit that can just be read."""

    def __init__(self, path: Any, height: float, **facts: Any) -> None:
        super().__init__(path, **facts)
        self._height = height

    @allow_rasterization  # type: ignore[untyped-decorator]  # matplotlib has no types for it
    def draw(self, renderer: RendererBase) -> None:
        """Draw if there is room."""
        if width_points(axes_of(self), self._height, 0, np.inf) >= self.LEAST:
            super().draw(renderer)


def draw_words(
    ax: Axes,
    words: NDArray[np.str_],
    corner: tuple[int, int],
    shades: NDArray[np.float64],
    *,
    roomy: bool = False,
) -> None:
    """Write dark words on what is bright and bright ones on what is dark.

    Parameters
    ----------
    words : ndarray of str, shape (rows, cols)
    corner : (int, int)
        Row and column of the first.
    shades : ndarray, shape (rows, cols, 3)
        What they stand on.
    roomy : bool
        Whether they are left away where they could not be read.
    """
    if roomy and width_points(ax, 2 * _HEIGHT, 0, np.inf) < RoomyPatch.LEAST:
        return  # not even in a figure that is twice as large
    dark = brightness(shades) < 0.5
    for pick, ink in ((~dark, LIGHT.ink), (dark, DARK.ink)):
        found = _written(words, pick, corner)
        if found is not None:
            path, height = found
            facts: dict[str, Any] = {"facecolor": ink.unit, "edgecolor": "none", "transform": ax.transData}
            patch = RoomyPatch(path, height, **facts) if roomy else PathPatch(path, **facts)
            patch.set_zorder(2.3)
            ax.add_artist(patch)


def _written(
    words: NDArray[np.str_], pick: NDArray[np.bool_], corner: tuple[int, int]
) -> tuple[Path, float] | None:
    """Return the words that are picked as one path, and how high a digit is."""
    outlines = {word: _outline(word) for word in set(words[words != ""].tolist())}
    places = np.argwhere(pick & (words != ""))
    if not len(places):
        return None
    tall = _outline("0").vertices[:, 1].max()
    wide = max(outline.right for outline in outlines.values())
    scale = min(_WIDTH / wide, _HEIGHT / tall) if wide > 0 else 0.0
    vertices, codes = [], []
    for row, col in places.tolist():
        outline = outlines[str(words[row, col])]
        middle = (outline.left + outline.right) / 2, tall / 2
        at = col + corner[1], row + corner[0]
        vertices.append((outline.vertices - middle) * (scale, -scale) + at)
        codes.append(outline.codes)
    return Path(np.concatenate(vertices), np.concatenate(codes)), float(tall * scale)


def _outline(word: str) -> _Outline:
    """Return a word letter by letter: to ask matplotlib for ten thousand numbers would take a minute."""
    if not word.isascii():
        return _drawn(word)
    letters = [_drawn(letter) for letter in word]
    starts = np.cumsum([0.0, *(letter.next for letter in letters)])
    placed = [letter.vertices + np.array([x, 0]) for letter, x in zip(letters, starts[:-1], strict=True)]
    return _Outline(
        np.concatenate(placed),
        np.concatenate([letter.codes for letter in letters]),
        letters[0].left,
        starts[-2] + letters[-1].right,
        starts[-1],
    )


@lru_cache(maxsize=1024)
def _drawn(text: str) -> _Outline:
    path, after = (TextPath((0, 0), t, size=_SIZE, prop=_FONT) for t in (text, text + "0"))
    codes = np.asarray(path.codes, np.uint8)
    vertices = np.asarray(path.vertices, np.float64).reshape(-1, 2)
    x = vertices[codes != Path.CLOSEPOLY, 0]
    zero = TextPath((0, 0), "0", size=_SIZE, prop=_FONT)
    step = float(np.asarray(after.vertices)[-2, 0] - np.asarray(zero.vertices)[-2, 0])
    left, right = (float(x.min()), float(x.max())) if len(x) else (0.0, step)
    return _Outline(vertices, codes, left, right, step)
