"""`Frame` and `GraphFrame`: a moment of a trace."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from meiro._utils.messages import short_repr
from meiro.mazes.maze import maze_from_core
from meiro.traces.events import Paint, State, label_text

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from meiro._utils.square import Cell
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze


_SITES = np.full(16, ord("."), "<u4")
_SITES[[Paint.WALL, State.VISITED, State.FRONTIER, State.PATH, State.FILLED]] = [*map(ord, "#o+*x")]
_SITES[[State.CURRENT, Paint.START, Paint.GOAL]] = [*map(ord, "@SG")]


def frame_texts(labels: NDArray[np.int32]) -> NDArray[np.str_]:
    """Return the numbers of a frame as text, those of walks as arrows."""
    return np.array([label_text(number) for number in labels.ravel().tolist()], str).reshape(labels.shape)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Frame:
    """A moment of a trace: a picture in notebooks, text if printed; `meiro.plot` draws it on axes.

    Attributes
    ----------
    passages : ndarray of uint8, shape (rows, cols), or None
        The open directions of each cell at this moment: N=1, E=2, S=4, W=8. None in the search of an array.
    state : ndarray of uint8, shape of the drawn grid or of the array
        The `State` of each place.
    labels : ndarray of int32, one for each cell or site, or None
        The numbers in the cells, -1 for a cell without a number; -2, -3, -4 and -5 where a random walk has
        left the cell to the north, east, south and west, which is drawn as an arrow. None if the algorithm
        builds walls and enters no cell.
    head : (int, int) or None
        The place of the last event, in the drawn grid or the array.
    note : str
        The last event and its reason, in a sentence.
    line : int or None
        The index of the line of `Trace.source` that made it; None before the first event.
    trace : Trace
        The trace of this frame.
    number : int
        The index of this frame in it; -1 is the moment before the first event.
    grid : ndarray of uint8, shape of `state`
        1 where a wall is drawn at this moment, 0 for road.

    See Also
    --------
    meiro.Trace : The sequence of all frames.
    meiro.State : The states of a place.

    Examples
    --------
    >>> frame = meiro.trace((1, 2), "kruskal", rng=7)[-1]
    >>> frame.grid[1].tolist(), frame.labels.tolist(), frame.line
    ([1, 0, 0, 0, 1], [[0, 0]], 3)
    >>> frame.note
    'Cell (0, 0) is in cluster 0, cell (0, 1) in cluster 1: the wall goes; cluster 1 becomes 0.'
    """

    __module__ = "meiro"

    passages: NDArray[np.uint8] | None
    state: NDArray[np.uint8]
    labels: NDArray[np.int32] | None
    head: Cell | None
    note: str
    line: int | None
    trace: Any  # a Trace, whose module imports this one
    number: int

    @property
    def grid(self) -> NDArray[np.uint8]:
        """The walls (1) and roads (0) at this moment."""
        walls: NDArray[np.uint8] | None = self.trace.domain.walls
        return self.maze().grid if walls is None else walls

    def maze(self) -> Maze:
        """Return the maze at this moment; of a search the maze that is searched.

        Raises
        ------
        ValueError
            If an array is searched.

        Examples
        --------
        >>> meiro.trace((1, 2), "kruskal", rng=7)[-1].maze()
        <Maze 1 row x 2 cols>
        """
        domain: Any = self.trace.domain
        searched: Maze | None = domain.maze
        if searched is not None:
            return searched
        if domain.walls is not None:
            raise ValueError("an array is searched, which need not be a maze: see grid")
        assert self.passages is not None  # noqa: S101  # a generator has them
        return maze_from_core(self.passages, domain.mask, domain.openings, None, None, domain.wrap)

    def __str__(self) -> str:
        """Return the walls with the numbers in the cells as text, or the sites of an array, above the note.

        Of an array # is a wall, o a site that was visited, * the path, @ the last event.

        Examples
        --------
        >>> print(meiro.trace((2, 2), "kruskal", order=[0, 1, 2, 3])[1])
        ┌─┬─┐
        │0 0│
        ├─┼─┤
        │2 2│
        └─┴─┘
        Cell (1, 0) is in cluster 2, cell (1, 1) in cluster 3: the wall goes; cluster 3 becomes 2.
        """
        if self.trace.space == "cells":
            labels: ArrayLike | None = self.labels
            if self.labels is not None and self.labels.min() < -1:
                texts = frame_texts(self.labels)
                labels = np.char.rjust(texts, texts.dtype.itemsize // 4)
            return f"{self.maze().to_text('posts', labels=labels)}\n{self.note}"
        from meiro.traces.frame_deltas import frame_colors  # whose module knows traces, as they know frames

        lines = _SITES[frame_colors(self.trace, self.number)].tolist()
        return "\n".join(["".join(map(chr, line)) for line in lines] + [self.note])

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.rich_display import frame_html

        return frame_html(self)

    def __repr__(self) -> str:
        """Return one line."""
        height, width = self.trace.grid_shape
        return f"<Frame {height} x {width}: {self.note}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GraphFrame:
    """A moment of a trace on a lattice: a picture in notebooks; `meiro.plot` draws it on axes.

    Attributes
    ----------
    open : ndarray of bool, shape (n_edges,), or None
        The open edges at this moment. None in a search, which opens none.
    state : ndarray of uint8, shape (n_cells + n_edges,)
        The `State` of each cell, then of each edge, which stands for what lies between its two cells.
    labels : ndarray of int32, shape (n_cells,), or None
        The numbers in the cells, -1 for a cell without a number.
    head : int or None
        The cell of the last event.
    note : str
        The last event and its reason, in a sentence.
    line : int or None
        The index of the line of `Trace.source` that made it; None before the first event.
    trace : Trace
        The trace of this frame.
    number : int
        The index of this frame in it; -1 is the moment before the first event.

    See Also
    --------
    meiro.Frame : The same where cells have rows and columns.

    Examples
    --------
    >>> trace = meiro.trace(meiro.lattices.hexagonal(1, 2), "kruskal", rng=7)
    >>> trace[-1].open.tolist(), [meiro.State(place).name for place in trace[-1].state]
    ([True], ['IN_MAZE', 'CURRENT', 'IN_MAZE'])
    >>> trace[-1].note
    'Cell (0, 0) is in cluster 0, cell (0, 1) in cluster 1: the wall goes; cluster 1 becomes 0.'
    """

    __module__ = "meiro"

    open: NDArray[np.bool_] | None
    state: NDArray[np.uint8]
    labels: NDArray[np.int32] | None
    head: int | None
    note: str
    line: int | None
    trace: Any  # a Trace, whose module imports this one
    number: int

    def maze(self) -> GraphMaze:
        """Return the maze at this moment; of a search the maze that is searched.

        Examples
        --------
        >>> meiro.trace(meiro.lattices.hexagonal(1, 2), rng=7)[-1].maze()
        <GraphMaze hexagonal: 2 cells>
        """
        from meiro.mazes.graph_maze import GraphMaze

        domain: Any = self.trace.domain
        searched: GraphMaze | None = domain.maze
        if searched is not None:
            return searched
        assert self.open is not None  # noqa: S101  # a generator has them
        return GraphMaze(domain.lattice, self.open)

    def __str__(self) -> str:
        """Return the repr of the maze, above the note."""
        return f"{self.maze()!r}\n{self.note}"

    def _repr_html_(self) -> str:
        from meiro.drawing.notebook.rich_display import frame_html

        return frame_html(self)

    def __repr__(self) -> str:
        """Return one line."""
        return f"<GraphFrame {self.trace.domain.lattice.name}: {self.note}>"


def frame_number(k: SupportsIndex, n: int) -> int:
    """Return the number of frame `k` of `n`; negative numbers count from the end."""
    try:
        number = operator.index(k)
    except TypeError:
        raise TypeError(f"frames are selected by an integer or a slice, not {short_repr(k)}") from None
    if not -n <= number < n:
        raise IndexError(f"there is no frame {short_repr(number)}: there {'is' if n == 1 else 'are'} {n:,}")
    return number % n
