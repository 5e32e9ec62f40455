"""Where tasks begin and end: a start and a goal for each of many mazes.

What is drawn has an address, as all randomness of meiro: words 2 i and 2 i + 1 of a stream of Philox are for
maze i, one stream for each round of draws. So the ends of a maze depend on the seed, its place in the batch
and the maze itself, not on the others.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.validation import Threads, integer, thread_count
from meiro.maze._validation import masks_left
from meiro.maze.batch import MazeBatch
from meiro.seeds import RNG, Seed, seed_of
from meiro.solvers.distances import distances
from meiro.solvers.solve_many import default_endpoints_many, solve_many

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

How = Literal["random", "dead_ends", "farthest", "corners"]
_HOW: tuple[How, ...] = ("random", "dead_ends", "farthest", "corners")
_PURPOSE = 6  # Purpose::ends of random.hpp
_COUNTED = 1 << 32  # streams from here on: of those whose pairs were counted
_LOOK = 4  # rounds, after which it is looked whether there is a pair
_COUNT = 256  # rounds at most, after which pairs are counted: that takes as many floods as there are cells
_PIECE = 1 << 22  # cells
_MOST = (1 << 64) - 1
_DEAD_ENDS = np.array([(byte & 15).bit_count() == 1 for byte in range(256)])


def endpoints(
    batch: MazeBatch,
    how: How = "random",
    *,
    min_length: SupportsIndex | None = None,
    rng: RNG = None,
    threads: Threads = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Choose a start and a goal in each of many mazes.

    ============= ===================================================================================
    ``random``    two different cells; every ordered pair is equally likely
    ``dead_ends`` two different dead ends; every ordered pair is equally likely
    ``farthest``  two cells farthest from each other; of several such pairs always the same
    ``corners``   the first and the last cell, if they differ
    ============= ===================================================================================

    Parameters
    ----------
    batch : MazeBatch
    how : {"random", "dead_ends", "farthest", "corners"}
    min_length : int, optional
        Steps between the two at least, 1 or more; what was drawn is then uniform over the pairs that are so
        far apart. By default there may be no way between those drawn, if the maze has several parts.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        For those drawn. Maze `i` has the same ends in any batch in which it is maze `i`.
    threads : int or "all", optional
        How many threads share the mazes; the result is the same.

    Returns
    -------
    starts, goals : ndarray of int64, shape (n, 2)
        Row and column, as `meiro.solve_many` takes them; (-1, -1) both where the maze has no such pair, which
        has length 0 or -1 there, as no other has.

    Raises
    ------
    ValueError
        If `how` is none of these, or `min_length` less than 1.
    TypeError
        If `batch` is no MazeBatch, or `min_length` no integer.

    Notes
    -----
    With `min_length` pairs are drawn until one is long enough. After as many draws as there are cells, at
    most 256, those that are long enough are counted instead, and one is drawn by its number: a flood from
    every cell. Both are uniform over the same pairs, so what comes of both is.

    Examples
    --------
    >>> many = meiro.generate_many(1000, (8, 8), rng=7)
    >>> starts, goals = meiro.endpoints(many, "dead_ends", min_length=12, rng=1)
    >>> there = starts[:, 0] >= 0
    >>> int(there.sum()), int(many[there].solve(starts[there], goals[there]).lengths.min())
    (1000, 12)
    """
    if not isinstance(batch, MazeBatch):
        msg = f"batch must be a MazeBatch (see meiro.generate_many), not {short_repr(batch)}"
        raise TypeError(msg)
    if how not in _HOW:
        msg = f"how must be one of {', '.join(_HOW)}, not {short_repr(how)}"
        raise ValueError(msg)
    least = None if min_length is None else integer(min_length, "min_length", 0)
    if least == 0:
        msg = "min_length must be 1 or more, not 0: leave it out where there need be no way"
        raise ValueError(msg)
    n, team = len(batch), thread_count(threads)
    require(80 * n, f"the ends of {n:,} mazes", "take a slice of the batch")
    pairs = np.full((n, 2), -1, np.int64)
    if how == "corners":
        usual = default_endpoints_many(batch).T
        good = usual[:, 0] != usual[:, 1]
        if least is not None:
            good &= _lengths(batch, usual, team) >= least
        pairs[good] = usual[good]
    elif how == "farthest":
        found = _core.farthest_of_many(np.ascontiguousarray(batch.passages), batch.wrap, team)
        good = found[:, 2] >= (least or 1)
        pairs[good] = found[good, :2]
    else:
        seed, cells = seed_of(rng), batch.rows * batch.cols
        step = max(2, _PIECE // cells // 2 * 2)  # even: two mazes have a block of Philox
        for first in range(0, n, step):
            piece = batch[first : first + step]
            pairs[first : first + step] = _drawn(_Draw(piece, how, seed, first, least or 0, team))
    ends = np.where(pairs[..., np.newaxis] < 0, -1, np.stack(np.divmod(pairs, batch.cols), axis=-1))
    return np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])


