"""Mazes of any kind, and lattices, in ``.npz`` files; those on lattices as named arrays and a header."""

from __future__ import annotations

import json
import os
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.arrays import walls
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as, listed, short_repr
from meiro._utils.validation import integer, require_type
from meiro.io.arrays import npz
from meiro.lattices.lattice import Lattice, Outline, checked_labels
from meiro.mazes._openings import NO_OPENINGS
from meiro.mazes._recipe import kept_recipe
from meiro.mazes.graph_maze import GraphMaze
from meiro.spaces.space_of import is_maze, lattice_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from numpy.typing import NDArray

BROKEN = (*npz.BROKEN, LookupError, OverflowError, ZeroDivisionError)
_HINTS = "weight_addresses", "straight"
_PLAIN = str, int, float, bool, type(None)


def plain_label(label: Hashable) -> object:
    """Return a label as JSON can hold it; a TypeError if it cannot."""
    if type(label) is tuple:
        return {"tuple": [plain_label(part) for part in label]}
    if isinstance(label, np.generic):
        label = label.item()
    if type(label) in _PLAIN:
        return label
    raise TypeError(
        f"label {short_repr(label)} cannot be saved: str, int, float, bool, None and tuples of them can; "
        "make the lattice with such labels, or without"
    )


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
    cells = integer(header["n_cells"], "n_cells", 1)
    require(60 * min(cells, 1 << 62), what, "it says that it has so many cells")
    edges = npz.checked(arrays, "edges", np.int32, (None, 2))
    m = len(edges)
    outline = None
    if "outline_corners" in arrays:
        outline = _outline(arrays, cells, m)
    hints = [
        npz.checked_if_there(arrays, name, dtype, (m, 2))
        for name, dtype in zip(_HINTS, (np.uint64, np.int32), strict=True)
    ]
    labels = header["labels"]
    name = header["name"]
    require_type(name, str, "its name", "a string")
    if labels is not None:
        labels = checked_labels(npz.decode_plain(labels, arrays), cells)
    positions = npz.checked_if_there(arrays, "positions", np.float64, (cells, None))
    recipe = None if header["recipe"] is None else npz.decode_plain(header["recipe"], arrays)
    lattice: Lattice = object.__new__(Lattice)
    layers = npz.checked_if_there(arrays, "layers", np.int32, (cells,))
    lattice.__setstate__((name, cells, edges, positions, outline, layers, labels, recipe, tuple(hints)))
    return lattice


def _outline(arrays: Mapping[str, NDArray[Any]], cells: int, m: int) -> Outline:
    r, k = (len(arrays.get(f"outline_{key}", ())) for key in ("rim", "more_edges"))
    kinds = {
        "corners": (np.float64, (None, 2)),
        "indptr": (np.int64, (cells + 1,)),
        "indices": (np.int64, (None,)),
        "walls": (np.float64, (m, 2, 2)),
        "rim": (np.float64, (r, 2, 2)),
        "rim_cells": (np.int32, (r,)),
        "wall_arcs": (np.bool_, (m,)),
        "rim_arcs": (np.bool_, (r,)),
        "more_walls": (np.float64, (k, 2, 2)),
        "more_edges": (np.int32, (k,)),
    }
    absent = {key for key in Outline._field_defaults if f"outline_{key}" not in arrays}
    parts = {
        key: npz.checked(arrays, f"outline_{key}", *kind) for key, kind in kinds.items() if key not in absent
    }
    indptr, indices = parts["indptr"], parts["indices"]
    sound = indptr[0] == 0 and indptr[-1] == len(indices) and (np.diff(indptr) >= 0).all()
    sound = sound and _between(indices, len(parts["corners"])) and _between(parts["rim_cells"], cells)
    sound = sound and len(absent & {"more_walls", "more_edges"}) != 1
    sound = sound and _between(parts.get("more_edges", indices[:0]), m)
    if not sound or not all(np.isfinite(part).all() for part in parts.values()):
        raise ValueError("its polygons are not sound")
    return Outline(**parts)


def _between(numbers: NDArray[Any], n: int) -> bool:
    return not len(numbers) or bool(numbers.min() >= 0 and numbers.max() < n)


def write_npz(file: IO[bytes], x: Any) -> None:
    """Write a maze of any kind with seed and recipe, or a lattice, with places, outline and labels."""
    lattice: Any = lattice_of(x) if is_maze(x) else x
    if lattice is None:
        npz.write_arrays(file, npz.arrays_of(x))
        return
    header, arrays = arrays_of_lattice(lattice)
    header |= {"format": npz.FORMAT, "meiro": _core.__version__}
    if x is not lattice:
        header["maze"], more = maze_parts(x)
        arrays |= more
    npz.write_arrays(file, {"lattice": np.array(json.dumps(header)), **arrays})


def maze_parts(maze: GraphMaze) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return what a maze is beside its lattice, as values that JSON can hold and as arrays."""
    arrays: dict[str, NDArray[Any]] = {"open": maze.open}
    own = kept_recipe(maze)
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


def read_npz(path: str | os.PathLike[str], *, road: object = None) -> Any:
    """Read what was written: a maze, a lattice or a batch; or walls and roads, if all it holds is one array.

    Seed and recipe are dropped if they are of another random stream.

    Raises
    ------
    ValueError
        If the file is damaged, or another kind of archive; with its name.
    """
    name = repr(os.fspath(path))
    arrays = npz.read_archive(path)
    if len(arrays) == 1 and not {"passages", "lattice", "batch"} & set(arrays):
        return walls(next(iter(arrays.values())), road=road, name=name)
    if road is not None:
        raise ValueError(f"road= is for archives of one array, and {name} holds {listed(sorted(arrays))}")
    if "lattice" in arrays:
        with invalid_as(f"{name} holds no lattice", *BROKEN):
            header = json.loads(arrays["lattice"].item())
            npz.require_format(header)
            lattice = lattice_of_arrays(header, arrays, name)
            return lattice if (maze := header.get("maze")) is None else maze_on_lattice(lattice, maze, arrays)
    if "batch" in arrays:
        from meiro.io.arrays.batch_files import batch_of_members

        return batch_of_members(arrays, name)
    if "passages" not in arrays:
        raise ValueError(
            f"{name} holds no maze: there is no array 'passages' but {sorted(arrays)}; meiro.solve "
            "takes one of them, as numpy.load gives it"
        )
    with invalid_as(f"{name} holds no maze", *npz.BROKEN):
        return npz.maze_of(arrays)


def maze_on_lattice(
    lattice: Lattice, given: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> GraphMaze:
    """Return the maze of what `maze_parts` returned, or raise an error that says what is wrong."""
    passages = npz.checked(arrays, "open", np.bool_, (lattice.n_edges,))
    recipe = npz.decode_recipe(given["recipe"], arrays, on_lattice=True)
    words = None
    if given["seed"] is not None:
        key, replicate, entropy = given["seed"]
        words = tuple(key), replicate, entropy
    ends = [
        None if given[end] is None else integer(given[end], end, 0, lattice.n_cells)
        for end in ("start", "goal")
    ]
    sites = npz.checked_if_there(arrays, "openings", np.int64, (None, 2))
    maze: GraphMaze = object.__new__(GraphMaze)
    maze.__setstate__(
        (lattice, passages, words, recipe, *ends, NO_OPENINGS if sites is None else sites, given["stream"])
    )
    return maze
