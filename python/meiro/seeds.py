"""Seeds: what makes a maze again.

``rng=`` follows Scientific Python's SPEC 7 everywhere. Whatever is given becomes a `Seed`: two words of
key, and the number of a replicate. All randomness of meiro is Philox under that key; the version of the
stream changes when the same seed no longer makes the same maze.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from meiro import _core
from meiro.errors import shown

STREAM = 1
"""The version of the stream."""


@dataclass(frozen=True, slots=True)
class Seed:
    """What a maze was made from: ``rng=seed`` makes it again.

    Parameters
    ----------
    key : (int, int)
        Two words of 64 bits.
    replicate : int
        Which of the mazes of this key, 0 to 2**64 - 1.

    Examples
    --------
    >>> maze = meiro.generate((4, 4), rng=7)
    >>> meiro.generate((4, 4), rng=maze.seed) == maze
    True
    """

    key: tuple[int, int]
    replicate: int = 0

    def __post_init__(self) -> None:
        """Refuse what is not three words of 64 bits."""
        try:
            first, second = (operator.index(k) for k in self.key)
            replicate = operator.index(self.replicate)
        except (TypeError, ValueError):
            msg = f"a Seed is two integers and a replicate, not {shown(self.key)}, {shown(self.replicate)}"
            raise TypeError(msg) from None
        if not all(0 <= word < 1 << 64 for word in (first, second, replicate)):
            msg = f"the words of a Seed lie in 0..2**64 - 1, not ({first}, {second}), {replicate}"
            raise ValueError(msg)
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
    """Turn whatever ``rng=`` may be into a `Seed`.

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
    """Return the seed of a key whose words are known to be right."""
    seed = object.__new__(Seed)
    object.__setattr__(seed, "key", key)
    object.__setattr__(seed, "replicate", 0)
    return seed


def _entropy(rng: SupportsIndex | Sequence[SupportsIndex]) -> bytes:
    """Return words of 32 bits, the low ones first, as ``SeedSequence`` makes them of integers."""
    if isinstance(rng, bool | np.bool_ | str | bytes):
        raise _refusal(rng)
    try:
        numbers = [operator.index(i) for i in (rng if isinstance(rng, Sequence | np.ndarray) else [rng])]
        return b"".join(n.to_bytes(4 * (-(-n.bit_length() // 32) or 1), "little") for n in numbers)
    except TypeError:
        raise _refusal(rng) from None
    except OverflowError:
        msg = f"rng must not be negative: {shown(rng)}"
        raise ValueError(msg) from None


def _refusal(rng: object) -> TypeError:
    return TypeError(
        "rng must be None, an integer, a sequence of integers, a numpy Generator, BitGenerator or "
        f"SeedSequence, or a Seed, not {shown(rng)}"
    )


def replicate(root: RNG, i: SupportsIndex) -> Seed:
    """Return the seed of maze `i` of a batch.

    Parameters
    ----------
    root : int, sequence of int, Generator, BitGenerator, SeedSequence or Seed
        What ``rng=`` of the batch was.
    i : int
        Which maze, 0 to 2**64 - 1.

    Returns
    -------
    Seed

    Raises
    ------
    TypeError
        If `i` is no integer, or `root` none of these.
    ValueError
        If `i` is out of its range, or `root` is negative.

    Examples
    --------
    >>> many = meiro.generate_many(10, (4, 4), rng=7)
    >>> many[3] == meiro.generate((4, 4), rng=meiro.replicate(7, 3))
    True
    """
    if isinstance(i, bool | np.bool_) or not hasattr(i, "__index__"):
        msg = f"i must be an integer in 0..2**64 - 1, not {shown(i)}"
        raise TypeError(msg)
    number = operator.index(i)
    if not 0 <= number < 1 << 64:
        msg = f"i must be an integer in 0..2**64 - 1, not {number}"
        raise ValueError(msg)
    seed = seed_of(root)
    return Seed(seed.key, (seed.replicate + number) % (1 << 64))
