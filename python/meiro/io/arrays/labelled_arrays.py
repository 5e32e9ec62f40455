"""Batches as data sets of xarray, with named dimensions; through it as netCDF and HDF5 files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.messages import invalid_as, requires_extra, short_repr
from meiro._utils.validation import plain_array
from meiro.io.arrays.batch_arrays import arrays_of_batch, batch_of_arrays
from meiro.io.arrays.lattice_arrays import BROKEN

if TYPE_CHECKING:
    import xarray as xr

    from meiro.mazes._batch import Batch

HEADER = "meiro_batch"
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
    attributes: dict[str, Any] = {"title": batch.description, HEADER: json.dumps(header)}
    if (recipe := batch.recipe) is not None:
        attributes["recipe"] = ", ".join(f"{name}={short_repr(value)}" for name, value in recipe.items())
    return xr.Dataset(variables, attrs=attributes)


def from_dataset(dataset: xr.Dataset) -> Batch[Any]:
    """Return the batch of a data set that `to_dataset` made."""
    for name in ("variables", "attrs"):
        if not hasattr(dataset, name):
            msg = f"dataset must be an xarray.Dataset, not {short_repr(dataset)}"
            raise TypeError(msg)
    if HEADER not in dataset.attrs:
        msg = f"dataset has no attribute {HEADER!r}: to_xarray of a batch makes data sets that have it"
        raise ValueError(msg)
    with invalid_as("dataset holds no batch of mazes", *BROKEN):
        arrays = {}
        for key, variable in dataset.variables.items():
            ordered = variable.transpose(*_dimensions(str(key), variable.ndim))
            arrays[str(key)] = plain_array(ordered.values, str(key))
        return batch_of_arrays(json.loads(dataset.attrs[HEADER]), arrays)


def _dimensions(name: str, n: int) -> tuple[str, ...]:
    """Return the names of the `n` dimensions of an array."""
    named = _DIMENSIONS.get(name, tuple(f"{name}_{axis}" for axis in range(n)))
    return named[:n]  # starts and goals are numbers on a lattice
