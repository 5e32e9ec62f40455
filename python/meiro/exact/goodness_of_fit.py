"""Whether a sampler follows a law: Pearson's chi-square test."""

# sampler_test is no test of ours

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.messages import short_repr
from meiro._utils.square import checked_shape
from meiro._utils.validation import integer, integers
from meiro.exact.laws import law as law_of
from meiro.generators.generate import generate_many
from meiro.maze.batch import MazeBatch
from meiro.maze.maze import Maze
from meiro.seeds import RNG, seed_of

if TYPE_CHECKING:
    from fractions import Fraction
    from typing import SupportsIndex

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Shape, ShapeLike

_RARE = 10  # so many are expected in each class


@dataclass(frozen=True, slots=True)
class SamplerTest:
    """What `meiro.sampler_test` found.

    Attributes
    ----------
    statistic : float
        Chi-square: the sum of (seen - expected)^2 / expected. Infinite if a maze came that cannot be.
    dof : int
        Degrees of freedom: classes of mazes, less one.
    p_value : float
        How likely a sampler that follows the law is to be as far off, or farther. 0 if a maze came that
        cannot be.
    n : int
        How many mazes were looked at.
    impossible : int
        How many of them cannot be.

    Examples
    --------
    >>> meiro.sampler_test("kruskal", "wilson", n=1000, rng=1).impossible
    0
    """

    statistic: float
    dof: int
    p_value: float
    n: int
    impossible: int


def sampler_test(
    sampler: str | Callable[[np.random.Generator], Maze | ArrayLike] | MazeBatch | Sequence[Maze] | ArrayLike,
    law: str | Mapping[Maze, Fraction | float] = "uniform",
    shape: ShapeLike | None = None,
    *,
    n: SupportsIndex = 100_000,
    rng: RNG = None,
) -> SamplerTest:
    """Test whether mazes come with the probabilities of a law.

    Parameters
    ----------
    sampler : callable, str, MazeBatch, sequence of Maze, or array_like of shape (n, rows, cols)
        What makes a maze (a `Maze` or its passages) each time it is called with a `numpy.random.Generator`;
        or one of `meiro.ALGORITHMS`; or mazes that were made already.
    law : str or mapping from Maze to probability
        As `meiro.law` takes it; or a mapping of your own, such as a `Law`.
    shape : (int, int), optional
        Rows and columns, in cells: (3, 3) by default, or what the mapping has.
    n : int
        How many mazes are made; of those made already all are taken.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        For a sampler that makes them.

    Returns
    -------
    SamplerTest
        ``statistic``, ``dof``, ``p_value``, ``n``, ``impossible``. Of samplers that follow the law one in
        a thousand has a p-value below 0.001.

    Raises
    ------
    ValueError
        If there is no such algorithm, law or shape, the mazes are too few, one has another shape, or the
        probabilities do not add up to 1.
    TypeError
        If the sampler is nothing of these.

    Notes
    -----
    Mazes that are expected fewer than 10 times are counted together, as many as make 10. That one maze comes
    with another probability than p is seen if it is off by several times sqrt(p / n).

    Examples
    --------
    >>> meiro.sampler_test("wilson", "uniform", rng=1).p_value > 1e-6
    True
    >>> meiro.sampler_test("kruskal", "uniform", rng=1).p_value < 1e-6
    True
    >>> made_by_rank = lambda rng: meiro.unrank(rng.integers(192), (3, 3))
    >>> meiro.sampler_test(made_by_rank, n=2000, rng=1).p_value > 1e-6
    True
    """
    cells = None if shape is None else checked_shape(shape)
    exact = law if isinstance(law, Mapping) else law_of(law, cells or (3, 3))
    probabilities = _table(exact)
    rows, cols = _shape_of(exact)
    if cells not in {None, (rows, cols)}:
        msg = f"the law is of ({rows}, {cols}), and shape is {cells}"
        raise ValueError(msg)
    passages = _passages(_made(sampler, (rows, cols), n, rng), (rows, cols))
    raw, size = passages.tobytes(), rows * cols
    seen = Counter(raw[i : i + size] for i in range(0, len(raw), size))
    impossible = len(passages) - sum(seen[maze] for maze in probabilities)
    expected = np.array([float(p) for p in probabilities.values()]) * len(passages)
    counts = np.array([seen[maze] for maze in probabilities], float)
    starts = _classes(expected)
    dof = len(starts) - 1
    if impossible:
        return SamplerTest(math.inf, dof, 0.0, len(passages), impossible)
    if dof == 0 and len(expected) > 1:
        msg = f"{len(passages)} mazes are too few to tell: take {2 * _RARE} or more, better thousands"
        raise ValueError(msg)
    order = np.argsort(-expected, kind="stable")
    expected, counts = (np.add.reduceat(each[order], starts) for each in (expected, counts))
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return SamplerTest(statistic, dof, chi_square_tail(statistic, dof), len(passages), 0)


