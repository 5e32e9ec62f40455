"""Seeds, from which a maze can be made again.

Every ``rng=`` follows Scientific Python's SPEC 7 and is converted to a `Seed`: a key of two words, and the
number of a replicate. All random numbers of meiro come from Philox (Salmon et al. 2011) under that key; the
version of the stream changes when the same seed no longer makes the same maze.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.messages import short_repr
from meiro._utils.set_module import set_module
from meiro._utils.validation import integer, pair

STREAM = 1
"""The version of the random stream."""


@set_module("meiro")
@dataclass(frozen=True, slots=True)
class Seed:
    """The seed of a maze: ``rng=seed`` makes it again.

    Parameters
    ----------
    key : (int, int)
        Two words of 64 bits.
    replicate : int
        The number of the maze among those of the key, 0 to 2**64 - 1.

    See Also
    --------
    replicate : The seed of one maze of a batch.

    References
    ----------
    J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11
    (2011). https://doi.org/10.1145/2063384.2063405

    Examples
    --------
    >>> maze = meiro.generate((4, 4), rng=7)
    >>> meiro.generate((4, 4), rng=maze.seed) == maze
    True
    """

    key: tuple[int, int]
    replicate: int = 0

    def __post_init__(self) -> None:
        """Check that key and replicate are words of 64 bits."""
        first, second = (integer(word, "key", 0, 1 << 64) for word in pair(self.key, "key"))
        replicate = integer(self.replicate, "replicate", 0, 1 << 64)
        object.__setattr__(self, "key", (first, second))
        object.__setattr__(self, "replicate", replicate)


RNG = (
    None
    | SupportsIndex
    | Sequence[SupportsIndex]
    | np.random.SeedSequence
    | np.random.Generator
    | np.random.BitGenerator
    | Seed
)


def seed_of(rng: RNG) -> Seed:
    """Convert an argument ``rng=`` to a `Seed`.

    A ``Generator`` or ``BitGenerator`` is advanced in place, by four raw words. The key of integers is that
    of NumPy's ``SeedSequence``, word for word.
    """
    if isinstance(rng, Seed):
        return rng
    if isinstance(rng, np.random.Generator):
        rng = rng.bit_generator
    if isinstance(rng, np.random.BitGenerator):
        low = [int(word) & 0xFFFFFFFF for word in rng.random_raw(4)]
        return _seed_with((low[0] | low[1] << 32, low[2] | low[3] << 32))
    if rng is None:
        rng = np.random.SeedSequence()
    if isinstance(rng, np.random.SeedSequence):
        first, second = rng.generate_state(2, np.uint64).tolist()
        return _seed_with((first, second))
    return _seed_with(_core.seed_key(_entropy(rng)))


def _seed_with(key: tuple[int, int]) -> Seed:
    """Return the seed of a key that is valid."""
    seed = object.__new__(Seed)
    object.__setattr__(seed, "key", key)
    object.__setattr__(seed, "replicate", 0)
    return seed


def _entropy(rng: SupportsIndex | Sequence[SupportsIndex]) -> bytes:
    """Return words of 32 bits, the low ones first, as ``SeedSequence`` makes them of integers."""
    if isinstance(rng, str | bytes):
        raise _refusal(rng)
    try:
        numbers = [integer(i, "rng") for i in (rng if isinstance(rng, Sequence | np.ndarray) else [rng])]
        return b"".join(n.to_bytes(4 * (-(-n.bit_length() // 32) or 1), "little") for n in numbers)
    except TypeError:
        raise _refusal(rng) from None
    except OverflowError:
        msg = f"rng must not be negative: {short_repr(rng)}"
        raise ValueError(msg) from None


def _refusal(rng: object) -> TypeError:
    return TypeError(
        "rng must be None, an integer, a sequence of integers, a numpy Generator, BitGenerator or "
        f"SeedSequence, or a Seed, not {short_repr(rng)}"
    )


def replicate(root: RNG, i: SupportsIndex) -> Seed:
    """Return the seed of maze `i` of a batch.

    Parameters
    ----------
    root : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        The argument ``rng=`` of the batch.
    i : int
        The number of the maze, 0 to 2**64 - 1.

    Returns
    -------
    Seed

    Raises
    ------
    TypeError
        If `i` is not an integer, or `root` is of another type.
    ValueError
        If `i` is out of its range, or `root` is negative.

    Examples
    --------
    >>> many = meiro.generate_many(10, (4, 4), rng=7)
    >>> many[3] == meiro.generate((4, 4), rng=meiro.replicate(7, 3))
    True
    """
    number = integer(i, "i", 0, 1 << 64)
    seed = seed_of(root)
    return Seed(seed.key, (seed.replicate + number) % (1 << 64))
