"""Variances of the numbers of cells by their passages in uniform mazes, exactly: sums over pairs of cells.

What a cell counts as depends on the open ones of the edges around it, its star. With K the transfer currents
(R. Burton, R. Pemantle, Ann. Probab. 21 (1993) 1329, doi:10.1214/aop/1176989121), over the edges of two stars

    E prod_e (a_e if e is open, else b_e) = det(diag(b) + diag(a - b) K).

- Two stars that share an edge: the determinant at roots of unity, a = z in one star and z' in the other, is
  the Fourier transform of the joint law of their numbers of passages.
- Two that do not: let Q and s be the eigenvectors and eigenvalues of the currents within a star, without the
  passage that is certain, and M = Q^T K Q' the currents between both. By the formula of A. Cauchy and
  J. Binet for det(I - X M Y M^T), the covariance is the sum over k >= 1 of (-1)^k times the square of each
  minor of k rows and columns, times a factor of its rows and one of its columns. These are known by star:
  (z - 1)^k times the law of independent coins s, but for those of the minor.

M is small for most pairs, and its minors of many rows are nothing then. Where there would be too many, as
between stars of 9 edges, the generating function is expanded instead: with S and S' the eigenvalues and
B = I - [[S, M], [M^T, S']], that of the passages that are not certain is

    det(B + z (I - B) in the rows of the one star + z' (I - B) in those of the other),

whose terms up to z^2 z'^2 are the determinant of B times traces of products of the parts of B^-1 - I; cells
of 4 or more passages are all others. Where B is nearly singular, determinants at roots of unity lose nothing.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro.exact._domain import Squares
from meiro.exact.edge_probabilities import ROUNDING
from meiro.exact.local_degrees import MOST_DENSE, are_currents, coins, currents_between, green, stars

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.exact._domain import Domain
    from meiro.lattices.lattice import Lattice

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Ends = tuple[NDArray[np.bool_] | complex, NDArray[np.bool_] | complex]

DEGREES = "dead_ends", "corridors", "junctions", "crossroads"  # 1, 2, 3, and 4 or more passages
_SIDES = {"straights": (0b0101, 0b1010), "turns": (0b0011, 0b0110, 0b1100, 0b1001)}  # the open ones
MOST_EDGES = 16  # of a cell
_MOST_MINORS = 500  # of a pair
_SINGULAR = 10  # entries of the inverse of B, beyond which digits are lost
_NEGLIGIBLE = 1e-17  # in the covariance of a pair: 1e-10 in the sum over all
_MOST_SECONDS = 1200  # at roots of unity
_BLOCK = 1 << 22  # numbers in the arrays of a block of pairs
_CELLS = 32  # of a block, to one side


def uniform_variances(domain: Domain, weights: Floats | None = None) -> dict[str, float]:
    """Return the variances by the names of measures.

    Raises
    ------
    ValueError
        If the lattice is too large, or conductances are too unlike each other for floats.
    MemoryError
        If the memory does not suffice.
    """
    lattice = domain.lattice
    n, widest = lattice.n_cells, int(lattice.degrees.max(initial=0))
    need = 24 * n**2 + 16 * _BLOCK
    instead = "variances=False gives the means alone"
    if n > MOST_DENSE or widest > MOST_EDGES:
        raise ValueError(
            f"shape: variances of {domain}, with {n:,} cells of up to {widest} edges, would take {need:,} "
            f"bytes; they are computed up to {MOST_DENSE:,} cells of {MOST_EDGES} edges: {instead}"
        )
    require(need, f"variances of {domain}", instead)
    try:
        pairs = _Pairs(lattice, weights, domain.directions if isinstance(domain, Squares) else None)
    except (FloatingPointError, np.linalg.LinAlgError):
        raise ValueError(
            "weights are too unlike each other for the floats of variances: take a smaller ratio"
        ) from None
    found = dict(zip(DEGREES, pairs.of_degrees.tolist(), strict=True)) | pairs.of_sides
    found |= {"isolated": 0.0, "passages": 0.0, "dead_end_share": found["dead_ends"] / max(n, 1) ** 2}
    if isinstance(domain, Squares):  # all passages are as many in each maze: both directions vary alike
        across = pairs.of_edges(np.flatnonzero(domain.across))
        found |= {"horizontal_passages": across, "vertical_passages": across}
        found["horizontal_share"] = across / max(n - lattice.n_components, 1) ** 2
    return {name: max(value, 0.0) for name, value in found.items()}


def seconds(degrees: NDArray[np.int32]) -> float:
    """Return about how long all pairs take: 10 ns a minor, 8 ns a step of an inverse, 1 ns one of roots."""
    kinds = [(degree, int(n)) for degree, n in enumerate(np.bincount(degrees)) if degree > 1]
    total = 0.0
    for degree, n in kinds:  # neighbours
        total += n * degree / 2 * _steps_of_roots(degree, degree)
    for (one, n), (other, m) in itertools.combinations_with_replacement(kinds, 2):
        each = 10 * math.comb(one + other - 2, one - 1)
        if _is_wide(one - 1, other - 1):
            each = 6000 + 8 * max(one, other) ** 3
        total += n * m * each / (2 if one == other else 1)
    return total / 1e9


def _steps_of_roots(degree: int, other: int) -> int:
    """Return about how many steps the determinants of a pair take."""
    return (degree + 1) * (other // 2 + 1) * (degree + other) ** 3


@dataclass(frozen=True, eq=False)
class _Stars:
    """The cells of one degree, and what their pairs with others need of their stars.

    Attributes
    ----------
    cells, near, edges : ndarray of int64, shapes (n,), (n, degree) and (n, degree)
        As `stars` has them.
    root : ndarray of float64, shape (n, degree)
        Of the conductances.
    currents : ndarray of float64, shape (n, degree, degree)
    basis : ndarray of float64, shape (n, degree, degree - 1)
        The eigenvectors, without that of the passage that is certain.
    shares : ndarray of float64, shape (n, degree - 1)
        Their eigenvalues.
    sides : ndarray of int64, shape (n, degree)
        The direction bits of the edges, in rows and columns; 0 on lattices.
    """

    cells: Ints
    near: Ints
    edges: Ints
    root: Floats
    currents: Floats
    basis: Floats
    shares: Floats
    sides: Ints
    _factors: dict[int | tuple[str, int], Floats] = field(default_factory=dict)

    @property
    def rank(self) -> int:
        """The number of coins."""
        return int(self.shares.shape[1])

    @property
    def regular(self) -> NDArray[np.bool_]:
        """Which cells have no coin that is almost certain."""
        return np.asarray(self.shares.max(axis=1) < 1 - 1 / _SINGULAR)

    def factors(self, order: int) -> Floats:
        """Return the factor of each set of rows of a minor, by the number of passages, (rows, 4, n)."""
        if order not in self._factors:
            found = []
            for rows in itertools.combinations(range(self.rank), order):
                law = coins(np.insert(np.delete(self.shares, rows, axis=1), 0, 1, axis=1))
                for _ in range(order):  # times z - 1; 4 passages stand for more
                    law = np.concatenate([-law[:, :1], law[:, :3] - law[:, 1:4], law[:, 3:4]], axis=1)
                found.append(law[:, 1:].T)
            self._factors[order] = np.array(found)
        return self._factors[order]

    def side_factors(self, name: str, order: int) -> Floats:
        """Return the same of straights or turns: a matrix over the rows of minors, (rows, rows, n).

        Its probability is that of `order` 0. With J the closed edges of a set, it is det(K - I_J) but for the
        sign, and compounds of the inverse have the products of the other eigenvalues.
        """
        if (name, order) not in self._factors:
            degree, total = self.rank + 1, np.zeros(())
            chosen = list(itertools.combinations(range(degree), order))
            for sides in _SIDES[name]:
                open_, exists = self.opened(sides)
                values, vectors = np.linalg.eigh(self.currents - np.eye(degree) * (~open_)[:, :, None])
                minors = _compound(self.basis.swapaxes(1, 2) @ vectors, order)
                others = np.stack([np.delete(values, some, axis=1).prod(axis=1) for some in chosen], axis=1)
                others *= (exists * (-1) ** (~open_).sum(axis=1))[:, None]
                total = total + (minors * others[:, None]) @ minors.swapaxes(1, 2)
            self._factors[name, order] = np.moveaxis(total, 0, -1)
        return self._factors[name, order]

    def opened(self, sides: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which edges lead to these sides, and which cells have them all."""
        open_ = (self.sides & sides) > 0
        return open_, open_.sum(axis=1) == sides.bit_count()


