"""An array in a file of NumPy, for what is larger than memory."""

from __future__ import annotations

import errno
import math
import os
import shutil
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro._utils.atomic import atomic
from meiro._utils.messages import short_repr
from meiro._utils.validation import checked_dtype, integer, items_of, path_ending_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import DTypeLike

_PIECE = 1 << 26  # bytes reserved at a time: Ctrl-C waits for one
_MOST_AXES = 32


def open_memmap(
    path: str | os.PathLike[str], shape: Sequence[int], dtype: DTypeLike = np.uint8
) -> np.memmap[Any, Any]:
    """Make a ``.npy`` file of zeros and return it as an array, which may be larger than memory.

    The bytes of the file are reserved on the disk: no later write runs out of space. A file of that name is
    replaced.

    Parameters
    ----------
    path : path
        Ends in ``.npy``; `numpy.load` with ``mmap_mode="r+"`` opens the file again.
    shape : sequence of int
        As (rows, cols) for the passages of a maze.
    dtype : dtype
        Of booleans, integers or floats; uint8, that of passages and grids, by default.

    Returns
    -------
    memmap
        Writable, C-contiguous: for ``out=`` of `meiro.generate`, `Maze.to_grid` and `meiro.distances`. Its
        method ``flush`` writes what has not reached the disk.

    Raises
    ------
    OSError
        If the disk has no room for it; the message says how much there is. Nothing has been written then.
    ValueError, TypeError
        If the suffix is another one, or shape and dtype are not those of an array of numbers.

    See Also
    --------
    meiro.generate : ``out=`` receives the passages.

    Examples
    --------
    >>> bits = meiro.io.open_memmap("large.npy", (200, 300))
    >>> maze = meiro.generate((200, 300), "eller", rng=7, out=bits)
    >>> maze == meiro.generate((200, 300), "eller", rng=7)
    True
    >>> np.load("large.npy", mmap_mode="r").shape
    (200, 300)
    """
    file_path, name = path_ending_in((".npy",), path), os.fspath(path)
    sides, kind = _checked_shape(shape), _checked_dtype(dtype)
    if math.prod(sides) * kind.itemsize >= 1 << 62:
        raise ValueError(f"shape {sides} of {kind} is too large for a file")
    with atomic(path) as file:
        head = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": sides}
        needed = math.prod(sides) * kind.itemsize
        free = shutil.disk_usage(Path(os.path.realpath(path)).parent).free
        if needed > free:
            msg = f"No space left on device: {sides} of {kind} takes {needed:,} bytes, and {free:,} are free"
            raise OSError(errno.ENOSPC, msg, name)
        np.lib.format.write_array_header_2_0(file, head)
        file.flush()
        _reserve(file, file.tell(), needed)
    try:
        mapped: np.memmap[Any, Any] = np.load(name, mmap_mode="r+")
    except OSError as error:
        if error.errno != errno.ENOMEM:
            raise
        file_path.unlink(missing_ok=True)
        raise MemoryError(
            f"shape {sides} of {kind} takes {needed:,} bytes, for which this process has no addresses"
        ) from error
    return mapped


def _reserve(file: IO[bytes], first: int, size: int) -> None:
    """Give a file `size` bytes from `first` on, which are zero and on the disk."""
    reserve = getattr(os, "posix_fallocate", None)
    for at in range(first, first + size, _PIECE):
        n = min(_PIECE, first + size - at)
        if reserve is not None:
            reserve(file.fileno(), at, n)
        else:  # a system without it
            file.write(bytes(n))


def _checked_shape(shape: Sequence[int]) -> tuple[int, ...]:
    sides = list(islice(items_of(shape, "shape", "sides, as (rows, cols)", ordered=True), _MOST_AXES + 1))
    if isinstance(shape, str | bytes) or not 0 < len(sides) <= _MOST_AXES:
        raise TypeError(f"shape must be the sides of an array, as (rows, cols), not {short_repr(shape)}")
    return tuple(integer(side, "shape", 1, 1 << 62) for side in sides)


def _checked_dtype(dtype: DTypeLike) -> np.dtype[Any]:
    kind = checked_dtype(dtype)
    if kind.kind not in "biuf":
        raise TypeError(f"dtype must be of booleans, integers or floats, not {kind}")
    return kind
