"""Batches of mazes as named arrays and a header; in files and data sets.

The arrays are ``passages``, or ``open`` on a lattice, and ``replicates``; ``mask``, ``masks``, ``openings``,
``starts`` and ``goals``, where there are such; and those of the recipe and of the lattice. The header is
plain, as for JSON: the versions of this format, of meiro and of the stream of random numbers, the recipe, the
two words of the key, and wrap, or the header of the lattice.

In a ``.npz`` file the header, in JSON, is the array ``batch``; in a ``.zarr`` folder, which has chunks, the
attribute ``meiro_batch``, with a digest of the arrays, too: chunks of two saves are no batch. Data sets of
xarray, which have named dimensions, have this attribute as well, and through it netCDF and HDF5 files.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.arrays import mask_of
from meiro._utils.atomic import atomic, read_folder
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as, requires_extra, short_repr
from meiro._utils.square import checked_wrap
from meiro._utils.validation import checked_path, plain_array
from meiro.io.arrays import BATCHES, npz
from meiro.io.arrays.maze_files import BROKEN, arrays_of_lattice, lattice_of_arrays
from meiro.io.arrays.zarr_folders import DAMAGED, says, write_group, zarr_library
from meiro.io.peers.maze_dataset import TEXTS, from_data_set, to_data_set
from meiro.mazes._batch import batch_of, changed, state_of
from meiro.mazes._batch_data import BatchData
from meiro.mazes._openings import openings_or_none
from meiro.mazes.batch import MazeBatch, batch_of_data
from meiro.mazes.graph_batch import GraphBatch, GraphBatchData
from meiro.seeds import Root, Seed, root_of
from meiro.spaces.space_of import lattice_of, mazes_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import xarray as xr
    from numpy.typing import NDArray

    from meiro.mazes._batch import Batch

_HEADER = "meiro_batch"
_NO_BATCH = "{} holds no batch of mazes"
_PIECE = 1 << 22  # bytes
_DIGEST = 16  # bytes
_DIMENSIONS = {
    "passages": ("maze", "row", "col"),
    "open": ("maze", "edge"),
    "edges": ("edge", "end"),
    "replicates": ("maze",),
    "mask": ("row", "col"),
    "masks": ("maze", "row", "col"),
    "openings": ("maze", "opening", "axis"),
    "starts": ("maze", "axis"),
    "goals": ("maze", "axis"),
}


def arrays_of_batch(batch: Batch[Any]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header and the arrays of a batch."""
    state = state_of(batch)
    fields = {name: x for name, x in state._asdict().items() if isinstance(x, np.ndarray)}
    arrays: dict[str, NDArray[Any]] = fields | {"replicates": batch.replicates}
    arrays.pop("numbers", None)
    header = npz.VERSIONS | {
        "recipe": None if state.recipe is None else npz.encode_recipe(state.recipe, arrays),
        "key": state.root and state.root[0],
        "entropy": state.root and state.root[2],
    }
    lattice = lattice_of(batch)
    if lattice is None:
        return {**header, "wrap": state.wrap}, arrays
    of_lattice, more = arrays_of_lattice(lattice)
    return {**header, "lattice": of_lattice}, arrays | more


def batch_of_arrays(
    header: Any, arrays: Mapping[str, NDArray[Any]], where: str = "the dataset"
) -> MazeBatch | GraphBatch:
    """Return the batch of a header and arrays, or raise an error that says what is wrong with them."""
    npz.require_format(header)
    on_lattice = "lattice" in header
    batch = _on_lattice(header, arrays, where) if on_lattice else _of_squares(header, arrays)
    space, n, ends = mazes_of(batch), len(batch), []
    for name in ("start", "goal"):
        cells = npz.checked_if_there(arrays, f"{name}s", np.int64, (n,) if on_lattice else (n, 2))
        if cells is None:
            ends.append(np.full(n, -1))
        else:
            none = (cells == -1).all(axis=tuple(range(1, cells.ndim)))
            ends.append(space.number_of_each(cells, name, none=none))
    openings = npz.checked_if_there(arrays, "openings", np.int64, (n, None, 2))
    sites = None if openings is None else openings_or_none(space.checked_openings(openings))
    return changed(space.with_ends(*ends), openings=sites)


def _on_lattice(header: Any, arrays: Mapping[str, NDArray[Any]], where: str) -> GraphBatch:
    lattice = lattice_of_arrays(header["lattice"], arrays, where)
    open_ = npz.checked(arrays, "open", np.bool_, (None, lattice.n_edges))
    loops = lattice.edges[:, 0] == lattice.edges[:, 1]
    if open_[:, loops].any():
        raise ValueError(
            f"maze {open_[:, loops].any(axis=1).argmax()} opens a self loop, which cannot be open"
        )
    data = GraphBatchData(lattice, open_, *_provenance(header, arrays, len(open_)))
    return batch_of(GraphBatch, data, header["stream"])


def _of_squares(header: Any, arrays: Mapping[str, NDArray[Any]]) -> MazeBatch:
    passages = arrays["passages"]
    if passages.dtype != np.uint8 or passages.ndim != 3 or 0 in passages.shape[1:]:
        raise ValueError(f"passages must be uint8 (n, rows, cols), not {passages.dtype} {passages.shape}")
    shape = passages.shape[1], passages.shape[2]
    provenance = _provenance(header, arrays, len(passages))
    mask = mask_of(arrays["mask"], shape) if "mask" in arrays else None
    wrap = checked_wrap(tuple(header["wrap"]), shape)
    masks = npz.checked_if_there(arrays, "masks", np.bool_, passages.shape)
    data = BatchData(np.ascontiguousarray(passages), mask, *provenance, wrap, masks)
    batch = batch_of_data(data, header["stream"])
    maze, cell = _core.first_fault(data.passages, batch.masks, wrap)
    if maze >= 0:
        raise ValueError(
            f"passages of maze {maze} do not agree with the adjacent cells' at {divmod(cell, shape[1])}"
        )
    return batch


