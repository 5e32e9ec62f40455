"""Masks from text and pictures, and the brightness of a picture in each cell, for weights."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from meiro._utils.characters import are_among
from meiro._utils.memory import require
from meiro._utils.square import ShapeLike, checked_shape
from meiro._utils.validation import number, one_of, require_type
from meiro.io.image import read_luminance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.io.image import Picture

_INSIDE, _OUTSIDE = ". ", "#X"
_BAND = 1 << 20  # pixels


def mask_from_text(text: str, *, inside: str | None = None) -> NDArray[np.bool_]:
    """Read a mask from text, one character a cell: True for cells of the maze.

    Parameters
    ----------
    text : str
        One line a row. Lines shorter than the longest one are continued outside. Empty lines at the beginning
        and at the end are ignored.
    inside : str, optional
        The characters that are inside; all others are outside. Default: "." and the space are inside, "#" and
        "X" outside, and no other character is accepted. A figure that seems to be drawn with "#", with empty
        corners, raises a UserWarning: ``inside="#"`` takes it, ``inside=". "`` what is around it.

    Returns
    -------
    ndarray of bool, shape (rows, cols)
        True where a cell exists, as ``mask=`` of `meiro.generate` takes it.

    Raises
    ------
    ValueError
        If there are other characters and `inside` is not given, or if no cell is inside.
    TypeError
        If `text` or `inside` is not a string.

    Examples
    --------
    >>> mask = meiro.mask_from_text('''
    ... #..#
    ... ....
    ... #..#
    ... ''')
    >>> meiro.generate(mask=mask, rng=7)
    <Maze 3 rows x 4 cols, wilson>
    >>> meiro.mask_from_text("oo-ooo", inside="o").astype(int)
    array([[1, 1, 0, 1, 1, 1]])
    """
    for value, name in ((text, "text"), ("" if inside is None else inside, "inside")):
        require_type(value, str, name, "a string")
    if inside == "":
        raise ValueError("inside='' holds no character")
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    full = [row for row, line in enumerate(lines) if line]
    if not full:
        raise ValueError("text is empty: a mask has at least one cell")
    rows = range(full[0], full[-1] + 1)
    width = max(len(lines[row]) for row in rows)
    padded = "".join(lines[row].ljust(width, "\n") for row in rows)
    codes = np.frombuffer(padded.encode("utf-32-le", "surrogatepass"), "<u4").reshape(-1, width)
    if inside is None and (strange := np.flatnonzero(~are_among(codes, _INSIDE + _OUTSIDE + "\n"))).size:
        row, col = divmod(int(strange[0]), width)
        raise ValueError(
            f"line {rows[row] + 1} of text has {lines[rows[row]][col]!r} at column {col + 1}; known are "
            "'.' and ' ', inside, and '#' and 'X', outside: say which are inside, as inside='o'"
        )
    mask = are_among(codes, inside or _INSIDE)
    if inside is None and _is_figure(are_among(codes, _OUTSIDE), blank="." not in text):
        msg = (
            "a figure seems to be drawn with '#', and the maze fills what is around it: inside='#' takes the "
            "figure, inside='. ' says that this is meant"
        )
        warnings.warn(msg, UserWarning, stacklevel=2)
    if not mask.any():
        raise ValueError(f"no cell of text is inside: it has no character of {inside or _INSIDE!r}")
    return mask


def _is_figure(signs: NDArray[np.bool_], *, blank: bool) -> bool:
    """Return whether signs leave the corners free, and reach a side or stand before nothing but blanks."""
    sides = signs[0].any() or signs[-1].any() or signs[:, 0].any() or signs[:, -1].any()
    return bool(signs.any() and not signs[[0, 0, -1, -1], [0, -1, 0, -1]].any() and (sides or blank))


def mask_from_image(
    picture: Picture,
    shape: ShapeLike | None = None,
    *,
    threshold: float | None = None,
    inside: Literal["bright", "dark"] = "bright",
) -> NDArray[np.bool_]:
    """Read a mask from a picture: True for cells of the maze.

    Parameters
    ----------
    picture : path, binary file, Pillow image, or array_like of shape (h, w) or (h, w, channels)
        As in `meiro.from_image`.
    shape : (int, int), optional
        Rows and columns, in cells: the mean brightness of the area of a cell counts. Default: a pixel a cell.
    threshold : float, optional
        The least brightness that counts as bright: 0 to 255 in files and images, the array's own numbers in
        an array. Default: half of the full range.
    inside : "bright" or "dark"
        Which part the maze fills.

    Returns
    -------
    ndarray of bool, shape (rows, cols)
        True where a cell exists, as ``mask=`` of `meiro.generate` takes it.

    Raises
    ------
    ValueError
        If no cell is inside, or `inside`, `shape`, `threshold` or the picture is not valid.
    ImportError
        If Pillow is needed but not installed.
    MemoryError
        If a picture is too large, before memory is allocated for it.

    Examples
    --------
    >>> meiro.mask_from_image([[0, 255, 255], [0, 200, 40]], inside="dark").astype(int)
    array([[1, 0, 0],
           [1, 0, 1]])
    """
    one_of(inside, "inside", ("bright", "dark"))
    least = None if threshold is None else number(threshold, "threshold")
    unsure = "say threshold= (of what is bright)" if threshold is None else None
    values, full = _means(picture, shape, unsure)
    least = full / 2 if least is None else least
    mask: NDArray[np.bool_] = (values >= least) == (inside == "bright")
    if not mask.any():
        other = "dark" if inside == "bright" else "bright"
        raise ValueError(
            f"no cell is {inside} at threshold {least:g}: give another threshold=, or inside={other!r}"
        )
    return mask


def brightness(picture: Picture, shape: ShapeLike | None = None) -> NDArray[np.float64]:
    """Return how bright a picture is in each cell.

    Parameters
    ----------
    picture : path, binary file, Pillow image, or array_like of shape (h, w) or (h, w, channels)
        As in `meiro.from_image`.
    shape : (int, int), optional
        Rows and columns, in cells. A cell has the mean brightness of its area, in which parts of pixels count
        by their share; cells may also be smaller than pixels. Default: a pixel a cell.

    Returns
    -------
    ndarray of float64, shape (rows, cols)
        0 for black, 1 for white.

    Raises
    ------
    ValueError
        If the picture is damaged or does not say what full brightness is, or `shape` is not valid.
    ImportError
        If Pillow is needed but not installed.
    MemoryError
        If a picture is too large, before memory is allocated for it.

    Examples
    --------
    >>> meiro.brightness([[0, 255, 255, 255], [0, 255, 255, 0]], (1, 2))
    array([[0.5 , 0.75]])

    A maze shaped by a picture: its corridors are vertical where the picture is bright, horizontal where it is
    dark. Kruskal opens walls of small weight first, so walls across the wanted direction get small weights.

    >>> shape, picture = (20, 30), np.hypot(*np.mgrid[-1:1:60j, -1.5:1.5:90j]) < 0.8  # or "cat.png"
    >>> cells = meiro.wall_cells(shape, np.arange(20 * 29 + 19 * 30)).T
    >>> light = meiro.brightness(picture, shape).ravel()[cells].mean(axis=0)
    >>> along = np.where(cells[1] - cells[0] == 1, light, 1 - light)
    >>> noise = np.random.default_rng(7).random(len(along))
    >>> meiro.generate(shape, "kruskal", weights=along + noise)
    <Maze 20 rows x 30 cols, kruskal>
    """
    values, full = _means(picture, shape, "give floats from 0 to 1")
    values /= full
    return np.clip(values, 0, 1, out=values)


def _means(
    picture: Picture, shape: ShapeLike | None, unsure: str | None
) -> tuple[NDArray[np.float64], float]:
    """Return the mean brightness of each cell, rounded once, and the brightness of white."""
    cells = None if shape is None else checked_shape(shape)
    values, full = read_luminance(picture, unsure)
    if not np.isfinite([values.min(), values.max()]).all():
        raise ValueError("the picture holds infinity, which has no mean")
    height, width = values.shape
    rows, cols = cells or values.shape
    what = f"the brightness of ({rows}, {cols}) cells of {height} x {width} pixels"
    require(8 * (rows + height) * cols, what, "take a smaller shape or picture")
    if (rows, cols) == values.shape:
        return values.astype(np.float64, order="C"), full
    narrow = np.empty((height, cols))
    at_once = max(1, _BAND // (width + cols))
    for row in range(0, height, at_once):
        narrow[row : row + at_once] = _boxes(values[row : row + at_once], cols)
    out = np.empty((rows, cols))
    at_once = max(1, _BAND // (height + rows))
    for col in range(0, cols, at_once):
        out[:, col : col + at_once] = _boxes(narrow[:, col : col + at_once].T, rows).T
    out /= height * width
    return out, full


def _boxes(lines: NDArray[Any], count: int) -> NDArray[np.float64]:
    """Sum `count` equal parts of each line, in pixels / count: exact for integers."""
    length = lines.shape[1]
    sums = np.zeros((len(lines), length + 1))
    np.cumsum(lines, axis=1, dtype=np.float64, out=sums[:, 1:])
    pixel, share = np.divmod(np.arange(count + 1) * length, count)  # where parts end, in pixels / count
    ends = sums[:, pixel] * (count - share) + sums[:, np.minimum(pixel + 1, length)] * share
    return np.asarray(np.diff(ends, axis=1))
