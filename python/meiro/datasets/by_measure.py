"""Mazes of nearly equal difficulty, or of any other measure: the nearest to a target of many candidates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro._utils.progress import Progress, close_bar, reporter
from meiro._utils.set_module import set_module
from meiro._utils.validation import Threads, integer, number
from meiro.generators.generate import generate_many
from meiro.registry import MEASURES, Algorithm
from meiro.seeds import RNG, replicate_of, seed_of
from meiro.spaces.space_of import mazes_of
from meiro.stats.measure import measure as measured

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import ShapeLike
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch

_LEAST, _FOR_EACH = 1000, 20  # candidates by default


@overload
def by_measure(
    shape: Lattice, algorithm: Algorithm | str, measure: str, target: float, **options: Any
) -> GraphBatch: ...
@overload
def by_measure(
    shape: ShapeLike | None, algorithm: Algorithm | str, measure: str, target: float, **options: Any
) -> MazeBatch: ...
@set_module("meiro.datasets")
def by_measure(
    shape: ShapeLike | Lattice | None,
    algorithm: Algorithm | str,
    measure: str,
    target: float,
    *,
    n: SupportsIndex = 10,
    candidates: SupportsIndex | None = None,
    rng: RNG = None,
    threads: Threads = None,
    progress: Progress = False,
    **options: Any,
) -> MazeBatch | GraphBatch:
    """Generate many mazes and keep those whose measure is nearest to a target: a batch of equal difficulty.

    Parameters
    ----------
    shape, algorithm, rng
        As in `meiro.generate_many`: `shape` may be a `Lattice`.
    measure : str
        A name from ``meiro.MEASURES``, such as "difficulty" or "solution_length".
    target : float
        The value to be near to, in the unit of the measure; ``math.inf`` for the greatest values and
        ``-math.inf`` for the least.
    n : int
        The number of mazes to keep.
    candidates : int, optional
        The number of mazes to choose from. Default: 20 for each that is kept, and at least 1000.
    threads : int or "all"
        The number of threads; 1 by default.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, counted in candidates.
    **options
        As in `meiro.generate_many`: ``mask=``, ``wrap=``, ``openings=``, ``start=`` and so on.

    Returns
    -------
    MazeBatch, or GraphBatch on a lattice
        Nearest first; of equal ones the first that was generated. ``seed(i)`` is the seed of each.

    Raises
    ------
    ValueError
        If the measure does not exist or is undefined for too many candidates, `target` is NaN, `n` is less
        than 1 or more than `candidates`; and as `meiro.generate_many` does.
    TypeError
        If `target` is not a number, or `n` not an integer.

    See Also
    --------
    meiro.measure : the measures of the batch.
    meiro.survey : the distribution of a measure, from which to choose a target.

    Notes
    -----
    The mazes are the same on any number of threads. Those with an undefined measure
    (see `meiro.measure`) are never kept. Time and memory are those of `meiro.generate_many` for the
    candidates, of which only some are in memory at a time.

    Examples
    --------
    >>> mazes = meiro.datasets.by_measure((10, 10), "wilson", "solution_length", 40, n=5, rng=7)
    >>> meiro.measure(mazes, "solution_length")["solution_length"].tolist()
    [40, 40, 40, 42, 38]
    >>> mazes[0] == meiro.generate((10, 10), "wilson", rng=mazes.seed(0))
    True
    """
    name, wanted = MEASURES.find(measure, "measure").name, _target(target)
    count = integer(n, "n", 1, 1 << 62)
    usual = max(_LEAST, _FOR_EACH * count)
    total = usual if candidates is None else integer(candidates, "candidates", 1, 1 << 62)
    if count > total:
        raise ValueError(f"n={count} mazes cannot be chosen from candidates={total}")
    require(16 * total, f"the measures of {total:,} candidates", "give fewer candidates")
    seed, report = seed_of(rng), reporter(progress)

    def generated(first: int, number: int) -> MazeBatch | GraphBatch:
        words = replicate_of(seed, first)
        return generate_many(shape, algorithm, number, rng=words, threads=threads, **options)

    one = generated(0, 1)
    size = mazes_of(one).passages.size
    far = np.empty(total)
    try:
        for piece in bands(total, size):
            mazes = generated(piece.start, piece.stop - piece.start)
            values = np.asarray(measured(mazes, name, threads=threads)[name], np.float64)
            far[piece] = _distances(values, wanted)
            if report is not None:
                report(piece.stop, total)
    finally:
        close_bar(report)
    nearest = np.argsort(far, kind="stable")[:count]  # NaN comes last
    if np.isnan(far[nearest[-1]]):
        defined = int(total - np.isnan(far).sum())
        raise ValueError(
            f"measure {name!r} is defined for {defined} of {total} candidates, fewer than n={count}"
        )
    # Generated again, since only their measures were kept.
    found: Any = (generated(which, 1)[0] for which in nearest.tolist())
    return type(one)(found)


def _target(target: Any) -> float:
    """Return the value to be near to, which may be infinite."""
    if isinstance(target, float) and math.isinf(target):
        return target
    return number(target, "target")


def _distances(values: NDArray[np.float64], target: float) -> NDArray[np.float64]:
    if math.isinf(target):
        return -values if target > 0 else values
    return np.abs(values - target)
