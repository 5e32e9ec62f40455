"""Mazes and paths as numbers of tokens, those of maze-dataset's default tokenizer, padded to one length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.memory import require
from meiro._utils.square import FLAT, E, S, checked_shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import ShapeLike
    from meiro.maze.batch import MazeBatch

_SECTIONS = ("ADJLIST", "TARGET", "ORIGIN", "PATH")
_SPECIAL = (*(f"<{name}_{end}>" for name in _SECTIONS for end in ("START", "END")), "<-->", ";", "<PADDING>")
_ADJLIST, _TARGET, _ORIGIN, _PATH = range(0, 8, 2)  # the token after each ends what it begins
_CONNECTED, _SEMICOLON, PADDING = range(8, 11)
_FIRST_CELL = len(_SPECIAL)


def vocabulary(shape: ShapeLike) -> tuple[str, ...]:
    """Return the tokens whose numbers `supervised` gives: the special ones, then the cells row by row.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns.

    Returns
    -------
    tuple of str
        Token `i` has number `i`; 10 is ``<PADDING>``, and the cell (row, col) ``11 + row * cols + col``.

    Raises
    ------
    ValueError
        If a side of `shape` is less than 1.
    TypeError
        If `shape` is not two integers.
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
    rows, cols = checked_shape(shape)
    require(120 * rows * cols, f"the tokens of {rows} x {cols} cells", "take a smaller shape")
    return *_SPECIAL, *(f"({row},{col})" for row in range(rows) for col in range(cols))


def maze_tokens(mazes: MazeBatch) -> NDArray[np.int32]:
    """Return the connections, start and goal of each maze; as long as if all walls were open."""
    if mazes.wrap != FLAT:
        msg = f"{mazes!r} is periodic, which tokens do not hold: take inputs='grid' or 'passages'"
        raise ValueError(msg)
    n, rows, cols = mazes.passages.shape
    most = 2 * rows * cols - rows - cols
    require(110 * n * rows * cols, f"the tokens of {n:,} mazes", "give batch_size=")
    found = np.full((n, 4 * most + 8), PADDING, np.int32)
    open_ = np.stack([mazes.passages & E, mazes.passages & S], axis=-1).reshape(n, -1) != 0
    maze, edge = np.nonzero(open_)  # each cell's to the right before that below
    counts = open_.sum(axis=1)
    at = 1 + 4 * (np.arange(len(maze)) - np.repeat(np.cumsum(counts) - counts, counts))
    one = edge // 2
    found[:, 0] = _ADJLIST
    tokens = (
        _FIRST_CELL + one,
        _CONNECTED,
        _FIRST_CELL + one + np.where(edge % 2, cols, 1),
        _SEMICOLON,
    )
    for k, token in enumerate(tokens):
        found[maze, at + k] = token
    which, end = np.arange(n), 1 + 4 * counts
    found[which, end] = _ADJLIST + 1
    for cells, begin, place in ((mazes.starts, _ORIGIN, 1), (mazes.goals, _TARGET, 4)):
        numbers = np.asarray(cells) @ (cols, 1)
        for k, value in enumerate((begin, _FIRST_CELL + numbers, begin + 1)):
            found[which, end + place + k] = value
    return found


def path_tokens(paths: NDArray[np.int32], n_cells: int, cols: int) -> NDArray[np.int32]:
    """Return the tokens of paths, shape (n, n_cells + 2), of cells (n, k, 2), -1 after their ends."""
    found = np.full((len(paths), n_cells + 2), PADDING, np.int32)
    numbers = paths[..., 0] * cols + paths[..., 1]
    there = paths[..., 0] >= 0
    width = paths.shape[1]
    found[:, 1 : width + 1] = np.where(there, _FIRST_CELL + numbers, PADDING)
    lengths = there.sum(axis=1)
    some = np.flatnonzero(lengths)
    found[some, 0] = _PATH
    found[some, lengths[some] + 1] = _PATH + 1
    return found
