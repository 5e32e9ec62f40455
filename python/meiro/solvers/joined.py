"""A maze in parts, each contracted to a graph of corridors: these joined, and paths and distances in them.

The parts are rectangles in rows and columns: bands of rows on one machine, chunks of Dask on several. Dead
ends of each are filled; what is left are corridors between forks and the borders of parts: the edges of a
graph, on which Dijkstra's algorithm runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro._utils.square import FLAT, E, N, S, W, Wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

Place = tuple[int, int]
"""The row and column of a part among the parts."""

_EAST, _SOUTH = 1, 2  # directions
_OF_AN_EDGE = 150  # bytes: of an edge, its two slots in the graph, and a heap item of the search
_MOST_NODES = (1 << 31) - 1


class Contracted(NamedTuple):
    """A part as a graph: its nodes are cells, its edges (from, to, length, leaves, arrives) corridors.

    For each side (north, east, south, west): the cells out of which a passage leads.
    """

    nodes: NDArray[np.int64]
    edges: NDArray[np.int64]
    out: tuple[NDArray[np.int64], ...]


class Walk(NamedTuple):
    """What of a path lies in a part: corridors (node, direction, length), and the places of their moves."""

    corridors: NDArray[np.int64]
    offsets: NDArray[np.int64]


class Way(NamedTuple):
    """A path: its number of steps, moves between parts (place, direction), and what lies in parts."""

    length: int
    crossings: NDArray[np.int64]
    walks: dict[Place, Walk]


def contracted(
    block: NDArray[np.uint8],
    at: tuple[int, int],
    terminals: NDArray[np.int64],
    contract: Callable[..., tuple[NDArray[np.int64], NDArray[np.int64]]] = _core.contract,
) -> Contracted:
    """Return a part, whose first cell is `at`, as a graph; `terminals` are cells of it that are nodes."""
    rows, cols = block.shape
    try:
        nodes, edges = contract(block, terminals)
    except ValueError as error:
        raise ValueError(f"passages: the part of {block.shape} at {at} {error}") from None
    north, south = (np.flatnonzero(block[r] & side) + r * cols for r, side in ((0, N), (rows - 1, S)))
    east, west = (np.flatnonzero(block[:, c] & side) * cols + c for c, side in ((cols - 1, E), (0, W)))
    return Contracted(nodes, edges, (north, east, south, west))


class Joined:
    """The graph of all parts and of the passages between them.

    The parts come row by row; the first node of part k is ``firsts[k]``, its first edge ``begins[k]``; after
    the edges of all parts come the passages from one to the next, and those around a periodic border; those
    that one side alone has, or that lead out of the maze, are an error.
    """

    def __init__(
        self,
        parts: Iterable[Contracted],
        corners: Sequence[Sequence[int]],
        wrap: Wrap = FLAT,
    ) -> None:
        self._corners = corners
        heights, self._widths = (np.diff(firsts).tolist() for firsts in corners)
        down, across = len(heights), len(self._widths)
        self.places: list[Place] = list(np.ndindex(down, across))
        self.nodes: list[NDArray[np.int64]] = []
        self._out: list[tuple[NDArray[np.int64], ...]] = []
        ends, lengths, leaves = [], [], []
        firsts, begins, done = [0], [0], 0
        for place, (nodes, edges, out) in zip(self.places, parts, strict=True):
            if firsts[-1] + len(nodes) > _MOST_NODES:
                raise MemoryError(
                    f"more than {_MOST_NODES:,} forks and borders of parts: the maze has too many loops"
                )
            self.nodes.append(nodes)
            self._out.append(out)
            ends.append((edges[:, :2] + firsts[-1]).astype(np.int32))
            lengths.append(edges[:, 2].copy())
            leaves.append(edges[:, 3:].astype(np.uint8))
            firsts.append(firsts[-1] + len(nodes))
            begins.append(begins[-1] + len(edges))
            done += heights[place[0]] * self._widths[place[1]]
            all_edges = begins[-1] * (corners[0][-1] * corners[1][-1] / done)
            what = f"the graph of corridors, {all_edges:,.0f} of them"
            require(int(_OF_AN_EDGE * (all_edges - begins[-1])), what, "the maze has many loops")
        self.firsts, self.begins = np.array(firsts), np.array(begins)
        for k, (i, j) in enumerate(self.places):
            for other, direction, there in (
                ((i, (j + 1) % across), _EAST, j + 1 < across or wrap[1]),
                (((i + 1) % down, j), _SOUTH, i + 1 < down or wrap[0]),
            ):
                if there:
                    between = self._between(k, other[0] * across + other[1], direction)
                    ends.append(between.astype(np.int32))
                    lengths.append(np.ones(len(between), np.int64))
                    leaves.append(np.tile(np.array([direction, direction ^ 2], np.uint8), (len(between), 1)))
            rim = (i == 0, j + 1 == across, i + 1 == down, j == 0)
            closed = (is_rim and not wrap[axis] for is_rim, axis in zip(rim, (0, 1, 0, 1), strict=True))
            if any(len(out) for out, is_closed in zip(self._out[k], closed, strict=True) if is_closed):
                raise ValueError("passages: one leads out of the maze")
        self._ends, self._lengths = np.concatenate(ends), np.concatenate(lengths)
        self._leaves = np.concatenate(leaves)
        graph = _core.Graph(int(self.firsts[-1]), self._ends, None, None)
        self._space = graph, np.ones((1, len(self._ends)), np.uint8)
        self._costs = self._lengths.astype(np.float64)

    def _between(self, k: int, other: int, direction: int) -> NDArray[np.int64]:
        """Return both nodes of each passage from a part to the one to the east or south of it."""
        out, back = self._out[k][direction], self._out[other][direction ^ 2]
        along = np.mod if direction == _SOUTH else np.floor_divide
        one = along(out, self._widths[self.places[k][1]])
        two = along(back, self._widths[self.places[other][1]])
        if not np.array_equal(one, two):
            at = tuple(self._corners[axis][self.places[other][axis]] for axis in (0, 1))
            raise ValueError(f"passages: one across the border of the parts at {at} is open on one side only")
        return np.stack([self.numbers(k, out), self.numbers(other, back)], axis=1)

    def numbers(self, part: int, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers of the nodes at some cells of a part."""
        return np.searchsorted(self.nodes[part], cells) + int(self.firsts[part])

    def node(self, place: Place, cell: int) -> int:
        """Return the number of the node at a cell of a part."""
        return int(self.numbers(self.places.index(place), np.array([cell]))[0])

    def distances(self, sources: Sequence[int]) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Return the nodes of each part that are reached from the nearest source, and their distances."""
        steps = np.empty(int(self.firsts[-1]))
        _core.distances(self._space, np.array([sources], np.int64), self._costs, steps, 1, None)
        known = []
        for cells, first in zip(self.nodes, self.firsts[:-1], strict=True):
            mine = steps[first : first + len(cells)]
            reached = np.isfinite(mine)
            known.append((cells[reached], mine[reached].astype(np.int64)))
        return known

    def way(self, start: int, goals: Sequence[int]) -> Way | None:
        """Return a shortest path from a node to the nearest of some others, if there is one."""
        options = {"weights": self._costs}
        found = _core.solve("dijkstra", self._space, start, np.array(goals, np.int64), options, None, None)
        if not found["found"]:
            return None
        ids = found["steps"].astype(np.int64)
        forward, at = np.empty(len(ids), np.bool_), start
        for k, (one, other) in enumerate(self._ends[ids].tolist()):
            forward[k] = at == one
            at = other if forward[k] else one
        lengths = self._lengths[ids]
        offsets = np.cumsum(lengths) - lengths
        node = np.where(forward, self._ends[ids, 0], self._ends[ids, 1]).astype(np.int64)
        leaves = np.where(forward, self._leaves[ids, 0], self._leaves[ids, 1]).astype(np.int64)
        part_of = np.searchsorted(self.begins, ids, side="right") - 1
        between = part_of == len(self.places)
        walks = {}
        inside = np.flatnonzero(~between)
        inside = inside[np.argsort(part_of[inside], kind="stable")]
        parts, firsts = np.unique(part_of[inside], return_index=True)
        for part, mine in zip(parts.tolist(), np.split(inside, firsts[1:]), strict=False):  # none of none
            corridors = np.stack([node[mine] - self.firsts[part], leaves[mine], lengths[mine]], axis=1)
            walks[self.places[part]] = Walk(np.ascontiguousarray(corridors), offsets[mine])
        crossings = np.stack([offsets[between], leaves[between]], axis=1)
        return Way(int(lengths.sum()), crossings, walks)


def moves_between(way: Way) -> NDArray[np.uint8]:
    """Return the moves of a path, where those that cross from part to part are known."""
    require(17 * way.length, f"a path of {way.length:,} steps", "free memory")
    moves = np.empty(way.length, np.uint8)
    moves[way.crossings[:, 0]] = way.crossings[:, 1]
    return moves
