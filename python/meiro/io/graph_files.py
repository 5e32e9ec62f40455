"""Mazes on lattices in the files of NumPy: everything in a .npz."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.messages import invalid_as
from meiro.io.arrays import npz
from meiro.io.arrays.lattice_arrays import BROKEN, arrays_of_lattice, lattice_of_arrays
from meiro.io.graphs.plain_values import cell_number
from meiro.mazes._one_maze import recipe_of
from meiro.mazes._openings import NO_OPENINGS
from meiro.mazes.graph_maze import GraphMaze

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

FORMAT = 1


def write_npz(file: IO[bytes], x: GraphMaze | Lattice) -> None:
    """Write a lattice with its places, outline and labels, and a maze on it with seed and recipe."""
    header, arrays = arrays_of_lattice(x.lattice if isinstance(x, GraphMaze) else x)
    header |= {"format": FORMAT, "meiro": _core.__version__}
    if isinstance(x, GraphMaze):
        header["maze"], more = maze_parts(x)
        arrays |= more
    npz.write_arrays(file, {"lattice": np.array(json.dumps(header)), **arrays})


def maze_parts(maze: GraphMaze) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return what a maze is beside its lattice, as values that JSON can hold and as arrays."""
    arrays: dict[str, NDArray[Any]] = {"open": maze.open}
    own = recipe_of(maze)
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
        if header["format"] != FORMAT:
            msg = f"its format is {header['format']}, of meiro {header['meiro']}; this meiro reads {FORMAT}"
            raise ValueError(msg)
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
