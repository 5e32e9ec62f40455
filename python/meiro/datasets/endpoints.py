"""Endpoints of tasks: a start and a goal for each maze of a batch.

Each round of draws has a stream of Philox of its own, whose words 2 i and 2 i + 1 belong to maze i. So the
endpoints of a maze depend on the seed, its index in the batch and the maze itself, not on the other mazes.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex, get_args

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.validation import Threads, integer, one_of, thread_count
from meiro.seeds import RNG, Seed, seed_of
from meiro.spaces.space_of import mazes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.spaces.space import ManyMazes, MazeSpace

    Numbers = NDArray[np.int64]

How = Literal["random", "dead_ends", "farthest", "corners", "openings"]
_HOW: tuple[How, ...] = get_args(How)
_COUNTED_LANE = 1 << 32  # lanes from here on draw by the number of a pair
_CHECK_ROUND = 4  # before this round, mazes without any such pair are dropped
_MAX_ROUNDS = 256  # then pairs are counted, by a breadth-first search from every cell
_PIECE = 1 << 22  # cells of the mazes drawn at a time
_MOST = (1 << 64) - 1


def endpoints(
    batch: ManyMazes,
    how: How = "random",
    *,
    min_length: SupportsIndex | None = None,
    rng: RNG = None,
    threads: Threads = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Choose a start and a goal in each maze of a batch.

    ============= ===================================================================================
    ``random``    two different cells; every ordered pair is equally likely
    ``dead_ends`` two different dead ends; every ordered pair is equally likely
    ``farthest``  the two ends of a longest shortest path; of several such pairs always the same
    ``corners``   the first and the last cell, if they differ
    ``openings``  the cells at the first and the last of several openings, if they differ
    ============= ===================================================================================

    Parameters
    ----------
    batch : MazeBatch, GraphBatch or list of mazes
        The mazes, which stay as they are: `meiro.with_ends` sets what is chosen.
    how : {"random", "dead_ends", "farthest", "corners", "openings"}
        Which cells are chosen, see above.
    min_length : int, optional
        The minimum number of steps from start to goal, 1 or more; the pair is then uniform over all pairs at
        least this far apart. By default start and goal need not be connected, if the maze is not.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        Draws the cells for "random" and "dead_ends". Maze `i` gets the same endpoints in any batch in which
        it is maze `i`.
    threads : int or "all", optional
        The number of threads that share the mazes; the result does not depend on it.

    Returns
    -------
    starts, goals : ndarray of int64, shape (n, 2)
        Row and column, as `meiro.solve_many` takes them; both (-1, -1) if the maze has no such pair. Of a
        `GraphBatch` coordinates, or labels or numbers, shape (n,); -1, or None among labels, for no pair.

    Raises
    ------
    ValueError
        If `how` is not one of these, or `min_length` is less than 1.
    TypeError
        If `batch` holds no mazes, or `min_length` is not an integer.

    See Also
    --------
    solve_many : takes starts and goals.
    with_ends : start and goal of one maze.
    split : training and test mazes.

    Notes
    -----
    With `min_length` pairs are drawn until one is long enough. After as many rounds as the maze has cells, at
    most 256, the pairs that are long enough are counted instead, by a breadth-first search from every cell,
    and one is drawn by its number. Both steps are uniform over the same pairs, so the result is too.

    Examples
    --------
    >>> many = meiro.generate_many((8, 8), n=1000, rng=7)
    >>> starts, goals = meiro.endpoints(many, "dead_ends", min_length=12, rng=1)
    >>> found = starts[:, 0] >= 0
    >>> int(found.sum()), int(many[found].solve(starts[found], goals[found]).lengths.min())
    (1000, 12)
    """
    space = mazes_of(batch, "batch", many=True)
    pairs = pairs_from(space.x, how, 0, min_length=min_length, rng=rng, threads=threads)
    starts, goals = (space.names_or_none(np.ascontiguousarray(numbers)) for numbers in pairs.T)
    return starts, goals


