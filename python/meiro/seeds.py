"""Seeds, from which a maze can be made again.

Every ``rng=`` follows Scientific Python's SPEC 7 and is converted to a `Seed`: a key of two words, and the
number of a replicate. All random numbers of meiro come from Philox (Salmon et al. 2011) under that key; the
version of the stream changes when the same seed no longer makes the same maze.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.messages import short_repr
from meiro._utils.validation import integer, is_masked, pair

if TYPE_CHECKING:
    import random

__all__ = ["RNG", "STREAM", "Entropy", "Seed", "replicate", "seed_of"]

STREAM = _core.STREAM
"""The version of the random stream."""

_MOST_WORDS = 1 << 20  # integers of a seed
_KEPT_BITS = 4096  # of the entropy that a seed remembers

Entropy = int | tuple[int, ...] | None
Root = tuple[tuple[int, int], int, Entropy]
"""The words of a `Seed` of replicate 0, as batches and files hold them."""


@dataclass(frozen=True, slots=True)
class Seed:
    """The seed of a maze: ``rng=seed`` makes it again.

    Parameters
    ----------
    key : (int, int)
        Two words of 64 bits.
    replicate : int
        The number of the maze among those of the key, 0 to 2**64 - 1.
    entropy : int, tuple of int, or None
        What the key was made of: 7 after ``rng=7``, the number that the system gave after ``rng=None``. None
        if it was no integer (a ``Generator``), or is longer than 4,096 bits. Seeds are equal if keys and
        replicates are, whatever their entropy.

    Raises
    ------
    ValueError
        If a word is out of its range, or `entropy` makes another key.

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
    >>> maze.seed
    Seed(key=(16920295385781661272, 610735763742393210), replicate=0, entropy=7)
    """

    __module__ = "meiro"

    key: tuple[int, int]
    replicate: int = 0
    entropy: Entropy = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Check that key and replicate are words of 64 bits, and that the entropy makes the key."""
        first, second = (integer(word, "key", 0, 1 << 64) for word in pair(self.key, "key"))
        replicate = integer(self.replicate, "replicate", 0, 1 << 64)
        object.__setattr__(self, "key", (first, second))
        object.__setattr__(self, "replicate", replicate)
        if self.entropy is not None:
            made = seed_of(self.entropy, "entropy")
            if made.key != self.key:
                raise ValueError(
                    f"entropy {short_repr(self.entropy)} makes the key {made.key}, not {self.key}"
                )
            object.__setattr__(self, "entropy", made.entropy)

    def __reduce__(self) -> tuple[Callable[..., Seed], tuple[object, ...]]:
        """Pickle the version of the stream, too."""
        return Seed._of_stream, (self.key, self.replicate, STREAM, self.entropy)

    @classmethod
    def _of_stream(cls, key: tuple[int, int], replicate: int, stream: int, entropy: Entropy = None) -> Seed:
        if stream != STREAM:
            raise ValueError(
                f"a seed of stream {stream} makes other mazes in stream {STREAM}, that of this meiro"
            )
        return cls(key, replicate, entropy)


if TYPE_CHECKING:
    RNG = (
        None
        | SupportsIndex
        | Sequence[SupportsIndex]
        | Mapping[str, object]
        | np.random.SeedSequence
        | np.random.Generator
        | np.random.BitGenerator
        | np.random.RandomState
        | random.Random
        | Seed
    )
else:
    RNG = object | None  # naming them would import numpy.random, a third of the time of a first maze


def seed_of(rng: RNG, name: str = "rng") -> Seed:
    """Convert `rng` as every function takes it to a `Seed`; messages call it `name`.

    A ``Generator``, ``BitGenerator`` or ``RandomState`` is advanced in place, by four raw words, and a
    ``random.Random`` by 128 bits, which are the integer. The key of integers is that
    of NumPy's ``SeedSequence``, word for word. A mapping is what `plain_seed` returns.

    Examples
    --------
    >>> meiro.seeds.seed_of(7) == meiro.generate((2, 2), rng=7).seed
    True
    """
    if isinstance(rng, Seed):
        return rng
    if isinstance(rng, Mapping):
        return _seed_of_mapping(rng, name)
    # As many bits as a SeedSequence takes.
    given: Any = int.from_bytes(os.urandom(16), "little") if rng is None else rng
    if not isinstance(given, int | Sequence):
        given = _drawn(given)
        if isinstance(given, Seed):
            return given
    words, entropy = _entropy(given, name)
    return _seed_with(_core.seed_key(words), entropy)


_POOL = 4  # words of 32 bits in a SeedSequence, by default


