"""The class Maze, and mazes of arrays that the core has made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from meiro import _core
from meiro._utils.arrays import read_only, refuse_graph, same_arrays
from meiro._utils.messages import describe_size
from meiro._utils.square import (
    FLAT,
    Cell,
    CellLike,
    ShapeLike,
    Wrap,
    checked_shape,
    existing_cell,
    open_walls,
)
from meiro.mazes._edges import passages_from_edges, passages_from_wall_ids
from meiro.mazes._endpoints import ends_of
from meiro.mazes._grid import draw_grid, read_grid
from meiro.mazes._one_maze import OneMaze, OnSquares, maze_of, put, set_state
from meiro.mazes._openings import NO_OPENINGS, same_sites
from meiro.mazes._recipe import plain_recipe
from meiro.mazes._validation import hash_of, is_perfect, validate_maze
from meiro.mazes.rooms import Room, rooms_of
from meiro.seeds import STREAM

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    import networkx as nx
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from meiro._utils.options import TextStyle
    from meiro._utils.validation import Threads
    from meiro.results.solution import Solution
    from meiro.seeds import Seed

KEPT_GRID = 1 << 24  # a maze of fewer cells keeps its grid; larger ones build it at each access


class Maze(OnSquares, OneMaze):
    """A maze on the square lattice: which walls between adjacent cells are open.

    Frozen: its arrays are read-only. Two mazes are equal if passages, mask, wrap and openings are. A maze
    is text if printed, a picture in a notebook, and its grid as ``np.asarray(maze)``.

    Parameters
    ----------
    passages : array_like of uint8, shape (rows, cols)
        The open directions of each cell, N=1, E=2, S=4, W=8, set on both sides of a passage. Copied, but for
        ``numpy.load(path, mmap_mode="r")``: a file that may be larger than memory, and must not change.
    mask : array_like of bool, shape (rows, cols), optional
        True where a cell exists; all by default.
    openings : array_like of int, shape (k, 2), or sequence of ((int, int), str), optional
        Sites of the grid that are road, between a cell and no cell: in the border, or beside a masked-out
        cell. Or cells with a side: ``((0, 5), "north")``. The first is the entrance, the last the exit.
    start, goal : (int, int), optional
        The cells between which `meiro.solve` looks for a path, instead of the openings.
    wrap : (bool, bool), optional
        Whether the lattice is periodic along rows and columns (of 3 or more): a cylinder, by both a torus.
        Bits at one border agree with those at the opposite border.

    Attributes
    ----------
    passages : ndarray of uint8, shape (rows, cols)
        Open directions of each cell: N=1, E=2, S=4, W=8. Read-only, as the others.
    mask : ndarray of bool, shape (rows, cols), or None
        True where a cell exists; None if all do.
    openings : ndarray of int64, shape (k, 2)
        Sites of the rim that are road, (row, col) each; the first is the entrance, the last the exit.
    start, goal : (int, int) or None
        As given; `endpoints` says what is used.
    wrap : (bool, bool)
    seed : Seed or None
        ``rng=maze.seed`` makes the maze again, as ``meiro.generate(**maze.recipe)`` does.

    Raises
    ------
    ValueError
        If the passages do not agree with each other, with the first cell where they do not.
    TypeError
        If they are not integers, or are a `Maze` already.

    Examples
    --------
    >>> print(meiro.Maze([[2, 8]]))
    ┌───┐
    │   │
    └───┘
    """

    __module__ = "meiro"

    _held = ("passages", "mask", "openings", "seed", "_recipe", "wrap", "start", "goal")
    _kept = ("_grid", "_perfect", "_hash")
    __slots__ = (*_held, *_kept, "__weakref__")

    start: Cell | None
    goal: Cell | None
    wrap: Wrap
    passages: NDArray[np.uint8]
    mask: NDArray[np.bool_] | None
    openings: NDArray[np.int64]
    _grid: NDArray[np.uint8] | None
    _perfect: bool | None

    def __init__(
        self,
        passages: ArrayLike,
        mask: ArrayLike | None = None,
        openings: ArrayLike = (),
        *,
        start: CellLike | None = None,
        goal: CellLike | None = None,
        wrap: Wrap = FLAT,
    ) -> None:
        data = validate_maze(passages, mask, openings, wrap)
        ends = (
            None if cell is None else existing_cell(cell, data.passages.shape, data.mask, name)
            for name, cell in (("start", start), ("goal", goal))
        )
        set_state(self, *data[:3], None, None, data.wrap, *ends)

    @property
    def endpoints(self) -> tuple[Cell, Cell]:
        """The cells where `meiro.solve` and all else begin and end, unless others are given.

        `start` and `goal`; else the cells at the first and the last opening, or at the only one and the last
        cell; else the first and the last cell.

        Examples
        --------
        >>> maze = meiro.generate((3, 4), rng=7, openings="top_bottom")
        >>> maze.endpoints, maze.start
        (((0, 1), (2, 1)), None)
        """
        start, goal = ends_of(self)
        return start.cell, goal.cell

    @property
    def recipe(self) -> dict[str, Any] | None:
        """The arguments of `meiro.generate` as plain values, or None for a maze that it did not make.

        What transforms have made of the maze since is in ``transforms=``, step by step.
        ``json.dumps`` takes it. Of an array of more than 10,000 numbers (``mask=``, ``weights=``) it holds
        only a digest: `meiro.generate` must be given the array itself.
        """
        return plain_recipe(self._recipe, self.seed, self.openings)

    @property
    def n_cells(self) -> int:
        """Number of cells that exist."""
        return int(self.passages.size if self.mask is None else self.mask.sum())

    @property
    def grid(self) -> NDArray[np.uint8]:
        """The drawn grid, shape (2 * rows + 1, 2 * cols + 1), 1 where there is a wall, 0 where there is road.

        Read-only. Cell (r, c) is at (2 r + 1, 2 c + 1); a passage over a periodic border is road on both
        sides.
        """
        grid = self._grid
        if grid is None:
            grid = read_only(self.to_grid())
            put(self, "_grid", grid if self.passages.size < KEPT_GRID else None)
        return grid

    @property
    def is_perfect(self) -> bool:
        """Whether there is exactly one path between any two cells of a component of the mask."""
        if self._perfect is None:
            put(self, "_perfect", is_perfect(self.passages, self.mask, self.wrap))
        return bool(self._perfect)

    def _is_same(self, other: Maze) -> bool:
        alike = same_arrays(self.mask, other.mask) and same_sites(self.openings, other.openings)
        return alike and self.wrap == other.wrap and np.array_equal(self.passages, other.passages)

    def _digest(self) -> int:
        return hash_of(self.passages, self.mask, self.openings, self.wrap)

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what the maze is, without the grid that it may keep; the seed as words of a stream."""
        arrays = self.passages, self.mask, self.openings
        return *arrays, self._words(), self._recipe, self.start, self.goal, self.wrap, STREAM

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Check what a pickle or a file holds. A seed of another stream makes other mazes: it is dropped."""
        passages, mask, openings, words, recipe, start, goal, wrap, stream = state
        Maze.__init__(self, passages, mask, openings, start=start, goal=goal, wrap=wrap)
        self._came_from(words, recipe, stream)

    def _size(self) -> str:
        return describe_size(self.rows, self.cols, self.wrap)

    def __str__(self) -> str:
        """Return the maze as text."""
        return self.to_text()

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001
        """Return the grid."""
        if copy is False or dtype is None or np.dtype(dtype) == self.grid.dtype:
            return np.array(self.grid, dtype, copy=copy)
        return self.grid.astype(dtype)

    @staticmethod
    def from_passages(passages: ArrayLike, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT) -> Maze:
        """Make a maze from the open directions of each cell: ``Maze(passages, mask, wrap=wrap)``."""
        return Maze(passages, mask, wrap=wrap)

    @staticmethod
    def from_edges(
        shape: ShapeLike, edges: ArrayLike, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT
    ) -> Maze:
        """Make a maze from its passages.

        `edges` are pairs of adjacent cells: numbers (``row * cols + col``) as `Maze.edges` returns them, or
        (row, col) as in networkx. `shape`, `mask` and `wrap` are those of the maze.

        Examples
        --------
        >>> meiro.Maze.from_edges((1, 3), [(0, 1), (2, 1)]).passages.tolist()
        [[2, 10, 8]]
        """
        return Maze(passages_from_edges(shape, edges, wrap), mask, wrap=wrap)

    @staticmethod
    def from_wall_ids(
        shape: ShapeLike, ids: ArrayLike, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT
    ) -> Maze:
        """Make a maze from the ids of its inner walls (see `meiro.wall_cells`); all others are open.

        `ids` are as `Maze.wall_ids` returns them. Walls beside cells that do not exist need no id.

        Examples
        --------
        >>> meiro.Maze.from_wall_ids((1, 3), [1]).edges().tolist()
        [[0, 1]]
        """
        return Maze(passages_from_wall_ids(shape, ids, mask, wrap), mask, wrap=wrap)

    @staticmethod
    def from_grid(
        grid: ArrayLike,
        *,
        road: object = None,
        corridor: SupportsIndex = 1,
        wall: SupportsIndex = 1,
        wrap: Wrap = FLAT,
        mask: ArrayLike | None = None,
    ) -> Maze:
        """Make a maze from its drawn grid: cells at odd sites, walls and doors between, posts at even sites.

        Loops, isolated and masked-out cells (walls where a cell could be) and several components are allowed;
        so are posts that are road if the four sites beside them are, as in the floors of rooms.

        Parameters
        ----------
        grid : array_like, shape (2 * rows + 1, 2 * cols + 1)
            0 for road and 1 for wall, or bool (True = wall); anything else needs `road`. Wide corridors and
            thick walls: as `Maze.to_grid` draws them.
        road : scalar or sequence of scalars, optional
            The value of road sites, or several. Of characters, "#" is wall and space, ".", "S" and "G" are
            road by default; S and G become start and goal.
        corridor, wall : int
            The width of corridors and the thickness of walls, in sites.
        wrap : (bool, bool), optional
            As in `Maze`: road at opposite sites of a periodic border is a passage, else an opening.
        mask : array_like of bool, shape (rows, cols), optional
            True where a cell exists; only needed if there are openings beside masked-out cells, which could
            as well be pillars of a room. Default: the cells that are road.

        Examples
        --------
        >>> meiro.Maze.from_grid([[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]])
        <Maze 1 row x 2 cols>
        >>> meiro.Maze.from_grid(["####", "#..#", "#..#", "####"], corridor=2)
        <Maze 1 row x 1 col>
        """
        data = read_grid(grid, road=road, corridor=corridor, wall=wall, wrap=wrap, mask=mask)
        values = *data[:3], None, None, data.wrap, data.start, data.goal
        return maze_of(Maze, *values)

    @staticmethod
    def from_networkx(graph: nx.Graph[Any], *, shape: ShapeLike | None = None, wrap: Wrap = FLAT) -> Maze:
        """Make a maze from an undirected networkx graph of adjacent nodes (row, col).

        Cells of `shape` that are no nodes of `graph` are masked out; the default shape is what they need.
        Edges with ``open=False`` are walls. `wrap` is as in ``nx.grid_2d_graph(..., periodic=wrap)``.

        Examples
        --------
        >>> import networkx as nx
        >>> meiro.Maze.from_networkx(nx.grid_2d_graph(1, 3)).passages.tolist()
        [[2, 10, 8]]
        """
        from meiro.io.networkx import edges_from_networkx

        sides, edges, mask = edges_from_networkx(graph, shape, wrap)
        return Maze.from_edges(sides, edges, mask=mask, wrap=wrap)

    @staticmethod
    def from_sparse(
        shape: ShapeLike, matrix: Any, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT
    ) -> Maze:
        """Make a maze from a sparse array of scipy.

        `matrix` is symmetric, with a row for each cell and an entry for each passage; `shape`, `mask` and
        `wrap` are those of the maze, as for `Maze.from_edges`.

        Examples
        --------
        >>> maze = meiro.generate((3, 4), rng=7)
        >>> meiro.Maze.from_sparse((3, 4), maze.to_sparse()) == maze
        True
        """
        from meiro.io.networkx import edges_of_sparse

        sides = checked_shape(shape)
        return Maze.from_edges(sides, edges_of_sparse(matrix, sides[0] * sides[1]), mask=mask, wrap=wrap)

    @staticmethod
    def from_text(text: str, *, style: str | None = None) -> Maze:
        r"""Make a maze from text, in any style of `Maze.to_text`, or with one character a site.

        Walls are ``#``, full blocks or 1, or another sign such as ``*`` where none of these is; roads are
        spaces, ``.`` or 0. S and G become start and goal, or S and the only other letter, as E, or A and B;
        other labels of cells and a path are ignored. Indents, and blanks or commas between sites, are no
        matter. `style` is as in `to_text` or "plain" (a character a site); by default it is recognised.

        Examples
        --------
        >>> meiro.Maze.from_text("#####\n#S G#\n#####").goal
        (0, 1)
        """
        from meiro.drawing.text.parse import from_text

        return from_text(text, style=style)

    @staticmethod
    def from_image(
        file: str | os.PathLike[str] | ArrayLike,
        *,
        threshold: float | str | None = None,
        deskew: bool = False,
    ) -> Maze:
        """Make a maze from a picture: a drawing, or with `deskew` a photograph, as in `meiro.from_image`.

        All corridors of a drawing have one width, and all walls; it has no margin.

        Examples
        --------
        >>> meiro.Maze.from_image([[0, 0, 0, 0, 0], [0, 255, 255, 255, 0], [0, 0, 0, 0, 0]])
        <Maze 1 row x 2 cols>
        """
        from meiro.io.image import maze_from_image

        return maze_from_image(file, threshold, deskew=deskew)

    def to_grid(
        self,
        out: NDArray[Any] | None = None,
        *,
        corridor: SupportsIndex = 1,
        wall: SupportsIndex = 1,
        road: object = 0,
        dtype: DTypeLike | None = None,
        posts: bool = True,
        threads: Threads = None,
    ) -> NDArray[Any]:
        """Return the drawn grid as a new array, or fill `out`.

        Parameters
        ----------
        out : ndarray of `dtype`, optional
            Of the shape that is returned; C-contiguous and writable.
        corridor, wall : int
            The width of corridors and the thickness of walls, in sites.
        road : scalar
            The value of roads. Walls are then 0, or 1 where roads are 0; ``"#"`` where it is a character.
        dtype : dtype, optional
            Default: uint8; a character (U1) where `road` is one. In bool arrays True is a wall, unless
            ``road=True``.
        posts : bool
            False leaves out the posts at which no wall ends, the pillars in the floors of rooms.
        threads : int or "all"
            The number of threads; 1 by default.

        Returns
        -------
        ndarray, shape (rows * corridor + (rows + 1) * wall, cols * corridor + (cols + 1) * wall)
            The grid; `out`, if it is given.

        Examples
        --------
        >>> meiro.Maze([[2, 8]]).to_grid().tolist()
        [[1, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]]
        >>> ["".join(row) for row in meiro.Maze([[2, 8]]).to_grid(corridor=2, road=" ")]
        ['#######', '#     #', '#     #', '#######']
        >>> ["".join(row) for row in meiro.Maze([[6, 12], [3, 9]]).to_grid(posts=False, road=" ")]
        ['#####', '#   #', '#   #', '#   #', '#####']
        """
        return draw_grid(
            self, out, corridor=corridor, wall=wall, road=road, dtype=dtype, posts=posts, threads=threads
        )

    def rooms(self) -> list[Room]:
        """Return the rooms, floors without posts, and their doors: see `meiro.Room`."""
        return rooms_of(self, self.wrap)

    def edges(self) -> NDArray[np.int64]:
        """Return the passages as pairs of cell numbers (``row * cols + col``), shape (n, 2), in order.

        The cell to the left or above comes first, and the pairs are sorted by it; over a periodic border
        that is the cell with the larger number.

        Examples
        --------
        >>> meiro.Maze([[2, 8]]).edges().tolist()
        [[0, 1]]
        """
        return _core.edges(self.passages, self.wrap)

    def wall_ids(self) -> NDArray[np.int64]:
        """Return the ids of the inner walls (see `meiro.wall_cells`), shape (n,), in order.

        Examples
        --------
        >>> meiro.Maze([[4], [1]]).wall_ids().tolist()
        []
        """
        return np.flatnonzero(~open_walls(self.passages, self.wrap))

    def to_text(
        self,
        style: TextStyle = "unicode",
        *,
        solution: Solution | ArrayLike | None = None,
        start: CellLike | None = None,
        goal: CellLike | None = None,
        labels: ArrayLike | None = None,
    ) -> str:
        """Return the maze as text, without a newline at the end.

        Parameters
        ----------
        style : {"unicode", "ascii", "block", "posts"}
            "unicode" joined lines, one character a site; "ascii" ``+ - |``, one character a site; "block"
            full blocks, two characters a site, and shaded ones for cells that do not exist if an opening lies
            beside one; "posts" lines with a fixed glyph at every post.
        solution : Solution or array_like of int, shape (k, 2), optional
            The path to show: from `meiro.solve`, or adjacent cells.
        start, goal : (int, int), optional
            Cells to mark with S and G; default: the ends of the path, or without labels those of the maze.
        labels : array_like, shape (rows, cols), optional
            Numbers or short strings for the cells, all as wide as the longest; negative integers are blank.

        Examples
        --------
        >>> print(meiro.Maze([[2, 12], [2, 9]]).to_text("ascii", solution=[(0, 0), (0, 1), (1, 1)]))
        +-+-+
        |S**|
        +-+*+
        |  G|
        +-+-+
        """
        from meiro.drawing.text.render import draw

        return str(draw(self, style, solution=solution, start=start, goal=goal, labels=labels))


def maze_from_core(  # noqa: PLR0917  # the arrays of a maze, and then where it is from
    passages: NDArray[np.uint8],
    mask: NDArray[np.bool_] | None = None,
    openings: NDArray[np.int64] = NO_OPENINGS,
    seed: Seed | None = None,
    recipe: Mapping[str, object] | None = None,
    wrap: Wrap = FLAT,
    *,
    start: Cell | None = None,
    goal: Cell | None = None,
) -> Maze:
    """Return a maze of arrays that the core has made: nothing is checked or copied."""
    return maze_of(Maze, passages, mask, openings, seed, recipe, wrap, start, goal)


def require_maze(maze: object, name: str = "maze") -> Maze:
    """Return a Maze; anything else is a TypeError."""
    refuse_graph(maze, name)
    if not isinstance(maze, Maze):
        raise TypeError(
            f"{name} must be a Maze, not {type(maze).__name__}: meiro.Maze.from_grid makes one of an array"
        )
    return maze
