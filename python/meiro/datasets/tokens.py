"""Mazes and paths as numbers of tokens, those of maze-dataset's default tokenizer, padded to one length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.memory import require
from meiro._utils.square import FLAT, E, S, checked_shape
from meiro.spaces.space_of import lattice_of_shape, mazes_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from meiro._utils.square import ShapeLike
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch
    from meiro.spaces.space import MazeSpace

_SECTIONS = ("ADJLIST", "TARGET", "ORIGIN", "PATH")
_SPECIAL = (*(f"<{name}_{end}>" for name in _SECTIONS for end in ("START", "END")), "<-->", ";", "<PADDING>")
_ADJLIST, _TARGET, _ORIGIN, _PATH = range(0, 8, 2)  # the token after each ends what it begins
_CONNECTED, _SEMICOLON, PADDING = range(8, 11)
_FIRST_CELL = len(_SPECIAL)


def vocabulary(shape: ShapeLike | Lattice | Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tokens whose numbers `supervised` gives: the special ones, then the cells row by row.

    Parameters
    ----------
    shape : (int, int) or Lattice
        Rows and columns; or a lattice, or its recipe, whose cells follow by their numbers.

    Returns
    -------
    tuple of str
        Token `i` has number `i`; 10 is ``<PADDING>``, and the cell (row, col) ``11 + row * cols + col``; on a
        lattice cell `c` is ``11 + c``, and its text ``(c)``.

    Raises
    ------
    ValueError
        If a side of `shape` is less than 1.
    TypeError
        If `shape` is neither two integers nor a lattice.
    MemoryError
        If the tokens cannot fit in memory.

    See Also
    --------
    supervised : makes tokens of mazes and of paths.
    meiro.io.to_maze_dataset : the tokens of one maze as text.

    Notes
    -----
    The texts, and the numbers of the special tokens, are those of maze-dataset 1.4.2; it gives cells other
    numbers.

    Examples
    --------
    >>> words = meiro.datasets.vocabulary((2, 2))
    >>> words[0], words[10:]
    ('<ADJLIST_START>', ('<PADDING>', '(0,0)', '(0,1)', '(1,0)', '(1,1)'))
    """
    if (lattice := lattice_of_shape(shape)) is not None:
        require(120 * lattice.n_cells, f"the tokens of {lattice!r}", "take a smaller lattice")
        return *_SPECIAL, *(f"({cell})" for cell in lattice)
    rows, cols = checked_shape(shape)  # type: ignore[arg-type]  # it is no lattice
    require(120 * rows * cols, f"the tokens of {rows} x {cols} cells", "take a smaller shape")
    return *_SPECIAL, *(f"({row},{col})" for row in range(rows) for col in range(cols))


def maze_tokens(mazes: MazeBatch | GraphBatch) -> NDArray[np.int32]:
    """Return the connections, start and goal of each maze; as long as if all walls were open.

    On a lattice connections come in the order of its edges.
    """
    space: MazeSpace[Any] = mazes_of(mazes)
    if space.wrap != FLAT:
        raise ValueError(f"{mazes!r} is periodic, which tokens do not hold: take inputs='grid' or 'passages'")
    ends = space.given_starts_and_goals()
    if space.on_lattice:
        edges = space.lattice.edges
        require(55 * space.n * len(edges), f"the tokens of {space.n:,} mazes", "give batch_size=")
        most = np.count_nonzero(edges[:, 0] != edges[:, 1])  # a self loop is never open
        return _sentences(space.passages != 0, edges, int(most), *ends)
    n, rows, cols = space.passages.shape
    require(110 * n * rows * cols, f"the tokens of {n:,} mazes", "give batch_size=")
    open_ = np.stack([space.passages & E, space.passages & S], axis=-1).reshape(n, 2 * rows * cols) != 0
    ones = np.arange(2 * rows * cols) // 2  # each cell's to the right before that below
    pairs = np.stack([ones, ones + np.where(np.arange(len(ones)) % 2, cols, 1)], axis=1)
    return _sentences(open_, pairs, 2 * rows * cols - rows - cols, *ends)


def _sentences(
    open_: NDArray[np.bool_],
    edges: NDArray[np.integer[Any]],
    most: int,
    starts: NDArray[Any],
    goals: NDArray[Any],
) -> NDArray[np.int32]:
    """Return the tokens of at most `most` open edges of each maze, then of its start and goal."""
    n = len(open_)
    found = np.full((n, 4 * most + 8), PADDING, np.int32)
    maze, edge = np.nonzero(open_)
    counts = open_.sum(axis=1)
    at = 1 + 4 * (np.arange(len(maze)) - np.repeat(np.cumsum(counts) - counts, counts))
    found[:, 0] = _ADJLIST
    tokens = (_FIRST_CELL + edges[edge, 0], _CONNECTED, _FIRST_CELL + edges[edge, 1], _SEMICOLON)
    for k, token in enumerate(tokens):
        found[maze, at + k] = token
    which, end = np.arange(n), 1 + 4 * counts
    found[which, end] = _ADJLIST + 1
    for cells, begin, place in ((starts, _ORIGIN, 1), (goals, _TARGET, 4)):
        found[which, end + place] = begin
        found[which, end + place + 1] = _FIRST_CELL + cells
        found[which, end + place + 2] = begin + 1
    return found


def path_tokens(paths: NDArray[np.integer[Any]], n_cells: int) -> NDArray[np.int32]:
    """Return the tokens of paths, shape (n, n_cells + 2), of cells (n, k), negative behind their ends."""
    found = np.full((len(paths), n_cells + 2), PADDING, np.int32)
    there = paths >= 0
    found[:, 1 : paths.shape[1] + 1] = np.where(there, _FIRST_CELL + paths, PADDING)
    lengths = there.sum(axis=1)
    some = np.flatnonzero(lengths)
    found[some, 0] = _PATH
    found[some, lengths[some] + 1] = _PATH + 1
    return found
