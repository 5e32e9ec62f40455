"""A maze of any kind, a lattice or a batch in a ``.npz`` file, with everything that it has."""

from __future__ import annotations

import json
import os
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.arrays import walls
from meiro._utils.messages import invalid_as, listed
from meiro.io.arrays import npz
from meiro.io.arrays.lattice_arrays import BROKEN, arrays_of_lattice, lattice_of_arrays
from meiro.io.graphs.plain_values import cell_number
from meiro.mazes._openings import NO_OPENINGS
from meiro.mazes._recipe import kept_recipe
from meiro.mazes.graph_maze import GraphMaze
from meiro.spaces.space_of import is_maze, lattice_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice


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
        msg = f"road= is for archives of one array, and {name} holds {listed(sorted(arrays))}"
        raise ValueError(msg)
    if "lattice" in arrays:
        with invalid_as(f"{name} holds no lattice", *BROKEN):
            return _on_lattice(json.loads(arrays["lattice"].item()), arrays, name)
    if "batch" in arrays:
        from meiro.io.arrays.batch_files import batch_of_members

        return batch_of_members(arrays, name)
    if "passages" not in arrays:
        msg = (
            f"{name} holds no maze: there is no array 'passages' but {sorted(arrays)}; meiro.solve "
            "takes one of them, as numpy.load gives it"
        )
        raise ValueError(msg)
    with invalid_as(f"{name} holds no maze", *npz.BROKEN):
        return npz.maze_of(arrays)


def _on_lattice(header: Any, arrays: Mapping[str, NDArray[Any]], name: str) -> GraphMaze | Lattice:
    npz.require_format(header)
    lattice = lattice_of_arrays(header, arrays, name)
    given = header.get("maze")
    return lattice if given is None else maze_of(lattice, given, arrays)


def maze_of(lattice: Lattice, given: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> GraphMaze:
    """Return the maze of what `maze_parts` returned, or raise an error that says what is wrong."""
    passages = npz.checked(arrays, "open", np.bool_, (lattice.n_edges,))
    recipe = npz.decode_recipe(given["recipe"], arrays, on_lattice=True)
    words = None
    if given["seed"] is not None:
        key, replicate, entropy = given["seed"]
        words = tuple(key), replicate, entropy
    ends = [
        None if given[end] is None else cell_number(given[end], lattice.n_cells) for end in ("start", "goal")
    ]
    sites = npz.checked(arrays, "openings", np.int64, (None, 2)) if "openings" in arrays else NO_OPENINGS
    maze: GraphMaze = object.__new__(GraphMaze)
    maze.__setstate__((lattice, passages, words, recipe, *ends, sites, given["stream"]))
    return maze
