"""A batch as named arrays and a header, and back: what its files and data sets hold.

The arrays are ``passages`` and ``replicates``; ``mask``, ``masks``, ``openings``, ``starts`` and ``goals``,
where there are such; and those of the recipe. The header is plain, as for JSON: the versions of this format,
of meiro and of the stream of random numbers, the recipe, the two words of the key, and wrap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.arrays import mask_of, read_only
from meiro._utils.square import checked_wrap
from meiro.io.arrays import npz
from meiro.maze._batch_data import BatchData
from meiro.maze._openings import checked_openings_many
from meiro.maze._validation import mask_bytes
from meiro.maze.batch import MazeBatch, batch_of_data
from meiro.seeds import Seed, root_of
from meiro.spaces.grids import Squares

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

FORMAT = 1
_OPTIONAL = ("mask", "masks", "openings", "starts", "goals")


def require_format(header: Any) -> None:
    """Raise an error unless this meiro reads what the header is of."""
    if header["format"] != FORMAT:
        msg = f"its format is {header['format']}, of meiro {header['meiro']}; this meiro reads {FORMAT}"
        raise ValueError(msg)


def arrays_of_batch(batch: MazeBatch) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header and the arrays of a batch."""
    *state, stream = batch.__getstate__()
    data = BatchData(*state)
    arrays: dict[str, NDArray[Any]] = {"passages": batch.passages, "replicates": batch.replicates}
    arrays |= {name: x for name in _OPTIONAL if (x := getattr(data, name)) is not None}
    header = {
        "format": FORMAT,
        "meiro": _core.__version__,
        "stream": stream,
        "recipe": None if data.recipe is None else npz.encode_recipe(data.recipe, arrays),
        "key": data.root and data.root[0],
        "entropy": data.root and data.root[2],
        "wrap": data.wrap,
    }
    return header, arrays


def batch_of_arrays(header: Any, arrays: Mapping[str, NDArray[Any]]) -> MazeBatch:
    """Return the batch of a header and arrays, or raise an error that says what is wrong with them."""
    require_format(header)
    passages, replicates = arrays["passages"], arrays["replicates"]
    if passages.dtype != np.uint8 or passages.ndim != 3 or 0 in passages.shape[1:]:
        msg = f"passages must be uint8 (n, rows, cols), not {passages.dtype} {passages.shape}"
        raise ValueError(msg)
    if replicates.dtype != np.uint64 or replicates.shape != passages.shape[:1]:
        msg = f"replicates must be uint64 ({len(passages)},), not {replicates.dtype} {replicates.shape}"
        raise ValueError(msg)
    shape = passages.shape[1], passages.shape[2]
    mask = mask_of(arrays["mask"], shape) if "mask" in arrays else None
    wrap = checked_wrap(tuple(header["wrap"]), shape)
    recipe = None if header["recipe"] is None else npz.decode_recipe(header["recipe"], arrays)
    masks = _array(arrays, "masks", np.bool_, passages.shape)
    openings = _array(arrays, "openings", np.int64, (len(passages), None, 2))
    ends = [_array(arrays, name, np.int64, (len(passages), 2)) for name in ("starts", "goals")]
    root = None
    if header["key"] is not None:
        root = root_of(Seed(tuple(header["key"]), 0, header.get("entropy")))
    data = BatchData(np.ascontiguousarray(passages), mask, root, read_only(replicates), recipe, wrap, masks)
    batch = batch_of_data(data, header["stream"])
    maze, cell = _core.first_fault_of_many(data.passages, mask_bytes(batch.masks), wrap)
    if maze >= 0:
        msg = f"passages of maze {maze} do not agree with the adjacent cells' at {divmod(cell, shape[1])}"
        raise ValueError(msg)
    sites = None if openings is None else checked_openings_many(openings, passages.shape, batch.masks, wrap)
    space = Squares(batch)
    starts, goals = (
        None if cells is None else read_only(_cells(space, cells, name))
        for cells, name in zip(ends, ("start", "goal"), strict=True)
    )
    data = data._replace(openings=sites, starts=starts, goals=goals)
    return batch_of_data(data, header["stream"])


def _cells(space: Squares, cells: NDArray[np.int64], name: str) -> NDArray[np.int64]:
    """Return the cells of each maze, (n, 2), that must exist; both -1 are none."""
    numbers = space.number_of_each(cells, name, none=(cells == -1).all(axis=1))
    return np.where(numbers[:, np.newaxis] < 0, -1, space.names(numbers))


def _array(
    arrays: Mapping[str, NDArray[Any]], name: str, dtype: type, shape: tuple[int | None, ...]
) -> NDArray[Any] | None:
    """Return an array that need not be there, or raise an error that says what is wrong with it."""
    array = arrays.get(name)
    if array is None:
        return None
    sides = tuple(
        side if wanted is None else wanted for side, wanted in zip(array.shape, shape, strict=False)
    )
    if array.dtype != dtype or array.ndim != len(shape) or array.shape != sides:
        msg = f"{name} must be {np.dtype(dtype)} {shape}, not {array.dtype} {array.shape}"
        raise ValueError(msg)
    return read_only(np.ascontiguousarray(array))
