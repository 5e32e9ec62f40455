"""Life-like cellular automata on wall/road arrays.

A word holds 64 sites, and the eight neighbours of all of them are summed at once, one bit of the sum at a
time. A border one site wide holds the values outside the array, so that no site is a special case.
"""

from __future__ import annotations

import operator
import re
from functools import reduce
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.arrays import walls
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.square import Shape, ShapeLike, checked_shape, checked_wrap
from meiro._utils.validation import integer, number
from meiro.seeds import RNG, seed_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike, NDArray

    Words = NDArray[np.uint64]

_WORDS = 1 << 13  # words of a band: the bit planes of the sum stay in the cache
_PLANES = 24  # bit planes of a band, at most
_SITES = 1 << 20  # sites packed or unpacked at a time
_DRAWN = 1 << 18  # random words at a time


def cellular_automaton(
    shape: ShapeLike | None = None,
    rule: str = "B3/S12345",
    *,
    rng: RNG = None,
    p: float | None = None,
    steps: SupportsIndex = 100,
    initial: ArrayLike | None = None,
    road: object = None,
    wrap: tuple[bool, bool] = (False, False),
    outside: int = 0,
) -> NDArray[np.uint8]:
    """Generate a maze-like or cave-like wall/road array by a life-like cellular automaton.

    The array is not a maze grid: roads may form loops or enclosed regions, which `meiro.check` counts.

    Parameters
    ----------
    shape : (int, int)
        Height and width in sites. May be omitted if `initial` is given.
    rule : str
        The numbers of walls among the eight neighbours for which a road becomes a wall (B, born), and for
        which a wall stays (S, survives). "B3/S12345" is known as Maze, "B3/S1234" as Mazectric;
        "B5678/S45678" gives caves.
    rng : None, int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The same seed gives the same array on every machine.
    p : float
        The probability that a site is a wall at first, 0 to 1. With the default, 0.15, even small arrays
        fill up; smaller values give longer corridors; caves need 0.45 to 0.5.
    steps : int
        Number of generations. The automaton stops early at a fixed point.
    initial : array_like of shape (h, w)
        The first generation, instead of a random one.
    road : scalar, optional
        The value of roads in `initial`, if it holds values other than 0 and 1.
    wrap : (bool, bool)
        Whether the array is periodic along rows and along columns.
    outside : int
        The value of the sites outside the array: 0 for road, 1 for wall (for caves).

    Returns
    -------
    ndarray of uint8, shape (h, w)
        0 for a road, 1 for a wall.

    Raises
    ------
    ValueError
        If `rule` is malformed, or `p`, `steps`, `outside` or the shape is out of range.
    TypeError
        If `initial` is given with `p` or `rng`, neither `initial` nor `shape` is given, or `steps` is not an
        integer.
    MemoryError
        If the array does not fit in memory; nothing has been allocated then.

    Notes
    -----
    A site is a wall at first if its random word, word `col` of the stream of its row, is less than
    ``p * 2**64``.

    References
    ----------
    M. Gardner, Mathematical Games, Scientific American, October 1970.
    L. A. Johnson, G. N. Yannakakis, J. Togelius, Cellular automata for real-time generation of infinite cave
    levels, PCGames (2010). doi:10.1145/1814256.1814266

    Examples
    --------
    >>> walls = meiro.cellular_automaton((101, 151), rng=7)
    >>> walls.shape, walls.dtype
    ((101, 151), dtype('uint8'))
    >>> caves = meiro.cellular_automaton((60, 80), "B5678/S45678", rng=7, p=0.5, steps=5, outside=1)

    Conway's Game of Life: a blinker.

    >>> meiro.cellular_automaton(rule="B3/S23", initial=[[0, 1, 0], [0, 1, 0], [0, 1, 0]], steps=1)
    array([[0, 0, 0],
           [1, 1, 1],
           [0, 0, 0]], dtype=uint8)
    """
    born, survive = _parsed(rule)
    generations = integer(steps, "steps", 0)
    beyond = integer(outside, "outside")
    if beyond not in {0, 1}:
        msg = f"outside must be 0 (road) or 1 (wall), not {short_repr(outside)}"
        raise ValueError(msg)
    begin = None
    if initial is not None:
        if p is not None or rng is not None:
            other = "p" if p is not None else "rng"
            msg = f"initial and {other} both set the first generation: give one of them"
            raise TypeError(msg)
        begin = walls(initial, road=road, name="initial")
        shape = begin.shape if shape is None else shape
    elif shape is None:
        msg = "give shape=(h, w) or initial="
        raise TypeError(msg)
    height, width = size = checked_shape(shape)
    if begin is not None and begin.shape != size:
        msg = f"initial has shape {begin.shape}, but shape is {size}"
        raise ValueError(msg)
    wraps = checked_wrap(wrap, size)
    a_row = -(-(width + 2) // 64)
    words = a_row * (3 * (height + 2) + _PLANES * (min(height, _WORDS // a_row) + 2))
    require(height * width + 8 * words, f"an automaton of {height} x {width} sites", "take a smaller shape")
    frame = _PackedLayout(size, wraps, beyond)
    if begin is None:
        first = frame.packed(_random(size, 0.15 if p is None else p, rng))
    else:
        first = frame.packed(begin[rows] for rows in _bands(size))
    return frame.unpacked(_run(first, frame, born, survive, generations))


class _PackedLayout:
    """The layout of sites in words, with a border: site (r, c) is bit c + 1 of row r + 1."""

    def __init__(self, shape: Shape, wrap: tuple[bool, bool], outside: int) -> None:
        self._shape, self._wrap = shape, wrap
        self._words = -(-(shape[1] + 2) // 64)
        bits = np.zeros((3, 64 * self._words), np.uint8)
        bits[0, 1 : shape[1] + 1] = 1
        bits[1, [0, shape[1] + 1]] = outside
        bits[2, : shape[1] + 2] = outside
        self.inside, self._sides, self._beyond = np.packbits(bits, axis=1, bitorder="little").view("<u8")

    def packed(self, bands: Iterable[NDArray[np.uint8]]) -> Words:
        """Pack rows of sites into words."""
        height, width = self._shape
        out = np.empty((height + 2, self._words), "<u8")
        row = 1
        for sites in bands:
            bits = np.zeros((len(sites), 64 * self._words), np.uint8)
            bits[:, 1 : width + 1] = sites
            out[row : row + len(sites)] = np.packbits(bits, axis=1, bitorder="little").view("<u8")
            row += len(sites)
        self.close(out)
        return out

    def unpacked(self, words: Words) -> NDArray[np.uint8]:
        """Unpack words into sites."""
        out = np.empty(self._shape, np.uint8)
        for rows in _bands(self._shape):
            packed = words[1:-1][rows].view(np.uint8)
            out[rows] = np.unpackbits(packed, axis=1, count=self._shape[1] + 1, bitorder="little")[:, 1:]
        return out

    def close(self, words: Words) -> None:
        """Fill the border, periodically or with the value outside."""
        width = self._shape[1]
        words &= self.inside
        if self._wrap[1]:
            one = np.uint64(1)
            words[:, 0] |= words[:, width // 64] >> np.uint64(width % 64) & one
            end = np.uint64((width + 1) % 64)
            words[:, (width + 1) // 64] |= (words[:, 0] >> one & one) << end
        else:
            words |= self._sides
        words[0], words[-1] = (words[-2], words[1]) if self._wrap[0] else (self._beyond, self._beyond)


def _run(words: Words, frame: _PackedLayout, born: set[int], survive: set[int], steps: int) -> Words:
    """Run the generations. With period 2, only the parity of the remaining ones matters."""
    rows, width = words.shape
    band = max(1, _WORDS // width)
    before, now, after = words.copy(), words, np.empty_like(words)
    left = steps
    while left > 0:
        for first in range(0, rows - 2, band):
            after[first + 1 : -1][:band] = _next(now[first : first + band + 2], born, survive)
        frame.close(after)
        left -= 1
        if np.array_equal(after, now):
            return after
        if np.array_equal(after, before):
            left %= 2
        before, now, after = now, after, before
    return now


def _next(words: Words, born: set[int], survive: set[int]) -> Words:
    """Return the next generation of all rows except the first and the last."""
    left, right = words << np.uint64(1), words >> np.uint64(1)
    left[:, 1:] |= words[:, :-1] >> np.uint64(63)
    right[:, :-1] |= words[:, 1:] << np.uint64(63)
    alive = words[1:-1]
    # The sums of the two horizontal neighbours, and of the three sites of a row, as numbers of two bits.
    beside, both = left ^ right, left & right
    row, rows = beside ^ words, both | (beside & words)
    ones, carry = _full_adder(row[:-2], row[2:], beside[1:-1])
    twos, fours = _full_adder(rows[:-2], rows[2:], both[1:-1])
    twos, carry = twos ^ carry, twos & carry
    bits = ones, twos, fours ^ carry, fours & carry
    found = np.zeros_like(alive)
    for n in born | survive:
        # Of the sums 0 to 8 only 8 has the highest bit set, and only 0 and 8 have none of the others.
        parts = [bits[b] if n >> b & 1 else ~bits[b] for b in ((0, 1, 2) if 0 < n < 8 else (0, 1, 2, 3))]
        if n not in born or n not in survive:
            parts.append(~alive if n in born else alive)
        found |= reduce(operator.and_, parts)
    return found


def _full_adder(a: Words, b: Words, c: Words) -> tuple[Words, Words]:
    """Return sum and carry of three bits."""
    odd = a ^ b
    return odd ^ c, (a & b) | (odd & c)


def _random(shape: Shape, p: float, rng: RNG) -> Iterator[NDArray[np.uint8]]:
    below = int(number(p, "p", 0, 1) * 2.0**64)  # exact: only the exponent changes
    seed = seed_of(rng)
    width = shape[1]
    for rows in _bands(shape):
        sites = np.ones((rows.stop - rows.start, width), np.uint8)
        for row in range(rows.start, rows.stop if below < 1 << 64 else rows.start):
            for first in range(0, width, _DRAWN):
                address = (*seed.key, seed.replicate, row)
                drawn = _core.random_words(address, _core.PURPOSE_GENERATE, first, min(_DRAWN, width - first))
                sites[row - rows.start, first : first + _DRAWN] = drawn < np.uint64(below)
        yield sites


def _bands(shape: Shape) -> Iterator[slice]:
    at_once = max(1, _SITES // (shape[1] + 64))
    for row in range(0, shape[0], at_once):
        yield slice(row, min(row + at_once, shape[0]))


def _parsed(rule: str) -> tuple[set[int], set[int]]:
    found = re.fullmatch(r"[Bb]([0-8]*)/?[Ss]([0-8]*)", rule) if isinstance(rule, str) else None
    if found is None:
        msg = f"rule must be like 'B3/S12345' (born, survives: neighbours 0 to 8), not {short_repr(rule)}"
        raise ValueError(msg)
    born, survive = (set(map(int, digits)) for digits in found.groups())
    return born, survive
