"""`number_of_mazes` and its logarithm, by Kirchhoff's matrix-tree theorem.

G. Kirchhoff, Ann. Phys. Chem. 72 (1847) 497, doi:10.1002/andp.18471481202; the eigenvalues of rectangles,
cylinders and tori: G. Kreweras, J. Comb. Theory B 24 (1978) 202, doi:10.1016/0095-8956(78)90021-7.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.square import FLAT, Shape, ShapeLike, Wrap
from meiro.exact._domain import domain_of
from meiro.exact._modular_arithmetic import inverse, power, reconstruct_by_crt, root_of_unity
from meiro.exact.edge_probabilities import MOST_UPDATES
from meiro.lattices.lattice import Lattice, graph_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro.exact._domain import Domain

MOST_BITS = 1 << 21
"""Numbers with more bits are refused: they take minutes, and finally more primes than exist below 2^31."""

_TWO, _FOUR = np.uint64(2), np.uint64(4)
_BLOCK = 1 << 20  # eigenvalues summed at a time


def number_of_mazes(
    shape: ShapeLike | Lattice | None = None, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT
) -> int:
    """Return the exact number of perfect mazes of a shape.

    Parameters
    ----------
    shape : (int, int) or Lattice, optional
        Rows and columns, in cells. May be omitted if a mask is given. Or any lattice, without mask and wrap:
        then a maze is a spanning tree, or one of each component.
    mask : array_like of bool, shape (rows, cols), optional
        True where a cell exists. If the cells are not connected, a maze has one tree in each connected
        component, and the number is the product over the components.
    wrap : (bool, bool), optional
        Whether the lattice is periodic along rows and along columns.

    Returns
    -------
    int
        All of its digits.

    Raises
    ------
    ValueError
        If shape, mask or wrap is invalid, or the number has more than about 600,000 digits, or a mask or a
        lattice is too large: 90,000 cells in the plane without large holes may be.
    TypeError
        If neither shape nor mask is given.

    Notes
    -----
    Nothing is rounded: the number is reconstructed from its remainders modulo primes (Chinese remainder
    theorem). Rectangles, cylinders and tori of 64 x 64 cells take 12 ms, of 256 x 256 0.3 s, of 1000 x 1000
    half a minute; masks and lattices of 4,096 cells a second or two, less where they have holes. Python
    prints more than 4,300 digits only after ``sys.set_int_max_str_digits(0)``.

    References
    ----------
    G. Kirchhoff, Ann. Phys. Chem. 72 (1847) 497-508. doi:10.1002/andp.18471481202
    G. Kreweras, J. Comb. Theory B 24 (1978) 202-212. doi:10.1016/0095-8956(78)90021-7

    See Also
    --------
    log_number_of_mazes : The logarithm, for any size.
    enumerate_mazes : All mazes, one after the other.

    Examples
    --------
    >>> meiro.number_of_mazes((3, 3))
    192
    >>> meiro.number_of_mazes((8, 8))
    126231322912498539682594816
    >>> meiro.number_of_mazes(mask=[[1, 1, 0], [1, 1, 1], [0, 1, 1]])
    16
    >>> meiro.number_of_mazes(meiro.Lattice(4, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]))
    16
    """
    domain = domain_of(shape, mask, wrap)
    if domain.rectangle is None:
        return count_trees(domain)
    # The logarithm is exact to far more digits than this margin.
    bits = int(_log_of_rectangle(*domain.rectangle) / math.log(2) * (1 + 1e-6)) + 64
    _require_digits(domain, bits)
    return _count_rectangle(*domain.rectangle, 1 << bits)


def log_number_of_mazes(
    shape: ShapeLike | Lattice | None = None, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT
) -> float:
    """Return the natural logarithm of the number of perfect mazes of a shape.

    Parameters
    ----------
    shape : (int, int) or Lattice, optional
        Rows and columns, in cells. May be omitted if a mask is given. Or any lattice, without mask and wrap:
        then a maze is a spanning tree, or one of each component.
    mask : array_like of bool, shape (rows, cols), optional
        True where a cell exists.
    wrap : (bool, bool), optional
        Whether the lattice is periodic along rows and along columns.

    Returns
    -------
    float
        Accurate to about 12 digits at a million cells, to 13 of rectangles.

    Raises
    ------
    ValueError
        If shape, mask or wrap is invalid, or a lattice is too large or too dense.
    TypeError
        If neither shape nor mask is given.
    MemoryError
        If a mask or a lattice needs more memory than there is: about 2 kB a cell.

    Notes
    -----
    Rectangles, cylinders and tori of any size take milliseconds: one term for each row or column, whichever
    are fewer. The logarithm per cell tends to 4 G / pi = 1.16624 (G is Catalan's constant). A mask or a
    lattice takes a sparse factorisation: 25 s at 1000 x 1000 cells.

    References
    ----------
    G. Kreweras, J. Comb. Theory B 24 (1978) 202-212. doi:10.1016/0095-8956(78)90021-7

    See Also
    --------
    number_of_mazes : The number itself, exactly.

    Examples
    --------
    >>> round(math.exp(meiro.log_number_of_mazes((3, 3))), 9)
    192.0
    >>> round(meiro.log_number_of_mazes((100_000, 100_000)) / 1e10, 6)
    1.166226
    """
    domain = domain_of(shape, mask, wrap)
    return log_trees(domain) if domain.rectangle is None else _log_of_rectangle(*domain.rectangle)


def count_trees(domain: Domain) -> int:
    """Return the number of mazes of any domain: of spanning trees, in parts the product over them."""
    _require_digits(domain, domain.bits)
    graph = graph_of(domain.lattice)

    def remainders(moduli: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        found = _core.forests_modulo(graph, moduli)
        return found, found != 0  # a prime may divide a pivot: then it says nothing

    found, _ = reconstruct_by_crt(math.prod(domain.diagonal.tolist()), 2, 1 << 8, remainders)
    return found


def _require_digits(domain: Domain, bits: float) -> None:
    if bits > MOST_BITS:
        raise ValueError(
            f"shape: the number of mazes of {domain} has up to {int(bits * math.log10(2)):,} digits: "
            "meiro.log_number_of_mazes returns its logarithm"
        )


def log_trees(domain: Domain) -> float:
    """Return the logarithm of the number of mazes of any domain."""
    require(2000 * domain.n_cells, f"the logarithm of {domain}", domain.smaller)
    return _core.log_forests(graph_of(domain.lattice), None, None, MOST_UPDATES)


def _log_of_rectangle(shape: Shape, wrap: Wrap) -> float:
    """Sum log det(L + x) over x: L is the Laplacian of the longer side, x an eigenvalue of the shorter.

    With x = 4 h^2 and t = 2 asinh(h) it is x sinh(n t) / sinh(t) for a path, 4 sinh(n t / 2)^2 for a cycle.
    """
    (short, round_), (long, long_round) = sorted(zip(shape, wrap, strict=True))
    sums = [math.log(long / short if long_round else 1 / short)]
    for first in range(1, short, _BLOCK):
        h = np.sin(np.arange(first, min(first + _BLOCK, short)) * (math.pi / short / (1 if round_ else 2)))
        far = 2 * long * np.arcsinh(h)
        if long_round:
            terms = far + 2 * np.log1p(-np.exp(-far))
        else:
            terms = far + np.log1p(-np.exp(-2 * far)) + np.log(h) - np.log1p(h * h) / 2
        sums.append(float(terms.sum()))
    return math.fsum(sums)


def _count_rectangle(shape: Shape, wrap: Wrap, bound: int) -> int:
    """Return the number of spanning trees of a lattice without a mask, at most `bound`.

    It is a product of two paths or cycles, and the number is a product over the eigenvalues x of one of them
    (Kirchhoff's matrix-tree theorem): the primes are chosen so that all x exist modulo each.
    """
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
