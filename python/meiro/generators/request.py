"""What is to be made: the arguments of `meiro.generate`, checked against the facts of the algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from meiro._utils.arrays import mask_of
from meiro._utils.memory import require
from meiro._utils.square import FLAT, checked_shape, checked_wrap
from meiro.generators.options import FACTS, OptionContext, prepare_options
from meiro.registry import ALGORITHMS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import ShapeLike
    from meiro.registry import AlgorithmFacts
    from meiro.seeds import Seed


class GenerateRequest:
    """What is to be made, checked."""

    __slots__ = ("facts", "kept", "mask", "options", "shape", "wrap")

    def __init__(self, context: OptionContext, given: dict[str, object]) -> None:
        self.facts, self.shape, self.mask, self.wrap = context
        self.options, self.kept = prepare_options(context, given) if given else ({}, {})

    def recipe(self, seed: Seed) -> dict[str, object]:
        """Return what makes the maze again."""
        recipe = {"shape": self.shape, "algorithm": self.facts.name, "rng": seed, **self.kept}
        if self.mask is not None:
            recipe["mask"] = self.mask
        if any(self.wrap):
            recipe["wrap"] = self.wrap
        return recipe

    def allocate(self, n: int, threads: int) -> NDArray[np.uint8]:
        """Return an array for so many, or say how many bytes are missing."""
        rows, cols = self.shape
        bytes_a_cell = self.facts.scratch + (self.facts.wrapped if any(self.wrap) else 0)
        bytes_a_cell += sum(FACTS[name]["scratch"] for name in self.options)
        scratch = int(rows * cols * bytes_a_cell * (min(n, threads) or 1))
        what = f"{self.facts.name} of ({rows}, {cols})" if n == 1 else f"{n:,} mazes of ({rows}, {cols})"
        require(n * rows * cols + scratch, what, "take a smaller shape" if n == 1 else "make fewer at a time")
        return np.empty((n, rows, cols), np.uint8)


def parse_request(  # noqa: PLR0917  # as generate() has them
    facts: AlgorithmFacts,
    shape: ShapeLike | None,
    grid_shape: ShapeLike | None,
    mask: ArrayLike | None,
    wrap: tuple[bool, bool],
    given: dict[str, object],
) -> GenerateRequest:
    """Return what `meiro.generate` is asked for, checked."""
    if mask is not None and shape is None and grid_shape is None:
        shape = np.shape(mask)
        if len(shape) != 2:
            msg = f"mask must be 2-D, not {len(shape)}-D"
            raise ValueError(msg)
    cells = checked_shape(shape, grid_shape)
    checked_mask = None
    if mask is not None:
        _require_trait(facts, "mask", [f.name for f in ALGORITHMS.values() if f.masks])
        checked_mask = mask_of(mask, cells)
    sides = wrap
    if wrap is not FLAT:
        sides = checked_wrap(wrap, cells)
        if any(sides):
            _require_trait(facts, "wrap", [f.name for f in ALGORITHMS.values() if f.wraps])
    return GenerateRequest(OptionContext(facts, cells, checked_mask, sides), given)


def _require_trait(facts: AlgorithmFacts, what: str, those: list[str]) -> None:
    if facts.name not in those:
        msg = f"{facts.name!r} takes no {what}; these do: {', '.join(those)}"
        raise TypeError(msg)