def _drawn(rng: Any) -> Any:
    """Return what a generator of random numbers or a ``SeedSequence`` gives; anything else as it is."""
    import random

    if isinstance(rng, np.random.RandomState):
        rng = rng._bit_generator  # noqa: SLF001  # which `numpy.random.Generator` takes as well
    if isinstance(rng, random.Random):
        return rng.getrandbits(128)
    if isinstance(rng, np.random.Generator):
        rng = rng.bit_generator
    if isinstance(rng, np.random.BitGenerator):
        low = [int(word) & 0xFFFFFFFF for word in rng.random_raw(4)]
        return _seed_with((low[0] | low[1] << 32, low[2] | low[3] << 32))
    if isinstance(rng, np.random.SeedSequence):
        first, second = rng.generate_state(2, np.uint64).tolist()
        alone = not rng.spawn_key and rng.pool_size == _POOL
        return _seed_with((first, second), _kept(rng.entropy) if alone else None)
    return rng


def plain_seed(seed: Seed) -> int | list[int] | dict[str, object]:
    """Return a seed as values that JSON can hold and `seed_of` takes: its entropy, if that is all."""
    entropy = list(seed.entropy) if isinstance(seed.entropy, tuple) else seed.entropy
    if entropy is not None and not seed.replicate:
        return entropy
    root: dict[str, object] = {"key": list(seed.key)} if entropy is None else {"entropy": entropy}
    return {**root, "replicate": seed.replicate}


def root_of(seed: Seed) -> Root:
    """Return the words of the first replicate of a seed."""
    return seed.key, 0, seed.entropy


def seed_words(seed: Seed) -> tuple[int, int, int]:
    """Return a seed as the core takes it."""
    return (*seed.key, seed.replicate)


def replicate_of(seed: Seed, number: int) -> Seed:
    """Return the seed of the maze `number` places after that of `seed`."""
    return _seed_with(seed.key, seed.entropy, (seed.replicate + number) % (1 << 64))


def _seed_with(key: tuple[int, int], entropy: Entropy = None, replicate: int = 0) -> Seed:
    """Return the seed of words that are valid."""
    seed = object.__new__(Seed)
    object.__setattr__(seed, "key", key)
    object.__setattr__(seed, "replicate", replicate)
    object.__setattr__(seed, "entropy", entropy)
    return seed


def _seed_of_mapping(given: Mapping[str, object], name: str) -> Seed:
    roots = [word for word in ("key", "entropy") if word in given]
    if len(roots) != 1 or not set(given) <= {*roots, "replicate"}:
        raise ValueError(
            f"{name}: a mapping holds key or entropy, and replicate, as recipes do; not {short_repr(given)}"
        )
    number = integer(given.get("replicate", 0), f"{name}['replicate']", 0, 1 << 64)
    root: Any = given[roots[0]]
    return Seed(root, number) if roots == ["key"] else replicate_of(seed_of(root, name), number)


def _kept(entropy: object) -> Entropy:
    """Return the entropy of a ``SeedSequence`` as a seed remembers it."""
    numbers = np.ravel(np.asarray(entropy, object)).tolist()
    if sum(max(int(n).bit_length(), 32) for n in numbers) > _KEPT_BITS:
        return None
    return int(numbers[0]) if np.ndim(entropy) == 0 else tuple(map(int, numbers))  # type: ignore[arg-type]


def _entropy(rng: SupportsIndex | Sequence[SupportsIndex], name: str) -> tuple[bytes, Entropy]:
    """Return words of 32 bits, the low ones first, as ``SeedSequence`` makes them of integers, and these."""
    several = type(rng) is not int and (
        isinstance(rng, Sequence) or (isinstance(rng, np.ndarray) and rng.ndim > 0)
    )
    try:
        if several:
            if isinstance(rng, str | bytes) or is_masked(rng):
                raise TypeError  # noqa: TRY301  # the message is written once
            if len(rng[: _MOST_WORDS + 1]) > _MOST_WORDS:  # type: ignore[index]
                raise ValueError(f"{name} must be at most {_MOST_WORDS:,} integers, not {short_repr(rng)}")
        numbers = [integer(i, name) for i in (rng if several else [rng])]  # type: ignore[union-attr]
    except TypeError:
        raise TypeError(
            f"{name} must be None, an integer, a sequence of integers, a numpy Generator, BitGenerator, "
            f"RandomState or SeedSequence, a random.Random, or a Seed, not {short_repr(rng)}"
        ) from None
    try:
        words = b"".join(n.to_bytes(4 * (-(-n.bit_length() // 32) or 1), "little") for n in numbers)
    except OverflowError:
        raise ValueError(f"{name} must not be negative: {short_repr(rng)}") from None
    if 8 * len(words) > _KEPT_BITS:
        return words, None
    return words, tuple(numbers) if several else numbers[0]


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
        For ``rng=`` of the functions that make one maze.

    Raises
    ------
    TypeError
        If `i` is not an integer, or `root` is of another type.
    ValueError
        If `i` is out of its range, or `root` is negative.

    Examples
    --------
    >>> many = meiro.generate_many((4, 4), n=10, rng=7)
    >>> many[3] == meiro.generate((4, 4), rng=meiro.replicate(7, 3))
    True
    """
    number = integer(i, "i", 0, 1 << 64)
    return replicate_of(seed_of(root, "root"), number)
