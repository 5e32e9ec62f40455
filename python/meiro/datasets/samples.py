"""Arrays to learn from: what `supervised` makes of mazes whose starts and goals are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.set_module import set_module
from meiro._utils.validation import thread_count
from meiro.datasets.tokens import PADDING, graph_tokens, maze_tokens, path_tokens
from meiro.solvers.distances import distances
from meiro.solvers.path_queries import policy
from meiro.solvers.solve_many import solve_many
from meiro.spaces.space_of import mazes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.validation import Threads
    from meiro.graphs.graph_batch import GraphBatch
    from meiro.maze.batch import MazeBatch


@set_module("meiro.datasets")
class GraphInputs(NamedTuple):
    """Mazes on a lattice as networks on graphs take them, in `Samples`.

    Edge ``e`` joins the cells ``lattice.edges[e]``, the same in all mazes.

    Attributes
    ----------
    open : ndarray of uint8, shape (n, n_edges)
        1 where an edge is a passage.
    ends : ndarray of uint8, shape (n, n_cells, 2)
        Of each cell whether it is the start, and whether it is the goal.

    Examples
    --------
    >>> samples = meiro.datasets.supervised(meiro.lattices.hexagonal(3, 4), "wilson", 5, rng=7)
    >>> samples.inputs.open.shape, samples.inputs.ends.shape, samples.mazes.lattice.edges.shape
    ((5, 23), (5, 12, 2), (23, 2))
    """

    open: NDArray[np.uint8]
    ends: NDArray[np.uint8]


@set_module("meiro.datasets")
class Samples(NamedTuple):
    """Mazes with what is to be learned of them, as `supervised` returns them.

    Attributes
    ----------
    inputs : ndarray of uint8, shape (n, 3, h, w) or (n, 3, rows, cols); or of int32, shape (n, k)
        Walls (1) or passages, then the start and the goal, each 1 at its place; or tokens. On a lattice
        `GraphInputs`, or tokens.
    targets : ndarray
        As `supervised` says for each target.
    masks : ndarray of bool, shape of `targets`
        Where the target is defined.
    mazes : MazeBatch or GraphBatch
        The mazes; a MazeBatch with their starts and goals.

    Examples
    --------
    >>> samples = meiro.datasets.supervised((4, 5), "wilson", 3, rng=7)
    >>> samples.inputs.shape, samples.mazes
    ((3, 3, 9, 11), <MazeBatch of 3: 4 rows x 5 cols, wilson>)
    """

    inputs: Any
    targets: NDArray[Any]
    masks: NDArray[np.bool_]
    mazes: Any


def graph_samples(
    mazes: GraphBatch,
    ends: tuple[NDArray[np.int64], NDArray[np.int64]],
    inputs: str,
    target: str,
    threads: Threads,
) -> Samples:
    """Return the samples of mazes on a lattice, with these cells as starts and goals."""
    lattice, n = mazes.lattice, len(mazes)
    cells = lattice.n_cells
    require(40 * n * (cells + lattice.n_edges), f"the samples of {n:,} mazes", "give batch_size=")
    made: NDArray[np.int32] | GraphInputs
    if inputs == "tokens":
        made = graph_tokens(mazes, *ends)
    else:
        made = GraphInputs(mazes.open.astype(np.uint8), np.zeros((n, cells, 2), np.uint8))
        for k, places in enumerate(ends):
            made.ends[np.arange(n), places, k] = 1
    starts, goals = (np.ascontiguousarray(places) for places in ends)
    n_threads, space = thread_count(threads), mazes_of(mazes).core
    if target == "distances":
        found = np.empty((n, cells), np.int32)
        _core.distances(space, goals[:, np.newaxis], np.empty(0), found, n_threads, None)
        return Samples(made, found, found >= 0, mazes)
    if target == "policy":
        moves = _core.policy(space, goals[:, np.newaxis], n_threads, None)
        return Samples(made, moves, moves >= 0, mazes)
    paths: Any = _core.solve_many(space, starts, goals, lambda _: None, n_threads, None)[1]
    if target == "tokens":
        tokens = path_tokens(paths, cells)
        return Samples(made, tokens, tokens != PADDING, mazes)
    path = np.zeros((n, cells), np.bool_)
    maze, step = np.nonzero(paths >= 0)
    path[maze, paths[maze, step]] = True
    return Samples(made, path, np.ones((n, cells), np.bool_), mazes)


def square_samples(mazes: MazeBatch, inputs: str, target: str, threads: Threads) -> Samples:
    """Return the samples of mazes of rows and columns, which have starts and goals."""
    n, rows, cols = mazes.passages.shape
    require(40 * n * (rows + 1) * (cols + 1), f"the samples of {n:,} mazes", "give batch_size=")
    starts, goals = mazes.starts, mazes.goals
    walls = mazes.grids if inputs == "grid" else mazes.passages
    made = maze_tokens(mazes) if inputs == "tokens" else _channels(mazes, walls, inputs)
    if target == "distances":
        found = distances(mazes, goals, threads=threads)
        return Samples(made, found, found >= 0, mazes)
    if target == "policy":
        moves = policy(mazes, goals, threads=threads)
        return Samples(made, moves, moves != 0, mazes)
    solved = solve_many(mazes, starts, goals, paths=True, threads=threads)
    if target == "tokens":
        cells: Any = solved.paths
        tokens = path_tokens(cells @ (cols, 1), rows * cols)
        return Samples(made, tokens, tokens != PADDING, mazes)
    path = np.zeros(walls.shape, np.bool_)
    if inputs == "grid":
        path[:] = solved.masks
        return Samples(made, path, walls == 0, mazes)
    paths: NDArray[np.int32] = solved.paths  # type: ignore[assignment]  # paths=True
    maze, step = np.nonzero(paths[..., 0] >= 0)
    path[maze, *paths[maze, step].T] = True
    exist = (
        np.ones(walls.shape, np.bool_) if mazes.masks is None else np.broadcast_to(mazes.masks, walls.shape)
    )
    return Samples(made, path, exist, mazes)


def _channels(mazes: MazeBatch, walls: NDArray[np.uint8], inputs: str) -> NDArray[np.uint8]:
    """Return walls or passages, and the places of starts and goals."""
    scale, shift = (2, 1) if inputs == "grid" else (1, 0)
    n = len(mazes)
    made = np.zeros((n, 3, *walls.shape[1:]), np.uint8)
    made[:, 0] = walls
    which = np.arange(n)
    for channel, cells in ((1, mazes.starts), (2, mazes.goals)):
        places = scale * np.asarray(cells) + shift
        made[which, channel, places[:, 0], places[:, 1]] = 1
    return made
