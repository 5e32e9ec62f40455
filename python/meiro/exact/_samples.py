"""Samples of mazes for tests: those that a sampler draws, and those that are given."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from meiro._utils.messages import short_repr
from meiro._utils.progress import paced
from meiro._utils.validation import integer, number
from meiro.exact._domain import as_maze, domain_of_array, domain_of_mazes
from meiro.generators.generate import generate_many
from meiro.registry import ALGORITHMS
from meiro.spaces.space_of import are_several, is_maze

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from meiro.exact._domain import Domain
    from meiro.seeds import Seed


def checked_drawing(n: SupportsIndex | None, seconds: float | None) -> tuple[int | None, float]:
    """Return how many mazes are to be drawn, if that is said, and in what time."""
    many = None if n is None else integer(n, "n", 1, 1 << 62)
    return many, math.inf if seconds is None else number(seconds, "seconds", 0, math.inf)


class Sample:
    """The mazes of a sampler, drawn or given.

    Attributes
    ----------
    algorithm : str or None
        The name of a generator.
    domain : Domain or None
        That of the first maze, if it tells; the first is drawn before all others, so that they are not drawn
        in vain.
    report : callable or None
        Of progress, in what comes after the drawing.
    """

    def __init__(
        self,
        sampler: Any,
        name: str,
        *,
        n: int | None,
        seed: Seed,
        seconds: float,
        report: Callable[[int, int], object] | None,
    ) -> None:
        self._sampler, self._name, self._seed = sampler, name, seed
        self._n, self._seconds = n, seconds
        self._report = paced(report)
        self._drawn = 0
        self._first: list[Any] = []
        self.algorithm = ALGORITHMS.find(sampler, name).name if isinstance(sampler, str) else None
        if self.algorithm is None and callable(sampler):
            self._generator = np.random.default_rng([*seed.key, seed.replicate])
            self._first = [sampler(self._generator)]
        elif self.algorithm is None and (
            is_maze(sampler) or not (are_several(sampler) or isinstance(sampler, np.ndarray | Sequence))
        ):
            raise TypeError(f"{name} must be a callable, a name, or many mazes, not {short_repr(sampler)}")

    @property
    def domain(self) -> Domain | None:
        if self.algorithm is None and are_several(self._sampler):
            return domain_of_mazes(self._sampler, self._name)[0]
        items = self._first or self._sampler
        first = None if self.algorithm is not None or len(items) == 0 else as_maze(items[0])
        if is_maze(first):
            return domain_of_mazes(first, self._name)[0]
        return domain_of_array(first, self._name)

    def report(self, done: int, total: int) -> None:
        """Report what comes beside the mazes that are drawn."""
        self._report(self._drawn + done, self._drawn + total)

    def mazes(self, shape: Any, many: int, after: int = 0) -> Any:
        """Return all mazes, `many` of a sampler that draws them by default; those of a callable one by one.

        `shape`, or a lattice, is for a name; `after` is what will be reported after the drawing.
        """
        n = many if self._n is None else self._n
        if self.algorithm is not None:
            made = generate_many(shape, self.algorithm, n, rng=self._seed)
            self._drawn = n
            self.report(0, after)
            return made
        return self._draw(n, after) if self._first else self._sampler

    def _draw(self, n: int, after: int) -> Iterator[Any]:
        until = time.monotonic() + self._seconds
        yield self._first[0]
        self._drawn = 1
        while self._drawn < n and time.monotonic() < until:
            yield self._sampler(self._generator)
            self._drawn += 1
            self.report(0, n - self._drawn + after)
