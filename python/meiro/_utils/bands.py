"""Long work on arrays, band by band: Python handles Ctrl-C between two calls of NumPy, never within one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import hashlib
    from collections.abc import Iterator, Sequence

    from numpy.typing import DTypeLike, NDArray

BAND = 1 << 19  # items: some milliseconds of work


def bands(n: int, width: int = 1) -> Iterator[slice]:
    """Yield slices of `n` rows of `width` items, at most `BAND` items (or one row) at a time."""
    rows = max(1, BAND // max(1, width))
    for first in range(0, n, rows):
        yield slice(first, min(first + rows, n))


def equal(a: NDArray[Any], b: NDArray[Any], *, equal_nan: bool = False) -> bool:
    """Return `numpy.array_equal`, band by band."""
    if a.size <= BAND or a.shape != b.shape:
        return np.array_equal(a, b, equal_nan=equal_nan)
    rows = bands(len(a), a[:1].size)
    return all(np.array_equal(a[band], b[band], equal_nan=equal_nan) for band in rows)


def full(shape: int | tuple[int, ...], value: object, dtype: DTypeLike) -> NDArray[Any]:
    """Return `numpy.full`, band by band."""
    out = np.empty(shape, dtype)
    for band in bands(len(out), out[:1].size):
        out[band] = value
    return out


def converted(array: NDArray[Any], dtype: DTypeLike) -> NDArray[Any]:
    """Return a copy of an array in C order, as `astype` does, band by band."""
    if array.size <= BAND:
        return array.astype(dtype, order="C")
    out = np.empty(array.shape, dtype)
    for band in bands(len(array), array[:1].size):
        out[band] = array[band]
    return out


def joined(parts: Sequence[NDArray[Any]], dtype: DTypeLike) -> NDArray[Any]:
    """Return 1-D arrays one after another, as `numpy.concatenate` does, array by array."""
    out = np.empty(sum(map(len, parts)), dtype)
    first = 0
    for part in parts:
        out[first : first + len(part)] = part
        first += len(part)
    return out


def update(digest: hashlib.blake2b, *arrays: NDArray[Any] | None) -> None:
    """Add the bytes of arrays in C order to a digest; None has no bytes."""
    for array in arrays:
        if array is not None:
            for band in bands(len(array), array[:1].size):
                digest.update(array[band].data)
