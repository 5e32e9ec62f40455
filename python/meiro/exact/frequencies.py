"""The test of a sampler on shapes whose mazes cannot be listed: how often edges, pairs and degrees occur.

Counted are, over the mazes of a sample, every edge that is open, every pair of edges at a cell that are both
open, and every cell by its number of passages: 1, 2, 3, 4 or more. Under the uniform law the probability p of
each is exact, by the transfer currents K around a cell (`local_degrees`): K(e, e) of an edge,
K(e, e) K(f, f) - K(e, f)^2 of a pair. Under other laws p is the share among further mazes of the reference.

A count is standardised by sqrt(n p (1 - p)). How it depends on other counts is too much for a formula; so
nothing is inverted, and the spread comes from `SAMPLES` samples of a reference: an algorithm that follows the
law, never the one that is judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro._utils.square import FLAT, passages_of
from meiro.exact._domain import Graph, domain_of, domain_of_mazes
from meiro.exact.local_degrees import coins, star_currents, stars
from meiro.generators.generate import generate_many
from meiro.lattices.lattice import graph_of
from meiro.registry import ALGORITHMS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from meiro._utils.square import Shape
    from meiro.exact._domain import Domain
    from meiro.lattices.lattice import Lattice

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

SAMPLES = 1999  # of the reference: the least p-value is 1 / 2000
_MOST_MAZES = 1000  # in a sample of the reference: of more, counts have the same spread
_MOST_OF_CELLS = 100_000  # in a sample of the reference, but for
_FEWEST_MAZES = 100
_OF_CENTRES = 100  # samples of the reference that give the probabilities where they are not exact
_POWER = 1.2816  # standard deviations: an effect so much beyond the limit is seen in 9 cases of 10
_CERTAIN = 1e-9  # probabilities nearer to 0 or 1, and less spread, are not standardised


class Judged(NamedTuple):
    """What a sample is told."""

    statistic: float
    counts: int
    p_value: float
    impossible: int
    sees: float


def judge(
    passages: NDArray[np.uint8],
    domain: Domain,
    law: str,
    made_by: str,
    report: Callable[[int, int], object],
) -> Judged:
    """Judge a sample by a law.

    Parameters
    ----------
    passages : ndarray of uint8, shape (n, ...)
    domain : Domain
    law : str
        As in the facts of algorithms.
    made_by : str
        The `reference`.
    report : callable
        Of progress, in samples of the reference.
    """
    n = len(passages)
    found = _consistent(passages, domain)
    open_ = domain.open_edges(passages[found])
    trees = _are_trees(open_, domain.lattice)
    impossible = n - int(trees.sum())
    many = min(n, _MOST_MAZES, max(_FEWEST_MAZES, _MOST_OF_CELLS // domain.n_cells))
    null = _null(domain.shape, law, made_by, many, report)
    sees = (null.limit + _POWER) * np.sqrt(null.widest / n)
    if impossible:
        return Judged(np.inf, len(null.centres), 0.0, impossible, float(sees))
    local = null.local
    statistic = float(null.statistic(local.scores(local.counts(open_), n, null.centres)))
    above = int(np.count_nonzero(null.statistics >= statistic))
    return Judged(statistic, len(null.centres), (1 + above) / (1 + SAMPLES), 0, float(sees))


def reference(domain: Domain, law: str, judged: str | None) -> str:
    """Return the algorithm that follows the law, other than the judged one."""
    follow = [a for a in ALGORITHMS.values() if a.law == law and (a.graphs or domain.rectangle is not None)]
    others = [a.name for a in follow if a.name != judged]
    if others:
        return others[0]
    who = f"only {judged!r}, which would judge itself" if follow else "none"
    raise ValueError(
        f"law {law!r} {domain.of} {domain.name}: its mazes are not listed, and then another algorithm must "
        f"follow it, which gives the spread; here it is {who}: take at most 3 x 4 cells"
    )


def _consistent(passages: NDArray[np.uint8], domain: Domain) -> NDArray[np.bool_]:
    """Return which passages are seen alike from both sides; those of edges always are."""
    if isinstance(domain, Graph):
        return np.ones(len(passages), np.bool_)
    from_walls = passages_of(domain.shape, domain.open_edges(passages), FLAT)
    return np.asarray((from_walls == passages).all(axis=(1, 2)))


def _are_trees(open_: NDArray[np.bool_], lattice: Lattice) -> NDArray[np.bool_]:
    """Return which mazes are spanning trees, of each component of the lattice."""
    perfect: NDArray[np.bool_] = _core.check((graph_of(lattice), open_.view(np.uint8)), 1, None)[:, 0] != 0
    return perfect


@dataclass(frozen=True, eq=False)
class _Local:
    """What is counted on a lattice: edges, then pairs of edges, then cells by their number of passages."""

    lattice: Lattice
    pairs: Ints
    slots: list[
        tuple[int, Ints, NDArray[np.int32]]
    ]  # the first edge of each cell that has one, the second, ...

    def counts(self, open_: NDArray[np.bool_]) -> Ints:
        """Return the counts over mazes, of open edges of shape (n, edges)."""
        lattice = self.lattice
        total = np.zeros(lattice.n_edges + len(self.pairs) + 4 * lattice.n_cells, np.int64)
        for band in bands(len(open_), lattice.n_edges):
            edges = np.ascontiguousarray(open_[band].T)
            packed = np.packbits(edges, axis=1)
            both = packed[self.pairs[:, 0]] & packed[self.pairs[:, 1]]
            degrees = np.zeros((lattice.n_cells, edges.shape[1]), np.uint8)
            for slot, cells, around in self.slots:
                degrees[cells] += edges[around]
                if slot >= 4:
                    np.minimum(degrees, 4, out=degrees)
            total += np.concatenate(
                [
                    edges.sum(axis=1),
                    np.bitwise_count(both).sum(axis=1, dtype=np.int64),
                    *(np.count_nonzero(degrees == degree, axis=1) for degree in (1, 2, 3, 4)),
                ]
            )
        return total

    def scores(self, counts: Ints, n: int, centres: Floats) -> Floats:
        """Return what a sample is judged by: large if it deviates.

        The largest standardised deviation; the means of their squares, of edges, of pairs and of degrees; and
        how many more or fewer cells of each degree, and pairs, there are on the whole.
        """
        spread = np.sqrt(n * centres * (1 - centres))
        deviations = counts - n * centres
        known = (centres > _CERTAIN) & (centres < 1 - _CERTAIN)
        standardised = np.divide(deviations, spread, out=np.zeros_like(deviations), where=known)
        first, cells = self.lattice.n_edges, self.lattice.n_cells
        parts = np.split(standardised**2, [first, first + len(self.pairs)])
        whole = deviations[first + len(self.pairs) :].reshape(4, cells).sum(axis=1)
        return np.array(
            [
                np.abs(standardised).max(initial=0),
                *(part.mean() if part.size else 0 for part in parts),
                *np.abs([*whole, deviations[first : first + len(self.pairs)].sum()]) / np.sqrt(n),
            ]
        )

    @staticmethod
    def of(lattice: Lattice) -> _Local:
        """Return what is counted on a lattice."""
        pairs: list[Ints] = [np.empty((0, 2), np.int64)]
        for _, _, around in stars(lattice):
            one, other = np.triu_indices(around.shape[1], 1)
            pairs.append(
                np.stack([around[:, one], around[:, other]], axis=-1).reshape(-1, 2).astype(np.int64)
            )
        slots = []
        for slot in range(int(lattice.degrees.max(initial=0))):
            cells = np.flatnonzero(lattice.degrees > slot)
            slots.append((slot, cells, lattice.neighbor_edges[lattice.indptr[cells] + slot]))
        return _Local(lattice, np.concatenate(pairs), slots)


def _uniform(lattice: Lattice) -> Floats | None:
    """Return the probability of everything that is counted under the uniform law; None if it takes long."""
    found = star_currents(lattice)
    if found is None:
        return None
    edges, degrees = np.zeros(lattice.n_edges), np.zeros((4, lattice.n_cells))
    pairs: list[Floats] = [np.empty(0)]
    for cells, around, currents in found:
        own = np.diagonal(currents, axis1=1, axis2=2)
        edges[around] = own
        one, other = np.triu_indices(around.shape[1], 1)
        pairs.append((own[:, one] * own[:, other] - currents[:, one, other] ** 2).reshape(-1))
        shares = np.linalg.eigvalsh(currents).clip(0, 1)
        shares[:, -1] = 1  # one passage at least
        degrees[:, cells] = coins(shares)[:, 1:].T
    return np.concatenate([edges, *pairs, degrees.reshape(-1)]).clip(0, 1)


@dataclass(frozen=True, eq=False)
class _Null:
    """The scores of samples that follow the law, (samples, scores)."""

    local: _Local
    centres: Floats
    scores: Floats

    @cached_property
    def means(self) -> Floats:
        """The mean of each score."""
        return np.asarray(self.scores.mean(axis=0))

    @cached_property
    def spreads(self) -> Floats:
        """The standard deviation of each score."""
        return np.asarray(self.scores.std(axis=0))

    @cached_property
    def statistics(self) -> Floats:
        """The statistic of each sample."""
        return self.statistic(self.scores)

    def statistic(self, scores: Floats) -> Floats:
        """Return the largest score, in standard deviations of the samples of the reference."""
        above, varies = np.asarray(scores - self.means), self.spreads > _CERTAIN  # not by rounding alone
        standardised = np.divide(above, self.spreads, out=np.zeros_like(above), where=varies)
        return np.asarray(standardised.max(axis=-1))

    @property
    def limit(self) -> float:
        """The standardised deviation of one count that is exceeded in a thousandth of the samples."""
        return float(self.means[0] + self.spreads[0] * np.quantile(self.statistics, 0.999))

    @property
    def widest(self) -> float:
        """The largest variance of an edge."""
        edges = self.centres[: self.local.lattice.n_edges]
        return float((edges * (1 - edges)).max(initial=0))


_KEPT: dict[tuple[Any, ...], _Null] = {}
_MOST_KEPT = 16


def _null(
    shape: Shape | Lattice, law: str, reference: str, many: int, report: Callable[[int, int], object]
) -> _Null:
    """Return the samples of the reference, of `many` mazes each; they are kept for further calls."""
    key = shape, law, reference, many
    if key in _KEPT:
        report(SAMPLES, SAMPLES)
        return _KEPT[key]
    made = _samples(*key, report)
    if len(_KEPT) >= _MOST_KEPT:
        _KEPT.clear()
    _KEPT[key] = made
    return made


def _samples(
    shape: Shape | Lattice, law: str, reference: str, many: int, report: Callable[[int, int], object]
) -> _Null:
    domain = domain_of(shape)
    require(64 * many * domain.lattice.n_edges, f"samples of {many} mazes {domain.of} {domain.name}", "")

    def sample(number: int, mazes: int) -> NDArray[np.bool_]:
        made = generate_many(shape, reference, mazes, rng=[number, mazes])
        return domain.open_edges(domain_of_mazes(made, "made")[1])

    local = _Local.of(domain.lattice)
    centres = _uniform(domain.lattice) if law == "uniform" else None
    total = SAMPLES + (_OF_CENTRES if centres is None else 0)
    if centres is None:
        counted = np.zeros(1, np.int64)
        for i in range(_OF_CENTRES):
            counted = counted + local.counts(sample(SAMPLES + i, many))
            report(i + 1, total)
        centres = counted / (_OF_CENTRES * many)
    scores = np.empty((SAMPLES, 9))
    for i in range(SAMPLES):
        scores[i] = local.scores(local.counts(sample(i, many)), many, centres)
        report(total - SAMPLES + i + 1, total)
    return _Null(local, centres, scores)
