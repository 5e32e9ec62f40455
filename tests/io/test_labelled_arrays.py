"""Batches as data sets of xarray, and as arrays of other libraries."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refused
from some_batches import BATCHES, HEXAGONS, MANY

import meiro
from meiro import MazeBatch

xr = pytest.importorskip("xarray")

batches = pytest.mark.parametrize("name", BATCHES)


def same(one: Any, other: Any) -> bool:
    return one == other and all(
        (a.seed, a.start, a.goal) == (b.seed, b.start, b.goal) for a, b in zip(one, other, strict=True)
    )


@batches
def test_data_set_round_trip(name: str) -> None:
    many = BATCHES[name]
    dataset, kind = many.to_xarray(), type(many)
    passages, axes = ("passages", ("row", "col")) if kind is MazeBatch else ("open", ("edge",))
    assert dataset[passages].dims == ("maze", *axes)
    found = kind.from_xarray(dataset)
    assert same(found, many)
    assert (found.recipe is None) == (many.recipe is None)
    if found.recipe is not None and getattr(getattr(many, "lattice", None), "labels", None) is None:
        assert meiro.generate_many(**found.recipe) == many
    turned = dataset.transpose(*reversed(list(dataset.dims)))
    assert same(kind.from_xarray(turned), many)
    with pytest.raises(ValueError, match="read-only"):
        getattr(found, passages)[...] = 0
    other = meiro.GraphBatch if kind is MazeBatch else MazeBatch
    words = f"dataset holds <{kind.__name__} .*, and no {other.__name__}: meiro.r"
    refused(ValueError, words, other.from_xarray, dataset)


@pytest.mark.peers
@batches
def test_data_set_in_a_file_of_hdf5(name: str, tmp_path: Path) -> None:
    many, path = BATCHES[name], tmp_path / "many.nc"
    many.to_xarray().to_netcdf(path, engine="h5netcdf")
    with xr.open_dataset(path, engine="h5netcdf") as dataset:
        assert same(type(many).from_xarray(dataset), many)


def test_some_mazes_of_a_data_set_are_a_batch() -> None:
    batch: Any
    for batch in (MANY, HEXAGONS):
        many: Any = meiro.with_ends(batch, "farthest")
        found = type(many).from_xarray(many.to_xarray().isel(maze=[4, 2]))
        assert same(found, many[[4, 2]])


def _without(name: str) -> Any:
    return MANY.to_xarray().drop_vars(name)


def _with_passages(change: Callable[[Any], Any]) -> Any:
    return MANY.to_xarray().assign(passages=lambda dataset: change(dataset["passages"]))


def _with_header(**changed: object) -> Any:
    dataset = MANY.to_xarray()
    return dataset.assign_attrs(meiro_batch=json.dumps(json.loads(dataset.attrs["meiro_batch"]) | changed))


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "no header": (lambda: xr.Dataset({"passages": ("maze", [1])}), "no attribute 'meiro_batch'"),
    "no passages": (lambda: _without("passages"), "passages"),
    "no replicates": (lambda: _without("replicates"), "replicates"),
    "cropped": (lambda: MANY.to_xarray().isel(col=slice(0, 2)), "do not agree"),
    "one maze": (lambda: MANY.to_xarray().isel(maze=0), "maze"),
    "other passages": (lambda: _with_passages(lambda x: x ^ np.uint8(1)), "do not agree"),
    "floats": (lambda: _with_passages(lambda x: x.astype(float)), "uint8"),
    "a later format": (lambda: _with_header(format=2), "format is 2"),
    "a header that is no JSON": (lambda: MANY.to_xarray().assign_attrs(meiro_batch="{"), "holds no batch"),
    "a wrap of three": (lambda: _with_header(wrap=[True, True, True]), "wrap"),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_data_sets_are_refused(what: str) -> None:
    make, message = WRONG[what]
    refused(ValueError, re.escape(message), MazeBatch.from_xarray, make())


def test_what_is_no_data_set_is_refused() -> None:
    refused(TypeError, r"dataset must be an xarray\.Dataset, not 3", MazeBatch.from_xarray, 3)


def test_mazes_are_arrays_of_libraries_that_know_dlpack() -> None:
    many = MANY[2:5]
    array = np.from_dlpack(many)
    assert np.array_equal(array, many.grids)
    assert many.__dlpack_device__() == array.__dlpack_device__()
    grid = np.from_dlpack(many[0])
    assert np.array_equal(grid, many[0].grid)
    assert many[0].__dlpack_device__() == grid.__dlpack_device__()
