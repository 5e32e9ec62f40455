"""Where perfect mazes lie: a `Domain`, of rows and columns with a mask and periodic sides, or a lattice.

`domain_of` tells the two apart, and nothing else here does. Counts, ranks and laws ask a domain for its
`lattice`, a graph; what has a closed form for rectangles asks for `rectangle` first.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from meiro import _core
from meiro._utils.arrays import mask_of, mask_shape
from meiro._utils.messages import short_repr
from meiro._utils.square import (
    FLAT,
    E,
    N,
    S,
    Shape,
    ShapeLike,
    W,
    Wrap,
    checked_shape,
    checked_wrap,
    n_walls,
    open_walls,
    passages_of,
    wall_cells,
)
from meiro._utils.validation import plain_array
from meiro.generators.request import refuse_square_arguments
from meiro.lattices.lattice import Lattice
from meiro.mazes.graph_maze import GraphMaze, graph_maze_from_core
from meiro.mazes.maze import Maze, maze_from_core
from meiro.spaces.space_of import are_several, is_maze, mazes_of

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import ArrayLike, NDArray


class _Cells:
    """The cells on which mazes lie, and the walls that may be open.

    Attributes
    ----------
    shape : (int, int) or Lattice
        As users say it.
    lattice : Lattice
        The cells that exist, and an edge for each wall between two of them.
    rectangle : (shape, wrap) or None
        Of rows and columns without a mask.
    array_shape : tuple of int
        Of the passages of a maze, as the core has them: at most `most` each.
    grid_shape : tuple of int
        Of the walls and roads of a maze; empty on a lattice.
    """

    shape: Shape | Lattice
    lattice: Lattice
    rectangle: tuple[Shape, Wrap] | None = None
    array_shape: tuple[int, ...]
    grid_shape: tuple[int, ...] = ()
    most: ClassVar[int]
    of: ClassVar[str]  # before its name: a maze "of (3, 3)", "on square: 9 cells"
    smaller: ClassVar[str]

    @cached_property
    def diagonal(self) -> NDArray[np.int64]:
        """The degree of each cell, plus 1 at the first cell of each connected component.

        With this diagonal the determinant of the Laplacian is the number of spanning forests with one tree
        in each component.
        """
        degrees = self.lattice.degrees.astype(np.int64)
        degrees[np.unique(self.lattice.components, return_index=True)[1]] += 1
        return degrees


class Squares(_Cells):
    """Cells of rows and columns; walls have ids, as `meiro.wall_cells` has them."""

    shape: Shape
    most = 15
    of = "of"
    smaller = "take a smaller mask"

    def __init__(self, shape: Shape, mask: NDArray[np.bool_] | None = None, wrap: Wrap = FLAT) -> None:
        self.shape = self.array_shape = shape
        self.grid_shape = 2 * shape[0] + 1, 2 * shape[1] + 1
        self.mask, self.wrap = mask, wrap
        self.rectangle = None if mask is not None else (shape, wrap)

    def __str__(self) -> str:
        """Return the shape in words, for messages."""
        return f"{'a mask of ' * (self.mask is not None)}{self.shape}"

    name = property(str)

    @cached_property
    def cells(self) -> NDArray[np.bool_]:
        """True where a cell exists."""
        return np.ones(self.shape, np.bool_) if self.mask is None else self.mask

    @property
    def n_cells(self) -> int:
        """The number of cells that exist."""
        return math.prod(self.shape) if self.mask is None else int(self.mask.sum())

    @property
    def bits(self) -> float:
        """About the most bits of the number of mazes: a cell has four walls."""
        return 2 * self.n_cells

    @cached_property
    def walls(self) -> NDArray[np.int64]:
        """The ids of the walls between two existing cells."""
        ids = np.arange(n_walls(self.shape, self.wrap))
        if self.mask is None:
            return ids
        return ids[self.mask.reshape(-1)[wall_cells(self.shape, ids, wrap=self.wrap)].all(axis=1)]

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """The number of each existing cell in `lattice`."""
        return np.cumsum(self.cells).reshape(self.shape) - 1

    @cached_property
    def lattice(self) -> Lattice:  # type: ignore[override]  # made when it is asked for
        """The cells that exist, and the walls between them."""
        ends = wall_cells(self.shape, self.walls, wrap=self.wrap)
        return Lattice(self.n_cells, self.numbers.reshape(-1)[ends])

    def order(self) -> NDArray[np.int64]:
        """Return the ids of the walls, by cells: row by row, or column by column if these are longer."""
        cells = np.arange(math.prod(self.shape)).reshape(self.shape)
        if self.shape[0] < self.shape[1]:
            cells = cells.T
        before = np.full((*cells.shape, 2), -1)
        before[1:, :, 0], before[:, 1:, 1] = cells[:-1], cells[:, :-1]
        pairs = np.stack([before, np.broadcast_to(cells[..., None], before.shape)], axis=-1).reshape(-1, 2)
        return _core.wall_ids(pairs[pairs[:, 0] >= 0], self.shape, self.wrap)

    def maze(self, open_: NDArray[np.bool_]) -> Any:
        """Return the maze of a rectangle that is not periodic in which these walls are open."""
        return maze_from_core(passages_of(self.shape, open_, FLAT))

    @cached_property
    def across(self) -> NDArray[np.bool_]:
        """Whether each of `walls` is between a cell and its eastern neighbour."""
        rows, cols = self.shape
        sides = rows * (cols - 1), cols * (rows - 1), rows * self.wrap[1], cols * self.wrap[0]
        return np.repeat([True, False, True, False], sides)[self.walls]

    @cached_property
    def directions(self) -> NDArray[np.int64]:
        """The direction bits of each of `walls` from its two cells, shape (2, walls)."""
        return np.where(self.across, [[E], [W]], [[S], [N]])

    def open_edges(self, passages: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return which walls of a rectangle that is not periodic are open."""
        return open_walls(passages)

    def from_passages(self, passages: NDArray[Any]) -> Any:
        """Return the maze with the open directions of each cell."""
        return Maze(passages, mask=self.mask, wrap=self.wrap)

    def from_edges(self, edges: ArrayLike) -> Any:
        """Return the maze with these pairs of cells."""
        return Maze.from_edges(self.shape, edges)

    def from_networkx(self, graph: nx.Graph[Any]) -> Any:
        """Return the maze of a graph whose nodes are (row, col)."""
        return Maze.from_networkx(graph, shape=self.shape)


