"""Chunks contracted to graphs of corridors, joined, and solved: what `solve` and `distances` compute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.memory import require
from meiro.dask.parts import checked_block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from meiro._utils.square import Shape

Place = tuple[int, int]
"""The row and column of a chunk among the chunks."""

Known = dict[Place, "tuple[NDArray[np.int64], NDArray[np.int64]]"]
"""For each chunk: nodes, and their distances."""

_EAST, _SOUTH = 1, 2  # directions
_OF_AN_EDGE = 150  # bytes: of an edge, its two slots in the graph, and a heap item of the search
_MOST_NODES = (1 << 31) - 1


class Contracted(NamedTuple):
    """A chunk as a graph: its nodes are cells, its edges (from, to, length, leaves, arrives) corridors.

    For each side (north, east, south, west): the cells out of which a passage leads.
    """

    nodes: NDArray[np.int64]
    edges: NDArray[np.int64]
    out: tuple[NDArray[np.int64], ...]


class Walk(NamedTuple):
    """What of a path lies in a chunk: corridors (node, direction, length), and the places of their moves."""

    corridors: NDArray[np.int64]
    offsets: NDArray[np.int64]


class Way(NamedTuple):
    """A path: its number of steps, moves between chunks (place, direction), and what lies in chunks."""

    length: int
    crossings: NDArray[np.int64]
    walks: dict[Place, Walk]


def contracted(block: NDArray[np.uint8], at: tuple[int, int], terminals: NDArray[np.int64]) -> Contracted:
    """Return a chunk, whose first cell is `at`, as a graph; `terminals` are cells of it that are nodes."""
    block = checked_block(block, at)
    require(2 * block.size, f"contracting a chunk of {block.shape}", "rechunk to smaller ones")
    rows, cols = block.shape
    nodes, edges = _core.contract(block, terminals)
    north, south = (np.flatnonzero(block[r] & side) + r * cols for r, side in ((0, 1), (rows - 1, 4)))
    east, west = (np.flatnonzero(block[:, c] & side) * cols + c for c, side in ((cols - 1, 2), (0, 8)))
    return Contracted(nodes, edges, (north, east, south, west))


class Joined:
    """The graph of all chunks and of the passages between them; nodes of chunk k begin at ``firsts[k]``."""

    def __init__(self, grid: Sequence[Sequence[Contracted]], corners: Sequence[Sequence[int]]) -> None:
        self.places: list[Place] = [(i, j) for i, line in enumerate(grid) for j in range(len(line))]
        self._chunks = [chunk for line in grid for chunk in line]
        across = len(grid[0])
        self.firsts = np.cumsum([0, *(len(chunk.nodes) for chunk in self._chunks)])
        n_edges = sum(len(chunk.edges) for chunk in self._chunks)
        if self.firsts[-1] > _MOST_NODES:
            msg = f"more than {_MOST_NODES:,} forks and borders of chunks: the maze has too many loops"
            raise MemoryError(msg)
        require(_OF_AN_EDGE * n_edges, f"the graph of {n_edges:,} corridors", "take larger chunks")
        edges = [
            chunk.edges + np.array([first, first, 0, 0, 0])
            for chunk, first in zip(self._chunks, self.firsts[:-1], strict=True)
        ]
        self.begins = np.cumsum([0, *map(len, edges)])
        for k, (i, j) in enumerate(self.places):
            if j + 1 < across:
                edges.append(self._crossings(k, k + 1, _EAST, corners))
            if i + 1 < len(grid):
                edges.append(self._crossings(k, k + across, _SOUTH, corners))
            rim = {0: i == 0, 1: j + 1 == across, 2: i + 1 == len(grid), 3: j == 0}
            if any(len(self._chunks[k].out[side]) for side, is_last in rim.items() if is_last):
                raise ValueError("passages: one leads out of the maze")  # noqa: EM101, TRY003
        every = np.concatenate(edges)
        self.ends, self.lengths, self.leaves = every[:, :2].astype(np.int32), every[:, 2], every[:, 3:]
        graph = _core.Graph(int(self.firsts[-1]), self.ends, None, None)
        self._space = graph, np.ones((1, len(self.ends)), np.uint8)
        self._costs = self.lengths.astype(np.float64)

    def _crossings(
        self, k: int, other: int, direction: int, corners: Sequence[Sequence[int]]
    ) -> NDArray[np.int64]:
        """Return the passages from a chunk to the one to the east or south of it, as edges."""
        out, back = self._chunks[k].out[direction], self._chunks[other].out[direction ^ 2]
        widths = [corners[1][self.places[c][1] + 1] - corners[1][self.places[c][1]] for c in (k, other)]
        along = [
            cells % width if direction == _SOUTH else cells // width
            for cells, width in zip((out, back), widths, strict=True)
        ]
        if not np.array_equal(along[0], along[1]):
            row, col = (corners[axis][self.places[other][axis]] for axis in (0, 1))
            msg = f"passages: one across the border of the chunks at ({row}, {col}) is open on one side only"
            raise ValueError(msg)
        ends = [self.numbers(k, out), self.numbers(other, back)]
        same = [np.full(len(out), value) for value in (1, direction, direction ^ 2)]
        return np.stack([*ends, *same], axis=1)

    def numbers(self, chunk: int, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers of the nodes at some cells of a chunk."""
        return np.searchsorted(self._chunks[chunk].nodes, cells) + int(self.firsts[chunk])

    def node(self, place: Place, cell: int) -> int:
        """Return the number of the node at a cell of a chunk."""
        return int(self.numbers(self.places.index(place), np.array([cell]))[0])

    def distances(self, node: int) -> NDArray[np.float64]:
        """Return the distance of each node from one of them, or infinity."""
        found = np.empty(int(self.firsts[-1]))
        _core.distances(self._space, np.array([[node]]), self._costs, found, 1, None)
        return found

    def way(self, start: int, goal: int) -> Way | None:
        """Return a shortest path from a node to another one, if there is one."""
        options = {"weights": self._costs}
        found = _core.solve("dijkstra", self._space, start, np.array([goal]), options, None, None)
        if not found["found"]:
            return None
        ids = found["steps"].astype(np.int64)
        forward, at = np.empty(len(ids), np.bool_), start
        for k, (one, other) in enumerate(self.ends[ids].tolist()):
            forward[k] = at == one
            at = other if forward[k] else one
        lengths = self.lengths[ids]
        offsets = np.cumsum(lengths) - lengths
        node = np.where(forward, self.ends[ids, 0], self.ends[ids, 1])
        leaves = np.where(forward, self.leaves[ids, 0], self.leaves[ids, 1])
        chunk_of = np.searchsorted(self.begins, ids, side="right") - 1
        between = chunk_of == len(self.places)
        walks = {}
        inside = np.flatnonzero(~between)
        inside = inside[np.argsort(chunk_of[inside], kind="stable")]
        chunks, firsts = np.unique(chunk_of[inside], return_index=True)
        for chunk, mine in zip(chunks.tolist(), np.split(inside, firsts[1:]), strict=False):  # none of none
            corridors = np.stack([node[mine] - self.firsts[chunk], leaves[mine], lengths[mine]], axis=1)
            walks[self.places[chunk]] = Walk(np.ascontiguousarray(corridors), offsets[mine])
        crossings = np.stack([offsets[between], leaves[between]], axis=1)
        return Way(int(lengths.sum()), crossings, walks)


