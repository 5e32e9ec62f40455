"""Checks of mazes: passages that agree with each other, mask and openings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from meiro import _core
from meiro._utils.arrays import mask_of, refuse_graph
from meiro._utils.memory import CHECKED_FROM, require
from meiro._utils.square import FLAT, E, N, S, W, Wrap, checked_wrap
from meiro._utils.validation import integers, plain_array
from meiro.mazes._openings import NO_OPENINGS, checked_openings, order_of_sites
from meiro.mazes._recipe import has_steps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray


class MazeData(NamedTuple):
    """The arrays of a valid maze."""

    passages: NDArray[np.uint8]
    mask: NDArray[np.bool_] | None
    openings: NDArray[np.int64]
    wrap: Wrap
    start: tuple[int, int] | None = None
    goal: tuple[int, int] | None = None


def validate_maze(
    passages: ArrayLike, mask: ArrayLike | None, openings: ArrayLike, wrap: object = FLAT
) -> MazeData:
    """Return the arrays of a maze, copied unless in a read-only file; a ValueError names a wrong cell."""
    if type(passages) is not np.ndarray and isinstance(getattr(passages, "passages", None), np.ndarray):
        raise TypeError(  # a maze is an array too: its grid
            f"passages is already a {type(passages).__name__}: use it as it is, or give its .passages"
        )
    refuse_graph(passages, "passages")
    given = plain_array(passages, "passages")
    if given.dtype.kind in "US":
        what = "Maze.from_text reads a text" if given.ndim == 0 else "Maze.from_grid reads walls and roads"
        raise TypeError(f"passages must be integers, not characters: meiro.{what}")
    if given.dtype != np.uint8:
        given = integers(given, "passages")
    if given.ndim != 2 or given.size == 0:
        raise ValueError(f"passages must be 2-D with at least one cell, not of shape {given.shape}")
    shape: tuple[int, int] = given.shape
    in_place = _in_read_only_file(passages)
    if given.size >= CHECKED_FROM and not in_place:
        require(given.size, f"a maze of {shape}", "take a smaller one")
    if given.dtype != np.uint8 and (given.max() > 15 or given.min() < 0):
        raise ValueError(_no_directions(given))
    kept = given if in_place else given.astype(np.uint8, order="C")
    valid_mask = None if mask is None else mask_of(mask, shape)
    valid_wrap = FLAT if wrap is FLAT else checked_wrap(wrap, shape)
    _, fault = _core.first_fault(kept[np.newaxis], valid_mask, valid_wrap)
    if fault >= 0:
        if kept.max() > 15:
            raise ValueError(_no_directions(kept))
        what = _fault(kept, valid_mask, valid_wrap, divmod(fault, shape[1]))
        raise ValueError(what + _hint(kept, valid_mask, valid_wrap))
    sites = NO_OPENINGS
    if not isinstance(openings, tuple) or openings:
        sites = checked_openings(openings, shape, valid_mask, valid_wrap)[0]
    return MazeData(kept, valid_mask, sites, valid_wrap)


def _in_read_only_file(passages: ArrayLike) -> bool:
    """Return whether an array is in a file that this program only reads, which may be larger than memory."""
    return (
        isinstance(passages, np.memmap)
        and passages.mode == "r"
        and passages.dtype == np.uint8
        and passages.flags.c_contiguous
        and not passages.flags.writeable
    )


def _no_directions(passages: NDArray[np.integer]) -> str:
    cell = tuple(map(int, np.argwhere((passages < 0) | (passages > 15))[0]))
    return f"passages{list(cell)} = {passages[cell]} is not a set of directions N=1, E=2, S=4, W=8"


def _hint(passages: NDArray[np.uint8], mask: NDArray[np.bool_] | None, wrap: Wrap) -> str:
    """Return what may be meant by an array that is no passages."""
    if passages.max() <= 1:
        return "; a grid of walls and roads goes into Maze.from_grid"
    if _core.first_fault(15 - passages[np.newaxis], mask, wrap)[1] < 0:
        return "; where a bit says that there is a wall, give 15 - passages"
    return ""


_STEPS = (("N", N, S, -1, 0), ("E", E, W, 0, 1), ("S", S, N, 1, 0), ("W", W, E, 0, -1))


def _fault(
    passages: NDArray[np.uint8], mask: NDArray[np.bool_] | None, wrap: Wrap, cell: tuple[int, int]
) -> str:
    row, col = cell
    if mask is not None and not mask[cell]:
        return f"passages{list(cell)} = {passages[cell]}, but the mask says that there is no cell"
    for name, bit, back, dr, dc in _STEPS:
        if not passages[cell] & bit:
            continue
        r, c = (
            at % side if periodic else at
            for at, side, periodic in zip((row + dr, col + dc), passages.shape, wrap, strict=True)
        )
        if not (0 <= r < passages.shape[0] and 0 <= c < passages.shape[1]):
            return f"passages{list(cell)} = {passages[cell]} opens {name}, over the border"
        if mask is not None and not mask[r, c]:
            return f"passages{list(cell)} = {passages[cell]} opens {name}, to a cell that is masked out"
        if not passages[r, c] & back:
            break  # at the latest here: the core found a fault in this cell
    return (
        f"passages{list(cell)} = {passages[cell]} opens {name}, "
        f"but passages[{r}, {c}] = {passages[r, c]} is not open on its side"
    )


def hash_of(
    passages: NDArray[np.uint8], mask: NDArray[np.bool_] | None, openings: NDArray[np.int64], wrap: Wrap
) -> int:
    """Return a hash that equal mazes share, in any process: the order of openings does not matter."""
    import hashlib

    digest = hashlib.blake2b(repr(passages.shape).encode(), digest_size=8)
    digest.update(passages.data)
    digest.update(b"" if mask is None else mask.data)
    digest.update(openings[order_of_sites(openings)].data)
    digest.update(bytes(wrap) if any(wrap) else b"")
    return int.from_bytes(digest.digest(), "little") >> 3


def is_perfect(passages: NDArray[np.uint8], mask: NDArray[np.bool_] | None, wrap: Wrap) -> bool:
    """Return whether the passages of a maze form one tree in each component of the mask."""
    require(9 * passages.size * any(wrap), "the sets of its cells", "take a part")
    return bool(_core.check((passages[np.newaxis], mask, wrap), 1, None)[0, 0])


def has_own_mask(recipe: Mapping[str, object]) -> bool:
    """Return whether the generator removed cells, so that the mask depends on the maze."""
    return recipe.get("dead_ends") == "remove" and not has_steps(recipe)


def surviving_mask(
    passages: NDArray[np.uint8], mask: NDArray[np.bool_] | None, recipe: Mapping[str, object]
) -> NDArray[np.bool_] | None:
    """Return the mask of a maze that was generated: without the cells that its generator removed."""
    if not has_own_mask(recipe):
        return mask
    left = passages != 0
    return mask if left.all() or not left.any() else left