class Graph(_Cells):
    """The cells of a lattice; walls have the numbers of its edges."""

    shape: Lattice
    most = 1
    of = "on"
    smaller = "take a smaller lattice"

    def __init__(self, lattice: Lattice) -> None:
        self.shape = self.lattice = lattice
        self.array_shape = (lattice.n_edges,)

    def __str__(self) -> str:
        """Return the lattice in words, for messages."""
        return repr(self.lattice)

    @property
    def name(self) -> str:
        """What the lattice is, and its size."""
        return self.lattice.description

    @property
    def n_cells(self) -> int:
        """The number of cells."""
        return self.lattice.n_cells

    @property
    def bits(self) -> float:
        """The most bits of the number of mazes; a determinant is at most the product of the diagonal."""
        return float(np.log2(self.diagonal).sum())  # (J. Hadamard)

    def order(self) -> NDArray[np.int64]:
        """Return the numbers of the edges."""
        return np.arange(self.lattice.n_edges)

    def maze(self, open_: NDArray[np.bool_]) -> Any:
        """Return the maze in which these edges are open."""
        return graph_maze_from_core(self.lattice, open_.view(np.uint8))

    def open_edges(self, passages: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return which edges are open."""
        return passages.view(np.bool_)

    def from_passages(self, passages: NDArray[Any]) -> Any:
        """Return the maze with a number other than 0 for each open edge."""
        return GraphMaze(self.shape, passages != 0)

    def from_edges(self, edges: ArrayLike) -> Any:
        """Return the maze with these pairs of cells."""
        return GraphMaze.from_edges(self.shape, edges)

    def from_networkx(self, graph: nx.Graph[Any]) -> Any:
        """Return the maze of a graph whose nodes are cells."""
        return GraphMaze.from_networkx(graph, lattice=self.shape)


Domain = Squares | Graph


def domain_of(shape: ShapeLike | Lattice | None, mask: ArrayLike | None = None, wrap: Wrap = FLAT) -> Domain:
    """Return the domain that a user gives, checked."""
    if isinstance(shape, Lattice):
        refuse_square_arguments(mask=mask, wrap=wrap)
        return Graph(shape)
    if shape is None and mask is None:
        raise TypeError("give shape=(rows, cols) in cells, or mask=")
    if mask is not None and shape is None:
        shape = mask_shape(mask)
    cells = checked_shape(shape)
    return Squares(cells, mask_of(mask, cells), checked_wrap(wrap, cells))


def domain_of_mazes(x: Any, name: str) -> tuple[Domain, NDArray[np.uint8]]:
    """Return where a maze or a batch lies, and its passages, (n, ...); openings, start and goal do not count.

    A domain of one maze has its mask.
    """
    space = mazes_of(x, name)
    if space.on_lattice:
        return Graph(space.lattice), space.passages
    rows, cols = space.shape
    return Squares((rows, cols), x.mask if space.one else None, space.wrap), space.passages


def domain_of_maze(maze: Any) -> tuple[Domain, NDArray[np.uint8]]:
    """Return where one maze lies, and its passages."""
    if not is_maze(maze):
        what = type(maze).__name__
        raise TypeError(
            f"maze must be a Maze or a GraphMaze, not {what}: meiro.Maze.from_grid makes one of an array"
        )
    domain, passages = domain_of_mazes(maze, "maze")
    return domain, passages[0]


def as_maze(given: Any, domain: Domain | None = None) -> Any:
    """Return the maze of a text or of a graph of networkx; anything else as it is."""
    if isinstance(given, str):
        return Maze.from_text(given)
    if hasattr(given, "is_directed") and hasattr(given, "edges"):
        return Maze.from_networkx(given) if domain is None else domain.from_networkx(given)
    return given


def in_domain(given: Any, domain: Domain, name: str) -> Any:
    """Return the maze of any form, or a batch, which lies where it should; passages as they are, an array."""
    found = as_maze(given, domain)
    if not (is_maze(found) or are_several(found)):
        array: NDArray[Any] = plain_array(found, name)
        if array.ndim == 0:
            raise TypeError(f"the sampler made {short_repr(given)}, not a maze {domain.of} {domain.name}")
        if array.shape == domain.array_shape:
            return array
        if array.shape == domain.grid_shape:
            found = Maze.from_grid(array)
        elif array.ndim in {2, 3} and set(array.shape[1:]) == {2}:
            found = domain.from_edges(array)
        else:
            raise ValueError(f"the sampler made a maze of {array.shape}, not of {domain.array_shape}")
    own = domain_of_mazes(found, name)[0]
    if own.shape != domain.shape:
        raise ValueError(f"the sampler made a maze of {own.shape}, not of {domain.shape}")
    return found


def domain_of_array(maze: Any, name: str) -> Domain | None:
    """Return what passages, a grid, or pairs of cells (row, col) tell of their domain."""
    array: NDArray[Any] = plain_array([] if maze is None else maze, name)
    if array.size == 0 or array.dtype.kind not in "biu":
        return None
    if array.ndim == 3 and array.shape[1:] == (2, 2):
        rows, cols = (array.max(axis=(0, 1)) + 1).tolist()
        return domain_of((rows, cols))
    if array.ndim != 2 or array.shape[1] == 2:  # which may be pairs of numbers
        return None
    return domain_of(tuple(size // 2 for size in array.shape) if is_grid(array) else array.shape)


def is_grid(array: NDArray[Any]) -> bool:
    """Return whether an array with two sides is a grid, not passages: a corner leads nowhere to the north."""
    return bool(array.size and array[0, 0] == 1 and array.max() == 1)
