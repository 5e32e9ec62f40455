"""Samples to learn from in a folder of shards: Parquet, Arrow or zarr, a file or folder for each batch."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, get_args

import numpy as np

from meiro._utils.atomic import atomic
from meiro._utils.messages import invalid_as, requires_extra, short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.set_module import set_module
from meiro._utils.validation import boolean, checked_path, integer, one_of, require_type
from meiro.datasets.samples import GraphInputs
from meiro.datasets.supervised import SampleBatches
from meiro.io.arrays.npz import VERSIONS, require_format
from meiro.io.arrays.zarr_folders import DAMAGED, write_group, zarr_library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    Sample = tuple[Any, NDArray[Any], NDArray[np.bool_]]

ShardFormat = Literal["parquet", "arrow", "zarr"]
_HEADER = "meiro_samples"
_NAMES = ("inputs", "targets", "masks")
_GRAPH_NAMES = ("open", "ends", "targets", "masks")  # of samples on a lattice


def write_shards(
    samples: SampleBatches,
    folder: str | os.PathLike[str],
    *,
    format: ShardFormat = "parquet",  # noqa: A002  # the field's word
    resume: bool = False,
    progress: Progress = False,
) -> None:
    """Write samples in a folder, a shard for each batch.

    One batch is in memory at a time, and a shard appears only when all of it is written.

    Parameters
    ----------
    samples : SampleBatches
        Of ``meiro.datasets.supervised(..., batch_size=)``.
    folder : path
        Made if it is not there; else it must be empty, or hold shards of the same samples and `resume` is
        True.
    format : {"parquet", "arrow", "zarr"}
        ``00000.parquet`` or ``.arrow`` with a row for each maze and the columns ``inputs``, ``targets`` and
        ``masks``, tensors of a fixed shape (extra ``data``); or ``00000.zarr`` with three arrays (extra
        ``dist``). `GraphInputs` are stored as ``open`` and ``ends``, bools as uint8. Each has a header
        in JSON: what makes the samples, and versions.
    resume : bool
        Whether to keep the shards that are there and write the others.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in shards.

    Raises
    ------
    FileExistsError
        If there is something in the folder and `resume` is False.
    ValueError
        If the folder holds shards of other samples.
    OSError
        If the folder cannot be made, or a shard not written.
    TypeError
        If `samples` are no `SampleBatches`.
    ImportError
        If pyarrow or zarr is not installed.

    See Also
    --------
    read_shards : the inverse.

    Examples
    --------
    >>> samples = meiro.datasets.supervised((8, 8), "wilson", 100, batch_size=32, rng=7)
    >>> meiro.io.write_shards(samples, "samples")
    >>> shards = meiro.io.read_shards("samples")
    >>> len(shards), shards[0][0].shape
    (4, (32, 3, 17, 17))
    """
    what = "made by meiro.datasets.supervised(..., batch_size=)"
    require_type(samples, SampleBatches, "samples", what)
    one_of(format, "format", get_args(ShardFormat))
    boolean(resume, "resume")
    home = checked_path(folder, "folder")
    _library(format)
    facts = VERSIONS | {"shards": len(samples), "samples": samples.description}
    home.mkdir(parents=True, exist_ok=True)
    there = sorted(path.name for path in home.iterdir())
    if there and not resume:
        raise FileExistsError(
            f"folder {os.fspath(folder)!r} is not empty: resume=True goes on with its shards"
        )
    told = reporter(progress)
    for k in range(len(samples)):
        header = {**facts, "shard": k}
        path = home / f"{k:05}.{format}"
        if path.exists():
            found = _read_header(path)
            if found != header:
                raise ValueError(f"{os.fspath(path)!r} is a shard of other samples: take another folder")
        else:
            _write_shard(path, samples[k], header)
        if told is not None:
            told(k + 1, len(samples))


@set_module("meiro.io")
class Shards:
    """The shards of a folder, read when they are asked for, as `read_shards` returns them.

    ``shards[k]`` has the inputs, targets and masks of shard `k`; ``len`` is their number.

    Parameters
    ----------
    folder : path
        As of `read_shards`.

    Examples
    --------
    >>> samples = meiro.datasets.supervised((4, 5), "wilson", 10, rng=7, batch_size=4)
    >>> meiro.io.write_shards(samples, "mazes")
    >>> shards = meiro.io.Shards("mazes")
    >>> len(shards), shards[2][0].shape
    (3, (2, 3, 9, 11))
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        home = checked_path(folder, "folder")
        name = repr(os.fspath(folder))
        with invalid_as(f"{name} is no folder of shards", OSError):
            found = sorted(path for path in home.iterdir() if path.suffix[1:] in get_args(ShardFormat))
        if not found:
            raise ValueError(f"folder {name} holds no shards: meiro.io.write_shards writes them")
        first = _read_header(found[0])
        wanted = [f"{k:05}{found[0].suffix}" for k in range(first["shards"])]
        missing = sorted(set(wanted) - {path.name for path in found})
        if missing:
            raise ValueError(
                f"folder {name} has no {missing[0]}: write_shards(..., resume=True) writes what is missing"
            )
        self._paths = [home / each for each in wanted]
        self._header = first
        self.description: dict[str, Any] = first["samples"]

    def __len__(self) -> int:
        """Return the number of shards."""
        return len(self._paths)

    def __getitem__(self, k: SupportsIndex) -> Sample:
        """Return the inputs, targets and masks of shard `k`."""
        number = integer(k, "k")
        if not -len(self) <= number < len(self):
            raise IndexError(f"k={short_repr(k)} is no shard of {len(self)}")
        path = self._paths[number]
        header, arrays = _read_shard(path)
        if header != {**self._header, "shard": number % len(self)}:
            raise ValueError(f"{os.fspath(path)!r} is a shard of other samples than the first one")
        return arrays

    def __iter__(self) -> Iterator[Sample]:
        """Yield the shards."""
        return (self[k] for k in range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Return whether these are the same files with the same header."""
        if not isinstance(other, Shards):
            return NotImplemented
        return self._paths == other._paths and self._header == other._header

    __hash__ = None  # type: ignore[assignment]  # files may change

    def __repr__(self) -> str:
        """Return the number of shards."""
        return f"<Shards: {len(self):,} of {short_repr(self.description)}>"


def read_shards(folder: str | os.PathLike[str]) -> Shards:
    """Read the samples that `write_shards` wrote, a shard at a time.

    Parameters
    ----------
    folder : path
        With shards of one format.

    Returns
    -------
    Shards
        A sequence of ``inputs, targets, masks``.

    Raises
    ------
    ValueError
        If there are no shards, one is missing or damaged; with its name.

    See Also
    --------
    write_shards : the inverse.

    Examples
    --------
    >>> samples = meiro.datasets.supervised((4, 4), "wilson", 10, target="policy", batch_size=5, rng=7)
    >>> meiro.io.write_shards(samples, "policies", format="arrow")
    >>> [targets.shape for inputs, targets, masks in meiro.io.read_shards("policies")]
    [(5, 4, 4), (5, 4, 4)]
    """
    return Shards(folder)


def _library(format_: str) -> Any:
    if format_ == "zarr":
        return zarr_library()
    with requires_extra("data", "pyarrow"):
        import pyarrow as pa
        import pyarrow.ipc
        import pyarrow.parquet
    return pa


def _write_shard(path: Path, sample: Sample, header: dict[str, Any]) -> None:
    inputs, targets, masks = sample
    arrays = [*(inputs if isinstance(inputs, GraphInputs) else [inputs]), targets, masks]
    names = _GRAPH_NAMES if isinstance(inputs, GraphInputs) else _NAMES
    stored = [array.view(np.uint8) if array.dtype == np.bool_ else array for array in arrays]
    text = json.dumps({**header, "dtypes": [array.dtype.str for array in arrays]})
    if path.suffix == ".zarr":
        write_group(path, dict(zip(names, stored, strict=True)), {_HEADER: text})
        return
    pa = _library("arrow")
    columns = [pa.FixedShapeTensorArray.from_numpy_ndarray(np.ascontiguousarray(array)) for array in stored]
    table = pa.table(dict(zip(names, columns, strict=True))).replace_schema_metadata({_HEADER: text})
    with atomic(path) as file:
        if path.suffix == ".parquet":
            pa.parquet.write_table(table, file, compression="zstd")
        else:
            with pa.ipc.new_file(file, table.schema) as writer:
                writer.write_table(table)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Any, Callable[[], list[NDArray[Any]]]]]:
    """Open a shard once: its header, as JSON has it, and what reads its arrays."""
    with ExitStack() as stack:
        stack.enter_context(invalid_as(f"{os.fspath(path)!r} is damaged, or no shard of samples", *DAMAGED))
        if path.suffix == ".zarr":
            group = zarr_library().open_group(str(path), mode="r")
            header = json.loads(group.attrs[_HEADER])
            yield header, lambda: [np.asarray(group[name][...]) for name in _names(header)]
            return
        pa = _library("arrow")
        parquet = path.suffix == ".parquet"
        file = stack.enter_context(pa.parquet.ParquetFile(path) if parquet else pa.ipc.open_file(path))
        schema, read = (file.schema_arrow, file.read) if parquet else (file.schema, file.read_all)

        header = json.loads(schema.metadata[_HEADER.encode()])

        def arrays() -> list[NDArray[Any]]:
            table = read()
            return [table[name].combine_chunks().to_numpy_ndarray() for name in _names(header)]

        yield header, arrays


def _names(header: Any) -> tuple[str, ...]:
    return _GRAPH_NAMES if len(header["dtypes"]) == len(_GRAPH_NAMES) else _NAMES


def _checked_header(header: Any) -> dict[str, Any]:
    require_format(header)
    integer(header["shards"], "shards", 1, 100_000)
    return {key: value for key, value in header.items() if key != "dtypes"}


def _read_header(path: Path) -> dict[str, Any]:
    """Return the header of a shard."""
    with _opened(path) as (header, _):
        return _checked_header(header)


def _read_shard(path: Path) -> tuple[dict[str, Any], Sample]:
    with _opened(path) as (header, arrays):
        checked = _checked_header(header)
        found: Any = [
            array.view(np.bool_) if dtype == "|b1" else array
            for array, dtype in zip(arrays(), header["dtypes"], strict=True)
        ]
        *parts, targets, masks = found
        inputs = GraphInputs(*parts) if len(parts) == 2 else parts[0]
        same = {len(array) for array in found}
        if len(same) != 1 or targets.shape != masks.shape or masks.dtype != np.bool_:
            raise ValueError(f"its arrays have the shapes {', '.join(str(array.shape) for array in found)}")
        return checked, (inputs, targets, masks)
