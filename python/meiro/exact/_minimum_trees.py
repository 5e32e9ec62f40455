"""The law of the minimum spanning tree of independent weights of one continuous law, on a small graph.

Let the weights be uniform from 0 to 1. That a tree t on some cells is the minimum spanning tree of the edges
among these, and has no weight above x, has a probability f(x). The last edge of t parts it into t1 and t2,
and of the c edges between their cells the c - 1 others have larger weights:

    f(x) = sum over the edges of t of the integral of f1(y) f2(y) (1 - y)^(c - 1) over y from 0 to x.

f is x^(cells - 1) times a polynomial, of as many degrees as there are independent cycles among the cells. It
is kept by its values at 1, 2, 3 ... modulo primes. Of the whole graph f(1) is the number of those orders of
the edges in which Kruskal's algorithm makes the tree, an integer, divided by the factorial of their number.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro.exact._modular_arithmetic import primes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ends = Sequence[Sequence[int]]
    Numbers = NDArray[np.uint64]

MOST_EDGES = 63  # of a block, as bits


def minimum_trees(edges: Ends, symmetries: Sequence[Sequence[int]] = ()) -> dict[int, Fraction]:
    """Return the probability of each tree, or one in each component; bit i is 1 if it has edge i.

    Parameters
    ----------
    edges : sequence of (int, int)
    symmetries : sequence of sequence of int
        Where each cell, from 0 on, comes to: of parts of the cells that are alike one is followed. Only for
        graphs without parallel edges.
    """
    found = {0: Fraction(1)}
    parts = blocks(edges)
    for block in parts:
        trees = [
            (sum(1 << edge for i, edge in enumerate(block) if tree >> i & 1), p)
            for tree, p in _trees_of_block([edges[i] for i in block], symmetries if len(parts) == 1 else ())
        ]
        found = {one | tree: p * q for (one, p), (tree, q) in product(found.items(), trees)}
    return found


def blocks(edges: Ends) -> list[list[int]]:
    """Return the numbers of the edges in parts without a common cycle, whose trees are independent.

    An edge is in one part with all on the way between its ends in a spanning tree.
    """
    near: dict[int, list[tuple[int, int]]] = {}
    for i, (one, other) in enumerate(edges):
        near.setdefault(one, []).append((other, i))
        near.setdefault(other, []).append((one, i))
    depth: dict[int, int] = {}
    up: dict[int, tuple[int, int]] = {}
    for root in near:
        todo = [] if root in depth else [root]
        depth.setdefault(root, 0)
        while todo:
            cell = todo.pop()
            for other, i in near[cell]:
                if other not in depth:
                    depth[other], up[other] = depth[cell] + 1, (cell, i)
                    todo.append(other)
    parts = {i: [i] for i in range(len(edges))}
    for i, (one, other) in enumerate(edges):
        while one != other:
            one, other = sorted((one, other), key=depth.__getitem__)  # noqa: PLW2901  # up from both
            other, j = up[other]  # noqa: PLW2901
            if parts[j] is not parts[i]:
                parts[i] += parts[j]
                parts |= dict.fromkeys(parts[j], parts[i])
    return [part for i, part in parts.items() if part[0] == i]


class _Trees(NamedTuple):
    """The trees on some cells.

    Attributes
    ----------
    edges : ndarray of uint64, shape (n,)
        Their bits.
    values : ndarray of uint32, shape (primes, points, n)
        Of the polynomials.
    """

    edges: Numbers
    values: NDArray[np.uint32]


def _trees_of_block(edges: Ends, symmetries: Sequence[Sequence[int]]) -> list[tuple[int, Fraction]]:
    """Return the trees of a connected graph with their probabilities."""
    cells, ends = np.unique(np.array(edges), return_inverse=True)
    n, m = len(cells), len(edges)
    if n == 1:
        return [(0, Fraction(1))]
    bits = np.uint64(1) << ends.reshape(m, 2).astype(np.uint64)
    prime = next(primes(2))[: math.factorial(m).bit_length() // 30 + 1]  # all above 2^30
    points = m - n + 2
    powers = _powers(m, points, prime)
    integrals = _integrals(n, points, prime)
    one = _Trees(np.zeros(1, np.uint64), np.ones((len(prime), points, 1), np.uint32))
    trees = {1 << cell: one for cell in range(n)}
    turns = [(cells_to, _edges_to(edges, cells_to)) for cells_to in symmetries]
    sets = _connected_sets(bits)
    known = np.array(sorted(sets), np.uint64)
    for joined in sets[n:]:
        if joined in trees:
            continue
        size = joined.bit_count()
        last = size == n
        factors = powers * integrals[size][:, 0] % prime[:, None] if last else powers
        keys, values = [], []
        sizes: list[tuple[int, int]] = []
        for (here, there), across in _splits(joined, known, bits):
            small, large = trees[here], trees[there]
            if len(large.edges) < len(small.edges):
                small, large = large, small
            left = small.values * factors[len(across) - 1][:, :, None] % prime[:, None, None]
            both = left[..., None] * large.values[:, :, None] % prime[:, None, None, None]
            pair = (small.edges[:, None] | large.edges).reshape(-1)
            both = both.reshape(*both.shape[:2], -1)
            values.append(both.sum(axis=1, keepdims=True) if last else both)
            keys.append((across[:, None] | pair).reshape(-1))
            sizes.append((len(across), len(pair)))
        key = np.concatenate(keys)
        order = np.argsort(key).reshape(-1, size - 1)  # each tree came once for each of its edges
        source = _tiled(*np.array(sizes).T)[order]
        total = np.concatenate(values, axis=2)[:, :, source].sum(axis=3) % prime[:, None, None]
        found = total
        if not last:
            found = np.zeros_like(total)
            for j in range(points):
                found += integrals[size][:, :, j, None] * total[:, None, j] % prime[:, None, None]
            found %= prime[:, None, None]
        tree, kept = key[order[:, 0]], found.astype(np.uint32)
        trees[joined] = _Trees(tree, kept)
        for cells_to, edges_to in turns:
            alike = int(_turned(np.uint64(joined), cells_to))
            if alike not in trees:
                trees[alike] = _Trees(_turned(tree, edges_to), kept)
    whole, rest = trees[sets[-1]]
    orders = math.factorial(m)
    return [
        (tree, Fraction(number, orders))
        for tree, number in zip(whole.tolist(), _integers(rest[:, 0], prime, orders), strict=True)
    ]


def _edges_to(edges: Ends, cells_to: Sequence[int]) -> list[int]:
    """Return where each edge comes to."""
    numbers = {frozenset(ends): i for i, ends in enumerate(edges)}
    return [numbers[frozenset(cells_to[cell] for cell in ends)] for ends in edges]


def _turned(bits: Any, to: Sequence[int]) -> Any:
    """Return numbers with each bit in its new place."""
    found = np.zeros_like(bits)
    for i, place in enumerate(to):
        found |= (bits >> np.uint64(i) & np.uint64(1)) << np.uint64(place)
    return found


def _connected_sets(bits: Numbers) -> list[int]:
    """Return the connected sets of cells, as bits, the smaller ones first; `bits` are those of the edges."""
    near: dict[int, int] = {}
    for one, other in bits.tolist():
        near[one] = near.get(one, 0) | other
        near[other] = near.get(other, 0) | one
    found: list[int] = []
    now = dict(sorted(near.items()))
    while now:
        found += now
        following = {}
        for cells, around in now.items():
            left = around & ~cells
            while left:
                cell = left & -left
                left ^= cell
                following[cells | cell] = around | near[cell]
        now = following
    return found


def _splits(joined: int, known: Numbers, bits: Numbers) -> list[tuple[list[int], Numbers]]:
    """Return the ways to part connected cells into two such sets, with the bits of the edges between."""
    whole, first = np.uint64(joined), np.uint64(joined & -joined)
    here = known[(known & ~whole == 0) & (known & first > 0)]
    there = whole ^ here
    both = known[np.searchsorted(known, there)] == there  # the whole is the last of `here`, and 0 is no set
    here, there = here[both], there[both]
    one, other = bits.T
    across = ((here[:, None] & one > 0) & (there[:, None] & other > 0)) | (
        (there[:, None] & one > 0) & (here[:, None] & other > 0)
    )
    edge = np.uint64(1) << np.arange(len(bits), dtype=np.uint64)
    pairs = np.stack([here, there], axis=1).tolist()
    return [(pair, edge[among]) for pair, among in zip(pairs, across, strict=True)]


def _tiled(times: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers 0, 1, 2 ... in pieces of these lengths, each so many times."""
    pieces = np.repeat(lengths, times)
    first = np.repeat(np.cumsum(lengths) - lengths, times)
    begin = np.cumsum(pieces) - pieces
    shift: NDArray[np.int64] = np.repeat(first - begin, pieces)
    return shift + np.arange(len(shift))


