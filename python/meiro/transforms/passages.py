"""Walls by hand: passages opened and closed one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from meiro._utils.messages import short_repr
from meiro._utils.validation import items_of
from meiro.transforms._common import AnyMazes, plain_cells, space_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from meiro.spaces.space import MazeSpace


def with_passages(maze: AnyMazes, *, open: Iterable[Any] = (), close: Iterable[Any] = ()) -> AnyMazes:  # noqa: A002
    """Open and close single walls.

    Parameters
    ----------
    maze : Maze, MazeBatch, GraphMaze or GraphBatch
        It stays as it is. In a batch the same walls change in all mazes.
    open, close : sequence of pairs
        Each pair two adjacent cells: (row, col) each, or labels or numbers on a lattice. On squares also a
        cell and a side: ``((0, 3), "east")``. What is open or closed already stays so. Parallel edges of a
        lattice are opened and closed together.

    Returns
    -------
    Maze, MazeBatch, GraphMaze or GraphBatch
        With the mask, wrap, openings, start and goal of `maze`; the seed is None.

    Raises
    ------
    ValueError
        If two cells are not adjacent, a cell is outside or masked out, a side is unknown, or a wall is to be
        opened and closed.
    TypeError
        If `maze` is no maze and no batch, or something is not a pair.
    MemoryError
        If the new maze cannot fit in memory; nothing is allocated before.

    See Also
    --------
    with_openings : opens the border.
    add_loops, join_regions : open walls by chance.

    Examples
    --------
    >>> room = meiro.Maze.from_wall_ids((2, 3), [])
    >>> print(meiro.with_passages(room, close=[((0, 0), (0, 1)), ((1, 1), "north")]))
    ┌─┬───┐
    │ │   │
    │ └─╴ │
    │     │
    └─────┘
    >>> hexagons = meiro.generate(meiro.lattices.hexagonal(3, 4), rng=7)
    >>> meiro.check(meiro.with_passages(hexagons, open=hexagons.lattice.edges)).loops
    12
    """
    space = space_for(maze, "with_passages", grids=False)
    opened, closed = _sides(space, open, "open"), _sides(space, close, "close")
    for side, pair in opened.items():
        if side in closed:
            raise ValueError(f"{short_repr(pair)} is to be opened and closed: name each wall once")
    passages = space.passages.copy()
    of_each = passages.reshape(space.n, space.lattice.n_edges if space.on_lattice else space.size)
    for place, bit in opened:
        of_each[:, place] |= bit
    for place, bit in closed:
        of_each[:, place] &= 255 - bit
    step = {name: _plain_pairs(space, sides) for name, sides in (("open", opened), ("close", closed))}
    return space.derive(passages, [("with_passages", step)])


def _plain_pairs(space: MazeSpace[Any], sides: dict[tuple[int, int], Any]) -> NDArray[Any]:
    """Return the pairs of cells on both sides of walls."""
    places = np.array([place for place, _ in sides], np.int64)
    pairs = space.lattice.edges[places] if space.on_lattice else places.reshape(-1, 2)
    return plain_cells(space, pairs)


def _sides(space: MazeSpace[Any], pairs: Iterable[Any], name: str) -> dict[tuple[int, int], Any]:
    """Return places in the passages and their bits, each with the pair that names it."""
    found: dict[tuple[int, int], Any] = {}
    for i, pair in enumerate(items_of(pairs, name, "pairs of adjacent cells")):
        try:
            cell, other = pair
        except (TypeError, ValueError):
            sides = "" if space.on_lattice else ", or a cell and a side"
            raise TypeError(
                f"{name}[{i}] must be two adjacent cells{sides}, not {short_repr(pair)}"
            ) from None
        found |= dict.fromkeys(space.sides_between(cell, other, f"{name}[{i}]"), pair)
    return found
