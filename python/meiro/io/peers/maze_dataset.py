"""Mazes as maze-dataset has them: lists of connections, pixels, text and tokens, both ways; its data sets.

A ``LatticeMaze`` of maze-dataset 1.4 is its ``connection_list``: bool, shape (2, rows, cols), True where a
cell is connected to the one below it (first) and to the one on its right (second). Start, goal and path are
drawn into its pixels, its text and its tokens; a maze with openings has the cells beside them as such.

A data set, a ``.zanj`` file, is an archive of a text in JSON, and arrays. Written is the form "minimal", of
square mazes and a path in each: from start to goal. Read are that, "minimal_soln_cat" and the whole one.
"""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import invalid_as, short_repr
from meiro._utils.square import FLAT, E, N, S, W
from meiro._utils.validation import one_of, pair, plain_array
from meiro.mazes.batch import MazeBatch
from meiro.mazes.coordinates import cells_to_grid
from meiro.mazes.maze import Maze, require_maze
from meiro.seeds import RNG, seed_of, seed_words
from meiro.solvers.solve_many import solve_many
from meiro.spaces.space_of import mazes_of
from meiro.transforms.openings import with_ends

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike
    from meiro.results.solution import Solution

    Path = Solution | ArrayLike

_PURPOSE = 8  # tokens, in core/random.hpp
_WALL, _ROAD, _START, _END, _PATH = range(5)
_COLORS = np.array([(0, 0, 0), (255, 255, 255), (0, 255, 0), (255, 0, 0), (0, 0, 255)], np.uint8)
_CHARACTERS = "# SEX"
_STEPS = {"NORTH": (-1, 0), "EAST": (0, 1), "SOUTH": (1, 0), "WEST": (0, -1)}
_BETWEEN = {"&", "=", ":", "||", "ADJ_GROUP"}
_ITEM = re.compile(
    r"(?:\( ?)?(\d{1,9})(?: ?, ?| )(\d{1,9})(?: ?\))?(?: |$)|"
    r"(?:<-->|<XX>|;|ADJ_GROUP|&|=|:|\|\||NORTH|EAST|SOUTH|WEST)(?: |$)"
)
_SECTIONS = "ADJLIST", "ORIGIN", "TARGET", "PATH"
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


