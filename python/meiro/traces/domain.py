"""Where a trace takes place: in a maze of rows and columns, or in an array of walls and roads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro.mazes._openings import NO_OPENINGS
from meiro.mazes._validation import mask_bytes, same_mask
from meiro.traces.captions import PLACE_BITS, describe_event
from meiro.traces.events import EventKind, LabelKind
from meiro.traces.frames import Frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Cell, Shape, Wrap
    from meiro.mazes.maze import Maze

Scene = tuple[Any, ...]
"""The walls of what is searched, where there are any, and the places of start and goal."""


@dataclass(frozen=True, slots=True)
class TraceDomain:
    """The maze or array in which a trace takes place.

    `maze` is the maze that is searched, `walls` the array that is searched; for a generator both are None,
    and `openings` are those of its maze.
    """

    shape: Shape
    mask: NDArray[np.bool_] | None
    wrap: Wrap
    maze: Maze | None = None
    walls: NDArray[np.uint8] | None = None
    openings: NDArray[np.int64] = field(default_factory=lambda: NO_OPENINGS)
    lattice: None = None
    directions: ClassVar[bool] = True  # in sentences

    @property
    def space(self) -> Literal["cells", "sites"]:
        """Whether events happen in the cells of a maze or at the sites of an array."""
        return "cells" if self.walls is None else "sites"

    @property
    def grid_shape(self) -> Shape:
        """Height and width of the drawn grid."""
        rows, cols = self.shape
        return self.shape if self.space == "sites" else (2 * rows + 1, 2 * cols + 1)

    @property
    def search(self) -> bool:
        """Whether something is searched, not made."""
        return self.maze is not None or self.walls is not None

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

    def keep(  # noqa: PLR0917  # as the core has them
        self,
        recording: _core.Recording,
        array: NDArray[np.uint8],
        labels: LabelKind,
        window: tuple[int, int, int],
        sparse: bool,  # noqa: FBT001
        packed: NDArray[np.uint64],
    ) -> None:
        """Tell a recording what to keep of its second run; `array` is what the first one made or searched."""
        before = array if self.search else _passages_before(array, recording.kinds())
        sites, mask = self.walls is not None, mask_bytes(self.mask)
        recording.keep(before, sites, self.wrap, mask, self.search, labels, window, sparse, packed)

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

    def frame(self, trace: Any, k: int) -> Frame:
        """Return a frame of a trace."""
        rows, cols = self.shape
        height, width = self.grid_shape
        what = f"a frame of {height} x {width} places"
        require(height * width + 5 * rows * cols, what, "watch a smaller maze")
        note, line = trace.caption(k), trace.line(k)  # the moment before, so that it is replayed once
        passages, state, labels, head = trace.recording.at(trace.position(k))
        if self.maze is not None:
            passages = self.maze.passages
        place = None if head < 0 else divmod(head, width)
        return Frame(passages, state, labels, place, note, line, trace, k)

    def endpoints(self, result: Any) -> tuple[Cell | None, Cell | None]:
        """Return start and goal of a search as places of the drawn grid; a generator has none."""
        if not self.search:
            return None, None
        if self.space == "sites":
            return result.start, result.goal
        at = [
            None if end is None else (2 * end[0] + 1, 2 * end[1] + 1) for end in (result.start, result.goal)
        ]
        return at[0], at[1]

    def scene(self, result: Any) -> Scene:
        """Return what colours need beside the events: walls, and the places of the ends."""
        walls = self.walls if self.maze is None else self.maze.grid
        width = self.grid_shape[1]
        start, goal = (-1 if end is None else end[0] * width + end[1] for end in self.endpoints(result))
        return walls, (start, goal)

    def is_result(self, result: Any) -> bool:
        """Whether what is searched here is `result`, a maze or an array of walls."""
        maze = self.maze
        if maze is None or not hasattr(result, "passages"):
            walls = self.walls
            return walls is not None and isinstance(result, np.ndarray) and np.array_equal(walls, result)
        same = maze.wrap == result.wrap and same_mask(maze.mask, result.mask)
        return same and np.array_equal(maze.passages, result.passages)


def _passages_before(result: NDArray[np.uint8], kinds: int) -> NDArray[np.uint8]:
    """Return the passages before the first event: none, or all if walls are built and nothing is carved."""
    if kinds >> EventKind.CARVE & 1:
        return np.zeros_like(result)
    if not (kinds >> EventKind.BUILD | kinds >> EventKind.CLOSE) & 1:
        return result.copy()
    before = np.full_like(result, 15)
    for border, bit in ((np.s_[0], 1), (np.s_[:, -1], 2), (np.s_[-1], 4), (np.s_[:, 0], 8)):
        before[border] &= np.uint8(15 - bit)
    return before
