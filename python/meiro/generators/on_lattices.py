"""`generate` and `generate_many` on a lattice instead of a shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.arrays import check_out
from meiro._utils.memory import CHECKED_FROM, require
from meiro._utils.progress import Progress, reporter
from meiro._utils.square import FLAT
from meiro._utils.validation import Threads, thread_count
from meiro.generators.options import FACTS, OptionContext, prepare_options
from meiro.lattices._recipes import from_recipe
from meiro.lattices.lattice import Lattice, graph_of
from meiro.mazes._batch import batch_of
from meiro.mazes._recipe import refuse_digests
from meiro.mazes.graph_batch import GraphBatch, GraphBatchData
from meiro.registry import ALGORITHMS
from meiro.seeds import RNG, root_of, seed_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from meiro._utils.square import Wrap
    from meiro.registry import AlgorithmFacts


def refuse_square_arguments(**given: object) -> None:
    """Raise a TypeError for an argument that only a shape of rows and columns takes."""
    for name, value in given.items():
        if value is not None and value is not FLAT:
            instead = ": lattice.mask(cells) makes a lattice of some of its cells" if name == "mask" else ""
            msg = f"a lattice takes no {name}{instead}"
            raise TypeError(msg)


@dataclass(frozen=True, slots=True)
class LatticeRequest:
    """What `meiro.generate` was asked for on a lattice, checked."""

    facts: AlgorithmFacts
    lattice: Lattice
    options: dict[str, Any]
    kept: dict[str, Any]
    mask: None = None
    wrap: Wrap = FLAT

    @property
    def shape(self) -> tuple[int]:
        """The number of cells."""
        return (self.lattice.n_cells,)

    def recipe(self) -> dict[str, Any]:
        """Return the keywords with which `meiro.generate` makes the maze again, but lattice and seed."""
        return {"shape": None, "algorithm": self.facts.name, **self.kept}

    def allocate(self, n: int, threads: int) -> NDArray[np.bool_]:
        """Allocate the edges of `n` mazes; MemoryError if they cannot fit beside the scratch memory."""
        return _allocate(self.lattice, self.facts, n, self.options, threads)


def parse_lattice_request(
    lattice: Lattice | Mapping[str, Any], facts: AlgorithmFacts, given: dict[str, object]
) -> LatticeRequest:
    """Check what is asked for on a lattice, or on one of a recipe."""
    if facts.name not in (able := [f.name for f in ALGORITHMS.values() if f.graphs]):
        msg = f"{facts.name!r} needs rows and columns, and takes no lattice; these do: {', '.join(able)}"
        raise TypeError(msg)
    refuse_digests(given)
    if not isinstance(lattice, Lattice):
        lattice = from_recipe(lattice)
    context = OptionContext(facts, (1, lattice.n_cells), None, FLAT, lattice)
    options, kept = prepare_options(context, given) if given else ({}, {})
    return LatticeRequest(facts, lattice, options, kept)


def generate_on_lattice(  # noqa: PLR0917  # as generate_many() has them
    lattice: Lattice | Mapping[str, Any],
    facts: AlgorithmFacts,
    n: int | None,
    rng: RNG,
    given: dict[str, object],
    threads: Threads,
    progress: Progress,
    out: NDArray[Any] | None = None,
) -> GraphBatch:
    """Make `n` mazes, or one if it is None; the other arguments are as in `meiro.generate_many`."""
    request = parse_lattice_request(lattice, facts, given)
    lattice, options = request.lattice, request.options
    count = 1 if n is None else n
    n_threads = thread_count(threads)
    if out is None:
        out = request.allocate(count, n_threads)
    else:
        check_out(out, (count, lattice.n_edges), np.dtype(np.bool_))
    seed = seed_of(rng)
    told = reporter(progress, unit=1 if n is None else lattice.n_cells)
    words = (*seed.key, seed.replicate)
    _core.generate(facts.name, graph_of(lattice), out.view(np.uint8), words, options, n_threads, told)
    numbers = np.arange(count, dtype=np.uint64) + np.uint64(seed.replicate)
    numbers.flags.writeable = False
    return batch_of(GraphBatch, GraphBatchData(lattice, out, root_of(seed), numbers, request.recipe()))


def _allocate(
    lattice: Lattice, facts: AlgorithmFacts, n: int, options: Mapping[str, object], threads: int
) -> NDArray[np.bool_]:
    """Allocate the edges of `n` mazes; MemoryError if they cannot fit beside the scratch memory."""
    size = lattice.n_cells + lattice.n_edges
    bytes_a_place = facts.graph_scratch + sum(FACTS[name]["scratch"] for name in options)
    needed = lattice.n_edges * n + int(size * bytes_a_place) * (min(n, threads) or 1)
    if needed >= CHECKED_FROM:
        what = f"{facts.name} on {lattice!r}" if n == 1 else f"{n:,} mazes on {lattice!r}"
        require(needed, what, "take a smaller lattice" if n == 1 else "make fewer at a time")
    return np.empty((n, lattice.n_edges), np.bool_)
