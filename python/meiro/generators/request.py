"""The arguments of `meiro.generate`, checked against the facts of the algorithm."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.arrays import BYTES, check_out, mask_of, mask_shape
from meiro._utils.memory import CHECKED_FROM, fits, require
from meiro._utils.square import FLAT, ShapeLike, checked_shape, checked_wrap
from meiro.generators.options import FACTS, OptionContext, prepare_options, unknown_option
from meiro.generators.region import LONGEST_SIDE, SAME_TREE
from meiro.lattices._recipes import from_recipe
from meiro.lattices.lattice import Lattice, graph_of
from meiro.mazes._openings import NO_OPENINGS
from meiro.mazes._recipe import refuse_digests
from meiro.mazes._validation import surviving_mask
from meiro.mazes.graph_maze import GraphMaze, graph_maze_from_core
from meiro.mazes.maze import maze_from_core
from meiro.registry import ALGORITHMS, AlgorithmFacts
from meiro.seeds import seed_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from meiro.mazes.maze import Maze
    from meiro.seeds import Seed


_MANY = 1 << 32  # cells


class GenerateRequest:
    """The checked arguments of `generate`, with options as the core and as recipes take them.

    Attributes
    ----------
    lattice : Lattice or None
        None on rows and columns.
    shape : tuple of int
        Rows and columns, or the number of cells of the lattice.
    """

    __slots__ = ("facts", "kept", "lattice", "mask", "options", "shape", "wrap")
    shape: Any

    def __init__(self, context: OptionContext, given: dict[str, object]) -> None:
        self.facts, self.shape, self.mask, self.wrap, self.lattice = context
        if self.lattice is not None:
            self.shape = (self.lattice.n_cells,)
        self.options, self.kept = prepare_options(context, given) if given else ({}, {})

    def recipe(self) -> dict[str, object]:
        """Return the keywords with which `meiro.generate` makes the maze again, but lattice and seed."""
        shape = self.shape if self.lattice is None else None
        recipe: dict[str, object] = {"shape": shape, "algorithm": self.facts.name, **self.kept}
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

    def allocate(self, n: int, threads: int, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return an array for the passages of `n` mazes, `out` if given, checked.

        Of squares uint8, (n, rows, cols); on a lattice bool, (n, n_edges). MemoryError if it cannot fit
        beside the scratch memory.
        """
        facts, lattice = self.facts, self.lattice
        kind: np.dtype[Any]
        # bytes a cell, of scratch memory
        item = facts.wrapped * any(self.wrap) + facts.masked * (self.mask is not None)
        for name in self.options:
            item += FACTS[name]["scratch"]
        if lattice is not None:
            places, kind = (lattice.n_edges,), np.dtype(np.bool_)
            scratch = int((lattice.n_cells + lattice.n_edges) * (facts.graph_scratch + item))
        else:
            places, kind = self.shape, BYTES
            rows, cols = self.shape
            by_rows = "rows" in facts.parts  # the scratch memory is that of a row, for each thread
            scratch = rows * cols * item
            scratch += facts.scratch * (max(rows, cols) * threads if by_rows else rows * cols)
        new = n * math.prod(places) if out is None else 0
        needed = new + scratch * (min(n, threads) or 1)
        if needed >= CHECKED_FROM:
            where = f"of {self.shape}" if lattice is None else f"on {lattice!r}"
            smaller = f"take a smaller {'shape' if lattice is None else 'lattice'}"
            what = f"{facts.name} {where}" if n == 1 else f"{n:,} mazes {where}"
            require(int(needed), what, smaller if n == 1 else "make fewer at a time")
        if out is None:
            return np.empty((n, *places), kind)
        check_out(out, (n, *places), kind)
        return out

    def make(
        self,
        n: int,
        seed: Seed,
        threads: int,
        report: Callable[[int, int], object] | None,
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """Return the passages of `n` mazes, in `out` if given; maze i is of replicate i of the seed."""
        made = self.allocate(n, threads, out)
        self.run(made, seed, threads, report, None)
        return made

    def run(
        self,
        out: NDArray[Any],
        seed: Seed,
        threads: int,
        report: Callable[[int, int], object] | None,
        recording: Any,
    ) -> None:
        """Fill an array of `allocate`; of one maze the events are stored in `recording`, if that is given."""
        words = seed_words(seed)
        place: Any = (self.mask, self.wrap)
        if self.lattice is not None:
            place, out = graph_of(self.lattice), out.view(np.uint8)
        _core.generate(self.facts.name, place, out, words, self.options, threads, report, recording)

    def maze(self, passages: NDArray[Any], seed: Seed) -> Maze | GraphMaze:
        """Return the maze of the passages that a seed has made."""
        recipe = self.recipe()
        if self.lattice is not None:
            return graph_maze_from_core(self.lattice, passages.view(np.uint8), seed, recipe)
        mask = surviving_mask(passages, self.mask, recipe)
        return maze_from_core(passages, mask, NO_OPENINGS, seed, recipe, self.wrap)


def refuse_square_arguments(**given: object) -> None:
    """Raise a TypeError for an argument that only a shape of rows and columns takes."""
    for name, value in given.items():
        if value is not None and value is not FLAT:
            instead = ": lattice.mask(cells) makes a lattice of some of its cells" if name == "mask" else ""
            raise TypeError(f"a lattice takes no {name}{instead}")


def parse_request(  # noqa: PLR0917  # as generate() has them
    facts: AlgorithmFacts,
    shape: ShapeLike | Lattice | Mapping[str, Any] | None,
    grid_shape: ShapeLike | None,
    mask: ArrayLike | None,
    wrap: tuple[bool, bool],
    given: dict[str, object],
) -> GenerateRequest:
    """Check the arguments of `meiro.generate`."""
    if shape is None and (unknown := next((name for name in given if name not in FACTS), None)):
        raise TypeError(unknown_option(facts.name, unknown, facts.options))
    if type(shape) is not tuple and isinstance(shape, Lattice | Mapping):  # a small maze takes microseconds
        refuse_square_arguments(grid_shape=grid_shape, mask=mask, wrap=wrap)
        return _on_lattice(facts, shape, given)
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


def _on_lattice(
    facts: AlgorithmFacts, lattice: Lattice | Mapping[str, Any], given: dict[str, object]
) -> GenerateRequest:
    """Check what is asked for on a lattice, or on one of a recipe."""
    if facts.name not in (able := [f.name for f in ALGORITHMS.values() if f.graphs]):
        raise TypeError(
            f"{facts.name!r} needs rows and columns, and takes no lattice; these do: {', '.join(able)}"
        )
    refuse_digests(given)
    if not isinstance(lattice, Lattice):
        lattice = from_recipe(lattice)
    return GenerateRequest(OptionContext(facts, (1, lattice.n_cells), None, FLAT, lattice), given)


def _require_trait(facts: AlgorithmFacts, what: str, those: list[str]) -> None:
    if facts.name not in those:
        raise TypeError(f"{facts.name!r} takes no {what}; these do: {', '.join(those)}")
