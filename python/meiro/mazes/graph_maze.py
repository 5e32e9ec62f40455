"""The class GraphMaze(OneMaze): a maze on a lattice of any kind, or on a graph of the user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only
from meiro._utils.validation import integer_pairs, plain_array
from meiro.lattices.lattice import Lattice, cell_of, flags_of, graph_of, name_of_cell, require_lattice
from meiro.mazes._edges import edge_numbers
from meiro.mazes._graph_openings import checked_graph_openings, plain_openings
from meiro.mazes._one_maze import OneMaze, maze_of, put, set_state
from meiro.mazes._openings import NO_OPENINGS, order_of_sites, same_sites
from meiro.mazes._recipe import plain_recipe, recipe_on
from meiro.seeds import STREAM, Seed

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    import networkx as nx
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.options import TextStyle
    from meiro.results.solution import Solution


class GraphMaze(OneMaze):
    """A maze on a `Lattice`: which of its edges are open.

    What `meiro.generate` makes on a lattice. Frozen. Two are equal if lattice, open edges and openings are.

    Parameters
    ----------
    lattice : Lattice
        Its cells and edges.
    open : array_like of bool, shape (n_edges,)
        Whether each edge is a passage. Or the numbers of the open edges.
    openings : array_like of int, shape (k, 2), or sequence of (cell, side), optional
        Sides of cells that are open, in the rim: as in `Lattice.rim`. Or cells, by label or number, with a
        side by its number or as it is seen from the cell: ``(0, "north_west")``. The first is the entrance,
        the last the exit.
    start, goal : cell, optional
        The cells between which `meiro.solve` looks for a path, instead of the openings: as `Lattice.cell`
        takes them.

    Attributes
    ----------
    lattice : Lattice
    open : ndarray of bool, shape (n_edges,)
        Read-only.
    openings : ndarray of int64, shape (k, 2)
        Number of the cell and side of each, as in `Lattice.rim`. Read-only.
    start, goal : cell or None
        As given, in the words of the lattice: labels, else tuples of coordinates, else numbers. `endpoints`
        says what is used.
    seed : Seed or None
        ``rng=maze.seed`` makes the maze again, as ``meiro.generate(**maze.recipe)`` does.

    Raises
    ------
    ValueError
        If `open` has another length, or opens a self loop; if an opening is not in the rim.

    Examples
    --------
    >>> lattice = meiro.lattices.square(2, 2)
    >>> maze = meiro.GraphMaze(lattice, [True, True, False, True])
    >>> maze.edges().tolist(), maze.is_perfect
    ([[0, 1], [2, 3], [1, 3]], True)
    """

    __module__ = "meiro"

    _held = ("lattice", "open", "seed", "_recipe", "_start", "_goal", "openings")
    _kept = ("_perfect", "_hash")
    __slots__ = (*_held, *_kept, "__weakref__")

    lattice: Lattice
    open: NDArray[np.bool_]
    openings: NDArray[np.int64]
    _start: int | None
    _goal: int | None
    _perfect: bool | None

    def __init__(
        self,
        lattice: Lattice,
        open: ArrayLike,  # noqa: A002  # the word for what an edge is
        *,
        start: Hashable = None,
        goal: Hashable = None,
        openings: Any = NO_OPENINGS,
    ) -> None:
        require_lattice(lattice)
        given = {"start": start, "goal": goal}
        ends = [None if cell is None else cell_of(lattice, cell, name) for name, cell in given.items()]
        rim = checked_graph_openings(lattice, openings)[0]
        set_state(self, lattice, checked_open(lattice, open), None, None, *ends, rim)

    @property
    def n_cells(self) -> int:
        """Number of cells of the lattice."""
        return self.lattice.n_cells

    @property
    def start(self) -> Any:
        """The start that was given; None for none."""
        return None if self._start is None else name_of_cell(self.lattice, self._start)

    @property
    def goal(self) -> Any:
        """The goal that was given; None for none."""
        return None if self._goal is None else name_of_cell(self.lattice, self._goal)

    @property
    def endpoints(self) -> tuple[Any, Any]:
        """The cells where `meiro.solve` and all else begin and end, unless others are given.

        `start` and `goal`; else the cells at the first and the last opening, or at the only one and the last
        cell; else the first and the last cell.
        """
        start, goal = ends_of_graph_maze(self)
        return name_of_cell(self.lattice, start), name_of_cell(self.lattice, goal)

    @property
    def end_openings(self) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
        """Number and side of the openings through which a path between `endpoints` comes in and goes out."""
        sites: list[tuple[int, int]] = [(cell, side) for cell, side in self.openings.tolist()]
        first = sites[0] if sites and self._start is None else None
        return first, sites[-1] if len(sites) > 1 and self._goal is None else None

    @property
    def recipe(self) -> dict[str, Any] | None:
        """The arguments of `meiro.generate` as plain values, or None for a maze that it did not make.

        What transforms have made of the maze since is in ``transforms=``, step by step.
        ``shape`` is the recipe of the lattice, which `meiro.generate` takes. Of a lattice without a recipe
        and of options it lists at most 10,000 numbers: else it holds a digest of them.
        """
        if self._recipe is None:
            return None
        kept = recipe_on(self._recipe, self.lattice.recipe)
        return plain_recipe(kept, self.seed, plain_openings(self.lattice, self.openings))

    @property
    def is_perfect(self) -> bool:
        """Whether there is exactly one path between any two cells of a component of the lattice."""
        if self._perfect is None:
            space = graph_of(self.lattice), self.open.view(np.uint8)[np.newaxis]
            put(self, "_perfect", bool(_core.check(space, 1, None)[0, 0]))
        return bool(self._perfect)

    def edge_ids(self) -> NDArray[np.int64]:
        """Return the numbers of the open edges, shape (k,), in order.

        Examples
        --------
        >>> meiro.generate(meiro.lattices.hexagonal(3, 4), rng=7).edge_ids().shape
        (11,)
        """
        return np.flatnonzero(self.open)

    def edges(self) -> NDArray[np.int32]:
        """Return the passages as pairs of cells, shape (k, 2), in the order of the edges.

        Examples
        --------
        >>> meiro.GraphMaze(meiro.Lattice(3, [(0, 1), (2, 1)]), [False, True]).edges()
        array([[2, 1]], dtype=int32)
        """
        return self.lattice.edges[self.open]

    @staticmethod
    def from_edges(lattice: Lattice, edges: ArrayLike) -> GraphMaze:
        """Make a maze on a lattice from its passages.

        `edges` are pairs of adjacent cells of `lattice`, by their numbers, as `GraphMaze.edges` returns them.
        Of parallel edges of the lattice a pair opens the first, and where it comes again the next.

        Examples
        --------
        >>> lattice = meiro.lattices.square(2, 2)
        >>> meiro.GraphMaze.from_edges(lattice, [(0, 1), (3, 1)]).edges().tolist()
        [[0, 1], [1, 3]]
        """
        pairs = integer_pairs(edges, "edges")
        return GraphMaze(lattice, edge_numbers(require_lattice(lattice), pairs))

    @staticmethod
    def from_sparse(lattice: Lattice, matrix: Any) -> GraphMaze:
        """Make a maze on a lattice from a sparse array of scipy.

        `matrix` is symmetric, with a row for each cell of `lattice` and an entry for each passage.

        Examples
        --------
        >>> maze = meiro.generate(meiro.lattices.hexagonal(3, 4), rng=7)
        >>> meiro.GraphMaze.from_sparse(maze.lattice, maze.to_sparse()) == maze
        True
        """
        from meiro.io.networkx import edges_of_sparse

        return GraphMaze.from_edges(lattice, edges_of_sparse(matrix, require_lattice(lattice).n_cells))

    @staticmethod
    def from_networkx(graph: nx.Graph[Any], *, lattice: Lattice | None = None) -> GraphMaze:
        """Make a maze from an undirected networkx graph.

        The nodes of `graph` are cells of `lattice`, by label or number, its edges the passages; those with
        ``open=False`` are closed. Without a lattice the graph itself is one, as `meiro.lattices.from_graph`
        makes it, on which all else is open.

        Examples
        --------
        >>> maze = meiro.generate(meiro.lattices.hexagonal(3, 4), rng=7)
        >>> meiro.GraphMaze.from_networkx(maze.to_networkx(), lattice=maze.lattice) == maze
        True
        """
        from meiro.io.networkx import graph_maze_from_networkx

        return graph_maze_from_networkx(graph, lattice)

    def to_text(
        self,
        style: TextStyle = "unicode",
        *,
        solution: Solution | ArrayLike | None = None,
        start: Hashable = None,
        goal: Hashable = None,
    ) -> str:
        """Return the maze as text, without a newline at the end, if it lies on squares, levels or a weave.

        Levels stand side by side, the lowest first; arrows mark stairs that lead up, down, or both ways. Of a
        weave the roads are drawn, not the walls: a bridge is a double line over the road below, and a path is
        heavy; in "ascii" the road below ends on both sides of the bridge, and "o" is a dead end.
        `style`, `start` and `goal` are as in `Maze.to_text`, `solution` as in `GraphMaze.to_svg`.

        Raises
        ------
        ValueError
            If the lattice is another one; if a path goes through a wall.

        Examples
        --------
        >>> maze = meiro.generate(meiro.lattices.box(2, 2, 3), rng=7)
        >>> print(maze.to_text("ascii"))
        +-+-+-+  +-+-+-+
        |    ^|  |    v|
        +-+-+-+  + +-+-+
        |^   ^|  |v  |v|
        +-+-+-+  +-+-+-+
        """
        from meiro.drawing.text.render import graph_text

        return graph_text(self, style, solution=solution, start=start, goal=goal)

    def __str__(self) -> str:
        """Return the maze as text if it has a text form, else its repr."""
        from meiro.drawing.text.render import graph_text, has_text

        return graph_text(self) if has_text(self) else repr(self)

    def _is_same(self, other: GraphMaze) -> bool:
        same = np.array_equal(self.open, other.open) and same_sites(self.openings, other.openings)
        return bool(same) and self.lattice == other.lattice

    def _digest(self) -> int:
        import hashlib

        digest = hashlib.sha256(np.packbits(self.open).tobytes())
        digest.update(hash(self.lattice).to_bytes(8, "little"))
        digest.update(self.openings[order_of_sites(self.openings)].tobytes())
        return int.from_bytes(digest.digest()[:8], "little") >> 3

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what the maze is; the seed as words of a stream."""
        ends = self._start, self._goal
        return self.lattice, self.open, self._words(), self._recipe, *ends, self.openings, STREAM

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Check what a pickle or a file holds. A seed of another stream makes other mazes: it is dropped."""
        lattice, passages, words, recipe, start, goal, openings, stream = state
        passages = checked_open(require_lattice(lattice), passages)
        rim = checked_graph_openings(lattice, np.asarray(openings))[0]
        set_state(self, lattice, passages, None, None, start, goal, rim)
        self._came_from(words, recipe, stream)

    def _size(self) -> str:
        return f"{self.lattice.name}: {self.n_cells:,} cell{'s' * (self.n_cells != 1)}"


def graph_maze_from_core(  # noqa: PLR0917  # the parts of a maze
    lattice: Lattice,
    open_: NDArray[np.uint8],
    seed: Seed | None = None,
    recipe: Mapping[str, object] | None = None,
    start: int | None = None,
    goal: int | None = None,
    openings: NDArray[np.int64] = NO_OPENINGS,
) -> GraphMaze:
    """Return a maze of a byte an edge, as the core made them: nothing is checked or copied."""
    return maze_of(GraphMaze, lattice, open_.view(np.bool_), seed, recipe, start, goal, openings)


def given_ends_of(maze: GraphMaze) -> tuple[int | None, int | None]:
    """Return the numbers of the start and the goal that were given."""
    return maze._start, maze._goal  # noqa: SLF001  # of this module's own class


def ends_of_graph_maze(maze: GraphMaze) -> tuple[int, int]:
    """Return the numbers of `GraphMaze.endpoints`."""
    (start, goal), (first, last) = given_ends_of(maze), maze.end_openings
    begin = (0 if first is None else first[0]) if start is None else start
    return begin, (maze.n_cells - 1 if last is None else last[0]) if goal is None else goal


def checked_open(lattice: Lattice, values: ArrayLike) -> NDArray[np.bool_]:
    """Return the open edges of a lattice as booleans, of these or of their numbers."""
    given = plain_array(values, "open")
    if given.dtype == np.uint8:  # as the core has them
        given = given.astype(np.bool_)
    found = flags_of(given, "open", lattice.n_edges, "edge")
    ends = lattice.edges[found]
    loops = np.flatnonzero(ends[:, 0] == ends[:, 1])
    if loops.size:
        edge = int(np.flatnonzero(found)[loops[0]])
        raise ValueError(f"edge {edge} is a self loop of cell {ends[loops[0], 0]}: it cannot be open")
    return read_only(found)