@overload
def to_maze_dataset(
    maze: Maze | MazeBatch, form: Literal["connections"] = ..., *, rng: RNG = ...
) -> NDArray[np.bool_]: ...
@overload
def to_maze_dataset(
    maze: Maze, form: Literal["pixels"], *, solution: Path | None = ..., rng: RNG = ...
) -> NDArray[np.uint8]: ...
@overload
def to_maze_dataset(
    maze: Maze, form: Literal["ascii"], *, solution: Path | None = ..., rng: RNG = ...
) -> str: ...
@overload
def to_maze_dataset(
    maze: Maze, form: Literal["tokens"], *, solution: Path | None = ..., rng: RNG = ...
) -> list[str]: ...
def to_maze_dataset(
    maze: Maze | MazeBatch,
    form: Literal["connections", "pixels", "ascii", "tokens"] = "connections",
    *,
    solution: Path | None = None,
    rng: RNG = None,
) -> NDArray[Any] | str | list[str]:
    r"""Return a maze in a form of maze-dataset.

    Parameters
    ----------
    maze : Maze or MazeBatch
        A batch only as "connections".
    form : {"connections", "pixels", "ascii", "tokens"}
        What ``LatticeMaze.connection_list``, ``as_pixels()``, ``as_ascii()`` and ``as_tokens`` of the default
        ``MazeTokenizerModular()`` are there.
    solution : Solution or array_like of int, shape (k, 2), optional
        A path of cells, for all but "connections". Its ends are start and goal; else those of the maze are.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        Of "tokens": puts the connections, and the two cells of each, in random order, as maze-dataset does.
        By default they are in order, row by row, those to the right before those below.

    Returns
    -------
    ndarray of bool, shape (2, rows, cols) or (n, 2, rows, cols)
        "connections": downwards and to the right.
    ndarray of uint8, shape (2 * rows + 1, 2 * cols + 1, 3)
        "pixels": walls black, roads white, start green, goal red, path blue.
    str
        "ascii": ``#`` wall, space, ``S`` start, ``E`` goal, ``X`` path.
    list of str
        "tokens".

    Raises
    ------
    ValueError
        If the maze has a mask or is periodic, which these forms do not hold, or `solution` is no path in it.

    See Also
    --------
    from_maze_dataset : the inverse.
    meiro.MazeBatch.save : writes data sets of maze-dataset, ``.zanj``.

    References
    ----------
    M. Ivanitskiy et al., A configurable library for generating and manipulating maze datasets (2023).
    arXiv:2309.10498

    Examples
    --------
    >>> maze = meiro.generate((2, 2), rng=7)
    >>> meiro.io.to_maze_dataset(maze).tolist()
    [[[True, True], [False, False]], [[True, False], [False, False]]]
    >>> print(meiro.io.to_maze_dataset(maze, "ascii", solution=meiro.solve(maze)))
    #####
    #SXX#
    # #X#
    # #E#
    #####
    >>> " ".join(meiro.io.to_maze_dataset(maze, "tokens")[:5])
    '<ADJLIST_START> (0,0) <--> (0,1) ;'
    """
    one_of(form, "form", ("connections", "pixels", "ascii", "tokens"))
    if isinstance(maze, MazeBatch):
        if form != "connections":
            raise TypeError(f'form {form!r} is of one maze: take batch[i]; "connections" takes a batch')
    else:
        require_maze(maze)
    require_rectangle(maze)
    if form == "connections" or isinstance(maze, MazeBatch):
        return connection_list(maze.passages)
    start, goal, path = _ends_and_path(maze, solution)
    if form == "tokens":
        return _tokens(maze, start, goal, path, rng)
    kinds = np.where(maze.to_grid() == 0, _ROAD, _WALL).astype(np.uint8)
    kinds[tuple(maze.openings.T)] = _WALL
    if path is not None:
        kinds[tuple(cells_to_grid(path).T)] = _PATH
    for cell, kind in ((start, _START), (goal, _END)):
        if cell is not None:
            kinds[2 * cell[0] + 1, 2 * cell[1] + 1] = kind
    if form == "pixels":
        return np.asarray(_COLORS[kinds])
    return "\n".join(map("".join, np.array([*_CHARACTERS])[kinds].tolist()))


def from_maze_dataset(x: Any, *, start: CellLike | None = None, goal: CellLike | None = None) -> Maze:
    """Return the maze of what maze-dataset has, in any of its forms.

    Parameters
    ----------
    x : LatticeMaze, ndarray, str or list of str
        A ``LatticeMaze``, ``TargetedLatticeMaze`` or ``SolvedMaze``; a connection list, shape
        (2, rows, cols); pixels, shape (h, w, 3); text; or tokens of any of its tokenizers, with as many cells
        as the connections need.
    start, goal : (int, int), optional
        Default: those that `x` has.

    Returns
    -------
    Maze
        A path that `x` has is left out: `meiro.solve` finds it again.

    See Also
    --------
    meiro.MazeBatch.open : reads data sets of maze-dataset, ``.zanj``.

    Raises
    ------
    ValueError
        If `x` is no maze of maze-dataset, a connection leads out of the maze, or a token is unknown.

    Examples
    --------
    >>> maze = meiro.generate((5, 6), rng=7)
    >>> meiro.io.from_maze_dataset(meiro.io.to_maze_dataset(maze, "tokens")) == meiro.Maze(maze.passages)
    True
    """
    with invalid_as("x", ValueError):
        passages, ends = _passages_and_ends(x)
    given = (ends[0] if start is None else start), (ends[1] if goal is None else goal)
    return Maze(passages, start=given[0], goal=given[1])


