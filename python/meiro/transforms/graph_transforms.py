"""Loops and dead ends of mazes on lattices: what `braid`, `add_loops` and `fill_dead_ends` do there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from meiro import _core
from meiro._utils.memory import CHECKED_FROM, require
from meiro._utils.progress import Progress, reporter
from meiro._utils.validation import Threads, thread_count
from meiro.graphs.graph_batch import GraphBatch, graph_batch
from meiro.graphs.graph_maze import GraphMaze, graph_maze_from_core
from meiro.lattices.lattice import graph_of
from meiro.seeds import root_of
from meiro.solvers.graph_cells import graph_cells, one_graph

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from meiro.seeds import Seed

GraphMazes = TypeVar("GraphMazes", GraphMaze, GraphBatch)
_ALL = (1 << 62) - 1  # rounds


def braid_graphs(x: GraphMazes, chance: int, seed: Seed, threads: Threads, progress: Progress) -> GraphMazes:
    """Open a wall of dead ends taken with a chance in units of 2**-63."""
    graph, mazes = _arguments(x, threads)
    sharing = thread_count(threads), reporter(progress)
    words = (*seed.key, seed.replicate)
    return _derived(x, _core.braid_graphs(graph, mazes, words, chance, *sharing), seed)


def add_loops_to_graphs(  # as add_loops() has them
    x: GraphMazes,
    counts_of: Callable[[NDArray[np.int64]], NDArray[np.int64]],
    seed: Seed,
    threads: Threads,
    progress: Progress,
) -> GraphMazes:
    """Open walls: ``counts_of`` makes their number of that of the walls of each maze."""
    graph, mazes = _arguments(x, threads)
    counts = counts_of(_core.count_graph_walls(graph, mazes))
    sharing = thread_count(threads), reporter(progress)
    words = (*seed.key, seed.replicate)
    return _derived(x, _core.add_loops_to_graphs(graph, mazes, words, counts, *sharing), seed)


def fill_dead_ends_of_graphs(x: GraphMazes, keep: Any, threads: Threads, progress: Progress) -> GraphMazes:
    """Close the passages of dead ends, but of the cells that are kept."""
    graph, mazes = _arguments(x, threads)
    if keep is None:
        ends = x.endpoints if isinstance(x, GraphMaze) else (0, x.lattice.n_cells - 1)
        kept = np.array([ends], np.int64)
    elif isinstance(keep, list) and not keep:
        kept = np.empty((1, 0), np.int64)
    else:
        kept = graph_cells(x.lattice, keep, "keep")[np.newaxis]
    sharing = thread_count(threads), reporter(progress)
    return _derived(x, _core.fill_graphs(graph, mazes, kept, _ALL, *sharing), None)


def _arguments(x: GraphMaze | GraphBatch, threads: Threads) -> tuple[_core.Graph, NDArray[np.uint8]]:
    mazes, lattice = one_graph(x), x.lattice
    need = mazes.size + 26 * lattice.n_cells * min(thread_count(threads), max(len(mazes), 1))
    if need >= CHECKED_FROM:
        require(need, f"a transform of {x!r}", "take a smaller lattice, or a slice of a batch")
    return graph_of(lattice), mazes


def _derived(x: GraphMazes, passages: NDArray[np.uint8], seed: Seed | None) -> GraphMazes:
    """Return mazes of other passages, with the lattice, start and goal of `x`."""
    if isinstance(x, GraphMaze):
        return graph_maze_from_core(x.lattice, passages[0], seed, None, x.start, x.goal)
    numbers = x.replicates
    if seed is not None:
        numbers = np.arange(len(x), dtype=np.uint64) + np.uint64(seed.replicate)
        numbers.flags.writeable = False
    root = None if seed is None else root_of(seed)
    return graph_batch(x.lattice, passages.view(np.bool_), root, numbers, None)
