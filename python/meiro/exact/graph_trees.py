"""The spanning trees of a lattice: their number, ranks and enumeration, and how likely each edge is.

Of two trees, the one comes first in which the first edge that differs, by its number, is closed. The rank of
a tree is the number of trees before it: the sum over its edges of the trees that agree up to there and have a
wall instead. Of the trees that agree so far the share with an undecided edge is the effective resistance
between its cells, with open edges as wires (G. Kirchhoff, Ann. Phys. Chem. 72 (1847) 497,
doi:10.1002/andp.18471481202). The resistances are entries of the inverse of the Laplacian, to which a matrix
of rank one is added when an edge is decided; all modulo primes, so that nothing is rounded.
"""

from __future__ import annotations

import math
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro.exact._completions import SPARE, TOP, Remainders
from meiro.exact._modular_arithmetic import primes, reconstruct_by_crt
from meiro.lattices.lattice import graph_of
from meiro.mazes.graph_maze import GraphMaze, graph_maze_from_core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from meiro.lattices.lattice import Lattice

_MOST_BITS = 1 << 21
_MOST_WORK = 1 << 32  # of a rank: cells^2 times edges times primes


def count_trees(lattice: Lattice) -> int:
    """Return the number of spanning trees; of a lattice in parts the product over them."""
    diagonal = _degrees(lattice)
    bits = float(np.log2(diagonal).sum())  # Hadamard: a determinant is at most the product of the diagonal
    if bits > _MOST_BITS:
        msg = (
            f"shape: the number of mazes of {lattice!r} has up to {int(bits * math.log10(2)):,} digits: "
            "meiro.log_number_of_mazes returns its logarithm"
        )
        raise ValueError(msg)
    graph = graph_of(lattice)

    def remainders(moduli: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        found = _core.forests_modulo(graph, moduli)
        return found, found != 0  # a prime may divide a pivot: then it says nothing

    found, _ = reconstruct_by_crt(math.prod(diagonal.tolist()), 2, 1 << 8, remainders)
    return found


def log_trees(lattice: Lattice) -> float:
    """Return the natural logarithm of the number of spanning trees."""
    return _core.log_forests(graph_of(lattice), None, None)


def edge_shares(lattice: Lattice, weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Return the probability of each edge to be in a uniform tree, or one weighted by conductances."""
    found = np.empty(lattice.n_edges)
    _core.log_forests(graph_of(lattice), weights, found)
    return found if weights is None else found * weights


def enumerate_trees(lattice: Lattice) -> Iterator[GraphMaze]:
    """Iterate over all spanning trees, in the order of their ranks."""
    ends = lattice.edges.tolist()
    m, left = len(ends), lattice.n_cells - lattice.n_components
    # The first edge to decide, the component of each cell, and the open edges.
    todo: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = [(0, tuple(range(lattice.n_cells)), ())]
    while todo:
        edge, label, taken = todo.pop()
        if len(taken) == left:
            passages = np.zeros(m, np.uint8)
            passages[list(taken)] = 1
            yield graph_maze_from_core(lattice, passages)
            continue
        one, other = label[ends[edge][0]], label[ends[edge][1]]
        if one != other:
            joined = tuple(other if own == one else own for own in label)
            todo.append((edge + 1, joined, (*taken, edge)))
        if _joinable(label, ends[edge + 1 :]) == lattice.n_components:
            todo.append((edge + 1, label, taken))


def rank_tree(maze: GraphMaze) -> int:
    """Return the rank of a spanning tree."""
    if not maze.is_perfect:
        msg = "this maze is not perfect (see meiro.check): only perfect ones have a rank"
        raise ValueError(msg)
    before = 0

    def choose(edge: int, closed: int) -> bool:
        nonlocal before
        if not maze.open[edge]:
            return False
        before += closed
        return True

    _decide(maze.lattice, choose)
    return before


def unrank_tree(k: int, lattice: Lattice) -> GraphMaze:
    """Return the spanning tree of a rank, which is checked."""
    passages = np.zeros(lattice.n_edges, np.uint8)
    left = k

    def choose(edge: int, closed: int) -> bool:
        nonlocal left
        if left < closed:
            return False
        left -= closed
        passages[edge] = 1
        return True

    _decide(lattice, choose)
    return graph_maze_from_core(lattice, passages)


def require_tree_ranks(lattice: Lattice) -> None:
    """Refuse a lattice whose ranks would take minutes, or gigabytes."""
    n, bits = lattice.n_cells, float(np.log2(_degrees(lattice)).sum())
    if n * n * lattice.n_edges * (bits / 23 + SPARE + 1) > _MOST_WORK:
        msg = f"{lattice!r} is too large for ranks: cells**2 * edges * cells / 12 may be at most 2**32"
        raise ValueError(msg)


def _degrees(lattice: Lattice) -> NDArray[np.int64]:
    """Return the diagonal of the Laplacian, plus 1 at the first cell of each component."""
    degrees = lattice.degrees.astype(np.int64)
    degrees[np.unique(lattice.components, return_index=True)[1]] += 1
    return degrees


def _joinable(label: tuple[int, ...], edges: list[list[int]]) -> int:
    """Return how many components there are if all of the edges are open."""
    parent = {own: own for own in label}

    def find(x: int) -> int:
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for one, other in edges:
        parent[find(label[one])] = find(label[other])
    return sum(find(own) == own for own in parent)


def _decide(lattice: Lattice, choose: Callable[[int, int], bool]) -> None:
    """Decide all edges: ``choose(edge, closed)`` returns whether it is open.

    `closed` is the number of trees that agree so far and do not have the edge.
    """
    require_tree_ranks(lattice)
    number = count_trees(lattice)
    need = number.bit_length() // (TOP.bit_length() - 2) + 1 + SPARE
    moduli = np.array([*islice(chain.from_iterable(primes(2, TOP)), need)], np.float64)
    require(24 * lattice.n_cells**2 * need, f"ranks of {lattice!r}", "take a smaller lattice")
    matrix, good = _inverse(lattice, Remainders(moduli))
    modulo = Remainders(moduli[good])
    matrix = matrix[..., good]
    left = number
    for edge, (one, other) in enumerate(lattice.edges.tolist()):
        step = modulo.reduce(matrix[one] - matrix[other])
        share = modulo.reduce(step[one] - step[other])
        remainders = modulo.reduce(np.array([left % int(p) for p in modulo.primes], np.float64))
        opened = modulo.integer(modulo.reduce(remainders * share)) if one != other else 0
        if choose(edge, left - opened):
            left = opened
            current = -modulo.inverse(share)
        else:
            left -= opened
            current = modulo.inverse(modulo.reduce(1 - share))
        if one == other:
            continue
        kept = current != 0
        if not kept.all():  # primes that divide a denominator
            matrix, step, current = matrix[..., kept], step[:, kept], current[kept]
            modulo = Remainders(modulo.primes[kept])
        for cell in range(lattice.n_cells):
            change = modulo.reduce(step[cell] * current) * step
            matrix[cell] = modulo.reduce(matrix[cell] + modulo.reduce(change))


def _inverse(lattice: Lattice, modulo: Remainders) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the inverse of the Laplacian with grounded components, and for which primes it is known."""
    n = lattice.n_cells
    whole = np.zeros((n, n))
    one, other = lattice.edges[lattice.edges[:, 0] != lattice.edges[:, 1]].T
    np.add.at(whole, (one, other), -1)
    np.add.at(whole, (other, one), -1)
    np.fill_diagonal(whole, _degrees(lattice))
    matrix = modulo.reduce(np.repeat(whole[..., np.newaxis], len(modulo.primes), axis=2))
    good = np.ones(len(modulo.primes), np.bool_)
    for cell in range(n):  # Gauss and Jordan, in place
        pivot = modulo.inverse(matrix[cell, cell])
        good &= pivot != 0
        matrix[cell, cell] = 1
        matrix[cell] = modulo.reduce(matrix[cell] * pivot)
        for row in range(n):
            if row != cell:
                factor = matrix[row, cell].copy()
                matrix[row, cell] = 0
                matrix[row] = modulo.reduce(matrix[row] - modulo.reduce(factor * matrix[cell]))
    return matrix, good
