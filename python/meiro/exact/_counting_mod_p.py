"""The number of spanning trees of a rectangle, cylinder or torus, modulo many primes at once.

It is a product of two paths or cycles, and the number is a product over the eigenvalues x of one of them
(Kirchhoff's matrix-tree theorem): the primes are chosen so that all x exist modulo each.
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
