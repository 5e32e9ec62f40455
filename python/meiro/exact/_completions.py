"""The number of perfect mazes that agree with a partial decision of the walls.

Let undecided walls be resistors of 1 and open walls be wires. Of the mazes that agree so far, the share in
which an undecided wall is open is the resistance between its two cells (G. Kirchhoff, Ann. Phys. Chem. 72
(1847) 497, doi:10.1002/andp.18471481202). It follows from the potentials of cells, a matrix to which one of
rank one is added when a wall is decided. In a rectangle all later cells are connected to the decided ones
through one row, so that the potentials of that row are all that is kept: a matrix of the shorter side. How
the potential of a later cell depends on that row does not depend on the decisions: it comes from the
elimination of all cells, the last one first.

Nothing is rounded: fractions are kept modulo as many primes as the number of mazes that are left needs, which
becomes smaller and smaller. A prime that divides a denominator is left out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import chain, islice
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro.exact._modular_arithmetic import primes
from meiro.exact.counting import count_trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro.exact._domain import Domain

Choose = Callable[[int, int], bool]
"""Takes the place of a wall in the order of ranks, and the number of mazes that agree so far and have it;
returns whether it is open."""
Report = Callable[[int, int], object] | None

LIMIT = 1 << 28  # of (rows * cols)^2 times the shorter side: 48 x 48 cells
GRAPH_LIMIT = 1 << 32  # of cells^2 times edges times primes

TOP = 1 << 24  # of the primes: the sum of 48 products of remainders, each at most p / 2, is exact as a float
SPARE = 8  # primes beyond those needed: one in 2^24 divides a denominator
STEP = 4  # primes that are left out together when the numbers have become smaller


class Remainders:
    """Arithmetic modulo many primes at once; the last axis of every array is that of the primes.

    Remainders are float64, from -p / 2 to p / 2.
    """

    def __init__(self, moduli: NDArray[np.float64]) -> None:
        self.primes = moduli
        self._inverses = 1 / moduli
        self._ints = moduli.astype(np.int64).tolist()
        self.product: int = math.prod(self._ints)
        self._shares: list[int] = []

    def reduce(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Reduce an array in place, and return it."""
        times = x * self._inverses
        np.rint(times, out=times)
        times *= self.primes
        x -= times
        return x

    def inverse(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the inverses of a number; 0 where there is not one."""
        pairs = zip(x.astype(np.int64).tolist(), self._ints, strict=True)
        return self.reduce(np.array([pow(y, -1, p) if y % p else 0 for y, p in pairs], np.float64))

    def integer(self, x: NDArray[np.float64]) -> int:
        """Return the integer from 0 to the product of the primes: Chinese remainder theorem."""
        if not self._shares:
            others = [self.product // p for p in self._ints]
            self._shares = [n * pow(n, -1, p) for n, p in zip(others, self._ints, strict=True)]
        total: int = sum(map(mul, x.astype(np.int64).tolist(), self._shares))
        return total % self.product


class Elimination:
    """All cells but the first, eliminated one after the other, the last one first.

    Attributes
    ----------
    shape : (int, int)
    number : int
        The number of mazes; 0 until `run` is done.
    primes : ndarray of float64, shape (k,)
    weights : ndarray of float32, shape (cells, cols, k)
        How the potential of each cell depends on the row in which the cell above is still in its place.
    shares : ndarray of float64, shape (cells, k)
        Its potential if all of those are 0 and a current of 1 flows into it.
    """

    def __init__(self, rows: int, cols: int) -> None:
        self.shape = rows, cols
        self.number = 0

    def run(self, report: Report) -> None:
        """Eliminate the cells, unless it was done before."""
        if self.number:
            return
        rows, cols = self.shape
        cells = rows * cols
        # The number of mazes has less than 4 G / (pi log 2) = 1.683 bits a cell; G is Catalan's constant.
        need = cells * 27 // 16 // (TOP.bit_length() - 2) + 1 + SPARE
        moduli = np.array([*islice(chain.from_iterable(primes(2, TOP)), need)], np.float64)
        modulo = Remainders(moduli)
        good = np.ones(need, np.bool_)
        weights = np.zeros((cells, cols, need), np.float32)
        shares = np.zeros((cells, need))
        number = np.ones(need)
        network = np.zeros((cols, cols, need))  # the Laplacian of the eliminated cells, seen from this row
        for cell in range(cells - 1, 0, -1):
            row, col = divmod(cell, cols)
            if col:
                network[[col - 1, col], [col - 1, col]] += 1
                network[[col - 1, col], [col, col - 1]] -= 1
            edges = network[col].copy()
            conductance = edges[col] + (row > 0)
            network[col] = network[:, col] = 0
            network[col, col] = row > 0  # the cell above takes its place
            edges[col] = -(row > 0)
            shares[cell] = share = modulo.inverse(conductance)
            good &= share != 0
            own = modulo.reduce(-edges * share)
            weights[cell] = own
            own = edges[:, None] * own
            own += network
            network = modulo.reduce(own)
            number = modulo.reduce(number * conductance)
            if report is not None:
                report(cells - cell, cells)
        if not good.all():
            weights, shares = weights[..., good], shares[:, good]
        self.primes, self.weights, self.shares = moduli[good], weights, shares
        self.number = Remainders(moduli[good]).integer(number[good])

    def decide(self, choose: Choose, report: Report = None) -> None:
        """Decide all walls in the order of ranks."""
        rows, cols = self.shape
        now = Potentials(self.number, self.primes, np.zeros((cols, cols, len(self.primes))))
        place = itertools.count()
        for cell in range(1, rows * cols):
            row, col = divmod(cell, cols)
            line, own = self._entering(cell, now)
            between = now.matrix[col] - line  # of the cell above, which is in its place, and this one
            resistance = between[col] - line[col] + own
            between[col] = line[col] - own
            line[col] = own
            now.matrix[col] = now.matrix[:, col] = line
            if row:
                now.decide(between, resistance, partial(choose, next(place)))
            if col:
                between = now.matrix[col - 1] - now.matrix[col]
                now.decide(between, between[col - 1] - between[col], partial(choose, next(place)))
            if report is not None:
                report(cell + 1, rows * cols)

    def _entering(self, cell: int, now: Potentials) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the potentials of a later cell, and its own."""
        weights = self.weights[cell][:, now.kept].astype(np.float64)
        line = now.modulo.reduce((now.matrix * weights).sum(axis=1))
        own = self.shares[cell, now.kept] + (line * weights).sum(axis=0)
        return line, now.modulo.reduce(own)


class Inverse:
    """The inverse of the Laplacian of any domain: the potentials of all cells, kept at once.

    Attributes
    ----------
    number : int
        The number of mazes; 0 until `run` is done.
    """

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self.number = 0

    def run(self, report: Report) -> None:
        """Invert the Laplacian with grounded components (Gauss and Jordan, in place)."""
        lattice, n = self._domain.lattice, self._domain.n_cells
        number = count_trees(self._domain)
        need = number.bit_length() // (TOP.bit_length() - 2) + 1 + SPARE
        moduli = np.array([*islice(chain.from_iterable(primes(2, TOP)), need)], np.float64)
        require(24 * n**2 * need, f"ranks of {self._domain}", self._domain.smaller)
        whole, modulo = np.zeros((n, n)), Remainders(moduli)
        one, other = lattice.edges[lattice.edges[:, 0] != lattice.edges[:, 1]].T
        np.add.at(whole, (one, other), -1)
        np.add.at(whole, (other, one), -1)
        np.fill_diagonal(whole, self._domain.diagonal)
        matrix = modulo.reduce(np.repeat(whole[..., np.newaxis], need, axis=2))
        good = np.ones(need, np.bool_)
        for cell in range(n):
            pivot = modulo.inverse(matrix[cell, cell])
            good &= pivot != 0
            matrix[cell, cell] = 1
            matrix[cell] = modulo.reduce(matrix[cell] * pivot)
            for row in range(n):
                if row != cell:
                    factor = matrix[row, cell].copy()
                    matrix[row, cell] = 0
                    matrix[row] = modulo.reduce(matrix[row] - modulo.reduce(factor * matrix[cell]))
            if report is not None:
                report(cell + 1, n)
        self._primes, self._matrix, self.number = moduli[good], matrix[..., good], number

    def decide(self, choose: Choose, report: Report = None) -> None:
        """Decide all walls in the order of ranks; it can be done once."""
        now, n = Potentials(self.number, self._primes, self._matrix), self._domain.n_cells
        ends = self._domain.lattice.edges[self._domain.order()].tolist()
        for place, (one, other) in enumerate(ends):
            between = now.matrix[one] - now.matrix[other]
            now.decide(between, between[one] - between[other], partial(choose, place))
            if report is not None:
                report((place + 1) * n // len(ends), n)


@lru_cache(maxsize=4)
def elimination(rows: int, cols: int) -> Elimination:
    """Return the elimination of a shape, which may not have run yet."""
    return Elimination(rows, cols)


def completions(domain: Domain) -> Elimination | Inverse:
    """Return what decides the walls of a domain; it is refused if that takes minutes, or gigabytes."""
    require_ranks(domain)
    if domain.rectangle is None:
        return Inverse(domain)
    shape, _ = domain.rectangle
    return elimination(max(shape), min(shape))


def require_ranks(domain: Domain) -> None:
    """Refuse a domain whose ranks would take minutes, or gigabytes."""
    if domain.rectangle is not None:
        rows, cols = domain.rectangle[0]
        if (rows * cols) ** 2 * min(rows, cols) > LIMIT:
            raise ValueError(
                f"shape ({rows}, {cols}) is too large for ranks: (rows * cols)**2 * min(rows, cols) may be "
                f"at most 2**{LIMIT.bit_length() - 1}, as for (48, 48)"
            )
    elif domain.n_cells**2 * domain.lattice.n_edges * (domain.bits / 23 + SPARE + 1) > GRAPH_LIMIT:
        raise ValueError(
            f"{domain} is too large for ranks: cells**2 * edges * cells / 12 may be at most 2**32"
        )


class Potentials:
    """The cells beside the walls that are being decided, as a network of undecided and open walls.

    Attributes
    ----------
    left : int
        The number of mazes that agree so far.
    matrix : ndarray of float64, shape (cells, cells, k)
        The potential of each cell when a current of 1 flows into the other and out of the first of the maze.
    modulo : Remainders
    kept : ndarray of int
        Which of the first primes they still are.
    """

    def __init__(self, number: int, moduli: NDArray[np.float64], matrix: NDArray[np.float64]) -> None:
        self.left, self.matrix = number, matrix
        self.kept = np.arange(len(moduli))
        self.modulo = Remainders(moduli)
        self._remainders = self.modulo.reduce(np.array([number % int(p) for p in moduli], np.float64))

    def decide(
        self, between: NDArray[np.float64], resistance: NDArray[np.float64], choose: Callable[[int], bool]
    ) -> None:
        """Decide a wall: `choose` takes the number of mazes that have it, and returns whether it is open.

        Parameters
        ----------
        between : ndarray of float64, shape (cells, k)
            The differences of the potentials of the two cells.
        resistance : ndarray of float64, shape (k,)
            Between them.
        choose : callable
        """
        modulo = self.modulo
        part = modulo.reduce(self._remainders * modulo.reduce(resistance))
        opened = modulo.integer(part)
        if choose(self.left - opened):
            self.left, self._remainders = opened, part
            current = -modulo.inverse(resistance)
        else:
            self.left, self._remainders = self.left - opened, modulo.reduce(self._remainders - part)
            current = modulo.inverse(1 - resistance)
        good = current != 0
        if self.left < modulo.product // TOP ** (SPARE + STEP):
            good[-STEP:] = False
        between = modulo.reduce(between)
        if not good.all():
            current, between = current[good], between[:, good]
            self.matrix, self._remainders = self.matrix[..., good], self._remainders[good]
            self.kept = self.kept[good]
            modulo = self.modulo = Remainders(modulo.primes[good])
            if modulo.product <= self.left:
                raise ArithmeticError("too many primes divide a denominator")
        flow = modulo.reduce(current * between)
        for band in bands(len(flow), between.size):
            change = flow[band, None] * between
            change += self.matrix[band]
            self.matrix[band] = modulo.reduce(change)
