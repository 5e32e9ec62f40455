"""Long work on arrays, band by band: Python handles Ctrl-C between two calls of NumPy, never within one.

A call that takes less than 0.3 s for 64 million items, and needs no array beside its result, works on all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require

if TYPE_CHECKING:
    import hashlib
    from collections.abc import Iterator, Sequence

    from numpy.typing import DTypeLike, NDArray

BAND = 1 << 19  # items: some milliseconds of work
_OBJECTS = 1 << 17  # Python objects read at a time
_MOST_AXES = 64  # of an array of NumPy


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


def array_of(items: Sequence[Any]) -> NDArray[Any]:
    """Return ``numpy.asanyarray(items)`` of a list, tuple or range, which may be nested, piece by piece.

    Numbers and text in one list are left to NumPy as a whole, since the type of all then decides their text.
    """
    n = _n_objects(items)
    if n <= _OBJECTS:
        return np.asanyarray(items)
    out: NDArray[Any] = np.empty(0)
    for band in bands(len(items), n // len(items) * (BAND // _OBJECTS)):
        one = band.stop - band.start == 1 and isinstance(items[band.start], list | tuple | range)
        part = array_of(items[band.start])[None] if one else np.asanyarray(items[band])
        if band.start == 0:
            require(part.nbytes // len(part) * len(items), "the array", "give fewer items")
            out = np.empty((len(items), *part.shape[1:]), part.dtype)
        elif part.shape[1:] != out.shape[1:]:
            msg = f"item {band.start} has shape {part.shape[1:]}, those before {out.shape[1:]}"
            raise ValueError(msg)
        elif part.dtype != out.dtype:
            if part.dtype.kind != out.dtype.kind and {part.dtype.kind, out.dtype.kind} - set("biuf"):
                return np.asanyarray(items)
            out = out.astype(np.promote_types(out.dtype, part.dtype))
        out[band] = part
    return out


def _n_objects(items: object) -> int:
    """Return the number of objects in nested lists, as if each were as long as the first of its list."""
    n = 1
    for _ in range(_MOST_AXES):
        if not (isinstance(items, list | tuple | range) and items):
            break
        n *= len(items)
        items = items[0]
    return n * items.size if isinstance(items, np.ndarray) else n


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