def pairs_from(
    batch: ManyMazes,
    how: How,
    begin: int,
    *,
    min_length: SupportsIndex | None,
    rng: RNG,
    threads: Threads,
) -> Numbers:
    """Return what `endpoints` gives mazes `begin`, which is even, and on, as numbers (n, 2); -1 for none."""
    one_of(how, "how", _HOW)
    least = None if min_length is None else integer(min_length, "min_length", 1)
    n, n_threads = len(batch), thread_count(threads)
    require(80 * n, f"the endpoints of {n:,} mazes", "take a slice of the batch")
    space = mazes_of(batch, "batch")
    pairs = np.full((n, 2), -1, np.int64)
    if how in {"corners", "openings"}:
        wanted, there = (space.corners(), True) if how == "corners" else space.cells_at_openings()
        good = there & (wanted[:, 0] != wanted[:, 1])
        if least is not None:
            good &= _lengths(space, wanted, n_threads) >= least
        pairs[good] = wanted[good]
    elif how == "farthest":
        found = _core.farthest(space.core, n_threads)
        good = found[:, 2] >= (least or 1)
        pairs[good] = found[good, :2]
    else:
        seed = seed_of(rng)
        step = max(2, _PIECE // space.size // 2 * 2)  # even: two mazes share a block of Philox
        for first in range(0, n, step):
            piece = mazes_of(space.x[first : first + step])
            draw = _Draw(piece, how == "dead_ends", seed, begin + first, least or 0, n_threads)
            pairs[first : first + step] = _draw_pairs(draw)
    return pairs


def _lengths(space: MazeSpace[Any], pairs: Numbers, threads: int) -> Numbers:
    """Return the steps between two cells of each maze, (n,)."""
    starts, goals = np.ascontiguousarray(pairs.T)
    starts, goals = np.where(goals < 0, -1, starts), np.maximum(goals, 0)
    return _core.solve_many(space.core, starts, goals, None, threads, None)[0]


class _Draw(NamedTuple):
    """Endpoints to be drawn for some of the mazes."""

    space: MazeSpace[Any]
    dead_ends: bool
    seed: Seed
    first: int  # number of the first maze in the whole batch
    least: int  # steps; 0: start and goal need not be connected
    threads: int

    def stream(self, block: int, lane: int) -> np.random.Philox:
        words = self.seed.key, (block, lane, self.seed.replicate, _core.PURPOSE_ENDPOINTS)
        key, counter = (np.array(several, np.uint64) for several in words)  # of a list NumPy may make floats
        return np.random.Philox(key=key, counter=counter)


class _Candidates:
    """The cells of each maze that may be an endpoint."""

    def __init__(self, draw: _Draw) -> None:
        n, self.n_cells = draw.space.n, draw.space.size
        require(12 * n * self.n_cells, f"the cells of {n:,} mazes", "take smaller mazes")
        allowed = draw.space.dead_ends() if draw.dead_ends else draw.space.existing()
        self.allowed = np.ones((1, self.n_cells), np.bool_) if allowed is None else allowed
        counts = self.allowed.sum(axis=1, dtype=np.int64)
        self.begin = np.broadcast_to(np.cumsum(counts) - counts, n)
        self.count = np.broadcast_to(counts, n)
        self.at = np.flatnonzero(self.allowed)

    def cell(self, mazes: Numbers, k: Numbers) -> Numbers:
        """Return the k-th candidate of each of these mazes."""
        numbers: Numbers = self.at[self.begin[mazes] + k] % self.n_cells
        return numbers

    def of(self, maze: int) -> NDArray[np.bool_]:
        """Return which cells of one maze are candidates."""
        cells: NDArray[np.bool_] = self.allowed[maze if len(self.allowed) > 1 else 0]
        return cells


def _draw_pairs(draw: _Draw) -> Numbers:
    """Return the numbers of two cells for each maze, -1 where no pair exists."""
    candidates, space = _Candidates(draw), draw.space
    n, rounds = space.n, min(candidates.n_cells, _MAX_ROUNDS)
    pairs = np.full((n, 2), -1, np.int64)
    left = np.flatnonzero(candidates.count >= 2)
    for lane in itertools.count():
        if draw.least and lane == _CHECK_ROUND:
            far = _core.farthest(mazes_of(space.x[left]).core, draw.threads)
            left = left[far[:, 2] >= draw.least]
        if not len(left) or (draw.least and lane == rounds):
            break
        words = draw.stream(draw.first // 2, lane).random_raw(2 * n).reshape(n, 2)[left]
        one, other, good = _two_below(candidates.count[left], words)
        found = np.stack([candidates.cell(left, one), candidates.cell(left, other)], axis=1)
        if draw.least:
            good &= _lengths(mazes_of(space.x[left]), found, draw.threads) >= draw.least
        pairs[left[good]] = found[good]
        left = left[~good]
    for maze in left.tolist():
        pairs[maze] = _draw_counted(draw, maze, candidates.of(maze))
    return pairs


def _two_below(count: Numbers, words: NDArray[np.uint64]) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """Return two different numbers below `count`, and whether the words were accepted.

    Exactly uniform: a word w gives w % count; at or above the largest multiple of count it is rejected.
    """
    sides = np.stack([count, count - 1], axis=1).astype(np.uint64)
    good: NDArray[np.bool_] = np.all(words <= np.uint64(_MOST) - (np.uint64(0) - sides) % sides, axis=1)
    one, other = (words % sides).astype(np.int64).T
    return one, other + (other >= one), good


def _draw_counted(draw: _Draw, maze: int, candidates: NDArray[np.bool_]) -> tuple[int, int]:
    """Draw one of the pairs that are far enough apart by its number, if any exists."""
    one = mazes_of(draw.space.x[maze])
    counts = _core.far_counts(one.core, candidates.view(np.uint8), draw.least)
    sums = np.cumsum(counts)
    total = int(sums[-1])
    if total == 0:
        return -1, -1
    stream = draw.stream(0, _COUNTED_LANE + draw.first + maze)
    k = 1 << 64
    while k > _MOST - (1 << 64) % total:
        k = int(stream.random_raw())
    k %= total
    start = int(np.searchsorted(sums, k, side="right"))
    steps = np.empty(one.size, one.counts)
    _core.distances(one.core, np.array([[start]]), np.empty(0), steps, 1, None)
    far = np.flatnonzero((steps >= draw.least) & candidates)
    return start, int(far[k - int(sums[start]) + int(counts[start])])
