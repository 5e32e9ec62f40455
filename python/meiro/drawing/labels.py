"""Values and labels of cells, checked, and labels as text: the same for plots and for text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.paper import text_width
from meiro._utils.validation import boolean, plain_array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


MOST_LABELS = 10_000
"""Cells in a picture up to which they can have labels."""

DIGIT = 0.729
"""The height of a digit, as a share of the size of its font."""

_LETTER = 0.602  # width of a letter, as a share of the size
_WIDTH, _HEIGHT = 0.64, 0.42  # of the longest label and of a digit, as shares of a cell
_STEP, _LEAST_ROOM = 1.2, 0.1  # from size to size of labels, and the smallest of cells, as shares


def checked_marks(marks: Any) -> Any:
    """Return ``marks=``: True, False, a mapping or None."""
    return marks if marks is None or isinstance(marks, Mapping) else boolean(marks, "marks")


def texts_of(
    x: Any, labels: Any, marks: Mapping[Any, object] | None, part: tuple[slice, slice] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.str_]] | None:
    """Return the numbers of the places that have texts, and their texts; None if nothing is given.

    Parameters
    ----------
    x : Space
        Of one maze or of an array.
    labels : array_like or mapping
        One entry per place, or texts of some.
    marks : mapping, optional
        Further texts of some places.
    part : (slice, slice), optional
        The rows and columns that are drawn.
    """
    given = {"labels": labels, "marks": marks}
    found: dict[int, str] = {}
    for name, texts in given.items():
        if isinstance(texts, Mapping):
            numbers = np.array([x.number(place, name) for place in texts], np.int64)
            array: Any = np.ma.masked_array(np.empty(len(texts), object))
            array[:] = list(texts.values())
        elif texts is None:
            continue
        else:
            array = array_of_shape(texts, x.shape, name)
            numbers = np.arange(array.size).reshape(array.shape)
            if part is not None:
                array, numbers = array[part], numbers[part]
        if array.size > MOST_LABELS:
            instead = "a part of the maze by region=" if part else "some cells by a mapping, {cell: text}"
            raise ValueError(
                f"{name}: {array.size:,} are too many to read, {MOST_LABELS:,} at most; show numbers by "
                f"values=, or {instead}"
            )
        found.update(zip(numbers.reshape(-1).tolist(), label_texts(array).reshape(-1).tolist(), strict=True))
    if all(texts is None for texts in given.values()):
        return None
    shown = {number: text for number, text in found.items() if text and _in_part(number, x.shape, part)}
    return np.array(list(shown), np.int64), np.array(list(shown.values()), str)


def _in_part(number: int, shape: tuple[int, ...], part: tuple[slice, slice] | None) -> bool:
    """Return whether a place is drawn."""
    if part is None:
        return True
    return all(s.start <= at < s.stop for s, at in zip(part, divmod(number, shape[1]), strict=True))


def digit_heights(texts: NDArray[np.str_], room: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the height of the digits of each label: one, or less, in steps, in small cells, of long texts.

    Parameters
    ----------
    texts : ndarray of str, shape (n,)
    room : ndarray of float64, shape (n,)
        Sides of squares in the cells; 0 where another cell lies above.
    """
    if not len(texts):
        return np.empty(0)
    widths = np.array([text_width(text) for text in texts.tolist()])
    usual = float(np.median(widths[widths > 0])) if widths.any() else 0.0
    height, heights = _fitting(min(widths.max(), 2 * usual)), _fitting(widths)
    common = float(np.median(room)) or 1.0  # most cells lie on others
    room = np.clip(np.where(room == 0, common, room), _LEAST_ROOM * common, common)
    steps = np.ceil(np.log(height * common / (np.minimum(height, heights) * room)) / np.log(_STEP) - 1e-9)
    return np.asarray(height * common / _STEP**steps)


def label_height(texts: NDArray[np.str_]) -> float:
    """Return the height of a digit, as a share of a cell, at which the longest label fits."""
    return float(_fitting(max(map(text_width, texts.ravel().tolist()), default=0.0)))


def _fitting(width: ArrayLike) -> NDArray[np.float64]:
    """Return the height of a digit, as a share of a cell, at which a text of this width fits."""
    return np.minimum(_HEIGHT, _WIDTH * DIGIT / np.maximum(width, _LETTER))


def array_of_shape(given: ArrayLike, shape: tuple[int, ...], name: str) -> np.ma.MaskedArray[Any, Any]:
    """Return an array with one entry per cell (or site of an array), or raise a ValueError."""
    array: np.ma.MaskedArray[Any, Any] = np.ma.asarray(plain_array(given, name, masked=True))
    if array.shape != shape:
        raise ValueError(
            f"{name} must have shape {shape}, one entry per cell or site that is drawn, not {array.shape}"
        )
    return array


def shown_numbers(given: np.ma.MaskedArray[Any, Any]) -> np.ma.MaskedArray[Any, Any]:
    """Return values to colour cells by, blank ones masked: NaN, and negative ones of integers."""
    if given.dtype.kind not in "biuf":
        raise TypeError(f"values must be numbers, not {given.dtype}")
    blank = given.data < 0 if given.dtype.kind == "i" else ~np.isfinite(given.data)
    return np.ma.masked_array(given.data, np.ma.getmaskarray(given) | blank)


def label_texts(labels: np.ma.MaskedArray[Any, Any]) -> NDArray[np.str_]:
    """Return labels as text; None, NaN, NaT, masked entries and negative integers are blank."""
    if labels.dtype.kind == "M":
        blank = np.ma.getmaskarray(labels) | np.isnat(labels.data)
        return np.where(blank, "", np.datetime_as_string(labels.data))
    texts = [_text(label) for label in labels.ravel().tolist()]
    return np.array(texts, str).reshape(labels.shape)


def _text(label: object) -> str:
    if isinstance(label, float):
        return "" if math.isnan(label) else f"{label:g}"
    return "" if label is None or (isinstance(label, int) and label < 0) else str(label).strip()
