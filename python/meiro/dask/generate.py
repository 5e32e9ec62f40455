"""`meiro.dask.generate`: the passages of a maze, chunk by chunk."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, Unpack

import numpy as np

from meiro._utils.messages import requires_extra, short_repr
from meiro._utils.validation import integer
from meiro.dask.tasks import corners_of, merge_all
from meiro.generators.pieces import Merged, apply, joined_size, merge, open_within, reduce_piece
from meiro.generators.region import SAME_TREE, LargeMaze, large_maze
from meiro.seeds import RNG, STREAM

with requires_extra("dist", "dask"):
    import dask
    import dask.array
    from dask.array.core import normalize_chunks
    from dask.base import tokenize
    from dask.highlevelgraph import HighLevelGraph
    from dask.utils import parse_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from meiro._utils.square import Shape, ShapeLike
    from meiro.generators.options import GenerateOptions
    from meiro.generators.pieces import Piece
    from meiro.registry import Algorithm

Graph = dict[Any, tuple[Any, ...]]
Key = tuple[Any, ...]
Chunks = tuple[tuple[int, ...], tuple[int, ...]]


def generate(
    shape: ShapeLike,
    algorithm: Algorithm | str,
    *,
    rng: RNG = None,
    chunks: Any = "auto",
    **options: Unpack[GenerateOptions],
) -> dask.array.Array:
    """Generate a maze as an array of Dask, in chunks that are made where they are needed.

    The passages are byte for byte those of ``meiro.generate(shape, algorithm, rng=rng).passages``, for any
    chunks and any scheduler. No worker holds more than the chunks it works on and their borders.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns, in cells: up to 2**30 each.
    algorithm : str
        "kruskal", "prim" or "boruvka" (which make the same maze), or one of `meiro.generators.region`:
        "binary_tree", "percolation", "pole_toppling", "sidewinder".
    rng : int, sequence of int, Generator, BitGenerator, SeedSequence, Seed, mapping, or None
        As in `meiro.generate`.
    chunks : int, tuple, dict or str
        The chunks, as ``dask.array`` takes them. "auto", the default, makes them of the size that Dask is
        configured for (128 MiB); whole rows where an algorithm draws a row of at most 65,536 cells from
        its beginning.
    **options
        `bias`, `corner`, `p` and `towards`, where `meiro.generate` takes them.

    Returns
    -------
    dask.array.Array of uint8, shape `shape`
        The passages of each cell, N=1, E=2, S=4, W=8. Nothing is computed yet.

    Raises
    ------
    ValueError
        If parts of a maze cannot be made by the algorithm, or the shape, `chunks` or the value of an option
        is invalid.
    TypeError
        If the algorithm does not take an option, or `chunks` is of another type.

    See Also
    --------
    meiro.dask.check : Counts regions and loops, chunk by chunk.
    meiro.dask.measure : Counts dead ends, junctions, turns and more.
    meiro.dask.solve, meiro.dask.distances : Find ways, chunk by chunk.
    meiro.generate : The whole maze, in memory.
    meiro.generators.region : One window.

    Notes
    -----
    By Kruskal each chunk is reduced to its critical walls: those whose fate is decided outside, fewer than
    the cells on its rim. Two neighbours are merged, then two of these, until the maze is whole; the open
    walls go back the same way, and each chunk is made once more. So a chunk takes twice the time of
    `meiro.generate`; one of n x n cells sends 128 n bytes and receives some 20 n. There are 4 tasks a chunk.
    Nothing of the size of a chunk is kept between the two passes: both need 2 bytes a cell.

    References
    ----------
    J. B. Kruskal, "On the shortest spanning subtree of a graph and the traveling salesman problem", Proc. AMS
    7 (1956) 48. https://doi.org/10.1090/S0002-9939-1956-0078686-7

    Examples
    --------
    >>> import meiro.dask
    >>> passages = meiro.dask.generate((300, 500), "kruskal", rng=7, chunks=(100, 200))
    >>> passages.numblocks
    (3, 3)
    >>> whole = meiro.generate((300, 500), "kruskal", rng=7)
    >>> meiro.Maze(passages.compute()) == meiro.Maze(whole.passages)
    True
    >>> _ = passages.to_zarr("maze.zarr")  # chunk by chunk
    >>> import zarr
    >>> meiro.Maze(zarr.open("maze.zarr")) == meiro.Maze(whole.passages)
    True
    """
    maze = large_maze(shape, algorithm, rng, dict(options), "generate(shape, algorithm)")
    cut = _checked_chunks(chunks, maze)
    words = (maze.shape, maze.algorithm, maze.words, sorted(maze.options.items()), STREAM, cut)
    name = f"meiro-{maze.algorithm}-{tokenize(words)}"
    graph: Graph = {}
    if maze.algorithm in SAME_TREE:
        _merge_all(graph, maze, name, cut)
    else:
        for tile in chain(*_grid(name, cut)):
            graph[tile.key] = (LargeMaze.window, maze, tile.first, tile.size)
    layers = HighLevelGraph.from_collections(name, graph, dependencies=[])
    return dask.array.Array(layers, name, chunks=cut, dtype="uint8")  # type: ignore[no-untyped-call]


_MOST = 1 << 20  # chunks: the graph of more takes minutes to make


def _checked_chunks(chunks: Any, maze: LargeMaze) -> Chunks:
    sides = _sides(chunks)
    if isinstance(chunks, str) and chunks == "auto" and maze.rows_from_their_begin:
        sides[1 - maze.options.get("towards", 0) % 2] = -1
    _refuse_small(chunks, sides, maze.shape)
    try:
        cut = normalize_chunks(tuple(sides), shape=maze.shape, dtype="uint8")  # type: ignore[no-untyped-call]
        rows, cols = (tuple(map(int, sizes)) for sizes in cut)
    except (TypeError, ValueError, NotImplementedError, OverflowError) as error:
        why = str(error).partition("\n")[0]
        raise ValueError(f"chunks {short_repr(chunks)} do not cut a maze of {maze.shape}: {why}") from error
    if min(rows) < 1 or min(cols) < 1:
        raise ValueError(_no_cells(chunks))
    if len(rows) * len(cols) > _MOST:
        raise ValueError(_too_many(chunks, len(rows) * len(cols)))
    if max(rows) * max(cols) >= 1 << 31:
        raise ValueError(
            f"chunks must have fewer than 2**31 cells, not {(max(rows), max(cols))}: give smaller chunks="
        )
    return rows, cols


def _sides(chunks: Any) -> list[Any]:
    """Return the chunks of rows and those of columns, as values that the documentation of Dask names."""
    if isinstance(chunks, Mapping) and set(chunks) <= {0, 1}:
        sides = [chunks.get(axis) for axis in (0, 1)]
    elif isinstance(chunks, tuple | list) and len(chunks) == 2:
        sides = [*chunks]
    elif isinstance(chunks, str | SupportsIndex) and not isinstance(chunks, np.ndarray):
        sides = [chunks, chunks]
    else:
        kinds = "an integer, (rows, cols), a dict of axes 0 and 1, or a str"
        raise TypeError(f"chunks must be {kinds}, not {short_repr(chunks)}")
    for axis, side in enumerate(sides):
        if isinstance(side, tuple | list):
            sides[axis] = tuple(integer(size, "chunks") for size in side)
        elif not (side is None or isinstance(side, str)):
            sides[axis] = integer(side, "chunks")
    return sides


def _refuse_small(chunks: Any, sides: list[Any], shape: Shape) -> None:
    """Refuse sides below 1, and those so small that Dask would list millions of them."""
    n = 1
    for side, whole in zip(sides, shape, strict=True):
        if isinstance(side, int) and side != -1:
            if side < 1:
                raise ValueError(_no_cells(chunks))
            n *= -(-whole // side)
    for side in sides:
        if isinstance(side, str):
            with suppress(ValueError):  # Dask says so
                least = parse_bytes(dask.config.get("array.chunk-size") if side == "auto" else side)
                n = max(n, shape[0] * shape[1] // max(least, 1))
    if n > _MOST:
        raise ValueError(_too_many(chunks, n))


def _no_cells(chunks: Any) -> str:
    return f"chunks must be at least 1 x 1 cells, not {short_repr(chunks)}"


def _too_many(chunks: Any, n: int) -> str:
    return f"chunks {short_repr(chunks)} are {n:,}, more than {_MOST:,}: make them larger"


class _Tile(NamedTuple):
    """A rectangle, and the task that makes or reduces it."""

    key: Key
    first: tuple[int, int]
    size: Shape


def _grid(name: str, cut: Chunks) -> list[list[_Tile]]:
    rows, cols = corners_of(cut)
    return [
        [_Tile((name, i, j), (rows[i], cols[j]), (height, width)) for j, width in enumerate(cut[1])]
        for i, height in enumerate(cut[0])
    ]


def _merge_all(graph: Graph, maze: LargeMaze, name: str, cut: Chunks) -> None:
    """Add the tasks of a maze in pieces: a tree of merges, up and down again."""
    leaves = _grid(f"{name}-reduce", cut)
    for tile in chain(*leaves):
        graph[tile.key] = (reduce_piece, maze, tile.first, tile.size)
    parents: dict[Key, _Tile] = {}

    def pair(a: _Tile, b: _Tile) -> _Tile:
        size = joined_size(a.first, a.size, b.first, b.size)
        tile = _Tile((f"{name}-merge", *a.first, *size), a.first, size)
        graph[tile.key] = (_merge, maze, a.key, b.key)
        parents[a.key] = parents[b.key] = tile
        return tile

    merge_all(leaves, pair)
    for tile in chain(*leaves):
        parent = parents.get(tile.key)
        known = () if parent is None else (parent.key, _open(graph, maze, parents, parent))
        graph[(name, *tile.key[1:])] = (_apply, maze, tile.first, tile.size, *known)


def _open(graph: Graph, maze: LargeMaze, parents: dict[Key, _Tile], tile: _Tile) -> Key | None:
    """Return the task that knows the open walls around a merged piece; none for the whole maze."""
    parent = parents.get(tile.key)
    if parent is None:
        return None
    key = (f"{tile.key[0]}-open", *tile.key[1:])
    if key not in graph:
        graph[key] = (_open_in, maze, tile.first, tile.size, parent.key, _open(graph, maze, parents, parent))
    return key


# Tasks.


def _piece(tile: Piece | Merged) -> Piece:
    return tile.piece if isinstance(tile, Merged) else tile


def _merge(maze: LargeMaze, a: Piece | Merged, b: Piece | Merged) -> Merged:
    return merge(maze, _piece(a), _piece(b))


def _open_in(
    maze: LargeMaze,
    first: tuple[int, int],
    size: Shape,
    merged: Merged | None = None,
    above: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    known = [] if merged is None else [merged.open]
    return open_within(maze, first, size, *known, *([] if above is None else [above]))


def _apply(maze: LargeMaze, first: tuple[int, int], size: Shape, *known: Any) -> NDArray[np.uint8]:
    return apply(maze, first, size, _open_in(maze, first, size, *known))