def _powers(most: int, points: int, prime: Numbers) -> Numbers:
    """Return the powers of 1 - y below `most`, shape (most, primes, points)."""
    found = [[[pow(-y, k, p) for y in range(points)] for p in prime.tolist()] for k in range(most)]
    return np.array(found, np.uint64)


def _integrals(cells: int, points: int, prime: Numbers) -> list[Numbers]:
    """Return, by the number of cells, the matrices from values below the integral to values of f.

    The integral of y^(cells - 2) times a polynomial is x^(cells - 1) times another one: their coefficients
    have the ratios cells - 1, cells ..., and the first follow from the values (J. L. Lagrange).
    """
    at, zero, polynomials = range(1, points + 1), Fraction(0), []
    for own in at:
        found = [Fraction(1)]
        for x in at:
            if x != own:
                found = [(a - x * b) / (own - x) for a, b in zip([zero, *found], [*found, zero], strict=True)]
        polynomials.append(found)
    matrices = [np.empty(0, np.uint64)] * 2
    for size in range(2, cells + 1):
        exact = [
            [sum(a * x**k / (size - 1 + k) for k, a in enumerate(some)) for some in polynomials] for x in at
        ]
        rest = [
            [[q.numerator * pow(q.denominator, -1, p) % p for q in row] for row in exact]
            for p in prime.tolist()
        ]
        matrices.append(np.array(rest, np.uint64))
    return matrices


def _integers(rest: NDArray[np.uint32], prime: Numbers, factor: int) -> list[int]:
    """Return `factor` times numbers, by the remainders of these: the Chinese remainder theorem."""
    whole = math.prod(prime.tolist())
    others = [(whole // p, p) for p in prime.tolist()]
    shares = np.array([factor * other * pow(other, -1, p) for other, p in others], object)
    return list((rest.astype(object) * shares[:, None]).sum(axis=0) % whole)