sampler_test.__test__ = False  # type: ignore[attr-defined]  # its name makes pytest take it for a test


def _classes(expected: NDArray[np.float64]) -> list[int]:
    """Return where classes begin, from the most likely maze on: in each enough are expected."""
    starts, inside = [], math.inf
    for i, one in enumerate(sorted(expected.tolist(), reverse=True)):
        if inside >= _RARE:
            starts.append(i)
            inside = 0
        inside += one
    if inside < _RARE and len(starts) > 1:
        starts.pop()
    return starts


def _table(law: Mapping[Maze, Fraction | float]) -> dict[bytes, Fraction | float]:
    """Return the probability of the passages of each maze that can be."""
    if not law or not all(isinstance(maze, Maze) for maze in law):
        msg = f"law must be a name or a mapping from Maze to probability, not {short_repr(law)}"
        raise TypeError(msg)
    least, total = min(map(float, law.values())), sum(map(float, law.values()))
    if not (least >= 0 and abs(total - 1) < 1e-9):
        msg = f"the probabilities of a law are not negative and add up to 1: least {least}, sum {total}"
        raise ValueError(msg)
    return {maze.passages.tobytes(): p for maze, p in law.items() if p > 0}


def _shape_of(law: Mapping[Maze, Any]) -> Shape:
    shapes = {(maze.rows, maze.cols) for maze in law}
    if len(shapes) > 1:
        msg = f"the mazes of a law have one shape, not {short_repr(sorted(shapes))}"
        raise ValueError(msg)
    return shapes.pop()


def _made(sampler: Any, shape: Shape, n: SupportsIndex, rng: RNG) -> Any:
    """Return the mazes, or the passages of all."""
    if isinstance(sampler, MazeBatch):
        return sampler.passages
    if not isinstance(sampler, str) and not callable(sampler):
        if isinstance(sampler, np.ndarray | Sequence):
            return sampler
        msg = f"sampler must be a callable, a name, or many mazes, not {short_repr(sampler)}"
        raise TypeError(msg)
    many = integer(n, "n", 1)
    if isinstance(sampler, str):
        return generate_many(many, shape, sampler, rng=rng).passages
    seed = seed_of(rng)
    generator = np.random.default_rng([*seed.key, seed.replicate])
    return [sampler(generator) for _ in range(many)]


def _passages(mazes: Any, shape: Shape) -> NDArray[np.uint8]:
    """Return the passages of all mazes, (n, rows, cols)."""
    if not isinstance(mazes, np.ndarray):
        mazes = [maze.passages if isinstance(maze, Maze) else np.asarray(maze) for maze in mazes]
        wrong = next((one.shape for one in mazes if one.shape != shape), None)
        if wrong is not None:
            msg = f"the sampler made a maze of {wrong}, not of {shape}"
            raise ValueError(msg)
    passages: NDArray[Any] = np.asarray(mazes)
    if passages.dtype != np.uint8:
        passages = integers(passages, "passages")
    if passages.ndim != 3 or len(passages) == 0 or passages.shape[1:] != shape:
        msg = f"passages must have shape (n, {shape[0]}, {shape[1]}) with n > 0, not {passages.shape}"
        raise ValueError(msg)
    if passages.min() < 0 or passages.max() > 15:
        msg = "passages are sets of directions N=1, E=2, S=4, W=8, from 0 to 15"
        raise ValueError(msg)
    return passages.astype(np.uint8, order="C", copy=False)


def chi_square_tail(x: float, dof: int) -> float:
    """Return the probability that chi-square of `dof` degrees of freedom is `x` or more.

    The regularised upper incomplete gamma function Q(dof / 2, x / 2): by its series below the mean, by
    Lentz's continued fraction above.
    """
    a, x = dof / 2, x / 2
    if a == 0 or x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        k = a
        while term > total * 1e-17:
            k += 1
            term *= x / k
            total += term
        return max(0.0, 1 - scale * total)
    b = x + 1 - a
    c, d = math.inf, 1 / b
    found, k = d, 0
    while True:
        k += 1
        step = k * (a - k)
        b += 2
        d = 1 / (b + step * d)
        c = b + step / c
        found *= c * d
        if abs(c * d - 1) < 1e-15:
            return scale * found
