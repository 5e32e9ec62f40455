"""What the readers and writers of zarr folders share."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.atomic import atomic_folder, worker
from meiro._utils.interruptible import result_of
from meiro._utils.messages import requires_extra

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

_CHUNK = 1 << 22  # bytes

# What zarr, pyarrow and their codecs raise; not Exception, which may come from a signal handler of the user.
DAMAGED = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError, EOFError),
    *(OSError, RuntimeError, zlib.error),
)


def zarr_library() -> Any:
    """Import zarr; an ImportError names the extra."""
    with requires_extra("dist", "zarr"):
        import zarr
    return zarr


def write_group(path: Path, arrays: Mapping[str, NDArray[Any]], attributes: Mapping[str, object]) -> None:
    """Write arrays, in chunks of some items of the first axis, and attributes, as a folder."""
    zarr = zarr_library()
    stop = False

    def write(folder: Path) -> None:
        group = zarr.open_group(str(folder), mode="w-", zarr_format=3)
        for name, array in sorted(arrays.items()):
            n = max(1, min(len(array), _CHUNK // max(array[:1].nbytes, 1)))
            chunks = (n, *array.shape[1:])
            stored = group.create_array(name, shape=array.shape, dtype=array.dtype, chunks=chunks)
            for first in range(0, len(array), n):
                if stop:
                    return
                stored[first : first + n] = np.ascontiguousarray(array[first : first + n])
        group.attrs.update(attributes)

    with atomic_folder(path) as folder, worker() as pool:
        try:
            result_of(pool.submit(write, folder))
        finally:
            stop = True


def node(path: Path) -> dict[str, Any]:
    """Return what a folder of zarr says of itself; nothing if it is not one."""
    try:
        found = json.loads((path / "zarr.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def says(path: Path, name: str) -> bool:
    """Return whether a folder of zarr has an attribute."""
    attributes = node(path).get("attributes")
    return isinstance(attributes, dict) and name in attributes
