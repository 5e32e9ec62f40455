"""Values and labels of cells, checked, and labels as text: the same for plots and for text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.validation import plain_array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


MOST_LABELS = 10_000
"""Cells in a plot up to which they can have labels."""


def array_of_shape(given: ArrayLike, shape: tuple[int, ...], name: str) -> np.ma.MaskedArray[Any, Any]:
    """Return an array with one entry per cell (or site of an array), or raise a ValueError."""
    array: np.ma.MaskedArray[Any, Any] = np.ma.asarray(plain_array(given, name, masked=True))
    if array.shape != shape:
        msg = f"{name} must have shape {shape}, one entry per cell or site that is drawn, not {array.shape}"
        raise ValueError(msg)
    return array


def shown_numbers(given: np.ma.MaskedArray[Any, Any]) -> np.ma.MaskedArray[Any, Any]:
    """Return values to colour cells by, blank ones masked: NaN, and negative ones of integers."""
    if given.dtype.kind not in "biuf":
        msg = f"values must be numbers, not {given.dtype}"
        raise TypeError(msg)
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
