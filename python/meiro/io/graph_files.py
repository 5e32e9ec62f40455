"""Mazes on lattices in files: everything in a .npz, the graph in a .dot."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.messages import invalid_as
from meiro.drawing.graph_routes import graph_routes
from meiro.graphs.graph_maze import GraphMaze, recipe_of_graph_maze
from meiro.io.arrays import npz
from meiro.io.arrays.lattice_arrays import BROKEN, arrays_of_lattice, lattice_of_arrays
from meiro.io.graphs.convert import to_dot
from meiro.io.graphs.plain_values import cell_number
from meiro.io.text import write_in_pieces

if TYPE_CHECKING:
    from collections.abc import Hashable

    from meiro.lattices.lattice import Lattice

FORMAT = 1


def write_npz(file: IO[bytes], x: GraphMaze | Lattice) -> None:
    """Write a lattice with its places, outline and labels, and a maze on it with seed and recipe."""
    header, arrays = arrays_of_lattice(x.lattice if isinstance(x, GraphMaze) else x)
    header |= {"format": FORMAT, "meiro": _core.__version__}
    if isinstance(x, GraphMaze):
        arrays["open"] = x.open
        own = recipe_of_graph_maze(x)
        _, _, words, _, start, goal, openings, stream = x.__getstate__()
        if len(openings):
            arrays["openings"] = openings
        header["maze"] = {
            "seed": words,
            "recipe": None if own is None else npz.encode_recipe(own, arrays),
            "start": start,
            "goal": goal,
            "stream": stream,
        }
    npz.write_arrays(file, {"lattice": np.array(json.dumps(header)), **arrays})


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
        if given is None:
            return lattice
        passages = npz.checked(arrays, "open", np.bool_, (lattice.n_edges,))
        recipe = npz.decode_recipe(given["recipe"], arrays, on_lattice=True)
        words = None
        if given["seed"] is not None:
            key, replicate, entropy = given["seed"]
            words = tuple(key), replicate, entropy
        ends = [
            None if given[end] is None else cell_number(given[end], lattice.n_cells)
            for end in ("start", "goal")
        ]
        maze: GraphMaze = object.__new__(GraphMaze)
        none = np.empty((0, 2), np.int64)
        openings = npz.checked(arrays, "openings", np.int64, (None, 2)) if "openings" in arrays else none
        maze.__setstate__((lattice, passages, words, recipe, *ends, openings, given["stream"]))
    return maze


def write_dot(file: IO[bytes], maze: GraphMaze, *, solution: Any = None) -> None:
    """Write a maze in Graphviz's language, with the ends of a solution."""
    (route,) = graph_routes(maze, solution)[:1]
    write_in_pieces(file, to_dot(maze, **_labelled(maze, route.ends)))


def _labelled(maze: GraphMaze, ends: tuple[int | None, int | None]) -> dict[str, Hashable]:
    labels = maze.lattice.labels
    named = (end if end is None or labels is None else labels[end] for end in ends)
    return dict(zip(("start", "goal"), named, strict=True))