def _passages_and_ends(x: Any) -> tuple[NDArray[np.uint8], list[Cell | None]]:
    ends: list[Cell | None] = [None, None]
    if hasattr(x, "connection_list"):
        for i, name in enumerate(("start_pos", "end_pos")):
            if (cell := getattr(x, name, None)) is not None:
                ends[i] = pair(cell, name)
        x = x.connection_list
    if isinstance(x, str):
        return _from_tokens(x.split()) if "<" in x else _from_kinds(_kinds_of_text(x))
    if isinstance(x, list | tuple) and x and isinstance(x[0], str):
        return _from_tokens(x)
    array = plain_array(x, "x")
    if array.ndim == 3 and array.shape[2] == 3 and array.dtype == np.uint8:
        return _from_kinds(_kinds_of_pixels(array))
    if array.ndim != 3:
        raise ValueError(
            f"a connection list is bool of shape (2, rows, cols), not {array.dtype} {array.shape}"
        )
    return passages_of(array), ends


def connection_list(passages: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the connections down and to the right, shape (..., 2, rows, cols)."""
    return np.stack([(passages & S) != 0, (passages & E) != 0], axis=-3)


def passages_of(connections: NDArray[Any]) -> NDArray[np.uint8]:
    """Return passages, shape (..., rows, cols), of connection lists, checked."""
    shape = connections.shape
    if len(shape) not in {3, 4} or shape[-3] != 2 or 0 in shape[-2:] or connections.dtype != np.bool_:
        raise ValueError(
            "a connection list is bool of shape (2, rows, cols) or (n, 2, rows, cols), not "
            f"{connections.dtype} {shape}"
        )
    down, right = connections[..., 0, :, :], connections[..., 1, :, :]
    for where, name in ((down[..., -1, :], "the last row down"), (right[..., -1], "the last column right")):
        if where.any():
            raise ValueError(f"connections{np.argwhere(where)[0].tolist()} of {name} lead out of the maze")
    passages = np.zeros(down.shape, np.uint8)
    passages += down * np.uint8(S)
    passages += right * np.uint8(E)
    passages[..., 1:, :] += down[..., :-1, :] * np.uint8(N)
    passages[..., 1:] += right[..., :-1] * np.uint8(W)
    return passages


def require_rectangle(maze: Maze | MazeBatch) -> None:
    """Refuse masks and periodic borders."""
    mask = maze.mask if isinstance(maze, Maze) else maze.masks
    if mask is not None or maze.wrap != FLAT:
        what = "a mask" if mask is not None else "periodic borders"
        raise ValueError(f"maze-dataset has no mazes with {what}: take a whole rectangle")


def _ends_and_path(
    maze: Maze, solution: Path | None
) -> tuple[Cell | None, Cell | None, NDArray[np.int64] | None]:
    """Return start, goal and the cells of a path, each None if unknown."""
    from meiro.drawing.routes import path_sites

    if solution is None:
        start, goal = maze.endpoints if len(maze.openings) else (maze.start, maze.goal)
        return (start, goal, None) if start is not None and goal is not None else (None, None, None)
    sites = path_sites(maze, solution, "solution")
    path = sites[(sites % 2 == 1).all(axis=1)] // 2  # without passages and openings
    if len(path) == 0:
        raise ValueError("solution has no path: solve between cells that are connected")
    start, goal = (pair(path[i], "solution") for i in (0, -1))
    return start, goal, path


def _tokens(
    maze: Maze, start: Cell | None, goal: Cell | None, path: NDArray[np.int64] | None, rng: RNG
) -> list[str]:
    edges = np.stack(np.divmod(maze.edges(), maze.cols), axis=-1)
    if rng is not None:
        words = _core.random_words((*seed_words(seed_of(rng)), 0), _PURPOSE, 0, 2 * len(edges))
        edges = edges[np.argsort(words[: len(edges)], kind="stable")]
        turned = words[len(edges) :] >> np.uint64(63) != 0
        edges[turned] = edges[turned, ::-1]
    listed = chain.from_iterable((_token(a), "<-->", _token(b), ";") for a, b in edges.tolist())
    tokens = ["<ADJLIST_START>", *listed, "<ADJLIST_END>"]
    if start is not None and goal is not None:
        tokens += ["<ORIGIN_START>", _token(start), "<ORIGIN_END>"]
        tokens += ["<TARGET_START>", _token(goal), "<TARGET_END>"]
    if path is not None:
        tokens += ["<PATH_START>", *map(_token, path.tolist()), "<PATH_END>"]
    return tokens


def _token(cell: Sequence[int]) -> str:
    return f"({cell[0]},{cell[1]})"


def _from_tokens(tokens: Sequence[str]) -> tuple[NDArray[np.uint8], list[Cell | None]]:
    """Return passages and ends, of any tokenizer; the shape is the smallest that has all cells."""
    sections = {name: _section(tokens, name) for name in _SECTIONS}
    listed = sections["ADJLIST"]
    if listed is None:
        raise ValueError("tokens have no <ADJLIST_START> ... <ADJLIST_END>")
    edges = [edge for group in _groups(_items(listed)) for edge in _edges_of(group)]
    ends: list[Cell | None] = []
    for name in ("ORIGIN", "TARGET"):
        section = sections[name]
        cells = [] if section is None else _items(section)
        if section is not None and (len(cells) != 1 or not isinstance(cells[0], tuple)):
            raise ValueError(
                f"tokens: <{name}_START> ... <{name}_END> holds one cell, not {short_repr(' '.join(section))}"
            )
        ends.append(None if section is None else cells[0])  # type: ignore[arg-type]  # checked
    every = [*chain.from_iterable(edge[:2] for edge in edges), *(cell for cell in ends if cell is not None)]
    if not every:
        raise ValueError("tokens name no cell")
    rows, cols = (max(cell[axis] for cell in every) + 1 for axis in (0, 1))
    if rows * cols > 64 * len(every) + 4096:
        raise ValueError(f"tokens: cells reach to {(rows - 1, cols - 1)}, and there are only {len(every)}")
    pairs = np.array([edge[:2] for edge in edges if edge[2]], np.int64).reshape(-1, 2, 2)
    return Maze.from_edges((rows, cols), (pairs @ (cols, 1)).reshape(-1, 2)).passages, ends


def _items(tokens: Sequence[str]) -> list[Cell | str]:
    """Return the cells and the words of tokens; a cell may be one token or up to five."""
    text, items, at = " ".join(tokens), [], 0
    while at < len(text):
        found = _ITEM.match(text, at)
        if found is None:
            token = short_repr(text[at:].split(" ")[0])
            raise ValueError(f"tokens: {token} is no cell such as '(3,4)' and no word of theirs")
        items.append((int(found[1]), int(found[2])) if found[1] else found[0].strip())
        at = found.end()
    return [item for item in items if item not in _BETWEEN]


def _groups(items: Sequence[Cell | str]) -> list[list[Cell | str]]:
    """Return the parts of a list of connections: between semicolons, else each connection."""
    if ";" not in items:
        return [[*items[i : i + 3]] for i in range(0, len(items), 3)]
    ends = [i for i, item in enumerate(items) if item == ";"]
    groups = [[*items[a + 1 : b]] for a, b in zip([-1, *ends], [*ends, len(items)], strict=True)]
    return [group for group in groups if group]


def _edges_of(group: Sequence[Cell | str]) -> list[tuple[Cell, Cell, bool]]:
    """Return the connections of a group, its first cell and each other one, and whether it is open."""
    cells = [item for item in group if isinstance(item, tuple) or item in _STEPS]
    open_ = [item == "<-->" for item in group if item in ("<-->", "<XX>")]
    if len(cells) != len(open_) + 1 or not open_ or not isinstance(cells[0], tuple):
        text = " ".join(str(item).replace(" ", "") for item in group)
        raise ValueError(f"tokens: {short_repr(text)} is no connection (0,0) <--> (0,1) ;")
    row, col = lead = cells[0]
    others = [
        (row + _STEPS[cell][0], col + _STEPS[cell][1]) if isinstance(cell, str) else cell
        for cell in cells[1:]
    ]
    return [(lead, other, passage) for other, passage in zip(others, open_, strict=True)]


def _section(tokens: Sequence[str], name: str) -> list[str] | None:
    first, last = f"<{name}_START>", f"<{name}_END>"
    if first not in tokens:
        return None
    begin = tokens.index(first)
    if last not in tokens[begin:]:
        raise ValueError(f"tokens: {first} has no {last}")
    return list(tokens[begin + 1 : tokens.index(last, begin)])


def _kinds_of_pixels(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    same = (pixels[:, :, np.newaxis] == _COLORS).all(axis=-1)
    if not same.any(axis=-1).all():
        row, col = np.argwhere(~same.any(axis=-1))[0].tolist()
        raise ValueError(f"pixels[{row}, {col}] = {pixels[row, col].tolist()} is no colour of maze-dataset")
    return np.asarray(same.argmax(axis=-1).astype(np.uint8))


def _kinds_of_text(text: str) -> NDArray[np.uint8]:
    lines = text.strip("\r\n").splitlines()
    for i, line in enumerate(lines):
        if len(line) != len(lines[0]):
            raise ValueError(f"line {i + 1} has {len(line)} characters, line 1 has {len(lines[0])}")
        if foreign := set(line) - set(_CHARACTERS):
            raise ValueError(
                f"line {i + 1} holds {min(foreign)!r}, a character other than '#', ' ', 'S', 'E' and 'X'"
            )
    if not lines:
        raise ValueError("the text is empty")
    return np.array([[_CHARACTERS.index(mark) for mark in line] for line in lines], np.uint8)


def _from_kinds(kinds: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], list[Cell | None]]:
    maze = Maze.from_grid((kinds == _WALL).astype(np.uint8))
    ends: list[Cell | None] = []
    for kind, name in ((_START, "start"), (_END, "goal")):
        sites = np.argwhere(kinds == kind)
        if len(sites) > 1 or (sites % 2 == 0).any():
            raise ValueError(f"{name} is one cell, not the sites {short_repr(sites.tolist())}")
        ends.append((int(sites[0, 0]) // 2, int(sites[0, 1]) // 2) if len(sites) else None)
    if len(maze.openings):
        raise ValueError(
            f"the border has a road at {tuple(maze.openings[0].tolist())}: maze-dataset has closed borders"
        )
    return maze.passages, ends


def to_data_set(batch: Any) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    """Return the texts and the arrays of the archive of a batch, by their names."""
    if mazes_of(batch).on_lattice:
        raise ValueError(f"a .zanj holds mazes of rows and columns, not {batch!r}: .npz and .zarr hold it")
    n, rows, cols = batch.passages.shape
    if n == 0 or rows != cols or rows > _MOST_SIDE:
        raise ValueError(
            f"a .zanj holds one or more square mazes of at most {_MOST_SIDE} rows, not {n} of {rows} x {cols}"
        )
    require_rectangle(batch)
    solved = solve_many(batch, paths=True)
    if (without := np.flatnonzero(solved.lengths < 0)).size:
        raise ValueError(
            f"a .zanj holds a path in each maze, and maze {without[0]} has no path from start to goal"
        )
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
        raise ValueError(f"{name} is no data set of maze-dataset: it has no {_INDEX}")
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
        raise ValueError("the lengths of the paths are not one for each maze, from 1 on")
    if form == "MazeDataset:minimal":
        paths = _array(index["maze_solutions"], arrays).astype(np.int64, casting="safe")
        return connections, paths[:, 0], paths[np.arange(len(paths)), lengths - 1]
    if form == "MazeDataset:minimal_soln_cat":
        cells = _array(index["maze_solutions_concat"], arrays).astype(np.int64, casting="safe")
        last = np.cumsum(lengths) - 1
        return connections, cells[last - lengths + 1], cells[last]
    raise ValueError(f"its form is {form!r}")


def _array(item: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """Return an array that is a member of the archive or stands in the text."""
    if "$ref" in item:
        return arrays[str(item["$ref"]).removesuffix(".npy")]
    return np.array(item["data"], np.dtype(item["dtype"]))
