"""What mazes of all kinds have, `AnyMaze`, and one maze of any kind: its state, the verbs as methods."""

from __future__ import annotations

from abc import abstractmethod
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, Unpack

import numpy as np

from meiro._utils.messages import printable, refuse_change
from meiro.mazes._recipe import algorithm_of
from meiro.seeds import STREAM, Seed

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    import networkx as nx
    import scipy.sparse
    from _typeshed import SupportsWrite
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from meiro._utils.options import PictureOptions, SaveOptions
    from meiro.results.measures import Measures
    from meiro.results.solution import Solution


put = object.__setattr__


class AnyMaze:  # noqa: PLW1641  (one maze has a hash, many have none)
    """A maze, or many: `Maze`, `GraphMaze`, `MazeBatch` and `GraphBatch` are.

    For annotations of functions that take any of them, and for ``isinstance``.

    Examples
    --------
    >>> def hardest(mazes: meiro.AnyMaze) -> int:
    ...     return int(mazes.distances().max())
    >>> hardest(meiro.generate((8, 8), rng=7))
    18
    >>> hardest(meiro.generate_many(meiro.lattices.polar(4), n=9, rng=7))
    28
    >>> isinstance(meiro.generate((8, 8), rng=7).grid, meiro.AnyMaze)
    False
    """

    __module__ = "meiro"

    __slots__ = ()
    __setattr__ = __delattr__ = refuse_change

    _recipe: Mapping[str, object] | None

    def __eq__(self, other: object) -> bool:
        """Return whether cells, passages and openings are those of another of its kind."""
        return self._is_same(other) if isinstance(other, type(self)) else NotImplemented

    @abstractmethod
    def _is_same(self, other: Self) -> bool:
        """Return whether it is the same as another of its kind."""

    @property
    def algorithm(self) -> str | None:
        """The name of the algorithm that made it, if a recipe does without transforms."""
        return algorithm_of(self._recipe)

    @abstractmethod
    def _size(self) -> str:
        """Return size and topology in words."""

    @property
    def description(self) -> str:
        """Size, topology and algorithm in one line, as in the repr."""
        return self._size() + (f", {printable(self.algorithm)}" if self.algorithm else "")

    @property
    def recipe(self) -> dict[str, Any] | None:
        """The arguments of `meiro.generate`, or of `meiro.generate_many`, as plain values."""

    @property
    def openings(self) -> NDArray[np.int64] | None:
        """Where the rim is open: (k, 2), or (n, k, 2) of many."""

    @property
    @abstractmethod
    def endpoints(self) -> tuple[Any, Any]:
        """Where paths begin and end."""

    def solve(self, *ends: Any, **options: Any) -> Any:
        """Find a path: `meiro.solve`."""

    def distances(self, sources: Any = None, **options: Any) -> NDArray[Any]:
        """Compute the distance of each cell from the sources: `meiro.distances` of it, with its options.

        Examples
        --------
        >>> meiro.generate((20, 30), rng=7).distances().shape
        (20, 30)
        >>> meiro.generate(meiro.lattices.hexagonal(3, 4), rng=7).distances().shape
        (12,)
        >>> meiro.generate_many((5, 5), n=100, rng=1).distances().shape
        (100, 5, 5)
        """
        from meiro.solvers.distances import distances

        return distances(_known(self), sources, **options)

    def measure(self, measures: Any = ...) -> Any:
        """Measure it: `meiro.measure`."""

    def plot(self, **options: Any) -> Any:
        """Draw it: `meiro.plot`."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file: `meiro.save`."""


class OnSquares:
    """What mazes of rows and columns have: their size, and their grids as arrays."""

    __slots__ = ()
    passages: NDArray[np.uint8]

    @property
    def rows(self) -> int:
        """Number of rows of cells, of each maze of many."""
        return int(self.passages.shape[-2])

    @property
    def cols(self) -> int:
        """Number of columns of cells, of each maze of many."""
        return int(self.passages.shape[-1])

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, in cells; the grid has the shape (2 * rows + 1, 2 * cols + 1)."""
        return self.rows, self.cols

    def __dlpack__(self, **asked: Any) -> Any:
        """Return the grid, or the grids, for ``torch.from_dlpack`` and its like."""
        return np.array(self).__dlpack__(**asked)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return where that is: on the CPU."""
        return self.passages.__dlpack_device__()