class _Pairs:
    """The sums over all pairs of cells.

    Attributes
    ----------
    of_degrees : ndarray of float64, shape (4,)
        The variances of the numbers of cells with 1, 2, 3, and 4 or more passages.
    of_sides : dict of str to float
        Those of straights and turns, in rows and columns.
    """

    def __init__(self, lattice: Lattice, weights: Floats | None, directions: Ints | None) -> None:
        self._lattice = lattice
        self._weights = np.ones(lattice.n_edges) if weights is None else weights
        self._green = green(lattice, self._weights)
        kinds = self._kinds(directions)
        _refuse_hours(kinds)
        self.of_degrees = np.zeros(4)
        self.of_sides = {} if directions is None else dict.fromkeys(_SIDES, 0.0)
        for kind in kinds:
            p = kind.factors(0)[0]
            self.of_degrees += (p * (1 - p)).sum(axis=1)
            for name in self.of_sides:
                p = kind.side_factors(name, 0)
                self.of_sides[name] += float((p * (1 - p)).sum())
        for one, other in itertools.combinations_with_replacement(kinds, 2):
            self._add_kinds(one, other)

    def _kinds(self, directions: Ints | None) -> list[_Stars]:
        """Return the cells by their degree, but for those of one edge, which is certain."""
        parts: dict[int, list[tuple[Ints, Ints, Ints]]] = {}
        passages = 0.0
        for cells, near, slots in stars(self._lattice):
            parts.setdefault(near.shape[1], []).append((cells, near, slots.astype(np.int64)))
        found = []
        for degree, some in parts.items():
            cells, near, edges = map(np.concatenate, zip(*some, strict=True))
            root = np.sqrt(self._weights[edges])
            centre = np.broadcast_to(cells[:, None], near.shape)
            currents = currents_between(self._green, centre, near, root)
            if not are_currents(currents):
                raise FloatingPointError
            passages += float(np.trace(currents, axis1=1, axis2=2).sum()) / 2
            if degree == 1:
                continue
            rest = np.linalg.qr(root[:, :, None], mode="complete")[0][:, :, 1:]
            shares, turned = np.linalg.eigh(rest.swapaxes(1, 2) @ currents @ rest)
            one, other = np.zeros((2, *edges.shape), int) if directions is None else directions[:, edges]
            sides = np.where(self._lattice.edges[edges, 0] == centre, one, other)
            found.append(_Stars(cells, near, edges, root, currents, rest @ turned, shares.clip(0, 1), sides))
        wanted = self._lattice.n_cells - self._lattice.n_components
        if not abs(passages - wanted) <= ROUNDING * max(wanted, 1):  # or NaN
            raise FloatingPointError
        return found

    def of_edges(self, edges: Ints) -> float:
        """Return the variance of the number of these edges that are open."""
        one, other = self._lattice.edges[edges].T
        root, total = np.sqrt(self._weights[edges]), 0.0
        for band in bands(len(edges), self._lattice.n_cells + len(edges)):
            steps = self._green[one[band]] - self._green[other[band]]
            currents = (steps[:, one] - steps[:, other]) * root[band, None] * root
            total += float(np.trace(currents, offset=band.start) - (currents**2).sum())
        return total

    def _add_kinds(self, one: _Stars, other: _Stars) -> None:
        """Add the covariances of all pairs of cells of two kinds."""
        wide = _is_wide(one.rank, other.rank)
        orders = [1] if wide else range(1, min(one.rank, other.rank) + 1)
        most = max(math.comb(one.rank, k) * math.comb(other.rank, k) for k in orders)
        width = max(16, _BLOCK // (3 * _CELLS * most))
        for first in range(0, len(one.cells), _CELLS):
            band = slice(first, first + _CELLS)
            adjacent = np.zeros((len(one.cells[band]), self._lattice.n_cells), np.bool_)
            np.put_along_axis(adjacent, one.near[band], values=True, axis=1)
            weighted = one.basis[band] * one.root[band, :, None]
            towards = np.moveaxis(weighted.swapaxes(1, 2) @ self._green[one.near[band]], 1, 0)
            for begin in range(first if one is other else 0, len(other.cells), width):
                part = slice(begin, begin + width)
                between = _between(towards, other, part)
                by_roots = adjacent[:, other.cells[part]]
                rest = ~by_roots
                if one is other:
                    later = np.arange(rest.shape[1]) + begin > np.arange(len(rest))[:, None] + first
                    by_roots &= later
                    rest &= later
                if wide:
                    rows, cols = np.nonzero(rest)
                    regular = self._add_wide(
                        one, other, rows + first, cols + begin, between[:, :, rows, cols]
                    )
                    by_roots[rows[~regular], cols[~regular]] = True
                else:
                    self._add_block(one, other, band, part, between * rest)
                rows, cols = np.nonzero(by_roots)
                self._add_by_roots(one, other, rows + first, cols + begin)

    def _add_block(self, one: _Stars, other: _Stars, band: slice, part: slice, between: Floats) -> None:
        """Add the covariances of pairs by the minors of `between`, shape (rank, rank, cells, cells)."""
        minors, largest = between, float((between**2).sum(axis=(0, 1)).max())
        for order in range(1, min(one.rank, other.rank) + 1):
            if order > 1:
                minors = _next_minors(between, minors, order)
            sign = 2 * (-1) ** order
            left, right = one.factors(order)[:, :, band], other.factors(order)[:, :, part]
            for here, row in zip(left, minors, strict=True):
                self.of_degrees += sign * ((here @ row**2) * right).sum(axis=(0, 2))
            for name in self.of_sides:
                here, there = (
                    one.side_factors(name, order)[..., band],
                    other.side_factors(name, order)[..., part],
                )
                turned = np.einsum("abu,bcuv->acuv", here, minors), np.einsum("abuv,bcv->acuv", minors, there)
                self.of_sides[name] += sign * float(np.vdot(*turned))
            if _beyond(largest, order) < _NEGLIGIBLE:
                break

    def _add_wide(
        self, one: _Stars, other: _Stars, rows: Ints, cols: Ints, between: Floats
    ) -> NDArray[np.bool_]:
        """Add the covariances of pairs of cells, except where B is nearly singular; return which were added.

        `between` has the shape (rank, rank, pairs).
        """
        here, there = one.shares[rows], other.shares[cols]
        regular = one.regular[rows] & other.regular[cols]
        at = np.flatnonzero(regular)
        joint, largest = _joint_of_few(np.moveaxis(between[..., at], -1, 0), here[at], there[at])
        regular[at] = largest < _SINGULAR
        apart = one.factors(0)[0][:3, None, rows[at]] * other.factors(0)[0][:3, cols[at]]
        known = (joint - apart)[..., largest < _SINGULAR].sum(axis=2)
        self.of_degrees += 2 * np.append(np.diag(known), known.sum())
        return regular

    def _add_by_roots(self, one: _Stars, other: _Stars, rows: Ints, cols: Ints) -> None:
        """Add the covariances of pairs of cells by determinants over both stars."""
        degrees = one.near.shape[1], other.near.shape[1]
        for band in bands(len(rows), 4 * sum(degrees) ** 2):
            u, v = rows[band], cols[band]
            centre = np.repeat(np.stack([one.cells[u], other.cells[v]], axis=1), degrees, axis=1)
            near = np.concatenate([one.near[u], other.near[v]], axis=1)
            root = np.concatenate([one.root[u], other.root[v]], axis=1)
            both = _TwoStars(
                currents_between(self._green, centre, near, root),
                one.edges[u][:, :, None] == other.edges[v][:, None],
            )
            law = both.joint_law()
            same = [slice(1, 2), slice(2, 3), slice(3, 4), slice(4, None)]
            joint = np.array([law[passages, passages].sum(axis=(0, 1)) for passages in same])
            apart = one.factors(0)[0][:, u] * other.factors(0)[0][:, v]
            self.of_degrees += 2 * (joint - apart).sum(axis=1)
            for name in self.of_sides:
                for here, there in itertools.product(_SIDES[name], repeat=2):
                    (open_, exists), (beside, also) = one.opened(here), other.opened(there)
                    p = both.expected((open_[u], ~open_[u]), (beside[v], ~beside[v]))
                    self.of_sides[name] += 2 * float(p[exists[u] & also[v]].sum())
                apart = one.side_factors(name, 0)[0, 0, u] * other.side_factors(name, 0)[0, 0, v]
                self.of_sides[name] -= 2 * float(apart.sum())


@dataclass(frozen=True)
class _TwoStars:
    """The stars of pairs of cells.

    Attributes
    ----------
    currents : ndarray of float64, shape (pairs, edges, edges)
        Of the edges of the one, then those of the other.
    same : ndarray of bool, shape (pairs, edges of the one, edges of the other)
        Which are the same edge.
    """

    currents: Floats
    same: NDArray[np.bool_]

    def expected(self, one: Ends, other: Ends) -> NDArray[Any]:
        """Return the mean product over the edges of both, each with its value if open and if closed.

        An edge of both has the product with the one, and 1 with the other.
        """
        again, ends = self.same.any(axis=1), []
        for here, value in zip(one, other, strict=True):
            there = np.broadcast_to(value, again.shape)
            also = np.where(self.same, there[:, None], 1).prod(axis=2)
            ends.append(np.concatenate([here * also, np.where(again, 1, there)], axis=1))
        if_open, if_closed = ends
        matrix = (if_open * 1 - if_closed)[:, :, None] * self.currents
        matrix += np.eye(matrix.shape[1]) * if_closed[:, :, None]
        return np.asarray(np.linalg.det(matrix))

    def joint_law(self) -> Floats:
        """Return the probabilities of the numbers of passages, shape (degree + 1, degree + 1, pairs)."""
        one, other = (degree + 1 for degree in self.same.shape[1:])
        half = np.empty((one, other // 2 + 1, len(self.same)), np.complex128)
        for i, j in np.ndindex(half.shape[:2]):
            turns = np.exp(2j * math.pi * np.array([i / one, j / other]))
            half[i, j] = self.expected((turns[0], 1), (turns[1], 1))
        return np.fft.irfft2(half.conj(), (one, other), axes=(0, 1))


def _refuse_hours(kinds: list[_Stars]) -> None:
    """Raise ValueError if too many pairs of wide stars are left to roots of unity."""
    total = 0.0
    for one, other in itertools.combinations_with_replacement(kinds, 2):
        if _is_wide(one.rank, other.rank):
            pairs = len(one.cells) * len(other.cells) - int(one.regular.sum()) * int(other.regular.sum())
            each = _steps_of_roots(one.rank + 1, other.rank + 1)
            total += pairs * each / (2e9 if one is other else 1e9)
    if total > _MOST_SECONDS:
        hours = math.ceil(total / 3600)
        raise ValueError(
            f"weights: variances would take about {hours} hours, as edges of many cells are almost certain: "
            "variances=False gives the means alone"
        )


def _is_wide(rank: int, other: int) -> bool:
    """Return whether there are too many minors between two stars of such ranks."""
    return math.comb(rank + other, min(rank, other)) > _MOST_MINORS


def _joint_of_few(between: Floats, here: Floats, there: Floats) -> tuple[Floats, Floats]:
    """Return the probabilities of 1, 2 and 3 passages in both of two stars, and the largest entries of B^-1.

    `between` has the shape (pairs, rank, rank), the eigenvalues (pairs, rank), and the law (3, 3, pairs).
    """
    n, m = here.shape[1], there.shape[1]
    left = between / (1 - here)[:, :, None]
    rest = -between.swapaxes(1, 2) @ left  # of the elimination of the one star
    rest[:, np.arange(m), np.arange(m)] += 1 - there
    size = np.linalg.det(rest)
    rest[np.abs(size) < 1 / _SINGULAR**m] = np.eye(m) / (2 * _SINGULAR)  # too large, but no error
    of_other = np.linalg.inv(rest)
    mixed = left @ of_other
    of_one = mixed @ left.swapaxes(1, 2)
    of_one[:, np.arange(n), np.arange(n)] += 1 / (1 - here)
    largest = np.maximum(*(some.max(axis=(1, 2), initial=0) for some in (of_one, of_other)))
    for some in (of_one, of_other):
        some[:, np.arange(some.shape[1]), np.arange(some.shape[1])] -= 1
    first, second = of_one @ mixed, mixed @ of_other
    square = mixed @ mixed.swapaxes(1, 2)

    def trace(a: Any, b: Any) -> Floats:
        return np.asarray(np.einsum("pij,pij->p", a, b))

    # The logarithm of the generating function, in powers of z and z', and then the exponential function.
    alone = []
    for some in (of_one, of_other):
        passages = np.trace(some, axis1=1, axis2=2)
        alone.append((passages, (passages**2 - trace(some, some)) / 2))
    (x, xx), (y, yy) = alone
    xy, xxy, xyy = -trace(mixed, mixed), trace(first, mixed), trace(second, mixed)
    xxyy = xy**2 / 2 - trace(first, second) - trace(square, square) / 2
    one = np.ones_like(x)
    law = np.array(
        [
            [one, y, yy],
            [x, x * y + xy, x * yy + y * xy + xyy],
            [xx, xx * y + x * xy + xxy, xx * yy + x * y * xy + x * xyy + y * xxy + xxyy],
        ]
    )
    return law * size * (1 - here).prod(axis=1), largest


def _between(towards: Floats, stars_: _Stars, part: slice) -> Floats:
    """Return the currents between all stars of two blocks, shape (rank, rank, cells, cells)."""
    near, weighted = stars_.near[part], stars_.basis[part] * stars_.root[part, :, None]
    found = np.zeros((len(towards), stars_.rank, towards.shape[1], len(near)))
    for slot in range(near.shape[1]):
        there = towards[:, :, near[:, slot]]
        for col in range(stars_.rank):
            found[:, col] += there * weighted[:, slot, col]
    return found


def _next_minors(matrix: Floats, minors: Floats, order: int) -> Floats:
    """Return the minors of `order` rows from those of one row less, along the first row."""
    rows, cols = (list(itertools.combinations(range(n), order)) for n in matrix.shape[:2])
    fewer_rows, fewer_cols = (
        {some: i for i, some in enumerate(itertools.combinations(range(n), order - 1))}
        for n in matrix.shape[:2]
    )
    found = np.zeros((len(rows), len(cols), *matrix.shape[2:]))
    for k in range(order):
        col = [some[k] for some in cols]
        rest = [fewer_cols[some[:k] + some[k + 1 :]] for some in cols]
        for i, some in enumerate(rows):
            found[i] += (-1) ** k * matrix[some[0], col] * minors[fewer_rows[some[1:]], rest]
    return found


def _compound(matrices: Floats, order: int) -> Floats:
    """Return the minors of matrices, shape (n, sets of rows, sets of columns)."""
    rows, cols = (list(itertools.combinations(range(n), order)) for n in matrices.shape[1:])
    found = [[np.linalg.det(matrices[:, list(a)][:, :, list(b)]) for b in cols] for a in rows]
    return np.moveaxis(np.array(found), -1, 0)


def _beyond(squares: Any, order: int) -> Any:
    """Return a bound of what minors of more rows than `order` add, from the sum of squares of M.

    The squares of those of k rows sum up to at most its k-th power divided by k!, and each has factors whose
    product is at most 4^k.
    """
    x = 4 * squares
    return x ** (order + 1) / math.factorial(order + 1) * np.exp(x)
