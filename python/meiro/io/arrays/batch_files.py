"""Batches of mazes in files: a ``.npz`` file, or a ``.zarr`` folder in chunks; ``.zanj`` of maze-dataset.

The first two hold the arrays and the header of `batch_arrays`, the header in JSON: it is the array ``batch``
of the file, or the attribute ``meiro_batch`` of the folder, where it has a digest of the arrays, too: chunks
of two saves are no batch.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.atomic import atomic, atomic_folder, read_folder, worker
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as
from meiro._utils.validation import checked_path
from meiro.io.arrays import BATCHES, npz
from meiro.io.arrays.batch_arrays import arrays_of_batch, batch_of_arrays
from meiro.io.arrays.lattice_arrays import BROKEN
from meiro.io.arrays.zarr_folders import DAMAGED, says, zarr_library
from meiro.io.peers.zanj import TEXTS, from_data_set, to_data_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from meiro.mazes._batch import Batch
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch


_HEADER = "meiro_batch"
_NO_BATCH = "{} holds no batch of mazes"
_CHUNK = 1 << 22  # bytes
_DIGEST = 16  # bytes


def save_batch(batch: Batch[Any], path: str | os.PathLike[str]) -> None:
    """Write a batch; the suffix selects the format."""
    suffix = _suffix(path)
    if suffix == ".zanj":
        texts, arrays = to_data_set(batch)
        with atomic(path) as file:
            npz.write_arrays(file, arrays, texts)
        return
    zipped = suffix == ".npz"
    header, arrays = arrays_of_batch(batch)
    if zipped:
        with atomic(path) as file:
            npz.write_arrays(file, {"batch": np.array(json.dumps(header)), **arrays})
    else:
        _save_zarr(Path(path), arrays, header)


def open_batch(path: str | os.PathLike[str]) -> MazeBatch | GraphBatch:
    """Read a batch that `save_batch` wrote."""
    suffix, name = _suffix(path), repr(os.fspath(path))
    if suffix == ".zanj":
        return from_data_set(npz.read_archive(path, TEXTS), name)
    if suffix == ".npz":
        arrays = npz.read_archive(path)
        if "batch" not in arrays:
            what = "one maze, which meiro.read reads" if "passages" in arrays else f"{sorted(arrays)}"
            msg = f"{name} holds no batch but {what}"
            raise ValueError(msg)
        return batch_of_members(arrays, name)
    zarr = zarr_library()
    header, arrays = read_folder(path, lambda folder: _read_zarr(zarr, folder, name))
    with invalid_as(_NO_BATCH.format(name), *BROKEN):
        return batch_of_arrays(header, arrays, name)


def batch_of_members(arrays: dict[str, NDArray[Any]], name: str) -> MazeBatch | GraphBatch:
    """Return the batch of the arrays of a ``.npz`` file, which messages call `name`."""
    with invalid_as(_NO_BATCH.format(name), *BROKEN):
        return batch_of_arrays(json.loads(arrays.pop("batch").item()), arrays, name)


def _suffix(path: str | os.PathLike[str]) -> str:
    suffix = checked_path(path).suffix.lower()
    if suffix not in BATCHES:
        msg = f"{os.fspath(path)!r}: suffix {suffix!r} is not one of {', '.join(BATCHES)}"
        raise ValueError(msg)
    return suffix


def _save_zarr(path: Path, arrays: Mapping[str, NDArray[Any]], header: Mapping[str, object]) -> None:
    zarr = zarr_library()
    stop = False

    def refuse_other(folder: Path) -> None:
        if not says(folder, _HEADER):
            msg = f"{os.fspath(path)!r} exists and holds no batch: it is not replaced"
            raise FileExistsError(msg)

    def write(folder: Path) -> None:
        group = zarr.open_group(str(folder), mode="w-", zarr_format=3)
        digest = hashlib.blake2b(digest_size=_DIGEST)
        for name, array in sorted(arrays.items()):
            maze_bytes = max(array[:1].nbytes, 1)
            chunks = (max(1, min(len(array), _CHUNK // maze_bytes)), *array.shape[1:])
            stored = group.create_array(name, shape=array.shape, dtype=array.dtype, chunks=chunks)
            digest.update(_head(name, array))
            for first in range(0, len(array), chunks[0]):
                if stop:
                    return
                piece = np.ascontiguousarray(array[first : first + chunks[0]])
                stored[first : first + chunks[0]] = piece
                digest.update(piece.data)
        group.attrs[_HEADER] = {**header, "digest": digest.hexdigest()}

    if path.exists():
        read_folder(path, refuse_other)
    with atomic_folder(path) as folder, worker() as pool:
        try:
            pool.submit(write, folder).result()
        finally:
            stop = True


def _head(name: str, array: NDArray[Any]) -> bytes:
    return f"{name} {array.dtype.str} {array.shape}".encode()


def _digest_of(arrays: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for name, array in sorted(arrays.items()):
        digest.update(_head(name, array))
        data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        for first in range(0, len(data), _CHUNK):
            digest.update(data[first : first + _CHUNK].data)
    return digest.hexdigest()


def _read_zarr(zarr: Any, path: Path, name: str) -> tuple[Any, dict[str, NDArray[Any]]]:
    if not says(path, _HEADER):
        msg = f"{name} is damaged or holds no batch: zarr.json has no {_HEADER!r}"
        raise ValueError(msg)
    with invalid_as(f"{name} is damaged", *DAMAGED):
        group = zarr.open_group(str(path), mode="r")
        found = dict(group.arrays())
        bytes_ = sum(
            max(array.nbytes, math.prod(array.chunks) * array.dtype.itemsize) for array in found.values()
        )
    require(2 * bytes_, name, "open it with zarr.open_group and take parts")
    with invalid_as(f"{name} is damaged", *DAMAGED):
        header = group.attrs[_HEADER]
        arrays = {key: np.asarray(array[...]) for key, array in found.items()}
    if "digest" in header and header["digest"] != _digest_of(arrays):
        msg = (
            f"{name} is damaged: its chunks are not those of one save, as in a copy made while it was "
            "replaced; copy or save it again"
        )
        raise ValueError(msg)
    return header, arrays
