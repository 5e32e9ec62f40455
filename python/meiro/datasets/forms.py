"""Forms of mazes and of solutions: rows of bytes that are equal where these are, perhaps up to symmetry.

On squares there is a byte for each cell: its open directions, openings among them. On a lattice there is one
for each edge, then for each place of the rim.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.bands import bands
from meiro._utils.memory import require
from meiro._utils.square import E, N, S, W
from meiro.lattices._rim import rim_of
from meiro.mazes._openings import cells_beside
from meiro.spaces.space_of import mazes_of
from meiro.transforms._symmetry_groups import symmetries_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Shape, Wrap
    from meiro.lattices.lattice import Lattice
    from meiro.mazes.batch import MazeBatch
    from meiro.mazes.graph_batch import GraphBatch
    from meiro.spaces.space import MazeSpace, Numbers

    Bytes = NDArray[np.uint8]

_SIDES = np.array([[0, N, 0], [W, 0, E], [0, S, 0]], np.uint8)
_NO_CELL = 16
_END = 32  # start and goal are alike, so that exchanged ones are; 64 if both are in one cell


class Forms(NamedTuple):
    """Rows of bytes, (n, k). Forms of one kind, shape and wrap or the lattice, are compared by their rows."""

    kind: Any
    rows: Bytes

    def keys(self) -> list[tuple[Any, bytes]]:
        """Return a key of a dict for each form."""
        return [(self.kind, row.tobytes()) for row in self.rows]

    def hashes(self) -> NDArray[np.uint64]:
        """Return a hash of each form, the same in any process."""
        kind = self.kind if isinstance(self.kind, tuple) else hash(self.kind)
        return hashes_of_rows(repr(kind).encode(), self.rows, b"")


def hashes_of_rows(begin: bytes, rows: Bytes, end: bytes) -> NDArray[np.uint64]:
    """Return BLAKE2b of `begin`, each row and `end`, 61 bits."""
    first = hashlib.blake2b(begin, digest_size=8)
    n, size = rows.shape
    data = np.ascontiguousarray(rows).reshape(-1).data
    digests = bytearray()
    for i in range(n):
        one = first.copy()
        one.update(data[i * size : (i + 1) * size])
        one.update(end)
        digests += one.digest()
    return np.frombuffer(bytes(digests), "<u8").astype(np.uint64) >> np.uint64(3)


def forms_of(mazes: MazeBatch | GraphBatch, *, symmetries: bool) -> Forms:
    """Return the forms of mazes, in which masks and openings count, but not start and goal."""
    space: MazeSpace[Any] = mazes_of(mazes)
    require(4 * space.passages.size, f"the forms of {mazes!r}", "take a slice of it")
    if space.on_lattice:
        return _on_lattice(space.lattice, space.passages, _open_places(space), symmetries=symmetries)
    cells = space.passages | _opened(space)
    if (exist := space.existing()) is not None:
        cells |= np.uint8(_NO_CELL) * ~exist.reshape(-1, *space.shape)
    return _on_squares(cells, space.wrap, symmetries=symmetries)


def classes_of_images(mazes: Any) -> NDArray[np.int64]:
    """Return for each maze of a batch the number of its class of images of each other."""
    classes: dict[bytes, int] = {}
    rows = forms_of(mazes, symmetries=True).rows
    return np.fromiter((classes.setdefault(row.tobytes(), len(classes)) for row in rows), np.int64, len(rows))


def forms_of_solutions(mazes: MazeBatch | GraphBatch) -> tuple[Forms, NDArray[np.bool_]]:
    """Return the forms of a path from start to goal, up to symmetry, and which mazes have one."""
    space: MazeSpace[Any] = mazes_of(mazes)
    n, size = space.n, space.size
    starts, goals = (ends.numbers for ends in space.ends())
    require(4 * space.passages.size + 12 * n * size, f"the solutions of {mazes!r}", "take a slice of it")
    lengths, found = _core.solve_many(space.core, starts, goals, lambda _: None, 1, None)
    paths: Any = found  # an array, as it was asked for
    ends = np.zeros((n, size), np.uint8)
    for numbers in (starts, goals):
        ends[np.arange(n), numbers] += _END
    open_ = np.zeros_like(space.passages)
    for band in bands(n, size):
        numbers = paths[band] if space.on_lattice else paths[band] @ (space.shape[1], 1)
        steps = np.full((len(numbers), size), -2, np.int32)
        maze, step = (numbers >= 0).nonzero()
        steps[maze, numbers[maze, step]] = step
        open_[band] = _edges_between(space, steps)
    if space.on_lattice:
        return _on_lattice(space.lattice, open_, ends, symmetries=True, cells=True), lengths >= 0
    return _on_squares(open_ | ends.reshape(open_.shape), space.wrap, symmetries=True), lengths >= 0


def _edges_between(space: MazeSpace[Any], steps: NDArray[np.int32]) -> Bytes:
    """Return as passages which edges join cells of a path that follow each other; `steps` are -2 off it."""

    def joined(one: NDArray[np.int32], other: NDArray[np.int32]) -> Any:
        return (np.abs(one - other) == 1) & (one >= 0) & (other >= 0)

    if space.on_lattice:
        one, other = space.lattice.edges.T
        on: Bytes = joined(steps[:, one], steps[:, other]).view(np.uint8)
        return on
    at = steps.reshape(-1, *space.shape)
    passages = np.zeros(at.shape, np.uint8)
    for axis, (ahead, back) in enumerate(((S, N), (E, W)), 1):
        on = joined(at, np.roll(at, -1, axis))
        if not space.wrap[axis - 1]:
            np.moveaxis(on, axis, 0)[-1] = False
        passages |= np.uint8(ahead) * on | np.uint8(back) * np.roll(on, 1, axis)
    return passages


def _opened(space: MazeSpace[Any]) -> Bytes:
    """Return the sides of cells of squares where there are openings."""
    found = np.zeros(space.passages.shape, np.uint8)
    mazes = space.x
    sites: Numbers | None = mazes.openings
    if sites is not None:
        maze, i = (sites[..., 0] >= 0).nonzero()
        cells = cells_beside(sites, (mazes.rows, mazes.cols), mazes.masks)[maze, i]
        down, right = (sites[maze, i] - 2 * cells).T  # 0 to 2
        np.bitwise_or.at(found, (maze, *cells.T), _SIDES[down, right])
    return found


def _open_places(space: MazeSpace[Any]) -> Bytes:
    """Return which places of the rim of a lattice are open."""
    rim = rim_of(space.lattice)
    found = np.zeros((space.n, len(rim.places)), np.uint8)
    sites: Numbers | None = space.x.openings
    if sites is not None:
        maze, i = (sites[..., 0] >= 0).nonzero()
        found[maze, rim.find(sites[maze, i])] = 1
    return found


def _on_lattice(
    lattice: Lattice, open_: Bytes, more: Bytes, *, symmetries: bool, cells: bool = False
) -> Forms:
    """Return the forms of bytes for each edge, then for each place of the rim, or each of the `cells`."""
    rows = np.concatenate([open_, more], axis=1)
    if not symmetries or not rows.size:
        return Forms(lattice, rows)
    images = symmetries_of(lattice)
    to = np.concatenate([images.edges, lattice.n_edges + (images.cells if cells else images.rim)], axis=1)
    places = np.empty(to.shape, np.int64)
    np.put_along_axis(places, to, np.arange(rows.shape[1])[np.newaxis], axis=1)
    values = np.tile(np.arange(256, dtype=np.uint8), (len(to), 1))
    least = _core.canonical(rows, places, values, (1, rows.shape[1]), (False, False), 1, None)
    return Forms(images.lattice, least)


def _on_squares(cells: Bytes, wrap: Wrap, *, symmetries: bool) -> Forms:
    """Return the forms of a byte for each cell of squares, (n, rows, cols)."""
    n, *sides = cells.shape
    shape: Shape = sides[0], sides[1]
    rows = np.ascontiguousarray(cells).reshape(n, shape[0] * shape[1])
    if not symmetries:
        return Forms((shape, wrap), rows)
    one, other = zip(shape, wrap, strict=True)  # the longer side is that of the columns
    exchanged = (False, True) if one == other else (one > other,)
    if one > other:
        shape, wrap = shape[::-1], wrap[::-1]
    turns = [(up, left, across) for up in (False, True) for left in (False, True) for across in exchanged]
    numbers = np.arange(rows.shape[1]).reshape(sides)
    places, values = [], []
    for up, left, across in turns:
        turned = numbers[:: -1 if up else 1, :: -1 if left else 1]
        places.append((turned.T if across else turned).reshape(-1))
        bytes_ = np.arange(256, dtype=np.uint8).reshape(256, 1, 1)
        values.append(_core.turned(bytes_, (up, left, across), True, 1, None).reshape(-1))  # noqa: FBT003  # of passages
    least = _core.canonical(rows, np.stack(places), np.stack(values), shape, wrap, 1, None)
    return Forms((shape, wrap), least)