class OneMaze(AnyMaze):
    """A frozen maze, with the seed and the recipe that make it again, if it has them.

    The state of a kind of maze is what `_held` names, in this order; `_kept` names what it computes once it
    is asked.
    """

    __slots__ = ()

    _held: ClassVar[tuple[str, ...]]
    _kept: ClassVar[tuple[str, ...]]
    seed: Seed | None
    _hash: int | None

    def __hash__(self) -> int:
        """Return a hash that equal mazes share, in any process."""
        if self._hash is None:
            put(self, "_hash", self._digest())
        return int(self._hash)  # type: ignore[arg-type]  # it is set by now

    @abstractmethod
    def _digest(self) -> int:
        """Return the hash."""

    def _changed(self, **parts: Any) -> Self:
        state = (
            parts[key] if (key := name.removeprefix("_")) in parts else getattr(self, name)
            for name in self._held
        )
        return maze_of(type(self), *state)

    def _words(self) -> tuple[Any, ...] | None:
        """Return the seed as a pickle holds it: as words of a stream."""
        return None if self.seed is None else (self.seed.key, self.seed.replicate, self.seed.entropy)

    def _came_from(
        self, words: tuple[Any, ...] | None, recipe: Mapping[str, object] | None, stream: int
    ) -> None:
        """Set seed and recipe of a pickle or a file; those of another stream make other mazes."""
        put(self, "seed", Seed(*words) if words and stream == STREAM else None)
        put(self, "_recipe", recipe if stream == STREAM else None)

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{type(self).__name__} {self.description}>"

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.rich_display import maze_html

        return maze_html(self)

    def solve(self, start: Any = None, goal: Any = None, **options: Any) -> Solution:
        """Find a path: `meiro.solve` of this maze, with its options.

        Examples
        --------
        >>> meiro.generate((20, 30), rng=7).solve()
        <Solution of 76 steps in cells, bfs from (0, 0) to (19, 29), 539 explored>
        """
        from meiro.solvers.solve import solve

        found: Solution = solve(_known(self), start, goal, **options)
        return found

    def measure(self, measures: str | Iterable[str] | None = None, **options: Any) -> Measures:
        """Measure the maze: `meiro.measure` of it, with its options.

        Examples
        --------
        >>> meiro.generate((20, 30), rng=7).measure(["dead_ends", "diameter"])
        {'dead_ends': 169, 'diameter': 104}
        """
        from meiro.stats.measure import measure

        measured: Measures = measure(_known(self), measures, **options)
        return measured

    def with_passages(self, **passages: Any) -> Self:
        """Open and close single walls: `meiro.with_passages` of this maze, with its options.

        Examples
        --------
        >>> maze = meiro.generate((20, 30), rng=7).with_passages(open=[((0, 0), (0, 1)), ((0, 0), (1, 0))])
        >>> int(maze.passages[0, 0])
        6
        """
        from meiro.transforms.passages import with_passages

        changed: Self = with_passages(_known(self), **passages)
        return changed

    def plot(self, **options: Any) -> Axes:
        """Draw the maze on matplotlib axes: `meiro.plot` of this maze, with its options.

        Examples
        --------
        >>> axes = meiro.generate((10, 20), rng=7).plot()
        """
        from meiro.drawing.matplotlib.plot import plot

        axes: Axes = plot(_known(self), **options)
        return axes

    def to_dot(self, *, start: Any = None, goal: Any = None) -> str:
        """Return the maze as an undirected graph in Graphviz's language.

        A node is a cell, named by its number (``row * cols + col`` on squares) and pinned to its position if
        it has one in the plane; `start` is blue and `goal` green. Default: `endpoints`.

        Examples
        --------
        >>> meiro.Maze([[2, 8]]).to_dot().splitlines()[-2:]
        ['  0 -- 1;', '}']
        """
        from meiro.io.graphviz import to_dot

        return to_dot(_known(self), start=start, goal=goal)

    def to_svg(self, *, solution: Any = None, **options: Unpack[PictureOptions]) -> str:
        """Return the maze as SVG, for print and for the web; all its walls are one path.

        `solution` is a `Solution` or a path of cells, the options are as in `meiro.save`.
        Without ``page=``, ``margin=`` and ``title=`` a cell is a unit, with cell (0, 0) at 0, 0; else a
        millimetre. Of a lattice the unit is the side of a cell, and walls around the origin are arcs. Without
        polygons the passages are drawn, as corridors with bridges, or as the lines of a network; a box is
        drawn level beside level.

        Raises
        ------
        ValueError
            If a lattice has no positions, or lies in space and is no box; if a path goes through a wall.

        Examples
        --------
        >>> drawn = meiro.generate((10, 35), rng=7).to_svg(mm=5)
        >>> len(drawn) < 6000, 'width="176.25mm"' in drawn
        (True, True)
        """
        from meiro.drawing.svg import to_svg

        return to_svg(_known(self), solution=solution, **options)

    def to_networkx(self) -> nx.Graph[Any]:
        """Return a networkx graph: a node for each cell, (row, col), label or number; an edge a passage.

        Nodes have floats ``x``, ``y`` and in space ``z`` where the cells have positions. Edges have ``id``,
        the number of the edge of the lattice, on squares of the wall that is open there (`meiro.wall_ids`).
        Parallel passages make it a ``MultiGraph``, keyed by number. Programs that read GraphML or GEXF take
        it by ``nx.write_graphml`` and ``nx.write_gexf``; `save` writes these formats so that `meiro.read`
        finds the maze again. `meiro.positions` is for ``nx.draw``.

        Examples
        --------
        >>> graph = meiro.Maze([[2, 8]]).to_networkx()
        >>> list(graph.edges), graph.nodes[0, 1]
        ([((0, 0), (0, 1))], {'x': 1.0, 'y': 0.0})
        """
        from meiro.io.networkx import to_networkx

        return to_networkx(_known(self))

    def to_sparse(self) -> scipy.sparse.csr_array[Any, tuple[int, int]]:
        """Return the adjacency matrix over cell numbers, 1 for a passage (k for k parallel ones).

        Examples
        --------
        >>> meiro.Maze([[2, 8]]).to_sparse().toarray().tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        """
        from meiro.io.networkx import to_sparse

        return to_sparse(_known(self))

    def save(
        self,
        path: str | os.PathLike[str] | SupportsWrite[Any],
        *,
        solution: Any = None,
        **options: Unpack[SaveOptions],
    ) -> None:
        """Write the maze to a file, as `meiro.save`; the suffix selects the format.

        Examples
        --------
        >>> maze = meiro.generate((3, 4), rng=7)
        >>> maze.save("maze.npz")
        >>> meiro.read("maze.npz") == maze
        True
        """
        from meiro.io.files import save

        save(_known(self), path, solution=solution, **options)


M = TypeVar("M", bound=OneMaze)


def _known(maze: AnyMaze) -> Any:
    """Return mazes as one of the kinds that the functions name."""
    return maze


def maze_of(kind: type[M], *values: object) -> M:
    """Return a maze of its state, in the order of `_held`; its arrays become read-only."""
    return set_state(object.__new__(kind), *values)


def set_state(maze: M, *values: object) -> M:
    """Set what a new maze holds, in the order of `_held`; its arrays become read-only."""
    kind: Any = type(maze)  # mypy takes classes for unhashable
    held, kept = _setters(kind)
    for set_value, value in zip(held, values, strict=True):
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
        set_value(maze, value)
    for set_value in kept:
        set_value(maze, None)
    return maze


@cache
def _setters(kind: type[Any]) -> list[list[Callable[[Any, object], None]]]:
    """Return what sets each slot of `_held` and of `_kept`, in less time than by its name."""
    return [[getattr(kind, name).__set__ for name in names] for names in (kind._held, kind._kept)]  # noqa: SLF001
