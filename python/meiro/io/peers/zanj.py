"""Data sets of maze-dataset, of which a ``.zanj`` file is an archive: a text in JSON, and arrays.

Written is the form "minimal" of maze-dataset 1.4, which holds square mazes and a path in each: from start to
goal. Read are that form, "minimal_soln_cat" and the whole one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as
from meiro.io.peers.maze_dataset import connection_list, passages_of, require_rectangle
from meiro.mazes.batch import MazeBatch
from meiro.solvers.solve_many import solve_many
from meiro.spaces.space_of import mazes_of
from meiro.transforms.openings import with_ends

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

_VERSION = "1.4.2"  # of maze-dataset
_FORMAT = "__muutils_format__"
_MOST_SIDE = 127  # cells are int8
_INDEX, _META = TEXTS = "__zanj__.json", "__zanj_meta__.json"
_BROKEN = ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError
_JSON_MEMORY = 30  # bytes a byte of text, as lists of numbers
# The generator of maze-dataset that is named as the maker: it only labels a data set.
_GENERATORS = {
    "wilson": "gen_wilson",
    "kruskal": "gen_kruskal",
    "prim_frontier_cell": "gen_prim",
    "recursive_division": "gen_recursive_division",
    "percolation": "gen_percolation",
}


def to_data_set(batch: Any) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    """Return the texts and the arrays of the archive of a batch, by their names."""
    if mazes_of(batch).on_lattice:
        msg = f"a .zanj holds mazes of rows and columns, not {batch!r}: .npz and .zarr hold it"
        raise ValueError(msg)
    n, rows, cols = batch.passages.shape
    if n == 0 or rows != cols or rows > _MOST_SIDE:
        msg = (
            f"a .zanj holds one or more square mazes of at most {_MOST_SIDE} rows, not {n} of {rows} x {cols}"
        )
        raise ValueError(msg)
    require_rectangle(batch)
    solved = solve_many(batch, paths=True)
    if (without := np.flatnonzero(solved.lengths < 0)).size:
        msg = f"a .zanj holds a path in each maze, and maze {without[0]} has no path from start to goal"
        raise ValueError(msg)
    paths: NDArray[np.int32] = solved.paths  # type: ignore[assignment]  # paths=True
    arrays = {
        "maze_connection_lists": connection_list(batch.passages),
        "maze_solution_lengths": (solved.lengths + 1).astype(np.int32),
        "maze_solutions": paths.astype(np.int8),
    }
    recipe = batch.recipe or {}
    name = str(recipe.get("algorithm", "mazes"))
    label = f"meiro-{name}-g{rows}-n{n}"
    config = {
        _FORMAT: "MazeDatasetConfig(SerializableDataclass)",
        "name": f"meiro-{name}",
        "seq_len_min": 1,
        "seq_len_max": 512,
        "seed": 0,
        "applied_filters": [{"name": "collect_generation_meta", "args": [], "kwargs": {}}],
        "grid_n": rows,
        "n_mazes": n,
        "maze_ctor": {
            "__name__": _GENERATORS.get(name, "gen_dfs"),
            "__module__": "maze_dataset.generation.generators",
        },
        "maze_ctor_kwargs": {},
        "endpoint_kwargs": {},
        "_fname_loaded": None,
        "fname": label,
        "versions": {"config": "1.0", "maze_dataset": _VERSION},
    }
    index = {
        _FORMAT: "MazeDataset:minimal",
        "cfg": config,
        "fname": label,
        "generation_metadata_collected": {"meiro": {_core.__version__: n}, "recipe": {json.dumps(recipe): n}},
        **{key: _reference(key, array) for key, array in arrays.items()},
    }
    external = {f"{key}.npy": {"item_type": "npy", "path": [key]} for key in arrays}
    about = {"zanj_cfg": {}, "externals_info": external}
    return {_META: json.dumps(about), _INDEX: json.dumps(index)}, arrays


def _reference(name: str, array: NDArray[Any]) -> dict[str, Any]:
    return {
        _FORMAT: "numpy.ndarray:external",
        "$ref": f"{name}.npy",
        "shape": list(array.shape),
        "dtype": str(array.dtype),
        "n_elements": array.size,
    }


def from_data_set(members: Mapping[str, NDArray[Any]], name: str) -> MazeBatch:
    """Return the batch of the members of an archive, the texts as bytes; messages call it `name`."""
    if _INDEX not in members:
        msg = f"{name} is no data set of maze-dataset: it has no {_INDEX}"
        raise ValueError(msg)
    text = members[_INDEX]
    require(_JSON_MEMORY * text.size, name, "save it in parts")
    with invalid_as(f"{name} is damaged or no data set of maze-dataset", *_BROKEN):
        connections, starts, goals = _connections_and_ends(json.loads(text.tobytes()), members)
        return with_ends(MazeBatch.from_passages(passages_of(connections)), (starts, goals))


def _connections_and_ends(
    index: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    form = index[_FORMAT]
    if form == "MazeDataset":
        mazes = index["mazes"]
        each = [_array(maze["connection_list"], arrays) for maze in mazes]
        ends = [
            np.array([_array(maze[key], arrays) for maze in mazes], np.int64).reshape(-1, 2)
            for key in ("start_pos", "end_pos")
        ]
        return np.stack(each).astype(np.bool_, casting="safe"), ends[0], ends[1]
    connections = _array(index["maze_connection_lists"], arrays)
    lengths = _array(index["maze_solution_lengths"], arrays).astype(np.int64, casting="safe")
    if lengths.shape != connections.shape[:1] or (lengths < 1).any():
        raise ValueError("the lengths of the paths are not one for each maze, from 1 on")  # noqa: EM101, TRY003
    if form == "MazeDataset:minimal":
        paths = _array(index["maze_solutions"], arrays).astype(np.int64, casting="safe")
        return connections, paths[:, 0], paths[np.arange(len(paths)), lengths - 1]
    if form == "MazeDataset:minimal_soln_cat":
        cells = _array(index["maze_solutions_concat"], arrays).astype(np.int64, casting="safe")
        last = np.cumsum(lengths) - 1
        return connections, cells[last - lengths + 1], cells[last]
    raise ValueError(f"its form is {form!r}")  # noqa: EM102, TRY003


def _array(item: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """Return an array that is a member of the archive or stands in the text."""
    if "$ref" in item:
        return arrays[str(item["$ref"]).removesuffix(".npy")]
    return np.array(item["data"], np.dtype(item["dtype"]))
