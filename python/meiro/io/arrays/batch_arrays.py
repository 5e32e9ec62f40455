"""A batch as named arrays and a header, and back: what its files and data sets hold.

The arrays are ``passages``, or ``open`` on a lattice, and ``replicates``; ``mask``, ``masks``, ``openings``,
``starts`` and ``goals``, where there are such; and those of the recipe and of the lattice. The header is
plain, as for JSON: the versions of this format, of meiro and of the stream of random numbers, the recipe, the
two words of the key, and wrap, or the header of the lattice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.arrays import mask_of, read_only
from meiro._utils.square import checked_wrap
from meiro.io.arrays import npz
from meiro.io.arrays.lattice_arrays import arrays_of_lattice, lattice_of_arrays
from meiro.mazes._batch import batch_of, changed, state_of
from meiro.mazes._batch_data import BatchData
from meiro.mazes._graph_openings import checked_graph_openings_many
from meiro.mazes._openings import checked_openings_many
from meiro.mazes._validation import mask_bytes
from meiro.mazes.batch import MazeBatch, batch_of_data
from meiro.mazes.graph_batch import GraphBatch, GraphBatchData
from meiro.seeds import STREAM, Root, Seed, root_of
from meiro.spaces.grids import Squares
from meiro.spaces.space_of import lattice_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from meiro.mazes._batch import Batch


def arrays_of_batch(batch: Batch[Any]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header and the arrays of a batch."""
    state = state_of(batch)
    fields = {name: x for name, x in state._asdict().items() if isinstance(x, np.ndarray)}
    arrays: dict[str, NDArray[Any]] = fields | {"replicates": batch.replicates}
    arrays.pop("numbers", None)
    header = {
        "format": npz.FORMAT,
        "meiro": _core.__version__,
        "stream": STREAM,
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
    return _on_lattice(header, arrays, where) if "lattice" in header else _of_squares(header, arrays)


def _on_lattice(header: Any, arrays: Mapping[str, NDArray[Any]], where: str) -> GraphBatch:
    lattice = lattice_of_arrays(header["lattice"], arrays, where)
    open_ = npz.checked(arrays, "open", np.bool_, (None, lattice.n_edges))
    loops = lattice.edges[:, 0] == lattice.edges[:, 1]
    if open_[:, loops].any():
        msg = f"maze {open_[:, loops].any(axis=1).argmax()} opens a self loop, which cannot be open"
        raise ValueError(msg)
    ends = [_array(arrays, name, np.int64, (len(open_),)) for name in ("starts", "goals")]
    for name, cells in zip(("starts", "goals"), ends, strict=True):
        if cells is not None and len(wrong := cells[(cells < -1) | (cells >= lattice.n_cells)]):
            msg = f"{name}: there is no cell {wrong[0]} of {lattice.n_cells}"
            raise ValueError(msg)
    openings = _array(arrays, "openings", np.int64, (len(open_), None, 2))
    sites = None if openings is None else checked_graph_openings_many(lattice, openings, len(open_))
    provenance = _provenance(header, arrays, len(open_))
    starts, goals = ends
    data = GraphBatchData(lattice, open_, *provenance, starts, goals, sites)
    return batch_of(GraphBatch, data, header["stream"])


def _of_squares(header: Any, arrays: Mapping[str, NDArray[Any]]) -> MazeBatch:
    passages = arrays["passages"]
    if passages.dtype != np.uint8 or passages.ndim != 3 or 0 in passages.shape[1:]:
        msg = f"passages must be uint8 (n, rows, cols), not {passages.dtype} {passages.shape}"
        raise ValueError(msg)
    shape = passages.shape[1], passages.shape[2]
    provenance = _provenance(header, arrays, len(passages))
    mask = mask_of(arrays["mask"], shape) if "mask" in arrays else None
    wrap = checked_wrap(tuple(header["wrap"]), shape)
    masks = _array(arrays, "masks", np.bool_, passages.shape)
    openings = _array(arrays, "openings", np.int64, (len(passages), None, 2))
    ends = [_array(arrays, name, np.int64, (len(passages), 2)) for name in ("starts", "goals")]
    data = BatchData(np.ascontiguousarray(passages), mask, *provenance, wrap, masks)
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
    return changed(batch, openings=sites, starts=starts, goals=goals)


def _provenance(
    header: Any, arrays: Mapping[str, NDArray[Any]], n: int
) -> tuple[Root | None, NDArray[np.uint64], dict[str, Any] | None]:
    """Return the root of the seeds, the replicates and the recipe of mazes."""
    replicates = arrays["replicates"]
    if replicates.dtype != np.uint64 or replicates.shape != (n,):
        msg = f"replicates must be uint64 ({n},), not {replicates.dtype} {replicates.shape}"
        raise ValueError(msg)
    recipe = npz.decode_recipe(header["recipe"], arrays, on_lattice="lattice" in header)
    key = header["key"]
    root = None if key is None else root_of(Seed(tuple(key), 0, header.get("entropy")))
    return root, read_only(replicates), recipe


def _cells(space: Squares, cells: NDArray[np.int64], name: str) -> NDArray[np.int64]:
    """Return the cells of each maze, (n, 2), that must exist; both -1 are none."""
    numbers = space.number_of_each(cells, name, none=(cells == -1).all(axis=1))
    return space.names_or_none(numbers)


def _array(
    arrays: Mapping[str, NDArray[Any]], name: str, dtype: type, shape: tuple[int | None, ...]
) -> NDArray[Any] | None:
    """Return an array that need not be there, or raise an error that says what is wrong with it."""
    return npz.checked(arrays, name, dtype, shape) if name in arrays else None
