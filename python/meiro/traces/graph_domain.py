"""Where a trace on a lattice takes place: places are its cells, then its edges."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.square import FLAT
from meiro.lattices.lattice import cell_of, graph_of, name_of_cell
from meiro.mazes._openings import NO_OPENINGS
from meiro.traces.captions import PLACE_BITS, fill_template
from meiro.traces.events import EventKind, LabelKind
from meiro.traces.frames import GraphFrame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Wrap
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.graph_maze import GraphMaze

INTO = EventKind.VISIT, EventKind.PATH, EventKind.BACK
"""Events that are told of the cell that is entered; all others of the cell that is left."""

_LONGEST = 40  # characters of a label in a sentence


@dataclass(frozen=True, slots=True)
class GraphDomain:
    """The lattice on which a maze is made, or the maze on it that is searched."""

    lattice: Lattice
    maze: GraphMaze | None = None
    openings: NDArray[np.int64] = field(default_factory=lambda: NO_OPENINGS)
    walls: None = None
    mask: None = None
    wrap: Wrap = FLAT
    space: Literal["graph"] = "graph"
    directions: ClassVar[bool] = False  # in sentences

    @property
    def shape(self) -> tuple[int]:
        """The number of cells."""
        return (self.lattice.n_cells,)

    @property
    def grid_shape(self) -> tuple[int]:
        """The number of places: of cells and edges."""
        return (self.lattice.n_cells + self.lattice.n_edges,)

    @property
    def search(self) -> bool:
        """Whether a maze is searched, not made."""
        return self.maze is not None

    @property
    def size(self) -> str:
        """The size in words."""
        return f"{self.lattice.n_cells:,} cells of {self.lattice.name}"

    def recording(self) -> _core.GraphRecording:
        """Return an empty recording."""
        return _core.GraphRecording()

    def snapshot_bytes(self) -> int:
        """Return the size of a snapshot."""
        return _core.graph_trace_bytes(graph_of(self.lattice), self.search)

    def keep(  # noqa: PLR0917  # as the core has them
        self,
        recording: _core.GraphRecording,
        array: NDArray[np.uint8],
        labels: LabelKind,
        window: tuple[int, int, int],
        sparse: bool,  # noqa: FBT001
        packed: NDArray[np.uint64],
    ) -> None:
        """Tell a recording what to keep of its second run; `array` is what the first one made or searched."""
        recording.keep(graph_of(self.lattice), array if self.search else None, labels, window, sparse, packed)

    def ends_of(self, word: int) -> tuple[int, int]:
        """Return the cell that a packed event is told of, and the one beside it or itself."""
        place, n = word >> 8 & (1 << PLACE_BITS) - 1, self.lattice.n_cells
        if place < n:
            return place, place
        one, other = self.lattice.edges[place - n].tolist()[:: -1 if word & 15 else 1]
        return (other, one) if word >> 4 & 15 in INTO else (one, other)

    def describe(self, word: int, template: str, sides: tuple[int, int]) -> str:
        """Return the sentence of a packed event."""
        place, other = (f"cell {self.name_cell(cell)}" for cell in self.ends_of(word))
        from_ = f" from {other}" if other != place else ""
        return fill_template(template, place, other, sides, from_=from_)

    def name_cell(self, cell: int) -> str:
        """Return the name of a cell, for sentences."""
        text = str(name_of_cell(self.lattice, cell))
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."

    def events(self, words: NDArray[np.uint64]) -> NDArray[np.void]:
        """Return packed events as a structured array."""
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

    def frame(self, trace: Any, k: int) -> GraphFrame:
        """Return a frame of a trace."""
        n, m = self.lattice.n_cells, self.lattice.n_edges
        require(6 * n + 2 * m, f"a frame of {n + m:,} places", "watch a smaller maze")
        note, line = trace.caption(k), trace.line(k)  # the moment before, so that it is replayed once
        passages, state, labels, head = trace.recording.at(trace.position(k))
        opened = None if passages is None else passages.view(np.bool_)
        return GraphFrame(opened, state, labels, None if head < 0 else head, note, line, trace, k)

    def endpoints(self, result: Any) -> tuple[int | None, int | None]:
        """Return start and goal of a search; a generator has none."""
        if not self.search:
            return None, None
        start, goal = (cell_of(self.lattice, end, "end") for end in (result.start, result.goal))
        return start, goal

    def scene(self, result: Any) -> tuple[tuple[int, int]]:
        """Return what colours need beside the events: the places of the ends."""
        start, goal = (-1 if end is None else end for end in self.endpoints(result))
        return ((start, goal),)

    def is_result(self, result: Any) -> bool:
        """Whether the maze that is searched here is `result`."""
        return self.maze is not None and bool(self.maze == result)
