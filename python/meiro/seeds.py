"""Seeds, from which a maze can be made again.

Every ``rng=`` follows Scientific Python's SPEC 7 and is converted to a `Seed`: a key of two words, and the
number of a replicate. All random numbers of meiro come from Philox (Salmon et al. 2011) under that key; the
version of the stream changes when the same seed no longer makes the same maze.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.messages import short_repr
from meiro._utils.set_module import set_module
from meiro._utils.validation import integer, pair

STREAM = _core.STREAM
"""The version of the random stream."""

_MOST_WORDS = 1 << 20  # integers of a seed


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

    def __reduce__(self) -> tuple[Callable[..., Seed], tuple[object, ...]]:
        """Pickle the version of the stream, too."""
        return Seed._of_stream, (self.key, self.replicate, STREAM)

    @classmethod
    def _of_stream(cls, key: tuple[int, int], replicate: int, stream: int) -> Seed:
        if stream != STREAM:
            msg = f"a seed of stream {stream} makes other mazes in stream {STREAM}, that of this meiro"
            raise ValueError(msg)
        return cls(key, replicate)


RNG = (
    None
    | SupportsIndex
    | Sequence[SupportsIndex]
    | np.random.SeedSequence
    | np.random.Generator
    | np.random.BitGenerator
    | Seed
)


def seed_of(rng: RNG, name: str = "rng") -> Seed:
    """Convert an argument ``rng=`` to a `Seed`; messages call it `name`.

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
    return _seed_with(_core.seed_key(_entropy(rng, name)))


def _seed_with(key: tuple[int, int]) -> Seed:
    """Return the seed of a key that is valid."""
    seed = object.__new__(Seed)
    object.__setattr__(seed, "key", key)
    object.__setattr__(seed, "replicate", 0)
    return seed


def _entropy(rng: SupportsIndex | Sequence[SupportsIndex], name: str) -> bytes:
    """Return words of 32 bits, the low ones first, as ``SeedSequence`` makes them of integers."""
    several = type(rng) is not int and (
        isinstance(rng, Sequence) or (isinstance(rng, np.ndarray) and rng.ndim > 0)
    )
    try:
        if several:
            if isinstance(rng, str | bytes | np.ma.MaskedArray):
                raise TypeError  # noqa: TRY301  # the message is written once
            if len(rng[: _MOST_WORDS + 1]) > _MOST_WORDS:  # type: ignore[index]
                msg = f"{name} must be at most {_MOST_WORDS:,} integers, not {short_repr(rng)}"
                raise ValueError(msg)
        numbers = [integer(i, name) for i in (rng if several else [rng])]  # type: ignore[union-attr]
    except TypeError:
        msg = (
            f"{name} must be None, an integer, a sequence of integers, a numpy Generator, BitGenerator or "
            f"SeedSequence, or a Seed, not {short_repr(rng)}"
        )
        raise TypeError(msg) from None
    try:
        return b"".join(n.to_bytes(4 * (-(-n.bit_length() // 32) or 1), "little") for n in numbers)
    except OverflowError:
        msg = f"{name} must not be negative: {short_repr(rng)}"
        raise ValueError(msg) from None


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
    seed = seed_of(root, "root")
    return Seed(seed.key, (seed.replicate + number) % (1 << 64))
