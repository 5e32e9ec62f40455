"""The number of perfect mazes that agree with a partial decision of the walls.

Let undecided walls be resistors of 1 and open walls be wires. Of the mazes that agree so far, the share in
which an undecided wall is open is the resistance between its two cells (G. Kirchhoff, Ann. Phys. Chem. 72
(1847) 497, doi:10.1002/andp.18471481202). All later cells are connected to the decided ones through one row,
so that the potentials of the cells of that row are all that is kept: a matrix of the shorter side, to which a
matrix of rank one is added when a wall is decided. How the potential of a later cell depends on that row does
not depend on the decisions: it comes from the elimination of all cells, the last one first.

Nothing is rounded: fractions are kept modulo as many primes as the number of mazes that are left needs, which
becomes smaller and smaller. A prime that divides a denominator is left out.
"""

from __future__ import annotations

import math
from functools import lru_cache, partial
from itertools import chain, islice
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from meiro.exact._modular_arithmetic import primes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

Wall = tuple[int, int, bool]
"""The row and column of a cell, and whether it is its wall to the row before, or to the cell before."""

LIMIT = 1 << 28  # of (rows * cols)^2 times the shorter side: 48 x 48 cells

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

    def run(self, report: Callable[[int, int], object] | None) -> None:
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


def require_ranks(rows: int, cols: int) -> None:
    """Refuse a shape whose ranks would take minutes, or gigabytes."""
    if (rows * cols) ** 2 * min(rows, cols) > LIMIT:
        msg = (
            f"shape ({rows}, {cols}) is too large for ranks: (rows * cols)**2 * min(rows, cols) may be "
            f"at most 2**{LIMIT.bit_length() - 1}, as for (48, 48)"
        )
        raise ValueError(msg)


@lru_cache(maxsize=4)
def elimination(rows: int, cols: int) -> Elimination:
    """Return the elimination of a shape, which may not have run yet."""
    return Elimination(rows, cols)


class Potentials:
    """The cells of the row that is being decided, as a network of undecided and open walls.

    Attributes
    ----------
    left : int
        The number of mazes that agree so far.
    matrix : ndarray of float64, shape (cols, cols, k)
        The potential of each cell when a current of 1 flows into the other and out of the first of the maze.
    """

    def __init__(self, rest: Elimination) -> None:
        cols, k = rest.shape[1], len(rest.primes)
        self.left = rest.number
        self.matrix = np.zeros((cols, cols, k))
        self._rest = rest
        self._kept = np.arange(k)
        self._modulo = Remainders(rest.primes)
        self._remainders = self._modulo.reduce(
            np.array([self.left % int(p) for p in rest.primes], np.float64)
        )

    def enter(self, cell: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the potentials of a later cell, and its own."""
        weights = self._rest.weights[cell][:, self._kept].astype(np.float64)
        line = self._modulo.reduce((self.matrix * weights).sum(axis=1))
        own = self._rest.shares[cell, self._kept] + (line * weights).sum(axis=0)
        return line, self._modulo.reduce(own)

    def decide(
        self, between: NDArray[np.float64], resistance: NDArray[np.float64], choose: Callable[[int], bool]
    ) -> None:
        """Decide a wall: `choose` takes the number of mazes that have it, and returns whether it is open.

        Parameters
        ----------
        between : ndarray of float64, shape (cols, k)
            The differences of the potentials of the two cells.
        resistance : ndarray of float64, shape (k,)
            Between them.
        choose : callable
        """
        modulo = self._modulo
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
            self._kept = self._kept[good]
            modulo = self._modulo = Remainders(modulo.primes[good])
            if modulo.product <= self.left:
                msg = "too many primes divide a denominator"
                raise ArithmeticError(msg)
        change = modulo.reduce(current * between)[:, None] * between
        change += self.matrix
        self.matrix = modulo.reduce(change)


def decide(
    rest: Elimination,
    choose: Callable[[Wall, int], bool],
    report: Callable[[int, int], object] | None = None,
) -> None:
    """Decide all walls in order: `choose(wall, standing)` returns whether the wall is open.

    `standing` is the number of mazes that agree so far and have the wall.
    """
    rows, cols = rest.shape
    now = Potentials(rest)
    for cell in range(1, rows * cols):
        row, col = divmod(cell, cols)
        line, own = now.enter(cell)
        between = now.matrix[col] - line  # of the cell above, which is in its place, and this one
        resistance = between[col] - line[col] + own
        between[col] = line[col] - own
        line[col] = own
        now.matrix[col] = now.matrix[:, col] = line
        if row:
            now.decide(between, resistance, partial(choose, (row, col, True)))
        if col:
            between = now.matrix[col - 1] - now.matrix[col]
            now.decide(between, between[col - 1] - between[col], partial(choose, (row, col, False)))
        if report is not None:
            report(cell + 1, rows * cols)


def walls_of(rows: int, cols: int) -> Iterator[Wall]:
    """Iterate over the walls in the order of ranks."""
    for row in range(rows):
        for col in range(cols):
            if row > 0:
                yield row, col, True
            if col > 0:
                yield row, col, False
