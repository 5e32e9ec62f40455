"""Ways out of a maze: every method of `Maze` that shows it in another form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from meiro._utils.square import E, S

if TYPE_CHECKING:
    import os

    import networkx as nx
    import scipy.sparse
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell, CellLike, Wrap
    from meiro.drawing.text.render import Style
    from meiro.maze.maze import Maze
    from meiro.solvers.solution import Solution


class WaysOut:
    """The methods of `Maze` that show it in another form."""

    __slots__ = ()

    _passages: NDArray[np.uint8]
    _mask: NDArray[np.bool_] | None
    _openings: NDArray[np.int64]
    wrap: Wrap

    def edges(self) -> NDArray[np.int64]:
        """Return the passages as pairs of area numbers (``row * cols + col``), in order.

        The cell to the left or above comes first, and the pairs are in its order: so over the rim of a maze
        that wraps the larger number does.

        Returns
        -------
        ndarray of int64, shape (n, 2)

        Examples
        --------
        >>> meiro.Maze([[2, 8]]).edges().tolist()
        [[0, 1]]
        """
        open_ = self._passages.reshape(-1)
        ends = np.flatnonzero(open_ & (E | S))
        bits = open_[ends]
        cols = self._passages.shape[1]
        first = np.repeat(ends, ((bits & E) >> 1) + ((bits & S) >> 2))
        beside = np.stack([ends + 1, ends + cols], axis=1)
        if any(self.wrap):
            beside[:, 0] -= np.where((ends + 1) % cols == 0, cols, 0)
            beside[:, 1] %= self._passages.size
        second = beside[np.stack([bits & E, bits & S], axis=1) != 0]
        return np.stack([first, second], axis=1)

    def wall_ids(self) -> NDArray[np.int64]:
        """Return the ids of the inner walls that stand, in order (see `meiro.wall_cells`).

        Returns
        -------
        ndarray of int64, shape (n,)

        Examples
        --------
        >>> meiro.Maze([[4], [1]]).wall_ids().tolist()
        []
        """
        rows, cols = self._passages.shape
        vertical = np.flatnonzero((self._passages[:, :-1] & E) == 0)
        horizontal = np.flatnonzero((self._passages[:-1] & S) == 0)
        east = np.flatnonzero((self._passages[: rows * self.wrap[1], -1] & E) == 0)
        south = np.flatnonzero((self._passages[-1, : cols * self.wrap[0]] & S) == 0)
        before = np.cumsum([rows * (cols - 1), (rows - 1) * cols, rows * self.wrap[1]])
        parts = (vertical, horizontal + before[0], east + before[1], south + before[2])
        return np.concatenate(parts)

    def to_text(
        self,
        style: Style = "unicode",
        *,
        path: Solution | ArrayLike | None = None,
        start: CellLike | None = None,
        goal: CellLike | None = None,
        labels: ArrayLike | None = None,
    ) -> str:
        """Return the maze as text.

        Parameters
        ----------
        style : {"unicode", "ascii", "block", "posts"}
            "unicode" joined lines, one character a site; "ascii" ``+ - |``, one character a site; "block"
            full blocks, two characters a site; "posts" lines with a fixed glyph at every post.
        path : Solution or array_like of int, shape (k, 2), optional
            The way to show: what `meiro.solve` found, or neighbouring cells (row, col).
        start, goal : (int, int), optional
            Cells to mark with S and G. Default: the ends of the path; without a path those of the maze, if
            it has any and there are no labels.
        labels : array_like, shape (rows, cols), optional
            Numbers or short strings to write into the cells. All cells are as wide as the longest.

        Returns
        -------
        str
            Lines parted by newlines, with none at the end.

        Raises
        ------
        ValueError
            If the style is unknown, the path leaves the maze or goes through a wall, a cell is outside, or a
            label cannot be written.

        Examples
        --------
        >>> print(meiro.Maze([[2, 12], [2, 9]]).to_text("ascii", path=[(0, 0), (0, 1), (1, 1)]))
        +-+-+
        |S**|
        +-+*+
        |  G|
        +-+-+
        """
        from meiro.drawing.text.render import to_text

        return to_text(cast("Maze", self), style, path=path, start=start, goal=goal, labels=labels)

    def to_dot(self, *, start: CellLike | None = None, goal: CellLike | None = None) -> str:
        """Return the maze as an undirected graph in Graphviz's language.

        A node is a cell, named by its area number (``row * cols + col``) and pinned to its place.

        Parameters
        ----------
        start, goal : (int, int), optional
            Cells to draw in blue and green. Default: those of the maze, else its first and last cell.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            If start or goal is outside or masked out.
        MemoryError
            If the text cannot fit, before it is made.

        Examples
        --------
        >>> meiro.Maze([[2, 8]]).to_dot().splitlines()[-2:]
        ['  0 -- 1;', '}']
        """
        from meiro.io.graphviz import to_dot

        return to_dot(cast("Maze", self), start=start, goal=goal)

    def to_svg(
        self,
        *,
        mm: float = 5.0,
        path: Solution | ArrayLike | None = None,
        start: CellLike | None = None,
        goal: CellLike | None = None,
    ) -> str:
        """Return the maze as SVG, for print and for the web; all its walls are one path.

        Parameters
        ----------
        mm : float
            The side of a cell in millimetres.
        path : Solution or array_like of int, shape (k, 2), optional
            The way to show: what `meiro.solve` found, or neighbouring cells (row, col).
        start, goal : (int, int), optional
            Cells to mark. Default: the ends of the path; without a path those of the maze, if it has any.

        Returns
        -------
        str
            One ``<svg>``, in which a cell is a unit and the upper left corner of cell (0, 0) stands at 0, 0.

        Raises
        ------
        ValueError
            If `mm` is not positive, the path leaves the maze or goes through a wall, or a cell is outside.
        MemoryError
            If the text cannot fit, before it is made.

        Examples
        --------
        >>> maze = meiro.generate((10, 35), rng=7)
        >>> drawn = maze.to_svg(mm=5)
        >>> len(drawn) < 6000, 'width="176.25mm"' in drawn
        (True, True)
        """
        from meiro.drawing.svg import to_svg

        return to_svg(cast("Maze", self), mm=mm, path=path, start=start, goal=goal)

    def to_networkx(self) -> nx.Graph[Cell]:
        """Return the maze as an undirected networkx graph.

        Returns
        -------
        networkx.Graph
            A node (row, col) for each cell that exists, with ``pos`` = (col, row); an edge for each passage.

        Raises
        ------
        ImportError
            If networkx is not installed.
        MemoryError
            If the graph cannot fit, before it is made.

        Examples
        --------
        >>> list(meiro.Maze([[2, 8]]).to_networkx().edges)
        [((0, 0), (0, 1))]
        """
        from meiro.io.networkx import to_networkx

        return to_networkx(cast("Maze", self))

    def to_sparse(self) -> scipy.sparse.csr_array[Any, tuple[int, int]]:
        """Return the adjacency matrix over area numbers (``row * cols + col``).

        Returns
        -------
        scipy.sparse.csr_array of float64, shape (rows * cols, rows * cols)
            Symmetric, 1 for a passage. A cell that does not exist has no entries.

        Raises
        ------
        ImportError
            If scipy is not installed.
        MemoryError
            If the matrix cannot fit, before it is made.

        Examples
        --------
        >>> meiro.Maze([[2, 8]]).to_sparse().toarray()
        array([[0., 1.],
               [1., 0.]])
        """
        from meiro.io.networkx import to_sparse

        return to_sparse(cast("Maze", self))

    def save(self, path: str | os.PathLike[str], *, solution: Solution | None = None, scale: int = 1) -> None:
        """Write the maze to a file; the suffix says how.

        Parameters
        ----------
        path : path
            ``.png``, ``.svg``, ``.csv``, ``.txt``, ``.dot``, ``.gv``, ``.npy``, or ``.npz``, which keeps
            everything; see `meiro.save`. The file appears only when all of it is written.
        solution : Solution, optional
            What `meiro.solve` found in it; for ``.png``, ``.svg`` and ``.txt``.
        scale : int
            Pixels a site in a ``.png``.

        Raises
        ------
        ValueError
            If the suffix is unknown, the format has no place for a solution, or the solution is of another
            maze.
        TypeError
            If `solution` is none.

        Examples
        --------
        >>> maze = meiro.generate((3, 4), rng=7)
        >>> maze.save("maze.csv")
        >>> meiro.read("maze.csv") == maze
        True
        """
        from meiro.io.files import save

        save(cast("Maze", self), path, solution=solution, scale=scale)
