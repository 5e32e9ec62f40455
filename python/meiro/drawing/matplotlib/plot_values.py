"""The numbers and words that `meiro.plot` puts into cells, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Shape

    Part = tuple[slice, slice]

LABELS_UP_TO = 10_000
"""Cells in view up to which labels can be drawn."""

_VALUES_SIDE = 1024  # values above it are averaged: matplotlib takes 60 bytes for each to draw them
_BAND = 1 << 21  # of them at a time


def numbers_of(values: ArrayLike, shape: Shape, part: Part) -> np.ma.MaskedArray[Any, Any]:
    """Return the numbers of a part, masked, and averaged where no screen could show them all."""
    given = _fitting(values, shape, "values")[part]
    if given.dtype.kind not in "biuf":
        msg = f"values must be numbers, not {given.dtype}"
        raise TypeError(msg)
    if max(given.shape) <= _VALUES_SIDE:
        return _blanked(given)
    downs, across = (np.arange(n + 1) * side // n for side in given.shape for n in [min(side, _VALUES_SIDE)])
    means: np.ma.MaskedArray[Any, Any] = np.ma.empty((len(downs) - 1, len(across) - 1))
    at_once = max(_BAND * len(downs) // given.size, 1)
    for begin in range(0, len(downs) - 1, at_once):
        cuts = downs[begin : begin + at_once + 1]
        band = _blanked(given[cuts[0] : cuts[-1]])
        there = ~np.ma.getmaskarray(band)
        total, count = (
            np.add.reduceat(np.add.reduceat(x, cuts[:-1] - cuts[0], axis=0, dtype=t), across[:-1], axis=1)
            for x, t in ((band.filled(0), np.float64), (there, np.int64))
        )
        means[begin : begin + at_once] = np.ma.masked_array(total / np.maximum(count, 1), count == 0)
    return means


def extend_under_walls(
    numbers: np.ma.MaskedArray[Any, Any], walls: NDArray[np.bool_]
) -> np.ma.MaskedArray[Any, Any]:
    """Go on with the numbers below the walls beside them, so that no seam and no speckle is left."""
    filled: np.ma.MaskedArray[Any, Any] = numbers.copy()
    for axis in (0, 1):
        for step in (1, -1):
            beside = np.ma.masked_all_like(filled)  # type: ignore[no-untyped-call]
            to, of = (slice(1, None), slice(None, -1))[::step]
            whole = (slice(None),) * axis
            beside[(*whole, to)] = filled[(*whole, of)]
            fill = walls & np.ma.getmaskarray(filled) & ~np.ma.getmaskarray(beside)
            filled[fill] = beside[fill]
    return filled


def words_of(labels: ArrayLike, shape: Shape, part: Part) -> NDArray[np.str_]:
    """Return the labels of a part as text, empty where there is none."""
    given = _fitting(labels, shape, "labels")[part]
    if given.size > LABELS_UP_TO:
        msg = (
            f"labels: {given.size:,} are too many to read, {LABELS_UP_TO:,} at most; take values= for numbers"
        )
        raise ValueError(msg)
    given = _blanked(given)
    blank = np.ma.getmaskarray(given).ravel().tolist()
    texts = [
        "" if there or word is None else f"{word:g}" if isinstance(word, float) else str(word).strip()
        for word, there in zip(given.data.ravel().tolist(), blank, strict=True)
    ]
    return np.array(texts, dtype=str).reshape(given.shape)


def _fitting(given: ArrayLike, shape: Shape, name: str) -> np.ma.MaskedArray[Any, Any]:
    array: np.ma.MaskedArray[Any, Any] = np.ma.asarray(given)
    if array.shape != shape:
        msg = f"{name} must have shape {shape}, one for each place, not {array.shape}"
        raise ValueError(msg)
    return array


def _blanked(array: np.ma.MaskedArray[Any, Any]) -> np.ma.MaskedArray[Any, Any]:
    """Mask what says that there is nothing: NaN, and negative integers."""
    if array.dtype.kind == "i":
        return np.ma.masked_less(array, 0)
    return np.ma.masked_invalid(array) if array.dtype.kind == "f" else array
