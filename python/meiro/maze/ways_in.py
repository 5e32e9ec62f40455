"""Ways into a maze: every constructor of `Maze` beside its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from meiro._utils import square
from meiro._utils.arrays import mask_of
from meiro._utils.memory import require
from meiro._utils.square import FLAT, ShapeLike, Wrap, checked_shape, checked_wrap
from meiro._utils.validation import integers
from meiro.maze._validation import checked
from meiro.maze.grids import Grids

if TYPE_CHECKING:
    import os

    import networkx as nx
    from numpy.typing import ArrayLike


class WaysIn(Grids):
    """The constructors of `Maze` that read other forms."""

    __slots__ = ()

    @classmethod
    def from_passages(cls, passages: ArrayLike, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT) -> Self:
        """Make a maze of the open directions of each cell.

        Parameters
        ----------
        passages : array_like of uint8, shape (rows, cols)
            N=1, E=2, S=4, W=8, set on both sides of a passage. Copied.
        mask : array_like of bool, shape (rows, cols), optional
            True where a cell exists.
        wrap : (bool, bool), optional
            Whether rows and columns go on at the other side.

        Returns
        -------
        Maze

        Raises
        ------
        ValueError
            If the two sides of a passage disagree, or one leads over the rim or out of the mask.
        TypeError
            If they are no integers, or a `Maze` already.

        Examples
        --------
        >>> meiro.Maze.from_passages([[2, 8]]).edges().tolist()
        [[0, 1]]
        """
        return cls._made(**checked(passages, mask, (), wrap)._asdict())

    @classmethod
    def from_edges(
        cls, shape: ShapeLike, edges: ArrayLike, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT
    ) -> Self:
        """Make a maze of its passages.

        Parameters
        ----------
        shape : (int, int)
            Rows and columns, in cells.
        edges : array_like of int, shape (n, 2)
            Area numbers (``row * cols + col``) of two neighbouring cells each, as `Maze.edges` gives.
        mask : array_like of bool, shape (rows, cols), optional
            True where a cell exists.
        wrap : (bool, bool), optional
            Whether rows and columns go on at the other side.

        Returns
        -------
        Maze

        Raises
        ------
        ValueError
            If two cells are no neighbours, or one is outside the shape or masked out.
        TypeError
            If the area numbers are no integers.
        MemoryError
            If the maze cannot fit, before anything is taken.

        Examples
        --------
        >>> meiro.Maze.from_edges((1, 3), [(0, 1), (2, 1)]).passages.tolist()
        [[2, 10, 8]]
        """
        rows, cols = checked_shape(shape)
        require(20 * rows * cols, f"a maze of ({rows}, {cols})", "take a smaller shape")
        around = checked_wrap(wrap, (rows, cols))
        open_ = np.zeros(square.n_walls((rows, cols), around), np.bool_)
        open_[square.wall_ids((rows, cols), edges, wrap=around)] = True
        return cls.from_passages(square.passages_of((rows, cols), open_, around), mask=mask, wrap=around)

    @classmethod
    def from_wall_ids(
        cls, shape: ShapeLike, ids: ArrayLike, *, mask: ArrayLike | None = None, wrap: Wrap = FLAT
    ) -> Self:
        """Make a maze of the inner walls that stand; all others are open.

        Parameters
        ----------
        shape : (int, int)
            Rows and columns, in cells.
        ids : array_like of int, shape (n,)
            Wall ids, as `Maze.wall_ids` gives.
        mask : array_like of bool, shape (rows, cols), optional
            True where a cell exists. Walls beside other cells stand, whether they are among the ids or not.
        wrap : (bool, bool), optional
            Whether rows and columns go on at the other side.

        Returns
        -------
        Maze

        Raises
        ------
        ValueError
            If there is no wall with such an id.
        TypeError
            If the ids are no integers.
        MemoryError
            If the maze cannot fit, before anything is taken.

        Examples
        --------
        >>> meiro.Maze.from_wall_ids((1, 3), [1]).edges().tolist()
        [[0, 1]]
        """
        rows, cols = checked_shape(shape)
        require(36 * rows * cols, f"a maze of ({rows}, {cols})", "take a smaller shape")
        around = checked_wrap(wrap, (rows, cols))
        square.wall_cells((rows, cols), ids, wrap=around)  # for its errors
        open_ = np.ones(square.n_walls((rows, cols), around), np.bool_)
        open_[integers(ids, "ids").reshape(-1)] = False
        there = None if mask is None else mask_of(mask, (rows, cols))
        if there is not None:  # a wall beside a cell that does not exist stands, said or not
            those = np.flatnonzero(open_)
            cells = square.wall_cells((rows, cols), those, wrap=around)
            open_[those] = there.reshape(-1)[cells].all(axis=1)
        passages = square.passages_of((rows, cols), open_, around)
        return cls.from_passages(passages, mask=there, wrap=around)

    @classmethod
    def from_networkx(
        cls, graph: nx.Graph[Any], *, shape: ShapeLike | None = None, wrap: Wrap = FLAT
    ) -> Self:
        """Make a maze of a networkx graph with nodes (row, col).

        Parameters
        ----------
        graph : networkx.Graph
            Undirected; edges join neighbouring cells, each once or more.
        shape : (int, int), optional
            Rows and columns, in cells. Default: what the nodes need. Cells without a node are masked out.
        wrap : (bool, bool), optional
            Whether rows and columns go on at the other side: ``nx.grid_2d_graph(..., periodic=wrap)``.

        Returns
        -------
        Maze

        Raises
        ------
        TypeError
            If the graph is none or directed, or a node is no pair of integers.
        ValueError
            If it has no nodes, a node is outside `shape`, or an edge joins cells that are no neighbours.

        Examples
        --------
        >>> import networkx as nx
        >>> meiro.Maze.from_networkx(nx.grid_2d_graph(1, 3)).passages.tolist()
        [[2, 10, 8]]
        """
        from meiro.io.networkx import edges_from_networkx

        rows_cols, edges, mask = edges_from_networkx(graph, shape, wrap)
        return cls.from_edges(rows_cols, edges, mask=mask, wrap=wrap)

    @classmethod
    def from_text(cls, text: str, *, style: str | None = None) -> Self:
        r"""Make a maze of its text, in any style of `Maze.to_text`, or ``#`` and space, or 1 and 0.

        Parameters
        ----------
        text : str
            The drawing. S and G become start and goal; numbers in cells and a path are passed over.
        style : {"unicode", "ascii", "block", "posts", "plain"}, optional
            What the text must be; "plain" is ``#`` or 0 and 1. Default: found out.

        Returns
        -------
        Maze

        Raises
        ------
        ValueError
            If the text is no maze, with line and column, or there is no such style.
        TypeError
            If `text` is no str.

        Examples
        --------
        >>> meiro.Maze.from_text("#####\n#S G#\n#####").goal
        (0, 1)
        """
        from meiro.drawing.text.parse import from_text

        return from_text(text, style=style)  # type: ignore[return-value]  # Maze has no subclasses

    @classmethod
    def from_image(cls, file: str | os.PathLike[str] | ArrayLike, *, threshold: float | None = None) -> Self:
        """Make a maze of a picture with one pixel a site: what is bright is road.

        Parameters
        ----------
        file : path, or array_like of shape (h, w) or (h, w, channels)
            As in `meiro.from_image`; h and w are odd. Formats other than PNG need Pillow.
        threshold : float, optional
            The least brightness of a road. Default: half of the full range.

        Returns
        -------
        Maze

        Raises
        ------
        ValueError
            If it is no picture, or one of no maze grid, with the site that makes it none.
        ImportError
            If the format needs Pillow and it is not there.

        Examples
        --------
        >>> meiro.Maze.from_image([[0, 0, 0, 0, 0], [0, 255, 255, 255, 0], [0, 0, 0, 0, 0]])
        <Maze 1 row x 2 cols>
        """
        from meiro.io.image import from_image

        return cls.from_grid(from_image(file, threshold=threshold))
