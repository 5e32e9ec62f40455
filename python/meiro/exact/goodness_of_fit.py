"""`sampler_test`: a sampler against an exact law, by Pearson's chi-square or by `frequencies`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.progress import Progress, reporter
from meiro._utils.validation import integers, plain_array
from meiro.exact import frequencies
from meiro.exact._domain import Squares, domain_of, domain_of_mazes, in_domain
from meiro.exact._samples import Sample, checked_drawing
from meiro.exact.laws import is_listed, law_named
from meiro.exact.laws import law as law_of
from meiro.seeds import RNG, seed_of
from meiro.spaces.space_of import are_several, is_maze

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import ShapeLike
    from meiro.exact._domain import Domain
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch


_LEAST_EXPECTED = 10  # mazes in each class of the test
_MANY = 100_000
_MANY_LARGE = 1000
_FEWEST_LARGE = 20


@dataclass(frozen=True, slots=True)
class SamplerTest:
    """The result of `meiro.sampler_test`.

    Attributes
    ----------
    statistic : float
        Chi-square: the sum of (observed - expected)^2 / expected. Infinite if an impossible maze occurred.
        On large shapes the largest deviation, in standard deviations of samples that follow the law.
    dof : int
        Degrees of freedom: the number of classes of mazes minus one. On large shapes the number of counts.
    p_value : float
        The probability that a sampler that follows the law has a statistic at least as large. 0 if an
        impossible maze occurred.
    n : int
        Number of mazes in the sample.
    impossible : int
        Number of impossible mazes in the sample.
    sees : float or None
        The power on large shapes: a probability of an edge that is off by so much is rejected at 0.001 in 9
        cases of 10. None where all mazes are listed.

    Examples
    --------
    >>> meiro.sampler_test("kruskal", "wilson", n=1000, rng=1).impossible
    0
    """

    __module__ = "meiro"

    statistic: float
    dof: int
    p_value: float
    n: int
    impossible: int
    sees: float | None = None


def sampler_test(
    sampler: str | Callable[[np.random.Generator], Any] | MazeBatch | GraphBatch | Sequence[Any] | ArrayLike,
    law: str | Mapping[Any, Fraction | float] = "uniform",
    shape: ShapeLike | Lattice | None = None,
    *,
    n: SupportsIndex | None = None,
    rng: RNG = None,
    seconds: float | None = None,
    progress: Progress = False,
) -> SamplerTest:
    """Test a sampler of mazes against an exact law.

    All mazes of a shape of at most 9 cells, 4 to a side, are listed, and Pearson's chi-square test compares
    how often each occurs; of 12 cells, too, where but one algorithm follows the law. Of any larger one the
    frequencies of edges, of pairs of edges at a cell, and of cells by their number of passages are compared.

    Parameters
    ----------
    sampler : callable, str, MazeBatch, GraphBatch, sequence, or array_like of shape (n, rows, cols)
        A callable that takes a `numpy.random.Generator` and returns a maze; or the name of a generator in
        `meiro.ALGORITHMS`; or a sample of mazes. A maze is a `Maze` or `GraphMaze`, passages, a 0/1 grid,
        text, a graph of networkx, or a list of edges, which are pairs of cells.
    law : str or mapping from Maze to probability
        A name that `meiro.law` takes, or a mapping such as a `Law`.
    shape : (int, int) or Lattice, optional
        Rows and columns, in cells. By default those of the law's or the sampler's mazes; (3, 3) if these do
        not tell, as pairs of numbers of cells.
    n : int, optional
        Number of mazes to draw, 100,000 by default, on large shapes 1,000; ignored for a given sample, which
        is used whole.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        Seed of the sampler.
    seconds : float, optional
        Time after which a callable is called no more: the test has the mazes drawn until then.
    progress : bool or callable
        True for a progress bar, or ``callable(done, total)``, in mazes drawn and samples compared with.

    Returns
    -------
    SamplerTest
        ``statistic``, ``dof``, ``p_value``, ``n``, ``impossible``, ``sees``. If the sampler follows the law,
        the p-value is below 0.001 in one test of a thousand.

    Raises
    ------
    ValueError
        If the algorithm, law or shape is unknown, the mazes are too few, a maze has another shape, the
        probabilities of the mapping do not add up to 1, or a large shape needs another algorithm that
        follows the law, and no other does.
    TypeError
        If `sampler` or `law` is of another type.
    ImportError
        If scipy is not installed.

    See Also
    --------
    law : The exact laws.

    Notes
    -----
    Mazes with fewer than 10 expected occurrences are pooled into classes of at least 10. A deviation of one
    maze's probability p is detected if it is several times sqrt(p / n).

    On large shapes the expected frequencies are exact for the law "uniform", up to 8,192 cells. The spread,
    and so the p-value, comes from 1,999 samples of another algorithm that follows the law, of up to 1,000
    mazes each (fewer, but 100 at least, of more than 400 cells): (1 + the number of those that deviate at
    least as much) / 2000. They are made once for a shape and law: 20 x 20 cells take 15 seconds.

    References
    ----------
    K. Pearson, Philosophical Magazine 50 (1900) 157-175. doi:10.1080/14786440009463897

    Examples
    --------
    >>> meiro.sampler_test("wilson", "uniform", rng=1).p_value > 1e-6
    True
    >>> meiro.sampler_test("kruskal", "uniform", rng=1).p_value < 1e-6
    True
    >>> made_by_rank = lambda rng: meiro.unrank(rng.integers(192), (3, 3))
    >>> meiro.sampler_test(made_by_rank, n=2000, rng=1).p_value > 1e-6
    True

    Kruskal's mazes of 6 x 6 cells are not uniform, as few as 500 tell:

    >>> meiro.sampler_test("kruskal", "uniform", (6, 6), n=500, rng=1).p_value
    0.0005
    """
    given: Domain | None = None if shape is None else domain_of(shape)
    if not isinstance(law, str | Mapping):
        raise TypeError(f"law must be a name or a mapping from Maze to probability, not {short_repr(law)}")
    many, budget = checked_drawing(n, seconds)
    sample = Sample(sampler, "sampler", n=many, seed=seed_of(rng), seconds=budget, report=reporter(progress))
    if isinstance(law, str):
        if given is None:
            own = sample.domain
            given = domain_of((3, 3) if own is None else own.shape)  # without the mask of a maze
        if not is_listed(given, law_named(law)):
            return _by_frequencies(sample, law, given)
        law = law_of(given.shape, law)
    domain, probabilities = _table(law)
    if given is not None and given.shape != domain.shape:
        raise ValueError(f"shape must be that of the law, {domain.shape}, not {given.shape}")
    passages = _passages(sample, domain, _MANY)
    raw, size = passages.tobytes(), passages[0].size
    seen = Counter(raw[i * size : (i + 1) * size] for i in range(len(passages)))
    impossible = len(passages) - sum(seen[maze] for maze in probabilities)
    expected = np.array([float(p) for p in probabilities.values()]) * len(passages)
    counts = np.array([seen[maze] for maze in probabilities], float)
    starts = _classes(expected)
    dof = len(starts) - 1
    if impossible:
        return SamplerTest(math.inf, dof, 0.0, len(passages), impossible)
    if dof == 0:
        require_enough(len(passages), probabilities.values())
    order = np.argsort(-expected, kind="stable")
    expected, counts = (np.add.reduceat(each[order], starts) for each in (expected, counts))
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return SamplerTest(statistic, dof, _upper_tail(statistic, dof), len(passages), 0)


sampler_test.__test__ = False  # type: ignore[attr-defined]  # pytest collects names that begin or end with "test"


def _by_frequencies(sample: Sample, law: str, domain: Domain) -> SamplerTest:
    """Test mazes that cannot be listed."""
    name = law_named(law)
    made_by = frequencies.reference(domain, name, sample.algorithm)  # before others are drawn in vain
    passages = _passages(sample, domain, _MANY_LARGE, frequencies.SAMPLES)
    n = len(passages)
    _require_large(n)
    judged = frequencies.judge(passages, domain, name, made_by, sample.report)
    return SamplerTest(judged.statistic, judged.counts, judged.p_value, n, judged.impossible, judged.sees)


def require_testable(n: int, law: str, shape: ShapeLike | Lattice) -> None:
    """Raise ValueError if `n` mazes of a shape cannot be tested against a law."""
    domain, name = domain_of(shape), law_named(law)
    if is_listed(domain, name):
        require_enough(n, law_of(domain.shape, law).values())
        return
    frequencies.reference(domain, name, None)
    _require_large(n)


def _require_large(n: int) -> None:
    if n < _FEWEST_LARGE:
        raise ValueError(f"n: {n} mazes are too few to tell: take {_FEWEST_LARGE} or more")


def require_enough(n: int, probabilities: Iterable[Fraction | float]) -> None:
    """Raise ValueError if `n` mazes are too few to be tested; a law of one maze needs none."""
    likely = np.sort([float(p) for p in probabilities if p > 0])[::-1]
    if len(likely) < 2 or len(_classes(likely * n)) > 1:
        return
    before = np.cumsum(likely)[:-1]
    least = math.floor(_LEAST_EXPECTED / np.minimum(before, 1 - before).max())
    while len(_classes(likely * least)) < 2:  # rounding
        least += 1
    raise ValueError(f"n: {n} mazes are too few to tell: take {least} or more, better thousands")


def _classes(expected: NDArray[np.float64]) -> list[int]:
    """Return where classes begin, from the most likely maze on, each with enough expected mazes."""
    starts, inside = [], math.inf
    for i, one in enumerate(sorted(expected.tolist(), reverse=True)):
        if inside >= _LEAST_EXPECTED:
            starts.append(i)
            inside = 0
        inside += one
    if inside < _LEAST_EXPECTED and len(starts) > 1:
        starts.pop()
    return starts


def _table(law: Mapping[Any, Fraction | float]) -> tuple[Domain, dict[bytes, Fraction | float]]:
    """Return where the mazes of a law lie, and the probability of the passages of each possible one."""
    if len(law) == 0 or not all(map(is_maze, law)):
        raise TypeError(f"law must be a name or a mapping from Maze to probability, not {short_repr(law)}")
    least, total = min(map(float, law.values())), sum(map(float, law.values()))
    if not (least >= 0 and abs(total - 1) < 1e-9):
        raise ValueError(f"law: probabilities are not negative and add up to 1: least {least}, sum {total}")
    found, domains = {}, {}
    for maze, p in law.items():
        domain, passages = domain_of_mazes(maze, "law")
        domains[domain.shape] = domain
        if p > 0:
            found[passages.tobytes()] = p
    if len(domains) > 1:
        raise ValueError(
            f"law: its mazes have one shape or lattice, not {short_repr(sorted(map(str, domains)))}"
        )
    return domain, found


def _passages(sample: Sample, domain: Domain, many: int, after: int = 0) -> NDArray[np.uint8]:
    """Return the passages of all mazes: (n, rows, cols), or the open edges, (n, n_edges)."""
    mazes, shape = sample.mazes(domain.shape, many, after), domain.array_shape
    if are_several(mazes) and not isinstance(mazes, list | tuple):
        mazes = _of_domain(mazes, domain)
    elif not isinstance(mazes, np.ndarray) or mazes.shape[1:] == domain.grid_shape:
        mazes = [_of_domain(maze, domain) for maze in mazes]
    passages = plain_array(mazes, "sampler")
    if domain.most == 1 and passages.dtype == np.bool_:
        passages = passages.view(np.uint8)
    if passages.dtype != np.uint8:
        passages = integers(passages, "sampler")
    if passages.ndim != 1 + len(shape) or len(passages) == 0 or passages.shape[1:] != shape:
        wanted = f"(n, {', '.join(map(str, shape))}) with n > 0"
        raise ValueError(f"sampler must give passages of shape {wanted}, not {passages.shape}")
    if passages.size and (passages.min() < 0 or passages.max() > domain.most):
        what = "booleans" if domain.most == 1 else "sets of directions N=1, E=2, S=4, W=8, from 0 to 15"
        raise ValueError(f"sampler must give passages: {what}")
    return passages.astype(np.uint8, order="C", copy=False)


def _of_domain(maze: Any, domain: Domain) -> NDArray[Any]:
    """Return the passages of a maze in any form, or of a batch, which lies where it should."""
    maze = in_domain(maze, domain, "sampler")
    if isinstance(maze, np.ndarray):
        return maze
    own, passages = domain_of_mazes(maze, "sampler")
    if isinstance(own, Squares) and isinstance(domain, Squares):
        for more, theirs, known in (
            ("a mask", maze.mask is not None, domain.mask is not None),
            ("periodic borders", any(own.wrap), any(domain.wrap)),
        ):
            if theirs and not known:
                raise ValueError(
                    f"sampler: its mazes have {more}, the law's do not: meiro.compare tests two samplers"
                )
    return passages[0] if is_maze(maze) else passages


def _upper_tail(statistic: float, dof: int) -> float:
    """Return the probability of at least `statistic` under chi-square with `dof` degrees of freedom."""
    with requires_extra("data", "scipy"):
        from scipy.special import chdtrc
    return float(chdtrc(dof, statistic)) if dof else 1.0
