"""Mazes on lattices in the files of NumPy: everything in a .npz."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as, short_repr
from meiro.graphs.graph_maze import GraphMaze, recipe_of_graph_maze
from meiro.io.arrays import npz
from meiro.io.graphs.plain_values import cell_number, label_of, plain_label
from meiro.lattices.lattice import Lattice, Outline

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 1
BROKEN = (*npz.BROKEN, LookupError, OverflowError, ZeroDivisionError)


def write_npz(file: IO[bytes], x: GraphMaze | Lattice) -> None:
    """Write a lattice with its places, outline and labels, and a maze on it with seed and recipe."""
    header, arrays = lattice_parts(x.lattice if isinstance(x, GraphMaze) else x)
    if isinstance(x, GraphMaze):
        header["maze"], more = maze_parts(x)
        arrays |= more
    npz.write_arrays(file, {"lattice": np.array(json.dumps(header)), **arrays})


def lattice_parts(lattice: Lattice) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return what a lattice is, as values that JSON can hold and as arrays."""
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
    header: dict[str, Any] = {
        "format": FORMAT,
        "meiro": _core.__version__,
        "name": name,
        "n_cells": n_cells,
        "labels": None if labels is None else [plain_label(label) for label in labels],
        "recipe": None if recipe is None else npz.encode_recipe(recipe, arrays),
    }
    return header, arrays


def maze_parts(maze: GraphMaze) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return what a maze is beside its lattice, as values that JSON can hold and as arrays."""
    arrays: dict[str, NDArray[Any]] = {"open": maze.open}
    own = recipe_of_graph_maze(maze)
    _, _, words, _, start, goal, openings, stream = maze.__getstate__()
    if len(openings):
        arrays["openings"] = openings
    header = {
        "seed": words,
        "recipe": None if own is None else npz.encode_recipe(own, arrays),
        "start": start,
        "goal": goal,
        "stream": stream,
    }
    return header, arrays


_HINTS = "weight_addresses", "straight"


def read_npz(path: str | os.PathLike[str]) -> GraphMaze | Lattice:
    """Read what `write_npz` wrote; seed and recipe are dropped if they are of another random stream.

    Raises
    ------
    ValueError
        If the file is damaged, with its name.
    """
    name = repr(os.fspath(path))
    with Path(path).open("rb") as file:
        arrays = npz.read_members(file, name)
    with invalid_as(f"{name} holds no lattice", *BROKEN):
        header = json.loads(arrays["lattice"].item())
        cells = checked_cells(header)
    require(60 * min(cells, 1 << 62), name, "it says that it has so many cells")
    with invalid_as(f"{name} holds no lattice", *BROKEN):
        lattice = lattice_of(header, arrays)
        given = header.get("maze")
        return lattice if given is None else maze_of(lattice, given, arrays)


def checked_cells(header: dict[str, Any]) -> int:
    """Return the number of cells that a lattice says it has, and that its format is known."""
    if header["format"] != FORMAT:
        msg = f"its format is {header['format']}, of meiro {header['meiro']}; this meiro reads {FORMAT}"
        raise ValueError(msg)
    cells = header["n_cells"]
    if type(cells) is not int or cells < 1:
        msg = f"n_cells is {short_repr(cells)}"
        raise ValueError(msg)
    return cells


def maze_of(lattice: Lattice, given: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> GraphMaze:
    """Return the maze of what `maze_parts` returned, or raise an error that says what is wrong."""
    passages = _array(arrays, "open", np.bool_, (lattice.n_edges,))
    own = given["recipe"]
    recipe = None if own is None else npz.decode_plain(own, arrays)
    if recipe is not None and not isinstance(recipe.get("algorithm"), str):
        raise TypeError("its recipe names no algorithm")  # noqa: EM101, TRY003
    words = None
    if given["seed"] is not None:
        key, replicate, entropy = given["seed"]
        words = tuple(key), replicate, entropy
    ends = [
        None if given[end] is None else cell_number(given[end], lattice.n_cells) for end in ("start", "goal")
    ]
    maze: GraphMaze = object.__new__(GraphMaze)
    none = np.empty((0, 2), np.int64)
    openings = _array(arrays, "openings", np.int64, (None, 2)) if "openings" in arrays else none
    maze.__setstate__((lattice, passages, words, recipe, *ends, openings, given["stream"]))
    return maze


def lattice_of(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Lattice:
    """Return the lattice of what `lattice_parts` returned, or raise an error that says what is wrong."""
    cells = checked_cells(header)
    edges = _array(arrays, "edges", np.int32, (None, 2))
    m = len(edges)
    outline = None
    if "outline_corners" in arrays:
        outline = _outline(arrays, cells, m)
    hints = [
        _array(arrays, name, dtype, (m, 2)) if name in arrays else None
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
    layers = _array(arrays, "layers", np.int32, (cells,)) if "layers" in arrays else None
    lattice.__setstate__((name, cells, edges, positions, outline, layers, labels, recipe, tuple(hints)))
    return lattice


def _outline(arrays: dict[str, NDArray[Any]], cells: int, m: int) -> Outline:
    kinds = {
        "corners": (np.float64, (None, 2)),
        "indptr": (np.int64, (cells + 1,)),
        "indices": (np.int64, (None,)),
        "walls": (np.float64, (m, 2, 2)),
        "rim": (np.float64, (None, 2, 2)),
        "rim_cells": (np.int32, (None,)),
    }
    parts = {key: _array(arrays, f"outline_{key}", *kind) for key, kind in kinds.items()}
    for key, count in (("wall_arcs", m), ("rim_arcs", len(parts["rim"]))):
        if f"outline_{key}" in arrays:
            parts[key] = _array(arrays, f"outline_{key}", np.bool_, (count,))
    if "outline_more_edges" in arrays:
        parts["more_edges"] = _array(arrays, "outline_more_edges", np.int32, (None,))
        parts["more_walls"] = _array(
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


def _array(
    arrays: dict[str, NDArray[Any]], name: str, dtype: type, shape: tuple[int | None, ...]
) -> NDArray[Any]:
    """Return an array, or raise an error that says what is wrong with it."""
    array = arrays[name]
    wanted = tuple(side if want is None else want for side, want in zip(array.shape, shape, strict=False))
    if array.dtype != dtype or array.ndim != len(shape) or array.shape != wanted:
        msg = f"{name} must be {np.dtype(dtype)} {shape}, not {array.dtype} {array.shape}"
        raise ValueError(msg)
    return read_only(np.ascontiguousarray(array))
