"""Mazes to learn from and mazes to test with: parted by what they are, so that none is in both."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.messages import short_repr
from meiro._utils.validation import number
from meiro.maze.batch import MazeBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BITS = 61  # of the hash of a maze


def split(batch: MazeBatch, test: float = 0.2) -> tuple[MazeBatch, MazeBatch]:
    """Part mazes into those to train with and those to test with; equal mazes are on one side.

    A maze is for testing if ``hash(maze) < test * 2**61``: BLAKE2b of shape, passages, mask and wrap, the
    same in any process and on any machine. So its side depends on nothing but the maze: not on its place, on
    the other mazes or on how often it is there, and no maze is on both sides even of two batches.

    Parameters
    ----------
    batch : MazeBatch
    test : float
        The share of all mazes that are for testing, 0 to 1; of `batch` that is about the share.

    Returns
    -------
    train, test : MazeBatch
        In the order of the batch; ``seed(i)`` still tells which mazes they are.

    Raises
    ------
    ValueError
        If `test` is not in 0..1.
    TypeError
        If `batch` is no MazeBatch, or `test` no number.

    Notes
    -----
    Of small mazes there are few, and the shares may be off: a 2 x 2 maze is one of four. What is for testing
    at some share is so at any larger one. So a third part comes from that for testing, as a share of all
    mazes again.

    Examples
    --------
    >>> many = meiro.generate_many(10_000, (8, 8), rng=7)
    >>> train, rest = meiro.split(many, 0.3)
    >>> validation, test = meiro.split(rest, 0.2)
    >>> len(train), len(validation), len(test)
    (6930, 1027, 2043)
    """
    if not isinstance(batch, MazeBatch):
        msg = f"batch must be a MazeBatch (see meiro.generate_many), not {short_repr(batch)}"
        raise TypeError(msg)
    testing = hashes(batch) < np.uint64(int(number(test, "test", 0, 1) * (1 << _BITS)))
    return batch[~testing], batch[testing]


def hashes(batch: MazeBatch) -> NDArray[np.uint64]:
    """Return ``hash(maze)`` of each, shape (n,)."""
    n, size = len(batch), batch.rows * batch.cols
    if batch._recipe.get("dead_ends") == "remove":  # each has a mask of its own
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
