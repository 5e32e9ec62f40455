"""Arrays to learn from: what `supervised` makes of mazes whose starts and goals are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.set_module import set_module
from meiro._utils.validation import thread_count
from meiro.datasets.tokens import PADDING, maze_tokens, path_tokens
from meiro.results.solution_batch import SolutionBatch, cells_on
from meiro.spaces.space_of import lattice_of, mazes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.validation import Threads
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch
    from meiro.spaces.space import MazeSpace


@set_module("meiro.datasets")
class GraphInputs(NamedTuple):
    """Mazes on a lattice as networks on graphs take them, in `Samples`.

    Edge ``e`` joins the cells ``lattice.edges[e]``, the same in all mazes: `Samples.edge_index`.

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

    def __repr__(self) -> str:
        """Return one line."""
        return f"<GraphInputs: open {self.open.shape}, ends {self.ends.shape}>"


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
        The mazes, with their starts and goals.

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

    @property
    def edge_index(self) -> NDArray[np.int64]:
        """The edges of the lattice, in both directions, as networks on graphs take them: (2, 2 * n_edges).

        First all as in ``lattice.edges``, then all the other way round; ``np.tile(inputs.open[i], 2)`` says
        which of them are open in maze `i`.

        Examples
        --------
        >>> samples = meiro.datasets.supervised(meiro.lattices.hexagonal(3, 4), "wilson", 5, rng=7)
        >>> open_ways = samples.edge_index[:, np.tile(samples.inputs.open[0], 2) == 1]
        >>> samples.edge_index.shape, open_ways.shape
        ((2, 46), (2, 22))
        """
        lattice = lattice_of(self.mazes)
        if lattice is None:
            raise TypeError(f"edge_index is of mazes on a lattice, not of {self.mazes!r}")
        return np.concatenate([lattice.edges, lattice.edges[:, ::-1]]).T.astype(np.int64)

    def __repr__(self) -> str:
        """Return one line."""
        inputs = self.inputs if isinstance(self.inputs, tuple) else _described(self.inputs)
        return f"<Samples of {self.mazes!r}: inputs {inputs}, targets {_described(self.targets)}>"


def _described(array: NDArray[Any]) -> str:
    return f"{array.dtype} {array.shape}"


def some_of(samples: Samples, which: NDArray[np.int64]) -> Samples:
    """Return some of the samples."""
    inputs = samples.inputs
    some = GraphInputs(*(each[which] for each in inputs)) if isinstance(inputs, tuple) else inputs[which]
    return Samples(some, samples.targets[which], samples.masks[which], samples.mazes[which])


def samples_of(mazes: MazeBatch | GraphBatch, inputs: str, target: str, threads: Threads) -> Samples:
    """Return the samples of mazes that have starts and goals."""
    space: MazeSpace[Any] = mazes_of(mazes)
    n, size, n_threads = space.n, space.size, thread_count(threads)
    room = size + space.lattice.n_edges if space.on_lattice else (space.shape[0] + 1) * (space.shape[1] + 1)
    require(40 * n * room, f"the samples of {n:,} mazes", "give batch_size=")
    made = maze_tokens(mazes) if inputs == "tokens" else _channels(space, inputs)
    starts, goals = space.given_starts_and_goals()
    if target == "distances":
        found = space.result(None, space.counts)
        _core.distances(space.core, goals[:, np.newaxis], np.empty(0), found, n_threads, None)
        return Samples(made, found, found >= 0, mazes)
    if target == "policy":
        moves = _core.policy(space.core, goals[:, np.newaxis], n_threads, None)
        return Samples(made, moves, moves >= 0 if space.on_lattice else moves != 0, mazes)
    lengths, found_paths = _core.solve_many(space.core, starts, goals, lambda _: None, n_threads, None)
    paths: Any = found_paths  # an array, as it was asked for
    if target == "tokens":
        tokens = path_tokens(paths if space.on_lattice else paths @ (space.shape[1], 1), size)
        return Samples(made, tokens, tokens != PADDING, mazes)
    if inputs == "grid":
        shape: Any = space.shape  # rows and columns
        on_path = SolutionBatch(lengths, paths, shape).masks
        return Samples(made, np.array(on_path), made[:, 0] == 0, mazes)
    exist = space.existing()
    there = True if exist is None else exist.reshape(-1, *space.shape)
    return Samples(
        made, cells_on(paths, space.shape), np.array(np.broadcast_to(there, space.result_shape)), mazes
    )


def _channels(space: MazeSpace[Any], inputs: str) -> Any:
    """Return walls or passages, and the places of starts and goals."""
    n, which, ends = space.n, np.arange(space.n), space.given_starts_and_goals()
    if space.on_lattice:
        graph = GraphInputs(space.passages.copy(), np.zeros((n, space.size, 2), np.uint8))
        for k, cells in enumerate(ends):
            graph.ends[which, cells, k] = 1
        return graph
    walls = space.x.grids if inputs == "grid" else space.passages
    scale, shift = (2, 1) if inputs == "grid" else (1, 0)
    made = np.zeros((n, 3, *walls.shape[1:]), np.uint8)
    made[:, 0] = walls
    for channel, cells in zip((1, 2), ends, strict=True):
        places = scale * space.names(cells) + shift
        made[which, channel, places[:, 0], places[:, 1]] = 1
    return made
