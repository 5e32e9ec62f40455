"""The number of spanning trees of a lattice, modulo many primes at once.

A lattice without a mask is a product of two paths or cycles, and the number is a product over the
eigenvalues x of one of them (Kirchhoff's matrix-tree theorem): the primes are chosen so that all x exist
modulo each. For a mask the determinant of the Laplacian is computed row by row. The equation of a cell gives
the value of the cell below it; only cells at the upper end of a vertical run have unknown values, and every
lower end of a run gives one equation, which eliminates an unknown. So exists are never more unknowns than
cells in two rows, which takes cells * cols operations a prime.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from meiro.exact._modular_arithmetic import inverse, power, reconstruct_by_crt, root_of_unity

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Shape, Wrap

_TWO = np.uint64(2)
_THREE = np.uint64(3)
_FOUR = np.uint64(4)


def count_rectangle(shape: Shape, wrap: Wrap, bound: int) -> int:
    """Return the number of spanning trees of a lattice without a mask, at most `bound`."""
    (short, round_), (long, long_round) = sorted(zip(shape, wrap, strict=True))
    order = short if round_ else 2 * short  # of the root w: the eigenvalues are 2 - w^j - w^-j
    cells = np.uint64(short * long)

    def remainders(prime: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        root = root_of_unity(order, prime)
        first = (root + power(root, np.full_like(prime, order - 1), prime)) % prime
        before, x = np.full_like(prime, 2), first
        found = inverse(cells % prime, prime) * np.uint64(long * long if long_round else long) % prime
        for _ in range(short - 1):
            y = (_FOUR + prime - x) % prime
            one, other = _chebyshev(y, long, prime)
            if long_round:
                factor = (_TWO * one + (prime - y) * other + prime - _TWO) % prime
            else:
                factor = (_TWO + prime - x) % prime * other % prime
            found = found * factor % prime
            before, x = x, (first * x + prime - before) % prime
        return found, np.ones(prime.shape, np.bool_)

    found, _ = reconstruct_by_crt(bound, math.lcm(order, 2), 1 << 14, remainders)
    return found


def _chebyshev(
    y: NDArray[np.uint64], n: int, prime: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return S_n(y) and S_(n-1)(y), where S_0 = 1, S_1 = y, S_(k+1) = y S_k - S_(k-1)."""
    one, other = np.ones_like(y), np.zeros_like(y)
    for bit in f"{n:b}":
        double = (one * one + (prime - other) * other) % prime
        beside = (_TWO * one + (prime - y) * other) % prime * other % prime
        one, other = double, beside
        if bit == "1":
            one, other = (y * double + prime - beside) % prime, double
    return one, other


def count_masked(exists: NDArray[np.bool_], wrap: Wrap, diagonal: NDArray[np.int64], bound: int) -> int:
    """Return the determinant of the Laplacian over the cells of a mask, at most `bound`.

    `diagonal` is its diagonal, by cell, positive where a cell exists.
    """
    if exists.shape[0] * (1 + wrap[0]) < exists.shape[1] * (1 + wrap[1]):
        exists, wrap, diagonal = exists.T, wrap[::-1], diagonal.T
    pivots: list[int] = []  # the same for all primes, so that the sign is the same
    cols = exists.shape[1] * (1 + wrap[0])
    at_once = max(16, (1 << 20) // cols**2)
    found, product = reconstruct_by_crt(
        bound, 2, at_once, lambda prime: _Sweep(exists, wrap, prime, pivots).determinant(diagonal)
    )
    return min(found, product - found)


class _Sweep:
    """One pass over the rows. Forms are (cells of a row, unknowns, primes): values by the unknowns."""

    def __init__(
        self, exists: NDArray[np.bool_], wrap: Wrap, prime: NDArray[np.uint64], pivots: list[int]
    ) -> None:
        self.exists, self.wrap, self.prime = exists, wrap, prime
        self.pivots, self.turn = pivots, 0
        self.free: list[int] = []
        self.product = np.ones_like(prime)
        empty = np.zeros((exists.shape[1], 0, prime.size), np.uint64)
        # Of the row above and of this one; where rows wrap, of the first two as well.
        self.forms = [empty] * (4 if wrap[0] else 2)

    def determinant(self, diagonal: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """Return the determinant up to its sign, and the primes for which it is known."""
        rows, around = len(self.exists), self.wrap[0]
        weights = diagonal.astype(np.uint64)[:, :, None, None]
        self._unknown(1, self.exists[0])
        if around:
            self.forms[0] = self.forms[2] = self.forms[1]
            self.forms[1] = np.zeros_like(self.forms[0])
            self._unknown(1, self.exists[1])
            self.forms[3] = self.forms[1]
        for row in range(1 if around else 0, rows - 1):
            here, below = self.exists[row], self.exists[row + 1]
            rest = self._rest(weights[row], self.forms[1], self.forms[0])
            self.forms[:2] = self.forms[1], np.where((here & below)[:, None, None], rest, np.uint64(0))
            self._unknown(1, below & ~here)
            self._eliminate(rest[here & ~below])
        above, here, *first = self.forms
        equations = [self._rest(weights[-1], here, above, *first[:1])[self.exists[-1]]]
        if around:
            equations.append(self._rest(weights[0], first[0], first[1], here)[self.exists[0]])
        self.forms = []
        self._eliminate(np.concatenate(equations))
        return self.product, self.product != 0

    def _rest(
        self, weights: NDArray[np.uint64], here: NDArray[np.uint64], *beside: NDArray[np.uint64]
    ) -> NDArray[np.uint64]:
        """Return what a row's equations leave when the row itself and `beside` are known."""
        less = np.sum(beside, axis=0)
        less[1:] += here[:-1]
        less[:-1] += here[1:]
        if self.wrap[1]:
            less[0] += here[-1]
            less[-1] += here[0]
        found: NDArray[np.uint64] = (weights * here + (_FOUR * self.prime - less)) % self.prime
        return found

    def _unknown(self, row: int, cells: NDArray[np.bool_]) -> None:
        """Let the values of some cells be unknown."""
        those = np.flatnonzero(cells)
        if (more := len(those) - len(self.free)) > 0:
            room = self.forms[row].shape[1]
            self.forms = [np.pad(form, ((0, 0), (0, more), (0, 0))) for form in self.forms]
            self.free += range(room, room + more)
        for cell in those:
            self.forms[row][cell, self.free.pop()] = 1

    def _eliminate(self, equations: NDArray[np.uint64]) -> None:
        """Let forms be zero, one after the other, by taking one unknown as what the others make it."""
        prime = self.prime
        for i, form in enumerate(equations):
            if self.turn == len(self.pivots):
                self.pivots.append(int(np.count_nonzero(form, axis=1).argmax()))
            pivot = self.pivots[self.turn]
            self.turn += 1
            self.product = self.product * form[pivot] % prime
            share = form * inverse(form[pivot], prime) % prime
            those = np.flatnonzero(share.any(axis=1))
            # Two rows may share an array: the second time its pivots are 0 already.
            for forms in (*self.forms, equations[i + 1 :]):
                rows = np.flatnonzero(forms[:, pivot].any(axis=1))
                part = np.ix_(rows, those)
                less = forms[rows, pivot][:, None] * share[those] % prime
                forms[part] = (forms[part] + prime - less) % prime
            self.free.append(pivot)
