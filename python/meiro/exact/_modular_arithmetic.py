"""Arithmetic modulo many primes at once: powers, inverses, roots of unity, the Chinese remainder theorem.

Every array holds one remainder for each prime, as uint64. Primes are below 2^31, so that the sum of two
products of remainders is below 2^63 and needs one ``%``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

_TOP = 1 << 31
_WITNESSES = (2, 3, 5, 7)  # tell primes below 3,215,031,751 for sure
_CANDIDATES = 1 << 12
_SMALL = (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)


def power(
    base: NDArray[np.uint64], exponent: NDArray[np.uint64], prime: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Return ``base ** exponent % prime``, one by one."""
    found = np.ones_like(prime)
    base, left = base % prime, exponent.copy()
    while left.any():
        found = np.where(left & np.uint64(1), found * base % prime, found)
        base = base * base % prime
        left >>= np.uint64(1)
    return found


def inverse(x: NDArray[np.uint64], prime: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return what makes 1 of x by multiplication; 0 of 0."""
    return power(x, prime - np.uint64(2), prime)


def primes(step: int, top: int = _TOP) -> Iterator[NDArray[np.uint64]]:
    """Yield all primes below `top` that are 1 more than a multiple of `step` (even), the greatest first."""
    factor = (top - 2) // step
    while factor > 0:
        found = _primes_among(step, factor)
        if found.size:
            yield found
        factor = max(factor - _CANDIDATES, 0)


@lru_cache(maxsize=64)
def _primes_among(step: int, factor: int) -> NDArray[np.uint64]:
    """Return the primes among `factor` times `step` and 1, and the next smaller factors."""
    last = max(factor - _CANDIDATES, 0)
    found = np.arange(factor, last, -1, dtype=np.uint64) * np.uint64(step) + np.uint64(1)
    for small in _SMALL:
        found = found[(found % np.uint64(small) != 0) | (found == small)]
    found = found[_is_prime(found)]
    found.flags.writeable = False  # the next caller gets the same
    return found


def _is_prime(odd: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which odd numbers from 3 to 2^31 are prime (Miller and Rabin)."""
    one = np.uint64(1)
    twos, rest = np.zeros_like(odd), odd - one
    while (even := rest & one == 0).any():
        rest = np.where(even, rest >> one, rest)
        twos += even
    passed = np.ones(odd.shape, np.bool_)
    for witness in _WITNESSES:
        x = power(np.full_like(odd, witness), rest, odd)
        good = (x == 1) | (x == odd - one) | (odd == witness)
        for turn in range(1, int(twos.max(initial=0))):
            x = x * x % odd
            good |= (x == odd - one) & (twos > turn)
        passed &= good
    return passed


def root_of_unity(order: int, prime: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a number of multiplicative order `order` modulo each prime, which is 1 more than a multiple."""
    parts = [q for q in range(2, order + 1) if order % q == 0 and all(q % d for d in range(2, q))]
    found, base = np.zeros_like(prime), 1
    while not found.all():
        base += 1
        root = power(np.full_like(prime, base), (prime - np.uint64(1)) // np.uint64(order), prime)
        good = found == 0
        for part in parts:
            good &= power(root, np.full_like(prime, order // part), prime) != 1
        found = np.where(good, root, found)
    return found


def reconstruct_by_crt(
    bound: int,
    step: int,
    at_once: int,
    remainders: Callable[[NDArray[np.uint64]], tuple[NDArray[np.uint64], NDArray[np.bool_]]],
) -> tuple[int, int]:
    """Reconstruct an integer from its remainders; return it and the product of the primes.

    Parameters
    ----------
    bound : int
        The integer is at most this; the product of the primes is more than twice as large.
    step : int
        Even; the primes are 1 modulo it.
    at_once : int
        Number of primes in one array.
    remainders : callable
        Takes an array of primes; returns the remainders, and a mask of those that are valid.
    """
    left = bound.bit_length() + 2.0  # bits that the primes so far do not cover
    residues, moduli = [], []
    for candidates in primes(step):
        while left > 0 and candidates.size:
            now, candidates = np.split(candidates, [min(int(left // 30) + 1, at_once)])  # noqa: PLW2901  # it is used up
            rest, good = remainders(now)
            residues.append(rest[good])
            moduli.append(now[good])
            left -= float(np.log2(now[good].astype(np.float64)).sum())
        if left <= 0:
            return _combined(np.concatenate(residues), np.concatenate(moduli))
    raise OverflowError(f"there are too few primes 1 + k * {step} below 2^31")


def _combined(rest: NDArray[np.uint64], prime: NDArray[np.uint64]) -> tuple[int, int]:
    """Return the integer with remainders `rest`, and the product of all primes: Chinese remainder theorem.

    It is the sum over the primes of rest / others * others, where others is the product of the other primes.
    """
    others = np.ones_like(prime)
    for i, one in enumerate(prime):
        factor = one % prime
        factor[i] = 1
        others = others * factor % prime
    shares = rest * inverse(others, prime) % prime
    level = list(zip(shares.tolist(), prime.tolist(), strict=True))
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        odd = level[-1:] if len(level) % 2 else []
        level = [(a * q + b * p, p * q) for (a, p), (b, q) in pairs] + odd
    total, product = level[0]
    return total % product, product