def found_way(
    grid: Sequence[Sequence[Contracted]], corners: Sequence[Sequence[int]], *ends: tuple[Place, int]
) -> Way | None:
    """Return a shortest path between two cells of chunks."""
    joined = Joined(grid, corners)
    start, goal = (joined.node(*end) for end in ends)
    return joined.way(start, goal)


def known_distances(
    grid: Sequence[Sequence[Contracted]], corners: Sequence[Sequence[int]], source: tuple[Place, int]
) -> Known:
    """Return nodes of each chunk that a cell reaches, and their distances from it."""
    joined = Joined(grid, corners)
    steps = joined.distances(joined.node(*source))
    known = {}
    for (i, j), first in zip(joined.places, joined.firsts[:-1], strict=True):
        cells = grid[i][j].nodes
        mine = steps[first : first + len(cells)]
        reached = np.isfinite(mine)
        known[i, j] = cells[reached], mine[reached].astype(np.int64)
    return known


def walked(block: NDArray[np.uint8], terminals: NDArray[np.int64], walk: Walk) -> NDArray[np.uint8]:
    """Return the moves along the corridors of a path, one behind the other."""
    lengths = walk.corridors[:, 2]
    moves = np.empty(int(lengths.sum()), np.uint8)
    _core.walk_corridors(
        np.ascontiguousarray(block), terminals, walk.corridors, np.cumsum(lengths) - lengths, moves
    )
    return moves


def known_in(known: Known, i: int, j: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what is known of a chunk."""
    return known[i, j]


def spread(
    block: NDArray[np.uint8], known: tuple[NDArray[np.int64], NDArray[np.int64]], kind: np.dtype[Any]
) -> NDArray[Any]:
    """Return the distances of all cells of a chunk."""
    out = np.empty(block.shape, kind)
    _core.spread_distances(np.ascontiguousarray(block), *known, out)
    return out


def split_moves(walk: Walk) -> NDArray[np.int64]:
    """Return the places in the path of the moves that `walked` returns."""
    lengths = walk.corridors[:, 2]
    within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(walk.offsets, lengths) + within


def corners_of(chunks: tuple[tuple[int, ...], tuple[int, ...]]) -> list[list[int]]:
    """Return the first rows and the first columns of the chunks, and those after the last."""
    return [np.cumsum((0, *sizes)).tolist() for sizes in chunks]


def located(cell: tuple[int, int], corners: list[list[int]]) -> tuple[Place, Shape]:
    """Return the place of the chunk of a cell, and the cell in it."""
    i, j = (int(np.searchsorted(corners[axis], cell[axis], side="right")) - 1 for axis in (0, 1))
    return (i, j), (cell[0] - corners[0][i], cell[1] - corners[1][j])