def _provenance(
    header: Any, arrays: Mapping[str, NDArray[Any]], n: int
) -> tuple[Root | None, NDArray[np.uint64], dict[str, Any] | None]:
    """Return the root of the seeds, the replicates and the recipe of mazes."""
    replicates = npz.checked(arrays, "replicates", np.uint64, (n,))
    recipe = npz.decode_recipe(header["recipe"], arrays, on_lattice="lattice" in header)
    key = header["key"]
    root = None if key is None else root_of(Seed(tuple(key), 0, header.get("entropy")))
    return root, replicates, recipe


def save_batch(batch: Batch[Any], path: str | os.PathLike[str]) -> None:
    """Write a batch; the suffix selects the format."""
    suffix = _suffix(path)
    if suffix == ".zanj":
        texts, arrays = to_data_set(batch)
        with atomic(path) as file:
            npz.write_arrays(file, arrays, texts)
        return
    header, arrays = arrays_of_batch(batch)
    if suffix == ".npz":
        with atomic(path) as file:
            npz.write_arrays(file, {"batch": np.array(json.dumps(header)), **arrays})
        return
    final = Path(path)
    if final.exists() and not read_folder(final, lambda folder: says(folder, _HEADER)):
        raise FileExistsError(f"{os.fspath(path)!r} exists and holds no batch: it is not replaced")
    write_group(final, arrays, {_HEADER: {**header, "digest": _digest_of(arrays)}})


def open_batch(path: str | os.PathLike[str]) -> MazeBatch | GraphBatch:
    """Read a batch that `save_batch` wrote."""
    suffix, name = _suffix(path), repr(os.fspath(path))
    if suffix == ".zanj":
        return from_data_set(npz.read_archive(path, TEXTS), name)
    if suffix == ".npz":
        arrays = npz.read_archive(path)
        if "batch" not in arrays:
            what = "one maze, which meiro.read reads" if "passages" in arrays else f"{sorted(arrays)}"
            raise ValueError(f"{name} holds no batch but {what}")
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
        raise ValueError(f"{os.fspath(path)!r}: suffix {suffix!r} is not one of {', '.join(BATCHES)}")
    return suffix


def _digest_of(arrays: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        for first in range(0, len(data), _PIECE):
            digest.update(data[first : first + _PIECE].data)
    return digest.hexdigest()


def _read_zarr(zarr: Any, path: Path, name: str) -> tuple[Any, dict[str, NDArray[Any]]]:
    if not says(path, _HEADER):
        raise ValueError(f"{name} is damaged or holds no batch: zarr.json has no {_HEADER!r}")
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
        raise ValueError(
            f"{name} is damaged: its chunks are not those of one save, as in a copy made while it was "
            "replaced; copy or save it again"
        )
    return header, arrays


def to_dataset(batch: Batch[Any]) -> xr.Dataset:
    """Return the arrays of a batch with named dimensions, the header as JSON among the attributes."""
    with requires_extra("data", "xarray"):
        import xarray as xr
    header, arrays = arrays_of_batch(batch)
    variables: dict[str, Any] = {}
    for name, array in arrays.items():
        variables[name] = xr.Variable(_dimensions(name, array.ndim), array)
    if "passages" in variables:
        variables["passages"].attrs = {
            "long_name": "open directions of each cell",
            "flag_masks": np.array([1, 2, 4, 8], np.uint8),
            "flag_meanings": "north east south west",
        }
    variables["replicates"].attrs = {"long_name": "number of each maze under the seed"}
    attributes: dict[str, Any] = {"title": batch.description, _HEADER: json.dumps(header)}
    if (recipe := batch.recipe) is not None:
        attributes["recipe"] = ", ".join(f"{name}={short_repr(value)}" for name, value in recipe.items())
    return xr.Dataset(variables, attrs=attributes)


def from_dataset(dataset: xr.Dataset) -> Batch[Any]:
    """Return the batch of a data set that `to_dataset` made."""
    for name in ("variables", "attrs"):
        if not hasattr(dataset, name):
            raise TypeError(f"dataset must be an xarray.Dataset, not {short_repr(dataset)}")
    if _HEADER not in dataset.attrs:
        raise ValueError(
            f"dataset has no attribute {_HEADER!r}: to_xarray of a batch makes data sets that have it"
        )
    with invalid_as("dataset holds no batch of mazes", *BROKEN):
        arrays = {}
        for key, variable in dataset.variables.items():
            ordered = variable.transpose(*_dimensions(str(key), variable.ndim))
            arrays[str(key)] = plain_array(ordered.values, str(key))
        return batch_of_arrays(json.loads(dataset.attrs[_HEADER]), arrays)


def _dimensions(name: str, n: int) -> tuple[str, ...]:
    """Return the names of the `n` dimensions of an array."""
    named = _DIMENSIONS.get(name, tuple(f"{name}_{axis}" for axis in range(n)))
    return named[:n]  # starts and goals are numbers on a lattice
