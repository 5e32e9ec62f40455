"""The arguments of `meiro.generate`, checked against the facts of the algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from meiro._utils.arrays import mask_of, mask_shape
from meiro._utils.memory import CHECKED_FROM, fits, require
from meiro._utils.square import FLAT, ShapeLike, checked_shape, checked_wrap
from meiro.generators.options import FACTS, OptionContext, prepare_options
from meiro.generators.region import LONGEST_SIDE, SAME_TREE
from meiro.mazes._recipe import refuse_digests
from meiro.registry import ALGORITHMS, AlgorithmFacts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


_MANY = 1 << 32  # cells


class GenerateRequest:
    """The checked arguments of `generate`, with options as the core and as recipes take them."""

    __slots__ = ("facts", "kept", "mask", "options", "shape", "wrap")
    lattice: ClassVar[None] = None

    def __init__(self, context: OptionContext, given: dict[str, object]) -> None:
        self.facts, self.shape, self.mask, self.wrap, _ = context
        self.options, self.kept = prepare_options(context, given) if given else ({}, {})

    def recipe(self) -> dict[str, object]:
        """Return the keywords with which `meiro.generate` makes the maze again, but the seed."""
        recipe: dict[str, object] = {"shape": self.shape, "algorithm": self.facts.name, **self.kept}
        if self.mask is not None:
            recipe["mask"] = self.mask
        if any(self.wrap):
            recipe["wrap"] = self.wrap
        return recipe

    def larger_than_memory(self) -> bool:
        """Return whether this is a maze that is to be made in bands of rows, with less scratch memory."""
        cells = self.shape[0] * self.shape[1]
        whole = self.mask is not None or any(self.wrap) or not set(self.options) <= {"bias"}
        if self.facts.name not in SAME_TREE or whole or max(self.shape) > LONGEST_SIDE:
            return False
        return cells >= _MANY or not fits(int(cells * self.facts.scratch))

    def allocate(self, n: int, threads: int, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return an array for the passages of `n` mazes, `out` if given.

        MemoryError if the array, unless it is there, and the scratch memory cannot fit.
        """
        rows, cols = self.shape
        bytes_a_cell = self.facts.wrapped if any(self.wrap) else 0
        for name in self.options:
            bytes_a_cell += FACTS[name]["scratch"]
        scratch = rows * cols * bytes_a_cell
        if "rows" in self.facts.parts:  # the scratch memory is that of a row, for each thread
            scratch += max(rows, cols) * self.facts.scratch * threads
        else:
            scratch += rows * cols * self.facts.scratch
        needed = rows * cols * n * (out is None) + scratch * (min(n, threads) or 1)
        if needed >= CHECKED_FROM:
            size = f"({rows}, {cols})"
            what = f"{self.facts.name} of {size}" if n == 1 else f"{n:,} mazes of {size}"
            require(int(needed), what, "take a smaller shape" if n == 1 else "make fewer at a time")
        return np.empty((n, rows, cols), np.uint8) if out is None else out


def parse_request(  # noqa: PLR0917  # as generate() has them
    facts: AlgorithmFacts,
    shape: ShapeLike | None,
    grid_shape: ShapeLike | None,
    mask: ArrayLike | None,
    wrap: tuple[bool, bool],
    given: dict[str, object],
) -> GenerateRequest:
    """Check the arguments of `meiro.generate`."""
    refuse_digests({"mask": mask, **given})
    if mask is not None and shape is None and grid_shape is None:
        shape = mask_shape(mask)
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
