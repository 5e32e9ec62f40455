"""Train/test splits by content: equal mazes are always on the same side."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro._utils.messages import short_repr
from meiro._utils.validation import number
from meiro.mazes.batch import MazeBatch
from meiro.mazes.graph_batch import GraphBatch
from meiro.spaces.space_of import mazes_of
from meiro.transforms.openings import set_ends

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import CellLike
    from meiro.spaces.space import MazeSpace

    Cells = CellLike | Sequence[CellLike] | NDArray[np.integer[Any]]

Batch = TypeVar("Batch", MazeBatch, GraphBatch)

_BITS = 61  # of the hash of a maze


def split(
    batch: Batch, starts: Cells | None = None, goals: Cells | None = None, *, test: float = 0.2
) -> tuple[Batch, Batch]:
    """Split mazes into a training set and a test set, with equal mazes on the same side.

    A maze is in the test set if ``hash(maze) < test * 2**61``: BLAKE2b of shape, passages, mask and wrap, the
    same in any process and on any machine. So its side depends on the maze alone, not on its position, its
    duplicates or the other mazes, and no maze is on both sides even across two batches.

    Parameters
    ----------
    batch : MazeBatch, GraphBatch or list of mazes
        The mazes to split; it stays as it is.
    starts, goals : (int, int) or array_like of int, shape (n, 2), optional
        The start and the goal of each maze, as `endpoints` returns them; both sets get theirs, as by
        ``with_ends(batch, (starts, goals))``. By default those of the batch. On a lattice cells, shape (n,).
    test : float
        The share of all possible mazes in the test set, 0 to 1; about that share of `batch`.

    Returns
    -------
    train, test : MazeBatch or GraphBatch
        In the order of the batch; ``seed(i)`` still is the seed of each maze, and ``starts`` and ``goals``
        are the cells of its own mazes.

    Raises
    ------
    ValueError
        If `test` is not in [0, 1], or a cell is outside its maze or masked out.
    TypeError
        If `batch` holds no mazes, `test` not a number, or only one of `starts` and
        `goals` is given.

    See Also
    --------
    endpoints : start and goal for each maze.
    generate_many : makes a batch.

    Notes
    -----
    Small shapes have few mazes, and the shares may be off: a 2 x 2 maze is one of four. A maze that is in the
    test set at some share is so at any larger share. So a validation set can be split off the test set, again
    as a share of all mazes.

    References
    ----------
    J.-P. Aumasson, S. Neves, Z. Wilcox-O'Hearn, C. Winnerlein, BLAKE2 (2013). doi:10.1007/978-3-642-38980-1_8

    Examples
    --------
    >>> many = meiro.generate_many((8, 8), n=10_000, rng=7)
    >>> train, rest = meiro.split(many, *meiro.endpoints(many, rng=7), test=0.3)
    >>> validation, test = meiro.split(rest, test=0.2)
    >>> len(train), len(validation), len(test), test.starts.shape
    (6930, 1027, 2043, (2043, 2))
    """
    space = mazes_of(batch, "batch", many=True)
    batch = space.x
    for name, cells in (("starts", starts), ("goals", goals)):
        if not space.on_lattice and isinstance(cells, str | int | float | np.generic):
            msg = f"{name} must be cells, not {short_repr(cells)}; the share of the test set is test="
            raise TypeError(msg)
    if (starts is None) != (goals is None):
        msg = f"give both starts and goals, not only {'goals' if starts is None else 'starts'}"
        raise TypeError(msg)
    if starts is not None and goals is not None:
        batch = set_ends(batch, {"starts": starts, "goals": goals})
    testing = in_test_set(batch, test)
    return batch[~testing], batch[testing]


def in_test_set(batch: MazeBatch | GraphBatch, test: float) -> NDArray[np.bool_]:
    """Return which mazes are in the test set."""
    share = np.uint64(int(number(test, "test", 0, 1) * (1 << _BITS)))
    return hashes(batch) < share


def hashes(mazes: MazeBatch | GraphBatch) -> NDArray[np.uint64]:
    """Return ``hash(maze)`` of each maze, shape (n,)."""
    space: MazeSpace[Any] = mazes_of(mazes)
    n, size, batch = space.n, space.size, space.x
    if space.on_lattice or batch.masks is not batch.mask or batch.openings is not None:  # each has its own
        return np.fromiter(map(hash, batch), np.uint64, n)
    begin = hashlib.blake2b(repr((batch.rows, batch.cols)).encode(), digest_size=8)
    end = b"" if batch.mask is None else batch.mask.tobytes()
    if any(batch.wrap):
        end += bytes(batch.wrap)
    data = np.ascontiguousarray(batch.passages).reshape(-1).data
    digests = bytearray()
    for first in range(0, n * size, size):
        one = begin.copy()
        one.update(data[first : first + size])
        one.update(end)
        digests += one.digest()
    return np.frombuffer(bytes(digests), "<u8").astype(np.uint64) >> np.uint64(3)
