"""Locks in a picture: a line across the passage of each door, with a capital letter; keys are labels."""

from __future__ import annotations

from itertools import count, islice, product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from meiro._utils.square import E, N, S, W
from meiro.drawing.graph_outline import CORRIDOR, more_walls, stairs
from meiro.drawing.labels import texts_of
from meiro.drawing.lines import Lines, lines_between
from meiro.spaces.space_of import mazes_of, space_of
from meiro.transforms.locks import sides_of_doors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    from meiro.drawing.graph_outline import Plane
    from meiro.lattices.lattice import Lattice
    from meiro.results.locks import Locks

DISC, LEAST_DISC = 0.5, 0.2
"""The width of the disc of a letter, in cells, at most; where less has room there are no letters."""

DOOR = 0.44
"""The width of the line of a door, as a share of that of a disc."""

_ACROSS = CORRIDOR + 0.28  # of a cell: how long a door is where passages have no walls
_SIDES = {N: ((0, 0), (1, 0)), E: ((1, 0), (1, 1)), S: ((0, 1), (1, 1)), W: ((0, 0), (0, 1))}  # of a square

_Segments = tuple[Any, bool]  # both ends of each, and whether they are arcs around the origin


class Doors(NamedTuple):
    """The lines of doors, and the middles, (k, 2), and texts of their letters; in cells, or as the plane."""

    lines: Lines
    middles: NDArray[np.float64]
    texts: NDArray[np.str_]


def doors_of(locks: Locks, plane: Plane | None) -> Doors:
    """Return where doors are: where a border was cut open, on both sides; `plane` is that of a lattice."""
    space: Any = mazes_of(locks.maze)
    lines, arcs, middles, texts = list[Any](), list[bool](), list[Any](), list[str]()
    for letter, sides in zip(_letters(len(locks)), sides_of_doors(locks), strict=True):
        if plane is None:
            parts = _on_squares(sides, space.shape[1])
        else:
            parts = _on_lattice(plane, space.lattice, sides[0][0])
        for segments, bent in parts:
            lines += segments
            arcs += [bent] * len(segments)
            middles.append(_middle(np.array(segments, np.float64), bent=bent))
            texts.append(letter.upper())
    ends = np.array(lines, np.float64)
    return Doors(
        lines_between(ends, np.array(arcs) if any(arcs) else None), np.array(middles), np.array(texts, str)
    )


def _on_squares(sides: Sequence[tuple[int, int]], cols: int) -> Iterator[_Segments]:
    """Yield the sides of cells, given by their bits, each once."""
    lines = {
        tuple((place % cols + x, place // cols + y) for x, y in _SIDES[bit]): None for place, bit in sides
    }
    for line in lines:
        yield [line], False


def _on_lattice(plane: Plane, lattice: Lattice, edge: int) -> Iterator[_Segments]:
    """Yield the walls of an edge, or what stands for them, each with all its segments."""
    if plane.stairs is not None and plane.stairs[edge]:
        only = np.arange(lattice.n_edges) == edge
        for signs, _ in stairs(plane, lattice, only):
            middle = signs.points[:3].mean(axis=0).tolist()
            yield [[middle, middle]], False
        return
    if plane.outline is None:
        first, last = plane.positions[lattice.edges[edge]]
        way = (last - first) / max(np.hypot(*(last - first)), 1e-300)
        beside = _ACROSS / 2 * plane.cell * np.array([-way[1], way[0]])
        middle = (first + last) / 2
        yield [[(middle - beside).tolist(), (middle + beside).tolist()]], False
        return
    arcs, (own, more) = plane.outline.wall_arcs, more_walls(plane.outline)
    wall, further = plane.outline.walls[edge].tolist(), more[own == edge].tolist()
    if plane.districts:
        yield [wall, *further], False
        return
    yield [wall], arcs is not None and bool(arcs[edge])
    for line in further:
        yield [line], False


def _middle(segments: NDArray[np.float64], *, bent: bool) -> NDArray[np.float64]:
    """Return the middle of an arc, or of the longest segment."""
    ends = segments[np.hypot(*(segments[:, 1] - segments[:, 0]).T).argmax()]
    middle: NDArray[np.float64] = ends.mean(axis=0)
    return middle * (np.hypot(*ends[0]) / np.hypot(*middle)) if bent else middle


def with_keys(locks: Locks, labels: ArrayLike | None) -> dict[Any, str]:
    """Return the letters of keys by their cells, with further labels."""
    maze: Any = locks.maze
    space: Any = mazes_of(maze)
    keys = map(space.cell, space.numbers(locks.keys, "keys").tolist())
    found = texts_of(space_of(maze), labels, dict(zip(keys, _letters(len(locks)), strict=True)))
    numbers, texts = found or ((), ())
    return {space.cell(int(number)): str(text) for number, text in zip(numbers, texts, strict=True)}


def _letters(n: int) -> Iterator[str]:
    """Yield a, b, ..., z, aa, ab and so on."""
    words = ("".join(word) for size in count(1) for word in product(ascii_lowercase, repeat=size))
    return islice(words, n)
