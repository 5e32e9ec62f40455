"""A lattice as named arrays and a header, and back: what files of mazes on it hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro.io.arrays import npz
from meiro.io.graphs.plain_values import label_of, plain_label
from meiro.lattices.lattice import Lattice, Outline

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

BROKEN = (*npz.BROKEN, LookupError, OverflowError, ZeroDivisionError)
_HINTS = "weight_addresses", "straight"


def arrays_of_lattice(lattice: Lattice) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header of a lattice, plain as for JSON, and its edges, places and outline."""
    name, n_cells, edges, positions, outline, layers, labels, recipe, hints = lattice.__getstate__()
    arrays: dict[str, NDArray[Any]] = {"edges": edges}
    if positions is not None:
        arrays["positions"] = positions
    if layers is not None:
        arrays["layers"] = layers
    if outline is not None:
        of = {f"outline_{key}": one for key, one in zip(Outline._fields, outline, strict=True)}
        arrays |= {key: one for key, one in of.items() if one is not None}
    arrays |= {key: one for key, one in zip(_HINTS, hints, strict=True) if one is not None}
    header = {
        "name": name,
        "n_cells": n_cells,
        "labels": None if labels is None else [plain_label(label) for label in labels],
        "recipe": None if recipe is None else npz.encode_recipe(recipe, arrays),
    }
    return header, arrays


def lattice_of_arrays(header: Any, arrays: Mapping[str, NDArray[Any]], what: str) -> Lattice:
    """Return the lattice of a header and arrays, or raise an error that says what is wrong with them.

    `what` is named where there is no memory for as many cells as the header says.
    """
    cells = header["n_cells"]
    if type(cells) is not int or cells < 1:
        msg = f"n_cells is {short_repr(cells)}"
        raise ValueError(msg)
    require(60 * min(cells, 1 << 62), what, "it says that it has so many cells")
    edges = npz.checked(arrays, "edges", np.int32, (None, 2))
    m = len(edges)
    outline = None
    if "outline_corners" in arrays:
        outline = _outline(arrays, cells, m)
    hints = [
        npz.checked(arrays, name, dtype, (m, 2)) if name in arrays else None
        for name, dtype in zip(_HINTS, (np.uint64, np.int32), strict=True)
    ]
    labels = header["labels"]
    name = header["name"]
    if not isinstance(name, str):
        msg = f"its name is {short_repr(name)}"
        raise TypeError(msg)
    if labels is not None:
        labels = tuple(label_of(one) for one in labels)
        if len(labels) != cells or len(set(labels)) != cells:
            raise ValueError("labels must differ, one for each cell")  # noqa: EM101, TRY003
    positions = arrays.get("positions")
    if positions is not None and positions.dtype != np.float64:
        msg = f"positions are {positions.dtype}"
        raise TypeError(msg)
    recipe = None if header["recipe"] is None else npz.decode_plain(header["recipe"], arrays)
    lattice: Lattice = object.__new__(Lattice)
    layers = npz.checked(arrays, "layers", np.int32, (cells,)) if "layers" in arrays else None
    lattice.__setstate__((name, cells, edges, positions, outline, layers, labels, recipe, tuple(hints)))
    return lattice


def _outline(arrays: Mapping[str, NDArray[Any]], cells: int, m: int) -> Outline:
    kinds = {
        "corners": (np.float64, (None, 2)),
        "indptr": (np.int64, (cells + 1,)),
        "indices": (np.int64, (None,)),
        "walls": (np.float64, (m, 2, 2)),
        "rim": (np.float64, (None, 2, 2)),
        "rim_cells": (np.int32, (None,)),
    }
    parts = {key: npz.checked(arrays, f"outline_{key}", *kind) for key, kind in kinds.items()}
    for key, count in (("wall_arcs", m), ("rim_arcs", len(parts["rim"]))):
        if f"outline_{key}" in arrays:
            parts[key] = npz.checked(arrays, f"outline_{key}", np.bool_, (count,))
    if "outline_more_edges" in arrays:
        parts["more_edges"] = npz.checked(arrays, "outline_more_edges", np.int32, (None,))
        parts["more_walls"] = npz.checked(
            arrays, "outline_more_walls", np.float64, (len(parts["more_edges"]), 2, 2)
        )
        if not _between(parts["more_edges"], m):
            raise ValueError("its walls are not sound")  # noqa: EM101, TRY003
    indptr, indices = parts["indptr"], parts["indices"]
    sound = indptr[0] == 0 and indptr[-1] == len(indices) and (np.diff(indptr) >= 0).all()
    sound = sound and _between(indices, len(parts["corners"])) and _between(parts["rim_cells"], cells)
    sound = sound and len(parts["rim_cells"]) == len(parts["rim"])
    if not sound or not all(np.isfinite(parts[key]).all() for key in parts if parts[key].dtype == np.float64):
        raise ValueError("its polygons are not sound")  # noqa: EM101, TRY003
    return Outline(**parts)


def _between(numbers: NDArray[Any], n: int) -> bool:
    return not len(numbers) or bool(numbers.min() >= 0 and numbers.max() < n)
