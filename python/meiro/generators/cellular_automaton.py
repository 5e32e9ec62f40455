"""Life-like cellular automata on wall/road arrays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.arrays import walls
from meiro._utils.memory import require
from meiro._utils.messages import short_repr
from meiro._utils.square import ShapeLike, checked_shape, checked_wrap
from meiro._utils.validation import integer, number
from meiro.seeds import RNG, seed_of, seed_words

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


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
        raise ValueError(f"outside must be 0 (road) or 1 (wall), not {short_repr(outside)}")
    begin = None
    if initial is not None:
        if p is not None or rng is not None:
            other = "p" if p is not None else "rng"
            raise TypeError(f"initial and {other} both set the first generation: give one of them")
        begin = walls(initial, road=road, name="initial")
        shape = begin.shape if shape is None else shape
    elif shape is None:
        raise TypeError("give shape=(h, w) or initial=")
    height, width = size = checked_shape(shape)
    if begin is not None and begin.shape != size:
        raise ValueError(f"initial has shape {begin.shape}, but shape is {size}")
    wraps = checked_wrap(wrap, size)
    share = number(0.15 if p is None else p, "p", 0, 1)
    words = (height + 2) * -(-(width + 2) // 64)
    require(
        height * width + 3 * 8 * words, f"an automaton of {height} x {width} sites", "take a smaller shape"
    )
    key = seed_words(seed_of(rng)) if begin is None else None
    sites = np.empty(size, np.uint8) if begin is None else np.array(begin, np.uint8)
    generations = min(generations, (1 << 62) + generations % 2)  # long before, the period is 1 or 2
    _core.cellular_automaton(sites, (born, survive), wraps, bool(beyond), generations, key, share)
    return sites


def _parsed(rule: str) -> tuple[int, int]:
    """Return the numbers of neighbours of a rule, as bits."""
    found = re.fullmatch(r"[Bb]([0-8]*)/?[Ss]([0-8]*)", rule) if isinstance(rule, str) else None
    if found is None:
        raise ValueError(
            f"rule must be like 'B3/S12345' (born, survives: neighbours 0 to 8), not {short_repr(rule)}"
        )
    born, survive = (sum(1 << int(digit) for digit in set(digits)) for digits in found.groups())
    return born, survive