class _Draw(NamedTuple):
    """What is drawn: ends of the mazes of a piece of the batch."""

    batch: MazeBatch
    how: How
    seed: Seed
    first: int  # the number of its first maze
    least: int  # steps; 0: there need be no way
    threads: int

    def stream(self, block: int, lane: int) -> np.random.Philox:
        counter = [block, lane, self.seed.replicate, _PURPOSE]
        return np.random.Philox(key=list(self.seed.key), counter=counter)


class _Choice:
    """The cells that may be chosen, of each maze."""

    def __init__(self, draw: _Draw) -> None:
        batch = draw.batch
        n, self.cells = len(batch), batch.rows * batch.cols
        require(12 * batch.passages.size, f"the cells of {batch!r}", "take smaller mazes")
        there = masks_left(batch.passages, batch.mask, batch._recipe)
        if draw.how == "dead_ends":
            there = _DEAD_ENDS[batch.passages]
        self.there = np.ones((1, self.cells), np.bool_) if there is None else there.reshape(-1, self.cells)
        counts = self.there.sum(axis=1, dtype=np.int64)
        self.begin = np.broadcast_to(np.cumsum(counts) - counts, n)
        self.count = np.broadcast_to(counts, n)
        self.at = np.flatnonzero(self.there)

    def cell(self, mazes: Numbers, k: Numbers) -> Numbers:
        """Return the k-th cell of each of these mazes."""
        numbers: Numbers = self.at[self.begin[mazes] + k] % self.cells
        return numbers

    def of(self, maze: int) -> NDArray[np.bool_]:
        there: NDArray[np.bool_] = self.there[maze if len(self.there) > 1 else 0]
        return there


def _drawn(draw: _Draw) -> Numbers:
    """Return the numbers of two cells for each maze, -1 where there are none."""
    choice, n = _Choice(draw), len(draw.batch)
    rounds = min(choice.cells, _COUNT)
    pairs = np.full((n, 2), -1, np.int64)
    left = np.flatnonzero(choice.count >= 2)
    for lane in itertools.count():
        if draw.least and lane == _LOOK:
            left = left[_reach(draw, left) >= draw.least]
        if not len(left) or (draw.least and lane == rounds):
            break
        words = draw.stream(draw.first // 2, lane).random_raw(2 * n).reshape(n, 2)[left]
        one, other, good = _two_of(choice.count[left], words)
        found = np.stack([choice.cell(left, one), choice.cell(left, other)], axis=1)
        if draw.least:
            good &= _lengths(draw.batch[left], found, draw.threads) >= draw.least
        pairs[left[good]] = found[good]
        left = left[~good]
    for maze in left.tolist():
        pairs[maze] = _counted(draw, maze, choice.of(maze))
    return pairs


def _two_of(count: Numbers, words: NDArray[np.uint64]) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """Return two different numbers below `count`, and whether they are drawn: else the words are too large.

    Exactly uniform: a word w is the number w % count if it is below the largest multiple of count.
    """
    sides = np.stack([count, count - 1], axis=1).astype(np.uint64)
    good: NDArray[np.bool_] = np.all(words <= np.uint64(_MOST) - (np.uint64(0) - sides) % sides, axis=1)
    one, other = (words % sides).astype(np.int64).T
    return one, other + (other >= one), good


def _counted(draw: _Draw, maze: int, there: NDArray[np.bool_]) -> tuple[int, int]:
    """Draw one of the pairs that are far enough by its number, if there is any."""
    batch = draw.batch
    counts = _core.far_counts(batch.passages[maze], batch.wrap, there.view(np.uint8), draw.least)
    before = np.cumsum(counts)
    total = int(before[-1])
    if total == 0:
        return -1, -1
    stream = draw.stream(0, _COUNTED + draw.first + maze)
    k = _MOST
    while k > _MOST - (1 << 64) % total:
        k = int(stream.random_raw())
    k %= total
    start = int(np.searchsorted(before, k, side="right"))
    steps = distances(batch[maze], divmod(start, batch.cols)).reshape(-1)
    far = np.flatnonzero((steps >= draw.least) & there)
    return start, int(far[k - int(before[start]) + int(counts[start])])


def _reach(draw: _Draw, mazes: Numbers) -> Numbers:
    """Return how far apart two cells are at most, of each of these mazes."""
    batch = draw.batch[mazes]
    return _core.farthest_of_many(batch.passages, batch.wrap, draw.threads)[:, 2]


def _lengths(batch: MazeBatch, pairs: Numbers, threads: int) -> Numbers:
    starts, goals = np.moveaxis(np.stack(np.divmod(pairs, batch.cols), axis=-1), 1, 0)
    return solve_many(batch, starts, goals, threads=threads).lengths
