"""Where a trace takes place: in a maze of rows and columns, in an array of sites, or on a lattice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from meiro import _core
from meiro._utils.arrays import same_arrays
from meiro._utils.memory import require
from meiro._utils.square import FLAT, n_walls, passages_of
from meiro.lattices.lattice import cell_of, graph_of, name_of_cell
from meiro.mazes._openings import NO_OPENINGS
from meiro.traces.captions import PLACE_BITS, describe_event, fill_template
from meiro.traces.events import EventKind, LabelKind
from meiro.traces.frames import Frame, GraphFrame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Shape, Wrap
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.graph_maze import GraphMaze
    from meiro.mazes.maze import Maze

INTO = EventKind.VISIT, EventKind.PATH, EventKind.BACK
"""Events on lattices that are told of the cell that is entered; all others of the cell that is left."""

_LONGEST = 40  # characters of a label in a sentence


class _Domain(ABC):
    """The places of a trace.

    Attributes
    ----------
    maze : Maze, GraphMaze or None
        The maze that is searched.
    walls : ndarray of uint8 or None
        The array that is searched.
    openings : ndarray of int64, shape (k, 2)
        Of the maze that a generator makes.
    shape, grid_shape : tuple of int
        The number of cells, and of places.
    """

    space: Literal["cells", "sites", "graph"]
    directions: ClassVar[bool]  # in sentences
    shape: tuple[int, ...]
    grid_shape: tuple[int, ...]
    lattice: Lattice | None = None
    mask: NDArray[np.bool_] | None = None
    wrap: Wrap = FLAT
    walls: NDArray[np.uint8] | None = None
    openings: NDArray[np.int64] = NO_OPENINGS
    maze: Any = None

    @property
    def search(self) -> bool:
        """Whether something is searched, not made."""
        return self.maze is not None or self.walls is not None

    def frame(self, trace: Any, k: int) -> Frame | GraphFrame:
        """Return a frame of a trace."""
        places = " x ".join(map(str, self.grid_shape))
        require(6 * int(np.prod(self.grid_shape)), f"a frame of {places} places", "watch a smaller maze")
        note, line = trace.caption(k), trace.line(k)  # the moment before, so that it is replayed once
        passages, state, labels, head = trace.recording.at(trace.position(k))
        return self._frame(passages, state, labels, head, note, line, trace, k)

    def scene(self, result: Any) -> tuple[NDArray[np.uint8] | None, tuple[int, int]]:
        """Return what colours need beside the events: walls, of squares, and the places of the ends."""
        walls = self.maze.grid if self.space == "cells" and self.maze is not None else self.walls
        return walls, self.endpoints(result)

    @abstractmethod
    def endpoints(self, result: Any) -> tuple[int, int]:
        """Return the numbers of the places of start and goal of a search; a generator has none, -1."""

    @abstractmethod
    def _frame(self, passages: Any, state: Any, labels: Any, head: int, *rest: Any) -> Frame | GraphFrame: ...


class SquareDomain(_Domain):
    """A maze of rows and columns, or an array: places are those of the drawn grid, or its sites."""

    directions = True
    shape: Shape
    grid_shape: Shape
    maze: Maze | None

    def __init__(
        self,
        shape: Shape,
        mask: NDArray[np.bool_] | None = None,
        wrap: Wrap = FLAT,
        maze: Maze | None = None,
        walls: NDArray[np.uint8] | None = None,
    ) -> None:
        self.shape, self.mask, self.wrap, self.maze, self.walls = shape, mask, wrap, maze, walls
        self.space = "cells" if walls is None else "sites"
        self.grid_shape = (2 * shape[0] + 1, 2 * shape[1] + 1) if walls is None else shape

    @property
    def size(self) -> str:
        """The size in words."""
        return f"{'x'.join(map(str, self.shape))} {self.space}"

    def recording(self) -> _core.Recording:
        """Return an empty recording."""
        return _core.Recording()

    def snapshot_bytes(self) -> int:
        """Return the size of a snapshot."""
        return _core.trace_bytes(self.shape, self.walls is not None, self.search)

    def keep(self, recording: Any, array: NDArray[np.uint8], labels: LabelKind, *what: Any) -> None:
        """Tell a recording what to keep of its second run; `array` is what the first one made or searched.

        `what` is the window with the interval of snapshots, whether only snapshots are kept, and the array of
        packed events.
        """
        before = array if self.search else self._passages_before(array, recording.kinds())
        sites = self.walls is not None
        recording.keep(before, sites, self.wrap, self.mask, self.search, labels, *what)

    def _passages_before(self, result: NDArray[np.uint8], kinds: int) -> NDArray[np.uint8]:
        """Return the passages before the first event: none, or all if walls are built, nothing carved."""
        if kinds >> EventKind.CARVE & 1:
            return np.zeros_like(result)
        if not (kinds >> EventKind.BUILD | kinds >> EventKind.CLOSE) & 1:
            return result.copy()
        every = np.ones(n_walls(self.shape, self.wrap), np.bool_)
        return passages_of(self.shape, every, self.wrap, self.mask)

    def describe(self, word: int, template: str, sides: tuple[int, int]) -> str:
        """Return the sentence of a packed event."""
        at = divmod(word >> 8 & (1 << PLACE_BITS) - 1, self.grid_shape[1])
        cells, direction = self.shape if self.space == "cells" else None, word & 15
        return describe_event(template, at, -1 if direction == 15 else direction, cells, sides)

    def events(self, words: NDArray[np.uint64]) -> NDArray[np.void]:
        """Return packed events as a structured array."""
        side = "<i4" if max(self.grid_shape) < 1 << 31 else "<i8"
        kind = np.dtype([("kind", "u1"), ("row", side), ("col", side), ("direction", "i1")])
        require(len(words) * (kind.itemsize + 16), "the events", "take a window")
        events: NDArray[np.void] = np.empty(len(words), kind)
        places = words >> np.uint64(8) & np.uint64((1 << PLACE_BITS) - 1)
        events["row"], events["col"] = np.divmod(places, np.uint64(self.grid_shape[1]))
        events["kind"] = words >> np.uint64(4) & np.uint64(15)
        direction = (words & np.uint64(15)).astype(np.int8)
        events["direction"] = np.where(direction == 15, -1, direction)
        return events

    def _frame(self, passages: Any, state: Any, labels: Any, head: int, *rest: Any) -> Frame:
        if self.maze is not None:
            passages = self.maze.passages
        place = None if head < 0 else divmod(head, self.grid_shape[1])
        return Frame(passages, state, labels, place, *rest)

    def endpoints(self, result: Any) -> tuple[int, int]:
        step, shift = (1, 0) if self.space == "sites" else (2, 1)
        ends = (result.start, result.goal) if self.search else (None, None)
        start, goal = (
            -1 if end is None else (step * end[0] + shift) * self.grid_shape[1] + step * end[1] + shift
            for end in ends
        )
        return start, goal

    def is_result(self, result: Any) -> bool:
        """Whether what is searched here is `result`, a maze or an array of walls."""
        maze = self.maze
        if maze is None or not hasattr(result, "passages"):
            walls = self.walls
            return walls is not None and isinstance(result, np.ndarray) and np.array_equal(walls, result)
        same = maze.wrap == result.wrap and same_arrays(maze.mask, result.mask)
        return same and np.array_equal(maze.passages, result.passages)


class GraphDomain(_Domain):
    """A lattice on which a maze is made, or the maze on it that is searched: places are cells, then edges."""

    space = "graph"
    directions = False
    lattice: Lattice
    maze: GraphMaze | None

    def __init__(self, lattice: Lattice, maze: GraphMaze | None = None) -> None:
        self.lattice, self.maze = lattice, maze
        self.openings = NO_OPENINGS if maze is None else maze.openings
        self.shape, self.grid_shape = (lattice.n_cells,), (lattice.n_cells + lattice.n_edges,)

    @property
    def size(self) -> str:
        return f"{self.lattice.n_cells:,} cells of {self.lattice.name}"

    def recording(self) -> _core.GraphRecording:
        return _core.GraphRecording()

    def snapshot_bytes(self) -> int:
        return _core.trace_bytes(graph_of(self.lattice), False, self.search)  # noqa: FBT003

    def keep(self, recording: Any, array: NDArray[np.uint8], labels: LabelKind, *what: Any) -> None:
        recording.keep(graph_of(self.lattice), array if self.search else None, labels, *what)

    def ends_of(self, word: int) -> tuple[int, int]:
        """Return the cell that a packed event is told of, and the one beside it or itself."""
        place, n = word >> 8 & (1 << PLACE_BITS) - 1, self.lattice.n_cells
        if place < n:
            return place, place
        one, other = self.lattice.edges[place - n].tolist()[:: -1 if word & 15 else 1]
        return (other, one) if word >> 4 & 15 in INTO else (one, other)

    def describe(self, word: int, template: str, sides: tuple[int, int]) -> str:
        place, other = (f"cell {self.name_cell(cell)}" for cell in self.ends_of(word))
        from_ = f" from {other}" if other != place else ""
        return fill_template(template, place, other, sides, from_=from_)

    def name_cell(self, cell: int) -> str:
        """Return the name of a cell, for sentences."""
        text = str(name_of_cell(self.lattice, cell))
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."

    def events(self, words: NDArray[np.uint64]) -> NDArray[np.void]:
        kind = np.dtype([("kind", "u1"), ("edge", "<i4"), ("origin", "<i4"), ("cell", "<i4")])
        require(len(words) * (kind.itemsize + 32), "the events", "take a window")
        events: NDArray[np.void] = np.empty(len(words), kind)
        n = self.lattice.n_cells
        places = (words >> np.uint64(8) & np.uint64((1 << PLACE_BITS) - 1)).astype(np.int64)
        at_edge = places >= n
        events["kind"] = words >> np.uint64(4) & np.uint64(15)
        events["edge"] = np.where(at_edge, places - n, -1)
        events["origin"], events["cell"] = -1, places
        ends = self.lattice.edges[places[at_edge] - n]
        back = (words[at_edge] & np.uint64(15)).astype(np.int64)
        rows = np.arange(len(ends))
        events["origin"][at_edge], events["cell"][at_edge] = ends[rows, back], ends[rows, 1 - back]
        return events

    def _frame(self, passages: Any, state: Any, labels: Any, head: int, *rest: Any) -> GraphFrame:
        opened = None if passages is None else passages.view(np.bool_)
        return GraphFrame(opened, state, labels, None if head < 0 else head, *rest)

    def endpoints(self, result: Any) -> tuple[int, int]:
        if not self.search:
            return -1, -1
        start, goal = (cell_of(self.lattice, end, "end") for end in (result.start, result.goal))
        return start, goal

    def is_result(self, result: Any) -> bool:
        return self.maze is not None and bool(self.maze == result)


TraceDomain = SquareDomain | GraphDomain
